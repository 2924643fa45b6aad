"""Canonical values as JSON, both ways: for the wire, exports and saved counterexamples.

UTF-8, sorted keys, sets as sorted lists, every default written out. Reading is strict: it refuses what JSON
or msgspec would silently accept (duplicate keys, lone surrogates, NaN).
"""

from __future__ import annotations

import hashlib
import re
import sys
from functools import cache, lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import NODEFAULT, UNSET, Struct

from conformance.files.own_words import keys_at
from conformance.files.strict_json import check_strictly
from conformance.model.observation import Observations
from conformance.model.printable import shortened
from conformance.model.problems import Problem, ScenarioError, did_you_mean
from conformance.model.scenario import Fixture, Test
from reference_engine.language import actions, cards, words

_Value = TypeVar("_Value")
MOST_SHOWN = 160
"""Maximum length of an error message that quotes its input."""


def encode(value: object) -> bytes:
    """The canonical JSON of a value: equal values give equal bytes."""
    return msgspec.json.encode(value, order="sorted")


def place_for_people(where: str) -> str:
    """A place in msgspec's notation, `$.play.setup[0]`, counted from 1 for people."""
    counted = re.sub(r"\[([0-9]+)\]", lambda found: f"[{int(found[1]) + 1}]", where)
    return counted.removeprefix("$").removeprefix(".")


def decode(
    content: bytes, kind: type[_Value], path: str = "", schema: str = "scenario.schema.json"
) -> _Value:
    """The value of type `kind` in canonical JSON. Raises only `ScenarioError`.

    `schema` is the file that documents the format for people.
    """
    check_strictly(content, path)
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.DecodeError as error:
        what, _, where = str(error).partition(" - at `")
        unknown = re.fullmatch(r"Object contains unknown field `(?P<key>.*)`", what, re.DOTALL)
        cure = (
            did_you_mean(unknown["key"], keys_at(kind, where), otherwise=f"remove it: {schema} has every key")
            if unknown
            else f"{schema} of `conformance export` describes what belongs here"
        )
        what = shortened(what, MOST_SHOWN)
        raise ScenarioError([Problem(path, 0, 0, place_for_people(where.rstrip("`")), what, cure)]) from None


# ---------------------------------------------------------------------------------------------- digest


def digest(value: object) -> str:
    """The SHA-256 digest of a value, in hexadecimal; it does not change when a type gains an optional field.

    It covers the canonical form without fields that equal their default.
    """
    return hashlib.sha256(encode(without_defaults(value))).hexdigest()


def without_defaults(value: Any) -> Any:
    """A value as plain data, without fields that equal their default."""
    if isinstance(value, Struct):
        return card_without_defaults(value) if type(value) is cards.Card else struct_without_defaults(value)
    if isinstance(value, tuple):
        return [one if type(one) is str else without_defaults(one) for one in value]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, dict):
        return {key: without_defaults(inner) for key, inner in value.items()}
    return value


def struct_without_defaults(value: Struct) -> dict[str, Any]:
    config = value.__struct_config__
    plain: dict[str, Any] = {config.tag_field: config.tag} if config.tag_field else {}
    for name, key, default in fields_of(type(value)):
        inner = getattr(value, name)
        # Most fields have the very default, which needs no comparison.
        if inner is not default and inner is not UNSET and inner != default:
            plain[key] = inner if type(inner) in AS_THEY_ARE else without_defaults(inner)
    return plain


AS_THEY_ARE = frozenset({str, int, bool, type(None)})
"""The types of values that are plain data by themselves."""


@lru_cache(1000)
def card_without_defaults(card: cards.Card) -> dict[str, Any]:
    """Kept, because the same cards come in every scenario of a case; so nobody may change it."""
    return struct_without_defaults(card)


@cache
def fields_of(cls: type[Struct]) -> tuple[tuple[str, str, object], ...]:
    """The fields of a struct: name, key, and default (if there is none, an object that equals nothing)."""
    return tuple(
        (
            field.name,
            field.encode_name,
            field.default_factory() if field.default_factory is not NODEFAULT else field.default,
        )
        for field in msgspec.structs.fields(cls)
    )


# ---------------------------------------------------------------------------------------------- schema

UNIONS: dict[str, Any] = {
    "Selector": cards.Selector,
    "Quantity": cards.Quantity,
    "Condition": cards.Condition,
    "Operation": cards.Operation,
    "Cost": cards.Cost,
    "Instruction": cards.Instruction,
    "Event": cards.TriggerEvent,
    "Ability": cards.Ability,
    "Action": actions.Action,
    "Test": Test,
    "Color": words.Color,
    "ColorWord": words.ColorWord,
    "CardType": words.CardType,
    "Supertype": words.Supertype,
    "Zone": words.Zone,
    "Step": words.Step,
    "CounterKind": words.CounterKind,
    "KeywordName": words.KeywordName,
    "ChoiceKind": actions.ChoiceKind,
}
"""The unions and closed lists of words that get a definition of their own, because many types repeat them."""
SUFFIXES = {
    **{"then": "Instruction", "on": "Event", "do": "Action", "test": "Test", "verdict": "Verdict"},
    **{"conformance.model.verdict": "OfVerdict", "conformance.results.next_feature": "OfFeature"},
}
"""Suffixes for names that two types share: by the tag key of the family, or by module."""
REF = "#/$defs/"


def scenario_schema() -> dict[str, Any]:
    """The JSON Schema of a fixture in canonical form, and of what engines report."""
    title = "A fixture of the conformance suite, in canonical form"
    return {**schema_of(title, Fixture, Observations), "$ref": f"{REF}Fixture"}


def schema_of(title: str, *types: Any) -> dict[str, Any]:
    """A JSON Schema with definitions of these types and everything they consist of."""
    every, definitions = msgspec.json.schema_components(
        [*types, *UNIONS.values()], ref_template=REF + "{name}"
    )
    named = dict(zip(UNIONS, every[len(types) :], strict=True))
    unions = {name: alternatives(schema) for name, schema in named.items()}
    definitions = {name: with_shared_unions(schema, unions) for name, schema in definitions.items()}
    definitions |= {name: flat(schema) for name, schema in named.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "$defs": {
            name: with_readable_names(definitions[original])
            for name, original in sorted((plain_name(original), original) for original in definitions)
        },
    }


def plain_name(name: str) -> str:
    """The name of a definition in the schema; msgspec adds the module where two types share a name."""
    module, _, plain = name.rpartition(".")
    if not module:
        return name
    tag_field = getattr(sys.modules[module], plain).__struct_config__.tag_field
    return plain + (SUFFIXES.get(tag_field) or SUFFIXES.get(module, ""))


def flat(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a union without nested unions."""
    if "anyOf" not in schema:
        return schema
    tags = [one["discriminator"] for one in (schema, *schema["anyOf"]) if "discriminator" in one]
    return {"anyOf": alternatives(schema), **({"discriminator": tags[0]} if tags else {})}


def alternatives(schema: dict[str, Any]) -> list[Any]:
    """The alternatives of a schema, with nested unions flattened; otherwise the schema itself."""
    if "anyOf" not in schema:
        return [{key: value for key, value in schema.items() if key not in ("default", "description")}]
    return [inner for one in schema["anyOf"] for inner in alternatives(one)]


def with_shared_unions(schema: Any, unions: dict[str, list[Any]]) -> Any:
    """A schema with references to the named unions in place of copies."""
    if isinstance(schema, list):
        return [with_shared_unions(one, unions) for one in schema]
    if not isinstance(schema, dict):
        return schema
    rest = alternatives(schema)
    refs = []
    for name, union in unions.items():
        if all(one in rest for one in union) and ("anyOf" in schema or "enum" in schema):
            refs.append({"$ref": REF + name})
            rest = [one for one in rest if one not in union]
    if not refs:
        return {key: with_shared_unions(value, unions) for key, value in schema.items()}
    beside = {
        key: value for key, value in schema.items() if key not in ("anyOf", "enum", "type", "discriminator")
    }
    both = [*refs, *(with_shared_unions(one, unions) for one in rest)]
    return {**(both[0] if len(both) == 1 else {"anyOf": both}), **beside}


def with_readable_names(schema: Any) -> Any:
    """A schema with readable names in its references."""
    if isinstance(schema, list):
        return [with_readable_names(one) for one in schema]
    if isinstance(schema, dict):
        return {key: with_readable_names(value) for key, value in schema.items()}
    if isinstance(schema, str) and schema.startswith(REF):
        return REF + plain_name(schema.removeprefix(REF))
    return schema

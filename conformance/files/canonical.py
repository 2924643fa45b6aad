"""Canonical values as JSON, both ways: for the wire, the export and saved counterexamples.

UTF-8, keys sorted, sets as sorted lists, every default written out. Reading is strict: what JSON or
msgspec would let pass in silence (a key given twice, half a character, a number that is none) is refused.
"""

from __future__ import annotations

import hashlib
import re
import sys
from functools import cache
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

Value = TypeVar("Value")
MOST_SHOWN = 160
"""The most characters of an error that quotes what was read."""


def encode(value: object) -> bytes:
    """The canonical JSON of a value: equal values give equal bytes."""
    return msgspec.json.encode(value, order="sorted")


def decode(content: bytes, kind: type[Value], path: str = "", schema: str = "scenario.schema.json") -> Value:
    """The value of that type that canonical JSON stands for. Raises `ScenarioError`, and nothing else.

    `schema` is the file that says to people what such a value looks like.
    """
    check_strictly(content, path)
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.DecodeError as error:
        what, _, where = str(error).partition(" - at `")
        unknown = re.fullmatch(r"Object contains unknown field `(?P<key>.*)`", what, re.DOTALL)
        cure = (
            did_you_mean(
                unknown["key"], keys_at(kind, where), otherwise=f"take it out: {schema} has every key"
            )
            if unknown
            else f"{schema} of `conformance export` says what belongs here"
        )
        what = shortened(what, MOST_SHOWN)
        raise ScenarioError([Problem(path, 0, 0, where.rstrip("`") or "$", what, cure)]) from None


# ---------------------------------------------------------------------------------------------- digest


def digest(value: object) -> str:
    """A fingerprint of a value that a new optional field leaves as it is: SHA-256 in hexadecimal.

    It is taken over the canonical form without the fields that equal their default.
    """
    return hashlib.sha256(encode(without_defaults(value))).hexdigest()


def without_defaults(value: Any) -> Any:
    """A value as plain data, the fields left out that equal their default."""
    if isinstance(value, Struct):
        config = value.__struct_config__
        plain = {config.tag_field: config.tag} if config.tag_field else {}
        for name, key, default in fields_of(type(value)):
            inner = getattr(value, name)
            if inner is not UNSET and inner != default:
                plain[key] = without_defaults(inner)
        return plain
    if isinstance(value, tuple):
        return [without_defaults(one) for one in value]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, dict):
        return {key: without_defaults(inner) for key, inner in value.items()}
    return value


@cache
def fields_of(cls: type[Struct]) -> tuple[tuple[str, str, object], ...]:
    """The fields of a struct: name, key, default (if it has none, something that nothing equals)."""
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
    "Event": cards.Event,
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
"""The unions and lists of words that get a definition of their own, whatever else would repeat them."""
SUFFIXES = {
    **{"then": "Instruction", "on": "Event", "do": "Action", "test": "Test", "verdict": "Verdict"},
    **{"conformance.model.verdict": "OfVerdict", "conformance.results.next_feature": "OfFeature"},
}
"""What is added to a name that two types have: by the tag key of its family, or by its module."""
REF = "#/$defs/"


def scenario_schema() -> dict[str, Any]:
    """The JSON Schema of a fixture in canonical form, and of what an engine may report of it."""
    title = "A fixture of the conformance suite, in canonical form"
    return {**schema_of(title, Fixture, Observations), "$ref": f"{REF}Fixture"}


def schema_of(title: str, *types: Any) -> dict[str, Any]:
    """A JSON Schema that defines these types and all they are made of; it does not say which is meant."""
    every, definitions = msgspec.json.schema_components(
        [*types, *UNIONS.values()], ref_template=REF + "{name}"
    )
    named = dict(zip(UNIONS, every[len(types) :], strict=True))
    unions = {name: alternatives(schema) for name, schema in named.items()}
    definitions = {name: shared(schema, unions) for name, schema in definitions.items()}
    definitions |= {name: flat(schema) for name, schema in named.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        "$defs": {
            name: renamed(definitions[original])
            for name, original in sorted((plain_name(original), original) for original in definitions)
        },
    }


def plain_name(name: str) -> str:
    """The name that a definition has in the schema; msgspec puts the module before what two are called."""
    module, _, plain = name.rpartition(".")
    if not module:
        return name
    tag_field = getattr(sys.modules[module], plain).__struct_config__.tag_field
    return plain + (SUFFIXES.get(tag_field) or SUFFIXES.get(module, ""))


def flat(schema: dict[str, Any]) -> dict[str, Any]:
    """A union's schema without unions inside it."""
    if "anyOf" not in schema:
        return schema
    tags = [one["discriminator"] for one in (schema, *schema["anyOf"]) if "discriminator" in one]
    return {"anyOf": alternatives(schema), **({"discriminator": tags[0]} if tags else {})}


def alternatives(schema: dict[str, Any]) -> list[Any]:
    """What a schema allows, unions inside unions opened; a schema that is none stands for itself."""
    if "anyOf" not in schema:
        return [{key: value for key, value in schema.items() if key not in ("default", "description")}]
    return [inner for one in schema["anyOf"] for inner in alternatives(one)]


def shared(schema: Any, unions: dict[str, list[Any]]) -> Any:
    """A schema that refers to the named unions instead of repeating them."""
    if isinstance(schema, list):
        return [shared(one, unions) for one in schema]
    if not isinstance(schema, dict):
        return schema
    rest = alternatives(schema)
    refs = []
    for name, union in unions.items():
        if all(one in rest for one in union) and ("anyOf" in schema or "enum" in schema):
            refs.append({"$ref": REF + name})
            rest = [one for one in rest if one not in union]
    if not refs:
        return {key: shared(value, unions) for key, value in schema.items()}
    beside = {
        key: value for key, value in schema.items() if key not in ("anyOf", "enum", "type", "discriminator")
    }
    both = [*refs, *(shared(one, unions) for one in rest)]
    return {**(both[0] if len(both) == 1 else {"anyOf": both}), **beside}


def renamed(schema: Any) -> Any:
    """A schema whose references have the names that people read."""
    if isinstance(schema, list):
        return [renamed(one) for one in schema]
    if isinstance(schema, dict):
        return {key: renamed(value) for key, value in schema.items()}
    if isinstance(schema, str) and schema.startswith(REF):
        return REF + plain_name(schema.removeprefix(REF))
    return schema

"""The words of the language: those that ids may not use, and the keys allowed at a place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from msgspec import Struct

from conformance.model.observation import Snapshot
from conformance.model.scenario import Fixture, Origin
from conformance.model.struct_types import types_of
from reference_engine.language.actions import Assign, Assignment, Attack, Attacker, Block, Blocker, Share
from reference_engine.language.setup import TimestampOrder
from reference_engine.language.words import STEPS, CounterKind, KeywordName

SPECIAL = frozenset(
    {
        "id",
        "table",
        "tried",
        "of",
        "everyone",
        "others",
        "opponents",
        "players",
        "you",
        "nobody",
        "nothing",
        "state",
        "combat",
        "settle",
    }
)
"""Words that may appear in place of an id, or that people would mistake for one."""
WRITTEN_AS_MAPS = (
    Attack,
    Attacker,
    Block,
    Blocker,
    Assign,
    Assignment,
    Share,
    TimestampOrder,
)
"""Records that a file may write as a map keyed by ids, where the keys of the record could be misread."""

STEP = re.compile(r"\.(\w+)|(\[)")
GROWING = (KeywordName, CounterKind)


@cache
def reserved_words() -> frozenset[str]:
    """The words that ids may not use, because they could be misread; all other words are free."""
    keys = (key for record in WRITTEN_AS_MAPS for key in record.__struct_encode_fields__)
    return SPECIAL | frozenset(keys) | frozenset(STEPS)


@cache
def words_of_the_language() -> frozenset[str]:
    """Every key, tag and closed word, except keywords and counters.

    Generated ids avoid them, so that renaming an object affects only its id.
    """
    words = set(reserved_words())
    for kind in parts_of_types(Fixture, Snapshot):
        words.update(words_of_struct(kind) if is_struct(kind) else get_args(kind))
    return frozenset(words)


def words_of_struct(cls: type[Struct]) -> Iterator[str]:
    """The tag and the keys of a struct."""
    config = cls.__struct_config__
    if config.tag_field:
        yield from (config.tag_field, str(config.tag))
    yield from cls.__struct_encode_fields__


def keys_at(kind: Any, where: str) -> frozenset[str]:
    """The keys allowed at a place in a value of this type; msgspec writes places as `$.looks[...].table`."""
    here = alternatives(kind)
    for name, _ in STEP.findall(where):
        here = [one for outer in here for inner in type_of_part(outer, name) for one in alternatives(inner)]
    return frozenset(key for one in here if is_struct(one) for key in one.__struct_encode_fields__)


def type_of_part(kind: Any, name: str) -> list[Any]:
    """The type of a field of a struct, or of the members of a list or map."""
    if is_struct(kind):
        types = dict(zip(kind.__struct_encode_fields__, types_of(kind).values(), strict=True))
        return [types[name]] if name in types else []
    return [one for one in get_args(kind) if one is not Ellipsis][-1:]


def parts_of_types(*kinds: Any) -> Iterator[Any]:
    """The structs and closed lists of words that values of these types consist of."""
    seen: set[Any] = {Origin}  # written by a search, and contains no ids
    waiting = [*kinds]
    while waiting:
        kind = waiting.pop()
        if kind in seen or kind in GROWING:
            continue
        seen.add(kind)
        if get_origin(kind) is Literal:
            yield kind
        elif is_struct(kind):
            yield kind
            waiting.extend(types_of(kind).values())
        else:
            waiting.extend(one for one in get_args(kind) if one is not Ellipsis)


def alternatives(kind: Any) -> list[Any]:
    """The alternatives of a union type, or the type itself."""
    if get_origin(kind) in (Union, UnionType):
        return [one for inner in get_args(kind) for one in alternatives(inner)]
    return [kind]


def is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Struct)

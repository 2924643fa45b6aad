"""The words that the language itself uses, which no id may be."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct

from conformance.files.short_forms import NOUNS, PLAYERS
from conformance.model.observation import Snapshot
from conformance.model.scenario import Fixture
from conformance.model.struct_types import types_of
from reference_engine.language.words import CounterKind, KeywordName

MORE_WORDS = (
    "table",
    "end",
    "none",
    "null",
    "auto",
    "target",
    "together",
    "tried",
    "is",
    "pt",
    "cleanup",
    "combat",
)

GROWING = (KeywordName, CounterKind)


@cache
def words_of_the_language() -> frozenset[str]:
    """Every key, tag and closed word: an id that is one of them could be misread.

    Keywords and kinds of counters are left free: every new set brings some, and no id stands where they do.
    """
    words = {*NOUNS, *PLAYERS, *MORE_WORDS}
    seen: set[Any] = set()
    waiting: list[Any] = [Fixture, Snapshot]
    while waiting:
        kind = waiting.pop()
        if kind in seen or kind in GROWING:
            continue
        seen.add(kind)
        if get_origin(kind) is Literal:
            words.update(get_args(kind))
        elif isinstance(kind, type) and issubclass(kind, Struct):
            words.update(words_of_struct(kind))
            waiting.extend(types_of(kind).values())
        else:
            waiting.extend(one for one in get_args(kind) if one is not Ellipsis)
    return frozenset(words)


def words_of_struct(cls: type[Struct]) -> Iterator[str]:
    """The tag and the keys of a struct."""
    config = cls.__struct_config__
    if config.tag_field:
        yield from (config.tag_field, str(config.tag))
    yield from cls.__struct_encode_fields__

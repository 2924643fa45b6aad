"""Finds and renames ids wherever they appear."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from types import NoneType
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from conformance.model.scenario import Play
from reference_engine.language.actions import Look

_Kind = TypeVar("_Kind")
NewNames = Mapping[str, str]
"""New names by id."""
OF = re.compile(r"(?<= of )[a-z][a-z0-9_]*")


def renamed_play(play: Play, names: NewNames) -> Play:
    """A play with other ids for its objects, players or teams; its cards are unchanged."""
    return replace(renamed(replace(play, cards=()), names), cards=play.cards)


def renamed(value: _Kind, names: NewNames) -> _Kind:
    """A value with other ids, also in names of abilities on the stack (`ping of other`).

    Names of looks are unchanged.
    """
    new: object = value
    if isinstance(value, str):
        new = names.get(value) or OF.sub(lambda found: names.get(found[0], found[0]), value)
    elif isinstance(value, tuple | frozenset):
        new = type(value)(renamed(one, names) for one in value)
    elif isinstance(value, Struct) and not isinstance(value, Look):
        new = type(value)(**{name: renamed(getattr(value, name), names) for name in value.__struct_fields__})
    return new  # type: ignore[return-value]  # the same kind, made anew


def ids_in(value: object, known: Container[str]) -> tuple[str, ...]:
    """The known ids in a value, sorted, also those in names of what is on the stack (`ping of other (2)`)."""
    words = words_in(value)
    words |= {NUMBER_OF_ALIKE.sub("", word).rpartition(" of ")[2] for word in words}
    return tuple(sorted(word for word in words if word in known))


NUMBER_OF_ALIKE = re.compile(r" \(\d+\)$")


def words_in(value: object) -> set[str]:
    """Every string in a value, apart from empty ones."""
    found: set[str] = set()
    collect_words(value, found)
    found.discard("")
    return found


def collect_words(value: object, found: set[str]) -> None:
    """Add every string in a value."""
    if type(value) is str:
        found.add(value)
    elif type(value) is tuple or type(value) is frozenset:
        for part in value:
            if type(part) is str:
                found.add(part)
            elif part and type(part) not in WORDLESS:
                collect_words(part, found)
    elif type(value) not in WORDLESS and isinstance(value, Struct):
        collect_words(astuple(value), found)


WORDLESS = frozenset({bool, int, NoneType})
"""Types of values without strings."""

"""The parts of a definition, each with its place; and what is worked out once for each card."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, TypeVar, get_args

from msgspec import Struct

from conformance.model.problems import At
from conformance.model.struct_types import types_of
from reference_engine.language.cards import Card

Found = TypeVar("Found")


def once_for_each(find: Callable[[Card], Found]) -> Callable[[Card], Found]:
    """Find something out about each card once; the same object is known again without looking into it."""
    find_anew = cache(find)
    known: dict[int, tuple[Card, Found]] = {}

    @wraps(find)
    def found(card: Card) -> Found:
        there = known.get(id(card))
        if there is None:
            # The card is kept, so that no other can get its identity.
            there = known[id(card)] = (card, find_anew(card))
        return there[1]

    return found


Parts = list[tuple[At, Struct]]
"""The parts of a definition, each with its place."""


def parts_with_places(value: object, at: At = ()) -> Parts:
    """Every struct inside a value, itself too, each with its place."""
    parts: Parts = []
    collect(value, at, parts)
    return parts


def collect(value: object, at: At, parts: Parts) -> None:
    """Add every struct inside a value to the parts found so far."""
    if type(value) is tuple:
        for position, one in enumerate(value):
            if type(one) not in PLAIN:
                collect(one, (*at, position), parts)
    elif isinstance(value, Struct):
        parts.append((at, value))
        for name in holding_parts(type(value)):
            inner = getattr(value, name)
            if inner and type(inner) not in PLAIN:
                collect(inner, (*at, name), parts)


@cache
def holding_parts(kind: type) -> tuple[str, ...]:
    """The fields of a struct that by their types may hold others."""
    return tuple(name for name, of in types_of(kind).items() if may_hold_parts(of))


def may_hold_parts(kind: Any) -> bool:
    """Whether a type has structs in it."""
    return any(map(may_hold_parts, get_args(kind))) or (isinstance(kind, type) and issubclass(kind, Struct))


PLAIN = {str, int, bool, frozenset, type(None)}
"""What has no structs inside, and need not be looked into."""


@once_for_each
def parts_of_card(card: Card) -> Parts:
    """Every struct inside a card, each with its place."""
    return parts_with_places(card)[1:]

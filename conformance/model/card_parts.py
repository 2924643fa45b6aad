"""The parts of a card's definition with their places, and a cache for facts about cards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, wraps
from typing import Any, TypeVar, get_args

from msgspec import Struct

from conformance.model.problems import At
from conformance.model.struct_types import types_of
from reference_engine.language.cards import Card

_Found = TypeVar("_Found")


MOST_CARDS_KNOWN = 10_000
"""Maximum number of cards in a cache: all cards that we ship, and several thousand generated ones."""


def once_for_each(find: Callable[[Card], _Found]) -> Callable[[Card], _Found]:
    """Cache a function of a card by identity, so that a lookup does not hash the whole card.

    A search draws new cards all the time, so a full cache is emptied.
    """
    find_anew = lru_cache(MOST_CARDS_KNOWN)(find)
    known: dict[int, tuple[Card, _Found]] = {}

    @wraps(find)
    def found(card: Card) -> _Found:
        there = known.get(id(card))
        if there is None:
            if len(known) >= MOST_CARDS_KNOWN:
                known.clear()
            # Keep the card alive, so that no other card can get its id.
            there = known[id(card)] = (card, find_anew(card))
        return there[1]

    return found


PlacedParts = list[tuple[At, Struct]]
"""The parts of a definition, each with its place."""


def parts_with_places(value: object, at: At = ()) -> PlacedParts:
    """Every struct in a value, including the value itself, with its place."""
    parts: PlacedParts = []
    collect(value, at, parts)
    return parts


def collect(value: object, at: At, parts: PlacedParts) -> None:
    """Append every struct in a value to `parts`."""
    if type(value) is tuple:
        for position, one in enumerate(value):
            if type(one) not in PLAIN_TYPES:
                collect(one, (*at, position), parts)
    elif isinstance(value, Struct):
        parts.append((at, value))
        for name in holding_parts(type(value)):
            inner = getattr(value, name)
            if inner and type(inner) not in PLAIN_TYPES:
                collect(inner, (*at, name), parts)


@cache
def holding_parts(kind: type) -> tuple[str, ...]:
    """The fields of a struct whose types can contain structs."""
    return tuple(name for name, of in types_of(kind).items() if may_hold_parts(of))


def may_hold_parts(kind: Any) -> bool:
    """Whether a type can contain structs."""
    return any(map(may_hold_parts, get_args(kind))) or (isinstance(kind, type) and issubclass(kind, Struct))


PLAIN_TYPES = {str, int, bool, frozenset, type(None)}
"""Types that contain no structs, so that they need not be searched."""


@once_for_each
def parts_of_card(card: Card) -> PlacedParts:
    """Every struct inside a card, with its place."""
    return parts_with_places(card)[1:]

"""Mistakes in reading cards, made in one place of the language each: a key that is ignored, one of several
words that is missing, an ability of some kind that is not there.

The place of a word is its key with the two parts around it, so "you control" may be ignored in the trigger
conditions about dying and nowhere else.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, replace

from conformance.model.card_parts import once_for_each
from conformance.model.features import tag_of
from conformance.model.scenario import Play
from reference_engine.language.cards import (
    AnyPlayer,
    Card,
    Count,
    Everyone,
    Filter,
    HowOften,
    Keyword,
    Opponents,
    Others,
    PropertyOf,
    Times,
    You,
)

NAMES = ("name", "cost")
"""Keys that only name something, or without which a card is another one."""
SIMPLER: Mapping[type, tuple[object, ...]] = {
    Opponents: (Everyone(), You()),
    Others: (Everyone(), Opponents()),
    Everyone: (You(), Opponents()),
    You: (Everyone(), Opponents()),
    Count: (1,),
    HowOften: (1,),
    PropertyOf: (1,),
}
"""What a word is taken for instead: another player, or one where something has to be counted."""


def shape_of(value: object) -> str:
    """A part of a card in one word or two."""
    if isinstance(value, Filter):
        keys = [key for key in value.__struct_fields__ if getattr(value, key) not in EMPTY]
        types = "".join(sorted(value.type))
        return f"{type(value).__name__}({','.join(keys)}{' ' * bool(types)}{types})"
    return type(value).__name__ if isinstance(value, Struct) else str(value)


EMPTY: tuple[object, ...] = (None, (), frozenset(), False)


def skeleton_of(part: Struct) -> str:
    """The kinds of words that a part of a card is made of, without its numbers, colors and names."""
    inner = [
        f"{key} {' + '.join(dict.fromkeys(map(skeleton_of, found)))}"
        for key in part.__struct_fields__
        if (found := structs_in(getattr(part, key)))
    ]
    if isinstance(part, Filter):
        filled = {key: value for key in part.__struct_fields__ if (value := getattr(part, key)) not in EMPTY}
        inner += [key for key, value in filled.items() if not structs_in(value)]
    what = part.keyword if isinstance(part, Keyword) else tag_of(part)
    return f"{what} ({', '.join(inner)})" if inner else what


def structs_in(value: object) -> Sequence[Struct]:
    """The structs that a value is or has."""
    every: Sequence[object] = value if isinstance(value, tuple) else (value,)
    return [one for one in every if isinstance(one, Struct)]


@functools.cache
def defaults_of(kind: type[Struct]) -> tuple[tuple[str, Any], ...]:
    """The keys that a part may leave out, with the value that each has then."""
    found = ((one.name, one.default, one.default_factory) for one in fields(kind))
    every = ((name, value if make is NODEFAULT else make()) for name, value, make in found)
    return tuple((name, value) for name, value in every if value is not NODEFAULT)


def optional_keys(value: Struct) -> Iterator[tuple[str, Any]]:
    """The keys of a value that differ from their defaults, with the default of each."""
    for key, default in defaults_of(type(value)):
        if getattr(value, key) != default:
            yield key, default


def names_of_misreadings(play: Play) -> frozenset[str]:
    """The mistakes that can be made in reading the cards of a scenario."""
    return frozenset().union(*(names_of_card(card.definition) for card in play.cards))


@once_for_each
def names_of_card(card: Card) -> frozenset[str]:
    """The mistakes that can be made in reading a card."""
    return frozenset(name for name, _ in read_wrongly(card, ()))


def misread(play: Play, name: str) -> Play:
    """The scenario with its cards as one mistake reads them, wherever it can be made."""
    cards = (replace(card, definition=reread(card.definition, name)) for card in play.cards)
    return replace(play, cards=tuple(cards))


def reread(card: Card, name: str) -> Card:
    """A card in which a mistake is made everywhere; what it changes can't be changed again by it."""
    for _ in range(MOST_TIMES):
        other = next((wrong for one, wrong in read_wrongly(card, ()) if one == name), None)
        if other is None or other == card:
            break
        card = other
    return card


MOST_TIMES = 8


def read_wrongly(part: Any, around: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    """The ways to misread something inside a part of a card, each with the part as it is read then."""
    here = (*around, type(part).__name__)[-2:]
    if isinstance(part, Card):
        for place, ability in enumerate(part.abilities):
            less = replace(part, abilities=part.abilities[:place] + part.abilities[place + 1 :])
            yield f"without {skeleton_of(ability)}", less
    for key, default in optional_keys(part):
        if key not in NAMES:
            value = getattr(part, key)
            shown = f" {shape_of(value)}" if isinstance(value, Struct | str) else ""
            yield f"{'.'.join(here)}.{key}{shown} ignored", replace(part, **{key: default})
    for key in part.__struct_fields__:
        value, where = getattr(part, key), f"{'.'.join(here)}.{key}"
        if isinstance(value, frozenset) and len(value) > 1 and not isinstance(part, Card):
            for one in sorted(value, key=str):
                yield f"{where} without {shape_of(one)}", replace(part, **{key: value - {one}})
        if isinstance(value, tuple):
            for place, one in enumerate(value):
                rest = (value[:place], value[place + 1 :])
                if len(value) > 1 and not isinstance(part, Card):
                    all_shapes = "|".join(map(shape_of, value))
                    less = replace(part, **{key: rest[0] + rest[1]})
                    yield f"{where} {all_shapes} without {place}: {shape_of(one)}", less
                if isinstance(one, Struct):
                    for name, wrong in read_wrongly(one, here):
                        yield name, replace(part, **{key: (*rest[0], wrong, *rest[1])})
        if isinstance(value, Struct):
            for instead in SIMPLER.get(type(value), ()):
                yield (
                    f"{where} {type(value).__name__} as {shape_of(instead)}",
                    replace(part, **{key: instead}),
                )
            if isinstance(value, Times):
                yield f"{where} counted once", replace(part, **{key: value.n})
            for name, wrong in read_wrongly(value, here):
                yield name, replace(part, **{key: wrong})
    if isinstance(part, AnyPlayer):
        yield f"{'.'.join(here)} of all and of any", replace(part, every=not part.every)

"""The reference engine answers alike if the cards of a fixture say the same in other words.

A word of the language that is forgotten at one of the places where it can stand shows here: a number that is
counted, an instruction behind a condition, a choice inside a choice. Each way of saying it is tried on a part
of the fixtures by day, on all of them by night.
"""

from __future__ import annotations

import functools
import random
import re
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play, holds_in
from conformance_adapters.in_process import NoSuchTable, Reference
from reference_engine.language.cards import (
    Activated,
    All,
    AllOf,
    AnyEvent,
    Chapter,
    Compare,
    Count,
    Dies,
    Exists,
    Filter,
    ForEachPlayer,
    If,
    Later,
    Mode,
    Not,
    OneOrMore,
    QuantityKind,
    Spell,
    State,
    Static,
    Sum,
    Tap,
    TappedForMana,
    Triggered,
    You,
)

Reworded = Callable[[Any], Any]
"""A part of a card in other words, or as it is."""

NOBODY = All(name="Test Absentee")
TRUE = Not(Exists(NOBODY))
NOTHING = Tap(NOBODY)
FOLLOWED = (Spell, Activated, Triggered, Mode, Later)
"""The parts of a card with instructions that are followed as they stand there."""
ALONE = (State, Chapter, AnyEvent, TappedForMana, OneOrMore)
"""What an ability waits for alone: what else it waited for would make it an ability of another kind."""
BY_DAY = 40
"""One fixture of so many is tried by day."""


def in_other_words(value: Any, reworded: Reworded) -> Any:
    """A value with all its parts in other words, the innermost first."""
    if isinstance(value, Struct):
        parts = {name: getattr(value, name) for name in value.__struct_fields__}
        other = {name: in_other_words(part, reworded) for name, part in parts.items()}
        changed = {name: part for name, part in other.items() if part is not parts[name]}
        return reworded(replace(value, **changed) if changed else value)
    if isinstance(value, tuple):
        members = tuple(in_other_words(member, reworded) for member in value)
        return members if any(a is not b for a, b in zip(members, value, strict=True)) else value
    return value


def behind_a_condition(part: Any) -> Any:
    """Do it if something is true that always is."""
    if isinstance(part, FOLLOWED) and part.effect:
        return replace(part, effect=(If(TRUE, part.effect),))
    return part


def each_behind_a_condition(part: Any) -> Any:
    """Do each of several things if something is true that always is."""
    if isinstance(part, (*FOLLOWED, If, ForEachPlayer)) and len(part.effect) > 1:
        return replace(part, effect=tuple(If(TRUE, (one,)) for one in part.effect))
    return part


def with_nothing_after_it(part: Any) -> Any:
    """Do it, and then do nothing."""
    if isinstance(part, (*FOLLOWED, If, ForEachPlayer)) and part.effect:
        return replace(part, effect=(*part.effect, NOTHING))
    return part


def by_you(part: Any) -> Any:
    """You and nobody else do it."""
    if isinstance(part, FOLLOWED) and part.effect and not any(isinstance(one, Mode) for one in inside(part)):
        return replace(part, effect=(ForEachPlayer(You(), part.effect),))
    return part


def as_long_as_it_is_true(part: Any) -> Any:
    """An ability with a condition that is always true."""
    if isinstance(part, Static | Triggered | Activated):
        return replace(part, cond=TRUE if part.cond is None else AllOf((TRUE, part.cond)))
    return part


def or_as_something_else_happens(part: Any) -> Any:
    """An ability that also waits for what never happens."""
    if isinstance(part, Triggered | Later) and not isinstance(part.when, ALONE):
        return replace(part, when=AnyEvent((part.when, Dies(NOBODY))))
    return part


def one_of_a_kind(part: Any) -> Any:
    """What is all of this, or of nothing else."""
    described, own = description(part)
    return part if described == Filter() else All(any_of=(described,), **own)


def what_is_not_otherwise(part: Any) -> Any:
    """What is not something that it is not."""
    described, own = description(part)
    return part if described == Filter() else All(without=(Filter(without=(described,)),), **own)


def description(part: Any) -> tuple[Filter, dict[str, Any]]:
    """What things of a kind are, and where they are; a filter of nothing if it is not about such things."""
    if type(part) is not All:
        return Filter(), {}
    own = [name for name in All.__struct_fields__ if name not in Filter.__struct_fields__]
    described = Filter(**{name: getattr(part, name) for name in Filter.__struct_fields__})
    return described, {name: getattr(part, name) for name in own}


def how_many_there_are(part: Any) -> Any:
    """There is such a thing if there are one or more."""
    return Compare(Count(part.who), ">=", 1) if isinstance(part, Exists) else part


def plus_nothing(part: Any) -> Any:
    """A number and nothing more, where no less than nothing can be meant."""
    if not isinstance(part, Struct) or isinstance(part, QuantityKind) or type(part).__name__ == "Modify":
        return part
    counted = {name: getattr(part, name) for name in numbers_of(type(part))}
    return replace(part, **{name: Sum((one, 0)) for name, one in counted.items() if type(one) not in PLAIN})


PLAIN = (int, type(None))
"""The kinds of numbers that are not counted."""


def inside(value: Any) -> Iterator[Any]:
    """A value and all its parts."""
    yield value
    parts = [getattr(value, name) for name in value.__struct_fields__] if isinstance(value, Struct) else value
    for part in parts if isinstance(parts, tuple | list) else ():
        yield from inside(part)


@functools.cache
def numbers_of(kind: type[Struct]) -> frozenset[str]:
    """The fields of a part that can be counted as well as written."""

    def members(wanted: Any) -> Iterator[Any]:
        if typing.get_origin(wanted) in (typing.Union, types.UnionType):
            for one in typing.get_args(wanted):
                yield from members(one)
        else:
            yield wanted

    hints = typing.get_type_hints(kind)
    return frozenset(name for name in kind.__struct_fields__ if Count in members(hints[name]))


WORDINGS: tuple[Reworded, ...] = (
    behind_a_condition,
    each_behind_a_condition,
    with_nothing_after_it,
    by_you,
    as_long_as_it_is_true,
    or_as_something_else_happens,
    one_of_a_kind,
    what_is_not_otherwise,
    how_many_there_are,
    plus_nothing,
)
"""Each way of saying the same."""

SHOWS_ITS_WORDS = re.compile(r"landwalk|protection|escape|flashback|hexproof")
"""Keywords whose wording a look shows."""


@functools.cache
def fixtures_tried() -> tuple[Fixture, ...]:
    """The fixtures that hold today and show no wording."""
    return tuple(
        one
        for one in all_fixtures().values()
        if not one.disputed
        and holds_in(one.holds, newest_edition())
        and not SHOWS_ITS_WORDS.search(str(one.play.cards))
    )


def answer_to(play: Play) -> Observations | None:
    """What the reference engine answers; None if it can't play that."""
    try:
        answer = Reference().play(play)
    except (ScenarioError, NoSuchTable):
        return None
    return None if answer.stopped and answer.stopped.why == "unsupported" else answer


def differences(reworded: Reworded, some: Sequence[Fixture]) -> list[str]:
    """The fixtures that are answered otherwise in other words."""
    found: list[str] = []
    for fixture in some:
        play = fixture.play
        cards = in_other_words(play.cards, reworded)
        if cards == play.cards:
            continue
        there, here = answer_to(replace(play, cards=cards)), answer_to(play)
        if there and here and (there.looks, there.tried) != (here.looks, here.tried):
            found.append(fixture.id)
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("reworded", WORDINGS, ids=lambda one: one.__name__)
def test_what_is_said_in_other_words_does_the_same(reworded: Reworded) -> None:
    every = fixtures_tried()
    some = random.Random(reworded.__name__).sample(every, len(every) // BY_DAY)

    assert differences(reworded, some) == []


@pytest.mark.sweep
@pytest.mark.nightly
@pytest.mark.parametrize("reworded", WORDINGS, ids=lambda one: one.__name__)
def test_what_is_said_in_other_words_does_the_same_everywhere(reworded: Reworded) -> None:
    assert differences(reworded, fixtures_tried()) == []


@pytest.mark.sweep
def test_a_word_that_is_forgotten_shows() -> None:
    def later(part: Any) -> Any:
        return replace(part, effect=()) if isinstance(part, Spell) else part

    assert differences(later, fixtures_tried()[::40])

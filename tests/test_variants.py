"""Varied fixtures: what is changed in them, and that they stay scenarios that everybody can play."""

import random
from collections.abc import Callable

import pytest

from conformance.checks.fixtures import wrong_play
from conformance.data.library import all_fixtures
from conformance.data.loading import known_names
from conformance.model.features import features_of
from conformance.model.scenario import Play
from conformance.properties.games_varied import CHAPTERS_ABOUT, VARIED
from conformance.strategies.means import EVERYTHING, Means
from conformance.strategies.variants import (
    WAYS_TO_VARY,
    fixtures_for,
    looked_at,
    plays_by_chapter,
    variant,
    variants,
    varied_fixtures,
)
from conformance_adapters.in_process import Reference
from reference_engine.language.actions import Try

SOME = 240
MANY = 8
"""How many variants of each fixture are drawn by night."""


def numbers(many: int = SOME) -> list[bytes]:
    """The same numbers each time."""
    dice = random.Random(6)
    return [dice.randbytes(6) for _ in range(many)]


@pytest.fixture(scope="module")
def some_variants() -> list[Play]:
    """Variants of any fixtures, looked at after each action."""
    return [looked_at(number, varied_fixtures(), EVERYTHING) for number in numbers()]


def test_a_number_is_always_the_same_variant() -> None:
    one, other = (variant(number, varied_fixtures(), EVERYTHING) for number in numbers(1) * 2)

    assert one == other
    assert len({variant(number, varied_fixtures(), EVERYTHING) for number in numbers(20)}) > 15


def test_variants_are_scenarios_that_a_file_may_hold(some_variants: list[Play]) -> None:
    known = known_names()

    assert [] == [one for play in some_variants for one in wrong_play(play, known) if one.certain]


@pytest.mark.sweep
def test_the_reference_engine_plays_variants_to_their_end(some_variants: list[Play]) -> None:
    seen = [Reference().play(play) for play in some_variants]

    assert {None} == {one.stopped for one in seen}


@pytest.mark.sweep
def test_some_attempts_of_variants_succeed_and_others_fail() -> None:
    """Few succeed: one in some hundred variants has such an attempt."""
    tried: set[str] = set()
    for number in numbers(20 * SOME):
        tried.update(Reference().play(looked_at(number, varied_fixtures(), EVERYTHING)).tried.values())
        if tried >= {"done", "rejected"}:
            break

    assert tried == {"done", "rejected"}


def test_equal_cards_that_no_action_names_are_told_apart_by_the_looks_of_a_variant() -> None:
    manifested = all_fixtures()["G-3328"].play
    some = [looked_at(number, (manifested,), EVERYTHING) for number in numbers(20)]

    assert {None} == {Reference().play(play).stopped for play in some}


@pytest.mark.nightly
@pytest.mark.sweep
@pytest.mark.parametrize("part", range(MANY))
def test_no_variant_is_too_much_for_the_reference_engine(part: int) -> None:
    dice = random.Random(part)
    for fixture in varied_fixtures():
        looked_at(dice.randbytes(6), (fixture,), EVERYTHING)  # an engine that crashes raises


def test_what_is_not_possible_any_more_is_tried(some_variants: list[Play]) -> None:
    assert sum(isinstance(action, Try) for play in some_variants for action in play.script) > SOME / 10


@pytest.mark.parametrize("change", dict.fromkeys(WAYS_TO_VARY), ids=lambda change: change.__name__)
def test_each_change_changes_something(change: Callable[[Play, random.Random], Play]) -> None:
    dice = random.Random(7)

    assert any(change(play, dice) != play for play in varied_fixtures()[:60])


def test_variants_need_nothing_that_an_engine_lacks() -> None:
    lacks = frozenset({"combat", "three players", "teams", "copies", "choices"})
    means = Means(lacks=lacks)
    fixtures = fixtures_for(means, frozenset({"117", "601", "603"}))

    for number in numbers(60):
        assert lacks.isdisjoint(features_of(variant(number, fixtures, means)))


def test_an_engine_that_knows_cards_only_by_name_has_no_variants() -> None:
    assert variants(Means(takes=frozenset({"named"})), frozenset({"117"})).is_empty


def test_every_fixture_is_varied_by_one_law() -> None:
    chapters = [chapter for some in CHAPTERS_ABOUT.values() for chapter in some]

    assert len(VARIED) == len(CHAPTERS_ABOUT)
    assert sorted(chapters) == sorted(set(chapters))
    assert plays_by_chapter().keys() <= set(chapters)

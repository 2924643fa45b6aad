"""Searching one property on one engine: what is found, how small it is, and when the search gives up."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import strategies as st

from conformance.checks.fixtures import wrong_play
from conformance.data.loading import known_names
from conformance.files.canonical import decode, encode
from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.observation import Observations, SeenObject, Snapshot
from conformance.model.problems import ScenarioError
from conformance.model.scenario import CardInPlay, Play, Want
from conformance.mutants import MUTANTS
from conformance.properties import PROPERTIES, Broken, Property
from conformance.properties.games_agreement import whole_games_go_as_the_rules_say
from conformance.properties.law import holds_for
from conformance.search.search import ENOUGH_TRIES, search
from conformance.strategies.means import EVERYTHING
from conformance_adapters.in_process import Reference, with_rules_of
from reference_engine.language.cards import Card
from reference_engine.language.setup import Arrival, Entry, Object, Player, Start
from tests.searching import first_counterexample

Playing = Callable[[Play], Observations]


def bear_of(power: int) -> Play:
    """A creature of this power, looked at."""
    card = Card("Test Bear", frozenset({"Creature"}), cost="{0}", power=power, toughness=1)
    return Play(
        players=(Player("alice"), Player("bob")),
        start=Start("alice"),
        cards=(CardInPlay(card),),
        objects=(Object("bear", card.name, "alice"),),
        setup=(Arrival((Entry("bear", "alice"),)),),
        wants=(Want("end", "bear", frozenset({"power", "toughness"})),),
    )


def power_in(play: Play) -> int:
    power = play.cards[0].definition.power
    assert isinstance(power, int)
    return power


def showing(power: Callable[[int], int], toughness: Callable[[int], int] = lambda power: 1) -> Playing:
    """An engine that reports these functions of a creature's power."""

    def play(scenario: Play) -> Observations:
        printed = power_in(scenario)
        seen = SeenObject(power=power(printed), toughness=toughness(printed))
        return Observations(looks={"end": Snapshot(objects={"bear": seen})})

    return play


@holds_for(lambda means: st.integers(0, 100), rules=("613.1",))
def a_bear_is_as_printed(play: Playing, power: int) -> None:
    """A creature that nothing affects is as printed."""
    seen = play(bear_of(power)).looks["end"].objects["bear"]
    for key, printed in (("power", power), ("toughness", 1)):
        if getattr(seen, key) != printed:
            raise Broken(f"bear: {key}\n  {getattr(seen, key)}, not {printed}\n  CR 613.1: as printed")


LAW: Property[Any] = a_bear_is_as_printed


def failing(kind: str) -> Playing:
    """An engine that fails in this way on bears of power 7 and more."""

    def play(scenario: Play) -> Observations:
        if power_in(scenario) >= 7:
            raise EngineFailure(kind, f"no bears of {power_in(scenario)}")  # type: ignore[arg-type]  # one of them
        return showing(lambda power: power)(scenario)

    return play


# --------------------------------------------------------------------------------------- finding


def test_what_keeps_the_law_is_asked_all_examples_and_nothing_is_found() -> None:
    came_to = search(showing(lambda power: power), LAW, EVERYTHING, seed=0, examples=30)

    assert (30, 0, (), False) == (came_to.examples, came_to.unsupported, came_to.finds, came_to.cut)


def test_find_is_the_smallest_case() -> None:
    find = first_counterexample(showing(lambda power: min(power, 9)), LAW, EVERYTHING, seed=0, examples=100)

    assert find is not None
    assert 10 == find.case
    assert find.whole
    assert "bear: power\n  9, not 10\n  CR 613.1: as printed" == find.says
    assert [10] == [power_in(play) for play in find.plays]


@pytest.mark.parametrize("kind", ["crash", "hang", "protocol"])
def test_engine_that_breaks_is_found_and_made_small_like_any_other(kind: str) -> None:
    find = first_counterexample(failing(kind), LAW, EVERYTHING, seed=0, examples=100)

    assert find is not None
    assert (7, f"{kind}: no bears of 7", f"{kind}: no bears of #") == (find.case, find.says, find.signature)
    [asked] = find.asked
    assert isinstance(asked.answer, EngineFailure)


def test_whatever_an_engine_written_in_python_raises_is_a_crash() -> None:
    def play(scenario: Play) -> Observations:
        raise KeyError("no such bear")

    find = first_counterexample(play, LAW, EVERYTHING, seed=0, examples=5)

    assert find is not None
    assert find.says.startswith("crash: KeyError")


@pytest.fixture
def as_python_begins() -> Iterator[None]:
    """Garbage is looked for as often as when Python starts."""
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("as_python_begins")
def test_search_looks_for_garbage_less_often_and_leaves_that_as_it_was() -> None:
    before, during = gc.get_threshold(), []

    def playing(play: Play) -> Observations:
        during.append(gc.get_threshold()[0])
        raise CannotPlay("no")

    search(playing, a_bear_is_as_printed, EVERYTHING, seed=1, examples=3)
    assert min(during) > before[0]
    assert gc.get_threshold() == before


def test_several_bugs_of_one_property_are_distinguished() -> None:
    wrong = showing(lambda power: 0 if power > 20 else power, lambda power: 2 if power > 50 else 1)

    def breaks(scenario: Play) -> Observations:
        if power_in(scenario) == 3:
            raise EngineFailure("crash", "three")
        return wrong(scenario)

    came_to = search(breaks, LAW, EVERYTHING, seed=0, examples=400)

    found = {find.signature: find.case for find in came_to.finds}
    assert {"ABearIsAsPrinted 613.1 power": 21, "crash: three": 3} == found
    assert came_to.examples > max(find.examples for find in came_to.finds)


def test_what_is_known_is_avoided() -> None:
    known = frozenset({"ABearIsAsPrinted 613.1 power"})
    wrong = showing(lambda power: 0 if power else power, lambda power: 1 if power else 2)

    came_to = search(wrong, LAW, EVERYTHING, seed=0, examples=20, avoid=known)

    assert ["ABearIsAsPrinted 613.1 toughness"] == [find.signature for find in came_to.finds]


@pytest.mark.sweep
def test_same_seed_finds_the_same_after_as_many_examples() -> None:
    engine = showing(lambda power: 0 if power > 60 else power)
    one, again = (first_counterexample(engine, LAW, EVERYTHING, seed=4, examples=200) for _ in range(2))
    numbers = {
        find.examples
        for seed in range(6)
        if (find := first_counterexample(engine, LAW, EVERYTHING, seed=seed, examples=200))
    }

    assert one is not None and again is not None
    assert (one.examples, one.case, one.says) == (again.examples, again.case, again.says)
    assert len(numbers) > 1


# ----------------------------------------------------------------------------- what cannot be played


def test_case_that_cannot_be_played_is_passed_over_and_counted() -> None:
    def play(scenario: Play) -> Observations:
        if power_in(scenario) % 2:
            raise CannotPlay("odd")
        return showing(lambda power: power)(scenario)

    came_to = search(play, LAW, EVERYTHING, seed=0, examples=30)

    assert 30 == came_to.examples
    assert came_to.unsupported > 5
    assert "odd" == came_to.why


@pytest.mark.parametrize("refusal", [CannotPlay("no bears"), ScenarioError([])])
def test_engine_that_can_play_nothing_is_not_asked_for_ever(refusal: Exception) -> None:
    asked = []

    def play(scenario: Play) -> Observations:
        asked.append(scenario)
        raise refusal

    came_to = search(play, LAW, EVERYTHING, seed=0, examples=1000)

    assert (0, ENOUGH_TRIES) == (came_to.examples, came_to.unsupported)
    assert ENOUGH_TRIES == len(asked)


# ------------------------------------------------------------------------------------------ time


class Clock:
    """A clock that advances with each question an engine is asked."""

    def __init__(self, engine: Playing, seconds: float) -> None:
        self.now = 0.0
        self._engine = engine
        self._seconds = seconds

    def __call__(self) -> float:
        return self.now

    def play(self, scenario: Play) -> Observations:
        self.now += self._seconds
        return self._engine(scenario)


def test_slow_engine_is_asked_as_long_as_there_is_time() -> None:
    clock = Clock(showing(lambda power: power), 1.0)

    came_to = search(clock.play, LAW, EVERYTHING, seed=0, examples=100, seconds=9.5, clock=clock)

    assert came_to.cut
    assert (10, 10.0) == (came_to.examples, came_to.seconds)


def test_first_case_is_judged_though_there_is_no_time() -> None:
    clock = Clock(showing(lambda power: power), 5.0)

    came_to = search(clock.play, LAW, EVERYTHING, seed=0, examples=100, seconds=0, clock=clock)

    assert (1, True) == (came_to.examples, came_to.cut)


def test_shrinking_has_its_own_time_and_keeps_the_smallest_until_then() -> None:
    def found(seconds: float) -> tuple[int, bool, float]:
        clock = Clock(showing(lambda power: min(power, 9)), 1.0)
        find = search(
            clock.play, LAW, EVERYTHING, seed=1, examples=100, shrinking=seconds, most=1, clock=clock
        ).finds[0]
        return find.case, find.whole, clock.now - find.seconds

    (none, *_), (some, whole, took), (least, is_least, _) = found(0), found(3), found(1000)

    assert none >= some >= least == 10
    assert is_least and not whole
    assert took <= 5


def test_case_that_takes_longer_than_shrinking_may_is_left_as_it_is() -> None:
    clock = Clock(failing("hang"), 10.0)

    [find] = search(clock.play, LAW, EVERYTHING, seed=1, examples=100, shrinking=5, most=1, clock=clock).finds

    assert not find.whole
    assert 10.0 * find.examples == clock.now


# --------------------------------------------------------------------------------- our own properties


def test_mutant_is_found_by_the_property_about_its_rule() -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "timestamps-only")
    law = next(law for law in PROPERTIES if law.name == "a_dependency_outranks_age")
    engine = Reference(rules=with_rules_of(mutant))

    find = first_counterexample(engine.play, law, EVERYTHING, seed=0, examples=20)

    assert find is not None
    assert "CR 613.8" in find.says
    assert 2 == len(find.plays)


@pytest.mark.parametrize(
    "law",
    [
        pytest.param(
            law, marks=[pytest.mark.sweep] if law is whole_games_go_as_the_rules_say else [], id=law.name
        )
        for law in PROPERTIES
    ],
)
def test_what_a_law_plays_can_be_written_down_and_is_a_scenario(law: Property[Any]) -> None:
    played: list[Play] = []

    def play(scenario: Play) -> Observations:
        played.append(scenario)
        return Reference().play(scenario)

    search(play, law, EVERYTHING, seed=1, examples=2, shrinking=0)

    assert played
    assert [] == [finding for one in played for finding in wrong_play(one, known_names()) if finding.certain]
    assert played == [decode(encode(one), Play) for one in played]

"""Before grading: an engine that answers the same scenario in two ways is detected, with the cause."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.observation import Observations, Stopped
from conformance.model.scenario import Fixture, Play
from conformance.model.verdict import Nondeterministic, PassVerdict
from conformance.play.probe import ALONE, LEFT_OVER, changes, with_probe
from conformance.play.runner import run
from conformance_adapters import torture
from conformance_adapters.stdio import Command, ProcessLimits, StdioEngine
from tests.test_runner import NOW, Fake, check, in_turn, raises, shows

CHECKS = [check(number) for number in range(8)]


def torturer(mode: str) -> Callable[[], StdioEngine]:
    """Makes a torture engine, each time in a process of its own."""
    argv = (sys.executable, "-S", "-E", torture.__file__, mode)
    return lambda: StdioEngine(Command(argv), "test", ProcessLimits(60.0, 60.0))


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("mode", "why"),
    [("random", ALONE), ("by-clock", ALONE), ("leaks", LEFT_OVER), ("by-order", LEFT_OVER)],
)
def test_each_way_to_change_an_answer_is_found(mode: str, why: str) -> None:
    fresh = torturer(mode)
    engine = fresh()
    try:
        found = changes(engine, fresh, CHECKS)
    finally:
        engine.close()

    assert found
    assert why == found[0].why
    assert "life" in str(found[0])


@pytest.mark.sweep
@pytest.mark.parametrize(
    "mode", ["good", "dies-always", "claims-all", "garbage", "says-error", "dies-on-third"]
)
def test_other_faults_are_left_to_the_run(mode: str) -> None:
    fresh = torturer(mode)
    engine = fresh()
    try:
        assert () == changes(engine, fresh, CHECKS[:3])
    finally:
        engine.close()


def test_only_scenarios_that_it_plays_show_anything() -> None:
    breaks = [raises(CannotPlay("no")), raises(EngineFailure("crash", "gone", lives=True))] * 4
    engine = Fake(in_turn(*breaks, *(shows(number) for number in range(99))))

    found = changes(engine, lambda: engine, [check(number) for number in range(30)])

    assert ["L-0008", "L-0009", "L-0010", "L-0011", "L-0012"] == sorted(change.id for change in found)


def test_engine_that_dies_is_looked_at_no_further() -> None:
    engine = Fake(raises(EngineFailure("hang", "nothing in 10 s")))

    assert () == changes(engine, lambda: engine, CHECKS)
    assert 1 == len(engine.played)


def test_words_for_people_may_change() -> None:
    numbers = itertools.count()

    def answer(play: Play) -> Observations:
        return Observations(stopped=Stopped(0, "unsupported", f"at {next(numbers)}"))

    engine = Fake(answer)

    assert () == changes(engine, lambda: engine, CHECKS)


def test_answers_that_cannot_be_written_are_compared_all_the_same() -> None:
    texts = itertools.cycle(["\ud800", "\ud801"])

    def answer(play: Play) -> Observations:
        return Observations(tried={next(texts): "done"})

    engine = Fake(answer)

    assert 1 == len(changes(engine, lambda: engine, CHECKS[:1]))


def test_change_that_only_a_fresh_process_shows() -> None:
    made = iter([shows(2), shows(3), shows(2), shows(2)])
    engine = Fake(next(made))

    found = changes(engine, lambda: Fake(next(made)), CHECKS[:1])

    assert "played in a fresh process" == found[0].when
    assert LEFT_OVER == found[0].why


def test_what_is_found_becomes_the_verdict_and_no_fixture_is_lost() -> None:
    numbers: Iterator[int] = itertools.count()
    told: list[Any] = []
    changing: dict[str, str] = {}

    def answer(play: Play) -> Observations:
        return shows(next(numbers) if play.players[0].id == "eve" else 2)(play)

    def tell(found: Any) -> None:
        told.append(found)
        changing.update({change.id: str(change) for change in found})

    fixtures: list[Fixture] = [CHECKS[0], with_eve(CHECKS[1]), *CHECKS[2:]]
    engine = Fake(answer)
    probed = with_probe(engine, lambda: Fake(answer), fixtures, tell)

    results = list(run(engine, probed, NOW, changing=changing))

    assert [one.id for one in fixtures] == [one.id for one in results]
    assert [PassVerdict, Nondeterministic, *[PassVerdict] * 6] == [type(one.verdict) for one in results]
    assert 1 == len(told) == len(told[0])
    assert "played again: " in str(results[1].verdict)


def with_eve(fixture: Fixture) -> Fixture:
    """The same fixture, with another player."""
    eve = replace(fixture.play.players[0], id="eve")
    return replace(fixture, play=replace(fixture.play, players=(eve,)))

"""Each of an engine's answers gives one result: whatever the engine does, the run goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from msgspec.structs import replace

from conformance.model.engine import CannotPlay, EngineFailure, EngineInfo
from conformance.model.observation import Observations, SeenObject, SeenTable, Snapshot
from conformance.model.problems import Problem, ScenarioError
from conformance.model.scenario import CardInPlay, Equals, Expectation, Fixture, Holds, Play
from conformance.model.verdict import Crash, Fail, NotRun, PassVerdict, ProtocolBreach, Unsupported
from conformance.play.runner import run
from conformance.results.summary import by_rule, counts_of, exit_code
from reference_engine.language.cards import Card
from reference_engine.language.setup import Player, Start
from reference_engine.language.words import Step

NOW = "2026-09-25"


class Fake:
    """An engine that answers each play as its function does."""

    def __init__(self, answer: Callable[[Play], Observations], **info: Any) -> None:
        self.answer = answer
        self.info = EngineInfo("fake", "1.0", **info)
        self.played: list[Play] = []

    def describe(self) -> EngineInfo:
        return self.info

    def play(self, play: Play) -> Observations:
        self.played.append(play)
        return self.answer(play)


def shows(power: Any) -> Callable[[Play], Observations]:
    return lambda play: Observations(
        looks={"end": Snapshot(objects={"bear": SeenObject(power=power)})}, cards={"Test Bear": "text"}
    )


def says_nothing(play: Play) -> Observations:
    return Observations()


def raises(error: Exception) -> Callable[[Play], Observations]:
    def play(play: Play) -> Observations:
        raise error

    return play


def in_turn(*answers: Callable[[Play], Observations]) -> Callable[[Play], Observations]:
    left = iter(answers)

    def answer(play: Play) -> Observations:
        return next(left)(play)

    return answer


BEAR = CardInPlay(Card(name="Test Bear", types=frozenset({"Creature"}), power=1, toughness=1))


def check(number: int = 1, *rules: str, holds: Holds | None = None, expects: Holds | None = None) -> Fixture:
    return Fixture(
        id=f"L-{number:04}",
        title=f"Bear {number}",
        rules=rules or ("613.4b",),
        play=Play(players=(Player("alice"),), start=Start("alice"), cards=(BEAR,)),
        expect=(Expectation("end", "bear", "power", Equals(2), holds=expects or Holds()),),
        holds=holds or Holds(),
    )


def verdicts(engine: Fake, *checks: Fixture, edition: str = NOW) -> list[type]:
    return [type(result.verdict) for result in run(engine, checks or [check()], edition)]


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (raises(CannotPlay("no bears")), Unsupported),
        (raises(EngineFailure("hang", "nothing in 5 s")), "hang"),
        (raises(EngineFailure("protocol", "garbage")), ProtocolBreach),
        (raises(ZeroDivisionError("by nought")), Crash),
        (raises(RecursionError()), Crash),
        (says_nothing, ProtocolBreach),
        (lambda play: cast(Observations, None), ProtocolBreach),
        (lambda play: cast(Observations, {"looks": {}}), ProtocolBreach),
        (shows("two"), ProtocolBreach),
        (shows(object()), ProtocolBreach),
        (lambda play: Observations(looks=cast(Any, {"end": 3})), ProtocolBreach),
        (lambda play: Observations(looks=cast(Any, None)), ProtocolBreach),
    ],
)
def test_each_way_to_answer_wrongly_has_its_verdict(answer: Any, verdict: Any) -> None:
    [result] = run(Fake(answer), [check()], NOW)

    assert verdict in (type(result.verdict), result.verdict.__struct_config__.tag)


def test_engine_that_lies_fails_and_one_that_is_right_passes() -> None:
    assert [Fail] == verdicts(Fake(shows(3), checks_understanding=True))
    assert [PassVerdict] == verdicts(Fake(shows(2)))


def test_whether_cards_are_checked_is_asked_of_the_engine() -> None:
    assert [Unsupported] == verdicts(Fake(shows(3)))


def test_in_which_steps_it_gives_priority_is_asked_of_the_engine() -> None:
    def goes_on(play: Play) -> Observations:
        return Observations(looks={"end": Snapshot(table=SeenTable(step="draw"))})

    mains: frozenset[Step] = frozenset({"precombat main", "postcombat main"})
    in_upkeep = replace(check(), expect=(Expectation("end", "table", "step", Equals("upkeep")),))

    assert [Fail] == verdicts(Fake(goes_on), in_upkeep)
    assert [Unsupported] == verdicts(Fake(goes_on, steps_with_priority=mains), in_upkeep)


def test_crash_names_the_error_and_the_run_goes_on() -> None:
    engine = Fake(in_turn(raises(KeyError("bear")), shows(2)))

    first, second = run(engine, [check(1), check(2)], NOW)

    assert Crash("KeyError: 'bear'") == first.verdict
    assert isinstance(second.verdict, PassVerdict)
    assert ("L-0002", "Bear 2", ("613.4b",)) == (second.id, second.fixture.title, second.rules)


def test_results_come_one_by_one() -> None:
    engine = Fake(shows(2))
    results = run(engine, [check(1), check(2)], NOW)

    next(results)

    assert 1 == len(engine.played)


def test_fault_of_the_scenario_is_not_the_engines() -> None:
    fault = ScenarioError([Problem("bear.yaml", 1, 1, "setup", "a bear too many", "send it home")])

    with pytest.raises(ScenarioError, match="send it home"):
        list(run(Fake(raises(fault)), [check()], NOW))


def test_engine_sees_the_play_but_no_expectations() -> None:
    engine = Fake(shows(2))
    list(run(engine, [check()], NOW))

    assert [check().play] == engine.played


def test_rest_is_not_run_when_the_engine_breaks_again_and_again() -> None:
    engine = Fake(raises(EngineFailure("crash", "gone")))

    results = list(run(engine, [check(number) for number in range(7)], NOW))

    assert [Crash] * 5 + [NotRun] * 2 == [type(result.verdict) for result in results]
    assert 5 == len(engine.played)
    assert 3 == exit_code(counts_of(results))


def test_one_good_answer_in_between_shows_that_the_engine_lives() -> None:
    broken = raises(EngineFailure("crash", "gone"))
    engine = Fake(in_turn(*[broken] * 4, shows(2), *[broken] * 4))

    results = list(run(engine, [check(number) for number in range(9)], NOW))

    assert 0 == counts_of(results).not_run


@pytest.mark.parametrize(
    ("answer", "run_to_the_end"),
    [
        (raises(EngineFailure("crash", "the engine says: null", lives=True)), True),
        (raises(ZeroDivisionError()), True),
        (raises(EngineFailure("crash", "ended with 3")), False),
        (raises(EngineFailure("protocol", "garbage")), False),
    ],
)
def test_engine_that_only_says_that_it_broke_is_asked_on(answer: Any, run_to_the_end: bool) -> None:
    results = list(run(Fake(answer), [check(number) for number in range(9)], NOW))

    assert run_to_the_end == (9 == counts_of(results).failed)


def test_nonsense_does_not_count_as_a_death() -> None:
    results = list(run(Fake(says_nothing), [check(number) for number in range(9)], NOW))

    assert 9 == counts_of(results).failed


@pytest.mark.parametrize(
    ("edition", "ids"),
    [
        ("2018-01", ["L-0001", "L-0002", "L-0004"]),
        ("2020-04-16", ["L-0001", "L-0004"]),
        ("2020-04-17", ["L-0001", "L-0003", "L-0005"]),
        (NOW, ["L-0001", "L-0003", "L-0005"]),
    ],
)
def test_checks_without_expectations_in_an_edition_are_not_counted(edition: str, ids: list[str]) -> None:
    checks = [
        check(1),
        check(2, holds=Holds(until="2018-04")),
        check(3, holds=Holds(since="2020-04-17")),
        check(4, expects=Holds(until="2020-04-17")),
        check(5, expects=Holds(since="2020-04-17")),
    ]

    assert ids == [result.id for result in run(Fake(shows(2)), checks, edition)]


# --------------------------------------------------------------------------------- null engines


def unsure(play: Play) -> Observations:
    return Observations(looks={"end": Snapshot()})


@pytest.mark.parametrize(
    "answer", [says_nothing, unsure, raises(CannotPlay()), raises(EngineFailure("crash", ""))]
)
def test_engine_that_knows_nothing_passes_nothing(answer: Callable[[Play], Observations]) -> None:
    results = list(run(Fake(answer), [check(), replace(check(2), disputed="perhaps")], NOW))

    assert 0 == counts_of(results).passed


# --------------------------------------------------------------------------- counts and exit codes


def results_of(*answers: Callable[[Play], Observations]) -> list[Any]:
    checks = [check(number) for number in range(len(answers))]
    return list(run(Fake(in_turn(*answers), checks_understanding=True), checks, NOW))


def test_counts_say_the_rare_things_only_if_there_are_any() -> None:
    some = results_of(shows(2), shows(3), says_nothing, raises(CannotPlay()))

    assert "1 passed, 2 failed, 1 unsupported (25%)" == str(counts_of(some))
    assert "0 passed, 0 failed, 0 unsupported" == str(counts_of([]))


def test_counts_name_what_is_disputed_and_not_run() -> None:
    checks = [replace(check(1), disputed="perhaps"), check(2), check(3)]
    results = list(run(Fake(raises(EngineFailure("crash", ""))), checks, NOW, deaths=2))
    disputed = list(run(Fake(shows(2)), checks[:1], NOW))

    assert "0 passed, 2 failed, 0 unsupported, 1 not run" == str(counts_of(results))
    assert "0 passed, 0 failed, 0 unsupported, 1 disputed" == str(counts_of(disputed))


def test_counts_by_rule_stand_in_the_order_of_the_book() -> None:
    checks = [check(1, "613.10", "613.9"), check(2, "704.5aa", "704.5z"), check(3, "613.9", "613")]

    rules = by_rule(list(run(Fake(shows(2)), checks, NOW)))

    assert ["613", "613.9", "613.10", "704.5z", "704.5aa"] == list(rules)
    assert 2 == rules["613.9"].passed


@pytest.mark.parametrize(
    ("answers", "code"),
    [
        ([shows(2)], 0),
        ([shows(2), raises(CannotPlay())], 0),
        ([shows(2), shows(3)], 1),
        ([shows(3), raises(CannotPlay())], 1),
        ([shows(2), says_nothing], 1),
        ([shows(2), raises(EngineFailure("hang", ""))], 1),
        ([raises(CannotPlay())], 5),
        ([], 5),
        ([*[raises(EngineFailure("crash", ""))] * 5, shows(2)], 3),
        ([shows(2), shows(3), *[raises(EngineFailure("crash", ""))] * 5, shows(2)], 3),
    ],
)
def test_exit_code_is_the_first_that_holds(answers: Any, code: int) -> None:
    assert code == exit_code(counts_of(results_of(*answers)))

"""How a failure looks: where an engine departs from the rules, and which mutants do the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import pytest
from msgspec.structs import replace

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition
from conformance.model.engine import Engine, EngineFailure
from conformance.model.observation import Observations
from conformance.model.scenario import Fixture, Play
from conformance.model.verdict import judge
from conformance.mutants import MUTANTS, Mutant
from conformance.play.runner import Result, has_expectations
from conformance.results.events import Diagnosis, FinishedCheck, result_event
from conformance.run.diagnosis import diagnoses, likeliest, reason_for
from conformance_adapters import connect
from conformance_adapters.in_process import Reference, decisions_used, replaced_decisions, with_rules_of
from reference_engine.game.game_rules import CR, GameRules
from tests.test_runner import Fake

NEWEST = newest_edition()


def failure(engine: Engine, id: str) -> FinishedCheck:
    """The result of a fixture on an engine."""
    fixture: Fixture = all_fixtures()[id]
    try:
        answer: Observations | EngineFailure = engine.play(fixture.play)
    except EngineFailure as broken:
        answer = broken
    verdict = judge(fixture, answer, NEWEST, checks_understanding=True)
    return result_event(Result(fixture, verdict), fixture.title, "again")


def looked_into(engine: Engine, *ids: str) -> list[Diagnosis]:
    return list(diagnoses([failure(engine, id) for id in ids], NEWEST))


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("mutant", "ids"),
    [
        ("timestamps-only", ("L-0059", "L-0065", "L-0114")),
        ("newest-first", ("L-0045", "L-0114")),
    ],
)
def test_mutant_is_known_by_what_it_does(mutant: str, ids: tuple[str, ...]) -> None:
    failed = [id for id in ids if "fail" in str(failure(connect(f"mutant:{mutant}"), id).verdict)]
    found = looked_into(connect(f"mutant:{mutant}"), *failed)

    assert failed
    assert failed == [one.id for one in found]
    assert all(mutant in [like.mutant for like in one.like] for one in found)


@pytest.mark.sweep
@pytest.mark.parametrize("one_in", [2400, pytest.param(600, marks=pytest.mark.nightly)])
def test_mutants_are_left_out_only_if_they_break_nothing_that_is_decided(one_in: int) -> None:
    """A fixture uses the broken decision wherever the mutant's observations differ."""
    for fixture in list(all_fixtures().values())[::one_in]:
        met = decisions_used(fixture.play, CR)
        right = shown(CR, fixture)
        for mutant in MUTANTS:
            if met.isdisjoint(replaced_decisions(mutant)):
                assert right == shown(with_rules_of(mutant), fixture), (mutant.name, fixture.id)


def shown(rules: GameRules, fixture: Fixture) -> Observations:
    """The observations of the reference engine under these rules."""
    return Reference(rules=rules).play(fixture.play)


@pytest.mark.sweep
def test_first_step_that_is_different_is_reported_beside_that_of_the_rules() -> None:
    [found] = looked_into(connect("mutant:timestamps-only"), "L-0114")

    right, wrong = (next(line for line in found.where if line.startswith(word)) for word in ("by", "and"))
    assert "by the rules: layer 4 (types): " in right
    assert "before older ones that wait (CR 613.8b)" in right
    assert "and here:     layer 4 (types): " in wrong
    assert right.partition("types): ")[2] != wrong.partition("types): ")[2]


def test_what_is_done_in_a_game_is_reported_where_it_goes_another_way() -> None:
    [found] = looked_into(connect("mutant:passes-not-reset"), "G-0077")

    right, wrong = found.where
    assert right.startswith("by the rules: ") and wrong.startswith("and here:     ")
    assert "layer" not in right
    assert "passes-not-reset" in [like.mutant for like in found.like]


@pytest.mark.sweep
def test_deciding_step_is_reported_for_an_engine_unlike_any_mutant() -> None:
    reference = connect("reference")

    def play(scenario: Play) -> Observations:
        seen = reference.play(scenario)
        looks = seen.looks["end"].objects
        for id, look in looks.items():
            if look.subtypes:
                looks[id] = type(look)(subtypes=frozenset({"Weird"}))
        return seen

    [found] = looked_into(Fake(play, checks_understanding=True), "L-0114")

    assert () == found.like
    assert found.where[0].startswith("layer 4 (types): ")


def test_engine_that_breaks_is_not_looked_into() -> None:
    def play(scenario: Play) -> Observations:
        raise EngineFailure("crash", "gone")

    assert [] == looked_into(Fake(play), "L-0114")


@pytest.mark.sweep
def test_mutant_that_explains_more_stands_first() -> None:
    ids = ("L-0114", "L-0059", "L-0065")
    together = looked_into(connect("mutant:timestamps-only"), *ids)

    assert {"timestamps-only"} == {one.like[0].mutant for one in together}


def results_like(engine: Engine, *, wrong: Collection[str] = ()) -> list[Result]:
    """The results of fixtures about one rule on an engine that is right about all others than these."""
    found = []
    for id, fixture in all_fixtures().items():
        if "613.8b" in fixture.rules and has_expectations(fixture, NEWEST):
            answer = (engine if not wrong or id in wrong else Reference()).play(fixture.play)
            verdict = judge(fixture, answer, NEWEST, checks_understanding=True)
            found.append(Result(fixture, verdict))
    return found


@pytest.mark.sweep
def test_mutant_is_not_named_if_most_other_results_speak_against_it() -> None:
    mutant = connect("mutant:timestamps-only")
    failed = [failure(mutant, "L-0114")]
    everywhere, once = results_like(mutant), results_like(mutant, wrong=("L-0114",))
    [named], [unnamed] = (diagnoses(failed, NEWEST, results) for results in (everywhere, once))

    assert "timestamps-only" in [like.mutant for like in named.like]
    assert "timestamps-only" not in [like.mutant for like in unnamed.like]


def test_reason_is_the_step_that_decided_or_what_was_done_last() -> None:
    fixture = all_fixtures()["L-0114"]
    expected = next(one for one in fixture.expect if one.key == "subtypes")
    game = all_fixtures()["G-0077"]

    assert "layer 4 (types): " in reason_for(fixture, expected, NEWEST)
    assert reason_for(game, game.expect[0], NEWEST)


def broken(*pairs: tuple[str, str]) -> list[Mutant]:
    """Mutants of these names, each with the rule it breaks."""
    return [replace(MUTANTS[0], name=name, breaks=rule) for name, rule in pairs]


@pytest.mark.parametrize(
    ("pairs", "likeliest_first"),
    [
        ([("b", "704.5f")], ["b"]),
        ([("b", "704.5f"), ("a", "601.2f")], []),
        ([("b", "613.8a"), ("a", "704.5f")], ["b", "a"]),
        ([("b", "613.8c"), ("a", "613.1")], ["b", "a"]),
        ([("b", "613.4"), ("a", "704.5f")], ["b", "a"]),
        ([("b", "704.5f"), ("a", "704.5f")], ["a", "b"]),
        ([("b", "613.2"), ("a", "613.1")], []),
    ],
)
def test_of_several_that_are_alike_one_comes_first_only_if_its_rule_is_nearest(
    pairs: list[tuple[str, str]], likeliest_first: list[str]
) -> None:
    checked = failure(connect("mutant:timestamps-only"), "L-0114")
    mutants = broken(*pairs)
    once = Counter(mutant.name for mutant in mutants)

    assert {"613.8a"} & set(checked.rules)
    assert likeliest_first == [mutant.name for mutant in likeliest(mutants, checked, once)]


def test_one_that_explains_more_failures_comes_first_however_far_its_rule_is() -> None:
    checked = failure(connect("mutant:timestamps-only"), "L-0114")

    found = likeliest(broken(("a", "601.2f"), ("b", "704.5f")), checked, Counter({"a": 1, "b": 2}))

    assert ["b", "a"] == [mutant.name for mutant in found]

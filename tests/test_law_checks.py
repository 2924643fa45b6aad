"""Properties as checks of engines of older editions, and of engines with limited features."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from conformance.data.rulebook import newest_edition
from conformance.model.engine import CardsTaken, EngineInfo
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.model.verdict import Fail, PassVerdict, Unsupported, Verdict
from conformance.mutants import MUTANTS
from conformance.properties import PROPERTIES, Property
from conformance.run.reasons import reasons_by
from conformance.search.effort import Effort
from conformance.search.law_checks import JudgedEngine, Shares, judged_engine, results_of
from conformance.strategies.means import Means
from conformance_adapters.in_process import Reference, with_rules_of

LAWS = {law.name: law for law in PROPERTIES}
OLD = "2019-01-25"


def verdict_of(law: Property[Any], asked: JudgedEngine, folder: Path) -> Verdict:
    """The verdict on a property after a short search."""
    effort = Effort(seed=0, examples=30, seconds=600.0, shrinking=2.0)
    return results_of(law, asked, effort, [], folder, lambda kept: None)[0].verdict


def held_to(engine: Reference, edition: str) -> JudgedEngine:
    """An engine that says it implements this edition."""
    return judged_engine(
        engine, lambda: engine, engine.describe(), Reference(edition).play, edition, reasons_by(edition)
    )


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("two_switches_cancel", PassVerdict),  # the same in every edition
        (
            "damage_is_dealt_where_it_may_be",
            PassVerdict,
        ),  # damage was divided differently then, but not in all cases
        ("triggers_on_triggers_come_after_all_others", Unsupported),  # then there was only one round
    ],
)
def test_engine_of_an_older_edition_keeps_what_held_then(
    name: str, verdict: type[Verdict], tmp_path: Path
) -> None:
    came_to = verdict_of(LAWS[name], held_to(Reference(OLD), OLD), tmp_path)

    assert isinstance(came_to, verdict)
    if isinstance(came_to, Unsupported):
        assert f"it does not hold by the rules of {OLD}" in came_to.says


@pytest.mark.sweep
def test_older_edition_is_asked_only_about_cases_that_break_a_law(tmp_path: Path) -> None:
    asked: list[Play] = []
    reference = Reference(OLD)

    def counted(play: Play) -> Observations:
        asked.append(play)
        return reference.play(play)

    held = replace(held_to(reference, OLD), reference=counted)
    verdict_of(LAWS["two_switches_cancel"], held, tmp_path)
    assert not asked

    verdict_of(LAWS["triggers_on_triggers_come_after_all_others"], held, tmp_path)
    assert asked


def test_engine_of_an_older_edition_is_found_to_break_what_held_then(tmp_path: Path) -> None:
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "switch-to-greater")
    broken = Reference(rules=with_rules_of(mutant, OLD))

    assert isinstance(verdict_of(LAWS["two_switches_cancel"], held_to(broken, OLD), tmp_path), Fail)


@pytest.mark.sweep
def test_what_cannot_be_drawn_for_an_engine_is_reported_to_be_unsupported(tmp_path: Path) -> None:
    named: frozenset[CardsTaken] = frozenset({"named"})
    info = EngineInfo("some", "1", takes=named)
    newest = newest_edition()
    play = Reference().play
    asked = JudgedEngine(Reference(), Reference, Means(named), play, newest, info, reasons_by(newest))
    came_to = {name: verdict_of(law, asked, tmp_path) for name, law in LAWS.items() if law.oracle}

    assert {PassVerdict, Unsupported} >= {type(verdict) for verdict in came_to.values()}
    boards = came_to["any_board_looks_as_the_rules_say"]
    assert Unsupported("no case can be drawn from what the engine supports") == boards


@pytest.mark.sweep
def test_each_value_of_a_counterexample_has_the_reason_of_the_play(tmp_path: Path) -> None:
    mutant = next(one for one in MUTANTS if one.name == "reverse-apnap")
    asked = held_to(Reference(rules=with_rules_of(mutant)), newest_edition())
    law = LAWS["triggers_go_as_the_rules_say"]
    effort = Effort(seed=0, examples=60, seconds=600.0, shrinking=600.0)
    found, *_ = results_of(law, asked, effort, [], tmp_path, lambda kept: None)

    assert isinstance(found.verdict, Fail)
    assert [] == [one for one in found.fixture.expect if law.says.rstrip(".") in one.because]


def test_time_is_shared_by_how_many_cases_a_law_draws() -> None:
    plain, varied = LAWS["two_switches_cancel"], LAWS["varied_turns_go_as_the_rules_say"]
    shares = Shares(90.0, (plain, varied), 1, lambda: 0.0)

    assert 10.0 == shares.of(plain)
    assert 8 == varied.times
    assert 90.0 == shares.of(varied)

"""Scenarios from machine-made engines: what notices a change, which are stored, and their reasons."""

from __future__ import annotations

import pytest

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition, rules_by_number
from conformance.measure.corpus import corpus
from conformance.model.citations import rules_cited
from conformance.model.engine import Engine
from conformance.model.scenario import Equals, Expectation, Play
from conformance.model.verdict import PassVerdict, judge
from conformance.play.runner import answer_to
from conformance.run.reasons import Reasons, rules_in
from conformance_adapters.in_process import Reference
from tools.code_changes import Identity, identified_changes, module_name
from tools.corpus import BLIND
from tools.harvest import (
    Candidate,
    Detection,
    Harvest,
    chosen_scenarios,
    lines_of_play,
    noticing,
    places_of_change,
    stored_fixture,
    with_all_looks,
)

DAMAGE = "reference_engine/game/damage.py"
FIGHT = all_fixtures()["G-0098"]
"""Creatures with first strike and without fight."""


def candidate(id: str = "G-0098", lines: int = 0, seconds: float = 0.001) -> Candidate:
    play = with_all_looks(all_fixtures()[id].play)
    expected = Reference().play(play)
    there = {DAMAGE: lines} if lines else lines_of_play(Reference(), play, [module_name(DAMAGE)])
    return Candidate(id, id, play, expected, there, seconds)


def a_result(change: str, *by: str) -> Harvest:
    identity = Identity(DAMAGE, "f", "return a", change)
    places = (("end", "table", "step"),)
    return Harvest(identity.id, identity, tuple(Detection(one, one, places) for one in by))


@pytest.mark.sweep
def test_change_is_noticed_where_it_shows_and_nothing_else_is() -> None:
    fight = candidate()
    found: dict[str, list[Detection]] = {}
    for identity, change in identified_changes(DAMAGE):
        if identity.function == "lethal_damage" or identity.change.endswith("damage or other'"):
            continue
        if len(found) < 12:
            found[identity.id] = noticing(change, DAMAGE, [fight, fight], 0, 9)

    assert any(found.values())
    assert not all(found.values())
    assert all(len(some) <= 1 for some in found.values())  # a second scenario of one law says nothing new


def test_scenario_is_chosen_for_what_no_other_notices() -> None:
    results = [a_result("1", "a", "b"), a_result("2", "a", "b"), a_result("3", "c")]
    pool = [
        replace_id(candidate(lines=1), "a", 0.001),
        replace_id(candidate(lines=1), "b", 0.002),
        replace_id(candidate(lines=1), "c", 0.001),
        replace_id(candidate(lines=1), "d", 0.001),
    ]

    chosen = list(chosen_scenarios(results, pool, []))

    assert ["a", "b", "c"] == sorted(one.id for one, places in chosen if places)


def replace_id(one: Candidate, id: str, seconds: float) -> Candidate:
    return Candidate(id, id, one.play, one.expected, one.lines, seconds)


def test_stored_scenario_has_a_reason_for_everything_and_engines_without_rules_fail_it() -> None:
    fixture = stored_fixture(candidate(), [("end", "alice", "life")])

    assert fixture is not None
    assert all(rules_in([one.because]) for one in fixture.expect)
    assert set(fixture.rules) <= set(rules_by_number())
    assert ("end", "alice", "life") in {(one.look, one.about, one.key) for one in fixture.expect}
    engines: list[Engine] = [Reference(), *BLIND]
    for engine in engines:
        verdict = judge(fixture, answer_to(engine, fixture.play), newest_edition())
        assert isinstance(engine, Reference) == isinstance(verdict, PassVerdict)


def test_every_expectation_of_a_stored_scenario_cites_its_rule() -> None:
    assert len(corpus()) > 1000
    without = [
        f"{fixture.id} {one.look}: {one.key} of {one.about}"
        for fixture in corpus().values()
        for one in fixture.expect
        if not rules_cited(one.because)
    ]

    assert [] == without


def reason(play: Play, look: str, about: str, key: str) -> str:
    return Reasons(play).of(Expectation(look, about, key, Equals(None)))


def test_reasons_name_the_rule_and_what_happened() -> None:
    play = with_all_looks(FIGHT.play)

    assert "CR 508.1: declared (knight attacks bob)" == reason(play, "moment2", "knight", "tapped")
    assert "CR 704.5g: lethal damage (ogre is destroyed)" == reason(play, "first_step", "ogre", "zone")
    assert reason(play, "moment2", "knight", "power").startswith("CR 613.1: ")
    assert "" == reason(play, "moment1", "knight", "tapped")


def test_what_happens_is_what_differs_from_before() -> None:
    play = with_all_looks(FIGHT.play)
    places = list(places_of_change(play, Reference().play(play)))

    assert ("moment2", "knight", "tapped") in places
    assert ("first_step", "knight", "tapped") not in places
    assert ("moment1", "knight", "zone") not in places

"""Engines that make one mistake where a play meets one kind of thing: checks that meet it notice it."""

from __future__ import annotations

import dataclasses

import pytest

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.model.verdict import PassVerdict, judge
from conformance_adapters.in_process import Reference
from reference_engine.game.game_rules import CR
from tools import harvest, mistakes_met
from tools.misreadings import misread, names_of_misreadings
from tools.mistakes_met import (
    MISREADINGS,
    SPECIAL,
    WRONG_LOOKS,
    Mistake,
    MistakeNoticed,
    engine_with,
    families,
    mistakes_of,
    names_met,
    noticed_by_fork,
    notices,
    report,
)

FLYING, LAYERS, EITHER = (all_fixtures()[id] for id in ("G-0950.01", "L-0001", "G-5697.01"))
NO_BLOCK = Mistake("situations", "may_block", "may_block says no [attacker: with flying]")
YES_BLOCK = Mistake("situations", "may_block", "may_block says yes [attacker: with flying]")
ARTIFACTS_ONLY = (
    "Cannot.Filter.any_of Filter(type Artifact)|Filter(type Creature) without 0: Filter(type Artifact)"
)


def test_families_are_made_in_decisions_of_the_rules() -> None:
    assert {family.decision for family in families()} <= {field.name for field in dataclasses.fields(CR)}


@pytest.mark.parametrize("family", sorted({family.name for family in SPECIAL}))
def test_some_check_meets_and_notices_a_mistake_of_each_family(family: str) -> None:
    some = [one for one in families() if one.name == family]
    fixture = all_fixtures()[SHOWING[family]]
    met = names_met(fixture.play, some)

    assert {family} == {mistake.family for mistake in met}
    assert any(notices(fixture, mistake) for mistake in met)


SHOWING = {
    "effects that end early": "G-5690.07",
    "effects that stay": "G-5690.05",
    "ignored conditions": "G-0143",
    "ignored instructions": "G-0304",
    "ignored keys": "G-5697.01",
    "incomplete copies": "G-0529",
    "missed by state-based actions": "G-0049",
    "missed causes": "G-1223",
    "missed changes of costs": "G-0263",
    "present looks": "G-0512",
    "silent events": "G-0453",
    "silent triggers": "G-0051",
}
"""A fixture that meets each family of mistakes and notices one of them."""


def test_mistake_is_made_only_where_its_kind_is_met() -> None:
    assert YES_BLOCK in names_met(FLYING.play, families())
    assert YES_BLOCK not in names_met(LAYERS.play, families())

    assert notices(FLYING, YES_BLOCK)
    assert not notices(FLYING, NO_BLOCK)
    assert not notices(LAYERS, YES_BLOCK)


def test_mistake_leaves_no_trace_in_the_engine() -> None:
    assert notices(FLYING, YES_BLOCK)

    assert isinstance(judge(FLYING, Reference().play(FLYING.play), newest_edition()), PassVerdict)
    assert engine_with(YES_BLOCK).rules.may_attack is CR.may_attack


def test_word_is_misread_in_its_place_only() -> None:
    names = names_of_misreadings(EITHER.play)
    assert ARTIFACTS_ONLY in names

    other = misread(EITHER.play, ARTIFACTS_ONLY)

    assert ARTIFACTS_ONLY not in names_of_misreadings(other)
    assert len(names) > len(names_of_misreadings(other))
    assert notices(EITHER, Mistake(MISREADINGS, "", ARTIFACTS_ONLY))


def test_process_finds_up_to_two_checks() -> None:
    mistakes = {YES_BLOCK: [LAYERS, FLYING, FLYING, FLYING], NO_BLOCK: [FLYING]}

    assert (("G-0950.01", "G-0950.01"), ()) == noticed_by_fork(mistakes)


class Hanging(Reference):
    """An engine that never answers."""

    def play(self, play: Play, /) -> Observations:
        while True:
            pass


def test_an_engine_that_hangs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harvest, "SECONDS_A_PLAY", 0.05)
    monkeypatch.setattr(mistakes_met, "engine_with", lambda mistake: Hanging())

    assert (("L-0001",),) == noticed_by_fork({YES_BLOCK: [LAYERS]})


def test_report_lists_what_at_most_one_check_notices() -> None:
    found = [
        MistakeNoticed(Mistake("a", "x", "one"), ("G-0001", "G-0002"), 9),
        MistakeNoticed(Mistake("a", "x", "two"), ("G-0001",), 7),
        MistakeNoticed(Mistake("b", "x", "three"), (), 1),
    ]

    assert [
        "a: two: G-0001 (of 7 checks)",
        "b: three: nothing notices (of 1 checks)",
        "a: 2 mistakes, 1 noticed twice, 1 once, 0 not at all",
        "b: 1 mistakes, 0 noticed twice, 0 once, 1 not at all",
    ] == [*report(found)]


def test_place_that_asks_about_a_look_can_take_it_from_the_card() -> None:
    lent, animated = (all_fixtures()[id] for id in ("G-5351.02", "G-0562"))
    by_owner = Mistake(WRONG_LOOKS, "", "owner for controller in controller_then in explored")
    by_type = Mistake(WRONG_LOOKS, "", "types as printed in may_be_equipped in attachments")

    assert by_owner in mistakes_of(lent.play, [WRONG_LOOKS])
    assert by_type in mistakes_of(animated.play, [WRONG_LOOKS])
    assert not mistakes_of(FLYING.play, [WRONG_LOOKS])
    assert [notices(lent, by_owner), notices(animated, by_type)] == [True, True]
    assert isinstance(judge(animated, Reference().play(animated.play), newest_edition()), PassVerdict)


def test_what_several_things_have_of_their_own_can_be_taken_from_the_first() -> None:
    fixture = all_fixtures()["G-5062"]
    whom = "replaced asked about several, to of Damaged in combat as of the first"
    mistake = Mistake("taken together", "replaced", whom)

    assert mistake in mistakes_of(fixture.play, ["taken together"])
    assert notices(fixture, mistake)

"""Every broken engine is noticed by a fixture, soonest by those about the rule that it breaks."""

from __future__ import annotations

import dataclasses
import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager

import pytest

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition, rules_by_number
from conformance.measure.kill_matrix import rule_distance
from conformance.model.scenario import Fixture
from conformance.model.verdict import Fail, Verdict, judge
from conformance.mutants import MUTANTS, Mutant
from conformance.play.runner import answer_to, has_expectations
from conformance.results.events import size_of
from conformance_adapters.in_process import Reference, with_rules_of
from reference_engine.game.game_rules import CR

NEWEST = newest_edition()


@functools.cache
def fixtures() -> tuple[Fixture, ...]:
    """The fixtures that count in the newest edition."""
    return tuple(fixture for fixture in all_fixtures().values() if has_expectations(fixture, NEWEST))


def verdict_of(engine: Reference, fixture: Fixture) -> Verdict:
    """The result of one fixture on an engine."""
    return judge(fixture, answer_to(engine, fixture.play), NEWEST, checks_understanding=True)


@functools.cache
def by_chapter() -> Mapping[str, Sequence[Fixture]]:
    """The fixtures that count, by each chapter that they are about."""
    found: dict[str, list[Fixture]] = defaultdict(list)
    for fixture in fixtures():
        for chapter in {rule[:3] for rule in fixture.rules}:
            found[chapter].append(fixture)
    return found


def nearest_first(rule: str) -> Iterator[Fixture]:
    """The fixtures that count: those about a rule, the small ones first; those of other chapters last."""
    near = by_chapter().get(rule[:3], ())
    yield from sorted(near, key=lambda one: (rule_distance(rule, one.rules), size_of(one.play)))
    yield from (fixture for fixture in fixtures() if all(rule[:3] != one[:3] for one in fixture.rules))


def first_to_fail(mutant: Mutant) -> Fixture | None:
    """The first fixture that fails on a mutant, starting with those about the rule it breaks."""
    engine = Reference(rules=with_rules_of(mutant))
    failing = (one for one in nearest_first(mutant.breaks) if isinstance(verdict_of(engine, one), Fail))
    return next(failing, None)


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.name for mutant in MUTANTS])
def test_a_fixture_fails_on_every_mutant(
    mutant: Mutant, without_coverage: Callable[[], AbstractContextManager[None]]
) -> None:
    with without_coverage():
        failed = first_to_fail(mutant)
    assert failed is not None
    assert isinstance(verdict_of(Reference(rules=with_rules_of(mutant)), failed), Fail)
    assert not isinstance(verdict_of(Reference(), failed), Fail)


def test_every_mutant_has_a_story_and_breaks_a_rule_that_exists() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 80
    assert [] == [m.name for m in MUTANTS if m.breaks not in rules_by_number() or not m.story.endswith(".")]


STEERING = {
    *("cast_spell", "activate_ability", "unlock_door", "proposed", "announced", "passes"),
    *("put_triggers_on_stack", "noticed", "end_step", "begin_step", "await_attackers", "assign_damage"),
    "carried_out",
}
"""Functions that only call other decisions in turn; each of those has a mutant."""
OF_SCRIPTS = {"until_resolved", "until_settled", "until_step", "declare_least", "tokens_named"}
"""Shortcuts for scripts rather than rules of the game."""
NOT_SEEN = {"edition", "label", "take_special_action"}
"""Decisions that no observation shows: names of editions and layers, and what the engine does not support."""


def test_every_decision_has_a_mutant() -> None:
    broken = {
        field.name
        for mutant in MUTANTS
        for field in dataclasses.fields(mutant.rules)
        if getattr(mutant.rules, field.name) != getattr(CR, field.name)
    }
    decisions = {field.name for field in dataclasses.fields(CR)}
    assert STEERING | OF_SCRIPTS | NOT_SEEN == decisions - broken

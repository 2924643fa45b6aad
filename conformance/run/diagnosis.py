"""Diagnoses a failure: where the engine departs from the rules, and which of our mutants does the same.

We cannot look into the engine. But if a mutant gives exactly the same answers, we can look into the mutant,
and it has a story. Then the diagnosis compares its trace with the reference engine's, and shows the first
step that differs. Without such a mutant, it shows the step of the rules that decided the expected value.
A mutant whose other mistakes the engine does not make is not named: it is like the engine by chance.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from msgspec.structs import replace

from conformance.model.citations import rules_cited
from conformance.model.comparison import in_words
from conformance.model.engine import CannotPlay
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Expectation, Fixture, Play
from conformance.model.verdict import Fail, PartOfVerdict, PassVerdict, Verdict, judge, moment
from conformance.mutants import MUTANTS, Mutant
from conformance.play.runner import Result, answer_from
from conformance.play.selection import cut_at_look
from conformance.results.causes import CITED, first_difference
from conformance.results.events import Diagnosis, FinishedCheck, Likeness, size_of
from conformance.tell.explanation import traced_evaluation
from conformance.tell.explanation_text import step_lines
from conformance_adapters.in_process import (
    Playthrough,
    Reference,
    decisions_used,
    play_through,
    replaced_decisions,
    with_rules_of,
)
from reference_engine.game.game_rules import GameRules
from reference_engine.language.actions import Try
from reference_engine.layers.evaluation import Evaluation, LayerStep, LookChange

MOST = 8
"""Maximum number of failures to diagnose."""
MOST_ALIKE = 3
"""Maximum number of mutants to name for one failure."""
MOST_COMPARED = 20
"""Maximum number of checks on which to compare a mutant with the engine."""


def diagnoses(
    failures: Iterable[FinishedCheck], edition: str, results: Iterable[Result] = ()
) -> tuple[Diagnosis, ...]:
    """Diagnoses of the first few failures; mutants that explain several failures rank higher.

    Mutants that the other results of the run speak against are left out.
    """
    failures = list(failures)
    shared = shared_failures(failures, edition)
    ids = {one.id for one in shared}
    looked_into = [one for one in failures if can_be_played(one) and one.id not in ids][:MOST]
    of_rule = smallest_of_each_rule(results)

    @functools.cache
    def is_alike_elsewhere(mutant: Mutant) -> bool:
        return is_alike_on(mutant, of_rule.get(mutant.breaks, ()), edition)

    alike = {
        one.id: [*filter(is_alike_elsewhere, mutants_that_answer_alike(one, edition))] for one in looked_into
    }
    explains = Counter(mutant.name for mutants in alike.values() for mutant in mutants)
    return (
        *shared,
        *(diagnosis(one, likeliest(alike[one.id], one, explains), edition) for one in looked_into),
    )


def smallest_of_each_rule(results: Iterable[Result]) -> dict[str, list[Result]]:
    """For each rule the smallest checks about it that the engine passed or failed."""
    found: dict[str, list[Result]] = {}
    for one in sorted(results, key=lambda one: (size_of(one.fixture.play), one.id)):
        if isinstance(one.verdict, PassVerdict | Fail) and one.fixture.play.players:
            for rule in one.rules:
                if len(some := found.setdefault(rule, [])) < MOST_COMPARED:
                    some.append(one)
    return found


def is_alike_on(mutant: Mutant, results: Iterable[Result], edition: str) -> bool:
    """Whether, of those checks that a mutant fails, the engine answers at least half in the same way."""
    rules = with_rules_of(mutant, edition)
    wrong = [
        (failure, failure_in_short(one.verdict))
        for one in results
        if (failure := failures_under(rules, one.fixture, edition))
    ]
    return 2 * sum(here == there for here, there in wrong) >= len(wrong)


def shared_failures(failures: Iterable[FinishedCheck], edition: str) -> tuple[Diagnosis, ...]:
    """The failures that the reference engine has too: the engine under test is not to blame for them."""
    rules = Reference(edition).rules
    return tuple(
        Diagnosis(one.id, (), (), shared=True)
        for one in failures
        if can_be_played(one) and is_shown_by(rules, one, edition)
    )


def can_be_played(checked: FinishedCheck) -> bool:
    """Whether a failure is a wrong answer to a scenario that we have."""
    return (
        isinstance(checked.verdict, Fail)
        and checked.scenario is not None
        and bool(checked.scenario.play.players)
    )


def likeliest(mutants: Sequence[Mutant], checked: FinishedCheck, explains: Counter[str]) -> list[Mutant]:
    """The mutants that answer like the engine, likeliest first.

    Mutants that explain more failures come first, then those whose rule is closer to a cited one. Empty if
    the first places are tied between mutants of different rules: then only their names would decide.
    """
    ranks = {mutant.name: (-explains[mutant.name], distance(mutant, checked)) for mutant in mutants}
    ordered = sorted(mutants, key=lambda mutant: (ranks[mutant.name], mutant.name))
    tied = [mutant for mutant in ordered if ranks[mutant.name] == ranks[ordered[0].name]]
    return [] if len(tied) > 1 and len({mutant.breaks for mutant in tied}) > 1 else ordered


def distance(mutant: Mutant, checked: FinishedCheck) -> tuple[int, int]:
    """Distance between the rule that a mutant breaks and the rules of a failure, to sort by.

    The first number is the distance to the closest rule that the failure or the check cites (see `NEARNESS`);
    the second is that rule's place in the list.
    """
    part = first_difference(checked)
    rules = [*rules_cited(part.because if part else ""), *checked.rules]
    steps = [(steps_between(mutant.breaks, rule), place) for place, rule in enumerate(rules)]
    return min(steps, default=(len(NEARNESS), 0))


NEARNESS = (r".*", r"\d{3}\.\d+", r"\d{3}")
"""What two rules have in common, from near to far: the whole rule, its number, its section."""


def steps_between(one: str, other: str) -> int:
    """Distance between two rules."""
    for steps, part in enumerate(NEARNESS):
        here, there = re.match(part, one), re.match(part, other)
        if here and there and here[0] == there[0]:
            return steps
    return len(NEARNESS)


def diagnosis(checked: FinishedCheck, mutants: Sequence[Mutant], edition: str) -> Diagnosis:
    """Diagnose one failure; `mutants` answer like the engine, likeliest first."""
    likenesses = tuple(Likeness(one.name, one.breaks, one.story) for one in mutants[:MOST_ALIKE])
    where = first_departure(checked, with_rules_of(mutants[0], edition) if mutants else None, edition)
    return Diagnosis(checked.id, where, likenesses)


def is_shown_by(rules: GameRules, checked: FinishedCheck, edition: str) -> bool:
    """Whether an engine with these rules answers exactly as the engine under test did."""
    assert checked.scenario is not None
    return failure_in_short(checked.verdict) == failures_under(rules, checked.scenario, edition)


def mutants_that_answer_alike(checked: FinishedCheck, edition: str) -> list[Mutant]:
    """The mutants that answer exactly as the engine did."""
    fixture = checked.scenario
    assert fixture is not None
    met = decisions_used(fixture.play, Reference(edition).rules)
    return [
        mutant
        for mutant in MUTANTS
        if not met.isdisjoint(replaced_decisions(mutant))
        if is_shown_by(with_rules_of(mutant, edition), checked, edition)
    ]


def failures_under(rules: GameRules, fixture: Fixture, edition: str) -> list[tuple[str, ...]]:
    """How the answers of an engine with these rules fail a fixture."""
    try:
        answer = answer_from(Reference(rules=rules).play, fixture.play)
    except ScenarioError:  # the setup is illegal under the broken rules
        return []
    return failure_in_short(judge(fixture, answer, edition, checks_understanding=True))


def failure_in_short(verdict: Verdict) -> list[tuple[str, ...]]:
    """The parts of a failure without details; empty if there is none."""
    return [in_short(part) for part in verdict.parts] if isinstance(verdict, Fail) else []


def in_short(part: PartOfVerdict) -> tuple[str, ...]:
    """A part without details: engines word the reason for stopping differently."""
    observed = part.observed.partition(":")[0] if part.key == "stopped" else part.observed
    return part.outcome, part.about, part.when, part.key, observed


# ------------------------------------------------------------------------------- the first difference


def first_departure(checked: FinishedCheck, broken: GameRules | None, edition: str) -> tuple[str, ...]:
    """The first step in which the engine (or a mutant that answers just like it) departs from the rules."""
    fixture = checked.scenario
    part = first_difference(checked)
    if fixture is None or part is None:
        return ()
    expected = expectation_of(fixture, part)
    play = cut_at_look(fixture.play, expected.look) if expected and expected.key != "tried" else fixture.play
    try:
        right = play_through(play, Reference(edition).rules)
        if broken is not None:
            wrong = play_through(play, broken)
            return first_thing_done(right, wrong) or first_step(
                last_evaluation(right), last_evaluation(wrong)
            )
        return deciding_step(last_evaluation(right), expected, part.observed) if expected else ()
    except CannotPlay:  # nothing to compare with
        return ()


def expectation_of(fixture: Fixture, part: PartOfVerdict) -> Expectation | None:
    """The expectation that a part is about; None if the part is about a play that stopped."""
    return next(
        (
            one
            for one in fixture.expect
            if (one.about, one.key, moment(fixture, one.look)) == (part.about, part.key, part.when)
        ),
        None,
    )


def last_evaluation(left: Playthrough) -> Evaluation:
    """How the layers evaluate the last board, step by step."""
    return traced_evaluation(left.last.board, left.last.rules)


def first_thing_done(right: Playthrough, wrong: Playthrough) -> tuple[str, ...]:
    """The first line of the game's account that differs."""
    for here, there in zip_longest(right.account(), wrong.account()):
        if here != there:
            lines = [str(line or "nothing more").strip() for line in (here, there)]
            return (f"by the rules: {lines[0]}", f"and here:     {lines[1]}")
    return ()


def first_step(right: Evaluation, wrong: Evaluation) -> tuple[str, ...]:
    """The first step through the layers that differs."""
    for here, there in zip_longest(right.steps, wrong.steps):
        if here is None or there is None or step_taken(here) != step_taken(there):
            by_the_rules = step_lines(right, here) if here else ["no effect is left"]
            instead = step_lines(wrong, there) if there else ["no effect is left"]
            return (
                f"by the rules: {by_the_rules[0]}",
                *by_the_rules[1:],
                f"and here:     {instead[0]}",
                *instead[1:],
            )
    return ()


def step_taken(step: LayerStep) -> tuple[object, ...]:
    """Everything about a step that may differ."""
    changes = frozenset((change.ids, change.before, change.after) for change in step.changes)
    return step.layer, step.effect.key, step.applied, changes


def deciding_step(seen: Evaluation, expected: Expectation, observed: str) -> tuple[str, ...]:
    """The step that decided a value.

    The last step that replaced the observed value; if there is none, the last that changed the value.
    """
    steps = [
        (step, before, after)
        for step in seen.steps
        for change in step.changes
        if expected.about in change.ids
        for before, after in [
            (value_of(change, "before", expected.key), value_of(change, "after", expected.key))
        ]
        if before != after
    ]
    if not steps:
        return ()
    passed = [step for step, before, _ in steps if before == observed]
    return tuple(step_lines(seen, passed[-1] if passed else steps[-1][0]))


def value_of(change: LookChange, when: str, key: str) -> str | None:
    """The value of a key before or after a change, in words; None if the layers do not decide it."""
    look = getattr(change, when)
    value = look.shown_subtypes if key == "subtypes" else getattr(look, key, None)
    return in_words(value, key) if isinstance(value, str | int | frozenset) else None


def reason_for(fixture: Fixture, expected: Expectation, edition: str) -> str:
    """What decided an expected value, in one line.

    For an attempted action, its outcome; otherwise the last step of the layers that changed the value, or
    else the last action about the object; empty if nothing did.
    """
    rules = Reference(edition).rules
    if expected.key == "tried":
        return outcome_of_attempt(expected.about, fixture.play, rules)
    right = play_through(cut_at_look(fixture.play, expected.look), rules)
    step = deciding_step(last_evaluation(right), expected, "")
    if step:
        return "; ".join(line.strip() for line in step)
    return last_line_about(expected, right.account())


def outcome_of_attempt(name: str, play: Play, rules: GameRules) -> str:
    """The outcome of an attempted action, as a judge would put it, up to the first citation."""
    right = play_through(play, rules)
    at = next(
        n for n, (action, _) in enumerate(right.course) if isinstance(action, Try) and action.name == name
    )
    before, after = (replace(right, course=right.course[:n]).account() for n in (at, at + 1))
    told: list[str] = []
    for line in after[len(before) or len(WHERE_IT_BEGINS) :]:
        told.append(line.strip())
        if CITED.search(line):
            break
    return "; ".join(told)


WHERE_IT_BEGINS = ("whose turn and which step it is", "who has priority")
"""What the first lines of every account say, before anything is done."""


def last_line_about(expected: Expectation, account: Sequence[str]) -> str:
    """The last line of an account about an expected value; empty if there is none.

    For the table, that is the last action, or the last line about who gets priority.
    """
    told = [line.strip() for line in account[len(WHERE_IT_BEGINS) :] if line]
    priority = expected.key == "priority"
    fitting = [line for line in told if (" gets priority" in line) == priority]
    if expected.about != "table":
        named = re.compile(rf"(?<!\w){re.escape(expected.about)}(?!\w)")
        fitting = [line for line in fitting if named.search(line)]
    return fitting[-1] if fitting else ""

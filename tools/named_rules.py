"""Measures whether a failing run names the broken rule, on engines whose broken rule is known.

`python -m tools named-rules` plays all fixtures on each broken engine of `conformance/mutants`, with
`--sample 60 --seed 7` on that many of them, and `--machine 150 --seed 7` on as many machine-made engines, of
which each rule counts that is cited for the changed line (`rules_of_line`). With `--swapped 150` engines take
a decision as another, and each rule counts that the decision cites. Three things may name the rule: the
failure that is found first, the failure that a run shows first, which is the smallest of the likeliest cause,
and the rules that the terminal names before the causes. A failure names the rules that its reason begins
with, one or several, as the terminal shows them. The last figure, of machine-made engines only, is about the
broken engine of ours that the first cause is said to look like.
"""

from __future__ import annotations

import functools
import importlib
import random
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import BinaryIO

import msgspec
from msgspec import Struct

from conformance.data.rulebook import newest_edition
from conformance.measure.kill_matrix import is_named
from conformance.model.scenario import Fixture
from conformance.model.verdict import Disputed, Fail
from conformance.mutants import MUTANTS, Mutant
from conformance.play.runner import Result, has_expectations, run
from conformance.play.selection import selected_fixtures
from conformance.results.causes import (
    FailureGroup,
    cause_of,
    difference_line,
    failures_by_cause,
    first_difference,
    needs_attention,
    rules_named,
)
from conformance.results.events import FinishedCheck, Likeness, result_event
from conformance.results.summary import score_of
from conformance.run.diagnosis import diagnoses
from conformance_adapters.in_process import (
    Reference,
    decisions_used,
    replaced_decisions,
    with_rules_of,
)
from reference_engine.game.game_rules import CR
from tools.code_changes import (
    MODULES,
    CodeChange,
    forget,
    identified_changes,
    module_name,
    output_of_fork,
)
from tools.machine_made import decides_nothing, rules_of_function, rules_of_line
from tools.own_mutants import begin, lines_noted
from tools.swapped_decisions import Swap, engine_with, swaps

FIRST_FEW = 3
"""Number of rules that a reader of the summary sees first."""
SECONDS = 20
"""Processor time after which a machine-made engine hangs."""


class NamedRule(Struct, frozen=True):
    """A failure, the rules that it names, and what it says."""

    check: str
    named: tuple[str, ...]
    says: str
    rules: tuple[str, ...]
    """All rules of the check."""


class Naming(Struct, frozen=True):
    """What the failures of one broken engine name."""

    engine: str
    breaks: tuple[str, ...]
    """The broken rule, or rules of which each counts."""
    found_first: NamedRule
    shown_first: NamedRule
    """The first failure of the cause that comes first."""
    causes: tuple[NamedRule, ...]
    """The first failure of each of the causes that come first, one for each rule."""
    failures: int
    naming: int
    """Number of failures that name the rule."""
    like: Likeness | None
    """What the first cause looks like."""

    def is_named_by(self, some: Iterable[NamedRule]) -> bool:
        """Whether one of these failures names the broken rule."""
        return any(is_named(rule, by) for one in some for by in one.named for rule in self.breaks)


@functools.cache
def fixtures() -> tuple[Fixture, ...]:
    """All fixtures that count, in the order in which a run plays them."""
    found = (one.fixture for one in selected_fixtures())
    return tuple(one for one in found if has_expectations(one, newest_edition()))


def results_on(engine: Reference, some: Iterable[Fixture]) -> tuple[FinishedCheck, ...]:
    """The results of these fixtures on an engine."""
    results = run(engine, some, newest_edition())
    return tuple(result_event(one, one.fixture.title, "") for one in results)


@functools.cache
def right_results() -> tuple[FinishedCheck, ...]:
    """The results of all fixtures on the reference engine."""
    return results_on(Reference(), fixtures())


@functools.cache
def decisions_of_fixtures() -> dict[str, frozenset[str]]:
    """The decisions that each fixture uses."""
    return {one.id: decisions_used(one.play, CR) for one in fixtures()}


def naming(
    engine: str, breaks: Sequence[str], checked: Sequence[FinishedCheck], *, looks_like: bool = False
) -> Naming | None:
    """What the failures among all results name; None without failures."""
    failures = [one for one in checked if score_of(one.verdict) == "failed"]
    if not failures:
        return None
    groups = failures_by_cause(filter(needs_attention, checked), checked)
    causes: dict[str, NamedRule] = {}
    for group in groups:
        if group.rule:  # a crash names none
            causes.setdefault(group.rule, named_rule(group.smallest, group.rule))
    first = groups[0].smallest
    return Naming(
        engine,
        tuple(breaks),
        named_rule(failures[0]),
        named_rule(first, groups[0].rule),
        tuple(causes.values())[:FIRST_FEW],
        len(failures),
        sum(any(is_named(rule, cause_of(one)[0]) for rule in breaks) for one in failures),
        likeness(first, groups, checked) if looks_like else None,
    )


def likeness(
    first: FinishedCheck, groups: Sequence[FailureGroup], checked: Sequence[FinishedCheck]
) -> Likeness | None:
    """The broken engine that the summary names for its first cause, if any."""
    results = (Result(fixture, one.verdict) for fixture, one in zip(fixtures(), checked, strict=True))
    diagnosed = diagnoses([group.smallest for group in groups], newest_edition(), results)
    return next((like for one in diagnosed if one.id == first.id for like in one.like), None)


def named_rule(checked: FinishedCheck, rule: str = "") -> NamedRule:
    """The rule that a failure names, as one of a cause that is about `rule`."""
    part = first_difference(checked, rule)
    because = f" ({part.because})" if part and part.because else ""
    named = rules_named(checked, part) if part else ()
    return NamedRule(checked.id, named, difference_line(checked, rule) + because, checked.rules)


# ------------------------------------------------------------------------------ broken engines by hand


def naming_of_mutant(mutant: Mutant) -> Naming | None:
    """What the failures of a broken engine name; it plays only what uses the broken decisions."""
    replaced = replaced_decisions(mutant)
    met = [one for one in fixtures() if not decisions_of_fixtures()[one.id].isdisjoint(replaced)]
    wrong = {one.id: one for one in results_on(Reference(rules=with_rules_of(mutant)), met)}
    checked = [wrong.get(one.id, one) for one in right_results()]
    return naming(mutant.name, (mutant.breaks,), checked)


# --------------------------------------------------------------------------- broken engines by machine


def machine_namings(sample: int, seed: int) -> Iterator[Naming | None]:
    """What the failures of machine-made engines name, drawn from all changes of lines that cite rules.

    Engines that crash are left out: what they report of themselves is no rule.
    """
    for module in MODULES:
        importlib.import_module(module_name(module))
    every = [
        identity
        for module in MODULES
        for identity, change in identified_changes(module)
        if rules_of_line(module, change.function, change.line) and not decides_nothing(identity)
    ]
    drawn = frozenset(random.Random(seed).sample(every, min(sample, len(every))))
    right_results()
    lines_of_fixtures()
    for module in MODULES:
        for identity, change in identified_changes(module):
            if identity in drawn:
                rules = rules_of_line(module, change.function, change.line)
                name = f"{module} {identity.id}: {identity.function}: {identity.change}"
                wrong = in_child(functools.partial(wrong_results, change, module))
                if all(isinstance(one.verdict, Fail | Disputed) for one in wrong.values()):
                    checked = [wrong.get(one.id, one) for one in right_results()]
                    yield naming(name, rules, checked, looks_like=True)


def swapped_namings(sample: int, seed: int) -> Iterator[Naming | None]:
    """What the failures of engines name that take a decision as another, drawn from those whose decision
    cites rules. Engines that crash are left out, as above.
    """
    cited = {swap: rules_of_decision(swap.decision) for swap in swaps()}
    every = [swap for swap, rules in cited.items() if rules]
    for swap in random.Random(seed).sample(every, min(sample, len(every))):
        wrong = in_child(functools.partial(wrong_with_swap, swap))
        if wrong and all(isinstance(one.verdict, Fail | Disputed) for one in wrong.values()):
            checked = [wrong.get(one.id, one) for one in right_results()]
            yield naming(str(swap), cited[swap], checked)


def rules_of_decision(name: str) -> tuple[str, ...]:
    """The rules that the function of a decision cites."""
    function = getattr(CR, name)
    return rules_of_function(f"{function.__module__.replace('.', '/')}.py", function.__qualname__)


def wrong_with_swap(swap: Swap) -> list[FinishedCheck]:
    """The failures of an engine that takes a decision as another."""
    concerned = [one for one in fixtures() if swap.decision in decisions_of_fixtures()[one.id]]
    return list(filter(needs_attention, results_on(engine_with(swap), concerned)))


@functools.cache
def lines_of_fixtures() -> dict[str, Mapping[str, set[int]]]:
    """The lines that each fixture runs, by module."""
    names = [module_name(module) for module in MODULES]
    found: dict[str, Mapping[str, set[int]]] = {}
    for fixture in fixtures():
        forget("reference_engine")
        with lines_noted(names) as lines:
            results_on(Reference(), [fixture])
        found[fixture.id] = lines
    forget("reference_engine")
    return found


def wrong_results(change: CodeChange, module: str) -> list[FinishedCheck]:
    """The failures after this change of the code, which this process keeps."""
    lines = lines_of_fixtures()
    concerned = [one for one in fixtures() if change.lines & lines[one.id][module_name(module)]]
    begin(change, module)
    return list(filter(needs_attention, results_on(Reference(), concerned)))


def in_child(make: Callable[[], list[FinishedCheck]]) -> dict[str, FinishedCheck]:
    """What a forked process makes, by id; empty if it makes nothing in time."""

    def work(told: BinaryIO) -> None:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        told.write(msgspec.json.encode(make()))

    text, status = output_of_fork(work)
    made = text if status == 0 else b"[]"
    return {one.id: one for one in msgspec.json.decode(made, type=list[FinishedCheck])}


# -------------------------------------------------------------------------------------- the report


def mutants_named(names: Sequence[str], sample: int | None = None, seed: int = 0) -> Iterator[Naming | None]:
    """What the failures of the broken engines name, all or those with these names; a sample, if limited."""
    some = [mutant for mutant in MUTANTS if not names or mutant.name in names]
    drawn = some if sample is None else random.Random(seed).sample(some, min(sample, len(some)))
    yield from map(naming_of_mutant, drawn)


def report(found: Iterable[Naming | None]) -> Iterator[str]:
    """Each engine whose rule the failure shown first does not name, as it is found; then the figures."""
    known: list[Naming] = []
    for one in found:
        if one is None:
            continue
        known.append(one)
        if not one.is_named_by((one.shown_first,)):
            yield f"{one.engine} breaks {', '.join(one.breaks)}, which {one.naming} of {one.failures} name"
            yield f"    found first: {line(one.found_first)}"
            yield from (f"    cause {place}: {line(named)}" for place, named in enumerate(one.causes, 1))
            if one.like:
                yield f"    looks as if: {one.like.story} ({one.like.mutant}, CR {one.like.breaks})"
    places: dict[str, Callable[[Naming], Iterable[NamedRule]]] = {
        "the failure found first": lambda one: (one.found_first,),
        "the failure shown first": lambda one: (one.shown_first,),
        f"one of the first {FIRST_FEW} rules shown": lambda one: one.causes,
    }
    for place, some in places.items():
        number = sum(one.is_named_by(some(one)) for one in known)
        yield f"{place} names the broken rule of {number} of {len(known)} ({number / (len(known) or 1):.1%})"
    alike = [(one, one.like.breaks) for one in known if one.like]
    right = sum(any(is_named(rule, told) for rule in one.breaks) for one, told in alike)
    yield f"the first cause looks like a broken engine {len(alike)} times, {right} times one of that rule"


def line(one: NamedRule) -> str:
    return f"{one.check} [{', '.join(one.rules)}] {one.says}"

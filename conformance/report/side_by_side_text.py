"""Compares runs: rule by rule, what only one engine fails, and what changed between runs of one engine.

The runs are read from files of `--json`; everything here is turned into lines of plain text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from msgspec import Struct

from conformance.data.rulebook import gist_of, in_order_of_rules
from conformance.results.causes import difference_line
from conformance.results.events import FinishedCheck, Run
from conformance.results.summary import Score, by_rule, score_of


class NamedRun(Struct, frozen=True, dict=True):
    """A run, and its name in the comparison."""

    name: str
    run: Run

    @cached_property
    def checks(self) -> dict[str, FinishedCheck]:
        """The checks of the run by id."""
        return {one.id: one for one in self.run.checked}


class ResultChange(Struct, frozen=True):
    """A check whose result changed."""

    what: str
    before: FinishedCheck | None
    after: FinishedCheck | None


def comparison_lines(runs: Sequence[Run]) -> Iterator[str]:
    """The comparison of several runs."""
    named = names_for(runs)
    yield from lines_of_runs(named)
    yield ""
    yield from lines_of_rules(named)
    for one in named:
        yield from lines_of_alone(one, named)
    for before, after in pairs_of_one_engine(named):
        yield from lines_of_changes(before, after)


def names_for(runs: Sequence[Run]) -> list[NamedRun]:
    """The runs with distinct names: the engine's name, with its version or else a number if needed."""
    engines = [run.began.engine for run in runs]
    names = [engine.name for engine in engines]
    if len(set(names)) < len(names):
        names = [f"{engine.name} {engine.version}".strip() for engine in engines]
    if len(set(names)) < len(names):
        names = [f"{name} #{number}" for number, name in enumerate(names, 1)]
    return [NamedRun(name, run) for name, run in zip(names, runs, strict=True)]


# ------------------------------------------------------------------------------------ side by side


def lines_of_runs(named: Sequence[NamedRun]) -> Iterator[str]:
    """One line for each run: engine, date, edition and counts."""
    width = max(len(one.name) for one in named)
    for one in named:
        began = one.run.began
        cut_off = "" if one.run.is_whole else ", cut off"
        yield f"{one.name:{width}}  {one.run.counts}  (rules of {began.edition}, {began.at[:10]}{cut_off})"


def lines_of_rules(named: Sequence[NamedRun]) -> Iterator[str]:
    """One line for each rule on which the runs differ: how many checks passed in each."""
    tables = [by_rule(one.run.checked) for one in named]
    every = sorted({rule for table in tables for rule in table}, key=in_order_of_rules)
    width = [max(len(one.name), 9) for one in named]
    rows = []
    for rule in every:
        cells = [
            f"{counts.passed}/{counts.total}" if (counts := table.get(rule)) else "-" for table in tables
        ]
        if len(set(cells)) > 1:
            shown = "  ".join(f"{cell:>{wide}}" for cell, wide in zip(cells, width, strict=True))
            rows.append(f"{rule:8}  {shown}  {gist_of(rule)}".rstrip())
    alike = len(every) - len(rows)
    if rows:
        yield f"{'passed':8}  " + "  ".join(
            f"{one.name:>{wide}}" for one, wide in zip(named, width, strict=True)
        )
        yield from rows
    yield f"{alike} rules are the same for all" if alike != 1 else "1 rule is the same for all"


def lines_of_alone(one: NamedRun, named: Sequence[NamedRun]) -> Iterator[str]:
    """The checks that this run fails and every other run that played them passes."""
    alone = [checked for checked in one.run.checked if fails_alone(checked, one, named)]
    if not alone:
        return
    yield ""
    yield f"only {one.name} fails {len(alone)}:"
    for checked in alone:
        yield f"  {checked.id} {checked.name}: {difference_line(checked)}"


def fails_alone(checked: FinishedCheck, one: NamedRun, named: Sequence[NamedRun]) -> bool:
    """Whether a check fails in this run, and was played in others but fails in none of them."""
    others = [score_in(other, checked.id) for other in named if other is not one]
    played = [score for score in others if score in ("passed", "failed")]
    return score_of(checked.verdict) == "failed" and bool(played) and set(played) == {"passed"}


def score_in(one: NamedRun, id: str) -> Score | None:
    """The score of a check in a run; None if it was not part of it."""
    checked = one.checks.get(id)
    return score_of(checked.verdict) if checked else None


# ------------------------------------------------------------------------------ one engine, twice


def pairs_of_one_engine(named: Sequence[NamedRun]) -> Iterator[tuple[NamedRun, NamedRun]]:
    """Each pair of consecutive runs of one engine, the earlier one first."""
    engines: dict[str, list[NamedRun]] = {}
    for one in named:
        engines.setdefault(one.run.began.engine.name, []).append(one)
    for runs in engines.values():
        yield from pairwise(runs)


def lines_of_changes(before: NamedRun, after: NamedRun) -> Iterator[str]:
    """What changed in the later of two runs of one engine."""
    changes = list(changes_between(before.checks, after.checks))
    yield ""
    if not changes:
        yield f"{after.name}: nothing changed since {before.name}"
        return
    yield f"{after.name}, changed since {before.name}:"
    for change in changes:
        one = change.after or change.before
        assert one is not None  # it is in at least one of them
        failed = change.after and score_of(change.after.verdict) == "failed"
        yield f"  {change.what:15} {one.id} {one.name}" + (f": {difference_line(one)}" if failed else "")


def changes_between(
    before: Mapping[str, FinishedCheck],
    after: Mapping[str, FinishedCheck],
) -> Iterator[ResultChange]:
    """Each check whose result changed, worst changes first."""
    found = []
    for id in {**before, **after}:
        then, now = before.get(id), after.get(id)
        what = change_in_a_word(then, now)
        if what:
            found.append(ResultChange(what, then, now))
    yield from sorted(found, key=lambda change: ORDER_OF_CHANGES.index(change.what))


ORDER_OF_CHANGES = ("now fails", "lost", "fails otherwise", "fixed", "now played", "new", "gone", "other")
"""The words for changes, worst first."""


def change_in_a_word(before: FinishedCheck | None, after: FinishedCheck | None) -> str:
    """The change in a check's result, in a word; empty if there is none."""
    if before is None or after is None:
        return "new" if before is None else "gone"
    then, now = score_of(before.verdict), score_of(after.verdict)
    if then == now:
        return (
            "fails otherwise" if now == "failed" and difference_line(before) != difference_line(after) else ""
        )
    if now == "failed":
        return "now fails"
    if then in ("passed", "failed") and now in ("unsupported", "not run"):
        return "lost"
    if now == "passed":
        return "fixed" if then == "failed" else "now played"
    return "other"

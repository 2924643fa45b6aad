"""The outcome of a run: counts by result and by rule, and an exit code that CI can rely on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Protocol, assert_never

from msgspec import Struct

from conformance.data.rulebook import in_order_of_rules
from conformance.model.verdict import (
    Crash,
    Disputed,
    Fail,
    Hang,
    Nondeterministic,
    NotRun,
    PassVerdict,
    ProtocolBreach,
    Unsupported,
    Verdict,
)

Score = Literal["passed", "failed", "unsupported", "disputed", "not run"]
SCORES: tuple[Score, ...] = ("passed", "failed", "unsupported", "disputed", "not run")
ALWAYS_SAID: tuple[Score, ...] = ("passed", "failed", "unsupported")

AGREED = 0
DISAGREED = 1
REFUSED = 2
NO_ENGINE = 3
STALE = 4
INCONCLUSIVE = 5
INTERRUPTED = 130
TERMINATED = 143


def score_of(verdict: Verdict) -> Score:
    """The score of a verdict; an engine that crashed has failed."""
    match verdict:
        case PassVerdict():
            return "passed"
        case Fail() | ProtocolBreach() | Crash() | Hang() | Nondeterministic():
            return "failed"
        case Unsupported():
            return "unsupported"
        case Disputed():
            return "disputed"
        case NotRun():
            return "not run"
        case _:
            assert_never(verdict)


class HasScore(Protocol):
    """Anything with a score and cited rules."""

    @property
    def rules(self) -> tuple[str, ...]: ...
    @property
    def verdict(self) -> Verdict: ...


class Counts(Struct, frozen=True):
    """Number of checks by score."""

    passed: int = 0
    failed: int = 0
    unsupported: int = 0
    disputed: int = 0
    not_run: int = 0

    def of(self, score: Score) -> int:
        """Number of checks with this score."""
        count: int = getattr(self, score.replace(" ", "_"))
        return count

    @property
    def scored(self) -> int:
        """Number of checks that were asked and count."""
        return self.passed + self.failed + self.unsupported

    @property
    def total(self) -> int:
        """Total number of checks."""
        return sum(map(self.of, SCORES))

    @property
    def shown_scores(self) -> list[Score]:
        """The scores to show: the usual ones always, the others only if there are any."""
        return [score for score in SCORES if score in ALWAYS_SAID or self.of(score)]

    @property
    def nothing_asked(self) -> bool:
        """Whether no check got an answer that could be judged."""
        return not (self.passed or self.failed or self.disputed)

    def __str__(self) -> str:
        """`N passed, N failed, N unsupported (N%)`, and the other scores if there are any."""
        share = f" ({share_of(self.unsupported, self.scored)})" if self.unsupported else ""
        return ", ".join(
            f"{self.of(score)} {score}{share if score == 'unsupported' else ''}"
            for score in self.shown_scores
        )


def share_of(count: int, whole: int) -> str:
    """A percentage; 0% and 100% appear only for none and all."""
    percent = round(100 * count / whole)
    if percent == 0 and count:
        return "<1%"
    return ">99%" if percent == 100 and count < whole else f"{percent}%"


def counts_of(results: Iterable[HasScore]) -> Counts:
    """Number of results by score."""
    scores = [score_of(result.verdict) for result in results]
    return Counts(**{score.replace(" ", "_"): scores.count(score) for score in SCORES})


def by_rule(results: Iterable[HasScore]) -> dict[str, Counts]:
    """Counts for each cited rule, in the order of the rules."""
    citing: dict[str, list[HasScore]] = {}
    for result in results:
        for rule in result.rules:
            citing.setdefault(rule, []).append(result)
    return {rule: counts_of(citing[rule]) for rule in sorted(citing, key=in_order_of_rules)}


def by_chapter(results: Iterable[HasScore]) -> dict[str, Counts]:
    """Counts for each chapter: a check counts once in each chapter that it cites."""
    citing: dict[str, list[HasScore]] = {}
    for result in results:
        for chapter in dict.fromkeys(rule.partition(".")[0] for rule in result.rules):
            citing.setdefault(chapter, []).append(result)
    return {chapter: counts_of(citing[chapter]) for chapter in sorted(citing, key=in_order_of_rules)}


def exit_code(
    counts: Counts, *, unexpected: int | None = None, lost: int = 0, stale: int = 0, too_little: bool = False
) -> int:
    """The exit code of a run.

    The first that applies: 3 the engine could not go on; 1 it disagreed and the disagreement is not listed
    (without a list: any disagreement), or a check is lost; 5 nothing passed, or too little is supported; 4
    the list is out of date; 0 it agreed. A wrong argument ends a run earlier, with 2.
    """
    if counts.not_run:
        return NO_ENGINE
    if lost or (counts.failed if unexpected is None else unexpected):
        return DISAGREED
    if too_little or not counts.passed:
        return INCONCLUSIVE
    return STALE if stale else AGREED

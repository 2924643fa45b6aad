"""The feature to implement next: the one that would let the most checks be played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from conformance.model.features import FEATURES
from conformance.results.summary import Score


class GainOfFeature(Struct, frozen=True):
    """What implementing one more feature would gain."""

    feature: str
    """A feature of the closed list; if none explains the gap, the engine's most frequent reason."""
    checks: int
    """Number of unsupported checks that need it."""
    alone: int
    """Number of those that need nothing else that is missing."""
    known: bool = True
    """Whether it is a feature of the closed list."""

    def __str__(self) -> str:
        """The sentence at the end of a run."""
        if not self.known:
            often = "" if self.checks == 1 else f"most often ({self.checks} unsupported checks) "
            return f"{often}it says: {self.feature}"
        others = self.checks - self.alone
        if not self.alone:
            return f"next: {self.feature}; {checks(self.checks)} need it and something else"
        return f"next: {self.feature}, which alone would add {checks(self.alone)}" + (
            f", and {others} more need it and something else" if others else ""
        )


def checks(number: int) -> str:
    """The number with its noun: `1 check` or `2 checks`."""
    return f"{number} check" if number == 1 else f"{number} checks"


def most_gained(
    results: Sequence[tuple[Score, frozenset[str], str]], lacks: Iterable[str] = (), *, part: bool = False
) -> GainOfFeature | None:
    """The feature that would gain the most checks, given each check's score, needed features and reason.

    A feature is missing if the engine says it lacks it, or if no played check uses it. Ties go to the feature
    that comes earlier in the list of features, which is sorted from easy to hard. None if every check was
    played, or if only a `part` of the suite was asked and none of it was played: then too little is known.
    """
    unsupported = [(needs, says) for score, needs, says in results if score == "unsupported"]
    if not unsupported:
        return None
    shown = {feature for score, needs, _ in results if score in ("passed", "failed") for feature in needs}
    has = shown - set(lacks)
    missing = [needs - has for needs, _ in unsupported]
    needed = Counter(feature for some in missing for feature in some)
    alone = Counter(feature for some in missing if len(some) == 1 for feature in some)
    if not needed or (part and not shown):
        says, times = Counter(says for _, says in unsupported).most_common(1)[0]
        return GainOfFeature(says, times, 0, known=False)
    best = max(FEATURES, key=lambda feature: (alone[feature], needed[feature]))
    return GainOfFeature(best, needed[best], alone[best])

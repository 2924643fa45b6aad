"""What an author had best build next: the feature that would let most checks be played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from conformance.model.features import FEATURES
from conformance.results.summary import Score


class Gain(Struct, frozen=True):
    """What one more feature would add."""

    feature: str
    """A feature of the closed list; if none explains it, what the engine says most often."""
    checks: int
    """So many unsupported checks need it."""
    alone: int
    """So many of them need nothing else that is not there yet."""
    known: bool = True
    """Whether it is a feature of the closed list."""

    def __str__(self) -> str:
        """As the end of a run says it."""
        if not self.known:
            often = "" if self.checks == 1 else f"most often ({self.checks} unsupported checks) "
            return f"{often}it says: {self.feature}"
        others = self.checks - self.alone
        if not self.alone:
            return f"next: {self.feature}; {checks(self.checks)} cannot do without it, nor with it alone"
        return f"next: {self.feature}, which alone would add {checks(self.alone)}" + (
            f", and {others} more need it besides something else" if others else ""
        )


def checks(number: int) -> str:
    """A number of checks in words."""
    return f"{number} check" if number == 1 else f"{number} checks"


def most_gained(
    results: Sequence[tuple[Score, frozenset[str], str]], lacks: Iterable[str] = (), *, part: bool = False
) -> Gain | None:
    """The feature that would add most checks, from what each check came to, needs, and what was said of it.

    Missing is what the engine says it lacks, and what no check that it played shows. Of equals the one
    that stands earlier in the list of features, which goes from easy to hard. None if every check was played.
    If only a `part` of all was asked and nothing of it played, too little is known to name one.
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
        return Gain(says, times, 0, known=False)
    best = max(FEATURES, key=lambda feature: (alone[feature], needed[feature]))
    return Gain(best, needed[best], alone[best])

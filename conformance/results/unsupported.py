"""What an engine cannot play, by the reason it gives, the most frequent first: its author's list of work."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from conformance.model.verdict import Unsupported, Verdict

MOST_REASONS = 10
"""Number of reasons that are shown; the others are counted."""
PARTICULARS = re.compile(r"'[^']*'|\"[^\"]*\"|\b\d+\b")
"""What of a reason differs from check to check: what is quoted, and numbers."""
CARD = re.compile(r" \([^()]*\)$")
"""The card a reason is about, as shims add it: `the instruction reveal (Goblin Guide)`."""


class Reason(Struct, frozen=True):
    """A reason, and how many checks have it."""

    checks: int
    says: str

    def __str__(self) -> str:
        """In a line."""
        return f"{self.checks} × {self.says}"


def reasons(verdicts: Iterable[Verdict]) -> list[Reason]:
    """Why checks are unsupported, the most frequent reason first."""
    return by_frequency(reason_of(one) for one in verdicts if isinstance(one, Unsupported))


def by_frequency(reasons: Iterable[str]) -> list[Reason]:
    """Each reason once, the most frequent first; of equals the one that came first."""
    return [Reason(checks, says) for says, checks in Counter(reasons).most_common()]


def reason_of(verdict: Unsupported) -> str:
    """What is missing, without what belongs to the single check: its objects, its looks, its cards."""
    missing = next((part for part in verdict.parts if part.outcome == "unsupported"), None)
    if missing is None:
        says = verdict.says
    elif missing.key == "stopped":
        says = missing.observed.removeprefix("unsupported: ")
    else:
        says = f"{missing.key} {missing.observed}"
    return CARD.sub("", PARTICULARS.sub("…", says))


def lines_of_reasons(every: Sequence[Reason]) -> Iterator[str]:
    """The most frequent reasons with their numbers of checks, and how many there are besides."""
    if every:
        yield "unsupported, by reason:"
    yield from (f"  {one}" for one in every[:MOST_REASONS])
    others = every[MOST_REASONS:]
    if others:
        yield f"  {sum(one.checks for one in others)} × {len(others)} other reasons"

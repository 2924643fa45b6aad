"""What an engine cannot play, by reason, most frequent first: a to-do list for its author."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from conformance.model.verdict import Unsupported, Verdict

MOST_REASONS = 10
"""Maximum number of reasons to show; the others are counted."""
PARTICULARS = re.compile(r"'[^']*'|\"[^\"]*\"|\b\d+\b")
"""The parts of a reason that differ between checks: quoted text and numbers."""
CARD = re.compile(r" \([^()]*\)$")
"""The card that a shim adds to its reason: `the instruction reveal (Goblin Guide)`."""


class UnsupportedReason(Struct, frozen=True):
    """A reason, and the number of checks that have it."""

    checks: int
    says: str

    def __str__(self) -> str:
        return f"{self.checks} × {self.says}"


def reasons(verdicts: Iterable[Verdict]) -> list[UnsupportedReason]:
    """The reasons why checks are unsupported, most frequent first."""
    return by_frequency(reason_of(one) for one in verdicts if isinstance(one, Unsupported))


def by_frequency(reasons: Iterable[str]) -> list[UnsupportedReason]:
    """The distinct reasons, most frequent first; ties keep their order."""
    return [UnsupportedReason(checks, says) for says, checks in Counter(reasons).most_common()]


def reason_of(verdict: Unsupported) -> str:
    """The reason without the details of one check: its objects, looks and cards."""
    missing = next((part for part in verdict.parts if part.outcome == "unsupported"), None)
    if missing is None:
        says = verdict.says
    elif missing.key == "stopped":
        says = missing.observed.removeprefix("unsupported: ")
    else:
        says = f"{missing.key} {missing.observed}"
    return CARD.sub("", PARTICULARS.sub("…", says))


def lines_of_reasons(every: Sequence[UnsupportedReason]) -> Iterator[str]:
    """The most frequent reasons with their counts, and the number of other reasons."""
    if every:
        yield "unsupported, by reason:"
    yield from (f"  {one}" for one in every[:MOST_REASONS])
    others = every[MOST_REASONS:]
    if others:
        yield f"  {sum(one.checks for one in others)} × {len(others)} other reasons"

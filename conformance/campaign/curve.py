"""Causes found against cases played: does a campaign still find something, and which budget finds more?

Shards count in the order in which they were chosen, not in which they came back, so the curve is the same for
any number of workers. Several campaigns are joined to causes together, so that a cause is the same in all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from msgspec import Struct

from conformance.campaign.store import CauseLooks, Store, causes_by_looks


class CauseCurve(Struct, frozen=True):
    """How many causes were found after how many cases; a step for each shard that found a new one."""

    cases: tuple[int, ...]
    causes: tuple[int, ...]
    total: int
    """Number of cases at the end."""

    def at(self, cases: int) -> int:
        """Number of causes found within this many cases."""
        step = bisect_right(self.cases, cases)
        return self.causes[step - 1] if step else 0


def cause_curves(stores: Sequence[Store], engine: str) -> list[CauseCurve]:
    """The curve of an engine in each of these campaigns."""
    names = causes_by_looks([row for store in stores for row in store.rows(engine)])
    return [curve_of(store.history(engine), names) for store in stores]


def curve_of(
    history: Sequence[tuple[int, tuple[CauseLooks, ...]]], names: dict[CauseLooks, tuple[str, ...]]
) -> CauseCurve:
    """The curve of shards, each with its cases and what it found."""
    ends = list(accumulate(cases for cases, _ in history))
    known: set[tuple[str, ...]] = set()
    steps: list[tuple[int, int]] = []
    for end, (_, found) in zip(ends, history, strict=True):
        new = {names[looks] for looks in found} - known
        if new:
            known |= new
            steps.append((end, len(known)))
    return CauseCurve(
        tuple(end for end, _ in steps), tuple(number for _, number in steps), ends[-1] if ends else 0
    )

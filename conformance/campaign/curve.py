"""Causes found against cases played: does a campaign still find something, and which budget finds more?

Shards count in the order in which they were chosen, not in which they came back, so the curve is the same for
any number of workers. Several campaigns are joined to causes together, so that a cause is the same in all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Hashable, Sequence

from msgspec import Struct

from conformance.campaign.store import Store, causes_by_looks


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


def cause_curves(stores: Sequence[Store], engine: str) -> tuple[CauseCurve, ...]:
    """The curve of an engine in each of these campaigns."""
    names = causes_by_looks([row for store in stores for row in store.rows(engine)])
    return tuple(
        curve_of([(cases, {names[looks] for looks in found}) for cases, found in store.history(engine)])
        for store in stores
    )


def curve_of(history: Sequence[tuple[int, Collection[Hashable]]]) -> CauseCurve:
    """The curve of shards, each with the number of its cases and the causes that it found."""
    known: set[Hashable] = set()
    steps: list[tuple[int, int]] = []
    end = 0
    for cases, found in history:
        end += cases
        if not known.issuperset(found):
            known.update(found)
            steps.append((end, len(known)))
    return CauseCurve(tuple(at for at, _ in steps), tuple(number for _, number in steps), end)

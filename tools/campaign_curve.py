"""Compares campaigns by the causes that they found: against the cases that they played, as a table.

The campaigns share engines: one with `--even`, one without, say. All engines that finished in every campaign
count together; each cause counts once for each engine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from conformance.campaign.curve import CauseCurve, cause_curves
from conformance.campaign.store import Store, open_to_read

STEPS = 12
"""Number of rows of the table."""


def compared_engines(stores: Sequence[Store]) -> list[str]:
    """The engines of all campaigns that played their whole budget in each of them."""
    finished = [
        {one.engine for one in store.totals() if one.shards + one.aside >= (store.plan.shards_each or 1)}
        for store in stores
    ]
    return [one.name for one in stores[0].plan.engines if all(one.name in some for some in finished)]


def lines(folders: Sequence[Path]) -> Iterator[str]:
    """The table in Markdown: causes, and engines with at least one, after so many cases of each engine."""
    with ExitStack() as ended:
        stores = [ended.enter_context(open_to_read(folder)) for folder in folders]
        engines = compared_engines(stores)
        curves = [cause_curves(stores, engine) for engine in engines]
    names = [
        f"{folder.name}, {'even' if one.plan.even else 'where it pays'}"
        for folder, one in zip(folders, stores, strict=True)
    ]
    yield f"{len(engines)} engines finished in all campaigns."
    yield ""
    heads = [f"causes, {name}" for name in names] + [f"engines noticed, {name}" for name in names]
    yield f"| cases of each engine | {' | '.join(heads)} |"
    yield "|---:|" + "---:|" * 2 * len(names)
    for cases in grid(curves):
        causes = [sum(each[n].at(cases) for each in curves) for n in range(len(stores))]
        noticed = [sum(each[n].at(cases) > 0 for each in curves) for n in range(len(stores))]
        yield f"| {cases:,} | {' | '.join(f'{one:,}' for one in (*causes, *noticed))} |"


def grid(curves: Sequence[Sequence[CauseCurve]]) -> list[int]:
    """Numbers of cases to compare at, evenly spread."""
    last = max((curve.total for each in curves for curve in each), default=0)
    return sorted({last * n // STEPS for n in range(1, STEPS + 1)} - {0})

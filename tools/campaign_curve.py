"""Compares budgets by the causes that they find: against the cases that they play, as a table and a drawing.

`python -m tools campaign-curve DIR DIR` compares finished campaigns over the same engines, one with `--even`
and one without, say. All engines that played their whole budget in every campaign count together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from conformance.campaign.curve import CauseCurve, cause_curves
from conformance.campaign.store import Store, open_to_read
from conformance.pages.curves import CurveShown, svg_of_curves

STEPS = 12
"""Number of rows of the table."""
Curves = Sequence[Sequence[CauseCurve]]
"""For each engine, its curve by each budget."""


def of_folders(folders: Sequence[Path]) -> tuple[list[str], Curves]:
    """The names of campaigns, and the curves of the engines that finished in all of them."""
    with ExitStack() as ended:
        stores = [ended.enter_context(open_to_read(folder)) for folder in folders]
        names = [
            f"{folder.name} ({'even' if store.plan.even else 'where it pays'})"
            for folder, store in zip(folders, stores, strict=True)
        ]
        return names, [cause_curves(stores, engine) for engine in compared_engines(stores)]


def compared_engines(stores: Sequence[Store]) -> list[str]:
    """The engines of all campaigns that played their whole budget in each of them."""
    finished = [
        {one.engine for one in store.totals() if one.shards + one.aside >= (store.plan.shards_each or 1)}
        for store in stores
    ]
    return [one.name for one in stores[0].plan.engines if all(one.name in some for some in finished)]


def table(names: Sequence[str], curves: Curves) -> Iterator[str]:
    """A Markdown table: how many causes are known after each number of cases, and of how many engines."""
    yield f"{len(curves)} engines that every budget finished, {len(noticed(curves))} of them noticed."
    yield ""
    heads = [f"causes, {name}" for name in names] + [f"engines noticed, {name}" for name in names]
    yield f"| cases of each engine | {' | '.join(heads)} |"
    yield "|---:|" + "---:|" * 2 * len(names)
    for cases in grid(curves):
        causes = [sum(each[n].at(cases) for each in curves) for n in range(len(names))]
        found = [sum(each[n].at(cases) > 0 for each in curves) for n in range(len(names))]
        yield f"| {cases:,} | {' | '.join(f'{one:,}' for one in (*causes, *found))} |"


def noticed(curves: Curves) -> list[Sequence[CauseCurve]]:
    """The engines of which any budget found a cause."""
    return [each for each in curves if any(curve.causes for curve in each)]


def grid(curves: Curves, steps: int = STEPS) -> list[int]:
    """Numbers of cases to compare at, evenly spread."""
    last = max((curve.total for each in curves for curve in each), default=0)
    return sorted({last * n // steps for n in range(1, steps + 1)} - {0})


def drawing(names: Sequence[str], curves: Curves) -> str:
    """The causes of all engines together as a picture."""
    at = [0, *grid(curves, 100)]
    return svg_of_curves(
        "Causes found against cases played",
        tuple(
            CurveShown(name, tuple((cases, sum(each[n].at(cases) for each in curves)) for cases in at))
            for n, name in enumerate(names)
        ),
    )

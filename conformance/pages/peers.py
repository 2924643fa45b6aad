"""The page of `conformance bench peers --html`: engines beside one another, work by work, as bars."""

from __future__ import annotations

import math

from msgspec import Struct

from conformance.model.peer_report import EMPTY_ENGINE, PeerReport, PeerTiming
from conformance.pages.page import page


class RateBar(Struct, frozen=True):
    """An engine's rate as a bar: numbers from 0 to 100, on a scale where each step is ten times as much."""

    engine: str
    a_second: str
    end: float
    low: float
    high: float
    processor: float
    """The engine's own processor time per play, in milliseconds."""
    limit: bool
    """Whether it is the empty engine."""


class WorkShown(Struct, frozen=True):
    """One work, with a bar for each engine that plays it."""

    name: str
    scenarios: int
    bars: tuple[RateBar, ...]
    absent: tuple[str, ...]


def peers_page(report: PeerReport) -> str:
    """The page of a report."""
    rates = [1 / time for one in report.timings for time in (one.fast, one.slow)]
    scale = scale_of(rates)
    works = tuple(
        WorkShown(
            name,
            scenarios,
            tuple(bar(one, scale) for one in report.of_work(name)),
            tuple(engine for engine, work in report.not_played if work == name),
        )
        for name, scenarios in report.numbers
    )
    powers = range(scale[0], scale[1] + 1)
    marks = tuple((in_figures(10.0**power), place(10.0**power, scale)) for power in powers)
    return page("peers.html", title="Engines side by side: speed", report=report, works=works, marks=marks)


def in_figures(rate: float) -> str:
    """A rate with its significant figures only."""
    return f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def scale_of(rates: list[float]) -> tuple[int, int]:
    """The powers of ten that enclose all rates."""
    if not rates:
        return (0, 1)
    low, high = math.floor(math.log10(min(rates))), math.ceil(math.log10(max(rates)))
    return low, max(high, low + 1)


def place(rate: float, scale: tuple[int, int]) -> float:
    """The position of a rate on the scale, from 0 to 100."""
    return round(100 * (math.log10(rate) - scale[0]) / (scale[1] - scale[0]), 2)


def bar(timing: PeerTiming, scale: tuple[int, int]) -> RateBar:
    """The bar of one engine."""
    return RateBar(
        timing.engine,
        in_figures(1 / timing.median),
        place(1 / timing.median, scale),
        place(1 / timing.slow, scale),
        place(1 / timing.fast, scale),
        timing.processor * 1000,
        timing.engine == EMPTY_ENGINE,
    )

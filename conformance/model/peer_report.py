"""How fast several engines do the same work: the values that `bench peers` measures, prints and draws."""

from __future__ import annotations

from msgspec import Struct

EMPTY_ENGINE = "an empty engine"
"""Name of the engine that plays nothing and sends stored answers, to measure the pipe itself."""


class PeerStart(Struct, frozen=True):
    """The startup times of an engine, in seconds."""

    engine: str
    name: str
    """What the engine calls itself, with its version."""
    start: float
    """Time from its start to its description of itself."""
    first: float | None
    """Time of its very first play; None if it plays none of the work."""


class PeerTiming(Struct, frozen=True):
    """Time that an engine takes for one play of some work, in seconds."""

    engine: str
    work: str
    plays: int
    """Number of plays measured."""
    median: float
    fast: float
    """A tenth of the plays took no longer than this."""
    slow: float
    """A tenth of the plays took at least this long."""
    processor: float
    """Processor time per play, over all processes of the engine."""
    ours: float
    """Processor time per play that the suite itself takes."""


class PeerReport(Struct, frozen=True):
    """All measurements of one run."""

    rounds: int
    load: float | None
    """Load of the machine per core at the end of the run; None if the system does not report it."""
    starts: tuple[PeerStart, ...]
    timings: tuple[PeerTiming, ...]
    not_played: tuple[tuple[str, str], ...]
    """Pairs of an engine and a work of which it plays nothing."""
    numbers: tuple[tuple[str, int], ...]
    """For each work, the number of different scenarios that every engine with this work played."""

    def of_work(self, work: str) -> tuple[PeerTiming, ...]:
        """The timings of one work, in the order of the engines."""
        return tuple(timing for timing in self.timings if timing.work == work)


def lines_of_peers(report: PeerReport) -> list[str]:
    """The report as a table in text."""
    wide = max(len(start.engine) for start in report.starts)
    lines = [f"{'':{wide}}     start  first play"]
    for one in report.starts:
        first = "        –" if one.first is None else f"{one.first * 1000:>6,.0f} ms"
        lines.append(f"{one.engine:{wide}}  {one.start * 1000:>5,.0f} ms   {first}  {one.name}")
    for work, number in report.numbers:
        lines += ["", work if number == 1 else f"{work} ({number} scenarios)"]
        for timing in report.of_work(work):
            spread = f"{1 / timing.slow:,.0f}–{1 / timing.fast:,.0f}"
            lines.append(
                f"{timing.engine:{wide}}  {1 / timing.median:>8,.1f} a second  (spread {spread})"
                f"  processor {timing.processor * 1000:.2f} ms, suite {timing.ours * 1000:.2f} ms"
            )
        lines += [f"{engine:{wide}}  does not play it" for engine, of in report.not_played if of == work]
    load = "" if report.load is None else f", load {report.load:.1f} for each core"
    return [*lines, "", f"{report.rounds} round{'s' if report.rounds > 1 else ''}{load}"]

"""The bar on the terminal while checks come out: how many, how fast, how long still."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import fstat
from time import monotonic
from typing import BinaryIO, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from conformance.results.events import PhaseBegan

Item = TypeVar("Item")


class CountColumn(ProgressColumn):
    """How many came out, and of how many."""

    def render(self, task: Task) -> Text:
        """`12/208`, or `12/?` as long as nobody knows."""
        whole = "?" if task.total is None else f"{task.total:.0f}"
        return Text(f"{task.completed:.0f}/{whole}")


class RateColumn(ProgressColumn):
    """How many come out in a second."""

    def render(self, task: Task) -> Text:
        """The rate, as soon as there is one."""
        rate = task.finished_speed or task.speed
        return Text("" if rate is None else f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s")


class LeftColumn(ProgressColumn):
    """How long it still takes: by the rate, and no longer than the time that a search has."""

    def render(self, task: Task) -> Text:
        """The time left, if anything is known about it."""
        if task.finished:
            return Text("")
        limit: float | None = task.fields["seconds"]
        over = None if limit is None else limit - (task.elapsed or 0.0)
        if over is not None and over <= 0:
            return Text("time is up: one case each")
        by_rate = task.time_remaining
        known = [left for left in (over, by_rate) if left is not None]
        if not known:
            return Text("")
        at_most = "at most " if by_rate is None or (over is not None and over < by_rate) else ""
        return Text(f"{at_most}{in_minutes(min(known))} left")


def in_minutes(seconds: float) -> str:
    """`0:07`, `12:30`."""
    whole = int(seconds + 0.5)
    return f"{whole // 60}:{whole % 60:02}"


class Watching:
    """A bar with a line for each phase of a run; it is gone when it is done with."""

    def __init__(self, console: Console, clock: Callable[[], float] = monotonic) -> None:
        self.bar = Progress(
            TextColumn("{task.description}"),
            *(BarColumn(), CountColumn(), RateColumn(), LeftColumn()),
            console=console,
            transient=True,
            get_time=clock,
        )
        self._phase: TaskID | None = None

    def start(self) -> None:
        """Show it."""
        self.bar.start()

    def begin(self, phase: PhaseBegan) -> None:
        """From now on, what comes out belongs to this phase; the one before is complete."""
        if self._phase is not None:
            [before] = [task for task in self.bar.tasks if task.id == self._phase]
            self.bar.update(before.id, total=before.completed)
        self._phase = self.bar.add_task(phase.phase, total=phase.at_most, seconds=phase.seconds)

    def came_out(self) -> None:
        """One more came out."""
        if self._phase is not None:
            self.bar.advance(self._phase)

    def stop(self) -> None:
        """Take it away."""
        self.bar.stop()


def of_file(file: BinaryIO, items: Iterable[Item], console: Console | None) -> Iterator[Item]:
    """The same items, with a bar on the terminal that says how much of the file they come from is read."""
    if console is None:
        yield from items
        return
    columns = (BarColumn(), DownloadColumn(), TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=fstat(file.fileno()).st_size)
        for number, item in enumerate(items):
            yield item
            if number % 50 == 0:
                progress.update(task, completed=file.tell())

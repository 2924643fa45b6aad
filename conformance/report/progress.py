"""The progress bar on the terminal: number of checks, rate, time left."""

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

_Item = TypeVar("_Item")


class CountColumn(ProgressColumn):
    """Number of finished checks, and the total."""

    def render(self, task: Task) -> Text:
        """`12/208`, or `12/?` while the total is unknown."""
        whole = "?" if task.total is None else f"{task.total:.0f}"
        return Text(f"{task.completed:.0f}/{whole}")


class FailedColumn(ProgressColumn):
    """Number of checks that failed, if any."""

    def render(self, task: Task) -> Text:
        """`3 failed`."""
        failed = task.fields["failed"]
        return Text(f"{failed} failed" if failed else "")


class RateColumn(ProgressColumn):
    """Checks per second."""

    def render(self, task: Task) -> Text:
        """The rate, as soon as there is one."""
        rate = task.finished_speed or task.speed
        return Text("" if rate is None else f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s")


class LeftColumn(ProgressColumn):
    """Time left: by the rate, but no more than the time limit of a search."""

    def render(self, task: Task) -> Text:
        """The time left, if known."""
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
    """A progress bar with one line for each phase of a run; it disappears at the end."""

    def __init__(self, console: Console, clock: Callable[[], float] = monotonic) -> None:
        self.bar = Progress(
            TextColumn("{task.description}"),
            *(BarColumn(), CountColumn(), FailedColumn(), RateColumn(), LeftColumn()),
            console=console,
            transient=True,
            get_time=clock,
        )
        self._phase: TaskID | None = None
        self._failed = 0

    def start(self) -> None:
        """Show the bar."""
        self.bar.start()

    def begin(self, phase: PhaseBegan) -> None:
        """Complete the previous phase, and begin this one."""
        if self._phase is not None:
            [before] = [task for task in self.bar.tasks if task.id == self._phase]
            self.bar.update(before.id, total=before.completed)
        self._phase = self.bar.add_task(phase.phase, total=phase.at_most, seconds=phase.seconds, failed=0)
        self._failed = 0

    def count_check(self, *, failed: bool = False) -> None:
        """Count one finished check in the current phase."""
        if self._phase is not None:
            self._failed += failed
            self.bar.update(self._phase, advance=1, failed=self._failed)

    def stop(self) -> None:
        """Remove the bar."""
        self.bar.stop()


def of_file(file: BinaryIO, items: Iterable[_Item], console: Console | None) -> Iterator[_Item]:
    """Pass the items through, with a progress bar for how much of the file has been read."""
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

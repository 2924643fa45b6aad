"""The bar on the terminal while checks come out: how many, how fast, how long still."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from os import fstat
from typing import BinaryIO, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

Item = TypeVar("Item")


class RateColumn(ProgressColumn):
    """How many come out in a second."""

    def render(self, task: Task) -> Text:
        """The rate, as soon as there is one."""
        rate = task.finished_speed or task.speed
        return Text("" if rate is None else f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s")


class Watching(Progress):
    """A bar that is gone when it is done with; how long still it says if it is known how many there are."""

    def __init__(self, console: Console, *, of_known: bool) -> None:
        left = (TimeRemainingColumn(), TextColumn("left")) if of_known else ()
        columns = (BarColumn(), MofNCompleteColumn(), RateColumn(), *left)
        super().__init__(*columns, console=console, transient=True)


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

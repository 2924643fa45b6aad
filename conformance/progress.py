"""The bar on the terminal while checks come out: how many, how fast, how long still."""

from __future__ import annotations

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text


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

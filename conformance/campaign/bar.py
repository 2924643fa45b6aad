"""The progress of a campaign on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from conformance.campaign.course import CampaignProgress
from conformance.campaign.report import how_many


@contextmanager
def campaign_bar(dashboard: str) -> Iterator[Callable[[CampaignProgress], None]]:
    """A progress line that is updated in place; without a terminal, a new line each minute."""
    console = Console(stderr=True)
    if dashboard:
        console.print(f"Dask's page about the workers: {dashboard}", soft_wrap=True, highlight=False)
    if not console.is_terminal:
        last = monotonic()

        def say(now: CampaignProgress) -> None:
            nonlocal last
            if monotonic() - last >= 60:
                last = monotonic()
                console.print(campaign_line(now), highlight=False)

        yield say
        return
    with Progress(TextColumn("{task.description}"), BarColumn(), console=console, transient=True) as progress:
        task = progress.add_task("starting")
        yield lambda now: progress.update(
            task, description=campaign_line(now), completed=now.shards, total=now.of
        )


def campaign_line(now: CampaignProgress) -> str:
    """`1,250 cases, 83/s, 4 causes, the last by law_name`."""
    causes = how_many(now.causes, "cause")
    last = f", the last by {now.last_new}" if now.last_new else ""
    return f"{now.cases:,} cases, {now.a_second:,.0f}/s, {causes}{last}"

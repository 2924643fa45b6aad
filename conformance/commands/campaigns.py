"""The commands of campaigns: `conformance campaign start`, `status`, `resume`, `report`, `stop`, `merge`."""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from conformance.commands.shards import (
    WORKERS_LOST,
    check_one_place,
    cluster_options,
    part_of,
    shards_errors_explained,
)
from conformance.report.console import write_error

if TYPE_CHECKING:
    from conformance.campaign.plan import CampaignEngine

SECONDS = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group(
    epilog="""\b
Examples:
  conformance campaign start night --engine mine --for 8h --workers 8
  conformance campaign status night
  conformance campaign resume night
  conformance campaign report night""",
)
def campaign() -> None:
    """Search for hours or days, on all cores or on a cluster.

    A campaign is kept in a folder: its settings, its progress, and every cause found, with its smallest
    scenario. You can interrupt it at any time and resume it later. Details: `conformance docs campaign`.
    """


def seconds_of(_: click.Context, __: click.Parameter, text: str | None) -> float | None:
    """A duration such as 8h or 90m."""
    if text is None:
        return None
    said = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)(s|m|min|h|d)", text)
    if said is None or float(said[1]) == 0:
        raise click.BadParameter(f"{text!r} is not a duration\n    write 90s, 30m, 8h or 2d")
    return float(said[1]) * SECONDS[said[2]]


def budget_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say how much to play."""
    for option in (
        click.option(
            "--for",
            "seconds",
            callback=seconds_of,
            metavar="TIME",
            help="How long to play: 90s, 30m, 8h, 2d.",
        ),
        click.option("--cases", type=click.IntRange(min=1), help="Number of cases for each engine."),
    ):
        command = option(command)
    return command


@campaign.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option(
    "--engine",
    "engines",
    required=True,
    multiple=True,
    metavar="NAME[,NAME...]",
    help="The engines to search; may be repeated.",
)
@budget_options
@click.option(
    "--property", "laws", multiple=True, metavar="LAW", help="Search only this law; may be repeated."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the search.")
@click.option(
    "--block", type=click.IntRange(1, 100_000), default=250, show_default=True, help="Cases in a shard."
)
@click.option("--even", is_flag=True, help="Give each law the same number of cases, whatever it finds.")
@click.option(
    "--part",
    default="1/1",
    callback=part_of,
    metavar="I/N",
    help="Play one of N parts; `conformance campaign merge` joins their folders. Needs --even.",
)
@click.option("--edition", metavar="DATE", help="Use the rules of this date.  [default: the newest]")
@click.option(
    "--resource",
    "resources",
    multiple=True,
    metavar="NAME=RESOURCE",
    help="Play an engine only on workers with this Dask resource. Repeatable.",
)
@cluster_options
def start(
    folder: Path,
    engines: tuple[str, ...],
    cases: int | None,
    seconds: float | None,
    laws: tuple[str, ...],
    seed: int,
    block: int,
    even: bool,
    part: tuple[int, int],
    edition: str | None,
    resources: tuple[str, ...],
    workers: int | None,
    scheduler: str | None,
) -> None:
    """Start a campaign in DIR.

    Set a budget with --cases (for each engine) or --for. With --cases, the result does not depend on the
    number of workers.
    """
    from conformance.campaign.plan import CampaignPlan
    from conformance.campaign.store import create
    from conformance.commands.arguments import usage_errors_explained
    from conformance.model.engine import suite_version
    from conformance.play.selection import selected_properties

    if (cases is None) == (seconds is None):
        raise click.UsageError("set a budget: either --cases N or --for TIME")
    if part != (1, 1) and not even:
        raise click.UsageError("--part needs --even: parts can't know what the others find")
    with usage_errors_explained():
        chosen = tuple(law.name for law in selected_properties(laws, (), "", ""))
        asked = tuple(
            engine_with_setup(name, edition, dict(resources_by_engine(resources)))
            for name in ",".join(engines).split(",")
        )
    if len({one.name for one in asked}) < len(asked):
        raise click.UsageError("--engine names an engine twice")
    plan = CampaignPlan(suite_version(), asked, chosen, seed, cases, seconds, block, even, part)
    with shards_errors_explained():
        create(folder, plan)
    continue_campaign(folder, workers, scheduler)


def resources_by_engine(resources: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The Dask resource that each engine needs."""
    for text in resources:
        name, equals, resource = text.partition("=")
        if not (name and equals and resource):
            raise click.UsageError(f"--resource {text!r}: write NAME=RESOURCE")
        yield name, resource


def engine_with_setup(name: str, edition: str | None, resources: dict[str, str]) -> CampaignEngine:
    """An engine, with everything that a worker needs to start it. Rejects unknown names."""
    from msgspec.structs import replace

    from conformance.campaign.plan import CampaignEngine
    from conformance.commands.engines import closing, connect_engine
    from conformance.gate.config import found_config

    config = found_config(Path.cwd())
    name = name.strip()
    settings = config.settings_for(name)
    with closing(connect_engine(name, edition, config)):
        pass
    program = config.engines.get(name)
    asked = CampaignEngine(
        name,
        max_memory=settings.max_memory,
        edition=edition or settings.edition,
        resource=resources.get(name, ""),
    )
    if program is None:
        home = config.home_of(name)
        return replace(asked, folder=str(home)) if home else asked
    return replace(
        asked,
        argv=program.argv,
        folder=str(program.folder),
        environment=program.environment,
        start=program.start,
        request=program.request,
    )


@campaign.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
@budget_options
@cluster_options
def resume(
    folder: Path, cases: int | None, seconds: float | None, workers: int | None, scheduler: str | None
) -> None:
    """Resume the campaign in DIR where it was interrupted.

    With --cases or --for, raise its budget: it goes on as if it had been started with the new one.
    """
    from conformance.campaign.store import raise_budget

    if cases is not None and seconds is not None:
        raise click.UsageError("raise the budget by either --cases N or --for TIME")
    if cases is not None or seconds is not None:
        with shards_errors_explained():
            raise_budget(folder, cases, seconds)
    continue_campaign(folder, workers, scheduler)


def continue_campaign(folder: Path, workers: int | None, scheduler: str | None) -> None:
    """Play the campaign, and print how it ended."""
    import os

    from conformance.campaign.bar import campaign_bar
    from conformance.campaign.course import play
    from conformance.campaign.report import status_lines
    from conformance.campaign.shard import play_encoded
    from conformance.campaign.store import open_to_read, open_to_write
    from conformance.results.summary import INTERRUPTED, TERMINATED
    from conformance.shards import cluster
    from conformance.shards.folder import STOP
    from conformance.shards.lists import has_list, open_list

    check_one_place(workers, scheduler)
    if has_list(folder):
        with open_list(folder) as listed:
            cure = f"`{listed.plan.work}`, with this folder, continues it"
            raise click.ClickException(f"{folder} has the work of another command\n    {cure}")
    ending = "interrupted"
    with shards_errors_explained(), recorded_signals() as signals:
        with open_to_write(folder) as store:
            (folder / STOP).unlink(missing_ok=True)
            where = (
                cluster.workers_at(scheduler, play_encoded)
                if scheduler
                else cluster.local_workers(workers or os.cpu_count() or 1, play_encoded)
            )
            try:
                with where as hands, campaign_bar(hands.dashboard) as tell:
                    ending = play(store, hands, tell, signals=signals)
            except KeyboardInterrupt:
                ending = "interrupted"
        with open_to_read(folder) as store:
            for line in status_lines(store, False):
                click.echo(line)
    match ending:
        case "interrupted" | "stopped" | "lost":
            why = "the cluster is gone" if ending == "lost" else ending
            write_error(f"{why}: conformance campaign resume {folder} continues from here")
            interrupted = TERMINATED if signals[:1] == [signal.SIGTERM] else INTERRUPTED
            raise SystemExit({"interrupted": interrupted, "stopped": 0, "lost": WORKERS_LOST}[ending])


@contextmanager
def recorded_signals() -> Iterator[list[int]]:
    """Within this context, the first Ctrl-C or termination signal is only recorded, so workers can finish.

    A second one interrupts immediately.
    """
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)
        if len(came) > 1:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@campaign.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
def status(folder: Path) -> None:
    """Print the progress of the campaign in DIR."""
    from conformance.campaign.report import status_lines
    from conformance.campaign.store import open_to_read
    from conformance.shards.folder import is_running
    from conformance.shards.lists import has_list, list_lines, open_list

    with shards_errors_explained():
        if has_list(folder):
            with open_list(folder) as listed:
                lines = list(list_lines(listed, is_running(folder)))
        else:
            with open_to_read(folder) as store:
                lines = list(status_lines(store, is_running(folder)))
    for line in lines:
        click.echo(line)


@campaign.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
def stop(folder: Path) -> None:
    """Stop the campaign in DIR; it can be resumed."""
    from conformance.shards.folder import STOP, is_running, opened_to_read

    with shards_errors_explained():
        with opened_to_read(folder):
            pass
        if not is_running(folder):
            raise click.ClickException(
                f"{folder} is not running\n    to continue it: conformance campaign resume {folder}"
            )
        (folder / STOP).touch()
    click.echo("asked to stop; it ends within seconds")


@campaign.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option("--out", type=FOLDER, help="Folder for the report.  [default: DIR/report]")
def report(folder: Path, out: Path | None) -> None:
    """Write a report as text and as a page, and the smallest scenario of each cause."""
    from conformance.campaign.report import how_many
    from conformance.campaign.report_files import write
    from conformance.campaign.store import open_to_read

    with shards_errors_explained(), open_to_read(folder) as store:
        told, page, *scenarios = write(store, out or folder / "report")
    click.echo(f"written: {told}, {page}, and {how_many(len(scenarios), 'scenario')}")


@campaign.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.argument("parts", metavar="PART...", nargs=-1, required=True, type=FOLDER)
def merge(folder: Path, parts: tuple[Path, ...]) -> None:
    """Join the parts of a campaign, or of another command's work, in DIR."""
    from conformance.campaign.report import status_lines
    from conformance.campaign.store import join, open_to_read
    from conformance.shards.lists import has_list, join_lists, list_lines, open_list

    with shards_errors_explained():
        if has_list(parts[0]):
            join_lists(folder, parts)
            with open_list(folder) as listed:
                for line in list_lines(listed, False):
                    click.echo(line)
            return
        join(folder, parts)
        with open_to_read(folder) as store:
            for line in status_lines(store, False):
                click.echo(line)

"""Options of commands whose work is cut into shards: who plays them, and where results are kept."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from conformance.report.console import write_error

if TYPE_CHECKING:
    from conformance.shards.course import Ending
    from conformance.shards.lists import Where

WORKERS_LOST = 3
"""Exit code if nobody plays any more."""
_Command = TypeVar("_Command", bound=Callable[..., Any])


def part_of(_: click.Context, __: click.Parameter, text: str) -> tuple[int, int]:
    """A part such as 2/8."""
    said = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
    if said is None or not 1 <= int(said[1]) <= int(said[2]):
        raise click.BadParameter(f"{text!r} is not a part\n    write 2/8 for the second of eight")
    return int(said[1]), int(said[2])


PART = click.option(
    "--part",
    default="1/1",
    callback=part_of,
    metavar="I/N",
    help="Play one of N parts; `conformance campaign merge` joins their folders.",
)
FOLDER = click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep results here, and continue from them.",
)


def cluster_options(command: _Command) -> _Command:
    """The options that say where to play."""
    command = click.option(
        "--scheduler", metavar="ADDRESS", help="Play on the Dask cluster at this address."
    )(command)
    return click.option(
        "--workers",
        type=click.IntRange(1, 512),
        help="Number of processes on this machine.  [default: one per core]",
    )(command)


def kept_options(command: _Command) -> _Command:
    """The options that say where to keep results, and which part to play."""
    return FOLDER(PART(command))


def check_kept(folder: Path | None, part: tuple[int, int]) -> None:
    """Refuse a part that nothing keeps."""
    if part != (1, 1) and folder is None:
        raise click.UsageError("--part needs --folder DIR, where its results are kept")


def check_one_place(workers: int | None, scheduler: str | None) -> None:
    """Refuse two places to play."""
    if workers and scheduler:
        raise click.UsageError("--workers is for this machine, --scheduler for a cluster: give one of them")


def players_of(workers: int | None, scheduler: str | None) -> Where:
    """The players of a list: processes of this machine, without Dask, or a cluster."""
    check_one_place(workers, scheduler)
    if scheduler:
        from conformance.shards import cluster

        return partial(cluster.workers_at, scheduler)
    from conformance.shards.players import processes

    return partial(processes, workers or os.cpu_count() or 1)


@contextmanager
def shards_errors_explained() -> Iterator[None]:
    """Show the errors of shards as the other commands show theirs."""
    from conformance.shards.folder import ShardsError

    try:
        yield
    except ShardsError as error:
        raise click.ClickException(str(error)) from None
    except OSError as error:
        raise click.ClickException(f"{error.filename or 'the folder'}: {error.strerror}") from None


def end_early(ending: Ending, folder: Path | None) -> None:
    """End the command unless everything was played, and say how to continue."""
    if ending == "done":
        return
    why = "the workers are gone" if ending == "lost" else ending
    cure = (
        f"the same command continues {folder}" if folder else "with --folder DIR, the same command continues"
    )
    write_error(f"{why}: {cure}")
    raise SystemExit(0 if ending == "stopped" else WORKERS_LOST)

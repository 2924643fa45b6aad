"""The options that say how a run is graded; apart from what does it, so that help comes at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., object])


def taken_as(reader: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Reads an option as the configuration file's key of that kind is read."""

    def taken(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        from conformance import config

        if value is None:
            return None
        try:
            return getattr(config, reader)(value)
        except config.Refused as refused:
            raise click.BadParameter(f"{refused.what}; {refused.cure}") from None

    return taken


OPTIONS = (
    click.option(
        "--profile",
        metavar="quick|gate|deep",
        callback=taken_as("profile_of"),
        help="How much is played. gate: what is stored, the same each time. quick: a short search too. deep: "
        "a long one.  [default: quick]",
    ),
    click.option(
        "--property",
        "properties",
        multiple=True,
        metavar="NAME",
        help="Search only this property, and play no fixture; `all` stands for every one.",
    ),
    click.option(
        "--seed", metavar="N", type=click.IntRange(0), help="What the search begins with.  [default: 0]"
    ),
    click.option(
        "--examples",
        metavar="N",
        type=click.IntRange(1),
        help="So many cases of each property.  [default: 20, deep 4000]",
    ),
    click.option(
        "--time",
        "seconds",
        metavar="SECONDS",
        type=click.FloatRange(0),
        help="For the whole search; making small what it finds comes on top.  [default: 25, deep no limit]",
    ),
    click.option(
        "--jobs",
        metavar="N",
        type=int,
        callback=taken_as("jobs_of"),
        help="So many engine processes at a time; the results are the same.  [default: 1]",
    ),
    click.option("--resume", is_flag=True, help="Go on where the same run was cut off."),
    click.option(
        "--divergences",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="The list of known disagreements that the run is held against.",
    ),
    click.option(
        "--update-divergences",
        "update",
        is_flag=True,
        help="Write that list anew; reasons and comments in it stay.",
    ),
    click.option(
        "--max-unsupported",
        metavar="N|N%",
        callback=taken_as("limit_of"),
        help="Not enough is known if more is unsupported (code 5).",
    ),
    click.option(
        "--max-memory",
        metavar="N MB|N GB",
        callback=taken_as("memory_of"),
        help="An engine process that has more memory is ended: a crash.",
    ),
)


def run_options(command: Command) -> Command:
    """A command with these options."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command

"""The options of a run and the one value they become; apart from the run itself, so that help is fast."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct

if TYPE_CHECKING:
    from conformance.gate.config import Limits, Profile

Command = TypeVar("Command", bound=Callable[..., object])


def taken_as(reader: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Reads an option as the configuration file's key of that kind is read."""

    def taken(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        from conformance.gate import config

        if value in (None, ()):
            return None
        try:
            return getattr(config, reader)(value)
        except config.Refused as refused:
            raise click.BadParameter(f"{refused.what}; {refused.cure}") from None

    return taken


def seed_of(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """A seed: a number, or `random` for one that is chosen now."""
    if value == "random":
        return secrets.randbelow(2**31)
    seed: int | None = None if value is None else click.IntRange(0)(value, parameter, context)
    return seed


CHOSEN = (
    click.argument("what", nargs=-1, metavar="[ID | FILE | FOLDER]..."),
    click.option(
        "--rule",
        "rules",
        multiple=True,
        metavar="RULE",
        help="Only what is about 613.8b, all of 613.8, or all of 613.",
    ),
    click.option(
        "-k", "word", default="", metavar="TEXT", help="Only what has this in its id, name or title."
    ),
    click.option(
        "--source",
        default="",
        metavar="ID",
        help="Only what shows this of the source documents: 002, or 002-L4-E1.",
    ),
)
"""Which checks are meant."""

EDITION = click.option(
    "--edition",
    metavar="DATE",
    callback=taken_as("edition_of"),
    help="Rules of that day.  [default: the newest]",
)

RUN = (
    EDITION,
    click.option(
        "--engine",
        metavar="ENGINE",
        help="Engine to test: a command line, or a name from conformance.toml.  [default: as it says, or "
        "reference]",
    ),
    click.option("-v", "--verbose", is_flag=True, help="Show every check as it comes out, and every rule."),
    click.option("-q", "--quiet", is_flag=True, help="Show only causes of failure and the counts."),
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
        "--seed",
        metavar="N|random",
        callback=seed_of,
        help="Seed of the search; `random` chooses one and prints it.  [default: 0]",
    ),
    click.option(
        "--examples",
        metavar="N",
        type=click.IntRange(1),
        help="Number of cases of each property.  [default: 20, deep 4000]",
    ),
    click.option(
        "--time",
        "seconds",
        metavar="SECONDS",
        type=click.FloatRange(0),
        help="Time for the whole search, without making finds smaller.  [default: 25, deep no limit]",
    ),
    click.option(
        "--jobs",
        metavar="N",
        type=int,
        callback=taken_as("jobs_of"),
        help="Number of engine processes to run in parallel (does not change results).  [default: 1]",
    ),
    click.option(
        "--maxfail",
        metavar="N",
        type=click.IntRange(1),
        help="End the run after N failures that are not listed.",
    ),
    click.option(
        "-x", "first_failure", is_flag=True, help="End the run after the first failure: --maxfail 1."
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
        multiple=True,
        metavar="N|N%|RULE=N%",
        callback=taken_as("limits_of"),
        help="Not enough is known if more is unsupported (code 5): of all, or about a rule or chapter.",
    ),
    click.option(
        "--max-memory",
        metavar="N MB|N GB",
        callback=taken_as("memory_of"),
        help="An engine process that has more memory is ended: a crash.",
    ),
)
"""How they are played, and how the answers are graded."""

REPORTS = tuple(
    click.option(f"--{name}", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help=help)
    for name, help in {
        "json": "Write each event of the run as a line of JSON, as it comes.",
        "junit": "Write the results as JUnit XML.",
        "markdown": "Write a summary as Markdown; $GITHUB_STEP_SUMMARY is added to.",
        "badge": "Write a badge: a picture as FILE.svg, or FILE.json for shields.io.",
    }.items()
)
"""The files that are left behind: an option for each output of `outputs`."""


class RunOptions(Struct, frozen=True):
    """All that `conformance run` is asked."""

    what: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    word: str = ""
    source: str = ""
    edition: str | None = None
    engine: str | None = None
    verbose: bool = False
    quiet: bool = False
    profile: Profile | None = None
    properties: tuple[str, ...] = ()
    seed: int | None = None
    examples: int | None = None
    seconds: float | None = None
    jobs: int | None = None
    maxfail: int | None = None
    first_failure: bool = False
    resume: bool = False
    divergences: Path | None = None
    update: bool = False
    max_unsupported: Limits | None = None
    max_memory: int | None = None
    json: Path | None = None
    junit: Path | None = None
    markdown: Path | None = None
    badge: Path | None = None


def chosen_options(command: Command) -> Command:
    """A command with the options that say which checks are meant."""
    return with_options(command, CHOSEN)


def run_options(command: Callable[[RunOptions], None]) -> Callable[..., None]:
    """A command that takes one value with all options of a run."""

    @wraps(command)
    def taking_each(**values: Any) -> None:
        command(RunOptions(**values))

    return with_options(taking_each, (*CHOSEN, *RUN, *REPORTS))


def with_options(command: Command, options: tuple[Callable[[Command], Command], ...]) -> Command:
    """The command with these options, in their order."""
    for option in reversed(options):
        command = option(command)
    return command

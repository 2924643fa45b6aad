"""The options of a run, and the value they become; separate from the run, so that help is fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, assert_never, get_args

import click
from msgspec import Struct

from conformance.search.effort import EFFORTS

if TYPE_CHECKING:
    from conformance.gate.config import Profile, UnsupportedLimits

_Command = TypeVar("_Command", bound=Callable[..., object])
QUICK, DEEP = EFFORTS["quick"], EFFORTS["deep"]


def option_parser(reader: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """A callback that parses an option as the configuration file parses the same key."""

    def taken(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        from conformance.gate import config

        if value in (None, ()):
            return None
        try:
            return getattr(config, reader)(value)
        except config.RefusedValue as refused:
            raise click.BadParameter(f"{refused.what}; {refused.cure}") from None

    return taken


def seed_of(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """A seed: a number, or `random` to choose one now."""
    if value == "random":
        import secrets

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
        help="Only checks of this rule or chapter, such as 613.8b, 613.8 or 613.",
    ),
    click.option(
        "-k",
        "word",
        default="",
        metavar="TEXT",
        help="Only checks with this in their id, name or title, or in a bug that they would have caught.",
    ),
    click.option(
        "--source",
        default="",
        metavar="ID",
        help="Only checks of this part of the source documents, such as 002 or 002-L4-E1; "
        "CR selects the examples of the Comprehensive Rules, and CR-613.4d-E1 one of them.",
    ),
)
"""Arguments and options that select checks."""

EDITION = click.option(
    "--edition",
    metavar="DATE",
    callback=option_parser("edition_of"),
    help="Use the rules of this date.  [default: the newest]",
)

CARDS = (
    click.option(
        "--cards",
        "cards",
        multiple=True,
        metavar="FILE|FOLDER",
        type=click.Path(exists=True, path_type=Path),
        help="Definitions of cards that scenarios can use by name, as `cards read` writes them.  "
        "[default: as set in conformance.toml]",
    ),
    click.option(
        "--cards-first", is_flag=True, help="Use these instead of the suite's cards of the same name."
    ),
)
"""Options for cards that scenarios can use in addition to the suite's."""

RUN = (
    EDITION,
    click.option(
        "--engine",
        metavar="ENGINE",
        help="Engine to test: a command line, or a name from conformance.toml.  [default: as set there, or "
        "reference]",
    ),
    click.option("-v", "--verbose", is_flag=True, help="Show every check and every rule."),
    click.option("-q", "--quiet", is_flag=True, help="Show only causes of failure and the counts."),
    click.option(
        "--profile",
        metavar="quick|gate|deep",
        callback=option_parser("profile_of"),
        help="How much to play. gate: stored checks only, the same each time. quick: also a short search. "
        "deep: also a long search.  [default: quick]",
    ),
    click.option(
        "--property",
        "properties",
        multiple=True,
        metavar="NAME",
        help="Search only this property and play no fixtures; `all` selects every property.",
    ),
    click.option(
        "--seed",
        metavar="N|random",
        callback=seed_of,
        help="Seed of the search; `random` picks one and prints it.  [default: 0]",
    ),
    click.option(
        "--examples",
        metavar="N",
        type=click.IntRange(1),
        help=f"Number of cases of each property.  [default: {QUICK.examples}, deep {DEEP.examples}]",
    ),
    click.option(
        "--time",
        "seconds",
        metavar="SECONDS",
        type=click.FloatRange(0),
        help="Time limit for the whole search, not counting the shrinking of counterexamples.  "
        f"[default: {QUICK.seconds:g}, deep no limit]",
    ),
    click.option(
        "--jobs",
        metavar="N",
        type=int,
        callback=option_parser("jobs_of"),
        help="Number of engine processes to run in parallel (does not change results).  [default: 1]",
    ),
    click.option(
        "--maxfail",
        metavar="N",
        type=click.IntRange(1),
        help="Stop after N failures that are not listed.",
    ),
    click.option("-x", "first_failure", is_flag=True, help="Stop after the first failure, like --maxfail 1."),
    click.option("--resume", is_flag=True, help="Continue the same run where it was interrupted."),
    click.option(
        "--divergences",
        metavar="FILE",
        type=click.Path(dir_okay=False, path_type=Path),
        help="List of known divergences to compare the run with.",
    ),
    click.option(
        "--update-divergences",
        "update",
        is_flag=True,
        help="Rewrite that list; its reasons and comments are kept.",
    ),
    click.option(
        "--max-unsupported",
        multiple=True,
        metavar="N|N%|RULE=N%",
        callback=option_parser("limits_of"),
        help="Exit with 5 if more checks than this are unsupported, in total, or of a rule or chapter.",
    ),
    click.option(
        "--max-memory",
        metavar="N MB|N GB",
        callback=option_parser("memory_of"),
        help="Memory limit of an engine process; exceeding it counts as a crash.",
    ),
)
"""How to play the checks, and how to grade the answers."""

Output = Literal["json", "junit", "markdown", "badge", "html"]
"""The kinds of file that a run can write. A new one needs a case below and one in `report.outputs`."""
OUTPUTS: tuple[Output, ...] = get_args(Output)


def help_of(output: Output) -> str:
    """The help text of the option for this output."""
    match output:
        case "json":
            return "Write the events of the run as JSON Lines, as they happen."
        case "junit":
            return "Write the results as JUnit XML."
        case "markdown":
            return "Write a summary as Markdown; appends to $GITHUB_STEP_SUMMARY."
        case "badge":
            return "Write a badge: an image (FILE.svg), or an endpoint for shields.io (FILE.json)."
        case "html":
            return "Write an HTML page: causes with boards, chapters, and every check."
        case _:
            assert_never(output)


REPORTS = tuple(
    click.option(
        f"--{name}", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help=help_of(name)
    )
    for name in OUTPUTS
)
"""One option for each output."""
SITE = click.option(
    "--site",
    metavar="URL",
    help="With --html: link each check to its page on a site that `conformance site` built.",
)


class RunOptions(Struct, frozen=True):
    """All options of `conformance run`."""

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
    max_unsupported: UnsupportedLimits | None = None
    max_memory: int | None = None
    cards: tuple[Path, ...] = ()
    cards_first: bool = False
    site: str | None = None
    outputs: Mapping[Output, Path] = {}
    """The files to write."""


def chosen_options(command: _Command) -> _Command:
    """Add the options that select checks to a command."""
    return with_options(command, CHOSEN)


def run_options(command: Callable[[RunOptions], None]) -> Callable[..., None]:
    """Add all options of a run to a command that takes them as one value."""

    @wraps(command)
    def taking_each(**values: Any) -> None:
        files = {name: values.pop(name) for name in OUTPUTS}
        outputs = {name: path for name, path in files.items() if path is not None}
        command(RunOptions(**values, outputs=outputs))

    return with_options(taking_each, (*CHOSEN, *RUN, *CARDS, *REPORTS, SITE))


def cards_options(command: _Command) -> _Command:
    """Add the options that name files of cards to a command."""
    return with_options(command, CARDS)


def with_options(command: _Command, options: tuple[Callable[[_Command], _Command], ...]) -> _Command:
    """Add these options to a command, in this order."""
    for option in reversed(options):
        command = option(command)
    return command

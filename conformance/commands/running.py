"""The commands that test an engine and compare runs: `run` and `compare`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.commands.arguments import Usage, known_names_for, usage_errors_explained
from conformance.commands.engines import announce_command, closing, connect_engine
from conformance.run.options import SITE, RunOptions, run_options

if TYPE_CHECKING:
    from conformance.model.engine import Engine
    from conformance.pages.addresses import AddressOf
    from conformance.report.terminal import Detail
    from conformance.results.events import Run


@click.command(
    epilog="""\b
Examples:
  conformance run                            everything, on the reference engine
  conformance run L-0031                     one fixture
  conformance run --rule 613.8               everything about dependencies
  conformance run --edition 2019-01-01       by the rules of that day
  conformance run my_board.yaml exported/    files of your own

\b
Exit codes, of several the first of 2, 3, 1, 5, 4:
  0    the engine agreed, or failed only as its list of divergences says
  1    a check failed that is not listed, or is no longer played
  2    the command or a file is invalid
  3    the engine does not start, or keeps crashing
  4    the list of divergences is out of date
  5    nothing passed, or too much is unsupported
  130  interrupted with Ctrl-C
  141  nobody reads the output any more (as in: conformance run | head)"""
)
@run_options
def run(options: RunOptions) -> None:
    """Test an engine, and explain what it gets wrong.

    Plays fixtures, and searches for counterexamples to the properties. Select fixtures by id, file or
    folder; the default is everything that comes with the suite. Failures are listed likeliest cause first
    when the checks have been played, or every half minute. The summary explains each cause, has a line for
    each chapter of the rules, and ends with the counts. Ctrl-C ends the run with a summary of what was
    played.
    """
    from datetime import datetime

    from conformance.gate.config import Settings, found_config
    from conformance.report.following import follow, interruptible, reporting_interruption
    from conformance.report.outputs import consumers_of
    from conformance.report.terminal import Terminal
    from conformance.results.events import RunSelection
    from conformance.run.session import Session, plan
    from conformance.search.effort import SearchOptions
    from conformance_adapters import within_memory
    from conformance_adapters.in_process import Reference

    detail: Detail = "verbose" if options.verbose else "quiet" if options.quiet else "usual"
    with (
        interruptible() as signals,
        usage_errors_explained(),
        consumers_of(options.outputs, addresses(options.site)) as consumers,
        ExitStack() as ended,
    ):
        terminal = Terminal(detail)
        ended.callback(terminal.close)
        with reporting_interruption(options.engine or "", [terminal, *consumers], signals):
            config = found_config(Path.cwd())
            settings = Settings(
                options.profile,
                options.divergences,
                options.edition,
                options.max_unsupported,
                options.jobs,
                options.max_memory,
            )
            planned = plan(
                config,
                options.engine,
                settings,
                RunSelection(options.what, options.rules, options.word, options.source, options.properties),
                command_again(options, config.engine),
                update=options.update,
                resume=options.resume,
                asking=SearchOptions(options.seed, options.examples, options.seconds),
                most_failures=1 if options.first_failure else options.maxfail,
                beside=known_names_for(options.cards, options.cards_first, config),
            )
            announce_command(config, planned.name)
            edition, jobs, memory = (
                planned.settings.edition,
                planned.settings.jobs or 1,
                planned.settings.max_memory,
            )

            def fresh() -> Engine:
                engine = connect_engine(planned.name, edition, config, apart=jobs > 1 or memory is not None)
                return within_memory(engine, memory) if memory else engine

            engines = [ended.enter_context(closing(fresh())) for _ in range(jobs)]
            now = datetime.now().astimezone()
            session = ended.enter_context(Session(planned, engines, fresh, Reference, now))
        code = follow(session, [terminal, *consumers], signals)
    raise SystemExit(code)


def command_again(options: RunOptions, usual: str | None) -> tuple[str, ...]:
    """The command for the same engine and options; a default engine is not named."""
    engine, edition = options.engine, options.edition
    named = ("--engine", engine) if engine and engine != usual else ()
    cards = [word for path in options.cards for word in ("--cards", str(path))]
    cards += ["--cards-first"] if options.cards_first else []
    return ("conformance", "run", *named, *(("--edition", edition) if edition else ()), *cards)


def addresses(site: str | None) -> AddressOf:
    """The addresses of checks on a site, if one is named."""
    from conformance.pages.addresses import no_address

    if site is None:
        return no_address
    from conformance.report.site_links import addresses_on

    try:
        return addresses_on(site)
    except ValueError as error:
        raise Usage(f"--site {error}") from None


@click.command(
    epilog="""\b
Examples:
  conformance compare xmage.json forge.json
  conformance compare yesterday.json today.json
  conformance compare xmage.json forge.jsonl.gz --html engines.html"""
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option(
    "--html",
    "page",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write an HTML page instead: engines as columns, rules as rows.",
)
@SITE
def compare(files: tuple[Path, ...], page: Path | None, site: str | None) -> None:
    """Compare runs that `run --json` wrote, or recordings.

    Shows by rule where they differ, which checks only one engine fails, and, for two runs of the same
    engine, what changed. A recording is judged first, by the stored checks (as in `run --profile gate`).
    """
    from conformance.report.console import terminal, write_lines
    from conformance.report.side_by_side_text import comparison_lines

    with usage_errors_explained():
        if len(files) < 2:
            raise Usage("only one run to compare\n    name two files or more")
        runs = [run_in(file) for file in files]
        if page is not None:
            from conformance.report.side_by_side_page import comparison_html
            from conformance.report.whole_file import check_writable, output_replacing

            check_writable(page)
            with output_replacing(page) as out:
                out.write(comparison_html(runs, addresses(site)))
            click.echo(str(page))
            return
    write_lines(comparison_lines(runs), terminal())


def run_in(file: Path) -> Run:
    """The run in a file that `run --json` wrote, or a recording, judged by the stored checks."""
    from conformance.results.events import read_run

    if file.suffix != ".gz":
        return read_run(file)
    from conformance.run.graded import graded_run
    from conformance_adapters.in_process import Reference
    from conformance_adapters.recorded import RecordedEngine, recording_in

    recorded_on = recording_in(file).heading.at
    return graded_run(RecordedEngine(file), f"recorded:{file}", recorded_on, Reference)

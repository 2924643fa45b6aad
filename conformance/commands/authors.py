"""The commands for authors of adapters: `doctor`, `record` and `init-adapter`."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click

from conformance.commands.arguments import Usage, usage_errors_explained
from conformance.commands.engines import announce_command, closing, connect_engine, description_of


@click.command(
    epilog="""\b
Examples:
  conformance doctor --engine "node my_engine.js"
  conformance doctor --lines D-0301 | node my_engine.js

\b
Exit codes:
  0  no problem was found
  1  a problem was found
  2  the command or a file is invalid
  3  the engine does not start or introduce itself
  5  the engine plays nothing on the first rung"""
)
@click.option(
    "--engine",
    metavar="ENGINE",
    help="Engine to examine: a command line, or a name from conformance.toml.  [default: as set there]",
)
@click.option(
    "--lines", "step", metavar="STEP", help="Only print the lines that the suite sends at this step."
)
def doctor(engine: str | None, step: str | None) -> None:
    """Diagnose the connection to an engine, step by step.

    Climbs a ladder of ten rungs, from looking at a creature to copies and teams. Stops at the first problem,
    and says which side is at fault and what to do. The last line names the rung reached.
    """
    from conformance.gate.config import chosen_engine, found_config
    from conformance.report.console import terminal, write_lines
    from conformance.results.summary import AGREED, DISAGREED, INCONCLUSIVE, NO_ENGINE
    from conformance.run.doctor import StepFinding, examination, health, lines_of_found, lines_of_health
    from conformance_adapters import connect

    if step:
        lines_of_step(step)
        return
    with usage_errors_explained(), ExitStack() as ended:
        config = found_config(Path.cwd())
        name = chosen_engine(engine, config, because="doctor")
        announce_command(config, name)
        fresh = partial(connect_engine, name, None, config)
        patient = ended.enter_context(closing(fresh()))
        found: list[StepFinding] = []
        for one in examination(patient, fresh, partial(connect, "reference")):
            write_lines(list(lines_of_found(one, found[-1].rung if found else 0)), terminal())
            found.append(one)
    came_to = health(found)
    write_lines(list(lines_of_health(came_to)), terminal())
    if came_to.ill:
        raise SystemExit(NO_ENGINE if len(found) == 1 else DISAGREED)
    raise SystemExit(AGREED if came_to.reached else INCONCLUSIVE)


def lines_of_step(id: str) -> None:
    """Print the messages of one step of the ladder, as an engine receives them."""
    from conformance.model.engine import suite_version
    from conformance.model.problems import did_you_mean, list_of_options
    from conformance.run.doctor import ladder, step_called
    from conformance_adapters import wire

    step = step_called(id)
    if step is None:
        ids = [step.id for step in ladder()]
        cure = did_you_mean(id, ids, otherwise=f"choose one of: {list_of_options(ids, 50)}")
        raise Usage(f"no step {id!r}\n    {cure}")
    for request in (wire.Hello(wire.PROTOCOL, suite_version()), wire.PlayThis(1, step.play), wire.Bye()):
        click.echo(wire.line(request, with_defaults=True), nl=False)


@click.command(
    epilog="""\b
Examples:
  conformance record --engine ./my-shim my-engine.jsonl.gz
  conformance run --engine recorded:my-engine.jsonl.gz
  conformance record --stale my-engine.jsonl.gz"""
)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--engine",
    metavar="ENGINE",
    help="Engine to record: a command line, or a name from conformance.toml.  [default: as set there]",
)
@click.option(
    "--stale", "only_stale", is_flag=True, help="Only list the fixtures that FILE has no answer for."
)
def record(file: Path, engine: str | None, only_stale: bool) -> None:
    """Record an engine's answers to all fixtures.

    `--engine recorded:FILE` replays them without the engine. Fixtures that were added or changed since count
    as unsupported. --stale lists them, and exits with 1 if there are any.
    """
    from datetime import date

    from conformance.files.writing import write_file
    from conformance.gate.config import chosen_engine, found_config
    from conformance.model.engine import suite_version
    from conformance.play.selection import every_fixture
    from conformance.report.whole_file import check_writable
    from conformance_adapters.recorded import record, recording_in, stale

    with usage_errors_explained(), ExitStack() as ended:
        fixtures = every_fixture()
        if only_stale:
            ids = sorted(stale(recording_in(file), fixtures))
            for id in ids:
                click.echo(id)
            raise SystemExit(1 if ids else 0)
        config = found_config(Path.cwd())
        name = chosen_engine(engine, config, because="record")
        announce_command(config, name)
        check_writable(file)
        asked = ended.enter_context(closing(connect_engine(name, None, config)))
        description_of(asked, name)
        content = record(asked, fixtures, date.today().isoformat(), suite_version())
        write_file(file, content)
    click.echo(f"{name} recorded in {file}: {len(content) / 1000:.0f} kB")


@click.command(
    "init-adapter",
    epilog="""\b
Examples:
  conformance init-adapter python
  conformance init-adapter rust my_engine/conformance""",
)
@click.argument("language", metavar="python|javascript|go|rust|java|kotlin")
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
def init_adapter(language: str, folder: Path | None) -> None:
    """Write a starter shim: one source file and a README.

    It passes the first three rungs with a small built-in engine, which you replace with yours. In Python the
    shim is an object in the suite's own process; in other languages it is a process that reads and writes
    lines. FOLDER defaults to `conformance_shim`. Existing files are never overwritten.
    """
    from conformance.starters import NoStarter, write_starter

    target = folder or Path("conformance_shim")
    try:
        files = write_starter(language, target)
    except NoStarter as error:
        raise Usage(str(error)) from None
    for file in files:
        click.echo(str(file))
    click.echo(f"next, read {target / 'README.md'}")

"""The command that takes boards from engines: `import`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.commands.arguments import known_names_for, usage_errors_explained
from conformance.commands.engines import announce_command, closing, connect_engine, description_of
from conformance.run.options import cards_options

if TYPE_CHECKING:
    from conformance.checks.names import KnownNames
    from conformance.importing.report import BoardOutcome
    from conformance.model.engine import Engine


@click.command(
    "import",
    epilog="""\b
Examples:
  conformance import init.txt
  conformance import manual-scenarios/ --to boards --leave-out
  conformance import state.json --fill --cards my_cards.jsonl
  conformance import boards/ --script --engine ./my-shim""",
)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--to",
    "folder",
    default="imported",
    show_default=True,
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the scenarios.",
)
@cards_options
@click.option(
    "--leave-out", is_flag=True, help="Import boards without the cards and states that scenarios cannot have."
)
@click.option(
    "--script",
    "scripted",
    is_flag=True,
    help="Add a script: cast what is in hand, as far as no choice is needed, and end the turn.",
)
@click.option(
    "--fill", is_flag=True, help="Expect what the reference engine shows, marked as not read by anybody."
)
@click.option("--engine", metavar="ENGINE", help="Also play the scenarios on this engine. Implies --fill.")
def import_(
    files: tuple[Path, ...],
    folder: Path,
    cards: tuple[Path, ...],
    cards_first: bool,
    leave_out: bool,
    scripted: bool,
    fill: bool,
    engine: str | None,
) -> None:
    """Turn test boards of other engines into scenarios.

    Reads XMage's init.txt (a scenario for each group), Argentum's scenarios, and saved states of phase-rs; a
    folder stands for all .txt and .json files in it. Cards are found by name. Each board becomes a YAML file,
    which is never overwritten; what cannot be imported is reported with its place. Exits with 2 if nothing
    is imported.
    """
    from conformance.gate.config import found_config
    from conformance.importing.report import outcome_lines, summary_lines
    from conformance.report.console import terminal, write_lines

    with usage_errors_explained(), ExitStack() as ended:
        known = known_names_for(cards, cards_first)
        player: Engine | None = None
        name = ""
        if engine is not None:
            config = found_config(Path.cwd())
            announce_command(config, engine)
            player = ended.enter_context(closing(connect_engine(engine, None, config)))
            name = description_of(player, engine).name
        outcomes = []
        for one in imported(files, folder, known, leave_out, scripted, fill or player is not None, player):
            outcomes.append(one)
            write_lines(list(outcome_lines(one)), terminal())
        write_lines(list(summary_lines(outcomes, name)), terminal())
    if not any(one.written for one in outcomes):
        raise SystemExit(2)


def imported(
    files: tuple[Path, ...],
    folder: Path,
    known: KnownNames | None,
    leave_out: bool,
    scripted: bool,
    fill: bool,
    engine: Engine | None,
) -> Iterator[BoardOutcome]:
    """Import every board in these files and folders; yields what became of each."""
    from conformance.data.loading import known_names
    from conformance.importing.importer import BoardImport, files_of_boards, import_file
    from conformance_adapters.in_process import Reference, findings_when_played

    how = BoardImport(
        folder,
        known or known_names(),
        Reference().play,
        findings_when_played,
        leave_out,
        scripted,
        fill,
        engine,
    )
    for path in files_of_boards(files):
        yield from import_file(path, how)

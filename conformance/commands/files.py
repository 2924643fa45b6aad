"""The commands that check and write files: `check`, `export`, `promote` and `site`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import click

from conformance.commands.arguments import known_names_for, usage_errors_explained
from conformance.report.console import write_error
from conformance.run.options import cards_options


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@cards_options
def check(files: tuple[Path, ...], cards: tuple[Path, ...], cards_first: bool) -> None:
    """Check scenario and card files.

    Reports each problem with its location and how to fix it. A folder stands for all files in it. Scenarios
    are also played on the reference engine. Files of your own need no id, title or rules. Exits with 0 if
    all files are valid, otherwise with 2.
    """
    from conformance.data.library import files_to_check, path_for_display
    from conformance.data.loading import problems_in
    from conformance.model.problems import problem_lines
    from conformance.play.selection import taken_ids
    from conformance_adapters.in_process import findings_when_played

    paths = [path for file in files for path in (files_to_check(file) if file.is_dir() else [file])]
    if not paths:
        raise click.UsageError("no scenarios and no cards in there\n    files of them end in .yaml or .json")
    beside = known_names_for(cards, cards_first)
    taken = {problem.path: problem for problem in taken_ids(paths)}
    count = 0
    for path in paths:
        problems = problems_in(path, findings_when_played, beside)
        every = {*problems, *filter(None, [taken.get(path_for_display(path))])}
        count += len(every)
        for line in problem_lines(every):
            write_error(line)
    if count:
        raise SystemExit(2)
    click.echo(
        f"{path_for_display(paths[0])}: sound" if len(paths) == 1 else f"{len(paths)} files: all sound",
    )


@click.command(
    epilog="""\b
Examples:
  conformance export exported/                 a JSON file for each fixture
  conformance export --as rust tests/          a test of your crate: cargo test
  conformance export --as java src/test/       a test of your module: JUnit 5
  conformance export --as kotlin src/test/     the same, with an engine in Kotlin
  conformance export --as release dist/        an archive with a version and a checksum"""
)
@click.option(
    "--as",
    "form",
    type=click.Choice(("json", "rust", "java", "kotlin", "release")),
    default="json",
    show_default=True,
    help="What to write.",
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def export(folder: Path, form: str) -> None:
    """Write the fixtures for use without Python.

    Each fixture is a JSON file named after its id, in the form that scenario.schema.json describes.
    wire.schema.json describes the protocol, and events.schema.json the output of `run --json`.

    As `rust`, `java` or `kotlin`, the fixtures become tests of your own project: one more file plays them and
    judges your engine as `run` does. A README says how to run them. Exporting again renews everything but
    your own two files. As `release`, the fixtures, the schemas and the real cards are one archive.
    """
    from conformance.data.loading import export_files, schema_file
    from conformance.files.writing import write_file
    from conformance.harnesses import HARNESSES, author_files, harness_files
    from conformance.harnesses.release import release_files
    from conformance.results.events import events_schema
    from conformance_adapters.wire import wire_schema

    with usage_errors_explained():
        schemas = {
            "wire.schema.json": schema_file(wire_schema()),
            "events.schema.json": schema_file(events_schema()),
        }
        files: Mapping[str, bytes] = {**export_files(), **schemas}
        kept: Mapping[str, bytes] = {}
        if form in HARNESSES:
            files, kept = harness_files(form, files), author_files(form)
        elif form == "release":
            files = release_files(files)
        new = {name: content for name, content in kept.items() if not (folder / name).exists()}
        for name, content in {**files, **new}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            write_file(folder / name, content)
    click.echo(f"{len(files) + len(new)} files in {folder}")


@click.command(
    epilog="""\b
Examples:
  conformance promote .conformance/found/mine/F-3f2a9c01.json
  conformance promote .conformance/found/mine/F-3f2a9c01.json --to scenarios"""
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--to",
    "folder",
    default=".",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the fixture.  [default: the working directory]",
)
def promote(file: Path, folder: Path) -> None:
    """Turn a counterexample from a search into a fixture.

    Writes a YAML file with the next free id, the rules, and reasons taken from the reference engine's trace.
    Review it and improve the title and the reasons before you keep it. Exits with 2 if `conformance check`
    finds a problem in it.
    """
    from conformance.data.library import load
    from conformance.data.rulebook import newest_edition
    from conformance.report.console import terminal, write_lines
    from conformance.run.diagnosis import reason_for
    from conformance.search.promote import promote_counterexample, promotion_lines
    from conformance_adapters.in_process import Reference, findings_when_played

    with usage_errors_explained():
        fixture = load(file)
        one = promote_counterexample(
            fixture,
            folder,
            partial(reason_for, edition=newest_edition()),
            lambda play: dict(Reference().play(play).tried),
            findings_when_played,
        )
    write_lines(promotion_lines(one), terminal())
    if one.problems:
        raise SystemExit(2)


@click.command(
    epilog="""\b
Example:
  conformance site public/"""
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--jobs", type=click.IntRange(1), metavar="N", help="Number of processes.  [default: one per core]"
)
def site(folder: Path, jobs: int | None) -> None:
    """Build the suite as a site: pages to publish, or to open from a folder.

    Each fixture has a page with its board, script, layers and reasons, and says which of the recorded engines
    pass. Rules, laws, broken engines, cards and the documentation have pages too, with a search. Pages load
    nothing from elsewhere. Needs a checkout of the repository, which has the recordings. Exits with 2 if a
    link leads nowhere.
    """
    import os
    from time import perf_counter

    from conformance.site.build import SiteError, build_site
    from conformance.site.sources import NoCheckout, sources

    began = perf_counter()
    with usage_errors_explained():
        try:
            built = build_site(folder, sources(), jobs or os.cpu_count() or 1)
        except (NoCheckout, SiteError) as error:
            raise click.UsageError(str(error)) from None
    took = perf_counter() - began
    click.echo(
        f"{built.pages:,} pages, {built.fixtures:,} of them fixtures, {built.size / 1e6:.0f} MB "
        f"in {took:.0f} s: {folder / 'index.html'}"
    )

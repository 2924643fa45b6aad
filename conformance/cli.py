"""The command line: one small function per command, which imports what it needs itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

import click

from conformance.run.options import EDITION, RunOptions, chosen_options, run_options

if TYPE_CHECKING:
    from conformance.gate.config import Config
    from conformance.model.engine import Engine, EngineInfo
    from conformance.model.scenario import Fixture
    from conformance.report.terminal import Detail


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mtg-conformance", message="%(version)s")
def main() -> None:
    """Conformance tests for Magic rules engines: layers, priority, and the reason for every result."""


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def check(files: tuple[Path, ...]) -> None:
    """Check scenario and card files.

    Reports each problem with its location and how to fix it. A folder stands for all files in it. Scenarios
    are also played on the reference engine. Files of your own need no id, title or rules. Exits with 0 if
    all files are valid, otherwise with 2.
    """
    from conformance.data.library import files_to_check, shown
    from conformance.data.reading import problems_in
    from conformance.model.problems import shown_of
    from conformance.play.selection import taken_ids
    from conformance_adapters.in_process import findings_when_played

    paths = [path for file in files for path in (files_to_check(file) if file.is_dir() else [file])]
    if not paths:
        raise click.UsageError("no scenarios and no cards in there\n    files of them end in .yaml or .json")
    taken = {problem.path: problem for problem in taken_ids(paths)}
    count = 0
    for path in paths:
        problems = problems_in(path, findings_when_played)
        every = {*problems, *filter(None, [taken.get(shown(path))])}
        count += len(every)
        for line in shown_of(every):
            click.echo(line, err=True)
    if count:
        raise SystemExit(2)
    click.echo(f"{shown(paths[0])}: sound" if len(paths) == 1 else f"{len(paths)} files: all sound")


@main.command(
    epilog="""\b
Examples:
  conformance docs
  conformance docs protocol"""
)
@click.argument("page", required=False)
def docs(page: str | None) -> None:
    """List the documentation pages, or print one."""
    from conformance.data.pages import page_called, titles
    from conformance.report.console import terminal, written

    with usage_explained():
        if page:
            lines = page_called(page).splitlines()
        else:
            known = titles()
            width = max(map(len, known))
            lines = [f"{name:{width}}  {title}" for name, title in known.items()]
    written(lines, terminal())


class ListByDefault(click.Group):
    """A group of commands; arguments that do not begin with the name of one go to its command `list`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Like any group, but with `list` inserted if no command is named."""
        named = args[:1] and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named else ["list", *args])


@main.group(
    cls=ListByDefault,
    epilog="""\b
Examples:
  conformance cards
  conformance cards "basic land"
  conformance cards --names
  conformance cards show Blood Moon""",
)
def cards() -> None:
    """List, show and read cards.

    `cards [WORD]` is short for `cards list [WORD]`.
    """


@cards.command("list")
@click.argument("words", nargs=-1, metavar="[WORD]")
@click.option("--names", is_flag=True, help="Print only the names, one per line.")
def list_cards(words: tuple[str, ...], names: bool) -> None:
    """List the real cards that scenarios can use by name.

    WORD selects the cards that contain it in their name, cost, type line or rules text.
    """
    from conformance.data.card_index import cards_with, lines_of_cards
    from conformance.data.library import pool
    from conformance.report.console import terminal, written

    with usage_explained():
        found = cards_with(" ".join(words), pool())
    written((card.name for card in found) if names else lines_of_cards(found), terminal())


@cards.command("show")
@click.argument("words", nargs=-1, required=True, metavar="NAME")
def show_card(words: tuple[str, ...]) -> None:
    """Show a real card: its rules text and its definition.

    A scenario can define a similar card of its own under `cards:`, named `Test …`.
    """
    from conformance.data.card_index import card_called, page_of_card
    from conformance.data.library import pool
    from conformance.report.console import terminal, written

    with usage_explained():
        card = card_called(" ".join(words), pool())
    written(page_of_card(card), terminal())


@cards.command(
    epilog="""\b
Examples:
  conformance cards read oracle-cards.json --out read.yaml
  conformance cards read AtomicCards.json --top 100

\b
Exits with 0, or with 2 if the file cannot be read."""
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the definitions to this file: JSON if its name ends in .json, otherwise YAML.",
)
@click.option(
    "--top", default=20, show_default=True, type=click.IntRange(0), help="Number of patterns to show."
)
def read(file: Path, out: Path | None, top: int) -> None:
    """Convert printed cards to definitions.

    FILE is a bulk file from Scryfall (oracle cards) or MTGJSON (AtomicCards), or has one such card per line.
    A card counts as read only if the text generated from its definition equals the printed text, both in a
    normal form (`conformance docs reading`). Lists the patterns that keep the most cards from being read,
    then the counts.
    """
    from conformance.reading import printed_cards, read_into
    from conformance.reading.outcome import lines_of
    from conformance.report.console import terminal, written
    from conformance.report.progress import of_file

    with usage_explained(), ExitStack() as opened:
        source = opened.enter_context(file.open("rb"))
        target = None if out is None else opened.enter_context(written_at_the_end(out))
        printed = of_file(source, printed_cards(source, str(file)), terminal())
        outcome = read_into(printed, target, as_json=out is not None and out.suffix == ".json")
    written(lines_of(outcome, top), terminal())


@main.command(
    epilog="""\b
Example:
  conformance export exported/"""
)
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def export(folder: Path) -> None:
    """Write every fixture as a JSON file.

    Use them to test an engine without Python. Each file is named after the fixture's id and has the form
    that scenario.schema.json, in the same folder, describes. wire.schema.json describes the protocol, and
    events.schema.json the output of `run --json`.
    """
    from conformance.data.reading import exported, schema_file
    from conformance.results.events import events_schema
    from conformance_adapters.wire import wire_schema

    with usage_explained():
        schemas = {"wire.schema.json": wire_schema(), "events.schema.json": events_schema()}
        files = {**exported(), **{name: schema_file(schema) for name, schema in schemas.items()}}
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (folder / name).write_bytes(content)
    click.echo(f"{len(files)} files in {folder}")


class Usage(click.ClickException):
    """The arguments make no sense; the command exits with 2."""

    exit_code = 2

    def show(self, file: IO[str] | None = None) -> None:
        """Print only the reason, so that the line begins with the file's name and editors can follow it."""
        click.echo(self.message, err=True)


@contextmanager
def usage_explained() -> Iterator[None]:
    """End the command with the reason if an argument is invalid, or a file cannot be read or written."""
    from conformance.data.card_index import NoSuchCard
    from conformance.data.pages import NoSuchPage
    from conformance.gate.config import NoEngine
    from conformance.model.engine import CannotPlay
    from conformance.model.problems import ScenarioError
    from conformance.play.journal import JournalError
    from conformance.play.selection import NothingSuch
    from conformance.run.session import Refusal
    from conformance_adapters import UnknownEngine

    try:
        yield
    except (
        *(NothingSuch, NoSuchCard, NoSuchPage),
        *(UnknownEngine, NoEngine, ScenarioError, CannotPlay, JournalError, Refusal),
    ) as error:
        raise Usage(str(error)) from None
    except OSError as error:
        if error.filename is None:  # not about a file: nobody reads our pipe any more
            raise
        raise Usage(f"{error.filename}: {error.strerror}") from None


def check_writable(path: Path) -> None:
    """Raise `OSError` if the file cannot be written, before doing work that would be lost."""
    is_new = not path.exists()
    path.open("ab").close()
    if is_new:
        path.unlink()


@contextmanager
def written_at_the_end(path: Path) -> Iterator[IO[str]]:
    """A text stream that replaces the file at that path, unless an error occurs."""
    if path.exists() and not path.is_file():  # write directly to a pipe or a device
        with path.open("w", encoding="utf-8") as file:
            yield file
        return
    check_writable(path)
    beside = path.with_name(f".{path.name}.new")
    try:
        with beside.open("w", encoding="utf-8") as file:
            yield file
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


SEED = click.option(
    "--seed",
    type=int,
    metavar="N",
    default=0,
    show_default=True,
    help="Seed of the random generator.",
)


@main.command(
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
  130  interrupted with Ctrl-C"""
)
@run_options
def run(options: RunOptions) -> None:
    """Test an engine, and explain what it gets wrong.

    Plays fixtures, and searches for counterexamples to the properties. Select fixtures by id, file or
    folder; the default is everything that comes with the suite. Failures are shown as they are found. The
    summary explains each cause, has a line for each chapter of the rules, and ends with the counts. Ctrl-C
    ends the run with a summary of what was played.
    """
    from datetime import datetime

    from conformance.gate.config import Settings, found_config
    from conformance.report.following import followed
    from conformance.report.outputs import consumers_of
    from conformance.report.terminal import Terminal
    from conformance.results.events import Chosen
    from conformance.run.session import Session, plan
    from conformance.search.effort import SearchOptions
    from conformance_adapters import within_memory
    from conformance_adapters.in_process import Reference

    detail: Detail = "verbose" if options.verbose else "quiet" if options.quiet else "usual"
    with usage_explained(), consumers_of(options.outputs) as consumers, ExitStack() as ended:
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
            Chosen(options.what, options.rules, options.word, options.source, options.properties),
            command_again(options, config.engine),
            update=options.update,
            resume=options.resume,
            asking=SearchOptions(options.seed, options.examples, options.seconds),
            most_failures=1 if options.first_failure else options.maxfail,
        )
        name_aloud(config, planned.name)
        edition, jobs, memory = (
            planned.settings.edition,
            planned.settings.jobs or 1,
            planned.settings.max_memory,
        )

        def fresh() -> Engine:
            engine = connected(planned.name, edition, config, apart=jobs > 1 or memory is not None)
            return within_memory(engine, memory) if memory else engine

        engines = [ended.enter_context(closing(fresh())) for _ in range(jobs)]
        now = datetime.now().astimezone()
        session = ended.enter_context(Session(planned, engines, fresh, Reference, now))
        terminal = Terminal(detail)
        ended.callback(terminal.close)
        code = followed(session, [terminal, *consumers])
    raise SystemExit(code)


def name_aloud(config: Config, engine: str) -> None:
    """Print the command that the configuration runs, before running it, if it may surprise the user."""
    from conformance.gate.config import what_to_name_aloud

    said = what_to_name_aloud(config, engine, Path.cwd())
    if said:
        click.echo(said, err=True)


def connected(name: str, edition: str | None, config: Config, *, apart: bool = False) -> Engine:
    """The engine with this name, started as the configuration or the name itself says.

    `apart` gives it a process of its own in any case.
    """
    from conformance.model.problems import near
    from conformance.play.selection import nothing_such
    from conformance_adapters import connect, in_a_process, of_program

    program = config.engines.get(name)
    if program:
        return of_program(program.argv, program.folder, program.environment, program.start, program.request)
    if near(name, config.engines) and name != "reference" and not set(name) & set(": /\\"):
        raise nothing_such("engine", name, [*config.engines, "reference"])
    return in_a_process(name, edition) if apart else connect(name, edition)


@contextmanager
def closing(engine: Engine) -> Iterator[Engine]:
    """The engine, closed at the end."""
    from conformance.model.engine import close

    try:
        yield engine
    finally:
        close(engine)


def description_of(asked: Engine, name: str) -> EngineInfo:
    """The engine's description of itself; if it has none, the command exits with 3."""
    from conformance.model.engine import EngineFailure
    from conformance.model.problems import ScenarioError
    from conformance.play.introduction import introduced
    from conformance.report.terminal import lines_of_no_start
    from conformance.results.summary import NO_ENGINE

    try:
        return introduced(asked)
    except ScenarioError:  # a recording is a file, which may be invalid
        raise
    except Exception as error:  # any failure of the engine becomes an exit code
        says = error.says if isinstance(error, EngineFailure) else f"{type(error).__name__}: {error}"
        stderr = error.stderr if isinstance(error, EngineFailure) else ""
        for line in lines_of_no_start(name, says, stderr):
            click.echo(line, err=True)
        raise SystemExit(NO_ENGINE) from None


def command_again(options: RunOptions, usual: str | None) -> tuple[str, ...]:
    """The command for the same engine and options; a default engine is not named."""
    engine, edition = options.engine, options.edition
    named = ("--engine", engine) if engine and engine != usual else ()
    return ("conformance", "run", *named, *(("--edition", edition) if edition else ()))


def every_fixture() -> Iterator[Fixture]:
    """Everything that comes with the suite, including the stored generated scenarios."""
    from conformance.play.selection import generated, selected

    return (one.fixture for one in chain(selected(), generated()))


@main.command(
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

    from conformance.gate.config import engine_meant, found_config
    from conformance.model.engine import suite_version
    from conformance_adapters.recorded import recorded, recording_in, stale

    with usage_explained(), ExitStack() as ended:
        fixtures = every_fixture()
        if only_stale:
            ids = sorted(stale(recording_in(file), fixtures))
            for id in ids:
                click.echo(id)
            raise SystemExit(1 if ids else 0)
        config = found_config(Path.cwd())
        name = engine_meant(engine, config, because="record")
        name_aloud(config, name)
        check_writable(file)
        asked = ended.enter_context(closing(connected(name, None, config)))
        description_of(asked, name)
        content = recorded(asked, fixtures, date.today().isoformat(), suite_version())
        file.write_bytes(content)
    click.echo(f"{name} recorded in {file}: {len(content) / 1000:.0f} kB")


@main.command(
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
    from conformance.report.console import terminal, written
    from conformance.run.diagnosis import reason_for
    from conformance.search.promote import promoted, said_of
    from conformance_adapters.in_process import Reference, findings_when_played

    with usage_explained():
        fixture = load(file)
        one = promoted(
            fixture,
            folder,
            partial(reason_for, edition=newest_edition()),
            lambda play: dict(Reference().play(play).tried),
            findings_when_played,
        )
    written(said_of(one), terminal())
    if one.problems:
        raise SystemExit(2)


@main.command(
    epilog="""\b
Examples:
  conformance compare xmage.json forge.json
  conformance compare yesterday.json today.json"""
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
def compare(files: tuple[Path, ...]) -> None:
    """Compare runs that `run --json` wrote.

    Shows by rule where they differ, which checks only one engine fails, and, for two runs of the same
    engine, what changed.
    """
    from conformance.report.console import terminal, written
    from conformance.report.side_by_side import compared
    from conformance.results.events import run_in

    with usage_explained():
        if len(files) < 2:
            raise Usage("only one run to compare\n    name two files or more")
        runs = [run_in(file) for file in files]
    written(compared(runs), terminal())


@main.command(
    "list",
    epilog="""\b
Examples:
  conformance list --rule 613.8
  conformance list --source 002-L4
  conformance list -k humility""",
)
@chosen_options
def list_(what: tuple[str, ...], rules: tuple[str, ...], word: str, source: str) -> None:
    """List fixtures and properties with the rules they test.

    Each has a line with its id, title, rules, and the parts of the source documents that it shows.
    """
    from conformance.play.selection import selected, selected_properties
    from conformance.report.console import terminal, written
    from conformance.report.listings import lines_of_list
    from conformance.search.law_checks import bare

    with usage_explained():
        chosen = [one.fixture for one in selected(what, rules, word, source)]
        laws = () if what else selected_properties((), rules, word, source)
    written(lines_of_list(sorted(chosen, key=lambda fixture: fixture.id)), terminal())
    written(lines_of_list([bare(law) for law in laws]), terminal())


@main.command(
    epilog="""\b
Examples:
  conformance show L-0031
  conformance show two_switches_cancel
  conformance show my_board.yaml"""
)
@click.argument("what", nargs=-1, required=True, metavar="[ID | FILE | FOLDER | PROPERTY]...")
def show(what: tuple[str, ...]) -> None:
    """Describe a fixture or a property in words.

    For a fixture: the board, the text of its cards, the script, and the expected results with their reasons.
    For a property: its statement, its rules, what it needs, the broken engines that break one of its rules,
    and an example.
    """
    from conformance.model.problems import near
    from conformance.play.selection import NothingSuch, boards_meant_by, every_property, nothing_such
    from conformance.report.console import terminal, written
    from conformance.report.listings import lines_of_property
    from conformance.wording import scenario_text

    properties = {law.name: law for law in every_property()}
    laws = [properties[word] for word in what if word in properties]
    fixtures = [word for word in what if word not in properties]
    with usage_explained():
        try:
            chosen = boards_meant_by(fixtures)
        except NothingSuch:
            for word in fixtures:
                if near(word, properties):
                    raise nothing_such("property", word, properties) from None
            raise
    for one in chosen:
        written(scenario_text(one).splitlines(), terminal())
    if laws:
        from conformance.measure.reach import worth_reading
        from conformance.mutants import MUTANTS
        from conformance_adapters.in_process import Reference

        for law in laws:
            breakers = [mutant.name for mutant in MUTANTS if mutant.breaks in law.rules]
            written(lines_of_property(law, worth_reading(law, Reference().play), breakers), terminal())


@main.command(
    epilog="""\b
Examples:
  conformance rules --chapter 613
  conformance rules --gaps"""
)
@click.option(
    "--chapter",
    "chapters",
    multiple=True,
    metavar="RULE",
    help="Only this chapter or rule, such as 613, 613.8 or 613.8b.",
)
@click.option("--gaps", is_flag=True, help="Only rules that no fixture or property tests.")
def rules(chapters: tuple[str, ...], gaps: bool) -> None:
    """List rules with the fixtures and properties that test them.

    Each rule of the chapters we cover has a line with its gist, followed by its fixtures and properties.
    If no scenario can show a rule, the reason is given instead.
    """
    from conformance.data.rulebook import CHAPTERS, coverage
    from conformance.play.selection import check_rule, selected
    from conformance.properties import PROPERTIES
    from conformance.report.console import terminal, written
    from conformance.report.listings import lines_of_coverage

    with usage_explained():
        for chapter in chapters:
            check_rule(chapter)
        fixtures = [one.fixture for one in selected()]
    covered = coverage(fixtures, PROPERTIES, chapters or CHAPTERS)
    written(lines_of_coverage([rule for rule in covered if rule.is_gap or not gaps]), terminal())


@main.command(
    epilog="""\b
Examples:
  conformance explain L-0031
  conformance explain my_board.yaml --of bear
  conformance explain L-0001 --at switched"""
)
@click.argument("what", metavar="ID | FILE")
@click.option("--of", metavar="OBJECT", help="Explain only this object.")
@click.option(
    "--at", "look", default="end", show_default=True, metavar="LOOK", help="Explain the state at this look."
)
@EDITION
def explain(what: str, of: str | None, look: str, edition: str | None) -> None:
    """Explain what happens in a scenario, and why.

    A file needs a setup, a script, or both, but no title and no expectations. The explanation starts with
    an account of the play, as a judge would give it: what goes on the stack and why, how each cost is
    calculated, what each round of passes leads to, and what does not happen. Then come the layers: the order
    of the effects, the reasons for it, and what each effect changes. The resulting state comes last. Each
    step cites its rule.
    """
    from conformance.model.problems import ScenarioError
    from conformance.play.selection import NothingSuch, nothing_such, play_meant_by, up_to
    from conformance.report.console import terminal, written
    from conformance.tell import explain
    from conformance.tell.explanation import explanation
    from conformance.wording.scripts import action_text
    from conformance_adapters.in_process import Reference, played

    with usage_explained():
        play = up_to(play_meant_by(what), look)
        try:
            left = played(play, Reference(edition).rules)
        except ScenarioError as error:
            raise ScenarioError(explain.entries_named(error.problems, play, what)) from None
        board, rules, why = left.last.board, left.last.rules, ""
        if of not in (None, *board.things):
            raise nothing_such("object", str(of), board.things)
        if stopped := left.observations.stopped:
            tried = action_text(play.script[stopped.at]).rstrip(".")
            why = f"action {stopped.at + 1} ({tried}): {stopped.says or stopped.question}"
            why = explain.in_edition(why, rules.edition)
        told = explanation(left.lines(), board, rules, left.all_seen(), rules.edition, why)
        written(explain.explain(told, of).splitlines(), terminal())
        if why:
            cure = left.how_to_answer()
            raise NothingSuch(f"the play stops at {why}" + (f"\n    {cure}" if cure else ""))


@main.command(
    epilog="""\b
Examples:
  conformance bench layers
  conformance bench game
  conformance bench seam
  conformance bench search"""
)
@click.argument("what", type=click.Choice(["layers", "game", "seam", "search"]))
def bench(what: str) -> None:
    """Measure the speed of fixed workloads.

    `layers`: the reference engine's median times for boards of three kinds, and how they grow: an exponent
    of 1 means time proportional to the number of creatures. `game`: complete scenarios per second. `seam`:
    the overhead of testing an engine through the suite. `search`: the cost of generating, playing and
    judging a case of each property, relative to generating it alone.
    """
    if what == "game":
        from conformance.measure.speed import game_rates
        from conformance_adapters.in_process import Reference

        for rate in game_rates(Reference().play):
            click.echo(f"{rate.median:>8,.0f} a second (at best {rate.best:>6,.0f})  {rate.name}")
        return
    if what == "seam":
        from conformance_adapters.bench import lines_of_seam

        for line in lines_of_seam():
            click.echo(line)
        return
    if what == "search":
        from conformance.measure import search_cost
        from conformance.properties import PROPERTIES
        from conformance_adapters.in_process import Reference

        for cost in search_cost.costs(PROPERTIES, Reference().play, 40):
            click.echo(search_cost.line(cost))
        return
    from conformance.measure.speed import growth, layer_timings

    earlier = None
    for timing in layer_timings():
        grew = f"  exponent {growth(earlier, timing):.2f}" if earlier and earlier.kind == timing.kind else ""
        click.echo(f"{timing.kind:8} {timing.size:>7,} creatures {timing.seconds * 1000:>10.2f} ms{grew}")
        earlier = timing


@main.command(
    epilog="""\b
Examples:
  conformance mutants
  conformance mutants --by properties timestamps-only no-loops
  conformance mutants --full --json kills.json"""
)
@click.argument("names", nargs=-1, metavar="[MUTANT]...")
@click.option(
    "--by", "kind", type=click.Choice(["fixtures", "properties"]), help="Run only checks of this kind."
)
@click.option("--full", is_flag=True, help="Run every check on every mutant (slow).")
@click.option(
    "--examples",
    type=click.IntRange(1),
    metavar="N",
    help="Number of cases of each property.  [default: 60, with --full 200]",
)
@SEED
@click.option(
    "--jobs", type=click.IntRange(1), metavar="N", help="Number of processes.  [default: one per core]"
)
@click.option(
    "--json",
    "file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write all kills to this file.",
)
def mutants(
    names: tuple[str, ...],
    kind: Literal["fixtures", "properties"] | None,
    full: bool,
    examples: int | None,
    seed: int,
    jobs: int | None,
    file: Path | None,
) -> None:
    """Prove that the suite notices a broken rule.

    Runs the suite on engines that break one rule each. Prints a line for each: the rule, and the first
    fixture and property that notice, with the number of fixtures or cases it took. Exits with 1 if the suite
    misses one.
    """
    from conformance.files.canonical import encode
    from conformance.measure import kill_matrix
    from conformance.mutants import MUTANTS
    from conformance.play.selection import nothing_such
    from conformance_adapters import connect

    known = {mutant.name: mutant for mutant in MUTANTS}
    with usage_explained():
        for name in names:
            if name not in known:
                raise nothing_such("mutant", name, known)
        if file:
            check_writable(file)
    effort = kill_matrix.MutantEffort(
        kinds=(kind,) if kind else kill_matrix.CHECK_KINDS,
        every=full,
        examples=examples or (200 if full else 60),
        seed=seed,
    )
    killed = []
    chosen = [known[name] for name in names] or MUTANTS
    for mutant, found in kill_matrix.kills(connect, effort, chosen, jobs):
        killed.append((mutant, found))
        click.echo(kill_matrix.line(mutant, found))
    if full and not names:
        for one in effort.kinds:
            idle = kill_matrix.checks_that_kill_nothing(killed, one)
            click.echo(f"{len(idle)} {one} kill nothing{': ' if idle else ''}{', '.join(idle)}")
    if file:
        file.write_bytes(encode([kill for _, found in killed for kill in found]) + b"\n")
    click.echo(kill_matrix.last_line(killed))
    if any(not found for _, found in killed):
        raise SystemExit(1)


@main.command(
    epilog="""\b
Example:
  conformance reach --examples 100"""
)
@click.option(
    "--examples",
    type=click.IntRange(1),
    metavar="N",
    default=30,
    show_default=True,
    help="Number of cases of each property.",
)
@SEED
def reach(examples: int, seed: int) -> None:
    """Count how often awkward situations arise in generated cases.

    Shows for each situation its frequency in 1,000 examples and the required minimum. Exits with 1 if one is
    too rare.
    """
    from conformance.measure.reach import reached
    from conformance.properties import PROPERTIES
    from conformance.strategies import SITUATIONS
    from conformance_adapters.in_process import Reference

    rare = 0
    for one in reached(SITUATIONS, PROPERTIES, Reference().play, examples=examples, seed=seed):
        rare += not one.enough
        mark = "" if one.enough else "  too rare"
        floor = f"(at least {one.situation.floor:g})"
        click.echo(f"{one.per_thousand:7.1f}  {floor:15} {one.situation.name}: {one.situation.says}{mark}")
    click.echo(f"{len(SITUATIONS)} situations, {rare} too rare")
    if rare:
        raise SystemExit(1)


@main.command(
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
    from conformance.gate.config import engine_meant, found_config
    from conformance.report.console import terminal, written
    from conformance.results.summary import AGREED, DISAGREED, INCONCLUSIVE, NO_ENGINE
    from conformance.run.doctor import StepFinding, examination, health, lines_of_found, lines_of_health
    from conformance_adapters import connect

    if step:
        lines_of_step(step)
        return
    with usage_explained(), ExitStack() as ended:
        config = found_config(Path.cwd())
        name = engine_meant(engine, config, because="doctor")
        name_aloud(config, name)
        fresh = partial(connected, name, None, config)
        patient = ended.enter_context(closing(fresh()))
        found: list[StepFinding] = []
        for one in examination(patient, fresh, partial(connect, "reference")):
            written(list(lines_of_found(one, found[-1].rung if found else 0)), terminal())
            found.append(one)
    came_to = health(found)
    written(list(lines_of_health(came_to)), terminal())
    if came_to.ill:
        raise SystemExit(NO_ENGINE if len(found) == 1 else DISAGREED)
    raise SystemExit(AGREED if came_to.reached else INCONCLUSIVE)


def lines_of_step(id: str) -> None:
    """Print the messages of one step of the ladder, as an engine receives them."""
    from conformance.model.engine import suite_version
    from conformance.model.problems import did_you_mean, listed
    from conformance.run.doctor import ladder, step_called
    from conformance_adapters import wire

    step = step_called(id)
    if step is None:
        ids = [step.id for step in ladder()]
        cure = did_you_mean(id, ids, otherwise=f"choose one of: {listed(ids, 50)}")
        raise Usage(f"no step {id!r}\n    {cure}")
    for request in (wire.Hello(wire.PROTOCOL, suite_version()), wire.PlayThis(1, step.play), wire.Bye()):
        click.echo(wire.line(request, with_defaults=True), nl=False)


@main.command(
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

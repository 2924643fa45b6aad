"""The command line of the tools: `python -m tools`, from the root of a checkout."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from conformance.commands.shards import (
    check_kept,
    cluster_options,
    end_early,
    kept_options,
    players_of,
    shards_errors_explained,
)

GOLDENS = ("account", "explain", "picture", "transcripts", "wording")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Tools for people who work on the suite itself; run them from the root of a checkout."""


def say_written(path: Path) -> None:
    """Print the path of a written file, as one would type it here."""
    here = Path.cwd()
    click.echo(f"written: {path.relative_to(here) if path.is_relative_to(here) else path}")


@main.command()
@click.argument("what", nargs=-1, type=click.Choice(GOLDENS))
def golden(what: tuple[str, ...]) -> None:
    """Write golden files anew, all or those named; read the difference before you commit it."""
    import importlib

    for name in what or GOLDENS:
        say_written(importlib.import_module(f"tools.golden_{name}").write())


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def catalogue(file: Path) -> None:
    """Read the printed cards of a bulk file into fixtures/cards/catalogue.jsonl, and compare their words."""
    from tools import catalogue, printed

    say_written(catalogue.write(file))
    say_written(printed.write(file))


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def printed(file: Path) -> None:
    """Compare our words with the printed cards of a bulk file, into fixtures/printed.jsonl."""
    from tools import printed

    say_written(printed.write(file))


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def left_out(file: Path) -> None:
    """Count the cards of a bulk file that need what the language leaves out, for docs/reading.md."""
    from tools import left_out

    say_written(left_out.write(file))


@main.command()
def campaign_cost() -> None:
    """Measure what a campaign costs beside the playing, with made-up shards on a real cluster."""
    from tools import campaign_cost

    campaign_cost.report()


@main.command()
@click.option("--engine", "engines", multiple=True, metavar="ENGINE", help="Another engine; repeatable.")
@click.option("--machine", type=click.IntRange(min=0), default=0, help="Number of machine-made engines.")
@click.option("--several", type=click.IntRange(min=0), default=0, help="Engines with several known mistakes.")
@click.option("--seed", default=0, show_default=True, help="The seed of the sample and of the cases.")
@click.option("--cases", type=click.IntRange(min=1), default=3000, show_default=True, help="For each engine.")
@click.option("--block", type=click.IntRange(min=1), default=4, show_default=True, help="Cases in a shard.")
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the curves in this file.")
@kept_options
@cluster_options
def budget(
    engines: tuple[str, ...],
    machine: int,
    several: int,
    seed: int,
    cases: int,
    block: int,
    svg: Path | None,
    folder: Path | None,
    part: tuple[int, int],
    workers: int | None,
    scheduler: str | None,
) -> None:
    """Compare budgets on engines whose mistakes are known: causes found against cases played."""
    from tools import budget, campaign_curve

    check_kept(folder, part)
    asked = budget.BudgetPlan(seed, cases, block)
    with shards_errors_explained():
        ending, curves = budget.measure(
            asked,
            (*engines, *budget.engine_names(machine, several, seed)),
            where=players_of(workers, scheduler),
            folder=folder,
            part=part,
            tell=lambda number: click.echo(f"{number} engines", err=True),
        )
    names = ("even", "where it pays")
    for line in campaign_curve.table(names, curves):
        click.echo(line)
    if svg is not None:
        svg.write_text(campaign_curve.drawing(names, curves), encoding="utf-8")
        say_written(svg)
    end_early(ending, folder)


@main.command()
@click.option("--engine", "engines", multiple=True, metavar="ENGINE", help="Another engine; repeatable.")
@click.option("--machine", type=click.IntRange(min=0), default=0, help="Number of machine-made engines.")
@click.option("--several", type=click.IntRange(min=0), default=0, help="Engines with several known mistakes.")
@click.option("--seed", default=0, show_default=True, help="The first seed; it also draws the engines.")
@click.option("--seeds", type=click.IntRange(min=2), default=5, show_default=True, help="Number of seeds.")
@click.option("--cases", type=click.IntRange(min=1), default=3000, show_default=True, help="For each seed.")
@click.option("--block", type=click.IntRange(min=1), default=4, show_default=True, help="Cases in a shard.")
@kept_options
@cluster_options
def recall(
    engines: tuple[str, ...],
    machine: int,
    several: int,
    seed: int,
    seeds: int,
    cases: int,
    block: int,
    folder: Path | None,
    part: tuple[int, int],
    workers: int | None,
    scheduler: str | None,
) -> None:
    """Measure how many causes each of several seeds finds, and how many of them nearly every seed finds."""
    from tools import budget, recall

    check_kept(folder, part)
    with shards_errors_explained():
        ending, found = recall.measure(
            (*engines, *budget.engine_names(machine, several, seed)),
            range(seed, seed + seeds),
            cases,
            block,
            where=players_of(workers, scheduler),
            folder=folder,
            part=part,
            tell=lambda one: click.echo(
                f"{one.engine}, seed {one.seed}: {len(one.causes)} causes in {one.cases:,} cases", err=True
            ),
        )
    for line in recall.table(found):
        click.echo(line)
    end_early(ending, folder)


@main.command()
@click.argument("folders", nargs=-1, required=True, metavar="DIR...", type=click.Path(path_type=Path))
@click.option("--svg", type=click.Path(dir_okay=False, path_type=Path), help="Draw the curves in this file.")
def campaign_curve(folders: tuple[Path, ...], svg: Path | None) -> None:
    """Compare campaigns over the same engines: causes found against cases played."""
    from tools import campaign_curve

    with shards_errors_explained():
        names, curves = campaign_curve.of_folders(folders)
    for line in campaign_curve.table(names, curves):
        click.echo(line)
    if svg is not None:
        svg.write_text(campaign_curve.drawing(names, curves), encoding="utf-8")
        say_written(svg)


@main.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--engines", type=click.IntRange(min=1), default=200, show_default=True)
@click.option("--seed", default=0, show_default=True, help="The seed of the sample and of the search.")
@click.option("--cases", type=click.IntRange(min=1), default=3000, show_default=True, help="For each engine.")
@click.option("--block", type=click.IntRange(min=1), default=4, show_default=True, help="Cases in a shard.")
@click.option("--even", is_flag=True, help="Give each law the same number of cases, whatever it finds.")
def machine_campaign(folder: Path, engines: int, seed: int, cases: int, block: int, even: bool) -> None:
    """Play a campaign over machine-made engines in DIR, or continue it."""
    from tools.machine_campaign import play_campaign

    play_campaign(folder, engines, seed, cases, block, even=even)


@main.command()
def causes() -> None:
    """Measure how well campaigns join finds to causes, on the recorded engines."""
    from tools import causes

    causes.report()


@main.command()
@click.option(
    "--next", "kind", metavar="LETTER", help="Print the next free id of this kind (L, P, G) instead."
)
def ids(kind: str | None) -> None:
    """Record the ids of new fixtures in fixtures/ids.yaml, permanently."""
    from tools import ids

    if kind is None:
        say_written(ids.note_new_ones())
        return
    before = ids.notes(ids.NOTES.read_text(encoding="utf-8"))
    click.echo(ids.next_free(kind.upper(), ids.with_new_ones(before, ids.given_now(ids.our_files()))))


@main.command()
@click.argument("examples", type=click.IntRange(min=1), default=60)
@click.option(
    "--more", is_flag=True, help="Keep what is stored, and add only what shows mutants that nothing shows."
)
def corpus(examples: int, more: bool) -> None:
    """Choose the generated scenarios that the gate plays, from this many EXAMPLES of each property."""
    from tools.corpus import write_corpus

    write_corpus(examples, more)


@main.command("machine-made")
@click.option(
    "--sample", type=click.IntRange(min=1), help="Try that many changes, drawn by the seed, not all of them."
)
@click.option("--seed", default=0, show_default=True, help="The seed that decides which changes are drawn.")
@click.option(
    "--laws",
    type=click.IntRange(min=0),
    help="Ask laws about this many changes only, and about what other checks don't notice twice.",
)
@click.option(
    "--cases",
    type=click.IntRange(min=0),
    default=2,
    show_default=True,
    help="Cases of each law, times as many as it draws (a plain run: 20). With 0, no law is asked.",
)
@click.option(
    "--explained",
    is_flag=True,
    help="Try what is said to be unobservable, and list what is noticed.",
)
@click.option("--since", metavar="COMMIT", help="Only changes of lines that are newer than this commit.")
@kept_options
@cluster_options
def machine_made(
    sample: int | None,
    seed: int,
    laws: int | None,
    cases: int,
    explained: bool,
    since: str | None,
    folder: Path | None,
    part: tuple[int, int],
    workers: int | None,
    scheduler: str | None,
) -> None:
    """Change the reference engine's code by machine, and count what the suite's checks notice."""
    from tools.machine_made import measure

    check_kept(folder, part)
    with shards_errors_explained():
        where = players_of(workers, scheduler)
        try:
            ending, report = measure(
                sample,
                seed,
                where=where,
                folder=folder,
                part=part,
                laws=laws,
                cases=cases,
                explained=explained,
                since=since,
            )
        except LookupError as error:
            raise click.ClickException(str(error)) from None
    click.echo(report)
    end_early(ending, folder)


@main.command("machine-engine")
@click.argument("id")
@click.argument("module", required=False)
def machine_engine(id: str, module: str | None) -> None:
    """Serve the reference engine with the change that has this ID, as an engine for any command."""
    from tools.code_changes import MODULES
    from tools.machine_engine import serve_machine_engine

    try:
        serve_machine_engine(id, (module,) if module else MODULES)
    except (LookupError, OSError) as error:
        raise click.ClickException(str(error)) from None


@main.command()
@click.option("--sample", type=click.IntRange(min=1), default=1000, show_default=True, help="Changes to try.")
@click.option("--seed", default=0, show_default=True, help="The seed that decides what is drawn.")
@click.option(
    "--examples", type=click.IntRange(min=1), default=20, show_default=True, help="Cases drawn for each law."
)
@click.option("--store", type=click.IntRange(min=0), default=0, help="How many scenarios to store.")
@click.option(
    "--changes",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Only the changes that this file names, such as the output of machine-made.",
)
@kept_options
def harvest(
    sample: int,
    seed: int,
    examples: int,
    store: int,
    changes: Path | None,
    folder: Path | None,
    part: tuple[int, int],
) -> None:
    """Find scenarios that distinguish machine-made engines, and store some in the corpus."""
    from conformance.data.compiled import fixtures_folder
    from conformance.measure.corpus import CORPUS_FOLDER
    from tools.harvest import search_and_store

    check_kept(folder, part)
    corpus = fixtures_folder() / CORPUS_FOLDER
    with shards_errors_explained():
        click.echo(search_and_store(folder, part, sample, seed, examples, store, corpus, named=changes))


@main.command()
@click.option(
    "--variants",
    type=click.IntRange(min=1),
    default=20_000,
    show_default=True,
    help="Varied fixtures to draw.",
)
@click.option("--seed", default=0, show_default=True, help="The seed that decides what is drawn.")
@click.option("--store", type=click.IntRange(min=0), default=0, help="How many scenarios to store.")
def outcomes(variants: int, seed: int, store: int) -> None:
    """Find scenarios in which conditions of the reference engine come out as hardly anywhere else."""
    from conformance.data.compiled import fixtures_folder
    from conformance.measure.corpus import CORPUS_FOLDER
    from tools.outcomes import search_and_store

    click.echo(search_and_store(variants, seed, store, fixtures_folder() / CORPUS_FOLDER, click.echo))


@main.command("ignored-words")
def ignored_words() -> None:
    """Ignore each keyword and other word of cards in turn; print those that at most one check notices."""
    from tools.ignored_words import report, words_noticed

    for line in report(words_noticed()):
        click.echo(line)


@main.command("unused-words")
def unused_words() -> None:
    """Print the words of the language that at most one check uses, by the field in which they may stand."""
    from tools.unused_words import places, report, uses

    for line in report(places(), uses()):
        click.echo(line)


@main.command("unmet-pairs")
def unmet_pairs() -> None:
    """Print the words of cards with the places in which no check has them, but has others of their kind."""
    from tools.unmet_pairs import all_met, report

    for line in report(all_met()):
        click.echo(line)


@main.command("swapped-decisions")
@click.option("--sample", type=click.IntRange(min=1), help="Only that many pairs, drawn by the seed.")
@click.option("--seed", default=0, show_default=True, help="The seed that decides which are drawn.")
def swapped_decisions(sample: int | None, seed: int) -> None:
    """Take each decision of the rules as another; print the pairs that at most one check notices."""
    from tools.swapped_decisions import report, results

    for line in report(results(sample, seed)):
        click.echo(line)


@main.command("mistakes-met")
@click.option("--family", "only", multiple=True, metavar="FAMILY", help="Only this family; repeatable.")
@click.option("--sample", type=click.IntRange(min=1), help="Only that many mistakes, drawn by the seed.")
@click.option("--seed", default=0, show_default=True, help="The seed that decides what is drawn and played.")
@click.option("--variants", type=click.IntRange(min=1), default=10_000, show_default=True, help="To search.")
@click.option("--real", is_flag=True, help="Search games of real cards, not varied fixtures.")
@click.option("--store", type=click.IntRange(min=1), help="Search, and store up to that many scenarios.")
def mistakes_met(
    only: tuple[str, ...], sample: int | None, seed: int, variants: int, real: bool, store: int | None
) -> None:
    """Make mistakes only where a play meets a kind of thing; print those that at most one check notices.

    With --store, varied fixtures are drawn, and those that notice most of these mistakes, and of others that
    no check meets, join the corpus. With --real, games of real cards are drawn, and only what no check meets
    is searched.
    """
    from conformance.data.compiled import fixtures_folder
    from conformance.measure.corpus import CORPUS_FOLDER
    from tools.met_harvest import search_and_store
    from tools.mistakes_met import ENOUGH, checks_meeting, family_names, report, results

    unknown = sorted(set(only) - set(family_names()))
    if unknown:
        raise click.UsageError(
            f"there is no family {', '.join(unknown)}\n    there are: {', '.join(family_names())}"
        )
    if store is None:
        for line in report(results(only, sample, seed)):
            click.echo(line)
        return
    if real:
        noticed = dict.fromkeys(checks_meeting(only, seed), ENOUGH)
    else:
        noticed = {one.mistake: len(one.noticing) for one in results(only, sample, seed)}
    folder = fixtures_folder() / CORPUS_FOLDER
    click.echo(search_and_store(noticed, only, variants, seed, store, folder, click.echo, real=real))


@main.command("named-rules")
@click.argument("mutants", nargs=-1, metavar="MUTANT ...")
@click.option("--machine", type=click.IntRange(min=1), help="Machine-made engines instead, that many.")
@click.option(
    "--swapped", type=click.IntRange(min=1), help="Engines with swapped decisions instead, that many."
)
@click.option("--sample", type=click.IntRange(min=1), help="Only that many of the broken engines.")
@click.option("--seed", default=0, show_default=True, help="The seed that decides which are drawn.")
def named_rules(
    mutants: tuple[str, ...], machine: int | None, swapped: int | None, sample: int | None, seed: int
) -> None:
    """Measure whether failing runs name the broken rule, and print the engines for which they don't."""
    from tools import named_rules

    if machine:
        found = named_rules.machine_namings(machine, seed)
    elif swapped:
        found = named_rules.swapped_namings(swapped, seed)
    else:
        found = named_rules.mutants_named(mutants, sample, seed)
    for line in named_rules.report(found):
        click.echo(line)


@main.command("own-mutants")
@click.argument("modules", nargs=-1, required=True, metavar="MODULE.py|FUNCTION ...")
def own_mutants(modules: tuple[str, ...]) -> None:
    """Change our own code in every small way and print each change that no check notices."""
    from tools.own_mutants import try_changes

    files = [name for name in modules if name.endswith(".py")]
    if not files:
        raise click.UsageError(
            "no module named\n    name a file, such as reference_engine/layers/dependency.py"
        )
    try_changes(files, set(modules) - set(files))


@main.command("play-cards")
@click.option(
    "--sample", type=click.IntRange(min=1), help="Play that many cards, drawn by the seed, not all."
)
@click.option("--seed", default=0, show_default=True, help="The seed that decides what is drawn.")
def play_cards(sample: int | None, seed: int) -> None:
    """Play real cards on the reference engine: each enters, attacks, and has its abilities used."""
    from tools import play_cards

    for line in play_cards.report(play_cards.play_cards(sample, seed)):
        click.echo(line)


@main.command()
@click.argument("engine")
@click.option("--games", type=click.IntRange(min=1), default=300, show_default=True, help="Games to play.")
@click.option("--seed", default=0, show_default=True, help="The seed of the games.")
@click.option("--crowds", is_flag=True, help="Games of ten cards that all meet, instead of whole games.")
def met(engine: str, games: int, seed: int, crowds: bool) -> None:
    """Play games of real cards on an engine, and count which cards met."""
    from tools.met import report

    for line in report(engine, games, seed, crowds=crowds):
        click.echo(line)


@main.command()
@click.argument("engines", nargs=-1, required=True, metavar="ENGINE ENGINE ...")
@click.option(
    "--scenarios", type=click.IntRange(min=1), default=2000, show_default=True, help="Scenarios to play."
)
@click.option("--seed", default=0, show_default=True, help="The seed of the scenarios.")
@click.option("--real", is_flag=True, help="Scenarios that have real cards only.")
def outvoted(engines: tuple[str, ...], scenarios: int, seed: int, real: bool) -> None:
    """Print what two engines answer alike, and the reference engine otherwise."""
    if len(set(engines)) < 2:
        raise click.UsageError("name at least two engines, whose answers can be alike")
    from tools.outvoted import report

    for line in report(engines, scenarios, seed, real=real):
        click.echo(line)


@main.command("protocol-defaults")
def protocol_defaults() -> None:
    """Print the table of defaults that docs/protocol.md shows."""
    from tools.protocol_defaults import table

    click.echo(table(), nl=False)


@main.command()
@click.argument("engine")
@click.argument("command")
@click.option(
    "--only", multiple=True, metavar="ID", help="Only this finding, keeping the other answers; repeatable."
)
def findings(engine: str, command: str, only: tuple[str, ...]) -> None:
    """Ask an engine about its findings, keep its answers, and print the findings that it does not show."""
    from tools.findings import ask, findings_folder, not_shown

    say_written(ask(engine, command, only))
    for id in not_shown(findings_folder(engine)):
        click.echo(f"{id} is not shown")


@main.command("engines-page")
def engines_page() -> None:
    """Write docs/engines.md, the pages of the engines and their issues from what was recorded and found."""
    from tools.engines_page import write

    for path in write():
        say_written(path)


@main.command("properties-page")
def properties_page() -> None:
    """Write docs/properties.md from the properties themselves."""
    from tools.properties_page import write

    say_written(write())


@main.command()
@click.argument("examples", type=click.IntRange(min=1), required=False)
def strength(examples: int | None) -> None:
    """Measure the suite and write docs/broken-engines.md; EXAMPLES tries each check on each (hours)."""
    from tools.strength import write

    say_written(write(examples))


@main.command()
@click.argument("many", type=click.IntRange(min=1), default=1000)
@click.argument("first", type=click.IntRange(min=0), default=0)
def walks(many: int, first: int) -> None:
    """Play MANY random games on the reference engine from seed FIRST on, and check their laws."""
    from tools.walks import walk_many

    sys.exit(0 if walk_many(many, first) else 1)


@main.command("work")
def work_() -> None:
    """Count the calls of our functions in fixed tasks, and store them in tests/data/work.json."""
    from tools import work

    say_written(work.write())


if __name__ == "__main__":
    main()

"""The commands that measure the suite itself: `bench`, `mutants` and `reach`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from conformance.commands.arguments import SEED, usage_errors_explained
from conformance.commands.shards import (
    check_kept,
    cluster_options,
    end_early,
    kept_options,
    players_of,
    shards_errors_explained,
)

if TYPE_CHECKING:
    from conformance.measure.kill_matrix import Kill
    from conformance.model.scenario import Play
    from conformance.mutants import Mutant


@click.command(
    epilog="""\b
Examples:
  conformance bench layers
  conformance bench game
  conformance bench seam
  conformance bench search
  conformance bench peers --engine ./my-shim --engine reference --html speed.html"""
)
@click.argument("what", type=click.Choice(["layers", "game", "seam", "search", "peers"]))
@click.option(
    "--engine",
    "engines",
    multiple=True,
    metavar="ENGINE",
    help="Engine to measure with `peers`; may be repeated. The reference engine is measured too.",
)
@click.option(
    "--rounds", type=click.IntRange(1), metavar="N", help="Number of rounds of `peers`.  [default: 5]"
)
@click.option(
    "--json",
    "json_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write all figures of `peers` to this file.",
)
@click.option(
    "--html",
    "page",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the results of `peers` as an HTML page.",
)
@kept_options
def bench(
    what: str,
    engines: tuple[str, ...],
    rounds: int | None,
    json_file: Path | None,
    page: Path | None,
    folder: Path | None,
    part: tuple[int, int],
) -> None:
    """Measure the speed of fixed workloads.

    `layers`: the reference engine's median times for boards of three kinds, and how they grow: an exponent
    of 1 means time proportional to the number of creatures. `game`: complete scenarios per second. `seam`:
    the overhead of testing an engine through the suite. `search`: the cost of generating, playing and
    judging a case of each property, relative to generating it alone. `peers`: the engines given and the
    reference engine at the same work in turn, each in processes of its own. Its rounds are played one after
    another, never side by side, because time is what they measure; --part is for several sittings on one
    machine.
    """
    check_kept(folder, part)
    if what == "peers":
        bench_peers(engines, rounds, json_file, page, folder, part)
        return
    if engines or rounds or json_file or page or folder:
        options = "--engine, --rounds, --json, --html, --folder and --part"
        raise click.UsageError(f"{options} belong to `bench peers`")
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


def bench_peers(
    engines: tuple[str, ...],
    rounds: int | None,
    json_file: Path | None,
    page: Path | None,
    folder: Path | None,
    part: tuple[int, int],
) -> None:
    """Measure engines side by side, and print, write and draw the result."""
    from conformance.commands.engines import announce_command, closing, connect_engine, description_of
    from conformance.files.canonical import encode
    from conformance.gate.config import found_config
    from conformance.model.peer_report import lines_of_peers
    from conformance.report.whole_file import check_writable, output_replacing
    from conformance_adapters.peer_bench import PEER_ROUNDS, all_work, peer_report

    with usage_errors_explained():
        config = found_config(Path.cwd())
        for file in (json_file, page):
            if file is not None:
                check_writable(file)
    with ExitStack() as ended, shards_errors_explained():
        started = {}
        for name in dict.fromkeys((*engines, "reference")):
            announce_command(config, name)
            with usage_errors_explained():
                started[name] = ended.enter_context(closing(connect_engine(name, None, config, apart=True)))
        report = peer_report(
            started, all_work(), rounds or PEER_ROUNDS, description_of, folder=folder, part=part
        )
    for line in lines_of_peers(report):
        click.echo(line)
    if json_file is not None:
        with output_replacing(json_file) as out:
            out.write(encode(report).decode() + "\n")
    if page is not None:
        from conformance.pages.peers import peers_page

        with output_replacing(page) as out:
            out.write(peers_page(report))


@click.command(
    epilog="""\b
Examples:
  conformance mutants
  conformance mutants --by properties timestamps-only no-loops
  conformance mutants --full --json kills.json --folder kills"""
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
    "--json",
    "file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write all kills to this file.",
)
@kept_options
@cluster_options
def mutants(
    names: tuple[str, ...],
    kind: Literal["fixtures", "properties"] | None,
    full: bool,
    examples: int | None,
    seed: int,
    file: Path | None,
    folder: Path | None,
    part: tuple[int, int],
    workers: int | None,
    scheduler: str | None,
) -> None:
    """Prove that the suite notices a broken rule.

    Runs the suite on engines that break one rule each. Prints a line for each: the rule, and the first
    fixture and property that notice, with the number of fixtures or cases it took. Exits with 1 if the suite
    misses one.
    """
    from conformance.files.canonical import encode
    from conformance.files.writing import write_file
    from conformance.measure import kill_matrix
    from conformance.mutants import MUTANTS
    from conformance.play.selection import no_match
    from conformance.report.whole_file import check_writable
    from conformance_adapters import connect

    check_kept(folder, part)
    known = {mutant.name: mutant for mutant in MUTANTS}
    with usage_errors_explained():
        for name in names:
            if name not in known:
                raise no_match("mutant", name, known)
        if file:
            check_writable(file)
    effort = kill_matrix.MutantEffort(
        kinds=(kind,) if kind else kill_matrix.CHECK_KINDS,
        every=full,
        examples=examples or (200 if full else 60),
        seed=seed,
    )
    killed: list[tuple[Mutant, tuple[Kill, ...]]] = []
    chosen = [known[name] for name in names] or MUTANTS

    def tell(mutant: Mutant, found: tuple[Kill, ...]) -> None:
        killed.append((mutant, found))
        click.echo(kill_matrix.line(mutant, found))

    with shards_errors_explained():
        where = players_of(workers, scheduler)
        ending = kill_matrix.kills(connect, effort, tell, chosen, where=where, folder=folder, part=part)
    end_early(ending, folder)
    if full and not names and part == (1, 1):
        for one in effort.kinds:
            idle = kill_matrix.checks_that_kill_nothing(killed, one)
            click.echo(f"{len(idle)} {one} kill nothing{': ' if idle else ''}{', '.join(idle)}")
    if file:
        write_file(file, encode([kill for _, found in killed for kill in found]) + b"\n")
    click.echo(kill_matrix.last_line(killed))
    if any(not found for _, found in killed):
        raise SystemExit(1)


@click.command(
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

    Shows for each situation its frequency in 1,000 examples and the required minimum, then how many real
    cards were played, and how many pairs of them met: one did what the other asks about. Exits with 1 if a
    situation is too rare.
    """
    from conformance.measure.reach import real_card_reach, situation_rates
    from conformance.properties import DRAWN_ALONE
    from conformance.strategies import SITUATIONS
    from conformance_adapters.in_process import Reference

    rare = 0
    plays: list[Play] = []
    play = Reference().play
    for one in situation_rates(
        SITUATIONS, DRAWN_ALONE, play, examples=examples, seed=seed, keep=plays.append
    ):
        rare += not one.is_enough
        mark = "" if one.is_enough else "  too rare"
        floor = f"(at least {one.situation.floor:g})"
        click.echo(f"{one.per_thousand:7.1f}  {floor:15} {one.situation.name}: {one.situation.says}{mark}")
    click.echo(real_card_reach(plays))
    click.echo(f"{len(SITUATIONS)} situations, {rare} too rare")
    if rare:
        raise SystemExit(1)

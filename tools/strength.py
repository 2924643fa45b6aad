"""Measures the suite and writes docs/broken-engines.md: `python -m tools strength [EXAMPLES]`.

With a number, every check runs on every mutant, with that many cases for each property, which takes hours.
Without one, checks run on each mutant until one of each kind notices it.

The whole page is generated. What other measurements say about the suite is in docs/strength.md, which people
write.
"""

from __future__ import annotations

import datetime
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition
from conformance.measure import search_cost
from conformance.measure.corpus import corpus
from conformance.measure.kill_matrix import (
    CHECK_KINDS,
    Kill,
    MutantEffort,
    cheapest_kill,
    checks_that_kill_nothing,
    first_victims,
    kills,
    last_line,
)
from conformance.measure.reach import situation_rates
from conformance.model.engine import suite_version
from conformance.mutants import MUTANTS, Mutant
from conformance.play.runner import run
from conformance.properties import DRAWN_ALONE, PROPERTIES
from conformance.results.summary import counts_of
from conformance.shards.players import processes
from conformance.strategies import SITUATIONS
from conformance_adapters import connect
from conformance_adapters.degenerate import DEGENERATES, DegenerateEngine
from conformance_adapters.in_process import Reference

PAGE = Path(__file__).resolve().parent.parent / "docs" / "broken-engines.md"
HEAD = """\
# Broken engines and what notices them

Which checks notice each broken engine, how often awkward situations arise in generated cases, and what the
search costs. `python -m tools strength` measures and writes all of it. [strength.md](strength.md) says how
the suite does on mistakes that nobody had in mind when its checks were written.
"""
Killed = Sequence[tuple[Mutant, Sequence[Kill]]]


def page(examples: int | None) -> Iterator[str]:
    """The page, line by line."""
    today = datetime.datetime.now(datetime.UTC).date()
    free = sum(not law.oracle for law in PROPERTIES)
    yield HEAD
    yield (
        f"Measured on {today}, version {suite_version()}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, by `python -m tools strength{f' {examples}' if examples else ''}`."
    )
    yield ""
    yield (
        f"{len(all_fixtures())} fixtures, {len(corpus())} generated scenarios in the corpus, "
        f"{len(PROPERTIES)} properties of which {free} need no reference engine, "
        f"{len(MUTANTS)} broken engines, and {len(DEGENERATES)} engines that know no rules."
    )
    killed: list[tuple[Mutant, tuple[Kill, ...]]] = []
    effort = (
        MutantEffort(every=True, examples=examples) if examples else MutantEffort(examples=120, seconds=30)
    )

    def tell(mutant: Mutant, found: tuple[Kill, ...]) -> None:
        killed.append((mutant, found))
        print(f"{len(killed)} of {len(MUTANTS)}: {mutant.name}", file=sys.stderr, flush=True)

    kills(connect, effort, tell, where=partial(processes, os.cpu_count() or 1))
    yield from kill_lines(killed, every=effort.every)
    yield from idle_lines(killed, every=effort.every)
    yield from degenerate_lines()
    yield from reach_lines()
    yield from cost_lines()


def kill_lines(killed: Killed, *, every: bool) -> Iterator[str]:
    """The checks that detect each broken engine."""
    soon = [one.examples for _, found in killed if (one := cheapest_kill(found, "properties"))]
    yield from ["", "## Broken engines", ""]
    yield f"{last_line(killed)}."
    yield f"Cases that the soonest property needs: {median(soon):g} (median), at most {max(soon)}."
    yield (
        "All checks were tried on every mutant."
        if every
        else "For each kind, the first check that catches the mutant is listed."
    )
    yield from ["", "| mutant | breaks | fixture | property | cases | rule named |"]
    yield "| --- | --- | --- | --- | --: | --- |"
    for mutant, found in killed:
        fixture, law = (cheapest_kill(found, kind) for kind in CHECK_KINDS)
        named = "yes" if any(one.named for one in found) else "no"
        yield (
            f"| {mutant.name} | {mutant.breaks} | {fixture.check if fixture else '–'} | "
            f"{law.check if law else '–'} | {law.examples if law else '–'} | {named} |"
        )


def idle_lines(killed: Killed, *, every: bool) -> Iterator[str]:
    """The properties that detect no mutant; their docstrings say what they are for."""
    idle = checks_that_kill_nothing(killed, "properties")
    if not every:
        where = partial(processes, os.cpu_count() or 1)
        victims = first_victims(connect, MutantEffort(examples=60), idle, where=where)
        idle = [name for name in idle if victims[name] is None]
    yield from ["", f"Properties that noticed no mutant at all: {', '.join(idle) or 'none'}."]


def degenerate_lines() -> Iterator[str]:
    """What engines without rules pass."""
    yield from [
        "",
        "## Engines that know no rules",
        "",
        "| engine | what it does | fixtures passed |",
        "| --- | --- | --: |",
    ]
    for kind in DEGENERATES:
        counts = counts_of(run(DegenerateEngine(kind), all_fixtures().values(), newest_edition()))
        yield f"| {kind.name} | {kind.story} | {counts.passed} |"
    yield from [
        "",
        "The last one follows the rules about what is legal; it passes where there is only one legal action.",
    ]


def reach_lines() -> Iterator[str]:
    """How often tricky situations occur."""
    yield from [
        "",
        "## What is reached",
        "",
        "Frequencies per 1,000 examples of all properties together.",
        "",
    ]
    yield from ["| situation | | arises | floor |", "| --- | --- | --: | --: |"]
    for one in situation_rates(SITUATIONS, DRAWN_ALONE, Reference().play, examples=25):
        what = one.situation
        yield f"| {what.name} | {what.says} | {one.per_thousand:.1f} | {what.floor:g} |"


def cost_lines() -> Iterator[str]:
    """The cost of the search."""
    *_, whole = search_cost.costs(PROPERTIES, Reference().play, 40)
    yield from ["", "## What the search costs", ""]
    yield (
        f"Generating, playing and judging a case takes {whole.ratio:.2f} times as long as generating it "
        f"alone ({1000 * whole.whole / whole.cases:.1f} ms a case); {whole.lost:.1%} of draws are discarded."
    )


def write(examples: int | None) -> Path:
    """Write the page and return its path."""
    text = "\n".join(page(examples))
    PAGE.write_text(f"{text}\n", encoding="utf-8")
    return PAGE

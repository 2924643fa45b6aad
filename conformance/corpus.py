"""Generated scenarios that are stored: what the search would draw, chosen by the mutants that they show.

A gate draws nothing, so that it is repeatable to the bit; with these it has nearly the strength of the
search all the same. Each is small, and kept because it tells a mutant from the reference engine by
something that nothing chosen before it tells it by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec.structs import replace

from conformance.canonical import digest
from conformance.engine import CannotPlay, Engine
from conformance.found import Compared, differences, looked_at
from conformance.library import fixtures_folder, load
from conformance.mutants import Mutant
from conformance.problems import ScenarioError
from conformance.properties.law import Property
from conformance.reach import examples_of
from conformance.rulebook import rules_by_number
from conformance.runner import answer_to
from conformance.scenario import Expectation, Fixture, Play

FOLDER = "corpus"
MOST_THINGS = 8
"""A scenario with more objects is not taken: somebody has to read it when it fails."""

Difference = tuple[Mutant, Expectation]
"""What a mutant gets wrong."""


@cache
def corpus() -> Mapping[str, Fixture]:
    """Every stored scenario by its id, in order of ids."""
    return {path.stem: load(path) for path in sorted((fixtures_folder() / FOLDER).glob("C-*.json"))}


def chosen(
    law: Property[Any],
    mutants: Sequence[tuple[Mutant, Engine]],
    reference: Engine,
    told: set[tuple[str, str]],
    *,
    examples: int,
    seed: int = 0,
) -> Iterator[Fixture]:
    """Scenarios that a law makes in so many examples, as far as they tell a mutant by something new.

    `told` is by what each mutant was told before, by its name; it grows.
    """
    for play in small(play for plays in examples_of(law, reference.play, examples, seed) for play in plays):
        new = [
            (mutant, one)
            for mutant, one in told_by(play, mutants, reference)
            if (mutant.name, one.key) not in told
        ]
        if new:
            told.update((mutant.name, one.key) for mutant, one in new)
            yield fixture_of(play, law, new)


def small(plays: Iterable[Play]) -> Iterator[Play]:
    """Each play once, the big ones left out."""
    seen: set[str] = set()
    for play in plays:
        name = digest(play)
        if name not in seen and len(play.objects) <= MOST_THINGS:
            seen.add(name)
            yield play


def told_by(play: Play, mutants: Sequence[tuple[Mutant, Engine]], reference: Engine) -> Iterator[Difference]:
    """What each mutant gets wrong in a scenario."""
    expected = reference.play(play)
    for mutant, engine in mutants:
        try:
            answer = answer_to(engine, play)
        except ScenarioError:  # a setup that is none by the broken rules
            continue
        if not isinstance(answer, CannotPlay):
            why = f"CR {mutant.breaks}: {rules_by_number()[mutant.breaks].gist}"
            yield from ((mutant, one) for one in differences(Compared(play, answer, expected), why))


def fixture_of(play: Play, law: Property[Any], new: Sequence[Difference]) -> Fixture:
    """The scenario with what tells the mutants: each thing once, for the first rule that says it."""
    expect = tuple({(one.look, one.about, one.key): one for _, one in reversed(new)}.values())
    rules = tuple(dict.fromkeys(mutant.breaks for mutant, _ in new))
    note = f"Tells these mutants: {', '.join(dict.fromkeys(mutant.name for mutant, _ in new))}."
    fixture = Fixture("", law.says.rstrip("."), rules, looked_at(play, expect), expect, note=note)
    return replace(fixture, id=f"C-{digest(fixture)[:8]}")

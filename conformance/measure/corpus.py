"""The stored generated scenarios: cases of the search, chosen by the mutants that they catch.

The gate draws nothing, so that it is repeatable to the bit; with these scenarios it is still almost as strong
as the search. Each is small, and is kept because it distinguishes a mutant from the reference engine by an
expectation that no earlier scenario has. Engines that ignore the rules must fail every one of them: if the
expectations against mutants do not ensure that, more expectations are added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec.structs import replace

from conformance.data.compiled import fixtures_folder
from conformance.data.library import load
from conformance.data.rulebook import newest_edition, rules_by_number
from conformance.files.canonical import digest
from conformance.measure.reach import examples_of
from conformance.model.engine import CannotPlay, Engine
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Expectation, Fixture, Play, Want
from conformance.model.verdict import PassVerdict, judge
from conformance.mutants import Mutant
from conformance.play.runner import answer_to
from conformance.properties.law import Property
from conformance.properties.seeing import EVERY_KEY
from conformance.search.found import ComparedAnswer, differences, play_for_expectations
from reference_engine.language.actions import Look, Pass

CORPUS_FOLDER = "corpus"
MOST_THINGS = 8
"""Scenarios with more objects are skipped: somebody has to read them when they fail."""

Difference = tuple[Mutant, Expectation]
"""A mutant, and an expectation that it fails."""


@cache
def corpus() -> Mapping[str, Fixture]:
    """All stored scenarios by id, sorted."""
    return {path.stem: load(path) for path in sorted((fixtures_folder() / CORPUS_FOLDER).glob("C-*.json"))}


def choose_fixtures(
    law: Property[Any],
    mutants: Sequence[tuple[Mutant, Engine]],
    reference: Engine,
    told: set[tuple[str, str]],
    blind: Sequence[Engine],
    *,
    examples: int,
    seed: int = 0,
) -> Iterator[Fixture]:
    """Scenarios that a law draws and that distinguish a mutant in a new way.

    `told` holds what has distinguished each mutant so far, by name; new differences are added to it. `blind`
    are engines that ignore the rules.
    """
    for play in small_plays(
        play for plays in examples_of(law, reference.play, examples, seed) for play in plays
    ):
        new = [
            (mutant, one)
            for mutant, one in differences_of_mutants(play, mutants, reference)
            if (mutant.name, one.key) not in told
        ]
        fixture = (
            with_failures_of_blind_engines(fixture_of(play, law, new), play, reference, blind)
            if new
            else None
        )
        if fixture is not None:
            told.update((mutant.name, one.key) for mutant, one in new)
            yield fixture


def small_plays(plays: Iterable[Play]) -> Iterator[Play]:
    """Each distinct play, without the big ones."""
    seen: set[str] = set()
    for play in plays:
        name = digest(play)
        if name not in seen and len(play.objects) <= MOST_THINGS:
            seen.add(name)
            yield play


def differences_of_mutants(
    play: Play, mutants: Sequence[tuple[Mutant, Engine]], reference: Engine
) -> Iterator[Difference]:
    """The expectations that each mutant fails in a scenario."""
    expected = reference.play(play)
    for mutant, engine in mutants:
        try:
            answer = answer_to(engine, play)
        except ScenarioError:  # the setup is illegal under the broken rules
            continue
        if not isinstance(answer, CannotPlay):
            why = f"CR {mutant.breaks}: {rules_by_number()[mutant.breaks].gist}"
            yield from ((mutant, one) for one in differences(ComparedAnswer(play, answer, expected), why))


def fixture_of(play: Play, law: Property[Any], new: Sequence[Difference]) -> Fixture:
    """The scenario with the expectations that catch mutants, each once and for the first of its rules."""
    expect = tuple({(one.look, one.about, one.key): one for _, one in reversed(new)}.values())
    rules = tuple(dict.fromkeys(mutant.breaks for mutant, _ in new))
    note = f"Distinguishes these mutants: {', '.join(dict.fromkeys(mutant.name for mutant, _ in new))}."
    return with_content_id(
        Fixture("", law.says.rstrip("."), rules, play_for_expectations(play, expect), expect, note=note)
    )


def with_content_id(fixture: Fixture) -> Fixture:
    """The fixture with an id made from its content."""
    fixture = replace(fixture, id="")
    return replace(fixture, id=f"C-{digest(fixture)[:8]}")


# ------------------------------------------------------------------------------ engines without rules


def with_failures_of_blind_engines(
    fixture: Fixture, play: Play, reference: Engine, blind: Sequence[Engine]
) -> Fixture | None:
    """The fixture with enough additional expectations that every engine without rules fails it.

    None if that is impossible, even if the game goes on for another step.
    """
    for longer, told in ((play, fixture.expect), followed_by_passes(play, fixture.expect)):
        wide = replace(longer, wants=wants_of_all(longer))
        expected = reference.play(wide)
        if expected.stopped:
            continue
        expect = told
        for engine in blind:
            if is_right(fixture, longer, expect, engine):
                wrong = differences(ComparedAnswer(wide, answer_of_blind_engine(engine, wide), expected), "")
                known = {(one.look, one.about, one.key) for one in expect}
                expect += tuple(one for one in wrong if (one.look, one.about, one.key) not in known)[:1]
        if not any(is_right(fixture, longer, expect, engine) for engine in blind):
            return with_content_id(
                replace(fixture, play=play_for_expectations(longer, expect), expect=expect),
            )
    return None


def is_right(fixture: Fixture, play: Play, expect: tuple[Expectation, ...], engine: Engine) -> bool:
    """Whether an engine meets all expectations."""
    asked = replace(fixture, play=play_for_expectations(play, expect), expect=expect)
    return isinstance(judge(asked, answer_to(engine, asked.play), newest_edition()), PassVerdict)


def answer_of_blind_engine(engine: Engine, play: Play) -> Observations:
    """The answer of an engine without rules; empty if it cannot play the scenario."""
    answer = answer_to(engine, play)
    return answer if isinstance(answer, Observations) else Observations({})


def followed_by_passes(play: Play, expect: tuple[Expectation, ...]) -> tuple[Play, tuple[Expectation, ...]]:
    """The same play and expectations, followed by everybody passing."""
    longer = replace(play, script=(*play.script, Look("before_that"), Pass("everyone")))
    return longer, tuple(
        replace(one, look="before_that") if one.look == "end" and one.key != "tried" else one
        for one in expect
    )


def wants_of_all(play: Play) -> tuple[Want, ...]:
    """Wants for everything that can be observed, at each look."""
    looks = [*(action.name for action in play.script if isinstance(action, Look)), "end"]
    entered = [entry.id for arrival in play.setup for entry in arrival.entries]
    return tuple(
        want
        for look in looks
        for want in (
            *(Want(look, id, EVERY_KEY | {"tapped", "zone"}) for id in entered),
            *(Want(look, player.id, frozenset({"life"})) for player in play.players),
            Want(look, "table", frozenset({"stack", "step"})),
        )
    )

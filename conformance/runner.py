"""Plays fixtures on an engine, one after the other, and gives each result as soon as it is known.

Whatever an engine does while it plays becomes the verdict on that one check, and the run goes on;
only an engine that breaks several times in a row is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import perf_counter

import msgspec
from msgspec import Struct

from conformance.engine import CannotPlay, Engine, EngineFailure
from conformance.observation import Observations
from conformance.problems import ScenarioError
from conformance.rulebook import holds_in
from conformance.scenario import Fixture, Play
from conformance.verdict import Crash, Hang, NotRun, Verdict, judge

DEATHS_IN_A_ROW = 5
"""After so many the rest is not run: the engine, not the scenarios, is what ends them."""


class Result(Struct, frozen=True, tag_field="event", tag="result"):
    """What came of one check."""

    id: str
    title: str
    rules: tuple[str, ...]
    verdict: Verdict
    seconds: float = 0.0
    """How long the engine took; nothing rests on it."""


def run(
    engine: Engine, fixtures: Iterable[Fixture], edition: str, *, deaths: int = DEATHS_IN_A_ROW
) -> Iterator[Result]:
    """The result of each fixture that counts in this edition, in the order given, as soon as it is known."""
    checks_understanding = engine.describe().checks_understanding
    in_a_row = 0
    for fixture in fixtures:
        if not counts(fixture, edition):
            continue
        verdict: Verdict
        began = perf_counter()
        if in_a_row >= deaths:
            verdict = NotRun(f"the engine broke {deaths} times in a row")
        else:
            answer = answer_to(engine, fixture.play)
            verdict = judge(fixture, answer, edition, checks_understanding=checks_understanding)
            in_a_row = in_a_row + 1 if isinstance(verdict, Crash | Hang) else 0
        yield Result(fixture.id, fixture.title, fixture.rules, verdict, perf_counter() - began)


def counts(fixture: Fixture, edition: str) -> bool:
    """Whether a fixture says anything about an edition."""
    return holds_in(fixture.holds, edition) and any(
        holds_in(expected.holds, edition) for expected in fixture.expect
    )


def answer_to(engine: Engine, play: Play) -> Observations | CannotPlay | EngineFailure:
    """What an engine answers, or how it failed to; only a fault of the scenario goes further than here."""
    try:
        answer = engine.play(play)
    except (CannotPlay, EngineFailure) as said:
        return said
    except ScenarioError:
        raise
    except Exception as error:  # an engine written in Python may raise whatever it likes
        return EngineFailure("crash", f"{type(error).__name__}: {error}")
    if not isinstance(answer, Observations):
        return EngineFailure("protocol", f"answered with {type(answer).__name__}, not with Observations")
    return checked(answer)


def checked(answer: Observations) -> Observations | EngineFailure:
    """The same answer, if every value in it is of its kind."""
    try:
        return msgspec.convert(msgspec.to_builtins(answer), Observations)
    except (msgspec.ValidationError, TypeError, RecursionError) as error:
        return EngineFailure("protocol", str(error))

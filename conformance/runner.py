"""Plays fixtures on an engine, one after the other, and gives each result as soon as it is known.

Whatever an engine does while it plays becomes the verdict on that one check, and the run goes on;
only an engine that breaks several times in a row is left alone.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from time import perf_counter
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from conformance.journal import Journal
from conformance.model.engine import CannotPlay, Engine, EngineFailure
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play, holds_in
from conformance.model.verdict import NotRun, Verdict, judge, stopped_outside

Item = TypeVar("Item")
Done = TypeVar("Done")
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
    examples: int = 0
    """Of a property: so many cases were judged."""


def run(
    engine: Engine,
    fixtures: Iterable[Fixture],
    edition: str,
    *,
    deaths: int = DEATHS_IN_A_ROW,
    also: Sequence[Engine] = (),
    journal: Journal | None = None,
    changing: Mapping[str, str] = {},
) -> Iterator[Result]:
    """The result of each fixture that counts in this edition, in the order given, as soon as it is known.

    `also` are more of the same engine, asked at the same time; they change nothing but the time it takes.
    What the `journal` knows is not asked again. The fixtures of these ids are `changing`: the engine
    answered them in two ways, as is said there.
    """
    info = engine.describe()
    broken = threading.Event()
    not_run = NotRun(f"the engine broke {deaths} times in a row")

    def checked(asked: Engine, fixture: Fixture) -> Came:
        known = journal.recall(fixture) if journal else None
        if known:
            return Came(result_of(fixture, known.verdict, known.seconds), known.died)
        if broken.is_set():
            return Came(result_of(fixture, not_run))
        begin = perf_counter()
        answer = answer_to(asked, fixture.play)
        died = isinstance(answer, EngineFailure) and not answer.lives
        changes = changing.get(fixture.id, "")
        verdict = judge(
            fixture,
            answer,
            edition,
            checks_understanding=info.checks_understanding,
            steps_with_priority=info.steps_with_priority,
            changes=changes,
        )
        seconds = perf_counter() - begin
        if journal:
            journal.keep(fixture, verdict, seconds, died=died)
        return Came(result_of(fixture, verdict, seconds), died)

    in_a_row = 0
    for came in in_order(checked, (engine, *also), (one for one in fixtures if counts(one, edition))):
        if in_a_row >= deaths:
            yield replace(came.result, verdict=not_run, seconds=0.0)
            continue
        in_a_row = in_a_row + 1 if came.died else 0
        if in_a_row >= deaths:
            broken.set()
        yield came.result


class Came(Struct, frozen=True):
    """What came of one check, and whether the engine was gone after it."""

    result: Result
    died: bool = False


def result_of(fixture: Fixture, verdict: Verdict, seconds: float = 0.0) -> Result:
    """What came of a fixture."""
    return Result(fixture.id, fixture.title, fixture.rules, verdict, seconds)


AHEAD = 4
"""So much for each engine may be under way or done before the first of it is handed on."""


def in_order(
    checked: Callable[[Engine, Item], Done], engines: Sequence[Engine], items: Iterable[Item]
) -> Iterator[Done]:
    """What comes of each, in the order in which they are given, however many engines work at them."""
    if len(engines) == 1:
        yield from (checked(engines[0], item) for item in items)
        return
    idle: SimpleQueue[Engine] = SimpleQueue()
    for engine in engines:
        idle.put(engine)

    def by_the_next(item: Item) -> Done:
        engine = idle.get()
        try:
            return checked(engine, item)
        finally:
            idle.put(engine)

    pool = ThreadPoolExecutor(len(engines))
    waiting: deque[Future[Done]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(by_the_next, item))
            while waiting and (len(waiting) >= AHEAD * len(engines) or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def counts(fixture: Fixture, edition: str) -> bool:
    """Whether a fixture says anything about an edition."""
    return holds_in(fixture.holds, edition) and any(
        holds_in(expected.holds, edition) for expected in fixture.expect
    )


def answer_to(engine: Engine, play: Play) -> Observations | CannotPlay | EngineFailure:
    """What an engine answers, or how it failed to; only a fault of the scenario goes further than here."""
    return answer_from(engine.play, play)


def answer_from(
    playing: Callable[[Play], Observations], play: Play
) -> Observations | CannotPlay | EngineFailure:
    """The same of an engine of which only its way to play is at hand."""
    try:
        answer = playing(play)
    except (CannotPlay, EngineFailure) as said:
        return said
    except ScenarioError:
        raise
    except Exception as error:  # an engine written in Python may raise whatever it likes
        return EngineFailure("crash", f"{type(error).__name__}: {error}", lives=True)
    if not isinstance(answer, Observations):
        says = f"answered with {type(answer).__name__}, not with Observations"
        return EngineFailure("protocol", says, lives=True)
    return checked(answer, play)


def checked(answer: Observations, play: Play) -> Observations | EngineFailure:
    """The same answer, if every value in it is of its kind, and it stopped within the script."""
    try:
        sound = msgspec.convert(msgspec.to_builtins(answer), Observations)
    except (msgspec.ValidationError, TypeError, RecursionError) as error:
        return EngineFailure("protocol", str(error), lives=True)
    outside = stopped_outside(play, sound.stopped)
    return EngineFailure("protocol", outside, lives=True) if outside else sound

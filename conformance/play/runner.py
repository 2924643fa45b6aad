"""Runs checks on engines: one loop for fixtures and properties.

Whatever an engine does becomes the verdict on that one check, and the run goes on; only an engine that dies
several times in a row is given up.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Protocol, TypeVar

import msgspec
from msgspec import Struct

from conformance.files.canonical import place_for_people
from conformance.model.engine import CannotPlay, Engine, EngineFailure, EngineInfo
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play, holds_in
from conformance.model.verdict import NotRun, Verdict, judge, stop_error
from conformance.play.journal import Journal

if TYPE_CHECKING:
    from concurrent.futures import Future

_Item = TypeVar("_Item")
_Done = TypeVar("_Done")
DEATHS_IN_A_ROW = 5
"""After this many deaths in a row, the rest is not run: the engine is at fault, not the scenarios."""


class Result(Struct, frozen=True):
    """The result of one check."""

    fixture: Fixture
    """The check; for a broken property, a counterexample under the property's name."""
    verdict: Verdict
    seconds: float = 0.0
    """How long the engine took; for information only."""
    examples: int = 0
    """For a property: number of cases judged."""
    cut: bool = False
    """For a property: whether time ran out before all its cases were judged."""
    path: Path | None = None
    """For a broken property: where the counterexample is saved."""
    died: bool = False
    """Whether the engine died during this check."""

    @property
    def id(self) -> str:
        """Id of the check."""
        return self.fixture.id

    @property
    def rules(self) -> tuple[str, ...]:
        """Rules the check is about."""
        return self.fixture.rules


class Check(Protocol):
    """Something to ask an engine: a fixture or a property."""

    @property
    def fixture(self) -> Fixture:
        """Represents the check in a result if the engine is not asked."""

    def results(self, engine: Engine, /) -> Sequence[Result]:
        """Ask the engine. Returns one result for a fixture, and one per bug found for a property."""


class Grading(Struct, frozen=True):
    """What the verdict on a fixture depends on, besides the answer."""

    edition: str
    info: EngineInfo
    journal: Journal | None = None
    """Verdicts in this journal are reused."""
    changing: Mapping[str, str] = {}
    """Ids of fixtures to which the engine gave two answers, with the difference."""


class FixtureCheck(Struct, frozen=True):
    """A fixture as a check."""

    fixture: Fixture
    grading: Grading

    def results(self, engine: Engine, /) -> Sequence[Result]:
        """Play the fixture and judge the answer."""
        fixture, grading = self.fixture, self.grading
        journal = grading.journal
        known = journal.recall(fixture) if journal else None
        if known:
            return [Result(fixture, known.verdict, known.seconds, died=known.died)]
        begin = perf_counter()
        answer = answer_to(engine, fixture.play)
        died = isinstance(answer, EngineFailure) and not answer.lives
        verdict = judge(
            fixture,
            answer,
            grading.edition,
            checks_understanding=grading.info.checks_understanding,
            steps_with_priority=grading.info.steps_with_priority,
            changes=grading.changing.get(fixture.id, ""),
        )
        seconds = perf_counter() - begin
        if journal:
            journal.keep(fixture, verdict, seconds, died=died)
        return [Result(fixture, verdict, seconds, died=died)]


class Runner:
    """Runs checks on several copies of one engine in parallel, until it dies too many times in a row."""

    def __init__(self, engines: Sequence[Engine], deaths: int = DEATHS_IN_A_ROW) -> None:
        self._engines = engines
        self._deaths = deaths
        self._in_a_row = 0
        self._broken = threading.Event()

    def run(self, checks: Iterable[Check]) -> Iterator[Result]:
        """Yield the results in the order of the checks, each as soon as it is known.

        The number of engines does not change the results. An engine given up in an earlier call is not asked
        again.
        """
        not_run = NotRun(f"the engine broke {self._deaths} times in a row")

        def asked(engine: Engine, check: Check) -> tuple[Check, Sequence[Result]]:
            return check, () if self._broken.is_set() else check.results(engine)

        for check, results in parallel_results(asked, self._engines, checks):
            if self._broken.is_set():  # by an earlier check; results of other threads since then do not count
                yield Result(check.fixture, not_run)
                continue
            self._in_a_row = self._in_a_row + 1 if any(one.died for one in results) else 0
            if self._in_a_row >= self._deaths:
                self._broken.set()
            yield from results


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
    """The result of each fixture that counts in this edition. `also` holds more copies of the engine."""
    grading = Grading(edition, engine.describe(), journal, changing)
    checks = (FixtureCheck(one, grading) for one in fixtures if has_expectations(one, edition))
    return Runner((engine, *also), deaths).run(checks)


class RunIsOver(BaseException):
    """Nobody waits for the check any more. Not an `Exception`, because checks turn those into verdicts."""


class EngineInRun(Struct, frozen=True):
    """An engine that is asked nothing more once the run is over: a search may have hours left."""

    engine: Engine
    over: threading.Event

    def describe(self) -> EngineInfo:
        """The engine's description of itself."""
        self._go_on()
        return self.engine.describe()

    def play(self, play: Play, /) -> Observations:
        """The engine's answer."""
        self._go_on()
        return self.engine.play(play)

    def _go_on(self) -> None:
        if self.over.is_set():
            raise RunIsOver


AHEAD = 4
"""Number of checks per engine that may be running or finished before the first of them is yielded."""


def parallel_results(
    checked: Callable[[Engine, _Item], _Done], engines: Sequence[Engine], items: Iterable[_Item]
) -> Iterator[_Done]:
    """Map `checked` over the items on all engines in parallel; yields results in the order of the items."""
    if len(engines) == 1:
        yield from (checked(engines[0], item) for item in items)
        return
    from concurrent.futures import ThreadPoolExecutor
    from queue import SimpleQueue

    over = threading.Event()
    idle: SimpleQueue[Engine] = SimpleQueue()
    for engine in engines:
        idle.put(EngineInRun(engine, over))

    def by_the_next(item: _Item) -> _Done:
        engine = idle.get()
        try:
            return checked(engine, item)
        finally:
            idle.put(engine)

    pool = ThreadPoolExecutor(len(engines))
    waiting: deque[Future[_Done]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(by_the_next, item))
            while waiting and (len(waiting) >= AHEAD * len(engines) or waiting[0].done()):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        over.set()
        pool.shutdown(wait=False, cancel_futures=True)


def has_expectations(fixture: Fixture, edition: str) -> bool:
    """Whether a fixture expects anything in this edition."""
    return holds_in(fixture.holds, edition) and any(
        holds_in(expected.holds, edition) for expected in fixture.expect
    )


def answer_to(engine: Engine, play: Play) -> Observations | CannotPlay | EngineFailure:
    """The engine's answer, or how it failed. Only `ScenarioError` is raised."""
    return answer_from(engine.play, play)


def answer_from(
    playing: Callable[[Play], Observations], play: Play
) -> Observations | CannotPlay | EngineFailure:
    """Like `answer_to`, for callers that have only an engine's `play`."""
    try:
        answer = playing(play)
    except (CannotPlay, EngineFailure) as said:
        return said
    except ScenarioError:
        raise
    except Exception as error:  # an engine written in Python may raise anything
        return EngineFailure("crash", f"{type(error).__name__}: {error}", lives=True)
    if not isinstance(answer, Observations):
        says = f"answered with {type(answer).__name__}, not with Observations"
        return EngineFailure("protocol", says, lives=True)
    return check_observations(answer, play)


def check_observations(answer: Observations, play: Play) -> Observations | EngineFailure:
    """The answer, if its values have the right types and it stopped within the script."""
    try:
        sound = msgspec.convert(msgspec.to_builtins(answer), Observations)
    except (msgspec.ValidationError, TypeError, RecursionError) as error:
        what, _, where = str(error).partition(" - at `")
        place = place_for_people(where.rstrip("`"))
        return EngineFailure("protocol", f"{place}: {what}" if place else what, lives=True)
    outside = stop_error(play, sound.stopped)
    return EngineFailure("protocol", outside, lives=True) if outside else sound

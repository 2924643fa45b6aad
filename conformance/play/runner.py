"""Asks engines for the results of checks: one loop for fixtures and properties.

Whatever an engine does while it plays becomes the verdict on that one check, and the run goes on;
only an engine that breaks several times in a row is left alone.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from time import perf_counter
from typing import Protocol, TypeVar

import msgspec
from msgspec import Struct

from conformance.model.engine import CannotPlay, Engine, EngineFailure, EngineInfo
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play, holds_in
from conformance.model.verdict import NotRun, Verdict, judge, stopped_outside
from conformance.play.journal import Journal

Item = TypeVar("Item")
Done = TypeVar("Done")
DEATHS_IN_A_ROW = 5
"""After this many the rest is not run: the engine, not the scenarios, is what ends them."""


class Result(Struct, frozen=True):
    """The result of one check."""

    fixture: Fixture
    """The check itself; of a broken property a scenario that shows it, under the property's name."""
    verdict: Verdict
    seconds: float = 0.0
    """How long the engine took; nothing depends on it."""
    examples: int = 0
    """Of a property: the number of cases judged."""
    cut: bool = False
    """Of a property: whether the time was up before all its cases were judged."""
    path: Path | None = None
    """Of a broken property: where the scenario is kept."""
    died: bool = False
    """Whether the engine was gone after it."""

    @property
    def id(self) -> str:
        """The id of the check."""
        return self.fixture.id

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules the check is about."""
        return self.fixture.rules


class Check(Protocol):
    """Something an engine can be asked: a fixture, or a property."""

    @property
    def fixture(self) -> Fixture:
        """What stands for the check if the engine is not asked."""

    def results(self, engine: Engine, /) -> Sequence[Result]:
        """Ask the engine. A fixture has one result, a property one for each bug it found."""


class Grading(Struct, frozen=True):
    """What fixtures are judged by."""

    edition: str
    info: EngineInfo
    journal: Journal | None = None
    """What it knows is not asked again."""
    changing: Mapping[str, str] = {}
    """The ids of fixtures that the engine answered in two ways, with the difference."""


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
    """Asks several copies of one engine at the same time, until it breaks again and again."""

    def __init__(self, engines: Sequence[Engine], deaths: int = DEATHS_IN_A_ROW) -> None:
        self._engines = engines
        self._deaths = deaths
        self._in_a_row = 0
        self._broken = threading.Event()

    def run(self, checks: Iterable[Check]) -> Iterator[Result]:
        """The results of the checks in the order given, each as soon as it is known.

        The number of engines changes nothing but the time it takes. An engine that an earlier call left
        alone is not asked again.
        """
        not_run = NotRun(f"the engine broke {self._deaths} times in a row")

        def asked(engine: Engine, check: Check) -> tuple[Check, Sequence[Result]]:
            return check, () if self._broken.is_set() else check.results(engine)

        for check, results in in_order(asked, self._engines, checks):
            if self._broken.is_set():  # by a check before this one; what others did meanwhile does not count
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
    """The result of each fixture that counts in this edition. `also` are more copies of the engine."""
    grading = Grading(edition, engine.describe(), journal, changing)
    checks = (FixtureCheck(one, grading) for one in fixtures if counts(one, edition))
    return Runner((engine, *also), deaths).run(checks)


AHEAD = 4
"""Number of checks per engine that may be under way or done before the first of them is handed on."""


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

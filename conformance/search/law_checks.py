"""Properties as checks: plays earlier counterexamples, searches for new ones, and judges the results.

A property passes if no case breaks it. A broken property fails by a counterexample (`found`): the check is
then that scenario, under the property's name, and is judged like any other. Each further bug is a check of
its own, named NAME.2 and so on. A counterexample is replayed in fresh processes, to detect bugs that appear
only sometimes.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path
from time import perf_counter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from conformance.checks.fixtures import wrong_play
from conformance.data.library import pool
from conformance.data.loading import known_names
from conformance.data.rulebook import newest_edition
from conformance.gate.standing import with_own_id
from conformance.model.engine import CannotPlay, Engine, EngineFailure, EngineInfo, close
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Expectation, Fixture, Origin, Play
from conformance.model.verdict import (
    Disputed,
    Fail,
    Hang,
    Nondeterministic,
    PassVerdict,
    Unsupported,
    Verdict,
    judge,
    verdict_on_failure,
)
from conformance.play.journal import Journal
from conformance.play.runner import Result, answer_to
from conformance.properties.law import Broken, PlayFunction, Property
from conformance.results.causes import CITED
from conformance.results.summary import score_of
from conformance.search.effort import Effort
from conformance.search.found import (
    ComparedAnswer,
    StoredCounterexample,
    counterexample,
    counterexample_name,
    keep,
)
from conformance.search.search import MOST_BUGS, Find, SearchResult, is_hopeless, recording, search
from conformance.search.smaller import smallest
from conformance.strategies.means import Means, means_of
from reference_engine.language.setup import Start

AGAIN = 3
"""Number of times to replay a counterexample, each time in a fresh process."""
NOTHING = Play((), Start(""))
ReasonsOfPlay = Callable[[Play], Callable[[Expectation], str]]
"""Finds the reason for each value expected in a scenario; an empty one if it has none."""


class JudgedEngine(Struct, frozen=True):
    """An engine, and what its answers are judged by."""

    engine: Engine
    fresh: Callable[[], Engine]
    """Starts the engine anew, in a process of its own if it has one."""
    means: Means
    reference: PlayFunction
    edition: str
    info: EngineInfo
    """The engine's description of itself."""
    reasons: ReasonsOfPlay
    """How to find the reasons for what the reference shows in a scenario."""


def judged_engine(
    engine: Engine,
    fresh: Callable[[], Engine],
    info: EngineInfo,
    reference: PlayFunction,
    edition: str,
    reasons: ReasonsOfPlay,
) -> JudgedEngine:
    """The engine with its description, and the reference to compare it with."""
    means = means_of(info, tuple(pool().values()))
    return JudgedEngine(engine, fresh, means, reference, edition, info, reasons)


def law_of_edition(law: Property[Any], asked: JudgedEngine) -> Property[Any]:
    """The property for an older edition: only cases in which it also holds by that edition's rules.

    They are asked only about a case that breaks it, so most cases are played once.
    """
    if asked.edition == newest_edition():
        return law
    why = CannotPlay(f"it does not hold by the rules of {asked.edition}")

    def check(play: PlayFunction, case: Any) -> None:
        try:
            law(play, case)
        except (Broken, EngineFailure):
            try:
                law(asked.reference, case)
            except Broken:
                raise why from None
            raise

    older = copy(law)
    older.check = check
    return older


def fixture_without_counterexample(law: Property[Any]) -> Fixture:
    """A property as a check without a counterexample."""
    return Fixture(law.name, law.says.removesuffix("."), law.rules, NOTHING, source=law.source)


def results_of(
    law: Property[Any],
    asked: JudgedEngine,
    effort: Effort,
    known: Sequence[StoredCounterexample],
    folder: Path,
    mended: Callable[[StoredCounterexample], None],
    clock: Callable[[], float] = perf_counter,
) -> list[Result]:
    """The results of a property: one if it holds or cannot be asked, otherwise one per bug.

    `known` counterexamples are played first; `mended` is called for those that now pass.
    """
    lacking = sorted(law.needs & asked.means.lacks)
    if lacking:
        return [Result(fixture_without_counterexample(law), Unsupported(f"lacks {', '.join(lacking)}"))]
    broken: list[Result] = []
    avoid = set()
    for one in known[:MOST_BUGS]:
        fixture = replace(one.fixture, id=law.name)
        answer = answer_to(asked.engine, fixture.play)
        verdict = judge_scenario(fixture, answer, asked)
        if score_of(verdict) == "failed":
            broken.append(Result(fixture, verdict, path=one.path, died=engine_died(answer)))
            avoid.add(one.looks)
        elif isinstance(verdict, PassVerdict):
            mended(one)
    searched = search(
        asked.engine.play,
        law_of_edition(law, asked),
        asked.means,
        seed=effort.seed,
        examples=effort.examples * law.times,
        seconds=effort.seconds,
        shrinking=effort.shrinking,
        most=MOST_BUGS - len(broken),
        avoid=frozenset(avoid),
        clock=clock,
    )
    broken += [result_of(find, law, asked, effort, folder, clock) for find in searched.finds]
    if not broken:
        broken = [Result(fixture_without_counterexample(law), verdict_without_finds(law, searched))]
    return [
        replace(
            one,
            fixture=replace(one.fixture, id=counterexample_name(law.name, number)),
            examples=searched.examples,
            cut=searched.cut,
        )
        for number, one in enumerate(broken, 1)
    ]


def verdict_without_finds(law: Property[Any], searched: SearchResult) -> PassVerdict | Unsupported:
    """The verdict on a property without counterexamples."""
    if is_hopeless(law, searched.examples, searched.unsupported):
        cases = searched.examples + searched.unsupported
        return Unsupported(f"{searched.unsupported} of {cases} cases cannot be played: {searched.why}")
    if not searched.examples:
        return Unsupported(searched.why or "no case can be drawn from what the engine supports")
    return PassVerdict(())


EngineAnswer = Observations | CannotPlay | EngineFailure


def result_of(
    find: Find,
    law: Property[Any],
    asked: JudgedEngine,
    effort: Effort,
    folder: Path,
    clock: Callable[[], float] = perf_counter,
) -> Result:
    """The result for a counterexample: the check that shows it, and the path of its file."""
    check = fixture_without_counterexample(law)
    first = find.says.partition("\n")[0]
    until = clock() + effort.shrinking
    again: list[Broken | EngineFailure | None] = []
    while len(again) < AGAIN and (not again or clock() < until):
        again.append(replay_counterexample(find, law, asked))
    if None in again:
        times = len(again) - again.count(None)
        says = f"broken once, and then in {times} of {len(again)} plays in a fresh process: {first}"
        return Result(check, Nondeterministic(says))
    compared = []
    for one in find.asked:
        with suppress(ScenarioError):  # a setup that the rules do not allow shows nothing
            compared.append(ComparedAnswer(one.play, one.answer, asked.reference(one.play)))
    origin = Origin(law.name, effort.seed, find.signature)
    fixture = counterexample(compared, check.title, law.rules, reason_in(find.says, law), origin)
    if fixture is None:
        return Result(check, verdict_without_scenario(again[-1], first))
    begin = clock()
    answer = answer_to(asked.engine, fixture.play)
    if clock() - begin < effort.shrinking:
        until = begin + effort.shrinking
        fixture, answer = smaller_counterexample(fixture, answer, asked, lambda: clock() < until)
    if law.oracle:
        fixture = with_reasons(fixture, asked.reasons(fixture.play))
    fixture_of_law = replace(fixture, id=law.name)
    verdict = judge_scenario(fixture_of_law, answer, asked)
    second = judge_scenario(fixture_of_law, answer_of_fresh_engine(fixture.play, asked), asked)
    if type(verdict) is not type(second) or observed_in(verdict) != observed_in(second):
        return Result(check, Nondeterministic(f"{words_for_two(verdict, second)}: {first}"))
    return Result(fixture_of_law, verdict, path=keep(folder, fixture), died=engine_died(answer))


def words_for_two(verdict: Verdict, second: Verdict) -> str:
    """What is wrong with two verdicts on one scenario, the second in a fresh process.

    A process that has just started may be too slow for its deadline, which says nothing about its answers.
    """
    if isinstance(second, Hang) and not isinstance(verdict, Hang):
        return f"an answer in a first process, and none in a fresh one, which {second.says}"
    return "two plays of one scenario, the second in a fresh process, have different answers"


def smaller_counterexample(
    fixture: Fixture, answer: EngineAnswer, asked: JudgedEngine, in_time: Callable[[], bool]
) -> tuple[Fixture, EngineAnswer]:
    """Shrink a counterexample; returns it with the engine's answer."""
    because = fixture.expect[0].because
    keys = {one.key for one in fixture.expect}
    best = fixture

    def shows(play: Play) -> bool:
        nonlocal best
        if any(finding.certain for finding in wrong_play(play, known_names())):
            return False  # the removed part was needed
        try:
            expected = asked.reference(play)
        except ScenarioError:  # the same
            return False
        now = answer_to(asked.engine, play)
        if expected.unused or isinstance(now, CannotPlay) or way_of_ending(now) != way_of_ending(answer):
            return False
        compared = [ComparedAnswer(play, now, expected)]
        one = counterexample(compared, fixture.title, fixture.rules, because, fixture.found)
        if one is None or not keys & {each.key for each in one.expect}:
            return False
        best = one
        return True

    smallest(fixture.play, shows, in_time)
    # It has only the looks that are needed, so its answer is not the one that `shows` got.
    return best, answer_to(asked.engine, best.play)


def with_reasons(fixture: Fixture, reason: Callable[[Expectation], str]) -> Fixture:
    """The counterexample with a reason of its own for each value that has one."""
    expect = tuple(replace(one, because=reason(one) or one.because) for one in fixture.expect)
    return with_own_id(replace(fixture, id="", expect=expect))


def way_of_ending(answer: EngineAnswer) -> str | None:
    """How an engine failed, or why it stopped; None if it reached the end.

    An engine that refuses an action never gets to a wrong value later: these are two different bugs.
    """
    if isinstance(answer, EngineFailure):
        return answer.kind
    return answer.stopped.why if isinstance(answer, Observations) and answer.stopped else None


def engine_died(answer: EngineAnswer) -> bool:
    """Whether the engine died while answering."""
    return isinstance(answer, EngineFailure) and not answer.lives


def verdict_without_scenario(broken: Broken | EngineFailure | None, first: str) -> Verdict:
    """The verdict if no single scenario shows a difference from the reference engine."""
    if isinstance(broken, EngineFailure):
        return verdict_on_failure(broken)
    why = f"the reference engine shows the same in every scenario of it: {first}"
    return Disputed(why, "fail", ())


def replay_counterexample(
    find: Find,
    law: Property[Any],
    asked: JudgedEngine,
) -> Broken | EngineFailure | None:
    """How the case breaks in a fresh process; None if it does not."""
    engine = asked.fresh()
    try:
        law(recording(engine.play, []), find.case)
    except (Broken, EngineFailure) as broken:
        return broken
    except (CannotPlay, ScenarioError):
        return None
    finally:
        close(engine)
    return None


def answer_of_fresh_engine(play: Play, asked: JudgedEngine) -> EngineAnswer:
    """The answer of an engine that has just started."""
    engine = asked.fresh()
    try:
        return answer_to(engine, play)
    finally:
        close(engine)


def observed_in(verdict: Verdict) -> list[tuple[str, str, str, str]]:
    """What a verdict shows of the engine; why a play stopped is worded freely."""
    parts = verdict.parts if isinstance(verdict, PassVerdict | Fail | Unsupported) else ()
    return [(one.about, one.when, one.key, "" if one.key == "stopped" else one.observed) for one in parts]


def reason_in(says: str, law: Property[Any]) -> str:
    """The reason for an expectation: the last line of the law's message, or what the law is about."""
    last = says.rstrip().rpartition("\n")[2].strip()
    return last if CITED.match(last) else f"CR {law.rules[0]}: {law.says}"


def judge_scenario(fixture: Fixture, answer: EngineAnswer, asked: JudgedEngine) -> Verdict:
    """The verdict on the answer to one scenario."""
    return judge(
        fixture,
        answer,
        asked.edition,
        checks_understanding=asked.info.checks_understanding,
        steps_with_priority=asked.info.steps_with_priority,
    )


# ------------------------------------------------------------------------------------- all of them


class Shares:
    """Divides the time of a search among its properties, by how many cases each draws; time that one does not
    use goes to the others.
    """

    def __init__(
        self, seconds: float, laws: Sequence[Property[Any]], engines: int, clock: Callable[[], float]
    ) -> None:
        self._until = clock() + seconds
        self._waiting = sum(law.times for law in laws)
        self._engines = engines
        self._clock = clock
        self._dividing = threading.Lock()

    def of(self, law: Property[Any]) -> float:
        """Time limit for a property, in seconds."""
        with self._dividing:
            left = max(0.0, self._until - self._clock())
            share = left * min(self._engines * law.times, self._waiting) / self._waiting
            self._waiting -= law.times
        return share


class PropertySearch(Struct, frozen=True):
    """What the properties of a run share."""

    laws: tuple[Property[Any], ...]
    effort: Effort
    kept: tuple[StoredCounterexample, ...]
    """Counterexamples of earlier runs."""
    folder: Path
    """The folder for counterexamples."""
    mended: Callable[[StoredCounterexample], None]
    journal: Journal | None = None
    clock: Callable[[], float] = perf_counter

    def checks(self, asked: Callable[[Engine], JudgedEngine], engines: int) -> Iterator[LawCheck]:
        """The properties as checks, in order. The time starts now."""
        shares = Shares(self.effort.seconds, self.laws, engines, self.clock)
        return (LawCheck(law, self, asked, shares) for law in self.laws)


class LawCheck(Struct, frozen=True):
    """A property as a check."""

    law: Property[Any]
    search: PropertySearch
    asked: Callable[[Engine], JudgedEngine]
    shares: Shares

    @property
    def fixture(self) -> Fixture:
        """The property without a counterexample."""
        return fixture_without_counterexample(self.law)

    def results(self, engine: Engine, /) -> Sequence[Result]:
        """Play earlier counterexamples, then search for more."""
        search, law = self.search, self.law
        seconds, begin = self.shares.of(law), search.clock()
        check = self.fixture
        marked = replace(check, note=f"seed {search.effort.seed}, {search.effort.examples} examples")
        known = search.journal.recall(marked) if search.journal else None
        if known:
            return [Result(check, known.verdict, known.seconds)]
        effort = replace(search.effort, seconds=seconds)
        of_law = [one for one in search.kept if one.law == law.name]
        first, *others = results_of(
            law, self.asked(engine), effort, of_law, search.folder, search.mended, search.clock
        )
        took = search.clock() - begin
        if search.journal and first.fixture == check and not first.cut:
            search.journal.keep(marked, first.verdict, took)
        return [replace(first, seconds=took), *others]

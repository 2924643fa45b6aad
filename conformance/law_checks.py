"""A property as a check of an engine: what was found before, a search, and what comes of both.

A property that is kept passes. One that is broken fails by a scenario (`found`): the check is that scenario
then, under the property's name, and is judged like any other. Several bugs are several checks: the second
is called NAME.2. What is broken only now and then is told apart by playing it again in fresh processes.
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

from conformance.causes import CITED
from conformance.checks.fixtures import wrong_play
from conformance.data.library import pool
from conformance.data.reading import known as known_words
from conformance.data.rulebook import newest_edition
from conformance.effort import Effort
from conformance.found import Compared, Kept, counterexample, keep, note_of, numbered
from conformance.journal import Journal
from conformance.model.engine import CannotPlay, Engine, EngineFailure, EngineInfo, close
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play, Start
from conformance.model.verdict import (
    Disputed,
    Nondeterministic,
    NotRun,
    Pass,
    Unsupported,
    Verdict,
    judge,
    verdict_on_failure,
)
from conformance.properties.law import Broken, Player, Property
from conformance.runner import DEATHS_IN_A_ROW, answer_to, in_order
from conformance.search import MOST_BUGS, Find, Searched, hopeless, recording, search
from conformance.smaller import smallest
from conformance.strategies.means import Means, means_of
from conformance.summary import score_of

AGAIN = 3
"""So often a find is played again, each time in a fresh process."""
NOTHING = Play((), Start(""))


class Asked(Struct, frozen=True):
    """Who is asked, and by what it is judged."""

    engine: Engine
    fresh: Callable[[], Engine]
    """Makes the engine anew, in a process of its own if it has one."""
    means: Means
    reference: Player
    edition: str
    info: EngineInfo
    """What it says of itself."""


def asked_of(
    engine: Engine, fresh: Callable[[], Engine], info: EngineInfo, reference: Player, edition: str
) -> Asked:
    """An engine as it says it is, and what it is held against."""
    means = means_of(info, tuple(pool().values()))
    return Asked(engine, fresh, means, reference, edition, info)


def as_of(law: Property[Any], asked: Asked) -> Property[Any]:
    """A property for an engine of an older edition: of its cases those count in which it holds by that one's
    rules too.
    """
    if asked.edition == newest_edition():
        return law
    why = CannotPlay(f"it does not hold by the rules of {asked.edition}")

    def check(play: Player, case: Any) -> None:
        try:
            law(asked.reference, case)
        except Broken:
            raise why from None
        law(play, case)

    older = copy(law)
    older.check = check
    return older


class Outcome(Struct, frozen=True):
    """One check that a property came to."""

    fixture: Fixture
    """Under the property's name: its title and rules, and if it is broken a scenario that shows it."""
    verdict: Verdict
    examples: int = 0
    """So many cases were judged in all."""
    path: Path | None = None
    """Where the scenario is kept."""
    seconds: float = 0.0
    cut: bool = False
    """Whether the time was up before all examples were judged."""
    died: bool = False
    """Whether the engine was gone after it."""


def bare(law: Property[Any]) -> Fixture:
    """A property as a check that has nothing to show."""
    return Fixture(law.name, law.says.removesuffix("."), law.rules, NOTHING, source=law.source)


def outcomes(
    law: Property[Any],
    asked: Asked,
    effort: Effort,
    known: Sequence[Kept],
    folder: Path,
    mended: Callable[[Kept], None],
    clock: Callable[[], float] = perf_counter,
) -> list[Outcome]:
    """What a property comes to: one check if it is kept or cannot be asked, one for each bug otherwise.

    `known` was found before and is played first; what passes now is `mended`, and its file is taken away.
    """
    lacking = sorted(law.needs & asked.means.lacks)
    if lacking:
        return [Outcome(bare(law), Unsupported(f"lacks {', '.join(lacking)}"))]
    broken: list[Outcome] = []
    avoid = set()
    for one in known[:MOST_BUGS]:
        fixture = replace(one.fixture, id=law.name)
        answer = answer_to(asked.engine, fixture.play)
        verdict = judged(fixture, answer, asked)
        if score_of(verdict) == "failed":
            broken.append(Outcome(fixture, verdict, path=one.path, died=is_gone(answer)))
            avoid.add(one.signature)
        elif isinstance(verdict, Pass):
            mended(one)
    came_to = search(
        asked.engine.play,
        as_of(law, asked),
        asked.means,
        seed=effort.seed,
        examples=effort.examples,
        seconds=effort.seconds,
        shrinking=effort.shrinking,
        most=MOST_BUGS - len(broken),
        avoid=frozenset(avoid),
        clock=clock,
    )
    broken += [outcome_of(find, law, asked, effort, folder, clock) for find in came_to.finds]
    if not broken:
        broken = [Outcome(bare(law), verdict_without_finds(came_to))]
    return [
        replace(
            one,
            fixture=replace(one.fixture, id=numbered(law.name, number)),
            examples=came_to.examples,
            cut=came_to.cut,
        )
        for number, one in enumerate(broken, 1)
    ]


def verdict_without_finds(came_to: Searched) -> Pass | Unsupported:
    """The verdict on a property of which no case was found to be broken."""
    if hopeless(came_to.examples, came_to.unsupported):
        cases = came_to.examples + came_to.unsupported
        return Unsupported(f"{came_to.unsupported} of {cases} cases cannot be played: {came_to.why}")
    if not came_to.examples:
        return Unsupported(came_to.why or "nothing of it can be drawn for what the engine takes")
    return Pass(())


Answer = Observations | CannotPlay | EngineFailure


def outcome_of(
    find: Find,
    law: Property[Any],
    asked: Asked,
    effort: Effort,
    folder: Path,
    clock: Callable[[], float] = perf_counter,
) -> Outcome:
    """What a find comes to: the check that shows it, and where it is kept."""
    check = bare(law)
    first = find.says.partition("\n")[0]
    until = clock() + effort.shrinking
    again: list[Broken | EngineFailure | None] = []
    while len(again) < AGAIN and (not again or clock() < until):
        again.append(broken_again(find, law, asked))
    if None in again:
        times = len(again) - again.count(None)
        says = f"broken once, and then in {times} of {len(again)} plays in a fresh process: {first}"
        return Outcome(check, Nondeterministic(says))
    compared = []
    for one in find.asked:
        with suppress(ScenarioError):  # a setup that is none by the rules shows nothing
            compared.append(Compared(one.play, one.answer, asked.reference(one.play)))
    note = note_of(law.name, effort.seed, find.signature)
    because = reason_in(find.says, law)
    fixture = counterexample(compared, check.title, law.rules, because, note)
    if fixture is None:
        return Outcome(check, of_no_scenario(again[-1], first))
    begin = clock()
    answer = answer_to(asked.engine, fixture.play)
    if clock() - begin < effort.shrinking:
        until = begin + effort.shrinking
        fixture, answer = made_smaller(fixture, answer, asked, lambda: clock() < until)
    verdict = judged(replace(fixture, id=law.name), answer, asked)
    return Outcome(replace(fixture, id=law.name), verdict, path=keep(folder, fixture), died=is_gone(answer))


def made_smaller(
    fixture: Fixture, answer: Answer, asked: Asked, in_time: Callable[[], bool]
) -> tuple[Fixture, Answer]:
    """The same counterexample with all taken out that it does not need, and what the engine answers to it."""
    because = fixture.expect[0].because
    keys = {one.key for one in fixture.expect}
    best = fixture, answer

    def shows(play: Play) -> bool:
        nonlocal best
        if any(finding.certain for finding in wrong_play(play, known_words())):
            return False  # what was taken out was needed
        try:
            expected = asked.reference(play)
        except ScenarioError:  # so was this
            return False
        now = answer_to(asked.engine, play)
        if expected.unused or isinstance(now, CannotPlay) or way_of_ending(now) != way_of_ending(answer):
            return False
        compared = [Compared(play, now, expected)]
        one = counterexample(compared, fixture.title, fixture.rules, because, fixture.note)
        if one is None or not keys & {each.key for each in one.expect}:
            return False
        best = one, now
        return True

    smallest(fixture.play, shows, in_time)
    return best


def way_of_ending(answer: Answer) -> str | None:
    """In which way an engine broke, or why it did not go on to the end; none if it did.

    What is refused early shows a wrong value no more: the two are different finds.
    """
    if isinstance(answer, EngineFailure):
        return answer.kind
    return answer.stopped.why if isinstance(answer, Observations) and answer.stopped else None


def is_gone(answer: Answer) -> bool:
    """Whether the engine was gone after its answer."""
    return isinstance(answer, EngineFailure) and not answer.lives


def of_no_scenario(broken: Broken | EngineFailure | None, first: str) -> Verdict:
    """The verdict on a find in which the engine shows nothing but what the reference engine shows."""
    if isinstance(broken, EngineFailure):
        return verdict_on_failure(broken)
    why = f"the reference engine shows the same in every scenario of it: {first}"
    return Disputed(why, "fail", ())


def broken_again(find: Find, law: Property[Any], asked: Asked) -> Broken | EngineFailure | None:
    """How a find breaks in a fresh process; none if it does not."""
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


def reason_in(says: str, law: Property[Any]) -> str:
    """Why it has to be so: what the law itself says, in its last line, or what it is about."""
    last = says.rstrip().rpartition("\n")[2].strip()
    return last if CITED.match(last) else f"CR {law.rules[0]}: {law.says}"


def judged(fixture: Fixture, answer: Answer, asked: Asked) -> Verdict:
    """The verdict on what an engine answered to one scenario."""
    return judge(
        fixture,
        answer,
        asked.edition,
        checks_understanding=asked.info.checks_understanding,
        steps_with_priority=asked.info.steps_with_priority,
    )


# ------------------------------------------------------------------------------------- all of them


class Searching:
    """The search through a run's properties: who gets how much of the time, and what it came to."""

    def __init__(
        self,
        laws: Sequence[Property[Any]],
        effort: Effort,
        kept: Sequence[Kept],
        folder: Path,
        mended: Callable[[Kept], None],
        journal: Journal | None = None,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self.laws = laws
        self.effort = effort
        self.examples = 0
        self.cut = 0
        """So many properties were given up before all their examples, because the time was up."""
        self._kept = kept
        self._folder = folder
        self._mended = mended
        self._journal = journal
        self._clock = clock
        self._dividing = threading.Lock()

    def run(self, engines: Sequence[Engine], asked: Callable[[Engine], Asked]) -> Iterator[Outcome]:
        """What each property comes to, in their order; several engines share the work."""
        until = self._clock() + self.effort.seconds
        waiting = len(self.laws)

        def share() -> float:
            nonlocal waiting
            with self._dividing:
                left = max(0.0, until - self._clock()) * min(len(engines), waiting) / waiting
                waiting -= 1
            return left

        broken = threading.Event()
        not_run = NotRun(f"the engine broke {DEATHS_IN_A_ROW} times in a row")

        def came_to(engine: Engine, law: Property[Any]) -> list[Outcome]:
            if broken.is_set():
                return [Outcome(bare(law), not_run)]
            return self._outcomes(law, asked(engine), share())

        in_a_row = 0
        for some in in_order(came_to, engines, self.laws):
            in_a_row = in_a_row + 1 if any(one.died for one in some) else 0
            if in_a_row >= DEATHS_IN_A_ROW:
                broken.set()
            self.examples += some[0].examples
            self.cut += some[0].cut
            yield from some

    def _outcomes(self, law: Property[Any], asked: Asked, seconds: float) -> list[Outcome]:
        begin = self._clock()
        check = bare(law)
        marked = replace(check, note=f"seed {self.effort.seed}, {self.effort.examples} examples")
        known = self._journal.recall(marked) if self._journal else None
        if known:
            return [Outcome(check, known.verdict, seconds=known.seconds)]
        effort = replace(self.effort, seconds=seconds)
        of_law = [one for one in self._kept if one.law == law.name]
        some = outcomes(law, asked, effort, of_law, self._folder, self._mended, self._clock)
        took = self._clock() - begin
        if self._journal and some[0].fixture == check and not some[0].cut:
            self._journal.keep(marked, some[0].verdict, took)
        return [replace(some[0], seconds=took), *some[1:]]

    def __str__(self) -> str:
        """What was done, in a line."""
        effort = self.effort
        many = "property" if len(self.laws) == 1 else "properties"
        said = f"{len(self.laws)} {many}, {self.examples:,} examples, seed {effort.seed}"
        if self.cut:
            said += f"; after {effort.seconds:g} s the time was up for {self.cut} of them (--time SECONDS)"
        return said

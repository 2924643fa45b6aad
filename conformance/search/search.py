"""Searches for cases in which an engine breaks a law: one property, one engine, a number of examples.

Hypothesis draws the cases and shrinks what it finds; this module handles what Hypothesis cannot know. An
engine is slow, so searching and shrinking have time limits. If it crashes, hangs or sends garbage, that
counts like a broken law. Cases that it cannot play are skipped and counted. It may have several bugs: once
one is found, cases that look the same are ignored, and the search goes on. Everything random depends on the
seed, and nothing is kept on disk.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.configuration import set_hypothesis_home_dir
from hypothesis.errors import Flaky, HypothesisWarning, Unsatisfiable, UnsatisfiedAssumption
from msgspec import Struct
from msgspec.structs import replace

from conformance.data.garbage import garbage_kept_longer
from conformance.files.canonical import encode
from conformance.files.fixture_file import text_of
from conformance.gate.standing import CHANGEABLE
from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import CardInPlay, Play
from conformance.play.runner import answer_from
from conformance.properties.law import Broken, PlayFunction, Property
from conformance.results.causes import CITED
from conformance.strategies.draws import constants_left_out
from conformance.strategies.means import Means

MOST_BUGS = 3
"""Maximum number of different bugs to report for one property."""
SHRINKING = 5.0
"""Default time limit for shrinking one counterexample, in seconds."""
ENOUGH_TRIES = 20
"""Give up if an engine can play none of this many cases, or hardly any of more; as many times as many for a
law that draws more.
"""


class Exchange(Struct, frozen=True):
    """A scenario that a law played, and the engine's answer."""

    play: Play
    answer: Observations | EngineFailure


class UnprintedCase(Struct, frozen=True):
    """A wrapped case, so that Hypothesis does not print failing ones: nobody reads the text, and making it is
    slow for a game of many cards and causes a warning.
    """

    case: Any

    def __repr__(self) -> str:
        return type(self).__name__


class Find(Struct, frozen=True):
    """A case in which an engine breaks a law, shrunk as far as time allowed."""

    examples: int
    """Number of cases judged up to and including this one."""
    seconds: float
    """Time from the start of the search until it was found."""
    says: str
    """How the law is broken, or how the engine failed."""
    asked: tuple[Exchange, ...]
    """Everything the law played in the smallest case, in order."""
    signature: str
    """What the bug looks like: as far as possible, equal for different cases of the same bug."""
    case: Any
    whole: bool
    """Whether shrinking finished."""

    @property
    def plays(self) -> tuple[Play, ...]:
        """The scenarios of the smallest case."""
        return tuple(one.play for one in self.asked)


class SearchResult(Struct, frozen=True):
    """The result of a search."""

    examples: int
    """Number of cases judged, without those judged while shrinking."""
    unsupported: int
    """Number of cases the engine could not play."""
    why: str
    """The engine's reason for the last of those."""
    seconds: float
    finds: tuple[Find, ...]
    cut: bool
    """Whether time ran out before all examples were judged."""
    avoided: tuple[str, ...] = ()
    """The signatures among those to avoid that were seen."""


def search(
    play: PlayFunction,
    law: Property[Any],
    means: Means,
    *,
    seed: int,
    examples: int,
    seconds: float = inf,
    shrinking: float = SHRINKING,
    most: int = MOST_BUGS,
    avoid: frozenset[str] = frozenset(),
    clock: Callable[[], float] = perf_counter,
) -> SearchResult:
    """Search for up to `most` different ways in which an engine breaks a law.

    The first case is judged even if there is no time. `seconds` limits the search, and `shrinking` the time
    for each counterexample in addition. Cases whose signature is in `avoid` are known and ignored.
    """
    begin = clock()
    finds: list[Find] = []
    done = unsupported = 0
    why = ""
    cut = False
    spent_shrinking = 0.0
    avoided: set[str] = set()
    cases = law.cases(means)  # once, because some laws take their cases in turn
    while done < examples and len(finds) < most and not cut:
        known = avoid | {find.signature for find in finds}
        until = begin + seconds + spent_shrinking
        hunt = Hunt(play, law, known, until, shrinking, clock, first=done + unsupported == 0)
        hunt.run(cases, seed + len(finds), examples - done)
        unsupported, why, cut = unsupported + hunt.unsupported, hunt.why or why, hunt.cut
        avoided |= hunt.ignored & avoid
        if hunt.failures:
            finds.append(hunt.find(begin + spent_shrinking, done))
            spent_shrinking += clock() - hunt.met
        done += hunt.judged
        if is_hopeless(law, done, unsupported) or not hunt.failures:
            break
    return SearchResult(done, unsupported, why, clock() - begin, tuple(finds), cut, tuple(sorted(avoided)))


def silence_hypothesis() -> None:
    """Keep Hypothesis' warnings from the user's terminal: they are for people who write laws.

    Some are wrong here. It warns of cases too large to print, which nobody prints, of strategies that draw
    random numbers, when other threads do, and of its own generator of random numbers, when several threads
    make theirs at once.
    """
    warnings.filterwarnings("ignore", category=HypothesisWarning)


@contextmanager
def hypothesis_files_in(folder: Path) -> Iterator[None]:
    """Make Hypothesis keep its cached data in this folder, not in the working directory."""
    set_hypothesis_home_dir(folder / "hypothesis")
    try:
        yield
    finally:
        set_hypothesis_home_dir(None)


def is_hopeless(law: Property[Any], judged: int, unsupported: int) -> bool:
    """Whether an engine can play so few of a law's cases that going on is pointless."""
    return unsupported >= ENOUGH_TRIES * law.times and unsupported > 9 * judged


class StopSearch(BaseException):
    """Stops Hypothesis from inside; a `BaseException`, so that nothing catches it."""


class CounterexampleSignal(Exception):
    """Reports every failure to Hypothesis in the same way, so that it sees a single bug."""


class Failure(Struct, frozen=True):
    """A case in which the law or the engine broke."""

    case: Any
    broken: Broken | EngineFailure
    asked: tuple[Exchange, ...]


class Hunt:
    """One run of Hypothesis: search for a failure, then shrink it."""

    def __init__(
        self,
        play: PlayFunction,
        law: Property[Any],
        known: frozenset[str],
        until: float,
        shrinking: float,
        clock: Callable[[], float],
        *,
        first: bool,
    ) -> None:
        self._play = play
        self._law = law
        self._known = known
        self._until = until
        self._shrinking = shrinking
        self._clock = clock
        self._first = first
        self.judged = 0
        """Number of cases judged, up to and including the first failure."""
        self.unsupported = 0
        self.why = ""
        self.cut = False
        self.failures: list[Failure] = []
        """All cases that look like the first failure, in the order they were tried."""
        self.ignored: set[str] = set()
        """The known signatures that were seen before the first failure."""
        self.signature = ""
        self.met = inf
        """When the first failure was found."""
        self.whole = False

    def run(self, cases: hypothesis.strategies.SearchStrategy[Any], seed: int, examples: int) -> None:
        """Judge up to `examples` cases, and shrink the first failure while there is time."""

        @hypothesis.seed(seed)
        @settings(
            max_examples=examples,
            phases=(Phase.generate, Phase.target, Phase.shrink),
            suppress_health_check=list(HealthCheck),  # an engine may be slow, or unable to play most cases
            report_multiple_bugs=False,
            verbosity=hypothesis.Verbosity.quiet,
            database=None,
            deadline=None,
            print_blob=False,
        )
        @given(cases.map(UnprintedCase))
        def keeps_the_law(unprinted: UnprintedCase) -> None:
            if self._broken(unprinted.case):
                raise CounterexampleSignal

        try:
            with constants_left_out(), garbage_kept_longer():
                keeps_the_law()
        except CounterexampleSignal:
            self.whole = True  # Hypothesis ends by repeating the smallest case
        except (StopSearch, Flaky, Unsatisfiable):
            pass  # if a case fails only sometimes, the smallest failure seen so far is kept

    def find(self, begin: float, before: int) -> Find:
        """The smallest case. `begin` and `before`: start of the search, and cases judged earlier."""
        smallest = self.failures[-1] if self.whole else min(self.failures, key=size)
        return Find(
            before + self.judged,
            self.met - begin,
            failure_message(smallest.broken),
            smallest.asked,
            self.signature,
            smallest.case,
            self.whole,
        )

    def _broken(self, case: Any) -> bool:
        """Whether this case breaks the law, or the engine, in the way that we are looking for."""
        begin = self._in_time()
        asked: list[Exchange] = []
        broken: Broken | EngineFailure | None = None
        try:
            self._law(recording(self._play, asked), case)
        except (CannotPlay, ScenarioError) as cannot:
            if not self.failures:
                self.unsupported += 1
                self.why = str(cannot)
            hypothesis.reject()
        except UnsatisfiedAssumption:
            raise
        except (Broken, EngineFailure) as error:
            broken = error
        if not self.failures:
            self.judged += 1
        if broken is None:
            return False
        seen = signature_of(broken)
        if seen in self._known and not self.failures:
            self.ignored.add(seen)
        if seen in self._known or (self.failures and seen != self.signature):
            return False
        if not self.failures:
            self.signature, self.met = seen, self._clock()
        self.failures.append(Failure(case, broken, tuple(asked)))
        if self._clock() - begin >= self._shrinking:
            raise StopSearch  # one such case uses up all the time for trying others
        return True

    def _in_time(self) -> float:
        """The current time; raises `StopSearch` if time is up, or the engine can play almost no cases."""
        now = self._clock()
        if self.failures:
            if now > self.met + self._shrinking:
                raise StopSearch
        elif (now > self._until and not (self._first and self.judged == 0)) or is_hopeless(
            self._law, self.judged, self.unsupported
        ):
            self.cut = now > self._until
            raise StopSearch
        return now


def recording(play: PlayFunction, asked: list[Exchange]) -> PlayFunction:
    """A player that records every scenario and answer.

    Raises only `CannotPlay` and `EngineFailure`, whatever the engine does.
    """

    def recorded(scenario: Play) -> Observations:
        scenario = replace(scenario, cards=tuple(map(with_text, scenario.cards)))
        answer = answer_from(play, scenario)
        if isinstance(answer, CannotPlay):
            raise answer
        asked.append(Exchange(scenario, answer))
        if isinstance(answer, EngineFailure):
            raise answer
        return answer

    return recorded


@lru_cache(2000)
def with_text(card: CardInPlay) -> CardInPlay:
    """The card with its text, which laws do not write themselves."""
    return card if card.text else replace(card, text=text_of(card.definition))


def size(failure: Failure) -> tuple[int, int]:
    """Size of a case: number of scenarios, then their total length."""
    return len(failure.asked), sum(len(encode(one.play)) for one in failure.asked)


def failure_message(broken: Broken | EngineFailure) -> str:
    """How the law is broken, or how the engine failed, as text."""
    return f"{broken.kind}: {broken.says}" if isinstance(broken, EngineFailure) else str(broken)


VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")
KEY = re.compile(r": (\w+)$")
"""The aspect of an object that is wrong, at the end of the first line of a law's message."""


def signature_of(broken: Broken | EngineFailure) -> str:
    """What a failure looks like: the broken rule and the wrong aspect, or the engine's error."""
    first = failure_message(broken).partition("\n")[0]
    if isinstance(broken, EngineFailure):
        return VALUES.sub("#", CHANGEABLE.sub("#", first))
    rules = CITED.findall(str(broken))
    key = KEY.search(first)
    return " ".join([type(broken).__name__, *rules[:1], *([key[1]] if key else [])])

"""The search for a case in which an engine breaks a law: one property, one engine, so many examples.

Hypothesis draws the cases and makes what it finds smaller; here is what it cannot know. An engine is slow,
so looking and making smaller have a time each. It crashes, hangs or talks nonsense: that is found like any
broken law. It cannot play everything: such a case is passed over and counted. It has more than one bug: how
the first one looks is left aside then, and the search goes on. Nothing is drawn by chance that the seed
does not decide, and nothing is kept on disk.
"""

from __future__ import annotations

import re
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
from hypothesis.errors import Flaky, Unsatisfiable, UnsatisfiedAssumption
from msgspec import Struct
from msgspec.structs import replace

from conformance.files.canonical import encode
from conformance.files.fixture_file import text_of
from conformance.gate.standing import CHANGEABLE, CITED
from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import CardInPlay, Play
from conformance.play.runner import answer_from
from conformance.properties.law import Broken, Player, Property
from conformance.strategies.means import Means

MOST_BUGS = 3
"""So many bugs that look different are told of one property."""
SHRINKING = 5.0
"""So many seconds are spent on making one find smaller, if nothing else is said."""
ENOUGH_TRIES = 20
"""An engine that can play none of the first so many cases, or hardly any of more, is not asked further."""


class Exchange(Struct, frozen=True):
    """A scenario that a law played, and what the engine made of it."""

    play: Play
    answer: Observations | EngineFailure


class Find(Struct, frozen=True):
    """A case in which an engine breaks a law, made as small as there was time for."""

    examples: int
    """So many cases were judged until it was met; it is the last of them."""
    seconds: float
    """From the start of the search until it was met."""
    says: str
    """How the law is broken, or the engine."""
    asked: tuple[Exchange, ...]
    """All that the law played in the smallest case, in order."""
    signature: str
    """How it looks, whatever the case: the same for the same bug, as far as can be seen."""
    case: Any
    whole: bool
    """Whether it was made smaller to the end."""

    @property
    def plays(self) -> tuple[Play, ...]:
        """What was played in the smallest case."""
        return tuple(one.play for one in self.asked)


class Searched(Struct, frozen=True):
    """What a search came to."""

    examples: int
    """So many cases were judged before anything was found, and between finds."""
    unsupported: int
    """So many the engine could not play."""
    why: str
    """What it said of the last of those."""
    seconds: float
    finds: tuple[Find, ...]
    cut: bool
    """Whether the time was up before all examples were judged."""


def search(
    play: Player,
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
) -> Searched:
    """What an engine does with so many cases of a law: every way in which it breaks it, up to so many.

    The first case is judged whatever the time; `seconds` are for looking, and each find has its own for
    being made smaller. What looks like one of the signatures to `avoid` is known and passed over.
    """
    begin = clock()
    finds: list[Find] = []
    done = unsupported = 0
    why = ""
    cut = False
    spent_shrinking = 0.0
    while done < examples and len(finds) < most and not cut:
        known = avoid | {find.signature for find in finds}
        until = begin + seconds + spent_shrinking
        hunt = Hunt(play, law, known, until, shrinking, clock, first=done + unsupported == 0)
        hunt.run(law.cases(means), seed + len(finds), examples - done)
        unsupported, why, cut = unsupported + hunt.unsupported, hunt.why or why, hunt.cut
        if hunt.failures:
            finds.append(hunt.find(begin + spent_shrinking, done))
            spent_shrinking += clock() - hunt.met
        done += hunt.judged
        if hopeless(done, unsupported) or not hunt.failures:
            break
    return Searched(done, unsupported, why, clock() - begin, tuple(finds), cut)


def first_counterexample(
    play: Player,
    law: Property[Any],
    means: Means,
    *,
    seed: int,
    examples: int,
    shrinking: float = SHRINKING,
) -> Find | None:
    """The first case among so many in which an engine breaks a law, made small; none if it keeps it."""
    found = search(play, law, means, seed=seed, examples=examples, shrinking=shrinking, most=1)
    return found.finds[0] if found.finds else None


@contextmanager
def remembered_in(folder: Path) -> Iterator[None]:
    """What Hypothesis reads once and keeps is kept in this folder of ours, not in the working directory."""
    set_hypothesis_home_dir(folder / "hypothesis")
    try:
        yield
    finally:
        set_hypothesis_home_dir(None)


def simplest_case(play: Player, law: Property[Any], means: Means) -> tuple[Play, ...]:
    """What a law plays in the simplest of its cases, on an engine that keeps it."""
    asked: list[Exchange] = []
    search(recording(play, asked), law, means, seed=0, examples=1)
    return tuple(one.play for one in asked)


def hopeless(judged: int, unsupported: int) -> bool:
    """Whether an engine can play so few of the cases that asking on is of no use."""
    return unsupported >= ENOUGH_TRIES and unsupported > 9 * judged


class Enough(BaseException):
    """Ends Hypothesis's work from inside: nothing of it catches what is no `Exception`."""


class Met(Exception):
    """What Hypothesis is told of a find: one kind, from one place, whatever the engine did."""


class Failure(Struct, frozen=True):
    """A case in which the law or the engine broke."""

    case: Any
    broken: Broken | EngineFailure
    asked: tuple[Exchange, ...]


class Hunt:
    """One run of Hypothesis: until something is found, and then until it is small."""

    def __init__(
        self,
        play: Player,
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
        """So many cases came out, up to the one in which something was found."""
        self.unsupported = 0
        self.why = ""
        self.cut = False
        self.failures: list[Failure] = []
        """All cases that look like the first find, in the order in which they were tried."""
        self.signature = ""
        self.met = inf
        """When the first was found."""
        self.whole = False

    def run(self, cases: hypothesis.strategies.SearchStrategy[Any], seed: int, examples: int) -> None:
        """Look at so many cases; the first find is made smaller while there is time."""

        @hypothesis.seed(seed)
        @settings(
            max_examples=examples,
            phases=(Phase.generate, Phase.target, Phase.shrink),
            suppress_health_check=list(HealthCheck),  # an engine may be slow and able to play little
            report_multiple_bugs=False,
            verbosity=hypothesis.Verbosity.quiet,
            database=None,
            deadline=None,
            print_blob=False,
        )
        @given(cases)
        def keeps_the_law(case: Any) -> None:
            if self._broken(case):
                raise Met

        try:
            keeps_the_law()
        except Met:
            self.whole = True  # Hypothesis ends with the smallest case once more
        except (Enough, Flaky, Unsatisfiable):
            pass  # of a case that fails only now and then the smallest seen is kept

    def find(self, begin: float, before: int) -> Find:
        """The find, in its smallest case, so many judged cases after the search began."""
        smallest = self.failures[-1] if self.whole else min(self.failures, key=size)
        return Find(
            before + self.judged,
            self.met - begin,
            said_of(smallest.broken),
            smallest.asked,
            self.signature,
            smallest.case,
            self.whole,
        )

    def _broken(self, case: Any) -> bool:
        """Judge a case: whether it breaks the law, or the engine, in the way that is looked for."""
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
        if seen in self._known or (self.failures and seen != self.signature):
            return False
        if not self.failures:
            self.signature, self.met = seen, self._clock()
        self.failures.append(Failure(case, broken, tuple(asked)))
        if self._clock() - begin >= self._shrinking:
            raise Enough  # one such case takes all the time there is to try others
        return True

    def _in_time(self) -> float:
        """The time; raises `Enough` if it is up, or the engine can play nothing of this."""
        now = self._clock()
        if self.failures:
            if now > self.met + self._shrinking:
                raise Enough
        elif (now > self._until and not (self._first and self.judged == 0)) or hopeless(
            self.judged, self.unsupported
        ):
            self.cut = now > self._until
            raise Enough
        return now


def recording(play: Player, asked: list[Exchange]) -> Player:
    """The same player; what it is asked and answers is noted. It raises `CannotPlay` or `EngineFailure`,
    whatever an engine does.
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
    """A card with its text, which a law has no need to write."""
    return card if card.text else replace(card, text=text_of(card.definition))


def size(failure: Failure) -> tuple[int, int]:
    """How big a case is: the scenarios it consists of, and all that is written in them."""
    return len(failure.asked), sum(len(encode(one.play)) for one in failure.asked)


def said_of(broken: Broken | EngineFailure) -> str:
    """What there is to say of a find."""
    return f"{broken.kind}: {broken.says}" if isinstance(broken, EngineFailure) else str(broken)


VALUES = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")
KEY = re.compile(r": (\w+)$")
"""What of a thing is wrong, at the end of the first line of a law's message."""


def signature_of(broken: Broken | EngineFailure) -> str:
    """How a find looks: the rule that is broken and what of a thing is wrong, or how the engine broke."""
    first = said_of(broken).partition("\n")[0]
    if isinstance(broken, EngineFailure):
        return VALUES.sub("#", CHANGEABLE.sub("#", first))
    rules = CITED.findall(str(broken))
    key = KEY.search(first)
    return " ".join([type(broken).__name__, *rules[:1], *([key[1]] if key else [])])

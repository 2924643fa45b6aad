"""Finds scenarios that notice mistakes made only where a play meets one kind of thing, and stores some.

`python -m tools mistakes-met --store N --variants V` draws varied fixtures and collects which mistakes of
`mistakes_met` each of them meets. Those that fixtures and stored scenarios notice
less than twice, and those that none of these even meets, are made in some of the scenarios that meet them.
Then it stores the scenarios that together notice as many of them as possible twice. With `--real` it draws
games of real cards instead, each card as often as any other, and they stay real in what is stored.
"""

from __future__ import annotations

import random
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec
from msgspec.structs import replace

from conformance.data.library import real_cards
from conformance.model.engine import CannotPlay
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Play
from conformance.strategies.means import EVERYTHING
from conformance.strategies.scripts import FOUR_PLAYERS, FreshIds
from conformance.strategies.variants import variant
from conformance_adapters.in_process import Reference
from reference_engine.language.actions import Action
from tools.code_changes import output_of_fork
from tools.corpus import OF_MISTAKES
from tools.harvest import (
    LEAST_SECONDS,
    MOST_THINGS_OF_FIXTURES,
    Candidate,
    Detection,
    PlayTimeout,
    most_worth_first,
    noticed_by,
    too_long,
    with_all_looks,
    write_some,
)
from tools.mistakes_met import (
    AT_A_TIME,
    ENOUGH,
    Mistake,
    engine_with,
    mistakes_of,
)
from tools.outcomes import fixtures_to_vary
from tools.play_cards import COMPANY, play_game, table_for

MOST_TRIED = 30
"""Number of drawn scenarios in which one mistake is made, at most."""
MOST_LINES = 24
"""The length of a script to search, in actions."""
PLACES = 3
"""Number of differing values to expect for each mistake."""
TOGETHER = 3
"""Number of real cards that do what they can in one game."""
MOST_ACTIONS = 14
NUMBERS_OF_PLAYERS = (2, 2, 2, 2, 3)
"""Numbers of players, repeated by frequency."""
SECONDS_TO_DRAW = 4.0
"""Processor time for one game of real cards."""
LAW_OF_REAL_CARDS = "real_cards_meet_as_the_rules_say"
"""The law whose rules stand in a stored game of real cards when the account says nothing."""


class DrawnScenario(NamedTuple):
    """A drawn scenario, the law that draws it, and the time that a play of it takes."""

    law: str
    play: Play
    seconds: float


class FoundMistake(msgspec.Struct, frozen=True):
    """The drawn scenarios that notice a mistake, each by its place among them, and where they differ."""

    mistake: Mistake
    by: tuple[tuple[int, Detection], ...]


def drawn_scenarios(variants: int, seed: int) -> Iterator[DrawnScenario]:
    """Varied fixtures, without what is too large to read."""
    engine = Reference()
    bases = fixtures_to_vary()
    dice = random.Random(seed)
    for _ in range(variants):
        law, base = dice.choice(bases)
        play = with_all_looks(variant(dice.randbytes(6), (base,), EVERYTHING))
        if len(play.objects) > MOST_THINGS_OF_FIXTURES or len(play.script) > 2 * MOST_LINES:
            continue
        begin = time.process_time()
        try:
            stopped = engine.play(play).stopped
        except (CannotPlay, ScenarioError):
            continue
        if stopped is None:
            yield DrawnScenario(law, play, time.process_time() - begin)


def games_of_real_cards(many: int, seed: int) -> Iterator[DrawnScenario]:
    """Games in which some real cards do what they can, without those that take too long or crash."""
    engine = Reference()
    dice = random.Random(seed)
    names: list[str] = []
    signal.signal(signal.SIGPROF, too_long)
    for _ in range(many):
        if len(names) < TOGETHER:
            names = sorted(real_cards().keys() - set(COMPANY))
            dice.shuffle(names)
        called = FreshIds()
        some = [real_cards()[names.pop()] for _ in range(TOGETHER)]
        focus = {called.of(card): card for card in some}
        signal.setitimer(signal.ITIMER_PROF, SECONDS_TO_DRAW)
        try:
            start = table_for(focus, dice, FOUR_PLAYERS[: dice.choice(NUMBERS_OF_PLAYERS)])
            script: list[Action] = []
            play_game(start, dice, script, set(), focus, MOST_ACTIONS)
            play = with_all_looks(replace(start, script=tuple(script)))
            begin = time.process_time()
            stopped = engine.play(play).stopped
        except (CannotPlay, ScenarioError, PlayTimeout):
            continue
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        if stopped is None and len(play.script) <= 2 * MOST_LINES:
            yield DrawnScenario(LAW_OF_REAL_CARDS, play, time.process_time() - begin)


def search(
    meeting: Mapping[Mistake, Sequence[int]], drawn: Sequence[DrawnScenario], seed: int
) -> Iterator[FoundMistake]:
    """What notices each mistake, of the drawn scenarios that meet it: those that have noticed others come
    first, then the smallest.
    """
    dice = random.Random(seed)
    size = [len(one.play.objects) + len(one.play.script) + dice.random() for one in drawn]
    useful: dict[int, int] = defaultdict(int)
    every = sorted(meeting)
    for begin in range(0, len(every), AT_A_TIME):
        some = {
            mistake: sorted(meeting[mistake], key=lambda one: (-useful[one], size[one]))[:MOST_TRIED]
            for mistake in every[begin : begin + AT_A_TIME]
        }
        for found in found_by_fork(some, drawn):
            for place, _ in found.by:
                useful[place] += 1
            yield found


def found_by_fork(
    some: Mapping[Mistake, Sequence[int]], drawn: Sequence[DrawnScenario]
) -> list[FoundMistake]:
    """What notices each mistake, found by a process of its own; nothing, from where it breaks."""

    def work(told: BinaryIO) -> None:
        signal.signal(signal.SIGPROF, too_long)
        right: dict[int, Candidate] = {}
        for mistake, places in some.items():
            by = tuple(first_noticing(mistake, places, drawn, right))
            told.write(msgspec.json.encode(FoundMistake(mistake, by)) + b"\n")

    text, _ = output_of_fork(work)
    lines = text.rpartition(b"\n")[0].splitlines()
    return [msgspec.json.decode(line, type=FoundMistake) for line in lines]


def first_noticing(
    mistake: Mistake, places: Iterable[int], drawn: Sequence[DrawnScenario], right: dict[int, Candidate]
) -> Iterator[tuple[int, Detection]]:
    """The first scenarios that notice a mistake, up to two. `right` keeps the right answers.

    A scenario that becomes invalid does not count, nor does an engine that breaks.
    """
    found = 0
    for place in places:
        if place not in right:
            right[place] = with_right_answer(drawn[place])
        try:
            detection = noticed_by(engine_with(mistake), right[place])
        except ScenarioError:
            continue
        if detection is not None and detection.differs:
            yield place, detection
            found += 1
            if found == ENOUGH:
                return


def with_right_answer(one: DrawnScenario) -> Candidate:
    """A drawn scenario with the right answer."""
    return Candidate("", one.law, one.play, Reference().play(one.play), {}, one.seconds)


def most_worth(
    found: Sequence[FoundMistake], need: Mapping[Mistake, int], drawn: Sequence[DrawnScenario]
) -> Iterator[tuple[Candidate, tuple[tuple[str, str, str], ...]]]:
    """The scenarios that notice most mistakes for their time, one after the other, with what to expect."""
    left = dict(need)
    noticing: dict[int, list[tuple[Mistake, Detection]]] = defaultdict(list)
    for one in found:
        for place, detection in one.by:
            noticing[place].append((one.mistake, detection))

    def worth(place: int) -> float:
        many = sum(left[mistake] > 0 for mistake, _ in noticing[place])
        return many / (LEAST_SECONDS + drawn[place].seconds)

    for place in most_worth_first(noticing, worth):
        places: dict[tuple[str, str, str], None] = {}
        for mistake, detection in noticing[place]:
            if left[mistake] > 0:
                left[mistake] -= 1
                places |= dict.fromkeys(detection.differs[:PLACES])
        yield with_right_answer(drawn[place]), tuple(places)


def search_and_store(
    noticed: Mapping[Mistake, int],
    only: Sequence[str],
    variants: int,
    seed: int,
    store: int,
    folder: Path,
    say: Callable[[str], None],
    *,
    real: bool = False,
) -> str:
    """Search for what notices the mistakes that are noticed less than twice, and store scenarios. `noticed`
    says how often, for each mistake that some check meets.
    """
    say(f"fixtures and stored scenarios meet {len(noticed):,} mistakes")
    drawn = list((games_of_real_cards if real else drawn_scenarios)(variants, seed))
    say(f"{len(drawn):,} scenarios drawn")
    meeting: dict[Mistake, list[int]] = defaultdict(list)
    for place, one in enumerate(drawn):
        for mistake in mistakes_of(one.play, only):
            if noticed.get(mistake, 0) < ENOUGH:
                meeting[mistake].append(place)
    new = sum(mistake not in noticed for mistake in meeting)
    say(f"they meet {len(meeting) - new:,} of those that are not noticed twice, and {new:,} new ones")
    found = list(search(meeting, drawn, seed))
    need = {mistake: ENOUGH - noticed.get(mistake, 0) for mistake in meeting}
    stored = write_some(most_worth(found, need, drawn), store, folder, OF_MISTAKES, real=real)
    once = sum(bool(one.by) for one in found)
    return f"of {len(found):,} mistakes scenarios notice {once:,}; {stored} are stored"

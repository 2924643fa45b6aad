"""Counts the real cards that whole games play on an engine, and how many others each of them met.

`python -m tools met ENGINE` plays the games of the law about whole games. A card is played if a look shows
it on the battlefield or on the stack; two cards meet in a game in which both are played, if one does what the
other asks about.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations

from conformance.data.library import pool, real_cards
from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Play
from conformance.play.introduction import introduction_of
from conformance.properties.games_agreement import whole_games_go_as_the_rules_say
from conformance.properties.law import Broken, PlayFunction
from conformance.search.search import Exchange, recording
from conformance.strategies.means import Means, means_of
from conformance.strategies.meetings import kinds_of_meeting
from conformance.strategies.whole_games import DeckSchedule, cards_for_decks
from conformance_adapters import connect

ENOUGH = 5
"""Number of others that a card has to meet to be counted as well played."""


def cards_shown(play: Play, seen: Observations) -> frozenset[str]:
    """The real cards that a look showed on the battlefield or on the stack."""
    named = {one.id: one.card for one in play.objects}
    return frozenset(
        named[id]
        for look in seen.looks.values()
        for id, thing in look.objects.items()
        if id in named and thing.zone in ("battlefield", "stack")
    )


def met_in(exchanges: list[Exchange]) -> Iterator[tuple[str, str]]:
    """The pairs of cards that met in what was played, each in alphabetical order."""
    cards = real_cards()
    for one in exchanges:
        if isinstance(one.answer, Observations):
            for first, second in combinations(sorted(cards_shown(one.play, one.answer)), 2):
                if kinds_of_meeting(cards[first], cards[second]):
                    yield first, second


def met_cards(
    play: PlayFunction, means: Means, games: int, seed: int = 0
) -> Iterator[tuple[int, int, Mapping[str, frozenset[str]]]]:
    """After each game: the number of games, that of differences, and for each card those that it met."""
    dice, schedule = random.Random(seed), DeckSchedule(cards_for_decks(means))
    met: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    differences = 0
    for number in range(1, games + 1):
        asked: list[Exchange] = []
        try:
            whole_games_go_as_the_rules_say(recording(play, asked), schedule.of(dice.randbytes(6), means))
        except (Broken, EngineFailure):
            differences += 1
        except (CannotPlay, ScenarioError):
            pass
        for one, other in met_in(asked):
            met[one] |= {other}
            met[other] |= {one}
        yield number, differences, met


def report(engine: str, games: int, seed: int = 0) -> Iterator[str]:
    """A line after every hundred games and at the end."""
    asked = connect(engine)
    means = means_of(introduction_of(asked), tuple(pool().values()))
    for number, differences, met in met_cards(asked.play, means, games, seed):
        if number % 100 == 0 or number == games:
            well = sum(len(others) >= ENOUGH for others in met.values())
            yield (
                f"{number} games, {differences} with a difference: {len(met)} cards met another, "
                f"{well} of them at least {ENOUGH}"
            )

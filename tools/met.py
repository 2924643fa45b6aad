"""Counts the real cards that an engine plays with others, and how many others each of them met.

`python -m tools met ENGINE` plays the games of the law about whole games, `--crowds` those of the law about
crowds, in which many more cards meet. A card is played if a look shows it on the battlefield or on the stack;
two cards meet in a game in which both are played, if one does what the other asks about.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from conformance.data.library import pool, real_cards
from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Play
from conformance.play.introduction import introduction_of
from conformance.properties.games_agreement import (
    crowds_of_real_cards_go_as_the_rules_say,
    takes,
    whole_games_go_as_the_rules_say,
)
from conformance.properties.law import Broken, PlayFunction, Property
from conformance.search.search import Exchange, recording
from conformance.strategies.crowds import ENOUGH, CrowdSchedule, do_meet
from conformance.strategies.means import Means, means_of
from conformance.strategies.whole_games import DeckSchedule, cards_for_decks
from conformance_adapters import connect

ROUND = 100
"""Number of crowds that are planned before what met in them counts."""

TIMES = 6
"""Number of crowds after which a card that has not met enough others is given up: the engine takes it, and
then cannot play it.
"""

Met = Mapping[str, frozenset[str]]
"""For each card, those that it met."""


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
                if do_meet(cards[first], cards[second]):
                    yield first, second


def cases(
    play: PlayFunction, means: Means, met: Mapping[str, frozenset[str]], dice: random.Random, *, crowds: bool
) -> Iterator[Any]:
    """Games to play: whole games, or crowds of cards that the engine takes and that lack others."""
    cards = cards_for_decks(means)
    if not crowds:
        games = DeckSchedule(cards)
        while True:
            yield games.of(dice.randbytes(6), means)
    taken = [card for card in cards if takes(play, card)]
    times: Counter[str] = Counter()
    while True:
        schedule = CrowdSchedule(taken, met)
        for _ in range(ROUND):
            crowd = schedule.of(dice.randbytes(6), means)
            times.update(card.name for card in crowd.cards)
            yield crowd
        taken = [card for card in taken if times[card.name] < TIMES or len(met[card.name]) >= ENOUGH]


def met_cards(
    play: PlayFunction, means: Means, games: int, seed: int = 0, *, crowds: bool = False
) -> Iterator[tuple[int, int, Met]]:
    """After each game: the number of games, that of differences, and for each card those that it met."""
    law: Property[Any] = (
        crowds_of_real_cards_go_as_the_rules_say if crowds else whole_games_go_as_the_rules_say
    )
    met: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    differences = 0
    drawn = cases(play, means, met, random.Random(seed), crowds=crowds)
    for number in range(1, games + 1):
        asked: list[Exchange] = []
        try:
            law(recording(play, asked), next(drawn))
        except (Broken, EngineFailure):
            differences += 1
        except (CannotPlay, ScenarioError):
            pass
        for one, other in met_in(asked):
            met[one] |= {other}
            met[other] |= {one}
        yield number, differences, met


def report(engine: str, games: int, seed: int = 0, *, crowds: bool = False) -> Iterator[str]:
    """A line after every hundred games and at the end."""
    asked = connect(engine)
    means = means_of(introduction_of(asked), tuple(pool().values()))
    for number, differences, met in met_cards(asked.play, means, games, seed, crowds=crowds):
        if number % 100 == 0 or number == games:
            well = sum(len(others) >= ENOUGH for others in met.values())
            yield (
                f"{number} games, {differences} with a difference: {len(met)} cards met another, "
                f"{well} of them at least {ENOUGH}"
            )

"""Crowds: ten real cards that meet each other on one table.

Whole games play every card, but few of the cards that they play meet. A crowd begins with a card that has met
few others, and each further card is one that meets the most cards there for the first time. A crowd is a
number, as a whole game is: it decides who has which card, and each decision.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from conformance.model.card_parts import once_for_each
from conformance.model.scenario import Play
from conformance.strategies.boards import TWO_PLAYERS
from conformance.strategies.encounters import things_for
from conformance.strategies.means import EVERYTHING, Means
from conformance.strategies.meetings import MOST_COMPANY, deeds, questions, stands_by_itself
from conformance.strategies.scripts import (
    FreshIds,
    HeldCard,
    Permanent,
    SeatedPlayer,
    possible_play,
    table,
    things_to_do,
)
from conformance.strategies.whole_games import LOOK_EVERY, GameWalk, cards_for_decks
from reference_engine.language.cards import Card

CROWD = 10
"""Number of real cards in a crowd."""
ENOUGH = 5
"""Number of others that each card should meet before any meets more."""
CANDIDATES = 400
"""Number of cards to choose a crowd from: those that have met the fewest others."""
MOST_STEPS = 40
LIBRARY = 4


class CardCrowd(NamedTuple):
    """Real cards to play on one table: the crowd's number, and the cards."""

    number: bytes
    cards: tuple[Card, ...]
    means: Means

    def without(self, names: frozenset[str]) -> CardCrowd:
        """The crowd without these cards."""
        return self._replace(cards=tuple(card for card in self.cards if card.name not in names))


@once_for_each
def asked_about(card: Card) -> frozenset[str]:
    """What other cards may ask about a card: what its deeds are about."""
    return frozenset(about for _, about in deeds(card))


def do_meet(one: Card, other: Card) -> bool:
    """Whether one of two cards does what the other asks about."""
    return not (
        asked_about(one).isdisjoint(questions(other)) and asked_about(other).isdisjoint(questions(one))
    )


class CrowdSchedule:
    """Gives each drawn number a crowd of cards that met few others; the same number always gets the same
    one.

    `met`: for each card, those that it has met before.
    """

    def __init__(self, cards: Sequence[Card], met: Mapping[str, Iterable[str]] | None = None) -> None:
        self._cards = tuple(cards)
        self._met: defaultdict[str, set[str]] = defaultdict(set)
        for name, others in (met or {}).items():
            self._met[name] |= set(others)
        self._given: dict[bytes, CardCrowd] = {}
        self._begun: Counter[str] = Counter()

    def of(self, number: bytes, means: Means) -> CardCrowd:
        """The crowd with this number."""
        if number not in self._given:
            self._given[number] = CardCrowd(number, self._crowd(random.Random(number)), means)
        return self._given[number]

    def _crowd(self, dice: random.Random) -> tuple[Card, ...]:
        """A card that lacks others, and those of the least met that meet the most of the crowd."""
        order = {card.name: dice.random() for card in self._cards}
        least = nsmallest(
            CANDIDATES, self._cards, key=lambda card: (len(self._met[card.name]), order[card.name])
        )
        first = min(least, key=lambda card: (self._begun[card.name], not self._lacks(card)))
        self._begun[first.name] += 1
        crowd = [first]
        new: dict[str, list[Card]] = {card.name: [] for card in least if card is not first}
        """For each candidate, those of the crowd that it would meet for the first time."""
        while new and len(crowd) < CROWD:
            for card in least:
                if card.name in new and card.name not in self._met[crowd[-1].name]:
                    new[card.name] += [crowd[-1]] if do_meet(card, crowd[-1]) else []
            best = max(
                (card for card in least if card.name in new),
                key=lambda card: (self._gain(card, new[card.name]), len(new[card.name]), order[card.name]),
            )
            crowd.append(best)
            del new[best.name]
        for one in crowd:
            self._met[one.name] |= {other.name for other in crowd if other is not one and do_meet(one, other)}
        return tuple(crowd)

    def _gain(self, card: Card, others: Sequence[Card]) -> int:
        """How much nearer to meeting enough others everybody gets if a card meets these."""
        return min(self._lacks(card), len(others)) + sum(self._lacks(other) > 0 for other in others)

    def _lacks(self, card: Card) -> int:
        """How many more others a card should meet."""
        return max(0, ENOUGH - len(self._met[card.name]))


def crowds(means: Means = EVERYTHING) -> SearchStrategy[CardCrowd]:
    """Crowds of real cards, first those that have met the fewest others."""
    cards = cards_for_decks(means)
    if not cards:
        return st.nothing()
    schedule = CrowdSchedule(cards)
    return st.binary(min_size=6, max_size=6).map(lambda number: schedule.of(number, means))


def played_crowd(crowd: CardCrowd) -> Play:
    """A game of these cards among others that they affect, as the reference engine plays it, with a look at
    everything in play every few steps.

    Permanents are mostly there from the start; the other cards are in hands.
    """
    dice = random.Random(crowd.number)
    called = FreshIds()
    company = things_for(crowd.means, frozenset(crowd.cards))
    permanents = [
        Permanent(called.of(card), card, player)
        for player in TWO_PLAYERS
        for card in dict.fromkeys((company[0], dice.choice(company[:MOST_COMPANY])))
    ]
    hands: dict[str, list[HeldCard]] = {player: [] for player in TWO_PLAYERS}
    for card in crowd.cards:
        player = dice.choice(("alice", "alice", "bob"))
        if stands_by_itself(card) and dice.random() < 0.6:
            permanents.append(Permanent(called.of(card), card, player))
        else:
            hands[player].append(HeldCard(called.of(card), card))
    dice.shuffle(permanents)
    seated = [
        SeatedPlayer(
            player,
            hand=hands[player],
            library=[HeldCard(called.of(company[0]), company[0]) for _ in range(LIBRARY)],
            graveyard=[HeldCard(called.of(company[0]), company[0])],
        )
        for player in TWO_PLAYERS
    ]
    play = possible_play(table(seated, permanents, "alice"))
    walk = CrowdWalk(dice, play, crowd.means, pays=False, quiet=dice.random() < 0.5)
    walk.walk(MOST_STEPS)
    return walk.play_with_looks()


class CrowdWalk(GameWalk):
    """A walk in which the cards in hands are played first, and everything on the stack is looked at."""

    def walk(self, most: int) -> None:
        """Take up to `most` steps, until the game is over or cannot go on."""
        for step in range(1, most + 1):
            if self.game.over or not self.step():
                break
            if self.game.stack or step % LOOK_EVERY == 0:
                self.look(f"step_{step}")

    def step(self) -> bool:
        """Play a card from a hand, or act or go on as in a whole game."""
        game = self.game
        if game.holder is not None and not game.stack and self.dice.random() < 0.6:
            held = [(how, id) for how, id in things_to_do(game, self.means) if how != "activate"]
            self.dice.shuffle(held)
            if any(self.use(*thing) for thing in held):
                return True
        return super().step()

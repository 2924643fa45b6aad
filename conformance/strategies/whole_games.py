"""Whole games: two decks of real cards that play several turns against each other.

A game is a number. It decides the decks, the order of the libraries, and each decision, so that two engines
that play the same number play the same game. The decks come from a matrix: a deck has cards of one or two
colours, each such deck meets each other, and within its colours a deck has the least played cards.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, cycle, islice
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec.structs import replace

from conformance.data.library import real_cards
from conformance.model.scenario import Play, Want
from conformance.strategies.boards import TWO_PLAYERS
from conformance.strategies.means import EVERYTHING, Means
from conformance.strategies.meetings import DicedWalk, real_cards_for
from conformance.strategies.scripts import (
    CREATURE_KEYS,
    OBJECT_KEYS,
    PLAYER_KEYS,
    SOME,
    TABLE_KEYS,
    FreshIds,
    HeldCard,
    Permanent,
    SeatedPlayer,
    makes_mana,
    possible_play,
    table,
    things_to_do,
    ways,
)
from reference_engine.game.legal import declarations
from reference_engine.language.actions import Advance, CastAction, Look, Pay, PayStep, Settle
from reference_engine.language.cards import Card
from reference_engine.language.characteristics import colors_of_cost, faces_of, mana_value
from reference_engine.language.words import COLORS, Color, Step

BASICS: dict[Color, str] = {
    "white": "Plains",
    "blue": "Island",
    "black": "Swamp",
    "red": "Mountain",
    "green": "Forest",
}
SPELLS_IN_DECK = 12
LANDS_IN_DECK = 8
HAND = 7
LANDS_AT_START = 4
"""Number of lands that each player begins with on the battlefield."""
MOST_STEPS = 120
LOOK_EVERY = 4
"""Number of steps of the walk between two looks."""

DeckColors = frozenset[Color]
DECK_COLORS: tuple[DeckColors, ...] = tuple(
    frozenset(some) for many in (1, 2) for some in combinations(COLORS, many)
)
MATRIX: tuple[tuple[DeckColors, DeckColors], ...] = tuple(
    (one, other) for one in DECK_COLORS for other in DECK_COLORS
)


class Deck(NamedTuple):
    """A deck's real cards, and its basic lands."""

    spells: tuple[Card, ...]
    lands: tuple[Card, ...]


class WholeGame(NamedTuple):
    """A game to play: its number, and one deck for each player."""

    number: bytes
    decks: tuple[Deck, Deck]
    means: Means

    def without(self, names: frozenset[str]) -> WholeGame:
        """The game with decks that lack these cards."""
        one, other = (
            Deck(*(tuple(card for card in cards if card.name not in names) for cards in deck))
            for deck in self.decks
        )
        return self._replace(decks=(one, other))

    @property
    def cards(self) -> tuple[Card, ...]:
        """Each card of the decks once, in order."""
        return tuple(dict.fromkeys(card for deck in self.decks for cards in deck for card in cards))


def whole_games(means: Means = EVERYTHING) -> SearchStrategy[WholeGame]:
    """Games of two decks of real cards. The pairs of decks come in turn."""
    cards = cards_for_decks(means)
    schedule = DeckSchedule(cards)
    if not cards:
        return st.nothing()
    return st.binary(min_size=6, max_size=6).map(lambda number: schedule.of(number, means))


@cache
def cards_for_decks(means: Means) -> tuple[Card, ...]:
    """The real cards that can be played from a hand, except basic lands."""
    return tuple(
        card
        for card in real_cards_for(means)
        if len(faces_of(card)) == 1
        and not card.halves
        and "Basic" not in card.supertypes
        and card.types & {"Creature", "Instant", "Sorcery", "Enchantment", "Artifact", "Land", "Planeswalker"}
    )


def colors_of(card: Card) -> DeckColors:
    """The colours of a card outside the game."""
    return card.colors if card.colors is not None else colors_of_cost(card.cost)


class DeckSchedule:
    """Gives each drawn number two decks; the same number always gets the same ones."""

    def __init__(self, cards: Sequence[Card]) -> None:
        self._cards = {
            colors: tuple(card for card in cards if colors_of(card) <= colors) for colors in DECK_COLORS
        }
        self._given: dict[bytes, WholeGame] = {}
        self._played: Counter[str] = Counter()

    def of(self, number: bytes, means: Means) -> WholeGame:
        """The game with this number."""
        if number not in self._given:
            dice = random.Random(number)
            pairing = MATRIX[(int.from_bytes(number) + len(self._given)) % len(MATRIX)]
            one, other = (self._deck(colors, dice) for colors in pairing)
            self._given[number] = WholeGame(number, (one, other), means)
        return self._given[number]

    def _deck(self, colors: DeckColors, dice: random.Random) -> Deck:
        """A deck of the least played cards of these colours; dice decide among cards played as often."""
        order = {card.name: dice.random() for card in self._cards[colors]}
        cards = sorted(self._cards[colors], key=lambda card: (self._played[card.name], order[card.name]))
        spells = tuple(cards[:SPELLS_IN_DECK])
        self._played.update(card.name for card in spells)
        return Deck(spells, tuple(real_cards()[BASICS[color]] for color in COLORS if color in colors))


def played_game(game: WholeGame) -> Play:
    """The game as the reference engine plays it to its end, with a look at everything in play every few
    steps.
    """
    dice = random.Random(game.number)
    called = FreshIds()
    permanents: list[Permanent] = []
    seated: list[SeatedPlayer] = []
    for player, deck in zip(TWO_PLAYERS, game.decks, strict=True):
        lands = list(islice(cycle(deck.lands), LANDS_IN_DECK))
        permanents += [Permanent(called.of(land), land, player) for land in lands[:LANDS_AT_START]]
        cards = [*deck.spells, *lands[LANDS_AT_START:]]
        dice.shuffle(cards)
        held = [HeldCard(called.of(card), card) for card in cards]
        seated.append(SeatedPlayer(player, hand=held[:HAND], library=held[HAND:]))
    play = possible_play(table(seated, permanents, "alice"))
    walk = GameWalk(dice, play, game.means, pays=dice.random() < 0.5, quiet=dice.random() < 0.5)
    walk.walk(MOST_STEPS)
    return walk.play_with_looks()


class GameWalk(DicedWalk):
    """A walk through many turns, which looks at everything in play every few steps."""

    def __init__(self, dice: random.Random, play: Play, means: Means, *, pays: bool, quiet: bool) -> None:
        super().__init__(dice, play, means)
        self.quiet = quiet
        """Whether only the active player acts, in main phases, and everything resolves at once."""
        self.pays = pays and means.allow("payments")
        self.play = play
        self.wants: list[Want] = []
        self.look("start")

    def walk(self, most: int) -> None:
        """Take up to `most` steps, until the game is over or cannot go on."""
        for step in range(1, most + 1):
            if self.game.over or not self.step():
                break
            if step % LOOK_EVERY == 0:
                self.look(f"step_{step}")

    def step(self) -> bool:
        """Act or go on; players act when they can cast sorceries more often than at other times."""
        game = self.game
        if game.holder is None:
            return self.go_on()
        main = game.board.step.endswith("main") and not game.stack
        if not (self.quiet and not main) and self.dice.random() < (0.85 if main else 0.2):
            things = [(how, id) for how, id in things_to_do(game, self.means) if not self.is_idle(how, id)]
            self.dice.shuffle(things)
            if any(self.use(*thing) for thing in things[:3]):
                return True
        return self.go_on()

    def next_stop(self) -> Step:
        """The step to go to when nobody acts: attackers are declared in every other combat."""
        step = self.game.board.step
        if step == "precombat main":
            return self.pick(("beginning of combat", "end"))
        if step == "beginning of combat" and self.has_attackers():
            return "declare attackers"
        return "upkeep" if step == "end" else "precombat main" if step in ("upkeep", "draw") else "end"

    def has_attackers(self) -> bool:
        """Whether a creature could attack now."""
        return bool(self.game.rules.possible_attackers(self.game))

    def is_idle(self, how: str, id: str) -> bool:
        """Whether this only taps a basic land for mana."""
        return how == "activate" and "Basic" in self.game.seen.look(id).supertypes

    def use(self, how: str, id: str) -> bool:
        """Play, cast or activate something, in a random legal way."""
        options = list(ways(self.game, how, id))
        self.dice.shuffle(options)
        return any(
            self.take(paid)
            for action in options[:3]
            for paid in (self.payments(action) if self.pays and isinstance(action, CastAction) else (action,))
        )

    def payments(self, action: CastAction) -> Iterator[CastAction]:
        """The action with mana from as many lands as it costs, so that none is left in the pool."""
        able = [
            thing.id
            for thing in self.game.board.things.values()
            if thing.zone == "battlefield"
            and not thing.tapped
            and makes_mana(self.game, thing.id, action.by)
            and self.game.seen.look(thing.id).is_a("Land")
        ]
        # CR 702.37a, 702.168a: face down, any card costs {3}.
        value = 3 if action.face_down else mana_value(self.game.seen.look(action.what).cost, action.x or 0)
        for some in islice(combinations(able, value), 12):
            yield replace(action, pay=Pay(tuple(PayStep(activate=id) for id in some)))

    def go_on(self) -> bool:
        """Pass or declare; in a main phase mostly on to combat."""
        if self.game.deciding is not None:
            options = list(islice(declarations(self.game), SOME)) if self.means.allow("combat") else []
            return bool(options) and self.take(self.pick(options))
        if self.quiet and self.take(Settle() if self.game.stack else Advance(self.next_stop())):
            return True
        if self.game.board.step == "precombat main" and not self.game.stack and self.dice.random() < 0.7:
            return self.take(Advance("beginning of combat"))
        return super().go_on()

    def look(self, name: str) -> None:
        """Look at the table, the players, and everything in a public zone."""
        self.script.append(Look(name))
        self.wants += self.wanted(name)

    def wanted(self, name: str) -> Iterator[Want]:
        """What to ask for at a look."""
        yield Want(name, "table", TABLE_KEYS)
        yield from (Want(name, player.id, PLAYER_KEYS) for player in self.play.players)
        things = self.game.board.things
        for one in self.play.objects:
            zone = things[one.id].zone if one.id in things else "library"
            if zone in ("battlefield", "stack"):
                creature = self.game.seen.look(one.id).is_a("Creature")
                yield Want(name, one.id, CREATURE_KEYS if creature else OBJECT_KEYS)
            elif zone in ("graveyard", "exile"):
                yield Want(name, one.id, frozenset({"zone"}))

    def play_with_looks(self) -> Play:
        """The game so far as a play, looked at once more at its end."""
        wants = (*self.wants, *self.wanted("end"))
        return replace(self.play, script=tuple(self.script), wants=wants)

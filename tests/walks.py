"""Games walked at random through legal actions, with the laws that every moment of them keeps.

`python -m tests.walks 20000` walks that many games with cards of the whole pool and says how it went;
a second number is the seed of the first walk, so that several processes can share the work.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from adapters.in_process import everything, played, snapshot, starting_game
from conformance.library import pool
from conformance.problems import ScenarioError
from conformance.scenario import Arrival, CardInPlay, Entry, Object, Play, Player, Start, Want
from reference_engine.actions import (
    Action,
    Activate,
    Assign,
    Assignment,
    Attack,
    Attacker,
    Block,
    Blocker,
    Cast,
    Choose,
    CostPaid,
    Pass,
    Pay,
    PayStep,
    Share,
    TurnUp,
)
from reference_engine.actions import Play as PlayLand
from reference_engine.cards import Activated, AlternativeCost, Card, Create
from reference_engine.events import AllPassed, GotPriority, Resolved, StepEnded
from reference_engine.game import Game, Rejected, Undecided, Unsupported, advance, all_sides, sides
from reference_engine.game_rules import CR
from reference_engine.legal import MANY, legal_actions, legal_answers
from reference_engine.stack import names
from reference_engine.words import Step

LANDS = ("Plains", "Island", "Swamp", "Mountain", "Forest")
NAMES = ("alice", "bob", "carol", "dave")
STEPS: tuple[Step, ...] = ("upkeep", "precombat main", "precombat main", "beginning of combat", "end")

# ------------------------------------------------------------------------------------------ the table


@cache
def cards_to_deal() -> tuple[Card, ...]:
    """The cards of the pool that can be in a deck: not its tokens, and no basic lands."""
    cards = pool()
    return tuple(card for name, card in cards.items() if name not in LANDS and (is_land(card) or card.cost))


def is_land(card: Card) -> bool:
    """Whether a card is a land, which has no mana cost."""
    return "Land" in card.types


def dealt(dice: random.Random) -> Play:
    """A table of two to four players (or two teams of two) with permanents, hands, libraries and graveyards
    of a few cards of the pool.
    """
    seats = dice.choice((2, 2, 2, 3, 4, 4))
    teams = seats == 4 and dice.random() < 0.6
    deck = [card.name for card in dice.sample(cards_to_deal(), 9)] + dice.sample(LANDS, 3)
    lasting = [name for name in deck if not pool()[name].types & {"Instant", "Sorcery"}]
    objects: list[Object] = []
    entries: list[Arrival] = []
    players: list[Player] = []

    def cards(owner: str, least: int, most: int, out_of: Sequence[str]) -> tuple[str, ...]:
        made = [
            Object(f"c{len(objects) + n}", dice.choice(out_of), owner)
            for n in range(dice.randint(least, most))
        ]
        objects.extend(made)
        return tuple(thing.id for thing in made)

    for number, name in enumerate(NAMES[:seats]):
        hosts = [entry.id for arrival in entries for entry in arrival.entries]
        for id in cards(name, 1, 4, lasting):
            attached = {"Aura", "Equipment"} & pool()[objects[-1].card].subtypes
            host = dice.choice(hosts) if attached and hosts else None
            entries.append(Arrival((Entry(id, name, attached_to=host, face_down=dice.random() < 0.05),)))
        players.append(
            Player(
                name,
                life=dice.choice((3, 20)),
                hand=cards(name, 2, 5, deck),
                library=cards(name, 2, 8, deck),
                graveyard=cards(name, 0, 2, deck),
                team=("heads" if number < 2 else "tails") if teams else None,
            )
        )
    used = sorted({thing.card for thing in objects})
    return without_what_cannot_be(
        Play(
            players=tuple(players),
            start=Start("heads" if teams else dice.choice(NAMES[:seats]), dice.choice(STEPS)),
            cards=tuple(CardInPlay(card, real=True) for card in with_tokens(used)),
            objects=tuple(objects),
            setup=tuple(entries),
        )
    )

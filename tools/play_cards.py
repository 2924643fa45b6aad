"""Plays real cards on the reference engine: each enters or is cast, attacks, and has its abilities used.

`python -m tools play-cards` plays every card of the pool and the catalogue, `--sample N` some of them. A card
that crashes the engine is printed with its script, and so is a card that never did something it could.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from conformance.data.library import pool, real_cards
from conformance.model.scenario import Play
from conformance.strategies.means import EVERYTHING
from conformance.strategies.meetings import stands_by_itself
from conformance.strategies.scripts import (
    SOME,
    FreshIds,
    HeldCard,
    Permanent,
    SeatedPlayer,
    cards_come_by_chance,
    passings,
    possible_play,
    scripted_action,
    table,
    things_to_do,
    ways,
)
from conformance_adapters.in_process import start_of
from reference_engine.game.game import Game
from reference_engine.game.game_rules import CR
from reference_engine.game.legal import declarations
from reference_engine.language.actions import Action, Activate, Attack, Call, CastAction, PlayAction
from reference_engine.language.cards import Activated, Card

MOST_ACTIONS = 40
TRIES = 10
SEATS = ("alice", "bob")
COMPANY = ("Grizzly Bears", "Forest", "Darksteel Ingot", "Glorious Anthem", "Swamp", "Air Elemental")


class PlayedCard(Struct, frozen=True):
    """What a card did in its games, and how it crashed the engine."""

    name: str
    did: frozenset[str]
    could: frozenset[str]
    """What a card like this can do: be used, attack, activate."""
    crash: str = ""

    def __str__(self) -> str:
        missing = ", ".join(sorted(self.could - self.did))
        return f"{self.name}: {self.crash or f'never seen to {missing}'}"


def possible_deeds(card: Card) -> frozenset[str]:
    """What a card can do in a game by itself."""
    found = {"be used"}
    if "Creature" in card.types:
        found.add("attack")
    if any(isinstance(ability, Activated) for ability in card.abilities):
        found.add("activate")
    return frozenset(found)


def table_for(cards: Mapping[str, Card], dice: random.Random, players: Sequence[str] = SEATS) -> Play:
    """A table with the cards of `COMPANY`, and these cards by id, in hands or on the battlefield if they can
    begin there; the first card is the first player's.
    """
    called = FreshIds()
    some = [pool()[name] for name in COMPANY]
    permanents = [Permanent(called.of(one), one, player) for player in players for one in some]
    hands: dict[str, list[HeldCard]] = {player: [] for player in players}
    for number, (id, card) in enumerate(cards.items()):
        player = dice.choice(players) if number else players[0]
        if stands_by_itself(card) and dice.random() < 0.5:
            permanents.append(Permanent(id, card, player))
        else:
            hands[player].append(HeldCard(id, card))
    seated = [
        SeatedPlayer(
            player,
            hand=[*hands[player], HeldCard(called.of(some[0]), some[0])],
            library=[HeldCard(called.of(one), one) for one in some],
            graveyard=[HeldCard(called.of(one), one) for one in some],
        )
        for player in players
    ]
    return possible_play(table(seated, permanents, players[0]))


Deed = tuple[str, str]
"""What a card did: its id, and the deed."""


def play_game(
    play: Play,
    dice: random.Random,
    script: list[Action],
    did: set[Deed],
    ids: Collection[str] = ("it",),
    most: int = MOST_ACTIONS,
) -> None:
    """Play a random game in which these cards do what they can; adds the actions to `script`, and what the
    cards do to `did`.
    """
    game = start_of(play, CR)
    tokens = 0
    for _ in range(most):
        if game.over:
            return
        for action in some_actions(game, dice, did, ids):
            script.append(action)
            done = scripted_action(game, action, dice.choice, tokens, EVERYTHING)
            if done is None or cards_come_by_chance(game, done.game):
                script.pop()
                continue
            script[-1:] = done.actions
            game = done.game
            tokens = sum(len(one.ids) for one in game_calls(script))
            did.update(deeds_in(action))
            break
        else:
            return


def game_calls(script: Sequence[Action]) -> list[Any]:
    """The names given to tokens in a script."""
    return [one for action in script if isinstance(action, Call) for one in action.tokens]


def some_actions(
    game: Game, dice: random.Random, did: Collection[Deed], ids: Collection[str]
) -> Iterator[Action]:
    """Actions to try next: use one of the cards (rarely a second time), attack with it, or go on."""
    if game.deciding is not None:
        options = list(islice(declarations(game), SOME))
        dice.shuffle(options)
        options.sort(key=lambda one: not any(id in ids for id, _ in deeds_in(one)))
        yield from options
        return
    if game.holder:
        mine = [(how, id) for how, id in things_to_do(game, EVERYTHING) if id in ids]
        dice.shuffle(mine)
        for how, id in mine:
            if dice.random() < (0.2 if (id, DEEDS[how]) in did else 0.8):
                uses = list(ways(game, how, id))
                dice.shuffle(uses)
                yield from uses[:4]
    onwards = list(passings(game, EVERYTHING))
    dice.shuffle(onwards)
    yield from onwards


DEEDS = {"play": "be used", "cast": "be used", "activate": "activate"}
"""The deed that each way of using a card is."""


def deeds_in(action: Action) -> Iterator[Deed]:
    """What cards do in an action."""
    match action:
        case CastAction() | PlayAction():
            yield action.what, "be used"
        case Activate():
            yield action.what, "activate"
        case Attack(attackers):
            yield from ((one.attacker, "attack") for one in attackers)


def played_card(card: Card, seed: int = 0, tries: int = TRIES) -> PlayedCard:
    """Play a card in a few games, until it has done what it can."""
    did: set[Deed] = set()
    could = possible_deeds(card)
    dice = random.Random(f"{seed} {card.name}")
    for _ in range(tries):
        script: list[Action] = []
        try:
            play_game(table_for({"it": card}, dice), dice, script, did)
        except Exception as error:  # whatever it is, it is the finding
            says = f"{type(error).__name__}: {error}\n    after {script}"
            return PlayedCard(card.name, its(did), could, says)
        if could <= its(did):
            break
    return PlayedCard(card.name, its(did), could)


def its(did: Iterable[Deed]) -> frozenset[str]:
    """What the card did that is played."""
    return frozenset(deed for id, deed in did if id == "it")


def play_cards(sample: int | None = None, seed: int = 0) -> Iterator[PlayedCard]:
    """Play all real cards, or a sample drawn by the seed."""
    names = sorted(real_cards())
    if sample is not None:
        names = random.Random(seed).sample(names, sample)
    return (played_card(real_cards()[name], seed) for name in names)


def report(played: Iterable[PlayedCard]) -> Iterator[str]:
    """The cards that crash and those that never did what they can, then the counts."""
    crashed = idle = many = 0
    for one in played:
        many += 1
        crashed += bool(one.crash)
        idle += not one.crash and not one.could <= one.did
        if one.crash or not one.could <= one.did:
            yield str(one)
    yield f"{many} cards played: {crashed} crash, {idle} never did something that they can"

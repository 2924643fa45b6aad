"""Plays real cards on the reference engine: each enters or is cast, attacks, and has its abilities used.

`python -m tools play-cards` plays every card of the pool and the catalogue, `--sample N` some of them. A card
that crashes the engine is printed with its script, and so is a card that never did something it could.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
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


def table_for(card: Card, dice: random.Random) -> Play:
    """Two players with the cards of `COMPANY`, and the card in a hand, or on the battlefield if it can begin
    there.
    """
    called = FreshIds()
    some = [pool()[name] for name in COMPANY]
    lies = stands_by_itself(card) and dice.random() < 0.5
    permanents = [Permanent(called.of(one), one, player) for player in ("alice", "bob") for one in some]
    if lies:
        permanents.append(Permanent("it", card, "alice"))
    seated = [
        SeatedPlayer(
            player,
            hand=[
                *([HeldCard("it", card)] if player == "alice" and not lies else []),
                HeldCard(called.of(some[0]), some[0]),
            ],
            library=[HeldCard(called.of(one), one) for one in some * 2],
            graveyard=[HeldCard(called.of(one), one) for one in some],
        )
        for player in ("alice", "bob")
    ]
    return possible_play(table(seated, permanents, "alice"))


def play_game(card: Card, dice: random.Random, script: list[Action], did: set[str]) -> None:
    """Play a random game in which a card does what it can; adds the actions to `script`, and what it does to
    `did`.
    """
    game = start_of(table_for(card, dice), CR)
    tokens = 0
    for _ in range(MOST_ACTIONS):
        if game.over:
            return
        for action in some_actions(game, dice, did):
            script.append(action)
            done = scripted_action(game, action, dice.choice, tokens, EVERYTHING)
            if done is None:
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


def some_actions(game: Game, dice: random.Random, did: set[str]) -> Iterator[Action]:
    """Actions to try next: use the card (rarely a second time), attack with it, or go on."""
    if game.deciding is not None:
        options = list(islice(declarations(game), SOME))
        dice.shuffle(options)
        options.sort(key=lambda one: not any(True for _ in deeds_in(one)))
        yield from options
        return
    if game.holder:
        mine = [(how, id) for how, id in things_to_do(game, EVERYTHING) if id == "it"]
        for how, id in mine if dice.random() < (0.2 if "activate" in did else 0.8) else ():
            uses = list(ways(game, how, id))
            dice.shuffle(uses)
            yield from uses[:4]
    onwards = list(passings(game, EVERYTHING))
    dice.shuffle(onwards)
    yield from onwards


def deeds_in(action: Action) -> Iterator[str]:
    """What the card does in an action."""
    match action:
        case CastAction(what="it") | PlayAction(what="it"):
            yield "be used"
        case Activate(what="it"):
            yield "activate"
        case Attack(attackers) if any(one.attacker == "it" for one in attackers):
            yield "attack"


def played_card(card: Card, seed: int = 0, tries: int = TRIES) -> PlayedCard:
    """Play a card in a few games, until it has done what it can."""
    did: set[str] = set()
    could = possible_deeds(card)
    dice = random.Random(f"{seed} {card.name}")
    for _ in range(tries):
        script: list[Action] = []
        try:
            play_game(card, dice, script, did)
        except Exception as error:  # whatever it is, it is the finding
            says = f"{type(error).__name__}: {error}\n    after {script}"
            return PlayedCard(card.name, frozenset(did), could, says)
        if could <= did:
            break
    return PlayedCard(card.name, frozenset(did), could)


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

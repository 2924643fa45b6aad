"""Makes a script for a board that has none: the player whose turn it is casts what is in hand.

A board that somebody set up by hand is meant to be played. Each card in the active player's hand is played
with the first targets that the rules allow, and resolves; then the turn ends. Whatever would need a choice is
left out. The rules decide: each step is tried on an engine that knows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from msgspec.structs import replace

from conformance.model.engine import CannotPlay
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from reference_engine.language.actions import Action, Advance, CastAction, PlayAction, Settle

MOST_CARDS_TRIED = 10
"""Maximum number of cards in hand to try."""
MOST_TARGETS = 30
"""Maximum number of things to try as a target of one spell."""


def with_script(play: Play, answer: Callable[[Play], Observations]) -> Play:
    """The play with a script that the rules allow as far as it goes; `answer` plays by the rules."""
    steps = [*casts(play), end_of_turn(play)]
    for candidates in steps:
        for actions in candidates:
            longer = replace(play, script=(*play.script, *actions))
            if is_allowed(longer, answer):
                play = longer
                break
    return play


def casts(play: Play) -> Iterator[list[tuple[Action, ...]]]:
    """For each card in hand, the ways to play it that are tried."""
    player = next(one for one in play.players if one.id == play.start.turn)
    cards = {one.id: one.card for one in play.objects}
    types = {one.definition.name: one.definition.types for one in play.cards}
    permanents = [entry.id for arrival in play.setup for entry in arrival.entries]
    buried = chain.from_iterable(one.graveyard for one in play.players)
    others = [one.id for one in play.players if one.id != player.id]
    targets = [*[*others, *permanents, *player.hand, *buried][:MOST_TARGETS], player.id]
    for id in player.hand[:MOST_CARDS_TRIED]:
        if "Land" in types.get(cards[id], ()):
            yield [(PlayAction(id, player.id),)]
            continue
        plain = CastAction(id, player.id)
        aimed = [replace(plain, targets=((target,),)) for target in targets]
        yield [(cast, Settle()) for cast in (*aimed, plain)]


def end_of_turn(play: Play) -> list[tuple[Action, ...]]:
    """Going on to the next player's turn, or only to the end of this one."""
    ids = [one.id for one in play.players]
    following = ids[(ids.index(play.start.turn) + 1) % len(ids)]
    return [(Advance("precombat main", following),), (Advance("end"),)]


def is_allowed(play: Play, answer: Callable[[Play], Observations]) -> bool:
    """Whether the rules allow every action, and no choice is open."""
    try:
        seen = answer(play)
    except CannotPlay:
        return False
    return seen.stopped is None and not seen.unused

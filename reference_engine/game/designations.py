"""Designations of players: the city's blessing (CR 702.131c), and the monarch (CR 725)."""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.events import BecameMonarch, GameEvent, GotBlessing, PlayerLost
from reference_engine.game.game import Game, Ref, WaitingTrigger, players_in_order
from reference_engine.game.happening import happen, with_event
from reference_engine.game.occurrences import Occurring, occurrence_of
from reference_engine.game.recall import asking_about
from reference_engine.language.cards import Triggered
from reference_engine.language.designations import OF_THE_MONARCH, THE_MONARCH
from reference_engine.language.keywords import Ascending

NO_SOURCE = Ref(THE_MONARCH)


# ------------------------------------------------------------------------------ the city's blessing


def ascended(game: Game, player: str, many: int = 10) -> Game:
    """The game in which a player has the city's blessing, if the player controls enough permanents.

    CR 702.131a, 702.131b: ten or more permanents, and for the rest of the game.
    """
    if player in game.board.blessed or permanents_of(game, player) < many:
        return game
    board = replace(game.board, blessed=game.board.blessed | {player})
    return with_event(game, GotBlessing(player), board=board)


def permanents_of(game: Game, player: str) -> int:
    """How many permanents a player controls."""
    return sum(len(ids) for (look, _), ids in game.seen.view.on_battlefield if look.controller == player)


def blessings_noticed(game: Game) -> Game:
    """The game in which players with ascend have the city's blessing if they control enough permanents.

    CR 702.131b: any time, so as soon as that is so. CR 702.131d: abilities that trigger on the same event
    already see the blessing.
    """
    if Ascending not in game.mentions:
        return game
    ascending = {
        look.controller for (look, _), _ in game.seen.view.on_battlefield if look.has_keyword("ascend")
    }
    for player in players_in_order(game):
        if player in ascending:
            game = game.rules.ascended(game, player)
    return game


# -------------------------------------------------------------------------------------- the monarch


def crowned(game: Game, player: str) -> Game:
    """The game after a player has become the monarch.

    CR 725.1: an effect tells the player so. CR 725.2: or the monarch's own ability. CR 725.3: whoever was the
    monarch is not any more. The rules do not say what it means to tell the monarch to become the monarch;
    here, nothing happens.
    """
    return game if game.board.monarch == player else happen(game, BecameMonarch(player))


def with_successor(game: Game, events: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
    """The simultaneous events, with the succession if the monarch leaves the game in one of them.

    CR 725.4: the active player becomes the monarch at the same time, or if that player leaves too, or is
    gone, the next in turn order.
    """
    leaving = {event.player for event in events if isinstance(event, PlayerLost)}
    if game.board.monarch not in leaving:
        return events
    heirs = [player for player in players_in_order(game) if player not in leaving]
    return (*events, *(BecameMonarch(heir) for heir in heirs[:1]))


def monarch_triggers(
    before: Game, after: Game, events: list[Occurring], abilities: tuple[Triggered, ...] = OF_THE_MONARCH
) -> list[WaitingTrigger]:
    """The monarch's abilities that these simultaneous events trigger.

    CR 725.2: they have no source, and whoever was the monarch as they triggered controls them.
    """
    monarch = after.board.monarch
    if monarch is None:
        return []
    found: list[WaitingTrigger] = []
    asking = asking_about(after, NO_SOURCE, monarch)
    for number, ability in enumerate(abilities):
        for event in events:
            occurrence = occurrence_of(ability.when, event, asking, before, after)
            if occurrence is not None:
                it, names = occurrence
                slot = ("monarch", number)
                found.append(WaitingTrigger(ability, ability.name, monarch, NO_SOURCE, slot, it, names))
    return found

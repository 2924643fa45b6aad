"""Control of another player during that player's next turn (CR 723)."""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.events import PlayerControlled
from reference_engine.game.game import Game, Rejected, side_of
from reference_engine.game.happening import with_event
from reference_engine.language.actions import Action, Pass


def control_promised(game: Game, player: str, controller: str) -> Game:
    """The game in which a player controls another during that player's next turn.

    CR 723.1a: of several such effects on one player, the one that was created last works. CR 805.8: with
    shared turns, the player's whole team is controlled.
    """
    side = side_of(game, player)
    earlier = tuple(promised for promised in game.control_to_come if promised[0] != side)
    return replace(game, control_to_come=(*earlier, (side, controller)))


def control_begun(game: Game, side: str) -> Game:
    """The game as a turn of a side begins, with control of that side, if an effect waits for it.

    CR 723.1: it lasts for the entire turn that is actually taken, until the next turn begins. CR 800.4a: a
    player who has left the game controls nobody.
    """
    now = tuple(promised for promised in game.control_to_come if promised[0] == side)
    later = tuple(promised for promised in game.control_to_come if promised[0] != side)
    game = replace(game, controlled=now, control_to_come=later)
    for controlled, controller in now:
        game = with_event(game, PlayerControlled(controlled, controller))
    return game


def decider(game: Game, player: str) -> str:
    """The player who makes a player's choices and decisions.

    CR 723.5: whoever controls the player. CR 723.8: who controls another goes on deciding for themselves.
    """
    by = dict(game.controlled).get(side_of(game, player))
    return player if by is None or by in game.lost else by


def require_decider(game: Game, action: Action) -> None:
    """Refuse an action that somebody else than the script says would have to decide on."""
    said = getattr(action, "decided_by", None)
    if said is None:
        return
    player = action.who if isinstance(action, Pass) else getattr(action, "by", "")
    by = game.rules.decider(game, player)
    if by != said:
        raise Rejected(f"{by} makes the decisions of {player} (CR 723.5)")

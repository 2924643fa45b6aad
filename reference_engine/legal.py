"""All actions that are legal now, in the script's own words."""

from __future__ import annotations

from reference_engine.actions import Action
from reference_engine.game import Game


def legal_actions(game: Game) -> tuple[Action, ...]:
    """Every action that a player could take now."""
    return ()


def worded_actions(game: Game) -> tuple[str, ...]:
    """The legal actions as a look reports them."""
    return ()

"""Ways to get wrong how long effects last, and what comes back when something has left."""

from __future__ import annotations

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import turn
from reference_engine.game.game import Game, Ref
from reference_engine.language.cards import Selector, You
from reference_engine.layers.board import Lasting


def as_before(game: Game) -> Game:
    """Nothing ends, and nothing comes back."""
    return game


def only_this_turn(game: Game, effect: Lasting) -> bool:
    """Effects until the end of a player's next turn end with this turn."""
    return effect.until != "end of your next turn" and turn.lasts_beyond_this_turn(game, effect)


def until_any_next_turn(game: Game, effect: Lasting) -> bool:
    """Effects until the end of a player's next turn end with the next turn of any player."""
    if effect.until == "end of your next turn":
        return effect.turn == game.turn
    return turn.lasts_beyond_this_turn(game, effect)


def still_there(game: Game, source: Ref) -> bool:
    """The source of the ability never counts as gone."""
    return False


def under_yours() -> Selector:
    """An object returns under the control of the player who exiled it."""
    return You()


LAPSING_MUTANTS: tuple[Mutant, ...] = (
    mutant(
        "exiled-until-for-good",
        "610.3",
        "Never returns what was exiled until something left.",
        returning_from_exile=as_before,
    ),
    mutant(
        "exiled-though-it-left",
        "610.3b",
        "Exiles something until the source leaves, although the source has left.",
        has_left=still_there,
    ),
    mutant(
        "returns-under-yours",
        "610.3c",
        "Returns what was exiled until something left under the control of whoever exiled it.",
        returning_under=under_yours,
    ),
    mutant(
        "next-turn-is-this-turn",
        "514.2",
        "Ends what lasts until the end of a player's next turn with the present turn.",
        lasts_beyond_this_turn=only_this_turn,
    ),
    mutant(
        "next-turn-is-anybodys",
        "514.2",
        "Ends what lasts until the end of a player's next turn with the next turn of anybody.",
        lasts_beyond_this_turn=until_any_next_turn,
    ),
    mutant(
        "combat-never-over",
        "500.5a",
        "Lets what lasts until end of combat go on.",
        durations_until_end_of_combat=as_before,
    ),
    mutant(
        "stays-tapped-for-good",
        "611.2a",
        "Keeps what doesn't untap during one untap step tapped in all of them.",
        durations_of_untap_step=as_before,
    ),
)

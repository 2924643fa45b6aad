"""Ways to get control of another player wrong."""

from __future__ import annotations

from msgspec.structs import replace

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import controlling, phases
from reference_engine.game.game import Game, side_of
from reference_engine.language.actions import Action


def oneself(game: Game, player: str) -> str:
    """Every player decides for themselves."""
    return player


def both_ways(game: Game, player: str) -> str:
    """Who is controlled decides for who controls them, too."""
    by = {controller: side for side, controller in game.controlled}
    return by.get(player, controlling.decider(game, player))


def of_the_departed(game: Game, player: str) -> str:
    """A player who has left the game goes on deciding for another."""
    return dict(game.controlled).get(side_of(game, player), player)


def first_promise(game: Game, player: str, controller: str) -> Game:
    """The first of several effects on one player works."""
    side = side_of(game, player)
    promised = any(side == other for other, _ in game.control_to_come)
    return game if promised else controlling.control_promised(game, player, controller)


def at_once(game: Game, player: str, controller: str) -> Game:
    """Control of a player begins at once."""
    return replace(game, controlled=((side_of(game, player), controller),))


def for_good(game: Game, side: str) -> Game:
    """Control of a player does not end with the turn."""
    before = game.controlled
    game = controlling.control_begun(game, side)
    return replace(game, controlled=tuple({**dict(before), **dict(game.controlled)}.items()))


def used_up(game: Game, side: str, what: str) -> tuple[Game, bool]:
    """A skipped turn uses up the control of its player."""
    game, skips = phases.next_one_skipped(game, side, what)
    if skips and what == "turn":
        game = replace(game, control_to_come=tuple(one for one in game.control_to_come if one[0] != side))
    return game, skips


def anybody(game: Game, action: Action) -> None:
    """Anybody may act for anybody."""


CONTROLLING_MUTANTS: tuple[Mutant, ...] = (
    mutant("nobody-is-controlled", "723.5", "Lets a controlled player decide.", decider=oneself),
    mutant("controlled-both-ways", "723.8", "Lets the controlled player decide for both.", decider=both_ways),
    mutant("controlled-by-the-departed", "800.4a", "Keeps the control of who left.", decider=of_the_departed),
    mutant("oldest-control", "723.1a", "Lets the oldest effect work.", control_promised=first_promise),
    mutant("controlled-at-once", "723.1", "Begins control at once.", control_promised=at_once),
    mutant("controlled-for-good", "723.1", "Never ends control of a player.", control_begun=for_good),
    mutant("control-used-up", "723.1b", "Uses control up in a skipped turn.", next_one_skipped=used_up),
    mutant("acts-for-anybody", "723.5", "Lets anybody act for anybody.", require_decider=anybody),
)

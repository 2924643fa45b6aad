"""Ways to get keyword actions, emblems, shield counters and attaching wrong, and who wins or loses."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import instructions, triggers
from reference_engine.game.events import CountersChanged, GameEvent, GameOver, Moved
from reference_engine.game.game import Game, members, side_of
from reference_engine.game.happening import happen
from reference_engine.game.occurrences import AttachmentBegan
from reference_engine.game.scene import Scene, on_battlefield, refs_meant
from reference_engine.language.cards import Ability, Amass, Connive, Create, If, Instruction, Selector


def always_grown(game: Game, scene: Scene, what: Selector) -> tuple[Game, Scene]:
    """A creature that explores gets a counter even if a land was revealed."""
    before = game
    game, scene = instructions.explored(game, scene, what)
    lands = [e for e in game.events[len(before.events) :] if isinstance(e, Moved) and e.to == "hand"]
    ids = on_battlefield(game, refs_meant(game, scene, what)) if lands else ()
    return happen(game, *(CountersChanged(id, "+1/+1", 1) for id in ids)) if ids else game, scene


def grown_by_lands(game: Game, scene: Scene, instruction: Connive) -> tuple[Game, Scene]:
    """A creature that connives gets a counter for each card discarded, land or not."""
    return instructions.connived(game, scene, instruction, every=True)


def anew(instruction: Amass) -> tuple[Instruction, ...]:
    """Every amassing creates another Army."""
    made, _, *rest = instructions.amassing(instruction)
    assert isinstance(made, If)
    (created,) = made.effect
    assert isinstance(created, Create)
    return (replace(created, name="amassed"), *rest)


def sleeping(game: Game, player: str, abilities: tuple[Ability, ...]) -> Game:
    """The abilities of an emblem do not function in the command zone."""
    return instructions.emblem(game, player, ())


def loses_anyway(game: Game, player: str) -> bool:
    """Nothing keeps a player from losing."""
    return True


def wins_anyway(game: Game, player: str) -> Game:
    """Nothing keeps a player from winning."""
    return happen(game, GameOver(members(game, side_of(game, player))))


def ignores_shields(game: Game, event: GameEvent) -> bool:
    """A shield counter does nothing."""
    return False


def only_when_moved(before: Game, after: Game) -> tuple[AttachmentBegan, ...]:
    """What enters attached does not become attached."""
    there = before.board.things
    found: Sequence[AttachmentBegan] = triggers.attachings(before, after)
    return tuple(one for one in found if one.id in there and there[one.id].zone == "battlefield")


ACTION_MUTANTS: tuple[Mutant, ...] = (
    mutant("explores-and-grows", "701.44a", "Grows by lands found exploring.", explored=always_grown),
    mutant("connives-for-lands", "701.50a", "Grows by discarded lands, too.", connived=grown_by_lands),
    mutant("an-army-each", "701.47a", "Creates an Army each time.", amassing=anew),
    mutant("sleeping-emblems", "114.4", "Ignores the abilities of emblems.", emblem=sleeping),
    mutant("loses-anyway", "101.2", "Lets players lose who can't.", can_lose=loses_anyway),
    mutant("wins-anyway", "101.2", "Lets players win who can't.", won=wins_anyway),
    mutant("not-shielded", "122.1c", "Ignores shield counters.", shielded_by_counter=ignores_shields),
    mutant(
        "attached-by-moving-only",
        "701.3a",
        "Overlooks what enters attached.",
        attachings=only_when_moved,
    ),
)

"""Ways to get Classes wrong."""

from __future__ import annotations

from msgspec.structs import replace

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import timing
from reference_engine.game.game import Game
from reference_engine.language.cards import Activated, SetLevel
from reference_engine.language.characteristics import HeldAbility


def is_level_bar(held: HeldAbility) -> bool:
    """Whether this is the activated ability of a level bar."""
    ability = held.ability
    return isinstance(ability, Activated) and any(isinstance(one, SetLevel) for one in ability.effect)


def any_level(game: Game, player: str, id: str, held: HeldAbility) -> None:
    """A Class gains any level at once."""
    if is_level_bar(held):
        assert isinstance(held.ability, Activated)
        held = replace(held, ability=replace(held.ability, cond=None))
    timing.may_activate(game, player, id, held)


def level_at_any_time(game: Game, player: str, id: str, held: HeldAbility) -> None:
    """A Class gains a level whenever its controller has priority."""
    if is_level_bar(held):
        assert isinstance(held.ability, Activated)
        held = replace(held, ability=replace(held.ability, sorcery=False))
    timing.may_activate(game, player, id, held)


CLASS_MUTANTS: tuple[Mutant, ...] = (
    mutant("class-levels-skipped", "716.2a", "Lets a Class gain any level at once.", may_activate=any_level),
    mutant(
        "class-levels-in-response",
        "716.2a",
        "Lets a Class gain a level as an instant.",
        may_activate=level_at_any_time,
    ),
)

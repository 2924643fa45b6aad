"""Ways to get state-based actions wrong."""

from __future__ import annotations

from typing import Any

import msgspec

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import priority, state_based
from reference_engine.game.events import GameEvent
from reference_engine.game.game import Game


def one_at_a_time(game: Game) -> tuple[Game, tuple[GameEvent, ...]]:
    """State-based actions are performed one by one."""
    game, events = state_based.state_based_actions(game)
    return game, events[:1]


def shields_melt(game: Game) -> tuple[Game, bool]:
    """Regeneration shields are gone as soon as state-based actions are checked."""
    memory = {id: msgspec.structs.replace(known, shields=0) for id, known in game.memory.items()}
    return priority.check_state(msgspec.structs.replace(game, memory=memory))


def without_check(check: Any) -> tuple[Any, ...]:
    """The checks, leaving one out."""
    return tuple(other for other in state_based.STATE_BASED_CHECKS if other is not check)


STATE_BASED: tuple[Mutant, ...] = (
    mutant(
        "checks-one-by-one",
        "704.3",
        "Performs state-based actions one by one.",
        state_based_actions=one_at_a_time,
    ),
    mutant(
        "toughness-ignored",
        "704.5f",
        "Leaves creatures with no toughness on the battlefield.",
        state_based_checks=without_check(state_based.creatures_without_toughness),
    ),
    mutant(
        "damage-ignored",
        "704.5g",
        "Leaves creatures with lethal damage on the battlefield.",
        state_based_checks=without_check(state_based.creatures_with_lethal_damage),
    ),
    mutant(
        "deathtouch-ignored",
        "704.5h",
        "Forgets deathtouch.",
        state_based_checks=without_check(state_based.creatures_touched_by_death),
    ),
    mutant(
        "attachments-ignored",
        "704.5m",
        "Leaves Auras and Equipment where they may not be.",
        state_based_checks=without_check(state_based.attachments),
    ),
    mutant(
        "tokens-stay",
        "704.5d",
        "Leaves tokens in hands and graveyards.",
        state_based_checks=without_check(state_based.misplaced_tokens_and_copies),
    ),
    mutant(
        "life-ignored",
        "704.5a",
        "Lets players without life play on.",
        state_based_checks=without_check(state_based.players_without_life),
    ),
    mutant(
        "counters-stay",
        "704.5q",
        "Lets +1/+1 and -1/-1 counters lie side by side.",
        state_based_checks=without_check(state_based.annihilating_counters),
    ),
    mutant(
        "loyalty-ignored",
        "704.5i",
        "Leaves planeswalkers without loyalty on the battlefield.",
        state_based_checks=without_check(state_based.planeswalkers_without_loyalty),
    ),
    mutant(
        "no-legend-rule", "704.5j", "Forgets the legend rule.", uniqueness_rules=(state_based.world_rule,)
    ),
    mutant("no-world-rule", "704.5k", "Forgets the world rule.", uniqueness_rules=(state_based.legend_rule,)),
    mutant(
        "shields-melt",
        "701.19a",
        "Loses regeneration shields whenever it looks for state-based actions.",
        check_state=shields_melt,
    ),
)

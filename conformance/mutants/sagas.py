"""Ways to get Sagas wrong."""

from __future__ import annotations

from typing import Any

from conformance.mutants.mutant import Mutant, mutant
from conformance.mutants.state_based import without_check
from reference_engine.game import sagas, triggers
from reference_engine.game.events import CountersChanged
from reference_engine.game.game import Game, WaitingTrigger, battlefield
from reference_engine.game.happening import happen
from reference_engine.language.cards import Chapter
from reference_engine.language.characteristics import ENTERS_WITH_LORE, Characteristics, HeldAbility


def without_lore(look: Characteristics) -> tuple[HeldAbility, ...]:
    """A Saga enters without a lore counter."""
    return tuple(held for held in sagas.entry_abilities(look) if held != ENTERS_WITH_LORE)


def every_saga_goes_on(game: Game) -> Game:
    """Everybody's Sagas get a lore counter in each player's turn."""
    seen = game.seen
    there = [
        thing.id
        for thing in battlefield(game)
        if seen.look(thing.id).has_subtype("Saga") and game.rules.uses_lore_counters(seen.look(thing.id))
    ]
    return happen(game, *(CountersChanged(id, "lore", 1) for id in there)) if there else game


def only_the_last_chapter_reached(
    before: Game, after: Game, game: Game, event: Any, id: str, held: HeldAbility, when: Any
) -> WaitingTrigger | None:
    """A chapter triggers only if there are exactly as many lore counters."""
    if isinstance(when, Chapter) and after.board.things[id].count("lore") != when.n:
        return None
    return triggers.triggering(before, after, game, event, id, held, when)


SAGAS: tuple[Mutant, ...] = (
    mutant(
        "saga-without-first-lore",
        "714.3a",
        "Puts no lore counter on a Saga that enters.",
        entry_abilities=without_lore,
    ),
    mutant(
        "saga-lore-by-rule",
        "714.3a",
        "Puts a lore counter on every Saga that enters, also on one that loses its abilities.",
        entry_abilities=sagas.entry_abilities_until_2026,
    ),
    mutant(
        "saga-told-once",
        "714.3c",
        "Adds no lore counters as the main phase begins.",
        lore_counters_added=lambda game: game,
    ),
    mutant(
        "saga-told-each-turn",
        "714.3c",
        "Adds lore counters to everybody's Sagas in each player's turn.",
        lore_counters_added=every_saga_goes_on,
    ),
    mutant(
        "saga-chapters-skipped",
        "714.2b",
        "Triggers only the chapter with exactly as many lore counters, where several were put on at once.",
        triggering=only_the_last_chapter_reached,
    ),
    mutant(
        "saga-stays",
        "714.4",
        "Leaves a Saga on the battlefield after its last chapter.",
        state_based_checks=without_check(sagas.finished_sagas),
    ),
    mutant(
        "saga-ends-at-once",
        "714.4",
        "Sacrifices a Saga while its last chapter is on the stack.",
        has_pending_chapter=lambda game, id: False,
    ),
    mutant(
        "saga-ends-without-chapters",
        "714.4",
        "Advances and sacrifices a Saga that has lost its chapters.",
        uses_lore_counters=sagas.uses_lore_counters_until_2025,
    ),
)

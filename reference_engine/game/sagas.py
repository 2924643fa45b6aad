"""Sagas: lore counters, and the end of a Saga whose last chapter is over (CR 714).

Chapter abilities are triggered abilities like others; `triggers` decides when they trigger.
"""

from __future__ import annotations

from reference_engine.game.events import CountersChanged, GameEvent, Moved
from reference_engine.game.game import Game, battlefield, controller_of, is_active
from reference_engine.game.happening import happen
from reference_engine.language.cards import AsEnters, Chapter
from reference_engine.language.characteristics import (
    ENTERS_WITH_LORE,
    Characteristics,
    HeldAbility,
    chapters,
    final_chapter,
)
from reference_engine.language.keywords import abilities_of


def entry_abilities(look: Characteristics) -> tuple[HeldAbility, ...]:
    """The abilities of an entering permanent that say how it enters.

    CR 714.3a, 306.5b: the lore counter comes from an ability of Sagas, and loyalty from one of planeswalkers,
    so what enters without abilities, or as nothing of that type, has none.
    """
    types = {"saga": look.has_subtype("Saga"), "planeswalker": look.is_a("Planeswalker")}
    return tuple(
        held
        for held in abilities_of(look)
        if isinstance(held.ability, AsEnters) and types.get(str(held.slot[0]), True)
    )


def entry_abilities_until_2026(look: Characteristics) -> tuple[HeldAbility, ...]:
    """CR 714.3a: (until 2026-04) a rule gave a Saga its first lore counter, even without abilities."""
    found = entry_abilities(look)
    by_rule = look.has_subtype("Saga") and ENTERS_WITH_LORE not in found
    return (*found, ENTERS_WITH_LORE) if by_rule else found


def lore_counters_added(game: Game) -> Game:
    """The game after the active side has put a lore counter on each of its Sagas with a chapter ability.

    CR 505.4, 714.3c: as the precombat main phase begins, without using the stack.
    """
    seen = game.seen
    rule = "CR 714.3c: as its controller's precombat main phase begins"
    events = tuple(
        CountersChanged(thing.id, "lore", 1, rule)
        for thing in battlefield(game)
        if seen.look(thing.id).has_subtype("Saga")
        and is_active(game, controller_of(game, thing.id))
        and game.rules.uses_lore_counters(seen.look(thing.id))
    )
    return happen(game, *events) if events else game


def uses_lore_counters(look: Characteristics) -> bool:
    """Whether a Saga gets lore counters and ends: only with a chapter ability (CR 714.3c, 714.4)."""
    return bool(chapters(look))


def uses_lore_counters_until_2025(look: Characteristics) -> bool:
    """CR 714.4: (until 2025-06) the final chapter of a Saga without chapter abilities was 0, and it ended."""
    return True


def finished_sagas(game: Game) -> tuple[GameEvent, ...]:
    """CR 704.5s, 714.4: a Saga that has reached its final chapter is sacrificed, once none of its chapter
    abilities waits or is on the stack.
    """
    seen = game.seen
    rule = "CR 704.5s: its last chapter is over"
    return tuple(
        Moved(thing.id, "battlefield", "graveyard", "sacrificed", rule=rule)
        for thing in battlefield(game)
        if (look := seen.look(thing.id)).has_subtype("Saga")
        and game.rules.uses_lore_counters(look)
        and thing.count("lore") >= final_chapter(look)
        and not game.rules.has_pending_chapter(game, thing.id)
    )


def has_pending_chapter(game: Game, id: str) -> bool:
    """Whether a chapter ability of this Saga has triggered and not yet left the stack (CR 714.4)."""
    source = game.ref(id)
    return any(
        isinstance(waiting.ability.when, Chapter) and waiting.source == source for waiting in game.waiting
    ) or any(
        item.source == source and isinstance(getattr(item.ability, "when", None), Chapter)
        for item in game.stack
    )

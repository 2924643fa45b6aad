"""Ways to get the past events of a turn wrong, and how often abilities trigger because of them."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from conformance.mutants.mutant import Heard, Mutant, hearing, mutant
from reference_engine.game import casting, combat, copying, history, triggers
from reference_engine.game.events import AbilityActivated, GameEvent, Moved, Transformed, TurnedFace
from reference_engine.game.game import Game, Ref, StackItem, WaitingTrigger, battlefield, last_board
from reference_engine.game.happening import happen
from reference_engine.language.cards import (
    Activated,
    Activates,
    Attacks,
    CastEvent,
    DealsDamage,
    Draw,
    GetsCounters,
    IsDealtDamage,
    Nth,
    OneOrMore,
    Operation,
    Transforms,
    Triggered,
    TriggerEvent,
)
from reference_engine.layers.asking import matches
from reference_engine.layers.past import PastEvent


def whole_past(game: Game) -> tuple[PastEvent, ...]:
    """What happened in earlier turns counts as having happened this turn."""
    return game.board.past


def as_it_is_now(before: Game, after: Game, events: tuple[GameEvent, ...]) -> Game:
    """An object that left is remembered as the card that it has become."""
    return history.recorded(after, after, events)


def one_by_one(one: WaitingTrigger, other: WaitingTrigger) -> bool:
    """An ability about one or more objects triggers for each of them."""
    return False


def triggering_with(change: Any) -> Any:
    """`triggering`, with the ability and its trigger condition changed."""

    def changed(heard: Heard) -> Heard:
        ability, when = change(heard.held.ability, heard.when)
        return heard._replace(held=replace(heard.held, ability=ability), when=when)

    return hearing(changed)


def without_limit(ability: Triggered, when: TriggerEvent) -> tuple[Triggered, TriggerEvent]:
    """An ability that triggers only once each turn triggers every time."""
    return replace(ability, triggers_once=False), when


def every_time(ability: Triggered, when: TriggerEvent) -> tuple[Triggered, TriggerEvent]:
    """An ability about the second time triggers every time."""
    return ability, when.event if isinstance(when, Nth) else when


def attacks_anybody(ability: Triggered, when: TriggerEvent) -> tuple[Triggered, TriggerEvent]:
    """An ability about attacking a player triggers on attacking anybody."""
    return ability, replace(when, whom=None) if isinstance(when, Attacks) else when


def aimed_anywhere(ability: Triggered, when: TriggerEvent) -> tuple[Triggered, TriggerEvent]:
    """An ability about spells with certain targets triggers on all spells."""
    return ability, replace(when, aimed_at=None) if isinstance(when, CastEvent) else when


def never_cycled(item: StackItem) -> bool:
    """No card is ever cycled, only discarded."""
    return False


def only_cycling_itself(item: StackItem) -> bool:
    """Typecycling is not cycling."""
    draws = isinstance(item.ability, Activated) and Draw(1) in item.ability.effect
    return draws and casting.is_cycling(item)


def in_any_combat(ability: Triggered, when: TriggerEvent) -> tuple[Triggered, TriggerEvent]:
    """An ability about being dealt combat damage triggers on all damage."""
    return ability, replace(when, combat=False) if isinstance(when, IsDealtDamage) else when


def source_by_source(one: WaitingTrigger, other: WaitingTrigger) -> bool:
    """An ability about being dealt damage triggers for each source."""
    return not isinstance(one.ability.when, IsDealtDamage) and triggers.one_event(one, other)


def recipient_by_recipient(one: WaitingTrigger, other: WaitingTrigger) -> bool:
    """An ability about dealing damage triggers for each recipient."""
    return not isinstance(one.ability.when, DealsDamage) and triggers.one_event(one, other)


def all_creatures_at_once(one: WaitingTrigger, other: WaitingTrigger) -> bool:
    """An ability about counters triggers once, however many creatures they are put on."""
    if isinstance(one.ability.when, GetsCounters):
        one = replace(one, it=other.it)
    return triggers.one_event(one, other)


def deaf_to_entering_counters(heard: Heard) -> Heard | None:
    """Counters that a permanent enters with are not put on it."""
    put = heard.when.event if isinstance(heard.when, OneOrMore) else heard.when
    return None if isinstance(put, GetsCounters) and isinstance(heard.event, Moved) else heard


def mana_abilities_too(heard: Heard) -> Heard:
    """An ability about abilities that aren't mana abilities is about mana abilities, too."""
    when = heard.when
    return heard._replace(when=replace(when, but=frozenset())) if isinstance(when, Activates) else heard


def sacrificed_is_nothing(heard: Heard) -> Heard | None:
    """What has left to pay for its ability is no creature, nor anything else."""
    when, event = heard.when, heard.event
    if not isinstance(when, Activates) or when.of is None or not isinstance(event, AbilityActivated):
        return heard
    return heard if event.source.id in {thing.id for thing in battlefield(heard.after)} else None


def activated_by_its_controller(heard: Heard) -> Heard:
    """An ability is activated by the player who controls its source."""
    event = heard.event
    if not isinstance(event, AbilityActivated):
        return heard
    source = last_board(heard.after, event.source).things[event.source.id]
    return heard._replace(event=replace(event, by=source.controller or source.owner))


def copies_are_activated(
    game: Game, item: StackItem, controller: str, but: tuple[Operation, ...] = ()
) -> tuple[Game, StackItem]:
    """To copy an ability is to activate it."""
    game, copy = copying.copied(game, item, controller, but)
    if copy.kind != "activated":
        return game, copy
    activated = AbilityActivated(
        copy.source.id, copy.name, controller, "{0}", Ref(copy.id, copy.born), copy.source
    )
    return happen(game, activated), copy


def asked_before_it_transforms(heard: Heard) -> Heard | None:
    """What something transforms into is asked of the face that was up."""
    when, event = heard.when, heard.event
    if not isinstance(when, Transforms) or when.into is None or not isinstance(event, Transformed):
        return heard
    if not matches(when.into, event.id, heard.before.seen.asking(heard.id)):
        return None
    return heard._replace(when=replace(when, into=None))


def transforming_is_turning_up(before: Game, after: Game, events: tuple[GameEvent, ...]) -> Game:
    """What transforms is turned face up."""
    more = tuple(TurnedFace(event.id, up=True) for event in events if isinstance(event, Transformed))
    return triggers.triggered(before, after, events + more)


def blocked_or_not(game: Game, free: tuple[str, ...]) -> Game:
    """Blocked attackers count as unblocked for abilities."""
    return combat.unblocked_noticed(
        game, tuple(thing.id for thing in battlefield(game) if thing.attacking is not None)
    )


HISTORY_MUTANTS: tuple[Mutant, ...] = (
    mutant(
        "history-of-all-turns",
        "608.2i",
        "Counts what happened in earlier turns as having happened this turn.",
        kept_of_the_past=whole_past,
    ),
    mutant(
        "history-looks-at-the-card",
        "608.2i",
        "Remembers what left the battlefield as the card that it has become.",
        recorded=as_it_is_now,
    ),
    mutant(
        "batches-one-by-one",
        "603.2c",
        "Triggers an ability about one or more objects once for each of them.",
        one_event=one_by_one,
    ),
    mutant(
        "damaged-by-each-source",
        "603.2c",
        "Triggers an ability about being dealt damage for each source of simultaneous damage.",
        one_event=source_by_source,
    ),
    mutant(
        "damages-each",
        "700.1",
        "Triggers an ability about dealing damage for each recipient of simultaneous damage.",
        one_event=recipient_by_recipient,
    ),
    mutant(
        "all-damage-is-combat-damage",
        "603.2",
        "Triggers an ability about being dealt combat damage on all damage.",
        triggering=triggering_with(in_any_combat),
    ),
    mutant(
        "unblocked-though-blocked",
        "509.3g",
        "Triggers an ability about attacking and not being blocked for blocked creatures, too.",
        unblocked_noticed=blocked_or_not,
    ),
    mutant(
        "aimed-anywhere",
        "115.9b",
        "Triggers an ability about spells with certain targets on every spell.",
        triggering=triggering_with(aimed_anywhere),
    ),
    mutant("never-cycled", "702.29c", "Never notices that a card is cycled.", is_cycling=never_cycled),
    mutant(
        "typecycling-apart",
        "702.29f",
        "Does not count typecycling as cycling.",
        is_cycling=only_cycling_itself,
    ),
    mutant(
        "counters-on-all-at-once",
        "603.2c",
        "Triggers an ability about counters once, however many creatures they are put on.",
        one_event=all_creatures_at_once,
    ),
    mutant(
        "enters-without-being-given",
        "122.6",
        "Does not count the counters that a permanent enters with as put on it.",
        triggering=hearing(deaf_to_entering_counters),
    ),
    mutant(
        "mana-abilities-heard",
        "605.1a",
        "Triggers an ability about abilities that aren't mana abilities on mana abilities, too.",
        triggering=hearing(mana_abilities_too),
    ),
    mutant(
        "sacrificed-sources-unheard",
        "113.7a",
        "Does not see what a permanent was that has been sacrificed to pay for its ability.",
        triggering=hearing(sacrificed_is_nothing),
    ),
    mutant(
        "activated-by-its-controller",
        "113.8",
        "Takes the player who controls the source of an ability for the one who activated it.",
        triggering=hearing(activated_by_its_controller),
    ),
    mutant(
        "copied-abilities-heard",
        "707.10",
        "Triggers abilities about abilities being activated on copies of abilities.",
        copied=copies_are_activated,
    ),
    mutant(
        "transforms-from",
        "701.27e",
        "Asks what something was before it transformed, where an ability is about what it transforms into.",
        triggering=hearing(asked_before_it_transforms),
    ),
    mutant(
        "transforming-turns-up",
        "701.27b",
        "Triggers abilities about being turned face up on what transforms.",
        triggered=transforming_is_turning_up,
    ),
    mutant(
        "once-each-turn-ignored",
        "603.1",
        "Triggers an ability every time that is to trigger only once each turn.",
        triggering=triggering_with(without_limit),
    ),
    mutant(
        "second-is-every",
        "603.2",
        "Triggers an ability about the second time each turn every time.",
        triggering=triggering_with(every_time),
    ),
    mutant(
        "attacks-anybody",
        "603.2",
        "Triggers an ability about attacking a player whoever is attacked.",
        triggering=triggering_with(attacks_anybody),
    ),
)

"""Triggered abilities: when they trigger (CR 603). `stacking` puts them onto the stack.

`occurrences` decides which events meet a trigger condition.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.events import (
    AbilityActivated,
    AbilityTriggered,
    AttackDeclared,
    BecameBlocked,
    BecameMonarch,
    BecameTarget,
    BecameUnblocked,
    BlockDeclared,
    ControlChanged,
    CountersChanged,
    Cycled,
    Damaged,
    DaytimeChanged,
    DidNotTrigger,
    DoorTurned,
    GameEvent,
    LandPlayed,
    LifeChanged,
    ManaTapped,
    Moved,
    PlayerLost,
    SpellCast,
    StepBegan,
    Tapped,
    Transformed,
    TurnedFace,
    Untapped,
)
from reference_engine.game.game import (
    DelayedTrigger,
    Game,
    Question,
    Ref,
    StackItem,
    WaitingTrigger,
    battlefield,
    controller_of,
    is_in_game,
    members,
    side_of,
    with_use,
)
from reference_engine.game.happening import with_event
from reference_engine.game.history import left_with_player
from reference_engine.game.occurrences import (
    AttachmentBegan,
    AttachmentEnded,
    LeftWithPlayer,
    NthOfSeveral,
    Occurrence,
    Occurring,
    counters_put,
    occurrence_of,
    ref_across_move,
)
from reference_engine.game.questions import take_answer
from reference_engine.game.recall import asking_about, ref_after_move
from reference_engine.game.rule_effects import on_rules
from reference_engine.language import cards
from reference_engine.language.cards import Ability, State, Triggered, TriggersAgain
from reference_engine.language.characteristics import (
    Characteristics,
    HeldAbility,
    printed_characteristics,
    references_in,
    with_unlocked,
)
from reference_engine.language.keywords import abilities_of
from reference_engine.language.words import Zone
from reference_engine.layers.asking import holds, selection
from reference_engine.layers.board import Thing

_Referring = TypeVar("_Referring", StackItem, WaitingTrigger, DelayedTrigger)

WAITS_FOR: dict[type, tuple[type, ...]] = {
    Moved: (
        cards.Enters,
        cards.Leaves,
        cards.Dies,
        cards.Draws,
        cards.Discards,
        cards.PutIntoGraveyard,
        cards.LeavesGraveyard,
        cards.IsCountered,
        cards.Chapter,
        cards.Sacrifices,
        cards.UnlocksThisDoor,
        cards.GetsCounters,
    ),
    DoorTurned: (cards.UnlocksThisDoor, cards.FullyUnlocks),
    CountersChanged: (cards.Chapter, cards.GetsCounters),
    AttachmentBegan: (cards.BecomesAttached,),
    AttachmentEnded: (cards.BecomesUnattached,),
    LeftWithPlayer: (cards.Leaves,),
    PlayerLost: (cards.LosesGame,),
    BecameMonarch: (cards.BecomesMonarch,),
    DaytimeChanged: (cards.DaytimeChanges,),
    ControlChanged: (cards.LosesControl,),
    Tapped: (cards.BecomesTapped,),
    Untapped: (cards.BecomesUntapped,),
    ManaTapped: (cards.TappedForMana,),
    Cycled: (cards.Cycles,),
    BecameTarget: (cards.BecomesTarget,),
    TurnedFace: (cards.TurnedFaceUp,),
    Transformed: (cards.Transforms,),
    Damaged: (cards.DealsDamage, cards.IsDealtDamage),
    SpellCast: (cards.CastEvent, cards.Plays),
    AbilityActivated: (cards.Activates,),
    LandPlayed: (cards.Plays,),
    LifeChanged: (cards.GainsLife, cards.LosesLife),
    StepBegan: (cards.Beginning,),
    AttackDeclared: (cards.Attacks,),
    BlockDeclared: (cards.Blocks, cards.BecomesBlocked),
    BecameBlocked: (cards.BecomesBlocked,),
    BecameUnblocked: (cards.AttacksUnblocked,),
}
"""The trigger conditions that each kind of event can meet."""

LOOKS_BACK = (
    cards.Leaves,
    cards.Dies,
    cards.LeavesGraveyard,
    cards.LosesControl,
    cards.BecomesUnattached,
    cards.IsCountered,
    cards.LosesGame,
    cards.Sacrifices,
)
"""Trigger conditions that look back to just before the event: leaving the battlefield or a graveyard, or
being sacrificed (CR 603.10a), becoming unattached (CR 603.10c), losing control (CR 603.10d), being countered
(CR 603.10e), losing the game (CR 603.10f).
"""


def triggered(before: Game, after: Game, events: tuple[GameEvent, ...]) -> Game:
    """The game with the abilities waiting that these simultaneous events trigger.

    CR 603.2: an ability triggers when an event matches. CR 603.2c: once for each occurrence in the event.
    No card of this game triggers on most events; those are not checked.
    """
    mentioned = after.mentions
    concerns = awaited_kinds(mentioned)
    if not concerns and State not in mentioned:
        return after
    occurring: list[Occurring] = list(events)
    attached, unattached = cards.BecomesAttached in mentioned, cards.BecomesUnattached in mentioned
    # What a change of control is due to has been looked at by itself.
    if (attached or unattached) and ControlChanged not in map(type, events):
        occurring += after.rules.attachings(before, after) if attached else ()
        occurring += unattachings(before, after) if unattached else ()
    if cards.Leaves in mentioned:
        occurring += leavings_with_player(before, after, events)
    heard = [event for event in occurring if type(event) in concerns]
    found: list[WaitingTrigger] = []
    if heard:
        after, found = triggered_by_each(before, after, heard)
        found += after.rules.monarch_triggers(before, after, heard)
        after = lost_noted(before, after, heard)
        after = delayed_triggered(before, after, heard, found)
        # CR 800.4a: abilities of a player who has left the game are not put on the stack.
        found = [waiting for waiting in found if is_in_game(after, waiting.controller)]
    if State in mentioned:
        found += state_triggers(after, found)
    return with_waiting(after, found) if found else after


class TriggerCause(Struct, frozen=True):
    """An ability with the simultaneous events that are one occurrence for it."""

    waiting: WaitingTrigger
    when: cards.TriggerEvent
    events: tuple[Occurring, ...]


def triggered_by_each(before: Game, after: Game, heard: list[Occurring]) -> tuple[Game, list[WaitingTrigger]]:
    """The abilities that these events trigger, each as often as it does."""
    now, then = list(listeners(after)), list(listeners(before)) if any(map(looked_back_at, heard)) else []
    causes: list[TriggerCause] = []
    for event in heard:
        met: set[tuple[str, tuple[str | int, ...]]] = set()
        for when, id, held in listeners_for(event, now, then):
            if (id, held.slot) in met:
                continue  # CR 603.2c: one event triggers it once, even if it meets several of its conditions
            game = before if looks_back(when) else after
            waiting = after.rules.triggering(before, after, game, event, id, held, when)
            if waiting is not None:
                met.add((id, held.slot))
                waiting = replace(waiting, looks_back=looks_back(when))
                add_cause(after, causes, TriggerCause(waiting, when, (event,)))
            elif unmet_condition(before, after, game, event, id, held, when):
                after = with_event(after, did_not_trigger(held.ability, id))
    found: list[WaitingTrigger] = []
    for one in causes:
        waiting, id = one.waiting, one.waiting.source.id
        if not after.rules.condition_holds(after, waiting):
            after = with_event(after, did_not_trigger(waiting.ability, id))
        elif waiting.ability.triggers_once:
            same = (source_then(waiting), waiting.slot)
            known = any((source_then(other), other.slot) == same for other in found)
            found += [] if known else [waiting]
        else:
            several = after.rules.for_each_player_of_the_team(after, waiting, one.when) * times_it_occurs(one)
            found += several * after.rules.times_triggered(before, after, one.events, id)
    return after, found


def add_cause(game: Game, causes: list[TriggerCause], new: TriggerCause) -> None:
    """Add a cause, or join it to the one with which it is one event."""
    if may_be_one(new.when):
        for place, one in enumerate(causes):
            if one.when == new.when and game.rules.one_event(one.waiting, new.waiting):
                both = joined(one.waiting, new.waiting)
                causes[place] = TriggerCause(both, one.when, one.events + new.events)
                return
    causes.append(new)


def times_it_occurs(cause: TriggerCause) -> int:
    """How often an event occurs for an ability (CR 603.2c: an ability about a counter triggers for each)."""
    if isinstance(cause.when, cards.GetsCounters) and cause.when.each:
        return sum(counters_put(cause.when, event) for event in cause.events)
    return 1


def did_not_trigger(ability: Ability, id: str) -> DidNotTrigger:
    """What the account says of an ability whose "if" was not true."""
    assert isinstance(ability, Triggered)
    return DidNotTrigger(name_of_trigger(ability), id)


def may_be_one(when: cards.TriggerEvent) -> bool:
    """Whether several simultaneous events can be one occurrence for such a trigger condition.

    CR 700.1: its words decide what is one event. To deal damage is one, and to deal it to something is one
    for each recipient.
    """
    if isinstance(when, cards.DealsDamage):
        return when.to is None
    if isinstance(when, cards.GetsCounters):
        return not when.each
    return isinstance(when, cards.OneOrMore | cards.IsDealtDamage)


def one_event(one: WaitingTrigger, other: WaitingTrigger) -> bool:
    """Whether an ability counts two simultaneous occurrences as one.

    CR 603.2c: one about "one or more" triggers once, however many there are; but once for each player to whom
    it happens. One about being dealt damage triggers once for each object or player that is dealt damage,
    however many sources deal it, and one about dealing damage once for each source, whatever it damages.
    """
    return (source_then(one), one.slot, one.ability, one.it, but_for_those(one)) == (
        source_then(other),
        other.slot,
        other.ability,
        other.it,
        but_for_those(other),
    )


def source_then(waiting: WaitingTrigger) -> Ref:
    """The object whose ability triggered, whether or not the ability finds it where it went."""
    return Ref(waiting.source.id, waiting.source.born)


def but_for_those(waiting: WaitingTrigger) -> tuple[tuple[str, tuple[Ref, ...]], ...]:
    """The names of an occurrence, without the objects that "one or more" is about."""
    return tuple(name for name in waiting.names if name[0] != "those")


def joined(one: WaitingTrigger, other: WaitingTrigger) -> WaitingTrigger:
    """Both occurrences as one: `those` are the objects of both, and the amounts are added."""
    both = tuple(ref for waiting in (one, other) for ref in dict(waiting.names).get("those", ()))
    those = tuple(dict.fromkeys(both))
    names = tuple((word, those if word == "those" else refs) for word, refs in one.names)
    source = one.source if one.source.then is not None else other.source
    return replace(one, source=source, names=names, that_much=one.that_much + other.that_much)


@functools.lru_cache(maxsize=1024)
def awaited_kinds(mentioned: frozenset[type]) -> frozenset[type]:
    """The kinds of events that any of the mentioned trigger conditions waits for."""
    return frozenset(kind for kind, waiting in WAITS_FOR.items() if not mentioned.isdisjoint(waiting))


def unmet_condition(
    before: Game,
    after: Game,
    game: Game,
    event: Occurring,
    id: str,
    held: HeldAbility,
    when: cards.TriggerEvent,
) -> bool:
    """Whether an ability would have triggered but for its intervening "if" (CR 603.4: checked at once)."""
    if not isinstance(held.ability, Triggered) or held.ability.cond is None:
        return False
    without = replace(held, ability=replace(held.ability, cond=None))
    return after.rules.triggering(before, after, game, event, id, without, when) is not None


def lost_noted(before: Game, after: Game, events: list[Occurring]) -> Game:
    """Note for the account which abilities of objects that entered or left would have triggered, had the
    objects not lost them.
    """
    for event in events:
        if not isinstance(event, Moved) or "battlefield" not in (event.origin, event.to):
            continue
        enters = event.to == "battlefield"
        game = after if enters else before
        look, thing = game.look(event.id), game.board.things[event.id]
        own = printed_characteristics(thing.face, look.controller)
        own = with_unlocked(own, thing.unlocked)
        if own.text != look.text or (own.abilities == look.abilities and own.keywords == look.keywords):
            continue
        there = {held.slot for held in abilities_of(look)}
        for held in abilities_of(own):
            if held.slot not in there and would_trigger(before, after, event, held, enters):
                assert isinstance(held.ability, Triggered)
                name = name_of_trigger(held.ability)
                unheard = DidNotTrigger(
                    name, event.id, "lost as it entered" if enters else "lost before it left"
                )
                after = with_event(after, unheard)
    return after


def would_trigger(before: Game, after: Game, event: Moved, held: HeldAbility, enters: bool) -> bool:
    """Whether an ability would trigger as its object enters or leaves, if the object had it."""
    if not isinstance(held.ability, Triggered):
        return False
    game = after if enters else before
    return any(
        isinstance(core(when), WAITS_FOR[Moved])
        and looks_back(when) != enters
        and functions_in(held.ability, when, "battlefield")
        and after.rules.triggering(before, after, game, event, event.id, held, when) is not None
        for when in conditions(held.ability.when)
    )


def looked_back_at(event: Occurring) -> bool:
    """Whether an event may trigger abilities that look back."""
    match event:
        case Moved(origin=origin, how=how):
            return origin in ("battlefield", "graveyard") or how == "countered"
        case ControlChanged() | AttachmentEnded() | LeftWithPlayer() | PlayerLost():
            return True
        case _:
            return False


def attachings(before: Game, after: Game) -> tuple[AttachmentBegan, ...]:
    """Everything that became attached to a permanent or player.

    CR 701.3a: by being attached, or by entering attached. CR 701.3b: not to what it was attached to already.
    CR 702.26d: nor by phasing in.
    """
    phased_out = {one.thing.id for one in before.board.phased_out}
    return tuple(
        AttachmentBegan(thing.id, thing.attached_to)
        for thing in battlefield(after)
        if thing.attached_to is not None
        and thing.id not in phased_out
        and not (
            before.born(thing.id) == thing.born
            and before.board.things[thing.id].attached_to == thing.attached_to
        )
    )


def leavings_with_player(
    before: Game, after: Game, events: tuple[GameEvent, ...]
) -> tuple[LeftWithPlayer, ...]:
    """Every permanent that left the battlefield because a player left the game.

    CR 603.6c: its owner, with whom it left the game; what is phased out does not count. CR 800.4a: or the
    player who still controlled it, so that it was exiled.
    """
    return tuple(map(LeftWithPlayer, left_with_player(before, after, events)))


def unattachings(before: Game, after: Game) -> tuple[AttachmentEnded, ...]:
    """Everything that stopped being attached to a permanent.

    CR 701.3d: by being moved or unattached, by leaving the battlefield, or because the permanent left it.
    CR 702.26d: not by phasing out.
    """
    phased_out = {one.thing.id for one in after.board.phased_out}
    return tuple(
        AttachmentEnded(thing.id, thing.attached_to)
        for thing in battlefield(before)
        if thing.attached_to is not None
        and thing.id not in phased_out
        and thing.attached_to in before.board.things
        and not (
            after.born(thing.id) == thing.born
            and after.board.things[thing.id].attached_to == thing.attached_to
        )
    )


Listener = tuple[cards.TriggerEvent, str, HeldAbility]


def listeners(game: Game) -> Iterator[Listener]:
    """The triggered abilities that function now, each with its source and trigger condition."""
    things = game.board.things
    for (look, status), ids in game.seen.view.groups.items():
        for when, held in heard_in(look, status.zone) if look.abilities or look.keywords else ():
            for id in sorted(ids, key=lambda id: things[id].timestamp) if len(ids) > 1 else ids:
                yield when, id, held


@functools.lru_cache(maxsize=4096)
def heard_in(look: Characteristics, zone: Zone) -> tuple[tuple[cards.TriggerEvent, HeldAbility], ...]:
    """The trigger conditions that function for an object with this look in this zone, with their
    abilities.
    """
    return tuple(
        (when, held)
        for held in abilities_of(look)
        if isinstance(held.ability, Triggered)
        for when in conditions(held.ability.when)
        if functions_in(held.ability, when, zone)
    )


def conditions(when: cards.TriggerEvent) -> tuple[cards.TriggerEvent, ...]:
    """The trigger conditions of an ability, which may have several: any of them triggers it (CR 603.2)."""
    match when:
        case cards.AnyEvent(events):
            return tuple(one for event in events for one in conditions(event))
        case cards.Nth(n, cards.AnyEvent(events) as among):
            return tuple(NthOfSeveral(n, event, among) for event in events)
        case _:
            return (when,)


def name_of_trigger(ability: Triggered) -> str:
    """The name of a triggered ability: its own, or that of its event."""
    return ability.name or cards.name_of_event(ability.when)


@functools.lru_cache(maxsize=4096)
def core(when: cards.TriggerEvent) -> cards.TriggerEvent:
    """The event itself, without a requirement that it is the second of its kind, or a "one or more"."""
    return when.event if isinstance(when, (cards.Nth, cards.OneOrMore)) else when


@functools.lru_cache(maxsize=4096)
def looks_back(when: cards.TriggerEvent) -> bool:
    """Whether a trigger condition looks back to just before the event (CR 603.10: only these do)."""
    return type(core(when)) in LOOKS_BACK


def functions_in(ability: Triggered, when: cards.TriggerEvent, zone: Zone) -> bool:
    """Whether a trigger condition functions in a zone.

    CR 113.6k: one that can't trigger from the battlefield functions where it can. CR 603.6c: "put into a
    graveyard from anywhere" never looks back, so the card triggers in the graveyard. CR 702.29c:
    "when you cycle this card" triggers wherever the card has gone. CR 603.2f: an object not
    visible to all players triggers nothing; no one here plays with an open hand or library.
    """
    if zone in ("hand", "library"):
        return False
    if isinstance(when, cards.PutIntoGraveyard) and isinstance(when.who, cards.This):
        return zone == "graveyard"
    if isinstance(when, cards.Cycles) and when.what is not None and isinstance(when.what.same_as, cards.This):
        return zone in ("graveyard", "exile")
    return zone in ability.zones


def listeners_for(event: Occurring, now: list[Listener], then: list[Listener]) -> Iterator[Listener]:
    """The abilities that an event may trigger: those present after it, and those that look back and were
    present before.
    """
    kinds = WAITS_FOR[type(event)]
    for when, id, held in now:
        if type(core(when)) in kinds and not looks_back(when):
            yield when, id, held
    for when, id, held in then:
        if type(core(when)) in kinds and looks_back(when):
            yield when, id, held


def triggering(
    before: Game,
    after: Game,
    game: Game,
    event: Occurring,
    id: str,
    held: HeldAbility,
    when: cards.TriggerEvent,
) -> WaitingTrigger | None:
    """The waiting ability, if this event triggers it.

    CR 603.2: it triggers when the event matches its condition. CR 603.3a: its controller is the player who
    controlled its source as it triggered. CR 603.10: conditions that look back are checked in the game before
    the event, passed as `game`. CR 603.2h: an ability whose effect is done only once each turn does not
    trigger again after that. Where several events may be one occurrence, its intervening "if" is asked once
    all of them are known.
    """
    ability = held.ability
    assert isinstance(ability, Triggered)
    seen = game.seen
    you = seen.look(id).controller or game.board.things[id].owner
    asking = seen.asking(id, you)
    occurrence = occurrence_of(when, event, asking, before, after)
    if isinstance(when, cards.UnlocksThisDoor) and not after.rules.is_its_door(held, event):
        return None
    if occurrence is None or not keyword_triggers(after, event, id, held, you):
        return None
    if is_used_up(game, id, held, you):
        return None
    moved, _ = occurrence
    it, names, much = knowledge_of(when, occurrence, event)
    earlier = len(after.spells_cast) - 1 if isinstance(event, SpellCast) else None
    finds = game is before and after.rules.finds_itself(when, moved, id)
    waiting = WaitingTrigger(
        ability=ability,
        name=name_of_trigger(ability),
        controller=you,
        source=ref_across_move(before, after, id) if finds else game.ref(id),
        slot=held.slot,
        it=it,
        names=names,
        # CR 702.40a: storm counts the spells cast before.
        x=earlier if held.slot[:2] == ("keyword", "storm") else x_for_ability(game.board.things[id], event),
        that_much=much,
    )
    return waiting if may_be_one(when) or after.rules.condition_holds(after, waiting) else None


def is_used_up(game: Game, id: str, held: HeldAbility, you: str) -> bool:
    """Whether an ability does not trigger any more this turn: its controller has done what it does only once
    each turn (CR 603.2h), or it triggers only once each turn and has.
    """
    used = game.remembers(id).used
    return (game.turn, once_slot(held.slot, you)) in used or (game.turn, (*held.slot, "triggered")) in used


def keyword_triggers(game: Game, event: Occurring, id: str, held: HeldAbility, you: str) -> bool:
    """Whether an ability may trigger, as far as the keyword that it stands for says more than its event.

    CR 702.30a: echo, if the permanent came under its controller's control lately. CR 702.35a: madness, if the
    first ability of this instance exiled the card. CR 113.2c: offspring, if the cost of this instance was
    paid.
    """
    match held.slot[:3]:
        case "keyword", "echo", _:
            return game.rules.owes_echo(game, id, you)
        case "keyword", "madness", keyword:
            return isinstance(event, Moved) and event.madness == keyword
        case "keyword", "offspring", keyword:
            return keyword in game.board.things[id].was
        case _:
            return True


def knowledge_of(
    when: cards.TriggerEvent, occurrence: Occurrence, event: Occurring
) -> tuple[Ref | None, tuple[tuple[str, tuple[Ref, ...]], ...], int]:
    """What a trigger knows of its event: "it", what is named, and how much. One about "one or more" has
    `those` instead of "it".
    """
    it, names = occurrence
    much = amount_of_event(core(when), event)
    if not isinstance(when, cards.OneOrMore):
        return it, names, much
    return None, (("those", () if it is None else (it,)), *names), much or 1


def condition_holds(game: Game, waiting: WaitingTrigger) -> bool:
    """CR 603.4: whether an intervening "if" is true once the event has occurred, also for an ability that
    looks back. CR 608.2h: it is asked of an object that left as that last was.
    """
    if waiting.ability.cond is None:
        return True
    asking = asking_about(
        game,
        waiting.source,
        waiting.you or waiting.controller,
        waiting.it,
        dict(waiting.names),
        waiting.x,
        that_much=waiting.that_much,
        slot=waiting.slot,
    )
    return holds(waiting.ability.cond, asking)


def x_for_ability(thing: Thing, event: Occurring) -> int | None:
    """The X of a triggered ability: the number chosen for the spell that has it, or for the spell that became
    the permanent, if that has just entered (CR 107.3: for the permanent itself, X is 0).
    """
    entered = isinstance(event, Moved) and event.id == thing.id and event.to == "battlefield"
    return thing.chosen.x if entered or thing.zone == "stack" else None


def finds_itself(when: cards.TriggerEvent, moved: Ref | None, id: str) -> bool:
    """Whether an ability that looks back finds its own object where that went.

    CR 400.7e: if that object's own move triggered it. CR 400.7f: or that of the permanent it was attached to.
    Not if it went together with any other object.
    """
    return (moved is not None and moved.id == id) or waits_for_host(when)


def once_slot(slot: tuple[str | int, ...], player: str) -> tuple[str | int, ...]:
    """The key under which the game remembers that a player has used a "once each turn" ability."""
    return (*slot, "done by", player)


def times_triggered(before: Game, after: Game, events: tuple[Occurring, ...], id: str) -> int:
    """The number of times that an ability of this object triggers on an occurrence.

    CR 603.2d: each effect that makes such events trigger abilities an additional time adds one; delayed
    abilities do not count as the object's. Whether an effect covers the event is checked as for a trigger
    (CR 603.10: looking back).
    """
    times = 1
    for game in (before, after) if TriggersAgain in after.mentions else ():
        for operation, affected, effect in on_rules(game, TriggersAgain):
            asking = game.seen.asking_of(effect)
            times += id in affected and any(
                looks_back(when) == (game is before)
                and occurrence_of(when, event, asking, before, after) is not None
                for when in conditions(operation.on)
                for event in events
            )
    return times


def for_each_player_of_the_team(
    game: Game, waiting: WaitingTrigger, when: cards.TriggerEvent
) -> tuple[WaitingTrigger, ...]:
    """The ability once for each player of the team whose step begins, where that applies.

    CR 805.4d: it applies if the ability is about each player's or each opponent's step and refers to "that
    player".
    """
    there = members(game, game.board.active)
    alone = there == (game.board.active,)
    if alone or not isinstance(when, cards.Beginning) or not speaks_of(waiting.ability, cards.ActivePlayer):
        return (waiting,)
    asking = game.seen.asking(waiting.source.id)
    meant = [player for player in there if player in selection(when.of, asking)]
    return tuple(replace(waiting, names=(("active player", (Ref(player),)),)) for player in meant)


def speaks_of(value: object, word: type[Struct]) -> bool:
    """Whether an ability or a part of one contains this word."""
    return isinstance(value, word) or any(speaks_of(part, word) for part in cards.parts_of(value))


def speaks_now_of(instruction: object, word: type[Struct]) -> bool:
    """Whether an instruction itself contains this word: not one inside it, which is followed later or by
    itself, and no ability that it quotes.
    """
    return isinstance(instruction, word) or any(
        speaks_now_of(part, word)
        for part in cards.parts_of(instruction)
        if not isinstance(part, cards.InstructionKind | cards.AbilityKind)
    )


def amount_of_event(when: cards.TriggerEvent, event: Occurring) -> int:
    """The amount of an event, for abilities that say "that much"."""
    if isinstance(when, cards.GetsCounters):
        return 1 if when.each else counters_put(when, event)
    match event:
        case Damaged():
            return event.n
        case LifeChanged(_, by):
            return abs(by)
        case _:
            return 0


def owes_echo(game: Game, id: str, player: str) -> bool:
    """CR 702.30a: it came under its controller's control since the beginning of that player's last upkeep."""
    return game.remembers(id).since >= game.last_upkeep[side_of(game, player)]


def auras_found(before: Game, after: Game) -> Game:
    """Let abilities about an enchanted permanent that left find their Auras.

    CR 400.7f: if the Aura was put into its owner's graveyard at the same time, or afterwards by a state-based
    action for not being attached to anything.
    """
    if before.waiting:
        waiting = tuple(
            replace(one, source=ref_after_move(before, after, one.source)) if is_about_host(one) else one
            for one in after.waiting
        )
        return replace(after, waiting=waiting)
    return after


def discarded_found(before: Game, after: Game, item: StackItem) -> Game:
    """Let abilities that refer to a discarded card find it where its madness ability has put it.

    CR 400.7k: after that ability has resolved, if the card was not cast and is in a public zone.
    """
    if item.slot[:2] != ("keyword", "madness") or after.board.things[item.source.id].zone == "stack":
        return after

    def followed(one: _Referring) -> _Referring:
        it = None if one.it is None else ref_after_move(before, after, one.it)
        names = tuple(
            (name, tuple(ref_after_move(before, after, ref) for ref in refs)) for name, refs in one.names
        )
        return replace(one, it=it, names=names)

    return replace(
        after,
        stack=tuple(map(followed, after.stack)),
        waiting=tuple(map(followed, after.waiting)),
        delayed=tuple(map(followed, after.delayed)),
    )


def is_about_host(waiting: WaitingTrigger) -> bool:
    """Whether an ability triggered because the permanent that its object was attached to left."""
    return any(map(waits_for_host, conditions(waiting.ability.when)))


def waits_for_host(when: cards.TriggerEvent) -> bool:
    """Whether a trigger condition is about the permanent that its object is attached to leaving."""
    event = core(when)
    return isinstance(event, cards.Leaves | cards.Dies) and isinstance(event.who, cards.Attached)


# ------------------------------------------------------------------------- delayed and state triggers


def delayed_triggered(
    before: Game, after: Game, events: list[Occurring], found: list[WaitingTrigger]
) -> Game:
    """Remove the delayed triggered abilities that trigger now from the game, and add them to those found.

    CR 603.7b: a delayed triggered ability triggers once, unless it has a duration.
    """
    kept: list[DelayedTrigger] = []
    for delayed in after.delayed:
        causes: list[TriggerCause] = []
        for event in events:
            if (cause := after.rules.delayed_triggering(before, after, event, delayed)) is not None:
                add_cause(after, causes, cause)
        met = [one for one in causes if after.rules.condition_holds(after, one.waiting)]
        possible = tuple(one.waiting for one in met for _ in range(times_it_occurs(one)))
        if possible and not delayed.each:
            after, one = after.rules.occurrence_chosen(after, possible)
            found.append(one)
            continue
        found += possible
        kept.append(delayed)
    return after if len(kept) == len(after.delayed) else replace(after, delayed=tuple(kept))


def occurrence_chosen(game: Game, possible: tuple[WaitingTrigger, ...]) -> tuple[Game, WaitingTrigger]:
    """The occurrence that triggers a delayed ability, of several simultaneous ones (CR 603.7b: its controller
    chooses).
    """
    first = possible[0]
    if all(alike(first, other) for other in possible):
        return game, first
    about = tuple(subject_of_trigger(waiting) for waiting in possible)
    question = Question("object", first.controller, (f"{first.name} of {first.source.id}", first.name), about)
    game, answer = take_answer(game, question)
    return game, possible[about.index(str(answer[0]))]


def subject_of_trigger(waiting: WaitingTrigger) -> str:
    """An object or player of the triggering event: only events that concern one come several at a time."""
    named = (ref for _, refs in reversed(waiting.names) for ref in refs)
    return (waiting.it or next(named)).id


def delayed_triggering(
    before: Game, after: Game, event: Occurring, delayed: DelayedTrigger
) -> TriggerCause | None:
    """The waiting delayed triggered ability, if this event triggers it. Its "if" is asked once all events are
    known, of which several may be one occurrence.

    CR 603.7: it waits for a later event. CR 603.7b: only once, unless it has a duration.
    """
    names, you = dict(delayed.names), delayed.you or delayed.controller
    for when in conditions(delayed.when):
        if isinstance(core(when), WAITS_FOR[type(event)]):
            game = before if looks_back(when) else after
            much = delayed.that_much
            asking = asking_about(game, delayed.source, you, delayed.it, names, delayed.x, that_much=much)
            occurrence = occurrence_of(when, event, asking, before, after)
            if occurrence is not None:
                break
    else:
        return None
    it, more, much = knowledge_of(when, occurrence, event)
    ability = Triggered(when=delayed.when, effect=delayed.effect, cond=delayed.cond, name=delayed.name)
    waiting = WaitingTrigger(
        ability=ability,
        name=delayed.name,
        controller=delayed.controller,
        source=delayed.source,
        slot=("delayed",),
        it=delayed.it if it is None else it,
        names=(*delayed.names, *more),
        x=delayed.x,
        that_much=much or delayed.that_much,
        created=delayed.created,
        you=delayed.you,
    )
    return TriggerCause(waiting, when, (event,))


def states_noticed(game: Game) -> Game:
    """The game in which state triggers with a true condition have triggered.

    CR 603.8: as soon as the state is true, even without an event, such as attackers that nobody blocks.
    """
    return with_waiting(game, state_triggers(game, [])) if State in game.mentions else game


def state_triggers(game: Game, found: list[WaitingTrigger]) -> list[WaitingTrigger]:
    """State triggers whose condition is true (CR 603.8: not again until the ability has left the stack)."""
    triggers: list[WaitingTrigger] = []
    for when, id, held in listeners(game):
        if not isinstance(when, State):
            continue
        source, you = game.ref(id), controller_of(game, id)
        pending = any(w.source == source and w.slot == held.slot for w in (*game.waiting, *found, *triggers))
        stacked = any(item.source == source and item.slot == held.slot for item in game.stack)
        if pending or stacked or is_used_up(game, id, held, you):
            continue
        waiting = waiting_for(held, you, source)
        if holds(when.cond, game.seen.asking(id)) and game.rules.condition_holds(game, waiting):
            triggers.append(waiting)
    return triggers


def waiting_for(held: HeldAbility, you: str, source: Ref) -> WaitingTrigger:
    """An ability that has triggered, and knows of no event."""
    assert isinstance(held.ability, Triggered)
    return WaitingTrigger(held.ability, name_of_trigger(held.ability), you, source, held.slot)


def with_waiting(game: Game, found: list[WaitingTrigger]) -> Game:
    """The game with these abilities waiting, and those that trigger on abilities triggering.

    CR 603.3b: what triggers on another ability triggering goes on the stack in a second round.
    """
    listening: list[tuple[cards.AbilityTriggers, str, HeldAbility]] = []
    if cards.AbilityTriggers in game.mentions:
        listening = [(w, id, held) for w, id, held in listeners(game) if isinstance(w, cards.AbilityTriggers)]
    for one in found:
        game = with_one_waiting(game, one)
        game = with_event(game, AbilityTriggered(one.name, one.source.id, one.controller, one.looks_back))
        for when, id, held in listening:
            you = controller_of(game, id)
            if one.source.id not in selection(when.of, game.seen.asking(id)):
                continue
            other = replace(waiting_for(held, you, game.ref(id)), it=one.source, second_round=True)
            if not is_used_up(game, id, held, you) and game.rules.condition_holds(game, other):
                game = with_one_waiting(game, other)
    return game


def with_one_waiting(game: Game, one: WaitingTrigger) -> Game:
    """The game with this ability waiting, and used up if it triggers only once each turn."""
    if one.ability.triggers_once:
        game = with_use(game, one.source, (*one.slot, "triggered"))
    return replace(game, waiting=(*game.waiting, one))


RELATIVE_TO_YOU = (cards.You, cards.Opponents, cards.Others)
"""The words that mean other players if "you" is another one."""


def alike(one: WaitingTrigger, other: WaitingTrigger) -> bool:
    """Whether the order of two abilities makes no difference."""
    return (
        source_then(one) == source_then(other)
        and one.ability == other.ability
        and (one.you == other.you or not any(speaks_of(one.ability.effect, word) for word in RELATIVE_TO_YOU))
        and (one.x == other.x or not speaks_of(one.ability, cards.X))
        and (
            one.source.then == other.source.then
            or "this" not in references_in((one.ability.effect, one.ability.modes))
        )
        and all(
            meaning_of_word(word, one) == meaning_of_word(word, other) for word in references_in(one.ability)
        )
    )


def meaning_of_word(word: str, waiting: WaitingTrigger) -> object:
    """What a word in a triggered ability refers to."""
    if word == "it":
        return waiting.it
    return waiting.that_much if word == "that much" else dict(waiting.names).get(word)

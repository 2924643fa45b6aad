"""`happen`, through which everything that changes a game takes place.

Events given together are simultaneous: replacement effects apply first, then the events take place, then
abilities trigger on them (`triggers`). `game.events` keeps them in order.
"""

from __future__ import annotations

import functools
from typing import Any, TypeGuard

from msgspec.structs import replace

from reference_engine.game.changes import (
    change_counters,
    mark_damage,
    out_of_combat,
    set_attachment,
    turn_permanent,
    with_spell_cast,
    with_thing,
    with_worlds_noted,
    without_card,
)
from reference_engine.game.events import (
    AbilityActivated,
    AttachmentChanged,
    AttackDeclared,
    BecameBlocked,
    BecameMonarch,
    BecameSaddled,
    BecameTarget,
    BecameUnblocked,
    BlockDeclared,
    Ceased,
    Chose,
    ControlChanged,
    CountersChanged,
    Cycled,
    Damaged,
    DamageRemoved,
    DaytimeChanged,
    DoorTurned,
    EffectBegan,
    Ended,
    EventReplaced,
    ForTheAccount,
    GameEvent,
    GameOver,
    LandPlayed,
    LeftCombat,
    LevelChanged,
    LibraryArranged,
    LifeChanged,
    ManaAdded,
    ManaGone,
    ManaTapped,
    Moved,
    NotDestroyed,
    NotRegenerated,
    PhasesIn,
    PhasesOut,
    PlayerLost,
    Prevented,
    Regenerated,
    Saddling,
    Shielded,
    Shuffled,
    SpellCast,
    StepBegan,
    Tapped,
    Transformed,
    TriedToDraw,
    TurnedFace,
    Unsaddled,
    Untapped,
    WouldCreate,
    WouldDraw,
)
from reference_engine.game.game import (
    CONTROL_CHANGES,
    Game,
    NewTimestamp,
    controller_of,
    defender_of,
    seat_of,
    ticked,
    with_memory,
    with_seat,
)
from reference_engine.game.pools import with_mana, without_mana
from reference_engine.language.cards import Card, Static
from reference_engine.language.characteristics import faces_of
from reference_engine.language.keywords import Worlds
from reference_engine.language.words import FaceUp
from reference_engine.layers.board import Thing


def with_event(game: Game, event: ForTheAccount, **changed: Any) -> Game:
    """The game after an event for the account only, which changes and triggers nothing; `changed` replaces
    other fields of the game.
    """
    events = (*game.events, event)
    # Most events change nothing else, and without names to merge a copy takes two thirds of the time.
    return replace(game, events=events, **changed) if changed else replace(game, events=events)


def did_anything(before: Game, after: Game) -> bool:
    """Whether anything has happened since, apart from choices and records that nothing happened."""
    done = after.events[len(before.events) :]
    return not NOTHING_DONE.issuperset(map(type, done))


def drew(before: Game, after: Game) -> bool:
    """Whether a player has drawn a card since (CR 121.4: not from an empty library)."""
    done = after.events[len(before.events) :]
    return any(isinstance(event, Moved) and event.how == "drawn" for event in done)


def took_place(before: Game, after: Game, events: tuple[GameEvent, ...]) -> bool:
    """Whether any of these events, maybe changed by an effect, is among what has happened since (CR 614.6: a
    replaced event never happens).
    """
    if not events:
        return False
    done = after.events[len(before.events) :]
    parts = [lasting_part(event) for event in done]
    return any(
        any(isinstance(other, Moved) and is_still_moved(event, other) for other in done)
        if isinstance(event, Moved)
        else lasting_part(event) in parts
        for event in events
    )


def is_still_moved(would: Moved, done: Moved) -> bool:
    """Whether an object has moved as it would have: to the same zone, or in a way that does not depend on
    where it goes (CR 701.9c, 701.21a, 701.17c).
    """
    elsewhere = would.how in ("discarded", "sacrificed", "milled", "destroyed")
    return would.id == done.id and (would.to == done.to or (elsewhere and done.how != "not destroyed"))


def lasting_part(event: GameEvent) -> object:
    """What effects that change an event leave as it is: not the amount, or to whom."""
    match event:
        case LifeChanged(player, how=how):
            return LifeChanged, player, how
        case Damaged(source):
            return Damaged, source
        case CountersChanged(id, kind):
            return CountersChanged, id, kind
    return type(event), getattr(event, "id", getattr(event, "player", None))


HAPPENING_ONCE = (
    AttachmentChanged,
    BecameSaddled,
    Moved,
    PhasesOut,
    PlayerLost,
    Tapped,
    Transformed,
    TurnedFace,
    Untapped,
)
"""Events that can only happen once to the same object or player at a time."""


def each_once(events: tuple[GameEvent, ...]) -> tuple[GameEvent, ...]:
    """Simultaneous events in which what several players have chosen is destroyed, tapped and so on only
    once.
    """
    found: dict[object, GameEvent] = {}
    for number, event in enumerate(events):
        found.setdefault(lasting_part(event) if isinstance(event, HAPPENING_ONCE) else number, event)
    return tuple(found.values())


NOTHING_DONE = frozenset({Chose, NotDestroyed, NotRegenerated, Prevented, EventReplaced})
"""Choices, and events that record that nothing happened."""


def happen(game: Game, *events: GameEvent, since: Game | None = None) -> Game:
    """The game after these simultaneous events.

    CR 614.6: a replaced event never happens; its replacement does. CR 603.2: abilities trigger on what
    happened; those that look back see the game before all of these events (CR 603.10a: leaving), or that
    before what they are due to (`since`).
    """
    game, events = game.rules.replaced(game, events)
    if game.board.monarch is not None:
        events = game.rules.with_successor(game, events)
    if len(events) > 1:
        game, events = in_order_of_age(game, events)
    if Worlds in game.mentions:
        game = with_worlds_noted(game)
    before = game
    for event in events:
        if game.lost is before.lost or not left_with_its_owner(event, before, game):
            game = apply_event(game, event, before)
    game = game.rules.blessings_noticed(game)
    game = game.rules.recorded(before, replace(game, events=game.events + events), events)
    game = game.rules.triggered(since or before, game, events)
    if game.exiled_until:
        game = game.rules.returning_from_exile(game)
    if game.afterwards:
        game = game.rules.followed_afterwards(game)
    if not CONTROL_CHANGES.isdisjoint(game.mentions):
        game = game.rules.control_noticed(before, game)
    if game.tied:
        # CR 611.2a: an effect ends as soon as its duration is over, also within a resolution.
        game = game.rules.durations_noticed(game)
    return game.rules.daytime_noticed(game)


def left_with_its_owner(event: GameEvent, before: Game, game: Game) -> bool:
    """Whether an event is about an object that has just left the game with its owner (CR 800.4a)."""
    id = getattr(event, "id", None)
    return id in before.board.things and id not in game.board.things


def in_order_of_age(game: Game, events: tuple[GameEvent, ...]) -> tuple[Game, tuple[GameEvent, ...]]:
    """Simultaneous events, of which those that give permanents new timestamps are in the order of these
    (CR 613.7m: as for what enters together).

    A player orders only permanents whose static abilities may have effects that depend on their age.
    """
    renewing = [event for event in events if is_renewing(event)]
    if len(renewing) < 2:
        return game, events
    ids = dict.fromkeys(event.id for event in renewing)
    dated = tuple(renewed_timestamp(game, game.board.things[id]) for id in ids)
    game, order = game.rules.timestamp_order(game, dated)
    following = iter(sorted(renewing, key=lambda event: order.index(event.id)))
    return game, tuple(next(following) if is_renewing(event) else event for event in events)


def renewed_timestamp(game: Game, thing: Thing) -> NewTimestamp:
    """A permanent that gets a new timestamp: of those of one card, those for which other choices were made or
    that have another text are not alike.
    """
    look = game.look(thing.id)
    has_effects = any(isinstance(held.ability, Static) for held in look.abilities)
    kind = (thing.card, replace(thing.chosen, under_by=()), look.text)
    matters = has_effects or has_static_ability(thing.card)
    return NewTimestamp(thing.id, controller_of(game, thing.id), kind, matters)


def is_renewing(event: GameEvent) -> TypeGuard[AttachmentChanged | Transformed | TurnedFace]:
    """Whether an event gives a permanent a new timestamp (CR 613.7e–g; becoming unattached does not)."""
    return isinstance(event, Transformed | TurnedFace) or (
        isinstance(event, AttachmentChanged) and event.to is not None
    )


@functools.lru_cache(maxsize=4096)
def has_static_ability(card: Card) -> bool:
    """Whether any face of a card has a static ability that is no keyword."""
    return any(isinstance(one, Static) for face in faces_of(card).values() for one in face.abilities)


def happen_if_any(game: Game, events: tuple[GameEvent, ...]) -> Game:
    """The game after these simultaneous events, if there are any."""
    return happen(game, *events) if events else game


def apply_event(game: Game, event: GameEvent, before: Game) -> Game:
    """The game after one event; `before` is the game before all the simultaneous events.

    The most frequent events come first.
    """
    match event:
        case Moved():
            return game.rules.moved(game, event, before)
        case SpellCast(id, by):
            return with_spell_cast(game, id, by)
        case EffectBegan(effect):
            return replace(game, board=replace(game.board, effects=(*game.board.effects, effect)))
        case StepBegan() | BecameTarget() | AbilityActivated() | ManaTapped():
            return game
        case LifeChanged(player, by):
            # CR 119.3: the total is adjusted.
            seat = seat_of(game, player)
            return replace(game, board=with_seat(game.board, replace(seat, life=seat.life + by)))
        case Tapped(id):
            return with_thing(game, replace(game.board.things[id], tapped=True))
        case Damaged():
            return mark_damage(game, event)
        case AttackDeclared(id, what):
            against = defender_of(game, what)
            return with_thing(game, replace(game.board.things[id], attacking=what, against=against))
        case CountersChanged(id, kind, by):
            return change_counters(game, id, kind, by)
        case Untapped(id):
            return with_thing(game, replace(game.board.things[id], tapped=False))
        case BecameSaddled(id):
            return with_thing(game, replace(game.board.things[id], saddled=True))
        case Saddling(id, by):
            thing = game.board.things[id]
            riders = thing.saddled_by.union((ref.id, ref.born or 0) for ref in by)
            return with_thing(game, replace(thing, saddled_by=riders))
        case Unsaddled(ids):
            left = [replace(game.board.things[id], saddled=False, saddled_by=frozenset()) for id in ids]
            return replace(game, board=game.board.with_things(*left))
        case Ceased(id):
            memory = {other: known for other, known in game.memory.items() if other != id}
            return replace(game, board=without_card(game, id), memory=memory)
        case TriedToDraw(player):
            return replace(game, drew_from_empty=game.drew_from_empty | {player})
        case LibraryArranged(player, above, below):
            seat = seat_of(game, player)
            between = tuple(id for id in seat.library if id not in above and id not in below)
            arranged = replace(seat, library=(*above, *between, *below))
            return replace(game, board=with_seat(game.board, arranged))
        case Shuffled(player):
            return replace(game, shuffled=game.shuffled | {player})
        case TurnedFace():
            return turn_permanent(game, event)
        case DoorTurned(id, half, _, unlocks):
            # CR 709.5f, 709.5g: a half gets its unlocked designation, or loses it.
            thing = game.board.things[id]
            unlocked = thing.unlocked | {half} if unlocks else thing.unlocked - {half}
            return with_thing(game, replace(thing, unlocked=unlocked))
        case LevelChanged(id, n):
            return with_thing(game, replace(game.board.things[id], level=n))
        case PhasesOut():
            return game.rules.phased_out(game, event, before)
        case PhasesIn(id):
            return game.rules.phased_in(game, id)
        case Transformed(id):
            # CR 613.7g: each time it transforms, it gets a new timestamp.
            game, now = ticked(game)
            thing = game.board.things[id]
            face_up: FaceUp = "front" if thing.transformed else "back"
            game = with_memory(game, id, replace(game.remembers(id), turned_over=now))
            return with_thing(game, replace(thing, face_up=face_up, timestamp=now))
        case AttachmentChanged(id, to):
            return set_attachment(game, id, to)
        case Regenerated(id):
            # CR 701.19b: one shield is used up, and the damage is removed.
            memory_of = game.remembers(id)
            game = with_memory(game, id, replace(memory_of, shields=memory_of.shields - 1))
            return with_thing(game, replace(game.board.things[id], damage=0))
        case Shielded(id):
            memory_of = game.remembers(id)
            return with_memory(game, id, replace(memory_of, shields=memory_of.shields + 1))
        case Ended(ids):
            kept = tuple(effect for effect in game.board.effects if effect.id not in ids)
            return replace(game, board=replace(game.board, effects=kept))
        case DamageRemoved(ids):
            # CR 514.2: it wears off.
            whole = (replace(game.board.things[id], damage=0) for id in ids)
            return replace(game, board=game.board.with_things(*whole))
        case PlayerLost(player):
            return game.rules.left_game(replace(game, lost=game.lost | {player}), player)
        case DaytimeChanged(to):
            return replace(game, board=replace(game.board, daytime=to))
        case BecameMonarch(player):
            return replace(game, board=replace(game.board, monarch=player))
        case BlockDeclared(id, what):
            there = game.board.things[id]
            return with_thing(game, replace(there, blocking=(*there.blocking, what)))
        case BecameBlocked(id):
            # CR 509.1h: it stays blocked even if all of its blockers leave combat.
            combat = game.combat
            return (
                game
                if combat is None
                else replace(game, combat=replace(combat, blocked=combat.blocked | {id}))
            )
        case LeftCombat(id, _, stays):
            return out_of_combat(game, id, stays)
        case ManaAdded(player, mana, _, marks):
            return with_mana(game, player, mana, marks)
        case ManaGone(player, mana, _, marks):
            return without_mana(game, player, mana, marks)
        case LandPlayed(_, by):
            # CR 305.2: each play of the turn counts.
            return replace(game, lands_played={**game.lands_played, by: game.lands_played.get(by, 0) + 1})
        case GameOver():
            return replace(game, over=True, holder=None, deciding=None)
        case ControlChanged(id, _, new):
            return with_memory(game, id, replace(game.remembers(id), under=new, since=game.turn))
        case Cycled() | BecameUnblocked() | WouldDraw() | WouldCreate():
            return game
        case _:
            return game  # only for the account

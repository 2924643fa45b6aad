"""Records what happens in a turn, for cards that ask about it later (CR 608.2i: looking back)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from reference_engine.game.events import (
    AbilityActivated,
    AttackDeclared,
    BecameTarget,
    GameEvent,
    LandPlayed,
    LifeChanged,
    Moved,
    PlayerLost,
    SpellCast,
)
from reference_engine.game.game import Game, battlefield
from reference_engine.game.recall import as_it_last_was
from reference_engine.language.cards import Activates, Happened, HowOften, Nth
from reference_engine.language.past_events import PastKind, activation_kind
from reference_engine.layers.past import PastEvent

ASKING_BACK = frozenset({Happened, HowOften, Nth})
"""The words with which cards ask what has happened this turn."""


def recorded(before: Game, after: Game, events: tuple[GameEvent, ...]) -> Game:
    """The game with these simultaneous events added to the records of this turn."""
    if after.mentions.isdisjoint(ASKING_BACK):
        return after
    records = [record for event in events for record in records_of(event, before, after)]
    records += [record_about(before, "left", id) for id in left_with_player(before, after, events)]
    if not records:
        return after
    return replace(after, board=replace(after.board, past=(*after.board.past, *records)))


def left_with_player(before: Game, after: Game, events: tuple[GameEvent, ...]) -> tuple[str, ...]:
    """Every permanent that left the battlefield because a player left the game (CR 800.4a)."""
    if not any(isinstance(event, PlayerLost) for event in events):
        return ()
    moved = {event.id for event in events if isinstance(event, Moved)}
    there = {thing.id for thing in battlefield(after)}
    return tuple(thing.id for thing in battlefield(before) if thing.id not in moved | there)


def records_of(event: GameEvent, before: Game, after: Game) -> Iterator[PastEvent]:
    """The records of an event, in the words that cards use to ask about it."""
    match event:
        case SpellCast(id, by):
            yield record_about(after, "cast", id, by)
        case AbilityActivated() if Activates in after.mentions:
            yield record_of_activation(after, event)
        case LandPlayed(id, by):
            yield record_about(after, "played", id, by)
        case LifeChanged(player, by, how) if by:
            yield PastEvent("life gained" if how == "gained" else "life lost", player, n=abs(by))
        case AttackDeclared(id, what):
            yield replace(record_about(after, "attacked", id), against=what)
        case BecameTarget(id, _, by):
            if id in after.board.things:
                yield record_about(after, "became a target", id, by)
        case Moved():
            yield from records_of_move(event, before, after)
        case _:
            pass


def records_of_move(event: Moved, before: Game, after: Game) -> Iterator[PastEvent]:
    """The records of a zone change: by one move an object may die, leave and be sacrificed."""
    id = event.id
    if event.how == "drawn":
        # CR 121.1: a card that moved from a library to the hand in another way was not drawn.
        yield PastEvent("drawn", after.board.things[id].owner)
    if event.how == "discarded":
        yield record_about(after, "discarded", id, after.board.things[id].owner)
    if event.to == "battlefield":
        yield record_about(after, "entered", id)
    # CR 800.4a: if its owner loses the game at the same time, it has left the game with that player.
    if event.to == "graveyard" and id in after.board.things:
        yield record_about(after, "put into a graveyard", id)
    if event.origin == "battlefield":
        # CR 603.10a: what leaves is seen as it was before.
        yield record_about(before, "left", id)
        # CR 700.4: this is what "dies" means.
        if event.to == "graveyard":
            yield record_about(before, "died", id)
        if event.how == "sacrificed":
            yield record_about(before, "sacrificed", id)


def record_of_activation(game: Game, event: AbilityActivated) -> PastEvent:
    """The record of an ability that was activated, with the look of its source, which may be gone by then."""
    kind, source = activation_kind(event.mana, event.loyalty), event.source
    _, view = as_it_last_was(game, source)
    return PastEvent(kind, event.by, source.id, source.born or 0, view.both(source.id))


def record_about(game: Game, kind: PastKind, id: str, player: str | None = None) -> PastEvent:
    """A record about an object as it looks in this game."""
    look, status = game.seen.view.both(id)
    return PastEvent(kind, player or look.controller or status.owner, id, game.born(id), (look, status))


def records_so_far(before: Game, after: Game, event: GameEvent) -> tuple[PastEvent, ...]:
    """The records of this turn up to this event; of simultaneous events, those before it in order count."""
    together = after.events[len(before.events) :]
    at = [other is event for other in together].index(True)
    new = (record for other in together[: at + 1] for record in records_of(other, before, after))
    return (*before.board.past, *new)


def records_as_it_left(before: Game, after: Game, id: str) -> tuple[PastEvent, ...]:
    """Records of this turn up to the moment when a permanent left because a player left the game; what else
    happened at the same time counts as earlier.
    """
    together = after.events[len(before.events) :]
    left = left_with_player(before, after, together)
    new = [record for event in together for record in records_of(event, before, after)]
    new += [record_about(before, "left", other) for other in left[: left.index(id) + 1]]
    return (*before.board.past, *new)

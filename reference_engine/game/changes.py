"""What single events change: objects and their status, counters, attachments, damage and combat.

`events` calls these functions as it carries events out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace

from reference_engine.game.game import Game, battlefield, seat_of, ticked, with_seat
from reference_engine.language.cards import Cannot
from reference_engine.language.words import CounterKind
from reference_engine.layers.board import Board, Pile, Thing, Things
from reference_engine.layers.past import PastEvent

if TYPE_CHECKING:
    from reference_engine.game.events import Damaged, TurnedFace


def with_thing(game: Game, thing: Thing) -> Game:
    """The game with this object replacing the one with the same id."""
    return replace(game, board=replace(game.board, things=game.board.things.having(thing)))


def without_card(game: Game, id: str) -> Board:
    """The board without an object that has ceased to exist."""
    seats = tuple(
        replace(
            seat,
            hand=tuple(other for other in seat.hand if other != id),
            library=tuple(other for other in seat.library if other != id),
            graveyard=tuple(other for other in seat.graveyard if other != id),
        )
        if id in seat.hand + seat.library + seat.graveyard
        else seat
        for seat in game.board.seats
    )
    return replace(game.board.without_thing(id), seats=seats)


def change_counters(game: Game, id: str, kind: CounterKind, by: int) -> Game:
    """The game after counters were put on or removed (CR 613.7c: a new counter renews the timestamp of
    its kind).
    """
    game, now = ticked(game)
    thing = game.board.things.get(id)
    if thing is None:
        seat = seat_of(game, id)
        seat = replace(seat, counters=piles_after(seat.counters, kind, by, now))
        return replace(game, board=with_seat(game.board, seat))
    return with_thing(game, replace(thing, counters=piles_after(thing.counters, kind, by, now)))


def piles_after(piles: tuple[Pile, ...], kind: CounterKind, by: int, now: int) -> tuple[Pile, ...]:
    """The piles of counters after `by` counters of a kind were added (or removed, if negative)."""
    old = next((pile for pile in piles if pile.kind == kind), Pile(kind, 0))
    n = max(old.n + by, 0)
    new = replace(old, n=n, timestamp=now if by > 0 else old.timestamp)
    if old.n == 0:
        return (*piles, new) if n else piles
    return tuple(new if pile is old else pile for pile in piles if pile is not old or n)


def turn_permanent(game: Game, event: TurnedFace) -> Game:
    """The game after a permanent was turned (CR 613.7f: it gets a new timestamp)."""
    game, now = ticked(game)
    thing = game.board.things[event.id]
    thing = replace(thing, face_down=not event.up, hidden_as=event.hidden_as, manifested=False, timestamp=now)
    if event.chosen is not None:
        thing = replace(thing, chosen=event.chosen)
    begun = tuple(replace(effect, timestamp=now) for effect in event.begins)
    game = replace(game, board=replace(game.board, effects=game.board.effects + begun))
    return with_thing(game, thing)


def set_attachment(game: Game, id: str, to: str | None) -> Game:
    """The game after something was attached or became unattached.

    CR 613.7e, 701.3c: what is attached gets a new timestamp.
    """
    thing = game.board.things[id]
    if to is None:
        effects = game.rules.effects_after_unattaching(game.board.effects, {id})
        game = replace(game, board=replace(game.board, effects=effects))
        return with_thing(game, replace(thing, attached_to=None))
    game, now = ticked(game)
    return game.rules.after_attaching(with_thing(game, replace(thing, attached_to=to, timestamp=now)), id)


def mark_damage(game: Game, event: Damaged) -> Game:
    """The game with damage marked on a creature; the other results of damage are separate events."""
    if event.to in game.board.things:
        if event.deathtouch:
            game = replace(game, deathtouched=game.deathtouched | {game.ref(event.to)})
        source = (event.source.id, event.source.born)
        sources = game.board.damaged.get(event.to, frozenset()) | {source}
        game = replace(game, board=replace(game.board, damaged={**game.board.damaged, event.to: sources}))
    if not event.marks:
        return game
    thing = game.board.things[event.to]
    return with_thing(game, replace(thing, damage=thing.damage + event.n))


def out_of_combat(game: Game, id: str, stays: Literal["blocking", "attacked"] | None = None) -> Game:
    """The game after a permanent was removed from combat.

    CR 506.4: it stops being an attacking, blocking, blocked or unblocked creature. CR 506.4c: creatures that
    attacked it keep attacking, but attack nothing. CR 506.4d: a blocking creature that is also an attacked
    planeswalker keeps the role that it still has.
    """
    things = Things(game.board.things)
    if stays != "blocking":
        things[id] = replace(things[id], attacking=None, blocking=())
    for other in game.board.things.values():
        if other.attacking == id and stays != "attacked":
            things[other.id] = replace(things[other.id], attacking="nothing")
        if id in other.blocking:
            rest = tuple(blocked for blocked in other.blocking if blocked != id)
            things[other.id] = replace(things[other.id], blocking=rest or ("nothing",))
    combat = game.combat
    if combat is not None:
        combat = replace(combat, blocked=combat.blocked - {id}, struck_first=combat.struck_first - {id})
    board = replace(game.board, things=things, unblocked=game.board.unblocked - {id})
    return replace(game, board=board, combat=combat)


def with_spell_cast(game: Game, id: str, by: str) -> Game:
    """The game with a spell among those cast this turn, as it looks now if an effect can ask (CR 608.2i)."""
    look = game.seen.view.both(id) if Cannot in game.mentions else None
    return replace(game, spells_cast=(*game.spells_cast, PastEvent("cast", by, id, game.born(id), look)))


def with_worlds_noted(game: Game) -> Game:
    """The game in which it is noted which permanents are no world permanents at this moment.

    CR 704.5k: what counts is since when a permanent has been one, which may be later than since it entered.
    """
    game, now = ticked(game)
    others = {thing.id: now for thing in battlefield(game) if "World" not in game.look(thing.id).supertypes}
    return replace(game, no_worlds={**game.no_worlds, **others})

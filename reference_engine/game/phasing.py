"""Phasing: permanents that are treated as though they did not exist (CR 702.26b: phased out).

`Board.phased_out` holds them, apart from everything else, so that nothing can find them or be affected by
them. They keep their place in the game: no object changes zones here, and nothing triggers.
"""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.events import GameEvent, LeftCombat, PhasesIn, PhasesOut
from reference_engine.game.game import Game, battlefield, controller_of, is_active, is_in_game
from reference_engine.game.happening import happen
from reference_engine.layers.board import NotModelled, PhasedOut

ATTACHABLE = ("Aura", "Equipment", "Fortification")


def phased(game: Game) -> Game:
    """The game after permanents have phased in and out as an untap step begins.

    CR 502.1, 702.26a: those with phasing that the active player controls phase out, and those that phased out
    under that player's control phase in, all at the same time.
    """
    leaving = tuple(
        thing.id
        for thing in battlefield(game)
        if game.look(thing.id).has_keyword("phasing") and is_active(game, controller_of(game, thing.id))
    )
    returning = game.rules.phasing_in(game)
    if not leaving and not returning:
        return game
    return happen(game, *phasing_out(game, leaving), *(PhasesIn(one.thing.id) for one in returning))


def phasing_in(game: Game) -> tuple[PhasedOut, ...]:
    """What phases in now, hosts before what is attached to them.

    CR 702.26g: what phased out with something phases in with it, and never by itself. CR 702.26i: what phased
    out by itself is attached to its host even if both phase in at the same time.
    """
    if any(one.under in game.lost for one in game.board.phased_out):
        raise NotModelled("a permanent that phased out under a player who has left")
    returning = [one for one in game.board.phased_out if not one.along and is_active(game, one.under)]
    for one in returning:
        attached = (other for other in game.board.phased_out if other.thing.attached_to == one.thing.id)
        returning += [other for other in attached if other.along]
    ordered: list[PhasedOut] = []
    while returning:
        ids = {one.thing.id for one in returning}
        ordered += [one for one in returning if one.thing.attached_to not in ids]
        returning = [one for one in returning if one.thing.attached_to in ids]
    return tuple(ordered)


def phasing_out(game: Game, ids: tuple[str, ...]) -> tuple[GameEvent, ...]:
    """The events of some permanents phasing out, each after what is attached to it (CR 506.4, 702.26b: they
    leave combat).
    """
    along = game.rules.phasing_along(game, ids)
    events: list[GameEvent] = []
    for id in dict.fromkeys((*reversed(along), *ids)):
        thing = game.board.things[id]
        if thing.attacking is not None or thing.blocking or is_attacked(game, id):
            events.append(LeftCombat(id, "it phases out"))
        events.append(PhasesOut(id, controller_of(game, id), id in along))
    return tuple(events)


def is_attacked(game: Game, id: str) -> bool:
    return any(other.attacking == id for other in battlefield(game))


def phasing_along(game: Game, ids: tuple[str, ...]) -> tuple[str, ...]:
    """The Auras, Equipment and Fortifications attached to permanents that phase out.

    CR 702.26g: they phase out, too, indirectly. CR 702.26h: even those that would also do so by themselves.
    """
    hosts, along = list(ids), dict[str, None]()
    for host in hosts:
        for thing in battlefield(game):
            attached = thing.attached_to == host and thing.id not in along
            if attached and any(game.look(thing.id).has_subtype(word) for word in ATTACHABLE):
                along[thing.id] = None
                hosts.append(thing.id)
    return tuple(along)


def phased_out(game: Game, event: PhasesOut, before: Game) -> Game:
    """The game without a permanent, which keeps its status and counters.

    CR 608.2h: abilities of it that are still on the stack use its last known information. CR 702.26g: what is
    attached to it phases out at the same time, so it was still there.
    """
    thing = game.board.things[event.id]
    host = game.board.things.get(thing.attached_to or "")
    gone = PhasedOut(thing, event.under, event.along, None if host is None else host.born)
    past = {**game.past, before.ref(event.id): before.board}
    board = game.board.without_thing(event.id)
    return replace(game, past=past, board=replace(board, phased_out=(*board.phased_out, gone)))


def phased_in(game: Game, id: str) -> Game:
    """The game with a permanent that exists again.

    CR 702.26d: it is the same object with the same history. CR 702.26i: it is attached to what it was
    attached to if that is still there.
    """
    one = next(one for one in game.board.phased_out if one.thing.id == id)
    thing, rest = one.thing, tuple(other for other in game.board.phased_out if other is not one)
    if thing.attached_to is not None:
        host = game.board.things.get(thing.attached_to)
        same = host is not None and host.zone == "battlefield" and host.born == one.host_born
        if not same and not is_in_game(game, thing.attached_to):
            # CR 702.103g: a bestowed Aura ceases to be bestowed.
            thing = replace(thing, attached_to=None)
            effects = game.rules.effects_after_unattaching(game.board.effects, {id})
            game = replace(game, board=replace(game.board, effects=effects))
    return replace(game, board=replace(game.board.with_things(thing), phased_out=rest))

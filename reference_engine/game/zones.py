"""Zone changes: what happens to objects, to what was attached to them, and to effects on them.

CR 400.7: an object that changes zones is a new object. `entry` says how a permanent enters the battlefield.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.changes import out_of_combat
from reference_engine.game.events import Moved
from reference_engine.game.game import Game, Memory, Rejected, defender_of
from reference_engine.language.actions import Call
from reference_engine.language.cards import BecomeCopy, Card, Static
from reference_engine.language.keywords import Lingering
from reference_engine.language.words import STEPS, CounterKind
from reference_engine.layers.asking import holds, selection
from reference_engine.layers.board import (
    AFFECTED,
    Board,
    CopyValues,
    Lasting,
    NotModelled,
    Pile,
    Seat,
    SetCopiable,
    SettledPart,
    Thing,
    Things,
)
from reference_engine.layers.evaluation import copiable_values, evaluate
from reference_engine.layers.operations import with_chosen_words
from reference_engine.layers.rules import Rules

OWN_ZONES = ("hand", "library", "graveyard")
"""The zones that each player has separately (CR 400.1: hand, library and graveyard)."""


def moved(game: Game, event: Moved, before: Game) -> Game:
    """The game after one object has changed zones.

    CR 400.7: it is a new object without memory. CR 613.7d: it gets a new timestamp. CR 608.2h: its last known
    information is kept.
    """
    board = game.board
    foreseen: Board | None = board.__dict__.pop("foreseen", None)
    thing = event.token if event.token is not None else board.things[event.id]
    entering = event.entering
    now = clock = game.clock + 1
    if event.origin is not None:
        game = farewell(game, thing, event, before)
        board = game.board
    if entering is None:
        memory = Memory(moment=before.clock, since=0 if event.becomes is None else game.turn)
        card = Thing(
            id=thing.id,
            card=thing.card,
            owner=thing.owner,
            zone=event.to,
            timestamp=now,
            token=thing.token,
            face_down=event.becomes == "foretold",
            born=now,
            put_by=event.put_by,
            was=frozenset() if event.becomes is None else frozenset({event.becomes}),
        )
    else:
        card = Thing(
            id=thing.id,
            card=thing.card,
            owner=thing.owner,
            zone=event.to,
            timestamp=now if entering.timestamp is None else entering.timestamp,
            token=thing.token,
            born=now,
            put_by=event.put_by,
            controller=entering.under,
            tapped=entering.tapped,
            face_down=entering.face_down,
            hidden_as=entering.hidden_as,
            manifested=entering.manifested,
            unlocked=entering.unlocked,
            face_up=entering.face_up,
            counters=piles_of(entering.counters, now),
            attached_to=entering.attached_to,
            attacking=entering.attacking,
            against=None if entering.attacking is None else defender_of(game, entering.attacking),
            chosen=entering.chosen,
            was=entering.memory.history,
        )
        # CR 613.7n: the object's own static abilities are older than an effect that put it there with other
        # characteristics.
        if entering.begins:
            clock += 1
            begun = tuple(
                effect if effect.goes_on else replace(effect, timestamp=clock) for effect in entering.begins
            )
            board = replace(board, effects=board.effects + begun)
        memory = replace(entering.memory, moment=before.clock, under=entering.under, since=game.turn)
    board = board_after_move(board, card, event)
    if card.attacking is not None and board.step in AFTER_BLOCKS:
        # CR 508.4d: it enters as an unblocked creature.
        board = replace(board, unblocked=board.unblocked | {card.id})
    if event.to == "battlefield" and BecomeCopy in game.mentions:
        board = with_copies_begun(board, event.id, game.rules)
    if foreseen is not None and foreseen == board:
        # What has been worked out on that board is known on this one.
        board = foreseen
    game = replace(game, board=board, memory={**game.memory, event.id: memory}, clock=clock)
    return game if card.attached_to is None else game.rules.after_attaching(game, event.id)


AFTER_BLOCKS = STEPS[STEPS.index("declare blockers") : STEPS.index("end of combat") + 1]
"""The steps in which a creature that is put onto the battlefield attacking is unblocked."""


def piles_of(counters: tuple[tuple[CounterKind, int], ...], now: int) -> tuple[Pile, ...]:
    """The counters that a permanent enters with, those of one kind together."""
    if not counters:
        return ()
    kinds = dict.fromkeys(kind for kind, n in counters if n > 0)
    return tuple(Pile(kind, sum(n for other, n in counters if other == kind), now) for kind in kinds)


def with_copies_begun(board: Board, id: str, rules: Rules) -> Board:
    """The board after copy effects have begun from static abilities of a permanent that has entered.

    CR 707.2c: what a static ability makes things a copy of is determined once, as its effect first applies;
    whom it affects is determined continuously.
    """
    seen = evaluate(board, rules)
    look = seen.look(id)
    asking = seen.asking(id)
    copies = [
        (held.ability, part.affects, operation, selection(operation.of, asking))
        for held in look.abilities
        if isinstance(held.ability, Static)
        for part in held.ability.parts
        for operation in part.does
        if isinstance(operation, BecomeCopy)
    ]
    begun: list[Lasting] = []
    for static, affects, operation, models in copies:
        if static.cond is not None or static.lingers is not None:
            raise NotModelled("a static ability that makes copies under a condition, or for some time")
        if models:
            name = f"{id} copies {len(begun)}"
            acquired = (models[0], board.things[models[0]].born, name)
            values = CopyValues(replace(copiable_values(board, models[0], rules), text_by=acquired))
            does = (values, SetCopiable(operation.but)) if operation.but else (values,)
            begun.append(
                Lasting(
                    id=name,
                    source=id,
                    you=asking.your_id(),
                    timestamp=board.things[id].timestamp,
                    parts=(SettledPart(affects, does),),
                    leaves_with=id,
                )
            )
    return replace(board, effects=(*board.effects, *begun))


def board_after_move(board: Board, thing: Thing, event: Moved) -> Board:
    """The board with the object moved from its old zone to its new one."""
    seats = board.seats
    if event.origin in OWN_ZONES or event.to in OWN_ZONES:
        seats = tuple(
            [seat_after(seat, thing.id, event) if seat.id == thing.owner else seat for seat in seats]
        )
    paid = exiled_for(board, thing) if (event.origin, event.to) == ("stack", "battlefield") else ()
    return replace(board, seats=seats, things=board.things.having(thing, *paid))


def exiled_for(board: Board, permanent: Thing) -> tuple[Thing, ...]:
    """The cards that were exiled to pay for a spell, as exiled with the permanent that it becomes (CR 607.2q:
    the abilities are linked).
    """
    spell = board.things[permanent.id]
    return tuple(
        replace(other, put_by=replace(other.put_by, born=permanent.born))
        for other in board.things.values()
        if other.put_by is not None and (other.put_by.id, other.put_by.born) == (spell.id, spell.born)
    )


def seat_after(seat: Seat, id: str, event: Moved) -> Seat:
    """Its owner's hand, library and graveyard after the move (CR 400.3: cards go to their owner's zones)."""
    changed: dict[str, tuple[str, ...]] = {}
    if event.origin in OWN_ZONES:
        changed[event.origin] = all_but(id, getattr(seat, event.origin))
    if event.to in OWN_ZONES:
        there: tuple[str, ...] = changed.get(event.to, getattr(seat, event.to))
        # CR 404.1: on top of the graveyard. A hand has no order; new cards are stored last.
        changed[event.to] = (*there, id) if event.bottom or event.to == "hand" else (id, *there)
    return replace(seat, **changed)


def all_but(id: str, ids: tuple[str, ...]) -> tuple[str, ...]:
    """These ids but one, which is among them once if at all."""
    if id not in ids:
        return ids
    place = ids.index(id)
    return ids[:place] + ids[place + 1 :]


def farewell(game: Game, thing: Thing, event: Moved, before: Game) -> Game:
    """The game after everything tied to an object leaving its zone has ended."""
    board = game.board
    past = {**game.past, before.ref(thing.id): before.board}
    if thing.zone == "battlefield":
        if game.combat is not None:
            # CR 506.4: what leaves the battlefield is removed from combat.
            game = out_of_combat(game, thing.id)
            board = game.board
        lingering = lingering_effects(before, thing) if Lingering in game.mentions else ()
        changed: list[Thing] = []
        let_go: set[str] = set()
        for other in board.things.battlefield:
            if other.attached_to == thing.id:
                let_go.add(other.id)
                changed.append(replace(other, attached_to=None))
        damaged = {id: sources for id, sources in board.damaged.items() if id != thing.id}
        board = replace(
            board,
            things=board.things.having(*changed) if changed else board.things,
            effects=game.rules.effects_after_unattaching(board.effects, let_go) + lingering,
            damaged=damaged,
        )
    # CR 400.7a: effects on a permanent spell continue to apply to the permanent it becomes.
    if board.effects and not (thing.zone == "stack" and event.to == "battlefield"):
        board = replace(board, effects=effects_without(board.effects, thing.id))
    return replace(game, board=board, past=past)


def effects_without(effects: tuple[Lasting, ...], id: str) -> tuple[Lasting, ...]:
    """The lasting effects without an object that they no longer affect."""
    kept: list[Lasting] = []
    for effect in effects:
        if effect.leaves_with == id:
            continue
        parts = tuple([part_without(part, id) for part in effect.parts])
        if [part for part in parts if part.affects] or AFFECTED in [name for name, *_ in effect.origins]:
            names = [(name, tuple([other for other in ids if other != id])) for name, ids in effect.names]
            kept.append(replace(effect, parts=parts, names=tuple(names)))
    return tuple(kept)


def part_without(part: SettledPart, id: str) -> SettledPart:
    """A part of an effect with this object removed from its fixed set, if it has one."""
    if isinstance(part.affects, frozenset) and id in part.affects:
        return replace(part, affects=part.affects - {id})
    return part


def lingering_effects(before: Game, thing: Thing) -> tuple[Lasting, ...]:
    """The static abilities' effects that continue until end of turn after their object has left: those that
    applied, with what had been chosen for it.
    """
    look, asking = before.seen.look(thing.id), before.seen.asking(thing.id)
    return tuple(
        Lasting(
            id=f"{thing.id} lingers {before.clock} {number}",
            source=thing.id,
            you=look.controller or thing.owner,
            timestamp=max(thing.timestamp, held.since),
            parts=tuple(
                SettledPart(part.affects, part.does) for part in with_chosen_words(held.ability.parts, asking)
            ),
            until="end of turn",
            born=(thing.born, None),
        )
        for number, held in enumerate(look.abilities)
        if isinstance(held.ability, Static) and held.ability.lingers is not None
        if held.ability.cond is None or holds(held.ability.cond, asking)
    )


def left_game(game: Game, player: str) -> Game:
    """The game after a player who lost has left it.

    CR 800.4a: everything the player owns leaves the game, effects that give the player control end (the
    layers ask who has left), the player's abilities cease to exist, and what the player still controls is
    exiled.
    """
    before = game.board
    owned = frozenset(thing.id for thing in before.things.values() if thing.owner == player)
    for thing in before.things.battlefield if game.combat is not None else ():
        # CR 506.4: what leaves the battlefield is removed from combat.
        game = out_of_combat(game, thing.id) if thing.id in owned else game
    board = game.board
    effects = board.effects
    for id in owned:
        effects = effects_without(effects, id)
    let_go = {id for id, t in board.things.items() if t.attached_to in owned or t.attached_to == player}
    effects = game.rules.effects_after_unattaching(effects, let_go)
    things = Things(
        {
            id: replace(thing, attached_to=None) if id in let_go else thing
            for id, thing in board.things.items()
            if id not in owned
        }
    )
    # CR 702.26k: what is phased out leaves with its owner, too.
    phased_out = tuple(one for one in board.phased_out if one.thing.owner != player)
    seats = tuple(
        Seat(seat.id, seat.life, seat.team, seat.counters, left=True, last_hand=len(seat.hand))
        if seat.id == player
        else seat
        for seat in board.seats
    )
    stack = tuple(
        item
        for item in game.stack
        if item.id not in owned and not (item.controller == player and item.kind != "spell")
    )
    # CR 608.2h: keep the last known information of objects that leave with the player.
    past = {game.ref(id): before for id in owned}
    game = replace(
        game,
        board=replace(
            board,
            things=things,
            effects=effects,
            seats=seats,
            phased_out=phased_out,
            monarch=None if board.monarch == player else board.monarch,
        ),
        past={**game.past, **past},
        stack=stack,
        waiting=tuple(waiting for waiting in game.waiting if waiting.controller != player),
        delayed=tuple(delayed for delayed in game.delayed if delayed.controller != player),
        pools={**game.pools, player: ""},
        marked={**game.marked, player: ()},
    )
    for thing in tuple(game.board.things.values()):
        if thing.zone in ("battlefield", "stack") and game.look(thing.id).controller == player:
            game = game.rules.moved(game, Moved(thing.id, thing.zone, "exile", "exiled"), game)
            game = replace(game, stack=tuple(item for item in game.stack if item.id != thing.id))
    return game


# ------------------------------------------------------------------------------- tokens get names


def tokens_named(game: Game, call: Call) -> Game:
    """The game with the tokens made by the last action renamed as the script says."""
    made = {id: game.look(id).name for id in game.made if id in game.board.things}
    new: dict[str, str] = {}
    for names in call.tokens:
        there = [id for id, name in made.items() if name == names.name]
        if len(there) != len(names.ids):
            raise Rejected(
                f"the last action made {len(there)} tokens called {names.name}, not {len(names.ids)}"
            )
        if any(id in game.board.things for id in names.ids):
            raise Rejected("that id is taken")
        new |= dict(zip(there, names.ids, strict=True))
    return with_new_ids(game, new)


def with_new_ids(game: Game, new: Mapping[str, str]) -> Game:
    """The game with new ids for objects, everywhere they occur."""
    kept = {name: getattr(game, name) for name in ("rules", "mentions", "past", "events")}
    changed: Game = with_ids(replace(game, past={}, events=(), mentions=frozenset()), new)
    return replace(changed, **kept)


def with_ids(value: Any, new: Mapping[str, str]) -> Any:
    """Any part of a game with ids replaced."""
    if isinstance(value, str):
        return new.get(value, value)
    if isinstance(value, tuple):
        return tuple(with_ids(member, new) for member in value)
    if isinstance(value, frozenset):
        return frozenset(with_ids(member, new) for member in value)
    if isinstance(value, dict):
        renamed = {with_ids(key, new): with_ids(member, new) for key, member in value.items()}
        return Things(renamed) if isinstance(value, Things) else renamed
    if isinstance(value, Struct) and not isinstance(value, Card):
        return replace(
            value, **{name: with_ids(getattr(value, name), new) for name in value.__struct_fields__}
        )
    return value

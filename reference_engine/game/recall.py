"""Questions asked by spells and abilities, using last known information for objects that have changed.

CR 608.2h, 113.7a: information about an object that has left its expected zone is its last known information.
Actions, however, affect only objects that are still there (`still_there`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from reference_engine.game.game import Game, Ref, StackItem, last_board
from reference_engine.language.cards import ControllerOf, SourceOf
from reference_engine.language.characteristics import printed_characteristics
from reference_engine.language.keywords import LinkedAbilities
from reference_engine.layers.asking import Asking, host_of, link_of
from reference_engine.layers.board import Board, Link, Thing
from reference_engine.layers.evaluation import evaluate
from reference_engine.layers.view import Appearance, Crowd, View, status

NamedObjects = Mapping[str, tuple[Ref, ...]]


class Recalling(View):
    """The present look of everything, with the last known look of some objects when asked for by id."""

    __slots__ = ("recalled",)

    def __init__(self, now: View, recalled: Mapping[str, Appearance]) -> None:
        super().__init__(now.groups)
        self.recalled = recalled

    def both(self, id: str) -> Appearance:
        """An object's present or last known look."""
        return self.recalled[id] if id in self.recalled else super().both(id)

    def crowd(self, ids: Iterable[str]) -> Crowd:
        """These objects grouped by look; those with last known information each form a group of their own."""
        wanted = frozenset(ids)
        gone: Crowd = [(self.recalled[id], frozenset({id})) for id in wanted if id in self.recalled]
        return super().crowd(wanted - self.recalled.keys()) + gone


def asking_about(
    game: Game,
    this: Ref,
    you: str,
    it: Ref | None = None,
    names: NamedObjects | None = None,
    x: int | None = None,
    was: frozenset[str] = frozenset(),
    that_much: int = 0,
    slot: tuple[str | int, ...] = (),
    link: Link | None = None,
) -> Asking:
    """A context for questions of a spell or ability, about the present game and last known information."""
    named = names or {}
    asked: Mapping[Ref, str] = {}
    board, view = game.board, game.seen.view
    known = game.rules.last_known(game, this, it, named)
    if known:
        asked = ids_in_question(game, known)
        board, view = remembering(game, known, asked)
    changed = board is not game.board
    return Asking(
        board=board,
        view=view,
        this=asked.get(this, this.id),
        you=you,
        it=None if it is None else asked.get(it, it.id),
        names={name: tuple([asked.get(ref, ref.id) for ref in refs]) for name, refs in named.items()}
        if named
        else {},
        x=x,
        was=was,
        sources=sources_of_abilities(game) if SourceOf in game.mentions else {},
        controllers=controllers_of_abilities(game) if ControllerOf in game.mentions else {},
        that_much=that_much,
        slot=slot,
        link=link,
        left_with=left_with(game, known, asked) if changed else {},
        returned=new_by_now(game, known, asked) if changed else frozenset(),
    )


LastKnown = Mapping[Ref, Board]
"""Objects, and the board on which each is asked about: the present one if it is still there."""


def last_known(game: Game, this: Ref, it: Ref | None, names: NamedObjects) -> LastKnown:
    """The objects that a question may be about; none if it is asked about all of them as they are now
    (CR 608.2h: those that are gone are asked about as they last were).
    """
    asked = [this] if it is None else [this, it]
    for refs in names.values():
        asked += refs
    board = game.board
    things = board.things
    for ref in asked:
        thing = things.get(ref.id)
        if thing is not None and thing.born == ref.born and not ref.revealed:
            continue
        if ref.revealed or last_board(game, ref) is not board:
            return {one: last_board(game, one) for one in asked}
    return {}


def ids_in_question(game: Game, known: LastKnown) -> Mapping[Ref, str]:
    """Ids of their own for objects that are gone, of whose cards the question also means what they are now.

    CR 400.7: these are different objects, and CR 608.2h: what is gone is asked about as it last was.
    """
    gone = [ref for ref, board in known.items() if board is not game.board]
    if not gone:
        return {}
    there = {ref.id for ref in known if ref.id in game.board.things and game.born(ref.id) == ref.born}
    return {ref: f"{ref.id} as of {ref.born}" for ref in gone if ref.id in there}


def sources_of_abilities(game: Game) -> Mapping[str, str]:
    """The source object of each ability that is or was on the stack."""
    return {**game.sources, **{item.id: source_still_there(game, item) for item in game.stack}}


def source_still_there(game: Game, item: StackItem) -> str:
    """The source of a spell or ability, as long as it is there.

    CR 400.7: what its card has become is another object, also where a cost has put it (CR 400.7j: only the
    ability itself finds it there).
    """
    return item.source.id if game.born(item.source.id) == item.source.born else "nothing"


def controllers_of_abilities(game: Game) -> Mapping[str, str]:
    """The controller of each ability that is or was on the stack (CR 113.8)."""
    items = (*game.left_stack.values(), *game.stack)
    return {item.id: item.controller for item in items if item.kind != "spell"}


def remembering(game: Game, known: LastKnown, asked: Mapping[Ref, str]) -> tuple[Board, View]:
    """The board and the view, with changed objects as they last were."""
    recalled: dict[str, Appearance] = {}
    things: dict[str, Thing] = {}
    for ref, board in known.items():
        host = host_of(ref.id, board)
        if host is not None and host in board.things and host not in recalled:
            # What it was attached to may be gone, too.
            then = last_board(game, Ref(host, board.things[host].born))
            if then is not game.board:
                recalled[host] = evaluate(then, game.rules).view.both(host)
                things[host] = then.things[host]
        if ref.revealed and ref.id in board.things:
            thing = board.things[ref.id]
            recalled[ref.id] = (printed_characteristics(thing.card, thing.controller), status(thing))
        elif board is not game.board and ref.id in board.things:
            id = asked.get(ref, ref.id)
            recalled[id] = evaluate(board, game.rules).view.both(ref.id)
            things[id] = replace(board.things[ref.id], id=id)
    if not recalled:
        return game.board, game.seen.view
    return game.board.with_things(*things.values()), Recalling(game.seen.view, recalled)


def as_it_last_was(game: Game, ref: Ref) -> tuple[Board, View]:
    """The board and the view, with one object as it last was."""
    return remembering(game, {ref: last_board(game, ref)}, {})


def left_with(game: Game, known: LastKnown, asked: Mapping[Ref, str]) -> Mapping[str, frozenset[str]]:
    """For each changed object, what was attached to it as it last was and is still the same object."""
    now = game.board.things
    return {
        asked.get(host, host.id): frozenset(
            thing.id
            for thing in board.things.values()
            if thing.attached_to == host.id and thing.id in now and now[thing.id].born == thing.born
        )
        for host, board in known.items()
        if board is not game.board
    }


def new_by_now(game: Game, known: LastKnown, asked: Mapping[Ref, str]) -> frozenset[str]:
    """The changed objects whose cards are there again, as other objects (CR 400.7)."""
    there = game.board.things
    gone = (ref for ref in known if ref not in asked and ref.id in there)
    return frozenset(ref.id for ref in gone if not game.is_there(ref))


def linked(game: Game, this: Ref, slot: tuple[str | int, ...]) -> Link | None:
    """The abilities linked to one of an object's abilities, as the object is or last was; `None` if no card
    asks for them.

    CR 607.1: one refers only to what the other has done.
    """
    if LinkedAbilities not in game.mentions:
        return None
    board, view = as_it_last_was(game, this)
    return link_of(this.id, slot, board, view)


def still_there(game: Game, refs: Iterable[Ref]) -> tuple[Ref, ...]:
    """The objects and players among these that can still be found (CR 608.2h, 400.7: not if it is no longer
    the same object).
    """
    return tuple(ref for ref in refs if game.is_there(ref))


def ref_after_move(before: Game, after: Game, ref: Ref) -> Ref:
    """A reference that follows its object into the public zone where an effect or cost has just moved it.

    CR 400.7j: other parts of that effect can find it there. CR 400.2: hand and library are not public zones.
    """
    if before.board.things is after.board.things:
        return ref
    then, now = before.board.things.get(ref.id), after.board.things.get(ref.id)
    if then is None or now is None or then.born == now.born or then.born not in (ref.born, ref.then):
        return ref
    return Ref(ref.id, ref.born, None if now.zone in ("hand", "library") else now.born)

"""Ways to get cards with several faces wrong."""

from __future__ import annotations

import msgspec

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import casting, resolving, timing
from reference_engine.game.events import Moved
from reference_engine.game.game import Game, Rejected, StackItem
from reference_engine.game.zones import moved
from reference_engine.language.characteristics import PROTOTYPED, playable_faces


def judged_by_the_front(game: Game, player: str, id: str, method: str | None) -> None:
    """A nonland face may be cast only if the front face is a nonland too, and the reverse."""
    thing = game.board.things[id]
    front = game.board.with_things(msgspec.structs.replace(thing, face_up="front"))
    timing.may_cast_from(msgspec.structs.replace(game, board=front), player, id, method)


def front_face_again(game: Game, event: Moved, before: Game) -> Game:
    """A spell becomes a permanent with its front face up."""
    if event.origin == "stack" and event.entering is not None:
        event = msgspec.structs.replace(
            event, entering=msgspec.structs.replace(event.entering, face_up="front")
        )
    return moved(game, event, before)


def back_face_remembered(game: Game, event: Moved, before: Game) -> Game:
    """A double-faced card keeps its back face up in every zone."""
    was = event.token or game.board.things.get(event.id)
    after = moved(game, event, before)
    thing = after.board.things.get(event.id)
    if was is None or thing is None or event.entering is not None or not was.transformed:
        return after
    turned = msgspec.structs.replace(thing, face_up="back")
    return msgspec.structs.replace(after, board=after.board.with_things(turned))


def both_halves(game: Game, id: str, name: str | None) -> Game:
    """A split card has both halves on the stack as well."""
    chosen = casting.with_face_chosen(game, id, name)
    return game if game.board.things[id].card.halves else chosen


def front_face_only(game: Game, id: str, name: str | None) -> Game:
    """A double-faced card is only played as its front face."""
    thing = game.board.things[id]
    if name is not None and playable_faces(thing.card).get(name) == "back":
        raise Rejected(f"{id} can't be played as {name}")
    return casting.with_face_chosen(game, id, name)


def no_adventure(game: Game, item: StackItem) -> Game:
    """An Adventure goes to the graveyard as it resolves."""
    return resolving.off_the_stack(game, item, item.goes_to, "resolved")


def lost_on_an_adventure(game: Game, item: StackItem) -> Game:
    """A card on an Adventure can't be played from exile."""
    after = resolving.after_following(game, item)
    thing = after.board.things.get(item.id)
    if thing is None or thing.playable_by is None:
        return after
    lost = msgspec.structs.replace(thing, playable_by=None)
    return msgspec.structs.replace(after, board=after.board.with_things(lost))


def adventure_again(game: Game, player: str, id: str, method: str | None) -> None:
    """A card on an Adventure may be cast as an Adventure once more."""
    thing = game.board.things[id]
    if thing.zone == "exile" and thing.playable_by == player:
        return
    timing.may_cast_from(game, player, id, method)


def normal_again(game: Game, item: StackItem) -> Game:
    """A prototyped spell becomes a permanent with its card's normal characteristics."""
    thing = game.board.things[item.id]
    if thing.face_up == PROTOTYPED:
        normal = game.board.with_things(msgspec.structs.replace(thing, face_up="front"))
        game = msgspec.structs.replace(game, board=normal)
    return resolving.resolve_permanent(game, item)


def prototyped_for_good(game: Game, event: Moved, before: Game) -> Game:
    """A card that was cast prototyped has those characteristics in every zone."""
    was = event.token or game.board.things.get(event.id)
    after = moved(game, event, before)
    thing = after.board.things.get(event.id)
    if was is None or thing is None or was.face_up != PROTOTYPED:
        return after
    still = msgspec.structs.replace(thing, face_up=PROTOTYPED)
    return msgspec.structs.replace(after, board=after.board.with_things(still))


FACES: tuple[Mutant, ...] = (
    mutant(
        "prototypes-grow",
        "718.3b",
        "Gives a prototyped permanent its normal characteristics.",
        resolve_permanent=normal_again,
    ),
    mutant(
        "prototypes-everywhere",
        "718.4",
        "Keeps a card prototyped in every zone.",
        moved=prototyped_for_good,
    ),
    mutant(
        "faces-judged-by-the-front",
        "712.11c",
        "Judges whether a face can be cast by the front face of its card.",
        may_cast_from=judged_by_the_front,
    ),
    mutant("faces-back-to-front", "712.13", "Lets every spell enter front face up.", moved=front_face_again),
    mutant(
        "faces-kept-everywhere",
        "712.8a",
        "Leaves the back face up when a double-faced card leaves the battlefield.",
        moved=back_face_remembered,
    ),
    mutant(
        "faces-front-only",
        "712.11b",
        "Plays modal double-faced cards only by their front face.",
        with_face_chosen=front_face_only,
    ),
    mutant(
        "split-cards-never-split",
        "709.3b",
        "Leaves both halves of a split card on the stack.",
        with_face_chosen=both_halves,
    ),
    mutant(
        "adventures-end-in-the-graveyard",
        "715.3d",
        "Puts a resolved Adventure into the graveyard.",
        after_following=no_adventure,
    ),
    mutant(
        "adventures-without-return",
        "715.3d",
        "Exiles an Adventure and lets nobody play it from there.",
        after_following=lost_on_an_adventure,
    ),
    mutant(
        "adventures-without-end",
        "715.3d",
        "Lets a card on an Adventure be cast as an Adventure again.",
        may_cast_from=adventure_again,
    ),
)

"""Rooms: permanents of two halves, each of which counts only while it is unlocked (CR 709.5)."""

from __future__ import annotations

from reference_engine.game.events import DoorTurned, Moved
from reference_engine.game.game import Game, Question, Rejected, StackItem, thing_of
from reference_engine.game.happening import happen
from reference_engine.game.occurrences import Occurring
from reference_engine.game.questions import take_answer
from reference_engine.game.scene import Scene, affected_refs, askers, on_battlefield
from reference_engine.language.actions import UnlockAction
from reference_engine.language.cards import LockDoor, UnlockDoor
from reference_engine.language.characteristics import BOTH, LEFT_AND_RIGHT, Characteristics, HeldAbility
from reference_engine.language.words import Half
from reference_engine.layers.board import Thing


def unlocked_as_it_enters(thing: Thing, item: StackItem) -> frozenset[Half]:
    """The halves that are unlocked as a resolving spell enters (CR 709.5d: the one that was cast)."""
    if item.copy:
        return frozenset()
    return frozenset(half for half in LEFT_AND_RIGHT if half == thing.face_up)


def halves_by_name(look: Characteristics, halves: frozenset[Half]) -> dict[str, Half]:
    """These halves of a Room, by their names."""
    return (
        {
            door.name or "": half
            for half, door in zip(LEFT_AND_RIGHT, look.doors, strict=True)
            if half in halves
        }
        if look.doors
        else {}
    )


def unlock(game: Game, action: UnlockAction, player: str) -> tuple[Half, str]:
    """The half of a Room that a player may unlock by a special action, and its unlock cost.

    CR 709.5e: its controller, for the mana cost of that half, in a main phase of their turn with an empty
    stack.
    """
    thing = thing_of(game, action.what)
    look = game.look(thing.id)
    if thing.zone != "battlefield" or look.controller != player:
        raise Rejected(f"{player} controls no permanent {action.what}")
    if not game.rules.may_unlock_now(game, player):
        raise Rejected(f"{player} can't unlock anything now (CR 709.5e)")
    locked = halves_by_name(look, BOTH - thing.unlocked)
    if not locked:
        raise Rejected(f"{action.what} has no locked half (CR 709.5e)")
    if action.door is None and len(locked) > 1:
        raise Rejected(f"{action.what}: say which: door: {' or '.join(locked)}")
    half = next(iter(locked.values())) if action.door is None else locked.get(action.door)
    if half is None:
        raise Rejected(f"{action.door} is no locked half of {action.what} (CR 709.5e)")
    return half, game.rules.unlock_cost(look, half)


def may_unlock_now(game: Game, player: str) -> bool:
    """Whether it is a time to unlock a half (CR 709.5e: a main phase of one's turn, with an empty stack)."""
    return game.rules.could_cast_a_sorcery(game, player)


def unlock_cost(look: Characteristics, half: Half) -> str:
    """The mana that unlocks a half of a Room (CR 709.5e: the mana cost of that half)."""
    return look.doors[LEFT_AND_RIGHT.index(half)].cost or ""


def doors_turned(game: Game, scene: Scene, instruction: UnlockDoor | LockDoor) -> Game:
    """The game after an instruction has unlocked or locked a half of each of some Rooms.

    CR 709.5f, 709.5g: the player who follows it chooses a locked half to unlock, or an unlocked one to lock.
    """
    unlocks = isinstance(instruction, UnlockDoor)
    for id in on_battlefield(game, affected_refs(game, scene, instruction.what)):
        unlocked = game.board.things[id].unlocked
        names = halves_by_name(game.look(id), BOTH - unlocked if unlocks else unlocked)
        if not names:
            continue
        door = next(iter(names))
        if len(names) > 1:
            game, answer = take_answer(game, Question("name", scene.you, askers(game, scene), tuple(names)))
            door = str(answer[0])
        game = happen(game, DoorTurned(id, names[door], scene.you, unlocks))
    return game


def is_its_door(held: HeldAbility, event: Occurring) -> bool:
    """Whether an event unlocks the half of a Room that has this ability.

    CR 709.5h: as the Room enters or afterward. CR 709.5: a locked half gives no abilities.
    """
    half: Half = "right" if held.slot[:1] == ("right",) else "left"
    match event:
        case DoorTurned():
            return event.half == half
        case Moved():
            return event.entering is not None
        case _:
            return False


def is_fully_unlocked(game: Game, id: str) -> bool:
    """Whether both halves of a Room are unlocked (CR 709.5i)."""
    return game.board.things[id].unlocked == BOTH

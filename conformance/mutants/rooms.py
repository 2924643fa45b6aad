"""Ways to get Rooms wrong."""

from __future__ import annotations

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import rooms
from reference_engine.game.events import DoorTurned, Moved
from reference_engine.game.game import Game, StackItem
from reference_engine.game.occurrences import Occurring
from reference_engine.game.scene import Scene
from reference_engine.language.cards import LockDoor, UnlockDoor
from reference_engine.language.characteristics import BOTH, Characteristics, HeldAbility
from reference_engine.language.words import Half
from reference_engine.layers.board import Thing


def wide_open(thing: Thing, item: StackItem) -> frozenset[Half]:
    """A Room that was cast enters with both halves unlocked."""
    return BOTH if rooms.unlocked_as_it_enters(thing, item) else frozenset()


def shut(thing: Thing, item: StackItem) -> frozenset[Half]:
    """A Room enters with both halves locked."""
    return frozenset()


def copies_open(thing: Thing, item: StackItem) -> frozenset[Half]:
    """The copy of a Room spell enters with a half unlocked, as though it had been cast."""
    halves: tuple[Half, ...] = ("left", "right")
    return frozenset(half for half in halves if half == thing.face_up)


def at_any_time(game: Game, player: str) -> bool:
    """A half is unlocked whenever its controller has priority."""
    return True


def for_the_other_half(look: Characteristics, half: Half) -> str:
    """A half is unlocked for the mana cost of the other half."""
    return rooms.unlock_cost(look, "left" if half == "right" else "right")


def for_nothing(look: Characteristics, half: Half) -> str:
    """A half is unlocked for nothing."""
    return ""


def only_afterward(held: HeldAbility, event: Occurring) -> bool:
    """Unlocking a half does not trigger as the Room enters."""
    return not isinstance(event, Moved) and rooms.is_its_door(held, event)


def any_door(held: HeldAbility, event: Occurring) -> bool:
    """Unlocking any half of a Room triggers the abilities of both."""
    return isinstance(event, DoorTurned) or (
        isinstance(event, Moved) and event.entering is not None and bool(event.entering.unlocked)
    )


def any_half_will_do(game: Game, id: str) -> bool:
    """A Room is fully unlocked with each half."""
    return True


def never_locked(game: Game, scene: Scene, instruction: UnlockDoor | LockDoor) -> Game:
    """Nothing locks a half again."""
    return game if isinstance(instruction, LockDoor) else rooms.doors_turned(game, scene, instruction)


def never_unlocked(game: Game, scene: Scene, instruction: UnlockDoor | LockDoor) -> Game:
    """No effect unlocks a half."""
    return game if isinstance(instruction, UnlockDoor) else rooms.doors_turned(game, scene, instruction)


ROOM_MUTANTS: tuple[Mutant, ...] = (
    mutant("rooms-wide-open", "709.5d", "Unlocks both halves of a Room.", unlocked_as_it_enters=wide_open),
    mutant("rooms-shut", "709.5d", "Unlocks no half of a Room that enters.", unlocked_as_it_enters=shut),
    mutant("rooms-copied-open", "709.5d", "Unlocks copies of Rooms.", unlocked_as_it_enters=copies_open),
    mutant("rooms-unlocked-anytime", "709.5e", "Unlocks halves at any time.", may_unlock_now=at_any_time),
    mutant(
        "rooms-unlocked-for-the-other-half",
        "709.5e",
        "Unlocks a half for the mana cost of the other.",
        unlock_cost=for_the_other_half,
    ),
    mutant("rooms-unlocked-for-nothing", "709.5e", "Unlocks halves for nothing.", unlock_cost=for_nothing),
    mutant("rooms-never-locked", "709.5g", "Never locks a half.", doors_turned=never_locked),
    mutant("rooms-closed-to-effects", "709.5f", "No effect unlocks a half.", doors_turned=never_unlocked),
    mutant(
        "doors-silent-as-the-room-enters",
        "709.5h",
        "Triggers nothing for the half that is unlocked as a Room enters.",
        is_its_door=only_afterward,
    ),
    mutant("doors-heard-by-both-halves", "709.5h", "Triggers both halves for each.", is_its_door=any_door),
    mutant(
        "rooms-fully-unlocked-by-half",
        "709.5i",
        "Takes a Room with one unlocked half for fully unlocked.",
        is_fully_unlocked=any_half_will_do,
    ),
)

"""Everything the layers read: objects in their zones with status and timestamps, and lasting effects.

Only values: `reference_engine.game` creates them, and `evaluation` computes how the objects look.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, overload

import msgspec
from msgspec import Struct

from reference_engine.language.cards import Card, Condition, Duration, Layer, Operation, Selector
from reference_engine.language.characteristics import Characteristics, faces_of
from reference_engine.language.words import CounterKind, Daytime, FaceUp, Half, Step, Zone

if TYPE_CHECKING:
    from reference_engine.layers.evaluation import Evaluation
    from reference_engine.layers.past import PastEvent
    from reference_engine.layers.rules import Rules
    from reference_engine.layers.view import Appearance

_Kept = TypeVar("_Kept")


class once(Generic[_Kept]):
    """A property of a value that never changes: worked out when it is first asked for, then kept."""

    def __init__(self, work_out: Callable[[Any], _Kept]) -> None:
        self.func = work_out

    @overload
    def __get__(self, value: None, kind: type) -> once[_Kept]: ...
    @overload
    def __get__(self, value: object, kind: type) -> _Kept: ...
    def __get__(self, value: object | None, kind: type) -> _Kept | once[_Kept]:
        if value is None:
            return self
        kept = value.__dict__[self.func.__name__] = self.func(value)
        return kept


class Pile(Struct, frozen=True):
    """Counters of one kind on an object; they share one timestamp (CR 613.7c: that of the newest counter)."""

    kind: CounterKind
    n: int
    timestamp: int = 0


class ChoicesMade(Struct, frozen=True):
    """The choices made for an object as it entered, as it was turned face up, or as it was cast."""

    color: str | None = None
    type: str | None = None
    name: str | None = None
    number: int | None = None
    player: str | None = None
    x: int | None = None
    under_by: tuple[str | int, ...] | None = None
    """How the object had acquired its text by copying when the choice was made (CR 607.1: linked abilities);
    none if the choice counts for any text.
    """

    def for_text(self, text_by: tuple[str | int, ...]) -> ChoicesMade:
        """The choices that apply while the object has its own text, or one that it has copied in this way.

        CR 607.5a: a choice made for the abilities of another card, which the object had copied, does not
        count for these abilities, nor does one for abilities that it has copied by another effect. CR 607.1b:
        abilities printed on either face of the object are linked.
        """
        return self if self.under_by in (None, text_by) else ChoicesMade(x=self.x)


class Link(Struct, frozen=True):
    """The abilities that put an object where it is (CR 607.2a, 607.2c: exiled, created or put onto the
    battlefield with them).

    Identifies the object that had them, and the group within its abilities: those printed on it, on either
    face (CR 607.1, 607.1b), those copied by one effect, or those granted by one (CR 607.5: linked to each
    other, whatever else it is a copy of).
    """

    id: str
    born: int
    text_by: tuple[str | int, ...]
    granted: tuple[str | int, ...]


class Thing(Struct, frozen=True, dict=True):
    """An object: a card, token, spell or copy in some zone, with its status.

    `controller` is the controller before any effects: whoever put it there (CR 110.2: permanents). Objects
    outside the battlefield and the stack have none. `timestamp` is the moment it entered its zone, or last
    received a new timestamp (CR 613.7d, 613.7e, 613.7f).
    """

    appearance: ClassVar[Appearance | None] = None
    """How it looks before any effects, once `starting_appearance` has worked it out and kept it."""
    plain_by: ClassVar[Rules | None] = None
    """The rules by which it is known to look as it starts while nothing else changes it."""
    id: str
    card: Card
    owner: str
    zone: Zone
    timestamp: int = 0
    controller: str | None = None
    token: bool = False
    tapped: bool = False
    face_down: bool = False
    face_up: FaceUp = "front"
    """Which of its card's faces, halves or alternative characteristics it has now."""
    level: int = 1
    """The level of a Class (CR 716.2b: a designation; 716.2d: without one, it is treated as 1)."""
    playable_by: str | None = None
    """The player who may play it from exile, because it was exiled on an Adventure (CR 715.3d)."""
    hidden_as: tuple[Operation, ...] = ()
    """Additional characteristics while face down, from the effect that turned it face down (CR 708.2: other
    characteristics).
    """
    unlocked: frozenset[Half] = frozenset()
    """The unlocked halves of a Room on the battlefield (CR 709.5c: designations)."""
    manifested: bool = False
    """Whether it is face down because it was manifested or cloaked (CR 701.40a, 701.58a)."""
    saddled: bool = False
    """Whether it is saddled (CR 702.171b: a designation, which is not copied)."""
    saddled_by: frozenset[tuple[str, int]] = frozenset()
    """The creatures that saddled it this turn, each with the moment it was born."""
    counters: tuple[Pile, ...] = ()
    damage: int = 0
    attached_to: str | None = None
    chosen: ChoicesMade = ChoicesMade()
    attacking: str | None = None
    against: str | None = None
    """Its defending player, kept after it leaves combat (CR 508.5: the player it attacked)."""
    blocking: tuple[str, ...] = ()
    born: int = 0
    """Distinguishes it from the earlier objects of the same card (CR 400.7: each zone change makes a new
    object).
    """
    put_by: Link | None = None
    was: frozenset[str] = frozenset()
    """How it was cast or put onto the battlefield: kicked, unearthed, … (CR 400.7d: a permanent remembers how
    its spell was cast).
    """

    @property
    def face(self) -> Card:
        """The face that is up, which gives the object its starting characteristics (CR 712.8: each face has
        characteristics).
        """
        return face_of(self.card, self.face_up)

    @property
    def transformed(self) -> bool:
        """Whether a double-faced card has its back face up."""
        return self.face_up == "back"

    def count(self, kind: CounterKind) -> int:
        return next((pile.n for pile in self.counters if pile.kind == kind), 0)


def face_of(card: Card, up: FaceUp) -> Card:
    """The face of a card that gives an object its starting characteristics while it is up."""
    return card if up == "front" else faces_of(card)[up]


Mark = Literal["token", "damage", "counters", "attached", "legend"]
"""What may be true of an object, whatever it looks like. A legend is a permanent printed as legendary."""


class Things(dict[str, Thing]):
    """Objects by id, in creation order. Never changed once made, so what depends on them alone is worked out
    once for all boards that share them.
    """

    @once
    def battlefield(self) -> tuple[Thing, ...]:
        """All permanents."""
        return tuple([thing for thing in self.values() if thing.zone == "battlefield"])

    @once
    def marks(self) -> frozenset[Mark]:
        """What is true of any of them."""
        found: set[Mark] = set()
        for thing in self.values():
            if thing.token:
                found.add("token")
            if thing.damage:
                found.add("damage")
            if thing.counters:
                found.add("counters")
            if thing.attached_to is not None:
                found.add("attached")
            if thing.zone == "battlefield" and "Legendary" in thing.card.supertypes:
                found.add("legend")
        return frozenset(found)

    def having(self, *changed: Thing) -> Things:
        """These objects, with some added, or replaced where the id exists."""
        after = Things(self)
        for thing in changed:
            after[thing.id] = thing
        return after

    def without(self, id: str) -> Things:
        """These objects but one."""
        after = Things(self)
        after.pop(id, None)
        return after


class CopyValues(Struct, frozen=True, tag_field="op", tag="copy_values"):
    """A copy effect that has begun, with copiable values fixed at that moment (CR 707.2b: later changes don't
    matter).
    """

    values: Characteristics


class SetCopiable(Struct, frozen=True, tag_field="op", tag="set_copiable"):
    """Operations that are part of an object's copiable values: from entering, from being turned face up, or
    from a copy's exceptions.

    CR 613.2a: they apply in the layer of copy effects, whatever they do.
    """

    does: tuple[Operation, ...]


class FaceDown(Struct, frozen=True, tag_field="op", tag="face_down"):
    """Being face down: a 2/2 creature without name, colour, subtypes, mana cost or abilities (CR 708.2a)."""

    layer: ClassVar[Layer] = "1b"


SettledOperation = Operation | CopyValues | SetCopiable | FaceDown


class SettledPart(Struct, frozen=True):
    """One part of an effect that has begun, with a fixed set, or (for rules effects and statics) still a
    selector.
    """

    affects: frozenset[str] | Selector
    does: tuple[SettledOperation, ...]
    players: bool = False
    """Whether the set consists of players."""


AFFECTED = "affected"
"""What an effect calls the objects that it affects, where it has to know them after they have left."""


class Lasting(Struct, frozen=True, cache_hash=True):
    """A continuous effect that began as a spell or ability resolved, or as an object entered.

    CR 611.2c: its affected set was fixed when it began. CR 611.2d: so were its variables; any quantities left
    in the operations are those that keep changing.
    """

    id: str
    source: str
    you: str
    timestamp: int
    parts: tuple[SettledPart, ...]
    until: Duration = "ever"
    turn: int = 0
    """The turn in which it began."""
    as_long_as: Condition | None = None
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What `the …` refers to in it."""
    x: int | None = None
    that_much: int = 0
    link: Link | None = None
    """The abilities linked to the one that began it, as its source was then."""
    born: tuple[int, int | None] | None = None
    """Since when its source had been the object that began it, and the one, if any, that this became through
    the cost; none if that does not matter (CR 400.7).
    """
    origins: tuple[tuple[str, str, int], ...] = ()
    """Names in it, each with an object that it referred to as it began, and since when that was this object:
    damage that the object deals comes from it even when it is gone (CR 609.7a). `AFFECTED`: what it affects.
    """
    leaves_with: str | None = None
    """The object whose leaving the battlefield ends the effect (choices made as it entered, copies)."""
    while_attached: str | None = None
    """The object that the effect is about until it becomes unattached."""
    goes_on: bool = False
    """Whether it is the rest of an effect that has begun before, and is as old as that."""


class Seat(Struct, frozen=True):
    """The state of a player that layers may read. The board lists players in turn order."""

    id: str
    life: int = 20
    team: str | None = None
    counters: tuple[Pile, ...] = ()
    hand: tuple[str, ...] = ()
    library: tuple[str, ...] = ()
    graveyard: tuple[str, ...] = ()
    """Card ids; in zones that have a top, from the top down."""
    left: bool = False
    """Whether the player has left the game (CR 800.4a)."""
    last_hand: int = 0
    """The number of cards that were in the hand as the player left (CR 608.2h: last known information)."""


class NotModelled(Exception):
    """The engine does not support what is needed here."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


class TooLarge(NotModelled):
    """What would take too much time or memory to work out: a board, or an instruction to do something very
    often.
    """


MOST_REPETITIONS = 10_000


def repeatable(n: int) -> int:
    """A number of things that are done or made one by one. Raises `TooLarge` if there are too many."""
    if n > MOST_REPETITIONS:
        raise TooLarge(f"something done {n} times (at most {MOST_REPETITIONS})")
    return n


class PhasedOut(Struct, frozen=True):
    """A permanent that is phased out (CR 702.26b: it is treated as though it did not exist)."""

    thing: Thing
    under: str
    """The player who controlled it as it phased out."""
    along: bool = False
    """Whether it phased out with what it is attached to (CR 702.26g: indirectly)."""
    host_born: int | None = None
    """Distinguishes the permanent it was attached to from later objects of the same card."""


class Board(Struct, frozen=True, dict=True):
    """All objects, by id in creation order, and the lasting effects. Immutable."""

    seen: ClassVar[Evaluation | None] = None
    """How everything looks, once `evaluate` has worked it out and kept it with the board."""
    foreseen: ClassVar[Board | None] = None
    """The board on which it was last determined how a permanent enters this one."""
    seats: tuple[Seat, ...]
    things: Things
    effects: tuple[Lasting, ...] = ()
    active: str = ""
    step: Step = "precombat main"
    damaged: Mapping[str, frozenset[tuple[str, int]]] = {}
    """For each object, the sources that dealt damage to it this turn."""
    unblocked: frozenset[str] = frozenset()
    """Attackers that have become unblocked."""
    phased_out: tuple[PhasedOut, ...] = ()
    blessed: frozenset[str] = frozenset()
    """The players with the city's blessing (CR 702.131c: for the rest of the game)."""
    monarch: str | None = None
    """The player who is the monarch (CR 725.3: at most one)."""
    daytime: Daytime | None = None
    """Whether it is day or night, if it is either."""
    past_before: tuple[PastEvent, ...] = ()
    """What happened in the turn before this one, likewise."""
    past: tuple[PastEvent, ...] = ()
    """What happened this turn, in order; kept only if a card of the game asks about it."""

    def with_things(self, *changed: Thing) -> Board:
        """The board with these objects added, or replaced where the id exists."""
        return msgspec.structs.replace(self, things=self.things.having(*changed))

    def without_thing(self, id: str) -> Board:
        return msgspec.structs.replace(self, things=self.things.without(id))

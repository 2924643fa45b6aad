"""All that the layers read: objects in their zones, their status and timestamps, and the effects that last.

Values only. How they come to be so is the game's business (`game`); what the objects look like
because of it is that of `layers`.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from reference_engine.language.cards import Card, Condition, Duration, Operation, Selector
from reference_engine.language.characteristics import Characteristics
from reference_engine.language.words import CounterKind, Step, Zone


class Pile(Struct, frozen=True):
    """Counters of one kind on an object; they share one timestamp (CR 613.7c: the newest one's)."""

    kind: CounterKind
    n: int
    timestamp: int = 0


class Chosen(Struct, frozen=True):
    """What was chosen for an object as it entered or was turned up, or while it was cast."""

    color: str | None = None
    type: str | None = None
    name: str | None = None
    number: int | None = None
    player: str | None = None
    x: int | None = None
    under: str | None = None
    """Whose text the object had, copying included, when something was chosen (CR 607.1: linked abilities)."""

    def for_text(self, text: str | None, faces: frozenset[str]) -> Chosen:
        """What was chosen for the abilities that an object with the text of this card has.

        CR 607.5a: a choice that was made for the abilities of another card, which the object has copied,
        is no choice for these. CR 607.1b: what is printed on either of the object's faces goes together.
        """
        same = self.under in (None, text) or (self.under in faces and text in faces)
        return self if same else Chosen(x=self.x)


class Link(Struct, frozen=True):
    """Which abilities put an object where it is (CR 607.2a, 607.2c: exiled, created, put there with them).

    Whose they were, as the object that `id` was then; and which of its abilities belong together: those of
    one text (CR 607.1: printed on it), or those that one effect granted (CR 607.5: linked to each other).
    """

    id: str
    born: int
    text: str | None
    granted: tuple[str | int, ...]


class Thing(Struct, frozen=True):
    """An object: a card, token, spell or copy in some zone, with its status.

    `controller` is who controls it before any effect: who put it there (CR 110.2: permanents). Outside
    battlefield and stack nobody does. `timestamp` is when it entered its zone, or the latest of the
    moments that gave it a new one (CR 613.7d, 613.7e, 613.7f).
    """

    id: str
    card: Card
    owner: str
    zone: Zone
    timestamp: int = 0
    controller: str | None = None
    token: bool = False
    tapped: bool = False
    face_down: bool = False
    transformed: bool = False
    """Whether the back face of a double-faced card is up."""
    hidden_as: tuple[Operation, ...] = ()
    """What it is besides while it is face down, if what turned it says so (CR 708.2: other
    characteristics).
    """
    counters: tuple[Pile, ...] = ()
    damage: int = 0
    attached_to: str | None = None
    chosen: Chosen = Chosen()
    attacking: str | None = None
    against: str | None = None
    """The defending player for it, also after it has left combat (CR 508.5: whom it attacked)."""
    blocking: tuple[str, ...] = ()
    born: int = 0
    """Tells it from the objects that its card was before (CR 400.7: a new one in each zone)."""
    put_by: Link | None = None
    was: frozenset[str] = frozenset()
    """How it was cast or put onto the battlefield: kicked, unearthed, … (CR 400.7d: a permanent knows how the
    spell was cast).
    """

    @property
    def face(self) -> Card:
        """The face that is up: what the object starts from (CR 712.8: each face has characteristics)."""
        return self.card.back if self.transformed and self.card.back is not None else self.card

    @property
    def faces(self) -> frozenset[str]:
        """The names of its card's faces."""
        return frozenset(face.name for face in (self.card, self.card.back) if face is not None)

    def count(self, kind: CounterKind) -> int:
        """How many counters of a kind it has."""
        return next((pile.n for pile in self.counters if pile.kind == kind), 0)


class CopyValues(Struct, frozen=True, tag_field="op", tag="copy_values"):
    """A copy effect that has begun: these copiable values, settled when it began (CR 707.2b: later changes
    don't matter).
    """

    values: Characteristics


class SetCopiable(Struct, frozen=True, tag_field="op", tag="set_copiable"):
    """Operations that became part of an object's copiable values: as it entered, as it turned up, or as a
    copy's exceptions.

    CR 613.2a: they apply in the layer of copy effects, whatever they do.
    """

    does: tuple[Operation, ...]


SettledOperation = Operation | CopyValues | SetCopiable


class SettledPart(Struct, frozen=True):
    """A part of an effect that has begun: its set is fixed, or (rules, statics) still a selector."""

    affects: frozenset[str] | Selector
    does: tuple[SettledOperation, ...]
    players: bool = False
    """Whether the set is one of players."""


class Lasting(Struct, frozen=True):
    """A continuous effect that a resolved spell or ability (or an entry) began.

    CR 611.2c: its affected set was settled when it began. CR 611.2d: so were its variables; quantities
    left in the operations are those that keep changing.
    """

    id: str
    source: str
    you: str
    timestamp: int
    parts: tuple[SettledPart, ...]
    until: Duration = "ever"
    as_long_as: Condition | None = None
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What `the …` stands for in it."""
    x: int | None = None
    leaves_with: str | None = None
    """The object with which the effect ends when it leaves the battlefield (as-enters choices, copies)."""


class Seat(Struct, frozen=True):
    """A player as the layers may ask about them; seats stand in turn order."""

    id: str
    life: int = 20
    team: str | None = None
    counters: tuple[Pile, ...] = ()
    hand: tuple[str, ...] = ()
    library: tuple[str, ...] = ()
    graveyard: tuple[str, ...] = ()
    """Ids, top first where there is a top."""


class Board(Struct, frozen=True, dict=True):
    """Everything that exists, by id in creation order, and the effects that last. Never changed in place."""

    seats: tuple[Seat, ...]
    things: Mapping[str, Thing]
    effects: tuple[Lasting, ...] = ()
    active: str = ""
    step: Step = "precombat main"
    damaged: Mapping[str, frozenset[str]] = {}
    """For each object, what dealt damage to it this turn."""
    unblocked: frozenset[str] = frozenset()
    """Attackers that became unblocked."""

    def with_things(self, *changed: Thing) -> Board:
        """The board with these objects in place of those of the same id, or added."""
        return msgspec.structs.replace(self, things={**self.things, **{thing.id: thing for thing in changed}})

    def without_thing(self, id: str) -> Board:
        """The board without this object."""
        return msgspec.structs.replace(self, things={k: v for k, v in self.things.items() if k != id})

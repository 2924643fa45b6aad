"""How everything looks at one moment of the layers' work.

Objects that look the same form one group, so an effect changes each look once, however many objects share it.
Other modules need not know: they ask for one object's look, or change a set of objects and get a new view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.language.cards import Operation
from reference_engine.language.characteristics import Characteristics, printed_characteristics, with_unlocked
from reference_engine.language.words import CounterKind, Zone
from reference_engine.layers.board import Link, Thing, Things, once


class Status(Struct, frozen=True, cache_hash=True):
    """What effects may ask about an object besides its characteristics; no layer changes it."""

    owner: str
    zone: Zone
    token: bool = False
    tapped: bool = False
    face_down: bool = False
    attacking: bool = False
    blocking: bool = False
    saddled: bool = False
    damage: int = 0
    counters: tuple[tuple[CounterKind, int], ...] = ()
    hidden_as: tuple[Operation, ...] = ()
    x: int = 0
    """The X announced for it, while it is a spell."""
    put_by: Link | None = None
    level: int = 1


Appearance = tuple[Characteristics, Status]
FEW = 8
"""Among at most this many looks, asking each whether it has an object is faster than an index."""
BATTLEFIELD: frozenset[Zone] = frozenset({"battlefield"})
Crowd = list[tuple[Appearance, frozenset[str]]]
"""Some objects, grouped by look."""


class Members:
    """Some objects, stored as the disjoint sets in which they were found; merged only when needed.

    Most effects on many objects reach the same groups again in the next layer. A group that is the same set
    as before is recognised without examining its members.
    """

    __slots__ = ("_all", "parts")

    def __init__(self, parts: Iterable[frozenset[str]]) -> None:
        self.parts = tuple(parts)
        self._all: frozenset[str] | None = None

    @property
    def all(self) -> frozenset[str]:
        """All of them in one set."""
        if self._all is None:
            self._all = self.parts[0] if len(self.parts) == 1 else frozenset().union(*self.parts)
        return self._all

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Members):
            return NotImplemented
        same = {id(part) for part in self.parts} == {id(part) for part in other.parts}
        return same or self.all == other.all

    def __hash__(self) -> int:
        return hash(self.all)


class View:
    """The looks of all objects. Immutable."""

    def __init__(
        self, groups: Mapping[Appearance, frozenset[str]], index: dict[str, Appearance] | None = None
    ) -> None:
        self.groups = groups
        self._index = index
        """Each object's appearance, once it is needed; a changed view takes it over, unless it is kept."""
        self._kept = False
        self._patience: int | None = None
        """How many looks may still be asked whether they have an object, before an index is made."""

    def look(self, id: str) -> Characteristics:
        return self.both(id)[0]

    def both(self, id: str) -> Appearance:
        """An object's characteristics and status."""
        found = self._found(id)
        if found is None:
            raise KeyError(id)
        return found

    def _found(self, id: str) -> Appearance | None:
        """An object's appearance; None for an unknown id."""
        if self._index is not None or (len(self.groups) > FEW and self._deserves_index()):
            return self.index().get(id)
        for look, members in self.groups.items():
            if id in members:
                return look
        return None

    def _deserves_index(self) -> bool:
        """Whether asking each look for single objects has taken about as long as making an index would."""
        if self._patience is None:
            self._patience = sum(map(len, self.groups.values()))
        self._patience -= len(self.groups)
        return self._patience < 0

    def index(self) -> dict[str, Appearance]:
        """Each object's appearance, by its id."""
        if self._index is None:
            self._index = {id: look for look, members in self.groups.items() for id in members}
        return self._index

    def kept_index(self) -> Mapping[str, Appearance]:
        """Each object's appearance, by its id, for someone who keeps it: this index never changes."""
        self._kept = True
        return self.index()

    @once
    def on_battlefield(self) -> Crowd:
        """The permanents, grouped by look and status."""
        return [one for one in self.groups.items() if one[0][1].zone == "battlefield"]

    @once
    def words_on_battlefield(self) -> frozenset[str]:
        """All types, subtypes and supertypes that any permanent has."""
        words: set[str] = set()
        for (look, _), _ in self.on_battlefield:
            words.update(look.types, look.subtypes, look.supertypes)
        return frozenset(words)

    def in_zones(self, zones: frozenset[Zone]) -> Crowd:
        """The objects in these zones, grouped by look."""
        if zones == BATTLEFIELD:
            return self.on_battlefield
        return [one for one in self.groups.items() if one[0][1].zone in zones]

    def cost_and_x(self, id: str) -> tuple[str | None, int]:
        """The mana cost that determines an object's mana value, and its X."""
        look, status = self.both(id)
        return look.cost or look.front_cost, status.x

    def crowd(self, ids: Iterable[str]) -> Crowd:
        """These objects, grouped by look; unknown ids are left out."""
        wanted = ids if isinstance(ids, frozenset) else frozenset(ids)
        if len(wanted) == 1:
            (id,) = wanted
            found_look = self._found(id)
            return [] if found_look is None else [self.one_of(found_look, wanted)]
        found: Crowd = []
        for look, members in self.groups.items():
            some = members & wanted
            if some:
                found.append((look, members if len(some) == len(members) else some))
        return found

    def one_of(self, look: Appearance, wanted: frozenset[str]) -> tuple[Appearance, frozenset[str]]:
        """One object with this look, as part of a crowd."""
        members = self.groups[look]
        return look, members if len(members) == 1 else wanted

    def crowd_of(self, wanted: Members) -> Crowd:
        """Objects that were found earlier, grouped by their look now."""
        if [len(part) for part in wanted.parts] == [1]:
            return View.crowd(self, wanted.parts[0])
        same = {id(part) for part in wanted.parts}
        there = {id(members) for members in self.groups.values()}
        rest = frozenset[str]().union(*(part for part in wanted.parts if id(part) not in there))
        found: Crowd = []
        for look, members in self.groups.items():
            some = members if id(members) in same else members & rest
            if some:
                found.append((look, members if len(some) == len(members) else some))
        return found

    def parts_of_groups(self, crowd: Crowd) -> int:
        """The number of objects of a crowd in sets of its own, not whole groups of this view."""
        return sum(len(members) for look, members in crowd if members is not self.groups.get(look))

    def changed(self, crowd: Crowd, change: Callable[[Characteristics], Characteristics]) -> View:
        """The view after the same change to every object of the crowd."""
        groups = dict(self.groups)
        moved: Crowd = []
        for look, members in crowd:
            new = change(look[0])
            if new is look[0] or new == look[0]:
                continue
            whole = groups.pop(look)
            if len(whole) != len(members):
                groups[look] = whole - members
            moved.append(((new, look[1]), members))
        if not moved:
            return self
        for look, members in moved:
            there = groups.get(look)
            groups[look] = members if there is None else there | members
        return View(groups, self._index_after(moved))

    def _index_after(self, moved: Crowd) -> dict[str, Appearance] | None:
        """The index of a view in which these objects look different: this view's, taken over, or copied if it
        is kept. If most objects look different, it is made anew as soon as it is needed.
        """
        index = self._index
        if index is None or 2 * sum(len(members) for _, members in moved) > len(index):
            return None
        if self._kept:
            index = dict(index)
        else:
            self._index = None
        for look, members in moved:
            index.update(dict.fromkeys(members, look))
        return index


def status(thing: Thing) -> Status:
    return Status(
        thing.owner,
        thing.zone,
        thing.token,
        thing.tapped,
        thing.face_down,
        thing.attacking is not None,
        bool(thing.blocking),
        thing.saddled,
        thing.damage,
        tuple([(pile.kind, pile.n) for pile in thing.counters]) if thing.counters else (),
        thing.hidden_as,
        (thing.chosen.x or 0) if thing.zone == "stack" else 0,
        thing.put_by,
        thing.level,
    )


NO_CHARACTERISTICS = Characteristics(
    name=None,
    cost=None,
    colors=frozenset(),
    supertypes=frozenset(),
    types=frozenset(),
    subtypes=frozenset(),
)
"""How a card looks that lies face down in exile (CR 406.3a)."""


def starting_appearance(thing: Thing) -> Appearance:
    """How an object looks before any effects; computed once per object."""
    appearance = thing.appearance
    if appearance is None:
        hidden = thing.face_down and thing.zone == "exile"
        look = NO_CHARACTERISTICS if hidden else printed_characteristics(thing.face, thing.controller)
        if thing.zone == "battlefield" and (look.doors or thing.unlocked):
            look = replace(with_unlocked(look, thing.unlocked), unlocked=thing.unlocked)
        if thing.transformed and not thing.card.modal:
            look = replace(look, front_cost=thing.card.cost)
        appearance = thing.__dict__["appearance"] = (look, status(thing))
    return appearance


def starting_view(things: Things) -> View:
    """CR 613.1: every object with the characteristics of its card or of the effect that created it, before
    other effects. Computed once for the same objects.
    """
    memory = things.__dict__
    view: View | None = memory.get("starting_view")
    if view is None:
        index: dict[str, Appearance] = {}
        alike: dict[Appearance, list[str]] = {}
        for id, thing in things.items():
            look = index[id] = thing.appearance or starting_appearance(thing)
            alike.setdefault(look, []).append(id)
        groups = dict(zip(alike, map(frozenset, alike.values()), strict=True))
        view = memory["starting_view"] = View(groups, index)
    return view

"""The continuous effects that exist at a moment: those of resolved spells and abilities, of counters, and of
static abilities.

`evaluation` asks which effects are waiting in a layer; the answer changes as abilities come and go.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING, get_args

from msgspec import Struct

from reference_engine.language.cards import (
    Defines,
    Everyone,
    Gain,
    Keyword,
    Layer,
    Modify,
    Selector,
    Static,
)
from reference_engine.language.characteristics import Characteristics, HeldAbility
from reference_engine.language.keywords import abilities_of_keyword
from reference_engine.language.words import CounterKind, KeywordName, Zone
from reference_engine.layers.board import Board, Lasting, SettledPart, Thing, Things, TooLarge
from reference_engine.layers.effects import ActiveEffect, Shape, shape_of_ability, shape_of_settled
from reference_engine.layers.view import Members, View, starting_appearance

if TYPE_CHECKING:
    from reference_engine.layers.rules import Rules

Key = tuple[str | int, ...]


class Moment(Struct):
    """The state of the layers' work: how everything looks, which effects have begun, and the sets of objects
    that each part of an effect keeps.
    """

    board: Board
    rules: Rules
    view: View
    begun: dict[Key, dict[int, Members]]
    trial: object = None
    """The trials already made at this moment (see `dependency`)."""
    work: int = 0

    def spend(self, work: int) -> None:
        """Count work, in the time that a plain object takes; raise `TooLarge` if there is too much of it."""
        self.work += work
        if self.work > MOST_WORK:
            raise TooLarge(f"a board of {len(self.board.things)} objects with so many effects on one another")


MOST_WORK = 10_000_000
"""For one board. An object of a set that is stored for one effect alone counts too, which bounds memory."""
PER_EFFECT = 10


NO_LAYERS: frozenset[Layer] = frozenset()
OF_COPIES: frozenset[Layer] = frozenset({"1a"})


class Effects:
    """The existing effects, kept up to date while the layers are applied."""

    __slots__ = ("_asked", "_copying", "_fixed", "_layers", "_statics", "last")

    def __init__(self, moment: Moment) -> None:
        board = moment.board
        any_counters = "counters" in board.things.marks
        counted = [thing for thing in board.things.values() if thing.counters] if any_counters else []
        of_counters = [effect for thing in counted for effect in counter_effects(thing)]
        self._fixed = (*lasting_effects(board), *of_counters)
        self._copying = "1a" in [layer for effect in self._fixed for layer in effect.shape.shares]
        """Whether a copy effect is at work (CR 613.1a: only effects that have begun are, no abilities)."""
        self._statics: tuple[ActiveEffect, ...] | None = None
        self._asked: dict[Key, ActiveEffect] = {}
        self._layers: frozenset[Layer] = NO_LAYERS
        self.last = True
        """Whether all effects that have existed do the same as long as the objects stay."""

    @property
    def are_unchanged(self) -> bool:
        """Whether no effect applied since the last query can have changed which effects exist."""
        return self._statics is not None

    def layers(self, moment: Moment) -> frozenset[Layer]:
        """The layers in which any effect works."""
        if self._statics is None:
            self.statics(moment)
        return self._layers

    def forget_abilities(self) -> None:
        """Note that other static abilities may exist now."""
        self._statics = None

    def waiting_in(self, layer: Layer, applied: set[ActiveEffect], moment: Moment) -> list[ActiveEffect]:
        """The effects that work in this layer and have not been applied in it yet.

        CR 613.6: this includes effects that began in an earlier layer, even if their ability is gone by now.
        """
        statics = () if layer == "1a" else self.statics(moment)
        found = [effect for effect in self._fixed + statics if layer in effect.shape.shares]
        if not self._asked:
            return [e for e in found if e not in applied] if applied else found
        found += () if layer == "1a" else self._abilities_gone(layer, moment)
        return [e for e in found if e not in applied and not self._never_began(e, layer, moment)]

    def statics(self, moment: Moment) -> tuple[ActiveEffect, ...]:
        """The effects of the static abilities that exist now."""
        if self._statics is None:
            self._statics = tuple(static_effects(moment))
            at_work = (*self._fixed, *self._statics, *self._asked.values())
            layers = NO_LAYERS.union(*[effect.shape.shares for effect in at_work])
            self._layers = layers if self._copying else layers - OF_COPIES
            for effect in at_work:
                self.last = self.last and effect.shape.lasts
        return self._statics

    def _abilities_gone(self, layer: Layer, moment: Moment) -> list[ActiveEffect]:
        """Effects that began in an earlier layer and also work here, but whose ability is gone."""
        there = {effect.key for effect in self.statics(moment)}
        return [
            effect
            for key, effect in self._asked.items()
            if effect.held is not None
            and layer in effect.shape.shares
            and key not in there
            and moment.rules.continues(effect)
        ]

    def _never_began(self, effect: ActiveEffect, layer: Layer, moment: Moment) -> bool:
        """Whether the condition failed in the first layer the effect works in; it is not checked again
        later.
        """
        return (
            effect.cond is not None
            and effect.key in self._asked
            and effect.key not in moment.begun
            and next(iter(effect.shape.shares)) != layer
        )

    def note(self, effect: ActiveEffect, layer: Layer) -> None:
        """Record that an effect was applied, since this may have changed which abilities exist."""
        if effect.shape.last != layer:
            self._asked[effect.key] = effect
        if layer == "1a" or effect.shape.writes[layer] & {"abilities", "gained"}:
            self._statics = None


# ---------------------------------------------------------------------- begun by resolutions


def lasting_effects(board: Board) -> Iterator[ActiveEffect]:
    """The effects of resolved spells and abilities (CR 613.7b: their timestamp is the moment they began)."""
    return map(active, board.effects)


@functools.lru_cache(maxsize=1024)
def active(lasting: Lasting) -> ActiveEffect:
    """A lasting effect in the form that the layers apply."""
    sets = tuple(part.affects if isinstance(part.affects, frozenset) else None for part in lasting.parts)
    parts = tuple((_words(part), part.does) for part in lasting.parts)
    return ActiveEffect(
        key=("lasting", lasting.id),
        source=lasting.source,
        shape=shape_of_settled(parts),
        timestamp=(lasting.timestamp, AFTER_ITS_OWN),
        you=lasting.you,
        sets=sets,
        names=lasting.names,
        x=lasting.x,
        that_much=lasting.that_much,
        link=lasting.link,
        born=lasting.born,
        origins=lasting.origins,
    )


AFTER_ITS_OWN = 1 << 60
"""CR 613.7n: among effects with the same timestamp, those of the object's own abilities count as older."""


def _words(part: SettledPart) -> Selector | None:
    """The selector for a part that affects players or has no fixed set; `None` for a fixed set of objects."""
    if isinstance(part.affects, frozenset):
        return Everyone() if part.players else None
    return part.affects


# -------------------------------------------------------------------------------- counters

COUNTER_CHANGES: dict[CounterKind, tuple[int, int]] = {
    "+1/+1": (1, 1),
    "-1/-1": (-1, -1),
    "+1/+0": (1, 0),
    "+0/+1": (0, 1),
    "-0/-1": (0, -1),
    "-1/-0": (-1, 0),
    "+2/+2": (2, 2),
    "-2/-2": (-2, -2),
}
KEYWORDS: frozenset[str] = frozenset(get_args(KeywordName))


def counter_effects(thing: Thing) -> Iterator[ActiveEffect]:
    """The effects of the counters on an object; all counters of one kind make one effect (CR 613.7c: with
    one timestamp).

    CR 122.1a: counters of power and toughness are for creatures. CR 122.1b: those of a keyword are for
    anything.
    """
    for pile in thing.counters:
        shape = shape_of_counters(pile.kind, pile.n)
        if shape is not None and (pile.kind in KEYWORDS or may_grow(thing)):
            yield ActiveEffect(
                key=("counters", thing.id, pile.kind),
                source=thing.id,
                shape=shape,
                timestamp=(pile.timestamp,),
                you=thing.controller,
                sets=(frozenset({thing.id}),),
            )


def may_grow(thing: Thing) -> bool:
    """Whether +X/+Y counters modify an object: a creature, which layer 7c sees, or a creature card elsewhere
    (CR 122.1a).
    """
    return thing.zone == "battlefield" or "Creature" in starting_appearance(thing)[0].types


@functools.lru_cache(4096)
def shape_of_counters(kind: CounterKind, n: int) -> Shape | None:
    """What `n` counters of a kind do in the layers; `None` if nothing.

    CR 122.1a, 613.4c: +X/+Y counters modify power and toughness. CR 122.1b, 613.1f: keyword counters grant
    the keyword.
    """
    if kind in COUNTER_CHANGES:
        power, toughness = COUNTER_CHANGES[kind]
        return shape_of_settled(((None, (Modify(power * n, toughness * n),)),))
    if kind in KEYWORDS:
        return shape_of_settled(((None, (Gain((Keyword(kind),)),)),))  # type: ignore[arg-type]  # a keyword's name
    return None


# ------------------------------------------------------------------------------- abilities


def are_plain(things: Things, rules: Rules) -> bool:
    """Whether all objects look as they start, unless a lasting effect changes them: none is face down, has
    counters that do anything, or has a static ability that functions. Computed once for each object.
    """
    for thing in things.values():
        if thing.plain_by is not rules:
            if not is_plain(thing, rules):
                return False
            thing.__dict__["plain_by"] = rules
    return True


def is_plain(thing: Thing, rules: Rules) -> bool:
    """Whether an object looks as it starts, as long as no other object or effect changes it."""
    if thing.face_down or (thing.counters and any(counter_effects(thing))):
        return False
    for _, held in static_abilities(starting_appearance(thing)[0]):
        if rules.functions(held, thing.zone):
            return False
    return True


def static_effects(moment: Moment) -> Iterator[ActiveEffect]:
    """The effects of all static abilities that function now."""
    rules, things = moment.rules, moment.board.things
    for (look, status), members in moment.view.groups.items():
        for position, held in static_abilities(look):
            if rules.functions(held, status.zone):
                for id in members:
                    yield static_effect(things[id], held, position, rules, things)


@functools.lru_cache(maxsize=4096)
def static_abilities(look: Characteristics) -> tuple[tuple[int, HeldAbility], ...]:
    """The static abilities of an object, each with its position among those that share a timestamp."""
    of_keywords = ((0, held) for keyword in look.keywords for held in abilities_of_keyword(keyword))
    every = (*of_keywords, *enumerate(look.abilities))
    return tuple((position, held) for position, held in every if isinstance(held.ability, (Static, Defines)))


def static_effect(
    thing: Thing, held: HeldAbility, position: int, rules: Rules, things: Things
) -> ActiveEffect:
    """The effect of one static ability of an object."""
    ability = held.ability
    assert isinstance(ability, (Static, Defines))
    defining = rules.defines_characteristics(held)
    # What is attached to nothing affects nothing by that, in whatever layer.
    on_player = thing.attached_to not in things
    return ActiveEffect(
        key=(thing.id, *held.slot),
        source=thing.id,
        shape=shape_of_ability(ability, defining, on_player),
        timestamp=(*rules.timestamp_of_static(thing.timestamp, held.since), position),
        held=held,
        cond=ability.cond if isinstance(ability, Static) else None,
        defines=defining,
    )


def ability_of(effect: ActiveEffect, view: View) -> HeldAbility | None:
    """The ability that an effect comes from, as its object has it now; `None` if it is gone."""
    assert effect.held is not None
    look = view.look(effect.source)
    slot = effect.held.slot
    if slot[0] == "keyword":
        there = any(held.keyword == slot[1] and str(held) == slot[2] for held in look.keywords)
        return effect.held if there else None
    return next((held for held in look.abilities if held.slot == slot), None)


# ------------------------------------------------------------------------------- decisions


def defines_characteristics(held: HeldAbility) -> bool:
    """CR 604.3a: such an ability says what the object itself is, has no condition, and is part of the
    object's own text rather than granted by an effect.
    """
    return isinstance(held.ability, Defines) and not held.since


def functions(held: HeldAbility, zone: Zone) -> bool:
    """Whether a static ability functions in a zone.

    CR 604.3: a characteristic-defining ability functions everywhere. CR 113.6: other abilities function where
    they say, usually on the battlefield.
    """
    if isinstance(held.ability, Static):
        return zone in held.ability.zones
    return isinstance(held.ability, Defines) and (not held.since or zone == "battlefield")


def timestamp_of_static(of_object: int, since: int) -> tuple[int, int]:
    """CR 613.7a: the later of the object's timestamp and that of the effect that granted the ability.

    When the object's timestamp is the later one, its abilities keep their order among themselves.
    """
    return (max(of_object, since), since)


def continues(effect: ActiveEffect) -> bool:
    """CR 613.6: an effect that has begun continues in later layers even if its ability has been removed."""
    return True

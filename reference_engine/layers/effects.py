"""Continuous effects as they are applied: in which layer, and what they read and write.

`evaluation` and `dependency` decide the order in which they are applied, `operations` says what each does.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from reference_engine.language.cards import (
    ActivePlayer,
    AddColors,
    AddEveryType,
    AddTypes,
    All,
    AnyPlayer,
    Attached,
    Base,
    BecomeCopy,
    CannotHave,
    ChosenNumber,
    ChosenPlayer,
    Condition,
    ControllerOf,
    Count,
    DefendingPlayer,
    Defines,
    Designated,
    Devotion,
    Everyone,
    Filter,
    Gain,
    GainControl,
    Happened,
    HowOften,
    It,
    ItIs,
    Keyword,
    Layer,
    Lose,
    LoseAllAbilities,
    LoseTypes,
    Modify,
    Monarch,
    Opponents,
    Others,
    OwnerOf,
    PropertyOf,
    ReplaceWord,
    Selector,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetName,
    SetTypes,
    Static,
    Switch,
    TextOf,
    This,
    Turn,
    You,
    parts_of,
)
from reference_engine.language.characteristics import (
    Characteristics,
    HeldAbility,
)
from reference_engine.language.keywords import stands_for_statics
from reference_engine.language.words import (
    CHOSEN_TYPE,
    kind_of_subtype,
)
from reference_engine.layers.asking import (
    choices_mentioned,
)
from reference_engine.layers.board import CopyValues, FaceDown, Link, SetCopiable, SettledOperation

Aspect = Literal[
    "controller",
    "name",
    "types",
    "creature types",
    "land types",
    "other subtypes",
    "supertypes",
    "colors",
    "abilities",
    "gained",
    "keywords",
    "pt",
]
"""Parts of an object's look, fine enough to tell which effects cannot influence one another.

`abilities` are those that may be lost, `gained` those that may be added; keywords are separate from both.
Mana costs change only with everything else.
"""
NOTHING: frozenset[Aspect] = frozenset()
EVERY_ASPECT: frozenset[Aspect] = frozenset(
    {
        "name",
        "types",
        "creature types",
        "land types",
        "other subtypes",
        "supertypes",
        "colors",
        "abilities",
        "gained",
        "keywords",
        "pt",
    }
)
OF_ABILITIES: frozenset[Aspect] = frozenset({"abilities"})
OF_TEXT: frozenset[Aspect] = frozenset({"abilities", "gained", "keywords"})
"""What an object loses with its own text (CR 305.7: when a basic land type is set), and what replaces it."""
PLAYERS = (
    You,
    Opponents,
    Others,
    Everyone,
    ActivePlayer,
    DefendingPlayer,
    ChosenPlayer,
    ControllerOf,
    Monarch,
    OwnerOf,
)


class SetsController(Struct, frozen=True):
    """A control-changing effect whose new controller is known."""

    player: str | None


class TakesText(Struct, frozen=True):
    """A "full text" effect whose model is known; `None` if there is no object to take text from."""

    values: Characteristics | None
    and_: tuple[HeldAbility, ...] = ()
    keywords: tuple[Keyword, ...] = ()


class Grants(Struct, frozen=True):
    """Granted abilities, as the object will have them."""

    keywords: tuple[Keyword, ...]
    abilities: tuple[HeldAbility, ...]


DefiniteOperation = SettledOperation | SetsController | TakesText | Grants
"""An operation with all its values computed."""


class LayerShare(Struct, frozen=True):
    """What one effect does in one layer to one affected set: the number of the part, and its operations
    there.
    """

    part: int
    affects: Selector | None
    does: tuple[SettledOperation, ...]
    granted_before: tuple[int, ...]
    """For each operation, how many abilities the operations before it in the whole effect grant."""
    asks_it: bool
    """Whether the operations depend on the object they apply to."""
    asks_each: bool
    """Whether they depend on more of it than its look, so that objects that look alike may differ."""


class Shape(Struct, frozen=True):
    """What is known about an effect without a board: the layers it works in, and what it reads and writes
    there.
    """

    shares: Mapping[Layer, tuple[LayerShare, ...]]
    last: Layer | None
    decided_by: Mapping[Layer, frozenset[Aspect]]
    """The aspects that determine whether it exists, until it has begun, whom it affects and what it does."""
    writes: Mapping[Layer, frozenset[Aspect]]
    asks_source: bool
    """Whether its affected set or operations depend on its source or the source's controller."""
    lasts: bool
    """Whether it does the same as long as the objects and the lasting effects stay."""

    def __hash__(self) -> int:
        return id(self)


class ActiveEffect(Struct, frozen=True):
    """One continuous effect: that of one ability, or one that began at a resolution."""

    key: tuple[str | int, ...]
    source: str
    shape: Shape
    timestamp: tuple[int, ...]
    you: str | None = None
    held: HeldAbility | None = None
    cond: Condition | None = None
    defines: bool = False
    """Whether it comes from a characteristic-defining ability."""
    sets: tuple[frozenset[str] | None, ...] = ()
    """For each part, the objects fixed when the effect began; `None` if none were."""
    names: tuple[tuple[str, tuple[str, ...]], ...] = ()
    x: int | None = None
    that_much: int = 0
    link: Link | None = None
    born: tuple[int, int | None] | None = None
    origins: tuple[tuple[str, str, int], ...] = ()
    """`link`, `born` and `origins` are those of its `Lasting`."""

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ActiveEffect) and self.key == other.key


# ------------------------------------------------------------------ what an effect reads and writes

STAGE_ORDER: tuple[Layer, ...] = (
    "1a",
    "1b",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7a",
    "7b",
    "7c",
    "7d",
    "players",
    "rules",
)

READ_BY_FILTER: dict[str, tuple[Aspect, ...]] = {
    "type": ("types",),
    "subtype": ("types",),
    "supertype": ("supertypes",),
    "color": ("colors",),
    "colorless": ("colors",),
    "multicolored": ("colors",),
    "shares_color_with": ("colors",),
    "keyword": ("keywords",),
    "no_abilities": ("abilities", "gained", "keywords"),
    "name": ("name",),
    "controller": ("controller",),
    "power": ("pt", "types"),
    "toughness": ("pt", "types"),
}
READ_BY_PROPERTY: dict[str, tuple[Aspect, ...]] = {
    # CR 208.3: a permanent that is no creature has neither power nor toughness.
    "power": ("pt", "types"),
    "toughness": ("pt", "types"),
}
READ_BY_COUNT: dict[str, tuple[Aspect, ...]] = {
    "card types": ("types",),
    "basic land types": ("land types", "types"),
    "colors": ("colors",),
    "names": ("name",),
}


@functools.lru_cache(maxsize=4096)
def reads(value: object) -> frozenset[Aspect]:
    """The aspects of objects' looks that a selector, filter, quantity or condition reads."""
    found: set[Aspect] = set()
    match value:
        case Filter():
            for name, aspects in READ_BY_FILTER.items():
                if getattr(value, name) not in (None, frozenset()):
                    found.update(aspects)
            found |= sides_of(value.subtype)
        case You() | Opponents() | Others() | ControllerOf() | DefendingPlayer() | Devotion():
            found.add("controller")
        case PropertyOf(what):
            found.update(READ_BY_PROPERTY.get(what, ()))
        case TextOf():
            found |= EVERY_ASPECT
        case Count(distinct=distinct):
            found.update(READ_BY_COUNT.get(distinct, ()))
    return frozenset(found).union(*map(reads, _children(value)))


SIDES: dict[str | None, Aspect] = {"creature": "creature types", "land": "land types"}
"""The aspects of the two kinds of subtypes that effects name as a whole; all others are one aspect."""


def sides_of(subtypes: frozenset[str]) -> frozenset[Aspect]:
    """The aspects of a look that these subtypes belong to; a chosen one is a creature type or a land type."""
    if CHOSEN_TYPE in subtypes:
        return frozenset({"creature types", "land types"})
    return frozenset(SIDES.get(kind_of_subtype(subtype), "other subtypes") for subtype in subtypes)


def _children(value: object) -> list[object]:
    """The parts of a value in which something may be read; what an ability grants is none of them."""
    return [] if type(value) is Gain else parts_of(value)


def writes(operation: SettledOperation) -> frozenset[Aspect]:
    """The aspects of an object's look that an operation can change."""
    match operation:
        case GainControl():
            return frozenset({"controller"})
        case ReplaceWord():
            return OF_TEXT | frozenset({"creature types", "land types"})
        case CopyValues() | SetCopiable() | BecomeCopy() | FaceDown() | TextOf():
            return EVERY_ASPECT
        case SetName():
            return frozenset({"name"})
        case SetBasicLandTypes():
            return OF_TEXT | frozenset({"land types"})
        case SetTypes(_, subtypes):
            # CR 205.1a, 305.6: what is no land any more has lost its land types, and the abilities of those.
            sides = sides_of(subtypes)
            return sides | (OF_TEXT if "land types" in sides else NOTHING) | frozenset({"types", "gained"})
        case AddTypes(types, subtypes, supertypes) | LoseTypes(types, subtypes, supertypes):
            changed: set[Aspect] = set(sides_of(subtypes))
            if isinstance(operation, LoseTypes):
                changed.update(SIDES[kind] for kind in operation.every)
            if types:
                changed.add("types")
            if supertypes:
                changed.add("supertypes")
            if "land types" in changed or "Land" in types:
                changed.add("gained")
            return frozenset(changed)
        case SetCreatureTypes():
            return frozenset({"creature types"})
        case AddEveryType(of):
            return frozenset({"creature types"} if of == "creature" else {"land types", "gained"})
        case AddColors() | SetColors():
            return frozenset({"colors"})
        case Gain(abilities):
            granted: set[Aspect] = {"keywords" if isinstance(a, Keyword) else "gained" for a in abilities}
            # The static abilities that such a keyword stands for come with it.
            if any(isinstance(a, Keyword) and stands_for_statics(a) for a in abilities):
                granted.add("gained")
            return frozenset(granted)
        case Lose(keywords) | CannotHave(keywords):
            # The static abilities that such a keyword stands for are gone with it.
            lost: set[Aspect] = {"keywords"}
            if any(stands_for_statics(Keyword(keyword)) for keyword in keywords):
                lost.add("abilities")
            return frozenset(lost)
        case LoseAllAbilities():
            return frozenset({"abilities", "gained", "keywords"})
        case Base() | Modify() | Switch():
            return frozenset({"pt"})
        case _:
            return NOTHING


def layer_of(operation: SettledOperation, affects: Selector | None, defining: bool, on_player: bool) -> Layer:
    """CR 613.1, 613.4: the layer an operation works in.

    CR 613.10: what players gain comes after all objects, also what an enchanted player gains (`on_player`).
    """
    if isinstance(operation, (CopyValues, SetCopiable)):
        return "1a"
    if defining and isinstance(operation, Base):
        return "7a"
    players = isinstance(affects, PLAYERS) or (on_player and isinstance(affects, Attached))
    if players and isinstance(operation, (Gain, Lose, CannotHave)):
        return "players"
    return operation.layer


EffectParts = tuple[tuple[Selector | None, tuple[SettledOperation, ...]], ...]
"""Parts of an effect: whom each affects (`None`: a fixed set), and what it does."""


def shape_of(
    parts: EffectParts, cond: Condition | None, static: bool, defining: bool, on_player: bool = False
) -> Shape:
    shares: dict[Layer, list[LayerShare]] = {}
    granted = 0
    for number, (affects, does) in enumerate(parts):
        by_layer: dict[Layer, list[tuple[SettledOperation, int]]] = {}
        for operation in does:
            layer = layer_of(operation, affects, defining, on_player)
            by_layer.setdefault(layer, []).append((operation, granted))
            granted += len(operation.abilities) if isinstance(operation, Gain) else 0
        for layer, some in by_layer.items():
            operations, before = zip(*some, strict=True)
            asks_it, asks_each = any(map(mentions_it, operations)), any(map(asks_each_object, operations))
            share = LayerShare(number, affects, operations, before, asks_it, asks_each)
            shares.setdefault(layer, []).append(share)
    layers = sorted(shares, key=STAGE_ORDER.index)
    begins_by = reads(cond) | (OF_ABILITIES if static else NOTHING)
    return Shape(
        shares={layer: tuple(shares[layer]) for layer in layers},
        last=layers[-1] if layers else None,
        decided_by={
            layer: begins_by.union(*(reads(part) for share in some for part in (share.affects, *share.does)))
            for layer, some in shares.items()
        },
        writes={
            layer: NOTHING.union(*(writes(operation) for share in some for operation in share.does))
            for layer, some in shares.items()
        },
        asks_source=any(asks_source(affects) or any(map(asks_source, does)) for affects, does in parts),
        lasts=not asks_beyond(cond) and not any(map(asks_beyond, parts)),
    )


def asks_beyond(value: object) -> bool:
    """Whether a value may depend on more than the objects and the lasting effects: on the time, on players,
    or on what has happened.
    """
    if type(value) in ASKING_BEYOND:
        return True
    match value:
        case PropertyOf(what=what) if what not in OF_OBJECTS_ONLY:
            return True
        case All(top=True) | Filter(unblocked=bool()):
            return True
        case Filter(damaged_by=by) if by is not None:
            return True
    return any(map(asks_beyond, _children(value)))


ASKING_BEYOND = frozenset(
    {
        *(Turn, Happened, HowOften, AnyPlayer, Designated, ItIs),
        *(ActivePlayer, DefendingPlayer, Monarch, Opponents, Others, Everyone, ControllerOf, OwnerOf),
    }
)
"""The words that always ask about more than the objects."""
OF_OBJECTS_ONLY = ("power", "toughness", "mana_value", "loyalty", "damage", "level")
"""The properties that no player has."""


OF_THE_SOURCE = frozenset(
    {This, Attached, You, Opponents, Others, DefendingPlayer, ChosenPlayer, ChosenNumber, Devotion}
) | {Gain, TextOf}
"""The words that always refer to the source."""


def asks_source(value: object) -> bool:
    """Whether a value refers to its source: the source itself, what it is attached to, its controller, or a
    choice made for it.
    """
    return bool(choices_mentioned(value)) or names_source(value)


def names_source(value: object) -> bool:
    """Whether a value refers to its source other than by a choice."""
    return type(value) in OF_THE_SOURCE or any(map(names_source, _children(value)))


@functools.lru_cache(maxsize=4096)
def mentions_it(value: object) -> bool:
    """Whether a value refers to the object that the effect applies to, or to its defending player
    (CR 508.5a: individually determined).
    """
    return type(value) in (It, DefendingPlayer) or any(map(mentions_it, _children(value)))


@functools.lru_cache(maxsize=4096)
def asks_each_object(value: object) -> bool:
    """Whether a value asks more about the object that the effect applies to than how it looks: what is
    attached to it, what it is in combat with, which player it attacks.
    """
    match value:
        case DefendingPlayer():
            return True
        case PropertyOf(of=It()) | ControllerOf(It()) | OwnerOf(It()):
            return False
        case Filter(shares_color_with=It()):
            return asks_each_object(msgspec.structs.replace(value, shares_color_with=None))
    return type(value) is It or any(map(asks_each_object, _children(value)))


@functools.lru_cache(maxsize=4096)
def shape_of_ability(ability: Static | Defines, defining: bool, on_player: bool) -> Shape:
    """The shape of the effect of a static ability (`on_player`: of an Aura on a player)."""
    if isinstance(ability, Defines):
        return shape_of(((This(), ability.does),), None, static=True, defining=defining)
    parts = tuple((part.affects, part.does) for part in ability.parts)
    return shape_of(parts, ability.cond, static=True, defining=False, on_player=on_player)


@functools.lru_cache(maxsize=4096)
def shape_of_settled(parts: EffectParts) -> Shape:
    """The shape of an effect that began at a resolution; `None` stands for any fixed set."""
    return shape_of(parts, None, static=False, defining=False)

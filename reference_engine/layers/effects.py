"""Continuous effects as they are applied: what they read and write, and what an operation does to a look.

`evaluation` and `dependency` decide the order in which they are applied.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import NoneType
from typing import Literal, TypeVar, assert_never

import msgspec
from msgspec import Struct

from reference_engine.language.cards import (
    Activated,
    ActivePlayer,
    AddColors,
    AddEveryType,
    AddTypes,
    All,
    AlternativeCost,
    AnyColorMana,
    AnyPlayer,
    AsThoughFlash,
    AsThoughNoDefender,
    Attached,
    Base,
    BecomeCopy,
    BlockedBy,
    BlocksMore,
    Cannot,
    CannotHave,
    Card,
    ChosenNumber,
    ChosenPlayer,
    Condition,
    ControllerOf,
    Costs,
    Count,
    CrewPower,
    DamageByToughness,
    DefendingPlayer,
    Defines,
    Designated,
    Devotion,
    Double,
    EntersTapped,
    EntersUnder,
    EntersWith,
    Everyone,
    Filter,
    Gain,
    GainControl,
    HandSize,
    Happened,
    HowOften,
    It,
    ItIs,
    Keyword,
    LandDrops,
    LandsTapFor,
    Layer,
    Lose,
    LoseAllAbilities,
    LoseTypes,
    MayPlay,
    Modify,
    Monarch,
    Must,
    OnlyAsSorcery,
    Opponents,
    Others,
    OwnerOf,
    PreventDamage,
    PropertyOf,
    ReplaceWord,
    Selector,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetName,
    SetTypes,
    SkipStep,
    Static,
    Switch,
    TextOf,
    This,
    Triggered,
    TriggersAgain,
    Turn,
    Would,
    You,
    parts_of,
)
from reference_engine.language.characteristics import (
    Characteristics,
    HeldAbility,
    fitting,
    is_intrinsic,
    is_mana_ability,
    is_mana_ability_until_2026,
    is_triggered_mana_ability,
    subtypes_of,
    with_keywords,
    with_land_mana,
    with_unlocked,
    without_subtypes,
)
from reference_engine.language.keywords import abilities_of_keyword, stands_for_statics
from reference_engine.language.words import (
    ALL_CREATURE_TYPES,
    BASIC_LAND_TYPES,
    CHOSEN_COLOR,
    CHOSEN_NAME,
    CHOSEN_TYPE,
    COLORS,
    CardType,
    Supertype,
    kind_of_subtype,
)
from reference_engine.layers.asking import (
    CHOSEN_WORDS,
    PLACEHOLDERS,
    Asking,
    amount,
    bonus,
    choices,
    choices_mentioned,
    choices_offered,
    is_undefined,
    seat,
    selection,
)
from reference_engine.layers.board import CopyValues, FaceDown, Link, SetCopiable, SettledOperation

_T = TypeVar("_T")

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
    begins_by: frozenset[Aspect]
    """The aspects that determine whether it exists, until it has begun."""
    affects_by: Mapping[Layer, frozenset[Aspect]]
    """The aspects that determine whom it affects."""
    does_by: Mapping[Layer, frozenset[Aspect]]
    """The aspects that determine what it does."""
    writes: Mapping[Layer, frozenset[Aspect]]
    asks_source: bool
    """Whether its affected set or operations depend on its source or the source's controller."""
    lasts: bool
    """Whether it does the same as long as the objects and the lasting effects stay."""

    def decided_by(self, layer: Layer) -> frozenset[Aspect]:
        """The aspects that determine in a layer whether it exists, whom it affects or what it does."""
        return self.begins_by | self.affects_by[layer] | self.does_by[layer]

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
    return Shape(
        shares={layer: tuple(shares[layer]) for layer in layers},
        last=layers[-1] if layers else None,
        begins_by=reads(cond) | (OF_ABILITIES if static else NOTHING),
        affects_by={
            layer: NOTHING.union(*(reads(share.affects) for share in some)) for layer, some in shares.items()
        },
        does_by={
            layer: NOTHING.union(*(reads(operation) for share in some for operation in share.does))
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


# --------------------------------------------------------------------------- working things out


NO_OPERATION = AddColors(frozenset())
NUMBER_OR_NONE = (int, NoneType)


def with_current_values(
    operation: SettledOperation, effect: ActiveEffect, asking: Asking, granted_before: int
) -> DefiniteOperation:
    """An operation with its current quantities, players and chosen words filled in.

    `granted_before` is how many abilities the operations before it grant: each ability that an effect grants
    has a slot of its own. The most frequent operations come first.
    """
    match operation:
        case Modify(power, toughness):
            if isinstance(power, int) and isinstance(toughness, int):
                return operation
            if is_undefined(operation, asking):
                return NO_OPERATION
            return Modify(bonus(power, asking), bonus(toughness, asking))
        case Gain(abilities):
            # What a granted ability says of a player or a number, it says of a choice for its own object.
            defined = (ability for ability in abilities if not is_undefined(ability, asking, CHOSEN_WORDS))
            chosen = tuple(with_chosen_words(ability, asking) for ability in defined)
            return Grants(
                keywords=tuple(ability for ability in chosen if isinstance(ability, Keyword)),
                abilities=tuple(
                    HeldAbility(ability, ("gained", *effect.key, n), effect.timestamp[0])
                    for n, ability in enumerate(chosen, granted_before)
                    if not isinstance(ability, Keyword)
                ),
            )
        case Base(power, toughness):
            if isinstance(power, NUMBER_OR_NONE) and isinstance(toughness, NUMBER_OR_NONE):
                return operation
            if is_undefined(operation, asking):
                return NO_OPERATION
            return Base(
                None if power is None else amount(power, asking),
                None if toughness is None else amount(toughness, asking),
            )
        case GainControl(player):
            # CR 800.4b: an object does not change to the control of a player who has left the game.
            players = tuple(id for id in selection(player, asking) if not seat(asking.board, id).left)
            return SetsController(players[0] if players else None)
        case TextOf(of, and_):
            taken: Characteristics | None = None
            for model in selection(of, asking)[:1]:
                acquired = (model, asking.board.things[model].born, "text")
                taken = msgspec.structs.replace(asking.view.look(model), text_by=acquired)
            return TakesText(
                taken,
                tuple(
                    HeldAbility(ability, ("text", *effect.key, n))
                    for n, ability in enumerate(and_)
                    if not isinstance(ability, Keyword)
                ),
                tuple(ability for ability in and_ if isinstance(ability, Keyword)),
            )
        case (
            AddColors()
            | SetColors()
            | AddTypes()
            | SetTypes()
            | SetCreatureTypes()
            | SetBasicLandTypes()
            | ReplaceWord()
        ):
            undefined = is_undefined(operation, asking)
            return NO_OPERATION if undefined else with_chosen_words(operation, asking)
        case _:
            return operation


def with_chosen_words(value: _T, asking: Asking) -> _T:
    """A value with "chosen color" and the like replaced by the words chosen for its source, as far as they
    were chosen.
    """
    if not choices_mentioned(value):
        return value
    chosen = choices(asking)
    words = ((CHOSEN_COLOR, chosen.color), (CHOSEN_TYPE, chosen.type), (CHOSEN_NAME, chosen.name))
    for placeholder, word in words:
        if word is not None:
            value = reword(value, placeholder, word)
    return value


# ------------------------------------------------------------------------ what an operation does


def apply_operation(operation: DefiniteOperation, seen: Characteristics) -> Characteristics:
    """How an object looks after one operation. The most frequent operations come first."""
    match operation:
        case Modify(power, toughness):
            # CR 613.4c: modifies what is there by then.
            return msgspec.structs.replace(
                seen, power=(seen.power or 0) + _int(power), toughness=(seen.toughness or 0) + _int(toughness)
            )
        case Grants(keywords, abilities):
            # CR 113.11: an object that can't have an ability does not gain it.
            wanted = (k for k in keywords if k.keyword not in seen.cannot_have)
            return msgspec.structs.replace(
                seen, keywords=with_keywords(seen.keywords, wanted), abilities=seen.abilities + abilities
            )
        case Base(power, toughness):
            # CR 613.4b: instead of what defined them.
            return msgspec.structs.replace(
                seen,
                power=seen.power if power is None else power,
                toughness=seen.toughness if toughness is None else toughness,
            )
        case AddTypes(types, subtypes, supertypes):
            # CR 205.1b: in addition to those it has.
            more = types | seen.types
            return with_types(
                seen, more, seen.subtypes | fitting(subtypes, more), seen.supertypes | supertypes
            )
        case CopyValues(values):
            return with_copiable_values(seen, values)
        case SetCopiable(does):
            # CR 707.9b: exceptions are copiable, too.
            for number, part in enumerate(does, numbers_of_exceptions(seen)):
                seen = apply_operation(_as_own(part, number), without_what_defines(part, seen))
            return seen
        case FaceDown():
            return face_down(seen)
        case SetsController(player):
            # CR 613.1b: layer 2.
            return seen if player is None else msgspec.structs.replace(seen, controller=player)
        case ReplaceWord(kinds, old, new):
            # CR 612.1: layer 3 changes the text.
            return seen if old is None or new is None else with_word_replaced(seen, kinds, old, new)
        case TakesText(values, and_, keywords):
            if values is None:
                return seen
            taken = with_copiable_values(seen, values)
            theirs = tuple(
                held if is_intrinsic(held) else HeldAbility(held.ability, ("text of", *held.slot))
                for held in taken.abilities
            )
            return msgspec.structs.replace(
                taken, keywords=with_keywords(taken.keywords, keywords), abilities=theirs + and_
            )
        case SetName(name):
            return msgspec.structs.replace(seen, name=name)
        case SetTypes(types, subtypes):
            # CR 205.1a: instead of those it has.
            return with_types_set(seen, types, subtypes)
        case LoseTypes(types, subtypes, supertypes, kinds):
            kept = without_subtypes(seen.subtypes, subtypes | subtypes_of(kinds))
            return with_types(seen, seen.types - types, kept, seen.supertypes - supertypes)
        case SetCreatureTypes(subtypes):
            others = seen.subtypes - subtypes_of(frozenset({"creature"}))
            return with_types(seen, seen.types, others | fitting(subtypes, seen.types), seen.supertypes)
        case SetBasicLandTypes(subtypes):
            # CR 305.7: instead of its land types and abilities.
            return with_basic_land_types_set(seen, subtypes)
        case AddEveryType(of):
            every = frozenset({ALL_CREATURE_TYPES}) if of == "creature" else frozenset(BASIC_LAND_TYPES)
            return with_types(seen, seen.types, seen.subtypes | fitting(every, seen.types), seen.supertypes)
        case AddColors(colors):
            # CR 105.3: in addition to those it has.
            return msgspec.structs.replace(seen, colors=seen.colors | colors)
        case SetColors(colors):
            # CR 105.3: instead of those it has.
            return msgspec.structs.replace(seen, colors=colors)
        case Lose(keywords):
            return without_keywords(seen, keywords)
        case CannotHave(keywords):
            without = without_keywords(seen, keywords)
            return msgspec.structs.replace(without, cannot_have=seen.cannot_have | keywords)
        case LoseAllAbilities(but):
            return without_abilities(seen, but is not None, is_mana_ability)
        case Switch():
            # CR 613.4d: after everything else.
            return msgspec.structs.replace(seen, power=seen.toughness, toughness=seen.power)
        case (
            HandSize()
            | LandDrops()
            | Costs()
            | AlternativeCost()
            | Cannot()
            | Must()
            | MayPlay()
            | AsThoughFlash()
            | CrewPower()
            | AsThoughNoDefender()
            | BlockedBy()
            | BlocksMore()
            | DamageByToughness()
            | OnlyAsSorcery()
            | EntersTapped()
            | SkipStep()
            | AnyColorMana()
            | LandsTapFor()
            | PreventDamage()
            | Would()
            | EntersWith()
            | EntersUnder()
            | TriggersAgain()
        ):
            return seen
        case BecomeCopy() | GainControl() | TextOf() | Gain() | Double():
            raise ValueError(f"{type(operation).__name__} was not worked out before it was applied")
        case _:
            assert_never(operation)


def apply_operation_until_2026(operation: DefiniteOperation, seen: Characteristics) -> Characteristics:
    """How an object looks after one operation (CR 605.1a: until 2026-08-07, libraries did not matter to what
    a mana ability is).
    """
    if isinstance(operation, LoseAllAbilities):
        return without_abilities(seen, operation.but is not None, is_mana_ability_until_2026)
    return apply_operation(operation, seen)


def _int(quantity: object) -> int:
    if not isinstance(quantity, int):
        raise ValueError(f"{quantity} was not worked out before it was applied")
    return quantity


def _as_own(operation: SettledOperation, number: int) -> DefiniteOperation:
    """An operation as part of copiable values: abilities it grants become the object's own text (CR 707.9a:
    exceptions).
    """
    if isinstance(operation, Gain):
        return Grants(
            tuple(a for a in operation.abilities if isinstance(a, Keyword)),
            tuple(
                HeldAbility(a, ("also", number, n))
                for n, a in enumerate(operation.abilities)
                if not isinstance(a, Keyword)
            ),
        )
    return operation


def numbers_of_exceptions(seen: Characteristics) -> int:
    """The first number that no ability of an exception has yet (CR 602.5b: each has its own limit)."""
    return 1 + max((int(held.slot[1]) for held in seen.abilities if held.slot[0] == "also"), default=-1)


def without_what_defines(operation: SettledOperation, seen: Characteristics) -> Characteristics:
    """CR 707.9d: drop characteristic-defining abilities for values that a copy's exception sets."""
    kinds = DEFINED_WITH.get(type(operation))
    if kinds is None:
        return seen
    return msgspec.structs.replace(
        seen,
        abilities=tuple(held for held in seen.abilities if not _defines(held, kinds)),
        keywords=frozenset(
            keyword
            for keyword in seen.keywords
            if not any(_defines(held, kinds) for held in abilities_of_keyword(keyword))
        ),
    )


DEFINED_WITH: dict[type, tuple[type, ...]] = {
    Base: (Base,),
    SetColors: (SetColors, AddColors),
    SetCreatureTypes: (SetCreatureTypes, AddEveryType),
}
"""For each operation that sets a characteristic, the operations that define it."""


def _defines(held: HeldAbility, kinds: tuple[type, ...]) -> bool:
    ability = held.ability
    return isinstance(ability, Defines) and any(isinstance(operation, kinds) for operation in ability.does)


def with_copiable_values(seen: Characteristics, values: Characteristics) -> Characteristics:
    """CR 707.2: name, cost, colours, types, rules text, power, toughness, loyalty; never who controls it.

    CR 709.5b: both halves of a Room are copied, but not which of them are unlocked. CR 202.3b: a copy of a
    back face has mana value 0, even if what has become the copy is double-faced itself.
    """
    copied = with_unlocked(values, seen.unlocked)
    return msgspec.structs.replace(
        copied, controller=seen.controller, unlocked=seen.unlocked, front_cost=None
    )


def face_down(seen: Characteristics) -> Characteristics:
    """CR 708.2a: a face-down permanent is a 2/2 creature with no text, name, subtypes, or mana cost."""
    return Characteristics(
        name=None,
        cost=None,
        colors=frozenset(),
        supertypes=frozenset(),
        types=frozenset({"Creature"}),
        subtypes=frozenset(),
        power=2,
        toughness=2,
        controller=seen.controller,
    )


def with_types(
    seen: Characteristics,
    types: frozenset[CardType],
    subtypes: frozenset[str],
    supertypes: frozenset[Supertype],
) -> Characteristics:
    """The object with this type line. CR 305.6: basic land types add and remove their mana abilities."""
    return msgspec.structs.replace(
        seen,
        types=types,
        subtypes=subtypes,
        supertypes=supertypes,
        abilities=with_land_mana(seen.abilities, types, subtypes),
    )


def with_types_set(
    seen: Characteristics, types: frozenset[CardType], subtypes: frozenset[str]
) -> Characteristics:
    """CR 205.1a: new card types replace the old ones; given subtypes replace those of the same kind."""
    given = fitting(subtypes, types)
    kept = seen.subtypes - subtypes_of(frozenset(map(kind_of_subtype, given)))
    if given & set(BASIC_LAND_TYPES):
        # CR 305.7: setting a basic land type removes the abilities of the land's own text.
        seen = without_own_abilities(seen)
    return with_types(seen, types, kept | given, seen.supertypes)


def with_basic_land_types_set(seen: Characteristics, subtypes: frozenset[str]) -> Characteristics:
    """CR 305.7: the new basic land types replace all land types, and remove the abilities of the land's own
    text.
    """
    if "Land" not in seen.types:
        return seen
    others = seen.subtypes - subtypes_of(frozenset({"land"}))
    return with_types(without_own_abilities(seen), seen.types, others | subtypes, seen.supertypes)


def without_own_abilities(seen: Characteristics) -> Characteristics:
    """The object without the abilities of its own text; those granted by effects stay (CR 305.7: granted
    abilities), and so does what a Saga or planeswalker has because of its type, which is no land type.

    Effects grant keywords only in a later layer than they set types, so all keywords present are its own.
    """
    kept = tuple(held for held in seen.abilities if held.since or is_intrinsic(held))
    return msgspec.structs.replace(seen, keywords=frozenset(), abilities=kept)


def without_keywords(seen: Characteristics, keywords: frozenset[str]) -> Characteristics:
    """The object without any instance of these keyword abilities."""
    kept = frozenset(held for held in seen.keywords if held.keyword not in keywords)
    return seen if len(kept) == len(seen.keywords) else msgspec.structs.replace(seen, keywords=kept)


def without_abilities(
    seen: Characteristics, but_mana: bool, is_mana_ability: Callable[[Activated], bool]
) -> Characteristics:
    """The object without any abilities, or without any but mana abilities."""
    kept = tuple(
        held
        for held in seen.abilities
        if but_mana
        and (
            (isinstance(held.ability, Activated) and is_mana_ability(held.ability))
            or (isinstance(held.ability, Triggered) and is_triggered_mana_ability(held.ability))
        )
    )
    return msgspec.structs.replace(seen, keywords=frozenset(), abilities=kept)


# ------------------------------------------------------------------------------------- wording


def with_word_replaced(seen: Characteristics, kinds: frozenset[str], old: str, new: str) -> Characteristics:
    """CR 612.2: replace a word in type line and rules text, wherever it is used as that kind of word.

    CR 612.3: abilities granted by effects are not text.
    """
    for word in words_of(kinds) if old == "any" else (old,):
        seen = _one_word_replaced(seen, word, new)
    return seen


def words_of(kinds: frozenset[str]) -> tuple[str, ...]:
    """The words that "every word of this kind" covers."""
    return (COLORS if "color" in kinds else ()) + (BASIC_LAND_TYPES if "basic land type" in kinds else ())


def _one_word_replaced(seen: Characteristics, old: str, new: str) -> Characteristics:
    subtypes = reword(seen.subtypes, old, new)
    abilities = tuple(
        held if held.since or is_intrinsic(held) else _reworded_held(held, old, new)
        for held in seen.abilities
    )
    changed = msgspec.structs.replace(seen, keywords=reword(seen.keywords, old, new), abilities=abilities)
    return with_types(changed, seen.types, subtypes, seen.supertypes)


def _reworded_held(held: HeldAbility, old: str, new: str) -> HeldAbility:
    return HeldAbility(reword(held.ability, old, new), held.slot, held.since)


def reword(value: _T, old: str, new: str) -> _T:
    """A piece of a card with one word replaced. CR 612.2: names stay unchanged. CR 612.2a: except the names
    of tokens.
    """
    if isinstance(value, str):
        return new if value == old else value  # type: ignore[return-value]  # a string for a string
    if isinstance(value, tuple):
        return tuple(reword(member, old, new) for member in value)  # type: ignore[return-value]  # same shape
    if isinstance(value, frozenset):
        return frozenset(reword(member, old, new) for member in value)  # type: ignore[return-value]  # same shape
    if old in PLACEHOLDERS and PLACEHOLDERS[old] in choices_offered(value):
        return value
    if isinstance(value, Card) and old in value.subtypes:
        name = " ".join(new if word == old else word for word in value.name.split())
        value = msgspec.structs.replace(value, name=name)
    if isinstance(value, Struct):
        fields = {
            name: reword(getattr(value, name), old, new)
            for name in value.__struct_fields__
            if name != "name" or old == CHOSEN_NAME
        }
        return msgspec.structs.replace(value, **fields)
    return value

"""Strategies for cards: invented ones and those of the pool, plain ones first.

Features that an engine lacks are not drawn: tables list each kind of operation with the features that it
needs. Every invented card is sturdy: whatever else is on the board, it gives no creature a toughness below 1.
An effect never reads a characteristic that a later layer decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations, permutations
from math import factorial
from typing import Any, NamedTuple, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec.structs import replace

from conformance.data.library import pool
from conformance.files.fixture_file import text_of
from conformance.model.card_parts import parts_of_card
from conformance.model.features import features_in, features_of_card
from conformance.model.scenario import CardInPlay
from conformance.strategies.draws import booleans, composite, integers, sampled_from
from conformance.strategies.means import Means
from reference_engine.language.cards import (
    Ability,
    AddColors,
    AddEveryType,
    AddTypes,
    All,
    AsEnters,
    Attached,
    Base,
    BecomeCopy,
    CannotHave,
    Card,
    CopyAsEnters,
    Count,
    Defines,
    Effect,
    Exile,
    Exists,
    Filter,
    Gain,
    GainControl,
    It,
    Keyword,
    Layer,
    Lose,
    LoseAllAbilities,
    Modify,
    Operation,
    Part,
    PropertyOf,
    Quantity,
    Selector,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetTypes,
    Spell,
    Static,
    Sum,
    Switch,
    TargetSpec,
    The,
    This,
    Triggered,
    You,
)
from reference_engine.language.characteristics import faces_of
from reference_engine.language.words import (
    BASIC_LAND_TYPES,
    COLORS,
    CardType,
    KeywordName,
    Supertype,
)

_Word = TypeVar("_Word", bound=str)
_Thing = TypeVar("_Thing")
MissingFeatures = frozenset[str]
"""Features that an engine lacks."""
Does = tuple[Operation, ...]

DRAWN_CREATURE_TYPES = ("Bear", "Goblin", "Elf", "Zombie")
DRAWN_KEYWORDS: tuple[KeywordName, ...] = ("flying", "trample", "haste", "vigilance")
PERMANENT_TYPES: tuple[CardType, ...] = ("Creature", "Enchantment", "Artifact", "Land")
HOSTS: tuple[CardType, ...] = ("Enchantment", "Artifact")
"""Card types for permanents that have an effect but are not affected by effects on creatures."""
DRAWN_COSTS = ("{0}", "{1}{R}", "{2}{G}{G}", "{W}")

CREATURES = All(type=frozenset({"Creature"}))
A_CREATURE = Filter(type=frozenset({"Creature"}))
LANDS = All(type=frozenset({"Land"}))
NONBASIC = Filter(type=frozenset({"Land"}), without=(Filter(supertype=frozenset({"Basic"})),))
TARGET = The("target")

small = st.integers(0, 3)
sizes = st.tuples(st.integers(1, 4), st.integers(1, 4))
CREATURE_SIZES = tuple(sorted(((p, t) for p in range(1, 5) for t in range(1, 5)), key=sum))
color = st.sampled_from(COLORS)
word = st.sampled_from(DRAWN_KEYWORDS)
subtype = st.sampled_from(DRAWN_CREATURE_TYPES)
land_type = st.sampled_from(BASIC_LAND_TYPES)
hosts = st.sampled_from(HOSTS)


def one(word: str) -> frozenset[Any]:
    """A set of one word."""
    return frozenset({word})


def creatures_of(subtype: str) -> All:
    """All creatures of a type."""
    return All(type=one("Creature"), subtype=one(subtype))


def in_play(card: Card, *, real: bool = False) -> CardInPlay:
    """A card with its text, as engines receive it."""
    return CardInPlay(card, text_of(card), real)


# Hypothesis often copies draws from one part of a case to another, which fails if that part needs more draws.
# So each of these strategies uses as few draws as possible.


@cache
def subset(words: tuple[_Word, ...], most: int = 2, least: int = 1) -> SearchStrategy[frozenset[_Word]]:
    """A few of these words, fewest first."""
    return st.sampled_from(
        [frozenset(some) for n in range(least, most + 1) for some in combinations(words, n)]
    )


@lru_cache(1000)
def several(things: SearchStrategy[_Thing], least: int, most: int) -> SearchStrategy[tuple[_Thing, ...]]:
    """Between `least` and `most` things, fewest first."""
    tuples = {many: st.tuples(*[things] * many) for many in range(least, most + 1)}
    return integers(least, most).flatmap(lambda many: tuples[many])


def in_any_order(things: Sequence[_Thing]) -> SearchStrategy[tuple[_Thing, ...]]:
    """Permutations of these things; the given order is the simplest."""
    return st.integers(0, factorial(len(things)) - 1).map(lambda number: permutation(things, number))


def any_order(draw: DrawFn, things: Sequence[_Thing]) -> tuple[_Thing, ...]:
    """Draw a permutation of these things; the given order is the simplest."""
    return tuple(things[at] for at in draw(orders(len(things))))


@cache
def orders(many: int) -> SearchStrategy[tuple[int, ...]]:
    """The places of so many things, in any order."""
    return st.integers(0, factorial(many) - 1).map(lambda number: permutation(range(many), number))


def permutation(things: Sequence[_Thing], number: int) -> tuple[_Thing, ...]:
    """The permutation of things with this number; number 0 is the given order."""
    left, order = list(things), []
    for many in range(len(left) - 1, -1, -1):
        at, number = divmod(number, factorial(many))
        order.append(left.pop(at))
    return tuple(order)


@cache
def two_of(words: tuple[_Word, ...]) -> SearchStrategy[tuple[_Word, _Word]]:
    """Two different words."""
    return st.sampled_from(list(permutations(words, 2)))


# ----------------------------------------------------------------------------------- operations


class EffectKind(NamedTuple):
    """A kind of operation: the features it needs, and all operations of this kind."""

    needs: tuple[str, ...]
    does: tuple[Does, ...]


def a(card_type: CardType) -> frozenset[CardType]:
    """A set of one card type."""
    return frozenset({card_type})


AMOUNTS: tuple[Quantity, ...] = (
    Count(CREATURES),
    Sum((PropertyOf("mana_value", It()), 1)),
    *(Sum((Count(All(type=a("Creature"), subtype=frozenset({word}))), 1)) for word in DRAWN_CREATURE_TYPES),
)
"""Quantities that depend on the board and are at least 1 if there is a creature."""

ANIMATED: EffectKind = EffectKind(
    ("types", "set power and toughness"),
    tuple((AddTypes(types=a("Creature")), Base(n, n)) for n in range(1, 5)),
)
EFFECT_KINDS: tuple[EffectKind, ...] = (
    EffectKind(("anthems",), tuple((Modify(p, t),) for p in range(4) for t in range(3) if p or t)),
    EffectKind(("set power and toughness",), tuple((Base(*size),) for size in CREATURE_SIZES)),
    EffectKind(("switch",), ((Switch(),),)),
    EffectKind(("abilities",), tuple((Gain((Keyword(word),)),) for word in DRAWN_KEYWORDS)),
    EffectKind(("abilities",), ((LoseAllAbilities(),),)),
    EffectKind(("abilities",), tuple((Lose(frozenset({word})),) for word in DRAWN_KEYWORDS)),
    EffectKind(("abilities",), tuple((CannotHave(frozenset({word})),) for word in DRAWN_KEYWORDS)),
    EffectKind(("colours",), tuple((SetColors(frozenset({word})),) for word in COLORS)),
    EffectKind(("colours",), tuple((AddColors(frozenset({word})),) for word in COLORS)),
    EffectKind(("colours",), ((SetColors(frozenset()),), (SetColors(frozenset(COLORS[:2])),))),
    EffectKind(("types",), tuple((SetCreatureTypes(frozenset({word})),) for word in DRAWN_CREATURE_TYPES)),
    EffectKind(("types",), tuple((AddTypes(subtypes=frozenset({word})),) for word in DRAWN_CREATURE_TYPES)),
    EffectKind(("types",), tuple((SetBasicLandTypes(frozenset({word})),) for word in BASIC_LAND_TYPES)),
    EffectKind(("types",), tuple((AddTypes(subtypes=frozenset({word})),) for word in BASIC_LAND_TYPES)),
    EffectKind(("types",), tuple((AddTypes(types=a(word)),) for word in PERMANENT_TYPES[1:])),
    ANIMATED,
    EffectKind(("types",), tuple((SetTypes(a(word)),) for word in PERMANENT_TYPES[1:])),
    EffectKind(("types", "set power and toughness"), ((SetTypes(a("Creature")), Base(2, 2)),)),
    EffectKind(("types",), ((AddEveryType("creature"),), (AddEveryType("basic land"),))),
    EffectKind(("anthems",), tuple((Modify(amount, 0),) for amount in AMOUNTS)),
    EffectKind(("set power and toughness",), tuple((Base(amount, amount),) for amount in AMOUNTS)),
)
"""All kinds of operation for static abilities, most readable first."""


@cache
def supported_kinds(lacks: MissingFeatures) -> tuple[EffectKind, ...]:
    """The kinds that an engine supports."""
    return tuple(kind for kind in EFFECT_KINDS if not lacks & set(kind.needs))


@composite
def deeds(draw: DrawFn, lacks: MissingFeatures = frozenset(), most: int = 3) -> Does:
    """The operations of one effect: one, or several of different kinds."""
    many = draw(sampled_from((1, 1, 1, 2, 3)))
    drawn = [
        draw(sampled_from(draw(sampled_from(supported_kinds(lacks))).does)) for _ in range(min(many, most))
    ]
    return of_different_kinds(drawn)


def of_different_kinds(several: list[Does]) -> Does:
    """All these operations in one list, the first of each kind."""
    found: dict[type, Operation] = {}
    for does in several:
        for operation in does:
            found.setdefault(type(operation), operation)
    return tuple(found.values())


DRAWN_LAYERS: tuple[Layer, ...] = ("1a", "2", "3", "4", "5", "6", "7b", "7c", "7d")


def first_layer(does: Does) -> Layer:
    """The first layer in which any of these operations works."""
    return min((operation.layer for operation in does), key=DRAWN_LAYERS.index)


# --------------------------------------------------------------------------------------- whom


@cache
def filters(layer: Layer) -> tuple[Filter, ...]:
    """Filters on characteristics that are settled before this layer is applied."""
    found = [
        CREATURES,
        *(Filter(type=a("Creature"), subtype=frozenset({word})) for word in DRAWN_CREATURE_TYPES),
        *(Filter(type=a(word)) for word in PERMANENT_TYPES[1:]),
        *(Filter(type=a("Land"), subtype=frozenset({word})) for word in BASIC_LAND_TYPES[:3]),
        Filter(type=a("Artifact"), without=(Filter(type=a("Creature")),)),
        NONBASIC,
    ]
    if layer >= "5":
        found += [Filter(type=a("Creature"), color=frozenset({word})) for word in COLORS]
    if layer >= "6":
        found += [Filter(type=a("Creature"), keyword=frozenset({word})) for word in DRAWN_KEYWORDS]
    return tuple(found)


@cache
def everything_like(layer: Layer) -> SearchStrategy[All]:
    """Selectors for all creatures or all that pass a filter, perhaps only yours or all except the source."""
    plain = [all_of(wanted) for wanted in filters(layer)]
    yours = [all_of(wanted, controller=You()) for wanted in filters(layer)]
    others = [all_of(wanted, other_than=This()) for wanted in filters(layer)]
    return st.sampled_from([CREATURES] * 10 + plain + plain + yours + others)


def all_of(wanted: Filter, controller: You | None = None, other_than: This | None = None) -> All:
    """Everything on the battlefield that passes the filter."""
    return All(
        type=wanted.type,
        subtype=wanted.subtype,
        color=wanted.color,
        keyword=wanted.keyword,
        without=wanted.without,
        controller=controller,
        other_than=other_than,
    )


# ----------------------------------------------------------------------------------- abilities


@composite
def static_abilities(draw: DrawFn, lacks: MissingFeatures = frozenset(), depth: int = 1) -> Static:
    """A static ability with one part; sometimes it grants another ability or has a condition."""
    does = draw(deeds(lacks))
    affects: Selector = draw(everything_like(first_layer(does)))
    odd = draw(sampled_from(("", "", "", "", "", "", "grants", "depends"))) if depth else ""
    if odd == "grants" and "abilities" not in lacks:
        granted = draw(st.one_of(static_abilities(lacks, depth - 1), granted_definitions(lacks)))
        does = of_different_kinds([(Gain((granted,)),), does])
    there = All(type=a("Artifact"), controller=You())
    return Static((Part(affects, does),), cond=Exists(there) if odd == "depends" else None)


@cache
def granted_definitions(lacks: MissingFeatures) -> SearchStrategy[Ability]:
    """A quoted ability that defines its object's size or colour."""
    sizes = [Defines((Base(*size),)) for size in CREATURE_SIZES]
    colors = [Defines((SetColors(frozenset({word})),)) for word in COLORS]
    known = [one for one in (*sizes, *colors) if not features_in(one) & lacks]
    return st.sampled_from(known) if known else st.nothing()


@cache
def own_abilities(lacks: MissingFeatures) -> SearchStrategy[Ability]:
    """A creature's abilities that affect itself, other than plain keywords."""
    own: list[Ability] = [Static((Part(This(), (Modify(amount, 0),)),)) for amount in AMOUNTS]
    own += [Defines((SetColors(frozenset({word})),)) for word in COLORS]
    own += [Defines((Base(amount, amount),)) for amount in AMOUNTS if isinstance(amount, Count)]
    own += [Defines((AddEveryType("creature"),))]
    words = [Keyword(word) for word in (*DRAWN_KEYWORDS, "changeling")]
    return st.sampled_from([*words, *(one for one in own if not features_in(one) & lacks)])


# --------------------------------------------------------------------------------------- cards


@cache
def plain_creatures() -> SearchStrategy[Card]:
    """Creatures with at most one keyword."""
    own: tuple[tuple[Ability, ...], ...] = ((), (), (), *((Keyword(word),) for word in DRAWN_KEYWORDS))
    drawn = [
        creature(size[0], size[1], subtype, abilities, cost=cost)
        for cost in DRAWN_COSTS
        for abilities in own
        for size in CREATURE_SIZES[:8]
        for subtype in DRAWN_CREATURE_TYPES
    ]
    return st.sampled_from(drawn)


@composite
def invented_cards(draw: DrawFn, lacks: MissingFeatures = frozenset()) -> Card:
    """Invented permanent cards, plain ones first."""
    kind = draw(sampled_from(("plain", "effect", "effect", "effect", "creature", "land")))
    if kind == "plain" or not supported_kinds(lacks):
        return draw(plain_creatures())
    if kind == "effect":
        host = draw(sampled_from(HOSTS))
        own = draw(static_abilities(lacks))
        return Card("Test Card", a(host), cost=draw(sampled_from(DRAWN_COSTS)), abilities=(own,))
    if kind == "creature":
        plain = draw(plain_creatures())
        more = draw(st.one_of(static_abilities(lacks), own_abilities(lacks)))
        types = draw(sampled_from((plain.types, plain.types, plain.types | a("Artifact"))))
        return with_star(
            replace(plain, types=types, abilities=tuple(dict.fromkeys((*plain.abilities, more)))),
        )
    types = a("Land")
    subtypes = draw(sampled_from((frozenset[str](), *(frozenset({word}) for word in BASIC_LAND_TYPES))))
    if draw(booleans()):
        return Card("Test Card", types, subtypes=subtypes, abilities=(draw(static_abilities(lacks)),))
    basic: frozenset[Supertype] = frozenset({"Basic"}) if subtypes else frozenset()
    return Card("Test Card", types, supertypes=basic, subtypes=subtypes)


def with_star(card: Card) -> Card:
    """The card, with a star wherever its own ability defines its size."""
    defined = any(isinstance(a, Defines) and isinstance(a.does[0], Base) for a in card.abilities)
    return replace(card, power="*", toughness="*") if defined else card


def creature(
    power: int,
    toughness: int,
    subtype: str = "Bear",
    abilities: tuple[Ability, ...] = (),
    name: str = "Test Creature",
    cost: str = "{0}",
) -> Card:
    """A creature card; by default a Bear that costs {0}."""
    return Card(
        name,
        frozenset({"Creature"}),
        cost=cost,
        subtypes=frozenset({subtype}),
        power=power,
        toughness=toughness,
        abilities=abilities,
    )


def permanent(
    name: str, *does: Operation, affects: Selector = CREATURES, host: CardType = "Enchantment"
) -> Card:
    """A permanent with one static ability; its name begins with Test."""
    abilities = (Static((Part(affects, does),)),) if does else ()
    cost = None if host == "Land" else "{0}"
    return Card(f"Test {name}", frozenset({host}), cost=cost, abilities=abilities)


def aura(name: str, *does: Operation, enchants: Filter = A_CREATURE) -> Card:
    """An Aura with this effect on what it enchants."""
    enchant = Keyword("enchant", what=enchants)
    return Card(
        f"Test {name}",
        frozenset({"Enchantment"}),
        cost="{0}",
        subtypes=frozenset({"Aura"}),
        abilities=(enchant, Static((Part(Attached(), does),))),
    )


def equipment(name: str, *does: Operation) -> Card:
    """An Equipment with this effect on what it equips; its equip cost is {0}."""
    return Card(
        f"Test {name}",
        frozenset({"Artifact"}),
        cost="{0}",
        subtypes=frozenset({"Equipment"}),
        abilities=(Static((Part(Attached(), does),)), Keyword("equip", mana="{0}")),
    )


def instant(name: str, *does: Operation, affects: Selector = TARGET, targeted: bool = False) -> Card:
    """An instant with this effect until end of turn, on its target or on everything selected."""
    targets = (TargetSpec(CREATURES),) if targeted or affects == TARGET else ()
    effect = Effect(affects, does, "end of turn")
    return Card(
        f"Test {name}", frozenset({"Instant"}), cost="{0}", abilities=(Spell((effect,), targets=targets),)
    )


CLONE = Card(
    "Test Clone",
    frozenset({"Creature"}),
    cost="{0}",
    subtypes=frozenset({"Shapeshifter"}),
    power=0,
    toughness=0,
    abilities=(AsEnters(copy=CopyAsEnters(CREATURES), may=True),),
)


MIRROR = instant(
    "Mirror",
    BecomeCopy(TARGET),
    affects=All(type=frozenset({"Creature"}), other_than=TARGET),
    targeted=True,
)
"""Each creature except its target becomes a copy of the target."""


EXILE = Card(
    "Test Exile",
    frozenset({"Instant"}),
    cost="{0}",
    abilities=(Spell((Exile(TARGET),), targets=(TargetSpec(All()),)),),
)
"""An instant that exiles a permanent."""


@composite
def attached_deeds(draw: DrawFn, lacks: MissingFeatures, control: bool = False) -> Does:
    """What an Aura or Equipment does to a creature: anything that leaves it a creature, or control of it."""
    if control and "control" not in lacks and draw(sampled_from((False, False, True))):
        return (GainControl(),)
    does = draw(deeds(lacks, 2))
    return tuple(one for one in does if leaves_a_creature(one)) or (Gain((Keyword("flying"),)),)


def leaves_a_creature(operation: Operation) -> bool:
    """Whether a creature is still a creature after the operation."""
    return not isinstance(operation, SetTypes) or "Creature" in operation.types


# ---------------------------------------------------------------------------------- real cards


def known_cards(means: Means) -> tuple[Card, ...]:
    """Real cards that an engine supports, by name or by definition."""
    return means.real or (tuple(pool().values()) if means.invented else ())


@cache
def real_permanents(means: Means) -> tuple[Card, ...]:
    """Real permanents that work alone and that an engine supports: vanilla creatures first."""
    known = (card for card in known_cards(means) if stands_alone(card, means.lacks))
    return tuple(sorted(known, key=plainness))


def plainness(card: Card) -> tuple[bool, int, str]:
    """Sort key: plain creatures first, those with the fewest abilities first."""
    return (card.types != a("Creature"), len(parts_of_card(card)), card.name)


def stands_alone(card: Card, lacks: MissingFeatures) -> bool:
    """Whether a card can be put onto a board as it is: no choices, and nothing else required."""
    parts = [part for _, part in parts_of_card(card)]
    return (
        not card.types & {"Instant", "Sorcery", "Planeswalker", "Battle", "Kindred"}
        and not card.subtypes & {"Aura", "Saga", "Role", "Class", "Case"}
        and "World" not in card.supertypes
        and len(faces_of(card)) == 1
        and not any(isinstance(part, AsEnters | Triggered) for part in parts)
        and not features_of_card(card) & lacks
    )

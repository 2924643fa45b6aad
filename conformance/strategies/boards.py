"""Hypothesis strategies for cards, boards and scenarios: plain data, valid by construction, simplest first.

A board is drawn as a `Play`: invented cards, objects, and a setup that enters them one by one. What
must never matter (ids, the order in which objects are created, seats) is drawn apart from what
does (the order in which they enter).
"""

from __future__ import annotations

from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec.structs import replace

from conformance.scenario import Arrival, CardInPlay, Entry, Object, Play, Player, Start
from reference_engine.board import Board, Seat, Thing
from reference_engine.cards import (
    Ability,
    AddColors,
    AddEveryType,
    AddTypes,
    All,
    Base,
    CannotHave,
    Card,
    Count,
    Defines,
    Filter,
    Gain,
    GainControl,
    It,
    Keyword,
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
    Static,
    Switch,
    This,
    You,
)
from reference_engine.layers import evaluate
from reference_engine.rules import CR
from reference_engine.words import BasicLandType, CardType, Color, CounterKind, KeywordName

Word = TypeVar("Word", bound=str)

COLORS: tuple[Color, ...] = ("white", "blue", "black", "red", "green")
CREATURE_TYPES = ("Bear", "Goblin", "Elf", "Zombie")
KEYWORDS: tuple[KeywordName, ...] = ("flying", "trample", "haste", "vigilance")
LAND_TYPES: tuple[BasicLandType, ...] = ("Plains", "Island", "Swamp", "Mountain", "Forest")
PERMANENT_TYPES: tuple[CardType, ...] = ("Creature", "Artifact", "Enchantment", "Land")
COUNTERS: tuple[CounterKind, ...] = ("+1/+1", "-1/-1", "flying")

small = st.integers(0, 4)


def subset(words: tuple[Word, ...], most: int = 2) -> SearchStrategy[frozenset[Word]]:
    """A few of these words, fewest first."""
    return st.frozensets(st.sampled_from(words), min_size=1, max_size=most)


def filters() -> SearchStrategy[Filter]:
    """What a thing has to be like: one or two criteria, of every layer."""
    return st.one_of(
        st.sampled_from(PERMANENT_TYPES).map(lambda t: Filter(type=frozenset({t}))),
        st.sampled_from(CREATURE_TYPES).map(
            lambda t: Filter(type=frozenset({"Creature"}), subtype=frozenset({t}))
        ),
        st.sampled_from(COLORS).map(lambda c: Filter(type=frozenset({"Creature"}), color=frozenset({c}))),
        st.sampled_from(KEYWORDS).map(lambda k: Filter(type=frozenset({"Creature"}), keyword=frozenset({k}))),
        st.sampled_from(LAND_TYPES).map(lambda t: Filter(type=frozenset({"Land"}), subtype=frozenset({t}))),
        st.just(Filter(type=frozenset({"Artifact"}), without=(Filter(type=frozenset({"Creature"})),))),
        st.just(Filter(type=frozenset({"Land"}), without=(Filter(supertype=frozenset({"Basic"})),))),
    )


@st.composite
def everything_like(draw: DrawFn) -> Selector:
    """A selector of objects: itself, or all that are alike; yours, others', other than itself."""
    if draw(st.booleans()):
        wanted = draw(filters())
        return All(
            type=wanted.type,
            subtype=wanted.subtype,
            color=wanted.color,
            keyword=wanted.keyword,
            without=wanted.without,
            controller=draw(st.sampled_from((None, You()))),
            other_than=draw(st.sampled_from((None, This()))),
        )
    return This() if draw(st.booleans()) else All(type=frozenset({"Creature"}))


@st.composite
def amounts(draw: DrawFn) -> Quantity:
    """A number, or one that depends on the board."""
    return draw(
        st.one_of(
            small,
            st.just(Count(All(type=frozenset({"Creature"})))),
            st.just(PropertyOf("mana_value", It())),
        )
    )


def operations() -> SearchStrategy[Operation]:
    """Every kind of operation on objects that a static ability can perform."""
    keywords = st.sampled_from(KEYWORDS)
    return st.one_of(
        st.tuples(small, small).map(lambda n: Modify(*n)),
        st.tuples(small, small).map(lambda n: Base(*n)),
        st.just(Switch()),
        keywords.map(lambda k: Gain((Keyword(k),))),
        keywords.map(lambda k: Lose(frozenset({k}))),
        keywords.map(lambda k: CannotHave(frozenset({k}))),
        st.just(LoseAllAbilities()),
        subset(COLORS).map(SetColors),
        subset(COLORS).map(AddColors),
        subset(CREATURE_TYPES).map(SetCreatureTypes),
        subset(CREATURE_TYPES).map(lambda t: AddTypes(subtypes=t)),
        st.sampled_from(PERMANENT_TYPES).map(lambda t: AddTypes(types=frozenset({t}))),
        st.sampled_from(LAND_TYPES).map(lambda t: SetBasicLandTypes(frozenset({t}))),
        st.sampled_from(LAND_TYPES).map(lambda t: AddTypes(subtypes=frozenset({t}))),
        st.sampled_from(PERMANENT_TYPES).map(lambda t: SetTypes(frozenset({t}))),
        st.just(AddEveryType("creature")),
        st.just(AddEveryType("basic land")),
        st.just(GainControl()),
        st.tuples(amounts(), amounts()).map(lambda n: Modify(*n)),
        st.tuples(amounts(), amounts()).map(lambda n: Base(*n)),
    )


@st.composite
def static_abilities(draw: DrawFn, depth: int = 1) -> Ability:
    """A static ability of one part with one to three operations; now and then it grants another."""
    does = draw(st.lists(operations(), min_size=1, max_size=3, unique_by=type))
    if depth and draw(st.integers(0, 9)) == 9:
        does = [*does, Gain((draw(static_abilities(depth=depth - 1)),))]
    return Static((Part(draw(everything_like()), tuple(does)),))


@st.composite
def defining_abilities(draw: DrawFn) -> Ability:
    """An ability that says what its object is."""
    return Defines(
        (
            draw(
                st.one_of(
                    amounts().map(lambda n: Base(n, n)),
                    st.sampled_from(COLORS).map(lambda c: SetColors(frozenset({c}))),
                    st.just(AddEveryType("creature")),
                )
            ),
        )
    )


@st.composite
def invented_cards(draw: DrawFn, name: str = "Test Card") -> Card:
    """A permanent card that nobody printed, plain ones first."""
    kind = draw(st.sampled_from(PERMANENT_TYPES))
    creature = kind == "Creature"
    subtypes: frozenset[str] = frozenset()
    if creature:
        subtypes = frozenset({draw(st.sampled_from(CREATURE_TYPES))})
    elif kind == "Land":
        subtypes = draw(st.frozensets(st.sampled_from(LAND_TYPES), max_size=1))
    abilities = draw(
        st.lists(
            st.one_of(
                static_abilities(),
                st.sampled_from(KEYWORDS).map(Keyword),
                st.just(Keyword("changeling")) if creature else static_abilities(),
                defining_abilities() if creature else static_abilities(),
            ),
            max_size=2,
        )
    )
    return Card(
        name=name,
        types=frozenset({kind}),
        cost=draw(st.sampled_from(("{0}", "{1}{R}", "{2}{G}{G}", "{W}"))) if kind != "Land" else None,
        supertypes=frozenset({"Basic"}) if kind == "Land" and not abilities and subtypes else frozenset(),
        subtypes=subtypes,
        power=draw(small) if creature else None,
        toughness=draw(st.integers(1, 5)) if creature else None,
        abilities=tuple(abilities),
    )


@st.composite
def boards(draw: DrawFn, most: int = 5) -> Play:
    """A board of invented permanents that entered one after another; two players."""
    cards = draw(st.lists(invented_cards(), min_size=1, max_size=most))
    cards = [replace(card, name=f"Test Card {number}") for number, card in enumerate(cards)]
    ids = draw(st.permutations([f"p{n}" for n in range(len(cards))]))
    things = [
        Thing(
            id,
            card,
            owner := draw(st.sampled_from(("alice", "bob"))),
            "battlefield",
            timestamp,
            owner,
            tapped=draw(st.booleans()) and draw(st.booleans()),
        )
        for timestamp, (id, card) in enumerate(zip(ids, cards, strict=True), 1)
    ]
    there = those_that_live(things)
    objects = [Object(thing.id, thing.card.name, thing.owner) for thing in there]
    return Play(
        players=(Player("alice"), Player("bob")),
        start=Start("alice"),
        cards=tuple(CardInPlay(thing.card) for thing in there),
        objects=tuple(draw(st.permutations(objects))),
        setup=tuple(Arrival((Entry(thing.id, thing.owner, tapped=thing.tapped),)) for thing in there),
    )


def those_that_live(things: list[Thing]) -> tuple[Thing, ...]:
    """The permanents after whose entry, one by one, no creature would die: the rest are left out.

    A setup after which a state-based action waits is no setup.
    """
    seats = (Seat("alice"), Seat("bob"))
    board = Board(seats, {}, active="alice")
    for thing in things:
        grown = board.with_things(thing)
        seen = evaluate(grown, CR)
        toughnesses = [seen.toughness(id) for id in grown.things]
        if all(toughness is None or toughness > 0 for toughness in toughnesses):
            board = grown
    return tuple(board.things.values())

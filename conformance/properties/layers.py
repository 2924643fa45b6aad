"""Laws of the layers (CR 613) that need no oracle.

They hold for constant amounts, and for effects whose selectors read no later layer than they work
in; the strategies draw only such.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.observation import Observations, SeenObject
from conformance.properties.law import Broken, Player, Property, anyway, holds_for
from conformance.scenario import Arrival, CardInPlay, Entry, Object, Play, Start, Want
from conformance.scenario import Player as Seat
from conformance.strategies.boards import boards
from conformance.strategies.cards import COLORS, CREATURE_TYPES, KEYWORDS, LAND_TYPES, small
from reference_engine.cards import (
    AddTypes,
    All,
    Base,
    Card,
    Filter,
    Gain,
    Keyword,
    Lose,
    LoseAllAbilities,
    Modify,
    Operation,
    Part,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    Static,
    Switch,
)

LOOK = "end"
OBJECT_KEYS = frozenset(
    {"colors", "controller", "keywords", "power", "subtypes", "supertypes", "toughness", "types"}
)
CREATURES = All(type=frozenset({"Creature"}))


# --------------------------------------------------------------------------- small edits of plays


def looking(play: Play) -> Play:
    """The play, with everything that a law compares wanted of every permanent at the end."""
    wants = tuple(Want(LOOK, thing.id, OBJECT_KEYS) for thing in play.objects)
    return replace(play, wants=wants)


def seen(play: Player, scenario: Play) -> dict[str, SeenObject]:
    """How every object of a scenario looks at the end."""
    observed: Observations = play(looking(scenario))
    return observed.looks[LOOK].objects if LOOK in observed.looks else {}


def renamed(play: Play, names: dict[str, str]) -> Play:
    """The play with other ids for its objects."""
    return replace(
        play,
        objects=tuple(replace(thing, id=names[thing.id]) for thing in play.objects),
        setup=tuple(
            replace(arrival, entries=tuple(replace(entry, id=names[entry.id]) for entry in arrival.entries))
            for arrival in play.setup
        ),
    )


def mirrored(play: Play) -> Play:
    """The play with its two players' places exchanged, and everything else as it was."""
    return replace(play, players=tuple(reversed(play.players)))


def entered_in(play: Play, order: Sequence[int]) -> Play:
    """The play with its permanents entering in another order."""
    return replace(play, setup=tuple(play.setup[number] for number in order))


def expect_same(
    one: dict[str, SeenObject],
    other: dict[str, SeenObject],
    because: str,
    names: dict[str, str] | None = None,
) -> None:
    """The same objects look the same in both."""
    for id, look in one.items():
        counterpart = other.get((names or {}).get(id, id), SeenObject())
        for key in sorted(OBJECT_KEYS):
            here, there = getattr(look, key), getattr(counterpart, key)
            if here != there:
                raise Broken(f"{id}: {key}\n  one way    {here}\n  the other  {there}\n  {because}")


# -------------------------------------------------------------------------------- boards of laws


def permanent(name: str, *operations: Operation, affects: All = CREATURES) -> Card:
    """An enchantment with one static ability; the law's name for it begins with Test."""
    abilities = (Static((Part(affects, operations),)),) if operations else ()
    return Card(f"Test {name}", frozenset({"Enchantment"}), cost="{0}", abilities=abilities)


def creature(power: int, toughness: int, subtype: str = "Bear", **more: object) -> Card:
    """A plain creature card."""
    return Card(
        "Test Creature",
        frozenset({"Creature"}),
        cost="{0}",
        subtypes=frozenset({subtype}),
        power=power,
        toughness=toughness,
        **more,  # type: ignore[arg-type]  # fields of a card
    )


def board_with(*cards: tuple[str, Card], owner: str = "alice") -> Play:
    """A board on which these entered in this order, all under one player's control."""
    return Play(
        players=(Seat("alice"), Seat("bob")),
        start=Start("alice"),
        cards=tuple(CardInPlay(card) for card in {card.name: card for _, card in cards}.values()),
        objects=tuple(Object(id, card.name, owner) for id, card in cards),
        setup=tuple(Arrival((Entry(id, owner),)) for id, _ in cards),
    )


class Pair(NamedTuple):
    """A creature and two effects on all creatures."""

    creature: Card
    one: Card
    other: Card


def settable() -> st.SearchStrategy[tuple[Operation, Operation]]:
    """Two different settings of the same thing, each by a constant."""
    colors = st.lists(st.sampled_from(COLORS), min_size=2, max_size=2, unique=True)
    types = st.lists(st.sampled_from(CREATURE_TYPES), min_size=2, max_size=2, unique=True)
    sizes = st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=2, max_size=2, unique=True)
    keywords = st.sampled_from(KEYWORDS)
    return st.one_of(
        colors.map(lambda c: (SetColors(frozenset({c[0]})), SetColors(frozenset({c[1]})))),
        types.map(lambda t: (SetCreatureTypes(frozenset({t[0]})), SetCreatureTypes(frozenset({t[1]})))),
        sizes.map(lambda s: (Base(*s[0]), Base(*s[1]))),
        keywords.map(lambda k: (Gain((Keyword(k),)), Lose(frozenset({k})))),
    )


def one_layer_each() -> st.SearchStrategy[tuple[Operation, Operation]]:
    """Two operations of different layers, by constants."""
    by_layer: list[st.SearchStrategy[Operation]] = [
        st.sampled_from(CREATURE_TYPES).map(lambda t: SetCreatureTypes(frozenset({t}))),
        st.sampled_from(COLORS).map(lambda c: SetColors(frozenset({c}))),
        st.sampled_from(KEYWORDS).map(lambda k: Gain((Keyword(k),))),
        st.tuples(st.integers(1, 4), st.integers(1, 4)).map(lambda n: Base(*n)),
        st.tuples(small, small).map(lambda n: Modify(*n)),
        st.just(Switch()),
    ]
    pairs = [(a, b) for a in range(len(by_layer)) for b in range(a + 1, len(by_layer))]
    return st.sampled_from(pairs).flatmap(lambda pair: st.tuples(by_layer[pair[0]], by_layer[pair[1]]))


@st.composite
def pairs(draw: DrawFn, of: st.SearchStrategy[tuple[Operation, Operation]]) -> Pair:
    """A creature that survives whatever is done to it, and two effects."""
    one, other = draw(of)
    size = draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))
    return Pair(
        creature(*size, draw(st.sampled_from(CREATURE_TYPES))),
        permanent("One", one),
        permanent("Other", other),
    )


# --------------------------------------------------------------------------------------- laws


@holds_for(anyway(pairs(one_layer_each())), rules=("613.1", "613.4"))
def the_order_of_layers_beats_age(play: Player, case: Pair) -> None:
    """Of two effects in different layers it does not matter which is older."""
    older = board_with(("bear", case.creature), ("first", case.one), ("second", case.other))
    newer = entered_in(older, (0, 2, 1))
    expect_same(
        seen(play, older), seen(play, newer), "CR 613.1: layers are applied in order, whatever their age"
    )


@holds_for(anyway(pairs(settable())), rules=("613.7", "613.9"))
def the_later_timestamp_wins(play: Player, case: Pair) -> None:
    """Of two effects that set the same thing the newer one is seen, whichever it is."""
    both = board_with(("bear", case.creature), ("first", case.one), ("second", case.other))
    alone = board_with(("bear", case.creature), ("second", case.other))
    swapped = entered_in(both, (0, 2, 1))
    alone_swapped = board_with(("bear", case.creature), ("first", case.one))
    because = "CR 613.7: the effect with the later timestamp is applied later"
    expect_same({"bear": seen(play, alone)["bear"]}, seen(play, both), because)
    expect_same({"bear": seen(play, alone_swapped)["bear"]}, seen(play, swapped), because)


@st.composite
def modifications(draw: DrawFn) -> tuple[Play, tuple[int, ...]]:
    """Several +N/+N effects on a creature, and another order for them."""
    sizes = draw(st.lists(st.tuples(small, small), min_size=2, max_size=4))
    cards = [
        (f"m{n}", replace(permanent("Anthem", Modify(*size)), name=f"Test Anthem {n}"))
        for n, size in enumerate(sizes)
    ]
    order = draw(st.permutations(range(len(cards))))
    return board_with(("bear", creature(2, 2)), *cards), (0, *(number + 1 for number in order))


@holds_for(anyway(modifications()), rules=("613.4c",))
def permuting_modifications_changes_nothing(play: Player, case: tuple[Play, tuple[int, ...]]) -> None:
    """Constant +N/+N effects may come in any order."""
    scenario, order = case
    expect_same(
        seen(play, scenario), seen(play, entered_in(scenario, order)), "CR 613.4c: modifications are added up"
    )


@st.composite
def switches(draw: DrawFn) -> tuple[Card, int]:
    """A creature and an even number of effects that switch it."""
    return creature(*draw(st.tuples(st.integers(1, 4), st.integers(1, 4)))), draw(st.sampled_from((2, 4)))


@holds_for(anyway(switches()), rules=("613.4d",))
def two_switches_cancel(play: Player, case: tuple[Card, int]) -> None:
    """An even number of effects that switch power and toughness leaves them as they were."""
    bear, times = case
    cards = [(f"s{n}", replace(permanent("Switch", Switch()), name=f"Test Switch {n}")) for n in range(times)]
    switched = seen(play, board_with(("bear", bear), *cards))
    plain = seen(play, board_with(("bear", bear)))
    expect_same(plain, switched, "CR 613.4d: two switches cancel each other")


@st.composite
def plain_boards(draw: DrawFn) -> Play:
    """Creatures without abilities."""
    sizes = draw(st.lists(st.tuples(small, st.integers(1, 5)), min_size=1, max_size=3))
    return board_with(
        *((f"c{n}", replace(creature(*size), name=f"Test Creature {n}")) for n, size in enumerate(sizes))
    )


@holds_for(anyway(plain_boards()), rules=("613.1",))
def without_effects_everything_is_as_printed(play: Player, case: Play) -> None:
    """Objects that no effect touches have their printed characteristics."""
    looks = seen(play, case)
    cards = {card.definition.name: card.definition for card in case.cards}
    for thing in case.objects:
        card, look = cards[thing.card], looks[thing.id]
        if (look.power, look.toughness, look.types) != (card.power, card.toughness, card.types):
            raise Broken(
                f"{thing.id} is {look.power}/{look.toughness}, not {card.power}/{card.toughness} as printed"
            )


@holds_for(anyway(boards()), rules=("613.5",))
def asking_again_changes_nothing(play: Player, case: Play) -> None:
    """The same board played twice looks the same."""
    expect_same(seen(play, case), seen(play, case), "CR 613.5: the result follows from the board alone")


@st.composite
def renamings(draw: DrawFn) -> tuple[Play, dict[str, str]]:
    """A board, and other ids for its objects."""
    scenario = draw(boards())
    ids = [thing.id for thing in scenario.objects]
    fresh = draw(st.permutations([f"q{n}" for n in range(len(ids))]))
    return scenario, dict(zip(ids, fresh, strict=True))


@holds_for(anyway(renamings()), rules=("613.7",))
def names_of_objects_do_not_matter(play: Player, case: tuple[Play, dict[str, str]]) -> None:
    """Other ids for the same objects change nothing."""
    scenario, names = case
    because = "CR 613.7: timestamps decide, and ids are nothing of the game's"
    expect_same(seen(play, scenario), seen(play, renamed(scenario, names)), because, names)


@st.composite
def reorderings(draw: DrawFn) -> tuple[Play, tuple[Object, ...]]:
    """A board, and another order in which its objects are created."""
    scenario = draw(boards())
    return scenario, tuple(draw(st.permutations(scenario.objects)))


@holds_for(anyway(reorderings()), rules=("613.7d",))
def the_order_of_creation_does_not_matter(play: Player, case: tuple[Play, tuple[Object, ...]]) -> None:
    """Only the order in which objects entered counts, not that in which they were made."""
    scenario, objects = case
    other = replace(scenario, objects=objects)
    expect_same(
        seen(play, scenario), seen(play, other), "CR 613.7d: an object's timestamp is from entering its zone"
    )


@holds_for(anyway(boards()), rules=("613.7",))
def seats_do_not_matter(play: Player, case: Play) -> None:
    """Players sitting the other way round see the same board."""
    expect_same(seen(play, case), seen(play, mirrored(case)), "CR 613.7: timestamps decide, not seats")


@holds_for(anyway(boards()), rules=("613.1",))
def something_irrelevant_changes_nothing(play: Player, case: Play) -> None:
    """A card in a library that no effect speaks of changes nothing."""
    card = Card("Test Idle Card", frozenset({"Sorcery"}), cost="{0}")
    first, *others = case.players
    more = replace(
        case,
        players=(replace(first, library=("idle", *first.library)), *others),
        cards=(*case.cards, CardInPlay(card)),
        objects=(Object("idle", card.name, first.id), *case.objects),
    )
    changed = {id: look for id, look in seen(play, more).items() if id != "idle"}
    expect_same(
        seen(play, case), changed, "CR 611.3a: an effect applies to what its text says, and to nothing else"
    )


class Dependent(NamedTuple):
    """Two lands' worth of effects, one of which takes the other's ability away."""

    setter: Card
    giver: Card
    land: Card


@st.composite
def dependent_pairs(draw: DrawFn) -> Dependent:
    """A nonbasic land that gives all lands a type, an effect that sets nonbasic lands' types, and a basic
    land.
    """
    new, given, own = draw(st.permutations(LAND_TYPES))[:3]
    lands = All(type=frozenset({"Land"}))
    nonbasic = All(type=frozenset({"Land"}), without=(Filter(supertype=frozenset({"Basic"})),))
    gives = Static((Part(lands, (AddTypes(subtypes=frozenset({given})),)),))
    giver = Card("Test Giver", frozenset({"Land"}), abilities=(gives,))
    basic = Card(
        "Test Basic", frozenset({"Land"}), supertypes=frozenset({"Basic"}), subtypes=frozenset({own})
    )
    return Dependent(permanent("Setter", SetBasicLandTypes(frozenset({new})), affects=nonbasic), giver, basic)


@holds_for(anyway(dependent_pairs()), rules=("613.8a", "613.8b", "305.7"))
def a_dependency_outranks_age(play: Player, case: Dependent) -> None:
    """When one effect would end another's existence, it does not matter whose object came first."""
    older = board_with(("setter", case.setter), ("giver", case.giver), ("land", case.land))
    newer = entered_in(older, (1, 0, 2))
    because = "CR 613.8b: the effect that would be taken away waits, whatever its age"
    expect_same(seen(play, older), seen(play, newer), because)


class Loop(NamedTuple):
    """Two effects each of which changes what the other applies to."""

    first: Card
    second: Card
    of_first: Card
    of_second: Card


@st.composite
def loops(draw: DrawFn) -> Loop:
    """All of one creature type become another, and all of the other become the one."""
    a, b = draw(st.lists(st.sampled_from(CREATURE_TYPES), min_size=2, max_size=2, unique=True))
    of_a = All(type=frozenset({"Creature"}), subtype=frozenset({a}))
    of_b = All(type=frozenset({"Creature"}), subtype=frozenset({b}))
    return Loop(
        permanent("First", SetCreatureTypes(frozenset({b})), affects=of_a),
        permanent("Second", SetCreatureTypes(frozenset({a})), affects=of_b),
        creature(1, 1, a),
        replace(creature(1, 1, b), name="Test Other Creature"),
    )


@holds_for(anyway(loops()), rules=("613.8b",))
def a_loop_falls_back_to_timestamps(play: Player, case: Loop) -> None:
    """Effects that wait for each other are applied oldest first: afterwards every creature has the type the
    newer gives.
    """
    older = board_with(
        ("a", case.of_first), ("b", case.of_second), ("first", case.first), ("second", case.second)
    )
    newer = entered_in(older, (0, 1, 3, 2))
    for scenario, last in ((older, case.of_first), (newer, case.of_second)):
        looks = seen(play, scenario)
        for id in ("a", "b"):
            if looks[id].subtypes != last.subtypes:
                raise Broken(
                    f"{id} has subtypes {looks[id].subtypes}, not {last.subtypes}\n"
                    "  CR 613.8b: within a dependency loop timestamps decide"
                )


@st.composite
def taken_away(draw: DrawFn) -> tuple[Card, Card, Card]:
    """A creature that works on all creatures in an earlier layer and a later one, and an effect that takes
    abilities.
    """
    color = draw(st.sampled_from(COLORS))
    size = draw(st.integers(1, 3))
    lord = replace(
        creature(2, 2),
        name="Test Lord",
        abilities=(Static((Part(CREATURES, (SetColors(frozenset({color})), Modify(size, size))),)),),
    )
    return lord, creature(1, 1), permanent("Silence", LoseAllAbilities())


@holds_for(anyway(taken_away()), rules=("613.6",))
def what_has_begun_goes_on(play: Player, case: tuple[Card, Card, Card]) -> None:
    """An effect that began in an earlier layer is applied in later ones though its ability is gone."""
    lord, bear, silence = case
    with_silence = seen(play, board_with(("lord", lord), ("bear", bear), ("silence", silence)))
    without = seen(play, board_with(("lord", lord), ("bear", bear)))
    because = "CR 613.6: it goes on to apply to the same objects in later layers"
    expect_same(without, with_silence, because)


LAYERS: tuple[Property[Any], ...] = (
    the_order_of_layers_beats_age,
    the_later_timestamp_wins,
    permuting_modifications_changes_nothing,
    two_switches_cancel,
    without_effects_everything_is_as_printed,
    asking_again_changes_nothing,
    names_of_objects_do_not_matter,
    the_order_of_creation_does_not_matter,
    seats_do_not_matter,
    something_irrelevant_changes_nothing,
    a_dependency_outranks_age,
    a_loop_falls_back_to_timestamps,
    what_has_begun_goes_on,
)

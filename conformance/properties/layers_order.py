"""Laws of the order of the layers (CR 613.1, 613.4), and of the resulting power and toughness."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.properties.law import PlayFunction, Property, holds_for
from conformance.properties.seeing import SIZE, expect, looks_at_end
from conformance.properties.small_boards import (
    NEWER,
    OLDER,
    Deal,
    Pair,
    board_with,
    by_means,
    deals,
    entered_in,
    fitting,
    of_invented,
    with_entry,
)
from conformance.strategies.cards import (
    CREATURES,
    DRAWN_CREATURE_TYPES,
    DRAWN_KEYWORDS,
    all_of,
    color,
    creature,
    creatures_of,
    hosts,
    in_any_order,
    one,
    permanent,
    several,
    sizes,
    small,
    two_of,
    word,
)
from conformance.strategies.draws import composite
from conformance.strategies.means import Means
from reference_engine.language.cards import (
    Base,
    Card,
    Counters,
    Exists,
    Filter,
    Gain,
    Keyword,
    Layer,
    Modify,
    Operation,
    Part,
    SetColors,
    SetCreatureTypes,
    Static,
    Switch,
)
from reference_engine.language.words import COLORS, CardType


class Reading(NamedTuple):
    """An effect that asks for what another, in an earlier layer, brings about."""

    layer: Layer
    writes: Operation
    asks: Filter
    does: Operation
    shows: tuple[str, Any]
    """What is seen of the creature if it was asked rightly."""
    conditional: bool
    """Whether it is there as long as there is such a thing, rather than about such things."""

    def reader(self, host: CardType) -> Card:
        """The permanent that asks."""
        wanted = all_of(self.asks)
        if not self.conditional:
            return permanent("Reader", self.does, affects=wanted, host=host)
        ability = Static((Part(CREATURES, (self.does,)),), cond=Exists(wanted))
        return replace(permanent("Reader", host=host), abilities=(ability,))


SUBJECT = {
    "4": "CR 613.1d: types are settled in layer 4",
    "5": "CR 613.1e: colours are settled in layer 5",
    "6": "CR 613.1f: abilities are settled in layer 6",
}
FEATURE_OF_LAYER: dict[str, str] = {
    **{"4": "types", "5": "colours", "6": "abilities"},
    **{"7b": "set power and toughness", "7c": "anthems"},
}


@composite
def readings(draw: DrawFn, means: Means) -> tuple[Reading, Card, CardType, Deal]:
    """A creature, an effect on all creatures, and a later layer's effect on those that it made so."""
    before, after = draw(two_of(DRAWN_CREATURE_TYPES))
    new, given = draw(color), draw(word)
    other = draw(st.sampled_from([name for name in COLORS if name != new]))
    another = draw(st.sampled_from([name for name in DRAWN_KEYWORDS if name != given]))
    writes: tuple[tuple[Layer, Operation, Filter], ...] = (
        ("4", SetCreatureTypes(one(after)), creatures_of(after)),
        ("5", SetColors(one(new)), Filter(type=one("Creature"), color=one(new))),
        ("6", Gain((Keyword(given),)), Filter(type=one("Creature"), keyword=one(given))),
    )
    does: tuple[tuple[Layer, Operation, tuple[str, Any]], ...] = (
        ("5", SetColors(one(other)), ("colors", one(other))),
        ("6", Gain((Keyword(another),)), ("keywords", one(another))),
        ("7b", Base(5, 5), ("power", 5)),
        ("7c", Modify(2, 0), ("power", 4)),
    )
    rows = [
        ((FEATURE_OF_LAYER[layer], FEATURE_OF_LAYER[later]), (layer, operation, asks, deed, shows))
        for layer, operation, asks in writes
        for later, deed, shows in does
        if later > layer
    ]
    layer, operation, asks, deed, shows = draw(fitting(means, *rows))
    bear = creature(2, 2, before)
    reading = Reading(layer, operation, asks, deed, shows, draw(st.sampled_from((False, False, True))))
    return reading, bear, draw(hosts), draw(deals)


READ = tuple(
    (FEATURE_OF_LAYER[layer], feature)
    for layer in ("4", "5", "6")
    for later, feature in FEATURE_OF_LAYER.items()
    if later > layer
)


@holds_for(by_means(readings, *READ), rules=("613.1", "613.1d", "613.1e", "613.1f", "613.5", "613.6"))
def the_order_of_layers_beats_age(play: PlayFunction, case: tuple[Reading, Card, CardType, Deal]) -> None:
    """An effect sees the results of all earlier layers, even of newer effects: they decide whom it affects
    and whether it exists at all.

    It does not check two effects in one layer.
    """
    reading, bear, host, deal = case
    board = Pair(
        bear,
        permanent("Maker", reading.writes, host=host),
        reading.reader(host),
        deal,
    ).board()
    key, value = reading.shows
    because = f"{SUBJECT[reading.layer]}, before a later one asks for them"
    for order in (OLDER, NEWER):
        expect(
            looks_at_end(play, entered_in(board, order), frozenset({key}), ["bear"]),
            "bear",
            because,
            **{key: value},
        )


class SizedCreature(NamedTuple):
    """A creature, what sets its size and what modifies it, in an order of entry."""

    base: tuple[int, int]
    more: tuple[int, int]
    order: tuple[int, ...]
    deal: Deal


sized_creatures = st.builds(
    SizedCreature, sizes, st.tuples(st.integers(1, 3), small), st.sampled_from((OLDER, NEWER)), deals
)


@holds_for(
    of_invented(sized_creatures),
    rules=("613.4", "613.4b", "613.4c"),
    needs=("set power and toughness", "anthems"),
)
def sizes_are_set_before_they_are_modified(play: PlayFunction, case: SizedCreature) -> None:
    """An effect that sets power and toughness never undoes one that modifies them, whichever is older.

    It does not check the order of two effects in one sublayer.
    """
    (power, toughness), (more, tougher) = case.base, case.more
    board = Pair(
        creature(1, 1),
        permanent("Setter", Base(*case.base)),
        permanent("Anthem", Modify(*case.more)),
        case.deal,
    ).board()
    expect(
        looks_at_end(play, entered_in(board, case.order), SIZE, ["bear"]),
        "bear",
        "CR 613.4: sizes are set in 7b and modified in 7c, so both show",
        power=power + more,
        toughness=toughness + tougher,
    )


@holds_for(
    of_invented(sized_creatures),
    rules=("613.4", "613.4b", "613.4c", "122.1a"),
    needs=("set power and toughness", "counters"),
)
def counters_modify_as_effects_do(play: PlayFunction, case: SizedCreature) -> None:
    """+1/+1 counters add to whatever sets the size, older or newer.

    It does not check other kinds of counters.
    """
    (power, toughness), n = case.base, case.more[0]
    board = board_with(
        ("bear", creature(1, 1)), ("setter", permanent("Setter", Base(*case.base))), deal=case.deal
    )
    counted = with_entry(board, "bear", counters=(Counters("+1/+1", n),))
    order = (0, 1) if case.order == OLDER else (1, 0)
    expect(
        looks_at_end(play, entered_in(counted, order), SIZE, ["bear"]),
        "bear",
        "CR 613.4: counters modify in 7c, after what sets the size in 7b",
        power=power + n,
        toughness=toughness + n,
    )


class SwitchedCreature(NamedTuple):
    """A creature's size, a modification, and how often it is switched, in an order of entry."""

    base: tuple[int, int]
    more: tuple[int, int]
    times: int
    order: tuple[int, ...]
    deal: Deal


@composite
def switched_creatures(draw: DrawFn) -> SwitchedCreature:
    """A modification that is lopsided, and one to three switches among which it enters."""
    times = draw(st.integers(1, 3))
    more = draw(st.tuples(st.integers(1, 3), st.just(0)))
    return SwitchedCreature(draw(sizes), more, times, draw(in_any_order(range(times + 1))), draw(deals))


@holds_for(of_invented(switched_creatures()), rules=("613.4d", "613.4c"), needs=("switch", "anthems"))
def a_switch_comes_last(play: PlayFunction, case: SwitchedCreature) -> None:
    """Power and toughness are switched after everything that sets or modifies them, whatever entered first.

    It does not check effects that set a size: the creature has its printed one.
    """
    cards = [("anthem", permanent("Anthem", Modify(*case.more)))]
    cards += [(f"switch{n}", permanent(f"Switch {n}", Switch())) for n in range(case.times)]
    board = board_with(("bear", creature(*case.base)), *(cards[n] for n in case.order), deal=case.deal)
    size = (case.base[0] + case.more[0], case.base[1] + case.more[1])
    power, toughness = size if case.times % 2 == 0 else size[::-1]
    expect(
        looks_at_end(play, board, SIZE, ["bear"]),
        "bear",
        "CR 613.4d: switches are applied after sizes are set and modified",
        power=power,
        toughness=toughness,
    )


@composite
def even_switches(draw: DrawFn) -> tuple[Card, int, Deal]:
    """A creature and an even number of effects that switch it."""
    return creature(*draw(sizes)), draw(st.sampled_from((2, 4))), draw(deals)


@holds_for(of_invented(even_switches()), rules=("613.4d",), needs=("switch",))
def two_switches_cancel(play: PlayFunction, case: tuple[Card, int, Deal]) -> None:
    """An even number of switches leaves power and toughness as they were; an odd number exchanges them.

    It does not check what modifies the creature between the switches.
    """
    bear, times, deal = case
    switches = [(f"switch{n}", permanent(f"Switch {n}", Switch())) for n in range(times)]
    because = "CR 613.4d: two switches cancel each other"
    for many, power, toughness in (
        (times, bear.power, bear.toughness),
        (times - 1, bear.toughness, bear.power),
    ):
        board = board_with(("bear", bear), *switches[:many], deal=deal)
        looks = looks_at_end(play, board, SIZE, ["bear"])
        expect(looks, "bear", because, power=power, toughness=toughness)


@composite
def modifications(draw: DrawFn) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...], Deal]:
    """Several +N/+N effects, some of them less than nothing, in any order."""
    some = draw(several(st.tuples(st.integers(-3, 3), small), 2, 4))
    return some, draw(in_any_order(range(len(some)))), draw(deals)


@holds_for(of_invented(modifications()), rules=("613.4c", "107.1b"), needs=("anthems",))
def permuting_modifications_changes_nothing(
    play: PlayFunction, case: tuple[tuple[tuple[int, int], ...], tuple[int, ...], Deal]
) -> None:
    """Constant +N/+N effects add up in any order, also below zero.

    It does not check that either is right, only that they agree.
    """
    some, order, deal = case
    cards = [(f"anthem{n}", permanent(f"Anthem {n}", Modify(*size))) for n, size in enumerate(some)]
    board = board_with(("bear", creature(2, 2)), *(cards[n] for n in order), deal=deal)
    expect(
        looks_at_end(play, board, SIZE, ["bear"]),
        "bear",
        "CR 613.4c: modifications are added up (CR 107.1b: a power may be negative)",
        power=2 + sum(power for power, _ in some),
        toughness=2 + sum(toughness for _, toughness in some),
    )


@composite
def sunken(draw: DrawFn) -> tuple[int, int, bool, Deal]:
    """A creature's power, what takes more from it than there is, whether one card does both."""
    power = draw(st.integers(0, 2))
    return power, draw(st.integers(power + 1, power + 3)), draw(st.booleans()), draw(deals)


@holds_for(of_invented(sunken()), rules=("107.1b", "613.4c"), needs=("anthems",))
def a_power_may_be_less_than_nothing_on_the_way(
    play: PlayFunction, case: tuple[int, int, bool, Deal]
) -> None:
    """Power below 0 is kept while later effects are applied: splitting an effect in two changes nothing.

    It does not check that either is right, only that they agree.
    """
    power, less, together, deal = case
    down, up = Modify(-less, 0), Modify(less + 1, 0)
    both = permanent("Wave", down)
    both = replace(both, abilities=(*both.abilities, Static((Part(CREATURES, (up,)),))))
    cards = (
        [("wave", both)] if together else [("ebb", permanent("Ebb", down)), ("flow", permanent("Flow", up))]
    )
    expect(
        looks_at_end(play, board_with(("bear", creature(power, 2)), *cards, deal=deal), SIZE, ["bear"]),
        "bear",
        "CR 107.1b: a power may be negative while it is worked out",
        power=power + 1,
        toughness=2,
    )


ORDER: tuple[Property[Any], ...] = (
    the_order_of_layers_beats_age,
    sizes_are_set_before_they_are_modified,
    counters_modify_as_effects_do,
    a_switch_comes_last,
    two_switches_cancel,
    permuting_modifications_changes_nothing,
    a_power_may_be_less_than_nothing_on_the_way,
)

"""Laws of the layers (CR 613), most of which need no oracle: each draws a small board whose outcome is known.

They hold for constant amounts unless they say otherwise, and for effects whose selectors read no later
layer than they work in; the strategies draw only such. Read them in this order: layers, age, what defines,
dependency, loops, going on, single operations, copies and text.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec import UNSET
from msgspec.structs import replace

from conformance.engine import CannotPlay
from conformance.properties.law import Broken, Cases, Player, Property, holds_for
from conformance.properties.looks import (
    CONTROL,
    EVERY_KEY,
    KEYWORDS,
    SIZE,
    SUBTYPES,
    Deal,
    board_with,
    by_means,
    deals,
    entered_in,
    expect,
    expect_same,
    fitting,
    of_invented,
    seen,
    seen_at,
    seen_player,
    with_actions,
    with_card_in,
    with_entry,
    with_spell,
    words,
)
from conformance.scenario import Arrival, Play
from conformance.strategies.cards import (
    CLONE,
    CREATURE_TYPES,
    CREATURES,
    HOSTS,
    LAND_TYPES,
    LANDS,
    MIRROR,
    NONBASIC,
    PERMANENT_TYPES,
    TARGET,
    all_of,
    aura,
    creature,
    equipment,
    in_any_order,
    instant,
    permanent,
    several,
    sizes,
    small,
    subset,
    two_of,
)
from conformance.strategies.cards import COLORS as EVERY_COLOR
from conformance.strategies.cards import KEYWORDS as WORDS
from conformance.strategies.means import Means
from reference_engine.actions import Activate, Choose, Look, Settle, TurnUp
from reference_engine.cards import (
    AddColors,
    AddEveryType,
    AddTypes,
    All,
    Base,
    CannotHave,
    Card,
    Count,
    Counters,
    Defines,
    Exile,
    Exists,
    Filter,
    Gain,
    GainControl,
    HandSize,
    It,
    Keyword,
    Layer,
    Lose,
    LoseAllAbilities,
    Matches,
    Modify,
    Operation,
    OwnerOf,
    Part,
    Put,
    ReplaceWord,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetTypes,
    Spell,
    Static,
    Switch,
    TargetSpec,
    TextOf,
    The,
    This,
    You,
)
from reference_engine.words import CardType

# ------------------------------------------------------------------------------------- drawing

color = st.sampled_from(EVERY_COLOR)
word = st.sampled_from(WORDS)
subtype = st.sampled_from(CREATURE_TYPES)
land_type = st.sampled_from(LAND_TYPES)
hosts = st.sampled_from(HOSTS)


def one(word: str) -> frozenset[Any]:
    """A set of one word."""
    return frozenset({word})


def creatures_of(subtype: str) -> All:
    """All creatures of a type."""
    return All(type=one("Creature"), subtype=one(subtype))


class Pair(NamedTuple):
    """A creature and two effects, and what a law does not speak of."""

    creature: Card
    first: Card
    second: Card
    deal: Deal

    def board(self) -> Play:
        """The creature, the first effect, the second."""
        return board_with(
            ("bear", self.creature), ("first", self.first), ("second", self.second), deal=self.deal
        )


OLDER, NEWER = (0, 1, 2), (0, 2, 1)
"""The orders in which a pair enters: the first effect before the second, and after it."""


# -------------------------------------------------------------------------------------- layers


class Reading(NamedTuple):
    """An effect that asks for what another, in an earlier layer, brings about."""

    layer: Layer
    writes: Operation
    asks: Filter
    does: Operation
    shows: tuple[str, Any]
    """What is seen of the creature if it was asked rightly."""


RULE_OF_LAYER = {"2": "613.1b", "3": "613.1c", "4": "613.1d", "5": "613.1e", "6": "613.1f", "7b": "613.4"}
SUBJECT = {
    "4": "types are settled in layer 4",
    "5": "colours are settled in layer 5",
    "6": "abilities in layer 6",
}


FEATURE_OF_LAYER: dict[str, str] = {
    **{"4": "types", "5": "colours", "6": "abilities"},
    **{"7b": "set power and toughness", "7c": "anthems"},
}


@st.composite
def readings(draw: DrawFn, means: Means) -> tuple[Reading, Card, CardType, Deal]:
    """A creature, an effect on all creatures, and a later layer's effect on those that it made so."""
    before, after = draw(two_of(CREATURE_TYPES))
    new, given = draw(color), draw(word)
    other = draw(st.sampled_from([name for name in EVERY_COLOR if name != new]))
    another = draw(st.sampled_from([name for name in WORDS if name != given]))
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
    return Reading(layer, operation, asks, deed, shows), bear, draw(hosts), draw(deals)


READ = tuple(
    (FEATURE_OF_LAYER[layer], feature)
    for layer in ("4", "5", "6")
    for later, feature in FEATURE_OF_LAYER.items()
    if later > layer
)


@holds_for(by_means(readings, *READ), rules=("613.1", "613.1d", "613.1e", "613.1f", "613.5"))
def the_order_of_layers_beats_age(play: Player, case: tuple[Reading, Card, CardType, Deal]) -> None:
    """An effect reads what the layers before it made, however much older it is than they are."""
    reading, bear, host, deal = case
    board = Pair(
        bear,
        permanent("Maker", reading.writes, host=host),
        permanent("Reader", reading.does, affects=all_of(reading.asks), host=host),
        deal,
    ).board()
    key, value = reading.shows
    because = f"CR {RULE_OF_LAYER[reading.layer]}: {SUBJECT[reading.layer]}, before a later one asks for them"
    for order in (OLDER, NEWER):
        expect(
            seen(play, entered_in(board, order), frozenset({key}), ["bear"]), "bear", because, **{key: value}
        )


class Sized(NamedTuple):
    """A creature, what sets its size and what modifies it, in an order of entry."""

    base: tuple[int, int]
    more: tuple[int, int]
    order: tuple[int, ...]
    deal: Deal


sized = st.builds(Sized, sizes, st.tuples(st.integers(1, 3), small), st.sampled_from((OLDER, NEWER)), deals)


@holds_for(
    of_invented(sized), rules=("613.4", "613.4b", "613.4c"), needs=("set power and toughness", "anthems")
)
def sizes_are_set_before_they_are_modified(play: Player, case: Sized) -> None:
    """What sets power and toughness never undoes what modifies them, whichever is older."""
    (power, toughness), (more, tougher) = case.base, case.more
    board = Pair(
        creature(1, 1),
        permanent("Setter", Base(*case.base)),
        permanent("Anthem", Modify(*case.more)),
        case.deal,
    ).board()
    expect(
        seen(play, entered_in(board, case.order), SIZE, ["bear"]),
        "bear",
        "CR 613.4: sizes are set in 7b and modified in 7c, so both show",
        power=power + more,
        toughness=toughness + tougher,
    )


@holds_for(
    of_invented(sized),
    rules=("613.4", "613.4b", "613.4c", "122.1a"),
    needs=("set power and toughness", "counters"),
)
def counters_modify_as_effects_do(play: Player, case: Sized) -> None:
    """So many +1/+1 counters show on top of whatever sets the size, older or newer."""
    (power, toughness), n = case.base, case.more[0]
    board = board_with(
        ("bear", creature(1, 1)), ("setter", permanent("Setter", Base(*case.base))), deal=case.deal
    )
    counted = with_entry(board, "bear", counters=(Counters("+1/+1", n),))
    order = (0, 1) if case.order == OLDER else (1, 0)
    expect(
        seen(play, entered_in(counted, order), SIZE, ["bear"]),
        "bear",
        "CR 613.4: counters modify in 7c, after what sets the size in 7b",
        power=power + n,
        toughness=toughness + n,
    )


class Switched(NamedTuple):
    """A creature's size, a modification, and how often it is switched, in an order of entry."""

    base: tuple[int, int]
    more: tuple[int, int]
    times: int
    order: tuple[int, ...]
    deal: Deal


@st.composite
def switched(draw: DrawFn) -> Switched:
    """A modification that is lopsided, and one to three switches among which it enters."""
    times = draw(st.integers(1, 3))
    more = draw(st.tuples(st.integers(1, 3), st.just(0)))
    return Switched(draw(sizes), more, times, draw(in_any_order(range(times + 1))), draw(deals))


@holds_for(of_invented(switched()), rules=("613.4d", "613.4c"), needs=("switch", "anthems"))
def a_switch_comes_last(play: Player, case: Switched) -> None:
    """Power and toughness are switched after all that sets and modifies them, whatever came first."""
    cards = [("anthem", permanent("Anthem", Modify(*case.more)))]
    cards += [(f"switch{n}", permanent(f"Switch {n}", Switch())) for n in range(case.times)]
    board = board_with(("bear", creature(*case.base)), *(cards[n] for n in case.order), deal=case.deal)
    size = (case.base[0] + case.more[0], case.base[1] + case.more[1])
    power, toughness = size if case.times % 2 == 0 else size[::-1]
    expect(
        seen(play, board, SIZE, ["bear"]),
        "bear",
        "CR 613.4d: switches are applied after sizes are set and modified",
        power=power,
        toughness=toughness,
    )


@st.composite
def even_switches(draw: DrawFn) -> tuple[Card, int, Deal]:
    """A creature and an even number of effects that switch it."""
    return creature(*draw(sizes)), draw(st.sampled_from((2, 4))), draw(deals)


@holds_for(of_invented(even_switches()), rules=("613.4d",), needs=("switch",))
def two_switches_cancel(play: Player, case: tuple[Card, int, Deal]) -> None:
    """An even number of effects that switch power and toughness leaves them as they were; one less
    exchanges them.
    """
    bear, times, deal = case
    switches = [(f"switch{n}", permanent(f"Switch {n}", Switch())) for n in range(times)]
    because = "CR 613.4d: two switches cancel each other"
    for many, power, toughness in (
        (times, bear.power, bear.toughness),
        (times - 1, bear.toughness, bear.power),
    ):
        board = board_with(("bear", bear), *switches[:many], deal=deal)
        looks = seen(play, board, SIZE, ["bear"])
        expect(looks, "bear", because, power=power, toughness=toughness)


@st.composite
def modifications(draw: DrawFn) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...], Deal]:
    """Several +N/+N effects, some of them less than nothing, in any order."""
    some = draw(several(st.tuples(st.integers(-3, 3), small), 2, 4))
    return some, draw(in_any_order(range(len(some)))), draw(deals)


@holds_for(of_invented(modifications()), rules=("613.4c", "107.1b"), needs=("anthems",))
def permuting_modifications_changes_nothing(
    play: Player, case: tuple[tuple[tuple[int, int], ...], tuple[int, ...], Deal]
) -> None:
    """Constant +N/+N effects add up, in whatever order they came, also below nothing."""
    some, order, deal = case
    cards = [(f"anthem{n}", permanent(f"Anthem {n}", Modify(*size))) for n, size in enumerate(some)]
    board = board_with(("bear", creature(2, 2)), *(cards[n] for n in order), deal=deal)
    expect(
        seen(play, board, SIZE, ["bear"]),
        "bear",
        "CR 613.4c: modifications are added up (CR 107.1b: a power may be negative)",
        power=2 + sum(power for power, _ in some),
        toughness=2 + sum(toughness for _, toughness in some),
    )


@st.composite
def sunken(draw: DrawFn) -> tuple[int, int, bool, Deal]:
    """A creature's power, what takes more from it than there is, whether one card does both."""
    power = draw(st.integers(0, 2))
    return power, draw(st.integers(power + 1, power + 3)), draw(st.booleans()), draw(deals)


@holds_for(of_invented(sunken()), rules=("107.1b", "613.4c"), needs=("anthems",))
def a_power_may_be_less_than_nothing_on_the_way(play: Player, case: tuple[int, int, bool, Deal]) -> None:
    """Power that sinks below 0 is still there to be raised again: splitting an effect in two changes
    nothing.
    """
    power, less, together, deal = case
    down, up = Modify(-less, 0), Modify(less + 1, 0)
    both = permanent("Wave", down)
    both = replace(both, abilities=(*both.abilities, Static((Part(CREATURES, (up,)),))))
    cards = (
        [("wave", both)] if together else [("ebb", permanent("Ebb", down)), ("flow", permanent("Flow", up))]
    )
    expect(
        seen(play, board_with(("bear", creature(power, 2)), *cards, deal=deal), SIZE, ["bear"]),
        "bear",
        "CR 107.1b: a power may be negative while it is worked out",
        power=power + 1,
        toughness=2,
    )


# ----------------------------------------------------------------------------------------- age


class Rivals(NamedTuple):
    """A creature and two effects that set the same thing of it differently; how it looks after each."""

    pair: Pair
    by_first: dict[str, Any]
    by_second: dict[str, Any]


Shown = tuple[Operation, dict[str, Any]]
"""What an effect does, and how a creature looks after it."""
SETTERS = (("colours",), ("types",), ("set power and toughness",), ("abilities",))


@st.composite
def rivals(draw: DrawFn, means: Means) -> Rivals:
    """Colours, creature types, sizes or abilities."""
    colors, types, given = draw(two_of(EVERY_COLOR)), draw(two_of(CREATURE_TYPES)), draw(word)
    (power, toughness), more = draw(sizes), draw(st.integers(1, 2))
    gain: Shown = (Gain((Keyword(given),)), {"keywords": one(given)})
    nothing: dict[str, Any] = {"keywords": frozenset()}
    rows: tuple[tuple[tuple[str, ...], tuple[Shown, Shown]], ...] = (
        (
            ("colours",),
            (
                (SetColors(one(colors[0])), {"colors": one(colors[0])}),
                (SetColors(one(colors[1])), {"colors": one(colors[1])}),
            ),
        ),
        (
            ("types",),
            (
                (SetCreatureTypes(one(types[0])), {"subtypes": one(types[0])}),
                (SetCreatureTypes(one(types[1])), {"subtypes": one(types[1])}),
            ),
        ),
        (
            ("set power and toughness",),
            (
                (Base(power, toughness), {"power": power, "toughness": toughness}),
                (Base(power + more, toughness), {"power": power + more, "toughness": toughness}),
            ),
        ),
        (("abilities",), (gain, (Lose(one(given)), nothing))),
        (("abilities",), (gain, (LoseAllAbilities(), nothing))),
    )
    first, second = draw(fitting(means, *rows))
    if draw(st.booleans()):
        first, second = second, first
    host = draw(hosts)
    pair = Pair(
        creature(1, 1, draw(subtype)),
        permanent("First", first[0], host=host),
        permanent("Second", second[0], host=host),
        draw(deals),
    )
    return Rivals(pair, first[1], second[1])


@holds_for(by_means(rivals, *SETTERS), rules=("613.7", "613.9"))
def the_later_timestamp_wins(play: Player, case: Rivals) -> None:
    """Of two effects that set the same thing the newer one is seen, whichever it is."""
    because = "CR 613.7: the effect with the later timestamp is applied later"
    for order, shows in ((OLDER, case.by_second), (NEWER, case.by_first)):
        board = entered_in(case.pair.board(), order)
        expect(seen(play, board, frozenset(shows), ["bear"]), "bear", because, **shows)


@st.composite
def hand_sizes(draw: DrawFn) -> tuple[int, bool, Deal]:
    """A maximum hand size that is set, and whether that is newer than the effect that does away with it."""
    return draw(st.integers(1, 6)), draw(st.booleans()), draw(deals)


@holds_for(of_invented(hand_sizes()), rules=("613.11", "402.2"))
def of_two_effects_on_the_rules_the_later_wins(play: Player, case: tuple[int, bool, Deal]) -> None:
    """A maximum hand size that is set, and one that is done away with: the newer effect decides."""
    size, set_later, deal = case
    cards = [
        ("none", permanent("Pockets", HandSize("none"), affects=You())),
        ("set", permanent("Manacles", HandSize("set", size), affects=You())),
    ]
    board = board_with(*(cards if set_later else reversed(cards)), deal=replace_controllers(deal))
    shown = seen_player(play, board, "alice", frozenset({"hand_size"})).hand_size
    if shown is UNSET:
        raise CannotPlay("it does not show hand_size of alice")
    expected = size if set_later else None
    if shown != expected:
        raise Broken(
            f"alice: hand_size\n  expected  {words(expected)}\n  observed  {words(shown)}\n"
            "  CR 613.11: effects on the rules are applied by timestamp, the newest last"
        )


def replace_controllers(deal: Deal) -> Deal:
    """The deal, with everything under one player's control."""
    return deal._replace(controllers=("alice",))


FLICKER = Card(
    "Test Flicker",
    frozenset({"Instant"}),
    cost="{0}",
    abilities=(
        Spell(
            (Exile(TARGET, name="gone"), Put(The("gone"), "battlefield", OwnerOf(The("gone")))),
            targets=(TargetSpec(All()),),
        ),
    ),
)


@holds_for(by_means(rivals, *SETTERS), rules=("613.7d", "400.7"), needs=("casting", "targets"))
def coming_back_makes_it_the_newest(play: Player, case: Rivals) -> None:
    """A permanent that left and came back is newer than all that stayed; when both do so in turn, all is as
    before.
    """
    once = with_actions(with_spell(case.pair.board(), "flicker", FLICKER, "first"), Look("once"))
    twice = with_spell(once, "again", replace(FLICKER, name="Test Flicker Again"), "second")
    looks = seen_at(play, twice, frozenset(case.by_first), ["bear"])
    because = "CR 613.7d: an object gets a new timestamp as it enters, so it is the newest again"
    expect(looks["once"], "bear", because, **case.by_first)
    expect(looks["end"], "bear", because, **case.by_second)


class Carried(NamedTuple):
    """What an Equipment sets of its bearer, what a newer effect sets of all, and how each shows."""

    of_blade: Operation
    of_all: Operation
    by_blade: dict[str, Any]
    by_all: dict[str, Any]


@st.composite
def carried(draw: DrawFn, means: Means, abilities: bool = True) -> Carried:
    """Sizes, colours or abilities, these if they are wanted."""
    (first, second), given = draw(two_of(EVERY_COLOR)), draw(word)
    dyed = Carried(
        SetColors(one(first)), SetColors(one(second)), {"colors": one(first)}, {"colors": one(second)}
    )
    gifted = Carried(
        Gain((Keyword(given),)), LoseAllAbilities(), {"keywords": one(given)}, {"keywords": frozenset()}
    )
    sized = Carried(Base(4, 4), Base(1, 1), {"power": 4}, {"power": 1})
    rows = [(("set power and toughness",), sized), (("colours",), dyed), (("abilities",), gifted)]
    return draw(fitting(means, *rows[: 3 if abilities else 2]))


@holds_for(
    by_means(carried, ("set power and toughness",), ("colours",), ("abilities",)),
    rules=("613.7e", "701.3c"),
    needs=("attachments", "activated abilities", "targets", "steps"),
)
def attaching_anew_makes_it_the_newest(play: Player, case: Carried) -> None:
    """An Equipment that is moved away and back is newer than what entered in between."""
    board = board_with(
        ("bear", creature(2, 2)),
        ("other", replace(creature(2, 2), name="Test Other Creature")),
        ("blade", equipment("Blade", case.of_blade)),
        ("setter", permanent("Setter", case.of_all)),
    )
    board = with_entry(board, "blade", attached_to="bear")
    moves = [
        action
        for target in ("other", "bear")
        for action in (Activate("blade", "equip", "alice", ((target,),)), Settle())
    ]
    moved = with_actions(board, Look("before"), *moves)
    looks = seen_at(play, moved, frozenset(case.by_all), ["bear"])
    expect(looks["before"], "bear", "CR 613.7: the newer effect is applied later", **case.by_all)
    because = "CR 613.7e: it gets a new timestamp each time it becomes attached"
    expect(looks["end"], "bear", because, **case.by_blade)


@holds_for(
    by_means(carried, ("set power and toughness",), ("colours",), ("abilities",)),
    rules=("701.3b", "613.7e"),
    needs=("attachments", "activated abilities", "targets", "steps"),
)
def attaching_it_where_it_is_changes_nothing(play: Player, case: Carried) -> None:
    """An Equipment that is attached to its own bearer once more is as old as it was."""
    board = board_with(
        ("bear", creature(2, 2)),
        ("blade", equipment("Blade", case.of_blade)),
        ("setter", permanent("Setter", case.of_all)),
    )
    board = with_entry(board, "blade", attached_to="bear")
    again = with_actions(board, Activate("blade", "equip", "alice", (("bear",),)), Settle())
    because = "CR 701.3b: what is attached to something already is not attached to it again"
    expect(seen(play, again, frozenset(case.by_all), ["bear"]), "bear", because, **case.by_all)


@holds_for(
    by_means(lambda means: carried(means, abilities=False), ("set power and toughness",), ("colours",)),
    rules=("613.7f",),
    needs=("face down", "special actions"),
)
def turning_it_up_makes_it_the_newest(play: Player, case: Carried) -> None:
    """What a permanent does that was just turned face up is newer than all that lay there."""
    secret = creature(
        2, 2, abilities=(Static((Part(CREATURES, (case.of_blade,)),)), Keyword("morph", mana="{0}"))
    )
    board = board_with(
        ("bear", creature(2, 2)),
        ("secret", replace(secret, name="Test Secret")),
        ("setter", permanent("Setter", case.of_all)),
    )
    turned = with_actions(with_entry(board, "secret", face_down=True), TurnUp("secret", "alice"))
    because = "CR 613.7f: a permanent gets a new timestamp each time it is turned face up"
    expect(seen(play, turned, frozenset(case.by_blade), ["bear"]), "bear", because, **case.by_blade)


class Together(NamedTuple):
    """Two effects that enter at the same time, each under another player's control."""

    rivals: Rivals
    turn: str
    seats: tuple[str, ...]
    turned: bool
    """Whether the second is listed before the first."""
    put: bool
    """Whether a spell puts them there."""

    @property
    def cards(self) -> list[tuple[str, Card, str]]:
        """Their ids, the cards and whose they are."""
        pair = self.rivals.pair
        both = [("first", pair.first, "alice"), ("second", pair.second, "bob")]
        return both[::-1] if self.turned else both

    def board(self) -> Play:
        """The creature, and then both."""
        deal = Deal(seats=self.seats, turn=self.turn)
        if self.put:
            board = board_with(("bear", self.rivals.pair.creature), deal=deal)
            for id, card, owner in self.cards:
                board = with_card_in(board, "hand", id, card, owner)
            return with_spell(board, "open", OPEN_HANDS)
        board = board_with(
            ("bear", self.rivals.pair.creature), *((id, card) for id, card, _ in self.cards), deal=deal
        )
        owners = {"bear": "alice", "first": "alice", "second": "bob"}
        for id, owner in owners.items():
            board = with_entry(board, id, controller=owner)
        both = Arrival(tuple(entry for arrival in board.setup[1:] for entry in arrival.entries))
        objects = tuple(replace(one, owner=owners[one.id]) for one in board.objects)
        return replace(board, setup=(board.setup[0], both), objects=objects)


PUT = All(
    zones=frozenset({"hand"}), any_of=tuple(Filter(type=one(card_type)) for card_type in PERMANENT_TYPES)
)
OPEN_HANDS = Card(
    "Test Open Hands",
    frozenset({"Instant"}),
    cost="{0}",
    abilities=(Spell((Put(PUT, "battlefield", OwnerOf(It())),)),),
)


@st.composite
def entering_together(draw: DrawFn, means: Means) -> Together:
    """In the turn of either player, wherever they sit, and in whatever order they are listed."""
    turn, seats = draw(st.sampled_from(("alice", "bob"))), draw(in_any_order(("alice", "bob")))
    put = means.allow("casting") and draw(st.booleans())
    return Together(draw(rivals(means)), turn, seats, draw(st.booleans()), put)


@holds_for(by_means(entering_together, *SETTERS), rules=("613.7m",), needs=("simultaneous entry",))
def of_what_enters_together_the_active_players_is_older(play: Player, case: Together) -> None:
    """Of two effects that enter at the same time the active player's comes first, so the other is seen."""
    shows = case.rivals.by_second if case.turn == "alice" else case.rivals.by_first
    because = "CR 613.7m: what enters together gets its timestamps in APNAP order, the active player's first"
    expect(seen(play, case.board(), frozenset(shows), ["bear"]), "bear", because, **shows)


@st.composite
def conditional(draw: DrawFn, means: Means) -> tuple[Rivals, bool]:
    """Two effects, the newer of which is there only as long as there is a land, and whether there is."""
    return draw(rivals(means)), draw(st.booleans())


@holds_for(by_means(conditional, *SETTERS), rules=("604.2", "613.6"))
def an_effect_is_there_while_its_condition_holds(play: Player, case: tuple[Rivals, bool]) -> None:
    """A static ability that says "as long as" has an effect as long as that is so."""
    (pair, by_first, by_second), met = case
    [ability] = pair.second.abilities
    assert isinstance(ability, Static)
    if_land = replace(pair.second, abilities=(replace(ability, cond=Exists(LANDS)),))
    land = [("land", Card("Test Land", one("Land")))] if met else []
    cards = [*land, ("bear", pair.creature), ("first", pair.first), ("second", if_land)]
    board = board_with(*cards, deal=pair.deal)
    shows = by_second if met else by_first
    because = "CR 604.2: a static ability's effect is there while what it asks for is so, and not otherwise"
    expect(seen(play, board, frozenset(shows), ["bear"]), "bear", because, **shows)


@st.composite
def lying_elsewhere(draw: DrawFn, means: Means) -> tuple[Rivals, str, str]:
    """A creature, and an effect on a card in a zone of a player."""
    zone = draw(st.sampled_from(("hand", "graveyard", "exile", "library")))
    return draw(rivals(means)), zone, draw(st.sampled_from(("alice", "bob")))


@holds_for(by_means(lying_elsewhere, *SETTERS), rules=("113.6", "604.3"))
def what_lies_elsewhere_does_nothing(play: Player, case: tuple[Rivals, str, str]) -> None:
    """A permanent card's static ability has no effect while the card is not on the battlefield.

    An engine without any effects keeps it, and an echo of the input does; it is there for those that apply
    too many.
    """
    (pair, _, _), zone, owner = case
    board = board_with(("bear", pair.creature), deal=pair.deal)
    because = "CR 113.6: abilities of a permanent card work on the battlefield, if they say nothing else"
    elsewhere = with_card_in(board, zone, "second", pair.second, owner)
    expect_same(seen(play, board), seen(play, elsewhere, EVERY_KEY, ["bear"]), because)


@st.composite
def grants(draw: DrawFn) -> tuple[tuple[int, int], tuple[int, int], bool, CardType, Deal]:
    """A size that is set by a granted ability, one that is set plainly, and whether the grant is newer."""
    (power, toughness), more = draw(sizes), draw(st.integers(1, 3))
    granted, plain = (power, toughness), (power + more, toughness)
    return granted, plain, not draw(st.booleans()), draw(hosts), draw(deals)


@holds_for(of_invented(grants()), rules=("613.7a", "613.4b"), needs=("abilities", "set power and toughness"))
def a_granted_ability_is_as_old_as_its_grant(
    play: Player, case: tuple[tuple[int, int], tuple[int, int], bool, CardType, Deal]
) -> None:
    """What a granted ability does is as old as the effect that grants it, not as the object that has it."""
    granted, plain, newer, host, deal = case
    gives = Gain((Static((Part(CREATURES, (Base(*granted),)),)),))
    pair = Pair(
        creature(1, 1), permanent("Setter", Base(*plain)), permanent("Granter", gives, host=host), deal
    )
    power, toughness = granted if newer else plain
    expect(
        seen(play, entered_in(pair.board(), OLDER if newer else NEWER), SIZE, ["bear"]),
        "bear",
        "CR 613.7a: of the object's timestamp and the grant's the later one counts",
        power=power,
        toughness=toughness,
    )


# ----------------------------------------------------------------------------------- what defines


class Defined(NamedTuple):
    """A creature that says itself what it is, an effect that says otherwise, and how that shows."""

    creature: Card
    setter: Card
    shows: dict[str, Any]
    deal: Deal


@st.composite
def defined(draw: DrawFn, means: Means) -> Defined:
    """A colour, creature types or a size that an object defines, and that an effect sets."""
    (own, other), types, (power, toughness) = draw(two_of(EVERY_COLOR)), draw(subtype), draw(sizes)
    everywhere = creature(2, 2, types, (Defines((AddEveryType("creature"),)),))
    sized_by_count = Defines((Base(Count(All()), Count(All())),))
    star = replace(creature(0, 0, types, (sized_by_count,)), power="*", toughness="*")
    dyed = creature(2, 2, types, (Defines((SetColors(one(own)),)),))
    rows: tuple[tuple[tuple[str, ...], tuple[Card, Operation, dict[str, Any]]], ...] = (
        (("colours",), (dyed, SetColors(one(other)), {"colors": one(other)})),
        (("types",), (everywhere, SetCreatureTypes(one("Elf")), {"subtypes": one("Elf")})),
        (
            ("set power and toughness",),
            (star, Base(power + 4, toughness), {"power": power + 4, "toughness": toughness}),
        ),
    )
    bear, operation, shows = draw(fitting(means, *rows))
    return Defined(bear, permanent("Setter", operation), shows, draw(deals))


@holds_for(
    by_means(defined, ("colours",), ("types",), ("set power and toughness",)),
    rules=("613.3", "613.4a", "604.3"),
    needs=("characteristic-defining abilities",),
)
def what_an_object_says_of_itself_comes_first(play: Player, case: Defined) -> None:
    """An ability that defines its object's characteristics is applied before what others do to them, however
    new the object is.
    """
    board = board_with(("bear", case.creature), ("setter", case.setter), deal=case.deal)
    because = "CR 613.3: what defines characteristics is applied first (CR 604.3: it is no ordinary effect)"
    for order in ((0, 1), (1, 0)):
        looks = seen(play, entered_in(board, order), frozenset(case.shows), ["bear"])
        expect(looks, "bear", because, **case.shows)


@st.composite
def defined_elsewhere(draw: DrawFn, means: Means) -> tuple[Card, str, dict[str, Any]]:
    """A card in another zone that defines its colour or its size."""
    own, zone = draw(color), draw(st.sampled_from(("graveyard", "hand", "exile")))
    star = replace(
        creature(0, 0, abilities=(Defines((Base(Count(CREATURES), Count(CREATURES)),)),)),
        power="*",
        toughness="*",
    )
    red = creature(2, 2, abilities=(Defines((SetColors(one(own)),)),))
    rows: tuple[tuple[tuple[str, ...], tuple[Card, dict[str, Any]]], ...] = (
        (("colours",), (red, {"colors": one(own)})),
        (("set power and toughness",), (star, {"power": 1, "toughness": 1})),
    )
    card, shows = draw(fitting(means, *rows))
    return replace(card, name="Test Defined Card"), zone, shows


@holds_for(
    by_means(defined_elsewhere, ("colours",), ("set power and toughness",)),
    rules=("604.3",),
    needs=("characteristic-defining abilities",),
)
def what_defines_works_in_every_zone(play: Player, case: tuple[Card, str, dict[str, Any]]) -> None:
    """A card in a hand, a graveyard or exile is what its own ability says it is."""
    card, zone, shows = case
    board = with_card_in(board_with(("bear", creature(1, 1))), zone, "card", card, "alice")
    because = "CR 604.3: abilities that define characteristics function in all zones"
    expect(seen(play, board, frozenset(shows), ["card"]), "card", because, **shows)


@holds_for(
    of_invented(grants()),
    rules=("604.3a", "613.4b"),
    needs=("abilities", "set power and toughness", "characteristic-defining abilities"),
)
def a_granted_definition_is_an_ordinary_effect(
    play: Player, case: tuple[tuple[int, int], tuple[int, int], bool, CardType, Deal]
) -> None:
    """What a granted ability says of its object's size sets it by age, as any other effect does."""
    granted, plain, newer, host, deal = case
    pair = Pair(
        creature(1, 1),
        permanent("Setter", Base(*plain)),
        permanent("Granter", Gain((Defines((Base(*granted),)),)), host=host),
        deal,
    )
    power, toughness = granted if newer else plain
    expect(
        seen(play, entered_in(pair.board(), OLDER if newer else NEWER), SIZE, ["bear"]),
        "bear",
        "CR 604.3a: an ability that another effect gave defines nothing, it is applied in 7b by age",
        power=power,
        toughness=toughness,
    )


# ----------------------------------------------------------------------------------- dependency


class Dependent(NamedTuple):
    """Two effects, one of which takes the other's ability away, and a basic land."""

    setter: Card
    giver: Card
    land: Card
    new: frozenset[str]
    """The type that the setter gives."""
    deal: Deal


@st.composite
def dependent_pairs(draw: DrawFn) -> Dependent:
    """A nonbasic land that gives all lands a type, an effect that sets nonbasic lands' types, and a basic
    land.
    """
    new, given, own = draw(in_any_order(LAND_TYPES))[:3]
    gives = Static((Part(LANDS, (AddTypes(subtypes=one(given)),)),))
    giver = Card("Test Giver", one("Land"), abilities=(gives,))
    basic = Card("Test Basic", one("Land"), supertypes=one("Basic"), subtypes=one(own))
    setter = permanent("Setter", SetBasicLandTypes(one(new)), affects=all_of(NONBASIC), host=draw(hosts))
    return Dependent(setter, giver, basic, one(new), draw(deals))


@holds_for(
    of_invented(dependent_pairs()), rules=("613.8a", "613.8b", "305.7"), needs=("types",), source=("002-I5",)
)
def a_dependency_outranks_age(play: Player, case: Dependent) -> None:
    """When one effect would end another's existence, it does not matter whose object came first."""
    board = board_with(("setter", case.setter), ("giver", case.giver), ("land", case.land), deal=case.deal)
    because = (
        "CR 613.8a: an effect depends on one that would end it (CR 613.8b: so it waits, whatever its age)"
    )
    for order in ((0, 1, 2), (1, 0, 2)):
        looks = seen(play, entered_in(board, order), SUBTYPES, ["land", "giver"])
        expect(looks, "land", because, subtypes=case.land.subtypes)
        expect(looks, "giver", "CR 305.7: it is a nonbasic land as well", subtypes=case.new)


class Links(NamedTuple):
    """Effects each of which makes what the next one is about, and an order in which they enter."""

    creatures: tuple[Card, ...]
    """The first is what the first effect is about, the second what the second is, and so on."""
    links: tuple[Card, ...]
    order: tuple[int, ...]
    key: str
    shows: tuple[Any, ...]
    deal: Deal

    def board(self, creatures: int) -> Play:
        """So many of the creatures, and then the effects."""
        there = [(f"c{n}", card) for n, card in enumerate(self.creatures[:creatures])]
        effects = [(f"link{n}", self.links[n]) for n in self.order]
        return board_with(*there, *effects, deal=self.deal)


@st.composite
def chains(draw: DrawFn, means: Means, length: int) -> Links:
    """Creatures of one kind are of the next as well, and so on."""
    kind = draw(
        fitting(means, (("types",), "subtypes"), (("abilities",), "keywords"), (("colours",), "colors"))
    )
    host = draw(hosts)
    words: tuple[Any, ...] = {"subtypes": CREATURE_TYPES, "keywords": WORDS}.get(kind, EVERY_COLOR)
    some = draw(in_any_order(words))[: length + 1]
    links = tuple(
        permanent(f"Link {n + 1}", adds(kind, some[n + 1]), affects=creatures_with(kind, some[n]), host=host)
        for n in range(length)
    )
    creatures = tuple(
        replace(born(kind, word), name=f"Test Creature {n}") for n, word in enumerate(some[:length])
    )
    order = draw(in_any_order(range(length)))
    return Links(creatures, links, order, kind, some, draw(deals))


def born(kind: str, word: Any) -> Card:
    """A creature that is printed with this type, keyword or colour."""
    match kind:
        case "subtypes":
            return creature(2, 2, word)
        case "keywords":
            return creature(2, 2, abilities=(Keyword(word),))
        case _:
            return replace(creature(2, 2), colors=one(word))


def adds(kind: str, word: Any) -> Operation:
    """The operation that adds a creature type, keyword or colour."""
    match kind:
        case "subtypes":
            return AddTypes(subtypes=one(word))
        case "keywords":
            return Gain((Keyword(word),))
        case _:
            return AddColors(one(word))


def creatures_with(kind: str, word: Any) -> All:
    """All creatures of a type, with a keyword or of a colour."""
    match kind:
        case "subtypes":
            return creatures_of(word)
        case "keywords":
            return All(type=one("Creature"), keyword=one(word))
        case _:
            return All(type=one("Creature"), color=one(word))


def chained(length: int) -> Cases[Links]:
    """Chains of this length, of whatever an engine has."""
    return by_means(lambda means: chains(means, length), ("types",), ("abilities",), ("colours",))


@holds_for(chained(2), rules=("613.8a", "613.8b"))
def an_effect_waits_for_what_changes_whom_it_affects(play: Player, case: Links) -> None:
    """When one effect makes creatures such as another is about, that one is applied after it, whatever its
    age.
    """
    because = "CR 613.8a: an effect depends on one that changes what it applies to (CR 613.8b: so it waits)"
    looks = seen(play, case.board(1), frozenset({case.key}), ["c0"])
    expect(looks, "c0", because, **{case.key: frozenset(case.shows)})


@holds_for(chained(3), rules=("613.8a", "613.8b", "613.8c"))
def a_chain_is_followed_to_its_end(play: Player, case: Links) -> None:
    """Effects each of which waits for the one before are all applied in that order, whatever their ages."""
    because = "CR 613.8b: each waits for the one before it (CR 613.8c: found anew after each)"
    ids = ["c0", "c1", "c2"]
    looks = seen(play, case.board(3), frozenset({case.key}), ids)
    for n, id in enumerate(ids):
        expect(looks, id, because, **{case.key: frozenset(case.shows[n:])})


@holds_for(chained(3), rules=("613.8a", "613.8c"))
def a_dependency_is_there_when_the_board_shows_it(play: Player, case: Links) -> None:
    """An effect waits for another only once that would really change something: the last of a chain goes
    before the first if it is older, while there is nothing on the board that the middle one is about.
    """
    because = "CR 613.8a: applied now the second link would change nothing of the third (CR 613.8c: yet)"
    looks = seen(play, case.board(1), frozenset({case.key}), ["c0"])
    reached = case.shows if case.order.index(0) < case.order.index(2) else case.shows[:3]
    expect(looks, "c0", because, **{case.key: frozenset(reached)})


@st.composite
def stolen_thefts(draw: DrawFn) -> tuple[Card, str, Deal]:
    """What is stolen, who steals it, and who sits where; the other steals the theft."""
    stolen = draw(
        st.sampled_from((creature(2, 2), permanent("Relic", host="Artifact"), Card("Test Land", one("Land"))))
    )
    deal = draw(st.sampled_from((Deal(), Deal(seats=("bob", "alice")), Deal(turn="bob"))))
    return stolen, draw(st.sampled_from(("bob", "alice"))), deal


@holds_for(
    of_invented(stolen_thefts()),
    rules=("613.8a", "613.8b"),
    needs=("control", "attachments", "owner differs"),
    source=("002-L2-E2",),
)
def who_controls_a_theft_controls_what_it_stole(play: Player, case: tuple[Card, str, Deal]) -> None:
    """An Aura that gives its controller a permanent gives it to whoever controls the Aura now, though that
    became so by a newer effect.
    """
    stolen, thief, deal = case
    other = "alice" if thief == "bob" else "bob"
    theft, greater = (
        aura("Theft", GainControl(), enchants=Filter()),
        aura("Greater Theft", GainControl(), enchants=Filter()),
    )
    board = board_with(("stolen", stolen), ("theft", theft), ("greater", greater), deal=deal)
    owners = {"stolen": other, "theft": thief, "greater": other}
    for id, host in (("stolen", None), ("theft", "stolen"), ("greater", "theft")):
        board = with_entry(board, id, controller=owners[id], attached_to=host)
    board = replace(board, objects=tuple(replace(one, owner=owners[one.id]) for one in board.objects))
    because = "CR 613.8a: an effect depends on one that changes what it does (CR 613.8b: so it waits)"
    looks = seen(play, board, CONTROL, ["stolen", "theft"])
    expect(looks, "theft", because, controller=other)
    expect(looks, "stolen", because, controller=other)


class LookAlike(NamedTuple):
    """Two effects on the same things, one of which sets and one of which adds, and how both orders show."""

    thing: Card
    sets: Card
    adds: Card
    key: str
    set_last: frozenset[Any]
    added_last: frozenset[Any]
    deal: Deal


@st.composite
def look_alikes(draw: DrawFn, means: Means) -> LookAlike:
    """A set and an addition in one sublayer, neither of which changes whom the other affects."""
    colors, types, lands = draw(two_of(EVERY_COLOR)), draw(two_of(CREATURE_TYPES)), draw(two_of(LAND_TYPES))
    given = draw(word)
    nonbasic = Card("Test Land", one("Land"))
    bear = creature(2, 2)
    rows: tuple[tuple[tuple[str, ...], tuple[Card, All, Operation, Operation, str, Any, Any]], ...] = (
        (
            ("colours",),
            (bear, CREATURES, SetColors(one(colors[0])), AddColors(one(colors[1])), "colors", *colors),
        ),
        (
            ("types",),
            (
                *(bear, CREATURES, SetCreatureTypes(one(types[0])), AddTypes(subtypes=one(types[1]))),
                *("subtypes", *types),
            ),
        ),
        (
            ("types",),
            (
                *(nonbasic, LANDS, SetBasicLandTypes(one(lands[0])), AddTypes(subtypes=one(lands[1]))),
                *("subtypes", *lands),
            ),
        ),
        (
            ("abilities",),
            (bear, CREATURES, LoseAllAbilities(), Gain((Keyword(given),)), "keywords", None, given),
        ),
    )
    thing, affects, sets, added, key, old, new = draw(fitting(means, *rows))
    set_last = frozenset() if old is None else one(old)
    return LookAlike(
        thing,
        permanent("Setter", sets, affects=affects, host=draw(hosts)),
        permanent("Adder", added, affects=affects),
        key,
        set_last,
        set_last | {new},
        draw(deals),
    )


@holds_for(
    by_means(look_alikes, ("types",), ("abilities",), ("colours",)), rules=("613.8a", "613.7", "613.9")
)
def what_only_looks_like_a_dependency_goes_by_age(play: Player, case: LookAlike) -> None:
    """An effect that overrides another changes only what comes of it, so the newer of the two decides."""
    board = board_with(("thing", case.thing), ("sets", case.sets), ("adds", case.adds), deal=case.deal)
    because = "CR 613.7: neither changes what the other is, affects or does (CR 613.8a), so age decides"
    for order, shows in ((OLDER, case.added_last), (NEWER, case.set_last)):
        looks = seen(play, entered_in(board, order), frozenset({case.key}), ["thing"])
        expect(looks, "thing", because, **{case.key: shows})


# ---------------------------------------------------------------------------------------- loops


class Loop(NamedTuple):
    """Two effects each of which changes what the other applies to."""

    first: Card
    second: Card
    of_first: Card
    of_second: Card
    deal: Deal


@st.composite
def loops(draw: DrawFn) -> Loop:
    """All of one creature type become another, and all of the other become the one."""
    a, b = draw(two_of(CREATURE_TYPES))
    host = draw(hosts)
    return Loop(
        permanent("First", SetCreatureTypes(one(b)), affects=creatures_of(a), host=host),
        permanent("Second", SetCreatureTypes(one(a)), affects=creatures_of(b), host=host),
        creature(1, 1, a),
        replace(creature(1, 1, b), name="Test Other Creature"),
        draw(deals),
    )


@holds_for(of_invented(loops()), rules=("613.8b",), needs=("types",))
def a_loop_falls_back_to_timestamps(play: Player, case: Loop) -> None:
    """Effects that wait for each other are applied oldest first: afterwards every creature has the type the
    newer gives.
    """
    board = board_with(
        ("a", case.of_first),
        ("b", case.of_second),
        ("first", case.first),
        ("second", case.second),
        deal=case.deal,
    )
    because = "CR 613.8b: within a dependency loop timestamps decide"
    for order, last in (((0, 1, 2, 3), case.of_first), ((0, 1, 3, 2), case.of_second)):
        looks = seen(play, entered_in(board, order), SUBTYPES, ["a", "b"])
        for id in ("a", "b"):
            expect(looks, id, because, subtypes=last.subtypes)


class LoopAndOther(NamedTuple):
    """A loop of two effects, a third one beside it, and creatures; and in which order the loop entered."""

    words: tuple[str, ...]
    turned: bool
    host: CardType
    deal: Deal

    def board(self, other: Card, other_first: bool) -> Play:
        """The creatures, then the loop, and the third effect before or after it."""
        a, b, c, d = self.words
        loop = [
            ("first", permanent("First", AddTypes(subtypes=frozenset({b, c})), affects=creatures_of(a))),
            ("second", permanent("Second", AddTypes(subtypes=one(a)), affects=creatures_of(b))),
        ]
        if self.turned:
            loop.reverse()
        effects = [("other", other), *loop] if other_first else [*loop, ("other", other)]
        creatures = [
            (f"c{n}", replace(creature(1, 1, word), name=f"Test Creature {n}"))
            for n, word in enumerate((a, b, d))
        ]
        return board_with(*creatures, *effects, deal=self.deal)


@st.composite
def loops_and_other(draw: DrawFn) -> LoopAndOther:
    """A loop in which each effect makes creatures such as the other is about."""
    return LoopAndOther(draw(in_any_order(CREATURE_TYPES)), draw(st.booleans()), draw(hosts), draw(deals))


@holds_for(of_invented(loops_and_other()), rules=("613.8b",), needs=("types",))
def what_depends_on_a_loop_comes_after_it(play: Player, case: LoopAndOther) -> None:
    """An effect outside a loop waits for one in it on which it depends, whatever its age."""
    a, b, c, d = case.words
    other = permanent("Follower", AddTypes(subtypes=one(d)), affects=creatures_of(c), host=case.host)
    because = "CR 613.8b: what depends on an effect in a loop is not in the loop itself, so it waits"
    first = seen(play, case.board(other, True), SUBTYPES, ["c0"])
    last = seen(play, case.board(other, False), SUBTYPES, ["c0"])
    expect_same(first, last, because, SUBTYPES)
    expect(last, "c0", because, subtypes=frozenset({a, b, c, d}))


# ------------------------------------------------------------------------------------- going on


class Taken(NamedTuple):
    """A creature that works on all creatures in an earlier layer and a later one, and one that is taken."""

    color: Any
    size: int
    order: tuple[int, ...]
    deal: Deal


taken = st.builds(Taken, color, st.integers(1, 3), st.sampled_from((OLDER, NEWER)), deals)


@holds_for(of_invented(taken), rules=("613.6",), needs=("colours", "anthems", "abilities"))
def what_has_begun_goes_on(play: Player, case: Taken) -> None:
    """An effect that began before its ability was taken is applied to the end; one that had not begun never
    is.
    """
    begun = Static((Part(CREATURES, (SetColors(one(case.color)), Modify(case.size, case.size))),))
    not_begun = Static((Part(CREATURES, (Modify(case.size, case.size),)),))
    silence = permanent("Silence", LoseAllAbilities())
    for ability, more in ((begun, case.size), (not_begun, 0)):
        lord = replace(creature(2, 2, abilities=(ability,)), name="Test Lord")
        board = board_with(("bear", creature(1, 1)), ("lord", lord), ("silence", silence), deal=case.deal)
        because = (
            "CR 613.6: it began in layer 5, so it is applied in layer 7 as well"
            if more
            else "CR 613.6: its ability was gone before it could begin"
        )
        looks = seen(play, entered_in(board, case.order), SIZE, ["bear"])
        expect(looks, "bear", because, power=1 + more, toughness=1 + more)


@st.composite
def outgrown(draw: DrawFn, means: Means) -> tuple[Static, Card, dict[str, Any], Deal]:
    """An effect that makes those it affects such as it is not about, and does more to them later."""
    (old, new), (a, b), more = draw(two_of(EVERY_COLOR)), draw(two_of(CREATURE_TYPES)), draw(small)
    size = (more + 1, more)
    grown = {"power": 2 + size[0], "toughness": 2 + size[1]}
    dyes = Static((Part(All(type=one("Creature"), color=one(old)), (SetColors(one(new)), Modify(*size))),))
    tames = Static((Part(creatures_of(a), (SetCreatureTypes(one(b)), Modify(*size))),))
    rows: tuple[tuple[tuple[str, ...], tuple[Static, Card, dict[str, Any]]], ...] = (
        (("colours",), (dyes, replace(creature(2, 2), colors=one(old)), {"colors": one(new)})),
        (("types",), (tames, creature(2, 2, a), {"subtypes": one(b)})),
    )
    ability, bear, shows = draw(fitting(means, *rows))
    return ability, bear, {**shows, **grown}, draw(deals)


@holds_for(by_means(outgrown, ("colours",), ("types",)), rules=("613.6",), needs=("anthems",))
def an_effect_keeps_whom_it_began_with(play: Player, case: tuple[Static, Card, dict[str, Any], Deal]) -> None:
    """An effect is applied in later layers to those that it affected in its first, though it made them such
    as it is not about.
    """
    ability, bear, shows, deal = case
    source = replace(permanent("Outgrowth"), abilities=(ability,))
    board = board_with(("bear", bear), ("source", source), deal=deal)
    because = "CR 613.6: whom it affects is settled in the first layer in which it works"
    expect(seen(play, board, frozenset(shows), ["bear"]), "bear", because, **shows)


@st.composite
def latecomers(draw: DrawFn, means: Means) -> tuple[Operation, dict[str, Any], dict[str, Any], Deal]:
    """What a spell does to all creatures, how that shows, and how the creature looks without."""
    (power, toughness), given, new = draw(sizes), draw(word), draw(color)
    rows: tuple[tuple[tuple[str, ...], tuple[Operation, dict[str, Any], dict[str, Any]]], ...] = (
        (("set power and toughness",), (Base(power + 2, toughness), {"power": power + 2}, {"power": 2})),
        (
            ("abilities",),
            (Gain((Keyword(given),)), {"keywords": one(given)}, {"keywords": frozenset()}),
        ),
        (("colours",), (SetColors(one(new)), {"colors": one(new)}, {"colors": frozenset()})),
    )
    operation, shows, without = draw(fitting(means, *rows))
    return operation, shows, without, draw(st.sampled_from((Deal(), Deal(seats=("bob", "alice")))))


@holds_for(
    by_means(latecomers, ("set power and toughness",), ("abilities",), ("colours",)),
    rules=("611.2c",),
    needs=("casting",),
)
def what_resolved_affects_only_what_was_there(
    play: Player, case: tuple[Operation, dict[str, Any], dict[str, Any], Deal]
) -> None:
    """The effect of a spell that has resolved does not reach what enters later."""
    operation, shows, without, deal = case
    spell = instant("Spell", operation, affects=CREATURES)
    late = replace(creature(2, 2), name="Test Latecomer")
    board = with_spell(board_with(("bear", creature(2, 2)), deal=deal), "spell", spell)
    looks = seen(play, with_spell(board, "late", late), frozenset(shows), ["bear", "late"])
    because = "CR 611.2c: whom a resolved effect affects is settled as it begins"
    expect(looks, "bear", because, **shows)
    expect(looks, "late", because, **without)


# ---------------------------------------------------------------------------- single operations


@st.composite
def printed(draw: DrawFn) -> tuple[tuple[Card, ...], Deal]:
    """Permanents without effects, of every card type."""
    kinds = draw(several(st.sampled_from(PERMANENT_TYPES), 1, 3))
    cards = []
    for number, kind in enumerate(kinds):
        card = creature(*draw(sizes), draw(subtype), draw(st.sampled_from(((), (Keyword("flying"),)))))
        if kind != "Creature":
            card = permanent("Thing", host=kind)
        cards.append(replace(card, name=f"Test Thing {number}"))
    return tuple(cards), draw(deals)


@holds_for(of_invented(printed()), rules=("613.1", "208.3"))
def without_effects_everything_is_as_printed(play: Player, case: tuple[tuple[Card, ...], Deal]) -> None:
    """Objects that no effect touches have their printed characteristics; what is no creature has no size.

    An engine without any effects keeps it, and an echo of the input does: that is all it says.
    """
    cards, deal = case
    named = {f"thing{n}": card for n, card in enumerate(cards)}
    keys = EVERY_KEY - {"controller"}
    looks = seen(play, board_with(*named.items(), deal=deal), keys)
    for id, card in named.items():
        because = (
            "CR 613.1: it starts with what is printed, and nothing changes that"
            if "Creature" in card.types
            else "CR 208.3: a permanent that is no creature has no power and toughness"
        )
        expect(
            looks,
            id,
            because,
            name=card.name,
            power=card.power,
            toughness=card.toughness,
            types=card.types,
            subtypes=card.subtypes,
            colors=frozenset(),
            keywords=frozenset(word.keyword for word in card.abilities if isinstance(word, Keyword)),
        )


class Replaced(NamedTuple):
    """A thing, what is set of it, how that shows, and the rule that says so."""

    thing: Card
    does: Operation
    affects: All
    shows: dict[str, Any]
    because: str
    deal: Deal


@st.composite
def replaced(draw: DrawFn, means: Means) -> Replaced:
    """Colours, card types or subtypes that are set where there were others."""
    colors, types, lands = draw(two_of(EVERY_COLOR)), draw(two_of(CREATURE_TYPES)), draw(two_of(LAND_TYPES))
    to = draw(st.sampled_from(("Artifact", "Enchantment")))
    dyed = replace(creature(2, 2), colors=one(colors[0]))
    machine = replace(creature(2, 2, types[0]), types=frozenset({"Land", "Creature"}), cost=None)
    machine = replace(machine, subtypes=frozenset({types[0], lands[0]}))
    land = Card("Test Land", one("Land"), subtypes=one(lands[0]))
    rows: tuple[tuple[tuple[str, ...], tuple[Card, Operation, All, dict[str, Any], str]], ...] = (
        (
            ("colours",),
            (
                *(dyed, SetColors(one(colors[1])), CREATURES, {"colors": one(colors[1])}),
                "CR 105.3: a colour that is set replaces those there were",
            ),
        ),
        (
            ("types",),
            (
                *(creature(2, 2), SetTypes(one(to)), CREATURES),
                {"types": one(to), "subtypes": frozenset(), "power": None},
                "CR 205.1a: card types that are set replace those there were",
            ),
        ),
        (
            ("types",),
            (
                *(machine, SetCreatureTypes(one(types[1])), CREATURES),
                {"subtypes": frozenset({types[1], lands[0]})},
                "CR 205.1a: creature types that are set replace creature types and nothing else",
            ),
        ),
        (
            ("types",),
            (
                *(land, SetBasicLandTypes(one(lands[1])), LANDS, {"subtypes": one(lands[1])}),
                "CR 305.7: a land type that is set replaces those there were",
            ),
        ),
    )
    thing, does, affects, shows, because = draw(fitting(means, *rows))
    return Replaced(thing, does, affects, shows, because, draw(deals))


@holds_for(by_means(replaced, ("colours",), ("types",)), rules=("105.3", "205.1a", "305.7"))
def what_is_set_replaces_what_was(play: Player, case: Replaced) -> None:
    """Colours, card types and subtypes that are set replace what there was of their kind, and nothing
    else.
    """
    setter = permanent("Setter", case.does, affects=case.affects)
    board = board_with(("thing", case.thing), ("setter", setter), deal=case.deal)
    expect(seen(play, board, frozenset(case.shows), ["thing"]), "thing", case.because, **case.shows)


@st.composite
def speaking_lands(draw: DrawFn, means: Means) -> tuple[Operation, Any, Deal]:
    """What a land does to all creatures, and the basic land type that it gets."""
    rows: tuple[tuple[tuple[str, ...], Operation], ...] = (
        (("anthems",), Modify(1, 1)),
        (("set power and toughness",), Base(4, 4)),
        (("abilities",), Gain((Keyword("flying"),))),
    )
    return draw(fitting(means, *rows)), draw(land_type), draw(deals)


@holds_for(
    by_means(speaking_lands, ("anthems",), ("set power and toughness",), ("abilities",)),
    rules=("305.7",),
    needs=("types",),
)
def a_basic_land_type_takes_the_lands_own_abilities(play: Player, case: tuple[Operation, Any, Deal]) -> None:
    """A land that becomes a basic land type no longer does what its text says."""
    does, new, deal = case
    board = board_with(
        ("bear", creature(2, 2)),
        ("land", permanent("Speaking Land", does, host="Land")),
        ("setter", permanent("Setter", SetBasicLandTypes(one(new)), affects=all_of(NONBASIC))),
        deal=deal,
    )
    because = "CR 305.7: with the type it loses the abilities of its rules text"
    looks = seen(play, board, SIZE | KEYWORDS | SUBTYPES, ["bear", "land"])
    expect(looks, "bear", because, power=2, toughness=2, keywords=frozenset())
    expect(looks, "land", "CR 305.7: it has the new type", subtypes=one(new))


@st.composite
def forbidden(draw: DrawFn) -> tuple[Any, bool, bool, Deal]:
    """A keyword that no creature can have, whether the ban is newer than the gift, whether it was printed."""
    return draw(word), draw(st.booleans()), draw(st.booleans()), draw(deals)


@holds_for(of_invented(forbidden()), rules=("113.11",), needs=("abilities",))
def what_it_cannot_have_it_never_gains(play: Player, case: tuple[Any, bool, bool, Deal]) -> None:
    """An object that can't have an ability has it neither by its text nor by any effect, older or newer."""
    given, ban_newer, own, deal = case
    bear = creature(2, 2, abilities=(Keyword(given),) if own else ())
    pair = Pair(
        bear, permanent("Ban", CannotHave(one(given))), permanent("Gift", Gain((Keyword(given),))), deal
    )
    order = NEWER if ban_newer else OLDER
    expect(
        seen(play, entered_in(pair.board(), order), KEYWORDS, ["bear"]),
        "bear",
        "CR 113.11: what it can't have it loses, and no effect gives it",
        keywords=frozenset(),
    )


@st.composite
def gifted(draw: DrawFn) -> tuple[frozenset[Any], bool, Deal]:
    """Keywords of a creature, and whether it entered before what takes all abilities."""
    return draw(subset(WORDS, 3)), draw(st.booleans()), draw(deals)


@holds_for(of_invented(gifted()), rules=("613.1f",), needs=("abilities",))
def losing_all_abilities_leaves_none(play: Player, case: tuple[frozenset[Any], bool, Deal]) -> None:
    """A creature that loses all abilities has no keyword left."""
    words, older, deal = case
    bear = creature(2, 2, abilities=tuple(Keyword(name) for name in sorted(words)))
    board = board_with(("bear", bear), ("silence", permanent("Silence", LoseAllAbilities())), deal=deal)
    looks = seen(play, entered_in(board, (0, 1) if older else (1, 0)), KEYWORDS, ["bear"])
    because = "CR 613.1f: all abilities are taken in layer 6, keywords among them"
    expect(looks, "bear", because, keywords=frozenset())


# -------------------------------------------------------------------------- control, text, copies


@st.composite
def tug_of_war(draw: DrawFn) -> tuple[int, str, Deal]:
    """How many thefts follow one another, and whose the creature is."""
    deal = draw(st.sampled_from((Deal(), Deal(seats=("bob", "alice")))))
    return draw(st.integers(1, 3)), draw(st.sampled_from(("alice", "bob"))), deal


@holds_for(
    of_invented(tug_of_war()), rules=("613.1b", "613.7"), needs=("control", "attachments", "owner differs")
)
def control_goes_to_the_newest_claim(play: Player, case: tuple[int, str, Deal]) -> None:
    """Of several effects that give control the newest decides; there and back leaves it where it was."""
    times, owner, deal = case
    players = ("bob", "alice") if owner == "alice" else ("alice", "bob")
    claims = [(f"claim{n}", aura(f"Claim {n}", GainControl())) for n in range(times)]
    board = board_with(("bear", creature(2, 2)), *claims, deal=deal)
    board = with_entry(board, "bear", controller=owner)
    owners = {"bear": owner}
    for n in range(times):
        owners[f"claim{n}"] = players[n % 2]
        board = with_entry(board, f"claim{n}", attached_to="bear", controller=players[n % 2])
    board = replace(board, objects=tuple(replace(one, owner=owners[one.id]) for one in board.objects))
    because = "CR 613.7: the effect with the later timestamp is applied later"
    looks = seen(play, board, CONTROL, ["bear"])
    expect(looks, "bear", because, controller=players[(times - 1) % 2])


@st.composite
def readers_of_graveyards(draw: DrawFn) -> tuple[tuple[int, int], int]:
    """The size of the card on top of a graveyard, and how much bigger that on top of the other is."""
    return draw(sizes), draw(st.integers(1, 3))


MEMORY = All(zones=frozenset({"graveyard"}), of=You(), top=True)
SHIFTER = creature(
    1,
    1,
    "Shapeshifter",
    (Static((Part(This(), (TextOf(MEMORY),)),), cond=Matches(MEMORY, Filter(type=one("Creature")))),),
    name="Test Shifter",
)


@holds_for(
    of_invented(readers_of_graveyards()),
    rules=("613.1b", "613.1c", "612.6"),
    needs=("control", "attachments", "text change", "owner differs"),
    source=("002-L3-E1",),
)
def control_is_settled_before_text(play: Player, case: tuple[tuple[int, int], int]) -> None:
    """A creature that has the text of a card in "your" graveyard reads that of whoever controls it now."""
    (power, toughness), more = case
    theft = aura("Theft", GainControl())
    board = board_with(("shifter", SHIFTER), ("theft", theft), deal=Deal(("bob", "alice")))
    board = with_entry(board, "theft", attached_to="shifter")
    mine = replace(creature(power, toughness, "Elf"), name="Test Elf")
    other = replace(creature(power + more, toughness, "Goblin"), name="Test Goblin")
    board = with_card_in(board, "graveyard", "mine", mine, "alice")
    board = with_card_in(board, "graveyard", "other", other, "bob")
    because = "CR 613.1b: control is settled in layer 2, before text is read in layer 3"
    looks = seen(play, board, SIZE, ["shifter"])
    expect(looks, "shifter", because, power=power, toughness=toughness)


class Reworded(NamedTuple):
    """A creature type that is replaced by another, and a creature that speaks of the first."""

    old: str
    new: str
    size: int
    deal: Deal

    def lord(self, word: str) -> Card:
        """A creature of a type that strengthens all of that type."""
        own = Static((Part(creatures_of(word), (Modify(self.size, self.size),)),))
        return replace(creature(2, 2, word, (own,)), name="Test Lord")


@st.composite
def reworded(draw: DrawFn) -> Reworded:
    """A creature that strengthens those of its type, and the word that takes the place of that."""
    deal = draw(st.sampled_from((Deal(), Deal(seats=("bob", "alice")))))
    return Reworded(*draw(two_of(CREATURE_TYPES)), draw(st.integers(1, 2)), deal)


def rewording(name: str, old: str, new: str) -> Card:
    """An instant that replaces one creature type by another in its target's text."""
    return instant(name, ReplaceWord(one("creature type"), old, new))


TEXT = ("text change", "casting", "targets", "types", "anthems")


@holds_for(of_invented(reworded()), rules=("612.1", "612.2", "613.1c"), needs=TEXT)
def a_changed_word_is_as_if_it_were_printed(play: Player, case: Reworded) -> None:
    """A word that is replaced in an object's text is replaced in its rules text and on its type line; there
    and back leaves all as it was.
    """
    ids, keys = ["lord", "old", "new"], SIZE | SUBTYPES
    creatures = [
        (id, replace(creature(1, 1, word), name=f"Test {word}"))
        for id, word in (("old", case.old), ("new", case.new))
    ]

    def board(word: str) -> Play:
        return board_with(("lord", case.lord(word)), *creatures, deal=case.deal)

    there = with_spell(board(case.old), "there", rewording("Rewording", case.old, case.new), "lord")
    back = rewording("Rewording Back", case.new, case.old)
    both = with_spell(with_actions(there, Look("there")), "back", back, "lord")
    looks = seen_at(play, both, keys, ids)
    because = "CR 612.1: a text change reaches rules text and type line alike"
    expect(looks["there"], "lord", because, subtypes=one(case.new))
    expect_same(seen(play, board(case.new), keys, ids), looks["there"], because, keys)
    expect_same(seen(play, board(case.old), keys, ids), looks["end"], because, keys)


@holds_for(of_invented(reworded()), rules=("613.1c", "613.1d"), needs=TEXT)
def text_is_changed_before_types(play: Player, case: Reworded) -> None:
    """A text change does not reach a type that another effect gives."""
    setter = permanent("Setter", SetCreatureTypes(one(case.old)))
    board = board_with(("bear", creature(2, 2, case.new)), ("setter", setter), deal=case.deal)
    spell = rewording("Rewording", case.old, case.new)
    because = "CR 613.1c: text is changed in layer 3, before types are set in layer 4"
    looks = seen(play, with_spell(board, "spell", spell, "bear"), SUBTYPES, ["bear"])
    expect(looks, "bear", because, subtypes=one(case.old))


class Copied(NamedTuple):
    """A creature, and what is done to it that a copy does not take over."""

    original: Card
    counters: int
    does: Operation
    owner: str
    deal: Deal


@st.composite
def copied(draw: DrawFn) -> Copied:
    """A creature with counters and an Aura on it."""
    deeds: tuple[Operation, ...] = (Base(4, 4), SetColors(one("red")), Gain((Keyword("trample"),)))
    does = draw(st.sampled_from(deeds))
    own = draw(st.sampled_from(((), (Keyword("flying"),))))
    original = creature(*draw(sizes), draw(subtype), own, name="Test Original")
    return Copied(original, draw(small), does, draw(st.sampled_from(("bob", "alice"))), draw(deals))


@holds_for(
    of_invented(copied()),
    rules=("707.2", "613.2c"),
    needs=("copies", "choices", "counters", "attachments", "set power and toughness", "colours", "abilities"),
)
def a_copy_takes_copiable_values_only(play: Player, case: Copied) -> None:
    """A copy looks as the original is printed: without its counters, without what effects make of it, under
    its own controller's control.
    """
    board = board_with(
        ("original", case.original),
        ("aura", aura("Aura", case.does)),
        ("clone", CLONE),
        deal=case.deal._replace(controllers=(case.owner, case.owner, "alice")),
    )
    board = with_entry(board, "aura", attached_to="original")
    if case.counters:
        board = with_entry(board, "original", counters=(Counters("+1/+1", case.counters),))
    board = with_entry(board, "clone", choices=(Choose("copy", "alice", ("original",)),))
    looks = seen(play, board, EVERY_KEY, ["clone"])
    card = case.original
    because = "CR 707.2: copiable values are copied, and neither counters, effects nor control"
    expect(
        looks,
        "clone",
        because,
        name=card.name,
        power=card.power,
        toughness=card.toughness,
        subtypes=card.subtypes,
        colors=frozenset(),
        keywords=frozenset(word.keyword for word in card.abilities if isinstance(word, Keyword)),
        controller="alice",
    )


@holds_for(of_invented(copied()), rules=("707.2", "707.3"), needs=("copies", "choices"))
def a_copy_of_a_copy_is_a_copy(play: Player, case: Copied) -> None:
    """A copy of a copy looks as a copy of the original does, each under its own controller's control."""
    players = (case.owner, "alice", "bob")
    board = board_with(
        ("original", case.original),
        ("clone", CLONE),
        ("second", replace(CLONE, name="Test Second Clone")),
        deal=case.deal._replace(controllers=players),
    )
    board = with_entry(board, "clone", choices=(Choose("copy", "alice", ("original",)),))
    of_copy = with_entry(board, "second", choices=(Choose("copy", "bob", ("clone",)),))
    of_original = with_entry(board, "second", choices=(Choose("copy", "bob", ("original",)),))
    because = (
        "CR 707.2: what is copied are copiable values (CR 707.3: for a copy those it copied), not control"
    )
    shown = seen(play, of_copy, EVERY_KEY, ["second"])
    expect_same(seen(play, of_original, EVERY_KEY, ["second"]), shown, because)
    expect(shown, "second", because, name=case.original.name, controller="bob")


@st.composite
def hidden(draw: DrawFn) -> tuple[Card, Card, bool, Deal]:
    """A creature that enters face down, another, and whether all become copies of that one."""
    own = draw(st.sampled_from(((), (Keyword("flying"),))))
    (power, toughness), (more, tougher) = draw(sizes), draw(sizes)
    one_card = replace(creature(power + 2, toughness, draw(subtype), own), colors=one(draw(color)))
    other = creature(more + 2, tougher, draw(subtype), own, name="Test Original")
    deal = draw(st.sampled_from((Deal(), Deal(seats=("bob", "alice")), Deal(("bob",)))))
    return one_card, other, not draw(st.booleans()), deal


@holds_for(
    of_invented(hidden()),
    rules=("613.2b", "708.2", "708.2a"),
    needs=("face down", "copies", "casting", "targets"),
)
def what_is_face_down_stays_blank(play: Player, case: tuple[Card, Card, bool, Deal]) -> None:
    """A face-down creature is a 2/2 without anything else, also when it becomes a copy of another."""
    card, other, copies, deal = case
    board = with_entry(board_with(("hidden", card), ("other", other), deal=deal), "hidden", face_down=True)
    if copies:
        board = with_spell(board, "mirror", MIRROR, "other")
    expect(
        seen(play, board, EVERY_KEY, ["hidden"]),
        "hidden",
        "CR 613.2b: what is face down gets its values after all copies (CR 708.2a: a 2/2 and nothing else)",
        name=None,
        power=2,
        toughness=2,
        types=one("Creature"),
        subtypes=frozenset(),
        colors=frozenset(),
        keywords=frozenset(),
    )


LAYERS: tuple[Property[Any], ...] = (
    the_order_of_layers_beats_age,
    sizes_are_set_before_they_are_modified,
    counters_modify_as_effects_do,
    a_switch_comes_last,
    two_switches_cancel,
    permuting_modifications_changes_nothing,
    a_power_may_be_less_than_nothing_on_the_way,
    the_later_timestamp_wins,
    of_two_effects_on_the_rules_the_later_wins,
    coming_back_makes_it_the_newest,
    attaching_anew_makes_it_the_newest,
    attaching_it_where_it_is_changes_nothing,
    turning_it_up_makes_it_the_newest,
    of_what_enters_together_the_active_players_is_older,
    an_effect_is_there_while_its_condition_holds,
    what_lies_elsewhere_does_nothing,
    a_granted_ability_is_as_old_as_its_grant,
    what_an_object_says_of_itself_comes_first,
    what_defines_works_in_every_zone,
    a_granted_definition_is_an_ordinary_effect,
    a_dependency_outranks_age,
    an_effect_waits_for_what_changes_whom_it_affects,
    a_chain_is_followed_to_its_end,
    a_dependency_is_there_when_the_board_shows_it,
    who_controls_a_theft_controls_what_it_stole,
    what_only_looks_like_a_dependency_goes_by_age,
    a_loop_falls_back_to_timestamps,
    what_depends_on_a_loop_comes_after_it,
    what_has_begun_goes_on,
    an_effect_keeps_whom_it_began_with,
    what_resolved_affects_only_what_was_there,
    without_effects_everything_is_as_printed,
    what_is_set_replaces_what_was,
    a_basic_land_type_takes_the_lands_own_abilities,
    what_it_cannot_have_it_never_gains,
    losing_all_abilities_leaves_none,
    control_goes_to_the_newest_claim,
    control_is_settled_before_text,
    a_changed_word_is_as_if_it_were_printed,
    text_is_changed_before_types,
    a_copy_takes_copiable_values_only,
    a_copy_of_a_copy_is_a_copy,
    what_is_face_down_stays_blank,
)

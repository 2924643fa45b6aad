"""Laws of timestamps (CR 613.7): which effect is older, what renews a timestamp, when an effect exists."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec import UNSET
from msgspec.structs import replace

from conformance.model.engine import CannotPlay
from conformance.model.scenario import Play
from conformance.properties.law import PlayFunction, Property, holds_for
from conformance.properties.seeing import (
    EVERY_KEY,
    SIZE,
    ShowsNothing,
    expect,
    expect_equal,
    expect_same,
    looks_at_end,
    looks_by_name,
    seen_player,
)
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
    with_actions,
    with_card_in,
    with_entry,
    with_spell,
)
from conformance.strategies.cards import (
    CREATURES,
    DRAWN_CREATURE_TYPES,
    LANDS,
    PERMANENT_TYPES,
    TARGET,
    creature,
    equipment,
    hosts,
    in_any_order,
    one,
    permanent,
    sizes,
    subtype,
    two_of,
    word,
)
from conformance.strategies.draws import composite
from conformance.strategies.means import Means
from reference_engine.language.actions import Activate, Look, Settle, TurnUp
from reference_engine.language.cards import (
    All,
    Base,
    Card,
    Exile,
    Exists,
    Filter,
    Gain,
    HandSize,
    It,
    Keyword,
    Lose,
    LoseAllAbilities,
    Operation,
    OwnerOf,
    Part,
    Put,
    SetColors,
    SetCreatureTypes,
    Spell,
    Static,
    TargetSpec,
    The,
    You,
)
from reference_engine.language.setup import Arrival
from reference_engine.language.words import COLORS, CardType


class Rivals(NamedTuple):
    """A creature and two effects that set the same thing of it differently; how it looks after each."""

    pair: Pair
    by_first: dict[str, Any]
    by_second: dict[str, Any]


Shown = tuple[Operation, dict[str, Any]]
"""What an effect does, and how a creature looks after it."""
SETTERS = (("colours",), ("types",), ("set power and toughness",), ("abilities",))


@composite
def rivals(draw: DrawFn, means: Means) -> Rivals:
    """Colours, creature types, sizes or abilities."""
    colors, types, given = draw(two_of(COLORS)), draw(two_of(DRAWN_CREATURE_TYPES)), draw(word)
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
def the_later_timestamp_wins(play: PlayFunction, case: Rivals) -> None:
    """Of two effects that set the same characteristic, the newer one decides.

    It does not check effects that depend on each other.
    """
    because = "CR 613.7: the effect with the later timestamp is applied later"
    for order, shows in ((OLDER, case.by_second), (NEWER, case.by_first)):
        board = entered_in(case.pair.board(), order)
        expect(looks_at_end(play, board, frozenset(shows), ["bear"]), "bear", because, **shows)


@composite
def hand_sizes(draw: DrawFn) -> tuple[int, bool, Deal]:
    """A maximum hand size that is set, and whether that is newer than the effect that does away with it."""
    return draw(st.integers(1, 6)), draw(st.booleans()), draw(deals)


@holds_for(of_invented(hand_sizes()), rules=("613.11", "402.2"))
def of_two_effects_on_the_rules_the_later_wins(play: PlayFunction, case: tuple[int, bool, Deal]) -> None:
    """If one effect sets the maximum hand size and another removes it, the newer effect decides.

    It does not check the discard in the cleanup step.
    """
    size, set_later, deal = case
    cards = [
        ("none", permanent("Pockets", HandSize("none"), affects=You())),
        ("set", permanent("Manacles", HandSize("set", size), affects=You())),
    ]
    board = board_with(*(cards if set_later else reversed(cards)), deal=replace_controllers(deal))
    shown = seen_player(play, board, "alice", frozenset({"hand_size"})).hand_size
    if shown is UNSET:
        raise CannotPlay("it does not show hand_size of alice")
    because = "CR 613.11: effects on the rules are applied by timestamp, the newest last"
    expect_equal(size if set_later else None, shown, "alice", "hand_size", "", because)


@composite
def small_hands(draw: DrawFn) -> tuple[int, int, Deal]:
    """A maximum hand size that is set, and by how much another effect reduces it."""
    return draw(st.integers(0, 3)), draw(st.integers(1, 5)), draw(deals)


@holds_for(of_invented(small_hands()), rules=("107.1b", "402.2", "613.11"))
def a_hand_never_has_less_than_no_room(play: PlayFunction, case: tuple[int, int, Deal]) -> None:
    """A maximum hand size that is reduced below zero is zero.

    It does not check the discard in the cleanup step.
    """
    size, less, deal = case
    board = board_with(
        ("set", permanent("Manacles", HandSize("set", size), affects=You())),
        ("less", permanent("Shackles", HandSize("plus", -less), affects=You())),
        deal=replace_controllers(deal),
    )
    shown = seen_player(play, board, "alice", frozenset({"hand_size"})).hand_size
    if shown is UNSET:
        raise CannotPlay("it does not show hand_size of alice")
    because = "CR 107.1b: a number that is less than zero counts as zero"
    expect_equal(max(size - less, 0), shown, "alice", "hand_size", "", because)


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
def coming_back_makes_it_the_newest(play: PlayFunction, case: Rivals) -> None:
    """A permanent that left and came back is newer than everything that stayed; if both do so in turn, the
    original order is restored.
    """
    once = with_actions(with_spell(case.pair.board(), "flicker", FLICKER, "first"), Look("once"))
    twice = with_spell(once, "again", replace(FLICKER, name="Test Flicker Again"), "second")
    looks = looks_by_name(play, twice, frozenset(case.by_first), ["bear"])
    because = "CR 613.7d: an object gets a new timestamp as it enters, so it is the newest again"
    expect(looks["once"], "bear", because, **case.by_first)
    expect(looks["end"], "bear", because, **case.by_second)


class BladeAndAll(NamedTuple):
    """What an Equipment sets of its bearer, what a newer effect sets of all, and how each shows."""

    of_blade: Operation
    of_all: Operation
    by_blade: dict[str, Any]
    by_all: dict[str, Any]


@composite
def blade_and_all(draw: DrawFn, means: Means, abilities: bool = True) -> BladeAndAll:
    """Sizes, colours or abilities, these if they are wanted."""
    (first, second), given = draw(two_of(COLORS)), draw(word)
    dyed = BladeAndAll(
        SetColors(one(first)), SetColors(one(second)), {"colors": one(first)}, {"colors": one(second)}
    )
    gifted = BladeAndAll(
        Gain((Keyword(given),)), LoseAllAbilities(), {"keywords": one(given)}, {"keywords": frozenset()}
    )
    sized = BladeAndAll(Base(4, 4), Base(1, 1), {"power": 4}, {"power": 1})
    rows = [(("set power and toughness",), sized), (("colours",), dyed), (("abilities",), gifted)]
    return draw(fitting(means, *rows[: 3 if abilities else 2]))


@holds_for(
    by_means(blade_and_all, ("set power and toughness",), ("colours",), ("abilities",)),
    rules=("613.7e", "701.3c"),
    needs=("attachments", "activated abilities", "targets", "steps"),
)
def attaching_anew_makes_it_the_newest(play: PlayFunction, case: BladeAndAll) -> None:
    """An Equipment that is moved away and back is newer than what entered in between.

    It does not check Auras.
    """
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
    looks = looks_by_name(play, moved, frozenset(case.by_all), ["bear"])
    expect(looks["before"], "bear", "CR 613.7: the newer effect is applied later", **case.by_all)
    because = "CR 613.7e: it gets a new timestamp each time it becomes attached"
    expect(looks["end"], "bear", because, **case.by_blade)


@holds_for(
    by_means(blade_and_all, ("set power and toughness",), ("colours",), ("abilities",)),
    rules=("701.3b", "613.7e"),
    needs=("attachments", "activated abilities", "targets", "steps"),
)
def attaching_it_where_it_is_changes_nothing(play: PlayFunction, case: BladeAndAll) -> None:
    """An Equipment that is attached again to the same creature keeps its age.

    It does not check Auras.
    """
    board = board_with(
        ("bear", creature(2, 2)),
        ("blade", equipment("Blade", case.of_blade)),
        ("setter", permanent("Setter", case.of_all)),
    )
    board = with_entry(board, "blade", attached_to="bear")
    again = with_actions(board, Activate("blade", "equip", "alice", (("bear",),)), Settle())
    because = "CR 701.3b: what is attached to something already is not attached to it again"
    expect(looks_at_end(play, again, frozenset(case.by_all), ["bear"]), "bear", because, **case.by_all)


@holds_for(
    by_means(lambda means: blade_and_all(means, abilities=False), ("set power and toughness",), ("colours",)),
    rules=("613.7f",),
    needs=("face down", "special actions"),
)
def turning_it_up_makes_it_the_newest(play: PlayFunction, case: BladeAndAll) -> None:
    """The effect of a permanent that was just turned face up is newer than those of all other permanents."""
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
    expect(looks_at_end(play, turned, frozenset(case.by_blade), ["bear"]), "bear", because, **case.by_blade)


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


@composite
def entering_together(draw: DrawFn, means: Means) -> Together:
    """In the turn of either player, wherever they sit, and in whatever order they are listed."""
    turn, seats = draw(st.sampled_from(("alice", "bob"))), draw(in_any_order(("alice", "bob")))
    put = means.allow("casting") and draw(st.booleans())
    return Together(draw(rivals(means)), turn, seats, draw(st.booleans()), put)


@holds_for(by_means(entering_together, *SETTERS), rules=("613.7m",), needs=("simultaneous entry",))
def of_what_enters_together_the_active_players_is_older(play: PlayFunction, case: Together) -> None:
    """Of two effects that enter at the same time, the active player's gets the earlier timestamp, so the
    other one decides.

    It does not check the order in which one player's own permanents enter.
    """
    shows = case.rivals.by_second if case.turn == "alice" else case.rivals.by_first
    because = "CR 613.7m: what enters together gets its timestamps in APNAP order, the active player's first"
    expect(looks_at_end(play, case.board(), frozenset(shows), ["bear"]), "bear", because, **shows)


@composite
def conditional(draw: DrawFn, means: Means) -> tuple[Rivals, bool]:
    """Two effects, the newer of which is there only as long as there is a land, and whether there is."""
    return draw(rivals(means)), draw(st.booleans())


@holds_for(by_means(conditional, *SETTERS), rules=("604.2", "613.6"))
def an_effect_is_there_while_its_condition_holds(play: PlayFunction, case: tuple[Rivals, bool]) -> None:
    """A static ability that says "as long as" has an effect exactly while its condition holds."""
    (pair, by_first, by_second), met = case
    [ability] = pair.second.abilities
    assert isinstance(ability, Static)
    if_land = replace(pair.second, abilities=(replace(ability, cond=Exists(LANDS)),))
    land = [("land", Card("Test Land", one("Land")))] if met else []
    cards = [*land, ("bear", pair.creature), ("first", pair.first), ("second", if_land)]
    board = board_with(*cards, deal=pair.deal)
    shows = by_second if met else by_first
    because = "CR 604.2: a static ability's effect is there while what it asks for is so, and not otherwise"
    expect(looks_at_end(play, board, frozenset(shows), ["bear"]), "bear", because, **shows)


@composite
def lying_elsewhere(draw: DrawFn, means: Means) -> tuple[Rivals, str, str]:
    """A creature, and an effect on a card in a zone of a player."""
    zone = draw(st.sampled_from(("hand", "graveyard", "exile", "library")))
    return draw(rivals(means)), zone, draw(st.sampled_from(("alice", "bob")))


@holds_for(by_means(lying_elsewhere, *SETTERS), rules=("113.6", "604.3"))
def what_lies_elsewhere_does_nothing(play: PlayFunction, case: tuple[Rivals, str, str]) -> None:
    """A permanent card's static ability has no effect unless the card is on the battlefield.

    It does not check that the ability has an effect on the battlefield.
    """
    (pair, _, _), zone, owner = case
    board = board_with(("bear", pair.creature), deal=pair.deal)
    because = "CR 113.6: abilities of a permanent card work on the battlefield, if they say nothing else"
    elsewhere = with_card_in(board, zone, "second", pair.second, owner)
    alone = looks_at_end(play, board)
    expect_same(alone, looks_at_end(play, elsewhere, EVERY_KEY, ["bear"]), because)
    there = board_with(("bear", pair.creature), ("second", pair.second), deal=pair.deal)
    if looks_at_end(play, there, EVERY_KEY, ["bear"]) == alone:
        raise ShowsNothing("the ability shows no effect on the battlefield either")


@composite
def grants(draw: DrawFn) -> tuple[tuple[int, int], tuple[int, int], bool, CardType, Deal]:
    """A size that is set by a granted ability, one that is set plainly, and whether the grant is newer."""
    (power, toughness), more = draw(sizes), draw(st.integers(1, 3))
    granted, plain = (power, toughness), (power + more, toughness)
    return granted, plain, not draw(st.booleans()), draw(hosts), draw(deals)


@holds_for(of_invented(grants()), rules=("613.7a", "613.4b"), needs=("abilities", "set power and toughness"))
def a_granted_ability_is_as_old_as_its_grant(
    play: PlayFunction, case: tuple[tuple[int, int], tuple[int, int], bool, CardType, Deal]
) -> None:
    """The effect of a granted ability is as old as the effect that grants it, not as the object."""
    granted, plain, newer, host, deal = case
    gives = Gain((Static((Part(CREATURES, (Base(*granted),)),)),))
    pair = Pair(
        creature(1, 1), permanent("Setter", Base(*plain)), permanent("Granter", gives, host=host), deal
    )
    power, toughness = granted if newer else plain
    expect(
        looks_at_end(play, entered_in(pair.board(), OLDER if newer else NEWER), SIZE, ["bear"]),
        "bear",
        "CR 613.7a: of the object's timestamp and the grant's the later one counts",
        power=power,
        toughness=toughness,
    )


AGE: tuple[Property[Any], ...] = (
    the_later_timestamp_wins,
    of_two_effects_on_the_rules_the_later_wins,
    a_hand_never_has_less_than_no_room,
    coming_back_makes_it_the_newest,
    attaching_anew_makes_it_the_newest,
    attaching_it_where_it_is_changes_nothing,
    turning_it_up_makes_it_the_newest,
    of_what_enters_together_the_active_players_is_older,
    an_effect_is_there_while_its_condition_holds,
    what_lies_elsewhere_does_nothing,
    a_granted_ability_is_as_old_as_its_grant,
)

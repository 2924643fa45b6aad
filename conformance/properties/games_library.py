"""Laws of the top cards of a library (CR 701.17a, 701.22a, 701.25a, 701.57a), and of creatures that fight."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import CREATURE, creature, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import CastAction, ChooseAction, Pass
from reference_engine.language.cards import (
    All,
    AsEnters,
    Card,
    Discover,
    Draw,
    Exile,
    Fight,
    Filter,
    LookThrough,
    Mill,
    Put,
    Scry,
    Surveil,
    TargetSpec,
    The,
    You,
)

LIBRARY = 5
CREATURE_CARD = Filter(type=frozenset({"Creature"}))


def with_library(there: Round, player: str, hand: list[HeldCard], cards: list[Card]) -> Any:
    """The players, of whom one has this hand and this library, top first."""
    named = tuple(HeldCard(f"card{n}", card) for n, card in enumerate(cards))
    return tuple(
        seat._replace(library=named) if seat.id == player else seat
        for seat in held_by(there, {player: hand}, library=2)
    )


PLAIN = permanent("Field", type="Land", subtypes=("Forest",))


@law(rules=("701.22a", "701.25a"), needs=("casting", "steps", "choices"))
def top_cards_go_where_they_are_put(draw: DrawFn, there: Round) -> Tale:
    """A player who scries or surveils finds the cards where they were put: on the bottom or in the graveyard,
    and on top in the chosen order.

    One to three cards of a library of five, and then all that are left on top are drawn.
    """
    player, number = there.players[0], draw(st.integers(1, 3))
    scries = draw(st.booleans())
    omen = spell("Omen", Scry(number) if scries else Surveil(number))
    top = [f"card{n}" for n in range(number)]
    away = draw(st.lists(st.sampled_from(top), unique=True, max_size=number))
    kept = draw(st.permutations([id for id in top if id not in away]))
    insight = spell("Insight", Draw(LIBRARY - len(away) if scries else LIBRARY - number))
    hand = [HeldCard("omen", omen), HeldCard("insight", insight)]
    tale = Tale(table(with_library(there, player, hand, [PLAIN] * LIBRARY), (), there.sides[0]))
    tale.do(CastAction("omen", player), ChooseAction("cards", player, tuple(away), "omen"))
    if len(kept) > 1:
        tale.do(ChooseAction("order", player, tuple(kept), "omen"))
    if scries and len(away) > 1:
        tale.do(ChooseAction("order", player, tuple(away), "omen"))
    tale.do(Pass("everyone"))
    because = "CR 701.22a: put on the bottom" if scries else "CR 701.25a: put into the graveyard"
    for id in away:
        tale.see(id, "zone", "library" if scries else "graveyard", because)
    left = [*kept, *(f"card{n}" for n in range(number, LIBRARY))]
    tale.see(player, "library_top", left[0] if left else None, "CR 701.22a: on top, in that order")
    tale.do(CastAction("insight", player), Pass("everyone"))
    if scries:
        for id in left:
            tale.see(id, "zone", "hand", "CR 701.22a: what was not put on the bottom lies above it")
        for id in away:
            tale.see(id, "zone", "library", "CR 701.22a: what was put on the bottom lies below everything")
    return tale


@law(rules=("701.17a", "701.17b"), needs=("casting", "steps"))
def milled_cards_come_from_the_top(draw: DrawFn, there: Round) -> Tale:
    """A player who mills cards has the top cards of the library in the graveyard, and the others where they
    were.

    Up to seven cards of a library of five.
    """
    player, number = there.players[0], draw(st.integers(1, LIBRARY + 2))
    hand = [HeldCard("erosion", spell("Erosion", Mill(number)))]
    tale = Tale(table(with_library(there, player, hand, [PLAIN] * LIBRARY), (), there.sides[0]))
    tale.do(CastAction("erosion", player), Pass("everyone"))
    for n in range(LIBRARY):
        because = (
            "CR 701.17a: so many cards from the top" if number <= LIBRARY else "CR 701.17b: all there are"
        )
        tale.see(f"card{n}", "zone", "graveyard" if n < number else "library", because)
    return tale


@law(rules=("701.14a", "701.14d"), needs=("casting", "steps", "targets"), sizes=(2,))
def both_creatures_fight(draw: DrawFn, there: Round) -> Tale:
    """Two creatures that fight deal damage equal to their power to each other.

    Creatures of any size, of one player or two.
    """
    player, other = there.players[:2]
    powers = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    owner = draw(st.sampled_from((player, other)))
    brawl = spell(
        "Brawl", Fight(TARGET, The("foe")), targets=(CREATURE, TargetSpec(CREATURE.what, name="foe"))
    )
    lie = [
        Permanent("one", creature("Boxer", powers[0], 4), player),
        Permanent("two", creature("Wrestler", powers[1], 4), owner),
    ]
    tale = Tale(table(held_by(there, {player: [HeldCard("brawl", brawl)]}), lie, there.sides[0]))
    tale.do(CastAction("brawl", player, targets=(("one",), ("two",))), Pass("everyone"))
    because = "CR 701.14a: damage equal to the power of the other"
    tale.see("one", "damage", powers[1], because)
    tale.see("two", "damage", powers[0], because)
    return tale


@law(rules=("701.57a",), needs=("casting", "steps", "choices"), sizes=(2,))
def the_first_fitting_card_is_discovered(draw: DrawFn, there: Round) -> Tale:
    """To discover a number finds the first nonland card with at most that mana value, which is cast for free
    or goes to the hand; the others go back to the library.

    A library of lands and creatures with mana values from 0 to 4.
    """
    player, number = there.players[0], draw(st.integers(0, 3))
    values = draw(st.lists(st.sampled_from((None, 0, 1, 2, 3, 4)), min_size=1, max_size=4))
    cards = [
        PLAIN if value is None else creature(f"Beast of {value}", 2, 2, cost=f"{{{value}}}")
        for value in values
    ]
    found = next((n for n, value in enumerate(values) if value is not None and value <= number), None)
    casts = draw(st.booleans())
    hand = [HeldCard("quest", spell("Quest", Discover(number)))]
    tale = Tale(table(with_library(there, player, hand, cards), (), there.sides[0]))
    tale.do(CastAction("quest", player))
    if found is not None:
        tale.do(ChooseAction("may", player, (casts,), "quest"))
    tale.do(Pass("everyone"))
    for n in range(len(cards)):
        because = "CR 701.57a: the rest goes to the bottom of the library"
        zone = "library"
        if n == found:
            because = "CR 701.57a: it is cast without paying its mana cost, or goes to the hand"
            zone = "stack" if casts else "hand"
        tale.see(f"card{n}", "zone", zone, because)
    return tale


@law(rules=("608.2d", "608.2c"), needs=("casting", "steps", "choices"))
def only_what_fits_is_taken(draw: DrawFn, there: Round) -> Tale:
    """Of the top cards of a library only one that an effect asks for is taken, and the rest goes where it
    says.

    One to four cards are looked at, and a creature card among them is put into the hand.
    """
    player, number = there.players[0], draw(st.integers(1, 4))
    fits = draw(st.lists(st.booleans(), min_size=number, max_size=number))
    bear = creature("Bear", 2, 2)
    cards = [bear if fit else PLAIN for fit in fits]
    hunt = spell("Hunt", LookThrough(number, CREATURE_CARD, rest="graveyard"))
    hand = [HeldCard("hunt", hunt)]
    tale = Tale(table(with_library(there, player, hand, [*cards, bear]), (), there.sides[0]))
    able = [f"card{n}" for n, fit in enumerate(fits) if fit]
    taken = draw(st.sampled_from(able)) if able else ""
    tale.do(CastAction("hunt", player))
    if len(able) > 1:
        tale.do(ChooseAction("cards", player, (taken,), "hunt"))
    tale.do(Pass("everyone"))
    hunted = "CR 608.2d: one of those that fit is chosen, and nothing else can be"
    for n in range(number):
        zone = "hand" if f"card{n}" == taken else "graveyard"
        tale.see(f"card{n}", "zone", zone, hunted if zone == "hand" else "CR 608.2c: the rest goes there")
    tale.see(f"card{number}", "zone", "library", "CR 608.2c: it was not among them")
    return tale


@law(rules=("614.13c", "614.13"), needs=("casting", "steps"))
def what_enters_is_not_among_what_it_moves(draw: DrawFn, there: Round) -> Tale:
    """A creature that moves the top cards of a library as it enters does not move itself, even if it was on
    top.

    It comes from the library or from the hand, and exiles one card or mills some.
    """
    player, from_library = there.players[0], draw(st.booleans())
    number = draw(st.integers(0, 2))
    top = All(zones=frozenset({"library"}), of=You(), top=True)
    effect = Mill(number) if number else Exile(top)
    digger = creature("Digger", 3, 3, AsEnters(effect=(effect,)))
    rise = spell("Rise", Put(top, "battlefield"))
    hand = [HeldCard("rise", rise)] if from_library else [HeldCard("digger", digger)]
    seats = with_library(there, player, hand, [PLAIN] * 3)
    if from_library:
        seats = tuple(
            seat._replace(library=(HeldCard("digger", digger), *seat.library)) if seat.id == player else seat
            for seat in seats
        )
    tale = Tale(table(seats, (), there.sides[0]))
    tale.do(CastAction("rise" if from_library else "digger", player), Pass("everyone"))
    because = "CR 614.13c: what is entering is not among the cards that move as it enters"
    tale.see("digger", "zone", "battlefield", because)
    many = max(1, number)
    for n in range(3):
        zone = "library" if n >= many else "graveyard" if number else "exile"
        tale.see(f"card{n}", "zone", zone, because)
    return tale


TOP_OF_LIBRARY: tuple[Property[Any], ...] = (
    top_cards_go_where_they_are_put,
    milled_cards_come_from_the_top,
    both_creatures_fight,
    the_first_fitting_card_is_discovered,
    only_what_fits_is_taken,
    what_enters_is_not_among_what_it_moves,
)
"""The laws of this module, in the order in which they are listed."""

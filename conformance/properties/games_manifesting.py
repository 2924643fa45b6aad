"""Laws of manifested and cloaked cards (CR 701.40, 701.58, 701.62)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.model.scenario import InAnyOrder
from conformance.properties.games_library import PLAIN, with_library
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, law, law_of, sort
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import CALM, CREATURE, creature, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    CastAction,
    ChooseAction,
    Pass,
    Pay,
    PayStep,
    Settle,
    TurnUp,
)
from reference_engine.language.cards import (
    All,
    Card,
    Cloak,
    Damage,
    Enters,
    GainLife,
    Keyword,
    Manifest,
    ManifestDread,
    OneOrMore,
    Triggered,
    TurnedFaceUp,
    TurnFace,
    You,
)
from reference_engine.language.words import CardType

ANY_CREATURE: frozenset[CardType] = frozenset({"Creature"})
FOREST = Card("Forest", frozenset({"Land"}), supertypes=frozenset({"Basic"}), subtypes=frozenset({"Forest"}))
SENTINEL = Card("Test Sentinel", ANY_CREATURE, None, power=3, toughness=3)
"""A creature card without a mana cost."""
KINDS = ("creature", "costless", "land", "artifact", "instant")


def put_face_down(draw: DrawFn) -> tuple[str, Any]:
    """To manifest or to cloak, and the rule of either."""
    word = draw(st.sampled_from(("701.40", "701.58")))
    return word, Manifest if word == "701.40" else Cloak


def card_of(kind: str, cost: str) -> Card:
    """A card of a kind, with this mana cost if it has any."""
    match kind:
        case "creature":
            return creature("Stranger", 3, 3, cost=cost)
        case "costless":
            return SENTINEL
        case "land":
            return PLAIN
        case "artifact":
            return Card("Test Relic", frozenset({"Artifact"}), cost)
        case _:
            return CALM


@sort("casting", "steps", "face down", "special actions", "payments")
def for_its_mana_cost(draw: DrawFn, there: Round) -> Tale:
    """A card of any kind is manifested or cloaked, and its controller tries to turn it face up with a number
    of lands.
    """
    player, (word, verb) = there.players[0], put_face_down(draw)
    kind, cost = draw(st.sampled_from(KINDS)), draw(st.integers(1, 3))
    lands = draw(st.sampled_from((cost, cost - 1)))
    library = with_library(
        there, player, [HeldCard("ruse", spell("Ruse", verb()))], [card_of(kind, f"{{{cost}}}")]
    )
    fields = [Permanent(f"land{n}", FOREST, player) for n in range(lands)]
    tale = Tale(table(library, fields, there.sides[0]))
    tale.do(CastAction("ruse", player), Settle())
    because = f"CR {word}a: whatever card it is, it is a face-down 2/2 creature"
    tale.see("card0", "face_down", True, because)
    tale.see("card0", "power", 2, because)
    tale.see("card0", "types", InAnyOrder(("Creature",)), because)
    pay = Pay(tuple(PayStep(activate=f"land{n}") for n in range(lands)))
    fine = kind == "creature" and lands == cost
    because = f"CR {word}b: a creature card is turned up for its mana cost, and no other card is"
    tale.attempt(TurnUp("card0", player, pay=pay), "done" if fine else "rejected", because)
    tale.see("card0", "face_down", not fine, because)
    tale.see("card0", "power", 3 if fine else 2, because)
    return tale


@sort("casting", "steps", "face down", "special actions")
def for_another_cost(draw: DrawFn, there: Round) -> Tale:
    """A creature or a land with morph or disguise is manifested or cloaked."""
    player, (word, verb) = there.players[0], put_face_down(draw)
    keyword: Any = draw(st.sampled_from(("morph", "disguise")))
    lives = draw(st.booleans())
    held = Keyword(keyword, mana="{1}")
    hidden = creature("Stranger", 3, 3, held) if lives else permanent("Cavern", held, type="Land")
    library = with_library(there, player, [HeldCard("ruse", spell("Ruse", verb()))], [hidden])
    way: Any = draw(st.sampled_from((keyword, "mana cost")))
    tale = Tale(table(library, (), there.sides[0]))
    tale.do(CastAction("ruse", player), Settle())
    letter = "c" if keyword == "morph" else "d"
    fine = lives or way == keyword
    because = f"CR {word}{letter}: a card with {keyword} may be turned up for that cost, too"
    tale.attempt(TurnUp("card0", player, as_=way), "done" if fine else "rejected", because)
    tale.see("card0", "face_down", not fine, because)
    return tale


@law_of(
    for_its_mana_cost,
    for_another_cost,
    rules=("701.40a", "701.40b", "701.40c", "701.40d", "701.58a", "701.58b", "701.58c", "701.58d"),
    needs=("casting", "steps", "face down", "special actions"),
)
def what_is_manifested_is_turned_up_for_its_mana_cost() -> None:
    """A manifested or cloaked card is a 2/2 creature. It can be turned face up for its mana cost if it is a
    creature card, and for its cost of morph or disguise.
    """


@law(rules=("701.40e", "701.58e"), needs=("casting", "steps", "face down", "triggers"))
def manifested_cards_enter_one_after_another(draw: DrawFn, there: Round) -> Tale:
    """Of several cards manifested or cloaked from a library, each enters by itself.

    Up to four of the top cards, and an ability that triggers when one or more creatures enter.
    """
    player, (word, verb) = there.players[0], put_face_down(draw)
    number = draw(st.integers(1, 4))
    entered = Triggered(OneOrMore(Enters(All(type=ANY_CREATURE, controller=You()))), (GainLife(1),))
    library = with_library(there, player, [HeldCard("ruse", spell("Ruse", verb(number)))], [PLAIN] * 5)
    tale = Tale(table(library, [Permanent("choir", permanent("Choir", entered), player)], there.sides[0]))
    tale.do(CastAction("ruse", player), Settle())
    tale.see(player, "life", 20 + number, f"CR {word}e: they enter one at a time")
    for n in range(5):
        because = f"CR {word}e: the top cards, and no others"
        tale.see(f"card{n}", "zone", "battlefield" if n < number else "library", because)
    return tale


@law(rules=("701.40g", "701.58g"), needs=("casting", "steps", "face down", "triggers"))
def a_manifested_spell_card_stays_down(draw: DrawFn, there: Round) -> Tale:
    """An effect that turns manifested or cloaked cards face up only reveals instant and sorcery cards.

    Cards of any kind, and an ability that triggers when one is turned face up.
    """
    player, (word, verb) = there.players[0], put_face_down(draw)
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=3))
    unmask = spell("Unmask", TurnFace(All(type=ANY_CREATURE), "up"))
    witness = permanent("Witness", Triggered(TurnedFaceUp(All()), (GainLife(1),)))
    hand = [HeldCard("ruse", spell("Ruse", verb(len(kinds)))), HeldCard("unmask", unmask)]
    library = with_library(there, player, hand, [card_of(kind, "{1}") for kind in kinds])
    tale = Tale(table(library, [Permanent("witness", witness, player)], there.sides[0]))
    tale.do(CastAction("ruse", player), Settle(), CastAction("unmask", player), Settle())
    because = f"CR {word}g: an instant or sorcery card stays face down"
    for n, kind in enumerate(kinds):
        tale.see(f"card{n}", "face_down", kind == "instant", because)
    because = f"CR {word}g: an instant or sorcery card is not turned face up"
    tale.see(player, "life", 20 + sum(kind != "instant" for kind in kinds), because)
    return tale


@law(
    rules=("701.40a", "701.58a", "702.21a"),
    needs=("casting", "steps", "face down", "targets", "triggers", "choices"),
)
def what_is_cloaked_has_ward(draw: DrawFn, there: Round) -> Tale:
    """A cloaked card has ward {2}; a manifested one does not.

    A creature card is manifested or cloaked, and becomes the target of an opponent's spell.
    """
    player, enemy = there.players[:2]
    word, verb = put_face_down(draw)
    jolt = spell("Jolt", Damage(1, TARGET), targets=(CREATURE,))
    seats = tuple(
        seat._replace(hand=(*seat.hand, HeldCard("jolt", jolt))) if seat.id == enemy else seat
        for seat in with_library(there, player, [HeldCard("ruse", spell("Ruse", verb()))], [SENTINEL])
    )
    tale = Tale(table(seats, (), there.sides[0]))
    tale.do(CastAction("ruse", player), Settle())
    because = f"CR {word}a: it has ward {{2}} if it is cloaked, and only then"
    tale.see("card0", "keywords", ("ward {2}",) if word == "701.58" else (), because)
    tale.do(Pass(there.sides[0]))
    if word == "701.58":
        tale.do(ChooseAction("may", enemy, (False,), "ward of card0"))
    tale.do(CastAction("jolt", enemy, targets=(("card0",),)), Settle())
    tale.see("card0", "damage", 0 if word == "701.58" else 1, because)
    return tale


@law(rules=("701.62a",), needs=("casting", "steps", "face down", "choices"))
def of_two_cards_one_is_manifested(draw: DrawFn, there: Round) -> Tale:
    """To manifest dread puts one of the top two cards onto the battlefield face down, and the other into the
    graveyard.

    A library of one to three cards.
    """
    player, number = there.players[0], draw(st.integers(1, 3))
    library = with_library(
        there, player, [HeldCard("dread", spell("Dread", ManifestDread()))], [PLAIN] * number
    )
    taken = draw(st.integers(0, min(number, 2) - 1))
    tale = Tale(table(library, (), there.sides[0]))
    tale.do(CastAction("dread", player))
    if number > 1:
        tale.do(ChooseAction("cards", player, (f"card{taken}",), "dread"))
    tale.do(Pass("everyone"))
    for n in range(number):
        zone = "battlefield" if n == taken else "graveyard" if n < 2 else "library"
        tale.see(f"card{n}", "zone", zone, "CR 701.62a: one is manifested, the other goes to the graveyard")
    because = "CR 701.40a: a manifested card is a face-down 2/2 creature"
    tale.see(f"card{taken}", "face_down", True, because)
    return tale


MANIFESTING: tuple[Property[Any], ...] = (
    what_is_manifested_is_turned_up_for_its_mana_cost,
    manifested_cards_enter_one_after_another,
    a_manifested_spell_card_stays_down,
    what_is_cloaked_has_ward,
    of_two_cards_one_is_manifested,
)
"""The laws of this module, in the order in which they are listed."""

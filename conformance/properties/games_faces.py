"""Laws of cards with several faces (CR 709, 712, 715): which face counts, and which can be cast."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.decks import spell
from conformance.strategies.scripts import HeldCard, table
from reference_engine.language.actions import CastAction, PlayAction, Resolve
from reference_engine.language.cards import All, Card, CounterSpell, GainLife, Put, Spell, TargetSpec, The
from reference_engine.language.words import CardType

GAINS_ONE = (Spell((GainLife(1),)),)
ANY_SPELL = TargetSpec(what=All(zones=frozenset({"stack"})))
DENIAL = spell("Denial", CounterSpell(The("target")), targets=(ANY_SPELL,))
PERMANENTS = TargetSpec(what=All())
RETREAT = spell("Retreat", Put(The("target"), "hand"), targets=(PERMANENTS,))
ONE_KIND: tuple[CardType, ...] = ("Artifact", "Enchantment", "Instant")


def face(name: str, kind: CardType, n: int) -> Card:
    """A face of this type that costs this much."""
    abilities = GAINS_ONE if kind in ("Instant", "Sorcery") else ()
    return Card(f"Test {name}", frozenset({kind}), f"{{{n}}}", abilities=abilities)


@law(
    rules=("712.11b", "712.8f", "712.13", "712.8a"),
    needs=("modal double-faced cards", "casting", "steps", "targets"),
)
def a_modal_card_is_the_face_that_was_chosen(draw: DrawFn, there: Round) -> Tale:
    """A modal double-faced card has only the face that its player chose, as a spell and as a permanent, and
    only its front face everywhere else.

    A card with two faces of drawn types, one of them cast, and a spell that returns it to its owner's hand.

    It does not check abilities of the faces.
    """
    player = there.players[0]
    front, back = (draw(st.sampled_from(ONE_KIND)) for _ in range(2))
    card = Card(
        "Test Front",
        frozenset({front}),
        "{1}",
        abilities=GAINS_ONE if front == "Instant" else (),
        back=face("Back", back, 3),
        modal=True,
    )
    turned = draw(st.booleans())
    name, kind, value = ("Test Back", back, 3) if turned else ("Test Front", front, 1)
    hand = [HeldCard("page", card), HeldCard("retreat", RETREAT)]
    tale = Tale(table(held_by(there, {player: hand}), (), there.sides[0]))
    because = "CR 712.8a: in a hand it has only the characteristics of its front face"
    tale.see("page", "name", "Test Front", because)
    tale.do(CastAction("page", player, face="Test Back" if turned else None))
    because = "CR 712.11b, 712.8f: the spell is the face that its player chose"
    for key, seen in (("name", name), ("types", (kind,)), ("mana_value", value)):
        tale.see("page", key, seen, because)
    tale.do(Resolve("page"))
    if kind == "Instant":
        because = "CR 712.8a: in a graveyard it has only the characteristics of its front face"
        tale.see("page", "name", "Test Front", because)
        return tale
    tale.see("page", "name", name, "CR 712.13: a permanent has the face up that the spell had")
    tale.do(CastAction("retreat", player, targets=(("page",),)), Resolve("retreat"))
    because = "CR 712.8a: back in a hand it has only the characteristics of its front face"
    tale.see("page", "name", "Test Front", because)
    tale.see("page", "mana_value", 1, because)
    return tale


@law(rules=("712.12", "712.11c"), needs=("modal double-faced cards", "lands", "casting"))
def a_land_is_played_by_the_face_that_is_one(draw: DrawFn, there: Round) -> Tale:
    """Of a modal double-faced card only a face that is a land is played as one, and only another is cast.

    A card with a land on the back, or on the front, and each way to play it.

    It does not check the abilities of the land.
    """
    player, front_is_land = there.players[0], draw(st.booleans())
    land = Card("Test Shore", frozenset({"Land"}))
    other = face("Wave", "Artifact", 2)
    first, second = (land, other) if front_is_land else (other, land)
    card = Card(first.name, first.types, first.cost, back=second, modal=True)
    names = {one.name: None if one is first else one.name for one in (first, second)}
    tale = Tale(table(held_by(there, {player: [HeldCard("page", card)]}), (), there.sides[0]))
    because = "CR 712.12: only a face that is a land is played as a land"
    tale.attempt(PlayAction("page", player, names["Test Wave"]), "rejected", because)
    because = "CR 712.11c: only the chosen face is evaluated, and a land is never cast"
    tale.attempt(CastAction("page", player, face=names["Test Shore"]), "rejected", because)
    if draw(st.booleans()):
        tale.attempt(
            PlayAction("page", player, names["Test Shore"]), "done", "CR 712.12: this face is a land"
        )
        tale.see("page", "name", "Test Shore", "CR 712.12: it enters with that face up")
    else:
        because = "CR 712.11c: only the chosen face is evaluated, and it is no land"
        tale.attempt(CastAction("page", player, face=names["Test Wave"]), "done", because)
        tale.see("page", "name", "Test Wave", "CR 712.8f: the spell has the face that is up")
    return tale


@law(rules=("709.3b", "709.4b", "202.3d", "709.3"), needs=("split cards", "casting", "steps"))
def a_split_card_is_one_half_on_the_stack_only(draw: DrawFn, there: Round) -> Tale:
    """A split card has the characteristics of both halves together, and on the stack only those of the half
    that was cast.

    Two halves of drawn costs, of which one is cast.

    It does not check what the halves do.
    """
    player = there.players[0]
    costs = [draw(st.integers(1, 4)) for _ in range(2)]
    halves = tuple(face(name, "Instant", n) for name, n in zip(("Left", "Right"), costs, strict=True))
    card = Card("Test Left // Test Right", frozenset({"Instant"}), halves=halves)
    tale = Tale(table(held_by(there, {player: [HeldCard("page", card)]}), (), there.sides[0]))
    because = "CR 709.4b: its mana value is that of both costs together"
    tale.see("page", "mana_value", sum(costs), because)
    cast = draw(st.integers(0, 1))
    tale.do(CastAction("page", player, face=halves[cast].name))
    because = "CR 709.3b: on the stack only the half that was cast exists"
    tale.see("page", "name", halves[cast].name, because)
    tale.see("page", "mana_value", costs[cast], because)
    tale.do(Resolve("page"))
    tale.see("page", "mana_value", sum(costs), "CR 202.3d: off the stack both halves count")
    return tale


@law(
    rules=("715.3d", "715.3b", "715.4"),
    needs=("adventures", "casting", "steps", "targets"),
)
def an_adventure_is_exiled_and_the_card_cast_from_there(draw: DrawFn, there: Round) -> Tale:
    """A card cast as an Adventure is exiled if it resolves, and its controller may cast it from there, though
    not as an Adventure; if it is countered, it goes to the graveyard.

    An adventurer card cast as an Adventure, which somebody counters or not.
    """
    player, other = there.players[0], draw(st.sampled_from(there.players))
    adventure = Card(
        "Test Trail", frozenset({"Instant"}), "{1}", subtypes=frozenset({"Adventure"}), abilities=GAINS_ONE
    )
    card = Card("Test Camp", frozenset({"Artifact"}), "{4}", adventure=adventure)
    hands = {player: [HeldCard("page", card)]}
    hands[other] = [*hands.get(other, []), HeldCard("denial", DENIAL)]
    tale = Tale(table(held_by(there, hands), (), there.sides[0]))
    tale.do(CastAction("page", player, face="Test Trail"))
    because = "CR 715.3b: as an Adventure it has only its alternative characteristics"
    for key, seen in (("name", "Test Trail"), ("types", ("Instant",)), ("mana_value", 1)):
        tale.see("page", key, seen, because)
    if other == player and draw(st.booleans()):
        tale.do(CastAction("denial", player, targets=(("page",),)), Resolve("denial"))
        because = "CR 715.3d: only an Adventure that resolves is exiled"
        tale.see("page", "zone", "graveyard", because)
        tale.attempt(CastAction("page", player), "rejected", because)
        return tale
    tale.do(Resolve("page"))
    tale.see("page", "zone", "exile", "CR 715.3d: an Adventure is exiled as it resolves")
    tale.see("page", "mana_value", 4, "CR 715.4: everywhere else it has its normal characteristics")
    because = "CR 715.3d: it can't be cast as an Adventure from there"
    tale.attempt(CastAction("page", player, face="Test Trail"), "rejected", because)
    tale.attempt(CastAction("page", player), "done", "CR 715.3d: its controller may play the card from there")
    tale.see("page", "name", "Test Camp", "CR 715.4: it is not an Adventure now")
    return tale


FACES: tuple[Property[Any], ...] = (
    a_modal_card_is_the_face_that_was_chosen,
    a_land_is_played_by_the_face_that_is_one,
    a_split_card_is_one_half_on_the_stack_only,
    an_adventure_is_exiled_and_the_card_cast_from_there,
)

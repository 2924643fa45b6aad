"""Laws of keyword abilities that leave something in a state (foretold, prototyped, saddled, reconfigured),
and of delve.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.model.scenario import InAnyOrder
from conformance.properties.games_combat import attacking
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import BEAR, CALM, MURDER, RECALL, creature, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    Activate,
    Advance,
    Call,
    CastAction,
    CostPaid,
    Pass,
    Pay,
    PayStep,
    Resolve,
    Settle,
    Special,
    TokenNames,
)
from reference_engine.language.cards import (
    Ability,
    All,
    Attached,
    Attacks,
    Card,
    CopySpell,
    CrewPower,
    GainLife,
    Keyword,
    LoseLife,
    MayPlay,
    Modify,
    Opponents,
    Part,
    Static,
    TargetSpec,
    This,
    Triggered,
    You,
)
from reference_engine.language.words import Step

OMEN = spell("Omen", LoseLife(1, Opponents()), cost="{5}", keywords=(Keyword("foretell", "{1}"),))
FORETOLD = (CostPaid("method", ("foretell",)),)


@law(
    rules=("702.143a", "702.143b", "116.2h"),
    needs=("casting", "steps", "special actions", "payments"),
)
def a_foretold_card_waits_for_a_later_turn(draw: DrawFn, there: Round) -> Tale:
    """A card with foretell is exiled face down at any time in its owner's turn, and cast for its foretell
    cost once that turn has ended.

    An instant that is foretold in one of several steps, perhaps with a spell on the stack, and cast in the
    same turn, in the next one, or in its owner's next one.
    """
    player = there.players[0]
    step: Step = draw(st.sampled_from(("precombat main", "upkeep", "end")))
    above = draw(st.booleans())
    hand = [HeldCard("omen", OMEN), *([HeldCard("calm", CALM)] if above else [])]
    tale = Tale(table(held_by(there, {player: hand}, library=4), (), there.sides[0], step))
    if above:
        tale.do(CastAction("calm", player))
    tale.do(Special("foretell", player, "omen"))
    tale.see("omen", "zone", "exile", "CR 702.143a: it is exiled from hand, in any step")
    tale.see("omen", "face_down", True, "CR 702.143a: face down")
    waits = draw(st.sampled_from(("no", "for the next turn", "for the owner's next turn")))
    if waits == "for the next turn":
        tale.do(Advance("upkeep", there.sides[1]), Pass(there.sides[1]))
        tale.do(*(Pass(side) for side in there.sides[2:]))
    elif waits != "no":
        tale.do(Advance("upkeep", there.sides[0]))
    because = "CR 702.143a: it may be cast once the turn has ended in which it was foretold"
    tale.attempt(CastAction("omen", player, costs=FORETOLD), "rejected" if waits == "no" else "done", because)
    return tale


PEEK = spell("Peek", GainLife(1), keywords=(Keyword("foretell", "{1}"),))
PORTAL = permanent(
    "Portal", Static((Part(You(), (MayPlay(All(zones=frozenset({"exile"})), cost=()),)),)), type="Artifact"
)


@law(rules=("406.3b",), needs=("casting", "steps", "special actions"))
def a_card_face_down_in_exile_is_for_those_who_may_look(draw: DrawFn, there: Round) -> Tale:
    """An effect that lets a player cast cards from exile is of use for a face-down card only to a player who
    may look at it.

    A foretold card, and a permanent of its owner or of another player that lets its controller play cards in
    exile.
    """
    player, other = there.players[:2]
    own = draw(st.booleans())
    lie = [Permanent("portal", PORTAL, player if own else other)]
    tale = Tale(table(held_by(there, {player: [HeldCard("peek", PEEK)]}), lie, there.sides[0]))
    tale.do(Special("foretell", player, "peek"))
    tale.see("peek", "face_down", True, "CR 702.143a: it is exiled face down")
    if not own:
        tale.do(Pass(there.sides[0]))
    because = "CR 406.3b: only a player who may look at a face-down card can cast it"
    tale.attempt(CastAction("peek", player if own else other), "done" if own else "rejected", because)
    return tale


def mount(*abilities: Ability) -> Card:
    """A Mount that two power saddles."""
    return subtyped(creature("Mount", 2, 2, Keyword("saddle", n=2), *abilities), "Mount")


def subtyped(card: Card, subtype: str) -> Card:
    """A card with this subtype alone."""
    return replace(card, subtypes=frozenset({subtype}))


def saddle(player: str, *riders: str) -> Activate:
    """The player saddles the Mount with these."""
    return Activate("mount", "saddle", player, costs=(CostPaid("tap", riders),))


CHEERED = mount(Triggered(Attacks(saddled=True), (GainLife(3),), name="cheer"))


@law(
    rules=("702.171a", "702.171b"),
    needs=("combat", "steps", "triggers", "activated abilities", "payments"),
)
def a_mount_is_saddled_until_the_turn_ends(draw: DrawFn, there: Round) -> Tale:
    """A permanent whose saddle ability resolves is saddled until the end of that turn, and no longer.

    A creature with an ability that triggers if it attacks while saddled is saddled or not, and attacks in the
    same turn or in its controller's next one.
    """
    player = there.players[0]
    saddles, waits = draw(st.booleans()), draw(st.booleans())
    lie = [Permanent("mount", CHEERED, player), Permanent("bear", BEAR, player)]
    tale = Tale(table(held_by(there, {}, library=4), lie, there.sides[0]))
    if saddles:
        tale.do(saddle(player, "bear"), Settle())
    tale.do(Advance("beginning of combat", there.sides[0]))
    if waits:
        tale.do(Advance("beginning of combat", there.sides[0]))
    tale.do(Pass("everyone"), attacking(there, "mount"), Settle())
    because = "CR 702.171b: it is saddled from then on until the turn ends"
    tale.see(player, "life", 23 if saddles and not waits else 20, because)
    return tale


GUIDED = mount(Static((Part(All(type=frozenset({"Creature"}), saddler_of=This()), (Modify(0, 3),)),)))


@law(rules=("702.171c",), needs=("steps", "activated abilities", "payments", "anthems"))
def who_is_tapped_for_a_saddle_ability_saddles(draw: DrawFn, there: Round) -> Tale:
    """A creature has saddled a permanent this turn once it is tapped to pay for the permanent's saddle
    ability, whether or not that has resolved.

    A Mount that makes such creatures tougher, and two creatures of which one or both are tapped.
    """
    player = there.players[0]
    riders = draw(st.sampled_from((("bear",), ("wolf",), ("bear", "wolf"))))
    lie = [
        Permanent("mount", GUIDED, player),
        Permanent("bear", BEAR, player),
        Permanent("wolf", BEAR, player),
    ]
    tale = Tale(table(held_by(there, {}, library=4), lie, there.sides[0]))
    tale.do(saddle(player, *riders))
    if draw(st.booleans()):
        tale.do(Settle())
    for id in ("bear", "wolf"):
        because = "CR 702.171c: those saddle it that are tapped for it"
        tale.see(id, "toughness", 5 if id in riders else 2, because)
    tale.do(Advance("upkeep", there.sides[1]))
    tale.see(riders[0], "toughness", 2, "CR 514.2: what was done this turn is over with the turn")
    return tale


PILOT = creature("Pilot", 1, 1, Static((Part(This(), (CrewPower(1),)),)))
CRAFT = Card(
    "Test Craft",
    frozenset({"Artifact"}),
    cost="{0}",
    subtypes=frozenset({"Vehicle"}),
    power=3,
    toughness=3,
    abilities=(Keyword("crew", n=2),),
)
HORSE = subtyped(creature("Horse", 2, 2, Keyword("saddle", n=2)), "Horse")


@law(rules=("702.122a", "702.171a"), needs=("steps", "activated abilities", "payments"))
def a_pilot_counts_for_more_than_its_power(draw: DrawFn, there: Round) -> Tale:
    """A creature that saddles Mounts and crews Vehicles as though its power were greater pays for these
    abilities of theirs with that power, and for nothing else.
    """
    player = there.players[0]
    card, ability = draw(st.sampled_from(((mount(), "saddle"), (CRAFT, "crew"), (HORSE, "saddle"))))
    rider = draw(st.sampled_from((PILOT, creature("Page", 1, 1))))
    lie = [Permanent("carrier", card, player), Permanent("rider", rider, player)]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0]))
    ride = Activate("carrier", ability, player, costs=(CostPaid("tap", ("rider",)),))
    enough = rider is PILOT and card is not HORSE
    because = "CR 702.122a, 702.171a: with so much total power, which is that of the creature or one more"
    tale.attempt(ride, "done" if enough else "rejected", because)
    tale.see("rider", "tapped", enough, because)
    return tale


COLOSSUS = creature("Colossus", 6, 4, Keyword("prototype", "{R}", power=3, toughness=2), cost="{7}")
RING = spell("Ring", CopySpell(TARGET), targets=(TargetSpec(what=All(zones=frozenset({"stack"}))),))


@law(
    rules=("718.3b", "718.3c", "718.4"),
    needs=("casting", "steps", "targets", "copies", "tokens"),
)
def a_prototype_is_what_it_was_cast_as(draw: DrawFn, there: Round) -> Tale:
    """A prototyped spell, its copy and the permanents they become have the alternative mana cost, power,
    toughness and colours, and the card has its normal ones everywhere else and if it is cast normally.
    """
    player = there.players[0]
    small, copied = draw(st.booleans()), draw(st.booleans())
    hand = [HeldCard("colossus", COLOSSUS), HeldCard("recall", RECALL)]
    hand += [HeldCard("ring", RING)] if copied else []
    tale = Tale(table(held_by(there, {player: hand}), (), there.sides[0]))
    tale.do(CastAction("colossus", player, face="prototyped" if small else None))
    mana, power = (1, 3) if small else (7, 6)
    because = "CR 718.3b: prototyped" if small else "CR 718.4: cast normally"
    tale.see("colossus", "mana_value", mana, because)
    tale.see("colossus", "power", power, because)
    tale.see("colossus", "colors", InAnyOrder(("red",) if small else ()), because)
    if copied:
        tale.do(CastAction("ring", player, targets=(("colossus",),)), Resolve("ring"))
        tale.see("copy of colossus", "power", power, "CR 718.3c: a copy of it is as it is")
    tale.do(Settle())
    if copied:
        tale.do(Call((TokenNames("Test Colossus", ("twin",)),)))
        tale.see("twin", "power", power, "CR 718.3c: a copy of it is as it is")
    tale.see("colossus", "power", power, because)
    tale.see("colossus", "colors", InAnyOrder(("red",) if small else ()), because)
    tale.do(CastAction("recall", player, targets=(("colossus",),)), Settle())
    tale.see("colossus", "mana_value", 7, "CR 718.4: in a hand it has only its normal characteristics")
    return tale


BLADES = replace(
    creature(
        "Blades",
        1,
        1,
        Static((Part(Attached(), (Modify(2, 1),)),)),
        Keyword("reconfigure", "{0}"),
        types=("Artifact", "Creature"),
    ),
    subtypes=frozenset({"Equipment", "Bear"}),
)


@law(
    rules=("702.151a", "702.151b", "301.5c"),
    needs=("casting", "steps", "targets", "activated abilities", "attachments", "anthems"),
)
def what_is_reconfigured_is_no_creature_while_attached(draw: DrawFn, there: Round) -> Tale:
    """A creature Equipment with reconfigure is no creature from when it is attached to another creature until
    it is unattached, by its own ability or because that creature leaves.
    """
    player = there.players[0]
    ends = draw(st.sampled_from(("never", "unattached", "destroyed", "returned")))
    hand = [HeldCard("gone", RECALL if ends == "returned" else MURDER)]
    lie = [Permanent("blades", BLADES, player), Permanent("bear", BEAR, player)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    tale.do(Activate("blades", "reconfigure", player, targets=(("bear",),)), Settle())
    tale.see("blades", "types", InAnyOrder(("Artifact",)), "CR 702.151b: attached, it is no creature")
    tale.see("blades", "attached_to", "bear", "CR 301.5c: with reconfigure, a creature can equip")
    tale.see("bear", "power", 4, "CR 301.5a: it is equipped")
    if ends == "unattached":
        tale.do(Activate("blades", "unattach", player), Settle())
    elif ends != "never":
        tale.do(CastAction("gone", player, targets=(("bear",),)), Settle())
    types = ("Artifact",) if ends == "never" else ("Artifact", "Creature")
    tale.see("blades", "types", InAnyOrder(types), "CR 702.151b: until it becomes unattached")
    return tale


DIG = spell("Dig", GainLife(3), cost="{2}{U}", keywords=(Keyword("delve"),))
ISLAND = Card("Island", frozenset({"Land"}), supertypes=frozenset({"Basic"}), subtypes=frozenset({"Island"}))


@law(rules=("702.66a", "702.66b"), needs=("casting", "steps", "payments"))
def a_card_exiled_to_delve_pays_for_generic_mana(draw: DrawFn, there: Round) -> Tale:
    """Each card that a player exiles from their graveyard to delve pays for one generic mana, and for no
    coloured mana.

    A spell for two generic and one blue mana, with some cards exiled, and paid with or without blue mana.
    """
    player = there.players[0]
    number, blue = draw(st.integers(1, 3)), draw(st.booleans())
    ids = [f"old{n}" for n in range(3)]
    seats = tuple(
        seat._replace(graveyard=tuple(HeldCard(id, CALM) for id in ids)) if seat.id == player else seat
        for seat in held_by(there, {player: [HeldCard("dig", DIG)]})
    )
    tale = Tale(table(seats, [Permanent("island", ISLAND, player)], there.sides[0]))
    pay = Pay((PayStep("island"),)) if blue else Pay()
    fits = number == 2 and blue
    because = "CR 702.66a: one card for each generic mana, and for nothing else"
    delve = CastAction("dig", player, costs=(CostPaid("exile", tuple(ids[:number])),), pay=pay)
    tale.attempt(delve, "done" if fits else "rejected", because)
    tale.see(ids[0], "zone", "exile" if fits else "graveyard", because)
    return tale


KEYWORD_STATES: tuple[Property[Any], ...] = (
    a_foretold_card_waits_for_a_later_turn,
    a_card_face_down_in_exile_is_for_those_who_may_look,
    a_mount_is_saddled_until_the_turn_ends,
    who_is_tapped_for_a_saddle_ability_saddles,
    a_pilot_counts_for_more_than_its_power,
    a_prototype_is_what_it_was_cast_as,
    what_is_reconfigured_is_no_creature_while_attached,
    a_card_exiled_to_delve_pays_for_generic_mana,
)

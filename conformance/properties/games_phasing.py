"""Laws of phasing: what does not exist for a while, and comes back as the same object (CR 702.26d)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import (
    BLADE,
    CREATURE,
    MANTLE,
    YOUR_CREATURES,
    creature,
    permanent,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Activate, Advance, CastAction, Pass
from reference_engine.language.cards import (
    Activated,
    Count,
    Counters,
    Enters,
    GainLife,
    Keyword,
    Leaves,
    Modify,
    Part,
    PhaseOut,
    PutCounters,
    SetColors,
    Static,
    TapThis,
    This,
    Triggered,
)

GHOST = creature("Ghost", 2, 2, Keyword("phasing"))
CENSUS = creature("Census", 0, 9, Static((Part(This(), (Modify(Count(YOUR_CREATURES), 0),)),)))
VANISH = spell("Vanish", PhaseOut(TARGET), targets=(CREATURE,))
PAINTER = creature("Painter", 1, 1, Static((Part(YOUR_CREATURES, (SetColors(frozenset({"red"})),)),)))
TINT = permanent("Tint", Static((Part(YOUR_CREATURES, (SetColors(frozenset({"blue"})),)),)))
GREETER = creature(
    "Greeter",
    1,
    1,
    Triggered(Enters(), (GainLife(3),), name="comes"),
    Triggered(Leaves(), (GainLife(5),), name="goes"),
)


@law(rules=("502.1", "702.26a", "702.26b"), needs=("steps", "anthems"))
def what_has_phasing_is_away_every_other_turn(draw: DrawFn, there: Round) -> Tale:
    """A permanent with phasing phases out as an untap step of its controller begins, and in as the next one
    does; in between, nothing counts it.

    One to three creatures with phasing, of one player, some of them tapped.
    """
    player = there.players[0]
    tapped = draw(st.lists(st.booleans(), min_size=1, max_size=3))
    lie = [Permanent("census", CENSUS, player)]
    lie += [Permanent(f"ghost{n}", GHOST, player, tapped=yes) for n, yes in enumerate(tapped)]
    tale = Tale(table(held_by(there, {}, library=4), lie, there.sides[0]))
    for turn in range(1, 1 + draw(st.integers(1, 3))):
        tale.do(Advance("upkeep", there.sides[0]))
        away = turn % 2
        because = "CR 702.26b: what is phased out is treated as though it did not exist"
        tale.see("census", "power", 1 if away else 1 + len(tapped), because)
    return tale


@law(
    rules=("702.26d", "702.26g"),
    needs=("casting", "steps", "targets", "anthems", "attachments", "triggers", "colours", "abilities"),
)
def what_phases_in_is_the_same_object(draw: DrawFn, there: Round) -> Tale:
    """A creature phases in with what was attached to it, no newer than it was, and nothing triggers on its
    leaving or entering.

    A creature with Auras or Equipment whose coming and going would be noticed, or one whose effect is older
    than another.
    """
    player = there.players[0]
    lie = [Permanent("greeter", GREETER, player), Permanent("painter", PAINTER, player)]
    lie.append(Permanent("tint", TINT, player))
    things = draw(st.lists(st.sampled_from((MANTLE, BLADE)), min_size=1, max_size=2))
    lie += [Permanent(f"worn{n}", card, player, attached_to="greeter") for n, card in enumerate(things)]
    gone = draw(st.sampled_from(("greeter", "painter")))
    tale = Tale(table(held_by(there, {player: [HeldCard("vanish", VANISH)]}, library=4), lie, there.sides[0]))
    tale.do(
        CastAction("vanish", player, targets=((gone,),)), Pass("everyone"), Advance("upkeep", there.sides[0])
    )
    for n in range(len(things)):
        because = "CR 702.26g: what is attached to it phases out and in along with it"
        tale.see(f"worn{n}", "attached_to", "greeter", because)
    because = "CR 702.26d: it is no newer than it was, so the effect that was newer still applies last"
    tale.see("greeter", "colors", ("blue",), because)
    tale.see(player, "life", 20, "CR 702.26d: nothing left the battlefield or entered it")
    return tale


@law(rules=("702.26d", "302.6"), needs=("casting", "steps", "targets", "counters", "activated abilities"))
def what_phases_in_keeps_its_counters_and_is_not_sick(draw: DrawFn, there: Round) -> Tale:
    """A creature phases in with the counters that it had, and can be tapped for its ability at once if its
    controller has had it since before.

    One to three counters; the creature phases out for a turn.
    """
    player, n = there.players[0], draw(st.integers(1, 3))
    monk = creature("Monk", 1, 1, Activated((TapThis(),), (GainLife(2),), name="pray"))
    lie = [Permanent("monk", monk, player)]
    bless = spell("Bless", PutCounters((Counters("+1/+1", n),), TARGET), targets=(CREATURE,))
    hand = [HeldCard("vanish", VANISH), HeldCard("bless", bless)]
    tale = Tale(table(held_by(there, {player: hand}, library=4), lie, there.sides[0]))
    for id in ("bless", "vanish"):
        tale.do(CastAction(id, player, targets=(("monk",),)), Pass("everyone"))
    tale.do(Advance("upkeep", there.sides[0]))
    tale.see("monk", "power", 1 + n, "CR 702.26d: it phases in with its counters")
    because = "CR 302.6, 702.26d: it has been under that player's control since the turn began"
    tale.attempt(Activate("monk", "pray", player), "done", because)
    return tale


PHASING: tuple[Property[Any], ...] = (
    what_has_phasing_is_away_every_other_turn,
    what_phases_in_is_the_same_object,
    what_phases_in_keeps_its_counters_and_is_not_sick,
)

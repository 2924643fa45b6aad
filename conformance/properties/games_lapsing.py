"""Laws of effects that last for some time, and of what comes back when that time is over (CR 610, 611)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import BEAR, CREATURE, MURDER, creature, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Advance, CastAction, Pass
from reference_engine.language.cards import (
    All,
    Cannot,
    Duration,
    Effect,
    Enters,
    Exile,
    Modify,
    Tap,
    TargetSpec,
    This,
    Triggered,
)
from reference_engine.language.words import Step

JAILER = creature(
    "Jailer",
    1,
    1,
    Triggered(
        Enters(),
        (Exile(TARGET, until_leaves=True),),
        (TargetSpec(All(type=frozenset({"Creature"}), other_than=This())),),
        name="jail",
    ),
)
FREEZE = spell(
    "Freeze",
    Tap(TARGET),
    Effect(TARGET, (Cannot(frozenset({"untap"})),), "next untap step"),
    targets=(CREATURE,),
)
MOMENTS: tuple[tuple[Step, int], ...] = (
    ("postcombat main", 0),
    ("upkeep", 1),
    ("upkeep", 0),
    ("end", 0),
    ("upkeep", 1),
)
"""The moments at which is looked, one after another: a step, and whether it is the turn of the caster (0) or
of the next player.
"""
LASTS: dict[Duration, int] = {
    "end of combat": 0,
    "end of turn": 1,
    "your next turn": 2,
    "end of your next turn": 4,
}
"""Of those moments, the number at which an effect still lasts."""
ENDS: dict[Duration, str] = {
    "end of combat": "CR 500.5a: combat is over",
    "end of turn": "CR 514.2: it ended in the cleanup step",
    "your next turn": "CR 611.2a: that turn has begun",
    "end of your next turn": "CR 514.2: it ended in the cleanup step of that turn",
}


@law(
    rules=("500.5a", "514.2", "611.2a"),
    needs=("casting", "steps", "targets", "anthems"),
    sizes=(2,),
)
def effects_end_when_they_say(draw: DrawFn, there: Round) -> Tale:
    """A bonus lasts exactly as long as the spell says: until end of combat, of this turn, of its controller's
    next turn, or until that turn begins.

    One such spell in a main phase, and looks in this turn and the next three.
    """
    player, other = there.players[:2]
    until = draw(st.sampled_from(tuple(LASTS)))
    bless = spell("Bless", Effect(TARGET, (Modify(3, 0),), until), targets=(CREATURE,))
    lie = [Permanent("bear", BEAR, player)]
    hands = {player: [HeldCard("bless", bless)]}
    tale = Tale(table(held_by(there, hands, library=3), lie, there.sides[0]))
    tale.do(CastAction("bless", player, targets=(("bear",),)), Pass("everyone"))
    because = "CR 611.2a: it lasts as long as the spell says"
    tale.see("bear", "power", 5, because)
    for number, (step, whose) in enumerate(MOMENTS):
        tale.do(Advance(step, (player, other)[whose]))
        lasts = number < LASTS[until]
        why = because if lasts else ENDS[until]
        tale.see("bear", "power", 5 if lasts else 2, why)
    return tale


@law(rules=("611.2a", "502.3"), needs=("casting", "steps", "targets"), sizes=(2,))
def one_untap_step_is_missed(draw: DrawFn, there: Round) -> Tale:
    """What doesn't untap during its controller's next untap step stays tapped in that one and untaps in the
    one after it.

    A creature of either player.
    """
    player, other = there.players[:2]
    owner = draw(st.sampled_from((player, other)))
    lie = [Permanent("bear", BEAR, owner)]
    hands = {player: [HeldCard("freeze", FREEZE)]}
    tale = Tale(table(held_by(there, hands, library=5), lie, there.sides[0]))
    tale.do(CastAction("freeze", player, targets=(("bear",),)), Pass("everyone"))
    turns = (other, player, other, player, other)
    missed = 0
    for turn in turns[: 3 if owner == other else 4]:
        tale.do(Advance("upkeep", turn))
        missed += turn == owner
        because = "CR 611.2a: the effect is about one untap step" if missed else "CR 502.3: not its turn yet"
        tale.see("bear", "tapped", missed < 2, because)
    return tale


@law(rules=("610.3", "610.3b", "610.3c"), needs=("casting", "steps", "triggers", "targets"), sizes=(2,))
def what_is_exiled_until_comes_back(draw: DrawFn, there: Round) -> Tale:
    """What is exiled until a creature leaves comes back under its owner's control as soon as it has left, and
    is not exiled at all if the creature has left before.

    A creature that exiles another as it enters is destroyed, before or after its ability has resolved.
    """
    player, other = there.players[:2]
    early = draw(st.booleans())
    lie = [Permanent("bear", BEAR, other)]
    hands = {player: [HeldCard("jailer", JAILER)], other: [HeldCard("murder", MURDER)]}
    tale = Tale(table(held_by(there, hands), lie, there.sides[0]))
    tale.do(CastAction("jailer", player), Pass("everyone"))
    if not early:
        tale.do(Pass("everyone"))
        because = "CR 610.3: it is exiled until the other has left"
        tale.see("bear", "zone", "exile", because)
    tale.do(Pass(player), CastAction("murder", other, targets=(("jailer",),)), Pass("everyone"))
    if early:
        tale.do(Pass("everyone"))
    because = "CR 610.3b: it had left before, so nothing was exiled" if early else "CR 610.3: that has left"
    tale.see("bear", "zone", "battlefield", because)
    tale.see("bear", "controller", other, "CR 610.3c: under its owner's control")
    return tale


LAPSING_EFFECTS: tuple[Property[Any], ...] = (
    effects_end_when_they_say,
    one_untap_step_is_missed,
    what_is_exiled_until_comes_back,
)

"""Laws of objects that leave and come back (CR 400.7): what was done to the old one does nothing to the
new one, and what the old one has done the new one has not.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, sort
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import CALM, CREATURE, GROWTH, MURDER, creature, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Activate, Advance, CastAction, Pass, Resolve
from reference_engine.language.cards import (
    Activated,
    Beginning,
    Counters,
    Damage,
    Enters,
    Everyone,
    Exile,
    GainLife,
    Later,
    OwnerOf,
    Put,
    PutCounters,
    Sacrifice,
    The,
    This,
    Triggered,
)

BLINK = spell(
    "Blink",
    Exile(TARGET, name="gone"),
    Put(The("gone"), "battlefield", OwnerOf(The("gone"))),
    targets=(CREATURE,),
)
"""A creature leaves and is back at once."""
OX = creature("Ox", 2, 4)
SHOT = spell("Shot", Damage(2, TARGET), targets=(CREATURE,))


# -------------------------------------------------------------------------------------- the new object


@sort("casting", "steps", "targets", "anthems")
def aimed_at(draw: DrawFn, there: Round) -> Tale:
    """A spell is aimed at a creature, and in response the creature leaves and comes back, or does not."""
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    card, away = draw(st.sampled_from((SHOT, MURDER, GROWTH))), draw(st.sampled_from((True, True, False)))
    hand = [HeldCard("spell", card), *[HeldCard("blink", BLINK)] * away]
    tale = Tale(table(held_by(there, {player: hand}), [Permanent("ox", OX, owner)], there.sides[0]))
    for held in hand:
        tale.do(CastAction(held.id, player, targets=(("ox",),)))
    tale.do(*[Pass("everyone")] * len(hand))
    because = "CR 608.2b: its target is gone, and what came back is another object (CR 400.7)"
    hit = not away
    tale.see("ox", "zone", "graveyard" if hit and card == MURDER else "battlefield", because)
    if card != MURDER:
        tale.see("ox", "damage", 2 if hit and card == SHOT else 0, because)
        tale.see("ox", "power", 4 if hit and card == GROWTH else 2, because)
    return tale


@sort("casting", "steps", "targets", "anthems")
def changed_before(draw: DrawFn, there: Round) -> Tale:
    """A creature that was damaged or made bigger leaves and comes back."""
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    hand = [HeldCard("spell", draw(st.sampled_from((SHOT, GROWTH)))), HeldCard("blink", BLINK)]
    tale = Tale(table(held_by(there, {player: hand}), [Permanent("ox", OX, owner)], there.sides[0]))
    for held in hand:
        tale.do(CastAction(held.id, player, targets=(("ox",),)), Pass("everyone"))
    because = "CR 400.7: what comes back has no memory of what it was"
    tale.see("ox", "damage", 0, because)
    tale.see("ox", "power", 2, because)
    return tale


@law_of(aimed_at, changed_before, rules=("400.7", "608.2b"), needs=("casting", "steps", "targets", "anthems"))
def what_comes_back_is_no_target_any_more() -> None:
    """A spell or effect on a creature does nothing to it after it has left and come back, because it is a new
    object.
    """


@sort("casting", "steps", "targets", "triggers", "counters")
def its_own_trigger(draw: DrawFn, there: Round) -> Tale:
    """A creature that gets counters by what triggers as it enters leaves and comes back in response."""
    player, n = there.players[0], draw(st.integers(1, 3))
    grow = Triggered(Enters(), (PutCounters((Counters("+1/+1", n),), This()),), name="grow")
    sprout = creature("Sprout", 1, 1, grow)
    hand = [HeldCard("sprout", sprout), HeldCard("blink", BLINK)]
    tale = Tale(table(held_by(there, {player: hand}), (), there.sides[0]))
    tale.do(CastAction("sprout", player), Pass("everyone"))
    tale.do(CastAction("blink", player, targets=(("sprout",),)), Pass("everyone"))
    stack = ("grow of sprout", "grow of sprout (2)")
    tale.see("table", "stack", stack, "CR 603.6a: it triggers each time it enters")
    tale.do(Pass("everyone"), Pass("everyone"))
    because = "CR 603.6: the first trigger does not find the object that it is about (CR 400.7)"
    tale.see("sprout", "power", 1 + n, because)
    return tale


@sort("casting", "steps", "targets", "triggers")
def promised_to_it(draw: DrawFn, there: Round) -> Tale:
    """A creature that is to be sacrificed as the turn ends leaves and comes back before that, or does not."""
    player, away = there.players[0], draw(st.sampled_from((True, True, False)))
    last = Later(Beginning("end", Everyone(), next=True), (Sacrifice(TARGET),), name="due")
    hand = [HeldCard("pact", spell("Pact", last, targets=(CREATURE,))), *[HeldCard("blink", BLINK)] * away]
    tale = Tale(
        table(held_by(there, {player: hand}, library=1), [Permanent("ox", OX, player)], there.sides[0]),
    )
    for held in hand:
        tale.do(CastAction(held.id, player, targets=(("ox",),)), Pass("everyone"))
    tale.do(Advance("end"), Pass("everyone"))
    because = "CR 603.7c: what left and returned is another object, which the delayed ability is not about"
    tale.see("ox", "zone", "battlefield" if away else "graveyard", because)
    return tale


@law_of(
    its_own_trigger,
    promised_to_it,
    rules=("400.7", "603.6", "603.7c"),
    needs=("casting", "steps", "targets", "triggers"),
)
def triggers_do_not_find_what_came_back() -> None:
    """A triggered ability about a permanent does nothing to it after it has left and come back, because it is
    a new object.

    It does not check abilities that refer to what another ability put somewhere.
    """


@law(rules=("400.7", "602.5b"), needs=("casting", "steps", "targets", "activated abilities"))
def what_comes_back_has_used_nothing(draw: DrawFn, there: Round) -> Tale:
    """An ability limited to once each turn may be activated again after its permanent has left and come back,
    but not before.

    A creature whose ability can be activated only once each turn leaves and comes back, or does not.
    """
    player, away = there.players[0], draw(st.sampled_from((True, True, False)))
    monk = creature("Monk", 1, 1, Activated((), (GainLife(1),), once=True, name="pray"))
    hand = [HeldCard("blink", BLINK) if away else HeldCard("calm", CALM)]
    tale = Tale(table(held_by(there, {player: hand}), [Permanent("monk", monk, player)], there.sides[0]))
    tale.do(Activate("monk", "pray", player), Resolve("pray of monk"))
    tale.do(CastAction(hand[0].id, player, targets=(("monk",),) if away else ()), Resolve(hand[0].id))
    because = "CR 400.7: what came back has not used its ability yet (CR 602.5b: once each turn)"
    tale.attempt(Activate("monk", "pray", player), "done" if away else "rejected", because)
    return tale


RETURNING: tuple[Property[Any], ...] = (
    what_comes_back_is_no_target_any_more,
    triggers_do_not_find_what_came_back,
    what_comes_back_has_used_nothing,
)

"""Laws of keyword abilities that leave something in a state: foretold, prototyped, saddled, reconfigured."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.decks import CALM, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Advance, CastAction, CostPaid, Pass, Special
from reference_engine.language.cards import (
    All,
    GainLife,
    Keyword,
    LoseLife,
    MayPlay,
    Opponents,
    Part,
    Static,
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
    if not own:
        tale.do(Pass(there.sides[0]))
    because = "CR 406.3b: only a player who may look at a face-down card can cast it"
    tale.attempt(CastAction("peek", player if own else other), "done" if own else "rejected", because)
    return tale


KEYWORD_STATES: tuple[Property[Any], ...] = (
    a_foretold_card_waits_for_a_later_turn,
    a_card_face_down_in_exile_is_for_those_who_may_look,
)

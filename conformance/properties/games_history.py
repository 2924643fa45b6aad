"""Laws of what has happened this turn (CR 608.2i), and of triggering once for several things (CR 603.2c)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.decks import BEAR, CALM, creature, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Advance, Attack, Attacker, CastAction, Pass
from reference_engine.language.cards import (
    All,
    Attacks,
    CastEvent,
    Comparison,
    Destroy,
    Dies,
    GainLife,
    GainsLife,
    Happened,
    HowOften,
    Modify,
    Nth,
    OneOrMore,
    Part,
    Static,
    This,
    Triggered,
    You,
)

YOURS = All(type=frozenset({"Creature"}), controller=You())
GRATEFUL = creature(
    "Grateful", 1, 1, Static((Part(This(), (Modify(HowOften(GainsLife()), 0),)),), Happened(GainsLife(), 3))
)
GRIM = creature("Grim", 1, 1, Static((Part(This(), (Modify(HowOften(Dies(YOURS)), 0),)),)))
SECOND = permanent("Second", Triggered(Nth(2, CastEvent()), (GainLife(5),), name="second"))
PACK = permanent("Pack", Triggered(OneOrMore(Attacks(YOURS)), (GainLife(1),), name="pack"))
RARE = permanent("Rare", Triggered(Attacks(YOURS), (GainLife(1),), triggers_once=True, name="rare"))
DUEL = permanent(
    "Duel", Triggered(Attacks(All(type=frozenset({"Creature"})), whom=You()), (GainLife(1),), name="duel")
)
RUIN = spell("Ruin", Destroy(All(type=frozenset({"Creature"}), power=Comparison("=", 2))))
CALMS = 4


@law(
    rules=("608.2i", "603.2"),
    needs=("casting", "steps", "anthems", "triggers", "what happened this turn"),
)
def what_happened_this_turn_counts_until_it_ends(draw: DrawFn, there: Round) -> Tale:
    """A question about this turn counts everything that happened since the turn began, and nothing from
    earlier turns; an ability about the second spell triggers only on that one.

    Spells that gain life, a creature that asks how much, and an ability about the second spell each turn.
    """
    player = there.players[0]
    calms = [HeldCard(f"calm{n}", CALM) for n in range(CALMS)]
    lie = [Permanent("grateful", GRATEFUL, player), Permanent("second", SECOND, player)]
    tale = Tale(table(held_by(there, {player: calms}, library=3), lie, there.sides[0]))
    gained = 0
    for cast in range(1, 1 + draw(st.integers(1, CALMS - 1))):
        tale.do(CastAction(f"calm{cast - 1}", player))
        if cast == 2:
            because = "CR 603.2: it triggers on the second spell, and on no other"
            tale.see("table", "stack", (f"calm{cast - 1}", "second of second"), because)
            tale.do(Pass("everyone"))
            gained += 5
        else:
            because = "CR 603.2: only the second spell each turn meets the trigger condition"
            tale.see("table", "stack", (f"calm{cast - 1}",), because)
        tale.do(Pass("everyone"))
        gained += 2
        because = "CR 608.2i: all life gained this turn counts, if it is 3 or more"
        tale.see("grateful", "power", 1 + (gained if gained >= 3 else 0), because)
    if draw(st.booleans()):
        tale.do(Advance("upkeep"))
        because = "CR 608.2i: that was in another turn"
        tale.see("grateful", "power", 1, because)
    return tale


@law(rules=("608.2i",), needs=("casting", "steps", "anthems", "what happened this turn"))
def what_died_this_turn_counts_as_it_was(draw: DrawFn, there: Round) -> Tale:
    """Creatures that died under a player's control count for that player, although they are cards in
    graveyards now.

    Some creatures of two players, which are destroyed together.
    """
    player, other = there.players[:2]
    mine, theirs = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    lie = [Permanent("grim", GRIM, player)]
    lie += [Permanent(f"mine{n}", BEAR, player) for n in range(mine)]
    lie += [Permanent(f"theirs{n}", BEAR, other) for n in range(theirs)]
    tale = Tale(table(held_by(there, {player: [HeldCard("ruin", RUIN)]}), lie, there.sides[0]))
    tale.do(CastAction("ruin", player), Pass("everyone"))
    because = "CR 608.2i: looking back, each was a creature that this player controlled"
    tale.see("grim", "power", 1 + mine, because)
    return tale


@law(rules=("603.2c", "603.1", "603.2"), needs=("combat", "steps", "triggers"))
def several_attackers_are_one_event_or_several(draw: DrawFn, there: Round) -> Tale:
    """An ability about one or more attackers triggers once for all of them, one that triggers only once each
    turn does so too, and one about attacking its controller triggers once for each such attacker.

    Some creatures attack one player, who has the last of these abilities.
    """
    attacker, defender = there.players[:2]
    many = draw(st.sampled_from((2, 3, 1)))
    kind = draw(st.sampled_from((PACK, PACK, RARE, DUEL)))
    owner = draw(st.sampled_from((attacker, defender))) if kind is DUEL else attacker
    bears = [f"bear{n}" for n in range(many)]
    lie = [Permanent(id, BEAR, attacker) for id in bears]
    lie.append(Permanent("listener", kind, owner))
    tale = Tale(table(held_by(there, {}), lie, there.sides[0], "beginning of combat"))
    tale.do(Pass("everyone"))
    tale.do(Attack(tuple(Attacker(id, defender) for id in bears), attacker))
    word = {PACK.name: "pack", RARE.name: "rare", DUEL.name: "duel"}[kind.name]
    times = {PACK.name: 1, RARE.name: 1, DUEL.name: many if owner == defender else 0}[kind.name]
    because = {
        PACK.name: "CR 603.2c: however many there are, it is one event",
        RARE.name: "CR 603.1: the ability itself says that it triggers only once each turn",
        DUEL.name: "CR 603.2: it triggers on creatures that attack its controller, and on no others",
    }[kind.name]
    names = [f"{word} of listener" if n == 0 else f"{word} of listener ({n + 1})" for n in range(times)]
    tale.see("table", "stack", tuple(names), because)
    return tale


HISTORY: tuple[Property[Any], ...] = (
    what_happened_this_turn_counts_until_it_ends,
    what_died_this_turn_counts_as_it_was,
    several_attackers_are_one_event_or_several,
)

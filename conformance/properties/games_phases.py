"""Laws of what is added to a turn or taken from it: phases, steps, whole turns, and the end (CR 500, 724)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import BEAR, BOLT, DUSK, PLAYER, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Advance, CastAction, Pass
from reference_engine.language.cards import (
    Draw,
    Draws,
    EndTurn,
    Everyone,
    ExtraPhase,
    ExtraPhases,
    ExtraTurn,
    GainLife,
    SkipNext,
    Triggered,
)
from reference_engine.language.words import Step

FIRST_STEP: dict[ExtraPhase, Step] = {
    "upkeep": "upkeep",
    "combat": "beginning of combat",
    "main": "postcombat main",
    "end": "end",
}
"""The first step in which players get priority, of each phase that a spell may add."""


@law(rules=("500.8", "500.10", "505.1a"), needs=("casting", "steps"))
def added_phases_come_newest_first(draw: DrawFn, there: Round) -> Tale:
    """Phases added after a phase come directly after it, the newest first, and then the turn goes on.

    One to three spells in a main phase, each of which adds a phase.
    """
    player = there.players[0]
    added: list[ExtraPhase] = draw(st.lists(st.sampled_from(tuple(FIRST_STEP)), min_size=1, max_size=3))
    hand = [
        HeldCard(f"delay{n}", spell(f"Delay of {phase.capitalize()}", ExtraPhases((phase,))))
        for n, phase in enumerate(added)
    ]
    tale = Tale(table(held_by(there, {player: hand}, library=2), (), there.sides[0]))
    for held in hand:
        tale.do(CastAction(held.id, player), Pass("everyone"))
    tale.do(Pass("everyone"))
    because = "CR 500.8: the phase that was added last comes first"
    for phase in reversed(added):
        tale.see("table", "step", FIRST_STEP[phase], because)
        tale.see("table", "active", there.sides[0], because)
        tale.do(*[Pass("everyone")] * (3 if phase == "combat" else 1))
    tale.see("table", "step", "beginning of combat", "CR 500.1: then the turn goes on with its own phases")
    return tale


@law(rules=("500.10a",), needs=("casting", "steps", "activated abilities"), sizes=(2, 3))
def nobody_gets_a_phase_in_anothers_turn(draw: DrawFn, there: Round) -> Tale:
    """A player who "gets" a phase gets it in that player's own turn only.

    An instant of the active player or of another.
    """
    who = draw(st.sampled_from(there.players))
    instant = spell("Moment", ExtraPhases(("main",), yours=True))
    hands = {who: [HeldCard("moment", instant)]}
    tale = Tale(table(held_by(there, hands, library=2), (), there.sides[0], "upkeep"))
    for other in there.sides[: there.players.index(who)]:
        tale.do(Pass(other))
    tale.do(CastAction("moment", who), Pass("everyone"))
    tale.do(Advance("draw"), Pass("everyone"))
    own = who == there.players[0]
    because = "CR 500.10a: " + ("it is that player's turn" if own else "it is another player's turn")
    tale.see("table", "step", "postcombat main" if own else "precombat main", because)
    return tale


@law(rules=("614.10a", "500.11"), needs=("casting", "steps", "targets"), sizes=(2, 3))
def each_effect_skips_one_turn(draw: DrawFn, there: Round) -> Tale:
    """A player who is told once or twice to skip the next turn skips that many, and no more.

    Spells of the active player, who names another player.
    """
    player, times = there.players[0], draw(st.integers(1, 2))
    whom = draw(st.sampled_from(there.players[1:]))
    lull = spell("Lull", SkipNext("turn", TARGET), targets=(PLAYER,))
    hand = [HeldCard(f"lull{n}", lull) for n in range(times)]
    tale = Tale(table(held_by(there, {player: hand}, library=9), (), there.sides[0]))
    for held in hand:
        tale.do(CastAction(held.id, player, targets=((whom,),)), Pass("everyone"))
    sides = dict(zip(there.players, there.sides, strict=True))
    because = "CR 614.10a: each effect is satisfied by one turn that is skipped"
    for number in range(1, 3 * len(there.players)):
        turn = there.players[number % len(there.players)]
        skipped = turn == whom and number < times * len(there.players)
        if not skipped:
            tale.do(Advance("upkeep"))
            tale.see("table", "active", sides[turn], because)
    return tale


@law(rules=("500.7",), needs=("casting", "steps", "targets", "three players"), sizes=(3,))
def turns_go_on_after_an_extra_turn(draw: DrawFn, there: Round) -> Tale:
    """After an extra turn, the turns go on from the turn after which it came.

    A spell that gives any player an extra turn.
    """
    player, whom = there.players[0], draw(st.sampled_from(there.players))
    gift = spell("Gift", ExtraTurn(TARGET), targets=(PLAYER,))
    tale = Tale(table(held_by(there, {player: [HeldCard("gift", gift)]}, library=3), (), there.sides[0]))
    tale.do(CastAction("gift", player, targets=((whom,),)), Pass("everyone"))
    because = "CR 500.7: the extra turn is added to the order, which stays as it is"
    sides = dict(zip(there.players, there.sides, strict=True))
    for turn in (whom, there.players[1], there.players[2], there.players[0]):
        tale.do(Advance("upkeep"))
        tale.see("table", "active", sides[turn], because)
    return tale


STUDY = permanent("Study", Triggered(Draws(Everyone()), (GainLife(4, Everyone()),), name="insight"))


@law(
    rules=("724.1", "724.1a", "724.1b", "724.1d", "724.1e"),
    needs=("casting", "steps", "targets", "triggers"),
    sizes=(2,),
)
def an_ended_turn_is_over(draw: DrawFn, there: Round) -> Tale:
    """A spell that ends the turn exiles the stack and itself; no end step comes, what had just triggered is
    gone, and nothing that it says after that happens.

    It may draw a card first, for which an ability waits. Any player casts it in answer to another spell, in a
    main phase or in the end step.
    """
    player, other = there.players[:2]
    who = draw(st.sampled_from((player, other)))
    step: Step = draw(st.sampled_from(("precombat main", "end")))
    hands: dict[str, list[HeldCard]] = {player: [HeldCard("bolt", BOLT)]}
    first = (Draw(1),) if draw(st.booleans()) else ()
    halt = spell("Halt", *first, EndTurn(), GainLife(9))
    hands[who] = [*hands.get(who, ()), HeldCard("halt", halt)]
    lie = [Permanent("bear", BEAR, other), Permanent("dusk", DUSK, other)]
    lie += [Permanent("study", STUDY, draw(st.sampled_from((player, other))))] if first else []
    tale = Tale(table(held_by(there, hands, library=2), lie, there.sides[0], step))
    tale.do(CastAction("bolt", player, targets=(("bear",),)))
    tale.do(*([Pass(there.sides[0])] if who == other else []), CastAction("halt", who), Pass("everyone"))
    tale.see("halt", "zone", "exile", "CR 724.1b: what is resolving is exiled")
    tale.see("bolt", "zone", "exile", "CR 724.1b: everything on the stack is exiled")
    tale.see("bear", "zone", "battlefield", "CR 724.1b: the spell below has not resolved")
    if first:
        tale.see(other if who == player else player, "life", 20, "CR 724.1a: what had just triggered is gone")
    tale.see(who, "life", 20, "CR 724.1: the rest of the resolution does not take place")
    tale.see(other, "life", 20, "CR 724.1e: no end step begins")
    tale.see("table", "active", there.sides[1], "CR 724.1f: the turn is over")
    return tale


ADDED_AND_SKIPPED: tuple[Property[Any], ...] = (
    added_phases_come_newest_first,
    nobody_gets_a_phase_in_anothers_turn,
    each_effect_skips_one_turn,
    turns_go_on_after_an_extra_turn,
    an_ended_turn_is_over,
)
"""The laws of this module, in the order in which they are listed."""

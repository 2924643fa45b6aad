"""Laws of control of another player (CR 723)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import CALM, PLAYER, spell
from conformance.strategies.scripts import HeldCard, table
from reference_engine.language.actions import Advance, CastAction, ChooseAction, Pass
from reference_engine.language.cards import ControlPlayer, GainLife, LoseGame, May, SkipNext

DOMINATION = spell("Domination", ControlPlayer(TARGET), targets=(PLAYER,))
DELAY = spell("Delay", SkipNext("turn", TARGET), targets=(PLAYER,))
OFFER = spell("Offer", May((GainLife(5),)))
FAREWELL = spell("Farewell", LoseGame(TARGET), targets=(PLAYER,))


@law(
    rules=("723.1", "723.5", "723.8", "723.9"),
    needs=("casting", "steps", "targets", "choices", "control of players"),
)
def who_controls_a_player_decides_for_that_player(draw: DrawFn, there: Round) -> Tale:
    """Who controls a player decides on what that player does in the next turn, and for themselves as usual;
    before that turn and after it, everybody decides for themselves.

    A player controls another or themselves; the controlled player, the controlling one, or both try to act.
    """
    player, other = there.players[:2]
    oneself = draw(st.booleans())
    controlled = player if oneself else other
    wanted = draw(st.booleans())
    hands = {player: [HeldCard("domination", DOMINATION), HeldCard("own", CALM), HeldCard("last", CALM)]}
    hands[other] = [HeldCard("offer", OFFER)]
    tale = Tale(table(held_by(there, hands, library=4), [], there.sides[0]))
    tale.do(CastAction("domination", player, targets=((controlled,),)), Pass("everyone"))
    tale.see(other, "decided_by", other, "CR 723.1: it is for that player's next turn")
    tale.attempt(CastAction("own", player, decided_by=other), "rejected", "CR 723.8: she decides for herself")
    tale.attempt(CastAction("own", player, decided_by=player), "done", "CR 723.8: she decides for herself")
    tale.do(Pass("everyone"), Advance("precombat main", there.sides[1]))
    decider, another = (other, player) if oneself else (player, other)
    tale.see(other, "decided_by", decider, "CR 723.5: who controls a player makes all decisions")
    tale.attempt(CastAction("offer", other, decided_by=another), "rejected", f"CR 723.5: {decider} decides")
    tale.attempt(CastAction("offer", other, decided_by=decider), "done", f"CR 723.5: {decider} decides")
    tale.do(ChooseAction("may", other, (wanted,), "offer", decided_by=decider), Pass("everyone"))
    tale.see(other, "life", 25 if wanted else 20, "CR 723.5: also on the choices that a spell asks for")
    tale.do(Advance("upkeep"))
    for one in there.players:
        tale.see(one, "decided_by", one, "CR 723.1: the effect ended as this turn began")
    return tale


@law(
    rules=("723.1a", "723.1b", "800.4a"),
    needs=("casting", "steps", "targets", "three players", "control of players"),
    sizes=(3,),
)
def control_of_a_player_is_the_newest_that_is_left(draw: DrawFn, there: Round) -> Tale:
    """Of several effects that control a player, the newest works, in the next turn that the player takes, and
    only while its player is in the game.

    Two players make such effects, a turn may be skipped, and the newer player may leave the game.
    """
    player, other, third = there.players
    first, second = draw(st.sampled_from(((player, third), (third, player))))
    skips, leaves = draw(st.booleans()), draw(st.booleans())
    hands = {
        first: [HeldCard("first", DOMINATION)],
        second: [HeldCard("second", DOMINATION)],
        other: [HeldCard("farewell", FAREWELL)],
    }
    hands[player].append(HeldCard("delay", DELAY))
    tale = Tale(table(held_by(there, hands, library=5), [], there.sides[0]))
    for card, caster in (("first", first), ("second", second)):
        tale.do(*((Pass(player), Pass(other)) if caster == third else ()))
        tale.do(CastAction(card, caster, targets=((other,),)), Pass("everyone"))
    if skips:
        tale.do(CastAction("delay", player, targets=((other,),)), Pass("everyone"), Advance("upkeep"))
        tale.see(other, "decided_by", other, "CR 723.1b: the effect waits while a turn is skipped")
    tale.do(Advance("precombat main", other))
    tale.see(other, "decided_by", second, "CR 723.1a: the newest works, in the turn that is taken")
    if leaves:
        tale.do(CastAction("farewell", other, targets=((second,),)), Pass("everyone"))
        tale.see(other, "decided_by", other, "CR 800.4a: the departed player controls nobody")
    return tale


CONTROL_OF_PLAYERS: tuple[Property[Any], ...] = (
    who_controls_a_player_decides_for_that_player,
    control_of_a_player_is_the_newest_that_is_left,
)

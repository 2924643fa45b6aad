"""Laws of designations of players: the city's blessing (CR 702.131c), and the monarch (CR 725)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import BEAR, PINGER, PLAYER, creature, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Activate, Advance, Attack, Attacker, CastAction, Pass
from reference_engine.language.cards import (
    All,
    BecomeMonarch,
    Designated,
    Destroy,
    Enters,
    Gain,
    GainLife,
    If,
    Keyword,
    LoseGame,
    LoseLife,
    Modify,
    Part,
    Static,
    This,
    Triggered,
)

ASCEND = Keyword("ascend")
BLESSED = Designated("city's blessing")
ARTIFACT = permanent("Stone", type="Artifact")
ASCENDER = creature("Pilgrim", 1, 1, ASCEND)
CROSSING = spell("Crossing", If(BLESSED, (GainLife(5),), (LoseLife(1),)), keywords=(ASCEND,))
MARKED = creature("Watcher", 1, 1, Static((Part(This(), (Modify(2, 0),)),), BLESSED))
ALL_BROKEN = spell("Ruin", Destroy(All(type=frozenset({"Artifact"}))))
NEWS = Triggered(Enters(All(type=frozenset({"Artifact"}))), (GainLife(3),), name="news")
ANNOUNCER = creature("Herald", 2, 2, Static((Part(This(), (Gain((NEWS,)),)),), BLESSED))
CROWN = spell("Crown", BecomeMonarch(TARGET), targets=(PLAYER,))
DOWNFALL = spell("Doom", LoseGame(TARGET), targets=(PLAYER,))
NO_DESIGNATION: tuple[str, ...] = ()
THE_BLESSING = ("city's blessing",)
THE_CROWN = ("monarch",)


@law(rules=("702.131a", "702.131b", "702.131c"), needs=("casting", "steps", "anthems", "designations"))
def the_blessing_comes_with_ten_permanents_and_stays(draw: DrawFn, there: Round) -> Tale:
    """A player who controls ten permanents gets the city's blessing from a permanent with ascend at once, and
    from a spell with ascend as it resolves; and it stays for the rest of the game.

    Eight to eleven permanents of one player, with those that enter; most of them are destroyed in the end.
    """
    player, other = there.players[:2]
    by_spell = draw(st.booleans())
    total = draw(st.integers(8, 11))
    lie = [Permanent("watcher", MARKED, player)]
    lie += [Permanent(f"stone{k}", ARTIFACT, player) for k in range(total - 1 - (not by_spell))]
    card = CROSSING if by_spell else ASCENDER
    hand = [HeldCard("card", card), HeldCard("ruin", ALL_BROKEN)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    tale.do(CastAction("card", player))
    rule = "CR 702.131a" if by_spell else "CR 702.131b"
    tale.see(player, "designations", NO_DESIGNATION, f"{rule}: not as it is cast")
    tale.do(Pass("everyone"))
    blessed = total >= 10
    reached = "ten permanents are enough" if blessed else "it takes ten permanents"
    own = THE_BLESSING if blessed else NO_DESIGNATION
    tale.see(player, "designations", own, f"{rule}: {reached}")
    tale.see(other, "designations", NO_DESIGNATION, f"{rule}: only their controller gets it")
    if by_spell:
        tale.see(player, "life", 25 if blessed else 19, f"{rule}: before the rest of the spell")
    tale.do(CastAction("ruin", player), Pass("everyone"))
    tale.see(player, "designations", own, f"{rule}: for the rest of the game")
    tale.see("watcher", "power", 3 if blessed else 1, "CR 702.131c: other effects can identify it")
    return tale


@law(rules=("702.131d",), needs=("casting", "steps", "triggers", "abilities", "designations"))
def what_the_blessing_gives_triggers_at_once(draw: DrawFn, there: Round) -> Tale:
    """An ability that a permanent has because of the city's blessing triggers on the event that brings the
    blessing.

    Eight to ten permanents of one player, and one that enters.
    """
    player = there.players[0]
    total = draw(st.integers(8, 10))
    lie = [Permanent("herald", ANNOUNCER, player), Permanent("pilgrim", ASCENDER, player)]
    lie += [Permanent(f"stone{k}", ARTIFACT, player) for k in range(total - 2)]
    tale = Tale(table(held_by(there, {player: [HeldCard("last", ARTIFACT)]}), lie, there.sides[0]))
    tale.do(CastAction("last", player), Pass("everyone"))
    stack = ("news of herald",) if total >= 9 else ()
    because = "CR 702.131d: the blessing and what it changes come before the check of triggers"
    tale.see("table", "stack", stack, because)
    return tale


@law(rules=("725.1", "725.3"), needs=("casting", "steps", "targets", "designations"))
def there_is_at_most_one_monarch(draw: DrawFn, there: Round) -> Tale:
    """Nobody is the monarch until somebody becomes it, and then it is whoever became it last.

    One to three spells that make players the monarch.
    """
    player = there.players[0]
    crowned = draw(st.lists(st.sampled_from(there.players), min_size=1, max_size=3))
    hand = [HeldCard(f"crown{k}", CROWN) for k in range(len(crowned))]
    tale = Tale(table(held_by(there, {player: hand}), [], there.sides[0]))
    for other in there.players:
        tale.see(
            other, "designations", NO_DESIGNATION, "CR 725.1: there is no monarch until an effect makes one"
        )
    for k, monarch in enumerate(crowned):
        tale.do(CastAction(f"crown{k}", player, targets=((monarch,),)), Pass("everyone"))
        for other in there.players:
            own = THE_CROWN if other == monarch else NO_DESIGNATION
            tale.see(other, "designations", own, "CR 725.3: only one player is the monarch")
    return tale


@law(rules=("725.2",), needs=("casting", "steps", "targets", "combat", "activated abilities", "designations"))
def combat_damage_takes_the_crown_and_the_end_step_brings_a_card(draw: DrawFn, there: Round) -> Tale:
    """Combat damage of a creature to the monarch makes its controller the monarch, and no other damage does;
    in the end step of the monarch, that player draws a card.

    The active player or another one is the monarch, and is attacked or dealt damage by an ability; and
    another player may become the monarch before the card is drawn.
    """
    player, other = there.players[:2]
    monarch = draw(st.sampled_from((player, other)))
    fights = draw(st.booleans())
    usurped = draw(st.booleans())
    hand = [HeldCard("crown", CROWN), HeldCard("usurped", CROWN)]
    lie = [Permanent("bear", BEAR, player), Permanent("pinger", PINGER, player)]
    tale = Tale(table(held_by(there, {player: hand}, library=4), lie, there.sides[0]))
    tale.do(CastAction("crown", player, targets=((monarch,),)), Pass("everyone"))
    if fights:
        tale.do(Advance("beginning of combat"), Pass("everyone"))
        tale.do(Attack((Attacker("bear", other),), player), Advance("combat damage"))
        stack = ("deals damage of the monarch",) if monarch == other else ()
        tale.see("table", "stack", stack, "CR 725.2: a creature dealt combat damage to the monarch")
        if stack:
            tale.do(Pass("everyone"))
            monarch = player
    else:
        tale.do(Activate("pinger", "ping", player, targets=((other,),)), Pass("everyone"))
        tale.see("table", "stack", (), "CR 725.2: this was no combat damage")
    tale.see(monarch, "designations", THE_CROWN, "CR 725.2: the creature's controller is the monarch now")
    tale.do(Advance("end"))
    stack = ("end of the monarch",) if monarch == player else ()
    tale.see("table", "stack", stack, "CR 725.2: at the beginning of the monarch's end step")
    if stack:
        if usurped:
            tale.do(CastAction("usurped", player, targets=((other,),)), Pass("everyone"))
        tale.do(Pass("everyone"))
        tale.see(player, "library_size", 3, "CR 725.2: that player draws a card, whoever is the monarch now")
    return tale


@law(rules=("725.4",), needs=("casting", "steps", "targets", "designations", "three players"), sizes=(3,))
def the_crown_outlives_the_monarch(draw: DrawFn, there: Round) -> Tale:
    """If the monarch leaves the game, the active player becomes the monarch, or the next player in turn order
    if the active player is the one who leaves.

    Three players, of whom any is the monarch.
    """
    player = there.players[0]
    at = draw(st.integers(0, len(there.players) - 1))
    monarch = there.players[at]
    hand = [HeldCard("crown", CROWN), HeldCard("doom", DOWNFALL)]
    tale = Tale(table(held_by(there, {player: hand}), [], there.sides[0]))
    tale.do(CastAction("crown", player, targets=((monarch,),)), Pass("everyone"))
    tale.do(CastAction("doom", player, targets=((monarch,),)), Pass("everyone"))
    heir = player if at else there.players[1]
    because = "CR 725.4: the active player, or else the next in turn order"
    for other in there.players:
        if other != monarch:
            tale.see(other, "designations", THE_CROWN if other == heir else NO_DESIGNATION, because)
    return tale


DESIGNATED_PLAYERS: tuple[Property[Any], ...] = (
    the_blessing_comes_with_ten_permanents_and_stays,
    what_the_blessing_gives_triggers_at_once,
    there_is_at_most_one_monarch,
    combat_damage_takes_the_crown_and_the_end_step_brings_a_card,
    the_crown_outlives_the_monarch,
)

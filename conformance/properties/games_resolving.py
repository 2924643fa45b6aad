"""Laws of resolving (CR 608): spells that move themselves, simultaneous actions, objects that are gone."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.model.scenario import Has
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, sort
from conformance.strategies.cards import CREATURES, TARGET
from conformance.strategies.decks import (
    BEAR,
    FIELD,
    MARTYR,
    MURDER,
    NOPE,
    PINGER,
    PLAYER,
    THEFT,
    creature,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Activate, CastAction, ChooseAction, Pass
from reference_engine.language.cards import (
    Card,
    Damage,
    Discard,
    Enters,
    Everyone,
    GainLife,
    Instruction,
    Keyword,
    PropertyOf,
    Put,
    Sacrifice,
    This,
    Triggered,
)
from reference_engine.language.words import Zone

# ----------------------------------------------------------------------------------- the spell itself


PUT_THERE: tuple[Zone, ...] = ("hand", "library")


@law(rules=("608.2m", "608.2n"), needs=("casting", "steps"))
def a_spell_that_puts_itself_elsewhere_is_there(draw: DrawFn, there: Round) -> Tale:
    """A spell that puts itself into another zone as it resolves is there afterwards, and its other
    instructions are followed.

    A spell puts itself into another zone as it resolves, and does something before or after that.
    """
    player = there.players[0]
    zone, n = draw(st.sampled_from(PUT_THERE)), draw(st.integers(0, 2))
    goes = Put(This(), zone)
    more = (GainLife(n),) if n else ()
    effect = (goes, *more) if draw(st.booleans()) else (*more, goes)
    echo = spell("Echo", *effect)
    tale = Tale(table(held_by(there, {player: [HeldCard("echo", echo)]}), (), there.sides[0]))
    tale.do(CastAction("echo", player), Pass("everyone"))
    because = "CR 608.2n: it is put into the graveyard from the stack only, and it is there no longer"
    tale.see("echo", "zone", zone, because)
    tale.see(player, "life", 20 + n, "CR 608.2m: it goes on resolving though it has left the stack")
    return tale


@sort("casting", "steps", "targets", "copies")
def storm_left_behind(draw: DrawFn, there: Round) -> Tale:
    """A spell is countered above which an ability of its own lies on the stack."""
    player = there.players[0]
    flood = spell("Flood", GainLife(draw(st.integers(1, 3))), keywords=(Keyword("storm"),))
    hand = [HeldCard("flood", flood), HeldCard("nope", NOPE)]
    tale = Tale(table(held_by(there, {player: hand}), (), there.sides[0]))
    tale.do(CastAction("flood", player), CastAction("nope", player, targets=(("flood",),)), Pass("everyone"))
    because = "CR 701.6a: the spell is countered that was the target, and nothing else"
    tale.see("table", "stack", ("storm of flood",), because)
    tale.see("flood", "zone", "graveyard", because)
    return tale


@sort("casting", "steps", "targets", "activated abilities")
def aimed_at_an_ability(draw: DrawFn, there: Round) -> Tale:
    """What counters spells is aimed at an ability on the stack, or at a spell below it."""
    player, enemy = there.players[:2]
    at = draw(st.sampled_from(("ping of pinger", "growth")))
    hand = [HeldCard("growth", spell("Growth", GainLife(1))), HeldCard("nope", NOPE)]
    tale = Tale(table(held_by(there, {player: hand}), [Permanent("pinger", PINGER, player)], there.sides[0]))
    tale.do(CastAction("growth", player), Activate("pinger", "ping", player, ((enemy,),)))
    because = "CR 113.9: an ability on the stack is no spell"
    tale.attempt(
        CastAction("nope", player, targets=((at,),)), "done" if at == "growth" else "rejected", because
    )
    tale.see("nope", "zone", "stack" if at == "growth" else "hand", because)
    return tale


@law_of(
    aimed_at_an_ability,
    storm_left_behind,
    rules=("113.9", "701.6a"),
    needs=("casting", "steps", "targets", "activated abilities"),
)
def what_counters_spells_leaves_abilities_alone() -> None:
    """A spell that counters spells can't target an ability, and an ability stays on the stack when the spell
    it came from is countered.

    It does not check what counters abilities.
    """


# -------------------------------------------------------------------------------- several players


@law(rules=("608.2e", "101.4", "603.3b"), needs=("casting", "steps", "triggers", "choices"), sizes=(2, 3))
def what_several_players_do_happens_at_once(draw: DrawFn, there: Round) -> Tale:
    """When each player sacrifices something, everything dies simultaneously, and everybody's abilities
    trigger.

    Each player sacrifices a creature whose death triggers something, and perhaps discards a card then; one of
    them may have to choose the creature.
    """
    player, chooser = there.players[0], draw(st.sampled_from((None, *there.players)))
    discards = draw(st.booleans())
    parts: tuple[Instruction, ...] = (Sacrifice(CREATURES, Everyone()),)
    if discards:
        parts = (*parts, Discard(1, Everyone()))
    lie = [Permanent(f"heir_{who}", MARTYR, who) for who in there.players]
    hands = {who: [HeldCard(f"{card}_{who}", FIELD) for card in ("one", "other")] for who in there.players}
    hands = hands if discards else {}
    hands[player] = [HeldCard("toll", spell("Toll", *parts)), *hands.get(player, ())]
    if chooser:
        lie.append(Permanent("bear", BEAR, chooser))
    seats = held_by(there._replace(spare=False), hands, library=1)
    tale = Tale(table(seats, lie, there.sides[0]))
    if chooser:
        tale.do(ChooseAction("cards", chooser, (f"heir_{chooser}",), "toll"))
    if discards:
        tale.do(*(ChooseAction("cards", who, (f"one_{who}",), "toll") for who in there.players))
    tale.do(CastAction("toll", player), Pass("everyone"))
    because = "CR 608.2e: all choose, in turn order, and then all of it happens at once"
    for who in there.players:
        tale.see(f"heir_{who}", "zone", "graveyard", because)
    names = tuple(f"legacy of heir_{who}" for who in there.players)
    tale.see("table", "stack", Has(names), because)
    tale.see("table", "stack", names, "CR 603.3b: what triggered at once is stacked active player's first")
    return tale


# ------------------------------------------------------------------------------------ what is gone


@law(rules=("603.3a",), needs=("casting", "steps", "triggers", "targets", "control"))
def what_triggers_on_a_death_is_the_last_controllers(draw: DrawFn, there: Round) -> Tale:
    """An ability that triggers when its creature dies is controlled by the creature's last controller,
    whoever owns it.

    A creature dies that was taken over, or was not, and comes back or does something else.
    """
    player, enemy = there.players[:2]
    taken, back = draw(st.booleans()), draw(st.booleans())
    card = creature("Undying", 2, 2, Keyword("persist")) if back else MARTYR
    seats = held_by(there, {player: [HeldCard("theft", THEFT), HeldCard("murder", MURDER)]}, library=1)
    tale = Tale(table(seats, [Permanent("heir", card, enemy)], there.sides[0]))
    for id in ("theft", "murder") if taken else ("murder",):
        tale.do(CastAction(id, player, targets=(("heir",),)), Pass("everyone"))
    name = "persist of heir" if back else "legacy of heir"
    because = "CR 603.3a: who controlled it as it died controls what triggered"
    tale.see(name, "controller", player if taken else enemy, because)
    tale.do(Pass("everyone"))
    if back:
        tale.see("heir", "controller", enemy, "CR 702.79a: it returns under its owner's control")
    return tale


THROW = Triggered(Enters(), (Damage(PropertyOf("power", This()), TARGET),), (PLAYER,), name="throw")
THROWERS = tuple(creature("Thrower", power, 2, THROW, Keyword("persist")) for power in (2, 3, 4))
LOST = tuple(replace(card, abilities=(THROW,)) for card in THROWERS)


def throwing(card: Card) -> Triggered | None:
    """The ability by which a creature deals damage equal to its power as it enters, if it has one."""
    found = (one for one in card.abilities if isinstance(one, Triggered) and one.effect == THROW.effect)
    return next((one for one in found if one.when == Enters()), None)


@law(rules=("400.7", "608.2h"), needs=("casting", "steps", "triggers", "targets", "choices"), sizes=(2, 3))
def what_is_gone_is_as_it_last_was(draw: DrawFn, there: Round) -> Tale:
    """An ability that uses the power of its source uses its last known value, not that of a new object that
    came back.

    A creature that deals damage equal to its power as it enters dies in response, and may come back smaller;
    it may be a real card that does so.

    It does not check information other than power.
    """
    player, enemy = there.players[:2]
    real = tuple(card for card in there.means.real if throwing(card))
    card = draw(st.sampled_from(LOST) | st.sampled_from((*THROWERS, *real)))
    throw = throwing(card)
    assert throw is not None and isinstance(card.power, int)
    seats = held_by(there, {player: [HeldCard("thrower", card), HeldCard("murder", MURDER)]})
    tale = Tale(table(seats, (), there.sides[0]))
    name = f"{throw.name} of thrower"
    tale.do(CastAction("thrower", player), ChooseAction("targets", player, (enemy,), name), Pass("everyone"))
    tale.do(CastAction("murder", player, targets=(("thrower",),)), Pass("everyone"))
    life = 20
    if Keyword("persist") in card.abilities:
        tale.do(ChooseAction("targets", player, (enemy,), f"{name} (2)"), Pass("everyone"), Pass("everyone"))
        life -= card.power - 1
        tale.see(enemy, "life", life, "CR 608.2h: the new creature deals as much as its own power is")
    tale.do(Pass("everyone"))
    life -= card.power
    because = "CR 608.2h: what is gone deals as much as it last could, whatever came back (CR 400.7)"
    tale.see(enemy, "life", life, because)
    return tale


RESOLVING: tuple[Property[Any], ...] = (
    a_spell_that_puts_itself_elsewhere_is_there,
    what_counters_spells_leaves_abilities_alone,
    what_several_players_do_happens_at_once,
    what_triggers_on_a_death_is_the_last_controllers,
    what_is_gone_is_as_it_last_was,
)

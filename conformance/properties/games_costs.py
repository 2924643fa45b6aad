"""Laws of costs (CR 118, 601): the total cost, its payment, and what triggers meanwhile."""

from __future__ import annotations

from typing import Any, Literal

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, passes, sort
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import FIELD, MARTYR, PLAYER, TAX, YOUR_CREATURES, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Activate, CastAction, CostPaid, Pass
from reference_engine.language.cards import (
    Activated,
    All,
    AlternativeCost,
    Cost,
    Costs,
    Count,
    Damage,
    DiscardCost,
    Everyone,
    GainLife,
    Keyword,
    LifeCost,
    LoyaltyCost,
    Part,
    SacrificeCost,
    Spell,
    Static,
    This,
    UntapThis,
    X,
    You,
)

# ------------------------------------------------------------------------------- what is paid


def shrine(*cost: Cost) -> Activated:
    """An ability that costs this."""
    return Activated(cost, (GainLife(1),), name="pray")


@sort("activated abilities", sizes=(2, 3))
def life_paid(draw: DrawFn, there: Round) -> Tale:
    """A player pays life, who has more than that, just as much, or less."""
    player, price = there.players[0], draw(st.integers(2, 4))
    life = draw(st.sampled_from((20, price, price - 1)))
    seats = tuple(seat._replace(life=life) if seat.id == player else seat for seat in held_by(there, {}))
    card = permanent("Shrine", shrine(LifeCost(price)), type="Artifact")
    tale = Tale(table(seats, [Permanent("shrine", card, player)], there.sides[0]))
    able = life >= price
    because = "CR 119.4: life is paid by a player who has at least as much"
    tale.attempt(Activate("shrine", "pray", player), "done" if able else "rejected", because)
    left = life - price if able else life
    tale.see(player, "life", left, "CR 118.3b: paying life subtracts it")
    because = "CR 704.3: what a payment comes to is checked before anybody gets priority again"
    tale.see(player, "lost", not left, because)
    return tale


@sort("activated abilities", "steps")
def untapped_to_pay(draw: DrawFn, there: Round) -> Tale:
    """The untap symbol as a cost, of something tapped or untapped."""
    player, tapped = there.players[0], draw(st.sampled_from((True, False)))
    card = permanent("Wheel", shrine(UntapThis()), type="Artifact")
    tale = Tale(table(held_by(there, {}), [Permanent("wheel", card, player, tapped=tapped)], there.sides[0]))
    because = "CR 118.3: what is untapped already can't be untapped to pay"
    tale.attempt(Activate("wheel", "pray", player), "done" if tapped else "rejected", because)
    tale.see("wheel", "tapped", False, "CR 602.2b: what is to be untapped to pay is untapped then")
    return tale


@sort("activated abilities", "planeswalkers")
def loyalty_paid(draw: DrawFn, there: Round) -> Tale:
    """A planeswalker's ability costs all of its loyalty, or a part of it, or more than there is."""
    player, loyalty = there.players[0], draw(st.integers(1, 3))
    price = draw(st.sampled_from((loyalty, loyalty - 1, loyalty + 1)))
    own = Activated((LoyaltyCost(-price),), (GainLife(1),), name="pray")
    walker = replace(permanent("Walker", own, type="Planeswalker", subtypes=("Garruk",)), loyalty=loyalty)
    tale = Tale(table(held_by(there, {}), [Permanent("walker", walker, player)], there.sides[0]))
    because = "CR 606.6: loyalty that is not there can't be taken off"
    tale.attempt(Activate("walker", "pray", player), "done" if price <= loyalty else "rejected", because)
    because = "CR 704.5i: a planeswalker without loyalty is gone before anybody gets priority"
    tale.see("walker", "zone", "graveyard" if price == loyalty else "battlefield", because)
    tale.see("table", "stack", ("pray of walker",) if price <= loyalty else (), "CR 606.4: it is a cost")
    return tale


@sort("activated abilities", "payments")
def given_to_pay(draw: DrawFn, there: Round) -> Tale:
    """Something is discarded or sacrificed to pay."""
    player = there.players[0]
    kind: Literal["discard", "sacrifice"] = draw(st.sampled_from(("discard", "sacrifice")))
    cost: Cost = DiscardCost(1) if kind == "discard" else SacrificeCost(All(type=frozenset({"Land"})))
    card = permanent("Shrine", shrine(cost), type="Artifact")
    hands = {player: [HeldCard("gift", FIELD)]} if kind == "discard" else {}
    lie = [
        Permanent("shrine", card, player),
        *([Permanent("gift", FIELD, player)] if kind == "sacrifice" else []),
    ]
    tale = Tale(table(held_by(there._replace(spare=False), hands), lie, there.sides[0]))
    tale.do(Activate("shrine", "pray", player, costs=(CostPaid(kind, ("gift",)),)))
    because = "CR 602.2b: a cost is paid while the ability is activated, before it resolves"
    tale.see("gift", "zone", "graveyard", because)
    tale.see("table", "stack", ("pray of shrine",), because)
    return tale


@law_of(
    life_paid,
    untapped_to_pay,
    loyalty_paid,
    given_to_pay,
    rules=("118.3", "118.3b", "119.4", "602.2b", "606.4"),
    needs=("activated abilities",),
)
def what_is_paid_is_gone_at_once() -> None:
    """Costs other than mana are paid when an ability is activated, if possible, and their results are visible
    before anybody acts again.
    """


# ---------------------------------------------------------------------------- what triggers meanwhile


PAID_WITH = (CostPaid("sacrifice", ("heir",)),)


@sort("activated abilities", "payments", "triggers", "steps", "targets")
def heir_for_an_ability(draw: DrawFn, there: Round) -> Tale:
    """A creature whose death triggers something is sacrificed for an ability, with a target or without."""
    number = draw(st.integers(0, len(there.sides) - 1))
    player, aimed = there.players[number], draw(st.booleans())
    offer = Activated(
        (SacrificeCost(YOUR_CREATURES),),
        (Damage(1, TARGET) if aimed else GainLife(1),),
        (PLAYER,) if aimed else (),
        name="offer",
    )
    lie = [
        Permanent("altar", permanent("Altar", offer, type="Artifact"), player),
        Permanent("heir", MARTYR, player),
    ]
    tale = Tale(table(held_by(there, {}, library=1), lie, there.sides[0]))
    targets = ((player,),) if aimed else ()
    tale.do(*passes(there.sides[:number]), Activate("altar", "offer", player, targets, costs=PAID_WITH))
    return seen_above(tale, "offer of altar")


@sort("casting", "payments", "triggers", "steps", "targets")
def heir_for_a_spell(draw: DrawFn, there: Round) -> Tale:
    """A creature whose death triggers something is sacrificed for a spell, with a target or without."""
    number = draw(st.integers(0, len(there.sides) - 1))
    player, aimed = there.players[number], draw(st.booleans())
    rite = replace(
        spell("Rite"),
        abilities=(
            Spell(
                (Damage(1, TARGET) if aimed else GainLife(1),),
                (PLAYER,) if aimed else (),
                additional=(SacrificeCost(YOUR_CREATURES),),
            ),
        ),
    )
    seats = held_by(there, {player: [HeldCard("rite", rite)]}, library=1)
    tale = Tale(table(seats, [Permanent("heir", MARTYR, player)], there.sides[0]))
    targets = ((player,),) if aimed else ()
    tale.do(*passes(there.sides[:number]), CastAction("rite", player, targets, costs=PAID_WITH))
    return seen_above(tale, "rite")


def seen_above(tale: Tale, below: str) -> Tale:
    """What triggered while this was paid for lies above it, and resolves first."""
    because = (
        "CR 117.2a: what triggers while something is cast or activated waits until that is done, and is put "
        "on the stack (CR 603.3) before anybody gets priority"
    )
    tale.see("table", "stack", (below, "legacy of heir"), because)
    tale.do(Pass("everyone"))
    tale.see("table", "stack", (below,), because)
    return tale


@law_of(
    heir_for_a_spell,
    heir_for_an_ability,
    rules=("117.2a", "603.3"),
    needs=("casting", "payments", "triggers", "steps", "targets"),
)
def what_triggers_while_a_cost_is_paid_lies_above() -> None:
    """An ability that triggers while a cost is paid is put on the stack above what is paid for.

    It does not check what the spells and abilities do when they resolve.
    """


# ------------------------------------------------------------------------------- what it comes to


@law(rules=("601.2a", "601.2f"), needs=("casting", "costs"))
def a_spell_being_cast_has_left_the_hand(draw: DrawFn, there: Round) -> Tale:
    """The cost of a spell is determined when it is on the stack, so the spell does not count as a card in
    hand.

    A spell that costs less for each card in its player's hand.
    """
    player, more = there.players[0], draw(st.integers(0, 3))
    cards = All(zones=frozenset({"hand"}), of=You())
    own = Static((Part(This(), (Costs("less", "{1}", Count(cards)),)),), zones=frozenset({"stack"}))
    study = spell("Study", GainLife(1), cost="{5}{U}", keywords=(own,))
    hand = [HeldCard("study", study), *(HeldCard(f"card{n}", FIELD) for n in range(more))]
    tale = Tale(table(held_by(there._replace(spare=False), {player: hand}), (), there.sides[0]))
    tale.do(CastAction("study", player))
    because = "CR 601.2a: a spell that is being cast is on the stack, and no card in hand any more"
    tale.see("study", "paid", f"{{{5 - more}}}{{U}}", because)
    return tale


# ------------------------------------------------------------------------------------- for nothing

IN_HAND = All(zones=frozenset({"hand"}), of=You())
LEAVE = permanent("Leave", Static((Part(IN_HAND, (AlternativeCost((), "free"),)),)))
FOR_NOTHING = CostPaid("method", ("free",))


@law(rules=("701.21a", "118.3"), needs=("activated abilities",))
def nobody_pays_with_what_is_anothers(draw: DrawFn, there: Round) -> Tale:
    """A player who may activate another's ability can't pay for it by sacrificing a permanent of the other.

    An ability of a permanent of one of the players that anybody may activate, and that costs this permanent.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    crack = Activated((SacrificeCost(),), (GainLife(3),), by=Everyone(), name="crack")
    lie = [Permanent("urn", permanent("Urn", crack, type="Artifact"), owner)]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0]))
    because = "CR 701.21a: a player can't sacrifice what the player doesn't control"
    tale.attempt(Activate("urn", "crack", player), "done" if owner == player else "rejected", because)
    tale.see("urn", "zone", "graveyard" if owner == player else "battlefield", because)
    return tale


@sort("casting", "costs", "payments")
def x_for_nothing(draw: DrawFn, there: Round) -> Tale:
    """A spell with an X is cast without paying its mana cost."""
    player, x = there.players[0], draw(st.sampled_from((0, 1, 3)))
    flow = spell("Flow", GainLife(X()), cost="{X}{G}")
    tale = Tale(
        table(
            held_by(there, {player: [HeldCard("flow", flow)]}),
            [Permanent("leave", LEAVE, player)],
            there.sides[0],
        )
    )
    because = "CR 107.3b: where the mana cost is not paid, 0 is the only value of X"
    tale.attempt(CastAction("flow", player, x=x, costs=(FOR_NOTHING,)), "rejected" if x else "done", because)
    tale.see("flow", "zone", "hand" if x else "stack", because)
    return tale


@sort("casting", "costs", "payments", "lands")
def a_land_for_nothing(draw: DrawFn, there: Round) -> Tale:
    """A player who casts cards for nothing would cast a land so."""
    player, land = there.players[0], draw(st.sampled_from((True, False)))
    card = FIELD if land else spell("Calm", GainLife(2), cost="{4}{G}")
    tale = Tale(
        table(
            held_by(there, {player: [HeldCard("card", card)]}),
            [Permanent("leave", LEAVE, player)],
            there.sides[0],
        )
    )
    because = "CR 305.9: a land is played and never cast, whatever it would cost"
    tale.attempt(CastAction("card", player, costs=(FOR_NOTHING,)), "rejected" if land else "done", because)
    return tale


@sort("casting", "costs", "payments")
def dearer_for_nothing(draw: DrawFn, there: Round) -> Tale:
    """What is cast without paying its mana cost is kicked, or made dearer."""
    player, kicked, taxed = there.players[0], draw(st.booleans()), draw(st.booleans())
    gift = spell("Gift", GainLife(1), cost="{4}{G}", keywords=(Keyword("kicker", mana="{2}"),))
    lie = [Permanent("leave", LEAVE, player)]
    lie += [Permanent("tax", TAX, draw(st.sampled_from(there.players)))] * taxed
    tale = Tale(table(held_by(there, {player: [HeldCard("gift", gift)]}), lie, there.sides[0]))
    tale.do(CastAction("gift", player, costs=(FOR_NOTHING, *[CostPaid("kicked", n=1)] * kicked)))
    because = "CR 118.9d: additional costs and increases are paid with an alternative cost as well"
    tale.see("gift", "paid", f"{{{2 * kicked + taxed}}}", because)
    return tale


@law_of(
    dearer_for_nothing,
    x_for_nothing,
    a_land_for_nothing,
    rules=("107.3b", "118.9d", "305.9"),
    needs=("casting", "costs", "payments"),
)
def what_is_cast_for_nothing_is_cast_like_any_other() -> None:
    """A spell cast without paying its mana cost still has its additional costs, its X is 0, and a land can't
    be cast.
    """


COSTS: tuple[Property[Any], ...] = (
    what_is_paid_is_gone_at_once,
    what_triggers_while_a_cost_is_paid_lies_above,
    nobody_pays_with_what_is_anothers,
    a_spell_being_cast_has_left_the_hand,
    what_is_cast_for_nothing_is_cast_like_any_other,
)

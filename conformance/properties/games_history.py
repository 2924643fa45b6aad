"""Laws of what has happened this turn (CR 608.2i), and of triggering once for several things (CR 603.2c)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, sort
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import BEAR, CALM, CREATURE, creature, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    Activate,
    Advance,
    Attack,
    Attacker,
    Block,
    Blocker,
    CastAction,
    ChooseAction,
    CostPaid,
    Pass,
    Settle,
)
from reference_engine.language.cards import (
    Activated,
    All,
    Attacks,
    AttacksUnblocked,
    Card,
    CastEvent,
    Comparison,
    Cycles,
    Damage,
    DealsDamage,
    Destroy,
    Dies,
    DiscardCost,
    Everyone,
    Filter,
    GainLife,
    GainsLife,
    Happened,
    HowOften,
    IsDealtDamage,
    Keyword,
    LosesLife,
    Modify,
    Nth,
    OneOrMore,
    Part,
    Static,
    ThatMuch,
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


def hurt_giant(combat: bool) -> Card:
    """A large creature whose controller gains the life that it is dealt as damage, or as combat damage."""
    hurt = Triggered(IsDealtDamage(combat=combat), (GainLife(ThatMuch()),), name="hurt")
    return creature("Giant", 0, 9, hurt)


@sort("combat", "steps", "triggers")
def struck_by_blockers(draw: DrawFn, there: Round) -> Tale:
    """A creature attacks, and some creatures block it."""
    player, enemy = there.players[:2]
    many = draw(st.integers(1, 3))
    bears = [f"bear{n}" for n in range(many)]
    lie = [Permanent("giant", hurt_giant(draw(st.booleans())), player)]
    lie += [Permanent(id, BEAR, enemy) for id in bears]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0], "beginning of combat"))
    tale.do(Pass("everyone"), Attack((Attacker("giant", enemy),), player), Pass("everyone"))
    tale.do(Block(tuple(Blocker(id, ("giant",)) for id in bears), enemy), Advance("combat damage"))
    because = "CR 603.2c: all of them deal damage at the same time (CR 510.2), which triggers once"
    tale.see("table", "stack", ("hurt of giant",), because)
    tale.do(Pass("everyone"))
    tale.see(player, "life", 20 + 2 * many, because)
    return tale


@law(rules=("509.3g", "509.1h"), needs=("combat", "steps", "triggers"), sizes=(2,))
def an_unblocked_attacker_is_one_that_nobody_blocks(draw: DrawFn, there: Round) -> Tale:
    """An ability about attacking and not being blocked triggers for each attacker for which no blocker was
    declared, and for no other.

    One or two attackers, each of which is blocked or not.
    """
    player, enemy = there.players
    rogues = [f"rogue{n}" for n in range(draw(st.integers(1, 2)))]
    blocked = [id for id in rogues if draw(st.booleans())]
    sneak = Triggered(AttacksUnblocked(), (GainLife(1),), name="sneak")
    lie = [Permanent(id, creature("Rogue", 2, 2, sneak), player) for id in rogues]
    lie += [Permanent(f"bear{n}", BEAR, enemy) for n in range(2)]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0], "beginning of combat"))
    tale.do(Pass("everyone"), Attack(tuple(Attacker(id, enemy) for id in rogues), player))
    tale.do(Pass("everyone"))
    unblocked = [f"sneak of {id}" for id in rogues if id not in blocked]
    if len(unblocked) > 1:
        tale.do(ChooseAction("order", player, tuple(unblocked)))
    tale.do(Block(tuple(Blocker(f"bear{id[-1]}", (id,)) for id in blocked), enemy))
    tale.do(Settle())
    because = "CR 509.3g: once for each attacker for which no creature was declared as a blocker"
    tale.see(player, "life", 20 + len(unblocked), because)
    return tale


@sort("casting", "triggers", "targets")
def struck_by_a_spell(draw: DrawFn, there: Round) -> Tale:
    """A spell deals damage to a creature."""
    player, caster = draw(st.sampled_from(there.players)), there.players[0]
    combat, n = draw(st.booleans()), draw(st.integers(1, 3))
    spark = spell("Spark", Damage(n, TARGET), targets=(CREATURE,))
    lie = [Permanent("giant", hurt_giant(combat), player)]
    tale = Tale(table(held_by(there, {caster: [HeldCard("spark", spark)]}), lie, there.sides[0]))
    tale.do(CastAction("spark", caster, targets=(("giant",),)), Pass("everyone"))
    because = "CR 603.2: it is dealt damage, but no combat damage"
    tale.see("table", "stack", () if combat else ("hurt of giant",), because)
    return tale


@law(rules=("510.2", "120.4d", "603.2"), needs=("combat", "steps", "triggers"))
def damage_at_one_time_takes_life_once(draw: DrawFn, there: Round) -> Tale:
    """A player to whom several creatures deal damage at the same time loses life once.

    Whoever has an ability about players losing life, it triggers once.
    """
    player, enemy = there.players[:2]
    bears = [f"bear{n}" for n in range(draw(st.integers(2, 3)))]
    listener = draw(st.sampled_from(there.players))
    mourn = Triggered(LosesLife(Everyone()), (GainLife(ThatMuch()),), name="mourn")
    lie = [Permanent(id, BEAR, player) for id in bears]
    lie.append(Permanent("ledger", permanent("Ledger", mourn), listener))
    tale = Tale(table(held_by(there, {}), lie, there.sides[0], "beginning of combat"))
    tale.do(Pass("everyone"), Attack(tuple(Attacker(id, enemy) for id in bears), player), Pass("everyone"))
    tale.do(Advance("combat damage"))
    because = "CR 510.2: all of them deal damage at the same time, which is one loss of life (CR 120.4d)"
    tale.see("table", "stack", ("mourn of ledger",), because)
    return tale


@law(rules=("700.1", "603.2c"), needs=("activated abilities", "triggers", "steps"))
def to_deal_damage_is_one_event(draw: DrawFn, there: Round) -> Tale:
    """An ability about dealing damage triggers once if its source damages several creatures at the same time,
    and one about dealing damage to a creature triggers once for each of them.
    """
    player, creatures = there.players[0], All(type=frozenset({"Creature"}))
    to = draw(st.sampled_from((None, None, creatures)))
    rage = Activated((), (Damage(1, creatures, by=This()),), name="rage")
    giant = creature("Giant", 0, 9, rage, Triggered(DealsDamage(to=to), (GainLife(1),), name="glee"))
    lie = [Permanent("giant", giant, player)]
    lie += [
        Permanent(f"bear{n}", BEAR, draw(st.sampled_from(there.players)))
        for n in range(draw(st.integers(1, 2)))
    ]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0]))
    tale.do(Activate("giant", "rage", player), Pass("everyone"))
    because = "CR 700.1: dealing damage is one event, however many are dealt it"
    times = 1
    if to is not None:
        because, times = "CR 700.1: dealing damage to a creature is one event for each creature", len(lie)
    names = ["glee of giant", *[f"glee of giant ({n + 1})" for n in range(1, times)]]
    tale.see("table", "stack", tuple(names), because)
    return tale


@law_of(
    struck_by_blockers,
    struck_by_a_spell,
    rules=("603.2c", "510.2", "603.2"),
    needs=("combat", "steps", "triggers", "casting", "targets"),
)
def damage_at_one_time_triggers_once() -> None:
    """An ability about being dealt damage triggers once for all damage dealt at the same time, and one about
    combat damage on no other damage.
    """


@law(rules=("702.29c", "702.29e", "702.29f"), needs=("activated abilities", "triggers", "payments"))
def what_is_cycled_is_more_than_discarded(draw: DrawFn, there: Round) -> Tale:
    """An ability about a card being cycled triggers if it was discarded to pay for its cycling or typecycling
    ability, and not if it was discarded for anything else.

    The ability is that of the card itself or of a permanent.

    It does not check what the cycling ability does.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    itself, cycles = draw(st.booleans()), draw(st.sampled_from((True, True, False)))
    what = draw(st.sampled_from((None, Filter(subtype=frozenset({"Forest"})))))
    horn = Triggered(Cycles(You(), Filter(same_as=This())), (GainLife(1),), name="horn")
    tusk = creature("Tusk", 3, 3, Keyword("cycling", "{1}", what=what), *[horn] * itself)
    drift = permanent("Drift", Triggered(Cycles(Everyone()), (GainLife(1),), name="drift"))
    toll = permanent("Toll", Activated((DiscardCost(1),), (GainLife(1),), name="toll"), type="Artifact")
    lie = [Permanent("toll", toll, player), *[Permanent("drift", drift, owner)] * (not itself)]
    tale = Tale(table(held_by(there, {player: [HeldCard("tusk", tusk)]}, library=2), lie, there.sides[0]))
    if cycles:
        tale.do(Activate("tusk", "cycling", player))
        because = "CR 702.29c: it was cycled as the cost was paid"
        if what is not None:
            because = "CR 702.29f: typecycling is cycling"
        listening = "horn of tusk" if itself else "drift of drift"
        tale.see("table", "stack", ("cycling of tusk", listening), because)
    else:
        tale.do(Activate("toll", "toll", player, costs=(CostPaid("discard", ("tusk",)),)))
        tale.see("table", "stack", ("toll of toll",), "CR 702.29c: this is no cost of a cycling ability")
    tale.see("tusk", "zone", "graveyard", "CR 702.29a: it is discarded")
    return tale


HISTORY: tuple[Property[Any], ...] = (
    what_happened_this_turn_counts_until_it_ends,
    what_died_this_turn_counts_as_it_was,
    several_attackers_are_one_event_or_several,
    damage_at_one_time_triggers_once,
    damage_at_one_time_takes_life_once,
    to_deal_damage_is_one_event,
    an_unblocked_attacker_is_one_that_nobody_blocks,
    what_is_cycled_is_more_than_discarded,
)

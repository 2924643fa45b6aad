"""Laws of how many, how often and which: mana with terms, either of two costs, counters, chance, doubling."""

from __future__ import annotations

from typing import Any, Literal

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.model.scenario import SeenCounters
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, sort
from conformance.strategies.cards import CREATURES, TARGET
from conformance.strategies.decks import (
    BEAR,
    CREATURE,
    FIELD,
    MURDER,
    NOPE,
    YOUR_CREATURES,
    creature,
    permanent,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    Activate,
    CastAction,
    ChooseAction,
    CostPaid,
    Pass,
    Pay,
    PayStep,
    Share,
)
from reference_engine.language.cards import (
    Activated,
    AddMana,
    All,
    AsEnters,
    Cannot,
    Card,
    CastEvent,
    Counters,
    Dies,
    Discard,
    DiscardCost,
    Double,
    Effect,
    EitherCost,
    Filter,
    Gain,
    GainLife,
    Instruction,
    Keyword,
    Later,
    LifeCost,
    LoseLife,
    ManaCost,
    ManaRider,
    Modify,
    MoveCounters,
    Opponents,
    Part,
    PutCounters,
    PutSameCounters,
    SacrificeCost,
    Spell,
    Spending,
    Static,
    TapThis,
    TargetSpec,
    This,
    Triggered,
    You,
)
from reference_engine.language.words import CardType, CounterKind

# ---------------------------------------------------------------------------------- mana with terms

KINDS: tuple[CardType, ...] = ("Creature", "Artifact", "Instant")


def of_kind(kind: CardType, cost: str) -> Card:
    """A spell of this kind."""
    match kind:
        case "Creature":
            return creature("Cub", 1, 1, cost=cost)
        case "Artifact":
            return Card("Test Bauble", frozenset({kind}), cost)
        case _:
            return spell("Gift", GainLife(1), cost=cost)


def source_of(only: Spending | None, rider: ManaRider | None = None) -> Card:
    """A land that makes a mana with these terms."""
    makes = Activated((TapThis(),), (AddMana("{G}", only=only, rider=rider),), name="mana")
    return permanent("Grove", makes, type="Land")


PAY = Pay((PayStep(activate="grove"),))


@sort("casting", "payments")
def mana_for_such_spells(draw: DrawFn, there: Round) -> Tale:
    """A spell is paid for with mana for spells of a kind, or for abilities alone."""
    player = there.players[0]
    kind, wanted = draw(st.sampled_from(KINDS)), draw(st.sampled_from((*KINDS, None)))
    such = None if wanted is None else Filter(type=frozenset({wanted}))
    only = Spending(such, None if such is not None else Filter())
    lie = [Permanent("grove", source_of(only), player)]
    hands = {player: [HeldCard("thing", of_kind(kind, "{G}"))]}
    tale = Tale(table(held_by(there, hands), lie, there.sides[0]))
    fine = kind == wanted
    because = "CR 106.6: mana is spent only on what it may be spent on"
    tale.attempt(CastAction("thing", player, pay=PAY), "done" if fine else "rejected", because)
    tale.see("table", "stack", ("thing",) if fine else (), because)
    return tale


@sort("activated abilities", "payments")
def mana_for_such_abilities(draw: DrawFn, there: Round) -> Tale:
    """An ability is paid for with mana for abilities of some sources, or for spells alone."""
    player = there.players[0]
    kind: CardType = draw(st.sampled_from(("Artifact", "Enchantment")))
    only = draw(
        st.sampled_from(
            (
                Spending(abilities=Filter(type=frozenset({"Artifact"}))),
                Spending(None, Filter()),
                Spending(Filter()),
            )
        )
    )
    price = Activated((ManaCost("{1}"),), (GainLife(1),), name="pray")
    lie = [
        Permanent("grove", source_of(only), player),
        Permanent("shrine", permanent("Shrine", price, type=kind), player),
    ]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0]))
    fine = only.abilities == Filter() or (only.abilities is not None and kind == "Artifact")
    because = "CR 106.6: mana is spent only on abilities of sources that it may be spent on"
    tale.attempt(Activate("shrine", "pray", player, pay=PAY), "done" if fine else "rejected", because)
    tale.see("table", "stack", ("pray of shrine",) if fine else (), because)
    return tale


@sort("casting", "payments", "targets", sizes=(2,))
def mana_that_protects(draw: DrawFn, there: Round) -> Tale:
    """A spell is paid for with mana that makes some spells uncounterable, and somebody would counter it."""
    player, enemy = there.players
    kind, wanted = draw(st.sampled_from(KINDS)), draw(st.sampled_from(KINDS))
    rider = ManaRider((Cannot(frozenset({"be countered"})),), Filter(type=frozenset({wanted})))
    lie = [Permanent("grove", source_of(None, rider), player)]
    hands = {player: [HeldCard("thing", of_kind(kind, "{G}"))], enemy: [HeldCard("nope", NOPE)]}
    tale = Tale(table(held_by(there, hands), lie, there.sides[0]))
    tale.do(CastAction("thing", player, pay=PAY), Pass(there.sides[0]))
    tale.do(CastAction("nope", enemy, targets=(("thing",),)), Pass("everyone"))
    because = (
        "CR 106.6: mana does what its ability says to the spell that it is spent on, if it is such a spell"
    )
    tale.see("table", "stack", ("thing",) if kind == wanted else (), because)
    return tale


@sort("casting", "payments", "abilities", "steps")
def mana_that_hurries(draw: DrawFn, there: Round) -> Tale:
    """A creature is paid for with mana that gives haste to creature spells, or to none."""
    player = there.players[0]
    wanted = draw(st.sampled_from(KINDS))
    rider = ManaRider((Gain((Keyword("haste"),)),), Filter(type=frozenset({wanted})), "end of turn")
    lie = [Permanent("grove", source_of(None, rider), player)]
    hands = {player: [HeldCard("cub", of_kind("Creature", "{G}"))]}
    tale = Tale(table(held_by(there, hands), lie, there.sides[0]))
    tale.do(CastAction("cub", player, pay=PAY), Pass("everyone"))
    because = "CR 106.6: what the mana did to the spell goes on for the creature (CR 400.7a)"
    tale.see("cub", "keywords", ("haste",) if wanted == "Creature" else (), because)
    return tale


@law_of(
    mana_for_such_spells,
    mana_for_such_abilities,
    mana_that_protects,
    mana_that_hurries,
    rules=("106.6", "400.7a"),
    needs=("casting", "payments"),
)
def mana_keeps_its_terms() -> None:
    """Mana pays only for what it may be spent on, and does to the spell what it says.

    It does not check mana that waits in the pool.
    """


# -------------------------------------------------------------------------------------- which cost


@law(rules=("601.2b",), needs=("casting", "payments", "steps"))
def either_cost_is_paid(draw: DrawFn, there: Round) -> Tale:
    """Of two additional costs, the one that is announced is paid, and nothing else.

    A player sacrifices a creature or pays life to cast a spell, or would do both.
    """
    player = there.players[0]
    either = EitherCost((SacrificeCost(YOUR_CREATURES), LifeCost(3)))
    lash = Card(
        "Test Lash", frozenset({"Instant"}), "{0}", abilities=(Spell((GainLife(1),), additional=(either,)),)
    )
    lie = [Permanent("bear", BEAR, player)]
    tale = Tale(table(held_by(there, {player: [HeldCard("lash", lash)]}), lie, there.sides[0]))
    if draw(st.booleans()):
        both = (CostPaid("additional", ("sacrifice", "life")), CostPaid("sacrifice", ("bear",)))
        because = "CR 601.2b: one of the two is announced"
        tale.attempt(CastAction("lash", player, costs=both), "rejected", because)
    given = draw(st.booleans())
    way = "sacrifice" if given else "life"
    said = (CostPaid("additional", (way,)), *([CostPaid("sacrifice", ("bear",))] if given else []))
    tale.do(CastAction("lash", player, costs=said))
    because = "CR 601.2b: the cost that was announced is paid, and the other is not"
    tale.see("bear", "zone", "graveyard" if given else "battlefield", because)
    tale.see(player, "life", 20 if given else 17, because)
    return tale


# ---------------------------------------------------------------------------------------- counters


def piles_of(counters: dict[str, int]) -> tuple[SeenCounters, ...]:
    """Counters as a look shows them."""
    return tuple(SeenCounters(kind, n) for kind, n in counters.items() if n)


@sort("activated abilities", "targets", "counters", "steps")
def moved_counters(draw: DrawFn, there: Round) -> Tale:
    """Counters are moved from a permanent onto itself or onto another one."""
    player, n, wanted = there.players[0], draw(st.integers(1, 3)), draw(st.integers(1, 3))
    kind: CounterKind = draw(st.sampled_from(("+1/+1", "+1/+1", "charge")))
    give = Activated(
        (), (MoveCounters((Counters(kind, wanted),), This(), TARGET),), (TargetSpec(what=All()),), name="give"
    )
    filled = [AsEnters(counters=(Counters("+1/+1", n),))] if n else []
    lie = [
        Permanent("cache", permanent("Cache", *filled, give, type="Artifact"), player),
        Permanent("wall", creature("Wall", 0, 4), draw(st.sampled_from(there.players))),
    ]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0]))
    to = draw(st.sampled_from(("wall", "wall", "cache")))
    tale.do(Activate("cache", "give", player, targets=((to,),)), Pass("everyone"))
    moved = min(n, wanted) if kind == "+1/+1" and to == "wall" else 0
    because = "CR 122.5: counters leave the one and reach the other, or stay where they are"
    tale.see("wall", "counters", piles_of({"+1/+1": moved}), because)
    tale.see("cache", "counters", piles_of({"+1/+1": n - moved}), because)
    return tale


@sort("casting", "targets", "counters", "triggers", "steps")
def inherited_counters(draw: DrawFn, there: Round) -> Tale:
    """A creature with counters dies, and as many are put on another one."""
    player = there.players[0]
    plus, charge = draw(st.integers(1, 3)), draw(st.integers(0, 2))
    piles = (Counters("+1/+1", plus), *([Counters("charge", charge)] if charge else []))
    artifact = TargetSpec(what=All(type=frozenset({"Artifact"})))
    heir = Triggered(Dies(), (PutSameCounters(This(), TARGET),), (artifact,), name="heir")
    lie = [
        Permanent("monk", creature("Monk", 1, 1, AsEnters(counters=piles), heir), player),
        Permanent("relic", permanent("Relic", type="Artifact"), draw(st.sampled_from(there.players))),
    ]
    tale = Tale(table(held_by(there, {player: [HeldCard("murder", MURDER)]}), lie, there.sides[0]))
    tale.do(CastAction("murder", player, targets=(("monk",),)), Pass("everyone"), Pass("everyone"))
    because = "CR 122.8: as many counters of each kind are put on it as the other one had"
    tale.see("relic", "counters", piles_of({"+1/+1": plus, "charge": charge}), because)
    return tale


@sort("casting", "targets", "counters", "steps")
def distributed_counters(draw: DrawFn, there: Round) -> Tale:
    """Counters are distributed among one or two targets."""
    player, n = there.players[0], draw(st.integers(2, 4))
    gifts = spell(
        "Gifts",
        PutCounters((Counters("+1/+1", n),), TARGET, divided=True),
        targets=(TargetSpec(what=CREATURES, least=1, most=2),),
    )
    lie = [Permanent(id, BEAR, draw(st.sampled_from(there.players))) for id in ("bear", "ogre")]
    tale = Tale(table(held_by(there, {player: [HeldCard("gifts", gifts)]}), lie, there.sides[0]))
    first = draw(st.integers(1, n - 1))
    shares = (Share("bear", first), Share("ogre", n - first))
    if draw(st.booleans()):
        none = (Share("bear", n), Share("ogre", 0))
        because = "CR 601.2d: each target gets at least one"
        tale.attempt(CastAction("gifts", player, (("bear", "ogre"),), divide=none), "rejected", because)
    tale.do(CastAction("gifts", player, (("bear", "ogre"),), divide=shares), Pass("everyone"))
    for share in shares:
        because = "CR 601.2d: each target gets as many as were announced for it"
        tale.see(share.to, "counters", piles_of({"+1/+1": share.n}), because)
    return tale


@law_of(
    moved_counters,
    inherited_counters,
    distributed_counters,
    rules=("122.5", "122.8", "601.2d"),
    needs=("casting", "counters", "steps", "targets"),
)
def counters_go_where_they_are_sent() -> None:
    """Counters are moved from one permanent to another or not at all; the counters of what left are put anew;
    and distributed counters are divided as announced.
    """


# ------------------------------------------------------------------------------- chance, twice as much


@sort("casting", "choices", "steps", sizes=(2,))
def random_discard(draw: DrawFn, there: Round) -> Tale:
    """An opponent discards a card at random, or one of their choice."""
    player, enemy = there.players
    by_chance = draw(st.sampled_from((True, False)))
    grip = spell("Grip", Discard(1, Opponents(), at_random=by_chance))
    hands = {player: [HeldCard("grip", grip)], enemy: [HeldCard("one", FIELD), HeldCard("other", BEAR)]}
    tale = Tale(table(held_by(there._replace(spare=False), hands), [], there.sides[0]))
    gone = draw(st.sampled_from(("other", "one")))
    tale.do(CastAction("grip", player))
    tale.do(ChooseAction("random" if by_chance else "cards", enemy, (gone,), "grip"), Pass("everyone"))
    because = "CR 701.9b: what is discarded is determined at random, or chosen by the player"
    for id in ("one", "other"):
        tale.see(id, "zone", "graveyard" if id == gone else "hand", because)
    return tale


@sort("activated abilities", "choices", "steps")
def random_price(draw: DrawFn, there: Round) -> Tale:
    """A card is discarded at random to pay for an ability."""
    player = there.players[0]
    shrine = permanent("Shrine", Activated((DiscardCost(1, at_random=True),), (GainLife(1),), name="pray"))
    hands = {player: [HeldCard("one", FIELD), HeldCard("other", BEAR)]}
    lie = [Permanent("shrine", shrine, player)]
    tale = Tale(table(held_by(there._replace(spare=False), hands), lie, there.sides[0]))
    gone = draw(st.sampled_from(("other", "one")))
    tale.do(ChooseAction("random", player, (gone,), "shrine"), Activate("shrine", "pray", player))
    because = "CR 701.9b: chance tells what is discarded to pay"
    for id in ("one", "other"):
        tale.see(id, "zone", "graveyard" if id == gone else "hand", because)
    return tale


@law_of(random_discard, random_price, rules=("701.9b",), needs=("casting", "choices", "steps"))
def chance_is_told_by_the_script() -> None:
    """What is discarded at random is what the script says that chance has chosen."""


DOUBLED: tuple[frozenset[Literal["power", "toughness"]], ...] = (
    frozenset({"power"}),
    frozenset({"toughness"}),
    frozenset({"power", "toughness"}),
)


@law(rules=("701.10b", "701.10c", "107.1b"), needs=("casting", "targets", "steps", "anthems"))
def doubling_adds_as_much(draw: DrawFn, there: Round) -> Tale:
    """Doubled power or toughness is as much more as the creature has, or as much less if that is negative.

    A creature's power, toughness or both are doubled, after an effect made its power smaller, or not.
    """
    player, less = there.players[0], draw(st.integers(0, 4))
    what = draw(st.sampled_from(DOUBLED))
    double = spell("Bulk", Effect(TARGET, (Double(what),), "end of turn"), targets=(CREATURE,))
    weight = permanent("Weight", Static((Part(CREATURES, (Modify(-less, 0),)),)))
    lie = [
        Permanent("bear", creature("Bear", 2, 3), draw(st.sampled_from(there.players))),
        *([Permanent("weight", weight, player)] if less else []),
    ]
    tale = Tale(table(held_by(there, {player: [HeldCard("bulk", double)]}), lie, there.sides[0]))
    tale.do(CastAction("bulk", player, targets=(("bear",),)), Pass("everyone"))
    because = "CR 701.10b: it gets as much more as it has (CR 701.10c: or less, if that is negative)"
    tale.see("bear", "power", (2 - less) * (2 if "power" in what else 1), because)
    tale.see("bear", "toughness", 3 * (2 if "toughness" in what else 1), because)
    return tale


# ------------------------------------------------------------------------------------- how often


@law(rules=("602.5b",), needs=("activated abilities", "steps"))
def abilities_are_activated_several_times_if_they_say_so(draw: DrawFn, there: Round) -> Tale:
    """An ability with a maximum number of activations each turn is activated so often, and no more."""
    player, most = there.players[0], draw(st.integers(2, 3))
    own = Activated((), (GainLife(1),), times=most, name="pray")
    tale = Tale(table(there.seats, [Permanent("sage", creature("Sage", 1, 1, own), player)], there.sides[0]))
    for number in range(most + 1):
        because = "CR 602.5b: it can be activated so often each turn"
        tale.attempt(Activate("sage", "pray", player), "done" if number < most else "rejected", because)
        if draw(st.booleans()):
            tale.do(Pass("everyone"))
    return tale


@law(rules=("603.7b",), needs=("casting", "triggers", "steps"))
def the_next_spell_is_one_spell(draw: DrawFn, there: Round) -> Tale:
    """An ability about the next spell of a kind triggers for the first such spell only.

    Spells of two kinds are cast while it waits for one of them.
    """
    player = there.players[0]
    kinds: tuple[CardType, ...] = ("Instant", "Sorcery")
    awaited = draw(st.sampled_from(kinds))
    gains: tuple[Instruction, ...] = (GainLife(10, You()),)
    echo = spell(
        "Echo", Later(CastEvent(Filter(type=frozenset({awaited}))), gains, this_turn=True), type="Sorcery"
    )
    order = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3))
    cards = [spell(f"Loss {kind}", LoseLife(1, You()), type=kind) for kind in order]
    hand = [HeldCard("echo", echo), *(HeldCard(f"spell{n}", card) for n, card in enumerate(cards))]
    tale = Tale(table(held_by(there, {player: hand}), [], there.sides[0]))
    tale.do(CastAction("echo", player), Pass("everyone"))
    life = 20
    for number, kind in enumerate(order):
        tale.do(CastAction(f"spell{number}", player))
        fires = kind == awaited and awaited not in order[:number]
        tale.do(*[Pass("everyone")] * (2 if fires else 1))
        life += 9 if fires else -1
        because = "CR 603.7b: it triggers once, for the next spell of that kind"
        tale.see(player, "life", life, because)
    return tale


AMOUNT_LAWS: tuple[Property[Any], ...] = (
    mana_keeps_its_terms,
    either_cost_is_paid,
    counters_go_where_they_are_sent,
    chance_is_told_by_the_script,
    doubling_adds_as_much,
    abilities_are_activated_several_times_if_they_say_so,
    the_next_spell_is_one_spell,
)

"""Laws of casting and resolving (CR 601, 608): costs, targets, and what is taken back."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.model.scenario import Value
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, passes, sort
from conformance.strategies.cards import CREATURES, TARGET, in_any_order
from conformance.strategies.decks import (
    BEAR,
    BOLT,
    CREATURE,
    FIELD,
    FORK,
    MURDER,
    YOUR_CREATURES,
    creature,
    creature_with_keywords,
    grows,
    permanent,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import CastAction, CostPaid, Pass, Pay, PayStep
from reference_engine.language.cards import (
    All,
    Cannot,
    Card,
    CastEvent,
    Comparison,
    Costs,
    Damage,
    Destroy,
    Effect,
    Everyone,
    Filter,
    Gain,
    GainLife,
    Keyword,
    Must,
    Part,
    PropertyOf,
    SacrificeCost,
    Spell,
    Static,
    Tap,
    TargetSpec,
    The,
    This,
    Triggered,
    X,
    You,
)
from reference_engine.language.words import ColorWord, KeywordName

# ---------------------------------------------------------------------------------------- taking back


@law(rules=("733.1", "601.2h"), needs=("casting", "payments", "activated abilities"))
def a_spell_not_paid_for_is_taken_back(draw: DrawFn, there: Round) -> Tale:
    """A spell that can't be paid for returns to where it was, and the lands tapped for it are untapped.

    A spell that somebody tries to pay for with fewer lands than it takes.
    """
    player = there.players[0]
    lands, more = draw(st.integers(1, 3)), draw(st.integers(1, 2))
    price = lands + more
    dear = spell("Dear", GainLife(1), cost=f"{{{price}}}")
    fields = [Permanent(f"land{n}", FIELD, player) for n in range(lands)]
    tale = Tale(table(held_by(there, {player: [HeldCard("dear", dear)]}), fields, turn=there.sides[0]))
    pay = Pay(tuple(PayStep(activate=land.id) for land in fields))
    because = "CR 733.1: an illegal casting is reversed: the card is back, and the lands are untapped"
    tale.attempt(
        CastAction("dear", player, pay=pay), "rejected", "CR 601.2h: a cost is paid in full or not at all"
    )
    tale.see("dear", "zone", "hand", because)
    for land in fields:
        tale.see(land.id, "tapped", False, because)
    tale.see(player, "pool", "", because)
    tale.see("table", "priority", there.sides[0], because)
    tale.do(CastAction("dear", player))
    tale.see("dear", "zone", "stack", "CR 601.2a: with enough mana it is cast")
    return tale


@law(rules=("601.2c", "601.2h", "608.2b"), needs=("casting", "payments", "targets", "steps"))
def a_target_may_be_sacrificed(draw: DrawFn, there: Round) -> Tale:
    """Targets are chosen before costs are paid: a creature can be targeted and then sacrificed for the same
    spell.

    A spell that costs a sacrifice and targets a creature, perhaps the one that is sacrificed.

    It does not check targets that are sacrificed in response.
    """
    player = there.players[0]
    same = draw(st.booleans())
    grenade = Card(
        "Test Grenade",
        frozenset({"Instant"}),
        "{0}",
        abilities=(Spell((GainLife(1),), (CREATURE,), additional=(SacrificeCost(YOUR_CREATURES),)),),
    )
    bears = [Permanent("bear", BEAR, player), Permanent("bear2", BEAR, player)]
    tale = Tale(table(held_by(there, {player: [HeldCard("grenade", grenade)]}), bears, turn=there.sides[0]))
    target = "bear" if same else "bear2"
    because = "CR 601.2c: targets are chosen before costs are paid, so what is sacrificed may be the target"
    tale.attempt(
        CastAction("grenade", player, targets=((target,),), costs=(CostPaid("sacrifice", ("bear",)),)),
        "done",
        because,
    )
    tale.see("table", "stack", ("grenade",), because)
    paid = "CR 601.2c, 601.2h: the cost is paid as the spell is cast, after its targets were chosen"
    tale.see("bear", "zone", "graveyard", paid)
    tale.do(Pass("everyone"))
    for one in there.seats:
        life = 21 if one.id == player and not same else 20
        tale.see(one.id, "life", life, "CR 608.2b: a spell whose only target is gone does nothing")
    return tale


NO_STRONGER = All(
    type=frozenset({"Creature"}), power=Comparison("<=", PropertyOf("power", The("sacrificed")))
)
FEAST = Card(
    "Test Feast",
    frozenset({"Instant"}),
    "{0}",
    abilities=(
        Spell((Destroy(TARGET),), (TargetSpec(what=NO_STRONGER),), additional=(SacrificeCost(CREATURES),)),
    ),
)


@law(rules=("601.5", "601.2c"), needs=("casting", "payments", "targets", "steps"))
def targets_may_hang_on_what_pays(draw: DrawFn, there: Round) -> Tale:
    """If the legal targets depend on the creature sacrificed for the spell, they are chosen accordingly.

    A spell that costs a sacrifice and targets a creature no stronger than what is sacrificed.

    It does not check what the spell does.
    """
    player, other = there.players[:2]
    calf, prey = creature("Calf", draw(st.integers(0, 3)), 1), creature("Prey", draw(st.integers(0, 3)), 1)
    lie = draw(in_any_order((Permanent("calf", calf, player), Permanent("prey", prey, other))))
    tale = Tale(table(held_by(there, {player: [HeldCard("feast", FEAST)]}), lie, turn=there.sides[0]))
    weak = int(prey.power or 0) <= int(calf.power or 0)
    because = "CR 601.5: while targets are chosen it may be considered what will pay for the spell"
    tale.attempt(
        CastAction("feast", player, targets=(("prey",),), costs=(CostPaid("sacrifice", ("calf",)),)),
        "done" if weak else "rejected",
        because,
    )
    tale.see("table", "stack", ("feast",) if weak else (), because)
    return tale


@law(rules=("601.2b", "601.2c"), needs=("casting", "targets"))
def targets_may_hang_on_x(draw: DrawFn, there: Round) -> Tale:
    """If the legal targets depend on X, they are chosen once X is known.

    A spell whose X says how dear a creature its target may be.

    It does not check what the spell costs.
    """
    player = there.players[0]
    dear, x = draw(st.integers(1, 3)), draw(st.integers(0, 4))
    affordable = All(type=frozenset({"Creature"}), mana_value=Comparison("<=", X()))
    grasp = spell("Grasp", Destroy(TARGET), targets=(TargetSpec(what=affordable),), cost="{X}{B}")
    prey = Permanent("prey", creature("Prey", 2, 2, cost=f"{{{dear}}}"), draw(st.sampled_from(there.players)))
    tale = Tale(table(held_by(there, {player: [HeldCard("grasp", grasp)]}), [prey], there.sides[0]))
    because = (
        "CR 601.2b: X is announced before targets are chosen (CR 601.2c), and says which of them are legal"
    )
    cast = CastAction("grasp", player, targets=(("prey",),), x=x)
    tale.attempt(cast, "done" if dear <= x else "rejected", because)
    tale.see("grasp", "zone", "stack" if dear <= x else "hand", because)
    return tale


@law(rules=("205.4e", "601.3"), needs=("casting",))
def legendary_spells_need_a_legend(draw: DrawFn, there: Round) -> Tale:
    """A legendary instant or sorcery is cast only by a player who controls a legendary creature or
    planeswalker.

    A spell that may be legendary, and a permanent that may be a legendary creature, of either player.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    great, legend, alive = draw(st.booleans()), draw(st.booleans()), draw(st.booleans())
    rite = spell("Saga", GainLife(1), cost="{W}")
    if great:
        rite = replace(rite, supertypes=frozenset({"Legendary"}))
    one = creature("Hero", 2, 2) if alive else permanent("Hall")
    if legend:
        one = replace(one, supertypes=frozenset({"Legendary"}))
    tale = Tale(
        table(
            held_by(there, {player: [HeldCard("rite", rite)]}), [Permanent("one", one, owner)], there.sides[0]
        )
    )
    fine = not great or (legend and alive and owner == player)
    because = "CR 205.4e: it takes a legendary creature or planeswalker that its player controls"
    tale.attempt(CastAction("rite", player), "done" if fine else "rejected", because)
    tale.see("rite", "zone", "stack" if fine else "hand", because)
    return tale


@sort("casting")
def forbidden_spells(draw: DrawFn, there: Round) -> Tale:
    """A spell with an X in its cost, and an effect that forbids spells of even or odd mana value."""
    caster, owner = there.players[0], draw(st.sampled_from(there.players))
    how, x, more = draw(st.sampled_from(("even", "odd"))), draw(st.integers(0, 4)), draw(st.integers(0, 2))
    parity = Filter(mana_value=Comparison("even" if how == "even" else "odd"))
    ban = permanent("Ban", Static((Part(Everyone(), (Cannot(frozenset({"cast"}), what=parity),)),)))
    rite = spell("Flow", GainLife(X()), cost="{X}" + (f"{{{more}}}" if more else ""))
    tale = Tale(
        table(
            held_by(there, {caster: [HeldCard("flow", rite)]}), [Permanent("ban", ban, owner)], there.sides[0]
        )
    )
    illegal = (x + more) % 2 == (0 if how == "even" else 1)
    because = (
        "CR 601.2e: a spell is checked once its choices are made, and taken back if it is forbidden; CR "
        "601.3a: it "
        "may be begun if a choice could make it legal"
    )
    tale.attempt(CastAction("flow", caster, x=x), "rejected" if illegal else "done", because)
    tale.see("flow", "zone", "hand" if illegal else "stack", because)
    return tale


@sort("casting", "face down", "special actions")
def forbidden_faces(draw: DrawFn, there: Round) -> Tale:
    """A creature with morph is cast face up or face down, and an effect forbids spells of a colour."""
    player, down = there.players[0], draw(st.sampled_from((True, False)))
    card = creature("Secret", 3, 3, Keyword("morph", mana="{1}"), cost="{2}{B}")
    color: ColorWord = draw(st.sampled_from(("black", "white")))
    banned = Cannot(frozenset({"cast"}), what=Filter(color=frozenset({color})))
    ban = permanent("Ban", Static((Part(Everyone(), (banned,)),)))
    owner = draw(st.sampled_from(there.players))
    tale = Tale(
        table(
            held_by(there, {player: [HeldCard("secret", card)]}),
            [Permanent("ban", ban, owner)],
            there.sides[0],
        )
    )
    fine = down or color != "black"
    because = "CR 708.4: a spell cast face down has no colour, and only that spell is judged (CR 601.2e)"
    tale.attempt(CastAction("secret", player, face_down=down), "done" if fine else "rejected", because)
    tale.see("secret", "zone", "stack" if fine else "hand", because)
    return tale


@law_of(forbidden_spells, forbidden_faces, rules=("601.2e", "601.3a", "708.4"), needs=("casting",))
def what_is_forbidden_is_not_cast() -> None:
    """Whether a spell is forbidden depends on what was announced for it: its X, and whether it is cast face
    down.

    It does not check effects that forbid a spell by its name or type.
    """


@law(rules=("708.4", "708.2a"), needs=("casting", "face down", "special actions", "steps"))
def what_is_cast_face_down_is_face_down_on_the_stack(draw: DrawFn, there: Round) -> Tale:
    """A card cast face down has none of its own characteristics, neither as a spell nor as the creature it
    becomes.

    All broken engines look at the spell as it lies there; it exists for engines that look at its card.

    A creature with morph is cast, face down or face up, and resolves.
    """
    player, down = there.players[0], draw(st.sampled_from((True, False)))
    power, toughness = draw(st.sampled_from(((3, 3), (4, 1), (1, 4))))
    card = creature("Secret", power, toughness, Keyword("morph", mana="{1}"), cost="{2}{B}")
    card = replace(card, subtypes=frozenset({"Demon"}))
    tale = Tale(table(held_by(there, {player: [HeldCard("secret", card)]}), (), there.sides[0]))
    shows: dict[str, Value] = {
        "power": power,
        "toughness": toughness,
        "subtypes": ("Demon",),
        "colors": ("black",),
    }
    if down:
        shows = {"power": 2, "toughness": 2, "subtypes": (), "colors": ()}
    tale.do(CastAction("secret", player, face_down=down))
    for zone in ("stack", "battlefield"):
        because = "CR 708.4: a card cast face down is a 2/2 and nothing more on the stack already (CR 708.2a)"
        tale.see("secret", "zone", zone, because)
        for key, value in shows.items():
            tale.see("secret", key, value, because)
        if zone == "stack":
            tale.do(Pass("everyone"))
    return tale


# ----------------------------------------------------------------------------------------------- costs


SPELLS_CAST = All(zones=frozenset({"stack"}))


def taxing(name: str, how: str, mana: str) -> Card:
    """An artifact that makes spells cost more, less, or at least an amount."""
    return permanent(
        name,
        Static((Part(SPELLS_CAST, (Costs(how, mana),)),)),  # type: ignore[arg-type]  # one of three words
        type="Artifact",
    )


def price(generic: int, pips: str) -> str:
    """A cost in symbols."""
    return (f"{{{generic}}}" if generic else "") + pips or "{0}"


def reduced_cost(generic: int, pips: str, by: str) -> tuple[int, str]:
    """A cost less this: coloured mana takes its colour first, and what is left over takes generic mana."""
    for symbol in symbols(by):
        if symbol in pips:
            pips = pips.replace(symbol, "", 1)
        else:
            generic -= int(symbol[1:-1]) if symbol[1:-1].isdigit() else 1
    return max(generic, 0), pips


def symbols(mana: str) -> list[str]:
    """The symbols of a cost."""
    return re.findall(r"{\w+}", mana)


@law(rules=("601.2f", "118.7", "118.7b", "118.7c"), needs=("casting", "costs"))
def costs_change_in_their_order(draw: DrawFn, there: Round) -> Tale:
    """Cost increases are applied before reductions, which never touch mana of other colours, and a minimum
    total comes last, whatever entered first.

    A spell with generic and coloured mana in its cost, and effects that make it cost more, less (by mana of
    any kind), or at least an amount, in any order of age.

    It does not check additional costs.
    """
    player = there.players[0]
    generic, pips = draw(st.integers(0, 3)), draw(st.sampled_from(("", "{R}", "{W}{U}")))
    more, less = draw(st.integers(0, 2)), draw(st.sampled_from(LESS))
    least = draw(st.sampled_from((0, 0, 3, 4)))
    rite = spell("Costly", GainLife(1), cost=price(generic, pips))
    kinds = [
        ("tax", "more", f"{{{more}}}" if more else ""),
        ("gift", "less", less),
        ("floor", "at least", f"{{{least}}}" if least else ""),
    ]
    changing = [
        Permanent(name, taxing(name.capitalize(), how, mana), draw(st.sampled_from(there.players)))
        for name, how, mana in draw(in_any_order(kinds))
        if mana
    ]
    tale = Tale(table(held_by(there, {player: [HeldCard("costly", rite)]}), changing, turn=there.sides[0]))
    tale.do(CastAction("costly", player))
    left, coloured = reduced_cost(generic + more, pips, less)
    left = max(left, least - len(symbols(coloured)))
    because = (
        "CR 601.2f: increases first, then reductions, of mana of a colour first and then of the generic part "
        "(CR 118.7c) down to nothing, and what sets a least total last"
    )
    tale.see("table", "stack", ("costly",), "CR 601.2a: a spell that is cast is on the stack")
    tale.see("costly", "paid", price(left, coloured), because)
    return tale


LESS = ("", "{1}", "{2}", "{3}", "{4}", "{W}", "{W}{W}", "{R}{R}")
"""By how much a spell may cost less."""


# --------------------------------------------------------------------------------------------- targets


@sort("casting", "targets")
def protected_creatures(draw: DrawFn, there: Round) -> Tale:
    """A spell aimed at a creature that can't be its target, or that can."""
    caster, owner = there.players[0], draw(st.sampled_from(there.players))
    word: KeywordName | None = draw(st.sampled_from((None, "hexproof", "shroud")))
    card = creature_with_keywords("Hidden", 2, 2, word) if word else BEAR
    illegal = word == "shroud" or (word == "hexproof" and are_opponents(there, caster, owner))
    because = (
        "CR 702.18a: what has shroud can't be the target of any spell"
        if word == "shroud"
        else "CR 702.11b: what has hexproof can't be the target of an opponent's spell"
    )
    there_too = [Permanent("prey", card, owner), Permanent("other", BEAR, owner)]
    tale = Tale(table(held_by(there, {caster: [HeldCard("murder", MURDER)]}), there_too, turn=there.sides[0]))
    tale.attempt(
        CastAction("murder", caster, targets=(("prey",),)), "rejected" if illegal else "done", because
    )
    tale.see("murder", "zone", "hand" if illegal else "stack", because)
    return tale


@sort("casting", "targets")
def hushed_creatures(draw: DrawFn, there: Round) -> Tale:
    """A spell aimed at a creature or a player, and an effect that says that creatures can't be targets."""
    caster, owner = there.players[0], draw(st.sampled_from(there.players))
    hush = permanent("Veil", Static((Part(CREATURES, (Cannot(frozenset({"be targeted"})),)),)))
    lie = [Permanent("prey", BEAR, owner), Permanent("veil", hush, draw(st.sampled_from(there.players)))]
    aimed_at = draw(st.sampled_from(("prey", owner)))
    tale = Tale(table(held_by(there, {caster: [HeldCard("bolt", BOLT)]}), lie, turn=there.sides[0]))
    because = "CR 101.2: what says that something can't be targeted wins over what says that it may be"
    illegal = aimed_at == "prey"
    tale.attempt(
        CastAction("bolt", caster, targets=((aimed_at,),)), "rejected" if illegal else "done", because
    )
    tale.see("bolt", "zone", "hand" if illegal else "stack", because)
    return tale


@sort("casting", "targets", "abilities")
def protected_players(draw: DrawFn, there: Round) -> Tale:
    """A spell aimed at a player who can't be its target, or at one who can."""
    caster, owner = there.players[0], draw(st.sampled_from(there.players[::-1]))
    aimed_at = draw(st.sampled_from((owner, *(one for one in there.players if one != owner))))
    word: KeywordName = draw(st.sampled_from(("hexproof", "shroud")))
    aegis = permanent("Aegis", Static((Part(You(), (Gain((Keyword(word),)),)),)))
    lie = [Permanent("aegis", aegis, owner)]
    tale = Tale(table(held_by(there, {caster: [HeldCard("bolt", BOLT)]}), lie, turn=there.sides[0]))
    illegal = aimed_at == owner and (word == "shroud" or are_opponents(there, caster, owner))
    because = (
        "CR 702.18a: a player with shroud can't be the target of any spell"
        if word == "shroud"
        else "CR 702.11c: a player with hexproof can't be the target of an opponent's spell"
    )
    tale.attempt(
        CastAction("bolt", caster, targets=((aimed_at,),)), "rejected" if illegal else "done", because
    )
    tale.see("bolt", "zone", "hand" if illegal else "stack", because)
    return tale


def are_opponents(there: Round, one: str, other: str) -> bool:
    """Whether two players are on different sides."""
    team = {seat.id: seat.team or seat.id for seat in there.seats}
    return team[one] != team[other]


@law_of(
    protected_creatures,
    hushed_creatures,
    protected_players,
    rules=("101.2", "601.2c", "702.11b", "702.11c", "702.18a"),
    needs=("casting", "targets"),
)
def what_cannot_be_targeted_is_not() -> None:
    """Hexproof stops opponents from targeting, shroud and "can't be the target" stop everyone; anything else
    can be targeted.

    It does not check whether targets are still legal on resolution.
    """


@law(rules=("601.2c",), needs=("casting", "targets", "steps"))
def as_many_targets_are_chosen_as_it_says(draw: DrawFn, there: Round) -> Tale:
    """A spell has as many targets as it says, no fewer and no more, and affects all of them.

    A spell that asks for a number of targets, or for up to a number, is given some number of targets.
    """
    player, most = there.players[0], draw(st.sampled_from((2, 1, 3)))
    least = draw(st.sampled_from((most, 0)))
    many = draw(st.integers(0, 3))
    lull = spell("Lull", Tap(TARGET), targets=(TargetSpec(what=CREATURES, least=least, most=most),))
    lie = [Permanent(f"bear{n}", BEAR, draw(st.sampled_from(there.players))) for n in range(3)]
    tale = Tale(table(held_by(there, {player: [HeldCard("lull", lull)]}), lie, there.sides[0]))
    because = "CR 601.2c: as many targets are chosen as the spell says"
    aimed = tuple(laid.id for laid in lie[:many])
    fine = least <= many <= most
    tale.attempt(CastAction("lull", player, targets=(aimed,)), "done" if fine else "rejected", because)
    if fine:
        tale.do(Pass("everyone"))
    for laid in lie:
        tapped = fine and laid.id in aimed
        because = "CR 601.2c: all that were chosen are its targets, and what it says is done to each of them"
        tale.see(laid.id, "tapped", tapped, because)
    return tale


FLAGBEARER = creature("Flagbearer", 1, 1, Static((Part(This(), (Must("be targeted"),)),)))


@law(rules=("601.2c",), needs=("casting", "targets"))
def what_must_be_targeted_is(draw: DrawFn, there: Round) -> Tale:
    """An opponent's spell that can target an object that must be targeted may not target others instead.

    A spell aimed past a creature that has to be targeted by opponents if it can be.

    It does not check abilities that target, only spells.
    """
    caster = there.players[0]
    owner = draw(st.sampled_from(there.players))
    aimed_at = draw(st.sampled_from(("bear", "bearer")))
    team = {seat.id: seat.team or seat.id for seat in there.seats}
    lie = [
        Permanent("bearer", FLAGBEARER, owner),
        Permanent("bear", BEAR, draw(st.sampled_from(there.players))),
    ]
    tale = Tale(table(held_by(there, {caster: [HeldCard("murder", MURDER)]}), lie, turn=there.sides[0]))
    past = aimed_at == "bear" and team[owner] != team[caster]
    because = "CR 601.2c: what an effect says must be chosen as a target if it can be is chosen"
    tale.attempt(
        CastAction("murder", caster, targets=((aimed_at,),)), "rejected" if past else "done", because
    )
    tale.see("murder", "zone", "hand" if past else "stack", because)
    return tale


SMALL = TargetSpec(what=All(type=frozenset({"Creature"}), power=Comparison("<=", 2)))
GRAB = spell("Grab", Destroy(TARGET), targets=(SMALL,))
VEIL = spell("Veil", Effect(TARGET, (Gain((Keyword("hexproof"),)),), "end of turn"), targets=(CREATURE,))
SURGE = spell("Surge", grows(1, 1), targets=(CREATURE,))
SHIELDING = spell("Prayer", grows(0, 1), targets=(CREATURE,))


@law(rules=("608.2b",), needs=("casting", "targets", "steps", "anthems", "abilities"))
def targets_are_checked_again(draw: DrawFn, there: Round) -> Tale:
    """A spell whose only target has become illegal does nothing.

    A spell that destroys a small creature, and a response after which it is no legal target, or still is.
    """
    caster = there.players[0]
    number = draw(st.integers(1, len(there.sides) - 1))
    owner = there.players[number]
    answer, illegal = draw(st.sampled_from(((SURGE, True), (VEIL, True), (SHIELDING, False))))
    hands = {caster: [HeldCard("grab", GRAB)], owner: [HeldCard("answer", answer)]}
    tale = Tale(table(held_by(there, hands), [Permanent("bear", BEAR, owner)], turn=there.sides[0]))
    tale.do(CastAction("grab", caster, targets=(("bear",),)), *passes(there.sides[:number]))
    tale.do(CastAction("answer", owner, targets=(("bear",),)), Pass("everyone"), Pass("everyone"))
    because = "CR 608.2b: targets are checked again as a spell resolves; without a legal one it does nothing"
    tale.see("bear", "zone", "battlefield" if illegal else "graveyard", because)
    tale.see("grab", "zone", "graveyard", because)
    return tale


@law(rules=("608.2b", "608.2c"), needs=("casting", "targets", "steps"))
def the_other_target_is_still_hit(draw: DrawFn, there: Round) -> Tale:
    """A spell with one illegal target still affects its other targets.

    A spell with two targets, one of which is destroyed in response.
    """
    caster = there.players[0]
    number = draw(st.integers(1, len(there.sides) - 1))
    other = there.players[number]
    n = draw(st.integers(1, 3))
    first = draw(st.booleans())
    specs = (TargetSpec(what=CREATURES, name="prey"), TargetSpec(players=Everyone(), name="victim"))
    parts = (Damage(1, The("prey")), Damage(n, The("victim")))
    bolts = spell("Bolts", *(parts if first else parts[::-1]), targets=specs if first else specs[::-1])
    targets = (("bear",), (other,)) if first else ((other,), ("bear",))
    hands = {caster: [HeldCard("bolts", bolts)], other: [HeldCard("murder", MURDER)]}
    tale = Tale(table(held_by(there, hands), [Permanent("bear", BEAR, other)], turn=there.sides[0]))
    tale.do(CastAction("bolts", caster, targets=targets), *passes(there.sides[:number]))
    tale.do(CastAction("murder", other, targets=(("bear",),)), Pass("everyone"), Pass("everyone"))
    because = "CR 608.2b: a spell does what it can to the targets that are still legal"
    tale.see("bear", "zone", "graveyard", "CR 701.8a: what is destroyed is put into its owner's graveyard")
    tale.see(other, "life", 20 - n, because)
    return tale


# ---------------------------------------------------------------------------------------------- copies


@law(rules=("707.10", "405.5"), needs=("casting", "steps", "targets", "copies"))
def a_copy_is_not_cast(draw: DrawFn, there: Round) -> Tale:
    """A copy of a spell is above it on the stack, is controlled by the player who made it, and does not
    trigger abilities that wait for a spell being cast.

    A spell that somebody copies, and abilities that trigger on casting.

    It does not check new targets for the copy.
    """
    caster = there.players[0]
    number = draw(st.integers(0, len(there.sides) - 1))
    copier, n = there.players[number], draw(st.integers(1, 3))
    gift = spell("Gift", GainLife(n))
    witness = creature(
        "Witness", 1, 1, Triggered(CastEvent(Filter(), Everyone()), (GainLife(4),), name="note")
    )
    hands = {caster: [HeldCard("gift", gift)]}
    hands[copier] = [*hands.get(copier, []), HeldCard("fork", FORK)]
    watched = draw(st.booleans())
    lie = [Permanent("witness", witness, caster)] if watched and there.means.allow("triggers") else []
    tale = Tale(table(held_by(there, hands), lie, there.sides[0]))
    tale.do(
        CastAction("gift", caster),
        *passes(there.sides[:number]),
        CastAction("fork", copier, targets=(("gift",),)),
    )
    noted = 2 if lie else 0
    tale.do(*[Pass("everyone")] * (1 + bool(lie)))
    because = (
        "CR 707.10: a copy is put on the stack above the original and is not cast, so nothing triggers on it"
    )
    above = ("note of witness",) if lie else ()
    tale.see("table", "stack", ("gift", *above, "copy of gift"), because)
    tale.do(Pass("everyone"))
    expected = {player.id: player.life for player in there.seats}
    expected[copier] += n
    if lie:
        expected[caster] += 4 * (noted - 1)
    for player, life in expected.items():
        tale.see(player, "life", life, "CR 707.10: who made the copy controls it")
    return tale


CASTING: tuple[Property[Any], ...] = (
    a_spell_not_paid_for_is_taken_back,
    a_target_may_be_sacrificed,
    targets_may_hang_on_what_pays,
    targets_may_hang_on_x,
    legendary_spells_need_a_legend,
    what_is_forbidden_is_not_cast,
    what_is_cast_face_down_is_face_down_on_the_stack,
    costs_change_in_their_order,
    what_cannot_be_targeted_is_not,
    as_many_targets_are_chosen_as_it_says,
    what_must_be_targeted_is,
    targets_are_checked_again,
    the_other_target_is_still_hit,
    a_copy_is_not_cast,
)

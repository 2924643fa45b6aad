"""Laws of what a player may do at all: lands, turning up, casting, activating, paying (CR 116, 601)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.properties.law import Property
from conformance.properties.small_boards import with_entry
from conformance.properties.tale import Round, Tale, held_by, law, law_of, passes, sort
from conformance.strategies.cards import CREATURES
from conformance.strategies.decks import BEAR, CALM, FIELD, creature, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, SeatedPlayer, table
from reference_engine.language.actions import (
    Action,
    Activate,
    CastAction,
    ChooseAction,
    CostPaid,
    Pass,
    Pay,
    PayStep,
    PlayAction,
    TurnUp,
)
from reference_engine.language.cards import (
    Activated,
    All,
    AsEnters,
    Base,
    Cannot,
    Cost,
    ExileCost,
    Gain,
    GainLife,
    Keyword,
    LandDrops,
    LandsTapFor,
    MayPlay,
    MillCost,
    Opponents,
    Option,
    Part,
    Selector,
    Spell,
    Static,
    TapThis,
    TurnFace,
    You,
)

# ------------------------------------------------------------------------------------- priority


@law(rules=("117.1", "117.3d"), needs=("casting", "steps"))
def nobody_acts_without_priority(draw: DrawFn, there: Round) -> Tale:
    """A player without priority can neither cast a spell nor pass.

    A player without priority casts a spell or passes.

    It does not check activated abilities or lands.
    """
    number = draw(st.integers(0, len(there.sides) - 1))
    other = draw(st.sampled_from([n for n in range(len(there.sides)) if n != number]))
    hands = {player: [HeldCard(f"calm_{player}", CALM)] for player in there.players}
    tale = Tale(table(held_by(there, hands), turn=there.sides[0]))
    tale.do(*passes(there.sides[:number]))
    because = "CR 117.1: only who has priority may cast spells"
    tale.attempt(CastAction(f"calm_{there.players[other]}", there.players[other]), "rejected", because)
    because = "CR 117.3d: only who has priority passes it on"
    tale.attempt(Pass(there.sides[other]), "rejected", because)
    tale.attempt(
        CastAction(f"calm_{there.players[number]}", there.players[number]), "done", "CR 117.1: who has it may"
    )
    return tale


# ------------------------------------------------------------------------------- special actions


@law(rules=("116.2a", "305.2", "305.3"), needs=("lands", "casting", "steps"))
def lands_are_played_one_a_turn_at_the_right_time(draw: DrawFn, there: Round) -> Tale:
    """A land is played in a main phase of one's own turn with an empty stack, once a turn unless an effect
    allows more.

    A land is played with something on the stack, or in another's turn, or after another land.
    """
    player, other = there.players[:2]
    more = draw(st.booleans())
    hands = {
        player: [
            HeldCard("calm", CALM),
            HeldCard("land1", FIELD),
            HeldCard("land2", FIELD),
            HeldCard("land3", FIELD),
        ],
        other: [HeldCard("theirs", FIELD)],
    }
    road = permanent("Road", Static((Part(You(), (LandDrops(1),)),)))
    tale = Tale(table(held_by(there, hands), [Permanent("road", road, player)] * more, there.sides[0]))
    stack = "CR 116.2a: a land is played only while the stack is empty (CR 305.3: and in one's own turn)"
    if draw(st.booleans()):
        tale.do(CastAction("calm", player))
        tale.attempt(PlayAction("land1", player), "rejected", stack)
        tale.do(*passes(there.sides[:1]))
        tale.attempt(PlayAction("theirs", other), "rejected", stack)
        tale.do(Pass("everyone"))
    number = "CR 305.2: one land a turn, and one more for an effect that says so"
    tale.attempt(PlayAction("land1", player), "done", number)
    tale.attempt(PlayAction("land2", player), "done" if more else "rejected", number)
    tale.attempt(PlayAction("land3", player), "rejected", number)
    return tale


@sort("face down", "special actions")
def turned_up(draw: DrawFn, there: Round) -> Tale:
    """Face-down creatures with and without morph, which their controller would turn up."""
    player = there.players[0]
    morph = draw(st.booleans())
    card = creature("Secret", 3, 3, *[Keyword("morph", mana="{1}")] * morph)
    play = with_entry(
        table(there.seats, [Permanent("secret", card, player)], there.sides[0]), "secret", face_down=True
    )
    tale = Tale(play)
    because = "CR 702.37e: a face-down permanent is turned up for its morph cost, and not at all without one"
    tale.attempt(TurnUp("secret", player), "done" if morph else "rejected", because)
    tale.see("secret", "face_down", not morph, because)
    return tale


@sort("face down", "casting", "steps")
def kept_face_down(draw: DrawFn, there: Round) -> Tale:
    """A spell turns creatures face up, of which an effect says that they can't be."""
    player = there.players[0]
    veil = permanent("Veil", Static((Part(All(face_down=True), (Cannot(frozenset({"turn face up"})),)),)))
    veiled = draw(st.booleans())
    lie = [Permanent("secret", creature("Secret", 3, 3), player), *[Permanent("veil", veil, player)] * veiled]
    unmask = spell("Unmask", TurnFace(All(type=frozenset({"Creature"})), "up"))
    play = table(held_by(there, {player: [HeldCard("unmask", unmask)]}), lie, there.sides[0])
    tale = Tale(with_entry(play, "secret", face_down=True))
    tale.do(CastAction("unmask", player), Pass("everyone"))
    because = "CR 101.2: what says that something can't be wins over what says that it is"
    tale.see("secret", "face_down", veiled, because)
    return tale


@sort("face down", "special actions", "choices", "set power and toughness")
def chosen_as_it_turns_up(draw: DrawFn, there: Round) -> Tale:
    """A creature whose controller chooses what it is while turning it up."""
    player, option = there.players[0], draw(st.sampled_from((2, 1)))
    sizes = tuple(Option((Base(*size),)) for size in ((5, 1), (1, 5)))
    own = (AsEnters(one_of=sizes, also_turned_up=True), Keyword("morph", mana="{1}"))
    card = replace(creature("Changeable", 0, 0, *own), power="*", toughness="*")
    play = table(there.seats, [Permanent("secret", card, player)], there.sides[0])
    tale = Tale(with_entry(play, "secret", face_down=True))
    tale.do(ChooseAction("option", player, (option,), "secret"), TurnUp("secret", player))
    because = "CR 708.11: what is chosen as it is turned face up is chosen while it is"
    tale.see("secret", "power", 5 if option == 1 else 1, because)
    return tale


@law_of(
    turned_up,
    kept_face_down,
    chosen_as_it_turns_up,
    rules=("702.37e", "101.2", "708.11"),
    needs=("face down", "special actions"),
)
def what_is_face_down_is_turned_up_only_as_it_may_be() -> None:
    """A face-down creature is turned up for its morph cost or by an effect, unless an effect forbids it.

    It does not check what is paid for it.
    """


# ---------------------------------------------------------------------------- casting, activating


@law(rules=("601.3",), needs=("casting",))
def cards_are_cast_from_where_it_is_allowed(draw: DrawFn, there: Round) -> Tale:
    """A card is cast from the hand, or from a zone from which an effect allows it.

    A card in a graveyard or in a hand, with or without an effect that lets it be cast.

    It does not check where the card goes afterwards.
    """
    player = there.players[0]
    grave = permanent(
        "Open Grave",
        Static(
            (
                Part(
                    You(),
                    (MayPlay(All(type=frozenset({"Creature"}), zones=frozenset({"graveyard"}), of=You())),),
                ),
            )
        ),
    )
    allowed, own = draw(st.booleans()), draw(st.booleans())
    owner = player if own else there.players[1]
    seats = tuple(
        seat._replace(graveyard=(HeldCard("bear", BEAR),)) if seat.id == owner else seat
        for seat in held_by(there, {player: [HeldCard("other", BEAR)]})
    )
    tale = Tale(table(seats, [Permanent("grave", grave, player)] * allowed, there.sides[0]))
    because = "CR 601.3: a card is cast from the hand, or from where an effect lets it be cast"
    tale.attempt(CastAction("bear", player), "done" if allowed and own else "rejected", because)
    if not (allowed and own):
        tale.attempt(CastAction("other", player), "done", because)
    return tale


@law(rules=("101.2", "601.3"), needs=("casting",))
def who_cannot_cast_spells_casts_none(draw: DrawFn, there: Round) -> Tale:
    """A player who can't cast spells casts none; other players can.

    An effect says who can't cast spells.
    """
    player = there.players[0]
    whom: Selector = You() if draw(st.booleans()) else Opponents()
    owner = draw(st.sampled_from((player, there.players[1])))
    bar = permanent("Bar", Static((Part(whom, (Cannot(frozenset({"cast"})),)),)))
    tale = Tale(
        table(
            held_by(there, {player: [HeldCard("calm", CALM)]}), [Permanent("bar", bar, owner)], there.sides[0]
        )
    )
    barred = (owner == player) == isinstance(whom, You)
    because = "CR 101.2: what forbids it wins"
    tale.attempt(CastAction("calm", player), "rejected" if barred else "done", because)
    tale.see("table", "stack", () if barred else ("calm",), because)
    return tale


def sage(*cost: Any, once: bool = False, sorcery: bool = False) -> Activated:
    """An ability that gains a life."""
    return Activated(cost, (GainLife(1),), once=once, sorcery=sorcery, name="pray")


@law(rules=("602.5b", "118.3"), needs=("activated abilities", "steps"))
def abilities_are_activated_as_often_as_they_can_be(draw: DrawFn, there: Round) -> Tale:
    """An ability is activated once each turn if it says so, and never for a cost that can't be paid.

    An ability is activated twice: one for once a turn, one that taps its source, or one that may be.
    """
    player = there.players[0]
    own, because, outcome = draw(
        st.sampled_from(
            (
                (sage(once=True), "CR 602.5b: it may be activated once each turn", "rejected"),
                (sage(TapThis()), "CR 118.3: what is tapped can't be tapped to pay", "rejected"),
                (sage(), "CR 602.2: nothing keeps it from being activated again", "done"),
            )
        )
    )
    tale = Tale(table(there.seats, [Permanent("sage", creature("Sage", 1, 1, own), player)], there.sides[0]))
    tale.do(Activate("sage", "pray", player))
    if draw(st.booleans()):
        tale.do(Pass("everyone"))
    tale.attempt(Activate("sage", "pray", player), outcome, because)
    tale.see("sage", "tapped", TapThis() in own.cost, "CR 602.2b: the cost of the first time is paid")
    return tale


@law(rules=("602.5d",), needs=("activated abilities", "casting", "steps"))
def abilities_with_a_sorcerys_timing_wait_for_it(draw: DrawFn, there: Round) -> Tale:
    """An ability with the timing of a sorcery can't be activated with something on the stack or in another
    player's turn; others can.

    An ability that is for the time of a sorcery, or not, with something on the stack, or not.

    It does not check the steps of a turn outside the main phases.
    """
    player, other = there.players[:2]
    slow, full, own = draw(st.booleans()), draw(st.booleans()), draw(st.booleans())
    lie = [
        Permanent(f"sage_{who}", creature("Sage", 1, 1, sage(sorcery=slow)), who)
        for who in (
            player,
            other,
        )
    ]
    tale = Tale(table(held_by(there, {player: [HeldCard("calm", CALM)]}), lie, there.sides[0]))
    actions: list[Action] = [CastAction("calm", player)] if full else []
    who = player if own else other
    tale.do(*actions, *passes(there.sides[: 0 if own else 1]))
    because = (
        'CR 602.5d: "only as a sorcery" is a main phase of one\'s own turn with priority and an empty stack'
        if slow
        else "CR 602.5: no restriction keeps it from being activated now"
    )
    fine = not slow or (own and not full)
    tale.attempt(Activate(f"sage_{who}", "pray", who), "done" if fine else "rejected", because)
    if not fine:
        tale.see("table", "stack", ("calm",) if full else (), because)
    return tale


@law(rules=("602.5c",), needs=("activated abilities", "abilities", "steps"))
def acquired_abilities_are_limited_each_by_itself(draw: DrawFn, there: Round) -> Tale:
    """Each of several identical granted abilities has its own limit of activations.

    Some permanents each grant the same ability, for once a turn; it is activated once too often.
    """
    player, many = there.players[0], draw(st.integers(1, 3))
    grant = Static((Part(CREATURES, (Gain((sage(once=True),)),)),))
    lie = [Permanent("bear", BEAR, player)]
    lie += [
        Permanent(f"chapel{n}", permanent("Chapel", grant), draw(st.sampled_from(there.players)))
        for n in range(many)
    ]
    tale = Tale(table(there.seats, lie, there.sides[0]))
    because = "CR 602.5c: each ability acquired from another object has a limit of its own"
    for _ in range(many):
        tale.attempt(Activate("bear", "pray", player), "done", because)
    tale.attempt(Activate("bear", "pray", player), "rejected", because)
    return tale


@law(rules=("601.2h",), needs=("casting", "payments"))
def costs_from_the_library_are_paid_last(draw: DrawFn, there: Round) -> Tale:
    """A card that is milled as a cost can't pay another cost of the same spell.

    A spell whose costs mill a card and exile one from the graveyard.
    """
    player = there.players[0]
    exile: Cost = ExileCost(All(zones=frozenset({"graveyard"})), zone="graveyard")
    mill: Cost = MillCost(1)
    costs = draw(st.sampled_from(((mill, exile), (exile, mill))))
    offer = replace(spell("Offer"), abilities=(Spell((GainLife(1),), additional=costs),))
    seats = tuple(
        SeatedPlayer(
            seat.id,
            (HeldCard("offer", offer),) if seat.id == player else (),
            tuple(HeldCard(f"{seat.id}_card{n}", BEAR) for n in range(2)),
            (HeldCard("old", BEAR),) if seat.id == player else (),
            seat.team,
        )
        for seat in there.seats
    )
    which = draw(st.sampled_from(("old", f"{player}_card0")))
    tale = Tale(table(seats, (), there.sides[0]))
    because = "CR 601.2h: what moves cards out of a library is paid last, whatever is printed first"
    cast = CastAction("offer", player, costs=(CostPaid("exile", (which,)),))
    tale.attempt(cast, "done" if which == "old" else "rejected", because)
    tale.see("table", "stack", ("offer",) if which == "old" else (), because)
    return tale


@law(rules=("605.3a", "614.6"), needs=("casting", "payments"))
def lands_pay_while_a_spell_is_cast(draw: DrawFn, there: Round) -> Tale:
    """Lands can be tapped while a spell is paid for, and produce the mana that effects say.

    A spell that is paid for with lands, which an effect may make tap for other mana.

    It does not check mana that is left over.
    """
    player, many, changed = there.players[0], draw(st.integers(1, 2)), draw(st.booleans())
    drought = permanent("Drought", Static((Part(All(type=frozenset({"Land"})), (LandsTapFor("{B}"),)),)))
    lie = [Permanent(f"land{n}", FIELD, player) for n in range(many)]
    lie += [Permanent("drought", drought, draw(st.sampled_from(there.players)))] * changed
    gift = spell("Gift", GainLife(1), cost="{B}" * many if changed else "{G}" * many)
    tale = Tale(table(held_by(there, {player: [HeldCard("gift", gift)]}), lie, there.sides[0]))
    pay = Pay(tuple(PayStep(activate=f"land{n}") for n in range(many)))
    because = (
        "CR 614.6: the land makes the mana that the effect says in place of its own"
        if changed
        else "CR 605.3a: mana abilities are activated while a spell is paid for"
    )
    tale.attempt(CastAction("gift", player, pay=pay), "done", because)
    tale.see("table", "stack", ("gift",), "CR 601.2a: what is cast is on the stack")
    tale.see("land0", "tapped", True, because)
    return tale


ALLOWED: tuple[Property[Any], ...] = (
    nobody_acts_without_priority,
    lands_are_played_one_a_turn_at_the_right_time,
    what_is_face_down_is_turned_up_only_as_it_may_be,
    cards_are_cast_from_where_it_is_allowed,
    who_cannot_cast_spells_casts_none,
    abilities_are_activated_as_often_as_they_can_be,
    acquired_abilities_are_limited_each_by_itself,
    abilities_with_a_sorcerys_timing_wait_for_it,
    costs_from_the_library_are_paid_last,
    lands_pay_while_a_spell_is_cast,
)

"""Laws of casting cards while something resolves, and of effects that let cards be played (CR 608.2g)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, passes
from conformance.strategies.decks import FIELD, creature, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, SeatedPlayer, table
from reference_engine.language.actions import (
    Activate,
    CastAction,
    ChooseAction,
    Pass,
    Pay,
    PayStep,
    PlayAction,
)
from reference_engine.language.cards import (
    Activated,
    All,
    Card,
    Cast,
    CastEvent,
    Comparison,
    CopyCard,
    Cost,
    Costs,
    DiscardCost,
    Effect,
    Everyone,
    Exile,
    Filter,
    GainLife,
    Keyword,
    LifeCost,
    ManaCost,
    May,
    MayPlay,
    Part,
    Spell,
    Static,
    The,
    Triggered,
    You,
)
from reference_engine.language.words import CardType, Zone

WITNESS = creature(
    "Witness", 1, 1, Triggered(CastEvent(Filter(), Everyone()), (GainLife(4, Everyone()),), name="note")
)


def gift(kind: CardType, cost: str = "{2}") -> Card:
    """A card to be cast: an instant or sorcery that gains 5 life, or a creature."""
    if kind == "Creature":
        return creature("Gift", 1, 1, cost=cost)
    return spell("Gift", GainLife(5), type=kind, cost=cost)


def in_zone(there: Round, player: str, zone: Zone, card: HeldCard) -> tuple[SeatedPlayer, ...]:
    """The players, with this card in one's hand or graveyard, or on top of the library."""
    plain = held_by(there, {}, library=2)
    return tuple(
        seat
        if seat.id != player
        else seat._replace(hand=(*seat.hand, card))
        if zone == "hand"
        else seat._replace(graveyard=(card,))
        if zone == "graveyard"
        else seat._replace(library=(card, *seat.library))
        for seat in plain
    )


def named_gift(zone: Zone) -> All:
    """The card in its zone; of a library only the top card."""
    return All(name="Test Gift", zones=frozenset({zone}), of=You(), top=zone == "library")


def wand(*effect: Any) -> Card:
    """An artifact whose ability does this, with nothing to pay."""
    return permanent("Wand", Activated((LifeCost(1),), effect, name="wave"), type="Artifact")


def about_to_wave(
    there: Round, seats: tuple[SeatedPlayer, ...], card: Card, number: int, *more: Permanent
) -> Tale:
    """A tale in which the player with this number is about to activate the wand's ability."""
    owner = there.players[number]
    lies = [Permanent("wand", card, owner), *more]
    tale = Tale(table(seats, lies, there.sides[0]))
    tale.do(*passes(there.sides[:number]), Activate("wand", "wave", owner))
    return tale


NEEDS = ("activated abilities", "casting", "choices", "steps")


@law(rules=("608.2g", "118.9", "601.2i"), needs=(*NEEDS, "triggers"))
def a_spell_cast_in_a_resolution_waits(draw: DrawFn, there: Round) -> Tale:
    """A spell cast while an ability resolves waits on the stack, below whatever it triggered, until the
    ability has resolved and players get priority.

    An ability lets its controller cast a card from some zone for nothing and gains a life, in anybody's turn.

    It does not check spells with targets or choices.
    """
    number = draw(st.integers(0, len(there.sides) - 1))
    owner = there.players[number]
    kind: CardType = draw(st.sampled_from(("Creature", "Instant", "Sorcery")))
    zone: Zone = draw(st.sampled_from(("hand", "graveyard", "library")))
    wanted = draw(st.booleans())
    card = wand(May((Cast(named_gift(zone), cost=()),)), GainLife(1))
    witness = draw(st.booleans())
    seats = in_zone(there, owner, zone, HeldCard("gift", gift(kind)))
    more = [Permanent("witness", WITNESS, there.players[0])] * witness
    tale = about_to_wave(there, seats, card, number, *more)
    tale.do(ChooseAction("may", owner, (wanted,), "wand"), Pass("everyone"))
    because = (
        "CR 608.2g: the spell stays on the stack, and nobody received priority while the ability resolved"
    )
    above = ("note of witness",) if witness else ()
    tale.see("table", "stack", ("gift", *above) if wanted else (), because)
    tale.see("table", "priority", there.sides[0], because)
    tale.see("gift", "zone", "stack" if wanted else zone, "CR 118.9b: who may cast it may leave it alone")
    if wanted:
        tale.see("gift", "paid", "{0}", "CR 118.9: without paying its mana cost")
        tale.see("gift", "controller", owner, "CR 601.2a: its caster controls it")
    lives = {seat.id: seat.life for seat in there.seats}
    tale.see(
        owner, "life", lives[owner], "CR 608.2g: the ability goes on resolving (a life paid, and gained)"
    )
    if wanted:
        tale.do(*[Pass("everyone")] * (1 + witness))
        gained = 5 if kind != "Creature" else 0
        noted = 4 if witness else 0
        for seat in there.seats:
            life = seat.life + noted + (gained if seat.id == owner else 0)
            tale.see(seat.id, "life", life, "CR 601.2i: abilities triggered on its casting; then it resolved")
    return tale


@law(rules=("118.9d", "601.2f", "107.3b"), needs=(*NEEDS, "costs"))
def nothing_is_paid_but_what_is_added(draw: DrawFn, there: Round) -> Tale:
    """A spell cast for another cost, or without paying its cost, costs that and any additional costs; its X
    is 0.

    An ability lets a card be cast for some cost; other things make spells cost more, or it is kicked.
    """
    owner = there.players[0]
    offers: tuple[tuple[tuple[Cost, ...], int], ...] = (
        ((), 0),
        ((ManaCost("{1}"),), 1),
        ((ManaCost("{3}"),), 3),
        ((LifeCost(2),), 0),
    )
    price, base = draw(st.sampled_from(offers))
    tax, kicked, with_x = draw(st.integers(0, 2)), draw(st.booleans()), draw(st.booleans())
    cost = "{X}{2}" if with_x else "{2}"
    blessing = spell("Gift", GainLife(5), cost=cost, keywords=(Keyword("kicker", mana="{4}"),))
    levy = permanent("Levy", Static((Part(All(zones=frozenset({"stack"})), (Costs("more", "{1}"),)),)))
    card = wand(May((Cast(named_gift("hand"), cost=price),)))
    seats = in_zone(there, owner, "hand", HeldCard("gift", blessing))
    tale = about_to_wave(there, seats, card, 0, *(Permanent(f"levy{n}", levy, owner) for n in range(tax)))
    tale.do(
        ChooseAction("may", owner, (True,), "wand"),
        ChooseAction("costs", owner, ("kicker",) if kicked else (), "gift"),
        Pass("everyone"),
    )
    total = base + tax + 4 * kicked
    tale.see(
        "gift", "paid", f"{{{total}}}", "CR 118.9d: increases and additional costs apply to another cost"
    )
    tale.see("gift", "mana_value", 2, "CR 118.9c, 107.3b: the mana cost stays as it is, and X is 0")
    paid = 3 if price == (LifeCost(2),) else 1
    life = next(seat.life for seat in there.seats if seat.id == owner) - paid
    tale.see(owner, "life", life, "CR 601.2h: all of the cost is paid")
    return tale


@law(rules=("601.3", "608.2d"), needs=NEEDS)
def only_such_a_spell_is_cast(draw: DrawFn, there: Round) -> Tale:
    """A resolving instruction lets a card be cast only if the spell is of the kind it asks for.

    An ability lets a card be cast if the spell's mana value is small enough, or some other thing happens.

    It does not check what the spell costs.
    """
    owner = there.players[0]
    value, limit = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    such = Filter(mana_value=Comparison("<=", limit))
    card = wand(May((Cast(named_gift("hand"), cost=(), such=such),), otherwise=(GainLife(7),)))
    seats = in_zone(there, owner, "hand", HeldCard("gift", gift("Sorcery", f"{{{value}}}")))
    tale = about_to_wave(there, seats, card, 0)
    able = value <= limit
    tale.do(*[ChooseAction("may", owner, (True,), "wand")] * able, Pass("everyone"))
    because = "CR 601.3: only a spell that the effect allows can be cast"
    tale.see("gift", "zone", "stack" if able else "hand", because)
    life = next(seat.life for seat in there.seats if seat.id == owner) - 1 + (0 if able else 7)
    tale.see(owner, "life", life, "CR 608.2d: what is impossible can't be chosen, so the other thing happens")
    return tale


@law(rules=("707.12", "704.5e"), needs=(*NEEDS, "triggers", "copies"))
def a_copy_of_a_card_is_cast_or_gone(draw: DrawFn, there: Round) -> Tale:
    """A copy of a card that is cast triggers abilities that wait for it, and the card stays; a copy that is
    not cast ceases to exist.

    An ability copies a card in a graveyard, and its controller may cast the copy.
    """
    number = draw(st.integers(0, len(there.sides) - 1))
    owner = there.players[number]
    wanted = draw(st.booleans())
    kind: CardType = draw(st.sampled_from(("Instant", "Sorcery")))
    card = wand(CopyCard(named_gift("graveyard")), May((Cast(The("copy"), cost=()),)))
    seats = in_zone(there, owner, "graveyard", HeldCard("gift", gift(kind)))
    tale = about_to_wave(there, seats, card, number, Permanent("witness", WITNESS, there.players[0]))
    tale.do(ChooseAction("may", owner, (wanted,), "wand"), Pass("everyone"))
    stack = ("copy of gift", "note of witness") if wanted else ()
    tale.see("table", "stack", stack, "CR 707.12: casting the copy follows the rules for casting spells")
    if wanted:
        tale.do(Pass("everyone"), Pass("everyone"))
    tale.see(owner, "graveyard", ("gift",), "CR 707.12: the copy was cast; the card itself stays")
    for seat in there.seats:
        life = seat.life - (seat.id == owner) + wanted * (4 + 5 * (seat.id == owner))
        tale.see(seat.id, "life", life, "CR 707.12: the copy resolves as a spell does")
    return tale


@law(rules=("118.8c", "608.2g"), needs=(*NEEDS, "costs"))
def nobody_has_to_show_a_card(draw: DrawFn, there: Round) -> Tale:
    """A player who has to cast a spell if able may decline if a card of some kind would have to be discarded
    for it, but not if any card would do.

    An ability makes its controller cast a card from a graveyard for nothing but the cost that is added.
    """
    owner = there.players[0]
    some_kind, wanted = draw(st.booleans()), draw(st.booleans())
    beasts = All(type=frozenset({"Creature"}), zones=frozenset({"hand"}))
    price = DiscardCost(1, beasts) if some_kind else DiscardCost(1)
    card = Card(
        "Test Gift",
        frozenset({"Sorcery"}),
        cost="{2}",
        abilities=(Spell((GainLife(5),), additional=(price,)),),
    )
    seats = tuple(
        seat._replace(hand=(*seat.hand, HeldCard("beast", creature("Beast", 3, 3))))
        if seat.id == owner
        else seat
        for seat in in_zone(there, owner, "graveyard", HeldCard("gift", card))
    )
    tale = about_to_wave(there, seats, wand(Cast(named_gift("graveyard"), cost=())), 0)
    choice = (
        ChooseAction("may", owner, (wanted,), "gift")
        if some_kind
        else ChooseAction("cards", owner, ("beast",), "gift")
    )
    tale.do(choice, Pass("everyone"))
    because = (
        "CR 118.8c: the cost needs a card of some kind from a hidden zone, so its caster may leave it alone"
        if some_kind
        else "CR 608.2g: it is cast, because any card can be discarded for it"
    )
    done = wanted or not some_kind
    tale.see("gift", "zone", "stack" if done else "graveyard", because)
    tale.see("beast", "zone", "graveyard" if done else "hand", because)
    return tale


@law(rules=("601.3", "601.1a", "118.9", "609.4b"), needs=NEEDS)
def a_card_may_be_played_as_the_effect_says(draw: DrawFn, there: Round) -> Tale:
    """An effect lets its controller play, or only cast, a card from exile for as long as it lasts, for the
    cost it requires, and with the mana it allows.

    An ability exiles the top card of a library, a land or not, and lets it be played or cast.

    It does not check times at which the card could not be played anyway.
    """
    owner = there.players[0]
    kinds = ["spell"] + ["land"] * there.means.allow("lands") + ["blue"] * there.means.allow("payments")
    kind = draw(st.sampled_from(kinds))
    land, blue = kind == "land", kind == "blue"
    only_cast, forever = draw(st.booleans()), draw(st.booleans())
    price: tuple[Cost, ...] | None = draw(st.sampled_from((None, (), (ManaCost("{1}"),))))
    top = All(zones=frozenset({"library"}), of=You(), top=True)
    exiled = All(zones=frozenset({"exile"}), same_as=The("exiled"))
    any_mana = blue and draw(st.booleans())
    permission = MayPlay(exiled, cost=None if blue else price, only_cast=only_cast, any_mana=any_mana)
    card = wand(
        Exile(top, name="exiled"),
        Effect(You(), (permission,), until="ever" if forever else "end of turn"),
    )
    treasure = HeldCard("gift", FIELD if land else gift("Instant", "{U}" if blue else "{2}"))
    more = [Permanent("field", FIELD, owner)] * blue
    tale = about_to_wave(there, in_zone(there, owner, "library", treasure), card, 0, *more)
    tale.do(Pass("everyone"))
    later = draw(st.booleans()) and not land
    if later:
        tale.do(*passes(there.sides), *passes(there.sides))
    play = PlayAction("gift", owner) if land else CastAction("gift", owner)
    if blue:
        because = "CR 609.4b: green mana pays for a blue card only if the effect says so"
        green = CastAction("gift", owner, pay=Pay((PayStep(activate="field"),)))
        tale.attempt(green, "done" if any_mana else "rejected", because)
        tale.see("gift", "zone", "stack" if any_mana else "exile", because)
        return tale
    because = "CR 601.3: an effect has to allow it, and for as long as it lasts"
    tale.attempt(play, "rejected" if land and only_cast else "done", because)
    where = "exile" if land and only_cast else "battlefield" if land else "stack"
    tale.see("gift", "zone", where, because)
    if where == "stack":
        paid = "{2}" if price is None else "{1}" if price else "{0}"
        tale.see("gift", "paid", paid, "CR 118.9: the effect says what is paid rather than its mana cost")
    return tale


CAST_WHILE_RESOLVING: tuple[Property[Any], ...] = (
    a_spell_cast_in_a_resolution_waits,
    nothing_is_paid_but_what_is_added,
    only_such_a_spell_is_cast,
    nobody_has_to_show_a_card,
    a_copy_of_a_card_is_cast_or_gone,
    a_card_may_be_played_as_the_effect_says,
)

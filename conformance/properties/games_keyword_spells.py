"""Laws of keyword abilities of spells and cards: what they cost, where they are cast from, and what comes
with them.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.model.scenario import Number
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, sort
from conformance.strategies.cards import CREATURES
from conformance.strategies.decks import (
    BEAR,
    CALM,
    FIELD,
    MURDER,
    NOPE,
    RECALL,
    creature,
    permanent,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, SeatedPlayer, table
from reference_engine.language.actions import (
    Activate,
    Advance,
    Call,
    CastAction,
    ChooseAction,
    CostPaid,
    Pass,
    Pay,
    PayStep,
    Resolve,
    Settle,
    TokenNames,
)
from reference_engine.language.cards import (
    Card,
    Filter,
    GainLife,
    Keyword,
    LoseAllAbilities,
    LoseLife,
    Mode,
    Opponents,
    Part,
    Spell,
    Static,
)

# --------------------------------------------------------------------------------- what it costs


@sort("casting")
def affinity(draw: DrawFn, there: Round) -> Tale:
    """An artifact spell costs less by the artifacts of its player; others have artifacts, too."""
    player, enemy = there.players[:2]
    yours, theirs = draw(st.integers(0, 4)), draw(st.integers(0, 2))
    relic, what = permanent("Relic", type="Artifact"), Filter(type=frozenset({"Artifact"}))
    golem = creature(
        "Golem", 2, 2, Keyword("affinity", what=what), cost="{3}{G}", types=("Artifact", "Creature")
    )
    lie = [Permanent(f"relic{n}", relic, player) for n in range(yours)]
    lie += [Permanent(f"other{n}", relic, enemy) for n in range(theirs)]
    tale = Tale(table(held_by(there, {player: [HeldCard("golem", golem)]}), lie, there.sides[0]))
    tale.do(CastAction("golem", player))
    because = "CR 702.41a: {1} less for each artifact that the player controls, and nothing of colored mana"
    tale.see("golem", "paid", f"{{{3 - yours}}}{{G}}" if yours < 3 else "{G}", because)
    return tale


@sort("casting", "payments")
def convoke(draw: DrawFn, there: Round) -> Tale:
    """Green and white creatures, which may have come this turn, are tapped for a green spell; lands pay for
    the rest, or for less.
    """
    player = there.players[0]
    greens, whites = draw(st.integers(0, 3)), draw(st.integers(0, 2))
    new = draw(st.booleans())
    choir = spell("Choir", GainLife(1), cost="{1}{G}{G}", keywords=(Keyword("convoke"),))
    tapped = [
        Permanent(f"green{n}", creature("Elf", 1, 1, cost="{G}"), player, new=new) for n in range(greens)
    ]
    tapped += [Permanent(f"white{n}", creature("Cleric", 1, 1, cost="{W}"), player) for n in range(whites)]
    ids = tuple(one.id for one in tapped)
    rest = 3 - len(ids)
    fields = max(rest - draw(st.integers(0, 1)), 0)
    lands = [Permanent(f"field{n}", FIELD, player) for n in range(fields)]
    hand = {player: [HeldCard("choir", choir)]}
    tale = Tale(table(held_by(there, hand), [*tapped, *lands], there.sides[0]))
    enough = fields == rest and whites <= 1
    because = "CR 702.51a: each creature pays for one mana of its color or for one generic mana"
    costs = (CostPaid("tap", ids),) if ids else ()
    cast = CastAction("choir", player, costs=costs, pay=Pay(tuple(PayStep(one.id) for one in lands)))
    tale.attempt(cast, "done" if enough else "rejected", because)
    tale.see("choir", "zone", "stack" if enough else "hand", because)
    if enough:
        tale.see("choir", "paid", "{1}{G}{G}", "CR 702.51a: it pays, and changes no cost")
    for one in (*tapped, *lands):
        tale.see(one.id, "tapped", enough, "CR 702.51a: tapped as a payment, which new creatures can be, too")
    return tale


@sort("casting", "steps", "targets", "payments")
def buyback(draw: DrawFn, there: Round) -> Tale:
    """A spell is cast with buyback or without, and countered or not."""
    player = there.players[0]
    bought, counters = draw(st.booleans()), draw(st.booleans())
    loop = spell("Loop", GainLife(1), cost="{G}", keywords=(Keyword("buyback", "{2}"),))
    hand = [HeldCard("loop", loop), HeldCard("nope", NOPE)]
    tale = Tale(table(held_by(there, {player: hand}), (), there.sides[0]))
    tale.do(CastAction("loop", player, costs=(CostPaid("additional", ("buyback",)),) if bought else ()))
    tale.see("loop", "paid", "{2}{G}" if bought else "{G}", "CR 702.27a: an additional cost")
    if counters:
        tale.do(CastAction("nope", player, targets=(("loop",),)))
    tale.do(Settle())
    because = "CR 702.27a: into the hand as it resolves, and only then"
    tale.see("loop", "zone", "hand" if bought and not counters else "graveyard", because)
    return tale


@sort("casting", "steps", "payments")
def entwine(draw: DrawFn, there: Round) -> Tale:
    """A spell with two modes is cast for one of them, or entwined for both."""
    player, entwined = there.players[0], draw(st.booleans())
    modes = (Mode((GainLife(2),)), Mode((LoseLife(3, Opponents()),)))
    braid = Card(
        "Test Braid",
        frozenset({"Sorcery"}),
        "{G}",
        abilities=(Keyword("entwine", "{2}"), Spell(modes=modes)),
    )
    tale = Tale(table(held_by(there, {player: [HeldCard("braid", braid)]}), (), there.sides[0]))
    because = "CR 702.42a: all modes are chosen only if the entwine cost is paid"
    chosen = (1, 2) if entwined else (draw(st.integers(1, 2)),)
    if entwined:
        tale.attempt(CastAction("braid", player, modes=chosen), "rejected", because)
    paid = (CostPaid("additional", ("entwine",)),) if entwined else ()
    tale.do(CastAction("braid", player, modes=chosen, costs=paid))
    tale.see("braid", "paid", "{2}{G}" if entwined else "{G}", because)
    tale.do(Settle())
    tale.see(player, "life", 22 if 1 in chosen else 20, because)
    tale.see(there.players[1], "life", 17 if 2 in chosen else 20, because)
    return tale


@law_of(
    affinity,
    convoke,
    buyback,
    entwine,
    rules=("702.27a", "702.41a", "702.42a", "702.51a", "601.2f"),
    needs=("casting",),
)
def keywords_change_what_a_spell_costs() -> None:
    """Affinity makes a spell cheaper, creatures tapped for convoke pay for it, and buyback and entwine cost
    more and bring what they say.

    It does not check several of these abilities at once.
    """


@law(rules=("702.175a", "603.4", "707.2"), needs=("casting", "steps", "triggers", "tokens", "payments"))
def an_offspring_is_a_small_copy(draw: DrawFn, there: Round) -> Tale:
    """A creature whose offspring cost was paid comes with a 1/1 token copy of itself, and otherwise alone.

    Its own size, and whether the cost is paid, are drawn.
    """
    player, paid, size = there.players[0], draw(st.booleans()), draw(st.integers(2, 4))
    mother = creature("Mother", size, size, Keyword("offspring", "{2}"), Keyword("vigilance"), cost="{G}")
    tale = Tale(table(held_by(there, {player: [HeldCard("mother", mother)]}), (), there.sides[0]))
    costs = (CostPaid("additional", ("offspring",)),) if paid else ()
    tale.do(CastAction("mother", player, costs=costs))
    tale.see("mother", "paid", "{2}{G}" if paid else "{G}", "CR 702.175a: an additional cost")
    tale.do(Settle())
    because = "CR 702.175a, 603.4: only if its offspring cost was paid"
    tale.see("table", "tokens", Number("Test Mother", int(paid), player), because)
    tale.see("mother", "power", size, "CR 707.2: the copy is another object")
    if paid:
        tale.do(Call((TokenNames("Test Mother", ("cub",)),)))
        tale.see("cub", "power", 1, "CR 702.175a: it is 1/1")
        tale.see("cub", "toughness", 1, "CR 702.175a: it is 1/1")
    return tale


# ------------------------------------------------------------------------------ out of the graveyard


def seats_with_grave(there: Round, card: HeldCard, hand: list[HeldCard]) -> tuple[SeatedPlayer, ...]:
    """The players, of whom the first has a card in the graveyard."""
    player = there.players[0]
    return tuple(
        seat._replace(graveyard=(card,)) if seat.id == player else seat
        for seat in held_by(there, {player: hand}, library=3)
    )


@sort("casting", "steps", "targets", "payments")
def flashback(draw: DrawFn, there: Round) -> Tale:
    """A card is cast with flashback from the graveyard, and countered or not; or it can't be cast so."""
    player = there.players[0]
    counters, again = draw(st.booleans()), CostPaid("method", ("flashback",))
    echo = spell("Memory", GainLife(1), cost="{G}", keywords=(Keyword("flashback", "{2}"),))
    hand = [HeldCard("nope", NOPE), HeldCard("held", echo)]
    tale = Tale(table(seats_with_grave(there, HeldCard("memory", echo), hand), (), there.sides[0]))
    because = "CR 702.34a: from the graveyard, and only for the flashback cost"
    tale.attempt(CastAction("memory", player), "rejected", because)
    tale.attempt(CastAction("held", player, costs=(again,)), "rejected", because)
    tale.do(CastAction("memory", player, costs=(again,)))
    tale.see("memory", "paid", "{2}", "CR 702.34a: the flashback cost rather than the mana cost")
    if counters:
        tale.do(CastAction("nope", player, targets=(("memory",),)))
    tale.do(Settle())
    tale.see("memory", "zone", "exile", "CR 702.34a: exiled instead of going anywhere else from the stack")
    return tale


@sort("casting", "steps", "payments")
def retrace(draw: DrawFn, there: Round) -> Tale:
    """A card with retrace is cast from the graveyard for a land card, or for another card in vain."""
    player, land = there.players[0], draw(st.booleans())
    again = spell("Again", GainLife(1), cost="{G}", keywords=(Keyword("retrace"),))
    thrown = HeldCard("thrown", FIELD if land else BEAR)
    tale = Tale(table(seats_with_grave(there, HeldCard("again", again), [thrown]), (), there.sides[0]))
    cast = CastAction("again", player, costs=(CostPaid("discard", ("thrown",)),))
    because = "CR 702.81a: a land card is discarded as an additional cost"
    tale.attempt(cast, "done" if land else "rejected", because)
    tale.see("thrown", "zone", "graveyard" if land else "hand", because)
    if land:
        tale.see("again", "paid", "{G}", because)
    tale.do(Settle())
    tale.see("again", "zone", "graveyard", "CR 702.81a: it can be cast again")
    return tale


@sort("activated abilities", "casting", "steps", "targets", "triggers", "payments")
def unearth(draw: DrawFn, there: Round) -> Tale:
    """A creature card is unearthed, and dies, is returned to the hand or stays until the next end step."""
    player = there.players[0]
    leaves = draw(st.sampled_from(("dies", "returns", "stays")))
    ghoul = creature("Ghoul", 2, 2, Keyword("unearth", "{1}"))
    hand = [HeldCard("away", MURDER if leaves == "dies" else RECALL), HeldCard("calm", CALM)]
    tale = Tale(table(seats_with_grave(there, HeldCard("ghoul", ghoul), hand), (), there.sides[0]))
    back = Activate("ghoul", "unearth", player)
    tale.do(CastAction("calm", player))
    tale.attempt(back, "rejected", "CR 702.84a: only as a sorcery")
    tale.do(Settle(), back, Settle())
    tale.see("ghoul", "zone", "battlefield", "CR 702.84a: it returns")
    tale.see("ghoul", "keywords", ("haste", "unearth {1}"), "CR 702.84a: it gains haste")
    if leaves == "stays":
        tale.do(Advance("end"))
        tale.see("ghoul", "zone", "battlefield", "CR 702.84a: until the ability of the end step resolves")
    else:
        tale.do(CastAction("away", player, targets=(("ghoul",),)))
    tale.do(Settle())
    because = "CR 702.84a: it is exiled at the next end step, and whenever it would leave the battlefield"
    tale.see("ghoul", "zone", "exile", because)
    return tale


@law_of(
    flashback,
    retrace,
    unearth,
    rules=("702.34a", "702.81a", "702.84a"),
    needs=("casting", "steps", "payments", "targets"),
)
def some_cards_are_used_again_from_the_graveyard() -> None:
    """Flashback and retrace let a card be cast from the graveyard, and unearth returns a creature for a
    turn.

    It does not check cards whose cost of such a kind an effect gives.
    """


# -------------------------------------------------------------------------------------- as it is cast


@law(rules=("702.85a", "608.2g"), needs=("casting", "steps", "triggers", "choices"))
def a_cascade_finds_a_lesser_card(draw: DrawFn, there: Round) -> Tale:
    """Cascade exiles cards until a nonland card with lesser mana value, which may be cast for nothing before
    the spell itself resolves; the rest goes to the bottom of the library.

    A library in which cards that are no less, lands, and cards that are less lie in any order.
    """
    player, casts = there.players[0], draw(st.booleans())
    torrent = spell("Torrent", GainLife(1), type="Sorcery", cost="{2}{G}", keywords=(Keyword("cascade"),))
    kinds = (FIELD, creature("Equal", 1, 1, cost="{3}"), creature("Larger", 1, 1, cost="{2}{G}{G}"))
    above = draw(st.lists(st.sampled_from(kinds), max_size=3))
    lesser = creature("Lesser", 1, 1, cost=draw(st.sampled_from(("{0}", "{2}", "{1}{G}"))))
    library = (*(HeldCard(f"above{n}", one) for n, one in enumerate(above)), HeldCard("found", lesser))
    seats = tuple(
        seat._replace(library=(*library, HeldCard("below", lesser))) if seat.id == player else seat
        for seat in held_by(there, {player: [HeldCard("torrent", torrent)]})
    )
    tale = Tale(table(seats, (), there.sides[0]))
    tale.do(ChooseAction("may", player, (casts,), "torrent"), CastAction("torrent", player))
    because = "CR 702.85a: it triggers as the spell is cast"
    tale.see("table", "stack", ("torrent", "cascade of torrent"), because)
    tale.do(Pass("everyone"))
    because = "CR 702.85a: the first nonland card of lesser mana value may be cast, and is above the spell"
    tale.see("table", "stack", ("torrent", "found") if casts else ("torrent",), because)
    if casts:
        tale.see("found", "paid", "{0}", "CR 702.85a: without paying its mana cost")
    tale.do(Settle())
    tale.see("found", "zone", "battlefield" if casts else "library", because)
    for card in (*library[:-1], HeldCard("below", lesser)):
        tale.see(card.id, "zone", "library", "CR 702.85a: what was exiled and not cast goes back")
    return tale


HUSK = permanent("Husk", Static((Part(CREATURES, (LoseAllAbilities(),)),)))


@law(rules=("702.114a", "604.3", "613.1e"), needs=("casting", "steps", "abilities", "colours"))
def what_is_devoid_has_no_color(draw: DrawFn, there: Round) -> Tale:
    """A card with devoid has no color, wherever it is, even where it has lost its abilities.

    A creature spell with colored mana in its cost, with devoid or without; creatures lose their abilities, or
    do not.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    devoid, blank = draw(st.booleans()), draw(st.booleans())
    drone = creature("Drone", 2, 2, *[Keyword("devoid")] * devoid, cost="{R}{G}")
    lie = [Permanent("husk", HUSK, owner)] * blank
    tale = Tale(table(held_by(there, {player: [HeldCard("drone", drone)]}), lie, there.sides[0]))
    colors: Any = () if devoid else ("green", "red")
    tale.see("drone", "colors", colors, "CR 702.114a, 604.3: in a hand as well")
    tale.do(CastAction("drone", player))
    tale.see("drone", "colors", colors, "CR 702.114a: on the stack as well")
    tale.do(Resolve("drone"))
    because = "CR 613.1e: its color was settled before its abilities are lost"
    tale.see("drone", "colors", colors, because)
    return tale


KEYWORDS_OF_SPELLS: tuple[Property[Any], ...] = (
    keywords_change_what_a_spell_costs,
    an_offspring_is_a_small_copy,
    some_cards_are_used_again_from_the_graveyard,
    a_cascade_finds_a_lesser_card,
    what_is_devoid_has_no_color,
)

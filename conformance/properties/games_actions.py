"""Laws of keyword actions of permanents (CR 701), of emblems, shields and attachments, and of who may win."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.model.scenario import SeenCounters
from conformance.properties.games_library import PLAIN, with_library
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import (
    BEAR,
    BLADE,
    BOLT,
    CREATURE,
    MANTLE,
    MURDER,
    YOUR_CREATURES,
    anthem,
    creature,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import CastAction, ChooseAction, Pass
from reference_engine.language.cards import (
    All,
    Amass,
    Attach,
    BecomesAttached,
    Cannot,
    Connive,
    Count,
    Counters,
    Emblem,
    Explore,
    Filter,
    GainLife,
    LeavesGraveyard,
    LoseGame,
    LoseLife,
    Modify,
    OneOrMore,
    Opponents,
    Part,
    Put,
    PutCounters,
    Static,
    TargetSpec,
    The,
    This,
    Triggered,
    WinGame,
    You,
)
from reference_engine.language.words import Zone


def piles(kind: str, n: int) -> tuple[SeenCounters, ...]:
    """So many counters of one kind, as they are seen."""
    return (SeenCounters(kind, n),) if n else ()


SCOUT = spell("Scout", Explore(TARGET), targets=(CREATURE,))


@law(rules=("701.44a",), needs=("casting", "steps", "targets", "choices"))
def who_explores_finds_a_land_or_grows(draw: DrawFn, there: Round) -> Tale:
    """A creature that explores reveals the top card of its controller's library: a land goes to the hand;
    otherwise the creature gets a +1/+1 counter, and the card may go to the graveyard.

    A creature of any player, whose library has a land on top, another card, or no card.
    """
    player = there.players[0]
    owner = draw(st.sampled_from(there.players))
    top = draw(st.sampled_from(("land", "creature", "nothing")))
    cards = {"land": [PLAIN, BEAR], "creature": [BEAR, PLAIN], "nothing": []}[top]
    buried = draw(st.booleans())
    named = tuple(HeldCard(f"card{n}", card) for n, card in enumerate(cards))
    at = tuple(
        seat._replace(library=named if seat.id == owner else seat.library)
        for seat in held_by(there, {player: [HeldCard("scout", SCOUT)]}, library=0)
    )
    lie = [Permanent("bear", BEAR, owner)]
    tale = Tale(table(at, lie, there.sides[0]))
    tale.do(CastAction("scout", player, targets=(("bear",),)))
    if top == "creature":
        tale.do(ChooseAction("may", owner, (buried,), "scout"))
    tale.do(Pass("everyone"))
    because = "CR 701.44a: a +1/+1 counter unless a land was revealed"
    tale.see("bear", "counters", piles("+1/+1", int(top != "land")), because)
    if top != "nothing":
        where = "hand" if top == "land" else "graveyard" if buried else "library"
        tale.see("card0", "zone", where, "CR 701.44a: a land goes to the hand; another may be buried")
        tale.see("card1", "zone", "library", "CR 701.44a: only the top card")
    return tale


@law(rules=("701.50a", "701.50e"), needs=("casting", "steps", "targets", "choices"))
def who_connives_grows_by_what_is_discarded(draw: DrawFn, there: Round) -> Tale:
    """The controller of a creature that connives draws and discards that many cards, and the creature gets a
    +1/+1 counter for each nonland card among those.

    One or two cards; lands and creatures in any order.
    """
    player, n = there.players[0], draw(st.integers(1, 2))
    lands = draw(st.lists(st.booleans(), min_size=n + 1, max_size=n + 1))
    cards = [PLAIN if land else BEAR for land in lands]
    scheme = spell("Scheme", Connive(TARGET, n), targets=(CREATURE,))
    lie = [Permanent("bear", BEAR, player)]
    at = with_library(there, player, [HeldCard("scheme", scheme)], cards)
    tale = Tale(table(at, lie, there.sides[0]))
    thrown = tuple(f"card{k}" for k in range(n))
    tale.do(
        CastAction("scheme", player, targets=(("bear",),)),
        ChooseAction("cards", player, thrown, "scheme"),
        Pass("everyone"),
    )
    nonlands = sum(not land for land in lands[:n])
    because = "CR 701.50a, 701.50e: a counter for each nonland card discarded"
    tale.see("bear", "counters", piles("+1/+1", nonlands), because)
    for id in thrown:
        tale.see(id, "zone", "graveyard", "CR 701.50a: drawn and discarded")
    tale.see(f"card{n}", "zone", "library", "CR 701.50e: no more cards than that")
    return tale


ARMY = All(type=frozenset({"Creature"}), subtype=frozenset({"Army"}))


@law(rules=("701.47a",), needs=("casting", "steps", "anthems", "types"))
def one_army_is_amassed(draw: DrawFn, there: Round) -> Tale:
    """Who amasses again puts counters on the Army that is there already, and it has every type with which it
    was amassed.

    One to three times, with one or two creature types.
    """
    player = there.players[0]
    steps = draw(st.lists(st.sampled_from(("Orc", "Zombie")), min_size=1, max_size=3))
    hand = [
        HeldCard(f"call{k}", spell(f"Call {k}", Amass(k + 1, kind), type="Sorcery"))
        for k, kind in enumerate(steps)
    ]
    watched = creature(
        "Surveyor",
        0,
        5,
        Static((Part(This(), (Modify(Count(ARMY), Count(All(subtype=frozenset({"Orc"})))),)),)),
    )
    lie = [Permanent("surveyor", watched, player), Permanent("training", anthem("Training", 0, 1), player)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    for k in range(len(steps)):
        tale.do(CastAction(f"call{k}", player), Pass("everyone"))
    tale.see("surveyor", "power", 1, "CR 701.47a: only one Army is created")
    orc = 1 if "Orc" in steps else 0
    tale.see("surveyor", "toughness", 6 + orc, "CR 701.47a: it becomes an Orc in addition to its other types")
    return tale


@law(rules=("114.1", "114.4"), needs=("casting", "steps", "anthems"))
def an_emblem_goes_on_working(draw: DrawFn, there: Round) -> Tale:
    """The abilities of an emblem work for its owner from the command zone, whatever becomes of the
    permanents, and each emblem's for itself.

    One or two emblems, and creatures of two players.
    """
    player, other = there.players[:2]
    times = draw(st.integers(1, 2))
    blessing = spell("Blessing", Emblem((Static((Part(YOUR_CREATURES, (Modify(1, 1),)),)),)))
    hand = [HeldCard(f"blessing{k}", blessing) for k in range(times)]
    lie = [Permanent("mine", BEAR, player), Permanent("theirs", BEAR, other)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    for k in range(times):
        tale.do(CastAction(f"blessing{k}", player), Pass("everyone"))
    tale.see("mine", "power", 2 + times, "CR 114.4: abilities of emblems function in the command zone")
    tale.see("theirs", "power", 2, "CR 114.2: its controller is the player who got it")
    return tale


ANGEL = creature(
    "Guardian",
    4,
    4,
    Static(
        (
            Part(You(), (Cannot(frozenset({"lose the game"})),)),
            Part(Opponents(), (Cannot(frozenset({"win the game"})),)),
        )
    ),
)
TRIUMPH = spell("Triumph", WinGame())
DOOM = spell("Doom", LoseGame(TARGET), targets=(TargetSpec(players=Opponents()),))
BANE = spell("Bane", LoseLife(25, TARGET), targets=(TargetSpec(players=Opponents()),))


@law(rules=("104.2b", "104.3e", "101.2"), needs=("casting", "steps", "targets"), sizes=(2,))
def who_cannot_lose_plays_on(draw: DrawFn, there: Round) -> Tale:
    """An effect that says that a player wins or loses ends a game of two, unless that player can't win, or
    the other can't lose; neither does the loss of all life then.

    A spell that wins, or one that makes the opponent lose, with a creature that prevents both or without.
    """
    player, other = there.players[:2]
    how = draw(st.sampled_from((TRIUMPH, DOOM, BANE)))
    guarded = not draw(st.booleans())
    lie = [Permanent("guardian", ANGEL if guarded else BEAR, other)]
    tale = Tale(table(held_by(there, {player: [HeldCard("blow", how)]}), lie, there.sides[0]))
    targets = () if how is TRIUMPH else ((other,),)
    tale.do(CastAction("blow", player, targets=targets), Pass("everyone"))
    because = "CR 101.2: what says that it can't happen wins" if guarded else "CR 104.2b, 104.3e: it ends"
    tale.see("table", "over", not guarded, because)
    return tale


@law(rules=("122.1c",), needs=("casting", "steps", "targets", "counters"))
def a_shield_counter_takes_one_blow(draw: DrawFn, there: Round) -> Tale:
    """Damage to a permanent with a shield counter is prevented, and an effect does not destroy it; either
    way a shield counter is removed.

    One to three blows, each of which destroys it or deals lethal damage, and one or two shield counters.
    """
    player = there.players[0]
    shields = draw(st.integers(1, 2))
    blows = draw(st.lists(st.sampled_from((MURDER, BOLT)), min_size=1, max_size=3))
    ward = spell("Ward", PutCounters((Counters("shield", shields),), TARGET), targets=(CREATURE,))
    hand = [HeldCard("ward", ward)]
    hand += [HeldCard(f"blow{k}", card) for k, card in enumerate(blows)]
    lie = [Permanent("bear", BEAR, player)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    tale.do(CastAction("ward", player, targets=(("bear",),)), Pass("everyone"))
    for k in range(min(len(blows), shields + 1)):
        tale.do(CastAction(f"blow{k}", player, targets=(("bear",),)), Pass("everyone"))
        left = shields - k - 1
        if left < 0:
            tale.see("bear", "zone", "graveyard", "CR 122.1c: no shield counter was left")
            continue
        tale.see("bear", "damage", 0, "CR 122.1c: the damage is prevented")
        tale.see("bear", "zone", "battlefield", "CR 122.1c: a shield counter is removed instead")
        because = "CR 122.1c: one shield counter for each blow"
        tale.see("bear", "counters", piles("shield", left), because)
    return tale


WORN = All(any_of=(Filter(subtype=frozenset({"Aura"})), Filter(subtype=frozenset({"Equipment"}))))
GREETED = creature(
    "Greeted",
    2,
    2,
    Triggered(
        BecomesAttached(WORN),
        (GainLife(1),),
        name="adorned",
    ),
)
ADORNED = creature("Adorned", 2, 2, Static((Part(This(), (Modify(Count(All(attached_to=This())), 0),)),)))
HAND_OVER = spell(
    "Fitting",
    Attach(The("thing"), The("wearer")),
    targets=(
        TargetSpec(what=All(subtype=frozenset({"Equipment"})), name="thing"),
        TargetSpec(what=All(type=frozenset({"Creature"})), name="wearer"),
    ),
)


@law(
    rules=("701.3a", "701.3b"),
    needs=("casting", "steps", "targets", "anthems", "attachments", "triggers", "abilities"),
)
def what_becomes_attached_is_noticed_once(draw: DrawFn, there: Round) -> Tale:
    """Something becomes attached as it enters attached or is moved to another permanent, and not if it is
    attached to the one that it is attached to already.

    An Equipment that is attached to the same creature or another, or an Aura spell that resolves.
    """
    player = there.players[0]
    lie = [Permanent("greeted", GREETED, player), Permanent("adorned", ADORNED, player)]
    lie.append(Permanent("blade", BLADE, player, attached_to="adorned"))
    how = draw(st.sampled_from(("same", "other", "aura")))
    card = MANTLE if how == "aura" else HAND_OVER
    targets: tuple[tuple[str, ...], ...] = {
        "same": (("blade",), ("adorned",)),
        "other": (("blade",), ("greeted",)),
        "aura": (("adorned",),),
    }[how]
    tale = Tale(table(held_by(there, {player: [HeldCard("card", card)]}), lie, there.sides[0]))
    tale.do(CastAction("card", player, targets=targets), Pass("everyone"))
    if how != "same":
        tale.do(Pass("everyone"))
    because = "CR 701.3b: it does not move" if how == "same" else "CR 701.3a: it is put onto that creature"
    tale.see(player, "life", 20 if how == "same" else 21, because)
    return tale


ARCHIVIST = creature(
    "Archivist",
    1,
    1,
    Triggered(
        OneOrMore(LeavesGraveyard(All(zones=frozenset({"graveyard"}), of=You()))), (GainLife(1),), name="gone"
    ),
)


@law(rules=("603.2c", "603.10a"), needs=("casting", "steps", "targets", "triggers"))
def cards_that_leave_a_graveyard_are_noticed_together(draw: DrawFn, there: Round) -> Tale:
    """An ability about one or more cards leaving a graveyard triggers once for all that leave it at the same
    time, wherever they go.

    One or two cards, to a hand, into exile, or onto the battlefield.
    """
    player, n = there.players[0], draw(st.integers(1, 2))
    zones: tuple[Zone, ...] = ("hand", "exile", "battlefield")
    to = draw(st.sampled_from(zones))
    cards = All(type=frozenset({"Creature"}), zones=frozenset({"graveyard"}), of=You())
    rite = spell("Rite", Put(cards, to))
    named = tuple(HeldCard(f"body{k}", BEAR) for k in range(n))
    at = tuple(
        seat._replace(graveyard=named) if seat.id == player else seat
        for seat in held_by(there, {player: [HeldCard("rite", rite)]})
    )
    tale = Tale(table(at, [Permanent("archivist", ARCHIVIST, player)], there.sides[0]))
    tale.do(CastAction("rite", player), Pass("everyone"), Pass("everyone"))
    because = "CR 603.2c: one or more cards that leave together trigger it once"
    tale.see(player, "life", 21, because)
    return tale


KEYWORD_ACTIONS: tuple[Property[Any], ...] = (
    who_explores_finds_a_land_or_grows,
    who_connives_grows_by_what_is_discarded,
    one_army_is_amassed,
    an_emblem_goes_on_working,
    who_cannot_lose_plays_on,
    a_shield_counter_takes_one_blow,
    what_becomes_attached_is_noticed_once,
    cards_that_leave_a_graveyard_are_noticed_together,
)
"""The laws of this module, in the order in which they are listed."""

"""Laws of words that few cards have: exchanged control, changed targets, permissions about timing and mana,
costs and quantities of their own, and events that seldom trigger anything.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.model.scenario import SeenCounters
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, sort
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import (
    BEAR,
    BOLT,
    CALM,
    CREATURE,
    FIELD,
    MURDER,
    NOPE,
    PLAYER,
    THEFT,
    YOUR_CREATURES,
    creature,
    permanent,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    Activate,
    Advance,
    CastAction,
    ChooseAction,
    Pay,
    PayStep,
    PlayAction,
    Resolve,
    Settle,
)
from reference_engine.language.cards import (
    Activated,
    All,
    AllOf,
    AnyColorMana,
    AnyOf,
    AsEnters,
    AsThoughFlash,
    AtLeast,
    Attached,
    Base,
    BecomeMonarch,
    BecomesMonarch,
    BecomesUnattached,
    Beginning,
    ChangeTarget,
    ChooseInstruction,
    ChosenNumber,
    ChosenPlayer,
    Compare,
    Cost,
    Count,
    Counters,
    CounterSpell,
    DealTo,
    Destroy,
    Devotion,
    Discard,
    EntersUnder,
    Everyone,
    ExchangeControl,
    ExileUntilFound,
    Exists,
    ExtraStep,
    Filter,
    ForEachPlayer,
    Gain,
    GainLife,
    If,
    IsCountered,
    LifeCost,
    LoseLife,
    LosesControl,
    LosesGame,
    ManaCost,
    Matches,
    Monarch,
    OnlyAsSorcery,
    OpponentGainsLifeCost,
    Opponents,
    Others,
    Part,
    Plays,
    Put,
    PutIntoGraveyard,
    RemoveCountersCost,
    Reveal,
    SourceOf,
    Static,
    TargetSpec,
    The,
    This,
    Triggered,
    TriggerEvent,
    UnattachCost,
    Would,
    You,
)
from reference_engine.language.words import Step

# ------------------------------------------------------------------------ control, targets, players

SECOND_CREATURE = replace(CREATURE, name="second")
EXCHANGE = spell("Trade", ExchangeControl(TARGET, The("second")), targets=(CREATURE, SECOND_CREATURE))


@law(rules=("701.12a", "701.12b"), needs=("casting", "steps", "targets", "control"))
def control_is_exchanged_both_ways_or_not_at_all(draw: DrawFn, there: Round) -> Tale:
    """Two permanents change controllers with each other, unless one player controls both or one of them is
    gone.

    A spell exchanges two creatures of one player or of two; one of them may die in response.
    """
    player, enemy = there.players[:2]
    other, dies = draw(st.sampled_from((player, enemy))), draw(st.booleans())
    hand = [HeldCard("trade", EXCHANGE), HeldCard("murder", MURDER)]
    lie = [Permanent("bear", BEAR, player), Permanent("ogre", creature("Ogre", 3, 3), other)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    tale.do(CastAction("trade", player, targets=(("bear",), ("ogre",))))
    if dies:
        tale.do(CastAction("murder", player, targets=(("ogre",),)))
    tale.do(Settle())
    changes = other == enemy and not dies
    because = "CR 701.12a, 701.12b: each gets what the other had, or nothing is exchanged"
    tale.see("bear", "controller", enemy if changes else player, because)
    if not dies:
        tale.see("ogre", "controller", player if changes else other, because)
    return tale


A_SPELL = TargetSpec(what=All(zones=frozenset({"stack"})))
SWERVE = spell("Swerve", ChangeTarget(TARGET, must=True), targets=(A_SPELL,))


@law(rules=("115.7a",), needs=("casting", "steps", "targets"))
def a_target_changes_only_to_another_legal_one(draw: DrawFn, there: Round) -> Tale:
    """An effect that changes a spell's target changes it to another legal one; if there is none, it stays.

    A spell that destroys a creature, and one or two creatures on the battlefield.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    another = draw(st.booleans())
    hand = [HeldCard("slay", MURDER), HeldCard("swerve", SWERVE)]
    lie = [Permanent("bear", BEAR, player), *[Permanent("ogre", creature("Ogre", 3, 3), owner)] * another]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    tale.do(CastAction("slay", player, targets=(("bear",),)))
    tale.do(CastAction("swerve", player, targets=(("slay",),)), Resolve("swerve"))
    because = "CR 115.7a: the target changes to another legal one, if there is any"
    tale.see("slay", "targets", ("ogre" if another else "bear",), because)
    tale.do(Settle())
    if another:
        tale.see("bear", "zone", "battlefield", because)
    tale.see("ogre" if another else "bear", "zone", "graveyard", because)
    return tale


@law(rules=("608.2e", "101.4", "109.5"), needs=("casting", "steps"))
def each_player_follows_for_themselves(draw: DrawFn, there: Round) -> Tale:
    """What each of several players does, each does with "you" as that player.

    A spell by which each player, or each opponent, loses life by the number of creatures that they control.
    """
    player = there.players[0]
    everyone = draw(st.booleans())
    numbers = [draw(st.integers(0, 2)) for _ in there.players]
    whom = Everyone() if everyone else Opponents()
    levy = spell("Levy", ForEachPlayer(whom, (LoseLife(Count(YOUR_CREATURES)),)))
    lie = [
        Permanent(f"{one}_bear{n}", BEAR, one)
        for one, many in zip(there.players, numbers, strict=True)
        for n in range(many)
    ]
    tale = Tale(table(held_by(there, {player: [HeldCard("levy", levy)]}), lie, there.sides[0]))
    tale.do(CastAction("levy", player), Settle())
    for one, many in zip(there.players, numbers, strict=True):
        loses = many if everyone or one != player else 0
        tale.see(one, "life", 20 - loses, "CR 608.2e, 109.5: each player follows the instruction, as you")
    return tale


# ----------------------------------------------------------------------------- timing, entering, mana

VIGIL = permanent(
    "Vigil", Static((Part(All(zones=frozenset({"stack"}), controller=You()), (AsThoughFlash(),)),))
)
DECORUM = permanent("Hush", Static((Part(Opponents(), (OnlyAsSorcery(),)),)))


@sort("casting", "steps")
def cast_early(draw: DrawFn, there: Round) -> Tale:
    """A creature spell in an upkeep, of a player who has the permanent that allows it or of another."""
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    seats = held_by(there, {player: [HeldCard("bear", BEAR)]})
    tale = Tale(table(seats, [Permanent("vigil", VIGIL, owner)], there.sides[0], "upkeep"))
    because = "CR 702.8a, 601.3b: its controller's spells alone are cast as though they had flash"
    tale.attempt(CastAction("bear", player), "done" if owner == player else "rejected", because)
    tale.see("bear", "zone", "stack" if owner == player else "hand", because)
    return tale


@sort("casting", "steps")
def cast_late(draw: DrawFn, there: Round) -> Tale:
    """An instant in an upkeep or a main phase; a permanent lets opponents cast as sorceries only."""
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    step: Step = draw(st.sampled_from(("upkeep", "precombat main")))
    seats = held_by(there, {player: [HeldCard("calm", CALM)]})
    tale = Tale(table(seats, [Permanent("hush", DECORUM, owner)], there.sides[0], step))
    allowed = owner == player or step != "upkeep"
    because = "CR 101.2, 307.5: its controller's opponents cast spells only when they could cast a sorcery"
    tale.attempt(CastAction("calm", player), "done" if allowed else "rejected", because)
    tale.see("calm", "zone", "stack" if allowed else "hand", because)
    return tale


@law_of(cast_early, cast_late, rules=("601.3b", "702.8a", "307.5", "101.2"), needs=("casting", "steps"))
def permanents_say_when_spells_are_cast() -> None:
    """Spells that are cast as though they had flash, or only as sorceries, are those of the players that an
    effect names.

    It does not check costs of casting early.
    """


@law(rules=("616.1b", "110.2a"), needs=("casting", "steps", "control"))
def what_enters_is_under_the_control_that_effects_say(draw: DrawFn, there: Round) -> Tale:
    """A creature enters under the control of the player whom an effect says, and its owner stays its owner.

    A creature spell of one player, and a permanent of one of the players by which all creatures enter under
    its controller's control, or only those of opponents.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    theirs = draw(st.booleans())
    entering = All(type=frozenset({"Creature"}), controller=Opponents() if theirs else None)
    gate = permanent("Gate", Static((Part(entering, (EntersUnder(You()),)),)))
    seats = held_by(there, {player: [HeldCard("bear", BEAR)]})
    tale = Tale(table(seats, [Permanent("gate", gate, owner)], there.sides[0]))
    tale.do(CastAction("bear", player), Resolve("bear"))
    because = "CR 616.1b: the effect says under whose control it enters"
    tale.see("bear", "controller", owner, because)
    return tale


@law(rules=("609.4b", "107.4"), needs=("casting", "steps", "payments", "lands"))
def mana_is_spent_as_any_color_by_whom_it_is_said(draw: DrawFn, there: Round) -> Tale:
    """A player of whom an effect says so spends mana as though it were mana of any colour; others don't, and
    nobody spends it as more mana.

    A Forest pays for a blue spell, or for one that costs two mana, with a permanent of one of the players.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    cost = draw(st.sampled_from(("{U}", "{G}", "{1}{U}")))
    prism = permanent("Prism", Static((Part(You(), (AnyColorMana(),)),)))
    peek = spell("Peek", GainLife(1), cost=cost)
    lie = [Permanent("prism", prism, owner), Permanent("field", FIELD, player)]
    tale = Tale(table(held_by(there, {player: [HeldCard("peek", peek)]}), lie, there.sides[0]))
    enough = cost == "{G}" or (cost == "{U}" and owner == player)
    because = "CR 609.4b: any color, for that player alone, and still one mana"
    pay = Pay((PayStep("field"),))
    tale.attempt(CastAction("peek", player, pay=pay), "done" if enough else "rejected", because)
    tale.see("field", "tapped", enough, "CR 609.4b, 106.4: the mana is made and spent, or not at all")
    return tale


@law(rules=("500.9", "513.1"), needs=("casting", "steps", "triggers"))
def a_step_that_is_added_comes_next(draw: DrawFn, there: Round) -> Tale:
    """A step that is added after a step comes directly after it, and what triggers at its beginning triggers
    again.

    A spell in an end step adds another one, or does not.
    """
    player, added = there.players[0], draw(st.booleans())
    dusk = permanent("Dusk", Triggered(when=Beginning("end", Everyone()), effect=(GainLife(1),), name="dusk"))
    last = spell("Last", ExtraStep("end") if added else GainLife(0))
    seats = held_by(there, {player: [HeldCard("last", last)]}, library=2)
    tale = Tale(table(seats, [Permanent("dusk", dusk, player)], there.sides[0], "postcombat main"))
    tale.do(Advance("end"), Settle(), CastAction("last", player), Settle(), Advance("upkeep"))
    because = "CR 500.9: an added end step comes after this one, and begins like any other"
    tale.see(player, "life", 22 if added else 21, because)
    return tale


# ------------------------------------------------------------------------------ costs and quantities


@sort("activated abilities", "counters", "casting")
def counters_removed(draw: DrawFn, there: Round) -> Tale:
    """An ability that costs counters, activated once or twice."""
    player, there_are, price = there.players[0], draw(st.integers(1, 3)), draw(st.integers(1, 2))
    use = Activated((RemoveCountersCost("charge", price),), (GainLife(1),), name="use")
    cell = permanent("Cell", AsEnters(counters=(Counters("charge", there_are),)), use, type="Artifact")
    tale = Tale(table(held_by(there, {player: [HeldCard("cell", cell)]}), (), there.sides[0]))
    tale.do(CastAction("cell", player), Resolve("cell"))
    left, because = there_are, "CR 118.3: so many counters have to be there, and are removed"
    for _ in range(2):
        able = left >= price
        tale.attempt(Activate("cell", "use", player), "done" if able else "rejected", because)
        left -= price * able
    tale.see("cell", "counters", (SeenCounters("charge", left),) if left else (), because)
    return tale


@sort("activated abilities", sizes=(2,))
def life_given(draw: DrawFn, there: Round) -> Tale:
    """An ability that costs an opponent's gaining life, and perhaps life of one's own."""
    player, enemy = there.players
    n, pays = draw(st.integers(1, 3)), draw(st.booleans())
    costs: tuple[Cost, ...] = (OpponentGainsLifeCost(n), *[LifeCost(2)] * pays)
    offer = permanent("Offer", Activated(costs, (GainLife(5),), name="offer"), type="Artifact")
    tale = Tale(table(held_by(there, {}), [Permanent("offer", offer, player)], there.sides[0]))
    tale.do(Activate("offer", "offer", player))
    because = "CR 118.12, 602.2b: what a cost says is done as it is paid"
    tale.see(enemy, "life", 20 + n, because)
    tale.see(player, "life", 18 if pays else 20, because)
    return tale


@sort("activated abilities", "steps", "attachments", "abilities")
def equipment_thrown(draw: DrawFn, there: Round) -> Tale:
    """A creature has an ability from Equipment, which is unattached as a cost, and perhaps from two."""
    player, many = there.players[0], draw(st.integers(1, 2))
    throw = Activated((UnattachCost(),), (GainLife(3),), name="throw")
    hammer = permanent(
        "Hammer",
        Static((Part(Attached(), (Gain((throw,)),)),)),
        type="Artifact",
        subtypes=("Equipment",),
    )
    lie = [Permanent("bear", BEAR, player)]
    lie += [Permanent(f"hammer{n}", hammer, player, attached_to="bear") for n in range(many)]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0]))
    use = Activate("bear", "throw", player)
    because = "CR 118.3, 701.3d: it is unattached as a cost, which can be paid once"
    for number in range(many):
        tale.attempt(use, "done", because)
        tale.see(f"hammer{number}", "attached_to", None, because)
    tale.attempt(use, "rejected", "CR 602.2: the creature has no such ability any more")
    tale.do(Settle())
    tale.see(player, "life", 20 + 3 * many, "CR 113.7a: the ability exists without what granted it")
    return tale


@law_of(
    counters_removed,
    life_given,
    equipment_thrown,
    rules=("118.3", "602.2b"),
    needs=("activated abilities",),
)
def costs_that_few_cards_have_are_paid_too() -> None:
    """Counters that a cost removes have to be there, an opponent gains the life that a cost gives, and
    Equipment is unattached as a cost.

    It does not check costs that are doubled or changed.
    """


@sort("casting", "steps")
def devotion_counted(draw: DrawFn, there: Round) -> Tale:
    """A spell gains life by its controller's devotion, counted in costs with several symbols."""
    player, enemy = there.players[:2]
    costs = draw(
        st.lists(st.sampled_from(("{G}", "{G}{G}", "{2}{U}", "{G/U}", "{3}")), min_size=1, max_size=3)
    )
    hymn = spell("Hymn", GainLife(Devotion(frozenset({"green"}))))
    lie = [
        Permanent(f"tree{n}", creature(f"Tree {n}", 1, 1, cost=cost), player) for n, cost in enumerate(costs)
    ]
    lie.append(Permanent("theirs", creature("Grove", 1, 1, cost="{G}{G}{G}"), enemy))
    tale = Tale(table(held_by(there, {player: [HeldCard("hymn", hymn)]}), lie, there.sides[0]))
    tale.do(CastAction("hymn", player), Settle())
    because = "CR 700.5: each green symbol among the costs of that player's permanents, hybrid ones too"
    tale.see(player, "life", 20 + sum(cost.count("G") for cost in costs), because)
    return tale


@sort("casting", "steps")
def greatest_counted(draw: DrawFn, there: Round) -> Tale:
    """A spell gains life by the greatest of two numbers."""
    player, bears, least = there.players[0], draw(st.integers(0, 3)), draw(st.integers(0, 3))
    hymn = spell("Hymn", GainLife(AtLeast((Count(YOUR_CREATURES), least))))
    lie = [Permanent(f"bear{n}", BEAR, player) for n in range(bears)]
    tale = Tale(table(held_by(there, {player: [HeldCard("hymn", hymn)]}), lie, there.sides[0]))
    tale.do(CastAction("hymn", player), Settle())
    tale.see(player, "life", 20 + max(bears, least), "CR 107.1: the greater of the two numbers")
    return tale


@sort("casting", "steps")
def all_conditions_hold(draw: DrawFn, there: Round) -> Tale:
    """A spell does something if both of two conditions hold, or if either does."""
    player, bears, lands = there.players[0], draw(st.integers(0, 2)), draw(st.booleans())
    yours = All(type=frozenset({"Land"}), controller=You())
    together = draw(st.booleans())
    parts = (Compare(Count(YOUR_CREATURES), ">=", 2), Exists(yours))
    hymn = spell("Hymn", If(AllOf(parts) if together else AnyOf(parts), (GainLife(3),), (GainLife(1),)))
    lie = [Permanent(f"bear{n}", BEAR, player) for n in range(bears)]
    lie += [Permanent("field", FIELD, player)] * lands
    tale = Tale(table(held_by(there, {player: [HeldCard("hymn", hymn)]}), lie, there.sides[0]))
    tale.do(CastAction("hymn", player), Settle())
    holds = bears == 2 and lands if together else bears == 2 or lands
    tale.see(player, "life", 23 if holds else 21, "CR 608.2c: both conditions have to hold, or one of them")
    return tale


@sort("casting", "steps")
def card_revealed(draw: DrawFn, there: Round) -> Tale:
    """A spell reveals the top card of a library, and gains life if that is a creature card."""
    player, first = there.players[0], draw(st.booleans())
    top = All(zones=frozenset({"library"}), of=You(), top=True)
    matches = Matches(The("revealed"), Filter(type=frozenset({"Creature"})))
    augur = spell("Augur", Reveal(top), If(matches, (GainLife(3),)))
    seats = tuple(
        seat._replace(library=(HeldCard("top", BEAR if first else FIELD), *seat.library))
        if seat.id == player
        else seat
        for seat in held_by(there, {player: [HeldCard("augur", augur)]}, library=2)
    )
    tale = Tale(table(seats, (), there.sides[0]))
    tale.do(CastAction("augur", player), Settle())
    tale.see(
        player, "life", 23 if first else 20, "CR 608.2c: it does what it says if such a card was revealed"
    )
    tale.see("top", "zone", "library", "CR 400.1: revealing a card moves it nowhere")
    return tale


@law_of(
    devotion_counted,
    greatest_counted,
    all_conditions_hold,
    card_revealed,
    rules=("700.5", "107.1", "608.2c"),
    needs=("casting", "steps"),
)
def numbers_and_conditions_are_asked_of_the_game_as_it_is() -> None:
    """Devotion counts symbols, the greatest of several numbers is taken, several conditions have to hold
    together, and a revealed card is asked about where it is.

    It does not check numbers that change as the spell resolves.
    """


# --------------------------------------------------------------------------- whom and what it means


@sort("casting", "choices", "set power and toughness")
def number_chosen(draw: DrawFn, there: Round) -> Tale:
    """A number is chosen as a permanent enters, and creatures have it as their power."""
    player, number = there.players[0], draw(st.integers(1, 6))
    shown = Static((Part(YOUR_CREATURES, (Base(power=ChosenNumber()),)),))
    gauge = permanent("Gauge", AsEnters(choose=(ChooseInstruction("number"),)), shown, type="Artifact")
    lie = [Permanent("bear", BEAR, player)]
    tale = Tale(table(held_by(there, {player: [HeldCard("gauge", gauge)]}), lie, there.sides[0]))
    tale.do(ChooseAction("number", player, (number,), "gauge"), CastAction("gauge", player), Resolve("gauge"))
    tale.see("bear", "power", number, "CR 607.2d: the number that was chosen as it entered")
    return tale


@sort("casting", "steps", "choices", "triggers")
def player_chosen(draw: DrawFn, there: Round) -> Tale:
    """A player is chosen as a permanent enters, and loses life in each of their upkeeps."""
    player, chosen = there.players[0], draw(st.sampled_from(there.players))
    hurts = Triggered(
        when=Beginning("upkeep", ChosenPlayer()), effect=(LoseLife(2, ChosenPlayer()),), name="hurts"
    )
    nemesis = permanent(
        "Nemesis", AsEnters(choose=(ChooseInstruction("player", Everyone()),)), hurts, type="Artifact"
    )
    seats = held_by(there, {player: [HeldCard("nemesis", nemesis)]}, library=4)
    tale = Tale(table(seats, (), there.sides[0]))
    tale.do(ChooseAction("player", player, (chosen,), "nemesis"))
    tale.do(CastAction("nemesis", player), Resolve("nemesis"))
    for side in (*there.sides[1:], there.sides[0]):
        tale.do(Advance("upkeep", side), Settle())
    for one in there.players:
        because = "CR 607.2d: the player who was chosen as it entered, in that player's upkeep alone"
        tale.see(one, "life", 18 if one == chosen else 20, because)
    return tale


@law_of(
    number_chosen,
    player_chosen,
    rules=("607.2d", "614.12"),
    needs=("casting", "steps", "choices", "triggers"),
)
def what_was_chosen_as_it_entered_is_meant_by_the_rest() -> None:
    """The number or the player chosen as a permanent enters is the one that its other abilities mean.

    It does not check permanents that come back, and have another number chosen.
    """


@sort("casting", "steps", "designations")
def monarch_named(draw: DrawFn, there: Round) -> Tale:
    """A spell makes the monarch lose life, if there is one."""
    player, crowned = there.players[0], draw(st.booleans())
    tithe = spell("Tithe", LoseLife(2, Monarch()))
    hand = [HeldCard("crown", spell("Crown", BecomeMonarch())), HeldCard("tithe", tithe)]
    tale = Tale(table(held_by(there, {player: hand}), (), there.sides[0]))
    if crowned:
        tale.do(CastAction("crown", player), Settle())
    tale.do(CastAction("tithe", player), Settle())
    for one in there.players:
        loses = crowned and one == player
        tale.see(one, "life", 18 if loses else 20, "CR 725.1: the monarch alone, and nobody without one")
    return tale


@sort("casting", "steps", sizes=(2, 3))
def others_named(draw: DrawFn, there: Round) -> Tale:
    """A spell makes each other player lose life, and its own player gain some."""
    player, n = there.players[0], draw(st.integers(1, 3))
    levy = spell("Levy", LoseLife(n, Others()), GainLife(n))
    tale = Tale(table(held_by(there, {player: [HeldCard("levy", levy)]}), (), there.sides[0]))
    tale.do(CastAction("levy", player), Settle())
    for one in there.players:
        because = "CR 109.5: you are the player who casts it, and the others are not"
        tale.see(one, "life", 20 + n if one == player else 20 - n, because)
    return tale


@sort("casting", "steps", "targets", "activated abilities")
def source_named(draw: DrawFn, there: Round) -> Tale:
    """An ability is countered, and its source destroyed; another permanent has the same ability."""
    player = there.players[0]
    used = draw(st.sampled_from(("one", "other")))
    use = Activated((ManaCost("{0}"),), (GainLife(3),), name="use")
    hut = permanent("Hut", use, type="Artifact")
    ability = TargetSpec(stack=frozenset({"activated"}))
    trace = spell("Trace", CounterSpell(TARGET), Destroy(SourceOf(The("countered"))), targets=(ability,))
    lie = [Permanent("one", hut, player), Permanent("other", hut, player)]
    tale = Tale(table(held_by(there, {player: [HeldCard("trace", trace)]}), lie, there.sides[0]))
    tale.do(Activate(used, "use", player), CastAction("trace", player, targets=((f"use of {used}",),)))
    tale.do(Settle())
    because = "CR 113.7: the source of an ability is the object whose ability was activated"
    for id in ("one", "other"):
        tale.see(id, "zone", "graveyard" if id == used else "battlefield", because)
    tale.see(player, "life", 20, "CR 701.6a: a countered ability has no effect")
    return tale


@sort("casting", "steps")
def found_in_exile(draw: DrawFn, there: Round) -> Tale:
    """A spell exiles cards until a creature card is found, which goes to its player's hand."""
    player, lands = there.players[0], draw(st.integers(0, 2))
    sought = Filter(type=frozenset({"Creature"}))
    dig = spell("Dig", ExileUntilFound(sought), Put(The("found"), "hand"))
    fields = tuple(HeldCard(f"field{n}", FIELD) for n in range(lands))
    library = (*fields, HeldCard("bear", BEAR), HeldCard("rest", BEAR))
    seats = tuple(
        seat._replace(library=library) if seat.id == player else seat
        for seat in held_by(there, {player: [HeldCard("dig", dig)]})
    )
    tale = Tale(table(seats, (), there.sides[0]))
    tale.do(CastAction("dig", player), Settle())
    because = "CR 608.2c: cards are exiled one by one until there is one that fits"
    tale.see("bear", "zone", "hand", because)
    tale.see("rest", "zone", "library", because)
    for card in fields:
        tale.see(card.id, "zone", "exile", because)
    return tale


@law_of(
    monarch_named,
    others_named,
    source_named,
    found_in_exile,
    rules=("113.7", "608.2c", "725.1"),
    needs=("casting", "steps"),
)
def effects_are_about_whom_and_what_they_name() -> None:
    """An effect on the monarch, on all other players, on the source of an ability or on the card that was
    found is about that and nothing else.

    It does not check teams.
    """


@law(rules=("614.9", "614.6"), needs=("casting", "steps", "targets"))
def redirected_damage_is_dealt_to_another(draw: DrawFn, there: Round) -> Tale:
    """Damage that is redirected is dealt to another, and not to whom it would have been dealt.

    A creature to which damage is dealt that would be dealt to its controller, or to that player's creatures,
    and a spell that damages one of them.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    whole = draw(st.booleans())
    others = All(type=frozenset({"Creature"}), controller=You(), other_than=This())
    guarded = Static((Part(You() if whole else others, (Would("be dealt damage", DealTo(This())),)),))
    lie = [
        Permanent("guard", creature("Guard", 1, 6, guarded), owner),
        Permanent("bear", creature("Ox", 2, 5), owner),
    ]
    tale = Tale(table(held_by(there, {player: [HeldCard("bolt", BOLT)]}), lie, there.sides[0]))
    aimed = draw(st.sampled_from(("bear", owner)))
    tale.do(CastAction("bolt", player, targets=((aimed,),)), Settle())
    moved = (aimed == owner) == whole
    because = "CR 614.9, 614.6: it is dealt to the creature that the effect says, and to that alone"
    tale.see("guard", "damage", 2 if moved else 0, because)
    tale.see("bear", "damage", 2 if aimed == "bear" and not moved else 0, because)
    tale.see(owner, "life", 18 if aimed == owner and not moved else 20, because)
    return tale


# ------------------------------------------------------------------------------------------- events


def listening(when: TriggerEvent) -> Any:
    """An enchantment whose controller gains 1 life when something happens."""
    return permanent("Ear", Triggered(when=when, effect=(GainLife(1),), name="hears"))


def heard(tale: Tale, listener: str, times: int, rule: str, before: int = 20) -> Tale:
    """The tale, at the end of which the listener has gained so much life."""
    tale.do(Settle())
    tale.see(listener, "life", before + times, f"CR {rule}: it triggers each time that this happens")
    return tale


@sort("casting", "steps", "triggers", "designations")
def monarch_heard(draw: DrawFn, there: Round) -> Tale:
    """A player becomes the monarch, who listens for it or not."""
    player, listener = there.players[0], draw(st.sampled_from(there.players))
    crown = spell("Crown", BecomeMonarch())
    tale = Tale(
        table(
            held_by(there, {player: [HeldCard("crown", crown)]}),
            [Permanent("ear", listening(BecomesMonarch()), listener)],
            there.sides[0],
        )
    )
    tale.do(CastAction("crown", player))
    return heard(tale, listener, int(listener == player), "725.1")


@sort("casting", "steps", "triggers", "targets")
def countering_heard(draw: DrawFn, there: Round) -> Tale:
    """A player's spell is countered, or another spell of theirs resolves."""
    player = there.players[0]
    listener, counters = draw(st.sampled_from((player, *there.players))), draw(st.integers(0, 2)) > 0
    hand = [HeldCard("insight", spell("Insight", LoseLife(0))), HeldCard("nope", NOPE)]
    lie = [Permanent("ear", listening(IsCountered()), listener)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    tale.do(CastAction("insight", player))
    if counters:
        tale.do(CastAction("nope", player, targets=(("insight",),)))
    return heard(tale, listener, int(counters and listener == player), "603.10e")


@sort("casting", "steps", "triggers", "targets", "control")
def theft_heard(draw: DrawFn, there: Round) -> Tale:
    """A player takes a creature that says what happens as its controller loses control of it."""
    player, enemy = there.players[:2]
    owner = draw(st.sampled_from((player, enemy)))
    loyal = creature("Loyal", 2, 2, Triggered(when=LosesControl(), effect=(GainLife(1),), name="hears"))
    tale = Tale(
        table(
            held_by(there, {player: [HeldCard("theft", THEFT)]}),
            [Permanent("loyal", loyal, owner)],
            there.sides[0],
        )
    )
    tale.do(CastAction("theft", player, targets=(("loyal",),)))
    return heard(tale, enemy, int(owner == enemy), "603.10d")


@sort("casting", "steps", "triggers", "targets", "three players", sizes=(3,))
def loss_heard(draw: DrawFn, there: Round) -> Tale:
    """One of three players loses the game, and another listens for an opponent's loss."""
    player, loser, listener = there.players
    seats = tuple(
        seat._replace(life=2) if seat.id == loser else seat
        for seat in held_by(there, {player: [HeldCard("bolt", BOLT)]})
    )
    whose: Any = draw(st.sampled_from((Opponents(), Everyone(), You())))
    event = LosesGame(whose)
    tale = Tale(table(seats, [Permanent("ear", listening(event), listener)], there.sides[0]))
    tale.do(CastAction("bolt", player, targets=((loser,),)))
    return heard(tale, listener, int(not isinstance(event.who, You)), "603.10f")


@sort("casting", "steps", "triggers", "lands")
def playing_heard(draw: DrawFn, there: Round) -> Tale:
    """A player plays a land or casts a spell, and somebody listens for a card that is played."""
    player, listener = there.players[0], draw(st.sampled_from(there.players))
    land = draw(st.booleans())
    hand = [HeldCard("field", FIELD), HeldCard("insight", spell("Insight", LoseLife(0)))]
    lie = [Permanent("ear", listening(Plays()), listener)]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    tale.do(PlayAction("field", player) if land else CastAction("insight", player))
    return heard(tale, listener, int(listener == player), "601.1a")


@sort("casting", "steps", "triggers", "targets", "choices")
def burial_heard(draw: DrawFn, there: Round) -> Tale:
    """A card is put into a graveyard from the battlefield, from a hand or from the stack."""
    player, enemy = there.players[:2]
    how = draw(st.sampled_from(("dies", "is discarded", "resolves")))
    spent = spell("Spent", LoseLife(0))
    grip = spell("Grip", Discard(1, TARGET), targets=(PLAYER,))
    hands = {player: [HeldCard("murder", MURDER), HeldCard("grip", grip), HeldCard("spent", spent)]}
    of_bear = PutIntoGraveyard(All(type=frozenset({"Creature"}), zones=frozenset({"graveyard"})))
    lie = [Permanent("ear", listening(of_bear), player), Permanent("bear", BEAR, enemy)]
    seats = tuple(
        seat._replace(hand=(HeldCard("card", BEAR),)) if seat.id == enemy else seat
        for seat in held_by(there, hands)
    )
    tale = Tale(table(seats, lie, there.sides[0]))
    if how == "dies":
        tale.do(CastAction("murder", player, targets=(("bear",),)))
    elif how == "is discarded":
        tale.do(ChooseAction("cards", enemy, ("card",), "grip"))
        tale.do(CastAction("grip", player, targets=((enemy,),)))
    else:
        tale.do(CastAction("spent", player))
    return heard(tale, player, int(how != "resolves"), "603.6c")


@sort("casting", "steps", "triggers", "targets", "attachments")
def detaching_heard(draw: DrawFn, there: Round) -> Tale:
    """The creature that an Equipment is attached to dies, or another one does."""
    player, worn = there.players[0], draw(st.booleans())
    hears = Triggered(when=BecomesUnattached(), effect=(GainLife(1),), name="hears")
    blade = replace(permanent("Blade", hears, type="Artifact"), subtypes=frozenset({"Equipment"}))
    lie = [
        Permanent("bear", BEAR, player),
        Permanent("other", BEAR, player),
        Permanent("blade", blade, player, attached_to="bear"),
    ]
    tale = Tale(table(held_by(there, {player: [HeldCard("murder", MURDER)]}), lie, there.sides[0]))
    tale.do(CastAction("murder", player, targets=(("bear" if worn else "other",),)))
    return heard(tale, player, int(worn), "603.10c")


@law_of(
    monarch_heard,
    playing_heard,
    rules=("601.1a", "725.1"),
    needs=("casting", "steps", "triggers", "designations"),
)
def what_players_seldom_do_is_heard_as_well() -> None:
    """An ability triggers on a player's becoming the monarch, and on a player's playing a card.

    It does not check several of these events at once.
    """


@law_of(
    countering_heard,
    loss_heard,
    rules=("603.10e", "603.10f"),
    needs=("casting", "steps", "triggers", "targets"),
)
def what_players_lose_is_heard_as_well() -> None:
    """An ability triggers on a player's losing the game, and on a player's spell being countered.

    It does not check several of these events at once.
    """


@law_of(
    theft_heard, rules=("603.10d", "603.3a"), needs=("casting", "steps", "triggers", "targets", "control")
)
def losing_control_is_heard_by_who_loses_it() -> None:
    """An ability about losing control of its permanent triggers for the player who controlled it.

    It does not check several permanents at once.
    """


@law_of(
    burial_heard,
    detaching_heard,
    rules=("603.6c", "603.10c"),
    needs=("casting", "steps", "triggers", "targets", "choices"),
)
def what_seldom_becomes_of_things_is_heard_as_well() -> None:
    """An ability triggers on a card's going to a graveyard from anywhere, and on becoming unattached.

    It does not check several of these events at once.
    """


SELDOM: tuple[Property[Any], ...] = (
    control_is_exchanged_both_ways_or_not_at_all,
    a_target_changes_only_to_another_legal_one,
    each_player_follows_for_themselves,
    permanents_say_when_spells_are_cast,
    what_enters_is_under_the_control_that_effects_say,
    mana_is_spent_as_any_color_by_whom_it_is_said,
    a_step_that_is_added_comes_next,
    costs_that_few_cards_have_are_paid_too,
    numbers_and_conditions_are_asked_of_the_game_as_it_is,
    what_was_chosen_as_it_entered_is_meant_by_the_rest,
    effects_are_about_whom_and_what_they_name,
    redirected_damage_is_dealt_to_another,
    what_players_seldom_do_is_heard_as_well,
    what_players_lose_is_heard_as_well,
    losing_control_is_heard_by_who_loses_it,
    what_seldom_becomes_of_things_is_heard_as_well,
)

"""Laws of day and night (CR 731), and of what turns over with them (CR 702.145a)."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, passes
from conformance.strategies.cards import CREATURES
from conformance.strategies.decks import CALM, creature, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Advance, CastAction, Pass
from reference_engine.language.cards import (
    All,
    Beginning,
    Cannot,
    CastEvent,
    DaytimeChanges,
    Destroy,
    Enters,
    Everyone,
    GainLife,
    Happened,
    ItBecomes,
    ItIs,
    Keyword,
    LoseAllAbilities,
    Modify,
    Not,
    Part,
    SetColors,
    Static,
    This,
    Transform,
    Triggered,
)

SUNRISE = spell("Sunrise", ItBecomes("day"))
NIGHTFALL = spell("Nightfall", ItBecomes("night"))
MOONMIST = spell("Moonmist", Transform(All(type=frozenset({"Creature"}))))
HOWL = Triggered(Enters(), (GainLife(3),), name="howl")
ALL_RED = Static((Part(CREATURES, (SetColors(frozenset({"red"})),)),))
ASLEEP = Static((Part(This(), (Cannot(frozenset({"untap"})),)),))
HOWLER = replace(creature("Howler", 4, 4, Keyword("nightbound"), HOWL, ALL_RED, ASLEEP), cost=None)
VILLAGER = replace(creature("Villager", 2, 2, Keyword("daybound"), ALL_RED), back=HOWLER)
ALL_BLUE = permanent("Dye", Static((Part(CREATURES, (SetColors(frozenset({"blue"})),)),)))
ALL_HUSHED = permanent("Hush", Static((Part(CREATURES, (LoseAllAbilities(),)),)), type="Artifact")
SHATTER = spell("Shatter", Destroy(All(type=frozenset({"Artifact"}))))
LANTERN = creature(
    "Lantern",
    1,
    1,
    Static((Part(This(), (Modify(2, 0),)),), ItIs("night")),
    Triggered(DaytimeChanges(), (GainLife(1),), name="glows"),
)
ANY_SPELL = CastEvent(by=Everyone())
EACH_UPKEEP = Beginning("upkeep", Everyone())
STIRRED = creature(
    "Stirred", 2, 2, Triggered(EACH_UPKEEP, (GainLife(1),), cond=Not(Happened(ANY_SPELL, last_turn=True)))
)
CALMED = creature(
    "Calmed", 2, 2, Triggered(EACH_UPKEEP, (GainLife(1),), cond=Happened(ANY_SPELL, 2, last_turn=True))
)


def cast_in_turn(tale: Tale, there: Round, spells: list[tuple[str, int]], active: int) -> None:
    """Cast these cards in the turn of a side, each by a player of some side, and let them resolve."""
    for id, at in spells:
        before = [
            there.sides[(active + k) % len(there.sides)] for k in range((at - active) % len(there.sides))
        ]
        tale.do(*passes(before), CastAction(id, there.players[at]), Pass("everyone"))


@law(
    rules=("502.2", "731.1a", "731.2a", "731.2b", "702.145b", "702.145e"),
    needs=("casting", "steps", "colours", "triggers", "anthems", "day and night"),
)
def day_and_night_follow_the_spells_of_the_last_turn(draw: DrawFn, there: Round) -> Tale:
    """After a turn whose active player cast no spell, day becomes night, and after one in which that player
    cast two, night becomes day; permanents with daybound turn over with them.

    A turn that begins by day or by night, in which the active player casts none to three spells, and another
    player none to two.
    """
    player, other = there.players[:2]
    by_day = draw(st.booleans())
    own, others = draw(st.integers(0, 3)), draw(st.integers(0, 2))
    spells = [(f"own{k}", 1) for k in range(own)] + [(f"theirs{k}", 0) for k in range(others)]
    hands = {
        player: [HeldCard("first", SUNRISE if by_day else NIGHTFALL)],
        other: [HeldCard(id, CALM) for id, at in spells if at == 1],
    }
    hands[player] += [HeldCard(id, CALM) for id, at in spells if at == 0]
    lie = [Permanent("villager", VILLAGER, player, tapped=True), Permanent("lantern", LANTERN, player)]
    tale = Tale(table(held_by(there, hands, library=4), lie, there.sides[0]))
    tale.do(CastAction("first", player), Pass("everyone"), Advance("precombat main", there.sides[1]))
    before = "day" if by_day else "night"
    tale.see("table", "daytime", before, "CR 731.2a, 731.2b: one spell was cast in the turn before")
    cast_in_turn(tale, there, spells, active=1)
    tale.do(Advance("upkeep"))
    after = "night" if (by_day and own == 0) or (not by_day and own < 2) else "day"
    because = "CR 731.2a, 731.2b: only the spells of the active player of the turn before count"
    tale.see("table", "daytime", after, because)
    stack = ("glows of lantern",) if after != before else ()
    tale.see("table", "stack", stack, "CR 731.1a: day has become night or night has become day, or neither")
    tale.see("lantern", "power", 3 if after == "night" else 1, "CR 731.1: it is night, or it is not")
    power = 2 if after == "day" else 4
    tale.see("villager", "power", power, "CR 702.145b, 702.145e: it turns over as it becomes night or day")
    if len(there.sides) == 2:
        # It is the untap step of its controller that has passed.
        because = "CR 502.2: night and day change before permanents untap, and its back face can't untap"
        tale.see("villager", "tapped", after == "night", because)
    return tale


@law(rules=("702.145b", "702.145d"), needs=("casting", "steps", "day and night", "triggers", "colours"))
def what_has_daybound_is_up_as_it_should_be(draw: DrawFn, there: Round) -> Tale:
    """A permanent with daybound enters with its front face up and makes it day, or with its back face up by
    night; and only day and night transform it.

    It enters by night or not, and then an effect tells all creatures to transform.
    """
    player = there.players[0]
    by_night = draw(st.booleans())
    hand = [HeldCard("night", NIGHTFALL), HeldCard("villager", VILLAGER)]
    hand += [HeldCard("dye", ALL_BLUE), HeldCard("mist", MOONMIST)]
    tale = Tale(table(held_by(there, {player: hand}), [], there.sides[0]))
    tale.see("table", "daytime", None, "CR 731.1: the game starts with neither")
    if by_night:
        tale.do(CastAction("night", player), Pass("everyone"))
    tale.do(CastAction("villager", player), Pass("everyone"))
    daytime = "night" if by_night else "day"
    tale.see("table", "daytime", daytime, "CR 702.145d: only if it is neither, it becomes day")
    name = "Test Howler" if by_night else "Test Villager"
    tale.see("villager", "name", name, "CR 702.145b: by night it enters transformed")
    howls = ("howl of villager",) if by_night else ()
    tale.see("table", "stack", howls, "CR 702.145b: by night its back face enters")
    if howls:
        tale.do(Pass("everyone"))
    tale.do(CastAction("dye", player), Pass("everyone"), CastAction("mist", player), Pass("everyone"))
    because = "CR 702.145b: it transforms only by its own daybound or nightbound"
    tale.see("villager", "name", name, because)
    tale.see("villager", "colors", ("blue",), f"{because}, so it gets no new timestamp")
    return tale


@law(
    rules=("702.145c", "702.145f", "702.145g"),
    needs=("casting", "steps", "colours", "abilities", "triggers", "day and night"),
)
def what_gets_its_daybound_back_turns_over_at_once(draw: DrawFn, there: Round) -> Tale:
    """A permanent that had no daybound or nightbound as it became night or day turns over as soon as it has
    it again.

    A permanent with its front face up, or with its back face up, which makes it night.
    """
    player = there.players[0]
    front = draw(st.booleans())
    hand = [HeldCard("hush", ALL_HUSHED), HeldCard("change", NIGHTFALL if front else SUNRISE)]
    hand.append(HeldCard("shatter", SHATTER))
    lie = [Permanent("villager", VILLAGER, player, face=None if front else "Test Howler")]
    tale = Tale(table(held_by(there, {player: hand}), lie, there.sides[0]))
    because = "CR 702.145d" if front else "CR 702.145g: nothing has daybound"
    tale.see("table", "daytime", "day" if front else "night", because)
    tale.do(CastAction("hush", player), Pass("everyone"), CastAction("change", player), Pass("everyone"))
    name, other = ("Test Villager", "Test Howler") if front else ("Test Howler", "Test Villager")
    rule = "CR 702.145c" if front else "CR 702.145f"
    tale.see("villager", "name", name, f"{rule}: it has no such ability now")
    tale.do(CastAction("shatter", player), Pass("everyone"))
    tale.see("villager", "name", other, f"{rule}: it has it again, and turns over immediately")
    return tale


@law(rules=("603.4", "608.2i"), needs=("casting", "steps", "triggers", "what happened this turn"))
def abilities_look_back_at_the_last_turn(draw: DrawFn, there: Round) -> Tale:
    """An ability about the spells of the last turn counts those of the turn that has just ended, and of no
    turn before.

    None to two spells of each of two players, in the last turn or in the turn before it.
    """
    own, others = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    waits = draw(st.booleans())
    spells = [(f"own{k}", 0) for k in range(own)] + [(f"theirs{k}", 1) for k in range(others)]
    hands = {
        player: [HeldCard(id, CALM) for id, by in spells if by == at]
        for at, player in enumerate(there.players[:2])
    }
    player = there.players[0]
    lie = [Permanent("stirred", STIRRED, player), Permanent("calmed", CALMED, player)]
    tale = Tale(table(held_by(there, hands, library=5), lie, there.sides[0]))
    cast_in_turn(tale, there, spells, active=0)
    tale.do(Advance("upkeep"))
    if waits:
        own = others = 0
        tale.do(Advance("draw"), Advance("upkeep"))
    stirred = ("upkeep of stirred",) if own + others == 0 else ()
    calmed = ("upkeep of calmed",) if max(own, others) >= 2 else ()
    because = "CR 603.4: none was cast last turn, or two by one player, or neither"
    tale.see("table", "stack", (*stirred, *calmed), because)
    return tale


DAY_AND_NIGHT: tuple[Property[Any], ...] = (
    day_and_night_follow_the_spells_of_the_last_turn,
    what_has_daybound_is_up_as_it_should_be,
    what_gets_its_daybound_back_turns_over_at_once,
    abilities_look_back_at_the_last_turn,
)

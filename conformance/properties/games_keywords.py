"""Laws of keyword abilities (CR 702): those that stand for other abilities, and those that change rules."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.model.scenario import InAnyOrder, SeenCounters
from conformance.properties.games_combat import attacking, battle
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, sort
from conformance.strategies.cards import TARGET
from conformance.strategies.decks import BEAR, CREATURE, MURDER, RECALL, creature, permanent, spell
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    Activate,
    Advance,
    Block,
    Blocker,
    CastAction,
    ChooseAction,
    CostPaid,
    Pass,
    Resolve,
    Settle,
    Special,
)
from reference_engine.language.cards import (
    Activated,
    All,
    Attached,
    Counters,
    Damage,
    DiscardCost,
    ExileCost,
    GainLife,
    Keyword,
    LifeCost,
    LoseLife,
    ManaCost,
    Modify,
    Opponents,
    Part,
    PutCounters,
    Static,
    TargetSpec,
    This,
)
from reference_engine.language.words import CounterKind

# ----------------------------------------------------------------------------------- in combat


def blocking(there: Round, *ids: str) -> Block:
    """The player who is attacked blocks with these, one attacker."""
    return Block(tuple(Blocker(id, ("raider",)) for id in ids), there.players[1])


@sort("combat", "steps", "triggers")
def bushido(draw: DrawFn, there: Round) -> Tale:
    """A creature with bushido attacks, and some creatures block it or none."""
    n, blockers = draw(st.integers(1, 3)), draw(st.integers(0, 2))
    player, enemy = there.players[:2]
    ids = [f"blocker{number}" for number in range(blockers)]
    lie = [Permanent("raider", creature("Samurai", 2, 2, Keyword("bushido", n=n)), player)]
    tale = battle(there, [*lie, Permanent("idle", BEAR, enemy), *(Permanent(id, BEAR, enemy) for id in ids)])
    tale.do(attacking(there, "raider"), Pass("everyone"), blocking(there, *ids), Settle())
    because = "CR 702.45a: it grows once as it becomes blocked, however many creatures block"
    tale.see("raider", "power", 2 + n * bool(blockers), because)
    tale.see("raider", "toughness", 2 + n * bool(blockers), because)
    return tale


@sort("combat", "steps", "triggers", "choices")
def flanking(draw: DrawFn, there: Round) -> Tale:
    """A creature with flanking is blocked by another that has it, or has not."""
    player, enemy = there.players[:2]
    alike = draw(st.booleans())
    knight = creature("Knight", 2, 3, Keyword("flanking"))
    blocker = knight if alike else creature("Guard", 2, 3)
    tale = battle(there, [Permanent("raider", knight, player), Permanent("guard", blocker, enemy)])
    tale.do(attacking(there, "raider"), Pass("everyone"), blocking(there, "guard"), Settle())
    because = "CR 702.25a: a blocker gets -1/-1, unless it has flanking itself"
    tale.see("guard", "power", 2 if alike else 1, because)
    tale.see("raider", "power", 2, because)
    return tale


@law_of(bushido, flanking, rules=("702.25a", "702.45a"), needs=("combat", "steps", "triggers"))
def a_keyword_for_blocks_triggers_as_often_as_it_says() -> None:
    """Bushido triggers once as a creature blocks or becomes blocked, and flanking for each blocker without
    it.

    It does not check that the bonus ends with the turn.
    """


@sort("combat", "steps", "triggers")
def exalted_attack(draw: DrawFn, there: Round) -> Tale:
    """A creature attacks alone or with another, beside a creature with exalted or as one."""
    player, enemy = there.players[:2]
    alone, itself = draw(st.booleans()), draw(st.booleans())
    squire = creature("Squire", 2, 2, Keyword("exalted"))
    lie = [Permanent("raider", squire if itself else BEAR, player), Permanent("other", BEAR, player)]
    lie += [] if itself else [Permanent("squire", squire, player)]
    tale = battle(there, [*lie, Permanent("enemy", squire, enemy)])
    tale.do(attacking(there, *["raider", "other"][: 1 if alone else 2]), Settle())
    because = "CR 702.83a: +1/+1 for a creature that attacks alone, by each exalted ability of its controller"
    tale.see("raider", "power", 3 if alone else 2, because)
    return tale


@sort("combat", "steps", "triggers")
def battle_cry(draw: DrawFn, there: Round) -> Tale:
    """A creature with battle cry attacks, with another or alone."""
    player = there.players[0]
    along = draw(st.booleans())
    drummer = creature("Drummer", 1, 1, Keyword("battle cry"))
    tale = battle(there, [Permanent("drummer", drummer, player), Permanent("bear", BEAR, player)])
    tale.do(attacking(there, "drummer", *["bear"] * along), Settle())
    because = "CR 702.91a: each other attacking creature gets +1/+0"
    tale.see("bear", "power", 3 if along else 2, because)
    tale.see("drummer", "power", 1, because)
    return tale


@law_of(exalted_attack, battle_cry, rules=("702.83a", "702.91a"), needs=("combat", "steps", "triggers"))
def a_keyword_for_attackers_helps_those_it_says() -> None:
    """Exalted boosts a creature that attacks alone; battle cry boosts the other attackers.

    It does not check that the bonus ends with the turn.
    """


@sort("combat", "steps")
def kept_from_blocking(draw: DrawFn, there: Round) -> Tale:
    """A creature with skulk or horsemanship is to be blocked by one that is smaller, as large, larger, or a
    rider.
    """
    player, enemy = there.players[:2]
    word: Any = draw(st.sampled_from(("skulk", "horsemanship")))
    power, rides = draw(st.integers(1, 3)), draw(st.booleans())
    blocker = creature("Guard", power, 3, *[Keyword("horsemanship")] * rides)
    lie = [
        Permanent("raider", creature("Raider", 2, 2, Keyword(word)), player),
        Permanent("guard", blocker, enemy),
    ]
    tale = battle(there, lie)
    tale.do(attacking(there, "raider"), Pass("everyone"))
    if word == "skulk":
        able, because = power <= 2, "CR 702.118b: only creatures with greater power can't block it"
    else:
        able, because = rides, "CR 702.31b: only creatures with horsemanship can block it"
    if not able:
        tale.attempt(blocking(there, "guard"), "rejected", because)
        tale.see("raider", "attacking", enemy, because)
        tale.do(Advance("postcombat main"))
        tale.see(enemy, "life", 18, because)
        return tale
    tale.attempt(blocking(there, "guard"), "done", because)
    tale.see("guard", "blocking", ("raider",), because)
    return tale


KINDS_THAT_MEET: tuple[tuple[str | None, str, str, bool, bool], ...] = (
    *(
        (word, yours, theirs, True, False)
        for word, yours, theirs in (("fear", "{R}", "{0}"), ("fear", "{B}", "{R}"))
    ),
    *(
        ("fear", yours, theirs, False, False)
        for yours, theirs in (("{R}", "{B}"), ("{R}", "{R}"), ("{B}", "{R}"))
    ),
    *(("intimidate", "{R}", theirs, False, False) for theirs in ("{R}", "{B}", "{0}")),
    *(("intimidate", "{B}", theirs, False, False) for theirs in ("{R}", "{B}")),
    ("intimidate", "{R}", "{0}", True, False),
    *(("shadow", "{R}", "{R}", artifact, shadowy) for artifact in (False, True) for shadowy in (False, True)),
    *((word, "{R}", "{B}", False, True) for word in (None, None, "fear", "intimidate")),
    (None, "{R}", "{B}", False, False),
)
"""What an attacker has, its cost, the cost of a blocker, and whether this is an artifact, and has shadow."""


@sort("combat", "steps")
def of_the_wrong_kind(draw: DrawFn, there: Round) -> Tale:
    """A creature with fear, intimidate, shadow or none of them is to be blocked by one of some color, which
    may be an artifact and may have shadow.
    """
    player, enemy = there.players[:2]
    meeting = draw(st.sampled_from(KINDS_THAT_MEET))
    word: Any = meeting[0]
    yours, theirs, artifact, shadowy = meeting[1:]
    raider = creature("Raider", 2, 2, *[Keyword(word)] * bool(word), cost=yours)
    types: Any = ("Artifact", "Creature") if artifact else ("Creature",)
    guard = creature("Guard", 2, 3, *[Keyword("shadow")] * shadowy, cost=theirs, types=types)
    tale = battle(there, [Permanent("raider", raider, player), Permanent("guard", guard, enemy)])
    tale.do(attacking(there, "raider"), Pass("everyone"))
    able, because = True, "CR 509.1b: nothing says that it can't"
    if shadowy or word == "shadow":
        because = "CR 702.28b: creatures with shadow block, and are blocked by, each other alone"
        able = shadowy == (word == "shadow")
    if able and word == "fear":
        because = "CR 702.36b: artifact creatures and black creatures alone can block it"
        able = artifact or theirs == "{B}"
    if able and word == "intimidate":
        because = "CR 702.13b: artifact creatures and those that share a color with it alone can block it"
        able = artifact or theirs == yours
    tale.attempt(blocking(there, "guard"), "done" if able else "rejected", because)
    tale.see("guard", "blocking", ("raider",) if able else (), because)
    return tale


@law_of(
    kept_from_blocking,
    of_the_wrong_kind,
    rules=("702.13b", "702.28b", "702.31b", "702.36b", "702.118b", "509.1b"),
    needs=("combat", "steps"),
)
def some_creatures_can_not_be_blocked_by_others() -> None:
    """A creature with skulk can't be blocked by creatures with greater power, and one with horsemanship,
    fear, intimidate or shadow only by creatures of the kind that this names.

    It does not check power that changes after the block.
    """


# -------------------------------------------------------------------------------------- damage


@sort("combat", "steps", "counters")
def poisoned_player(draw: DrawFn, there: Round) -> Tale:
    """A creature with infect, toxic or both deals combat damage to a player; it may wither as well."""
    player, enemy = there.players[:2]
    power, n = draw(st.integers(1, 3)), draw(st.integers(0, 2))
    infects, withers = draw(st.booleans()) or not n, draw(st.booleans())
    words = [*[Keyword("infect")] * infects, *[Keyword("toxic", n=n)] * bool(n)]
    words += [Keyword("wither")] * withers
    tale = battle(there, [Permanent("snake", creature("Snake", power, 1, *words), player)])
    tale.do(attacking(there, "snake"), Advance("postcombat main"))
    because = "CR 702.90b: infect gives poison counters instead of taking life"
    tale.see(enemy, "life", 20 if infects else 20 - power, because)
    because = "CR 702.164c: toxic gives its poison counters with combat damage, besides its other results"
    tale.see(enemy, "counters", (SeenCounters("poison", n + power * infects),), because)
    return tale


@sort("combat", "steps", "triggers", "counters")
def poisoned_by_trigger(draw: DrawFn, there: Round) -> Tale:
    """A creature with poisonous attacks and is blocked or not, and blocks or not."""
    player, enemy = there.players[:2]
    n, blocked = draw(st.integers(1, 3)), draw(st.booleans())
    wasp = creature("Wasp", 2, 3, Keyword("poisonous", n=n))
    tale = battle(there, [Permanent("raider", wasp, player), Permanent("guard", BEAR, enemy)])
    tale.do(attacking(there, "raider"), Pass("everyone"), blocking(there, *["guard"] * blocked))
    tale.do(Advance("combat damage"))
    because = "CR 702.70a: it triggers on combat damage to a player"
    tale.see("table", "stack", () if blocked else ("poisonous of raider",), because)
    tale.do(Settle())
    because = "CR 702.70a: as many poison counters as it says, whatever the damage"
    tale.see(enemy, "counters", () if blocked else (SeenCounters("poison", n),), because)
    tale.see(enemy, "life", 20 if blocked else 18, "CR 120.3a: the damage is loss of life, too")
    return tale


@sort("casting", "steps", "targets", "counters")
def damage_to_a_creature(draw: DrawFn, there: Round) -> Tale:
    """A spell with infect, wither or neither deals damage to a creature that absorbs some of it, or not."""
    player = there.players[0]
    amount, absorbs = draw(st.integers(1, 4)), draw(st.integers(0, 3))
    word: Any = draw(st.sampled_from((None, "infect", "wither")))
    shrinks = word is not None
    words = (Keyword(word),) if word else ()
    burn = spell("Burn", Damage(amount, TARGET), targets=(CREATURE,), keywords=words)
    golem = creature("Golem", 7, 7, *[Keyword("absorb", n=absorbs)] * bool(absorbs))
    lie = [Permanent("golem", golem, draw(st.sampled_from(there.players)))]
    tale = Tale(table(held_by(there, {player: [HeldCard("burn", burn)]}), lie, there.sides[0]))
    tale.do(CastAction("burn", player, targets=(("golem",),)), Pass("everyone"))
    dealt = max(amount - absorbs, 0)
    because = "CR 702.64a: absorb prevents so much of what is dealt"
    tale.see("golem", "toughness", 7 - dealt * shrinks, because)
    because = "CR 702.80a, 702.90c: wither and infect give -1/-1 counters, and mark no damage"
    tale.see("golem", "counters", (SeenCounters("-1/-1", dealt),) if dealt and shrinks else (), because)
    tale.see("golem", "damage", 0 if shrinks else dealt, because)
    return tale


@law_of(
    poisoned_player,
    poisoned_by_trigger,
    damage_to_a_creature,
    rules=("702.64a", "702.70a", "702.80a", "702.90b", "702.90c", "702.164c", "120.3"),
    needs=("combat", "steps", "counters"),
)
def damage_may_come_as_counters_or_not_at_all() -> None:
    """Infect and wither turn damage into counters, toxic and poisonous add poison counters, and absorb
    prevents some damage.

    It does not check that a player with ten poison counters loses.
    """


# -------------------------------------------------------------------------- what permanents ask for


@sort("casting", "steps", "targets", "triggers", "choices")
def target_with_ward(draw: DrawFn, there: Round) -> Tale:
    """A spell of somebody's targets a creature with ward, and its cost is paid or not."""
    number = draw(st.integers(0, len(there.sides) - 1))
    player, owner = there.players[number], there.players[0]
    pays = draw(st.booleans())
    jolt = spell("Jolt", Damage(1, TARGET), targets=(CREATURE,))
    golem = creature("Golem", 3, 3, Keyword("ward", costs=(LifeCost(2),)))
    seats = held_by(there, {player: [HeldCard("jolt", jolt)]})
    tale = Tale(table(seats, [Permanent("golem", golem, owner)], there.sides[0]))
    tale.do(*(Pass(side) for side in there.sides[:number]))
    if number:
        tale.do(ChooseAction("may", player, (pays,), "ward of golem"))
    tale.do(CastAction("jolt", player, targets=(("golem",),)))
    stacked = ("jolt", "ward of golem") if number else ("jolt",)
    tale.see("table", "stack", stacked, "CR 702.21a: it triggers on opponents' spells alone")
    tale.do(Settle())
    because = "CR 702.21a: the spell is countered unless its controller pays"
    tale.see("golem", "damage", 1 if pays or not number else 0, because)
    tale.see(player, "life", 18 if number and pays else 20, because)
    return tale


@sort("casting", "steps", "triggers", "choices", "counters")
def kept_up(draw: DrawFn, there: Round) -> Tale:
    """A permanent with cumulative upkeep stays for some of its controller's turns."""
    player, side = there.players[0], there.sides[0]
    turns = draw(st.integers(1, 2))
    glacier = creature("Glacier", 4, 4, Keyword("cumulative upkeep", costs=(LifeCost(1),)))
    tale = Tale(table(held_by(there, {}, library=4), [Permanent("glacier", glacier, player)], side))
    for _ in range(turns):
        tale.do(
            ChooseAction("may", player, (True,), "cumulative upkeep of glacier"),
            Advance("upkeep", side),
            Resolve("cumulative upkeep of glacier"),
        )
    because = "CR 702.24a: each time it costs once more, for each age counter"
    tale.see("glacier", "counters", (SeenCounters("age", turns),), because)
    tale.see(player, "life", 20 - turns * (turns + 1) // 2, because)
    tale.do(
        ChooseAction("may", player, (False,), "cumulative upkeep of glacier"),
        Advance("upkeep", side),
        Resolve("cumulative upkeep of glacier"),
    )
    tale.see("glacier", "zone", "graveyard", "CR 702.24a: if the cost is not paid, it is sacrificed")
    return tale


@sort("casting", "steps", "triggers", "choices")
def asked_once(draw: DrawFn, there: Round) -> Tale:
    """A creature with echo enters, and is paid for or not in the next upkeep of its controller."""
    player, side = there.players[0], there.sides[0]
    pays = draw(st.booleans())
    caller = creature("Caller", 2, 2, Keyword("echo", costs=(LifeCost(2),)))
    seats = held_by(there, {player: [HeldCard("caller", caller)]}, library=4)
    tale = Tale(table(seats, (), side))
    tale.do(CastAction("caller", player), Resolve("caller"), Advance("upkeep", there.sides[1]))
    because = "CR 702.30a: it triggers in its controller's upkeep"
    tale.see("table", "stack", (), because)
    tale.do(Advance("upkeep", side))
    tale.see("table", "stack", ("echo of caller",), because)
    tale.do(ChooseAction("may", player, (pays,), "echo of caller"), Settle())
    because = "CR 702.30a: it is sacrificed unless its controller pays"
    tale.see("caller", "zone", "battlefield" if pays else "graveyard", because)
    tale.see(player, "life", 18 if pays else 20, because)
    tale.do(Advance("upkeep", side))
    because = "CR 702.30a: it came under their control before their last upkeep"
    tale.see("table", "stack", (), because)
    return tale


@law_of(
    target_with_ward,
    kept_up,
    asked_once,
    rules=("702.21a", "702.24a", "702.30a"),
    needs=("casting", "steps", "targets", "triggers", "choices"),
)
def some_permanents_ask_for_payments() -> None:
    """Ward makes opponents pay for targeting its object, cumulative upkeep costs more each turn, and echo is
    paid once.

    It does not check ward costs other than life, or abilities that target.
    """


@sort("casting", "choices", "counters")
def riotous(draw: DrawFn, there: Round) -> Tale:
    """A creature with riot enters."""
    player, larger = there.players[0], draw(st.booleans())
    goblin = creature("Goblin", 2, 2, Keyword("riot"))
    tale = Tale(table(held_by(there, {player: [HeldCard("goblin", goblin)]}), (), there.sides[0]))
    tale.do(ChooseAction("may", player, (larger,), "goblin"), CastAction("goblin", player), Resolve("goblin"))
    because = "CR 702.136a: it enters with a +1/+1 counter, or else gains haste"
    tale.see("goblin", "power", 3 if larger else 2, because)
    tale.see("goblin", "keywords", InAnyOrder(("riot",) if larger else ("haste", "riot")), because)
    return tale


@sort("casting", "counters")
def modular(draw: DrawFn, there: Round) -> Tale:
    """A creature with modular enters."""
    player, n = there.players[0], draw(st.integers(1, 3))
    worker = creature("Worker", 0, 0, Keyword("modular", n=n))
    tale = Tale(table(held_by(there, {player: [HeldCard("worker", worker)]}), (), there.sides[0]))
    tale.do(CastAction("worker", player), Resolve("worker"))
    tale.see("worker", "power", n, "CR 702.43a: it enters with that number of +1/+1 counters")
    return tale


@law_of(riotous, modular, rules=("702.43a", "702.136a"), needs=("casting", "counters"))
def some_creatures_enter_larger() -> None:
    """A creature with modular enters with +1/+1 counters; one with riot gets a +1/+1 counter or haste.

    It does not check what modular does as the creature dies.
    """


# ---------------------------------------------------------------------------- other costs, other ways


@sort("activated abilities", "steps", "payments", "types")
def crewed_vehicle(draw: DrawFn, there: Round) -> Tale:
    """A Vehicle is crewed by one creature, or the attempt fails."""
    player, n, power = there.players[0], draw(st.integers(1, 4)), draw(st.integers(0, 4))
    barge = replace(
        permanent("Barge", Keyword("crew", n=n), type="Artifact", subtypes=("Vehicle",)), power=3, toughness=3
    )
    lie = [Permanent("barge", barge, player), Permanent("sailor", creature("Sailor", power, 2), player)]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0]))
    tale.see("barge", "power", None, "CR 301.7a: it has power and toughness only while it is a creature")
    crew = Activate("barge", "crew", player, costs=(CostPaid("tap", ("sailor",)),))
    able = power >= n
    because = "CR 702.122a: creatures with that total power are tapped"
    tale.attempt(crew, "done" if able else "rejected", because)
    tale.do(Settle())
    tale.see("barge", "power", 3 if able else None, "CR 301.7b: as a creature it has its printed power")
    tale.see("sailor", "tapped", able, because)
    return tale


@law_of(
    crewed_vehicle,
    rules=("301.7a", "301.7b", "702.122a"),
    needs=("activated abilities", "steps", "payments", "types"),
)
def a_vehicle_is_a_creature_while_it_is_crewed() -> None:
    """A Vehicle becomes a creature when creatures with enough total power are tapped to crew it.

    It does not check whether the Vehicle can attack.
    """


@sort("casting", "steps", "triggers", "payments", "costs")
def evoked_or_not(draw: DrawFn, there: Round) -> Tale:
    """A creature with evoke is cast for its mana cost or for its evoke cost."""
    player, evokes = there.players[0], draw(st.booleans())
    muller = creature("Muller", 2, 2, Keyword("evoke", mana="{1}"), cost="{3}")
    tale = Tale(table(held_by(there, {player: [HeldCard("muller", muller)]}), (), there.sides[0]))
    tale.do(CastAction("muller", player, costs=(CostPaid("method", ("evoke",)),) * evokes), Resolve("muller"))
    because = "CR 702.74a: a trigger sacrifices it if its evoke cost was paid"
    tale.see("muller", "zone", "battlefield", because)
    tale.see("table", "stack", ("evoke of muller",) if evokes else (), because)
    tale.do(Settle())
    tale.see("muller", "zone", "graveyard" if evokes else "battlefield", because)
    return tale


@sort("casting", "steps", "triggers", "payments", "costs")
def dashed_or_not(draw: DrawFn, there: Round) -> Tale:
    """A creature with dash is cast for its mana cost or for its dash cost."""
    player, dashes = there.players[0], draw(st.booleans())
    runner = creature("Dasher", 2, 2, Keyword("dash", mana="{1}"), cost="{3}")
    tale = Tale(table(held_by(there, {player: [HeldCard("runner", runner)]}), (), there.sides[0]))
    tale.do(CastAction("runner", player, costs=(CostPaid("method", ("dash",)),) * dashes), Resolve("runner"))
    words = ("dash {1}", "haste") if dashes else ("dash {1}",)
    tale.see("runner", "keywords", InAnyOrder(words), "CR 702.109a: haste, if its dash cost was paid")
    tale.do(Advance("end"), Settle())
    because = "CR 702.109a: it returns to hand at the next end step, if its dash cost was paid"
    tale.see("runner", "zone", "hand" if dashes else "battlefield", because)
    return tale


@law_of(
    evoked_or_not,
    dashed_or_not,
    rules=("702.74a", "702.109a"),
    needs=("casting", "steps", "triggers", "payments", "costs"),
)
def a_cost_that_was_paid_decides_how_long_it_stays() -> None:
    """A creature whose evoke cost was paid is sacrificed; one whose dash cost was paid returns to hand."""


@sort("activated abilities", "casting", "steps", "payments", "triggers", "choices")
def thrown_in_madness(draw: DrawFn, there: Round) -> Tale:
    """A card with madness or without is discarded as a cost, and is cast or not."""
    player, mad, casts = there.players[0], draw(st.booleans()), draw(st.booleans())
    charm = spell("Frenzy", GainLife(3), type="Sorcery", keywords=(*[Keyword("madness", mana="{0}")] * mad,))
    den = permanent("Den", Activated((DiscardCost(1),), (LoseLife(1),), name="throw"), type="Artifact")
    seats = held_by(there._replace(spare=False), {player: [HeldCard("charm", charm)]})
    tale = Tale(table(seats, [Permanent("den", den, player)], there.sides[0]))
    if mad:
        tale.do(ChooseAction("may", player, (casts,), "madness of charm"))
    tale.do(Activate("den", "throw", player, costs=(CostPaid("discard", ("charm",)),)))
    tale.see("charm", "zone", "exile" if mad else "graveyard", "CR 702.35a: with madness, it is exiled")
    tale.do(Settle())
    because = "CR 702.35a: its owner may cast it as it was exiled, and otherwise it goes to the graveyard"
    tale.see(player, "life", 22 if mad and casts else 19, because)
    tale.see("charm", "zone", "graveyard", because)
    return tale


@law_of(
    thrown_in_madness,
    rules=("702.35a",),
    needs=("activated abilities", "casting", "steps", "payments", "triggers", "choices"),
)
def what_is_discarded_in_madness_may_be_cast() -> None:
    """A card with madness is exiled when it is discarded, and its owner may then cast it."""


@sort("combat", "steps", "activated abilities", "payments")
def ninja_instead(draw: DrawFn, there: Round) -> Tale:
    """A creature attacks, is blocked or not, and makes way for a card with ninjutsu, or can't."""
    player, enemy = there.players[:2]
    blocked, power = draw(st.booleans()), draw(st.integers(1, 4))
    ninja = creature("Ninja", power, 2, Keyword("ninjutsu", mana="{0}"))
    lie = [Permanent("raider", BEAR, player), Permanent("guard", BEAR, enemy)]
    tale = battle(there, lie, {player: [HeldCard("ninja", ninja)]})
    tale.do(attacking(there, "raider"), Pass("everyone"), blocking(there, *["guard"] * blocked))
    comes = Activate("ninja", "ninjutsu", player, costs=(CostPaid("return", ("raider",)),))
    because = "CR 702.49a: an unblocked attacker is returned"
    tale.attempt(comes, "rejected" if blocked else "done", because)
    if blocked:
        tale.see("ninja", "zone", "hand", because)
    tale.do(Settle())
    if not blocked:
        because = "CR 702.49c: it attacks what the other attacked"
        tale.see("ninja", "attacking", enemy, because)
        tale.do(Advance("postcombat main"))
        tale.see(enemy, "life", 20 - power, because)
    return tale


@law_of(
    ninja_instead,
    rules=("702.49a", "702.49c"),
    needs=("combat", "steps", "activated abilities", "payments"),
)
def ninjutsu_takes_over_an_attack() -> None:
    """A creature put onto the battlefield by ninjutsu replaces an unblocked attacker and attacks the same
    player.

    It does not check several attackers.
    """


@sort("casting", "steps", "payments", "costs")
def escape_or_not(draw: DrawFn, there: Round) -> Tale:
    """A card with escape lies in a graveyard with other cards, enough of them or too few."""
    player, n, others = there.players[0], draw(st.integers(1, 3)), draw(st.integers(0, 3))
    graves = All(zones=frozenset({"graveyard"}), other_than=This())
    phoenix = creature(
        "Phoenix", 2, 2, Keyword("escape", mana="{0}", costs=(ExileCost(graves, n, "graveyard"),))
    )
    ids = tuple(f"grave{number}" for number in range(others))
    grave = [HeldCard("phoenix", phoenix), *(HeldCard(id, BEAR) for id in ids)]
    seats = tuple(
        seat._replace(graveyard=grave) if seat.id == player else seat for seat in held_by(there, {})
    )
    tale = Tale(table(seats, (), there.sides[0]))
    costs = (CostPaid("method", ("escape",)), CostPaid("exile", ids[:n]))
    because = "CR 702.138a: its escape cost has to be paid, all of it"
    able = others >= n
    tale.attempt(CastAction("phoenix", player, costs=costs), "done" if able else "rejected", because)
    tale.do(Settle())
    tale.see("phoenix", "zone", "battlefield" if able else "graveyard", because)
    if able:
        tale.see(ids[0], "zone", "exile", because)
    return tale


@law_of(escape_or_not, rules=("702.138a",), needs=("casting", "steps", "payments", "costs"))
def a_card_escapes_for_others_in_the_graveyard() -> None:
    """A card with escape is cast from the graveyard if its cost can be paid."""


@sort("casting", "steps", "targets", "payments", "costs")
def overloaded_or_not(draw: DrawFn, there: Round) -> Tale:
    """A spell with overload is cast at one creature, or overloaded."""
    player, enemy = there.players[:2]
    number, overloads = draw(st.integers(1, 3)), draw(st.booleans())
    theirs = TargetSpec(what=All(type=frozenset({"Creature"}), controller=Opponents()))
    jolt = spell("Jolt", Damage(1, TARGET), targets=(theirs,), keywords=(Keyword("overload", mana="{2}"),))
    ids = [f"wall{n}" for n in range(number)]
    lie = [Permanent("own", creature("Wall", 0, 4), player)]
    lie += [Permanent(id, creature("Wall", 0, 4), enemy) for id in ids]
    tale = Tale(table(held_by(there, {player: [HeldCard("jolt", jolt)]}), lie, there.sides[0]))
    if overloads:
        tale.do(CastAction("jolt", player, costs=(CostPaid("method", ("overload",)),)))
    else:
        tale.do(CastAction("jolt", player, targets=((ids[0],),)))
    tale.do(Settle())
    because = "CR 702.96a: an overloaded spell does to each what it would do to the target"
    for id in ids:
        tale.see(id, "damage", 1 if overloads or id == ids[0] else 0, because)
    tale.see("own", "damage", 0, because)
    return tale


@law_of(overloaded_or_not, rules=("702.96a",), needs=("casting", "steps", "targets", "payments", "costs"))
def an_overloaded_spell_is_for_each() -> None:
    """A spell whose overload cost was paid affects each object that could be described as its target.

    It does not check creatures that can't be targeted.
    """


@sort("casting", "steps", "special actions", "payments", "costs")
def plotted_earlier(draw: DrawFn, there: Round) -> Tale:
    """A card with plot is plotted, and cast the same turn or on its owner's next one."""
    player, side = there.players[0], there.sides[0]
    waits = draw(st.booleans())
    outlaw = creature("Outlaw", 2, 2, Keyword("plot", mana="{1}"), cost="{4}")
    seats = held_by(there, {player: [HeldCard("outlaw", outlaw)]}, library=3)
    tale = Tale(table(seats, (), side))
    tale.do(Special("plot", player, "outlaw"))
    tale.see("outlaw", "zone", "exile", "CR 702.170a: plotting exiles the card from hand")
    if waits:
        tale.do(Advance("precombat main", side))
    because = "CR 702.170d: a plotted card may be cast on a later turn"
    cast = CastAction("outlaw", player, costs=(CostPaid("method", ("plot",)),))
    tale.attempt(cast, "done" if waits else "rejected", because)
    return tale


@law_of(
    plotted_earlier,
    rules=("702.170a", "702.170d"),
    needs=("casting", "steps", "special actions", "payments", "costs"),
)
def a_plotted_card_waits_for_a_later_turn() -> None:
    """A plotted card is cast without paying its mana cost, but not on the turn in which it was plotted."""


@sort("casting", "steps", "targets", "triggers", "face down", "choices")
def disguised_or_not(draw: DrawFn, there: Round) -> Tale:
    """A card with morph or disguise is cast face down, and becomes the target of an opponent's spell."""
    player, enemy = there.players[:2]
    word: Any = draw(st.sampled_from(("disguise", "morph")))
    spy = creature("Spy", 4, 4, Keyword(word, mana="{1}"))
    jolt = spell("Jolt", Damage(1, TARGET), targets=(CREATURE,))
    tale = Tale(
        table(
            held_by(there, {player: [HeldCard("spy", spy)], enemy: [HeldCard("jolt", jolt)]}),
            (),
            there.sides[0],
        )
    )
    tale.do(CastAction("spy", player, face_down=True), Settle(), Pass(there.sides[0]))
    if word == "disguise":
        tale.do(ChooseAction("may", enemy, (False,), "ward of spy"))
    tale.do(CastAction("jolt", enemy, targets=(("spy",),)), Settle())
    because = "CR 702.168a: with disguise, and only then, it has ward {2} while face down"
    tale.see("spy", "damage", 0 if word == "disguise" else 1, because)
    tale.see("spy", "power", 2, because)
    return tale


@law_of(
    disguised_or_not,
    rules=("702.168a",),
    needs=("casting", "steps", "targets", "triggers", "face down", "choices"),
)
def a_disguise_wards() -> None:
    """A creature cast face down with disguise has ward; one cast face down with morph does not."""


COMET = creature("Comet", 3, 3, Keyword("flash"), Keyword("warp", "{0}"))


@law(rules=("702.185a",), needs=("casting", "steps", "payments"))
def a_warped_card_waits_for_a_later_turn(draw: DrawFn, there: Round) -> Tale:
    """A creature cast for its warp cost is exiled at the next end step, and may be cast from exile only when
    that turn has ended.

    A creature with flash, cast for its warp cost or not, and once more in the same turn or in a later one.
    """
    player = there.players[0]
    warped, waits = draw(st.booleans()), draw(st.booleans())
    tale = Tale(table(held_by(there, {player: [HeldCard("comet", COMET)]}, library=4), (), there.sides[0]))
    paid = (CostPaid("method", ("warp",)),) if warped else ()
    tale.do(CastAction("comet", player, costs=paid), Settle(), Advance("end"), Settle())
    because = "CR 702.185a: it is exiled at the beginning of the end step if its warp cost was paid"
    tale.see("comet", "zone", "exile" if warped else "battlefield", because)
    if waits:
        tale.do(Advance("upkeep", there.sides[0]))
    because = "CR 702.185a: from exile it is cast after the turn has ended, and never from the battlefield"
    again = CastAction("comet", player)
    tale.attempt(again, "done" if warped and waits else "rejected", because)
    return tale


@law(rules=("122.1h",), needs=("casting", "steps", "targets", "counters"))
def what_has_a_finality_counter_never_dies(draw: DrawFn, there: Round) -> Tale:
    """A permanent with a finality counter is exiled instead of being put into a graveyard.

    A creature with a finality counter or another one, which is destroyed or returned to its owner's hand.
    """
    player = there.players[0]
    kind: CounterKind = draw(st.sampled_from(("finality", "charge")))
    mark = spell("Mark", PutCounters((Counters(kind),), TARGET), targets=(CREATURE,))
    dies = draw(st.booleans())
    hand = [HeldCard("mark", mark), HeldCard("doom", MURDER if dies else RECALL)]
    tale = Tale(table(held_by(there, {player: hand}), [Permanent("bear", BEAR, player)], there.sides[0]))
    tale.do(CastAction("mark", player, targets=(("bear",),)), Settle())
    tale.do(CastAction("doom", player, targets=(("bear",),)), Settle())
    because = "CR 122.1h: exiled instead of the graveyard, and of no other zone"
    tale.see("bear", "zone", "hand" if not dies else "exile" if kind == "finality" else "graveyard", because)
    return tale


@law(rules=("702.177a",), needs=("casting", "steps", "targets", "activated abilities", "counters"))
def an_exhausted_ability_is_used_up(draw: DrawFn, there: Round) -> Tale:
    """An ability with exhaust can be activated once, in this turn or another, and another permanent's or that
    of a new object is a different ability.

    A creature with such an ability, and another one; one of them may leave the battlefield and come back.
    """
    player = there.players[0]
    grow = Activated(
        (ManaCost("{0}"),), (PutCounters((Counters("+1/+1"),), This()),), exhaust=True, name="grow"
    )
    runner = creature("Runner", 1, 1, grow)
    lie = [Permanent("one", runner, player), Permanent("other", runner, player)]
    hand = [HeldCard("recall", RECALL)]
    tale = Tale(table(held_by(there, {player: hand}, library=6), lie, there.sides[0]))
    tale.do(Activate("one", "grow", player), Pass("everyone"))
    renewed = draw(st.booleans())
    if renewed:
        tale.do(CastAction("recall", player, targets=(("one",),)), Pass("everyone"))
        tale.do(CastAction("one", player), Pass("everyone"))
    elif draw(st.booleans()):
        tale.do(Advance("precombat main", there.sides[0]))
    because = "CR 400.7: a new object" if renewed else "CR 702.177a: only once"
    tale.attempt(Activate("one", "grow", player), "done" if renewed else "rejected", because)
    tale.attempt(Activate("other", "grow", player), "done", "CR 702.177a: that is another ability")
    return tale


WREATH = creature(
    "Wreath",
    2,
    1,
    Keyword("bestow", "{0}"),
    Static((Part(Attached(), (Modify(3, 3),)),)),
    types=("Enchantment", "Creature"),
)


@law(
    rules=("702.103b", "702.103c", "702.103e", "702.103f"),
    needs=("casting", "steps", "targets", "payments", "attachments", "anthems"),
)
def a_bestowed_creature_is_an_aura_while_it_enchants(draw: DrawFn, there: Round) -> Tale:
    """A creature cast bestowed is an Aura until it has no creature to enchant, and a creature from then on.

    The creature that it would enchant stays, or leaves before or after the spell resolves.
    """
    player = there.players[0]
    leaves = draw(st.sampled_from(("never", "before", "after")))
    gone = CastAction("gone", player, targets=(("bear",),))
    hand = [HeldCard("wreath", WREATH), HeldCard("gone", draw(st.sampled_from((MURDER, RECALL))))]
    tale = Tale(table(held_by(there, {player: hand}), [Permanent("bear", BEAR, player)], there.sides[0]))
    bestowed = (CostPaid("method", ("bestow",)),)
    tale.do(CastAction("wreath", player, costs=bestowed, targets=(("bear",),)))
    tale.see("wreath", "types", InAnyOrder(("Enchantment",)), "CR 702.103b: an Aura spell, and no creature")
    if leaves == "before":
        tale.do(gone)
    tale.do(Settle())
    if leaves == "after":
        tale.see("bear", "power", 5, "CR 702.103b: it is enchanted")
        tale.do(gone, Settle())
    tale.see("wreath", "zone", "battlefield", "CR 702.103e, 702.103f: with or without what it enchants")
    types = ("Enchantment",) if leaves == "never" else ("Creature", "Enchantment")
    tale.see("wreath", "types", InAnyOrder(types), "CR 702.103f: a creature once it is not bestowed")
    return tale


KEYWORD_ABILITIES: tuple[Property[Any], ...] = (
    a_keyword_for_blocks_triggers_as_often_as_it_says,
    a_keyword_for_attackers_helps_those_it_says,
    some_creatures_can_not_be_blocked_by_others,
    damage_may_come_as_counters_or_not_at_all,
    some_permanents_ask_for_payments,
    some_creatures_enter_larger,
    a_vehicle_is_a_creature_while_it_is_crewed,
    a_cost_that_was_paid_decides_how_long_it_stays,
    what_is_discarded_in_madness_may_be_cast,
    ninjutsu_takes_over_an_attack,
    a_card_escapes_for_others_in_the_graveyard,
    an_overloaded_spell_is_for_each,
    a_plotted_card_waits_for_a_later_turn,
    a_disguise_wards,
    a_warped_card_waits_for_a_later_turn,
    what_has_a_finality_counter_never_dies,
    an_exhausted_ability_is_used_up,
    a_bestowed_creature_is_an_aura_while_it_enchants,
)

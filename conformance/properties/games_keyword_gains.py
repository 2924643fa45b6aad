"""Laws of keyword abilities that trigger in combat (mentor, provoke, afflict, ingest), and of those that
bring tokens or counters (afterlife, fabricate, fading, unleash).
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.model.scenario import Number, SeenCounters
from conformance.properties.games_combat import attacking, battle
from conformance.properties.games_keywords import blocking
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law
from conformance.strategies.decks import BEAR, GROWTH, MURDER, creature, permanent
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    Advance,
    Attack,
    Attacker,
    Block,
    Blocker,
    Call,
    CastAction,
    ChooseAction,
    Pass,
    Resolve,
    Settle,
    TokenNames,
)
from reference_engine.language.cards import Keyword

GROWN = (SeenCounters("+1/+1", 1),)

# -------------------------------------------------------------------------------------- in combat


@law(
    rules=("702.134a", "608.2b"),
    needs=("combat", "steps", "triggers", "targets", "casting", "counters", "anthems"),
)
def a_mentor_helps_weaker_attackers_alone(draw: DrawFn, there: Round) -> Tale:
    """Mentor puts a +1/+1 counter on another attacking creature with less power, if its power is still less
    as the ability resolves.

    A mentor attacks with another creature that is weaker, as strong or stronger, which may grow in response.
    A weak creature stays at home.
    """
    player = there.players[0]
    power, grows = draw(st.integers(1, 4)), draw(st.booleans())
    lie = [
        Permanent("teacher", creature("Teacher", 3, 3, Keyword("mentor")), player),
        Permanent("pupil", creature("Pupil", power, 3), player),
        Permanent("idle", creature("Novice", 1, 1), player),
    ]
    tale = battle(there, lie, {player: [HeldCard("growth", GROWTH)]})
    tale.do(attacking(there, "teacher", "pupil"))
    because = "CR 702.134a: it targets an attacking creature with less power than the mentor's"
    tale.see("table", "stack", ("mentor of teacher",) if power < 3 else (), because)
    if grows:
        tale.do(CastAction("growth", player, targets=(("pupil",),)), Resolve("growth"))
    tale.do(Settle())
    because = "CR 608.2b: the power of the target is compared again as the ability resolves"
    tale.see("pupil", "counters", GROWN if power + 2 * grows < 3 else (), because)
    tale.see("idle", "counters", (), "CR 702.134a: it does not attack")
    return tale


@law(rules=("702.39a", "509.1c"), needs=("combat", "steps", "triggers", "targets", "choices"))
def who_is_provoked_untaps_and_blocks(draw: DrawFn, there: Round) -> Tale:
    """The creature that is provoked untaps and must block the attacker, if the attacker's controller wants
    that.

    A tapped creature is provoked or not; its controller tries not to block at all.
    """
    player, enemy = there.players[:2]
    wants = draw(st.booleans())
    lie = [
        Permanent("bully", creature("Bully", 2, 2, Keyword("provoke")), player),
        Permanent("victim", creature("Victim", 1, 4), enemy, tapped=True),
        Permanent("fresh", BEAR, enemy),
    ]
    tale = battle(there, lie)
    tale.do(
        ChooseAction("targets", player, ("victim",), "provoke of bully"),
        ChooseAction("may", player, (wants,), "provoke of bully"),
        attacking(there, "bully"),
        Settle(),
    )
    because = "CR 702.39a: it untaps only if the attacker's controller has it block"
    tale.see("victim", "tapped", not wants, because)
    tale.do(Pass("everyone"))
    if wants:
        tale.attempt(blocking(there), "rejected", "CR 702.39a: it blocks if able")
        by_other, by_victim = (Block((Blocker(id, ("bully",)),), enemy) for id in ("fresh", "victim"))
        tale.attempt(by_other, "rejected", "CR 702.39a: no other creature blocks for it")
        tale.attempt(by_victim, "done", "CR 702.39a: it blocks the creature that provoked it")
    else:
        tale.attempt(blocking(there), "done", "CR 509.1a: nobody has to block")
    return tale


@law(rules=("702.130a", "508.5"), needs=("combat", "steps", "triggers"))
def whoever_blocks_the_afflicting_loses_life(draw: DrawFn, there: Round) -> Tale:
    """Afflict makes the defending player lose life once as the creature becomes blocked, by however many
    creatures.

    A creature with afflict attacks, and up to two creatures block it.
    """
    player, enemy = there.players[:2]
    n, blockers = draw(st.integers(1, 3)), draw(st.integers(0, 2))
    ids = [f"blocker{number}" for number in range(blockers)]
    lie = [Permanent("raider", creature("Tormentor", 2, 2, Keyword("afflict", n=n)), player)]
    lie += [Permanent("idle", BEAR, enemy), *(Permanent(id, BEAR, enemy) for id in ids)]
    tale = battle(there, lie)
    tale.do(attacking(there, "raider"), Pass("everyone"), blocking(there, *ids), Settle())
    because = "CR 702.130a: the defending player loses so much life once as it becomes blocked"
    for other in there.players:
        tale.see(other, "life", 20 - n * (other == enemy and bool(blockers)), because)
    return tale


@law(rules=("702.115a",), needs=("combat", "steps", "triggers", "choices"))
def what_ingests_exiles_the_top_card_of_whom_it_hurts(draw: DrawFn, there: Round) -> Tale:
    """A creature with ingest that deals combat damage to a player exiles the top card of that player's
    library.

    Up to two such creatures attack; the first one may be blocked.
    """
    player, enemy = there.players[:2]
    attackers, blocked = draw(st.integers(1, 2)), draw(st.booleans())
    eater = creature("Eater", 1, 3, Keyword("ingest"))
    ids = ["raider", "other"][:attackers]
    lie = [*(Permanent(id, eater, player) for id in ids), Permanent("guard", BEAR, enemy)]
    seats = held_by(there, {}, library=4)
    tale = Tale(table(seats, lie, there.sides[0], "beginning of combat"))
    tale.do(Pass("everyone"), attacking(there, *ids), Pass("everyone"))
    hits = attackers - blocked
    if hits == 2:
        order = ("ingest of raider", "ingest of other")
        tale.do(ChooseAction("order", player, order, "combat damage"))
    tale.do(blocking(there, *["guard"] * blocked), Advance("end of combat"))
    because = "CR 702.115a: one card for each time it deals combat damage to the player"
    tale.see(enemy, "library_size", 4 - hits, because)
    for number in range(3):
        zone = "exile" if number < hits else "library"
        tale.see(f"{enemy}_card{number}", "zone", zone, "CR 702.115a: from the top of that player's library")
    return tale


# ----------------------------------------------------------------------------- tokens and counters


@law(rules=("702.135a", "603.3a"), needs=("casting", "steps", "targets", "triggers", "tokens"))
def after_its_life_come_spirits(draw: DrawFn, there: Round) -> Tale:
    """As a creature with afterlife dies, its controller gets that many Spirits, whoever killed it.

    A spell of its controller or of another player destroys it.
    """
    owner = draw(st.sampled_from(there.players))
    n = draw(st.integers(1, 2))
    killer = there.players[0]
    seats = held_by(there, {killer: [HeldCard("murder", MURDER)]})
    names = ("spirit1", "spirit2")[:n]
    lie = [Permanent("ghost", creature("Mourner", 1, 1, Keyword("afterlife", n=n)), owner)]
    tale = Tale(table(seats, lie, there.sides[0]))
    tale.do(
        CastAction("murder", killer, targets=(("ghost",),)), Settle(), Call((TokenNames("Spirit", names),))
    )
    for name in names:
        tale.see(name, "controller", owner, "CR 603.3a: of who controlled the creature")
        tale.see(name, "power", 1, "CR 702.135a: 1/1")
        tale.see(name, "keywords", ("flying",), "CR 702.135a: they fly")
    return tale


@law(rules=("702.123a",), needs=("casting", "steps", "triggers", "choices", "counters", "tokens"))
def what_is_fabricated_is_larger_or_has_helpers(draw: DrawFn, there: Round) -> Tale:
    """As a creature with fabricate enters, its controller puts that many +1/+1 counters on it, or else
    creates that many Servos.

    Either is chosen.
    """
    player, larger, n = there.players[0], draw(st.booleans()), draw(st.integers(1, 2))
    maker = creature("Maker", 1, 1, Keyword("fabricate", n=n))
    tale = Tale(table(held_by(there, {player: [HeldCard("maker", maker)]}), (), there.sides[0]))
    tale.do(ChooseAction("may", player, (larger,), "fabricate of maker"))
    tale.do(CastAction("maker", player), Resolve("maker"))
    tale.see("maker", "power", 1, "CR 702.123a: the ability triggers once it is there")
    tale.do(Settle())
    because = "CR 702.123a: so many counters, or none"
    tale.see("maker", "counters", (SeenCounters("+1/+1", n),) if larger else (), because)
    because = "CR 702.123a: as many Servos as there would be counters, and none besides them"
    tale.see("table", "tokens", Number("Servo", 0 if larger else n, player), because)
    if not larger:
        names = ("servo1", "servo2")[:n]
        tale.do(Call((TokenNames("Servo", names),)))
        for name in names:
            tale.see(name, "power", 1, "CR 702.123a: 1/1")
    return tale


@law(rules=("702.32a",), needs=("casting", "steps", "triggers", "counters"))
def what_fades_stays_for_one_turn_more_than_it_has_counters(draw: DrawFn, there: Round) -> Tale:
    """What has fading loses a fade counter in each of its controller's upkeeps, and is sacrificed in the
    first one in which it has none.

    A permanent that entered with up to two counters, and one to three of its controller's upkeeps.
    """
    player, side = there.players[0], there.sides[0]
    n, turns = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    haze = permanent("Haze", Keyword("fading", n=n))
    seats = held_by(there, {player: [HeldCard("haze", haze)]}, library=6)
    tale = Tale(table(seats, (), side))
    tale.do(CastAction("haze", player), Resolve("haze"))
    because = "CR 702.32a: it enters with that number of fade counters"
    tale.see("haze", "counters", (SeenCounters("fade", n),), because)
    for _ in range(min(turns, n + 1)):
        tale.do(Advance("upkeep", side), Settle())
    left = n - turns
    if left < 0:
        because = "CR 702.32a: it is sacrificed as no counter can be removed"
        tale.see("haze", "zone", "graveyard", because)
        return tale
    because = "CR 702.32a: one counter less; the last one's removal does nothing else"
    tale.see("haze", "zone", "battlefield", because)
    tale.see("haze", "counters", (SeenCounters("fade", left),) if left else (), because)
    return tale


@law(rules=("702.98a",), needs=("casting", "combat", "steps", "choices", "counters"))
def what_is_unleashed_can_not_block(draw: DrawFn, there: Round) -> Tale:
    """A creature with unleash may enter with a +1/+1 counter, and can't block while it has such a counter.

    It enters with or without, and the next player attacks its controller.
    """
    player, enemy = there.players[:2]
    unleashed = draw(st.booleans())
    fiend = creature("Fiend", 2, 2, Keyword("unleash"))
    seats = held_by(there, {player: [HeldCard("fiend", fiend)]}, library=3)
    tale = Tale(table(seats, [Permanent("raider", BEAR, enemy)], there.sides[0]))
    tale.do(ChooseAction("may", player, (unleashed,), "fiend"), CastAction("fiend", player), Resolve("fiend"))
    because = "CR 702.98a: with a counter only if its controller wants it"
    tale.see("fiend", "counters", GROWN if unleashed else (), because)
    tale.do(Advance("beginning of combat", there.sides[1]), Pass("everyone"))
    tale.do(Attack((Attacker("raider", player),), enemy), Pass("everyone"))
    because = "CR 702.98a: it can't block as long as it has a +1/+1 counter"
    block = Block((Blocker("fiend", ("raider",)),), player)
    tale.attempt(block, "rejected" if unleashed else "done", because)
    return tale


KEYWORD_GAINS: tuple[Property[Any], ...] = (
    a_mentor_helps_weaker_attackers_alone,
    who_is_provoked_untaps_and_blocks,
    whoever_blocks_the_afflicting_loses_life,
    what_ingests_exiles_the_top_card_of_whom_it_hurts,
    after_its_life_come_spirits,
    what_is_fabricated_is_larger_or_has_helpers,
    what_fades_stays_for_one_turn_more_than_it_has_counters,
    what_is_unleashed_can_not_block,
)

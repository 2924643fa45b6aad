"""Laws of keyword abilities that trigger in combat (mentor, provoke, afflict, ingest, annihilator,
mobilize), of those that bring tokens or counters (afterlife, fabricate, fading, unleash, outlast, living
weapon, job select), and of those that make something grow or come back (prowess, persist, undying).
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.model.scenario import Number, SeenCounters
from conformance.properties.games_combat import attacking, battle
from conformance.properties.games_keywords import blocking
from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, law_of, sort
from conformance.strategies.cards import CREATURES, TARGET
from conformance.strategies.decks import (
    BEAR,
    CALM,
    CREATURE,
    FIELD,
    GROWTH,
    MURDER,
    creature,
    permanent,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import (
    Activate,
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
from reference_engine.language.cards import (
    Attached,
    Counters,
    Gain,
    Keyword,
    Modify,
    Part,
    PutCounters,
    Static,
)
from reference_engine.language.words import CounterKind, KeywordName

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


@sort("casting", "steps", "triggers")
def prowess(draw: DrawFn, there: Round) -> Tale:
    """A player casts a creature spell or another one, in their own turn, beside a creature with prowess of
    theirs or of another player.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    card = draw(st.sampled_from((BEAR, CALM, permanent("Charm"), permanent("Relic", type="Artifact"))))
    monk = creature("Monk", 1, 1, Keyword("prowess"))
    seats = held_by(there, {player: [HeldCard("card", card)]}, library=3)
    tale = Tale(table(seats, [Permanent("monk", monk, owner)], there.sides[0]))
    tale.do(CastAction("card", player), Settle())
    grows = owner == player and "Creature" not in card.types
    because = "CR 702.108a: a noncreature spell that its controller casts"
    tale.see("monk", "power", 2 if grows else 1, because)
    tale.do(Advance("upkeep"))
    tale.see("monk", "power", 1, "CR 702.108a: until end of turn")
    return tale


@sort("casting", "steps", "triggers", "anthems")
def prowess_again(draw: DrawFn, there: Round) -> Tale:
    """A creature has prowess once, twice or not at all, and gains it from up to two enchantments."""
    player = there.players[0]
    own, gained = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    monk = creature("Monk", 1, 1, *[Keyword("prowess")] * own)
    school = permanent("School", Static((Part(CREATURES, (Gain((Keyword("prowess"),)),)),)))
    lie = [Permanent("monk", monk, player), *(Permanent(f"school{n}", school, player) for n in range(gained))]
    tale = Tale(table(held_by(there, {player: [HeldCard("calm", CALM)]}), lie, there.sides[0]))
    tale.do(CastAction("calm", player), Settle())
    because = "CR 113.2c: each ability works, those it has and those it gained"
    tale.see("monk", "power", 1 + own + gained, because)
    return tale


@sort("activated abilities", "casting", "steps", "counters")
def outlast(draw: DrawFn, there: Round) -> Tale:
    """A creature with outlast, which may have come this turn, is used at a time when a sorcery could be cast,
    or not.
    """
    player = there.players[0]
    new, responds = draw(st.booleans()), draw(st.booleans())
    seats = held_by(there, {player: [HeldCard("calm", CALM)]})
    scout = creature("Scout", 1, 1, Keyword("outlast", "{1}"))
    tale = Tale(table(seats, [Permanent("scout", scout, player, new=new)], there.sides[0]))
    if responds:
        tale.do(CastAction("calm", player))
    able = not new and not responds
    because = "CR 702.107a: only as a sorcery, and with {T} among its costs"
    tale.attempt(Activate("scout", "outlast", player), "done" if able else "rejected", because)
    tale.see("scout", "tapped", able, because)
    tale.do(Settle())
    tale.see("scout", "counters", GROWN if able else (), because)
    return tale


@law_of(
    prowess,
    prowess_again,
    outlast,
    rules=("702.107a", "702.108a", "113.2c", "302.6"),
    needs=("casting", "steps", "triggers"),
)
def some_creatures_grow_by_what_their_controller_does() -> None:
    """Prowess triggers on noncreature spells of its controller, once for each time that the creature has it,
    and outlast is used as a sorcery is cast.
    """


@sort("combat", "steps", "triggers", "choices")
def annihilator(draw: DrawFn, there: Round) -> Tale:
    """A creature with annihilator attacks a player with more, as many or fewer permanents."""
    player, enemy = there.players[:2]
    n, many = draw(st.integers(1, 2)), draw(st.integers(0, 3))
    ids = tuple(f"theirs{number}" for number in range(many))
    lie = [Permanent("eater", creature("Devourer", 5, 5, Keyword("annihilator", n=n)), player)]
    lie += [Permanent("yours", BEAR, player), *(Permanent(id, FIELD, enemy) for id in ids)]
    chosen = ids[-n:]
    tale = battle(there, lie)
    if n < many:
        tale.do(ChooseAction("cards", enemy, chosen, "annihilator of eater"))
    tale.do(attacking(there, "eater"), Settle())
    because = "CR 702.86a: the defending player sacrifices so many permanents of their choice"
    for id in ids:
        tale.see(id, "zone", "graveyard" if id in chosen else "battlefield", because)
    tale.see("yours", "zone", "battlefield", because)
    return tale


@sort("combat", "steps", "triggers", "tokens", sizes=(2,))
def mobilize(draw: DrawFn, there: Round) -> Tale:
    """A creature with mobilize attacks, and its turn goes on to the next end step."""
    player, enemy = there.players
    n = draw(st.integers(1, 2))
    names = ("one", "two")[:n]
    marshal = creature("Marshal", 2, 5, Keyword("mobilize", n=n))
    tale = battle(there, [Permanent("marshal", marshal, player)])
    tale.do(attacking(there, "marshal"), Settle(), Call((TokenNames("Warrior", names),)))
    for name in names:
        tale.see(name, "attacking", enemy, "CR 702.181a, 508.4: it enters attacking")
        tale.see(name, "tapped", True, "CR 702.181a: it enters tapped")
        tale.see(name, "power", 1, "CR 702.181a: 1/1")
    tale.do(Advance("end"))
    tale.see(enemy, "life", 18 - n, "CR 510.1b: all of them deal their damage")
    tale.see("table", "tokens", Number("Warrior", n, player), "CR 603.7c: until the ability resolves")
    tale.do(Settle())
    because = "CR 702.181a: they are sacrificed at the beginning of the next end step"
    tale.see("table", "tokens", Number("Warrior", 0, player), because)
    tale.see("marshal", "zone", "battlefield", because)
    return tale


@law_of(
    annihilator,
    mobilize,
    rules=("702.86a", "702.181a", "508.4", "603.7c"),
    needs=("combat", "steps", "triggers", "choices"),
)
def some_attackers_bring_more_than_damage() -> None:
    """Annihilator makes the defending player sacrifice permanents, and mobilize brings attacking tokens for a
    turn.

    It does not check attacks on several players.
    """


@law(
    rules=("702.92a", "702.182a", "704.5f"),
    needs=("casting", "steps", "triggers", "tokens", "attachments", "anthems"),
)
def some_equipment_comes_with_a_bearer(draw: DrawFn, there: Round) -> Tale:
    """Living weapon creates a 0/0 Germ and job select a 1/1 Hero, and each attaches its Equipment to that.

    The Equipment gives a bonus or none; a Germ without a bonus dies.
    """
    player, bonus = there.players[0], draw(st.integers(0, 2))
    word: Any = draw(st.sampled_from(("living weapon", "job select")))
    name, size = ("Phyrexian Germ", bonus) if word == "living weapon" else ("Hero", 1 + bonus)
    harp = permanent(
        "Harp",
        Keyword(word),
        *[Static((Part(Attached(), (Modify(bonus, bonus),)),))] * bool(bonus),
        type="Artifact",
        subtypes=("Equipment",),
    )
    tale = Tale(table(held_by(there, {player: [HeldCard("harp", harp)]}), (), there.sides[0]))
    tale.do(CastAction("harp", player), Resolve("harp"))
    tale.see("harp", "attached_to", None, "CR 702.92a, 702.182a: the ability triggers once it is there")
    tale.do(Settle())
    because = "CR 704.5f: with toughness 0 it is put into its owner's graveyard"
    tale.see("table", "tokens", Number(name, int(size > 0), player), because)
    if size:
        tale.do(Call((TokenNames(name, ("bearer",)),)))
        tale.see("harp", "attached_to", "bearer", "CR 702.92a, 702.182a: attached to the token")
        tale.see("bearer", "power", size, "CR 702.92a, 702.182a: its own size and the bonus")
    return tale


RETURNS: dict[KeywordName, CounterKind] = {"persist": "-1/-1", "undying": "+1/+1"}


@law(
    rules=("702.79a", "702.93a", "603.10a", "400.7"),
    needs=("casting", "steps", "targets", "triggers", "counters"),
)
def who_persists_comes_back_once(draw: DrawFn, there: Round) -> Tale:
    """A creature with persist or undying that dies without a counter of its kind comes back with one.

    A creature of somebody with a counter of either kind or none is destroyed, and once more if it came back.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    word = draw(st.sampled_from(tuple(RETURNS)))
    kind: CounterKind | None = draw(st.sampled_from((None, "+1/+1", "-1/-1")))
    ghost = creature("Ghost", 3, 3, Keyword(word))
    marked = spell("Mark", PutCounters((Counters(kind or "+1/+1"),), TARGET), targets=(CREATURE,))
    hand = [HeldCard("mark", marked), HeldCard("first", MURDER), HeldCard("second", MURDER)]
    seats = held_by(there, {player: hand})
    tale = Tale(table(seats, [Permanent("ghost", ghost, owner)], there.sides[0]))
    if kind:
        tale.do(CastAction("mark", player, targets=(("ghost",),)), Settle())
    tale.do(CastAction("first", player, targets=(("ghost",),)), Settle())
    returns = kind != RETURNS[word]
    because = "CR 702.79a, 702.93a: it comes back if it had no counter of that kind as it died (CR 603.10a)"
    tale.see("ghost", "zone", "battlefield" if returns else "graveyard", because)
    if returns:
        tale.see("ghost", "controller", owner, because)
        tale.see("ghost", "counters", (SeenCounters(RETURNS[word], 1),), "CR 400.7: a new object, with one")
        tale.do(CastAction("second", player, targets=(("ghost",),)), Settle())
        tale.see("ghost", "zone", "graveyard", because)
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
    some_creatures_grow_by_what_their_controller_does,
    some_attackers_bring_more_than_damage,
    some_equipment_comes_with_a_bearer,
    who_persists_comes_back_once,
)

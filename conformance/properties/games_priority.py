"""Laws of priority and the stack (CR 117, 405): who may act, when, and the results of passing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.law import Property
from conformance.properties.tale import Round, Tale, held_by, law, passes
from conformance.strategies.cards import several
from conformance.strategies.decks import (
    BEAR,
    CALM,
    CREATURE,
    FIELD,
    HUSH,
    INSIGHT,
    NOPE,
    creature,
    creature_with_keywords,
    grows,
    permanent,
    spell,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Action, Activate, Advance, CastAction, Pass, TurnUp
from reference_engine.language.cards import (
    Activated,
    AddMana,
    All,
    Card,
    ControllerOf,
    Damage,
    GainLife,
    It,
    Keyword,
    TappedForMana,
    TargetSpec,
    The,
    Triggered,
)
from reference_engine.language.words import Step

SAMPLED_STEPS: tuple[Step, ...] = (
    *("precombat main", "postcombat main", "upkeep", "precombat main", "draw", "beginning of combat"),
    *("end of combat", "end"),
)
MAIN = ("precombat main", "postcombat main")


# ------------------------------------------------------------------------- getting and giving priority


@law(rules=("117.3b",), needs=("casting", "steps"))
def the_active_player_acts_after_a_resolution(draw: DrawFn, there: Round) -> Tale:
    """After a spell has resolved, the active player has priority, whoever cast it.

    A player casts a spell when priority has come to them, and it resolves.

    It does not check what the spell does.
    """
    caster = draw(st.integers(0, len(there.sides) - 1))
    player = there.players[caster]
    tale = Tale(table(held_by(there, {player: [HeldCard("calm", CALM)]}), turn=there.sides[0]))
    tale.do(*passes(there.sides[:caster]), CastAction("calm", player))
    tale.see("table", "stack", ("calm",), "CR 601.2a: a spell that is cast is on the stack")
    tale.do(Pass("everyone"))
    because = "CR 117.3b: after a resolution the active player has priority, whoever's spell it was"
    tale.see("table", "stack", (), because)
    tale.see("table", "priority", there.sides[0], because)
    return tale


class PriorityDeed(NamedTuple):
    """Something that a player with priority does with a card: what an engine needs for it, how the card lies
    there (in hand if nowhere else), and what is on the stack then.
    """

    needs: tuple[str, ...]
    card: Card
    does: Callable[[str], Action]
    stack: tuple[str, ...] = ()
    lies: bool = True
    face_down: bool = False


SECRET = creature("Secret", 3, 3, Keyword("morph", mana="{1}"))
PEBBLE = permanent("Pebble", Activated((), (GainLife(1),), name="use"), type="Artifact")
DEEDS = (
    PriorityDeed((), CALM, lambda player: CastAction("calm", player), ("calm",), lies=False),
    PriorityDeed(("activated abilities",), FIELD, lambda player: Activate("field", "mana", player)),
    PriorityDeed(
        ("activated abilities",),
        PEBBLE,
        lambda player: Activate("pebble", "use", player),
        ("use of pebble",),
    ),
    PriorityDeed(
        ("face down", "special actions"), SECRET, lambda player: TurnUp("secret", player), face_down=True
    ),
)
"""What can be done with priority, with the stack and without."""


@law(rules=("117.3c", "117.3d", "117.4"), needs=("casting", "steps"))
def passes_before_an_action_do_not_count(draw: DrawFn, there: Round) -> Tale:
    """After any action, even one without the stack, everyone has to pass again, starting with the player who
    acted, before anything resolves or the step ends.

    Some pass, the next one does something, and then one after the other passes.

    It does not check what the actions do.
    """
    caster = draw(st.integers(0, len(there.sides) - 1))
    player = there.players[caster]
    deed = draw(st.sampled_from([deed for deed in DEEDS if there.means.allow(*deed.needs)]))
    id = deed.card.name.removeprefix("Test ").lower()
    hands = {} if deed.lies else {player: [HeldCard(id, deed.card)]}
    lie = [Permanent(id, deed.card, player, face_down=deed.face_down)] if deed.lies else []
    tale = Tale(table(held_by(there, hands), lie, there.sides[0], "postcombat main"))
    tale.do(*passes(there.sides[:caster]), deed.does(player))
    order = there.sides[caster:] + there.sides[:caster]
    because = "CR 117.4: all players have to pass in succession, so passes before an action do not count"
    for number, side in enumerate(order):
        tale.see("table", "stack", deed.stack, because)
        tale.see("table", "step", "postcombat main", because)
        acted, passed = "CR 117.3c: whoever acted has priority again", "CR 117.3d: the next in turn order"
        tale.see("table", "priority", side, passed if number else acted)
        if deed.stack or number < len(order) - 1:
            tale.do(Pass(side))
    if deed.stack:
        tale.see("table", "stack", (), because)
    return tale


@law(rules=("405.2", "405.5", "117.4", "117.7"), needs=("casting", "steps"))
def the_last_spell_resolves_first(draw: DrawFn, there: Round) -> Tale:
    """A spell cast in response resolves before the spells below it, and everyone passing resolves only one.

    Several spells are cast in response to one another, each by whoever has priority then.

    It does not check what the spells do or who controls them.
    """
    casters = draw(several(st.sampled_from(there.players), 2, 4))
    hands = {
        player: [HeldCard(f"calm{n}", CALM) for n, caster in enumerate(casters, 1) if caster == player]
        for player in there.players
    }
    tale = Tale(table(held_by(there, hands), turn=there.sides[0]))
    holder = 0
    for number, caster in enumerate(casters, 1):
        wanted = there.players.index(caster)
        while holder != wanted:
            tale.do(Pass(there.sides[holder]))
            holder = (holder + 1) % len(there.sides)
        tale.do(CastAction(f"calm{number}", caster))
    names = tuple(f"calm{number}" for number in range(1, len(casters) + 1))
    tale.see("table", "stack", names, "CR 405.2: each object is put on top of those there already")
    for left in range(len(names) - 1, -1, -1):
        tale.do(Pass("everyone"))
        because = "CR 117.4: when all have passed the top of the stack resolves, and nothing below it"
        tale.see("table", "stack", names[:left], because)
    return tale


# ----------------------------------------------------------------------------------------------- timing


INSTANT = CALM
SORCERY = spell("Rite", GainLife(1), type="Sorcery")
FLASHER = creature_with_keywords("Flasher", 1, 1, "flash")
KINDS: tuple[Card, ...] = (INSTANT, SORCERY, BEAR, FLASHER)


@law(rules=("117.1a", "601.2e", "702.8a"), needs=("casting", "steps"))
def spells_are_cast_when_their_type_allows(draw: DrawFn, there: Round) -> Tale:
    """Instants and spells with flash can be cast whenever a player has priority; all others only in one's own
    main phase with an empty stack.

    A spell of some type, in some step of somebody's turn, with or without something on the stack.

    It does not check costs or targets.
    """
    step, card = draw(st.sampled_from(SAMPLED_STEPS)), draw(st.sampled_from(KINDS))
    caster, before = draw(st.integers(0, len(there.sides) - 1)), draw(st.booleans())
    player = there.players[caster]
    hands = {player: [HeldCard("card", card), *([HeldCard("first", CALM)] if before else [])]}
    tale = Tale(table(held_by(there, hands), turn=there.sides[0], step=step))
    tale.do(*passes(there.sides[:caster]), *([CastAction("first", player)] if before else []))
    any_time = card in (INSTANT, FLASHER)
    legal = any_time or (caster == 0 and step in MAIN and not before)
    tale.attempt(
        CastAction("card", player),
        "done" if legal else "rejected",
        "CR 117.1a: an instant any time with priority, another spell only in one's own main phase with an "
        "empty "
        "stack; CR 601.2e: a spell that is illegal once proposed is taken back",
    )
    tale.see("card", "zone", "stack" if legal else "hand", "CR 601.2a: a spell that is cast is on the stack")
    return tale


RITUAL_STONE = permanent("Stone", Activated((), (GainLife(1),), sorcery=True, name="use"), type="Artifact")


@law(rules=("117.1b", "602.5d"), needs=("activated abilities", "casting", "steps"))
def abilities_are_activated_when_they_say(draw: DrawFn, there: Round) -> Tale:
    """An ability can be activated whenever a player has priority, unless it says that it has the timing of a
    sorcery.

    An ability for any time or only as a sorcery, in some step, with or without something on the stack.

    It does not check costs or targets.
    """
    step, slow = draw(st.sampled_from(SAMPLED_STEPS)), draw(st.booleans())
    user, before = draw(st.integers(0, len(there.sides) - 1)), draw(st.booleans())
    player = there.players[user]
    hands = {player: [HeldCard("first", CALM)]} if before else {}
    stone = Permanent("stone", RITUAL_STONE if slow else PEBBLE, player)
    tale = Tale(table(held_by(there, hands), [stone], turn=there.sides[0], step=step))
    tale.do(*passes(there.sides[:user]), *([CastAction("first", player)] if before else []))
    legal = not slow or (user == 0 and step in MAIN and not before)
    because = "CR 602.5d: an ability only for when a sorcery could be cast follows the timing of a sorcery"
    tale.attempt(Activate("stone", "use", player), "done" if legal else "rejected", because)
    stack = (*(("first",) if before else ()), *(("use of stone",) if legal else ()))
    tale.see("table", "stack", stack, "CR 602.2a: an ability that is activated is put on the stack")
    return tale


@law(rules=("702.61a", "702.61b"), needs=("casting", "steps"))
def nothing_answers_split_second(draw: DrawFn, there: Round) -> Tale:
    """While a spell with split second is on the stack nobody can cast a spell; other spells can
    be answered.

    A spell with split second on the stack, and somebody who has an answer to it.

    It does not check mana abilities and triggered abilities, which are still possible.
    """
    answer = draw(st.integers(0, len(there.sides) - 1))
    quick = draw(st.booleans())
    first, player = there.players[0], there.players[answer]
    top = HUSH if quick else INSIGHT
    hands: dict[str, list[HeldCard]] = {first: [HeldCard("top", top)]}
    hands.setdefault(player, []).append(HeldCard("calm", CALM))
    tale = Tale(table(held_by(there, hands, library=2), turn=there.sides[0]))
    tale.do(CastAction("top", first), *passes(there.sides[:answer]))
    because = "CR 702.61a: while a spell with split second is on the stack nobody can cast spells"
    tale.attempt(CastAction("calm", player), "rejected" if quick else "done", because)
    tale.see("calm", "zone", "hand" if quick else "stack", because)
    return tale


# ------------------------------------------------------------------------------------- mana abilities


@law(rules=("605.3b", "117.1d", "117.3c"), needs=("activated abilities",))
def mana_abilities_do_not_use_the_stack(draw: DrawFn, there: Round) -> Tale:
    """A land tapped for mana produces its mana immediately, without the stack.

    Lands tapped for mana with priority, one after another, perhaps while something is on the stack.
    """
    player = there.players[0]
    many, before = draw(st.integers(1, 3)), draw(st.booleans()) and there.means.allow("casting")
    lands = [Permanent(f"land{n}", FIELD, player) for n in range(many)]
    hands = {player: [HeldCard("calm", CALM)]} if before else {}
    tale = Tale(table(held_by(there, hands), lands, turn=there.sides[0]))
    tale.do(*([CastAction("calm", player)] if before else []))
    because = "CR 605.3b: a mana ability does not use the stack but resolves at once"
    for number in range(many):
        tale.do(Activate(f"land{number}", "mana", player))
        tale.see("table", "stack", ("calm",) if before else (), because)
        tale.see("table", "priority", there.sides[0], "CR 117.3c: whoever acted has priority again")
        tale.see(player, "pool", "{G}" * (number + 1), because)
    return tale


@law(rules=("605.1b", "605.4a", "106.12a"), needs=("activated abilities", "triggers"))
def triggered_mana_is_there_at_once(draw: DrawFn, there: Round) -> Tale:
    """An ability that triggers on a land being tapped for mana and adds mana does so at once, without the
    stack.

    A land tapped for mana, and a triggered ability that adds some more.
    """
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    extra = draw(st.sampled_from(("{G}", "{R}")))
    more = AddMana(extra, who=ControllerOf(It()))
    lands = All(type=frozenset({"Land"}))
    spring = permanent("Spring", Triggered(TappedForMana(lands), (more,), name="flow"))
    lie = [Permanent("land", FIELD, player), Permanent("spring", spring, owner)]
    tale = Tale(table(held_by(there, {}), lie, there.sides[0]))
    tale.do(Activate("land", "mana", player))
    because = (
        "CR 605.4a: a triggered mana ability does not use the stack but resolves at once "
        "(CR 106.12a: it triggers as the land is tapped for mana)"
    )
    tale.see("table", "stack", (), because)
    tale.see(player, "pool", "".join(sorted(("{G}", extra), reverse=True)), because)
    return tale


@law(rules=("500.5", "106.4"), needs=("activated abilities", "steps"))
def mana_is_gone_after_the_step(draw: DrawFn, there: Round) -> Tale:
    """Unspent mana stays in the pool until the step ends, and is gone in the next one.

    Mana in a pool as a step ends.

    It does not check effects that keep mana.
    """
    player = there.players[0]
    steps: tuple[Step, ...] = ("upkeep", "precombat main", "end of combat")
    step = draw(st.sampled_from(steps))
    lands = [Permanent(f"land{n}", FIELD, player) for n in range(draw(st.integers(1, 3)))]
    tale = Tale(table(held_by(there, {}, library=2), lands, turn=there.sides[0], step=step))
    tale.do(*(Activate(land.id, "mana", player) for land in lands))
    because = "CR 500.5: unspent mana empties as each step and phase ends"
    tale.see(player, "pool", "{G}" * len(lands), "CR 106.4: mana stays in the pool until the step ends")
    tale.do(Pass("everyone"))
    tale.see(player, "pool", "", because)
    tale.do(Advance("postcombat main"))
    tale.see(player, "pool", "", because)
    return tale


# ----------------------------------------------------------------------------------------- responses


@law(rules=("117.7", "405.5", "608.2b"), needs=("casting", "steps", "targets", "anthems"))
def what_responds_counts_first(draw: DrawFn, there: Round) -> Tale:
    """A creature made bigger in response to damage may survive; made bigger afterwards, it is already dead.

    A creature that one spell would destroy and another would save, one cast in response to the other.
    """
    damage, more = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    saves_last = draw(st.booleans())
    first, second = there.players[0], there.players[draw(st.integers(1, len(there.sides) - 1))]
    shot = spell("Shot", Damage(damage, The("target")), targets=(TargetSpec(any_target=True),))
    target = (("bear",),)
    growth = spell("Surge", grows(more, more), targets=(CREATURE,))
    early, late = (("shot", shot), ("growth", growth)) if saves_last else (("growth", growth), ("shot", shot))
    hands = {first: [HeldCard(*early)], second: [HeldCard(*late)]}
    bear = Permanent("bear", BEAR, second)
    tale = Tale(table(held_by(there, hands), [bear], turn=there.sides[0]))
    before = there.sides[: there.players.index(second)]
    tale.do(
        CastAction(early[0], first, targets=target),
        *passes(before),
        CastAction(late[0], second, targets=target),
    )
    tale.do(Pass("everyone"), Pass("everyone"))
    lives = damage < 2 + more if saves_last else damage < 2
    because = "CR 117.7: a spell cast in response resolves first, and what it changes counts for the other"
    tale.see("bear", "zone", "battlefield" if lives else "graveyard", because)
    return tale


@law(rules=("701.6a", "405.5"), needs=("casting", "steps", "targets"))
def a_countered_spell_does_nothing(draw: DrawFn, there: Round) -> Tale:
    """A countered spell does nothing, even if it would counter another: two counterspells in a row save the
    first spell.

    A spell, one that counters it, one that counters that, and so on.
    """
    first = there.players[0]
    many = draw(st.integers(1, 3))
    hands = {first: [HeldCard("calm", CALM), *(HeldCard(f"nope{n}", NOPE) for n in range(1, many + 1))]}
    tale = Tale(table(held_by(there, hands), turn=there.sides[0]))
    names = ("calm", *(f"nope{n}" for n in range(1, many + 1)))
    tale.do(CastAction("calm", first))
    tale.do(*(CastAction(above, first, targets=((below,),)) for below, above in pairwise(names)))
    because = "CR 701.6a: what is countered is put into the graveyard and does nothing"
    left = len(names)
    while left:
        tale.do(Pass("everyone"))
        left -= min(2, left)
        tale.see("table", "stack", names[:left], because)
    tale.see(first, "life", 20 if many % 2 else 22, because)
    for name in names:
        tale.see(name, "zone", "graveyard", because)
    return tale


PRIORITY: tuple[Property[Any], ...] = (
    the_active_player_acts_after_a_resolution,
    passes_before_an_action_do_not_count,
    the_last_spell_resolves_first,
    spells_are_cast_when_their_type_allows,
    abilities_are_activated_when_they_say,
    nothing_answers_split_second,
    mana_abilities_do_not_use_the_stack,
    triggered_mana_is_there_at_once,
    mana_is_gone_after_the_step,
    what_responds_counts_first,
    a_countered_spell_does_nothing,
)

"""Laws of whom effects on the rules affect (CR 613.11)."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.properties.games_combat import SPIDER, attacking, battle
from conformance.properties.law import Property
from conformance.properties.small_boards import fitting
from conformance.properties.tale import Round, Tale, held_by, law_of, sort
from conformance.strategies.cards import creatures_of, one
from conformance.strategies.decks import (
    BEAR,
    BOLT,
    GROWTH,
    MURDER,
    YOUR_CREATURES,
    creature,
    creature_with_keywords,
    permanent,
)
from conformance.strategies.scripts import HeldCard, Permanent, table
from reference_engine.language.actions import Advance, Block, Blocker, CastAction, Pass
from reference_engine.language.cards import (
    All,
    BlockedBy,
    Cannot,
    Card,
    Comparison,
    Gain,
    GoTo,
    Keyword,
    LoseAllAbilities,
    Modify,
    Must,
    Operation,
    Part,
    Plus,
    PreventDamage,
    SetColors,
    SetCreatureTypes,
    Static,
    Would,
)


class Fit(NamedTuple):
    """Which creatures a rule is about, a creature, whether it fits as printed, and what reverses that."""

    wanted: All
    hero: Card
    fits: bool
    change: Operation


PLAIN, STRONG = creature("Hero", 2, 4), creature("Hero", 4, 4)
VIGILANT = creature_with_keywords("Hero", 2, 4, "vigilance")
WITH_VIGILANCE = All(type=one("Creature"), keyword=one("vigilance"))
WITH_POWER = All(type=one("Creature"), power=Comparison(">=", 4))
RED = All(type=one("Creature"), color=one("red"))
FITS: tuple[tuple[tuple[str, ...], Fit], ...] = (
    (("anthems",), Fit(WITH_POWER, PLAIN, False, Modify(2, 0))),
    (("anthems",), Fit(WITH_POWER, STRONG, True, Modify(-2, 0))),
    (("abilities",), Fit(WITH_VIGILANCE, PLAIN, False, Gain((Keyword("vigilance"),)))),
    (("abilities",), Fit(WITH_VIGILANCE, VIGILANT, True, LoseAllAbilities())),
    (("colours",), Fit(RED, PLAIN, False, SetColors(one("red")))),
    (("types",), Fit(creatures_of("Goblin"), PLAIN, False, SetCreatureTypes(one("Goblin")))),
)
BECAUSE = "CR 613.11: effects on the rules apply after all others, to the creatures as those leave them"
STILL_THERE = "CR 110.2: it is on the battlefield under the control of the player for whom it entered"


def hero_and_rule(draw: DrawFn, there: Round, rule: Operation, owner: str) -> tuple[list[Permanent], bool]:
    """A creature, a rule, and mostly what changes the creature, in any order; and whether it is affected."""
    fit: Fit = draw(fitting(there.means, *FITS))
    changed = draw(st.sampled_from((True, True, False)))
    lie = [
        Permanent(
            "rule",
            permanent("Rule", Static((Part(fit.wanted, (rule,)),))),
            draw(st.sampled_from(there.players)),
        ),
        Permanent("hero", fit.hero, owner),
    ]
    if changed:
        change = permanent("Change", Static((Part(YOUR_CREATURES, (fit.change,)),)))
        lie.append(Permanent("change", change, owner))
    return list(draw(st.permutations(lie))), fit.fits != changed


# --------------------------------------------------------------------------------------- in combat


@sort("combat", "steps", "anthems", "abilities")
def as_it_attacks(draw: DrawFn, there: Round) -> Tale:
    """A creature that an effect keeps from attacking, or makes attack."""
    rules: tuple[Operation, ...] = (Cannot(one("attack")), Must("attack"))
    rule = draw(st.sampled_from(rules))
    lie, affected = hero_and_rule(draw, there, rule, there.players[0])
    tale = battle(there, lie)
    action = attacking(there, "hero") if isinstance(rule, Cannot) else attacking(there)
    tale.attempt(action, "rejected" if affected else "done", BECAUSE)
    tale.see("hero", "controller", there.players[0], STILL_THERE)
    return tale


@sort("combat", "steps", "anthems", "abilities", sizes=(2,))
def as_it_blocks(draw: DrawFn, there: Round) -> Tale:
    """A creature that an effect keeps from blocking, or makes block."""
    player, enemy = there.players
    rules: tuple[Operation, ...] = (Cannot(one("block")), Must("block"))
    rule = draw(st.sampled_from(rules))
    lie, affected = hero_and_rule(draw, there, rule, enemy)
    tale = battle(there, [*lie, Permanent("bear", BEAR, player)])
    tale.do(attacking(there, "bear"), Pass("everyone"))
    blockers = (Blocker("hero", ("bear",)),) if isinstance(rule, Cannot) else ()
    tale.attempt(Block(blockers, enemy), "rejected" if affected else "done", BECAUSE)
    tale.see("hero", "controller", enemy, STILL_THERE)
    return tale


@sort("combat", "steps", "anthems", "abilities", sizes=(2,))
def as_it_is_blocked(draw: DrawFn, there: Round) -> Tale:
    """A creature that an effect keeps from being blocked, by anybody or by one alone, or makes be blocked."""
    player, enemy = there.players
    rules: tuple[Operation, ...] = (Cannot(one("be blocked")), BlockedBy(2), Must("be blocked"))
    rule = draw(st.sampled_from(rules))
    lie, affected = hero_and_rule(draw, there, rule, player)
    tale = battle(there, [*lie, Permanent("spider", SPIDER, enemy)])
    tale.do(attacking(there, "hero"), Pass("everyone"))
    blockers = () if isinstance(rule, Must) else (Blocker("spider", ("hero",)),)
    tale.attempt(Block(blockers, enemy), "rejected" if affected else "done", BECAUSE)
    tale.see("hero", "controller", player, STILL_THERE)
    return tale


# --------------------------------------------------------------------------------------- outside combat


@sort("casting", "steps", "targets", "anthems", "abilities")
def as_a_spell_meets_it(draw: DrawFn, there: Round) -> Tale:
    """A creature that can't be targeted, that is exiled if it would die, or is dealt more damage or none."""
    player, owner = there.players[0], draw(st.sampled_from(there.players))
    rules: tuple[tuple[Operation, Card, str, Any, Any], ...] = (
        (Cannot(one("be targeted")), GROWTH, "", None, None),
        (Would("die", GoTo("exile")), MURDER, "zone", "exile", "graveyard"),
        (Would("be dealt damage", Plus(1)), BOLT, "damage", 3, 2),
        (PreventDamage(), BOLT, "damage", 0, 2),
    )
    rule, card, key, if_affected, otherwise = draw(st.sampled_from(rules))
    lie, affected = hero_and_rule(draw, there, rule, owner)
    tale = Tale(table(held_by(there, {player: [HeldCard("spell", card)]}), lie, there.sides[0]))
    cast = CastAction("spell", player, targets=(("hero",),))
    tale.attempt(cast, "rejected" if affected and not key else "done", BECAUSE)
    if key:
        tale.do(Pass("everyone"))
        tale.see("hero", key, if_affected if affected else otherwise, BECAUSE)
    else:
        tale.see("hero", "controller", owner, STILL_THERE)
    return tale


@sort("steps", "anthems", "abilities", sizes=(2,))
def as_it_untaps(draw: DrawFn, there: Round) -> Tale:
    """A creature that an effect keeps from untapping."""
    owner = there.players[1]
    lie, affected = hero_and_rule(draw, there, Cannot(one("untap")), owner)
    tapped = [laid._replace(tapped=laid.id == "hero") for laid in lie]
    tale = Tale(table(held_by(there, {}, library=2), tapped, there.sides[0]))
    tale.do(Advance("upkeep", owner))
    tale.see("hero", "tapped", affected, BECAUSE)
    return tale


@law_of(
    as_it_attacks,
    as_it_blocks,
    as_it_is_blocked,
    as_a_spell_meets_it,
    as_it_untaps,
    rules=("613.11", "613.1d", "613.1e", "613.1f", "613.4c"),
    needs=("steps", "anthems", "abilities"),
    times=3,
)
def a_changed_rule_is_about_what_fits_it_after_all_other_effects() -> None:
    """An effect on the rules affects the creatures that fit its description after all other effects,
    whichever is older.

    It does not check effects that describe other objects than creatures.
    """


WHOM_RULES_AFFECT: tuple[Property[Any], ...] = (a_changed_rule_is_about_what_fits_it_after_all_other_effects,)

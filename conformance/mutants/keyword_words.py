"""Ways to get wrong what a keyword ability says about blocking, damage and costs, about where a card is cast
from, and about what comes with it.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from conformance.mutants.keyword_triggers import is_of, keyword_mutant
from conformance.mutants.mutant import Heard, Mutant, hearing, mutant
from reference_engine.game import (
    announcing,
    combat,
    costs,
    damage,
    replacing,
    resolving,
    timing,
)
from reference_engine.game.costs import Proposal
from reference_engine.game.events import Damaged, GameEvent, Moved, Tapped
from reference_engine.game.game import Game, Ref, StackItem, look_of
from reference_engine.game.happening import happen
from reference_engine.game.mana import Price
from reference_engine.game.stack import asking_for, everything_like, item_of
from reference_engine.language.cards import (
    Activated,
    All,
    CastEvent,
    Comparison,
    Cost,
    Create,
    DiscardCost,
    ExileUntilFound,
    Filter,
    Keyword,
    ManaCost,
    PropertyOf,
    Put,
    PutCounters,
    Sacrifice,
    This,
    Triggered,
    You,
)
from reference_engine.language.characteristics import HeldAbility
from reference_engine.language.words import Zone
from reference_engine.layers import at_work
from reference_engine.layers.asking import selection

# ------------------------------------------------------------------------------------ in combat


def shadow_blocks_anything(game: Game, blocker: str, attacker: str) -> bool:
    """A creature with shadow also blocks creatures without any evasion."""
    shadowy = game.seen.look(blocker).has_keyword("shadow") and not game.seen.look(attacker).keywords
    return shadowy or combat.may_block(game, blocker, attacker)


def feared_by_artifacts(game: Game, blocker: str, attacker: str) -> bool:
    """Only black creatures block what has fear."""
    feared = game.seen.look(attacker).has_keyword("fear") and "black" not in game.seen.look(blocker).colors
    return combat.may_block(game, blocker, attacker) and not feared


def black_intimidates(game: Game, blocker: str, attacker: str) -> bool:
    """Sharing a color with what intimidates does not help, unless it is black."""
    look = game.seen.look(blocker)
    helpless = game.seen.look(attacker).has_keyword("intimidate") and not (
        look.is_a("Artifact") or "black" in look.colors
    )
    return combat.may_block(game, blocker, attacker) and not helpless


def withers_and_marks(game: Game, event: Damaged) -> tuple[GameEvent, ...]:
    """Damage with wither is marked as well."""
    withers = event.to in game.board.things and look_of(game, event.source).has_keyword("wither")
    results = damage.damage_results(game, event)
    return tuple(replace(one, marks=True) if withers and isinstance(one, Damaged) else one for one in results)


def poisons_once(ability: Triggered) -> Triggered:
    """Poisonous gives one counter, whatever its number."""
    (given,) = ability.effect
    assert isinstance(given, PutCounters)
    return replace(ability, effect=(replace(given, counters=(replace(given.counters[0], n=1),)),))


def annihilates_one_more(ability: Triggered) -> Triggered:
    """Annihilator takes one permanent more than its number."""
    (gone,) = ability.effect
    assert isinstance(gone, Sacrifice)
    assert isinstance(gone.n, int)
    return replace(ability, effect=(replace(gone, n=gone.n + 1),))


def first_part_alone(ability: Triggered) -> Triggered:
    """Only the first of its instructions is followed."""
    return replace(ability, effect=ability.effect[:1])


# ------------------------------------------------------------------------ what grows, comes or comes back


def prowess_for_creatures(heard: Heard) -> Heard:
    """Prowess triggers on creature spells, too."""
    return heard._replace(when=CastEvent(Filter(), You())) if is_of("prowess", heard.held.slot) else heard


def outlasts_at_any_time(game: Game, player: str, id: str, held: HeldAbility) -> None:
    """Outlast is activated whenever its controller has priority."""
    if is_of("outlast", held.slot) and isinstance(held.ability, Activated):
        held = replace(held, ability=replace(held.ability, sorcery=False))
    timing.may_activate(game, player, id, held)


def bare(ability: Triggered) -> Triggered:
    """What persists comes back without a counter."""
    (back,) = ability.effect
    assert isinstance(back, Put)
    return replace(ability, effect=(replace(back, counters=()),))


def full_sized(ability: Triggered) -> Triggered:
    """An offspring is as large as its mother."""
    (copy,) = ability.effect
    assert isinstance(copy, Create)
    return replace(ability, effect=(replace(copy, but=()),))


def equals_found(ability: Triggered) -> Triggered:
    """Cascade also finds cards of equal mana value."""
    found, *rest = ability.effect
    assert isinstance(found, ExileUntilFound)
    equal = Comparison("<=", PropertyOf("mana_value", This()))
    return replace(ability, effect=(replace(found, what=replace(found.what, mana_value=equal)), *rest))


def devoid_in_play(held: HeldAbility, zone: Zone) -> bool:
    """Devoid functions on the battlefield alone."""
    return at_work.functions(held, zone) and not (is_of("devoid", held.slot) and zone != "battlefield")


# --------------------------------------------------------------------------------- costs and zones


def affinity_with_theirs(game: Game, item: StackItem, keyword: Keyword) -> int:
    """Affinity counts the permanents of all players."""
    return len(selection(everything_like(keyword.what or Filter()), asking_for(game, item)))


def convoked_for_anything(
    game: Game, player: str, id: str, prices: tuple[Price, ...]
) -> tuple[Game, tuple[Price, ...]]:
    """A creature tapped for convoke pays for mana of any color."""
    if not prices[0].pips:
        return costs.convoked(game, player, id, prices)
    return happen(game, Tapped(id)), (replace(prices[0], pips=prices[0].pips[1:]),)


def bought_back_for_all_that(game: Game, ref: Ref) -> Game:
    """A spell with buyback that is countered goes to the hand, too."""
    item = item_of(game, ref.id)
    after = resolving.countered(game, ref)
    if item is None or item.goes_to != "hand":
        return after
    return happen(after, Moved(item.id, "graveyard", "hand", "bought back"))


def entwined_for_nothing(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """Entwine costs nothing."""
    game, proposal = announcing.costs_chosen(game, proposal)
    if "entwine" not in proposal.item.extras:
        return game, proposal
    return game, with_costs(proposal, lambda cost: not isinstance(cost, ManaCost))


def with_costs(proposal: Proposal, keeps: Callable[[Cost], bool]) -> Proposal:
    """The proposal with some of its additional costs."""
    return replace(proposal, additional=tuple(cost for cost in proposal.additional if keeps(cost)))


def flashed_back_again(game: Game, event: Moved) -> bool:
    """What was cast with flashback goes back to the graveyard."""
    return event.origin == "battlefield" and replacing.leaves_for_exile(game, event)


def unearthed_for_good(game: Game, event: Moved) -> bool:
    """What was unearthed goes wherever it would."""
    return event.origin == "stack" and replacing.leaves_for_exile(game, event)


def retraced_for_anything(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """Any card may be discarded to retrace."""
    game, proposal = announcing.costs_chosen(game, proposal)
    if proposal.origin != "graveyard":
        return game, proposal
    anything = DiscardCost(1, All(zones=frozenset({"hand"})))
    discarded = (anything if isinstance(cost, DiscardCost) else cost for cost in proposal.additional)
    return game, replace(proposal, additional=tuple(discarded))


KEYWORD_WORDS: tuple[Mutant, ...] = (
    mutant("shadow-blocks-anything", "702.28b", "Lets shadows block.", may_block=shadow_blocks_anything),
    mutant("feared-by-artifacts", "702.36b", "Frightens artifacts.", may_block=feared_by_artifacts),
    mutant("black-intimidates", "702.13b", "Intimidates all but black ones.", may_block=black_intimidates),
    mutant("withers-and-marks", "702.80a", "Marks what withers.", damage_results=withers_and_marks),
    keyword_mutant("poisons-once", "702.70a", "Gives one poison counter.", "poisonous", poisons_once),
    keyword_mutant("annihilates-more", "702.86a", "Takes one more.", "annihilator", annihilates_one_more),
    keyword_mutant("warriors-stay", "702.181a", "Keeps who was mobilized.", "mobilize", first_part_alone),
    keyword_mutant("germ-comes-bare", "702.92a", "Gives a Germ nothing.", "living weapon", first_part_alone),
    keyword_mutant("hero-comes-bare", "702.182a", "Gives a Hero nothing.", "job select", first_part_alone),
    mutant(
        "prowess-for-creatures", "702.108a", "Counts creatures.", triggering=hearing(prowess_for_creatures)
    ),
    mutant("outlasts-at-any-time", "702.107a", "Outlasts at any time.", may_activate=outlasts_at_any_time),
    keyword_mutant("persists-for-ever", "702.79a", "Persists again and again.", "persist", bare),
    keyword_mutant("undying-for-ever", "702.93a", "Comes back again and again.", "undying", bare),
    keyword_mutant("full-sized-offspring", "702.175a", "Copies the whole size.", "offspring", full_sized),
    mutant("echoes-for-ever", "702.30a", "Asks each turn.", owes_echo=lambda game, id, player: True),
    keyword_mutant("cascades-to-equals", "702.85a", "Finds cards that are no less.", "cascade", equals_found),
    mutant("devoid-in-play", "702.114a", "Is devoid on the battlefield alone.", functions=devoid_in_play),
    mutant(
        "affinity-with-theirs",
        "702.41a",
        "Counts what others control.",
        counted_for_affinity=affinity_with_theirs,
    ),
    mutant(
        "given-to-spells-alone",
        "400.7b",
        "Takes from permanents what they were given as spells.",
        effects_kept=lambda game, spell: (),
    ),
    mutant(
        "given-in-hand-alone",
        "611.3d",
        "Takes from permanents what they were given in hand.",
        way_kept=lambda game, proposal, keyword: game,
    ),
    mutant("convoked-for-anything", "702.51a", "Taps for any color.", convoked=convoked_for_anything),
    mutant("bought-back-for-all-that", "702.27a", "Buys back anyway.", countered=bought_back_for_all_that),
    mutant("entwined-for-nothing", "702.42a", "Entwines for nothing.", costs_chosen=entwined_for_nothing),
    mutant("flashed-back-again", "702.34a", "Flashes back for ever.", leaves_for_exile=flashed_back_again),
    mutant("retraced-for-anything", "702.81a", "Takes any card.", costs_chosen=retraced_for_anything),
    mutant("unearthed-for-good", "702.84a", "Lets it go.", leaves_for_exile=unearthed_for_good),
)

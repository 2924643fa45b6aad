"""Ways to get keyword abilities wrong."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from msgspec.structs import replace

from conformance.mutants.mutant import Heard, Mutant, hearing, mutant
from reference_engine.game import attaching, casting, costs, damage, priority, resolving
from reference_engine.game.events import (
    AttackDeclared,
    CountersChanged,
    Damaged,
    GameEvent,
    LifeChanged,
    Moved,
    Saddling,
)
from reference_engine.game.game import Game, Ref, Rejected, StackItem, battlefield
from reference_engine.game.mana import Price
from reference_engine.language.actions import Special
from reference_engine.language.cards import (
    AddTypes,
    Attacks,
    BecomesBlocked,
    Cost,
    Filter,
    MayPlay,
    SacrificeCost,
    TapOthers,
    This,
)
from reference_engine.language.characteristics import HeldAbility
from reference_engine.layers.board import Lasting, Link, SettledPart
from reference_engine.layers.evaluation import RuleEffect


def absorbs_nothing(game: Game, event: Damaged) -> int:
    """Absorb prevents no damage."""
    return 0


def infects_and_hurts(game: Game, event: Damaged) -> tuple[GameEvent, ...]:
    """Infect gives a player poison counters, and the player loses life all the same."""
    results = damage.damage_results(game, event)
    hurt = event.to not in game.board.things and not any(isinstance(one, LifeChanged) for one in results)
    return (*results, LifeChanged(event.to, -event.n, "damage")) if hurt else results


def no_poison(game: Game, event: Damaged) -> tuple[GameEvent, ...]:
    """Damage gives nobody poison counters."""
    return tuple(
        one
        for one in damage.damage_results(game, event)
        if not (isinstance(one, CountersChanged) and one.kind == "poison")
    )


def among_others(heard: Heard) -> Heard:
    """One of several creatures that attack together also counts as attacking alone."""
    when, event = heard.when, heard.event
    if isinstance(when, Attacks) and isinstance(event, AttackDeclared):
        first = min(thing.id for thing in battlefield(heard.after) if thing.attacking is not None)
        return heard._replace(when=Attacks(when.who)) if event.id == first else heard
    return heard


def by_anything(heard: Heard) -> Heard:
    """Becoming blocked by one sort of creature is becoming blocked by any."""
    when = heard.when
    if isinstance(when, BecomesBlocked) and when.by is not None:
        return heard._replace(when=BecomesBlocked(when.who, Filter()))
    return heard


def discarded_for_good(game: Game, event: Moved) -> Moved:
    """Madness does not exile the discarded card."""
    return event


def stays_for_good(game: Game, item: StackItem) -> Game:
    """A dashed creature does not return to its owner's hand."""
    return game


def crewed_by_anyone(game: Game, cost: Cost, *rest: Any) -> tuple[Game, str, tuple[Ref, ...]]:
    """The power of the creatures that crew a Vehicle does not matter."""
    if isinstance(cost, TapOthers) and cost.power is not None:
        cost = TapOthers(cost.what, power=0)
    return costs.pay_cost(game, cost, *rest)


def sacrificed_by_its_controller(game: Game, cost: Cost, player: str, source: Ref, *rest: Any) -> Any:
    """Whoever controls the permanent sacrifices it for the player who has to pay."""
    if isinstance(cost, SacrificeCost) and isinstance(cost.what, This) and game.is_there(source):
        player = game.seen.look(source.id).controller or player
    return costs.pay_cost(game, cost, player, source, *rest)


def plotted_at_once(game: Game, player: str, id: str) -> bool:
    """A plotted card may be cast on the turn in which it was plotted."""
    there = game.board.things[id]
    return there.zone == "exile" and "plotted" in there.was and game.rules.could_cast_a_sorcery(game, player)


def foretold_at_once(game: Game, player: str, id: str) -> bool:
    """A foretold card may be cast on the turn in which it was foretold."""
    there = game.board.things[id]
    return there.zone == "exile" and "foretold" in there.was


def foretold_as_a_sorcery(game: Game, action: Special) -> Game:
    """A card is foretold only when a sorcery could be cast."""
    if not game.rules.could_cast_a_sorcery(game, action.by):
        raise Rejected(f"{action.by} can't foretell now")
    return priority.foretold(game, action)


def shown_to_everybody(game: Game, player: str, id: str) -> Game:
    """Anybody may look at a card that lies face down in exile."""
    return casting.shown_in_exile(game, game.board.things[id].owner, id)


def saddled_for_good(game: Game) -> tuple[str, ...]:
    """A saddled permanent stays saddled when the turn ends."""
    return ()


def saddled_by_nobody(game: Game, *rest: Any) -> tuple[Saddling, ...]:
    """What is tapped for a saddle ability has not saddled anything."""
    return ()


def power_alone(game: Game, source: Ref, slot: tuple[str | int, ...], id: str) -> int:
    """A creature saddles and crews with its power, whatever its abilities say about that."""
    return game.seen.power(id) or 0


def delved_for_anything(
    game: Game, player: str, ids: tuple[str, ...], price: Price, link: Link | None
) -> tuple[Game, Price]:
    """A card exiled to delve pays for coloured mana, too."""
    rest = max(len(ids) - price.generic, 0)
    lighter = replace(price, generic=price.generic + rest, pips=price.pips[rest:])
    return costs.delved(game, player, ids, lighter, link)


def creature_for_all_that(game: Game, id: str) -> Game:
    """An Equipment with reconfigure stays a creature when it is attached."""
    return game


def seen_through(game: Game, item: StackItem) -> Game:
    """A disguised creature has no ward on the battlefield."""
    spell = replace(game.board.things[item.id], hidden_as=())
    return resolving.resolve_permanent(replace(game, board=game.board.with_things(spell)), item)


def never_exhausted(game: Game, id: str, held: HeldAbility) -> bool:
    """Exhausting an ability keeps nobody from activating it again."""
    return False


def recast_at_once(game: Game, permission: MayPlay, effect: RuleEffect) -> bool:
    """A warped card may be cast again in the same turn."""
    return False


def dies_for_all_that(game: Game, event: Moved) -> bool:
    """A finality counter keeps nothing out of the graveyard."""
    return False


def still_a_creature(id: str, player: str, now: int) -> Lasting:
    """A bestowed Aura is a creature as well."""
    stays = AddTypes(frozenset({"Creature"}))
    effect = attaching.bestowed(id, player, now)
    return replace(effect, parts=(*effect.parts, SettledPart(frozenset({id}), (stays,))))


def no_creature_spell(game: Game, id: str) -> None:
    """A bestowed Aura spell without a legal target doesn't resolve."""
    return


def bestowed_for_good(effects: tuple[Lasting, ...], ids: Collection[str]) -> tuple[Lasting, ...]:
    """A bestowed Aura remains an Aura when it is attached to nothing."""
    return effects


BROKEN_KEYWORDS: tuple[Mutant, ...] = (
    mutant("absorbs-nothing", "702.64a", "Ignores absorb.", absorbed=absorbs_nothing),
    mutant("infects-and-hurts", "702.90b", "Takes life with infect, too.", damage_results=infects_and_hurts),
    mutant(
        "no-poison", "702.164c", "Ignores toxic, and what infect does to players.", damage_results=no_poison
    ),
    mutant(
        "alone-among-others",
        "702.83b",
        "Lets several creatures attack alone.",
        triggering=hearing(among_others),
    ),
    mutant("no-madness", "702.35a", "Ignores madness.", discarded_with_madness=discarded_for_good),
    mutant("no-return", "702.109a", "Leaves what was dashed.", returned_later=stays_for_good),
    mutant("crewed-by-anyone", "702.122a", "Lets any creature crew a Vehicle.", pay_cost=crewed_by_anyone),
    mutant(
        "sacrificed-for-others",
        "701.21a",
        "Lets players pay with what is another's.",
        pay_cost=sacrificed_by_its_controller,
    ),
    mutant("plotted-at-once", "702.170d", "Casts a plotted card at once.", may_cast_plotted=plotted_at_once),
    mutant(
        "foretold-at-once", "702.143a", "Casts a foretold card at once.", may_cast_foretold=foretold_at_once
    ),
    mutant(
        "foretold-as-a-sorcery",
        "702.143a",
        "Foretells only when a sorcery could be cast.",
        foretold=foretold_as_a_sorcery,
    ),
    mutant(
        "shown-to-everybody",
        "406.3b",
        "Lets anybody cast what lies face down in exile.",
        shown_in_exile=shown_to_everybody,
    ),
    mutant("saddled-for-good", "702.171b", "Never ends being saddled.", unsaddled=saddled_for_good),
    mutant("saddled-by-nobody", "702.171c", "Forgets what saddled a Mount.", saddling=saddled_by_nobody),
    mutant("power-alone", "702.171a", "Lets all creatures ride with their power.", power_to_ride=power_alone),
    mutant("delved-for-anything", "702.66a", "Delves for colored mana.", delved=delved_for_anything),
    mutant(
        "reconfigured-creature",
        "702.151b",
        "Leaves what is reconfigured a creature.",
        after_attaching=creature_for_all_that,
    ),
    mutant("never-exhausted", "702.177a", "Ignores exhaustion.", is_exhausted=never_exhausted),
    mutant("warped-at-once", "702.185a", "Casts a warped card at once.", is_too_early=recast_at_once),
    mutant("not-final", "122.1h", "Ignores finality counters.", is_final=dies_for_all_that),
    mutant("bestowed-creature", "702.103b", "Leaves a bestowed Aura a creature.", bestowed=still_a_creature),
    mutant("not-unbestowed", "702.103e", "Counters a bestowed spell.", without_bestowal=no_creature_spell),
    mutant(
        "bestowed-for-good",
        "702.103f",
        "Keeps an Aura bestowed on nothing.",
        effects_after_unattaching=bestowed_for_good,
    ),
    mutant("seen-through", "702.168a", "Forgets the ward of a disguise.", resolve_permanent=seen_through),
    mutant(
        "blocked-by-anything",
        "702.25a",
        "Shrinks blockers that have flanking.",
        triggering=hearing(by_anything),
    ),
)

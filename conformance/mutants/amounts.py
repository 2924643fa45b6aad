"""Ways to get wrong how many, how often and which: blockers, counters, costs, mana, chance."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import announcing, at_once, beginning, combat, timing
from reference_engine.game.costs import Proposal
from reference_engine.game.events import CountersChanged, GameEvent, Moved
from reference_engine.game.game import Game, MarkedMana, StackItem, battlefield, defender_of, seat_of
from reference_engine.game.scene import Scene
from reference_engine.language.cards import (
    Activated,
    Counters,
    Double,
    EitherCost,
    Modify,
    MoveCounters,
    PutSameCounters,
    Selector,
)
from reference_engine.language.characteristics import HeldAbility
from reference_engine.layers.asking import is_player


def spent_on_anything(game: Game, proposal: Proposal, mark: MarkedMana) -> bool:
    """Any mana may be spent on anything."""
    return True


def spent_on_spells(game: Game, proposal: Proposal, mark: MarkedMana) -> bool:
    """Mana for abilities may be spent on spells as well."""
    return mark.only is None or proposal.item.kind == "spell"


def does_nothing_more(game: Game, item: StackItem, marks: tuple[MarkedMana, ...]) -> Game:
    """Mana does nothing to the spell that it is spent on."""
    return game


def any_number_of_blockers(game: Game, chosen: combat.BlockChoice) -> bool:
    """No effect limits or requires a number of blockers; menace does."""
    return combat.keeps_restrictions(replace(game, mentions=frozenset()), chosen)


AttackList = Sequence[tuple[str, str]]
"""Creatures, each with what it attacks."""


def any_number_attacks(game: Game, attacks: AttackList) -> tuple[combat.AttackLimit, ...]:
    """No effect limits or requires a number of attackers."""
    return ()


def any_attack_counts(game: Game, attacks: AttackList) -> tuple[combat.AttackLimit, ...]:
    """A limit on attacking a player counts the attackers of every player."""
    at_players = frozenset(one for one in attacks if is_player(game.board, one[1]))
    limits = combat.attack_limits(game, attacks)
    return tuple(limit._replace(counted=limit.counted | at_players) for limit in limits)


def at_the_controller(game: Game, attacks: AttackList) -> tuple[combat.AttackLimit, ...]:
    """What attacks a planeswalker counts as attacking its controller."""
    at_players = [(id, defender_of(game, what)) for id, what in attacks]
    there = dict(zip(attacks, at_players, strict=True))
    return tuple(
        limit._replace(
            counted=frozenset(one for one in attacks if there[one] in limit.counted),
            forbidden=frozenset(one for one in attacks if there[one] in limit.forbidden),
        )
        for limit in combat.attack_limits(game, tuple(dict.fromkeys((*attacks, *at_players))))
    )


def each_for_itself(game: Game, chosen: combat.AttackChoice) -> bool:
    """Whatever could attack on its own and has to does, or the declaration is illegal."""
    able = {id for id, what in combat.free_attacks(game).items() if what}
    return all(group & chosen.keys() for group in game.rules.required_attackers(game) if group & able)


def any_number_blocks(game: Game, chosen: combat.BlockChoice, limits: Sequence[combat.BlockLimit]) -> bool:
    """No effect limits or requires a number of creatures that block."""
    return True


def all_blockers_count(game: Game, chosen: combat.BlockChoice, limits: Sequence[combat.BlockLimit]) -> bool:
    """What other players block with counts."""
    there = {thing.id: thing.blocking for thing in battlefield(game) if thing.blocking}
    return combat.keeps_block_limits(game, there | chosen if chosen else chosen, limits)


def one_attacker_each(game: Game, id: str) -> int | None:
    """No creature blocks more than one attacker."""
    return 1


def defender_anyway(game: Game, id: str) -> bool:
    """No effect lets a creature with defender attack."""
    return game.seen.look(id).has_keyword("defender")


def stays_in_combat(game: Game, ids: tuple[str, ...]) -> Game:
    """No effect removes a creature from combat."""
    return game


def by_power_anyway(game: Game, id: str) -> int:
    """Every creature assigns combat damage equal to its power."""
    return game.seen.power(id) or 0


def always_the_first(
    game: Game, scene: Scene, who: tuple[str, ...], number: int, at_random: bool
) -> tuple[Game, tuple[GameEvent, ...]]:
    """Whoever discards at random discards the cards that are first in the hand."""
    if not at_random:
        return at_once.discards(game, scene, who, number, at_random)
    first = [id for player in who for id in seat_of(game, player).hand[:number]]
    return game, tuple(Moved(id, "hand", "graveyard", "discarded") for id in first)


def copied_counters(game: Game, scene: Scene, instruction: MoveCounters) -> tuple[GameEvent, ...]:
    """Counters that are moved also stay where they were."""
    moved = at_once.counters_moved(game, scene, instruction)
    return tuple(event for event in moved if not (isinstance(event, CountersChanged) and event.by < 0))


def one_counter_of_each(game: Game, scene: Scene, instruction: PutSameCounters) -> tuple[GameEvent, ...]:
    """One counter of each kind is put, however many there were."""
    put = at_once.same_counters(game, scene, instruction)
    return tuple(replace(event, by=1) if isinstance(event, CountersChanged) else event for event in put)


def all_for_each(
    game: Game, scene: Scene, counters: tuple[Counters, ...], on: Selector, divided: bool
) -> tuple[GameEvent, ...]:
    """Each target gets all the counters that are distributed."""
    return at_once.counter_changes(game, scene, counters, on, False)


def never_less(game: Game, id: str, operation: Double) -> Modify:
    """Doubling a negative power or toughness changes nothing."""
    grown = beginning.doubling(game, id, operation)
    power, toughness = (n if isinstance(n, int) else 0 for n in (grown.power, grown.toughness))
    return Modify(max(power, 0), max(toughness, 0))


def every_cost(game: Game, proposal: Proposal) -> tuple[Game, Proposal]:
    """Each of several costs is paid, of which one would be enough."""
    costs = tuple(
        one
        for cost in proposal.additional
        for one in (cost.options if isinstance(cost, EitherCost) else (cost,))
    )
    return announcing.costs_chosen(game, replace(proposal, additional=costs))


def once_in_any_case(game: Game, id: str, held: HeldAbility) -> bool:
    """An ability that can be activated several times each turn is used up after one."""
    if isinstance(held.ability, Activated) and held.ability.times is not None:
        return (game.turn, held.slot) in game.remembers(id).used
    return timing.used_up(game, id, held)


AMOUNT_MUTANTS: tuple[Mutant, ...] = (
    mutant("mana-for-anything", "106.6", "Spends any mana on anything.", may_be_spent=spent_on_anything),
    mutant("mana-for-spells", "106.6", "Spends mana for abilities on spells.", may_be_spent=spent_on_spells),
    mutant("mana-is-mana", "106.6", "Ignores what mana does to a spell.", riders_begun=does_nothing_more),
    mutant(
        "any-number-of-blockers",
        "509.1b",
        "Ignores effects on the number of blockers.",
        keeps_restrictions=any_number_of_blockers,
    ),
    mutant(
        "any-number-attacks",
        "508.1c",
        "Ignores effects on the number of attackers.",
        attack_limits=any_number_attacks,
    ),
    mutant(
        "counts-every-attacker",
        "802.3a",
        "Counts the attackers of every player for a limit on attacking one.",
        attack_limits=any_attack_counts,
    ),
    mutant(
        "planeswalkers-are-players",
        "508.1b",
        "Counts attackers of a planeswalker for a limit on attacking its controller.",
        attack_limits=at_the_controller,
    ),
    mutant(
        "each-has-to-attack",
        "508.1d",
        "Demands every required attack that a creature could make on its own.",
        obeys_attack_requirements=each_for_itself,
    ),
    mutant(
        "any-number-blocks",
        "509.1b",
        "Ignores effects on the number of creatures that block.",
        keeps_block_limits=any_number_blocks,
    ),
    mutant(
        "counts-every-blocker",
        "802.4b",
        "Counts blockers of other players.",
        keeps_block_limits=all_blockers_count,
    ),
    mutant("one-attacker-each", "509.1a", "Lets no creature block several.", most_blocked=one_attacker_each),
    mutant(
        "defender-anyway",
        "609.4",
        "Keeps creatures with defender from attacking whatever effects say.",
        is_held_back=defender_anyway,
    ),
    mutant(
        "stays-in-combat",
        "506.4",
        "Ignores effects that remove creatures from combat.",
        removed_from_combat=stays_in_combat,
    ),
    mutant(
        "damage-by-power-anyway",
        "510.1a",
        "Assigns damage by power whatever effects say.",
        combat_damage_of=by_power_anyway,
    ),
    mutant("first-at-random", "701.9b", "Discards the first cards at random.", discards=always_the_first),
    mutant(
        "counters-copied", "122.5", "Leaves moved counters where they were.", counters_moved=copied_counters
    ),
    mutant(
        "one-counter-of-each",
        "122.8",
        "Puts one counter of each kind of those that something had.",
        same_counters=one_counter_of_each,
    ),
    mutant(
        "counters-for-each", "601.2d", "Puts all distributed counters on each.", counter_changes=all_for_each
    ),
    mutant("never-doubled-down", "701.10c", "Does not double negative power.", doubling=never_less),
    mutant("every-cost", "601.2b", "Makes players pay both of two costs.", costs_chosen=every_cost),
    mutant("once-in-any-case", "602.5b", "Allows one activation where it is two.", used_up=once_in_any_case),
)

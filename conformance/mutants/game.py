"""Ways to get the game wrong: priority, casting, triggers, state-based actions, the turn and combat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from conformance.mutants.mutant import Mutant
from reference_engine import (
    casting,
    combat,
    costs,
    moving,
    priority,
    recall,
    resolving,
    state_based,
    timing,
    triggers,
    turn,
)
from reference_engine.actions import Activate, Cast
from reference_engine.asking import OWN
from reference_engine.board import Link
from reference_engine.cards import Activated, Triggered
from reference_engine.costs import Proposal
from reference_engine.events import Event, Moved, Untapped, happen
from reference_engine.game import (
    Game,
    Ref,
    Rejected,
    StackItem,
    Waiting,
    members,
    next_side,
    seat_of,
    side_of,
    sides,
)
from reference_engine.game_rules import CR
from reference_engine.mana import Price

# --------------------------------------------------------------------------------------- priority


def to_the_caster(game: Game, item: StackItem) -> str:
    """After a resolution whoever's object it was has priority."""
    return item.controller if item.controller in sides(game) else game.board.active


def to_the_next(game: Game, item: StackItem) -> str:
    """After a resolution the nonactive player has priority."""
    return next_side(game, game.board.active)


def opponent_after_action(game: Game, player: str) -> Game:
    """Whoever acts gives priority away by it."""
    side = next_side(game, side_of(game, player))
    return game.rules.give_priority(game, side, "broken")


def passes_add_up(game: Game, player: str) -> Game:
    """Passes from before an action go on counting after it."""
    after = priority.after_action(game, player)
    return msgspec.structs.replace(after, passed=game.passed)


def one_pass_is_enough(game: Game) -> bool:
    """The stack resolves as soon as one side has passed."""
    return bool(game.passed)


def passes_go_backwards(game: Game, side: str) -> str:
    """Priority goes round against the turn order."""
    order = sides(game)
    return order[order.index(side) - 1] if side in order else order[0]


def triggers_first(game: Game) -> Game:
    """Triggered abilities are put on the stack before state-based actions are performed."""
    while not game.over:
        if game.waiting:
            game = game.rules.put_triggers_on_stack(game)
        game, acted = game.rules.check_state(game)
        if not acted and not game.waiting:
            break
    return game


def checked_once(game: Game) -> Game:
    """State-based actions are performed once, then triggers are stacked, and that is all."""
    game, _ = game.rules.check_state(game)
    return game.rules.put_triggers_on_stack(game) if game.waiting and not game.over else game


def never_checked(game: Game) -> Game:
    """State-based actions wait for the end of the step; only triggers are stacked."""
    return game.rules.put_triggers_on_stack(game) if game.waiting else game


def all_resolve(game: Game) -> Game:
    """When all pass the whole stack resolves."""
    height = len(game.stack)
    for _ in range(max(height - 1, 0)):
        if len(game.stack) > 1:
            game = game.rules.resolve_top(game)
    return priority.after_all_passed(game)


# ---------------------------------------------------------------------------- casting, activating


def keeps_mana_made(game: Game, action: Cast | Activate, refusal: Rejected) -> Rejected:
    """A land tapped for an illegal spell stays tapped, though its player takes the tapping back."""
    if action.pay is None:
        return refusal
    kept = msgspec.structs.replace(action, pay=msgspec.structs.replace(action.pay, undo_mana=False))
    return casting.reversed_action(game, kept, refusal)


def without_step(name: str) -> tuple[Any, ...]:
    """The steps of casting without one of them."""
    return tuple(step for step in casting.CASTING_STEPS if step.__name__ != name)


def moved_step(name: str, before: str) -> tuple[Any, ...]:
    """The steps of casting with one of them earlier."""
    steps = list(without_step(name))
    step = next(step for step in casting.CASTING_STEPS if step.__name__ == name)
    steps.insert([other.__name__ for other in steps].index(before), step)
    return tuple(steps)


def below_nothing(price: Price, by: Price) -> Price:
    """A reduction may eat into coloured mana once the generic is gone."""
    less = max(by.generic - price.generic, 0)
    cheaper = msgspec.structs.replace(price, generic=max(price.generic - by.generic, 0))
    return msgspec.structs.replace(cheaper, pips=cheaper.pips[less:])


def set_before_reduced(game: Game, proposal: Proposal) -> Price:
    """A least total is applied before reductions, so that these go below it."""
    price = costs.total_cost(game, proposal)
    least = [by.total for _, how, by in costs.cost_changes(game, proposal.item) if how == "at least"]
    less = sum(by.generic for _, how, by in costs.cost_changes(game, proposal.item) if how == "less")
    if not least or not less:
        return price
    return msgspec.structs.replace(price, generic=max(price.generic - less, 0))


def sorceries_any_time(game: Game, player: str) -> bool:
    """A sorcery may be cast whenever its player has priority."""
    return side_of(game, player) == game.holder


def sorceries_in_any_main_phase(game: Game, player: str) -> bool:
    """A sorcery may be cast with something on the stack."""
    own = side_of(game, player) in (game.board.active,)
    return own and game.board.step in ("precombat main", "postcombat main")


def timing_ignored(game: Game, before: Game, item: StackItem) -> bool:
    """Any spell at any time."""
    return True


def never_sick(game: Game, id: str) -> bool:
    """Creatures may attack and tap at once."""
    return False


def control_does_not_matter(game: Game, id: str) -> bool:
    """Only entering makes a creature sick, not a change of its controller."""
    memory = game.remembers(id)
    lately = memory.since >= game.recent.get(side_of(game, game.board.things[id].owner), 0)
    return timing.is_sick(game, id) and memory.under == game.board.things[id].owner and lately


def mana_uses_the_stack(ability: Activated) -> bool:
    """Mana abilities are abilities like any other."""
    return False


def mana_triggers_use_the_stack(ability: Triggered) -> bool:
    """What triggers on tapping for mana is a triggered ability like any other."""
    return False


def splits_nothing(game: Game, but: str | None = None) -> bool:
    """Split second stops nobody."""
    return False


def flagbearers_ignored(game: Game, item: StackItem) -> None:
    """Nothing has to be chosen as a target."""


def targets_whatever(game: Game, item: StackItem, id: str) -> bool:
    """Hexproof, shroud and protection stop nobody from choosing a target."""
    return True


# ---------------------------------------------------------------------------------- resolution


def targets_not_asked_again(game: Game, item: StackItem) -> tuple[tuple[Ref, ...], ...]:
    """Targets are checked only as they are chosen."""
    return tuple(tuple(ref for ref in refs if game.is_there(ref)) for refs in item.targets)


def one_illegal_target_is_enough(game: Game, item: StackItem) -> tuple[tuple[Ref, ...], ...]:
    """A spell with one illegal target has no legal one."""
    legal = resolving.targets_still_legal(game, item)
    whole = all(len(now) == len(then) for now, then in zip(legal, item.targets, strict=True))
    return legal if whole else tuple(() for _ in legal)


def condition_not_asked_again(game: Game, item: StackItem) -> bool:
    """An intervening "if" is asked only as the ability triggers."""
    return True


# ------------------------------------------------------------------------------------ triggers


def nonactive_first(game: Game) -> tuple[str, ...]:
    """The active player's triggers are put on the stack last."""
    return tuple(reversed(triggers.trigger_order(game)))


def by_seat(game: Game) -> tuple[str, ...]:
    """Triggers are put on the stack by seat, whoever's turn it is."""
    ours = triggers.trigger_order(game)
    seats = [seat.id for seat in game.board.seats]
    return tuple(sorted(ours, key=lambda side: seats.index(side) if side in seats else 0))


def as_they_came(game: Game, side: str, own: tuple[Any, ...]) -> tuple[Game, tuple[Any, ...]]:
    """Nobody chooses the order of simultaneous triggers."""
    return game, own


def does_not_look_back(ability: Triggered, when: Any, zone: str) -> bool:
    """Abilities that look back in time are forgotten with their objects."""
    return zone == "battlefield"


# ----------------------------------------------------------------------- state-based actions


def triggers_but_once(before: Game, after: Game, event: triggers.Occurring, id: str) -> int:
    """Nothing makes an ability trigger an additional time."""
    return 1


def first_occurrence(game: Game, possible: tuple[Waiting, ...]) -> tuple[Game, Waiting]:
    """Nobody is asked on which of several events a delayed ability triggers."""
    return game, possible[0]


def linked_to_printed(game: Game, this: Ref, slot: tuple[str | int, ...]) -> Link | None:
    """What an ability exiles counts as exiled by those that are printed on the object."""
    return recall.linked(game, this, OWN)


def one_at_a_time(game: Game) -> tuple[Game, tuple[Event, ...]]:
    """State-based actions are performed one by one."""
    game, events = state_based.state_based_actions(game)
    return game, events[:1]


def without_check(check: Any) -> tuple[Any, ...]:
    """The checks without one of them."""
    return tuple(other for other in state_based.STATE_BASED_CHECKS if other is not check)


# ---------------------------------------------------------------------------- turn and combat


def no_second_cleanup(game: Game) -> bool:
    """Nobody ever gets priority in the cleanup step, and it is not repeated."""
    return False


def mana_stays(game: Game) -> Game:
    """Mana stays in the pools from step to step."""
    return game


def no_first_strike(game: Game) -> bool:
    """There is one combat damage step, whoever has first strike."""
    return False


def double_strike_once(game: Game, id: str) -> bool:
    """Who struck first does not strike again."""
    assert game.combat is not None
    return combat.deals_damage_now(game, id) and not (
        game.board.step == "combat damage" and id in game.combat.struck_first
    )


def out_of_combat_at_once(game: Game) -> Game:
    """Creatures stop attacking as soon as damage was dealt."""
    begun = combat.begin_damage(game)
    return begun.rules.combat_over(begun) if begun.deciding is None else begun


def any_division(game: Game, id: str, shares: Any) -> None:
    """Damage may be divided without lethal damage to the blockers first."""


def discards_nothing(game: Game) -> Game:
    """Nobody discards in the cleanup step."""
    return game


def discards_as_they_lie(game: Game) -> Game:
    """Nobody chooses what to discard in the cleanup step: it is what was held longest."""
    for player in members(game, game.board.active):
        most = game.rules.maximum_hand_size(game.seen, player)
        hand = seat_of(game, player).hand
        gone = () if most is None else hand[: max(len(hand) - most, 0)]
        game = happen(game, *(Moved(id, "hand", "graveyard", "discarded") for id in gone)) if gone else game
    return game


def damage_stays(game: Game) -> Game:
    """Effects end with the turn, and damage stays on creatures."""
    healed = turn.end_of_turn(game)
    hurt = [
        msgspec.structs.replace(thing, damage=game.board.things[thing.id].damage)
        for thing in healed.board.things.values()
        if thing.id in game.board.things and game.board.things[thing.id].damage
    ]
    return msgspec.structs.replace(healed, board=healed.board.with_things(*hurt))


def effects_stay(game: Game) -> Game:
    """Damage is removed as the turn ends, and no effect ends."""
    kept = tuple(msgspec.structs.replace(effect, until="ever") for effect in game.board.effects)
    return turn.end_of_turn(
        msgspec.structs.replace(game, board=msgspec.structs.replace(game.board, effects=kept))
    )


def draws_from_below(game: Game, player: str, number: int) -> Game:
    """Cards are drawn from the bottom of the library."""
    for _ in range(number):
        library = seat_of(game, player).library
        if not library:
            return moving.draw(game, player, 1)
        game = happen(game, Moved(library[-1], "library", "hand", "drawn"))
    return game


def nothing_countered(game: Game, ref: Ref) -> Game:
    """What is countered stays on the stack."""
    return game


def draws_nothing(game: Game) -> Game:
    """The draw step draws no card."""
    return game


def untaps_all(game: Game) -> Game:
    """Everybody's permanents untap."""
    ids = tuple(
        thing.id for thing in game.board.things.values() if thing.zone == "battlefield" and thing.tapped
    )
    return happen(game, *(Untapped(id) for id in ids)) if ids else game


def _mutant(name: str, breaks: str, story: str, **functions: Any) -> Mutant:
    return Mutant(name, breaks, story, replace(CR, **functions))


GAME: tuple[Mutant, ...] = (
    _mutant(
        "priority-to-caster",
        "117.3b",
        "Gives priority to whoever's spell has just resolved.",
        holder_after_resolution=to_the_caster,
    ),
    _mutant(
        "priority-to-opponent",
        "117.3b",
        "Gives priority to the nonactive player after a resolution.",
        holder_after_resolution=to_the_next,
    ),
    _mutant(
        "acting-gives-it-away",
        "117.3c",
        "Takes priority from whoever acts.",
        after_action=opponent_after_action,
    ),
    _mutant("passes-not-reset", "117.4", "Counts passes from before an action.", after_action=passes_add_up),
    _mutant(
        "one-pass", "117.4", "Resolves the stack when one player has passed.", all_passed=one_pass_is_enough
    ),
    _mutant(
        "backwards",
        "117.3d",
        "Passes priority against the turn order.",
        next_to_get_priority=passes_go_backwards,
    ),
    _mutant(
        "triggers-before-checks",
        "117.5",
        "Stacks triggers before it performs state-based actions.",
        before_priority=triggers_first,
    ),
    _mutant(
        "checked-once",
        "704.3",
        "Checks state-based actions once and not again.",
        before_priority=checked_once,
    ),
    _mutant("never-checked", "704.3", "Performs no state-based actions.", before_priority=never_checked),
    _mutant("all-resolve", "117.4", "Resolves the whole stack when all pass.", after_all_passed=all_resolve),
    _mutant(
        "rewind-keeps-tapped-land",
        "733.1",
        "Leaves a land tapped that paid for nothing.",
        reversed_action=keeps_mana_made,
    ),
    _mutant(
        "targets-after-costs",
        "601.2c",
        "Chooses targets after costs are paid.",
        casting_steps=moved_step("cost_paid", "targets_announced"),
    ),
    _mutant(
        "no-legality-check",
        "601.2e",
        "Does not check whether the proposed spell is legal.",
        casting_steps=without_step("legality_checked"),
    ),
    _mutant(
        "reduction-eats-colours",
        "601.2f",
        "Reduces coloured mana by a generic reduction.",
        reduced=below_nothing,
    ),
    _mutant(
        "least-before-less",
        "601.2f",
        "Applies a least total before reductions.",
        total_cost=set_before_reduced,
    ),
    _mutant(
        "sorcery-any-time", "117.1a", "Lets sorceries be cast at any time.", timing_allows=timing_ignored
    ),
    _mutant(
        "sorcery-on-a-stack",
        "602.5d",
        "Lets abilities with a sorcery's timing be activated over a stack.",
        could_cast_a_sorcery=sorceries_in_any_main_phase,
    ),
    _mutant("never-sick", "302.6", "Forgets summoning sickness.", is_sick=never_sick),
    _mutant(
        "sickness-ignores-control",
        "302.6",
        "Lets a creature that was just taken attack.",
        is_sick=control_does_not_matter,
    ),
    _mutant(
        "mana-on-the-stack",
        "605.3b",
        "Puts mana abilities on the stack.",
        is_mana_ability=mana_uses_the_stack,
    ),
    _mutant(
        "mana-triggers-on-the-stack",
        "605.4a",
        "Puts triggered mana abilities on the stack.",
        is_triggered_mana_ability=mana_triggers_use_the_stack,
    ),
    _mutant(
        "no-split-second", "702.61a", "Lets players respond to split second.", split_second=splits_nothing
    ),
    _mutant(
        "no-flagbearers",
        "601.2c",
        "Lets targets be chosen past a Flagbearer.",
        obeys_target_requirements=flagbearers_ignored,
    ),
    _mutant(
        "targets-anything",
        "702.11b",
        "Lets what can't be targeted be targeted.",
        can_be_targeted=targets_whatever,
    ),
    _mutant(
        "targets-not-rechecked",
        "608.2b",
        "Does not check targets again on resolution.",
        targets_still_legal=targets_not_asked_again,
    ),
    _mutant(
        "one-illegal-target-is-enough",
        "608.2b",
        "Gives up a spell because of one illegal target among several.",
        targets_still_legal=one_illegal_target_is_enough,
    ),
    _mutant(
        "if-asked-once",
        "603.4",
        "Does not ask an intervening if again.",
        still_wants_to_resolve=condition_not_asked_again,
    ),
    _mutant(
        "reverse-apnap", "603.3b", "Stacks the active player's triggers last.", trigger_order=nonactive_first
    ),
    _mutant("triggers-by-seat", "603.3b", "Stacks triggers by seat.", trigger_order=by_seat),
    _mutant(
        "triggers-as-they-came",
        "603.3b",
        "Lets nobody order simultaneous triggers.",
        triggers_ordered=as_they_came,
    ),
    _mutant(
        "one-trigger-round",
        "603.3b",
        "Stacks triggers on triggers in one round.",
        trigger_rounds=triggers.one_round,
    ),
    _mutant(
        "triggers-but-once",
        "603.2d",
        "Lets no ability trigger an additional time.",
        times_triggered=triggers_but_once,
    ),
    _mutant(
        "first-occurrence",
        "603.7b",
        "Lets a delayed trigger trigger on the first of several events at once.",
        occurrence_chosen=first_occurrence,
    ),
    _mutant(
        "pairs-mixed",
        "607.5",
        "Links what an acquired ability exiled to the printed ones.",
        linked=linked_to_printed,
    ),
    _mutant(
        "checks-one-by-one",
        "704.3",
        "Performs state-based actions one by one.",
        state_based_actions=one_at_a_time,
    ),
    _mutant(
        "toughness-ignored",
        "704.5f",
        "Leaves creatures with no toughness on the battlefield.",
        state_based_checks=without_check(state_based.creatures_without_toughness),
    ),
    _mutant(
        "damage-ignored",
        "704.5g",
        "Leaves creatures with lethal damage on the battlefield.",
        state_based_checks=without_check(state_based.creatures_with_lethal_damage),
    ),
    _mutant(
        "deathtouch-ignored",
        "704.5h",
        "Forgets deathtouch.",
        state_based_checks=without_check(state_based.creatures_touched_by_death),
    ),
    _mutant(
        "attachments-ignored",
        "704.5m",
        "Leaves Auras and Equipment where they may not be.",
        state_based_checks=without_check(state_based.attachments),
    ),
    _mutant(
        "tokens-stay",
        "704.5d",
        "Leaves tokens in hands and graveyards.",
        state_based_checks=without_check(state_based.misplaced_tokens_and_copies),
    ),
    _mutant(
        "life-ignored",
        "704.5a",
        "Lets players without life play on.",
        state_based_checks=without_check(state_based.players_without_life),
    ),
    _mutant(
        "counters-stay",
        "704.5q",
        "Lets +1/+1 and -1/-1 counters lie side by side.",
        state_based_checks=without_check(state_based.annihilating_counters),
    ),
    _mutant(
        "loyalty-ignored",
        "704.5i",
        "Leaves planeswalkers without loyalty on the battlefield.",
        state_based_checks=without_check(state_based.planeswalkers_without_loyalty),
    ),
    _mutant(
        "no-legend-rule", "704.5j", "Forgets the legend rule.", uniqueness_rules=(state_based.world_rule,)
    ),
    _mutant(
        "cleanup-not-repeated",
        "514.3a",
        "Never repeats the cleanup step.",
        cleanup_gives_priority=no_second_cleanup,
    ),
    _mutant("no-discard", "514.1", "Does not discard down to seven.", discard_to_hand_size=discards_nothing),
    _mutant(
        "discards-as-they-lie",
        "514.1",
        "Lets nobody choose what to discard down to seven.",
        discard_to_hand_size=discards_as_they_lie,
    ),
    _mutant(
        "damage-stays", "514.2", "Leaves damage on creatures from turn to turn.", end_of_turn=damage_stays
    ),
    _mutant("effects-stay", "514.2", "Lets nothing end with the turn.", end_of_turn=effects_stay),
    _mutant("draws-from-below", "121.1", "Draws from the bottom of the library.", draw=draws_from_below),
    _mutant("counters-nothing", "701.6a", "Lets what was countered resolve.", countered=nothing_countered),
    _mutant("no-draw", "504.1", "Draws no card in the draw step.", draw_for_turn=draws_nothing),
    _mutant("all-untap", "502.3", "Untaps everybody's permanents.", untap=untaps_all),
    _mutant("mana-stays", "500.5", "Keeps mana from step to step.", empty_mana=mana_stays),
    _mutant("no-first-strike", "510.4", "Ignores first strike.", two_damage_steps=no_first_strike),
    _mutant(
        "double-strike-once",
        "702.4b",
        "Lets double strike deal damage once.",
        deals_damage_now=double_strike_once,
    ),
    _mutant(
        "combat-ends-early",
        "511.3",
        "Removes attackers from combat after damage.",
        begin_damage=out_of_combat_at_once,
    ),
    _mutant(
        "any-division", "510.1c", "Lets trample damage be divided anyhow.", check_assignment=any_division
    ),
)

"""Ways to get the game wrong: priority, casting, resolving, triggers and state-based actions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec

from conformance.mutants.mutant import Mutant
from reference_engine import (
    casting,
    choices,
    costs,
    priority,
    recall,
    resolving,
    state_based,
    targets,
    timing,
    triggers,
)
from reference_engine.actions import Activate, AnswerValue, Cast, Pass, PayStep, Play, TurnUp
from reference_engine.asking import OWN, Asking
from reference_engine.board import Link
from reference_engine.cards import Activated, Choose, Cost, TapThis, TargetSpec, Triggered
from reference_engine.characteristics import Held
from reference_engine.costs import Proposal
from reference_engine.events import Event, happen
from reference_engine.game import (
    Delayed,
    Game,
    Ref,
    Rejected,
    StackItem,
    Waiting,
    next_side,
    side_of,
    sides,
)
from reference_engine.game_rules import CR
from reference_engine.mana import Price
from reference_engine.recall import Named
from reference_engine.rule_effects import Permission
from reference_engine.words import COLORS

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


def passes_survive(game: Game, side: str, why: str) -> Game:
    """Passes from before a resolution go on counting after it."""
    return msgspec.structs.replace(priority.give_priority(game, side, why), passed=game.passed)


def anybody_passes(game: Game, action: Pass) -> Game:
    """Anybody may pass for whoever has priority."""
    ours = action.who == "everyone" or game.deciding is not None or game.holder is None
    return priority.pass_priority(game, action) if ours else game.rules.passes(game)


def two_passes_are_enough(game: Game, side: str) -> tuple[str, ...]:
    """Who passes as the second has passed for all the others."""
    return tuple(sides(game)) if game.passed else (side,)


def nobody_wins(game: Game) -> tuple[Game, bool]:
    """The game goes on with one player left."""
    after, acted = priority.check_state(game)
    return msgspec.structs.replace(after, over=False), acted


def anybody_acts(game: Game, player: str) -> None:
    """Players act without having priority."""


# ---------------------------------------------------------------------------- special actions


def lands_any_time(game: Game, action: Play) -> Game:
    """A land may be played whenever its player has priority."""
    lax = replace(game.rules, could_cast_a_sorcery=sorceries_any_time)
    after = priority.play_land(msgspec.structs.replace(game, rules=lax), action)
    return msgspec.structs.replace(after, rules=game.rules)


def lands_without_number(game: Game, player: str) -> int:
    """Any number of lands may be played in a turn."""
    return len(game.board.things)


def turns_up_for_nothing(game: Game, action: TurnUp) -> Game:
    """What has no morph cost is turned face up for nothing."""
    try:
        return priority.turn_face_up(game, action)
    except Rejected as refusal:
        if "702.37e" not in refusal.why:
            raise
    game, event = game.rules.face_turned(game, action.what, True)
    return game.rules.after_action(happen(game, event), action.by)


def age_kept(game: Game, action: TurnUp) -> Game:
    """A permanent that is turned face up is as old as it was face down."""
    after = priority.turn_face_up(game, action)
    old = game.board.things[action.what].timestamp
    thing = msgspec.structs.replace(after.board.things[action.what], timestamp=old)
    return msgspec.structs.replace(after, board=after.board.with_things(thing))


# ---------------------------------------------------------------------------- casting, activating


def from_anywhere(game: Game, player: str, id: str, method: str | None) -> None:
    """A card may be cast from wherever it is."""
    if game.seen.look(id).is_a("Land"):
        timing.may_cast_from(game, player, id, method)


def permits_nothing(game: Game, player: str, id: str) -> Permission | None:
    """No effect lets a card be played from elsewhere."""
    return None


def forbids_nothing(game: Game, item: StackItem, begun: bool) -> str | None:
    """No effect keeps a spell from being cast, only split second does."""
    return "split second" if game.rules.split_second(game, item.id) else None


def activated_again(game: Game, player: str, id: str, held: Held) -> None:
    """How often an ability was activated this turn does not matter."""
    fresh = msgspec.structs.replace(game.remembers(id), used=())
    timing.may_activate(msgspec.structs.replace(game, memory={**game.memory, id: fresh}), player, id, held)


def no_mana_while_paying(game: Game, player: str, step: PayStep) -> tuple[Game, str]:
    """Mana has to be there before a spell is cast."""
    raise Rejected("no mana abilities now")


def tapped_again(
    game: Game, cost: Cost, player: str, source: Ref, *more: Any
) -> tuple[Game, str, tuple[Ref, ...]]:
    """What is tapped already is tapped once more to pay for something."""
    thing = game.board.things.get(source.id)
    if isinstance(cost, TapThis) and thing is not None and thing.tapped:
        return game, "", ()
    return costs.pay_cost(game, cost, player, source, *more)


def players_are_no_target(
    game: Game, item: StackItem, spec: TargetSpec, named: Named | None = None
) -> tuple[str, ...]:
    """Any target is a permanent."""
    found = targets.legal_targets(game, item, spec, named)
    return tuple(id for id in found if not spec.any_target or id in game.board.things)


def not_tapped_for_mana(game: Game, item: StackItem, produces: str | None) -> Game:
    """Nothing triggers on a permanent being tapped for mana."""
    after = resolving.resolve_mana_ability(
        msgspec.structs.replace(game, mentions=frozenset()), item, produces
    )
    return msgspec.structs.replace(after, mentions=game.mentions)


def mana_triggers_wait(game: Game) -> Game:
    """Triggered mana abilities wait like any others, and then resolve from the stack."""
    return game


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


def first_word(
    game: Game, choice: Choose, player: str, who_asks: tuple[str, ...], asking: Asking
) -> tuple[Game, tuple[AnswerValue, ...]]:
    """Nobody is asked for a colour: it is the first that there is."""
    if choice.kind != "color":
        return choices.words_chosen(game, choice, player, who_asks, asking)
    return game, tuple(word for word in COLORS if word not in choice.never)[: choice.least]


# ------------------------------------------------------------------------------------ triggers


def once_for_all(before: Game, after: Game, events: tuple[Event, ...]) -> Game:
    """An ability triggers once, however many things of its kind happen together."""
    found = triggers.triggered(before, after, events)
    kept: list[Waiting] = []
    for one in found.waiting:
        same = (one.source, one.slot, one.name)
        if one in after.waiting or same not in [(other.source, other.slot, other.name) for other in kept]:
            kept.append(one)
    return msgspec.structs.replace(found, waiting=tuple(kept))


def condition_asked_late(
    before: Game, after: Game, game: Game, event: Any, id: str, held: Held, when: Any
) -> Waiting | None:
    """An intervening "if" is asked only as the ability resolves."""
    assert isinstance(held.ability, Triggered)
    free = msgspec.structs.replace(held, ability=msgspec.structs.replace(held.ability, cond=None))
    waiting = triggers.triggering(before, after, game, event, id, free, when)
    return None if waiting is None else msgspec.structs.replace(waiting, ability=held.ability)


def once_for_the_team(game: Game, waiting: Waiting, when: Any) -> tuple[Waiting, ...]:
    """What triggers at the beginning of a step triggers once for the whole team."""
    return (waiting,)


def never_later(before: Game, after: Game, event: Any, delayed: Delayed) -> Waiting | None:
    """Delayed triggered abilities never trigger."""
    return None


def auras_lost(before: Game, after: Game) -> Game:
    """An ability about an enchanted permanent loses sight of its Aura."""
    return after


def stays_without_target(game: Game, waiting: Waiting) -> Game:
    """A triggered ability without a legal target is on the stack all the same, and does nothing."""
    after = triggers.trigger_put_on_stack(game, waiting)
    if len(after.stack) > len(game.stack):
        return after
    after, item = triggers.as_item(game, waiting)
    idle = msgspec.structs.replace(waiting.ability, effect=(), modes=(), targets=())
    return msgspec.structs.replace(
        after, stack=(*after.stack, msgspec.structs.replace(item, ability=idle, specs=()))
    )


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
        "passes-survive", "117.4", "Counts passes from before a resolution.", give_priority=passes_survive
    ),
    _mutant("anybody-passes", "117.3d", "Lets a player pass for another.", pass_priority=anybody_passes),
    _mutant(
        "two-passes",
        "117.4",
        "Resolves the stack after two passes, however many play.",
        passed_after=two_passes_are_enough,
    ),
    _mutant("nobody-wins", "104.2a", "Plays on with one player left.", check_state=nobody_wins),
    _mutant("anybody-acts", "117.1", "Lets players act without priority.", require_priority=anybody_acts),
    _mutant("lands-any-time", "305.3", "Lets lands be played at any time.", play_land=lands_any_time),
    _mutant(
        "lands-without-number",
        "305.2",
        "Lets any number of lands be played.",
        land_plays=lands_without_number,
    ),
    _mutant(
        "turns-up-for-nothing",
        "702.37e",
        "Turns face up what has no morph cost.",
        turn_face_up=turns_up_for_nothing,
    ),
    _mutant("age-kept", "613.7f", "Gives no new timestamp to what is turned face up.", turn_face_up=age_kept),
    _mutant("from-anywhere", "601.3", "Lets cards be cast from anywhere.", may_cast_from=from_anywhere),
    _mutant("permits-nothing", "601.3", "Lets cards be cast from the hand only.", permission=permits_nothing),
    _mutant(
        "forbids-nothing",
        "101.2",
        "Lets spells be cast that an effect forbids.",
        forbidden_to_cast=forbids_nothing,
    ),
    _mutant(
        "activated-again",
        "602.5b",
        "Lets an ability be activated twice that is for once a turn.",
        may_activate=activated_again,
    ),
    _mutant(
        "no-mana-while-paying",
        "605.3a",
        "Lets no mana ability be activated while a spell is paid for.",
        mana_ability_used=no_mana_while_paying,
    ),
    _mutant(
        "library-first",
        "601.2h",
        "Pays costs in the order in which they are printed.",
        order_of_payment=casting.as_printed,
    ),
    _mutant(
        "payment-not-considered",
        "601.5",
        "Lets no target hang on what will pay for the spell.",
        considered_costs=casting.nothing_considered,
    ),
    _mutant("tapped-again", "118.3", "Taps what is tapped to pay for something.", pay_cost=tapped_again),
    _mutant(
        "players-are-no-target",
        "115.4",
        "Takes any target for any permanent.",
        legal_targets=players_are_no_target,
    ),
    _mutant(
        "not-tapped-for-mana",
        "106.12a",
        "Forgets that a permanent was tapped for mana.",
        resolve_mana_ability=not_tapped_for_mana,
    ),
    _mutant(
        "mana-triggers-wait",
        "605.4a",
        "Lets triggered mana abilities wait for the stack.",
        resolve_mana_triggers=mana_triggers_wait,
    ),
    _mutant("first-word", "608.2d", "Chooses a colour itself.", words_chosen=first_word),
    _mutant("once-for-all", "603.2c", "Triggers once for several events together.", triggered=once_for_all),
    _mutant(
        "asked-late", "603.4", "Asks an intervening if only on resolution.", triggering=condition_asked_late
    ),
    _mutant(
        "once-for-the-team",
        "805.4d",
        "Triggers once for a team where it should for each of its players.",
        for_each_player_of_the_team=once_for_the_team,
    ),
    _mutant("never-later", "603.7", "Forgets delayed triggered abilities.", delayed_triggering=never_later),
    _mutant(
        "auras-lost", "400.7f", "Loses sight of an Aura that goes with its host.", auras_found=auras_lost
    ),
    _mutant(
        "stays-without-target",
        "603.3d",
        "Leaves a triggered ability without target on the stack.",
        trigger_put_on_stack=stays_without_target,
    ),
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
)

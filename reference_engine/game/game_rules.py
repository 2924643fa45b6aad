"""The decisions of the game's rules, added to those of the layers in one frozen record.

Every field is a function named for what it decides; its docstring cites the rule. An edition of the rules, or
a broken engine, is this record with some functions replaced.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from reference_engine.game import (
    announcing,
    at_once,
    attaching,
    beginning,
    casting,
    choices,
    combat,
    controlling,
    copying,
    costs,
    damage,
    daytime,
    designations,
    entry,
    history,
    instructions,
    library,
    manifesting,
    moving,
    phases,
    phasing,
    possible,
    priority,
    recall,
    replacing,
    resolving,
    rooms,
    sagas,
    stacking,
    state_based,
    targets,
    timestamps,
    timing,
    triggers,
    turn,
    zones,
)
from reference_engine.game.at_once import AtOnce
from reference_engine.game.costs import Proposal, Terms
from reference_engine.game.events import (
    Damaged,
    Entering,
    GameEvent,
    LifeChanged,
    Moved,
    PhasesOut,
    Saddling,
    TurnedFace,
)
from reference_engine.game.game import (
    DelayedTrigger,
    Game,
    MarkedMana,
    NewTimestamp,
    Ref,
    Rejected,
    StackItem,
    WaitingTrigger,
)
from reference_engine.game.mana import Price, reduced
from reference_engine.game.occurrences import AttachmentBegan, Occurring
from reference_engine.game.recall import NamedObjects
from reference_engine.game.rule_effects import Permission
from reference_engine.game.scene import Scene
from reference_engine.language import characteristics
from reference_engine.language.actions import (
    Action,
    Activate,
    Advance,
    AnswerValue,
    Assign,
    Attack,
    Block,
    Call,
    CastAction,
    Pass,
    PayStep,
    PlayAction,
    Resolve,
    Share,
    Special,
    TurnUp,
    UnlockAction,
)
from reference_engine.language.cards import (
    Ability,
    Activated,
    Amass,
    Card,
    ChooseInstruction,
    Cloak,
    Condition,
    Connive,
    Cost,
    Double,
    ExileUntilFound,
    ExtraPhase,
    Fight,
    Instruction,
    Keyword,
    LockDoor,
    LookThrough,
    Manifest,
    ManifestDread,
    MayPlay,
    Modify,
    MoveCounters,
    Operation,
    PreventDamage,
    PutSameCounters,
    Quantity,
    Scry,
    Selector,
    Surveil,
    TargetSpec,
    Triggered,
    TriggerEvent,
    UnlockDoor,
    Would,
)
from reference_engine.language.characteristics import Characteristics, HeldAbility
from reference_engine.language.words import Daytime, Half, Step
from reference_engine.layers import dependency, operations
from reference_engine.layers.asking import Asking
from reference_engine.layers.board import ChoicesMade, Lasting, Link, PhasedOut, SettledPart, Thing
from reference_engine.layers.evaluation import RuleEffect
from reference_engine.layers.past import PastEvent
from reference_engine.layers.rules import Rules

StateChecks = tuple[Callable[[Game], tuple[GameEvent, ...]], ...]
Uniqueness = tuple[Callable[[Game], tuple[Game, tuple[GameEvent, ...]]], ...]
Steps = tuple[Callable[[Game, Proposal], tuple[Game, Proposal]], ...]


@dataclass(frozen=True, kw_only=True)
class GameRules(Rules):
    """One function for each decision that the rules make, named for what it decides."""

    # CR 117: who may act
    give_priority: Callable[[Game, str, str], Game] = priority.give_priority
    before_priority: Callable[[Game], Game] = priority.before_priority
    check_state: Callable[[Game], tuple[Game, bool]] = priority.check_state
    after_action: Callable[[Game, str], Game] = priority.after_action
    pass_priority: Callable[[Game, Pass], Game] = priority.pass_priority
    passes: Callable[[Game], Game] = priority.passes
    passed_after: Callable[[Game, str], tuple[str, ...]] = priority.passed_after
    all_passed: Callable[[Game], bool] = priority.all_passed
    next_to_get_priority: Callable[[Game, str], str] = priority.next_to_get_priority
    after_all_passed: Callable[[Game], Game] = priority.after_all_passed
    holder_after_resolution: Callable[[Game, StackItem], str] = priority.holder_after_resolution
    until_resolved: Callable[[Game, Resolve], Game] = priority.until_resolved
    until_settled: Callable[[Game], Game] = priority.until_settled
    until_step: Callable[[Game, Advance], Game] = priority.until_step

    # CR 702.103: bestow
    bestowed: Callable[[str, str, int], Lasting] = attaching.bestowed
    without_bestowal: Callable[[Game, str], Game | None] = attaching.without_bestowal
    effects_after_unattaching: Callable[[tuple[Lasting, ...], Collection[str]], tuple[Lasting, ...]] = (
        attaching.effects_after_unattaching
    )

    # CR 702.151: reconfigure
    after_attaching: Callable[[Game, str], Game] = attaching.after_attaching

    # CR 116: special actions
    play_land: Callable[[Game, PlayAction], Game] = priority.play_land
    land_plays: Callable[[Game, str], int] = priority.land_plays
    turn_face_up: Callable[[Game, TurnUp], Game] = priority.turn_face_up
    take_special_action: Callable[[Game, Special], Game] = priority.take_special_action
    foretold: Callable[[Game, Special], Game] = priority.foretold

    # CR 601, 602: casting and activating
    cast_spell: Callable[[Game, CastAction], Game] = casting.cast_spell
    activate_ability: Callable[[Game, Activate], Game] = casting.activate_ability
    reversed_action: Callable[[Game, CastAction | Activate, Rejected], Rejected] = casting.reversed_action
    require_priority: Callable[[Game, str], None] = timing.require_priority
    as_the_spell: Callable[[Game, CastAction, str | None], Game] = casting.as_the_spell
    may_cast_from: Callable[[Game, str, str, str | None], None] = timing.may_cast_from
    may_cast_plotted: Callable[[Game, str, str], bool] = timing.may_cast_plotted
    may_cast_foretold: Callable[[Game, str, str], bool] = timing.may_cast_foretold
    shown_in_exile: Callable[[Game, str, str], Game] = casting.shown_in_exile
    permissions: Callable[[Game, str, str], tuple[Permission, ...]] = timing.permissions
    is_too_early: Callable[[Game, MayPlay, RuleEffect], bool] = timing.is_too_early
    could_cast_a_sorcery: Callable[[Game, str], bool] = timing.could_cast_a_sorcery
    timing_allows: Callable[[Game, Game, StackItem], bool] = timing.timing_allows
    forbidden_to_cast: Callable[[Game, StackItem, Game | None], str | None] = timing.forbidden_to_cast
    has_legend_for: Callable[[Game, StackItem], bool] = timing.has_legend_for
    split_second: Callable[..., bool] = timing.split_second
    may_activate: Callable[[Game, str, str, HeldAbility], None] = timing.may_activate
    used_up: Callable[[Game, str, HeldAbility], bool] = timing.used_up
    is_under_way: Callable[[Game, str, HeldAbility], bool] = timing.is_under_way
    is_exhausted: Callable[[Game, str, HeldAbility], bool] = timing.is_exhausted
    is_sick: Callable[[Game, str], bool] = timing.is_sick
    is_mana_ability: Callable[[Activated], bool] = characteristics.is_mana_ability
    is_triggered_mana_ability: Callable[[Triggered], bool] = characteristics.is_triggered_mana_ability
    with_face_chosen: Callable[[Game, str, str | None], Game] = casting.with_face_chosen
    proposed: Callable[..., tuple[Game, Proposal]] = casting.proposed
    cast_while_resolving: Callable[[Game, str, str, Terms], Game] = casting.cast_while_resolving
    meets_terms: Callable[[Game, StackItem, Terms], bool] = casting.meets_terms
    announced: Callable[[Game, Activate], tuple[Game, Proposal]] = casting.announced
    casting_steps: Steps = casting.CASTING_STEPS
    considered_costs: Callable[[Game, Proposal], tuple[tuple[str, tuple[Ref, ...]], ...]] = (
        casting.considered_costs
    )
    obeys_target_requirements: Callable[[Game, StackItem], None] = targets.obeys_target_requirements
    costs_chosen: Callable[[Game, Proposal], tuple[Game, Proposal]] = announcing.costs_chosen
    way_kept: Callable[[Game, Proposal, Keyword], Game] = announcing.way_kept
    total_cost: Callable[[Game, Proposal], costs.Total] = costs.total_cost
    cost_changes: Callable[[Game, StackItem], list[costs.CostChange]] = costs.cost_changes
    reduced: Callable[[Price, Price], Price] = reduced
    mana_ability_used: Callable[[Game, str, PayStep, str], tuple[Game, str]] = casting.mana_ability_used
    is_cycling: Callable[[StackItem], bool] = casting.is_cycling
    order_of_payment: Callable[[tuple[Cost, ...]], casting.PaymentOrder] = casting.libraries_last
    costs_that_move_nothing: Callable[[tuple[Cost, ...]], casting.PaymentOrder] = (
        casting.costs_that_move_nothing
    )
    counted_for_affinity: Callable[[Game, StackItem, Keyword], int] = costs.counted_for_affinity
    convoked: Callable[[Game, str, str, tuple[Price, ...]], tuple[Game, tuple[Price, ...]]] = costs.convoked
    delved: Callable[[Game, str, tuple[str, ...], Price, Link | None], tuple[Game, Price]] = costs.delved
    power_to_ride: Callable[[Game, Ref, tuple[str | int, ...], str], int] = costs.power_to_ride
    saddling: Callable[[Game, Ref, tuple[str | int, ...], tuple[str, ...]], tuple[Saddling, ...]] = (
        costs.saddling
    )
    pay_cost: Callable[..., tuple[Game, str, tuple[Ref, ...]]] = costs.pay_cost
    may_be_spent: Callable[[Game, Proposal, MarkedMana], bool] = costs.may_be_spent
    riders_begun: Callable[[Game, StackItem, tuple[MarkedMana, ...]], Game] = costs.riders_begun

    # CR 115: targets
    legal_targets: Callable[[Game, StackItem, TargetSpec, NamedObjects | None], tuple[str, ...]] = (
        targets.legal_targets
    )
    can_be_targeted: Callable[[Game, StackItem, str], bool] = targets.can_be_targeted
    protects: Callable[[Game, Keyword, Ref, str], bool] = targets.protects

    # CR 608: resolving
    resolve_top: Callable[[Game], Game] = resolving.resolve_top
    still_wants_to_resolve: Callable[[Game, StackItem], bool] = resolving.still_wants_to_resolve
    targets_still_legal: Callable[[Game, StackItem], tuple[tuple[Ref, ...], ...]] = (
        resolving.targets_still_legal
    )
    after_following: Callable[[Game, StackItem], Game] = resolving.after_following
    resolve_permanent: Callable[[Game, StackItem], Game] = resolving.resolve_permanent
    returned_later: Callable[[Game, StackItem], Game] = resolving.returned_later
    resolve_mana_ability: Callable[[Game, StackItem, str | None], Game] = resolving.resolve_mana_ability
    resolve_mana_triggers: Callable[[Game], Game] = resolving.resolve_mana_triggers
    countered: Callable[[Game, Ref], Game] = resolving.countered
    stack_exiled: Callable[[Game], Game] = resolving.stack_exiled
    copied: Callable[..., tuple[Game, StackItem]] = copying.copied
    retargeted: Callable[[Game, StackItem, str, tuple[str, ...], bool], Game] = copying.retargeted
    aims_noticed: Callable[[Game, StackItem], Game] = copying.aims_noticed
    fixed_parts: Callable[
        [Game, Scene, Selector, tuple[Operation, ...]],
        tuple[Game, tuple[SettledPart, ...], dict[str, tuple[str, ...]]],
    ] = beginning.fixed_parts
    referred_to: Callable[[Game, Scene, Selector, Asking], tuple[Ref, ...]] = beginning.referred_to
    effects_kept: Callable[[Game, StackItem], tuple[Lasting, ...]] = beginning.effects_kept
    last_known: Callable[[Game, Ref, Ref | None, NamedObjects], recall.LastKnown] = recall.last_known
    linked: Callable[[Game, Ref, tuple[str | int, ...]], Link | None] = recall.linked
    has_left: Callable[[Game, Ref], bool] = instructions.has_left
    returning_from_exile: Callable[[Game], Game] = instructions.returning_from_exile
    returning_under: Callable[[], Selector] = instructions.returning_under
    events_of: Callable[[Game, Scene, AtOnce], tuple[Game, tuple[GameEvent, ...]]] = at_once.events_of
    draw: Callable[[Game, str, int], Game] = moving.draw
    discards: Callable[..., tuple[Game, tuple[GameEvent, ...]]] = at_once.discards
    counter_changes: Callable[..., tuple[GameEvent, ...]] = at_once.counter_changes
    counters_moved: Callable[[Game, Scene, MoveCounters], tuple[GameEvent, ...]] = at_once.counters_moved
    same_counters: Callable[[Game, Scene, PutSameCounters], tuple[GameEvent, ...]] = at_once.same_counters
    fighting: Callable[[Game, Scene, Fight], tuple[GameEvent, ...]] = at_once.fighting
    milled: Callable[[Game, tuple[str, ...], int], tuple[GameEvent, ...]] = library.milled
    scried: Callable[[Game, Scene, Scry | Surveil], tuple[Game, tuple[GameEvent, ...]]] = library.scried
    cards_put_away: Callable[[Game, Scene, str, tuple[str, ...]], tuple[Game, tuple[str, ...]]] = (
        library.cards_put_away
    )
    looked_through: Callable[[Game, Scene, LookThrough], tuple[Game, tuple[GameEvent, ...]]] = (
        library.looked_through
    )
    exiled_until_found: Callable[[Game, Scene, ExileUntilFound], tuple[Game, Scene]] = (
        library.exiled_until_found
    )
    can_be_damaged: Callable[[Game, str], bool] = at_once.can_be_damaged
    can_gain_life: Callable[[Game, str], bool] = at_once.can_gain_life
    cannot_turn_up: Callable[[Game, str], bool] = moving.cannot_turn_up
    stays_face_down: Callable[[Game, str], bool] = moving.stays_face_down

    # CR 709.5: Rooms
    unlock_door: Callable[[Game, UnlockAction], Game] = priority.unlock_door
    may_unlock_now: Callable[[Game, str], bool] = rooms.may_unlock_now
    unlock_cost: Callable[[Characteristics, Half], str] = rooms.unlock_cost
    unlocked_as_it_enters: Callable[[Thing, StackItem], frozenset[Half]] = rooms.unlocked_as_it_enters
    doors_turned: Callable[[Game, Scene, UnlockDoor | LockDoor], Game] = rooms.doors_turned
    is_its_door: Callable[[HeldAbility, Occurring], bool] = rooms.is_its_door
    is_fully_unlocked: Callable[[Game, str], bool] = rooms.is_fully_unlocked

    # CR 701.40, 701.58, 701.62: manifesting and cloaking
    manifested: Callable[[Game, Scene, Manifest | Cloak], tuple[Game, Scene]] = manifesting.manifested
    face_down_entry: Callable[[str, bool], Entering] = manifesting.face_down_entry
    dread_manifested: Callable[[Game, Scene, ManifestDread], tuple[Game, Scene]] = (
        manifesting.dread_manifested
    )
    ways_to_turn_up: Callable[[Game, str], dict[str, tuple[str, tuple[Cost, ...]]]] = (
        manifesting.ways_to_turn_up
    )
    moves_to: Callable[[Game, str, str], bool] = moving.moves_to
    token_defined: Callable[[Game, Scene, Card, Quantity | None], Card] = moving.token_defined
    lasts: Callable[[Game, Ref, Condition, Asking], bool] = beginning.lasts
    doubling: Callable[[Game, str, Double], Modify] = beginning.doubling
    word_chosen: Callable[
        [Game, ChooseInstruction, str, str, ChoicesMade, Asking], tuple[Game, ChoicesMade]
    ] = choices.word_chosen
    words_chosen: Callable[
        [Game, ChooseInstruction, str, tuple[str, ...]], tuple[Game, tuple[AnswerValue, ...]]
    ] = choices.words_chosen
    paid_or_not: Callable[..., tuple[Game, bool]] = choices.paid_or_not
    need_not_be_cast: Callable[[Game, str], bool] = instructions.need_not_be_cast
    can_begin: Callable[[Game, Scene, tuple[Instruction, ...]], bool] = possible.can_begin
    follow_as_it_enters: Callable[[Game, tuple[Instruction, ...], str, str], Game] = (
        instructions.follow_as_it_enters
    )

    # CR 400.7, 614: zones, what enters, what is replaced
    moved: Callable[[Game, Moved, Game], Game] = zones.moved
    left_game: Callable[[Game, str], Game] = zones.left_game
    timestamp_order: Callable[[Game, tuple[NewTimestamp, ...]], tuple[Game, tuple[str, ...]]] = (
        timestamps.timestamp_order
    )
    entry_abilities: Callable[[Characteristics], tuple[HeldAbility, ...]] = sagas.entry_abilities
    as_it_enters: Callable[[Game, Moved], tuple[Game, Moved | None]] = entry.as_it_enters
    host_chosen: Callable[[Game, Moved, Game], tuple[Game, str | None]] = entry.host_chosen
    without_host: Callable[[Moved], Moved | None] = entry.without_host
    replaced: Callable[[Game, tuple[GameEvent, ...]], tuple[Game, tuple[GameEvent, ...]]] = damage.replaced
    discarded_with_madness: Callable[[Game, Moved], Moved] = damage.discarded_with_madness
    event_after_replacements: Callable[[Game, GameEvent], tuple[Game, GameEvent | None]] = (
        replacing.event_after_replacements
    )
    watches: Callable[[Game, Would, tuple[str, ...], RuleEffect, GameEvent], bool] = replacing.watches
    shields: Callable[[Game, PreventDamage, tuple[str, ...], RuleEffect, Damaged], bool] = replacing.shields
    replacement_chosen: Callable[
        [Game, GameEvent, tuple[replacing.Candidate, ...]], tuple[Game, replacing.Candidate]
    ] = replacing.replacement_chosen
    shielded_by_counter: Callable[[Game, Moved | Damaged], bool] = replacing.shielded_by_counter
    leaves_for_exile: Callable[[Game, Moved], bool] = replacing.leaves_for_exile
    is_final: Callable[[Game, Moved], bool] = replacing.is_final
    replacement_chooser: Callable[[Game, str], str] = replacing.replacement_chooser
    applied_already: Callable[
        [frozenset[replacing.EffectKey], replacing.EffectKey], frozenset[replacing.EffectKey]
    ] = replacing.applied_already
    replacement_applied: Callable[
        [Game, GameEvent, replacing.Candidate, frozenset[replacing.EffectKey]],
        tuple[Game, GameEvent | None],
    ] = replacing.replacement_applied
    without_what_enters: Callable[[Game], tuple[Game, tuple[Thing, ...]]] = instructions.without_what_enters
    followed_afterwards: Callable[[Game], Game] = instructions.followed_afterwards
    is_gone_for_good: Callable[[Game, Moved], bool] = damage.is_gone_for_good
    damage_dealt: Callable[[Game, Damaged], tuple[Game, tuple[GameEvent, ...]]] = damage.damage_dealt
    redirected: Callable[[Game, Damaged], tuple[Game, Damaged]] = damage.redirected
    prevented: Callable[[Game, Damaged], bool] = damage.prevented
    absorbed: Callable[[Game, Damaged], int] = damage.absorbed
    damage_results: Callable[[Game, Damaged], tuple[GameEvent, ...]] = damage.damage_results
    life_lost_to_damage: Callable[[Iterable[LifeChanged]], tuple[LifeChanged, ...]] = (
        damage.life_lost_to_damage
    )
    lifelink_gains: Callable[[Game, Iterable[GameEvent]], tuple[LifeChanged, ...]] = damage.lifelink_gains
    destruction: Callable[..., tuple[GameEvent, ...]] = damage.destruction
    regenerates: Callable[[Game, Moved], bool] = replacing.regenerates
    regeneration: Callable[[Game, str], tuple[GameEvent, ...]] = damage.regeneration
    may_be_attached: Callable[[Game, str, str], bool] = damage.may_be_attached
    may_be_enchanted: Callable[[Game, str, str], bool] = damage.may_be_enchanted
    may_be_equipped: Callable[[Game, str, str], bool] = damage.may_be_equipped
    face_turned: Callable[[Game, str, bool], tuple[Game, TurnedFace]] = damage.face_turned
    mana_as_changed: Callable[[Game, Ref, str], str] = damage.mana_as_changed

    # CR 104, 114, 701: who wins, emblems, and what permanents and players are told to do
    can_lose: Callable[[Game, str], bool] = state_based.can_lose
    won: Callable[[Game, str], Game] = instructions.won
    emblem: Callable[[Game, str, tuple[Ability, ...]], Game] = instructions.emblem
    removed_from_combat: Callable[[Game, tuple[str, ...]], Game] = instructions.removed_from_combat
    explored: Callable[[Game, Scene, Selector], tuple[Game, Scene]] = instructions.explored
    connived: Callable[[Game, Scene, Connive], tuple[Game, Scene]] = instructions.connived
    amassing: Callable[[Amass], tuple[Instruction, ...]] = instructions.amassing

    # CR 702.131c, 725: the city's blessing, the monarch
    ascended: Callable[[Game, str], Game] = designations.ascended
    blessings_noticed: Callable[[Game], Game] = designations.blessings_noticed
    crowned: Callable[[Game, str], Game] = designations.crowned
    with_successor: Callable[[Game, tuple[GameEvent, ...]], tuple[GameEvent, ...]] = (
        designations.with_successor
    )
    monarch_triggers: Callable[[Game, Game, list[Occurring]], list[WaitingTrigger]] = (
        designations.monarch_triggers
    )

    # CR 702.145a, 731: day and night
    daytime_begun: Callable[[Game, Daytime], Game] = daytime.daytime_begun
    turning_over: Callable[[Game, Daytime], tuple[str, ...]] = daytime.turning_over
    first_daytime: Callable[[Game], Daytime | None] = daytime.first_daytime
    daytime_noticed: Callable[[Game], Game] = daytime.daytime_noticed
    daytime_checked: Callable[[Game], Game] = daytime.daytime_checked
    entering_by_night: Callable[[Game, Moved, Entering], Entering] = daytime.entering_by_night
    can_transform: Callable[[Game, str], bool] = daytime.can_transform
    turned_over_since: Callable[[Game, Scene, str], bool] = instructions.turned_over_since

    # CR 723: control of another player
    control_promised: Callable[[Game, str, str], Game] = controlling.control_promised
    control_begun: Callable[[Game, str], Game] = controlling.control_begun
    decider: Callable[[Game, str], str] = controlling.decider
    require_decider: Callable[[Game, Action], None] = controlling.require_decider

    # CR 603: triggered abilities
    recorded: Callable[[Game, Game, tuple[GameEvent, ...]], Game] = history.recorded
    triggered: Callable[[Game, Game, tuple[GameEvent, ...]], Game] = triggers.triggered
    triggering: Callable[
        [Game, Game, Game, Occurring, str, HeldAbility, TriggerEvent], WaitingTrigger | None
    ] = triggers.triggering
    owes_echo: Callable[[Game, str, str], bool] = triggers.owes_echo
    finds_itself: Callable[[TriggerEvent, Ref | None, str], bool] = triggers.finds_itself
    one_event: Callable[[WaitingTrigger, WaitingTrigger], bool] = triggers.one_event
    attachings: Callable[[Game, Game], tuple[AttachmentBegan, ...]] = triggers.attachings
    times_triggered: Callable[[Game, Game, tuple[Occurring, ...], str], int] = triggers.times_triggered
    for_each_player_of_the_team: Callable[
        [Game, WaitingTrigger, TriggerEvent], tuple[WaitingTrigger, ...]
    ] = triggers.for_each_player_of_the_team
    condition_holds: Callable[[Game, WaitingTrigger], bool] = triggers.condition_holds
    delayed_triggering: Callable[[Game, Game, Occurring, DelayedTrigger], triggers.TriggerCause | None] = (
        triggers.delayed_triggering
    )
    states_noticed: Callable[[Game], Game] = triggers.states_noticed
    occurrence_chosen: Callable[[Game, tuple[WaitingTrigger, ...]], tuple[Game, WaitingTrigger]] = (
        triggers.occurrence_chosen
    )
    auras_found: Callable[[Game, Game], Game] = triggers.auras_found
    discarded_found: Callable[[Game, Game, StackItem], Game] = triggers.discarded_found
    put_triggers_on_stack: Callable[[Game], Game] = stacking.put_triggers_on_stack
    trigger_rounds: Callable[[Game], tuple[bool, ...]] = stacking.trigger_rounds
    trigger_order: Callable[[Game], tuple[str, ...]] = stacking.trigger_order
    triggers_ordered: Callable[
        [Game, str, tuple[WaitingTrigger, ...]], tuple[Game, tuple[WaitingTrigger, ...]]
    ] = stacking.triggers_ordered
    trigger_put_on_stack: Callable[[Game, WaitingTrigger], Game] = stacking.trigger_put_on_stack

    # CR 704: state-based actions
    state_based_actions: Callable[[Game], tuple[Game, tuple[GameEvent, ...]]] = (
        state_based.state_based_actions
    )
    state_based_checks: StateChecks = state_based.STATE_BASED_CHECKS
    uniqueness_rules: Uniqueness = state_based.UNIQUENESS_RULES
    uses_lore_counters: Callable[[Characteristics], bool] = sagas.uses_lore_counters
    has_pending_chapter: Callable[[Game, str], bool] = sagas.has_pending_chapter
    noticed: Callable[[Game], Game] = state_based.noticed
    control_noticed: Callable[[Game, Game], Game] = state_based.control_noticed
    combat_noticed: Callable[[Game], Game] = state_based.combat_noticed
    durations_noticed: Callable[[Game], Game] = state_based.durations_noticed

    # CR 500–514: the turn
    end_step: Callable[[Game], Game] = turn.end_step
    empty_mana: Callable[[Game], Game] = turn.empty_mana
    step_after: Callable[[Game, Step], Step | None] = turn.step_after
    two_damage_steps: Callable[[Game], bool] = turn.two_damage_steps
    step_ahead: Callable[[Game, Step], tuple[Game, Step | None]] = phases.step_ahead
    phases_added: Callable[[Game, tuple[ExtraPhase, ...]], Game] = phases.phases_added
    gets_extra_phases: Callable[[Game, str], bool] = phases.gets_extra_phases
    next_one_skipped: Callable[[Game, str, str], tuple[Game, bool]] = phases.next_one_skipped
    turn_ended: Callable[[Game], Game] = phases.turn_ended
    begin_turn: Callable[[Game], Game] = turn.begin_turn
    next_turn: Callable[[Game], tuple[Game, str]] = turn.next_turn
    begin_step: Callable[[Game, Step], Game] = turn.begin_step
    durations_until_end_of_combat: Callable[[Game], Game] = turn.durations_until_end_of_combat
    durations_of_untap_step: Callable[[Game], Game] = turn.durations_of_untap_step
    lasts_beyond_this_turn: Callable[[Game, Lasting], bool] = turn.lasts_beyond_this_turn
    kept_of_the_past: Callable[[Game], tuple[PastEvent, ...]] = turn.kept_of_the_past
    is_skipped: Callable[[Game, Step], bool] = turn.is_skipped
    durations_until_next_turn: Callable[[Game], Game] = turn.durations_until_next_turn
    durations_of_players_gone: Callable[[Game, tuple[str, ...]], Game] = turn.durations_of_players_gone
    phased: Callable[[Game], Game] = phasing.phased
    phasing_in: Callable[[Game], tuple[PhasedOut, ...]] = phasing.phasing_in
    phasing_along: Callable[[Game, tuple[str, ...]], tuple[str, ...]] = phasing.phasing_along
    phased_out: Callable[[Game, PhasesOut, Game], Game] = phasing.phased_out
    phased_in: Callable[[Game, str], Game] = phasing.phased_in
    untap: Callable[[Game], Game] = turn.untap
    draw_for_turn: Callable[[Game], Game] = turn.draw_for_turn
    lore_counters_added: Callable[[Game], Game] = sagas.lore_counters_added
    combat_over: Callable[[Game], Game] = turn.combat_over
    clean_up: Callable[[Game], Game] = turn.clean_up
    discard_to_hand_size: Callable[[Game], Game] = turn.discard_to_hand_size
    end_of_turn: Callable[[Game], Game] = turn.end_of_turn
    unsaddled: Callable[[Game], tuple[str, ...]] = turn.unsaddled
    cleanup_gives_priority: Callable[[Game], bool] = turn.cleanup_gives_priority
    await_attackers: Callable[[Game], Game] = turn.await_attackers

    # CR 506–511: combat
    possible_attackers: Callable[[Game], tuple[str, ...]] = combat.possible_attackers
    is_held_back: Callable[[Game, str], bool] = combat.is_held_back
    may_attack: Callable[[Game, str, str], bool] = combat.may_attack
    attack_limits: Callable[[Game, Sequence[tuple[str, str]]], tuple[combat.AttackLimit, ...]] = (
        combat.attack_limits
    )
    required_attackers: Callable[[Game], tuple[frozenset[str], ...]] = combat.required_attackers
    obeys_attack_requirements: Callable[[Game, combat.AttackChoice], bool] = combat.obeys_attack_requirements
    declare_attackers: Callable[[Game, Attack], Game] = combat.declare_attackers
    no_attackers: Callable[[Game], Game] = combat.no_attackers
    await_blockers: Callable[[Game], Game] = combat.await_blockers
    may_block: Callable[[Game, str, str], bool] = combat.may_block
    most_blocked: Callable[[Game, str], int | None] = combat.most_blocked
    keeps_restrictions: Callable[[Game, combat.BlockChoice], bool] = combat.keeps_restrictions
    keeps_block_limits: Callable[[Game, combat.BlockChoice, Sequence[combat.BlockLimit]], bool] = (
        combat.keeps_block_limits
    )
    unblocked_noticed: Callable[[Game, tuple[str, ...]], Game] = combat.unblocked_noticed
    declare_blockers: Callable[[Game, Block], Game] = combat.declare_blockers
    damage_order_announced: Callable[[Game], Game] = combat.no_damage_order
    first_strikers_noted: Callable[[Game], Game] = combat.first_strikers_noted
    deals_damage_now: Callable[[Game, str], bool] = combat.deals_damage_now
    combat_damage_of: Callable[[Game, str], int] = combat.combat_damage_of
    begin_damage: Callable[[Game], Game] = combat.begin_damage
    assign_damage: Callable[[Game, Assign], Game] = combat.assign_damage
    check_assignment: Callable[[Game, str, dict[str, tuple[Share, ...]]], None] = combat.check_assignment
    deal_combat_damage: Callable[[Game], Game] = combat.deal_combat_damage
    declare_least: Callable[[Game], Game] = combat.declare_least

    # SCENARIO 3: names for what a script makes
    tokens_named: Callable[[Game, Call], Game] = zones.tokens_named

    def __hash__(self) -> int:
        """That of the edition: to look at all decisions takes long, and few rules differ."""
        return hash(self.edition)

    @staticmethod
    @functools.lru_cache(maxsize=64)
    def on(date: str) -> GameRules:
        """The rules in force on a date."""
        rules = replace(CR, edition=date)
        if date < "2026-08-07":
            # CR 601.5: targets could not be chosen with the later payment for the spell in mind.
            rules = replace(rules, considered_costs=casting.nothing_considered)
        if date < "2026-08-07":
            # CR 605.1a: an ability that moves cards to or from a library could be a mana ability.
            rules = replace(
                rules,
                is_mana_ability=characteristics.is_mana_ability_until_2026,
                apply_operation=operations.apply_operation_until_2026,
            )
        if date < "2026-04-17":
            # CR 714.3a: a rule put the first lore counter on a Saga, not an ability of it.
            rules = replace(rules, entry_abilities=sagas.entry_abilities_until_2026)
        if date < "2025-06-06":
            # CR 714.4: a Saga without chapter abilities was advanced, and sacrificed.
            rules = replace(rules, uses_lore_counters=sagas.uses_lore_counters_until_2025)
        if date < "2024-11-08":
            # CR 510.1c: blockers were dealt damage in an announced order.
            rules = replace(
                rules,
                damage_order_announced=combat.damage_order_chosen,
                check_assignment=combat.check_assignment_in_order,
            )
        if date < "2022-10-07":
            # CR 400.7b, 611.3d: no ability that a static ability grants went on to the permanent.
            rules = replace(
                rules, effects_kept=lambda game, spell: (), way_kept=lambda game, proposal, keyword: game
            )
        if date < "2021-07-23":
            # CR 601.2h: costs were paid in any order.
            rules = replace(rules, order_of_payment=casting.as_printed)
        if date < "2021-04-22":
            # CR 603.3b: there was one round of triggered abilities.
            rules = replace(rules, trigger_rounds=stacking.one_round)
        if date < "2020-04-17":
            # CR 613.7m: the active player ordered all simultaneous timestamps.
            # CR 613.4c: counters had a sublayer of their own, after other modifications.
            rules = replace(
                rules,
                timestamp_order=timestamps.timestamp_order_by_active_player,
                label=dependency.label_until_2020,
                precedence=dependency.precedence_until_2020,
            )
        if date < "2018-06-08":
            # CR 601.3a: a prohibition applied even if a later choice could avoid it.
            rules = replace(rules, forbidden_to_cast=timing.forbidden_at_once)
        if date < "2018-04-27":
            # CR 306.7: noncombat damage to a player could be dealt to a planeswalker instead.
            rules = replace(rules, redirected=damage.redirected_to_planeswalkers)
        if date < "2017-09-29":
            # CR 306.4: the planeswalker uniqueness rule.
            rules = replace(rules, uniqueness_rules=(*rules.uniqueness_rules, state_based.planeswalker_rule))
        if date < "2016-07-22":
            # CR 605.3c: a mana ability could be activated while it was being activated.
            rules = replace(rules, is_under_way=timing.within_itself)
        if date < "2016-04-08":
            # CR 701.27f: each ability of a permanent that said so transformed it.
            rules = replace(rules, turned_over_since=lambda game, scene, id: False)
        if date < "2015-07-17":
            # CR 601.2e: the proposed spell was not checked in a step of its own.
            rules = replace(rules, casting_steps=casting.STEPS_UNTIL_2015)
        return rules


CR = GameRules()
"""The newest edition."""

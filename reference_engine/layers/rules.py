"""The rule decisions, gathered in one frozen record.

An edition of the rules is such a record, and so is a broken engine: the same record with one function
replaced. Nothing is ever patched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reference_engine.language.cards import Layer
from reference_engine.language.characteristics import Characteristics, HeldAbility
from reference_engine.language.words import Zone
from reference_engine.layers import asking, at_work, dependency, evaluation, operations
from reference_engine.layers.asking import Asking
from reference_engine.layers.at_work import Effects, Moment
from reference_engine.layers.dependency import DependencyReason, Trial, Waits
from reference_engine.layers.effects import ActiveEffect, DefiniteOperation, LayerShare
from reference_engine.layers.evaluation import Deed, Evaluation, RuleEffect
from reference_engine.layers.view import Crowd, Members, View

LAYER_ORDER: tuple[Layer, ...] = ("1a", "1b", "2", "3", "4", "5", "6", "7a", "7b", "7c", "7d")


@dataclass(frozen=True, kw_only=True)
class Rules:
    """One function for each decision that the rules make, named for what it decides."""

    edition: str = "2026-09-25"

    # CR 613: the order of the layers, and of the effects inside one
    layers: tuple[Layer, ...] = LAYER_ORDER
    label: Callable[[Layer, ActiveEffect], str] = dependency.label
    precedence: Callable[[ActiveEffect], tuple[object, ...]] = dependency.precedence
    next_effects: Callable[[Sequence[ActiveEffect], Layer, Moment], Iterator[ActiveEffect]] = (
        dependency.next_effects
    )
    dependencies: Callable[[Sequence[ActiveEffect], Layer, Moment], Waits] = dependency.dependencies
    reason_to_wait: Callable[[ActiveEffect, ActiveEffect, Trial], DependencyReason | None] = (
        dependency.reason_to_wait
    )
    loop_of: Callable[[ActiveEffect, Waits], frozenset[ActiveEffect]] = dependency.loop_of

    # CR 604, 611, 613.6, 613.7: which effects exist, since when, and whom they affect
    defines_characteristics: Callable[[HeldAbility], bool] = at_work.defines_characteristics
    functions: Callable[[HeldAbility, Zone], bool] = at_work.functions
    timestamp_of_static: Callable[[int, int], tuple[int, int]] = at_work.timestamp_of_static
    continues: Callable[[ActiveEffect], bool] = at_work.continues
    affected: Callable[[LayerShare, Members | None, Asking], Crowd] = evaluation.affected

    # what they do
    effect_deeds: Callable[[ActiveEffect, Layer, Moment], tuple[Deed, ...] | None] = evaluation.effect_deeds
    carried_out: Callable[[tuple[Deed, ...], View, Rules], View] = evaluation.carried_out
    apply_operation: Callable[[DefiniteOperation, Characteristics], Characteristics] = (
        operations.apply_operation
    )
    shown_number: Callable[[int | None, Characteristics, Zone], int | None] = asking.shown_number
    effects_on_rules: Callable[[Moment, Effects], tuple[RuleEffect, ...]] = evaluation.effects_on_rules
    affected_by_rule: Callable[[RuleEffect, Evaluation], tuple[str, ...]] = evaluation.affected_by_rule
    maximum_hand_size: Callable[[Evaluation, str], int | None] = evaluation.maximum_hand_size


CR = Rules()
"""The newest edition."""

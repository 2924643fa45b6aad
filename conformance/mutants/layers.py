"""Ways to get the layers wrong, from careless to subtle: one function of `Rules` replaced in each."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.language.cards import (
    AddColors,
    All,
    AnyPlayer,
    CannotHave,
    Defines,
    HandSize,
    Layer,
    LoseAllAbilities,
    Modify,
    ReplaceWord,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetTypes,
    Static,
    Switch,
    You,
)
from reference_engine.language.characteristics import Characteristics, HeldAbility, fitting
from reference_engine.language.words import Zone
from reference_engine.layers import at_work, dependency, evaluation, operations
from reference_engine.layers.asking import Asking, holds
from reference_engine.layers.at_work import Effects, Moment
from reference_engine.layers.board import CopyValues
from reference_engine.layers.dependency import DependencyReason, Trial, Waits
from reference_engine.layers.effects import ActiveEffect, DefiniteOperation, Grants, LayerShare
from reference_engine.layers.evaluation import Deed, Evaluation, RuleEffect, evaluate_layers
from reference_engine.layers.operations import apply_operation
from reference_engine.layers.rules import CR, LAYER_ORDER
from reference_engine.layers.view import Crowd, Members

# ----------------------------------------------------------------------------- order of effects


def oldest_first(waiting: Sequence[ActiveEffect], layer: Layer, moment: Moment) -> Iterator[ActiveEffect]:
    """The oldest effect, whatever it depends on, and then the next."""
    return iter(sorted(waiting, key=moment.rules.precedence))


def newest_first(effect: ActiveEffect) -> tuple[Any, ...]:
    """Characteristic-defining effects first, then the newest."""
    return (not effect.defines, tuple(-part for part in effect.timestamp))


def definers_are_ordinary(effect: ActiveEffect) -> tuple[Any, ...]:
    """Only timestamps, also for characteristic-defining effects."""
    return effect.timestamp


def by_name(effect: ActiveEffect) -> tuple[Any, ...]:
    """Objects' ids in place of their timestamps."""
    return (not effect.defines, effect.source, effect.timestamp)


def found_once(waiting: Sequence[ActiveEffect], layer: Layer, moment: Moment) -> Waits:
    """Dependencies as they were when the layer began."""
    first = moment.trial
    if not isinstance(first, Trial) or first.layer != layer:
        then = msgspec.structs.replace(moment, begun=dict(moment.begun))
        first = moment.trial = Trial(layer, then)
    return dependency.Dependencies(waiting, first)


def no_loops(effect: ActiveEffect, waits_for: Waits) -> frozenset[ActiveEffect]:
    """Nothing is ever in a loop, so if every effect waits, the oldest goes first."""
    return frozenset()


def newest_of_a_loop(waiting: Sequence[ActiveEffect], layer: Layer, moment: Moment) -> Iterator[ActiveEffect]:
    """Inside a dependency loop the newest effect goes first."""
    rules = moment.rules
    waits_for = rules.dependencies(waiting, layer, moment)
    free = [effect for effect in waiting if waits_for[effect].keys() <= rules.loop_of(effect, waits_for)]
    looped = [effect for effect in free if rules.loop_of(effect, waits_for)]
    if looped and len(looped) == len(free):
        yield max(looped, key=rules.precedence)
    else:
        yield min(free or waiting, key=rules.precedence)


def only_of(*reasons: DependencyReason) -> Any:
    """Dependency for these reasons only."""

    def reason_to_wait(one: ActiveEffect, other: ActiveEffect, trial: Trial) -> DependencyReason | None:
        reason = dependency.reason_to_wait(one, other, trial)
        return reason if reason in reasons else None

    return reason_to_wait


def by_outcome(one: ActiveEffect, other: ActiveEffect, trial: Trial) -> DependencyReason | None:
    """An effect depends on another if applying that first changes the result of this one."""
    layer, moment = trial.layer, trial.moment
    now = trial.now(one)
    if now is None or one.defines != other.defines:
        return None
    alone = dependency.moment_after(one, layer, moment)
    second = dependency.moment_after(one, layer, dependency.moment_after(other, layer, moment))
    mine = frozenset[str]().union(*(members.all for members in now.done_to.values()))
    return "operation" if any(alone.view.look(id) != second.view.look(id) for id in mine) else None


def definers_wait_too(one: ActiveEffect, other: ActiveEffect, trial: Trial) -> DependencyReason | None:
    """Dependency between a characteristic-defining effect and one that is not."""
    return dependency.difference(trial.now(one), trial.after(one, other))


# --------------------------------------------------------------------- which effects, and on what


def asked_anew(share: LayerShare, settled: Members | None, asking: Asking) -> Crowd:
    """The set of affected objects of a static ability is determined again in every layer."""
    return evaluation.affected(share, None if share.affects is not None else settled, asking)


def conditions_ignored(effect: ActiveEffect, layer: Layer, moment: Moment) -> tuple[Deed, ...] | None:
    """An effect applies even if its condition is false."""
    return evaluation.effect_deeds(msgspec.structs.replace(effect, cond=None), layer, moment)


def asked_of_the_first_player(effect: ActiveEffect, layer: Layer, moment: Moment) -> tuple[Deed, ...] | None:
    """ "You" means the player who is listed first."""
    asking = evaluation.asking_for(effect, moment.board, moment.view)
    asking = msgspec.structs.replace(asking, you=moment.board.seats[0].id)
    if effect.key not in moment.begun and effect.cond is not None and not holds(effect.cond, asking):
        return None
    return conditions_ignored(effect, layer, moment)


def one_player_is_enough(effect: ActiveEffect, layer: Layer, moment: Moment) -> tuple[Deed, ...] | None:
    """What has to be true of each player only has to be true of one."""
    cond = effect.cond
    if isinstance(cond, AnyPlayer):
        effect = msgspec.structs.replace(effect, cond=msgspec.structs.replace(cond, every=False))
    return evaluation.effect_deeds(effect, layer, moment)


def all_but_the_next_players(share: LayerShare, settled: Members | None, asking: Asking) -> Crowd:
    """What you control is everything that the next player does not: equivalent only with two players."""
    affects = share.affects
    if settled is not None or not isinstance(affects, All) or affects.controller != You():
        return evaluation.affected(share, settled, asking)
    seats = [seat.id for seat in asking.board.seats]
    following = seats[(seats.index(asking.your_id()) + 1) % len(seats)]
    anybodys = msgspec.structs.replace(affects, controller=None)
    crowd = evaluation.affected(msgspec.structs.replace(share, affects=anybodys), settled, asking)
    return [(look, members) for look, members in crowd if look[0].controller != following]


STATES: tuple[str, ...] = ("tapped", "face_down", "token", "counter", "attacking", "blocking")


def states_of_anybodys(share: LayerShare, settled: Members | None, asking: Asking) -> Crowd:
    """An effect on what is in some state asks only for that, and not whose it is."""
    affects = share.affects
    if isinstance(affects, All) and any(getattr(affects, state) is not None for state in STATES):
        anybodys = msgspec.structs.replace(affects, controller=None)
        share = msgspec.structs.replace(share, affects=anybodys)
    return evaluation.affected(share, settled, asking)


def works_everywhere(held: HeldAbility, zone: Zone) -> bool:
    """Static abilities work in every zone."""
    return isinstance(held.ability, Defines | Static)


def defines_wherever_from(held: HeldAbility) -> bool:
    """Any such ability is characteristic-defining, even if it was granted."""
    return isinstance(held.ability, Defines)


def defines_never(held: HeldAbility) -> bool:
    """No ability is characteristic-defining."""
    return False


def only_on_the_battlefield(held: HeldAbility, zone: Zone) -> bool:
    """Characteristic-defining abilities work only on the battlefield."""
    return zone == "battlefield" and at_work.functions(held, zone)


# -------------------------------------------------------------------------------- what they do


def instead(kind: type, change: Any) -> Any:
    """One kind of operation, done differently."""

    def apply(operation: DefiniteOperation, seen: Characteristics) -> Characteristics:
        return change(operation, seen) if isinstance(operation, kind) else apply_operation(operation, seen)

    return apply


def land_types_keep_text(operation: SetBasicLandTypes, seen: Characteristics) -> Characteristics:
    """The land gets its new type and keeps the abilities of its text."""
    set_types = apply_operation(operation, seen)
    kept = tuple(
        held for held in seen.abilities if held not in set_types.abilities and held.slot[0] != "land"
    )
    return msgspec.structs.replace(
        set_types, abilities=set_types.abilities + kept, keywords=set_types.keywords | seen.keywords
    )


def land_types_added(operation: SetBasicLandTypes, seen: Characteristics) -> Characteristics:
    """The land keeps its other land types."""
    changed = apply_operation(operation, seen)
    return operations.with_types(changed, seen.types, seen.subtypes | changed.subtypes, seen.supertypes)


def colors_added(operation: SetColors, seen: Characteristics) -> Characteristics:
    """Setting colours adds them to the existing ones."""
    return apply_operation(AddColors(operation.colors), seen)


def creature_types_clear_all(operation: SetCreatureTypes, seen: Characteristics) -> Characteristics:
    """Setting creature types replaces every subtype."""
    return msgspec.structs.replace(
        apply_operation(operation, seen), subtypes=fitting(operation.subtypes, seen.types)
    )


def types_added(operation: SetTypes, seen: Characteristics) -> Characteristics:
    """Setting card types adds them to the existing ones."""
    changed = apply_operation(operation, seen)
    return operations.with_types(changed, changed.types | seen.types, changed.subtypes, changed.supertypes)


def keywords_survive(operation: LoseAllAbilities, seen: Characteristics) -> Characteristics:
    """Losing all abilities leaves keywords."""
    return msgspec.structs.replace(apply_operation(operation, seen), keywords=seen.keywords)


def gains_anyway(operation: Grants, seen: Characteristics) -> Characteristics:
    """An ability is gained even if the object can't have it."""
    return apply_operation(operation, msgspec.structs.replace(seen, cannot_have=frozenset()))


def gains_once(operation: Grants, seen: Characteristics) -> Characteristics:
    """A keyword that an object has is not gained a second time."""
    new = tuple(keyword for keyword in operation.keywords if keyword not in seen.keywords)
    return apply_operation(Grants(new, operation.abilities), seen)


def only_loses(operation: CannotHave, seen: Characteristics) -> Characteristics:
    """An object that can't have an ability loses it now, but may gain it later."""
    return operations.without_keywords(seen, operation.keywords)


def copies_control(operation: CopyValues, seen: Characteristics) -> Characteristics:
    """A copy also copies who controls the original."""
    return operation.values


def text_changes_types_only(operation: ReplaceWord, seen: Characteristics) -> Characteristics:
    """A word is replaced in the type line, but not in rules text."""
    changed = apply_operation(operation, seen)
    return msgspec.structs.replace(changed, abilities=seen.abilities, keywords=seen.keywords)


def switch_by_difference(operation: Switch, seen: Characteristics) -> Characteristics:
    """Switching sets both to the greater of the two."""
    most = max(seen.power or 0, seen.toughness or 0)
    return msgspec.structs.replace(seen, power=most, toughness=most)


def never_below_nothing(operation: Modify, seen: Characteristics) -> Characteristics:
    """Modifying power and toughness stops at 0."""
    changed = apply_operation(operation, seen)
    return msgspec.structs.replace(
        changed, power=max(changed.power or 0, 0), toughness=max(changed.toughness or 0, 0)
    )


def shown_always(number: int | None, look: Characteristics, zone: Zone) -> int | None:
    """Every permanent has power and toughness."""
    return number or 0


EARLY = dataclasses.replace(CR, layers=LAYER_ORDER[: LAYER_ORDER.index("6")])
"""Layers that end before abilities, power and toughness."""


def affected_before_abilities(effect: RuleEffect, seen: Evaluation) -> tuple[str, ...]:
    """Whom an effect on the rules affects, with no ability gained or lost, and of sizes as printed."""
    if isinstance(effect.affects, All):
        early = msgspec.structs.replace(seen, view=evaluate_layers(seen.board, EARLY).view)
        return evaluation.affected_by_rule(effect, early)
    return evaluation.affected_by_rule(effect, seen)


def greatest_hand_size(seen: Evaluation, player: str) -> int | None:
    """ "No maximum hand size" wins over any number, whatever the timestamps."""
    for effect in seen.rules_effects:
        operation = effect.operation
        none = isinstance(operation, HandSize) and operation.how == "none"
        if none and player in evaluation.affected_by_rule(effect, seen):
            return None
    return evaluation.maximum_hand_size(seen, player)


def _order(*changed: Layer) -> tuple[Layer, ...]:
    """The layers, with these in the given order at their usual places."""
    places = iter(changed)
    return tuple(next(places) if layer in changed else layer for layer in LAYER_ORDER)


def one_rule_for_each(moment: Moment, at_work: Effects) -> tuple[RuleEffect, ...]:
    """Of all that an ability changes about the rules, only the first part."""
    found = evaluation.effects_on_rules(moment, at_work)
    first = {one.effect.key: one for one in reversed(found)}
    return tuple(one for one in found if first[one.effect.key] is one)


LAYERS: tuple[Mutant, ...] = (
    mutant(
        "timestamps-only",
        "613.8b",
        "Applies effects oldest first and never waits.",
        next_effects=oldest_first,
    ),
    mutant("newest-first", "613.7", "Applies the newest effect first.", precedence=newest_first),
    mutant(
        "by-id", "613.7", "Breaks ties by an object's id, and calls that its timestamp.", precedence=by_name
    ),
    mutant(
        "found-once",
        "613.8c",
        "Finds dependencies as a layer begins and never again.",
        dependencies=found_once,
    ),
    mutant(
        "definers-by-timestamp",
        "613.3",
        "Orders what defines characteristics by timestamp like anything else.",
        precedence=definers_are_ordinary,
    ),
    mutant(
        "no-loops",
        "613.8b",
        "Lets effects in a loop wait forever, and then takes the oldest.",
        loop_of=no_loops,
    ),
    mutant(
        "newest-of-loop", "613.8b", "Resolves a loop by the newest effect.", next_effects=newest_of_a_loop
    ),
    mutant(
        "no-existence",
        "613.8a",
        "Forgets that an effect depends on one that would end it.",
        reason_to_wait=only_of("text", "set", "operation"),
    ),
    mutant(
        "no-affected-set",
        "613.8a",
        "Forgets that an effect depends on one that changes what it applies to.",
        reason_to_wait=only_of("existence", "text", "operation"),
    ),
    mutant(
        "no-operation",
        "613.8a",
        "Forgets that an effect depends on one that changes what it does.",
        reason_to_wait=only_of("existence", "text", "set"),
    ),
    mutant(
        "by-outcome",
        "613.8a",
        "Lets an effect depend on another because what it works on comes out different if that goes first.",
        reason_to_wait=by_outcome,
    ),
    mutant(
        "definers-depend",
        "613.8a",
        "Lets ordinary effects and those that define characteristics wait for each other.",
        reason_to_wait=definers_wait_too,
        precedence=definers_are_ordinary,
    ),
    mutant(
        "continuation-lost",
        "613.6",
        "Stops an effect as soon as its ability is gone.",
        continues=lambda effect: False,
    ),
    mutant("set-anew", "613.6", "Works out whom an effect affects anew in every layer.", affected=asked_anew),
    mutant(
        "conditions-ignored",
        "604.2",
        "Does not ask for the condition of a static ability.",
        effect_deeds=conditions_ignored,
    ),
    mutant(
        "yours-is-the-first-players",
        "109.5",
        "Asks for what you control of whoever is listed first.",
        effect_deeds=asked_of_the_first_player,
    ),
    mutant(
        "one-player-is-enough",
        "611.3a",
        "Takes what is true of one player for true of each of them.",
        effect_deeds=one_player_is_enough,
    ),
    mutant(
        "yours-is-not-the-next-players",
        "611.3a",
        "Takes for yours whatever the next player does not control, as is right at a table of two.",
        affected=all_but_the_next_players,
    ),
    mutant(
        "states-are-anybodys",
        "611.3a",
        "Asks only for the state of what an effect is about, where it says whose that is as well.",
        affected=states_of_anybodys,
    ),
    mutant(
        "works-everywhere",
        "113.6",
        "Lets static abilities of cards work that are not on the battlefield.",
        functions=works_everywhere,
    ),
    mutant(
        "granted-defines",
        "604.3a",
        "Takes a granted ability for one that defines characteristics.",
        defines_characteristics=defines_wherever_from,
    ),
    mutant(
        "nothing-defines",
        "604.3",
        "Treats what defines characteristics as an ordinary static ability.",
        defines_characteristics=defines_never,
    ),
    mutant(
        "defines-on-battlefield-only",
        "604.3",
        "Forgets that what defines characteristics works in all zones.",
        functions=only_on_the_battlefield,
    ),
    mutant(
        "own-timestamp-always",
        "613.7a",
        "Gives a granted ability's effect the timestamp of the object it is on.",
        timestamp_of_static=lambda of_object, since: (of_object, 0),
    ),
    mutant("colours-after-abilities", "613.1e", "Applies colours after abilities.", layers=_order("6", "5")),
    mutant("types-after-colours", "613.1d", "Applies types after colours.", layers=_order("5", "4")),
    mutant("control-last", "613.1b", "Applies control after text.", layers=_order("3", "2")),
    mutant("text-after-types", "613.1c", "Applies text changes after types.", layers=_order("4", "3")),
    mutant(
        "set-after-modify",
        "613.4",
        "Sets power and toughness after modifying them.",
        layers=_order("7c", "7b"),
    ),
    mutant("switch-before-modify", "613.4d", "Switches before it modifies.", layers=_order("7d", "7c")),
    mutant("face-down-first", "613.2b", "Applies copies after turning face down.", layers=_order("1b", "1a")),
    mutant(
        "land-types-keep-text",
        "305.7",
        "Lets a land that becomes a basic land type keep its abilities.",
        apply_operation=instead(SetBasicLandTypes, land_types_keep_text),
    ),
    mutant(
        "land-types-added",
        "305.7",
        "Adds a basic land type where it should be set.",
        apply_operation=instead(SetBasicLandTypes, land_types_added),
    ),
    mutant(
        "colours-added",
        "105.3",
        "Adds colours where they should be set.",
        apply_operation=instead(SetColors, colors_added),
    ),
    mutant(
        "creature-types-clear-all",
        "205.1a",
        "Removes every subtype when creature types are set.",
        apply_operation=instead(SetCreatureTypes, creature_types_clear_all),
    ),
    mutant(
        "types-added",
        "205.1a",
        "Adds card types where they should be set.",
        apply_operation=instead(SetTypes, types_added),
    ),
    mutant(
        "keywords-survive",
        "613.1f",
        "Leaves keywords when all abilities are lost.",
        apply_operation=instead(LoseAllAbilities, keywords_survive),
    ),
    mutant(
        "gains-anyway",
        "113.11",
        "Gives an object an ability that it can't have.",
        apply_operation=instead(Grants, gains_anyway),
    ),
    mutant(
        "gains-once",
        "113.2c",
        "Gives an object no second instance of a keyword that it has.",
        apply_operation=instead(Grants, gains_once),
    ),
    mutant(
        "can-regain",
        "113.11",
        "Takes an ability from what can't have it, and lets it be gained again.",
        apply_operation=instead(CannotHave, only_loses),
    ),
    mutant(
        "copies-control",
        "707.2",
        "Copies who controls an object.",
        apply_operation=instead(CopyValues, copies_control),
    ),
    mutant(
        "text-only-on-type-line",
        "612.1",
        "Changes words on the type line and not in rules text.",
        apply_operation=instead(ReplaceWord, text_changes_types_only),
    ),
    mutant(
        "switch-to-greater",
        "613.4d",
        "Sets both to the greater in place of switching them.",
        apply_operation=instead(Switch, switch_by_difference),
    ),
    mutant(
        "stops-at-zero",
        "107.1b",
        "Lets power and toughness not fall below 0 on the way.",
        apply_operation=instead(Modify, never_below_nothing),
    ),
    mutant(
        "noncreatures-have-size",
        "208.3",
        "Shows power and toughness of every permanent.",
        shown_number=shown_always,
    ),
    mutant(
        "rules-seen-early",
        "613.11",
        "Asks whom an effect on the rules is about before abilities and sizes are settled.",
        affected_by_rule=affected_before_abilities,
    ),
    mutant(
        "one-rule-for-each",
        "613.11",
        "Lets an ability change only one rule of the game.",
        effects_on_rules=one_rule_for_each,
    ),
    mutant(
        "no-maximum-wins",
        "613.11",
        "Lets an effect that does away with the maximum hand size win over later ones.",
        maximum_hand_size=greatest_hand_size,
    ),
    mutant(
        "hands-below-nothing",
        "107.1b",
        "Lets the maximum hand size fall below 0.",
        maximum_hand_size=evaluation.changed_hand_size,
    ),
)

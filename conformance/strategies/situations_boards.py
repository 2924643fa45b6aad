"""The awkward situations of boards, with the minimum frequency of each.

What a scenario contains is read from the scenario; what the layers do is read from the reference engine's
trace of the board at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import get_args

from msgspec import Struct

from conformance.model.scenario import Play
from conformance.strategies.encounters import meets
from conformance.strategies.situation import Situation
from conformance.strategies.situations_games import playthrough_of
from reference_engine.game.game_rules import CR
from reference_engine.language.actions import Activate, CastAction, Look
from reference_engine.language.cards import (
    AddEveryType,
    All,
    Card,
    Count,
    Defines,
    Layer,
    Modify,
    PropertyOf,
    Static,
    Switch,
)
from reference_engine.language.words import KeywordName
from reference_engine.layers.board import Board
from reference_engine.layers.dependency import DependencyReason
from reference_engine.layers.effects import ActiveEffect
from reference_engine.layers.evaluation import LayerStep, evaluate_with_trace

LONGEST = 8
"""Scenarios with more actions are games, which this module ignores."""


class Facts(Struct, frozen=True):
    """The board at the end of a scenario, and how the layers evaluated it."""

    board: Board
    steps: tuple[LayerStep, ...]


@lru_cache(maxsize=8)
def facts_of(play: Play) -> Facts | None:
    """The facts about a scenario of a board; None for a game."""
    if len(play.script) > LONGEST or not play.setup:
        return None
    told = playthrough_of(play)
    if told is None:
        return None
    board = told.last.board
    return Facts(board, evaluate_with_trace(board, CR).steps)


# -------------------------------------------------------------------- what the scenario contains


def entry_order_of(play: Play) -> list[str]:
    """The ids in the order of entry."""
    return [entry.id for arrival in play.setup for entry in arrival.entries]


def made_in_another_order(play: Play) -> bool:
    """Whether the order of objects differs from the order of entry."""
    there = entry_order_of(play)
    return [one.id for one in play.objects if one.id in there] != there


def ids_in_another_order(play: Play) -> bool:
    """Whether the alphabetical order of ids differs from the order of entry."""
    return sorted(entry_order_of(play)) != entry_order_of(play)


def seats_mirrored(play: Play) -> bool:
    """Whether the active player is not listed first."""
    return bool(play.setup) and play.players[0].id != play.start.turn


def put_and_cast(play: Play) -> bool:
    """Whether some permanents are part of the setup and one is cast."""
    cards = {one.definition.name: one.definition for one in play.cards}
    named = {one.id: cards[one.card] for one in play.objects if one.card in cards}
    spells = (action.what for action in play.script if isinstance(action, CastAction))
    return bool(play.setup) and any(id in named and is_permanent(named[id]) for id in spells)


def is_permanent(card: Card) -> bool:
    """Whether a card becomes a permanent."""
    return not card.types & {"Instant", "Sorcery"}


def looked_at_twice(play: Play) -> bool:
    """Whether there is a look, followed by a spell without effect before the end."""
    idle = {one.definition.name for one in play.cards if not one.definition.abilities}
    plain = {one.id for one in play.objects if one.card in idle and one.id not in entry_order_of(play)}
    looks = [number for number, action in enumerate(play.script) if isinstance(action, Look)]
    return bool(looks) and any(
        isinstance(action, CastAction) and action.what in plain for action in play.script[looks[0] :]
    )


def together(play: Play) -> bool:
    """Whether permanents enter simultaneously."""
    return any(len(arrival.entries) > 1 for arrival in play.setup)


def has_another_owner(play: Play) -> bool:
    """Whether a permanent's controller is not its owner."""
    owners = {one.id: one.owner for one in play.objects}
    return any(owners[entry.id] != entry.controller for arrival in play.setup for entry in arrival.entries)


def with_counters(play: Play) -> bool:
    """Whether a permanent enters with counters."""
    return any(entry.counters for arrival in play.setup for entry in arrival.entries)


def real_beside_invented(play: Play) -> bool:
    """Whether real cards and invented ones lie side by side."""
    return {one.real for one in play.cards} == {True, False}


def objects_copied(play: Play) -> list[str]:
    """The objects that something copies as it enters."""
    return [
        str(choice.answer[0])
        for arrival in play.setup
        for entry in arrival.entries
        for choice in entry.choices
        if choice.kind == "copy"
    ]


def copy_of_a_copy(play: Play) -> bool:
    """Whether something enters as a copy of a copy."""
    copies = {entry.id for arrival in play.setup for entry in arrival.entries if entry.choices}
    return any(id in copies for id in objects_copied(play))


def keyword_counters(play: Play) -> bool:
    """Whether something enters with a counter that gives a keyword."""
    return any(
        counters.kind in get_args(KeywordName)
        for arrival in play.setup
        for entry in arrival.entries
        for counters in entry.counters
    )


def has_chosen_shape(play: Play) -> bool:
    """Whether a permanent became something chosen as it entered."""
    return any(
        choice.kind == "option"
        for arrival in play.setup
        for entry in arrival.entries
        for choice in entry.choices
    )


def real_cards_meet(play: Play) -> bool:
    """Whether two real cards meet on a board."""
    there = {one.card for one in play.objects}
    real = [one.definition for one in play.cards if one.real and one.definition.name in there]
    return any(meets(one, other) for one, other in combinations(real, 2))


def counts(play: Play) -> bool:
    """Whether an effect depends on a count or another quantity."""
    return any(
        isinstance(amount, Count | PropertyOf)
        for card in play.cards
        for ability in card.definition.abilities
        if isinstance(ability, Static)
        for part in ability.parts
        for operation in part.does
        for amount in (getattr(operation, "power", 0), getattr(operation, "toughness", 0))
    )


# --------------------------------------------------------------------- what the layers do


def at_some_step(so: Callable[[LayerStep, Facts], bool]) -> Callable[[Play], bool]:
    """Whether some step of the layers meets a condition."""

    def holds(play: Play) -> bool:
        facts = facts_of(play)
        return facts is not None and any(so(step, facts) for step in facts.steps)

    return holds


def waits(reason: DependencyReason) -> Callable[[Play], bool]:
    """Whether an effect waits for this reason."""
    return at_some_step(
        lambda step, facts: any(reason in others.values() for others in step.waits_for.values())
    )


def older_ones_wait(step: LayerStep, facts: Facts) -> bool:
    """Whether an older effect lets a newer one go first, and neither is characteristic-defining."""
    return not step.effect.defines and any(
        not other.defines and other.timestamp < step.effect.timestamp for other in step.waiting
    )


def older_ones_stand_back(step: LayerStep, facts: Facts) -> bool:
    """Whether a characteristic-defining effect goes before an older one that is not."""
    return step.effect.defines and any(
        not other.defines and other.timestamp < step.effect.timestamp for other in step.waiting
    )


def loop_at(step: LayerStep, effect: ActiveEffect) -> frozenset[ActiveEffect]:
    """The loop that contains an effect at a step."""
    return CR.loop_of(effect, step.waits_for)


def has_loop(step: LayerStep, facts: Facts) -> bool:
    """Whether effects wait for each other."""
    return any(loop_at(step, effect) for effect in step.waiting)


def waits_for_a_loop(step: LayerStep, facts: Facts) -> bool:
    """Whether an effect outside a loop waits for one inside."""
    return any(
        not loop_at(step, effect) and any(loop_at(step, other) for other in step.waits_for[effect])
        for effect in step.waiting
    )


def chain_of_three(step: LayerStep, facts: Facts) -> bool:
    """Whether an effect waits for one that waits for another, without a loop."""
    return any(
        step.waits_for[other].keys() - {one}
        for one in step.waiting
        if not loop_at(step, one)
        for other in step.waits_for[one]
        if not loop_at(step, other)
    )


def across_players(step: LayerStep, facts: Facts) -> bool:
    """Whether an effect waits for one of another player's permanents."""
    things = facts.board.things
    return any(
        things[one.source].controller != things[other.source].controller
        for one, others in step.waits_for.items()
        for other in others
        if one.source in things and other.source in things
    )


def goes_on(step: LayerStep, facts: Facts) -> bool:
    """Whether an effect is applied although its ability is gone."""
    return not step.began and not step.exists


def on_the_same(layer: Layer, *keys: str) -> Callable[[Play], bool]:
    """Whether two effects change the same characteristic of one object in a layer."""

    def holds(play: Play) -> bool:
        facts = facts_of(play)
        if facts is None:
            return False
        seen: dict[str, int] = {}
        for step in facts.steps:
            if step.layer == layer:
                for id in set(objects_changed(step, keys)):
                    seen[id] = seen.get(id, 0) + 1
        return any(times > 1 for times in seen.values())

    return holds


def objects_changed(step: LayerStep, keys: tuple[str, ...]) -> Iterator[str]:
    """The objects for which a step changed one of these characteristics."""
    for change in step.changes:
        if any(getattr(change.before, key) != getattr(change.after, key) for key in keys):
            yield from change.ids


def many_layers(play: Play) -> bool:
    """Whether effects change one object in four layers."""
    facts = facts_of(play)
    if facts is None:
        return False
    layers: dict[str, set[Layer]] = {}
    for step in facts.steps:
        for change in step.changes:
            for id in change.ids:
                layers.setdefault(id, set()).add(step.layer)
    return any(len(some) > 3 for some in layers.values())


def has_renewed_timestamp(play: Play) -> bool:
    """Whether a permanent has a later timestamp than one that entered after it: it moved, or returned."""
    facts = facts_of(play)
    if facts is None or not any(isinstance(action, Activate | CastAction) for action in play.script):
        return False
    there = [facts.board.things[id] for id in entry_order_of(play) if id in facts.board.things]
    times = [thing.timestamp for thing in there if thing.zone == "battlefield"]
    return times != sorted(times)


def hidden_and_copied(play: Play) -> bool:
    """Whether a face-down permanent becomes a copy."""
    facts = facts_of(play)
    return facts is not None and any(
        facts.board.things[id].face_down
        for step in facts.steps
        if step.layer == "1a"
        for change in step.changes
        for id in change.ids
    )


def takes_a_source(step: LayerStep, facts: Facts) -> bool:
    """Whether an effect gives control of a permanent that has an active effect of its own."""
    sources = {other.effect.source for other in facts.steps if other.effect.held is not None}
    return step.layer == "2" and any(id in sources for id in objects_changed(step, ("controller",)))


def switched_and_modified(play: Play) -> bool:
    """Whether one object's power and toughness are both switched and modified."""
    facts = facts_of(play)
    if facts is None:
        return False
    by_kind: dict[type, set[str]] = {Switch: set(), Modify: set()}
    for step in facts.steps:
        if step.layer in ("7c", "7d"):
            by_kind[Switch if step.layer == "7d" else Modify].update(
                id for change in step.changes for id in change.ids
            )
    return bool(by_kind[Switch] & by_kind[Modify])


def in_no_loop_but_alike(play: Play) -> bool:
    """Whether several effects are left in a layer, some ask about what they change, and none waits."""
    facts = facts_of(play)
    return facts is not None and any(
        len(step.waiting) > 1
        and not any(step.waits_for.values())
        and any(asks_for_some(effect) for effect in step.waiting)
        for step in facts.steps
    )


def asks_for_some(effect: ActiveEffect) -> bool:
    """Whether an effect affects only objects of a subtype or a colour."""
    return any(
        isinstance(share.affects, All) and bool(share.affects.subtype or share.affects.color)
        for shares in effect.shape.shares.values()
        for share in shares
    )


def every_type(play: Play) -> bool:
    """Whether a creature itself has every creature type."""
    return any(
        isinstance(ability, Defines) and any(isinstance(one, AddEveryType) for one in ability.does)
        for card in play.cards
        for ability in card.definition.abilities
    )


BOARD_SITUATIONS: tuple[Situation, ...] = (
    Situation(
        "made in another order",
        "Objects are created in another order than they enter in.",
        53,
        made_in_another_order,
    ),
    Situation(
        "ids in another order", "The ids' alphabet is not the order of entry.", 87, ids_in_another_order
    ),
    Situation("seats mirrored", "The player whose turn it is does not sit first.", 73, seats_mirrored),
    Situation("put and cast", "Some permanents are put there, and one is cast.", 4, put_and_cast),
    Situation("a second look", "Something irrelevant happens between two looks.", 2, looked_at_twice),
    Situation("entering together", "Permanents enter together.", 1, together),
    Situation("another's own", "A permanent's controller is not its owner.", 3, has_another_owner),
    Situation("counters", "A permanent enters with counters.", 4, with_counters),
    Situation("keyword counters", "A permanent enters with a keyword counter.", 2, keyword_counters),
    Situation("a shape", "A permanent became, as it entered, what was chosen then.", 1, has_chosen_shape),
    Situation(
        "real cards meet",
        "Two real cards work in one sublayer, or one changes what the other asks for.",
        2,
        real_cards_meet,
    ),
    Situation("real beside invented", "Real and invented cards lie side by side.", 8, real_beside_invented),
    Situation("a copy", "Something enters as a copy.", 7, lambda play: bool(objects_copied(play))),
    Situation("a copy of a copy", "Something enters as a copy of a copy.", 2, copy_of_a_copy),
    Situation("a hidden copy", "A face-down permanent becomes a copy.", 1, hidden_and_copied),
    Situation("an amount that depends", "An effect counts or measures something.", 2, counts),
    Situation("every creature type", "A creature says that it is of every type.", 0.5, every_type),
    Situation("waits: existence", "An effect waits for one that would end it.", 3, waits("existence")),
    Situation("waits: set", "An effect waits for one that changes what it applies to.", 21, waits("set")),
    Situation(
        "waits: operation", "An effect waits for one that changes what it does.", 1, waits("operation")
    ),
    Situation("older waits", "An older effect lets a newer one go first.", 17, at_some_step(older_ones_wait)),
    Situation(
        "waits for nobody",
        "Effects that ask for what such effects make, and that do not wait.",
        7,
        in_no_loop_but_alike,
    ),
    Situation("across players", "An effect waits for another player's.", 10, at_some_step(across_players)),
    Situation(
        "a chain of three", "An effect waits for one that waits for a third.", 3, at_some_step(chain_of_three)
    ),
    Situation("a loop", "Effects wait for each other.", 8, at_some_step(has_loop)),
    Situation("after a loop", "An effect waits for one in a loop.", 2, at_some_step(waits_for_a_loop)),
    Situation("goes on", "An effect is applied though its ability is gone.", 2, at_some_step(goes_on)),
    Situation(
        "two on types", "Two effects change one object's types.", 17, on_the_same("4", "types", "subtypes")
    ),
    Situation("two on colours", "Two effects change one object's colours.", 10, on_the_same("5", "colors")),
    Situation(
        "two on abilities",
        "Two effects change one object's abilities.",
        4,
        on_the_same("6", "keywords", "abilities", "cannot_have"),
    ),
    Situation(
        "two set a size", "Two effects set one object's size.", 6, on_the_same("7b", "power", "toughness")
    ),
    Situation(
        "two modify a size",
        "Two effects modify one object's size.",
        5,
        on_the_same("7c", "power", "toughness"),
    ),
    Situation("switched and modified", "One object is switched and modified.", 2, switched_and_modified),
    Situation(
        "two on control", "Two effects change who controls an object.", 1, on_the_same("2", "controller")
    ),
    Situation("a source is taken", "Control of an effect's source changes.", 3, at_some_step(takes_a_source)),
    Situation(
        "defines before older",
        "What defines goes before an older effect.",
        2,
        at_some_step(older_ones_stand_back),
    ),
    Situation(
        "granted at work",
        "An ability that an effect gave has an effect itself.",
        5,
        at_some_step(lambda step, facts: step.effect.held is not None and step.effect.held.since > 0),
    ),
    Situation(
        "never begins",
        "An effect's condition does not hold.",
        2,
        at_some_step(lambda step, facts: not step.applied),
    ),
    Situation(
        "text changed",
        "An effect changes text.",
        5,
        at_some_step(lambda step, facts: step.layer == "3" and bool(step.changes)),
    ),
    Situation(
        "lasting effect",
        "The effect of a spell that resolved is at work.",
        20,
        at_some_step(lambda step, facts: step.effect.key[0] == "lasting"),
    ),
    Situation(
        "timestamp refreshed",
        "A permanent is newer than one that entered after it.",
        3,
        has_renewed_timestamp,
    ),
    Situation("four layers", "Effects change one object in four layers.", 0.1, many_layers),
)
"""The floors are well below the usual frequencies, so that only a real loss is noticed."""

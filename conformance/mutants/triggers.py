"""Ways to get resolving and triggering wrong."""

from __future__ import annotations

from typing import Any

import msgspec

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import choices, recall, resolving, stacking, triggers
from reference_engine.game.events import GameEvent, Moved
from reference_engine.game.game import DelayedTrigger, Game, Ref, StackItem, WaitingTrigger
from reference_engine.game.occurrences import Occurring
from reference_engine.language.actions import AnswerValue
from reference_engine.language.cards import ChooseInstruction, Enters, State, TriggerEvent
from reference_engine.language.characteristics import HeldAbility
from reference_engine.language.words import COLORS
from reference_engine.layers.board import Link

# ---------------------------------------------------------------------------------- resolution


def owners_triggers(
    before: Game,
    after: Game,
    game: Game,
    event: Occurring,
    id: str,
    held: HeldAbility,
    when: TriggerEvent,
) -> WaitingTrigger | None:
    """A triggered ability is controlled by the owner of its source."""
    found = triggers.triggering(before, after, game, event, id, held, when)
    return found and msgspec.structs.replace(found, controller=game.board.things[id].owner)


def nothing_noticed(game: Game) -> Game:
    """States are checked only together with events."""
    return game


def targets_not_asked_again(game: Game, item: StackItem) -> tuple[tuple[Ref, ...], ...]:
    """Targets are checked only when they are chosen."""
    return tuple(tuple(ref for ref in refs if game.is_there(ref)) for refs in item.targets)


def same_object(game: Game, item: StackItem) -> tuple[tuple[Ref, ...], ...]:
    """A target that left and returned is still the target."""
    here = tuple(tuple(game.ref(ref.id) for ref in refs) for refs in item.targets)
    return resolving.targets_still_legal(game, msgspec.structs.replace(item, targets=here))


def one_illegal_target_is_enough(game: Game, item: StackItem) -> tuple[tuple[Ref, ...], ...]:
    """A spell with one illegal target counts as having no legal ones."""
    legal = resolving.targets_still_legal(game, item)
    whole = all(len(now) == len(then) for now, then in zip(legal, item.targets, strict=True))
    return legal if whole else tuple(() for _ in legal)


def condition_not_asked_again(game: Game, item: StackItem) -> bool:
    """An intervening "if" is checked only when the ability triggers."""
    return True


def first_word(
    game: Game, choice: ChooseInstruction, player: str, who_asks: tuple[str, ...]
) -> tuple[Game, tuple[AnswerValue, ...]]:
    """Nobody chooses a colour: it is the first one."""
    if choice.kind != "color":
        return choices.words_chosen(game, choice, player, who_asks)
    return game, tuple(word for word in COLORS if word not in choice.never)[: choice.least]


# ------------------------------------------------------------------------------------ triggers


def once_for_all(before: Game, after: Game, events: tuple[GameEvent, ...]) -> Game:
    """An ability triggers once, however many of its events happen simultaneously."""
    found = triggers.triggered(before, after, events)
    kept: list[WaitingTrigger] = []
    for one in found.waiting:
        same = (one.source, one.slot, one.name)
        if one in after.waiting or same not in [(other.source, other.slot, other.name) for other in kept]:
            kept.append(one)
    return msgspec.structs.replace(found, waiting=tuple(kept))


def states_seen_between(before: Game, after: Game, events: tuple[GameEvent, ...]) -> Game:
    """A state triggers an ability only if it holds after something has left the stack."""
    found = triggers.triggered(before, after, events)
    if not events or any(isinstance(event, Moved) and event.origin == "stack" for event in events):
        return found
    kept = tuple(
        one for one in found.waiting if one in after.waiting or not isinstance(one.ability.when, State)
    )
    return msgspec.structs.replace(found, waiting=kept)


def condition_asked_late(game: Game, waiting: WaitingTrigger) -> bool:
    """An intervening "if" is checked only when the ability resolves."""
    return True


def once_for_the_team(game: Game, waiting: WaitingTrigger, when: Any) -> tuple[WaitingTrigger, ...]:
    """An ability that triggers at the beginning of a step triggers once for the whole team."""
    return (waiting,)


def never_later(before: Game, after: Game, event: Any, delayed: DelayedTrigger) -> None:
    """Delayed triggered abilities never trigger."""
    return


def auras_lost(before: Game, after: Game) -> Game:
    """An ability about an enchanted permanent loses track of its Aura."""
    return after


def discarded_lost(before: Game, after: Game, item: StackItem) -> Game:
    """An ability that refers to a discarded card loses track of it as its madness ability resolves."""
    return after


def stays_without_target(game: Game, waiting: WaitingTrigger) -> Game:
    """A triggered ability without a legal target stays on the stack, and does nothing."""
    after = stacking.trigger_put_on_stack(game, waiting)
    if len(after.stack) > len(game.stack):
        return after
    after, item = stacking.as_item(game, waiting)
    idle = msgspec.structs.replace(waiting.ability, effect=(), modes=(), targets=())
    return msgspec.structs.replace(
        after, stack=(*after.stack, msgspec.structs.replace(item, ability=idle, specs=()))
    )


def nonactive_first(game: Game) -> tuple[str, ...]:
    """The active player's triggers are put on the stack last."""
    return tuple(reversed(stacking.trigger_order(game)))


def by_seat(game: Game) -> tuple[str, ...]:
    """Triggers go on the stack in seating order, whoever's turn it is."""
    ours = stacking.trigger_order(game)
    seats = [seat.id for seat in game.board.seats]
    return tuple(sorted(ours, key=lambda side: seats.index(side) if side in seats else 0))


def as_they_came(game: Game, side: str, own: tuple[Any, ...]) -> tuple[Game, tuple[Any, ...]]:
    """Nobody chooses the order of simultaneous triggers."""
    return game, own


def triggers_but_once(before: Game, after: Game, events: tuple[Occurring, ...], id: str) -> int:
    """Nothing makes an ability trigger additional times."""
    return 1


def first_occurrence(game: Game, possible: tuple[WaitingTrigger, ...]) -> tuple[Game, WaitingTrigger]:
    """Nobody chooses which of several events triggers a delayed ability."""
    return game, possible[0]


def linked_to_printed(game: Game, this: Ref, slot: tuple[str | int, ...]) -> Link | None:
    """What an ability exiles counts as exiled by the abilities printed on the object."""
    return recall.linked(game, this, ())


def entering_forgotten(game: Game, waiting: WaitingTrigger) -> Game:
    """What triggered on its own entering is stacked only if its object is still there."""
    entering = isinstance(triggers.core(waiting.ability.when), Enters)
    gone = entering and not game.is_there(waiting.source)
    return game if gone else stacking.trigger_put_on_stack(game, waiting)


def always_found(when: TriggerEvent, moved: Ref | None, id: str) -> bool:
    """An ability that looks back finds its own object wherever it went."""
    return True


TRIGGERS: tuple[Mutant, ...] = (
    mutant(
        "states-unnoticed",
        "603.8",
        "Asks whether a state is true only when something happens.",
        states_noticed=nothing_noticed,
    ),
    mutant(
        "owners-triggers",
        "603.3a",
        "Gives what triggered to the owner of its source.",
        triggering=owners_triggers,
    ),
    mutant("first-word", "608.2d", "Chooses a colour itself.", words_chosen=first_word),
    mutant(
        "states-seen-between",
        "603.8",
        "Looks for states that trigger only between resolutions.",
        triggered=states_seen_between,
    ),
    mutant("once-for-all", "603.2c", "Triggers once for several events together.", triggered=once_for_all),
    mutant(
        "asked-late",
        "603.4",
        "Asks an intervening if only on resolution.",
        condition_holds=condition_asked_late,
    ),
    mutant(
        "once-for-the-team",
        "805.4d",
        "Triggers once for a team where it should for each of its players.",
        for_each_player_of_the_team=once_for_the_team,
    ),
    mutant("never-later", "603.7", "Forgets delayed triggered abilities.", delayed_triggering=never_later),
    mutant(
        "found-with-another",
        "400.7e",
        "Lets an ability find its own card, though what triggered it was another that went with it.",
        finds_itself=always_found,
    ),
    mutant(
        "entering-forgotten",
        "603.6a",
        "Forgets what triggered on its own entering if that has gone by then.",
        trigger_put_on_stack=entering_forgotten,
    ),
    mutant("auras-lost", "400.7f", "Loses sight of an Aura that goes with its host.", auras_found=auras_lost),
    mutant(
        "discarded-lost",
        "400.7k",
        "Loses sight of a discarded card that was not cast with madness.",
        discarded_found=discarded_lost,
    ),
    mutant(
        "stays-without-target",
        "603.3d",
        "Leaves a triggered ability without target on the stack.",
        trigger_put_on_stack=stays_without_target,
    ),
    mutant(
        "targets-not-rechecked",
        "608.2b",
        "Does not check targets again on resolution.",
        targets_still_legal=targets_not_asked_again,
    ),
    mutant(
        "same-object",
        "400.7",
        "Takes what left and came back for the target that it was.",
        targets_still_legal=same_object,
    ),
    mutant(
        "one-illegal-target-is-enough",
        "608.2b",
        "Gives up a spell because of one illegal target among several.",
        targets_still_legal=one_illegal_target_is_enough,
    ),
    mutant(
        "if-asked-once",
        "603.4",
        "Does not ask an intervening if again.",
        still_wants_to_resolve=condition_not_asked_again,
    ),
    mutant(
        "reverse-apnap", "603.3b", "Stacks the active player's triggers last.", trigger_order=nonactive_first
    ),
    mutant("triggers-by-seat", "603.3b", "Stacks triggers by seat.", trigger_order=by_seat),
    mutant(
        "triggers-as-they-came",
        "603.3b",
        "Lets nobody order simultaneous triggers.",
        triggers_ordered=as_they_came,
    ),
    mutant(
        "one-trigger-round",
        "603.3b",
        "Stacks triggers on triggers in one round.",
        trigger_rounds=stacking.one_round,
    ),
    mutant(
        "triggers-but-once",
        "603.2d",
        "Lets no ability trigger an additional time.",
        times_triggered=triggers_but_once,
    ),
    mutant(
        "first-occurrence",
        "603.7b",
        "Lets a delayed trigger trigger on the first of several events at once.",
        occurrence_chosen=first_occurrence,
    ),
    mutant(
        "pairs-mixed",
        "607.5",
        "Links what an acquired ability exiled to the printed ones.",
        linked=linked_to_printed,
    ),
)

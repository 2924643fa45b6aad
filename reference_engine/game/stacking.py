"""How abilities that have triggered are put onto the stack (CR 603.3)."""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.events import (
    NotPutOnStack,
    PutOnStack,
)
from reference_engine.game.game import (
    Game,
    Question,
    Ref,
    StackItem,
    WaitingTrigger,
    side_of,
    sides_in_order,
    ticked,
)
from reference_engine.game.happening import with_event
from reference_engine.game.questions import take_answer
from reference_engine.game.recall import as_it_last_was
from reference_engine.game.stack import modes_of, name_of, shown_ref, specs_of, with_item
from reference_engine.game.targets import (
    NotEnoughTargets,
    target_limits,
    too_little_to_divide,
    with_division,
    with_targets,
)
from reference_engine.game.triggers import alike
from reference_engine.language.cards import Was
from reference_engine.layers.asking import own_past


def put_triggers_on_stack(game: Game) -> Game:
    """Put the waiting triggered abilities on the stack.

    CR 603.3: a triggered ability is put there the next time a player would receive priority. CR 603.3b: first
    all that did not trigger on another ability triggering, then the rest; in each round, each side in APNAP
    order, in the order its player chooses. CR 805.7: a team orders the abilities of all its players.
    """
    for second in game.rules.trigger_rounds(game):
        for side in game.rules.trigger_order(game):
            own = tuple(
                waiting
                for waiting in game.waiting
                if waiting.second_round <= second and side_of(game, waiting.controller) == side
            )
            game, ordered = game.rules.triggers_ordered(game, side, own)
            for waiting in ordered:
                game = replace(game, waiting=tuple(other for other in game.waiting if other is not waiting))
                game = game.rules.trigger_put_on_stack(game, waiting)
    return game


def trigger_rounds(game: Game) -> tuple[bool, ...]:
    """CR 603.3b: abilities that triggered on abilities triggering come in a second round."""
    return (False, True)


def one_round(game: Game) -> tuple[bool, ...]:
    """CR 603.3b: (until 2021-04) all abilities that have triggered are put on the stack together."""
    return (True,)


def trigger_order(game: Game) -> tuple[str, ...]:
    """CR 603.3b, 101.4: the active player's abilities are put on the stack first, so they resolve last."""
    return sides_in_order(game)


def triggers_ordered(
    game: Game, side: str, own: tuple[WaitingTrigger, ...]
) -> tuple[Game, tuple[WaitingTrigger, ...]]:
    """One side's waiting abilities in the order its player puts them on the stack, bottom first.

    CR 603.3b: the player orders them.
    """
    if len(own) < 2 or all(alike(own[0], other) for other in own):
        return game, own
    called: list[str] = []
    for waiting in own:
        name = f"{waiting.name} of {waiting.source.id}"
        times = sum(other == name or other.startswith(f"{name} (") for other in called)
        called.append(f"{name} ({times + 1})" if times else name)
    question = Question("order", side, (game.board.step, *called, "state", "combat"), tuple(called))
    game, answer = take_answer(game, question)
    by_name = dict(zip(called, own, strict=True))
    return game, tuple(by_name[str(name)] for name in answer)


def trigger_put_on_stack(game: Game, waiting: WaitingTrigger) -> Game:
    """Put one triggered ability on the stack, or remove it if that is impossible.

    CR 603.3c: modes are chosen now. CR 603.3d: so are targets and divisions; without legal choices the
    ability is removed.
    """
    game, item = as_item(game, waiting)
    below = game
    game = replace(game, stack=(*game.stack, item))
    name = name_of(game, item)
    who_asks = (name, waiting.source.id)
    if waiting.ability.modes:
        game, modes = modes_of_trigger(game, item, who_asks)
        if modes is None:
            return with_event(below, NotPutOnStack(name, "no mode can be chosen"))
        item = replace(item, modes=modes)
        game = with_item(game, item)
    item = replace(item, specs=specs_of(game, item))
    if too_little_to_divide(game, item):
        return with_event(below, NotPutOnStack(name, "it has less to divide than targets to choose"))
    try:
        game, item = with_targets(game, item, None, who_asks)
    except NotEnoughTargets:
        return with_event(below, NotPutOnStack(name, "it has no legal target"))
    game, item = with_division(game, item, (), who_asks)
    targets = tuple(shown_ref(game, ref) for refs in item.targets for ref in refs)
    return with_event(game, PutOnStack(name, item.controller, targets))


def as_item(game: Game, waiting: WaitingTrigger) -> tuple[Game, StackItem]:
    """A waiting triggered ability as a stack object, or as what resolves in place of one."""
    game, now = ticked(game)
    return game, StackItem(
        id=f"ability {now}",
        kind="triggered",
        controller=waiting.controller,
        source=waiting.source,
        born=now,
        name=waiting.name,
        ability=waiting.ability,
        slot=waiting.slot,
        x=waiting.x,
        it=waiting.it,
        names=waiting.names,
        that_much=waiting.that_much,
        created=waiting.created,
        you=waiting.you,
        was=past_of_source(game, waiting.source),
    )


def past_of_source(game: Game, source: Ref) -> frozenset[str]:
    """What an ability knows of its source's past, whatever becomes of the source (CR 113.7a)."""
    if Was not in game.mentions:
        return frozenset()
    return own_past(source.id, *as_it_last_was(game, source))


def modes_of_trigger(
    game: Game, item: StackItem, who_asks: tuple[str, ...]
) -> tuple[Game, tuple[int, ...] | None]:
    """The modes chosen for a triggered ability; `None` if too few are legal (CR 700.2b: illegal modes)."""
    modes, least, most = modes_of(game, item)
    possible: list[int] = []
    for number, mode in enumerate(modes, 1):
        if all(
            len(game.rules.legal_targets(game, item, spec, None)) >= target_limits(game, item, spec)[0]
            for spec in mode.targets
        ):
            possible.append(number)
    if len(possible) < least:
        return game, None
    question = Question("modes", item.controller, who_asks, tuple(possible), least, most)
    game, answer = take_answer(game, question)
    return game, tuple(sorted(int(str(number)) for number in answer))

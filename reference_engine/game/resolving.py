"""Resolving the top object of the stack (CR 608), resolving mana abilities, and countering.

`instructions` carries out each instruction.
"""

from __future__ import annotations

import functools

from msgspec.structs import replace

from reference_engine.game.events import (
    AbilitiesCeased,
    Countered,
    DoesNotResolve,
    Entering,
    IllegalTarget,
    ManaAdded,
    ManaTapped,
    ManaTriggerResolves,
    Moved,
    Resolved,
    Resolves,
)
from reference_engine.game.game import (
    DelayedTrigger,
    Game,
    Ref,
    StackItem,
    with_use,
)
from reference_engine.game.happening import did_anything, happen, with_event
from reference_engine.game.instructions import follow
from reference_engine.game.scene import Scene
from reference_engine.game.stack import (
    asking_for,
    base_name,
    instructions_of,
    item_of,
    name_of,
    shown_ref,
    without_ability,
    without_item,
)
from reference_engine.game.stacking import as_item, modes_of_trigger
from reference_engine.game.targets import named_targets, targeting_forbidden
from reference_engine.game.triggers import once_slot
from reference_engine.language.cards import (
    Activated,
    It,
    PropertyOf,
    TapThis,
    The,
    This,
    Triggered,
    parts_of,
)
from reference_engine.language.characteristics import is_room
from reference_engine.language.keywords import DELAYED
from reference_engine.language.words import Zone
from reference_engine.layers.asking import holds


def resolve_top(game: Game) -> Game:
    """The game after the top object of the stack has resolved, before a player gets priority.

    CR 608.1: it resolves when all players pass in succession. CR 608.2, 608.3: an instant, sorcery or ability
    by following its instructions, any other spell by becoming a permanent.
    """
    item = game.stack[-1]
    name = name_of(game, item)
    if item.kind == "triggered" and not game.rules.still_wants_to_resolve(game, item):
        game = with_event(
            game, DoesNotResolve(name, 'CR 608.2a, 603.4: its intervening "if" is not true any more')
        )
        return with_event(off_the_stack(game, item, "graveyard", "removed"), Resolved(name))
    legal = game.rules.targets_still_legal(game, item)
    if any(item.targets) and not any(legal):
        unbestowed = game.rules.without_bestowal(game, item.id)
        if unbestowed is None:
            illegal = tuple(illegal_target(game, item, ref) for chosen in item.targets for ref in chosen)
            game = with_event(game, DoesNotResolve(name, "CR 608.2b: all its targets are illegal", illegal))
            game = off_the_stack(game, item, "graveyard", "removed")
            return with_event(game, Resolved(name))
        # CR 608.3b, 702.103e: it goes on resolving as a creature spell.
        game, item, legal = unbestowed, replace(item, targets=()), ()
    gone: list[IllegalTarget] = []
    if legal != item.targets:
        for chosen, kept in zip(item.targets, legal, strict=True):
            gone += [illegal_target(game, item, ref) for ref in chosen if ref not in kept]
        item = replace(item, targets=legal)
    source = None if item.kind == "spell" or is_as_it_was(game, item.source) else item.source.id
    game = with_event(game, Resolves(name, tuple(gone), source, objects_recalled(game, item)))
    if item.kind == "spell" and not ({"Instant", "Sorcery"} & game.look(item.id).types):
        game = game.rules.resolve_permanent(game, item)
    else:
        game = follow_all(game, item)
    return with_event(game, Resolved(name))


def is_as_it_was(game: Game, source: Ref) -> bool:
    """Whether a source is still the same object as when its ability was activated or triggered."""
    return source.id in game.board.things and game.born(source.id) == source.born


def objects_recalled(game: Game, item: StackItem) -> tuple[str, ...]:
    """The objects whose last known information a resolving spell or ability uses (CR 608.2h: gone)."""
    if item.kind == "spell" and item.it is None and not item.names:
        return ()
    asked = asked_about(instructions_of(game, item))
    names = dict(item.names)
    refs = [item.source] if This() in asked and item.kind != "spell" else []
    refs += [item.it] if item.it is not None and It() in asked else []
    refs += [ref for word in asked if isinstance(word, The) for ref in names.get(word.name, ())]
    return tuple(dict.fromkeys(ref.id for ref in refs if not is_as_it_was(game, ref)))


@functools.lru_cache(maxsize=1024)
def asked_about(value: object) -> frozenset[This | It | The]:
    """The references through which a text reads numbers of objects."""
    match value:
        case PropertyOf(of=This() | It() | The() as of):
            return frozenset({of})
        case _:
            return frozenset().union(*map(asked_about, parts_of(value)))


def illegal_target(game: Game, item: StackItem, ref: Ref) -> IllegalTarget:
    """A target that is illegal now, why, and whether it is a different object by now."""
    gone = not game.is_there(ref)
    return IllegalTarget(
        shown_ref(game, ref), gone, None if gone else targeting_forbidden(game, item, ref.id)
    )


def still_wants_to_resolve(game: Game, item: StackItem) -> bool:
    """CR 603.4, 608.2a: a triggered ability with an intervening "if" checks it again as it resolves."""
    ability = item.ability
    if not isinstance(ability, Triggered) or ability.cond is None:
        return True
    return holds(ability.cond, asking_for(game, item))


def targets_still_legal(game: Game, item: StackItem) -> tuple[tuple[Ref, ...], ...]:
    """The targets that are still legal, for each instance of the word.

    CR 608.2b: a target that has left its zone is illegal, and so is one that could not be chosen now.
    """
    kept: list[tuple[Ref, ...]] = []
    named = named_targets(item.specs, item.targets)
    for spec, refs in zip(item.specs, item.targets, strict=True):
        if not refs:
            kept.append(())
            continue
        legal = game.rules.legal_targets(game, item, spec, named)
        kept.append(tuple(ref for ref in refs if ref.id in legal and game.is_there(ref)))
    return tuple(kept)


def follow_all(game: Game, item: StackItem) -> Game:
    """The game after all instructions of a spell or ability were followed and it has left the stack.

    CR 608.2c: in the order written. CR 608.2n: finally, a spell goes to its owner's graveyard, and an ability
    ceases to exist. CR 608.2m: it continues to resolve even if it has left the stack.
    """
    before, scene = game, scene_of(item)
    if item.kind == "spell" and game.look(item.id).has_keyword("ascend"):
        # CR 702.131a: on an instant or sorcery, it is the first of its instructions.
        game = game.rules.ascended(game, item.controller)
    for instruction in () if is_done_this_turn(game, item) else instructions_of(game, item):
        if not game.turn_ends and not game.over:
            game, scene = follow(game, scene, instruction)
    if isinstance(item.ability, Triggered) and item.ability.once and did_anything(before, game):
        game = with_use(game, item.source, once_slot(item.slot, item.controller))
    game = game.rules.discarded_found(before, game, item)
    if item_of(game, item.id) is None:
        return game
    return game.rules.after_following(game, item)


def after_following(game: Game, item: StackItem) -> Game:
    """The game after an instant, sorcery or ability that has resolved has left the stack.

    CR 608.2n: a spell goes to its owner's graveyard. CR 715.3d: one that was cast as an Adventure is exiled
    instead, and its controller may play the card from there.
    """
    on_adventure = item.kind == "spell" and game.board.things[item.id].face_up == "adventure"
    if not on_adventure or item.goes_to != "graveyard":
        return off_the_stack(game, item, item.goes_to, "resolved")
    game = off_the_stack(game, item, "exile", "exiled", "CR 715.3d: it is on an Adventure")
    thing = replace(game.board.things[item.id], playable_by=item.controller)
    return replace(game, board=game.board.with_things(thing))


def is_done_this_turn(game: Game, item: StackItem) -> bool:
    """Whether the player has already done this once-each-turn action this turn (CR 603.2h: no more)."""
    if not isinstance(item.ability, Triggered) or not item.ability.once:
        return False
    return (game.turn, once_slot(item.slot, item.controller)) in game.remembers(item.source.id).used


def scene_of(item: StackItem) -> Scene:
    """The scene in which a spell or ability resolves."""
    named = dict(item.names)
    for name, refs in named_targets(item.specs, item.targets).items():
        named[name] = refs
    return Scene(
        item=item,
        this=item.source,
        you=item.you or item.controller,
        it=item.it,
        names=tuple(named.items()),
    )


def off_the_stack(game: Game, item: StackItem, to: Zone, how: str, rule: str = "") -> Game:
    """The game after an object has left the stack for another zone, or ceased to exist if it is not a card.

    CR 704.5e: a copy of a spell that is elsewhere ceases to exist.
    CR 603.8: a state trigger may trigger again once its ability has left the stack.
    """
    if item.kind != "spell":
        game = without_ability(game, item)
        return game.rules.triggered(game, game, ())
    game = without_item(game, item.id)
    return happen(game, Moved(item.id, "stack", to, how, rule=rule))


def stack_exiled(game: Game) -> Game:
    """The game after everything on the stack was exiled at once, and abilities have ceased to exist
    (CR 724.1b: an effect ends the turn).
    """
    items = game.stack
    # The last item is the one that is resolving. What becomes of it is told separately.
    abilities = tuple(name_of(game, item) for item in items[:-1] if item.kind != "spell")
    game = with_event(game, AbilitiesCeased(abilities)) if abilities else game
    for item in items:
        game = without_item(game, item.id)
    spells = [Moved(item.id, "stack", "exile", "exiled") for item in items if item.kind == "spell"]
    return happen(game, *spells)


def resolve_permanent(game: Game, item: StackItem) -> Game:
    """The game after a permanent spell has become a permanent.

    CR 608.3: this is what its resolution means. CR 608.3a: under its controller's control. CR 608.3c: an Aura
    attached to its target. CR 608.3f: a copy of a permanent spell becomes a token. CR 400.7d: the permanent
    remembers how it was cast.
    """
    memory = game.remembers(item.id)
    thing = game.board.things[item.id]
    target = next((ref.id for refs in item.targets for ref in refs), None)
    entering = Entering(
        under=item.controller,
        face_down=thing.face_down,
        hidden_as=thing.hidden_as,
        unlocked=game.rules.unlocked_as_it_enters(thing, item),
        # CR 712.13: with the face up that was up on the stack.
        face_up="front" if is_room(thing.card) else thing.face_up,
        attached_to=target,
        chosen=thing.chosen,
        memory=replace(memory, shields=0, used=()),
        begins=game.rules.effects_kept(game, item),
    )
    game = without_item(game, item.id)
    if item.copy:
        game = replace(game, made=(*game.made, item.id))
    game = happen(game, Moved(item.id, "stack", "battlefield", "resolved", entering))
    return game.rules.returned_later(game, item)


def returned_later(game: Game, item: StackItem) -> Game:
    """The game with the delayed triggered ability that some alternative costs create for the permanent.

    CR 702.109a: dash returns it to its owner's hand at the beginning of the next end step.
    """
    if item.method is None:
        return game
    thing = game.board.things.get(item.id)
    later = next((later for word, later in DELAYED.items() if item.method == word), None)
    if later is None or thing is None or thing.zone != "battlefield":
        return game
    delayed = DelayedTrigger(
        later.when, later.effect, later.name, item.controller, game.ref(item.id), game.clock
    )
    return replace(game, delayed=(*game.delayed, delayed))


def countered(game: Game, ref: Ref) -> Game:
    """The game after a spell or ability was countered: removed from the stack without effect (CR 701.6a:
    to counter).
    """
    item = item_of(game, ref.id)
    if item is None:
        return game
    game = with_event(game, Countered(name_of(game, item)))
    return off_the_stack(game, item, "graveyard", "countered")


def resolve_mana_ability(game: Game, item: StackItem, produces: str | None) -> Game:
    """The game after a mana ability has resolved, right after its activation (CR 605.3b: it doesn't use the
    stack).

    CR 106.12a: a permanent is tapped for mana when a mana ability with {T} in its cost has made mana.
    """
    scene = replace(scene_of(item), produces=produces)
    assert isinstance(item.ability, Activated)
    told_before = len(game.events)
    for instruction in instructions_of(game, item):
        game, scene = follow(game, scene, instruction)
    made = any(isinstance(event, ManaAdded) for event in game.events[told_before:])
    if made and any(isinstance(cost, TapThis) for cost in item.ability.cost):
        game = happen(game, ManaTapped(item.source, item.controller))
    return game.rules.resolve_mana_triggers(game)


def resolve_mana_triggers(game: Game) -> Game:
    """The game after the waiting triggered mana abilities have resolved.

    CR 605.4a: they resolve immediately after the mana ability that triggered them, without using the stack or
    waiting for priority. The rules leave open which of several comes first; here it is the one that triggered
    first.
    """
    while game.waiting:
        mana = (game.rules.is_triggered_mana_ability(one.ability) for one in game.waiting)
        at = next((place for place, makes in enumerate(mana) if makes), None)
        if at is None:
            break
        first = game.waiting[at]
        game = replace(game, waiting=game.waiting[:at] + game.waiting[at + 1 :])
        game, item = as_item(game, first)
        if not game.rules.still_wants_to_resolve(game, item):
            continue
        game = with_event(game, ManaTriggerResolves(base_name(item)))
        if first.ability.modes:
            # CR 603.3c: the mode is chosen as for any triggered ability.
            game, modes = modes_of_trigger(game, item, (base_name(item), item.source.id))
            assert modes is not None, "no mode of a mana ability needs a target"
            item = replace(item, modes=modes)
        scene = scene_of(item)
        for instruction in instructions_of(game, item):
            game, scene = follow(game, scene, instruction)
    return game

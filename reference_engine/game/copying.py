"""Copies of spells and abilities, and new targets for them (CR 707.10, 115.7)."""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.events import BecameTarget, Copied
from reference_engine.game.game import (
    Game,
    Memory,
    Question,
    Ref,
    StackItem,
    last_board,
    ticked,
)
from reference_engine.game.happening import happen, with_event
from reference_engine.game.questions import take_answer
from reference_engine.game.scene import Scene, askers, refs_meant
from reference_engine.game.stack import (
    item_of,
    name_of,
    shown_ref,
    with_item,
)
from reference_engine.game.targets import divided_among, division_of, named_targets, resolve_target
from reference_engine.language.actions import Share
from reference_engine.language.cards import (
    Operation,
    Selector,
)
from reference_engine.language.characteristics import is_room, printed_characteristics
from reference_engine.layers.board import (
    Board,
    CopyValues,
    Lasting,
    NotModelled,
    SetCopiable,
    SettledOperation,
    SettledPart,
    Thing,
)
from reference_engine.layers.evaluation import copiable_values
from reference_engine.layers.rules import Rules


def items_to_copy(game: Game, scene: Scene, what: Selector) -> tuple[StackItem, ...]:
    """The spells and abilities to copy, as they are or as they were when they left the stack.

    CR 608.2h: one that is gone is copied using its last known information.
    """
    found: list[StackItem] = []
    for ref in refs_meant(game, scene, what):
        item = item_of(game, ref.id) or game.left_stack.get(Ref(ref.id, ref.born))
        if item is not None:
            found.append(item)
    return tuple(found)


def past_of_a_copy(was: frozenset[str]) -> frozenset[str]:
    """What is true of the past of a copy of a spell: not what is true of the spell because a card was cast.

    CR 707.10: a copy isn't cast. CR 702.138b: an escaped spell was cast from a graveyard.
    """
    return frozenset([word for word in was - {"escaped", "foretold"} if not word.startswith("cast")])


def copy(game: Game, scene: Scene, item: StackItem, new_targets: bool, but: tuple[Operation, ...]) -> Game:
    """The game with one copy of a spell or ability, for which new targets may have been chosen.

    CR 707.10c: it is put on the stack with the targets that were chosen or kept.
    """
    game, copied = game.rules.copied(game, item, scene.you, but)
    if new_targets and any(copied.targets):
        asks = (*askers(game, scene), name_of(game, copied))
        game = game.rules.retargeted(game, copied, scene.you, asks, False)
    return game.rules.aims_noticed(game, replace(copied, targets=()))


def with_other_targets(game: Game, scene: Scene, item: StackItem, must: bool) -> Game:
    """The game after a player may have changed the targets of a spell or ability (CR 115.7)."""
    game = game.rules.retargeted(game, item, scene.you, askers(game, scene), must)
    return game.rules.aims_noticed(game, item)


def aims_noticed(game: Game, before: StackItem) -> Game:
    """The game after what is a target of a spell or ability, and was none before, has become its target.

    CR 603.2e: only what was not its target yet becomes one.
    """
    item = item_of(game, before.id)
    assert item is not None
    old = {(ref.id, ref.born) for refs in before.targets for ref in refs}
    aims = dict.fromkeys(ref.id for refs in item.targets for ref in refs if (ref.id, ref.born) not in old)
    return happen(game, *(BecameTarget(id, item.id, item.controller) for id in aims)) if aims else game


def as_a_copy(
    board: Board, id: str, rules: Rules, but: tuple[Operation, ...] = ()
) -> tuple[SettledOperation, ...]:
    """The operations that make a new token or spell with the object's card a copy of the object.

    CR 707.8a, 707.10g: the copy of a double-faced object has both faces. So no values are fixed while each
    face is as printed.
    """
    thing = board.things[id]
    copied = copiable_values(board, id, rules)
    values = replace(copied, text_by=())
    exceptions: tuple[SettledOperation, ...] = (SetCopiable(but),) if but else ()
    if is_room(thing.card) and thing.zone == "stack" and not thing.face_down:
        # CR 709.5b: the copy of a Room that is a spell has both halves.
        if values != printed_characteristics(thing.face, values.controller):
            raise NotModelled("a copy of a Room that a copy effect changed")
        return exceptions
    if thing.card.back is not None:
        turned = board.with_things(replace(thing, face_up="front" if thing.transformed else "back"))
        if copiable_values(turned, id, rules) != copied:
            if replace(values, front_cost=None) != printed_characteristics(thing.face, values.controller):
                raise NotModelled("a copy of a double-faced permanent that a copy effect changed")
            return exceptions
    return (CopyValues(values), *exceptions)


def copied(
    game: Game, item: StackItem, controller: str, but: tuple[Operation, ...] = ()
) -> tuple[Game, StackItem]:
    """The game with a copy of a spell or ability on top of the stack.

    CR 707.10: the copy has the characteristics and all decisions of the original; it is put on the stack, not
    cast or activated. A copy of a spell is owned and controlled by the player under whose control it was put
    there.
    """
    game, now = ticked(game)
    if item.kind != "spell":
        copy = replace(item, id=f"ability {now}", born=now, copy=True, controller=controller, alias=None)
    else:
        id = (
            f"copy of {item.id}"
            if f"copy of {item.id}" not in game.board.things
            else f"copy {now} of {item.id}"
        )
        # CR 608.2h: if the spell is gone, as it last was on the stack, with its face, X and all.
        board = last_board(game, Ref(item.id, item.born))
        original = board.things[item.id]
        card = Thing(
            id=id,
            card=original.card,
            owner=controller,
            zone="stack",
            timestamp=now,
            controller=controller,
            token=True,
            chosen=original.chosen,
            face_down=original.face_down,
            hidden_as=original.hidden_as,
            face_up=original.face_up,
            born=now,
            was=past_of_a_copy(item.was),
        )
        operations = as_a_copy(board, item.id, game.rules, but)
        effect = Lasting(
            id=f"{id} {now}",
            source=id,
            you=controller,
            timestamp=now,
            parts=(SettledPart(frozenset({id}), operations),),
        )
        # CR 702.103c: the copy of a bestowed Aura spell is one, too.
        begun = (effect, game.rules.bestowed(id, controller, now)) if item.method == "bestow" else (effect,)
        now_there = replace(game.board.with_things(card), effects=(*game.board.effects, *begun))
        memory = Memory(history=past_of_a_copy(item.was))
        game = replace(game, board=now_there, memory={**game.memory, id: memory})
        copy = replace(
            item,
            id=id,
            born=now,
            source=Ref(id, now),
            name=item.name or item.source.id,
            copy=True,
            controller=controller,
            alias=None,
            was=past_of_a_copy(item.was),
        )
    game = replace(game, stack=(*game.stack, copy))
    return with_event(game, Copied(name_of(game, copy), controller, copy.id)), copy


def copy_of_card(game: Game, ref: Ref, player: str) -> tuple[Game, Ref]:
    """The game with a copy of a card in the card's zone, owned by the player who makes it, and the copy.

    CR 707.12: it is there to be cast, but is not one of the cards there. CR 704.5e: a copy that is not cast
    ceases to exist.
    """
    game, now = ticked(game)
    original = game.board.things[ref.id]
    id = f"copy of {ref.id}" if f"copy of {ref.id}" not in game.board.things else f"copy {now} of {ref.id}"
    made = Thing(
        id=id, card=original.card, owner=player, zone=original.zone, timestamp=now, token=True, born=now
    )
    return replace(game, board=game.board.with_things(made)), Ref(id, now)


def retargeted(game: Game, item: StackItem, player: str, who_asks: tuple[str, ...], must: bool) -> Game:
    """The game after new targets may have been chosen for a spell or ability.

    CR 115.7d, 707.10c: any number of targets may be left unchanged, even illegal ones; new ones must be
    legal. CR 115.7a: "change" requires another legal target; if there is none, the target stays. CR 400.7:
    what a target has become by leaving and coming back is another object, so it may be the new target.
    CR 115.7f: a division stays as it was.
    """
    chosen: list[tuple[Ref, ...]] = []
    for spec, refs in zip(item.specs, item.targets, strict=True):
        named = named_targets(item.specs, tuple(chosen))
        legal = game.rules.legal_targets(game, item, spec, named)
        old_ids = tuple(ref.id for ref in refs)
        kept = {ref.id: ref for ref in refs if game.is_there(ref) or ref.id not in legal}
        if must:
            others = tuple(id for id in legal if id not in kept)
            options = others if len(others) >= len(refs) else old_ids
            kept = kept if options is others else {ref.id: ref for ref in refs}
        else:
            options = tuple(dict.fromkeys((*old_ids, *legal)))
        shown = tuple(shown_ref(game, Ref(id)) for id in options)
        game, answer = take_answer(game, Question("targets", player, who_asks, shown, len(refs), len(refs)))
        by_name = dict(zip(shown, options, strict=True))
        now = tuple(kept.get(by_name[str(name)]) or resolve_target(game, str(name)) for name in answer)
        chosen.append(now)
    divide = item.divide
    if (instruction := division_of(game, item)) is not None:
        olds = divided_among(instruction, item.specs, item.targets)
        news = divided_among(instruction, item.specs, tuple(chosen))
        moved = {old.id: new.id for old, new in zip(olds, news, strict=True)}
        divide = tuple(Share(moved[share.to], share.n) for share in divide)
    return with_item(game, replace(item, targets=tuple(chosen), divide=divide))

"""The context of a resolving spell or ability: whose it is, and what its words refer to."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.game import (
    Game,
    Ref,
    StackItem,
    last_board,
    players_in_order,
)
from reference_engine.game.recall import asking_about, still_there
from reference_engine.game.stack import (
    name_of,
)
from reference_engine.language.cards import (
    All,
    Attached,
    ChosenNumber,
    Comparison,
    Everyone,
    If,
    Instruction,
    It,
    Opponents,
    Others,
    Quantity,
    Selector,
    The,
    This,
)
from reference_engine.language.words import (
    CHOSEN_COLOR,
    CHOSEN_TYPE,
)
from reference_engine.layers.asking import (
    Asking,
    amount,
    choices_offered,
    holds,
    host_of,
    is_player,
    is_undefined,
    selection,
)
from reference_engine.layers.effects import mentions_it

_T = TypeVar("_T")

SEVERAL = (All, Everyone, Opponents, Others)
"""Selectors that mean several objects or players one by one."""


class Scene(Struct, frozen=True):
    """A resolving spell or ability, with what its words refer to at this point."""

    item: StackItem
    this: Ref
    you: str
    it: Ref | None = None
    names: tuple[tuple[str, tuple[Ref, ...]], ...] = ()
    colors: tuple[str, ...] | None = None
    type: str | None = None
    number: int | None = None
    produces: str | None = None
    """The mana that a mana ability makes, as chosen by the script."""
    optional: bool = False
    """Whether its player has chosen to do what follows."""
    did: bool = True
    """Whether the previous instruction was carried out (CR 603.12: "when you do")."""

    def named(self, name: str, refs: tuple[Ref, ...]) -> Scene:
        """The scene in which a name refers to these."""
        return replace(self, names=(*((n, r) for n, r in self.names if n != name), (name, refs)))


def asking_in(game: Game, scene: Scene) -> Asking:
    """A context for questions of the resolving spell or ability."""
    item = scene.item
    return asking_about(
        game,
        scene.this,
        scene.you,
        scene.it,
        dict(scene.names),
        item.x,
        item.was,
        item.that_much,
        item.slot,
    )


def askers(game: Game, scene: Scene) -> tuple[str, ...]:
    """The words by which a script can answer questions asked here."""
    return (name_of(game, scene.item), scene.this.id)


def affected_refs(game: Game, scene: Scene, selector: Selector) -> tuple[Ref, ...]:
    """The affected objects and players that are still there.

    CR 608.2b: illegal targets aren't affected. CR 400.7, 608.2h: nor are objects that are no longer the same.
    """
    return still_there(game, refs_meant(game, scene, selector))


def refs_meant(game: Game, scene: Scene, selector: Selector) -> tuple[Ref, ...]:
    """The objects and players that a selector means, whether or not they are still there."""
    match selector:
        case This():
            return (scene.this,)
        case It():
            return () if scene.it is None else (scene.it,)
        case The(name):
            return dict(scene.names).get(name, ())
        case Attached():
            # CR 608.2h, 400.7: what it last was attached to, as long as that is the same object.
            board = last_board(game, scene.this)
            host = host_of(scene.this.id, board)
            if host is None:
                return ()
            return (Ref(host, board.things[host].born if host in board.things else 0),)
        case _:
            return tuple(game.ref(id) for id in selection(selector, asking_in(game, scene)))


def speaking_of(game: Game, scene: Scene, affected: Selector, one: str) -> Asking:
    """A context for questions about one of the things affected.

    "It" is the object that a trigger saw. If several things are affected at once ("each creature"), or no
    trigger saw an object, "it" is the thing affected.
    """
    question = asking_in(game, scene)
    return question if scene.it is not None and not isinstance(affected, SEVERAL) else question.about(one)


def amount_for(game: Game, scene: Scene, quantity: Quantity, one: str) -> int:
    """A quantity as it is for one of those that an instruction affects: if no trigger saw an object, that one
    is "it".
    """
    question = asking_in(game, scene)
    return amount(quantity, question.about(one) if scene.it is None else question)


def people(game: Game, scene: Scene, selector: Selector) -> tuple[str, ...]:
    """The players that a selector means, in APNAP order."""
    meant = {ref.id for ref in affected_refs(game, scene, selector)}
    return tuple(player for player in players_in_order(game) if player in meant)


def people_who_left(game: Game, scene: Scene, selector: Selector) -> tuple[str, ...]:
    """The players meant by a selector who have left the game."""
    return tuple(ref.id for ref in refs_meant(game, scene, selector) if ref.id in game.lost)


def on_battlefield(game: Game, refs: tuple[Ref, ...]) -> tuple[str, ...]:
    """The permanents among these objects."""
    things = game.board.things
    return tuple(ref.id for ref in refs if ref.id in things and things[ref.id].zone == "battlefield")


def source_of(game: Game, scene: Scene, by: Selector) -> tuple[Ref, ...]:
    """The objects that deal the damage, as they are or last were (CR 113.7a: even if gone)."""
    match by:
        case This():
            return (Ref(scene.this.id, scene.this.born),)
        case It():
            return () if scene.it is None else (Ref(scene.it.id, scene.it.born),)
        case The(name):
            refs = dict(scene.names).get(name, ())
        case _:
            refs = tuple(game.ref(id) for id in selection(by, asking_in(game, scene)))
    return tuple(Ref(ref.id, ref.born) for ref in refs if not is_player(game.board, ref.id))


def with_comparisons_settled(value: _T, asking: Asking) -> _T:
    """A piece of a card in which things are compared with numbers, except with what depends on "it".

    CR 608.2h: what the number is, is determined only once.
    """
    if isinstance(value, Comparison) and not mentions_it(value):
        return replace(value, n=amount(value.n, asking))
    if isinstance(value, tuple):
        return tuple(with_comparisons_settled(one, asking) for one in value)  # type: ignore[return-value]  # the same shape
    if isinstance(value, Struct):
        fields = {
            name: with_comparisons_settled(getattr(value, name), asking) for name in value.__struct_fields__
        }
        return replace(value, **fields)
    return value


# ------------------------------------------------------------------------------- chosen words


def with_words(instruction: _T, scene: Scene) -> _T:
    """An instruction with "chosen color", "chosen type" and "chosen number" replaced by the choices just
    made.
    """
    if scene.colors is None and scene.type is None and scene.number is None:
        return instruction
    return with_choices(instruction, scene)


def with_choices(value: _T, scene: Scene) -> _T:
    """Any piece of a card with the choices filled in."""
    if isinstance(value, frozenset):
        words: set[object] = {with_choices(member, scene) for member in value}
        if CHOSEN_COLOR in words and scene.colors is not None:
            words = (words - {CHOSEN_COLOR}) | set(scene.colors)
        return frozenset(words)  # type: ignore[return-value]  # the same kind of set
    if isinstance(value, tuple):
        return tuple(with_choices(member, scene) for member in value)  # type: ignore[return-value]  # the same shape
    if isinstance(value, ChosenNumber) and scene.number is not None:
        return scene.number  # type: ignore[return-value]  # a quantity for a quantity
    if isinstance(value, Struct):
        if own := choices_offered(value):
            scene = without_choices(scene, own)
        fields = {name: with_choices(getattr(value, name), scene) for name in value.__struct_fields__}
        return replace(value, **fields)
    if value == CHOSEN_TYPE and scene.type is not None:
        return scene.type  # type: ignore[return-value]  # a word for a word
    return value


def without_choices(scene: Scene, kinds: frozenset[str]) -> Scene:
    """The scene as far as it concerns what offers such choices itself (CR 607.1)."""
    return replace(
        scene,
        colors=None if "color" in kinds else scene.colors,
        type=None if "type" in kinds else scene.type,
        number=None if "number" in kinds else scene.number,
    )


def branch_taken(instruction: If, asking: Asking) -> tuple[Instruction, ...]:
    """What a condition leaves to be done (CR 607.5a: nothing if it is undefined, not even "otherwise")."""
    if is_undefined(instruction.cond, asking):
        return ()
    return instruction.effect if holds(instruction.cond, asking) else instruction.otherwise

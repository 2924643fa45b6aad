"""Objects that change their types while they are attached to something (CR 702.103: bestow; 702.151:
reconfigure).
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from reference_engine.game.game import Game, controller_of
from reference_engine.language.cards import Filter, Gain, Keyword, LoseTypes, Operation, SetTypes
from reference_engine.language.keywords import CREATURE_TYPE
from reference_engine.layers.board import Board, Lasting, SettledPart

BESTOWED: tuple[Operation, ...] = (
    SetTypes(frozenset({"Enchantment"}), frozenset({"Aura"})),
    Gain((Keyword("enchant", what=Filter(type=CREATURE_TYPE)),)),
)
"""What a bestowed object becomes (CR 702.103b: an Aura enchantment with enchant creature)."""


def bestowed(id: str, player: str, now: int) -> Lasting:
    """The effect that makes a spell, and the permanent that it becomes, an Aura.

    CR 702.103b: it lasts until the object ceases to be bestowed.
    """
    part = SettledPart(frozenset({id}), BESTOWED)
    return Lasting(bestowal(id), id, player, now, (part,), while_attached=id)


def bestowal(id: str) -> str:
    """The id of the effect that makes an object a bestowed Aura."""
    return f"{id} bestowed"


def is_bestowed(board: Board, id: str) -> bool:
    """Whether a spell or permanent is a bestowed Aura."""
    return any(effect.id == bestowal(id) for effect in board.effects)


def effects_after_unattaching(effects: tuple[Lasting, ...], ids: Collection[str]) -> tuple[Lasting, ...]:
    """The effects that remain when some objects are attached to nothing any more.

    CR 702.103f, 702.103g: a bestowed Aura that becomes unattached, or phases in unattached, ceases to be
    bestowed.
    """
    return tuple(effect for effect in effects if effect.while_attached not in ids)


def after_attaching(game: Game, id: str) -> Game:
    """The game after something became attached to a permanent or player.

    CR 702.151b: an Equipment with reconfigure stops being a creature until it becomes unattached from that
    creature.
    """
    look, name = game.look(id), f"{id} reconfigured"
    if not look.has_keyword("reconfigure") or not look.has_subtype("Equipment"):
        return game
    part = SettledPart(frozenset({id}), (LoseTypes(CREATURE_TYPE),))
    now = game.board.things[id].timestamp
    begun = Lasting(name, id, controller_of(game, id), now, (part,), while_attached=id)
    others = tuple(effect for effect in game.board.effects if effect.id != name)
    return replace(game, board=replace(game.board, effects=(*others, begun)))


def without_bestowal(game: Game, id: str) -> Game | None:
    """The game in which a bestowed Aura spell has become a creature spell again; `None` if it is none.

    CR 702.103e: its target is illegal as it begins to resolve, so it goes on resolving as a creature spell.
    """
    if not is_bestowed(game.board, id):
        return None
    effects = game.rules.effects_after_unattaching(game.board.effects, {id})
    return replace(game, board=replace(game.board, effects=effects))

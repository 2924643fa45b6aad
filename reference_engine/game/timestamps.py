"""The order of objects that get timestamps at the same time, which their controllers choose (CR 613.7m)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from reference_engine.game.events import Entering, Moved
from reference_engine.game.game import Game, NewTimestamp, Question, players_in_order
from reference_engine.game.happening import has_static_ability
from reference_engine.game.questions import take_answer
from reference_engine.language.cards import Card, Static
from reference_engine.language.characteristics import Characteristics
from reference_engine.layers.board import CopyValues


def in_timestamp_order(game: Game, coming: tuple[Moved, ...]) -> tuple[Game, tuple[Moved, ...]]:
    """Permanents that enter together, in the order of their timestamps."""
    events = {event.id: event for event in coming}
    dated = tuple(
        NewTimestamp(id, entry_of(event).under, card_of(game, event)) for id, event in events.items()
    )
    game, ids = game.rules.timestamp_order(game, dated)
    return game, tuple(events[id] for id in ids)


def entry_of(event: Moved) -> Entering:
    """How a permanent enters."""
    assert event.entering is not None
    return event.entering


def in_order_of_difference(game: Game, settled: list[Moved]) -> tuple[Game, list[Moved]]:
    """Permanents that enter together, after the choices for them: permanents of one card are ordered, too, if
    these make them different.
    """
    if len(settled) < 2:
        return game, settled
    for player in players_in_order(game):
        own = {event.id: event for event in settled if is_entry_under(event, player)}
        if len({card_of(game, event) for event in own.values()}) == 1:
            dated = tuple(
                NewTimestamp(id, player, made_of(event), has_effects(game, event))
                for id, event in own.items()
            )
            game, ids = ordered_by(game, player, dated)
            following = (own[id] for id in ids)
            settled = [next(following) if event.id in own else event for event in settled]
    return game, settled


def is_entry_under(event: Moved, player: str) -> bool:
    """Whether a permanent enters under the control of this player."""
    return event.entering is not None and event.entering.under == player


def card_of(game: Game, event: Moved) -> Card:
    """The card of a permanent that enters, or what its token is."""
    return event.token.card if event.token is not None else game.board.things[event.id].card


def made_of(event: Moved) -> tuple[object, ...]:
    """What choices have made of a permanent that enters: what it copies, and the words chosen for it."""
    copied = (replace(values, text_by=()) for values in copied_by(event))
    return (*copied, replace(entry_of(event).chosen, under_by=()))


def copied_by(event: Moved) -> Iterator[Characteristics]:
    """What a permanent copies as it enters."""
    for effect in entry_of(event).begins:
        for part in effect.parts:
            yield from (one.values for one in part.does if isinstance(one, CopyValues))


def has_effects(game: Game, event: Moved) -> bool:
    """Whether a permanent enters with static abilities of its own or of what it copies."""
    copied = (held.ability for values in copied_by(event) for held in values.abilities)
    return has_static_ability(card_of(game, event)) or any(isinstance(one, Static) for one in copied)


def timestamp_order(game: Game, dated: tuple[NewTimestamp, ...]) -> tuple[Game, tuple[str, ...]]:
    """The objects that get timestamps at the same time, oldest first.

    CR 613.7m: the active player's objects get the oldest timestamps, then those of each other player in turn
    order; each player orders their own.
    """
    ordered: tuple[str, ...] = ()
    for player in players_in_order(game):
        game, own = ordered_by(game, player, tuple(one for one in dated if one.player == player))
        ordered += own
    return game, ordered


def timestamp_order_by_active_player(
    game: Game, dated: tuple[NewTimestamp, ...]
) -> tuple[Game, tuple[str, ...]]:
    """CR 613.7m: (until 2020-04) the active player orders the timestamps of everything that gets them
    together.
    """
    return ordered_by(game, players_in_order(game)[0], dated)


def ordered_by(game: Game, player: str, own: tuple[NewTimestamp, ...]) -> tuple[Game, tuple[str, ...]]:
    """These objects in the order a player chooses; the player is not asked if all are alike."""
    ids = tuple(one.id for one in own if one.matters)
    others = tuple(one.id for one in own if not one.matters)
    if len({one.kind for one in own if one.matters}) < 2:
        return game, ids + others
    game, answer = take_answer(game, Question("timestamps", player, ("timestamps", *ids), ids))
    return game, (*map(str, answer), *others)

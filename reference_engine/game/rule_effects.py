"""The continuous effects that change rules of the game, each with whom it concerns now (CR 613.11: these)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from reference_engine.game.game import Game
from reference_engine.language.cards import Cannot, Condition, MayPlay, Operation
from reference_engine.layers.asking import holds
from reference_engine.layers.evaluation import RuleEffect, Seen, affected_by_rule

Kind = TypeVar("Kind", bound=Operation)
Found = tuple[Kind, tuple[str, ...], RuleEffect]
Permission = tuple[MayPlay, RuleEffect]
"""What lets a player play a card from where it is, and whose effect that is."""


def on_rules(game: Game, kind: type[Kind]) -> Iterator[tuple[Kind, tuple[str, ...], RuleEffect]]:
    """The effects of one kind: what each does, the objects or players it concerns, and the effect itself."""
    if kind in game.mentions:
        yield from seen_on_rules(game.seen, kind)


def seen_on_rules(seen: Seen, kind: type[Kind]) -> Iterator[tuple[Kind, tuple[str, ...], RuleEffect]]:
    """The same, as things looked at some moment."""
    for effect in seen.rules_effects:
        if isinstance(effect.operation, kind):
            yield effect.operation, affected_by_rule(effect, seen), effect


def forbidding(game: Game, deed: str) -> Iterator[tuple[Cannot, tuple[str, ...], RuleEffect]]:
    """The effects that say that something can't do this, or have it done to it (CR 101.2: "can't" wins)."""
    for operation, affected, effect in on_rules(game, Cannot):
        if deed in operation.do:
            yield operation, affected, effect


def excepted(game: Game, unless: Condition, effect: RuleEffect, id: str) -> bool:
    """Whether what an effect forbids is allowed all the same to this one ("it"), because its "unless"
    holds.
    """
    return holds(unless, game.seen.asking(effect.effect.source, effect.you).about(id))


def is_forbidden(game: Game, deed: str, id: str) -> bool:
    """Whether an effect says without more that this object or player can't do it, or have it done to it."""
    return any(id in affected for _, affected, _ in forbidding(game, deed))

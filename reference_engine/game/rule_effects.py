"""Continuous effects that change the rules of the game, each with the objects or players it affects now
(CR 613.11: effects on rules).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

from reference_engine.game.game import Game, Ref
from reference_engine.language.cards import Cannot, Condition, MayPlay, Operation
from reference_engine.layers.asking import holds
from reference_engine.layers.evaluation import Evaluation, RuleEffect

_Kind = TypeVar("_Kind", bound=Operation)
Permission = tuple[MayPlay, RuleEffect]
"""An effect that lets a player play a card from its zone, and the effect's source and controller."""


def on_rules(game: Game, kind: type[_Kind]) -> Iterable[tuple[_Kind, tuple[str, ...], RuleEffect]]:
    """The effects of one kind: the operation, the objects or players it affects, and the effect itself."""
    return rule_effects_in(game.seen, kind) if kind in game.mentions else ()


def rule_effects_in(
    seen: Evaluation, kind: type[_Kind]
) -> Iterator[tuple[_Kind, tuple[str, ...], RuleEffect]]:
    """Like `on_rules`, for how things looked at a given moment."""
    for effect in seen.rules_effects:
        if isinstance(effect.operation, kind):
            yield effect.operation, seen.affected_by_rule(effect), effect


def forbidding(game: Game, deed: str) -> Iterable[tuple[Cannot, tuple[str, ...], RuleEffect]]:
    """The effects that forbid doing this, or having it done (CR 101.2: "can't" wins)."""
    if Cannot not in game.mentions:
        return ()
    return [forbids for forbids in rule_effects_in(game.seen, Cannot) if deed in forbids[0].do]


def source_of_effect(game: Game, effect: RuleEffect) -> Ref:
    """The object that an effect comes from, which may be gone if a resolution began it (CR 400.7)."""
    source, born = effect.effect.source, effect.effect.born
    return Ref(source, *born) if born else game.ref(source)


def is_excepted(game: Game, unless: Condition, effect: RuleEffect, id: str) -> bool:
    """Whether a forbidden action is allowed for this object or player ("it"), because the effect's
    "unless" holds.
    """
    return holds(unless, game.seen.asking_of(effect).about(id))


def is_forbidden(game: Game, deed: str, id: str) -> bool:
    """Whether an effect says that this object or player can't do it, or have it done to it."""
    return id in all_forbidden(game, deed, (id,))


def all_forbidden(game: Game, deed: str, ids: Collection[str]) -> frozenset[str]:
    """Those of these objects and players of which an effect says that they can't do it."""
    return frozenset(
        id
        for operation, affected, effect in forbidding(game, deed)
        for id in set(affected).intersection(ids)
        if operation.unless is None or not is_excepted(game, operation.unless, effect, id)
    )

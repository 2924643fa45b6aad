"""Mutants: the reference engine with exactly one rule broken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from msgspec import Struct

from reference_engine.game import triggers
from reference_engine.game.game import Game, WaitingTrigger
from reference_engine.game.game_rules import CR
from reference_engine.game.occurrences import Occurring
from reference_engine.language.cards import TriggerEvent
from reference_engine.language.characteristics import HeldAbility
from reference_engine.layers.rules import Rules


class Mutant(Struct, frozen=True):
    """A broken engine: the rule it breaks, a plausible story of the mistake, and its rules."""

    name: str
    breaks: str
    story: str
    rules: Rules


def mutant(name: str, breaks: str, story: str, **decisions: Any) -> Mutant:
    """The broken engine that makes these decisions differently."""
    return Mutant(name, breaks, story, replace(CR, **decisions))


class Heard(NamedTuple):
    """What `triggering` is asked about: an ability and something that happens."""

    before: Game
    after: Game
    game: Game
    event: Occurring
    id: str
    held: HeldAbility
    when: TriggerEvent


def hearing(change: Callable[[Heard], Heard | None]) -> Any:
    """`triggering`, asked about something else, or not asked."""

    def triggering(*asked: Any) -> WaitingTrigger | None:
        heard = change(Heard(*asked))
        return None if heard is None else triggers.triggering(*heard)

    return triggering

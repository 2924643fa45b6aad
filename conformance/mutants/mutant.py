"""Mutants: the reference engine with exactly one rule broken."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msgspec import Struct

from reference_engine.game.game_rules import CR
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

"""Broken engines, one rule each, that prove the suite would notice: `layers`, `game`, `zones` and `turn` have
them.

Every mutant is listed here by hand.
"""

from __future__ import annotations

from conformance.mutants.game import GAME
from conformance.mutants.layers import LAYERS
from conformance.mutants.mutant import Mutant
from conformance.mutants.turn import TURN
from conformance.mutants.zones import ZONES

MUTANTS: tuple[Mutant, ...] = LAYERS + GAME + TURN + ZONES

__all__ = ["MUTANTS", "Mutant"]

"""Broken engines, one rule each, that prove the suite would notice: `layers` and `game` have them.

Every mutant is listed here by hand.
"""

from __future__ import annotations

from conformance.mutants.game import GAME
from conformance.mutants.layers import LAYERS
from conformance.mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = LAYERS + GAME

__all__ = ["MUTANTS", "Mutant"]

"""Broken engines, one rule each, that prove the suite would notice: `layers` has those of the layers.

Every mutant is listed here by hand.
"""

from __future__ import annotations

from conformance.mutants.layers import LAYERS
from conformance.mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = LAYERS

__all__ = ["MUTANTS", "Mutant"]

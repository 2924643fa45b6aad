"""Broken engines, one rule each, that prove the suite would notice.

`layers` has those of the layers; those of the game are in `priority`, `casting`, `triggers`, `state_based`,
`turn` and `zones`. All mutants are listed by hand.
"""

from __future__ import annotations

from conformance.mutants.casting import CASTING
from conformance.mutants.layers import LAYERS
from conformance.mutants.mutant import Mutant
from conformance.mutants.priority import PRIORITY
from conformance.mutants.state_based import STATE_BASED
from conformance.mutants.triggers import TRIGGERS
from conformance.mutants.turn import TURN
from conformance.mutants.zones import ZONES

MUTANTS: tuple[Mutant, ...] = LAYERS + PRIORITY + CASTING + TRIGGERS + STATE_BASED + TURN + ZONES

__all__ = ["MUTANTS", "Mutant"]

"""Broken engines, one rule each, that prove the suite would notice. Imports the wording and the reference
engine.

`layers` has those of the layers; those of the game are in `priority`, `casting`, `triggers`, `history`,
`lapsing`, `state_based`, `sagas`, `classes`, `faces`, `rooms`, `turn`, `phasing`, `actions`,
`manifesting`, `designations`, `daytime`, `controlling`, `amounts`, `zones`, `keywords`,
`keyword_triggers`, `keyword_words` and `seldom`.
All mutants are listed by hand.
"""

from __future__ import annotations

from conformance.mutants.actions import ACTION_MUTANTS
from conformance.mutants.amounts import AMOUNT_MUTANTS
from conformance.mutants.casting import CASTING
from conformance.mutants.classes import CLASS_MUTANTS
from conformance.mutants.controlling import CONTROLLING_MUTANTS
from conformance.mutants.daytime import DAYTIME_MUTANTS
from conformance.mutants.designations import DESIGNATION_MUTANTS
from conformance.mutants.faces import FACES
from conformance.mutants.history import HISTORY_MUTANTS
from conformance.mutants.keyword_triggers import KEYWORD_TRIGGERS
from conformance.mutants.keyword_words import KEYWORD_WORDS
from conformance.mutants.keywords import BROKEN_KEYWORDS
from conformance.mutants.lapsing import LAPSING_MUTANTS
from conformance.mutants.layers import LAYERS
from conformance.mutants.manifesting import MANIFESTING_MUTANTS
from conformance.mutants.mutant import Mutant
from conformance.mutants.phasing import PHASING_MUTANTS
from conformance.mutants.priority import PRIORITY
from conformance.mutants.rooms import ROOM_MUTANTS
from conformance.mutants.sagas import SAGAS
from conformance.mutants.seldom import SELDOM_MUTANTS
from conformance.mutants.state_based import STATE_BASED
from conformance.mutants.triggers import TRIGGERS
from conformance.mutants.turn import TURN
from conformance.mutants.zones import ZONES

MUTANTS: tuple[Mutant, ...] = (
    *LAYERS,
    *PRIORITY,
    *CASTING,
    *TRIGGERS,
    *HISTORY_MUTANTS,
    *LAPSING_MUTANTS,
    *STATE_BASED,
    *SAGAS,
    *CLASS_MUTANTS,
    *FACES,
    *ROOM_MUTANTS,
    *TURN,
    *PHASING_MUTANTS,
    *ACTION_MUTANTS,
    *MANIFESTING_MUTANTS,
    *DESIGNATION_MUTANTS,
    *DAYTIME_MUTANTS,
    *AMOUNT_MUTANTS,
    *CONTROLLING_MUTANTS,
    *ZONES,
    *BROKEN_KEYWORDS,
    *KEYWORD_TRIGGERS,
    *KEYWORD_WORDS,
    *SELDOM_MUTANTS,
)

__all__ = ["MUTANTS", "Mutant"]

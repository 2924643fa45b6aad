"""The laws of the suite.

`law` says what a property is. The modules whose names begin with `layers` have the laws of the layers,
`boards` has those of any board, and the modules whose names begin with `games` have those of the game.

Every property is listed here by hand; one that is not in `PROPERTIES` does not exist.
"""

from __future__ import annotations

from typing import Any

from conformance.properties.boards import BOARDS
from conformance.properties.games import GAMES
from conformance.properties.games_agreement import AGREEMENT
from conformance.properties.games_allowed import ALLOWED
from conformance.properties.games_casting import CASTING
from conformance.properties.games_changed import CHANGED
from conformance.properties.games_combat import COMBAT
from conformance.properties.games_costs import COSTS
from conformance.properties.games_effects import EFFECTS
from conformance.properties.games_priority import PRIORITY
from conformance.properties.games_resolving import RESOLVING
from conformance.properties.games_returning import RETURNING
from conformance.properties.games_state import STATE
from conformance.properties.games_triggers import TRIGGERS
from conformance.properties.games_turn import TURN
from conformance.properties.law import Broken, Property
from conformance.properties.layers_age import AGE
from conformance.properties.layers_asking import ASKING
from conformance.properties.layers_copies import COPIES
from conformance.properties.layers_defining import DEFINING
from conformance.properties.layers_dependency import DEPENDENCY
from conformance.properties.layers_going_on import GOING_ON
from conformance.properties.layers_operations import OPERATIONS
from conformance.properties.layers_order import ORDER

LAYERS: tuple[Property[Any], ...] = (
    *ORDER,
    *AGE,
    *DEFINING,
    *DEPENDENCY,
    *GOING_ON,
    *ASKING,
    *OPERATIONS,
    *COPIES,
)
PROPERTIES: tuple[Property[Any], ...] = (
    *LAYERS,
    *BOARDS,
    *PRIORITY,
    *ALLOWED,
    *CASTING,
    *COSTS,
    *TRIGGERS,
    *STATE,
    *RETURNING,
    *TURN,
    *COMBAT,
    *EFFECTS,
    *RESOLVING,
    *GAMES,
    *CHANGED,
    *AGREEMENT,
)

__all__ = ["LAYERS", "PROPERTIES", "Broken", "Property"]

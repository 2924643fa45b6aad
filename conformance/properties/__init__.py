"""The laws of the suite. Imports the data and the strategies.

`law` says what a property is. The modules whose names begin with `layers` have the laws of the layers,
`boards` has those of any board, and the modules whose names begin with `games` have those of the game.

Every property is listed here by hand; one that is not in `PROPERTIES` does not exist.
"""

from __future__ import annotations

from typing import Any

from conformance.properties.boards import BOARDS
from conformance.properties.games import GAMES
from conformance.properties.games_actions import KEYWORD_ACTIONS
from conformance.properties.games_affected import WHOM_RULES_AFFECT
from conformance.properties.games_agreement import AGREEMENT
from conformance.properties.games_allowed import ALLOWED
from conformance.properties.games_amounts import AMOUNT_LAWS
from conformance.properties.games_blocking import BLOCKING
from conformance.properties.games_cast_while_resolving import CAST_WHILE_RESOLVING
from conformance.properties.games_casting import CASTING
from conformance.properties.games_changed import CHANGED
from conformance.properties.games_classes import CLASS_LEVELS
from conformance.properties.games_combat import COMBAT
from conformance.properties.games_controlling import CONTROL_OF_PLAYERS
from conformance.properties.games_costs import COSTS
from conformance.properties.games_daytime import DAY_AND_NIGHT
from conformance.properties.games_designations import DESIGNATED_PLAYERS
from conformance.properties.games_effects import EFFECTS
from conformance.properties.games_faces import FACES
from conformance.properties.games_history import HISTORY
from conformance.properties.games_keyword_gains import KEYWORD_GAINS
from conformance.properties.games_keyword_spells import KEYWORDS_OF_SPELLS
from conformance.properties.games_keyword_states import KEYWORD_STATES
from conformance.properties.games_keywords import KEYWORD_ABILITIES
from conformance.properties.games_lapsing import LAPSING_EFFECTS
from conformance.properties.games_library import TOP_OF_LIBRARY
from conformance.properties.games_manifesting import MANIFESTING
from conformance.properties.games_phases import ADDED_AND_SKIPPED
from conformance.properties.games_phasing import PHASING
from conformance.properties.games_priority import PRIORITY
from conformance.properties.games_replacing import REPLACING
from conformance.properties.games_resolving import RESOLVING
from conformance.properties.games_returning import RETURNING
from conformance.properties.games_rooms import ROOMS
from conformance.properties.games_sagas import SAGAS
from conformance.properties.games_seldom import SELDOM
from conformance.properties.games_state import STATE
from conformance.properties.games_triggers import TRIGGERS
from conformance.properties.games_turn import TURN
from conformance.properties.games_varied import VARIED
from conformance.properties.law import Broken, Property
from conformance.properties.layers_age import AGE
from conformance.properties.layers_asking import ASKING
from conformance.properties.layers_copies import COPIES
from conformance.properties.layers_defining import DEFINING
from conformance.properties.layers_dependency import DEPENDENCY
from conformance.properties.layers_going_on import GOING_ON
from conformance.properties.layers_operations import OPERATIONS
from conformance.properties.layers_order import ORDER
from conformance.properties.layers_transitions import TRANSITIONS

LAYERS: tuple[Property[Any], ...] = (
    *ORDER,
    *AGE,
    *DEFINING,
    *DEPENDENCY,
    *GOING_ON,
    *ASKING,
    *OPERATIONS,
    *COPIES,
    *TRANSITIONS,
)
DRAWN_ALONE: tuple[Property[Any], ...] = (
    *LAYERS,
    *BOARDS,
    *PRIORITY,
    *ALLOWED,
    *CASTING,
    *CAST_WHILE_RESOLVING,
    *COSTS,
    *TRIGGERS,
    *HISTORY,
    *LAPSING_EFFECTS,
    *ADDED_AND_SKIPPED,
    *PHASING,
    *TOP_OF_LIBRARY,
    *KEYWORD_ACTIONS,
    *MANIFESTING,
    *DESIGNATED_PLAYERS,
    *DAY_AND_NIGHT,
    *AMOUNT_LAWS,
    *CONTROL_OF_PLAYERS,
    *STATE,
    *SAGAS,
    *CLASS_LEVELS,
    *FACES,
    *ROOMS,
    *RETURNING,
    *TURN,
    *COMBAT,
    *BLOCKING,
    *WHOM_RULES_AFFECT,
    *KEYWORD_ABILITIES,
    *KEYWORD_STATES,
    *KEYWORD_GAINS,
    *KEYWORDS_OF_SPELLS,
    *EFFECTS,
    *RESOLVING,
    *SELDOM,
    *REPLACING,
    *GAMES,
    *CHANGED,
    *AGREEMENT,
)
"""The laws whose cases strategies draw without any fixture."""
PROPERTIES: tuple[Property[Any], ...] = (*DRAWN_ALONE, *VARIED)

__all__ = ["DRAWN_ALONE", "LAYERS", "PROPERTIES", "Broken", "Property"]

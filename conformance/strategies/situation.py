"""An awkward situation that the search must meet often enough; `situations_boards` and `situations_games`
have them.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from conformance.model.scenario import Play


class Situation(Struct, frozen=True):
    """Something that engines get wrong more often than the rest."""

    name: str
    says: str
    """What it is, in a sentence."""
    floor: float
    """In so many of a thousand examples it must arise at least."""
    holds: Callable[[Play], bool]
    """Whether it arises in a scenario."""

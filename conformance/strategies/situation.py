"""Awkward situations that the search must meet often enough.

`situations_boards` and `situations_games` list them.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from conformance.model.scenario import Play


class Situation(Struct, frozen=True):
    """Something that engines get wrong more often than other things."""

    name: str
    says: str
    """A sentence that describes it."""
    floor: float
    """Minimum number of occurrences per thousand examples."""
    holds: Callable[[Play], bool]
    """Whether it occurs in a scenario."""

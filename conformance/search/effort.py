"""How hard a run searches: what each profile does, and what was said instead."""

from __future__ import annotations

from math import inf

from msgspec import Struct
from msgspec.structs import replace


class Effort(Struct, frozen=True):
    """How hard it is searched."""

    seed: int
    examples: int
    """Of each property."""
    seconds: float
    """For all of them together."""
    shrinking: float
    """For each find."""


EFFORTS = {
    "quick": Effort(seed=0, examples=20, seconds=25.0, shrinking=5.0),
    "deep": Effort(seed=0, examples=4000, seconds=inf, shrinking=60.0),
}
"""How hard each profile searches that does, unless something else is said."""


class Asking(Struct, frozen=True):
    """What was said of the search."""

    seed: int | None = None
    examples: int | None = None
    seconds: float | None = None

    def over(self, usual: Effort) -> Effort:
        """This, and where nothing was said, what is usual."""
        said = {key: getattr(self, key) for key in self.__struct_fields__ if getattr(self, key) is not None}
        return replace(usual, **said)


USUAL = Asking()

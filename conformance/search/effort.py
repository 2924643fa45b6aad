"""Search effort: the default of each profile, and what the options say instead."""

from __future__ import annotations

from math import inf

from msgspec import Struct
from msgspec.structs import replace


class Effort(Struct, frozen=True):
    """How long and how far a run searches."""

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
"""Default search effort of each profile that searches."""


class Asking(Struct, frozen=True):
    """What the options say about the search; none where they say nothing."""

    seed: int | None = None
    examples: int | None = None
    seconds: float | None = None

    def over(self, usual: Effort) -> Effort:
        """The effort, with the default where the options say nothing."""
        said = {key: getattr(self, key) for key in self.__struct_fields__ if getattr(self, key) is not None}
        return replace(usual, **said)


USUAL = Asking()

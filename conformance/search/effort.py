"""Search effort: the default of each profile, and the options that override it."""

from __future__ import annotations

from math import inf

from msgspec import Struct
from msgspec.structs import replace


class Effort(Struct, frozen=True):
    """How long and how far a run searches."""

    seed: int
    examples: int
    """Per property."""
    seconds: float
    """For all properties together."""
    shrinking: float
    """Per counterexample."""


EFFORTS = {
    "quick": Effort(seed=0, examples=20, seconds=12.0, shrinking=5.0),
    "deep": Effort(seed=0, examples=4000, seconds=inf, shrinking=60.0),
}
"""Default search effort of each profile that searches."""


class SearchOptions(Struct, frozen=True):
    """The options about the search; None where an option is not given."""

    seed: int | None = None
    examples: int | None = None
    seconds: float | None = None

    def with_defaults(self, usual: Effort) -> Effort:
        """The effort with these options, and the defaults for the others."""
        said = {key: getattr(self, key) for key in self.__struct_fields__ if getattr(self, key) is not None}
        return replace(usual, **said)


USUAL_SEARCH = SearchOptions()

"""What an engine can be given, and so what a strategy may draw for it."""

from __future__ import annotations

from msgspec import Struct

from conformance.model.engine import CardsTaken, EngineInfo
from conformance.model.features import FEATURES
from reference_engine.language.cards import Card


class Means(Struct, frozen=True):
    """What an engine can be given: strategies draw only that, rather than drawing more and leaving it out."""

    takes: frozenset[CardsTaken] = frozenset({"defined"})
    lacks: frozenset[str] = frozenset()
    """Features that it lacks, as it says itself or as was seen."""
    real: tuple[Card, ...] = ()
    """Real cards that it may be given, by name."""

    def __repr__(self) -> str:
        """Short: Hypothesis prints what a failing strategy was given, and the real cards are hundreds."""
        takes, lacks = sorted(self.takes), sorted(self.lacks)
        return f"Means(takes={takes}, lacks={lacks}, {len(self.real)} real cards)"

    @property
    def invented(self) -> bool:
        """Whether it can be given cards that nobody printed."""
        return bool(self.takes & {"defined", "text"})

    def allow(self, *features: str) -> bool:
        """Whether it has all of these features."""
        assert set(features) <= set(FEATURES), features
        return not self.lacks & set(features)


EVERYTHING = Means()
"""What an engine can be given that lacks nothing and takes definitions, such as the reference engine."""


def means_of(info: EngineInfo, real: tuple[Card, ...] = ()) -> Means:
    """What an engine says of itself, and the real cards that it knows."""
    return Means(info.takes, info.lacks, real)

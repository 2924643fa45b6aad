"""What an engine supports, and so what strategies may draw for it."""

from __future__ import annotations

from msgspec import Struct

from conformance.model.engine import CardsTaken, EngineInfo
from conformance.model.features import FEATURES
from reference_engine.language.cards import Card


class Means(Struct, frozen=True, cache_hash=True):
    """What an engine supports: strategies draw only that, instead of filtering afterwards."""

    takes: frozenset[CardsTaken] = frozenset({"defined"})
    lacks: frozenset[str] = frozenset()
    """Features that it lacks, by its own account or as observed."""
    real: tuple[Card, ...] = ()
    """Real cards that it accepts by name."""

    def __repr__(self) -> str:
        """Short, because Hypothesis prints the arguments of a failing strategy, and the cards are many."""
        takes, lacks = sorted(self.takes), sorted(self.lacks)
        return f"Means(takes={takes}, lacks={lacks}, {len(self.real)} real cards)"

    @property
    def invented(self) -> bool:
        """Whether it accepts invented cards."""
        return bool(self.takes & {"defined", "text"})

    def allow(self, *features: str) -> bool:
        """Whether it has all of these features."""
        assert set(features) <= set(FEATURES), features
        return not self.lacks & set(features)


EVERYTHING = Means()
"""An engine that lacks nothing and accepts definitions, such as the reference engine."""


def means_of(info: EngineInfo, real: tuple[Card, ...] = ()) -> Means:
    """What an engine supports by its own description, with the real cards that it knows."""
    return Means(info.takes, info.lacks, real)

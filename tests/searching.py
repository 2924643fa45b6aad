"""The first counterexample that a search finds, for tests that want one."""

from __future__ import annotations

from typing import Any

from conformance.properties import Property
from conformance.properties.law import PlayFunction
from conformance.search.search import Find, search
from conformance.strategies.means import Means


def first_counterexample(
    play: PlayFunction, law: Property[Any], means: Means, *, seed: int, examples: int
) -> Find | None:
    """The first case in which an engine breaks a law, shrunk; None if there is none among `examples`."""
    found = search(play, law, means, seed=seed, examples=examples, most=1)
    return found.finds[0] if found.finds else None

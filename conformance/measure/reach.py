"""How often the awkward situations occur in what the properties draw, and how often they must.

A law that never meets a loop says nothing about loops. An example is all the plays that a property makes of
one case; a situation occurs in it if it occurs in any of them.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from msgspec import Struct

from conformance.files.canonical import encode
from conformance.model.engine import CannotPlay
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play
from conformance.properties.law import Broken, PlayFunction, Property
from conformance.properties.tale import Claim
from conformance.strategies.means import EVERYTHING, Means
from conformance.strategies.situation import Situation


class Reached(Struct, frozen=True):
    """How often a situation occurred, per thousand examples."""

    situation: Situation
    per_thousand: float

    @property
    def enough(self) -> bool:
        """Whether it occurred often enough."""
        return self.per_thousand >= self.situation.floor


def reached(
    situations: Sequence[Situation],
    properties: Sequence[Property[Any]],
    play: PlayFunction,
    *,
    examples: int,
    seed: int = 0,
    means: Means = EVERYTHING,
    told: Callable[[Property[Any]], None] = lambda law: None,
) -> Iterator[Reached]:
    """How often each situation occurs when each property draws this many examples."""
    found: Counter[str] = Counter()
    drawn = 0
    for law in properties:
        told(law)
        for plays in examples_of(law, play, examples, seed, means):
            drawn += 1
            found.update(one.name for one in situations if any(map(one.holds, plays)))
    for situation in situations:
        yield Reached(situation, 1000 * found[situation.name] / max(1, drawn))


def examples_of(
    law: Property[Any],
    play: PlayFunction,
    many: int,
    first: int = 0,
    means: Means = EVERYTHING,
    strict: bool = False,
) -> list[tuple[Play, ...]]:
    """The plays of each of `many` examples of a property; if `strict`, the property must hold."""
    return [plays for _, plays in cases_of(law, play, many, first, means, strict)]


def worth_reading(law: Property[Any], play: PlayFunction, many: int = 12) -> Fixture:
    """An example of a property: of a few that show something the smallest, with what is to be seen if the
    law is a claim. Of several plays that the law compares it is the largest.
    """
    drawn = [(max(plays, key=size), len(plays), case) for case, plays in cases_of(law, play, many) if plays]
    largest, of, case = min(drawn, key=lambda one: size(one[0]))
    expect = case.expect if isinstance(case, Claim) else ()
    note = f"One of the {of} scenarios that the law compares in this case." if of > 1 else ""
    return Fixture("An example", "An example", law.rules, largest, expect, note=note)


def size(play: Play) -> int:
    """How much there is to read."""
    return len(encode(play))


def cases_of(
    law: Property[Any],
    play: PlayFunction,
    many: int,
    first: int = 0,
    means: Means = EVERYTHING,
    strict: bool = False,
) -> list[tuple[Any, tuple[Play, ...]]]:
    """Each of `many` cases of a property and what the property plays in it."""
    drawn: list[tuple[Any, tuple[Play, ...]]] = []

    @seed(first)
    @settings(
        max_examples=many,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),  # slow or rarely drawn cases are counted, not refused
    )
    @given(law.cases(means))
    def draw(case: Any) -> None:
        plays: list[Play] = []

        def recording(scenario: Play) -> Observations:
            plays.append(scenario)
            return play(scenario)

        with contextlib.suppress(*(() if strict else (Broken, CannotPlay, ScenarioError))):
            law(recording, case)
        drawn.append((case, tuple(plays)))

    draw()
    return drawn

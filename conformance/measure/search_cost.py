"""What the search costs: drawing a case against drawing, playing and judging it; and draws that are lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import process_time
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import DataObject
from msgspec import Struct

from conformance.properties.law import Player, Property
from conformance.strategies.means import EVERYTHING


class Cost(Struct, frozen=True):
    """What so many cases of some properties cost, in seconds of the processor."""

    name: str
    cases: int
    drawing: float
    """Drawing alone."""
    whole: float
    """Drawing the same cases, playing and judging them."""
    lost: float
    """The share of draws that came to nothing."""

    @property
    def ratio(self) -> float:
        """How much dearer a judged case is than a drawn one."""
        return self.whole / self.drawing


def costs(properties: Sequence[Property[Any]], play: Player, examples: int) -> Iterator[Cost]:
    """The cost of each property's cases, and last that of all together."""
    every: list[Cost] = []
    for law in properties:
        cases, drawing, lost = drawn(law, examples, lambda case: None)
        _, whole, _ = drawn(law, examples, partial(law, play))
        every.append(Cost(law.name, cases, drawing, whole, lost))
        yield every[-1]
    cases = sum(one.cases for one in every)
    yield Cost(
        "all together",
        cases,
        sum(one.drawing for one in every),
        sum(one.whole for one in every),
        sum(one.lost * one.cases for one in every) / max(1, cases),
    )


def drawn(law: Property[Any], examples: int, judged: Callable[[Any], None]) -> tuple[int, float, float]:
    """How many cases were drawn and judged, in how many seconds, and the share of draws that were lost."""
    begun = done = 0

    @seed(0)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),  # what drawing costs and loses is what is measured
    )
    @given(st.data())
    def one(data: DataObject) -> None:
        nonlocal begun, done
        begun += 1
        case = data.draw(cases)
        done += 1
        judged(case)

    cases = law.cases(EVERYTHING)
    begin = process_time()
    one()
    return done, process_time() - begin, 1 - done / max(1, begun)


def line(cost: Cost) -> str:
    """A property's cost, for a person."""
    each = 1000 * cost.whole / max(1, cost.cases)
    costs = f"{cost.ratio:6.2f} times drawing alone, {each:7.2f} ms a case"
    return f"{costs}, {cost.lost:5.1%} of draws lost  {cost.name}"

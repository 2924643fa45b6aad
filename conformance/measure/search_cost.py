"""The cost of the search: drawing cases, compared with drawing, playing and judging them; and lost draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from time import process_time
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import StopTest
from hypothesis.internal.conjecture.data import Status
from hypothesis.strategies import DataObject
from msgspec import Struct

from conformance.data.garbage import garbage_kept_longer
from conformance.model.engine import CannotPlay
from conformance.properties.law import PlayFunction, Property
from conformance.strategies.draws import constants_left_out
from conformance.strategies.means import EVERYTHING

WARMING_UP = 2
"""The number of cases that are judged before the measured ones."""


class SearchCost(Struct, frozen=True):
    """The cost of some cases of a property, in seconds of processor time."""

    name: str
    cases: int
    drawing: float
    """Only drawing the cases."""
    whole: float
    """Drawing, playing and judging the same cases."""
    lost: float
    """The share of draws that our own filters rejected."""

    @property
    def ratio(self) -> float:
        """The total cost as a multiple of the cost of drawing alone."""
        return self.whole / self.drawing


def costs(properties: Sequence[Property[Any]], play: PlayFunction, examples: int) -> Iterator[SearchCost]:
    """The cost of each property's cases, then the total."""
    every: list[SearchCost] = []
    for law in properties:
        # What is loaded only once is no part of a case.
        cost_of_drawing(law, WARMING_UP, partial(judge, law, play))
        cases, drawing, lost = cost_of_drawing(law, examples, lambda case: None)
        _, whole, _ = cost_of_drawing(law, examples, partial(judge, law, play))
        every.append(SearchCost(law.name, cases, drawing, whole, lost))
        yield every[-1]
    cases = sum(one.cases for one in every)
    yield SearchCost(
        "all together",
        cases,
        sum(one.drawing for one in every),
        sum(one.whole for one in every),
        sum(one.lost * one.cases for one in every) / max(1, cases),
    )


def judge(law: Property[Any], play: PlayFunction, case: Any) -> None:
    """Play and judge a case; one that shows nothing, or can't be played, costs as much as any other."""
    with suppress(CannotPlay):
        law(play, case)


def cost_of_drawing(
    law: Property[Any], examples: int, judged: Callable[[Any], None]
) -> tuple[
    int,
    float,
    float,
]:
    """Number of cases drawn and judged, the time, and the share of rejected draws."""
    begun = done = 0

    @seed(0)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),  # slow and rejected draws are what we measure
    )
    @given(st.data())
    def one(data: DataObject) -> None:
        nonlocal begun, done
        begun += 1
        try:
            case = data.draw(cases)
        except StopTest:
            # Hypothesis also ends draws that become longer than it wants, mostly among the first cases.
            begun -= data.conjecture_data.status is Status.OVERRUN
            raise
        done += 1
        judged(case)

    cases = law.cases(EVERYTHING)
    begin = process_time()
    with constants_left_out(), garbage_kept_longer():  # as in a search
        one()
    return done, process_time() - begin, 1 - done / max(1, begun)


def line(cost: SearchCost) -> str:
    """The cost of a property on one line."""
    each = 1000 * cost.whole / max(1, cost.cases)
    costs = f"{cost.ratio:6.2f} times drawing alone, {each:7.2f} ms a case"
    return f"{costs}, {cost.lost:5.1%} of draws lost  {cost.name}"

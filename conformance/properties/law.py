"""Laws that hold for every scenario of a kind, whatever engine plays it.

A property draws a case (plain data) and judges an engine's observations. Most need no oracle: they change
something that must not matter, or something whose effect is known, and compare. Each has its own exception
class, so that a search never confuses two bugs.

`holds_for` makes a law from a function that judges a case. `tale.law` and `tale.law_of` make laws from
functions that draw a game together with its expectations, which leaves nothing to judge.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Generic, TypeVar

from hypothesis.strategies import SearchStrategy

from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.strategies.means import Means

_Case = TypeVar("_Case")
PlayFunction = Callable[[Play], Observations]
"""Plays a scenario on an engine: all that a property can ask of it."""
Cases = Callable[[Means], SearchStrategy[_Case]]
"""The strategy for an engine with these means."""


class Broken(AssertionError):
    """A law did not hold; the message says what was compared, and how it differed."""


class Property(Generic[_Case]):
    """A law: one sentence, its rules, the strategy for its cases, and the function that judges them."""

    def __init__(
        self,
        check: Callable[[PlayFunction, _Case], None],
        cases: Cases[_Case],
        rules: tuple[str, ...],
        oracle: bool,
        source: tuple[str, ...],
        needs: frozenset[str],
        times: int,
    ) -> None:
        self.name = check.__name__
        says, *remarks = (" ".join(part.split()) for part in (check.__doc__ or "").split("\n\n"))
        self.says = says
        self.remarks = tuple(remarks)
        """What its cases are, what it does not check, and which engines it is for."""
        self.check = check
        self.cases = cases
        """The strategy for its cases, given the means of an engine."""
        self.rules = rules
        self.oracle = oracle
        """Whether it compares with the reference engine."""
        self.source = source
        """The parts of the source documents that it shows, by the ids of the inventory."""
        self.needs = needs
        """Features that an engine needs for any of its cases."""
        self.times = times
        """How many times as many cases as other laws it draws, because they are of so many kinds."""
        self.broken: type[Broken] = type(
            "".join(word.title() for word in self.name.split("_")), (Broken,), {}
        )

    @property
    def subject(self) -> str:
        """What the laws of its module are about, as that module says."""
        summary = (sys.modules[self.check.__module__].__doc__ or "").split("\n\n")[0]
        return " ".join(summary.split()).removeprefix("Laws of ")

    def __call__(self, play: PlayFunction, case: _Case) -> None:
        """Judge one case. Raises this property's own exception if the law is broken."""
        try:
            self.check(play, case)
        except Broken as broken:
            raise self.broken(str(broken)) from None


def holds_for(
    cases: Cases[_Case],
    rules: tuple[str, ...],
    oracle: bool = False,
    source: tuple[str, ...] = (),
    needs: tuple[str, ...] = (),
    times: int = 1,
) -> Callable[[Callable[[PlayFunction, _Case], None]], Property[_Case]]:
    """Make a property from a function that judges one case."""
    return lambda check: Property(check, cases, rules, oracle, source, frozenset(needs), times)

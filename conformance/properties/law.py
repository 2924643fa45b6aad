"""Laws that hold for every scenario of a kind, whatever engine plays it.

A property draws a case (plain data) and judges what an engine shows. Most need no oracle: they change
something that must not matter, or in a way whose outcome is known, and compare. Each has an exception
class of its own, so that a search never takes two bugs for one.

`holds_for` makes a law of a function that judges a case. Where each case already has all that is to be seen,
nothing is left to judge: `tale.law` and `tale.law_of` make laws of what tells such games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from hypothesis.strategies import SearchStrategy

from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.strategies.means import Means

_Case = TypeVar("_Case")
PlayFunction = Callable[[Play], Observations]
"""All that a property knows of an engine: how it plays."""
Cases = Callable[[Means], SearchStrategy[_Case]]
"""What is drawn for an engine that can be given so much."""


class Broken(AssertionError):
    """A law did not hold: what was compared, and how it differed."""


class Property(Generic[_Case]):
    """A law: one sentence, the rules it rests on, the cases it is about, and how they are judged."""

    def __init__(
        self,
        check: Callable[[PlayFunction, _Case], None],
        cases: Cases[_Case],
        rules: tuple[str, ...],
        oracle: bool,
        source: tuple[str, ...],
        needs: frozenset[str],
    ) -> None:
        self.name = check.__name__
        says, *remarks = (" ".join(part.split()) for part in (check.__doc__ or "").split("\n\n"))
        self.says = says
        self.remarks = tuple(remarks)
        """The games that it draws, what it says nothing of, and who keeps it without knowing any rule."""
        self.check = check
        self.cases = cases
        """The cases it is about, for an engine that can be given what its means say."""
        self.rules = rules
        self.oracle = oracle
        """Whether it compares with the reference engine."""
        self.source = source
        """What of the source documents it shows, by the ids of the inventory."""
        self.needs = needs
        """Features without which an engine has no case of it."""
        self.broken: type[Broken] = type(
            "".join(word.title() for word in self.name.split("_")), (Broken,), {}
        )

    def __call__(self, play: PlayFunction, case: _Case) -> None:
        """Judge one case; raises this property's own exception if the law is broken."""
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
) -> Callable[[Callable[[PlayFunction, _Case], None]], Property[_Case]]:
    """Make a property of a function that judges one case."""
    return lambda check: Property(check, cases, rules, oracle, source, frozenset(needs))

"""Tests that play everything there is, in parts: coverage is measured in the first of them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar
from zlib import crc32

import pytest

T = TypeVar("T")
NIGHTLY = (pytest.mark.sweep, pytest.mark.nightly)


def parts(many: int, by_day: int | None = None) -> list[object]:
    """The numbers of the parts. What one plays is like what the others play, so one shows which lines run.

    Beyond the first few `by_day` the parts are for the night.
    """
    numbers = first_measured(range(many if by_day is None else by_day))
    return [*numbers, *(pytest.param(one, marks=NIGHTLY) for one in range(len(numbers), many))]


def first_measured(values: Iterable[Any]) -> list[object]:
    """These parameters of a test. All run the same lines, so coverage is measured with the first alone."""
    first, *others = values
    return [first, *(pytest.param(one, marks=pytest.mark.sweep) for one in others)]


def by_day(one_in: int) -> list[object]:
    """How many fixtures one stands for: so many by day, and only itself by night.

    For what asks about our code rather than about a fixture: a mistake there shows in many fixtures.
    """
    return [one_in, pytest.param(1, marks=NIGHTLY)]


def a_share(named: Mapping[str, T], one_in: int) -> Iterator[tuple[str, T]]:
    """One in so many, by its name: the same ones whatever is added."""
    return ((name, one) for name, one in named.items() if is_in_share(name, one_in))


def is_in_share(name: str, one_in: int) -> bool:
    """Whether this is one in so many."""
    return crc32(name.encode()) % one_in == 0

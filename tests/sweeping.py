"""Tests that play everything there is, in parts: coverage is measured in the first of them."""

from collections.abc import Iterable
from typing import Any

import pytest


def parts(many: int) -> list[object]:
    """The numbers of the parts. What one plays is like what the others play, so one shows which lines run."""
    return first_measured(range(many))


def first_measured(values: Iterable[Any]) -> list[object]:
    """These parameters of a test. All run the same lines, so coverage is measured with the first alone."""
    first, *others = values
    return [first, *(pytest.param(one, marks=pytest.mark.sweep) for one in others)]

"""Tests that play everything there is, in parts: coverage is measured in the first of them."""

import pytest


def parts(many: int) -> list[object]:
    """The numbers of the parts. What one plays is like what the others play, so one shows which lines run."""
    return [0, *(pytest.param(number, marks=pytest.mark.sweep) for number in range(1, many))]

"""Every law holds on the reference engine, and every broken engine is noticed by some check."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.checks.fixtures import is_free
from conformance.properties import PROPERTIES, Broken, Property
from tests.drawn import drawn, drawn_now

MANY_CASES = 60
PARTS = 4
"""The number of tests that share the laws at night."""


@pytest.mark.sweep
@pytest.mark.parametrize("law", PROPERTIES, ids=[law.name for law in PROPERTIES])
def test_the_law_holds_on_the_reference_engine(law: Property[Any]) -> None:
    cases = drawn(law)

    assert [] == [one.broken for one in cases if one.broken]
    assert any(one.shows_something for one in cases)
    for play in [play for one in cases for play in one.plays]:
        ids = [*(one.id for one in play.objects), *(one.id for one in play.players)]
        assert [] == [id for id in ids if not is_free(id)], "a counterexample with such an id can't be loaded"


@pytest.mark.sweep
@pytest.mark.nightly
@pytest.mark.parametrize("part", range(PARTS))
def test_laws_hold_on_the_reference_engine_in_many_cases(part: int) -> None:
    """What a law draws once in ten times is hardly ever among the few cases that are drawn by day."""
    broken = [
        (law.name, one.broken)
        for law in PROPERTIES[part::PARTS]
        for one in drawn_now(law, MANY_CASES)
        if one.broken
    ]

    assert [] == broken


def test_every_law_says_what_it_is_and_fails_in_its_own_way() -> None:
    assert all(law.says.endswith(".") and law.rules for law in PROPERTIES)
    assert len({law.broken.__name__ for law in PROPERTIES}) == len(PROPERTIES)
    assert all(issubclass(law.broken, Broken) for law in PROPERTIES)


def test_a_law_says_one_sentence_and_then_what_it_leaves_open() -> None:
    law = next(law for law in PROPERTIES if law.name == "the_last_spell_resolves_first")

    assert law.says.startswith("A spell cast in response resolves before the spells below it")
    assert "It does not check what the spells do or who controls them." in law.remarks
    assert all(remark.endswith(".") for law in PROPERTIES for remark in law.remarks)

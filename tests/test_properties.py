"""Every law holds on the reference engine, and every broken engine is noticed by some check."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, reject, seed, settings

from conformance.checks.fixtures import is_free
from conformance.files.canonical import decode, encode
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.properties import PROPERTIES, Broken, Property
from conformance.properties.seeing import ShowsNothing
from conformance.strategies.means import EVERYTHING
from conformance_adapters.in_process import Reference


@pytest.mark.sweep
@pytest.mark.parametrize("law", PROPERTIES, ids=[law.name for law in PROPERTIES])
def test_the_law_holds_on_the_reference_engine(law: Property[Any]) -> None:
    engine = Reference()
    sent: list[Play] = []

    def play(scenario: Play) -> Observations:
        """The first times, as over the wire: what can't be written and read back is not a scenario."""
        sent.append(scenario)
        ids = [*(one.id for one in scenario.objects), *(one.id for one in scenario.players)]
        assert [] == [id for id in ids if not is_free(id)], "a counterexample with such an id can't be loaded"
        return engine.play(decode(encode(scenario), Play) if len(sent) < 5 else scenario)

    @seed(0)
    @settings(max_examples=settings().max_examples // 8)
    @given(law.cases(EVERYTHING))
    def hold(case: Any) -> None:
        try:
            law(play, case)
        except ShowsNothing:
            reject()

    hold()


def test_every_law_says_what_it_is_and_fails_in_its_own_way() -> None:
    assert all(law.says.endswith(".") and law.rules for law in PROPERTIES)
    assert len({law.broken.__name__ for law in PROPERTIES}) == len(PROPERTIES)
    assert all(issubclass(law.broken, Broken) for law in PROPERTIES)


def test_a_law_says_one_sentence_and_then_what_it_leaves_open() -> None:
    law = next(law for law in PROPERTIES if law.name == "the_last_spell_resolves_first")

    assert law.says.startswith("A spell cast in response resolves before the spells below it")
    assert "It does not check what the spells do or who controls them." in law.remarks
    assert all(remark.endswith(".") for law in PROPERTIES for remark in law.remarks)

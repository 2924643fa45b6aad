"""Engines without knowledge pass nothing: no check comes for free."""

from __future__ import annotations

import pytest

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition, rulebook
from conformance.measure.corpus import corpus
from conformance.model.verdict import PassVerdict
from conformance.mutants import MUTANTS
from conformance.play.runner import run
from conformance.properties import PROPERTIES
from conformance.results.summary import counts_of
from conformance.search.law_checks import verdict_without_finds
from conformance.search.search import search
from conformance.strategies.means import EVERYTHING
from conformance_adapters import connect
from conformance_adapters.degenerate import DEGENERATES, Degenerate, DegenerateEngine

CASES = 20
"""The number of cases of each law."""
BLIND = [kind for kind in DEGENERATES if kind.blind]


@pytest.mark.sweep
@pytest.mark.parametrize("kind", BLIND, ids=[kind.name for kind in BLIND])
@pytest.mark.parametrize("edition", [newest_edition(), rulebook().editions[0].date])
def test_engine_that_knows_nothing_passes_nothing(kind: Degenerate, edition: str) -> None:
    results = list(run(DegenerateEngine(kind), all_fixtures().values(), edition))

    assert [] == [result.id for result in results if isinstance(result.verdict, PassVerdict)]
    assert 0 == counts_of(results).passed


@pytest.mark.sweep
@pytest.mark.parametrize("kind", BLIND, ids=[kind.name for kind in BLIND])
def test_engine_that_knows_nothing_passes_no_stored_scenario(kind: Degenerate) -> None:
    results = run(DegenerateEngine(kind), corpus().values(), newest_edition())

    assert [] == [result.id for result in results if isinstance(result.verdict, PassVerdict)]


@pytest.mark.sweep
@pytest.mark.parametrize("kind", BLIND, ids=[kind.name for kind in BLIND])
def test_engine_that_knows_nothing_passes_no_law(kind: Degenerate) -> None:
    """A search that can judge hardly any case ends as unsupported, which is not a pass."""
    passed = []
    for law in PROPERTIES:
        engine = DegenerateEngine(kind)
        found = search(engine.play, law, EVERYTHING, seed=0, examples=CASES, shrinking=0, most=1)
        if not found.finds and isinstance(verdict_without_finds(law, found), PassVerdict):
            passed.append(law.name)

    assert [] == passed


@pytest.mark.sweep
def test_engine_that_does_anything_legal_passes_only_what_leaves_no_choice() -> None:
    (kind,) = (kind for kind in DEGENERATES if not kind.blind)
    some = list(all_fixtures().values())[::8]
    counts = counts_of(run(DegenerateEngine(kind), some, newest_edition()))

    assert counts.failed > 2 * counts.passed > 0


def test_degenerate_engine_is_connected_by_its_name_as_a_mutant_is() -> None:
    assert "mutant:echo" == connect("mutant:echo").describe().name
    assert len(DEGENERATES) >= 8
    assert set() == {kind.name for kind in DEGENERATES} & {mutant.name for mutant in MUTANTS}

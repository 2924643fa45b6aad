"""Engines without knowledge pass nothing: no check comes for free."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition, rulebook
from conformance.measure.corpus import corpus
from conformance.model.engine import CannotPlay, Engine, EngineFailure
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Holds
from conformance.model.verdict import PassVerdict
from conformance.mutants import MUTANTS
from conformance.play.runner import run
from conformance.properties import PROPERTIES, Broken, Property
from conformance.results.summary import counts_of
from conformance.search.law_checks import verdict_without_finds
from conformance.search.search import search
from conformance.strategies.means import EVERYTHING
from conformance_adapters import connect
from conformance_adapters.degenerate import DEGENERATES, Degenerate, DegenerateEngine
from tests.drawn import drawn
from tests.sweeping import a_share, by_day

CASES = 20
"""The number of cases of a search."""
PARTS = 4
"""The number of tests that share the laws."""
BLIND = [kind for kind in DEGENERATES if kind.blind]


@pytest.mark.sweep
@pytest.mark.parametrize("kind", BLIND, ids=[kind.name for kind in BLIND])
@pytest.mark.parametrize("edition", [newest_edition(), rulebook().editions[0].date])
def test_engine_that_knows_nothing_passes_nothing(kind: Degenerate, edition: str) -> None:
    asked = [one for one in all_fixtures().values() if edition == newest_edition() or depends_on_edition(one)]
    results = list(run(DegenerateEngine(kind), asked, edition))

    assert [] == [result.id for result in results if isinstance(result.verdict, PassVerdict)]
    assert 0 == counts_of(results).passed


def depends_on_edition(fixture: Fixture) -> bool:
    """Whether a fixture asks for something else in an older edition than in the newest."""
    return any(holds != Holds() for holds in (fixture.holds, *(one.holds for one in fixture.expect)))


@pytest.mark.sweep
@pytest.mark.parametrize("kind", BLIND, ids=[kind.name for kind in BLIND])
def test_engine_that_knows_nothing_passes_no_stored_scenario(kind: Degenerate) -> None:
    results = run(DegenerateEngine(kind), corpus().values(), newest_edition())

    assert [] == [result.id for result in results if isinstance(result.verdict, PassVerdict)]


@pytest.mark.sweep
@pytest.mark.parametrize("part", range(PARTS))
def test_engine_that_knows_nothing_passes_no_law(part: int) -> None:
    """Of the laws, each engine is asked about the same cases; what it keeps in some of them is searched."""
    engines = [DegenerateEngine(kind) for kind in BLIND]
    passed = []
    for law in PROPERTIES[part::PARTS]:
        cases = [one.case for one in drawn(law)]
        passed += [
            (law.name, engine.describe().name)
            for engine in engines
            if keeps_some(law, engine, cases) and passes(law, engine)
        ]

    assert [] == passed


def keeps_some(law: Property[Any], engine: Engine, cases: Iterable[Any]) -> bool:
    """Whether an engine keeps a law in some of these cases, and breaks it in none."""
    kept = False
    for case in cases:
        try:
            law(engine.play, case)
            kept = True
        except (CannotPlay, ScenarioError):
            pass
        except (Broken, EngineFailure):
            return False
    return kept


def passes(law: Property[Any], engine: Engine) -> bool:
    """Whether an engine passes a law. A search that can judge hardly any case ends as unsupported."""
    found = search(engine.play, law, EVERYTHING, seed=0, examples=CASES, shrinking=0, most=1)
    return not found.finds and isinstance(verdict_without_finds(law, found), PassVerdict)


@pytest.mark.sweep
@pytest.mark.parametrize("one_in", by_day(48))
def test_engine_that_does_anything_legal_passes_only_what_leaves_no_choice(one_in: int) -> None:
    (kind,) = (kind for kind in DEGENERATES if not kind.blind)
    some = [fixture for _, fixture in a_share(all_fixtures(), one_in)]
    counts = counts_of(run(DegenerateEngine(kind), some, newest_edition()))

    assert counts.failed > 2 * counts.passed > 0


def test_degenerate_engine_is_connected_by_its_name_as_a_mutant_is() -> None:
    assert "mutant:echo" == connect("mutant:echo").describe().name
    assert len(DEGENERATES) >= 8
    assert set() == {kind.name for kind in DEGENERATES} & {mutant.name for mutant in MUTANTS}

"""The example engine in JavaScript does what its README says, and is wrong in just the two ways it admits."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition
from conformance.doctor import examination, health
from conformance.model.engine import close
from conformance.runner import Result, run
from conformance.summary import score_of
from conformance_adapters.stdio import Command, StdioEngine

FOLDER = Path(__file__).parent.parent / "adapters" / "examples" / "javascript"
NODE = shutil.which("node") or ""
DIVERGENCES = {
    "    this.firstAgain = controller;": "",
    "    // Divergence 2: who cannot draw stays in the game (CR 704.5b: should lose).": (
        "    else this.lost.add(player);"
    ),
}

pytestmark = pytest.mark.skipif(not NODE, reason="node is not there")


def engine_in(file: Path) -> StdioEngine:
    return StdioEngine(Command((NODE, str(file))), "test")


def results_of(file: Path) -> list[Result]:
    engine = engine_in(file)
    try:
        return list(run(engine, all_fixtures().values(), newest_edition()))
    finally:
        close(engine)


def ids_of(results: list[Result], score: str) -> set[str]:
    return {result.id for result in results if score_of(result.verdict) == score}


def test_example_reaches_the_fourth_rung() -> None:
    engine = engine_in(FOLDER / "engine.js")
    found = list(
        examination(
            engine, lambda: engine_in(FOLDER / "engine.js"), lambda: pytest.fail("something is wrong")
        )
    )
    close(engine)

    assert (4, None) == (health(found).reached, health(found).ill)


@pytest.mark.sweep
def test_its_divergences_are_all_that_is_wrong(tmp_path: Path) -> None:
    source = (FOLDER / "engine.js").read_text(encoding="utf-8")
    for line, instead in DIVERGENCES.items():
        assert 1 == source.count(line)
        source = source.replace(line, instead)
    (tmp_path / "engine.js").write_text(source, encoding="utf-8")

    as_it_is, mended = results_of(FOLDER / "engine.js"), results_of(tmp_path / "engine.js")

    failed = ids_of(as_it_is, "failed")
    assert {"G-0058", "G-0069", "G-0070", "G-0071"} <= failed
    assert set() == ids_of(mended, "failed")
    assert failed <= ids_of(mended, "passed")
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(id in readme for id in ("G-0058", "G-0069", "G-0070", "G-0071"))

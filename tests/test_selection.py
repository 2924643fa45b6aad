"""The arguments of a command: ids, table rows, files, folders."""

from itertools import chain
from pathlib import Path

import pytest

from conformance.data.library import load, load_all
from conformance.model.problems import ScenarioError
from conformance.play import selection
from conformance.play.selection import (
    NoMatch,
    generated_scenarios,
    number_of_checks,
    selected_fixtures,
    selected_play,
)

TABLE = """
id: {id}
title: Ogres
rules: ["117.1a"]
players: {{alice: {{hand: {{ogre: Gray Ogre}}}}, bob: {{}}}}
rows:
  - {{row: 1, title: her turn, try: {{cast: ogre, by: alice}}, is: done}}
  - {{row: 2, title: his turn, start: {{turn: bob}}, try: {{cast: ogre, by: alice}}, is: rejected}}
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "ogres.yaml"
    path.write_text(TABLE.format(id="G-9001"), encoding="utf-8")
    return path


@pytest.fixture
def ours(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that passes for one of our own."""
    monkeypatch.setattr(selection, "files_by_id", lambda: {"G-9001": table})
    monkeypatch.setattr(selection, "newer_ids", lambda: {"G-8001": "G-9001", "G-8001.09": "G-9001.02"})


def ids(*arguments: str) -> list[str]:
    return [one.fixture.id for one in selected_fixtures(arguments)]


def test_file_of_a_table_means_all_its_rows(table: Path) -> None:
    assert ["G-9001.01", "G-9001.02"] == ids(str(table))
    assert ["G-9001.01", "G-9001.02"] == [fixture.id for fixture in load_all(table)]


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["G-9001"], ["G-9001.01", "G-9001.02"]),
        (["G-9001.02"], ["G-9001.02"]),
        (["G-9001.02", "G-9001.02"], ["G-9001.02"]),
        (["G-9001.02", "G-9001.01"], ["G-9001.01", "G-9001.02"]),
        (["G-9001.02", "G-9001"], ["G-9001.01", "G-9001.02"]),
        (["G-9001", "G-9001.02"], ["G-9001.01", "G-9001.02"]),
        (["G-8001"], ["G-9001.01", "G-9001.02"]),
        (["G-8001.09"], ["G-9001.02"]),
    ],
)
@pytest.mark.usefixtures("ours")
def test_id_of_a_table_means_all_rows_and_that_of_a_row_only_it(
    arguments: list[str], meant: list[str]
) -> None:
    assert meant == ids(*arguments)


@pytest.mark.usefixtures("ours")
def test_row_that_is_not_there_is_refused() -> None:
    with pytest.raises(NoMatch, match=r"no row 'G-9001.03'"):
        ids("G-9001.03")


@pytest.mark.usefixtures("ours")
def test_one_row_has_one_play() -> None:
    assert "bob" == selected_play("G-9001.02").start.turn
    with pytest.raises(ScenarioError, match="a table of 2 rows"):
        selected_play("G-9001")


def test_table_is_not_a_single_fixture(table: Path) -> None:
    with pytest.raises(ScenarioError, match=r"a table of 2 rows\n +name one of them: G-9001.01"):
        load(table)


def test_fixture_is_found_by_a_bug_that_it_would_have_caught() -> None:
    assert "L-0051" in [one.fixture.id for one in selected_fixtures([], word="magarena/magarena#758")]


@pytest.mark.sweep
def test_fixtures_are_counted_without_being_loaded() -> None:
    assert sum(1 for _ in chain(selected_fixtures(), generated_scenarios())) == number_of_checks()

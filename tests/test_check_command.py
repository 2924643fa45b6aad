"""`conformance check` and `conformance export`, as they are typed."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.data.compiled import fixtures_folder
from conformance.data.library import all_fixtures
from conformance.model.problems import Problem, ScenarioError

GOOD = (
    'id: L-9001\ntitle: A board\nrules: ["613.4c"]\n'
    "setup: [{id: bear, card: Runeclaw Bear, controller: alice}]\n"
    "expect: [{of: bear, power: 2}]\n"
)


def test_good_file_has_nothing_said_of_it(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    result = CliRunner().invoke(
        main, ["check", str(tmp_path / "good.yaml"), str(fixtures_folder() / "cards")]
    )
    assert (0, "") == (result.exit_code, result.output)


def test_all_that_is_wrong_is_said_with_place_and_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(GOOD.replace("Runeclaw Bear", "Runeclaw Baer").replace("power", "powr"))
    (tmp_path / "b.yaml").write_text("- {name: Test Bear, types: Creature}\n")
    result = CliRunner().invoke(main, ["check", "."])
    assert 2 == result.exit_code
    assert (
        "a.yaml:4:26: setup[0].card: no card named 'Runeclaw Baer'\n"
        "    did you mean 'Runeclaw Bear'?\n"
        "a.yaml:5:21: expect[0]: nothing called 'powr' can be seen\n"
        "    did you mean 'power'?\n"
        "b.yaml:1:3: Test Bear: a creature without power and toughness\n"
        "    add pt: 2/2\n"
    ) == result.output


def test_file_that_is_not_there_is_a_mistake_of_use() -> None:
    assert 2 == CliRunner().invoke(main, ["check", "nowhere.yaml"]).exit_code


def test_export_writes_every_fixture_and_the_schema(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["export", str(tmp_path / "out")])
    assert 0 == result.exit_code
    names = {path.name for path in (tmp_path / "out").iterdir()}
    schemas = {f"{name}.schema.json" for name in ("scenario", "wire", "events")}
    assert schemas | {f"{name}.json" for name in all_fixtures()} == names
    assert f"{len(names)} files in {tmp_path / 'out'}\n" == result.output
    for path in (tmp_path / "out").iterdir():
        json.loads(path.read_bytes())


def test_export_says_what_is_wrong_with_the_fixtures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ScenarioError([Problem("a.yaml", 1, 2, "id", "no id", "write one")])

    monkeypatch.setattr("conformance.data.reading.exported", broken)
    result = CliRunner().invoke(main, ["export", str(tmp_path)])
    assert (2, "a.yaml:1:2: id: no id\n    write one\n") == (result.exit_code, result.output)

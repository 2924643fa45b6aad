"""The tools' command line: its output matches the committed files, and its messages help."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tools import ids
from tools.__main__ import GOLDENS, main


def test_every_tool_is_listed_with_a_sentence() -> None:
    asked = CliRunner().invoke(main, ["-h"])
    listed = [line.split(maxsplit=1) for line in asked.stdout.partition("Commands:\n")[2].splitlines()]
    assert set(main.commands) == {name for name, _ in listed}
    assert all(len(says.split()) > 4 for _, says in listed)


@pytest.mark.parametrize("name", GOLDENS)
def test_golden_files_are_written_where_they_are(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written: dict[Path, str] = {}
    monkeypatch.setattr(Path, "write_text", lambda path, text, **_: written.update({path: text}))
    ended = CliRunner().invoke(main, ["golden", name])
    assert 0 == ended.exit_code
    assert ended.stdout.startswith("written: ")
    assert written
    for path, text in written.items():
        assert path.read_text(encoding="utf-8") == text


def test_next_free_id_is_above_all_that_were_ever_given() -> None:
    ended = CliRunner().invoke(main, ["ids", "--next", "l"])
    noted = {one.id for one in ids.notes(ids.NOTES.read_text(encoding="utf-8")).ids}
    assert ended.stdout.strip() > max(id for id in noted if id.startswith("L-"))


def test_own_mutants_need_a_module() -> None:
    ended = CliRunner().invoke(main, ["own-mutants", "advance"])
    assert 2 == ended.exit_code
    assert "name a file, such as reference_engine/layers/dependency.py" in ended.stderr

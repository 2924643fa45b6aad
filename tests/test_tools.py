"""The tools' command line: its output matches the committed files, and its messages help."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from tools import ids, machine_made, named_rules, strength
from tools.__main__ import GOLDENS, main


def test_every_tool_is_listed_with_a_sentence() -> None:
    asked = CliRunner().invoke(main, ["-h"])
    listed = [line.split(maxsplit=1) for line in asked.stdout.partition("Commands:\n")[2].splitlines()]
    assert set(main.commands) == {name for name, _ in listed}
    assert all(len(says.split()) > 4 for _, says in listed)


@pytest.mark.sweep
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


@pytest.mark.sweep
def test_next_free_id_is_above_all_that_were_ever_given() -> None:
    ended = CliRunner().invoke(main, ["ids", "--next", "l"])
    noted = {one.id for one in ids.notes(ids.NOTES.read_text(encoding="utf-8")).ids}
    assert ended.stdout.strip() > max(id for id in noted if id.startswith("L-"))


def test_page_of_broken_engines_begins_as_it_is_written() -> None:
    assert strength.PAGE.read_text(encoding="utf-8").startswith(strength.HEAD)


def test_own_mutants_need_a_module() -> None:
    ended = CliRunner().invoke(main, ["own-mutants", "advance"])
    assert 2 == ended.exit_code
    assert "name a file, such as reference_engine/layers/dependency.py" in ended.stderr


def test_named_rules_reports_what_the_failures_of_a_broken_engine_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    some = tuple(one for one in named_rules.fixtures() if "613.3" in one.rules)
    monkeypatch.setattr(named_rules, "fixtures", lambda: some)
    cached = (named_rules.right_results, named_rules.decisions_of_fixtures)
    for one in cached:
        one.cache_clear()
    try:
        ended = CliRunner().invoke(main, ["named-rules", "timestamps-only", "definers-depend"])
    finally:
        for one in cached:
            one.cache_clear()

    assert 0 == ended.exit_code
    first, *_, place, shown, few, _ = ended.stdout.splitlines()
    assert first.startswith("definers-depend breaks 613.8a, which ")
    assert "found first: L-0" in ended.stdout and "cause 1: L-0" in ended.stdout
    for line in (place, shown, few):
        assert " names the broken rule of " in line


def test_rules_of_a_machine_made_engine_are_those_that_its_function_cites() -> None:
    assert "613.8b" in machine_made.rules_of_function("reference_engine/layers/dependency.py", "dependencies")
    assert () == machine_made.rules_of_function("reference_engine/layers/dependency.py", "")


CITING = '''
def decided(one, other):
    """A number (CR 613.1: of a layer)."""
    if one:
        # CR 613.2: only here.
        return 1
    # CR 613.3, 613.4: for this statement.
    more = (
        other
    )
    match more:
        case 1:
            return 2  # CR 613.5: only here.
        # CR 613.6: for this case.
        case 2:
            return 3
    return 4
'''


def test_rules_of_a_changed_line_are_those_cited_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "citing.py").write_text(CITING, encoding="utf-8")
    monkeypatch.setattr(machine_made, "ROOT", tmp_path)

    def cited(text: str) -> tuple[str, ...]:
        line = next(at for at, one in enumerate(CITING.splitlines(), 1) if text in one)
        return machine_made.rules_of_line("citing.py", "decided", line)

    assert ("613.1", "613.2") == cited("return 1")
    assert ("613.1",) == cited("if one") == cited("match more") == cited("return 4")
    assert ("613.1", "613.3", "613.4") == cited("        other")
    assert ("613.1", "613.5") == cited("return 2")
    assert ("613.1", "613.6") == cited("return 3")

"""Runs side by side, as `conformance compare` shows them."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from conformance.cli import main
from conformance.data.library import all_fixtures
from conformance.model.engine import EngineInfo
from conformance.model.verdict import (
    Crash,
    Disputed,
    Fail,
    NotRun,
    PartOfVerdict,
    PassVerdict,
    Unsupported,
    Verdict,
)
from conformance.report.side_by_side_page import cell, comparison_html, comparison_shown
from conformance.report.side_by_side_text import comparison_lines, names_for
from conformance.results.events import Run, RunBegan, RunEnded, RunEvent, RunSelection, line
from conformance.results.summary import Counts
from conformance.run import graded
from conformance_adapters.in_process import Reference
from conformance_adapters.recorded import record
from tests.sweeping import is_in_share
from tests.test_events import checked

RIGHT = PassVerdict((PartOfVerdict("pass", "bear", "at the end", "power", "2", "2"),))
WRONG = Fail((PartOfVerdict("fail", "bear", "at the end", "power", "2", "3", "CR 613.4b: it is set"),))
OTHERWISE = Fail((PartOfVerdict("fail", "bear", "at the end", "power", "2", "4", "CR 613.4b: it is set"),))


def run_of(name: str, version: str = "1", **verdicts: Verdict) -> Run:
    """A run of an engine with these verdicts; odd checks cite rule 613.4b, even ones 613.4c."""
    began = RunBegan(
        1, "2026-11-21T10:00:00+00:00", "1", name, EngineInfo(name, version), "2026-09-25", RunSelection()
    )
    results = tuple(
        checked(verdict, id, rules=("613.4b",) if int(id[-1]) % 2 else ("613.4c",))
        for id, verdict in verdicts.items()
    )
    return Run(began, results, RunEnded(Counts(), 0, 0, 1.0))


def test_engines_stand_side_by_side_where_they_differ() -> None:
    lines = list(
        comparison_lines(
            [
                run_of("ours", L1=RIGHT, L2=RIGHT),
                run_of("a long name", L1=WRONG, L2=RIGHT),
                run_of("none", L2=RIGHT),
            ]
        )
    )

    assert "ours         2 passed, 0 failed, 0 unsupported  (rules of 2026-09-25, 2026-11-21)" == lines[0]
    assert [
        "passed         ours  a long name       none",
        "613.4b          1/1          0/1          -  Layer 7b: setting power and toughness, base values too",
        "1 rule is the same for all",
        "",
        "only a long name fails 1:",
        "  L1 a_name: CR 613.4b: bear, at the end: power: expected 2, observed 3",
    ] == lines[4:]


def test_failure_that_others_did_not_play_or_share_is_nobodys_alone() -> None:
    shared = "\n".join(comparison_lines([run_of("a", L1=WRONG), run_of("b", L1=WRONG)]))
    unplayed = "\n".join(comparison_lines([run_of("a", L1=WRONG), run_of("b", L1=Unsupported("no"))]))

    assert "only" not in shared
    assert "only" not in unplayed


def test_two_runs_of_one_engine_say_what_changed_the_worse_first() -> None:
    before = run_of(
        "mine",
        "1",
        L1=RIGHT,
        L2=WRONG,
        L3=RIGHT,
        L4=WRONG,
        L5=Unsupported("no"),
        L6=RIGHT,
        L7=WRONG,
        L8=RIGHT,
    )
    after = run_of(
        "mine",
        "2",
        L1=WRONG,
        L2=RIGHT,
        L3=NotRun("died"),
        L4=OTHERWISE,
        L5=RIGHT,
        L7=WRONG,
        L8=Disputed("doubt", "pass", ()),
        L9=RIGHT,
    )

    lines = list(comparison_lines([before, after]))

    assert [
        "mine 2, changed since mine 1:",
        "  now fails       L1 a_name: CR 613.4b: bear, at the end: power: expected 2, observed 3",
        "  lost            L3 a_name",
        "  fails otherwise L4 a_name: CR 613.4b: bear, at the end: power: expected 2, observed 4",
        "  fixed           L2 a_name",
        "  now played      L5 a_name",
        "  new             L9 a_name",
        "  gone            L6 a_name",
        "  other           L8 a_name",
    ] == lines[lines.index("mine 2, changed since mine 1:") :]


def test_runs_that_are_alike_are_distinguished_by_a_number() -> None:
    lines = list(comparison_lines([run_of("mine", L1=Crash("gone")), run_of("mine", L1=Crash("gone"))]))

    assert lines[0].startswith("mine 1 #1  0 passed, 1 failed")
    assert "mine 1 #2: nothing changed since mine 1 #1" == lines[-1]


def written(path: Path, run: Run) -> str:
    assert run.ended
    events: list[RunEvent] = [run.began, *run.checked, run.ended]
    path.write_bytes(b"".join(map(line, events)))
    return str(path)


def called(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["compare", *arguments], catch_exceptions=False)


def test_command_compares_files(tmp_path: Path) -> None:
    one = written(tmp_path / "one.json", run_of("one", L1=RIGHT))
    two = written(tmp_path / "two.json", run_of("two", L1=WRONG))

    result = called(one, two)

    assert 0 == result.exit_code
    assert "only two fails 1:" in result.stdout


def test_run_that_was_cut_off_says_so(tmp_path: Path) -> None:
    whole = run_of("one", L1=RIGHT)
    text = "\n".join(comparison_lines([whole, Run(whole.began, whole.checked, None)]))

    assert "2026-11-21, cut off)" in text


def test_command_wants_two_files_that_json_wrote(tmp_path: Path) -> None:
    one = written(tmp_path / "one.json", run_of("one", L1=RIGHT))
    (tmp_path / "bad.json").write_text("nonsense\n", encoding="utf-8")

    alone, bad = called(one), called(one, str(tmp_path / "bad.json"))

    assert (2, 2) == (alone.exit_code, bad.exit_code)
    assert "only one run to compare" in alone.stderr
    assert "bad.json:1:1: " in bad.stderr


# ---------------------------------------------------------------------------------------- the page


def test_unsupported_is_another_cell_than_wrong() -> None:
    assert ("unplayed", "3 unsupported", "") == told(Counts(unsupported=3))
    assert ("part", "2 right", "3 unsupported") == told(Counts(passed=2, unsupported=3))
    assert ("right", "2 right", "") == told(Counts(passed=2))
    assert ("wrong", "1 of 3 wrong", "4 unsupported") == told(Counts(passed=2, failed=1, unsupported=4))
    assert ("few", "1 of 20 wrong", "1 disputed") == told(Counts(passed=19, failed=1, disputed=1))
    assert ("unplayed", "1 not run", "") == told(Counts(not_run=1))
    assert ("absent", "not in this run", "") == told(None)


def told(counts: Counts | None) -> tuple[str, str, str]:
    made = cell(counts)
    return made.kind, made.says, made.more


def test_page_compares_by_what_every_run_played() -> None:
    shown = comparison_shown(
        [
            run_of("one", L1=RIGHT, L2=RIGHT, L3=RIGHT, L5=RIGHT),
            run_of("two", L1=WRONG, L2=RIGHT, L3=Unsupported("no"), L4=WRONG),
        ]
    )

    assert 2 == shown.in_common
    assert [2, 1] == [one.common for one in shown.columns]
    assert [0, 1] == [one.alone for one in shown.columns]
    assert ["right", "wrong"] == [one.kind for one in shown.chapters[0].rules[0].cells]
    assert any("missing are 1 in run 1 (one), 1 in run 2 (two)" in one for one in shown.warnings)


def test_page_leads_from_a_rule_to_the_checks_that_split_the_engines() -> None:
    shown = comparison_shown(
        [run_of("one", L1=RIGHT, L2=RIGHT), run_of("two", L1=WRONG, L2=Unsupported("no"))]
    )

    [check] = shown.checks
    assert ("L1", ("right", "wrong")) == (check.id, tuple(one.kind for one in check.answers))
    wrong = check.answers[1]
    assert ("bear, at the end: power", "2", "3") == (wrong.where, wrong.expected, wrong.observed)
    assert {"split", "differ", "wrong", "alone-1"} == set(check.marks)
    rows = {row.name: row for row in shown.chapters[0].rules}
    assert (0,) == rows["613.4b"].checks
    assert () == rows["613.4c"].checks
    assert {"differ", "unplayed"} == set(rows["613.4c"].marks)
    page = comparison_html([run_of("one", L1=RIGHT), run_of("two", L1=WRONG)])
    assert 'href="#check-0"' in page and 'id="check-0"' in page


def test_page_has_the_history_of_an_engine() -> None:
    runs = [
        run_of("mine", "1", L1=RIGHT, L2=WRONG),
        run_of("other", L1=RIGHT),
        run_of("mine", "2", L1=WRONG, L2=RIGHT),
        run_of("mine", "3", L1=WRONG, L2=RIGHT),
    ]
    [history] = comparison_shown(runs).histories

    assert ["mine 1", "mine 2", "mine 3"] == [one.name for one in history.runs]
    first, second = history.changes
    assert [("now fails", "L1"), ("fixed", "L2")] == [(one.what, one.checks[0][0]) for one in first.groups]
    assert ("mine 2", "mine 3", ()) == (second.before, second.after, second.groups)


def test_page_says_why_runs_are_not_quite_comparable() -> None:
    whole = run_of("one", L1=RIGHT)
    part = Run(replace(whole.began, chosen=RunSelection(rules=("613",))), whole.checked, whole.ended)
    older = Run(replace(whole.began, edition="2020-01-01"), whole.checked, None)
    found = "\n".join(comparison_shown([whole, part, older]).warnings)

    assert "different editions of the rules: 2026-09-25, 2020-01-01" in found
    assert "Run 2 (one) played a selection" in found
    assert "Run 3 (one) was cut off" in found
    assert () == comparison_shown([whole, whole]).warnings


def test_page_shows_hostile_text_as_text() -> None:
    evil = "<script>alert(1)</script>\u202e" + "x" * 5000
    page = comparison_html([run_of(evil, evil, L1=Crash(evil)), run_of("two", L1=Unsupported(evil))])

    assert "<script>alert" not in page and "\u202e" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.sweep
def test_command_writes_a_page_also_of_a_recording(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some = [
        one
        for one in graded.stored_checks(newest=True)
        if one.fixture.id in ("L-0001", "L-0002") or is_in_share(one.fixture.id, 24)
    ]
    monkeypatch.setattr(graded, "stored_checks", lambda newest: some)
    fixtures = all_fixtures()
    content = record(Reference(), [fixtures["L-0001"], fixtures["L-0002"]], "2026-11-20", "1")
    recording = tmp_path / "ours.jsonl.gz"
    recording.write_bytes(content)
    other = written(tmp_path / "other.json", run_of("other", L1=RIGHT))
    page = tmp_path / "page.html"

    result = called(str(recording), other, "--html", str(page))

    assert (0, f"{page}\n") == (result.exit_code, result.stdout)
    assert "2 right" in page.read_text(encoding="utf-8")


def test_page_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    one, other = (written(tmp_path / f"{name}.json", run_of(name, L1=RIGHT)) for name in ("one", "other"))

    assert 0 == called(one, other, "--html", str(tmp_path / "page.html")).exit_code
    assert 2 == called(one, other, "--html", str(tmp_path)).exit_code


def test_checks_of_a_run_are_sorted_by_id_only_once() -> None:
    [one] = names_for([run_of("one", L1=RIGHT)])
    assert one.checks is one.checks  # thousands of lookups, in each of several runs

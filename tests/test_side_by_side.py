"""Runs side by side, as `conformance compare` shows them."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from conformance.cli import main
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
from conformance.report.side_by_side import compared
from conformance.results.events import Chosen, Run, RunBegan, RunEnded, RunEvent, line
from conformance.results.summary import Counts
from tests.test_events import checked

RIGHT = PassVerdict((PartOfVerdict("pass", "bear", "at the end", "power", "2", "2"),))
WRONG = Fail((PartOfVerdict("fail", "bear", "at the end", "power", "2", "3", "CR 613.4b: it is set"),))
OTHERWISE = Fail((PartOfVerdict("fail", "bear", "at the end", "power", "2", "4", "CR 613.4b: it is set"),))


def run_of(name: str, version: str = "1", **verdicts: Verdict) -> Run:
    """A run of an engine with these verdicts; rule 613.4b is the odd checks', 613.4c the even ones'."""
    began = RunBegan(
        1, "2026-11-21T10:00:00+00:00", "1", name, EngineInfo(name, version), "2026-09-25", Chosen()
    )
    results = tuple(
        checked(verdict, id, rules=("613.4b",) if int(id[-1]) % 2 else ("613.4c",))
        for id, verdict in verdicts.items()
    )
    return Run(began, results, RunEnded(Counts(), 0, 0, 1.0))


def test_engines_stand_side_by_side_where_they_differ() -> None:
    lines = list(
        compared(
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
    shared = "\n".join(compared([run_of("a", L1=WRONG), run_of("b", L1=WRONG)]))
    unplayed = "\n".join(compared([run_of("a", L1=WRONG), run_of("b", L1=Unsupported("no"))]))

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

    lines = list(compared([before, after]))

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


def test_runs_that_are_alike_are_told_apart_by_a_number() -> None:
    lines = list(compared([run_of("mine", L1=Crash("gone")), run_of("mine", L1=Crash("gone"))]))

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
    text = "\n".join(compared([whole, Run(whole.began, whole.checked, None)]))

    assert "2026-11-21, cut off)" in text


def test_command_wants_two_files_that_json_wrote(tmp_path: Path) -> None:
    one = written(tmp_path / "one.json", run_of("one", L1=RIGHT))
    (tmp_path / "bad.json").write_text("nonsense\n", encoding="utf-8")

    alone, bad = called(one), called(one, str(tmp_path / "bad.json"))

    assert (2, 2) == (alone.exit_code, bad.exit_code)
    assert "only one run to compare" in alone.stderr
    assert "bad.json:1:1: " in bad.stderr

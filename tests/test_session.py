"""A whole graded run as a user types it: settings, list, journal, several engines, and the outcome."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from conformance.cli import main
from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition
from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.scenario import Fixture
from conformance.play.runner import run
from conformance.results.events import read_run
from conformance_adapters import connect, in_a_process, torture
from tests.children import unmeasured
from tests.test_cli import ANTHEM, Fake, raises, shows
from tests.test_runner import in_turn

ROOT = Path(__file__).resolve().parent.parent
SERVED = f"{sys.executable} -m conformance_adapters.serve"
TODAY = "2026-09-25"
CHECKS = ("L-9001", "L-9002", "L-9003")


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory, and a suite of three small fixtures and no properties."""
    fixtures = tmp_path / "suite" / "layers"
    fixtures.mkdir(parents=True)
    for id in CHECKS:
        (fixtures / f"{id}.yaml").write_text(ANTHEM.replace("L-9001", id), encoding="utf-8")
    files = sorted(fixtures.iterdir())
    monkeypatch.setattr("conformance.play.selection.fixture_files", lambda: iter(files))
    monkeypatch.setattr("conformance.data.library.fixture_files", lambda: iter(files))
    monkeypatch.setattr("conformance.play.selection.corpus_files", tuple)
    monkeypatch.setattr("conformance.play.selection.every_property", tuple)
    from conformance.play.selection import files_by_id

    files_by_id.cache_clear()
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    files_by_id.cache_clear()


def answering(monkeypatch: pytest.MonkeyPatch, *answers: Any) -> None:
    """Replaces every engine by one that gives these answers to the three checks; without the probe."""
    monkeypatch.setattr("conformance.run.session.with_probe", lambda engine, fresh, fixtures, told: fixtures)

    def connect(name: str, edition: str | None = None, home: Path | None = None) -> Fake:
        return Fake(in_turn(*answers))

    monkeypatch.setattr("conformance_adapters.connect", connect)


def called(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["run", *arguments], catch_exceptions=False, prog_name="conformance")


def listed(home: Path) -> str:
    return (home / "divergences.yaml").read_text(encoding="utf-8")


GOOD, WRONG, WORSE, CANNOT = shows(3), shows(2), shows(1), raises(CannotPlay("no"))
GONE = raises(EngineFailure("crash", "gone"))


# ----------------------------------------------------------------------------------- the gate


@pytest.mark.sweep
def test_known_disagreements_pass_and_everything_else_does_not(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def code(*answers: Any, divergences: str | None = "divergences.yaml") -> tuple[int, str]:
        answering(monkeypatch, *answers)
        result = called(*(["--divergences", divergences] if divergences else []))
        return result.exit_code, result.stdout

    assert 1 == code(WRONG, GOOD, GOOD, divergences=None)[0]
    answering(monkeypatch, WRONG, GOOD, CANNOT)
    update = called("--engine", "reference", "--update-divergences")
    assert (0, "  1 added: L-9001") == (update.exit_code, update.stdout.splitlines()[-2])

    agreed = code(WRONG, GOOD, CANNOT)
    assert (0, "1 failed as listed, 1 of them without a reason") == (agreed[0], agreed[1].splitlines()[-1])
    assert "FAIL" not in agreed[1]
    assert 0 == code(WRONG, GOOD, GOOD)[0]
    assert 4 == code(GOOD, GOOD, CANNOT)[0]
    assert 4 == code(WORSE, GOOD, CANNOT)[0]
    assert 4 == code(GONE, GOOD, CANNOT)[0]
    assert 1 == code(WRONG, WRONG, CANNOT)[0]
    assert 1 == code(WRONG, CANNOT, GOOD)[0]
    assert 1 == code(CANNOT, GOOD, GOOD)[0]
    assert 1 == code(GOOD, WRONG, GOOD)[0]
    assert 5 == code(CANNOT, CANNOT, CANNOT, divergences=None)[0]
    assert 1 == code(CANNOT, CANNOT, CANNOT)[0]
    (suite / "divergences.yaml").write_text(
        listed(suite).replace("reason:", "expires: 2020-01-01\n    reason:")
    )
    expired = code(WRONG, GOOD, CANNOT)
    assert 4 == expired[0]
    assert "stale: L-9001: listed until 2020-01-01, which has passed" in expired[1]


def test_listed_failures_alone_pass_no_gate(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, WRONG, WRONG, GOOD)
    assert 0 == called("--engine", "reference", "--update-divergences").exit_code
    answering(monkeypatch, WRONG, WRONG, raises(EngineFailure("protocol", "?")))

    assert 1 == called("--divergences", "divergences.yaml").exit_code


def test_what_the_list_is_about_stays_when_it_is_written_again(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, WRONG, WRONG, GOOD)
    called("--engine", "reference", "--update-divergences")
    path = suite / "divergences.yaml"
    path.write_text(
        "# ask Ada\n" + listed(suite).replace('reason: ""', "reason: by age alone  # so it is", 1),
        encoding="utf-8",
    )
    answering(monkeypatch, WORSE, GOOD, GOOD)

    result = called("--engine", "reference", "--update-divergences")

    assert 0 == result.exit_code
    assert "  1 changed: L-9001\n  1 taken out: L-9002\n1 failed as listed\n" in result.stdout
    assert "# ask Ada\n" in listed(suite)
    assert "reason: by age alone  # so it is\n" in listed(suite)
    assert "L-9002: passed" in (suite / "divergences.plays.yaml").read_text(encoding="utf-8")
    assert ["L-9001.json"] == [file.name for file in (suite / "divergences").iterdir()]


@pytest.mark.parametrize(
    ("answers", "arguments", "code", "says"),
    [
        ([GOOD], ["L-9001"], 2, "--update-divergences: only part of it would be played"),
        ([GOOD] * 3, ["--rule", "613"], 2, "only part of it"),
        ([GOOD] * 3, ["-k", "L"], 2, "only part of it"),
        ([GOOD] * 3, ["--resume"], 2, "a list is made from one whole run"),
        ([CANNOT] * 3, [], 5, "the list of known divergences is left unchanged: nothing passed"),
        ([GOOD, CANNOT, CANNOT], ["--max-unsupported", "50%"], 5, "too much is unsupported"),
    ],
)
def test_list_is_not_written_from_a_run_that_says_too_little(
    suite: Path,
    monkeypatch: pytest.MonkeyPatch,
    answers: list[Any],
    arguments: list[str],
    code: int,
    says: str,
) -> None:
    answering(monkeypatch, *answers)

    result = called("--engine", "reference", "--update-divergences", *arguments)

    assert code == result.exit_code
    assert says in result.stdout + result.stderr
    assert not (suite / "divergences.yaml").exists()


def test_list_is_not_written_from_a_run_that_was_interrupted(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(play: Any) -> Any:
        raise KeyboardInterrupt

    answering(monkeypatch, WRONG, interrupted)

    result = called("--engine", "reference", "--update-divergences")

    assert 130 == result.exit_code
    assert "interrupted: the same command with --resume continues from here" in result.stderr
    assert not (suite / "divergences.yaml").exists()


def test_interrupted_run_ends_with_a_summary_and_its_reports(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(play: Any) -> Any:
        raise KeyboardInterrupt

    answering(monkeypatch, WRONG, interrupted)
    reports = ("--json", "a.json", "--junit", "a.xml", "--markdown", "a.md", "--badge", "a.svg")

    result = called("-k", "L-", *reports)

    assert 130 == result.exit_code
    lines = result.stdout.splitlines()
    assert "613          0/1 passed  Layers  [1 failed]" in lines
    assert "FAIL  L-9001 An anthem makes a bear bigger  (fake, 1.0)" in lines
    assert ["interrupted: only part of it was played", "0 passed, 1 failed, 0 unsupported"] == lines[-2:]
    run = read_run(suite / "a.json")
    assert run.ended and ("interrupted", 130) == (run.ended.cut_short, run.ended.exit_code)
    assert 'name="comes to its end"' in (suite / "a.xml").read_text(encoding="utf-8")
    assert "**The run was cut off before its end.**" in (suite / "a.md").read_text(encoding="utf-8")
    assert "unknown" in (suite / "a.svg").read_text(encoding="utf-8")


@pytest.mark.sweep
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize(
    ("sent", "code", "word", "jobs"),
    [
        (signal.SIGTERM, 143, "terminated", "2"),
        (signal.SIGINT, 130, "interrupted", "1"),
        pytest.param(signal.SIGTERM, 143, "terminated", "1", marks=pytest.mark.nightly),
        pytest.param(signal.SIGINT, 130, "interrupted", "2", marks=pytest.mark.nightly),
    ],
)
def test_signal_ends_a_run_with_its_reports(
    tmp_path: Path, sent: signal.Signals, code: int, word: str, jobs: str
) -> None:
    command = [sys.executable, "-m", "conformance", "run", "--property", "asking_again_changes_nothing"]
    command += ["--examples", "1000000", "--time", "1000000", "--engine", SERVED, "--jobs", jobs]
    command += ["L-0001", "L-0002", "--json", "a.json", "--markdown", "a.md"]
    environment = {**unmeasured(), "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as running:
        while not ((tmp_path / "a.json").exists() and b'"search"' in (tmp_path / "a.json").read_bytes()):
            assert running.poll() is None
            time.sleep(0.05)
        running.send_signal(sent)
        try:
            stdout, stderr = running.communicate(timeout=120)
        finally:
            running.kill()

    assert code == running.returncode, (stdout, stderr)
    assert [f"{word}: only part of it was played"] == stdout.splitlines()[-2:-1], stderr
    assert "2 passed, 0 failed, 0 unsupported" == stdout.splitlines()[-1]
    assert f"{word}: the same command with --resume continues from here\n" == stderr
    run = read_run(tmp_path / "a.json")
    assert run.ended and (word, code, 2) == (run.ended.cut_short, run.ended.exit_code, len(run.checked))
    assert "**The run was cut off before its end.**" in (tmp_path / "a.md").read_text(encoding="utf-8")


@pytest.mark.sweep
def test_run_ends_after_enough_failures(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def counts(*arguments: str) -> str:
        answering(monkeypatch, WRONG, WORSE, WRONG)
        result = called(*arguments)
        assert 1 == result.exit_code
        return result.stdout.splitlines()[-1]

    assert "0 passed, 3 failed, 0 unsupported" == counts()
    assert "0 passed, 2 failed, 0 unsupported" == counts("--maxfail", "2")
    assert "0 passed, 1 failed, 0 unsupported" == counts("-x", "--json", "a.json")
    ended = read_run(suite / "a.json").ended
    assert ended and "maxfail" == ended.cut_short
    answering(monkeypatch, GOOD, GOOD)
    assert "2 passed, 1 failed, 0 unsupported" == called("--resume").stdout.splitlines()[-1]
    answering(monkeypatch, WRONG, WORSE, WRONG)
    assert (
        "only part of it would be played"
        in called("--engine", "reference", "--update-divergences", "-x").stderr
    )


def test_listed_failures_are_not_enough_to_end_a_run(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, WRONG, GOOD, GOOD)
    called("--engine", "reference", "--update-divergences")
    answering(monkeypatch, WRONG, WRONG, WRONG)

    result = called("-x", "--divergences", "divergences.yaml")

    assert 1 == result.exit_code
    assert "0 passed, 2 failed, 0 unsupported" in result.stdout


def test_quiet_run_says_only_causes_and_counts(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, GOOD, WRONG, WRONG)

    lines = called("-q").stdout.splitlines()

    assert 1 == sum(line.startswith("FAIL") for line in lines)
    assert not any(line.startswith("613") for line in lines)
    assert "1 passed, 2 failed, 0 unsupported" == lines[-1]


def test_all_failures_are_reported_when_the_checks_are_played(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one has a smaller scenario, so it is shown first."""
    answering(monkeypatch, GOOD, WRONG, WRONG)

    lines = [line for line in called().stdout.splitlines() if line.startswith("FAIL") and ": CR " in line]

    said = "An anthem makes a bear bigger: CR 613.4c: bear, after setup: power: expected 3, observed 2"
    assert [f"FAIL  L-900{n} {said}" for n in (2, 3)] == lines


def test_random_seed_is_printed_and_can_be_used_again(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, *[GOOD] * 9)
    first, second = (called("--seed", "random", "--json", f"{name}.json") for name in "ab")

    seeds = [read_run(suite / f"{name}.json").began.seed for name in "ab"]
    assert seeds[0] != seeds[1]
    assert first.stdout.splitlines()[0].endswith(f", seed {seeds[0]}")
    assert second.stdout.splitlines()[0].endswith(f", seed {seeds[1]}")
    again = called("--seed", str(seeds[0]), "--json", "c.json")
    assert (0, seeds[0]) == (again.exit_code, read_run(suite / "c.json").began.seed)
    assert 2 == called("--seed", "chance").exit_code


def test_what_is_unsupported_is_reported_by_reason_the_most_frequent_first(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bears, moons = raises(CannotPlay("the keyword trample (Test Bear)")), raises(CannotPlay("no 'moons'"))
    answering(monkeypatch, moons, raises(CannotPlay("the keyword trample (Other Bear)")), bears)

    lines = called("--markdown", "a.md").stdout.splitlines()

    at = lines.index("unsupported, by reason:")
    assert ["  2 × the keyword trample", "  1 × no …"] == lines[at + 1 : at + 3]
    page = (suite / "a.md").read_text(encoding="utf-8")
    assert "| 2 | the keyword trample |\n| 1 | no … |\n" in page


def test_list_that_cannot_be_written_does_not_hide_what_the_run_came_to(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, WRONG, GOOD, GOOD)
    (suite / "file").touch()

    result = called("--engine", "reference", "--update-divergences", "--divergences", "file/known.yaml")

    assert 2 == result.exit_code
    assert "file/known.yaml: cannot be written: " in result.stderr
    assert "name another file: --divergences FILE" in result.stderr
    assert "2 passed, 1 failed, 0 unsupported" == result.stdout.splitlines()[-1]


def test_run_that_is_interrupted_while_its_engine_starts_ends_like_any_other(suite: Path) -> None:
    hung = [sys.executable, "-c", "import time; time.sleep(1000)"]
    command = [sys.executable, "-m", "conformance", "run", "-q", "L-0001", "--json", "a.json"]
    environment = {**unmeasured(), "PYTHONPATH": os.pathsep.join(sys.path)}
    (suite / "conformance.toml").write_text(
        f'engine = "hung"\nengines.hung.command = {json.dumps(hung)}\n', encoding="utf-8"
    )
    with subprocess.Popen(
        command, cwd=suite, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as running:
        while not started_by(running.pid):
            assert running.poll() is None
            time.sleep(0.05)
        running.send_signal(signal.SIGTERM)
        stdout, stderr = running.communicate()

    assert (143, "", "terminated: only part of it was played") == (
        *(running.returncode, stderr),
        stdout.splitlines()[-2],
    )
    run = read_run(suite / "a.json")
    assert run.ended and "terminated" == run.ended.cut_short


@pytest.mark.sweep
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize(
    ("sent", "code", "word"), [("SIGTERM", 143, "terminated"), ("SIGINT", 130, "interrupted")]
)
def test_run_that_is_interrupted_before_it_begins_ends_like_any_other(
    suite: Path, sent: str, code: int, word: str
) -> None:
    (suite / "sudden.py").write_text(
        f"import os, signal, time\nos.kill(os.getpid(), signal.{sent})\ntime.sleep(1000)\n", encoding="utf-8"
    )
    reports = {"--json": "a.json", "--junit": "a.xml", "--markdown": "a.md", "--html": "a.html"}
    command = [sys.executable, "-m", "conformance", "run", "--engine", "python:sudden:Engine"]
    command += [word for option in reports.items() for word in option]
    environment = {**unmeasured(), "PYTHONPATH": os.pathsep.join([*sys.path, str(suite)])}

    ended = subprocess.run(command, cwd=suite, env=environment, capture_output=True, text=True, check=False)

    assert (code, "") == (ended.returncode, ended.stderr)
    assert f"{word}: only part of it was played\n0 passed, 0 failed, 0 unsupported\n" in ended.stdout
    run = read_run(suite / "a.json")
    assert run.ended and (word, code) == (run.ended.cut_short, run.ended.exit_code)
    assert "python:sudden:Engine" == run.began.asked
    assert "<testsuites" in (suite / "a.xml").read_text(encoding="utf-8")
    assert "**The run was cut off before its end.**" in (suite / "a.md").read_text(encoding="utf-8")
    assert "</html>" in (suite / "a.html").read_text(encoding="utf-8")


def test_run_that_cannot_begin_leaves_no_report(suite: Path) -> None:
    (suite / "a.json").write_text("an earlier run", encoding="utf-8")
    result = called("--engine", "reference", "no_such_check", "--json", "a.json", "--html", "a.html")

    assert 2 == result.exit_code, result.output
    assert [] == sorted(suite.glob("a.*"))


def started_by(pid: int) -> bool:
    """Whether a process has started one that sleeps."""
    return any(
        "time.sleep" in " ".join(one.cmdline()) for one in psutil.Process(pid).children(recursive=True)
    )


def test_list_that_is_not_there_is_asked_for_in_vain(suite: Path) -> None:
    result = called("--divergences", "none.yaml")

    assert 2 == result.exit_code
    assert (
        "none.yaml: No such file or directory\n    `conformance run --update-divergences` writes it"
        in result.stderr
    )


def test_more_unsupported_than_allowed_is_inconclusive(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, code in (("1", 0), ("34%", 0), ("0", 5), ("33%", 5)):
        answering(monkeypatch, GOOD, GOOD, CANNOT)
        assert code == called("--max-unsupported", limit).exit_code
    answering(monkeypatch, GOOD, WRONG, CANNOT)
    assert 1 == called("--max-unsupported", "0").exit_code


def test_check_that_only_the_list_knows_is_played_from_its_folder(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, GOOD, GOOD, WRONG)
    called("--engine", "reference", "--update-divergences")
    files = sorted((suite / "suite" / "layers").iterdir())[:2]
    monkeypatch.setattr("conformance.play.selection.fixture_files", lambda: iter(files))
    from conformance.play.selection import files_by_id

    files_by_id.cache_clear()
    answering(monkeypatch, GOOD, GOOD, WRONG)

    result = called("--divergences", "divergences.yaml")

    assert 0 == result.exit_code
    assert "2 passed, 1 failed" in result.stdout

    (suite / "divergences.yaml").write_text(re.sub("    scenario: .*\n", "", listed(suite)), encoding="utf-8")
    answering(monkeypatch, GOOD, GOOD)
    gone = called("--divergences", "divergences.yaml")
    assert 4 == gone.exit_code
    assert "stale: L-9003: the suite no longer has this check" in gone.stdout


ROWS = """\
rows:
  - {row: 1, title: of one bear, expect: [{of: bear, power: 3, because: "CR 613.4c: the anthem modifies"}]}
  - {row: 2, title: of another, expect: [{of: bear, power: 3, because: "CR 613.4c: the anthem modifies"}]}
"""


def test_row_of_a_table_that_is_listed_is_played_once(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = suite / "suite" / "layers" / "L-9003.yaml"
    table.write_text(table.read_text(encoding="utf-8").partition("expect:")[0] + ROWS, encoding="utf-8")
    answering(monkeypatch, GOOD, GOOD, WRONG, GOOD)
    assert "  1 added: L-9003.01" in called("--engine", "reference", "--update-divergences").stdout
    assert (suite / "divergences" / "L-9003.01.json").exists()
    answering(monkeypatch, GOOD, GOOD, WRONG, GOOD)

    same = called("--divergences", "divergences.yaml")

    assert (0, "3 passed, 1 failed, 0 unsupported") == (same.exit_code, same.stdout.splitlines()[-2])

    table.write_text(table.read_text(encoding="utf-8").replace("row: 1", "row: 7"), encoding="utf-8")
    answering(monkeypatch, GOOD, GOOD, GOOD, GOOD, WRONG)
    gone = called("--divergences", "divergences.yaml")
    assert (0, "4 passed, 1 failed, 0 unsupported") == (gone.exit_code, gone.stdout.splitlines()[-2])


# ----------------------------------------------------------------------- what comes before all else


@pytest.mark.parametrize(
    ("toml", "arguments", "says"),
    [
        ("jobs = 0", [], "conformance.toml:1:1: jobs: 0 is not a number of jobs"),
        ("", ["--profile", "fast"], "no profile 'fast'; choose one of: quick, gate, deep"),
        ("", ["--jobs", "0"], "0 is not a number of jobs"),
        ("", ["--max-unsupported", "much"], "'much' is not a limit"),
        ("", ["--max-memory", "much"], "'much' is not an amount of memory"),
        ('[engines.mine]\ncommand = "x"', ["--engine", "mime"], "no engine 'mime'\n    did you mean 'mine'?"),
    ],
)
def test_what_cannot_be_asked_ends_it_whatever_else_holds(
    suite: Path, toml: str, arguments: list[str], says: str
) -> None:
    (suite / "conformance.toml").write_text(toml, encoding="utf-8")

    result = called(*arguments)

    assert (2, "") == (result.exit_code, result.stdout)
    assert says in result.stderr


def test_wrong_list_comes_before_an_engine_that_fails(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (suite / "divergences.yaml").write_text("divergences: 3\n")
    answering(monkeypatch, WRONG, WRONG, CANNOT)

    assert 2 == called("--divergences", "divergences.yaml").exit_code


# ---------------------------------------------------------------------------------- which engine

NAMES_NONE = ("", "jobs = 2\n", "engines.one.command = 'node a.js'\nengines.two.command = 'node b.js'\n")


@pytest.mark.parametrize("toml", [None, *NAMES_NONE])
@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--profile", "gate"],
        ["run", "--profile", "gate", "L-9001"],
        ["run", "--update-divergences"],
        ["run", "--engine", ""],
        ["doctor"],
        ["doctor", "--engine", ""],
        ["record", "kept.jsonl.gz"],
    ],
)
def test_our_own_engine_is_not_taken_for_one_that_nobody_named(
    suite: Path, arguments: list[str], toml: str | None
) -> None:
    if toml is not None:
        (suite / "conformance.toml").write_text(toml, encoding="utf-8")

    result = CliRunner().invoke(main, arguments, catch_exceptions=False)

    assert 2 == result.exit_code, result.output
    assert "" == result.stdout
    assert "no engine is named; " in result.stderr
    assert "--engine reference selects our reference engine" in result.stderr
    assert ("has several: one, two" in result.stderr) == (toml == NAMES_NONE[-1])
    assert ["conformance.toml"] * (toml is not None) + ["suite"] == sorted(
        file.name for file in suite.iterdir()
    )


def test_gate_in_the_configuration_needs_an_engine_too(suite: Path) -> None:
    (suite / "conformance.toml").write_text('profile = "gate"\n', encoding="utf-8")

    assert (2, "") == (called().exit_code, called().stdout)
    assert 0 == called("--engine", "reference").exit_code


def test_plain_run_and_an_engine_that_is_named_go_on_as_ever(suite: Path) -> None:
    assert 0 == called().exit_code
    assert 0 == called("--profile", "gate", "--engine", "reference").exit_code
    assert 0 == CliRunner().invoke(main, ["doctor", "--engine", "reference"]).exit_code
    (suite / "conformance.toml").write_text('engine = "reference"\n', encoding="utf-8")
    assert 0 == called("--profile", "gate", "--engine", "").exit_code


def test_command_that_writes_the_list_again_names_the_engine_again(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answering(monkeypatch, WRONG, GOOD, GOOD)
    called("--engine", "reference", "--update-divergences")
    answering(monkeypatch, GOOD, GOOD, GOOD)
    again = called("--engine", "reference", "--profile", "gate", "--divergences", "divergences.yaml")

    [command] = re.findall(r"if that is intended: conformance run (.*)", again.stdout)
    answering(monkeypatch, GOOD, GOOD, GOOD)
    assert 0 == called(*command.split()).exit_code


# ------------------------------------------------------------------------------- conformance.toml


@pytest.mark.sweep
def test_plain_run_in_an_engine_s_repository_does_the_right_thing(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (suite / "conformance.toml").write_text(
        f"""\
profile = "gate"
edition = "2024-11-08"
max_unsupported = "10%"
[engines.mine]
command = {json.dumps([sys.executable, torture.__file__, "environment"])}
folder = "suite"
environment = {{TORTURE = "yes"}}
""",
        encoding="utf-8",
    )
    (suite / ".git").mkdir()
    monkeypatch.chdir(suite / "suite" / "layers")

    result = called()
    named = called("--engine", "mine", "--edition", "2020-04-17")

    assert 5 == result.exit_code
    assert result.stdout.startswith(str(suite)[:40])
    assert result.stdout.splitlines()[0].endswith(", yes, by the rules of 2024-11-08")
    assert "3 of 3 unsupported; at most 10% is allowed" == result.stdout.splitlines()[-1]
    assert "by the rules of 2020-04-17" in named.stdout
    assert (suite / ".conformance").is_dir()
    assert not (suite / "suite" / "layers" / ".conformance").exists()


def test_list_of_the_configuration_is_used_and_may_be_missing_at_first(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (suite / "conformance.toml").write_text(
        'engine = "reference"\ndivergences = "known.yaml"\n', encoding="utf-8"
    )
    answering(monkeypatch, WRONG, GOOD, GOOD)
    first = called()
    answering(monkeypatch, WRONG, GOOD, GOOD)
    called("--engine", "reference", "--update-divergences")
    answering(monkeypatch, WRONG, GOOD, GOOD)
    then = called()

    assert (1, "known.yaml does not exist yet: --update-divergences writes it\n") == (
        first.exit_code,
        first.stderr,
    )
    assert 0 == then.exit_code
    assert (suite / "known.yaml").exists()


@pytest.mark.sweep
@pytest.mark.parametrize("said", ["on the command line", "in the file"])
def test_engine_with_more_memory_than_it_may_have_crashes_and_the_run_goes_on(suite: Path, said: str) -> None:
    argv = [sys.executable, "-S", "-E", torture.__file__]
    limit = 'max_memory = "50 MB"\n' if said == "in the file" else ""
    (suite / "conformance.toml").write_text(
        f"{limit}engines.mine.command = {json.dumps([*argv, 'grows'])}\n", encoding="utf-8"
    )

    result = called(*(["--max-memory", "50MB"] if not limit else []))

    assert 1 == result.exit_code
    assert re.search(r"\nCRASH  L-9001 .*\n    uses \d+ MB of memory; the limit is 50 MB\n", result.stdout)
    assert "0 passed, 3 failed, 0 unsupported\n" in result.stdout


@pytest.mark.sweep
def test_reference_engine_gets_a_process_of_its_own_if_its_memory_is_limited(suite: Path) -> None:
    enough, too_little = called("--max-memory", "2 GB"), called("--max-memory", "1 MB")

    assert (0, 3) == (enough.exit_code, too_little.exit_code)
    assert re.search(
        r"the engine reference did not start: uses \d+ MB of memory; the limit is 1 MB", too_little.stderr
    )


# ------------------------------------------------------------------------------------ the journal


@pytest.mark.sweep
def test_run_that_was_cut_off_goes_on_and_ends_with_the_same_report(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(play: Any) -> Any:
        raise KeyboardInterrupt

    answering(monkeypatch, WRONG, gone)
    called()
    answering(monkeypatch, CANNOT, GOOD)
    resumed = called("--resume")
    answering(monkeypatch, WRONG, CANNOT, GOOD)
    whole = called()

    assert whole.stdout == resumed.stdout
    assert "1 verdicts are known; continuing from there\n" == resumed.stderr
    assert [".gitignore"] == [file.name for file in (suite / ".conformance").iterdir()]
    answering(monkeypatch, WRONG, CANNOT, GOOD)
    assert "nothing to resume: starting from the beginning\n" == called("--resume").stderr


def test_same_run_twice_at_a_time_is_refused(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner: list[Result] = []

    def asks_again(play: Any) -> Any:
        if not inner:
            inner.append(called())
            inner.append(called("--rule", "613"))
        return GOOD(play)

    answering(monkeypatch, *[asks_again] * 3)

    outer = called()

    assert 2 == inner[0].exit_code
    assert "another run is writing this journal" in inner[0].stderr
    assert 0 == inner[1].exit_code
    assert outer.stdout.splitlines()[-1].startswith("3 passed")


def test_run_where_nothing_can_be_written_goes_on_unless_it_is_to_be_resumed(suite: Path) -> None:
    (suite / ".conformance").touch()

    plain, resumed = called(), called("--resume")

    assert 0 == plain.exit_code
    assert "this run cannot be resumed" in plain.stderr
    assert 2 == resumed.exit_code


@pytest.mark.sweep
@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_whole_command_killed_and_resumed(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "conformance", "run", "--profile", "gate", "--rule", "613.8b"]
    command += ["--engine", SERVED]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    killed = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL)
    journals = tmp_path / ".conformance"
    deadline = time.monotonic() + 600
    while (
        time.monotonic() < deadline
        and sum(len(file.read_bytes()) for file in journals.glob("*.jsonl")) < 3000
    ):
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()

    resumed, whole = (
        subprocess.run(
            [*command, *more], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        for more in (["--resume"], [])
    )

    assert re.match(r"[1-9]\d* verdicts are known", resumed.stderr), resumed.stderr
    assert (whole.returncode, whole.stdout) == (resumed.returncode, resumed.stdout)


# ------------------------------------------------------- several engines, and the same two times

TAKEN = sorted(all_fixtures())[::36]
"""These checks stand for all of them here; at night the reference engine plays all of the gate."""


def verdicts(engine: Any, *others: Any) -> list[Any]:
    """The results on these checks, without the times."""
    fixtures: list[Fixture] = [all_fixtures()[id] for id in TAKEN]
    try:
        results = run(engine, fixtures, newest_edition(), also=others)
        return [replace(result, seconds=0.0) for result in results]
    finally:
        for one in (engine, *others):
            getattr(one, "close", lambda: None)()


@pytest.mark.sweep
@pytest.mark.parametrize(
    "name", ["mutant:timestamps-only", pytest.param("reference", marks=pytest.mark.nightly)]
)
def test_verdicts_are_the_same_in_process_through_pipes_and_on_three_engines(name: str) -> None:
    here = verdicts(connect(name))

    assert here == verdicts(in_a_process(name))
    assert here == verdicts(*[in_a_process(name) for _ in range(3)])


@pytest.mark.sweep
def test_jobs_change_nothing_that_is_reported(suite: Path) -> None:
    one, three = (
        called("--engine", f"{SERVED} mutant:timestamps-only", "--jobs", jobs, "-v") for jobs in "13"
    )

    assert (one.exit_code, one.stdout) == (three.exit_code, three.stdout)
    assert one.stdout.count("PASS") == 3


@pytest.mark.sweep
@pytest.mark.parametrize("mode", ["dies-always", "dies-on-third", "garbage"])
def test_jobs_change_nothing_for_a_broken_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("conformance_adapters.stdio.LONGEST_PAUSE", 0.05)
    engine = f"{sys.executable} -S -E {torture.__file__} {mode}"
    one, three = (
        called("--engine", engine, "--jobs", jobs, "--rule", "613.8c", "--profile", "gate") for jobs in "13"
    )

    if mode != "dies-on-third":  # that one counts its own requests
        assert one.stdout == three.stdout
    assert one.exit_code == three.exit_code


def test_scenario_s_own_fault_comes_through_from_several_engines(
    suite: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from conformance.model.problems import Problem, ScenarioError

    fault = ScenarioError([Problem("bear.yaml", 1, 1, "setup", "a bear too many", "send it home")])
    monkeypatch.setattr(
        "conformance_adapters.in_a_process", lambda name, edition=None, home=None: Fake(raises(fault))
    )

    result = called("--jobs", "2")

    assert 2 == result.exit_code
    assert "a bear too many" in result.stderr


@pytest.mark.sweep
def test_gate_is_the_same_to_the_bit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def report(name: str) -> tuple[str, str]:
        result = called(
            "--profile", "gate", "--rule", "613.8c", "--engine", "mutant:timestamps-only", "--json", name
        )
        text = re.sub(r'"(seconds|at)":("[^"]*"|[\d.e-]+)', "", (tmp_path / name).read_text(encoding="utf-8"))
        return result.stdout, text

    one, other = report("one.json"), report("other.json")

    assert one == other
    assert one[1].count('"event":"result"') > 10


@pytest.mark.sweep
@pytest.mark.nightly  # by day a part of the gate is played twice, and fixtures in process and through pipes
def test_whole_gate_is_the_same_to_the_bit_through_pipes_and_is_played_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def report(engine: str) -> str:
        result = called("--engine", engine, "--profile", "gate", "--json", "gate.json")
        assert 0 == result.exit_code
        text = result.stdout + (tmp_path / "gate.json").read_text(encoding="utf-8")
        text = re.sub(r'"(seconds|at)":("[^"]*"|[\d.e-]+)', "", text)
        return text.replace(shlex.quote(engine), "reference").replace(engine, "reference")

    begin = time.process_time()
    here = report("reference")
    assert time.process_time() - begin < 25
    assert here == report(SERVED)
    assert here.count('"event":"result"') > 1000


def test_engine_that_changes_its_answers_is_reported_and_fails(suite: Path) -> None:
    result = called("--engine", f"{sys.executable} -S -E {torture.__file__} random")

    assert 1 == result.exit_code
    assert "the engine answered 3 of the first scenarios in two ways" in result.stderr
    assert result.stdout.count("NONDETERMINISTIC") == 6  # when it is found, and with its cause at the end
    assert "at fault: the engine" in result.stdout

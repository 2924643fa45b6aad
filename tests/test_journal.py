"""The journal: no result is lost, however a run ends, and no one else's verdicts are used."""

from __future__ import annotations

import errno
import os
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from conformance.files.locking import locked
from conformance.model.engine import EngineFailure, EngineInfo
from conformance.model.observation import Observations
from conformance.model.scenario import Fixture, Play
from conformance.model.verdict import Crash, PassVerdict
from conformance.play.journal import Journal, JournalError, JournalHeading, journal_path
from conformance.play.runner import Result, run
from tests.test_runner import NOW, Fake, check, raises, shows

HEADING = JournalHeading(1, "0.1", "fake", EngineInfo("fake", "1.0"), NOW)
CHECKS = [check(number) for number in range(12)]
ROOT = Path(__file__).resolve().parent.parent


def played(path: Path, engine: Fake, checks: list[Fixture] = CHECKS, *, resume: bool = False) -> list[Result]:
    """The results of a run with a journal that stays."""
    journal = Journal(path, HEADING, resume=resume)
    try:
        return [replace(one, seconds=0.0) for one in run(engine, checks, NOW, journal=journal)]
    finally:
        journal.close()


def mixed(play: Play) -> Observations:
    """Answers of every kind, always the same for the same play."""
    kinds: list[Any] = [shows(2), shows(3), raises(EngineFailure("crash", "gone", "so it is")), shows("x")]
    answer: Observations = kinds[len(play.players[0].id) % 4](play)
    return answer


def named(number: int) -> Fixture:
    """A check that `mixed` answers in its own way."""
    fixture = check(number)
    alice = replace(fixture.play.players[0], id="a" * (number + 1))
    return replace(fixture, play=replace(fixture.play, players=(alice,)))


def test_what_is_known_is_not_asked_again(tmp_path: Path) -> None:
    path = tmp_path / ".conformance" / "a.jsonl"
    before = played(path, Fake(shows(2)), CHECKS[:5])
    engine = Fake(shows(3), checks_understanding=True)

    after = played(path, engine, CHECKS, resume=True)

    assert before == after[:5]
    assert 7 == len(engine.played)


def test_without_resume_everything_is_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    played(path, Fake(shows(2)))
    engine = Fake(shows(2))

    played(path, engine)

    assert 12 == len(engine.played)


def test_check_that_has_changed_is_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    played(path, Fake(shows(2)), CHECKS[:2])
    engine = Fake(shows(2))

    played(path, engine, [CHECKS[0], replace(CHECKS[1], title="Another")], resume=True)

    assert 1 == len(engine.played)


def test_every_place_where_it_may_be_cut_off_leads_to_the_same_report(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    checks = [named(number) for number in range(12)]
    expected = played(path, Fake(mixed), checks)
    whole = path.read_bytes()
    places = random.Random(7).sample(range(len(whole) + 1), 100)

    for place in [0, 1, len(whole) - 1, len(whole), *places]:
        path.write_bytes(whole[:place])
        assert expected == played(path, Fake(mixed), checks, resume=True), place
        assert sorted(line.split(b'"seconds"')[0] for line in whole.splitlines()) == sorted(
            line.split(b'"seconds"')[0] for line in path.read_bytes().splitlines()
        )


def test_what_a_loss_of_power_leaves_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    expected = played(path, Fake(shows(2)))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]) + b"\0" * 500 + b"\n" + b"".join(lines[5:]))
    engine = Fake(shows(2))

    assert expected == played(path, engine, resume=True)
    assert 9 == len(engine.played)


@pytest.mark.sweep
@pytest.mark.skipif(os.name != "posix", reason="needs fork and SIGKILL")
def test_killed_at_a_hundred_moments_it_ends_with_the_same_report(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.killed", str(tmp_path / "a.jsonl"), "100", "613"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )

    said = re.fullmatch(r"cut_off=(\d+) torn=(\d+) different=(\d+)\n", done.stdout)
    assert said, done.stdout + done.stderr
    assert 0 == int(said[3])
    assert int(said[1]) > 30
    assert int(said[2]) > 20


def test_engine_that_broke_again_and_again_is_judged_the_same_when_resumed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    broken = raises(EngineFailure("crash", "gone"))
    expected = played(path, Fake(broken))
    lines = path.read_bytes().splitlines(keepends=True)
    assert 6 == len(lines)
    path.write_bytes(b"".join(lines[:4]))

    assert expected == played(path, Fake(broken), resume=True)


def test_half_characters_of_an_engine_do_not_stop_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    engine = Fake(raises(EngineFailure("crash", "gone \ud800", "err \udfff")))

    played(path, engine, CHECKS[:1])

    [again] = played(path, Fake(shows(2)), CHECKS[:1], resume=True)
    assert Crash("gone \\ud800", "err \\udfff") == again.verdict


# ---------------------------------------------------------------------------- whose journal it is


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (replace(HEADING, suite="0.2"), "the suite has changed since this run began: 0.1 then, 0.2 now"),
        (
            replace(HEADING, engine=EngineInfo("fake", "2.0")),
            "the engine has changed .*: fake 1.0 then, fake 2.0 now",
        ),
        (replace(HEADING, edition="2018-01"), "the edition has changed"),
        (replace(HEADING, asked="mine"), "the engine has changed since this run began: fake then, mine now"),
    ],
)
def test_verdicts_of_another_run_are_refused(tmp_path: Path, other: JournalHeading, says: str) -> None:
    path = tmp_path / "a.jsonl"
    Journal(path, HEADING, resume=False).close()

    with pytest.raises(JournalError, match=says) as caught:
        Journal(path, other, resume=True)

    assert "without --resume" in str(caught.value)
    Journal(path, other, resume=False).close()


def test_two_runs_on_one_journal_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    first = Journal(path, HEADING, resume=False)

    for resume in (False, True):
        with pytest.raises(JournalError, match="another run is writing this journal"):
            Journal(path, HEADING, resume=resume)

    first.close()
    Journal(path, HEADING, resume=True).close()


@pytest.mark.sweep
def test_lock_of_a_killed_run_is_gone_with_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    code = f"""
from pathlib import Path
from tests.test_journal import HEADING
from conformance.play.journal import Journal
journal = Journal(Path({str(path)!r}), HEADING, resume=False)
print("locked", flush=True)
import time; time.sleep(60)
"""
    holder = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE)
    assert holder.stdout is not None
    assert b"locked" == holder.stdout.readline().strip()
    with pytest.raises(JournalError, match="another run"):
        Journal(path, HEADING, resume=True)

    holder.kill()
    holder.wait()
    holder.stdout.close()

    Journal(path, HEADING, resume=True).close()


def test_run_that_has_ended_takes_its_journal_away(tmp_path: Path) -> None:
    path = journal_path(tmp_path, "fake", NOW)
    journal = Journal(path, HEADING, resume=False)
    assert path.exists()

    journal.finish()

    assert [".gitignore"] == [file.name for file in path.parent.iterdir()]
    begun = Journal(path, HEADING, resume=True)
    begun.close()
    assert 0 == begun.known


def test_journal_that_was_taken_away_while_we_waited_is_begun_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    times: list[int] = []

    def too_late(file: Any) -> bool:
        if not times:
            path.unlink()
        times.append(1)
        return locked(file)

    monkeypatch.setattr("conformance.play.journal.locked", too_late)
    journal = Journal(path, HEADING, resume=True)
    journal.keep(CHECKS[0], PassVerdict(()), 0.0)
    journal.close()

    assert 2 == len(times)
    assert 2 == len(path.read_bytes().splitlines())


# ------------------------------------------------------------------------------------ no more room


@pytest.mark.sweep
@pytest.mark.skipif(os.name != "posix", reason="limits of a process are POSIX's")
def test_disk_that_is_full_is_explained_and_loses_nothing(tmp_path: Path) -> None:
    """A limit on the size of files is as good as a full disk: a write succeeds in part, then not at all."""
    arguments = "run --profile gate --rule 613.8b --engine mutant:timestamps-only"
    limited = (
        "import resource, runpy; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096));"
        "runpy.run_module('tests.few', run_name='__main__')"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}

    def called(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    full = called("-c", limited, *arguments.split())
    resumed = called("-m", "tests.few", *arguments.split(), "--resume")
    whole = called("-m", "tests.few", *arguments.split())

    assert 2 == full.returncode, full.stderr
    assert re.search(
        r"\.jsonl: cannot be written: .+\n    free some space and continue with --resume", full.stderr
    )
    assert re.search(r"^[1-9]\d* verdicts are known; continuing from there", resumed.stderr)
    assert whole.stdout == resumed.stdout
    assert (1, 1) == (resumed.returncode, whole.returncode)


def test_folder_that_cannot_be_written_to_is_only_of_matter_for_resuming(tmp_path: Path) -> None:
    (tmp_path / ".conformance").touch()

    with pytest.raises(JournalError) as caught:
        Journal(tmp_path / ".conformance" / "a.jsonl", HEADING, resume=False)

    assert caught.value.only_for_resuming
    assert os.strerror(errno.EEXIST) in str(caught.value)

"""A recording answers as the engine did, but never for a scenario that has changed since."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from conformance.cli import main
from conformance.files.canonical import decode, digest
from conformance.gate.divergences import divergences_in
from conformance.model.engine import CannotPlay, EngineFailure, EngineInfo
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play
from conformance.play.selection import selected_fixtures
from conformance.run.doctor import ladder
from conformance.run.options import OUTPUTS
from conformance_adapters import UnknownEngine, connect
from conformance_adapters.recorded import RecordedEngine, RecordedScenario, record, recording_in, stale

STEPS = ladder()[:6]
CHANGED = replace(STEPS[0], play=replace(STEPS[0].play, players=STEPS[0].play.players[::-1]))
DAY = "2026-09-25"
HEADING = b'{"recording":1,"engine":{"name":"a","version":"1"},"at":"","suite":"1"}\n'


class Difficult:
    """An engine that plays the first thing, cannot play the second, and breaks at the third."""

    def describe(self) -> EngineInfo:
        return EngineInfo("difficult", "1", takes=frozenset({"named"}), lacks=frozenset({"teams"}))

    def play(self, play: Play) -> Observations:
        match [step.play for step in STEPS].index(play):
            case 0:
                return connect("reference").play(play)
            case 1:
                raise CannotPlay("no such card")
            case _:
                raise EngineFailure("crash", "fell over", "a long story", lives=True)


def file_of(tmp_path: Path, engine: object, fixtures: tuple[Fixture, ...]) -> Path:
    """A recording of these fixtures in a file."""
    path = tmp_path / "engine.jsonl.gz"
    path.write_bytes(record(engine, fixtures, DAY, "1"))  # type: ignore[arg-type]  # it has the two methods
    return path


def test_playback_answers_as_the_engine_did(tmp_path: Path) -> None:
    engine = connect("reference")
    played_back = connect(f"recorded:{file_of(tmp_path, engine, STEPS)}")

    assert engine.describe() == played_back.describe()
    for step in STEPS:
        assert engine.play(step.play) == played_back.play(step.play)


def test_what_it_could_not_play_and_where_it_broke_is_recorded_too(tmp_path: Path) -> None:
    played_back = RecordedEngine(file_of(tmp_path, Difficult(), STEPS[:3]))

    assert Difficult().describe() == played_back.describe()
    assert isinstance(played_back.play(STEPS[0].play), Observations)
    with pytest.raises(CannotPlay, match="no such card"):
        played_back.play(STEPS[1].play)
    with pytest.raises(EngineFailure, match="crash: fell over") as failure:
        played_back.play(STEPS[2].play)
    assert failure.value.lives
    assert "" == failure.value.stderr


def test_scenario_that_changed_since_is_never_answered(tmp_path: Path) -> None:
    path = file_of(tmp_path, connect("reference"), STEPS[:2])

    with pytest.raises(CannotPlay, match="stale: this scenario is not in the recording"):
        RecordedEngine(path).play(CHANGED.play)
    assert [CHANGED.id, STEPS[2].id] == list(stale(recording_in(path), (CHANGED, *STEPS[:3])))


def test_equal_answers_give_equal_files_in_whatever_order() -> None:
    engine = connect("reference")

    assert record(engine, STEPS, DAY, "1") == record(engine, STEPS[::-1], DAY, "1")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "not a recording"),
        (b"no gzip", "not a recording"),
        (gzip.compress(b"", mtime=0), "not a recording"),
        (gzip.compress(b'{"recording": 1}', mtime=0), "missing required field"),
        (
            gzip.compress(
                b'{"recording":2,"engine":{"name":"a","version":"1"},"at":"","suite":"1"}', mtime=0
            ),
            "format 2",
        ),
        (gzip.compress(HEADING + b'{"id": "a"}\n', mtime=0), r"gz:2:1: .*missing required field `play`"),
        (gzip.compress(HEADING, mtime=0)[:-12], "not a recording: Compressed file ended"),
        (gzip.compress(HEADING * 100, mtime=0)[:60] + b"\0" * 60, "not a recording: Error -3"),
        (gzip.compress(b" " * 40_000_000, mtime=0), "not a recording: more than 33,554,432 bytes, unpacked"),
        (gzip.compress(HEADING + b"\n" * 40_000_000, mtime=0), r"gz:2:1: not JSON"),
    ],
    ids=[
        *("empty", "no gzip", "empty gzip", "no heading", "newer format", "no answer"),
        *("cut off", "damaged", "a bomb of one line", "a bomb of lines"),
    ],
)
def test_file_that_is_not_a_recording_is_explained(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "broken.jsonl.gz"
    path.write_bytes(content)

    with pytest.raises(ScenarioError, match=says):
        RecordedEngine(path).describe()


def test_command_ends_with_2_if_a_recording_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "broken.jsonl.gz"
    path.write_bytes(gzip.compress(HEADING * 100, mtime=0)[:60])

    ended = conformance("run", "L-0001", "--engine", f"recorded:{path}")

    assert 2 == ended.exit_code
    assert ended.output.startswith(f"{path}: not a recording: Compressed file ended")


def test_recording_that_is_not_there_is_explained(tmp_path: Path) -> None:
    with pytest.raises(UnknownEngine, match="no such file"):
        connect(f"recorded:{tmp_path / 'nothing'}")


# ------------------------------------------------------------------------------- by the command


def conformance(*arguments: str | Path) -> Result:
    """A command's output and exit code."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def two_fixtures(monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The ids of two fixtures, the only ones that the command sees."""
    few = [next(iter(selected_fixtures([id]))) for id in ("L-0001", "G-0001")]
    monkeypatch.setattr("conformance.play.selection.every_fixture", lambda: (one.fixture for one in few))
    return ("G-0001", "L-0001")


def test_command_records_and_says_what_is_stale(tmp_path: Path, two_fixtures: tuple[str, str]) -> None:
    path = tmp_path / "mutant.jsonl.gz"

    made = conformance("record", "--engine", "mutant:by-id", path)

    assert (0, f"mutant:by-id recorded in {path}: ") == (
        made.exit_code,
        made.output[: made.output.index(": ", 20) + 2],
    )
    lines = recording_in(path).lines.values()
    assert two_fixtures == tuple(decode(line, RecordedScenario).id for line in lines)
    assert "mutant:by-id" == recording_in(path).heading.engine.name
    current = conformance("record", "--stale", path)
    assert (0, "") == (current.exit_code, current.output)

    path.write_bytes(record(connect("reference"), STEPS[:1], DAY, "1"))
    old = conformance("record", "--stale", path)
    assert (1, "G-0001\nL-0001\n") == (old.exit_code, old.output)


# --------------------------------------------------------------------- the engines of others that we recorded

ADAPTERS = Path(__file__).parent.parent / "adapters"
RECORDINGS = sorted((ADAPTERS / "recordings").glob("*.jsonl.gz"))
ONE_BY_DAY = [RECORDINGS[0], *(pytest.param(one, marks=pytest.mark.nightly) for one in RECORDINGS[1:])]
LISTS = {
    path: ADAPTERS / "shims" / path.name.removesuffix(".jsonl.gz").replace("-", "_") / "divergences.yaml"
    for path in RECORDINGS
}


def name_of_recording(path: Path) -> str:
    return path.name.removesuffix(".jsonl.gz")


NAMED = [pytest.param(path, id=name_of_recording(path)) for path in RECORDINGS]


@pytest.mark.sweep
@pytest.mark.parametrize("path", NAMED)
def test_our_recordings_say_who_was_recorded_and_know_most_fixtures(path: Path) -> None:
    recording = recording_in(path)

    assert path.name.removesuffix(".jsonl.gz") == recording.heading.engine.name
    assert recording.heading.engine.edition
    assert recording.lines
    fixtures = [one.fixture for one in selected_fixtures()]
    assert len(list(stale(recording, fixtures))) < len(fixtures) / 2


@pytest.mark.sweep
@pytest.mark.parametrize("path", NAMED)
def test_every_divergence_of_a_recording_has_a_reason_that_people_can_check(path: Path) -> None:
    whole = divergences_in(LISTS[path])
    listed = whole.known.values()

    assert listed
    assert len(whole.plays) > len(listed)
    assert "\nplays:" not in LISTS[path].read_text(encoding="utf-8")
    assert [] == [entry.check for entry in listed if not entry.reason]
    stored = [entry.scenario for entry in listed if entry.scenario]
    assert [] == [name for name in stored if not (LISTS[path].parent / name).exists()]


@pytest.mark.sweep
@pytest.mark.parametrize("path", ONE_BY_DAY, ids=name_of_recording)
def test_gate_reports_and_compare_work_on_a_recording(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where its journals are its own
    answers = recording_in(path).lines
    fixtures = [one.fixture for one in selected_fixtures(rules=("613.7", "601.2f"))]
    current = [fixture.id for fixture in fixtures if digest(fixture.play) in answers]
    asked = ("run", *current, "--profile", "gate", "--max-unsupported", "100%")
    files = {kind: tmp_path / f"run-{kind}.svg" for kind in OUTPUTS}
    reports = [part for kind, file in files.items() for part in (f"--{kind}", file)]

    gate = conformance(*asked, "--engine", f"recorded:{path}", "--divergences", LISTS[path], *reports)
    assert 0 == gate.exit_code, gate.output
    assert all(file.stat().st_size for file in files.values())

    reference = tmp_path / "reference.json"
    assert 0 == conformance(*asked, "--engine", "reference", "--json", reference).exit_code
    side_by_side = conformance("compare", reference, files["json"])
    assert 0 == side_by_side.exit_code
    assert recording_in(path).heading.engine.name in side_by_side.output

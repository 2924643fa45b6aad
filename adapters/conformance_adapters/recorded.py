"""Recordings: an engine's answers to every scenario in a small file, played back as an engine.

With a recording, anybody can grade, report on and compare an engine that is not on their machine. A file
holds compressed JSON lines: a heading (which engine, when, by which version of the suite), then one answer
per scenario, identified by the digest of what the engine was sent. A scenario that has changed since is not
in the recording: playback says that it cannot play it, and `stale` lists it.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from conformance.files.canonical import decode, digest, encode
from conformance.model.engine import CannotPlay, Engine, EngineFailure, EngineInfo, FailureKind
from conformance.model.observation import Observations
from conformance.model.problems import Problem, ScenarioError
from conformance.model.scenario import Fixture, Play

RECORDING_FORMAT = 1
LONGEST = 32 * 1024 * 1024
"""Maximum size of an uncompressed recording in bytes: fifty times that of the whole suite."""
_Kind = TypeVar("_Kind")
UNRECORDED = "stale: this scenario is not in the recording, or has changed since; record the engine again"


class RecordingHeading(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: the recorded engine, the date, and the version of the suite."""

    recording: int
    engine: EngineInfo
    at: str
    suite: str


class CouldPlay(Struct, frozen=True, forbid_unknown_fields=True, tag_field="came", tag="seen"):
    """The engine played the scenario."""

    observations: Observations


class CouldNotPlay(Struct, frozen=True, forbid_unknown_fields=True, tag_field="came", tag="cannot"):
    """The engine said that it cannot play the scenario."""

    says: str


class Broke(Struct, frozen=True, forbid_unknown_fields=True, tag_field="came", tag="broke"):
    """The engine failed while answering."""

    kind: FailureKind
    says: str
    lives: bool = False


RecordedAnswer = CouldPlay | CouldNotPlay | Broke


class RecordedScenario(Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome of one scenario, with its name."""

    id: str
    play: str
    """The digest of what the engine was sent."""
    outcome: RecordedAnswer


class Recording(Struct, frozen=True):
    heading: RecordingHeading
    lines: Mapping[str, bytes]
    """The line of each answer, by the digest of its scenario. Parsed only when needed."""


def record(engine: Engine, fixtures: Iterable[Fixture], at: str, suite: str) -> bytes:
    """The recording of an engine over these fixtures, as file content."""
    answers = [
        RecordedScenario(fixture.id, digest(fixture.play), outcome(engine, fixture.play))
        for fixture in fixtures
    ]
    heading = RecordingHeading(RECORDING_FORMAT, engine.describe(), at, suite)
    return compressed_lines([heading, *sorted(answers, key=lambda answer: answer.id)])


def outcome(engine: Engine, play: Play) -> RecordedAnswer:
    """The outcome of asking an engine."""
    try:
        return CouldPlay(engine.play(play))
    except CannotPlay as beyond:
        return CouldNotPlay(str(beyond))
    except EngineFailure as failure:
        return Broke(failure.kind, failure.says, failure.lives)


def compressed_lines(lines: Sequence[object]) -> bytes:
    """Values as compressed JSON lines; the same values always give the same bytes."""
    content = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=content, mtime=0) as file:
        file.writelines(encode(line) + b"\n" for line in lines)
    return content.getvalue()


def recording_in(path: Path) -> Recording:
    """Read the recording in a file. Raises `ScenarioError` if it is not one.

    Uncompressed content may be a thousand times as large as the file, so it is read line by line, up to a
    limit.
    """
    lines = lines_in(path)
    first = next(lines, None)
    if first is None:
        raise no_recording(path, "it is empty")
    heading = parse_line(first, RecordingHeading, path, 1)
    if heading.recording != RECORDING_FORMAT:
        what = f"a recording of format {heading.recording}; this suite reads format {RECORDING_FORMAT}"
        raise ScenarioError([Problem(str(path), 1, 1, "recording", what, "record the engine again")])
    return Recording(
        heading,
        {parse_line(line, RecordedScenario, path, n).play: line for n, line in enumerate(lines, 2)},
    )


def lines_in(path: Path) -> Iterator[bytes]:
    """The lines of a compressed file. Raises `ScenarioError` where it is damaged or too long."""
    left = LONGEST
    try:
        with gzip.open(path) as file:
            while line := file.readline(left + 1):
                left -= len(line)
                if left < 0:
                    raise no_recording(path, f"more than {LONGEST:,} bytes, unpacked")
                yield line
    except (OSError, EOFError, zlib.error) as error:
        raise no_recording(path, error.strerror if isinstance(error, OSError) else str(error)) from None


def parse_line(line: bytes, kind: type[_Kind], path: Path, number: int) -> _Kind:
    """Parse a line of a recording."""
    try:
        return decode(line, kind, str(path), "the recording")
    except ScenarioError as error:
        problems = [replace(problem, line=number, column=problem.column or 1) for problem in error.problems]
        raise ScenarioError(problems) from None


def no_recording(path: Path, why: str | None) -> ScenarioError:
    """The error for a file that is not a recording."""
    cure = "`conformance record` writes one"
    return ScenarioError([Problem(str(path), 0, 0, "", f"not a recording: {why or 'damaged'}", cure)])


def stale(recording: Recording, fixtures: Iterable[Fixture]) -> Iterator[str]:
    """The ids of fixtures without an answer in the recording: changed since, or new."""
    return (fixture.id for fixture in fixtures if digest(fixture.play) not in recording.lines)


class RecordedEngine:
    """A recorded engine: it gives the answers from the recording."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._recording: Recording | None = None

    def describe(self) -> EngineInfo:
        """The description of the recorded engine."""
        return self._read().heading.engine

    def play(self, play: Play) -> Observations:
        """The recorded observations; a scenario that has changed since cannot be played."""
        line = self._read().lines.get(digest(play))
        match decode(line, RecordedScenario).outcome if line else None:
            case CouldPlay(observations):
                return observations
            case CouldNotPlay(says):
                raise CannotPlay(says)
            case Broke(kind, says, lives):
                raise EngineFailure(kind, says, lives=lives)
            case None:
                raise CannotPlay(UNRECORDED)

    def _read(self) -> Recording:
        if self._recording is None:
            self._recording = recording_in(self._path)
        return self._recording

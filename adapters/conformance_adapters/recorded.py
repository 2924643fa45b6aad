"""Recordings: what an engine answered to every scenario, kept in a small file, and played back as an engine.

With a recording everybody can grade, report on and compare an engine that is not on their machine. A
file holds JSON lines, packed: a heading (who was recorded, when, by which suite), then one answer a
scenario, found by the digest of what the engine was sent. A scenario that has changed since is in no
recording: the playback says that it cannot play it, and `stale` names it.
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

FORMAT = 1
LONGEST = 32 * 1024 * 1024
"""The most bytes of a recording, unpacked: fifty times what the whole suite comes to."""
Kind = TypeVar("Kind")
STALE = "stale: this scenario is not in the recording, or has changed since; record the engine again"


class Heading(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: who was recorded, on which day, by which version of the suite."""

    recording: int
    engine: EngineInfo
    at: str
    suite: str


class Seen(Struct, frozen=True, forbid_unknown_fields=True, tag_field="came", tag="seen"):
    """The engine played it."""

    observations: Observations


class Cannot(Struct, frozen=True, forbid_unknown_fields=True, tag_field="came", tag="cannot"):
    """The engine said that this is beyond it."""

    says: str


class Broke(Struct, frozen=True, forbid_unknown_fields=True, tag_field="came", tag="broke"):
    """The engine failed while answering."""

    kind: FailureKind
    says: str
    lives: bool = False


Outcome = Seen | Cannot | Broke


class Answered(Struct, frozen=True, forbid_unknown_fields=True):
    """What came of one scenario, and what it is called."""

    id: str
    play: str
    """The digest of what the engine was sent."""
    outcome: Outcome


class Recording(Struct, frozen=True):
    """A recording, read."""

    heading: Heading
    lines: Mapping[str, bytes]
    """The line of each answer, by the digest of its scenario: most are never asked for."""


def recorded(engine: Engine, fixtures: Iterable[Fixture], at: str, suite: str) -> bytes:
    """The recording of an engine over these fixtures, as the content of a file."""
    answers = [
        Answered(fixture.id, digest(fixture.play), outcome(engine, fixture.play)) for fixture in fixtures
    ]
    heading = Heading(FORMAT, engine.describe(), at, suite)
    return packed([heading, *sorted(answers, key=lambda answer: answer.id)])


def outcome(engine: Engine, play: Play) -> Outcome:
    """What comes of asking an engine."""
    try:
        return Seen(engine.play(play))
    except CannotPlay as beyond:
        return Cannot(str(beyond))
    except EngineFailure as failure:
        return Broke(failure.kind, failure.says, failure.lives)


def packed(lines: Sequence[object]) -> bytes:
    """Values as packed JSON lines; equal values give equal bytes, on whatever day."""
    content = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=content, mtime=0) as file:
        file.writelines(encode(line) + b"\n" for line in lines)
    return content.getvalue()


def recording_in(path: Path) -> Recording:
    """The recording in a file. Raises `ScenarioError` if there is none.

    What is packed may be a thousand times as long as the file: it is read by lines, up to a limit.
    """
    lines = lines_in(path)
    first = next(lines, None)
    if first is None:
        raise no_recording(path, "nothing is in it")
    heading = read(first, Heading, path, 1)
    if heading.recording != FORMAT:
        what = f"a recording of format {heading.recording}; this suite reads format {FORMAT}"
        raise ScenarioError([Problem(str(path), 1, 1, "recording", what, "record the engine again")])
    return Recording(heading, {read(line, Answered, path, n).play: line for n, line in enumerate(lines, 2)})


def lines_in(path: Path) -> Iterator[bytes]:
    """The lines of a packed file. Raises `ScenarioError` where it is damaged or too long."""
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


def read(line: bytes, kind: type[Kind], path: Path, number: int) -> Kind:
    """What a line of a recording says."""
    try:
        return decode(line, kind, str(path), "the recording")
    except ScenarioError as error:
        problems = [replace(problem, line=number, column=problem.column or 1) for problem in error.problems]
        raise ScenarioError(problems) from None


def no_recording(path: Path, why: str | None) -> ScenarioError:
    """The error for a file that is no recording."""
    cure = "`conformance record` writes one"
    return ScenarioError([Problem(str(path), 0, 0, "", f"no recording: {why or 'damaged'}", cure)])


def stale(recording: Recording, fixtures: Iterable[Fixture]) -> Iterator[str]:
    """The ids of fixtures that the recording has no answer to: changed since, or new."""
    return (fixture.id for fixture in fixtures if digest(fixture.play) not in recording.lines)


class RecordedEngine:
    """An engine that is not there: it answers as it did when it was recorded."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._recording: Recording | None = None

    def describe(self) -> EngineInfo:
        """Who was recorded."""
        return self._read().heading.engine

    def play(self, play: Play) -> Observations:
        """What was seen then; a scenario that is not the same any more cannot be played."""
        line = self._read().lines.get(digest(play))
        match decode(line, Answered).outcome if line else None:
            case Seen(observations):
                return observations
            case Cannot(says):
                raise CannotPlay(says)
            case Broke(kind, says, lives):
                raise EngineFailure(kind, says, lives=lives)
            case None:
                raise CannotPlay(STALE)

    def _read(self) -> Recording:
        if self._recording is None:
            self._recording = recording_in(self._path)
        return self._recording

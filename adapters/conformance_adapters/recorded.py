"""Recordings: what an engine answered to every scenario, kept in a small file, and played back as an engine.

With a recording everybody can grade, report on and compare an engine that is not on their machine. A
file holds JSON lines, packed: a heading (who was recorded, when, by which suite), then one answer a
scenario, found by the digest of what the engine was sent. A scenario that has changed since is in no
recording: the playback says that it cannot play it, and `stale` names it.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from conformance.files.canonical import decode, digest, encode
from conformance.model.engine import CannotPlay, Engine, EngineFailure, EngineInfo, FailureKind
from conformance.model.observation import Observations
from conformance.model.problems import Problem, ScenarioError
from conformance.model.scenario import Fixture, Play

FORMAT = 1
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
    answers: Mapping[str, Answered]
    """By the digests of the scenarios."""


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
    """The recording in a file. Raises `ScenarioError` if there is none."""
    try:
        first, *rest = gzip.decompress(path.read_bytes()).splitlines()
    except (OSError, EOFError, ValueError) as error:
        cure = "`conformance record` writes one"
        raise ScenarioError([Problem(str(path), 0, 0, "", f"no recording: {error}", cure)]) from None
    heading = decode(first, Heading, str(path))
    if heading.recording != FORMAT:
        what = f"a recording of format {heading.recording}; this suite reads format {FORMAT}"
        raise ScenarioError([Problem(str(path), 1, 1, "recording", what, "record the engine again")])
    answers = [decode(line, Answered, str(path)) for line in rest]
    return Recording(heading, {answer.play: answer for answer in answers})


def stale(recording: Recording, fixtures: Iterable[Fixture]) -> Iterator[str]:
    """The ids of fixtures that the recording has no answer to: changed since, or new."""
    return (fixture.id for fixture in fixtures if digest(fixture.play) not in recording.answers)


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
        answer = self._read().answers.get(digest(play))
        match answer.outcome if answer else None:
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

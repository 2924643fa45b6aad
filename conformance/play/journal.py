"""The journal of a run: every verdict is written down as soon as it is known, one JSON object a line.

Whatever ends a run (a kill, a crash, a full disk), what was measured is not lost: `--resume` takes the
verdicts of the same checks from the journal and plays only the rest. The file is locked while a run writes
it, by the system, so that a lock never outlives its holder; a run that ends by itself takes it away.

A verdict counts for exactly the check it was given on: a check whose content has changed is played again.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import threading
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from conformance.model.engine import EngineInfo
from conformance.model.scenario import Fixture
from conformance.model.verdict import Verdict

FOLDER = ".conformance"
FORMAT = 1


class JournalError(Exception):
    """A journal that cannot be used; it says why, and what to do."""

    def __init__(self, text: str, *, only_for_resuming: bool = False) -> None:
        super().__init__(text)
        self.only_for_resuming = only_for_resuming
        """Whether a run may do without it: nothing was written yet, and nobody else is writing."""


class Heading(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: whose verdicts follow. They are of use to nobody else."""

    journal: int
    suite: str
    asked: str
    engine: EngineInfo
    edition: str


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """A verdict that is known, and on what it was given."""

    id: str
    content: str
    verdict: Verdict
    seconds: float
    died: bool = False
    """Whether the engine was gone after that."""


def journal_path(home: Path, *asked: object) -> Path:
    """Where the journal of a run lies that is asked these things, below a folder."""
    name = hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:12]
    return home / FOLDER / f"{name}.jsonl"


def content_of(fixture: Fixture) -> str:
    """What a check says, in short: equal for equal checks."""
    return hashlib.sha256(msgspec.json.encode(fixture, order="deterministic")).hexdigest()[:16]


class Journal:
    """An open journal: it recalls what is known, and keeps what becomes known."""

    def __init__(self, path: Path, heading: Heading, *, resume: bool) -> None:
        """Open and lock it; to resume, read what is there. Raises `JournalError`."""
        self.path = path
        self._writing = threading.Lock()
        self._known: dict[tuple[str, str], Kept] = {}
        self._file = locked_file(path)
        try:
            if resume:
                self._go_on(heading)
            else:
                self._file.truncate(0)
            if not self._file.seek(0, os.SEEK_END):
                self._write(heading)
        except BaseException:
            self._file.close()
            raise

    @property
    def known(self) -> int:
        """How many verdicts there were when it was opened."""
        return len(self._known)

    def recall(self, fixture: Fixture) -> Kept | None:
        """What is known of a check from before, if anything."""
        return self._known.get((fixture.id, content_of(fixture))) if self._known else None

    def keep(self, fixture: Fixture, verdict: Verdict, seconds: float, *, died: bool = False) -> None:
        """Write down what an engine was asked and came to."""
        self._write(Kept(fixture.id, content_of(fixture), verdict, seconds, died))

    def close(self) -> None:
        """Let go of it; it stays for whoever resumes the run."""
        self._file.close()

    def finish(self) -> None:
        """The run has said all that it had to say: take the journal away."""
        if sys.platform != "win32":
            self.path.unlink(missing_ok=True)  # while it is locked, so that nobody can begin on it
        self.close()
        if sys.platform == "win32":  # where what is open cannot be taken away
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)

    def _go_on(self, heading: Heading) -> None:
        """Read the verdicts there are, and cut off what was not written to its end."""
        self._file.seek(0)
        lines = self._file.read().split(b"\n")
        whole = 0
        for number, line in enumerate(lines[:-1]):
            try:
                if number == 0:
                    self._same_run(msgspec.json.decode(line, type=Heading), heading)
                else:
                    kept = msgspec.json.decode(line, type=Kept)
                    self._known[kept.id, kept.content] = kept
            except (msgspec.DecodeError, UnicodeDecodeError):
                break  # a machine that lost its power may leave anything: from here on it is played again
            whole += len(line) + 1
        self._file.truncate(whole)

    def _same_run(self, before: Heading, now: Heading) -> None:
        """Raises unless the journal is about the same engine, graded by the same rules and suite."""
        for word in ("asked", "engine", "edition", "suite", "journal"):
            was, is_now = getattr(before, word), getattr(now, word)
            if was != is_now:
                name = {"asked": "engine", "journal": "format of journals"}.get(word, word)
                raise JournalError(
                    f"{self.path}: the {name} was another when this run began: "
                    f"{in_short(was)}, and now {in_short(is_now)}\n    begin anew: leave --resume out"
                )

    def _write(self, line: Heading | Kept) -> None:
        """Append one line, all of it, before anything else happens."""
        content = memoryview(as_json(line) + b"\n")
        with self._writing:
            try:
                while content:
                    content = content[self._file.write(content) or 0 :]
            except OSError as error:
                raise JournalError(
                    f"{self.path}: cannot be written: {error.strerror}\n"
                    "    make room and go on with --resume: what was written until now is kept"
                ) from None


def in_short(value: object) -> str:
    """A value of the heading as a person reads it."""
    return f"{value.name} {value.version}" if isinstance(value, EngineInfo) else str(value)


def as_json(line: Heading | Kept) -> bytes:
    """A line; what an engine in this process says may be text that cannot be written, and is escaped then."""
    try:
        return msgspec.json.encode(line)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(line)
        return msgspec.json.encode(without_half_characters(plain))


def without_half_characters(value: object) -> object:
    """The same value, with each half character in its texts escaped."""
    match value:
        case str():
            return value.encode(errors="backslashreplace").decode()
        case dict():
            return {key: without_half_characters(inner) for key, inner in value.items()}
        case list() | tuple():
            return [without_half_characters(inner) for inner in value]
        case _:
            return value


# -------------------------------------------------------------------------------- the locked file


def unwatched(folder: Path) -> None:
    """Make a folder for what comes and goes with runs; nobody's version control looks at it."""
    folder.mkdir(parents=True, exist_ok=True)
    ignored = folder / ".gitignore"
    if not ignored.exists():
        ignored.write_text("*\n", encoding="utf-8")


def locked_file(path: Path) -> IO[bytes]:
    """The file, open for reading and appending, and nobody else's. Raises `JournalError`."""
    try:
        unwatched(path.parent)
        while True:
            file = path.open("a+b", buffering=0)
            if not locked(file):
                file.close()
                raise JournalError(
                    f"{path}: another run is writing this journal\n"
                    "    wait for its end; the same run twice at a time is of no use"
                )
            if is_still_there(path, file):
                return file
            file.close()  # the run before took it away between our opening and locking it
    except OSError as error:
        raise JournalError(f"{path}: cannot be written: {error.strerror}", only_for_resuming=True) from None


def is_still_there(path: Path, file: IO[bytes]) -> bool:
    """Whether the open file is the one of that name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False


FAR_AWAY = 1 << 40
"""Windows locks bytes, and nobody else may read those: one is taken that no journal reaches."""

if sys.platform == "win32":
    import msvcrt

    def locked(file: IO[bytes]) -> bool:
        """Whether the file is ours now. The lock goes when the file is closed, or our process ends."""
        file.seek(FAR_AWAY)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def locked(file: IO[bytes]) -> bool:
        """Whether the file is ours now. The lock goes when the file is closed, or our process ends."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

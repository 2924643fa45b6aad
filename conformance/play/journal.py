"""The journal of a run: every verdict is written as soon as it is known, one JSON object per line.

However a run ends (killed, crashed, disk full), its verdicts are not lost: `--resume` takes them from the
journal and plays only the remaining checks. The operating system locks the file while a run writes it, so a
lock never outlives its holder; a run that finishes deletes the journal.

A verdict counts only for the exact check it was given on: a check whose content has changed is played again.
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
from msgspec.structs import replace

from conformance.files.locking import locked
from conformance.files.writing import write_file
from conformance.model.card_parts import once_for_each
from conformance.model.engine import EngineInfo
from conformance.model.scenario import Fixture
from conformance.model.verdict import Verdict
from reference_engine.language.cards import Card

JOURNAL_FOLDER = ".conformance"
JOURNAL_FORMAT = 2


class JournalError(Exception):
    """The journal cannot be used; the message says why and what to do."""

    def __init__(self, text: str, *, only_for_resuming: bool = False) -> None:
        super().__init__(text)
        self.only_for_resuming = only_for_resuming
        """Whether the run may go on without a journal: nothing is written yet, and no other run is writing.
        """


class JournalHeading(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: the run that the verdicts belong to. No other run can use them."""

    journal: int
    suite: str
    asked: str
    engine: EngineInfo
    edition: str


class JournalEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """A recorded verdict, with the check and the content it was given on."""

    id: str
    content: str
    verdict: Verdict
    seconds: float
    died: bool = False
    """Whether the engine died during this check."""


def journal_path(home: Path, *asked: object) -> Path:
    """Path of the journal, below `home`, for a run with these arguments."""
    name = hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:12]
    return home / JOURNAL_FOLDER / f"{name}.jsonl"


def content_of(fixture: Fixture) -> str:
    """A short hash of a check's content. Its cards are hashed once for all checks that have them."""
    play = fixture.play
    cards = [(hash_of_card(card.definition), card.text, card.real) for card in play.cards]
    return hash_of((replace(fixture, play=replace(play, cards=())), cards))


@once_for_each
def hash_of_card(card: Card) -> str:
    return hash_of(card)


def hash_of(value: object) -> str:
    """A short hash of a value, which is the same in every process."""
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()[:16]


class Journal:
    """An open journal: looks up recorded verdicts and records new ones."""

    def __init__(self, path: Path, heading: JournalHeading, *, resume: bool) -> None:
        """Open and lock the file; to resume, read its verdicts. Raises `JournalError`."""
        self.path = path
        self._writing = threading.Lock()
        self._known: dict[tuple[str, str], JournalEntry] = {}
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
        """Number of verdicts that were read when the journal was opened."""
        return len(self._known)

    def recall(self, fixture: Fixture) -> JournalEntry | None:
        """The verdict recorded for this check by an earlier run, if any."""
        return self._known.get((fixture.id, content_of(fixture))) if self._known else None

    def keep(self, fixture: Fixture, verdict: Verdict, seconds: float, *, died: bool = False) -> None:
        """Record the verdict on a check."""
        self._write(JournalEntry(fixture.id, content_of(fixture), verdict, seconds, died))

    def close(self) -> None:
        """Close the file, and leave it for a run that resumes."""
        self._file.close()

    def finish(self) -> None:
        """Close and delete the journal: the run is complete."""
        if sys.platform != "win32":
            self.path.unlink(missing_ok=True)  # while it is locked, so that no other run can start on it
        self.close()
        if sys.platform == "win32":  # Windows cannot delete an open file
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)

    def _go_on(self, heading: JournalHeading) -> None:
        """Read the complete verdicts, and cut off an incomplete last line."""
        self._file.seek(0)
        lines = self._file.read().split(b"\n")
        whole = 0
        for number, line in enumerate(lines[:-1]):
            try:
                if number == 0:
                    self._same_run(msgspec.json.decode(line, type=JournalHeading), heading)
                else:
                    kept = msgspec.json.decode(line, type=JournalEntry)
                    self._known[kept.id, kept.content] = kept
            except (msgspec.DecodeError, UnicodeDecodeError):
                break  # after a power failure the rest may be anything: it is played again
            whole += len(line) + 1
        self._file.truncate(whole)

    def _same_run(self, before: JournalHeading, now: JournalHeading) -> None:
        """Raise unless the journal belongs to the same engine, edition, suite and format."""
        for word in ("asked", "engine", "edition", "suite", "journal"):
            was, is_now = getattr(before, word), getattr(now, word)
            if was != is_now:
                name = {"asked": "engine", "journal": "format of journals"}.get(word, word)
                raise JournalError(
                    f"{self.path}: the {name} has changed since this run began: "
                    f"{in_short(was)} then, {in_short(is_now)} now\n    start again without --resume"
                )

    def _write(self, line: JournalHeading | JournalEntry) -> None:
        """Append one complete line."""
        content = memoryview(as_json(line) + b"\n")
        with self._writing:
            try:
                while content:
                    content = content[self._file.write(content) or 0 :]
            except OSError as error:
                raise JournalError(
                    f"{self.path}: cannot be written: {error.strerror}\n"
                    "    free some space and continue with --resume: everything written so far is kept"
                ) from None


def in_short(value: object) -> str:
    """A value of the heading, formatted for a message."""
    return f"{value.name} {value.version}" if isinstance(value, EngineInfo) else str(value)


def as_json(line: JournalHeading | JournalEntry) -> bytes:
    """One encoded line. A Python engine may return text that UTF-8 cannot encode: such text is escaped."""
    try:
        return msgspec.json.encode(line)
    except UnicodeEncodeError:
        plain = msgspec.to_builtins(line)
        return msgspec.json.encode(without_half_characters(plain))


def without_half_characters(value: object) -> object:
    """The same value, with lone surrogates in its strings escaped."""
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


def create_ignored_folder(folder: Path) -> None:
    """Create a folder for temporary files of runs, ignored by Git."""
    folder.mkdir(parents=True, exist_ok=True)
    ignored = folder / ".gitignore"
    if not ignored.exists():
        write_file(ignored, "*\n")


def locked_file(path: Path) -> IO[bytes]:
    """The file, opened for reading and appending, and locked. Raises `JournalError`."""
    try:
        create_ignored_folder(path.parent)
        while True:
            file = path.open("a+b", buffering=0)
            if not locked(file):
                file.close()
                raise JournalError(f"{path}: another run is writing this journal\n    wait until it ends")
            if is_still_there(path, file):
                return file
            file.close()  # the previous run deleted it between our opening and locking it
    except OSError as error:
        raise JournalError(f"{path}: cannot be written: {error.strerror}", only_for_resuming=True) from None


def is_still_there(path: Path, file: IO[bytes]) -> bool:
    """Whether the path still names the open file."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except FileNotFoundError:
        return False

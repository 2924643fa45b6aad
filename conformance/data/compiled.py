"""The suite's cards, fixtures and lists in one file, which loads twenty times as fast as their YAML.

A wheel contains this file, made when the wheel is built. A checkout keeps one beside its fixtures, named by a
digest of the fixtures and of the code that reads them, so that it is never out of date. This module knows the
layout and the location of the file; `library` produces the contents and uses it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from conformance.data.garbage import garbage_collection_off
from conformance.model.scenario import CardInPlay, Fixture
from reference_engine.language.cards import Card

PACKAGE = Path(__file__).resolve().parent.parent
NAME = "compiled.msgpack"


@cache
def fixtures_folder() -> Path:
    """The folder of fixtures: in the checkout, or inside the installed wheel."""
    inside, beside = PACKAGE / "fixtures", PACKAGE.parent / "fixtures"
    return inside if inside.is_dir() else beside


class StoredFixture(Struct, frozen=True):
    """A fixture without its cards, plus its file and the numbers of its cards."""

    file: str
    cards: tuple[int, ...]
    fixture: Raw


class StoredLibrary(Struct, frozen=True):
    """The contents of the file. Each card is stored once, however many fixtures use it."""

    cards: tuple[Raw, ...]
    pool: tuple[int, ...]
    """Numbers of the real cards."""
    fixtures: dict[str, StoredFixture]
    """By id, sorted."""
    lists: dict[str, Raw]
    """`rulebook.yaml` and similar files, with every scalar as text."""


def stored_bytes(
    pool: Iterable[CardInPlay], fixtures: Mapping[str, tuple[str, Fixture]], lists: Mapping[str, object]
) -> bytes:
    """The file's contents for these cards, fixtures (by id, each with its file) and lists."""
    from conformance.files.canonical import without_defaults

    numbers: dict[CardInPlay, int] = {}

    def number_of(card: CardInPlay) -> int:
        return numbers.setdefault(card, len(numbers))

    stored = StoredLibrary(
        pool=tuple(map(number_of, pool)),
        fixtures={
            id: StoredFixture(
                file,
                tuple(map(number_of, fixture.play.cards)),
                raw(without_defaults(replace(fixture, play=replace(fixture.play, cards=())))),
            )
            for id, (file, fixture) in fixtures.items()
        },
        cards=tuple(raw(without_defaults(card)) for card in numbers),
        lists={name: raw(of) for name, of in lists.items()},
    )
    return msgspec.msgpack.encode(stored)


def raw(value: object) -> Raw:
    """A value that is decoded only on demand."""
    return Raw(msgspec.msgpack.encode(value, order="sorted"))


class CompiledLibrary:
    """The compiled file, decoded piece by piece on demand."""

    def __init__(self, content: bytes) -> None:
        self.stored = msgspec.msgpack.decode(content, type=StoredLibrary)
        self.known_cards: dict[int, CardInPlay] = {}
        self.known_fixtures: dict[str, Fixture] = {}

    def card(self, number: int) -> CardInPlay:
        """The card with this number; cached."""
        if number not in self.known_cards:
            self.known_cards[number] = CARD.decode(self.stored.cards[number])
        return self.known_cards[number]

    def fixture(self, id: str) -> Fixture:
        """The fixture with this id; cached."""
        if id not in self.known_fixtures:
            kept = self.stored.fixtures[id]
            fixture = FIXTURE.decode(kept.fixture)
            play = replace(fixture.play, cards=tuple(map(self.card, kept.cards)))
            self.known_fixtures[id] = replace(fixture, play=play)
        return self.known_fixtures[id]

    @cached_property
    def pool(self) -> dict[str, Card]:
        """The real cards by name."""
        cards = [self.card(number).definition for number in self.stored.pool]
        return {card.name: card for card in cards}

    @cached_property
    def ids_in(self) -> dict[str, tuple[str, ...]]:
        """The ids in each file, in the order of the file."""
        found: dict[str, list[str]] = {}
        for id, kept in self.stored.fixtures.items():
            found.setdefault(kept.file, []).append(id)
        return {file: tuple(ids) for file, ids in found.items()}

    def list_named(self, name: str) -> Any:
        """The list with this file name."""
        return msgspec.msgpack.decode(self.stored.lists[name])


with garbage_collection_off():
    CARD = msgspec.msgpack.Decoder(CardInPlay)
    FIXTURE = msgspec.msgpack.Decoder(Fixture)


# ------------------------------------------------------------------------------------------ where it is


def library_in_wheel() -> CompiledLibrary | None:
    """The file inside an installed wheel, if there is one."""
    path = PACKAGE / "fixtures" / NAME
    return CompiledLibrary(path.read_bytes()) if path.is_file() else None


CODE = Path(__file__).resolve().parent.parent
READERS = tuple(CODE / room for room in ("checks", "data", "files", "model", "wording"))
"""The code that decides what a fixture file means (in addition to the card language)."""
SETTLED = 3.0
"""Seconds after which another change to a file surely has another timestamp, on any file system."""


def cache_path() -> Path:
    """The path of the compiled file for the current state of a checkout.

    Its name is a digest of its sources, more than a thousand files. While none of them has a new size or
    timestamp, the digest is the one noted beside it, and no source is read.
    """
    cache = fixtures_folder().parent / ".fixtures-cache"
    sources = tuple(source_files())
    stamps = "".join(
        f"{path} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_ino}\n"
        for path, stat in sources
    )
    note = cache / "digest"
    with suppress(OSError):
        digest, _, noted_stamps = os.fsdecode(whole_content(str(note))).partition("\n")
        if noted_stamps == stamps:
            return cache / f"{digest}.msgpack"
    digest = digest_of(path for path, _ in sources)
    newest = max((max(stat.st_mtime, stat.st_ctime) for _, stat in sources), default=0.0)
    if newest + SETTLED < time.time():
        write_in_one_piece(note, os.fsencode(f"{digest}\n{stamps}"))
    return cache / f"{digest}.msgpack"


def source_files() -> Iterator[tuple[str, os.stat_result]]:
    """The files that a checkout's compiled file depends on: the data, and the code that reads it."""
    for folder in (fixtures_folder(), *READERS, CODE.parent / "reference_engine" / "language"):
        yield from files_below(str(folder))


def files_below(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """The files below a folder that go into a compiled file, without the deliberately wrong ones."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name not in ("refused", "__pycache__"):
                    yield from files_below(entry.path)
            elif entry.name.endswith((".yaml", ".json", ".jsonl", ".py")):
                yield entry.path, entry.stat()


def digest_of(paths: Iterable[str]) -> str:
    """A digest of the paths and contents of these files."""
    import hashlib  # not needed in an installed suite

    found = hashlib.sha256()
    for path in sorted(paths):
        content, name = whole_content(path), os.fsencode(path)
        found.update(b"%d %d " % (len(name), len(content)) + name + content)
    return found.hexdigest()


def whole_content(path: str) -> bytes:
    """The bytes of a file, in half the time that a file object takes: there are a thousand of them."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        return b"".join(iter(partial(os.read, file, 1 << 16), b""))
    finally:
        os.close(file)


def keep(path: Path, content: bytes) -> None:
    """Write a compiled file, and delete older ones; a read-only checkout does without."""
    write_in_one_piece(path, content)
    with suppress(OSError):
        for older in path.parent.glob("*.*"):
            if older != path:
                older.unlink(missing_ok=True)


def write_in_one_piece(path: Path, content: bytes) -> None:
    """Write a file of the cache atomically, if it can be written."""
    import tempfile

    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(content)
        Path(file.name).replace(path)

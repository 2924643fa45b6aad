"""The suite's cards, fixtures and lists in one JSON file, which loads twenty times as fast as their YAML.

A wheel contains this file, made when the wheel is built. A checkout keeps one beside its fixtures, named by a
digest of the fixtures and of the code that reads them, so it is never out of date. This module knows the
layout and the location of the file; `library` produces the contents and uses it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from conformance.model.scenario import CardInPlay, Fixture
from reference_engine.language.cards import Card

PACKAGE = Path(__file__).resolve().parent.parent
NAME = "compiled.json"


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


class Stored(Struct, frozen=True):
    """The contents of the file. Each card is stored once, however many fixtures use it."""

    cards: tuple[Raw, ...]
    pool: tuple[int, ...]
    """Numbers of the real cards."""
    fixtures: dict[str, StoredFixture]
    """By id, sorted."""
    lists: dict[str, Raw]
    """`rulebook.yaml` and similar files, with every scalar as text."""


def laid_out(
    pool: Iterable[CardInPlay], fixtures: Mapping[str, tuple[str, Fixture]], lists: Mapping[str, object]
) -> bytes:
    """The file's contents for these cards, fixtures (by id, each with its file) and lists."""
    from conformance.files.canonical import without_defaults

    numbers: dict[CardInPlay, int] = {}

    def number_of(card: CardInPlay) -> int:
        return numbers.setdefault(card, len(numbers))

    stored = Stored(
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
    return msgspec.json.encode(stored)


def raw(value: object) -> Raw:
    """A value that is decoded only when somebody asks for it."""
    return Raw(msgspec.json.encode(value, order="sorted"))


class Compiled:
    """The compiled file, decoded piece by piece on demand."""

    def __init__(self, content: bytes) -> None:
        self.stored = msgspec.json.decode(content, type=Stored)
        self.known_cards: dict[int, CardInPlay] = {}
        self.known_fixtures: dict[str, Fixture] = {}

    def card(self, number: int) -> CardInPlay:
        """One of the cards; cached."""
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
        """One of the lists."""
        return msgspec.json.decode(self.stored.lists[name])


CARD = msgspec.json.Decoder(CardInPlay)
FIXTURE = msgspec.json.Decoder(Fixture)


# ------------------------------------------------------------------------------------------ where it lies


def compiled_in_wheel() -> Compiled | None:
    """The file inside an installed wheel, if there is one."""
    path = PACKAGE / "fixtures" / NAME
    return Compiled(path.read_bytes()) if path.is_file() else None


CODE = Path(__file__).resolve().parent.parent
READERS = tuple(CODE / room for room in ("checks", "data", "files", "model", "wording"))
"""The code that decides what a fixture file means (in addition to the card language)."""


def digest_of_checkout() -> str:
    """A digest of what a checkout's compiled file depends on: the data, and the code that reads it."""
    import hashlib  # not needed in an installed suite

    found = hashlib.blake2b(digest_size=16)
    for folder in (fixtures_folder(), *READERS, CODE.parent / "reference_engine" / "language"):
        for path in sorted(files_below(str(folder))):
            with open(path, "rb") as file:  # noqa: PTH123  # a thousand of them: `Path.open` takes twice as long
                content = file.read()
            name = path.removeprefix(str(folder)).encode()
            found.update(b"%d %d " % (len(name), len(content)) + name + content)
    return found.hexdigest()


def files_below(folder: str) -> Iterable[str]:
    """The files below a folder that go into a compiled file, without the deliberately wrong ones."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name not in ("refused", "__pycache__"):
                    yield from files_below(entry.path)
            elif entry.name.endswith((".yaml", ".json", ".py")):
                yield entry.path


def kept_in_checkout() -> Path:
    """The path of the compiled file for the current state of a checkout."""
    return fixtures_folder().parent / ".fixtures-cache" / f"{digest_of_checkout()}.json"


def keep(path: Path, content: bytes) -> None:
    """Write a compiled file atomically; a read-only checkout does without."""
    import tempfile

    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(content)
        Path(file.name).replace(path)
        for older in path.parent.glob("*.json"):
            if older != path:
                older.unlink(missing_ok=True)

"""Reads files of printed cards by other publishers, in pieces: they are large, and not ours.

Three formats are supported: a JSON list of cards (Scryfall's `oracle_cards`), JSON lines of the same, and a
map from names to faces under `data` (MTGJSON's `AtomicCards`). Only one card at a time is in memory.
"""

from __future__ import annotations

import json
import re
from codecs import getincrementaldecoder
from collections.abc import Iterator
from typing import Any, BinaryIO

from conformance.model.printable import printable
from conformance.model.problems import Problem, ScenarioError
from conformance.reading.cards import PrintedCard, PrintedFaces

CHUNK = 1 << 20
LONGEST = 1 << 22
"""Maximum length of a card in characters."""
SPACE = re.compile(r"[\s\ufeff]*")
NOT_PLAYED = frozenset({"art_series", "double_faced_token", "emblem", "token"})
"""Layouts of objects that cannot be in a deck."""


class Pieces:
    """The JSON values of a file, one after another."""

    def __init__(self, file: BinaryIO, path: str) -> None:
        self.file, self.path = file, path
        self.text, self.at = "", 0
        self.lines = 1
        self.utf8 = getincrementaldecoder("utf-8")()
        self.decoder = json.JSONDecoder()

    def more(self) -> bool:
        """Read more of the file; False at its end."""
        try:
            content = self.file.read(CHUNK)
            chunk = self.utf8.decode(content, final=not content)
        except UnicodeDecodeError as error:
            raise self.wrong(f"not UTF-8: {error.reason}", "save the file as UTF-8") from None
        self.lines += self.text.count("\n", 0, self.at)
        self.text, self.at = self.text[self.at :] + chunk, 0
        return bool(content)

    def peek(self) -> str:
        """The next character other than a space; empty at the end."""
        while True:
            space = SPACE.match(self.text, self.at)
            self.at = space.end() if space else self.at
            if self.at < len(self.text) or not self.more():
                return self.text[self.at : self.at + 1]

    def take_if_next(self, mark: str) -> bool:
        """Consume a punctuation mark if it is next; returns whether it was."""
        if self.peek() != mark:
            return False
        self.at += 1
        return True

    def take(self, mark: str) -> None:
        """Consume a punctuation mark, which must be next."""
        if not self.take_if_next(mark):
            found = repr(self.text[self.at : self.at + 20]) if self.peek() else "the end of the file"
            raise self.wrong(f"expected {mark!r}, found {printable(found)}", SHAPES)

    def value(self) -> Any:
        """The next value."""
        self.peek()
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self.at)
            except RecursionError:
                raise self.wrong("values nested without end", SHAPES) from None
            except ValueError as error:
                if len(self.text) - self.at > LONGEST:
                    raise self.wrong(f"a value of more than {LONGEST} characters", SHAPES) from None
                if not self.more():
                    reason = getattr(error, "msg", "no number of a card's")
                    raise self.wrong(f"not JSON: {reason}", SHAPES) from None
                continue
            # A number or word at the end of the buffer may continue.
            if end == len(self.text) and not isinstance(value, dict | list) and self.more():
                continue
            self.at = end
            return value

    def wrong(self, what: str, cure: str) -> ScenarioError:
        """The error for invalid content at this place."""
        line = self.lines + self.text.count("\n", 0, self.at)
        return ScenarioError([Problem(self.path, line, 1, "", what, cure)])


SHAPES = "a Scryfall or MTGJSON bulk file, or JSON lines, is read: see `conformance docs reading`"


PrintedEntry = PrintedCard | PrintedFaces | str
"""A card of a file, or only the name of a card with more than two faces."""


def printed_cards(file: BinaryIO, path: str) -> Iterator[PrintedEntry]:
    """The cards of a file. Raises `ScenarioError`."""
    pieces = Pieces(file, path)
    number = 0
    for number, (name, faces) in enumerate(entries(pieces), 1):
        yield from cards_of(name, faces, number, pieces)
    if not number:
        raise pieces.wrong("no cards", SHAPES)


def entries(pieces: Pieces) -> Iterator[tuple[str | None, Any]]:
    """Each entry of a file, with its name if it is in a map."""
    if pieces.take_if_next("["):
        while not pieces.take_if_next("]"):
            yield None, pieces.value()
            if pieces.peek() != "]":
                pieces.take(",")
        require_end_of_file(pieces)
        return
    if pieces.peek() not in ("{", ""):
        raise pieces.wrong(f"expected a list or map of cards, found {pieces.text[pieces.at]!r}", SHAPES)
    if is_atomic(pieces):
        yield from atomic(pieces)
        return
    while pieces.peek():
        yield None, pieces.value()


def require_end_of_file(pieces: Pieces) -> None:
    """Check that the file ends after the list of cards."""
    if pieces.peek():
        raise pieces.wrong("unexpected content after the list of cards", SHAPES)


def is_atomic(pieces: Pieces) -> bool:
    """Whether this is a map with `meta` and `data`, not the first of many cards."""
    pieces.peek()
    return re.match(r'\{\s*"(?:meta|data)"\s*:', pieces.text[pieces.at : pieces.at + 200]) is not None


def atomic(pieces: Pieces) -> Iterator[tuple[str | None, Any]]:
    """The faces under each name in `data`."""
    pieces.take("{")
    while not pieces.take_if_next("}"):
        key = pieces.value()
        pieces.take(":")
        if key == "data":
            pieces.take("{")
            while not pieces.take_if_next("}"):
                name = pieces.value()
                pieces.take(":")
                yield name, pieces.value()
                if pieces.peek() != "}":
                    pieces.take(",")
        else:
            pieces.value()
        if pieces.peek() != "}":
            pieces.take(",")
    require_end_of_file(pieces)


def cards_of(name: str | None, entry: Any, number: int, pieces: Pieces) -> Iterator[PrintedEntry]:
    """The card in an entry."""
    faces = entry if isinstance(entry, list) else [entry]
    if not faces or not all(isinstance(face, dict) for face in faces):
        raise pieces.wrong(f"entry {number} is not a card", SHAPES)
    first = faces[0]
    if first.get("layout") in NOT_PLAYED:
        return
    if name is None and isinstance(first.get("card_faces"), list):
        name, faces = text_of(first, "name", number, pieces), first["card_faces"]
    elif len(faces) == 1:
        yield printed_card(first, number, pieces)
        return
    if len(faces) != 2 or not all(isinstance(face, dict) for face in faces):
        yield str(name)
        return
    one, other = (printed_card(face, number, pieces) for face in faces)
    yield PrintedFaces(str(name), str(first.get("layout")), (one, other))


def printed_card(face: dict[str, Any], number: int, pieces: Pieces) -> PrintedCard:
    """A face as printed, from the keys of either publisher."""
    theirs = "manaCost" in face or "type" in face

    def text(*keys: str) -> str | None:
        key = keys[-1] if theirs else keys[0]
        return text_of(face, key, number, pieces) if face.get(key) is not None else None

    name = text("name", "faceName" if "faceName" in face else "name")
    line = text("type_line", "type")
    if name is None or line is None:
        missing = "name" if name is None else "type_line"
        raise pieces.wrong(f"entry {number} has no {missing!r}", SHAPES)
    colors = face.get("colorIndicator" if theirs else "color_indicator")
    return PrintedCard(
        name,
        line,
        text("oracle_text", "text") or "",
        text("mana_cost", "manaCost") or "",
        text("power", "power"),
        text("toughness", "toughness"),
        text("loyalty", "loyalty"),
        tuple(map(str, colors)) if isinstance(colors, list) else None,
    )


def text_of(face: dict[str, Any], key: str, number: int, pieces: Pieces) -> str:
    """A text field of a card."""
    value = face.get(key)
    if not isinstance(value, str):
        raise pieces.wrong(f"entry {number}: {key!r} is not text", SHAPES)
    if len(value) > LONGEST_TEXT:
        raise pieces.wrong(f"entry {number}: {key!r} is longer than {LONGEST_TEXT} characters", SHAPES)
    return value


LONGEST_TEXT = 10_000

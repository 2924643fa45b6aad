"""Pictures for a forum or an issue, as SVG: a board, or the way of one object through the layers.

A picture has no layout engine behind it, so this module breaks lines itself, by the number of characters: a
conservative estimate, because readers have different fonts.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from conformance.pages.page import fill_drawing, pieces
from conformance.tell.explanation import Note
from conformance.tell.picture import (
    BoardPicture,
    Change,
    Column,
    EffectCard,
    Grid,
    LookWords,
    ObjectRow,
    Tile,
)

LetterStyle = Literal["title", "strong", "plain", "dim", "size", "was", "layer", "badge"]
SIZES: dict[LetterStyle, int] = {
    **{"title": 20, "strong": 14, "plain": 14, "dim": 12, "size": 17, "was": 17, "layer": 13, "badge": 12},
}
WIDTH_OF_A_LETTER = 0.57
"""Width of an average letter of a sans-serif font, relative to its size."""
MOST_LINES_OF_A_TEXT = 5


class Word(Struct, frozen=True):
    """Some text at a place."""

    x: int
    y: int
    style: LetterStyle
    text: str
    anchor: Literal["start", "middle", "end"] = "start"


class Box(Struct, frozen=True):
    """A rectangle; `kind` says what it stands for."""

    x: int
    y: int
    width: int
    height: int
    kind: Literal["tile", "tapped", "down", "layer", "final"]


class Stop(Struct, frozen=True):
    """A place on the line from printed to final."""

    x: int
    y: int
    end: bool


class Drawing(Struct, frozen=True):
    """A picture: everything on it, and its size."""

    title: str
    says: str
    """The picture in words, for those who cannot see it."""
    width: int
    height: int
    boxes: tuple[Box, ...]
    words: tuple[Word, ...]
    stops: tuple[Stop, ...] = ()
    track: tuple[int, int, int] | None = None
    """The line that joins the stops: x, and from where to where."""


def svg_of_board(board: BoardPicture, title: str, caption: str) -> str:
    """A board as a picture."""
    return fill_drawing("picture.svg", drawn=drawing_of_board(board, title), caption=caption)


def svg_of_object(layers: Grid, of: str, look: LookWords, caption: str) -> str:
    """The way of an object through the layers as a picture; `look` is how it looks if nothing changes it."""
    return fill_drawing("picture.svg", drawn=drawing_of_object(layers, of, look), caption=caption)


class Pen:
    """Writes lines from top to bottom and keeps what it wrote."""

    def __init__(self, y: int) -> None:
        self.y = y
        self.words: list[Word] = []

    def line(self, x: int, style: LetterStyle, text: str, lead: float = 1.42) -> None:
        """Write one line of text below the previous ones."""
        self.y += round(SIZES[style] * lead)
        self.words.append(Word(x, self.y, style, text))

    def text(
        self, x: int, width: int, style: LetterStyle, text: str, most: int = MOST_LINES_OF_A_TEXT
    ) -> None:
        """Write a text, broken into lines that fit."""
        for line in lines_that_fit(text, width, style, most):
            self.line(x, style, line)


def lines_that_fit(text: str, width: int, style: LetterStyle, most: int) -> list[str]:
    """The lines of a text in a column; one that is too long ends in dots."""
    letters = max(int(width / (SIZES[style] * WIDTH_OF_A_LETTER)), 4)
    return textwrap.wrap(plain(text)[: letters * (most + 1)], letters, max_lines=most, placeholder=" …")


def plain(text: str) -> str:
    """A sentence as plain text: rules in parentheses, mana symbols in braces."""
    shown = {"rules": "({})", "mana": "{{{}}}", "words": "{}"}
    return "".join(shown[kind].format(piece) for kind, piece in pieces(text))


# ----------------------------------------------------------------- an object's way through the layers

WIDTH = 760
LEFT = 78
TRACK = 36


def drawing_of_object(layers: Grid, of: str, look: LookWords) -> Drawing:
    """The way of an object through the layers, from top to bottom."""
    row = next((one for one in layers.rows if of in one.ids), ObjectRow((of,), (), ((0, look),)))
    pen = Pen(26)
    boxes: list[Box] = []
    stops: list[Stop] = []
    pen.line(LEFT, "title", of, 1.1)
    first, last = row.looks[0][1], row.looks[-1][1]
    pen.line(LEFT, "plain", "printed: " + look_in_words(first))
    stops.append(Stop(TRACK, pen.y - 14, True))
    for column, cell in zip(layers.columns, row.cells, strict=False):
        if cell:
            pen.y += 16
            pen.line(LEFT, "layer", f"{column.name}  ({column.rule})")
            boxes.append(Box(TRACK - 17, pen.y - 17, 34, 24, "layer"))
            pen.words.append(Word(TRACK, pen.y, "badge", column.label, "middle"))
            for change in cell:
                write_change(pen, column, change)
    pen.y += 22
    top = pen.y
    pen.y += 6
    if last.size:
        pen.words.append(Word(WIDTH - 44, pen.y + 24, "size", last.size, "end"))
    pen.line(LEFT + 14, "strong", last.types)
    about = "; ".join(last.abilities) or "no abilities"
    pen.text(LEFT + 14, WIDTH - LEFT - 130, "dim", f"{last.color_words}, {about}", 4)
    pen.y += 14
    boxes.append(Box(LEFT, top, WIDTH - LEFT - 28, pen.y - top, "final"))
    stops.append(Stop(TRACK, (top + pen.y) // 2, True))
    return Drawing(
        title=f"{of}, from printed to final",
        says=". ".join(word.text for word in sorted(pen.words, key=lambda word: word.y)),
        width=WIDTH,
        height=pen.y + 44,
        boxes=tuple(boxes),
        words=tuple(pen.words),
        stops=tuple(stops),
        track=(TRACK, stops[0].y, stops[-1].y),
    )


def write_change(pen: Pen, column: Column, change: Change) -> None:
    """One step: whose effect, why now, and what it changed; a change of size is written large beside it."""
    if change.between:
        pen.line(LEFT, "dim", f"and {change.between} changes like these")
        return
    card = next((one for one in column.cards if one.step == change.step), None)
    pen.line(LEFT, "strong", f"{change.number}. {change.by}")
    if change.size:
        before, after = change.size
        pen.words.append(Word(WIDTH - 44, pen.y + 2, "size", after, "end"))
        at = WIDTH - 44 - round(len(after) * SIZES["size"] * 0.62) - 8
        pen.words.append(Word(at, pen.y + 2, "was", f"{before} →", "end"))
    if card is not None and card.says:
        pen.text(LEFT, WIDTH - LEFT - (170 if change.size else 30), "dim", card.says)
    for note in change.notes:
        pen.text(LEFT, WIDTH - LEFT - 30, "plain", with_rules(note))
    for note in reasons(card):
        pen.text(LEFT, WIDTH - LEFT - 30, "dim", with_rules(note))


def reasons(card: EffectCard | None) -> Iterable[Note]:
    """Why an effect was applied when it was."""
    return () if card is None else (*card.waits, *card.why)


def with_rules(note: Note) -> str:
    return f"{note.says} ({', '.join(note.rules)})" if note.rules else note.says


def look_in_words(look: LookWords) -> str:
    parts = (look.size, look.types, look.color_words)
    return ", ".join(part for part in parts if part)


# ------------------------------------------------------------------------------------------ a board

TILE, GAP, COLUMNS = 226, 14, 4


def drawing_of_board(board: BoardPicture, title: str) -> Drawing:
    """The players one below the other, each with the permanents as tiles in rows."""
    width = COLUMNS * (TILE + GAP) + 2 * 28 - GAP
    pen = Pen(20)
    boxes: list[Box] = []
    pen.text(28, width - 56, "title", title, 2)
    for item in board.stack:
        pen.text(28, width - 56, "plain", f"on the stack: {item.name}, {item.controller}’s {item.kind}", 1)
    for side in board.sides:
        pen.y += 16
        pen.line(28, "strong", side.player)
        pen.text(28, width - 56, "dim", " · ".join(f"{name} {value}" for name, value in side.facts), 2)
        pen.y += 10
        for tiles in rows(side.tiles):
            bottoms = [pen.y]
            for place, tile in enumerate(tiles):
                x = 28 + place * (TILE + GAP)
                inside = Pen(pen.y + 6)
                write_tile(inside, x, tile)
                kind: Literal["tile", "tapped", "down"] = "tile"
                kind = "down" if tile.face_down else "tapped" if tile.tapped else kind
                boxes.append(Box(x, pen.y, TILE, inside.y - pen.y + 12, kind))
                pen.words += inside.words
                bottoms.append(inside.y + 12)
            pen.y = max(bottoms) + GAP
    return Drawing(
        title=title,
        says=". ".join(word.text for word in pen.words),
        width=width,
        height=pen.y + 40,
        boxes=tuple(boxes),
        words=tuple(pen.words),
    )


def rows(tiles: Sequence[Tile]) -> Iterator[Sequence[Tile]]:
    for start in range(0, len(tiles), COLUMNS):
        yield tiles[start : start + COLUMNS]


def write_tile(pen: Pen, x: int, tile: Tile) -> None:
    """One permanent, with what is attached to it below."""
    inner = TILE - 24
    size = tile.look.size or ("" if tile.loyalty is None else str(tile.loyalty))
    times = f" × {len(tile.ids)}" if len(tile.ids) > 1 else ""
    pen.text(x + 12, inner - 60, "strong", tile.ids[0] + times, 1)
    if size:
        pen.words.append(Word(x + TILE - 12, pen.y, "size", size, "end"))
    if tile.card.casefold() != tile.ids[0].casefold().replace("_", " "):
        pen.text(x + 12, inner, "dim", tile.card, 1)
    pen.text(x + 12, inner, "plain", tile.look.types, 2)
    if tile.look.color_words != "colourless":
        pen.text(x + 12, inner, "dim", tile.look.color_words, 1)
    for text in tile.look.abilities[:3]:
        pen.text(x + 12, inner, "dim", text, 3)
    counters = [f"{n} × {kind}" for kind, n in tile.counters]
    marks = ", ".join((*counters, *([f"{tile.damage} damage"] if tile.damage else []), *tile.status))
    pen.text(x + 12, inner, "strong", marks, 2)
    for below in tile.attached:
        pen.text(x + 12, inner, "dim", f"attached: {below.ids[0]}, {below.card}", 2)

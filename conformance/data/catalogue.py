"""The catalogue: real cards read from printed text, in addition to the handwritten pool.

`fixtures/cards/catalogue.jsonl` has one definition per line, name first. A line is decoded when its card is
used, and the file is opened only when a card is needed that the pool does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path

import msgspec

from conformance.data.compiled import fixtures_folder
from reference_engine.language.cards import Card

CARD = msgspec.json.Decoder(Card)
NAME = re.compile(rb'^\{"name": ("(?:[^"\\\n]|\\.)*")', re.MULTILINE)


class Catalogue(Mapping[str, Card]):
    """The cards of a file of JSON lines, by name."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Card] = {}

    @cached_property
    def _content(self) -> bytes:
        return self._path.read_bytes() if self._path.exists() else b""

    @cached_property
    def _lines(self) -> dict[str, int]:
        """Where each card's line begins."""
        return {msgspec.json.decode(found[1]): found.start() for found in NAME.finditer(self._content)}

    def __getitem__(self, name: str) -> Card:
        if name not in self._known:
            start = self._lines[name]
            end = self._content.find(b"\n", start)
            self._known[name] = CARD.decode(self._content[start : end if end >= 0 else None])
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


@cache
def catalogue() -> Catalogue:
    """The catalogue that comes with the suite."""
    return Catalogue(fixtures_folder() / "cards" / "catalogue.jsonl")

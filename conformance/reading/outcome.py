"""Reads a whole file of printed cards: definitions go to a file, unread patterns are counted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import IO

from msgspec import Struct

from conformance.checks.cards import findings_of_card
from conformance.files.canonical import without_defaults
from conformance.reading.cards import Printed, Unread, card_read
from conformance.reading.ranking import Ranked, ranking
from reference_engine.language.cards import Card


class ReadingTally(Struct, frozen=True):
    """Number of cards read, and the patterns that keep the others unread."""

    read: int
    of: int
    ranked: tuple[Ranked, ...]


def read_into(printed: Iterable[Printed | str], out: IO[str] | None, *, as_json: bool) -> ReadingTally:
    """Read cards one by one and write their definitions as they come; each name counts only once."""
    names: set[str] = set()
    unread: list[Unread] = []
    read = 0
    if out is not None and as_json:
        out.write("[")
    for one in printed:
        name = one if isinstance(one, str) else one.name
        if name in names:
            continue
        names.add(name)
        found = Unread(("several faces",)) if isinstance(one, str) else checked(card_read(one))
        if isinstance(found, Unread):
            unread.append(found)
            continue
        if out is not None:
            out.write((",\n" if read else "\n") if as_json else "")
            out.write(definition(found) if as_json else f"- {definition(found)}\n")
        read += 1
    if out is not None and as_json:
        out.write("\n]\n")
    return ReadingTally(read, len(names), tuple(ranking(unread)))


def checked(found: Card | Unread) -> Card | Unread:
    """The card, if a card file would accept it."""
    if isinstance(found, Unread):
        return found
    findings = [finding.what for finding in findings_of_card(found)]
    return Unread(tuple(f"refused: {what}" for what in findings)) if findings else found


def definition(card: Card) -> str:
    """A card in canonical form without defaults: JSON, which is also YAML."""
    return json.dumps(without_defaults(card), ensure_ascii=False, sort_keys=True)


def lines_of(outcome: ReadingTally, top: int) -> Iterator[str]:
    """The ranking, with the count as the last line."""
    shown = outcome.ranked[:top]
    if shown:
        yield "alone  cards  pattern that is not read"
    for one in shown:
        pattern = one.pattern.replace("\n", " / ")
        yield f"{one.alone:5}  {one.cards:5}  {pattern if len(pattern) <= 160 else pattern[:159] + '…'}"
    rest = len(outcome.ranked) - len(shown)
    if rest > 0:
        yield f"and {rest} more patterns"
    yield f"{outcome.read} of {outcome.of} cards read"

"""Compares our cards with printed ones, and records the result in fixtures/printed.jsonl.

For a card whose words match the printed ones in the normal form of `conformance.reading`, the file stores a
digest of that form, so the card stays checked without the text. For a card that differs it stores the reason,
written by a person; it also lists the cards that nobody has compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from conformance.data.compiled import fixtures_folder
from conformance.data.library import real_cards
from conformance.files.canonical import without_defaults
from conformance.reading import PrintedCard, PrintedEntry, Unread, normal_text, reading_of
from conformance.reading.manners import manner_of
from conformance.reading.normal import is_spell, normal_form
from conformance.wording import rules_text
from conformance.wording.manner import PLAIN_MANNER, Manner
from reference_engine.language.cards import Card

FILE = fixtures_folder() / "printed.jsonl"
NO_REASON = "NO REASON YET"


class PrintedNote(Struct, frozen=True, forbid_unknown_fields=True):
    """How a card's words compare with the printed ones; with neither digest nor reason, not compared yet."""

    name: str
    digest: str = ""
    """Digest of the normal form of the printed text, which our text equals in these manners."""
    manners: tuple[Manner, ...] = ()
    """The manner of each ability; empty if all are plain."""
    differs: str = ""
    """Why the card's words differ from the printed ones."""


def notes() -> Mapping[str, PrintedNote]:
    """What is known about each card."""
    decoder = msgspec.json.Decoder(PrintedNote)
    found = map(decoder.decode, FILE.read_bytes().splitlines())
    return {note.name: note for note in found}


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def compare_words(card: Card, printed: PrintedCard) -> PrintedNote | None:
    """How a card's words match the printed ones; `None` if they do not."""
    wanted = normal_form(printed.text, card.name, "Legendary" in card.supertypes, is_spell(card))
    many = len(card.abilities)

    def words(manner: Manner) -> str:
        return normal_text(card, [manner] * many)

    if words(PLAIN_MANNER) == wanted:
        return PrintedNote(card.name, digest_of(wanted))
    manner = manner_of(wanted, words)
    manners = () if manner is None else (manner,) * many
    if manner is None:
        # Different abilities may be printed in different manners, which the reader finds one by one.
        read = reading_of(printed)
        if isinstance(read, Unread) or normal_text(read.card) != normal_text(card):
            return None
        manners = read.manners
    return (
        PrintedNote(card.name, digest_of(wanted), manners) if normal_text(card, manners) == wanted else None
    )


def renewed_notes(
    before: Mapping[str, PrintedNote], cards: Mapping[str, Card], printed: Iterable[PrintedEntry]
) -> Mapping[str, PrintedNote]:
    """The notes on these cards after a comparison with printed ones; notes on other cards stay."""
    found = {name: before.get(name, PrintedNote(name)) for name in sorted(cards)}
    for one in printed:
        if not isinstance(one, PrintedCard) or one.name not in cards:
            continue
        if not one.text and rules_text(cards[one.name]):
            continue  # some bulk files lack the text of some cards
        reason = found[one.name].differs or NO_REASON
        note = compare_words(cards[one.name], one)
        found[one.name] = note or PrintedNote(one.name, differs=reason)
    return found


def as_lines(found: Mapping[str, PrintedNote]) -> bytes:
    """The notes as file content."""
    return b"".join(msgspec.json.encode(without_defaults(note)) + b"\n" for note in found.values())


def write(file: Path) -> Path:
    """Compare our cards with a bulk file and rewrite the notes."""
    from conformance.reading import printed_cards

    before = notes() if FILE.exists() else {}
    with file.open("rb") as source:
        found = renewed_notes(before, real_cards(), printed_cards(source, str(file)))
    FILE.write_bytes(as_lines(found))
    return FILE

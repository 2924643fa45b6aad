"""Compares the pool's cards with printed ones, and records the result in fixtures/printed.yaml.

For a card whose words match the printed ones in the normal form of `conformance.reading`, the file stores a
digest of that form, so the card stays checked without the text. For a card that differs it stores the reason,
written by a person; it also lists the cards that nobody has compared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml
from msgspec import Struct

from conformance.data.compiled import fixtures_folder
from conformance.data.library import pool
from conformance.reading import Printed, normal_text
from conformance.reading.manners import manner_of
from conformance.reading.normal import is_spell, normal_form
from conformance.wording.manner import PLAIN, Manner
from reference_engine.language.cards import Card

FILE = fixtures_folder() / "printed.yaml"


class Equal(Struct, frozen=True, forbid_unknown_fields=True):
    """The printed text's normal form has this digest, and ours is equal to it in this manner."""

    digest: str
    manner: Manner = PLAIN


class PrintedNotes(Struct, frozen=True, forbid_unknown_fields=True):
    """What is known about each card of the pool."""

    equal: Mapping[str, Equal] = {}
    differ: Mapping[str, str] = {}
    """Why a card's words differ from the printed ones."""
    not_compared: tuple[str, ...] = ()


def notes() -> PrintedNotes:
    """Read the file."""
    return msgspec.convert(yaml.safe_load(FILE.read_text(encoding="utf-8")), PrintedNotes)


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def our_text(card: Card, manner: Manner) -> str:
    """A card's words in the normal form, with all abilities in one manner."""
    return normal_text(card, [manner] * len(card.abilities))


def compared(card: Card, printed: Printed) -> Equal | None:
    """How a card's words match the printed ones; `None` if they do not."""
    wanted = normal_form(printed.text, card.name, "Legendary" in card.supertypes, is_spell(card))
    manner = PLAIN if our_text(card, PLAIN) == wanted else None
    if manner is None:
        manner = manner_of(wanted, lambda manner: our_text(card, manner))
    return None if manner is None else Equal(digest_of(wanted), manner)


def renewed(before: PrintedNotes, printed: Iterable[Printed | str]) -> PrintedNotes:
    """The notes after a comparison with printed cards; notes on other cards stay."""
    cards = pool()
    equal = {name: entry for name, entry in before.equal.items() if name in cards}
    differ = {name: reason for name, reason in before.differ.items() if name in cards}
    for one in printed:
        # Some bulk files lack the text of some cards.
        if isinstance(one, str) or one.name not in cards or not one.text:
            continue
        found = compared(cards[one.name], one)
        if found is not None:
            equal[one.name] = found
            differ.pop(one.name, None)
        else:
            equal.pop(one.name, None)
            differ.setdefault(one.name, "NO REASON YET")
    rest = sorted(set(cards) - set(equal) - set(differ))
    return PrintedNotes(dict(sorted(equal.items())), dict(sorted(differ.items())), tuple(rest))


def written(found: PrintedNotes) -> str:
    """The notes as file content."""
    equal: dict[str, Any] = {}
    for name, entry in found.equal.items():
        manner = {
            key: value
            for key, value in msgspec.to_builtins(entry.manner).items()
            if value != msgspec.to_builtins(PLAIN)[key]
        }
        equal[name] = {"digest": entry.digest, **({"manner": manner} if manner else {})}
    plain = {"equal": equal, "differ": dict(found.differ), "not_compared": list(found.not_compared)}
    heading = (
        "# Whether a card's words are the printed ones: python -m tools printed FILE, a bulk file of cards.\n"
        "# The digests are of the printed text in the normal form of docs/reading.md.\n"
    )
    return heading + yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=110)


def write(file: Path) -> Path:
    """Compare the pool with a bulk file and rewrite the notes."""
    from conformance.reading import printed_cards

    before = notes() if FILE.exists() else PrintedNotes()
    with file.open("rb") as source:
        found = renewed(before, printed_cards(source, str(file)))
    FILE.write_text(written(found), encoding="utf-8")
    return FILE

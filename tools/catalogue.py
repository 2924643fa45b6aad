"""Makes the catalogue, fixtures/cards/catalogue.jsonl, of the printed cards in a bulk file.

A card is included if we can read it, the text that we generate for it reads as the same card, it does more
than add mana, and it is not in the handwritten pool. A bulk file may lack colour indicators and stars: a card
with neither a mana cost nor an indicator is left out unless it is a land, and a power or toughness of 0 that
an ability of the card defines becomes a star. It may also have a star where a card has a number: one that no
ability defines becomes the number that the card has in the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from conformance.data.catalogue import catalogue
from conformance.data.compiled import fixtures_folder
from conformance.data.library import pool
from conformance.reading import PrintedCard, PrintedEntry, Unread, card_read, normal_text
from conformance.reading.outcome import check_reading, definition
from conformance.wording import rules_text, type_line
from reference_engine.language.cards import Activated, AddMana, Base, Card, Defines

FILE = fixtures_folder() / "cards" / "catalogue.jsonl"


def as_printed(card: Card) -> PrintedCard:
    """A card as it would be published, with text generated from its definition."""
    power, toughness, loyalty = (
        None if n is None else str(n) for n in (card.power, card.toughness, card.loyalty)
    )
    colors = None if card.colors is None else tuple(sorted(card.colors))
    return PrintedCard(
        card.name, type_line(card), rules_text(card), card.cost or "", power, toughness, loyalty, colors
    )


def belongs_to_catalogue(card: Card) -> bool:
    """Whether a card that was read belongs in the catalogue."""
    return (
        card.name not in pool()
        and not card.name.startswith("Test ")  # the names of invented cards
        and bool(card.cost or "Land" in card.types or card.colors is not None)
        and not all(only_adds_mana(ability) for ability in card.abilities)
    )


def only_adds_mana(ability: object) -> bool:
    """Whether an ability does nothing but add mana."""
    return isinstance(ability, Activated) and all(isinstance(one, AddMana) for one in ability.effect)


def with_stars(card: Card, known: Card | None) -> Card:
    """The card with a star for each power or toughness that one of its abilities defines and the file gives
    as 0, and with the number of the known card for each star that none defines.
    """
    defined = [
        operation
        for ability in card.abilities
        if isinstance(ability, Defines)
        for operation in ability.does
        if isinstance(operation, Base)
    ]
    sizes = {}
    for key in ("power", "toughness"):
        size, is_defined = getattr(card, key), any(getattr(one, key) is not None for one in defined)
        if size == 0 and is_defined:
            size = "*"
        elif size == "*" and not is_defined and known is not None:
            size = getattr(known, key)
        sizes[key] = size
    return replace(card, **sizes)


def is_read_back_alike(card: Card) -> bool:
    """Whether the text that we generate for a card reads as a card with the same text."""
    found = card_read(as_printed(card))
    return isinstance(found, Card) and normal_text(found) == normal_text(card)


def cards_for_catalogue(printed: Iterable[PrintedEntry], known: Mapping[str, Card]) -> Iterator[Card]:
    """The cards of a bulk file that belong in the catalogue, in the order of the file.

    `known` has the numbers that the file lacks.
    """
    for one in printed:
        read = card_read(one) if isinstance(one, PrintedCard) else Unread(())
        if isinstance(read, Card) and belongs_to_catalogue(read):
            card = with_stars(read, known.get(read.name))
            if not isinstance(check_reading(card), Unread) and is_read_back_alike(card):
                yield card


def write(file: Path) -> Path:
    """Write the catalogue of a bulk file; cards that the file does not have stay as they are."""
    from conformance.reading import printed_cards

    with file.open("rb") as source:
        every = list(printed_cards(source, str(file)))
    there = {one if isinstance(one, str) else one.name for one in every}
    cards = {name: catalogue()[name] for name in catalogue() if name not in there and name not in pool()}
    cards |= {card.name: card for card in cards_for_catalogue(every, catalogue())}
    FILE.write_text("".join(f"{definition(cards[name])}\n" for name in sorted(cards)), encoding="utf-8")
    catalogue.cache_clear()
    return FILE

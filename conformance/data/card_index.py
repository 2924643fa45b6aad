"""Looks up real cards: one line per card, and a page for a single card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from conformance.files.shortening import card_short, flow
from conformance.model.problems import did_you_mean
from conformance.wording import card_text, type_line
from reference_engine.language.cards import Card


class NoSuchCard(Exception):
    """The pool has no such card."""


def cards_with(word: str, cards: Mapping[str, Card]) -> list[Card]:
    """The cards with a word in their name, cost, type line or rules text (no word: all), sorted by name.

    Raises `NoSuchCard` if there is none.
    """
    wanted = word.casefold()
    found = [cards[name] for name in sorted(cards)]
    found = [card for card in found if not wanted or wanted in card_text(card).casefold()]
    if not found:
        cure = did_you_mean(word, cards, otherwise="`conformance cards` lists them all")
        raise NoSuchCard(f"no card has {word!r} in its name, type line or rules text\n    {cure}")
    return found


def card_called(name: str, cards: Mapping[str, Card]) -> Card:
    """The card with this name, ignoring case. Raises `NoSuchCard` if there is none."""
    by_name = {known.casefold(): known for known in cards}
    found = by_name.get(name.casefold())
    if found is None:
        cure = did_you_mean(name, cards, otherwise=f"`conformance cards {name}` looks in their rules text")
        raise NoSuchCard(f"no card is called {name!r}\n    {cure}")
    return cards[found]


def lines_of_cards(cards: Iterable[Card]) -> Iterator[str]:
    """One line for each card: name, cost and type line."""
    every = list(cards)
    names = max(len(card.name) for card in every)
    costs = max(len(card.cost or "") for card in every)
    for card in every:
        yield f"{card.name:{names}}  {card.cost or '':{costs}}  {type_line(card)}"


def page_of_card(card: Card) -> Iterator[str]:
    """A card as players read it, and its definition in the form used under `cards:` in a scenario."""
    yield from card_text(card).splitlines()
    yield ""
    yield "cards:"
    mark = "- "
    for key, value in short_keys(card):
        if key == "abilities" and isinstance(value, list):
            yield f"  {mark}abilities:"
            yield from (f"      - {flow(ability)}" for ability in value)
        else:
            yield f"  {mark}{key}: {flow(value)}"
        mark = "  "


def short_keys(card: Card) -> Iterable[tuple[str, object]]:
    """The keys of a card's definition, with their values."""
    short = card_short(card)
    assert isinstance(short, dict)
    return short.items()

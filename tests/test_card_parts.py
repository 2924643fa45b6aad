"""The cache for facts about cards."""

from __future__ import annotations

import sys

from conformance.model.card_parts import MOST_CARDS_KNOWN, once_for_each
from reference_engine.language.cards import Card


def test_each_card_is_asked_about_once() -> None:
    asked: list[Card] = []

    @once_for_each
    def found(card: Card) -> str:
        asked.append(card)
        return card.name

    first = Card("Test First", frozenset({"Artifact"}))

    assert ["Test First", "Test First"] == [found(first), found(first)]
    assert [first] == asked


def test_cache_lets_go_of_cards_in_a_long_search() -> None:
    found = once_for_each(lambda card: card.name)
    first = Card("Test First", frozenset({"Artifact"}))
    before = sys.getrefcount(first)
    found(first)
    assert before < sys.getrefcount(first)

    for number in range(2 * MOST_CARDS_KNOWN):
        found(Card(f"Test {number}", frozenset({"Artifact"})))

    assert before == sys.getrefcount(first)

"""Engines that ignore a word of the language of cards: the suite notices each."""

from __future__ import annotations

from typing import get_args

import pytest

from conformance.data.library import all_fixtures
from reference_engine.language.words import KeywordName
from tools.ignored_words import notices, report, without_word, word_of, words_in_lists, words_noticed

FEAR = all_fixtures()["G-1601"]
NOT_SHOWN = {
    "keyword splice": "scripts have no place for spliced cards, so it only matters that nothing is spliced",
    "then look_at": "it only lets a player see cards, and every look sees everything",
}
"""Words that change nothing that can be asked about, each with its reason."""


def test_word_is_gone_from_every_list() -> None:
    assert "keyword fear" in words_in_lists(FEAR.play)

    cards = without_word(FEAR.play.cards, "keyword fear")

    assert [
        "keyword intimidate",
        "keyword landwalk",
        "keyword shadow",
    ] == sorted({word_of(ability) for card in cards for ability in card.definition.abilities})


def test_fixture_notices_the_words_that_it_is_about() -> None:
    assert notices(FEAR, "keyword fear")
    assert not notices(FEAR, "keyword flying")


def test_report_lists_words_that_at_most_one_check_notices() -> None:
    assert ["2 words, 1 noticed, 0 of them twice", "op switch: L-0001", "op modify: nothing notices"] == list(
        report({"op switch": ["L-0001"], "op modify": []})
    )


@pytest.mark.sweep
@pytest.mark.nightly
def test_every_keyword_and_word_is_noticed() -> None:
    found = words_noticed()

    assert set(NOT_SHOWN) == {word for word, checks in found.items() if not checks}
    assert [] == [name for name in get_args(KeywordName) if f"keyword {name}" not in found]

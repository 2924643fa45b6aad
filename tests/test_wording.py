"""The words of cards, actions and scenarios: what players expect to read, and that nothing lacks words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given

from conformance.wording import ability_text, card_text, rules_text, type_line
from reference_engine import cards
from reference_engine.cards import Card
from tests.language import CREATURES, anything, example, hints, samples, texts_for, varied

# ------------------------------------------------------------------------ every definition has words


def paragraphs_are_well_formed(text: str) -> None:
    assert text and "None" not in text and "<" not in text and "  " not in text, text
    for line in text.split("\n"):
        letters = re.sub(r"^(?:• )?", "", line)
        assert not letters[0].islower() or letters[0] == "{", text
        assert line[-1] in "." or re.search(r"""[.]["']+$""", line) or line.endswith("—"), text


@given(anything(cards.Ability))
def test_every_ability_has_a_well_formed_text(ability: cards.Ability) -> None:
    text = ability_text(ability, None)

    if isinstance(ability, cards.Keyword):
        assert text and "None" not in text and "  " not in text and not text[0].islower(), text
    else:
        paragraphs_are_well_formed(text)


@given(anything(Card))
def test_every_card_has_a_text(card: Card) -> None:
    text = card_text(card)

    assert text.startswith(card.name)
    assert bool(rules_text(card)) == bool(card.abilities)
    assert type_line(card) in text
    assert "None" not in text and "<" not in text and "  " not in text, text

"""Words of cards in places where no check has them."""

from __future__ import annotations

from conformance.data.library import all_fixtures
from tools.unmet_pairs import pairs_of_card, report


def pairs_of(fixture: str, card: str) -> frozenset[tuple[str, str, str]]:
    """The pairs of a card of a fixture."""
    (found,) = (one for one in all_fixtures()[fixture].play.cards if one.definition.name == card)
    return pairs_of_card(found.definition)


def test_an_effect_stands_in_its_duration_and_its_description_in_it() -> None:
    pairs = pairs_of("G-6018.01", "Test Long Verse")

    assert ("operations", "op modify", "your next turn") in pairs
    assert ("instructions", "then effect", "is spell") in pairs
    assert ("descriptions", "subtype", "then effect: affects") in pairs


def test_an_event_and_a_cost_stand_in_their_ability() -> None:
    assert ("events", "on gains_life", "is triggered") in pairs_of("G-6115.01", "Test Curse")
    assert ("costs", "cost sacrifice", "is activated") in pairs_of("G-6118.01", "Test Altar")


def test_report_lists_for_each_word_the_places_of_others() -> None:
    found = {("costs", "cost tap", "is activated"): 3, ("costs", "cost life", "then may"): 1}

    assert [
        "costs:",
        "  cost life: not in is activated",
        "  cost tap: not in then may",
        "  2 words in 2 places: 2 pairs are met, 1 of them once; 2 are not",
    ] == [*report(found)]

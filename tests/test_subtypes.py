"""The closed lists of subtypes: the kind of each word, and that no other word is a subtype."""

import itertools

import pytest

from conformance.model.comparison import alike
from reference_engine.language.cards import Card
from reference_engine.language.characteristics import printed_characteristics
from reference_engine.language.subtypes import SUBTYPES
from reference_engine.language.words import ALL_CREATURE_TYPES, kind_of_subtype


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("Bolas", "planeswalker"),
        ("Wrenn", "planeswalker"),
        ("Siege", "battle"),
        ("Omen", "spell"),
        ("Spacecraft", "artifact"),
        ("Room", "enchantment"),
        ("Town", "land"),
        ("Urza's", "land"),
        ("Urza", "planeswalker"),
        ("Time Lord", "creature"),
        ("Assembly-Worker", "creature"),
        (ALL_CREATURE_TYPES, "creature"),
        ("Golbin", None),
        ("goblin", None),
        ("Time", None),
    ],
)
def test_a_word_is_a_subtype_of_the_kind_in_whose_list_it_stands(word: str, kind: str | None) -> None:
    """CR 205.3: a word in no list is no creature type either."""
    assert kind_of_subtype(word) == kind


def test_no_word_is_in_two_lists() -> None:
    for one, other in itertools.combinations(SUBTYPES.values(), 2):
        assert not one & other


def test_who_has_every_creature_type_has_no_planeswalker_type() -> None:
    """CR 205.3j: a planeswalker type is not among the creature types that changeling gives."""
    look = printed_characteristics(
        Card("Test Many", frozenset({"Creature", "Planeswalker"}), subtypes=frozenset({ALL_CREATURE_TYPES}))
    )
    assert look.has_subtype("Goblin")
    assert not look.has_subtype("Bolas")
    assert not look.has_subtype("Golbin")


def test_an_engine_may_list_creature_types_newer_than_ours_among_all_of_them() -> None:
    all_of_them = SUBTYPES["creature"] | {"Newborn"}
    assert alike(frozenset({ALL_CREATURE_TYPES, "Forest"}), all_of_them | {"Forest"}, "subtypes")

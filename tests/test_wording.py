"""The words of cards, actions and scenarios: what players expect to read, and that nothing lacks words."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given

from conformance import scenario
from conformance.library import pool
from conformance.wording import ability_text, action_text, card_text, rules_text, scenario_text, type_line
from reference_engine import actions, cards
from reference_engine.actions import Action
from reference_engine.cards import (
    Activated,
    All,
    Base,
    Beginning,
    Card,
    Count,
    Effect,
    Filter,
    Gain,
    It,
    Keyword,
    Modify,
    Part,
    PropertyOf,
    Spell,
    Static,
    TargetSpec,
    The,
    This,
    Triggered,
    You,
)
from tests.golden_wording import FILE, golden_text
from tests.language import CREATURES, anything, hints, samples, varied

# --------------------------------------------------------------------------- cards as players know them

CARDS = {
    "Aquamoeba": ["Discard a card: Switch this creature's power and toughness until end of turn."],
    "Blood Moon": ["Nonbasic lands are Mountains."],
    "Clone": ["You may have this creature enter as a copy of any creature on the battlefield."],
    "Confiscate": ["Enchant permanent", "You control enchanted permanent."],
    "Forest": [],
    "Goblin Grenade": [
        "As an additional cost to cast this spell, sacrifice a Goblin.",
        "Goblin Grenade deals 5 damage to any target.",
    ],
    "Howling Mine": [
        "At the beginning of each player's draw step, if this artifact is untapped, that player draws a card."
    ],
    "Humility": ["All creatures lose all abilities and have base power and toughness 1/1."],
    "Mirrorweave": ["Each other creature becomes a copy of target nonlegendary creature until end of turn."],
    "Murderous Redcap": [
        "When this creature enters, it deals damage equal to its power to any target.",
        "Persist",
    ],
    "Null Profusion": [
        "Skip your draw step.",
        "Whenever you play a card, draw a card.",
        "Your maximum hand size is two.",
    ],
    "Opalescence": [
        "Each other non-Aura enchantment is a creature in addition to its other types and has base power and "
        "toughness each equal to its mana value."
    ],
    "Seht's Tiger": [
        "Flash",
        "When this creature enters, choose a color. You gain protection from the chosen color until end of turn.",
    ],
    "Trinisphere": [
        "As long as this artifact is untapped, each spell that would cost less than three mana to cast costs "
        "three mana to cast."
    ],
    "White Knight": ["First strike, protection from black"],
    "Wild Mongrel": [
        "Discard a card: Choose a color. This creature gets +1/+1 and becomes the chosen color until end of turn."
    ],
    "Zodiac Horse": ["Islandwalk"],
}
"""A few of the golden file that must not change unread."""


@pytest.mark.parametrize("name", CARDS)
def test_card_reads_as_players_know_it(name: str) -> None:
    assert "\n".join(CARDS[name]) == rules_text(pool()[name])


def test_words_of_the_pool_are_those_last_read() -> None:
    again = "read the difference; if it is better, run: python -m tests.golden_wording"

    assert FILE.read_text(encoding="utf-8") == golden_text(), again


def test_no_two_cards_of_the_pool_with_different_rules_read_the_same() -> None:
    definitions: dict[str, set[tuple[cards.Ability, ...]]] = {}
    for card in pool().values():
        definitions.setdefault(rules_text(card), set()).add(card.abilities)

    assert [] == [text for text, alike in definitions.items() if len(alike) > 1 and text not in READ_ALIKE]


READ_ALIKE: frozenset[str] = frozenset()


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


# ----------------------------------------------------------- different meanings have different words


def family_of(union: Any) -> str:
    return next(name for name, value in vars(cards).items() if value is union)


FAMILIES = [
    cards.Selector,
    cards.Quantity,
    cards.Condition,
    cards.Operation,
    cards.Cost,
    cards.Instruction,
    cards.Event,
    cards.Ability,
]
RECORDS = [
    struct
    for struct in vars(cards).values()
    if isinstance(struct, type) and issubclass(struct, cards.Struct) and struct is not cards.Struct
]
KEYS = [(struct, name) for struct in RECORDS for name in hints(struct)]


def context(value: Any) -> str:
    """The text of a card on which a value stands where its kind may stand."""
    activated = lambda *effect: cards.Activated((), effect)
    match value:
        case Card():
            return card_text(value)
        case _ if isinstance(value, cards.Ability):
            ability = value
        case cards.All():
            ability = cards.Static((cards.Part(value, (cards.LoseAllAbilities(),)),))
        case cards.Filter():
            ability = cards.Static((cards.Part(cards.All(**as_keys(value)), (cards.LoseAllAbilities(),)),))
        case cards.Comparison():
            return context(cards.Filter(power=value))
        case _ if isinstance(value, cards.Selector):
            ability = activated(cards.LoseLife(1, value))
        case _ if isinstance(value, cards.Quantity):
            ability = activated(cards.LoseLife(value))
        case _ if isinstance(value, cards.Condition):
            ability = cards.Static((cards.Part(CREATURES, (cards.LoseAllAbilities(),)),), value)
        case _ if isinstance(value, cards.Operation):
            ability = cards.Static((cards.Part(CREATURES, (value,)),))
        case cards.Part():
            ability = cards.Static((value,))
        case _ if isinstance(value, cards.Cost):
            ability = cards.Activated((value,))
        case _ if isinstance(value, cards.Instruction):
            ability = activated(value)
        case _ if isinstance(value, cards.Event):
            ability = cards.Triggered(value, (cards.Draw(1),))
        case cards.TargetSpec():
            ability = cards.Activated((), (cards.Tap(cards.The(value.name)),), (value,))
        case cards.Mode():
            ability = cards.Activated((), modes=(value,))
        case cards.Option():
            ability = cards.AsEnters(one_of=(value,))
        case cards.CopyAsEnters():
            ability = cards.AsEnters(copy=value)
        case cards.CountersIf():
            return context(cards.CopyAsEnters(CREATURES, counters=(value,)))
        case cards.Counters():
            ability = activated(cards.PutCounters((value,), cards.This()))
        case _:
            raise TypeError(value)
    return ability_text(ability, Card("Test Card", frozenset({"Enchantment"}), abilities=(ability,)))


def as_keys(value: cards.Struct) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__struct_fields__}


@pytest.mark.parametrize("family", FAMILIES, ids=family_of)
def test_every_member_has_words_of_its_own(family: Any) -> None:
    texts = [context(value) for value in samples(family)]

    assert sorted(set(texts)) == sorted(texts)


LABELS = {
    (cards.AlternativeCost, "name"),
    (cards.SacrificeCost, "name"),
    (cards.Exile, "name"),
    (cards.CounterSpell, "name"),
    (cards.Put, "name"),
    (cards.Create, "name"),
    (cards.Reveal, "name"),
    (cards.Choose, "name"),
    (cards.Later, "name"),
    (cards.TargetSpec, "name"),
    (cards.Activated, "name"),
    (cards.Triggered, "name"),
}
"""Names that tie instructions together and that nobody reads."""
PLAYERS_OF_PLAYERS = {(cards.ControllerOf, "of"), (cards.OwnerOf, "of"), (cards.Put, "under")}
"""Where the samples include things that only players can be, or the other way round."""
GRAVEYARD = cards.All(zones=frozenset({"graveyard"}))
TWO_MODES = (cards.Mode((cards.Draw(1),)), cards.Mode((cards.Discard(1),)), cards.Mode((cards.GainLife(2),)))
BASES: dict[tuple[type[cards.Struct], str], cards.Struct] = {
    (cards.All, "of"): GRAVEYARD,
    (cards.All, "top"): GRAVEYARD,
    (cards.PropertyOf, "counter"): cards.PropertyOf("counters", cards.This()),
    (cards.PropertyOf, "over"): cards.PropertyOf("power", CREATURES),
    (cards.Must, "by"): cards.Must("be blocked"),
    (cards.SacrificeCost, "n"): cards.SacrificeCost(CREATURES),
    (cards.DiscardCost, "n"): cards.DiscardCost(what=cards.All(type=frozenset({"Creature"}))),
    (cards.ExileCost, "n"): cards.ExileCost(CREATURES),
    (cards.Put, "bottom"): cards.Put(cards.This(), "library"),
    (cards.Put, "shuffled"): cards.Put(cards.This(), "library"),
    (cards.Create, "but"): cards.Create(copy_of=cards.This()),
    (cards.Sacrifice, "n"): cards.Sacrifice(CREATURES),
    (cards.Choose, "kind"): cards.Choose("object"),
    (cards.TargetSpec, "least"): cards.TargetSpec(what=CREATURES, most=20),
    (cards.Choose, "of"): cards.Choose("type"),
    (cards.Choose, "never"): cards.Choose("type"),
    (cards.Choose, "among"): cards.Choose("name"),
    (cards.Choose, "least"): cards.Choose("object", CREATURES, most=4),
    (cards.CopyAsEnters, "counters"): cards.CopyAsEnters(CREATURES),
    (cards.Activated, "modes_chosen"): cards.Activated((), modes=TWO_MODES),
    (cards.Triggered, "modes_chosen"): cards.Triggered(cards.Enters(), modes=TWO_MODES),
    (cards.Spell, "modes_chosen"): cards.Spell(modes=TWO_MODES),
    (cards.Spell, "modes_most"): cards.Spell(modes=TWO_MODES),
}
"""Where a key means something only beside others."""


@pytest.mark.parametrize(
    ("struct", "name"),
    [key for key in KEYS if key not in LABELS | PLAYERS_OF_PLAYERS],
    ids=lambda part: getattr(part, "__name__", part),
)
def test_every_key_is_told(struct: type[cards.Struct], name: str) -> None:
    texts = [context(value) for value in varied(struct, name, BASES.get((struct, name)))]

    assert sorted(set(texts)) == sorted(texts)

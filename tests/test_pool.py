"""The pool of real cards against a list of printed facts, and the page that explains their language."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from conformance.data.card_file import cards_in
from conformance.data.compiled import fixtures_folder
from conformance.data.library import pool
from reference_engine.language import cards
from reference_engine.language.cards import (
    Ability,
    AsEnters,
    Base,
    Card,
    Condition,
    Cost,
    Defines,
    Instruction,
    Operation,
    Quantity,
    Selector,
    TriggerEvent,
)
from reference_engine.language.characteristics import faces_of

ROOT = Path(__file__).parent.parent
FACTS: dict[str, dict[str, Any]] = {
    fact["name"]: fact
    for fact in json.loads((ROOT / "tests/data/card_facts.json").read_text(encoding="utf-8"))
}
CARD_FILES = sorted((fixtures_folder() / "cards").glob("*.yaml"))
PAGES = [ROOT / "docs/cards.md"]

# --- printed facts -------------------------------------------------------------------------------


def printed(card: Card) -> dict[str, Any]:
    """What is printed on a card besides its abilities, in the form of the list of facts."""
    facts = {
        "name": card.name,
        "mana_cost": card.cost or "",
        "types": sorted(card.types),
        "subtypes": sorted(card.subtypes),
        "supertypes": sorted(card.supertypes),
        "power": card.power,
        "toughness": card.toughness,
        "loyalty": card.loyalty,
    }
    return {key: value for key, value in facts.items() if value not in (None, [])}


def listed(fact: dict[str, Any]) -> dict[str, Any]:
    """A fact of the list, in the shape of `printed`."""
    return {key: shaped(key, value) for key, value in fact.items() if key != "in_sources"}


def shaped(key: str, value: Any) -> Any:
    """Words in order, and a number as a number."""
    match key:
        case "types" | "subtypes" | "supertypes":
            return sorted(value)
        case "power" | "toughness":
            return value if "*" in value else int(value)
        case _:
            return value


@pytest.mark.parametrize("name", sorted(pool()))
def test_card_has_the_printed_facts(name: str) -> None:
    assert listed(FACTS[name]) == printed(pool()[name])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("cost", "{1}{U}"),
        ("types", frozenset({"Artifact"})),
        ("subtypes", frozenset({"Bear", "Druid"})),
        ("supertypes", frozenset({"Legendary"})),
        ("power", 3),
        ("toughness", "*"),
        ("loyalty", 4),
    ],
)
def test_a_wrong_fact_is_noticed(key: str, value: Any) -> None:
    right: dict[str, Any] = {
        "cost": "{1}{G}",
        "types": frozenset({"Creature"}),
        "subtypes": frozenset({"Bear"}),
        "power": 2,
        "toughness": 2,
    }

    assert listed(FACTS["Grizzly Bears"]) == printed(Card(name="Grizzly Bears", **right))
    assert listed(FACTS["Grizzly Bears"]) != printed(Card(name="Grizzly Bears", **{**right, key: value}))


def operations(card: Card) -> Iterator[Operation]:
    """The operations that may determine a card's own power and toughness."""
    for ability in card.abilities:
        match ability:
            case Defines(does=does):
                yield from does
            case AsEnters(one_of=options):
                for option in options:
                    yield from option.does


@pytest.mark.parametrize("key", ["power", "toughness"])
def test_every_star_is_defined_and_nothing_else_is(key: str) -> None:
    with_star = {name for name, card in pool().items() if isinstance(getattr(card, key), str)}
    defined = {
        name
        for name, card in pool().items()
        for operation in operations(card)
        if isinstance(operation, Base) and getattr(operation, key) is not None
    }

    assert with_star == defined


def test_spells_and_only_they_say_what_happens_as_they_resolve() -> None:
    faces = [face for card in pool().values() for face in faces_of(card).values() if not face.halves]
    spells = {face.name for face in faces if face.types & {"Instant", "Sorcery"}}
    resolving = {face.name for face in faces if any(type(one).__name__ == "Spell" for one in face.abilities)}

    assert spells == resolving


# --- files and pages -----------------------------------------------------------------------------


@pytest.mark.sweep
@pytest.mark.parametrize("file", CARD_FILES, ids=lambda file: file.stem)
def test_cards_of_a_file_are_in_the_order_of_their_names(file: Path) -> None:
    names = [card.name for card in cards_in(file)]

    assert sorted(names) == names


def examples(page: Path, folder: Path) -> list[tuple[Card, ...]]:
    """The cards that each block of YAML on a page defines."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    files = [folder / f"{number}.yaml" for number in range(len(blocks))]
    for file, block in zip(files, blocks, strict=True):
        file.write_text(block, encoding="utf-8")
    return [cards_in(file) for file in files]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_example_of_a_page_is_a_list_of_cards(page: Path, tmp_path: Path) -> None:
    shown = examples(page, tmp_path)

    assert shown and all(shown)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_real_cards_on_a_page_are_those_of_the_pool(page: Path, tmp_path: Path) -> None:
    shown = [card for cards in examples(page, tmp_path) for card in cards]
    real = [card for card in shown if not card.name.startswith("Test ")]

    assert [] == [card.name for card in real if pool()[card.name] != card]


@pytest.mark.sweep
def test_no_two_files_hold_the_same_card() -> None:
    names = Counter(card.name for file in CARD_FILES for card in cards_in(file))

    assert [] == [name for name, count in names.items() if count > 1]


FAMILIES = {
    "selector": Selector,
    "quantity": Quantity,
    "condition": Condition,
    "operation": Operation,
    "cost": Cost,
    "instruction": Instruction,
    "event": TriggerEvent,
    "ability": Ability,
}


@pytest.mark.parametrize("family", FAMILIES)
def test_the_page_names_every_member_of_a_family(family: str) -> None:
    page = (ROOT / "docs/cards.md").read_text(encoding="utf-8")
    members = [one for one in get_args(FAMILIES[family]) if one is not int]
    tags = [str(one.__struct_config__.tag) for one in members]
    named = {word for code in re.findall(r"`([^`\n]+)`", page) for word in re.findall(r"[\w ]+", code)}

    assert [] == [tag for tag in tags if tag not in named and f"{tag}:" not in page]


def words_of_lists(kind: Any) -> Iterator[str]:
    """The words that the lists in a type allow."""
    if get_origin(kind) is Literal:
        yield from (word for word in get_args(kind) if isinstance(word, str))
    for part in get_args(kind):
        yield from words_of_lists(part)


def test_the_page_has_every_word_of_a_list_and_every_key() -> None:
    page = (ROOT / "docs/cards.md").read_text(encoding="utf-8")
    code = " ".join(re.findall(r"```.*?```|`[^`\n]+`", page, re.DOTALL))
    words: set[str] = set()
    for kind in vars(cards).values():
        if isinstance(kind, type) and issubclass(kind, cards.CardData):
            words |= set(kind.__struct_encode_fields__)
            types = get_type_hints(kind)
            words |= {word for key in kind.__struct_fields__ for word in words_of_lists(types[key])}
    assert {"shield", "win the game", "unless_pays"} <= words
    assert [] == [word for word in sorted(words) if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", code)]

"""The catalogue of cards read from print: each is valid, found by name, and comes back from its own words."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from conformance.checks.cards import findings_of_card
from conformance.cli import main
from conformance.data.catalogue import Catalogue, catalogue
from conformance.data.loading import load_play
from conformance.reading import PrintedCard, Unread, card_read, normal_text
from conformance.reading.outcome import definition
from tests.sweeping import parts
from tools.catalogue import FILE, as_printed, belongs_to_catalogue, cards_for_catalogue

LEAST = 2500
SHARDS = 8


def shard(number: int) -> list[str]:
    return sorted(catalogue())[number::SHARDS]


def test_there_are_thousands() -> None:
    assert len(catalogue()) >= LEAST


@pytest.mark.sweep
def test_each_line_is_a_card_in_its_only_spelling_sorted_by_name() -> None:
    lines = FILE.read_text(encoding="utf-8").splitlines()
    assert lines == [definition(catalogue()[name]) for name in sorted(catalogue())]


@pytest.mark.sweep
@pytest.mark.parametrize("number", range(SHARDS))
def test_each_card_is_valid(number: int) -> None:
    wrong = {name: found for name in shard(number) if (found := [*findings_of_card(catalogue()[name])])}
    assert {} == wrong


@pytest.mark.parametrize("number", parts(SHARDS, by_day=1))
def test_the_words_of_each_card_are_read_as_what_says_the_same(number: int) -> None:
    different = []
    for name in shard(number):
        card = catalogue()[name]
        found = card_read(as_printed(card))
        if isinstance(found, Unread) or normal_text(found) != normal_text(card):
            different.append(name)
    assert [] == different


def test_a_scenario_can_use_them(tmp_path: Path) -> None:
    name = next(name for name in catalogue() if "Creature" in catalogue()[name].types)
    board = tmp_path / "board.yaml"
    board.write_text(f'setup: [{{id: it, card: "{name}", controller: alice}}]\n', encoding="utf-8")
    [in_play] = [one for one in load_play(board).cards if one.definition.name == name]
    assert in_play.real


def test_nothing_is_read_before_it_is_wanted(tmp_path: Path) -> None:
    lazy = Catalogue(tmp_path / "absent.jsonl")
    assert [] == [*lazy]
    file = tmp_path / "cards.jsonl"
    file.write_text('{"name": "A \\"B\\"", "types": ["Land"]}\n{"name": "C", "types": 3}\n', encoding="utf-8")
    cards = Catalogue(file)
    assert ['A "B"', "C"] == [*cards]
    assert frozenset({"Land"}) == cards['A "B"'].types
    assert "D" not in cards


def test_a_run_that_needs_none_of_them_does_not_open_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue.cache_clear()
    result = CliRunner().invoke(main, ["run", "L-0031", "-q"])
    assert 0 == result.exit_code, result.output
    assert "_content" not in vars(catalogue())


def test_what_does_not_belong_is_left_out() -> None:
    def made(name: str, text: str, cost: str = "{G}") -> PrintedCard:
        return PrintedCard(name, "Creature — Bear", text, cost, "0", "2")

    read = cards_for_catalogue(
        [
            made("Plain Bear", ""),
            made("Humility", "Flying"),
            made("Test of Bears", "Flying"),
            made("Back Bear", "Flying", cost=""),
            made("Mana Bear", "{T}: Add {G}."),
            made("Juggling Bear", "Whenever it rains, juggle."),
            made("Star Bear", "This creature's power is equal to the number of Forests you control."),
            "Two // Faces",
        ],
        {},
    )
    [star] = read
    assert ("Star Bear", "*", 2) == (star.name, star.power, star.toughness)
    assert belongs_to_catalogue(star)


def test_a_star_that_nothing_defines_becomes_the_known_number() -> None:
    text = "Flying\nThis creature's power is equal to the number of Forests you control."
    printed = [PrintedCard("Star Bear", "Creature — Bear", text, "{G}", "*", "*")]
    [known] = cards_for_catalogue([replace(printed[0], toughness="5")], {})
    assert [known] == [*cards_for_catalogue(printed, {"Star Bear": known})]
    assert ("*", 5) == (known.power, known.toughness)
    assert [] == [*cards_for_catalogue(printed, {})]
    assert [] == [*cards_for_catalogue(printed, {"Star Bear": replace(known, toughness="*")})]


@pytest.mark.parametrize("name", ["Enigma Drake", "Haughty Djinn", "Suki, Kyoshi Warrior"])
def test_a_renewal_keeps_a_number_that_the_bulk_file_lacks(name: str) -> None:
    card = catalogue()[name]
    assert isinstance(card.toughness, int)
    [renewed] = cards_for_catalogue([replace(as_printed(card), toughness="*")], catalogue())
    assert definition(card) == definition(renewed)


def test_a_card_that_a_bulk_file_has_wrong_is_kept_as_printed() -> None:
    """One snapshot has another morph cost; other engines agree on this one."""
    morph = next(
        one for one in catalogue()["Aven Liberator"].abilities if getattr(one, "keyword", "") == "morph"
    )
    assert getattr(morph, "mana", "") == "{3}{W}"

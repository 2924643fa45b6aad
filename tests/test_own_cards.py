"""Cards of the user's own: used by name, checked with locations, and listed if they differ from ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from conformance.cli import main
from conformance.data.own_cards import known_names_with, own_cards
from conformance.model.problems import ScenarioError
from conformance.reading.outcome import definition
from reference_engine.language.cards import Card

CREATURE = Card("Storm Reed", frozenset({"Creature"}), "{1}{U}", power=1, toughness=2)
REED = replace(CREATURE, subtypes=frozenset({"Bird"}))
BEARS = replace(CREATURE, name="Grizzly Bears", cost="{1}{G}", power=7, toughness=7)
BOARD = """setup:
  - {id: reed, card: Storm Reed, controller: alice}
  - {id: bears, card: Grizzly Bears, controller: bob}
expect:
  - {of: reed, toughness: 2, because: "CR 613.1: as printed"}
  - {of: bears, power: 2, because: "CR 613.1: as printed"}
"""
FORMS = {
    "cards.jsonl": "\n".join(map(definition, (REED, BEARS))),
    "cards.json": json.dumps([json.loads(definition(card)) for card in (REED, BEARS)]),
    "cards.yaml": "\n".join(f"- {definition(card)}" for card in (REED, BEARS)),
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a board, and the same cards in every form."""
    monkeypatch.chdir(tmp_path)
    Path("board.yaml").write_text(BOARD, encoding="utf-8")
    for name, text in FORMS.items():
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


def command(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


@pytest.mark.sweep
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("verb", ["run", "check", "explain", "show"])
@pytest.mark.usefixtures("home")
def test_every_command_takes_cards_by_their_real_names(verb: str, form: str) -> None:
    assert "no card named 'Storm Reed'" in command(verb, "board.yaml").output
    result = command(verb, "board.yaml", "--cards", form)
    assert 0 == result.exit_code, result.output
    assert "1 card differs from ours of the same name, ours are used" in result.stderr
    assert "Grizzly Bears" in result.stderr


@pytest.mark.usefixtures("home")
def test_a_folder_stands_for_its_files(home: Path) -> None:
    Path("folder").mkdir()
    Path("folder", "some.jsonl").write_text(FORMS["cards.jsonl"], encoding="utf-8")
    assert {"Storm Reed", "Grizzly Bears"} == set(own_cards([home / "folder"]))
    Path("none").mkdir()
    assert "no cards in this folder" in command("check", "board.yaml", "--cards", "none").stderr


@pytest.mark.usefixtures("home")
def test_theirs_come_first_only_if_asked_to() -> None:
    result = command("run", "board.yaml", "--cards", "cards.jsonl", "--cards-first")
    assert 1 == result.exit_code
    assert "yours are used" in result.stderr
    assert "bears, after setup: power: expected 2, observed 7" in result.output
    assert "--cards cards.jsonl --cards-first board.yaml" in result.output


@pytest.mark.usefixtures("home")
def test_ours_are_never_replaced_in_our_own_fixtures() -> None:
    result = command("run", "L-0114", "--cards", "cards.jsonl", "--cards-first")
    assert 0 == result.exit_code, result.output


@pytest.mark.usefixtures("home")
def test_the_configuration_names_cards() -> None:
    config = Path("conformance.toml")
    config.write_text('cards = "cards.jsonl"\n', encoding="utf-8")
    assert 0 == command("run", "board.yaml").exit_code
    config.write_text('cards = ["cards.jsonl"]\ncards_first = true\n', encoding="utf-8")
    assert 1 == command("run", "board.yaml").exit_code
    config.write_text('cards = "absent.jsonl"\n', encoding="utf-8")
    says = command("run", "board.yaml").stderr
    assert "absent.jsonl: No such file" in says
    config.write_text("cards = 3\ncards_first = 1\n", encoding="utf-8")
    says = command("run", "board.yaml").stderr
    assert "conformance.toml:1:1: cards: 3 is not text" in says
    assert "conformance.toml:2:1: cards_first: 1 is neither true nor false" in says


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.jsonl", '{"name": "A"}\n\n{"name": 3}', ("a.jsonl:1:1: A: card", "a.jsonl:3:10: 3.name")),
        ("a.jsonl", '{"name": "A", "types": ["Land"]}\n{"name"', ("a.jsonl:2:", "not JSON")),
        ("a.json", '[{"name": "A", "types": ["Lend"]}]', ("a.json:1:26: A.types[1]: 'Lend' is not",)),
        ("a.yaml", "- {name: A, types: [Lend]}", ("a.yaml:1:21: A.types[1]",)),
        (
            "a.jsonl",
            '{"name": "A", "type_line": "Land"}',
            ("printed cards", "cards read a.jsonl"),
        ),
        ("a.json", '[{"object": "card"}]', ("printed cards", "cards read a.json")),
        ("a.json", '{"meta": {}, "data": {}}', ("printed cards",)),
        ("a.jsonl", "\xff", ("not JSON",)),
        (
            "a.jsonl",
            '{"name": "A", "types": ["Land"]}\n{"name": "A", "types": ["Artifact"], "cost": "{1}"}',
            ("a.jsonl:2: A: a.jsonl has another A",),
        ),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(
    home: Path, name: str, content: str, says: tuple[str, ...]
) -> None:
    path = home / name
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ScenarioError) as refused:
        own_cards([path])
    for one in says:
        assert one in str(refused.value).replace(f"{home}/", "")


@pytest.mark.usefixtures("home")
def test_a_card_is_checked_when_it_is_used_and_by_check() -> None:
    wrong = '{"name": "Storm Reed", "types": ["Creature"]}\n'
    Path("wrong.jsonl").write_text(wrong, encoding="utf-8")
    says = "wrong.jsonl:1:1: Storm Reed: a creature without power and toughness"
    assert says in command("run", "board.yaml", "--cards", "wrong.jsonl").stderr
    assert says in command("check", "wrong.jsonl").stderr
    assert "cards.jsonl: sound" in command("check", "cards.jsonl").stdout
    assert "cards.json: sound" in command("check", "cards.json").stdout


def test_a_name_is_found_behind_ours(home: Path) -> None:
    own = own_cards([home / "cards.jsonl"])
    known, first = known_names_with(own, first=False), known_names_with(own, first=True)
    assert REED == known.cards["Storm Reed"] == first.cards["Storm Reed"]
    assert 2 == known.cards["Grizzly Bears"].power
    assert 7 == first.cards["Grizzly Bears"].power

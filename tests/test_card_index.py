"""Looking up the pool of real cards on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from conformance.cli import main
from conformance.data.library import pool, real_cards
from conformance.data.loading import load_play


def cards(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["cards", *arguments], catch_exceptions=False)


@pytest.mark.sweep
def test_every_card_has_a_line() -> None:
    lines = cards().stdout.splitlines()

    every = real_cards()
    assert len(every) == len(lines)
    assert sorted(every) == [line[: max(map(len, every))].rstrip() for line in lines]


def test_names_are_all_that_is_printed_for_other_programs() -> None:
    assert sorted(real_cards()) == cards("--names").stdout.splitlines()


def test_line_has_cost_and_type_line() -> None:
    [line] = cards("blood moon").stdout.splitlines()

    assert ["Blood Moon", "{2}{R}", "Enchantment"] == line.split("  ")


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("word", "finds"),
    [("URBORG", "Urborg, Tomb of Yawgmoth"), ("nonbasic lands are", "Blood Moon"), ("{2}{r}", "Blood Moon")],
)
def test_word_is_looked_for_in_all_that_is_printed(word: str, finds: str) -> None:
    names = cards(word, "--names").stdout.splitlines()

    assert finds in names
    assert len(names) < len(real_cards())


@pytest.mark.sweep
def test_words_need_no_quotes() -> None:
    assert cards("Blood Moon").stdout == cards("Blood", "Moon").stdout
    assert cards("show", "Blood Moon").stdout == cards("show", "blood", "moon").stdout


def test_word_that_is_a_command_is_looked_for_by_list() -> None:
    assert "Missing argument 'NAME'" in cards("show").stderr
    assert 0 == cards("list", "show").exit_code


def test_help_says_what_the_group_does() -> None:
    result = cards("--help")

    assert 0 == result.exit_code
    assert {"list", "show", "read"} <= {line.split()[0] for line in result.stdout.splitlines() if line}


def test_page_has_the_text_and_the_definition() -> None:
    assert [
        "Blood Moon {2}{R}",
        "Enchantment",
        "Nonbasic lands are Mountains.",
        "",
        "cards:",
        "  - name: Blood Moon",
        '    cost: "{2}{R}"',
        "    types: [Enchantment]",
        "    abilities:",
        "      - {static: {affects: nonbasic lands, does: {basic_land_type: Mountain}}}",
    ] == cards("show", "Blood Moon").stdout.splitlines()


@pytest.mark.parametrize("name", ["Blood Moon", "Humility", "Grizzly Bears", "Bident of Thassa", "Mutavault"])
def test_definition_on_the_page_means_the_same_card(name: str, tmp_path: Path) -> None:
    page = cards("show", name).stdout
    definition = page[page.index("\ncards:\n") :].replace(name, f"Test {name}")
    board = tmp_path / "board.yaml"
    board.write_text(f"{definition}setup: [{{id: mine, card: Test {name}, controller: alice}}]\n", "utf-8")

    cards_in_play = [one.definition for one in load_play(board).cards]
    assert replace(pool()[name], name=f"Test {name}") in cards_in_play


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("show", "Blod Moon"), "no card is called 'Blod Moon'\n    did you mean 'Blood Moon'?"),
        (("show", "zzz"), "no card is called 'zzz'\n    `conformance cards zzz` looks in their rules text"),
        (("Humilty",), "did you mean 'Humility'?"),
        (("zzz",), "`conformance cards` lists them all"),
    ],
)
def test_card_that_does_not_exist(arguments: tuple[str, ...], says: str) -> None:
    result = cards(*arguments)

    assert 2 == result.exit_code
    assert says in result.stderr


def test_used_cards_are_those_of_the_fixtures() -> None:
    used = cards("--used", "--names").stdout.splitlines()
    assert {"Humility", "Blood Moon", "Plains"} <= set(used)
    assert set(used) < set(cards("--names").stdout.splitlines())

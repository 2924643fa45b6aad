"""The table of what the language leaves out: made by a tool, complete, and with counts only."""

from __future__ import annotations

from conformance.reading import PrintedCard
from tools.left_out import PAGE, cards_left_out, patterns, table, with_table

BANDING = PrintedCard("Test Wolf", "Creature — Wolf", "Flying, banding", "{W}", "1", "1")
DREDGING = PrintedCard("Test Wurm", "Creature — Wurm", "Dredge 2\nWhen this creature enters, flip a coin.")
READ = PrintedCard("Test Bear", "Creature — Bear", "Flying", "{G}", "2", "2")


def test_an_unread_card_counts_in_each_row_that_has_its_words() -> None:
    found = cards_left_out([BANDING, BANDING, DREDGING, READ, "Test Room // Test Door"])
    assert found == {"keyword: banding": 1, "keyword: dredge": 1, "coins and dice": 1}


def test_the_table_puts_what_most_cards_have_first() -> None:
    lines = table({"keyword: dredge": 2, "Roles": 3}).splitlines()
    assert lines[2:4] == ["| Roles | 3 |", "| keyword: dredge | 2 |"]
    assert "banding" in lines[-1] and "dredge" not in lines[-1]


def test_a_new_table_replaces_the_old_one_alone() -> None:
    page = PAGE.read_text(encoding="utf-8")
    new = with_table(page, {"Roles": 3})
    assert "| Roles | 3 |" in new
    assert with_table(new, {"Roles": 4}) == new.replace("| Roles | 3 |", "| Roles | 4 |")


def test_everything_that_is_left_out_stands_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    rows = {line.split(" | ")[0].removeprefix("| ") for line in page.splitlines() if line.startswith("| ")}
    (none,) = (line for line in page.splitlines() if line.startswith("On none of the cards: "))
    unnamed = set(none.removeprefix("On none of the cards: ").removesuffix(".").split(", "))
    assert [] == [
        name for name in patterns() if name not in rows and name.removeprefix("keyword: ") not in unnamed
    ]

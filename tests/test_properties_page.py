"""The page about properties tells of every one of them, as the code has it."""

from __future__ import annotations

from conformance.properties import PROPERTIES
from tools.properties_page import PAGE, section


def test_page_tells_of_every_property_in_order() -> None:
    text = PAGE.read_text(encoding="utf-8")
    headings = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]

    assert headings == [law.name for law in PROPERTIES], "write it anew: python -m tests.properties_page"
    assert [] == [law.name for law in PROPERTIES if law.says not in text]


def test_each_section_has_an_example_with_cards() -> None:
    lines = list(section(PROPERTIES[0]))

    assert "Players" in lines
    assert "The cards" in lines

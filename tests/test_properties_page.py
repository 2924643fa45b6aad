"""The page about properties lists every one of them, as the code has it."""

from __future__ import annotations

from conformance.properties import PROPERTIES
from tools.properties_page import PAGE, page


def test_page_lists_every_property() -> None:
    written = PAGE.read_text(encoding="utf-8")

    assert written == page(), "write it anew: python -m tools properties-page"
    assert [] == [law.name for law in PROPERTIES if written.count(f"| `{law.name}`") != 1]


def test_page_is_short_enough_to_be_read() -> None:
    assert len(PAGE.read_text(encoding="utf-8").splitlines()) < 2 * len(PROPERTIES)

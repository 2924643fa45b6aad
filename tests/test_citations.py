"""The rules that a text cites."""

from __future__ import annotations

import pytest

from conformance.model.citations import rules_cited, rules_cited_first


@pytest.mark.parametrize(
    ("text", "first", "every"),
    [
        ("CR 613.8b: it waits", ("613.8b",), ("613.8b",)),
        ("CR 120.1a, 702.15b: no damage", ("120.1a", "702.15b"), ("120.1a", "702.15b")),
        ("so (CR 305.6 and 613.8a)", ("305.6", "613.8a"), ("305.6", "613.8a")),
        ("CR 117: and CR 613.8b: as CR 117 says, 3 times", ("117",), ("117", "613.8b")),
        ("613.8b", (), ()),
    ],
)
def test_rules_of_a_text_are_those_after_cr(
    text: str, first: tuple[str, ...], every: tuple[str, ...]
) -> None:
    assert first == rules_cited_first(text)
    assert every == rules_cited(text)

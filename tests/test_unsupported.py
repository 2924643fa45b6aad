"""Reasons for what is unsupported: grouped regardless of the object, look or card they mention."""

from __future__ import annotations

import pytest

from conformance.model.verdict import PartOfVerdict, PassVerdict, Unsupported
from conformance.results.unsupported import MOST_REASONS, lines_of_reasons, reason_of, reasons

NOT_SHOWN = PartOfVerdict("unsupported", "bear", "at the end", "modes_chosen", "[]", "not reported")
STOPPED = PartOfVerdict(
    "unsupported",
    "script[2]",
    "cast bolt",
    "stopped",
    "goes on",
    "unsupported: the keyword storm (Grapeshot)",
)


@pytest.mark.parametrize(
    ("verdict", "reason"),
    [
        (Unsupported("teams"), "teams"),
        (Unsupported("the instruction reveal (Goblin Guide)"), "the instruction reveal"),
        (Unsupported("no card 'Mind Bend'"), "no card …"),
        (Unsupported("20 of 20 cases cannot be played: storms"), "… of … cases cannot be played: storms"),
        (
            Unsupported("bear, at the end: modes_chosen not reported", (NOT_SHOWN,)),
            "modes_chosen not reported",
        ),
        (Unsupported("script[2], cast bolt: stopped …", (STOPPED,)), "the keyword storm"),
    ],
)
def test_reason_is_without_what_belongs_to_one_check(verdict: Unsupported, reason: str) -> None:
    assert reason == reason_of(verdict)


def test_most_frequent_reason_comes_first_and_the_last_line_counts_the_rest() -> None:
    once = [Unsupported(f"feature {letter}") for letter in "abcdefghijklmno"]
    often = [Unsupported("modes_chosen")] * 510

    lines = list(lines_of_reasons(reasons([*once, *often, PassVerdict(())])))

    assert ["unsupported, by reason:", "  510 × modes_chosen", "  1 × feature a"] == lines[:3]
    assert "  6 × 6 other reasons" == lines[-1]
    assert MOST_REASONS + 2 == len(lines)
    assert [] == list(lines_of_reasons(reasons([PassVerdict(())])))

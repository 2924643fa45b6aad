"""Words of the language that no check uses."""

from __future__ import annotations

import pytest

from conformance.data.library import all_fixtures
from tools.unused_words import places, report, uses, words_used


def test_each_field_that_takes_words_is_known_with_them() -> None:
    known = places()

    assert {"upkeep", "untap", "draw"} < known["SkipStep", "step"]
    assert "flying" in known["Counters", "kind"]
    assert ("Counters", "number") not in known


def test_words_are_found_where_they_stand() -> None:
    used = words_used(all_fixtures()["G-4412"].play)

    assert (("SkipStep", "step"), "upkeep") in used
    assert (("SkipStep", "step"), "untap") not in used


@pytest.mark.sweep
@pytest.mark.nightly
def test_every_word_of_a_check_is_one_of_those_that_its_place_takes() -> None:
    known = places()

    assert [] == [(place, word) for place, word in uses() if place in known and word not in known[place]]


def test_report_lists_what_no_check_or_one_uses() -> None:
    known = {("SkipStep", "step"): ["draw", "end", "untap"]}
    used = {(("SkipStep", "step"), "draw"): 4, (("SkipStep", "step"), "untap"): 1}

    assert [
        "in no check:",
        "  SkipStep.step: end",
        "in one check:",
        "  SkipStep.step: untap",
        "3 words in 1 fields, 1 in no check, 1 in one",
    ] == [*report(known, used)]

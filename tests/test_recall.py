"""What several seeds find apart from each other, in a table."""

from __future__ import annotations

from functools import partial

import pytest

from conformance.shards.players import processes
from tools.recall import Recall, measure, table


def test_table_tells_how_many_seeds_found_each_cause() -> None:
    found = [
        Recall("mine", 3, 90, ("a", "b", "c")),
        Recall("mine", 4, 90, ("a", "b")),
        Recall("mine", 5, 90, ("a", "d")),
    ]

    lines = list(table(found))

    assert "| engine | causes of each seed | of any | found by all | 2 of 3 | 1 of 3 |" in lines[0]
    assert "| mine | 3, 2, 2 | 4 | 1 | 1 | 2 | 2 (50 %) |" == lines[-1]


def test_engines_of_a_kind_count_together_and_each_has_causes_of_its_own() -> None:
    found = [
        Recall("machine:1 layers.py", 1, 9, ("machine:1",)),
        Recall("machine:1 layers.py", 2, 9, ("machine:1",)),
        Recall("several:0-0", 1, 9, ("by-id",)),
        Recall("several:0-0", 2, 9, ()),
        Recall("several:0-1", 1, 9, ("by-id",)),
        Recall("several:0-1", 2, 9, ("by-id",)),
        Recall("right", 1, 9, ()),
        Recall("right", 2, 9, ()),
    ]

    rows = list(table(found))[2:]

    assert "| made by machine | 1, 1 | 1 | 1 | 0 | 1 (100 %) |" == rows[0]
    assert "| with several mistakes | 2, 1 | 2 | 1 | 1 | 2 (100 %) |" == rows[1]
    assert "| right | 0, 0 | 0 | 0 | 0 | – |" == rows[2]


def test_cause_that_two_laws_show_is_one() -> None:
    found = [
        Recall("mine", 1, 9, ("ASwitchComesLast 613.4d power", "TwoSwitchesCancel 613.4d power")),
        Recall("mine", 2, 9, ("TwoSwitchesCancel 613.4d power", "TwoSwitchesCancel 613.4d toughness")),
    ]

    assert "| mine | 1, 2 | 2 | 1 | 1 | 2 (100 %) |" == list(table(found))[-1]


@pytest.mark.sweep
def test_campaigns_find_known_mistakes_and_nothing_else() -> None:
    told: list[Recall] = []

    ending, found = measure(
        ["several:3-0"],
        [3, 4],
        210,
        2,
        where=partial(processes, 1),
        folder=None,
        part=(1, 1),
        tell=told.append,
    )

    assert "done" == ending
    assert [3, 4] == [one.seed for one in found]
    assert told == found
    assert all(one.causes and one.cases <= 210 for one in found)

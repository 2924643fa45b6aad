"""Engines that take one decision of the rules as another: fixtures notice them."""

from __future__ import annotations

import dataclasses

import pytest

from conformance.data.library import all_fixtures
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance_adapters.in_process import Reference
from reference_engine.game.game_rules import CR
from tools import harvest, swapped_decisions
from tools.swapped_decisions import Swap, SwapNoticed, engine_with, first_noticing, report, swaps

BLOCKS = Swap("may_block", "may_attack")


def test_decisions_are_swapped_with_those_of_the_same_types() -> None:
    every = swaps()

    assert BLOCKS in every
    assert Swap("may_attack", "may_block") in every
    assert Swap("may_attack", "untap") not in every
    assert all(swap.decision != swap.instead for swap in every)
    assert {swap.decision for swap in every} <= {field.name for field in dataclasses.fields(CR)}


def test_engine_takes_the_decision_as_the_other() -> None:
    assert engine_with(BLOCKS).rules.may_block is CR.may_attack
    assert engine_with(BLOCKS).rules.may_attack is CR.may_attack


def test_checks_that_fail_on_the_engine_notice_it() -> None:
    flying, layers = all_fixtures()["G-0950.01"], all_fixtures()["L-0001"]

    assert ("G-0950.01",) == first_noticing(BLOCKS, [layers, flying])
    assert () == first_noticing(Swap("may_block", "may_block"), [layers, flying])


class Hanging(Reference):
    """An engine that never answers."""

    def play(self, play: Play, /) -> Observations:
        while True:
            pass


def test_an_engine_that_hangs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harvest, "SECONDS_A_PLAY", 0.05)
    monkeypatch.setattr(swapped_decisions, "engine_with", lambda swap: Hanging())

    assert ("L-0001",) == first_noticing(BLOCKS, [all_fixtures()["L-0001"]])


def test_report_lists_swaps_that_at_most_one_check_notices() -> None:
    found = [
        SwapNoticed(BLOCKS, ("G-0001", "G-0002"), 9),
        SwapNoticed(Swap("a", "b"), ("G-0001",), 7),
        SwapNoticed(Swap("b", "a"), (), 0),
    ]

    assert [
        "a as b: G-0001 (of 7 checks)",
        "b as a: nothing notices (of 0 checks)",
        "3 swaps, 2 noticed, 1 of them twice",
    ] == [*report(found)]

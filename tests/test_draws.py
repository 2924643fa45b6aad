"""The search draws the same cases from a seed, whatever source files exist, and makes strategies once."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from conformance.properties.law import Cases, PlayFunction, Property, holds_for
from conformance.properties.tale import rounds
from conformance.search.search import search
from conformance.strategies.boards import boards
from conformance.strategies.draws import composite, constants_left_out
from conformance.strategies.focused import focused_boards, rivals
from conformance.strategies.means import EVERYTHING, Means
from conformance.strategies.scripts import games, tables
from conformance_adapters.in_process import Reference

NUMBERS = range(1_000_003, 1_000_903, 9)
"""Constants that a source file defines."""


@pytest.fixture
def file_full_of_numbers(tmp_path: Path) -> Iterator[None]:
    """Import a local module that defines constants."""
    path = tmp_path / "full_of_numbers.py"
    path.write_text("".join(f"N{n} = {n}\n" for n in NUMBERS))
    loader = SourceFileLoader("full_of_numbers", str(path))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    sys.modules[loader.name] = module
    yield
    del sys.modules[loader.name]


def numbers_searched() -> set[int]:
    """The numbers that a search draws."""
    drawn: set[int] = set()
    cases: Cases[int] = lambda means: st.integers(0, 10_000_000)  # noqa: E731  # one strategy

    def any_number_will_do(play: PlayFunction, case: int) -> None:
        """Any number will do."""
        drawn.add(case)

    law: Property[int] = holds_for(cases, rules=("117.1",))(any_number_will_do)
    search(Reference().play, law, EVERYTHING, seed=0, examples=300)
    return drawn


def numbers_of_a_test() -> set[int]:
    """The numbers that somebody else's test draws."""
    drawn: set[int] = set()

    @hypothesis.seed(0)
    @settings(max_examples=300, database=None)
    @hypothesis.given(st.integers(0, 10_000_000))
    def draw(number: int) -> None:
        drawn.add(number)

    draw()
    return drawn


def test_search_draws_nothing_from_source_files(file_full_of_numbers: None) -> None:
    with_file = numbers_searched()

    assert len(with_file) > 100
    assert set() == with_file & set(NUMBERS)


def test_tests_of_others_draw_as_before(file_full_of_numbers: None) -> None:
    with constants_left_out():
        pass

    assert numbers_of_a_test() & set(NUMBERS)


def test_equal_arguments_give_the_same_strategy() -> None:
    @composite
    def doubled(draw: st.DrawFn, most: int) -> int:
        """Twice a number."""
        return 2 * draw(st.integers(0, most))

    assert doubled(3) is doubled(3)
    assert doubled(3) is not doubled(4)
    assert doubled(1) is not doubled(True)
    assert doubled.__doc__ == "Twice a number."


def test_strategies_of_games_and_boards_are_made_once() -> None:
    for made in (games, tables, rounds, boards, focused_boards):
        assert made(EVERYTHING) is made(EVERYTHING), made.__name__


@pytest.mark.parametrize("drawn", [boards, focused_boards, rivals, rounds, games])
def test_further_cases_make_hardly_any_strategies(
    drawn: Callable[[Means], SearchStrategy[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 0
    begin = SearchStrategy.__init__

    def count(self: SearchStrategy[Any], *arguments: Any, **named: Any) -> None:
        nonlocal made
        made += 1
        begin(self, *arguments, **named)

    def draw_cases() -> None:
        @hypothesis.seed(1)
        @settings(max_examples=40, database=None, deadline=None, phases=(Phase.generate,))
        @given(drawn(EVERYTHING))
        def draw(case: object) -> None:
            pass

        draw()

    draw_cases()
    monkeypatch.setattr(SearchStrategy, "__init__", count)
    draw_cases()
    assert made < 3 * 40  # there were 30 for each case when every case made its own

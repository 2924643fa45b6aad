"""Fixed tasks take no more work than is stored: a slow drift is noticed without a clock."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable

import pytest

from conformance.measure.speed import small_scripts
from conformance_adapters.in_process import Reference
from tools import work

TASKS = dict(work.tasks())
STORED = json.loads(work.STORED.read_text(encoding="utf-8"))


@pytest.mark.sweep
@pytest.mark.parametrize("name", TASKS)
def test_task_takes_no_more_work_than_before(name: str) -> None:
    grown = work.grown(work.work_of(TASKS[name]), STORED[name])

    assert not grown, (
        f"{name}: more calls than stored; find out why, or store it: python -m tools work\n"
        + "\n".join(grown)
    )


def test_every_stored_task_is_still_measured() -> None:
    assert list(STORED) == list(TASKS)


def test_what_grew_is_named() -> None:
    assert work.grown({"a.b": 100, "a.c": 6}, {"a.b": 100}) == ("a.c: 0 calls before, 6 now",)
    assert work.grown({"a.b": 105}, {"a.b": 100}) == ()


def test_calls_of_our_functions_are_counted() -> None:
    def twice(task: Callable[[], object]) -> Callable[[], object]:
        return lambda: (task(), task())

    task = TASKS["wire: asking"]
    once, both = work.work_of(task), work.work_of(twice(task))

    assert once
    assert both == {name: 2 * n for name, n in once.items()}


@pytest.mark.parametrize("name", small_scripts())
def test_a_play_leaves_nothing_for_the_garbage_collector(name: str) -> None:
    """What refers to itself in a circle stays in memory until Python looks for it, which costs time."""
    play, scenario = Reference().play, small_scripts()[name]
    play(scenario)
    gc.freeze()  # so that it looks at nothing that was there before
    gc.disable()
    try:
        play(scenario)
        assert gc.collect() == 0
    finally:
        gc.enable()
        gc.unfreeze()

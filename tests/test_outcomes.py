"""Conditions of the reference engine: which outcomes are noted, and scenarios that show new ones."""

from __future__ import annotations

import ast
import builtins
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.data.library import all_fixtures
from tools.outcomes import CALLED, ENOUGH, Notes, NotingCode, RareScenario, most_worth

ROOT = Path(__file__).parent.parent
PLAY = all_fixtures()["L-0001"].play


@pytest.fixture
def notes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Notes]:
    taking = Notes()
    taking.taking = True
    monkeypatch.setattr(builtins, CALLED, taking, raising=False)
    yield taking


def function_noting(source: str) -> Callable[..., Any]:
    """A function `f` of this source, instrumented."""
    there: dict[str, Any] = {}
    program = ast.fix_missing_locations(NotingCode(0).visit(ast.parse(source)))
    exec(compile(program, "f", "exec"), there)
    function: Callable[..., Any] = there["f"]
    return function


def met_by(notes: Notes, function: Callable[..., Any], *arguments: Any) -> tuple[Any, frozenset[int]]:
    notes.met = set()
    return function(*arguments), frozenset(notes.met)


@pytest.mark.parametrize(
    ("source", "alike", "other"),
    [
        ("def f(a):\n    return a < 2", [(-7,), (-8,)], (1,)),
        ("def f(a):\n    return a < 2", [(9,), (8,)], (2,)),
        ("def f(a):\n    return a in (1, 2)", [(1,)], (2,)),
        ("def f(a):\n    return a not in (1, 2)", [(3,), (4,)], (2,)),
        ("def f(a, b):\n    return a and b", [(False, False)], (False, True)),
        ("def f(a, b):\n    return a or b", [(True, True)], (True, False)),
        ("def f(a, b):\n    return a or b", [(3, 4), (4, 5)], (3, 3)),
        ("def f(a):\n    return [one for one in a if one]", [([1],), ([2, 3],)], ([1, 0],)),
        ("def f(a):\n    return a[0]", [([1],), ([2, 2],)], ([1, 2],)),
        ("def f(a):\n    if a:\n        return 1\n    return 2", [(1,), (2,)], (0,)),
        (
            "def f(a):\n    match a:\n        case 1:\n            return 2\n    return 3",
            [(1,)],
            (2,),
        ),
    ],
)
def test_outcome_that_would_tell_a_change_is_noted(
    notes: Notes, source: str, alike: list[tuple[Any, ...]], other: tuple[Any, ...]
) -> None:
    plain: dict[str, Any] = {}
    exec(source, plain)
    function = function_noting(source)

    seen = {met_by(notes, function, *one)[1] for one in alike}
    value, met = met_by(notes, function, *other)

    assert plain["f"](*other) == value
    assert 1 == len(seen)
    assert seen != {met}


def test_member_far_behind_in_a_list_is_one_all_the_same(notes: Notes) -> None:
    function = function_noting(f"def f(a):\n    return a in {tuple(range(40))}")

    assert [True, True, False] == [function(one) for one in (15, 39, 40)]


def test_operand_that_changes_something_is_never_worked_out_alone(notes: Notes) -> None:
    function = function_noting("def f(a, b):\n    return a and b.pop()")

    several = [1, 2]
    assert not function(0, several)
    assert [1, 2] == several


def test_operand_that_is_not_asked_may_break(notes: Notes) -> None:
    function = function_noting("def f(a):\n    return a is not None and a.real > 2")

    assert not function(None)
    assert function(3)


def test_scenario_that_shows_most_of_what_others_lack_is_chosen_first() -> None:
    counts = Counter({1: ENOUGH, 2: ENOUGH - 1})
    nothing, little, much, same = (
        RareScenario("a", PLAY, frozenset(met), 0.001) for met in ({1}, {2}, {3, 4}, {3, 4})
    )

    some = list(most_worth([nothing, little, much, same], counts))

    assert some[0] in (much, same)
    assert nothing not in some
    assert {1: 3, 2: 3, 3: 2, 4: 2} == dict(counts)


@pytest.mark.sweep
@pytest.mark.nightly
def test_command_stores_scenarios_that_the_reference_engine_passes(tmp_path: Path) -> None:
    """In a process of its own, because the engine takes notes from then on."""
    program = f"""
from pathlib import Path
from conformance.data.library import all_fixtures
from conformance_adapters.in_process import Reference
from tools import outcomes

some = dict(list(all_fixtures().items())[::60])
plain = [Reference().play(one.play) for one in some.values()]
outcomes.all_fixtures = lambda: some
outcomes.corpus = dict
print(outcomes.search_and_store(30, 0, 2, Path({str(tmp_path)!r}), print))
assert plain == [Reference().play(one.play) for one in some.values()]
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert 0 == done.returncode, done.stderr
    assert done.stdout.splitlines()[0].startswith("the suite shows ")
    assert done.stdout.splitlines()[-1].endswith("; 2 are stored")
    assert 2 == len(list(tmp_path.glob("C-*.json")))

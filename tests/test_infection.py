"""In which checks a change of an expression makes a difference, and which expressions change nothing."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from msgspec import Struct

from tools import infection
from tools.code_changes import identified_changes
from tools.infection import are_alike, differences
from tools.own_mutants import Detector
from tools.purity import Package

SOURCE = """
import functools

LOG = []


def logged(word):
    LOG.append(word)
    return word


def larger(one, other):
    return one if one > other else other


def price(n):
    if n > 3 and n < 9:
        return n + 1
    return [n * one for one in range(n)]


def kept(n):
    return remembered(n) if n else 0


@functools.cache
def remembered(n):
    return 10 // n + 0


def down(n):
    return n and down(n - 1)


def told(word):
    logged(word)
    return logged("a") + word


def used_up(many):
    words = iter(many)
    first = next(words)
    return first, sorted(words)


def endless(n):
    return counted(n - n)


def counted(n):
    while n < 0 or n > 5:
        n += 0
    return n
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A module that can be changed."""
    (tmp_path / "shop.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("tools.code_changes.ROOT", tmp_path)
    monkeypatch.setattr(infection, "ROOT", tmp_path)
    monkeypatch.setattr(infection, "TICK", 0.02)
    package = Package([tmp_path / "shop.py"])
    monkeypatch.setattr(infection, "package_for", lambda module: package)
    yield importlib.import_module("shop")
    del sys.modules["shop"]


def differing(shop: ModuleType, *holds: Callable[[], bool]) -> dict[str, list[list[int]]]:
    """The checks in which each change makes a difference; equal changes in the order of the code."""
    checks = [Detector("fixtures", str(number), one) for number, one in enumerate(holds)]
    noted = differences({"fixtures": checks}, ["shop.py"])["fixtures"]
    found: dict[str, list[list[int]]] = {}
    for identity, _ in identified_changes("shop.py"):
        if ("shop", identity.id) in noted:
            found.setdefault(f"{identity.function}: {identity.change}", []).append(
                [*noted["shop", identity.id]]
            )
    return found


def test_change_makes_a_difference_where_its_expression_has_another_value(shop: ModuleType) -> None:
    found = differing(
        shop,
        lambda: shop.price(2) == [0, 2],
        lambda: shop.price(4) == 5,
        lambda: shop.larger(2, 2) == 2,
    )

    assert [[1]] == found["price: n + 1  →  n - 1"]
    assert [[0]] == found["price: n * one  →  n // one"], "it raises"
    assert [[]] == found["larger: one > other  →  one >= other"], "the whole has the same value"


def test_only_the_truth_of_a_test_matters(shop: ModuleType) -> None:
    found = differing(shop, lambda: shop.price(2) == [0, 2], lambda: shop.price(4) == 5)

    assert [[1]] == found["price: n > 3 and n < 9  →  False"]
    assert [[0]] == found["price: n > 3 and n < 9  →  n > 3 or n < 9"]
    assert [[]] == found["price: n < 9  →  n <= 9"]


def test_what_a_changed_expression_lets_the_program_remember_is_noted_too(shop: ModuleType) -> None:
    """Otherwise a later call would find it there, and nothing would be noted."""
    found = differing(shop, lambda: shop.kept(5) == 2 and shop.remembered(5) == 2)

    assert [[0]] == found["remembered: 10 // n  →  10 * n"]
    assert [[]] == found["remembered: 10 // n + 0  →  10 // n - 0"]


def test_changed_expression_that_calls_itself_is_changed_there_too(shop: ModuleType) -> None:
    found = differing(shop, lambda: shop.down(3) == 0, lambda: shop.down(0) == 0)

    assert [[0, 1]] == found["down: n and down(n - 1)  →  n or down(n - 1)"]
    assert [[0]] == found["down: n and down(n - 1)  →  n"]


def test_changed_expression_that_never_ends_makes_a_difference(shop: ModuleType) -> None:
    found = differing(shop, lambda: shop.endless(3) == 0)

    assert [[0]] == found["endless: n - n  →  n + n"]


def test_expressions_that_change_something_are_left_out(shop: ModuleType) -> None:
    """So are iterators that would be used up."""
    found = differing(shop, lambda: shop.told("b") == "ab", lambda: shop.used_up("abc") == ("a", ["b", "c"]))

    assert [[0]] == found["told: 'a'  →  None"], "what is given to an impure function is looked at"
    assert not [change for change in found if "logged(" in change or "words" in change]
    assert ["b", "a"] != shop.LOG, "the checks ran in another process"


def test_everything_may_make_a_difference_in_a_check_that_fails_meanwhile(shop: ModuleType) -> None:
    found = differing(shop, lambda: shop.larger(1, 1) == 1, lambda: False)

    assert [[1]] == found["larger: one > other  →  one >= other"]


class Frozen(Struct, frozen=True):
    """A value that never changes, two of which are equal if their names are."""

    name: str
    parts: dict[str, list[int]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frozen) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


def test_values_are_alike_only_if_nothing_can_tell_them_apart() -> None:
    assert are_alike((1, "a", frozenset("b")), (1, "a", frozenset("b")))
    assert not are_alike((1,), (True,))
    assert not are_alike({"a": 1, "b": 2}, {"b": 2, "a": 1}, are_new=True)
    assert are_alike(Frozen("a", {"b": [1]}), Frozen("a", {"b": [1]}))
    assert not are_alike(Frozen("a", {"b": [1]}), Frozen("a", {"b": [2]}))
    assert are_alike(ValueError("a"), ValueError("a"))
    assert not are_alike(ValueError("a"), ValueError("b"))
    assert not are_alike(iter("a"), iter("a"))


def test_what_can_be_changed_is_alike_only_while_it_is_new() -> None:
    """A list that is also known elsewhere may be changed there."""
    assert are_alike([1], [1], are_new=True)
    assert not are_alike([1], [1])
    assert not are_alike([[1]], [[1]], are_new=True)


def test_name_is_impure_if_it_changes_what_it_did_not_make_or_mentions_such_a_name(tmp_path: Path) -> None:
    path = tmp_path / "made.py"
    path.write_text(
        """
def adds(many): many.append(1)
def collects(): found = []; found.append(1); return found
def counts(self): self.n += 1
def asks(): return [adds for _ in collects()]
class Table:
    def __init__(self): self.n = 0
    def grow(self): self.n = 1
    rule = adds
def made(): return Table()
def grown(table): return table.grow()
def next_one(some): return next(some)
""",
        encoding="utf-8",
    )

    package = Package([path])

    assert {"adds", "counts", "asks", ".grow", ".rule", "grown", "next_one"} == package.impure.keys()
    for text, pure in (
        ("made()", True),
        ("len(collects()) + 1", True),
        ("x.get(1).rule", False),
        ("[grown(one) for one in x]", False),
        ("unknown(1)", False),
        ("x.append(1)", False),
        ("(y := 1)", False),
    ):
        assert pure == package.is_pure(ast.parse(text, mode="eval").body, None), text

"""The mutations tried on our own code, and the list of those that cannot be noticed."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from conformance.files.yaml_text import MOST_YAML_BYTES
from conformance.properties import PROPERTIES
from conformance_adapters.in_process import Reference
from tools.code_changes import OURS, ROOT, changes, identified_changes, import_changed, take_over
from tools.own_mutants import CASES, cases_of, is_kept, is_unobservable, unobservable_changes

FUNCTION = """
LIMIT = 3
KIND = list[int]

class Pair:
    size = 2
    def first(self, of: int = 1) -> int:
        "A docstring."
        return of

def f(a, b):
{}
"""


def told(*lines: str) -> set[str]:
    """The changes tried in a function with these lines."""
    source = FUNCTION.format("\n".join(f"    {line}" for line in lines))
    return {change.told for change in changes(source) if change.function == "f"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("return a == b", {"a == b  →  None", "a == b  →  a != b"}),
        ("return a <= b", {"a <= b  →  None", "a <= b  →  a < b"}),
        ("return a and b", {"a and b  →  None", "a and b  →  a or b", "a and b  →  a", "a and b  →  b"}),
        ("return a + 1", {"a + 1  →  None", "a + 1  →  a - 1", "a + 1  →  a", "a + 1  →  1", "1  →  2"}),
        ("return not a", {"not a  →  None", "not a  →  a"}),
        ("return -a", {"-a  →  None", "-a  →  a"}),
        ("return 'x'", {"'x'  →  None", "'x'  →  'x or other'"}),
        ("return True", {"True  →  None", "True  →  False"}),
        ("a = b", {"b  →  None"}),
        ("a += b", {"a += b  →  pass"}),
        ("a(b, c=b)", {"a(b, c=b)  →  pass", "b  →  None", "b  →  nothing", "c=b  →  nothing"}),
        ("return max(a)", {"max(a)  →  None", "max  →  min", "a  →  None", "a  →  nothing"}),
        ("return a[1:b]", {"a[1:b]  →  None", "1  →  nothing", "1  →  2", "b  →  nothing"}),
        (
            "return a if b else 2",
            {"a if b else 2  →  None", "a if b else 2  →  a", "a if b else 2  →  2", "2  →  3"},
        ),
        ("return [c for c in a if b]", {"[c for c in a if b]  →  None", "b  →  nothing"}),
        ("return lambda: a", {"lambda: a  →  None", "a  →  None"}),
        ("raise a('word')", {"raise a('word')  →  pass"}),
    ],
)
def test_changes_of_every_kind(line: str, expected: set[str]) -> None:
    assert told(line) == expected


def test_changes_of_statements_that_hold_others() -> None:
    assert told("if a:", "    pass") == {"a  →  False", "a  →  True"}
    assert told("while a:", "    break") == {"a  →  False", "break  →  continue"}
    assert told("match a:", "    case 1 if b: pass", "    case _: pass") == {
        "case 1 if b: pass  →  nothing",
        "case _: pass  →  nothing",
        "b  →  nothing",
        "1  →  2",
    }


def test_changes_outside_of_functions_are_those_of_constants_and_defaults() -> None:
    source = FUNCTION.format("    pass")
    assert Counter(change.function for change in changes(source)) == {"": 2, "Pair.first": 2}
    assert {change.told for change in changes(source)} == {"3  →  None", "3  →  4", "1  →  2", "of  →  None"}


def test_a_program_is_itself_again_when_all_changes_are_made() -> None:
    source = (ROOT / "tools" / "own_mutants.py").read_text(encoding="utf-8")
    programs = {id(change.program): change.program for change in changes(source)}
    assert [ast.unparse(program) for program in programs.values()] == [ast.unparse(ast.parse(source))]


def test_a_changed_program_works_wherever_its_functions_are_used_already(tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text(FUNCTION.format("    return a + LIMIT"), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("sample", path)
    assert spec is not None and spec.loader is not None
    sample = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sample)
    used, pair = sample.f, sample.Pair()
    assert (used(1, 1), pair.first()) == (4, 1)
    seen = set()
    for change in changes(path.read_text(encoding="utf-8")):
        take_over(vars(sample), change.code, "sample")
        try:
            seen.add((change.told, used(1, 1), pair.first()))
        except TypeError:
            seen.add((change.told, None, None))
    assert seen >= {("3  →  4", 5, 1), ("1  →  2", 4, 2), ("a + LIMIT  →  a - LIMIT", -2, 1)}
    assert ("3  →  None", None, None) in seen


def test_constants_of_a_changed_program_hold_the_classes_that_are_in_use() -> None:
    source = "class Pair: ...\nKINDS = (Pair, int)\nNAMES = {Pair: (Pair,)}\n"
    sample = ModuleType("sample")
    exec(source, vars(sample))
    pair = sample.Pair

    take_over(vars(sample), compile(source, "sample.py", "exec"), "sample")

    assert (pair, int) == sample.KINDS
    assert {pair: (pair,)} == sample.NAMES


def test_a_change_shows_in_what_others_make_of_it_as_they_are_imported() -> None:
    source = (ROOT / "conformance" / "files" / "yaml_text.py").read_text(encoding="utf-8")
    change = next(
        one for one in changes(source) if one.told == f"{MOST_YAML_BYTES}  →  {MOST_YAML_BYTES + 1}"
    )
    ours = {name: module for name, module in sys.modules.items() if name.split(".")[0] in OURS}
    try:
        import_changed(change.code, "conformance.files.yaml_text")
        assert MOST_YAML_BYTES + 1 == importlib.import_module("conformance.files.yaml_text").MOST_YAML_BYTES
        tree = importlib.import_module("conformance.files.yaml_tree")
        assert tree.tree_of("a" * (MOST_YAML_BYTES + 1), "a.yaml").text == "a" * (MOST_YAML_BYTES + 1)
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] in OURS]:
            del sys.modules[name]
        sys.modules.update(ours)
    assert MOST_YAML_BYTES == importlib.import_module("conformance.files.yaml_text").MOST_YAML_BYTES


@pytest.mark.sweep
def test_what_is_explained_is_a_change_that_could_be_made() -> None:
    """An entry whose line is gone, or occurs twice, does not describe the code as it is."""
    entries = [(one.module, one.function, one.line, one.change, one.again) for one in unobservable_changes()]
    modules = {module for module, *_ in entries}
    possible = {
        (one.module, one.function, one.line, one.change, again)
        for module in modules
        for one, _ in identified_changes(module)
        for again in (None, one.again)
    }
    assert set(entries) <= possible
    assert len(set(entries)) == len(entries)
    assert all(one.why for one in unobservable_changes())


def test_explanation_may_be_about_one_of_several_equal_changes() -> None:
    path = "reference_engine/layers/operations.py"
    place = ("apply_operation", "return seen", "seen  →  None")
    equal = [one for one, _ in identified_changes(path) if (one.function, one.line, one.change) == place]

    assert [False, False, True] == [is_unobservable(one) for one in equal]


def test_cases_of_a_law_tell_whether_an_engine_keeps_it() -> None:
    law = next(law for law in PROPERTIES if law.name == "asking_again_changes_nothing")
    cases = cases_of(law)

    assert len(cases) == CASES
    for case in cases:
        law(Reference().play, case)  # raises for a case that shows nothing
    assert all(is_kept(law, case) for case in cases)

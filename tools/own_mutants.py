"""Mutation testing of our own code: small changes to a module, each tried against fixtures, laws and unit
tests.

`python -m tools own-mutants reference_engine/layers/dependency.py [more modules] [functions]` prints each
change that no check notices, limited to the functions if any are named. Changes that cannot be noticed are
listed in `data/survivors.yaml`, each with a reason. A change is tried in a forked process that takes over the
code of the changed functions and runs only the checks that execute the changed lines: first those that
noticed the latest changes, then the quickest. The cases of the laws are drawn beforehand, by the unchanged
code, and laws that compare with the reference engine compare with what it did then. For a module that plays
no part in playing scenarios, only its unit tests run, and the process imports the changed module anew.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import importlib
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import FrameType
from typing import Any, BinaryIO

import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from msgspec import Struct, convert
from msgspec.structs import replace

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition, rulebook
from conformance.files.yaml_tree import PARSER
from conformance.model.scenario import Fixture, holds_in
from conformance.model.verdict import PassVerdict, judge
from conformance.play.runner import answer_to, has_expectations
from conformance.properties import PROPERTIES, boards, games_agreement
from conformance.properties.law import Property
from conformance.properties.seeing import ShowsNothing
from conformance.strategies.draws import constants_left_out
from conformance.strategies.means import EVERYTHING
from conformance_adapters.in_process import Reference, play_through
from tools.code_changes import (
    ROOT,
    CodeChange,
    Identity,
    forget,
    identified_changes,
    import_changed,
    module_name,
    output_of_fork,
)

SURVIVORS = ROOT / "tests" / "data" / "survivors.yaml"
CASES = 2
"""Number of cases for each law."""
SECONDS, SECONDS_OF_TESTS = 5, 60
"""A check that takes longer, in seconds of processor time, has noticed the change."""
NOTICED = b"!"
"""Marks the number of a check that notices a change."""
TIMES = 5
"""Checks whose time without a change is known have noticed it if they take this many times as long, and more
than `SECONDS`.
"""
TESTS = {
    "reference_engine/layers/evaluation.py": ("test_layers", "test_explain"),
    "reference_engine/layers/dependency.py": ("test_layers", "test_explain"),
    "reference_engine/game/priority.py": (
        "test_priority",
        "test_casting",
        "test_turn",
        "test_combat",
        "test_legal",
        "test_account",
    ),
    "conformance/files/yaml_nodes.py": ("test_yaml_tree", "test_refused"),
    "conformance/files/yaml_text.py": ("test_yaml_tree", "test_refused"),
    "conformance/files/yaml_tree.py": ("test_yaml_tree", "test_refused"),
    "conformance/files/typed_walk.py": (
        "test_short_forms",
        "test_scenario_file",
        "test_refused",
        "test_library",
    ),
    "conformance/files/fixture_form.py": (
        "test_scenario_file",
        "test_refused",
        "test_checks",
        "test_library",
    ),
    "conformance/files/fixture_file.py": (
        "test_scenario_file",
        "test_refused",
        "test_checks",
        "test_library",
    ),
    "reference_engine/game/stack.py": ("test_stack", "test_turn", "test_casting", "test_legal"),
}
"""The unit tests, which run last, or alone for a module that plays no part in playing scenarios."""

# ------------------------------------------------------------------------------------ the checks

TraceFunction = Callable[[FrameType, str, Any], Any]


class Detector(Struct, frozen=True):
    """A check that a changed module may fail."""

    kind: str
    name: str
    holds: Callable[[], bool]
    seconds: float = SECONDS
    """Beyond this time the check counts as having noticed."""

    @property
    def check(self) -> str:
        """The fixture or law that it is, in whichever edition or case."""
        return self.name.partition(" ")[0]


def fixtures() -> Iterator[Detector]:
    """Every fixture in the newest edition, and, if it does not hold in all, or expects other things by older
    ones, in the newest and the oldest edition of each.
    """
    dates = sorted({newest_edition(), *(edition.date for edition in rulebook().editions)}, reverse=True)
    for fixture in all_fixtures().values():
        by_expected: dict[tuple[bool, ...], list[str]] = {}
        for date in dates if not fixture.disputed else ():
            if has_expectations(fixture, date):
                expected = tuple(holds_in(expectation.holds, date) for expectation in fixture.expect)
                by_expected.setdefault(expected, []).append(date)
        for alike in by_expected.values():
            for date in dict.fromkeys((alike[0], alike[-1]) if len(alike) < len(dates) else alike[:1]):
                yield Detector(
                    "fixtures", f"{fixture.id} in {date}", functools.partial(is_passed, fixture, date)
                )


def is_passed(fixture: Fixture, edition: str) -> bool:
    """Whether the reference engine passes a fixture. It starts from the rules of an edition, because a change
    may affect those, too.
    """
    answer = answer_to(Reference(edition), fixture.play)
    return isinstance(judge(fixture, answer, edition, checks_understanding=True), PassVerdict)


def laws(cases: int = CASES) -> Iterator[Detector]:
    """Every law, once for each of its cases; times as many cases as the law draws."""
    compare_with_unchanged_code()
    for law in PROPERTIES:
        for number, case in enumerate(cases_of(law, cases * law.times)):
            yield Detector("laws", f"{law.name} {number}", functools.partial(is_kept, law, case))


def compare_with_unchanged_code() -> None:
    """From now on, laws that compare an engine with the reference engine compare it with what the reference
    engine played when it was first asked: while their cases were drawn, before any change.
    """
    for module in (boards, games_agreement):
        vars(module)["play_through"] = played_first


played_first = functools.cache(play_through)


def cases_of(law: Property[Any], many: int = CASES) -> list[Any]:
    """Some cases that test whether an engine keeps a law."""
    drawn: list[Any] = []

    @seed(0)
    @settings(
        max_examples=many,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),  # cases are drawn here to be kept, however long it takes
    )
    @given(law.cases(EVERYTHING))
    def draw(case: Any) -> None:
        try:
            law(Reference().play, case)
        except ShowsNothing:
            reject()
        drawn.append(case)

    with constants_left_out():
        draw()
    return drawn


def is_kept(law: Property[Any], case: Any) -> bool:
    """Whether a law holds for a case; raises if not."""
    with contextlib.suppress(ShowsNothing):
        law(Reference().play, case)
    return True


class OfOneCase(Struct, frozen=True):
    """A pytest plugin that keeps either the tests of one case, or those that draw or play many.

    In both modes it skips tests that start another process, which would run the unchanged code.
    """

    wanted: bool

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """A pytest hook, called with the collected tests."""
        here = [item for item in items if not starts_a_process(item)]
        items[:] = [item for item in here if self.wanted != draws_or_sweeps(item)]


def draws_or_sweeps(item: pytest.Item) -> bool:
    """Whether a test draws examples, or plays everything."""
    draws = isinstance(item, pytest.Function) and getattr(item.obj, "is_hypothesis_test", False)
    return draws or item.get_closest_marker("sweep") is not None


def starts_a_process(item: pytest.Item) -> bool:
    return isinstance(item, pytest.Function) and "subprocess" in item.function.__code__.co_names


def unit_tests(module: str) -> Iterator[Detector]:
    """The unit tests of a module: from each file first the single-case tests, then the longer ones."""
    for of_one_case in (True, False):
        for name in TESTS[module]:
            told = f"{name}, {'of one case' if of_one_case else 'of many'}"
            holds = functools.partial(passes, name, OfOneCase(of_one_case))
            yield Detector("tests", told, holds, SECONDS_OF_TESTS)


def passes(name: str, some: OfOneCase) -> bool:
    """Whether these tests of a file pass, if there are any."""
    file = str(ROOT / "tests" / f"{name}.py")
    end = pytest.main(["-qx", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", file], plugins=[some])
    return end in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


def lines_run(check: Detector, modules: Sequence[str]) -> Mapping[str, frozenset[int]]:
    """The lines of each module that a check runs."""
    for package in {module.split(".", maxsplit=1)[0] for module in modules}:
        forget(package)
    with lines_noted(modules) as lines:
        assert check.holds(), f"{check.kind} {check.name} fails as it is"
    return {module: frozenset(run) for module, run in lines.items()}


@contextlib.contextmanager
def lines_noted(modules: Sequence[str]) -> Iterator[Mapping[str, set[int]]]:
    """The lines of each module that run meanwhile. What traced before, such as coverage, goes on after it."""
    lines: dict[str, set[int]] = {module: set() for module in modules}
    of_files = {sys.modules[module].__file__: lines[module] for module in modules}

    def called(frame: FrameType, event: str, arg: object) -> TraceFunction | None:
        return run if frame.f_code.co_filename in of_files else None

    def run(frame: FrameType, event: str, arg: object) -> TraceFunction:
        of_files[frame.f_code.co_filename].add(frame.f_lineno)
        return run

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield lines
    finally:
        sys.settrace(before)


def seconds_of(check: Detector) -> float:
    start = time.process_time()
    check.holds()
    return time.process_time() - start


# ------------------------------------------------------------------------------------ trying them


def with_limit(check: Detector, module: str, unchanged: CodeChange) -> Detector:
    """Unit tests with a time limit, based on their time for the unchanged code."""
    before = os.times()
    assert first_detector(unchanged, module, [check]) is None, f"{check.name} fails as it is"
    after = os.times()
    taken = after.children_user + after.children_system - before.children_user - before.children_system
    return replace(check, seconds=min(SECONDS_OF_TESTS, max(SECONDS, TIMES * taken)))


def first_detector(change: CodeChange, module: str, checks: Sequence[Detector]) -> Detector | None:
    """The first check that notices a change, or `None`."""
    [found] = detectors(change, module, [checks], 1)
    return found[0] if found else None


def detectors(
    change: CodeChange, module: str, groups: Sequence[Sequence[Detector]], most: int
) -> list[list[Detector]]:
    """The first checks of each group that notice a change, in their order: each fixture or law once, up to
    this many.
    """
    with contextlib.suppress(SyntaxError, ValueError):  # compiled here, each process would do it again
        _ = (is_played(module) and change.part) or change.code
    found: list[list[Detector]] = [[] for _ in groups]
    left = [(group, check) for group, checks in enumerate(groups) for check in checks]
    while left and min(map(len, found)) < most:
        wanted = [most - len(noticed) for noticed in found]
        told, status = output_of_fork(functools.partial(ask, change, module, left, wanted))
        begun = [int(number.removesuffix(NOTICED)) for number in told.split()]
        assert begun, f"could not be tried: {change.told}"
        noticing = [int(number.removesuffix(NOTICED)) for number in told.split() if number.endswith(NOTICED)]
        for number in dict.fromkeys([*noticing, *(begun[-1:] if status else [])]):
            group, check = left[number]
            found[group].append(check)
        if status == 0:
            break
        names = [{check.check for check in noticed} for noticed in found]
        left = [
            (group, check)
            for group, check in left[begun[-1] + 1 :]
            if len(names[group]) < most and check.check not in names[group]
        ]
    return found


def ask(
    change: CodeChange,
    module: str,
    checks: Sequence[tuple[int, Detector]],
    wanted: Sequence[int],
    told: BinaryIO,
) -> None:
    """Run one check after another, each with the number of its group, until as many of each group as are
    wanted notice the change.

    Writes the number of each check that begins, which shows how far a process got that breaks or whose time
    is up, and of each that notices. With a module that cannot be imported, it breaks at the first.
    """
    begun = False
    names: list[set[str]] = [set() for _ in wanted]
    for number, (group, check) in enumerate(checks):
        if check.check in names[group] or len(names[group]) == wanted[group]:
            continue
        told.write(b"%d " % number)
        signal.setitimer(signal.ITIMER_PROF, check.seconds)
        if not begun:
            begin(change, module)
            begun = True
        try:
            fails = not check.holds()
        except BaseException:
            fails = True
        if fails:
            told.write(b"%d%b " % (number, NOTICED))
            names[group].add(check.check)


def begin(change: CodeChange, module: str) -> None:
    """Let this process go on with a changed module."""
    name = module_name(module)
    if is_played(module):
        change.take_over(sys.modules[name])
        forget(name.split(".", maxsplit=1)[0])
    else:
        import_changed(change.code, name)


def is_played(path: str) -> bool:
    """Whether a file's module takes part in playing scenarios, so that fixtures and laws run its
    functions.
    """
    return path.startswith("reference_engine/")


class UnobservableChange(Struct, frozen=True, forbid_unknown_fields=True):
    """A change that cannot be noticed."""

    module: str
    function: str
    line: str
    change: str
    why: str
    again: int | None = None
    """Which of several equal changes in equal lines of the function; `None`: all of them."""


@functools.cache
def unobservable_changes() -> tuple[UnobservableChange, ...]:
    """Every change known to be unobservable."""
    return convert(
        yaml.load(SURVIVORS.read_text(encoding="utf-8"), Loader=PARSER), tuple[UnobservableChange, ...]
    )


@functools.cache
def known_to_be_unobservable() -> frozenset[tuple[str, str, str, str, int | None]]:
    """The changes that somebody has shown to be unobservable."""
    return frozenset(
        (one.module, one.function, one.line, one.change, one.again) for one in unobservable_changes()
    )


def is_unobservable(one: Identity) -> bool:
    """Whether somebody has shown that nothing can notice this change."""
    key = (one.module, one.function, one.line, one.change)
    return not known_to_be_unobservable().isdisjoint([(*key, None), (*key, one.again)])


def try_changes(modules: Sequence[str], functions: Collection[str]) -> None:
    """Try every change of these modules, or of the named functions in them; print those that no check
    notices.
    """
    # Plugins must load before anything is drawn, or not at all.
    os.environ |= {"HYPOTHESIS_PROFILE": "ci", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    for module in modules:
        importlib.import_module(module_name(module))
    played = [module_name(module) for module in modules if is_played(module)]
    first = sorted([*fixtures(), *laws()], key=seconds_of) if played else []
    run = {check.name: lines_run(check, played) for check in first}
    gc.freeze()
    for module in modules:
        name, source = module_name(module), (ROOT / module).read_text(encoding="utf-8")
        unchanged = CodeChange("", 0, "", "nothing", ast.parse(source), frozenset())
        last = [with_limit(check, module, unchanged) for check in unit_tests(module)]
        killed, in_vain = Counter[str](), Counter[str]()
        for identity, change in identified_changes(module):
            if functions and change.function not in functions:
                continue
            concerned = [one for one in first if name in played and run[one.name][name] & change.lines]
            if is_unobservable(identity):
                in_vain["explained"] += 1
            elif (check := first_detector(change, module, [*concerned, *last])) is not None:
                killed[check.kind] += 1
                if check in first:
                    first.remove(check)
                    first.insert(0, check)
            else:
                in_vain["survive"] += 1
                print(f"{module}:{change.line}: {change.function}: {change.text}")
                print(f"    {change.told}", flush=True)
        by = ", ".join(f"{killed[kind]} by {kind}" for kind in ("fixtures", "laws", "tests"))
        print(
            f"{module}: {killed.total() + in_vain.total()} changes, {killed.total()} killed ({by}), "
            f"{in_vain['explained']} explained, {in_vain['survive']} survive",
            flush=True,
        )

"""The checks as pytest items: an author's pytest output, and its exit code."""

from __future__ import annotations

import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from datetime import date

import pytest

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition
from conformance.gate.divergences import write
from conformance.gate.standing import Divergences, GradedResult, NotedStanding, renewed_list
from conformance.play.runner import run
from conformance_adapters import connect, stdio, wire

IMPORTED_ONCE = (stdio, wire)
"""Pytester unloads modules that are first imported while it runs, but msgspec looks these up later."""

pytest_plugins = ["pytester"]

ENGINE = """
from conformance_adapters.in_process import Reference
from tests.in_dicts import InDicts


class Picky:
    "The reference engine, which sees no moons, and dies of Humility."

    def __init__(self):
        self.ours = InDicts(Reference())

    def describe(self):
        return {"protocol": 1, "name": "picky", "version": "1", "checks_understanding": True}

    def play(self, scenario):
        cards = {card["definition"]["name"] for card in scenario["cards"]}
        if "Blood Moon" in cards:
            return {"stopped": {"at": 0, "why": "unsupported", "says": "no moons"}}
        if "Humility" in cards:
            raise ZeroDivisionError("by nought")
        return self.ours.play(scenario)
"""
OWN = """
def test_own(conformance_engine):
    assert "picky" == conformance_engine.describe().name
"""
PASSES, FAILS = "conformance::L-0031", "conformance::L-0059"
MOON, HUMILITY = "conformance::L-0117", "conformance::L-0193"
NOW_FAILING = "mutant:timestamps-only"


class Author:
    """An author's folder, with an engine in Python and a test of their own."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.folder = pytester.path
        (self.folder / "picky.py").write_text(ENGINE, encoding="utf-8")
        (self.folder / "test_own.py").write_text(OWN, encoding="utf-8")

    def pytest(self, *arguments: str, engine: str = "python:picky:Picky") -> tuple[int, str]:
        """The exit code and output of pytest. It runs in this process, which has everything loaded."""
        asked = ("--conformance-engine", engine) if engine else ()
        ended = self.pytester.runpytest_inprocess("-p", "conformance.pytest_plugin", *asked, *arguments)
        return int(ended.ret), f"{ended.stdout}{ended.stderr}"


@pytest.fixture
def author(pytester: pytest.Pytester) -> Author:
    return Author(pytester)


@pytest.mark.sweep
def test_without_being_asked_it_does_nothing(author: Author) -> None:
    says = (
        "import sys, pytest\n"
        "code = pytest.main(['-q', '-p', 'conformance.pytest_plugin', 'test_own.py'])\n"
        "print(code, sorted(name for name in sys.modules if name.split('.')[0] == 'conformance'))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", says],
        cwd=author.folder,
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )

    assert "1 skipped" in finished.stdout
    assert "0 ['conformance', 'conformance.pytest_plugin']" in finished.stdout.replace("ExitCode.OK", "0")


def test_named_check_passes_and_is_all_that_is_run(author: Author) -> None:
    code, said = author.pytest("-v", PASSES)

    assert 0 == code
    assert "collected 1 item" in said
    assert re.search(r"conformance::L-0031-\w+ PASSED", said)


def test_property_is_a_test_like_any_other(author: Author) -> None:
    law = "conformance::two_switches_cancel"
    options = ("--conformance-seed", "3", "--conformance-examples", "5", law)
    code, said = author.pytest("-v", *options)
    wrong_code, wrong = author.pytest(*options, engine="mutant:switch-to-greater")

    assert 0 == code, said
    assert "collected 1 item" in said and f"{law} PASSED" in said
    assert 1 == wrong_code
    assert "CR 613.4d" in wrong and "      expected  " in wrong
    assert "again: pytest --conformance-engine mutant:switch-to-greater --conformance-seed 3" in wrong
    assert [] != list((author.folder / ".conformance" / "found").rglob("F-*.json"))


@pytest.mark.sweep
def test_failure_says_what_the_command_line_would(author: Author) -> None:
    code, said = author.pytest(FAILS, engine=NOW_FAILING)

    assert 1 == code
    assert "FAIL  L-0059 chain_of_dependencies  (mutant:timestamps-only, 1)\n    elves, after setup" in said
    assert "      expected  " in said
    assert "again: pytest --conformance-engine mutant:timestamps-only conformance::L-0059-" in said
    assert re.search(r"FAILED conformance::L-0059-chain_of_dependencies - CR 613.8", said)
    assert "Traceback" not in said
    assert "pytest_items.py" not in said


@pytest.mark.sweep
def test_last_failed_are_run_again_and_nothing_else(author: Author) -> None:
    author.pytest(PASSES, FAILS, engine=NOW_FAILING)
    code, said = author.pytest("--lf", PASSES, FAILS, engine=NOW_FAILING)

    assert 1 == code
    assert "1 failed, 1 deselected" in said


@pytest.mark.sweep
@pytest.mark.nightly
def test_all_checks_come_behind_the_authors_own_and_are_chosen_by_rule(author: Author) -> None:
    code, said = author.pytest("-v", "-n", "2", "--conformance-examples", "2", "-k", "613.8b or own")

    assert 1 == code
    assert "PASSED test_own.py::test_own" in said
    assert re.search(r"PASSED conformance::L-0059-chain_of_dependencies", said)
    assert "by nought" in said
    assert "not run: the engine broke" not in said or "SKIPPED" in said


def test_files_that_are_named_are_all_that_is_run(author: Author) -> None:
    code, said = author.pytest("-q", "test_own.py")

    assert 0 == code
    assert "1 passed" in said


def test_own_test_is_skipped_without_an_engine(author: Author) -> None:
    code, said = author.pytest("-rs", engine="")

    assert 0 == code
    assert "needs --conformance-engine" in said


def test_what_cannot_be_played_is_skipped_with_the_reason(author: Author) -> None:
    code, said = author.pytest("-rs", MOON, "--junitxml", "out.xml")

    assert "unsupported: no moons" in said
    assert 0 == code
    cases = ET.parse(author.folder / "out.xml").getroot().iter("testcase")
    named = {case.get("name"): case for case in cases}
    skipped = next(case for case in named.values() if case.find("skipped") is not None)
    properties = {str(one.get("name")): str(one.get("value")) for one in skipped.iter("property")}
    assert "unsupported" == properties["verdict"]
    assert re.fullmatch(r"\d{3}[\d. a-z]*", properties["rules"])


def test_crash_of_an_engine_is_the_failure_of_one_check(author: Author) -> None:
    code, said = author.pytest(HUMILITY, PASSES)

    assert 1 == code
    assert "crash: play() raised ZeroDivisionError: by nought" in said
    assert "1 failed, 1 passed" in said


@pytest.mark.sweep
def test_engine_that_breaks_again_and_again_is_left_alone(author: Author) -> None:
    seven = [f"conformance::{id}" for id in list(all_fixtures())[:7]]
    code, said = author.pytest(
        "-rN", *seven, engine=f"{sys.executable} -m conformance_adapters.torture dies-always"
    )

    assert 1 == code
    assert 2 == said.count("not run: the engine broke 5 times in a row")
    assert "7 failed" in said


def test_markers_name_rules(author: Author) -> None:
    code, said = author.pytest("-q", "-m", 'conformance_rule(number="613.8c")', PASSES, FAILS)

    assert code in (0, 5)
    assert "deselected" in said
    assert "conformance_rule(number)" in author.pytest("--markers", engine="")[1]


def test_listed_divergence_is_an_expected_failure_and_a_stale_one_is_none(author: Author) -> None:
    engine = connect(NOW_FAILING)
    fixtures = [all_fixtures()[name.partition("::")[2]] for name in (PASSES, FAILS)]
    played = [
        GradedResult(fixture, result, NotedStanding())
        for fixture, result in zip(fixtures, run(engine, fixtures, newest_edition()), strict=True)
    ]
    known = renewed_list(Divergences(), played, date.today())
    by_id = {fixture.id: fixture for fixture in fixtures}
    write(author.folder / "divergences.yaml", Divergences(), known, by_id)

    with_list = ("--conformance-divergences", "divergences.yaml", PASSES, FAILS)
    code, said = author.pytest("-rx", *with_list, engine=NOW_FAILING)
    stale_code, stale = author.pytest(*with_list, engine="reference")

    assert 0 == code, said
    assert "1 passed, 1 xfailed" in said
    assert "listed" in said
    assert 1 == stale_code
    assert "passes now" in stale


@pytest.mark.parametrize(
    ("engine", "arguments", "message"),
    [
        ("referense", [PASSES], "did you mean 'reference'?"),
        ("reference", ["conformance::L-00311"], "no fixture 'L-00311'"),
        ("reference", ["-n", "2", "conformance::L-00311"], "no fixture 'L-00311'"),
        ("./no_such_program", [PASSES], "the engine ./no_such_program did not start: "),
        ("reference", ["--conformance-divergences", "none.yaml", PASSES], "none.yaml"),
    ],
)
def test_what_cannot_be_asked_is_explained(
    author: Author, engine: str, arguments: list[str], message: str
) -> None:
    code, said = author.pytest(*arguments, engine=engine)

    assert 4 == code
    assert message in said
    assert "Traceback" not in said


def test_engine_of_another_edition_is_asked_what_counts_in_it(author: Author) -> None:
    code, said = author.pytest("--conformance-edition", "2019-01-25", PASSES, engine="reference")

    assert 0 == code
    assert "1 passed" in said

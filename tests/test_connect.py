"""Every form of engine name leads to that engine, or to a suggestion of what to write."""

from __future__ import annotations

import sys
from importlib import metadata
from pathlib import Path

import pytest

from conformance.model.engine import EngineFailure, close, suite_version
from conformance.model.observation import Observations
from conformance.model.verdict import Fail, PassVerdict, judge
from conformance.mutants import MUTANTS
from conformance.run.doctor import ladder
from conformance_adapters import UnknownEngine, connect
from conformance_adapters.stdio import StdioEngine

SERVED = f"{sys.executable} -m conformance_adapters.serve"
STEP = next(step for step in ladder() if step.id == "D-0502")
NEWEST = "2026-09-25"

MODULE = """\
from conformance_adapters.in_process import Reference
from tests.in_dicts import InDicts
made = []
def engine():
    made.append(InDicts(Reference()))
    return made[-1]
def broken():
    raise RuntimeError("no licence")
number = 7
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module of the working directory with factories of engines."""
    (tmp_path / "home_made.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "home_made", raising=False)
    return "home_made"


@pytest.mark.sweep
@pytest.mark.parametrize(
    "name", ["reference", f"stdio:{SERVED}", SERVED, "python:home_made", "python:home_made:engine"]
)
def test_named_engine_plays(module: str, name: str) -> None:
    engine = connect(name)
    try:
        assert "reference" == engine.describe().name
        assert isinstance(judge(STEP, engine.play(STEP.play), NEWEST), PassVerdict)
    finally:
        close(engine)


def test_mutant_breaks_its_rule_and_no_other() -> None:
    mutant = connect("mutant:by-id")

    assert "mutant:by-id" == mutant.describe().name
    assert isinstance(judge(STEP, mutant.play(STEP.play), NEWEST, checks_understanding=True), Fail)
    switched = next(step for step in ladder() if step.id == "D-0503")
    assert isinstance(judge(switched, mutant.play(switched.play), NEWEST), PassVerdict)


@pytest.mark.sweep
@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.name for mutant in MUTANTS])
def test_every_mutant_can_be_connected_in_any_edition(mutant: object) -> None:
    name = f"mutant:{mutant.name}"  # type: ignore[attr-defined]  # a mutant has a name

    assert isinstance(connect(name).play(STEP.play), Observations)
    assert "2018-10-05" == connect(name, "2019-01-01").describe().edition  # the one in force on that day


def test_factory_is_called_when_first_asked_and_after_the_end(module: str) -> None:
    engine = connect(f"python:{module}")
    made = sys.modules[module].made
    assert [] == made

    engine.describe()
    engine.play(STEP.play)
    assert 1 == len(made)

    close(engine)
    engine.play(STEP.play)
    assert 2 == len(made)


def test_factory_that_fails_is_the_engine_s_failure(module: str) -> None:
    with pytest.raises(EngineFailure, match="cannot be started: RuntimeError: no licence"):
        connect(f"python:{module}:broken").describe()


def test_command_is_split_as_a_shell_would() -> None:
    engine = connect("stdio:my-engine --name 'two words'")

    assert isinstance(engine, StdioEngine)
    assert ("my-engine", "--name", "two words") == engine._command.argv
    assert isinstance(connect("./engine"), StdioEngine)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("refernce", "did you mean 'reference'?"),
        ("xmage", "write one of: python:MODULE:FACTORY, stdio:COMMAND, recorded:FILE, reference"),
        ("mutant:by-ids", "did you mean 'by-id'?"),
        ("mutant:zzz", "choose one of: timestamps-only, "),
        ("python:nothing_like_it", "No module named 'nothing_like_it'"),
        ("python:home_made:nothing", "home_made has no 'nothing'"),
        ("python:home_made:Engine", "did you mean python:home_made:engine?"),
        (
            "home_made.py",
            "write python:home_made:FACTORY, or the command that starts it, with its path: ./",
        ),
        ("home_made:engine", "did you mean python:home_made:engine?"),
        ("python:home_made:number", "home_made:number is a int, and cannot be called"),
        ("python:", "'' is not the name of a module"),
        ("python:./shim/engine.py", "write it as for `import`: python:shim.engine"),
        ("python:shim/engine:make", "write it as for `import`: python:shim.engine"),
        ("stdio:", "no command"),
        ("stdio:engine 'half", "No closing quotation"),
    ],
)
def test_name_that_means_nothing_is_explained(module: str, name: str, says: str) -> None:
    with pytest.raises(UnknownEngine) as caught:
        connect(name)
    assert says in str(caught.value)


def test_suite_says_which_version_it_is() -> None:
    assert metadata.version("mtg-conformance") == suite_version()

"""An engine's introduction, and where it says it stopped, are accepted only if they make sense."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.data.rulebook import is_known
from conformance.model.engine import EngineFailure, EngineInfo
from conformance.model.observation import Observations, Stopped
from conformance.model.scenario import Play
from conformance.play.introduction import introduction_of
from conformance.play.runner import answer_to

SHIM = """\
import json, sys
hello, answer = map(json.loads, sys.argv[1:])
for line in sys.stdin:
    asked = json.loads(line)
    if asked["say"] == "hello":
        print(json.dumps({"protocol": 1, "name": "shim", "version": "1", **hello}), flush=True)
    elif asked["say"] == "play":
        print(json.dumps({"id": asked["id"], **answer}), flush=True)
"""
SOUND: dict[str, Any] = {"edition": "2024-11-08", "takes": ["named"], "lacks": ["teams"]}
IMPOSSIBLE = [
    ({"name": " "}, "it has no name"),
    ({"edition": "current"}, "edition 'current' is not a date of the rules"),
    ({"edition": "2031-01-01"}, "edition '2031-01-01' is not a date of the rules"),
    ({"edition": "1066-10-14"}, "edition '1066-10-14' is not a date of the rules"),
    ({"edition": "2025-02-30"}, "edition '2025-02-30' is not a date of the rules"),
    ({"edition": "2025-13"}, "edition '2025-13' is not a date of the rules"),
    ({"edition": ""}, "edition '' is not a date of the rules"),
    (
        {"edition": "2024-11-09"},
        "edition '2024-11-09' is not the date of an edition of the rules that we know; "
        "name the one in force then: 2024-11-08",
    ),
    ({"edition": "2019-01"}, "name the one in force then: 2018-10-05"),
    ({"takes": []}, "it takes no cards"),
    ({"lacks": ["team"]}, "did you mean 'teams'?"),
    ({"steps_with_priority": []}, "it gives priority in no step"),
]


def shim(folder: Path, hello: dict[str, Any], answer: dict[str, Any] | None = None) -> str:
    """The command of an engine that greets and answers in this way."""
    program = folder / "shim.py"
    program.write_text(SHIM, encoding="utf-8")
    return shlex.join([sys.executable, "-S", "-E", str(program), json.dumps(hello), json.dumps(answer or {})])


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, and the working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("said", "says"), IMPOSSIBLE)
def test_what_an_engine_cannot_be_is_a_protocol_error(home: Path, said: dict[str, Any], says: str) -> None:
    arguments = ["run", "L-0031", "--engine", shim(home, said), "--json", "events.json"]

    result = CliRunner().invoke(main, arguments, catch_exceptions=False)

    assert 3 == result.exit_code, result.output
    assert "did not start: invalid answer to `hello`: " in result.stderr
    assert says in result.stderr
    assert '"event":"result"' not in (home / "events.json").read_text(encoding="utf-8")


def test_what_an_engine_may_be_is_taken(home: Path) -> None:
    stopped = {"stopped": {"at": 0, "why": "unsupported", "says": "no"}}

    result = CliRunner().invoke(main, ["run", "L-0031", "--engine", shim(home, SOUND, stopped)])

    assert 5 == result.exit_code, result.output
    assert result.stdout.startswith("shim, 1, by the rules of 2024-11-08\n")


def test_edition_that_was_not_compared_is_taken_and_told(home: Path) -> None:
    stopped = {"stopped": {"at": 0, "why": "unsupported", "says": "no"}}
    engine = shim(home, {**SOUND, "edition": "2026-06-19"}, stopped)

    result = CliRunner().invoke(main, ["run", "L-0031", "--engine", engine])

    assert result.stdout.startswith("shim, 1, by the rules of 2026-06-19\n")
    assert (
        "the rules of 2026-06-19 were not compared with the edition before: "
        "what the engine shows is graded by those of 2026-04-17\n"
    ) == result.stderr


def test_engine_in_this_process_is_held_to_the_same() -> None:
    class Vague:
        def describe(self) -> EngineInfo:
            return EngineInfo("vague", "1", takes=frozenset())

        def play(self, play: Play) -> Observations:
            return Observations()

    with pytest.raises(EngineFailure, match="it takes no cards") as caught:
        introduction_of(Vague())

    assert "protocol" == caught.value.kind


@pytest.mark.parametrize("date", ["2025-02", "2025", "2024-11-08", "2025-02-28"])
def test_date_or_the_beginning_of_one_names_an_edition(date: str) -> None:
    assert is_known(date)


@pytest.mark.sweep
@pytest.mark.parametrize("at", [-1, 1, 7, 10**9])
@pytest.mark.parametrize("why", ["unsupported", "no stop", "rejected"])
def test_stop_outside_of_the_script_is_a_protocol_error(home: Path, at: int, why: str) -> None:
    answer = {"stopped": {"at": at, "why": why, "says": "no"}}

    result = CliRunner().invoke(main, ["run", "L-0031", "--engine", shim(home, {}, answer)])

    assert 1 == result.exit_code, result.output
    assert "PROTOCOL  L-0031" in result.stdout
    assert f"stopped at action {at}, but the script has 0" in result.stdout


def test_search_does_not_pass_over_a_stop_outside_of_the_script() -> None:
    class Beyond:
        def describe(self) -> EngineInfo:
            return EngineInfo("beyond", "1")

        def play(self, play: Play) -> Observations:
            return Observations(stopped=Stopped(99, "unsupported"))

    answer = answer_to(Beyond(), Play(players=(), start=None))  # type: ignore[arg-type]  # nothing is played

    assert isinstance(answer, EngineFailure)
    assert ("protocol", True) == (answer.kind, answer.lives)

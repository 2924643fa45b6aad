"""An engine that is a Python object: whatever it is, returns or raises becomes a verdict on it."""

from __future__ import annotations

import json
import re
import sys
from asyncio import CancelledError
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main
from conformance.data.library import all_fixtures
from conformance.model.engine import CannotPlay, EngineFailure, close
from conformance.play.runner import answer_to
from conformance_adapters import UnknownEngine, connect, in_a_process, wire
from conformance_adapters.in_process import Reference
from conformance_adapters.python import PythonEngine
from tests.in_dicts import InDicts

PLAY = all_fixtures()["L-0031"].play
WHO = {"protocol": 1, "name": "mine", "version": "1"}


class Mine:
    """An engine that answers everything in the same way."""

    def __init__(self, answer: Callable[[], Any], who: Callable[[], Any] = lambda: WHO) -> None:
        self.answer, self.who = answer, who

    def describe(self) -> Any:
        return self.who()

    def play(self, scenario: dict[str, Any]) -> Any:
        return self.answer()


def failure_of(answer: Callable[[], Any]) -> EngineFailure:
    """The failure of an engine that answers like this."""
    with pytest.raises(EngineFailure) as caught:
        PythonEngine(lambda: Mine(answer)).play(PLAY)
    return caught.value


def raising(error: BaseException) -> Callable[[], Any]:
    def answer() -> Any:
        raise error

    return answer


def deep() -> Any:
    found: Any = {}
    for _ in range(100_000):
        found = {"looks": found}
    return found


def round_about() -> Any:
    found: dict[str, Any] = {}
    found["looks"] = found
    return found


class Broken(dict[str, Any]):
    """A dict that cannot be read."""

    def items(self) -> Any:
        raise OSError("no such table")


class Unspeakable(Exception):
    """An error that cannot even say what it is."""

    def __str__(self) -> str:
        raise RuntimeError


def test_engine_is_asked_with_the_dict_that_stands_on_the_wire() -> None:
    asked: list[dict[str, Any]] = []

    class Keeps(Mine):
        def play(self, scenario: dict[str, Any]) -> Any:
            asked.append(scenario)
            return {}

    PythonEngine(lambda: Keeps(dict)).play(PLAY)

    assert [json.loads(wire.line(wire.PlayThis(7, PLAY)))["scenario"]] == asked


def test_answer_is_what_a_line_with_it_would_be() -> None:
    ours = Reference()

    assert ours.play(PLAY) == PythonEngine(lambda: InDicts(ours)).play(PLAY)
    assert ours.describe() == PythonEngine(lambda: InDicts(ours)).describe()


def test_sets_may_be_sets() -> None:
    seen = PythonEngine(lambda: Mine(lambda: {"looks": {"end": {"players": {"alice": {"hand": {"bear"}}}}}}))

    assert frozenset({"bear"}) == seen.play(PLAY).looks["end"].players["alice"].hand


def test_engine_may_say_that_it_cannot() -> None:
    stopped = {"at": 0, "why": "unsupported", "says": "no lands"}

    with pytest.raises(CannotPlay, match="no lands"):
        PythonEngine(lambda: Mine(lambda: {"looks": {}, "stopped": stopped})).play(PLAY)


def test_engine_may_say_that_it_broke() -> None:
    failure = failure_of(lambda: {"error": "out of mana"})

    assert ("crash", "the engine says: out of mana", True) == (failure.kind, failure.says, failure.lives)


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda: None, "play() returned NoneType, not a dict"),
        (lambda: [{}], "play() returned list, not a dict"),
        (lambda: "{}", "play() returned str, not a dict"),
        (lambda: {"loks": {}}, "unknown field `loks`"),
        (lambda: {"looks": {"end": {"table": {"priority": 1}}}}, "looks[...].table.priority"),
        (lambda: {"looks": {"end": {"objects": {"a": {"power": 1.5}}}}}, "1.5 is not a whole number"),
        (lambda: {"looks": {"end": {"objects": {"a": {"power": float("nan")}}}}}, "NaN is not a number"),
        (lambda: {"looks": {"end": {"objects": {"a": {"name": "\ud800"}}}}}, "half of a surrogate pair"),
        (lambda: {"looks": {"end": object()}}, "as JSON: TypeError: a value of type object"),
        (lambda: {"looks": {("end",): {}}}, "as JSON: TypeError: keys must be"),
        (lambda: {"unused": {1: 2, "1": 3}}, "'1' is given twice"),
        (deep, "as JSON: RecursionError"),
        (round_about, "as JSON: ValueError: Circular reference"),
        (lambda: {"looks": Broken(end={})}, "as JSON: OSError: no such table"),
    ],
)
def test_invalid_answer_is_a_fault_of_the_protocol(answer: Callable[[], Any], says: str) -> None:
    failure = failure_of(answer)

    assert "protocol" == failure.kind
    assert says in failure.says
    assert "\n" not in failure.says
    assert failure.lives


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (KeyError("bear"), "play() raised KeyError: 'bear'"),
        (SystemExit(3), "play() raised SystemExit: 3"),
        (RecursionError("too deep"), "play() raised RecursionError: too deep"),
        (CancelledError(), "play() raised asyncio.exceptions.CancelledError"),
        (GeneratorExit(), "play() raised GeneratorExit"),
        (Unspeakable(), "play() raised tests.test_python_engine.Unspeakable: <exception str() failed>"),
    ],
)
def test_whatever_an_engine_raises_is_a_crash_with_the_place(error: BaseException, says: str) -> None:
    failure = failure_of(raising(error))

    assert ("crash", says, True) == (failure.kind, failure.says, failure.lives)
    assert "in answer" in failure.stderr.splitlines()[-2]
    assert "conformance_adapters" not in failure.stderr


def test_interrupt_is_the_user_s() -> None:
    with pytest.raises(KeyboardInterrupt):
        PythonEngine(lambda: Mine(raising(KeyboardInterrupt()))).play(PLAY)


@pytest.mark.parametrize(
    ("who", "kind", "says"),
    [
        (raising(OSError("no licence")), "crash", "describe() raised OSError: no licence"),
        (lambda: "mine", "protocol", "describe() returned str, not a dict"),
        (lambda: {"protocol": 1, "name": "mine"}, "protocol", "missing required field `version`"),
        (lambda: {**WHO, "protocol": 2}, "protocol", "speaks protocol 2; this suite speaks 1"),
    ],
)
def test_engine_that_does_not_say_who_it_is(who: Callable[[], Any], kind: str, says: str) -> None:
    with pytest.raises(EngineFailure) as caught:
        PythonEngine(lambda: Mine(dict, who)).describe()

    assert kind == caught.value.kind
    assert says in caught.value.says


def test_factory_may_make_something_that_is_not_an_engine() -> None:
    made: Any = lambda: 7  # noqa: E731  # a factory as somebody may write one
    with pytest.raises(EngineFailure, match=r"made a int, which has no method describe\(\)"):
        PythonEngine(made).describe()


def test_object_whose_methods_cannot_be_read_crashes() -> None:
    class Hidden(Mine):
        def __getattribute__(self, name: str) -> Any:
            raise CancelledError(name)

    with pytest.raises(EngineFailure, match=r"cannot be started: .*CancelledError: describe") as caught:
        PythonEngine(lambda: Hidden(dict)).describe()

    assert "conformance_adapters" not in caught.value.stderr


ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("page", ["README.md", "docs/protocol.md"])
def test_engine_shown_on_a_page_works(page: str) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        names: dict[str, Any] = {}
        exec(block, names)
        engine = PythonEngine(names["Engine"])

        assert "my engine" == engine.describe().name
        assert not isinstance(answer_to(engine, PLAY), EngineFailure)


# -------------------------------------------------------------------------------- from the command line

MODULE = """\
class Engine:
    def describe(self):
        return {"protocol": 1, "name": "mine", "version": "1"}

    def play(self, scenario):
        print("a log line")
        return ANSWER
def engine():
    return Engine()
"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Writes the module `my_own`, which nobody has imported yet, into the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "my_own", raising=False)

    def written(text: str) -> None:
        (tmp_path / "my_own.py").write_text(text, encoding="utf-8")

    return written


def conformance(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def test_wrong_answer_is_a_verdict_of_the_run(write: Callable[[str], None]) -> None:
    write(MODULE.replace("ANSWER", '{"looks": {"end": 7}}'))

    result = conformance("run", "L-0031", "--engine", "python:my_own")

    assert 1 == result.exit_code
    assert "PROTOCOL  L-0031" in result.stdout
    assert "Traceback" not in result.output


def test_what_an_engine_prints_goes_to_stderr_and_is_harmless(write: Callable[[str], None]) -> None:
    write(
        "import sys\nprint('::error::imported')\n"
        + MODULE.replace("ANSWER", "{} if sys.stdout.close() else {}")
        .replace("a log line", "a log\\n::error::of \\x1b[31mplay")
        .replace("return Engine()", "print('made', end='', file=sys.stderr); return Engine()")
    )

    result = conformance("run", "L-0031", "--engine", "python:my_own", "--json", "run.json")

    assert "PROTOCOL  L-0031" in result.stdout
    assert "log" not in result.stdout
    assert r"\x3a:error::imported" + "\nmade" in result.stderr
    assert "a log\n" + r"\x3a:error::of \x1b[31mplay" in result.stderr


def test_engine_that_cannot_say_who_it_is_ends_the_run_with_3(write: Callable[[str], None]) -> None:
    write("def engine():\n    raise SystemExit(0)\n")

    result = conformance("run", "L-0031", "--engine", "python:my_own")

    assert 3 == result.exit_code
    assert "cannot be started: SystemExit: 0" in result.stderr


@pytest.mark.parametrize(
    ("text", "cure"),
    [
        ("def engine():\n    1 / 0", "the traceback shows the place"),
        ("def engine():\n    return 7", "`conformance docs protocol` says what the two methods return"),
    ],
)
def test_doctor_knows_that_there_is_no_command_to_run(
    write: Callable[[str], None], text: str, cure: str
) -> None:
    write(text)

    result = conformance("doctor", "--engine", "python:my_own")

    assert 3 == result.exit_code
    assert cure in result.stdout
    assert "run the command" not in result.stdout


def test_answer_as_long_as_no_line_may_be_is_refused() -> None:
    assert "returned more than 16777216 bytes" in failure_of(lambda: {"error": "x" * (1 << 24)}).says


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("import nowhere_to_be_found", "No module named 'nowhere_to_be_found'"),
        ("def engine(:", "cannot be imported: SyntaxError"),
        ("x = 1\n1 / 0", "cannot be imported: ZeroDivisionError"),
        ("raise SystemExit(7)", "cannot be imported: SystemExit: 7"),
        ("raise GeneratorExit", "cannot be imported: GeneratorExit"),
    ],
)
def test_module_that_cannot_be_imported(write: Callable[[str], None], text: str, says: str) -> None:
    write(text)

    result = conformance("run", "L-0031", "--engine", "python:my_own")

    assert 2 == result.exit_code
    assert says in result.stderr
    assert "my_own.py, line " in result.stderr or "looked in" in result.stderr


def test_served_engine_is_the_same(write: Callable[[str], None]) -> None:
    """In its own process, its answers are judged as in ours, and its prints do no harm."""
    write(MODULE.replace("ANSWER", "{}"))
    engine = in_a_process("python:my_own")
    try:
        assert connect("python:my_own").describe() == engine.describe()
        assert {} == engine.play(PLAY).looks
    finally:
        close(engine)


def test_wrong_answer_of_a_served_engine_is_a_fault_of_the_protocol(write: Callable[[str], None]) -> None:
    write(MODULE.replace("ANSWER", '{"looks": 7}'))
    engine = in_a_process("python:my_own")
    try:
        with pytest.raises(EngineFailure, match="protocol: no answer to `play`"):
            engine.play(PLAY)
    finally:
        close(engine)


def test_crash_of_a_served_engine_is_reported_with_its_place(write: Callable[[str], None]) -> None:
    write(MODULE.replace("ANSWER", "1 / 0"))
    engine = in_a_process("python:my_own")
    try:
        with pytest.raises(EngineFailure) as caught:
            engine.play(PLAY)
    finally:
        close(engine)

    assert "the engine says: play() raised ZeroDivisionError: division by zero" == caught.value.says
    assert "my_own.py" in caught.value.stderr


def test_unknown_module_is_reported_where_it_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(
        UnknownEngine, match=r"No module named 'zzz'\s+looked in .* and what is installed for"
    ):
        connect("python:zzz")

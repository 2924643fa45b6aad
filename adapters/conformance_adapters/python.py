"""An engine that is a Python object in this process, called with the same dicts that go over the wire.

`describe()` returns what a child process answers to `hello`. `play(scenario)` takes the `scenario` of a
`play` line and returns the answer to that line, without its `id`. The return values are read as strictly as a
line from a child process; any exception counts as a crash of the engine. What the engine prints goes to
stderr.

Such an engine can hang or end the suite. If that may happen, run it as a child process: `stdio:python -m
conformance_adapters.serve MODULE:FACTORY`.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol, TextIO

from conformance.model.engine import EngineFailure, EngineInfo
from conformance.model.observation import Observations
from conformance.model.printable import harmless
from conformance.model.problems import ScenarioError, near
from conformance.model.scenario import Play
from conformance_adapters import wire

DEFAULT_FACTORY = "engine"
MOST_FRAMES = 10
"""Maximum number of frames kept of an engine's traceback, innermost last."""


class DictEngine(Protocol):
    """The object that a factory returns."""

    def describe(self) -> dict[str, Any]:
        """The answer to `hello`."""

    def play(self, scenario: dict[str, Any], /) -> dict[str, Any]:
        """The answer to `play`, without its `id`."""


class NoFactory(ValueError):
    """A name does not lead to a factory."""


def factory_of(spec: str, home: Path) -> Callable[[], DictEngine]:
    """The factory named by MODULE:FACTORY; modules in the folder `home` can be imported too.

    Raises `NoFactory` if the module cannot be imported, or has no callable of that name.
    """
    module, _, name = spec.partition(":")
    name = name or DEFAULT_FACTORY
    if not module or "/" in module or module.endswith(".py"):
        path = module.removesuffix(".py").strip("./").replace("/", ".") or "my_engine"
        raise NoFactory(
            f"{module!r} is not the name of a module\n    write it as for `import`: python:{path}"
        )
    here = str(home)
    if here not in sys.path:
        sys.path.append(here)
    try:
        with printing_to_stderr():
            imported = importlib.import_module(module)
    except ModuleNotFoundError as error:
        where = f"{here} and what is installed for {sys.executable}"
        raise NoFactory(f"{error.msg}\n    looked in {where}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever the module's code raises
        raise NoFactory(f"{module} cannot be imported: {one_line(error)}{last_place(error)}") from None
    factory = getattr(imported, name, None)
    if factory is None:
        meant = near(name, [word for word, value in vars(imported).items() if callable(value)])
        cure = f"did you mean python:{module}:{meant}?" if meant else f"write python:{module}:FACTORY"
        raise NoFactory(f"{module} has no {name!r}\n    {cure}")
    if not callable(factory):
        what = f"{module}:{name} is a {type(factory).__name__}"
        raise NoFactory(f"{what}, and cannot be called\n    name a function or class that makes the engine")
    found: Callable[[], DictEngine] = factory
    return found


class PythonEngine:
    """The engine that a factory makes, created on first use and again after `close`."""

    def __init__(self, factory: Callable[[], DictEngine]) -> None:
        self._factory = factory
        self._made: DictEngine | None = None
        self._wants_defaults: bool | None = None

    def describe(self) -> EngineInfo:
        """The engine's description of itself."""
        said = self.line("describe")
        try:
            welcome = wire.welcome(said)
        except ScenarioError as error:
            raise failure(
                f"describe() did not return an answer to `hello`: {wire.in_short(error, said)}"
            ) from None
        if welcome.protocol != wire.PROTOCOL:
            raise failure(f"speaks protocol {welcome.protocol}; this suite speaks {wire.PROTOCOL}")
        self._wants_defaults = welcome.wants_defaults
        return welcome.info()

    def play(self, play: Play, /) -> Observations:
        """The engine's answer to a scenario."""
        said = self.line("play", self.plain(play), id=0)
        try:
            answer = wire.answer(said)
        except ScenarioError as error:
            raise failure(f"play() did not return an answer: {wire.in_short(error, said)}") from None
        return answer.observations(play)

    def plain(self, play: Play) -> dict[str, Any]:
        """A scenario as the dict that the engine expects."""
        if self._wants_defaults is None:
            self.describe()
        return wire.plain(play, with_defaults=bool(self._wants_defaults))

    def line(self, method: str, *arguments: Any, **more: object) -> bytes:
        """A method's return value, plus `more`, as the line a child process would have written."""
        engine = self._engine()
        try:
            with printing_to_stderr():
                returned: object = getattr(engine, method)(*arguments)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever the engine's code raises
            raise crash(f"{method}() raised {one_line(error)}", error) from None
        if not isinstance(returned, dict):
            raise failure(f"{method}() returned {type(returned).__name__}, not a dict")
        try:
            line = json.dumps({**returned, **more}, default=as_list).encode()
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a value's own methods can raise anything
            raise failure(
                f"{method}() returned a value that cannot be written as JSON: {one_line(error)}"
            ) from None
        if len(line) > wire.LONGEST_LINE:
            raise failure(f"{method}() returned more than {wire.LONGEST_LINE} bytes of JSON")
        return line

    def close(self) -> None:
        self._made = None

    def _engine(self) -> DictEngine:
        if self._made is None:
            try:
                with printing_to_stderr():
                    made = self._factory()
                    methods = getattr(made, "describe", None), getattr(made, "play", None)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # whatever the engine's code raises
                raise crash(f"cannot be started: {one_line(error)}", error) from None
            for name, method in zip(("describe", "play"), methods, strict=True):
                if not callable(method):
                    raise failure(f"the factory made a {type(made).__name__}, which has no method {name}()")
            self._made = made
        return self._made


class HarmlessLines(io.TextIOBase):
    """Passes lines on to another stream, each harmless to terminals and CI logs."""

    def __init__(self, to: TextIO) -> None:
        self._to, self._begun = to, ""

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        *lines, self._begun = (self._begun + text).split("\n")
        self._to.writelines(f"{harmless(line)}\n" for line in lines)
        return len(text)

    def flush(self) -> None:
        if self._begun:
            self._to.write(harmless(self._begun))
            self._begun = ""
        self._to.flush()

    def close(self) -> None:
        """Nothing: the stream belongs to the suite, whose own output must not end with the engine's."""


@contextlib.contextmanager
def printing_to_stderr() -> Iterator[None]:
    """Within this context, whatever Python code prints goes to stderr."""
    lines = HarmlessLines(sys.stderr)
    with contextlib.redirect_stdout(lines), contextlib.redirect_stderr(lines):
        try:
            yield
        finally:
            lines.flush()


def as_list(value: object) -> list[Any]:
    """A set as JSON represents it. Raises `TypeError` for any other value that JSON does not support."""
    if isinstance(value, set | frozenset):
        return list(value)
    raise TypeError(f"a value of type {type(value).__name__}")


def failure(says: str) -> EngineFailure:
    """The failure for an invalid answer, in one line; the engine can be asked again."""
    cure = "`conformance docs protocol` says what the two methods return"
    return EngineFailure("protocol", " ".join(says.split()), lives=True, cure=cure)


def crash(says: str, error: BaseException) -> EngineFailure:
    """The failure for an exception in the engine's code, with the innermost frames of its traceback."""
    ours = error.__traceback__  # the frame that called the engine
    frames = traceback.format_tb(ours and ours.tb_next, limit=-MOST_FRAMES)
    cure = "the traceback shows the place, innermost call last"
    return EngineFailure("crash", says, "".join(frames), lives=True, cure=cure)


def one_line(error: BaseException) -> str:
    """An exception in one line."""
    return " ".join(traceback.format_exception_only(error)[-1].split())


def last_place(error: BaseException) -> str:
    """The place in the engine's code where an error was raised while importing its module."""
    if isinstance(error, SyntaxError):
        return f"\n    in {error.filename}, line {error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    return f"\n    in {frames[-1].filename}, line {frames[-1].lineno}" if frames else ""

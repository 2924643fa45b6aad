"""The child's side in Python: serves any engine object over stdin and stdout.

`python -m conformance_adapters.serve MODULE:FACTORY` serves what the factory returns; without arguments, the
reference engine (`reference DATE` with the rules of that day, `mutant:NAME` with one rule broken). Anything
the engine prints goes to stderr, so that it cannot disturb the protocol.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import BinaryIO

from conformance.data.garbage import garbage_kept_longer
from conformance.model.engine import CannotPlay, Engine, EngineFailure
from conformance.model.observation import Stopped
from conformance.model.problems import ScenarioError
from conformance_adapters import connect, wire
from conformance_adapters.python import PythonEngine


def serve(engine: Engine, incoming: BinaryIO, outgoing: BinaryIO) -> None:
    """Answer requests until `bye` or the end of the input."""
    for said in incoming:
        try:
            request = wire.request(said)
        except ScenarioError as error:
            print(f"not a request: {error}", file=sys.stderr)
            return
        match request:
            case wire.Hello():
                reply = greeting(engine)
            case wire.PlayThis():
                reply = play_answer(engine, request)
            case wire.Bye():
                return
        outgoing.write(reply)
        outgoing.flush()


def greeting(engine: Engine) -> bytes:
    """The line that answers `hello`."""
    if isinstance(engine, PythonEngine):
        return engine.line("describe") + b"\n"
    info = engine.describe()
    return wire.line(
        wire.Welcome(
            wire.PROTOCOL,
            info.name,
            info.version,
            info.edition,
            info.takes,
            info.lacks,
            info.checks_understanding,
            info.steps_with_priority,
        )
    )


def play_answer(engine: Engine, request: wire.PlayThis) -> bytes:
    """The line that answers `play`."""
    try:
        if isinstance(engine, PythonEngine):
            return engine.line("play", engine.plain(request.scenario), id=request.id) + b"\n"
        answer = wire.answer_with(request.id, engine.play(request.scenario))
    except CannotPlay as error:
        answer = wire.Answer(request.id, stopped=Stopped(0, "unsupported", str(error)))
    except EngineFailure as error:
        print(error.stderr, file=sys.stderr)
        answer = wire.Answer(request.id, error=error.says)
    except Exception as error:  # whatever the engine raises becomes an answer
        answer = wire.Answer(request.id, error=f"{type(error).__name__}: {error}")
    return wire.line(answer)


@contextlib.contextmanager
def alone_on_stdout() -> Iterator[BinaryIO]:
    """The real stdout, while `print` writes to stderr."""
    out = sys.stdout
    sys.stdout = sys.stderr
    try:
        yield out.buffer
    finally:
        sys.stdout = out


def engine_of(spec: str, edition: str | None = None) -> Engine:
    """The engine that MODULE:FACTORY makes, or one of our own."""
    ours = spec == "reference" or spec.startswith("mutant:")
    return connect(spec if ours else f"python:{spec}", edition)


def main() -> None:
    """Serve the engine named on the command line."""
    arguments = iter(sys.argv[1:])
    spec, edition = next(arguments, "reference"), next(arguments, None)
    with garbage_kept_longer(), alone_on_stdout() as outgoing:
        serve(engine_of(spec, edition), sys.stdin.buffer, outgoing)


if __name__ == "__main__":
    main()

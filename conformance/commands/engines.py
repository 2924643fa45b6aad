"""Connects, describes and closes the engines that a command names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.report.console import write_error

if TYPE_CHECKING:
    from conformance.gate.config import Config
    from conformance.model.engine import Engine, EngineInfo


def announce_command(config: Config, engine: str) -> None:
    """Print the command that the configuration runs, before running it, if it may surprise the user."""
    from conformance.gate.config import command_to_announce

    said = command_to_announce(config, engine, Path.cwd())
    if said:
        write_error(said)


def connect_engine(name: str, edition: str | None, config: Config, *, apart: bool = False) -> Engine:
    """The engine with this name, started as the configuration or the name itself requires.

    `apart` always gives it its own process.
    """
    from conformance.model.problems import near
    from conformance.play.selection import no_match
    from conformance_adapters import connect, in_a_process, of_program

    program = config.engines.get(name)
    if program:
        return of_program(program.argv, program.folder, program.environment, program.start, program.request)
    if near(name, config.engines) and name != "reference" and not set(name) & set(": /\\"):
        raise no_match("engine", name, [*config.engines, "reference"])
    home = config.home_of(name)
    return in_a_process(name, edition, home) if apart else connect(name, edition, home)


@contextmanager
def closing(engine: Engine) -> Iterator[Engine]:
    """The engine, closed when the context ends."""
    from conformance.model.engine import close

    try:
        yield engine
    finally:
        close(engine)


def description_of(asked: Engine, name: str) -> EngineInfo:
    """The engine's description of itself; if it has none, the command exits with 3."""
    from conformance.model.engine import EngineFailure
    from conformance.model.problems import ScenarioError
    from conformance.play.introduction import introduction_of
    from conformance.report.terminal import lines_of_no_start
    from conformance.results.summary import NO_ENGINE

    try:
        return introduction_of(asked)
    except ScenarioError:  # a recording is a file, which may be invalid
        raise
    except Exception as error:  # any failure of the engine becomes an exit code
        says = error.says if isinstance(error, EngineFailure) else f"{type(error).__name__}: {error}"
        stderr = error.stderr if isinstance(error, EngineFailure) else ""
        for line in lines_of_no_start(name, says, stderr):
            write_error(line)
        raise SystemExit(NO_ENGINE) from None

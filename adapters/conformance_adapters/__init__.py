"""Adapters: our side of the connection to an engine. They translate and wait, and contain no rules. Imports
the suite, and the reference engine where it plays.

`connect` is the entry point; it knows every form of engine name. The reference engine and its mutants run in
this process (`in_process`), as do Python engines (`python`). All others are child processes that read and
write one JSON object a line (`stdio`, `wire`), or recordings of their answers (`recorded`).
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import conformance
from conformance.model.engine import Engine, suite_version
from conformance.model.problems import did_you_mean, list_of_options

FORMS = ("python:MODULE:FACTORY", "stdio:COMMAND", "recorded:FILE", "reference", "mutant:NAME")


class UnknownEngine(ValueError):
    """No engine can be connected by that name."""


def connect(name: str, edition: str | None = None, home: Path | None = None) -> Engine:
    """The engine of that name, playing the given edition if it supports several.

    The engine starts only when it is first asked. A name with a space or a path separator is a command. It
    runs in the folder `home`, where modules and recordings are found too; default: the working directory.
    """
    form, colon, rest = name.partition(":")
    if name == "reference":
        from conformance_adapters.in_process import Reference

        return Reference(edition)
    if colon and form in FORMED:
        return FORMED[form](rest, edition, home)
    if any(mark in name for mark in " /\\"):
        return of_command(name, edition, home)
    raise UnknownEngine(f"no engine {name!r}\n    {cure_for(name)}")


def cure_for(name: str) -> str:
    """A suggestion of the engine name that an unknown name probably stands for."""
    module = name.removesuffix(".py")
    if Path(name).is_file():
        in_python = f"python:{module}:FACTORY, or " if module != name else ""
        return f"write {in_python}the command that starts it, with its path: ./{name}"
    if re.fullmatch(r"[^\W\d][\w.]*:[^\W\d]\w*", name):
        return f"did you mean python:{name}?"
    return did_you_mean(name, ["reference"], otherwise=f"write one of: {', '.join(FORMS)}")


def of_mutant(name: str, edition: str | None, home: Path | None) -> Engine:
    """The reference engine with one rule broken, or an engine without rules."""
    from conformance.mutants import MUTANTS
    from conformance_adapters.degenerate import DEGENERATES, DegenerateEngine
    from conformance_adapters.in_process import Reference, with_rules_of

    for mutant in MUTANTS:
        if mutant.name == name:
            return Reference(rules=with_rules_of(mutant, edition), name=f"mutant:{name}")
    for kind in DEGENERATES:
        if kind.name == name:
            return DegenerateEngine(kind)
    names = [mutant.name for mutant in MUTANTS] + [kind.name for kind in DEGENERATES]
    raise UnknownEngine(
        f"no mutant {name!r}\n    "
        + did_you_mean(name, names, otherwise=f"choose one of: {list_of_options(names)}"),
    )


def of_python(spec: str, edition: str | None, home: Path | None) -> Engine:
    """A Python object in this process, made by MODULE:FACTORY."""
    from conformance_adapters.python import NoFactory, PythonEngine, factory_of

    try:
        return PythonEngine(factory_of(spec, home or Path.cwd()))
    except NoFactory as error:
        raise UnknownEngine(f"'python:{spec}': {error}") from None


def of_command(text: str, edition: str | None, home: Path | None) -> Engine:
    """A child process, started by a one-line command."""
    from conformance_adapters.stdio import Command, StdioEngine, command_of

    try:
        argv = command_of(text)
    except ValueError as error:
        raise UnknownEngine(f"{text!r}: {error}\n    quote the command as for a shell") from None
    if not argv:
        raise UnknownEngine(f"{text!r}: no command\n    write stdio:COMMAND")
    return StdioEngine(Command(argv, home), suite_version())


def of_recording(file: str, edition: str | None, home: Path | None) -> Engine:
    """An engine that plays back recorded answers from a file."""
    from conformance_adapters.recorded import RecordedEngine

    path = (home or Path()) / file
    if not path.is_file():
        raise UnknownEngine(f"'recorded:{file}': no such file\n    `conformance record` writes one")
    return RecordedEngine(path)


def of_program(
    argv: Sequence[str],
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    start: float | None = None,
    request: float | None = None,
) -> Engine:
    """A child process, started as a configuration file says, with defaults for everything omitted."""
    from conformance_adapters.stdio import USUAL_LIMITS, Command, ProcessLimits, StdioEngine

    limits = ProcessLimits(start or USUAL_LIMITS.start, request or USUAL_LIMITS.request)
    return StdioEngine(Command(tuple(argv), folder, environment or {}), suite_version(), limits)


def in_a_process(name: str, edition: str | None = None, home: Path | None = None) -> Engine:
    """The engine of that name in a process of its own, even if it could run in this one."""
    form, _, spec = name.partition(":")
    if name != "reference" and form not in ("mutant", "python"):
        return connect(name, edition, home)
    connect(name, edition, home)  # so that an unknown name is refused here
    served = spec if form == "python" else name
    argv = [sys.executable, "-m", "conformance_adapters.serve", served, *([edition] if edition else [])]
    ours = (Path(file).resolve().parent.parent for file in (conformance.__file__, __file__))
    known = os.environ.get("PYTHONPATH")
    found = [*dict.fromkeys(map(str, ours)), *([known] if known else [])]
    return of_program(argv, home, environment={"PYTHONPATH": os.pathsep.join(found)})


def within_memory(engine: Engine, most: int) -> Engine:
    """The engine with a memory limit in bytes: exceeding it ends the engine, if it runs in a process of
    its own.
    """
    from conformance_adapters.stdio import StdioEngine

    return engine.with_memory_limit(most) if isinstance(engine, StdioEngine) else engine


FORMED = {"mutant": of_mutant, "python": of_python, "stdio": of_command, "recorded": of_recording}

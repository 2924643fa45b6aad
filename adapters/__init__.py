"""Our side of the talk with an engine: each adapter translates and waits, and holds no rules.

`connect` is the front. Today it knows the reference engine, in this process; engines in other
languages will be child processes that read and write one JSON object a line.
"""

from __future__ import annotations

from conformance.engine import Engine
from conformance.problems import did_you_mean

LATER = ("mutant:", "python:", "recorded:", "stdio:")


class UnknownEngine(ValueError):
    """Nobody knows how to connect an engine by that name."""


def connect(name: str, edition: str | None = None) -> Engine:
    """The engine of that name; where an engine can play several editions, it plays this one."""
    if name == "reference":
        from adapters.in_process import Reference

        return Reference(edition)
    if name.startswith(LATER) or any(mark in name for mark in " /\\"):
        raise UnknownEngine(
            f"{name!r}: other engines than `reference` cannot be connected yet\n"
            "    until they can, play the files that `conformance export DIR` writes"
        )
    raise UnknownEngine(
        f"no engine {name!r}\n    " + did_you_mean(name, ["reference"], otherwise="there is: reference")
    )

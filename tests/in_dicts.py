"""One of our engines in the form of an author's Python engine: called with the wire's dicts, and
returning them.
"""

from __future__ import annotations

import json
from typing import Any

from conformance.files.canonical import decode, encode
from conformance.model.engine import CannotPlay, Engine
from conformance.model.scenario import Play
from conformance_adapters import wire


class InDicts:
    """The same engine behind an interface of dicts."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def describe(self) -> dict[str, Any]:
        return {"protocol": wire.PROTOCOL, **plain(self.engine.describe())}

    def play(self, scenario: dict[str, Any]) -> dict[str, Any]:
        try:
            return plain(self.engine.play(decode(encode(scenario), Play)))
        except CannotPlay as error:
            return {"stopped": {"at": 0, "why": "unsupported", "says": str(error)}}


def plain(value: object) -> dict[str, Any]:
    """A value as it is written on the wire."""
    found: dict[str, Any] = json.loads(encode(value))
    return found

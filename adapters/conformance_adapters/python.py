"""An engine that is a Python object: whatever a factory returns, if it has the two methods of an engine.

It lives in this process, so it can hang or end the suite; whoever wants to be safe from that serves it
as a child: `stdio:python -m conformance_adapters.serve MODULE:FACTORY`.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path

from conformance.model.engine import Engine, EngineFailure, EngineInfo
from conformance.model.observation import Observations
from conformance.model.scenario import Play

USUAL_FACTORY = "engine"


def factory_of(spec: str) -> Callable[[], Engine]:
    """What MODULE:FACTORY names; modules of the working directory are found too.

    Raises `ImportError`, `AttributeError` or `ValueError` if it names nothing that can be called.
    """
    module, _, name = spec.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    factory = getattr(importlib.import_module(module), name or USUAL_FACTORY)
    if not callable(factory):
        raise ValueError(f"{name or USUAL_FACTORY} is a {type(factory).__name__}, nothing that can be called")
    made: Callable[[], Engine] = factory
    return made


class PythonEngine:
    """The engine that a factory makes: made when it is first asked, and anew after `close`."""

    def __init__(self, factory: Callable[[], Engine]) -> None:
        self._factory = factory
        self._made: Engine | None = None

    def describe(self) -> EngineInfo:
        """Who it says it is."""
        return self._engine().describe()

    def play(self, play: Play, /) -> Observations:
        """What it answers to a scenario."""
        return self._engine().play(play)

    def close(self) -> None:
        """Forget it."""
        self._made = None

    def _engine(self) -> Engine:
        if self._made is None:
            try:
                self._made = self._factory()
            except Exception as error:  # whatever a factory raises is its engine's failure
                raise EngineFailure("crash", f"cannot be started: {type(error).__name__}: {error}") from error
        return self._made

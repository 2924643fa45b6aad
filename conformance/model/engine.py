"""The engine interface: what the suite asks of an engine, and the errors when it cannot or does not answer.

There is one error for each party that can be at fault. `ScenarioError` (in `problems`) is our mistake or the
file author's, `CannotPlay` is nobody's, `EngineFailure` is the engine's. `verdict` turns each of them into a
verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from msgspec import Struct

from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.model.version import VERSION
from reference_engine.language.words import Step

CardsTaken = Literal["named", "defined", "text"]


class EngineInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """An engine's description of itself."""

    name: str
    version: str
    edition: str | None = None
    """The date of the rules it implements; None means the newest."""
    takes: frozenset[CardsTaken] = frozenset({"defined"})
    """The forms in which it accepts a card: by name, as a definition, as rules text."""
    lacks: frozenset[str] = frozenset()
    """Features that it declares as missing."""
    checks_understanding: bool = False
    """Whether it compares its reading of a card's text with the card's definition before it plays."""
    steps_with_priority: frozenset[Step] | None = None
    """The only steps in which it gives priority; None means every step in which the rules give it."""


class Engine(Protocol):
    """What the suite asks of an engine: to describe itself, and to play a scenario."""

    def describe(self) -> EngineInfo:
        """The engine's description of itself. Raises `EngineFailure` if it cannot give one."""

    def play(self, play: Play, /) -> Observations:
        """Play from a clean start and report what the scenario asks about.

        Raises `CannotPlay` if the engine does not support the scenario, and
        `EngineFailure` if it breaks while answering.
        """


def close(engine: Engine) -> None:
    """Close an engine that has a `close` method."""
    end: Callable[[], None] = getattr(engine, "close", lambda: None)
    end()


class CannotPlay(Exception):
    """The engine says that it cannot play this: a card, an action or an observation is not supported."""


FailureKind = Literal["protocol", "crash", "hang"]


class EngineFailure(Exception):
    """The engine failed while answering: it sent garbage, died, or timed out."""

    def __init__(
        self, kind: FailureKind, says: str, stderr: str = "", *, lives: bool = False, cure: str = ""
    ) -> None:
        super().__init__(f"{kind}: {says}")
        self.cure = cure
        """What the engine's author can do about it, if the adapter knows."""
        self.lives = lives
        """Whether the engine is still usable: it only reported an error."""
        self.kind: FailureKind = kind
        self.says = says
        self.stderr = stderr


def suite_version() -> str:
    return VERSION

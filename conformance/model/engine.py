"""The seam: all the suite asks of an engine, and how an engine says that it cannot or did not answer.

There is one error for each party that can be at fault. `ScenarioError` (in `problems`) is our mistake
or that of a file's writer, `CannotPlay` is nobody's, `EngineFailure` is the engine's. `verdict` says
what each of them comes to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from msgspec import Struct

from conformance.model.observation import Observations
from conformance.model.scenario import Play
from reference_engine.language.words import Step

CardsTaken = Literal["named", "defined", "text"]


class EngineInfo(Struct, frozen=True, forbid_unknown_fields=True):
    """Who an engine says it is, and what it says it can do."""

    name: str
    version: str
    edition: str | None = None
    """The date of the rules it implements; none stands for the newest."""
    takes: frozenset[CardsTaken] = frozenset({"defined"})
    """In which ways it can be given a card: by name, as its definition, as its text."""
    lacks: frozenset[str] = frozenset()
    """Features that it says it does not have."""
    checks_understanding: bool = False
    """Whether what it made of a card's text is compared with the card's definition before it plays."""
    steps_with_priority: frozenset[Step] | None = None
    """The only steps in which it gives priority; none stands for all in which the rules do."""


class Engine(Protocol):
    """All the suite asks of an engine: who it is, and how a scenario plays out."""

    def describe(self) -> EngineInfo:
        """Who it is. Raises `EngineFailure` when it cannot even say that."""

    def play(self, play: Play, /) -> Observations:
        """Play from a clean start and report what the scenario asks about.

        Raises `CannotPlay` when this engine cannot be asked, and
        `EngineFailure` when it breaks while answering.
        """


def close(engine: Engine) -> None:
    """End an engine, if it is one that has an end."""
    end: Callable[[], None] = getattr(engine, "close", lambda: None)
    end()


class CannotPlay(Exception):
    """This engine cannot be asked this: a card, an action or an observation is beyond it, and it says so."""


FailureKind = Literal["protocol", "crash", "hang"]


class EngineFailure(Exception):
    """The engine broke while answering: it spoke nonsense, died, or said nothing in time."""

    def __init__(
        self, kind: FailureKind, says: str, stderr: str = "", *, lives: bool = False, cure: str = ""
    ) -> None:
        super().__init__(f"{kind}: {says}")
        self.cure = cure
        """What the engine's author does next, if the adapter knows it."""
        self.lives = lives
        """Whether the engine is still there to be asked the next thing: it only said that it broke."""
        self.kind: FailureKind = kind
        self.says = says
        self.stderr = stderr


def suite_version() -> str:
    """The version of the suite that is installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mtg-conformance")
    except PackageNotFoundError:  # a checkout that is not installed
        return "0"

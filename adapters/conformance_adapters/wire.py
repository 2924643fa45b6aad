"""The messages between the suite and an engine's shim: one JSON object a line, the same in every language.

The suite speaks first. `hello` is answered with who the engine is; each `play` carries a number and is
answered with the same number; `bye` is not answered. A protocol version changes when a shim that was
right would stop being right; new optional keys do not change it, and a shim may ignore keys that it does
not know.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from msgspec import Struct

from conformance.files.canonical import REF, decode, encode, schema_of, without_defaults
from conformance.files.strict_json import MOST_BYTES
from conformance.model.engine import CannotPlay, CardsTaken, EngineFailure, EngineInfo
from conformance.model.features import FEATURES
from conformance.model.observation import Observations, Snapshot, Stopped
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Play
from conformance.model.verdict import stopped_outside
from reference_engine.language.words import Step

PROTOCOL = 1
SCHEMA = "wire.schema.json"
LONGEST_LINE = MOST_BYTES
"""Longer lines are not read to their end."""
LONGEST_GREETING = 64 * 1024
"""The most bytes of an answer to `hello`."""
ALWAYS_ENOUGH = 1024 * 1024
"""Any answer to `play` may have this many bytes."""
SHOWN_OF_A_LINE = 100
"""The most characters shown of a line that is no answer."""
TIMES_THE_QUESTION = 100
"""An answer to a long question may have this many times its bytes."""


class Hello(Struct, frozen=True, tag_field="say", tag="hello"):
    """The suite's first line: which protocol it speaks, and its own version."""

    protocol: int
    suite: str


class PlayThis(Struct, frozen=True, tag_field="say", tag="play"):
    """Play this scenario from a clean start and report what it wants."""

    id: int
    scenario: Play


class Bye(Struct, frozen=True, tag_field="say", tag="bye"):
    """No more will be asked; the engine ends by itself."""


Request = Hello | PlayThis | Bye


class Welcome(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to `hello`."""

    protocol: int
    name: str
    version: str
    edition: str | None = None
    takes: frozenset[CardsTaken] = frozenset({"defined"})
    lacks: frozenset[str] = frozenset()
    checks_understanding: bool = False
    steps_with_priority: frozenset[Step] | None = None
    wants_defaults: bool = False
    """Whether the suite is to write out every key, those too that have their default."""

    def info(self) -> EngineInfo:
        """Who the engine is, as the suite keeps it."""
        return EngineInfo(
            self.name,
            self.version,
            self.edition,
            self.takes,
            self.lacks,
            self.checks_understanding,
            self.steps_with_priority,
        )


class Answer(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to `play`: what was seen, or (`error`) that the engine broke."""

    id: int
    looks: dict[str, Snapshot] = {}
    tried: dict[str, Literal["done", "rejected"]] = {}
    unused: tuple[int, ...] = ()
    cards: dict[str, CardsTaken] = {}
    stopped: Stopped | None = None
    error: str | None = None

    def observations(self, play: Play, stderr: str = "") -> Observations:
        """What was observed of a scenario.

        Raises `EngineFailure` if the engine says that it broke, and `CannotPlay` if it could not begin. A
        stop outside of the script stays, for the runner to refuse.
        """
        if self.error is not None:
            raise EngineFailure("crash", f"the engine says: {self.error}", stderr, lives=True)
        stopped = self.stopped
        if stopped and stopped.why == "unsupported" and not self.looks and not stopped_outside(play, stopped):
            raise CannotPlay(stopped.says or "unsupported")
        return Observations(self.looks, self.tried, self.unused, self.cards, self.stopped)


def line(message: Request | Welcome | Answer, *, with_defaults: bool = False) -> bytes:
    """A message as it goes over the wire: keys with their default are left out, unless they are wanted."""
    return encode(message if with_defaults else without_defaults(message)) + b"\n"


def plain(play: Play, *, with_defaults: bool = False) -> dict[str, Any]:
    """A scenario as the dict that stands in a `play` line."""
    found: dict[str, Any] = json.loads(encode(play if with_defaults else without_defaults(play)))
    return found


def longest_answer(question: bytes) -> int:
    """The most bytes that the answer to a question may have."""
    return min(LONGEST_LINE, max(ALWAYS_ENOUGH, TIMES_THE_QUESTION * len(question)))


def in_short(error: ScenarioError, said: bytes) -> str:
    """The first thing wrong with a line, how many more there are, and how the line begins."""
    first, *others = error.problems
    where = first.where or f"character {first.column}"
    more = f", and {len(others)} more" if others else ""
    begins = said[: 4 * SHOWN_OF_A_LINE].decode(errors="replace")[:SHOWN_OF_A_LINE]
    goes_on = " …" if len(begins.encode(errors="replace")) < len(said) else ""
    return f"{where}: {first.what} ({first.cure}{more}); the line: {begins}{goes_on}"


def welcome(said: bytes) -> Welcome:
    """The answer to `hello`; raises `ScenarioError` if it is none."""
    return decode(said, Welcome, schema=SCHEMA)


def answer(said: bytes) -> Answer:
    """The answer to `play`; raises `ScenarioError` if it is none."""
    return decode(said, Answer, schema=SCHEMA)


def request(said: bytes) -> Request:
    """What the suite asks; raises `ScenarioError` if it is nothing of the kind."""
    return decode(said, Request, schema=SCHEMA)  # type: ignore[arg-type]  # a union does as well as a type


def answered(id: int, seen: Observations) -> Answer:
    """The answer that reports what was observed."""
    return Answer(id, seen.looks, seen.tried, seen.unused, seen.cards, seen.stopped)


def wire_schema() -> dict[str, Any]:
    """The JSON Schema of every line, in both directions; `wire.schema.json` of the export.

    Of `Welcome` and `Answer`, what engines say, each key is known; to what the suite says later versions may
    add keys.
    """
    messages = (Hello, PlayThis, Bye, Welcome, Answer)
    schema = schema_of("A line between the conformance suite and an engine's shim", *messages)
    schema["$defs"]["Welcome"]["properties"]["lacks"]["items"]["enum"] = list(FEATURES)
    return {**schema, "anyOf": [{"$ref": REF + message.__name__} for message in messages]}

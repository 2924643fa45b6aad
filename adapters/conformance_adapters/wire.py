"""The messages between the suite and an engine's shim: one JSON object a line, the same in every language.

The suite speaks first. The engine answers `hello` by describing itself; each `play` has a number, and so does
its answer; `bye` gets no answer. The protocol version changes when a correct shim would stop being correct;
new optional keys do not change it, and a shim may ignore keys it does not know.
"""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from conformance.files.canonical import REF, decode, encode, schema_of, without_defaults
from conformance.files.strict_json import MOST_JSON_BYTES
from conformance.model.engine import CannotPlay, CardsTaken, EngineFailure, EngineInfo
from conformance.model.features import FEATURES
from conformance.model.observation import Observations, Snapshot, Stopped, TryOutcome
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Play
from conformance.model.verdict import stop_error
from reference_engine.language.words import Step

PROTOCOL = 1
SCHEMA = "wire.schema.json"
LONGEST_LINE = MOST_JSON_BYTES
"""Longer lines are not read to the end."""
LONGEST_GREETING = 64 * 1024
"""Maximum bytes of an answer to `hello`."""
ALWAYS_ENOUGH = 1024 * 1024
"""Any answer to `play` may have this many bytes."""
SHOWN_OF_A_LINE = 100
"""Maximum number of characters shown of an invalid line."""
TIMES_THE_QUESTION = 100
"""An answer to a long question may have this many times the question's bytes."""


class Hello(Struct, frozen=True, tag_field="say", tag="hello"):
    """The suite's first line: its protocol version, and its own version."""

    protocol: int
    suite: str


class PlayThis(Struct, frozen=True, tag_field="say", tag="play"):
    """Play this scenario from a clean start and report the observations it asks for."""

    id: int
    scenario: Play


class Bye(Struct, frozen=True, tag_field="say", tag="bye"):
    """There are no more requests; the engine ends by itself."""


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
    """Whether the suite should write out keys that have their default value."""

    def info(self) -> EngineInfo:
        """The engine's description as the suite stores it."""
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
    """The answer to `play`: the observations, or (`error`) that the engine failed."""

    id: int
    looks: dict[str, Snapshot] = {}
    tried: dict[str, TryOutcome] = {}
    unused: tuple[int, ...] = ()
    cards: dict[str, CardsTaken] = {}
    stopped: Stopped | None = None
    error: str | None = None

    def observations(self, play: Play, stderr: str = "") -> Observations:
        """The observations of a scenario.

        Raises `EngineFailure` if the engine reports a failure, and `CannotPlay` if it could not begin. A stop
        outside the script is kept, for the runner to reject.
        """
        if self.error is not None:
            raise EngineFailure("crash", f"the engine says: {self.error}", stderr, lives=True)
        stopped = self.stopped
        if stopped and stopped.why == "unsupported" and not self.looks and not stop_error(play, stopped):
            raise CannotPlay(stopped.says or "unsupported")
        return Observations(self.looks, self.tried, self.unused, self.cards, self.stopped)


def line(message: Request | Welcome | Answer, *, with_defaults: bool = False) -> bytes:
    """A message as a line; keys with their default value are omitted unless wanted."""
    return encode(message if with_defaults else without_defaults(message)) + b"\n"


def plain(play: Play, *, with_defaults: bool = False) -> dict[str, Any]:
    """A scenario as the dict in a `play` line."""
    found: dict[str, Any] = json.loads(encode(play if with_defaults else without_defaults(play)))
    return found


def longest_answer(question: bytes) -> int:
    """Maximum bytes of the answer to a question."""
    return min(LONGEST_LINE, max(ALWAYS_ENOUGH, TIMES_THE_QUESTION * len(question)))


def in_short(error: ScenarioError, said: bytes) -> str:
    """The first problem with a line, the number of others, and how the line begins."""
    first, *others = error.problems
    where = first.where or (f"character {first.column}" if first.column else "")
    more = f", and {len(others)} more" if others else ""
    begins = said[: 4 * SHOWN_OF_A_LINE].decode(errors="replace")[:SHOWN_OF_A_LINE]
    goes_on = " …" if len(begins.encode(errors="replace")) < len(said) else ""
    return f"{where}{': ' if where else ''}{first.what} ({first.cure}{more}); the line: {begins}{goes_on}"


def welcome(said: bytes) -> Welcome:
    """Parse the answer to `hello`; raises `ScenarioError` if it is invalid."""
    return decode(said, Welcome, schema=SCHEMA)


def answer(said: bytes) -> Answer:
    """Parse the answer to `play`; raises `ScenarioError` if it is invalid."""
    return decode(said, Answer, schema=SCHEMA)


def request(said: bytes) -> Request:
    """Parse a request of the suite; raises `ScenarioError` if it is invalid."""
    return decode(said, Request, schema=SCHEMA)  # type: ignore[arg-type]  # a union works like a type here


def answer_with(id: int, seen: Observations) -> Answer:
    """The answer that reports these observations."""
    return Answer(id, seen.looks, seen.tried, seen.unused, seen.cards, seen.stopped)


def wire_schema() -> dict[str, Any]:
    """The JSON Schema of every line in both directions, exported as `wire.schema.json`.

    `Welcome` and `Answer`, which engines send, allow no unknown keys; later versions may add keys to what the
    suite sends.
    """
    messages = (Hello, PlayThis, Bye, Welcome, Answer)
    schema = schema_of("A line between the conformance suite and an engine's shim", *messages)
    schema["$defs"]["Welcome"]["properties"]["lacks"]["items"]["enum"] = list(FEATURES)
    return {**schema, "anyOf": [{"$ref": REF + message.__name__} for message in messages]}

"""The events of a run, as one stream: it begins, checks finish one by one, it ends.

`Session.run` yields these events. Every report (the terminal and the files of `outputs`) consumes them and
nothing else. `--json` writes each event as a line at once, so that a run that is cut off loses nothing;
docs/reports.md describes the lines. Text from an engine is sanitized here, once, on its way in: a single
printable line of limited length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, assert_never, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from conformance.data.rulebook import RULE
from conformance.files.canonical import REF, schema_of
from conformance.files.content import content_of
from conformance.model.engine import EngineInfo
from conformance.model.features import features_of
from conformance.model.printable import printable
from conformance.model.problems import Problem, ScenarioError
from conformance.model.scenario import Fixture, Origin, Play
from conformance.model.verdict import (
    Crash,
    Disputed,
    Fail,
    Hang,
    Nondeterministic,
    NotRun,
    PartOfVerdict,
    Party,
    PassVerdict,
    ProtocolBreach,
    Unsupported,
    Verdict,
    blame,
)
from conformance.play.runner import Result
from conformance.results.next_feature import GainOfFeature
from conformance.results.silence import Silence
from conformance.results.summary import Counts, counts_of, score_of

LONGEST_RUN = 256 * 1024 * 1024
"""Maximum size in bytes of a file written by `--json`; a full run takes a few megabytes."""
EVENT_FORMAT = 1
"""Increases when existing readers would misread new files; new keys and new events do not change it."""
LONGEST = 2000
"""Maximum number of characters kept of one text from an engine."""
MOST_LINES = 40
"""Maximum number of lines kept from the end of an engine's stderr."""
MOST_FEATURES = 100
"""Maximum number of features kept of those that an engine says it lacks."""

Standing = Literal["", "listed", "stale", "lost"]
"""How a result compares with the divergences file: a listed failure, a listed failure that is gone or has
changed, or a check that was played before and no longer is.
"""


class RunSelection(Struct, frozen=True):
    """What the run was asked to play; everything, if all fields are empty."""

    what: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    word: str = ""
    source: str = ""
    properties: tuple[str, ...] = ()
    """Only these properties, by name, and no fixtures."""

    def everything(self) -> bool:
        """Whether nothing was filtered out."""
        return self == RunSelection()


class RunBegan(Struct, frozen=True, tag_field="event", tag="began"):
    """A run began: the engine, the edition, the suite and the selected checks."""

    format: int
    at: str
    suite: str
    asked: str
    """The engine as named on the command line."""
    engine: EngineInfo
    edition: str
    chosen: RunSelection
    seed: int | None = None
    """Seed of the search; None without a search."""


Phase = Literal["checks", "search"]


class PhaseBegan(Struct, frozen=True, tag_field="event", tag="phase"):
    """A phase began: the next results are those of stored checks, or of the search through properties."""

    phase: Phase
    at_most: int | None = None
    """Number of checks or properties in it, if known; a few may not count in this edition."""
    seconds: float | None = None
    """Time limit of the search, if any; shrinking its counterexamples takes extra time."""


class Notice(Struct, frozen=True, tag_field="event", tag="notice"):
    """A note that is not a result: a journal is resumed, a saved counterexample is repaired."""

    says: str


class FinishedCheck(Struct, frozen=True, tag_field="event", tag="result"):
    """A check finished."""

    id: str
    name: str
    title: str
    rules: tuple[str, ...]
    verdict: Verdict
    seconds: float
    again: str
    """The command that plays it again."""
    size: int
    """Size of the scenario: number of objects, entries and actions."""
    features: tuple[str, ...]
    """The features the check needs."""
    standing: Standing = ""
    note: str = ""
    """From the divergences file: the issue, or why the result is lost or stale."""
    blame: Party | None = None
    """Who is at fault if the check did not pass, as far as the answer shows."""
    scenario: Fixture | None = None
    """The check itself if it did not pass; for a property, the counterexample."""
    examples: int = 0
    """For a property: number of cases judged."""
    found: Origin | None = None
    """For a counterexample: the property and seed that found it, and how the bug looks."""


class Likeness(Struct, frozen=True):
    """A broken engine of ours with exactly the same wrong answer."""

    mutant: str
    breaks: str
    story: str


class Diagnosis(Struct, frozen=True, tag_field="event", tag="diagnosed"):
    """Diagnosis of a failed check: where the engine departs from the rules, and which known bugs look the
    same.
    """

    id: str
    where: tuple[str, ...]
    """The first layer or action with a difference, in lines."""
    like: tuple[Likeness, ...]
    """Broken engines that answer the same; first the one that explains most of the other failures."""
    shared: bool = False
    """Whether the reference engine answers the same: then the expectation or the reference engine is wrong.
    """


class SearchEnded(Struct, frozen=True):
    """How far a search got."""

    properties: int
    """Number of properties searched."""
    examples: int
    """Number of cases judged."""
    seed: int
    seconds: float | None
    """Time limit in seconds; None if unlimited."""
    cut: int
    """Number of properties that ran out of time before all their cases were judged."""
    left: int = 0
    """Number of properties that the run did not reach."""

    def __str__(self) -> str:
        """One line for people."""
        every = self.properties + self.left
        many = "property" if every == 1 else "properties"
        searched = f"{self.properties} of {every}" if self.left else str(every)
        line = f"{searched} {many}, {self.examples:,} examples, seed {self.seed}"
        if self.cut and self.seconds is not None:
            line += f"; {self.cut} of them ran out of time after {self.seconds:g} s (--time SECONDS)"
        return line


CutShort = Literal["", "interrupted", "terminated", "maxfail"]
"""Why a run ended early: Ctrl-C, a request to terminate, enough failures; otherwise empty."""


class RunEnded(Struct, frozen=True, tag_field="event", tag="ended"):
    """A run ended: number of checks by result, and the exit code."""

    counts: Counts
    elsewhere: int
    """Number of checks left out because they do not count in this edition."""
    exit_code: int
    seconds: float
    next_feature: GainOfFeature | None = None
    says: str = ""
    """If nothing could be run because the engine did not start: why."""
    stderr: str = ""
    """Last lines of stderr of an engine that did not start."""
    search: SearchEnded | None = None
    """How far the search got, if there was one."""
    gate: tuple[str, ...] = ()
    """Messages about the list of known disagreements, one per line."""
    cut_short: CutShort = ""
    silence: Silence = Silence()
    """What the engine left unplayed, and where that looks deliberate."""


RunEvent = RunBegan | PhaseBegan | Notice | FinishedCheck | Diagnosis | RunEnded


class Run(Struct, frozen=True, dict=True):
    """A whole run, put together from its events."""

    began: RunBegan
    checked: tuple[FinishedCheck, ...]
    ended: RunEnded | None
    """None if the run was cut off."""
    diagnosed: tuple[Diagnosis, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether the run was complete: not killed, not interrupted, not stopped after enough failures."""
        return self.ended is not None and not self.ended.cut_short

    def diagnosis_of(self, id: str) -> Diagnosis | None:
        """The diagnosis of a failure, if there is one."""
        return next((one for one in self.diagnosed if one.id == id), None)

    @cached_property
    def counts(self) -> Counts:
        """Number of checks by result."""
        return counts_of(self.checked)


def whole(events: Iterable[RunEvent]) -> Run | None:
    """The run put together from events; None if it did not begin."""
    began: RunBegan | None = None
    ended: RunEnded | None = None
    checked: list[FinishedCheck] = []
    diagnosed: list[Diagnosis] = []
    for event in events:
        match event:
            case RunBegan():
                began, ended, checked, diagnosed = event, None, [], []
            case FinishedCheck():
                checked.append(event)
            case Diagnosis():
                diagnosed.append(event)
            case RunEnded():
                ended = event
            case PhaseBegan() | Notice():
                pass
            case _:
                assert_never(event)
    return Run(began, tuple(checked), ended, tuple(diagnosed)) if began else None


# ------------------------------------------------------------------------------------- making events


def begin_event(
    at: str,
    suite: str,
    asked: str,
    engine: EngineInfo,
    edition: str,
    chosen: RunSelection,
    seed: int | None = None,
) -> RunBegan:
    return RunBegan(EVENT_FORMAT, at, suite, asked, harmless_info(engine), edition, chosen, seed)


def result_event(
    result: Result,
    name: str,
    again: str,
    standing: Standing = "",
    note: str = "",
) -> FinishedCheck:
    """The event for a result."""
    fixture = result.fixture
    return FinishedCheck(
        fixture.id,
        name,
        fixture.title,
        fixture.rules,
        harmless(result.verdict),
        round(result.seconds, 6),
        again,
        size_of(fixture.play),
        tuple(sorted(features_of(fixture.play))),
        standing,
        note,
        blame(result.verdict),
        fixture if is_amiss(result.verdict) or standing else None,
        result.examples,
        fixture.found,
    )


def is_amiss(verdict: Verdict) -> bool:
    """Whether a person should look at a verdict."""
    return score_of(verdict) in ("failed", "disputed")


def size_of(play: Play) -> int:
    """Size of a scenario; of two that show the same, the smaller one is read first."""
    entries = sum(len(arrival.entries) for arrival in play.setup)
    return len(play.cards) + len(play.objects) + entries + len(play.script)


def text_of_verdict(verdict: Verdict) -> str:
    """The text of a verdict, if it is of a kind that has one."""
    match verdict:
        case Unsupported(says) | Nondeterministic(says) | NotRun(says) | Disputed(says):
            return says
        case ProtocolBreach(says) | Crash(says) | Hang(says):
            return says
        case PassVerdict() | Fail():
            return ""
        case _:
            assert_never(verdict)


# --------------------------------------------------------------------------------------- harmless


def harmless_info(info: EngineInfo) -> EngineInfo:
    """The same description of an engine, in texts that are safe to show."""
    return replace(
        info,
        name=printable(info.name, 60),
        version=printable(info.version, 60),
        edition=None if info.edition is None else printable(info.edition, 60),
        lacks=frozenset(printable(feature, 60) for feature in sorted(info.lacks)[:MOST_FEATURES]),
    )


def harmless(verdict: Verdict) -> Verdict:
    """The same verdict, in texts that are safe to show."""
    match verdict:
        case PassVerdict(parts) | Fail(parts):
            return replace(verdict, parts=harmless_parts(parts))
        case Unsupported(says, parts):
            return Unsupported(printable(says, LONGEST), harmless_parts(parts))
        case Disputed(why, otherwise, parts):
            return Disputed(printable(why, LONGEST), otherwise, harmless_parts(parts))
        case ProtocolBreach(says, stderr) | Crash(says, stderr) | Hang(says, stderr):
            return replace(verdict, says=printable(says, LONGEST), stderr=harmless_stderr(stderr))
        case Nondeterministic(says):
            return Nondeterministic(printable(says, LONGEST))
        case NotRun(why):
            return NotRun(printable(why, LONGEST))
        case _:
            assert_never(verdict)


def harmless_text(text: str) -> str:
    """The text, made printable and cut to a limited length."""
    return printable(text, LONGEST)


def harmless_stderr(stderr: str) -> str:
    """The last lines of an engine's stderr, made safe to show."""
    return "\n".join(printable(line) for line in stderr.splitlines()[-MOST_LINES:])


def harmless_parts(parts: Sequence[PartOfVerdict]) -> tuple[PartOfVerdict, ...]:
    """The same parts, with observed values that are safe to show."""
    return tuple(replace(part, observed=printable(part.observed, LONGEST)) for part in parts)


# ---------------------------------------------------------------------------------------- as lines


def line(event: RunEvent) -> bytes:
    """An event as one line of JSON; sets are sorted."""
    return msgspec.json.encode(event, order="deterministic") + b"\n"


def events_schema() -> dict[str, Any]:
    """The JSON Schema of an event (`events.schema.json` in an export). Later versions may add keys."""
    schema = schema_of("A line that `conformance run --json` writes", *get_args(RunEvent))
    return {**schema, "anyOf": [{"$ref": REF + event.__name__} for event in get_args(RunEvent)]}


def events_in(content: bytes, path: str) -> list[RunEvent]:
    """The events in a file written by `--json`. Raises `ScenarioError` if it is not such a file.

    Skips an incomplete last line, which a run leaves when it is killed, and events of kinds that only later
    versions know.
    """
    lines = content.split(b"\n")
    torn = lines.pop()
    events: list[RunEvent] = []
    for number, text in enumerate(lines, 1):
        event = event_in(text, path, number)
        if event:
            events.append(event)
    if not events or not isinstance(events[0], RunBegan):
        what = "no events in it" if not torn or events else "not even one whole line"
        raise ScenarioError(
            [Problem(path, 0, 0, "", what, "name a file that `conformance run --json FILE` wrote")]
        )
    return events


EVENT_KINDS = frozenset(str(event.__struct_config__.tag) for event in get_args(RunEvent))


class EventHeading(Struct):
    """The keys that every event begins with."""

    event: str
    format: int = EVENT_FORMAT


def event_in(text: bytes, path: str, number: int) -> RunEvent | None:
    """The event on one line; None if it is of an unknown kind."""
    try:
        heading = msgspec.json.decode(text, type=EventHeading)
        if heading.format > EVENT_FORMAT:
            raise msgspec.ValidationError(f"format {heading.format} is newer than this suite")
        if heading.event not in EVENT_KINDS:
            return None
        event: RunEvent = msgspec.json.decode(text, type=RunEvent)
        for rule in event.rules if isinstance(event, FinishedCheck) else ():
            if not RULE.fullmatch(rule):
                raise msgspec.ValidationError(f"{rule!r} is not a rule number - at `$.rules`")
        return event
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        cure = "name a file that `conformance run --json FILE` of this suite, or of an older one, wrote"
        raise ScenarioError([Problem(path, number, 1, "", printable(str(error)), cure)]) from None


def read_run(path: Path) -> Run:
    """The run in a file written by `--json`. Raises `ScenarioError` if it is not such a file."""
    run = whole(
        events_in(content_of(path, most=LONGEST_RUN, cure="name a file that `--json` wrote"), str(path))
    )
    assert run is not None  # `events_in` requires `RunBegan` to come first
    return run

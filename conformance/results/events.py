"""What happens in a run, as one stream of events: it begins, checks come out one by one, it ends.

`Session.run` yields these events. Everything that shows a run consumes them and nothing else: the terminal
and the files of `outputs`. `--json` writes each as a line at once, so that nothing that was known is lost
when a run is cut off; docs/reports.md describes the lines. What an engine said is made harmless here, once,
on its way in: one line a text, nothing unprintable, of limited length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, assert_never, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

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
    Part,
    Party,
    Pass,
    Protocol,
    Unsupported,
    Verdict,
    blame,
)
from conformance.play.runner import Result
from conformance.results.next_feature import Gain
from conformance.results.silence import Silence
from conformance.results.summary import Counts, counted, score_of

LONGEST_RUN = 256 * 1024 * 1024
"""The most bytes of a run that `--json` wrote: a whole one has some megabytes."""
FORMAT = 1
"""Goes up when a reader that was right would stop being right; new keys and new events do not change it."""
LONGEST = 2000
"""Number of characters kept of one text of an engine."""
MOST_LINES = 40
"""Number of last lines kept of an engine's stderr."""
MOST_FEATURES = 100
"""Number of features kept that an engine says it lacks."""

Standing = Literal["", "listed", "stale", "lost"]
"""How a result stands to the divergences file: a failure it lists; one that it lists and that is gone or
fails in another way; a check that was played before and now is not."""


class Chosen(Struct, frozen=True):
    """What was to be played; all of it empty stands for everything."""

    what: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    word: str = ""
    source: str = ""
    properties: tuple[str, ...] = ()
    """Only these properties, by name, and no fixture."""

    def everything(self) -> bool:
        """Whether nothing was left out."""
        return self == Chosen()


class RunBegan(Struct, frozen=True, tag_field="event", tag="began"):
    """A run began: who is asked, by which rules, by which suite, and what."""

    format: int
    at: str
    suite: str
    asked: str
    """The engine as it was named on the command line."""
    engine: EngineInfo
    edition: str
    chosen: Chosen
    seed: int | None = None
    """The seed of the search; none if there is no search."""


Phase = Literal["checks", "search"]


class PhaseBegan(Struct, frozen=True, tag_field="event", tag="phase"):
    """The next results are those of stored checks, or those of the search through properties."""

    phase: Phase
    at_most: int | None = None
    """The number of checks or properties in it, if it is known; a few may be about other editions."""
    seconds: float | None = None
    """The time a search has, if it is limited; making its finds smaller comes on top."""


class Notice(Struct, frozen=True, tag_field="event", tag="notice"):
    """Something a person should know that is no result: a journal goes on, a find is mended."""

    says: str


class Checked(Struct, frozen=True, tag_field="event", tag="result"):
    """A check came out."""

    id: str
    name: str
    title: str
    rules: tuple[str, ...]
    verdict: Verdict
    seconds: float
    again: str
    """The command that plays it again."""
    size: int
    """How much there is in the scenario: objects, entries, actions."""
    features: tuple[str, ...]
    """The features it needs."""
    standing: Standing = ""
    note: str = ""
    """What the divergences file says of it: the issue, why it is lost or stale."""
    blame: Party | None = None
    """Whose doing it is that something is amiss, as far as the answer can tell."""
    scenario: Fixture | None = None
    """The whole check, if something is amiss with it; of a property, what shows that."""
    examples: int = 0
    """Of a property: the number of cases judged."""
    found: Origin | None = None
    """Of a counterexample: which property found it, with which seed, and how the bug looks."""


class Likeness(Struct, frozen=True):
    """A broken engine of ours that does exactly the same here."""

    mutant: str
    breaks: str
    story: str


class Diagnosed(Struct, frozen=True, tag_field="event", tag="diagnosed"):
    """Where an engine parts with the rules in a check that failed, and what it looks like."""

    id: str
    where: tuple[str, ...]
    """The first layer or the first thing done that is different, in lines."""
    like: tuple[Likeness, ...]
    """What does exactly the same here; first what explains most of what else failed."""
    shared: bool = False
    """Whether our reference engine shows the same: then the expectation is at fault, or we are."""


class SearchEnded(Struct, frozen=True):
    """How far a search came."""

    properties: int
    """The number of properties that were searched."""
    examples: int
    """The number of cases judged."""
    seed: int
    seconds: float | None
    """The time it had; none if it was not limited."""
    cut: int
    """The number of properties for which the time was up before all their cases were judged."""
    left: int = 0
    """The number of properties that the run did not come to."""

    def __str__(self) -> str:
        """In a line."""
        every = self.properties + self.left
        many = "property" if every == 1 else "properties"
        searched = f"{self.properties} of {every}" if self.left else str(every)
        line = f"{searched} {many}, {self.examples:,} examples, seed {self.seed}"
        if self.cut and self.seconds is not None:
            line += f"; after {self.seconds:g} s the time was up for {self.cut} of them (--time SECONDS)"
        return line


CutShort = Literal["", "interrupted", "terminated", "maxfail"]
"""Why a run ended before all was played: Ctrl-C, a request to terminate, enough failures; else empty."""


class RunEnded(Struct, frozen=True, tag_field="event", tag="ended"):
    """A run ended: how many checks came out in each way, and what follows from that."""

    counts: Counts
    elsewhere: int
    """How many checks were left out because they are about other editions."""
    exit_code: int
    seconds: float
    next_feature: Gain | None = None
    says: str = ""
    """Why there was nothing to be run, if there was not: the engine did not start."""
    stderr: str = ""
    """What an engine that did not start wrote for people, to its last line."""
    search: SearchEnded | None = None
    """How far the search came, if there was one."""
    gate: tuple[str, ...] = ()
    """What there is to say of the list of known disagreements, a line each."""
    cut_short: CutShort = ""
    silence: Silence = Silence()
    """What the engine left unplayed, and where that looks chosen."""


Event = RunBegan | PhaseBegan | Notice | Checked | Diagnosed | RunEnded


class Run(Struct, frozen=True, dict=True):
    """A whole run, as its events tell of it."""

    began: RunBegan
    checked: tuple[Checked, ...]
    ended: RunEnded | None
    """None if it was cut off."""
    diagnosed: tuple[Diagnosed, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether it was not cut off: not from outside, not by Ctrl-C, not after enough failures."""
        return self.ended is not None and not self.ended.cut_short

    def diagnosis_of(self, id: str) -> Diagnosed | None:
        """What is made of a failure, if anything."""
        return next((one for one in self.diagnosed if one.id == id), None)

    @cached_property
    def counts(self) -> Counts:
        """How many checks came out in each way."""
        return counted(self.checked)


def whole(events: Iterable[Event]) -> Run | None:
    """The run that events tell of; none if it did not even begin."""
    began: RunBegan | None = None
    ended: RunEnded | None = None
    checked: list[Checked] = []
    diagnosed: list[Diagnosed] = []
    for event in events:
        match event:
            case RunBegan():
                began, ended, checked, diagnosed = event, None, [], []
            case Checked():
                checked.append(event)
            case Diagnosed():
                diagnosed.append(event)
            case RunEnded():
                ended = event
            case PhaseBegan() | Notice():
                pass
            case _:
                assert_never(event)
    return Run(began, tuple(checked), ended, tuple(diagnosed)) if began else None


# -------------------------------------------------------------------------------------- their making


def begin_event(
    at: str, suite: str, asked: str, engine: EngineInfo, edition: str, chosen: Chosen, seed: int | None = None
) -> RunBegan:
    """A run begins."""
    return RunBegan(FORMAT, at, suite, asked, harmless_info(engine), edition, chosen, seed)


def result_event(result: Result, name: str, again: str, standing: Standing = "", note: str = "") -> Checked:
    """A check came out."""
    fixture = result.fixture
    return Checked(
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
    """Whether a verdict is one that a person looks at."""
    return score_of(verdict) in ("failed", "disputed")


def size_of(play: Play) -> int:
    """How much there is in a scenario; of two that show the same, the smaller one is read first."""
    entries = sum(len(arrival.entries) for arrival in play.setup)
    return len(play.cards) + len(play.objects) + entries + len(play.script)


def said_of(verdict: Verdict) -> str:
    """What an engine said, or was said of it, in the verdicts that have such a text."""
    match verdict:
        case Unsupported(says) | Nondeterministic(says) | NotRun(says) | Disputed(says):
            return says
        case Protocol(says) | Crash(says) | Hang(says):
            return says
        case Pass() | Fail():
            return ""
        case _:
            assert_never(verdict)


# --------------------------------------------------------------------------------------- harmless


def harmless_info(info: EngineInfo) -> EngineInfo:
    """Who an engine says it is, in texts that can be shown anywhere."""
    return replace(
        info,
        name=printable(info.name, 60),
        version=printable(info.version, 60),
        edition=None if info.edition is None else printable(info.edition, 60),
        lacks=frozenset(printable(feature, 60) for feature in sorted(info.lacks)[:MOST_FEATURES]),
    )


def harmless(verdict: Verdict) -> Verdict:
    """The same verdict, with every text such that it can be shown anywhere."""
    match verdict:
        case Pass(parts) | Fail(parts):
            return replace(verdict, parts=harmless_parts(parts))
        case Unsupported(says, parts):
            return Unsupported(printable(says, LONGEST), harmless_parts(parts))
        case Disputed(why, otherwise, parts):
            return Disputed(printable(why, LONGEST), otherwise, harmless_parts(parts))
        case Protocol(says, stderr) | Crash(says, stderr) | Hang(says, stderr):
            return replace(verdict, says=printable(says, LONGEST), stderr=harmless_stderr(stderr))
        case Nondeterministic(says):
            return Nondeterministic(printable(says, LONGEST))
        case NotRun(why):
            return NotRun(printable(why, LONGEST))
        case _:
            assert_never(verdict)


def harmless_text(text: str) -> str:
    """A text such that it can be shown anywhere."""
    return printable(text, LONGEST)


def harmless_stderr(stderr: str) -> str:
    """The last lines of what an engine wrote for people, such that they can be shown anywhere."""
    return "\n".join(printable(line) for line in stderr.splitlines()[-MOST_LINES:])


def harmless_parts(parts: Sequence[Part]) -> tuple[Part, ...]:
    """The same parts, with what was observed such that it can be shown anywhere."""
    return tuple(replace(part, observed=printable(part.observed, LONGEST)) for part in parts)


# ---------------------------------------------------------------------------------------- as lines


def line(event: Event) -> bytes:
    """An event as one line of JSON; sets are sorted."""
    return msgspec.json.encode(event, order="deterministic") + b"\n"


def events_schema() -> dict[str, Any]:
    """The JSON Schema of such a line; `events.schema.json` of the export. Later suites may add keys."""
    schema = schema_of("A line that `conformance run --json` writes", *get_args(Event))
    return {**schema, "anyOf": [{"$ref": REF + event.__name__} for event in get_args(Event)]}


def events_in(content: bytes, path: str) -> list[Event]:
    """The events in a file that `--json` wrote. Raises `ScenarioError` if it is none.

    A last line that was cut off is what a run leaves that was ended from outside; it is passed over.
    Events that a later suite may know are passed over too.
    """
    lines = content.split(b"\n")
    torn = lines.pop()
    events: list[Event] = []
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


KINDS = frozenset(str(event.__struct_config__.tag) for event in get_args(Event))


class Heading(Struct):
    """What every event begins with."""

    event: str
    format: int = FORMAT


def event_in(text: bytes, path: str, number: int) -> Event | None:
    """The event on one line; none if it is of a kind that we do not know."""
    try:
        heading = msgspec.json.decode(text, type=Heading)
        if heading.format > FORMAT:
            raise msgspec.ValidationError(f"format {heading.format} is newer than this suite")
        if heading.event not in KINDS:
            return None
        event: Event = msgspec.json.decode(text, type=Event)
        return event
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        cure = "name a file that `conformance run --json FILE` of this suite, or of an older one, wrote"
        raise ScenarioError([Problem(path, number, 1, "", printable(str(error)), cure)]) from None


def run_in(path: Path) -> Run:
    """The run in a file that `--json` wrote. Raises `ScenarioError` if it is none."""
    run = whole(
        events_in(content_of(path, most=LONGEST_RUN, cure="name a file that `--json` wrote"), str(path))
    )
    assert run is not None  # it begins with `RunBegan`
    return run

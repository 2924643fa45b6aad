"""Finds the first problem of an engine's connection, climbing a ladder of ten rungs step by step.

Each step is a tiny scenario in `ladder/`. Its id shows its rung (D-0305: the third), and its note says who is
usually at fault for a wrong answer and what to do. Steps that the engine says it cannot play are skipped. The
first wrong answer ends the examination after a second look: does our own engine get the step right, and does
the engine give the same answer in a fresh process, and twice?
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from conformance.data.rulebook import newest_edition
from conformance.files.canonical import encode
from conformance.files.fixture_file import read_fixture
from conformance.files.yaml_tree import tree_of
from conformance.model.engine import CannotPlay, Engine, EngineFailure, EngineInfo, close
from conformance.model.features import RUNGS, features_of
from conformance.model.observation import Observations
from conformance.model.printable import printable
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture
from conformance.model.verdict import Fail, PassVerdict, Unsupported, Verdict, judge
from conformance.play.introduction import problems_of
from conformance.play.runner import answer_to
from conformance.results.unsupported import UnsupportedReason, by_frequency, lines_of_reasons, reason_of
from conformance.wording import scenario_text
from reference_engine.language.cards import Card
from reference_engine.language.words import STEPS

StepOutcome = Literal["right", "unsupported", "wrong"]
ExaminedParty = Literal["engine", "shim", "command", "suite"]

PLAINS = Card("Plains", frozenset({"Land"}), supertypes=frozenset({"Basic"}), subtypes=frozenset({"Plains"}))
"""The only real card of the ladder: libraries consist of it."""


class StepFinding(Struct, frozen=True):
    """The finding of one step of the examination."""

    outcome: StepOutcome
    what: str
    rung: int = 0
    """The rung of the step; 0 before and after the ladder."""
    says: tuple[str, ...] = ()
    """What was observed, and for a problem, its cause."""
    whose: ExaminedParty | None = None
    cure: str = ""
    step: Fixture | None = None
    reason: str = ""
    """Why the step is unsupported, without details of this step."""


class Health(Struct, frozen=True):
    """The result of an examination."""

    reached: int
    """The highest rung up to which nothing is missing."""
    next_rung: int | None
    """The rung after that one, if there is one."""
    missing: tuple[StepFinding, ...]
    """Findings on the next rung that are unsupported or wrong."""
    ill: StepFinding | None
    """The problem, if there is one."""
    unsupported: tuple[UnsupportedReason, ...] = ()
    """Reasons for unsupported steps, most frequent first."""


# ------------------------------------------------------------------------------------- the ladder


@cache
def ladder() -> tuple[Fixture, ...]:
    """The steps, in order."""
    steps = []
    for path in sorted((Path(__file__).parent.parent / "ladder").glob("*.yaml")):
        loaded, problems = read_fixture(tree_of(path.read_bytes(), path.name), path.name, {"Plains": PLAINS})
        if problems or loaded is None:
            raise ScenarioError(problems)
        steps.append(loaded.fixture)
    return tuple(steps)


def rung_of(step: Fixture) -> int:
    """The rung of a step: the first two digits of its id."""
    return int(step.id[2:4])


def party_at_fault(step: Fixture) -> tuple[ExaminedParty, str]:
    """Who is usually at fault for a wrong answer to a step, and what to do: `shim: …`, `engine: …`."""
    party, _, cure = step.note.partition(": ")
    return ("shim" if party == "shim" else "engine"), cure


# -------------------------------------------------------------------------------- the examination


def examination(
    engine: Engine, fresh: Callable[[], Engine], ours: Callable[[], Engine], steps: Sequence[Fixture] = ()
) -> Iterator[StepFinding]:
    """Yield the findings one by one; the first problem is the last.

    `fresh` starts the engine anew, in a process of its own if it has one; `ours` makes the reference engine,
    and is needed only if there is a problem. `steps` defaults to the whole ladder.
    """
    greeting = greet_engine(engine)
    yield greeting.found
    if greeting.info is None:
        return
    patient = Patient(engine, fresh, ours, greeting.info)
    for examine in (
        patient.check_introduction,
        lambda: patient.play_steps(steps or ladder()),
        patient.check_repetition,
    ):
        for found in examine():
            yield found
            if found.outcome == "wrong":
                return
    yield from patient.check_declared_gaps()


class Greeting(Struct, frozen=True):
    """The result of saying hello."""

    found: StepFinding
    info: EngineInfo | None


def greet_engine(engine: Engine) -> Greeting:
    """Start the engine, and ask for its name."""
    what = "it starts and introduces itself"
    try:
        info = engine.describe()
    except Exception as error:  # any failure of the engine becomes a finding
        failure = (
            error
            if isinstance(error, EngineFailure)
            else EngineFailure("crash", f"{type(error).__name__}: {error}")
        )
        whose, cure = blame_at_the_start(failure)
        return Greeting(StepFinding("wrong", what, 0, failure_lines(failure), whose, cure), None)
    edition = f"rules of {info.edition}" if info.edition else "rules of no particular date"
    return Greeting(StepFinding("right", what, 0, (f"{info.name} {info.version}", edition)), info)


HELLO = '{"protocol":1,"say":"hello","suite":"0"}'


def blame_at_the_start(failure: EngineFailure) -> tuple[ExaminedParty, str]:
    """Who is at fault if an engine does not even report its name, and what to do."""
    match failure.kind:
        case "protocol" if failure.cure:
            return "shim", failure.cure
        case _ if failure.cure:
            return "engine", failure.cure
        case "crash" if "cannot be started" in failure.says:
            return "command", "run the command by itself in this folder; give the program's full path"
        case "crash":
            return "engine", f"run the command by itself and type {HELLO}; what it writes to stderr says why"
        case "hang":
            return (
                "shim",
                "answer `hello` with one line at once, end it with a newline, and flush stdout after each "
                "line: most languages buffer output to a pipe",
            )
        case _ if "speaks protocol" in failure.says:
            return "shim", "`conformance docs protocol` says which version is spoken"
        case _:
            return (
                "shim",
                "stdout is only for answers, one JSON object per line, with the keys of "
                "`conformance docs protocol`; "
                "send logs and banners to stderr",
            )


def failure_lines(failure: EngineFailure) -> tuple[str, ...]:
    """The message of a failure, and the last lines of the engine's stderr."""
    return (failure.says, *(f"stderr: {line}" for line in failure.stderr.splitlines()[-5:]))


class Patient:
    """An engine under examination, and its answers so far."""

    def __init__(
        self, engine: Engine, fresh: Callable[[], Engine], ours: Callable[[], Engine], info: EngineInfo
    ) -> None:
        self.engine = engine
        self.fresh = fresh
        self.ours = ours
        self.info = info
        self.edition = info.edition or newest_edition()
        self.answers: dict[str, tuple[Fixture, Observations]] = {}
        self.right: list[Fixture] = []

    # ------------------------------------------------------------------------- how it introduces itself

    def check_introduction(self) -> Iterator[StepFinding]:
        """Check the engine's description of itself."""
        wrong = "".join(problems_of(self.info)[:1])
        what = "its description of itself is valid"
        if wrong:
            yield StepFinding(
                "wrong", what, 0, (wrong,), "shim", "`conformance docs protocol` lists its words"
            )
        else:
            lacks = f"lacks {', '.join(sorted(self.info.lacks))}" if self.info.lacks else "lacks nothing"
            stops = self.info.steps_with_priority
            only = f"; gives priority only in: {', '.join(s for s in STEPS if s in stops)}" if stops else ""
            takes = f"takes cards {' or '.join(sorted(self.info.takes))}"
            yield StepFinding("right", what, 0, (f"{takes}; {lacks}{only}",))

    def check_declared_gaps(self) -> Iterator[StepFinding]:
        """Report features that the engine says it lacks but plays."""
        denied = sorted({f for step in self.right for f in features_of(step.play)} & self.info.lacks)
        if denied:
            what = "the features it lacks are missing"
            cure = "remove working features from `lacks`: the suite does not test those listed there"
            yield StepFinding("wrong", what, 0, (f"it plays this anyway: {', '.join(denied)}",), "shim", cure)

    # -------------------------------------------------------------------------------------- the ladder

    def play_steps(self, steps: Iterable[Fixture]) -> Iterator[StepFinding]:
        """Play each step."""
        for step in steps:
            answer = answer_to(self.engine, step.play)
            verdict = self.verdict(step, answer)
            if isinstance(answer, Observations):
                self.answers[step.id] = (step, answer)
            yield self.finding_for(step, verdict)

    def verdict(self, step: Fixture, answer: Observations | CannotPlay | EngineFailure) -> Verdict:
        """The verdict on an answer to a step."""
        priority_in = self.info.steps_with_priority
        return judge(step, answer, self.edition, checks_understanding=True, steps_with_priority=priority_in)

    def finding_for(self, step: Fixture, verdict: Verdict) -> StepFinding:
        """The finding for a verdict."""
        rung = rung_of(step)
        match verdict:
            case PassVerdict():
                self.right.append(step)
                return StepFinding("right", step.title, rung, step=step)
            case Unsupported(says):
                reason = reason_of(verdict)
                return StepFinding("unsupported", step.title, rung, (says,), step=step, reason=reason)
            case _:
                whose, cure = self.second_look(step, verdict)
                return StepFinding("wrong", step.title, rung, lines_of(verdict), whose, cure, step)

    def second_look(self, step: Fixture, verdict: Verdict) -> tuple[ExaminedParty, str]:
        """Who is at fault for a wrong answer, and what to do."""
        if not isinstance(self.verdict(step, answer_to(self.ours(), step.play)), PassVerdict):
            return "suite", "our own engine gets this wrong too: please report it, with this output"
        if not isinstance(verdict, Fail):
            return blame_for_no_answer(verdict)
        again = [answer_to(self.engine, step.play) for _ in range(2)]
        alone = self.fresh_answer(step)
        if isinstance(self.verdict(step, alone), PassVerdict):
            return "engine", (
                "in a fresh process the answer is right: earlier scenarios leave state behind; "
                "start each with a new game, and keep no static state"
            )
        if len({fingerprint(answer) for answer in (*again, alone)}) > 1:
            return (
                "engine",
                "the answer changes from play to play: does it use a clock or randomness?",
            )
        return party_at_fault(step)

    def fresh_answer(self, step: Fixture) -> Observations | CannotPlay | EngineFailure:
        """The answer of a fresh engine to this step alone."""
        engine = self.fresh()
        try:
            return answer_to(engine, step.play)
        finally:
            close(engine)

    # ------------------------------------------------------------------------------ the same once more

    def check_repetition(self) -> Iterator[StepFinding]:
        """Check that the engine gives the same answers again, in reverse order and in a fresh process."""
        yield self.compare_answers(
            "it gives the same answers again, in the opposite order", self.engine, reverse=True
        )
        fresh = self.fresh()
        try:
            yield self.compare_answers("it gives the same answers in a fresh process", fresh, reverse=False)
        finally:
            close(fresh)

    def compare_answers(self, what: str, engine: Engine, reverse: bool) -> StepFinding:
        """Check that every answer is the same as before."""
        known = list(self.answers.values())
        for step, before in reversed(known) if reverse else known:
            now = answer_to(engine, step.play)
            if fingerprint(now) != fingerprint(before):
                return StepFinding(
                    "wrong", what, 0, both_answers(step, before, now), *self.why_changed(step), step
                )
        return StepFinding("right", what, 0, (f"{len(known)} scenarios",))

    def why_changed(self, step: Fixture) -> tuple[ExaminedParty, str]:
        """Why an answer changed: chance, or state left over from another scenario."""
        alone = {fingerprint(self.fresh_answer(step)) for _ in range(2)}
        if len(alone) > 1:
            return (
                "engine",
                "the same scenario gets two different answers: does it use a clock or randomness?",
            )
        return "engine", (
            "one scenario leaves state behind for the next: "
            "start each with a new game, and keep no static state"
        )


def blame_for_no_answer(verdict: Verdict) -> tuple[ExaminedParty, str]:
    """Who is at fault if there is no answer to judge, and what to do."""
    match verdict.__struct_config__.tag:
        case "protocol":
            return "shim", (
                "`conformance docs protocol` describes a valid answer; `conformance export DIR` writes "
                "wire.schema.json, which you can validate yours against"
            )
        case "hang":
            return "engine", "answer `unsupported` where you would loop, and flush stdout after each line"
        case _:
            return "engine", (
                'catch what your engine throws and answer {"id": …, "error": …}, so that the next '
                "scenario can be played"
            )


def lines_of(verdict: Verdict) -> tuple[str, ...]:
    """The problem in a few lines: expected and observed values, or the error message."""
    match verdict:
        case Fail(parts):
            return tuple(
                line
                for part in parts
                if part.outcome == "fail"
                for line in (
                    f"{part.about}, {part.when}: {part.key}",
                    f"  expected  {part.expected}",
                    f"  observed  {part.observed}",
                    *([f"  {part.because}"] if part.because else []),
                )
            )
        case _:
            says = str(getattr(verdict, "says", ""))
            stderr = str(getattr(verdict, "stderr", ""))
            return (says, *(f"stderr: {line}" for line in stderr.splitlines()[-5:]))


def both_answers(
    step: Fixture, before: Observations, now: Observations | CannotPlay | EngineFailure
) -> tuple[str, ...]:
    """Two answers, one below the other."""
    return (f"{step.id}, {step.title}:", f"  before  {fingerprint(before)}", f"  now     {fingerprint(now)}")


def fingerprint(answer: Observations | CannotPlay | EngineFailure) -> str:
    """An answer as comparable text."""
    return encode(answer).decode() if isinstance(answer, Observations) else str(answer)


# ------------------------------------------------------------------------------------ the outcome


def health(found: Sequence[StepFinding]) -> Health:
    """The result of an examination: the rung reached, and what is missing on the next."""
    ill = next((one for one in found if one.outcome == "wrong"), None)
    amiss = [one for one in found if one.rung and one.outcome != "right"]
    seen = max((one.rung for one in found), default=0)
    reached = min((one.rung for one in amiss), default=seen + 1) - 1
    next_rung = reached + 1 if reached < len(RUNGS) else None
    missing = tuple(one for one in amiss if one.rung == next_rung)
    unsupported = by_frequency(one.reason for one in found if one.outcome == "unsupported")
    return Health(reached, next_rung, missing, ill, tuple(unsupported))


# -------------------------------------------------------------------------------------- in words

WORD: Mapping[StepOutcome, str] = {"right": "ok", "unsupported": "unsupported", "wrong": "WRONG"}
FAULT_OF: Mapping[ExaminedParty, str] = {
    "engine": "most likely your engine's fault",
    "shim": "most likely the fault of your shim, the part between engine and suite",
    "command": "a problem with the command: nothing has run yet",
    "suite": "our doing",
}


def lines_of_found(found: StepFinding, rung_before: int) -> Iterator[str]:
    """A finding in words, below the name of its rung if it is the first of that rung."""
    if found.rung and found.rung != rung_before:
        yield f"rung {found.rung}: {RUNGS[found.rung - 1]}"
    indent = "  " if found.rung else ""
    where = f"{found.step.id}  " if found.step and found.rung else ""
    if found.outcome != "wrong":
        says = f": {'; '.join(printable(line) for line in found.says)}" if found.says else ""
        yield f"{indent}{WORD[found.outcome]:11}  {where}{found.what}{says}"
        return
    yield f"{indent}{WORD[found.outcome]:11}  {where}{found.what}"
    yield from (f"      {'  ' * line.startswith('  ')}{printable(line).strip()}" for line in found.says)
    if found.whose:
        yield f"    This is {FAULT_OF[found.whose]}."
    yield from textwrap.wrap(found.cure, 100, initial_indent="    ", subsequent_indent="    ")
    if found.step:
        yield "    The scenario:"
        yield from (
            f"      {line}".rstrip() for line in scenario_text(replace(found.step, note="")).splitlines()
        )
        yield f"    To see what the suite sends: conformance doctor --lines {found.step.id}"


def lines_of_health(health: Health) -> Iterator[str]:
    """The last lines: the rung reached, and what the engine needs for the next."""
    reached = f", {RUNGS[health.reached - 1]}" if health.reached else ""
    yield f"reached rung {health.reached} of {len(RUNGS)}{reached}"
    if health.next_rung and health.missing:
        yield f"next is rung {health.next_rung}, {RUNGS[health.next_rung - 1]}:"
        for missing in health.missing:
            if missing.step:
                yield f"  {missing.step.id}  {missing.what}"
    yield from lines_of_reasons(health.unsupported)


def step_called(id: str) -> Fixture | None:
    """The step with this id."""
    return next((step for step in ladder() if step.id == id), None)

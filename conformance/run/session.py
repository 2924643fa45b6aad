"""One graded run: its plan, how its checks are played, and its conclusion.

It connects modules that each do one thing: the settings (`config`), the probe before grading (`probe`), the
journal, engines that run in parallel (`runner`), and the list of known disagreements (`standing`,
`divergences`). `Session.run` yields the events of the run; it does not know who shows them, or how.
"""

from __future__ import annotations

import shlex
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain
from math import isinf
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import replace

from conformance.data.library import load
from conformance.data.rulebook import edition_in_force, newest_edition
from conformance.gate.config import DIVERGENCES, Config, Settings, chosen_engine, relative_path
from conformance.gate.divergences import divergences_in, write
from conformance.gate.standing import (
    Divergences,
    GateResult,
    GradedResult,
    compare_with_list,
    excesses_in,
    exit_code_of,
    is_id_of_property,
    lines_of_gate,
    reason_not_to_renew,
    renewed_list,
    standing_of,
)
from conformance.model.engine import Engine, EngineFailure, EngineInfo, suite_version
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play
from conformance.model.verdict import Fail, PassVerdict
from conformance.play.introduction import introduction_of
from conformance.play.journal import (
    JOURNAL_FOLDER,
    JOURNAL_FORMAT,
    Journal,
    JournalError,
    JournalHeading,
    journal_path,
)
from conformance.play.probe import Inconsistency, with_probe
from conformance.play.runner import Check, FixtureCheck, Grading, Result, Runner, has_expectations
from conformance.play.selection import (
    SelectedCheck,
    every_property,
    generated_scenarios,
    is_selected,
    is_stored,
    number_of_checks,
    selected_fixtures,
    selected_properties,
)
from conformance.results import events
from conformance.results.causes import failures_by_cause, needs_attention
from conformance.results.events import CutShort, RunEvent, RunSelection
from conformance.results.next_feature import GainOfFeature, most_gained
from conformance.results.silence import Silence, silence_of
from conformance.results.summary import (
    INTERRUPTED,
    NO_ENGINE,
    REFUSED,
    TERMINATED,
    Counts,
    counts_of,
    score_of,
)
from conformance.search.effort import EFFORTS, USUAL_SEARCH, Effort, SearchOptions
from conformance.search.found import StoredCounterexample, counterexample_name, counterexamples_in, folder_of

if TYPE_CHECKING:
    from conformance.checks.names import KnownNames
    from conformance.search.law_checks import JudgedEngine, PropertySearch

UPDATE = "--update-divergences"


class Refusal(Exception):
    """The request makes no sense; the message says why, and what to do."""


class Plan(Struct, frozen=True):
    """Everything that determines a run."""

    name: str
    """The engine's name, from the command line or the configuration."""
    settings: Settings
    chosen: RunSelection
    home: Path
    """The folder for the journal."""
    update: bool
    resume: bool
    listed_in: Path | None
    """Path of the list of known disagreements, which may not exist yet."""
    may_be_missing: bool
    """Whether the list may be missing: it was not named on the command line, or this run writes it."""
    command: tuple[str, ...]
    """The command for the same engine and options, without the selection of checks."""
    list_options: tuple[str, ...] = ()
    """Additional options for the command that rewrites the list of known disagreements."""
    effort: Effort | None = None
    """How hard to search; None to play only stored checks."""
    most_failures: int | None = None
    """Number of failures after which the run ends."""
    beside: KnownNames | None = None
    """What files of the user's own may refer to; None if that is our cards and rules."""

    def replay_command(self, *what: str) -> str:
        """The command that plays something again in the same way."""
        return shlex.join([*self.command, *what])


class ComparisonEngine(Protocol):
    """The engine whose answers are the correct ones."""

    @property
    def is_newest(self) -> bool:
        """Whether its rules are equivalent to those of the newest edition."""

    def play(self, play: Play, /) -> Observations:
        """The correct answer."""


def plan(
    config: Config,
    engine: str | None,
    settings: Settings,
    chosen: RunSelection,
    command: tuple[str, ...],
    *,
    update: bool = False,
    resume: bool = False,
    asking: SearchOptions = USUAL_SEARCH,
    most_failures: int | None = None,
    beside: KnownNames | None = None,
) -> Plan:
    """The plan for these arguments, completed from the configuration. Raises `Refusal` or `NoEngine`."""
    profile = settings.profile or config.settings.profile
    gated = UPDATE if update else "--profile gate" if profile == "gate" else ""
    name = chosen_engine(engine, config, because=gated)
    said = settings.with_defaults(config.settings_for(name))
    home = config.path.parent if config.path else Path.cwd()
    if update and not (chosen.everything() and most_failures is None):
        raise Refusal(
            f"{UPDATE}: only part of it would be played\n    leave out the options that select checks"
        )
    if update and resume:
        # The earlier verdicts may be of another build of the engine.
        raise Refusal(f"{UPDATE} with --resume: a list is made from one whole run\n    leave one of them out")
    usual = EFFORTS.get(said.profile or "quick")
    if usual is None and (chosen.properties or asking != USUAL_SEARCH):
        raise Refusal(
            "--profile gate does not search: it plays stored checks only\n    leave out the search options"
        )
    # A recording can answer only what was asked when it was made.
    effort = asking.with_defaults(usual) if usual and not name.startswith("recorded:") else None
    listed_in = said.divergences or (home / DIVERGENCES if update else None)
    may_be_missing = update or settings.divergences is None
    by: tuple[str, ...] = ("--profile", settings.profile) if settings.profile else ()
    by += ("--divergences", str(settings.divergences)) if settings.divergences else ()
    return Plan(
        name,
        said,
        chosen,
        home,
        update,
        resume,
        listed_in,
        may_be_missing,
        command,
        by,
        effort,
        most_failures,
        beside,
    )


def events_before_any_check(asked: str, why: CutShort, now: datetime) -> Iterator[RunEvent]:
    """The events of a run of this engine that is interrupted before there is a session."""
    at, info = now.astimezone(UTC).isoformat(timespec="seconds"), EngineInfo(asked, "")
    yield events.begin_event(at, suite_version(), asked, info, "", events.RunSelection())
    yield events.RunEnded(counts_of(()), 0, EXIT_CODES[why], 0.0, cut_short=why)


EXIT_CODES: dict[CutShort, int] = {"interrupted": INTERRUPTED, "terminated": TERMINATED}
"""The exit codes of a run that is interrupted."""


class Session:
    """A run: its events, and the files it writes."""

    def __init__(
        self,
        plan: Plan,
        engines: Sequence[Engine],
        fresh: Callable[[], Engine],
        reference: Callable[[str], ComparisonEngine],
        now: datetime,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """`reference` makes an engine that plays by the rules of an edition.

        Raises `ScenarioError` if the list of known disagreements cannot be read.
        """
        self.plan = plan
        self.listed = divergences_for(plan)
        self._engines = engines
        self._fresh = fresh
        self._reference_of = reference
        self._now = now
        self._today = now.date()
        self._clock = clock
        self._begin = clock()
        self._notices: deque[str] = deque()
        self._changing: dict[str, str] = {}
        self._asked: set[str] = set()
        self._files: dict[str, StoredCounterexample] = {}
        self._checked: list[GradedResult] = []
        self._told: list[events.FinishedCheck] = []
        self._elsewhere = 0
        self._unexpected = 0
        self._began = False
        self._ended: events.RunEnded | None = None
        self._info = EngineInfo(plan.name, "")  # until the engine introduces itself
        self._edition = ""
        self._phase: events.Phase = "checks"
        self._runner = Runner(engines)
        self._journal: Journal | None = None
        if plan.listed_in and not plan.update and not plan.listed_in.exists():
            self._notices.append(f"{relative_path(plan.listed_in)} does not exist yet: {UPDATE} writes it")
        self._folder = folder_of(plan.home, plan.name)
        # The gate must not depend on files that exist on only one machine.
        found_before = self._folder if plan.settings.profile != "gate" else None
        self._kept = stored_counterexamples(plan.listed_in, self.listed, found_before, self._notices.append)

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the journal. It stays on disk if the run was cut off."""
        if self._journal:
            self._journal.close()

    # --------------------------------------------------------------------------------- its events

    def run(self) -> Iterator[RunEvent]:
        """Yield the events of the run as they happen.

        Raises `NoMatch`, `JournalError` or `ScenarioError` before the first event if the request cannot
        be met, and `ScenarioError` later for a problem that shows only when a scenario is played.
        """
        failure = self._introduce()
        if failure:
            yield self._begin_event()
            yield self._end_event(self._counts(), NO_ENGINE, failure=failure)
            return
        chosen = self._selection()
        names = self.plan.chosen.properties
        if names:
            selected_properties(names, (), "", "")
        self._journal = self._open_journal()
        yield self._begin_event()
        yield from self._new_notices()
        if not self._only_properties:
            everything = self.plan.chosen.everything()
            yield events.PhaseBegan("checks", number_of_checks() if everything else None)
        waiting: deque[SelectedCheck] = deque()
        for result in self._runner.run(self._fixture_checks(chosen, waiting)):
            yield from self._events_of_result(result, waiting.popleft())
            if self._has_enough_failures:
                break
        if not self._has_enough_failures:
            yield from self._search()
        yield from self._end("maxfail" if self._has_enough_failures else "")

    def events_of_interruption(self, why: CutShort) -> Iterator[RunEvent]:
        """The last events of a run that was interrupted; its last event may be made already, but not told."""
        if self._ended:
            yield self._ended
            return
        if not self._began:
            yield self._begin_event()
        if self._journal:
            self._notices.append(f"{why}: the same command with --resume continues from here")
        yield from self._new_notices()
        yield self._end_event(self._counts(), EXIT_CODES[why], why=why)

    def _introduce(self) -> EngineFailure | None:
        """Ask the engine who it is; returns its failure if it does not answer."""
        try:
            self._info = info = introduction_of(self._engines[0])
        except EngineFailure as failure:
            return failure
        except ScenarioError:  # a recording is a file, which may be invalid
            raise
        except Exception as error:  # any failure of the engine becomes an exit code
            return EngineFailure("crash", f"{type(error).__name__}: {error}")
        self._edition = self.plan.settings.edition or info.edition or newest_edition()
        if self._edition == info.edition and (compared := edition_in_force(info.edition)) != info.edition:
            self._notices.append(
                f"the rules of {info.edition} were not compared with the edition before: "
                f"what the engine shows is graded by those of {compared}"
            )
        self._reference = self._reference_of(self._edition)
        return None

    def _open_journal(self) -> Journal | None:
        """The journal; None if it cannot be opened, unless the run has to resume from it."""
        chosen, settings = self.plan.chosen, self.plan.settings
        heading = JournalHeading(JOURNAL_FORMAT, suite_version(), self.plan.name, self._info, self._edition)
        path = journal_path(
            self.plan.home,
            *(self.plan.name, self._edition, chosen.what, chosen.rules, chosen.word, chosen.source),
            settings.profile or "quick",
        )
        try:
            journal = Journal(path, heading, resume=self.plan.resume)
        except JournalError as error:
            if self.plan.resume or not error.only_for_resuming:
                raise
            self._notices.append(f"{error}; this run cannot be resumed")
            return None
        if self.plan.resume:
            known = journal.known
            self._notices.append(
                f"{known} verdicts are known; continuing from there"
                if known
                else "nothing to resume: starting from the beginning"
            )
        return journal

    def _new_notices(self) -> Iterator[RunEvent]:
        """The notices since the last call."""
        while self._notices:
            yield events.Notice(self._notices.popleft())

    def _events_of_result(self, result: Result, one: SelectedCheck) -> Iterator[RunEvent]:
        """The events that follow from a result: notices, and the check itself."""
        if isinstance(result.verdict, PassVerdict) and result.id in self._files:
            self._delete_mended(self._files.pop(result.id))
        stand = standing_of(self.listed, result.fixture, result.verdict, self._today)
        self._checked.append(GradedResult(result.fixture, result, stand))
        again = self.plan.replay_command(one.again, *one.options)
        event = events.result_event(result, one.name, again, stand.standing, stand.note)
        self._told.append(event)
        failed = score_of(result.verdict) == "failed" and not stand.standing
        self._unexpected += failed or stand.standing == "lost"
        yield from self._new_notices()
        yield event

    @property
    def _has_enough_failures(self) -> bool:
        """Whether there are enough failures to end the run."""
        most = self.plan.most_failures
        return most is not None and self._unexpected >= most

    def _end(self, why: CutShort) -> Iterator[RunEvent]:
        """The last events of the run, which depend on all results."""
        groups = failures_by_cause(filter(needs_attention, self._told), self._told)
        # Only wrong answers are diagnosed, and what that takes need not be loaded for anything else.
        if any(isinstance(one.verdict, Fail) for group in groups for one in group.failures):
            from conformance.run.diagnosis import diagnoses, shared_failures

            results = [one.result for one in self._checked]
            yield from diagnoses([group.smallest for group in groups], self._edition, results)
            others = [one for group in groups for one in group.failures if one is not group.smallest]
            yield from shared_failures(others, self._edition)
        total = self._counts()
        code, lines = self._conclusion(total, is_whole=not why)
        if why and self._journal:
            self._notices.append("the same command with --resume, and without a limit, plays the rest")
        yield from self._new_notices()
        silence = silence_of((one.fixture, score_of(one.result.verdict)) for one in self._checked)
        yield self._end_event(total, code, lines, why=why, silence=silence)
        if self._journal and not why:
            self._journal.finish()

    def _begin_event(self) -> events.RunBegan:
        """The first event; if the engine did not introduce itself, it contains only its name."""
        self._began = True
        at = self._now.astimezone(UTC).isoformat(timespec="seconds")
        return events.begin_event(
            at, suite_version(), self.plan.name, self._info, self._edition, self.plan.chosen, self.seed
        )

    def _end_event(
        self,
        total: Counts,
        code: int,
        lines: Iterable[str] = (),
        *,
        why: CutShort = "",
        silence: Silence | None = None,
        failure: EngineFailure | None = None,
    ) -> events.RunEnded:
        """The last event. `failure` is why the engine did not start."""
        self._ended = events.RunEnded(
            total,
            self._elsewhere,
            code,
            round(self._clock() - self._begin, 3),
            self._next_feature(),
            events.harmless_text(failure.says) if failure else "",
            events.harmless_stderr(failure.stderr) if failure else "",
            self._search_ended(),
            tuple(lines),
            why,
            silence or Silence(),
        )
        return self._ended

    def _counts(self) -> Counts:
        """Number of checks by result so far."""
        return counts_of(self._told)

    def _next_feature(self) -> GainOfFeature | None:
        """The feature that would gain the most checks."""
        return most_gained(
            [
                (score_of(one.verdict), frozenset(one.features), events.text_of_verdict(one.verdict))
                for one in self._told
            ],
            self._info.lacks,
            part=not self.plan.chosen.everything(),
        )

    def _search_ended(self) -> events.SearchEnded | None:
        """How far the search got; None if there was none."""
        if not self._started_search:
            return None
        effort = self._started_search.effort
        laws = {law.name for law in self._started_search.laws}
        first = [one.result for one in self._checked if one.fixture.id in laws]
        return events.SearchEnded(
            len(first),
            sum(one.examples for one in first),
            effort.seed,
            None if isinf(effort.seconds) else effort.seconds,
            sum(one.cut for one in first),
            len(laws) - len(first),
        )

    # ------------------------------------------------------------------------------- what it plays

    @property
    def _only_properties(self) -> bool:
        """Whether no stored checks are to be played."""
        return bool(self.plan.chosen.properties) and not self.plan.chosen.what

    def _selection(self) -> Iterator[SelectedCheck]:
        """The selected stored checks: fixtures, generated scenarios, and checks stored with the list.

        Includes what earlier runs found, unless the search will begin with it. Raises `NoMatch` at once,
        and `ScenarioError` as `selected_fixtures` does.
        """
        chosen = self.plan.chosen
        if self._only_properties:
            return iter(())
        found = selected_fixtures(chosen.what, chosen.rules, chosen.word, chosen.source, self.plan.beside)
        files = tuple(files_of_listed_checks(self.plan, self.listed))
        drawn: Iterable[SelectedCheck] = ()
        if not chosen.what:
            ours = generated_scenarios() if self._reference.is_newest else ()
            drawn = (
                one
                for one in chain(ours, self._stored_finds())
                if is_selected(one, *selection_filters(chosen))
            )
        return self._with_note(chain(found, selected_fixtures(files) if files else (), drawn))

    def _stored_finds(self) -> Iterator[SelectedCheck]:
        """Counterexamples of earlier searches, named by their property, if it is not searched in this run."""
        searched = {law.name for law in self.searching.laws} if self.searching else set()
        numbers = Counter[str]()
        for kept in self._kept:
            if kept.law not in searched:
                numbers[kept.law] += 1
                id = counterexample_name(kept.law, numbers[kept.law]) if kept.law else kept.fixture.id
                self._files[id] = kept
                fixture = replace(kept.fixture, id=id)
                yield SelectedCheck(fixture, fixture.title, relative_path(kept.path))

    def _with_note(self, found: Iterable[SelectedCheck]) -> Iterator[SelectedCheck]:
        for one in found:
            self._asked.add(one.fixture.id)
            yield one

    def _fixture_checks(
        self,
        chosen: Iterable[SelectedCheck],
        waiting: deque[SelectedCheck],
    ) -> Iterator[Check]:
        """The fixtures that count in this edition, as checks, after the probe; selections go to `waiting`."""
        grading = Grading(self._edition, self._info, self._journal, self._changing)

        def counting() -> Iterator[Fixture]:
            for one in chosen:
                if has_expectations(one.fixture, self._edition):
                    waiting.append(one)
                    yield one.fixture
                else:
                    self._elsewhere += 1

        for fixture in with_probe(self._engines[0], self._fresh, counting(), self._note_changes):
            yield FixtureCheck(fixture, grading)

    @cached_property
    def searching(self) -> PropertySearch | None:
        """The search of this run; None if only stored checks or named files are played.

        Importing the strategies takes a moment, so the search is created only when its turn comes, after the
        first results have been shown.
        """
        chosen, effort = self.plan.chosen, self.plan.effort
        if effort is None or (chosen.what and not chosen.properties):
            return None
        from conformance.search.law_checks import PropertySearch

        laws = selected_properties(chosen.properties, *selection_filters(chosen))
        if not laws:
            return None
        return PropertySearch(laws, effort, self._kept, self._folder, self._delete_mended, self._journal)

    @property
    def _started_search(self) -> PropertySearch | None:
        """The search, if it has begun."""
        return self.searching if self._phase == "search" else None

    @property
    def seed(self) -> int | None:
        """Seed of the search, if this run has one."""
        chosen, effort = self.plan.chosen, self.plan.effort
        return effort.seed if effort and (chosen.properties or not chosen.what) else None

    def _search(self) -> Iterator[RunEvent]:
        """The events of the search through the properties."""
        if not self.searching:
            return
        from conformance.search.search import hypothesis_files_in, silence_hypothesis

        self._phase = "search"
        silence_hypothesis()
        effort = self.searching.effort
        seconds = None if isinf(effort.seconds) else effort.seconds
        yield events.PhaseBegan("search", len(self.searching.laws), seconds)
        with hypothesis_files_in(self.plan.home / JOURNAL_FOLDER):
            checks = self.searching.checks(self._judged_engine, len(self._engines))
            for result in self._runner.run(checks):
                yield from self._events_of_result(result, self._as_selected(result))
                if self._has_enough_failures:
                    break

    def _as_selected(self, result: Result) -> SelectedCheck:
        """The result of a property as a check that can be played again."""
        self._asked.add(result.id)
        assert self.searching is not None  # its result comes from there
        name, _, _ = result.id.partition(".")
        options = ("--property", name, "--seed", str(self.searching.effort.seed))
        again = (relative_path(result.path),) if result.path else options
        return SelectedCheck(result.fixture, result.fixture.title, again[0], again[1:])

    def _judged_engine(self, engine: Engine) -> JudgedEngine:
        from conformance.run.reasons import reasons_by
        from conformance.search.law_checks import judged_engine

        return judged_engine(
            engine, self._fresh, self._info, self._reference.play, self._edition, reasons_by(self._edition)
        )

    def _delete_mended(self, kept: StoredCounterexample) -> None:
        """Delete the file of a counterexample that now passes, unless the list stores it."""
        if kept.listed:
            return
        kept.path.unlink(missing_ok=True)
        fixture = kept.fixture
        self._notices.append(f"mended: {fixture.id}, found by {kept.law or 'a search'}: {fixture.title}")

    def _note_changes(self, changes: Sequence[Inconsistency]) -> None:
        self._changing.update({change.id: str(change) for change in changes})
        if changes:
            self._notices.append(
                f"the engine answered {len(changes)} of the first scenarios in two ways: "
                f"{changes[0].why}\n    the results below may change the next time"
            )

    # ------------------------------------------------------------------------ the list at the end

    def _gate(self, *, is_whole: bool) -> GateResult:
        """The comparison of the run with the list."""
        every = self._asked | self._unsearched_laws() if is_whole and self.plan.chosen.everything() else None
        return compare_with_list(self.listed, self._checked, every=every)

    def _unsearched_laws(self) -> set[str]:
        """The properties in the list that this run does not search."""
        listed = {id for id in self.listed.known if is_id_of_property(id)}
        return set() if self.searching or not listed else listed & {law.name for law in every_property()}

    def _conclusion(self, counts: Counts, *, is_whole: bool) -> tuple[int, list[str]]:
        """The exit code, and messages about the list; writes the list if asked to."""
        excesses = excesses_in([one.result for one in self._checked], self.plan.settings.max_unsupported)
        if not self.plan.update:
            gate = self._gate(is_whole=is_whole)
            update = self.plan.replay_command(*self.plan.list_options, UPDATE)
            return exit_code_of(counts, gate, excesses), [*lines_of_gate(gate, excesses, update)]
        why_not = reason_not_to_renew(counts, not self.plan.chosen.everything(), excesses)
        if why_not:
            code = exit_code_of(counts, self._gate(is_whole=is_whole), excesses)
            return code, [f"the list of known divergences is left unchanged: {why_not}"]
        assert self.plan.listed_in is not None
        now = renewed_list(self.listed, self._checked, self._today)
        fixtures = {one.fixture.id: one.fixture for one in self._checked}
        try:
            update_of = write(self.plan.listed_in, self.listed, now, fixtures)
        except OSError as error:
            self._notices.append(
                f"{self.plan.listed_in}: cannot be written: {error.strerror}\n"
                "    name another file: --divergences FILE"
            )
            return REFUSED, []
        listed_now = divergences_in(self.plan.listed_in)
        again_checked = [
            GradedResult(
                one.fixture, one.result, standing_of(listed_now, one.fixture, one.result.verdict, self._today)
            )
            for one in self._checked
        ]
        gate = compare_with_list(listed_now, again_checked, every=self._asked | self._unsearched_laws())
        return exit_code_of(counts, gate, excesses), [
            *str(update_of).splitlines(),
            *lines_of_gate(gate, excesses, ""),
        ]


def divergences_for(plan: Plan) -> Divergences:
    """The list to compare the run with; empty if there is none yet. Raises `ScenarioError`."""
    path = plan.listed_in
    if path is None or (plan.may_be_missing and not path.exists()):
        return Divergences()
    return divergences_in(path, without_plays=plan.update)


def files_of_listed_checks(plan: Plan, listed: Divergences) -> Iterator[str]:
    """The files of checks that the list names and the suite does not have, if everything is played."""
    if plan.chosen.everything() and plan.listed_in:
        for entry in listed.known.values():
            if entry.scenario and not is_id_of_property(entry.check) and not is_stored(entry.check):
                yield str(plan.listed_in.parent / entry.scenario)


def stored_counterexamples(
    listed_in: Path | None, listed: Divergences, folder: Path | None, warn: Callable[[str], None]
) -> tuple[StoredCounterexample, ...]:
    """Counterexamples of earlier searches: those stored with the list first, then those in our folder.

    Raises `ScenarioError` if a file of the list cannot be read.
    """
    every: dict[str, StoredCounterexample] = {}
    for entry in listed.known.values():
        if entry.scenario and is_id_of_property(entry.check) and listed_in:
            path = listed_in.parent / entry.scenario
            fixture = load(path)
            law, _, _ = entry.check.partition(".")
            every[fixture.id] = StoredCounterexample(fixture, path, law, listed=True)
    for one in counterexamples_in(folder) if folder else ():
        if isinstance(one, ScenarioError):
            warn(f"left out: {one}")
        else:
            every.setdefault(one.fixture.id, one)
    return tuple(every.values())


def selection_filters(chosen: RunSelection) -> tuple[tuple[str, ...], str, str]:
    """The rules, word and source that narrow a run."""
    return chosen.rules, chosen.word, chosen.source

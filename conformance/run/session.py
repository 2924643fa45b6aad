"""One graded run: what it was asked, how its checks are played, and what the run comes to in the end.

It ties together what stands in modules of its own: the settings (`config`), the probe before grading
(`probe`), the journal, the engines that work at the same time (`runner`) and the list of known
disagreements (`gate`, `divergences`). `Session.run` yields the events of the run; it does not know who
shows them, or how.
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
from conformance.data.rulebook import newest_edition
from conformance.gate.config import DIVERGENCES, Config, Settings, as_seen_from_here, engine_meant
from conformance.gate.divergences import divergences_in, write
from conformance.gate.standing import (
    Checked,
    Divergences,
    Gated,
    excesses_in,
    exit_code_of,
    gated,
    lines_of_gate,
    may_be_renewed,
    of_a_property,
    renewed,
    standing_of,
)
from conformance.model.engine import Engine, EngineFailure, EngineInfo, suite_version
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play
from conformance.model.verdict import Pass
from conformance.play.introduction import introduced
from conformance.play.journal import FOLDER, FORMAT, Heading, Journal, JournalError, journal_path
from conformance.play.probe import Change, with_probe
from conformance.play.runner import Check, FixtureCheck, Grading, Result, Runner, counts
from conformance.play.selection import (
    Selected,
    every_property,
    generated,
    how_many,
    is_meant,
    is_stored,
    selected,
    selected_properties,
)
from conformance.results import events
from conformance.results.causes import grouped, needs_telling
from conformance.results.events import Chosen, CutShort, Event
from conformance.results.next_feature import Gain, most_gained
from conformance.results.silence import Silence, silence_of
from conformance.results.summary import (
    INTERRUPTED,
    NO_ENGINE,
    REFUSED,
    TERMINATED,
    Counts,
    counted,
    score_of,
)
from conformance.search.effort import EFFORTS, USUAL, Asking, Effort
from conformance.search.found import Kept, folder_of, kept_in, numbered

if TYPE_CHECKING:
    from conformance.search.law_checks import Asked, PropertySearch

UPDATE = "--update-divergences"


class Refusal(Exception):
    """What was asked for cannot be; it says why, and what to do."""


class Plan(Struct, frozen=True):
    """What a run was asked to be."""

    name: str
    """The engine's name, as it was asked for or as the configuration says."""
    settings: Settings
    chosen: Chosen
    home: Path
    """Where the journal goes."""
    update: bool
    resume: bool
    listed_in: Path | None
    """Where the list of known disagreements is, or goes."""
    may_be_missing: bool
    """Whether there need not be one yet: nobody named it for this very run, or it is to be written."""
    command: tuple[str, ...]
    """The command that asks the same engine in the same way, without what it asks."""
    list_options: tuple[str, ...] = ()
    """What that command needs besides to write the list of known disagreements anew."""
    effort: Effort | None = None
    """How hard it is searched; none if only what is stored is played."""
    most_failures: int | None = None
    """The number of failures after which the run ends."""

    def again(self, *what: str) -> str:
        """The command that plays something again in the same way."""
        return shlex.join([*self.command, *what])


class Reference(Protocol):
    """What the answers of an engine are held against."""

    @property
    def is_newest(self) -> bool:
        """Whether its rules decide everything as the newest do."""

    def play(self, play: Play, /) -> Observations:
        """What is to be seen."""


def plan(
    config: Config,
    engine: str | None,
    settings: Settings,
    chosen: Chosen,
    command: tuple[str, ...],
    *,
    update: bool = False,
    resume: bool = False,
    asking: Asking = USUAL,
    most_failures: int | None = None,
) -> Plan:
    """What is asked for, with what the configuration says where nothing is. Raises `Refusal`, `NoEngine`."""
    profile = settings.profile or config.settings.profile
    gated = UPDATE if update else "--profile gate" if profile == "gate" else ""
    name = engine_meant(engine, config, because=gated)
    said = settings.over(config.settings_for(name))
    home = config.path.parent if config.path else Path.cwd()
    if update and not (chosen.everything() and most_failures is None):
        raise Refusal(f"{UPDATE}: only a part would be played\n    leave out what narrows the run")
    if update and resume:
        # What was measured before may be of another build of the engine.
        raise Refusal(f"{UPDATE} with --resume: a list is made from one whole run\n    leave one of them out")
    usual = EFFORTS.get(said.profile or "quick")
    if usual is None and (chosen.properties or asking != USUAL):
        raise Refusal(
            "--profile gate searches nothing: it plays what is stored\n    leave out what is about the search"
        )
    # A recording answers nothing but what was asked then.
    effort = asking.over(usual) if usual and not name.startswith("recorded:") else None
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
    )


class Session:
    """A run: its events, and what it leaves on disk."""

    def __init__(
        self,
        plan: Plan,
        engines: Sequence[Engine],
        fresh: Callable[[], Engine],
        reference: Callable[[str], Reference],
        now: datetime,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        """`reference` makes the engine that knows the rules of an edition. Raises `ScenarioError` if the list
        of known disagreements cannot be read.
        """
        self.plan = plan
        self.listed = listed_by(plan)
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
        self._files: dict[str, Kept] = {}
        self._checked: list[Checked] = []
        self._told: list[events.Checked] = []
        self._elsewhere = 0
        self._unexpected = 0
        self._began = self._over = False
        self._info = EngineInfo(plan.name, "")  # until it says who it is
        self._edition = ""
        self._phase: events.Phase = "checks"
        self._runner = Runner(engines)
        self._journal: Journal | None = None
        if plan.listed_in and not plan.update and not plan.listed_in.exists():
            self._notices.append(f"{as_seen_from_here(plan.listed_in)} is not there yet: {UPDATE} writes it")
        self._folder = folder_of(plan.home, plan.name)
        # What the gate comes to may not depend on files that stay on one machine.
        found_before = self._folder if plan.settings.profile != "gate" else None
        self._kept = kept_for(plan.listed_in, self.listed, found_before, self._notices.append)

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the journal. It stays if the run was cut off."""
        if self._journal:
            self._journal.close()

    # --------------------------------------------------------------------------------- its events

    def run(self) -> Iterator[Event]:
        """The events of the run, each as soon as it happens.

        Raises `NothingSuch`, `JournalError` and `ScenarioError` before the first event for what cannot be
        asked, and `ScenarioError` later for what is wrong with a scenario and shows only when it is played.
        """
        failure = self._introduced()
        if failure:
            yield self._begin_event()
            yield self._ended(self._counts(), NO_ENGINE, failure=failure)
            return
        chosen = self._selection()
        names = self.plan.chosen.properties
        if names:
            selected_properties(names, (), "", "")
        self._journal = self._opened_journal()
        yield self._begin_event()
        yield from self._noticed()
        if not self._only_properties:
            everything = self.plan.chosen.everything()
            yield events.PhaseBegan("checks", how_many() if everything else None)
        waiting: deque[Selected] = deque()
        for result in self._runner.run(self._fixture_checks(chosen, waiting)):
            yield from self._happened(result, waiting.popleft())
            if self._enough:
                break
        if not self._enough:
            yield from self._search()
        yield from self._end("maxfail" if self._enough else "")

    def cut_short(self, why: CutShort) -> Iterator[Event]:
        """The last events of a run that somebody cut short."""
        if self._over:
            return
        if not self._began:
            yield self._begin_event()
        if self._journal:
            self._notices.append(f"{why}: the same command with --resume goes on from here")
        yield from self._noticed()
        exit_code = TERMINATED if why == "terminated" else INTERRUPTED
        yield self._ended(self._counts(), exit_code, why=why)

    def _introduced(self) -> EngineFailure | None:
        """Ask the engine who it is; the failure if it cannot say so."""
        try:
            self._info = info = introduced(self._engines[0])
        except EngineFailure as failure:
            return failure
        except ScenarioError:  # of a recording, which is a file
            raise
        except Exception as error:  # whatever an engine does, it becomes an exit code
            return EngineFailure("crash", f"{type(error).__name__}: {error}")
        self._edition = self.plan.settings.edition or info.edition or newest_edition()
        self._reference = self._reference_of(self._edition)
        return None

    def _opened_journal(self) -> Journal | None:
        """The journal; a run without one goes on all the same, unless it is to be resumed."""
        chosen, settings = self.plan.chosen, self.plan.settings
        heading = Heading(FORMAT, suite_version(), self.plan.name, self._info, self._edition)
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
                f"{known} verdicts are known; going on from there"
                if known
                else "nothing is known: from the start"
            )
        return journal

    def _noticed(self) -> Iterator[Event]:
        """What was noticed since this was last asked."""
        while self._notices:
            yield events.Notice(self._notices.popleft())

    def _happened(self, result: Result, one: Selected) -> Iterator[Event]:
        """What a result leads to: notices, and the event of the check."""
        if isinstance(result.verdict, Pass) and result.id in self._files:
            self._is_mended(self._files.pop(result.id))
        stand = standing_of(self.listed, result.fixture, result.verdict, self._today)
        self._checked.append(Checked(result.fixture, result, stand))
        again = self.plan.again(one.again, *one.options)
        event = events.result_event(result, one.name, again, stand.standing, stand.note)
        self._told.append(event)
        failed = score_of(result.verdict) == "failed" and not stand.standing
        self._unexpected += failed or stand.standing == "lost"
        yield from self._noticed()
        yield event

    @property
    def _enough(self) -> bool:
        """Whether enough has failed for the run to end."""
        most = self.plan.most_failures
        return most is not None and self._unexpected >= most

    def _end(self, why: CutShort) -> Iterator[Event]:
        """What follows from all results."""
        groups = grouped(filter(needs_telling, self._told))
        if groups:
            from conformance.run.diagnosis import diagnosed, shared_ones

            yield from diagnosed([group.smallest for group in groups], self._edition)
            others = [one for group in groups for one in group.failures if one is not group.smallest]
            yield from shared_ones(others, self._edition)
        total = self._counts()
        code, lines = self._conclusion(total, is_whole=not why)
        if why and self._journal:
            self._notices.append("the same command with --resume, and without a limit, plays the rest")
        yield from self._noticed()
        silence = silence_of((one.fixture, score_of(one.result.verdict)) for one in self._checked)
        yield self._ended(total, code, lines, why=why, silence=silence)
        if self._journal and not why:
            self._journal.finish()

    def _begin_event(self) -> events.RunBegan:
        """The event for the beginning; of an engine that did not say who it is only its name is known."""
        self._began = True
        at = self._now.astimezone(UTC).isoformat(timespec="seconds")
        return events.begin_event(
            at, suite_version(), self.plan.name, self._info, self._edition, self.plan.chosen, self.seed
        )

    def _ended(
        self,
        total: Counts,
        code: int,
        lines: Iterable[str] = (),
        *,
        why: CutShort = "",
        silence: Silence | None = None,
        failure: EngineFailure | None = None,
    ) -> events.RunEnded:
        """The event for the end. `failure` is why the engine did not start, if it did not."""
        self._over = True
        return events.RunEnded(
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

    def _counts(self) -> Counts:
        """How many checks came out in each way until now."""
        return counted(self._told)

    def _next_feature(self) -> Gain | None:
        """The feature that would add most checks, as far as the results say."""
        return most_gained(
            [
                (score_of(one.verdict), frozenset(one.features), events.said_of(one.verdict))
                for one in self._told
            ],
            self._info.lacks,
            part=not self.plan.chosen.everything(),
        )

    def _search_ended(self) -> events.SearchEnded | None:
        """How far the search came; none if there was none."""
        if not self._searched:
            return None
        effort = self._searched.effort
        laws = {law.name for law in self._searched.laws}
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
        """Whether nothing that is stored is to be played."""
        return bool(self.plan.chosen.properties) and not self.plan.chosen.what

    def _selection(self) -> Iterator[Selected]:
        """What is stored of what was chosen: fixtures, generated scenarios, what only the list knows.

        What earlier runs found is played here unless the search begins with it. Raises `NothingSuch` at
        once, and `ScenarioError` as `selected` does.
        """
        chosen = self.plan.chosen
        if self._only_properties:
            return iter(())
        found = selected(chosen.what, chosen.rules, chosen.word, chosen.source)
        files = tuple(stored_by_list(self.plan, self.listed))
        drawn: Iterable[Selected] = ()
        if not chosen.what:
            ours = generated() if self._reference.is_newest else ()
            drawn = (one for one in chain(ours, self._found_before()) if is_meant(one, *narrowed(chosen)))
        return self._noted(chain(found, selected(files) if files else (), drawn))

    def _found_before(self) -> Iterator[Selected]:
        """What earlier searches found, by the name of the property that did, if it is not searched now."""
        searched = {law.name for law in self.searching.laws} if self.searching else set()
        numbers = Counter[str]()
        for kept in self._kept:
            if kept.law not in searched:
                numbers[kept.law] += 1
                id = numbered(kept.law, numbers[kept.law]) if kept.law else kept.fixture.id
                self._files[id] = kept
                fixture = replace(kept.fixture, id=id)
                yield Selected(fixture, fixture.title, as_seen_from_here(kept.path))

    def _noted(self, found: Iterable[Selected]) -> Iterator[Selected]:
        for one in found:
            self._asked.add(one.fixture.id)
            yield one

    def _fixture_checks(self, chosen: Iterable[Selected], waiting: deque[Selected]) -> Iterator[Check]:
        """Each fixture that counts as a check, after the probe; what it was chosen as is `waiting` for it."""
        grading = Grading(self._edition, self._info, self._journal, self._changing)

        def counting() -> Iterator[Fixture]:
            for one in chosen:
                if counts(one.fixture, self._edition):
                    waiting.append(one)
                    yield one.fixture
                else:
                    self._elsewhere += 1

        for fixture in with_probe(self._engines[0], self._fresh, counting(), self._found_changing):
            yield FixtureCheck(fixture, grading)

    @cached_property
    def searching(self) -> PropertySearch | None:
        """The search that belongs to the run; none if only what is stored is played, or named files.

        What draws its cases takes a moment to import: so it is made when it is its turn, after the first
        results have been told.
        """
        chosen, effort = self.plan.chosen, self.plan.effort
        if effort is None or (chosen.what and not chosen.properties):
            return None
        from conformance.search.law_checks import PropertySearch

        laws = selected_properties(chosen.properties, *narrowed(chosen))
        if not laws:
            return None
        return PropertySearch(laws, effort, self._kept, self._folder, self._is_mended, self._journal)

    @property
    def _searched(self) -> PropertySearch | None:
        """The search, if it is its turn or was."""
        return self.searching if self._phase == "search" else None

    @property
    def seed(self) -> int | None:
        """The seed of the search, if one belongs to the run."""
        chosen, effort = self.plan.chosen, self.plan.effort
        return effort.seed if effort and (chosen.properties or not chosen.what) else None

    def _search(self) -> Iterator[Event]:
        """What the search through the properties leads to."""
        if not self.searching:
            return
        from conformance.search.search import remembered_in

        self._phase = "search"
        effort = self.searching.effort
        seconds = None if isinf(effort.seconds) else effort.seconds
        yield events.PhaseBegan("search", len(self.searching.laws), seconds)
        with remembered_in(self.plan.home / FOLDER):
            checks = self.searching.checks(self._asked_of, len(self._engines))
            for result in self._runner.run(checks):
                yield from self._happened(result, self._as_selected(result))
                if self._enough:
                    break

    def _as_selected(self, result: Result) -> Selected:
        """The result of a property as a check that can be played again."""
        self._asked.add(result.id)
        assert self.searching is not None  # it has a result
        name, _, _ = result.id.partition(".")
        options = ("--property", name, "--seed", str(self.searching.effort.seed))
        again = (as_seen_from_here(result.path),) if result.path else options
        return Selected(result.fixture, result.fixture.title, again[0], again[1:])

    def _asked_of(self, engine: Engine) -> Asked:
        from conformance.search.law_checks import asked_of

        return asked_of(engine, self._fresh, self._info, self._reference.play, self._edition)

    def _is_mended(self, kept: Kept) -> None:
        """What was found once passes now: its file has done its work. What the list stores stays with it."""
        if kept.listed:
            return
        kept.path.unlink(missing_ok=True)
        fixture = kept.fixture
        self._notices.append(f"mended: {fixture.id}, found by {kept.law or 'a search'}: {fixture.title}")

    def _found_changing(self, changes: Sequence[Change]) -> None:
        self._changing.update({change.id: str(change) for change in changes})
        if changes:
            self._notices.append(
                f"the engine answered {len(changes)} of the first scenarios in two ways: "
                f"{changes[0].why}\n    what it is graded on below may be different the next time"
            )

    # ------------------------------------------------------------------------ the list in the end

    def _gate(self, *, is_whole: bool) -> Gated:
        """What the list makes of the run."""
        every = self._asked | self._not_searched() if is_whole and self.plan.chosen.everything() else None
        return gated(self.listed, self._checked, every=every)

    def _not_searched(self) -> set[str]:
        """The properties that the list knows and this run does not ask about."""
        listed = {id for id in self.listed.known if of_a_property(id)}
        return set() if self.searching or not listed else listed & {law.name for law in every_property()}

    def _conclusion(self, counts: Counts, *, is_whole: bool) -> tuple[int, list[str]]:
        """The exit code, and what there is to say of the list; if it was asked for, it is written."""
        excesses = excesses_in([one.result for one in self._checked], self.plan.settings.max_unsupported)
        if not self.plan.update:
            gate = self._gate(is_whole=is_whole)
            update = self.plan.again(*self.plan.list_options, UPDATE)
            return exit_code_of(counts, gate, excesses), [*lines_of_gate(gate, excesses, update)]
        why_not = may_be_renewed(counts, not self.plan.chosen.everything(), excesses)
        if why_not:
            code = exit_code_of(counts, self._gate(is_whole=is_whole), excesses)
            return code, [f"the list of known disagreements is left as it is: {why_not}"]
        assert self.plan.listed_in is not None
        now = renewed(self.listed, self._checked, self._today)
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
            Checked(
                one.fixture, one.result, standing_of(listed_now, one.fixture, one.result.verdict, self._today)
            )
            for one in self._checked
        ]
        gate = gated(listed_now, again_checked, every=self._asked | self._not_searched())
        return exit_code_of(counts, gate, excesses), [
            *str(update_of).splitlines(),
            *lines_of_gate(gate, excesses, ""),
        ]


def listed_by(plan: Plan) -> Divergences:
    """The list that a run is held against; an empty one if there is none yet. Raises `ScenarioError`."""
    path = plan.listed_in
    if path is None or (plan.may_be_missing and not path.exists()):
        return Divergences()
    return divergences_in(path, without_plays=plan.update)


def stored_by_list(plan: Plan, listed: Divergences) -> Iterator[str]:
    """The files of the checks that a list names and the suite does not have, if everything is played."""
    if plan.chosen.everything() and plan.listed_in:
        for entry in listed.known.values():
            if entry.scenario and not of_a_property(entry.check) and not is_stored(entry.check):
                yield str(plan.listed_in.parent / entry.scenario)


def kept_for(
    listed_in: Path | None, listed: Divergences, folder: Path | None, warn: Callable[[str], None]
) -> tuple[Kept, ...]:
    """What earlier searches found in an engine: what its list stores first, then what is in our folder, if
    that counts.

    Raises `ScenarioError` for a file of the list that cannot be read.
    """
    every: dict[str, Kept] = {}
    for entry in listed.known.values():
        if entry.scenario and of_a_property(entry.check) and listed_in:
            path = listed_in.parent / entry.scenario
            fixture = load(path)
            law, _, _ = entry.check.partition(".")
            every[fixture.id] = Kept(fixture, path, law, listed=True)
    for one in kept_in(folder) if folder else ():
        if isinstance(one, ScenarioError):
            warn(f"left out: {one}")
        else:
            every.setdefault(one.fixture.id, one)
    return tuple(every.values())


def narrowed(chosen: Chosen) -> tuple[tuple[str, ...], str, str]:
    """By which rules, word and source a run was narrowed."""
    return chosen.rules, chosen.word, chosen.source

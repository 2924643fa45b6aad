"""One graded run: what it was asked, how its checks are played, and what the run comes to in the end.

It ties together what stands in modules of its own: the settings (`config`), the probe before grading
(`probe`), the journal, the engines that work at the same time (`runner`) and the list of known
disagreements (`gate`, `divergences`).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from functools import cached_property
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import replace

from conformance.config import DIVERGENCES, Config, Settings, as_seen_from_here, engine_meant
from conformance.data.library import load
from conformance.divergences import divergences_in, write
from conformance.effort import EFFORTS, USUAL, Asking, Effort
from conformance.events import Chosen
from conformance.found import Kept, folder_of, kept_in, numbered
from conformance.gate import (
    Checked,
    Divergences,
    Gated,
    Stand,
    exit_code_of,
    gated,
    lines_of_gate,
    may_be_renewed,
    of_a_property,
    renewed,
    standing_of,
)
from conformance.journal import FOLDER, Heading, Journal, JournalError, journal_path
from conformance.model.engine import Engine
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play
from conformance.model.verdict import NotRun, Pass
from conformance.probe import Change, with_probe
from conformance.runner import Result, run
from conformance.selection import (
    Selected,
    every_property,
    generated,
    is_meant,
    is_stored,
    selected,
    selected_properties,
)
from conformance.summary import Counts

if TYPE_CHECKING:
    from conformance.law_checks import Asked, Outcome, Searching

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
    again: str
    """The command that does the same again."""
    effort: Effort | None = None
    """How hard it is searched; none if only what is stored is played."""


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
    *,
    update: bool,
    resume: bool,
    again: str,
    asking: Asking = USUAL,
) -> Plan:
    """What is asked for, with what the configuration says where nothing is. Raises `Refusal`, `NoEngine`."""
    profile = settings.profile or config.settings.profile
    gated = UPDATE if update else "--profile gate" if profile == "gate" else ""
    name = engine_meant(engine, config, because=gated)
    said = settings.over(config.settings_for(name))
    home = config.path.parent if config.path else Path.cwd()
    if update and not chosen.everything():
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
    return Plan(name, said, chosen, home, update, resume, listed_in, may_be_missing, again, effort)


class Session:
    """A run under way."""

    def __init__(
        self,
        plan: Plan,
        engines: Sequence[Engine],
        fresh: Callable[[], Engine],
        heading: Heading,
        today: date,
        reference: Reference,
        warn: Callable[[str], None] = lambda text: print(text, file=sys.stderr),
    ) -> None:
        """Raises `ScenarioError` if the list cannot be read, `JournalError` if the journal is not ours."""
        self.plan = plan
        self.listed = listed_by(plan)
        self.checked: list[Checked] = []
        self._engines = engines
        self._fresh = fresh
        self._info = heading.engine
        self._reference = reference
        self._edition = heading.edition
        self._today = today
        self._warn = warn
        self._changing: dict[str, str] = {}
        self._asked: set[str] = set()
        self._files: dict[str, Kept] = {}
        self._journal = self._opened(heading)
        if plan.listed_in and not plan.update and not plan.listed_in.exists():
            warn(f"{as_seen_from_here(plan.listed_in)} is not there yet: {UPDATE} writes it")
        self._folder = folder_of(plan.home, plan.name)
        # What the gate comes to may not depend on files that stay on one machine.
        found_before = self._folder if plan.settings.profile != "gate" else None
        self._kept = kept_for(plan.listed_in, self.listed, found_before, warn)

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of the journal. It stays if the run was cut off."""
        if self._journal:
            self._journal.close()
            if kind is KeyboardInterrupt:
                self._warn("interrupted: the same command with --resume goes on from here")

    def _opened(self, heading: Heading) -> Journal | None:
        """The journal; a run without one goes on all the same, unless it is to be resumed."""
        chosen, settings = self.plan.chosen, self.plan.settings
        path = journal_path(
            self.plan.home,
            *(self.plan.name, heading.edition, chosen.what, chosen.rules, chosen.word, chosen.source),
            settings.profile or "quick",
        )
        try:
            journal = Journal(path, heading, resume=self.plan.resume)
        except JournalError as error:
            if self.plan.resume or not error.only_for_resuming:
                raise
            self._warn(f"{error}; this run cannot be resumed")
            return None
        if self.plan.resume:
            known = journal.known
            self._warn(
                f"{known} verdicts are known; going on from there"
                if known
                else "nothing is known: from the start"
            )
        return journal

    # ------------------------------------------------------------------------------- while it plays

    def selection(self) -> Iterator[Selected]:
        """What is stored of what was chosen: fixtures, generated scenarios, what only the list knows.

        What earlier runs found is played here unless the search begins with it. Raises `NothingSuch` at
        once, and `ScenarioError` as `selected` does.
        """
        chosen = self.plan.chosen
        if chosen.properties and not chosen.what:
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

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Result]:
        """The result of each fixture, in their order, as soon as it is known."""
        first, *others = self._engines
        probed = with_probe(first, self._fresh, fixtures, self._found_changing)
        return run(first, probed, self._edition, also=others, journal=self._journal, changing=self._changing)

    @cached_property
    def searching(self) -> Searching | None:
        """The search that belongs to the run; none if only what is stored is played, or named files.

        What draws its cases takes a moment to import: so it is made when it is its turn, after the first
        results have been told.
        """
        chosen, effort = self.plan.chosen, self.plan.effort
        if effort is None or (chosen.what and not chosen.properties):
            return None
        from conformance.law_checks import Searching

        laws = selected_properties(chosen.properties, *narrowed(chosen))
        if not laws:
            return None
        return Searching(laws, effort, self._kept, self._folder, self._is_mended, self._journal)

    @property
    def seed(self) -> int | None:
        """What the search begins with, if one belongs to the run."""
        chosen, effort = self.plan.chosen, self.plan.effort
        return effort.seed if effort and (chosen.properties or not chosen.what) else None

    def searched(self) -> int:
        """How many properties are searched."""
        return len(self.searching.laws) if self.searching else 0

    def said_of_search(self) -> Iterator[str]:
        """What was searched, and how far."""
        if self.searching:
            yield str(self.searching)

    def search(self) -> Iterator[tuple[Selected, Result]]:
        """What each property comes to, as soon as it is known."""
        if self.searching:
            from conformance.search import remembered_in

            with remembered_in(self.plan.home / FOLDER):
                yield from self._searched(self.searching)

    def _searched(self, searching: Searching) -> Iterator[tuple[Selected, Result]]:
        from conformance.law_checks import Outcome, bare

        gone = next(
            (one.result.verdict for one in self.checked if isinstance(one.result.verdict, NotRun)), None
        )
        if gone:
            found: Iterable[Outcome] = [Outcome(bare(law), gone) for law in searching.laws]
        else:
            found = searching.run(self._engines, self._asked_of)
        for one in found:
            fixture = one.fixture
            self._asked.add(fixture.id)
            name, _, _ = fixture.id.partition(".")
            options = ("--property", name, "--seed", str(searching.effort.seed))
            again = (as_seen_from_here(one.path),) if one.path else options
            yield (
                Selected(fixture, fixture.title, again[0], again[1:]),
                Result(fixture.id, fixture.title, fixture.rules, one.verdict, one.seconds, one.examples),
            )

    def _asked_of(self, engine: Engine) -> Asked:
        from conformance.law_checks import asked_of

        return asked_of(engine, self._fresh, self._info, self._reference.play, self._edition)

    def _is_mended(self, kept: Kept) -> None:
        """What was found once passes now: its file has done its work. What the list stores stays with it."""
        if kept.listed:
            return
        kept.path.unlink(missing_ok=True)
        self._warn(f"mended: {kept.fixture.id}, found by {kept.law or 'a search'}: {kept.fixture.title}")

    def _found_changing(self, changes: Sequence[Change]) -> None:
        self._changing.update({change.id: str(change) for change in changes})
        if changes:
            self._warn(
                f"the engine answered {len(changes)} of the first scenarios in two ways: "
                f"{changes[0].why}\n    what it is graded on below may be different the next time"
            )

    def stand(self, result: Result, fixture: Fixture) -> Stand:
        """How a result stands to the list; it is kept for the end."""
        if isinstance(result.verdict, Pass) and result.id in self._files:
            self._is_mended(self._files.pop(result.id))
        stand = standing_of(self.listed, fixture, result.verdict, self._today)
        self.checked.append(Checked(fixture, result, stand))
        return stand

    # ----------------------------------------------------------------------------------- its end

    def gate(self) -> Gated:
        """What the list makes of the run."""
        every = self._asked | self._not_searched() if self.plan.chosen.everything() else None
        return gated(self.listed, self.checked, every=every)

    def _not_searched(self) -> set[str]:
        """The properties that the list knows and this run does not ask about."""
        listed = {id for id in self.listed.known if of_a_property(id)}
        return set() if self.searching or not listed else listed & {law.name for law in every_property()}

    def conclusion(self, counts: Counts) -> tuple[int, list[str]]:
        """The exit code, and what there is to say of the list; if it was asked for, it is written."""
        limit = self.plan.settings.max_unsupported
        if not self.plan.update:
            gate = self.gate()
            update = f"{self.plan.again} {UPDATE}"
            return exit_code_of(counts, gate, limit), list(lines_of_gate(counts, gate, limit, update))
        why_not = may_be_renewed(counts, not self.plan.chosen.everything(), limit)
        if why_not:
            code = exit_code_of(counts, self.gate(), limit)
            return code, [f"the list of known disagreements is left as it is: {why_not}"]
        assert self.plan.listed_in is not None
        now = renewed(self.listed, self.checked, self._today)
        fixtures = {one.fixture.id: one.fixture for one in self.checked}
        try:
            update_of = write(self.plan.listed_in, self.listed, now, fixtures)
        except OSError as error:
            raise Refusal(
                f"{self.plan.listed_in}: cannot be written: {error.strerror}\n"
                "    name another file: --divergences FILE"
            ) from None
        listed_now = divergences_in(self.plan.listed_in)
        again = [
            Checked(
                one.fixture, one.result, standing_of(listed_now, one.fixture, one.result.verdict, self._today)
            )
            for one in self.checked
        ]
        gate = gated(listed_now, again, every=self._asked | self._not_searched())
        return exit_code_of(counts, gate, limit), [
            *str(update_of).splitlines(),
            *lines_of_gate(counts, gate, limit, ""),
        ]

    def finish(self) -> None:
        """The run has said all that it had to say."""
        if self._journal:
            self._journal.finish()


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
            every[fixture.id] = Kept(fixture, path, listed=True)
    for one in kept_in(folder) if folder else ():
        if isinstance(one, ScenarioError):
            warn(f"left out: {one}")
        else:
            every.setdefault(one.fixture.id, one)
    return tuple(every.values())


def narrowed(chosen: Chosen) -> tuple[tuple[str, ...], str, str]:
    """By which rules, word and source a run was narrowed."""
    return chosen.rules, chosen.word, chosen.source

"""One graded run: what it was asked, how its checks are played, and what the run comes to in the end.

It ties together what stands in modules of its own: the settings (`config`), the probe before grading
(`probe`), the journal, the engines that work at the same time (`runner`) and the list of known
disagreements (`gate`, `divergences`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from itertools import chain
from pathlib import Path
from types import TracebackType

from msgspec import Struct

from conformance.config import DIVERGENCES, Config, Settings
from conformance.divergences import as_seen_from_here, divergences_in, write
from conformance.engine import Engine
from conformance.events import Chosen
from conformance.gate import (
    Checked,
    Divergences,
    Gated,
    Stand,
    exit_code_of,
    gated,
    lines_of_gate,
    may_be_renewed,
    renewed,
    standing_of,
)
from conformance.journal import Heading, Journal, JournalError, journal_path
from conformance.probe import Change, with_probe
from conformance.runner import Result, run
from conformance.scenario import Fixture
from conformance.selection import Selected, files_by_id, selected
from conformance.summary import Counts

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


def plan(
    config: Config,
    engine: str | None,
    settings: Settings,
    chosen: Chosen,
    *,
    update: bool,
    resume: bool,
    again: str,
) -> Plan:
    """What is asked for, with what the configuration says where nothing is. Raises `Refusal`."""
    name = engine or config.engine or "reference"
    said = settings.over(config.settings_for(name))
    home = config.path.parent if config.path else Path.cwd()
    if update and not chosen.everything():
        raise Refusal(f"{UPDATE}: only a part would be played\n    leave out what narrows the run")
    if update and resume:
        # What was measured before may be of another build of the engine.
        raise Refusal(f"{UPDATE} with --resume: a list is made from one whole run\n    leave one of them out")
    listed_in = said.divergences or (home / DIVERGENCES if update else None)
    may_be_missing = update or settings.divergences is None
    return Plan(name, said, chosen, home, update, resume, listed_in, may_be_missing, again)


class Session:
    """A run under way."""

    def __init__(
        self,
        plan: Plan,
        engines: Sequence[Engine],
        fresh: Callable[[], Engine],
        heading: Heading,
        today: date,
        warn: Callable[[str], None] = lambda text: print(text, file=sys.stderr),
    ) -> None:
        """Raises `ScenarioError` if the list cannot be read, `JournalError` if the journal is not ours."""
        self.plan = plan
        self.listed = listed_by(plan)
        self.checked: list[Checked] = []
        self._engines = engines
        self._fresh = fresh
        self._edition = heading.edition
        self._today = today
        self._warn = warn
        self._changing: dict[str, str] = {}
        self._asked: set[str] = set()
        self._journal = self._opened(heading)
        if plan.listed_in and not plan.update and not plan.listed_in.exists():
            warn(f"{as_seen_from_here(plan.listed_in)} is not there yet: {UPDATE} writes it")
        if plan.settings.profile in ("quick", "deep"):
            warn(
                f"profile {plan.settings.profile}: the search that belongs to it is not there yet; "
                "what is stored is played"
            )

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
        """What is played: what was chosen, and in a whole run also what only the list knows.

        Raises `NothingSuch` at once, and `ScenarioError` as `selected` does.
        """
        chosen = self.plan.chosen
        found = selected(chosen.what, chosen.rules, chosen.word, chosen.source)
        stored = tuple(stored_by_list(self.plan, self.listed))
        return self._noted(chain(found, selected(stored) if stored else ()))

    def _noted(self, found: Iterable[Selected]) -> Iterator[Selected]:
        for one in found:
            self._asked.add(one.fixture.id)
            yield one

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Result]:
        """The result of each fixture, in their order, as soon as it is known."""
        first, *others = self._engines
        probed = with_probe(first, self._fresh, fixtures, self._found_changing)
        return run(first, probed, self._edition, also=others, journal=self._journal, changing=self._changing)

    def _found_changing(self, changes: Sequence[Change]) -> None:
        self._changing.update({change.id: str(change) for change in changes})
        if changes:
            self._warn(
                f"the engine answered {len(changes)} of the first scenarios in two ways: "
                f"{changes[0].why}\n    what it is graded on below may be different the next time"
            )

    def stand(self, result: Result, fixture: Fixture) -> Stand:
        """How a result stands to the list; it is kept for the end."""
        stand = standing_of(self.listed, fixture, result.verdict, self._today)
        self.checked.append(Checked(fixture, result, stand))
        return stand

    # ----------------------------------------------------------------------------------- its end

    def gate(self) -> Gated:
        """What the list makes of the run."""
        every = self._asked if self.plan.chosen.everything() else None
        return gated(self.listed, self.checked, every=every)

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
        gate = gated(listed_now, again, every=self._asked)
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
    return divergences_in(path)


def stored_by_list(plan: Plan, listed: Divergences) -> Iterator[str]:
    """The files of the checks that a list names and the suite does not have, if everything is played."""
    if plan.chosen.everything() and plan.listed_in:
        for entry in listed.known.values():
            if entry.scenario and entry.check not in files_by_id():
                yield str(plan.listed_in.parent / entry.scenario)

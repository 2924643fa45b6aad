"""A run on the terminal: failures, one line per chapter, and the counts.

The failures of stored checks are held for half a minute, or until all have been played, and then shown
likeliest cause first: whoever reads only the first line should read the broken rule. Those of the search are
shown as they are found.

A progress bar has one line for the checks and one for the search, each with its own rate, because a property
takes a thousand times as long as a check. Without a terminal there is no bar.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, Literal, assert_never

from conformance.model.printable import printable
from conformance.report.console import terminal, write_error, write_lines
from conformance.report.run_text import (
    check_with_name,
    engine_name,
    groups_by_likeness,
    in_a_line,
    likeliest_rules,
    lines_of_chapters,
    lines_of_checked,
    lines_of_group,
    lines_of_rules,
    word_of,
)
from conformance.results.causes import difference_line, failures_by_cause, needs_attention
from conformance.results.events import (
    Diagnosis,
    FinishedCheck,
    Notice,
    Phase,
    PhaseBegan,
    Run,
    RunBegan,
    RunEnded,
    RunEvent,
    whole,
)
from conformance.results.silence import lines_of_silence
from conformance.results.summary import score_of
from conformance.results.unsupported import lines_of_reasons, reasons

if TYPE_CHECKING:
    from rich.console import Console

    from conformance.report.progress import Watching

Detail = Literal["quiet", "usual", "verbose"]
"""How much to show: causes and counts; also failures and chapters; everything, as it is found."""
HELD = 30.0
"""Number of seconds for which failures are held."""
LAST_WORDS = 5
"""Number of last stderr lines to show for an engine that did not start."""


class Terminal:
    """Shows the events of a run to a person."""

    def __init__(
        self,
        detail: Detail = "usual",
        console: Console | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._detail = detail
        self._console = console or terminal()
        self._clock = clock
        self._events: list[RunEvent] = []
        self._phase: Phase = "checks"
        self._held: list[FinishedCheck] = []
        self._held_since = 0.0
        self._bar: Watching | None = None
        self._name = ""

    def take(self, event: RunEvent, /) -> None:
        """Show the event."""
        self._events.append(event)
        match event:
            case RunBegan():
                self._name = engine_name(event.engine)
                if event.edition:
                    write_lines([self._heading(event)], self._console)
            case PhaseBegan():
                self._show_held()
                self._phase = event.phase
                self._watch(event)
            case Notice(says):
                write_error(says)
            case FinishedCheck():
                self._take_check(event)
            case Diagnosis():
                pass
            case RunEnded():
                self.close()
                self._show_held()
                run = whole(self._events)
                if run and event.says:
                    self._did_not_start(run, event)
                elif run:
                    write_lines(self._summary(run, event), self._console)
            case _:
                assert_never(event)

    def close(self) -> None:
        """Remove the progress bar."""
        if self._bar:
            self._bar.stop()
            self._bar = None

    # ----------------------------------------------------------------------------- while it plays

    def _heading(self, began: RunBegan) -> str:
        """The first line: the engine, and how it is tested."""
        seed = "" if began.seed is None else f", seed {began.seed}"
        return f"{self._name}, by the rules of {began.edition}{seed}"

    def _watch(self, began: PhaseBegan) -> None:
        """Show the progress of this phase from now on."""
        if self._console is None or self._detail == "quiet":
            return
        if self._bar is None:
            from conformance.report.progress import Watching

            self._bar = Watching(self._console)
            self._bar.start()
        self._bar.begin(began)

    def _take_check(self, checked: FinishedCheck) -> None:
        """Show a check, or hold it for a while."""
        amiss = needs_attention(checked)
        if self._detail == "verbose":
            write_lines(lines_of_checked(checked, self._name), self._console)
        elif self._detail == "usual" and amiss:
            if not self._held:
                self._held_since = self._clock()
            self._held.append(checked)
        if self._bar:
            self._bar.count_check(failed=amiss and score_of(checked.verdict) == "failed")
        if self._held and (self._phase == "search" or self._clock() - self._held_since >= HELD):
            self._show_held()

    def _show_held(self) -> None:
        """Show the failures that are held, likeliest cause first, as far as the results until now tell."""
        held = {one.id for one in self._held}
        self._held.clear()
        if not held:
            return
        results = [event for event in self._events if isinstance(event, FinishedCheck)]
        groups = failures_by_cause(filter(needs_attention, results), results)
        write_lines(
            (failure_line(one, group.rule) for group in groups for one in group.failures if one.id in held),
            self._console,
        )

    # ------------------------------------------------------------------------------------ in the end

    def _summary(self, run: Run, ended: RunEnded) -> Iterator[str]:
        """Causes of failures, passed checks by chapter, and the counts."""
        if self._detail == "verbose":
            yield from ("", *lines_of_rules(run.checked, run.began.edition))
        elif self._detail == "usual":
            yield from ("", *lines_of_chapters(run.checked))
        yield from self._causes(run)
        yield ""
        yield from lines_of_reasons(reasons(one.verdict for one in run.checked))
        yield from lines_of_silence(ended.silence)
        if ended.next_feature:
            yield str(ended.next_feature)
        if ended.elsewhere:
            yield f"{ended.elsewhere} more are about other editions"
        if ended.search:
            yield str(ended.search)
        if ended.cut_short:
            yield CUT_SHORT[ended.cut_short]
        yield str(ended.counts)
        yield from ended.gate

    def _causes(self, run: Run) -> Iterator[str]:
        """The causes of failures; those that look like the same broken rule are grouped together."""
        diagnosed = {one.id: one for one in run.diagnosed}
        groups = failures_by_cause(filter(needs_attention, run.checked), run.checked)
        for line in likeliest_rules(groups):
            yield ""
            yield line
        for group, alike in groups_by_likeness(groups, diagnosed):
            yield ""
            yield from lines_of_group(group, self._name, diagnosed.get(group.smallest.id))
            for other in alike:
                yield f"    looks the same: {in_a_line(other)}"

    def _did_not_start(self, run: Run, ended: RunEnded) -> None:
        """Show why the engine did not start, and how to find out more."""
        for text in lines_of_no_start(run.began.asked, ended.says, ended.stderr):
            write_error(text)


def failure_line(checked: FinishedCheck, rule: str) -> str:
    """A failure on one line, as one of a cause that is about `rule`."""
    name = printable(check_with_name(checked.id, checked.name))
    return f"{word_of(checked)}  {name}: {printable(difference_line(checked, rule))}"


CUT_SHORT = {
    "interrupted": "interrupted: only part of it was played",
    "terminated": "terminated: only part of it was played",
    "maxfail": "enough failed (--maxfail): only part of it was played",
}


def lines_of_no_start(asked: str, says: str, stderr: str) -> Iterator[str]:
    """Why an engine did not start, and how to find out more."""
    yield f"the engine {asked} did not start: {printable(says)}"
    yield from (f"    stderr: {printable(text)}" for text in stderr.splitlines()[-LAST_WORDS:])
    yield f"    {shlex.join(['conformance', 'doctor', '--engine', asked])} looks closer"

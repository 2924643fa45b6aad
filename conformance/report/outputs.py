"""The consumers of a run's events: one table of the files that a run can write.

All files are opened before the run begins, so that a path that cannot be written is reported at once, and no
file of an earlier run is mistaken for this run's. A consumer takes each event as it comes; when the run is
over or cut off, it is closed and writes the rest. Of a run that never began, no file remains.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import BinaryIO, Protocol, assert_never

from conformance.model.problems import Problem, ScenarioError
from conformance.pages.addresses import AddressOf, no_address
from conformance.results.events import Run, RunEvent, line, whole
from conformance.run.options import Output


class Consumer(Protocol):
    """Shows a run, or saves it."""

    def take(self, event: RunEvent, /) -> None:
        """Take the next event."""

    def close(self) -> None:
        """Called after the last event, even if the run was cut off."""


class JsonLines:
    """Writes each event as a line of JSON as soon as it comes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._out = open_output(path)
        self._taken = False

    def take(self, event: RunEvent, /) -> None:
        self._taken = True
        try:
            self._out.write(line(event))
            self._out.flush()
        except OSError as error:
            raise unwritable(self._path, error.strerror or str(error)) from None

    def close(self) -> None:
        close_output(self._out, self._path)
        if not self._taken:
            remove_output(self._path)


class Page:
    """A report that is written at the end of the run."""

    def __init__(self, path: Path, render: Callable[[Run], str]) -> None:
        self._path = path
        self._out = open_output(path)
        self._render = render
        self._events: list[RunEvent] = []

    def take(self, event: RunEvent, /) -> None:
        """Keep the event for the end."""
        self._events.append(event)

    def close(self) -> None:
        """Write the report of all events so far."""
        run = whole(self._events)
        try:
            if run:
                self._out.write(self._render(run).encode())
        except OSError as error:
            raise unwritable(self._path, error.strerror or str(error)) from None
        finally:
            close_output(self._out, self._path)
        if not run:
            remove_output(self._path)


def consumer_of(output: Output, path: Path, address: AddressOf = no_address) -> Consumer:
    """The consumer that writes this output to this file. Raises `ScenarioError` if it cannot be written.

    `address` leads from a page to those of the checks.
    """
    match output:
        case "json":
            return JsonLines(path)
        case "junit":
            from conformance.report.junit import junit

            return Page(path, junit)
        case "markdown":
            from conformance.report.markdown import markdown

            return Page(path, markdown)
        case "badge":
            from conformance.report.badge import badge_json, badge_svg

            if path.suffix not in (".svg", ".json"):
                raise unwritable(path, "a badge is a file whose name ends in .svg or .json")
            return Page(path, badge_json if path.suffix == ".json" else badge_svg)
        case "html":
            from conformance.report.html import html

            return Page(path, partial(html, address=address))
        case _:
            assert_never(output)


@contextmanager
def consumers_of(files: Mapping[Output, Path], address: AddressOf = no_address) -> Iterator[list[Consumer]]:
    """The consumers that write these files; all are closed at the end, whatever happens.

    Raises `ScenarioError` at once if a file cannot be written.
    """
    paths = [path.resolve() for path in files.values()]
    for path in paths:
        if paths.count(path) > 1:
            raise unwritable(path, "two reports cannot go into one file")
    with ExitStack() as closing:
        consumers = []
        for output, path in files.items():
            consumers.append(consumer_of(output, path, address))
            closing.callback(consumers[-1].close)
        yield consumers


def open_output(path: Path) -> BinaryIO:
    """Open a file for a report; appends to the summary of a CI job, which several steps may share."""
    try:
        return path.open("ab" if str(path) == os.environ.get("GITHUB_STEP_SUMMARY") else "wb")
    except OSError as error:
        raise unwritable(path, error.strerror or str(error)) from None


def close_output(out: BinaryIO, path: Path) -> None:
    """Close a completed file; a full disk may show only now."""
    try:
        out.close()
    except OSError as error:
        raise unwritable(path, error.strerror or str(error)) from None


def remove_output(path: Path) -> None:
    """Remove the file of a run that never began; a pipe, a device and what others wrote remain."""
    with suppress(OSError):
        if path.is_file() and not path.is_symlink() and not path.stat().st_size:
            path.unlink()


def unwritable(path: Path, reason: str) -> ScenarioError:
    """The error for a file that cannot be written."""
    return ScenarioError([Problem(str(path), 0, 0, "", reason, "name another file for the report")])

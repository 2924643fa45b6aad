"""The files that a run leaves behind: each a function of its events, named by an option each.

All are opened before the run begins, so that a name that cannot be written to is said at once, and so that
no file of an earlier run is taken for one of this.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from conformance.events import Run, Telling, whole
from conformance.model.problems import Problem, ScenarioError
from conformance.report_options import OPTIONS


class Files(Struct, frozen=True):
    """Where each report goes, if anywhere."""

    json: Path | None = None
    junit: Path | None = None
    markdown: Path | None = None
    badge: Path | None = None


@contextmanager
def telling(files: Files) -> Iterator[Telling]:
    """What a run is told to; when it is over, and even if it was cut off, the reports are in their files.

    Raises `ScenarioError` before anything else if one of them cannot be written.
    """
    from conformance.model.engine import suite_version

    with ExitStack() as opened:
        writers = {
            name: opened.enter_context(opened_for(getattr(files, name)))
            for name in OPTIONS
            if getattr(files, name) is not None
        }
        if len({path.resolve() for name in writers if (path := getattr(files, name))}) < len(writers):
            raise cannot(files.json or files.junit or files.markdown, "two reports cannot go into one file")
        told = Telling(writers.pop("json", None), suite_version())
        try:
            yield told
        finally:
            run = whole(told.events)
            for name, out in writers.items():
                write(out, getattr(files, name), rendered(name, files, run) if run else "")


def write(out: BinaryIO, path: Path, report: str) -> None:
    """Write a report, to its end."""
    try:
        out.write(report.encode())
        out.close()
    except OSError as error:
        raise cannot(path, error.strerror or str(error)) from None


def rendered(name: str, files: Files, run: Run) -> str:
    """One report of a run."""
    match name:
        case "junit":
            from conformance.junit import junit

            return junit(run)
        case "markdown":
            from conformance.markdown import markdown

            return markdown(run)
        case _:
            from conformance.badge import badge_json, badge_svg

            return badge_json(run) if files.badge and files.badge.suffix == ".json" else badge_svg(run)


def opened_for(path: Path) -> BinaryIO:
    """A file to write a report to; a summary of a job is added to, as several steps may share it."""
    try:
        return path.open("ab" if str(path) == os.environ.get("GITHUB_STEP_SUMMARY") else "wb")
    except OSError as error:
        raise cannot(path, error.strerror or str(error)) from None


def cannot(path: Path | None, why: str) -> ScenarioError:
    """The error for a file that a report cannot be written to."""
    return ScenarioError([Problem(str(path), 0, 0, "", why, "name another file for the report")])

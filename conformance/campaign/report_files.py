"""Writes a campaign's report into a folder: as text, as a page, and a scenario file for each cause."""

from __future__ import annotations

import re
from pathlib import Path

from conformance.campaign.report import fixture_of, lines
from conformance.campaign.report_page import html
from conformance.campaign.store import Cause, Store
from conformance.files.writing import write_file


def write(store: Store, folder: Path) -> tuple[Path, ...]:
    """Write the report, as text and as a page, and a scenario file for each cause; returns the paths."""
    scenarios = folder / "scenarios"
    scenarios.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    files: dict[Cause, str] = {}
    for cause in store.causes():
        if cause.scenario:
            path = scenarios / f"{plain(cause.engine)}-{fixture_of(cause).id}.json"
            write_file(path, cause.scenario + "\n")
            files[cause] = path.relative_to(folder).as_posix()
            written.append(path)
    told = folder / "report.md"
    write_file(told, "\n".join(lines(store, files)) + "\n")
    page = folder / "report.html"
    write_file(page, html(store, files))
    return (told, page, *written)


def plain(name: str) -> str:
    """A name for files made from an engine's name."""
    return re.sub(r"[^A-Za-z0-9_.]+", "-", name).strip("-") or "engine"

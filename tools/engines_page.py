"""Writes the tables of docs/engines.md from the recordings: `python -m tools engines-page`.

The findings between the tables are written by people.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from conformance.site.build import fixtures_by_id, generated_by_id
from conformance.site.recordings import RecordedRun, recorded_run
from conformance.site.sources import sources

PAGE = Path(__file__).resolve().parent.parent / "docs" / "engines.md"
RESULTS = "| engine | version | played | checks | agreed | disagreed | unsupported | causes |"
CHAPTERS = "| chapter | played | agreed | disagreed | unsupported |"
FINDING = re.compile(r"\*\*([A-Z]\d{2})\. ")
FEWEST = 10
"""Chapters with fewer checks are left out."""


def recorded_runs() -> dict[str, RecordedRun]:
    """Every recorded engine's results, by the engine's name."""
    fixtures, generated = fixtures_by_id().values(), generated_by_id().values()
    return {one.key: recorded_run(one, "", fixtures, generated) for one in sources().engines}


def cells(row: Iterable[object]) -> str:
    """A row of a table."""
    return "| " + " | ".join(str(cell) for cell in row) + " |"


def results_in(run: RecordedRun) -> Counter[str]:
    """How many checks came to each result; those that the recording lacks are left out."""
    return Counter(one.answer for one in run.played_results)


def result_row(row: str, run: RecordedRun, findings: int) -> str:
    """An engine's row of results; its first two cells are written by people."""
    engine, version = row.split(" | ")[:2]
    results = results_in(run)
    counts = (results["passed"], results["failed"], results["unsupported"])
    return f"{engine} | {version} " + cells((run.at, len(run.played_results), *counts, findings))


def chapter_rows(run: RecordedRun) -> Iterator[str]:
    """A row for each chapter of the rules with enough checks."""
    chapters: dict[str, Counter[str]] = {}
    for result in run.played_results:
        for chapter in {rule.partition(".")[0] for rule in result.rules}:
            chapters.setdefault(chapter, Counter())[result.answer] += 1
    for chapter, results in sorted(chapters.items()):
        agreed, disagreed, unsupported = (results[kind] for kind in ("passed", "failed", "unsupported"))
        if agreed + disagreed + unsupported >= FEWEST:
            yield cells((chapter, agreed + disagreed, agreed, disagreed, unsupported))


def page(text: str, runs: dict[str, RecordedRun]) -> str:
    """The page with its tables made anew."""
    head, *sections = re.split(r"(?m)^(?=## )", text)
    named = {section[3:].partition("\n")[0].lower(): section for section in sections}
    rows = head[head.index(RESULTS) :].split("\n\n")[0].splitlines()[2:]
    made = []
    for row in rows:
        key = row.partition("[")[2].partition("]")[0].lower()
        made.append(result_row(row, runs[key], len(set(FINDING.findall(named[key])))))
    head = head.replace("\n".join(rows), "\n".join(made))
    for key, section in named.items():
        if CHAPTERS in section:
            old = section[section.index(CHAPTERS) :].split("\n\n")[0]
            new = "\n".join((CHAPTERS, "|---|---|---|---|---|", *chapter_rows(runs[key])))
            named[key] = section.replace(old, new)
    return head + "".join(named.values())


def write() -> Path:
    """Write the page and return its path."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), recorded_runs()), encoding="utf-8")
    return PAGE

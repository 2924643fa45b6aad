"""Writes docs/engines.md and a page for each engine from the recordings: `python -m tools engines-page`.

What people write is in `adapters/shims/ENGINE/`: `page.md` has the page without its tables and findings, and
`findings/` the findings. The results, the order of the findings and the checks that fail for each come from
the recording and the list of divergences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from conformance.model.scenario import Fixture
from conformance.pages.addresses import anchor
from conformance.site.build import fixtures_by_id, generated_by_id
from conformance.site.recordings import RecordedRun, recorded_run
from conformance.site.sources import sources
from tools.findings import Finding, findings_folder, findings_in, shim_folder, write_issues

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "engines.md"
RESULTS = "| engine | version | played | checks | agreed | disagreed | unsupported | findings |"
CHAPTERS = "| chapter | played | agreed | disagreed | unsupported |"
REPORTS = "| report | checks |"
CONTENTS = "| finding | rules | failing checks |"
FEWEST = 10
"""Chapters with fewer checks are left out."""
FIRST = 10
"""How many findings are called those to mend first."""
MOST_IDS = 20
"""How many failing checks a finding names."""


def recorded_runs() -> dict[str, RecordedRun]:
    """Every recorded engine's results, by the engine's name."""
    fixtures, generated = fixtures_by_id().values(), generated_by_id().values()
    return {one.key: recorded_run(one, "", fixtures, generated) for one in sources().engines}


def cells(row: Iterable[object]) -> str:
    """A row of a table."""
    return "| " + " | ".join(str(cell) for cell in row) + " |"


def heading_of(columns: str) -> Iterator[str]:
    """The heading of a table."""
    yield columns
    yield "|" + "---|" * (columns.count("|") - 1)


def results_in(run: RecordedRun) -> Counter[str]:
    """How many checks came to each result; those that the recording lacks are left out."""
    return Counter(one.answer for one in run.played_results)


def result_row(row: str, run: RecordedRun, findings: int) -> str:
    """An engine's row of results; its first two cells are written by people."""
    engine, version = row.split(" | ")[:2]
    results = results_in(run)
    counts = (results["passed"], results["failed"], results["unsupported"])
    link = f"[{findings}](engines/{run.key}.md)"
    return f"{engine} | {version} " + cells((run.at, len(run.played_results), *counts, link))


def overview(text: str, runs: Mapping[str, RecordedRun], findings: Mapping[str, int]) -> str:
    """The page about all engines, with the rows of its table made anew."""
    rows = text[text.index(RESULTS) :].partition("\n\n")[0].splitlines()[2:]
    keys = [row.partition("[")[2].partition("]")[0].lower() for row in rows]
    made = [result_row(row, runs[key], findings[key]) for row, key in zip(rows, keys, strict=True)]
    return text.replace("\n".join(rows), "\n".join(made))


def link_to(report: str) -> str:
    """A link to a report in a tracker."""
    return f"[{report}](https://github.com/{report.replace('#', '/issues/')})"


def with_reports(text: str, checks: Iterable[Fixture]) -> str:
    """The page with its table of reports made anew: which checks would have caught each."""
    caught: dict[str, list[str]] = {}
    for check in checks:
        for report in check.caught:
            caught.setdefault(report, []).append(check.id)
    old = text[text.index(REPORTS) :].partition("\n\n")[0]
    rows = (cells((link_to(report), ", ".join(sorted(ids)))) for report, ids in sorted(caught.items()))
    return text.replace(old, "\n".join((*heading_of(REPORTS), *rows)))


# --------------------------------------------------------------------------------- one engine's page


def failing(run: RecordedRun) -> dict[str, list[str]]:
    """The checks that fail for each finding, as the list of divergences says."""
    found: dict[str, list[str]] = {}
    for one in run.played_results:
        if one.answer == "failed" and one.finding:
            found.setdefault(one.finding, []).append(one.id)
    return found


def mend_first(findings: Mapping[str, Finding], fails: Mapping[str, list[str]]) -> list[str]:
    """The findings by the number of checks that fail for them, most first."""
    return sorted(findings, key=lambda id: (-len(fails.get(id, ())), id))


def engine_page(frame: str, run: RecordedRun, findings: Mapping[str, Finding]) -> str:
    """An engine's page: the frame with everything that is made in its places."""
    fails = failing(run)
    order = mend_first(findings, fails)
    parts = {
        "results": results_lines(run),
        "chapters": chapter_lines(run),
        "contents": contents_lines(run, order, findings, fails),
        "findings": (
            line for id in order for line in finding_lines(run.key, id, findings[id], fails.get(id, []))
        ),
    }
    for name, lines in parts.items():
        frame = frame.replace(f"{{{name}}}", "\n".join(lines).strip())
    return frame


def results_lines(run: RecordedRun) -> Iterator[str]:
    """What came of all checks, in a sentence."""
    results = results_in(run)
    checks = f"{len(run.played_results)} checks"
    yield (
        f"Recorded on {run.at}, version {run.version}, graded by the rules of {run.edition}: of {checks}, "
        f"{results['passed']} agree, {results['failed']} disagree, {results['unsupported']} are unsupported."
    )


def chapter_lines(run: RecordedRun) -> Iterator[str]:
    """A table of results with a row for each chapter of the rules with enough checks."""
    chapters: dict[str, Counter[str]] = {}
    for result in run.played_results:
        for chapter in {rule.partition(".")[0] for rule in result.rules}:
            chapters.setdefault(chapter, Counter())[result.answer] += 1
    yield from heading_of(CHAPTERS)
    for chapter, results in sorted(chapters.items()):
        agreed, disagreed, unsupported = (results[kind] for kind in ("passed", "failed", "unsupported"))
        if agreed + disagreed + unsupported >= FEWEST:
            yield cells((chapter, agreed + disagreed, agreed, disagreed, unsupported))


def contents_lines(
    run: RecordedRun, order: list[str], findings: Mapping[str, Finding], fails: Mapping[str, list[str]]
) -> Iterator[str]:
    """The findings in a table, those to mend first at its top."""
    failed = results_in(run)["failed"]
    first = sum(len(fails.get(id, ())) for id in order[:FIRST])
    others = failed - sum(map(len, fails.values()))
    rest = f", and {others} {'has' if others == 1 else 'have'} no finding" if others else ""
    yield f"The first {FIRST} of these explain {first} of the {failed} checks that disagree{rest}."
    yield ""
    yield from heading_of(CONTENTS)
    for id in order:
        heading = f"{id}. {findings[id].title}"
        yield cells(
            (
                f"[{heading}](#{anchor(heading)})",
                ", ".join(findings[id].fixture.rules),
                len(fails.get(id, ())),
            )
        )


def finding_lines(key: str, id: str, finding: Finding, fails: list[str]) -> Iterator[str]:
    """A finding as a section."""
    folder = f"../../adapters/shims/{key.replace('-', '_')}"
    yield f"### {id}. {finding.title}"
    yield ""
    files = f"[Scenario]({folder}/findings/{id}.yaml), [issue to file]({folder}/issues/{id}.md)."
    yield f"Rules: {', '.join(finding.fixture.rules)}. {files}"
    yield ""
    if finding.text:
        yield finding.text
        yield ""
    for label, text in finding.points:
        yield f"- {label}: {text}" if label else f"- {text}"
    if finding.fixture.caught:
        yield f"- Reported as {', '.join(map(link_to, finding.fixture.caught))}."
    if fails:
        more = f" and {len(fails) - MOST_IDS} more" if len(fails) > MOST_IDS else ""
        yield f"- Failing checks: {', '.join(fails[:MOST_IDS])}{more}."
    yield ""


def write() -> list[Path]:
    """Write all pages and issues, and return their paths."""
    runs = recorded_runs()
    written = []
    counts = {}
    checks = list(fixtures_by_id().values())
    for key, run in runs.items():
        findings = findings_in(findings_folder(key))
        checks += [one.fixture for one in findings.values()]
        counts[key] = len(findings)
        frame = (shim_folder(key) / "page.md").read_text(encoding="utf-8")
        path = DOCS / "engines" / f"{key}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(engine_page(frame, run, findings), encoding="utf-8")
        written += [path, write_issues(key)]
    text = overview(PAGE.read_text(encoding="utf-8"), runs, counts)
    PAGE.write_text(with_reports(text, checks), encoding="utf-8")
    return [PAGE, *written]

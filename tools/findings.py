"""Asks an engine about the scenarios of its findings: `python -m tools findings ENGINE COMMAND`.

`adapters/shims/ENGINE/findings/` has a scenario for each finding that no fixture shows alone. The engine's
answers are kept beside them in `answers.jsonl.gz`, so that they can be checked without the engine, and each
finding gets a Markdown file for the tracker of the engine's authors.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

from conformance.data.rulebook import newest_edition
from conformance.model.engine import suite_version
from conformance.model.scenario import Fixture
from conformance.model.verdict import PartOfVerdict, Verdict
from conformance.play.runner import run
from conformance.play.selection import selected_fixtures
from conformance_adapters import connect
from conformance_adapters.recorded import RecordedEngine, record

SHIMS = Path(__file__).resolve().parent.parent / "adapters" / "shims"
ANSWERS = "answers.jsonl.gz"


def findings_folder(engine: str) -> Path:
    """Where the findings of an engine are."""
    return SHIMS / engine.replace("-", "_") / "findings"


def findings_in(folder: Path) -> dict[str, Fixture]:
    """The scenario of each finding, by its number."""
    files = sorted(folder.glob("*.yaml"))
    return (
        {one.fixture.id: one.fixture for one in selected_fixtures([str(path) for path in files])}
        if files
        else {}
    )


def verdicts_of(folder: Path) -> dict[str, Verdict]:
    """What the recorded answers come to."""
    engine = RecordedEngine(folder / ANSWERS)
    edition = engine.describe().edition or newest_edition()
    return {one.id: one.verdict for one in run(engine, findings_in(folder).values(), edition)}


def parts_of(verdict: Verdict) -> tuple[PartOfVerdict, ...]:
    """The parts of a verdict, if it has any."""
    return getattr(verdict, "parts", ())


def issue(fixture: Fixture, verdict: Verdict, scenario: str, version: str) -> str:
    """A finding as Markdown: title, rules, scenario, what differs, and what does not."""
    return "\n".join(issue_lines(fixture, verdict, scenario, version)) + "\n"


def issue_lines(fixture: Fixture, verdict: Verdict, scenario: str, version: str) -> Iterator[str]:
    """The lines of `issue`."""
    yield f"# {fixture.title}: the engine differs"
    yield ""
    yield f"Comprehensive Rules: {', '.join(fixture.rules)}. Seen with {version}."
    yield ""
    yield "| | when | | expected | observed | because |"
    yield "|---|---|---|---|---|---|"
    for part in parts_of(verdict):
        if part.outcome == "fail":
            cells = (part.about, part.when, part.key, part.expected, part.observed, part.because)
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    controls = [part for part in parts_of(verdict) if part.outcome == "pass"]
    if controls:
        yield ""
        yield "As a control, in the same scenario these are right:"
        yield ""
        yield from (f"- {part.about}, {part.when}: {part.key} {part.observed}" for part in controls)
    yield ""
    yield "The scenario (`conformance run` plays it, `conformance explain` explains the expected result):"
    yield ""
    yield "```yaml"
    yield scenario.rstrip()
    yield "```"


def write(engine: str, command: str) -> Path:
    """Ask the engine about its findings; keep its answers and a Markdown file for each. Return the folder."""
    folder = findings_folder(engine)
    asked = connect(command)
    content = record(asked, findings_in(folder).values(), datetime.date.today().isoformat(), suite_version())
    (folder / ANSWERS).write_bytes(content)
    info = asked.describe()
    for id, verdict in verdicts_of(folder).items():
        scenario = (folder / f"{id}.yaml").read_text(encoding="utf-8")
        text = issue(findings_in(folder)[id], verdict, scenario, f"{info.name} {info.version}")
        (folder / f"{id}.md").write_text(text, encoding="utf-8")
    return folder

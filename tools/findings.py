"""Asks an engine about the scenarios of its findings: `python -m tools findings ENGINE COMMAND`.

A finding is two files in `adapters/shims/ENGINE/findings/`: a scenario that fails on the engine, and a note
that says what is wrong, with a control and the place in the engine's source. The engine's answers are kept
beside them in `answers.jsonl.gz`, so that everything made from them can be made without the engine.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from msgspec import Struct

from conformance.data.rulebook import newest_edition
from conformance.files.canonical import decode
from conformance.model.engine import suite_version
from conformance.model.scenario import Fixture
from conformance.model.verdict import Crash, Fail, PartOfVerdict, Verdict, judge
from conformance.play.runner import answer_to
from conformance.play.selection import selected_fixtures
from conformance.wording import scenario_text
from conformance_adapters import connect
from conformance_adapters.recorded import (
    RecordedEngine,
    RecordedScenario,
    compressed_lines,
    record,
    recording_in,
)

SHIMS = Path(__file__).resolve().parent.parent / "adapters" / "shims"
ANSWERS = "answers.jsonl.gz"
HEADING = re.compile(r"# (?P<id>[A-Z]\d{2,3})\. (?P<title>.+)")
POINT = re.compile(r"- (?:(?P<label>Scenario|Control|Source|Also): )?(?P<text>.+)", re.DOTALL)


class Finding(Struct, frozen=True):
    """Something that an engine does and the rules do not."""

    fixture: Fixture
    scenario: str
    """The text of the scenario's file."""
    title: str
    text: str
    """What there is to say before the points; often nothing."""
    points: tuple[tuple[str, str], ...]
    """Each point of the note with its label; empty if it has none."""

    def point(self, label: str) -> str:
        """The points with a label, as one text."""
        return " ".join(text for name, text in self.points if name == label)


def shim_folder(engine: str) -> Path:
    """Where everything about an engine is."""
    return SHIMS / engine.replace("-", "_")


def findings_folder(engine: str) -> Path:
    """Where the findings of an engine are."""
    return shim_folder(engine) / "findings"


def findings_in(folder: Path) -> dict[str, Finding]:
    """The findings by their numbers. Raises `ValueError` for a note that does not have the form of one."""
    files = sorted(folder.glob("*.yaml"))
    fixtures = {one.fixture.id: one.fixture for one in selected_fixtures([str(path) for path in files])}
    return {path.stem: finding_of(path, fixtures[path.stem]) for path in files}


def finding_of(path: Path, fixture: Fixture) -> Finding:
    """The finding of a scenario file, with the note beside it."""
    note = path.with_suffix(".md").read_text(encoding="utf-8")
    heading, *blocks = re.split(r"\n\n|\n(?=- )", note.strip())
    named = HEADING.fullmatch(heading)
    if named is None or named["id"] != path.stem:
        raise ValueError(f"{path.with_suffix('.md')}: a note begins with '# {path.stem}. ' and a title")
    found = [POINT.fullmatch(block) for block in blocks]
    points = tuple((one["label"] or "", unwrapped(one["text"])) for one in found if one)
    text = "\n\n".join(block for block, one in zip(blocks, found, strict=True) if not one)
    return Finding(fixture, path.read_text(encoding="utf-8"), named["title"], text, points)


def unwrapped(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


def verdicts_of(folder: Path) -> dict[str, Verdict]:
    """What the recorded answers come to.

    Steps in which the engine says that it gives no priority are no excuse here: a finding may be about them.
    """
    engine = RecordedEngine(folder / ANSWERS)
    edition = engine.describe().edition or newest_edition()
    found = findings_in(folder)
    return {id: judge(one.fixture, answer_to(engine, one.fixture.play), edition) for id, one in found.items()}


def is_shown(verdict: Verdict) -> bool:
    """Whether the engine did something wrong; no answer in time may be the load of the machine."""
    return isinstance(verdict, Fail | Crash)


def parts_of(verdict: Verdict) -> tuple[PartOfVerdict, ...]:
    """The parts of a verdict, if it has any."""
    return getattr(verdict, "parts", ())


def issue(finding: Finding, verdict: Verdict, version: str) -> str:
    """A finding as Markdown, ready for the tracker of the engine's authors."""
    return "\n".join(issue_lines(finding, verdict, version)) + "\n"


def issue_lines(finding: Finding, verdict: Verdict, version: str) -> Iterator[str]:
    """The lines of `issue`."""
    yield f"# {finding.title}"
    yield ""
    yield f"Comprehensive Rules: {', '.join(finding.fixture.rules)}. Seen with {version}."
    if finding.text:
        yield from ("", unwrapped(finding.text))
    yield from ("", "## Steps to reproduce", "", "```text")
    told = scenario_text(finding.fixture).partition("\n\n")[2]
    steps, _, rest = told.partition("What is to be seen")
    yield steps.rstrip()
    cards = rest.partition("\n\n")[2].strip()
    if cards:
        yield from ("", cards)
    yield from ("```", "", "## Expected and observed", "")
    if isinstance(verdict, Crash):
        yield f"The engine fails: {unwrapped(verdict.says)}"
        yield ""
    failed = [part for part in parts_of(verdict) if part.outcome == "fail"]
    if failed:
        yield "| | when | | expected | observed | because |"
        yield "|---|---|---|---|---|---|"
        for part in failed:
            cells = (part.about, part.when, part.key, part.expected, part.observed, part.because)
            yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    controls = [part for part in parts_of(verdict) if part.outcome == "pass"]
    yield from ("", "## Control", "", finding.point("Control"))
    if controls:
        yield from ("", "In the same scenario these are right:", "")
        yield from (f"- {part.about}, {part.when}: {part.key} {part.observed}" for part in controls)
    yield from ("", "## Where in the source", "", finding.point("Source"))
    yield from ("", "## The scenario as a file", "")
    yield "`conformance run FILE` plays it, and `conformance explain FILE` explains the expected result."
    yield from ("", "```yaml", finding.scenario.rstrip(), "```")


def write_issues(engine: str) -> Path:
    """Write an issue for each finding from the kept answers, and return their folder."""
    folder = findings_folder(engine)
    info = RecordedEngine(folder / ANSWERS).describe()
    verdicts = verdicts_of(folder)
    issues = shim_folder(engine) / "issues"
    issues.mkdir(exist_ok=True)
    for id, finding in findings_in(folder).items():
        text = issue(finding, verdicts[id], f"{info.name} {info.version}")
        (issues / f"{id}.md").write_text(text, encoding="utf-8")
    for path in issues.glob("*.md"):
        if path.stem not in verdicts:
            path.unlink()
    return issues


def ask(engine: str, command: str, only: Collection[str] = ()) -> Path:
    """Ask the engine about its findings, or only some, and keep its answers. Return their file."""
    folder = findings_folder(engine)
    path = folder / ANSWERS
    fixtures = [one.fixture for id, one in findings_in(folder).items() if not only or id in only]
    before = answers_in(path) if only else []
    path.write_bytes(record(connect(command), fixtures, datetime.date.today().isoformat(), suite_version()))
    if only:
        kept = [one for one in before if one.id not in only]
        lines = sorted(kept + answers_in(path), key=lambda answer: answer.id)
        path.write_bytes(compressed_lines([recording_in(path).heading, *lines]))
    return path


def answers_in(path: Path) -> list[RecordedScenario]:
    """The answers in a recording."""
    return [decode(line, RecordedScenario) for line in recording_in(path).lines.values()]


def not_shown(folder: Path) -> Collection[str]:
    """The findings that the engine's answers do not show."""
    return [id for id, verdict in verdicts_of(folder).items() if not is_shown(verdict)]

"""What the recorded engines answer: the result of every check, and the reasons for known failures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Literal

from msgspec import Struct

from conformance.data.rulebook import newest_edition
from conformance.gate.divergences import divergences_in
from conformance.gate.standing import Divergence
from conformance.model.scenario import Fixture
from conformance.model.verdict import Unsupported, Verdict
from conformance.play.runner import has_expectations, run
from conformance.results.summary import Score, score_of
from conformance.site.sources import EngineSource
from conformance_adapters.in_process import Reference
from conformance_adapters.recorded import UNRECORDED, RecordedEngine, recording_in

AnswerKind = Score | Literal["not recorded", "other edition"]
"""The result of a check: its score, or why the recording has none."""
FINDING = re.compile(r"([A-Z]\d{2,3}): ")
"""How the reason of a listed failure names its finding."""


class RecordedResult(Struct, frozen=True):
    """The result of one check."""

    id: str
    rules: tuple[str, ...]
    verdict: Verdict
    listed: Divergence | None = None

    @property
    def answer(self) -> AnswerKind:
        is_stale = isinstance(self.verdict, Unsupported) and self.verdict.says == UNRECORDED
        return "not recorded" if is_stale else score_of(self.verdict)

    @property
    def finding(self) -> str:
        """The number of the finding that explains a failure; empty if the list names none."""
        found = FINDING.match(self.listed.reason) if self.listed else None
        return found[1] if found else ""


class RecordedRun(Struct, frozen=True):
    """A recorded engine, and its result for each check that counts in its edition."""

    key: str
    title: str
    """The name that the engine's authors use, if our page about engines has it."""
    file: str
    """The path of the recording in the repository."""
    version: str
    edition: str
    at: str
    results: Mapping[str, RecordedResult]

    def answer_to(self, id: str) -> AnswerKind:
        return self.results[id].answer if id in self.results else "other edition"

    @property
    def played_results(self) -> tuple[RecordedResult, ...]:
        """The results that the recording has."""
        return tuple(one for one in self.results.values() if one.answer != "not recorded")


def recorded_run(
    source: EngineSource, title: str, fixtures: Iterable[Fixture], generated: Iterable[Fixture]
) -> RecordedRun:
    """The results of a recorded engine. Raises `ScenarioError` for a file that cannot be read.

    `generated` scenarios expect what the newest rules say, so they are only for engines that implement those.
    """
    engine = RecordedEngine(source.recording)
    info = engine.describe()
    edition = info.edition or newest_edition()
    listed = divergences_in(source.divergences).known if source.divergences.exists() else {}
    asked = chain(fixtures, generated if Reference(edition).is_newest else ())
    counting = [one for one in asked if has_expectations(one, edition)]
    results = {
        one.id: RecordedResult(one.id, one.rules, one.verdict, listed.get(one.id))
        for one in run(engine, counting, edition)
    }
    at = recording_in(source.recording).heading.at
    return RecordedRun(source.key, title or info.name, source.place, info.version, edition, at, results)

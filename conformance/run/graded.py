"""The stored checks on an engine as a run, without a configuration, a journal or a list of known divergences.

For a recording, these are its answers, judged by today's expectations.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from itertools import chain
from time import perf_counter

from conformance.data.rulebook import newest_edition
from conformance.model.engine import Engine, suite_version
from conformance.play.introduction import introduction_of
from conformance.play.runner import FixtureCheck, Grading, Runner, has_expectations
from conformance.play.selection import SelectedCheck, generated_scenarios, selected_fixtures
from conformance.results.events import Run, RunEnded, RunSelection, begin_event, result_event
from conformance.results.silence import silence_of
from conformance.results.summary import counts_of, exit_code, score_of
from conformance.run.session import ComparisonEngine


def graded_run(engine: Engine, asked: str, at: str, reference: Callable[[str], ComparisonEngine]) -> Run:
    """The run of an engine through all stored checks, by the edition that it names, or else by the newest.

    `asked` is its name on the command line; `reference` makes an engine that plays by an edition's rules.
    """
    begin = perf_counter()
    info = introduction_of(engine)
    edition = info.edition or newest_edition()
    chosen = [
        one for one in stored_checks(reference(edition).is_newest) if has_expectations(one.fixture, edition)
    ]
    grading = Grading(edition, info)
    results = list(Runner([engine]).run(FixtureCheck(one.fixture, grading) for one in chosen))
    checked = tuple(
        result_event(result, one.name, shlex.join(["conformance", "run", "--engine", asked, one.again]))
        for result, one in zip(results, chosen, strict=True)
    )
    total = counts_of(checked)
    silence = silence_of((one.fixture, score_of(one.verdict)) for one in results)
    began = begin_event(at, suite_version(), asked, info, edition, RunSelection())
    ended = RunEnded(total, 0, exit_code(total), round(perf_counter() - begin, 3), silence=silence)
    return Run(began, checked, ended)


def stored_checks(newest: bool) -> Iterable[SelectedCheck]:
    """The fixtures, and the generated scenarios if the rules are today's."""
    return chain(selected_fixtures(), generated_scenarios() if newest else ())

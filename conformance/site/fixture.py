"""What the page of a fixture shows: the scenario, why each result is expected, and who passes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from conformance.data.library import pool
from conformance.data.rulebook import newest_edition, rulebook, rules_by_number
from conformance.files.writing import write_file
from conformance.model.scenario import Expectation, Fixture, Holds
from conformance.model.verdict import Verdict, judge, moment
from conformance.pages.addresses import card_address, engine_address, rule_address
from conformance.pages.explanation_page import ExplanationPage
from conformance.pages.run import DifferenceShown
from conformance.pages.site import (
    CardShown,
    ExpectedShown,
    FixtureShown,
    ResultShown,
    RuleShown,
    SiteLink,
    SitePages,
)
from conformance.play.runner import has_expectations
from conformance.results.events import text_of_verdict
from conformance.results.summary import score_of
from conformance.site.links import SiteLinks
from conformance.site.recordings import RecordedRun
from conformance.tell.explanation_text import explain
from conformance.wording import action_text, card_text, scenario_text
from conformance.wording.scripts import DisplayNames, cards_to_show, dates, fact, names_of, value_words
from conformance_adapters.in_process import Reference, play_through

MOST_DIFFERENCES = 4
"""Maximum number of differences to show for one engine's answer."""


class FixtureOnSite(Struct, frozen=True):
    """A fixture, and what its page shows that does not follow from it."""

    fixture: Fixture
    file: str
    recorded: tuple[ResultShown, ...]
    broken: tuple[SiteLink, ...] = ()
    before: SiteLink | None = None
    after: SiteLink | None = None


def write_fixture_pages(
    folder: Path, links: SiteLinks, version: str, fixtures: Iterable[FixtureOnSite]
) -> None:
    """Write the page of each fixture; work that can be shared among processes."""
    pages = SitePages(links.pieces, version)
    for one in fixtures:
        write_file(folder / "fixtures" / f"{one.fixture.id}.html", pages.fixture(fixture_shown(one)))


def fixture_shown(one: FixtureOnSite) -> FixtureShown:
    """What the page of a fixture shows. Plays it on the reference engine."""
    fixture, edition = one.fixture, edition_for(one.fixture)
    left = play_through(fixture.play, Reference(edition).rules)
    verdict = judge(fixture, left.observations, edition)
    option = ["--edition", edition] if edition != newest_edition() else []
    stopped = left.observations.stopped
    told = left.explanation()
    names = names_of(fixture.play)
    return FixtureShown(
        id=fixture.id,
        title=fixture.title,
        note=fixture.note,
        disputed=fixture.disputed,
        file=one.file,
        rules=tuple(map(rule_shown, fixture.rules)),
        caught=fixture.caught,
        expected=tuple(
            groups_of_expected(expected_shown(fixture, expected, names) for expected in fixture.expect)
        ),
        results=(
            ResultShown(SiteLink("reference"), f"rules of {edition}", *outcome(verdict)),
            *one.recorded,
        ),
        broken=one.broken,
        cards=tuple(
            CardShown(
                SiteLink(card.name, card_address(card.name) if card.name in pool() else ""), card_text(card)
            )
            for card in cards_to_show(fixture.play)
        ),
        text=scenario_text(fixture),
        explanation=ExplanationPage(
            title=fixture.title,
            edition=edition,
            again=shlex.join(["conformance", "explain", fixture.id, *option]),
            text=explain(told),
            timeline=left.timeline(action_text),
            stopped="" if stopped is None else stopped.says or stopped.question,
        ),
        before=one.before,
        after=one.after,
    )


def edition_for(fixture: Fixture) -> str:
    """The newest edition in which a fixture expects anything."""
    dates = sorted({newest_edition(), *(edition.date for edition in rulebook().editions)}, reverse=True)
    return next((date for date in dates if has_expectations(fixture, date)), newest_edition())


def rule_shown(rule: str) -> RuleShown:
    """A rule with its gist."""
    known = rules_by_number().get(rule)
    return RuleShown(SiteLink(f"CR {rule}", rule_address(rule) if known else ""), known.gist if known else "")


def expected_shown(fixture: Fixture, one: Expectation, names: DisplayNames) -> ExpectedShown:
    """An expectation in words."""
    said = one.source_says
    return ExpectedShown(
        when=moment(fixture, one.look),
        about="the table" if one.about == "table" else names.short(one.about),
        facts=(fact(one.key, one.test, names),),
        because=one.because,
        holds=dates(one.holds) if one.holds != Holds() else "",
        source_says=""
        if said is None
        else f"The source says {value_words(said.value, names)}: {said.reason}",
    )


def groups_of_expected(expected: Iterable[ExpectedShown]) -> Iterator[ExpectedShown]:
    """The expectations; neighbours that differ only in what is expected are merged."""
    for _, alike in groupby(expected, lambda one: replace(one, facts=())):
        first, *others = alike
        yield replace(first, facts=first.facts + tuple(fact for one in others for fact in one.facts))


def outcome(verdict: Verdict) -> tuple[str, str, tuple[DifferenceShown, ...]]:
    """The score of a verdict, what it says, and what differs."""
    wrong = [part for part in getattr(verdict, "parts", ()) if part.outcome == "fail"]
    return (
        score_of(verdict),
        text_of_verdict(verdict),
        tuple(
            DifferenceShown(part.about, part.when, part.key, part.expected, part.observed, "")
            for part in wrong[:MOST_DIFFERENCES]
        ),
    )


def recorded_results(id: str, runs: Iterable[RecordedRun]) -> Iterator[ResultShown]:
    """The results of the recorded engines for a fixture."""
    for run in runs:
        engine, answer = SiteLink(run.title, engine_address(run.key)), run.answer_to(id)
        if answer == "other edition":
            yield ResultShown(engine, run.version, answer, f"It was graded by the rules of {run.edition}.")
        elif answer == "not recorded":
            yield ResultShown(engine, run.version, answer, "The check is newer than the recording.")
        else:
            one = run.results[id]
            reason = (
                re.sub(r" \([^()]*\)$", "", one.listed.reason) if one.listed and answer == "failed" else ""
            )
            yield ResultShown(engine, run.version, *outcome(one.verdict), reason)

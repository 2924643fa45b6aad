"""The report of a campaign as a page to look at: `conformance campaign report --html`."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.campaign.report import (
    HEADINGS,
    REASONS_SHOWN,
    agreements,
    budget,
    duration,
    fixture_of,
    likeness,
)
from conformance.campaign.store import Cause, Store, Totals
from conformance.data.rulebook import gist_of, newest_edition
from conformance.model.engine import CannotPlay
from conformance.model.problems import ScenarioError
from conformance.pages.campaign import AgreementShown, CampaignShown, FoundShown, PlayedShown, campaign_page
from conformance.tell.picture import BoardPicture, picture
from conformance_adapters.in_process import Reference, play_through

MOST_BOARDS = 60
"""Maximum number of causes with a board; the others have their command alone."""


def html(store: Store, files: Mapping[Cause, str]) -> str:
    """The campaign as a page; `files` names the scenario file of each cause."""
    causes = store.causes()
    drawn = {cause: board_of(cause, store) for cause in causes[:MOST_BOARDS] if cause.scenario}
    plan = store.plan
    facts = {
        "seed": str(plan.seed),
        "laws": str(len(plan.laws)),
        "asked for": budget(plan),
        "played for": duration(store.spent()),
        "suite": plan.suite,
    }
    return campaign_page(
        CampaignShown(
            title=f"Campaign: {', '.join(one.name for one in plan.engines)}",
            facts=tuple(facts.items()),
            engines=tuple(
                engine_shown(
                    store, one, [cause for cause in causes if cause.engine == one.engine], files, drawn
                )
                for one in store.totals()
            ),
            agreements=tuple(
                AgreementShown(
                    (one.first, one.second),
                    one.shards,
                    one.quiet,
                    one.same,
                    one.first_alone,
                    one.second_alone,
                    one.apart,
                )
                for one in agreements(store)
            ),
        )
    )


def engine_shown(
    store: Store,
    total: Totals,
    causes: list[Cause],
    files: Mapping[Cause, str],
    drawn: Mapping[Cause, BoardPicture | None],
) -> PlayedShown:
    """An engine with its causes, those found most often first."""
    return PlayedShown(
        name=total.engine,
        cases=total.cases,
        unsupported=total.unsupported,
        plays=total.plays,
        causes=tuple(
            FoundShown(
                kind=HEADINGS.get(one.kind, one.kind),
                rule=one.rule,
                gist=gist_of(one.rule) or one.difference,
                says=one.says,
                looks=likeness(one.alike[0]) if one.alike else "",
                times=one.times,
                laws=one.laws,
                again=f"conformance run {files[one]} --engine '{total.engine}'" if one in files else "",
                board=drawn.get(one),
            )
            for one in causes
        ),
        reasons=store.reasons(total.engine)[:REASONS_SHOWN],
        aside=tuple(
            (f"{one.shard.law}, block {one.shard.block}", one.why)
            for one in store.asides()
            if one.shard.engine == total.engine
        ),
    )


def board_of(cause: Cause, store: Store) -> BoardPicture | None:
    """The board by the rules at the end of a cause's scenario; None if there is none to draw."""
    edition = next(one.edition for one in store.plan.engines if one.name == cause.engine) or newest_edition()
    try:
        return picture(play_through(fixture_of(cause).play, Reference(edition).rules).explanation()).board
    except (ScenarioError, CannotPlay):
        return None

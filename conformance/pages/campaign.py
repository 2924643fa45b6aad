"""The page of `conformance campaign report --html`: what was played, who agrees, and every cause."""

from __future__ import annotations

from msgspec import Struct

from conformance.pages.explanation_page import numbers
from conformance.pages.page import page
from conformance.tell.picture import BoardPicture


class FoundShown(Struct, frozen=True):
    """A cause, with its smallest scenario."""

    kind: str
    rule: str
    gist: str
    says: str
    looks: str
    """What a broken engine does that answers in the same way; empty if there is none."""
    times: int
    """Number of shards that showed it."""
    laws: tuple[str, ...]
    again: str
    """The command that plays the scenario again; empty if no single scenario shows the cause."""
    board: BoardPicture | None


class PlayedShown(Struct, frozen=True):
    """What was played on one engine, and its causes."""

    name: str
    cases: int
    unsupported: int
    plays: int
    causes: tuple[FoundShown, ...]
    reasons: tuple[tuple[str, int], ...]
    """Why shards played nothing or ended early, and how many."""
    aside: tuple[tuple[str, str], ...]
    """Shards that were set aside, and why."""


class AgreementShown(Struct, frozen=True):
    """How two engines did in the shards that both played."""

    engines: tuple[str, str]
    shards: int
    quiet: int
    same: int
    first_alone: int
    second_alone: int
    apart: int


class CampaignShown(Struct, frozen=True):
    """Everything on the page of a campaign."""

    title: str
    facts: tuple[tuple[str, str], ...]
    engines: tuple[PlayedShown, ...]
    agreements: tuple[AgreementShown, ...]


def campaign_page(shown: CampaignShown) -> str:
    """The page of a campaign."""
    return page(
        "campaign.html",
        title=shown.title,
        scripts=("filtering.js", "copying.js"),
        shown=shown,
        number=numbers(),
    )

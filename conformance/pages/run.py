"""The page of `conformance run --html`: counts, causes of failure, what was not played, and every check."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from conformance.pages.addresses import AddressOf, no_address
from conformance.pages.page import page
from conformance.tell.picture import BoardPicture


class CountsShown(Struct, frozen=True):
    """Number of checks by result, in the order of `RunShown.scores`."""

    name: str
    says: str
    counts: tuple[int, ...]
    total: int


class ChapterShown(Struct, frozen=True):
    """A chapter, and its rules."""

    counts: CountsShown
    rules: tuple[CountsShown, ...]


class DifferenceShown(Struct, frozen=True):
    """An expected value beside the observed one."""

    about: str
    when: str
    key: str
    expected: str
    observed: str
    because: str


class CheckShown(Struct, frozen=True):
    """A check as a row."""

    id: str
    title: str
    rules: tuple[str, ...]
    result: str
    says: str = ""
    features: tuple[int, ...] = ()
    """The features that it needs, by their index in `RunShown.features`."""
    reason: int | None = None
    """The reason why it is unsupported, by its index in `RunShown.reasons`."""


class BoardShown(Struct, frozen=True):
    """The board by the rules, and what the engine reports differently about each object or player."""

    picture: BoardPicture
    wrong: Mapping[str, tuple[DifferenceShown, ...]]
    elsewhere: tuple[DifferenceShown, ...] = ()
    """Differences in what is neither a tile nor a player: actions tried, the turn, cards in other zones."""
    more: int = 0
    """Number of tiles left out because nothing about them differs."""


class FailureShown(Struct, frozen=True):
    """A check that failed: what differs, and the command that plays it again."""

    check: CheckShown
    again: str
    differences: tuple[DifferenceShown, ...] = ()
    more: int = 0
    """Number of differences left out."""
    stderr: str = ""
    board: BoardShown | None = None


class CauseShown(Struct, frozen=True):
    """Failures with one cause: the smallest in full, then the others."""

    rule: str
    says: str
    first: FailureShown
    by_rules: tuple[str, ...]
    here: tuple[str, ...]
    """The first difference, in lines: by the rules, and in this engine."""
    looks: str
    """The signature of the bug."""
    others: tuple[FailureShown, ...]


class ReasonShown(Struct, frozen=True):
    """A reason for unsupported checks."""

    says: str
    checks: int


class SilenceShown(Struct, frozen=True):
    """A rule with checks that are unsupported without a visible reason."""

    rule: str
    unplayed: int
    of: int
    checks: tuple[str, ...]


class RunShown(Struct, frozen=True):
    """Everything on the page of a run."""

    title: str
    verdict: str
    facts: tuple[tuple[str, str], ...]
    scores: tuple[str, ...]
    counts: CountsShown
    causes: tuple[CauseShown, ...]
    reasons: tuple[ReasonShown, ...]
    features: tuple[tuple[str, int], ...]
    """Every feature that a check needs, and the number of checks that need it."""
    silences: tuple[SilenceShown, ...]
    listed: tuple[CheckShown, ...]
    chapters: tuple[ChapterShown, ...]
    checks: tuple[CheckShown, ...]


def run_page(shown: RunShown, address: AddressOf = no_address) -> str:
    """The page of a run; `address` leads to the pages of checks."""
    scripts = ("filtering.js", "copying.js")
    return page("run.html", title=shown.title, scripts=scripts, shown=shown, address=address)

"""The contents of the site's pages; each value becomes a page through the template of its name.

Addresses in these values are relative to the site's root.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from markupsafe import Markup
from msgspec import Struct

from conformance.pages.explanation_page import ExplanationPage, numbers
from conformance.pages.page import site_page
from conformance.pages.run import CountsShown, DifferenceShown

PiecesOnPage = Callable[[str, str], Iterator[tuple[str, str]]]
"""Splits a text into pieces, each with the address that a page with this root links it to, if any."""


class SiteLink(Struct, frozen=True):
    """A name, and its address; empty if the site has no place for it."""

    name: str
    to: str = ""


class RuleShown(Struct, frozen=True):
    """A rule with its gist."""

    rule: SiteLink
    gist: str


class ResultShown(Struct, frozen=True):
    """An engine's result for a check."""

    engine: SiteLink
    version: str
    result: str
    says: str = ""
    differences: tuple[DifferenceShown, ...] = ()
    reason: str = ""


class ExpectedShown(Struct, frozen=True):
    """The expectations about one thing at one moment in words, with their reasons."""

    when: str
    about: str
    facts: tuple[str, ...]
    because: str
    holds: str
    source_says: str


class CardShown(Struct, frozen=True):
    """A card as a player reads it."""

    card: SiteLink
    text: str
    anchor: str = ""
    fixtures: tuple[SiteLink, ...] = ()


class FixtureShown(Struct, frozen=True):
    """Everything on the page of a fixture."""

    id: str
    title: str
    note: str
    disputed: str
    file: str
    rules: tuple[RuleShown, ...]
    caught: tuple[str, ...]
    expected: tuple[ExpectedShown, ...]
    results: tuple[ResultShown, ...]
    broken: tuple[SiteLink, ...]
    """The broken engines for which this is the first fixture to notice."""
    cards: tuple[CardShown, ...]
    text: str
    """The scenario in words."""
    explanation: ExplanationPage
    before: SiteLink | None = None
    after: SiteLink | None = None


class CheckLine(Struct, frozen=True):
    """A check in a list: its rules, and each engine's result."""

    check: SiteLink
    title: str
    rules: tuple[str, ...]
    results: tuple[str, ...] = ()


class ChapterOfEngines(Struct, frozen=True):
    """A chapter of the rules, or one rule, with the counts of each engine."""

    chapter: SiteLink
    title: str
    engines: tuple[CountsShown, ...]


class EngineShown(Struct, frozen=True):
    """A recorded engine."""

    engine: SiteLink
    version: str
    edition: str
    at: str
    counts: CountsShown
    unrecorded: int
    """Number of checks that the recording has no answer to, because they are newer."""
    replay: str


class FindingShown(Struct, frozen=True):
    """A finding, and the checks that fail because of it."""

    finding: SiteLink
    reason: str
    checks: tuple[CheckLine, ...]


class RuleOnSite(Struct, frozen=True):
    """A rule with everything about it."""

    rule: str
    gist: str
    formerly: tuple[str, ...]
    why_not: str
    fixtures: tuple[SiteLink, ...]
    laws: tuple[SiteLink, ...]
    broken: tuple[SiteLink, ...]
    engines: tuple[CountsShown, ...]


class RulesChapter(Struct, frozen=True):
    """A chapter of the rules."""

    chapter: SiteLink
    title: str
    rules: tuple[RuleOnSite, ...]

    @property
    def checks(self) -> int:
        """Number of fixtures about it."""
        return len({one.name for rule in self.rules for one in rule.fixtures})

    @property
    def laws(self) -> int:
        """Number of laws about it."""
        return len({one.name for rule in self.rules for one in rule.laws})


class LawShown(Struct, frozen=True):
    """A law."""

    name: str
    says: str
    remarks: tuple[str, ...]
    rules: tuple[RuleShown, ...]
    needs: tuple[str, ...]
    oracle: bool
    broken: tuple[SiteLink, ...]
    """The broken engines of its rules."""
    first: tuple[SiteLink, ...]
    """The broken engines that it notices first, of all laws."""


class SubjectShown(Struct, frozen=True):
    """Laws about one subject."""

    name: str
    anchor: str
    laws: tuple[LawShown, ...]


class BrokenShown(Struct, frozen=True):
    """A broken engine, and the first checks that notice it."""

    name: str
    rule: RuleShown
    story: str
    fixture: SiteLink | None
    law: SiteLink | None
    cases: str


class DocLine(Struct, frozen=True):
    """A page of the documentation in a list."""

    page: SiteLink
    says: str
    """Its first sentence."""


class DocShown(Struct, frozen=True):
    """A page of the documentation."""

    title: str
    html: Markup
    sections: tuple[SiteLink, ...]


class SitePages:
    """Makes the pages: each has the same bar of links, and turns names in texts into links."""

    def __init__(self, pieces: PiecesOnPage, version: str) -> None:
        self._pieces = pieces
        self._version = version

    def page(
        self,
        template: str,
        title: str,
        root: str,
        scripts: tuple[str, ...] = ("listing.js",),
        **values: object,
    ) -> str:
        """A page from a template of `templates/site/`."""
        return site_page(
            template,
            title=title,
            root=root,
            scripts=scripts,
            version=self._version,
            pieces=lambda text: self._pieces(text, root),
            **values,
        )

    def fixture(self, shown: FixtureShown) -> str:
        """The page of a fixture."""
        return self.page(
            "fixture.html",
            f"{shown.id}: {shown.title}",
            "../",
            ("stepping.js",),
            shown=shown,
            number=numbers(),
        )

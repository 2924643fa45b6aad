"""The rules we cite: numbers by edition, a gist in our own words, and what covers each rule.

An edition is the date from which a version of the rules was in force; a prefix of the date also names it. The
data is in `fixtures/`: the rulebook, the inventory of the source documents, and the rules that no scenario
can show. All scalars are read as text, because `613.10` is not a number.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import msgspec
from msgspec import Struct, field

from conformance.data.compiled import fixtures_folder
from conformance.data.library import compiled_library
from conformance.model.scenario import Fixture

CHAPTERS = (
    "117",
    "118",
    "400.7",
    "405",
    "500",
    "501",
    "502",
    "503",
    "504",
    "505",
    "506",
    "507",
    "508",
    "509",
    "510",
    "511",
    "512",
    "513",
    "514",
    "601",
    "602",
    "603",
    "604",
    "605",
    "606",
    "607",
    "608",
    "611",
    "612",
    "613",
    "614",
    "615",
    "616",
    "701.40",
    "701.58",
    "701.62",
    "703",
    "704",
    "707",
    "708",
    "714",
    "716",
    "723",
    "725",
    "731",
    "805",
)
"""The chapters, and single rules with their subrules, that must be covered completely.

Every rule in them has a check, or is listed in `not_applicable.yaml` with a reason.
"""
CITED_CHAPTERS = ("702", "709", "712", "715", "718", "722", "724", "733", "800")
"""The chapters of which the book has only the rules that something cites: each of these is covered, too."""

RULE = re.compile(r"(?P<chapter>\d{3})(?:\.(?P<number>\d+)(?P<letters>[a-z]{0,2}))?")


class Edition(Struct, frozen=True, forbid_unknown_fields=True):
    """A version of the rules: since when, and what it changed."""

    date: str
    what: str


class FormerNumber(Struct, frozen=True, forbid_unknown_fields=True):
    """An earlier number of a rule, until a date."""

    until: str
    number: str = field(name="as")


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule by its newest number: gist in our words, older numbers, changes."""

    rule: str
    gist: str
    formerly: tuple[FormerNumber, ...] = ()
    changed: tuple[Edition, ...] = ()


class Rulebook(Struct, frozen=True, forbid_unknown_fields=True):
    """All rules we cite, and the editions in which a number or an answer changed, oldest first."""

    newest: str
    editions: tuple[Edition, ...]
    not_compared: tuple[str, ...]
    """Dates of further editions, whose texts were not to hand; oldest first."""
    chapters: Mapping[str, str]
    """Titles of the chapters, by number."""
    rules: tuple[Rule, ...]


# ------------------------------------------------------------------------------------ the book


def text_of(name: str) -> str:
    """The text of one of our lists."""
    return (fixtures_folder() / name).read_text(encoding="utf-8")


def tree_of(name: str) -> Any:
    """One of our lists, with every scalar as text."""
    ready = compiled_library()
    if ready is not None:
        return ready.list_named(name)
    from conformance.files import yaml_tree
    from conformance.files.yaml_nodes import as_data

    return as_data(yaml_tree.tree_of(text_of(name), name))


@cache
def rulebook() -> Rulebook:
    """The contents of `rulebook.yaml`; cached."""
    return msgspec.convert(tree_of("rulebook.yaml"), Rulebook)


def chapters() -> Mapping[str, str]:
    """Titles of the chapters, by number."""
    return rulebook().chapters


@cache
def rules_by_number() -> Mapping[str, Rule]:
    """The rules by their newest numbers."""
    return {rule.rule: rule for rule in rulebook().rules}


def gist_of(rule: str) -> str:
    """What a rule says, in a few words of ours; empty for a number that we do not know."""
    known = rules_by_number().get(rule)
    return known.gist if known else ""


def is_known(date: str) -> bool:
    """Whether this is a date (or a prefix of one) for which we know the rules."""
    book = rulebook()
    if not re.fullmatch(r"[0-9]{4}(-[0-9]{2}){0,2}", date):
        return False
    try:
        datetime.date.fromisoformat(date + "0000-01-01"[len(date) :])
    except ValueError:
        return False
    return book.editions[0].date <= date <= book.newest


def is_edition(date: str) -> bool:
    """Whether this is the date of an edition that we know, compared or not."""
    book = rulebook()
    return date in book.not_compared or any(edition.date == date for edition in book.editions)


def edition_in_force(date: str) -> str:
    """The edition whose rules are those of a known date, of the editions that were compared."""
    return max(edition.date for edition in rulebook().editions if edition.date <= date)


@cache
def newest_edition() -> str:
    """The default edition.

    Found without parsing the whole rulebook, which a run needs only at the end.
    """
    found = re.search(r'^newest: "([0-9-]+)"$', text_of("rulebook.yaml"), re.MULTILINE)
    return found[1] if found else rulebook().newest


def number_in(rule: str, edition: str) -> str | None:
    """The number of a rule in an edition; None if the rule did not exist yet, or is unknown."""
    known = rules_by_number().get(rule)
    if known is None or any(change.what == "New" and edition < change.date for change in known.changed):
        return None
    older = [name for name in known.formerly if edition < name.until]
    return min(older, key=lambda name: name.until).number if older else rule


def rule_once_called(number: str) -> str | None:
    """The newest number of the rule that had this number in an older edition, if any."""
    called = [
        (name.until, rule.rule)
        for rule in rulebook().rules
        for name in rule.formerly
        if name.number == number
    ]
    return max(called)[1] if called else None


def in_order_of_rules(rule: str) -> tuple[int, int, int, str]:
    """Sort key for rule numbers: 613.9 before 613.10, 704.5z before 704.5aa."""
    found = RULE.fullmatch(rule)
    if not found:
        raise ValueError(f"{rule!r} is not a rule number")
    letters = found["letters"] or ""
    return int(found["chapter"]), int(found["number"] or 0), len(letters), letters


def is_within(rule: str, whole: str) -> bool:
    """Whether a rule is `whole` or part of it: 613.8b is within 613.8 and within 613."""
    below = rule.removeprefix(whole)
    return rule == whole or (whole[-1].isdigit() and below != rule and not below[0].isdigit())


# ------------------------------------------------------------------------------- what covers it


class Citing(Protocol):
    """Anything with a name that cites rules and sources: a property."""

    @property
    def name(self) -> str: ...
    @property
    def rules(self) -> Sequence[str]: ...
    @property
    def source(self) -> Sequence[str]: ...


class SourceItem(Struct, frozen=True, forbid_unknown_fields=True):
    """One item of a source document, and the half of the suite that it belongs to."""

    id: str
    part: str
    gist: str


class SourceContents(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of one source document."""

    source: str
    what: str
    ids: tuple[SourceItem, ...]


class Oddity(Struct, frozen=True, forbid_unknown_fields=True):
    """A wrong, outdated or odd statement in a source, and how we record it."""

    id: str
    gist: str
    record: str


class Inventory(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of the source documents, with ids, and their oddities."""

    groups: tuple[SourceContents, ...]
    oddities: tuple[Oddity, ...] = ()


class NotApplicable(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule that no scenario can show, why not, and the items of the sources that say the same.

    Without a rule, only these items can't be shown.
    """

    why: str
    rule: str = ""
    source: tuple[str, ...] = ()


class RuleCoverage(Struct, frozen=True):
    """A rule, and everything that covers it."""

    rule: str
    gist: str
    fixtures: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    why_not: str = ""

    @property
    def is_gap(self) -> bool:
        """Whether nothing covers the rule, and no reason is given."""
        return not (self.fixtures or self.properties or self.why_not)


@cache
def inventory() -> Inventory:
    """The contents of the source documents."""
    return msgspec.convert(tree_of("inventory.yaml"), Inventory)


@cache
def records_of_not_applicable() -> tuple[NotApplicable, ...]:
    """The rules, and the items of the sources, that no scenario can show, in the order of their file."""
    return msgspec.convert(tree_of("not_applicable.yaml"), tuple[NotApplicable, ...])


@cache
def not_applicable() -> Mapping[str, str]:
    """For each rule that cannot be shown, why not."""
    return {record.rule: record.why for record in records_of_not_applicable() if record.rule}


def coverage(
    fixtures: Iterable[Fixture], properties: Iterable[Citing] = (), chapters: Sequence[str] = CHAPTERS
) -> tuple[RuleCoverage, ...]:
    """The rules in these chapters with what covers them, in order."""
    by_fixture = citing((fixture.id, fixture.rules) for fixture in fixtures)
    by_property = citing((law.name, law.rules) for law in properties)
    return tuple(
        RuleCoverage(
            rule,
            rules_by_number()[rule].gist,
            tuple(sorted(by_fixture.get(rule, ()))),
            tuple(sorted(by_property.get(rule, ()))),
            not_applicable().get(rule, ""),
        )
        for rule in sorted(rules_by_number(), key=in_order_of_rules)
        if any(is_within(rule, chapter) for chapter in chapters)
    )


def uncovered_items(
    items: Iterable[SourceItem], fixtures: Iterable[Fixture], properties: Iterable[Citing] = ()
) -> tuple[SourceItem, ...]:
    """The items of the sources that could be covered, and that no fixture or property covers.

    Items that cannot be shown do not count.
    """
    sources = [fixture.source for fixture in fixtures] + [tuple(law.source) for law in properties]
    sources += [record.source for record in records_of_not_applicable()]
    shown = {id for source in sources for id in source}
    return tuple(item for item in items if item.id not in shown)


def citing(named: Iterable[tuple[str, Sequence[str]]]) -> dict[str, list[str]]:
    """For each cited rule, the names of everything that cites it."""
    names: dict[str, list[str]] = {}
    for name, rules in named:
        for rule in rules:
            names.setdefault(rule, []).append(name)
    return names

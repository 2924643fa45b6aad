"""The rules we cite: their numbers by edition, what each says in our words, and what covers each of them.

An edition is the date from which a text of the rules was in force; a whole date or the beginning of
one stands for it. All of this is data in `fixtures/`: the rulebook, the inventory of what the source
documents contain, and the rules that no scenario can show. Every scalar there is read as text, because
`613.10` is no number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date as Day
from functools import cache
from typing import Any, Protocol

import msgspec
from msgspec import Struct, field

from conformance.data.compiled import fixtures_folder
from conformance.data.library import compiled
from conformance.files import yaml_tree
from conformance.files.yaml_nodes import as_data
from conformance.model.scenario import Fixture

CHAPTERS = (
    "117",
    "118",
    "400.7",
    "405",
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
    "704",
    "707",
    "708",
    "805",
)
"""The chapters, and single rules with all below them, of which every rule is covered or stands in
`not_applicable.yaml` with the reason why not.
"""

RULE = re.compile(r"(?P<chapter>\d{3})(?:\.(?P<number>\d+)(?P<letters>[a-z]{0,2}))?")


class Edition(Struct, frozen=True, forbid_unknown_fields=True):
    """A text of the rules: since when, and what it changed."""

    date: str
    what: str


class Formerly(Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule was called before a date."""

    until: str
    number: str = field(name="as")


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule by its newest number, with its gist in our words, its older numbers and its changes."""

    rule: str
    gist: str
    formerly: tuple[Formerly, ...] = ()
    changed: tuple[Edition, ...] = ()


class Rulebook(Struct, frozen=True, forbid_unknown_fields=True):
    """Every rule we cite, and the editions at which a number or an answer changed, oldest first."""

    newest: str
    editions: tuple[Edition, ...]
    chapters: Mapping[str, str]
    """What each chapter is called, by its number."""
    rules: tuple[Rule, ...]


# ------------------------------------------------------------------------------------ the book


def text_of(name: str) -> str:
    """The text of one of our lists."""
    return (fixtures_folder() / name).read_text(encoding="utf-8")


def tree_of(name: str) -> Any:
    """One of our lists with every scalar left as the text it is."""
    ready = compiled()
    return as_data(yaml_tree.tree_of(text_of(name), name)) if ready is None else ready.list_named(name)


@cache
def rulebook() -> Rulebook:
    """The whole book."""
    return msgspec.convert(tree_of("rulebook.yaml"), Rulebook)


def chapters() -> Mapping[str, str]:
    """What each chapter is called, by its number."""
    return rulebook().chapters


@cache
def rules_by_number() -> Mapping[str, Rule]:
    """Each rule by its newest number."""
    return {rule.rule: rule for rule in rulebook().rules}


def is_known(date: str) -> bool:
    """Whether this is a date, or the beginning of one, of which the rules are known."""
    book = rulebook()
    if not re.fullmatch(r"[0-9]{4}(-[0-9]{2}){0,2}", date):
        return False
    try:
        Day.fromisoformat(date + "0000-01-01"[len(date) :])
    except ValueError:
        return False
    return book.editions[0].date <= date <= book.newest


@cache
def newest_edition() -> str:
    """The edition that counts unless another is asked for.

    It is found without reading the whole book, which a run needs only after its last result.
    """
    found = re.search(r'^newest: "([0-9-]+)"$', text_of("rulebook.yaml"), re.MULTILINE)
    return found[1] if found else rulebook().newest


def number_in(rule: str, edition: str) -> str | None:
    """What a rule was called in an edition; none if there was no such rule yet, or there is none at all."""
    known = rules_by_number().get(rule)
    if known is None or any(change.what == "New" and edition < change.date for change in known.changed):
        return None
    older = [name for name in known.formerly if edition < name.until]
    return min(older, key=lambda name: name.until).number if older else rule


def rule_once_called(number: str) -> str | None:
    """The newest number of the rule that an older edition called this, if it was ever called so."""
    called = [
        (name.until, rule.rule)
        for rule in rulebook().rules
        for name in rule.formerly
        if name.number == number
    ]
    return max(called)[1] if called else None


def in_order_of_rules(rule: str) -> tuple[int, int, int, str]:
    """The key that puts rule numbers in the order of the book: 613.9 before 613.10, 704.5z before 704.5aa."""
    found = RULE.fullmatch(rule)
    if not found:
        raise ValueError(f"{rule!r} is no rule number")
    letters = found["letters"] or ""
    return int(found["chapter"]), int(found["number"] or 0), len(letters), letters


def is_within(rule: str, whole: str) -> bool:
    """Whether a rule is this one or stands below it: 613.8b within 613.8 and within 613."""
    below = rule.removeprefix(whole)
    return rule == whole or (whole[-1].isdigit() and below != rule and not below[0].isdigit())


# ------------------------------------------------------------------------------- what covers it


class Citing(Protocol):
    """Anything with a name that says which rules, and what of the sources, it is about: a property."""

    @property
    def name(self) -> str: ...
    @property
    def rules(self) -> Sequence[str]: ...
    @property
    def source(self) -> Sequence[str]: ...


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that a source document contains, and which half of the suite it belongs to."""

    id: str
    part: str
    gist: str


class Group(Struct, frozen=True, forbid_unknown_fields=True):
    """All that one source document contains."""

    source: str
    what: str
    ids: tuple[Item, ...]


class Oddity(Struct, frozen=True, forbid_unknown_fields=True):
    """Something wrong, outdated or odd in a source, and how it is recorded."""

    id: str
    gist: str
    record: str


class Inventory(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything the source documents contain, one id each, and what is odd about them."""

    groups: tuple[Group, ...]
    oddities: tuple[Oddity, ...] = ()


class NotApplicable(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule that no scenario can show, why not, and what of the sources says just that."""

    rule: str
    why: str
    source: tuple[str, ...] = ()


class Covered(Struct, frozen=True):
    """A rule and everything that is about it."""

    rule: str
    gist: str
    fixtures: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()
    why_not: str = ""

    @property
    def is_gap(self) -> bool:
        """Whether nothing is about it and nobody says why."""
        return not (self.fixtures or self.properties or self.why_not)


@cache
def inventory() -> Inventory:
    """Everything the source documents contain."""
    return msgspec.convert(tree_of("inventory.yaml"), Inventory)


@cache
def records_of_not_applicable() -> tuple[NotApplicable, ...]:
    """The rules that no scenario can show, in the order of their file."""
    return msgspec.convert(tree_of("not_applicable.yaml"), tuple[NotApplicable, ...])


@cache
def not_applicable() -> Mapping[str, str]:
    """Why a rule cannot be shown, for each that cannot."""
    return {record.rule: record.why for record in records_of_not_applicable()}


def coverage(
    fixtures: Iterable[Fixture], properties: Iterable[Citing] = (), chapters: Sequence[str] = CHAPTERS
) -> tuple[Covered, ...]:
    """Each rule of these chapters with what is about it, in the order of the book."""
    by_fixture = citing((fixture.id, fixture.rules) for fixture in fixtures)
    by_property = citing((law.name, law.rules) for law in properties)
    return tuple(
        Covered(
            rule,
            rules_by_number()[rule].gist,
            tuple(sorted(by_fixture.get(rule, ()))),
            tuple(sorted(by_property.get(rule, ()))),
            not_applicable().get(rule, ""),
        )
        for rule in sorted(rules_by_number(), key=in_order_of_rules)
        if any(is_within(rule, chapter) for chapter in chapters)
    )


def not_shown(
    items: Iterable[Item], fixtures: Iterable[Fixture], properties: Iterable[Citing] = ()
) -> tuple[Item, ...]:
    """Those of the sources' items that neither a fixture nor a property is about, though they could be.

    What a source says of a rule that cannot be shown is no more to be shown than the rule.
    """
    sources = [fixture.source for fixture in fixtures] + [tuple(law.source) for law in properties]
    sources += [record.source for record in records_of_not_applicable()]
    shown = {id for source in sources for id in source}
    return tuple(item for item in items if item.id not in shown)


def citing(named: Iterable[tuple[str, Sequence[str]]]) -> dict[str, list[str]]:
    """The names of all that cite a rule, for each rule cited."""
    names: dict[str, list[str]] = {}
    for name, rules in named:
        for rule in rules:
            names.setdefault(rule, []).append(name)
    return names

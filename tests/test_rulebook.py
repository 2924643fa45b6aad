"""Rule numbers through the editions, and what covers each rule."""

from __future__ import annotations

import re

import pytest
from msgspec import Struct

from conformance.data.rulebook import (
    CHAPTERS,
    CITED_CHAPTERS,
    RULE,
    SourceItem,
    coverage,
    in_order_of_rules,
    inventory,
    is_within,
    newest_edition,
    not_applicable,
    number_in,
    rule_once_called,
    rulebook,
    rules_by_number,
    uncovered_items,
)
from conformance.model.scenario import Fixture, Holds, Play, holds_in
from conformance.model.verdict import RULES_OF_CHOICE
from reference_engine.language.setup import Player, Start


class Law(Struct, frozen=True):
    name: str
    rules: tuple[str, ...]
    source: tuple[str, ...] = ()


def fixture(id: str, *rules: str, source: tuple[str, ...] = ()) -> Fixture:
    return Fixture(id, "", rules, Play((Player("alice"),), Start("alice")), source=source)


# The Ikoria rules moved most of chapter 613 by one; the chapters from 111 on and from 706 on moved later.
@pytest.mark.parametrize(
    ("rule", "edition", "number"),
    [
        ("613.4d", "2026-09-25", "613.4d"),
        ("613.4d", "2020-04-17", "613.4d"),
        ("613.4d", "2020-04-16", "613.3e"),
        ("613.4d", "2020-04", "613.3e"),
        ("613.8b", "2014-02-01", "613.7b"),
        ("613.7m", "2021-01-01", "613.7k"),
        ("613.7m", "2018-04-27", "613.6j"),
        ("613.11", "2018-04-27", "613.10"),
        ("707.2", "2021-07-22", "706.2"),
        ("117.3b", "2019-07-11", "116.3b"),
        ("613.2b", "2020-04-16", None),
        ("613.2b", "2020-04-17", "613.2b"),
        ("613.7n", "2024-11-08", None),
        ("999.1", "2026-09-25", None),
    ],
)
def test_number_of_a_rule_in_an_edition(rule: str, edition: str, number: str | None) -> None:
    assert number == number_in(rule, edition)


@pytest.mark.parametrize(
    ("number", "rule"), [("613.3e", "613.4d"), ("706.2", "707.2"), ("613.17", None), ("613.6j", "613.7m")]
)
def test_rule_is_found_by_a_number_it_once_had(number: str, rule: str | None) -> None:
    assert rule == rule_once_called(number)


def test_newest_edition_is_found_without_reading_the_whole_book() -> None:
    assert rulebook().newest == newest_edition() == rulebook().editions[-1].date


def test_editions_stand_oldest_first_and_changes_fall_on_them() -> None:
    dates = [edition.date for edition in rulebook().editions]
    assert all(dates[0] < date < dates[-1] and date not in dates for date in rulebook().not_compared)

    assert sorted(set(dates)) == dates
    changes = {change.date for rule in rulebook().rules for change in rule.changed}
    renamings = {name.until for rule in rulebook().rules for name in rule.formerly}
    assert set() == (changes | renamings) - set(dates)


def test_every_rule_stands_once_and_has_a_gist() -> None:
    numbers = [rule.rule for rule in rulebook().rules]

    assert len(set(numbers)) == len(numbers)
    assert [] == [number for number in numbers if not RULE.fullmatch(number)]
    assert [] == [rule.rule for rule in rulebook().rules if not rule.gist.strip()]


def test_rules_that_the_verdict_knows_are_in_the_book() -> None:
    known = set(rules_by_number())

    assert set() == {rule for rules in RULES_OF_CHOICE.values() for rule in rules} - known


@pytest.mark.parametrize(
    ("holds", "edition", "answer"),
    [
        (Holds(), "2009-10-01", True),
        (Holds(since="2020-04-17"), "2020-04-17", True),
        (Holds(since="2020-04-17"), "2020-04-16", False),
        (Holds(until="2020-04-17"), "2020-04-17", False),
        (Holds(until="2020-04-17"), "2020-04-16", True),
        (Holds(since="2018-04", until="2020-04-17"), "2018-04-27", True),
        (Holds(since="2018-04", until="2020-04-17"), "2018-03-31", False),
    ],
)
def test_first_date_belongs_to_what_holds_and_the_last_does_not(
    holds: Holds, edition: str, answer: bool
) -> None:
    assert answer is holds_in(holds, edition)


def test_rules_are_put_in_the_order_of_the_book() -> None:
    mixed = ["613.10", "704.5aa", "613.2a", "613", "613.2", "604.1", "704.5z", "613.9"]

    assert ["604.1", "613", "613.2", "613.2a", "613.9", "613.10", "704.5z", "704.5aa"] == sorted(
        mixed, key=in_order_of_rules
    )
    with pytest.raises(ValueError, match=r"'613\.x' is not a rule number"):
        in_order_of_rules("613.x")


@pytest.mark.parametrize(
    ("rule", "whole", "answer"),
    [
        ("613.8b", "613.8b", True),
        ("613.8b", "613.8", True),
        ("613.8b", "613", True),
        ("613.10", "613.1", False),
        ("613.8", "613.8b", False),
        ("704.5aa", "704.5a", False),
        ("613.8b", "603", False),
    ],
)
def test_rule_is_within_itself_its_number_and_its_chapter(rule: str, whole: str, answer: bool) -> None:
    assert answer is is_within(rule, whole)


# ---------------------------------------------------------------------------------------- coverage


def test_what_covers_a_rule_is_named_in_order() -> None:
    fixtures = [fixture("L-0002", "613.8b", "305.7"), fixture("L-0001", "613.8b")]

    covered = {rule.rule: rule for rule in coverage(fixtures, [Law("dependency outranks age", ("613.8b",))])}

    assert "305.7" not in covered
    assert ("L-0001", "L-0002") == covered["613.8b"].fixtures
    assert ("dependency outranks age",) == covered["613.8b"].properties
    assert covered["613.8b"].gist
    assert not covered["613.8b"].is_gap
    assert covered["613.8c"].is_gap


def test_citing_a_rule_covers_neither_the_one_above_nor_those_below() -> None:
    covered = {rule.rule: rule for rule in coverage([fixture("L-0001", "613.8")])}

    assert not covered["613.8"].is_gap
    assert covered["613.8a"].is_gap


def test_chapter_can_be_chosen() -> None:
    assert {"708"} == {rule.rule[:3] for rule in coverage([], chapters=["708"])}
    assert ["613.8", "613.8a", "613.8b", "613.8c"] == [rule.rule for rule in coverage([], chapters=["613.8"])]


def test_reason_why_not_fills_a_gap() -> None:
    covered = {rule.rule: rule for rule in coverage([], chapters=(*CHAPTERS, *CITED_CHAPTERS))}

    assert {rule for rule, one in covered.items() if one.why_not} == set(not_applicable())
    assert not any(covered[rule].is_gap for rule in not_applicable())


def test_item_of_a_source_is_shown_by_a_fixture_or_a_property() -> None:
    items = [SourceItem(f"000-E{number}", "layers", "") for number in (1, 2, 3)]

    missing = uncovered_items(items, [fixture("L-0001", source=("000-E1",))], [Law("a law", (), ("000-E3",))])

    assert ["000-E2"] == [item.id for item in missing]


def test_inventory_names_each_thing_once_by_its_source() -> None:
    ids = [item.id for group in inventory().groups for item in group.ids]

    assert len(set(ids)) == len(ids)
    assert [] == [
        item.id
        for group in inventory().groups
        for item in group.ids
        if not re.match(rf"{group.source}-", item.id)
    ]
    assert {"000", "001", "002"} <= {group.source for group in inventory().groups}


def test_chapters_we_cover_are_in_the_book() -> None:
    assert [] == [
        chapter for chapter in CHAPTERS if not any(is_within(rule, chapter) for rule in rules_by_number())
    ]

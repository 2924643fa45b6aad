"""Completeness: every rule of the covered chapters, and every point of the sources, is tested by
something.
"""

from __future__ import annotations

import re

import pytest

from conformance.data.library import all_fixtures
from conformance.data.rulebook import (
    CHAPTERS,
    CITED_CHAPTERS,
    RuleCoverage,
    SourceContents,
    coverage,
    in_order_of_rules,
    inventory,
    is_within,
    not_applicable,
    records_of_not_applicable,
    rules_by_number,
    uncovered_items,
)
from conformance.model.citations import rules_cited
from conformance.properties import PROPERTIES

# Every rule of the chapters we cover, as the newest edition numbers them.
RULES = {
    "117": "1 1a 1b 1c 1d 2 2a 2b 2c 2d 2e 3 3a 3b 3c 3d 4 5 6 7",
    "118": "1 2 3 3a 3b 3c 4 5 5a 6 6a 7 7a 7b 7c 7d 7e 7f 7g 8 8a 8b 8c 8d"
    " 9 9a 9b 9c 9d 10 11 12 12a 12b 13 13a 13b 13c 14",
    "400.7": "a b c d e f g h i j k m",
    "405": "1 2 3 4 5 6 6a 6b 6c 6d 6e 6f 6g 6h",
    "500": "1 2 3 4 5 5a 5b 6 7 8 9 10 10a 11 12",
    "501": "1",
    "502": "1 2 2a 3 4",
    "503": "1 1a 2",
    "504": "1 2",
    "505": "1 1a 1b 2 3 4 5 6 6a 6b",
    "506": "1 2 2a 2b 3 3a 3b 3c 3d 3e 3f 4 4a 4b 4c 4d 4e 5 6 7 8 8a 8b 8c 8d 8e 8f 8g",
    "507": "1 2",
    "508": "1 1a 1b 1c 1d 1e 1f 1g 1h 1i 1j 1k 1m 2 2a 2b 3 3a 3b 3c 3d 3e 3f 4 4a 4b 4c 4d 5 5a 6"
    " 7 7a 7b 7c 7d 7e 8",
    "509": "1 1a 1b 1c 1d 1e 1f 1g 1h 1i 2 2a 3 3a 3b 3c 3d 3e 3f 3g 4 4a 4b",
    "510": "1 1a 1b 1c 1d 1e 2 3 3a 4",
    "511": "1 2 3",
    "512": "1",
    "513": "1 1a 2",
    "514": "1 2 3 3a",
    "601": "1 1a 2 2a 2b 2c 2d 2e 2f 2g 2h 2i 3 3a 3b 3c 3d 3e 3f 4 5 6 6a 7 7a 7b 8",
    "602": "1 1a 1b 1c 1d 1e 2 2a 2b 3 3a 3b 4 5 5a 5b 5c 5d 5e",
    "603": "1 1a 1b 2 2a 2b 2c 2d 2e 2f 2g 2h 3 3a 3b 3c 3d 4 5 6 6a 6b 6c 6d 6e"
    " 7 7a 7b 7c 7d 7e 7f 7g 7h 8 9 10 10a 10b 10c 10d 10e 10f 10g 11 12 12a",
    "604": "1 2 3 3a 4 5 6 7",
    "605": "1 1a 1b 2 3 3a 3b 3c 4 4a 5 5a 5b",
    "606": "1 2 3 4 5 6",
    "607": "1 1a 1b 1c 1d 2 2a 2b 2c 2d 2e 2f 2g 2h 2i 2j 2k 2m 2n 2p 2q 3 4 5 5a",
    "608": "1 2 2a 2b 2c 2d 2e 2f 2g 2h 2i 2j 2k 2m 2n 2p 3 3a 3b 3c 3d 3e 3f 3g",
    "611": "1 2 2a 2b 2c 2d 2e 2f 3 3a 3b 3c 3d",
    "612": "1 2 2a 3 4 5 6 7 8 9 10",
    "613": "1 1a 1b 1c 1d 1e 1f 1g 2 2a 2b 2c 3 4 4a 4b 4c 4d 5 6"
    " 7 7a 7b 7c 7d 7e 7f 7g 7h 7i 7j 7k 7m 7n 8 8a 8b 8c 9 10 11",
    "614": "1 1a 1b 1c 1d 1e 2 3 4 5 6 7 7a 8 9 10 10a 10b 11 11a 11b 12 12a 12b 12c 13 13a 13b 13c 14 15 16"
    " 17 17a 17b 17c 17d",
    "615": "1 1a 2 3 4 5 6 7 8 9 10 11 12 12a 13",
    "616": "1 1a 1b 1c 1d 1e 1f 1g 2",
    "701.40": "a b c d e f g h",
    "701.58": "a b c d e f g h",
    "701.62": "a b",
    "703": "1 1a 2 3 4 4a 4b 4c 4d 4e 4f 4g 4h 4i 4j 4k 4m 4n 4p 4q",
    "704": "1 1a 2 3 4 5 5a 5b 5c 5d 5e 5f 5g 5h 5i 5j 5k 5m 5n 5p 5q 5r 5s 5t 5u 5v 5w 5x 5y 5z 5aa"
    " 6 6a 6b 6c 6d 6e 6f 7 8",
    "707": "1 2 2a 2b 2c 3 4 5 6 7 8 8a 9 9a 9b 9c 9d 9e 9f 9g"
    " 10 10a 10b 10c 10d 10e 10f 10g 11 12 12a 13 14",
    "708": "1 2 2a 2b 3 4 5 6 7 8 9 10 11 12",
    "714": "1 1a 2 2a 2b 2c 2d 2e 3 3a 3b 3c 4",
    "716": "1 2 2a 2b 2c 2d 3 4",
    "723": "1 1a 1b 2 3 4 5 5a 5b 6 7 8 9",
    "725": "1 2 3 4 5",
    "731": "1 1a 2 2a 2b 2c",
    "805": "1 2 3 3a 3b 4 4a 4b 4c 4d 5 5a 5b 6 6a 7 8 9 10 10a 10b 10c 10d 10e 10f",
}


def rules_of(chapter: str, rests: str) -> set[str]:
    """The full numbers of a chapter's rules, or of one rule and its subrules."""
    if "." in chapter:
        return {chapter, *(chapter + letter for letter in rests.split())}
    return {f"{chapter}.{rest}" for rest in rests.split()}


def test_book_has_every_rule_of_the_chapters_we_cover() -> None:
    wanted = {rule for chapter, rests in RULES.items() for rule in rules_of(chapter, rests)}

    assert tuple(RULES) == CHAPTERS
    assert wanted == {
        rule for rule in rules_by_number() if any(is_within(rule, chapter) for chapter in CHAPTERS)
    }


def covered_rules() -> tuple[RuleCoverage, ...]:
    return coverage(all_fixtures().values(), PROPERTIES, (*CHAPTERS, *CITED_CHAPTERS))


def test_every_rule_of_these_chapters_is_covered_or_says_why_not() -> None:
    covered = covered_rules()

    assert [] == [f"{rule.rule} {rule.gist}" for rule in covered if rule.is_gap]


def test_no_rule_that_cannot_be_shown_is_shown() -> None:
    covered = covered_rules()

    assert [] == [rule.rule for rule in covered if rule.why_not and (rule.fixtures or rule.properties)]
    assert set() == set(not_applicable()) - {rule.rule for rule in covered}


@pytest.mark.parametrize("group", inventory().groups, ids=lambda group: group.source)
def test_everything_a_source_says_is_shown(group: SourceContents) -> None:
    missing = uncovered_items(group.ids, all_fixtures().values(), PROPERTIES)

    assert group.ids
    assert [] == [f"{item.id} {item.gist}" for item in missing]


def test_all_sources_are_asked_about() -> None:
    assert ["000", "001", "002", "003", "004", "CR"] == [group.source for group in inventory().groups]


def test_only_what_a_source_says_of_a_rule_is_left_out_with_it() -> None:
    known = {item.id: item.gist for group in inventory().groups for item in group.ids}
    shown = {id for fixture in all_fixtures().values() for id in fixture.source}
    left_out = [id for record in records_of_not_applicable() for id in record.source]

    assert [] == [id for id in left_out if id not in known or id in shown]


def test_what_is_left_out_is_a_rule_or_an_item_of_a_source() -> None:
    assert [] == [record.why for record in records_of_not_applicable() if not (record.rule or record.source)]


def test_examples_of_the_rules_stand_in_the_order_of_the_book() -> None:
    """An example is called by its rule and its number there, as in CR-613.4-E1."""
    ids = next(group.ids for group in inventory().groups if group.source == "CR")
    found = [re.fullmatch(r"CR-(?P<rule>[\d.]+[a-z]*)-E(?P<number>\d+)", item.id) for item in ids]
    places = [(in_order_of_rules(one["rule"]), int(one["number"])) for one in found if one]

    assert len(ids) == len(places)
    assert sorted(places) == places


def test_only_things_that_the_sources_contain_are_reported_to_be_shown() -> None:
    known = {item.id for group in inventory().groups for item in group.ids}
    known |= {oddity.id for oddity in inventory().oddities}
    sources = [fixture.source for fixture in all_fixtures().values()] + [law.source for law in PROPERTIES]

    assert set() == {id for source in sources for id in source} - known


def test_only_rules_that_the_book_has_are_cited() -> None:
    cited = {rule for fixture in all_fixtures().values() for rule in fixture.rules}
    cited |= {rule for law in PROPERTIES for rule in law.rules}

    assert set() == cited - set(rules_by_number())


def test_every_expectation_cites_the_rule_that_leads_to_it() -> None:
    without = [
        f"{fixture.id} {one.look}: {one.key} of {one.about}"
        for fixture in all_fixtures().values()
        for one in fixture.expect
        if not rules_cited(one.because)
    ]

    assert [] == without

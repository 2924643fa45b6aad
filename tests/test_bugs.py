"""The page about bugs of real engines, and the fixtures that would have caught them, name each other."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from conformance.data.library import all_fixtures
from conformance.data.rulebook import rules_by_number
from conformance.model.scenario import Fixture

PAGE = (Path(__file__).parent.parent / "docs" / "bugs.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in row.strip("|").split("|")]
    for row in re.findall(r"^\| \d+ \|.*$", PAGE, re.MULTILINE)
]


def links_on_the_page() -> Iterator[tuple[str, str]]:
    """Each report on the page with each fixture that shows it."""
    for _, reports, _, _, shown in ROWS:
        for report in reports.split(", "):
            for fixture in filter(None, shown.split(", ")):
                yield report, fixture


def links_of(fixtures: Mapping[str, Fixture]) -> set[tuple[str, str]]:
    """Each report that a fixture names, with the fixture."""
    return {(report, one.id) for one in fixtures.values() for report in one.caught}


def test_page_and_fixtures_name_each_other() -> None:
    drawn = {report for _, reports, *_ in ROWS for report in reports.split(", ")}
    assert {link for link in links_of(all_fixtures()) if link[0] in drawn} == {*links_on_the_page()}


def test_page_counts_what_can_be_written() -> None:
    assert 40 == len(ROWS)
    assert [str(number) for number in range(1, 41)] == [number for number, *_ in ROWS]
    assert f"**{sum(bool(row[-1]) for row in ROWS)} of the 40 can be written" in PAGE


@pytest.mark.parametrize("row", [row for row in ROWS if row[-1]], ids=lambda row: f"{row[0]}")
def test_fixture_of_a_report_is_about_its_rule(row: list[str]) -> None:
    *_, rules, shown = row
    cited = {rule for id in shown.split(", ") for rule in all_fixtures()[id].rules}
    assert cited & {*rules.split(", ")}
    assert {*rules.split(", ")} <= {*rules_by_number()}

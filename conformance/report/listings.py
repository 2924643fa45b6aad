"""Lists of fixtures, properties and rules, as printed by `list`, `show` and `rules`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from conformance.data.rulebook import RuleCoverage, rules_by_number
from conformance.model.scenario import Fixture
from conformance.wording import scenario_text

if TYPE_CHECKING:
    from conformance.properties import Property


def lines_of_list(fixtures: Sequence[Fixture]) -> Iterator[str]:
    """One line for each fixture or property: id, title, rules and sources."""
    ids = max((len(fixture.id) for fixture in fixtures), default=0)
    titles = max((len(fixture.title) for fixture in fixtures), default=0)
    rules = max((len(" ".join(fixture.rules)) for fixture in fixtures), default=0)
    for fixture in fixtures:
        cited, source = " ".join(fixture.rules), " ".join(fixture.source)
        yield f"{fixture.id:{max(ids, 8)}}  {fixture.title:{titles}}  {cited:{rules}}  {source}".rstrip()


def lines_of_property(law: Property[Any], example: Fixture, breakers: Sequence[str]) -> Iterator[str]:
    """A property: its law, rules and needs, the broken engines that break one of its rules, an example."""
    yield f"{law.name}: {law.says}"
    yield from law.remarks
    yield ""
    yield "Rules"
    for rule in law.rules:
        yield f"  CR {rule}: {rules_by_number()[rule].gist}"
    yield "Compared with the reference engine." if law.oracle else "Needs no reference engine."
    if law.needs:
        yield f"Needs an engine that has: {', '.join(sorted(law.needs))}."
    if breakers:
        yield f"Broken engines that break one of these rules: {', '.join(breakers)}."
        yield f"To see what notices them: conformance mutants --by properties {' '.join(breakers)}"
    yield ""
    yield from scenario_text(example).splitlines()
    yield ""


def lines_of_coverage(covered: Sequence[RuleCoverage]) -> Iterator[str]:
    """Each rule with everything that covers it, and totals by kind."""
    for rule in covered:
        yield f"{rule.rule:8} {rule.gist}"
        if rule.fixtures:
            yield from indented_lines(f"fixtures: {', '.join(rule.fixtures)}")
        if rule.properties:
            yield from indented_lines(f"properties: {', '.join(rule.properties)}")
        if rule.why_not:
            yield from indented_lines(f"not applicable: {rule.why_not}")
        if rule.is_gap:
            yield from indented_lines("nothing yet")
    gaps = sum(rule.is_gap for rule in covered)
    why_not = sum(bool(rule.why_not) for rule in covered)
    shown = len(covered) - gaps - why_not
    yield f"{len(covered)} rules: {shown} covered, {why_not} not applicable, {gaps} gaps"


def indented_lines(text: str) -> list[str]:
    """A text wrapped and indented below its rule."""
    margin = " " * 11
    return textwrap.wrap(text, 100, initial_indent=margin, subsequent_indent=margin)

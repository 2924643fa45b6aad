"""Writes docs/properties.md from the properties themselves: `python -m tools properties-page`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.data.rulebook import rules_by_number
from conformance.files.canonical import encode
from conformance.measure.reach import examples_of
from conformance.model.scenario import Fixture, Play
from conformance.properties import PROPERTIES, Property
from conformance.wording import scenario_text
from conformance_adapters.in_process import Reference

PAGE = Path(__file__).resolve().parent.parent / "docs" / "properties.md"
HEAD = """\
# Properties

A property is a law about any scenario of a kind. `conformance run` draws scenarios, plays them on an
engine, and looks for one in which the law is broken; then it makes that as small as it can. Most laws need
nobody who knows the right answer: they change something that must not matter, or that matters in a known
way, and compare what the engine itself shows. The others compare with the reference engine.

    conformance run --property two_switches_cancel --examples 1000

draws more of one. `conformance mutants` shows which broken engines each of them notices. Each example below
is one of the scenarios that the property plays, as the suite tells it.
"""


def section(law: Property[Any]) -> Iterator[str]:
    """What a property says, the rules it rests on, and a small example."""
    yield f"## {law.name}"
    yield ""
    yield law.says + (" Compared with the reference engine." if law.oracle else "")
    yield ""
    for rule in law.rules:
        yield f"- CR {rule}: {rules_by_number()[rule].gist}"
    if law.needs:
        yield f"- An engine needs: {', '.join(sorted(law.needs))}."
    yield ""
    yield "```text"
    yield from example_of(law)
    yield "```"
    yield ""


def example_of(law: Property[Any]) -> list[str]:
    """One of the scenarios that it plays, in words: the smallest of a few that show something."""
    plays = [max(plays, key=size) for plays in examples_of(law, Reference().play, 12) if plays]
    told = scenario_text(Fixture("", "", ("613",), min(plays, key=size)))
    return told.strip(": \n").splitlines()


def size(play: Play) -> int:
    """How much there is to read."""
    return len(encode(play))


def page() -> str:
    """The page as it should be."""
    free = [law for law in PROPERTIES if not law.oracle]
    count = f"There are {len(PROPERTIES)}, of which {len(free)} need no reference engine.\n"
    return "\n".join([HEAD, count, *(line for law in PROPERTIES for line in section(law))]).rstrip() + "\n"


def write() -> Path:
    """Write the page anew, and say where."""
    PAGE.write_text(page(), encoding="utf-8")
    return PAGE

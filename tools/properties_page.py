"""Writes docs/properties.md from the properties themselves: `python -m tools properties-page`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from conformance.properties import PROPERTIES, Property

PAGE = Path(__file__).resolve().parent.parent / "docs" / "properties.md"
HEAD = """\
# Properties

A property is a law about any scenario of a kind. `conformance run` draws scenarios, plays them on an
engine, and looks for one that breaks the law; then it makes that one as small as it can. Most laws need
nobody who knows the right answer: they change something that must not matter, or that matters in a known
way, and compare what the engine itself shows. The others compare with the reference engine.

    conformance show two_switches_cancel
    conformance run --property two_switches_cancel --examples 1000

The first describes a law in full: its rules, what an engine needs for it, what it does not check, the
broken engines that break one of its rules, and an example. The second draws more cases of it.
"""
COLUMNS = "| law | says | rules |\n| --- | --- | --- |"
MARK = "†"


def section(chapter: str, laws: Iterable[Property[Any]]) -> Iterator[str]:
    """A chapter: its subject, what that covers, and a row for each law."""
    subject, _, covers = chapter.partition(": ")
    yield f"## {capitalized(subject).rstrip('.')}"
    yield ""
    if covers:
        yield capitalized(covers)
        yield ""
    yield COLUMNS
    yield from (row(law) for law in laws)
    yield ""


def capitalized(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def row(law: Property[Any]) -> str:
    """The table row of a law."""
    return f"| `{law.name}`{MARK * law.oracle} | {law.says.replace('|', '&#124;')} | {', '.join(law.rules)} |"


def page() -> str:
    """The generated page."""
    compared = sum(law.oracle for law in PROPERTIES)
    count = (
        f"There are {len(PROPERTIES)} laws. The {compared} marked {MARK} compare with the reference engine.\n"
    )
    chapters = groupby(PROPERTIES, lambda law: law.subject)
    lines = [line for chapter, laws in chapters for line in section(chapter, laws)]
    return "\n".join([HEAD, count, *lines]).rstrip() + "\n"


def write() -> Path:
    """Regenerate the page and return its path."""
    PAGE.write_text(page(), encoding="utf-8")
    return PAGE

"""Writes lines for people: coloured and wrapped on a terminal, plain elsewhere."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

from conformance.model.printable import harmless

if TYPE_CHECKING:
    from rich.console import Console

STYLES = {
    "PASS": "green",
    "FAIL": "bold red",
    "PROTOCOL": "bold red",
    "CRASH": "bold red",
    "HANG": "bold red",
    "NONDETERMINISTIC": "bold red",
    "UNSUPPORTED": "yellow",
    "DISPUTED": "yellow",
    "NOT": "yellow",
    "expected": "green",
    "observed": "red",
    "again:": "dim",
}
"""Styles of lines that begin with these words."""
UNBROKEN = ("again:",)
"""Lines that begin with these words are meant to be copied, so they are not wrapped."""
GAP = re.compile(r"\S(  +)(?=\S)")
"""The space between two columns of a line."""


def terminal() -> Console | None:
    """The terminal, or None if stdout is a file or a pipe. Respects NO_COLOR."""
    if not sys.stdout.isatty():
        return None
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def write_lines(lines: Iterable[str], console: Console | None) -> None:
    """Write lines to the terminal, or as plain text."""
    for line in map(harmless, lines):
        if console:
            first = next(iter(line.split(maxsplit=1)), "")
            for part in [line] if first in UNBROKEN else wrapped_lines(line, console.width):
                console.print(part, style=STYLES.get(first), markup=False)
        else:
            encoding = sys.stdout.encoding or "utf-8"
            print(line.encode(encoding, errors="backslashreplace").decode(encoding), flush=True)


def write_error(text: str) -> None:
    """Write lines to stderr."""
    print(harmless(text), file=sys.stderr)


def wrapped_lines(line: str, width: int) -> list[str]:
    """The line, broken into parts that fit; continuation lines align with the last column near the left."""
    if len(line) <= width:
        return [line]
    columns = [gap.end(1) for gap in GAP.finditer(line) if gap.end(1) <= width // 2]
    indent = max(columns, default=len(line) - len(line.lstrip()))
    parts = textwrap.wrap(
        line,
        width,
        subsequent_indent=" " * min(indent, width // 2),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return parts or [line]

"""Text that somebody else wrote, made harmless: for terminals, files and anything that shows them."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 300
"""So much of one text of an engine is shown."""
COMMAND = re.compile(r"^ *:(?=:)|#(?=#\[)")
"""What GitHub takes for a command to itself, to begin a line or in it: `::error::…`, `##[error]…`."""
SHORTENED = re.compile(r" … \((\d+) characters\)$")
"""How a text ends that was shortened; shortened once more it keeps its number."""


def shortened(text: str, longest: int) -> str:
    """A text of which no more than this is kept, with how long it was."""
    if len(text) <= longest:
        return text
    before = SHORTENED.search(text)
    return f"{text[:longest]} … ({before[1] if before else len(text)} characters)"


def printable(text: str, longest: int = LONGEST) -> str:
    """A text of an engine on one line, harmless to a terminal and a CI job's log, and no longer than this."""
    shown = "".join(
        character
        if character == " " or unicodedata.category(character)[0] not in "CZ"
        else character.encode("unicode_escape").decode("ascii")
        for character in text[:longest]
    )
    shown = COMMAND.sub(lambda found: rf"\x{ord(found[0][-1]):x}", shown)
    if len(text) <= longest:
        return shown
    before = SHORTENED.search(text)
    return f"{shown} … ({before[1] if before else len(text)} characters)"


def harmless(text: str) -> str:
    """A text of several lines, each of them harmless to a terminal and a CI job's log."""
    return "\n".join(
        line if line.isprintable() and not COMMAND.search(line) else printable(line, len(line))
        for line in text.split("\n")
    )

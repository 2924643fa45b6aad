"""Makes text from outside harmless for terminals, files and anything that displays them."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 300
"""Maximum number of characters to show of a text from an engine."""
COMMAND = re.compile(r"^ *:(?=:)|#(?=#\[)")
"""What GitHub takes for a workflow command, at the start of a line or in it: `::error::…`, `##[error]…`."""
SHORTENED = re.compile(r" … \((\d+) characters\)$")
"""The ending of a shortened text; shortening it again keeps the number."""


def shortened(text: str, longest: int) -> str:
    """The text, cut to `longest` characters, with its original length at the end."""
    if len(text) <= longest:
        return text
    before = SHORTENED.search(text)
    return f"{text[:longest]} … ({before[1] if before else len(text)} characters)"


def printable(text: str, longest: int = LONGEST) -> str:
    """An engine's text on one line, harmless to terminals and CI logs, of limited length."""
    shown = text[:longest]
    if not shown.isprintable():  # which means the same for a whole text
        shown = "".join(
            character
            if character == " " or unicodedata.category(character)[0] not in "CZ"
            else character.encode("unicode_escape").decode("ascii")
            for character in shown
        )
    shown = COMMAND.sub(lambda found: rf"\x{ord(found[0][-1]):x}", shown)
    if len(text) <= longest:
        return shown
    before = SHORTENED.search(text)
    return f"{shown} … ({before[1] if before else len(text)} characters)"


def harmless(text: str) -> str:
    """A text of several lines, each harmless to terminals and CI logs."""
    return "\n".join(
        line if line.isprintable() and not COMMAND.search(line) else printable(line, len(line))
        for line in text.split("\n")
    )

"""Ranks the sentence patterns that keep the most cards unread, to decide what to support next."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from conformance.reading.cards import Unread

NAMES = r"(?:[A-Z][\w'-]*)"


def pattern_of(line: str) -> str:
    """A line with its details replaced: numbers are N, mana is {M}, subtypes and names are Words."""
    text = re.sub(
        rf"(?<=[a-z,] ){NAMES}(?: {NAMES})*", lambda found: found[0] if found[0] == "X" else "Word", line
    )
    text = re.sub(r"\{[^}]*\}(?:\{[^}]*\})*", "{M}", text)
    return re.sub(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b", "N", text)


class RankedPattern(Struct, frozen=True):
    """A pattern, the number of cards with it, and the number for which nothing else is unread."""

    pattern: str
    cards: int
    alone: int


def ranking(unread: Iterable[Unread]) -> list[RankedPattern]:
    """Patterns by how many cards they alone keep unread, then by how many they keep unread at all."""
    cards: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    for one in unread:
        patterns = {pattern_of(line) for line in one.lines}
        cards.update(patterns)
        if len(patterns) == 1:
            alone.update(patterns)
    ranked = (RankedPattern(pattern, n, alone[pattern]) for pattern, n in cards.items())
    return sorted(ranked, key=lambda one: (-one.alone, -one.cards, one.pattern))

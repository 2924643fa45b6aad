"""Counts the cards that need what the language leaves out, for a table in docs/reading.md.

A card counts in a row if one of its lines is unread and has the row's words; so a card can count in several
rows, and one that is read counts in none. Only counts are written, never the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from conformance.reading import PrintedEntry, Unread, card_read
from conformance.reading.outcome import check_reading
from reference_engine.language.words import OTHER_KEYWORDS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reading.md"
BEGIN, END = "<!-- left out: begin -->\n", "<!-- left out: end -->\n"
WORDS = {
    "mana for face-down, kicked and other such spells": r"spend this mana only[^.]*"
    r"(?:\bturn\b|kicked|equip abilities)",
    "the Ring tempts you": r"\bthe ring tempts\b",
    "Roles": r"\brole token",
    "the initiative and dungeons": r"\binitiative\b|\bventure into\b",
    "suspected creatures": r"\bsuspect",
    "prepared creatures": r"\b(?:un)?prepared\b",
    "effects that begin with the next spell": r"\bnext (?:[\w-]+ (?:or [\w-]+ )?)?spell you cast\b",
    "earthbend, airbend and waterbend": r"\b(?:earth|air|water)bend",
    "endure": r"\bendures?\b",
    "blight": r"\bblights?\b",
    "behold": r"\bbeholds?\b",
    "recruit": r"\brecruits?\b",
    "forage": r"\bforages?\b",
    "collect evidence": r"\bcollect(?:s|ed)? evidence\b",
    "incubate": r"\bincubates?\b",
    "goad": r"\bgoad",
    "power-up": r"\bpower-up\b",
    "mana spent so far this turn (expend)": r"\bexpend\b",
    "crimes": r"\bcrime\b",
    "scrying and exploring as events": r"\bwhenever you scry\b|\bexplores,",
    "a target or permanent at random": r"\btargets? at random\b|permanents at random\b",
    "coins and dice": r"\bflip (?:a|two) coins?\b|\broll (?:a|two|x) ",
    "piles": r"\binto (?:two|2) piles\b",
    "cards from outside the game": r"outside the game",
    "meld": r"\bmeld them\b",
    "battles": r"\bbattles?\b",
    "X cards discarded": r"\bdiscard x cards\b",
    "changed costs of loyalty abilities": r"\bloyalty abilit(?:y|ies) [^.]*\bcosts?\b",
    "no combat damage assigned": r"\bassigns? no combat damage\b",
}
"""What the language leaves out besides keywords, and the words by which an unread line is known."""


def patterns() -> Mapping[str, re.Pattern[str]]:
    """The words of each row."""
    keywords = {
        f"keyword: {word}": rf"(?:^|[,\"(] ?|\b(?:has|have|gains?|with|and) ){re.escape(word)}(?![\w'-])"
        for word in OTHER_KEYWORDS.keys() - {"exhaust"}
    }
    return {name: re.compile(words, re.IGNORECASE) for name, words in (WORDS | keywords).items()}


def cards_left_out(printed: Iterable[PrintedEntry]) -> Counter[str]:
    """The number of unread cards that have the words of each row."""
    rows = patterns()
    found: Counter[str] = Counter()
    names: set[str] = set()
    for one in printed:
        if isinstance(one, str) or one.name in names:
            continue
        names.add(one.name)
        read = check_reading(card_read(one))
        if isinstance(read, Unread):
            found.update(
                name for name, words in rows.items() if any(words.search(line) for line in read.lines)
            )
    return found


def table(found: Mapping[str, int]) -> str:
    """The table, most cards first; what no card has is a list below it."""
    rows = sorted(patterns(), key=lambda name: (-found.get(name, 0), name))
    lines = ["| left out | cards |", "|---|---:|"]
    lines += [f"| {name} | {found[name]} |" for name in rows if found.get(name)]
    none = [name.removeprefix("keyword: ") for name in rows if not found.get(name)]
    return "\n".join([*lines, "", f"On none of the cards: {', '.join(none)}.", ""])


def with_table(page: str, found: Mapping[str, int]) -> str:
    """The page with a new table."""
    before, _, rest = page.partition(BEGIN)
    _, _, behind = rest.partition(END)
    return f"{before}{BEGIN}{table(found)}{END}{behind}"


def write(file: Path) -> Path:
    """Count the cards of a bulk file and rewrite the table."""
    from conformance.reading import printed_cards

    with file.open("rb") as source:
        found = cards_left_out(printed_cards(source, str(file)))
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), found), encoding="utf-8")
    return PAGE

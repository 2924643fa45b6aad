"""Printed cards read into our language: the mirror of `wording`. Imports the checks and all below them.

A grammar parses the lines of a card into a definition. The definition counts only if the text that `wording`
makes from it equals the printed text in the normal form of `normal`. So a card that we word correctly is
never misread; what the grammar or the language cannot express stays unread, and is counted by its pattern.

Read `cards` first, then `abilities` and down to `phrases`, as in `wording`; `grammar` provides the building
blocks of rules, `references` resolves what "it" means, `bulk` reads other people's files, `ranking` counts
what is unread.
"""

from conformance.reading.bulk import PrintedEntry, printed_cards
from conformance.reading.cards import PrintedCard, PrintedFaces, ReadCard, Unread, card_read, reading_of
from conformance.reading.normal import normal_form, normal_text
from conformance.reading.outcome import read_into
from conformance.reading.ranking import RankedPattern, ranking

__all__ = [
    "PrintedCard",
    "PrintedEntry",
    "PrintedFaces",
    "RankedPattern",
    "ReadCard",
    "Unread",
    "card_read",
    "normal_form",
    "normal_text",
    "printed_cards",
    "ranking",
    "read_into",
    "reading_of",
]

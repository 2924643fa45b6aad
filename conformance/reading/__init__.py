"""Printed cards read into our language: the mirror of `wording`.

A grammar reads the lines of a card into a definition, and the definition counts only if the text that
`wording` makes of it equals the printed one in the normal form of `normal`. So what we say rightly is never
read wrongly; what the grammar or the language has no words for stays unread, and is counted by its pattern.

Read `cards` first, then `abilities` and down to `phrases`, as in `wording`; `grammar` is what rules are made
of, `references` settles what "it" means, `bulk` reads the files of others, `ranking` counts what is unread.
"""

from conformance.reading.bulk import printed_cards
from conformance.reading.cards import Printed, Unread, card_read
from conformance.reading.normal import normal_form, normal_text
from conformance.reading.outcome import read_into
from conformance.reading.ranking import Ranked, ranking

__all__ = [
    "Printed",
    "Ranked",
    "Unread",
    "card_read",
    "normal_form",
    "normal_text",
    "printed_cards",
    "ranking",
    "read_into",
]

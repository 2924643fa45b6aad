"""The rules that a text cites."""

from __future__ import annotations

import re
from functools import lru_cache

CITATION = re.compile(r"\bCR (\d{3}(?:\.\d+[a-z]*)?(?:(?:,| and) \d{3}\.\d+[a-z]*)*)")
"""One rule, or several: `CR 613.8b: …`, `CR 120.1a, 702.15b: …`."""
NUMBER = re.compile(r"\d{3}(?:\.\d+[a-z]*)?")


@lru_cache(maxsize=10_000)
def rules_cited(text: str) -> tuple[str, ...]:
    """The numbers of the rules that a text cites, each once, in its order."""
    return tuple(
        dict.fromkeys(rule for citation in CITATION.findall(text) for rule in NUMBER.findall(citation))
    )


def rules_cited_first(text: str) -> tuple[str, ...]:
    """The numbers of the rules in the first citation of a text: of one rule, or of several together."""
    first = CITATION.search(text)
    return tuple(NUMBER.findall(first[1])) if first else ()

"""Finds the manner in which an ability is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from conformance.wording.manner import AS_USUAL, PLAIN_MANNER, Again, Connective, Manner, Transition

MOST_WORDS_APART = 30
"""Two manners of one text never differ by more words than this."""
MOST_TURNS = 5
MOST_CHANGES = 3
JOINED: tuple[Connective, ...] = (" and ", ", then ")
LINKS: tuple[Connective | None, ...] = (None, ". ", ". Then ", *JOINED)
AGAIN: tuple[Again | None, ...] = (None, "it", "again", "once")
TURNS = (
    *(Transition(link, spoken) for link, spoken in product(LINKS, AGAIN)),
    *(Transition(link, spoken, same_subject=True) for link, spoken in product(JOINED, AGAIN)),
)
FIRST_TURNS = tuple(Transition(None, spoken) for spoken in AGAIN if spoken)


def manner_of(wanted: str, said: Callable[[Manner], str]) -> Manner | None:
    """The manner that words an ability exactly like this, if there is one.

    Searches from the beginning of the text: for each choice, the option that makes the longest prefix equal.
    """
    start = MannerText(PLAIN_MANNER, said(PLAIN_MANNER))
    if words_apart(start.text, wanted) > MOST_WORDS_APART:
        return None

    def nearest(best: MannerText, others: Iterable[Manner]) -> MannerText:
        """The first of these that is worded as wanted, or else the one with the longest equal prefix."""
        for other in others:
            if best.text == wanted:
                break
            found = MannerText(other, said(other))
            if common_prefix_length(found.text, wanted) > common_prefix_length(best.text, wanted):
                best = found
        return best

    def changed(best: MannerText) -> MannerText:
        """The nearest that a few changes of the other choices lead to."""
        for _ in range(MOST_CHANGES):
            before, best = best, nearest(best, (replace(best.manner, **change) for change in CHANGES))
            if best is before:
                break
        return best

    best = changed(start)
    for number in range(MOST_TURNS):
        before, best = best, nearest(best, with_turn(best.manner, number))
        if best is not before:
            best = changed(best)
    return best.manner if best.text == wanted else None


class MannerText(Struct, frozen=True):
    """A manner, and the text in that manner."""

    manner: Manner
    text: str


def with_turn(manner: Manner, number: int) -> Iterator[Manner]:
    """Variants of a manner with another transition at this place."""
    as_usual = (AS_USUAL,) * (number - len(manner.turns))
    for turn in TURNS if number else FIRST_TURNS:
        yield replace(manner, turns=(*manner.turns, *as_usual, turn))


CHANGES: tuple[dict[str, Any], ...] = (
    {"behind": True},
    {"in_front": True},
    {"every": True},
    {"every": False},
    {"you": True},
    {"each": True},
    {"creating": True},
    {"letters": True},
    {"equal": "before"},
    {"equal": "after"},
    {"returned": True},
    {"apart": True},
    {"attacking": True},
    {"choosing": True},
    {"having": True},
    {"stated": True},
    {"artifact_creature": True},
    {"still": True},
    {"still": True, "having": True},
    {"through": True},
    {"together": True},
    {"that_player": True},
    {"casting": True},
    {"opponents": True},
    {"perfect": True},
    {"doubling": True},
    {"when": "when"},
    {"when": "whenever"},
)
"""The other choices of a manner, in the order in which they are tried."""


def common_prefix_length(one: str, other: str) -> int:
    """Length of the common prefix of two texts."""
    for index, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return index
    return min(len(one), len(other))


def words_apart(one: str, other: str) -> int:
    """Number of words that only one of the two texts has."""
    ours, theirs = Counter(one.split()), Counter(other.split())
    return (ours - theirs).total() + (theirs - ours).total()

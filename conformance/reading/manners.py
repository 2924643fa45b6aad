"""Finds the manner in which an ability is printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product

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
    manner, text = PLAIN_MANNER, said(PLAIN_MANNER)
    if words_apart(text, wanted) > MOST_WORDS_APART:
        return None
    for number in range(-1, MOST_TURNS):
        before, best = text, manner
        changed = False
        for turn in () if number < 0 else TURNS if number else FIRST_TURNS:
            other = replace(manner, turns=(*manner.turns, *[AS_USUAL] * (number - len(manner.turns)), turn))
            found = said(other)
            if found == wanted:
                return other
            changed |= found != before
            if common_prefix_length(found, wanted) > common_prefix_length(text, wanted):
                best, text = other, found
        manner = best
        if number > 0 and not changed:
            return None
        for _ in range(MOST_CHANGES if number < 0 or text != before else 0):
            before, start = text, manner
            for other in manners_with_one_change(start):
                found = said(other)
                if found == wanted:
                    return other
                if common_prefix_length(found, wanted) > common_prefix_length(text, wanted):
                    manner, text = other, found
            if text == before:
                break
    return None


def manners_with_one_change(manner: Manner) -> Iterator[Manner]:
    """Variants of a manner with one of its other choices changed."""
    yield replace(manner, behind=True)
    yield replace(manner, in_front=True)
    yield replace(manner, every=True)
    yield replace(manner, every=False)
    yield replace(manner, you=True)
    yield replace(manner, each=True)
    yield replace(manner, creating=True)
    yield replace(manner, letters=True)
    yield replace(manner, equal="before")
    yield replace(manner, equal="after")
    yield replace(manner, returned=True)
    yield replace(manner, apart=True)
    yield replace(manner, attacking=True)
    yield replace(manner, choosing=True)
    yield replace(manner, having=True)
    yield replace(manner, stated=True)
    yield replace(manner, artifact_creature=True)
    yield replace(manner, still=True)
    yield replace(manner, still=True, having=True)
    yield replace(manner, through=True)
    yield replace(manner, that_player=True)
    yield replace(manner, casting=True)
    yield replace(manner, opponents=True)
    yield replace(manner, perfect=True)
    yield replace(manner, when="when")
    yield replace(manner, when="whenever")


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

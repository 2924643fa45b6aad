"""Words of the language of cards and the places in which no check has them.

A rule that holds for a word in one place is easily forgotten in another: an instruction in a delayed ability,
an effect with another duration, a description of what a cost takes. `python -m tools unmet-pairs` prints, for
each word, the places that other words of its kind have and this one has in no check. Not each of these pairs
has a meaning; those that have are situations in which no check would notice a mistake.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct

from conformance.data.library import all_fixtures
from conformance.measure.corpus import corpus
from conformance.model.card_parts import once_for_each
from conformance.model.features import tag_of
from reference_engine.language.cards import (
    Card,
    CostKind,
    Effect,
    EventKind,
    Filter,
    InstructionKind,
    OperationKind,
    Static,
)

Pair = tuple[str, str, str]
"""A kind of words, a word, and the place where it stands."""
FRAMES = frozenset(
    {
        *("is spell", "is activated", "is triggered", "is static", "is as_enters"),
        *(
            "then later",
            "then when_you_do",
            "then may",
            "then if",
            "then for_each",
            "then one_of",
            "op would",
        ),
    }
)
"""The tags of what says when something is done."""
KINDS: Mapping[type[Struct], str] = {InstructionKind: "instructions", CostKind: "costs", EventKind: "events"}
"""The kinds of words that stand in a frame."""


def pairs_in(part: object, frame: str = "", lasts: str = "", place: str = "") -> Iterator[Pair]:
    """The pairs within a part of a card, which stands in this frame, lasts so long, and has this place."""
    if isinstance(part, tuple | frozenset):
        for one in part:
            yield from pairs_in(one, frame, lasts, place)
        return
    if not isinstance(part, Struct):
        return
    tag = tag_of(part)
    if isinstance(part, Filter):
        yield from (("descriptions", key, place) for key in keys_of(part))
    elif isinstance(part, OperationKind):
        yield "operations", tag, lasts
    else:
        yield from ((kind, tag, frame) for base, kind in KINDS.items() if isinstance(part, base))
    if isinstance(part, Effect):
        lasts = part.until
    elif isinstance(part, Static):
        lasts = "static"
    if tag in FRAMES:
        frame = tag
    for field in part.__struct_fields__:
        inner = getattr(part, field)
        yield from pairs_in(inner, frame, lasts, place if isinstance(part, Filter) else f"{tag}: {field}")


def keys_of(described: Filter) -> Iterator[str]:
    """The keys that a description uses."""
    return (key for key in described.__struct_fields__ if getattr(described, key) not in NOTHING_SAID)


NOTHING_SAID: tuple[object, ...] = (None, (), frozenset(), False)


@once_for_each
def pairs_of_card(card: Card) -> frozenset[Pair]:
    """All pairs of a card."""
    return frozenset(pairs_in(card))


def all_met() -> Mapping[Pair, int]:
    """The number of checks that have each pair."""
    counted: Counter[Pair] = Counter()
    for one in (*all_fixtures().values(), *corpus().values()):
        counted.update(frozenset[Pair]().union(*(pairs_of_card(card.definition) for card in one.play.cards)))
    return counted


def report(found: Mapping[Pair, int]) -> Iterator[str]:
    """For each word the places where no check has it, and for each kind how many pairs are there."""
    for kind in sorted({kind for kind, _, _ in found}):
        pairs = {(word, place): number for (one, word, place), number in found.items() if one == kind}
        words, places = (sorted({pair[which] for pair in pairs}) for which in (0, 1))
        missing: dict[str, list[str]] = defaultdict(list)
        for word in words:
            missing[word] += [place for place in places if (word, place) not in pairs]
        yield f"{kind}:"
        yield from (f"  {word}: not in {'; '.join(some)}" for word, some in missing.items() if some)
        once = sum(number == 1 for number in pairs.values())
        none = len(words) * len(places) - len(pairs)
        met = f"{len(pairs)} pairs are met, {once} of them once; {none} are not"
        yield f"  {len(words)} words in {len(places)} places: {met}"

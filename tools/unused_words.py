"""Words of the language of scenarios that no fixture and no stored scenario uses.

Many fields of cards, actions and setups take one word of a list: a kind of counter, a step, a keyword that is
asked for. `python -m tools unused-words` prints, for each such field, the words that never stand there, or in
one check only. What an engine makes of them, no check would notice.
"""

from __future__ import annotations

import typing
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType

from msgspec import Struct

from conformance.data.library import all_fixtures
from conformance.measure.corpus import corpus
from conformance.model.card_parts import parts_with_places
from conformance.model.scenario import Play
from conformance.model.struct_types import types_of
from reference_engine.language import actions, cards, setup

Place = tuple[str, str]
"""A type and a field of it."""
FEW = 1
"""Words in at most this many checks are printed."""


def places(*modules: ModuleType) -> dict[Place, frozenset[str]]:
    """The words that each field of the language takes, if it takes words of a list."""
    found: dict[Place, frozenset[str]] = {}
    for module in modules or (cards, actions, setup):
        for kind in vars(module).values():
            if isinstance(kind, type) and issubclass(kind, Struct) and kind.__module__ == module.__name__:
                for field, of in types_of(kind).items():
                    if words := frozenset(words_in(of)):
                        found[kind.__name__, field] = words
    return found


def words_in(annotation: object) -> Iterator[str]:
    """The words of the lists in a type."""
    if typing.get_origin(annotation) is typing.Literal:
        yield from (word for word in typing.get_args(annotation) if isinstance(word, str))
    else:
        for part in typing.get_args(annotation):
            yield from words_in(part)


def words_used(play: Play) -> set[tuple[Place, str]]:
    """The words that stand in the fields of a scenario, each with its place."""
    found: set[tuple[Place, str]] = set()
    for _, part in parts_with_places(play):
        for field in part.__struct_fields__:
            value = getattr(part, field)
            words = value if isinstance(value, tuple | frozenset) else (value,)
            found |= {((type(part).__name__, field), word) for word in words if isinstance(word, str)}
    return found


def uses() -> Mapping[tuple[Place, str], int]:
    """The number of checks that use each word in each place."""
    counted: Counter[tuple[Place, str]] = Counter()
    for fixture in (*all_fixtures().values(), *corpus().values()):
        counted.update(words_used(fixture.play))
    return counted


def report(known: Mapping[Place, Iterable[str]], used: Mapping[tuple[Place, str], int]) -> Iterator[str]:
    """The words that at most one check uses, field by field, and how many words there are."""
    few: dict[int, dict[Place, list[str]]] = defaultdict(dict)
    for place, words in sorted(known.items()):
        for word in sorted(words):
            number = used.get((place, word), 0)
            if number <= FEW:
                few[number].setdefault(place, []).append(word)
    for number, title in ((0, "in no check"), (1, "in one check")):
        yield f"{title}:"
        yield from (f"  {kind}.{field}: {', '.join(words)}" for (kind, field), words in few[number].items())
    total = sum(len([*words]) for words in known.values())
    never, once = (sum(map(len, few[number].values())) for number in (0, 1))
    yield f"{total} words in {len(known)} fields, {never} in no check, {once} in one"

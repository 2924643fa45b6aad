"""Broken engines that ignore one word of the language of cards: a keyword, an operation, a cost.

Such an engine is the reference engine playing cards from which the word is gone, wherever it occurs in a list
of abilities, operations or instructions. `python -m tools ignored-words` counts for each word the fixtures
and stored scenarios that notice, up to two. Only scenarios whose cards have the word are played.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition
from conformance.measure.corpus import corpus
from conformance.model.card_parts import parts_with_places
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play
from conformance.model.verdict import PassVerdict, judge
from conformance.play.runner import answer_to, has_expectations
from conformance_adapters.in_process import Reference
from reference_engine.language.cards import Keyword

ENOUGH = 2
"""Number of checks to look for per word."""
_Part = TypeVar("_Part")


def word_of(part: object) -> str:
    """The word that a part of a card stands for; empty if it has no word of its own."""
    if isinstance(part, Keyword):
        return f"keyword {part.keyword}"
    config = part.__struct_config__ if isinstance(part, Struct) else None
    return f"{config.tag_field} {config.tag}" if config and config.tag_field else ""


def without_word(value: _Part, word: str) -> _Part:
    """A piece of a card with a word removed from its lists."""
    if isinstance(value, tuple):
        kept = (without_word(member, word) for member in value if word_of(member) != word)
        return tuple(kept)  # type: ignore[return-value]  # the same kind of tuple
    if isinstance(value, Struct):
        fields = {name: without_word(getattr(value, name), word) for name in value.__struct_fields__}
        changed = {name: new for name, new in fields.items() if new != getattr(value, name)}
        return replace(value, **changed) if changed else value
    return value


def words_in_lists(play: Play) -> Iterator[str]:
    """The words that the cards of a scenario have in lists."""
    words = {word_of(part) for _, part in parts_with_places(play.cards)} - {""}
    yield from (word for word in sorted(words) if without_word(play.cards, word) != play.cards)


def notices(fixture: Fixture, word: str) -> bool:
    """Whether a fixture fails on an engine that ignores a word; a scenario that becomes invalid does not
    count.
    """
    play = replace(fixture.play, cards=without_word(fixture.play.cards, word))
    try:
        answer = answer_to(Reference(), play)
    except ScenarioError:
        return False
    return not isinstance(judge(fixture, answer, newest_edition()), PassVerdict)


def scored_checks() -> Iterator[Fixture]:
    """The fixtures and stored scenarios that an engine is scored by."""
    for fixture in (*all_fixtures().values(), *corpus().values()):
        if has_expectations(fixture, newest_edition()) and not fixture.disputed:
            yield fixture


def words_noticed() -> dict[str, Sequence[str]]:
    """For each word that some scenario has, up to two checks that notice when it is ignored."""
    having: dict[str, list[Fixture]] = defaultdict(list)
    for fixture in scored_checks():
        for word in words_in_lists(fixture.play):
            having[word].append(fixture)
    found: dict[str, Sequence[str]] = {}
    for word, fixtures in sorted(having.items()):
        noticing = (fixture.id for fixture in fixtures if notices(fixture, word))
        found[word] = [id for _, id in zip(range(ENOUGH), noticing, strict=False)]
    return found


def report(found: dict[str, Sequence[str]]) -> Iterator[str]:
    """The number of words that are noticed, and the words that no check or only one check notices."""
    once, twice = (sum(len(checks) >= n for checks in found.values()) for n in (1, ENOUGH))
    yield f"{len(found)} words, {once} noticed, {twice} of them twice"
    for word, checks in found.items():
        if len(checks) < ENOUGH:
            yield f"{word}: {', '.join(checks) or 'nothing notices'}"

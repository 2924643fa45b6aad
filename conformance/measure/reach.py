"""Measures how often awkward situations occur in what the properties draw, and how often they must.

A law that never meets a loop says nothing about loops. An example is all the plays that a property makes of
one case; a situation occurs in it if it occurs in any of them.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from msgspec import Struct

from conformance.files.canonical import encode
from conformance.model.engine import CannotPlay
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play
from conformance.properties.law import Broken, PlayFunction, Property
from conformance.properties.tale import Claim
from conformance.strategies.draws import constants_left_out
from conformance.strategies.means import EVERYTHING, Means
from conformance.strategies.meetings import MeetingKind, kinds_for, kinds_of_meeting
from conformance.strategies.situation import Situation
from reference_engine.language.cards import Card


class SituationRate(Struct, frozen=True):
    """How often a situation occurred, per thousand examples."""

    situation: Situation
    per_thousand: float

    @property
    def is_enough(self) -> bool:
        """Whether it occurred often enough."""
        return self.per_thousand >= self.situation.floor


def situation_rates(
    situations: Sequence[Situation],
    properties: Sequence[Property[Any]],
    play: PlayFunction,
    *,
    examples: int,
    seed: int = 0,
    means: Means = EVERYTHING,
    told: Callable[[Property[Any]], None] = lambda law: None,
    keep: Callable[[Play], None] = lambda play: None,
) -> Iterator[SituationRate]:
    """How often each situation occurs when each property draws this many examples; `keep` gets every play."""

    def drawn() -> Iterator[tuple[Play, ...]]:
        for law in properties:
            told(law)
            for plays in examples_of(law, play, examples, seed, means):
                for one_play in plays:
                    keep(one_play)
                yield plays

    return rates_among(situations, drawn())


def rates_among(
    situations: Sequence[Situation], drawn: Iterable[tuple[Play, ...]]
) -> Iterator[SituationRate]:
    """How often each situation occurs among examples that have been drawn."""
    found: Counter[str] = Counter()
    many = 0
    for plays in drawn:
        many += 1
        there: set[str] = set()
        for one_play in plays:
            # All situations of one play in turn, since each of them asks for the same game of it.
            there.update(one.name for one in situations if one.name not in there and one.holds(one_play))
        found.update(there)
    for situation in situations:
        yield SituationRate(situation, 1000 * found[situation.name] / max(1, many))


class RealCardReach(Struct, frozen=True):
    """The real cards that were played, the pairs of them that met, and the kinds of their meetings."""

    cards: frozenset[str]
    pairs: int
    kinds: int
    of_kinds: int

    def __str__(self) -> str:
        return (
            f"{len(self.cards)} real cards played; {self.pairs} pairs of them met, in {self.kinds} of "
            f"{self.of_kinds} ways"
        )


def real_card_reach(plays: Iterable[Play], means: Means = EVERYTHING) -> RealCardReach:
    """The reach of these plays: their real cards in a hand or on the battlefield, and how these meet."""
    cards: set[str] = set()
    pairs: set[frozenset[str]] = set()
    kinds: set[MeetingKind] = set()
    for play in plays:
        there = real_cards_in_use(play)
        cards.update(there)
        for one, other in combinations(there.values(), 2):
            if found := kinds_of_meeting(one, other):
                pairs.add(frozenset((one.name, other.name)))
                kinds |= found
    return RealCardReach(frozenset(cards), len(pairs), len(kinds), len(kinds_for(means)))


def real_cards_in_use(play: Play) -> dict[str, Card]:
    """The real cards in a hand or on the battlefield, by name."""
    real = {card.definition.name: card.definition for card in play.cards if card.real}
    held = {id for player in play.players for id in player.hand}
    held |= {entry.id for arrival in play.setup for entry in arrival.entries}
    return {thing.card: real[thing.card] for thing in play.objects if thing.id in held and thing.card in real}


def examples_of(
    law: Property[Any],
    play: PlayFunction,
    many: int,
    first: int = 0,
    means: Means = EVERYTHING,
    strict: bool = False,
) -> list[tuple[Play, ...]]:
    """The plays of each of `many` examples of a property; if `strict`, the property must hold."""
    return [plays for _, plays in cases_of(law, play, many, first, means, strict)]


def readable_example(law: Property[Any], play: PlayFunction, many: int = 12) -> Fixture:
    """An example of a property: the smallest of a few that show something.

    Of several plays that the law compares, it is the largest. If the law is a claim, it has expectations.
    """
    drawn = [(max(plays, key=size), len(plays), case) for case, plays in cases_of(law, play, many) if plays]
    largest, of, case = min(drawn, key=lambda one: size(one[0]))
    expect = case.expect if isinstance(case, Claim) else ()
    note = f"One of the {of} scenarios that the law compares in this case." if of > 1 else ""
    return Fixture("An example", "An example", law.rules, largest, expect, note=note)


def size(play: Play) -> int:
    """The length of a play in bytes, which stands for how much there is to read."""
    return len(encode(play))


def cases_of(
    law: Property[Any],
    play: PlayFunction,
    many: int,
    first: int = 0,
    means: Means = EVERYTHING,
    strict: bool = False,
) -> list[tuple[Any, tuple[Play, ...]]]:
    """Each of `many` cases of a property and what the property plays in it."""
    drawn: list[tuple[Any, tuple[Play, ...]]] = []

    @seed(first)
    @settings(
        max_examples=many,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),  # slow or rarely drawn cases are counted, not refused
    )
    @given(law.cases(means))
    def draw(case: Any) -> None:
        plays: list[Play] = []

        def recording(scenario: Play) -> Observations:
            plays.append(scenario)
            return play(scenario)

        with contextlib.suppress(*(() if strict else (Broken, CannotPlay, ScenarioError))):
            law(recording, case)
        drawn.append((case, tuple(plays)))

    with constants_left_out():
        draw()
    return drawn

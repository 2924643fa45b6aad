"""Games of real cards that meet: what one of them does is what the other asks about.

A kind of meeting is a deed and a question: a card that makes tokens meets one that waits for what enters, a
card that changes types meets one that affects creatures, two that set sizes meet in their sublayer. Kinds
come in turn, so that each is played before any is repeated; within a kind, the least played cards come first.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple, NoReturn, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec.structs import replace

from conformance.data.catalogue import catalogue
from conformance.model.card_parts import once_for_each, parts_of_card
from conformance.model.features import features_of_card, tag_of
from conformance.model.scenario import Play
from conformance.strategies.cards import known_cards, plainness, stands_alone
from conformance.strategies.encounters import reads_of, things_for
from conformance.strategies.means import EVERYTHING, Means
from conformance.strategies.scripts import (
    FreshIds,
    HeldCard,
    Permanent,
    ScriptWalk,
    SeatedPlayer,
    possible_play,
    table,
)
from reference_engine.language.cards import Card, Effect, Operation, Part
from reference_engine.layers.effects import writes

_Something = TypeVar("_Something")
MOST_ACTIONS = 16
MOST_COMPANY = 40
"""Number of permanents to choose a card's company from: the plainest of those that it affects."""

CAUSES: Mapping[str, tuple[str, ...]] = {
    "then damage": ("on deals_damage", "on dies"),
    "then draw": ("on draws",),
    "then discard": ("on discards", "on put_into_graveyard"),
    "then gain_life": ("on gains_life",),
    "then destroy": ("on dies", "on leaves"),
    "then exile": ("on leaves",),
    "then sacrifice": ("on dies", "on leaves"),
    "then counter": ("on countered",),
    "then put_counters": ("on gets_counters",),
    "then tap": ("on becomes_tapped",),
    "then untap": ("on becomes_untapped",),
    "then turn": ("on turned_up",),
    "then transform": ("on transforms",),
    "then put": ("on enters", "on leaves", "on put_into_graveyard"),
    "then create": ("on enters",),
    "then search": ("on enters",),
    "then add_mana": ("on tapped_for_mana",),
    "then exchange_control": ("on loses_control",),
    "then attach": ("on becomes_unattached",),
    "then extra_turn": ("on beginning",),
    "op control": ("on loses_control",),
    "is activated": ("on activates",),
    "TargetSpec": ("on becomes_target",),
}
"""The events that an instruction or operation causes, among those that abilities wait for."""

MeetingKind = tuple[str, str]
"""A deed, and the question about it: the tag of an event, an aspect of a look, or another deed."""


class CardMeeting(NamedTuple):
    """Two cards that meet, and how."""

    kind: MeetingKind
    one: Card
    other: Card


@once_for_each
def deeds(card: Card) -> frozenset[MeetingKind]:
    """What a card does: each deed with what may be asked about it."""
    found: set[MeetingKind] = {(f"casts {kind}", "on cast") for kind in card.types if kind != "Land"}
    for _, part in parts_of_card(card):
        tag = tag_of(part)
        found |= {(tag, event) for event in CAUSES.get(tag, ())}
        if isinstance(part, Part | Effect):
            found |= {(tag_of(operation), aspect) for operation in part.does for aspect in changes(operation)}
    return frozenset(found)


def changes(operation: Operation) -> Iterator[str]:
    """The aspects that an operation changes, and the sublayer that it works in."""
    yield from writes(operation)
    if operation.layer != "rules":
        yield f"layer {operation.layer}"


@once_for_each
def questions(card: Card) -> frozenset[str]:
    """What a card asks about: the events that it waits for, what it reads, and the sublayers it works in."""
    found = {tag_of(part) for _, part in parts_of_card(card) if tag_of(part).startswith("on ")}
    return frozenset(
        found | reads_of(card) | {about for _, about in deeds(card) if about.startswith("layer ")}
    )


def kinds_of_meeting(one: Card, other: Card) -> frozenset[MeetingKind]:
    """The ways in which two cards meet, whichever of them acts and whichever asks."""
    return frozenset(
        kind
        for doer, asker in ((one, other), (other, one))
        for kind in deeds(doer)
        if kind[1] in questions(asker)
    )


# --------------------------------------------------------------------------------------- in turn


class KindOfMeeting(NamedTuple):
    """A kind of meeting, the cards that do this, and those that ask about it."""

    kind: MeetingKind
    doers: tuple[Card, ...]
    askers: tuple[Card, ...]


def real_cards_for(means: Means) -> tuple[Card, ...]:
    """The real cards that can be played on an engine, plain ones first."""
    there = known_cards(means)
    names = {card.name for card in there}
    more = (catalogue()[name] for name in catalogue() if name not in names) if there else ()
    able = (
        card for card in (*there, *more) if card.back is None and not features_of_card(card) & means.lacks
    )
    return tuple(sorted(able, key=plainness))


@cache
def kinds_for(means: Means) -> tuple[KindOfMeeting, ...]:
    """Every kind of meeting between real cards that can be played on an engine."""
    doers: defaultdict[MeetingKind, list[Card]] = defaultdict(list)
    askers: defaultdict[str, list[Card]] = defaultdict(list)
    for card in real_cards_for(means):
        for kind in deeds(card):
            doers[kind].append(card)
        for question in questions(card):
            askers[question].append(card)
    return tuple(
        KindOfMeeting(kind, tuple(doers[kind]), tuple(askers[kind[1]]))
        for kind in sorted(doers)
        if any(asker is not doer for asker in askers[kind[1]] for doer in doers[kind][:2])
    )


class MeetingSchedule:
    """Gives each drawn number the next meeting in turn; the same number always gets the same meeting."""

    def __init__(self, kinds: tuple[KindOfMeeting, ...]) -> None:
        self._kinds = kinds
        self._given: dict[bytes, CardMeeting] = {}
        self._turn: int | None = None
        self._played: Counter[str] = Counter()
        self._met: set[frozenset[str]] = set()

    def of(self, number: bytes) -> CardMeeting:
        """The meeting for this number."""
        if number not in self._given:
            if self._turn is None and any(number):
                self._turn = int.from_bytes(number) % len(self._kinds)  # each seed starts elsewhere
            self._given[number] = self._next(self._kinds[(self._turn or 0) % len(self._kinds)])
            self._turn = None if self._turn is None else self._turn + 1
        return self._given[number]

    def _next(self, kind: KindOfMeeting) -> CardMeeting:
        """The two least played cards of a kind, preferably two that have not met before."""
        one = min(kind.doers, key=self._times)
        others = [card for card in kind.askers if card is not one]
        if not others:
            one = min((card for card in kind.doers if card is not kind.askers[0]), key=self._times)
            others = [*kind.askers]
        other = min(
            others, key=lambda card: (frozenset((one.name, card.name)) in self._met, self._times(card))
        )
        self._met.add(frozenset((one.name, other.name)))
        self._played.update((one.name, other.name))
        return CardMeeting(kind.kind, one, other)

    def _times(self, card: Card) -> int:
        return self._played[card.name]


# --------------------------------------------------------------------------------------- the games


def meetings(means: Means = EVERYTHING) -> SearchStrategy[Play]:
    """Games of two real cards that meet, among others that they affect.

    A case is a single number, from which the rest follows, because Hypothesis would otherwise repeat the
    cards of a case with another script. A counterexample is made smaller as a scenario.
    """
    kinds = kinds_for(means)
    schedule = MeetingSchedule(kinds)

    def game(number: bytes) -> Play:
        meeting = schedule.of(number)
        return game_with((meeting.one, meeting.other), random.Random(number), means)

    return st.binary(min_size=6, max_size=6).map(game) if kinds else st.nothing()


class DicedWalk(ScriptWalk):
    """A walk that rolls dice instead of drawing from strategies."""

    def __init__(self, dice: random.Random, play: Play, means: Means) -> None:
        super().__init__(never_drawn, play, means)  # type: ignore[arg-type]  # no strategy is drawn
        self.dice = dice

    def pick(self, options: Sequence[_Something]) -> _Something:
        """Pick one of several options at random."""
        return self.dice.choice(options)

    def number(self, least: int, most: int) -> int:
        """A random number."""
        return self.dice.randint(least, most)


def game_with(cards: Iterable[Card], dice: random.Random, means: Means = EVERYTHING) -> Play:
    """A game that the reference engine plays to its end, in which these real cards are on the battlefield or
    in a hand, with what they may affect.
    """
    called = FreshIds()
    every = tuple(cards)
    company = things_for(means, frozenset(every))
    plain = company[0]
    players = ("alice", "bob")
    permanents = [
        Permanent(called.of(card), card, player)
        for player in players
        for card in dict.fromkeys((plain, dice.choice(company[:MOST_COMPANY])))
    ]
    hands: dict[str, list[HeldCard]] = {player: [] for player in players}
    for card in every:
        player = dice.choice(("alice", "alice", "alice", "bob"))
        if stands_by_itself(card) and dice.random() < 0.5:
            permanents.append(Permanent(called.of(card), card, player))
        else:
            hands[player].append(HeldCard(called.of(card), card))
    seated = [
        SeatedPlayer(
            player,
            hand=hands[player],
            library=[HeldCard(called.of(plain), plain) for _ in range(3)],
            graveyard=[HeldCard(called.of(plain), plain)],
        )
        for player in players
    ]
    play = possible_play(table(seated, permanents, dice.choice(("alice", "alice", "bob"))))
    walk = DicedWalk(dice, play, means)
    walk.walk(MOST_ACTIONS)
    return replace(play, script=tuple(walk.script))


def stands_by_itself(card: Card) -> bool:
    """Whether a card can begin on the battlefield without being attached, chosen for or counted down."""
    return stands_alone(
        replace(card, abilities=tuple(one for one in card.abilities if not waits(one))), frozenset()
    )


def waits(ability: object) -> bool:
    """Whether an ability only waits for an event, and so needs nothing as the game begins."""
    return tag_of(ability) == "is triggered"  # type: ignore[arg-type]  # abilities are structs


def never_drawn(strategy: object) -> NoReturn:
    """Fail: a walk that rolls dice draws nothing."""
    raise AssertionError(f"dice decide, and not {strategy}")

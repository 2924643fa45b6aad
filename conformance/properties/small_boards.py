"""Small boards for laws, and small edits of them; and for which engines there are such cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec.structs import replace

from conformance.model.scenario import Play
from conformance.properties.law import Cases
from conformance.strategies.cards import in_play
from conformance.strategies.means import Means
from reference_engine.language.actions import Action, CastAction, ChooseAction, Resolve
from reference_engine.language.cards import Card
from reference_engine.language.setup import Arrival, Entry, Object, Player, Start

_Case = TypeVar("_Case")


class Deal(NamedTuple):
    """What a law says nothing about: who controls the permanents, whose turn it is, who sits where."""

    controllers: tuple[str, ...] = ("alice",)
    seats: tuple[str, ...] = ("alice", "bob")
    turn: str = "alice"


DEALS = (
    Deal(),
    Deal(seats=("bob", "alice")),
    Deal(("bob",)),
    Deal(("alice", "bob")),
    Deal(("bob", "alice"), turn="bob"),
    Deal(("alice", "bob", "bob"), ("bob", "alice")),
)
deals = st.sampled_from(DEALS)


def board_with(*cards: tuple[str, Card], deal: Deal = DEALS[0]) -> Play:
    """A board on which these entered in this order."""
    players = deal.controllers
    controllers = [players[number % len(players)] for number in range(len(cards))]
    return Play(
        players=tuple(Player(name) for name in deal.seats),
        start=Start(deal.turn),
        cards=tuple(in_play(card) for card in {card.name: card for _, card in cards}.values()),
        objects=tuple(Object(id, card.name, by) for (id, card), by in zip(cards, controllers, strict=True)),
        setup=tuple(Arrival((Entry(id, by),)) for (id, _), by in zip(cards, controllers, strict=True)),
    )


def entered_in(play: Play, order: Sequence[int]) -> Play:
    """The play with its permanents entering in another order."""
    return replace(play, setup=tuple(play.setup[number] for number in order))


def with_entry(play: Play, id: str, **fields: object) -> Play:
    """The play with one permanent entering in another way."""

    def changed(arrival: Arrival) -> Arrival:
        return replace(
            arrival,
            entries=tuple(replace(one, **fields) if one.id == id else one for one in arrival.entries),
        )

    return replace(play, setup=tuple(changed(arrival) for arrival in play.setup))


def entering_as_copy(play: Play, id: str, original: str) -> Play:
    """The play with one permanent entering as a copy of another, as its controller chooses."""
    [controller] = [entry.controller for arrival in play.setup for entry in arrival.entries if entry.id == id]
    return with_entry(play, id, choices=(ChooseAction("copy", controller, (original,)),))


def with_card_in(play: Play, zone: str, id: str, card: Card, owner: str) -> Play:
    """The play with one more card in a player's hand, library, graveyard or exile, on top."""
    known = {one.definition.name for one in play.cards}
    return replace(
        play,
        players=tuple(
            replace(seat, **{zone: (id, *getattr(seat, zone))}) if seat.id == owner else seat
            for seat in play.players
        ),
        cards=play.cards if card.name in known else (*play.cards, in_play(card)),
        objects=(*play.objects, Object(id, card.name, owner)),
    )


def with_spell(play: Play, id: str, card: Card, *targets: str) -> Play:
    """The play with one more spell, which the player whose turn it is casts at the end; it resolves."""
    by = play.start.turn
    aimed = tuple((target,) for target in targets)
    return with_actions(with_card_in(play, "hand", id, card, by), CastAction(id, by, aimed), Resolve(id))


def with_actions(play: Play, *actions: Action) -> Play:
    """The play with more actions at its end."""
    return replace(play, script=(*play.script, *actions))


def mirrored(play: Play) -> Play:
    """The play with its two players' places exchanged, and everything else as it was."""
    return replace(play, players=tuple(reversed(play.players)))


class Pair(NamedTuple):
    """A creature and two effects, and what a law does not speak of."""

    creature: Card
    first: Card
    second: Card
    deal: Deal

    def board(self) -> Play:
        """The creature, the first effect, the second."""
        return board_with(
            ("bear", self.creature), ("first", self.first), ("second", self.second), deal=self.deal
        )


OLDER, NEWER = (0, 1, 2), (0, 2, 1)
"""The orders in which a pair enters: the first effect before the second, and after it."""


# ---------------------------------------------------------------------------------- for whom


def of_invented(cases: SearchStrategy[_Case]) -> Cases[_Case]:
    """The same cases for every engine that can be given invented cards, and none for others."""
    return lambda means: cases if means.invented else st.nothing()


def by_means(cases: Callable[[Means], SearchStrategy[_Case]], *alternatives: tuple[str, ...]) -> Cases[_Case]:
    """Cases of one or several kinds: for every engine that can be given invented cards and has the features
    of one of them.
    """
    return lambda means: (
        cases(means)
        if means.invented and any(means.allow(*features) for features in alternatives)
        else st.nothing()
    )


def fitting(means: Means, *rows: tuple[tuple[str, ...], _Case]) -> SearchStrategy[_Case]:
    """One of the rows for which an engine has all features that stand before it."""
    return st.sampled_from([row for features, row in rows if means.allow(*features)])

"""What laws of boards are made of: small boards, small edits of them, and how two looks are compared.

An engine that leaves out what a law asks about has not kept the law: such a case cannot be played
(`CannotPlay`), as little as one in which the engine says itself that it cannot. Whatever it does show is
compared first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import UNSET
from msgspec.structs import replace

from conformance.comparison import alike
from conformance.engine import CannotPlay, EngineFailure
from conformance.observation import Observations, SeenObject, SeenPlayer
from conformance.properties.law import Broken, Cases, Player
from conformance.scenario import Arrival, Entry, Object, Play, Start, Want
from conformance.scenario import Player as Seat
from conformance.strategies.cards import in_play
from conformance.strategies.means import Means
from reference_engine.actions import Action, Cast, Look, Resolve
from reference_engine.cards import Card

Case = TypeVar("Case")
Keys = frozenset[str]
Looks = Mapping[str, SeenObject]

END = "end"
SIZE: Keys = frozenset({"power", "toughness"})
COLORS: Keys = frozenset({"colors"})
SUBTYPES: Keys = frozenset({"subtypes"})
KEYWORDS: Keys = frozenset({"keywords"})
CONTROL: Keys = frozenset({"controller"})
EVERY_KEY: Keys = SIZE | COLORS | SUBTYPES | KEYWORDS | CONTROL | {"name", "supertypes", "types"}
"""All that the layers decide."""


# ---------------------------------------------------------------------------------- small boards


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
        players=tuple(Seat(name) for name in deal.seats),
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
    return with_actions(with_card_in(play, "hand", id, card, by), Cast(id, by, aimed), Resolve(id))


def with_actions(play: Play, *actions: Action) -> Play:
    """The play with more actions at its end."""
    return replace(play, script=(*play.script, *actions))


def mirrored(play: Play) -> Play:
    """The play with its two players' places exchanged, and everything else as it was."""
    return replace(play, players=tuple(reversed(play.players)))


def of_invented(cases: SearchStrategy[Case]) -> Cases[Case]:
    """The same cases for every engine that can be given invented cards, and none for others."""
    return lambda means: cases if means.invented else st.nothing()


def by_means(cases: Callable[[Means], SearchStrategy[Case]], *alternatives: tuple[str, ...]) -> Cases[Case]:
    """Cases of one or several kinds: for every engine that can be given invented cards and has the features
    of one of them.
    """
    return lambda means: (
        cases(means)
        if means.invented and any(means.allow(*features) for features in alternatives)
        else st.nothing()
    )


def fitting(means: Means, *rows: tuple[tuple[str, ...], Case]) -> SearchStrategy[Case]:
    """One of the rows for which an engine has all features that stand before it."""
    return st.sampled_from([row for features, row in rows if means.allow(*features)])


# ------------------------------------------------------------------------------------ what is seen


def seen(play: Player, scenario: Play, keys: Keys = EVERY_KEY, of: Iterable[str] | None = None) -> Looks:
    """How the objects of a scenario (or some of them) look at the end."""
    return seen_at(play, scenario, keys, of)[END]


def seen_at(
    play: Player, scenario: Play, keys: Keys = EVERY_KEY, of: Iterable[str] | None = None
) -> dict[str, Looks]:
    """How the objects of a scenario (or some of them) look, at each look."""
    ids = tuple(of) if of is not None else tuple(one.id for one in scenario.objects)
    names = (*(action.name for action in scenario.script if isinstance(action, Look)), END)
    wants = tuple(Want(name, id, keys) for name in names for id in ids)
    observed = observations(play, replace(scenario, wants=wants), names)
    shown = {name: observed.looks[name].objects for name in names}
    for name, objects in shown.items():
        for id in ids:
            if id not in objects:
                raise CannotPlay(f"it does not show {id} at {name}")
    return {name: {id: objects[id] for id in ids} for name, objects in shown.items()}


def seen_player(play: Player, scenario: Play, player: str, keys: Keys) -> SeenPlayer:
    """How a player looks at the end."""
    observed = observations(play, replace(scenario, wants=(Want(END, player, keys),)), (END,))
    if player not in observed.looks[END].players:
        raise CannotPlay(f"it does not show {player}")
    return observed.looks[END].players[player]


def observations(play: Player, scenario: Play, names: Iterable[str]) -> Observations:
    """What an engine shows of a scenario, if it goes through to the end and has every look in it."""
    observed = play(scenario)
    stopped = observed.stopped
    if stopped is not None and stopped.why in ("rejected", "loop"):
        raise Broken(
            f"action {stopped.at + 1} of the script: stopped\n  {stopped.why} {stopped.says}\n"
            "  CR 117.1a: it is a legal action of the player who has priority"
        )
    if stopped is not None:
        raise CannotPlay(f"it stops: {stopped.why} {stopped.question or stopped.says}".rstrip())
    for name in names:
        if name not in observed.looks:
            raise EngineFailure("protocol", f"no look {name!r}, though it did not stop", lives=True)
    return observed


# ----------------------------------------------------------------------------- comparing two looks


def expect_same(
    one: Looks,
    other: Looks,
    because: str,
    keys: Keys = EVERY_KEY,
    names: Mapping[str, str] | None = None,
) -> None:
    """Raises `Broken` at the first difference, and `CannotPlay` if something wanted is not shown.

    Only what is in the first is compared; `names` says what its objects are called in the other.
    """
    absent = None
    for id, look in one.items():
        there = other[names[id] if names else id]
        for key in sorted(keys):
            here, then = getattr(look, key), getattr(there, key)
            if here is UNSET or then is UNSET:
                absent = absent or f"it does not show {key} of {id}"
            elif not alike(here, then, key):
                raise Broken(
                    f"{id}: {key}\n  one way    {words(here)}\n  the other  {words(then)}\n  {because}"
                )
    if absent:
        raise CannotPlay(absent)


def expect(looks: Looks, id: str, because: str, **values: object) -> None:
    """Raises `Broken` if an object does not look like this, and `CannotPlay` if it does not show it."""
    absent = None
    for key, expected in values.items():
        observed = getattr(looks[id], key)
        if observed is UNSET:
            absent = absent or f"it does not show {key} of {id}"
        elif not alike(observed, expected, key):
            raise Broken(
                f"{id}: {key}\n  expected  {words(expected)}\n  observed  {words(observed)}\n  {because}"
            )
    if absent:
        raise CannotPlay(absent)


def words(value: object) -> str:
    """A value as a person would write it."""
    match value:
        case None:
            return "none"
        case frozenset() | tuple():
            return ", ".join(sorted(map(str, value))) or "nothing"
        case _:
            return str(value)

"""Sets up a game: `starting_game` turns a `Setup` into a `Game`.

Everything enters in setup order by the same rules as later in the game (`happen`), but nothing triggers, and
players make only the choices given in the entries. A setup in which the game would immediately do something
by itself is refused: the first player finds exactly what the setup describes.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from reference_engine.game.account import account
from reference_engine.game.events import Entering, Moved, happen
from reference_engine.game.game import (
    Game,
    NotModelled,
    Prepared,
    Rejected,
    Undecided,
    all_sides,
    side_of,
    with_memory,
)
from reference_engine.game.game_rules import CR, GameRules
from reference_engine.game.triggers import state_triggers
from reference_engine.language.cards import Activated, Card, Keyword, Spell, State, Triggered, TriggerEvent
from reference_engine.language.keywords import mentions
from reference_engine.language.setup import Arrival, Entry, Player, Setup
from reference_engine.language.words import Zone
from reference_engine.layers.board import Board, Pile, Seat, Thing

Arrivals = tuple[tuple[int, Arrival], ...]
"""Arrivals with their numbers."""


class ImpossibleSetup(Exception):
    """A setup with which no game can begin: the problem, the arrival it is in (if any), and the reason."""

    def __init__(self, what: str, arrival: int | None = None, because: str = "") -> None:
        place = "" if arrival is None else f"arrivals[{arrival}]: "
        super().__init__(f"{place}{what}" + (f" ({because})" if because else ""))
        self.what = what
        self.arrival = arrival
        self.because = because


class UnsupportedArrival(NotModelled):
    """An arriving object that this engine does not support."""

    def __init__(self, what: str, arrival: int) -> None:
        super().__init__(what)
        self.arrival = arrival


def starting_game(setup: Setup, rules: GameRules = CR) -> Game:
    """The game at its first moment: everything has entered in setup order, nothing else has happened, and the
    active player has priority.

    Raises `ImpossibleSetup`, or `NotModelled` for what this engine does not support.
    """
    for fault in faults(setup):
        raise fault
    cards = {card.name: card for card in setup.cards}
    spoken_of = frozenset[type]().union(*(mentions(card) for card in setup.cards))
    game = Game(board=empty_board(setup, cards), rules=rules, mentions=without_events(spoken_of))
    game = with_turns(game, setup.start.turn)
    if not setup.arrivals and (waits := state_based_action_waiting(game)):
        raise ImpossibleSetup("a state-based action waits before anything is there", because=waits)
    objects = {thing.id: thing for thing in setup.objects}
    things = {
        id: Thing(id, cards[one.card], one.owner, "battlefield", token=one.token)
        for id, one in objects.items()
    }
    arrivals = tuple(enumerate(setup.arrivals))
    for together in (arrivals,) if nothing_changes_later(setup) else ((one,) for one in arrivals):
        game = undisturbed(game, together, things)
    game = replace(game, mentions=spoken_of)
    if State in spoken_of and (true_now := state_triggers(game, [])):
        # CR 603.8: it would have triggered as soon as its state was true, before a player had priority.
        one = true_now[0]
        number = next(n for n, a in enumerate(setup.arrivals) if one.source.id in {e.id for e in a.entries})
        because = f"{one.name} of {one.source.id} would trigger (CR 603.8)"
        raise ImpossibleSetup("what this waits for is true as the script begins", number, because)
    return replace(game, holder=setup.start.turn, events=(), made=(), past={}, answers=(), asked=0)


def nothing_changes_later(setup: Setup) -> bool:
    """Whether what has entered stays as it is whatever enters after it, so that a state-based action that
    waits once still waits in the end: no card changes anything while the table is set.
    """
    faces = [face for card in setup.cards for face in (card, card.back) if face is not None]
    return all(
        isinstance(ability, Activated | Triggered | Spell | Keyword)
        for face in faces
        for ability in face.abilities
    ) and not any(entry.attached_to or entry.choices for one in setup.arrivals for entry in one.entries)


def undisturbed(game: Game, arrivals: Arrivals, things: Mapping[str, Thing]) -> Game:
    """The game after these arrivals, if no state-based action waits after the last of them.

    Looking at everything after each arrival would take time in proportion to their square. So the first one
    that is wrong is looked for by halves, and only if something is wrong.
    """
    if not arrivals:
        return game
    try:
        after = game
        for number, arrival in arrivals:
            after = arrived(after, number, arrival, things, last=number == arrivals[-1][0])
        return after
    except (ImpossibleSetup, UnsupportedArrival):
        if len(arrivals) == 1:
            raise
    half = len(arrivals) // 2
    return undisturbed(undisturbed(game, arrivals[:half], things), arrivals[half:], things)


def arrived(game: Game, number: int, arrival: Arrival, things: Mapping[str, Thing], *, last: bool) -> Game:
    """The game after one arrival; of the `last` one it is asked whether a state-based action waits."""
    for entry in in_timestamp_order(game, arrival):
        game = entered(game, entry, things[entry.id], number)
    unsaid = any(attached_unsaid(game, entry) for entry in arrival.entries)
    if last or unsaid:
        try:
            waits = state_based_action_waiting(game)
        except NotModelled as beyond:
            raise UnsupportedArrival(beyond.what, number) from None
        if waits or unsaid:
            raise ImpossibleSetup("a state-based action waits after this entry", number, waits)
    return game


def faults(setup: Setup) -> Iterator[ImpossibleSetup]:
    """Names that refer to nothing or to two things."""
    players = Counter(player.id for player in setup.players)
    cards = Counter(card.name for card in setup.cards)
    objects = Counter(thing.id for thing in setup.objects)
    placed = Counter(id for player in setup.players for _, id in cards_of(player))
    placed.update(entry.id for arrival in setup.arrivals for entry in arrival.entries)
    for what, counts in (("player", players), ("card", cards), ("object", objects)):
        yield from (ImpossibleSetup(f"two {what}s are called {name}") for name, n in counts.items() if n > 1)
    for thing in setup.objects:
        if thing.card not in cards:
            yield ImpossibleSetup(f"{thing.id} is a {thing.card}, and there is no such card")
        if thing.owner not in players:
            yield ImpossibleSetup(f"{thing.owner} owns {thing.id} and is no player")
        if thing.id not in placed:
            yield ImpossibleSetup(f"{thing.id} is nowhere")
    for id, n in placed.items():
        if id not in objects:
            yield ImpossibleSetup(f"there is no object {id}")
        if n > 1:
            yield ImpossibleSetup(f"{id} is in two places")
    for number, arrival in enumerate(setup.arrivals):
        for entry in arrival.entries:
            if entry.controller not in players:
                yield ImpossibleSetup(f"{entry.controller} controls {entry.id} and is no player", number)
            if entry.attached_to is not None and entry.attached_to not in {*players, *objects}:
                yield ImpossibleSetup(
                    f"{entry.id} is attached to {entry.attached_to}, which is not there", number
                )
        every = sorted(entry.id for entry in arrival.entries)
        for order in arrival.timestamps:
            own = sorted(entry.id for entry in arrival.entries if entry.controller == order.player)
            if sorted(order.ids) not in (own, every):
                yield ImpossibleSetup(f"{order.player} orders other objects than their own", number)


def cards_of(player: Player) -> Iterator[tuple[Zone, str]]:
    """The ids of a player's cards, with their zones."""
    yield from (("hand", id) for id in player.hand)
    yield from (("library", id) for id in player.library)
    yield from (("graveyard", id) for id in player.graveyard)
    yield from (("exile", id) for id in player.exile)


def empty_board(setup: Setup, cards: Mapping[str, Card]) -> Board:
    """The players with their cards, and an empty battlefield."""
    zones = {id: zone for player in setup.players for zone, id in cards_of(player)}
    things = {
        thing.id: Thing(thing.id, cards[thing.card], thing.owner, zones[thing.id])
        for thing in setup.objects
        if thing.id in zones
    }
    seats = tuple(
        Seat(
            player.id,
            player.life,
            player.team,
            tuple(Pile(c.kind, c.n if isinstance(c.n, int) else 0) for c in player.counters),
            player.hand,
            player.library,
            player.graveyard,
        )
        for player in setup.players
    )
    return Board(seats, things, active=setup.start.turn, step=setup.start.step)


def with_turns(game: Game, active: str) -> Game:
    """The game in the middle of the active side's turn, with every side having had a turn before."""
    order = all_sides(game)
    if active not in order:
        raise ImpossibleSetup(f"{active} has no turns of their own: a player without team, or a team")
    first = order.index(active)
    turn = len(order)
    before = order[first + 1 :] + order[: first + 1]
    return replace(game, turn=turn, recent={side: number for number, side in enumerate(before, 1)})


def in_timestamp_order(game: Game, arrival: Arrival) -> tuple[Entry, ...]:
    """The entries of an arrival, oldest timestamp first: in the given order, or grouped by player, the
    active player first.
    """
    if len(arrival.entries) == 1:
        return arrival.entries
    ordered: list[str] = []
    by_player = {order.player: order.ids for order in arrival.timestamps}
    seats = [seat.id for seat in game.board.seats]
    first = next(n for n, player in enumerate(seats) if side_of(game, player) == game.board.active)
    if any(set(order.ids) == {entry.id for entry in arrival.entries} for order in arrival.timestamps):
        ordered = [id for order in arrival.timestamps for id in order.ids]
    else:
        for player in seats[first:] + seats[:first]:
            own = [entry.id for entry in arrival.entries if entry.controller == player]
            ordered += by_player.get(player, own)
    position = {id: at for at, id in reversed(tuple(enumerate(ordered)))}
    return tuple(sorted(arrival.entries, key=lambda entry: position[entry.id]))


def entered(game: Game, entry: Entry, thing: Thing, number: int) -> Game:
    """The game after one object has entered the battlefield in the arrival with this number."""
    prepared = tuple(Prepared(choice, n) for n, choice in enumerate(entry.choices))
    game = replace(game, answers=prepared)
    entering = Entering(
        under=entry.controller,
        tapped=entry.tapped,
        face_down=entry.face_down,
        attached_to=entry.attached_to,
        counters=tuple((c.kind, c.n if isinstance(c.n, int) else 0) for c in entry.counters),
    )
    try:
        game = happen(game, Moved(entry.id, None, "battlefield", "put", entering, token=thing))
    except Undecided as open_question:
        raise ImpossibleSetup(f"a question asked here has no answer: {open_question}", number) from None
    except Rejected as refusal:
        raise ImpossibleSetup(str(refusal), number) from None
    except NotModelled as beyond:
        raise UnsupportedArrival(beyond.what, number) from None
    if entry.id not in game.board.things or game.board.things[entry.id].zone != "battlefield":
        # CR 303.4g: an Aura with nothing to enchant stays where it is.
        raise ImpossibleSetup(f"{entry.id} does not come onto the battlefield", number)
    if game.answers:
        kind = game.answers[0].choose.kind
        raise ImpossibleSetup(f"the choice of {kind} for {entry.id} is never asked", number)
    if entry.damage:
        damaged = replace(game.board.things[entry.id], damage=entry.damage)
        game = replace(game, board=game.board.with_things(damaged))
    if not entry.new:
        memory = game.remembers(entry.id)
        game = with_memory(game, entry.id, replace(memory, since=-1))
    return game


def attached_unsaid(game: Game, entry: Entry) -> bool:
    """Whether an Aura is attached to something that neither its entry nor a choice names."""
    attached = game.board.things[entry.id].attached_to
    return attached is not None and entry.attached_to is None and not entry.choices


def state_based_action_waiting(game: Game) -> str:
    """A description of a state-based action that would be performed now; empty if there is none."""
    try:
        _, events = game.rules.state_based_actions(game)
    except Undecided as open_question:
        return str(open_question)
    lines = account(events, game.board)
    return lines[0].text if lines else ""


@functools.cache
def event_kinds() -> frozenset[type]:
    """All kinds of trigger conditions that cards can have."""
    return frozenset(TriggerEvent.__args__)


def without_events(spoken_of: frozenset[type]) -> frozenset[type]:
    """The types that cards mention, without trigger conditions."""
    return spoken_of - event_kinds()

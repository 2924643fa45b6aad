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
from reference_engine.game.entry import looks_around
from reference_engine.game.events import Entering, Moved
from reference_engine.game.game import (
    Combat,
    Game,
    PreparedAnswer,
    Rejected,
    Undecided,
    side_of,
    with_memory,
)
from reference_engine.game.game_rules import CR, GameRules
from reference_engine.game.happening import happen
from reference_engine.game.phases import in_combat
from reference_engine.game.stability import stays_stable
from reference_engine.game.triggers import state_triggers
from reference_engine.language.cards import Card, State, TriggerEvent
from reference_engine.language.characteristics import LEFT_AND_RIGHT, faces_of, is_room
from reference_engine.language.keywords import mentions
from reference_engine.language.setup import Arrival, Entry, Player, Setup
from reference_engine.language.words import FaceUp, Half, Zone
from reference_engine.layers.board import Board, NotModelled, Pile, Seat, Thing, Things, TooLarge

Arrivals = tuple[tuple[int, Arrival], ...]
"""Arrivals with their numbers."""
SAMPLE = 32
"""The work of one look is measured after so many looks."""
MOST_WORK = 3_000_000
"""For all looks of one setup, in the time that a plain object takes in one of them."""


class ImpossibleSetup(Exception):
    """A setup with which no game can begin: the problem, the arrival it is in (if any), and the reason.

    The message counts arrivals from 1; `arrival` is the index in the setup.
    """

    def __init__(self, what: str, arrival: int | None = None, because: str = "") -> None:
        place = "" if arrival is None else f"entry {arrival + 1}: "
        super().__init__(f"{place}{what}" + (f" ({because})" if because else ""))
        self.what = what
        self.arrival = arrival
        self.because = because


class LooksAround:
    """The looks at the whole table that its permanents need as they enter.

    Raises `TooLarge` if they are too much work: it grows with the square of their number, or faster.
    """

    def __init__(self, ids: frozenset[str]) -> None:
        self.ids = ids
        self.taken = 0
        self.work = 0

    def note(self, game: Game, arrival: Arrival) -> None:
        """Count the looks of an arrival."""
        if not self.ids:
            return
        samples = self.taken // SAMPLE
        self.taken += sum(entry.id in self.ids for entry in arrival.entries)
        if self.taken // SAMPLE > samples:
            self.work += (self.taken // SAMPLE - samples) * SAMPLE * game.seen.work
        if self.work > MOST_WORK:
            raise TooLarge(
                f"a table of this size, with {len(self.ids)} permanents that look at all others as they enter"
            )


class UnsupportedArrival(NotModelled):
    """An arriving object that this engine does not support."""

    def __init__(self, what: str, arrival: int) -> None:
        super().__init__(what)
        self.arrival = arrival


@functools.lru_cache(maxsize=1)
def starting_game(setup: Setup, rules: GameRules = CR) -> Game:
    """The game at its first moment: everything has entered in setup order, nothing else has happened, and the
    active player has priority. Scenarios that follow each other often begin with the same table.

    Raises `ImpossibleSetup`, or `NotModelled` for what this engine does not support; that is `TooLarge` if
    only the size of the table is to blame.
    """
    for fault in faults(setup):
        raise fault
    cards = {card.name: the_same(card) for card in setup.cards}
    spoken_of = frozenset[type]().union(*map(mentions, cards.values()))
    every = tuple(dict.fromkeys(player.team or player.id for player in setup.players))
    game = Game(empty_board(setup, cards), rules, every, mentions=without_events(spoken_of))
    game = with_turns(game, setup.start.turn)
    if not setup.arrivals and (waits := state_based_action_waiting(game)):
        raise ImpossibleSetup("a state-based action waits before anything is there", because=waits)
    objects = {thing.id: thing for thing in setup.objects}
    things = {
        id: Thing(id, cards[one.card], one.owner, "battlefield", token=one.token)
        for id, one in objects.items()
    }
    if setup.arrivals:
        arrivals = tuple(enumerate(setup.arrivals))
        at_once = len(arrivals) > 1 and stays_stable(setup)
        looks = LooksAround(frozenset())
        if len(objects) >= SAMPLE:
            looking = {name for name, card in cards.items() if not at_once or looks_around(card, spoken_of)}
            entering = (entry.id for arrival in setup.arrivals for entry in arrival.entries)
            looks = LooksAround(frozenset(id for id in entering if objects[id].card in looking))
        for together in (arrivals,) if at_once else ((one,) for one in arrivals):
            game = require_stable(game, together, things, looks)
    game = replace(game, mentions=spoken_of)
    if State in spoken_of and (true_now := state_triggers(game, [])):
        # CR 603.8: it would have triggered as soon as its state was true, before a player had priority.
        one = true_now[0]
        number = next(n for n, a in enumerate(setup.arrivals) if one.source.id in {e.id for e in a.entries})
        because = f"{one.name} of {one.source.id} would trigger (CR 603.8)"
        raise ImpossibleSetup("what this waits for is true as the script begins", number, because)
    board = replace(game.board, past=()) if game.board.past else game.board
    combat = Combat() if in_combat(setup.start.step) else None
    return replace(
        game,
        board=board,
        holder=setup.start.turn,
        combat=combat,
        events=(),
        made=(),
        past={},
        answers=(),
        asked=0,
    )


@functools.lru_cache(maxsize=4096)
def the_same(card: Card) -> Card:
    """The first card with this definition, so that what is known of it is found without comparing cards."""
    return card


def require_stable(game: Game, arrivals: Arrivals, things: Mapping[str, Thing], looks: LooksAround) -> Game:
    """The game after these arrivals, if no state-based action waits after the last of them.

    Checking after each arrival would take quadratic time. So only the end is checked, and if something is
    wrong, the first wrong arrival is found by bisection.
    """
    if not arrivals:
        return game
    try:
        after = game
        for number, arrival in arrivals:
            after = apply_arrival(after, number, arrival, things, last=number == arrivals[-1][0])
            looks.note(after, arrival)
        return after
    except (ImpossibleSetup, UnsupportedArrival):
        if len(arrivals) == 1:
            raise
    half = len(arrivals) // 2
    first = require_stable(game, arrivals[:half], things, looks)
    return require_stable(first, arrivals[half:], things, looks)


def apply_arrival(
    game: Game, number: int, arrival: Arrival, things: Mapping[str, Thing], *, last: bool
) -> Game:
    """The game after one arrival. After the `last` one, check whether a state-based action waits."""
    unsaid = False
    for entry in in_timestamp_order(game, arrival):
        game = enter_battlefield(game, entry, things[entry.id], number)
        unsaid = unsaid or is_attached_without_choice(game, entry)
    if last or unsaid:
        try:
            waits = state_based_action_waiting(game)
        except TooLarge:
            raise
        except NotModelled as beyond:
            raise UnsupportedArrival(beyond.what, number) from None
        if waits or unsaid:
            raise ImpossibleSetup("a state-based action waits after this entry", number, waits)
    return game


def faults(setup: Setup) -> Iterator[ImpossibleSetup]:
    """Names that refer to nothing or to two things."""
    players = [player.id for player in setup.players]
    cards = {card.name for card in setup.cards}
    objects = {thing.id for thing in setup.objects}
    placed = [id for player in setup.players for _, id in cards_of(player)]
    placed += [entry.id for arrival in setup.arrivals for entry in arrival.entries]
    names = (
        ("player", players),
        ("card", [card.name for card in setup.cards]),
        ("object", [thing.id for thing in setup.objects]),
    )
    for what, called in names:
        yield from (ImpossibleSetup(f"two {what}s are called {name}") for name in several(called))
    there = set(placed)
    for thing in setup.objects:
        if thing.card not in cards:
            yield ImpossibleSetup(f"{thing.id} is a {thing.card}, and there is no such card")
        if thing.owner not in players:
            yield ImpossibleSetup(f"{thing.owner} owns {thing.id} and is no player")
        if thing.id not in there:
            yield ImpossibleSetup(f"{thing.id} is nowhere")
    if there != objects or len(there) != len(placed):
        twice = several(placed)
        for id in dict.fromkeys(placed):
            if id not in objects:
                yield ImpossibleSetup(f"there is no object {id}")
            if id in twice:
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


def several(names: list[str]) -> tuple[str, ...]:
    """The names that occur more than once."""
    if len(set(names)) == len(names):
        return ()
    return tuple(name for name, n in Counter(names).items() if n > 1)


def cards_of(player: Player) -> list[tuple[Zone, str]]:
    """The ids of a player's cards, with their zones."""
    zones: tuple[tuple[Zone, tuple[str, ...]], ...] = (
        ("hand", player.hand),
        ("library", player.library),
        ("graveyard", player.graveyard),
        ("exile", player.exile),
    )
    return [(zone, id) for zone, ids in zones for id in ids]


def empty_board(setup: Setup, cards: Mapping[str, Card]) -> Board:
    """The players with their cards, and an empty battlefield."""
    zones = {id: zone for player in setup.players for zone, id in cards_of(player)}
    things = Things(
        {
            thing.id: Thing(thing.id, cards[thing.card], thing.owner, zones[thing.id])
            for thing in setup.objects
            if thing.id in zones
        }
    )
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
    order = game.sides
    if active not in order:
        raise ImpossibleSetup(f"{active} has no turns of their own: a player without team, or a team")
    first = order.index(active)
    turn = len(order)
    before = order[first + 1 :] + order[: first + 1]
    return replace(game, turn=turn, recent={side: number for number, side in enumerate(before, 1)})


def in_timestamp_order(game: Game, arrival: Arrival) -> tuple[Entry, ...]:
    """The entries of an arrival, oldest timestamp first: the active player's first, each player's in the
    given order.

    CR 613.7m: (until 2020-04) the order that the active player gave had everyone's objects.
    """
    if len(arrival.entries) == 1:
        return arrival.entries
    ordered: list[str] = []
    by_player = {order.player: order.ids for order in arrival.timestamps}
    seats = [seat.id for seat in game.board.seats]
    first = next(n for n, player in enumerate(seats) if side_of(game, player) == game.board.active)
    for player in seats[first:] + seats[:first]:
        own = [entry.id for entry in arrival.entries if entry.controller == player]
        ordered += by_player.get(player, own)
    position = {id: at for at, id in reversed(tuple(enumerate(ordered)))}
    return tuple(sorted(arrival.entries, key=lambda entry: position[entry.id]))


FRONT: tuple[FaceUp, frozenset[Half]] = ("front", frozenset())
"""The front face, without unlocked halves."""


def face_that_is_up(entry: Entry, called: str, card: Card, number: int) -> tuple[FaceUp, frozenset[Half]]:
    """Which face of a permanent the name in its entry means, and which of its halves are unlocked."""
    if card.back is not None and called == card.back.name:
        return "back", frozenset()
    halves = faces_of(card) if is_room(card) else {}
    unlocked = frozenset(half for half in LEFT_AND_RIGHT if half in halves and called == halves[half].name)
    if called != card.name and not unlocked:
        raise ImpossibleSetup(f"{entry.id} has no face called {called} that could be up", number)
    return "front", unlocked


def enter_battlefield(game: Game, entry: Entry, thing: Thing, number: int) -> Game:
    """The game after one object has entered the battlefield in the arrival with this number."""
    face_up, unlocked = (
        FRONT if entry.face is None else face_that_is_up(entry, entry.face, thing.card, number)
    )
    if entry.choices:
        prepared = tuple(PreparedAnswer(choice, n) for n, choice in enumerate(entry.choices))
        game = replace(game, answers=prepared)
    entering = Entering(
        under=entry.controller,
        tapped=entry.tapped,
        face_down=entry.face_down,
        face_up=face_up,
        unlocked=unlocked,
        attached_to=entry.attached_to,
        counters=tuple([(c.kind, c.n if isinstance(c.n, int) else 0) for c in entry.counters]),
    )
    try:
        game = happen(game, Moved(entry.id, None, "battlefield", "put", entering, token=thing))
    except Undecided as open_question:
        raise ImpossibleSetup(f"a question asked here has no answer: {open_question}", number) from None
    except Rejected as refusal:
        raise ImpossibleSetup(str(refusal), number) from None
    except TooLarge:
        raise
    except NotModelled as beyond:
        raise UnsupportedArrival(beyond.what, number) from None
    if entry.id not in game.board.things or game.board.things[entry.id].zone != "battlefield":
        # CR 303.4g: an Aura with nothing to enchant stays where it is.
        raise ImpossibleSetup(f"{entry.id} does not come onto the battlefield", number)
    if game.answers:
        kind = game.answers[0].choose.kind
        raise ImpossibleSetup(f"the game never asks for the choice of {kind} for {entry.id}", number)
    if entry.damage:
        damaged = replace(game.board.things[entry.id], damage=entry.damage)
        game = replace(game, board=game.board.with_things(damaged))
    if not entry.new:
        memory = game.remembers(entry.id)
        game = with_memory(game, entry.id, replace(memory, since=-1))
    return game


def is_attached_without_choice(game: Game, entry: Entry) -> bool:
    """Whether an Aura is attached to something that neither its entry nor a choice names."""
    unsaid = entry.attached_to is None and not entry.choices
    return unsaid and game.board.things[entry.id].attached_to is not None


def state_based_action_waiting(game: Game) -> str:
    """A description of a state-based action that would be performed now; empty if there is none."""
    try:
        _, events = game.rules.state_based_actions(game)
    except Undecided as open_question:
        return str(open_question)
    lines = account(events, game.board) if events else ()
    return lines[0].text if lines else ""


@functools.cache
def event_kinds() -> frozenset[type]:
    """All kinds of trigger conditions that cards can have."""
    return frozenset(TriggerEvent.__args__)


def without_events(spoken_of: frozenset[type]) -> frozenset[type]:
    """The types that cards mention, without trigger conditions."""
    return spoken_of - event_kinds()

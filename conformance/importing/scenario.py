"""Turns a board of another engine into a scenario file as people write it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from msgspec import Struct
from msgspec.structs import replace

from conformance.checks.fixtures import is_free
from conformance.checks.names import KnownNames
from conformance.data.loading import checked_fixtures
from conformance.files.shortening import short_file
from conformance.files.yaml_tree import tree_of
from conformance.importing.board import (
    MOST_OBSTACLES,
    ForeignBoard,
    ForeignCard,
    ForeignPermanent,
    ForeignSeat,
    Obstacle,
)
from conformance.model.printable import printable, shortened
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play
from reference_engine.language.actions import ChooseAction, Pass
from reference_engine.language.cards import Card, Counters
from reference_engine.language.setup import Arrival, Entry, Object, Player, Start
from reference_engine.language.words import CounterKind

LONGEST_ID = 30
MOST_SHOWN = 80
OWNERS_ZONES = ("hand", "library", "graveyard", "exile")


class ImportedScenario(Struct, frozen=True):
    """A scenario made from a board."""

    fixture: Fixture
    own_cards: tuple[Card, ...]
    """Cards that are defined in the file, such as tokens."""
    left_out: tuple[Obstacle, ...]

    @property
    def text(self) -> str:
        """The file, as people write it."""
        return short_file(self.fixture, self.own_cards)


class NotImported(Exception):
    """A board that cannot be a scenario, and everything in its way."""

    def __init__(self, obstacles: tuple[Obstacle, ...]) -> None:
        super().__init__("; ".join(map(str, obstacles)))
        self.obstacles = obstacles


def imported_scenario(board: ForeignBoard, known: KnownNames, *, leave_out: bool) -> ImportedScenario:
    """The scenario that begins with this board.

    Whatever it cannot have is left out if that is allowed. Raises `NotImported` otherwise.
    """
    complete = without_unknown_cards(board, known)
    complete = replace(complete, obstacles=tuple(dict.fromkeys(complete.obstacles)))
    if complete.obstacles and not leave_out:
        raise NotImported(complete.obstacles)
    return Importer(complete, known).scenario()


def without_unknown_cards(board: ForeignBoard, known: KnownNames) -> ForeignBoard:
    """The board without the cards that nobody knows, each of which is an obstacle."""
    unknown: list[Obstacle] = []

    def is_known(card: ForeignCard) -> bool:
        if card.name in known.cards or card.definition is not None:
            return True
        unknown.append(Obstacle(card.at, f"no card named {shortened(card.name, MOST_SHOWN)!r}"))
        return False

    def without(seat: ForeignSeat) -> ForeignSeat:
        zones = {zone: tuple(filter(is_known, getattr(seat, zone))) for zone in OWNERS_ZONES}
        return replace(seat, **zones)

    seats = tuple(map(without, board.seats))
    gone = {at for at, one in enumerate(board.permanents) if not is_known(one.card)}
    more = gone
    while more:
        more = {at for at, one in enumerate(board.permanents) if one.host in more and at not in gone}
        unknown += [Obstacle(board.permanents[at].card.at, "its host is left out") for at in sorted(more)]
        gone |= more
    stays = [at for at in range(len(board.permanents)) if at not in gone]
    positions: Mapping[int | None, int] = {at: position for position, at in enumerate(stays)}
    kept = (board.permanents[at] for at in stays)
    permanents = tuple(replace(one, host=positions.get(one.host)) for one in kept)
    return replace(
        board, seats=seats, permanents=permanents, obstacles=(*board.obstacles, *unknown[:MOST_OBSTACLES])
    )


class Importer:
    """Gives ids to everything on a board, and makes the scenario."""

    def __init__(self, board: ForeignBoard, known: KnownNames) -> None:
        self.board, self.known = board, known
        self.ids: set[str] = set()
        self.used: dict[str, int] = {}
        self.objects: list[Object] = []
        self.own: dict[str, Card] = {}
        self.obstacles = list(board.obstacles)

    def scenario(self) -> ImportedScenario:
        """The scenario. Raises `NotImported` if the suite's checks find something wrong with it."""
        board = self.board
        if len(board.seats) < 2:
            raise NotImported(
                (*self.obstacles, Obstacle("", "a scenario has two players or more"))[-MOST_OBSTACLES:]
            )
        names = [self.id_of(seat.name or "player") for seat in board.seats]
        players = tuple(map(self.player, board.seats, names))
        order = self.entry_order()
        entered = {at: self.permanent(board.permanents[at], names) for at in order}
        setup = tuple(
            Arrival((self.entry(board.permanents[at], entered[at], entered, names),)) for at in order
        )
        play = Play(
            players,
            Start(names[board.active], board.step),
            objects=tuple(self.objects),
            setup=setup,
            script=() if board.holder is None else (Pass(names[board.active]),),
        )
        title = f"{PurePath(board.path).stem}: {board.name}" if board.name else PurePath(board.path).stem
        name = plain(title) or "imported"
        fixture = Fixture(name, printable(title), (), play, note=printable(self.note()))
        draft = ImportedScenario(fixture, tuple(self.own.values()), tuple(self.obstacles))
        return replace(draft, fixture=self.checked(draft))

    def checked(self, draft: ImportedScenario) -> Fixture:
        """The fixture as the loader reads it, complete with the cards that it uses."""
        path = self.board.path
        try:
            (one,) = checked_fixtures(
                tree_of(draft.text.encode(), path), path, self.known, theirs=True, judged=False
            )
        except ScenarioError as error:
            found = tuple(Obstacle(problem.where, problem.what) for problem in error.problems)
            raise NotImported((*self.obstacles, *found)[:MOST_OBSTACLES]) from None
        return one.fixture

    def note(self) -> str:
        """Where the scenario comes from, and what is missing."""
        board = self.board
        said = [f"Imported from {board.path}" + (f" [{board.name}]." if board.name else "."), *board.remarks]
        if self.obstacles:
            said.append(f"Left out: {'; '.join(map(str, self.obstacles))}.")
        return " ".join(said)

    def id_of(self, name: str) -> str:
        """A free id made from a name; numbered if several things have it."""
        simple = plain(name)[:LONGEST_ID].rstrip("_") or "card"
        number = self.used.get(simple, 0)
        while True:
            number += 1
            id = (
                simple
                if number == 1
                else f"{simple}_{number}"
                if simple[-1].isdigit()
                else f"{simple}{number}"
            )
            if id not in self.ids and is_free(id):
                self.used[simple] = number
                self.ids.add(id)
                return id

    def object_of(self, card: ForeignCard, owner: str, *, token: bool = False) -> str:
        """Create a card; returns its id."""
        if card.definition is not None and (token or card.name not in self.known.cards):
            first = self.own.setdefault(card.name, card.definition)
            if first != card.definition:
                self.obstacles.append(Obstacle(card.at, f"another {card.name} is defined differently"))
        id = self.id_of(card.name)
        self.objects.append(Object(id, card.name, owner, token))
        return id

    def permanent(self, one: ForeignPermanent, names: Sequence[str]) -> str:
        """Create a card or token that is on the battlefield; returns its id."""
        return self.object_of(one.card, names[one.owner], token=one.token)

    def player(self, seat: ForeignSeat, name: str) -> Player:
        """A player with the cards in hand, library, graveyard and exile."""
        ids = {
            zone: tuple(self.object_of(card, name) for card in getattr(seat, zone)) for zone in OWNERS_ZONES
        }
        counters = tuple(Counters(kind, n) for kind, n in seat.counters)
        return replace(Player(name, seat.life, counters=counters), **ids)

    def entry_order(self) -> list[int]:
        """The order of entering: as on the board, but nothing before what it is attached to."""
        order: list[int] = []
        there: set[int | None] = {None}
        for first, _ in enumerate(self.board.permanents):
            chain: dict[int, None] = {}
            at: int | None = first
            while at not in there and at not in chain:
                assert at is not None
                chain[at] = None
                at = self.board.permanents[at].host
            if at in chain:
                raise NotImported((Obstacle(self.board.permanents[first].card.at, "attached in a circle"),))
            order += reversed(chain)
            there |= chain.keys()
        return order

    def entry(
        self, one: ForeignPermanent, id: str, entered: Mapping[int, str], names: Sequence[str]
    ) -> Entry:
        """How a permanent enters."""
        choices = tuple(
            ChooseAction(kind, names[one.controller], (answer,))  # type: ignore[arg-type]  # the checks see to it
            for kind, answer in one.choices
        )
        return Entry(
            id,
            names[one.controller],
            attached_to=None if one.host is None else entered[one.host],
            counters=tuple(Counters(kind, n) for kind, n in self.counters_of(one) if n),
            choices=choices,
            tapped=one.tapped,
            damage=one.damage,
            new=one.new,
        )

    def counters_of(self, one: ForeignPermanent) -> Iterator[tuple[CounterKind, int]]:
        """The counters besides those with which a permanent enters by itself."""
        card = self.known.cards.get(one.card.name, one.card.definition)
        own: dict[str, int] = {}
        if card is not None and one.counters_in_all:
            own = {"loyalty": card.loyalty or 0, "lore": int("Saga" in card.subtypes)}
        for kind, n in one.counters:
            if n < own.get(kind, 0):
                what = f"a scenario gives it {own[kind]} {kind} counters, not {n}"
                self.obstacles.append(Obstacle(one.card.at, what))
            else:
                yield kind, n - own.get(kind, 0)


def plain(name: str) -> str:
    """A name as an id: lower-case letters, digits and underscores, beginning with a letter."""
    return re.sub("[^a-z0-9]+", "_", name.lower()).strip("_").lstrip("0123456789_")

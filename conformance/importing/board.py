"""A board as another engine wrote it, with the place of each part: what all formats have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from reference_engine.language.cards import Card
from reference_engine.language.words import CounterKind, Step

MOST_CARDS_ON_A_BOARD = 2000
"""Maximum number of cards of a board."""
MOST_OBSTACLES = 20
"""Maximum number of obstacles that are kept of one board."""


class Obstacle(Struct, frozen=True):
    """Something that a scenario cannot have, with its place in the file."""

    at: str
    what: str

    def __str__(self) -> str:
        return f"{self.at}: {self.what}" if self.at else self.what


class ForeignCard(Struct, frozen=True):
    """A card by its name."""

    at: str
    name: str
    definition: Card | None = None
    """What the file says of it, for a token or a card that nobody else knows."""


class ForeignPermanent(Struct, frozen=True):
    """A card on the battlefield."""

    card: ForeignCard
    controller: int
    owner: int
    tapped: bool = False
    new: bool = False
    damage: int = 0
    counters: tuple[tuple[CounterKind, int], ...] = ()
    counters_in_all: bool = False
    """Whether `counters` include those with which it enters by itself."""
    host: int | None = None
    """The permanent that it is attached to, by its position in the board."""
    choices: tuple[tuple[str, str], ...] = ()
    """What was chosen as it entered: the kind of choice, and the answer."""
    token: bool = False


class ForeignSeat(Struct, frozen=True):
    """A player; library and graveyard are listed from the top."""

    name: str
    life: int = 20
    counters: tuple[tuple[CounterKind, int], ...] = ()
    hand: tuple[ForeignCard, ...] = ()
    library: tuple[ForeignCard, ...] = ()
    graveyard: tuple[ForeignCard, ...] = ()
    exile: tuple[ForeignCard, ...] = ()


class ForeignBoard(Struct, frozen=True):
    """A board, and what of it a scenario cannot have."""

    path: str
    name: str
    """The name of this board in its file, if the file has several."""
    seats: tuple[ForeignSeat, ...]
    permanents: tuple[ForeignPermanent, ...]
    """In the order in which they entered."""
    active: int = 0
    holder: int | None = None
    """The player with priority, if that is not the active player."""
    step: Step = "precombat main"
    obstacles: tuple[Obstacle, ...] = ()
    remarks: tuple[str, ...] = ()
    """What a reader should know about the import."""


class ForeignValues:
    """The values of a foreign file by their places; whatever is of the wrong kind is an obstacle."""

    def __init__(self) -> None:
        self.obstacles: list[Obstacle] = []
        self.cards = 0

    def obstacle(self, at: str, what: str) -> None:
        """Note something that a scenario cannot have."""
        if len(self.obstacles) < MOST_OBSTACLES:
            self.obstacles.append(Obstacle(at, what))

    def number_at(self, of: Mapping[str, Any], key: str, at: str, default: int = 0) -> int:
        """A whole number; the default if it is missing or null."""
        value = of.get(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MOST_OF_A_NUMBER:
            self.obstacle(f"{at}{key}", f"expected a number up to {MOST_OF_A_NUMBER:,}")
            return default
        return value

    def text_at(self, of: Mapping[str, Any], key: str, at: str, default: str = "") -> str:
        """A text; the default if it is missing or null."""
        value = of.get(key)
        if value is None:
            return default
        if not isinstance(value, str) or len(value) > MOST_OF_A_TEXT:
            self.obstacle(f"{at}{key}", "expected a short text")
            return default
        return value

    def list_at(self, of: Mapping[str, Any], key: str, at: str) -> list[Any]:
        """A list; empty if it is missing or null."""
        value = of.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            self.obstacle(f"{at}{key}", "expected a list")
            return []
        return value

    def map_at(self, of: Mapping[str, Any], key: str, at: str) -> Mapping[str, Any]:
        """A map; empty if it is missing or null."""
        value = of.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.obstacle(f"{at}{key}", "expected a map of keys")
            return {}
        return value

    def card(self, name: object, at: str, definition: Card | None = None) -> ForeignCard | None:
        """A card by its name, if there are not too many yet."""
        if not isinstance(name, str) or not name.strip() or len(name) > MOST_OF_A_TEXT:
            self.obstacle(at, "expected the name of a card")
            return None
        self.cards += 1
        if self.cards > MOST_CARDS_ON_A_BOARD:
            if self.cards == MOST_CARDS_ON_A_BOARD + 1:
                self.obstacle(at, f"more than {MOST_CARDS_ON_A_BOARD:,} cards")
            return None
        return ForeignCard(at, name.strip(), definition)

    def several(self, names: list[Any], at: str) -> tuple[ForeignCard, ...]:
        """Cards by their names."""
        cards = (self.card(name, f"{at}[{number}]") for number, name in enumerate(names, 1))
        return tuple(card for card in cards if card is not None)

    def counters(self, piles: Mapping[str, Any], at: str) -> tuple[tuple[CounterKind, int], ...]:
        """Counters by the name that another engine gives them."""
        found: list[tuple[CounterKind, int]] = []
        for name in piles:
            n = self.number_at(piles, name, f"{at}.")
            kind = COUNTERS.get(re.sub("[^a-z0-9]", "", name.lower()))
            if kind is None:
                self.obstacle(f"{at}.{name}", "no scenario has such counters")
            elif n > 0:
                found.append((kind, n))
        return tuple(found)


MOST_OF_A_NUMBER = 1_000_000
MOST_OF_A_TEXT = 200
COUNTERS: Mapping[str, CounterKind] = {
    **dict.fromkeys(("plusoneplusone", "p1p1", "plus1plus1"), "+1/+1"),
    **dict.fromkeys(("minusoneminusone", "m1m1", "minus1minus1"), "-1/-1"),
    **{re.sub("[^a-z]", "", kind): kind for kind in CounterKind.__args__ if kind[0].isalpha()},  # type: ignore[attr-defined]  # a Literal has arguments
}
"""Kinds of counters by the names of other engines, in lower case and without punctuation."""

"""The start of a game: the players, the objects, and the order in which they entered.

Only values: `game.table` turns a `Setup` into a game.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.language.actions import ChooseAction
from reference_engine.language.cards import Card, Counters
from reference_engine.language.words import Step


class Player(Struct, frozen=True, forbid_unknown_fields=True):
    """A player at the start of the scenario; library and graveyard are listed from the top."""

    id: str
    life: int = 20
    team: str | None = None
    counters: tuple[Counters, ...] = ()
    hand: tuple[str, ...] = ()
    library: tuple[str, ...] = ()
    graveyard: tuple[str, ...] = ()
    exile: tuple[str, ...] = ()


class Object(Struct, frozen=True, forbid_unknown_fields=True):
    """A card or token that exists. The order of objects is the order of creation, and means nothing else."""

    id: str
    card: str
    owner: str
    token: bool = False


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """One object's entry onto the battlefield, using the engine's normal zone change."""

    id: str
    controller: str
    attached_to: str | None = None
    counters: tuple[Counters, ...] = ()
    choices: tuple[ChooseAction, ...] = ()
    face_down: bool = False
    tapped: bool = False
    damage: int = 0
    new: bool = False
    face: str | None = None
    """The name of the face that is up, of a double-faced card; by default the front face."""


class TimestampOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """The timestamp order one player chooses for objects that enter together, oldest first."""

    player: str
    ids: tuple[str, ...]


class Arrival(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry, or several simultaneous ones."""

    entries: tuple[Entry, ...]
    timestamps: tuple[TimestampOrder, ...] = ()


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """The moment the script begins: the active player has just received priority in this step."""

    turn: str
    step: Step = "precombat main"


ZoneOfOwner = Literal["hand", "library", "graveyard", "exile"]


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a game begins with: players in turn order, and what has entered the battlefield so far.

    Objects name their card, so `cards` has each card once.
    """

    players: tuple[Player, ...]
    start: Start
    cards: tuple[Card, ...] = ()
    objects: tuple[Object, ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    """Oldest first."""

    def with_permanent(
        self, card: Card, entry: Entry, *, owner: str | None = None, token: bool = False
    ) -> Setup:
        """This setup with one more permanent, the newest; its controller owns it unless `owner` is given."""
        thing = Object(entry.id, card.name, owner or entry.controller, token)
        return replace(self._with_object(thing, card), arrivals=(*self.arrivals, Arrival((entry,))))

    def with_card(self, card: Card, id: str, zone: ZoneOfOwner, *, owner: str) -> Setup:
        """This setup with one more card in a player's zone: the last one, so the bottom card of a library."""
        players = tuple(
            replace(player, **{zone: (*getattr(player, zone), id)}) if player.id == owner else player
            for player in self.players
        )
        return replace(self._with_object(Object(id, card.name, owner), card), players=players)

    def _with_object(self, thing: Object, card: Card) -> Setup:
        cards = self.cards if card in self.cards else (*self.cards, card)
        return replace(self, cards=cards, objects=(*self.objects, thing))

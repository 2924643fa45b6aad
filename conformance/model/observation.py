"""What an engine reports: snapshots, outcomes of attempted actions, and why it stopped early.

"Not reported" (the key is left out, `UNSET` here) is never the same as "none" (`null`).
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from conformance.model.scenario import SeenCounters
from reference_engine.language.words import CardType, Color, Daytime, Designation, Step, Supertype, Zone


class SeenObject(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An observed object. A card outside the battlefield has its printed values."""

    zone: Zone | UnsetType = UNSET
    controller: str | None | UnsetType = UNSET
    owner: str | UnsetType = UNSET
    name: str | None | UnsetType = UNSET
    cost: str | None | UnsetType = UNSET
    mana_value: int | UnsetType = UNSET
    colors: frozenset[Color] | UnsetType = UNSET
    types: frozenset[CardType] | UnsetType = UNSET
    subtypes: frozenset[str] | UnsetType = UNSET
    supertypes: frozenset[Supertype] | UnsetType = UNSET
    power: int | None | UnsetType = UNSET
    toughness: int | None | UnsetType = UNSET
    loyalty: int | None | UnsetType = UNSET
    keywords: frozenset[str] | UnsetType = UNSET
    abilities: tuple[str, ...] | UnsetType = UNSET
    counters: tuple[SeenCounters, ...] | UnsetType = UNSET
    tapped: bool | UnsetType = UNSET
    face_down: bool | UnsetType = UNSET
    attached_to: str | None | UnsetType = UNSET
    attacking: str | None | UnsetType = UNSET
    blocking: tuple[str, ...] | UnsetType = UNSET
    damage: int | UnsetType = UNSET
    paid: str | None | UnsetType = UNSET
    kind: Literal["spell", "activated", "triggered", "copy"] | UnsetType = UNSET
    """For an entry of the stack: its kind."""
    source: str | None | UnsetType = UNSET
    targets: tuple[str, ...] | UnsetType = UNSET


class SeenPlayer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player, as seen by an observer with access to all zones."""

    life: int | UnsetType = UNSET
    hand: frozenset[str] | UnsetType = UNSET
    library_size: int | UnsetType = UNSET
    library_top: str | None | UnsetType = UNSET
    graveyard: tuple[str, ...] | UnsetType = UNSET
    exile: frozenset[str] | UnsetType = UNSET
    counters: tuple[SeenCounters, ...] | UnsetType = UNSET
    pool: str | UnsetType = UNSET
    hand_size: int | None | UnsetType = UNSET
    """Maximum hand size; None means no maximum."""
    land_plays: int | UnsetType = UNSET
    lost: bool | UnsetType = UNSET
    keywords: frozenset[str] | UnsetType = UNSET
    """Protection of the player: hexproof, protection from red, …"""
    designations: frozenset[Designation] | UnsetType = UNSET
    decided_by: str | UnsetType = UNSET
    """The player who makes this player's decisions: usually the same."""


class SeenTable(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The table: turn, step, who has priority or must decide, and the stack from bottom to top."""

    turn: str | UnsetType = UNSET
    step: Step | UnsetType = UNSET
    active: str | UnsetType = UNSET
    priority: str | None | UnsetType = UNSET
    deciding: str | None | UnsetType = UNSET
    stack: tuple[str, ...] | UnsetType = UNSET
    over: bool | UnsetType = UNSET
    tokens: tuple[SeenToken, ...] | UnsetType = UNSET
    """Tokens on the battlefield, whether or not the script names them."""
    legal: tuple[str, ...] | UnsetType = UNSET
    daytime: Daytime | None | UnsetType = UNSET
    """Day or night; None if it is neither."""


class SeenToken(Struct, frozen=True, forbid_unknown_fields=True):
    """A token on the battlefield."""

    name: str | None
    controller: str


class Snapshot(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that was observed at one look."""

    objects: dict[str, SeenObject] = {}
    players: dict[str, SeenPlayer] = {}
    table: SeenTable = SeenTable()


def names_nameless(value: object) -> bool:
    """Whether a value names an object that the script gave no name, such as a token that was not called.

    The reference engine calls it `Goblin#12`; other engines cannot know that.
    """
    if isinstance(value, str):
        return "#" in value
    return isinstance(value, tuple | frozenset) and any(map(names_nameless, value))


TryOutcome = Literal["done", "rejected"]


class Stopped(Struct, frozen=True, forbid_unknown_fields=True):
    """Where and why a play ended before its script (`at`: index of the action)."""

    at: int
    why: Literal["rejected", "question", "no stop", "unsupported", "loop"]
    says: str = ""
    question: str = ""


class Observations(Struct, frozen=True, forbid_unknown_fields=True):
    """An engine's answer to a scenario."""

    looks: dict[str, Snapshot] = {}
    tried: dict[str, TryOutcome] = {}
    unused: tuple[int, ...] = ()
    """Indices of `choose` actions that answered no question."""
    cards: dict[str, Literal["named", "defined", "text"]] = {}
    stopped: Stopped | None = None

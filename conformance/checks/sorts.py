"""Checks that a card names players where players are required, and objects where objects are.

The grammar allows every selector everywhere. An instruction for a creature to draw, or to destroy a player,
would do nothing; it is refused instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from conformance.model.card_parts import PlacedParts
from conformance.model.problems import Finding
from reference_engine.language import cards

Sort = Literal["players", "objects"]

PLAYER_SELECTORS = (
    cards.You,
    cards.Opponents,
    cards.Everyone,
    cards.ActivePlayer,
    cards.DefendingPlayer,
    cards.ChosenPlayer,
    cards.ControllerOf,
    cards.OwnerOf,
    cards.Others,
)
OBJECTS = (cards.All, cards.This, cards.SourceOf)
"""What other selectors name (`it`, `attached`, `the …`) depends on their context."""
WANTED: dict[Sort, tuple[tuple[type[Struct], tuple[str, ...]], ...]] = {
    "players": (
        (cards.Draw, ("who",)),
        (cards.Discard, ("who",)),
        (cards.GainLife, ("who",)),
        (cards.LoseLife, ("who",)),
        (cards.Sacrifice, ("who",)),
        (cards.Search, ("who",)),
        (cards.Mill, ("who",)),
        (cards.Scry, ("who",)),
        (cards.Surveil, ("who",)),
        (cards.Create, ("who",)),
        (cards.AddMana, ("who",)),
        (cards.ChooseInstruction, ("who",)),
        (cards.May, ("who",)),
        (cards.EntersUnder, ("player",)),
        (cards.Cast, ("who",)),
        (cards.OneOfInstruction, ("who",)),
        (cards.ForEachPlayer, ("who",)),
        (cards.ExtraTurn, ("who",)),
        (cards.SkipNext, ("who",)),
        (cards.Put, ("under",)),
        (cards.Activated, ("by",)),
        (cards.TargetSpec, ("players", "by")),
        (cards.Turn, ("of",)),
        (cards.Filter, ("controller", "owner")),
        (cards.All, ("controller", "owner", "of")),
        (cards.GainControl, ("player",)),
        (cards.Keyword, ("player",)),
        (cards.CastEvent, ("by",)),
        (cards.Plays, ("by",)),
        (cards.Draws, ("who",)),
        (cards.Discards, ("who",)),
        (cards.Cycles, ("who",)),
        (cards.GainsLife, ("who",)),
        (cards.LosesLife, ("who",)),
        (cards.Sacrifices, ("who",)),
        (cards.Attacks, ("whom",)),
        (cards.Beginning, ("of",)),
        (cards.LosesControl, ("by",)),
        (cards.IsCountered, ("by",)),
        (cards.LosesGame, ("who",)),
        (cards.TappedForMana, ("by",)),
        (cards.BecomesTarget, ("by",)),
    ),
    "objects": (
        (
            cards.Filter,
            ("other_than", "same_as", "in_combat_with", "damaged_by", "put_by", "shares_color_with"),
        ),
        (cards.All, ("other_than", "same_as", "in_combat_with", "damaged_by", "put_by", "shares_color_with")),
        (cards.SourceOf, ("of",)),
        (cards.OwnerOf, ("of",)),
        (cards.Matches, ("who",)),
        (cards.BecomeCopy, ("of",)),
        (cards.TextOf, ("of",)),
        (cards.AnyColorMana, ("to_activate",)),
        (cards.Damage, ("by",)),
        (cards.Destroy, ("what",)),
        (cards.Exile, ("what",)),
        (cards.Sacrifice, ("what",)),
        (cards.CounterSpell, ("what",)),
        (cards.Tap, ("what",)),
        (cards.Untap, ("what",)),
        (cards.TurnFace, ("what",)),
        (cards.Transform, ("what",)),
        (cards.Put, ("what",)),
        (cards.Create, ("copy_of",)),
        (cards.LookAt, ("what",)),
        (cards.Reveal, ("what",)),
        (cards.CopySpell, ("what",)),
        (cards.Cast, ("what",)),
        (cards.CopyCard, ("what",)),
        (cards.ChangeTarget, ("what",)),
        (cards.Attach, ("what",)),
        (cards.ExchangeControl, ("one", "other")),
        (cards.Regenerate, ("what",)),
        (cards.Fight, ("one", "other")),
        (cards.Enters, ("who",)),
        (cards.Leaves, ("who",)),
        (cards.Dies, ("who",)),
        (cards.Attacks, ("who",)),
        (cards.Blocks, ("who",)),
        (cards.BecomesBlocked, ("who",)),
        (cards.AttacksUnblocked, ("who",)),
        (cards.BecomesTapped, ("who",)),
        (cards.BecomesUntapped, ("who",)),
        (cards.TappedForMana, ("who",)),
        (cards.BecomesTarget, ("who",)),
        (cards.TurnedFaceUp, ("who",)),
        (cards.DealsDamage, ("who",)),
        (cards.AbilityTriggers, ("of",)),
        (cards.PutIntoGraveyard, ("who",)),
        (cards.LosesControl, ("of",)),
        (cards.BecomesUnattached, ("who",)),
    ),
}
WANTED_AT: dict[type[Struct], list[tuple[str, Sort]]] = {}
"""By kind of part: the fields that contain selectors, and what they must name."""
for sort, places in WANTED.items():
    for kind, fields in places:
        WANTED_AT.setdefault(kind, []).extend((field, sort) for field in fields)
OTHERS: dict[Sort, tuple[type[Struct], ...]] = {"players": OBJECTS, "objects": PLAYER_SELECTORS}
"""The selectors that never name anything of this sort."""
NUMBERS_OF_PLAYERS = ("life", "hand_size")


def wrong_sorts(parts: PlacedParts) -> Iterator[Finding]:
    """Selectors that name players where objects are required, or the reverse."""
    for at, part in parts:
        for field, sort in WANTED_AT.get(type(part), ()):
            if isinstance(getattr(part, field), OTHERS[sort]):
                yield wrong_sort(sort, (*at, field))
        if type(part) is cards.PropertyOf and part.what != "counters":
            sort = "players" if part.what in NUMBERS_OF_PLAYERS else "objects"
            if isinstance(part.of, OTHERS[sort]):
                yield wrong_sort(sort, (*at, "of"))
        if type(part) is cards.ChooseInstruction and part.what is not None:
            sort = "players" if part.kind == "player" else "objects"
            if isinstance(part.what, OTHERS[sort]):
                yield wrong_sort(sort, (*at, "what"))


def wrong_sort(sort: Sort, at: tuple[str | int, ...]) -> Finding:
    """The finding for a selector of the wrong sort."""
    if sort == "players":
        return Finding(at, "objects where players are expected", "write {controller_of: …}, or you")
    return Finding(
        at, "players where objects are expected", "write objects: {all: creatures, controller: you}"
    )

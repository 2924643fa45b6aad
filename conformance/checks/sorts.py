"""Checks that a card names players where players are required, and objects where objects are.

The grammar allows every selector everywhere. An instruction for a creature to draw, or to destroy a player,
would do nothing; it is refused instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from conformance.model.card_parts import PlacedParts, parts_with_places
from conformance.model.problems import At, Finding
from reference_engine.language import cards

Sort = Literal["players", "objects"]

PLAYER_SELECTORS = (
    cards.You,
    cards.Opponents,
    cards.Everyone,
    cards.ActivePlayer,
    cards.DefendingPlayer,
    cards.ChosenPlayer,
    cards.Monarch,
    cards.ControllerOf,
    cards.OwnerOf,
    cards.Others,
)
FILTERED_BY = (
    *("other_than", "same_as", "in_combat_with", "damaged_by", "saddler_of", "attached_to", "host_of"),
    *("put_by", "shares_color_with"),
)
"""The keys of a filter that name objects."""
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
        (cards.Emblem, ("who",)),
        (cards.WinGame, ("who",)),
        (cards.LoseGame, ("who",)),
        (cards.BecomeMonarch, ("who",)),
        (cards.ControlPlayer, ("who",)),
        (cards.Designated, ("who",)),
        (cards.AddMana, ("who",)),
        (cards.ChooseInstruction, ("who",)),
        (cards.May, ("who",)),
        (cards.EntersUnder, ("player",)),
        (cards.Cast, ("who",)),
        (cards.OneOfInstruction, ("who",)),
        (cards.ForEachPlayer, ("who",)),
        (cards.ExtraTurn, ("who",)),
        (cards.SkipNext, ("who",)),
        (cards.Manifest, ("who",)),
        (cards.FullyUnlocks, ("who",)),
        (cards.UnlocksThisDoor, ("who",)),
        (cards.Cloak, ("who",)),
        (cards.ManifestDread, ("who",)),
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
        (cards.Activates, ("who",)),
        (cards.Draws, ("who",)),
        (cards.Discards, ("who",)),
        (cards.Cycles, ("who",)),
        (cards.GainsLife, ("who",)),
        (cards.LosesLife, ("who",)),
        (cards.Sacrifices, ("who",)),
        (cards.Attacks, ("whom",)),
        (cards.Cannot, ("whom",)),
        (cards.Beginning, ("of",)),
        (cards.LosesControl, ("by",)),
        (cards.IsCountered, ("by",)),
        (cards.LosesGame, ("who",)),
        (cards.BecomesMonarch, ("who",)),
        (cards.TappedForMana, ("by",)),
        (cards.BecomesTarget, ("by",)),
    ),
    "objects": (
        (cards.Filter, FILTERED_BY),
        (cards.All, FILTERED_BY),
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
        (cards.PhaseOut, ("what",)),
        (cards.RemoveFromCombat, ("what",)),
        (cards.MoveCounters, ("of", "on")),
        (cards.PutSameCounters, ("of", "on")),
        (cards.Explore, ("what",)),
        (cards.Connive, ("what",)),
        (cards.Manifest, ("what",)),
        (cards.UnlockDoor, ("what",)),
        (cards.LockDoor, ("what",)),
        (cards.Cloak, ("what",)),
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
        (cards.Transforms, ("who",)),
        (cards.DealsDamage, ("who",)),
        (cards.GetsCounters, ("who",)),
        (cards.AbilityTriggers, ("of",)),
        (cards.Activates, ("of",)),
        (cards.PutIntoGraveyard, ("who",)),
        (cards.LeavesGraveyard, ("who",)),
        (cards.LosesControl, ("of",)),
        (cards.BecomesAttached, ("who",)),
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


ON_THE_STACK = (cards.CounterSpell, cards.ChangeTarget, cards.CopySpell)
"""Instructions for spells and abilities; they do nothing to anything else (CR 115.7, 701.6a, 707.10)."""


def wrong_targets(parts: PlacedParts) -> Iterator[Finding]:
    """References to a target that can never be what is required there: a player, an object, a spell."""
    specs: dict[tuple[At, str], set[str]] = {}
    others: set[tuple[At, str]] = set()
    for at, part in parts:
        name = getattr(part, "name", None)
        if isinstance(part, cards.TargetSpec):
            specs.setdefault((ability_around(at), part.name), set()).update(sorts_of(part))
        elif isinstance(name, str) and type(part) is not cards.The:
            others.add((ability_around(at), name))
    # A static ability of a spell may refer to the targets of that spell, such as to say what it costs.
    spells = {ability_around(at) for at, part in parts if isinstance(part, cards.Spell)}
    names = {name for _, name in others} | {name for ability, name in specs if ability in spells}
    elsewhere = {name for _, name in specs} - names
    for at, part in parts:
        if (
            isinstance(part, cards.The)
            and part.name in elsewhere
            and (ability_around(at), part.name) not in specs
        ):
            what = f"no target of this ability is called {part.name!r}"
            yield Finding(at, what, "add targets: …; those of other abilities are not known here")
        if isinstance(part, cards.TargetSpec):
            for inner, one in parts_with_places(part):
                if isinstance(one, cards.The) and one.name == part.name:
                    yield Finding((*at, *inner), "a target that depends on itself", "refer to something else")
        for field, sort in WANTED_AT.get(type(part), ()):
            value = getattr(part, field)
            key = (ability_around(at), value.name) if isinstance(value, cards.The) else None
            there = specs.get(key) if key and key not in others else None
            if there is not None and sort not in there:
                yield wrong_sort(sort, (*at, field))
            elif isinstance(part, ON_THE_STACK) and (
                (there is not None and "stack" not in there)
                or (isinstance(value, cards.All) and "stack" not in value.zones)
            ):
                what = "nothing that this names is a spell or an ability on the stack"
                yield Finding((*at, field), what, "write {all: spells}, or targets: {all: spells}")


def ability_around(at: At) -> At:
    """The place of the printed ability that contains a place."""
    return at[: at.index("abilities") + 2] if "abilities" in at else ()


def sorts_of(spec: cards.TargetSpec) -> Iterator[str]:
    """What a target can be: players, objects, and something on the stack."""
    if spec.any_target or spec.players is not None:
        yield "players"
    if spec.any_target or spec.what is not None or spec.stack:
        yield "objects"
    if spec.stack or (spec.what is not None and "stack" in spec.what.zones):
        yield "stack"


def wrong_sort(sort: Sort, at: tuple[str | int, ...]) -> Finding:
    """The finding for a selector of the wrong sort."""
    if sort == "players":
        return Finding(at, "objects where players are expected", "write {controller_of: …}, or you")
    return Finding(
        at, "players where objects are expected", "write objects: {all: creatures, controller: you}"
    )

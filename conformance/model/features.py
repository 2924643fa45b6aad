"""The features that a scenario needs from an engine, from a closed list; computed, never written by hand.

An engine lists the ones that it `lacks` in its `hello`. The ten rungs sort them for authors of new engines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from conformance.model.card_parts import parts_with_places
from conformance.model.scenario import Play
from reference_engine.language.cards import Card
from reference_engine.language.characteristics import is_room

RUNGS: tuple[str, ...] = (
    "vanilla creatures and looks",
    "pass and steps",
    "cast and resolve, free mana",
    "anthems and counters",
    "power and toughness set and switched",
    "types, colours, abilities",
    "control, Auras, Equipment",
    "triggers and choices",
    "costs and rewinding",
    "copies, face down, text, teams",
)
"""The rungs of the ladder, in the order in which an author should build them."""

SHOWN_BY: Mapping[str, frozenset[str]] = {
    "steps": frozenset({"do pass", "do settle", "do advance"}),
    "casting": frozenset({"do cast", "do resolve"}),
    "anthems": frozenset({"op modify"}),
    "set power and toughness": frozenset({"op base"}),
    "switch": frozenset({"op switch"}),
    "types": frozenset(
        f"op {tag}"
        for tag in (
            *("add_types", "set_types", "lose_types"),
            *("set_creature_types", "basic_land_type", "every_type"),
        )
    ),
    "colours": frozenset({"op add_colors", "op set_colors"}),
    "abilities": frozenset({"op gain", "op lose", "op lose_all_abilities", "op cannot_have"}),
    "control": frozenset({"op control", "then exchange_control"}),
    "attachments": frozenset({"who attached", "then attach"}),
    "triggers": frozenset({"is triggered", "then later", "then when_you_do"}),
    "choices": frozenset({"do choose"}),
    "activated abilities": frozenset({"do activate"}),
    "combat": frozenset({"do attack", "do block", "do assign"}),
    "tokens": frozenset({"do call", "then create"}),
    "lands": frozenset({"do play"}),
    "special actions": frozenset({"do special", "do turn_up", "do unlock"}),
    "characteristic-defining abilities": frozenset({"is defines"}),
    "costs": frozenset({"op costs", "op alternative_cost"}),
    "copies": frozenset({"op become_copy", "then copy_spell"}),
    "face down": frozenset(
        {"op face_down", "do turn_up", "then turn", "then manifest", "then cloak", "then manifest_dread"}
    ),
    "what happened this turn": frozenset({"if happened", "num how_often", "on nth"}),
    "designations": frozenset({"if designated", "on becomes_monarch", "then become_monarch", "who monarch"}),
    "day and night": frozenset({"if it_is", "on daytime_changes", "then it_becomes"}),
    "control of players": frozenset({"then control_player"}),
    "text change": frozenset({"op replace_word", "op text_of"}),
}
"""Features that follow from a tag anywhere in a scenario."""

FEATURES: tuple[str, ...] = (
    *SHOWN_BY,
    *("targets", "counters", "payments", "simultaneous entry", "owner differs"),
    *("three players", "teams", "planeswalkers", "sagas", "classes"),
    *("modal double-faced cards", "adventures", "split cards", "rooms"),
)
"""All features."""


OF_KEYWORDS = {"ascend": "designations", "daybound": "day and night", "nightbound": "day and night"}
"""The features that keywords need."""


def features_of(play: Play) -> frozenset[str]:
    """The features that a scenario needs."""
    parts = [part for _, part in parts_with_places(play)]
    tags = {tag_of(part) for part in parts}
    by_tag = {feature for feature, shown_by in SHOWN_BY.items() if shown_by & tags}
    return frozenset({*by_tag, *features_of_the_table(play), *features_of_parts(parts)})


def tag_of(part: Struct) -> str:
    """The tag of a struct, after its tag key: `do cast`."""
    config = part.__struct_config__
    return f"{config.tag_field} {config.tag}" if config.tag_field else type(part).__name__


def features_of_the_table(play: Play) -> Iterator[str]:
    """The features needed by the players and the setup."""
    if len(play.players) > 2:
        yield "three players"
    if any(player.team for player in play.players):
        yield "teams"
    owners = {thing.id: thing.owner for thing in play.objects}
    for arrival in play.setup:
        if len(arrival.entries) > 1:
            yield "simultaneous entry"
        for entry in arrival.entries:
            if owners[entry.id] != entry.controller:
                yield "owner differs"
            if entry.face_down:
                yield "face down"
            if entry.attached_to:
                yield "attachments"


def features_of_parts(parts: list[Struct]) -> Iterator[str]:
    """The features that follow from the fields of a part."""
    for part in parts:
        match type(part).__name__:
            case "Counters" | "CountersIf" | "PutCounters" | "RemoveCounters":
                yield "counters"
            case "TargetSpec":
                yield "targets"
            case "Pay" | "CostPaid":
                yield "payments"
            case "CopyAsEnters":
                yield "copies"
            case "Card" if "Planeswalker" in part.types:  # type: ignore[attr-defined]  # a card has types
                yield "planeswalkers"
            case "Card" if "Saga" in part.subtypes:  # type: ignore[attr-defined]  # a card has subtypes
                yield "sagas"
            case "LevelBar":
                yield "classes"
            case "Keyword" if part.keyword in OF_KEYWORDS:  # type: ignore[attr-defined]  # it has one
                yield OF_KEYWORDS[part.keyword]  # type: ignore[attr-defined]  # it has one
            case "Card" if part.modal:  # type: ignore[attr-defined]  # a card has this field
                yield "modal double-faced cards"
            case "Card" if part.adventure is not None:  # type: ignore[attr-defined]  # a card has this field
                yield "adventures"
            case "Card" if isinstance(part, Card) and is_room(part):
                yield "rooms"
            case "Card" if part.halves:  # type: ignore[attr-defined]  # a card has this field
                yield "split cards"
            case _:
                pass

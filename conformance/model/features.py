"""The features that a scenario needs from an engine, from a closed list; computed, never written by hand.

An engine lists the ones that it `lacks` in its `hello`. The ten rungs sort them for authors of new engines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from conformance.model.card_parts import once_for_each, parts_with_places
from conformance.model.scenario import Play
from reference_engine.language.cards import Ability, Card, Keyword
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
    of_cards = [features_of_card(card.definition) for card in play.cards]
    parts = [part for _, part in parts_with_places(replace(play, cards=()))]
    return frozenset(features_of_the_table(play)).union(features_of_parts(parts), *of_cards)


@once_for_each
def features_of_card(card: Card) -> frozenset[str]:
    """The features that a card needs."""
    return features_in(card)


OF_TAGS: Mapping[str, frozenset[str]] = {
    tag: frozenset(feature for feature, shown_by in SHOWN_BY.items() if tag in shown_by)
    for tag in frozenset().union(*SHOWN_BY.values())
}
"""The features that follow from each tag."""


def features_in(part: Card | Ability) -> frozenset[str]:
    """The features that a card or an ability needs."""
    return features_of_parts([one for _, one in parts_with_places(part)])


def tag_of(part: Struct) -> str:
    """The tag of a struct, after its tag key: `do cast`."""
    return tag_of_kind(type(part))


@cache
def tag_of_kind(kind: type[Struct]) -> str:
    """The tag of all structs of a kind."""
    config = kind.__struct_config__
    return f"{config.tag_field} {config.tag}" if config.tag_field else kind.__name__


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


def features_of_parts(parts: Sequence[Struct]) -> frozenset[str]:
    """The features that follow from tags and fields of these parts."""
    found = set[str]().union(*map(features_of_every, set(map(type, parts))))
    for part in parts:
        if isinstance(part, Card):
            found |= features_of_kind(part)
        elif isinstance(part, Keyword) and part.keyword in OF_KEYWORDS:
            found.add(OF_KEYWORDS[part.keyword])
    return frozenset(found)


@cache
def features_of_every(kind: type[Struct]) -> frozenset[str]:
    """The features that all parts of a kind need."""
    return OF_TAGS.get(tag_of_kind(kind), NOTHING) | OF_TYPES.get(kind.__name__, NOTHING)


NOTHING: frozenset[str] = frozenset()
OF_TYPES: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("Counters", "CountersIf", "PutCounters", "RemoveCounters"), frozenset({"counters"})),
    **dict.fromkeys(("Pay", "CostPaid"), frozenset({"payments"})),
    "TargetSpec": frozenset({"targets"}),
    "CopyAsEnters": frozenset({"copies"}),
    "LevelBar": frozenset({"classes"}),
}
"""The features that follow from the types of parts, by the names of the types."""


def features_of_kind(card: Card) -> frozenset[str]:
    """The feature that a card needs because of what it is, if any."""
    if "Planeswalker" in card.types:
        return frozenset({"planeswalkers"})
    if "Saga" in card.subtypes:
        return frozenset({"sagas"})
    if card.modal:
        return frozenset({"modal double-faced cards"})
    if card.adventure is not None:
        return frozenset({"adventures"})
    if is_room(card):
        return frozenset({"rooms"})
    return frozenset({"split cards"}) if card.halves else NOTHING

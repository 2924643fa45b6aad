"""Refuses keys of a definition that have no effect without another key, and says which one they need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from msgspec import Struct, structs

from conformance.model.card_parts import PlacedParts
from conformance.model.problems import Finding
from reference_engine.language import cards

Needs = Callable[[Any], bool]


def puts_onto_battlefield(part: Any) -> bool:
    """Whether something is put onto the battlefield."""
    return bool(part.to == "battlefield")


def puts_into_library(part: Any) -> bool:
    """Whether something is put into a library."""
    return bool(part.to == "library")


def has_modes(part: Any) -> bool:
    """Whether there are modes to choose."""
    return bool(part.modes)


COUNTED = frozenset({"cast", "draw"})
"""What a player may be allowed to do a few times each turn, and then no more."""
OF_SOME = frozenset({"activate abilities", "be blocked", "be targeted", "block", "cast"})
"""What can be forbidden for some objects only."""
TOGETHER = frozenset({"attack", "block"})
"""What can be forbidden for some numbers of creatures only."""
PAID_FOR = frozenset({"attack", "block", "be blocked"})
"""What can be forbidden unless somebody pays."""

IDLE: dict[type[Struct], tuple[tuple[tuple[str, ...], Needs, str], ...]] = {
    cards.Put: (
        (("under", "tapped", "attacking", "counters", "does"), puts_onto_battlefield, "to: battlefield"),
        (("bottom", "shuffled", "at_random"), puts_into_library, "to: library"),
    ),
    cards.LookThrough: (
        (("tapped",), puts_onto_battlefield, "to: battlefield"),
        (("what", "may", "to"), lambda part: part.most > 0, "most"),
    ),
    cards.Manifest: ((("n",), lambda part: part.what is None, "the top cards of a library, without what"),),
    cards.Cloak: ((("n",), lambda part: part.what is None, "the top cards of a library, without what"),),
    cards.Search: ((("tapped",), puts_onto_battlefield, "to: battlefield"),),
    cards.Create: ((("but",), lambda part: part.copy_of is not None, "copy_of"),),
    cards.PropertyOf: ((("counter",), lambda part: part.what == "counters", "property: counters"),),
    cards.ChooseInstruction: (
        (("what",), lambda part: part.kind in ("object", "player"), "choose: object, or player"),
        (("of",), lambda part: part.kind in ("type", "word"), "choose: type, or word"),
        (("among",), lambda part: part.kind == "name", "choose: name"),
        (("never",), lambda part: part.kind not in ("object", "player", "number"), "a choice of words"),
    ),
    cards.Spell: ((("modes_chosen", "modes_most"), has_modes, "modes"),),
    cards.Activated: ((("modes_chosen",), has_modes, "modes"),),
    cards.Triggered: ((("modes_chosen",), has_modes, "modes"),),
    cards.May: ((("times",), lambda part: bool(part.cost), "cost"),),
    cards.AsEnters: ((("otherwise",), lambda part: part.may, "may: yes"),),
    cards.Must: ((("by",), lambda part: part.do == "be blocked", "must: be blocked"),),
    cards.Cannot: (
        (("whom",), lambda part: "attack" in part.do, "cannot: attack"),
        (("but",), lambda part: "activate abilities" in part.do, "cannot: activate abilities"),
        (("after",), lambda part: part.do <= COUNTED, "cannot: cast, or draw, and nothing else"),
        (
            ("what",),
            lambda part: part.do <= OF_SOME,
            f"cannot: {', '.join(sorted(OF_SOME))}, and nothing else",
        ),
        (("number",), lambda part: part.do <= TOGETHER, "cannot: attack, or block, and nothing else"),
        (
            ("unless_pays",),
            lambda part: part.do <= PAID_FOR and part.number is None,
            "cannot: attack, block, or be blocked, and nothing else, without number",
        ),
        (
            ("unless",),
            lambda part: "have damage prevented" not in part.do,
            "cannot: anything but have damage prevented",
        ),
    ),
    cards.GoTo: ((("bottom",), lambda part: part.zone == "library", "go_to: library"),),
    cards.HandSize: ((("n",), lambda part: part.how != "none", "hand_size: set, or plus"),),
    cards.Comparison: ((("n",), lambda part: part.how not in ("even", "odd"), "=, >= or <="),),
    cards.Card: ((("loyalty",), lambda part: "Planeswalker" in part.types, "types: [Planeswalker]"),),
}
"""By kind of part: keys, the condition under which they have an effect, and how to write it."""


def idle_keys(card: cards.Card, parts: PlacedParts) -> Iterator[Finding]:
    """The keys of a card that have no effect because something else is missing."""
    for at, part in [((), card), *parts]:
        for keys, is_there, needed in IDLE.get(type(part), ()):
            if not is_there(part):
                for key in non_default_keys(part, keys):
                    yield Finding((*at, key), f"{key} has no effect here", f"it needs {needed}")
        if type(part) is cards.Triggered and isinstance(part.when, cards.Beginning) and part.when.next:
            yield Finding((*at, "when", "next"), "next has no effect here", "it needs later: {beginning: …}")
        if type(part) is cards.Put:
            for number, operation in enumerate(part.does):
                if operation.layer == "rules":
                    what = "a rule is nothing that one object is or has"
                    yield Finding((*at, "does", number), what, "give it an ability: {gain: {static: …}}")
    for number, ability in enumerate(card.abilities):
        if isinstance(ability, cards.Spell) and not is_kicked(card):
            for key in non_default_keys(ability, ("kicked", "kicked_targets")):
                place = ("abilities", number, key)
                yield Finding(place, f"{key} has no effect here", "it needs kicker: {kicker: …}")


def non_default_keys(part: Struct, keys: tuple[str, ...]) -> list[str]:
    """Those of these keys that differ from their defaults."""
    usual = usual_values(type(part))
    return [key for key in keys if getattr(part, key) not in (usual[key], (), None, frozenset())]


@cache
def usual_values(kind: type[Struct]) -> dict[str, object]:
    """The default of each field of a type."""
    return {field.name: field.default for field in structs.fields(kind)}


def is_kicked(card: cards.Card) -> bool:
    """Whether a card has kicker."""
    return any(isinstance(one, cards.Keyword) and one.keyword == "kicker" for one in card.abilities)

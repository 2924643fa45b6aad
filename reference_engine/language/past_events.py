"""The past events that cards can ask about: those of which a game keeps records."""

from __future__ import annotations

from typing import Literal

from reference_engine.language import cards
from reference_engine.language.words import AbilityClass

PastKind = Literal[
    "cast",
    "played",
    "drawn",
    "discarded",
    "sacrificed",
    "life gained",
    "life lost",
    "attacked",
    "entered",
    "left",
    "died",
    "put into a graveyard",
    "became a target",
    "ability activated",
    "mana ability activated",
    "loyalty ability activated",
]

ACTIVATIONS: dict[PastKind, AbilityClass | None] = {
    "ability activated": None,
    "mana ability activated": "mana abilities",
    "loyalty ability activated": "loyalty abilities",
}
"""The records of abilities that were activated, by what abilities these are."""

RECORDED_AS: dict[type[cards.EventKind], tuple[PastKind, ...]] = {
    cards.CastEvent: ("cast",),
    cards.Plays: ("cast", "played"),
    cards.Draws: ("drawn",),
    cards.Discards: ("discarded",),
    cards.Sacrifices: ("sacrificed",),
    cards.GainsLife: ("life gained",),
    cards.LosesLife: ("life lost",),
    cards.Attacks: ("attacked",),
    cards.Enters: ("entered",),
    cards.Leaves: ("left",),
    cards.Dies: ("died",),
    cards.PutIntoGraveyard: ("put into a graveyard",),
    cards.BecomesTarget: ("became a target",),
    cards.Activates: tuple(ACTIVATIONS),
}
"""The events that cards can ask about afterwards, and their records."""
OF_PLAYERS = (
    cards.CastEvent,
    cards.Plays,
    cards.Activates,
    cards.Draws,
    cards.Discards,
    cards.Sacrifices,
    cards.GainsLife,
    cards.LosesLife,
)
"""The events that players cause; "two or more" of them are those of one player."""


def activation_kind(mana: bool, loyalty: bool) -> PastKind:
    """The kind of record that is kept of an activation."""
    if mana:
        return "mana ability activated"
    return "loyalty ability activated" if loyalty else "ability activated"


def is_such_an_activation(kind: PastKind, event: cards.Activates) -> bool:
    """Whether an ability about abilities being activated means those of which such records are kept."""
    ability = ACTIVATIONS[kind]
    return ability not in event.but and event.only in (None, ability)


def is_of_players(event: cards.TriggerEvent) -> bool:
    """Whether players cause such events, so that those of one player are counted."""
    events = event.events if isinstance(event, cards.AnyEvent) else (event,)
    return all(isinstance(kind, OF_PLAYERS) for kind in events)


def can_be_past(event: cards.TriggerEvent) -> bool:
    """Whether records of such events are kept."""
    if isinstance(event, cards.AnyEvent):
        return all(map(can_be_past, event.events))
    if isinstance(event, cards.Attacks) and (event.alone or event.saddled):
        return False
    if isinstance(event, cards.CastEvent) and event.aimed_at is not None:
        return False
    return type(event) in RECORDED_AS

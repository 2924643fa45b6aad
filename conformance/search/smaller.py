"""Shrinks a scenario that shows something: removes whatever is not needed to show it.

Hypothesis shrinks a law's case, as a whole and within the law. Here there is only one scenario left, and all
that matters is that the engine gets it wrong: actions, objects, abilities and single operations are removed,
one by one, until nothing else can go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from conformance.model.scenario import CardInPlay, Play
from reference_engine.language.actions import Look
from reference_engine.language.cards import Card, Static

Shows = Callable[[Play], bool]
"""Whether a scenario still shows what it is kept for."""


FEW = 4
"""Number of actions or objects that are removed one by one from the start."""


def smallest(play: Play, shows: Shows, in_time: Callable[[], bool]) -> Play:
    """Remove one thing after another while the play still shows it, until nothing can go or time is up."""
    play = without_large_parts(play, shows, in_time)
    tried: set[Play] = set()
    while True:
        for candidate in smaller_by_one(play):
            if not in_time():
                return play
            if candidate not in tried and shows(candidate):
                play = candidate
                break
            tried.add(candidate)
        else:
            return play


def without_large_parts(play: Play, shows: Shows, in_time: Callable[[], bool]) -> Play:
    """Remove ever smaller parts of a long script, and of many objects, each once and from the end."""
    for length, without in ((script_length, without_actions), (number_of_objects, without_objects)):
        size = length(play) // 2
        while size > FEW:
            end = length(play)
            while end > 0 and in_time():
                candidate = without(play, max(0, end - size), end)
                if candidate != play and shows(candidate):
                    play = candidate
                end -= size
            size //= 2
    return play


def script_length(play: Play) -> int:
    """Number of actions and looks in the script."""
    return len(play.script)


def number_of_objects(play: Play) -> int:
    """Number of objects of the play."""
    return len(play.objects)


def without_actions(play: Play, start: int, end: int) -> Play:
    """The play without a part of its script, except the looks in it."""
    looks = tuple(one for one in play.script[start:end] if isinstance(one, Look))
    return replace(play, script=play.script[:start] + looks + play.script[end:])


def without_objects(play: Play, start: int, end: int) -> Play:
    """The play without some of its objects."""
    for one in play.objects[start:end]:
        play = without_object(play, one.id)
    return without_unused_cards(play)


def smaller_by_one(play: Play) -> Iterator[Play]:
    """The play with something removed: much of the script, an action, an object, part of a card."""
    script = play.script
    for size in (len(script) // 2, len(script) // 4, 1):
        if size > 1 or (size == 1 and script):
            for start in range(len(script) - size, -1, -size):
                if not all(isinstance(action, Look) for action in script[start : start + size]):
                    yield replace(play, script=script[:start] + script[start + size :])
    for one in reversed(play.objects):
        yield without_unused_cards(without_object(play, one.id))
    for number, card in enumerate(play.cards):
        for simpler in simpler_cards(card.definition):
            cards = (*play.cards[:number], CardInPlay(simpler), *play.cards[number + 1 :])
            yield replace(play, cards=cards)
    for number, arrival in enumerate(play.setup):
        for position, entry in enumerate(arrival.entries):
            plain = replace(entry, tapped=False, counters=(), damage=0)
            if plain != entry:
                entries = (*arrival.entries[:position], plain, *arrival.entries[position + 1 :])
                setup = (*play.setup[:number], replace(arrival, entries=entries), *play.setup[number + 1 :])
                yield replace(play, setup=setup)


def without_object(play: Play, id: str) -> Play:
    """The play without an object: it does not exist, is in no zone, does not enter, and is not looked at."""
    setup = (
        replace(
            arrival,
            entries=tuple(entry for entry in arrival.entries if entry.id != id),
            timestamps=tuple(
                replace(order, ids=tuple(one for one in order.ids if one != id))
                for order in arrival.timestamps
            ),
        )
        for arrival in play.setup
    )
    return replace(
        play,
        objects=tuple(one for one in play.objects if one.id != id),
        players=tuple(without_card(player, id) for player in play.players),
        setup=tuple(arrival for arrival in setup if arrival.entries),
        wants=tuple(want for want in play.wants if want.of != id),
    )


def without_card(player: Any, id: str) -> Any:
    """A player without a card in any of their zones."""
    zones = ("hand", "library", "graveyard", "exile")
    return replace(
        player, **{zone: tuple(one for one in getattr(player, zone) if one != id) for zone in zones}
    )


def without_unused_cards(play: Play) -> Play:
    """The play without invented cards that no object has and no other card could make."""
    used = {one.card for one in play.objects}
    there = repr([card.definition for card in play.cards if card.definition.name in used]) + repr(play.script)
    return replace(
        play,
        cards=tuple(
            card for card in play.cards if card.definition.name in used or card.definition.name in there
        ),
    )


def simpler_cards(card: Card) -> Iterator[Card]:
    """A card without one of its abilities, or without one of the things that an ability does."""
    for number, ability in enumerate(card.abilities):
        rest = card.abilities[:number], card.abilities[number + 1 :]
        yield replace(card, abilities=rest[0] + rest[1])
        for simpler in simpler_abilities(ability):
            yield replace(card, abilities=(*rest[0], simpler, *rest[1]))


def simpler_abilities(ability: Struct) -> Iterator[Any]:
    """A static ability with one part, without one of its operations."""
    if isinstance(ability, Static) and len(ability.parts) == 1:
        [part] = ability.parts
        for number in range(len(part.does)) if len(part.does) > 1 else ():
            does = part.does[:number] + part.does[number + 1 :]
            yield replace(ability, parts=(replace(part, does=does),))

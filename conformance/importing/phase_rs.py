"""Reads saved states of phase-rs: the whole game as JSON, as its browser keeps it and its debugger copies it.

Only what a scenario can begin with is imported: what lies where. A game with something on the stack, an
attack under way or an effect that goes on is told apart and refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from conformance.importing.board import (
    ForeignBoard,
    ForeignCard,
    ForeignPermanent,
    ForeignSeat,
    ForeignValues,
)
from reference_engine.language.cards import Card, Keyword
from reference_engine.language.words import CardType, Color, KeywordName, Step, Supertype

STEPS_OF_PHASE_RS: Mapping[str, Step] = {
    "Upkeep": "upkeep",
    "Draw": "draw",
    "PreCombatMain": "precombat main",
    "BeginCombat": "beginning of combat",
    "EndCombat": "end of combat",
    "PostCombatMain": "postcombat main",
    "End": "end",
}
NOT_POSSIBLE = {
    "stack": "a scenario begins with an empty stack",
    "combat": "a scenario begins outside of an attack",
    "transient_continuous_effects": "effects of spells and abilities that go on are not imported",
    "delayed_triggers": "delayed triggers are not imported",
    "exile_links": "links to exiled cards are not imported",
    "extra_turns": "extra turns are not imported",
    "extra_phases": "extra phases are not imported",
    "command_zone": "scenarios have nothing in the command zone",
    "pending_trigger": "a decision is under way",
    "pending_replacement": "a decision is under way",
    "spells_cast_this_turn": "what happened earlier in the turn is not imported",
    "lands_played_this_turn": "what happened earlier in the turn is not imported",
}
"""Keys that have to be empty, and why."""
WRAPPINGS = ("state", "data", "gameState", "game_state")
"""Keys under which a file may have the state."""
MOST_WRAPPINGS = 4
DEFINING_KEYS = (
    "base_abilities",
    "base_trigger_definitions",
    "base_static_definitions",
    "base_replacement_definitions",
)


def state_in(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """The state itself, from whatever it was sent or kept in."""
    for _ in range(MOST_WRAPPINGS):
        if "objects" in value and "battlefield" in value:
            break
        inner = next((value[key] for key in WRAPPINGS if isinstance(value.get(key), dict)), None)
        if inner is None:
            break
        value = inner
    return value


def is_of_phase_rs(value: Mapping[str, Any]) -> bool:
    """Whether a file is a saved state of phase-rs."""
    state = state_in(value)
    return isinstance(state.get("objects"), dict) and isinstance(state.get("battlefield"), list)


def phase_rs_board(state: Mapping[str, Any], path: str) -> ForeignBoard:
    """The board in a saved state."""
    values = ForeignValues()
    objects = {key: one for key, one in values.map_at(state, "objects", "").items() if isinstance(one, dict)}
    for key, why in NOT_POSSIBLE.items():
        if state.get(key):
            values.obstacle(key, why)
    waiting = values.text_at(values.map_at(state, "waiting_for", ""), "type", "waiting_for.", "Priority")
    if waiting != "Priority":
        values.obstacle("waiting_for", f"a decision is under way: {waiting[:40]}")
    players = values.list_at(state, "players", "")
    numbers = [one.get("id") for one in players if isinstance(one, dict)]
    if not 2 <= len(numbers) == len(players) or len(set(map(str, numbers))) < len(numbers):
        values.obstacle("players", "expected two or more players, each with its id")
    exile = [card for key in values.list_at(state, "exile", "") for card in object_called(objects, key)]
    seats = tuple(
        seat_of(one, number, objects, exile, values)
        for number, one in enumerate(players, 1)
        if isinstance(one, dict)
    )
    permanents = tuple(permanents_of(state, objects, numbers, values))
    active, holder = (
        player_number(state, key, numbers, values) for key in ("active_player", "priority_player")
    )
    phase = values.text_at(state, "phase", "", "PreCombatMain")
    if phase not in STEPS_OF_PHASE_RS:
        values.obstacle("phase", f"no scenario begins in {phase[:40]!r}")
    return ForeignBoard(
        path,
        "",
        seats,
        permanents,
        active,
        holder if holder != active else None,
        STEPS_OF_PHASE_RS.get(phase, "precombat main"),
        tuple(values.obstacles),
    )


def object_called(objects: Mapping[str, Any], key: object) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """An object by its number, with its place; nothing if it is not there."""
    if str(key) in objects:
        yield f"objects.{key}", objects[str(key)]


def player_number(
    one: Mapping[str, Any], key: str, numbers: list[Any], values: ForeignValues, at: str = ""
) -> int:
    """A player's position by the id under a key."""
    value = one.get(key, numbers[0] if numbers else None)
    if value not in numbers:
        values.obstacle(f"{at}{key}", "no player has this id")
        return 0
    return numbers.index(value)


def seat_of(
    player: Mapping[str, Any],
    number: int,
    objects: Mapping[str, Any],
    exile: list[tuple[str, Mapping[str, Any]]],
    values: ForeignValues,
) -> ForeignSeat:
    """A player with the cards outside of the battlefield."""
    at = f"players[{number}]."
    hand, library, graveyard = (
        tuple(
            card
            for key in values.list_at(player, zone, at)
            for place, one in object_called(objects, key)
            if (card := card_of(one, place, values))
        )
        for zone in ("hand", "library", "graveyard")
    )
    own = [card_of(one, place, values) for place, one in exile if one.get("owner") == player.get("id")]
    pool = values.map_at(player, "mana_pool", at)
    if pool.get("mana"):
        values.obstacle(f"{at}mana_pool", "a scenario begins without mana")
    for key in ("energy", "speed"):
        if player.get(key):
            values.obstacle(f"{at}{key}", "scenarios do not have it")
    poison = values.number_at(player, "poison_counters", at)
    return ForeignSeat(
        f"player{number}",
        values.number_at(player, "life", at, 20),
        (("poison", poison),) if poison > 0 else (),
        hand=hand,
        library=library,
        graveyard=graveyard[::-1],  # phase-rs adds to the end, which is the top
        exile=tuple(card for card in own if card),
    )


def card_of(one: Mapping[str, Any], at: str, values: ForeignValues) -> ForeignCard | None:
    """A card, with its definition if it has nothing but characteristics and plain keywords."""
    if one.get("face_down") or one.get("transformed") or one.get("flipped"):
        values.obstacle(at, "cards that are face down, transformed or flipped are not imported")
    name = values.text_at(one, "base_name", f"{at}.") or one.get("name")
    return values.card(name, f"{at}.name", definition_of(one))


def definition_of(one: Mapping[str, Any]) -> Card | None:
    """A card or token as the state describes it; None if it can do something."""
    kinds = one.get("base_card_types")
    if any(one.get(key) for key in DEFINING_KEYS) or not isinstance(kinds, dict):
        return None
    types, supertypes, subtypes = (
        strings(kinds.get(key)) for key in ("core_types", "supertypes", "subtypes")
    )
    colors, keywords = strings(one.get("base_color")), strings(one.get("base_keywords"))
    if types is None or supertypes is None or subtypes is None or colors is None or keywords is None:
        return None
    abilities = [plain_keyword(word) for word in keywords]
    colors = frozenset(color.lower() for color in colors)
    fits = (
        (types and types <= set(get_args(CardType)))
        and (supertypes <= set(get_args(Supertype)) and colors <= set(get_args(Color)))
        and None not in abilities
    )
    if not fits:
        return None
    return Card(
        str(one.get("base_name") or one.get("name")),
        types,  # type: ignore[arg-type]  # they are card types: see above
        cost_of(one.get("base_mana_cost")),
        supertypes,  # type: ignore[arg-type]  # they are supertypes
        subtypes,
        colors or None,  # type: ignore[arg-type]  # they are colours
        small(one.get("base_power")),
        small(one.get("base_toughness")),
        abilities=tuple(Keyword(word) for word in abilities if word),
    )


def strings(value: object) -> frozenset[str] | None:
    """The strings in a list; None if there is anything else in it."""
    if value is None:
        return frozenset()
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        return None
    return frozenset(value)


def plain_keyword(word: str) -> KeywordName | None:
    """A keyword that stands alone; None if it is another."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", word).lower()
    return next((name for name in get_args(KeywordName) if name == words), None)


def small(value: object) -> int | None:
    """A number that a card can have."""
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1000 else None


SYMBOLS = {"White": "W", "Blue": "U", "Black": "B", "Red": "R", "Green": "G", "Colorless": "C", "X": "X"}


def cost_of(cost: object) -> str | None:
    """A mana cost of plain symbols; None for any other, and if there is none."""
    if not isinstance(cost, dict) or not isinstance(cost.get("shards"), list):
        return None
    symbols = [SYMBOLS.get(str(shard)) for shard in cost["shards"]]
    generic = small(cost.get("generic")) or 0
    if None in symbols:
        return None
    plain = [f"{{{generic}}}"] if generic or not symbols else []
    return "".join([*plain, *(f"{{{symbol}}}" for symbol in symbols)])


def permanents_of(
    state: Mapping[str, Any], objects: Mapping[str, Any], numbers: list[Any], values: ForeignValues
) -> Iterator[ForeignPermanent]:
    """The battlefield, oldest first."""
    there = [pair for key in values.list_at(state, "battlefield", "") for pair in object_called(objects, key)]
    there.sort(key=lambda pair: values.number_at(pair[1], "timestamp", f"{pair[0]}."))
    cards = [(place, one, card_of(one, place, values)) for place, one in there]
    kept = [(place, one, card) for place, one, card in cards if card is not None]
    positions = {place: at for at, (place, _, _) in enumerate(kept)}
    for place, one, card in kept:
        at = f"{place}."
        host = host_of(one, at, positions, values)
        turn = one.get("entered_battlefield_turn")
        yield ForeignPermanent(
            card,
            player_number(one, "controller", numbers, values, at),
            player_number(one, "owner", numbers, values, at),
            tapped=one.get("tapped") is True,
            new=turn is not None and turn == state.get("turn_number"),
            damage=values.number_at(one, "damage_marked", at),
            counters=values.counters(values.map_at(one, "counters", at), f"{at}counters"),
            counters_in_all=True,
            host=host,
            token=one.get("is_token") is True,
        )


def host_of(
    one: Mapping[str, Any], at: str, positions: Mapping[str, int], values: ForeignValues
) -> int | None:
    """The position of what something is attached to."""
    attached = one.get("attached_to")
    if attached is None:
        return None
    number = (
        attached.get("data") if isinstance(attached, dict) and attached.get("type") == "Object" else attached
    )
    host = positions.get(f"objects.{number}") if isinstance(number, int) else None
    if host is None:
        values.obstacle(f"{at}attached_to", "attached to something that is not on the battlefield")
    return host

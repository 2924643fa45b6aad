"""Reads Argentum's scenarios: a JSON file with a board for each of its players."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from conformance.importing.board import (
    ForeignBoard,
    ForeignPermanent,
    ForeignSeat,
    ForeignValues,
)
from reference_engine.language.words import Step

STEPS_OF_ARGENTUM: Mapping[str, Step] = {
    "UPKEEP": "upkeep",
    "DRAW": "draw",
    "PRECOMBAT_MAIN": "precombat main",
    "BEGIN_COMBAT": "beginning of combat",
    "END_COMBAT": "end of combat",
    "POSTCOMBAT_MAIN": "postcombat main",
    "END": "end",
}
"""Steps in which a scenario can begin as well as in Argentum."""
FIRST_STEPS: Mapping[str, str] = {
    "BEGINNING": "UNTAP",
    "PRECOMBAT_MAIN": "PRECOMBAT_MAIN",
    "COMBAT": "BEGIN_COMBAT",
    "POSTCOMBAT_MAIN": "POSTCOMBAT_MAIN",
    "ENDING": "END",
}
"""The step in which a phase begins, if the file has only the phase."""
CHOICES = {"chosenColor": "color", "chosenCreatureType": "type", "chosenCardType": "type"}


def is_of_argentum(value: Mapping[str, Any]) -> bool:
    """Whether a file is a scenario of Argentum."""
    return "objects" not in value and ("player1" in value or isinstance(value.get("players"), list))


def argentum_board(value: Mapping[str, Any], path: str) -> ForeignBoard:
    """The board in a scenario of Argentum."""
    values = ForeignValues()
    seats: list[ForeignSeat] = []
    permanents: list[ForeignPermanent] = []
    hosts: dict[int, tuple[str, str]] = {}
    for number, (name, config, at) in enumerate(players_of(value, values)):
        seats.append(seat_of(name, config, at, values))
        for place, one in enumerate(values.list_at(config, "battlefield", at), 1):
            where = f"{at}battlefield[{place}]"
            found = permanent_of(one, number, where, values)
            if found is None:
                continue
            if one.get("attachedTo") is not None:
                hosts[len(permanents)] = (where, values.text_at(one, "attachedTo", f"{where}."))
            permanents.append(found)
    for attached, (where, name) in hosts.items():
        host = max((at for at, one in enumerate(permanents) if one.card.name == name), default=None)
        if host is None or host == attached:
            values.obstacle(where, f"attached to {name!r}, which is not on the battlefield")
        permanents[attached] = replace(permanents[attached], host=host)
    active = seat_number(value, "activePlayer", len(seats), values)
    holder = seat_number(value, "priorityPlayer", len(seats), values, active)
    return ForeignBoard(
        path,
        "",
        tuple(seats),
        tuple(permanents),
        active,
        holder if holder != active else None,
        step_of(value, values),
        tuple(values.obstacles),
    )


def players_of(value: Mapping[str, Any], values: ForeignValues) -> list[tuple[str, Mapping[str, Any], str]]:
    """Name, contents and place of each player."""
    for key in ("customCards", "teams"):
        if value.get(key):
            values.obstacle(key, "is not imported")
    if not isinstance(value.get("players"), list):
        return [
            (
                values.text_at(value, f"player{number}Name", "", f"player{number}"),
                values.map_at(value, f"player{number}", ""),
                f"player{number}.",
            )
            for number in (1, 2)
        ]
    found = []
    for number, one in enumerate(value["players"][:MOST_SEATS], 1):
        at = f"players[{number}]."
        seat = one if isinstance(one, dict) else {}
        config = values.map_at(seat, "config", at)
        found.append((values.text_at(seat, "name", at, f"player{number}"), config, f"{at}config."))
    if not 2 <= len(value["players"]) <= MOST_SEATS:
        values.obstacle("players", f"expected 2 to {MOST_SEATS} players")
    return found


MOST_SEATS = 4


def seat_of(name: str, config: Mapping[str, Any], at: str, values: ForeignValues) -> ForeignSeat:
    """A player with the cards outside of the battlefield."""
    if config.get("commanders"):
        values.obstacle(f"{at}commanders", "scenarios have no commanders")
    hand, library, graveyard, exile = (
        values.several(values.list_at(config, zone, at), f"{at}{zone}")
        for zone in ("hand", "library", "graveyard", "exile")
    )
    return ForeignSeat(
        name,
        values.number_at(config, "lifeTotal", at, 20),
        hand=hand,
        library=library,
        graveyard=graveyard[::-1],  # Argentum adds to the end, which is the top
        exile=exile,
    )


def permanent_of(one: Any, seat: int, at: str, values: ForeignValues) -> ForeignPermanent | None:
    """A card on the battlefield."""
    if not isinstance(one, dict):
        values.obstacle(at, "expected a map with the name of a card")
        return None
    card = values.card(one.get("name"), f"{at}.name")
    if card is None:
        return None
    choices = tuple(
        (kind, answer.lower() if kind == "color" else answer)
        for key, kind in CHOICES.items()
        if (answer := values.text_at(one, key, f"{at}."))
    )
    return ForeignPermanent(
        card,
        seat,
        seat,
        tapped=one.get("tapped") is True,
        new=one.get("summoningSickness") is True,
        counters=values.counters(values.map_at(one, "counters", f"{at}."), f"{at}.counters"),
        counters_in_all=True,
        choices=choices,
    )


def seat_number(
    value: Mapping[str, Any], key: str, seats: int, values: ForeignValues, default: int = 0
) -> int:
    """A player by number, which Argentum counts from 1."""
    number = values.number_at(value, key, "", default + 1)
    if not 1 <= number <= seats:
        values.obstacle(key, f"there is no player {number}")
        return default
    return number - 1


def step_of(value: Mapping[str, Any], values: ForeignValues) -> Step:
    """The step in which the scenario begins."""
    phase = values.text_at(value, "phase", "", "PRECOMBAT_MAIN")
    step = values.text_at(value, "step", "", FIRST_STEPS.get(phase, phase))
    if step not in STEPS_OF_ARGENTUM:
        values.obstacle("step" if value.get("step") else "phase", f"no scenario begins in {step[:40]!r}")
        return "precombat main"
    return STEPS_OF_ARGENTUM[step]

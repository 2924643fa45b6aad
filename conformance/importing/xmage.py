"""Reads XMage's `init.txt`: named groups of commands, each of which puts a number of cards somewhere.

A line is `zone:player:card:amount`, where the card may begin with a set code (`XLN-Island`); `[name]` begins
a group, and `@name` stands for the commands of another group. Each group becomes a board.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from conformance.importing.board import (
    MOST_OBSTACLES,
    ForeignBoard,
    ForeignCard,
    ForeignPermanent,
    ForeignSeat,
    ForeignValues,
    Obstacle,
)
from conformance.model.problems import Problem, ScenarioError
from reference_engine.language.setup import ZoneOfOwner

GROUP = re.compile(r"\[(.+)\]")
COMMAND = re.compile(r"(\w+):([\S ]+?):([\S ]+):(\d{1,9})")
SET_CODE = re.compile(r"[\dA-Z]{3,6}-(?=\S)")
COMMENTS = ("#", "//")
MOST_LINES = 20_000
MOST_GROUPS = 1000

ZONES_OF_COMMANDS: Mapping[str, ZoneOfOwner] = {
    "hand": "hand",
    "library": "library",
    "graveyard": "graveyard",
    "exiled": "exile",
}
NOT_POSSIBLE = {
    "token": "a token is named by a class of XMage",
    "emblem": "scenarios have no emblems",
    "plane": "scenarios have no planes",
    "stack": "a scenario begins with an empty stack; cast it in the script",
    "commander": "scenarios have no commanders",
    "sideboard": "scenarios have nothing outside of the game",
    "outside": "scenarios have nothing outside of the game",
}
"""Zones whose commands are not imported, and why."""
PLAYERS = {
    **dict.fromkeys(("me", "human", "human 1"), "human"),
    **dict.fromkeys(("opponent", "opponent 1", "computer", "computer 1", "ai", "ai 1"), "computer"),
}
"""The names that XMage gives to the player who runs the commands, and to the other."""


class GroupLine(Struct, frozen=True):
    """A line of a group."""

    line: int
    text: str


def xmage_boards(text: str, path: str) -> Sequence[ForeignBoard]:
    """The board of each group that has commands."""
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        what = f"more than {MOST_LINES:,} lines"
        raise ScenarioError([Problem(path, MOST_LINES + 1, 1, "", what, "split the file")])
    groups: dict[str, list[GroupLine]] = {}
    unnamed = 0
    name = "default group"
    for number, line in enumerate(map(str.strip, lines), 1):
        begins = GROUP.fullmatch(line)
        if not line or line.startswith(COMMENTS):
            continue
        if begins:
            unnamed += 1
            name = begins[1] if begins[1] not in groups else f"{begins[1]} ({unnamed})"
            groups[name] = []
        else:
            groups.setdefault(name, []).append(GroupLine(number, line))
    boards = [group_board(group, groups, path) for group in groups if groups[group] and group[0] != "@"]
    if not boards:
        cure = "write a line such as battlefield:Human:Island:1"
        raise ScenarioError([Problem(path, 0, 0, "", "no commands of a test board", cure)])
    if len(boards) > MOST_GROUPS:
        raise ScenarioError([Problem(path, 0, 0, "", f"more than {MOST_GROUPS:,} groups", "split the file")])
    return boards


def commands_of(group: str, groups: Mapping[str, list[GroupLine]]) -> Iterator[GroupLine | Obstacle]:
    """The commands of a group, with those of the groups that it refers to."""
    for command in groups[group]:
        if not command.text.startswith("@"):
            yield command
            continue
        other = command.text[1:]
        if other not in groups or other == group or other.startswith("@"):
            yield Obstacle(f"line {command.line}", f"there is no group {other!r}")
            continue
        for inner in groups[other]:
            if inner.text.startswith("@"):
                yield Obstacle(
                    f"line {inner.line}", "XMage does not follow a reference in a referenced group"
                )
            else:
                yield inner


class CardPlacement(Struct, frozen=True):
    """Cards of one name put into a zone of a player."""

    line: int
    zone: str
    player: str
    name: str
    amount: int


def placement(command: GroupLine) -> CardPlacement | Obstacle:
    """What a command does."""
    found = COMMAND.fullmatch(command.text)
    if not found:
        return Obstacle(f"line {command.line}", "not a command: zone:player:card:amount")
    zone, player, card, amount = found.groups()
    if not int(amount):
        return Obstacle(f"line {command.line}", "the amount is 0")
    return CardPlacement(command.line, zone.lower(), player, SET_CODE.sub("", card, count=1), int(amount))


def group_board(group: str, groups: Mapping[str, list[GroupLine]], path: str) -> ForeignBoard:
    """The board that the commands of a group make."""
    values = ForeignValues()
    found = [
        placement(command) if isinstance(command, GroupLine) else command
        for command in commands_of(group, groups)
    ]
    commands = [one for one in found if isinstance(one, CardPlacement)]
    seats = seats_of(commands)
    names = list(seats)
    zones: dict[tuple[str, ZoneOfOwner], list[ForeignCard]] = {}
    permanents: list[ForeignPermanent] = []
    for one in found:
        if isinstance(one, Obstacle):
            values.obstacle(one.at, one.what)
            continue
        at, seat = f"line {one.line}", seat_name(one.player)
        if one.zone == "loyalty":
            permanents = with_loyalty(permanents, one, names.index(seat))
        elif one.zone in NOT_POSSIBLE:
            values.obstacle(at, NOT_POSSIBLE[one.zone])
        elif one.zone != "battlefield" and one.zone not in ZONES_OF_COMMANDS:
            values.obstacle(at, f"there is no zone {one.zone[:40]!r}")
        else:
            for _ in range(one.amount):
                card = values.card(one.name, at)
                if card is None:
                    break
                if one.zone == "battlefield":
                    permanents.append(ForeignPermanent(card, names.index(seat), names.index(seat), new=True))
                else:
                    zones.setdefault((seat, ZONES_OF_COMMANDS[one.zone]), []).append(card)
    return ForeignBoard(
        path,
        group,
        tuple(seat_with(name, zones) for name in names),
        tuple(permanents),
        obstacles=tuple(values.obstacles[:MOST_OBSTACLES]),
        remarks=("XMage's cards enter with their triggers; here nothing has triggered yet.",)
        if permanents
        else (),
    )


def seat_name(player: str) -> str:
    """The player that a command means."""
    return PLAYERS.get(player.lower(), player)


def seats_of(commands: Sequence[CardPlacement]) -> dict[str, None]:
    """The players: whoever runs the commands first, then the opponent, then others by name."""
    met = dict.fromkeys(seat_name(one.player) for one in commands)
    seats = dict.fromkeys(name for name in ("human", "computer") if name in met) | met
    for name in ("human", "computer"):
        if len(seats) < 2:
            seats = {name: None} | seats if name == "human" else seats | {name: None}
    return seats


def seat_with(name: str, zones: Mapping[tuple[str, ZoneOfOwner], list[ForeignCard]]) -> ForeignSeat:
    """A player with the cards put there; what comes last lies on top."""
    return ForeignSeat(
        name,
        hand=tuple(zones.get((name, "hand"), ())),
        library=tuple(reversed(zones.get((name, "library"), ()))),
        graveyard=tuple(reversed(zones.get((name, "graveyard"), ()))),
        exile=tuple(zones.get((name, "exile"), ())),
    )


def with_loyalty(permanents: list[ForeignPermanent], one: CardPlacement, seat: int) -> list[ForeignPermanent]:
    """The permanents, with more loyalty counters on those of that name."""
    return [
        replace(it, counters=(*it.counters, ("loyalty", one.amount)))
        if it.card.name == one.name and it.controller == seat
        else it
        for it in permanents
    ]

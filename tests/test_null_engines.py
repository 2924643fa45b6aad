"""Engines that know nothing pass nothing: not one check of ours can be had for free."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import pytest
from msgspec.structs import replace

from conformance.engine import CannotPlay, EngineFailure, EngineInfo
from conformance.library import all_fixtures
from conformance.observation import Observations, SeenObject, SeenPlayer, SeenTable, Snapshot, Stopped
from conformance.rulebook import newest_edition, rulebook
from conformance.runner import run
from conformance.scenario import Entry, Object, Play, SeenCounters
from conformance.summary import counted
from conformance.verdict import Pass
from reference_engine.actions import Call, Choose, Look, Try
from reference_engine.cards import Keyword
from reference_engine.characteristics import colors_of_cost, mana_value

Outcome = Literal["done", "rejected"]
ZONES = ("hand", "library", "graveyard", "exile")


class Null:
    """An engine that answers each play as its function does."""

    def __init__(self, answer: Callable[[Play], Observations]) -> None:
        self.answer = answer

    def describe(self) -> EngineInfo:
        return EngineInfo("null", "0", checks_understanding=True)

    def play(self, play: Play) -> Observations:
        return self.answer(play)


def empty(play: Play) -> Observations:
    return Observations()


def looks_away(play: Play) -> Observations:
    return Observations(looks=dict.fromkeys(names_of_looks(play), Snapshot()), tried=outcomes(play))


def echo(play: Play) -> Observations:
    """Everything as it is printed and put, at every look; whatever is tried is done."""
    return Observations(looks=dict.fromkeys(names_of_looks(play), as_put(play)), tried=outcomes(play))


def says_it_cannot(play: Play) -> Observations:
    raise CannotPlay("not today")


def stops_at_once(play: Play) -> Observations:
    return Observations(stopped=Stopped(0, "unsupported"))


def rejects(play: Play) -> Observations:
    """Everything as it was put, and nothing allowed."""
    at, looks = len(play.script), {}
    for number, action in enumerate(play.script):
        match action:
            case Look(name):
                looks[name] = as_put(play)
            case Try() | Choose() | Call():
                pass
            case _:
                at = number
                break
    before = replace(play, script=play.script[:at])
    if at < len(play.script):
        return Observations(looks, outcomes(before, "rejected"), stopped=Stopped(at, "rejected"))
    return Observations({**looks, "end": as_put(play)}, outcomes(play, "rejected"))


def breaks(play: Play) -> Observations:
    raise EngineFailure("crash", "as always")


def names_of_looks(play: Play) -> list[str]:
    return [action.name for action in play.script if isinstance(action, Look)] + ["end"]


def outcomes(play: Play, outcome: Outcome = "done") -> dict[str, Outcome]:
    return {action.name: outcome for action in play.script if isinstance(action, Try)}


def as_put(play: Play) -> Snapshot:
    entries = {entry.id: entry for arrival in play.setup for entry in arrival.entries}
    return Snapshot(
        objects={one.id: object_as_put(play, one, entries.get(one.id)) for one in play.objects},
        players={
            player.id: SeenPlayer(
                life=player.life,
                hand=frozenset(player.hand),
                library_size=len(player.library),
                library_top=next(iter(player.library), None),
                graveyard=player.graveyard,
                exile=frozenset(player.exile),
                counters=(),
                pool="",
                hand_size=7,
                land_plays=1,
                lost=False,
                keywords=frozenset(),
            )
            for player in play.players
        },
        table=SeenTable(
            turn=play.start.turn,
            step=play.start.step,
            active=play.start.turn,
            priority=play.start.turn,
            deciding=None,
            stack=(),
            over=False,
            tokens=(),
        ),
    )


def object_as_put(play: Play, one: Object, entry: Entry | None) -> SeenObject:
    card = next(card.definition for card in play.cards if card.definition.name == one.card)
    holding = [zone for player in play.players for zone in ZONES if one.id in getattr(player, zone)]
    has_size = "Creature" in card.types or entry is None
    return SeenObject(
        zone="battlefield" if entry else holding[0],  # type: ignore[arg-type]  # a zone by its name
        controller=entry.controller if entry else None,
        owner=one.owner,
        name=card.name,
        cost=card.cost,
        mana_value=mana_value(card.cost),
        colors=card.colors if card.colors is not None else colors_of_cost(card.cost),
        types=card.types,
        subtypes=card.subtypes,
        supertypes=card.supertypes,
        power=(card.power if isinstance(card.power, int) else 0) if has_size else None,
        toughness=(card.toughness if isinstance(card.toughness, int) else 0) if has_size else None,
        loyalty=card.loyalty,
        keywords=frozenset(ability.keyword for ability in card.abilities if isinstance(ability, Keyword)),
        counters=tuple(
            SeenCounters(pile.kind, pile.n if isinstance(pile.n, int) else 0)
            for pile in (entry.counters if entry else ())
        ),
        tapped=bool(entry and entry.tapped),
        face_down=bool(entry and entry.face_down),
        attached_to=entry.attached_to if entry else None,
        attacking=None,
        blocking=(),
        damage=entry.damage if entry else 0,
        paid=None,
    )


@pytest.mark.parametrize(
    "answer",
    [empty, looks_away, echo, says_it_cannot, stops_at_once, rejects, breaks],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("edition", [newest_edition(), rulebook().editions[0].date])
def test_engine_that_knows_nothing_passes_nothing(
    answer: Callable[[Play], Observations], edition: str
) -> None:
    results = list(run(Null(answer), all_fixtures().values(), edition))

    assert [] == [result.id for result in results if isinstance(result.verdict, Pass)]
    assert 0 == counted(results).passed

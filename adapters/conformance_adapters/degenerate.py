"""Engines that know no rules at all. Each must fail, or the checks would be too easy to pass."""

from __future__ import annotations

import random
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from conformance.files.canonical import digest
from conformance.model.engine import CannotPlay, EngineFailure, EngineInfo
from conformance.model.observation import (
    Observations,
    SeenObject,
    SeenPlayer,
    SeenTable,
    Snapshot,
    Stopped,
    TryOutcome,
)
from conformance.model.scenario import Play, SeenCounters
from conformance_adapters.in_process import play_through
from reference_engine.game.game_rules import CR
from reference_engine.game.legal import legal_actions
from reference_engine.language.actions import Action, Call, ChooseAction, Look, Pass, Try
from reference_engine.language.cards import Keyword
from reference_engine.language.characteristics import colors_of_cost, mana_value
from reference_engine.language.setup import Entry, Object

OWN_ZONES = ("hand", "library", "graveyard", "exile")
AnswerFunction = Callable[[Play], Observations]


class Degenerate(Struct, frozen=True):
    """A kind of engine without rules: its name, what it does, and a factory for it."""

    name: str
    story: str
    made: Callable[[], AnswerFunction]
    blind: bool = True
    """Whether it knows nothing about legality; otherwise it is right when only one action is possible."""


class DegenerateEngine:
    """An engine that answers each play as its kind does."""

    def __init__(self, kind: Degenerate) -> None:
        self.kind = kind
        self.play = kind.made()

    def describe(self) -> EngineInfo:
        """Claim to understand everything."""
        return EngineInfo(f"mutant:{self.kind.name}", "1", checks_understanding=True)


# -------------------------------------------------------------------------------- what they answer


def nothing(play: Play) -> Observations:
    """No looks."""
    return Observations()


def blank_looks(play: Play) -> Observations:
    """Every look, empty; every attempt succeeds."""
    return Observations(dict.fromkeys(names_of_looks(play), Snapshot()), outcomes(play))


def as_it_was(play: Play) -> Observations:
    """Everything as printed and set up, at every look; every attempt succeeds."""
    return Observations(dict.fromkeys(names_of_looks(play), as_put(play)), outcomes(play))


def no_action(play: Play) -> Observations:
    """Everything as set up, with every action rejected."""
    at, looks = len(play.script), {}
    for number, action in enumerate(play.script):
        match action:
            case Look(name):
                looks[name] = as_put(play)
            case Try() | ChooseAction() | Call():
                pass
            case _:
                at = number
                break
    before = replace(play, script=play.script[:at])
    if at < len(play.script):
        return Observations(looks, outcomes(before, "rejected"), stopped=Stopped(at, "rejected"))
    return Observations({**looks, "end": as_put(play)}, outcomes(play, "rejected"))


def cannot(play: Play) -> Observations:
    """A refusal: it cannot play this scenario."""
    raise CannotPlay("not today")


def stops(play: Play) -> Observations:
    """A stop before the first action of the script."""
    return Observations(stopped=Stopped(0, "unsupported"))


def breaks(play: Play) -> Observations:
    """A crash."""
    raise EngineFailure("crash", "as always")


def always_the_same(play: Play) -> Observations:
    """The same observations for every scenario."""
    thing = SeenObject(
        zone="battlefield",
        controller=play.players[0].id,
        owner=play.players[0].id,
        name="Wall",
        cost="{7}",
        mana_value=7,
        colors=frozenset({"blue"}),
        types=frozenset({"Creature"}),
        subtypes=frozenset({"Wall"}),
        supertypes=frozenset(),
        power=0,
        toughness=7,
        loyalty=None,
        keywords=frozenset({"defender"}),
        counters=(),
        tapped=False,
        face_down=False,
        attached_to=None,
        attacking=None,
        blocking=(),
        damage=0,
        paid=None,
    )
    look = replace(as_put(play), objects={one.id: thing for one in play.objects})
    return Observations(dict.fromkeys(names_of_looks(play), look), outcomes(play))


def the_last_answer() -> AnswerFunction:
    """The right answer to the previous scenario."""
    before: list[Observations] = []

    def answer(play: Play) -> Observations:
        before.append(as_it_was(play))
        return before[-2] if len(before) > 1 else Observations()

    return answer


def anything_legal(play: Play) -> Observations:
    """A legal action in place of each one in the script, and every card as printed and set up."""
    dice = random.Random(digest(play))
    script: list[Action] = []
    before = replace(play, script=(), wants=())
    for action in play.script:
        if isinstance(action, Look):
            script.append(action)
            continue
        at_last = play_through(
            replace(before, script=tuple(a for a in script if not isinstance(a, Look))),
            CR,
        )
        offered = [one for one in legal_actions(at_last.last) if not isinstance(one, Pass)]
        if offered and at_last.observations.stopped is None:
            instead = dice.choice(offered)
            script.append(replace(action, action=instead) if isinstance(action, Try) else instead)
        else:
            script.append(action)
    seen = play_through(replace(play, script=tuple(script)), CR).observations
    looks = {name: as_printed(play, look) for name, look in seen.looks.items()}
    return replace(seen, looks=looks, tried=outcomes(play))


DEGENERATES: tuple[Degenerate, ...] = (
    Degenerate("empty", "Answers every scenario without a single look.", lambda: nothing),
    Degenerate("blank", "Shows every look, with nothing in it.", lambda: blank_looks),
    Degenerate("echo", "Shows everything as it was put, and says that all was done.", lambda: as_it_was),
    Degenerate("always-reject", "Shows everything as it was put, and allows nothing.", lambda: no_action),
    Degenerate("always-unsupported", "Says that it can't play this, whatever it is.", lambda: cannot),
    Degenerate("stops-at-once", "Says that it can't begin the script, whatever it is.", lambda: stops),
    Degenerate("crash", "Breaks, whatever it is asked.", lambda: breaks),
    Degenerate("constant", "Shows every object as the same Wall.", lambda: always_the_same),
    Degenerate("last-answer", "Answers each scenario with what it made of the one before.", the_last_answer),
    Degenerate(
        "random-legal", "Does something legal, whatever the script says.", lambda: anything_legal, False
    ),
)
"""Every engine that knows no rules."""


# ---------------------------------------------------------------------------- things as they are put


def names_of_looks(play: Play) -> list[str]:
    """The names of the looks that a scenario takes."""
    return [action.name for action in play.script if isinstance(action, Look)] + ["end"]


def outcomes(play: Play, outcome: TryOutcome = "done") -> dict[str, TryOutcome]:
    """The same outcome for every attempt."""
    return {action.name: outcome for action in play.script if isinstance(action, Try)}


def as_printed(play: Play, look: Snapshot) -> Snapshot:
    """A look with objects as printed, wherever they are."""
    printed = as_put(play).objects
    keys = (
        "power",
        "toughness",
        "types",
        "subtypes",
        "supertypes",
        "colors",
        "keywords",
        "name",
        "controller",
    )
    return replace(
        look,
        objects={
            id: replace(seen, **{key: getattr(printed[id], key) for key in keys}) if id in printed else seen
            for id, seen in look.objects.items()
        },
    )


def as_put(play: Play) -> Snapshot:
    """The table as the scenario sets it up, before any action or effect."""
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
                designations=frozenset(),
                decided_by=player.id,
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
            daytime=None,
        ),
    )


def object_as_put(play: Play, one: Object, entry: Entry | None) -> SeenObject:
    """An object as printed, where the scenario puts it."""
    card = next(card.definition for card in play.cards if card.definition.name == one.card)
    holding = [zone for player in play.players for zone in OWN_ZONES if one.id in getattr(player, zone)]
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

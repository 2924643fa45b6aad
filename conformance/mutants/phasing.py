"""Ways to get phasing wrong."""

from __future__ import annotations

from msgspec.structs import replace

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import phasing
from reference_engine.game.events import PhasesOut
from reference_engine.game.game import Game, ticked, with_memory
from reference_engine.layers.board import PhasedOut


def never_phases(game: Game) -> Game:
    """Nothing phases in or out as an untap step begins."""
    return game


def in_anybodys_untap_step(game: Game) -> tuple[PhasedOut, ...]:
    """Everything that is phased out phases in, whoever's untap step it is."""
    return game.board.phased_out


def alone(game: Game, ids: tuple[str, ...]) -> tuple[str, ...]:
    """What is attached to a permanent that phases out stays behind."""
    return ()


def without_counters(game: Game, event: PhasesOut, before: Game) -> Game:
    """A permanent loses its counters as it phases out."""
    thing = replace(game.board.things[event.id], counters=())
    return phasing.phased_out(replace(game, board=game.board.with_things(thing)), event, before)


def with_a_new_timestamp(game: Game, id: str) -> Game:
    """A permanent that phases in gets a new timestamp."""
    game, now = ticked(phasing.phased_in(game, id))
    newer = replace(game.board.things[id], timestamp=now)
    return replace(game, board=game.board.with_things(newer))


def newly_controlled(game: Game, id: str) -> Game:
    """A permanent that phases in counts as having come under its controller's control this turn."""
    memory = replace(game.remembers(id), since=game.turn)
    return with_memory(phasing.phased_in(game, id), id, memory)


PHASING_MUTANTS: tuple[Mutant, ...] = (
    mutant("no-phasing", "702.26b", "Ignores phasing.", phased=never_phases),
    mutant(
        "phases-in-early",
        "702.26a",
        "Lets everything phase in during anybody's untap step.",
        phasing_in=in_anybodys_untap_step,
    ),
    mutant("phases-out-alone", "702.26g", "Leaves behind what is attached.", phasing_along=alone),
    mutant(
        "phases-out-bare",
        "702.26d",
        "Takes the counters of a permanent that phases out.",
        phased_out=without_counters,
    ),
    mutant(
        "phases-in-newer",
        "702.26d",
        "Gives a permanent that phases in a new timestamp.",
        phased_in=with_a_new_timestamp,
    ),
    mutant(
        "phases-in-sick",
        "702.26d",
        "Treats a permanent that phases in as one that has just come.",
        phased_in=newly_controlled,
    ),
)

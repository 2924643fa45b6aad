"""Laws of transitions: a board is what it is, however it came to be so.

The same board is set up at once, and reached by spells and abilities, one after another. What the rules give
the path no meaning for must look the same: what is tapped, damaged, attached, or has counters, and whatever
reads it. Ages do matter (CR 613.7), so no two effects here set the same thing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.model.scenario import Play
from conformance.properties.law import PlayFunction, Property, holds_for
from conformance.properties.seeing import EVERY_KEY, expect, expect_same, looks_at_end
from conformance.properties.small_boards import board_with, by_means, with_actions, with_entry, with_spell
from conformance.strategies.cards import (
    CREATURES,
    TARGET,
    creature,
    equipment,
    in_any_order,
    permanent,
    several,
)
from conformance.strategies.draws import composite
from conformance.strategies.means import Means
from reference_engine.language.actions import Activate, Settle
from reference_engine.language.cards import (
    All,
    Card,
    Counters,
    Damage,
    Gain,
    Instruction,
    It,
    Keyword,
    Modify,
    PropertyOf,
    PutCounters,
    RemoveCounters,
    Spell,
    Tap,
    TargetSpec,
    Untap,
)

GROWING, WATCHING, CARRIED = "bear", "cub", "blade"
WHAT_A_PATH_CHANGES = frozenset({"tapped", "damage", "counters", "attached_to"})
"""What a path can change, besides what the layers decide."""
ONE, TWO = (Counters("+1/+1", 1),), (Counters("+1/+1", 2),)


class PathStep(NamedTuple):
    """A state of a permanent, and the spells that lead to it, one after another."""

    entry: tuple[tuple[str, object], ...]
    spells: tuple[tuple[Instruction, ...], ...]
    of: str = GROWING


TAPPED = PathStep((("tapped", True),), ((Tap(TARGET),),))
TAPPED_AGAIN = PathStep((("tapped", True),), ((Tap(TARGET),), (Untap(TARGET),), (Tap(TARGET),)))
UNTAPPED = PathStep((("tapped", False),), ((Tap(TARGET), Untap(TARGET)),))
DAMAGED = PathStep((("damage", 2),), ((Damage(2, TARGET),),))
DAMAGED_TWICE = PathStep((("damage", 2),), ((Damage(1, TARGET),), (Damage(1, TARGET),)))
GROWN = PathStep((("counters", TWO),), ((PutCounters(TWO, TARGET),),))
GROWN_TWICE = PathStep((("counters", TWO),), ((PutCounters(ONE, TARGET),), (PutCounters(ONE, TARGET),)))
GROWN_TOO_MUCH = PathStep((("counters", ONE),), ((PutCounters(TWO, TARGET),), (RemoveCounters(ONE, TARGET),)))
GROWN_IN_VAIN = PathStep((("counters", ()),), ((PutCounters(ONE, TARGET), RemoveCounters(ONE, TARGET)),))
EQUIPPED = PathStep((("attached_to", GROWING),), (), CARRIED)

KINDS_OF_STEP = (
    (TAPPED, TAPPED_AGAIN, UNTAPPED),
    (GROWN_TWICE, GROWN, GROWN_TOO_MUCH, GROWN_IN_VAIN),
    (DAMAGED_TWICE, DAMAGED),
    (EQUIPPED,),
)
WHAT_READS_IT: tuple[Card, ...] = (
    permanent("Rest", Modify(2, 0), affects=All(type=CREATURES.type, tapped=True)),
    permanent(
        "Watch", Modify(0, 1), Gain((Keyword("vigilance"),)), affects=All(type=CREATURES.type, tapped=False)
    ),
    permanent("Growth", Gain((Keyword("trample"),)), affects=All(type=CREATURES.type, counter="+1/+1")),
    permanent("Rage", Modify(PropertyOf("damage", of=It()), 0)),
    permanent("Strength", Modify(1, 0), affects=All(type=CREATURES.type, keyword=frozenset({"reach"}))),
)


class Path(NamedTuple):
    """States in the order in which they are reached, what reads them, and whether that entered first."""

    steps: tuple[PathStep, ...]
    readers: tuple[Card, ...]
    older: bool

    def board(self) -> Play:
        """The board before anything has happened."""
        creatures = (
            (GROWING, creature(2, 6)),
            (WATCHING, creature(1, 6, name="Test Cub")),
            (CARRIED, equipment("Blade", Modify(1, 1), Gain((Keyword("reach"),)))),
        )
        readers = tuple((f"reader{number}", card) for number, card in enumerate(self.readers))
        return board_with(*(readers + creatures if self.older else creatures + readers))

    def at_once(self) -> Play:
        """The board with everything as it will be."""
        board = self.board()
        for step in self.steps:
            board = with_entry(board, step.of, **dict(step.entry))
        return board

    def one_by_one(self) -> Play:
        """The board with a script that leads there."""
        board, number = self.board(), 0
        for step in self.steps:
            if step is EQUIPPED:
                board = with_actions(board, Activate(CARRIED, "equip", "alice", ((GROWING,),)), Settle())
            for effect in step.spells:
                number += 1
                board = with_spell(board, f"spell{number}", instant_doing(number, effect), step.of)
        return board


def instant_doing(number: int, effect: tuple[Instruction, ...]) -> Card:
    """An instant that does this to a target creature."""
    return Card(
        f"Test Spell {number}",
        frozenset({"Instant"}),
        cost="{0}",
        abilities=(Spell(effect, targets=(TargetSpec(CREATURES),)),),
    )


@composite
def paths(draw: DrawFn, means: Means) -> Path:
    """A path to a board: up to three states, in any order."""
    equips = means.allow("attachments", "activated abilities")
    kinds = draw(several(st.sampled_from(KINDS_OF_STEP if equips else KINDS_OF_STEP[:-1]), 1, 3))
    steps = [draw(st.sampled_from(kind)) for kind in dict.fromkeys(kinds)]
    readers = dict.fromkeys(draw(several(st.sampled_from(WHAT_READS_IT), 0, 3)))
    return Path(draw(in_any_order(steps)), tuple(readers), draw(st.booleans()))


@holds_for(
    by_means(paths, ("anthems", "abilities")),
    rules=("613.5", "110.5", "120.6", "122.1", "301.5"),
    needs=("casting", "targets", "counters"),
)
def a_board_is_the_same_however_it_was_reached(play: PlayFunction, case: Path) -> None:
    """A board that spells and abilities lead to, one after another, looks like the same board set up at once.

    It does not check effects for which age is decisive.
    """
    keys = EVERY_KEY | WHAT_A_PATH_CHANGES
    ids = (GROWING, WATCHING, CARRIED)
    there = looks_at_end(play, case.at_once(), keys, ids)
    reached = looks_at_end(play, case.one_by_one(), keys, ids)
    because = "CR 613.5: the layers are applied to the board as it is now, not to how it came to be so"
    expect_same(there, reached, because, keys)
    entry = dict(field for step in case.steps if step.of == GROWING for field in step.entry)
    expect(reached, GROWING, because, tapped=entry.get("tapped", False), damage=entry.get("damage", 0))


TRANSITIONS: tuple[Property[Any], ...] = (a_board_is_the_same_however_it_was_reached,)

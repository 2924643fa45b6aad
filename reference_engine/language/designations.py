"""The abilities that belong to designations, not to objects, written in the language of cards."""

from __future__ import annotations

from reference_engine.language.cards import (
    All,
    BecomeMonarch,
    Beginning,
    ControllerOf,
    DealsDamage,
    Draw,
    It,
    Monarch,
    Triggered,
)

OF_THE_MONARCH: tuple[Triggered, ...] = (
    # The monarch controls both, so the monarch whose end step it is, is "you" (CR 725.2).
    Triggered(Beginning("end", Monarch()), (Draw(1),), name="end"),
    Triggered(
        DealsDamage(All(type=frozenset({"Creature"})), Monarch(), combat=True),
        (BecomeMonarch(ControllerOf(It())),),
        name="deals damage",
    ),
)
"""The two inherent abilities of being the monarch (CR 725.2: without a source)."""
THE_MONARCH = "the monarch"
"""Stands for the source that the monarch's abilities do not have: scripts call them "end of the monarch"."""
NAMES_WITHOUT_SOURCE = frozenset(f"{ability.name} of {THE_MONARCH}" for ability in OF_THE_MONARCH)
"""The names on the stack of abilities that have no source."""

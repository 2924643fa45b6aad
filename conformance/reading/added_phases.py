"""Reads phases and steps that are added to a turn."""

from __future__ import annotations

from conformance.reading.grammar import one_of, rule, with_separators, words
from reference_engine.language.cards import ExtraPhases, ExtraStep

added_phase = words(
    {
        "an additional beginning phase": "beginning",
        "an additional upkeep step": "upkeep",
        "an additional combat phase": "combat",
        "an additional main phase": "main",
        "an additional end step": "end",
    }
)
added_phases = rule(
    "{phases}", lambda phases: tuple(phases), phases=with_separators(added_phase, " followed by ")
)
phases_come = one_of(
    rule("there is {phases} after this phase", lambda phases: [ExtraPhases(phases)], phases=added_phases),
    rule(
        "there is an additional combat phase after this phase followed by an additional main phase",
        lambda: [ExtraPhases(("combat", "main"))],
    ),
    rule("after this phase, there is {phases}", lambda phases: [ExtraPhases(phases)], phases=added_phases),
    rule(
        "you get {phases} after this phase",
        lambda phases: [ExtraPhases(phases, yours=True)],
        phases=added_phases,
    ),
    rule("there is an additional end step after this step", lambda: [ExtraStep("end")]),
    rule("there is an additional upkeep step after this step", lambda: [ExtraStep("upkeep")]),
)
"""Phases and steps are added to this turn."""

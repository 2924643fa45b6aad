"""Reads what gives designations: to players, and to the game."""

from __future__ import annotations

from conformance.reading.grammar import one_of, rule, words
from conformance.reading.phrases import player
from reference_engine.language.cards import BecomeMonarch, ControlPlayer, ItBecomes

daytime = words({"day": "day", "night": "night"})
designation_act = one_of(rule("become[s] the monarch", lambda: lambda who: [BecomeMonarch(who)]))
"""What a player does, as a function of the player."""
designation_order = one_of(
    rule("it becomes {what}", lambda what: [ItBecomes(what)], what=daytime),
    rule(
        "you control {who} during [that player's|that opponent's|their] next turn",
        lambda who: [ControlPlayer(who)],
        who=player,
    ),
)
"""What happens, as an order."""

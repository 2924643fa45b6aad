"""What has happened this turn, for conditions and quantities that ask about it.

`reference_engine.game.history` makes the records; here they are compared with the events of cards.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from reference_engine.language import cards
from reference_engine.language.past_events import PastKind, is_of_players
from reference_engine.layers.view import Appearance


class PastEvent(Struct, frozen=True):
    """Something that happened this turn: to whom or what, as it looked then (CR 608.2i: looking back)."""

    kind: PastKind
    player: str
    """The player who did it, whose life it was, or who controlled or owned the object."""
    id: str = ""
    born: int = 0
    look: Appearance | None = None
    against: str = ""
    """The player or permanent that was attacked."""
    n: int = 1
    """The amount of life."""


def greatest_for_one(past: Iterable[PastEvent], event: cards.TriggerEvent) -> int:
    """How often (or in what amount) these events happened; for events that players cause, the greatest total
    of one player.
    """
    totals: dict[str, int] = {}
    for one in past:
        whose = one.player if is_of_players(event) else ""
        totals[whose] = totals.get(whose, 0) + one.n
    return max(totals.values(), default=0)

"""Hypothesis strategies for scenarios: plain data, valid by construction, simplest first. Imports the data
and the reference engine.

`means` says what an engine supports, and so what may be drawn. `cards` and `boards` draw permanents and
boards, `focused` boards that test particular rules, `decks` and `scripts` games; the `situations_…` modules
list what must occur often enough.
"""

from __future__ import annotations

from conformance.strategies import situations_boards, situations_games
from conformance.strategies.situation import Situation

SITUATIONS: tuple[Situation, ...] = situations_boards.BOARD_SITUATIONS + situations_games.GAME_SITUATIONS

__all__ = ["SITUATIONS", "Situation"]

"""What templates leave open: ways to say the same thing that cards use side by side.

Without being told, we speak in one manner throughout. A reader of printed cards looks for the manner in
which a card was printed: "Untap target creature and gain control of it" is "Untap target creature. Gain
control of that creature". Nothing that could be understood in two ways is a matter of manner.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Link = Literal[". ", " and ", ", then "]
Again = Literal["it", "again"]


class Turn(Struct, frozen=True):
    """How one instruction follows the one before; each may be left to what is usual."""

    link: Link | None = None
    spoken: Again | None = None
    """Whether what was named before is "it", or "that creature" once more."""
    same_subject: bool = False
    """Whether a subject that is the same as before is left out: "draws a card, then discards a card"."""


AS_USUAL = Turn()


class Manner(Struct, frozen=True):
    """How one ability is said."""

    turns: tuple[Turn, ...] = ()
    behind: bool = False
    """Whether the condition of a static ability stands behind it."""
    in_front: bool = False
    """Whether a duration stands in front of its sentence."""
    every: bool | None = None
    """Whether a group that does something begins with "all"."""
    you: bool = False
    """Whether you are named where you are told to draw or discard."""
    letters: bool = False
    """Whether a letter stands for a number that could be "for each" of something."""
    opponents: bool = False
    """Whether what "an opponent controls" is what "your opponents control"."""
    when: Literal["when", "whenever"] | None = None
    """How a trigger begins."""

    def turn(self, number: int) -> Turn:
        """How the instruction of that number follows."""
        return self.turns[number] if number < len(self.turns) else AS_USUAL


PLAIN = Manner()

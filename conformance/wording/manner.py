"""Choices that templates leave open: different ways in which cards say the same thing.

By default, the wording is uniform. A reader of printed cards looks for the manner in which a card was
printed: "Untap target creature and gain control of it" is "Untap target creature. Gain control of that
creature". A difference in meaning is never a matter of manner.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Connective = Literal[". ", " and ", ", then ", ". Then "]
Again = Literal["it", "again", "once"]


class Transition(Struct, frozen=True):
    """How one instruction follows the one before; None and False mean the default."""

    link: Connective | None = None
    spoken: Again | None = None
    """Whether something mentioned before is "it", or "that creature" again, or that once and then "it"."""
    same_subject: bool = False
    """Whether a repeated subject is left out: "draws a card, then discards a card"."""


AS_USUAL = Transition()


class Manner(Struct, frozen=True):
    """How to word one ability."""

    turns: tuple[Transition, ...] = ()
    behind: bool = False
    """Whether the condition of a static ability or instruction comes last."""
    in_front: bool = False
    """Whether a duration comes first in its sentence."""
    every: bool | None = None
    """Whether a group as a subject begins with "all"."""
    each: bool = False
    """Whether a group as a subject begins with "each"."""
    you: bool = False
    """Whether instructions to draw or discard name "you"."""
    creating: bool = False
    """Whether instructions to create tokens name "you"."""
    letters: bool = False
    """Whether to use a letter for a number that could be "for each" of something."""
    equal: Literal["before", "after"] | None = None
    """Whether a number is "cards equal to" something, and damage so much "to" something or after it."""
    opponents: bool = False
    """Whether to say "your opponents control" for "an opponent controls"."""
    perfect: bool = False
    """Whether to say that you "have gained" life this turn rather than that you "gained" it."""
    returned: bool = False
    """Whether to "return" exiled cards to the battlefield, and to say under whose control."""
    that_player: bool = False
    """Whether the controller of what an event is about is "that player"."""
    through: bool = False
    """Whether what a player may do goes on with "then" rather than "if you do"."""
    together: bool = False
    """Whether a player may do one thing "and" another, rather than the other "if you do"."""
    attacking: bool = False
    """Whether a player attacks with creatures, rather than the creatures attack."""
    choosing: bool = False
    """Whether a colour or type is "of your choice", where it is needed."""
    having: bool = False
    """Whether what something becomes is said together with the abilities it gains."""
    stated: bool = False
    """Whether something that becomes a creature does so "with base power and toughness 3/3"."""
    artifact_creature: bool = False
    """Whether something becomes an artifact creature without a word about its other types, which it keeps."""
    still: bool = False
    """Whether to say that a land that becomes a creature is still a land."""
    apart: bool = False
    """Whether to say "other than this creature" for "another"."""
    casting: bool = False
    """Whether to say that somebody casts spells rather than that they control them."""
    doubling: bool = False
    """Whether to "double the number" of counters, rather than to put as many as there are."""
    when: Literal["when", "whenever"] | None = None
    """The first word of a trigger."""

    def turn(self, number: int) -> Transition:
        """How the instruction with this number follows."""
        return self.turns[number] if number < len(self.turns) else AS_USUAL


PLAIN_MANNER = Manner()

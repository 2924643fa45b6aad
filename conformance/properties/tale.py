"""Drawn games that show one rule: a table and a script with the results that the rule requires.

A `Claim` is a play with its expectations, which follow from the rule alone, without an oracle. It is a
fixture without an id, and is judged like one.

A law shown by one kind of game is the function that draws the game (`law`). A law shown by several kinds has
a name and a sentence, and lists them (`law_of`, `sort`). Either way, rules and needs are given once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from msgspec.structs import replace

from conformance.data.rulebook import newest_edition
from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.scenario import Equals, Expectation, Fixture, Play, Test, Value, Want
from conformance.model.verdict import Fail, PassVerdict, ProtocolBreach, Unsupported, judge
from conformance.properties.law import Broken, PlayFunction, Property, holds_for
from conformance.strategies.decks import BEAR, CALM
from conformance.strategies.draws import booleans, composite, integers, sampled_from
from conformance.strategies.means import Means
from conformance.strategies.scripts import TABLE_SIZES, HeldCard, SeatedPlayer, seats
from reference_engine.language.actions import Action, Look, Pass, Try


class Claim(NamedTuple):
    """A play with its expectations."""

    play: Play
    expect: tuple[Expectation, ...]


class Tale:
    """A game as it is built: the actions so far, and the expectations along the way."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._script: list[Action] = list(play.script)
        self._expect: list[Expectation] = []
        self._tries = 0
        self._looks = 0

    def do(self, *actions: Action) -> None:
        """Add actions to the script."""
        self._script += actions

    def attempt(self, action: Action, outcome: str, because: str) -> None:
        """Try an action, and expect it to be `done` or `rejected`."""
        self._tries += 1
        name = f"try{self._tries}"
        self._script.append(Try(name, action))
        self._expect.append(Expectation("end", name, "tried", Equals(outcome), because))

    def see(self, about: str, key: str, value: Value | Test, because: str) -> None:
        """Expect this value of an object, a player or the table at this point."""
        if not self._script or not isinstance(self._script[-1], Look):
            self._looks += 1
            self._script.append(Look(f"look{self._looks}"))
        test = value if isinstance(value, Test) else Equals(value)
        self._expect.append(Expectation(f"look{self._looks}", about, key, test, because))

    def claim(self) -> Claim:
        """The game and its expectations; each look asks for exactly the keys that are expected."""
        wanted: dict[tuple[str, str], set[str]] = {}
        for one in self._expect:
            if one.key != "tried":
                wanted.setdefault((one.look, one.about), set()).add(one.key)
        wants = tuple(Want(look, of, frozenset(keys)) for (look, of), keys in wanted.items())
        return Claim(replace(self._play, script=tuple(self._script), wants=wants), tuple(self._expect))


def hold(play: PlayFunction, claim: Claim, rules: tuple[str, ...] = ()) -> None:
    """Raises `Broken` if an observation contradicts the claim; a missing observation never counts as right.

    An engine that asks for a choice that one of `rules` settles breaks the claim, too.
    """
    fixture = Fixture("F-00000000", "A claim", rules, claim.play, claim.expect)
    verdict = judge(fixture, play(claim.play), newest_edition(), checks_understanding=True)
    match verdict:
        case PassVerdict():
            return
        case Fail(parts):
            part = parts[0]
            because = next(one.because for one in parts if one.because)
            raise Broken(
                f"{part.about}, {part.when}: {part.key}\n  expected  {part.expected}\n"
                f"  observed  {part.observed}\n  {because}"
            )
        case ProtocolBreach(says):
            raise EngineFailure("protocol", says)
        case Unsupported(says):
            raise CannotPlay(says)
        case _:
            raise AssertionError(f"a claim can't come to {verdict}")


class Round(NamedTuple):
    """The players of a game, and the order in which they get priority, starting with the active player."""

    seats: tuple[SeatedPlayer, ...]
    sides: tuple[str, ...]
    players: tuple[str, ...]
    """One player of each side, in the same order."""
    spare: bool
    """Whether everybody has one more card in hand, so that other actions are possible."""
    means: Means
    """What the engine supports."""


@composite
def rounds(draw: DrawFn, means: Means, sizes: Sequence[int] = TABLE_SIZES) -> Round:
    """Some players, of whom any may be the active one."""
    there = draw(seats(means, sizes))
    sides = tuple(dict.fromkeys(player.team or player.id for player in there))
    first = draw(integers(0, len(sides) - 1))
    order = sides[first:] + sides[:first]
    players = tuple(next(p.id for p in there if side in (p.team, p.id)) for side in order)
    return Round(there, order, players, draw(booleans()), means)


def held_by(
    there: Round, hands: Mapping[str, Sequence[HeldCard]], library: int = 0
) -> tuple[
    SeatedPlayer,
    ...,
]:
    """The players with these hands, and with libraries of plain cards."""
    return tuple(
        player._replace(
            hand=(
                *hands.get(player.id, ()),
                *([HeldCard(f"spare_{player.id}", CALM)] if there.spare else []),
            ),
            library=tuple(HeldCard(f"{player.id}_card{n}", BEAR) for n in range(library)),
        )
        for player in there.seats
    )


TaleTeller = Callable[[DrawFn, Round], Tale]
"""Draws a game for these players."""


class TaleSort(NamedTuple):
    """A kind of game: the features that it needs, the numbers of players, and the function that draws it."""

    needs: tuple[str, ...]
    sizes: Sequence[int]
    told: TaleTeller


def sort(*needs: str, sizes: Sequence[int] = TABLE_SIZES) -> Callable[[TaleTeller], TaleSort]:
    """Make a kind of game from the function that draws it."""
    return lambda told: TaleSort(needs, sizes, told)


def law(
    rules: tuple[str, ...], needs: tuple[str, ...] = (), sizes: Sequence[int] = TABLE_SIZES
) -> Callable[[TaleTeller], Property[Claim]]:
    """Make a law from the function that draws its games; the first paragraph of its docstring is the law."""
    return lambda told: law_of(TaleSort(needs, sizes, told), rules=rules, needs=needs)(told)


def law_of(
    *sorts: TaleSort, rules: tuple[str, ...], needs: tuple[str, ...] = (), times: int = 1
) -> Callable[[Callable[..., object]], Property[Claim]]:
    """Make a law from a name and a sentence; it is tried on those of these kinds of games that the engine
    supports.
    """

    @composite
    def claims(draw: DrawFn, means: Means, fitting: tuple[TaleSort, ...]) -> Claim:
        drawn = draw(sampled_from(fitting))
        return drawn.told(draw, draw(rounds(means, drawn.sizes))).claim()

    def cases(means: Means) -> SearchStrategy[Claim]:
        fitting = tuple(one for one in sorts if means.allow(*one.needs))
        return claims(means, fitting) if fitting and means.invented else st.nothing()

    def judge_claim(play: PlayFunction, claim: Claim) -> None:
        hold(play, claim, rules)

    return lambda named: holds_for(cases, rules, needs=needs, times=times)(wraps(named)(judge_claim))


def passes(sides: Sequence[str]) -> tuple[Action, ...]:
    """Passes of these sides, one after the other."""
    return tuple(Pass(side) for side in sides)

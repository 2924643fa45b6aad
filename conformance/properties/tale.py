"""Games told to show one rule: a drawn table and script with what the rule says is to be seen.

A `Claim` is a play and what is expected of it, worked out from the rule alone and no oracle; so it is
a fixture but for its name, and it is judged as fixtures are.

A law of games that tell one sort of story is the function that tells it (`law`); a law that several sorts
of games show is a name and a sentence, and lists them (`law_of`, `sort`). Rules and needs stand there once.
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
from conformance.model.verdict import Fail, PassVerdict, Protocol, Unsupported, judge
from conformance.properties.law import Broken, PlayFunction, Property, holds_for
from conformance.strategies.decks import BEAR, CALM
from conformance.strategies.means import Means
from conformance.strategies.scripts import SIZES, HeldCard, Seated, seats
from reference_engine.language.actions import Action, Look, Pass, Try


class Claim(NamedTuple):
    """A play, and what is to be seen of it."""

    play: Play
    expect: tuple[Expectation, ...]


class Tale:
    """A game while it is being told: what was done so far, and what is to be seen on the way."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._script: list[Action] = list(play.script)
        self._expect: list[Expectation] = []
        self._tries = 0
        self._looks = 0

    def do(self, *actions: Action) -> None:
        """These things are done."""
        self._script += actions

    def attempt(self, action: Action, outcome: str, because: str) -> None:
        """Something is tried, and is `done` or `rejected`."""
        self._tries += 1
        name = f"try{self._tries}"
        self._script.append(Try(name, action))
        self._expect.append(Expectation("end", name, "tried", Equals(outcome), because))

    def see(self, about: str, key: str, value: Value | Test, because: str) -> None:
        """Now this is to be seen of an object, a player or the table."""
        if not self._script or not isinstance(self._script[-1], Look):
            self._looks += 1
            self._script.append(Look(f"look{self._looks}"))
        test = value if isinstance(value, Test) else Equals(value)
        self._expect.append(Expectation(f"look{self._looks}", about, key, test, because))

    def claim(self) -> Claim:
        """The whole, with exactly what is expected wanted of each look."""
        wanted: dict[tuple[str, str], set[str]] = {}
        for one in self._expect:
            if one.key != "tried":
                wanted.setdefault((one.look, one.about), set()).add(one.key)
        wants = tuple(Want(look, of, frozenset(keys)) for (look, of), keys in wanted.items())
        return Claim(replace(self._play, script=tuple(self._script), wants=wants), tuple(self._expect))


def hold(play: PlayFunction, claim: Claim, rules: tuple[str, ...] = ()) -> None:
    """Raises `Broken` where something is seen that the claim does not allow, and never takes what is not
    shown for right. An engine that asks for a choice which one of the rules settles breaks the claim too.
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
        case Protocol(says):
            raise EngineFailure("protocol", says)
        case Unsupported(says):
            raise CannotPlay(says)
        case _:
            raise AssertionError(f"a claim can't come to {verdict}")


class Round(NamedTuple):
    """The players of a game, and who has priority in which order, beginning with whose turn it is."""

    seats: tuple[Seated, ...]
    sides: tuple[str, ...]
    players: tuple[str, ...]
    """One player of each side, in the same order."""
    spare: bool
    """Whether everybody holds one more card, so that there is something else that could be done."""
    means: Means
    """What the engine can be given."""


@st.composite
def rounds(draw: DrawFn, means: Means, sizes: Sequence[int] = SIZES) -> Round:
    """Some players; the turn may be anybody's."""
    there = draw(seats(means, sizes))
    sides = tuple(dict.fromkeys(player.team or player.id for player in there))
    first = draw(st.integers(0, len(sides) - 1))
    order = sides[first:] + sides[:first]
    players = tuple(next(p.id for p in there if side in (p.team, p.id)) for side in order)
    return Round(there, order, players, draw(st.booleans()), means)


def held_by(there: Round, hands: Mapping[str, Sequence[HeldCard]], library: int = 0) -> tuple[Seated, ...]:
    """The players with these hands, and libraries of plain cards."""
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
"""Draws the game of a claim, for these players."""


class TaleSort(NamedTuple):
    """A sort of claims: what an engine needs for it, how many play, and how it is told."""

    needs: tuple[str, ...]
    sizes: Sequence[int]
    told: TaleTeller


def sort(*needs: str, sizes: Sequence[int] = SIZES) -> Callable[[TaleTeller], TaleSort]:
    """Make a sort of claims of what tells one."""
    return lambda told: TaleSort(needs, sizes, told)


def law(
    rules: tuple[str, ...], needs: tuple[str, ...] = (), sizes: Sequence[int] = SIZES
) -> Callable[[TaleTeller], Property[Claim]]:
    """Make a law of what tells its games; the first paragraph of its docstring is what the law says."""
    return lambda told: law_of(TaleSort(needs, sizes, told), rules=rules, needs=needs)(told)


def law_of(
    *sorts: TaleSort, rules: tuple[str, ...], needs: tuple[str, ...] = ()
) -> Callable[[Callable[..., object]], Property[Claim]]:
    """Make a law of a name and a sentence: these sorts of games show it, as far as an engine has what they
    need.
    """

    @st.composite
    def claims(draw: DrawFn, means: Means, fitting: tuple[TaleSort, ...]) -> Claim:
        drawn = draw(st.sampled_from(fitting))
        return drawn.told(draw, draw(rounds(means, drawn.sizes))).claim()

    def cases(means: Means) -> SearchStrategy[Claim]:
        fitting = tuple(one for one in sorts if means.allow(*one.needs))
        return claims(means, fitting) if fitting and means.invented else st.nothing()

    def judge_claim(play: PlayFunction, claim: Claim) -> None:
        hold(play, claim, rules)

    return lambda named: holds_for(cases, rules, needs=needs)(wraps(named)(judge_claim))


def passes(sides: Sequence[str]) -> tuple[Action, ...]:
    """These pass, one after the other."""
    return tuple(Pass(side) for side in sides)

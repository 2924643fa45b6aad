"""Games told to show one rule: a drawn table and script with what the rule says is to be seen.

A `Claim` is a play and what is expected of it, worked out from the rule alone and no oracle; so it is
a fixture but for its name, and it is judged as fixtures are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec.structs import replace

from conformance.data.rulebook import newest_edition
from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.scenario import Equals, Expectation, Fixture, Play, Test, Value, Want
from conformance.model.verdict import Fail, Pass, Protocol, Unsupported, judge
from conformance.properties.law import Broken, Cases, Player
from conformance.strategies.means import Means
from reference_engine.language.actions import Action, Look, Try


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


def hold(play: Player, claim: Claim, rules: tuple[str, ...]) -> None:
    """Raises `Broken` where something is seen that the claim does not allow, and never takes what is not
    shown for right.
    """
    fixture = Fixture("F-00000000", "A claim", rules, claim.play, claim.expect)
    verdict = judge(fixture, play(claim.play), newest_edition(), checks_understanding=True)
    match verdict:
        case Pass():
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


def invented(claims: Callable[[Means], SearchStrategy[Claim]]) -> Cases[Claim]:
    """Claims about cards that nobody printed: an engine that can't be given such has no case."""
    return lambda means: claims(means) if means.invented else st.nothing()

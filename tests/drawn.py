"""What each law plays in a few cases, drawn and judged on the reference engine once for all tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from conformance.measure.reach import cases_of
from conformance.model.engine import CannotPlay
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.properties import Broken, Property
from conformance.properties.seeing import ShowsNothing
from conformance_adapters.in_process import Reference
from tests.shared import made_once

CASES = 8
OF_LONG_ONES = 2
"""The number of cases of a law whose case is a whole game of many cards."""
LONG_ONES = ("crowds_of_real_cards_go_as_the_rules_say", "whole_games_go_as_the_rules_say")


class Drawn(Struct, frozen=True):
    """A case of a law, what the law plays in it, and how the reference engine breaks it, if at all."""

    case: Any
    plays: tuple[Play, ...]
    shows_something: bool = True
    broken: str = ""


def drawn(law: Property[Any]) -> list[Drawn]:
    """The cases of a law."""
    cases = OF_LONG_ONES if law.name in LONG_ONES else CASES
    return made_once(f"{law.name}.cases", lambda: drawn_now(law, cases))


def drawn_now(law: Property[Any], cases: int = CASES) -> list[Drawn]:
    """Draw this many cases of a law and judge each of them on the reference engine."""
    engine, said = Reference(), list[Observations]()

    def play(scenario: Play) -> Observations:
        said.append(engine.play(scenario))
        return said[-1]

    found = cases_of(law, play, cases)
    answers = iter(said)
    return [Drawn(case, plays, *outcome(law, case, answers)) for case, plays in found]


def outcome(law: Property[Any], case: Any, answers: Iterator[Observations]) -> tuple[bool, str]:
    """Whether a case shows something, and how these answers break the law, if at all."""
    try:
        law(lambda _: next(answers), case)
    except ShowsNothing:
        return False, ""
    except (Broken, CannotPlay) as why:  # there is nothing that the reference engine can't play
        return True, str(why)
    return True, ""


def plays_of(law: Property[Any], most: int = CASES) -> list[tuple[Play, ...]]:
    """What a law plays in each of its first cases."""
    return [one.plays for one in drawn(law)[:most]]

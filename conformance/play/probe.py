"""Probe an engine before grading it: does it give the same answer to the same scenario?

A few scenarios are played twice, then in reverse order, then in a fresh process. An answer that changes
depends on chance, a clock, or state left over from another scenario; the check then gets the verdict
`Nondeterministic`, whatever its result. Scenarios that the engine cannot play or fails on are left to the
run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from conformance.files.canonical import encode
from conformance.model.engine import Engine, EngineFailure, close
from conformance.model.observation import Observations
from conformance.model.printable import printable
from conformance.model.scenario import Fixture
from conformance.play.runner import answer_to

PLAYED = 5
"""Number of answered scenarios to probe with."""
TRIED = 20
"""Maximum number of scenarios to try in order to find those."""

ALONE = "a fresh process gives a different first answer each time: does it use a clock or randomness?"
LEFT_OVER = (
    "the answer depends on what was played before: start each scenario with a new game, "
    "and keep no static state"
)


class EngineDied(Exception):
    """The engine died; the run will report it."""


class Inconsistency(Struct, frozen=True):
    """A scenario that got two different answers."""

    id: str
    when: str
    """What happened between the two answers."""
    why: str
    before: str
    now: str

    def __str__(self) -> str:
        """One line for people."""
        return f"{self.when}: {self.why}; {first_difference(self.before, self.now)}"


def changes(
    engine: Engine, fresh: Callable[[], Engine], fixtures: Iterable[Fixture]
) -> tuple[Inconsistency, ...]:
    """The scenarios, among the first few, to which the engine gives more than one answer.

    `fresh` starts the engine anew, in a process of its own if it has one. The probe stops when an engine
    dies, and returns what it has seen until then.
    """
    found: dict[str, Inconsistency] = {}
    with suppress(EngineDied):
        known = first_answers(engine, fixtures)
        for when, asked, order in (
            ("played again", engine, known),
            ("played again in the opposite order", engine, known[::-1]),
            ("played in a fresh process", None, known[::-1]),
        ):
            for fixture, before, now in repeated_answers(asked, fresh, order):
                if now is not None and now != before and fixture.id not in found:
                    found[fixture.id] = Inconsistency(fixture.id, when, LEFT_OVER, before, now)
        changed = [fixture for fixture, _ in known if fixture.id in found]
        if changed and fresh_answer(fresh, changed[0]) != fresh_answer(fresh, changed[0]):
            return tuple(replace(change, why=ALONE) for change in found.values())
    return tuple(found.values())


def first_answers(engine: Engine, fixtures: Iterable[Fixture]) -> Sequence[tuple[Fixture, str]]:
    """The first few scenarios that the engine answers, each with its answer."""
    known: list[tuple[Fixture, str]] = []
    for fixture, _ in zip(fixtures, range(TRIED), strict=False):
        seen = answer(engine, fixture)
        if seen is not None:
            known.append((fixture, seen))
        if len(known) == PLAYED:
            break
    return known


def repeated_answers(
    engine: Engine | None, fresh: Callable[[], Engine], order: Sequence[tuple[Fixture, str]]
) -> Iterable[tuple[Fixture, str, str | None]]:
    """Each scenario with its earlier and its new answer; without `engine`, each is played on a fresh one."""
    asked = engine or fresh()
    try:
        for fixture, before in order:
            yield fixture, before, answer(asked, fixture)
    finally:
        if engine is None:
            close(asked)


def fresh_answer(fresh: Callable[[], Engine], fixture: Fixture) -> str | None:
    """The answer of a fresh engine to this scenario alone."""
    engine = fresh()
    try:
        return answer(engine, fixture)
    finally:
        close(engine)


def answer(engine: Engine, fixture: Fixture) -> str | None:
    """The answer as comparable text, or None if there is nothing to compare.

    Raises `EngineDied` if the engine is gone.
    """
    seen = answer_to(engine, fixture.play)
    if isinstance(seen, EngineFailure) and not seen.lives:
        raise EngineDied
    if not isinstance(seen, Observations):
        return None
    # Messages may contain a time or an address.
    stopped = replace(seen.stopped, says="") if seen.stopped else None
    try:
        return encode(replace(seen, stopped=stopped)).decode()
    except UnicodeEncodeError:
        return repr(seen)


def first_difference(before: str, now: str) -> str:
    """The first difference between two answers, with some context."""
    at = next(
        (place for place, (one, other) in enumerate(zip(before, now, strict=False)) if one != other),
        min(len(before), len(now)),
    )
    around = slice(max(0, at - 30), at + 20)
    return f"{printable(before[around])} … and then {printable(now[around])} …"


def with_probe(
    engine: Engine,
    fresh: Callable[[], Engine],
    fixtures: Iterable[Fixture],
    told: Callable[[Sequence[Inconsistency]], None],
) -> Iterable[Fixture]:
    """Pass the fixtures through; before the first, probe with the first few and report the changes."""
    rest = iter(fixtures)
    first: list[Fixture] = []

    def kept() -> Iterable[Fixture]:
        for fixture in rest:
            first.append(fixture)
            yield fixture

    told(changes(engine, fresh, kept()))
    yield from chain(first, rest)

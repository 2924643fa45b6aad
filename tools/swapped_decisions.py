"""Broken engines in which one decision of the rules is taken as another one.

Such an engine plays by rules in which a decision, such as whether a creature may attack, is the function of
another that takes and returns values of the same types, such as whether it may block. `python -m tools
swapped-decisions` counts for each pair the fixtures and stored scenarios that notice, up to two. Only those
are played that use the decision.
"""

from __future__ import annotations

import dataclasses
import inspect
import random
import signal
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, permutations
from typing import BinaryIO

import msgspec
from msgspec import Struct

from conformance.data.rulebook import newest_edition
from conformance.model.scenario import Fixture
from conformance.model.verdict import PassVerdict, judge
from conformance_adapters.in_process import Reference, decisions_used
from reference_engine.game.game_rules import CR
from tools.code_changes import output_of_fork
from tools.harvest import answer_of, too_long
from tools.ignored_words import scored_checks

ENOUGH = 2
"""Number of checks to look for per pair."""


class Swap(Struct, frozen=True):
    """A decision, and the one whose function takes it instead."""

    decision: str
    instead: str

    def __str__(self) -> str:
        return f"{self.decision} as {self.instead}"


class SwapNoticed(Struct, frozen=True):
    """Up to two checks that notice a swap, and how many there were to play."""

    swap: Swap
    noticing: tuple[str, ...]
    of: int


def swaps() -> tuple[Swap, ...]:
    """All pairs of decisions with the same types, in the order of the rules."""
    alike: dict[object, list[str]] = defaultdict(list)
    for field in dataclasses.fields(CR):
        decision = getattr(CR, field.name)
        if callable(decision):
            said = inspect.signature(decision)
            kinds = tuple((one.kind, str(one.annotation)) for one in said.parameters.values())
            alike[kinds, str(said.return_annotation)].append(field.name)
    return tuple(
        Swap(decision, instead)
        for names in alike.values()
        for decision, instead in permutations(names, 2)
        if getattr(CR, decision) is not getattr(CR, instead)
    )


def engine_with(swap: Swap) -> Reference:
    """The engine in which a decision is taken as another."""
    return Reference(rules=dataclasses.replace(CR, **{swap.decision: getattr(CR, swap.instead)}))


def checks_by_decision() -> Mapping[str, Sequence[Fixture]]:
    """The fixtures and stored scenarios that use each decision."""
    found: dict[str, list[Fixture]] = defaultdict(list)
    for fixture in scored_checks():
        for decision in decisions_used(fixture.play, CR):
            found[decision].append(fixture)
    return found


def noticing(engine: Reference, checks: Iterable[Fixture]) -> Iterator[str]:
    """The checks that fail on an engine."""
    for fixture in checks:
        if not isinstance(judge(fixture, answer_of(engine, fixture.play), newest_edition()), PassVerdict):
            yield fixture.id


def results(sample: int | None, seed: int) -> Iterator[SwapNoticed]:
    """What notices each swap, or each of a sample drawn by the seed."""
    every = swaps()
    drawn = every if sample is None else random.Random(seed).sample(every, min(sample, len(every)))
    checks = checks_by_decision()
    for swap in drawn:
        concerned = checks.get(swap.decision, ())
        yield SwapNoticed(swap, first_noticing(swap, concerned), len(concerned))


def first_noticing(swap: Swap, checks: Iterable[Fixture]) -> tuple[str, ...]:
    """The first checks that notice a swap, found by a process of its own."""

    def work(told: BinaryIO) -> None:
        signal.signal(signal.SIGPROF, too_long)
        noticed = islice(noticing(engine_with(swap), checks), ENOUGH)
        told.write(msgspec.json.encode(tuple(noticed)))

    text, status = output_of_fork(work)
    if status != 0:
        raise RuntimeError(f"the process that plays {swap} ended with {status}")
    return msgspec.json.decode(text, type=tuple[str, ...])


def report(found: Iterable[SwapNoticed]) -> Iterator[str]:
    """The pairs that no check or only one notices, as they are found; then how many are noticed."""
    known: list[SwapNoticed] = []
    for one in found:
        known.append(one)
        if len(one.noticing) < ENOUGH:
            by = ", ".join(one.noticing) or "nothing notices"
            yield f"{one.swap}: {by} (of {one.of} checks)"
    once, twice = (sum(len(one.noticing) >= n for one in known) for n in (1, ENOUGH))
    yield f"{len(known)} swaps, {once} noticed, {twice} of them twice"

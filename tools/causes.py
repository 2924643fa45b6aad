"""Measures how well finds are joined to causes, on the recorded engines.

Their lists of known failures name the cause of each failure, as a person found it (`A04: …`). Every pair of
failures of an engine is rightly joined, rightly kept apart, or neither.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

import click
import msgspec
from msgspec import Struct

from conformance.data.rulebook import newest_edition
from conformance.gate.divergences import divergences_in
from conformance.results.causes import cause_of, explanations
from conformance.results.events import FinishedCheck
from conformance.run.diagnosis import can_be_played, mutants_that_answer_alike

ROOT = Path(__file__).parent.parent
BY_HAND = re.compile(r"([A-Z]+\d+)[: ]")
"""The name of a cause at the beginning of a reason."""
SMALL = 2
"""Number of values that a small change takes away or adds: to change one value does both."""


class Failure(Struct, frozen=True):
    """A failure of a recorded engine."""

    by_hand: str
    """Its cause, as a person found it."""
    rule: str
    difference: str
    alike: tuple[str, ...]
    """The broken engines that answer in the same way."""
    says: Counter[str]
    """Everything that its scenario says: each value with the place where it stands."""


class Pairs(Struct, frozen=True):
    """How a way of joining does on all pairs of failures of an engine."""

    joined: int
    """Pairs with one cause that are joined."""
    same: int
    """Pairs with one cause."""
    mixed: int
    """Pairs with two causes that are joined."""
    other: int
    """Pairs with two causes."""


def failures_of(recording: Path, shim: Path) -> Iterator[Failure]:
    """The failures of a recorded engine whose cause is known."""
    by_hand = {
        one.check: found[1]
        for one in divergences_in(shim / "divergences.yaml").known.values()
        if (found := BY_HAND.match(one.reason))
    }
    with tempfile.TemporaryDirectory() as folder:
        events = Path(folder) / "events.jsonl"
        command = (
            *("run", "--quiet", "--profile", "gate", "--json", events),
            *("--engine", f"recorded:{recording}"),
        )
        subprocess.run(
            [sys.executable, "-m", "conformance", *command], check=False, stdout=subprocess.DEVNULL
        )
        for line in events.read_bytes().splitlines():
            if msgspec.json.decode(line).get("id") not in by_hand or b'"verdict"' not in line:
                continue
            one = msgspec.json.decode(line, type=FinishedCheck)
            if can_be_played(one):
                alike = tuple(mutant.name for mutant in mutants_that_answer_alike(one, newest_edition()))
                assert one.scenario is not None
                play = msgspec.structs.replace(one.scenario.play, wants=())
                says = Counter(values_in(msgspec.to_builtins(play)))
                yield Failure(by_hand[one.id], *cause_of(one), alike, says)


def values_in(value: object, place: str = "") -> Iterator[str]:
    """Each value in a scenario that says something, after its place; the number in a list does not matter."""
    match value:
        case dict():
            for key, inner in value.items():
                yield from values_in(inner, f"{place}.{key}")
        case list() | tuple():
            for inner in value:
                yield from values_in(inner, place)
        case None | False | "":
            pass
        case _:
            yield f"{place} {value}"


Way = Callable[[Sequence[Failure]], list[object]]
"""A way to group failures: what it gives is equal for failures that it joins."""


def pairs(failures: Sequence[Failure], groups: Sequence[object]) -> Pairs:
    """How well the failures are grouped."""
    together = [
        (one.by_hand == other.by_hand, here == there)
        for (one, here), (other, there) in combinations(zip(failures, groups, strict=True), 2)
    ]
    same = [joined for is_one, joined in together if is_one]
    other = [joined for is_one, joined in together if not is_one]
    return Pairs(sum(same), len(same), sum(other), len(other))


def by_difference(failures: Sequence[Failure]) -> list[object]:
    """One cause for each rule and difference."""
    return [(one.rule, one.difference) for one in failures]


def by_broken_engine(failures: Sequence[Failure]) -> list[object]:
    """One cause for all that one broken engine explains, and by difference for the others."""
    names = explanations([one.alike for one in failures])
    return [name or looks for name, looks in zip(names, by_difference(failures), strict=True)]


def by_small_change(failures: Sequence[Failure]) -> list[object]:
    """One cause also for two failures if the change of one value makes one scenario of the other."""
    groups = by_broken_engine(failures)
    for (here, one), (there, other) in combinations(enumerate(failures), 2):
        if groups[here] != groups[there] and changes(one, other) <= SMALL:
            joined = groups[there]
            groups = [groups[here] if group == joined else group for group in groups]
    return groups


def changes(one: Failure, other: Failure) -> int:
    """Number of values that only one of the two scenarios has."""
    return (one.says - other.says).total() + (other.says - one.says).total()


def report() -> None:
    """Print how each way does on each recorded engine, and on all together."""
    found: dict[Way, list[Pairs]] = {by_difference: [], by_broken_engine: [], by_small_change: []}
    for recording in sorted((ROOT / "adapters" / "recordings").glob("*.jsonl.gz")):
        name = recording.name.partition(".")[0]
        failures = list(failures_of(recording, ROOT / "adapters" / "shims" / name.replace("-", "_")))
        click.echo(f"{name}: {len(failures)} failures, {len({one.by_hand for one in failures})} causes")
        for way, some in found.items():
            some.append(pairs(failures, way(failures)))
            click.echo(line(way, some[-1:]))
    click.echo("all")
    for way, some in found.items():
        click.echo(line(way, some))


def line(way: Way, found: Sequence[Pairs]) -> str:
    """One line of the report."""
    joined, same = sum(one.joined for one in found), sum(one.same for one in found)
    mixed, other = sum(one.mixed for one in found), sum(one.other for one in found)
    name = getattr(way, "__name__", "").replace("_", " ")
    return (
        f"  {name:18} {joined:,} of {same:,} pairs with one cause joined,"
        f" {mixed:,} of {other:,} pairs with two causes mixed"
    )

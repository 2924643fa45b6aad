"""Coverage of what an engine really plays: `python -m tests.played ENGINE [EXAMPLES]`.

Counts the parts that cards use, by family, in those scenarios that the engine played to the end (or up to an
action that it calls illegal). Scenarios answered with "unsupported" do not count.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from conformance.data.library import pool
from conformance.measure.reach import examples_of
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.properties import PROPERTIES
from conformance.strategies.means import means_of
from conformance_adapters import connect

FAMILIES = {
    "op": "operations",
    "then": "instructions",
    "on": "events",
    "cost": "costs",
    "if": "conditions",
    "num": "quantities",
    "is": "things that happen as it enters",
}
"""The tag of each closed family of the card language, and the name of its members."""

SPLIT = {
    "add_types": ("types", "subtypes", "supertypes"),
    "lose_types": ("types", "subtypes", "supertypes"),
    "as_enters": ("choose", "copy", "counters", "tapped"),
}
"""Records whose keys mean different things: each key counts separately."""


def kinds(value: object) -> Iterator[tuple[str, str]]:
    """Each member of a family anywhere in a value, with its family."""
    if isinstance(value, dict):
        yield from said_by(value)
        value = tuple(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from kinds(part)


def said_by(record: dict[str, object]) -> Iterator[tuple[str, str]]:
    """The parts that one record counts for, if it belongs to a family; a card's own cost does not."""
    name = record.get("op") or record.get("is")
    family = "op" if "op" in record else "is"
    if name in SPLIT:
        yield from ((family, f"{name}: {key}") for key in SPLIT[str(name)] if record.get(key))
    elif name == "costs":
        yield "op", f"costs: {record['how']}"
    elif name == "gain":
        given = record["abilities"]
        assert isinstance(given, list | tuple)
        yield from (("op", "gain: keyword" if one["is"] == "keyword" else "gain: quoted") for one in given)
    elif name == "defines":
        yield "op", "base or colours that define"
    elif "op" in record:
        yield "op", str(name)
    for tag in ("then", "on", "cost", "if", "num"):
        if isinstance(said := record.get(tag), str) and "types" not in record:
            yield tag, said


def entered(scenario: Play) -> Iterator[tuple[str, str]]:
    """The effects of how something entered."""
    for entry in (entry for arrival in scenario.setup for entry in arrival.entries):
        if entry.face_down:
            yield "op", "face down"
        for pile in entry.counters:
            yield "op", f"counters: {pile.kind if '/' in pile.kind else 'others'}"


def played(name: str, examples: int) -> tuple[Counter[tuple[str, str]], int, int]:
    """The number of played scenarios that use each kind, of scenarios played, and of scenarios drawn."""
    met: Counter[tuple[str, str]] = Counter()
    drawn = answered = 0
    engine = connect(name)

    def playing(scenario: Play) -> Observations:
        nonlocal drawn, answered
        drawn += 1
        answer = engine.play(scenario)
        if answer.stopped is None or answer.stopped.why == "rejected":
            answered += 1
            met.update({*kinds(msgspec.to_builtins(scenario.cards)), *entered(scenario)})
        return answer

    means = means_of(engine.describe(), tuple(pool().values()))
    for law in PROPERTIES:
        if not law.needs & means.lacks:
            examples_of(law, playing, examples, means=means)
    return met, answered, drawn


def main(arguments: Sequence[str]) -> None:
    """Print what the named engine played."""
    met, answered, drawn = played(arguments[0], int(arguments[1]) if len(arguments) > 1 else 20)
    print(f"{answered:,} of {drawn:,} generated scenarios were played")
    for tag, family in FAMILIES.items():
        told = sorted(said for found, said in met if found == tag)
        print(f"{len(told)} {family}: {', '.join(told)}")
    print(f"{len(met)} in all")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Which check catches which broken engine, how soon, and whether its failure names the broken rule.

This measures the suite itself. A mutant that nothing kills and a check that kills nothing are both unfinished
work, and so is a failure that sends an engine's author to the wrong rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from operator import itemgetter
from pathlib import Path
from time import process_time
from typing import Any, Literal

import msgspec
from msgspec import Struct

from conformance.data.library import all_fixtures
from conformance.gate.standing import rule_at_fault
from conformance.model.citations import rules_cited
from conformance.model.engine import CannotPlay, Engine, EngineFailure, suite_version
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture
from conformance.model.verdict import Fail, judge
from conformance.mutants import MUTANTS, Mutant
from conformance.play.runner import answer_to, has_expectations
from conformance.properties import PROPERTIES
from conformance.properties.law import Broken, Property
from conformance.search.search import search
from conformance.shards.course import Ending
from conformance.shards.lists import ListPlan, Where, play_list
from conformance.strategies.means import EVERYTHING

CheckKind = Literal["fixtures", "properties"]
CHECK_KINDS: tuple[CheckKind, ...] = ("fixtures", "properties")


class Kill(Struct, frozen=True):
    """A check that a mutant fails."""

    mutant: str
    kind: CheckKind
    check: str
    """Id of a fixture, or name of a property."""
    examples: int
    """Number of fixtures played, or cases judged, up to and including the one that failed."""
    seconds: float
    named: bool
    """Whether the failure names the broken rule, or one of its subrules."""


class MutantEffort(Struct, frozen=True):
    """How much to try on each mutant."""

    kinds: tuple[CheckKind, ...] = CHECK_KINDS
    every: bool = False
    """Whether to try every check, not only until one fails."""
    examples: int = 60
    """Number of cases per property."""
    seconds: float = 1.5
    """Limit of the search in seconds of processor time, unless every check is tried."""
    seed: int = 0


Made = Callable[[str], Engine]
"""Makes the engine with a name: `mutant:NAME`."""


Killed = Callable[[Mutant, tuple[Kill, ...]], None]
"""Called with each mutant and its kills, in order."""


def kills(
    made: Made,
    effort: MutantEffort,
    tell: Killed,
    mutants: Sequence[Mutant] = MUTANTS,
    *,
    where: Where,
    folder: Path | None = None,
    part: tuple[int, int] = (1, 1),
) -> Ending:
    """Tell the kills of each mutant, as soon as those of all before it are known.

    `where` plays; a folder keeps what is known, and continues from there.
    """
    plan = ListPlan(
        suite_version(),
        "conformance mutants",
        msgspec.json.encode(effort).decode(),
        tuple(mutant.name for mutant in mutants),
        part=part,
    )
    known = {mutant.name: mutant for mutant in mutants}

    def tell_shard(names: tuple[str, ...], result: bytes) -> None:
        for name, found in zip(names, msgspec.json.decode(result, type=list[tuple[Kill, ...]]), strict=True):
            tell(known[name], found)

    return play_list(plan, partial(encoded_kills, made, effort), where, folder, tell_shard)


def encoded_kills(made: Made, effort: MutantEffort, names: tuple[str, ...]) -> bytes:
    """The kills of each of these mutants, as a worker sends them."""
    return msgspec.json.encode([kills_of(made, effort, name) for name in names])


def kills_of(made: Made, effort: MutantEffort, name: str) -> tuple[Kill, ...]:
    """The kills of a mutant: the first check of each kind, or every check.

    A check that the reference engine breaks, too, does not count: it tells nothing of the mutant.
    """
    mutant = next(mutant for mutant in MUTANTS if mutant.name == name)
    engine, reference = made(f"mutant:{name}"), made("reference")
    found: list[Kill] = []
    for kind in effort.kinds:
        of_kind = (
            by_fixtures(mutant, engine, reference, all_fixtures().values(), every=effort.every)
            if kind == "fixtures"
            else by_properties(mutant, engine, reference, effort)
        )
        found += of_kind if effort.every else preferred_kills(of_kind)
    return tuple(found)


TRIED_FOR_THE_NAME = 4
"""Number of failed checks to look at for one that names the rule."""


def preferred_kills(found: Iterator[Kill]) -> Iterator[Kill]:
    """The first kill that names the rule, if it is among the first few; else the first kill."""
    first = None
    for kill in islice(found, TRIED_FOR_THE_NAME):
        if kill.named:
            yield kill
            return
        first = first or kill
    if first:
        yield first


def by_fixtures(
    mutant: Mutant, engine: Engine, reference: Engine, fixtures: Iterable[Fixture], *, every: bool
) -> Iterator[Kill]:
    """The fixtures that the mutant fails, starting with those about the broken rule.

    Unless `every` is set, only fixtures about the rule or its neighbours are played after the first failure,
    because only they can name the rule.
    """
    edition = engine.describe().edition or ""
    begin, noticed = process_time(), False
    asked = [
        (rule_distance(mutant.breaks, one.rules), one) for one in fixtures if has_expectations(one, edition)
    ]
    for number, (far, fixture) in enumerate(sorted(asked, key=itemgetter(0)), 1):
        if noticed and far > NEIGHBOUR and not every:
            return
        verdict = judge(fixture, answer_to(engine, fixture.play), edition, checks_understanding=True)
        if isinstance(verdict, Fail) and not fails(reference, fixture, edition):
            noticed = True
            named = is_named(mutant.breaks, rule_at_fault(fixture, verdict))
            yield Kill(mutant.name, "fixtures", fixture.id, number, process_time() - begin, named)


def fails(engine: Engine, fixture: Fixture, edition: str) -> bool:
    """Whether an engine fails a fixture."""
    answer = answer_to(engine, fixture.play)
    return isinstance(judge(fixture, answer, edition, checks_understanding=True), Fail)


def breaks(engine: Engine, law: Property[Any], case: Any) -> bool:
    """Whether an engine breaks a law in this case."""
    try:
        law(engine.play, case)
    except (Broken, EngineFailure):
        return True
    except (CannotPlay, ScenarioError):
        pass
    return False


def by_properties(mutant: Mutant, engine: Engine, reference: Engine, effort: MutantEffort) -> Iterator[Kill]:
    """The properties that the mutant breaks, starting with those about the broken rule.

    If one kill is enough, each property first gets a few cases; properties that stay silent get more
    afterwards.
    """
    nearest = sorted(PROPERTIES, key=lambda law: rule_distance(mutant.breaks, law.rules))
    rounds = (effort.examples,) if effort.every else (effort.examples // 6, effort.examples)
    begin, judged = process_time(), 0
    for seed, examples in enumerate(rounds, effort.seed):
        for law in nearest:
            if not effort.every and process_time() - begin > effort.seconds:
                return
            found = search(
                engine.play,
                law,
                EVERYTHING,
                seed=seed,
                examples=examples,
                shrinking=0,
                most=1,
                clock=process_time,
            )
            for find in found.finds:
                if breaks(reference, law, find.case):
                    continue
                named = any(is_named(mutant.breaks, rule) for rule in (*rules_cited(find.says), law.rules[0]))
                cases = find.examples + judged
                yield Kill(mutant.name, "properties", law.name, cases, find.seconds, named)
        judged += examples


def first_victims(
    made: Made, effort: MutantEffort, laws: Sequence[str], *, where: Where
) -> dict[str, str | None]:
    """For each property, the first mutant that it catches, starting with those closest to its rules."""
    plan = ListPlan(suite_version(), "first victims", msgspec.json.encode(effort).decode(), tuple(laws))
    found: dict[str, str | None] = {}

    def tell(names: tuple[str, ...], result: bytes) -> None:
        found.update(zip(names, msgspec.json.decode(result, type=list[str | None]), strict=True))

    play_list(plan, partial(encoded_victims, made, effort), where, None, tell)
    return found


def encoded_victims(made: Made, effort: MutantEffort, laws: tuple[str, ...]) -> bytes:
    """The first victim of each of these properties, as a worker sends them."""
    return msgspec.json.encode([first_victim(made, effort, law) for law in laws])


def first_victim(made: Made, effort: MutantEffort, name: str) -> str | None:
    """The first mutant that a property catches; None if it catches none."""
    law, reference = next(law for law in PROPERTIES if law.name == name), made("reference")
    for mutant in sorted(MUTANTS, key=lambda mutant: rule_distance(mutant.breaks, law.rules)):
        engine = made(f"mutant:{mutant.name}")
        found = search(
            engine.play, law, EVERYTHING, seed=effort.seed, examples=effort.examples, shrinking=0, most=1
        )
        if any(not breaks(reference, law, find.case) for find in found.finds):
            return mutant.name
    return None


ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def is_named(rule: str, by: str) -> bool:
    """Whether a citation of `by` points to this rule: the rule itself or one of its subrules."""
    return rule in (by, by.rstrip(ALPHABET))


NEIGHBOUR = 1
"""The distance of a check about another subrule of the same rule."""


def rule_distance(rule: str, others: Sequence[str]) -> int:
    """Distance between a check and a rule: same rule, neighbour, same chapter, other chapter."""
    if rule in others:
        return 0
    if rule.rstrip(ALPHABET) in {other.rstrip(ALPHABET) for other in others}:
        return NEIGHBOUR
    return 2 if rule[:3] in {other[:3] for other in others} else 3


# ------------------------------------------------------------------------------------ in figures


def cheapest_kill(found: Iterable[Kill], kind: CheckKind) -> Kill | None:
    """The kill of this kind that needed the fewest examples."""
    return min((one for one in found if one.kind == kind), key=lambda one: one.examples, default=None)


def last_line(killed: Sequence[tuple[Mutant, Sequence[Kill]]]) -> str:
    """The totals, on one line."""
    by = {kind: sum(1 for _, found in killed if cheapest_kill(found, kind)) for kind in CHECK_KINDS}
    named = sum(1 for _, found in killed if any(one.named for one in found))
    return (
        f"{by['fixtures']} of {len(killed)} mutants killed by fixtures, "
        f"{by['properties']} by properties, {named} named"
    )


def checks_that_kill_nothing(killed: Sequence[tuple[Mutant, Sequence[Kill]]], kind: CheckKind) -> list[str]:
    """The fixtures or properties that catch no mutant, provided that every one was tried on each mutant."""
    at_work = {one.check for _, found in killed for one in found}
    every = all_fixtures() if kind == "fixtures" else [law.name for law in PROPERTIES]
    return [check for check in every if check not in at_work]


def line(mutant: Mutant, found: Sequence[Kill]) -> str:
    """A mutant, and the quickest kill of each kind."""
    told = [kill_in_words(cheapest_kill(found, kind)) for kind in CHECK_KINDS]
    return f"{mutant.name:36} {mutant.breaks:8} {told[0]:24} {told[1]}"


def kill_in_words(kill: Kill | None) -> str:
    """A kill: the check, how soon, and whether it names the rule."""
    if kill is None:
        return "-"
    return f"{kill.check} ({kill.examples}{'' if kill.named else ', rule not named'})"

"""Measures what a campaign's budget is worth: causes against cases, given evenly and where it pays.

The engines have mistakes that we know, so each find has a true cause. `several:SEED` is the reference engine
with several of our broken decisions at once, and a find's causes are those that break the law in the same
case on their own. A machine-made engine (`machine:ID`) has one cause. Of any other engine nobody knows the
causes; there the broken rule and the wrong aspect count, by which the search tells bugs apart.

The shards are those of a campaign, with the seeds, rounds and choices of `conformance.campaign`, but a find
is not made smaller, which no choice depends on; so both budgets are measured in a small part of the time of
two campaigns.

The engines are a list of work (`conformance.shards.lists`): the same command continues it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from conformance.campaign.budget import LawRecord, planned_shards, within_budget
from conformance.campaign.curve import CauseCurve, curve_of
from conformance.campaign.plan import CampaignEngine, CampaignPlan, Shard, seed_of
from conformance.campaign.shard import started_engine
from conformance.data.library import pool
from conformance.measure.kill_matrix import breaks
from conformance.model.engine import Engine, close, suite_version
from conformance.mutants import MUTANTS, Mutant
from conformance.play.introduction import introduction_of
from conformance.properties import PROPERTIES
from conformance.search.search import MOST_BUGS, Find, search
from conformance.shards.course import Ending
from conformance.shards.lists import ListPlan, Where, play_list
from conformance.strategies.means import means_of
from conformance_adapters import connect
from conformance_adapters.in_process import Reference, replaced_decisions, with_rules_of
from tools.code_changes import MODULES, identified_changes
from tools.machine_campaign import machine_engine
from tools.machine_made import decides_nothing

MISTAKES = 20
"""Number of broken decisions in an engine with several."""
SLOW = frozenset({"whole_games_go_as_the_rules_say"})
"""Laws whose cases take seconds each, left out: they say nothing about the choice of others."""
SEVERAL = "several mistakes together"
"""The cause of a find that no single mistake shows."""
Causes = Callable[[Any, Find], frozenset[str]]
"""The causes of a find by a law."""
Choose = Callable[[CampaignPlan, str, int, Mapping[str, int], Mapping[str, LawRecord]], tuple[Shard, ...]]


class BudgetPlan(Struct, frozen=True):
    """How much is played on each engine."""

    seed: int
    cases: int
    block: int

    def campaign(self, engine: str, *, even: bool) -> CampaignPlan:
        """The campaign that is measured."""
        laws = tuple(law.name for law in PROPERTIES if law.name not in SLOW)
        asked = CampaignEngine(engine)
        return CampaignPlan(
            suite_version(), (asked,), laws, self.seed, self.cases, block=self.block, even=even
        )


Curves = tuple[CauseCurve, CauseCurve]
"""The curves of an engine: by an even budget, and by one that goes where it pays."""


def engine_names(machine: int, several: int, seed: int) -> tuple[str, ...]:
    """Machine-made engines drawn by a seed, and engines with several mistakes drawn by theirs."""
    every = [one for module in MODULES for one, _ in identified_changes(module)] if machine else []
    drawn = (one for one in random.Random(seed).sample(every, len(every)) if not decides_nothing(one))
    made = [f"machine:{one.id} {one.module}" for one, _ in zip(drawn, range(machine), strict=False)]
    return (*made, *(f"several:{seed}-{number}" for number in range(several)))


class EngineShards:
    """The shards of an engine, each played once however many budgets ask for it."""

    def __init__(self, engine: Engine, causes: Causes, plan: CampaignPlan) -> None:
        self._engine = engine
        self._means = means_of(introduction_of(engine), tuple(pool().values()))
        self._causes = causes
        self._plan = plan
        self._laws = {law.name: law for law in PROPERTIES}
        self._known: dict[tuple[str, int], tuple[int, frozenset[str]]] = {}

    def shard(self, shard: Shard) -> tuple[int, frozenset[str]]:
        """The number of cases of a shard, and the causes that it finds."""
        key = shard.law, shard.block
        if key not in self._known:
            law, seed = self._laws[shard.law], seed_of(self._plan, shard)
            examples = self._plan.block
            if law.needs & self._means.lacks:
                return 0, frozenset()
            found = search(
                self._engine.play, law, self._means, seed=seed, examples=examples, shrinking=0, most=MOST_BUGS
            )
            causes = (self._causes(law, find) for find in found.finds)
            self._known[key] = found.examples, frozenset().union(*causes)
        return self._known[key]


def curve_by(played: EngineShards, plan: CampaignPlan, choose: Choose = planned_shards) -> CauseCurve:
    """The curve of one budget."""
    return curve_of(history_by(played, plan, choose))


def history_by(
    played: EngineShards, plan: CampaignPlan, choose: Choose = planned_shards
) -> list[tuple[int, frozenset[str]]]:
    """The cases and the causes of each shard, chosen round by round as `campaign.course` does."""
    (engine,) = (one.name for one in plan.engines)
    blocks: Counter[str] = Counter()
    rounds: list[dict[str, tuple[int, int]]] = []
    known: set[str] = set()
    history: list[tuple[int, frozenset[str]]] = []
    while True:
        records: dict[str, LawRecord] = {}
        for one in rounds[: max(len(rounds) - 1, 0)]:
            for law, (shards, new) in one.items():
                records[law] = records.get(law, LawRecord()).one_round_later(shards, new)
        chosen = within_budget(choose(plan, engine, len(rounds), blocks, records), len(history), plan)
        if not chosen:
            return history
        blocks.update(shard.law for shard in chosen)
        found = [(shard.law, *played.shard(shard)) for shard in chosen]
        before = frozenset(known)
        tally: dict[str, tuple[int, int]] = {}
        for law, cases, causes in found:
            shards, new = tally.get(law, (0, 0))
            tally[law] = shards + 1, new + bool(causes - before)
            known |= causes
            history.append((cases, causes))
        rounds.append(tally)


def several_mistakes(name: str) -> tuple[Engine, Causes]:
    """The reference engine with several of our broken decisions, and who is to blame for a find."""
    chosen: list[Mutant] = []
    decisions: dict[str, Any] = {}
    for mutant in random.Random(name).sample(MUTANTS, len(MUTANTS)):
        replaced = replaced_decisions(mutant)
        if len(chosen) < MISTAKES and decisions.keys().isdisjoint(replaced):
            chosen.append(mutant)
            decisions |= replaced
    alone = {mutant.name: Reference(rules=with_rules_of(mutant)) for mutant in chosen}

    def causes(law: Any, find: Find) -> frozenset[str]:
        to_blame = frozenset(name for name, engine in alone.items() if breaks(engine, law, find.case))
        return to_blame or frozenset({SEVERAL})

    return Reference(rules=dataclasses.replace(Reference().rules, **decisions), name=name), causes


@contextlib.contextmanager
def played_engine(item: str, plan: CampaignPlan) -> Iterator[EngineShards]:
    """An engine by its name (with its module, if it is made by machine), ready to play shards of a plan."""
    name, _, module = item.partition(" ")
    engine: Engine
    causes: Causes
    if name.startswith("several:"):
        engine, causes = several_mistakes(name)
    elif name.startswith("machine:"):
        (one,) = (one for one, _ in identified_changes(module) if one.id == name.removeprefix("machine:"))
        engine, causes = started_engine(machine_engine(one)), lambda _, __: frozenset({name})
    else:
        engine, causes = connect(item), lambda _, find: frozenset({find.signature})
    try:
        yield EngineShards(engine, causes, plan)
    finally:
        close(engine)


def both_curves(asked: BudgetPlan, item: str) -> Curves:
    """Play an engine with both budgets."""
    evenly, where_it_pays = (asked.campaign(item.partition(" ")[0], even=even) for even in (True, False))
    with played_engine(item, evenly) as played:
        return curve_by(played, evenly), curve_by(played, where_it_pays)


def encoded_curves(asked: BudgetPlan, items: tuple[str, ...]) -> bytes:
    """The curves of these engines, as a worker sends them."""
    return msgspec.json.encode([both_curves(asked, item) for item in items])


def measure(
    asked: BudgetPlan,
    engines: Sequence[str],
    *,
    where: Where,
    folder: Path | None,
    part: tuple[int, int],
    tell: Callable[[int], None] = lambda _: None,
) -> tuple[Ending, list[Curves]]:
    """Play what is left of the engines, and return the curves of all that were played."""
    settings = msgspec.json.encode(asked).decode()
    plan = ListPlan(suite_version(), "python -m tools budget", settings, tuple(engines), part=part)
    curves: list[Curves] = []

    def told(_: tuple[str, ...], result: bytes) -> None:
        curves.extend(msgspec.json.decode(result, type=list[Curves]))
        tell(len(curves))

    return play_list(plan, partial(encoded_curves, asked), where, folder, told), curves

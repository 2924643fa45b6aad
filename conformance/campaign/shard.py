"""What a worker does: it plays one shard and returns counts, and each find in its smallest form.

Nothing here depends on the clock. Hypothesis draws by the shard's seed, and the work of a shard, and that of
making a find smaller, is limited by the number of scenarios played (a long one counts for several), so that
a shard gives the same result on a fast machine and on a slow one.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import lru_cache
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from msgspec import Struct

from conformance.campaign.plan import CampaignEngine, CampaignPlan, Shard, seed_of
from conformance.data.rulebook import newest_edition
from conformance.files.canonical import encode
from conformance.gate.standing import with_own_id
from conformance.model.engine import Engine, EngineFailure, EngineInfo, suite_version
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.model.verdict import Verdict
from conformance.play.introduction import introduction_of
from conformance.play.selection import selected_properties
from conformance.properties.law import Property
from conformance.results.causes import cause_of, difference_line
from conformance.results.events import result_event, size_of
from conformance.results.summary import score_of
from conformance.run.diagnosis import can_be_played, mutants_that_answer_alike
from conformance.run.reasons import reasons_by
from conformance.search.effort import Effort
from conformance.search.law_checks import JudgedEngine, judged_engine, law_of_edition, result_of
from conformance.search.search import StopSearch, hypothesis_files_in, search, silence_hypothesis
from conformance_adapters import connect, in_a_process, of_program, within_memory
from conformance_adapters.in_process import Reference

A_SCENARIO = 100
"""A scenario counts for one more with each of this many actions and questions; a whole game has 1,000."""
SHRINKING = 400
"""Number of scenarios that may be played to make one find smaller, in each of the two ways."""
A_CASE = 6
"""A shard ends after this many scenarios for each of its cases, without those that make finds smaller."""
DEATHS = 3
"""Number of times that an engine may die or hang in a shard before the shard ends."""
COST_OF_A_DEATH = 100
"""Number of scenarios that one counts for if the engine dies or hangs: starting it again takes long."""

ENGINES_KEPT = 4
"""Number of engines that a worker keeps running from shard to shard."""


class ShardTask(Struct, frozen=True):
    """A shard, with everything that a worker needs to play it."""

    plan: CampaignPlan
    shard: Shard
    settled: tuple[str, ...] = ()
    """Signatures of which this law has shown enough: they are counted, and not made smaller again."""


class FoundCause(Struct, frozen=True):
    """A find in its smallest form."""

    kind: str
    """The verdict: `fail`, `crash`, `hang`, `nondeterministic` …"""
    rule: str
    difference: str
    looks: str
    """The signature by which the search tells bugs of one law apart."""
    says: str
    size: int
    scenario: str = ""
    """The smallest scenario as canonical JSON; empty if no single one shows the bug."""
    alike: tuple[str, ...] = ()
    """The broken engines that answer this scenario in the same way."""


class ShardResult(Struct, frozen=True):
    """The result of a shard."""

    shard: Shard
    suite: str
    cases: int
    unsupported: int
    plays: int
    seconds: float
    found: tuple[FoundCause, ...] = ()
    why: str = ""
    """Why it ended early or the engine could not be used, or what a find shows that it has declared."""
    engine: EngineInfo | None = None
    again: tuple[str, ...] = ()
    """The settled signatures that it saw."""


class CountedEngine:
    """An engine that counts its plays; the count is also the clock of the search."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.plays = 0
        self.work = 0
        self.deaths = 0
        self.is_searching = True
        """Whether too many deaths end the search; what was found is still made smaller."""

    def describe(self) -> EngineInfo:
        return self.engine.describe()

    def play(self, play: Play, /) -> Observations:
        if self.is_searching and self.deaths >= DEATHS:
            raise StopSearch
        self.plays += 1
        self.work += 1 + (len(play.script) + len(play.wants)) // A_SCENARIO
        try:
            return self.engine.play(play)
        except EngineFailure as failure:
            self.deaths += not failure.lives
            raise

    def clock(self) -> float:
        """The number of scenarios played so far, with what long ones and deaths cost."""
        return float(self.work + self.deaths * COST_OF_A_DEATH)


def started_engine(engine: CampaignEngine, *, apart: bool = False) -> Engine:
    """The engine, ready to play; with `apart` always in its own process."""
    if engine.argv:
        program = of_program(
            engine.argv, engine.working_folder, engine.environment, engine.start, engine.request
        )
    elif apart or engine.name.startswith("python:"):
        program = in_a_process(engine.name, engine.edition, engine.working_folder)
    else:
        program = connect(engine.name, engine.edition, engine.working_folder)
    return within_memory(program, engine.max_memory) if engine.max_memory else program


@lru_cache(maxsize=ENGINES_KEPT)
def engine_of_worker(engine: bytes) -> Engine:
    """An engine that this worker keeps from shard to shard."""
    return started_engine(msgspec.json.decode(engine, type=CampaignEngine))


def play_encoded(task: bytes) -> bytes:
    """Play a shard: the function that workers run. Both sides are JSON, so no code travels."""
    silence_hypothesis()
    return msgspec.json.encode(play_shard(msgspec.json.decode(task, type=ShardTask)))


def play_shard(task: ShardTask) -> ShardResult:
    """Play a shard from its first case to its last."""
    plan, shard = task.plan, task.shard
    begin = perf_counter()
    if plan.suite != suite_version():
        why = f"this worker has suite {suite_version()}, the campaign began with {plan.suite}"
        return ShardResult(shard, suite_version(), 0, 0, 0, 0.0, why=why)
    asked_for = next(one for one in plan.engines if one.name == shard.engine)
    counted = CountedEngine(engine_of_worker(msgspec.json.encode(asked_for)))
    try:
        info = introduction_of(counted)
    except EngineFailure as failure:
        return ShardResult(
            shard, suite_version(), 0, 0, 0, perf_counter() - begin, why=f"no engine: {failure.says}"
        )
    edition = asked_for.edition or info.edition or newest_edition()
    asked = judged_engine(
        counted,
        lambda: started_engine(asked_for),
        info,
        Reference(edition).play,
        edition,
        reasons_by(edition),
    )
    (law,) = selected_properties((shard.law,), (), "", "")
    lacking = sorted(law.needs & asked.means.lacks)
    if lacking:
        why = f"lacks {', '.join(lacking)}"
        return ShardResult(
            shard, suite_version(), 0, plan.block, 0, perf_counter() - begin, why=why, engine=info
        )
    with tempfile.TemporaryDirectory(prefix="campaign-") as folder, hypothesis_files_in(Path(folder)):
        return search_result(task, law, counted, asked, Path(folder), info, lambda: perf_counter() - begin)


def search_result(
    task: ShardTask,
    law: Property[Any],
    counted: CountedEngine,
    asked: JudgedEngine,
    folder: Path,
    info: EngineInfo,
    seconds: Callable[[], float],
) -> ShardResult:
    """Search with the law, and shrink each find."""
    plan, shard = task.plan, task.shard
    seed = seed_of(plan, shard)
    effort = Effort(seed=seed, examples=plan.block, seconds=inf, shrinking=SHRINKING)
    searched = search(
        counted.play,
        law_of_edition(law, asked),
        asked.means,
        seed=seed,
        examples=plan.block,
        seconds=plan.block * A_CASE + DEATHS * COST_OF_A_DEATH,
        shrinking=SHRINKING,
        avoid=frozenset(task.settled),
        clock=counted.clock,
    )
    why = "the engine died or hung too often" if counted.deaths >= DEATHS else ""
    counted.is_searching = False
    found: list[FoundCause] = []
    for find in searched.finds:
        result = result_of(find, law, asked, effort, folder, counted.clock)
        score = score_of(result.verdict)
        if score == "passed":
            continue
        checked = result_event(result, law.name, "")
        if score == "unsupported":
            why = why or difference_line(checked)
            continue
        rule, difference = cause_of(checked)
        stored = with_own_id(result.fixture)
        scenario = encode(stored).decode() if stored.play.players else ""
        alike = mutants_that_answer_alike(checked, asked.edition) if can_be_played(checked) else []
        found.append(
            FoundCause(
                verdict_name(result.verdict),
                rule,
                difference,
                find.signature,
                difference_line(checked),
                size_of(result.fixture.play),
                scenario,
                tuple(sorted(mutant.name for mutant in alike)),
            )
        )
    return ShardResult(
        shard,
        suite_version(),
        searched.examples,
        searched.unsupported,
        counted.plays,
        seconds(),
        tuple(found),
        why or (searched.why if not searched.examples else ""),
        info,
        searched.avoided,
    )


def verdict_name(verdict: Verdict) -> str:
    """The verdict in a word."""
    return str(verdict.__struct_config__.tag)

"""The course of a campaign: hand out shards, count what comes back, end when the budget is spent."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from typing import Literal, Protocol

import msgspec
from msgspec import Struct

from conformance.campaign.budget import planned_shards, shards_of_this_part, within_budget
from conformance.campaign.cluster import ClusterLoss, ShardFailure
from conformance.campaign.plan import CampaignPlan, Shard
from conformance.campaign.shard import ShardResult, ShardTask
from conformance.campaign.store import STOP, Store

AHEAD = 2
"""Number of shards handed out for each worker, so that none waits for the client."""
Ending = Literal["done", "time", "stopped", "lost", "interrupted"]


class ShardPlayer(Protocol):
    """Anything that plays shards."""

    @property
    def count(self) -> int: ...
    @property
    def waiting(self) -> int: ...
    def submit(self, key: str, task: bytes, resource: str) -> None: ...
    def next(self, seconds: float) -> tuple[str, bytes | ShardFailure] | None: ...
    def abandon(self) -> None: ...


class CampaignProgress(Struct, frozen=True):
    """The progress of a campaign."""

    shards: int
    of: int | None
    cases: int
    a_second: float
    causes: int
    last_new: str


class Schedule:
    """The shards still to be played, engine by engine in turn, round by round."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._plan: CampaignPlan = store.plan
        self._queues: dict[str, deque[tuple[Shard, int]]] = {one.name: deque() for one in store.plan.engines}
        self._next_round = dict.fromkeys(self._queues, 0)
        self._chosen = dict.fromkeys(self._queues, 0)
        self._blocks: dict[str, Counter[str]] = {name: Counter() for name in self._queues}
        self._open: dict[tuple[str, int], set[str]] = {}
        self._ended: set[str] = set()
        self._turn = deque(self._queues)

    def next(self) -> tuple[Shard, int] | None:
        """The next shard, with its round; None if none can be chosen now."""
        for _ in range(len(self._turn)):
            engine = self._turn[0]
            self._turn.rotate(-1)
            while not self._queues[engine] and self._may_choose(engine):
                self._choose(engine)
            if self._queues[engine]:
                return self._queues[engine].popleft()
        return None

    def mark_finished(self, shard: Shard, number: int) -> None:
        """Mark a shard as finished."""
        self._open[shard.engine, number].discard(shard.key)

    def _may_choose(self, engine: str) -> bool:
        """Whether the next round can be chosen: the round before the current one must be complete."""
        if engine in self._ended:
            return False
        number = self._next_round[engine]
        return self._plan.even or not any(self._open.get((engine, n)) for n in range(max(0, number - 1)))

    def _choose(self, engine: str) -> None:
        """Choose a round, or read the choice of an earlier run of this campaign."""
        number, before = self._next_round[engine], self._chosen[engine]
        if number < self._store.rounds(engine):
            shards = self._store.shards_of_round(engine, number)
        else:
            records = self._store.records(engine, number - 1)
            drawn = planned_shards(self._plan, engine, number, self._blocks[engine], records)
            shards = within_budget(drawn, before, self._plan)
            if shards:
                self._store.keep_round(engine, number, shards)
        if not shards:
            self._ended.add(engine)
            return
        self._next_round[engine] = number + 1
        self._chosen[engine] = before + len(shards)
        self._blocks[engine].update(shard.law for shard in shards)
        todo = [
            one for one in shards_of_this_part(shards, before, self._plan) if not self._store.is_done(one)
        ]
        self._open[engine, number] = {one.key for one in todo}
        self._queues[engine].extend((one, number) for one in todo)


def play(
    store: Store,
    workers: ShardPlayer,
    tell: Callable[[CampaignProgress], None],
    clock: Callable[[], float] = time.monotonic,
    signals: Sequence[int] = (),
) -> Ending:
    """Play the campaign until its budget is spent, somebody stops it, or the cluster is lost.

    `signals` collects the signals that arrive; the first one ends the campaign.
    """
    plan, schedule = store.plan, Schedule(store)
    resource = {one.name: one.resource for one in plan.engines}
    out: dict[str, tuple[Shard, int]] = {}
    begin = saved = clock()
    before = store.spent()
    cases_before = sum(one.cases + one.unsupported for one in store.totals())
    shards = sum(one.shards + one.aside for one in store.totals())
    cases, causes, last_new = cases_before, store.number_of_causes(), ""
    stop = store.folder / STOP
    ending: Ending = "done"
    try:
        while True:
            if signals:
                ending = "interrupted"
                break
            if stop.exists():
                stop.unlink(missing_ok=True)
                ending = "stopped"
                break
            if plan.seconds is not None and before + clock() - begin >= plan.seconds:
                ending = "time"
                break
            for shard, number in next_shards(schedule, workers):
                out[shard.key] = shard, number
                task = msgspec.json.encode(ShardTask(plan, shard))
                workers.submit(shard.key, task, resource[shard.engine])
            if not workers.waiting:
                break
            came = workers.next(1.0)
            if came is None:
                continue
            key, answer = came
            shard, number = out.pop(key)
            if isinstance(answer, ShardFailure):
                store.set_aside(shard, number, str(answer))
            else:
                result = msgspec.json.decode(answer, type=ShardResult)
                store.add(result, number)
                cases += result.cases + result.unsupported
            schedule.mark_finished(shard, number)
            shards += 1
            now_there = store.number_of_causes()
            if now_there > causes:
                causes, last_new = now_there, shard.law
            now = clock()
            if now - saved > 5:
                store.spend(now - saved)
                saved = now
            rate = (cases - cases_before) / max(now - begin, 1e-9)
            tell(CampaignProgress(shards, shards_asked(plan), cases, rate, causes, last_new))
    except ClusterLoss:
        ending = "lost"
    finally:
        workers.abandon()
        store.spend(clock() - saved)
    return ending


def next_shards(schedule: Schedule, workers: ShardPlayer) -> Iterator[tuple[Shard, int]]:
    """Shards until every worker has enough to do."""
    enough = workers.count * AHEAD
    while workers.waiting < enough and (one := schedule.next()) is not None:
        yield one


def shards_asked(plan: CampaignPlan) -> int | None:
    """Number of shards of this part of the campaign; None if time decides."""
    if plan.shards_each is None:
        return None
    part, parts = plan.part
    return sum(1 for n in range(plan.shards_each) if n % parts == part - 1) * len(plan.engines)

"""The course of a campaign: choose shards, count what they found, end when the budget is spent."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from conformance.campaign.budget import planned_shards, within_budget
from conformance.campaign.plan import CampaignPlan, Shard
from conformance.campaign.shard import ENGINES_KEPT, ShardResult, ShardTask
from conformance.campaign.store import Store, rounds_known
from conformance.shards import course
from conformance.shards.course import Ending, Handout
from conformance.shards.folder import of_this_part
from conformance.shards.players import ShardFailure, ShardPlayer


class CampaignProgress(Struct, frozen=True):
    """The progress of a campaign."""

    shards: int
    of: int | None
    cases: int
    a_second: float
    causes: int
    last_new: str


class Schedule:
    """The shards still to be played, round by round.

    The engines take turns, with one shard each, or with a whole round if they are more than a worker keeps
    running.
    """

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
            while not self._queues[engine] and self._may_choose(engine):
                self._choose(engine)
            if self._queues[engine]:
                one = self._queues[engine].popleft()
                if len(self._turn) <= ENGINES_KEPT or not self._queues[engine]:
                    self._turn.rotate(-1)
                return one
            self._turn.rotate(-1)
        return None

    def mark_finished(self, shard: Shard, number: int) -> None:
        """Mark a shard as finished."""
        self._open[shard.engine, number].discard(shard.key)

    def _may_choose(self, engine: str) -> bool:
        """Whether the next round can be chosen: the round before the current one must be complete."""
        if engine in self._ended:
            return False
        number = self._next_round[engine]
        return self._plan.even or not any(self._open.get((engine, n)) for n in range(rounds_known(number)))

    def _choose(self, engine: str) -> None:
        """Choose a round, or read the choice of an earlier run of this campaign."""
        number, before = self._next_round[engine], self._chosen[engine]
        if number < self._store.rounds(engine):
            drawn = self._store.shards_of_round(engine, number)
        else:
            records = self._store.records(engine, rounds_known(number))
            drawn = planned_shards(self._plan, engine, number, self._blocks[engine], records)
        shards = within_budget(drawn, before, self._plan)
        if not shards:
            self._ended.add(engine)
            return
        if number == self._store.rounds(engine):
            self._store.keep_round(engine, number, drawn)
        self._next_round[engine] = number + 1
        self._chosen[engine] = before + len(shards)
        self._blocks[engine].update(shard.law for shard in shards)
        todo = [one for one in of_this_part(shards, self._plan.part, before) if not self._store.is_done(one)]
        self._open[engine, number] = {one.key for one in todo}
        self._queues[engine].extend((one, number) for one in todo)


class SearchWork:
    """The shards of a campaign: which come next, and where their results are counted."""

    def __init__(
        self,
        store: Store,
        tell: Callable[[CampaignProgress], None],
        clock: Callable[[], float],
    ) -> None:
        self._store = store
        self._tell = tell
        self._clock = clock
        self._begin = clock()
        self._schedule = Schedule(store)
        self._resource = {one.name: one.resource for one in store.plan.engines}
        self._out: dict[str, tuple[Shard, int]] = {}
        self._shards = sum(one.shards + one.aside for one in store.totals())
        self._cases = self._cases_before = sum(one.cases + one.unsupported for one in store.totals())
        self._causes = store.number_of_causes()
        self._last_new = ""

    def next(self) -> Handout | None:
        """The next shard."""
        chosen = self._schedule.next()
        if chosen is None:
            return None
        shard, number = chosen
        self._out[shard.key] = chosen
        settled = self._store.settled(shard, number)
        task = msgspec.json.encode(ShardTask(self._store.plan, shard, tuple(sorted(settled))))
        return Handout(shard.key, task, self._resource[shard.engine])

    def count(self, key: str, answer: bytes | ShardFailure) -> None:
        """Count a shard and what it found, and tell how far the campaign is."""
        shard, number = self._out.pop(key)
        if isinstance(answer, ShardFailure):
            self._store.set_aside(shard, number, str(answer))
        else:
            result = msgspec.json.decode(answer, type=ShardResult)
            self._store.add(result, number)
            self._cases += result.cases + result.unsupported
        self._schedule.mark_finished(shard, number)
        self._shards += 1
        causes = self._store.number_of_causes()
        if causes > self._causes:
            self._causes, self._last_new = causes, shard.law
        rate = (self._cases - self._cases_before) / max(self._clock() - self._begin, 1e-9)
        asked = shards_asked(self._store.plan)
        self._tell(CampaignProgress(self._shards, asked, self._cases, rate, self._causes, self._last_new))

    def spend(self, seconds: float) -> None:
        """Add to the time that the campaign has played."""
        self._store.spend(seconds)


def play(
    store: Store,
    players: ShardPlayer,
    tell: Callable[[CampaignProgress], None],
    clock: Callable[[], float] = time.monotonic,
    signals: Sequence[int] = (),
) -> Ending:
    """Play the campaign until its budget is spent, somebody stops it, or the players are lost."""
    limit = store.plan.seconds
    left = None if limit is None else limit - store.spent()
    work = SearchWork(store, tell, clock)
    return course.play(work, players, store.folder, seconds=left, clock=clock, signals=signals)


def shards_asked(plan: CampaignPlan) -> int | None:
    """Number of shards of this part of the campaign; None if time decides."""
    if plan.shards_each is None:
        return None
    part, parts = plan.part
    return sum(1 for n in range(plan.shards_each) if n % parts == part - 1) * len(plan.engines)

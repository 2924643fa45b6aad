"""Decides where the next cases go: round by round, to the laws that still find something new.

The choice depends on the campaign's seed and on the results of complete rounds only, never on which worker
was faster, so the same campaign chooses the same shards on one worker and on eight. A round is chosen while
the one before it is played, so that no worker waits at its end.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from conformance.campaign.plan import CampaignPlan, Shard

ROUND = 64
"""Number of shards of one engine in a round after the first."""
EVENLY = 4
"""One in this many shards goes to the law with the fewest blocks."""
FADES = 0.8
"""Factor by which earlier success counts less in each round: old finds say little about new ones."""

FORGOTTEN = 0.05
"""Success that counts for less than this is forgotten."""


class LawRecord(Struct, frozen=True):
    """The record of a law on one engine: its shards, and how many of them found a new cause."""

    shards: float = 0.0
    new: float = 0.0

    def one_round_later(self, shards: int, new: int) -> LawRecord:
        """The record one round later."""
        return LawRecord(self.shards * FADES + shards, self.new * FADES + min(new, shards))


def planned_shards(
    plan: CampaignPlan, engine: str, number: int, blocks: Mapping[str, int], records: Mapping[str, LawRecord]
) -> tuple[Shard, ...]:
    """The shards of one engine in a round, ignoring the campaign's limit on cases.

    `blocks` has the number of blocks of each law in earlier rounds. In the first round each law gets one
    block. Later, every fourth shard goes to the law with the fewest blocks. For each of the others, a success
    rate is drawn at random for each law that found something lately, and one for the average shard. The law
    with the highest rate gets the shard; if the average is higher, the law with the fewest blocks gets it.
    (Drawing a rate for every law would choose mostly by chance: with hundreds of laws of which little is
    known, the highest of their rates is nearly always higher than that of a law known to be good.)
    """
    given = Counter(blocks)
    if number == 0 or plan.even:
        return tuple(next_block(engine, law, given) for law in plan.laws)
    drawing = random.Random(f"{plan.seed}/{engine}/{number}")
    proven = {law: records[law] for law in plan.laws if law in records and records[law].new >= FORGOTTEN}
    average = LawRecord(sum(one.shards for one in records.values()), sum(one.new for one in records.values()))
    chosen: list[Shard] = []
    for n in range(ROUND):
        law = min(plan.laws, key=lambda law: given[law])
        if n % EVENLY and proven:
            promise = {name: promised_rate(record, drawing) for name, record in proven.items()}
            best = max(promise, key=promise.__getitem__)
            if promise[best] > promised_rate(average, drawing):
                law = best
        chosen.append(next_block(engine, law, given))
    return tuple(chosen)


def promised_rate(record: LawRecord, drawing: random.Random) -> float:
    """A success rate drawn at random from those that fit a record."""
    return drawing.betavariate(1 + record.new, 4 + max(record.shards - record.new, 0.0))


def next_block(engine: str, law: str, given: Counter[str]) -> Shard:
    """The law's next block."""
    given[law] += 1
    return Shard(engine, law, given[law] - 1)


def within_budget(shards: Sequence[Shard], before: int, plan: CampaignPlan) -> tuple[Shard, ...]:
    """The shards of a round that fit into the budget, given the number chosen `before` for this engine."""
    most = plan.shards_each
    return tuple(shards) if most is None else tuple(shards[: max(most - before, 0)])

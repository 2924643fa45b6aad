"""Measures what a campaign costs beside the playing: time of workers, of client and scheduler, and bytes.

The shards are made up: a worker only waits, so the number of cores does not decide. What is measured is real:
a local Dask cluster, the schedule, and the database.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec
import psutil
from msgspec import Struct

from conformance.campaign import course, store
from conformance.campaign.plan import BLOCK, CampaignEngine, CampaignPlan, Shard
from conformance.campaign.shard import FoundCause, ShardResult, ShardTask
from conformance.model.engine import suite_version
from conformance.properties import PROPERTIES
from conformance.shards.cluster import local_workers
from conformance.shards.folder import DATABASE

WAITS = 2.0
"""Seconds that a made-up shard takes; a real one takes 10 to 30."""
MILLION = 1_000_000 // BLOCK
"""Number of shards with a million cases."""


class Cost(Struct, frozen=True):
    """What a campaign cost."""

    shards: int
    seconds: float
    processor: float
    """Processor time of the client and the scheduler, which are one process here."""
    database: int
    """Size of the database in bytes."""
    memory: int
    """Growth of the process of client and scheduler, in bytes."""
    messages: int
    """Number of messages that client, scheduler and workers sent through their lasting connections."""
    sent: int
    """The bytes of these messages, and of the results that workers handed over."""


def wait(task: bytes, seconds: float) -> bytes:
    """Play a made-up shard: wait, and find something in one of twenty."""
    if seconds:
        time.sleep(seconds)
    shard = msgspec.json.decode(task, type=ShardTask).shard
    found = FoundCause("fail", "613.8b", f"aspect {shard.block % 400}", "", "says", 9, "x" * 2000)
    some = (found,) if shard.block % 20 == 0 else ()
    return msgspec.json.encode(ShardResult(shard, suite_version(), BLOCK, 3, 900, seconds, some))


def cost(shards: int, workers: int, seconds: float) -> Cost:
    """Play a campaign of made-up shards on a local cluster."""
    laws = tuple(law.name for law in PROPERTIES)
    plan = CampaignPlan(suite_version(), (CampaignEngine("waiting"),), laws, seed=1, cases=shards * BLOCK)
    with (
        tempfile.TemporaryDirectory() as folder,
        local_workers(workers, partial(wait, seconds=seconds)) as cluster,
    ):
        path = Path(folder)
        store.create(path, plan)
        me = psutil.Process()
        with store.open_to_write(path) as campaign:
            cluster.client.run(wait, msgspec.json.encode(ShardTask(plan, Shard("waiting", laws[0], 0))), 0.0)
            processor, memory, begin = processor_time(me), me.memory_info().rss, time.monotonic()
            course.play(campaign, cluster, lambda _: None)
            spent = time.monotonic() - begin
            messages, sent = traffic(cluster.client)
            processor, memory = processor_time(me) - processor, me.memory_info().rss - memory
        results = shards * len(wait(msgspec.json.encode(ShardTask(plan, Shard("waiting", laws[0], 1))), 0.0))
        size = (path / DATABASE).stat().st_size
        return Cost(shards, spent, processor, size, memory, messages, sent + results)


def traffic(client: Any) -> tuple[int, int]:
    """Messages and bytes that went through the lasting connections of a local cluster: Dask counts them."""
    scheduler = client.cluster.scheduler
    here = [client.scheduler_comm, *scheduler.stream_comms.values(), *scheduler.client_comms.values()]
    there = client.run(lambda dask_worker: counts_of(dask_worker.batched_stream))
    counts = [*map(counts_of, here), *there.values()]
    return sum(messages for messages, _ in counts), sum(sent for _, sent in counts)


def counts_of(stream: Any) -> tuple[int, int]:
    """Messages and bytes of one direction of a connection."""
    return stream.message_count, stream.byte_count


def processor_time(process: psutil.Process) -> float:
    """Processor time of a process, in seconds."""
    times = process.cpu_times()
    return float(times.user + times.system)


def report(say: Callable[[str], None] = click.echo) -> None:
    """Print how much of a worker's time is lost, and what a million cases cost."""
    for workers in (1, 2, 4, 8, 16):
        one = cost(workers * 15, workers, WAITS)
        each = (one.seconds * workers / one.shards - WAITS) * 1000
        say(f"{workers:2} workers: {each:5.0f} ms of a worker's time lost for each shard")
    for shards in (MILLION, 2 * MILLION):
        one = cost(shards, 8, 0.0)
        each = one.processor / one.shards * 1000
        say(f"{shards * BLOCK:,} cases, for each shard:")
        say(f"    {each:.1f} ms of processor time of client and scheduler")
        say(f"    {one.messages / one.shards:.1f} messages between client, scheduler and workers")
        say(f"    {one.sent / one.shards:.0f} bytes of these messages and of results")
        say(f"    {one.database / one.shards:.0f} bytes of database")
        say(f"    {one.memory / one.shards:.0f} bytes of memory of client and scheduler")

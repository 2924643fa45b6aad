"""Workers: an embedded Dask cluster on this machine, or any existing one by its address.

Nothing else in the suite imports Dask. The function that plays is sent by its name, so workers need the same
version of the suite.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any

from conformance.shards.folder import ShardsError
from conformance.shards.players import PlayersLost, PlayShard, ShardFailure

LOST = 3
"""Number of workers that may die while playing a shard before it is set aside."""
SIGNS_OF_LOSS = (OSError, RuntimeError, ValueError, CancelledError)
"""What Dask's client raises when it is closed, or when the cluster no longer answers."""
INSTALL = "pip install 'mtg-conformance[campaign]'"


class Workers:
    """Plays shards on the workers of a cluster."""

    def __init__(self, client: Any, play: PlayShard) -> None:
        self.client = client
        self._play = play
        self._keys: dict[Any, str] = {}
        self._done: SimpleQueue[Any] = SimpleQueue()

    @property
    def count(self) -> int:
        """Number of shards that can be played at a time. Raises `PlayersLost` if the cluster is gone."""
        try:
            return max(1, sum(map(int, self.client.nthreads().values())))
        except SIGNS_OF_LOSS:
            raise PlayersLost from None

    @property
    def dashboard(self) -> str:
        """The address of Dask's own page about the cluster."""
        return str(self.client.dashboard_link or "")

    def submit(self, key: str, task: bytes, resource: str) -> None:
        """Hand out a shard."""
        need = {resource: 1} if resource else None
        # A unique key for each run: the scheduler may still know the key of an earlier one.
        try:
            future = self.client.submit(self._play, task, pure=False, resources=need)
        except SIGNS_OF_LOSS:
            raise PlayersLost from None
        self._keys[future] = key
        future.add_done_callback(self._done.put)  # so the cost of waiting does not grow with the cluster

    @property
    def waiting(self) -> int:
        """Number of shards that were handed out and are not back."""
        return len(self._keys)

    def next(self, seconds: float) -> tuple[str, bytes | ShardFailure] | None:
        """The next finished shard; None if there is none within this time.

        Raises `PlayersLost` if the cluster is gone.
        """
        if not self._keys:
            return None
        done = None
        with suppress(Empty):
            done = self._done.get(timeout=seconds)
        if self.client.status not in ("running", "connecting"):
            raise PlayersLost
        key = self._keys.pop(done, None)
        if done is None or key is None:  # nothing yet, or a shard that was abandoned
            return None
        try:
            return key, done.result(timeout=30)
        except (Exception, CancelledError) as error:
            if done.status != "error":  # the result is lost, which says nothing about the shard
                raise PlayersLost from None
            return key, ShardFailure(why_of(error))

    def abandon(self) -> None:
        """Cancel every shard that was handed out."""
        with suppress(Exception):  # the cluster may be gone already
            self.client.cancel(list(self._keys), force=True)
        self._keys.clear()


def why_of(error: BaseException) -> str:
    """Why a shard failed, on one line."""
    if type(error).__name__ == "KilledWorker":
        return f"{LOST} workers died while playing it"
    return f"{type(error).__name__}: {error}".splitlines()[0][:300]


@contextmanager
def local_workers(workers: int, play: PlayShard) -> Iterator[Workers]:
    """A cluster of processes on this machine, reachable from this machine only."""
    dask, client_of, local_cluster = dask_parts()
    with dask.config.set(settings()):
        cluster = local_cluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
        with cluster, client_of(cluster) as client:
            yield Workers(client, play)


@contextmanager
def workers_at(address: str, play: PlayShard, seconds: float = 30.0) -> Iterator[Workers]:
    """The cluster whose scheduler has this address."""
    dask, client_of, _ = dask_parts()
    with dask.config.set(settings()):
        try:
            client = client_of(address, timeout=seconds)
        except (OSError, TimeoutError, ValueError) as error:
            raise ShardsError(
                f"no scheduler answers at {address}: {type(error).__name__}\n    start one: dask scheduler"
            ) from None
        with client:
            yield Workers(client, play)


def settings() -> dict[str, object]:
    """Our settings of Dask."""
    return {
        "distributed.scheduler.allowed-failures": LOST - 1,
        "distributed.worker.daemon": False,
        "distributed.worker.preload": ["conformance.shards.deaf"],
        "distributed.comm.timeouts.connect": "30s",
        "distributed.admin.log-format": "%(message)s",
    }


def dask_parts() -> tuple[Any, Callable[..., Any], Callable[..., Any]]:
    """Dask, its client and its local cluster. Raises `ShardsError` if it is not installed."""
    try:
        import dask
        from distributed import Client, LocalCluster
    except ModuleNotFoundError as error:
        raise ShardsError(f"a cluster needs {error.name}, which is not installed\n    {INSTALL}") from None
    return dask, Client, LocalCluster

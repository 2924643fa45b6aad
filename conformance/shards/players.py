"""Players of shards: in this process, or on processes of this machine.

A task is bytes and so is its result, and the function that plays it is the same for all. `cluster` has a
third player, for other machines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Protocol

PlayShard = Callable[[bytes], bytes]


class ShardFailure(Exception):
    """A shard could not be played; says why."""


class PlayersLost(Exception):
    """Nobody plays any more: a process of this machine died, or the scheduler no longer answers."""


class ShardPlayer(Protocol):
    """Anything that plays shards: tasks go in, finished ones come out in any order."""

    @property
    def count(self) -> int:
        """Number of shards that can be played at a time."""

    @property
    def waiting(self) -> int:
        """Number of shards that were handed out and are not back."""

    def submit(self, key: str, task: bytes, resource: str) -> None:
        """Hand out a shard. `resource`: what its worker must have, if anything."""

    def next(self, seconds: float) -> tuple[str, bytes | ShardFailure] | None:
        """A finished shard; None if there is none within this time. Raises `PlayersLost`."""

    def abandon(self) -> None:
        """Forget every shard that was handed out."""


class OneByOne:
    """Plays shards in this process, one after another, in the order in which they were handed out."""

    count = 1

    def __init__(self, play: PlayShard) -> None:
        self._play = play
        self._tasks: dict[str, bytes] = {}

    @property
    def waiting(self) -> int:
        return len(self._tasks)

    def submit(self, key: str, task: bytes, resource: str) -> None:
        self._tasks[key] = task

    def next(self, seconds: float) -> tuple[str, bytes | ShardFailure] | None:
        key = next(iter(self._tasks))
        return key, self._play(self._tasks.pop(key))

    def abandon(self) -> None:
        self._tasks.clear()


class Processes:
    """Plays shards on processes of this machine. What the function raises is raised here."""

    def __init__(self, pool: ProcessPoolExecutor, count: int, play: PlayShard) -> None:
        self.count = count
        self._pool = pool
        self._play = play
        self._keys: dict[Future[bytes], str] = {}

    @property
    def waiting(self) -> int:
        return len(self._keys)

    def submit(self, key: str, task: bytes, resource: str) -> None:
        try:
            self._keys[self._pool.submit(self._play, task)] = key
        except BrokenProcessPool:
            raise PlayersLost from None

    def next(self, seconds: float) -> tuple[str, bytes | ShardFailure] | None:
        done, _ = wait(self._keys, seconds, FIRST_COMPLETED)
        for future in done:
            key = self._keys.pop(future)
            try:
                return key, future.result()
            except BrokenProcessPool:
                raise PlayersLost from None
        return None

    def abandon(self) -> None:
        for future in self._keys:
            future.cancel()
        self._keys.clear()


@contextmanager
def processes(count: int, play: PlayShard) -> Iterator[ShardPlayer]:
    """Processes of this machine, or with a count of 1 this process itself."""
    if count == 1:
        yield OneByOne(play)
        return
    with ProcessPoolExecutor(count) as pool:
        yield Processes(pool, count, play)

"""The course of long work: hand out shards, count what comes back, end when there is nothing left to do."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from conformance.shards.folder import STOP
from conformance.shards.players import PlayersLost, ShardFailure, ShardPlayer

AHEAD = 2
"""Number of shards handed out for each worker, so that none waits for the client."""
SAVED = 5.0
"""Seconds after which the time played is saved."""
Ending = Literal["done", "time", "stopped", "lost", "interrupted"]


class Handout(Struct, frozen=True):
    """A shard as it is handed out."""

    key: str
    task: bytes
    resource: str = ""
    """What its worker must have, if anything."""


class ShardedWork(Protocol):
    """Work that is cut into shards: what to do next, and where to count results."""

    def next(self) -> Handout | None:
        """The next shard; None if there is none now."""

    def count(self, key: str, answer: bytes | ShardFailure) -> None:
        """Count what came back."""

    def spend(self, seconds: float) -> None:
        """Add to the time that was played."""


def play(
    work: ShardedWork,
    players: ShardPlayer,
    folder: Path,
    *,
    seconds: float | None = None,
    clock: Callable[[], float] = time.monotonic,
    signals: Sequence[int] = (),
) -> Ending:
    """Play until nothing is left, time is up, somebody stops it, or the players are lost.

    `signals` collects the signals that arrive; the first one ends the work.
    """
    begin = saved = clock()
    stop = folder / STOP
    try:
        while True:
            if signals:
                return "interrupted"
            if stop.exists():
                stop.unlink(missing_ok=True)
                return "stopped"
            if seconds is not None and clock() - begin >= seconds:
                return "time"
            enough = players.count * AHEAD
            while players.waiting < enough and (one := work.next()) is not None:
                players.submit(one.key, one.task, one.resource)
            if not players.waiting:
                return "done"
            came = players.next(1.0)
            if came is not None:
                work.count(*came)
            if clock() - saved > SAVED:
                now = clock()
                work.spend(now - saved)
                saved = now
    except PlayersLost:
        return "lost"
    finally:
        players.abandon()
        work.spend(clock() - saved)

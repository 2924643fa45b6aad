"""What a campaign was asked to do, and how its work is cut into shards.

A shard is a fixed number of cases of one law on one engine. Its seed depends only on the campaign's seed, the
law and the number of its block, so it draws the same cases on any worker, at any time, and for each engine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from conformance.shards.folder import FORMAT

BLOCK = 250
"""Usual number of cases in a shard."""


class CampaignEngine(Struct, frozen=True, forbid_unknown_fields=True):
    """An engine of a campaign, and how a worker starts it."""

    name: str
    argv: tuple[str, ...] = ()
    """The command of an engine of conformance.toml; empty if the name itself says how to connect."""
    folder: str | None = None
    environment: Mapping[str, str] = {}
    start: float | None = None
    request: float | None = None
    max_memory: int | None = None
    edition: str | None = None
    resource: str = ""
    """The Dask resource that a worker must have to play it; empty if every worker can."""

    @property
    def working_folder(self) -> Path | None:
        """The folder in which its command starts."""
        return None if self.folder is None else Path(self.folder)


class CampaignPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that decides what a campaign plays."""

    suite: str
    engines: tuple[CampaignEngine, ...]
    laws: tuple[str, ...]
    seed: int
    cases: int | None
    """Number of cases for each engine; None if time decides."""
    seconds: float | None = None
    """Total time limit, not counting interruptions; None if the number of cases decides."""
    block: int = BLOCK
    even: bool = False
    """Whether every law gets the same number of cases, whatever it finds."""
    part: tuple[int, int] = (1, 1)
    """Which part of how many this campaign plays: shards are dealt out by their number."""
    format: int = FORMAT

    @property
    def shards_each(self) -> int | None:
        """Number of shards for each engine, before they are dealt out to parts."""
        return None if self.cases is None else -(-self.cases // self.block)


class Shard(Struct, frozen=True, order=True):
    """The unit of work: one block of cases of one law on one engine."""

    engine: str
    law: str
    block: int

    @property
    def key(self) -> str:
        """Its name in the campaign."""
        return f"{self.engine}/{self.law}/{self.block}"


def seed_of(plan: CampaignPlan, shard: Shard) -> int:
    """The seed with which a shard's cases are drawn; the same for each engine."""
    said = f"{plan.seed}/{shard.law}/{shard.block}".encode()
    return int.from_bytes(hashlib.sha256(said).digest()[:6], "big")

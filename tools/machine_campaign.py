"""A campaign over machine-made engines: each has one mistake, which nobody chose.

`python -m tools machine-campaign DIR --engines 40 --seed 7` starts it, and continues it if it was
interrupted. `python -m tools campaign-curve` compares two of them.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import msgspec

from conformance.campaign import store
from conformance.campaign.bar import campaign_bar
from conformance.campaign.course import play
from conformance.campaign.plan import CampaignEngine, CampaignPlan
from conformance.campaign.shard import play_encoded
from conformance.model.engine import suite_version
from conformance.properties import PROPERTIES
from conformance.shards.folder import DATABASE, ShardsError
from conformance.shards.players import OneByOne
from tools.code_changes import MODULES, ROOT, Identity, identified_changes
from tools.machine_made import decides_nothing

START, REQUEST = 60.0, 10.0
"""Seconds for the start and for one play: a change can make a loop endless."""
MEMORY = 1 << 30


def machine_engines(sample: int, seed: int) -> tuple[CampaignEngine, ...]:
    """Machine-made engines drawn by a seed, without those that are known to decide nothing."""
    every = [identity for module in MODULES for identity, _ in identified_changes(module)]
    drawn = random.Random(seed).sample(every, len(every))
    return tuple(machine_engine(one) for one in drawn if not decides_nothing(one))[:sample]


def machine_engine(one: Identity) -> CampaignEngine:
    """The engine with this change, as campaigns start it."""
    argv = (sys.executable, "-m", "tools", "machine-engine", one.id, one.module)
    return CampaignEngine(
        f"machine:{one.id}", argv, str(ROOT), start=START, request=REQUEST, max_memory=MEMORY
    )


def play_campaign(folder: Path, engines: int, seed: int, cases: int, block: int, *, even: bool) -> None:
    """Start or continue the campaign in this folder, in this process."""
    laws = tuple(law.name for law in PROPERTIES)
    asked = CampaignPlan(
        suite_version(), machine_engines(engines, seed), laws, seed, cases, block=block, even=even
    )
    if not (folder / DATABASE).exists():
        store.create(folder, asked)
    with store.open_to_write(folder) as campaign, campaign_bar("") as tell:
        if msgspec.json.encode(campaign.plan) != msgspec.json.encode(asked):
            raise ShardsError(f"{folder} has another campaign\n    name another folder")
        play(campaign, OneByOne(play_encoded), tell)

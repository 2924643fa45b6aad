"""Measures whether what a campaign finds hangs on its seed: what several seeds find apart from each other.

`python -m tools recall --several 5 --cases 9000` plays a campaign of so many cases on each engine with
each of five seeds, and tells how many causes were found by all five, by four, and so on. `budget` explains
what causes are, but here the law does not count; the finds are not made smaller. The next user may miss a
cause that one seed of five finds. So a cause counts as found if all seeds but one find it.

Each engine with one seed is an item of a list of work (`conformance.shards.lists`): the same command
continues it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
from msgspec import Struct

from conformance.model.engine import suite_version
from conformance.shards.course import Ending
from conformance.shards.lists import ListPlan, Where, play_list
from tools.budget import SEVERAL, BudgetPlan, history_by, played_engine

LAW = re.compile(r"^[A-Z]\w* (?=\d{3}\b)")
"""The law in what a find looks like, before the broken rule: several laws show one cause."""
KINDS = {"several:": "with several mistakes", "machine:": "made by machine"}
"""Engines that are counted together, by the beginning of their names."""


class Recall(Struct, frozen=True):
    """What a campaign with one seed found on an engine."""

    engine: str
    seed: int
    cases: int
    causes: tuple[str, ...]


def recall_of(cases: int, block: int, item: str) -> Recall:
    """Play a campaign; the item is a seed and an engine."""
    seed, _, engine = item.partition(" ")
    name = engine.partition(" ")[0]
    plan = BudgetPlan(int(seed), cases, block).campaign(name, even=False)
    with played_engine(engine, plan) as played:
        history = history_by(played, plan)
    found = frozenset[str]().union(*(causes for _, causes in history)) - {SEVERAL}
    return Recall(engine, int(seed), sum(number for number, _ in history), tuple(sorted(found)))


def encoded_recall(cases: int, block: int, items: tuple[str, ...]) -> bytes:
    """What was found, as a worker sends it."""
    return msgspec.json.encode([recall_of(cases, block, item) for item in items])


def measure(
    engines: Sequence[str],
    seeds: Sequence[int],
    cases: int,
    block: int,
    *,
    where: Where,
    folder: Path | None,
    part: tuple[int, int],
    tell: Callable[[Recall], None] = lambda _: None,
) -> tuple[Ending, list[Recall]]:
    """Play what is left of the campaigns, and return what all found that were played."""
    items = tuple(f"{seed} {engine}" for engine in engines for seed in seeds)
    settings = f"cases {cases}, block {block}"
    plan = ListPlan(suite_version(), "python -m tools recall", settings, items, part=part)
    found: list[Recall] = []

    def told(_: tuple[str, ...], result: bytes) -> None:
        for one in msgspec.json.decode(result, type=list[Recall]):
            found.append(one)
            tell(one)

    return play_list(plan, partial(encoded_recall, cases, block), where, folder, told), found


def table(found: Sequence[Recall]) -> Iterator[str]:
    """A Markdown table: for each engine, how many seeds found each of its causes."""
    seeds = len({one.seed for one in found})
    heads = ["all"] + [f"{number} of {seeds}" for number in range(seeds - 1, 0, -1)]
    yield f"| engine | causes of each seed | of any | found by {' | '.join(heads)} | by all but one or more |"
    yield f"|---|---|---:|{'---:|' * seeds}---:|"
    for name, each in by_engine(found).items():
        times = Counter(cause for causes in each for cause in causes)
        by = [sum(number == times[cause] for cause in times) for number in range(seeds, 0, -1)]
        most = sum(by[:2])
        share = f"{most} ({100 * most / len(times):.0f} %)" if times else "–"
        numbers = ", ".join(str(len(causes)) for causes in each)
        yield f"| {name} | {numbers} | {len(times)} | {' | '.join(map(str, by))} | {share} |"


def by_engine(found: Sequence[Recall]) -> Mapping[str, list[set[tuple[str, str]]]]:
    """The causes that each seed found, by engine, or by kind of engine; each cause with its engine."""
    every: dict[str, dict[int, set[tuple[str, str]]]] = defaultdict(lambda: defaultdict(set))
    for one in found:
        kind = next((kind for begin, kind in KINDS.items() if one.engine.startswith(begin)), one.engine)
        every[kind][one.seed] |= {(one.engine, LAW.sub("", cause)) for cause in one.causes}
    return {name: [causes for _, causes in sorted(each.items())] for name, each in every.items()}

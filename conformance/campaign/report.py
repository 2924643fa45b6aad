"""The report of a campaign: what was played, and each cause with its smallest scenario."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from conformance.campaign.plan import CampaignPlan
from conformance.campaign.store import Agreement, Cause, Store, Totals
from conformance.files.canonical import decode
from conformance.model.printable import printable
from conformance.model.scenario import Fixture
from conformance.mutants import MUTANTS

REASONS_SHOWN = 5
"""Number of reasons shown for shards that played nothing."""
APART = ("nondeterministic", "crash", "hang", "protocol", "disputed")
"""Kinds of finds with sections of their own."""


def fixture_of(cause: Cause) -> Fixture:
    """The smallest scenario of a cause."""
    return decode(cause.scenario.encode(), Fixture)


def lines(store: Store, files: dict[Cause, str]) -> Iterator[str]:
    """The report in Markdown."""
    plan = store.plan
    yield "# Campaign"
    yield ""
    yield f"Seed {plan.seed}, {len(plan.laws)} laws, {budget(plan)}; played for {duration(store.spent())}."
    yield ""
    yield "| engine | cases | not playable | scenarios played | causes |"
    yield "|---|---:|---:|---:|---:|"
    causes = store.causes()
    for one in store.totals():
        own = [cause for cause in causes if cause.engine == one.engine]
        yield f"| {cell(one.engine)} | {one.cases:,} | {one.unsupported:,} | {one.plays:,} | {len(own)} |"
    yield from lines_of_agreement(store)
    for total in store.totals():
        yield from of_engine(store, total, [one for one in causes if one.engine == total.engine], files)


def agreements(store: Store) -> list[Agreement]:
    """Each pair of engines, in the order of the plan."""
    return [store.agreement(*pair) for pair in combinations([one.name for one in store.plan.engines], 2)]


def lines_of_agreement(store: Store) -> Iterator[str]:
    """Which engines agree in the shards that both played, if there are several engines."""
    pairs = agreements(store)
    if not pairs:
        return
    yield ""
    yield "## Agreement"
    yield ""
    yield "In the shards that both played: neither broke the law, both broke it in the same way, and so on."
    yield ""
    yield "| engines | shards | neither | both alike | only the first | only the second | each its own way |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for one in pairs:
        counts = (one.shards, one.quiet, one.same, one.first_alone, one.second_alone, one.apart)
        yield f"| {cell(one.first)}, {cell(one.second)} | {' | '.join(f'{count:,}' for count in counts)} |"


def of_engine(store: Store, total: Totals, causes: list[Cause], files: dict[Cause, str]) -> Iterator[str]:
    """The part of the report about one engine."""
    yield ""
    yield f"## {cell(total.engine)}"
    yield ""
    if not causes:
        yield "No case broke a law."
    for kind in ("fail", *APART):
        some = [one for one in causes if one.kind == kind]
        if not some:
            continue
        yield f"### {HEADINGS[kind]}"
        yield ""
        for cause in some:
            where = f" [{cause.rule}]" if cause.rule else ""
            laws = ", ".join(f"`{law}`" for law in cause.laws[:4])
            more = f" and {how_many(len(cause.laws) - 4, 'more law')}" if len(cause.laws) > 4 else ""
            shards = how_many(cause.times, "shard")
            yield f"- **{cell(cause.difference)}**{where}: in {shards}, by {laws}{more}"
            yield f"  {cell(cause.says)}"
            if cause.alike:
                yield f"  looks as if: {cell(likeness(cause.alike[0]))}"
            if cause in files:
                yield f"  `conformance run {files[cause]} --engine '{cell(total.engine)}'`"
        yield ""
    if any(one in files for one in causes):
        yield "To list these as known divergences, each with your reason:"
        command = f"conformance run scenarios --engine '{cell(total.engine)}'"
        yield f"`{command} --divergences FILE --update-divergences`"
        yield ""
    reasons = store.reasons(total.engine)
    if reasons:
        yield "### Not played"
        yield ""
        yield from (f"- {how_many(times, 'shard')}: {cell(why)}" for why, times in reasons[:REASONS_SHOWN])
    asides = [one for one in store.asides() if one.shard.engine == total.engine]
    if asides:
        yield "### Set aside"
        yield ""
        yield from (f"- `{one.shard.law}`, block {one.shard.block}: {cell(one.why)}" for one in asides[:50])


def likeness(name: str) -> str:
    """The story of a broken engine that answers like the engine under test."""
    return next((f"{one.story} (CR {one.breaks})" for one in MUTANTS if one.name == name), name)


HEADINGS = {
    "fail": "Wrong answers",
    "nondeterministic": "Answers that change",
    "crash": "Crashes",
    "hang": "Hangs",
    "protocol": "Broken protocol",
    "disputed": "Differences that no single scenario shows",
}


def cell(text: str) -> str:
    """Text from outside, harmless in Markdown: on one line, and nothing in it is markup."""
    return re.sub(r"([\\`*_{}\[\]<>#|!])", r"\\\1", printable(text))


def how_many(n: int, noun: str) -> str:
    """A number of things: `1 shard`, `2 shards`."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def budget(plan: CampaignPlan) -> str:
    """How much a campaign was asked to play."""
    return duration(plan.seconds or 0) if plan.cases is None else f"{plan.cases:,} cases for each engine"


def duration(seconds: float) -> str:
    """A duration as people write it."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


def status_lines(store: Store, running: bool) -> Iterator[str]:
    """What `conformance campaign status` prints."""
    plan, causes = store.plan, store.causes()
    yield f"{'running' if running else 'not running'}, seed {plan.seed}, played for {duration(store.spent())}"
    for one in store.totals():
        each = plan.shards_each
        of = f" of {each:,}" if each is not None and plan.part == (1, 1) else ""
        own = [cause for cause in causes if cause.engine == one.engine]
        aside = f", {one.aside} set aside" if one.aside else ""
        not_playable = f" ({one.unsupported:,} more not playable)" if one.unsupported else ""
        yield (
            f"  {printable(one.engine)}: {one.shards:,}{of} shards{aside}, {one.cases:,} cases{not_playable},"
            f" {how_many(len(own), 'cause')}"
        )
        for cause in own[:10]:
            rule = f"CR {cause.rule} " if cause.rule else ""
            yield f"    {cause.times:>6,} × {cause.kind}: {rule}{printable(cause.difference)}"
        if len(own) > 10:
            yield f"    … and {len(own) - 10} more"

"""The folder of a campaign (`shards.folder`): its plan, the shards played, and the causes found.

A shard that arrives twice counts once. Finds that look the same are
one row however often they were found, with their smallest scenario, so the database grows with the number of
shards and causes, not of cases. Rows that one broken engine explains are one cause, joined as they are read.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec
from msgspec import Struct

from conformance.campaign.budget import LawRecord
from conformance.campaign.plan import CampaignPlan, Shard
from conformance.campaign.shard import FoundCause, ShardResult
from conformance.results.causes import explanations
from conformance.shards.folder import (
    ShardsError,
    add_time,
    create_folder,
    keep_plan,
    opened_to_read,
    opened_to_write,
    part_attached,
    plan_in,
    time_played,
    whole_plan,
)

SETTLED = 2
"""Number of shards for each cause that make a signature of a law smaller; later ones only count it."""
REMEMBERED = 30
"""Number of past rounds that a choice considers; older ones count for nothing (`budget.FADES`)."""
Smallest = tuple[int, str, str]
"""The size of a scenario, the scenario, and how it breaks."""
CauseLooks = tuple[str, str, str, tuple[str, ...]]
"""What tells finds of one engine apart: the verdict, the rule, the difference, and who answers alike."""

SCHEMA = """
create table engine (name text primary key, info text not null) without rowid;
create table round (
    engine text not null, number integer not null, shards text not null, primary key (engine, number)
) without rowid;
create table shard (
    engine text not null, law text not null, block integer not null, round integer not null,
    state text not null, cases integer not null, unsupported integer not null, plays integer not null,
    seconds real not null, why text not null,
    primary key (engine, law, block)
) without rowid;
create index shard_round on shard (engine, round);
create table cause (
    id integer primary key,
    engine text not null, kind text not null, rule text not null, difference text not null,
    times integer not null, first_round integer not null, laws text not null,
    size integer not null, scenario text not null, says text not null, alike text not null,
    unique (engine, kind, rule, difference, alike)
);
create table find (
    engine text not null, law text not null, block integer not null, cause integer not null,
    looks text not null, again integer not null,
    primary key (engine, law, block, cause, looks)
) without rowid;
"""


class Totals(Struct, frozen=True):
    """The totals of one engine."""

    engine: str
    shards: int = 0
    aside: int = 0
    cases: int = 0
    unsupported: int = 0
    plays: int = 0
    seconds: float = 0.0


class Cause(Struct, frozen=True, array_like=True):
    """Everything found about one cause on one engine."""

    engine: str
    kind: str
    rule: str
    difference: str
    times: int
    first_round: int
    laws: tuple[str, ...]
    size: int
    scenario: str
    says: str
    alike: tuple[str, ...] = ()
    """The broken engines that answer the smallest scenario in the same way; in a cause, the one that explains
    everything that was joined.
    """


class Aside(Struct, frozen=True):
    """A shard that was set aside, and why."""

    shard: Shard
    why: str


class Agreement(Struct, frozen=True, array_like=True):
    """How two engines compare in the shards that both played."""

    first: str
    second: str
    shards: int
    quiet: int
    """Shards in which neither broke the law."""
    same: int
    """Shards in which both showed a cause that the other engine has too."""
    first_alone: int
    second_alone: int
    apart: int
    """Shards in which both broke the law, each in its own way."""
    causes: int
    """Number of causes that both have: the same verdict, rule and difference."""


class Store:
    """A campaign's database, open for reading or for the one client that writes."""

    def __init__(self, database: sqlite3.Connection, folder: Path) -> None:
        self._database = database
        self.folder = folder
        self.plan = plan_in(database, folder, CampaignPlan)
        self._joined = (0, 0)
        """Number of rows when they were last joined, and of the causes that they made."""

    # ------------------------------------------------------------------------------ what was played

    def rounds(self, engine: str) -> int:
        """Number of rounds chosen for an engine."""
        (count,) = self._database.execute("select count(*) from round where engine = ?", (engine,)).fetchone()
        return int(count)

    def shards_of_round(self, engine: str, number: int) -> tuple[Shard, ...]:
        """All shards that were chosen for a round, also those beyond the budget."""
        found = self._database.execute(
            "select shards from round where engine = ? and number = ?", (engine, number)
        ).fetchone()
        chosen = msgspec.json.decode(found[0], type=tuple[tuple[str, int], ...])
        return tuple(Shard(engine, law, block) for law, block in chosen)

    def keep_round(self, engine: str, number: int, shards: Sequence[Shard]) -> None:
        """Record the shards of a round, also those that the budget does not allow: it may be raised."""
        said = msgspec.json.encode([(one.law, one.block) for one in shards]).decode()
        with self._database:
            self._database.execute("insert or ignore into round values (?, ?, ?)", (engine, number, said))

    def is_done(self, shard: Shard) -> bool:
        """Whether a shard has been recorded already."""
        there = self._database.execute(
            "select 1 from shard where engine = ? and law = ? and block = ?",
            (shard.engine, shard.law, shard.block),
        )
        return there.fetchone() is not None

    def records(self, engine: str, upto: int) -> Mapping[str, LawRecord]:
        """The record of each law on an engine in the last rounds before `upto`.

        A shard counts as a success if a cause was first found in its round.
        """
        rows = self._database.execute(
            "select law, round, count(*), sum(new) from (select law, round, exists ("
            "    select 1 from find join cause on cause.id = find.cause where find.engine = shard.engine"
            "    and find.law = shard.law and find.block = shard.block and cause.first_round = shard.round"
            ") as new from shard where engine = ? and round < ? and round >= ?)"
            " group by law, round order by round, law",
            (engine, upto, upto - REMEMBERED),
        )
        records: dict[str, LawRecord] = {}
        for law, _, shards, new in rows:
            records[law] = records.get(law, LawRecord()).one_round_later(shards, new)
        return records

    def add(self, result: ShardResult, number: int) -> bool:
        """Count a shard's result; returns whether it was the first of this shard."""
        shard = result.shard
        with self._database:
            if not self._insert(result, number, "done"):
                return False
            if result.engine is not None:
                info = msgspec.json.encode(result.engine).decode()
                self._database.execute("insert or ignore into engine values (?, ?)", (shard.engine, info))
            best: dict[CauseLooks, FoundCause] = {}
            for one in sorted(result.found, key=lambda one: (not one.scenario, one.size, one.scenario)):
                best.setdefault(looks_of(one), one)
            for found in best.values():
                # The signature of a failing engine is its own text, as long as it likes, and never settled.
                looks = {
                    one.looks if one.kind == "fail" else ""
                    for one in result.found
                    if looks_of(one) == looks_of(found)
                }
                self._count(shard, number, found, looks)
            self._count_again(shard, number, result.again)
        return True

    def settled(self, shard: Shard, number: int) -> Mapping[str, int]:
        """The signatures that a shard of a round need not make smaller again, and the causes they count for.

        A signature may hide several causes. It is settled when the shards that made it smaller found each
        cause twice on average; as long as they find others, it stays open. From then on, it counts for the
        cause found most often. Parts of a campaign and its even rounds do not wait for each other, so there
        nothing is settled.
        """
        if self.plan.even:
            return {}
        rows = self._database.execute(
            "select looks, cause.id, count(*) from find"
            " join shard using (engine, law, block) join cause on cause.id = find.cause"
            " where find.engine = ? and find.law = ? and round < ? and kind = 'fail' and not again"
            " group by looks, cause.id order by looks, count(*) desc, rule, difference, alike",
            (shard.engine, shard.law, rounds_known(number)),
        )
        causes: dict[str, list[tuple[int, int]]] = {}
        for looks, cause, times in rows:
            causes.setdefault(looks, []).append((cause, times))
        return {
            looks: found[0][0]
            for looks, found in causes.items()
            if sum(times for _, times in found) >= SETTLED * len(found)
        }

    def _count_again(self, shard: Shard, number: int, again: Sequence[str]) -> None:
        """Count signatures that a shard saw and did not make smaller."""
        if not again:
            return
        settled = self.settled(shard, number)
        there = "select 1 from find where engine = ? and law = ? and block = ? and cause = ?"
        for looks in again:
            one = (shard.engine, shard.law, shard.block, settled[looks])
            if self._database.execute(there, one).fetchone() is None:
                self._database.execute("update cause set times = times + 1 where id = ?", (settled[looks],))
            self._database.execute("insert or ignore into find values (?, ?, ?, ?, ?, 1)", (*one, looks))

    def set_aside(self, shard: Shard, number: int, why: str) -> None:
        """Record a shard that could not be played."""
        with self._database:
            self._insert(ShardResult(shard, "", 0, 0, 0, 0.0, why=why), number, "aside")

    def _insert(self, result: ShardResult, number: int, state: str) -> bool:
        one = result.shard
        row = (one.engine, one.law, one.block, number, state, result.cases, result.unsupported, result.plays)
        done = self._database.execute(
            "insert or ignore into shard values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, result.seconds, result.why[:500]),
        )
        return done.rowcount == 1

    def _count(self, shard: Shard, number: int, found: FoundCause, looks: Collection[str]) -> None:
        """Count a find of a shard under its cause, with all signatures that it had there."""
        key = (shard.engine, found.kind, found.rule, found.difference, in_json(found.alike))
        smallest = (found.size, found.scenario, found.says)
        id = self._counted(key, 1, number, (shard.law,), smallest)
        rows = [(shard.engine, shard.law, shard.block, id, one) for one in sorted(looks)]
        self._database.executemany("insert or ignore into find values (?, ?, ?, ?, ?, 0)", rows)

    def _counted(
        self, key: tuple[str, str, str, str, str], times: int, number: int, laws: Sequence[str], one: Smallest
    ) -> int:
        """Update a cause, keeping its smallest scenario; returns the cause's number."""
        there = self._database.execute(
            "select id, times, first_round, laws, size, scenario, says from cause"
            " where engine = ? and kind = ? and rule = ? and difference = ? and alike = ?",
            key,
        ).fetchone()
        if there is None:
            added = self._database.execute(
                "insert into cause values (null, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*key[:4], times, number, in_json(laws), *one, key[4]),
            )
            return int(added.lastrowid or 0)
        id, before, first, known, *smallest = there
        every = sorted({*msgspec.json.decode(known, type=list[str]), *laws})
        best = min((tuple(smallest), one), key=lambda each: (not each[1], *each))
        self._database.execute(
            "update cause set times = ?, first_round = ?, laws = ?, size = ?, scenario = ?, says = ?"
            " where id = ?",
            (before + times, min(first, number), in_json(every), *best, id),
        )
        return int(id)

    def spend(self, seconds: float) -> None:
        """Add to the time that the campaign has played."""
        add_time(self._database, seconds)

    # -------------------------------------------------------------------------------- what there is

    def spent(self) -> float:
        """How long the campaign has played in total, in seconds."""
        return time_played(self._database)

    def totals(self) -> tuple[Totals, ...]:
        """The totals of each engine, in the order of the plan."""
        rows = self._database.execute(
            "select engine, sum(state = 'done'), sum(state = 'aside'), sum(cases), sum(unsupported),"
            " sum(plays), sum(seconds) from shard group by engine"
        )
        found = {row[0]: Totals(*row) for row in rows}
        return tuple(found.get(one.name, Totals(one.name)) for one in self.plan.engines)

    def causes(self) -> tuple[Cause, ...]:
        """All causes, by engine in the order of the plan, those found most often first."""
        found = [cause for one in self.plan.engines for cause in self._causes_of(one.name)]
        order = {one.name: n for n, one in enumerate(self.plan.engines)}
        return tuple(
            sorted(found, key=lambda one: (order[one.engine], -one.times, one.rule, one.difference, one.kind))
        )

    def _causes_of(self, engine: str) -> Iterator[Cause]:
        """The causes of an engine. A shard that found one cause in several forms counts once."""
        rows = self.rows(engine)
        ids = [
            id
            for (id,) in self._database.execute(
                "select id from cause where engine = ? order by id", (engine,)
            )
        ]
        for cause, numbers in joined_rows(rows):
            times = cause.times
            if len(numbers) > 1:
                (times,) = self._database.execute(
                    "select count(*) from (select distinct law, block from find where engine = ?"
                    " and cause in (select value from json_each(?)))",
                    (engine, msgspec.json.encode([ids[number] for number in numbers]).decode()),
                ).fetchone()
            yield msgspec.structs.replace(cause, times=times)

    def rows(self, engine: str) -> list[Cause]:
        """What was found with an engine, not yet joined."""
        rows = self._database.execute(
            "select engine, kind, rule, difference, times, first_round, laws, size, scenario, says, alike"
            " from cause where engine = ? order by id",
            (engine,),
        )
        decode = msgspec.json.decode
        return [
            msgspec.convert((*row[:6], decode(row[6]), *row[7:10], decode(row[10])), Cause) for row in rows
        ]

    def history(self, engine: str) -> tuple[tuple[int, tuple[CauseLooks, ...]], ...]:
        """The shards of an engine in the order of their choice: their cases, and what they found."""
        found: dict[tuple[str, int], list[CauseLooks]] = {}
        finds = self._database.execute(
            "select law, block, kind, rule, difference, alike from find join cause on id = find.cause"
            " where find.engine = ? order by law, block, id",
            (engine,),
        )
        for law, block, kind, rule, difference, alike in finds:
            names = msgspec.json.decode(alike, type=tuple[str, ...])
            found.setdefault((law, block), []).append((kind, rule, difference, names))
        rows = self._database.execute("select law, block, cases from shard where engine = ?", (engine,))
        cases = {(law, block): int(number) for law, block, number in rows}
        chosen = (
            (one.law, one.block)
            for number in range(self.rounds(engine))
            for one in self.shards_of_round(engine, number)
        )
        return tuple((cases[one], tuple(found.get(one, ()))) for one in chosen if one in cases)

    def agreement(self, first: str, second: str) -> Agreement:
        """How two engines compare in the shards that both played."""
        counts = self._database.execute(
            "with found as ("
            "    select find.engine, law, block, kind, rule, difference"
            "    from find join cause on id = find.cause"
            "), judged as ("
            "    select exists (select 1 from found as a where a.engine = one.engine"
            "        and a.law = one.law and a.block = one.block) as here,"
            "    exists (select 1 from found as b where b.engine = other.engine"
            "        and b.law = one.law and b.block = one.block) as there,"
            "    exists (select 1 from found as a join found as b using (law, block, kind, rule, difference)"
            "        where a.engine = one.engine and b.engine = other.engine"
            "        and a.law = one.law and a.block = one.block) as both"
            "    from shard as one join shard as other using (law, block)"
            "    where one.engine = ? and other.engine = ? and one.cases > 0 and other.cases > 0"
            ") select count(*), coalesce(sum(not here and not there), 0), coalesce(sum(both), 0),"
            " coalesce(sum(here and not there), 0), coalesce(sum(there and not here), 0),"
            " coalesce(sum(here and there and not both), 0) from judged",
            (first, second),
        ).fetchone()
        (causes,) = self._database.execute(
            "select count(distinct kind || rule || ' ' || difference)"
            " from cause as a join cause as b using (kind, rule, difference)"
            " where a.engine = ? and b.engine = ?",
            (first, second),
        ).fetchone()
        return msgspec.convert((first, second, *counts, causes), Agreement)

    def number_of_causes(self) -> int:
        """Number of causes on all engines together."""
        (rows,) = self._database.execute("select count(*) from cause").fetchone()
        if rows != self._joined[0]:  # asked after each shard, and few of them find anything new
            groups = (causes_by_looks(self.rows(one.name)).values() for one in self.plan.engines)
            self._joined = (rows, sum(len(set(names)) for names in groups))
        return self._joined[1]

    def asides(self) -> tuple[Aside, ...]:
        """The shards that were set aside."""
        rows = self._database.execute(
            "select engine, law, block, why from shard where state = 'aside' order by engine, law, block"
        )
        return tuple(Aside(Shard(engine, law, block), why) for engine, law, block, why in rows)

    def reasons(self, engine: str) -> tuple[tuple[str, int], ...]:
        """Why shards of an engine played nothing or ended early, the most frequent first."""
        rows = self._database.execute(
            "select why, count(*) from shard where engine = ? and state = 'done' and why != ''"
            " group by why order by count(*) desc, why",
            (engine,),
        )
        return tuple((why, times) for why, times in rows)

    def take_all(self, other: Store) -> None:
        """Add the results of another part of the same campaign."""
        with part_attached(self._database, other.folder, "shard", "engine, law, block"):
            for table in ("shard", "engine", "round"):
                self._database.execute(f"insert or ignore into {table} select * from part.{table}")
            for one in (row for engine in other.plan.engines for row in other.rows(engine.name)):
                key = (one.engine, one.kind, one.rule, one.difference, in_json(one.alike))
                smallest = (one.size, one.scenario, one.says)
                id = self._counted(key, one.times, one.first_round, one.laws, smallest)
                self._database.execute(
                    "insert into find select engine, law, block, ?, looks, again from part.find"
                    " where cause = (select id from part.cause where engine = ? and kind = ? and rule = ?"
                    " and difference = ? and alike = ?)",
                    (id, *key),
                )


def rounds_known(number: int) -> int:
    """Number of rounds that are complete whenever one of this round is played."""
    return max(0, number - 1)


def looks_of(row: Cause | FoundCause) -> CauseLooks:
    """What tells this row from the others of its engine."""
    return row.kind, row.rule, row.difference, row.alike


def causes_by_looks(rows: Sequence[Cause]) -> dict[CauseLooks, tuple[str, ...]]:
    """The cause of each row: the broken engine that explains it, or else its rule and difference."""
    explained = explanations([row.alike for row in rows], [row.times for row in rows])
    return {
        looks_of(row): (row.kind, name) if name else (row.kind, "", row.rule, row.difference)
        for row, name in zip(rows, explained, strict=True)
    }


def joined_rows(rows: Sequence[Cause]) -> Iterator[tuple[Cause, list[int]]]:
    """One cause for all rows that one broken engine explains, with their numbers; others count by rule and
    difference.
    """
    groups: dict[tuple[str, ...], list[int]] = {}
    names = causes_by_looks(rows)
    for number, row in enumerate(rows):
        groups.setdefault(names[looks_of(row)], []).append(number)
    for (_, name, *_), numbers in groups.items():
        some = [rows[number] for number in numbers]
        yield (
            msgspec.structs.replace(
                min(some, key=lambda row: (not row.scenario, row.size, row.scenario, row.says)),
                times=sum(row.times for row in some),
                first_round=min(row.first_round for row in some),
                laws=tuple(sorted({law for row in some for law in row.laws})),
                alike=(name,) if name else (),
            ),
            numbers,
        )


def in_json(words: Sequence[str]) -> str:
    """Words in the form in which the database stores them."""
    return msgspec.json.encode(list(words)).decode()


# ------------------------------------------------------------------------------------------ opening


def create(folder: Path, plan: CampaignPlan) -> None:
    """Make a campaign's folder. Raises `ShardsError` if there is one already."""
    create_folder(folder, plan, SCHEMA)


@contextmanager
def open_to_read(folder: Path) -> Iterator[Store]:
    """The campaign in a folder, to be read."""
    with opened_to_read(folder) as database:
        yield Store(database, folder)


@contextmanager
def open_to_write(folder: Path) -> Iterator[Store]:
    """The campaign in a folder, for the one client that plays it."""
    with opened_to_write(folder) as database:
        yield Store(database, folder)


def raise_budget(folder: Path, cases: int | None, seconds: float | None) -> None:
    """Raise the budget of a campaign, which then goes on as if it had been started with the new one.

    Raises `ShardsError` if its budget is of the other kind, or not lower.
    """
    with opened_to_write(folder) as database:
        plan = plan_in(database, folder, CampaignPlan)
        has, asked = (plan.cases, cases) if seconds is None else (plan.seconds, seconds)
        if has is None or asked is None:
            counted, option = ("time", "--for TIME") if plan.cases is None else ("cases", "--cases N")
            raise ShardsError(f"{folder} has a budget of {counted}\n    raise it with {option}")
        if asked <= has:
            amount = f"{has:g} seconds" if cases is None else f"{has:,} cases for each engine"
            raise ShardsError(f"{folder} has a budget of {amount}\n    name a higher one, or none")
        keep_plan(database, msgspec.structs.replace(plan, cases=cases, seconds=seconds))


def join(folder: Path, parts: Sequence[Path]) -> None:
    """Join the parts of a campaign in a new folder. Raises `ShardsError` if they are not parts of one."""
    create(folder, whole_plan(parts, CampaignPlan))
    with open_to_write(folder) as store:
        for part in parts:
            with open_to_read(part) as other:
                store.take_all(other)

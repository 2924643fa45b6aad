"""A folder with the results of long work: an embedded database, which one client writes and everybody reads.

The first row of its table `plan` says what was asked, as JSON; `campaign.store` and `lists` add tables of
their own. Every transaction counts one shard, so whatever ends the client loses nothing that was counted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec

from conformance.files.locking import locked

FORMAT = 3
"""Increases when an older suite would misread a folder."""
DATABASE = "campaign.sqlite"
LOCK = "lock"
STOP = "stop"
"""A file that asks the running client to stop."""
PLAN_TABLE = """
create table plan (
    only integer primary key check (only = 1), plan text not null, seconds real not null default 0
);
"""


class ShardsError(Exception):
    """Shards cannot be played or kept as asked; says why, and what to do."""


class KeptPlan(Protocol):
    """What was asked, as a folder keeps it: all of it, or a part."""

    @property
    def suite(self) -> str: ...
    @property
    def part(self) -> tuple[int, int]: ...
    @property
    def format(self) -> int: ...


_Plan = TypeVar("_Plan", bound=KeptPlan)
_Item = TypeVar("_Item")


def of_this_part(shards: Sequence[_Item], part: tuple[int, int], before: int = 0) -> tuple[_Item, ...]:
    """The shards that a part plays: they are dealt out by their number, counted from `before`."""
    this, parts = part
    return tuple(one for n, one in enumerate(shards, before) if n % parts == this - 1)


# ------------------------------------------------------------------------------------------ opening


def create_folder(folder: Path, plan: KeptPlan, schema: str) -> None:
    """Make a folder. Raises `ShardsError` if it has results already."""
    if (folder / DATABASE).exists():
        raise ShardsError(
            f"{folder} has a campaign already\n    continue it: conformance campaign resume {folder}"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        database = sqlite3.connect(folder / DATABASE)
    except (OSError, sqlite3.Error) as error:
        raise ShardsError(f"{folder}: {error}\n    name a folder that can be written") from None
    try:
        with database:
            database.executescript(PLAN_TABLE + schema)
            database.execute(
                "insert into plan (only, plan) values (1, ?)", (msgspec.json.encode(plan).decode(),)
            )
    except sqlite3.Error as error:
        with suppress(OSError):
            (folder / DATABASE).unlink()
        raise ShardsError(f"{folder}: {error}\n    make room, or name another folder") from None
    finally:
        database.close()


def plan_in(database: sqlite3.Connection, folder: Path, kind: type[_Plan]) -> _Plan:
    """The plan in a folder. Raises `ShardsError` if it is no plan of this kind and format."""
    try:
        (said,) = database.execute("select plan from plan").fetchone()
        plan = msgspec.json.decode(said, type=kind)
    except (sqlite3.Error, msgspec.MsgspecError, TypeError) as error:
        what = f"{folder / DATABASE} cannot be read as a campaign: {error}"
        raise ShardsError(f"{what}\n    name the folder that `conformance campaign start` made") from None
    if plan.format != FORMAT:
        what = f"{folder} was made by suite {plan.suite}, in a format that this one does not read"
        raise ShardsError(f"{what}\n    use that version")
    return plan


def keep_plan(database: sqlite3.Connection, plan: KeptPlan) -> None:
    """Write a changed plan over the one in a folder."""
    with database:
        database.execute("update plan set plan = ?", (msgspec.json.encode(plan).decode(),))


def missing(folder: Path) -> ShardsError:
    """The error for a folder without results."""
    return ShardsError(
        f"{folder} has no campaign\n    start one: conformance campaign start {folder} --engine NAME"
    )


@contextmanager
def opened_to_read(folder: Path) -> Iterator[sqlite3.Connection]:
    """The database of a folder, to be read."""
    path = folder / DATABASE
    if not path.is_file():
        raise missing(folder)
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30)
    try:
        yield database
    except sqlite3.Error as error:
        raise ShardsError(f"{path}: {error}\n    the file is damaged, or its disk is") from None
    finally:
        database.close()


@contextmanager
def opened_to_write(folder: Path) -> Iterator[sqlite3.Connection]:
    """The database of a folder, for its one client."""
    path = folder / DATABASE
    if not path.is_file():
        raise missing(folder)
    with lock_of(folder):
        database = sqlite3.connect(path, timeout=30)
        try:
            database.execute("pragma journal_mode = wal")
            database.execute("pragma synchronous = normal")
            yield database
        except sqlite3.Error as error:
            cure = "nothing counted is lost: make room, and continue"
            raise ShardsError(f"{path}: {error}\n    {cure}") from None
        finally:
            with suppress(sqlite3.Error):
                database.close()


@contextmanager
def lock_of(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder. Raises `ShardsError` if another client holds it."""
    with (folder / LOCK).open("wb") as file:
        if not locked(file):
            cure = f"watch it: conformance campaign status {folder}"
            raise ShardsError(f"{folder} is being played by another process\n    {cure}")
        yield


def is_running(folder: Path) -> bool:
    """Whether a client plays into the folder now."""
    try:
        with lock_of(folder):
            return False
    except ShardsError:
        return True
    except OSError:
        return False


# ------------------------------------------------------------------------------------------ the time


def add_time(database: sqlite3.Connection, seconds: float) -> None:
    """Add to the time that was played."""
    with database:
        database.execute("update plan set seconds = seconds + ?", (seconds,))


def time_played(database: sqlite3.Connection) -> float:
    """How long was played in total, in seconds."""
    return float(database.execute("select seconds from plan").fetchone()[0])


# ------------------------------------------------------------------------------------------ joining


def whole_plan(parts: Sequence[Path], kind: type[_Plan]) -> _Plan:
    """What these folders are parts of. Raises `ShardsError` if they are not parts of one work."""
    plans: list[_Plan] = []
    for part in parts:
        with opened_to_read(part) as database:
            plans.append(plan_in(database, part, kind))
    whole = undivided(plans[0])
    for part, plan in zip(parts, plans, strict=True):
        if undivided(plan) != whole:
            raise ShardsError(
                f"{part} is part of another campaign than {parts[0]}\n    join parts of one campaign"
            )
    return whole


def undivided(plan: _Plan) -> _Plan:
    """The plan of the whole that this plan is a part of."""
    struct: Any = plan
    whole: _Plan = msgspec.structs.replace(struct, part=(1, 1))
    return whole


@contextmanager
def part_attached(database: sqlite3.Connection, part: Path, table: str, key: str) -> Iterator[None]:
    """Attach the database of a part as `part`, for one transaction that takes everything from it.

    Raises `ShardsError` if shards of the part were taken before: `table` has one row for each, by this key.
    """
    database.execute("attach ? as part", (str(part / DATABASE),))
    try:
        with database:
            (twice,) = database.execute(
                f"select count(*) from {table} join part.{table} using ({key})"  # our own names
            ).fetchone()
            if twice:
                what = f"{part} has {twice} shards that were joined already"
                raise ShardsError(f"{what}\n    name each part once")
            yield
            database.execute("update plan set seconds = seconds + (select seconds from part.plan)")
    finally:
        database.execute("detach part")

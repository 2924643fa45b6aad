"""A list of work, cut into shards in its order: played anywhere, kept in a folder, resumed, joined.

The caller's function turns the items of a shard into bytes. It has to give the same for the same items,
whoever plays them, because a shard counts once however often it is played.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter

import msgspec
from msgspec import Struct

from conformance.model.engine import suite_version
from conformance.shards.course import Ending, Handout, play
from conformance.shards.folder import (
    DATABASE,
    FORMAT,
    ShardsError,
    add_time,
    create_folder,
    of_this_part,
    opened_to_read,
    opened_to_write,
    part_attached,
    plan_in,
    time_played,
    whole_plan,
)
from conformance.shards.players import PlayShard, ShardFailure, ShardPlayer

SCHEMA = """
create table listed (
    number integer primary key, state text not null, seconds real not null, why text not null,
    result blob not null
);
"""
PlayItems = Callable[[tuple[str, ...]], bytes]
"""Plays the items of a shard; sent to other processes, so it must be a function of a module."""
Where = Callable[[PlayShard], AbstractContextManager[ShardPlayer]]
"""Makes players: `partial(players.processes, 4)`, `partial(cluster.workers_at, address)`."""
Tell = Callable[[tuple[str, ...], bytes], None]
"""Called with the items of each shard and their result, in the order of the list."""


class ListPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A list of work: everything that decides its results."""

    suite: str
    work: str
    """What is done with each item."""
    settings: str
    """How, as text: the same list with other settings is other work."""
    items: tuple[str, ...]
    block: int = 1
    """Number of items in a shard."""
    part: tuple[int, int] = (1, 1)
    format: int = FORMAT

    @property
    def shards(self) -> tuple[tuple[str, ...], ...]:
        """The items of each shard."""
        return tuple(self.items[at : at + self.block] for at in range(0, len(self.items), self.block))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The shards of this part."""
        return of_this_part(range(len(self.shards)), self.part)


class ListedTask(Struct, frozen=True):
    """A shard as a worker gets it."""

    suite: str
    items: tuple[str, ...]


class ListedResult(Struct, frozen=True):
    """What a worker sends back."""

    seconds: float
    result: bytes


class ListStatus(Struct, frozen=True):
    """How far a list of work is."""

    done: int
    asked: int
    """Number of shards of this part."""
    aside: tuple[tuple[int, str], ...]
    """The shards that could not be played, and why."""
    seconds: float


class ListStore:
    """The database of a list of work."""

    def __init__(self, database: sqlite3.Connection, folder: Path) -> None:
        self._database = database
        self.plan = plan_in(database, folder, ListPlan)

    def count(self, number: int, state: str, seconds: float, why: str, result: bytes) -> None:
        """Count a shard, unless it was counted before."""
        with self._database:
            self._database.execute(
                "insert or ignore into listed values (?, ?, ?, ?, ?)",
                (number, state, seconds, why[:500], result),
            )

    def spend(self, seconds: float) -> None:
        """Add to the time that was played."""
        add_time(self._database, seconds)

    def results(self) -> dict[int, bytes]:
        """The results of all shards that were played."""
        return dict(self._database.execute("select number, result from listed where state = 'done'"))

    def status(self) -> ListStatus:
        """How far the work is."""
        aside = self._database.execute("select number, why from listed where state = 'aside' order by number")
        done = len(self.results())
        return ListStatus(done, len(self.plan.numbers), tuple(aside), time_played(self._database))

    def take_all(self, part: Path) -> None:
        """Add the results of another part."""
        with part_attached(self._database, part, "listed", "number"):
            self._database.execute("insert into listed select * from part.listed")


class ListWork:
    """The shards of a list that are not played yet, in order."""

    def __init__(self, store: ListStore, tell: Tell) -> None:
        self._store = store
        self._shards = store.plan.shards
        there = store.results()
        gone = {number for number, _ in store.status().aside}
        self._todo = deque(n for n in store.plan.numbers if n not in there and n not in gone)
        self._order = deque(n for n in store.plan.numbers if n not in gone)
        self._ready = there
        self._tell = tell
        self._say()

    def next(self) -> Handout | None:
        """The next shard."""
        if not self._todo:
            return None
        number = self._todo.popleft()
        task = ListedTask(self._store.plan.suite, self._shards[number])
        return Handout(str(number), msgspec.json.encode(task))

    def count(self, key: str, answer: bytes | ShardFailure) -> None:
        """Store a result, and tell it once everything before it is told."""
        number = int(key)
        if isinstance(answer, ShardFailure):
            self._store.count(number, "aside", 0.0, str(answer), b"")
            self._order.remove(number)
        else:
            came = msgspec.msgpack.decode(answer, type=ListedResult)
            self._store.count(number, "done", came.seconds, "", came.result)
            self._ready[number] = came.result
        self._say()

    def spend(self, seconds: float) -> None:
        """Add to the time that was played."""
        self._store.spend(seconds)

    def _say(self) -> None:
        while self._order and self._order[0] in self._ready:
            number = self._order.popleft()
            self._tell(self._shards[number], self._ready.pop(number))


def play_listed(work: PlayItems, task: bytes) -> bytes:
    """Play a shard: the function that workers run."""
    asked = msgspec.json.decode(task, type=ListedTask)
    if asked.suite != suite_version():
        raise ShardsError(f"this worker has suite {suite_version()}, the work began with {asked.suite}")
    begin = perf_counter()
    result = work(asked.items)
    return msgspec.msgpack.encode(ListedResult(perf_counter() - begin, result))


def play_list(plan: ListPlan, work: PlayItems, where: Where, folder: Path | None, tell: Tell) -> Ending:
    """Play what is left of a list; what is in the folder already is told and not played again.

    Without a folder, results are kept until the end only.
    """
    with folder_or_temporary(folder) as place:
        if not (place / DATABASE).exists():
            create_folder(place, plan, SCHEMA)
        with open_list(place, to_write=True) as store:
            if store.plan != plan:
                raise ShardsError(
                    f"{place} has other work: {difference(store.plan, plan)}\n    name another folder"
                )
            listed = ListWork(store, tell)
            with where(partial(play_listed, work)) as players:
                return play(listed, players, place)


def difference(there: ListPlan, asked: ListPlan) -> str:
    """The first thing in which two lists of work differ, in words."""
    for name in there.__struct_fields__:
        one, other = getattr(there, name), getattr(asked, name)
        if one != other:
            return f"its {name} differ{'' if name.endswith('s') else 's'} from what is asked now"
    return "it is the same"


@contextmanager
def folder_or_temporary(folder: Path | None) -> Iterator[Path]:
    """The folder, or one that is deleted afterwards."""
    if folder is not None:
        yield folder
        return
    with tempfile.TemporaryDirectory(prefix="conformance-") as temporary:
        yield Path(temporary)


@contextmanager
def open_list(folder: Path, *, to_write: bool = False) -> Iterator[ListStore]:
    """The list of work in a folder."""
    opened = opened_to_write if to_write else opened_to_read
    with opened(folder) as database:
        yield ListStore(database, folder)


def has_list(folder: Path) -> bool:
    """Whether the folder has a list of work."""
    try:
        with open_list(folder):
            return True
    except ShardsError:
        return False


def list_lines(store: ListStore, running: bool) -> Iterator[str]:
    """How far a list of work is, in words."""
    now = store.status()
    aside = f", {len(now.aside)} set aside" if now.aside else ""
    yield f"{'running' if running else 'not running'}: {store.plan.work}"
    yield f"  {now.done:,} of {now.asked:,} shards{aside}, played for {now.seconds:,.0f} s"
    yield from (f"    shard {number}: {why}" for number, why in now.aside)


def join_lists(folder: Path, parts: Sequence[Path]) -> None:
    """Join parts of a list in a new folder. Raises `ShardsError` if they are not parts of one list."""
    create_folder(folder, whole_plan(parts, ListPlan), SCHEMA)
    with open_list(folder, to_write=True) as store:
        for part in parts:
            store.take_all(part)

"""Lists of work: the same results in any process, continued after any end, joined from parts."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from conformance.cli import main
from conformance.model.engine import suite_version
from conformance.shards.folder import ShardsError
from conformance.shards.lists import ListPlan, join_lists, open_list, play_list
from conformance.shards.players import processes

ITEMS = tuple(f"item{number}" for number in range(11))
PLAN = ListPlan(suite_version(), "a test", "loud", ITEMS, block=2)
Told = list[tuple[tuple[str, ...], bytes]]


def loud(items: tuple[str, ...]) -> bytes:
    return " ".join(items).upper().encode()


def loud_and_noted(file: Path, items: tuple[str, ...]) -> bytes:
    """Note what was played, to see whether something is played twice."""
    with file.open("a") as notes:
        notes.write(" ".join(items) + "\n")
    return loud(items)


def deadly_once(mark: Path, items: tuple[str, ...]) -> bytes:
    """Kill this process at one item, unless it was killed there before."""
    if "item6" in items and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return loud(items)


def interrupted_at(item: str, items: tuple[str, ...]) -> bytes:
    if item in items:
        raise KeyboardInterrupt
    return loud(items)


EVERYTHING: Told = [(some, loud(some)) for some in PLAN.shards]


def told_by(plan: ListPlan, work: partial[bytes], count: int, folder: Path | None) -> Told:
    told: Told = []
    ending = play_list(
        plan, work, partial(processes, count), folder, lambda some, result: told.append((some, result))
    )
    assert "done" == ending
    return told


@pytest.mark.parametrize("count", [1, 2])
def test_results_are_told_in_order_by_any_number_of_processes(count: int) -> None:
    assert 6 == len(EVERYTHING)
    assert EVERYTHING == told_by(PLAN, partial(loud), count, None)


def test_interrupted_list_continues_and_plays_nothing_twice(tmp_path: Path) -> None:
    folder, notes = tmp_path / "kept", tmp_path / "notes"
    with pytest.raises(KeyboardInterrupt):
        told_by(PLAN, partial(interrupted_at, "item6"), 1, folder)

    assert EVERYTHING == told_by(PLAN, partial(loud_and_noted, notes), 1, folder)
    assert ["item6 item7", "item8 item9", "item10"] == notes.read_text().splitlines()
    assert EVERYTHING == told_by(PLAN, partial(loud_and_noted, notes), 1, folder)
    assert 3 == len(notes.read_text().splitlines())


def test_killed_process_ends_the_work_and_the_folder_continues(tmp_path: Path) -> None:
    folder, mark = tmp_path / "kept", tmp_path / "mark"
    where = partial(processes, 2)

    assert "lost" == play_list(PLAN, partial(deadly_once, mark), where, folder, lambda *_: None)
    assert EVERYTHING == told_by(PLAN, partial(deadly_once, mark), 2, folder)


def test_each_shard_is_in_one_part_and_joined_parts_are_the_whole(tmp_path: Path) -> None:
    parts = [tmp_path / str(number) for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        told = told_by(replace(PLAN, part=(number, 3)), partial(loud), 1, part)
        assert EVERYTHING[number - 1 :: 3] == told
    join_lists(tmp_path / "whole", parts)
    status = CliRunner().invoke(main, ["campaign", "status", str(tmp_path / "whole")])
    merge = ["campaign", "merge", str(tmp_path / "twice"), *map(str, [*parts, parts[0]])]
    again = CliRunner().invoke(main, merge)

    assert EVERYTHING == told_by(PLAN, partial(interrupted_at, "item0"), 1, tmp_path / "whole")
    assert "not running: a test\n  6 of 6 shards" in status.output
    assert "has 2 shards that were joined already" in again.output


def test_folder_of_other_work_is_refused(tmp_path: Path) -> None:
    told_by(PLAN, partial(loud), 1, tmp_path / "kept")

    with pytest.raises(ShardsError, match="has other work: its settings differ from what is asked now"):
        told_by(replace(PLAN, settings="quiet"), partial(loud), 1, tmp_path / "kept")
    resumed = CliRunner().invoke(main, ["campaign", "resume", str(tmp_path / "kept")])
    assert 1 == resumed.exit_code
    assert "`a test`, with this folder, continues it" in resumed.output


def test_worker_with_another_version_plays_nothing(tmp_path: Path) -> None:
    with pytest.raises(ShardsError, match=r"the work began with 0\.0\.0-other"):
        told_by(replace(PLAN, suite="0.0.0-other"), partial(loud), 1, tmp_path)


def test_cluster_plays_a_list_and_a_shard_that_cannot_be_played_is_named(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    from conformance.shards.cluster import local_workers

    told: Told = []
    where = partial(local_workers, 1)
    ending = play_list(PLAN, partial(failing_at, "item4"), where, tmp_path, lambda *one: told.append(one))

    assert "done" == ending
    assert [one for one in EVERYTHING if "item4" not in one[0]] == told
    with open_list(tmp_path) as store:
        assert ((2, "RuntimeError: not this one"),) == store.status().aside


def failing_at(item: str, items: tuple[str, ...]) -> bytes:
    if item in items:
        raise RuntimeError("not this one")
    return loud(items)

"""Machine-made engines: which changes are tried, what notices them, and a journal that loses nothing."""

from __future__ import annotations

from pathlib import Path

import msgspec
from click.testing import CliRunner

from tools.__main__ import main
from tools.machine_made import KINDS, MODULES, Identity, Result, chosen, identified, journaled, measure, table
from tools.own_mutants import ROOT

TURN = "reference_engine/game/turn.py"


def a_result(change: str, by: dict[str, tuple[str, ...]], explained: bool = False) -> Result:
    identity = Identity(TURN, "f", "return a", change)
    return Result(identity.id, identity, 3, {kind: by.get(kind, ()) for kind in KINDS}, explained)


def test_every_change_has_an_id_of_its_own() -> None:
    ids = [identity.id for identity, _ in identified(TURN)]

    assert len(ids) > 100
    assert len(set(ids)) == len(ids)
    assert ids == [identity.id for identity, _ in identified(TURN)]


def test_shards_are_the_whole_and_do_not_overlap() -> None:
    every = [identity for identity, _ in identified(TURN)]
    shards = [chosen(every, None, 0, (number, 3)) for number in (1, 2, 3)]

    assert {one.id for one in every} == frozenset().union(*shards)
    assert len(every) == sum(map(len, shards))


def test_sample_is_decided_by_its_seed_alone() -> None:
    every = [identity for identity, _ in identified(TURN)]

    assert 10 == len(chosen(every, 10, 1, (1, 1)))
    assert chosen(every, 10, 1, (1, 1)) == chosen(every, 10, 1, (1, 1)) != chosen(every, 10, 2, (1, 1))
    assert chosen(every, 10, 1, (1, 1)) == chosen(every, 10, 1, (1, 2)) | chosen(every, 10, 1, (2, 2))


def test_table_counts_what_is_noticed_once_twice_and_not_at_all() -> None:
    results = [
        a_result("1", {"fixtures": ("G-1", "G-2")}),
        a_result("2", {"laws": ("a_law",)}),
        a_result("3", {}),
        a_result("4", {}, explained=True),
    ]

    shown = table(results)

    assert "| **all** | 4 | 1 (33.3 %) | 0 (0.0 %) | 1 (33.3 %) | 2 (66.7 %) | 1 (33.3 %) | 1 | 1 |" in shown
    assert shown.endswith(f"1 alive:\n\n- {TURN}:3: f: 3")


def test_run_that_was_cut_off_goes_on_where_it_stopped(tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    every = [identity for identity, _ in identified(TURN)]
    [id] = chosen(every, 1, 7, (1, 1))
    [before] = [Result(one.id, one, 1, dict.fromkeys(KINDS, ("X",))) for one in every if one.id == id]
    journal.write_bytes(msgspec.json.encode(before) + b'\n{"id": "cut o')

    shown = measure(journal, 1, 7, (1, 1), (TURN,))

    assert [before] == journaled(journal)
    assert "| **all** | 1 | 1 (100.0 %) |" in shown


def test_modules_that_decide_are_all_there() -> None:
    assert TURN in MODULES
    assert len(MODULES) > 30
    assert all((ROOT / module).exists() for module in MODULES)


def test_shard_that_is_none_is_refused(tmp_path: Path) -> None:
    ended = CliRunner().invoke(main, ["machine-made", "--journal", str(tmp_path / "j"), "--shard", "3/2"])

    assert 2 == ended.exit_code
    assert "'3/2' is no shard: write 2/8 for the second of eight" in ended.stderr

"""Campaigns: same results on any number of workers, in any order, however often they are interrupted."""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis.errors import HypothesisWarning
from msgspec.structs import replace

from conformance.campaign import course, report, store
from conformance.campaign.budget import ROUND, LawRecord, planned_shards
from conformance.campaign.plan import CampaignEngine, CampaignPlan, Shard, seed_of
from conformance.campaign.shard import (
    FoundCause,
    ShardResult,
    ShardTask,
    engine_of_worker,
    play_encoded,
    play_shard,
)
from conformance.campaign.store import Agreement
from conformance.cli import main
from conformance.model.engine import Engine, EngineInfo, suite_version
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.results.causes import explanations
from conformance.shards.folder import DATABASE, ShardsError, is_running
from conformance.shards.players import PlayersLost, ShardFailure
from conformance_adapters import connect, torture
from conformance_adapters.stdio import StdioEngine
from reference_engine.language.words import STEPS

LAWS = ("law_a", "law_b", "law_c", "law_d")
PLAN = CampaignPlan(
    suite_version(), (CampaignEngine("one"), CampaignEngine("two")), LAWS, seed=3, cases=300 * 10, block=10
)


class Described:
    """An engine that describes itself with other words."""

    def __init__(self, engine: Engine, info: EngineInfo) -> None:
        self.engine = engine
        self.info = info

    def describe(self) -> EngineInfo:
        return self.info

    def play(self, play: Play, /) -> Observations:
        return self.engine.play(play)


def made_up(task: bytes) -> bytes:
    """The result of a shard, made up from its name alone: some laws find a few causes."""
    asked = msgspec.json.decode(task, type=ShardTask)
    shard = asked.shard
    drawn = random.Random(shard.key)
    found = []
    if shard.law in ("law_b", "law_c") and drawn.random() < 0.4:
        number = drawn.choice((1, 1, 1, 2, 3))
        size = drawn.randrange(3, 20)
        looks = f"looks {number % 2}"
        found.append(
            FoundCause("fail", f"613.{number}", "types", looks, f"says {size}", size, f"scenario {size}")
        )
    again = tuple(sorted({one.looks for one in found} & set(asked.settled)))
    new = tuple(one for one in found if one.looks not in again)
    result = ShardResult(shard, suite_version(), 10, drawn.randrange(3), 25, 1.5, new, again=again)
    return msgspec.json.encode(result)


class Hands:
    """Workers that finish their shards in a random order."""

    def __init__(
        self,
        count: int,
        seed: int = 0,
        played: Callable[[bytes], bytes | ShardFailure] = made_up,
        until: int | None = None,
    ) -> None:
        self.count = count
        self.left = until
        self.tasks: dict[str, bytes] = {}
        self.played = played
        self.drawn = random.Random(seed)
        self.asked: list[str] = []

    @property
    def waiting(self) -> int:
        return len(self.tasks)

    def submit(self, key: str, task: bytes, resource: str) -> None:
        self.tasks[key] = task
        self.asked.append(key)

    def next(self, seconds: float) -> tuple[str, bytes | ShardFailure] | None:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise PlayersLost
        key = self.drawn.choice(sorted(self.tasks))
        return key, self.played(self.tasks.pop(key))

    def abandon(self) -> None:
        self.tasks.clear()


def played(folder: Path, *sittings: Hands, plan: CampaignPlan = PLAN) -> tuple[Any, ...]:
    """The totals and causes of a campaign after these sittings."""
    if not (folder / DATABASE).exists():
        store.create(folder, plan)
    for hands in sittings:
        with store.open_to_write(folder) as open_store:
            course.play(open_store, hands, lambda _: None)
    with store.open_to_read(folder) as open_store:
        return open_store.totals(), open_store.causes()


@pytest.mark.sweep
def test_any_number_of_workers_finds_and_counts_the_same(tmp_path: Path) -> None:
    alone = played(tmp_path / "a", Hands(1))

    assert alone == played(tmp_path / "b", Hands(8, seed=1)) == played(tmp_path / "c", Hands(40, seed=2))
    assert [one.shards for one in alone[0]] == [300, 300]
    assert {cause.rule for cause in alone[1]} == {"613.1", "613.2", "613.3"}


@pytest.mark.sweep
def test_interrupted_campaign_ends_with_the_same_totals(tmp_path: Path) -> None:
    broken_off = [Hands(6, seed=n, until=37 * n) for n in range(1, 6)]

    assert played(tmp_path / "a", *broken_off, Hands(3)) == played(tmp_path / "b", Hands(1))


def test_finished_campaign_plays_nothing_when_it_is_resumed(tmp_path: Path) -> None:
    played(tmp_path, Hands(2))
    again = Hands(2)
    played(tmp_path, again)

    assert [] == again.asked


@pytest.mark.parametrize("first", [10, 1570, 2000])
def test_campaign_with_a_raised_budget_is_as_if_it_had_begun_with_it(tmp_path: Path, first: int) -> None:
    played(tmp_path / "a", Hands(4), plan=replace(PLAN, cases=first))
    store.raise_budget(tmp_path / "a", PLAN.cases, None)

    assert played(tmp_path / "a", Hands(3)) == played(tmp_path / "b", Hands(1))


@pytest.mark.parametrize(
    ("plan", "option", "says"),
    [
        (PLAN, "--cases=3000", "has a budget of 3,000 cases for each engine\n    name a higher one"),
        (PLAN, "--for=8h", "has a budget of cases\n    raise it with --cases N"),
        (replace(PLAN, cases=None, seconds=60.0), "--for=30s", "has a budget of 60 seconds"),
        (replace(PLAN, cases=None, seconds=60.0), "--cases=9", "of time\n    raise it with --for TIME"),
    ],
)
def test_budget_that_is_no_higher_is_refused(
    tmp_path: Path, plan: CampaignPlan, option: str, says: str
) -> None:
    store.create(tmp_path, plan)

    result = CliRunner().invoke(main, ["campaign", "resume", str(tmp_path), option])

    assert result.exit_code == 1
    assert says in result.output
    with store.open_to_read(tmp_path) as open_store:
        assert open_store.plan == plan


def test_shard_that_arrives_twice_counts_once(tmp_path: Path) -> None:
    store.create(tmp_path, PLAN)
    shard = Shard("one", "law_b", 0)
    found = FoundCause("fail", "613.1", "types", "", "says", 4, "scenario")
    result = ShardResult(shard, suite_version(), 10, 0, 20, 1.0, (found,))
    with store.open_to_write(tmp_path) as open_store:
        assert open_store.add(result, 0)
        assert not open_store.add(result, 0)
        [cause] = open_store.causes()
        assert (1, 10) == (cause.times, open_store.totals()[0].cases)


def always(shown: Callable[[int], str]) -> Callable[[bytes], bytes]:
    """Shards of law_b that always find what has this difference, until it is settled."""

    def result(task: bytes) -> bytes:
        asked = msgspec.json.decode(task, type=ShardTask)
        shard = asked.shard
        found: tuple[FoundCause, ...] = ()
        again: tuple[str, ...] = ()
        if shard.law == "law_b" and "looks" in asked.settled:
            again = ("looks",)
        elif shard.law == "law_b":
            found = (FoundCause("fail", "613.1", shown(shard.block), "looks", "", 5, "scenario"),)
        return msgspec.json.encode(ShardResult(shard, suite_version(), 10, 0, 25, 1.5, found, again=again))

    return result


@pytest.mark.sweep
def test_signature_that_brings_nothing_new_is_counted_and_not_made_smaller_again(tmp_path: Path) -> None:
    same, other = tmp_path / "same", tmp_path / "other"
    causes = {}
    for folder, shown in ((same, lambda _: "types"), (other, lambda block: f"types {block}")):
        _, causes[folder] = played(folder, Hands(2, played=always(shown)))

    with store.open_to_read(same) as open_store:
        assert {"looks"} == set(open_store.settled(Shard("one", "law_b", 999), 4))
        shards = sum(open_store.rounds(name) > 0 for name in ("one", "two"))
    with store.open_to_read(other) as open_store:
        assert {} == open_store.settled(Shard("one", "law_b", 999), 4)
    assert [1] * shards == [
        len([one for one in causes[same] if one.engine == name]) for name in ("one", "two")
    ]
    assert all(one.times > 100 for one in causes[same])
    assert all(one.times == 1 for one in causes[other])


def test_what_a_failing_engine_writes_settles_nothing_and_is_not_kept_twice(tmp_path: Path) -> None:
    store.create(tmp_path, PLAN)
    crash = FoundCause("crash", "", "crash", "x" * 100_000, "it died", 1)
    with store.open_to_write(tmp_path) as open_store:
        for block in range(4):
            shard = Shard("one", "law_a", block)
            open_store.add(ShardResult(shard, "", 10, 0, 20, 1.0, (crash,)), 0)
        assert {} == open_store.settled(Shard("one", "law_a", 9), 4)

    assert (tmp_path / DATABASE).stat().st_size < 100_000


@pytest.mark.sweep
def test_settled_signature_is_played_to_the_end_and_told() -> None:
    engine = CampaignEngine("mutant:timestamps-only")
    law = "a_chain_is_followed_to_its_end"
    plan = CampaignPlan(suite_version(), (engine,), every_law(), seed=1, cases=60, block=60)
    first = play_shard(ShardTask(plan, Shard(engine.name, law, 0)))
    looks = tuple(sorted({one.looks for one in first.found}))

    second = play_shard(ShardTask(plan, Shard(engine.name, law, 0), looks))

    assert looks
    assert (looks, ()) == (second.again, second.found)
    assert second.cases == 60 > first.cases
    assert second.plays < first.plays


def test_shard_of_whole_games_ends_when_it_has_played_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.campaign.shard.COST_OF_A_DEATH", 0)
    plan = CampaignPlan(
        suite_version(), (CampaignEngine("reference"),), every_law(), seed=1, cases=5, block=5
    )

    games = play_shard(ShardTask(plan, Shard("reference", "whole_games_go_as_the_rules_say", 0)))
    boards = play_shard(ShardTask(plan, Shard("reference", "two_switches_cancel", 0)))

    assert 0 < games.cases < plan.block
    assert boards.cases == plan.block


def test_what_an_engine_says_it_lacks_is_no_cause_but_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = frozenset(STEPS) - {"untap", "cleanup"}
    engine = connect("mutant:cleanup-not-repeated")
    plan = CampaignPlan(suite_version(), (CampaignEngine("mine"),), every_law(), seed=1, cases=20, block=20)
    shard = Shard("mine", "cleanup_is_repeated_when_something_happens", 0)
    results = {}
    for declared in (None, steps):
        shown = Described(engine, replace(engine.describe(), steps_with_priority=declared))
        for made_by in ("engine_of_worker", "started_engine"):
            monkeypatch.setattr(f"conformance.campaign.shard.{made_by}", lambda _, shown=shown: shown)
        results[declared] = play_shard(ShardTask(plan, shard))

    assert results[None].found
    assert () == results[steps].found
    assert "it gives no priority in cleanup" in results[steps].why


def test_cause_keeps_its_smallest_scenario_and_one_without_is_worse_than_any(tmp_path: Path) -> None:
    store.create(tmp_path, PLAN)
    with store.open_to_write(tmp_path) as open_store:
        for block, (size, scenario) in enumerate([(1, ""), (9, "nine"), (5, "five"), (7, "seven")]):
            found = FoundCause("fail", "613.1", "types", "", "", size, scenario)
            open_store.add(ShardResult(Shard("one", "law_a", block), "", 1, 0, 1, 0.0, (found,)), block)
        [cause] = open_store.causes()

    assert (4, 5, "five", 0) == (cause.times, cause.size, cause.scenario, cause.first_round)


def test_finds_that_one_broken_engine_explains_are_one_cause(tmp_path: Path) -> None:
    store.create(tmp_path / "whole", PLAN)
    looks = [
        ("613.1", "types", ("a", "b")),
        ("613.4", "power", ("b", "c")),
        ("613.4", "power", ()),
        ("613.4", "power", ("d",)),
        ("704.5", "zone", ()),
    ]
    with store.open_to_write(tmp_path / "whole") as open_store:
        for block, (rule, difference, alike) in enumerate(looks):
            found = FoundCause("fail", rule, difference, "", "", 9 - block, f"scenario {block}", alike)
            open_store.add(ShardResult(Shard("one", "law_a", block), "", 1, 0, 1, 0.0, (found,)), block)
        causes = open_store.causes()

    store.join(tmp_path / "joined", [tmp_path / "whole"])
    with store.open_to_read(tmp_path / "joined") as joined:
        assert causes == joined.causes()
        assert 4 == joined.number_of_causes()
    assert [("613.4", 2, 0, "scenario 1", ("b",)), ("613.4", 1, 2, "scenario 2", ())] == [
        (one.rule, one.times, one.first_round, one.scenario, one.alike) for one in causes[:2]
    ]
    assert [("d",), ()] == [one.alike for one in causes[2:]]


def test_shard_that_finds_a_cause_in_several_forms_counts_once(tmp_path: Path) -> None:
    store.create(tmp_path, PLAN)
    forms = [("types", ("a",)), ("power", ("a", "b")), ("power", ("a", "b"))]
    found = tuple(
        FoundCause("fail", "613.1", difference, f"looks {n}", "", 5 - n, f"scenario {n}", alike)
        for n, (difference, alike) in enumerate(forms)
    )
    with store.open_to_write(tmp_path) as open_store:
        for block in (0, 1):
            open_store.add(ShardResult(Shard("one", "law_a", block), "", 1, 0, 1, 0.0, found), block)
        [cause] = open_store.causes()

    assert (2, "scenario 2", ("a",)) == (cause.times, cause.scenario, cause.alike)


def test_few_broken_engines_explain_all_failures() -> None:
    alike = [("a", "x"), ("x", "y"), ("y",), (), ("y", "z"), ("a",)]

    assert ["a", "y", "y", "", "y", "a"] == explanations(alike)
    assert ["x", "x", "y", "", "y", "a"] == explanations(alike, [9, 9, 1, 1, 1, 1])
    assert [] == explanations([])


def test_shard_that_cannot_be_played_is_set_aside_and_named(tmp_path: Path) -> None:
    def fails(task: bytes) -> bytes | ShardFailure:
        shard = msgspec.json.decode(task, type=ShardTask).shard
        return ShardFailure("3 workers died while playing it") if shard.block == 7 else made_up(task)

    totals, _ = played(tmp_path, Hands(4, played=fails))
    with store.open_to_read(tmp_path) as open_store:
        asides = open_store.asides()
        lines = list(report.lines(open_store, {}))

    assert sum(one.aside for one in totals) == len(asides) > 0
    assert all(one.shard.block == 7 and "3 workers died" in one.why for one in asides)
    assert any("block 7: 3 workers died" in line for line in lines)


@pytest.mark.sweep
def test_every_shard_is_dealt_to_one_part_and_joined_parts_are_the_whole(tmp_path: Path) -> None:
    even = replace(PLAN, even=True)
    whole = played(tmp_path / "whole", Hands(3), plan=even)
    for n in (1, 2, 3):
        played(tmp_path / f"part{n}", Hands(2), plan=replace(even, part=(n, 3)))
    store.join(tmp_path / "joined", [tmp_path / f"part{n}" for n in (1, 2, 3)])

    assert whole == played(tmp_path / "joined")


def test_parts_of_different_campaigns_are_not_joined_nor_one_part_twice(tmp_path: Path) -> None:
    store.create(tmp_path / "a", PLAN)
    store.create(tmp_path / "b", replace(PLAN, seed=4))
    with pytest.raises(ShardsError, match="part of another campaign"):
        store.join(tmp_path / "c", [tmp_path / "a", tmp_path / "b"])

    played(tmp_path / "d", Hands(1))
    with pytest.raises(ShardsError, match="joined already"):
        store.join(tmp_path / "e", [tmp_path / "d", tmp_path / "d"])


def test_second_client_is_kept_out_and_readers_are_not(tmp_path: Path) -> None:
    store.create(tmp_path, PLAN)
    with store.open_to_write(tmp_path), store.open_to_read(tmp_path) as reader:
        assert is_running(tmp_path)
        assert reader.plan == PLAN
        with pytest.raises(ShardsError, match="another process"), store.open_to_write(tmp_path):
            pass
    assert not is_running(tmp_path)


def test_full_disk_loses_nothing_that_was_counted(tmp_path: Path) -> None:
    store.create(tmp_path, PLAN)

    def with_little_room(open_store: store.Store) -> None:
        open_store._database.execute("pragma max_page_count = 16")

    with (
        pytest.raises(ShardsError, match="nothing counted is lost"),
        store.open_to_write(tmp_path) as full,
    ):
        with_little_room(full)
        course.play(full, Hands(3), lambda _: None)
    with store.open_to_read(tmp_path) as reader:
        assert 0 < sum(one.shards for one in reader.totals()) < 600

    assert played(tmp_path, Hands(3)) == played(tmp_path.parent / "undisturbed", Hands(3))


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100])
def test_folder_that_is_not_a_campaign_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / DATABASE).write_bytes(content)

    with (
        pytest.raises(ShardsError, match="cannot be read as a campaign"),
        store.open_to_read(tmp_path),
    ):
        pass


def test_campaign_of_a_later_format_is_refused(tmp_path: Path) -> None:
    store.create(tmp_path, replace(PLAN, format=99))

    with (
        pytest.raises(ShardsError, match="a format that this one does not read"),
        store.open_to_read(tmp_path),
    ):
        pass


# ------------------------------------------------------------------------------------ budget


def test_seed_of_a_shard_is_the_same_for_each_engine_and_for_no_other_block() -> None:
    shards = [Shard(engine, law, block) for engine in ("one", "two") for law in LAWS for block in range(50)]

    assert len({seed_of(PLAN, shard) for shard in shards}) == len(shards) / 2


def test_laws_that_find_something_get_more_and_no_law_is_forgotten() -> None:
    records = {law: LawRecord(20, 15 if law == "law_c" else 0) for law in LAWS}
    given = [shard.law for n in range(1, 9) for shard in planned_shards(PLAN, "one", n, {}, records)]

    assert given.count("law_c") > len(given) / 2
    assert set(given) == set(LAWS)


def test_until_something_is_known_each_law_gets_the_same() -> None:
    """So a law of which nothing is known never gets more than another by chance."""
    blocks = dict.fromkeys(LAWS, 1)
    nothing_new = {law: LawRecord(8, 0) for law in LAWS}

    for records in ({}, nothing_new):
        given = [shard.law for shard in planned_shards(PLAN, "one", 1, blocks, records)]
        assert [ROUND // len(LAWS)] * len(LAWS) == [given.count(law) for law in LAWS]


def test_law_that_is_known_to_be_good_is_not_lost_among_hundreds_of_unknown_ones() -> None:
    many = tuple(f"law_{number}" for number in range(270))
    records = {law: LawRecord(1, 0) for law in many} | {"law_7": LawRecord(10, 4)}
    given = [
        shard.law
        for number in range(1, 9)
        for shard in planned_shards(replace(PLAN, laws=many), "one", number, {}, records)
    ]

    assert given.count("law_7") > len(given) / 2


def test_even_budget_gives_each_law_the_same() -> None:
    even = replace(PLAN, even=True)

    assert [shard.law for shard in planned_shards(even, "one", 5, {}, {})] == list(LAWS)


# -------------------------------------------------------------------------------------- a shard


@pytest.mark.sweep
def test_shard_is_the_same_each_time_and_its_find_fails_the_engine_only(tmp_path: Path) -> None:
    engine = CampaignEngine("mutant:timestamps-only")
    plan = CampaignPlan(suite_version(), (engine,), every_law(), seed=1, cases=400, block=30)

    def counted(name: str) -> ShardResult:
        return replace(play_shard(ShardTask(plan, Shard(engine.name, name, 0))), seconds=0.0)

    results = [counted(name) for name in every_law() if "depend" in name][:4]
    found = [one for result in results for one in result.found]

    assert results == [counted(result.shard.law) for result in results]
    assert found
    for one in found:
        assert one.kind == "fail"
        assert "timestamps-only" in one.alike
        (tmp_path / f"{json.loads(one.scenario)['id']}.json").write_text(one.scenario)
    assert CliRunner().invoke(main, ["run", str(tmp_path), "--engine", "reference"]).exit_code == 0
    assert CliRunner().invoke(main, ["run", str(tmp_path), "--engine", engine.name]).exit_code == 1


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("fault", "kinds", "limit"),
    [
        ("never", ["hang"], None),
        ("dies-always", ["crash"], None),
        ("by-order", ["nondeterministic"], None),
        ("grows", ["nondeterministic", "protocol"], 200_000_000),  # and its answers lack what they must have
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_engine_that_hangs_dies_grows_or_changes_is_found_and_holds_nobody_up(
    monkeypatch: pytest.MonkeyPatch, fault: str, kinds: list[str], limit: int | None
) -> None:
    monkeypatch.setattr("conformance_adapters.stdio.LONGEST_PAUSE", 0.05)
    argv = (sys.executable, "-S", "-E", torture.__file__, fault)
    engine = CampaignEngine("faulty", argv, request=0.05 if fault == "never" else 60.0, max_memory=limit)
    plan = CampaignPlan(suite_version(), (engine,), every_law(), seed=1, cases=10, block=10)
    law = "all_must_pass_in_succession"
    try:
        result = play_shard(ShardTask(plan, Shard(engine.name, law, 0)))
    finally:
        cast("StdioEngine", engine_of_worker(msgspec.json.encode(engine))).close()
        engine_of_worker.cache_clear()

    assert kinds == sorted({one.kind for one in result.found})
    assert ("died or hung too often" in result.why) == (fault != "by-order")


def test_warnings_for_people_who_write_laws_do_not_reach_the_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def warns(task: ShardTask) -> ShardResult:
        warnings.warn("Generating overly large repr.", HypothesisWarning, stacklevel=1)
        return ShardResult(task.shard, suite_version(), 1, 0, 1, 0.0)

    monkeypatch.setattr("conformance.campaign.shard.play_shard", warns)

    assert b'"cases":1' in play_encoded(msgspec.json.encode(ShardTask(PLAN, Shard("one", "law_a", 0))))


def every_law() -> tuple[str, ...]:
    from conformance.properties import PROPERTIES

    return tuple(law.name for law in PROPERTIES)


def test_worker_with_another_version_plays_nothing_and_says_so() -> None:
    plan = replace(PLAN, suite="0.0.0-other")

    result = play_shard(ShardTask(plan, Shard("one", "law_a", 0)))

    assert result.cases == 0
    assert "the campaign began with 0.0.0-other" in result.why


# ------------------------------------------------------------------------------------ the commands


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["start", "DIR", "--engine", "reference"], "either --cases N or --for TIME"),
        (
            ["start", "DIR", "--engine", "reference", "--cases", "5", "--for", "1h"],
            "either --cases N or --for",
        ),
        (["start", "DIR", "--engine", "reference", "--for", "soon"], "write 90s, 30m, 8h or 2d"),
        (["start", "DIR", "--engine", "refrence", "--cases", "5"], "reference"),
        (["start", "DIR", "--engine", "reference,reference", "--cases", "5"], "names an engine twice"),
        (
            ["start", "DIR", "--engine", "reference", "--engine", "reference", "--cases", "5"],
            "names an engine twice",
        ),
        (["start", "DIR", "--engine", "reference", "--cases", "5", "--property", "no_law"], "no_law"),
        (["start", "DIR", "--engine", "reference", "--cases", "5", "--part", "2/3"], "--part needs --even"),
        (["start", "DIR", "--engine", "reference", "--cases", "5", "--part", "4/3"], "2/8 for the second"),
        (["start", "DIR", "--engine", "reference", "--cases", "5", "--resource", "x"], "NAME=RESOURCE"),
        (["resume", "DIR"], "has no campaign"),
        (["status", "DIR"], "has no campaign"),
        (["stop", "DIR"], "has no campaign"),
        (["report", "DIR"], "has no campaign"),
        (["merge", "DIR", "DIR2"], "has no campaign"),
    ],
)
def test_wrong_request_is_refused_with_a_cure(tmp_path: Path, arguments: list[str], says: str) -> None:
    folder = str(tmp_path / "campaign")

    result = CliRunner().invoke(main, ["campaign", *(folder if one == "DIR" else one for one in arguments)])

    assert result.exit_code != 0
    assert says in result.output
    assert "Traceback" not in result.output
    assert not (tmp_path / "campaign").exists()


def test_report_has_each_cause_with_a_scenario_that_runs_and_no_markup_from_outside(tmp_path: Path) -> None:
    from conformance.data.library import all_fixtures
    from conformance.files.canonical import encode

    engine = CampaignEngine("evil`|<b>")
    store.create(tmp_path, replace(PLAN, engines=(engine,)))
    scenario = encode(all_fixtures()["L-0031"]).decode()
    found = FoundCause("fail", "613.8b", "types", "", "<script>|x|\x1b[31m", 4, scenario)
    with store.open_to_write(tmp_path) as open_store:
        for law in "abcde":
            shard = Shard(engine.name, f"law_{law}", 0)
            open_store.add(ShardResult(shard, "", 10, 0, 20, 1.0, (found,)), 0)

    result = CliRunner().invoke(main, ["campaign", "report", str(tmp_path)])
    told = (tmp_path / "report" / "report.md").read_text()
    page = (tmp_path / "report" / "report.html").read_text()
    [path] = (tmp_path / "report" / "scenarios").iterdir()

    assert result.exit_code == 0, result.output
    assert "<script>" not in told
    assert "<script>|x|" not in page
    assert "&lt;script&gt;|x|" in page
    assert "\x1b" not in told + page
    assert path.name in told
    assert path.name in page
    assert "in 5 shards, by `law_a`, `law_b`, `law_c`, `law_d` and 1 more law\n" in told
    assert "and 1 more law<" in page
    assert CliRunner().invoke(main, ["run", str(path), "--engine", "reference"]).exit_code == 0


def test_report_says_where_engines_agree(tmp_path: Path) -> None:
    names = "one", "other"
    store.create(tmp_path, replace(PLAN, engines=tuple(map(CampaignEngine, names))))
    types = FoundCause("fail", "613.8b", "types", "", "x", 4)
    power = replace(types, difference="power")
    by_block = [
        ((), ()),
        ((types,), (types,)),
        ((types,), ()),
        ((), (power,)),
        ((types,), (power,)),
        ((), None),
    ]
    with store.open_to_write(tmp_path) as open_store:
        for block, answers in enumerate(by_block):
            for name, found in zip(names, answers, strict=True):
                if found is not None:
                    result = ShardResult(Shard(name, "law_a", block), "", 10, 0, 20, 1.0, found)
                    open_store.add(result, 0)
        agreement = open_store.agreement(*names)
        told = list(report.lines(open_store, {}))

    assert Agreement("one", "other", 5, 1, 1, 1, 1, 1, 1) == agreement
    assert "| one, other | 5 | 1 | 1 | 1 | 1 | 1 |" in told


def test_status_and_stop_speak_of_who_plays(tmp_path: Path) -> None:
    store.create(tmp_path, PLAN)
    runner = CliRunner()

    assert "not running" in runner.invoke(main, ["campaign", "status", str(tmp_path)]).output
    assert "is not running" in runner.invoke(main, ["campaign", "stop", str(tmp_path)]).output
    with store.open_to_write(tmp_path) as open_store:
        assert "running, seed 3" in runner.invoke(main, ["campaign", "status", str(tmp_path)]).output
        assert "asked to stop" in runner.invoke(main, ["campaign", "stop", str(tmp_path)]).output
        assert "stopped" == course.play(open_store, Hands(2), lambda _: None)


def test_time_that_is_spent_ends_a_campaign_over_all_sittings(tmp_path: Path) -> None:
    def ticks() -> Iterator[float]:
        now = 0.0
        while True:
            yield now
            now += 1.0

    store.create(tmp_path, replace(PLAN, cases=None, seconds=60.0))
    endings = []
    for clock in (ticks(), ticks()):
        with store.open_to_write(tmp_path) as open_store:
            hands = Hands(2)
            ending = course.play(open_store, hands, lambda _: None, clock.__next__)
            endings.append((ending, bool(hands.asked)))

    assert [("time", True), ("time", False)] == endings


def test_database_stays_small(tmp_path: Path) -> None:
    """A billion cases in shards of 250 may take 2 GB, which leaves 500 bytes for each shard."""
    store.create(tmp_path, PLAN)
    with store.open_to_write(tmp_path) as open_store:
        found = FoundCause("fail", "613.1", "types", "", "says", 4, "scenario" * 100)
        law = "what_an_effect_reads_is_read_when_it_applies"
        for block in range(2000):
            shard = Shard("mutant:timestamps-only", law, block)
            open_store.add(
                ShardResult(shard, "", 250, 0, 700, 12.5, (found,) * (block % 3 == 0)), block // 64
            )
    with sqlite3.connect(tmp_path / DATABASE) as database:
        pages, size = (
            database.execute(f"pragma {what}").fetchone()[0] for what in ("page_count", "page_size")
        )
    database.close()

    assert pages * size / 2000 < 500

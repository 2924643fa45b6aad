"""Checks distinguish broken engines from the reference engine: after how many cases, citing which rule."""

from __future__ import annotations

import json
import time
from functools import partial
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.data.library import all_fixtures
from conformance.measure import kill_matrix
from conformance.measure.kill_matrix import (
    Kill,
    MutantEffort,
    cheapest_kill,
    checks_that_kill_nothing,
    is_named,
    kills,
    kills_of,
    last_line,
    line,
)
from conformance.model.engine import Engine
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.mutants import MUTANTS
from conformance.properties import PROPERTIES
from conformance.shards.lists import open_list
from conformance.shards.players import processes
from conformance_adapters import connect

ONE = next(mutant for mutant in MUTANTS if mutant.name == "timestamps-only")


def test_a_mutant_is_killed_by_a_fixture_and_by_a_property() -> None:
    found = kills_of(connect, MutantEffort(seconds=600), ONE.name)

    assert ["fixtures", "properties"] == [kill.kind for kill in found]
    fixture, law = found
    assert ONE.breaks in all_fixtures()[fixture.check].rules
    assert law.check in {one.name for one in PROPERTIES}
    assert fixture.examples >= 1
    assert law.examples >= 1
    assert law.named


@pytest.fixture
def some_fixtures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every twentieth fixture stands for all: where none fails, all are played."""
    some = dict(islice(all_fixtures().items(), 0, None, 20))
    monkeypatch.setattr(kill_matrix, "all_fixtures", lambda: some)


@pytest.mark.sweep
@pytest.mark.usefixtures("some_fixtures")
def test_check_that_the_reference_engine_breaks_too_kills_nobody() -> None:
    """Here the broken engine is the reference engine as well."""
    found = kills_of(lambda _: connect(f"mutant:{ONE.name}"), MutantEffort(examples=6, seconds=1), ONE.name)

    assert () == found


class Waiting:
    """An engine that waits a moment before each play, as on a busy machine."""

    def __init__(self, engine: Engine) -> None:
        self.describe = engine.describe
        self._play = engine.play

    def play(self, play: Play) -> Observations:
        time.sleep(0.02)
        return self._play(play)


@pytest.mark.sweep  # an engine is given processor time, most of which coverage would take
def test_mutant_is_killed_also_on_a_busy_machine() -> None:
    effort = MutantEffort(kinds=("properties",), seconds=0.5)
    begin = time.perf_counter()

    assert kills_of(lambda name: Waiting(connect(name)), effort, "newest-of-loop")
    assert time.perf_counter() - begin > effort.seconds


def test_only_the_kinds_asked_for_are_tried() -> None:
    [kill] = kills_of(connect, MutantEffort(kinds=("fixtures",)), ONE.name)
    assert "fixtures" == kill.kind


@pytest.mark.sweep
@pytest.mark.usefixtures("some_fixtures")
def test_the_reference_engine_is_killed_by_nothing() -> None:
    none = kills_of(lambda name: connect("reference"), MutantEffort(examples=6, seconds=0.5), ONE.name)
    assert () == none


@pytest.mark.parametrize(
    ("rule", "by", "named"),
    [
        ("613.8b", "613.8b", True),
        ("613.8", "613.8b", True),
        ("613.8b", "613.8", False),
        ("613.8b", "613.8a", False),
        ("613.1", "613.11", False),
        ("613", "613.1", False),
    ],
)
def test_a_rule_is_named_by_itself_and_by_its_letters(rule: str, by: str, named: bool) -> None:
    assert named == is_named(rule, by)


def kill(kind: str, examples: int, named: bool = False, check: str = "it") -> Kill:
    return Kill(ONE.name, kind, check, examples, 0.1, named)  # type: ignore[arg-type]  # a kind by its name


def test_the_cheapest_kill_of_a_kind_is_shown() -> None:
    found = [kill("fixtures", 9), kill("properties", 5, True), kill("properties", 3)]

    assert 3 == getattr(cheapest_kill(found, "properties"), "examples", None)
    assert "it (3, rule not named)" in line(ONE, found)
    assert "1 of 1 mutants killed by fixtures, 1 by properties, 1 named" == last_line([(ONE, found)])
    assert "0 of 1 mutants killed by fixtures, 0 by properties, 0 named" == last_line([(ONE, [])])


def test_checks_that_kill_nothing_are_reported() -> None:
    killer = PROPERTIES[0].name
    idle = checks_that_kill_nothing([(ONE, [kill("properties", 1, check=killer)])], "properties")

    assert [law.name for law in PROPERTIES[1:]] == idle


def test_processes_share_the_work_and_keep_the_order() -> None:
    few = MUTANTS[:3]
    found = []
    effort = MutantEffort(kinds=("fixtures",))
    kills(connect, effort, lambda mutant, _: found.append(mutant.name), few, where=partial(processes, 2))
    assert [mutant.name for mutant in few] == found


def test_command_prints_and_writes_the_kills(tmp_path: Path) -> None:
    file = tmp_path / "kills.json"
    done = CliRunner().invoke(
        main,
        ["mutants", "--by", "fixtures", "--workers", "1", "--json", str(file), "timestamps-only", "no-loops"],
    )

    assert 0 == done.exit_code, done.output
    assert "2 of 2 mutants killed by fixtures, 0 by properties" in done.output.splitlines()[-1]
    assert {"timestamps-only", "no-loops"} == {one["mutant"] for one in json.loads(file.read_bytes())}


def test_command_does_not_know_every_name() -> None:
    done = CliRunner().invoke(main, ["mutants", "timestamps-onyl"])

    assert 2 == done.exit_code
    assert "did you mean 'timestamps-only'?" in done.output


@pytest.mark.sweep
def test_parts_are_joined_and_the_whole_plays_nothing_again(tmp_path: Path) -> None:
    names = ["timestamps-only", "no-loops", "newest-of-loop"]
    asked = ["mutants", "--by", "fixtures", "--workers", "1", *names]
    parts = [tmp_path / "part1", tmp_path / "part2"]
    for number, part in enumerate(parts, 1):
        done = CliRunner().invoke(main, [*asked, "--folder", str(part), "--part", f"{number}/2"])
        assert 0 == done.exit_code, done.output

    whole = tmp_path / "whole"
    joined = CliRunner().invoke(main, ["campaign", "merge", str(whole), *map(str, parts)])
    assert "3 of 3 shards" in joined.output
    shown = CliRunner().invoke(main, [*asked, "--folder", str(whole)])

    assert "3 of 3 mutants killed by fixtures, 0 by properties" in shown.output.splitlines()[-1]
    assert names == [line.split()[0] for line in shown.output.splitlines()[:3]]
    with open_list(whole) as listed:
        assert 3 == listed.status().done
    other = CliRunner().invoke(main, [*asked[:-1], "--folder", str(whole)])
    assert 1 == other.exit_code
    assert "has other work: its items differ from what is asked now" in other.output


def test_part_that_nothing_keeps_is_refused() -> None:
    done = CliRunner().invoke(main, ["mutants", "--part", "1/2"])

    assert 2 == done.exit_code
    assert "--part needs --folder DIR" in done.output

"""The tool that asks other engines about the reference engine finds where two of them answer alike."""

import pytest
from click.testing import CliRunner

from conformance.mutants import MUTANTS
from conformance_adapters.in_process import Reference, with_rules_of
from tools.__main__ import main
from tools.outvoted import means_of_some, polls, report_on

RIGHT = Reference()
WRONG = {one.name: Reference(rules=with_rules_of(one)) for one in MUTANTS}
MEANS = means_of_some([RIGHT.describe()])
NEWEST_FIRST = "newest-first"


@pytest.mark.sweep
def test_two_engines_with_one_bug_outvote_the_reference_engine() -> None:
    engines = {"one": WRONG[NEWEST_FIRST].play, "other": WRONG[NEWEST_FIRST].play, "right": RIGHT.play}
    found = list(polls(engines, MEANS, 60, seed=1, real=True))
    shared = [one for one in found if one.outvoted]
    assert shared
    for one in shared:
        assert {("one", "other")} == set(one.outvoted.values())
        assert "" == one.differences["right"]


@pytest.mark.sweep
def test_an_engine_alone_outvotes_nobody() -> None:
    engines = {"one": WRONG[NEWEST_FIRST].play, "right": RIGHT.play}
    found = list(polls(engines, MEANS, 60, seed=1, real=True))
    assert any(any(one.differences.values()) for one in found)
    assert not any(one.outvoted for one in found)


@pytest.mark.sweep
def test_report_tells_each_difference_once_and_counts_all() -> None:
    engines = {"one": WRONG[NEWEST_FIRST].play, "other": WRONG[NEWEST_FIRST].play}
    one = next(one for one in polls(engines, MEANS, 60, seed=1, real=True) if one.outvoted)
    difference, total = report_on([one, one], 2)
    assert difference.startswith("one, other: ")
    assert next(iter(one.outvoted)) in difference
    assert "\n    players: {" in difference
    assert (
        "2 scenarios: 2 judged by 2 engines or more, 2 with a difference, 2 with one that 2 engines share"
        == total
    )


@pytest.mark.parametrize("engines", [["reference"], ["reference", "reference"]])
def test_command_needs_two_engines(engines: list[str]) -> None:
    ended = CliRunner().invoke(main, ["outvoted", *engines])
    assert 2 == ended.exit_code
    assert "name at least two engines" in ended.stderr


def test_command_plays_as_many_scenarios_as_asked_for() -> None:
    ended = CliRunner().invoke(main, ["outvoted", "reference", "mutant:newest-first", "--scenarios", "3"])
    assert 0 == ended.exit_code, ended.output
    assert ended.stdout.startswith("3 scenarios: ")

"""An engine that is silent exactly where it would be wrong fails nothing, but its silence is reported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec import UNSET, Struct
from msgspec.structs import replace

from conformance.cli import main
from conformance.data.rulebook import newest_edition
from conformance.model.engine import CannotPlay, Engine, EngineInfo
from conformance.model.features import features_of
from conformance.model.observation import Observations, Snapshot
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play
from conformance.play.runner import run
from conformance.play.selection import selected_fixtures
from conformance.report.markdown import markdown
from conformance.results.events import read_run
from conformance.results.silence import (
    PlayedCheck,
    Silence,
    Suspicious,
    UnplayedShare,
    lines_of_silence,
    needs_of,
    silence_in,
    silence_of,
)
from conformance.results.summary import Score, score_of
from conformance_adapters import connect

pytestmark = pytest.mark.sweep


@cache
def right_answer(play: Play) -> Observations:
    """The reference engine's answer; most tests here ask for the same ones."""
    return connect("reference").play(play)


class Evasive:
    """An engine with one rule broken that is silent wherever it would be wrong."""

    def __init__(self, mutant: str, *, leaves_out_keys: bool) -> None:
        self._wrong: Engine = connect(f"mutant:{mutant}")
        self._leaves_out_keys = leaves_out_keys

    def describe(self) -> EngineInfo:
        return EngineInfo("evasive", "1")

    def play(self, play: Play, /) -> Observations:
        right = right_answer(play)
        try:
            wrong = self._wrong.play(play)
        except ScenarioError:
            raise CannotPlay("not implemented yet") from None
        if right == wrong:
            return wrong
        if self._leaves_out_keys and right.looks.keys() == wrong.looks.keys() and not wrong.stopped:
            looks = {name: agreed(look, right.looks[name]) for name, look in wrong.looks.items()}
            return replace(wrong, looks=looks, tried=right.tried)
        raise CannotPlay("not implemented yet")


def agreed(wrong: Snapshot, right: Snapshot) -> Snapshot:
    """A look without the keys that are wrong."""
    return Snapshot(
        {id: of for id, one in wrong.objects.items() if (of := same(one, right.objects.get(id)))},
        {id: of for id, one in wrong.players.items() if (of := same(one, right.players.get(id)))},
        same(wrong.table, right.table) or wrong.table,
    )


def same(wrong: Any, right: Struct | None) -> Any:
    """What is seen of one thing, without what is wrong."""
    keys = [key for key in wrong.__struct_fields__ if getattr(wrong, key) != getattr(right, key, None)]
    return replace(wrong, **dict.fromkeys(keys, UNSET)) if right is not None else None


class Partial:
    """An engine that really lacks some features, and says so wherever they are needed."""

    def __init__(self, *lacks: str) -> None:
        self._lacks = frozenset(lacks)

    def describe(self) -> EngineInfo:
        return EngineInfo("partial", "1", lacks=self._lacks)

    def play(self, play: Play, /) -> Observations:
        if self._lacks & features_of(play):
            raise CannotPlay("not implemented yet")
        return right_answer(play)


@pytest.fixture(scope="module")
def about_layers() -> Sequence[Fixture]:
    return [one.fixture for one in selected_fixtures(rules=("613",))]


def silence_over(engine: Engine, fixtures: Sequence[Fixture]) -> tuple[Counter[Score], Silence]:
    """The scores of an engine, and the assessment of its silence."""
    results = run(engine, fixtures, newest_edition())
    scores = {one.id: score_of(one.verdict) for one in results}
    played = [(one, scores[one.id]) for one in fixtures if one.id in scores]
    return Counter(scores.values()), silence_of(played)


@pytest.mark.parametrize(
    ("mutant", "rule", "leaves_out_keys"),
    [
        pytest.param("set-after-modify", "613.4", False, marks=pytest.mark.nightly),
        pytest.param("by-id", "613", True, marks=pytest.mark.nightly),
        pytest.param("newest-of-loop", "613.8", False, marks=pytest.mark.nightly),
        ("keywords-survive", "613.1f", True),
    ],
)
def test_silence_where_an_engine_would_be_wrong_is_suspicious(
    about_layers: Sequence[Fixture], mutant: str, rule: str, leaves_out_keys: bool
) -> None:
    scores, silence = silence_over(Evasive(mutant, leaves_out_keys=leaves_out_keys), about_layers)

    assert "failed" not in scores
    assert 0 < scores["unsupported"] < scores["passed"]
    assert [one for one in silence.suspicious if one.rule.startswith(rule)], lines_of_silence(silence)


@pytest.mark.parametrize("lacks", [("counters",), ("control", "copies"), ("combat", "triggers", "choices")])
def test_honest_gap_is_not_suspicious(about_layers: Sequence[Fixture], lacks: tuple[str, ...]) -> None:
    scores, silence = silence_over(Partial(*lacks), about_layers)

    assert scores["unsupported"] > 5
    assert () == silence.suspicious
    assert silence.least_played[0].unplayed


# ------------------------------------------------------------------------------------ on a few checks


def checks(*rows: str) -> Iterator[PlayedCheck]:
    """Checks by rows like `+ 613.8 a b`: played, about 613.8, and made of a and b; `-` is unsupported."""
    for number, row in enumerate(rows):
        mark, rule, *needs = row.split()
        score: Score = "passed" if mark == "+" else "unsupported" if mark == "-" else "failed"
        yield PlayedCheck(f"L-{number:04}", (rule,), score, frozenset(needs))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["+ 613.8 a", "+ 613.8 a b", "! 613.8 b", "- 613.8 a b"], [("613.8", 1, 4, ("L-0003",))]),
        (["+ 613.8 a", "+ 613.8 a", "+ 613.8 a", "- 613.8 a c"], []),
        (["+ 613.8 a", "+ 613.8 a", "+ 613.8 a b", "- 613.8 a b", "- 704.5 b"], []),
        (["+ 613.8 a", "- 613.8 a", "+ 704.5 a", "+ 704.5 a"], []),
        (["+ 613.8 a", "+ 613.8 a", "+ 704.5 b"], []),
    ],
    ids=["unexplained", "only here", "played too seldom", "half of the rule is silent", "all is played"],
)
def test_silence_is_suspicious_if_nothing_explains_it(rows: list[str], expected: list[Any]) -> None:
    found = silence_in([*checks(*rows)]).suspicious

    assert [Suspicious(*one) for one in expected] == [*found]


def test_each_silent_check_stands_under_one_rule() -> None:
    def about(id: str, score: Score, *rules: str) -> PlayedCheck:
        return PlayedCheck(id, rules, score, frozenset({"a"}))

    played = [about(f"L-10{number}", "passed", "613.1", "613.4", "613.8") for number in range(8)]
    silent = [
        about("L-0001", "unsupported", "613.1"),
        about("L-0002", "unsupported", "613.8", "613.4"),
        about("L-0003", "unsupported", "613.4"),
    ]

    assert (
        Suspicious("613.4", 2, 10, ("L-0002", "L-0003")),
        Suspicious("613.1", 1, 9, ("L-0001",)),
    ) == silence_in([*played, *silent]).suspicious


def test_rules_that_lost_most_come_first() -> None:
    found = silence_in(
        [
            *checks(
                *["- 613.8 a"] * 3, *["- 613.4 a", "+ 613.4 b", "+ 613.4 b"], *["- 704.5 a"] * 4, "- 117.1 a"
            )
        ]
    )

    assert (
        UnplayedShare("704.5", 4, 4),
        UnplayedShare("613.8", 3, 3),
        UnplayedShare("613.4", 1, 3),
    ) == found.least_played
    assert ["largest shares unsupported: 704.5 (4 of 4), 613.8 (3 of 3), 613.4 (1 of 3)"] == [
        *lines_of_silence(found)
    ]


def test_long_lists_are_cut_and_counted() -> None:
    shares = tuple(UnplayedShare(f"613.{number}", 1, 3) for number in range(1, 8))
    ids = tuple(f"L-000{number}" for number in range(9))
    some = tuple(Suspicious(f"704.{number}", 9, 99, ids) for number in range(1, 8))

    first, *others = lines_of_silence(Silence(shares, some))

    assert first.endswith("613.5 (1 of 3); in part 2 more rules")
    assert 6 == len(others)
    assert (
        "suspicious: 704.1, unsupported in 9 of 99 checks: everything in these is played elsewhere: "
        "L-0000, L-0001, L-0002, L-0003, L-0004, L-0005 and 3 more"
    ) == others[0]
    assert "suspicious: 2 more rules" == others[-1]
    assert [] == [*lines_of_silence(Silence())]


def test_what_a_check_is_made_of_names_its_parts_and_what_is_within_them() -> None:
    [moon] = [one.fixture for one in selected_fixtures(("L-0114",))]

    assert {"types", "key subtypes", "op basic_land_type", "starts in precombat main"} <= needs_of(moon)
    assert [need for need in needs_of(moon) if " with op basic_land_type" in need]


# ----------------------------------------------------------------------------------- as a user sees it


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Result:
    """The gate on an engine that is silent where it would be wrong."""
    monkeypatch.chdir(tmp_path)
    evasive = Evasive("set-after-modify", leaves_out_keys=False)
    monkeypatch.setattr("conformance_adapters.connect", lambda name, edition=None, home=None: evasive)
    arguments = ["run", "--engine", "evasive", "--profile", "gate", "--rule", "613.4", "--json", "run.json"]
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def test_gate_tells_of_it_on_the_terminal_and_in_every_report(gate: Result) -> None:
    page = markdown(run_in_here())

    assert 0 == gate.exit_code
    lines = gate.stdout.splitlines()
    [told] = [line for line in lines if line.startswith("suspicious: 613.4")][:1]
    assert [line for line in lines if line.startswith("largest shares unsupported: 613.4")]
    assert lines.index(told) < len(lines) - 1
    assert " 0 failed, " in lines[-1]
    assert "- Suspicious: 613.4" in page
    assert "- Largest shares unsupported: 613.4" in page


def run_in_here() -> Any:
    run = read_run(Path("run.json"))
    last = json.loads(Path("run.json").read_text(encoding="utf-8").splitlines()[-1])
    assert run.ended is not None
    assert [one["rule"] for one in last["silence"]["suspicious"]] == [
        one.rule for one in run.ended.silence.suspicious
    ]
    return run


def test_limit_of_a_rule_makes_it_inconclusive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    partial = Partial("counters")
    monkeypatch.setattr("conformance_adapters.connect", lambda name, edition=None, home=None: partial)

    def ended(*limits: str) -> tuple[int, str]:
        options = [part for limit in limits for part in ("--max-unsupported", limit)]
        arguments = ["run", "--engine", "partial", "--rule", "613.4", "--profile", "gate", *options]
        result = CliRunner().invoke(main, arguments, catch_exceptions=False)
        return result.exit_code, result.stdout.splitlines()[-1]

    assert 0 == ended("90%", "613.4=90%")[0]
    code, last = ended("90%", "613.4c=1%")
    assert 5 == code
    assert last.startswith("613.4c: ") and last.endswith(" unsupported; at most 1% is allowed")
    Path("conformance.toml").write_text('engine = "partial:x"\nmax_unsupported = {"613.4c" = 0}\n')
    assert 5 == ended()[0]

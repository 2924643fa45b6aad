"""Causes against cases: the same for any number of workers, and the same as in the measure of budgets."""

from __future__ import annotations

import random
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from click.testing import CliRunner

from conformance.campaign import store
from conformance.campaign.curve import CauseCurve, cause_curves
from conformance.campaign.plan import CampaignEngine, CampaignPlan, Shard
from conformance.campaign.shard import started_engine
from conformance.data.library import all_fixtures
from conformance.model.engine import close, suite_version
from conformance.model.verdict import Fail, judge
from conformance.pages.curves import CurveShown, svg_of_curves
from conformance.play.runner import answer_to
from conformance_adapters.in_process import Reference
from tests.test_campaign import LAWS, PLAN, Hands, made_up, played
from tools.__main__ import main
from tools.budget import curve_by, several_mistakes
from tools.campaign_curve import table
from tools.code_changes import identified_changes
from tools.machine_campaign import machine_engine

ASKING = "reference_engine/layers/asking.py"


def curves_in(*folders: Path) -> tuple[CauseCurve, ...]:
    """The curve of the engine called one in each campaign."""
    opened = [store.open_to_read(folder) for folder in folders]
    stores = [one.__enter__() for one in opened]
    try:
        return cause_curves(stores, "one")
    finally:
        for one in opened:
            one.__exit__(None, None, None)


class Pretended:
    """The shards of the pretended engine, as the measure of budgets asks for them."""

    def shard(self, shard: Shard) -> tuple[int, frozenset[str]]:
        task = msgspec.json.encode({"plan": PLAN, "shard": shard})
        result = msgspec.json.decode(made_up(task))
        return result["cases"], frozenset(one["rule"] for one in result["found"])


@pytest.mark.sweep
@pytest.mark.parametrize("even", [True, False], ids=["even", "where it pays"])
def test_curve_depends_on_no_worker_and_is_that_of_the_measure(tmp_path: Path, even: bool) -> None:
    plan = CampaignPlan(
        suite_version(), (CampaignEngine("one"),), LAWS, seed=3, cases=3000, block=10, even=even
    )
    played(tmp_path / "a", Hands(1), plan=plan)
    played(tmp_path / "b", Hands(8, seed=4), plan=plan)
    first, second = curves_in(tmp_path / "a", tmp_path / "b")

    assert first == second == curve_by(Pretended(), plan)  # type: ignore[arg-type]  # all that is asked of it
    assert (3000, 3, 0) == (first.total, first.at(3000), first.at(0))


def test_table_counts_causes_and_engines_with_any() -> None:
    rich, poor = CauseCurve((10, 20), (2, 3), 120), CauseCurve((), (), 120)
    late = CauseCurve((115,), (1,), 120)

    lines = list(table(["even", "other"], [(rich, late), (poor, late), (poor, poor)]))

    assert "3 engines that every budget finished, 2 of them noticed." == lines[0]
    assert "| 20 | 3 | 0 | 1 | 0 |" in lines
    assert "| 120 | 3 | 2 | 1 | 2 |" == lines[-1]


def test_command_reads_finished_campaigns_and_draws(tmp_path: Path) -> None:
    played(tmp_path / "pays", Hands(3))
    drawn = tmp_path / "curve.svg"

    ended = CliRunner().invoke(main, ["campaign-curve", str(tmp_path / "pays"), "--svg", str(drawn)])

    assert 0 == ended.exit_code, ended.output
    assert "| 3,000 | 6 | 2 |" in ended.output
    assert "pays (where it pays): 6" in drawn.read_text(encoding="utf-8")


def test_picture_is_well_formed_whatever_names_say() -> None:
    drawn = svg_of_curves("<title>", (CurveShown("a & <b>", ((0, 0), (10, 4))), CurveShown("empty", ())))

    root = ElementTree.fromstring(drawn)
    lines = [one for one in root.iter() if one.tag.endswith("polyline")]
    assert ["56.0,264.0 616.0,44.0"] == [one.get("points") for one in lines]
    assert "a & <b>: 4" in [one.text for one in root.iter()]


def test_engine_with_several_mistakes_fails_what_each_of_them_fails() -> None:
    engine, _ = several_mistakes("several:1-0")

    assert engine.describe().name == "several:1-0"
    broken = [
        fixture.id
        for fixture in random.Random(1).sample(list(all_fixtures().values()), 150)
        if isinstance(judge(fixture, answer_to(engine, fixture.play), ""), Fail)
    ]
    assert len(broken) > 3


def test_machine_made_engine_is_played_like_any_other() -> None:
    identity = next(
        one
        for one, _ in identified_changes(ASKING)
        if one.line.startswith('"color": lambda') and one.change == "word  →  nothing"
    )
    fixture = all_fixtures()["G-0098"]
    engine = started_engine(machine_engine(identity))
    try:
        answer = answer_to(engine, fixture.play)
    finally:
        close(engine)

    assert answer != Reference().play(fixture.play)


def test_unknown_machine_made_engine_is_refused() -> None:
    ended = CliRunner().invoke(main, ["machine-engine", "nothing", ASKING])

    assert 1 == ended.exit_code
    assert "no change has the id 'nothing'" in ended.output

"""Engines are measured side by side on the same work; what one does not play is left out for all."""

from __future__ import annotations

import re
import time
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.commands.engines import description_of
from conformance.data.library import all_fixtures
from conformance.measure.speed import board_to_look_at, variants
from conformance.model.engine import CannotPlay, EngineFailure, EngineInfo
from conformance.model.observation import Observations
from conformance.model.peer_report import EMPTY_ENGINE, PeerReport, PeerStart, PeerTiming, lines_of_peers
from conformance.model.scenario import Play
from conformance.pages.peers import peers_page
from conformance.shards.folder import ShardsError
from conformance.shards.lists import join_lists
from conformance_adapters import in_a_process
from conformance_adapters.in_process import Reference
from conformance_adapters.peer_bench import PeerRound, Work, peer_report, report_on

FEW = tuple(all_fixtures()[id].play for id in ("L-0001", "L-0031", "G-0058"))


class Choosy:
    """The reference engine, slowed down, that refuses the scenarios with these numbers."""

    def __init__(self, *refused: int, slower: float = 0.0) -> None:
        self.refused = [FEW[number] for number in refused]
        self.slower = slower
        self.asked: list[Play] = []

    def describe(self) -> EngineInfo:
        return EngineInfo("choosy", "7")

    def play(self, play: Play) -> Observations:
        self.asked.append(play)
        if play in self.refused:
            raise CannotPlay("not this")
        time.sleep(self.slower)
        return Reference().play(play)


@pytest.mark.sweep
def test_only_what_all_play_is_measured() -> None:
    one, other = Choosy(0), Choosy(2)

    report = peer_report({"one": one, "other": other}, [Work("few", FEW)], 2, description_of, turn=0)

    assert (("few", 1),) == report.numbers
    assert [2, 2, 2] == [timing.plays for timing in report.of_work("few")]
    assert [FEW[1]] * 2 == one.asked[-2:] == other.asked[-2:]
    assert ["one", "other", EMPTY_ENGINE] == [timing.engine for timing in report.timings]


@pytest.mark.sweep
def test_engine_that_plays_nothing_hides_no_other() -> None:
    report = peer_report(
        {"none": Choosy(0, 1, 2), "all": Choosy()}, [Work("few", FEW)], 1, description_of, turn=0
    )

    assert (("none", "few"),) == report.not_played
    assert (("few", 3),) == report.numbers
    assert report.starts[0].first is None
    assert "none             does not play it" in lines_of_peers(report)


class Tiring(Choosy):
    """An engine that plays each scenario for a while and then hangs."""

    def play(self, play: Play) -> Observations:
        if len(self.asked) > 5:
            raise EngineFailure("hang", "did not answer")
        return super().play(play)


@pytest.mark.sweep
def test_engine_that_fails_while_it_is_measured_ends_no_round_and_has_no_figures() -> None:
    report = peer_report({"tired": Tiring(), "all": Choosy()}, [Work("few", FEW)], 3, description_of, turn=0)

    assert (("tired", "few"),) == report.not_played
    assert ["all", EMPTY_ENGINE] == [timing.engine for timing in report.timings]
    assert {9} == {timing.plays for timing in report.timings}


def test_slow_engine_is_shown_as_slow() -> None:
    report = peer_report({"slow": Choosy(slower=0.2)}, [Work("few", FEW[:1])], 1, description_of, turn=0)

    slow, empty = report.timings
    assert slow.median >= 0.2 > empty.median
    assert slow.fast <= slow.median <= slow.slow


@pytest.mark.sweep
def test_rounds_of_several_sittings_are_one_report_and_none_is_played_again(tmp_path: Path) -> None:
    work = [Work("few", FEW[:1])]
    parts = [tmp_path / "part1", tmp_path / "part2"]
    for number, part in enumerate(parts, 1):
        report = peer_report(
            {"one": Choosy()}, work, 3, description_of, turn=0, folder=part, part=(number, 2)
        )
        assert 3 - number == report.rounds
    join_lists(tmp_path / "whole", parts)
    never_asked = Choosy()

    report = peer_report({"one": never_asked}, work, 3, description_of, turn=0, folder=tmp_path / "whole")

    assert 3 == report.rounds
    assert [3, 3] == [timing.plays for timing in report.timings]
    assert [] == never_asked.asked


def test_rounds_of_two_machines_are_no_report() -> None:
    here = PeerRound("here, 2 cores", None, (), (), (), ())

    with pytest.raises(ShardsError, match="rounds of two machines: here, 2 cores and there, 8 cores"):
        report_on([here, PeerRound("there, 8 cores", None, (), (), (), ())])


def test_processor_time_is_that_of_the_engine_s_processes() -> None:
    engine = in_a_process("reference")
    try:
        report = peer_report(
            {"reference": engine},
            [Work("board", variants(board_to_look_at("lords", 300)))],
            1,
            description_of,
            0.5,
        )
    finally:
        engine.close()  # type: ignore[attr-defined]  # a child process

    reference, empty = report.timings
    assert reference.processor > empty.processor
    assert reference.processor > 0.005


REPORT = PeerReport(
    rounds=3,
    load=1.25,
    starts=(
        PeerStart("./shim <b>", "Engine 2", 1.5, 0.02),
        PeerStart(EMPTY_ENGINE, "empty 1", 0.1, 0.001),
    ),
    timings=(
        PeerTiming("./shim <b>", "a game", 30, 0.01, 0.008, 0.02, 0.009, 0.001),
        PeerTiming(EMPTY_ENGINE, "a game", 300, 0.001, 0.0005, 0.002, 0.0, 0.001),
    ),
    not_played=(("./shim <b>", "a board"),),
    numbers=(("a game", 1), ("a board", 2)),
)


def test_table_has_rates_and_spread() -> None:
    lines = lines_of_peers(REPORT)

    assert "./shim <b>          100.0 a second  (spread 50–125)  processor 9.00 ms, suite 1.00 ms" in lines
    assert "a board (2 scenarios)" in lines
    assert "3 rounds, load 1.2 for each core" == lines[-1]


def test_page_draws_bars_on_one_scale() -> None:
    html = peers_page(REPORT)

    # From 10 to 10,000 a second: three steps of ten, of which 100 a second is the first.
    assert ["33.33", "66.67"] == re.findall(r'class="speed" x="0" y="2" width="([\d.]+)"', html)
    assert "<b>100</b> a second, 9.00 ms of processor time" in html
    assert "./shim &lt;b&gt;</bdi> does not play it" in html
    assert "./shim <b>" not in html


def test_command_writes_what_it_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance_adapters.peer_bench.all_work", lambda: (Work("few", FEW),))
    figures, page = tmp_path / "speed.json", tmp_path / "speed.html"
    arguments = ["bench", "peers", "--rounds", "1", "--json", str(figures), "--html", str(page)]

    printed = CliRunner().invoke(main, arguments, catch_exceptions=False).output

    report = msgspec.json.decode(figures.read_bytes(), type=PeerReport)
    assert "\n".join(lines_of_peers(report)) + "\n" == printed
    assert ["reference", EMPTY_ENGINE] == [start.engine for start in report.starts]
    assert peers_page(report) == page.read_text(encoding="utf-8")


def test_options_of_peers_belong_to_it() -> None:
    result = CliRunner().invoke(main, ["bench", "game", "--rounds", "2"])

    assert 2 == result.exit_code
    assert "belong to `bench peers`" in result.output


@pytest.mark.sweep
def test_engine_that_does_not_start_is_named() -> None:
    result = CliRunner().invoke(main, ["bench", "peers", "--engine", "./is-not-there"])

    assert 3 == result.exit_code
    assert "./is-not-there" in result.output

"""The measurements of overhead use the same work on both sides, and are shown with their baseline."""

from __future__ import annotations

from click.testing import CliRunner

from conformance.cli import main
from conformance.data.library import all_fixtures
from conformance_adapters.bench import StartTime, WayRate, best, first_result, pipe_rates, run_rates

FEW = [all_fixtures()[id] for id in ("L-0001", "L-0031", "G-0058")]


def test_best_round_of_each_way_counts() -> None:
    one, other = iter([0.5, 0.1, 0.3]), iter([0.2, 0.4, 0.4])

    assert [100.0, 50.0] == best((lambda: next(one), lambda: next(other)), 10, 3)


def test_rate_is_reported_beside_the_rate_it_is_compared_with() -> None:
    bare = WayRate("bare", 2000.0)

    assert "   2,000 a second  bare" == str(bare)
    assert "   1,500 a second  ours  75% of bare" == str(WayRate("ours", 1500.0, bare))


def test_pipes_and_runs_are_measured_in_three_ways_each() -> None:
    for rates in (pipe_rates(FEW, rounds=1), run_rates(FEW, rounds=1)):
        bare, first, second = rates
        assert (None, bare, first) == (bare.beside, first.beside, second.beside)
        assert all(rate.a_second > 1 for rate in rates)


def test_start_is_measured_until_a_result_is_reported() -> None:
    start = first_result()

    assert 0.05 < start.at_work < start.passed < 60


def test_command_reports_everything(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("conformance_adapters.bench.EVERY", 400)
    monkeypatch.setattr("conformance_adapters.bench.ROUNDS", 1)
    monkeypatch.setattr("conformance_adapters.bench.first_result", lambda: StartTime(0.5, 0.25))

    said = CliRunner().invoke(main, ["bench", "seam"], catch_exceptions=False).output.splitlines()

    assert 7 == len(said)
    assert said[2].endswith("% of JSON lines through pipes")
    assert "    0.50 s  from the command to the first result of a run, 0.25 s at work" == said[6]

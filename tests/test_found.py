"""What a search finds in an engine, from the user's side: the run, its reports, stored files, the gate."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main
from conformance.data.library import load
from conformance.model.engine import CannotPlay, EngineFailure, EngineInfo
from conformance.model.observation import Observations, SeenTable, Snapshot
from conformance.model.scenario import Play, Want
from conformance.model.verdict import Crash, Fail, Nondeterministic, PassVerdict, Unsupported
from conformance.mutants import MUTANTS
from conformance.play.runner import Runner
from conformance.properties import PROPERTIES
from conformance.properties.games_agreement import nameable_keys
from conformance.results.events import FinishedCheck, PhaseBegan, events_in, read_run
from conformance.search.found import counterexamples_in, facts, folder_of
from conformance_adapters.in_process import Reference, with_rules_of
from reference_engine.language.setup import Start
from tests.test_cli import ANTHEM

LAWS = ("a_dependency_outranks_age", "two_switches_cancel")
BROKEN = "mutant:timestamps-only"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory, with one small fixture as the whole library and two properties."""
    file = tmp_path / "suite" / "layers" / "L-9001.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(ANTHEM, encoding="utf-8")
    monkeypatch.setattr("conformance.play.selection.fixture_files", lambda: iter([file]))
    monkeypatch.setattr("conformance.data.library.fixture_files", lambda: iter([file]))
    laws = tuple(law for law in PROPERTIES if law.name in LAWS)
    monkeypatch.setattr("conformance.play.selection.corpus_files", tuple)
    monkeypatch.setattr("conformance.play.selection.every_property", lambda: laws)
    monkeypatch.chdir(tmp_path)
    from conformance.play.selection import files_by_id

    files_by_id.cache_clear()
    yield tmp_path
    files_by_id.cache_clear()


def called(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["run", *arguments], catch_exceptions=False, prog_name="conformance")


def checked(*arguments: str) -> dict[str, FinishedCheck]:
    """The results of a run by id, from `--json`."""
    called(*arguments, "--json", "out.json")
    return {one.id: one for one in read_run(Path("out.json")).checked}


def files(home: Path, engine: str = BROKEN) -> list[Path]:
    return sorted(folder_of(home, engine).glob("*.json"))


def engine_of(
    monkeypatch: pytest.MonkeyPatch, play: Callable[[Play], Observations], lacks: frozenset[str] = frozenset()
) -> list[Any]:
    """Replaces every engine by one that plays this way; returns the connected ones."""
    made: list[Any] = []

    class Some:
        def __init__(self) -> None:
            self.asked = 0
            made.append(self)

        def describe(self) -> EngineInfo:
            return EngineInfo("some", "1", checks_understanding=True, lacks=lacks)

        def play(self, scenario: Play) -> Observations:
            self.asked += 1
            return play(scenario)

    monkeypatch.setattr("conformance_adapters.connect", lambda name, edition=None, home=None: Some())
    return made


@pytest.mark.sweep
def test_fixtures_and_properties_are_the_checks_of_a_plain_run(home: Path) -> None:
    came_to = checked()

    assert ["L-9001", *reversed(LAWS)] == list(came_to)
    assert all(isinstance(one.verdict, PassVerdict) for one in came_to.values())
    assert 20 == came_to[LAWS[0]].examples
    assert 0 == json.loads(Path("out.json").read_text(encoding="utf-8").splitlines()[0])["seed"]
    assert not (home / ".hypothesis").exists()


@pytest.mark.sweep
def test_broken_property_fails_by_the_scenario_that_shows_it(home: Path) -> None:
    result = called("--engine", BROKEN, "--property", LAWS[0])
    [file] = files(home)

    assert 1 == result.exit_code
    assert f"FAIL  {LAWS[0]} If one effect would end another's existence" in result.stdout
    assert "      expected  Swamp\n      observed  Island, Swamp\n      CR 613.8a: " in result.stdout
    again = f"again: conformance run --engine {BROKEN} {file.relative_to(home)}"
    assert again in result.stdout
    assert "1 property, " in result.stdout and "seed 0" in result.stdout
    fixture = load(file)
    assert ("613.8a", "613.8b", "305.7") == fixture.rules
    assert LAWS[0] in fixture.note and "seed 0" in fixture.note
    assert any("Nonbasic lands are" in card.text for card in fixture.play.cards)
    by_itself = called(*again.split()[3:])
    assert 1 == by_itself.exit_code
    assert "expected  Swamp" in by_itself.stdout
    assert 0 == called(str(file)).exit_code


@pytest.mark.sweep
def test_what_was_found_is_played_first_and_not_reported_twice(home: Path) -> None:
    first = checked("--engine", BROKEN)
    second = checked("--engine", BROKEN, "--examples", "1")

    assert {LAWS[0]} == {id for id, one in second.items() if isinstance(one.verdict, Fail)}
    assert first[LAWS[0]].verdict == second[LAWS[0]].verdict
    assert 1 == len(files(home))


@pytest.mark.sweep
def test_what_found_a_counterexample_is_data_of_the_event_and_of_the_file(home: Path) -> None:
    first = checked("--engine", BROKEN, "--seed", "3")[LAWS[0]].found
    [file] = files(home)
    assert first is not None and (LAWS[0], 3) == (first.law, first.seed)
    assert first == load(file).found
    stored = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(stored | {"note": "Ask Ada."}), encoding="utf-8")

    again = checked("--engine", BROKEN)

    assert first == again[LAWS[0]].found
    assert {LAWS[0]} == {id for id, one in again.items() if isinstance(one.verdict, Fail)}
    assert None is again["L-9001"].found


@pytest.mark.sweep
def test_mended_bug_is_reported_and_its_file_deleted(home: Path) -> None:
    called("--engine", BROKEN)
    shutil.move(folder_of(home, BROKEN), folder_of(home, "reference"))

    result = called()

    assert 0 == result.exit_code
    assert "mended: F-" in result.stderr and f"found by {LAWS[0]}" in result.stderr
    assert [] == files(home, "reference")


@pytest.mark.sweep
def test_gate_draws_nothing_and_does_not_depend_on_what_was_found(home: Path) -> None:
    gate = ("--engine", BROKEN, "--profile", "gate")
    before = called(*gate)
    called(*gate, "--update-divergences")
    first = {file.name: file.read_bytes() for file in home.glob("divergences*.yaml")}
    called("--engine", BROKEN)
    found = files(home)

    after = called(*gate)
    called(*gate, "--update-divergences")

    assert found
    assert (0, before.stdout) == (after.exit_code, after.stdout)
    assert ["L-9001"] == list(checked(*gate))
    assert first == {file.name: file.read_bytes() for file in home.glob("divergences*.yaml")}
    assert found == files(home)
    result = called("--engine", BROKEN, "--profile", "gate", "--property", LAWS[0])
    assert 2 == result.exit_code
    assert "--profile gate does not search" in result.stderr


@pytest.mark.sweep
def test_found_in_one_engine_is_nothing_to_another(home: Path) -> None:
    called("--engine", BROKEN)

    assert 0 == called().exit_code
    assert 1 == len(files(home))


def test_known_disagreement_of_a_property_passes_with_and_without_a_search(home: Path) -> None:
    called("--engine", BROKEN, "--update-divergences")
    shutil.rmtree(home / ".conformance")

    again = ("--engine", BROKEN, "--divergences", "divergences.yaml")
    quick, gate = called(*again), called(*again, "--profile", "gate")

    assert (0, 0) == (quick.exit_code, gate.exit_code), quick.stdout
    assert "1 failed as listed" in quick.stdout and "1 failed as listed" in gate.stdout
    listed = (home / "divergences.yaml").read_text(encoding="utf-8")
    assert f"check: {LAWS[0]}" in listed
    assert f"scenario: divergences/{LAWS[0]}.json" in listed
    assert f"{LAWS[1]}: passed" in (home / "divergences.plays.yaml").read_text(encoding="utf-8")
    assert load(home / "divergences" / f"{LAWS[0]}.json").id.startswith("F-")
    mended = called("--divergences", "divergences.yaml")
    assert 4 == mended.exit_code
    assert f"stale: {LAWS[0]}: listed as failing, and passes now" in mended.stdout


def test_crash_is_the_failure_of_a_property_and_kept_like_any_other(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(scenario: Play) -> Observations:
        if len(scenario.cards) > 2:
            raise EngineFailure("crash", "too many cards", "at shuffle")
        return Reference().play(scenario)

    engine_of(monkeypatch, play)
    came_to = checked("--property", LAWS[0], "--engine", "some one")

    assert Crash("too many cards", "at shuffle") == came_to[LAWS[0]].verdict
    [kept] = counterexamples_in(folder_of(home, "some one"))
    assert not isinstance(kept, Exception)
    assert kept.fixture.expect
    assert 1 == called("--engine", "some one", str(kept.path)).exit_code


def test_law_broken_only_sometimes_is_distinguished(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Reference(rules=with_rules_of(next(one for one in MUTANTS if one.name == "timestamps-only")))
    asked = iter(range(1_000_000))

    def play(scenario: Play) -> Observations:
        return (wrong if 12 < next(asked) < 40 else Reference()).play(scenario)

    made = engine_of(monkeypatch, play)
    came_to = checked("--property", LAWS[0], "--engine", "some one")

    verdict = came_to[LAWS[0]].verdict
    assert isinstance(verdict, Nondeterministic)
    assert "of 3 plays in a fresh process" in verdict.says
    assert [] == files(home, "some one")
    assert len(made) >= 4


def test_hang_of_a_fresh_process_is_told_from_another_answer(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = Reference(rules=with_rules_of(next(one for one in MUTANTS if one.name == "timestamps-only")))

    def play(scenario: Play) -> Observations:
        if len(made) > 5:
            raise EngineFailure("hang", "did not answer within 10 s")
        return wrong.play(scenario)

    made = engine_of(monkeypatch, play)
    came_to = checked("--property", LAWS[0], "--engine", "some one")

    verdict = came_to[LAWS[0]].verdict
    assert isinstance(verdict, Nondeterministic)
    assert "none in a fresh one, which did not answer within 10 s" in verdict.says
    assert "different answers" not in verdict.says


def test_engine_that_can_play_nothing_of_a_property_is_unsupported_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(scenario: Play) -> Observations:
        if any(card.definition.name == "Test Giver" for card in scenario.cards):
            raise CannotPlay("no givers")
        return Reference().play(scenario)

    engine_of(monkeypatch, play)
    came_to = checked("--property", "all", "--engine", "some one")

    verdict = came_to[LAWS[0]].verdict
    assert isinstance(verdict, Unsupported)
    assert "20 of 20 cases cannot be played: no givers" == verdict.says
    assert isinstance(came_to[LAWS[1]].verdict, PassVerdict)


def test_property_that_needs_what_an_engine_lacks_is_not_even_tried(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = engine_of(monkeypatch, Reference().play, lacks=frozenset({"switch"}))
    came_to = checked("--property", LAWS[1], "--engine", "some one")

    assert Unsupported("lacks switch") == came_to[LAWS[1]].verdict
    assert 0 == sum(one.asked for one in made)


def test_search_that_was_cut_off_goes_on_with_the_next_property(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(scenario: Play) -> Observations:
        if any(card.definition.name == "Test Giver" for card in scenario.cards):
            raise KeyboardInterrupt
        return Reference().play(scenario)

    arguments = ("--property", "all", "--engine", "some one", "--examples", "5")
    engine_of(monkeypatch, play)
    cut_off = called(*arguments)
    made = engine_of(monkeypatch, Reference().play)
    resumed = called(*arguments, "--resume")

    assert "1 of 2 properties, 5 examples, seed 0\n" in cut_off.stdout
    assert 130 == cut_off.exit_code and "interrupted: " in cut_off.stderr
    assert "1 verdicts are known" in resumed.stderr
    assert "2 properties, 5 examples, seed 0\n2 passed" in resumed.stdout
    assert 10 == made[0].asked


def test_engine_that_dies_again_and_again_is_left_alone(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def play(scenario: Play) -> Observations:
        raise EngineFailure("crash", "gone")

    engine_of(monkeypatch, play)
    monkeypatch.setattr("conformance.run.session.Runner", partial(Runner, deaths=1))
    came_to = checked("--property", "all", "--engine", "some one")

    verdicts = [type(one.verdict).__name__ for one in came_to.values()]
    assert ["Crash", "NotRun"] == verdicts
    assert 3 == called("--property", "all", "--engine", "some one").exit_code


@pytest.mark.sweep
def test_jobs_come_to_the_same(home: Path) -> None:
    engine = f"{sys.executable} -m conformance_adapters.serve {BROKEN}"

    unhurried = ("--engine", engine, "--examples", "2", "--time", "600", "-v")
    one, two = (called(*unhurried, "--jobs", jobs) for jobs in "12")

    assert 1 == one.exit_code
    assert one.stdout == two.stdout


@pytest.mark.parametrize(
    ("arguments", "ids"),
    [
        (["--rule", "613.8"], {LAWS[0]}),
        (["--rule", "613.4d"], {LAWS[1]}),
        (["-k", "switches"], {LAWS[1]}),
        (["--property", "all", "--rule", "613.8"], {LAWS[0]}),
        (["L-9001"], {"L-9001"}),
        (["L-9001", "--property", LAWS[1]], {"L-9001", LAWS[1]}),
    ],
)
def test_properties_are_chosen_like_fixtures(home: Path, arguments: list[str], ids: set[str]) -> None:
    assert ids == set(checked(*arguments, "--examples", "2"))


@pytest.mark.parametrize(
    ("arguments", "phases"),
    [
        (("--property", LAWS[1]), [("search", 1, 9.0)]),
        (("L-9001", "--property", LAWS[1]), [("checks", None, None), ("search", 1, 9.0)]),
        (("L-9001",), [("checks", None, None)]),
        ((), [("checks", 1, None), ("search", 2, 9.0)]),
    ],
)
def test_phases_say_how_much_there_is_to_come(
    home: Path, arguments: tuple[str, ...], phases: list[tuple[str, int | None, float | None]]
) -> None:
    result = called(*arguments, "--examples", "1", "--time", "9", "--json", "out.json")
    events = events_in(Path("out.json").read_bytes(), "out.json")

    assert 0 == result.exit_code
    assert phases == [(one.phase, one.at_most, one.seconds) for one in events if isinstance(one, PhaseBegan)]


def test_wrong_name_is_explained(home: Path) -> None:
    result = called("--property", "two_switches_cancle")

    assert 2 == result.exit_code
    assert "no property 'two_switches_cancle'\n    did you mean 'two_switches_cancel'?" in result.stderr


@pytest.mark.sweep
def test_seed_and_examples_and_time_are_heeded(home: Path) -> None:
    long = called("--property", LAWS[0], "--examples", "30", "--seed", "7", "-v")
    short = called("--property", "all", "--time", "0")

    assert "1 property, 30 examples, seed 7\n" in long.stdout
    assert "2 properties, 2 examples, seed 0; 2 of them ran out of time after 0 s" in short.stdout


@pytest.mark.sweep
def test_file_that_cannot_be_read_any_more_is_left_out(home: Path) -> None:
    called("--engine", BROKEN)
    [file] = files(home)
    file.write_text(file.read_text(encoding="utf-8").replace('"op"', '"po"'), encoding="utf-8")

    result = called("--engine", BROKEN)

    assert 1 == result.exit_code
    assert "left out: " in result.stderr and file.name in result.stderr


@pytest.mark.sweep
def test_reports_have_a_property_as_a_check(home: Path) -> None:
    called("--engine", BROKEN, "--junit", "out.xml", "--markdown", "out.md")

    junit, page = (Path(name).read_text(encoding="utf-8") for name in ("out.xml", "out.md"))
    assert f'name="{LAWS[0]} If one effect' in junit
    assert '<failure message="CR 613.8a: land' in junit
    assert "looks as if: Forgets that an effect depends on one that would end it." in junit
    assert "looks as if: Forgets that an effect depends on one that would end it." in page


def test_what_only_the_reference_engine_has_a_name_for_is_expected_of_nobody() -> None:
    play = Play((), Start("alice"), wants=(Want("end", "table", frozenset({"stack", "step"})),))
    table = SeenTable(step="upkeep", stack=("bolt", "enters of Bird#63"))

    expected = list(facts(play, Observations({"end": Snapshot(table=table)}), "CR 117.1"))

    assert ["step"] == [one.key for one in expected]
    assert frozenset({"step"}) == nameable_keys(Snapshot(table=table), play.wants[0])

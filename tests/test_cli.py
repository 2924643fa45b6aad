"""The command line: output, exit codes, and error messages that say what to do next."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from conformance.cli import main
from conformance.data.loading import schema_file
from conformance.data.rulebook import newest_edition
from conformance.model.engine import CannotPlay, EngineFailure, EngineInfo
from conformance.model.observation import Observations, SeenObject, Snapshot
from conformance.model.problems import Problem, ScenarioError
from conformance.model.scenario import Play
from conformance.model.verdict import Fail, PartOfVerdict
from conformance.properties import PROPERTIES
from conformance.report.console import wrapped_lines, write_lines
from conformance.report.progress import Watching
from conformance.report.terminal import Terminal
from conformance.results.events import FinishedCheck, PhaseBegan, events_schema

ANTHEM = """\
id: L-9001
title: An anthem makes a bear bigger
rules: ["613.4c"]
cards:
  - {name: Test Bear, types: Creature, subtypes: Bear, pt: 2/2}
  - name: Test Anthem
    types: Enchantment
    abilities:
      - static: {affects: {all: creatures}, does: [{modify: +1/+1}]}
setup:
  - {id: anthem, card: Test Anthem, controller: alice}
  - {id: bear, card: Test Bear, controller: bob}
expect:
  - {of: bear, power: 3, toughness: 3, because: "CR 613.4c: the anthem modifies"}
"""
ONCE = ANTHEM.replace("L-9001", "L-9002").replace("rules:", 'holds: {until: "2020-04-17"}\nrules:')
BROKEN = ANTHEM.replace("modify", "modifies")


class Fake:
    """An engine that answers each play as its function does."""

    def __init__(self, answer: Callable[[Play], Observations], edition: str | None = None) -> None:
        self.answer = answer
        self.edition = edition

    def describe(self) -> EngineInfo:
        return EngineInfo("fake", "1.0", self.edition)

    def play(self, play: Play) -> Observations:
        return self.answer(play)


def shows(power: int, toughness: int = 3) -> Callable[[Play], Observations]:
    bear = SeenObject(power=power, toughness=toughness)
    return lambda play: Observations(looks={"end": Snapshot(objects={"bear": bear})})


def raises(error: Exception) -> Callable[[Play], Observations]:
    def play(play: Play) -> Observations:
        raise error

    return play


class Unwell(Fake):
    """An engine that cannot even describe itself."""

    def __init__(self, error: Exception) -> None:
        super().__init__(raises(error))
        self.error = error

    def describe(self) -> EngineInfo:
        raise self.error


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with one fixture."""
    (tmp_path / "bigger.yaml").write_text(ANTHEM, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> Callable[[Fake], None]:
    """Replaces every engine by a fake one."""

    def connect(engine: Fake) -> None:
        monkeypatch.setattr("conformance_adapters.connect", lambda name, edition=None, home=None: engine)

    return connect


def called(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, catch_exceptions=False, prog_name="conformance")


def run(*arguments: str) -> Result:
    return called("run", "bigger.yaml", *arguments)


# ------------------------------------------------------------------------------------------- run


def test_run_in_which_all_agree(folder: Path, connected: Any) -> None:
    connected(Fake(shows(3)))

    result = run()

    assert 0 == result.exit_code
    assert [
        f"fake, 1.0, by the rules of {newest_edition()}",
        "",
        "613          1/1 passed  Layers",
        "",
        "1 passed, 0 failed, 0 unsupported",
    ] == result.stdout.splitlines()


def test_rules_of_a_chapter_of_which_nothing_could_be_asked_share_a_line(
    folder: Path, connected: Any
) -> None:
    rules = ['"613.2", "613.8b", "613.8a"', '"613.8b", "613.4c", "704.3"', '"613.4c"']
    for number, cited in enumerate(rules, 1):
        said = ANTHEM.replace("L-9001", f"L-900{number}").replace('"613.4c"]', f"{cited}]")
        controller = "alice" if number < len(rules) else "bob"
        said = said.replace("card: Test Bear, controller: bob", f"card: Test Bear, controller: {controller}")
        (folder / f"{number}.yaml").write_text(said, encoding="utf-8")

    def of_bob_s_bear(play: Play) -> Observations:
        if play.setup[-1].entries[-1].controller == "bob":
            return shows(3)(play)
        raise CannotPlay("no")

    connected(Fake(of_bob_s_bear))

    told = called("run", "-v", "1.yaml", "2.yaml", "3.yaml").stdout.split("\n\n")[1].splitlines()

    assert [
        "613.4c       1/2 passed  Layer 7c: modifying power and toughness, counters too  [1 unsupported]",
        "613          0/2 passed  3 other rules, of which nothing could be checked  [2 unsupported]",
        "704.3        0/1 passed",
    ] == [line if line.startswith("613") else line[:23] for line in told]


def test_failure_says_what_where_why_and_how_to_play_it_again(folder: Path, connected: Any) -> None:
    connected(Fake(shows(2)))

    result = run()

    assert 1 == result.exit_code
    assert (
        """\
FAIL  L-9001 bigger  (fake, 1.0)
    bear, after setup: power
      expected  3
      observed  2
      CR 613.4c: the anthem modifies
    On the battlefield, oldest first
"""
        in result.stdout
    )
    assert "    First difference\n      layer 7c (modified power and toughness): anthem\n" in result.stdout
    assert result.stdout.endswith(
        "    again: conformance run bigger.yaml\n\n0 passed, 1 failed, 0 unsupported\n"
    )
    assert "[1 failed]" in result.stdout


@pytest.mark.sweep
def test_command_to_play_it_again_asks_for_the_same(folder: Path, connected: Any) -> None:
    (folder / "two words.yaml").write_text(ANTHEM, encoding="utf-8")
    connected(Fake(shows(2)))

    result = called("run", "two words.yaml", "--engine", "fake engine", "--edition", "2019-01-25")

    again = "conformance run --engine 'fake engine' --edition 2019-01-25 'two words.yaml'"
    assert f"    again: {again}\n" in result.stdout
    assert "(then 613.3c)" in called("run", "-v", "two words.yaml", "--edition", "2019-01-25").stdout


def test_verbose_run_shows_the_result_of_each_check(folder: Path, connected: Any) -> None:
    connected(Fake(raises(CannotPlay("no anthems"))))

    assert "UNSUPPORTED" not in run().stdout
    assert "UNSUPPORTED  L-9001 bigger  (fake, 1.0)\n    no anthems\n" in run("-v").stdout
    connected(Fake(shows(3)))
    assert "PASS  L-9001 bigger  (fake, 1.0)\n" in run("-v").stdout


def test_disputed_check_is_shown_and_not_scored(folder: Path, connected: Any) -> None:
    (folder / "bigger.yaml").write_text(ANTHEM + "disputed: judges differ\n", encoding="utf-8")
    connected(Fake(shows(2)))

    result = run()

    assert 5 == result.exit_code
    assert "DISPUTED  L-9001 bigger" in result.stdout
    assert "otherwise it would be: fail; judges differ" in result.stdout
    assert "0 passed, 0 failed, 0 unsupported, 1 disputed" == result.stdout.splitlines()[-1]


def test_last_words_of_a_broken_engine_are_shown_harmlessly(folder: Path, connected: Any) -> None:
    stderr = "\n".join(f"line {number}" for number in range(9))
    connected(Fake(raises(EngineFailure("crash", "\x1b[2Jgone\nfor ever\u202e" + "!" * 999, stderr))))

    result = run()

    assert 1 == result.exit_code
    assert "CRASH  L-9001 bigger" in result.stdout
    assert r"    \x1b[2Jgone\nfor ever\u202e!!!" in result.stdout
    assert "!" * 300 not in result.stdout
    assert "(1026 characters)" in result.stdout
    assert "    stderr: line 8\n" in result.stdout
    assert "line 3" not in result.stdout


@pytest.mark.parametrize(
    ("engine", "code"),
    [
        (Fake(shows(3)), 0),
        (Fake(shows(2)), 1),
        (Fake(raises(EngineFailure("hang", "nothing in 5 s"))), 1),
        (Fake(lambda play: Observations()), 1),
        (Fake(raises(ZeroDivisionError())), 1),
        (Fake(raises(CannotPlay("no"))), 5),
        (Unwell(EngineFailure("crash", "no such program")), 3),
        (Unwell(OSError("no such program")), 3),
    ],
)
def test_exit_code(folder: Path, connected: Any, engine: Fake, code: int) -> None:
    connected(engine)

    result = run()

    assert code == result.exit_code
    if code == 3:
        assert "the engine reference did not start: " in result.stderr
        assert "no such program" in result.stderr
        assert "    conformance doctor --engine reference looks closer\n" in result.stderr


def test_engine_that_does_not_start_has_its_last_words(folder: Path, connected: Any) -> None:
    connected(Unwell(EngineFailure("crash", "ended with 1", "1\n2\n3\n4\nno Java\x1b\nhere")))

    assert [
        "the engine reference did not start: ended with 1",
        *("    stderr: 2", "    stderr: 3", "    stderr: 4", "    stderr: no Java\\x1b", "    stderr: here"),
        "    conformance doctor --engine reference looks closer",
    ] == run().stderr.splitlines()


def test_exit_code_of_an_engine_that_breaks_again_and_again(folder: Path, connected: Any) -> None:
    for number in range(7):
        text = ANTHEM.replace("L-9001", f"L-901{number}")
        (folder / f"{number}.yaml").write_text(text, encoding="utf-8")
    connected(Fake(raises(EngineFailure("crash", "gone"))))

    result = called("run", ".")

    assert 3 == result.exit_code
    assert "0 passed, 5 failed, 0 unsupported, 3 not run" == result.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["L-90001"], "no fixture 'L-90001'"),
        (["missing.yaml"], "missing.yaml: no such file or folder"),
        (["missing/"], "missing/: no such file or folder"),
        (["empty"], "empty: no fixture in this folder"),
        (["broken.yaml"], "broken.yaml:9:53: "),
        (["--rule", "613.8x"], "no rule '613.8x' in the newest edition\n    did you mean '613.8"),
        (["--rule", "613.3e"], "613.4d was once called so: --rule 613.4d"),
        (["--rule", "layers"], "rules are written 613, 613.8 or 613.8b"),
        (["--engine", "referense"], "no engine 'referense'\n    did you mean 'reference'?"),
        (["--engine", "stdio:"], "no command"),
        (["--engine", "./engine 'of"], "quote the command as for a shell"),
        (["--edition", "yesterday"], "the rules are known from 2009-10-01 to 2026-09-25"),
        (["--edition", "2030-01-01"], "the rules are known from"),
        (["--edition", "1999"], "the rules are known from"),
        (["--nonsense"], "No such option"),
    ],
)
def test_what_cannot_be_asked_is_explained(folder: Path, arguments: list[str], message: str) -> None:
    (folder / "empty").mkdir()
    (folder / "broken.yaml").write_text(BROKEN, encoding="utf-8")

    result = called("run", *arguments)

    assert 2 == result.exit_code
    assert message in result.stderr
    assert "" == result.stdout


def test_fault_of_a_scenario_that_shows_in_play_is_explained(folder: Path, connected: Any) -> None:
    problem = Problem("bigger.yaml", 11, 5, "setup[1]", "the bear would die at once", "make it tougher")
    connected(Fake(raises(ScenarioError([problem]))))

    result = run()

    assert 2 == result.exit_code
    assert result.stderr.startswith(
        "bigger.yaml:11:5: setup[1]: the bear would die at once\n    make it tougher"
    )


def test_all_that_is_wrong_with_all_files_is_reported_at_once(folder: Path) -> None:
    (folder / "one.yaml").write_text(BROKEN, encoding="utf-8")
    (folder / "two.yaml").write_text(BROKEN, encoding="utf-8")

    result = called("run", ".")

    assert 2 == result.exit_code
    assert result.stderr.startswith("one.yaml:9:53: ")
    assert "two.yaml:9:53: " in result.stderr


def test_checks_about_other_editions_are_counted_apart(folder: Path, connected: Any) -> None:
    (folder / "once.yaml").write_text(ONCE, encoding="utf-8")
    connected(Fake(shows(3)))

    now, then = called("run", "."), called("run", ".", "--edition", "2020-01-24")

    assert [
        "1 more are about other editions",
        "1 passed, 0 failed, 0 unsupported",
    ] == now.stdout.splitlines()[-2:]
    assert ["", "2 passed, 0 failed, 0 unsupported"] == then.stdout.splitlines()[-2:]


def test_engine_is_graded_by_its_own_edition_unless_another_is_asked_for(
    folder: Path, connected: Any
) -> None:
    connected(Fake(shows(3), edition="2019-01-25"))

    assert "fake, 1.0, by the rules of 2019-01-25" in run().stdout
    assert "by the rules of 2024-11-08" in run("--edition", "2024-11-08").stdout


def test_fixtures_are_narrowed_by_rule_word_and_source(folder: Path, connected: Any) -> None:
    (folder / "other.yaml").write_text(
        ANTHEM.replace("L-9001", "L-9003")
        .replace("613.4c", "613.4b")
        .replace("rules:", "source: [002-I11]\nrules:"),
        encoding="utf-8",
    )
    connected(Fake(shows(3)))

    def count(*arguments: str) -> str:
        return called("run", ".", *arguments).stdout.splitlines()[-1].partition(" ")[0]

    assert "2" == count() == count("--rule", "613") == count("--rule", "613.4c", "--rule", "613.4b")
    assert "1" == count("--rule", "613.4b") == count("-k", "OTHER") == count("--source", "002")
    assert (
        "1" == count("-k", "L-9001") == count("-k", "bigger.yaml".removesuffix(".yaml"), "--rule", "613.4c")
    )
    assert "0" == count("--rule", "613.8") == count("--source", "001")
    assert 5 == called("run", ".", "--rule", "613.8").exit_code


def test_same_file_named_twice_is_played_once(folder: Path, connected: Any) -> None:
    connected(Fake(shows(3)))

    assert "1 passed, 0 failed, 0 unsupported" in run("bigger.yaml").stdout


def test_run_looks_its_best_on_a_terminal(
    folder: Path, connected: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    connected(Fake(shows(2)))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)

    with pytest.raises(SystemExit):
        main(["run", "bigger.yaml"])
    coloured = capfd.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    with pytest.raises(SystemExit):
        main(["run", "bigger.yaml"])

    assert "\x1b[1;31mFAIL  L-9001 bigger  (fake, 1.0)" in coloured
    assert "\x1b[1;31m" not in capfd.readouterr().out


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def bar_after(*happened: PhaseBegan | float, failed: bool = False) -> list[str]:
    """The lines of the progress bar after phases began and results arrived at given intervals."""
    console = Console(file=io.StringIO(), width=120, color_system=None)
    clock = Clock()
    watching = Watching(console, clock)
    for one in happened:
        if isinstance(one, PhaseBegan):
            watching.begin(one)
        else:
            clock.now += one
            watching.count_check(failed=failed)
    with console.capture() as lines:
        console.print(watching.bar.get_renderable())
    return [re.sub(r"[ ━╸╺]+", " ", line).strip() for line in lines.get().splitlines()]


def test_bar_has_a_line_for_the_checks_and_one_for_the_search() -> None:
    checks, search = PhaseBegan("checks", 100), PhaseBegan("search", 10, 60.0)

    assert ["checks 3/100 10/s 0:10 left"] == bar_after(checks, 0.0, 0.1, 0.1)
    assert ["checks 3/? 10/s"] == bar_after(PhaseBegan("checks"), 0.0, 0.1, 0.1)
    assert ["checks 3/? 3 failed 10/s"] == bar_after(PhaseBegan("checks"), 0.0, 0.1, 0.1, failed=True)
    [first, second] = bar_after(checks, 0.0, 0.1, 0.1, search, 2.0, 2.0, 2.0)
    assert "checks 3/3" == first  # the others were about other editions
    assert "search 3/10 0.5/s 0:14 left" == second


def test_bar_knows_how_much_time_a_search_has() -> None:
    slow = bar_after(PhaseBegan("search", 10, 60.0), 20.0, 20.0)[0]
    over = bar_after(PhaseBegan("search", 10, 60.0), 20.0, 20.0, 21.0)[0]

    assert slow.endswith("at most 0:20 left")
    assert over.endswith("time is up: one case each")
    assert bar_after(PhaseBegan("search", 10), 20.0, 20.0)[0].endswith(" 2:40 left")


class Noted(io.StringIO):
    """A text stream that signals when something is written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def write(self, text: str) -> int:
        size = super().write(text)
        if "0/2" in self.getvalue():
            self.written.set()
        return size


def test_bar_is_shown_while_checks_come_out_and_gone_in_the_end() -> None:
    out = Noted()
    shown = Terminal("usual", Console(file=out, force_terminal=True, width=100, color_system=None))

    shown.take(PhaseBegan("checks", 2))
    assert out.written.wait(300)  # a thread redraws the bar, however long that takes
    while_playing = out.getvalue()
    shown.close()

    assert "checks" in while_playing and "0/2" in while_playing
    assert out.getvalue().endswith("\x1b[2K")


def failures_shown(*happened: FinishedCheck | PhaseBegan | float) -> list[str]:
    """The ids of the failures that the terminal shows after checks were finished at given intervals, with
    `|` after each step of the time.
    """
    clock, out = Clock(), io.StringIO()
    shown = Terminal("usual", clock=clock)
    with redirect_stdout(out):
        for one in happened:
            if isinstance(one, float):
                clock.now += one
                print("|")
            else:
                shown.take(one)
    return [line.split()[0 if line == "|" else 1].rstrip(":") for line in out.getvalue().splitlines()]


def failed(id: str, rule: str) -> FinishedCheck:
    part = PartOfVerdict("fail", "bear", "at the end", "power", "1", "2", f"CR {rule}: so")
    return FinishedCheck(id, id, "", (rule,), Fail((part,)), 0.0, "", 1, ())


def test_failures_of_the_likeliest_cause_are_shown_first_once_the_checks_are_played() -> None:
    one, two, three = failed("L-0001", "613.1"), failed("L-0002", "613.7"), failed("L-0003", "613.7")

    assert ["|"] == failures_shown(PhaseBegan("checks"), one, two, 1.0, three)
    shown = failures_shown(PhaseBegan("checks"), one, two, 1.0, three, PhaseBegan("search"))
    assert ["|", "L-0002", "L-0003", "L-0001"] == shown


def test_failures_are_held_for_half_a_minute_and_those_of_the_search_not_at_all() -> None:
    one, two, three = failed("L-0001", "613.1"), failed("L-0002", "613.7"), failed("L-0003", "613.7")

    assert ["|", "L-0001", "L-0002"] == failures_shown(PhaseBegan("checks"), one, 30.0, two, three)
    assert ["L-0001", "|"] == failures_shown(PhaseBegan("search"), one, 1.0)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("short", ["short"]),
        (
            "613   1/1 passed  one two three four five",
            ["613   1/1 passed  one two three four", " " * 18 + "five"],
        ),
        (
            "  expected  one two three four five six seven",
            ["  expected  one two three four five six", " " * 12 + "seven"],
        ),
        (
            "    - one two three four five six seven eight",
            ["    - one two three four five six seven", "    eight"],
        ),
        ("one-two " + "x" * 50, ["one-two", "x" * 50]),
        ("L-0001 " + "x" * 20 + "  and the engine", ["L-0001 " + "x" * 20 + "  and the", "engine"]),
    ],
)
def test_lines_go_on_below_their_column(line: str, parts: list[str]) -> None:
    assert parts == wrapped_lines(line, 40)


def test_lines_wrap_to_the_width_of_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=40, color_system=None, soft_wrap=True)
    again = "    again: conformance run one two three four five"

    write_lines(["      expected  one two three four five six", again], console)

    assert [
        "      expected  one two three four five",
        "                six",
        again,
    ] == out.getvalue().splitlines()


def test_names_that_an_output_cannot_spell_are_escaped(folder: Path) -> None:
    (folder / "bigger.yaml").write_text(ANTHEM.replace("An anthem", "Ünübersehbar"), encoding="utf-8")

    listed = subprocess.run(
        [sys.executable, "-m", "conformance", "list", "bigger.yaml"],
        env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=True,
    )

    assert rb"\xdcn\xfcbersehbar" in listed.stdout


# -------------------------------------------------------------------------------- the other commands


def test_list_has_a_line_for_each_fixture_in_the_order_of_ids(folder: Path) -> None:
    (folder / "a.yaml").write_text(ONCE.replace("rules:", "source: [002-I11]\nrules:"), encoding="utf-8")

    result = called("list", ".")

    assert 0 == result.exit_code
    assert [
        "L-9001    An anthem makes a bear bigger  613.4c",
        "L-9002    An anthem makes a bear bigger  613.4c  002-I11",
    ] == result.stdout.splitlines()
    assert "" == called("list", ".", "-k", "nothing").stdout


def test_list_without_arguments_is_of_all_that_come_with_the_suite() -> None:
    from conformance.data.library import all_fixtures

    every = [*all_fixtures(), *(law.name for law in PROPERTIES)]
    assert every == [line.split()[0] for line in called("list").stdout.splitlines()]


@pytest.mark.sweep
def test_folder_of_all_fixtures_means_the_same_as_nothing() -> None:
    from conformance.data.compiled import fixtures_folder

    everything, folder = called("list").stdout, called("list", str(fixtures_folder())).stdout
    ids = {line.split()[0] for line in folder.splitlines() if not line.startswith("C-")}
    assert ids == {line.split()[0] for line in everything.splitlines()} - {law.name for law in PROPERTIES}


def test_show_describes_a_fixture_in_words(folder: Path) -> None:
    result = called("show", "bigger.yaml")

    assert 0 == result.exit_code
    assert "creatures get +1/+1." in result.stdout
    assert "An anthem makes a bear bigger" in result.stdout


def test_show_prints_for_a_law_its_rules_and_an_example_with_what_is_to_be_seen() -> None:
    told = called("show", "the_last_spell_resolves_first").stdout

    assert told.startswith("the_last_spell_resolves_first: A spell cast in response resolves before")
    assert "  CR 405.2: " in told
    assert "conformance mutants --by properties" in told
    assert "one-pass" in told
    assert ["What is done", "What is to be seen", "The cards"] == [
        line for line in told.splitlines() if line in {"What is done", "What is to be seen", "The cards"}
    ]


def test_show_says_how_many_scenarios_a_law_compares() -> None:
    told = called("show", "two_switches_cancel").stdout

    assert "One of the 2 scenarios that the law compares" in told
    assert "Test Switch 1" in told


def test_rules_are_listed_with_what_is_about_them() -> None:
    result = called("rules", "--chapter", "613.7", "--chapter", "612.9")

    lines = result.stdout.splitlines()
    assert 0 == result.exit_code
    assert lines[0].startswith("612.9 ")
    assert lines[1].startswith("           not applicable: ")
    assert any(line.startswith("613.7a ") for line in lines)
    assert not any(line.startswith("613.8") for line in lines)


def test_gaps_are_listed_alone() -> None:
    result = called("rules", "--gaps")

    assert "not applicable:" not in result.stdout
    assert result.stdout.splitlines()[-1].endswith(" gaps")


def test_rules_of_no_chapter_are_refused() -> None:
    result = called("rules", "--chapter", "999")

    assert 2 == result.exit_code
    assert "no rule '999'" in result.stderr


@pytest.mark.parametrize("command", ["run", "list", "show", "rules", "explain", "bench", "check"])
def test_help_has_examples_or_says_it_all(command: str) -> None:
    result = called(command, "--help")

    assert 0 == result.exit_code
    assert command == "check" or f"  conformance {command}" in result.stdout


@pytest.mark.parametrize("command", [[], ["run"], ["list"], ["doctor"]])
def test_help_has_a_short_option(command: list[str]) -> None:
    assert called(*command, "--help").stdout == called(*command, "-h").stdout != ""


GROWN = """\
cards:
  - name: Test Anthem
    types: Enchantment
    abilities:
      - static: {affects: {all: creatures}, does: [{modify: +1/+1}]}
players: {alice: {hand: [{giant: Giant Growth}]}, bob: {}}
setup:
  - {id: anthem, card: Test Anthem, controller: alice}
  - {id: bear, card: Grizzly Bears, controller: bob}
script:
  - {look: before}
  - {cast: giant, by: alice, targets: [bear]}
  - {resolve: giant}
"""


def test_explain_says_why_everything_looks_as_it_does(folder: Path) -> None:
    (folder / "grown.yaml").write_text(GROWN, encoding="utf-8")

    result = called("explain", "grown.yaml")

    assert 0 == result.exit_code
    assert "Layer 7c" in result.stdout
    assert "bear: 2/2 → 3/3" in result.stdout
    assert "bear: 3/3 → 6/6" in result.stdout


def test_explain_tells_of_one_object_at_one_look(folder: Path) -> None:
    (folder / "grown.yaml").write_text(GROWN, encoding="utf-8")

    result = called("explain", "grown.yaml", "--at", "before", "--of", "bear")

    assert "bear: 2/2 → 3/3" in result.stdout
    assert "6/6" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--of", "bare"], "no object 'bare'\n    did you mean 'bear'?"),
        (["--at", "befor"], "no look 'befor'\n    did you mean 'before'?"),
        (["--at", "zzz"], "no look 'zzz'\n    choose one of: before, end"),
    ],
)
def test_explain_of_nothing_is_refused(folder: Path, arguments: list[str], message: str) -> None:
    (folder / "grown.yaml").write_text(GROWN, encoding="utf-8")

    result = called("explain", "grown.yaml", *arguments)

    assert 2 == result.exit_code
    assert message in result.stderr


def test_board_with_a_fault_is_not_explained(folder: Path) -> None:
    (folder / "grown.yaml").write_text(GROWN.replace("targets: [bear]", "targets: [bare]"), encoding="utf-8")
    (folder / "list.yaml").write_text("- a\n", encoding="utf-8")

    assert "grown.yaml:12:" in called("explain", "grown.yaml").stderr
    assert 2 == called("explain", "list.yaml").exit_code
    assert "no fixture 'L-0'" in called("explain", "L-0").stderr
    assert ".: 3 files\n    name one of them" in called("explain", ".").stderr


@pytest.mark.sweep
def test_fixture_is_explained_by_its_id_and_as_it_was_exported(folder: Path) -> None:
    called("export", "exported")

    by_id = called("explain", "L-0001")

    assert 0 == by_id.exit_code
    assert by_id.stdout == called("explain", "exported/L-0001.json").stdout
    assert schema_file(events_schema()) == (folder / "exported" / "events.schema.json").read_bytes()


def test_explain_of_a_play_that_stops_says_where(folder: Path) -> None:
    (folder / "grown.yaml").write_text(GROWN.replace("[bear]", "[anthem]"), encoding="utf-8")

    result = called("explain", "grown.yaml")

    assert 2 == result.exit_code
    assert "the play stops at action 2 (Alice casts giant targeting anthem): " in result.stderr


def test_bench_measures_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    from conformance.measure.speed import Timing

    timings = [Timing("anthems", 10, 0.001), Timing("anthems", 100, 0.01), Timing("lords", 10, 0.002)]
    monkeypatch.setattr("conformance.measure.speed.layer_timings", lambda: iter(timings))

    result = called("bench", "layers")

    assert [
        "anthems       10 creatures       1.00 ms",
        "anthems      100 creatures      10.00 ms  exponent 1.00",
        "lords         10 creatures       2.00 ms",
    ] == result.stdout.splitlines()


def test_bench_says_how_many_games_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    from conformance.measure.speed import EngineSpeed

    rates = [EngineSpeed("one spell", 812.4, 1234.5), EngineSpeed("a turn", 99.6, 101.0)]
    monkeypatch.setattr("conformance.measure.speed.game_rates", lambda play: iter(rates))

    assert [
        "     812 a second (at best  1,234)  one spell",
        "     100 a second (at best    101)  a turn",
    ] == called("bench", "game").stdout.splitlines()


def test_games_that_are_measured_are_really_played() -> None:
    from conformance.measure.speed import game_rates
    from conformance_adapters.in_process import Reference

    played: list[Play] = []

    def play(scenario: Play) -> None:
        played.append(scenario)
        assert Reference().play(scenario).stopped is None

    rates = list(game_rates(play, 0.2))  # a play takes less, on a busy machine too

    assert 3 == len(rates)
    assert 6 == len({id(one) for one in played})
    assert all(0 < rate.median <= rate.best for rate in rates)


@pytest.mark.sweep
@pytest.mark.parametrize(
    "command",
    [
        ("export", "bigger.yaml/all"),
        ("record", "--engine", "reference", "bigger.yaml/answers.gz"),
        ("mutants", "timestamps-only", "--json", "bigger.yaml/kills.json"),
    ],
    ids=lambda command: command[0],
)
def test_file_that_cannot_be_written_is_named_before_any_work(
    folder: Path, connected: Any, command: tuple[str, ...]
) -> None:
    connected(Unwell(AssertionError("nobody is to be asked")))

    result = called(*command)

    assert (2, f"{command[-1]}: Not a directory\n", "") == (result.exit_code, result.stderr, result.stdout)


def test_name_that_is_nearly_a_property_s_is_taken_for_one() -> None:
    result = called("show", "two_switches_cancl")

    assert 2 == result.exit_code
    assert "no property 'two_switches_cancl'\n    did you mean 'two_switches_cancel'?\n" == result.stderr


def test_reader_that_stops_reading_ends_the_command_quietly() -> None:
    """Like other tools in a pipe: no traceback, and not the exit code of an engine that disagrees."""
    command = [sys.executable, "-m", "conformance", "cards"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout and running.stderr
        running.stdout.close()
        complaint = running.stderr.read()
    assert (141, b"") == (running.returncode, complaint)


def test_a_command_imports_the_modules_of_no_other() -> None:
    program = (
        "import sys; from click.testing import CliRunner; from conformance.cli import main;"
        "CliRunner().invoke(main, ['docs', '--help']);"
        "print(sorted(name for name in sys.modules if name.startswith('conformance.commands.')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['conformance.commands.arguments', 'conformance.commands.browsing']"


@pytest.mark.sweep
def test_run_of_a_fixture_imports_nothing_slow_that_it_does_not_need() -> None:
    program = (
        "import sys; from click.testing import CliRunner; from conformance.cli import main;"
        "done = CliRunner().invoke(main, ['run', 'L-0031']);"
        "slow = {'yaml', 'email', 'hypothesis', 'concurrent', 'conformance.wording', 'conformance.checks'};"
        "print(done.exit_code, sorted(slow & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0 []"

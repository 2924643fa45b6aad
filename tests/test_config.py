"""`conformance.toml`: what it can contain, where it is looked up, and the errors for invalid ones."""

from __future__ import annotations

import os
import re
import sys
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.gate.config import (
    REPOSITORY,
    Config,
    ConfigFile,
    EngineTable,
    Limit,
    Program,
    RefusedValue,
    Settings,
    UnsupportedLimits,
    command_to_announce,
    config_in,
    found_config,
    limits_of,
)
from conformance.gate.divergences import parse_divergences
from conformance.model.problems import ScenarioError
from conformance_adapters import FORMS

WHOLE = """\
engine = "mine"
profile = "gate"
divergences = "lists/known.yaml"
edition = 2024-11-08
max_unsupported = "40%"
jobs = 4

[engines.mine]
command = "node 'my shim.js'"
folder = "sub"
environment = {NODE_ENV = "test"}
deadlines = {start = 30, request = 2.5}
jobs = 2
max_memory = "500 MB"

[engines.other]
command = ["java", "-jar", "other.jar"]
max_unsupported = 7
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory inside another folder."""
    (tmp_path / "sub" / "deeper").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(home: Path, text: str) -> Path:
    path = home / "conformance.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_everything_a_file_can_say(home: Path) -> None:
    written(home, WHOLE)

    config = found_config(home / "sub" / "deeper")

    assert "mine" == config.engine
    assert (
        Program(("node", "my shim.js"), home / "sub", {"NODE_ENV": "test"}, 30.0, 2.5)
        == config.engines["mine"]
    )
    assert Program(("java", "-jar", "other.jar"), home) == config.engines["other"]
    assert Settings(
        "gate",
        home / "lists/known.yaml",
        "2024-11-08",
        UnsupportedLimits(Limit(40, percent=True)),
        2,
        500_000_000,
    ) == config.settings_for("mine")


def test_an_engine_s_own_table_outweighs_and_a_list_is_one_engine_s(home: Path) -> None:
    written(home, WHOLE)

    config = found_config(home)

    assert Settings("gate", None, "2024-11-08", UnsupportedLimits(Limit(7)), 4) == config.settings_for(
        "other"
    )
    assert Settings(
        "gate", None, "2024-11-08", UnsupportedLimits(Limit(40, percent=True)), 4
    ) == config.settings_for("reference")


def test_the_only_engine_needs_not_be_named_and_the_usual_list_neither(home: Path) -> None:
    written(home, '[engines.mine]\ncommand = "mine"\n')
    assert Settings() == found_config(home).settings_for("mine")

    (home / "divergences.yaml").touch()

    config = found_config(home)
    assert "mine" == config.engine
    assert home / "divergences.yaml" == config.settings_for("mine").divergences
    assert None is config.settings_for("reference").divergences


def test_nothing_is_printed_without_a_file(home: Path) -> None:
    config = found_config(home)

    assert (None, None, {}) == (config.path, config.engine, config.engines)
    assert Settings() == config.settings_for("reference")


def test_the_nearest_file_counts(home: Path) -> None:
    written(home, "jobs = 3\n")
    written(home / "sub", "jobs = 5\n")

    assert 5 == found_config(home / "sub" / "deeper").settings.jobs
    assert 3 == found_config(home).settings.jobs


@pytest.mark.parametrize("mark", REPOSITORY)
@pytest.mark.parametrize("is_file", [False, True])
def test_nothing_above_the_repository_counts(home: Path, mark: str, is_file: bool) -> None:
    written(home, "jobs = 3\n")
    inner = home / "sub"
    (inner / mark).touch() if is_file else (inner / mark).mkdir()

    assert Config() == found_config(inner / "deeper") == found_config(inner)
    assert 3 == found_config(home).settings.jobs
    written(inner, "jobs = 5\n")
    assert 5 == found_config(inner / "deeper").settings.jobs


def test_outside_of_a_repository_only_the_folder_itself_counts(home: Path) -> None:
    written(home, "jobs = 3\n")
    (home / ".git").rmdir()

    assert Config() == found_config(home / "sub")
    assert 3 == found_config(home).settings.jobs


COMMAND = '[engines.mine]\ncommand = ["node", "a b.js"]\n'


@pytest.mark.parametrize(
    ("text", "engine", "says"),
    [
        (COMMAND, "mine", "'a b.js' (in "),
        ('engine = "python:mine:make"', "python:mine:make", "has this run: python:mine:make"),
        ('engine = "./mine"', "./mine", "has this run: ./mine"),
        ('[engines.mine]\ncommand = ["\\u001b[2J::error::"]\n', "mine", "has this run: '\\x1b[2J::error::'"),
        ('engine = "reference"', "reference", None),
        (COMMAND, "reference", None),
        (COMMAND, "node other.js", None),
        ("jobs = 2", "reference", None),
    ],
)
def test_what_a_file_above_has_run_is_named(home: Path, text: str, engine: str, says: str | None) -> None:
    config = found_config(written(home, text).parent)

    said = command_to_announce(config, engine, home / "sub")

    assert None is command_to_announce(config, engine, home)
    if says is None:
        assert said is None
    else:
        assert said is not None
        assert said.startswith(f"{home / 'conformance.toml'}, found above this folder, ")
        assert says in said


@pytest.mark.skipif(os.name != "posix", reason="files belong to users")
def test_what_a_file_of_another_user_has_run_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = found_config(written(home, COMMAND).parent)
    owner = os.getuid()
    monkeypatch.setattr("os.getuid", lambda: owner + 1)

    said = command_to_announce(config, "mine", home)

    assert said is not None
    assert f"which belongs to another user ({owner}), has this run: node" in said


@pytest.mark.parametrize("command", [["run", "L-0031"], ["doctor"], ["record", "a.gz"]])
def test_every_command_names_it_before_it_is_run(
    home: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    written(home, '[engines.mine]\ncommand = "./no_such_program"\n')
    monkeypatch.chdir(home / "sub")

    result = CliRunner().invoke(main, command, catch_exceptions=False)

    assert 3 == result.exit_code
    assert result.stderr.startswith(f"{home / 'conformance.toml'}, found above this folder, has this run: ")


SHIM = """\
import json, sys
class Engine:
    def describe(self):
        return {"protocol": 1, "name": "found", "version": "1"}
    def play(self, scenario):
        return {"looks": {}, "stopped": {"at": 0, "why": "unsupported", "says": "everything"}}
if __name__ == "__main__":
    for line in sys.stdin:
        asked, engine = json.loads(line), Engine()
        said = engine.describe() if asked["say"] == "hello" else {**engine.play({}), "id": asked.get("id")}
        print(json.dumps(said), flush=True)
"""


@pytest.mark.parametrize("more", [[], ["--jobs", "2"]])
@pytest.mark.parametrize("engine", ["python:shim_of_home:Engine", f"{sys.executable} shim_of_home.py"])
def test_default_engine_is_found_from_a_folder_below(
    home: Path, monkeypatch: pytest.MonkeyPatch, engine: str, more: list[str]
) -> None:
    written(home, f"engine = {engine!r}\n")
    (home / "shim_of_home.py").write_text(SHIM, encoding="utf-8")
    monkeypatch.chdir(home / "sub")
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "shim_of_home", raising=False)

    result = CliRunner().invoke(main, ["run", "--profile", "gate", "L-0031", *more], catch_exceptions=False)

    assert 5 == result.exit_code
    assert result.stdout.startswith("found, 1, ")
    assert "0 passed, 0 failed, 1 unsupported" in result.stdout


@pytest.mark.parametrize("command", [["run", "L-0031"], ["doctor"], ["record", "x.jsonl.gz"]])
def test_no_escape_of_a_file_reaches_the_terminal(
    home: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    written(home, 'engine = "./no_such_program \\u001b[31m\\n::error::x"\n')
    monkeypatch.chdir(home / "sub")

    result = CliRunner().invoke(main, command, catch_exceptions=False, color=True)

    assert 3 == result.exit_code
    assert r"\x1b[31m" in result.output
    assert "\x1b" not in result.output
    assert "\n::" not in result.output


@pytest.mark.parametrize("engine", ["reference", "python:mine:make", "./mine", "node shim.js"])
def test_a_plain_run_may_ask_any_engine(home: Path, engine: str) -> None:
    assert engine == config_in(f'engine = "{engine}"'.encode(), home / "conformance.toml").engine


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("jobs = ", "not TOML: Invalid value"),
        ("jobs = x", "conformance.toml:1:8: not TOML: Invalid value"),
        ("jobs = 0", "conformance.toml:1:1: jobs: 0 is not a number of jobs\n    write a number from 1"),
        ("jobs = true", "jobs: true is not a number of jobs"),
        ("\njob = 2", "conformance.toml:2:1: job: unknown key 'job'\n    did you mean 'jobs'?"),
        ("colour = 2", "colour: unknown key 'colour'\n    the keys here are: engine, profile"),
        ('profile = "gates"', "no profile 'gates'\n    did you mean 'gate'?"),
        ('profile = "x"', "choose one of: quick, gate, deep"),
        ('edition = "1999"', "edition: no rules of '1999'\n    the rules are known from"),
        ("max_unsupported = -3", "-3 is not a limit\n    write a number of checks, or a share"),
        ('max_unsupported = "101%"', "'101%' is not a limit"),
        ("max_unsupported = true", "true is not a limit"),
        ("max_unsupported = [3]", "[3] is not a limit"),
        ("[max_unsupported]\n999 = 3", "max_unsupported: no rule '999'"),
        ('[max_unsupported]\n613 = "x"', "'x' is not a limit"),
        ("max_memory = 500", '500 is not an amount of memory\n    write it like "500 MB" or "2 GB"'),
        ('max_memory = "0 GB"', "'0 GB' is not an amount of memory"),
        ("divergences = 3", "divergences: 3 is not text\n    write it in quotes"),
        ('divergences = ""', "divergences: an empty text"),
        ('engine = "mine"', "engine: no engine 'mine'\n    write a table [engines.mine]"),
        ('engine = "referense"', "did you mean 'reference'?"),
        ("engines = 3", "engines: 3 is not a table\n    write [engines.NAME]"),
        (
            "[engines]\nmine = 3",
            "conformance.toml:2:1: engines.mine: 3 is not a table\n    write [engines.mine]",
        ),
        ("[engines.mine]", "conformance.toml:1:1: engines.mine: engine table without command"),
        ("[engines.mine]\ncommand = 3", "conformance.toml:2:1: engines.mine.command: 3 is not a command"),
        ('[engines.mine]\ncommand = ""', "engines.mine.command: no command"),
        ("[engines.mine]\ncommand = []", "engines.mine.command: no command"),
        (
            '[engines.mine]\ncommand = "python:mine:Engine"',
            "'python:mine:Engine' is an engine in Python, not a program\n"
            '    write engine = "python:mine:Engine" above the tables',
        ),
        ("[engines.mine]\ncommand = [3]", "engines.mine.command: 3 is not text"),
        ('[engines.mine]\ncommand = "node \'x"', "quote it as for a shell"),
        ('[engines.reference]\ncommand = "x"', "'reference' is our own engine\n    give yours another name"),
        ('[engines."a b"]\ncommand = "x"', "'a b' is not a valid name"),
        ('[engines.mine]\ncommand = "x"\nfolder = "none"', "none: no such folder"),
        ('[engines.mine]\ncommand = "x"\nenvironment = 3', "engines.mine.environment: 3 is not a table"),
        ('[engines.mine]\ncommand = "x"\nenvironment = {A = 3}', "engines.mine.environment.A: 3 is not text"),
        (
            '[engines.mine]\ncommand = "x"\ndeadlines = {start = 0}',
            "conformance.toml:3:1: engines.mine.deadlines.start: 0 is not a timeout",
        ),
        ('[engines.mine]\ncommand = "x"\n[engines.mine.deadlines]\nstart = "1"', "conformance.toml:4:1: "),
        ('[engines.mine]\ncommand = "x"\ndeadlines = {stop = 1}', "deadlines.stop: unknown key 'stop'"),
        ('[engines.mine]\ncomand = "x"', "did you mean 'command'?"),
    ],
)
def test_what_is_wrong_is_reported_with_its_place_and_its_cure(home: Path, text: str, says: str) -> None:
    path = written(home, text)

    with pytest.raises(ScenarioError, match=re.escape(says)) as caught:
        found_config(path.parent)

    assert str(caught.value).startswith("conformance.toml:")


def test_everything_wrong_is_reported_at_once(home: Path) -> None:
    written(home, 'jobs = 0\nprofile = "x"\n[engines.mine]\nfolder = "none"\n')

    with pytest.raises(ScenarioError) as caught:
        found_config(home)

    assert 4 == len(caught.value.problems)


def test_a_file_that_is_not_text(home: Path) -> None:
    (home / "conformance.toml").write_bytes(b"\xff")

    with pytest.raises(ScenarioError, match="not UTF-8"):
        found_config(home)


@pytest.mark.parametrize(
    ("limit", "count", "of", "exceeded"),
    [
        ("40%", 40, 100, False),
        ("40%", 41, 100, True),
        ("0", 0, 5, False),
        ("0", 1, 5, True),
        ("0%", 1, 999, True),
    ],
)
def test_a_limit_is_a_number_or_a_share(home: Path, limit: str, count: int, of: int, exceeded: bool) -> None:
    limits = config_in(f'max_unsupported = "{limit}"'.encode(), home / "x").settings.max_unsupported

    assert limits is not None
    said = limits.of_all
    assert said is not None
    assert limit == str(said)
    assert exceeded == said.is_exceeded(count, of)


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ('max_unsupported = {all = "40%", 613 = 5, "613.8" = "0%"}', ("40%", "613=5", "613.8=0%")),
        ('[max_unsupported]\n613 = "5%"', ("613=5%",)),
    ],
)
def test_a_limit_may_be_that_of_a_rule(home: Path, text: str, options: tuple[str, ...]) -> None:
    said = config_in(text.encode(), home / "x").settings.max_unsupported

    assert said is not None
    assert limits_of(options) == said
    assert {"613.8", "613"} >= said.of_rules.keys()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("40",), None),
        (("40", "30"), "two limits for all"),
        (("613=1", "613=2"), "two limits for 613"),
        (("999=1",), "no rule '999'"),
        (("613=x",), "'x' is not a limit"),
        (("=3",), None),
    ],
)
def test_options_that_are_no_limits(options: tuple[str, ...], says: str | None) -> None:
    if says is None:
        assert UnsupportedLimits(Limit(int(options[0].strip("=")))) == limits_of(options)
        return
    with pytest.raises(RefusedValue, match=re.escape(says)):
        limits_of(options)


def test_the_example_in_the_module_is_a_good_one(home: Path) -> None:
    import conformance.gate.config

    (home / "conformance").mkdir()
    example = "\n".join(
        line[4:] for line in (conformance.gate.config.__doc__ or "").splitlines() if line.startswith("    ")
    )

    config = config_in(example.encode(), home / "conformance.toml")

    assert ("mine", "gate", 4) == (config.engine, config.settings.profile, config.settings.jobs)
    assert ("node", "shim.js") == config.engines["mine"].argv


PAGE = (Path(__file__).parent.parent / "docs" / "gate.md").read_text(encoding="utf-8")


def example(kind: str) -> str:
    """The only block of that kind on the page about the gate."""
    [found] = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_page_names_every_key_and_its_examples_are_good_ones(home: Path) -> None:
    config = config_in(example("toml").encode(), home / "conformance.toml")
    known = parse_divergences(example("yaml"), "divergences.yaml")

    settings = config.settings_for("mine")
    assert None not in [getattr(settings, key) for key in settings.__struct_fields__]
    assert {"start", "request"} == {
        key for key in ("start", "request") if getattr(config.engines["mine"], key)
    }
    keys = {*ConfigFile.__struct_fields__, *EngineTable.__struct_fields__}
    assert [] == [key for key in sorted(keys) if f"{key} = " not in PAGE and key != "engines"]
    assert date(2027, 6, 30) == known["G-0058"].expires
    assert [] == [form for form in FORMS if f"`{form}`" not in PAGE]

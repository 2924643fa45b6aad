"""The starters, each built and run as its README says: one thing passes, one fails, one is unsupported.

Where a language's tools are missing its tests are skipped. Kotlin's compiler is `kotlinc` on the path, or
is run from the jars in the folder that KOTLIN_JARS names (`tox -e kotlin` gets them from Maven Central).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main
from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition
from conformance.model.engine import Engine, close
from conformance.model.verdict import Disputed, PassVerdict, Unsupported
from conformance.play.runner import run
from conformance.results.summary import counts_of
from conformance.run.doctor import examination, health
from conformance.starters import HERE, STARTERS, NoStarter, readme, write_starter
from conformance_adapters.stdio import Command, StdioEngine
from tests import few
from tests.sweeping import a_share, by_day

TOOLS = {"javascript": "node", "go": "go", "rust": "rustc", "java": "javac", "kotlin": "kotlinc"}
OF_EACH_LANGUAGE = [pytest.param(one, marks=[pytest.mark.nightly] * (one == "go")) for one in STARTERS]
"""Go translates its own library first, which takes as long as the starters of all other languages."""
FIRST = ("G-0041", "G-0065", "G-0069", "G-0070", "G-0071", "G-0075", "G-0130")


def called(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, catch_exceptions=False, prog_name="conformance")


def tool(language: str) -> str:
    """The program that builds or runs a language; the test is skipped if there is none."""
    found = shutil.which(TOOLS[language])
    if found is None:
        pytest.skip(f"{TOOLS[language]} is not there")
    return found


def command_in(folder: Path, language: str) -> tuple[str, ...]:
    """Build the starter in a folder; returns the command that runs it."""
    starter = STARTERS[language]
    if language == "kotlin" and "KOTLIN_JARS" in os.environ:
        return kotlin_from_jars(folder, Path(os.environ["KOTLIN_JARS"]))
    if starter.build:
        words = [word for word in starter.build.split()[1:] if word != "-O"]
        subprocess.run([tool(language), *words], cwd=folder, check=True, timeout=300)
    match language:
        case "python":
            return (sys.executable, "-S", "-E", starter.file)
        case "rust" | "go":
            return (str(folder / "engine"),)
        case "javascript":
            return (tool(language), starter.file)
        case _:
            return tuple(starter.run.split())


def kotlin_from_jars(folder: Path, jars: Path) -> tuple[str, ...]:
    """The same with a compiler that is a folder of jars, as Maven keeps them."""
    every = [str(jar) for jar in jars.rglob("*.jar")]
    library = next(jar for jar in every if re.fullmatch(r"kotlin-stdlib-[\d.]+\.jar", Path(jar).name))
    compiler = ("-cp", os.pathsep.join(every), "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler")
    options = ("-no-stdlib", "-no-reflect", "-cp", library, "-d", "built", "Engine.kt")
    subprocess.run(["java", *compiler, *options], cwd=folder, check=True, timeout=300)
    return ("java", "-cp", os.pathsep.join(["built", library]), "EngineKt")


@pytest.fixture(scope="module", params=OF_EACH_LANGUAGE)
def starter(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Engine]:
    """Makes the engine of each language's starter, as it was written."""
    folder = tmp_path_factory.mktemp(request.param)
    write_starter(request.param, folder)
    command = Command(command_in(folder, request.param), folder)
    return lambda: StdioEngine(command, "test")


def outcome(engine: Engine, *ids: str) -> tuple[int, int, int]:
    """Numbers of these fixtures that an engine passes, fails, and cannot play."""
    scores = counts_of(run(engine, [all_fixtures()[id] for id in ids], newest_edition()))
    return scores.passed, scores.failed, scores.unsupported


@pytest.mark.sweep
def test_starter_reaches_the_third_rung(starter: Callable[[], Engine]) -> None:
    engine = starter()
    found = list(examination(engine, starter, lambda: pytest.fail("something is wrong")))
    close(engine)

    came_to = health(found)
    assert (3, None) == (came_to.reached, came_to.ill)
    assert {"unsupported"} == {one.outcome for one in found if one.rung > 3}


@pytest.mark.sweep
def test_starter_shows_a_pass_a_failure_and_an_unsupported(starter: Callable[[], Engine]) -> None:
    engine = starter()
    try:
        assert (len(FIRST), 0, 0) == outcome(engine, *FIRST)
        assert (0, 1, 0) == outcome(engine, "G-0058")
        assert (0, 0, 1) == outcome(engine, "L-0001")
    finally:
        close(engine)


@pytest.mark.sweep
@pytest.mark.parametrize("one_in", by_day(5))
def test_starter_is_never_wrong_about_anything_else(starter: Callable[[], Engine], one_in: int) -> None:
    """On these fixtures, it has only the fault that its README is about, and nothing ends it."""
    engine = starter()
    asked = {"G-0058": all_fixtures()["G-0058"], **dict(a_share(all_fixtures(), one_in))}
    results = list(run(engine, asked.values(), newest_edition()))
    close(engine)

    harmless = PassVerdict | Unsupported | Disputed
    assert ["G-0058"] == [result.id for result in results if not isinstance(result.verdict, harmless)]


@pytest.mark.sweep
@pytest.mark.parametrize("language", OF_EACH_LANGUAGE)
def test_line_that_the_readme_asks_for_mends_the_fault(language: str, tmp_path: Path) -> None:
    source, _ = write_starter(language, tmp_path)
    text = source.read_text(encoding="utf-8")
    mark = "# " if language == "python" else "// "
    line = STARTERS[language].line
    assert text.count(mark + line) == 1
    source.write_text(text.replace(mark + line, line), encoding="utf-8")

    engine = StdioEngine(Command(command_in(tmp_path, language), tmp_path), "test")
    try:
        assert (1, 0, 0) == outcome(engine, "G-0058")
    finally:
        close(engine)


@pytest.mark.skipif(os.name != "posix", reason="the commands are for a shell")
@pytest.mark.sweep
def test_commands_of_the_readme_do_what_it_says_in_the_suite_s_process(tmp_path: Path) -> None:
    write_starter("python", tmp_path)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^```sh\n(.*)\n```$", text, re.MULTILINE)
    variables = few.environment(tmp_path / "bin")

    codes = {
        command: subprocess.run(
            ["sh", "-c", command], cwd=tmp_path, env=variables, capture_output=True, timeout=120, check=False
        ).returncode
        for command in commands
    }

    assert {
        'conformance doctor --engine "python:engine:Engine"': 0,
        'conformance run G-0070 --engine "python:engine:Engine"': 0,
        'conformance run G-0058 --engine "python:engine:Engine"': 1,
        'conformance run -v L-0001 --engine "python:engine:Engine"': 5,
        'conformance doctor --engine "python3 engine.py"': 0,
        "conformance doctor --lines D-0101": 0,
    } == codes


@pytest.mark.parametrize("language", STARTERS)
def test_readme_is_about_its_language(language: str) -> None:
    text = readme(language, STARTERS[language])

    assert "$" not in text
    assert f'conformance doctor --engine "{STARTERS[language].run}"' in text
    assert all(len(line) <= 120 for line in text.splitlines())
    assert (HERE / language / STARTERS[language].file).is_file()


# ------------------------------------------------------------------------------------- the command


def test_command_writes_two_files_and_says_what_is_next(tmp_path: Path) -> None:
    result = called("init-adapter", "rust", str(tmp_path / "deep" / "shim"))

    assert 0 == result.exit_code
    assert f"next, read {tmp_path / 'deep' / 'shim' / 'README.md'}" == result.stdout.splitlines()[-1]
    assert {"engine.rs", "README.md"} == {file.name for file in (tmp_path / "deep" / "shim").iterdir()}


def test_command_takes_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert 0 == called("init-adapter", "Python").exit_code
    assert (tmp_path / "conformance_shim" / "engine.py").is_file()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")

    result = called("init-adapter", "java", str(tmp_path))

    assert (2, "mine") == (result.exit_code, (tmp_path / "README.md").read_text(encoding="utf-8"))
    assert "is there already" in result.stderr
    assert not (tmp_path / "Engine.java").exists()


def test_language_without_starter(tmp_path: Path) -> None:
    assert "did you mean 'kotlin'?" in called("init-adapter", "kotling", str(tmp_path)).stderr
    assert "choose one of: python, javascript, go, rust, java, kotlin" in called("init-adapter", "zz").stderr


def test_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(NoStarter, match="cannot be written"):
        write_starter("python", tmp_path / "file" / "shim")

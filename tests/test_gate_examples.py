"""The files that engine authors copy into their CI: the shell script is run, the action and workflow are
parsed.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any, cast

import click
import jsonschema
import pytest
import yaml
from click.testing import CliRunner

from conformance.cli import COMMANDS, main
from conformance.starters import STARTERS, write_starter
from tests import few

ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "docs" / "examples" / "gate.sh"
OURS = f"{sys.executable} -m conformance_adapters.serve"
WRONG = f"{OURS} mutant:timestamps-only"

pytestmark = [
    pytest.mark.skipif(shutil.which("sh") is None, reason="a script for a POSIX shell"),
    pytest.mark.sweep,
]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder that stands in for an engine's repository."""
    return tmp_path


def gate(repository: Path, *arguments: str, **variables: str) -> tuple[int, str]:
    """The exit code and output of the script."""
    finished = subprocess.run(
        ["sh", str(SCRIPT), *arguments],
        cwd=repository,
        env={**few.environment(repository / "bin"), **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return finished.returncode, finished.stdout + finished.stderr


def test_script_lets_an_engine_through_that_agrees(repository: Path) -> None:
    code, said = gate(repository, "L-0031", "L-0059", ENGINE=OURS)

    assert 0 == code, said
    assert "conformance gate: the engine agrees, or disagrees only as listed (code 0)" in said
    reports = repository / "conformance-results"
    assert {"results.json", "junit.xml", "summary.md", "badge.svg"} == {
        file.name for file in reports.iterdir()
    }
    assert "2" == ET.parse(reports / "junit.xml").getroot().get("tests")


def test_script_stops_an_engine_with_a_failure(repository: Path) -> None:
    code, said = gate(repository, "L-0031", "L-0059", ENGINE=WRONG, REPORTS="out")
    assert 1 == code, said
    assert "not listed" in said
    assert "❌" in (repository / "out" / "summary.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "engine", "code", "says"),
    [
        (["L-00311"], OURS, 2, "the command or a file asks for something invalid"),
        (["L-0031"], "./no_such_program", 3, "did not start"),
    ],
)
def test_script_says_what_each_code_means(
    repository: Path, arguments: list[str], engine: str, code: int, says: str
) -> None:
    ended, said = gate(repository, *arguments, ENGINE=engine)

    assert code == ended
    assert says in said


@pytest.mark.parametrize("variables", [{}, {"ENGINE": ""}, {"PROFILE": "quick"}])
@pytest.mark.parametrize("toml", [None, "jobs = 1\n"])
def test_script_without_an_engine_examines_none(
    repository: Path, variables: dict[str, str], toml: str | None
) -> None:
    if toml:
        (repository / "conformance.toml").write_text(toml, encoding="utf-8")

    code, said = gate(repository, "L-0031", **variables)

    assert 2 == code, said
    assert "no engine is named" in said
    assert "passed" not in said


def test_script_asks_the_engine_of_the_configuration_or_ours_if_it_is_named(repository: Path) -> None:
    assert 0 == gate(repository, "L-0031", ENGINE="reference")[0]
    (repository / "conformance.toml").write_text(f"engine = '{OURS}'\n", encoding="utf-8")
    assert 0 == gate(repository, "L-0031")[0]


def job_of_the_first_hour() -> str:
    """The commands of a CI job: the last block on the page about the first hour."""
    page = (ROOT / "docs" / "first-hour.md").read_text(encoding="utf-8")
    return str(re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[-1])


@pytest.mark.parametrize(
    "job",
    [
        SCRIPT.read_text(encoding="utf-8"),
        pytest.param(job_of_the_first_hour(), marks=pytest.mark.nightly, id="of the first hour"),
    ],
)
def test_gate_is_green_with_a_listed_failure_on_the_doctor_s_ladder(repository: Path, job: str) -> None:
    (repository / "conformance.toml").write_text('engine = "mutant:newest-first"\n', encoding="utf-8")
    (repository / "job.sh").write_text(job, encoding="utf-8")
    variables = few.environment(repository / "bin")

    def ended(*command: str) -> int:
        return subprocess.run(
            command, cwd=repository, env=variables, capture_output=True, timeout=300, check=False
        ).returncode

    assert 1 == ended("conformance", "doctor")
    assert 1 == ended("sh", "job.sh")
    assert 0 == ended("conformance", "run", "--profile", "gate", "--update-divergences")
    assert 0 == ended("sh", "job.sh")


@pytest.mark.nightly  # by day the page of the first hour does the same without the script
@pytest.mark.skipif(shutil.which("node") is None, reason="no Node here")
def test_script_gates_an_engine_in_another_language(repository: Path) -> None:
    write_starter("javascript", repository)
    new, said = gate(repository, ENGINE="node engine.js")
    assert 1 == new, said

    gate(repository, "--update-divergences", "--divergences", "divergences.yaml", ENGINE="node engine.js")
    known, said = gate(repository, ENGINE="node engine.js")
    assert 0 == known, said
    assert "failed as listed" in said
    assert "next: " in said
    page = (repository / "conformance-results" / "summary.md").read_text(encoding="utf-8")
    assert "listed divergences</summary>" in page

    engine = repository / "engine.js"
    text = engine.read_text(encoding="utf-8")
    line = STARTERS["javascript"].line
    assert 1 == text.count("// " + line)
    engine.write_text(text.replace("// " + line, line), encoding="utf-8")
    mended, said = gate(repository, ENGINE="node engine.js")
    assert 4 == mended, said
    assert "is out of date" in said


# ------------------------------------------------------------------------------- action, workflow


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_action_is_whole() -> None:
    action = read(ROOT / "action.yml")

    assert {"name", "description", "inputs", "outputs", "runs", "branding"} == set(action)
    assert "composite" == action["runs"]["using"]
    for input in action["inputs"].values():
        assert {"description", "default"} == set(input)
    for step in action["runs"]["steps"]:
        assert ("run" in step) != ("uses" in step)
        assert ("shell" in step) == ("run" in step)
        # An input in a script becomes part of the script, whatever it contains.
        assert "${{" not in step.get("run", "")
    used = set(re.findall(r"inputs\.([\w-]+)", (ROOT / "action.yml").read_text(encoding="utf-8")))
    assert set(action["inputs"]) == used
    steps = {step.get("id") for step in action["runs"]["steps"]}
    for output in action["outputs"].values():
        [step, name] = re.findall(r"steps\.([\w-]+)\.outputs\.([\w-]+)", output["value"])[0]
        assert step in steps
        assert f'echo "{name}=' in json.dumps(action).replace('\\"', '"')


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ("github-actions", "action.yml"),
        ("github-workflows", "docs/examples/gate-workflow.yml"),
        ("github-workflows", "docs/examples/site-workflow.yml"),
        ("github-workflows", "docs/examples/campaign/nightly-workflow.yml"),
        ("compose-spec", "docs/examples/campaign/compose.yaml"),
    ],
)
def test_examples_are_as_their_tools_schemas_say(schema: str, path: str) -> None:
    found = importlib.util.find_spec("check_jsonschema")
    assert found is not None and found.origin is not None
    folder = Path(found.origin).parent / "builtin_schemas" / "vendor"
    right = jsonschema.Draft7Validator(json.loads((folder / f"{schema}.json").read_text(encoding="utf-8")))

    # YAML 1.1 reads the key `on` as a boolean; GitHub does not.
    read_as_text = {"on" if key is True else key: value for key, value in read(ROOT / path).items()}

    assert [] == [error.message for error in right.iter_errors(read_as_text)]
    assert not right.is_valid({**read_as_text, "run": 3})


def test_workflow_asks_the_action_only_for_what_it_has() -> None:
    workflow, action = read(ROOT / "docs" / "examples" / "gate-workflow.yml"), read(ROOT / "action.yml")
    [step] = [step for step in workflow["jobs"]["gate"]["steps"] if "mtg-conformance" in step.get("uses", "")]

    assert set(step["with"]) <= set(action["inputs"])
    assert "timeout-minutes" in workflow["jobs"]["gate"]
    assert {"contents": "read"} == workflow["permissions"]


def test_workflow_of_the_site_publishes_the_folder_that_the_command_builds() -> None:
    workflow = read(ROOT / "docs" / "examples" / "site-workflow.yml")
    build = workflow["jobs"]["build"]["steps"]
    [command] = [step["run"] for step in build if "conformance" in step.get("run", "")]
    [upload] = [step for step in build if "upload-pages-artifact" in step.get("uses", "")]

    assert ["conformance", "site", upload["with"]["path"]] == command.split()
    assert "site" in COMMANDS
    assert {"contents": "read"} == workflow["permissions"]
    assert {"pages": "write", "id-token": "write"} == workflow["jobs"]["publish"]["permissions"]
    assert all("timeout-minutes" in job for job in workflow["jobs"].values())


def test_script_and_action_use_options_that_there_are() -> None:
    help = CliRunner().invoke(main, ["run", "--help"]).output
    used = set(re.findall(r"(?<= )--[a-z-]+(?= )", SCRIPT.read_text(encoding="utf-8")))

    assert {"--json", "--junit", "--markdown", "--badge", "--profile", "--engine"} <= used
    assert set() == {option for option in used if option not in help}


def test_commands_of_the_nightly_workflow_are_taken() -> None:
    workflow = read(ROOT / "docs" / "examples" / "campaign" / "nightly-workflow.yml")
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    commands = [step["run"].split() for step in steps if step.get("run", "").startswith("conformance ")]
    campaign = cast(click.Group, main.get_command(click.Context(main), "campaign"))
    for _, _, name, *arguments in commands:
        command = campaign.get_command(click.Context(campaign), name)
        assert command is not None
        known = {option for parameter in command.params for option in parameter.opts}
        assert {one for one in arguments if one.startswith("--")} <= known

    assert ["start", "merge", "report"] == [name for _, _, name, *_ in commands]
    assert {"contents": "read"} == workflow["permissions"]
    assert all("timeout-minutes" in job for job in workflow["jobs"].values())


@pytest.mark.parametrize("code", [0, 3])
def test_nightly_script_starts_then_continues_and_always_reports(tmp_path: Path, code: int) -> None:
    told = tmp_path / "told"
    stand_in = tmp_path / "conformance"
    stand_in.write_text(
        f'#!/bin/sh\necho "$@" >> {told}\n'
        f'case $2 in start) mkdir -p "$3"; exit {code} ;; resume) exit {code} ;; esac\n'
    )
    stand_in.chmod(0o755)
    date = tmp_path / "date"
    date.write_text("#!/bin/sh\ncase $1 in +%Y-%m-%d) echo 2026-10-31 ;; +%Y%m%d) echo 20261031 ;; esac\n")
    date.chmod(0o755)
    script = ROOT / "docs" / "examples" / "campaign" / "night.sh"
    path = os.pathsep.join((str(tmp_path), os.environ["PATH"]))
    variables = {
        **os.environ,
        **{"PATH": path, "CONFORMANCE": str(stand_in), "ENGINE": "node shim.js", "TIME": "2h"},
    }
    ends = [
        subprocess.run(["sh", str(script)], cwd=tmp_path, env=variables, check=False).returncode
        for _ in range(2)
    ]

    night = "campaigns/2026-10-31"
    begun = f"campaign start {night} --engine node shim.js --for 2h --seed 20261031"
    assert [code, code] == ends
    assert [begun, f"campaign report {night}", f"campaign resume {night}", f"campaign report {night}"] == (
        told.read_text().splitlines()
    )


def test_nightly_script_without_an_engine_says_so(tmp_path: Path) -> None:
    script = ROOT / "docs" / "examples" / "campaign" / "night.sh"
    variables = {name: value for name, value in os.environ.items() if name != "ENGINE"}
    ended = subprocess.run(
        ["sh", str(script)], cwd=tmp_path, env=variables, check=False, capture_output=True, text=True
    )

    assert ended.returncode
    assert "set ENGINE" in ended.stderr

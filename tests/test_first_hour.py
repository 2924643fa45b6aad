"""The page about the first hour, followed to the letter in an empty folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from conformance.starters import STARTERS
from tests import few

PAGE = (Path(__file__).parent.parent / "docs" / "first-hour.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ENGINE = Path("conformance_shim") / "engine.js"

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or os.name != "posix", reason="node and a shell are needed"
)


def commands_in(block: str) -> list[tuple[str, int]]:
    """Each command of a block with its exit code; a block with a here-document is one command."""
    if "<<" in block:
        return [(block, 0)]
    said = [re.search(r"# ends with (\d)", line) for line in block.splitlines()]
    return [(line, int(code[1]) if code else 0) for line, code in zip(block.splitlines(), said, strict=True)]


def test_page_begins_with_the_installation_that_the_readme_has() -> None:
    install = BLOCKS[0][1]
    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")

    assert install.partition(" && . ")[0] in readme


@pytest.mark.sweep
def test_every_command_does_what_the_page_says(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    variables = few.environment(tmp_path_factory.mktemp("bin"))
    edits: list[str] = []
    for kind, block in BLOCKS[1:]:
        match kind:
            case "toml":
                (tmp_path / "conformance.toml").write_text(block, encoding="utf-8")
            case "js" if not edits:
                edits.append(block)
            case "js":
                text = (tmp_path / ENGINE).read_text(encoding="utf-8")
                assert 1 == text.count(edits[0]), f"not in the source: {edits[0]}"
                (tmp_path / ENGINE).write_text(text.replace(edits.pop(), block), encoding="utf-8")
            case "sh":
                for command, code in commands_in(block):
                    ended = subprocess.run(
                        ["sh", "-c", command],
                        cwd=tmp_path,
                        env=variables,
                        capture_output=True,
                        text=True,
                        timeout=600,
                        check=False,
                    )
                    assert code == ended.returncode, f"{command}\n{ended.stdout}{ended.stderr}"
            case other:
                pytest.fail(f"nobody knows what to do with {other}")
    assert (tmp_path / "conformance.xml").is_file()


STARTER = re.compile(r"^\| `(\w+)` \| (?:`(.+)`)? *\| `(.+)` \|$", re.MULTILINE)


def test_table_has_every_starter() -> None:
    assert list(STARTERS) == [language for language, _, _ in STARTER.findall(PAGE)]


def by_time(languages: Iterable[str]) -> list[object]:
    """Those that a compiler translates are for the night: the tests of the starters build them, too."""
    slow = {"go", "rust", "java"}
    return [pytest.param(one, marks=[pytest.mark.nightly] * (one in slow)) for one in languages]


@pytest.mark.sweep
@pytest.mark.parametrize("language", by_time(one for one in STARTERS if one != "kotlin"))
def test_starter_is_built_and_named_as_the_table_says(
    language: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    build, engine = next((build, engine) for one, build, engine in STARTER.findall(PAGE) if one == language)
    tool = (build or engine.strip('"')).split()[0]
    if language != "python" and shutil.which(tool) is None:
        pytest.skip(f"{tool} is not there")
    asked = f"conformance init-adapter {language} conformance_shim && {build or 'true'} && "
    asked += f"conformance run G-0070 --engine {engine}"

    ended = subprocess.run(
        ["sh", "-c", asked],
        cwd=tmp_path,
        env=few.environment(tmp_path_factory.mktemp("bin")),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert 0 == ended.returncode, ended.stdout + ended.stderr


def test_page_leads_to_pages_that_are_there() -> None:
    links = re.findall(r"\]\(([\w.-]+)\)", PAGE)

    assert links
    assert [] == [link for link in links if not (Path(__file__).parent.parent / "docs" / link).is_file()]

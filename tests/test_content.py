"""Paths that are not regular files are rejected with their location: nothing waits for them or crashes."""

from __future__ import annotations

import errno
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.files.content import content_of
from conformance.gate.config import config_in, found_config
from conformance.model.problems import ScenarioError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="makes pipes and links")


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)  # the whole path may be too long for a socket


MADE: dict[str, tuple[Callable[[Path], None], str]] = {
    "a folder": (Path.mkdir, "a folder, not a file"),
    "a pipe": (os.mkfifo, "a pipe, not a file"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "a device, not a file"),
    "a broken link": (lambda path: path.symlink_to("nowhere"), "a broken link"),
    "a link to itself": (lambda path: path.symlink_to(path.name), "a broken link"),
    "a socket": (a_socket, "No such device or address"),
}


@pytest.mark.parametrize("command", ["check", "run", "list", "show", "explain"])
@pytest.mark.parametrize("kind", MADE)
def test_anything_but_a_file_is_refused_in_a_folder(
    kind: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make, says = MADE[kind]
    make(Path("x.yaml"))

    ended = CliRunner().invoke(main, [command, "."])

    assert 2 == ended.exit_code, ended.output
    assert ended.output.startswith(f"x.yaml: {says}\n    ")


NAMED = {kind: made for kind, made in MADE.items() if kind != "a folder"}


@pytest.mark.parametrize("command", ["run", "show", "explain"])
@pytest.mark.parametrize("kind", NAMED)
def test_anything_but_a_file_is_refused_by_name(
    kind: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    make, says = NAMED[kind]
    make(Path("x.yaml"))

    ended = CliRunner().invoke(main, [command, "x.yaml"])

    assert 2 == ended.exit_code, ended.output
    assert ended.output.startswith(f"x.yaml: {says}\n    ")


@pytest.mark.parametrize("kind", MADE)
def test_configuration_that_is_no_file_is_not_passed_over(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its configuration, a plain run would test the reference engine."""
    monkeypatch.chdir(tmp_path)
    make, says = MADE[kind]
    make(Path("conformance.toml"))

    with pytest.raises(ScenarioError, match=f"conformance.toml: {says}"):
        found_config(tmp_path)


def test_folder_that_stands_in_itself_is_entered_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        Path(name).symlink_to(".")
    Path("a.yaml").write_text(
        "setup: [{id: bear, card: Runeclaw Bear, controller: alice}]\nexpect: [{of: bear, power: 2}]\n"
    )

    ended = CliRunner().invoke(main, ["list", "."])

    assert (0, 1) == (ended.exit_code, len(ended.output.splitlines())), ended.output


def test_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"12345")

    assert b"12345" == content_of(file, most=5)
    with pytest.raises(ScenarioError, match="a: longer than 4 bytes"):
        content_of(file, "a", most=4)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"x = " + b"[" * 5000 + b"]" * 5000, "lists or tables nested"),
        (b"x = " + b"{x=" * 5000 + b"1" + b"}" * 5000, "lists or tables nested"),
        (b"jobs = " + b"9" * 5000, "not TOML"),
        (b"".join(b"key%d = 1\n" % number for number in range(5000)), "unknown key"),
        (b'x = """[' + b" " * 90_000 + b'"""', "unknown key"),
    ],
    ids=["lists", "tables", "digits", "many", "spaces"],
)
def test_hostile_configuration_is_refused_in_a_few_lines(content: bytes, says: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        config_in(content, Path("conformance.toml"))

    assert says in str(refused.value)
    assert len(refused.value.problems) <= 20
    assert len(str(refused.value)) < 10_000


def test_endless_configuration_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "conformance.toml").write_bytes(b"#" * 200_000)

    with pytest.raises(ScenarioError, match="longer than 100,000 bytes"):
        found_config(tmp_path)


FULL = Path("/dev/full")
needs_a_full_disk = pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")


@needs_a_full_disk
@pytest.mark.parametrize("report", ["json", "junit", "markdown"])
def test_full_disk_is_an_error_with_its_place(report: str) -> None:
    ended = CliRunner().invoke(main, ["run", "L-0001", f"--{report}", str(FULL)])

    assert 2 == ended.exit_code, ended.output
    assert "/dev/full: No space left on device" in ended.output


@needs_a_full_disk
@pytest.mark.sweep
@pytest.mark.parametrize(
    "command", [["run", "L-0001"], ["list"], ["show", "L-0001"], ["explain", "L-0001"], ["--help"], ["rules"]]
)
def test_output_that_cannot_be_written_is_an_error_in_one_line(command: list[str], tmp_path: Path) -> None:
    with FULL.open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "conformance", *command],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert (2, "the output cannot be written: No space left on device") == (
        ended.returncode,
        ended.stderr.strip(),
    )


def test_only_one_module_writes_whole_files() -> None:
    """It names the file that cannot be written, even if the system tells only of a full disk."""
    root = Path(__file__).parent.parent
    writers = {
        path.relative_to(root).as_posix()
        for path in (root / "conformance").rglob("*.py")
        if re.search(r"\.write_(?:text|bytes)\(", path.read_text(encoding="utf-8"))
    }

    names_its_folder = "conformance/starters/__init__.py"
    assert {"conformance/files/writing.py", names_its_folder} == writers


def full(path: Path, content: bytes) -> None:
    """What a full disk does to `Path.write_bytes`: the error names no file."""
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.sweep
def test_a_full_disk_is_reported_with_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "write_bytes", full)

    ended = CliRunner().invoke(main, ["export", "out"])

    assert 2 == ended.exit_code
    assert re.fullmatch(r"out\S+\.json: No space left on device\n", ended.stderr)


@needs_a_full_disk
@pytest.mark.parametrize("option", ["--html", "--svg"])
def test_a_full_device_is_named(option: str) -> None:
    ended = CliRunner().invoke(main, ["explain", "L-0114", "--of", "moon", option, str(FULL)])

    assert (2, f"{FULL}: No space left on device\n") == (ended.exit_code, ended.stderr)

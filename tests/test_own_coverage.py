"""The coverage of our own tests is complete, however slow the machine."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SETTINGS = """
[run]
parallel = true
patch = subprocess
source = measured_here
"""
KILLER = """
import os


def pytest_unconfigure(config):
    if hasattr(config, "workerinput"):
        os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_worker_killed_after_its_last_test_loses_no_coverage(tmp_path: Path) -> None:
    """As xdist does to a worker whose process ends too slowly."""
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path)
    (tmp_path / ".coveragerc").write_text(SETTINGS)
    (tmp_path / "killer.py").write_text(KILLER)
    (tmp_path / "measured_here.py").write_text("def answer():\n    return 42\n")
    (tmp_path / "test_it.py").write_text(
        "from measured_here import answer\n\n\ndef test_it():\n    assert answer()\n"
    )
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("COVERAGE_", "PYTEST_"))}
    environment = kept | {"PYTHONPATH": str(tmp_path)}

    def coverage(*words: str) -> str:
        ended = subprocess.run(
            [sys.executable, "-m", "coverage", *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return ended.stdout

    coverage("run", "-m", "pytest", "-p", "killer", "-n", "1", "-q")
    coverage("combine", "--quiet")
    assert "measured_here.py       2      0   100%" in coverage("report", "--show-missing")

"""What `conformance explain` prints for the eight examples of the source on timing and priority.

`python -m tools golden account` regenerates it; review the diff.
"""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from conformance.cli import main

FOLDER = Path(__file__).parent.parent / "tests" / "golden" / "account"
EXAMPLES = {
    "G-0130": "004-E1: a creature shot in the second main phase",
    "G-0131": "004-E2: holding priority with Sneak Attack",
    "G-0134": "004-E3: Cancel on Lightning Strike",
    "G-0136": "004-E4: a trigger on top of the spell that it was sacrificed for",
    "G-0138": "004-E5: no window while Sundering Titan chooses",
    "G-0141": "004-E6: from untap to draw",
    "G-0145": "004-E7: main phase and combat",
    "G-0153": "004-E8: second main phase to cleanup",
}


def golden_text(id: str) -> str:
    """The command's output: the account of the script, then the board."""
    return CliRunner().invoke(main, ["explain", id], catch_exceptions=False).output


def write() -> Path:
    """Regenerate the file and return its path."""
    FOLDER.mkdir(exist_ok=True, parents=True)
    for id in EXAMPLES:
        (FOLDER / f"{id}.txt").write_text(golden_text(id), encoding="utf-8")
    return FOLDER

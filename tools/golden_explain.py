"""What `conformance explain` prints for boards that judges ask about.

`python -m tools golden explain` regenerates it; review the diff.
"""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from conformance.cli import main

FOLDER = Path(__file__).parent.parent / "tests" / "golden" / "explain"
BOARDS = {
    "L-0192": "Humility with a newer Opalescence",
    "L-0193": "Humility, newer than Opalescence",
    "L-0114": "Blood Moon with an older Urborg",
    "L-0162": "Titania's Song with a newer Mycosynth Lattice",
    "L-0120": "Dralnu's Crusade with Conspiracy",
    "L-0219": "the loop of Life and Limb and Blood Moon",
    "L-0153": "three Mind Bends",
    "L-0206": "Spellbook, then Null Profusion",
    "L-0025": "an effect that goes on though its ability is gone",
    "L-0346": "a loop and an outsider that it waits for",
}


def golden_explanation(id: str) -> str:
    """The command's output."""
    return CliRunner().invoke(main, ["explain", id], catch_exceptions=False).output


def write() -> Path:
    """Regenerate the file and return its path."""
    FOLDER.mkdir(exist_ok=True, parents=True)
    for id in BOARDS:
        (FOLDER / f"{id}.txt").write_text(golden_explanation(id), encoding="utf-8")
    return FOLDER

"""What `conformance explain` says of the boards judges ask about.

`python -m tools golden explain` writes it anew; read the difference.
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


def explained(id: str) -> str:
    """What the command prints."""
    return CliRunner().invoke(main, ["explain", id], catch_exceptions=False).output


def write() -> Path:
    """Write it anew, and say where."""
    FOLDER.mkdir(exist_ok=True, parents=True)
    for id in BOARDS:
        (FOLDER / f"{id}.txt").write_text(explained(id), encoding="utf-8")
    return FOLDER

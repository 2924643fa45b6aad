"""The picture at the top of the README.

`python -m tools golden picture` draws it; look at it before you commit it.
"""

from __future__ import annotations

from pathlib import Path

from conformance.commands import explain_and_play

FILE = Path(__file__).parent.parent / "docs" / "humility.svg"
BOARD = "L-0193"
"""Opalescence with a newer Humility: the board that the README describes."""


def golden_picture() -> str:
    """A picture of how Humility goes through the layers."""
    return explain_and_play.svg_of(explain_and_play.explain_scenario(BOARD, of="humility"))


def write() -> Path:
    """Draw the picture and return its path."""
    FILE.write_text(golden_picture(), encoding="utf-8")
    return FILE

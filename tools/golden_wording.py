"""The words of every card in the pool, kept in `tests/golden/wording.txt` and compared by `test_wording`.

After a change that should affect the words, regenerate the file and review the diff as a player would:

python -m tools golden wording
"""

from __future__ import annotations

from pathlib import Path

from conformance.data.library import pool
from conformance.wording import card_text

FILE = Path(__file__).parent.parent / "tests" / "golden" / "wording.txt"


def golden_text() -> str:
    """Every card of the pool in words, sorted by name."""
    cards = pool()
    return "\n\n".join(card_text(cards[name]) for name in sorted(cards)) + "\n"


def write() -> Path:
    """Regenerate the file and return its path."""
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(golden_text(), encoding="utf-8")
    return FILE

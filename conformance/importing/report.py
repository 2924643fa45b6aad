"""What became of the boards of an import, in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from conformance.importing.board import Obstacle
from conformance.model.printable import printable, shortened
from conformance.model.verdict import Fail, PassVerdict, Unsupported, Verdict

REASONS_LISTED = 10
"""Number of the most frequent obstacles to list."""
LONGEST = 100
"""Maximum number of characters of an engine's reason."""
CARD_LAST = re.compile(r"^.*?: | \([^()]*\)$")
"""The place and the card that a reason names, without which the same reasons are counted together."""
MOST_SHOWN = 3
"""Number of a board's obstacles, and of a scenario's differences, to list."""


class BoardOutcome(Struct, frozen=True):
    """What became of one board."""

    source: str
    """The file and the name of the board in it."""
    written: Path | None = None
    obstacles: tuple[Obstacle, ...] = ()
    """Why it was not imported, or what was left out."""
    unplayable: str = ""
    """Why the reference engine cannot play it; empty if it can."""
    verdict: Verdict | None = None
    """What an engine does, compared with the reference engine."""


def outcome_lines(one: BoardOutcome) -> Iterator[str]:
    """What a reader has to know about one board; nothing if all is well."""
    if one.written is None:
        said = "; ".join(map(str, one.obstacles[:MOST_SHOWN]))
        more = len(one.obstacles) - MOST_SHOWN
        yield printable(f"{one.source}: not imported: {said}" + (f"; and {more} more" if more > 0 else ""))
        return
    if one.unplayable:
        yield printable(f"{one.written}: the reference engine cannot play it: {one.unplayable}")
    match one.verdict:
        case None | PassVerdict() | Unsupported():
            return
        case Fail(parts):
            wrong = [part for part in parts if part.outcome == "fail"]
            yield printable(f"{one.written}: the engine differs from the reference engine")
            for part in wrong[:MOST_SHOWN]:
                what = f"{part.about}, {part.when}: {part.key}"
                yield printable(f"    {what}: reference {part.expected}, engine {part.observed}")
            if len(wrong) > MOST_SHOWN:
                yield f"    and {len(wrong) - MOST_SHOWN} more"
        case other:
            yield printable(f"{one.written}: {getattr(other, 'says', 'was not scored')}")


def summary_lines(outcomes: Sequence[BoardOutcome], engine: str = "") -> Iterator[str]:
    """The counts, and the most frequent reasons."""
    imported = [one for one in outcomes if one.written is not None]
    reasons = Counter(
        reason for one in outcomes for reason in {without_digits(each.what) for each in one.obstacles}
    )
    if reasons:
        boards = "boards" if len(outcomes) > 1 else "board"
        yield f"in the way, by the number of {boards}:"
        for reason, number in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))[:REASONS_LISTED]:
            yield printable(f"  {number:5} {reason}")
        if len(reasons) > REASONS_LISTED:
            yield f"        and {len(reasons) - REASONS_LISTED} other reasons"
    partly = sum(bool(one.obstacles) for one in imported)
    plays = sum(not one.unplayable for one in imported)
    left_out = f", {partly} of them with something left out" if partly else ""
    yield f"{len(imported)} of {len(outcomes)} boards imported{left_out}; the reference engine plays {plays}"
    if engine:
        yield from unsupported_lines(imported)
        yield f"{engine}: {', '.join(engine_counts(imported))}"


def unsupported_lines(imported: Sequence[BoardOutcome]) -> Iterator[str]:
    """The most frequent reasons why an engine cannot play a scenario."""
    said = [one.verdict.says for one in imported if isinstance(one.verdict, Unsupported)]
    reasons = Counter(without_digits(CARD_LAST.sub("", reason)) for reason in said)
    if reasons:
        yield "unsupported:"
        for reason, number in sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))[:REASONS_LISTED]:
            yield printable(f"  {number:5} {shortened(reason, LONGEST)}")


def engine_counts(imported: Sequence[BoardOutcome]) -> Iterator[str]:
    """How many scenarios an engine plays as the reference engine does, and how many not."""
    verdicts = [one.verdict for one in imported if one.verdict is not None]
    counts = {
        "the same": sum(isinstance(one, PassVerdict) for one in verdicts),
        "different": sum(isinstance(one, Fail) for one in verdicts),
        "unsupported": sum(isinstance(one, Unsupported) for one in verdicts),
    }
    broken = len(verdicts) - sum(counts.values())
    yield from (f"{number} {word}" for word, number in counts.items())
    if broken:
        yield f"{broken} not answered"


def without_digits(reason: str) -> str:
    """A reason without numbers, so that the same reasons are counted together."""
    return re.sub(r"\d+", "N", reason) if not reason.startswith("no card") else reason

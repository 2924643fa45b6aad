"""A run in a word, for a README: as an SVG picture, or as the JSON from which shields.io makes one.

What was left out of a run is said on it: a badge of a selection does not look like one of the whole suite.
"""

from __future__ import annotations

from html import escape

import msgspec

from conformance.results.events import Run
from conformance.results.summary import AGREED

LABEL = "Magic rules"
COLOURS = {"brightgreen": "#3a7d0a", "yellow": "#8a6d00", "red": "#c0392b", "lightgrey": "#6a6a6a"}
"""The colours by shields.io's names, dark enough for white letters."""
WIDTHS = (("mwMW%@", 10.0), ("0123456789", 7.0), ("fijlIt.,:;|!'() ", 3.9), ("r-", 4.8))
"""How wide letters of 11 pixels are; all others are like an `a`."""


def badge_svg(run: Run) -> str:
    """The run as a badge, a picture of its own that needs nothing else."""
    label, message, colour = said_on_badge(run)
    left, right = width_of(label) + 10, width_of(message) + 10
    words = escape(f"{label}: {message}")
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" aria-label="{words}">
  <title>{words}</title>
  <clipPath id="r"><rect width="{left + right}" height="20" rx="3"/></clipPath>
  <g clip-path="url(#r)">
    <rect width="{left}" height="20" fill="#444"/>
    <rect x="{left}" width="{right}" height="20" fill="{COLOURS[colour]}"/>
  </g>
  <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">
    <text x="{left / 2}" y="14" textLength="{left - 10}">{escape(label)}</text>
    <text x="{left + right / 2}" y="14" textLength="{right - 10}">{escape(message)}</text>
  </g>
</svg>
"""


def badge_json(run: Run) -> str:
    """The run as an endpoint of shields.io."""
    label, message, colour = said_on_badge(run)
    said = {
        "schemaVersion": 1,
        "label": label,
        "message": message,
        "color": colour,
        "isError": colour == "red",
    }
    return msgspec.json.format(msgspec.json.encode(said), indent=2).decode() + "\n"


def said_on_badge(run: Run) -> tuple[str, str, str]:
    """Label, message and colour: green is for a whole run in which everything was played and is right."""
    counts = run.counts
    total = counts.passed + counts.failed + counts.unsupported + counts.not_run
    label = f"{LABEL} {what_is_left(run)}".strip()
    if run.ended is None or not run.is_whole or not total:
        return label, "unknown", "lightgrey"
    message = f"{counts.passed} of {total}"
    if run.ended.exit_code != AGREED:
        return label, message, "red" if counts.failed or counts.not_run else "lightgrey"
    return label, message, "yellow" if counts.unsupported or counts.failed else "brightgreen"


def what_is_left(run: Run) -> str:
    """What a run was narrowed to, in a word; nothing if it was of everything."""
    chosen = run.began.chosen
    if chosen.everything():
        return ""
    only_rules = chosen.rules and not (chosen.what or chosen.word or chosen.source)
    return " ".join(chosen.rules) if only_rules and len(chosen.rules) <= 3 else "(some)"


def width_of(text: str) -> int:
    """About how wide a text is; the picture stretches it to exactly this."""
    return round(sum(next((width for some, width in WIDTHS if letter in some), 6.7) for letter in text))

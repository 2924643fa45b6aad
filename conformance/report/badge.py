"""A run as a badge for a README: an SVG image, or the JSON endpoint that shields.io reads.

The badge says if a run was narrowed down: it never looks like a badge of the whole suite.
"""

from __future__ import annotations

from html import escape

import msgspec

from conformance.results.events import Run
from conformance.results.summary import AGREED

LABEL = "Magic rules"
COLOURS = {"brightgreen": "#3a7d0a", "yellow": "#8a6d00", "red": "#c0392b", "lightgrey": "#6a6a6a"}
"""Colours by their shields.io names, dark enough for white letters."""
WIDTHS = (("mwMW%@", 10.0), ("0123456789", 7.0), ("fijlIt.,:;|!'() ", 3.9), ("r-", 4.8))
"""Widths of letters at 11 pixels; all others are as wide as an `a`."""


def badge_svg(run: Run) -> str:
    """The run as a self-contained SVG badge."""
    label, message, colour = badge_text(run)
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
    """The run as a shields.io endpoint."""
    label, message, colour = badge_text(run)
    said = {
        "schemaVersion": 1,
        "label": label,
        "message": message,
        "color": colour,
        "isError": colour == "red",
    }
    return msgspec.json.format(msgspec.json.encode(said), indent=2).decode() + "\n"


def badge_text(run: Run) -> tuple[str, str, str]:
    """Label, message and colour; green only if the whole suite was run and everything passed."""
    counts = run.counts
    total = counts.passed + counts.failed + counts.unsupported + counts.not_run
    label = f"{LABEL} {selection_word(run)}".strip()
    if run.ended is None or not run.is_whole or not total:
        return label, "unknown", "lightgrey"
    message = f"{counts.passed} of {total}"
    if run.ended.exit_code != AGREED:
        return label, message, "red" if counts.failed or counts.not_run else "lightgrey"
    return label, message, "yellow" if counts.unsupported or counts.failed else "brightgreen"


def selection_word(run: Run) -> str:
    """What a run was narrowed to, in a word; empty for the whole suite."""
    chosen = run.began.chosen
    if chosen.everything():
        return ""
    only_rules = chosen.rules and not (chosen.what or chosen.word or chosen.source)
    return " ".join(chosen.rules) if only_rules and len(chosen.rules) <= 3 else "(some)"


def width_of(text: str) -> int:
    """Approximate width of a text; the image stretches the text to exactly this width."""
    return round(sum(next((width for some, width in WIDTHS if letter in some), 6.7) for letter in text))

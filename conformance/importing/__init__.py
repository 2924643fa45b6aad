"""Boards and saved games of engines, made into scenarios. Imports `play`.

`xmage`, `argentum` and `phase_rs` read a file of one engine each; the result is the same value, a
`ForeignBoard`. `scenario` turns it into a scenario file, as people write them, or says what stands in the
way and where. `scripted` adds actions, and `filled` what the reference engine shows as expectations, with a
mark that nobody has read them. Read `importer` first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from conformance.files.strict_json import beyond_bounds
from conformance.importing.argentum import argentum_board, is_of_argentum
from conformance.importing.board import ForeignBoard
from conformance.importing.phase_rs import is_of_phase_rs, phase_rs_board, state_in
from conformance.importing.xmage import xmage_boards
from conformance.model.problems import Problem, ScenarioError

FORMATS = ("xmage", "argentum", "phase-rs")
SHAPES = "a board of XMage (init.txt) or Argentum, or a saved state of phase-rs, is read"
BOARD_SUFFIXES = (".txt", ".json")


def boards_in(content: bytes, path: str) -> Sequence[ForeignBoard]:
    """The boards in a file of any of the formats. Raises `ScenarioError` if it is none of them."""
    if not path.endswith(".json"):
        return xmage_boards(text_of(content, path), path)
    value = json_of(content, path)
    for fits, read in READERS:
        if fits(value):
            return (read(value, path),)
    raise ScenarioError([Problem(path, 0, 0, "", "neither a board nor a saved state", SHAPES)])


READERS: Sequence[
    tuple[Callable[[Mapping[str, Any]], bool], Callable[[Mapping[str, Any], str], ForeignBoard]]
] = (
    (is_of_argentum, argentum_board),
    (is_of_phase_rs, lambda value, path: phase_rs_board(state_in(value), path)),
)
"""For each format in JSON: whether a value has it, and what reads it."""


def text_of(content: bytes, path: str) -> str:
    """A file as text."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not UTF-8"
        raise ScenarioError([Problem(path, 0, 0, "", what, "save the file as UTF-8")]) from None


def json_of(content: bytes, path: str) -> Mapping[str, Any]:
    """The map in a JSON file. Numbers of any size and kind are allowed: saved games have them."""
    too_much = beyond_bounds(content)
    if too_much:
        raise ScenarioError([Problem(path, 0, 0, "", too_much.what, too_much.cure)])
    try:
        value = json.loads(text_of(content, path), parse_int=short_number)
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg}"
        raise ScenarioError([Problem(path, error.lineno, error.colno, "", what, SHAPES)]) from None
    if not isinstance(value, dict):
        raise ScenarioError([Problem(path, 0, 0, "", "not a map of keys", SHAPES)])
    return value


MOST_DIGITS = 20


def short_number(text: str) -> int | None:
    """A whole number; None if no board can need it."""
    return int(text) if len(text) <= MOST_DIGITS else None

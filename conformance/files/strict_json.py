"""JSON looked through before it is read: strict, and within bounds, whoever wrote it.

What JSON or msgspec would let pass in silence (a key given twice, half a character, a number that is none) is
refused. So is what nobody needs and what would cost time or memory without bound: each check takes time in
proportion to the length of the content, and what could grow beyond it is counted first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from msgspec import Struct

from conformance.model.printable import shortened
from conformance.model.problems import At, Problem, ScenarioError

MOST_BYTES = 16 * 1024 * 1024
MOST_SIGNS = 1_000_000
"""Of quotation marks, commas and opening brackets: no text holds more values than signs."""
MOST_IN_A_TEXT = 100_000
"""The most bytes of one text."""
MOST_DEEP = 200
"""Deeper than any file of 40 levels becomes."""
MOST_DIGITS = 15
MOST_OFFENCES = 20
"""No more of them are kept: who mends these sees the next."""
MOST_SHOWN = 80

TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""A text, or the rest of the content if it never ends: so that nothing is looked at twice."""
BRACKET = re.compile(rb"[\[\]{}]")
NO_CHARACTER = re.compile("[\0\ud800-\udfff]")


class Offence(Struct, frozen=True):
    """Stands, while JSON is looked through, for a part of it that is not allowed."""

    what: str
    cure: str


def check_strictly(content: bytes, path: str) -> None:
    """Raises `ScenarioError` for what a strict reader refuses."""
    too_much = beyond_bounds(content)
    if too_much:
        raise ScenarioError([Problem(path, 0, 0, "$", too_much.what, too_much.cure)])
    met: list[Offence] = []

    def offence(what: str, cure: str) -> Offence:
        if len(met) < MOST_OFFENCES:
            met.append(Offence(what, cure))
        return met[-1]

    def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any] | Offence:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        twice = shortened(first_double(key for key, _ in pairs), MOST_SHOWN)
        return offence(f"{twice!r} is given twice", "give every key once")

    def whole_number(text: str) -> int | Offence:
        if len(text) > MOST_DIGITS:
            return offence(f"a number of more than {MOST_DIGITS} digits", "no game needs it")
        return int(text)

    def not_whole(text: str) -> Offence:
        return offence(f"{shortened(text, MOST_SHOWN)} is no whole number", "write a whole number")

    try:
        found = json.loads(
            content.decode(),
            object_pairs_hook=without_doubles,
            parse_int=whole_number,
            parse_float=not_whole,
            parse_constant=lambda text: offence(f"{text} is no number", "write a whole number"),
        )
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not UTF-8"
        raise ScenarioError([Problem(path, 0, 0, "$", what, "send UTF-8")]) from None
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg}"
        raise ScenarioError(
            [Problem(path, error.lineno, error.colno, "", what, "send one JSON value")]
        ) from None
    if met or b"\\u" in content:
        offences = [
            Problem(path, 0, 0, json_path(at), one.what, one.cure)
            for at, one in islice(offences_in(found, ()), MOST_OFFENCES)
        ]
        if offences:
            raise ScenarioError(offences)


# ------------------------------------------------------------------------------------------ bounds


def beyond_bounds(content: bytes) -> Offence | None:
    """What there is too much of, if there is."""
    if len(content) > MOST_BYTES:
        return Offence(f"more than {MOST_BYTES:,} bytes", "leave out what nobody asked for")
    if sum(map(content.count, (b'"', b",", b"[", b"{"))) > MOST_SIGNS:
        return Offence(
            f"more than {MOST_SIGNS:,} quotation marks, commas and brackets",
            "leave out what nobody asked for",
        )
    if any(text.end() - text.start() > MOST_IN_A_TEXT + 2 for text in TEXT.finditer(content)):
        return Offence(f"a text of more than {MOST_IN_A_TEXT:,} bytes", "write a shorter one")
    if deeper_than(MOST_DEEP, content):
        return Offence(f"more than {MOST_DEEP} levels deep", "no scenario needs that")
    return None


def deeper_than(most: int, content: bytes) -> bool:
    """Whether brackets are nested deeper than that, those in text left aside."""
    if content.count(b"[") + content.count(b"{") <= most:
        return False
    depth = 0
    for bracket in BRACKET.finditer(TEXT.sub(b"", content)):
        depth += 1 if bracket[0] in b"[{" else -1
        if depth > most:
            return True
    return False


# ---------------------------------------------------------------------------------------- offences


def first_double(keys: Iterable[str]) -> str:
    """The first key that was there before."""
    met: set[str] = set()
    for key in keys:
        if key in met:
            return key
        met.add(key)
    raise ValueError("no key is given twice")


def offences_in(value: object, at: At) -> Iterator[tuple[At, Offence]]:
    """Everything in parsed JSON that is not allowed, with its place."""
    if isinstance(value, str):
        if NO_CHARACTER.search(value):
            yield at, Offence("text with half a character, or a null one", "take it out")
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from offences_in(key, at)
            yield from offences_in(inner, (*at, key))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from offences_in(inner, (*at, position))
    elif isinstance(value, Offence):
        yield at, value


def json_path(at: At) -> str:
    """A place as a JSON path: `$.play.setup[0]`."""
    return "$" + "".join(
        f"[{step}]" if isinstance(step, int) else f".{shortened(step, MOST_SHOWN)}" for step in at
    )

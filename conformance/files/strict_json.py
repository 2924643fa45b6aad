"""Checks JSON strictly, and within bounds, before it is decoded.

It refuses what JSON or msgspec would silently accept (duplicate keys, lone surrogates, NaN), and what could
cost unbounded time or memory: every check takes time proportional to the length of the content, and whatever
could grow beyond that is counted first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from conformance.model.printable import shortened
from conformance.model.problems import At, Problem, ScenarioError

MOST_JSON_BYTES = 16 * 1024 * 1024
MOST_SIGNS = 1_000_000
"""Maximum number of quotation marks, commas and opening brackets, which exceeds the number of values."""
MOST_IN_A_TEXT = 100_000
"""Maximum number of bytes of one string."""
MOST_DEEP = 200
"""Maximum nesting depth, more than a file of 40 levels needs."""
MOST_DIGITS = 15
LONG_NUMBER = b"0" * (MOST_DIGITS + 1)
ALL_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"000000000")
MOST_OFFENCES = 20
"""Maximum number of offences to collect: fixing these reveals the next."""
MOST_SHOWN = 80

TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
"""A string, or the rest of the content if it is never closed, so that nothing is scanned twice."""
BRACKET = re.compile(rb"[\[\]{}]")
NO_CHARACTER = re.compile("[\0\ud800-\udfff]")


class Offence(Struct, frozen=True):
    """Marks a part of the JSON that is not allowed."""

    what: str
    cure: str


def check_strictly(content: bytes, path: str) -> None:
    """Raise `ScenarioError` for anything that a strict reader refuses."""
    problems = [] if is_in_order(content) else offences_of(content, path)
    if problems:
        raise ScenarioError(problems)


def is_in_order(content: bytes) -> bool:
    """Whether it is plain at once that a strict reader refuses nothing, as in every line that we write.

    What is read and written again without a change has no key twice and no number that is written in
    another way; it takes half the time that looking at each value does.
    """
    if beyond_bounds(content) or b"\\u" in content or LONG_NUMBER in content.translate(ALL_DIGITS_ALIKE):
        return False
    try:
        return WRITER.encode(READER.decode(content)) == content.rstrip(b"\n")
    except (msgspec.DecodeError, ValueError):
        return False


def refuse_fraction(text: str) -> None:
    """Refuse a number that is not whole."""
    raise ValueError(text)


READER = msgspec.json.Decoder(float_hook=refuse_fraction)
WRITER = msgspec.json.Encoder()


def offences_of(content: bytes, path: str, *, doubles: bool = True, signs: int = MOST_SIGNS) -> list[Problem]:
    """What a strict reader refuses in JSON, with or without keys that are given twice.

    Raises `ScenarioError` if the content is not JSON, or beyond the bounds.
    """
    too_much = beyond_bounds(content, signs)
    if too_much:
        raise ScenarioError([Problem(path, 0, 0, "", too_much.what, too_much.cure)])
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
        return offence(f"{shortened(text, MOST_SHOWN)} is not a whole number", "write a whole number")

    try:
        found = json.loads(
            content.decode(),
            object_pairs_hook=without_doubles if doubles else None,
            parse_int=whole_number,
            parse_float=not_whole,
            parse_constant=lambda text: offence(f"{text} is not a number", "write a whole number"),
        )
    except UnicodeDecodeError as error:
        what = f"byte {error.start} is not UTF-8"
        raise ScenarioError([Problem(path, 0, 0, "", what, "send UTF-8")]) from None
    except json.JSONDecodeError as error:
        what = f"not JSON: {error.msg}"
        raise ScenarioError(
            [Problem(path, error.lineno, error.colno, "", what, "send one JSON value")]
        ) from None
    if not met and b"\\u" not in content:
        return []
    return [
        Problem(path, 0, 0, place_in_json(at), one.what, one.cure)
        for at, one in islice(offences_in(found, ()), MOST_OFFENCES)
    ]


# ------------------------------------------------------------------------------------------ bounds


def signs_in(content: bytes) -> int:
    """The number of quotation marks, commas and opening brackets, inside of texts, too."""
    return sum(map(content.count, (b'"', b",", b"[", b"{")))


def beyond_bounds(content: bytes, signs: int = MOST_SIGNS) -> Offence | None:
    """The bound that the content exceeds, if any."""
    if len(content) > MOST_JSON_BYTES:
        return Offence(f"more than {MOST_JSON_BYTES:,} bytes", "leave out what nobody asked for")
    if len(content) > signs and signs_in(content) > signs:
        return Offence(
            f"more than {signs:,} quotation marks, commas and brackets",
            "leave out what nobody asked for",
        )
    if len(content) > MOST_IN_A_TEXT and any(
        text.end() - text.start() > MOST_IN_A_TEXT + 2 for text in TEXT.finditer(content)
    ):
        return Offence(f"a text of more than {MOST_IN_A_TEXT:,} bytes", "write a shorter one")
    if is_deeper_than(MOST_DEEP, content):
        return Offence(f"more than {MOST_DEEP} levels deep", "no scenario needs that")
    return None


def is_deeper_than(most: int, content: bytes) -> bool:
    """Whether brackets outside strings are nested deeper than `most`."""
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
    """The first duplicate key."""
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
            yield at, Offence("text with half of a surrogate pair, or with a null character", "remove it")
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from offences_in(key, at)
            yield from offences_in(inner, (*at, key))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from offences_in(inner, (*at, position))
    elif isinstance(value, Offence):
        yield at, value


def place_in_json(at: At) -> str:
    """A place in JSON for people, who count from 1: `play.setup[1]`."""
    return "".join(
        f"[{step + 1}]" if isinstance(step, int) else f".{shortened(step, MOST_SHOWN)}" for step in at
    ).removeprefix(".")

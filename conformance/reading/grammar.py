"""The building blocks of our grammar: templates with holes, ordered choices, and a limit on parsing time.

A rule is a template such as `"deal[s] {n} damage to {what}"`: text, holes filled by other rules, and variable
endings in square brackets. Rules are parsers of the `parsy` library and can be combined with its own. The
first alternative that matches is taken, so the order of a choice resolves ambiguity. A later check compares
the words of the result with the printed text, so a wrong turn leaves a card unread, but never misreads it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any

from parsy import Parser, Result, forward_declaration

NO: Result = Result.failure(-1, "")
"""The only failure: nothing uses the position at which a sentence stopped matching."""
MOST_STEPS = 30_000
"""Maximum number of choices per sentence, so that hostile text costs no more than real text."""


class TooTangled(Exception):
    """A sentence took more steps than any real one."""


class Sentence(str):
    """A text that is being parsed: results by position, and the number of steps so far."""

    __slots__ = ("found", "steps")

    def __new__(cls, text: str) -> Sentence:
        made = super().__new__(cls, text)
        made.found = {}
        made.steps = 0
        return made

    found: dict[tuple[int, int], Result]
    steps: int


def parse(parser: Parser, text: str) -> Any:
    """The value of a whole text by a rule, or `None`."""
    try:
        result = parser(Sentence(text), 0)
    except (TooTangled, RecursionError):
        return None
    return result.value if result.status and result.index == len(text) else None


PatternStep = tuple[str, re.Pattern[str] | None, str, Parser | None]


def rule(pattern: str, build: Callable[..., Any] | None = None, **parts: Parser) -> Parser:
    """A template as a parser; its value is built from the values of its holes, by name.

    Without `build` the value is that of the only hole, or `None`; if `build` returns `None`, the rule does
    not match. `[s]` is optional, `[s|ve]` is one of the two.
    """
    steps: list[PatternStep] = []
    for text, name in re.findall(r"([^{]*)(?:\{(\w+)\})?", pattern.replace("{{", "\0")):
        if text:
            literal = text.replace("\0", "{").replace("}}", "}")
            steps.append((literal, varying(literal) if "[" in literal else None, "", None))
        if name:
            steps.append(("", None, name, parts.pop(name)))
    if parts:
        raise ValueError(f"no hole for {sorted(parts)} in {pattern!r}")
    if build is not None:
        # Fail here, where the rule is written, if `build` does not take these holes.
        inspect.signature(build).bind(**{name: None for _, _, name, parser in steps if parser is not None})
    return sequence(steps, build)


def varying(text: str) -> re.Pattern[str]:
    """A text with endings in brackets, as a regular expression."""
    pieces = re.split(r"(\[[^]]*\])", text)
    return re.compile(
        "".join(
            f"(?:{'|'.join(map(re.escape, piece[1:-1].split('|')))}){'' if '|' in piece else '?'}"
            if piece.startswith("[")
            else re.escape(piece)
            for piece in pieces
        )
    )


def sequence(steps: list[PatternStep], build: Callable[..., Any] | None) -> Parser:
    """A parser of these steps in sequence."""

    def run(stream: Sentence, index: int) -> Result:
        values: dict[str, Any] = {}
        for literal, pattern, name, parser in steps:
            if parser is not None:
                result = parser(stream, index)
                if not result.status:
                    return NO
                values[name] = result.value
                index = result.index
            elif pattern is None:
                if not stream.startswith(literal, index):
                    return NO
                index += len(literal)
            else:
                match = pattern.match(stream, index)
                if match is None:
                    return NO
                index = match.end()
        if build is not None:
            value = build(**values)
            return NO if value is None else Result.success(index, value)
        return Result.success(index, next(iter(values.values()), None))

    return Parser(run)


def one_of(*parsers: Parser) -> Parser:
    """The first of several rules that matches."""

    def run(stream: Sentence, index: int) -> Result:
        stream.steps += 1
        if stream.steps > MOST_STEPS:
            raise TooTangled
        for parser in parsers:
            result = parser.wrapped_fn(stream, index)
            if result.status:
                return result
        return NO

    return Parser(run)


def memoized_rule(parser: Parser) -> Parser:
    """A rule that caches its results by position, because many rules begin with it."""
    number = id(parser)

    def run(stream: Sentence, index: int) -> Result:
        key = (number, index)
        result = stream.found.get(key)
        if result is None:
            result = stream.found[key] = parser(stream, index)
        return result

    return Parser(run)


def words(meanings: dict[str, Any]) -> Parser:
    """One of several words or phrases, the longest that matches, with its meaning."""
    longest_first = sorted(meanings, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, longest_first)))

    def run(stream: Sentence, index: int) -> Result:
        match = pattern.match(stream, index)
        return NO if match is None else Result.success(match.end(), meanings[match[0]])

    return Parser(run)


def matching(pattern: str, build: Callable[[re.Match[str]], Any] = lambda match: match[0]) -> Parser:
    """What a regular expression matches; a value of `None` is no match."""
    compiled = re.compile(pattern)

    def run(stream: Sentence, index: int) -> Result:
        match = compiled.match(stream, index)
        value = None if match is None else build(match)
        return NO if match is None or value is None else Result.success(match.end(), value)

    return Parser(run)


def perhaps(parser: Parser, default: Any = None) -> Parser:
    """An optional rule."""

    def run(stream: Sentence, index: int) -> Result:
        result = parser(stream, index)
        return result if result.status else Result.success(index, default)

    return Parser(run)


def whether(text: str) -> Parser:
    """Whether a text comes next."""

    def run(stream: Sentence, index: int) -> Result:
        there = stream.startswith(text, index)
        return Result.success(index + len(text) if there else index, there)

    return Parser(run)


def several(parser: Parser, least: int = 0) -> Parser:
    """A rule, repeated as often as it matches."""

    def run(stream: Sentence, index: int) -> Result:
        values = []
        while (result := parser(stream, index)).status and result.index > index:
            values.append(result.value)
            index = result.index
        return Result.success(index, values) if len(values) >= least else NO

    return Parser(run)


def list_in_sentence(item: Parser, word: str = "and") -> Parser:
    """A list within a sentence: "a", "a and b", "a, b, and c"."""

    def run(stream: Sentence, index: int) -> Result:
        first = item(stream, index)
        if not first.status:
            return NO
        values, index = [first.value], first.index
        while (result := following(item, (", ",), stream, index)).status:
            values.append(result.value)
            index = result.index
        last = following(item, (f", {word} ",) if len(values) > 1 else (f" {word} ",), stream, index)
        if last.status:
            return Result.success(last.index, [*values, last.value])
        return Result.success(first.index, [first.value])

    return Parser(run)


def following(item: Parser, marks: Iterable[str], stream: Sentence, index: int) -> Result:
    """An item after one of several separators."""
    for mark in marks:
        if stream.startswith(mark, index):
            return item(stream, index + len(mark))
    return NO


def with_separators(item: Parser, *marks: str) -> Parser:
    """Items with separators between them."""

    def run(stream: Sentence, index: int) -> Result:
        result = item(stream, index)
        if not result.status:
            return NO
        values = [result.value]
        index = result.index
        while (result := following(item, marks, stream, index)).status:
            values.append(result.value)
            index = result.index
        return Result.success(index, values)

    return Parser(run)


later = forward_declaration
"""A rule that is defined further down, because the language is recursive."""

"""Results as a person reads them in a terminal: a line a rule, each failure with its reason, and a last line to count by.

What an engine says is never trusted: it is shown with everything unprintable escaped, and not at any length.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from conformance.engine import EngineInfo
from conformance.runner import Result
from conformance.summary import Counts, by_rule, counted, score_of
from conformance.verdict import (
    Crash,
    Disputed,
    Fail,
    Hang,
    Nondeterministic,
    NotRun,
    Part,
    Pass,
    Protocol,
    Unsupported,
)

LONGEST = 300
"""So much of one text of an engine is shown."""


def printable(text: str, longest: int = LONGEST) -> str:
    """A text of an engine on one line, harmless to a terminal, and no longer than this."""
    shown = "".join(
        character
        if unicodedata.category(character)[0] not in "CZ" or character == " "
        else character.encode("unicode_escape", errors="surrogatepass").decode("ascii")
        for character in text[: longest + 1]
    )
    return shown if len(text) <= longest else f"{shown[:longest]} … ({len(text)} characters)"


def first_line(info: EngineInfo, edition: str, checks: int) -> str:
    """Who is asked, by which rules, and how much."""
    return f"{engine_name(info)}, by the rules of {edition}: {checks} checks"


def engine_name(info: EngineInfo) -> str:
    """An engine's name and its version as it reported it."""
    return ", ".join(filter(None, (printable(info.name, 60), printable(info.version, 60))))


# --------------------------------------------------------------------------------- one check


def block_of(result: Result, name: str, engine: str, again: str) -> Iterator[str]:
    """What is to be said of a check that did not pass, line by line; nothing of one that did."""
    verdict = result.verdict
    match verdict:
        case Pass() | NotRun():
            return
        case Fail(parts):
            yield heading("FAIL", result, name, engine)
            yield from lines_of_parts(part for part in parts if part.outcome == "fail")
        case Disputed(why, otherwise, parts):
            yield heading("DISPUTED", result, name, engine)
            yield f"    we doubt this check ({why}); without that doubt: {otherwise}"
            yield from lines_of_parts(part for part in parts if part.outcome == "fail")
        case Unsupported(says):
            yield heading("UNSUPPORTED", result, name, engine)
            yield f"    {printable(says)}"
        case Nondeterministic(says):
            yield heading("NONDETERMINISTIC", result, name, engine)
            yield f"    {printable(says)}"
        case Protocol(says, stderr) | Crash(says, stderr) | Hang(says, stderr):
            yield heading(str(verdict.__struct_config__.tag).upper(), result, name, engine)
            yield f"    {printable(says)}"
            yield from (f"    stderr: {printable(line)}" for line in stderr.splitlines()[-5:])
        case _:
            assert_never(verdict)
    yield f"    again: {again}"


def heading(word: str, result: Result, name: str, engine: str) -> str:
    """The first line of what is said of a check."""
    return f"{word}  {result.id} {name}  ({engine})"


def lines_of_parts(parts: Iterable[Part]) -> Iterator[str]:
    """Expected beside observed, and why, for each part."""
    for part in parts:
        yield f"    {part.about}, {part.when}: {part.key}"
        yield f"      expected  {printable(part.expected)}"
        yield f"      observed  {printable(part.observed)}"
        if part.because:
            yield f"      {part.because}"


# --------------------------------------------------------------------------------- the whole


def lines_of_rules(results: Iterable[Result], gists: Mapping[str, str]) -> Iterator[str]:
    """A line for each rule that was checked: how it came out, and what the rule says."""
    rules = by_rule(results)
    width = max(map(len, rules), default=0)
    counts = {rule: f"{count.passed}/{total(count)}" for rule, count in rules.items()}
    wide = max(map(len, counts.values()), default=0)
    for rule, count in rules.items():
        trouble = ", ".join(
            f"{count.of(score)} {score}"
            for score in ("failed", "unsupported", "disputed", "not run")
            if count.of(score)
        )
        gist = gists.get(rule, "")
        yield f"{rule:{width}}  {counts[rule]:>{wide}} passed  {gist}" + (f"  [{trouble}]" if trouble else "")


def total(count: Counts) -> int:
    """How many checks there were in all."""
    return count.passed + count.failed + count.unsupported + count.disputed + count.not_run

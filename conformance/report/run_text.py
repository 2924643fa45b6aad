"""Results as lines of plain text: failures with their reasons, causes, and counts by rule and chapter.

The terminal, JUnit, Markdown and pytest show these lines. Text from an engine is never trusted: unprintable
characters are escaped, and its length is limited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import assert_never

from conformance.data.rulebook import chapters, gist_of, number_in
from conformance.model.engine import EngineInfo
from conformance.model.printable import printable
from conformance.model.scenario import Play
from conformance.model.verdict import (
    AT_FAULT,
    Crash,
    Disputed,
    Fail,
    Hang,
    Nondeterministic,
    NotRun,
    PartOfVerdict,
    PassVerdict,
    ProtocolBreach,
    Unsupported,
    blame,
)
from conformance.results.causes import FailureGroup, difference_line, with_first_difference_first
from conformance.results.events import Diagnosis, FinishedCheck
from conformance.results.summary import SCORES, Counts, HasScore, by_chapter, by_rule, counts_of


def engine_name(info: EngineInfo) -> str:
    """An engine's name, and the version it reported."""
    return ", ".join(printable(said, 60) for said in (info.name, info.version) if said)


# --------------------------------------------------------------------------------- one check


MOST_IDS = 12
"""Maximum number of checks to name for one cause."""


def lines_of_group(group: FailureGroup, engine: str, diagnosed: Diagnosis | None = None) -> Iterator[str]:
    """Failures with one cause: the smallest in full, and the ids of the others."""
    yield from lines_of_checked(group.smallest, engine, diagnosed, group.rule)
    others = [one.id for one in group.failures[1:]]
    if others:
        more = f" and {len(others) - MOST_IDS} more" if len(others) > MOST_IDS else ""
        like = "same rule, same difference" if group.rule else "same message"
        yield f"    also: {', '.join(others[:MOST_IDS])}{more} ({like})"


MOST_RULES = 3
"""Maximum number of rules to name before the causes."""


def likeliest_rules(groups: Sequence[FailureGroup]) -> Iterator[str]:
    """A line with the rules of the causes that come first, if there are several."""
    rules = list(dict.fromkeys(group.rule for group in groups if group.rule))[:MOST_RULES]
    if len(rules) > 1:
        yield f"{len(groups)} causes, the likeliest first: {', '.join(f'CR {rule}' for rule in rules)}"


def groups_by_likeness(
    groups: Sequence[FailureGroup], looks_like: Mapping[str, Diagnosis]
) -> list[tuple[FailureGroup, list[FailureGroup]]]:
    """The groups, each with later groups that look like the same mutant: probably the same bug."""
    found: list[tuple[FailureGroup, list[FailureGroup]]] = []
    by_mutant: dict[str, list[FailureGroup]] = {}
    for group in groups:
        diagnosed = looks_like.get(group.smallest.id)
        mutant = diagnosed.like[0].mutant if diagnosed and diagnosed.like else None
        if mutant in by_mutant:
            by_mutant[mutant].append(group)
        else:
            found.append((group, []))
            if mutant:
                by_mutant[mutant] = found[-1][1]
    return found


def in_a_line(group: FailureGroup) -> str:
    """The smallest failure of a group and the number of others, on one line."""
    more = len(group.failures) - 1
    return f"{group.smallest.id}: {difference_line(group.smallest, group.rule)}" + (
        f", and {more} more" if more else ""
    )


def lines_of_checked(
    checked: FinishedCheck,
    engine: str,
    diagnosed: Diagnosis | None = None,
    rule: str = "",
) -> Iterator[str]:
    """One finished check in full, its first difference first, or the first that is about `rule`."""
    ordered = with_first_difference_first(checked, rule)
    *said, again = lines_of_result(ordered, checked.name, engine, checked.again)
    yield from said
    if diagnosed and checked.scenario:
        yield from lines_of_diagnosis(diagnosed, checked.scenario.play)
    yield again


SHARED = "our reference engine gives the same answer: the expectation is wrong, or we are"


def lines_of_diagnosis(diagnosed: Diagnosis, play: Play) -> Iterator[str]:
    """The board in words, where the engine departs from the rules, and what the bug looks like."""
    from conformance.wording import board_lines  # only a failure needs it

    yield from (f"    {line}" for line in board_lines(play))
    if diagnosed.shared:
        yield f"    {SHARED}"
    if diagnosed.where:
        yield "    First difference"
        yield from (f"      {printable(line)}" for line in diagnosed.where)
    for number, one in enumerate(diagnosed.like):
        looks = "looks as if" if number == 0 else "or as if"
        yield f"    {looks}: {one.story} (mutant:{one.mutant}, CR {one.breaks})"


def lines_in_full(
    checked: FinishedCheck, engine: str, diagnosed: Diagnosis | None, rule: str = ""
) -> Iterator[str]:
    """Like `lines_of_checked`, for a file: also says who is at fault for a wrong answer."""
    yield from lines_of_checked(checked, engine, diagnosed, rule)
    if isinstance(checked.verdict, Fail) and not (diagnosed and diagnosed.shared):
        yield f"    {AT_FAULT['engine']}"


def lines_of_result(result: FinishedCheck, name: str, engine: str, again: str) -> Iterator[str]:
    """One check in full: expected and observed values, the reason, and how to play it again."""
    verdict = result.verdict
    yield f"{word_of(result)}  {printable(check_with_name(result.id, name))}  ({engine})"
    match verdict:
        case PassVerdict():
            return
        case Fail(parts):
            yield from lines_of_parts(parts)
        case Disputed(why, otherwise, parts):
            yield f"    we doubt this check; otherwise it would be: {otherwise}; {why}"
            yield from lines_of_parts(parts)
        case Unsupported(says) | Nondeterministic(says) | NotRun(says):
            yield f"    {printable(says)}"
        case ProtocolBreach(says, stderr) | Crash(says, stderr) | Hang(says, stderr):
            yield f"    {printable(says)}"
            yield from (f"    stderr: {printable(line)}" for line in stderr.splitlines()[-5:])
        case _:
            assert_never(verdict)
    party = blame(verdict)
    if party and not isinstance(verdict, Fail):  # for a `Fail`, the expected and observed values say it
        yield f"    {AT_FAULT[party]}"
    yield f"    again: {again}"


def check_with_name(id: str, name: str) -> str:
    """The id of a check, and its name if it has one."""
    return id if name == id else f"{id} {name}"


def word_of(checked: FinishedCheck) -> str:
    """The result of a check in a word: PASS, FAIL, CRASH."""
    return str(checked.verdict.__struct_config__.tag).upper()


def lines_of_parts(parts: Iterable[PartOfVerdict]) -> Iterator[str]:
    """Expected and observed values and the reason, for each part that is wrong."""
    for part in parts:
        if part.outcome == "fail":
            yield f"    {part.about}, {part.when}: {part.key}"
            yield f"      expected  {printable(part.expected)}"
            yield f"      observed  {printable(part.observed)}"
            if part.because:
                yield f"      {part.because}"


# --------------------------------------------------------------------------------- all of them


def lines_of_rules(results: Sequence[HasScore], edition: str) -> Iterator[str]:
    """One line for each rule that was checked: how many passed, its gist, and what failed.

    Rules of which nothing could be asked share one line at the end of their chapter.
    """
    for chapter, rules in groupby(by_rule(results).items(), key=lambda item: item[0].partition(".")[0]):
        counts = dict(rules)
        silent = {rule for rule, scores in counts.items() if scores.nothing_asked}
        if len(silent) == 1:
            silent = set()
        for rule, scores in counts.items():
            if rule not in silent:
                then = number_in(rule, edition) or rule
                called = f"(then {then}) " if then != rule else ""
                yield line_of_rules(rule, scores, f"{called}{gist_of(rule)}")
        if silent:
            about = counts_of(result for result in results if silent.intersection(result.rules))
            of_them = f"{len(silent)} rules" if silent == counts.keys() else f"{len(silent)} other rules"
            yield line_of_rules(chapter, about, f"{of_them}, of which nothing could be checked")


def lines_of_chapters(results: Sequence[HasScore]) -> Iterator[str]:
    """One line for each chapter: how many of its checks passed, its title, and what failed."""
    for chapter, scores in by_chapter(results).items():
        yield line_of_rules(chapter, scores, chapters().get(chapter, ""))


def line_of_rules(number: str, scores: Counts, says: str) -> str:
    """The line for a rule, a chapter, or some rules of a chapter."""
    amiss = ", ".join(f"{scores.of(score)} {score}" for score in SCORES[1:] if scores.of(score))
    passed = f"{scores.passed}/{scores.total}"
    return f"{number:8} {passed:>7} passed  {says}{amiss and f'  [{amiss}]'}"

"""Results as a person reads them: a line a rule, each failure with its reason, and a last line to count by.

Everything here makes lines of plain text; `written` shows them, with colours where there is a
terminal that has any. What an engine says is never trusted: it is shown with everything unprintable
escaped, and not at any length.
"""

from __future__ import annotations

import sys
import textwrap
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, TypeVar, assert_never

from conformance.causes import Group, grouped, in_a_word, in_order
from conformance.data.rulebook import Covered, number_in, rules_by_number
from conformance.events import Checked, Diagnosed, Telling
from conformance.gate import Stand
from conformance.model.engine import Engine, EngineInfo
from conformance.model.printable import printable
from conformance.model.scenario import Fixture, Play
from conformance.model.verdict import (
    AT_FAULT,
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
    blame,
)
from conformance.runner import Result, counts, run
from conformance.selection import Selected
from conformance.summary import SCORES, Counts, by_rule, counted, score_of
from conformance.wording import board_lines

if TYPE_CHECKING:
    from rich.console import Console

    from conformance.properties import Property

Kind = TypeVar("Kind")


def engine_name(info: EngineInfo) -> str:
    """An engine's name, and its version as it reported it."""
    return ", ".join(printable(said, 60) for said in (info.name, info.version) if said)


# --------------------------------------------------------------------------------- one check


MOST_IDS = 12
"""So many checks of one cause are named."""


def lines_of_group(group: Group, engine: str, diagnosed: Diagnosed | None = None) -> Iterator[str]:
    """Failures with one cause: all there is to say of the smallest, and which others are like it."""
    yield from lines_of_checked(group.smallest, engine, diagnosed)
    others = [one.id for one in group.failures[1:]]
    if others:
        more = f" and {len(others) - MOST_IDS} more" if len(others) > MOST_IDS else ""
        like = "same rule, same difference" if group.rule else "the same was said"
        yield f"    also: {', '.join(others[:MOST_IDS])}{more} ({like})"


def like_each_other(
    groups: Sequence[Group], looks_like: Mapping[str, Diagnosed]
) -> list[tuple[Group, list[Group]]]:
    """The groups, each with those behind it that look like the same mutant: that is likely one bug."""
    found: list[tuple[Group, list[Group]]] = []
    by_mutant: dict[str, list[Group]] = {}
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


def in_a_line(group: Group) -> str:
    """The smallest failure of a group and how many others are like it, on one line."""
    more = len(group.failures) - 1
    return f"{group.smallest.id}: {in_a_word(group.smallest)}" + (f", and {more} more" if more else "")


def lines_of_checked(checked: Checked, engine: str, diagnosed: Diagnosed | None = None) -> Iterator[str]:
    """All there is to say of one check that came out, the first difference first."""
    *said, again = lines_of_result(in_order(checked), checked.name, engine, checked.again)
    yield from said
    if diagnosed and checked.scenario:
        yield from lines_of_diagnosis(diagnosed, checked.scenario.play)
    yield again


def lines_of_diagnosis(diagnosed: Diagnosed, play: Play) -> Iterator[str]:
    """The board in words, where an engine parts with the rules on it, and what it looks like."""
    yield from (f"    {line}" for line in board_lines(play))
    if diagnosed.where:
        yield "    Where they part"
        yield from (f"      {printable(line)}" for line in diagnosed.where)
    for number, one in enumerate(diagnosed.like):
        looks = "looks as if" if number == 0 else "or as if"
        yield f"    {looks}: {one.story} (mutant:{one.mutant}, CR {one.breaks})"


def lines_in_full(checked: Checked, engine: str, diagnosed: Diagnosed | None) -> Iterator[str]:
    """The same for a file, which says of a wrong answer too whose doing it is."""
    yield from lines_of_checked(checked, engine, diagnosed)
    if isinstance(checked.verdict, Fail):
        yield f"    {AT_FAULT['engine']}"


def lines_of_result(result: Result | Checked, name: str, engine: str, again: str) -> Iterator[str]:
    """All there is to say of one check: expected beside observed, why, and how to play it again."""
    verdict = result.verdict
    word = str(verdict.__struct_config__.tag).upper()
    called = result.id if name == result.id else f"{result.id} {name}"
    yield f"{word}  {printable(called)}  ({engine})"
    match verdict:
        case Pass():
            return
        case Fail(parts):
            yield from lines_of_parts(parts)
        case Disputed(why, otherwise, parts):
            yield f"    we doubt this check, and without that it would be: {otherwise}; {why}"
            yield from lines_of_parts(parts)
        case Unsupported(says) | Nondeterministic(says) | NotRun(says):
            yield f"    {printable(says)}"
        case Protocol(says, stderr) | Crash(says, stderr) | Hang(says, stderr):
            yield f"    {printable(says)}"
            yield from (f"    stderr: {printable(line)}" for line in stderr.splitlines()[-5:])
        case _:
            assert_never(verdict)
    party = blame(verdict)
    if party and not isinstance(verdict, Fail):  # what is expected stands beside what was seen there
        yield f"    {AT_FAULT[party]}"
    yield f"    again: {again}"


def lines_of_parts(parts: Iterable[Part]) -> Iterator[str]:
    """Expected beside observed, and why, for each part that is wrong."""
    for part in parts:
        if part.outcome == "fail":
            yield f"    {part.about}, {part.when}: {part.key}"
            yield f"      expected  {printable(part.expected)}"
            yield f"      observed  {printable(part.observed)}"
            if part.because:
                yield f"      {part.because}"


# --------------------------------------------------------------------------------- all of them


def lines_of_rules(results: Sequence[Result], edition: str) -> Iterator[str]:
    """A line for each rule that was checked: how many passed, what it says, and what is amiss.

    The rules of a chapter of which nothing could be asked share a line behind the others.
    """
    for chapter, rules in groupby(by_rule(results).items(), key=lambda item: item[0].partition(".")[0]):
        counts = dict(rules)
        silent = {rule for rule, scores in counts.items() if scores.nothing_asked}
        if len(silent) == 1:
            silent = set()
        for rule, scores in counts.items():
            if rule not in silent:
                known = rules_by_number().get(rule)
                then = number_in(rule, edition) or rule
                called = f"(then {then}) " if then != rule else ""
                yield line_of_rules(rule, scores, f"{called}{known.gist if known else ''}")
        if silent:
            about = counted(result for result in results if silent.intersection(result.rules))
            of_them = f"{len(silent)} rules" if silent == counts.keys() else f"{len(silent)} other rules"
            yield line_of_rules(chapter, about, f"{of_them}, of which nothing could be asked")


def line_of_rules(number: str, scores: Counts, says: str) -> str:
    """A line for a rule, or for some of a chapter."""
    amiss = ", ".join(f"{scores.of(score)} {score}" for score in SCORES[1:] if scores.of(score))
    passed = f"{scores.passed}/{scores.total}"
    return f"{number:8} {passed:>7} passed  {says}{amiss and f'  [{amiss}]'}"


def lines_of_list(fixtures: Sequence[Fixture]) -> Iterator[str]:
    """A line for each fixture or property: id, title, rules and what of the sources it shows."""
    ids = max((len(fixture.id) for fixture in fixtures), default=0)
    titles = max((len(fixture.title) for fixture in fixtures), default=0)
    rules = max((len(" ".join(fixture.rules)) for fixture in fixtures), default=0)
    for fixture in fixtures:
        cited, source = " ".join(fixture.rules), " ".join(fixture.source)
        yield f"{fixture.id:{max(ids, 8)}}  {fixture.title:{titles}}  {cited:{rules}}  {source}".rstrip()


def lines_of_property(law: Property[Any], plays: Sequence[Play]) -> Iterator[str]:
    """A property: what it says, what it rests on and needs, and what is played in its simplest case."""
    yield f"{law.name}: {law.says}"
    yield f"Rules: {', '.join(law.rules)}"
    yield "Compared with the reference engine" if law.oracle else "Needs nothing to compare with"
    if law.needs:
        yield f"Needs an engine that has: {', '.join(sorted(law.needs))}"
    for number, play in enumerate(plays, 1):
        yield ""
        yield f"Its simplest case, scenario {number} of {len(plays)}"
        yield from (f"  {line}" for line in board_lines(play))
    yield ""


def lines_of_coverage(covered: Sequence[Covered]) -> Iterator[str]:
    """Each rule with all that is about it, and how many there are of each kind."""
    for rule in covered:
        yield f"{rule.rule:8} {rule.gist}"
        if rule.fixtures:
            yield from indented(f"fixtures: {', '.join(rule.fixtures)}")
        if rule.properties:
            yield from indented(f"properties: {', '.join(rule.properties)}")
        if rule.why_not:
            yield from indented(f"not applicable: {rule.why_not}")
        if rule.is_gap:
            yield from indented("nothing yet")
    gaps = sum(rule.is_gap for rule in covered)
    why_not = sum(bool(rule.why_not) for rule in covered)
    shown = len(covered) - gaps - why_not
    yield f"{len(covered)} rules: {shown} covered, {why_not} not applicable, {gaps} gaps"


def indented(text: str) -> list[str]:
    """A text below the rule it belongs to, in lines of a readable length."""
    margin = " " * 11
    return textwrap.wrap(text, 100, initial_indent=margin, subsequent_indent=margin)


# ------------------------------------------------------------------------------------- showing


def unlisted(result: Result, fixture: Fixture) -> Stand:
    """How a result stands to a list that there is not."""
    return Stand()


def shown(
    engine: Engine,
    chosen: Iterable[Selected],
    edition: str,
    again: Callable[..., str],
    *,
    at_most: int | None,
    verbose: bool,
    play: Callable[[Iterable[Fixture]], Iterator[Result]] | None = None,
    told: Telling | None = None,
    stand: Callable[[Result, Fixture], Stand] = unlisted,
    search: Callable[[], Iterable[tuple[Selected, Result]]] = tuple,
    searched: Callable[[], int] = lambda: 0,
    says: Callable[[], Iterable[str]] = tuple,
    diagnose: Callable[[Sequence[Checked]], Sequence[Diagnosed]] = lambda failures: (),
) -> Counts:
    """How many came out in each way, after a whole run has been shown as its results came.

    `play` makes the results; without it the engine plays one fixture after the other. `again` makes the
    command that plays a check again. What failed stands below the rules, where it is seen first; a
    verbose run says how each check came out as soon as it is known instead. `told` is told of each result.
    `stand` says how each stands to the list of known disagreements; what fails as listed is not shown.
    `search` comes last, with so many checks of its own (`searched`), and `says` how far it came.
    `diagnose` says what failures look like, the first of each cause.
    """
    told = told or Telling()
    console = terminal()
    name = engine_name(engine.describe())
    written([f"{name}, by the rules of {edition}"], console)
    waiting: deque[Selected] = deque()
    elsewhere: list[Selected] = []

    def counting() -> Iterator[Fixture]:
        for one in chosen:
            if counts(one.fixture, edition):
                waiting.append(one)
                yield one.fixture
            else:
                elsewhere.append(one)

    kept: list[Result] = []
    failures: list[Checked] = []
    results = play(counting()) if play else run(engine, counting(), edition)
    stored = ((waiting.popleft(), result) for result in results)
    for one, result in watched((stored, iter_of(search)), at_most, searched, console):
        kept.append(result)
        stands = stand(result, one.fixture)
        checked = told.result(
            result, one.fixture, one.name, again(one.again, *one.options), stands.standing, stands.note
        )
        if verbose:
            written(lines_of_checked(checked, name), console)
        elif score_of(result.verdict) in ("failed", "disputed") and stands.standing != "listed":
            failures.append(checked)
    written(["", *lines_of_rules(kept, edition)], console)
    groups = grouped(failures)
    looks_like = {one.id: one for one in diagnose([group.smallest for group in groups])}
    told.diagnosed(looks_like.values())
    for group, like_it in like_each_other(groups, looks_like):
        written(["", *lines_of_group(group, name, looks_like.get(group.smallest.id))], console)
        written((f"    looks the same: {in_a_line(other)}" for other in like_it), console)
    written([""], console)
    if told.next_feature:
        written([str(told.next_feature)], console)
    told.elsewhere = len(elsewhere)
    if elsewhere:
        written([f"{len(elsewhere)} more are about other editions"], console)
    written(says(), console)
    total = counted(kept)
    written([str(total)], console)
    return total


STYLES = {
    "PASS": "green",
    "FAIL": "bold red",
    "PROTOCOL": "bold red",
    "CRASH": "bold red",
    "HANG": "bold red",
    "NONDETERMINISTIC": "bold red",
    "UNSUPPORTED": "yellow",
    "DISPUTED": "yellow",
    "NOT": "yellow",
    "expected": "green",
    "observed": "red",
    "again:": "dim",
}
"""How a line that begins with this word looks where there are colours."""


def terminal() -> Console | None:
    """The terminal we write to, or none if it is a file or a pipe. It heeds NO_COLOR."""
    if not sys.stdout.isatty():
        return None
    from rich.console import Console

    return Console(highlight=False, soft_wrap=True)


def written(lines: Iterable[str], console: Console | None) -> None:
    """The lines on the terminal, or plainly on whatever stands in its place."""
    for line in lines:
        if console:
            first = next(iter(line.split(maxsplit=1)), "")
            console.print(line, style=STYLES.get(first), markup=False)
        else:
            encoding = sys.stdout.encoding or "utf-8"
            print(line.encode(encoding, errors="backslashreplace").decode(encoding), flush=True)


def iter_of(made: Callable[[], Iterable[Kind]]) -> Iterator[Kind]:
    """What is made, not before the first of it is wanted."""
    yield from made()


def watched(
    results: Iterable[Iterable[Kind]],
    at_most: int | None,
    more: Callable[[], int],
    console: Console | None,
) -> Iterator[Kind]:
    """The same results, with a bar on the terminal while they come.

    There are at most so many in the first part, and `more` in the others: they are counted later, because
    that takes a moment.
    """
    if console is None:
        yield from chain.from_iterable(results)
        return
    from conformance.progress import Watching

    with Watching(console, of_known=at_most is not None) as progress:
        task = progress.add_task("", total=at_most)
        for number, some in enumerate(results):
            if number == 1 and at_most is not None:
                progress.update(task, total=at_most + more())
            for one in some:
                yield one
                progress.advance(task)

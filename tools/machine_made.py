"""Measures how well the suite finds mistakes that nobody thought of, with broken engines made by machine.

Every small change of the reference engine's own code (`own_mutants` makes them) is an engine. Only the
suite's own checks judge it, not our unit tests, and each kind of check separately: fixtures, the corpus, the
laws. A change counts as noticed twice if two checks fail. Of each kind those are asked in which the change
makes a difference where it is (`infection`), or, if that is not known, those that run its lines.

`python -m tools machine-made --sample 300 --seed 7 --folder DIR` tries a sample. Without `--sample` it tries
all of them, which takes hours, the first ten minutes of them, in each process, to note what concerns whom.
Laws cost most, because they are searched: with `--laws 1500` they are asked about 1,500 of these changes,
drawn by the seed, and about each that fewer than two fixtures and stored scenarios notice. The changes are a
list of work (`conformance.shards.lists`): the same command continues an interrupted run, and `--part 2/8`
plays one part of eight. `--explained` tries only changes that are said to be unobservable, and lists those
that are noticed all the same. `--since COMMIT` tries only changes of lines that are newer than a commit,
such as mends that have one fixture each. Which checks are named can depend on the clock, because the
quickest are tried first; whether any notices a change does not.
"""

from __future__ import annotations

import ast
import functools
import gc
import importlib
import random
import re
import subprocess
import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
import yaml
from msgspec import Struct
from msgspec.structs import replace

from conformance.data.rulebook import chapters, newest_edition
from conformance.files.yaml_tree import PARSER
from conformance.model.citations import rules_cited
from conformance.model.engine import suite_version
from conformance.model.scenario import Fixture
from conformance.play.selection import generated_scenarios
from conformance.shards.course import Ending
from conformance.shards.lists import ListPlan, Where, play_list
from tools.code_changes import (
    MODULES,
    ROOT,
    CodeChange,
    Identity,
    forget,
    identified_changes,
    is_text,
    module_name,
    modules_with,
)
from tools.infection import Differing, differences
from tools.own_mutants import (
    CASES,
    TIMES,
    Detector,
    detectors,
    fixtures,
    is_passed,
    is_unobservable,
    laws,
    lines_run,
    seconds_of,
)

TELLS_ONLY = ROOT / "tests" / "data" / "tells_only.yaml"
KINDS = ("fixtures", "corpus", "laws")
TWICE = 2
"""Number of checks in all to look for."""
ENGINE = "reference_engine"
BLOCK = 50
"""Number of changes in a shard."""
LEAST_SECONDS = 1.0
"""A check has at least this much processor time, unless it is slow without any change."""


class Result(Struct, frozen=True):
    """Which checks notice a change: of each kind one, if any, and two in all."""

    id: str
    what: Identity
    at: int
    """The line in the module."""
    by: dict[str, tuple[str, ...]]
    explained: bool = False
    """Whether the change is known to be unobservable."""
    laws_drawn: bool = True
    """Whether the laws were asked whatever else notices the change, so that it counts for their share."""


class NoDecision(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes that decide nothing: patterns for the change, for its function and for its line."""

    change: str
    why: str
    function: str = ""
    line: str = ""
    module: str = ""
    """The end of the module's path, if limited to one module."""

    def covers(self, one: Identity) -> bool:
        """Whether a change is of this kind."""
        return (
            one.module.endswith(self.module)
            and re.search(self.function, one.function) is not None
            and re.search(self.line, one.line) is not None
            and re.search(self.change, one.change) is not None
        )


@functools.cache
def changes_without_decision() -> tuple[NoDecision, ...]:
    """All kinds of changes that decide nothing."""
    return msgspec.convert(
        yaml.load(TELLS_ONLY.read_text(encoding="utf-8"), Loader=PARSER), tuple[NoDecision, ...]
    )


def decides_nothing(one: Identity) -> bool:
    """Whether a change is known to be unobservable, or of a kind that decides nothing."""
    return is_unobservable(one) or any(kind.covers(one) for kind in changes_without_decision())


def corpus() -> Iterator[Detector]:
    """The stored generated scenarios."""
    for one in generated_scenarios():
        fixture: Fixture = one.fixture
        yield Detector("corpus", fixture.id, functools.partial(is_passed, fixture, newest_edition()))


def changes_to_try(
    sample: int | None,
    seed: int,
    modules: Sequence[str],
    *,
    explained: bool = False,
    since: str | None = None,
) -> tuple[str, ...]:
    """The changes as items of a list (`MODULE ID`), in the order of the code: all, or a sample; only those
    that are said to be unobservable, if `explained`; only those of lines newer than the commit `since`.
    """
    every: list[str] = []
    for module in modules:
        newer = None if since is None else lines_since(since, module)
        every += (
            f"{module} {one.id}"
            for one, change in identified_changes(module)
            if (not explained or decides_nothing(one)) and (newer is None or change.line in newer)
        )
    if sample is None:
        return tuple(every)
    drawn = frozenset(random.Random(seed).sample(every, min(sample, len(every))))
    return tuple(item for item in every if item in drawn)


def lines_since(commit: str, module: str) -> frozenset[int]:
    """The numbers of the lines of a module that are newer than a commit."""
    command = ("git", "-C", str(ROOT), "diff", "--unified=0", "--no-ext-diff", commit, "--", module)
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    if told.returncode:
        raise LookupError(f"git can't compare {module} with {commit}: {told.stderr.strip()}")
    return frozenset(
        number
        for start, count in re.findall(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", told.stdout, re.MULTILINE)
        for number in range(int(start), int(start) + int(count or 1))
    )


class Checks:
    """Everything that may notice a change, by kind: which of it runs each line, and, for changes that
    `differing` has by their module and id, in which of it they make a difference where they are.

    The numbers of the checks are their order: quickest first. Before them come those that noticed an earlier
    change, first of the same function, then of others, the latest first.
    """

    def __init__(
        self,
        kinds: Mapping[str, Sequence[Detector]],
        modules: Sequence[str],
        differing: Mapping[str, Differing] | None = None,
    ) -> None:
        self._differing = differing or {}
        self._all = {kind: tuple(checks) for kind, checks in kinds.items()}
        self._of_line: dict[str, dict[tuple[str, int], array[int]]] = {}
        self._latest = {kind: dict[int, None]() for kind in kinds}
        self._of_function: defaultdict[tuple[str, str, str], dict[int, None]] = defaultdict(dict)
        for kind, checks in self._all.items():
            of_line = self._of_line[kind] = defaultdict(lambda: array("I"))
            for number, check in enumerate(checks):
                for module, lines in lines_run(check, modules).items():
                    for line in lines:
                        of_line[module, line].append(number)

    def concerned(
        self, kind: str, module: str, change: CodeChange, id: str = "", *, everywhere: bool
    ) -> list[int]:
        """The numbers of the checks that may notice a change, in the order in which they are asked: all of a
        kind if it works `everywhere`, or else those in which it makes a difference where it is, or, if that
        is not known, those that run one of its lines.
        """
        found: set[int] = set(range(len(self._all[kind]))) if everywhere else set()
        differing = self._differing.get(kind, {}).get((module, id))
        if differing is not None:
            found.update(differing)
        else:
            for line in change.lines:
                found.update(self._of_line[kind].get((module, line), ()))
        first = (*reversed(self._of_function[kind, module, change.function]), *reversed(self._latest[kind]))
        order = dict.fromkeys(number for number in first if number in found)
        return [*order, *sorted(found - order.keys())]

    def checks(self, kind: str, numbers: Iterable[int]) -> list[Detector]:
        """The checks with these numbers."""
        return [self._all[kind][number] for number in numbers]

    def note(self, kind: str, module: str, function: str, numbers: Iterable[int]) -> None:
        """Remember which checks have noticed a change of a function."""
        for known in (self._latest[kind], self._of_function[kind, module, function]):
            for number in numbers:
                known.pop(number, None)
                known[number] = None


@functools.cache
def checks_of(modules: tuple[str, ...], cases: int, only: frozenset[str] | None = None) -> Checks:
    """The checks, made once by each process that tries changes: all changes, or those with the ids `only`.
    Without any case, there are no laws.
    """
    for module in modules:
        importlib.import_module(module_name(module))
    kinds = {"fixtures": [*fixtures()], "corpus": [*corpus()], "laws": [*laws(cases)] if cases else []}
    print("noting which lines each check runs, and which changes make a difference in it …", file=sys.stderr)
    quickest_first = {kind: quickest_with_limits(checks) for kind, checks in kinds.items()}
    differing = differences(quickest_first, modules, only)
    checks = Checks(quickest_first, [module_name(module) for module in modules], differing)
    forget(ENGINE)  # here, so that no process that tries a change has to free what is remembered
    gc.collect()
    gc.freeze()
    return checks


def quickest_with_limits(checks: Sequence[Detector]) -> list[Detector]:
    """The checks, quickest first. A check that is slow without any change, such as a law with long cases, has
    more time before it counts as having noticed.
    """
    timed = sorted(((one, seconds_of(one)) for one in checks), key=lambda pair: pair[1])
    return [replace(one, seconds=max(LEAST_SECONDS, TIMES * seconds)) for one, seconds in timed]


def encoded_results(
    modules: tuple[str, ...],
    for_laws: frozenset[str] | None,
    cases: int,
    doubting: bool,
    only: frozenset[str] | None,
    items: tuple[str, ...],
) -> bytes:
    """The results for these changes, as a worker sends them."""
    results = results_of_changes(modules, items, for_laws, cases, doubting=doubting, only=only)
    return msgspec.json.encode(list(results))


def results_of_changes(
    modules: tuple[str, ...],
    items: Sequence[str],
    for_laws: frozenset[str] | None = None,
    cases: int = CASES,
    *,
    doubting: bool = False,
    only: frozenset[str] | None = None,
) -> Iterator[Result]:
    """The results for these changes, in the order of the code. Those that are said to be unobservable are
    only tried if `doubting`.

    `for_laws` has the items that laws are asked about in any case (None: all of them); `cases` is the number
    of cases for each law. `only` has the ids of all changes that this process will ever be asked to try, if
    these are not all.
    """
    wanted = {module: {id for one, id in map(str.split, items) if one == module} for module in modules}
    for module in modules:
        for identity, change in identified_changes(module) if wanted[module] else ():
            if identity.id not in wanted[module]:
                continue
            drawn = for_laws is None or f"{module} {identity.id}" in for_laws
            if decides_nothing(identity) and not doubting:
                yield Result(identity.id, identity, change.line, {}, True, drawn)
                continue
            by = noticing(change, module, checks_of(modules, cases, only), identity.id, laws_drawn=drawn)
            yield Result(identity.id, identity, change.line, by, laws_drawn=drawn)


def noticing(
    change: CodeChange, module: str, checks: Checks, id: str = "", *, laws_drawn: bool
) -> dict[str, tuple[str, ...]]:
    """The first checks that notice a change, of each kind one, and two in all, if there are so many; checks
    that noticed earlier changes run first.

    Laws are asked if they are to be asked about this change, or if others did not notice it twice.
    """
    name = module_name(module)
    imported = any(
        len(modules_with(key, vars(sys.modules[name])[key], name.split(".", maxsplit=1)[0])) > 1
        for key in change.names
    )

    def ask(*kinds: str) -> dict[str, tuple[str, ...]]:
        numbers = [checks.concerned(kind, name, change, id, everywhere=imported) for kind in kinds]
        asked = [checks.checks(kind, some) for kind, some in zip(kinds, numbers, strict=True)]
        noticed = detectors(change, module, asked, 1)
        if sum(map(len, noticed)) == 1:  # one more, of those that come after it
            [(group, first)] = [(group, of_kind[0]) for group, of_kind in enumerate(noticed) if of_kind]
            after = asked[group][asked[group].index(first) + 1 :]
            others = [one for one in after if one.check != first.check]
            noticed[group] += detectors(change, module, [others], TWICE - 1)[0]
        for kind, some, those, of_kind in zip(kinds, numbers, asked, noticed, strict=True):
            checks.note(kind, name, change.function, [some[those.index(one)] for one in reversed(of_kind)])
        return {
            kind: tuple(one.check for one in of_kind) for kind, of_kind in zip(kinds, noticed, strict=True)
        }

    found = ask("fixtures", "corpus")
    if laws_drawn or sum(map(len, found.values())) < TWICE:
        found |= ask("laws")
    return found


# -------------------------------------------------------------------------------------------- the list


def measure(
    sample: int | None,
    seed: int,
    *,
    where: Where,
    folder: Path | None = None,
    part: tuple[int, int] = (1, 1),
    modules: tuple[str, ...] = MODULES,
    laws: int | None = None,
    cases: int = CASES,
    explained: bool = False,
    since: str | None = None,
) -> tuple[Ending, str]:
    """Try changes that are not tried yet; how it ended, and the table of all results.

    `laws` is the number of changes that laws are asked about whatever else notices them (None: all), and
    `cases` the number of cases for each law. With `explained`, only changes that are said to be unobservable
    are tried, and the second value lists those that a check notices. `since` is a commit: only changes of
    newer lines are tried.
    """
    items = changes_to_try(sample, seed, modules, explained=explained, since=since)
    settings = f"sample {sample}, seed {seed}, cases {cases}"
    for_laws = None
    if laws is not None:
        settings += f", laws {laws}"
        for_laws = frozenset(random.Random(f"laws {seed}").sample(items, min(laws, len(items))))
    if explained:
        settings += ", explained"
    if since is not None:
        settings += f", since {since}"
    plan = ListPlan(suite_version(), "python -m tools machine-made", settings, items, BLOCK, part)
    results: list[Result] = []

    def tell(_: tuple[str, ...], result: bytes) -> None:
        results.extend(msgspec.json.decode(result, type=list[Result]))
        print(f"{len(results):,} of {len(items):,} changes tried", file=sys.stderr)

    only = None if sample is None and since is None else frozenset(item.split()[1] for item in items)
    work = partial(encoded_results, modules, for_laws, cases, explained, only)
    ending = play_list(plan, work, where, folder, tell)
    return ending, doubts(results) if explained else table(results)


# ------------------------------------------------------------------------------------------- the table


@functools.cache
def functions_of(module: str) -> dict[str, tuple[ast.FunctionDef, str]]:
    """The functions of a module by name, each with its source."""
    source = (ROOT / module).read_text(encoding="utf-8")
    tree = ast.parse(source)
    return {
        owner + node.name: (node, ast.get_source_segment(source, node) or "")
        for owner, body in (
            ("", tree.body),
            *((f"{one.name}.", one.body) for one in tree.body if isinstance(one, ast.ClassDef)),
        )
        for node in body
        if isinstance(node, ast.FunctionDef)
    }


def rules_of_function(module: str, function: str) -> tuple[str, ...]:
    """The rules that a function cites."""
    functions = functions_of(module)
    return rules_cited(functions[function][1]) if function in functions else ()


def rules_of_line(module: str, function: str, line: int) -> tuple[str, ...]:
    """The rules that a function cites for one of its lines: in its docstring, or where the line is.

    What is cited inside a branch is about that branch alone, and otherwise about one statement.
    """
    if function not in functions_of(module):
        return ()
    node, source = functions_of(module)[function]
    lines = source.splitlines()
    blocks = [with_comments_above(block, lines, node.lineno) for block in blocks_inside(node)]
    found: list[str] = []
    for number, text in enumerate(lines, node.lineno):
        around = [block for block in blocks if number in block]
        if not around or line in min(around, key=len):
            found += rules_cited(text)
    return tuple(dict.fromkeys(found))


def blocks_inside(function: ast.FunctionDef) -> Iterator[range]:
    """The lines of each statement of a function, and of each branch, loop and case in it."""
    for statement in function.body:
        if not is_text(statement):
            yield range(statement.lineno, (statement.end_lineno or 0) + 1)
    for node in ast.walk(function):
        if isinstance(node, ast.match_case):
            yield range(node.pattern.lineno, (node.body[-1].end_lineno or 0) + 1)
        elif isinstance(node, ast.stmt) and node is not function:
            for field in ("body", "orelse", "finalbody"):
                if block := getattr(node, field, None):
                    yield range(block[0].lineno, block[-1].end_lineno + 1)


def with_comments_above(block: range, lines: Sequence[str], first: int) -> range:
    """The block with the comments right above it; `first` is the number of the first line."""
    start = block.start
    while start > first and lines[start - 1 - first].lstrip().startswith("#"):
        start -= 1
    return range(start, block.stop)


def table(results: Sequence[Result]) -> str:
    """By module, and by chapter of the rules, the number of changes tried, and what noticed them; then the
    surviving changes. A change counts for each chapter that its function cites.
    """
    by_module, by_chapter = defaultdict[str, list[Result]](list), defaultdict[str, list[Result]](list)
    for one in results:
        by_module[one.what.module].append(one)
        cited = rules_of_function(one.what.module, one.what.function)
        for chapter in {rule[:3] for rule in cited} or {""}:
            by_chapter[chapter].append(one)
    lines = [*head("module"), *(row(name, some) for name, some in sorted(by_module.items()))]
    lines += [row("**all**", results), "", *head("chapter")]
    titles = chapters()
    for chapter, some in sorted(by_chapter.items()):
        lines.append(row(f"{chapter} {titles.get(chapter, '')}".strip() or "no rule cited", some))
    alive = [one for one in results if not one.explained and not any(one.by.values())]
    lines += ["", f"{len(alive)} alive:", ""] if alive else []
    lines += [
        f"- {one.what.module} {one.id} line {one.at}: {one.what.function}: {one.what.change}" for one in alive
    ]
    return "\n".join(lines)


def head(what: str) -> tuple[str, str]:
    """The first lines of a table."""
    columns = (
        what,
        "changes",
        "fixtures",
        "corpus",
        "either",
        "laws",
        "any",
        "two or more",
        "explained",
        "alive",
    )
    return f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"


def doubts(results: Sequence[Result]) -> str:
    """Which of the changes that are said to be unobservable a check notices all the same."""
    noticed = [one for one in results if any(one.by.values())]
    lines = [f"{len(noticed)} of {len(results)} changes that are said to be unobservable are noticed."]
    for one in noticed:
        by = ", ".join(check for checks in one.by.values() for check in checks)
        lines.append(
            f"- {one.what.module} {one.id} line {one.at}: {one.what.function}: {one.what.change}: {by}"
        )
    return "\n".join(lines)


def row(name: str, results: Sequence[Result]) -> str:
    """One line of the table; no share counts explained changes, nor that of laws those not drawn for them."""
    counted = [one for one in results if not one.explained]
    for_laws = [one for one in counted if one.laws_drawn]

    def share(among: Sequence[Result], of: Callable[[Result], bool]) -> str:
        number = sum(map(of, among))
        return f"{number} ({100 * number / len(among):.1f} %)" if among else "–"

    cells = [
        name,
        str(len(results)),
        share(counted, lambda one: bool(one.by["fixtures"])),
        share(counted, lambda one: bool(one.by["corpus"])),
        share(counted, lambda one: bool(one.by["fixtures"] or one.by["corpus"])),
        share(for_laws, lambda one: bool(one.by["laws"])),
        share(counted, lambda one: any(one.by.values())),
        share(counted, lambda one: sum(map(len, one.by.values())) >= TWICE),
        str(len(results) - len(counted)),
        str(sum(not any(one.by.values()) for one in counted)),
    ]
    return f"| {' | '.join(cells)} |"

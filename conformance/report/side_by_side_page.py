"""Runs side by side as a page to look at: `conformance compare --html`.

The page is fair: what an engine does not play counts as unsupported, not as wrong. It has its own colour,
shape and word, and does not lower the share of right answers. The numbers to compare are those of the checks
that every run played.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from conformance.data.rulebook import chapters, in_order_of_rules, rules_by_number
from conformance.model.printable import printable, shortened
from conformance.model.verdict import Unsupported
from conformance.pages.addresses import AddressOf, no_address
from conformance.pages.run import CountsShown
from conformance.pages.side_by_side import (
    AnswerShown,
    CellKind,
    CellShown,
    ChangeGroup,
    ChangesShown,
    ChapterCompared,
    CheckCompared,
    ColumnShown,
    ComparisonShown,
    HistoryShown,
    RowShown,
    comparison_page,
)
from conformance.play.selection import is_stored
from conformance.report.side_by_side_text import (
    ORDER_OF_CHANGES,
    NamedRun,
    changes_between,
    fails_alone,
    names_for,
    pairs_of_one_engine,
)
from conformance.results.causes import difference_line, first_difference
from conformance.results.events import FinishedCheck, Run, text_of_verdict
from conformance.results.summary import (
    SCORES,
    Counts,
    Score,
    by_chapter,
    by_rule,
    counts_of,
    score_of,
    share_of,
)
from conformance.results.unsupported import reason_of

LONGEST_VALUE = 160
"""Maximum number of characters of one value."""
LONGEST_NAME = 60
"""Maximum number of characters of an engine's name."""
FEW = 0.1
"""Maximum share of wrong answers in a cell that looks nearly right."""

WORDS: Mapping[Score, str] = {
    "passed": "right",
    "failed": "wrong",
    "unsupported": "unsupported",
    "disputed": "disputed",
    "not run": "not run",
}
"""Words for the scores on this page; `unsupported` is not a kind of failure."""


def comparison_html(runs: Sequence[Run], address: AddressOf = no_address) -> str:
    """The comparison of several runs as a page."""
    return comparison_page(comparison_shown(runs), address)


def comparison_shown(runs: Sequence[Run]) -> ComparisonShown:
    """What the page of a comparison shows."""
    named = names_for(runs)
    known = [one.checks for one in named]
    common = in_common(known)
    alone = [frozenset(alone_in(one, named)) for one in named]
    checks = tuple(compared_checks(known, alone))
    return ComparisonShown(
        title="Magic rules: " + " · ".join(dict.fromkeys(label(one) for one in named)),
        scores=tuple(WORDS[score] for score in SCORES),
        warnings=tuple(warnings(runs, known)),
        columns=tuple(
            ColumnShown(
                label(one),
                tuple(facts_of(one.run)),
                counts_shown(label(one), one.run.counts),
                sum(score_of(one.checks[id].verdict) == "passed" for id in common),
                len(alone[at]),
            )
            for at, one in enumerate(named)
        ),
        in_common=len(common),
        histories=tuple(histories(named)),
        chapters=tuple(compared_chapters(runs, checks)),
        checks=checks,
    )


def label(one: NamedRun) -> str:
    """The name of a run in the comparison, short enough for a column."""
    return printable(one.name, LONGEST_NAME)


def counts_shown(name: str, counts: Counts) -> CountsShown:
    return CountsShown(name, "", tuple(map(counts.of, SCORES)), counts.total)


def facts_of(run: Run) -> Iterator[tuple[str, str]]:
    """Facts about a run, for its column."""
    began, counts = run.began, run.counts
    played = counts.passed + counts.failed
    if began.engine.version:
        yield "version", printable(began.engine.version, LONGEST_NAME)
    yield "played", f"{share_of(played, counts.scored)} of {counts.scored}" if counts.scored else "nothing"
    yield "right, of what it played", share_of(counts.passed, played) if played else "–"
    yield "rules of", printable(began.edition, LONGEST_NAME)
    yield "run on", printable(began.at[:10], LONGEST_NAME)


def warnings(runs: Sequence[Run], known: Sequence[Mapping[str, FinishedCheck]]) -> Iterator[str]:
    """Why the columns are not quite comparable."""
    for what, values in {
        "editions of the rules": [run.began.edition for run in runs],
        "versions of the suite": [run.began.suite for run in runs],
    }.items():
        if len(set(values)) > 1:
            yield f"The runs use different {what}: {', '.join(dict.fromkeys(values))}."
    for at, run in enumerate(runs, 1):
        if not run.is_whole:
            yield f"Run {at} ({run.began.engine.name}) was cut off before its end."
        elif not run.began.chosen.everything():
            yield f"Run {at} ({run.began.engine.name}) played a selection of the checks."
    every = set().union(*known)
    missing = [len(every) - len(checks) for checks in known]
    if any(missing):
        yield (
            f"Not every run has all of the {len(every)} checks: missing are "
            + ", ".join(
                f"{n} in run {at} ({run.began.engine.name})"
                for at, (run, n) in enumerate(zip(runs, missing, strict=True), 1)
                if n
            )
            + "."
        )


def in_common(known: Sequence[Mapping[str, FinishedCheck]]) -> list[str]:
    """The checks that every run played."""
    return [
        id
        for id in known[0]
        if all(id in checks and score_of(checks[id].verdict) in ("passed", "failed") for checks in known)
    ]


def alone_in(one: NamedRun, named: Sequence[NamedRun]) -> Iterator[str]:
    """The checks that this run gets wrong and every other run that played them gets right."""
    return (checked.id for checked in one.run.checked if fails_alone(checked, one, named))


# ------------------------------------------------------------------------------------ side by side


def compared_chapters(runs: Sequence[Run], checks: Sequence[CheckCompared]) -> Iterator[ChapterCompared]:
    """The chapters with their rules, in the order of the rules."""
    chapter_tables = [by_chapter(run.checked) for run in runs]
    rule_tables = [by_rule(run.checked) for run in runs]
    numbers: dict[str, list[int]] = {}
    for number, check in enumerate(checks):
        for rule in check.rules:
            numbers.setdefault(rule, []).append(number)
    marks: dict[str, dict[str, None]] = {}
    for check in checks:
        for rule in check.rules:
            marks.setdefault(rule, {}).update(dict.fromkeys(check.marks))
    rules: dict[str, list[RowShown]] = {}
    for rule in every_key(rule_tables):
        gist = rules_by_number()[rule].gist if rule in rules_by_number() else ""
        cells = tuple(cell(table.get(rule)) for table in rule_tables)
        played = [table[rule] for table in rule_tables if rule in table]
        found = [
            *(["differ"] if len({(one.kind, one.says, one.more) for one in cells}) > 1 else []),
            *(["unplayed"] if any(counts.unsupported for counts in played) else []),
            *marks.get(rule, ()),
        ]
        row = RowShown(rule, gist, cells, tuple(dict.fromkeys(found)), tuple(numbers.get(rule, ())))
        rules.setdefault(rule.partition(".")[0], []).append(row)
    for chapter in every_key(chapter_tables):
        cells = tuple(cell(table.get(chapter)) for table in chapter_tables)
        row = RowShown(chapter, chapters().get(chapter, ""), cells, ())
        yield ChapterCompared(row, tuple(rules.get(chapter, ())))


def every_key(tables: Iterable[Mapping[str, Counts]]) -> list[str]:
    """Every chapter or rule in the tables, in the order of the rules."""
    return sorted({key for table in tables for key in table}, key=in_order_of_rules)


def cell(counts: Counts | None) -> CellShown:
    """The result of a run for a chapter or rule, wrong answers first."""
    if counts is None or not counts.total:
        return CellShown("absent", "not in this run")
    played = counts.passed + counts.failed
    kind: CellKind
    if counts.failed:
        kind = "few" if counts.failed <= FEW * played else "wrong"
        return CellShown(kind, f"{counts.failed} of {played} wrong", others(counts, "passed", "failed"))
    if counts.passed:
        kind = "right" if counts.passed == counts.total else "part"
        return CellShown(kind, f"{counts.passed} right", others(counts, "passed"))
    first = next(score for score in SCORES if counts.of(score))
    return CellShown("unplayed", f"{counts.of(first)} {WORDS[first]}", others(counts, first))


def others(counts: Counts, *told: Score) -> str:
    """The other counts, in words."""
    left = [score for score in SCORES if score not in told and counts.of(score)]
    return ", ".join(f"{counts.of(score)} {WORDS[score]}" for score in left)


def compared_checks(
    known: Sequence[Mapping[str, FinishedCheck]], alone: Sequence[frozenset[str]]
) -> Iterator[CheckCompared]:
    """The checks that some run gets wrong, in the order of their rules."""
    every = {id: checked for checks in reversed(known) for id, checked in checks.items()}
    wrong = {
        id for checks in known for id, checked in checks.items() if score_of(checked.verdict) == "failed"
    }
    for id in sorted(wrong, key=lambda id: ([*map(in_order_of_rules, every[id].rules[:1])], id)):
        one = every[id]
        scores = [score_of(checks[id].verdict) if id in checks else None for checks in known]
        found = ["wrong"]
        found += ["split"] if "passed" in scores else []
        found += ["differ"] if len(set(scores)) > 1 else []
        found += ["unplayed"] if "unsupported" in scores else []
        found += [f"alone-{at}" for at, ids in enumerate(alone) if id in ids]
        yield CheckCompared(
            id,
            shortened(one.title, LONGEST_VALUE),
            one.rules,
            f"conformance explain {id}" if is_stored(id) else "",
            tuple(answer(checks.get(id)) for checks in known),
            tuple(found),
        )


def answer(checked: FinishedCheck | None) -> AnswerShown:
    """A run's answer to a check: the first difference if it is wrong, the reason if it was not played."""
    if checked is None:
        return AnswerShown("absent", "not in this run")
    score = score_of(checked.verdict)
    if score == "passed":
        return AnswerShown("right", WORDS[score])
    if score == "failed":
        part = first_difference(checked)
        if part is None:
            return AnswerShown(
                "wrong", WORDS[score], observed=shortened(difference_line(checked), LONGEST_VALUE)
            )
        where, expected, observed = (
            shortened(text, LONGEST_VALUE)
            for text in (f"{part.about}, {part.when}: {part.key}", part.expected, part.observed)
        )
        return AnswerShown("wrong", WORDS[score], expected, observed, where)
    verdict = checked.verdict
    why = reason_of(verdict) if isinstance(verdict, Unsupported) else text_of_verdict(verdict)
    return AnswerShown("unplayed", WORDS[score], observed=shortened(why, LONGEST_VALUE))


# --------------------------------------------------------------------------------- one engine's history


def histories(named: Sequence[NamedRun]) -> Iterator[HistoryShown]:
    """The history of each engine that has several runs."""
    runs: dict[str, list[NamedRun]] = {}
    for one in named:
        runs.setdefault(one.run.began.engine.name, []).append(one)
    pairs = list(pairs_of_one_engine(named))
    for engine, some in runs.items():
        if len(some) > 1:
            yield HistoryShown(
                printable(engine, LONGEST_NAME),
                tuple(counts_shown(label(one), counts_of(one.run.checked)) for one in some),
                tuple(
                    ChangesShown(label(before), label(after), tuple(change_groups(before, after)))
                    for before, after in pairs
                    if before in some
                ),
            )


def change_groups(before: NamedRun, after: NamedRun) -> Iterator[ChangeGroup]:
    """The changes from one run to the next, the worst first."""
    changes = list(changes_between(before.checks, after.checks))
    for what in ORDER_OF_CHANGES:
        found = []
        for change in changes:
            one = change.after or change.before
            if change.what == what and one is not None:
                failed = change.after is not None and score_of(change.after.verdict) == "failed"
                says = shortened(difference_line(one), LONGEST_VALUE) if failed else ""
                found.append((one.id, shortened(one.title, LONGEST_VALUE), says))
        if found:
            yield ChangeGroup(what, tuple(found))

"""A run as Markdown: the summary of a CI job.

Text from the engine is either fenced with a fence that it cannot close, or has all its Markdown escaped. The
page stays below GitHub's limit (1 MiB) by showing fewer failures.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from conformance.data.rulebook import gist_of
from conformance.model.printable import harmless, printable
from conformance.report.run_text import lines_in_full
from conformance.results.causes import FailureGroup, failures_by_cause
from conformance.results.events import FinishedCheck, Run
from conformance.results.silence import lines_of_silence
from conformance.results.summary import by_rule, score_of
from conformance.results.unsupported import reasons
from conformance.wording import scenario_text

MOST_GROUPS = 30
"""Maximum number of causes to show; the others are counted."""
MOST_IDS = 40
"""Maximum number of checks to name for one cause."""
MOST_REASONS_SHOWN = 40
"""Maximum number of reasons to show; the others are counted."""
MOST_CHARACTERS = 900_000
"""Maximum length of the page."""
SPECIAL = re.compile(r"[^A-Za-z0-9 .,:;()%+/\"'=?-]|(?<=www)\.|:(?! |$)")


def markdown(run: Run) -> str:
    """The run as a page of Markdown."""
    engine = run.began.engine
    lines = [
        f"## {mark(run)} Magic rules: {plain(engine.name)} {plain(engine.version)}",
        "",
        *lines_of_start(run),
        *table_of_counts(run),
        *list_of_silence(run),
        *lines_of_failures([one for one in run.checked if needs_reading(one)], run),
        *lines_of_listed(run),
        *lines_of_lacking(run),
        *table_of_rules(run),
    ]
    return cut_to_limit(harmless("\n".join(lines).rstrip()) + "\n")


def mark(run: Run) -> str:
    """A symbol for the result, to read at a glance."""
    if run.ended is None or (not run.is_whole and not run.counts.failed):
        return "⚠️"
    return {0: "✅", 4: "⚠️", 5: "⚠️"}.get(run.ended.exit_code, "❌")


def lines_of_start(run: Run) -> Iterator[str]:
    """The edition and options of the run, or the error of an engine that did not start."""
    if run.ended and run.ended.says:
        yield "**The engine did not start.**"
        yield ""
        yield from fenced_lines([run.ended.says], "text")
    else:
        yield f"By the rules of {run.began.edition}, suite {plain(run.began.suite)}{selection(run)}."
        yield ""


def selection(run: Run) -> str:
    """What the run was narrowed to, if anything."""
    chosen = run.began.chosen
    narrowed = [*chosen.what, *(f"--rule {rule}" for rule in chosen.rules)]
    narrowed += [f"-k {chosen.word}"] if chosen.word else []
    narrowed += [f"--source {chosen.source}"] if chosen.source else []
    return f"; only {code(' '.join(narrowed))}" if narrowed else ""


def table_of_counts(run: Run) -> Iterator[str]:
    """Number of checks by result."""
    counts = run.counts
    said = counts.shown_scores
    yield "| " + " | ".join(said) + " |"
    yield "|" + " ---: |" * len(said)
    yield "| " + " | ".join(str(counts.of(score)) for score in said) + " |"
    yield ""
    if not run.is_whole:
        yield "**The run was cut off before its end.**"
        yield ""


def list_of_silence(run: Run) -> Iterator[str]:
    """What was left unplayed, and where that looks deliberate."""
    said = list(lines_of_silence(run.ended.silence)) if run.ended else []
    yield from (f"- {plain(line[0].upper() + line[1:])}" for line in said)
    yield from [""] * bool(said)


def needs_reading(one: FinishedCheck) -> bool:
    """Whether a check has a bad result that is not already known."""
    return one.standing in ("stale", "lost") or (score_of(one.verdict) == "failed" and not one.standing)


def lines_of_failures(failures: Sequence[FinishedCheck], run: Run) -> Iterator[str]:
    """Each cause with its smallest check in full, and how to play it again."""
    groups = failures_by_cause(failures, run.checked)
    if not groups:
        return
    kinds = Counter(one.standing or "failed" for one in failures)
    causes = "one cause" if len(groups) == 1 else f"{len(groups)} causes"
    yield f"### {', '.join(f'{number} {kind}' for kind, number in kinds.items())}: {causes}"
    yield ""
    for group in groups[:MOST_GROUPS]:
        yield from lines_of_group(group, run)
    if len(groups) > MOST_GROUPS:
        yield f"… and {len(groups) - MOST_GROUPS} more causes."
        yield ""


def lines_of_group(group: FailureGroup, run: Run) -> Iterator[str]:
    """One cause: the rule, expected and observed values, the command, and the scenario, folded."""
    one = group.smallest
    rule = f"**CR {group.rule}** {plain(gist_of(group.rule))}".rstrip()
    cause = rule if group.rule else f"**{plain(group.difference)}**"
    yield f"{cause} — {plain(one.title)}"
    yield ""
    engine = f"{run.began.engine.name}, {run.began.engine.version}"
    heading, *told = lines_in_full(one, engine, run.diagnosis_of(one.id), group.rule)
    told = [text for text in told if not text.startswith("    again: ")]
    told += [f"    {one.standing}: {one.note}"] if one.standing else []
    yield from fenced_lines([heading, *(as_difference(text) for text in told)], "diff")
    yield f"Again: {code(one.again)}"
    yield ""
    others = [other.id for other in group.failures[1:]]
    if others:
        more = f" and {len(others) - MOST_IDS} more" if len(others) > MOST_IDS else ""
        yield f"The same in {len(others)} more: {', '.join(map(plain, others[:MOST_IDS]))}{more}"
        yield ""
    if one.scenario:
        yield "<details><summary>The scenario</summary>"
        yield ""
        yield from fenced_lines(scenario_text(one.scenario).splitlines(), "text")
        yield "</details>"
        yield ""


def as_difference(line: str) -> str:
    """A line of a failure, marked so that a `diff` block colours it."""
    sign = {"expected": "+", "observed": "-"}.get(next(iter(line.split()), ""), " ")
    return sign + line[1:]


def lines_of_listed(run: Run) -> Iterator[str]:
    """The failures that the divergences file explains."""
    listed = [one for one in run.checked if one.standing == "listed"]
    if not listed:
        return
    yield f"<details><summary>{len(listed)} listed divergences</summary>"
    yield ""
    for one in listed:
        yield f"- {plain(one.id)} {plain(one.title)}{f': {plain(one.note)}' if one.note else ''}"
    yield ""
    yield "</details>"
    yield ""


def lines_of_lacking(run: Run) -> Iterator[str]:
    """The feature to implement next, and the reasons for unsupported checks, most frequent first."""
    if run.ended and run.ended.next_feature:
        said = plain(str(run.ended.next_feature))
        yield f"{said[0].upper()}{said[1:]}."
        yield ""
    every = reasons(one.verdict for one in run.checked)
    if every:
        yield f"<details><summary>Unsupported, by reason ({len(every)})</summary>"
        yield ""
        yield "| checks | reason |"
        yield "| ---: | --- |"
        yield from (f"| {one.checks} | {plain(one.says)} |" for one in every[:MOST_REASONS_SHOWN])
        if every[MOST_REASONS_SHOWN:]:
            rest = sum(one.checks for one in every[MOST_REASONS_SHOWN:])
            yield f"| {rest} | {len(every) - MOST_REASONS_SHOWN} other reasons |"
        yield ""
        yield "</details>"
        yield ""


def table_of_rules(run: Run) -> Iterator[str]:
    """Each rule with a failure or with checks that were not played."""
    rules = by_rule(run.checked)
    wanting = {rule: counts for rule, counts in rules.items() if counts.passed != counts.total}
    if not wanting:
        return
    yield f"<details><summary>{len(wanting)} of {len(rules)} rules are not fully passed</summary>"
    yield ""
    yield "| rule | passed | failed | unsupported | says |"
    yield "| --- | ---: | ---: | ---: | --- |"
    for rule, counts in wanting.items():
        numbers = " | ".join(str(number) for number in (counts.passed, counts.failed, counts.unsupported))
        yield f"| {rule} | {numbers} | {plain(gist_of(rule))} |"
    yield ""
    yield "</details>"


# --------------------------------------------------------------------------------------- harmless


def plain(text: str) -> str:
    """The text, escaped so that it means nothing to Markdown, HTML or GitHub's autolinks."""
    return SPECIAL.sub(lambda found: f"&#{ord(found[0])};" if ord(found[0]) < 128 else found[0], text)


def code(text: str) -> str:
    """Text as inline code, between more backticks than it contains."""
    text = printable(text, 2000)
    ticks = "`" * (longest_run(text) + 1)
    return f"{ticks} {text} {ticks}" if "`" in text else f"`{text}`"


def fenced_lines(lines: Iterable[str], language: str) -> Iterator[str]:
    """Lines in a code block that nothing in them can end."""
    every = list(lines)
    fence = "`" * max(3, *(longest_run(text) + 1 for text in every))
    yield f"{fence}{language}"
    yield from every
    yield fence
    yield ""


def longest_run(text: str) -> int:
    """Length of the longest run of backticks in a text."""
    return max(map(len, re.findall(r"`+", text)), default=0)


def cut_to_limit(page: str) -> str:
    """The page, cut at a line break if it is too long."""
    if len(page) <= MOST_CHARACTERS:
        return page
    kept = page[: page.rindex("\n", 0, MOST_CHARACTERS)]
    return f"{kept}\n\n… cut off: the full summary has {len(page)} characters.\n"

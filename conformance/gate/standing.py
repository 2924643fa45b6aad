"""The gate: compares a run with the engine's list of known disagreements.

The list is a file in the engine's repository (`divergences.yaml`). It records what each known failure looks
like, so that this failure passes the gate and any other does not. It also records the result of each check
when the list was written, so that a check that is no longer played is noticed. A listed failure that is gone,
or looks different, fails the gate too: the list stays true. `divergences` reads and writes the file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from conformance.data.rulebook import is_within
from conformance.files.canonical import digest
from conformance.gate.config import UnsupportedLimits
from conformance.model.printable import printable
from conformance.model.scenario import FOUND_IDS, Fixture
from conformance.model.verdict import Crash, Fail, PartOfVerdict, Verdict
from conformance.play.runner import Result
from conformance.results.causes import CITED
from conformance.results.events import Standing
from conformance.results.summary import Counts, HasScore, Score, counts_of, exit_code, score_of

LONGEST = 240
"""Maximum length of a signature; a longer one is cut and ends with a fingerprint."""
SHORT = 12
"""Number of digits of a digest kept in the list."""


class Divergence(Struct, frozen=True):
    """One known disagreement."""

    check: str
    rule: str
    signature: str
    """What the failure looks like."""
    digest: str
    """Digest of the check that failed."""
    added: date
    reason: str = ""
    issue: str = ""
    expires: date | None = None
    """The last day on which it is tolerated."""
    scenario: str = ""
    """Path of the stored check, relative to the list's folder."""


class PlayedBefore(Struct, frozen=True):
    """The result of a check when the list was written."""

    was: Score
    digest: str


class Divergences(Struct, frozen=True):
    """The whole list."""

    known: Mapping[str, Divergence] = {}
    plays: Mapping[str, PlayedBefore] = {}


def is_id_of_property(id: str) -> bool:
    """Whether a check is a property, or a bug that one found: its id is a lowercase name.

    The scenario that shows the bug may change whenever the engine does.
    """
    return id[:1].islower()


class NotedStanding(Struct, frozen=True):
    """How one result compares with the list, and a note about it."""

    standing: Standing = ""
    note: str = ""


class GateResult(Struct, frozen=True):
    """The result of comparing a run with the list."""

    known: int = 0
    """Listed failures that look as listed."""
    unexplained: int = 0
    """Those among them without a reason."""
    unexpected: int = 0
    """Failures that are not listed."""
    lost: int = 0
    """Checks that were played when the list was written and no longer are."""
    stale: int = 0
    """Entries that are gone, look different, or have expired."""
    says: tuple[str, ...] = ()
    """One line for each result that is not as it should be."""


# --------------------------------------------------------------------------------- one result


def standing_of(listed: Divergences, fixture: Fixture, verdict: Verdict, today: date) -> NotedStanding:
    """How the verdict on a check compares with the list."""
    entry, played = listed.known.get(fixture.id), listed.plays.get(fixture.id)
    if entry is None and played is None:
        return NotedStanding()
    score = score_of(verdict)
    was = played.was if played else "failed"
    missing = score in ("unsupported", "not run") and (entry is not None or was in ("passed", "failed"))
    if entry is None and score != "failed" and not missing:
        return NotedStanding()
    now = digest(fixture)[:SHORT]
    moved = not is_id_of_property(fixture.id) and any(
        known is not None and known.digest != now for known in (entry, played)
    )
    # The check has changed: the engine need not be at fault for a difference.
    because = "; the suite has changed this check since, not your engine" if moved else ""
    if score == "failed":
        if entry:
            return standing_of_failure(entry, signature(verdict), today, because)
        before = "" if was == "failed" else f"it {SCORE_IN_WORDS[was]} when the list was written"
        return NotedStanding("", (before + because).removeprefix("; "))
    if missing:
        says = f"{SCORE_IN_WORDS[was]} when the list was written, and is {score} now{because}"
        return NotedStanding("lost" if not moved else "stale" if entry else "", says)
    now_it = "passes now" if score == "passed" else "is no longer scored"
    return NotedStanding("stale", f"listed as failing, and {now_it}{because}")


SCORE_IN_WORDS: Mapping[Score, str] = {
    "passed": "passed",
    "failed": "failed",
    "unsupported": "was unsupported",
    "disputed": "was not scored",
    "not run": "was not run",
}


def standing_of_failure(entry: Divergence, seen: str, today: date, because: str) -> NotedStanding:
    """How a failure compares with the entry of its check."""
    if entry.expires and entry.expires < today:
        return NotedStanding("stale", f"listed until {entry.expires}, which has passed")
    if entry.signature != seen:
        return NotedStanding(
            "stale", f"fails in another way than listed: {entry.signature!r} then, {seen!r} now{because}"
        )
    until = f"expires {entry.expires}" if entry.expires else ""
    return NotedStanding(
        "listed", "; ".join(said for said in (entry.reason, entry.issue, until, because[2:]) if said)
    )


# ------------------------------------------------------------------------------- how it looks

CHANGEABLE = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-fA-F]{8,}\b|\d{4,}|\d+(?:\.\d+)?(?= ?m?s\b)")
"""Text that differs between two crashes of the same kind: addresses, process ids, times."""


def signature(verdict: Verdict) -> str:
    """What a failure looks like, on one line: equal for equal failures, and readable for people."""
    match verdict:
        case Fail(parts):
            wrong = {part_in_short(part) for part in parts if part.outcome == "fail"}
            return shortened_line(" | ".join(sorted(wrong)))
        case Crash(says):
            first = says.partition("\n")[0]
            return shortened_line(f"crash: {CHANGEABLE.sub('#', first)}")
        case _:
            return str(verdict.__struct_config__.tag)


def part_in_short(part: PartOfVerdict) -> str:
    """What was observed, preceded by what it belongs to."""
    return f"{part.about}, {part.when}: {part.key} {part.observed}"


def shortened_line(text: str) -> str:
    """The text on one printable line of limited length; a fingerprint tells cut texts apart.

    Runs of spaces become one space, because reading the list back does the same.
    """
    shown = " ".join(printable(text, len(text)).split())
    if len(shown) <= LONGEST:
        return shown
    whole = hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()
    return f"{shown[:LONGEST].rstrip()} … {whole[:SHORT]}"


def rule_at_fault(fixture: Fixture, verdict: Verdict) -> str:
    """The rule that a failure breaks: the one its first wrong part cites, or else the check's first rule."""
    if isinstance(verdict, Fail):
        for part in verdict.parts:
            cited = CITED.search(part.because) if part.outcome == "fail" else None
            if cited:
                return cited[1]
    return fixture.rules[0]


# ------------------------------------------------------------------------------- a whole run


class GradedResult(Struct, frozen=True):
    """A check, its verdict, and how that compares with the list."""

    fixture: Fixture
    result: Result
    stand: NotedStanding


def compare_with_list(
    listed: Divergences, checked: Sequence[GradedResult], *, every: Collection[str] | None = None
) -> GateResult:
    """Compare a run with the list.

    `every` holds the ids of all existing checks if nothing was filtered out; then entries for checks that the
    suite no longer has are noticed.
    """
    failed = [one for one in checked if score_of(one.result.verdict) == "failed"]
    known = [one for one in failed if one.stand.standing == "listed"]
    stale = [one for one in checked if one.stand.standing == "stale"]
    lost = [one for one in checked if one.stand.standing == "lost"]
    unknown = sorted(set(listed.known) - set(every)) if every is not None else []
    unexpected = [one for one in failed if not one.stand.standing]
    return GateResult(
        known=len(known),
        unexplained=sum(not listed.known[one.fixture.id].reason for one in known),
        unexpected=len(unexpected),
        lost=len(lost),
        stale=len(stale) + len(unknown),
        says=(
            *lines("unexpected", unexpected),
            *lines("lost", lost),
            *lines("stale", stale),
            *(
                f"stale: {id}: "
                + (
                    "the search does not find it"
                    if is_id_of_property(id)
                    else "the suite no longer has this check"
                )
                for id in unknown
            ),
        ),
    )


def lines(word: str, checked: Iterable[GradedResult]) -> Iterator[str]:
    """One line for each of these checks that has a note."""
    for one in checked:
        if one.stand.note:
            yield f"{word}: {one.fixture.id}: {one.stand.note}"


def exit_code_of(counts: Counts, gate: GateResult, excesses: Collection[str] = ()) -> int:
    """The exit code of a run that was compared with the list."""
    return exit_code(
        counts,
        unexpected=gate.unexpected,
        lost=gate.lost,
        stale=gate.stale,
        too_little=bool(excesses),
    )


def excesses_in(results: Collection[HasScore], limits: UnsupportedLimits | None) -> tuple[str, ...]:
    """Where more checks are unsupported than allowed, one line each."""
    if limits is None:
        return ()
    lines = []
    for rule, limit in (("", limits.of_all), *limits.of_rules.items()):
        about = [one for one in results if not rule or any(is_within(cited, rule) for cited in one.rules)]
        counts = counts_of(about)
        if limit and limit.is_exceeded(counts.unsupported, counts.scored):
            where = f"{rule}: " if rule else ""
            count = f"{counts.unsupported} of {counts.scored} unsupported"
            lines.append(f"{where}{count}; at most {limit} is allowed")
    return tuple(lines)


def lines_of_gate(gate: GateResult, excesses: Iterable[str], update: str) -> Iterator[str]:
    """The comparison with the list in words; `update` is the command that rewrites the list."""
    yield from gate.says
    if gate.known:
        unexplained = f", {gate.unexplained} of them without a reason" if gate.unexplained else ""
        yield f"{gate.known} failed as listed{unexplained}"
    amiss = {"failed and not listed": gate.unexpected, "lost": gate.lost, "stale": gate.stale}
    if gate.known or gate.says:
        said = ", ".join(f"{count} {word}" for word, count in amiss.items() if count)
        if said:
            yield f"{said}: if that is intended: {update}"
    yield from excesses


# --------------------------------------------------------------------------- writing it anew


def renewed_list(listed: Divergences, checked: Sequence[GradedResult], today: date) -> Divergences:
    """The list after a complete run, with everything that people wrote."""
    known = {}
    plays = {}
    for one in sorted(checked, key=lambda one: one.fixture.id):
        id, now, verdict = one.fixture.id, digest(one.fixture)[:SHORT], one.result.verdict
        plays[id] = PlayedBefore(score_of(verdict), now)
        if score_of(verdict) == "failed":
            before = listed.known.get(id)
            known[id] = Divergence(
                check=id,
                rule=rule_at_fault(one.fixture, verdict),
                signature=signature(verdict),
                digest=now,
                added=before.added if before else today,
                reason=before.reason if before else "",
                issue=before.issue if before else "",
                expires=before.expires if before else None,
                scenario=before.scenario if before else "",
            )
    return Divergences(known, plays)


def reason_not_to_renew(counts: Counts, filtered: bool, excesses: Collection[str]) -> str:
    """Why this run cannot produce a new list; empty if it can."""
    if filtered:
        return "only part of it was played: leave out the options that select checks"
    if counts.not_run:
        return "the engine kept crashing: fix that first"
    if not counts.passed:
        return "nothing passed: fix that first"
    if excesses:
        return "too much is unsupported: fix that first, or raise the limit"
    return ""


def with_own_id(fixture: Fixture) -> Fixture:
    """The counterexample, named by its content; a fixture with an id of its own keeps it."""
    if fixture.id and not is_id_of_property(fixture.id):
        return fixture
    return replace(fixture, id=f"{FOUND_IDS}{digest(replace(fixture, id=''))[:8]}")

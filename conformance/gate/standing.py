"""The gate: what an engine's list of known disagreements makes of a run.

The list lies in the engine's repository (`divergences.yaml`). It says how each known failure looks, so that
the same failure passes the gate and any other does not, and what each check came to when the list was
written, so that nothing that was played is lost in silence. A listed failure that is gone, or looks
different, fails the gate too: the list stays true. `divergences` reads and writes the file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date

from msgspec import Struct
from msgspec.structs import replace

from conformance.checks.fixtures import FOUND as FOUND_ID
from conformance.data.rulebook import is_within
from conformance.files.canonical import digest
from conformance.gate.config import Limits
from conformance.model.printable import printable
from conformance.model.scenario import Fixture
from conformance.model.verdict import Crash, Fail, Part, Verdict
from conformance.play.runner import Result
from conformance.results.events import Standing
from conformance.results.summary import Counts, Score, Scored, counted, exit_code, score_of

LONGEST = 240
"""So long is a signature at most; of what is longer a fingerprint follows."""
SHORT = 12
"""So many digits of a digest are kept in the list."""


class Divergence(Struct, frozen=True):
    """One known disagreement."""

    check: str
    rule: str
    signature: str
    """How the failure looks."""
    digest: str
    """Of the check it was seen on."""
    added: date
    reason: str = ""
    issue: str = ""
    expires: date | None = None
    """Until when it is tolerated."""
    scenario: str = ""
    """Where the check itself is stored, from the list's folder."""


class Played(Struct, frozen=True):
    """What a check was when the list was written."""

    was: Score
    digest: str


class Divergences(Struct, frozen=True):
    """The whole list."""

    known: Mapping[str, Divergence] = {}
    plays: Mapping[str, Played] = {}


def of_a_property(id: str) -> bool:
    """Whether a check is a property, or one of the bugs it found: its id is a name, in small letters.

    Which scenario shows that it is broken may change with the engine.
    """
    return id[:1].islower()


class Stand(Struct, frozen=True):
    """How one result stands to the list, and what there is to say of that."""

    standing: Standing = ""
    note: str = ""


class Gated(Struct, frozen=True):
    """What the list makes of a run."""

    known: int = 0
    """Failures that are listed and look as listed."""
    unexplained: int = 0
    """Those among them of which nobody has said why."""
    unexpected: int = 0
    """Failures that are not listed."""
    lost: int = 0
    """Checks that were played when the list was written and are not any more."""
    stale: int = 0
    """Entries that are gone, look different, or have expired."""
    says: tuple[str, ...] = ()
    """A line for each that is not as it should be."""


# --------------------------------------------------------------------------------- one result


def standing_of(listed: Divergences, fixture: Fixture, verdict: Verdict, today: date) -> Stand:
    """How the verdict on a check stands to the list."""
    entry, played = listed.known.get(fixture.id), listed.plays.get(fixture.id)
    if entry is None and played is None:
        return Stand()
    score = score_of(verdict)
    was = played.was if played else "failed"
    missing = score in ("unsupported", "not run") and (entry is not None or was in ("passed", "failed"))
    if entry is None and score != "failed" and not missing:
        return Stand()
    now = digest(fixture)[:SHORT]
    moved = not of_a_property(fixture.id) and any(
        known is not None and known.digest != now for known in (entry, played)
    )
    # The suite has moved: whatever is different now, it is not the engine's doing alone.
    because = "; the suite has changed this check since, not your engine" if moved else ""
    if score == "failed":
        if entry:
            return failing_as_listed(entry, signature(verdict), today, because)
        before = "" if was == "failed" else f"it {SCORE_IN_WORDS[was]} when the list was written"
        return Stand("", (before + because).removeprefix("; "))
    if missing:
        says = f"{SCORE_IN_WORDS[was]} when the list was written, and is {score} now{because}"
        return Stand("lost" if not moved else "stale" if entry else "", says)
    now_it = "passes now" if score == "passed" else "is not scored any more"
    return Stand("stale", f"listed as failing, and {now_it}{because}")


SCORE_IN_WORDS: Mapping[Score, str] = {
    "passed": "passed",
    "failed": "failed",
    "unsupported": "was unsupported",
    "disputed": "was not scored",
    "not run": "was not run",
}


def failing_as_listed(entry: Divergence, seen: str, today: date, because: str) -> Stand:
    """How a failure stands to the entry of its check."""
    if entry.expires and entry.expires < today:
        return Stand("stale", f"listed until {entry.expires}, and that is over")
    if entry.signature != seen:
        return Stand(
            "stale", f"fails in another way than listed: {entry.signature!r} then, {seen!r} now{because}"
        )
    return Stand("listed", "; ".join(said for said in (entry.reason, entry.issue, because[2:]) if said))


# ------------------------------------------------------------------------------- how it looks

CHANGEABLE = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-fA-F]{8,}\b|\d{4,}|\d+(?:\.\d+)?(?= ?m?s\b)")
"""What differs from one crash to the next one like it: addresses, process ids, times."""


def signature(verdict: Verdict) -> str:
    """How a failure looks: the same for the same failure, in one line that a person can compare."""
    match verdict:
        case Fail(parts):
            wrong = {part_in_short(part) for part in parts if part.outcome == "fail"}
            return bounded(" | ".join(sorted(wrong)))
        case Crash(says):
            first = says.partition("\n")[0]
            return bounded(f"crash: {CHANGEABLE.sub('#', first)}")
        case _:
            return str(verdict.__struct_config__.tag)


def part_in_short(part: Part) -> str:
    """What was seen, and of what."""
    return f"{part.about}, {part.when}: {part.key} {part.observed}"


def bounded(text: str) -> str:
    """A text that is not too long, harmless, and still different from any other.

    Each space stands alone: the list of known disagreements is read that way.
    """
    shown = " ".join(printable(text, len(text)).split())
    if len(shown) <= LONGEST:
        return shown
    whole = hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()
    return f"{shown[:LONGEST].rstrip()} … {whole[:SHORT]}"


CITED = re.compile(r"CR (\d{3}(?:\.\d+[a-z]?)?)")


def rule_at_fault(fixture: Fixture, verdict: Verdict) -> str:
    """The rule that a failure goes against: what its first wrong part cites, or what the check is about."""
    if isinstance(verdict, Fail):
        for part in verdict.parts:
            cited = CITED.search(part.because) if part.outcome == "fail" else None
            if cited:
                return cited[1]
    return fixture.rules[0]


# ------------------------------------------------------------------------------- a whole run


class Checked(Struct, frozen=True):
    """A check, what came of it, and how that stands to the list."""

    fixture: Fixture
    result: Result
    stand: Stand


def gated(listed: Divergences, checked: Sequence[Checked], *, every: Collection[str] | None = None) -> Gated:
    """What the list makes of a run.

    `every` are the ids of all that there is, if nothing was left out: an entry of a check that the suite
    has no more is noticed then.
    """
    failed = [one for one in checked if score_of(one.result.verdict) == "failed"]
    known = [one for one in failed if one.stand.standing == "listed"]
    stale = [one for one in checked if one.stand.standing == "stale"]
    lost = [one for one in checked if one.stand.standing == "lost"]
    unknown = sorted(set(listed.known) - set(every)) if every is not None else []
    unexpected = [one for one in failed if not one.stand.standing]
    return Gated(
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
                + ("nothing of it is found" if of_a_property(id) else "the suite has no such check any more")
                for id in unknown
            ),
        ),
    )


def lines(word: str, checked: Iterable[Checked]) -> Iterator[str]:
    """A line for each of these checks that there is something to say of."""
    for one in checked:
        if one.stand.note:
            yield f"{word}: {one.fixture.id}: {one.stand.note}"


def exit_code_of(counts: Counts, gate: Gated, excesses: Collection[str] = ()) -> int:
    """What a run that was held against the list says to whoever started it."""
    return exit_code(
        counts,
        unexpected=gate.unexpected,
        lost=gate.lost,
        stale=gate.stale,
        too_little=bool(excesses),
    )


def excesses_in(results: Collection[Scored], limits: Limits | None) -> tuple[str, ...]:
    """Where more is unsupported than is allowed, a line for each."""
    if limits is None:
        return ()
    lines = []
    for rule, limit in (("", limits.of_all), *limits.of_rules.items()):
        about = [one for one in results if not rule or any(is_within(cited, rule) for cited in one.rules)]
        counts = counted(about)
        if limit and limit.exceeded(counts.unsupported, counts.scored):
            where = f"{rule}: " if rule else ""
            count = f"{counts.unsupported} of {counts.scored} unsupported"
            lines.append(f"{where}{count}, and {limit} is the most that is allowed")
    return tuple(lines)


def lines_of_gate(gate: Gated, excesses: Iterable[str], update: str) -> Iterator[str]:
    """What the list makes of a run, in words; `update` is the command that writes it anew."""
    yield from gate.says
    if gate.known:
        unexplained = f", {gate.unexplained} of them without a reason" if gate.unexplained else ""
        yield f"{gate.known} failed as listed{unexplained}"
    amiss = {"failed and not listed": gate.unexpected, "lost": gate.lost, "stale": gate.stale}
    if gate.known or gate.says:
        said = ", ".join(f"{count} {word}" for word, count in amiss.items() if count)
        if said:
            yield f"{said}: if that is to be so: {update}"
    yield from excesses


# --------------------------------------------------------------------------- writing it anew


def renewed(listed: Divergences, checked: Sequence[Checked], today: date) -> Divergences:
    """The list as a whole run makes it: what people wrote in it stays."""
    known = {}
    plays = {}
    for one in sorted(checked, key=lambda one: one.fixture.id):
        id, now, verdict = one.fixture.id, digest(one.fixture)[:SHORT], one.result.verdict
        plays[id] = Played(score_of(verdict), now)
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


def may_be_renewed(counts: Counts, filtered: bool, excesses: Collection[str]) -> str:
    """Why a run is no ground for a new list, if it is none."""
    if filtered:
        return "only a part was played: leave out what narrows the run"
    if counts.not_run:
        return "the engine broke again and again: see to that first"
    if not counts.passed:
        return "nothing passed: see to that first"
    if excesses:
        return "too much is unsupported: see to that first, or raise the limit"
    return ""


def under_its_own_id(fixture: Fixture) -> Fixture:
    """What was found, called by its content; a fixture that has an id of its own keeps it."""
    if fixture.id and not of_a_property(fixture.id):
        return fixture
    return replace(fixture, id=f"{FOUND_ID}{digest(replace(fixture, id=''))[:8]}")

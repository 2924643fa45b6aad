"""Judges an engine's answer: one verdict per check, combined from one part per expectation.

The worst part decides. From the worst down: no valid answer (`ProtocolBreach`, `Crash`, `Hang`), one that
changes from play to play (`Nondeterministic`), a wrong answer, one too incomplete to judge. A check is a
`PassVerdict` only if every part was observed and right; what an engine does not report never counts as
right. A check may also be `Disputed` (we doubt it: shown, but not scored) or `NotRun`.

`comparison` compares observed with expected values.
"""

from __future__ import annotations

import re
from typing import Literal, assert_never

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from conformance.model.comparison import Reported, agrees, observed_in_words, test_in_words
from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.observation import Observations, Snapshot, Stopped
from conformance.model.printable import shortened
from conformance.model.scenario import Equals, Expectation, Fixture, Play, holds_in
from reference_engine.language.actions import Action, Advance, ChoiceKind, Look, Try
from reference_engine.language.words import STEPS, Step

MOST_TEXT_KEPT = 2000
"""Maximum number of characters kept of one text from an engine: a run keeps thousands of texts."""
PartOutcome = Literal["fail", "unsupported", "pass"]
WORST_FIRST: tuple[PartOutcome, ...] = ("fail", "unsupported", "pass")


class PartOfVerdict(Struct, frozen=True):
    """One expectation, the observed value, and the reason for the expectation."""

    outcome: PartOutcome
    about: str
    when: str
    key: str
    expected: str
    observed: str
    because: str = ""


class PassVerdict(Struct, frozen=True, tag_field="verdict", tag="pass"):
    """Everything was observed as expected."""

    parts: tuple[PartOfVerdict, ...]


class Fail(Struct, frozen=True, tag_field="verdict", tag="fail"):
    """Something was observed that the rules do not allow."""

    parts: tuple[PartOfVerdict, ...]


class Unsupported(Struct, frozen=True, tag_field="verdict", tag="unsupported"):
    """The engine cannot play this, or reported too little; nothing that it did report was wrong."""

    says: str
    parts: tuple[PartOfVerdict, ...] = ()


class ProtocolBreach(Struct, frozen=True, tag_field="verdict", tag="protocol"):
    """The answer was invalid: it violates the protocol, or lacks what the protocol requires."""

    says: str
    stderr: str = ""


class Crash(Struct, frozen=True, tag_field="verdict", tag="crash"):
    """The engine crashed."""

    says: str
    stderr: str = ""


class Hang(Struct, frozen=True, tag_field="verdict", tag="hang"):
    """There was no answer in time."""

    says: str
    stderr: str = ""


class Nondeterministic(Struct, frozen=True, tag_field="verdict", tag="nondeterministic"):
    """The engine gave two different answers to the same scenario."""

    says: str


class Disputed(Struct, frozen=True, tag_field="verdict", tag="disputed"):
    """We doubt this check: its result is shown, but not scored."""

    why: str
    otherwise: PartOutcome
    parts: tuple[PartOfVerdict, ...]


class NotRun(Struct, frozen=True, tag_field="verdict", tag="not run"):
    """The engine was not asked."""

    why: str


Verdict = (
    PassVerdict | Fail | Unsupported | ProtocolBreach | Crash | Hang | Nondeterministic | Disputed | NotRun
)


Party = Literal["engine", "shim", "suite"]
AT_FAULT: dict[Party, str] = {
    "engine": "at fault: the engine",
    "shim": "at fault: the shim, which connects the engine to the suite",
    "suite": "at fault: perhaps the suite; we doubt this check",
}


def blame(verdict: Verdict) -> Party | None:
    """Who is responsible for a verdict, as far as the answer alone can tell; None if nothing went wrong."""
    match verdict:
        case Fail() | Crash() | Hang() | Nondeterministic():
            return "engine"
        case ProtocolBreach():
            return "shim"
        case Disputed():
            return "suite"
        case PassVerdict() | Unsupported() | NotRun():
            return None
        case _:
            assert_never(verdict)


def judge(
    fixture: Fixture,
    answer: Observations | CannotPlay | EngineFailure,
    edition: str,
    *,
    checks_understanding: bool = False,
    steps_with_priority: frozenset[Step] | None = None,
    changes: str = "",
) -> Verdict:
    """The verdict on an engine's answer to a fixture, by the rules of an edition.

    `steps_with_priority` are the only steps in which the engine gives priority, if it declares any. `changes`
    describes how an earlier answer to the same scenario differed; empty if it did not.
    """
    broken = broken_promise(fixture, answer) if isinstance(answer, Observations) else None
    match answer:
        case EngineFailure():
            return verdict_on_failure(answer)
        case _ if broken:
            return ProtocolBreach(broken)
        case _ if changes:
            return Nondeterministic(changes)
        case CannotPlay():
            return as_disputed(
                fixture, Unsupported(shortened(str(answer), MOST_TEXT_KEPT) or "no reason given")
            )
        case Observations():
            verdict = worst_of(judged_parts(fixture, answer, edition, steps_with_priority))
            if isinstance(verdict, Fail) and not checks_understanding:
                verdict = without_blame_for_reading(fixture, answer, verdict)
            return as_disputed(fixture, verdict)
        case _:
            assert_never(answer)


def verdict_on_failure(failure: EngineFailure) -> ProtocolBreach | Crash | Hang:
    """`ProtocolBreach`, `Crash` or `Hang`, depending on the failure."""
    says = shortened(failure.says, MOST_TEXT_KEPT)
    match failure.kind:
        case "protocol":
            return ProtocolBreach(says, failure.stderr)
        case "crash":
            return Crash(says, failure.stderr)
        case "hang":
            return Hang(says, failure.stderr)
        case _:
            assert_never(failure.kind)


def worst_of(parts: tuple[PartOfVerdict, ...]) -> PassVerdict | Fail | Unsupported:
    """The verdict of the worst part; a check without any parts does not pass."""
    parts = tuple(sorted(parts, key=lambda part: WORST_FIRST.index(part.outcome)))
    match parts[0].outcome if parts else None:
        case "fail":
            return Fail(parts)
        case "unsupported":
            missing = parts[0]
            return Unsupported(f"{missing.about}, {missing.when}: {missing.key} {missing.observed}", parts)
        case "pass":
            return PassVerdict(parts)
        case None:
            return Unsupported("nothing is expected in this edition")
        case other:
            assert_never(other)


def without_blame_for_reading(fixture: Fixture, seen: Observations, verdict: Fail) -> Fail | Unsupported:
    """Turn a failure into `Unsupported` if the engine may have misread a card's text.

    Reading a card's text does not prove that the engine understood the card.
    """
    read = sorted(
        card.definition.name for card in fixture.play.cards if seen.cards.get(card.definition.name) == "text"
    )
    if not read:
        return verdict
    return Unsupported(f"not known whether the card was understood: {', '.join(read)}", verdict.parts)


def as_disputed(fixture: Fixture, verdict: PassVerdict | Fail | Unsupported) -> Verdict:
    """The verdict, wrapped in `Disputed` if we doubt the fixture."""
    if not fixture.disputed:
        return verdict
    outcomes: dict[type[PassVerdict | Fail | Unsupported], PartOutcome] = {
        PassVerdict: "pass",
        Fail: "fail",
        Unsupported: "unsupported",
    }
    return Disputed(fixture.disputed, outcomes[type(verdict)], verdict.parts)


# -------------------------------------------------------------------------------- looks and tries


def places(fixture: Fixture) -> dict[tuple[str, str], int]:
    """Position in the script of each look and each attempted action; the look `end` comes last."""
    script = fixture.play.script
    found = {("look", "end"): len(script)}
    for at, action in enumerate(script):
        if isinstance(action, (Look, Try)):
            found["tried" if isinstance(action, Try) else "look", action.name] = at
    return found


def place(expected: Expectation) -> tuple[str, str]:
    """The look or the attempted action that an expectation is about."""
    return ("tried", expected.about) if expected.key == "tried" else ("look", expected.look)


def broken_promise(fixture: Fixture, seen: Observations) -> str | None:
    """What an answer lacks, if anything: every look and outcome before the stop is required."""
    stopped = seen.stopped
    if outside := stop_error(fixture.play, stopped):
        return outside
    for (kind, name), at in places(fixture).items():
        if (stopped is None or at < stopped.at) and name not in (
            seen.looks if kind == "look" else seen.tried
        ):
            return f"the look {name} is missing" if kind == "look" else f"no outcome of the try {name}"
    return None


def stop_error(play: Play, stopped: Stopped | None) -> str | None:
    """The error in a stop that is at no action of the script, if any; a stop in the setup is at 0."""
    length = len(play.script)
    if stopped is None or 0 <= stopped.at < max(length, 1):
        return None
    return f"stopped at action {stopped.at}, but the script has {length}"


NOT_REACHED = "not reached"
"""What is observed of an expectation if the play stopped before it."""


def judged_parts(
    fixture: Fixture, seen: Observations, edition: str, steps_with_priority: frozenset[Step] | None = None
) -> tuple[PartOfVerdict, ...]:
    """One part for each expectation of this edition, and one for a stop if there was one.

    `unused` choices do not count: if they mattered, the looks would differ.
    """
    where = places(fixture)
    parts = []
    for expected in fixture.expect:
        if not holds_in(expected.holds, edition):
            continue
        at = where[place(expected)]
        if seen.stopped and at >= seen.stopped.at:
            parts.append((at, part(fixture, expected, "unsupported", NOT_REACHED)))
        else:
            value = reported_value(fixture, expected, seen)
            observed = observed_in_words(expected.test, expected.key, value)
            parts.append((at, part(fixture, expected, outcome_of(expected, value), observed)))
    if seen.stopped:
        parts.insert(0, (seen.stopped.at, part_of_stop(fixture, seen.stopped)))
    if steps_with_priority is None:
        return tuple(part for _, part in parts)
    return adjusted_for_declared_steps(fixture, seen, edition, parts, steps_with_priority)


def outcome_of(expected: Expectation, value: Reported | UnsetType) -> PartOutcome:
    """The outcome of one expectation; unknown if the value was not reported."""
    if isinstance(value, UnsetType):
        return "unsupported"
    return "pass" if agrees(expected.test, expected.key, value) else "fail"


def reported_value(fixture: Fixture, expected: Expectation, seen: Observations) -> Reported | UnsetType:
    """The value that the engine reported for an expectation."""
    if expected.key == "tried":
        return seen.tried[expected.about]
    of = observed_part(fixture, expected, seen.looks[expected.look])
    value: Reported | UnsetType = getattr(of, expected.key) if of else UNSET
    return value


def observed_part(fixture: Fixture, expected: Expectation, snapshot: Snapshot) -> Struct | None:
    """The table, player or object of an expectation in a snapshot, if it is there."""
    if expected.about == "table":
        return snapshot.table
    players = {name for player in fixture.play.players for name in (player.id, player.team)}
    if expected.about in players:
        return snapshot.players.get(expected.about)
    return snapshot.objects.get(expected.about)


def part(fixture: Fixture, expected: Expectation, outcome: PartOutcome, observed: str) -> PartOfVerdict:
    """An expectation with the observed value, in words."""
    return PartOfVerdict(
        outcome=outcome,
        about=expected.about,
        when=moment(fixture, expected.look),
        key=expected.key,
        expected=test_in_words(expected.test, expected.key),
        observed=shortened(observed, MOST_TEXT_KEPT),
        because=expected.because,
    )


def moment(fixture: Fixture, look: str) -> str:
    """The moment of a look, in words."""
    if look != "end":
        return f"at {look}"
    return "at the end" if fixture.play.script else "after setup"


# ------------------------------------------------------------------------- steps without priority

COUNTED_BY: dict[Step, str] = {
    **dict.fromkeys(STEPS[STEPS.index("upkeep") : STEPS.index("cleanup")], "G-0063"),
    "first-strike damage": "G-0098",
    "cleanup": "G-0157",
}
"""For each step in which players can get priority, the fixture that tests exactly that."""


def adjusted_for_declared_steps(
    fixture: Fixture,
    seen: Observations,
    edition: str,
    parts: list[tuple[int, PartOfVerdict]],
    steps_with_priority: frozenset[Step],
) -> tuple[PartOfVerdict, ...]:
    """The parts, adjusted for an engine that declares steps in which it gives no priority.

    The fixture about such a step counts this as a failure; elsewhere its consequences are excused. If the
    game should be in such a step but was not observed there, the engine is at another point of the turn, and
    later failures prove nothing. Each of `parts` comes with its position in the script.
    """
    without = COUNTED_BY.keys() - steps_with_priority
    if fixture.id in (COUNTED_BY[step] for step in without):
        return tuple(
            replace(one, outcome="fail") if is_stop_without_priority(one) else one for _, one in parts
        )
    where, script, stopped = places(fixture), fixture.play.script, seen.stopped
    passed_by = [
        (where[place(expected)], step)
        for expected in fixture.expect
        if holds_in(expected.holds, edition)
        for step in without
        if (expected.key, expected.test) == ("step", Equals(step))
        and not is_in_step(
            seen,
            expected.look,
            step,
        )
    ]
    on_its_way = script[stopped.at] if stopped and script else None
    if stopped and isinstance(on_its_way, Advance) and on_its_way.to in without:
        passed_by.append((stopped.at, on_its_way.to))
    if not passed_by:
        return tuple(one for _, one in parts)
    first, step = min(passed_by, key=lambda pair: pair[0])
    return tuple(
        replace(one, outcome="unsupported", observed=f"{one.observed}; it gives no priority in {step}")
        if one.outcome == "fail" and at >= first
        else one
        for at, one in parts
    )


def is_stop_without_priority(one: PartOfVerdict) -> bool:
    """Whether a part is a stop because the engine gives nobody priority there."""
    return one.key == "stopped" and one.observed.startswith("no stop")


def is_in_step(seen: Observations, look: str, step: Step) -> bool:
    """Whether a look shows the game in this step."""
    return look in seen.looks and seen.looks[look].table.step == step


# ---------------------------------------------------------------------------------------- stops

RULES_OF_CHOICE: dict[ChoiceKind, frozenset[str]] = {
    "targets": frozenset({"601.2c", "603.3d", "707.10c"}),
    "order": frozenset({"603.3b"}),
    "timestamps": frozenset({"613.7m"}),
    "cards": frozenset({"514.1", "608.2d"}),
    "random": frozenset({"701.9b"}),
    "keep": frozenset({"704.5j"}),
    "object": frozenset({"608.2d"}),
    "player": frozenset({"608.2d", "614.12a"}),
    "replacement": frozenset({"616.1"}),
    "copy": frozenset({"614.12a"}),
    "color": frozenset({"608.2d", "614.12a", "707.6"}),
    "type": frozenset({"608.2d", "614.12a", "707.6"}),
    "name": frozenset({"608.2d", "614.12a", "707.6"}),
    "word": frozenset({"608.2d", "614.12a"}),
    "number": frozenset({"608.2d", "614.12a", "707.6"}),
    "x": frozenset({"601.2b"}),
    "may": frozenset({"608.2d", "614.12a"}),
    "modes": frozenset({"601.2b", "603.3c"}),
    "option": frozenset({"608.2d", "614.12a", "707.6", "708.11"}),
    "costs": frozenset({"601.2b"}),
    "division": frozenset({"601.2d", "608.2d"}),
    "pile": frozenset({"608.2d"}),
    "damage_order": frozenset(),
}
"""The rules of the newest edition that say who makes each kind of choice, and when."""


QUESTION = re.compile(r"(?:.*\bmust choose )?(?P<kind>\w+)")
"""A question as engines report it: `alice must choose timestamps for …`, or just `timestamps …`."""


def rules_against_question(fixture: Fixture, stopped: Stopped) -> frozenset[str]:
    """The fixture's rules about a choice that the engine should not have asked for."""
    asked = QUESTION.match(stopped.question)
    return frozenset(
        rule
        for kind, rules in RULES_OF_CHOICE.items()
        if asked and asked["kind"] == kind
        for rule in rules.intersection(fixture.rules)
    )


def part_of_stop(fixture: Fixture, stopped: Stopped) -> PartOfVerdict:
    """The part for a play that ended before its script; the reference engine plays all scripts to the end."""
    says = f": {stopped.says}" if stopped.says else ""
    outcome: PartOutcome
    because = ""
    match stopped.why:
        case "rejected":
            outcome, observed = "fail", f"rejected{says}"
        case "loop":
            outcome, observed = "fail", f"went round in circles{says}"
        case "question":
            cited = rules_against_question(fixture, stopped)
            outcome, observed = "fail" if cited else "unsupported", f"asked {stopped.question}{says}"
            because = f"the choice is that of CR {', '.join(sorted(cited))}" if cited else ""
        case "no stop" | "unsupported":
            outcome, observed = "unsupported", f"{stopped.why}{says}"
        case _:
            assert_never(stopped.why)
    script = fixture.play.script
    return PartOfVerdict(
        outcome=outcome,
        about=f"script[{stopped.at}]" if script else "setup",
        when=in_short(script[stopped.at]) if script else "as things entered",
        key="stopped",
        expected="goes on",
        observed=shortened(observed, MOST_TEXT_KEPT),
        because=because,
    )


def in_short(action: Action) -> str:
    """An action in short: `cast bolt`."""
    if isinstance(action, Try):
        return f"try {in_short(action.action)}"
    word = str(action.__struct_config__.tag)
    first = getattr(action, action.__struct_fields__[0]) if action.__struct_fields__ else None
    return f"{word} {first}" if isinstance(first, str) else word

"""Groups failures that probably have one cause: the same rule and the same difference.

A difference is which aspect of an object is wrong (its types, who has priority), whatever the values, because
two boards seldom have the same values. For a failure of the engine itself, it is the error message. Two
hundred failures are usually a handful of bugs; each group shows its smallest scenario first. One bug can make
checks of many rules fail; the group whose rule accounts best for all of them comes first.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from conformance.model.citations import rules_cited_first
from conformance.model.scenario import Fixture
from conformance.model.verdict import (
    NOT_REACHED,
    Disputed,
    Fail,
    NotRun,
    PartOfVerdict,
    moment,
    places,
)
from conformance.results.events import FinishedCheck, is_amiss, text_of_verdict
from conformance.results.summary import score_of

CITED = re.compile(r"\bCR (\d{3}(?:\.\d+[a-z]*)?)")
"""The rule that a reason cites first: `CR 613.8b: …`."""

CaseOutcome = Literal["passed", "failure", "error", "skipped"]


def needs_attention(checked: FinishedCheck) -> bool:
    """Whether a person should look at a check: it failed or is disputed, and is not a listed divergence."""
    return is_amiss(checked.verdict) and checked.standing != "listed"


class FailureGroup(Struct, frozen=True):
    """Failures with one cause, smallest scenario first."""

    rule: str
    """The broken rule; empty if the engine itself failed."""
    difference: str
    failures: tuple[FinishedCheck, ...]

    @property
    def smallest(self) -> FinishedCheck:
        """The failure to read first."""
        return self.failures[0]


def failures_by_cause(
    failures: Iterable[FinishedCheck], checked: Iterable[FinishedCheck]
) -> list[FailureGroup]:
    """The failures by cause, the likeliest first; the failures in each group are sorted by size of the
    scenario. `checked` has all results of the run.

    A failure that goes wrong in several ways belongs to the likeliest of their rules (see `likelihoods`), so
    that few rules account for all failures. Of two equally likely causes, the one with the smaller scenario
    comes first. What is no failure comes last.
    """
    ordered = sorted(failures, key=lambda one: (one.size, one.id))
    if not ordered:
        return []  # before the likelihood of each cause is worked out from all checks
    likelihood = likelihoods((one for one in ordered if score_of(one.verdict) == "failed"), checked)
    causes: dict[tuple[str, str], list[FinishedCheck]] = {}
    for one in ordered:
        rules = wrong_rules(one)
        # The first of equally likely rules is that of the first difference.
        rule = max(rules, key=lambda rule: likelihood.get(rule, 0)) if rules else ""
        causes.setdefault(cause_of(one, rule), []).append(one)

    def rank(group: FailureGroup) -> float:
        is_failure = any(score_of(one.verdict) == "failed" for one in group.failures)
        return is_failure and likelihood.get(group.rule, 0)

    groups = [FailureGroup(rule, wrong, read_first(rule, some)) for (rule, wrong), some in causes.items()]
    return sorted(groups, key=rank, reverse=True)


WEIGHT_OF_ANOTHER = 0.25
"""Weight of a rule of another difference of a failing check, beside 1 of that of its first difference."""
WEIGHT_OF_A_STOP = 0.25
"""Weight of an action that is rejected, or a crash: often the consequence of something else."""
WEIGHT_OF_A_PASS = 0.2
"""Weight of a check that passed: a bug seldom breaks everything that a rule says."""
DOUBT = 4
"""Number of passed checks that every rule has beforehand, so that one failure alone is no certainty."""


def likelihoods(failures: Iterable[FinishedCheck], checked: Iterable[FinishedCheck]) -> dict[str, float]:
    """How well each rule accounts for the failures: the weight of those that are about it, times their share
    of all checks about it.

    So a rule that many failures have in common says little if most checks about it pass. The rows of a table
    together weigh as much as one check, because they say the same thing about many steps. Failures for which
    no rule is known, such as crashes, are weighed like those of one rule.
    """
    checked = tuple(checked)
    rows = Counter(table_of(one) for one in checked)
    found, passed = defaultdict[str, float](float), defaultdict[str, float](float)
    for one in failures:
        first, *others = wrong_rules(one) or ("",)
        part = first_difference(one)
        is_stop = part is None or part.key == "stopped"
        share = 1 / max(rows[table_of(one)], 1)
        found[first] += share * (WEIGHT_OF_A_STOP if is_stop else 1)
        for rule in others:
            found[rule] += share * WEIGHT_OF_ANOTHER
    for one in checked:
        if score_of(one.verdict) == "passed":
            for rule in {*one.rules, *(rule_of(one, part) for part in parts_of(one))}:
                passed[rule] += 1 / rows[table_of(one)]
    return {
        rule: weight * weight / (weight + WEIGHT_OF_A_PASS * passed[rule] + DOUBT)
        for rule, weight in found.items()
    }


def table_of(checked: FinishedCheck) -> str:
    """The id of the table that a check is a row of; its own id if it is none."""
    return checked.id.partition(".")[0]


def wrong_rules(checked: FinishedCheck) -> tuple[str, ...]:
    """The rules of all that went wrong in a check, in the order of the play; empty if there are none."""
    wrong = in_order_of_play(checked)
    return tuple(rule for rule in dict.fromkeys(rule_of(checked, part) for part in wrong) if rule)


def read_first(rule: str, failures: Sequence[FinishedCheck]) -> tuple[FinishedCheck, ...]:
    """The failures, those whose first difference is about the rule before the others."""
    return tuple(sorted(failures, key=lambda one: cause_of(one)[0] != rule))


def explanations(alike: Sequence[Collection[str]], weights: Sequence[int] = ()) -> list[str]:
    """For each failure the broken engine that explains it, chosen so that few of them explain all.

    `alike` names the broken engines that answer like the engine under test. The one that explains most
    failures comes first, then the one that explains most of the others. Without any, it is empty.
    """
    chosen = [""] * len(alike)
    weight = dict(enumerate(weights)) or dict.fromkeys(range(len(alike)), 1)
    explained_by: dict[str, set[int]] = {}
    for number, names in enumerate(alike):
        for name in names:
            explained_by.setdefault(name, set()).add(number)
    while explained_by:
        most = min(explained_by, key=lambda name: (-sum(weight[n] for n in explained_by[name]), name))
        done = explained_by.pop(most)
        for number in done:
            chosen[number] = most
        explained_by = {name: rest for name, some in explained_by.items() if (rest := some - done)}
    return chosen


def cause_of(checked: FinishedCheck, rule: str = "") -> tuple[str, str]:
    """The broken rule, and what is wrong: the first difference, or the first that is about `rule`."""
    part = first_difference(checked, rule)
    if part is None:
        return "", difference_line(checked)
    return rule_of(checked, part), part.observed if part.key == "stopped" else part.key


def rule_of(checked: FinishedCheck, part: PartOfVerdict) -> str:
    """The rule behind a part of a check: the one that its reason cites, or else the check's first rule."""
    return next(iter(rules_named(checked, part)), "")


def rules_named(checked: FinishedCheck, part: PartOfVerdict) -> tuple[str, ...]:
    """The rules that the reason for a part of a check begins with, or else the check's first rule."""
    return rules_cited_first(reason_for(checked, part)) or checked.rules[:1]


def reason_for(checked: FinishedCheck, part: PartOfVerdict) -> str:
    """The reason for a part of a check; if the play should have gone on, that for the first value after."""
    if part.because or part.key != "stopped" or checked.scenario is None:
        return part.because
    order = moments_in_order(checked.scenario)
    later = (one for one in parts_of(checked) if one.observed == NOT_REACHED)
    return min(later, key=lambda one: moment_in_play(one, order), default=part).because


def difference_line(checked: FinishedCheck, rule: str = "") -> str:
    """The first difference, or the first that is about `rule`, on one line."""
    part = first_difference(checked, rule)
    if part is None and checked.standing:
        return f"{checked.standing}: {checked.note}"
    if part is None:
        return f"{checked.verdict.__struct_config__.tag}: {text_of_verdict(checked.verdict)}"
    cited = ", ".join(rules_named(checked, part))
    wrong = f"{part.about}, {part.when}: {part.key}: expected {part.expected}, observed {part.observed}"
    return f"CR {cited}: {wrong}" if cited else wrong


def first_difference(checked: FinishedCheck, rule: str = "") -> PartOfVerdict | None:
    """The part of the verdict that went wrong first during play, or None; if any is about `rule`, the first
    of those.
    """
    wrong = in_order_of_play(checked)
    about = (part for part in wrong if rule and rule_of(checked, part) == rule)
    return next(about, wrong[0] if wrong else None)


def in_order_of_play(checked: FinishedCheck) -> list[PartOfVerdict]:
    """The parts of the verdict that went wrong, in the order of the play if the scenario is known."""
    wrong = [part for part in parts_of(checked) if part.outcome == "fail"]
    if len(wrong) < 2 or checked.scenario is None:
        return wrong
    order = moments_in_order(checked.scenario)
    return sorted(wrong, key=lambda part: moment_in_play(part, order))


def moment_in_play(part: PartOfVerdict, order: Mapping[str, int]) -> int:
    """Position in the script of the look or the attempted action that a part is about."""
    return order.get((part.key == "tried" and part.about) or part.when, -1)


def parts_of(checked: FinishedCheck) -> Sequence[PartOfVerdict]:
    """The parts of a check's verdict; empty if it has none."""
    parts: Sequence[PartOfVerdict] = getattr(checked.verdict, "parts", ())
    return parts


def with_first_difference_first(checked: FinishedCheck, rule: str = "") -> FinishedCheck:
    """The same check, with its first difference, or the first that is about `rule`, moved to the front."""
    first = first_difference(checked, rule)
    if first is None or not isinstance(checked.verdict, Fail | Disputed):
        return checked
    parts = (first, *(part for part in checked.verdict.parts if part is not first))
    return replace(checked, verdict=replace(checked.verdict, parts=parts))


def case_outcome(checked: FinishedCheck) -> tuple[CaseOutcome, str]:
    """What a check is to a tool that shows test cases, and the reason in a few words.

    A listed divergence is skipped; an error is a failure of the engine itself.
    """
    score = score_of(checked.verdict)
    note = checked.note or text_of_verdict(checked.verdict)
    if checked.standing == "listed":
        return "skipped", f"a listed divergence: {note}" if note else "a listed divergence"
    if checked.standing in ("stale", "lost"):
        return "failure", f"{checked.standing}: {note}"
    match score:
        case "passed":
            return "passed", ""
        case "failed":
            return ("failure" if isinstance(checked.verdict, Fail) else "error"), difference_line(checked)
        case "not run":
            assert isinstance(checked.verdict, NotRun)
            return "error", checked.verdict.why
        case "unsupported" | "disputed":
            return "skipped", f"{score}: {text_of_verdict(checked.verdict)}"
        case _:
            assert_never(score)


def moments_in_order(fixture: Fixture) -> dict[str, int]:
    """Position in the script of each look and each attempted action, by name."""
    return {
        name if kind == "tried" else moment(fixture, name): at for (kind, name), at in places(fixture).items()
    }

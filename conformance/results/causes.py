"""Groups failures that probably have one cause: the same rule and the same difference.

A difference is which aspect of an object is wrong (its types, who has priority), whatever the values, because
two boards seldom have the same values. For a failure of the engine itself, it is the error message. Two
hundred failures are usually a handful of bugs; each group shows its smallest scenario first. One bug can make
checks of many rules fail; the group whose rule accounts best for all of them comes first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from conformance.model.scenario import Fixture
from conformance.model.verdict import Disputed, Fail, NotRun, PartOfVerdict, moment, places
from conformance.results.events import FinishedCheck, is_amiss, text_of_verdict
from conformance.results.summary import score_of

CITED = re.compile(r"\bCR (\d{3}(?:\.\d+[a-z]*)?)")
"""The rule cited in a reason: `CR 613.8b: …`."""

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

    Of all checks that fail or are about a cause's rule, some do both; the larger their share, the likelier
    the cause. So a rule that many failures have in common says little if most checks about it pass. Of two
    equally likely causes, the one with the smaller scenario comes first. What is no failure comes last.
    """
    causes: dict[tuple[str, str], list[FinishedCheck]] = {}
    for one in sorted(failures, key=lambda one: (one.size, one.id)):
        causes.setdefault(cause_of(one), []).append(one)
    groups = [FailureGroup(*cause, tuple(some)) for cause, some in causes.items()]
    wrong = [one for group in groups for one in group.failures if score_of(one.verdict) == "failed"]
    failed = Counter(rule for one in wrong for rule in {*one.rules, cause_of(one)[0]})
    passed = Counter(rule for one in checked if score_of(one.verdict) == "passed" for rule in set(one.rules))

    def likelihood(group: FailureGroup) -> float:
        found = sum(score_of(one.verdict) == "failed" for one in group.failures)
        both = failed[group.rule] if group.rule and found else found
        return both and both / (len(wrong) + passed[group.rule])

    return sorted(groups, key=likelihood, reverse=True)


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


def cause_of(checked: FinishedCheck) -> tuple[str, str]:
    """The broken rule, and what is wrong."""
    part = first_difference(checked)
    if part is None:
        return "", difference_line(checked)
    return rule_of(checked, part), part.observed if part.key == "stopped" else part.key


def rule_of(checked: FinishedCheck, part: PartOfVerdict) -> str:
    """The rule behind a part of a check: the one that its reason cites, or else the check's first rule."""
    cited = CITED.search(part.because)
    return cited[1] if cited else next(iter(checked.rules), "")


def difference_line(checked: FinishedCheck) -> str:
    """The first difference, on one line."""
    part = first_difference(checked)
    if part is None and checked.standing:
        return f"{checked.standing}: {checked.note}"
    if part is None:
        return f"{checked.verdict.__struct_config__.tag}: {text_of_verdict(checked.verdict)}"
    rule = rule_of(checked, part)
    wrong = f"{part.about}, {part.when}: {part.key}: expected {part.expected}, observed {part.observed}"
    return f"CR {rule}: {wrong}" if rule else wrong


def first_difference(checked: FinishedCheck) -> PartOfVerdict | None:
    """The part of the verdict that went wrong first during play, or None."""
    parts = parts_of(checked)
    wrong = [part for part in parts if part.outcome == "fail"]
    if not wrong or checked.scenario is None:
        return wrong[0] if wrong else None
    order = moments_in_order(checked.scenario)
    return min(wrong, key=lambda part: order.get((part.key == "tried" and part.about) or part.when, -1))


def parts_of(checked: FinishedCheck) -> Sequence[PartOfVerdict]:
    """The parts of a check's verdict; empty if it has none."""
    parts: Sequence[PartOfVerdict] = getattr(checked.verdict, "parts", ())
    return parts


def with_first_difference_first(checked: FinishedCheck) -> FinishedCheck:
    """The same check, with its first difference moved to the front."""
    first = first_difference(checked)
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

"""Failures put together that have one cause, as far as can be seen: the same rule, and the same difference.

A difference is what of a thing is wrong (its types, who has priority), whatever the values: two boards
seldom have the same. Of an engine that broke it is what was said. Somebody with two hundred failures has a
handful of bugs; first comes the smallest scenario that shows one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from conformance.model.scenario import Fixture
from conformance.model.verdict import Disputed, Fail, Part, moment, places
from conformance.results.events import Checked, is_amiss, said_of

CITED = re.compile(r"\bCR (\d{3}(?:\.\d+[a-z]*)?)")
"""A rule in a reason: `CR 613.8b: …`."""


def needs_telling(checked: Checked) -> bool:
    """Whether a person should look at a check: it failed or is disputed, and is not listed."""
    return is_amiss(checked.verdict) and checked.standing != "listed"


class Group(Struct, frozen=True):
    """Failures with one cause, the smallest scenario first."""

    rule: str
    """The rule that is broken; none if the engine itself broke."""
    difference: str
    failures: tuple[Checked, ...]

    @property
    def smallest(self) -> Checked:
        """The failure to be read first."""
        return self.failures[0]


def grouped(failures: Iterable[Checked]) -> list[Group]:
    """The failures by their causes: in each group and among the groups, the smallest scenario first."""
    causes: dict[tuple[str, str], list[Checked]] = {}
    for one in sorted(failures, key=lambda one: (one.size, one.id)):
        causes.setdefault(cause_of(one), []).append(one)
    return [Group(*cause, tuple(some)) for cause, some in causes.items()]


def cause_of(checked: Checked) -> tuple[str, str]:
    """The rule that is broken, and what is wrong."""
    part = first_difference(checked)
    if part is None:
        return "", in_a_word(checked)
    return rule_of(checked, part), part.observed if part.key == "stopped" else part.key


def rule_of(checked: Checked, part: Part) -> str:
    """The rule that a part of a check is about: the one in its reason, or else the first of the check."""
    cited = CITED.search(part.because)
    return cited[1] if cited else next(iter(checked.rules), "")


def in_a_word(checked: Checked) -> str:
    """What went wrong first, on one line."""
    part = first_difference(checked)
    if part is None and checked.standing:
        return f"{checked.standing}: {checked.note}"
    if part is None:
        return f"{checked.verdict.__struct_config__.tag}: {said_of(checked.verdict)}"
    rule = rule_of(checked, part)
    wrong = f"{part.about}, {part.when}: {part.key}: expected {part.expected}, observed {part.observed}"
    return f"CR {rule}: {wrong}" if rule else wrong


def first_difference(checked: Checked) -> Part | None:
    """The part that went wrong first in the course of the play; none if no part did."""
    parts = parts_of(checked)
    wrong = [part for part in parts if part.outcome == "fail"]
    if not wrong or checked.scenario is None:
        return wrong[0] if wrong else None
    order = moments_in_order(checked.scenario)
    return min(wrong, key=lambda part: order.get((part.key == "tried" and part.about) or part.when, -1))


def parts_of(checked: Checked) -> Sequence[Part]:
    """The parts of a verdict, if it has any."""
    parts: Sequence[Part] = getattr(checked.verdict, "parts", ())
    return parts


def in_order(checked: Checked) -> Checked:
    """The same check with the first difference before all others."""
    first = first_difference(checked)
    if first is None or not isinstance(checked.verdict, Fail | Disputed):
        return checked
    parts = (first, *(part for part in checked.verdict.parts if part is not first))
    return replace(checked, verdict=replace(checked.verdict, parts=parts))


def moments_in_order(fixture: Fixture) -> dict[str, int]:
    """When each look is taken and each try made, by its words: where in the script."""
    return {
        name if kind == "tried" else moment(fixture, name): at for (kind, name), at in places(fixture).items()
    }

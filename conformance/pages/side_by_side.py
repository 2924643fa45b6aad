"""The page of `conformance compare --html`: engines as columns, rules as rows, and what splits them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from conformance.pages.addresses import AddressOf, no_address
from conformance.pages.page import page
from conformance.pages.run import CountsShown

CellKind = Literal["right", "part", "few", "wrong", "unplayed", "absent"]
"""All right; right as far as played; a few wrong; more wrong; nothing was played; not in this run."""


class ColumnShown(Struct, frozen=True):
    """A run as a column."""

    name: str
    facts: tuple[tuple[str, str], ...]
    counts: CountsShown
    common: int
    """Number of checks that are right here, of those that every run played."""
    alone: int
    """Number of checks that only this run has wrong."""


class CellShown(Struct, frozen=True):
    """The result of a run for a chapter or rule."""

    kind: CellKind
    says: str
    more: str = ""


class RowShown(Struct, frozen=True):
    """A chapter or rule: a cell for each run, and the checks in which something is wrong."""

    name: str
    gist: str
    cells: tuple[CellShown, ...]
    marks: tuple[str, ...]
    """The words by which the filter finds it."""
    checks: tuple[int, ...] = ()
    """Numbers of the checks that at least one run has wrong."""


class ChapterCompared(Struct, frozen=True):
    """A chapter with its rules."""

    row: RowShown
    rules: tuple[RowShown, ...]


class AnswerShown(Struct, frozen=True):
    """The result of a run for a check."""

    kind: CellKind
    says: str
    expected: str = ""
    observed: str = ""
    """The first difference, if it is wrong; or why it was not played."""
    where: str = ""
    """What the difference is about: the object, the moment and the characteristic."""


class CheckCompared(Struct, frozen=True):
    """A check that at least one run has wrong."""

    id: str
    title: str
    rules: tuple[str, ...]
    again: str
    answers: tuple[AnswerShown, ...]
    marks: tuple[str, ...]


class ChangeGroup(Struct, frozen=True):
    """Checks that changed in the same way: id, title, and what is wrong now."""

    what: str
    checks: tuple[tuple[str, str, str], ...]


class ChangesShown(Struct, frozen=True):
    """What changed from one run of an engine to the next."""

    before: str
    after: str
    groups: tuple[ChangeGroup, ...]


class HistoryShown(Struct, frozen=True):
    """The runs of one engine, in the order given."""

    engine: str
    runs: tuple[CountsShown, ...]
    changes: tuple[ChangesShown, ...]


class ComparisonShown(Struct, frozen=True):
    """Everything on the page of a comparison."""

    title: str
    scores: tuple[str, ...]
    warnings: tuple[str, ...]
    """Why the columns are not quite comparable."""
    columns: tuple[ColumnShown, ...]
    in_common: int
    """Number of checks that every run played."""
    histories: tuple[HistoryShown, ...]
    chapters: tuple[ChapterCompared, ...]
    checks: tuple[CheckCompared, ...]


def comparison_page(shown: ComparisonShown, address: AddressOf = no_address) -> str:
    """The page of a comparison; `address` leads to the pages of checks."""
    scripts = ("filtering.js", "copying.js")
    return page("side_by_side.html", title=shown.title, scripts=scripts, shown=shown, address=address)

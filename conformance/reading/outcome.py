"""Reads a whole file of printed cards: definitions go to a file, unread patterns are counted."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from math import inf
from pathlib import Path
from typing import IO, Literal

from msgspec import Struct

from conformance.checks.cards import findings_of_card
from conformance.files.canonical import without_defaults
from conformance.files.strict_json import MOST_SIGNS, signs_in
from conformance.files.yaml_text import MOST_YAML_BYTES
from conformance.model.problems import Problem, ScenarioError
from conformance.reading.bulk import PrintedEntry
from conformance.reading.cards import Unread, card_read
from conformance.reading.ranking import RankedPattern, ranking
from reference_engine.language.cards import Card, Keyword


class ReadingTally(Struct, frozen=True):
    """Number of cards read, and the patterns that keep the others unread."""

    read: int
    of: int
    ranked: tuple[RankedPattern, ...]


FileForm = Literal["yaml", "json", "jsonl"]
"""How definitions are written: as a list in YAML or JSON, or one per line."""


def read_into(
    printed: Iterable[PrintedEntry], out: IO[str] | None, form: FileForm, path: str = "", jobs: int = 1
) -> ReadingTally:
    """Read cards in this number of processes and write their definitions in order; each name counts only
    once.

    Raises `ScenarioError` if a file of this form, shown as `path`, would be too long to be used.
    """
    begin, between, before, end = DEFINITION_FORMS[form]
    unread: list[Unread] = []
    read = size = 0
    if out is not None:
        out.write(begin)
    for found in readings(each_name_once(printed), jobs):
        if isinstance(found, Unread):
            unread.append(found)
            continue
        if out is not None:
            text = f"{between if read else ''}{before}{found}"
            size += size_in(form, text)
            if size > MOST_OF[form]:
                raise ScenarioError([Problem(path, 0, 0, "", *TOO_LONG)])
            out.write(text)
        read += 1
    if out is not None:
        out.write(end if read or form == "json" else "")
    return ReadingTally(read, read + len(unread), tuple(ranking(unread)))


def each_name_once(printed: Iterable[PrintedEntry]) -> Iterator[PrintedEntry]:
    """The first card of each name."""
    names: set[str] = set()
    for one in printed:
        name = one if isinstance(one, str) else one.name
        if name not in names:
            names.add(name)
            yield one


PORTION = 100
"""Number of cards that a process reads at a time."""


def readings(printed: Iterator[PrintedEntry], jobs: int) -> Iterator[str | Unread]:
    """The definition of each card, in order, or what keeps it unread.

    Only as many cards are held as the processes are busy with; a file of few cards is read without others.
    """
    portions = iter(lambda: tuple(islice(printed, PORTION)), ())
    first = next(portions, ())
    if jobs == 1 or len(first) < PORTION:
        for portion in chain((first,), portions):
            yield from map(definition_read, portion)
        return
    with ProcessPoolExecutor(jobs) as executor:
        waiting: deque[Future[list[str | Unread]]] = deque()
        try:
            for portion in chain((first,), portions):
                waiting.append(executor.submit(definitions_read, portion))
                if len(waiting) > 2 * jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            executor.shutdown(cancel_futures=True)


def definitions_read(portion: Sequence[PrintedEntry]) -> list[str | Unread]:
    """The definitions of several cards: one unit of parallel work."""
    return [definition_read(one) for one in portion]


def definition_read(one: PrintedEntry) -> str | Unread:
    """The definition of a card, or what keeps it unread."""
    found = Unread(("several faces",)) if isinstance(one, str) else check_reading(card_read(one))
    return found if isinstance(found, Unread) else definition(found)


DEFINITION_FORMS: dict[FileForm, tuple[str, str, str, str]] = {
    "yaml": ("", "\n", "- ", "\n"),
    "json": ("[\n", ",\n", "", "\n]\n"),
    "jsonl": ("", "\n", "", "\n"),
}
"""What begins a file, stands between definitions, before each of them, and ends the file."""


MOST_OF: dict[FileForm, float] = {"yaml": MOST_YAML_BYTES - 1, "json": MOST_SIGNS, "jsonl": inf}
"""How long a file of each form can be, as `size_in` measures it. Lines are checked one by one."""
TOO_LONG = (
    "too many cards for this form of file, which could not be used afterwards",
    "let --out end in .jsonl: a line for each card",
)


def size_in(form: FileForm, text: str) -> int:
    """What counts towards the limit of a file."""
    return signs_in(text.encode()) if form == "json" else len(text.encode())


def form_of(path: Path | None) -> FileForm:
    """The form of a file with this name."""
    suffix = "" if path is None else path.suffix
    return "json" if suffix == ".json" else "jsonl" if suffix == ".jsonl" else "yaml"


def check_reading(found: Card | Unread) -> Card | Unread:
    """The card, if a card file would accept it.

    CR 702.145a: daybound is on the front of a card that has a back, so a card with daybound alone is half
    of one.
    """
    if isinstance(found, Unread):
        return found
    if found.back is None and any(
        isinstance(one, Keyword) and one.keyword == "daybound" for one in found.abilities
    ):
        return Unread(("daybound, without the other face",))
    findings = [finding.what for finding in findings_of_card(found)]
    return Unread(tuple(f"refused: {what}" for what in findings)) if findings else found


def definition(card: Card) -> str:
    """A card in canonical form without defaults, its name first: JSON, which is also YAML."""
    plain = dict(without_defaults(card))
    name = json.dumps({"name": plain.pop("name")}, ensure_ascii=False)
    return f"{name[:-1]}, {json.dumps(plain, ensure_ascii=False, sort_keys=True)[1:]}"


def lines_of(outcome: ReadingTally, top: int) -> Iterator[str]:
    """The ranking, with the count as the last line."""
    shown = outcome.ranked[:top]
    if shown:
        yield "alone  cards  pattern that is not read"
    for one in shown:
        pattern = one.pattern.replace("\n", " / ")
        yield f"{one.alone:5}  {one.cards:5}  {pattern if len(pattern) <= 160 else pattern[:159] + '…'}"
    rest = len(outcome.ranked) - len(shown)
    if rest > 0:
        yield f"and {rest} more patterns"
    yield f"{outcome.read} of {outcome.of} cards read"

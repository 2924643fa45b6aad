"""Ids are permanent: `python -m tools ids` records new ones in fixtures/ids.yaml, and never removes one.

People write ids down, in the issues of their engines and in lists of known failures, so an id must always
mean the same check. It is recorded with the subject its file is named for; table rows are recorded by number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import yaml
from msgspec import Struct

from conformance.data.compiled import fixtures_folder
from conformance.data.library import fixture_files
from conformance.files.yaml_tree import TEXT_PARSER

NOTES = fixtures_folder() / "ids.yaml"


class RecordedId(Struct, frozen=True, forbid_unknown_fields=True):
    """A recorded id and its subject."""

    id: str
    subject: str
    rows: tuple[int, ...] = ()

    @property
    def all_ids(self) -> tuple[str, ...]:
        """The ids of the fixtures: those of the rows, if it is a table."""
        return tuple(f"{self.id}.{row:02}" for row in self.rows) or (self.id,)


class Alias(Struct, frozen=True, forbid_unknown_fields=True):
    """A retired id, and the one that tests the same."""

    was: str
    now: str
    why: str


class IdNotes(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of fixtures/ids.yaml."""

    ids: tuple[RecordedId, ...]
    aliases: tuple[Alias, ...] = ()


def notes(text: str) -> IdNotes:
    """Parse the notes."""
    return msgspec.convert(yaml.load(text, Loader=TEXT_PARSER), IdNotes, strict=False)


def given_now(files: Mapping[Path, str]) -> tuple[RecordedId, ...]:
    """The ids that these files use, in order."""
    given = []
    for path, text in files.items():
        for id in re.findall(r"^id: *[\"']?([\w.-]+)", text, re.MULTILINE):
            rows = re.findall(r"^ *- \{?row: *([0-9]+)", text, re.MULTILINE)
            given.append(RecordedId(id, path.stem, tuple(sorted(map(int, rows)))))
    return tuple(sorted(given, key=lambda one: one.id))


def our_files() -> dict[Path, str]:
    """The text of every fixture file."""
    return {path: path.read_text(encoding="utf-8") for path in fixture_files()}


def complaints(noted: IdNotes, given: Sequence[RecordedId]) -> list[str]:
    """Problems: ids that are missing from the notes, gone, used twice, or used for another subject."""
    there = {id for one in given for id in one.all_ids}
    known = {id: one.subject for one in noted.ids for id in one.all_ids}
    renamed = {alias.was: alias.now for alias in noted.aliases}
    counts = (Counter(one.id for one in given), Counter(one.id for one in noted.ids))
    twice = {id for count in counts for id, number in count.items() if number > 1}
    found = [f"{id} is given twice" for id in sorted(twice)]
    for one in given:
        for id in one.all_ids:
            if id not in known:
                found.append(f"{id} is not noted: python -m tools ids")
            elif known[id] != one.subject:
                found.append(f"{id} was given to {known[id]}, not to {one.subject}")
    found += [f"{id} is gone" for id in known if id not in there and id not in renamed]
    found += [f"{now}, once {was}, is gone" for was, now in renamed.items() if now not in there]
    found += [f"{was} is renamed and used again" for was in renamed if was in there]
    return found


def with_new_ones(noted: IdNotes, given: Sequence[RecordedId]) -> IdNotes:
    """The notes with every new id added; existing notes stay."""
    ids = {one.id: one for one in noted.ids}
    for one in given:
        before = ids.get(one.id, one)
        ids[one.id] = RecordedId(one.id, before.subject, tuple(sorted({*before.rows, *one.rows})))
    return IdNotes(tuple(ids[id] for id in sorted(ids)), noted.aliases)


def notes_as_yaml(noted: IdNotes) -> str:
    """The notes as file content."""
    lines = [
        "# Every id that a fixture was ever given, and what for: its file's name, and the rows of a table.",
        "# `python -m tools ids` adds new ones. Nothing is ever removed: an id is permanent.",
        "# A fixture that gets another id leaves the old one here, and an alias: {was: …, now: …, why: …}.",
        "",
        "ids:",
    ]
    for one in noted.ids:
        rows = f", rows: [{', '.join(map(str, one.rows))}]" if one.rows else ""
        lines.append(f"  - {{id: {one.id}, subject: {one.subject}{rows}}}")
    lines += ["", "aliases:" if noted.aliases else "aliases: []"]
    lines += [f'  - {{was: {one.was}, now: {one.now}, why: "{one.why}"}}' for one in noted.aliases]
    return "\n".join(lines) + "\n"


def note_new_ones() -> Path:
    """Record new ids, and return the path of the file."""
    before = notes(NOTES.read_text(encoding="utf-8")) if NOTES.exists() else IdNotes(())
    NOTES.write_text(notes_as_yaml(with_new_ones(before, given_now(our_files()))), encoding="utf-8")
    return NOTES


def next_free(kind: str, noted: IdNotes) -> str:
    """The first id of a kind (L, P, G …) above all that were ever used."""
    given = [int(one.id[2:]) for one in noted.ids if re.fullmatch(rf"{kind}-[0-9]+", one.id)]
    return f"{kind}-{max(given, default=0) + 1:04}"

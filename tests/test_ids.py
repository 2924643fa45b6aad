"""Ids are permanent: none disappears, is used twice, or changes its meaning."""

from pathlib import Path

import pytest

from conformance.data.library import all_fixtures
from tools.ids import (
    NOTES,
    Alias,
    IdNotes,
    RecordedId,
    complaints,
    given_now,
    notes,
    notes_as_yaml,
    our_files,
    with_new_ones,
)

BEAR = RecordedId("L-0001", "bear")
TABLE = RecordedId("G-0002", "table", (1, 2))


@pytest.mark.sweep
def test_no_id_vanished_or_means_something_else() -> None:
    assert [] == complaints(notes(NOTES.read_text(encoding="utf-8")), given_now(our_files()))


def test_ids_found_in_the_files_are_those_that_load() -> None:
    assert sorted(all_fixtures()) == sorted(id for one in given_now(our_files()) for id in one.all_ids)


def test_notes_are_in_the_form_that_the_command_gives_them() -> None:
    text = NOTES.read_text(encoding="utf-8")

    assert text == notes_as_yaml(notes(text))


@pytest.mark.parametrize(
    ("noted", "given", "complaint"),
    [
        ((BEAR,), (), "L-0001 is gone"),
        ((TABLE,), (RecordedId("G-0002", "table", (1,)),), "G-0002.02 is gone"),
        ((), (BEAR,), "L-0001 is not noted: python -m tools ids"),
        (
            (TABLE,),
            (RecordedId("G-0002", "table", (1, 2, 3)),),
            "G-0002.03 is not noted: python -m tools ids",
        ),
        ((BEAR,), (RecordedId("L-0001", "ogre"),), "L-0001 was given to bear, not to ogre"),
        ((BEAR,), (BEAR, BEAR), "L-0001 is given twice"),
    ],
)
def test_faults_are_noticed(
    noted: tuple[RecordedId, ...],
    given: tuple[RecordedId, ...],
    complaint: str,
) -> None:
    assert [complaint] == complaints(IdNotes(noted), given)


def test_renamed_id_is_known_by_its_alias() -> None:
    renamed = IdNotes((BEAR, RecordedId("L-0009", "bear")), (Alias("L-0001", "L-0009", "it was a mistake"),))

    assert [] == complaints(renamed, [RecordedId("L-0009", "bear")])
    assert ["L-0009 is gone", "L-0009, once L-0001, is gone"] == complaints(renamed, [])
    assert renamed == notes(notes_as_yaml(renamed))


def test_new_ids_are_added_and_none_is_taken_out() -> None:
    more = [RecordedId("G-0001", "ogre"), RecordedId("G-0002", "table", (3,))]
    after = with_new_ones(IdNotes((TABLE, BEAR)), more)

    assert (RecordedId("G-0001", "ogre"), RecordedId("G-0002", "table", (1, 2, 3)), BEAR) == after.ids


def test_ids_and_rows_are_read_from_the_text_of_a_file() -> None:
    text = "id: G-0002\ntitle: A table\nrows:\n  - row: 1\n    title: a\n  - {row: 12, title: b}\n"

    assert (RecordedId("G-0002", "table", (1, 12)),) == given_now({Path("table.yaml"): text})

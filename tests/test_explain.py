"""The explanation of a board, as a judge would read it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from conformance.cli import main
from tests.golden_explain import BOARDS, FOLDER, explained


@pytest.mark.parametrize("id", BOARDS)
def test_the_explanation_is_the_one_we_read(id: str) -> None:
    assert (FOLDER / f"{id}.txt").read_text(encoding="utf-8") == explained(id)


def test_one_object_alone_can_be_explained() -> None:
    said = CliRunner().invoke(main, ["explain", "L-0114", "--of", "urborg"]).output
    assert "would decide whether it exists" in said
    assert "In the end\n  urborg:" in said


def test_an_object_that_is_not_there() -> None:
    result = CliRunner().invoke(main, ["explain", "L-0114", "--of", "urbrog"])
    assert (2, True) == (result.exit_code, "did you mean 'urborg'?" in result.output)


def test_counters_copies_and_face_down_things_are_told() -> None:
    said = CliRunner().invoke(main, ["explain", "L-0143"]).output
    assert "becomes a copy of Sengir Vampire" in said

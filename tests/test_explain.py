"""The explanation of a board, as a judge would read it."""

from __future__ import annotations

from pathlib import Path

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


def test_of_a_script_what_concerns_one_object_is_told_with_what_it_belongs_to() -> None:
    said = CliRunner().invoke(main, ["explain", "G-0136", "--of", "redcap"]).output.splitlines()
    assert [
        "What was done",
        "  == turn 2, alice's precombat main ==",
        "  alice casts grenade (Goblin Grenade) targeting bob for {R} (CR 601.2i: it is cast)",
        "    redcap (Murderous Redcap) is sacrificed",
        "    persist of redcap triggers for alice, and waits (CR 603.2: nothing happens yet)",
        "  alice puts persist of redcap on the stack (CR 603.3: before anybody gets priority)",
        "  persist of redcap resolves",
        "    redcap enters with a -1/-1 counter under alice's control",
    ] == said[:8]
    assert [
        "  enters of redcap resolves",
        "    redcap deals 1 damage to bob",
        "    bob loses 1 life",
        "",
        "The board, oldest first",
    ] == said[11:16]


def test_what_has_left_the_battlefield_is_said_to_be_elsewhere() -> None:
    said = CliRunner().invoke(main, ["explain", "G-0141", "--of", "thrasher"]).output
    assert said.endswith("\n\nIn the end\n  thrasher: Wake Thrasher, in adam's graveyard\n")


def test_a_play_that_stops_is_told_as_far_as_it_goes(tmp_path: Path) -> None:
    board = tmp_path / "board.yaml"
    board.write_text("script: [{pass: alice}, {pass: alice}]\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["explain", str(board)])
    assert 2 == result.exit_code
    assert "  alice passes\n  bob gets priority (CR 117.3d: the next in turn order)\n" in result.stdout
    assert "  alice tries to pass, which is illegal: alice does not have priority\n" in result.stdout
    assert "the play stops at script[1]: alice does not have priority" in result.stderr


def test_an_object_that_is_not_there() -> None:
    result = CliRunner().invoke(main, ["explain", "L-0114", "--of", "urbrog"])
    assert (2, True) == (result.exit_code, "did you mean 'urborg'?" in result.output)


def test_counters_copies_and_face_down_things_are_told() -> None:
    said = CliRunner().invoke(main, ["explain", "L-0143"]).output
    assert "becomes a copy of Sengir Vampire" in said

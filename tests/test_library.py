"""Finding and loading what comes with the suite, and writing it out."""

import gc
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from conformance.data import library
from conformance.data.library import (
    all_fixtures,
    exported,
    files_to_check,
    fixture_files,
    fixtures_folder,
    known,
    load,
    load_play,
    pool,
    problems_in,
    shown,
)
from conformance.data.rulebook import inventory, rulebook
from conformance.files.canonical import decode, encode
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture

BOARD = (
    "id: {id}\n"
    "title: A board\n"
    'rules: ["613.4c"]\n'
    "setup: [{{id: bear, card: {card}, controller: alice}}]\n"
    "expect: [{{of: bear, power: 2}}]\n"
)
CACHED = (fixtures_folder, pool, library.cards_that_load, known, all_fixtures)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that stands for that of our fixtures, with one card in it."""
    (tmp_path / "cards").mkdir()
    (tmp_path / "layers" / "refused").mkdir(parents=True)
    (tmp_path / "cards" / "bears.yaml").write_text(
        "- {name: Bear, types: Creature, pt: 2/2}\n- {name: Plains, types: Land}\n"
    )
    monkeypatch.setattr(library, "fixtures_folder", lambda: tmp_path)
    for one in CACHED:
        one.cache_clear()
    yield tmp_path
    for one in CACHED:
        one.cache_clear()


def write(path: Path, id: str = "L-0001", card: str = "Bear") -> Path:
    path.write_text(BOARD.format(id=id, card=card))
    return path


def test_fixtures_are_found_in_the_checkout() -> None:
    assert (Path(__file__).parent.parent / "fixtures").resolve() == fixtures_folder()


def test_fixtures_are_found_inside_an_installed_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fixtures").mkdir()
    fixtures_folder.cache_clear()
    monkeypatch.setattr(library, "__file__", str(tmp_path / "data" / "library.py"))
    assert tmp_path / "fixtures" == fixtures_folder()
    fixtures_folder.cache_clear()


def test_everything_that_comes_with_the_suite_loads() -> None:
    assert len(pool()) > 300
    assert list(all_fixtures()) == sorted(all_fixtures())


def test_rule_numbers_and_sources_are_those_of_the_data() -> None:
    assert {rule.rule for rule in rulebook().rules} == known().rules
    ids = {item.id for group in inventory().groups for item in group.ids}
    assert known().sources is not None
    assert ids <= set(known().sources or ())


def test_files_of_cards_and_wrong_files_are_no_fixtures(folder: Path) -> None:
    board = write(folder / "layers" / "board.yaml")
    write(folder / "layers" / "refused" / "wrong.yaml")
    (folder / "rulebook.yaml").write_text('rules: [{rule: "613.4c"}]\n')
    assert [board] == list(fixture_files())
    assert [board] == list(fixture_files(folder / "layers"))
    assert [folder / "layers" / "refused" / "wrong.yaml"] == list(
        fixture_files(folder / "layers" / "refused")
    )
    assert {"L-0001"} == all_fixtures().keys()


def test_all_that_is_wrong_with_all_fixtures_is_told_at_once(folder: Path) -> None:
    write(folder / "layers" / "a.yaml")
    write(folder / "layers" / "b.yaml")
    write(folder / "layers" / "c.yaml", "L-0002", "Baer")
    with pytest.raises(ScenarioError) as caught:
        all_fixtures()
    assert ["L-0001 is another fixture's id too", "no card named 'Baer'"] == [
        problem.what for problem in caught.value.problems
    ]


def test_all_that_is_wrong_with_all_cards_is_told_at_once(folder: Path) -> None:
    (folder / "cards" / "more.yaml").write_text("- {name: Bear, types: Creature, pt: 2/2}\n")
    (folder / "cards" / "wrong.yaml").write_text("- {name: Ogre}\n- {name: Rat, types: Creature}\n")
    with pytest.raises(ScenarioError) as caught:
        pool()
    assert {
        "another file has this card too",
        "card without types",
        "a creature without power and toughness",
    } == {problem.what for problem in caught.value.problems}


def test_one_wrong_card_file_does_not_hide_the_others(folder: Path) -> None:
    (folder / "cards" / "wrong.yaml").write_text("- {name: Ogre}\n")
    assert () == problems_in(write(folder / "layers" / "a.yaml"))
    assert "Bear" == load(folder / "layers" / "a.yaml").play.cards[0].definition.name


def test_file_is_checked_as_what_it_is(folder: Path) -> None:
    assert () == problems_in(folder / "cards" / "bears.yaml")
    good = folder / "good.json"
    good.write_bytes(encode(load(write(folder / "a.yaml"))))
    assert () == problems_in(good)
    assert "L-0001" == load(good).id
    wrong = folder / "wrong.json"
    wrong.write_bytes(good.read_bytes().replace(b"L-0001", b"31"))
    [problem] = problems_in(wrong)
    assert f"{shown(wrong)}: $.id: '31' is no fixture id" == str(problem).split("\n")[0]
    (folder / "empty.yaml").write_text("")
    assert "nothing in this file" == problems_in(folder / "empty.yaml")[0].what
    (folder / "none.yaml").write_text("[]")
    assert "no list of cards" == problems_in(folder / "none.yaml")[0].what


def test_path_is_shown_from_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert str(Path("a") / "b.yaml") == shown(tmp_path / "a" / "b.yaml")
    assert str(tmp_path.parent / "b.yaml") == shown(tmp_path.parent / "b.yaml")
    assert "b.yaml" == shown(Path("b.yaml"))


def test_every_fixture_is_exported_and_comes_back_byte_for_byte() -> None:
    files = dict(exported())
    schema = json.loads(files.pop("scenario.schema.json"))
    assert "#/$defs/Fixture" == schema["$ref"]
    assert {f"{name}.json" for name in all_fixtures()} == files.keys()
    for name, content in files.items():
        fixture = decode(content, Fixture, name)
        assert all_fixtures()[fixture.id] == fixture
        assert content == encode(fixture) + b"\n"


def test_folder_is_checked_without_data_and_files_wrong_on_purpose(folder: Path) -> None:
    board = write(folder / "layers" / "board.yaml")
    write(folder / "layers" / "refused" / "wrong.yaml")
    (folder / "layers" / "scenario.schema.json").write_text("{}")
    (folder / "rulebook.yaml").write_text("rules: []\n")
    assert [folder / "cards" / "bears.yaml", board] == list(files_to_check(folder))


def test_card_that_nobody_knows_may_be_in_a_file_that_is_wrong(folder: Path) -> None:
    (folder / "cards" / "wrong.yaml").write_text("- {name: Ogre}\n")
    told = [problem.what for problem in problems_in(write(folder / "layers" / "a.yaml", card="Ogre"))]
    assert ["card without types", "no card named 'Ogre'"] == sorted(told)


def test_board_needs_no_heading_and_nothing_expected_of_it(folder: Path) -> None:
    board = folder / "board.yaml"
    board.write_text("setup: [{id: bear, card: Bear, controller: alice}]\n")
    assert "bear" == load_play(board).objects[0].id
    whole = write(folder / "whole.yaml")
    (folder / "whole.json").write_bytes(encode(load(whole)))
    assert load_play(whole) == load_play(folder / "whole.json")


def test_all_that_is_wrong_with_a_board_is_told_at_once(folder: Path) -> None:
    board = folder / "board.yaml"
    board.write_text("setup: [{id: bear, card: Baer, controller: carol}]\nscript: [{pass: dave}]\n")
    with pytest.raises(ScenarioError) as caught:
        load_play(board)
    assert [
        ("setup[0].card", "no card named 'Baer'"),
        ("setup[0].controller", "nothing here is called 'carol'"),
        ("script[0].pass", "nothing here is called 'dave'"),
    ] == [(problem.where, problem.what) for problem in caught.value.problems]
    board.write_text("- {name: Ogre}\n")
    with pytest.raises(ScenarioError, match="a list where a map is wanted"):
        load_play(board)


def test_looking_for_garbage_goes_on_after_loading() -> None:
    assert gc.isenabled()
    gc.disable()
    try:
        assert "done" == library.in_one_go(lambda: "done")()
        assert not gc.isenabled()
    finally:
        gc.enable()


TIMES = """
import gc
from time import process_time
import yaml
from conformance.data.library import all_fixtures, fixture_files, fixtures_folder

paths = [*fixture_files(), *(fixtures_folder() / "cards").glob("*.yaml")]
contents = [path.read_bytes() for path in paths]
gc.disable()
began = process_time()
for content in contents:
    next_event = yaml.cyaml.CParser(content).get_event
    while type(next_event()) is not yaml.StreamEndEvent:
        pass
parsed = process_time()
gc.enable()
all_fixtures()
print((process_time() - parsed) / (parsed - began))
"""
MOST_TIMES = 8


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="the bare parse takes long itself without libyaml")
def test_loading_everything_takes_a_few_times_as_long_as_the_bare_parse() -> None:
    # Both in time of the processor, in a fresh process and one after the other: whatever the machine does
    # besides, slows both. Once is enough, as some other process may get into the way of one of them.
    alone = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    times = []
    for _ in range(3):
        ended = subprocess.run([sys.executable, "-c", TIMES], env=alone, capture_output=True, check=True)
        times.append(float(ended.stdout))
        if times[-1] < MOST_TIMES:
            return
    pytest.fail(f"so many times as long: {times}")

"""Finding and loading what comes with the suite, and writing it out."""

import dataclasses
import gc
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.data import compiled, library, loading
from conformance.data.catalogue import catalogue
from conformance.data.compiled import fixtures_folder
from conformance.data.garbage import garbage_collection_off
from conformance.data.library import (
    all_fixtures,
    files_to_check,
    fixture_files,
    load,
    path_for_display,
    pool,
)
from conformance.data.loading import export_files, known_names, load_play, problems_in
from conformance.data.rulebook import inventory, rulebook
from conformance.files.canonical import decode, encode
from conformance.files.fixture_file import read_fixtures
from conformance.files.json_tree import json_tree_of
from conformance.files.yaml_nodes import as_data
from conformance.files.yaml_tree import tree_of
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture
from conformance.model.verdict import PassVerdict, Verdict, judge
from conformance.play.runner import answer_to, has_expectations
from conformance_adapters.in_process import Reference
from reference_engine.game.game_rules import GameRules
from tests.sweeping import a_share, by_day

BOARD = (
    "id: {id}\n"
    "title: A board\n"
    'rules: ["613.4c"]\n'
    "setup: [{{id: bear, card: {card}, controller: alice}}]\n"
    "expect: [{{of: bear, power: 2}}]\n"
)
CACHED = (
    fixtures_folder,
    catalogue,
    library.compiled_library,
    pool,
    loading.valid_cards,
    known_names,
    all_fixtures,
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with one card that stands in for our fixtures."""
    folder = tmp_path / "fixtures"
    (folder / "cards").mkdir(parents=True)
    (folder / "layers" / "refused").mkdir(parents=True)
    (folder / "cards" / "bears.yaml").write_text(
        "- {name: Bear, types: Creature, pt: 2/2}\n- {name: Plains, types: Land}\n"
    )
    monkeypatch.setattr(compiled, "PACKAGE", tmp_path / "conformance")
    forget_what_is_loaded()
    yield folder
    forget_what_is_loaded()


def forget_what_is_loaded() -> None:
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
    inside = tmp_path / "conformance" / "fixtures"
    inside.mkdir(parents=True)
    fixtures_folder.cache_clear()
    monkeypatch.setattr(compiled, "PACKAGE", tmp_path / "conformance")
    assert inside == fixtures_folder()
    fixtures_folder.cache_clear()


def test_everything_that_comes_with_the_suite_loads() -> None:
    assert len(pool()) > 300
    assert list(all_fixtures()) == sorted(all_fixtures())


def test_rule_numbers_and_sources_are_those_of_the_data() -> None:
    assert {rule.rule for rule in rulebook().rules} == known_names().rules
    ids = {item.id for group in inventory().groups for item in group.ids}
    assert known_names().sources is not None
    assert ids <= set(known_names().sources or ())


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


def test_all_that_is_wrong_with_all_fixtures_is_reported_at_once(folder: Path) -> None:
    write(folder / "layers" / "a.yaml")
    write(folder / "layers" / "b.yaml")
    write(folder / "layers" / "c.yaml", "L-0002", "Baer")
    with pytest.raises(ScenarioError) as caught:
        all_fixtures()
    assert ["L-0001 is another fixture's id too", "no card named 'Baer'"] == [
        problem.what for problem in caught.value.problems
    ]


def test_all_that_is_wrong_with_all_cards_is_reported_at_once(folder: Path) -> None:
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
    place = wrong.read_bytes().index(b'"31"') + 1
    [problem] = problems_in(wrong)
    assert f"{path_for_display(wrong)}:1:{place}: id: '31' is not a fixture id" == str(problem).split("\n")[0]
    (folder / "empty.yaml").write_text("")
    assert "the file has no content" == problems_in(folder / "empty.yaml")[0].what
    (folder / "none.yaml").write_text("[]")
    assert "not a list of cards" == problems_in(folder / "none.yaml")[0].what


def test_path_is_shown_from_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert str(Path("a") / "b.yaml") == path_for_display(tmp_path / "a" / "b.yaml")
    assert str(tmp_path.parent / "b.yaml") == path_for_display(tmp_path.parent / "b.yaml")
    assert "b.yaml" == path_for_display(Path("b.yaml"))


@pytest.mark.sweep
@pytest.mark.parametrize("one_in", by_day(8))
def test_every_fixture_is_exported_and_comes_back_byte_for_byte(one_in: int) -> None:
    files = dict(export_files())
    schema = json.loads(files.pop("scenario.schema.json"))
    assert "#/$defs/Fixture" == schema["$ref"]
    assert {f"{name}.json" for name in all_fixtures()} == files.keys()
    for name, content in a_share(files, one_in):
        fixture = decode(content, Fixture, name)
        assert all_fixtures()[fixture.id] == fixture
        assert content == encode(fixture) + b"\n"


@pytest.mark.sweep
def test_json_read_as_a_tree_means_the_same() -> None:
    for fixture in list(all_fixtures().values())[::40]:
        [loaded], problems = read_fixtures(json_tree_of(encode(fixture), "a.json"), "a.json", {})
        assert [] == problems
        assert fixture == loaded.fixture


def test_json_may_have_the_form_of_yaml(folder: Path) -> None:
    board = folder / "board.yaml"
    board.write_text("setup: [{id: bear, card: Bear, controller: alice, tapped: true}]\n")
    twin = folder / "twin.json"
    twin.write_text('{"setup": [{"id": "bear", "card": "Bear", "controller": "alice", "tapped": true}]}')
    assert load_play(board) == load_play(twin)


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


def test_all_that_is_wrong_with_a_board_is_reported_at_once(folder: Path) -> None:
    board = folder / "board.yaml"
    board.write_text("setup: [{id: bear, card: Baer, controller: carol}]\nscript: [{pass: dave}]\n")
    with pytest.raises(ScenarioError) as caught:
        load_play(board)
    assert [
        ("setup[1].card", "no card named 'Baer'"),
        ("setup[1].controller", "nothing here is called 'carol'"),
        ("script[1].pass", "nothing here is called 'dave'"),
    ] == [(problem.where, problem.what) for problem in caught.value.problems]
    board.write_text("- {name: Ogre}\n")
    with pytest.raises(ScenarioError, match="a list where a map is expected"):
        load_play(board)


def test_looking_for_garbage_goes_on_after_loading() -> None:
    assert gc.isenabled()
    gc.disable()
    try:
        with garbage_collection_off():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


# ------------------------------------------------------------------------------------- the compiled file


@pytest.mark.sweep
@pytest.mark.parametrize("one_in", by_day(6))
def test_compiled_file_has_exactly_what_the_files_say(one_in: int) -> None:
    ready = library.compiled_library()
    assert ready is not None
    files = {path.name: path for path in library.fixture_files()}
    read = loading.fixtures_in([path for _, path in a_share(files, one_in)], known_names())
    assert {id: fixture for id, (_, fixture) in read.items()} == {id: all_fixtures()[id] for id in read}
    cards, problems = loading.valid_cards()
    assert (cards, ()) == (ready.pool, problems)
    generated = {path.stem: path for path in library.corpus_files()}
    for id, path in a_share(generated, one_in):
        assert loading.read_file(path) == (ready.fixture(id),)
    assert ready.stored.fixtures.keys() == {*all_fixtures(), *generated}
    assert one_in > 1 or read.keys() == all_fixtures().keys()
    for path in fixtures_folder().glob("*.yaml"):
        assert as_data(tree_of(path.read_bytes(), path.name)) == ready.list_named(path.name)


def test_file_of_a_fixture_is_known_by_its_path_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    path = next(path for path in library.fixture_files() if len(library.load_all(path)) > 1)
    expected = loading.read_file(path)
    monkeypatch.setattr(loading, "tree_of", None)
    assert expected == library.load_all(path)
    monkeypatch.chdir(path.parent)
    assert expected == library.load_all(Path(path.name))


def test_changed_fixture_is_compiled_again(folder: Path) -> None:
    path = write(folder / "layers" / "a.yaml")
    assert ["L-0001"] == list(all_fixtures())
    [kept] = compiled_files(folder)
    forget_what_is_loaded()
    assert ["L-0001"] == list(all_fixtures())
    write(path, "L-0002")
    forget_what_is_loaded()
    assert ["L-0002"] == list(all_fixtures())
    [newer] = compiled_files(folder)
    assert newer != kept


def compiled_files(folder: Path) -> list[Path]:
    return list((folder.parent / ".fixtures-cache").glob("*.msgpack"))


def test_sources_with_unchanged_stamps_are_not_read_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "SETTLED", -60)
    path = write(folder / "layers" / "a.yaml")
    assert ["L-0001"] == list(all_fixtures())
    forget_what_is_loaded()
    with monkeypatch.context() as patch:
        patch.setattr(compiled, "digest_of", None)
        assert ["L-0001"] == list(all_fixtures())
    was = path.stat()
    write(path, "L-0002")
    os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns + 1))
    forget_what_is_loaded()
    assert ["L-0002"] == list(all_fixtures())


def test_stamps_of_files_changed_a_moment_ago_prove_nothing(folder: Path) -> None:
    write(folder / "layers" / "a.yaml")
    in_a_minute = time.time() + 60
    os.utime(folder / "layers" / "a.yaml", (in_a_minute, in_a_minute))
    assert ["L-0001"] == list(all_fixtures())
    assert not (folder.parent / ".fixtures-cache" / "digest").exists()


@pytest.mark.parametrize("content", [b"", b"\xc1", b"\x81\xa5cards\x01"])
def test_damaged_compiled_file_is_made_again(folder: Path, content: bytes) -> None:
    write(folder / "layers" / "a.yaml")
    assert ["L-0001"] == list(all_fixtures())
    [kept] = compiled_files(folder)
    whole = kept.read_bytes()
    kept.write_bytes(content)
    forget_what_is_loaded()
    assert ["L-0001"] == list(all_fixtures())
    assert whole == kept.read_bytes()


def test_checkout_that_cannot_be_written_to_goes_without_a_compiled_file(folder: Path) -> None:
    write(folder / "layers" / "a.yaml")
    (folder.parent / ".fixtures-cache").write_text("a file where the folder would be")
    assert ["L-0001"] == list(all_fixtures())


def test_while_a_file_is_wrong_the_others_can_be_loaded(folder: Path) -> None:
    good, wrong = write(folder / "layers" / "a.yaml"), write(folder / "layers" / "b.yaml", card="Baer")
    assert library.compiled_library() is None
    assert "L-0001" == load(good).id
    with pytest.raises(ScenarioError, match="no card named 'Baer'"):
        load(wrong)


def editions_that_changed_the_engine() -> list[str]:
    """The oldest edition, and each in which the reference engine follows other rules than before."""
    dates = [edition.date for edition in rulebook().editions]
    rules = [dataclasses.replace(GameRules.on(date), edition="") for date in dates]
    changed = zip(dates[1:], rules, rules[1:], strict=False)
    return dates[:1] + [date for date, old, new in changed if old != new]


@pytest.mark.nightly
@pytest.mark.parametrize("date", editions_that_changed_the_engine())
def test_fixtures_pass_in_every_edition_in_which_they_hold(date: str) -> None:
    """A fixture whose script does not answer what older rules ask does not hold in them."""
    engine = Reference(date)
    asked = [one for one in all_fixtures().values() if not one.disputed and has_expectations(one, date)]

    def verdict(one: Fixture) -> Verdict:
        return judge(one, answer_to(engine, one.play), date, checks_understanding=True)

    judged = {one.id: verdict(one) for one in asked}
    assert {} == {id: said for id, said in judged.items() if not isinstance(said, PassVerdict)}

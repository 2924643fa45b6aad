"""`conformance check` and `conformance export`, as they are typed."""

import difflib
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner

from conformance.cli import main
from conformance.data.compiled import fixtures_folder
from conformance.data.library import all_fixtures
from conformance.data.loading import problems_in
from conformance.files import fixture_file
from conformance.model.problems import Problem, ScenarioError

GOOD = (
    'id: L-9001\ntitle: A board\nrules: ["613.4c"]\n'
    "setup: [{id: bear, card: Runeclaw Bear, controller: alice}]\n"
    "expect: [{of: bear, power: 2}]\n"
)


BOARD = "setup: [{id: bear, card: Runeclaw Bear, controller: alice}]\n"


def checked(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["check", *arguments])
    return result.exit_code, result.output


def test_good_file_is_called_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.yaml").write_text(GOOD)
    assert (0, "good.yaml: sound\n") == checked("good.yaml")


@pytest.mark.sweep
def test_good_files_are_called_sound_together(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    cards = fixtures_folder() / "cards"
    number = 1 + sum(path.suffix in {".yaml", ".jsonl"} for path in cards.iterdir())
    assert (0, f"{number} files: all sound\n") == checked(str(tmp_path), str(cards))


def test_folder_without_any_file_is_a_mistake_of_use(tmp_path: Path) -> None:
    assert 2 == checked(str(tmp_path))[0]


def test_board_of_a_user_needs_no_heading_and_no_expectation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my board.yaml").write_text(BOARD)
    assert (0, "my board.yaml: sound\n") == checked("my board.yaml")


def test_board_of_a_user_is_shown_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "board.yaml").write_text(BOARD)
    result = CliRunner().invoke(main, ["show", str(tmp_path / "board.yaml")])
    assert (0, "board") == (result.exit_code, result.output.splitlines()[0])


def test_file_of_a_user_runs_without_a_heading_and_fails_by_name_and_title(tmp_path: Path) -> None:
    file = tmp_path / "board.yaml"
    file.write_text(BOARD + "expect: [{of: bear, power: 3}]\n")
    result = CliRunner().invoke(main, ["run", str(file)])
    assert 1 == result.exit_code
    assert "FAIL  board  (reference" in result.output
    file.write_text("title: A bear grows\n" + BOARD + "expect: [{of: bear, power: 3}]\n")
    assert "FAIL  board A bear grows  (reference" in CliRunner().invoke(main, ["run", str(file)]).output


def test_board_of_which_nothing_is_expected_is_not_run(tmp_path: Path) -> None:
    """A run without anything to judge must not pass."""
    (tmp_path / "board.yaml").write_text(BOARD)
    result = CliRunner().invoke(main, ["run", str(tmp_path / "board.yaml")])
    assert 2 == result.exit_code
    assert "nothing is expected" in result.output


def test_id_that_is_taken_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(GOOD)
    (tmp_path / "b.yaml").write_text("# A copy.\n" + GOOD)
    (tmp_path / "c.yaml").write_text(GOOD.replace("L-9001", "L-0031"))
    code, output = checked(".")
    assert 2 == code
    assert "b.yaml:2:1: id: a.yaml has the id L-9001 already\n" in output
    assert "has the id L-0031 already" in output
    assert "a.yaml:" not in output.replace("id: a.yaml", "")


def test_what_cannot_be_read_in_an_expectation_hides_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(
        "setup: [{id: bear, card: Runeclaw Bear, controller: alicia}]\nexpect: [{of: baer, powr: 2}]\n"
    )
    assert (
        "a.yaml:1:53: setup[1].controller: nothing here is called 'alicia'\n"
        "    did you mean 'alice'?\n"
        "a.yaml:2:21: expect[1]: nothing called 'powr' can be seen\n"
        "    did you mean 'power'?\n"
    ) == checked("a.yaml")[1]


WRONG_AT_ONCE = [
    pytest.param(
        "setup: [{id: bear, card: Runeclaw Bear, controler: alice}]\nexpect: [{of: baer, power: 2}]\n",
        ["unknown key 'controler'", "nothing here is called 'baer'"],
        id="misspelled-key",
    ),
    pytest.param(
        "setup: [{id: bear, card: Runeclaw Bear, controller: alice, colour: red}]\n"
        "script: [{cast: boltt, by: alicia}]\n",
        ["unknown key 'colour'", "nothing here is called 'alicia'", "nothing here is called 'boltt'"],
        id="unknown-key",
    ),
    pytest.param(
        "setup: [{id: bear, card: Runeclaw Bear, controller: alice}]\n"
        "script: [{cast: bear, by: alice, targts: [boc]}]\n",
        ["unknown key 'targts'", "nothing here is called 'boc'"],
        id="misspelled-key-of-an-action",
    ),
    pytest.param(
        "setup:\n"
        "  - {id: bear, card: Runeclaw Bear, controller: alice, tapped: maybe}\n"
        "  - {id: ogre, card: 2, controller: [bob]}\n"
        "expect: [{of: ogre, power: 2}, {of: oger, power: 2}]\n",
        [
            "'maybe' where yes or no is expected",
            "2 without quotes is a number to YAML",
            "a list where text is expected",
            "nothing here is called 'oger'",
        ],
        id="lost-entry-is-a-known-name",
    ),
    pytest.param(
        "setup: [Runeclaw Bear]\nexpect: [{of: bear, power: 2}]\n",
        ["'Runeclaw Bear' where a map is expected (entry)"],
        id="entry-without-a-name",
    ),
    pytest.param(
        "cards: [{name: Test Bear, types: Creature, pt: 2/2, abilities: [flyin]}]\n"
        "setup:\n"
        "  - {id: bear, card: Test Bear, controller: alice}\n"
        "  - {id: ogre, card: Test Baer, controller: alice}\n",
        ["'flyin' is not an ability", "no card named 'Test Baer'"],
        id="broken-card-is-a-known-name",
    ),
    pytest.param(
        "cards: [{name: Test Bear, types: Creature, abilites: [flying]}]\n"
        "setup: [{id: bear, card: Test Bear, controller: alice}]\n",
        ["unknown key 'abilites'", "a creature without power and toughness"],
        id="card-with-a-misspelled-key",
    ),
    pytest.param(
        "cards: [{name: Rat, types: Creature, pt: 1/1}]\n"
        "setup: [{id: rat, token: Rat, controller: [alice]}]\n",
        ["a list where text is expected"],
        id="token-in-a-lost-entry",
    ),
    pytest.param(
        "players: {alice: {}, boc: {life: 3, hand: [2]}, dora: 3}\n"
        "setup: [{id: bear, card: Runeclaw Bear, controller: bob}]\n"
        "expect: [{of: dora, life: 3}]\n",
        [
            "2 without quotes is a number to YAML",
            "'3' where a map is expected",
            "nothing here is called 'bob'",
        ],
        id="lost-player-is-a-known-name",
    ),
    pytest.param(
        "because: CR 613.4c\nsetup: [{id: bear, card: Runeclaw Bear, controller: alice}]\n"
        "expect: [{of: bear, power: two}]\n",
        ["'two' where a whole number is expected"],
        id="reason-of-a-lost-expectation",
    ),
    pytest.param(
        "title: [a]\nrules: [613.4]\nsetup: [{id: bear, card: Runeclaw Bear, controller: bop}]\n",
        [
            "a list where text is expected",
            "613.4 without quotes is a number to YAML",
            "nothing here is called 'bop'",
        ],
        id="heading",
    ),
    pytest.param(
        "setup: [{id: bear, card: Runeclaw Bear, controller: bop}]\n"
        "script: [{look: [first]}, {lok: second}]\n"
        "expect: {first: {of: bear, power: 2}, second: {of: bear, power: 2}, third: {of: bear, power: 2}}\n",
        [
            "nothing here is called 'bop'",
            "a list where text is expected",
            "no action has the keys lok",
            "the look 'third' never happens",
        ],
        id="lost-look-is-a-known-name",
    ),
    pytest.param(
        "setup: [{id: bear, card: Runeclaw Bear, controller: alice}]\n"
        "script:\n"
        "  - {cast: boltt, by: alicia, targts: [boc], colour: red}\n"
        "  - {activate: baer, ability: [mana], by: 7, targets: [oger, [2]]}\n"
        "  - {attack: {beer: bop, bear: [bob]}, by: bab}\n"
        "  - {choose: colour, by: alicja, answer: red}\n"
        "  - {advance: {to: nowhere, turn: bobb}}\n"
        "  - {cast: shok}\n"
        "  - pass\n",
        [
            *("nothing here is called 'boltt'", "nothing here is called 'alicia'", "unknown key 'targts'"),
            *("nothing here is called 'boc'", "unknown key 'colour'"),
            *("nothing here is called 'baer'", "a list where text is expected"),
            *("7 without quotes is a number to YAML", "nothing here is called 'oger'"),
            *("2 without quotes is a number to YAML", "nothing here is called 'beer'"),
            *("nothing here is called 'bop'", "a list where text is expected"),
            *("nothing here is called 'bab'", "'colour' is not one of the words allowed here"),
            *("nothing here is called 'alicja'", "'nowhere' is not one of the words allowed here"),
            *("nothing here is called 'bobb'", "cast without by", "nothing here is called 'shok'"),
            "pass without who",
        ],
        id="actions-that-cannot-be-read",
    ),
]


@pytest.mark.parametrize("suffix", [".yaml", ".json"])
@pytest.mark.parametrize(("text", "what"), WRONG_AT_ONCE)
def test_all_that_is_wrong_is_reported_at_once_without_what_follows_from_it(
    text: str, what: list[str], suffix: str, tmp_path: Path
) -> None:
    file = tmp_path / f"a{suffix}"
    file.write_text(text if suffix == ".yaml" else json.dumps(yaml.safe_load(text)))
    assert sorted(what) == sorted(problem.what for problem in problems_in(file))


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [
        (
            "a.yaml",
            "setup: [{id: bear, card: Runeclaw Bear, controller: bop}]\nsetup: [{id: ogre}]\n"
            "expect: [{of: ogre, powr: 3}, {of: oger, power: 3}]\n",
            [
                ("1:53", "nothing here is called 'bop'"),
                ("2:1", "'setup' is given twice"),
                ("3:21", "nothing called 'powr' can be seen"),
                ("3:36", "nothing here is called 'oger'"),
            ],
        ),
        (
            "a.json",
            '{"id": "a", "id": "b", "rules": [613.4],\n"note": NaN, "title": "\\ud800",\n'
            '"setup": [{"id": "bear", "card": "Runeclaw Bear", "controller": "bop", "damage": 1.5}]}',
            [
                ("1:13", "'id' is given twice"),
                ("1:34", "613.4 without quotes is a number to YAML"),
                ("2:9", "NaN is not a number"),
                ("2:23", "text with half of a surrogate pair, or with a null character"),
                ("3:65", "nothing here is called 'bop'"),
                ("3:82", "'1.5' where a whole number is expected"),
            ],
        ),
        (
            "a.json",
            """{"play": {"players": [{"id": "alice", "life": "many"}, {"id": "bob"}],
"objects": [{"id": "bear", "owner": "alice"}, {"id": "rat", "card": "Rat", "owner": "carol"}],
"setup": [{"together": []}, {"entries": [{"id": "bear", "controller": "alica"}, {"id": 3}]}],
"script": [{"do": "cast", "what": "boltt"}, {"do": "pass", "who": 3}, {"do": "frob"}, "settle"]},
"expect": [{"look": "end", "about": "baer", "key": "power", "test": {"test": "equals", "value": 2}},
{"look": "end", "about": "bear"}]}""",
            [
                ("1:10", "play without start"),
                ("1:47", "'many' where a whole number is expected"),
                ("2:13", "object without card"),
                ("2:54", "'rat' is nowhere"),
                ("2:69", "no card named 'Rat'"),
                ("2:85", "nothing here is called 'carol'"),
                ("3:12", "unknown key 'together'"),
                ("3:71", "nothing here is called 'alica'"),
                ("3:81", "entry without controller"),
                ("3:88", "3 without quotes is a number to YAML"),
                ("4:12", "cast without by"),
                ("4:12", "nothing here is called 'boltt'"),
                ("4:67", "3 without quotes is a number to YAML"),
                ("4:78", "'frob' is not an action"),
                ("5:37", "nothing here is called 'baer'"),
                ("6:1", "expectation without key and test"),
            ],
        ),
        (
            "a.json",
            '[{"name": "Test A", "types": ["Creature"], "powr": 1},\n{"name": "Test B", "types": ["Odd"]},\n'
            '{"name": "Test C", "types": ["Creature"]}]',
            [
                ("1:2", "a creature without power and toughness"),
                ("1:44", "unknown key 'powr'"),
                ("2:30", "'Odd' is not one of the words allowed here"),
                ("3:1", "a creature without power and toughness"),
            ],
        ),
        (
            "a.jsonl",
            '{"name": "Test A", "types": ["Creature"], "powr": 1, "cost": 3}\n'
            '{"name": "Test C", "types": ["Creature"]}\n',
            [
                ("1:43", "unknown key 'powr'"),
                ("1:62", "3 without quotes is a number to YAML"),
                ("2:1", "a creature without power and toughness"),
            ],
        ),
    ],
    ids=["yaml", "json", "canonical", "cards", "lines-of-cards"],
)
def test_faults_of_form_hide_nothing_else_and_have_their_place(
    name: str, text: str, what: list[tuple[str, str]], tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert what == [(f"{one.line}:{one.column}", one.what) for one in sorted(problems_in(file))]


def test_all_that_is_wrong_is_reported_with_place_and_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(GOOD.replace("Runeclaw Bear", "Runeclaw Baer").replace("power", "powr"))
    (tmp_path / "b.yaml").write_text("- {name: Test Bear, types: Creature}\n")
    result = CliRunner().invoke(main, ["check", "."])
    assert 2 == result.exit_code
    assert (
        "a.yaml:4:26: setup[1].card: no card named 'Runeclaw Baer'\n"
        "    did you mean 'Runeclaw Bear'?\n"
        "a.yaml:5:21: expect[1]: nothing called 'powr' can be seen\n"
        "    did you mean 'power'?\n"
        "b.yaml:1:3: Test Bear: a creature without power and toughness\n"
        "    add pt: 2/2\n"
    ) == result.output


def test_file_that_is_not_there_is_a_mistake_of_use() -> None:
    assert 2 == CliRunner().invoke(main, ["check", "nowhere.yaml"]).exit_code


@pytest.mark.sweep
def test_export_writes_every_fixture_and_the_schema(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["export", str(tmp_path / "out")])
    assert 0 == result.exit_code
    names = {path.name for path in (tmp_path / "out").iterdir()}
    schemas = {f"{name}.schema.json" for name in ("scenario", "wire", "events")}
    assert schemas | {f"{name}.json" for name in all_fixtures()} == names
    assert f"{len(names)} files in {tmp_path / 'out'}\n" == result.output
    for path in (tmp_path / "out").iterdir():
        json.loads(path.read_bytes())


def test_export_says_what_is_wrong_with_the_fixtures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise ScenarioError([Problem("a.yaml", 1, 2, "id", "no id", "write one")])

    monkeypatch.setattr("conformance.data.loading.export_files", broken)
    result = CliRunner().invoke(main, ["export", str(tmp_path)])
    assert (2, "a.yaml:1:2: id: no id\n    write one\n") == (result.exit_code, result.output)


WRONG = BOARD + "expect: [{of: bear, power: 2, toughness: 3}, {of: bear, types: [Creature]}]\n"


def test_expectation_that_the_reference_engine_does_not_meet_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "board.yaml").write_text(WRONG)

    code, said = checked("board.yaml")

    assert 2 == code
    assert "board.yaml:2:" in said
    assert "expects toughness 3 of bear; the reference engine shows 2\n" in said
    assert "power" not in said and "types" not in said


def test_fixture_about_older_rules_is_played_by_those() -> None:
    older = fixtures_folder() / "priority" / "examples" / "damage_divided_in_order.yaml"
    code, said = checked(str(older))

    assert (0, "sound") == (code, said.strip().rpartition(": ")[2])


@pytest.mark.parametrize("engine", ["reference", "mutant:timestamps-only"])
def test_wrong_expectation_of_a_user_is_not_blamed_on_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(10):
        (tmp_path / f"board{number}.yaml").write_text(
            WRONG.replace("toughness: 3", f"toughness: {number + 3}")
        )
    files = sorted(file.name for file in tmp_path.iterdir())
    arguments = ["run", "--engine", engine, *files, "--markdown", "summary.md", "--junit", "junit.xml"]

    result = CliRunner().invoke(main, arguments, catch_exceptions=False)

    assert 1 == result.exit_code
    pages = [(tmp_path / name).read_text(encoding="utf-8") for name in ("summary.md", "junit.xml")]
    for said in (result.stdout, *pages):
        assert "our reference engine gives the same answer" in said
        assert "looks as if" not in said
        assert "at fault" not in said


ESCAPES = "\x1b[2J\u202e\x07"
HOSTILE = {
    "id": "L-9001",
    "title": f"A {ESCAPES}\n::error::title",
    "rules": ["613.1"],
    "play": {
        "players": [{"id": "alice"}, {"id": "bob"}],
        "start": {"turn": "alice"},
        "cards": [
            {
                "definition": {"name": "Test Ape", "types": ["Artifact"], "cost": "{0}"},
                "text": f"{ESCAPES}\n::error::",
            }
        ],
        "objects": [{"id": "ape", "card": "Test Ape", "owner": "alice"}],
        "setup": [{"entries": [{"id": "ape", "controller": "alice"}]}],
        "wants": [{"look": "end", "of": "ape", "keys": ["power"]}],
    },
    "expect": [
        {
            "look": "end",
            "about": "ape",
            "key": "power",
            "test": {"test": "equals", "value": None},
            "because": f"{ESCAPES}\n::error::because",
        }
    ],
    "note": f"{ESCAPES}\n::error::note",
}


@pytest.mark.parametrize("command", ["check", "show", "run", "list", "explain"])
@pytest.mark.parametrize("broken", [False, True], ids=["read", "refused"])
def test_what_a_file_says_is_printed_harmless(
    command: str, broken: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = {**HOSTILE, f"k{ESCAPES}\n::error::key": 1} if broken else HOSTILE
    Path("a.json").write_text(json.dumps(said))

    ended = CliRunner().invoke(main, [command, "a.json"])
    output = ended.output

    assert (2 if broken else 0) == ended.exit_code, output
    assert output
    assert [] == [sign for sign in ESCAPES if sign != "[" and not sign.isalnum() and sign in output]
    assert [] == [line for line in output.splitlines() if line.lstrip().startswith("::")]


MANY = {
    "cards": ["setup:", *(f"  - {{id: b{n}, card: Unknown {n}, controller: bob}}" for n in range(1000))],
    "objects": [BOARD + "expect:", *(f"  - {{of: nothing{n}, power: 3}}" for n in range(1000))],
    "keys": [BOARD + "expect:", *(f"  - {{of: bear, pwoer{n}: 3}}" for n in range(1000))],
    "cards' keys": [f"- {{name: Test Bear {n}, types: Creature, pwoer{n}: 1}}" for n in range(1000)],
    "keys given twice": [BOARD, *("title: again" for _ in range(1000))],
}


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("command", "kind"),
    [*(("check", kind) for kind in MANY), *((command, "keys") for command in ("run", "show", "explain"))],
)
def test_first_of_a_thousand_problems_are_shown_and_the_others_not_even_looked_for(
    command: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = Counter[str]()

    def counted(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*arguments: Any, **named: Any) -> Any:
            done[name] += 1
            return work(*arguments, **named)

        return counting

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(difflib, "get_close_matches", counted("like", difflib.get_close_matches))
    monkeypatch.setattr(fixture_file, "places_in", counted("places", fixture_file.places_in))
    (tmp_path / "many.yaml").write_text("\n".join(MANY[kind]))

    result = CliRunner().invoke(main, [command, "many.yaml"])

    assert 2 == result.exit_code
    lines = [line for line in result.output.splitlines() if "many.yaml:" in line]
    assert 21 == len(lines)
    assert "many.yaml: at least 180 more problems" == lines[-1]
    assert done["like"] <= 201
    assert done["places"] <= 1

"""`conformance import`, as it is typed: boards of three engines become scenarios, or it says why not."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conformance.cli import main
from conformance.data.loading import known_names, load_boards
from conformance.importing import boards_in
from conformance.importing.board import MOST_CARDS_ON_A_BOARD
from conformance.importing.filled import MARK
from conformance.importing.scenario import NotImported, imported_scenario
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Equals, Fixture

INIT = """\
// two groups, and what both begin with
[lands]
battlefield:Human:XLN-Island:2
hand:Computer:Lightning Bolt:1

[bear and anthem]
@lands
battlefield:Computer:Runeclaw Bear:1
battlefield:Me:Glorious Anthem:1
graveyard:Human:Shock:1
graveyard:Human:Cancel:1
library:Opponent:Forest:1
library:Opponent:Swamp:1
exiled:AI:Shock:1
# a planeswalker with more loyalty
battlefield:Human:Jace, the Mind Sculptor:1
loyalty:Human:Jace, the Mind Sculptor:2
"""
ARGENTUM: dict[str, Any] = {
    "player1Name": "Ada",
    "player2Name": "Ben",
    "player1": {
        "lifeTotal": 12,
        "hand": ["Shock"],
        "battlefield": [
            {"name": "Giant Strength", "attachedTo": "Runeclaw Bear"},
            {"name": "Runeclaw Bear", "tapped": True, "counters": {"PLUS_ONE_PLUS_ONE": 2}},
            {"name": "Llanowar Elves", "summoningSickness": True},
        ],
        "graveyard": ["Cancel", "Forest"],
        "library": ["Island", "Swamp"],
    },
    "player2": {"battlefield": [{"name": "Glorious Anthem"}, {"name": "Gray Ogre"}]},
    "phase": "POSTCOMBAT_MAIN",
    "activePlayer": 2,
    "priorityPlayer": 1,
    "player1StopAtSteps": [],
    "mode": "SELF",
}


def thing(number: int, name: str, zone: str, owner: int = 0, **more: Any) -> dict[str, Any]:
    """An object of a saved state."""
    plain = {"id": number, "owner": owner, "controller": owner, "zone": zone, "name": name, "base_name": name}
    return {**plain, "tapped": False, "counters": {}, "attached_to": None, "timestamp": number, **more}


TOKEN: dict[str, Any] = {
    "is_token": True,
    "base_card_types": {"supertypes": [], "core_types": ["Creature"], "subtypes": ["Soldier"]},
    "base_power": 1,
    "base_toughness": 1,
    "base_color": ["White"],
    "base_keywords": ["FirstStrike"],
    "base_mana_cost": {"type": "NoCost"},
}
PHASE_RS: dict[str, Any] = {
    "turn_number": 3,
    "active_player": 1,
    "priority_player": 1,
    "phase": "PreCombatMain",
    "rng_seed": 12345678901234567890123,
    "waiting_for": {"type": "Priority", "data": {"player": 1}},
    "players": [
        {"id": 0, "life": 18, "hand": [1], "library": [2, 3], "graveyard": [4, 5], "mana_pool": {"mana": []}},
        {"id": 1, "life": 20, "hand": [], "library": [], "graveyard": [], "poison_counters": 2},
    ],
    "objects": {
        "1": thing(1, "Shock", "Hand"),
        "2": thing(2, "Forest", "Library"),
        "3": thing(3, "Swamp", "Library"),
        "4": thing(4, "Cancel", "Graveyard"),
        "5": thing(5, "Island", "Graveyard"),
        "6": thing(6, "Glorious Anthem", "Battlefield", 1, timestamp=40),
        "7": thing(7, "Runeclaw Bear", "Battlefield", 1, timestamp=9, counters={"P1P1": 1}, damage_marked=1),
        "8": thing(
            8, "Giant Strength", "Battlefield", timestamp=41, attached_to={"type": "Object", "data": 7}
        ),
        "9": thing(9, "Soldier", "Battlefield", entered_battlefield_turn=3, timestamp=50, **TOKEN),
        "10": thing(10, "Shock", "Exile", 1),
    },
    "battlefield": [6, 7, 8, 9],
    "exile": [10],
    "stack": [],
}


def called(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, catch_exceptions=False, prog_name="conformance")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(name: str, value: object) -> str:
    """Write a sample as a file; returns its name."""
    Path(name).write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return name


def fixture_in(path: str) -> Fixture:
    (one,) = load_boards(Path(path))
    return one


def without(value: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(value)), **changes}


# ------------------------------------------------------------------------------------------- what is read


def test_each_group_of_xmage_becomes_a_scenario(folder: Path) -> None:
    done = called("import", written("init.txt", INIT), "--to", "out")

    assert done.stdout.splitlines()[-1] == "2 of 2 boards imported; the reference engine plays 2"
    assert ["init_bear_and_anthem.yaml", "init_lands.yaml"] == sorted(
        path.name for path in Path("out").iterdir()
    )
    play = fixture_in("out/init_bear_and_anthem.yaml").play
    cards = {one.id: one.card for one in play.objects}
    human, computer = play.players
    assert ("human", "computer") == (human.id, computer.id)
    assert [["Cancel", "Shock"], ["Swamp", "Forest"], ["Lightning Bolt"], ["Shock"]] == [
        [cards[id] for id in zone]
        for zone in (human.graveyard, computer.library, computer.hand, computer.exile)
    ]
    entered = [(cards[one.id], one.controller) for arrival in play.setup for one in arrival.entries]
    assert entered == [
        ("Island", "human"),
        ("Island", "human"),
        ("Runeclaw Bear", "computer"),
        ("Glorious Anthem", "human"),
        ("Jace, the Mind Sculptor", "human"),
    ]
    shown = called("explain", "out/init_bear_and_anthem.yaml").stdout
    assert "jace_the_mind_sculptor" in shown
    assert [("loyalty", 2)] == [(one.kind, one.n) for one in play.setup[-1].entries[0].counters]


def test_board_of_argentum_becomes_a_scenario(folder: Path) -> None:
    done = called("import", written("board.json", ARGENTUM))

    assert done.stdout.splitlines()[-1] == "1 of 1 boards imported; the reference engine plays 1"
    fixture = fixture_in("imported/board.yaml")
    play = fixture.play
    ada, ben = play.players
    assert ("ada", 12, "ben", 20) == (ada.id, ada.life, ben.id, ben.life)
    assert ("ben", "postcombat main") == (play.start.turn, play.start.step)
    assert ["pass ben"] == [f"{one.__struct_config__.tag} {one.who}" for one in play.script]  # type: ignore[union-attr]
    assert (("island", "swamp"), ("forest", "cancel"), ("shock",)) == (ada.library, ada.graveyard, ada.hand)
    entries = {one.id: one for arrival in play.setup for one in arrival.entries}
    assert ["runeclaw_bear", "giant_strength", "llanowar_elves", "glorious_anthem", "gray_ogre"] == list(
        entries
    )
    bear = entries["runeclaw_bear"]
    assert (True, False, [("+1/+1", 2)]) == (
        bear.tapped,
        bear.new,
        [(one.kind, one.n) for one in bear.counters],
    )
    assert (entries["giant_strength"].attached_to, entries["llanowar_elves"].new) == ("runeclaw_bear", True)
    assert fixture.note == "Imported from board.json."


@pytest.mark.parametrize("wrapped", [False, True])
def test_saved_state_of_phase_rs_becomes_a_scenario(wrapped: bool, folder: Path) -> None:
    state = {"type": "StateUpdate", "data": {"state": PHASE_RS}} if wrapped else PHASE_RS

    done = called("import", written("saved.json", state))

    assert done.stdout.splitlines()[-1] == "1 of 1 boards imported; the reference engine plays 1"
    play = fixture_in("imported/saved.yaml").play
    one, other = play.players
    assert (18, ("forest", "swamp"), ("island", "cancel")) == (one.life, one.library, one.graveyard)
    assert ([("poison", 2)], ("shock2",)) == ([(it.kind, it.n) for it in other.counters], other.exile)
    assert play.start.turn == "player2"
    entries = {it.id: it for arrival in play.setup for it in arrival.entries}
    assert ["runeclaw_bear", "glorious_anthem", "giant_strength", "soldier"] == list(entries)
    assert (1, "runeclaw_bear", True) == (
        entries["runeclaw_bear"].damage,
        entries["giant_strength"].attached_to,
        entries["soldier"].new,
    )
    token = next(card.definition for card in play.cards if card.definition.name == "Soldier")
    assert (1, 1, ["white"], ["Soldier"]) == (
        token.power,
        token.toughness,
        list(token.colors or ()),
        list(token.subtypes),
    )
    assert next(it for it in play.objects if it.id == "soldier").token


# --------------------------------------------------------------------------------- what is in the way


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        (
            "a.txt",
            "hand:Human:Opt Out:1",
            "a.txt [default group]: not imported: line 1: no card named 'Opt Out'",
        ),
        ("a.txt", "token:Human:TreasureToken:1", "line 1: a token is named by a class of XMage"),
        ("a.txt", "moon:Human:Shock:1", "line 1: there is no zone 'moon'"),
        ("a.txt", "[x]\n\n@y\nhand:Human:Shock:1", "line 3: there is no group 'y'"),
        ("a.txt", "hand:Human:Shock", "line 1: not a command: zone:player:card:amount"),
        ("a.txt", "hand:Human:Shock:0", "line 1: the amount is 0"),
        ("a.txt", "hand:Human:Shock:999999", f"line 1: more than {MOST_CARDS_ON_A_BOARD:,} cards"),
        ("a.txt", "nothing", "line 1: not a command"),
        ("a.txt", "", "a.txt: not imported: no commands of a test board"),
        ("a.json", without(ARGENTUM, phase="NIGHT"), "phase: no scenario begins in 'NIGHT'"),
        ("a.json", without(ARGENTUM, activePlayer=3), "activePlayer: there is no player 3"),
        (
            "a.json",
            without(ARGENTUM, player2={"hand": ["Shock", "No Such"]}),
            "player2.hand[2]: no card named",
        ),
        (
            "a.json",
            without(ARGENTUM, player2={"battlefield": [{"name": "Gray Ogre", "counters": {"MUD": 1}}]}),
            "player2.battlefield[1].counters.MUD: no scenario has such counters",
        ),
        (
            "a.json",
            without(ARGENTUM, player2={"battlefield": [{"name": "Giant Strength", "attachedTo": "Shock"}]}),
            "player2.battlefield[1]: attached to 'Shock', which is not on the battlefield",
        ),
        ("a.json", without(ARGENTUM, player1={"commanders": ["Gray Ogre"]}), "player1.commanders: scenarios"),
        ("a.json", without(PHASE_RS, stack=[{"id": 4}]), "stack: a scenario begins with an empty stack"),
        ("a.json", without(PHASE_RS, waiting_for={"type": "Mulligan"}), "a decision is under way: Mulligan"),
        ("a.json", without(PHASE_RS, phase="DeclareBlockers"), "no scenario begins in 'DeclareBlockers'"),
        (
            "a.json",
            without(PHASE_RS, objects={"6": thing(6, "Gray Ogre", "Battlefield", 7)}),
            "objects.6.controller: no player has this id",
        ),
        ("a.json", {"cards": []}, "neither a board nor a saved state"),
        ("a.json", "[1, 2]", "not a map of keys"),
        ("a.json", '{"player1": ', "line 1: not JSON"),
        ("a.json", "[" * 3000, "more than 200 levels deep"),
    ],
    ids=lambda value: None if isinstance(value, dict) or len(value) > 60 else value,
)
def test_obstacle_is_reported_with_its_place(name: str, value: Any, told: str, folder: Path) -> None:
    done = called("import", written(name, value))

    assert done.exit_code == 2
    assert told in done.stdout
    assert done.stdout.splitlines()[-1].startswith("0 of 1 boards imported")
    assert not Path("imported").exists()


def test_an_obstacle_of_many_cards_is_reported_once(folder: Path) -> None:
    done = called("import", written("a.txt", "hand:Human:No Such:3\nhand:Human:Shock:1"))

    assert (
        done.stdout.splitlines()[0] == "a.txt [default group]: not imported: line 1: no card named 'No Such'"
    )


def test_what_is_in_the_way_is_left_out_on_request(folder: Path) -> None:
    player = {
        "hand": ["No Such", "Shock"],
        "battlefield": [
            {"name": "No Ogre"},
            {"name": "Giant Strength", "attachedTo": "No Ogre"},
            {"name": "Gray Ogre"},
        ],
    }
    board = without(ARGENTUM, player2=player, phase="NIGHT")

    done = called("import", written("board.json", board), "--leave-out")

    assert done.exit_code == 0
    assert "1 no card named 'No Ogre'" in done.stdout
    assert done.stdout.splitlines()[-1].startswith(
        "1 of 1 boards imported, 1 of them with something left out"
    )
    fixture = fixture_in("imported/board.yaml")
    assert ["shock2"] == list(fixture.play.players[1].hand)
    assert "gray_ogre" in {one.id for one in fixture.play.objects}
    for told in ("no card named 'No Such'", "player2.battlefield[2].name: its host is left out", "'NIGHT'"):
        assert told in fixture.note


def test_cards_of_a_file_are_known(folder: Path) -> None:
    written("mine.yaml", "- {name: My Bear, types: [Creature], cost: '{1}{G}', power: 2, toughness: 2}\n")
    written("board.json", without(ARGENTUM, player2={"hand": ["My Bear"]}))

    assert called("import", "board.json").exit_code == 2
    assert called("import", "board.json", "--cards", "mine.yaml").exit_code == 0
    assert "My Bear" in Path("imported/board.yaml").read_text(encoding="utf-8")


def test_folder_stands_for_its_boards_and_no_file_is_overwritten(folder: Path) -> None:
    (folder / "boards" / "deep").mkdir(parents=True)
    written("boards/b.json", ARGENTUM)
    written("boards/deep/b.json", PHASE_RS)
    written("boards/notes.md", "nothing")

    assert called("import", "boards").exit_code == 0
    assert called("import", "boards/b.json").exit_code == 0

    assert ["b.yaml", "b_2.yaml", "b_3.yaml"] == sorted(path.name for path in Path("imported").iterdir())


# ------------------------------------------------------------------------------- expectations and scripts


def test_filled_expectations_are_marked_and_never_scored(folder: Path) -> None:
    assert called("import", written("board.json", ARGENTUM), "--fill").exit_code == 0

    fixture = fixture_in("imported/board.yaml")
    expected = {(one.about, one.key): one.test for one in fixture.expect}
    assert Equals(6) == expected["runeclaw_bear", "power"] == expected["runeclaw_bear", "toughness"]
    assert fixture.disputed == MARK
    assert f"Disputed: {MARK}" in called("show", "imported/board.yaml").stdout
    assert called("check", "imported/board.yaml").exit_code == 0
    ran = called("run", "imported/board.yaml", "--engine", "reference")
    assert "1 disputed" in ran.stdout
    assert "passed" not in ran.stdout.splitlines()[-1] or "0 passed" in ran.stdout.splitlines()[-1]

    path = Path("imported/board.yaml")
    kept = [
        line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("disputed:")
    ]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    assert called("run", "imported/board.yaml", "--engine", "reference").exit_code == 0


def test_without_fill_nothing_is_expected(folder: Path) -> None:
    called("import", written("board.json", ARGENTUM))

    assert "expect" not in Path("imported/board.yaml").read_text(encoding="utf-8")


def test_script_casts_what_is_in_hand_and_ends_the_turn(folder: Path) -> None:
    hand = ["Forest", "Llanowar Elves", "Shock", "Clone"]
    board = without(ARGENTUM, player2={"hand": hand}, phase="PRECOMBAT_MAIN", priorityPlayer=2)

    assert called("import", written("board.json", board), "--script", "--fill").exit_code == 0

    fixture = fixture_in("imported/board.yaml")
    did = [(one.__struct_config__.tag, getattr(one, "what", None)) for one in fixture.play.script]
    assert did == [
        ("play", "forest2"),
        ("cast", "llanowar_elves"),
        ("settle", None),
        ("cast", "shock2"),
        ("settle", None),
        ("advance", None),
    ]  # what Clone copies is a choice
    assert ("ada", "life", Equals(10)) in {(one.about, one.key, one.test) for one in fixture.expect}


def test_nothing_but_the_result_is_expected_of_a_game_that_is_over(folder: Path) -> None:
    board = without(ARGENTUM, player2={"hand": ["Shock"]}, priorityPlayer=2)
    board["player1"]["lifeTotal"] = 2

    assert called("import", written("board.json", board), "--script", "--fill").exit_code == 0

    expected = {(one.about, one.key) for one in fixture_in("imported/board.yaml").expect}
    assert {("table", "over"), ("ada", "life"), ("ada", "lost"), ("ben", "life"), ("ben", "lost")} >= expected
    assert ("table", "over") in expected


def test_engine_is_compared_with_the_reference_engine(folder: Path) -> None:
    written("board.json", ARGENTUM)
    written("saved.json", PHASE_RS)

    same = called("import", "board.json", "saved.json", "--engine", "reference")
    wrong = called("import", "board.json", "saved.json", "--engine", "mutant:one-pass")

    assert same.stdout.splitlines()[-1] == "reference: 2 the same, 0 different, 0 unsupported"
    assert wrong.stdout.splitlines()[-1] == "mutant:one-pass: 1 the same, 1 different, 0 unsupported"
    assert "imported/board_2.yaml: the engine differs from the reference engine" in wrong.stdout
    assert "    table, at the end: priority: reference ada, engine ben" in wrong.stdout


# ------------------------------------------------------------------------------------------- hostile files


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member of a value, with what holds it."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


BAD: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "x" * 10_000,
    "\0\ud800",
    [],
    {},
    [[1]],
    {"type": {}},
    [None],
)


@pytest.mark.parametrize("sample", [ARGENTUM, PHASE_RS], ids=["argentum", "phase-rs"])
def test_no_wrong_value_breaks_the_import(sample: dict[str, Any]) -> None:
    known = known_names()
    rng = random.Random(1)
    outcomes = set()
    for _ in range(400):
        value = json.loads(json.dumps(sample))
        for _ in range(rng.randint(1, 3)):
            where, key = rng.choice(list(places(value)))
            where[key] = json.loads(json.dumps(rng.choice(BAD)))
        try:
            for board in boards_in(json.dumps(value).encode(), "a.json"):
                imported_scenario(board, known, leave_out=rng.random() < 0.5)
            outcomes.add("imported")
        except (ScenarioError, NotImported) as error:
            outcomes.add(type(error).__name__)
    assert {"imported", "NotImported"} <= outcomes


def test_attachments_in_a_circle_are_refused(folder: Path) -> None:
    state = without(PHASE_RS)
    for one, other in ((6, 8), (8, 6)):
        state["objects"][str(one)]["attached_to"] = {"type": "Object", "data": other}

    assert "attached in a circle" in called("import", written("a.json", state)).stdout

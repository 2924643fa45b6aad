"""The reference engine as a library: its page, its public names, its setups; it works without the suite."""

from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
from pathlib import Path
from typing import assert_type

import pytest
from msgspec.structs import replace

import reference_engine
from reference_engine import (
    CR,
    Arrival,
    Board,
    Card,
    Entry,
    Evaluation,
    Game,
    GameRules,
    ImpossibleSetup,
    Loop,
    NoStop,
    NotModelled,
    Object,
    Pass,
    Player,
    Rejected,
    Setup,
    Start,
    TimestampOrder,
    Undecided,
    UnsupportedArrival,
    advance,
    evaluate,
    legal_actions,
    starting_game,
)
from reference_engine.game.legal import LegalAction

PAGE = Path(__file__).parent.parent / "docs" / "reference-engine.md"
BLOCKS = re.findall(r"^```pycon\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
EXAMPLES = "\n".join(BLOCKS)

BEAR = Card("Test Bear", frozenset({"Creature"}), power=2, toughness=2)
OGRE = Card("Test Ogre", frozenset({"Creature"}), power=3, toughness=3)
EMPTY = Setup((Player("alice"), Player("bob")), Start("alice"))
ONE_BEAR = EMPTY.with_permanent(BEAR, Entry("bear", "alice"))


def in_a_fresh_python(program: str, text: str = "") -> str:
    """The output of a program that runs in its own interpreter."""
    finished = subprocess.run(
        [sys.executable, "-c", program], input=text, capture_output=True, text=True, timeout=120, check=False
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


# ------------------------------------------------------------------------------------- the package


def test_examples_on_the_page_come_out_as_it_says() -> None:
    examples = doctest.DocTestParser().get_doctest(EXAMPLES, {}, PAGE.name, None, 0)
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=said.append)

    assert len(BLOCKS) > 10
    assert (0, len(examples.examples)) == (result.failed, result.attempted), "".join(said)


ALONE = """
import doctest, importlib.abc, sys

class NothingElse(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        top = name.partition(".")[0]
        if top not in {*sys.stdlib_module_names, "msgspec", "reference_engine"}:
            raise ModuleNotFoundError(f"no {name} here")

sys.meta_path.insert(0, NothingElse())
for name in ("conformance", "conformance_adapters", "yaml"):
    try:
        __import__(name)
    except ModuleNotFoundError:
        pass
    else:
        raise SystemExit(f"{name} is there after all")
examples = doctest.DocTestParser().get_doctest(sys.stdin.read(), {}, "page", None, 0)
result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples)
print(result.failed, "of", result.attempted)
"""


@pytest.mark.sweep
def test_library_needs_nothing_but_msgspec() -> None:
    attempted = EXAMPLES.count("\n>>> ") + EXAMPLES.startswith(">>> ")

    assert f"0 of {attempted}\n" == in_a_fresh_python(ALONE, EXAMPLES)


def test_language_is_imported_without_the_layers_and_the_game() -> None:
    program = "import sys, reference_engine.language.setup\nprint(*sys.modules)"
    loaded = [name for name in in_a_fresh_python(program).split() if name.startswith("reference_engine.")]

    assert "reference_engine.language.cards" in loaded
    assert [] == [name for name in loaded if not name.startswith("reference_engine.language")]


def test_every_public_name_is_a_name_of_the_package() -> None:
    program = "from reference_engine import *; print(*dir()); import reference_engine as it; print(*dir(it))"
    starred, listed = (
        {name for name in line.split() if not name.startswith("_")}
        for line in in_a_fresh_python(program).splitlines()
    )

    assert {"Board", "evaluate", "Game", "advance", "GameRules", "Card", "Setup", "starting_game"} <= starred
    assert starred <= listed


def test_other_names_are_none_of_the_package() -> None:
    with pytest.raises(AttributeError, match="module 'reference_engine' has no attribute 'boards'"):
        reference_engine.boards  # type: ignore[attr-defined]  # noqa: B018 - both are right, and that is the test


def test_public_names_have_types() -> None:
    game = starting_game(ONE_BEAR)

    assert_type(game, Game)
    assert_type(game.board, Board)
    assert_type(evaluate(game.board, CR), Evaluation)
    assert_type(legal_actions(game), tuple[LegalAction, ...])
    assert_type(advance(game, Pass("alice")), Game | Rejected | Undecided | NotModelled | Loop | NoStop)
    assert_type(GameRules.on("2019-10-04"), GameRules)


# -------------------------------------------------------------------------------------- setups


def test_game_begins_with_priority_and_nothing_behind_it() -> None:
    game = starting_game(replace(ONE_BEAR, start=Start("bob", "upkeep")))

    assert ("bob", "upkeep", "bob") == (game.board.active, game.board.step, game.holder)
    assert ((), (), {}) == (game.events, game.answers, game.past)
    assert {"alice": 1, "bob": 2} == game.recent
    assert 2 == game.turn


def test_permanent_belongs_to_its_controller_or_to_the_owner_given() -> None:
    setup = ONE_BEAR.with_permanent(OGRE, Entry("ogre", "alice", tapped=True), owner="bob")
    things = starting_game(setup).board.things

    assert {"bear": "alice", "ogre": "bob"} == {id: thing.owner for id, thing in things.items()}
    assert (False, True) == (things["bear"].tapped, things["ogre"].tapped)
    assert things["bear"].timestamp < things["ogre"].timestamp


def test_cards_of_a_zone_are_given_top_first() -> None:
    setup = EMPTY.with_card(BEAR, "first", "library", owner="bob").with_card(
        BEAR, "second", "library", owner="bob"
    )
    board = starting_game(setup.with_card(OGRE, "gone", "exile", owner="alice")).board

    assert (BEAR, OGRE) == setup.with_card(OGRE, "gone", "exile", owner="alice").cards
    assert ((), ("first", "second")) == (board.seats[0].library, board.seats[1].library)
    assert {"first": "library", "second": "library", "gone": "exile"} == {
        id: thing.zone for id, thing in board.things.items()
    }


def test_active_player_s_objects_have_the_older_timestamps_of_those_that_enter_together() -> None:
    """CR 613.7m: simultaneous timestamps go by players in APNAP order, each ordering their own."""
    entries = (Entry("bear", "bob"), Entry("ogre", "alice"), Entry("other", "alice"))
    setup = replace(
        EMPTY,
        cards=(BEAR, OGRE),
        objects=(
            Object("bear", "Test Bear", "bob"),
            Object("ogre", "Test Ogre", "alice"),
            Object("other", "Test Ogre", "alice"),
        ),
        arrivals=(Arrival(entries, (TimestampOrder("alice", ("other", "ogre")),)),),
    )
    things = starting_game(setup).board.things

    assert ["other", "ogre", "bear"] == sorted(things, key=lambda id: things[id].timestamp)


def changed(**fields: object) -> Setup:
    """The table with one bear, with these fields changed."""
    return replace(ONE_BEAR, **fields)


IMPOSSIBLE: list[tuple[Setup, str]] = [
    (changed(players=(Player("alice"), Player("alice"))), "two players are called alice"),
    (changed(cards=(BEAR, replace(BEAR, power=3))), "two cards are called Test Bear"),
    (changed(objects=ONE_BEAR.objects * 2), "two objects are called bear"),
    (changed(cards=()), "bear is a Test Bear, and there is no such card"),
    (changed(objects=()), "there is no object bear"),
    (changed(arrivals=()), "bear is nowhere"),
    (changed(arrivals=ONE_BEAR.arrivals * 2), "bear is in two places"),
    (changed(players=(Player("alice", hand=("bear",)), Player("bob"))), "bear is in two places"),
    (changed(players=(Player("bob"),)), "alice owns bear and is no player"),
    (changed(start=Start("carol")), "carol has no turns of their own"),
    (changed(players=(Player("alice", team="ours"), Player("bob"))), "alice has no turns of their own"),
    (EMPTY.with_permanent(BEAR, Entry("bear", "carol"), owner="bob"), r"entry 1: carol controls bear"),
    (
        changed(arrivals=(Arrival((Entry("bear", "alice"),), (TimestampOrder("alice", ("bear", "ogre")),)),)),
        r"entry 1: alice orders other objects",
    ),
    (
        EMPTY.with_permanent(BEAR, Entry("bear", "alice", damage=2)),
        r"entry 1: a state-based action waits",
    ),
    (
        EMPTY.with_permanent(BEAR, Entry("bear", "alice", attached_to="wall")),
        r"entry 1: bear is attached to wall",
    ),
    (changed(players=(Player("alice", life=0), Player("bob"))), "a state-based action waits"),
]


@pytest.mark.parametrize(("setup", "says"), IMPOSSIBLE, ids=[says for _, says in IMPOSSIBLE])
def test_setup_with_which_no_game_can_begin_is_refused(setup: Setup, says: str) -> None:
    with pytest.raises(ImpossibleSetup, match=says):
        starting_game(setup)


def test_permanent_that_is_not_played_is_refused_as_such() -> None:
    siege = Card("Test Siege", frozenset({"Battle"}), subtypes=frozenset({"Siege"}))

    with pytest.raises(UnsupportedArrival) as refused:
        starting_game(ONE_BEAR.with_permanent(siege, Entry("siege", "bob")))
    assert 1 == refused.value.arrival


# ------------------------------------------------------------------------------------ its folders


@pytest.mark.parametrize("folder", ["language", "layers", "game"])
def test_folder_says_in_which_order_to_read_its_modules(folder: str) -> None:
    path = Path(reference_engine.__path__[0]) / folder
    said = re.findall(r"`(\w+)`", ast.get_docstring(ast.parse((path / "__init__.py").read_text())) or "")
    modules = {file.stem for file in path.glob("*.py")} - {"__init__"}

    assert set() == modules - set(said), "not named"
    assert {"happen", "advance"} >= set(said) - modules, "not there"

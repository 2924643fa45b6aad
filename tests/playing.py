"""Scenarios played from a few lines of text, for tests of a single behaviour of the reference engine."""

from __future__ import annotations

from conformance.checks.fixtures import wrong_play
from conformance.data.loading import known_names, with_heading
from conformance.files.fixture_file import read_fixture
from conformance.files.yaml_tree import tree_of
from conformance.model.observation import SeenObject, SeenPlayer, SeenTable, Snapshot
from conformance.model.scenario import Play
from conformance_adapters.in_process import Playthrough, play_through
from reference_engine.game.game import Game
from reference_engine.game.game_rules import CR, GameRules


def table(text: str) -> Play:
    """The play that a few lines describe; by default with two players, alice and bob."""
    if "players:" not in text:
        text = "players: [alice, bob]\n" + text
    loaded, problems = read_fixture(
        with_heading(tree_of(text, "test.yaml"), "test"), "test.yaml", known_names().cards
    )
    assert loaded is not None and not problems, problems
    wrong = [str(finding) for finding in wrong_play(loaded.fixture.play, known_names())]
    assert not wrong, wrong
    return loaded.fixture.play


def game_of(text: str, rules: GameRules = CR) -> Playthrough:
    """Play it on the reference engine."""
    return play_through(table(text), rules)


def left(text: str, rules: GameRules = CR) -> Game:
    """The game after the whole script, which must not stop early."""
    done = game_of(text, rules)
    assert done.observations.stopped is None, done.observations.stopped
    return done.last


def seen(text: str, look: str = "end", rules: GameRules = CR) -> Snapshot:
    """The observations at a look."""
    observed = game_of(text, rules).observations
    assert observed.stopped is None, observed.stopped
    return observed.looks[look]


def of(text: str, id: str, rules: GameRules = CR) -> SeenObject:
    """An object's final observations."""
    return seen(text, rules=rules).objects[id]


def player(text: str, id: str, rules: GameRules = CR) -> SeenPlayer:
    """A player's final observations."""
    return seen(text, rules=rules).players[id]


def the_table(text: str, rules: GameRules = CR) -> SeenTable:
    """The table's final observations."""
    return seen(text, rules=rules).table


def tried(text: str, rules: GameRules = CR) -> dict[str, str]:
    """The outcome of every attempt."""
    observed = game_of(text, rules).observations
    assert observed.stopped is None, observed.stopped
    return dict(observed.tried)


def stopped(text: str, rules: GameRules = CR) -> tuple[str, str]:
    """Why play ended early, with the message."""
    why = game_of(text, rules).observations.stopped
    assert why is not None
    return why.why, why.says or why.question


def told(text: str, rules: GameRules = CR) -> list[str]:
    """The account of the whole script."""
    done = game_of(text, rules)
    assert done.observations.stopped is None, done.observations.stopped
    return list(done.account())

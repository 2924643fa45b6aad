"""The table is set in time in proportion to what is on it, and refused at the first arrival that is wrong."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

import pytest

from reference_engine.game.events import GameEvent
from reference_engine.game.game import Game
from reference_engine.game.game_rules import CR, GameRules
from reference_engine.game.state_based import state_based_actions
from reference_engine.game.table import ImpossibleSetup, starting_game
from reference_engine.language.cards import All, Card, Modify, Part, Static
from reference_engine.language.setup import Entry, Player, Setup, Start

BEAR = Card("Test Bear", frozenset({"Creature"}), power=2, toughness=2)
NOTHING = Card("Test Nothing", frozenset({"Creature"}), power=0, toughness=0)
ANTHEM = Card(
    "Test Anthem",
    frozenset({"Enchantment"}),
    abilities=(Static((Part(All(type=frozenset({"Creature"})), (Modify(1, 1),)),)),),
)


def with_permanents(cards: Iterable[Card]) -> Setup:
    setup = Setup((Player("alice"), Player("bob")), Start("alice"))
    for number, card in enumerate(cards):
        setup = setup.with_permanent(card, Entry(f"thing{number}", "alice"))
    return setup


def counting() -> tuple[GameRules, list[int]]:
    """The rules, and how many things were there each time that state-based actions were asked for."""
    asked: list[int] = []

    def noted(game: Game) -> tuple[Game, tuple[GameEvent, ...]]:
        asked.append(len(game.board.things))
        return state_based_actions(game)

    return dataclasses.replace(CR, state_based_actions=noted), asked


def test_state_based_actions_are_asked_for_in_proportion_to_the_table() -> None:
    rules, asked = counting()

    game = starting_game(with_permanents([BEAR] * 400), rules)

    assert 400 == len(game.board.things)
    assert sum(asked) <= 2 * 400


@pytest.mark.parametrize("wrong", [[0], [399], [123], [300, 123, 399]])
def test_first_wrong_arrival_of_many_is_named_without_asking_after_each(wrong: list[int]) -> None:
    rules, asked = counting()
    cards = [NOTHING if number in wrong else BEAR for number in range(400)]

    with pytest.raises(ImpossibleSetup, match="a state-based action waits") as refused:
        starting_game(with_permanents(cards), rules)

    assert min(wrong) == refused.value.arrival
    assert f"thing{min(wrong)}" in refused.value.because
    assert len(asked) <= 20


def test_what_only_a_later_arrival_would_mend_is_refused() -> None:
    with pytest.raises(ImpossibleSetup) as refused:
        starting_game(with_permanents([BEAR, NOTHING, ANTHEM]))

    assert 1 == refused.value.arrival
    assert 3 == len(starting_game(with_permanents([BEAR, ANTHEM, NOTHING])).board.things)

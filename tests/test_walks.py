"""Laws of the game that need no oracle, on games walked at random through legal actions."""

from __future__ import annotations

import random

import pytest

from reference_engine.actions import Pass
from reference_engine.events import Resolved
from reference_engine.game import Game, Rejected, advance
from tests.walks import cards_in, not_offered, walk


@pytest.mark.parametrize("seed", range(24))
def test_a_walk_through_legal_actions_keeps_the_laws(seed: int) -> None:
    dice = random.Random(seed)
    cards: frozenset[str] | None = None
    lost: object = None
    decisions = 0
    for game, _ in walk(seed, 30):
        decisions += 1
        # CR 117.1: exactly one side has priority, or somebody has to declare something.
        assert (game.holder is None) == (game.deciding is not None)
        # No card is lost or made, as long as nobody leaves.
        assert cards is None or lost != game.lost or cards == cards_in(game)
        cards, lost = cards_in(game), game.lost
        # What is not offered is rejected, and the game stays as it was.
        wrong = not_offered(game, dice)
        if wrong is not None:
            outcome = advance(game, wrong)
            assert isinstance(outcome, Rejected)
            assert outcome.kept is None
    assert decisions


def test_the_same_walk_is_the_same_game() -> None:
    one = [(game.board.step, action) for game, action in walk(7)]
    assert one == [(game.board.step, action) for game, action in walk(7)]


def test_when_all_pass_one_object_resolves_or_one_step_ends() -> None:
    seen = 0
    for seed in range(6):
        for game, _ in walk(seed, 25):
            if game.deciding is not None:
                continue
            after = advance(game, Pass("everyone"))
            if not isinstance(after, Game):
                continue
            seen += 1
            if game.stack:
                # CR 117.4, 405.5: the top of the stack and nothing else; it may counter what lies below.
                assert [type(event) for event in after.events].count(Resolved) == 1
                assert game.stack[-1].born not in {item.born for item in after.stack}
            else:
                assert (game.turn, game.board.step) != (after.turn, after.board.step) or after.over
    assert seen > 50

"""Laws of the game that need no oracle, on games walked at random through legal actions.

Here the same few walks are made each time; `python -m tests.walks 20000` makes many.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from conformance.scenario import Play
from reference_engine.actions import Cast, Pass
from reference_engine.game import Game, Rejected
from reference_engine.game_rules import GameRules
from tests.walks import (
    Broken,
    Law,
    Moment,
    all_passing_does_one_thing,
    cards_are_kept,
    conceivable,
    dealt,
    last_in_first_out,
    lawful_walk,
    offered_is_what_is_accepted,
    one_side_may_act,
    the_same_script_gives_the_same_looks,
    walk,
    what_is_paid_for_nothing_is_kept,
)

SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_walk_keeps_every_law(seed: int) -> None:
    _, moments = lawful_walk(seed, 30)
    assert len(moments) == 30 or moments[-1].after.over


def test_tables_of_two_to_four_and_of_teams_are_walked() -> None:
    tables = {kind_of_table(dealt(random.Random(seed))) for seed in SEEDS}
    assert {(2, False), (3, False), (4, False), (4, True)} == tables


def kind_of_table(play: Play) -> tuple[int, bool]:
    """How many players there are, and whether they are teams."""
    return len(play.players), play.players[0].team is not None


@pytest.mark.parametrize("seed", [0, 3, 5, 8])
def test_nothing_that_anybody_could_think_of_is_accepted_unless_it_is_offered(seed: int) -> None:
    dice = random.Random(seed)
    for number, moment in enumerate(walk(dealt(dice), dice, 30)):
        if number % 10 == 5:
            assert len(conceivable(moment.game)) > 300
            offered_is_what_is_accepted(moment, dice, many=5000)


# ---------------------------------------------------------------------- a broken game breaks its law


def some_moment(wanted: Callable[[Moment], bool]) -> Moment:
    """The first moment of the walks that is as wanted."""
    for seed in range(100):
        dice = random.Random(seed)
        for moment in walk(dealt(dice), dice, 30):
            if wanted(moment):
                return moment
    raise AssertionError("no such moment")


def by_other_rules(moment: Moment, **changed: object) -> Moment:
    """The same moment, from which on other rules hold."""
    rules: GameRules = dataclasses.replace(moment.game.rules, **changed)  # type: ignore[arg-type]  # by name
    return replace(moment, game=replace(moment.game, rules=rules))


def without_one_card(moment: Moment) -> Moment:
    """A card has vanished."""
    board = moment.after.board
    gone = next(thing.id for thing in board.things.values() if not thing.token)
    things = {id: thing for id, thing in board.things.items() if id != gone}
    return replace(moment, after=replace(moment.after, board=replace(board, things=things)))


def with_a_card_in_two_places(moment: Moment) -> Moment:
    """A card of a library is in a hand as well."""
    board = moment.after.board
    first = next(seat for seat in board.seats if seat.library)
    both = replace(first, hand=(*first.hand, first.library[0]))
    seats = tuple(both if seat.id == first.id else seat for seat in board.seats)
    return replace(moment, after=replace(moment.after, board=replace(board, seats=seats)))


def nobody_lost(moment: Moment) -> bool:
    """Whether everybody was there all the time."""
    return not moment.after.lost


def two_on_the_stack(moment: Moment) -> bool:
    """Whether there are two things on the stack, and somebody passed without more."""
    return len(moment.game.stack) > 1 and moment.game.stack == moment.after.stack


def a_stack(moment: Moment) -> bool:
    """Whether something is on the stack."""
    return bool(moment.game.stack) and moment.game.deciding is None


def a_spell_and_a_land(moment: Moment) -> bool:
    """Whether a land could be tapped for a spell that costs more."""
    game = moment.game
    return any(
        isinstance(action, Cast) and (game.board.things[action.what].card.cost or "").count("{") > 3
        for action in moment.offered
    ) and any(
        action.what in game.board.things and game.board.things[action.what].card.name == "Forest"
        for action in moment.offered
        if hasattr(action, "ability")
    )


@pytest.mark.parametrize(
    ("law", "wanted", "broken"),
    [
        (one_side_may_act, nobody_lost, lambda m: replace(m, after=replace(m.after, holder="nobody"))),
        (
            one_side_may_act,
            nobody_lost,
            lambda m: replace(m, after=replace(m.after, holder=None, deciding=None)),
        ),
        (cards_are_kept, nobody_lost, without_one_card),
        (cards_are_kept, nobody_lost, with_a_card_in_two_places),
        (
            last_in_first_out,
            two_on_the_stack,
            lambda m: replace(m, after=replace(m.after, stack=m.after.stack[::-1])),
        ),
        (
            all_passing_does_one_thing,
            a_stack,
            lambda m: by_other_rules(m, all_passed=lambda game: False),
        ),
        (
            all_passing_does_one_thing,
            a_stack,
            lambda m: by_other_rules(m, after_all_passed=lambda game: game.rules.end_step(game)),
        ),
        (offered_is_what_is_accepted, nobody_lost, lambda m: replace(m, offered=(Pass("nobody"),) * 3)),
        (offered_is_what_is_accepted, nobody_lost, lambda m: replace(m, offered=m.offered[:0])),
        (
            what_is_paid_for_nothing_is_kept,
            a_spell_and_a_land,
            lambda m: by_other_rules(m, reversed_action=lambda game, action, refusal: refusal),
        ),
    ],
)
def test_a_law_is_broken_by_a_broken_game(
    law: Law, wanted: Callable[[Moment], bool], broken: Callable[[Moment], Moment]
) -> None:
    moment = broken(some_moment(wanted))
    with pytest.raises(Broken):
        for number in range(50):
            law(moment, random.Random(number))

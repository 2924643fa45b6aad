"""Laws of the game that need no oracle, on games walked at random through legal actions.

Here the same few walks are made each time; `python -m tools walks 20000` makes many.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from functools import partial

import pytest
from msgspec.structs import replace

from conformance.model.scenario import Play
from reference_engine.game.game import Game, Rejected, advance
from reference_engine.game.game_rules import CR, GameRules
from reference_engine.game.legal import legal_actions
from reference_engine.language.actions import CastAction, Pass
from tests.playing import left
from tools.walks import (
    LAWS,
    BrokenWalk,
    Law,
    WalkMoment,
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

pytestmark = pytest.mark.sweep

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_walk_keeps_every_law(seed: int) -> None:
    _, moments = lawful_walk(seed)
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
    for number, moment in enumerate(walk(dealt(dice), dice)):
        if number % 10 == 5:
            assert len(conceivable(moment.game)) > 300
            offered_is_what_is_accepted(moment, dice, many=5000)


# ---------------------------------------------------------------------- a broken game breaks its law


def a_moment() -> WalkMoment:
    """A player passes, with two spells on the stack and a third in hand that two Forests can't pay for."""
    game = left("""
players:
  alice: {hand: [{bolt: Lightning Bolt}, {shock: Shock}, {no_thanks: Cancel}]}
  bob: {}
setup:
  - {id: forest1, card: Forest, controller: alice}
  - {id: forest2, card: Forest, controller: alice}
script:
  - {cast: bolt, by: alice, targets: [bob]}
  - {cast: shock, by: alice, targets: [bob]}
""")
    after = advance(game, Pass("alice"))
    assert isinstance(after, Game)
    return WalkMoment(game, legal_actions(game), Pass("alice"), (), after)


def test_the_laws_hold_at_that_moment() -> None:
    for law in LAWS:
        for number in range(10):
            law(a_moment(), random.Random(number))


def by_other_rules(moment: WalkMoment, **changed: object) -> WalkMoment:
    """The same moment, with other rules from then on."""
    rules: GameRules = dataclasses.replace(moment.game.rules, **changed)  # type: ignore[arg-type]  # by name
    return replace(moment, game=replace(moment.game, rules=rules))


def without_one_card(moment: WalkMoment) -> WalkMoment:
    """A card has vanished."""
    board = moment.after.board
    gone = next(thing.id for thing in board.things.values() if not thing.token)
    return replace(moment, after=replace(moment.after, board=board.without_thing(gone)))


def with_a_card_in_two_places(moment: WalkMoment) -> WalkMoment:
    """A card of a library is in a hand as well."""
    board = moment.after.board
    first = next(seat for seat in board.seats if seat.library)
    both = replace(first, hand=(*first.hand, first.library[0]))
    seats = tuple(both if seat.id == first.id else seat for seat in board.seats)
    return replace(moment, after=replace(moment.after, board=replace(board, seats=seats)))


def all_resolve(game: Game) -> Game:
    """When all have passed, everything on the stack resolves."""
    while game.stack:
        game = game.rules.resolve_top(game)
    return game.rules.give_priority(game, game.board.active, "")


def with_the_lands_tapped(game: Game, action: CastAction, refusal: Rejected) -> Rejected:
    """Lands that were tapped for an illegal spell stay tapped, and their mana is gone."""
    things = game.board.things
    taps = [step.activate for step in (action.pay.steps if action.pay else ()) if step.activate]
    tapped = game.board.with_things(*(replace(things[id], tapped=True) for id in taps))
    kept = Rejected(refusal.why)
    kept.kept = replace(game, board=tapped)
    return kept


@pytest.mark.parametrize(
    ("law", "broken"),
    [
        (one_side_may_act, lambda m: replace(m, after=replace(m.after, holder="nobody"))),
        (one_side_may_act, lambda m: replace(m, after=replace(m.after, holder=None))),
        (cards_are_kept, without_one_card),
        (cards_are_kept, with_a_card_in_two_places),
        (last_in_first_out, lambda m: replace(m, after=replace(m.after, stack=m.after.stack[::-1]))),
        (last_in_first_out, lambda m: replace(m, after=replace(m.after, stack=m.after.stack[1:]))),
        (all_passing_does_one_thing, lambda m: by_other_rules(m, after_all_passed=all_resolve)),
        (all_passing_does_one_thing, lambda m: by_other_rules(m, after_all_passed=CR.end_step)),
        (offered_is_what_is_accepted, lambda m: replace(m, offered=(*m.offered, Pass("bob")))),
        (partial(offered_is_what_is_accepted, many=5000), lambda m: replace(m, offered=m.offered[:1])),
        (
            what_is_paid_for_nothing_is_kept,
            lambda m: by_other_rules(m, reversed_action=lambda game, action, refusal: refusal),
        ),
        (
            what_is_paid_for_nothing_is_kept,
            lambda m: by_other_rules(m, reversed_action=with_the_lands_tapped),
        ),
    ],
)
def test_a_law_is_broken_by_a_broken_game(law: Law, broken: Callable[[WalkMoment], WalkMoment]) -> None:
    assert any(is_broken(law, broken(a_moment()), random.Random(number)) for number in range(20))


def is_broken(law: Law, moment: WalkMoment, dice: random.Random) -> bool:
    """Whether a moment breaks a law."""
    try:
        law(moment, dice)
    except BrokenWalk:
        return True
    return False


def test_a_script_that_leads_elsewhere_is_noticed() -> None:
    play, moments = lawful_walk(3)
    other_end = replace(moments[-1], after=moments[0].game)
    stopping = replace(moments[-1], action=Pass("nobody"))
    with pytest.raises(BrokenWalk):
        the_same_script_gives_the_same_looks(play, [*moments[:-1], other_end], random.Random(1))
    with pytest.raises(BrokenWalk):
        the_same_script_gives_the_same_looks(play, [*moments, stopping], random.Random(1))

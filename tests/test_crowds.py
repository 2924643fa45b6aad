"""Crowds of real cards: drawn by a number, full of cards that meet, and played as far as an engine can."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from conformance.model.observation import Observations, Stopped
from conformance.model.scenario import Play
from conformance.properties.games_agreement import crowds_of_real_cards_go_as_the_rules_say
from conformance.strategies.crowds import (
    CROWD,
    ENOUGH,
    CardCrowd,
    CrowdSchedule,
    do_meet,
    played_crowd,
)
from conformance.strategies.means import EVERYTHING
from conformance.strategies.meetings import kinds_of_meeting
from conformance.strategies.whole_games import cards_for_decks
from conformance_adapters.in_process import Reference, play_through
from reference_engine.game.game_rules import CR
from tools.met import met_cards

pytestmark = pytest.mark.sweep

REFERENCE = Reference().play


def crowds(many: int, seed: int = 0) -> list[CardCrowd]:
    dice = random.Random(seed)
    schedule = CrowdSchedule(cards_for_decks(EVERYTHING))
    return [schedule.of(dice.randbytes(6), EVERYTHING) for _ in range(many)]


def test_a_number_is_always_the_same_crowd() -> None:
    one, other = crowds(2), crowds(2)
    assert one == other
    assert [played_crowd(crowd) for crowd in one] == [played_crowd(crowd) for crowd in other]


def test_most_cards_of_a_crowd_meet_enough_others() -> None:
    for crowd in crowds(5):
        assert len({card.name for card in crowd.cards}) == CROWD
        well = [
            one
            for one in crowd.cards
            if sum(do_meet(one, other) for other in crowd.cards if other is not one) >= ENOUGH
        ]
        assert len(well) > CROWD // 2


def test_crowds_begin_with_cards_that_met_few() -> None:
    cards = cards_for_decks(EVERYTHING)
    first = crowds(1)[0].cards[0]
    met = {card.name: [str(n) for n in range(ENOUGH)] for card in cards if card is not first}
    for number in range(3):
        begun = CrowdSchedule(cards, met).of(bytes([number]), EVERYTHING).cards[0]
        assert begun is first


def test_cards_meet_if_there_is_a_kind_of_meeting() -> None:
    some = random.Random(1).sample(cards_for_decks(EVERYTHING), 60)
    met = [bool(kinds_of_meeting(one, other)) for one, other in combinations(some, 2)]
    assert met == [do_meet(one, other) for one, other in combinations(some, 2)]
    assert {True, False} == set(met)


def test_crowds_are_played_to_their_end() -> None:
    for crowd in crowds(4):
        play = played_crowd(crowd)
        assert play_through(play, CR).observations.stopped is None
        assert len(play.script) > 10


def test_a_card_that_an_engine_does_not_take_is_left_out() -> None:
    [crowd] = crowds(1)
    refused = crowd.cards[3].name
    seen: list[Play] = []

    def play(scenario: Play) -> Observations:
        if refused in {one.card for one in scenario.objects}:
            return Observations(stopped=Stopped(0, "unsupported", says="never heard of it"))
        seen.append(scenario)
        return REFERENCE(scenario)

    crowds_of_real_cards_go_as_the_rules_say(play, crowd)
    assert any(len(scenario.objects) > CROWD for scenario in seen)


def test_cards_that_met_are_counted() -> None:
    *_, (games, differences, met) = met_cards(REFERENCE, EVERYTHING, 2, crowds=True)

    assert (2, 0) == (games, differences)
    assert sum(len(others) >= ENOUGH for others in met.values()) >= 10

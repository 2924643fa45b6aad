"""Real cards that meet in games: every kind of meeting comes before any is repeated, and none crashes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from conformance.checks.fixtures import is_free
from conformance.data.catalogue import catalogue
from conformance.data.library import pool
from conformance.measure.reach import cases_of, real_card_reach
from conformance.properties import PROPERTIES
from conformance.strategies.means import EVERYTHING, Means
from conformance.strategies.meetings import (
    MeetingSchedule,
    kinds_for,
    kinds_of_meeting,
    questions,
    real_cards_for,
)
from conformance.strategies.scripts import FreshIds
from conformance_adapters import connect
from conformance_adapters.in_process import Reference
from tests.searching import first_counterexample
from tools.play_cards import play_cards, played_card, report

pytestmark = pytest.mark.sweep

LAW = next(law for law in PROPERTIES if law.name == "real_cards_meet_as_the_rules_say")


def number(n: int) -> bytes:
    return n.to_bytes(6, "big")


def test_every_kind_of_meeting_comes_before_any_is_repeated() -> None:
    kinds = kinds_for(EVERYTHING)
    schedule = MeetingSchedule(kinds)
    met = [schedule.of(number(n)).kind for n in range(1, 2 * len(kinds) + 1)]
    assert len(kinds) > 100
    assert len(kinds) == len(set(met[: len(kinds)])) == len(set(met[len(kinds) :]))


def test_the_same_number_gets_the_same_meeting() -> None:
    schedule = MeetingSchedule(kinds_for(EVERYTHING))
    first = schedule.of(number(7))
    assert schedule.of(number(8)) != first
    assert first == schedule.of(number(7))


def test_another_round_brings_other_cards() -> None:
    kinds = kinds_for(EVERYTHING)
    schedule = MeetingSchedule(kinds)
    every = [schedule.of(number(n)) for n in range(1, 3 * len(kinds))]
    pairs = {frozenset((one.one.name, one.other.name)) for one in every}
    assert len(pairs) > 0.9 * len(every)


def test_cards_that_meet_do_what_the_other_asks_about() -> None:
    for kind in kinds_for(EVERYTHING):
        assert all(kind.kind[1] in questions(card) for card in kind.askers)
    humility, opalescence = pool()["Humility"], pool()["Opalescence"]
    assert ("op base", "layer 7b") in kinds_of_meeting(humility, opalescence)
    assert not kinds_of_meeting(pool()["Forest"], pool()["Grizzly Bears"])


def test_the_catalogue_takes_part_unless_an_engine_can_be_given_no_real_card() -> None:
    assert set(catalogue()) <= {card.name for card in real_cards_for(EVERYTHING)}
    assert () == real_cards_for(Means(frozenset({"named"}), real=()))
    lacking = Means(lacks=frozenset({"combat", "triggers", "what happened this turn"}))
    assert not any("on enters" in questions(card) for card in real_cards_for(lacking))


def test_what_the_law_draws_is_counted() -> None:
    cases = cases_of(LAW, Reference().play, 40)
    counted = real_card_reach([case for case, _ in cases])
    assert counted.kinds > 30
    assert counted.pairs >= 35
    assert len(counted.cards) > 60
    assert f"{len(counted.cards)} real cards played" in str(counted)


def test_the_law_notices_an_engine_that_lets_anybody_pass() -> None:
    engine = connect("mutant:anybody-passes")
    assert first_counterexample(engine.play, LAW, EVERYTHING, seed=0, examples=30)


@pytest.mark.parametrize("name", ["Juzám Djinn", "Æther Vial", "1996 World Champion", "***"])
def test_every_name_gives_an_id(name: str) -> None:
    called = FreshIds()
    card = replace(pool()["Grizzly Bears"], name=name)
    ids = [called.of(card) for _ in range(3)]
    assert 3 == len(set(ids))
    assert all(map(is_free, ids))


@pytest.mark.parametrize("seed", range(4))
def test_a_sample_of_the_real_cards_is_played_without_a_crash(seed: int) -> None:
    crashed = [str(one) for one in play_cards(12, seed) if one.crash]
    assert [] == crashed


def test_what_a_card_did_is_reported() -> None:
    bears = played_card(pool()["Grizzly Bears"])
    assert {"be used", "attack"} == bears.did == bears.could
    wall = played_card(pool()["Wall of Wood"]) if "Wall of Wood" in pool() else None
    assert wall is None or "attack" not in wall.did
    assert "1 cards played: 0 crash, 0 never" in [*report([bears])][-1]

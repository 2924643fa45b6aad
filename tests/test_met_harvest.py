"""Scenarios that notice mistakes which no fixture notices are found, chosen and stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.data.library import all_fixtures, real_cards
from conformance.data.rulebook import newest_edition
from conformance.files.canonical import decode
from conformance.model.scenario import Fixture
from conformance.model.verdict import PassVerdict, judge
from conformance_adapters.in_process import Reference
from tools.harvest import Detection, with_all_looks
from tools.met_harvest import (
    DrawnScenario,
    FoundMistake,
    drawn_scenarios,
    games_of_real_cards,
    most_worth,
    search,
    search_and_store,
)
from tools.mistakes_met import MISREADINGS, Mistake, mistakes_of, notices
from tools.play_cards import COMPANY

NO_BLOCK = Mistake("situations", "may_block", "may_block says yes [attacker: with flying]")
NEVER_MET = Mistake("situations", "may_block", "may_block says yes [attacker: of cheese]")


def drawn(*ids: str) -> list[DrawnScenario]:
    return [DrawnScenario(id, with_all_looks(all_fixtures()[id].play), 0.001) for id in ids]


def test_mistake_is_noticed_where_it_decides_and_nowhere_else() -> None:
    blocked, layers = drawn("G-0950.01", "L-0001")

    found = [*search({NO_BLOCK: [0, 1], NEVER_MET: [0, 1]}, [layers, blocked], 1)]

    assert [(one.mistake, [place for place, _ in one.by]) for one in found] == [
        (NEVER_MET, []),
        (NO_BLOCK, [1]),
    ]


def test_scenarios_that_notice_most_for_their_time_come_first() -> None:
    slow, quick = (one.play for one in drawn("L-0001", "L-0002"))
    some = [DrawnScenario("a", slow, 1), DrawnScenario("b", quick, 0.1)]
    one, two = Mistake("f", "d", "one"), Mistake("f", "d", "two")
    here, there = (Detection("", "", (("end", "table", key),)) for key in ("step", "active"))
    found = [FoundMistake(one, ((0, here), (1, here))), FoundMistake(two, ((0, there),))]

    chosen = [(each.law, places) for each, places in most_worth(found, {one: 2, two: 1}, some)]
    assert [("b", here.differs), ("a", here.differs + there.differs)] == chosen
    assert ["b"] == [each.law for each, _ in most_worth(found, {one: 1, two: 0}, some)]


def test_what_is_stored_holds_by_the_rules_and_notices_a_mistake(tmp_path: Path) -> None:
    said: list[str] = []
    told = search_and_store({}, ("silent triggers",), 40, 4, 1, tmp_path, said.append)

    [file] = tmp_path.iterdir()
    fixture = decode(file.read_bytes(), Fixture)
    met = mistakes_of(fixture.play, ("silent triggers",))
    assert told.endswith("1 are stored")
    assert len(said) == 3
    assert all(one.because for one in fixture.expect)
    assert isinstance(judge(fixture, Reference().play(fixture.play), newest_edition()), PassVerdict)
    assert any(notices(fixture, mistake) for mistake in met)
    assert not any(card.real for card in fixture.play.cards)


@pytest.mark.sweep
@pytest.mark.nightly
def test_real_cards_stay_real_in_what_is_stored(tmp_path: Path) -> None:
    said: list[str] = []
    search_and_store({}, (MISREADINGS,), 2, 5, 1, tmp_path, said.append, real=True)

    [file] = tmp_path.iterdir()
    fixture = decode(file.read_bytes(), Fixture)
    named = {card.definition.name: card.definition for card in fixture.play.cards if card.real}
    assert named == {name: real_cards()[name] for name in named}
    assert set(named) - set(COMPANY)
    assert fixture.title.endswith(": what they say happens")
    assert isinstance(judge(fixture, Reference().play(fixture.play), newest_edition()), PassVerdict)
    assert any(notices(fixture, mistake) for mistake in mistakes_of(fixture.play, (MISREADINGS,)))


def test_drawing_depends_on_the_seed_alone() -> None:
    for drawn in (drawn_scenarios, games_of_real_cards):
        assert [*drawn(4, 9)] and [one.play for one in drawn(4, 9)] == [one.play for one in drawn(4, 9)]

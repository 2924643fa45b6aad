"""Drawn scenarios are valid, follow the rules, stay within an engine's features, and include tricky cases."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis.strategies import SearchStrategy

from conformance.checks.fixtures import wrong_play
from conformance.checks.names import KnownNames
from conformance.data.library import pool
from conformance.data.rulebook import rules_by_number
from conformance.files.canonical import decode, encode
from conformance.model.features import FEATURES, features_of
from conformance.model.renaming import renamed_play
from conformance.model.scenario import Play
from conformance.strategies import SITUATIONS
from conformance.strategies.boards import (
    ATTACHED,
    COPIED,
    LASTING,
    boards,
    invented_boards,
    real_boards,
    without_arrival,
)
from conformance.strategies.cards import real_permanents
from conformance.strategies.encounters import (
    encounters,
    encounters_face_down,
    encounters_of_copies,
    encounters_of_shapes,
    meets,
)
from conformance.strategies.focused import focused_boards
from conformance.strategies.means import EVERYTHING, Means
from conformance_adapters.in_process import Reference

STRATEGIES: dict[str, SearchStrategy[Play]] = {
    "boards": boards(),
    "invented": invented_boards(),
    "real": real_boards(),
    "attached": boards(twists=2, kinds=ATTACHED),
    "copied": boards(twists=2, kinds=COPIED),
    "lasting": boards(twists=2, kinds=LASTING),
    "focused": focused_boards(),
    "encounters": encounters(),
    "encounters of copies": encounters_of_copies(),
    "encounters face down": encounters_face_down(),
    "encounters of shapes": encounters_of_shapes(),
}
KNOWN = KnownNames(pool(), rules_by_number())
some = settings(
    max_examples=40,
    phases=(Phase.generate,),
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),  # these tests inspect what is drawn, however long it takes
)


def drawn(strategy: SearchStrategy[Play], examples: int = 40) -> list[Play]:
    """Draw this many scenarios."""
    found: list[Play] = []

    @seed(1)
    @settings(some, max_examples=examples)
    @given(strategy)
    def draw(play: Play) -> None:
        found.append(play)

    draw()
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
def test_what_is_drawn_is_a_scenario_that_goes_through_to_its_end(strategy: SearchStrategy[Play]) -> None:
    @some
    @given(strategy)
    def valid(play: Play) -> None:
        assert [] == list(wrong_play(play, KNOWN))
        assert play == decode(encode(play), Play)
        observed = Reference().play(play)
        assert observed.stopped is None
        assert observed.unused == ()
        assert play.setup or play.script

    valid()


@pytest.mark.sweep
@pytest.mark.parametrize("strategy", STRATEGIES.values(), ids=STRATEGIES)
def test_hardly_anything_drawn_is_thrown_away(strategy: SearchStrategy[Play]) -> None:
    tried = 0

    def counted(play: Play) -> Play:
        nonlocal tried
        tried += 1
        return play

    # Duplicates, and cases that do not fit, are drawn but not used.
    assert len(drawn(strategy.map(counted), 60)) >= 0.95 * tried > 0


LACKING = (
    frozenset({"types", "text change"}),
    frozenset({"characteristic-defining abilities", "switch", "copies", "face down"}),
    frozenset({"casting"}),
    frozenset({"control", "attachments", "abilities", "owner differs"}),
    frozenset(FEATURES) - {"anthems", "counters"},
    frozenset(FEATURES),
)


@pytest.mark.sweep
@pytest.mark.parametrize("lacks", LACKING, ids=lambda lacks: f"{len(lacks)} lacking")
@pytest.mark.parametrize("takes", ["defined", "named"])
def test_nothing_is_drawn_that_an_engine_lacks(lacks: frozenset[str], takes: str) -> None:
    real = tuple(card for card in pool().values() if card.name in ("Grizzly Bears", "Humility", "Clone"))
    means = Means(frozenset({takes}), lacks, real)  # type: ignore[arg-type]  # one of the ways
    strategies = (
        boards(means),
        invented_boards(means),
        real_boards(means),
        boards(means, kinds=ATTACHED),
        focused_boards(means),
        encounters(means),
        encounters_of_copies(means),
        encounters_face_down(means),
        encounters_of_shapes(means),
    )
    seen = [play for one in strategies if not one.is_empty for play in drawn(one, 10)]
    assert seen
    for play in seen:
        assert frozenset() == features_of(play) & lacks
        if takes == "named":
            assert {card.definition for card in play.cards if card.real} <= set(real)
            assert all(card.real for card in play.cards)


def test_an_engine_without_invented_cards_gets_no_board_of_them() -> None:
    named = Means(frozenset({"named"}), real=())
    assert focused_boards(named).is_empty
    assert invented_boards(named).is_empty
    assert real_boards(named).is_empty
    assert encounters(named).is_empty
    assert encounters_of_copies(named).is_empty
    assert encounters_face_down(named).is_empty
    assert encounters_of_shapes(named).is_empty


@pytest.mark.parametrize(
    ("card", "other", "so"),
    [
        ("Humility", "Levitation", True),  # both in layer 6
        ("Mycosynth Lattice", "March of the Machines", True),
        ("Urborg, Tomb of Yawgmoth", "Kormus Bell", True),  # makes what the other asks for
        ("Crusade", "Deathlace", True),
        ("Spellbook", "Humility", False),
        ("Grizzly Bears", "Blood Moon", False),
    ],
)
def test_cards_meet_in_a_sublayer_or_where_one_changes_what_the_other_asks_for(
    card: str, other: str, so: bool
) -> None:
    there = pool()
    assert so == meets(there[card], there[other]) == meets(there[other], there[card])


def test_real_cards_that_need_something_are_not_put_onto_a_board() -> None:
    there = {card.name for card in real_permanents(EVERYTHING)}
    assert {"Grizzly Bears", "Humility", "Blood Moon", "Opalescence"} <= there
    assert set() == there & {"Clone", "Control Magic", "Lightning Bolt", "Jace, the Mind Sculptor"}


@pytest.mark.sweep
def test_a_board_shrinks_to_one_plain_creature() -> None:
    play = find(
        invented_boards(), lambda play: True, settings=settings(some, max_examples=20, phases=tuple(Phase))
    )
    (card,) = play.cards
    assert ("p1",) == tuple(one.id for one in play.objects)
    assert (frozenset({"Creature"}), ()) == (card.definition.types, card.definition.abilities)
    assert () == play.script


def test_a_board_with_two_creatures_shrinks_to_those() -> None:
    def two_creatures(play: Play) -> bool:
        creatures = {one.definition.name for one in play.cards if "Creature" in one.definition.types}
        return sum(one.card in creatures for one in play.objects) > 1

    play = find(
        invented_boards(), two_creatures, settings=settings(some, max_examples=20, phases=tuple(Phase))
    )
    assert [()] * 2 == [card.definition.abilities for card in play.cards]
    assert ["p1", "p2"] == [arrival.entries[0].id for arrival in play.setup]


def test_an_entry_is_left_out_with_all_that_speaks_of_it() -> None:
    attached = [
        play
        for play in drawn(boards(twists=1, kinds=ATTACHED), 60)
        if any(arrival.entries[0].attached_to for arrival in play.setup)
    ]
    assert attached
    for play in attached:
        host = next(entry.attached_to for arrival in play.setup if (entry := arrival.entries[0]).attached_to)
        at = next(n for n, arrival in enumerate(play.setup) if arrival.entries[0].id == host)
        rest = without_arrival(play, at)
        assert [] == list(wrong_play(rest, KNOWN))
        assert host not in {one.id for one in rest.objects}
        assert not any(arrival.entries[0].attached_to == host for arrival in rest.setup)


@pytest.mark.sweep
@some
@given(boards())
def test_names_are_changed_wherever_they_stand(play: Play) -> None:
    there = {one.id: f"x_{one.id}" for one in play.objects}
    back = {new: old for old, new in there.items()}
    other = renamed_play(play, there)
    assert set(back) == {one.id for one in other.objects}
    assert [] == list(wrong_play(other, KNOWN))
    assert play == renamed_play(other, back)


def test_every_situation_has_a_name_of_its_own_and_a_floor() -> None:
    assert len({one.name for one in SITUATIONS}) == len(SITUATIONS) >= 40
    assert all(one.floor > 0 and one.says.endswith(".") for one in SITUATIONS)


def test_means_with_the_whole_pool_are_printed_in_a_line() -> None:
    means = Means(frozenset({"named"}), frozenset({"teams"}), tuple(pool().values()))

    assert f"Means(takes=['named'], lacks=['teams'], {len(pool())} real cards)" == repr(means)

"""Laws of boards: how looks are compared, and that no engine keeps them without knowing the rules."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import Phase, given, seed, settings
from msgspec import UNSET
from msgspec.structs import replace

from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.features import FEATURES, features_of
from conformance.model.observation import Observations, SeenObject, Snapshot, Stopped
from conformance.model.scenario import Play
from conformance.properties import LAYERS
from conformance.properties.boards import BOARDS
from conformance.properties.law import Broken, PlayFunction, Property
from conformance.properties.seeing import END, SIZE, expect, expect_same, looks_at_end, seen_player
from conformance.properties.small_boards import board_with, mirrored, with_card_in, with_entry, with_spell
from conformance.strategies.cards import creature, instant
from conformance.strategies.means import EVERYTHING, Means
from conformance_adapters.degenerate import DEGENERATES, DegenerateEngine
from conformance_adapters.in_process import Reference
from reference_engine.language.cards import Modify

pytestmark = pytest.mark.sweep

BEAR = creature(2, 2, name="Test Bear")
GROWTH = instant("Growth", Modify(1, 1))
BOARD = board_with(("bear", BEAR))
LAWS = LAYERS + BOARDS


def cases_of(law: Property[Any], means: Means = EVERYTHING, examples: int = 4) -> list[Any]:
    """Some cases of a law."""
    cases: list[Any] = []

    @seed(3)
    @settings(max_examples=examples, phases=(Phase.generate,), database=None)
    @given(law.cases(means))
    def draw(case: Any) -> None:
        cases.append(case)

    draw()
    return cases


def judged(law: Property[Any], cases: list[Any], play: PlayFunction) -> tuple[int, int]:
    """The number of cases in which an engine keeps a law, and in which it breaks it."""
    kept = broken = 0
    for case in cases:
        try:
            law(play, case)
            kept += 1
        except CannotPlay:
            pass
        except (Broken, EngineFailure):
            broken += 1
    return kept, broken


# ------------------------------------------------------------------------------ what is compared


def showing(**values: Any) -> Snapshot:
    """A look at the bear."""
    return Snapshot({"bear": SeenObject(**values)})


def test_what_is_shown_is_compared_before_what_is_left_out() -> None:
    there, here = SeenObject(power=2, toughness=2), SeenObject(power=3)
    with pytest.raises(Broken, match=r"bear: power\n  one way    2\n  the other  3\n  CR 613.7: age"):
        expect_same({"bear": there}, {"bear": here}, "CR 613.7: age", SIZE)
    with pytest.raises(Broken, match=r"bear: power\n  expected  4\n  observed  3"):
        expect({"bear": here}, "bear", "CR 613.7: age", toughness=2, power=4)


def test_what_is_left_out_is_neither_right_nor_wrong() -> None:
    there, here = SeenObject(power=2, toughness=2), SeenObject(power=2)
    with pytest.raises(CannotPlay, match="toughness of bear"):
        expect_same({"bear": there}, {"bear": here}, "CR 613.7: age", SIZE)
    with pytest.raises(CannotPlay, match="toughness of bear"):
        expect({"bear": here}, "bear", "CR 613.7: age", toughness=2)
    expect_same({"bear": there}, {"cub": there}, "CR 613.7: age", SIZE, names={"bear": "cub"})


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (Observations(), EngineFailure),
        (Observations({END: Snapshot()}), CannotPlay),
        (Observations(stopped=Stopped(0, "unsupported", says="no spells")), CannotPlay),
        (Observations(stopped=Stopped(0, "question", question="which?")), CannotPlay),
        (Observations(stopped=Stopped(0, "rejected", says="no")), Broken),
        (Observations(stopped=Stopped(0, "loop")), Broken),
    ],
)
def test_an_engine_that_does_not_come_to_the_end_keeps_no_law(
    answer: Observations, error: type[Exception]
) -> None:
    with pytest.raises(error):
        looks_at_end(lambda play: answer, BOARD)
    with pytest.raises(error):
        seen_player(lambda play: answer, BOARD, "alice", frozenset({"life"}))


def test_only_what_is_asked_for_is_wanted() -> None:
    asked: list[Play] = []

    def answer(play: Play) -> Observations:
        asked.append(play)
        return Observations({END: showing(power=2, toughness=2)})

    assert 2 == looks_at_end(answer, BOARD, SIZE)["bear"].power
    assert [SIZE] == [want.keys for want in asked[0].wants]


# ---------------------------------------------------------------------------------- small edits


def test_small_boards_and_their_edits_are_played_as_they_read() -> None:
    board = with_card_in(with_entry(BOARD, "bear", tapped=True), "graveyard", "elf", creature(1, 1), "bob")
    grown = with_spell(mirrored(board), "growth", GROWTH, "bear")
    looks = looks_at_end(Reference().play, grown, SIZE | {"tapped", "zone"})
    assert (3, True) == (looks["bear"].power, looks["bear"].tapped)
    assert ("graveyard", "graveyard") == (looks["elf"].zone, looks["growth"].zone)
    assert ("bob", "alice") == tuple(seat.id for seat in grown.players)


# ------------------------------------------------------------------------------- who keeps them


def test_an_engine_that_knows_nothing_keeps_no_law() -> None:
    kept: dict[str, set[str]] = {kind.name: set() for kind in DEGENERATES}
    for law in LAWS:
        cases = cases_of(law)
        for kind in DEGENERATES:
            held, broken = judged(law, cases, DegenerateEngine(kind).play)
            if held and not broken:
                kept[kind.name].add(law.name)
    for kind in DEGENERATES:
        # An engine that plays on is right about what no object shows.
        assert len(kept[kind.name]) <= (0 if kind.blind else 3), kind.name


def test_an_engine_that_leaves_out_what_a_law_is_about_keeps_none() -> None:
    reference = Reference()

    def without_sizes(play: Play) -> Observations:
        observed = reference.play(play)
        looks = {
            name: replace(
                look,
                objects={
                    id: replace(
                        one, power=UNSET, colors=UNSET, keywords=UNSET, subtypes=UNSET, controller=UNSET
                    )
                    for id, one in look.objects.items()
                },
                players={},
            )
            for name, look in observed.looks.items()
        }
        return replace(observed, looks=looks)

    for law in LAWS:
        assert (law.name, 0, 0) == (law.name, *judged(law, cases_of(law), without_sizes))


LACKING = (
    frozenset({"types", "casting"}),
    frozenset({"abilities", "set power and toughness", "steps"}),
    frozenset({"characteristic-defining abilities", "colours", "control"}),
    frozenset({"attachments", "copies", "text change", "targets"}),
    frozenset(FEATURES) - {"anthems", "set power and toughness"},
)


@pytest.mark.parametrize("lacks", LACKING, ids=lambda lacks: f"{len(lacks)} lacking")
def test_no_law_asks_for_what_an_engine_lacks(lacks: frozenset[str]) -> None:
    means, reference = Means(lacks=lacks), Reference()
    asked: set[str] = set()

    def play(scenario: Play) -> Observations:
        asked.update(features_of(scenario) & lacks)
        return reference.play(scenario)

    laws = [law for law in LAWS if means.allow(*law.needs) and not law.cases(means).is_empty]
    assert len(laws) >= 8
    for law in laws:
        assert (judged(law, cases_of(law, means, 3), play)[1], asked) == (0, set()), law.name

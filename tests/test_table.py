"""Setting the table takes time proportional to its size, and stops at the first wrong arrival."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import hypothesis
import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from conformance.data.loading import problems_in
from conformance.measure.speed import BOARD_SIZES, board_of
from conformance.model.engine import CannotPlay
from conformance.model.scenario import CardInPlay, Play
from conformance_adapters.in_process import Reference, findings_when_played
from reference_engine.game import entry, table
from reference_engine.game.events import GameEvent
from reference_engine.game.game import Game
from reference_engine.game.game_rules import CR, GameRules
from reference_engine.game.state_based import state_based_actions
from reference_engine.game.table import ImpossibleSetup, starting_game
from reference_engine.language.actions import ChooseAction
from reference_engine.language.cards import (
    Ability,
    AddTypes,
    All,
    AsEnters,
    Attached,
    Base,
    Card,
    Condition,
    CopyAsEnters,
    Count,
    Counters,
    Defines,
    Exists,
    Filter,
    Gain,
    It,
    Keyword,
    LoseAllAbilities,
    Modify,
    Not,
    Operation,
    Part,
    PropertyOf,
    SetBasicLandTypes,
    SetTypes,
    Static,
    This,
    You,
)
from reference_engine.language.setup import Entry, Player, Setup, Start
from reference_engine.language.words import CardType
from reference_engine.layers import at_work, evaluation
from reference_engine.layers.board import Board, TooLarge
from reference_engine.layers.dependency import DependencyReason, Trial, reason_to_wait
from reference_engine.layers.effects import ActiveEffect
from reference_engine.layers.evaluation import Evaluation, LayerStep
from reference_engine.layers.rules import Rules

BEAR = Card("Test Bear", frozenset({"Creature"}), power=2, toughness=2)
NOTHING = Card("Test Nothing", frozenset({"Creature"}), power=0, toughness=0)
ANTHEM = Card(
    "Test Anthem",
    frozenset({"Enchantment"}),
    abilities=(Static((Part(All(type=frozenset({"Creature"})), (Modify(1, 1),)),)),),
)


AURA = Card(
    "Test Aura",
    frozenset({"Enchantment"}),
    subtypes=frozenset({"Aura"}),
    abilities=(
        Keyword("enchant", what=Filter(type=frozenset({"Creature"}))),
        Static((Part(Attached(), (Modify(1, 1),)),)),
    ),
)
WEAK_AURA = replace(
    AURA,
    name="Test Weak Aura",
    abilities=(AURA.abilities[0], Static((Part(Attached(), (Modify(-1, -1),)),))),
)
EQUIPMENT = Card(
    "Test Equipment",
    frozenset({"Artifact"}),
    subtypes=frozenset({"Equipment"}),
    abilities=(Static((Part(Attached(), (Gain((Keyword("flying"),)),)),)), Keyword("equip", mana="{1}")),
)
FLIGHT = replace(
    ANTHEM,
    name="Test Flight",
    abilities=(Static((Part(All(type=frozenset({"Creature"})), (Gain((Keyword("flying"),)),)),)),),
)
TAPPED = Card("Test Tapped", frozenset({"Land"}), abilities=(AsEnters(tapped=True),))


def with_permanents(cards: Iterable[Card]) -> Setup:
    setup = Setup((Player("alice"), Player("bob")), Start("alice"))
    for number, card in enumerate(cards):
        setup = setup.with_permanent(card, Entry(f"thing{number}", "alice"))
    return setup


def counting() -> tuple[GameRules, list[int]]:
    """The rules, and the number of objects at each check of state-based actions."""
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


def attached(number: int, host: int) -> Entry:
    return Entry(f"thing{number}", "alice", attached_to=f"thing{host}")


@pytest.mark.sweep
@pytest.mark.parametrize(
    "card", [ANTHEM, AURA, WEAK_AURA, EQUIPMENT, FLIGHT, TAPPED], ids=lambda card: card.name
)
def test_bonuses_keywords_and_attachments_need_no_look_after_each_arrival(card: Card) -> None:
    rules, asked = counting()
    setup = Setup((Player("alice"), Player("bob")), Start("alice"))
    for number in range(0, 200, 2):
        setup = setup.with_permanent(BEAR, Entry(f"thing{number}", "alice"))
        by_itself = Entry(f"thing{number + 1}", "alice")
        is_attached = card.subtypes & {"Aura", "Equipment"}
        setup = setup.with_permanent(card, attached(number + 1, number) if is_attached else by_itself)

    assert 200 == len(starting_game(setup, rules).board.things)
    assert len(asked) <= 4


@pytest.mark.parametrize("weaker", [ANTHEM, AURA], ids=lambda card: card.name)
def test_what_only_a_bonus_would_mend_is_refused_however_large_the_table(weaker: Card) -> None:
    setup = with_permanents([BEAR] * 50 + [NOTHING])
    host = attached(51, 50) if weaker is AURA else Entry("thing51", "alice")

    with pytest.raises(ImpossibleSetup) as refused:
        starting_game(setup.with_permanent(weaker, host))

    assert 50 == refused.value.arrival


def test_penalty_that_a_later_bonus_would_mend_is_refused() -> None:
    plague = Card(
        "Test Plague",
        frozenset({"Enchantment"}),
        abilities=(Static((Part(All(type=frozenset({"Creature"})), (Modify(-2, -2),)),)),),
    )

    with pytest.raises(ImpossibleSetup) as refused:
        starting_game(with_permanents([BEAR, plague, ANTHEM]))

    assert 1 == refused.value.arrival
    assert 3 == len(starting_game(with_permanents([BEAR, ANTHEM, plague])).board.things)


@pytest.mark.sweep
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


def looks_taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of objects each time all characteristics were computed."""
    taken: list[int] = []
    real = evaluation.evaluate_layers

    def noted(board: Board, rules: Rules, *record: list[LayerStep]) -> Evaluation:
        taken.append(len(board.things))
        return real(board, rules, *record)

    monkeypatch.setattr(evaluation, "evaluate_layers", noted)
    return taken


CREATURE: frozenset[CardType] = frozenset({"Creature"})
CREATURES = All(type=CREATURE)
GOYF = Card(
    "Test Goyf",
    CREATURE,
    power="*",
    toughness="*",
    abilities=(Defines((Base(Count(CREATURES), Count(CREATURES)),)),),
)
HYDRA = Card(
    "Test Hydra", CREATURE, power=0, toughness=0, abilities=(AsEnters(counters=(Counters("+1/+1", 2),)),)
)
WALKER = Card("Test Walker", frozenset({"Planeswalker"}), loyalty=3)
MACHINES = replace(
    ANTHEM,
    name="Test Machines",
    abilities=(Static((Part(CREATURES, (AddTypes(types=frozenset({"Artifact"})),)),)),),
)
LAND = Card("Test Land", frozenset({"Land"}))
LIVING_LANDS = replace(
    ANTHEM,
    name="Test Living Lands",
    abilities=(Static((Part(All(type=frozenset({"Land"})), (AddTypes(types=CREATURE), Base(1, 1))),)),),
)
ANIMATED = (Static((Part(All(type=frozenset({"Land"})), (AddTypes(types=CREATURE),)),)),)
MOON = replace(
    ANTHEM,
    name="Test Moon",
    abilities=(
        Static((Part(All(type=frozenset({"Land"})), (SetBasicLandTypes(frozenset({"Mountain"})),)),)),
    ),
)


@pytest.mark.parametrize(
    "cards",
    [(GOYF, BEAR), (HYDRA, ANTHEM), (WALKER, BEAR), (MACHINES, BEAR), (LIVING_LANDS, LAND), (MOON, LAND)],
    ids=lambda cards: cards[0].name,
)
def test_table_is_looked_at_a_few_times_however_many_enter(
    cards: tuple[Card, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = looks_taken(monkeypatch)

    assert 200 == len(starting_game(with_permanents(cards * 100)).board.things)
    assert len(taken) <= 4


@pytest.mark.parametrize(
    ("cards", "wrong"),
    [
        ([WALKER] * 10 + [NOTHING] + [HYDRA], 10),
        ([BEAR] * 10 + [replace(LIVING_LANDS, abilities=MACHINES.abilities)] + [NOTHING, ANTHEM], 11),
        ([LAND] * 10 + [replace(LIVING_LANDS, abilities=ANIMATED), ANTHEM], 10),
        ([MOON] * 10 + [replace(GOYF, abilities=()), ANTHEM], 10),
    ],
)
def test_what_enters_too_weak_is_refused_though_a_later_arrival_would_mend_it(
    cards: list[Card], wrong: int
) -> None:
    with pytest.raises(ImpossibleSetup) as refused:
        starting_game(with_permanents(cards))

    assert wrong == refused.value.arrival


def static(*does: Operation, who: All = CREATURES, cond: Condition | None = None) -> Static:
    return Static((Part(who, does),), cond=cond)


def enchantment(name: str, *abilities: Ability) -> Card:
    return Card(f"Test {name}", frozenset({"Enchantment"}), abilities=abilities)


LANDS = All(type=frozenset({"Land"}))
LEGEND = Card("Test Legend", CREATURE, supertypes=frozenset({"Legendary"}), power=1, toughness=1)


def creature(name: str, ability: Ability, toughness: int | str = 1) -> Card:
    return Card(f"Test {name}", CREATURE, power=0, toughness=toughness, abilities=(ability,))


MEETING = (
    *(BEAR, NOTHING, ANTHEM, GOYF, HYDRA, WALKER, MACHINES, LAND, LIVING_LANDS, MOON, LEGEND),
    enchantment("Plague", static(Modify(-1, -1))),
    enchantment("Awakening", static(AddTypes(types=CREATURE), who=LANDS)),
    enchantment("Ones", static(LoseAllAbilities(), Base(1, 1))),
    enchantment("Zeroes", static(Base(0, 0))),
    enchantment("Nobody", static(SetTypes(frozenset({"Artifact"})))),
    enchantment(
        "Values",
        static(
            AddTypes(types=CREATURE),
            Base(PropertyOf("mana_value", It()), PropertyOf("mana_value", It())),
            who=All(type=frozenset({"Enchantment"})),
        ),
    ),
    enchantment("Crowd", static(Modify(-3, -3), cond=Not(Exists(LANDS)))),
    enchantment("Machines' Plague", static(Modify(-2, -2), who=All(type=frozenset({"Artifact"})))),
    creature("Clone", AsEnters(copy=CopyAsEnters(CREATURES), may=True)),
    creature("Weakling", AsEnters(counters=(Counters("-1/-1", 1),)), toughness=2),
    creature("Herd", AsEnters(counters=(Counters("+1/+1", Count(CREATURES)),))),
    creature("Land Count", Defines((Base(Count(LANDS), Count(LANDS)),)), toughness="*"),
    creature("Lord", static(Modify(1, 1), who=All(type=CREATURE, other_than=This()))),
    creature("Captain", static(Modify(0, 1), who=All(type=CREATURE, controller=You()))),
    creature("Ghost", Static((Part(CREATURES, (Modify(0, 1),)),), zones=frozenset({"graveyard"}))),
)
FEW_CARDS = st.lists(st.sampled_from(MEETING), min_size=1, max_size=4).flatmap(
    lambda cards: st.lists(st.tuples(st.sampled_from(cards), st.integers(0, 2)), min_size=9, max_size=14)
)


def outcome(setup: Setup) -> str:
    try:
        game = starting_game(setup)
    except ImpossibleSetup as refused:
        return str(refused)
    return str([(thing, game.seen.look(thing.id)) for thing in game.board.things.values()])


@pytest.mark.sweep
@hypothesis.given(FEW_CARDS)
def test_large_table_is_refused_exactly_when_looking_after_each_arrival_would_refuse_it(
    drawn: list[tuple[Card, int]],
) -> None:
    setup = Setup((Player("alice"), Player("bob")), Start("alice"))
    for number, (card, plus) in enumerate(drawn):
        counters = (Counters("+1/+1", plus),) if plus else ()
        player = ("alice", "bob")[number % 2]
        copied = (ChooseAction("copy", player, ("thing0",)),) if card.name == "Test Clone" and plus else ()
        placed = Entry(f"thing{number}", player, counters=counters, damage=plus // 2, choices=copied)
        setup = setup.with_permanent(card, placed)

    at_once = outcome(setup)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "stays_stable", lambda setup: False)
        patch.setattr(entry, "as_printed", lambda game, entering, thing: False)
        assert at_once == outcome(setup)


OTHERS = All(type=CREATURE, other_than=This())
LORD = creature("Lord", static(Modify(1, 1), who=OTHERS))


@pytest.mark.parametrize("cards", [(LORD, NOTHING), (ANTHEM, NOTHING)], ids=lambda cards: cards[0].name)
def test_bonus_of_what_is_there_already_needs_no_look_after_each_arrival(cards: tuple[Card, ...]) -> None:
    rules, asked = counting()

    assert 200 == len(starting_game(with_permanents(cards * 100), rules).board.things)
    assert len(asked) <= 4


def test_one_that_copies_does_not_make_others_look_as_they_enter(monkeypatch: pytest.MonkeyPatch) -> None:
    clone = Card(
        "Test Clone", CREATURE, power=0, toughness=0, abilities=(AsEnters(copy=CopyAsEnters(CREATURES)),)
    )
    copied = (ChooseAction("copy", "alice", ("thing0",)),)
    taken = looks_taken(monkeypatch)

    setup = with_permanents([BEAR] * 100).with_permanent(clone, Entry("clone", "alice", choices=copied))
    for number in range(100, 200):
        setup = setup.with_permanent(BEAR, Entry(f"thing{number}", "alice"))

    assert 2 == starting_game(setup).seen.toughness("clone")
    assert len(taken) <= 12


ANIMATES = replace(
    ANTHEM,
    name="Test Animates",
    abilities=(
        static(
            AddTypes(types=CREATURE), Base(4, 4), who=All(type=frozenset({"Enchantment"}), other_than=This())
        ),
    ),
)


def test_pairs_are_asked_about_only_while_something_changes() -> None:
    """CR 613.8a: nothing depends on an effect that would change nothing."""
    asked: list[str] = []

    def noted(one: ActiveEffect, other: ActiveEffect, trial: Trial) -> DependencyReason | None:
        asked.append(one.source)
        return reason_to_wait(one, other, trial)

    game = starting_game(with_permanents([ANIMATES] * 100), dataclasses.replace(CR, reason_to_wait=noted))

    assert {4} == {game.seen.toughness(f"thing{number}") for number in range(100)}
    assert len(asked) <= 20 * 100


FLAG = creature("Flag", static(Modify(1, 1), Gain((Keyword("haste"),)), who=OTHERS))
HERD = creature("Herd", AsEnters(counters=(Counters("+1/+1", Count(CREATURES)),)))


@pytest.mark.parametrize(
    ("cards", "where", "most"),
    [
        ([ANIMATES] * 100, at_work, 10_000),
        ([HERD] * 100, table, 10_000),
        (
            [replace(LORD, abilities=(static(Modify(1, 1), Gain((Keyword("haste"),)), who=OTHERS),))] * 100,
            at_work,
            5_000,
        ),
    ],
)
def test_table_that_would_be_too_much_work_is_refused_before(
    cards: list[Card], where: ModuleType, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 100 == len(starting_game(with_permanents(cards)).board.things)

    monkeypatch.setattr(where, "MOST_WORK", most)
    starting_game.cache_clear()
    with pytest.raises(TooLarge):
        starting_game(with_permanents(cards))


@pytest.mark.parametrize("kind", ["anthems", "lords"])
def test_the_largest_boards_of_the_benchmark_are_not_too_much_work(kind: str) -> None:
    """They would be if effects did not recognise the groups that they reached before."""
    size = max(BOARD_SIZES)
    bear = evaluation.evaluate_layers(board_of(kind, size), CR).look(f"c{size - 1}")

    assert bear.power == 2 + size // 10


def test_check_says_that_a_table_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_work, "MOST_WORK", 10)
    path = tmp_path / "board.yaml"
    entries = "".join(f"  - {{id: anthem{n}, card: Glorious Anthem, controller: alice}}\n" for n in range(9))
    path.write_text(f"setup:\n{entries}", encoding="utf-8")

    (problem,) = problems_in(path, findings_when_played)

    assert problem.what.startswith("the reference engine does not play a board of ")
    assert problem.cure == "set up fewer permanents, or expect nothing of our engine"


def test_engine_answers_that_it_does_not_play_a_table_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(at_work, "MOST_WORK", 10)
    setup = with_permanents([ANTHEM] * 9)
    cards = tuple(map(CardInPlay, setup.cards))
    play = Play(setup.players, setup.start, cards, setup.objects, setup.arrivals)

    with pytest.raises(CannotPlay, match="so many effects"):
        Reference().play(play)

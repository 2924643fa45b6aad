"""The layers, worked out fast and literally, and what can be said of any board without an oracle."""

from __future__ import annotations

import pytest
from hypothesis import given

from adapters.in_process import starting_game
from conformance.library import pool
from conformance.scenario import Play
from conformance.strategies.boards import boards
from conformance.strategies.means import Means
from reference_engine.board import Board, Lasting, Pile, Seat, SettledPart, Thing
from reference_engine.cards import (
    AddTypes,
    All,
    Base,
    Card,
    Compare,
    Count,
    Defines,
    Exists,
    Filter,
    Gain,
    HandSize,
    Keyword,
    LoseAllAbilities,
    Modify,
    Operation,
    Part,
    ReplaceWord,
    Static,
    Switch,
    This,
    You,
)
from reference_engine.characteristics import Characteristics, printed
from reference_engine.game_rules import CR as GAME
from reference_engine.game_rules import GameRules
from reference_engine.layers import copiable_values, evaluate, maximum_hand_size, traced, worked_out
from reference_engine.rules import CR
from tests.plain_layers import plainly

CREATURES = All(type=frozenset({"Creature"}))


def board_of(play: Play) -> Board:
    """The board of a play's setup."""
    return starting_game(play, GAME).board


def board(*cards: Card, effects: tuple[Lasting, ...] = ()) -> Board:
    """Alice's permanents c0, c1, … in the order in which they entered."""
    things = {
        f"c{n}": Thing(f"c{n}", card, "alice", "battlefield", n + 1, "alice") for n, card in enumerate(cards)
    }
    return Board((Seat("alice"), Seat("bob")), things, effects, active="alice")


def bear(*abilities: Static | Defines | Keyword) -> Card:
    """A 2/2 creature with these abilities."""
    return Card(
        "Test Bear",
        frozenset({"Creature"}),
        cost="{1}{G}",
        subtypes=frozenset({"Bear"}),
        power=2,
        toughness=2,
        abilities=abilities,
    )


def static(*operations: Operation, affects: All | This = CREATURES) -> Static:
    """A static ability of one part."""
    return Static((Part(affects, operations),))


def until_later(id: str, timestamp: int, *operations: Operation, of: str = "c0") -> Lasting:
    """An effect on one permanent that a resolution began."""
    return Lasting(id, of, "alice", timestamp, (SettledPart(frozenset({of}), operations),))


def size(board: Board, id: str = "c0") -> tuple[int | None, int | None]:
    """Power and toughness of a permanent."""
    seen = evaluate(board, CR)
    return seen.power(id), seen.toughness(id)


# -------------------------------------------------------------------------- on generated boards


@given(boards())
def test_the_fast_way_and_the_plainest_way_agree(play: Play) -> None:
    table = board_of(play)
    plain = plainly(table)
    seen = worked_out(table, CR)
    assert {id: plain[id] for id in table.things} == {id: seen.look(id) for id in table.things}


@given(boards())
def test_watching_changes_nothing(play: Play) -> None:
    table = board_of(play)
    seen, watched = worked_out(table, CR), traced(table, CR)
    assert all(seen.look(id) == watched.look(id) for id in table.things)


@given(boards(Means(lacks=frozenset({"face down"}))))
def test_the_changes_told_lead_from_what_is_printed_to_what_is_seen(play: Play) -> None:
    table = board_of(play)
    looks: dict[str, Characteristics] = {
        thing.id: printed(thing.card, thing.controller) for thing in table.things.values()
    }
    seen = traced(table, CR)
    for step in seen.steps:
        for change in step.changes:
            for id in change.ids:
                assert looks[id] == change.before
                looks[id] = change.after
    assert looks == {id: seen.look(id) for id in table.things}


def test_everything_in_the_pool_at_once() -> None:
    cards = [card for card in pool().values() if not card.types & {"Instant", "Sorcery"}]
    table = board(*cards)
    assert len(table.things) == len(cards)
    assert all(evaluate(table, CR).look(id).name for id in table.things)


def test_an_unchanged_board_is_worked_out_once() -> None:
    table = board(bear())
    assert evaluate(table, CR) is evaluate(table, CR)
    assert evaluate(table, GameRules.on("2020-01-01")) is not evaluate(table, CR)


# ------------------------------------------------------------------------------------- by hand


def test_switched_sizes_are_added_to_before_they_are_switched() -> None:
    effects = (
        until_later("toughness", 10, Modify(0, 1)),
        until_later("switch", 11, Switch()),
        until_later("power", 12, Modify(5, 0)),
    )
    assert size(board(bear(), effects=effects)) == (3, 7)


def test_counters_modify_whatever_sets_the_base() -> None:
    table = board(bear(static(Base(0, 1))))
    counted = table.with_things(
        Thing(
            "c0",
            table.things["c0"].card,
            "alice",
            "battlefield",
            1,
            "alice",
            counters=(Pile("+1/+1", 2, 3), Pile("flying", 1, 4), Pile("charge", 5, 5)),
        )
    )
    assert size(counted) == (2, 3)
    assert evaluate(counted, CR).look("c0").has_keyword("flying")


def test_a_condition_is_asked_in_the_first_layer_and_not_again() -> None:
    # The condition holds while types are applied; the creature that made it hold is gone by layer 7.
    grants = Static(
        (Part(CREATURES, (AddTypes(subtypes=frozenset({"Goblin"})), Modify(1, 1))),),
        cond=Exists(All(keyword=frozenset({"flying"}))),
    )
    table = board(bear(grants), bear(Keyword("flying")), bear(static(LoseAllAbilities())))
    assert size(table) == (3, 3)
    never = board(bear(grants), bear(), bear(static(Gain((Keyword("flying"),)))))
    assert size(never) == (2, 2)


def test_a_quantity_is_worked_out_for_each_object_and_moment() -> None:
    counts = static(Modify(Count(CREATURES), 0))
    assert size(board(bear(counts), bear(), bear())) == (5, 2)


def test_a_condition_that_compares() -> None:
    many = Static((Part(This(), (Modify(3, 0),)),), cond=Compare(Count(CREATURES), ">=", 2))
    assert size(board(bear(many))) == (2, 2)
    assert size(board(bear(many), bear())) == (5, 2)


def test_words_are_replaced_in_rules_text_and_type_line() -> None:
    lord = bear(static(Modify(1, 1), affects=All(type=frozenset({"Creature"}), subtype=frozenset({"Bear"}))))
    becomes_elf = until_later("word", 9, ReplaceWord(frozenset({"creature type"}), "Bear", "Elf"))
    table = board(lord, bear(), effects=(becomes_elf,))
    assert size(table) == (3, 3)
    assert size(table, "c1") == (2, 2)
    assert evaluate(table, CR).look("c0").subtypes == {"Elf"}


def test_copiable_values_are_those_before_control_and_all_later_layers() -> None:
    table = board(bear(static(Modify(4, 4))))
    assert copiable_values(table, "c0", CR).power == 2
    assert size(table) == (6, 6)


@pytest.mark.parametrize(("first", "second", "expected"), [("none", "set", 2), ("set", "none", None)])
def test_the_later_of_two_effects_on_hand_size_wins(first: str, second: str, expected: int | None) -> None:
    def rule(how: str) -> Static:
        return Static((Part(You(), (HandSize(how, 2),)),))  # type: ignore[arg-type]  # one of its words

    table = board(bear(rule(first)), bear(rule(second)))
    assert maximum_hand_size(evaluate(table, CR), "alice") == expected
    assert maximum_hand_size(evaluate(table, CR), "bob") == 7


def test_counters_had_a_sublayer_of_their_own_until_2020() -> None:
    table = board(bear(static(Switch())))
    seen = traced(table, GameRules.on("2019-07-12"))
    assert [seen.rules.label(step.layer, step.effect) for step in seen.steps] == ["7e"]
    assert [CR.label(step.layer, step.effect) for step in traced(table, CR).steps] == ["7d"]


def test_an_effect_on_what_has_no_abilities_waits_for_what_takes_them() -> None:
    plain = static(Gain((Keyword("trample"),)), affects=All(type=frozenset({"Creature"}), no_abilities=True))
    silence = Card("Test Silence", frozenset({"Enchantment"}), abilities=(static(LoseAllAbilities()),))
    giver = Card("Test Giver", frozenset({"Enchantment"}), abilities=(plain,))
    table = board(bear(Keyword("flying")), giver, silence)
    assert {keyword.keyword for keyword in evaluate(table, CR).look("c0").keywords} == {"trample"}


def test_filters_of_every_kind_read_the_board() -> None:
    thing = Thing("c0", bear(), "alice", "battlefield", 1, "alice", tapped=True, attacking="bob")
    table = Board((Seat("alice"), Seat("bob")), {"c0": thing}, active="alice")
    asking = evaluate(table, CR).asking("c0")
    from reference_engine.asking import matches

    assert matches(Filter(tapped=True, attacking=True, token=False, colorless=False), "c0", asking)
    assert not matches(Filter(multicolored=True), "c0", asking)
    assert not matches(Filter(any_of=(Filter(face_down=True), Filter(blocking=True))), "c0", asking)

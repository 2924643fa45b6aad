"""The layers, computed fast and literally, and properties of all boards that need no oracle."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from msgspec.structs import replace

from conformance.data.library import pool
from conformance.model.scenario import Play
from conformance.strategies.boards import boards
from conformance.strategies.means import Means
from conformance_adapters.in_process import start_of
from reference_engine.game.game_rules import CR as GAME
from reference_engine.game.game_rules import GameRules
from reference_engine.language.cards import (
    AddTypes,
    All,
    Base,
    Cannot,
    CannotHave,
    Card,
    Compare,
    Comparison,
    Condition,
    Count,
    Defines,
    Exists,
    Filter,
    Gain,
    HandSize,
    It,
    Keyword,
    Lose,
    LoseAllAbilities,
    Matches,
    Modify,
    Operation,
    Opponents,
    Part,
    PropertyOf,
    Quantity,
    ReplaceWord,
    Selector,
    SetColors,
    Static,
    Switch,
    TextOf,
    The,
    This,
    X,
    You,
)
from reference_engine.language.characteristics import Characteristics, printed_characteristics
from reference_engine.language.words import Supertype, WordKind
from reference_engine.layers.board import Board, ChoicesMade, Lasting, Pile, Seat, SettledPart, Thing, Things
from reference_engine.layers.effects import ASKING_BEYOND
from reference_engine.layers.evaluation import (
    affected_by_rule,
    copiable_values,
    evaluate,
    evaluate_layers,
    evaluate_with_trace,
    maximum_hand_size,
)
from reference_engine.layers.rules import CR, Rules
from tests.plain_layers import plainly
from tests.playing import of

CREATURES = All(type=frozenset({"Creature"}))


def board_of(play: Play) -> Board:
    """The board of a play's setup."""
    return start_of(play, GAME).board


def board(*cards: Card, effects: tuple[Lasting, ...] = ()) -> Board:
    """Alice's permanents c0, c1, … in the order in which they entered."""
    things = {
        f"c{n}": Thing(f"c{n}", card, "alice", "battlefield", n + 1, "alice") for n, card in enumerate(cards)
    }
    return Board((Seat("alice"), Seat("bob")), Things(things), effects, active="alice")


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


@pytest.mark.sweep
@given(boards())
def test_the_fast_way_and_the_plainest_way_agree(play: Play) -> None:
    table = board_of(play)
    plain = plainly(table)
    seen = evaluate_layers(table, CR)
    assert {id: plain[id] for id in table.things} == {id: seen.look(id) for id in table.things}


@pytest.mark.sweep
@given(boards())
def test_watching_changes_nothing(play: Play) -> None:
    table = board_of(play)
    seen, watched = evaluate_layers(table, CR), evaluate_with_trace(table, CR)
    assert all(seen.look(id) == watched.look(id) for id in table.things)


@pytest.mark.sweep
@given(boards(Means(lacks=frozenset({"face down"}))))
def test_the_changes_told_lead_from_what_is_printed_to_what_is_seen(play: Play) -> None:
    table = board_of(play)
    looks: dict[str, Characteristics] = {
        thing.id: printed_characteristics(thing.card, thing.controller) for thing in table.things.values()
    }
    seen = evaluate_with_trace(table, CR)
    for step in seen.steps:
        for change in step.changes:
            for id in change.ids:
                assert looks[id] == change.before
                looks[id] = change.after
    assert looks == {id: seen.look(id) for id in table.things}


@pytest.mark.sweep
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


def test_what_has_begun_with_objects_reaches_players_and_rules() -> None:
    """CR 613.6: even if the condition no longer holds and the ability is gone."""
    grants = Static(
        (
            Part(CREATURES, (AddTypes(subtypes=frozenset({"Goblin"})),)),
            Part(You(), (HandSize("set", 2), Gain((HEXPROOF,)))),
        ),
        cond=Exists(All(keyword=frozenset({"flying"}))),
    )
    began = evaluate(board(bear(grants), bear(Keyword("flying")), bear(static(LoseAllAbilities()))), CR)
    assert (maximum_hand_size(began, "alice"), began.players["alice"].keywords) == (2, frozenset({HEXPROOF}))
    never = evaluate(board(bear(grants), bear(), bear(FLYING)), CR)
    assert (maximum_hand_size(never, "alice"), never.players["alice"].keywords) == (7, frozenset())


def test_only_creatures_have_a_size_on_the_battlefield() -> None:
    """CR 208.3: elsewhere others have what is printed on them. CR 208.5: a creature without a value has 0."""
    animated = board(spell_like(static(AddTypes(types=frozenset({"Creature"})), affects=This())))
    assert size(animated) == (0, 0)
    table = board(replace(bear(), types=frozenset({"Artifact"}), subtypes=frozenset({"Vehicle"})))
    assert size(table) == (None, None)
    card = replace(table.things["c0"], zone="graveyard", controller=None)
    assert size(table.with_things(card)) == (2, 2)


def test_a_quantity_is_worked_out_for_each_object_and_moment() -> None:
    counts = static(Modify(Count(CREATURES), 0))
    assert size(board(bear(counts), bear(), bear())) == (5, 2)


def test_what_hangs_on_each_object_goes_on_in_later_layers() -> None:
    """CR 613.6: the same objects have their mana value as their size in layer 7b and one more in 7c."""
    value = PropertyOf("mana_value", It())
    grows = static(Base(value, value), Modify(1, 1))
    table = board(spell_like(grows), bear(), replace(bear(), cost="{4}"))
    assert (size(table, "c1"), size(table, "c2")) == ((3, 3), (5, 5))


def test_parts_of_one_effect_add_up() -> None:
    """CR 613.6: each keeps the objects it began with."""
    artifacts = AddTypes(types=frozenset({"Artifact"}))
    elves = All(type=frozenset({"Creature"}), subtype=frozenset({"Elf"}))
    parts = (
        Part(CREATURES, (artifacts, Modify(1, 1))),
        Part(elves, (artifacts, Modify(2, 0))),
        Part(This(), (Modify(0, 4),)),
    )
    elf = replace(bear(), subtypes=frozenset({"Elf"}))
    table = board(replace(elf, abilities=(Static(parts),)), elf, bear())
    assert [size(table, id) for id in table.things] == [(5, 7), (5, 3), (3, 3)]


def test_of_two_parts_the_second_works_on_what_the_first_has_changed() -> None:
    elves = All(type=frozenset({"Creature"}), subtype=frozenset({"Elf"}))
    parts = (Part(CREATURES, (Modify(1, 1),)), Part(elves, (Modify(2, 0),)))
    table = board(spell_like(Static(parts)), replace(bear(), subtypes=frozenset({"Elf"})), bear())
    assert (size(table, "c1"), size(table, "c2")) == ((5, 3), (3, 3))


def test_each_object_may_have_its_own_text_and_more() -> None:
    """CR 612.6: each object gets its own full text and the ability added to it."""
    more = static(TextOf(It(), (static(Modify(1, 0), affects=This()),)))
    table = board(bear(static(Modify(0, 1), affects=This())), spell_like(more))
    assert size(table) == (3, 3)


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


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([("plus", 2)], 9),
        ([("plus", -3), ("set", 4), ("plus", 1)], 5),
        ([("set", 4), ("none", 0), ("plus", 1)], None),
        ([("none", 0), ("set", 4)], 4),
    ],
)
def test_changes_of_the_hand_size_follow_each_other(
    rules: list[tuple[str, int]], expected: int | None
) -> None:
    """CR 613.11: in order of their timestamps; without a maximum there is nothing to add to."""
    cards = [bear(Static((Part(You(), (HandSize(how, n),)),))) for how, n in rules]  # type: ignore[arg-type]
    assert maximum_hand_size(evaluate(board(*cards), CR), "alice") == expected


HEXPROOF, SHROUD = Keyword("hexproof"), Keyword("shroud")


@pytest.mark.parametrize(
    ("operations", "kept"),
    [
        ([Gain((HEXPROOF,)), Gain((SHROUD,))], {HEXPROOF, SHROUD}),
        ([Gain((HEXPROOF, SHROUD)), Lose(frozenset({"hexproof"}))], {SHROUD}),
        ([Lose(frozenset({"hexproof"})), Gain((HEXPROOF,))], {HEXPROOF}),
        ([Gain((HEXPROOF, SHROUD)), CannotHave(frozenset({"hexproof"}))], {SHROUD}),
        ([CannotHave(frozenset({"hexproof"})), Gain((HEXPROOF, SHROUD))], {SHROUD}),
        (
            [
                CannotHave(frozenset({"hexproof"})),
                CannotHave(frozenset({"shroud"})),
                Gain((HEXPROOF, SHROUD)),
            ],
            set(),
        ),
        ([CannotHave(frozenset({"hexproof"})), Gain((SHROUD,)), Gain((HEXPROOF,))], {SHROUD}),
        (
            [CannotHave(frozenset({"hexproof"})), Lose(frozenset({"shroud"})), Gain((HEXPROOF, SHROUD))],
            {SHROUD},
        ),
    ],
)
def test_players_gain_and_lose_by_timestamp(operations: list[Operation], kept: set[Keyword]) -> None:
    """CR 613.10, but CR 113.11: they never get what they can't have."""
    cards = [bear(Static((Part(You(), (operation,)),))) for operation in operations]
    players = evaluate(board(*cards), CR).players
    assert (set(players["alice"].keywords), set(players["bob"].keywords)) == (kept, set())


def test_a_player_gains_protection_from_what_was_chosen_for_the_object() -> None:
    """CR 607.2d: the chosen colour is that of the object whose ability it is."""
    protected = Keyword("protection", what=Filter(color=frozenset({"chosen color"})))
    table = board(bear(Static((Part(You(), (Gain((protected,)),)),))))
    table = table.with_things(replace(table.things["c0"], chosen=ChoicesMade(color="red")))
    from_red = replace(protected, what=Filter(color=frozenset({"red"})))
    assert evaluate(table, CR).players["alice"].keywords == {from_red}


@pytest.mark.parametrize(
    ("meant", "ids"),
    [
        (All(controller=You()), ("c1", "c2")),
        (All(controller=The("them")), ("c0",)),
        (All(power=Comparison("<=", X())), ("c0", "c1")),
    ],
)
def test_an_effect_on_rules_means_what_its_words_meant_as_it_began(meant: All, ids: tuple[str, ...]) -> None:
    """CR 611.2d: its controller, the named players and the announced X stay, whoever controls its source."""
    parts = (SettledPart(meant, (Cannot(frozenset({"block"})),)),)
    law = Lasting("law", "c0", "bob", 10, parts, names=(("them", ("alice",)),), x=2)
    table = board(bear(), bear(), replace(bear(), power=3), effects=(law,))
    table = table.with_things(*(replace(table.things[id], controller="bob") for id in ("c1", "c2")))
    seen = evaluate(table, CR)
    [effect] = seen.rules_effects
    assert affected_by_rule(effect, seen) == ids


def test_questions_are_asked_for_an_objects_controller_or_for_whoever_asks() -> None:
    seen = evaluate(board(bear()), CR)
    assert (seen.asking("c0").your_id(), seen.asking("c0", "bob").your_id()) == ("alice", "bob")


def test_a_gained_ability_means_what_was_created_by_the_ability_gained_with_it() -> None:
    """CR 607.5: not what the object's own ability created."""
    bug = "{{name: Test {}, types: [Creature], subtypes: [Insect], colors: [black], pt: 1/1}}"
    text = f"""
cards:
  - name: Test Nest
    types: [Enchantment]
    abilities: {{activated: {{cost: {{mana: "{{1}}"}}, effect: {{create: {bug.format("Ant")}}}}}, name: ants}}
  - name: Test Queen
    types: [Enchantment]
    abilities:
      static:
        affects: {{all: permanents, name: Test Nest}}
        does:
          gain:
            - activated: {{cost: {{mana: "{{1}}"}}, effect: {{create: {bug.format("Bee")}}}}}
              name: bees
            - static: {{affects: {{all: creatures, put_by: this}}, does: {{modify: +0/+2}}}}
setup:
  - {{id: nest, card: Test Nest, controller: alice}}
  - {{id: queen, card: Test Queen, controller: alice}}
script:
  - {{activate: nest, ability: ants, by: alice}}
  - settle
  - {{call: {{Test Ant: [ant]}}}}
  - {{activate: nest, ability: bees, by: alice}}
  - settle
  - {{call: {{Test Bee: [bee]}}}}
"""
    assert (of(text, "ant").toughness, of(text, "bee").toughness) == (1, 3)


def test_each_step_is_reported_in_full() -> None:
    """CR 613.6: an effect goes on when its ability is gone; one whose condition fails never begins."""
    never = Static((Part(CREATURES, (Modify(9, 9),)),), cond=Exists(All(subtype=frozenset({"Elf"}))))
    goes_on = static(AddTypes(types=frozenset({"Artifact"})), Base(1, 1), affects=This())
    table = board(bear(goes_on), spell_like(silence()), spell_like(never), bear(static(Base(3, 3))))
    steps = evaluate_with_trace(table, CR).steps
    told = [(step.layer, step.effect.source, step.began, step.exists, step.applied) for step in steps]
    assert told == [
        ("4", "c0", True, True, True),
        ("6", "c1", True, True, True),
        ("7b", "c0", False, False, True),
        ("7b", "c3", True, True, True),
        ("7c", "c2", True, True, False),
    ]
    assert [[effect.source for effect in step.waiting] for step in steps] == [
        ["c0"],
        ["c1"],
        ["c3", "c0"],
        ["c3"],
        ["c2"],
    ]
    assert [{id for change in step.changes for id in change.ids} for step in steps] == [
        {"c0"},
        {"c0"},
        {"c0"},
        {"c0", "c3"},
        set(),
    ]
    assert all(step.waits_for == {effect: {} for effect in step.waiting} for step in steps)


def test_a_step_tells_who_waits_for_whom() -> None:
    table = board(artifact(FLYING), bear(FLYING), spell_like(silence()))
    first = evaluate_with_trace(table, CR).steps[0]
    waits = {
        one.source: {other.source: why for other, why in others.items()}
        for one, others in first.waits_for.items()
    }
    assert (first.effect.source, waits) == ("c1", {"c0": {"c2": "existence"}, "c1": {}, "c2": {}})


FLYING = static(Gain((Keyword("flying"),)))
SMALL = All(type=frozenset({"Creature"}), power=Comparison("<=", 3))
LARGE = All(type=frozenset({"Creature"}), power=Comparison(">=", 4))
HUGE = All(type=frozenset({"Creature"}), power=Comparison(">=", 9))
GOBLINS = All(type=frozenset({"Creature"}), subtype=frozenset({"Goblin"}))
GROWS = static(Base(5, 5), affects=All(type=frozenset({"Creature"}), subtype=frozenset({"Elf"})))
WORDS: frozenset[WordKind] = frozenset({"creature type"})


def only_if(cond: Condition) -> Static:
    """Under a condition, all creatures are 1/1."""
    return Static((Part(CREATURES, (Base(1, 1),)),), cond=cond)


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (FLYING, static(LoseAllAbilities()), "existence"),
        (static(ReplaceWord(WORDS, "Bear", "Elf")), static(ReplaceWord(WORDS, "Elf", "Goblin")), "text"),
        (static(Base(1, 1), affects=LARGE), GROWS, "set"),
        (static(Base(Count(LARGE), 1)), GROWS, "operation"),
        (static(Base(1, 1), affects=SMALL), GROWS, "set"),
        (static(Base(1, PropertyOf("power", It()))), GROWS, "operation"),
        (only_if(Exists(LARGE)), GROWS, "existence"),
        (only_if(Exists(HUGE)), GROWS, None),
        (static(Base(1, 1)), GROWS, None),
        (static(Base(Count(LARGE), 1), affects=GOBLINS), GROWS, None),
    ],
)
def test_why_an_effect_waits(one: Static, other: Static, why: str | None) -> None:
    """CR 613.8a: the other would remove or create it, or change its text, what it applies to or what it does
    to that; changing what it would do to others does not count.
    """
    elf = replace(bear(), subtypes=frozenset({"Elf"}))
    [first, *_] = evaluate_with_trace(board(bear(one), spell_like(other), elf), CR).steps
    reasons = {waiting.source: list(others.values()) for waiting, others in first.waits_for.items()}
    assert reasons["c0"] == ([] if why is None else [why])


OLD = "2019-07-12"


@pytest.mark.parametrize("counters_since", [1, 10])
def test_counters_had_a_sublayer_of_their_own_until_2020(counters_since: int) -> None:
    """Counters modified after everything else, whatever their timestamps, and nothing waited for them."""
    for_each_large = Modify(Count(All(type=frozenset({"Creature"}), power=Comparison(">=", 3))), 0)
    table = board(
        bear(), bear(static(for_each_large, affects=This())), bear(static(Switch(), affects=This()))
    )
    table = table.with_things(replace(table.things["c0"], counters=(Pile("+1/+1", 1, counters_since),)))
    assert size(table, "c1") == (3, 2)
    old = GameRules.on(OLD)
    then = evaluate_with_trace(table, old)
    assert (then.power("c0"), then.power("c1")) == (3, 2)
    assert [old.label(step.layer, step.effect) for step in then.steps] == ["7c", "7d", "7e"]
    assert [CR.label(step.layer, step.effect) for step in evaluate_with_trace(table, CR).steps] == [
        "7c",
        "7c",
        "7d",
    ]
    static_ability, counters = (step.effect for step in then.steps[:2])
    assert [old.label(layer, static_ability) for layer in ("1a", "1b", "2", "7b")] == ["1", "1", "2", "7b"]
    assert [old.label(layer, counters) for layer in ("6", "7c")] == ["6", "7d"]


@pytest.mark.parametrize("rules", [CR, GameRules.on(OLD)], ids=["now", "until 2020"])
def test_what_defines_an_object_came_first_then_as_now(rules: Rules) -> None:
    """CR 613.3: whatever the timestamps."""
    green = static(SetColors(frozenset({"green"})))
    table = board(bear(green), bear(Defines((SetColors(frozenset()),))))
    assert evaluate_layers(table, rules).look("c1").colors == {"green"}


# ------------------------------------------------------------------- waiting, each effect for itself

ARTIFACTS = All(type=frozenset({"Artifact"}))


def artifact(*abilities: Static) -> Card:
    """A bear that is an artifact as well."""
    return replace(bear(*abilities), types=frozenset({"Artifact", "Creature"}))


def silence(cond: Condition | None = None, affects: All = ARTIFACTS) -> Static:
    """Artifacts lose all abilities."""
    return Static((Part(affects, (LoseAllAbilities(),)),), cond=cond)


def spell_like(*abilities: Static, legendary: bool = False) -> Card:
    """An enchantment with these abilities."""
    supertypes: frozenset[Supertype] = frozenset({"Legendary"} if legendary else ())
    return Card("Test Silence", frozenset({"Enchantment"}), supertypes=supertypes, abilities=abilities)


def fly(table: Board) -> set[str]:
    """The objects that fly."""
    return {id for id in table.things if evaluate(table, CR).look(id).has_keyword("flying")}


def test_of_two_alike_only_the_one_that_would_be_gone_waits() -> None:
    """CR 613.8a: of two bears that make all creatures fly, silence would take the ability of one."""
    # The other goes first; then the artifact falls silent, and its own ability never applies.
    assert fly(board(artifact(FLYING), bear(FLYING), spell_like(silence()))) == {"c1"}


def test_of_two_that_take_flying_only_the_one_that_would_be_gone_waits() -> None:
    """CR 613.8a: the bear's effect goes before the younger one that gives flying, whichever bear is older."""
    gives, falls_silent = spell_like(FLYING), spell_like(silence())
    grounds = static(Lose(frozenset({"flying"})))
    assert fly(board(artifact(grounds), bear(grounds), gives, falls_silent)) == {"c1"}
    assert fly(board(bear(grounds), gives, artifact(grounds), falls_silent)) == {"c0"}


def test_what_is_alike_takes_abilities_only_if_its_own_condition_holds() -> None:
    """CR 613.8a: the bear waits for the legendary one of the two, and has nothing to give by then."""
    if_legendary = Matches(This(), Filter(supertype=frozenset({"Legendary"})))
    takers = [spell_like(silence(if_legendary), legendary=legendary) for legendary in (False, True)]
    assert fly(board(artifact(FLYING), bear(), *takers)) == set()
    assert fly(board(artifact(FLYING), bear(), takers[0])) == {"c0", "c1"}


def test_what_is_alike_takes_abilities_only_of_its_own_opponents() -> None:
    """CR 613.8a: the bear waits for what its controller's opponent has, not for what its controller has."""
    theirs = spell_like(silence(affects=replace(ARTIFACTS, controller=Opponents())))
    table = board(artifact(FLYING), bear(), theirs, theirs)
    assert fly(table) == {"c0", "c1"}
    assert fly(table.with_things(replace(table.things["c3"], controller="bob"))) == set()


def test_what_resolved_alike_takes_abilities_only_of_its_own_object() -> None:
    """CR 613.8a, 611.2c: the bear waits for the effect on it, not for the one on another."""
    takes = [until_later(id, 10, LoseAllAbilities(), of=id) for id in ("c1", "c0")]
    assert fly(board(bear(FLYING), bear(), bear(), effects=(takes[0], takes[1]))) == set()
    assert fly(board(bear(FLYING), bear(), bear(), effects=(takes[0],))) == {"c0", "c2"}


@pytest.mark.parametrize(("power", "expected"), [(4, (1, 1)), (2, (2, 2))])
def test_what_has_begun_waits_for_other_things_than_what_is_alike_and_has_not(
    power: int, expected: tuple[int, int]
) -> None:
    """CR 613.6, 613.8a: one keeps the set it began with; the other, gained in layer 6, has none yet."""
    large = All(type=frozenset({"Creature"}), power=Comparison(">=", 4))
    small = static(AddTypes(types=frozenset({"Artifact"})), Base(1, 1), affects=large)
    giant = replace(bear(), power=power, toughness=power)
    elf = replace(bear(), subtypes=frozenset({"Elf"}))
    grows = static(Base(5, 5), affects=All(subtype=frozenset({"Elf"})))
    gives = static(Gain((small,)), affects=All(type=frozenset({"Enchantment"}), name="Test Other"))
    other = replace(spell_like(), name="Test Other")
    table = board(giant, elf, spell_like(small), other, spell_like(gives), spell_like(grows))
    # In layer 7b the effect that was gained waits for the elf to grow, and then makes it small.
    assert (size(table, "c0"), size(table, "c1")) == (expected, (1, 1))
    alone = board(giant, elf, spell_like(small), other, spell_like(), spell_like(grows))
    assert (size(alone, "c0"), size(alone, "c1")) == (expected, (5, 5))


def test_what_began_alike_with_other_objects_waits_by_itself() -> None:
    """CR 613.8b: the three effects on types are a loop, so that the first begins without the ogre.

    CR 613.6, 613.8a: in layer 7b only the one that began with the ogre waits for the ogre to grow.
    """

    def of_type(subtype: str) -> All:
        return All(subtype=frozenset({subtype}))

    def are_also(subtype: str) -> AddTypes:
        return AddTypes(subtypes=frozenset({subtype}))

    flat = spell_like(static(are_also("Goblin"), Base(2, PropertyOf("power", It())), affects=of_type("Elf")))
    elf = replace(bear(), subtypes=frozenset({"Elf"}))
    ogre = replace(bear(), subtypes=frozenset({"Goblin", "Ogre"}))
    table = board(
        elf,
        ogre,
        flat,
        spell_like(static(are_also("Elf"), affects=of_type("Goblin"))),
        flat,
        spell_like(static(Base(5, 5), affects=of_type("Ogre"))),
    )
    assert (size(table, "c0"), size(table, "c1")) == ((2, 2), (2, 5))


def test_what_goes_on_without_its_ability_still_waits() -> None:
    """CR 613.6, 613.8a: it began with the types, and what it does in layer 7b is not determined yet."""
    large = Count(All(type=frozenset({"Creature"}), power=Comparison(">=", 4)))
    counts = static(AddTypes(types=frozenset({"Artifact"})), Base(large, large), affects=This())
    grows = static(Base(5, 5), affects=All(subtype=frozenset({"Elf"})))
    elf = replace(bear(), subtypes=frozenset({"Elf"}))
    assert size(board(bear(counts), elf, spell_like(silence()), spell_like(grows))) == (1, 1)


def test_what_is_gained_applies_in_its_turn() -> None:
    """CR 613.7a, 613.8c: an ability is as old as the effect that gave it, and goes before a younger one."""
    gift = until_later("gift", 5, Gain((FLYING,)))
    loses = until_later("loses", 10, Lose(frozenset({"flying"})), of="c1")
    assert fly(board(bear(), bear(), effects=(gift, loses))) == {"c0"}


def test_what_the_only_effect_of_a_layer_gives_works_in_that_layer_too() -> None:
    """CR 613.8c: after the one remaining effect is applied, the remaining effects are determined again."""
    gift = until_later("gift", 5, Gain((FLYING,)))
    assert fly(board(bear(), bear(), effects=(gift,))) == {"c0", "c1"}


def test_nothing_waits_for_itself() -> None:
    """CR 613.8a: an effect depends on another, never on itself."""
    for table in (board(bear(static(LoseAllAbilities()))), board(bear(static(Base(Count(CREATURES), 1))))):
        steps = evaluate_with_trace(table, CR).steps
        assert steps
        assert all(not step.waits_for[step.effect] for step in steps)


def test_an_effect_on_what_has_no_abilities_waits_for_what_takes_them() -> None:
    plain = static(Gain((Keyword("trample"),)), affects=All(type=frozenset({"Creature"}), no_abilities=True))
    silence = Card("Test Silence", frozenset({"Enchantment"}), abilities=(static(LoseAllAbilities()),))
    giver = Card("Test Giver", frozenset({"Enchantment"}), abilities=(plain,))
    table = board(bear(Keyword("flying")), giver, silence)
    assert {keyword.keyword for keyword in evaluate(table, CR).look("c0").keywords} == {"trample"}


def test_filters_of_every_kind_read_the_board() -> None:
    thing = Thing("c0", bear(), "alice", "battlefield", 1, "alice", tapped=True, attacking="bob")
    table = Board((Seat("alice"), Seat("bob")), Things({"c0": thing}), active="alice")
    asking = evaluate(table, CR).asking("c0")
    from reference_engine.layers.asking import matches

    assert matches(Filter(tapped=True, attacking=True, token=False, colorless=False), "c0", asking)
    assert not matches(Filter(multicolored=True), "c0", asking)
    assert not matches(Filter(any_of=(Filter(face_down=True), Filter(blocking=True))), "c0", asking)


def test_equal_keywords_of_the_two_halves_of_a_split_card_are_two() -> None:
    """CR 709.4c: the combined card has each ability of either half; CR 113.2c: equal ones work separately."""
    halves = tuple(
        Card(name, frozenset({"Sorcery"}), "{1}", abilities=(Keyword("storm"), Keyword("flying")))
        for name in ("Test Left", "Test Right")
    )
    card = Card("Test Left // Test Right", frozenset({"Sorcery"}), halves=halves)

    look = printed_characteristics(card)

    assert ["flying", "storm", "storm"] == sorted(held.keyword for held in look.keywords)


def test_further_instances_of_one_half_stay_beside_those_of_the_other() -> None:
    left = Card("Test Left", frozenset({"Sorcery"}), "{1}", abilities=(Keyword("storm"),))
    right = replace(left, name="Test Right", abilities=(Keyword("storm"), Keyword("storm")))
    card = Card("Test Left // Test Right", frozenset({"Sorcery"}), halves=(left, right))

    assert 3 == len(printed_characteristics(card).keywords)


ABOUT_OBJECTS = {
    *("This", "Attached", "It", "The", "All", "You", "ChosenPlayer", "SourceOf"),
    *("int", "X", "ChosenNumber", "Count", "PropertyOf", "Sum", "Times", "AtLeast", "ThatMuch", "Devotion"),
    *("Compare", "Matches", "Exists", "Was", "Not", "AllOf", "AnyOf"),
}
"""Words whose value stays while the objects and the lasting effects do, or that `asks_beyond` looks into."""


def test_it_is_known_of_every_word_whether_it_asks_about_more_than_the_objects() -> None:
    """A board keeps its looks while its objects stay, so words about players or time have to be listed."""
    words = {word.__name__ for words in (Selector, Quantity, Condition) for word in get_args(words)}

    assert ABOUT_OBJECTS == words - {word.__name__ for word in ASKING_BEYOND}


@pytest.mark.parametrize("deed", ["lose_types: Land", "set_types: Creature"])
def test_what_is_no_land_any_more_has_lost_the_ability_of_its_land_type(deed: str) -> None:
    """CR 613.8a, 205.1a, 305.6: the older effect waits, as it applies to what has no ability any more."""
    text = f"""
cards:
  - {{name: Test Arbor, types: [Land, Creature], subtypes: [Forest, Dryad], pt: 1/1}}
  - name: Test Rust
    types: [Enchantment]
    abilities:
      - static: {{affects: {{all: permanents, no_abilities: yes}}, does: {{add_types: Artifact}}}}
  - name: Test Drift
    types: [Enchantment]
    abilities: [{{static: {{affects: creatures, does: {{{deed}}}}}}}]
setup:
  - {{id: arbor, card: Test Arbor, controller: alice}}
  - {{id: rust, card: Test Rust, controller: alice}}
  - {{id: drift, card: Test Drift, controller: alice}}
"""
    assert frozenset({"Artifact", "Creature"}) == of(text, "arbor").types

"""The legal actions, in the script's words, and the legal answers (looks report them as `legal`)."""

from __future__ import annotations

import pytest

from conformance_adapters.in_process import Reference
from reference_engine.game.game import Question
from reference_engine.game.legal import legal_actions, legal_answers, next_states, worded_actions
from reference_engine.language.actions import Activate, Assign, Attack, Block, CastAction, CostPaid, Share
from tests.playing import left, table


def words(text: str) -> set[str]:
    """The legal actions at the end of a script."""
    return set(worded_actions(left(text)))


def ways(text: str, what: str) -> set[tuple[object, ...]]:
    """The legal ways to cast or activate something: modes, X, targets."""
    return {
        (action.modes, action.x, action.targets)
        for action in legal_actions(left(text))
        if isinstance(action, CastAction | Activate) and action.what == what
    }


def test_what_may_be_done_with_a_hand_and_a_board() -> None:
    assert {
        "pass alice",
        "play forest",
        "cast bear",
        "cast angel",
        "cast angel face_down",
        "activate elves mana",
        "turn_up hidden",
    } == words("""
players:
  alice: {hand: [{forest: Forest}, {bear: Runeclaw Bear}, {angel: Exalted Angel}, {cancel: Cancel}]}
  bob: {hand: [{shock: Shock}]}
setup:
  - {id: elves, card: Llanowar Elves, controller: alice}
  - {id: hidden, card: Exalted Angel, controller: alice, face_down: yes}
""")


def test_in_response_only_instants_and_abilities() -> None:
    assert {"pass bob", "cast shock", "cast nope"} == words("""
players:
  alice: {hand: [{bear: Runeclaw Bear}, {forest: Forest}]}
  bob: {hand: [{shock: Shock}, {nope: Cancel}, {ogre: Gray Ogre}]}
script: [{cast: bear, by: alice}, {pass: alice}]
""")


def test_modes_targets_and_x() -> None:
    hand = "players: {alice: {hand: [{charm: SPELL}]}, bob: {}}\n"
    setup = """
setup:
  - {id: bear, card: Runeclaw Bear, controller: bob}
  - {id: flag, card: Levitation, controller: bob}
"""
    assert {
        ((1,), None, (("bear",),)),
        ((1,), None, (("flag",),)),
        ((2,), None, (("flag",),)),
        ((3,), None, (("bear",),)),
    } == ways(hand.replace("SPELL", "Emerald Charm") + setup, "charm")
    assert {((), x, ((to,),)) for x in range(4) for to in ("alice", "bob", "bear")} == ways(
        hand.replace("SPELL", "Blaze") + setup, "charm"
    )


def test_more_ways_of_paying() -> None:
    text = """
cards:
  - name: Test Offer
    cost: "{2}{U}"
    types: [Instant]
    abilities:
      - {kicker: "{1}"}
      - {buyback: "{3}"}
      - spell: {effect: {draw: 1}}
  - name: Test Choice
    cost: "{U}"
    types: [Instant]
    abilities:
      - {entwine: "{2}"}
      - spell: {modes: [{effect: {draw: 1}}, {effect: {gain_life: 1}}]}
players:
  alice: {hand: [{offer: Test Offer}, {choice: Test Choice}], graveyard: [{think: Think Twice}]}
  bob: {}
"""
    costs = {
        (action.what, *[(paid.kind, paid.ids, paid.n) for paid in action.costs])
        for action in legal_actions(left(text))
        if isinstance(action, CastAction)
    }
    assert {
        ("offer",),
        ("offer", ("kicked", (), 1)),
        ("offer", ("additional", ("buyback",), None)),
        ("offer", ("additional", ("buyback",), None), ("kicked", (), 1)),
        ("choice",),
        ("choice", ("additional", ("entwine",), None)),
        ("think", ("method", ("flashback",), None)),
    } == costs


def test_flash_for_a_cost_is_offered() -> None:
    text = """
players: {alice: {hand: [{rout: Rout}]}, bob: {}}
start: {step: upkeep}
script: [{cast: rout, by: alice, costs: {additional: flash}}]
"""
    upkeep, main = text.partition("script")[0], text.partition("start")[0]
    with_flash = CostPaid("additional", ("flash",))
    assert [(with_flash,)] == [a.costs for a in legal_actions(left(upkeep)) if isinstance(a, CastAction)]
    assert [(), (with_flash,)] == [a.costs for a in legal_actions(left(main)) if isinstance(a, CastAction)]


def test_alternative_costs_are_offered() -> None:
    text = """
players: {alice: {hand: [{force: Force of Will}, {spare: Counterspell}, {bear: Runeclaw Bear}]}, bob: {}}
script: [{cast: bear, by: alice}]
"""
    methods = {
        paid.ids
        for action in legal_actions(left(text))
        if isinstance(action, CastAction) and action.what == "force"
        for paid in action.costs
    }
    assert len(methods) == 1
    outcomes = {
        after.board.things["spare"].zone
        for action in legal_actions(left(text))
        if isinstance(action, CastAction) and action.what == "force" and action.costs
        for _, after in next_states(left(text), action)
    }
    assert {"exile"} == outcomes


def test_mana_of_any_colour_is_offered_in_each() -> None:
    text = "setup: [{id: lotus, card: Black Lotus, controller: alice}]"
    made = {action.produces for action in legal_actions(left(text)) if isinstance(action, Activate)}
    assert {"white", "blue", "black", "red", "green"} == made


def test_mana_that_is_offered_is_named_in_words_and_made() -> None:
    text = """
cards:
  - {name: Test Mountain Plains, types: [Land], subtypes: [Mountain, Plains]}
  - {name: Test Ruin, types: [Land], abilities: [{activated: {cost: tap, effect: {add_mana: "{C}{C}"}}}]}
  - {name: Test Border, types: [Land], abilities: [{activated: {cost: tap, effect: {add_mana: "{B}{R}"}}}]}
setup:
  - {id: hill, card: Test Mountain Plains, controller: alice}
  - {id: ruin, card: Test Ruin, controller: alice}
  - {id: border, card: Test Border, controller: alice}
"""
    made = {
        (action.what, action.produces, after.pools.get("alice", ""))
        for action in legal_actions(left(text))
        if isinstance(action, Activate)
        for _, after in next_states(left(text), action)
    }
    assert {
        ("hill", "red", "R"),
        ("hill", "white", "W"),
        ("ruin", "colorless", "CC"),
        ("border", None, "BR"),
    } == made


COMBAT = """
start: {turn: alice, step: beginning of combat}
cards: [{name: Test Hydra, types: [Creature], pt: 3/3}]
setup:
  - {id: hydra, card: Test Hydra, controller: alice}
  - {id: wurm, card: Test Hydra, controller: alice, tapped: yes}
  - {id: bear, card: Runeclaw Bear, controller: bob}
  - {id: ogre, card: Gray Ogre, controller: bob}
  - {id: jace, card: "Jace, the Mind Sculptor", controller: bob}
script:
  - {pass: everyone}
"""


def test_declarations() -> None:
    game = left(COMBAT)
    attacks = {
        tuple((one.attacker, one.attacks) for one in action.attackers)
        for action in legal_actions(game)
        if isinstance(action, Attack)
    }
    assert {(), (("hydra", "bob"),), (("hydra", "jace"),)} == attacks
    assert ("attack alice",) == worded_actions(game)

    blocking = COMBAT + "  - {attack: {hydra: jace}, by: alice}\n  - {pass: everyone}\n"
    blocks = {
        tuple(one.blocker for one in action.blockers)
        for action in legal_actions(left(blocking))
        if isinstance(action, Block)
    }
    assert {(), ("bear",), ("ogre",), ("bear", "ogre")} == blocks
    assert ("block bob",) == worded_actions(left(blocking))

    damage = blocking + "  - {block: {bear: [hydra], ogre: [hydra]}, by: bob}\n  - {pass: everyone}\n"
    ways_to_divide = {
        tuple((share.to, share.n) for share in action.assignments[0].shares)
        for action in legal_actions(left(damage))
        if isinstance(action, Assign)
    }
    assert {
        (("bear", 3),),
        (("bear", 2), ("ogre", 1)),
        (("bear", 1), ("ogre", 2)),
        (("ogre", 3),),
    } == ways_to_divide
    assert ("assign alice",) == worded_actions(left(damage))


def test_nothing_when_the_game_is_over() -> None:
    text = """
players: {alice: {life: 2, hand: [{shock: Shock}]}, bob: {}}
script: [{cast: shock, by: alice, targets: [alice]}, settle]
"""
    assert () == legal_actions(left(text))


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        (Question("order", "alice", ("upkeep",), ("a", "b")), {("a", "b"), ("b", "a")}),
        (Question("x", "alice", ("blaze",)), {(0,), (1,), (2,), (3,)}),
        (Question("color", "alice", ("it",), ("red", "blue")), {("red",), ("blue",)}),
        (Question("cards", "alice", ("it",), ("a", "b", "c"), 0, 1), {(), ("a",), ("b",), ("c",)}),
        (Question("cards", "alice", ("it",), ("a", "b", "c"), 2, 2), {("a", "b"), ("a", "c"), ("b", "c")}),
        (Question("name", "alice", ("it",), (), such_as=("Forest",)), {("Forest",)}),
        (
            Question("division", "alice", ("it",), ("a", "b"), 2, 2, 3),
            {(Share("a", 2), Share("b", 1)), (Share("a", 1), Share("b", 2))},
        ),
        (
            Question("word", "alice", ("it",), (), 2, 2),
            {
                (one, other)
                for one in ("Goblin", "Elf", "Saproling")
                for other in ("Goblin", "Elf", "Saproling")
                if one != other
            },
        ),
    ],
)
def test_answers(question: Question, answers: set[tuple[object, ...]]) -> None:
    found = legal_answers(left(""), question)
    assert answers == {choose.answer for choose in found}
    assert {question.askers[0]} == {choose.for_ for choose in found}


def test_pairs_of_words_are_of_one_kind() -> None:
    colors = legal_answers(
        left(""), Question("word", "alice", ("it",), ("white", "blue", "black", "red", "green"), 2, 2)
    )
    assert 20 == len(colors)


def test_every_way_that_an_action_may_go() -> None:
    game = left("""
players:
  alice: {hand: [{loot: Faithless Looting}, {a: Forest}, {b: Island}], library: {c: Swamp, d: Plains}}
  bob: {}
script: [{cast: loot, by: alice}, {pass: alice}]
""")
    hands = {frozenset(after.board.seats[0].hand) for _, after in next_states(game, legal_actions(game)[0])}
    assert 6 == len(hands)
    assert all(len(hand) == 2 for hand in hands)


def test_a_look_reports_what_is_legal() -> None:
    play = table("""
players: {alice: {hand: [{forest: Forest}]}, bob: {}}
expect: [{of: table, legal: ["pass alice", "play forest"]}]
""")
    assert ("pass alice", "play forest") == Reference().play(play).looks["end"].table.legal


def test_different_abilities_of_one_name_are_offered_once() -> None:
    text = """
cards:
  - name: Test Chapel
    types: [Enchantment]
    abilities:
      static:
        affects: creatures
        does: {gain: {activated: {cost: {mana: "{0}"}, effect: {gain_life: 1}, name: pray}}}
  - name: Test Cathedral
    types: [Enchantment]
    abilities:
      static:
        affects: creatures
        does: {gain: {activated: {cost: {mana: "{0}"}, effect: {draw: 1}, name: pray}}}
players: [alice, bob]
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: chapel, card: Test Chapel, controller: alice}
  - {id: cathedral, card: Test Cathedral, controller: alice}
"""
    assert {"pass alice", "activate bear pray"} == words(text)
    assert 1 == len(ways(text, "bear"))


def test_cards_that_may_be_played_from_elsewhere_are_offered() -> None:
    text = """
cards:
  - name: Test Open Grave
    types: [Enchantment]
    abilities: {static: {affects: you, does: {may_play: {all: cards, zones: graveyard, of: you}}}}
players:
  alice: {graveyard: [{bear: Runeclaw Bear}, {wood: Forest}]}
  bob: {graveyard: [{ogre: Gray Ogre}]}
setup:
  - {id: grave, card: Test Open Grave, controller: alice}
"""
    assert {"pass alice", "cast bear", "play wood"} == set(worded_actions(left(text)))

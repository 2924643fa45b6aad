"""The names of objects on the stack, and the targets and choices that their texts require."""

from __future__ import annotations

import pytest

from tests.playing import game_of, of, player, seen, the_table, tried

SPRING = """
cards:
  - name: Test Spring
    types: [Enchantment]
    abilities: [{activated: {cost: {life: 1}, effect: {gain_life: 2}, name: drink}}]
  - name: Test Hush
    types: [Instant]
    cost: "{0}"
    abilities: {spell: {targets: {stack: [activated]}, effect: {counter: target}}}
players: {alice: {hand: [{hush: Test Hush}]}, bob: {}}
setup: [{id: spring, card: Test Spring, controller: alice}]
script:
  - {activate: spring, ability: drink, by: alice}
  - {activate: spring, ability: drink, by: alice, as: cup}
  - {activate: spring, ability: drink, by: alice}
  - {activate: spring, ability: drink, by: alice}
"""


def test_objects_of_one_name_are_numbered_from_the_bottom() -> None:
    named = ("drink of spring", "cup", "drink of spring (2)", "drink of spring (3)")
    assert named == the_table(SPRING).stack


def test_a_target_on_the_stack_has_its_name_there() -> None:
    aimed = SPRING + "  - {cast: hush, by: alice, targets: [drink of spring (2)]}\n"
    assert ("drink of spring (2)",) == of(aimed, "hush").targets
    # Twenty, less the four that were paid, and three of the four times two.
    assert 22 == player(aimed + "  - settle\n", "alice").life


ORCHARD = """
cards:
  - name: Test Orchard
    types: [Land]
    abilities: [{activated: {cost: tap, effect: {add_mana: any}, name: mana}}]
setup: [{id: orchard, card: Test Orchard, controller: alice}]
script:
  - {choose: color, by: alice, for: %s, answer: red}
  - {activate: orchard, ability: mana, by: alice}
"""


@pytest.mark.parametrize("asker", ["orchard", "mana of orchard"])
def test_what_never_was_on_the_stack_has_its_name_all_the_same(asker: str) -> None:
    assert "{R}" == player(ORCHARD % asker, "alice").pool


def cast(card: str, how: str, setup: str = "") -> str:
    """A card that alice casts for nothing, with a bear of hers and an ogre of bob's at hand."""
    return f"""
cards:
  - {{name: Test Card, cost: "{{0}}", {card}}}
players: {{alice: {{hand: [{{deed: Test Card}}]}}, bob: {{}}}}
setup:
  - {{id: bear, card: Runeclaw Bear, controller: alice}}
  - {{id: ogre, card: Gray Ogre, controller: bob}}
{setup}
script:
  - {{try: cast, action: {{cast: deed, by: alice{how}}}}}
"""


def came_to(text: str) -> str:
    """The outcome of the casting: done, rejected, or a question that nobody answered."""
    observed = game_of(text).observations
    return observed.tried["cast"] if observed.stopped is None else observed.stopped.why


@pytest.mark.parametrize(
    ("card", "how", "outcome"),
    [
        # CR 303.4a: an Aura spell needs a target, and no other permanent spell does.
        (
            "types: [Enchantment], subtypes: [Aura], abilities: {enchant: creatures}",
            ", targets: [bear]",
            "done",
        ),
        (
            "types: [Enchantment], subtypes: [Aura], abilities: {enchant: creatures}",
            ", targets: [bob]",
            "rejected",
        ),
        ("types: [Enchantment], subtypes: [Aura], abilities: {enchant: creatures}", "", "question"),
        ("types: [Enchantment], subtypes: [Aura], abilities: {enchant: players}", ", targets: [bob]", "done"),
        (
            "types: [Enchantment], subtypes: [Aura], abilities: {enchant: players}",
            ", targets: [bear]",
            "rejected",
        ),
        ("types: [Enchantment], abilities: {enchant: creatures}", "", "done"),
        ("types: [Enchantment], abilities: {enchant: creatures}", ", targets: [bear]", "rejected"),
        # CR 113.3a: only instants and sorceries have spell abilities.
        ("types: [Sorcery], abilities: {spell: {targets: creatures, effect: {tap: target}}}", "", "question"),
        ("types: [Artifact], abilities: {spell: {targets: creatures, effect: {tap: target}}}", "", "done"),
    ],
)
def test_what_is_to_be_targeted(card: str, how: str, outcome: str) -> None:
    assert outcome == came_to(cast(card, how))


MODES = """types: [Sorcery], abilities: {spell: {effect: {gain_life: 1}, modes_chosen: 1, modes_most: 2,
    modes: [{targets: creatures, effect: {tap: target}}, {effect: {gain_life: 4}},
    {effect: {gain_life: 16}}]}}"""


@pytest.mark.parametrize(
    ("how", "outcome", "life"),
    [
        ("", "rejected", None),
        (", modes: [2]", "done", 25),
        (", modes: [2, 3]", "done", 41),
        (", modes: [3]", "done", 37),
        (", modes: [1]", "question", None),
        (", modes: [1, 3], targets: [ogre]", "done", 37),
        (", modes: [1, 2, 3], targets: [ogre]", "rejected", None),
    ],
)
def test_modes_bring_their_targets_and_what_they_do(how: str, outcome: str, life: int | None) -> None:
    """CR 700.2a, 601.2c: the modes are chosen as it is cast, and only theirs are the targets."""
    text = cast(MODES, how)
    assert outcome == came_to(text)
    if life is not None:
        assert life == player(text + "  - settle\n", "alice").life


def test_modes_of_an_ability() -> None:
    text = """
cards:
  - name: Test Sage
    types: [Enchantment]
    abilities:
      - activated:
          cost: {life: 1}
          targets: players
          modes:
            - {targets: creatures, effect: {tap: target}}
            - {effect: {gain_life: 4}}
            - {effect: {gain_life: 16}}
          name: advise
setup:
  - {id: sage, card: Test Sage, controller: alice}
  - {id: ogre, card: Gray Ogre, controller: bob}
script:
  - {try: none, action: {activate: sage, ability: advise, by: alice, modes: [1], targets: [bob]}}
  - {try: both, action: {activate: sage, ability: advise, by: alice, modes: [1], targets: [bob, ogre]}}
  - {activate: sage, ability: advise, by: alice, modes: [3], targets: [bob]}
  - settle
"""
    assert {"none": "rejected", "both": "done"} == tried(text)
    assert 34 == player(text, "alice").life


KICKED = """types: [Sorcery], abilities: [{kicker: "{0}"}, {spell: {effect: {gain_life: 1},
    kicked_targets: {what: creatures, name: victim}, kicked: {tap: {the: victim}}}}]"""


@pytest.mark.parametrize(
    ("how", "outcome", "tapped"),
    [
        ("", "done", False),
        (", targets: [ogre]", "rejected", False),
        (", costs: {kicked: 1}", "question", False),
        (", costs: {kicked: 1}, targets: [ogre]", "done", True),
    ],
)
def test_what_a_kicked_spell_asks_and_does_besides(how: str, outcome: str, tapped: bool) -> None:
    """CR 601.2c: some targets are required only if an additional cost was paid."""
    text = cast(KICKED, how)
    assert outcome == came_to(text)
    if outcome == "done":
        assert tapped == of(text + "  - settle\n", "ogre").tapped


def test_you_is_who_activated_an_ability_whoever_has_its_source_by_now() -> None:
    """CR 109.5: so that a target of the ability is as legal as it was (CR 608.2b)."""
    text = """
cards:
  - name: Test Wand
    types: [Artifact]
    abilities:
      activated: {cost: {life: 1}, targets: {all: creatures, controller: you}, effect: {tap: target}}
      name: wave
  - name: Test Theft
    types: [Instant]
    cost: "{0}"
    abilities: {spell: {targets: artifacts, effect: {affects: target, does: {control: you}}}}
players: {alice: {}, bob: {hand: [{theft: Test Theft}]}}
setup:
  - {id: wand, card: Test Wand, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: alice}
script:
  - {activate: wand, ability: wave, by: alice, targets: [bear]}
  - {pass: alice}
  - {cast: theft, by: bob, targets: [wand]}
  - settle
"""
    assert ("bob", True) == (of(text, "wand").controller, of(text, "bear").tapped)


WATCH = """
cards:
  - name: Test Watch
    types: [Enchantment]
    abilities:
      triggered:
        when: %s
        targets: {all: creatures, controller: opponents, power: {"<=": %s}}
        effect: {tap: target}
      name: watch
  - name: Test Burn
    types: [Instant]
    cost: "{0}"
    abilities: {spell: {targets: players, effect: {damage: 2, to: target}}}
players: {alice: {hand: [{burn: Test Burn}, {ogre: Gray Ogre}]}, bob: {}}
setup:
  - {id: watch, card: Test Watch, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: bob}
  - {id: angel, card: Serra Angel, controller: bob}
script:
  - {cast: %s, by: alice}
  - settle
"""


@pytest.mark.parametrize(
    ("when", "power", "cast"),
    [
        ("{enters: {all: creatures, controller: you}}", "{property: power, of: it}", "ogre"),
        ("{deals_damage: spells, to: opponents}", "that much", "burn, targets: [bob]"),
    ],
)
def test_a_target_may_hang_on_what_triggered(when: str, power: str, cast: str) -> None:
    """CR 603.3d: of bear and angel, only the bear has power 2 or less, so nobody is asked."""
    text = WATCH % (when, power, cast)
    assert (True, False) == (of(text, "bear").tapped, of(text, "angel").tapped)


@pytest.mark.parametrize(("x", "outcome"), [(1, "rejected"), (2, "done")])
def test_a_target_may_hang_on_the_x_of_an_ability(x: int, outcome: str) -> None:
    """CR 601.2b, 602.2b: X is announced before the targets are."""
    text = f"""
cards:
  - name: Test Net
    types: [Artifact]
    abilities:
      activated:
        cost: {{mana: "{{X}}"}}
        targets: {{all: creatures, power: {{"<=": X}}}}
        effect: {{tap: target}}
      name: cast
setup:
  - {{id: net, card: Test Net, controller: alice}}
  - {{id: wood, card: Forest, controller: alice}}
  - {{id: grove, card: Forest, controller: alice}}
  - {{id: bear, card: Runeclaw Bear, controller: bob}}
script:
  - {{try: cast, action: {{activate: net, ability: cast, by: alice, x: {x}, targets: [bear], pay: auto}}}}
"""
    assert {"cast": outcome} == tried(text)


def test_a_target_may_be_what_a_gained_ability_exiled() -> None:
    """CR 607.5: abilities that one effect gave are linked to each other."""
    text = """
cards:
  - name: Test Lesson
    types: [Enchantment]
    abilities:
      static:
        affects: {all: creatures, controller: you}
        does:
          gain:
            - activated: {cost: {life: 1}, targets: artifacts, effect: {exile: target}}
              name: hide
            - activated:
                cost: {life: 1}
                targets: {all: cards, zones: exile, put_by: this}
                effect: {put: target, to: battlefield}
              name: show
  - {name: Test Relic, types: [Artifact]}
setup:
  - {id: lesson, card: Test Lesson, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: relic, card: Test Relic, controller: alice}
script:
  - {activate: bear, ability: hide, by: alice, targets: [relic]}
  - settle
  - {look: hidden}
  - {activate: bear, ability: show, by: alice, targets: [relic]}
  - settle
"""
    assert "exile" == seen(text, "hidden").objects["relic"].zone
    assert "battlefield" == of(text, "relic").zone

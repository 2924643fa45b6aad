"""What happens as permanents enter, and to objects that change zones (CR 400.7, 613.7m,
614, 616, 707)."""

from __future__ import annotations

import pytest

from reference_engine.game.game_rules import GameRules
from tests.playing import game_of, left, of, player, seen, stopped


def entering(abilities: str, script: str, setup: str = "", pt: str = "2/2", more: str = "") -> str:
    """A script in which alice has a creature in hand that does something as it enters."""
    return f"""
cards:
  - {{name: Test Comer, cost: "{{3}}", types: [Creature], pt: {pt}, abilities: {abilities}}}
{more}
players: {{alice: {{hand: [{{comer: Test Comer}}, {{shock: Shock}}]}}, bob: {{}}, carol: {{}}}}
setup:
  - {{id: bear, card: Runeclaw Bear, controller: bob}}
{setup}
script:
{script}
"""


CAST = "  - {cast: comer, by: alice}\n  - settle\n"


@pytest.mark.parametrize(
    ("choice", "kind", "answer", "look"),
    [
        ("{choose: color}", "color", "blue", "colors"),
        ("{choose: word, of: color}", "word", "blue", "colors"),
        ("{choose: type, of: creature type}", "type", "Elf", "subtypes"),
        ("{choose: type, of: basic land type}", "type", "Island", "land"),
    ],
)
def test_words_chosen_as_it_enters(choice: str, kind: str, answer: str, look: str) -> None:
    does = {
        "colors": "{affects: creatures, does: {set_colors: chosen color}}",
        "subtypes": "{affects: creatures, does: {set_creature_types: chosen type}}",
        "land": "{affects: lands, does: {basic_land_type: chosen type}}",
    }[look]
    text = entering(
        f"[{{as_enters: {{choose: {choice}}}}}, {{static: {does}}}]",
        f"  - {{choose: {kind}, by: alice, for: comer, answer: {answer}}}\n" + CAST,
        setup="  - {id: forest, card: Forest, controller: bob}",
    )
    bear, forest = of(text, "bear"), of(text, "forest")
    observed = {"colors": bear.colors, "subtypes": bear.subtypes, "land": forest.subtypes}[look]
    assert frozenset({answer}) == observed
    asked = text.replace(f"  - {{choose: {kind}, by: alice, for: comer, answer: {answer}}}\n", "")
    assert "question" == stopped(asked)[0]


def test_names_numbers_and_players_chosen_as_it_enters() -> None:
    named = entering(
        "[{as_enters: {choose: {choose: name, among: {without: {type: Land}}}}}, "
        "{static: {affects: {all: creatures, name: chosen name}, does: {modify: +1/+1}}}]",
        "  - {choose: name, by: alice, for: comer, answer: Runeclaw Bear}\n" + CAST,
        setup="  - {id: forest, card: Forest, controller: bob}",
    )
    assert 3 == of(named, "bear").power
    assert "rejected" == stopped(named.replace("answer: Runeclaw Bear", "answer: Forest"))[0]
    number = entering(
        "[{as_enters: {choose: {choose: number}}}, "
        "{static: {affects: creatures, does: {modify: {power: chosen number, toughness: 0}}}}]",
        "  - {choose: number, by: alice, for: comer, answer: 3}\n" + CAST,
    )
    assert 5 == of(number, "bear").power
    whom = entering(
        "[{as_enters: {choose: {choose: player, what: opponents}}}, "
        "{static: {affects: {all: creatures, controller: chosen player}, does: {modify: +1/+1}}}]",
        "  - {choose: player, by: alice, for: comer, answer: bob}\n" + CAST,
    )
    assert 3 == of(whom, "bear").power
    assert "rejected" == stopped(whom.replace("answer: bob", "answer: alice"))[0]
    thing = entering("{as_enters: {choose: {choose: object, what: creatures}}}", CAST)
    assert ("unsupported", "choosing an object as a permanent enters") == stopped(thing)


def test_words_that_cannot_be_chosen() -> None:
    text = entering(
        "[{as_enters: {choose: {choose: type, of: creature type, never: [Wall]}}}]",
        "  - {choose: type, by: alice, for: comer, answer: Wall}\n" + CAST,
    )
    assert "rejected" == stopped(text)[0]
    assert "rejected" == stopped(text.replace("answer: Wall", "answer: Forest"))[0]


def test_counters_tapped_and_costs_as_it_enters() -> None:
    text = entering(
        "[{as_enters: {counters: {+1/+1: X}, tapped: yes}}]",
        "  - {cast: comer, by: alice, x: 3}\n  - settle\n",
    )
    text = text.replace('cost: "{3}"', 'cost: "{X}"')
    assert (5, True) == (of(text, "comer").power, of(text, "comer").tapped)
    pays = entering(
        "[{as_enters: {unless_pays: {life: 2}}}]",
        "  - {choose: may, by: alice, for: comer, answer: yes}\n" + CAST,
    )
    assert (False, 18) == (of(pays, "comer").tapped, player(pays, "alice").life)
    lies = pays.replace("answer: yes", "answer: no")
    assert (True, 20) == (of(lies, "comer").tapped, player(lies, "alice").life)


def test_one_of_several_shapes_and_what_happens_as_it_enters() -> None:
    text = entering(
        "[{as_enters: {one_of: [{does: {base: 3/3}}, {does: {base: 1/6}}]}}, "
        "{as_enters: {effect: {lose_life: 1}}}]",
        "  - {choose: option, by: alice, for: comer, answer: 2}\n" + CAST,
    )
    assert (1, 6, 19) == (of(text, "comer").power, of(text, "comer").toughness, player(text, "alice").life)


def test_optional_entries() -> None:
    text = entering(
        "[{as_enters: {choose: {choose: color}, may: true}}]",
        "  - {choose: may, by: alice, for: comer, answer: no}\n" + CAST,
    )
    assert None is left(text).board.things["comer"].chosen.color


def test_things_that_enter_tapped_because_of_others() -> None:
    text = entering(
        "[]",
        CAST,
        setup="  - {id: gate, card: Test Gate, controller: bob}",
        more="  - {name: Test Gate, types: [Artifact], "
        "abilities: {static: {affects: creatures, does: enters_tapped}}}",
    )
    assert of(text, "comer").tapped
    own = entering("[{static: {affects: creatures, does: enters_tapped}}]", CAST)
    assert not of(own, "comer").tapped
    itself = entering("[{static: {affects: this, does: enters_tapped}}]", CAST)
    assert of(itself, "comer").tapped


# ----------------------------------------------------------------------------------- copies


COPY = "{as_enters: {copy: {of: creatures}, may: true}}"


def test_entering_as_a_copy_or_not() -> None:
    text = entering(COPY, "  - {choose: copy, by: alice, for: comer, answer: bear}\n" + CAST)
    assert "Runeclaw Bear" == of(text, "comer").name
    no = text.replace(
        "choose: copy, by: alice, for: comer, answer: bear", "choose: may, by: alice, for: comer, answer: no"
    )
    assert "Test Comer" == of(no, "comer").name
    both = text.replace(
        "  - {choose: copy", "  - {choose: may, by: alice, for: comer, answer: yes}\n  - {choose: copy"
    )
    assert "Runeclaw Bear" == of(both, "comer").name
    assert (
        "question"
        == stopped(text.replace("  - {choose: copy, by: alice, for: comer, answer: bear}\n", ""))[0]
    )


def test_copy_of_nothing() -> None:
    alone = entering(COPY, CAST).replace(
        "  - {id: bear, card: Runeclaw Bear, controller: bob}\n",
        "  - {id: ring, card: Sol Ring, controller: bob}\n",
    )
    assert "Test Comer" == of(alone, "comer").name


def test_counters_that_come_with_a_copy() -> None:
    text = entering(
        "{as_enters: {copy: {of: creatures, counters: {what: {subtype: Bear}, counters: +1/+1}}}}",
        "  - {choose: copy, by: alice, for: comer, answer: bear}\n" + CAST,
    )
    assert (3, "Runeclaw Bear") == (of(text, "comer").power, of(text, "comer").name)


def test_copies_of_faces() -> None:
    text = entering(
        "[]",
        "  - {turn_up: hidden, by: alice}\n",
        setup="  - {id: hidden, card: Exalted Angel, controller: alice, face_down: yes}",
    )
    assert 4 == of(text, "hidden").power


# -------------------------------------------------------------------------- together, and in which order


TOGETHER = """
cards:
  - name: Test Rise
    types: [Sorcery]
    abilities:
      spell:
        effect: {put: {all: creature cards, zones: graveyard, of: everyone}, to: battlefield, under: you}
players:
  alice: {hand: [{rise: Test Rise}], graveyard: {bear: Runeclaw Bear, ogre: Gray Ogre}}
  bob: {graveyard: {angel: Serra Angel}}
script:
  - {choose: timestamps, by: alice, answer: [angel, ogre, bear]}
  - {cast: rise, by: alice}
  - settle
"""


@pytest.mark.parametrize("edition", ["2019-01-01", "2026-09-25"])
def test_who_orders_timestamps(edition: str) -> None:
    things = left(TOGETHER, GameRules.on(edition)).board.things
    assert things["angel"].timestamp < things["ogre"].timestamp < things["bear"].timestamp


def test_owners_order_their_own_now() -> None:
    text = TOGETHER.replace("under: you", "under: {owner_of: it}").replace(
        "[angel, ogre, bear]", "[ogre, bear]"
    )
    things = left(text).board.things
    assert things["ogre"].timestamp < things["bear"].timestamp < things["angel"].timestamp


# ------------------------------------------------------------------------------- new objects


def test_what_comes_back_is_a_new_object() -> None:
    text = """
cards:
  - name: Test Blink
    types: [Instant]
    abilities:
      spell:
        targets: creatures
        effect:
          - {exile: target, name: gone}
          - {put: {the: gone}, to: battlefield, under: {owner_of: {the: gone}}}
players: {alice: {hand: [{blink: Test Blink}, {growth: Giant Growth}]}, bob: {}}
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice, counters: {+1/+1: 1}}
  - {id: axe, card: Bonesplitter, controller: alice, attached_to: bear}
script:
  - {cast: growth, by: alice, targets: [bear]}
  - {cast: blink, by: alice, targets: [bear]}
  - settle
"""
    assert (2, "battlefield") == (of(text, "bear").power, of(text, "bear").zone)
    assert None is of(text, "axe").attached_to
    assert [] == [line for line in game_of(text).account() if line.startswith("growth resolves")]


def test_counters_stun_and_are_removed_instead_of_untapping() -> None:
    text = """
setup: [{id: bear, card: Runeclaw Bear, controller: bob, tapped: yes, counters: {stun: 2}}]
script: [{advance: {to: upkeep}}]
"""
    bear = of(text, "bear")
    assert (True, [("stun", 1)]) == (bear.tapped, [(pile.kind, pile.n) for pile in bear.counters or ()])


def test_unearthed_things_are_exiled_wherever_they_would_go() -> None:
    text = """
players: {alice: {hand: [{shock: Shock}, {spare: Swamp}], graveyard: {rats: Rotting Rats}}, bob: {}}
script:
  - {choose: cards, by: alice, for: enters of rats, answer: spare}
  - {activate: rats, ability: unearth, by: alice}
  - settle
  - {cast: shock, by: alice, targets: [rats]}
  - settle
"""
    assert "exile" == of(text, "rats").zone


def test_wither_and_lifelink() -> None:
    text = """
cards: [{name: Test Imp, types: [Creature], pt: 2/2, abilities: [wither, lifelink]}]
start: {turn: alice, step: beginning of combat}
setup:
  - {id: imp, card: Test Imp, controller: alice}
  - {id: wall, card: Myr Quadropod, controller: bob}
script:
  - {pass: everyone}
  - {attack: {imp: bob}, by: alice}
  - {pass: everyone}
  - {block: {wall: [imp]}, by: bob}
  - {advance: {to: end of combat}}
"""
    wall = of(text, "wall")
    assert ([("-1/-1", 2)], 0, 22) == (
        [(pile.kind, pile.n) for pile in wall.counters or ()],
        wall.damage,
        player(text, "alice").life,
    )


# ------------------------------------------------------------------------- the rule until 2018


REDIRECT = """
players: {alice: {hand: [{bolt: Lightning Bolt}]}, bob: {}, carol: {}}
setup: [{id: jace, card: "Jace, the Mind Sculptor", controller: bob}]
script:
  - {choose: may, by: alice, for: bolt, answer: yes}
  - {cast: bolt, by: alice, targets: [bob]}
  - settle
"""


def test_damage_redirected_to_planeswalkers_until_2018() -> None:
    old = GameRules.on("2018-01-01")
    assert (20, "graveyard") == (player(REDIRECT, "bob", old).life, of(REDIRECT, "jace", old).zone)
    no = REDIRECT.replace("answer: yes", "answer: no")
    assert (17, 3) == (player(no, "bob", old).life, of(no, "jace", old).loyalty)
    bare = REDIRECT.replace("  - {choose: may, by: alice, for: bolt, answer: yes}\n", "")
    assert "question" == stopped(bare, old)[0]
    assert 17 == player(bare, "bob").life
    other = bare.replace("targets: [bob]", "targets: [carol]")
    assert 17 == player(other, "carol", old).life
    own = bare.replace("targets: [bob]", "targets: [alice]")
    assert 17 == player(own, "alice", old).life


# ------------------------------------------------------------------------------ tokens by name


def test_tokens_are_called_as_the_script_says() -> None:
    text = """
players: {alice: {hand: [{alarm: Raise the Alarm}]}, bob: {}}
script:
  - {cast: alarm, by: alice}
  - settle
  - {call: {Soldier: [one1, two1]}}
"""
    assert ("battlefield", 1) == (of(text, "two1").zone, of(text, "two1").power)
    assert "rejected" == stopped(text.replace("[one1, two1]", "[one1]"))[0]
    assert "rejected" == stopped(text.replace("Soldier:", "Goblin:"))[0]


def test_a_player_of_a_team_may_lose_alone() -> None:
    table = seen("""
players:
  alice: {team: sun, hand: [{shock: Shock}]}
  adam: {team: sun}
  bob: {team: moon, life: 2}
  ben: {team: moon}
start: {turn: sun, step: precombat main}
script: [{cast: shock, by: alice, targets: [bob]}, settle]
""")
    assert (True, False, False) == (table.players["bob"].lost, table.players["ben"].lost, table.table.over)

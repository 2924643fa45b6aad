"""Triggered abilities: when they trigger, who puts them on the stack in which order, "
"and what they see (CR 603)."""

from __future__ import annotations

import pytest

from reference_engine.game_rules import GameRules
from tests.playing import of, player, seen, stopped, the_table


def watched(when: str, script: str, setup: str = "", cond: str = "", start: str = "", more: str = "") -> str:
    """A script under the eyes of an enchantment that gives its controller, alice, a life when it triggers."""
    cond = f", cond: {cond}" if cond else ""
    return f"""
cards:
  - name: Test Watcher
    types: [Enchantment]
    abilities: {{triggered: {{when: {when}, effect: {{gain_life: 1}}{cond}}}, name: watch}}
{more}
{start}
players:
  alice: {{hand: [{{shock: Shock}}, {{forest: Forest}}, {{elves: Llanowar Elves}}]}}
  bob: {{hand: [{{bolt: Lightning Bolt}}, {{island: Island}}], library: {{deep: Swamp, deeper: Swamp}}}}
setup:
  - {{id: watcher, card: Test Watcher, controller: alice}}
  - {{id: bear, card: Runeclaw Bear, controller: alice}}
  - {{id: ogre, card: Gray Ogre, controller: bob}}
{setup}
script:
{script}
  - settle
"""


SHOOT_OGRE = "  - {cast: shock, by: alice, targets: [ogre]}"
COMBAT = "start: {turn: alice, step: beginning of combat}"
ATTACK = "  - {pass: everyone}\n  - {attack: {bear: bob}, by: alice}"
BLOCK = ATTACK + "\n  - settle\n  - {pass: everyone}\n  - {block: {ogre: [bear]}, by: bob}"


@pytest.mark.parametrize(
    ("when", "script", "start", "times"),
    [
        ("{enters: creatures}", "  - {cast: elves, by: alice}", "", 1),
        ("{enters: lands}", "  - {play: forest, by: alice}", "", 1),
        ("{enters: {all: creatures, controller: opponents}}", "  - {cast: elves, by: alice}", "", 0),
        ("{dies: creatures}", SHOOT_OGRE, "", 1),
        ("{dies: {all: creatures, controller: you}}", SHOOT_OGRE, "", 0),
        ("{leaves: creatures}", SHOOT_OGRE, "", 1),
        ("{put_into_graveyard: {all: cards, zones: graveyard, type: Instant}}", SHOOT_OGRE, "", 1),
        ("{attacks: creatures}", ATTACK, COMBAT, 1),
        ("{blocks: creatures}", BLOCK, COMBAT, 1),
        ("{becomes_blocked: creatures}", BLOCK, COMBAT, 1),
        ("{becomes_tapped: creatures}", ATTACK, COMBAT, 1),
        ("{becomes_tapped: lands}", "  - {activate: wood, ability: mana, by: alice}", "", 1),
        ("{tapped_for_mana: lands}", "  - {activate: wood, ability: mana, by: alice}", "", 1),
        ("{tapped_for_mana: lands, by: opponents}", "  - {activate: wood, ability: mana, by: alice}", "", 0),
        ("{tapped_for_mana: creatures}", "  - {activate: wood, ability: mana, by: alice}", "", 0),
        ("{becomes_untapped: lands}", "  - {advance: {to: upkeep}}", "", 1),
        ("{becomes_target: creatures}", SHOOT_OGRE, "", 1),
        ("{becomes_target: creatures, by: opponents}", SHOOT_OGRE, "", 0),
        ("{deals_damage: {all: spells}}", SHOOT_OGRE, "", 1),
        (
            "{deals_damage: {all: creatures}, combat: yes}",
            BLOCK + "\n  - settle\n  - {pass: everyone}",
            COMBAT,
            2,
        ),
        (
            "{deals_damage: {all: creatures}, to: opponents}",
            ATTACK + "\n  - {advance: {to: combat damage}}",
            COMBAT,
            1,
        ),
        (
            "{deals_damage: {all: creatures}, to: you}",
            ATTACK + "\n  - {advance: {to: combat damage}}",
            COMBAT,
            0,
        ),
        ("cast", SHOOT_OGRE, "", 1),
        ("{cast: {type: Creature}}", SHOOT_OGRE, "", 0),
        ("{cast: {}, by: opponents}", "  - {pass: alice}\n  - {cast: bolt, by: bob, targets: [bear]}", "", 1),
        ("plays", "  - {play: forest, by: alice}\n  - {cast: shock, by: alice, targets: [ogre]}", "", 2),
        ("{plays: {type: Creature}}", "  - {play: forest, by: alice}", "", 0),
        ("{draws: opponents}", "  - {advance: {to: draw}}", "", 1),
        ("{beginning: upkeep, of: everyone}", "  - {advance: {to: upkeep}}", "", 1),
        ("{beginning: upkeep}", "  - {advance: {to: upkeep}}", "", 0),
        ("{beginning: end}", "  - {advance: {to: end}}", "", 1),
        ("{beginning: draw, of: everyone}", "  - {advance: {to: draw}}", "", 1),
        ("{any_of: [{dies: creatures}, cast]}", SHOOT_OGRE, "", 2),
    ],
)
def test_what_triggers(when: str, script: str, start: str, times: int) -> None:
    wood = (
        "  - {id: wood, card: Forest, controller: alice}\n"
        "  - {id: sea, card: Island, controller: bob, tapped: yes}"
    )
    assert 20 + times == player(watched(when, script, wood, start=start), "alice").life


def test_discarding_and_gaining_life_trigger() -> None:
    more = """
  - name: Test Rot
    types: [Sorcery]
    abilities: {spell: {effect: [{discard: 1, who: opponents}, {gain_life: 2, who: opponents}]}}"""
    for when, times in (
        ("{discards: opponents}", 1),
        ("discards", 0),
        ("{gains_life: opponents}", 1),
        ("gains_life", 0),
    ):
        text = watched(when, "  - {cast: rot, by: alice}", more=more).replace(
            "{shock: Shock}", "{rot: Test Rot}"
        )
        text = text.replace(", {island: Island}", "")
        assert 20 + times == player(text, "alice").life


def test_losing_control_triggers() -> None:
    when = "{loses_control: {of: creatures, by: you}}"
    text = watched(
        when,
        "  - {pass: alice}\n  - {cast: theft, by: bob, targets: [bear]}",
        more="""
  - name: Test Theft
    types: [Instant]
    abilities: {spell: {targets: creatures, effect: {affects: target, does: control, until: end of turn}}}""",
    )
    assert 21 == player(text.replace("{bolt: Lightning Bolt}", "{theft: Test Theft}"), "alice").life


def test_turning_up_triggers() -> None:
    text = watched(
        "{turned_up: creatures}",
        "  - {turn_up: hidden, by: alice}",
        "  - {id: hidden, card: Exalted Angel, controller: alice, face_down: yes}",
    )
    assert 21 == player(text, "alice").life


def test_state_triggers_once_until_it_has_left_the_stack() -> None:
    text = watched(
        "{state: {exists: {all: creatures, subtype: Elf}}}",
        "  - {cast: elves, by: alice}\n  - {resolve: elves}\n  - {look: once}",
    )
    assert ("watch of watcher",) == seen(text.removesuffix("  - settle\n"), "once").table.stack
    assert "loop" == stopped(text)[0]


# --------------------------------------------------------------------------- intervening "if"


def test_if_is_asked_when_it_triggers_and_when_it_resolves() -> None:
    there = "{exists: {all: creatures, controller: opponents}}"
    never = watched(
        "{beginning: end}", "  - {advance: {to: end}}", cond="{exists: {all: creatures, subtype: Elf}}"
    )
    assert () == the_table(never.removesuffix("  - settle\n")).stack
    once = watched(
        "{beginning: end}",
        "  - {advance: {to: end}}\n  - {look: waiting}\n  - {cast: shock, by: alice, targets: [ogre]}",
        cond=there,
    )
    assert ("watch of watcher",) == seen(once, "waiting").table.stack
    assert 20 == player(once, "alice").life


# -------------------------------------------------------------------------------- looking back


def test_what_leaves_together_sees_the_others_leave() -> None:
    text = """
players: {alice: {hand: [{wrath: Wrath of God}]}, bob: {}}
setup:
  - {id: artist, card: Blood Artist, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: bob}
script:
  - {choose: targets, by: alice, for: ARTIST, answer: bob}
  - {choose: targets, by: alice, for: ARTIST (2), answer: bob}
  - {cast: wrath, by: alice}
  - settle
""".replace("ARTIST", "dies of artist")
    assert (22, 18) == (player(text, "alice").life, player(text, "bob").life)


def test_it_can_be_found_where_it_went() -> None:
    text = """
cards:
  - name: Test Revenant
    types: [Creature]
    pt: 2/2
    abilities: {triggered: {when: dies, effect: {put: it, to: hand}}}
players: {alice: {hand: [{shock: Shock}]}, bob: {}}
setup: [{id: revenant, card: Test Revenant, controller: alice}]
script: [{cast: shock, by: alice, targets: [revenant]}, settle]
"""
    assert "hand" == of(text, "revenant").zone


def test_that_much() -> None:
    text = """
cards:
  - name: Test Mirror
    types: [Creature]
    pt: 0/9
    abilities:
      triggered: {when: {deals_damage: {all: spells}, to: this}, effect: {damage: that much, to: opponents}}
players: {alice: {hand: [{bolt: Lightning Bolt}]}, bob: {}}
setup: [{id: mirror, card: Test Mirror, controller: bob}]
script: [{cast: bolt, by: alice, targets: [mirror]}, settle]
"""
    assert 17 == player(text, "alice").life


# -------------------------------------------------------------------------------------- order


TWO = """
cards:
  - name: Test Blessing
    types: [Enchantment]
    abilities: {triggered: {when: {beginning: end, of: everyone}, effect: {gain_life: 1}}, name: bless}
  - name: Test Curse
    types: [Enchantment]
    abilities: {triggered: {when: {beginning: end, of: everyone}, effect: {lose_life: 1}}, name: curse}
players: [alice, bob, carol]
start: {turn: bob, step: postcombat main}
setup:
  - {id: theirs, card: Test Blessing, controller: alice}
  - {id: mine, card: Test Blessing, controller: bob}
  - {id: doom, card: Test Curse, controller: bob}
  - {id: hers, card: Test Curse, controller: carol}
script:
  - {choose: order, by: bob, for: end, answer: [curse of doom, bless of mine]}
  - {advance: {to: end}}
"""


def test_active_player_first_then_in_turn_order() -> None:
    assert ("curse of doom", "bless of mine", "curse of hers", "bless of theirs") == the_table(TWO).stack


def test_order_is_asked_of_who_controls_them() -> None:
    without = TWO.replace(
        "  - {choose: order, by: bob, for: end, answer: [curse of doom, bless of mine]}\n", ""
    )
    assert ("question", "bob must choose order for end out of bless of mine, curse of doom") == stopped(
        without
    )
    wrong = TWO.replace("[curse of doom, bless of mine]", "[curse of doom, curse of doom]")
    assert "rejected" == stopped(wrong)[0]


def test_one_round_for_all_in_older_editions() -> None:
    assert ("curse of doom", "bless of mine", "curse of hers", "bless of theirs") == the_table(
        TWO, GameRules.on("2020-06-01")
    ).stack


def test_triggered_ability_that_waits_for_triggers_comes_in_a_second_round() -> None:
    text = TWO.replace(
        "cards:\n",
        """cards:
  - name: Test Echo
    types: [Enchantment]
    abilities:
      triggered:
        when: {ability_triggers: {all: enchantments, controller: you, other_than: this}}
        effect: {gain_life: 3}
      name: echoes
""",
    ).replace("  - {id: mine,", "  - {id: cave, card: Test Echo, controller: carol}\n  - {id: mine,")
    assert "echoes of cave" == the_table(text).stack[-1]  # type: ignore[index]  # reported


# ------------------------------------------------------------------------------------ targets


def test_without_targets_it_is_removed() -> None:
    text = """
cards:
  - name: Test Hunter
    types: [Creature]
    pt: 2/2
    abilities: {triggered: {when: enters, targets: artifacts, effect: {destroy: target}}}
players: {alice: {hand: [{hunter: Test Hunter}]}, bob: {}}
script: [{cast: hunter, by: alice}, {resolve: hunter}]
"""
    assert () == the_table(text).stack


def test_modes_and_divisions_of_triggers_are_asked() -> None:
    text = """
cards:
  - name: Test Sage
    types: [Creature]
    pt: 1/1
    abilities: {triggered: {when: enters, modes: [{effect: {gain_life: 1}}, {effect: {gain_life: 6}}]}}
  - name: Test Arsonist
    types: [Creature]
    pt: 1/1
    abilities:
      triggered:
        when: enters
        targets: {any_target: yes, least: 1, most: 2}
        effect: {damage: 2, to: target, divided: yes}
players: {alice: {hand: [{sage: Test Sage}, {arsonist: Test Arsonist}]}, bob: {}}
setup: [{id: bird, card: Birds of Paradise, controller: bob}]
script:
  - {choose: modes, by: alice, for: enters of sage, answer: 2}
  - {cast: sage, by: alice}
  - settle
  - {choose: targets, by: alice, for: enters of arsonist, answer: [bird, bob]}
  - {choose: division, by: alice, for: enters of arsonist, answer: {bird: 1, bob: 1}}
  - {cast: arsonist, by: alice}
  - settle
"""
    table = seen(text)
    assert (26, 19, "graveyard") == (
        table.players["alice"].life,
        table.players["bob"].life,
        table.objects["bird"].zone,
    )


# ------------------------------------------------------------------------------------ keywords


@pytest.mark.parametrize(
    ("keyword", "look"),
    [
        ("prowess", {"power": 3}),
        ("undying", {"power": 3}),
        ("persist", {"power": 1}),
    ],
)
def test_keywords_that_trigger(keyword: str, look: dict[str, int]) -> None:
    scripts = {
        "prowess": "  - {cast: shock, by: alice, targets: [bob]}\n  - settle",
        "undying": "  - {cast: shock, by: alice, targets: [bear]}\n  - settle",
        "persist": "  - {cast: shock, by: alice, targets: [bear]}\n  - settle",
    }
    text = f"""
cards: [{{name: Test Bear, types: [Creature], pt: 2/2, abilities: {keyword}}}]
players: {{alice: {{hand: [{{shock: Shock}}]}}, bob: {{}}}}
setup: [{{id: bear, card: Test Bear, controller: alice}}]
script:
{scripts[keyword]}
"""
    assert look["power"] == of(text, "bear").power

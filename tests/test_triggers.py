"""Triggered abilities: when they trigger, who puts them on the stack in which order,
and what they see (CR 603)."""

from __future__ import annotations

import pytest

from reference_engine.game.game_rules import GameRules
from tests.playing import of, player, seen, stopped, the_table


def watched(when: str, script: str, setup: str = "", cond: str = "", start: str = "", more: str = "") -> str:
    """A script with an enchantment that gives its controller, alice, 1 life when it triggers."""
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


@pytest.mark.sweep
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


# ------------------------------------------------------------- additional times, once a turn, reflexive


def gong(event: str) -> str:
    """Alice's Watcher under a Gong that makes it trigger an additional time on an event."""
    return f"""
  - name: Test Gong
    types: [Creature]
    pt: 1/1
    abilities:
      static: {{affects: {{all: permanents, controller: you}}, does: {{triggers_again: {event}}}}}"""


@pytest.mark.parametrize(
    ("event", "times"),
    [
        ("{dies: creatures}", 2),
        ("{dies: {all: creatures, controller: you}}", 1),
        ("{enters: creatures}", 1),
        ("{any_of: [{enters: creatures}, {dies: creatures}]}", 2),
    ],
)
def test_ability_triggers_an_additional_time_on_such_an_event_only(event: str, times: int) -> None:
    setup = "  - {id: gong1, card: Test Gong, controller: alice}"
    text = watched("{dies: creatures}", SHOOT_OGRE, setup, more=gong(event))
    assert 20 + times == player(text, "alice").life


def test_what_dies_with_the_others_still_makes_abilities_trigger_again() -> None:
    """CR 603.10: an ability that looks back sees the Gong as it was just before."""
    text = watched(
        "{dies: creatures}",
        "  - {cast: judgment, by: alice}",
        "  - {id: gong1, card: Test Gong, controller: alice}",
        more=gong("{dies: creatures}"),
    ).replace("{shock: Shock}", "{judgment: Day of Judgment}")
    assert 20 + 2 * 3 == player(text, "alice").life


def test_each_controller_may_do_once_a_turn_what_may_be_done_only_once() -> None:
    """CR 603.2h: what counts is whether its controller has done so, not whether anybody has."""
    text = """
cards:
  - name: Test Scholar
    types: [Creature]
    pt: 1/1
    abilities: {triggered: {when: {cast: {}, by: everyone}, effect: {gain_life: 5}, once: yes}}
players: {alice: {hand: [{shock: Shock}]}, bob: {hand: [{ray: Ray of Command}, {bolt: Lightning Bolt}]}}
setup: [{id: scholar, card: Test Scholar, controller: alice}]
script:
  - {cast: shock, by: alice, targets: [bob]}
  - settle
  - {pass: alice}
  - {cast: ray, by: bob, targets: [scholar]}
  - settle
  - {pass: alice}
  - {cast: bolt, by: bob, targets: [alice]}
  - settle
"""
    assert (22, 23) == (player(text, "alice").life, player(text, "bob").life)


@pytest.mark.parametrize(("others", "stack"), [("", ()), ("OTHER", ("when you do of thug",))])
def test_reflexive_ability_triggers_only_if_it_was_done(others: str, stack: tuple[str, ...]) -> None:
    """CR 603.12: a player who says yes and has nothing to sacrifice has not done so."""
    other = "setup: [{id: bear, card: Runeclaw Bear, controller: alice}]" if others else ""
    text = f"""
cards:
  - name: Test Thug
    types: [Artifact]
    abilities:
      triggered: {{when: enters, effect: {{may: [{{sacrifice: creatures}}, {{when_you_do: {{draw: 1}}}}]}}}}
players: {{alice: {{hand: [{{thug: Test Thug}}]}}, bob: {{}}}}
{other}
script:
  - {{choose: may, by: alice, for: thug, answer: yes}}
  - {{cast: thug, by: alice}}
  - {{resolve: thug}}
  - {{pass: everyone}}
"""
    assert stack == the_table(text).stack


def test_reflexive_ability_triggers_when_its_cost_was_paid() -> None:
    text = """
cards:
  - name: Test Usurer
    types: [Artifact]
    abilities:
      triggered: {when: enters, effect: {may: {when_you_do: {gain_life: 9}}, cost: {life: 2}}}
players: {alice: {hand: [{usurer: Test Usurer}]}, bob: {}}
script:
  - {choose: may, by: alice, for: usurer, answer: ANSWER}
  - {cast: usurer, by: alice}
  - settle
"""
    assert 27 == player(text.replace("ANSWER", "yes"), "alice").life
    assert 20 == player(text.replace("ANSWER", "no"), "alice").life


# ------------------------------------------------------------------------------- what looks back


@pytest.mark.parametrize(
    ("script", "times"),
    [
        ("  - {cast: shock, by: alice, targets: [bear]}", 1),
        ("  - {cast: undo, by: alice, targets: [gear]}", 1),
        ("  - {activate: gear, ability: equip, by: alice, targets: [giant]}", 1),
        ("  - {activate: gear, ability: equip, by: alice, targets: [bear]}", 0),
    ],
)
def test_becoming_unattached_in_every_way_triggers(script: str, times: int) -> None:
    """CR 701.3d: by its permanent leaving, by leaving itself, by being moved; not by staying."""
    text = f"""
cards:
  - name: Test Gear
    types: [Artifact]
    subtypes: [Equipment]
    abilities: [{{triggered: {{when: becomes_unattached, effect: {{gain_life: 1}}}}}}, {{equip: "{{0}}"}}]
players: {{alice: {{hand: [{{shock: Shock}}, {{undo: Disenchant}}]}}, bob: {{}}}}
setup:
  - {{id: bear, card: Runeclaw Bear, controller: alice}}
  - {{id: giant, card: Hill Giant, controller: alice}}
  - {{id: gear, card: Test Gear, controller: alice, attached_to: bear}}
script:
{script}
  - settle
"""
    assert 20 + times == player(text, "alice").life


def test_countering_triggers_for_spells_of_the_player_meant() -> None:
    script = """
  - {cast: shock, by: alice, targets: [ogre]}
  - {pass: alice}
  - {cast: bolt, by: bob, targets: [shock]}"""
    for when, times in (("countered", 1), ("{countered: {}, by: opponents}", 0)):
        text = watched(when, script).replace("{bolt: Lightning Bolt}", "{bolt: Counterspell}")
        assert 20 + times == player(text, "alice").life


def test_nothing_of_a_player_who_has_lost_triggers_on_that() -> None:
    """CR 800.4a: the abilities of a player who has left the game do not go on the stack."""
    text = """
cards:
  - name: Test Mourner
    types: [Creature]
    pt: 1/1
    abilities: {triggered: {when: loses_game, effect: {damage: 1, to: everyone}}}
players: {alice: {hand: [{bolt: Lightning Bolt}]}, bob: {}, carol: {life: 3}}
setup:
  - {id: mourner1, card: Test Mourner, controller: alice}
  - {id: mourner2, card: Test Mourner, controller: carol}
script:
  - {cast: bolt, by: alice, targets: [carol]}
  - {resolve: bolt}
"""
    assert ("loses game of mourner1",) == the_table(text).stack


# ------------------------------------------------------------------------------- linked abilities


def test_what_is_exiled_as_a_cost_is_exiled_with_the_ability() -> None:
    """CR 607.2a: a cost instructs a player to exile as well as an effect does."""
    text = """
cards:
  - name: Test Pyre
    types: [Artifact]
    abilities:
      - activated:
          cost: {exile: {all: creature cards, zones: graveyard}, zone: graveyard}
          effect: {gain_life: {count: {all: cards, zones: exile, put_by: this}}}
        name: burn
players: {alice: {graveyard: {bear: Runeclaw Bear, ogre: Gray Ogre}, exile: {giant: Hill Giant}}, bob: {}}
setup: [{id: pyre, card: Test Pyre, controller: alice}]
script:
  - {activate: pyre, ability: burn, by: alice, costs: {exile: bear}}
  - settle
  - {activate: pyre, ability: burn, by: alice, costs: {exile: ogre}}
  - settle
"""
    assert 20 + 1 + 2 == player(text, "alice").life


def test_what_left_exile_and_came_back_is_no_longer_exiled_with_it() -> None:
    """CR 400.7: it is another object."""
    text = """
cards:
  - name: Test Jail
    types: [Artifact]
    abilities:
      - activated: {cost: {mana: "{1}"}, targets: creatures, effect: {exile: target}}
        name: jail
      - activated:
          cost: {mana: "{1}"}
          effect: {gain_life: {count: {all: cards, zones: exile, put_by: this}}}
        name: count
  - name: Test Round Trip
    types: [Instant]
    abilities:
      spell:
        targets: {what: {all: cards, zones: exile}}
        effect: [{put: target, to: battlefield, under: you, name: back}, {exile: {the: back}}]
players: {alice: {hand: [{trip: Test Round Trip}]}, bob: {}}
setup:
  - {id: jail1, card: Test Jail, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: bob}
script:
  - {activate: jail1, ability: jail, by: alice, targets: [bear]}
  - settle
  - {cast: trip, by: alice, targets: [bear]}
  - settle
  - {activate: jail1, ability: count, by: alice}
  - settle
"""
    assert ("exile", 20) == (of(text, "bear").zone, player(text, "alice").life)


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


@pytest.mark.parametrize("name", ["echo", "storm"])
def test_ability_that_is_called_like_a_keyword_is_not_the_keywords(name: str) -> None:
    text = f"""
cards:
  - name: Test Monk
    types: [Creature]
    pt: 1/1
    abilities: [{{triggered: {{when: {{cast: {{}}}}, effect: {{gain_life: {{sum: [X, 1]}}}}}}, name: {name}}}]
players: {{alice: {{hand: [{{shock1: Shock}}, {{shock2: Shock}}]}}, bob: {{}}}}
setup: [{{id: monk, card: Test Monk, controller: alice}}]
script:
  - {{cast: shock1, by: alice, targets: [bob]}}
  - {{cast: shock2, by: alice, targets: [bob]}}
  - settle
"""
    assert 22 == player(text, "alice").life


@pytest.mark.parametrize(
    ("when", "also"),
    [
        ("{one_or_more: {dies: {all: creatures, controller: you}}}", ""),
        ("{dies: {all: creatures, controller: you}}", ", triggers_once: yes"),
    ],
)
@pytest.mark.parametrize("order", [("phoenix", "bear"), ("bear", "phoenix")])
def test_ability_about_its_own_death_and_another_triggers_but_once(
    when: str, also: str, order: tuple[str, str]
) -> None:
    text = f"""
cards:
  - name: Test Phoenix
    types: [Creature]
    pt: 1/1
    abilities: [{{triggered: {{when: {when}, effect: [{{put: this, to: hand}}, {{gain_life: 1}}]}}{also}}}]
  - {{name: Test Sweep, types: [Sorcery], abilities: [{{spell: {{effect: {{destroy: creatures}}}}}}]}}
players: {{alice: {{hand: [sweep]}}, bob: {{}}}}
objects:
  - {{id: phoenix, card: Test Phoenix}}
  - {{id: bear, card: Runeclaw Bear}}
  - {{id: sweep, card: Test Sweep, owner: alice}}
setup: [{{id: {order[0]}, controller: alice}}, {{id: {order[1]}, controller: alice}}]
script:
  - {{cast: sweep, by: alice}}
  - settle
"""
    after = player(text, "alice")
    assert 21 == after.life
    assert "one_or_more" not in when or frozenset({"phoenix"}) == after.hand

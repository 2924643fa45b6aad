"""The turn, step by step, and state-based actions (CR 500–514, 704)."""

from __future__ import annotations

import pytest

from reference_engine.game.game_rules import GameRules
from tests.playing import game_of, left, of, player, seen, stopped, the_table, tried


def test_steps_without_attackers() -> None:
    looks = "".join(f"  - {{pass: everyone}}\n  - {{look: l{n}}}\n" for n in range(9))
    text = f"start: {{turn: alice, step: upkeep}}\nscript:\n{looks}"
    assert [
        ("alice", "draw"),
        ("alice", "precombat main"),
        ("alice", "beginning of combat"),
        ("alice", "declare attackers"),
        ("alice", "end of combat"),
        ("alice", "postcombat main"),
        ("alice", "end"),
        ("bob", "upkeep"),
        ("bob", "draw"),
    ] == [(seen(text, f"l{n}").table.turn, seen(text, f"l{n}").table.step) for n in range(9)]


def test_untap_step_untaps_what_may_untap() -> None:
    text = """
cards:
  - name: Test Frost
    types: [Enchantment]
    abilities: {static: {affects: {all: creatures, subtype: Ogre}, does: {cannot: untap}}}
setup:
  - {id: bear, card: Runeclaw Bear, controller: bob, tapped: yes}
  - {id: ogre, card: Gray Ogre, controller: bob, tapped: yes}
  - {id: mine, card: Gray Ogre, controller: alice, tapped: yes}
  - {id: frost, card: Test Frost, controller: alice}
script: [{advance: {to: upkeep}}]
"""
    table = seen(text)
    assert (False, True, True) == tuple(table.objects[id].tapped for id in ("bear", "ogre", "mine"))


def test_first_player_draws_in_later_turns() -> None:
    text = "start: {turn: bob, step: upkeep}\nscript: [{pass: everyone}]"
    assert frozenset({"bob_plains_1"}) == player(text, "bob").hand


def test_skipped_steps() -> None:
    skip = (
        "{{name: Test Skip, types: [Enchantment], abilities: {{static: {{affects: everyone, "
        "does: {{skip_step: {step}}}}}}}}}"
    )
    for step, after in (("draw", "precombat main"), ("upkeep", "draw"), ("untap", "upkeep")):
        text = f"""
cards: [{skip.format(step=step)}]
start: {{turn: alice, step: end}}
setup: [{{id: hole, card: Test Skip, controller: alice}}]
script:
  - {{advance: {{to: {after}}}}}
"""
        assert ("bob", after) == (the_table(text).turn, the_table(text).step)
    assert (
        frozenset()
        == player(text.replace("untap", "draw").replace("to: upkeep", "to: precombat main"), "bob").hand
    )
    ends = f"""
cards: [{skip.format(step="cleanup")}]
start: {{turn: alice, step: end}}
setup:
  - {{id: hole, card: Test Skip, controller: alice}}
  - {{id: bear, card: Runeclaw Bear, controller: bob, damage: 1}}
script: [{{pass: everyone}}]
"""
    assert ("bob", 1) == (the_table(ends).turn, of(ends, "bear").damage)


def test_cleanup_discards_and_ends_what_lasts_until_end_of_turn() -> None:
    text = """
players:
  alice: {hand: {a1: Swamp, a2: Swamp, a3: Swamp, a4: Swamp, a5: Swamp, a6: Swamp, a7: Island, a8: Forest}}
  bob: {}
start: {turn: alice, step: end}
setup: [{id: bear, card: Runeclaw Bear, controller: bob, damage: 1}]
script:
  - {choose: cards, by: alice, for: cleanup, answer: a8}
  - {pass: everyone}
"""
    assert ("graveyard", 0) == (of(text, "a8").zone, of(text, "bear").damage)
    asked = stopped(text.replace("  - {choose: cards, by: alice, for: cleanup, answer: a8}\n", ""))
    assert "question" == asked[0]


@pytest.mark.parametrize(
    ("law", "left_over"),
    [("{hand_size: none}", 9), ("{hand_size: set, n: 2}", 2), ("{hand_size: plus, n: 1}", 8)],
)
def test_hand_size(law: str, left_over: int) -> None:
    cards = ", ".join(f"{{a{n}: Swamp}}" for n in range(9))
    text = f"""
cards: [{{name: Test Law, types: [Enchantment], abilities: {{static: {{affects: you, does: {law}}}}}}}]
players: {{alice: {{hand: [{cards}]}}, bob: {{}}}}
start: {{turn: alice, step: end}}
setup: [{{id: law, card: Test Law, controller: alice}}]
script: [{{pass: everyone}}]
"""
    assert left_over == len(left(text).board.seats[0].hand)


def test_mana_empties_with_each_step() -> None:
    text = """
setup: [{id: forest, card: Forest, controller: alice}]
script:
  - {activate: forest, ability: mana, by: alice}
  - {look: full}
  - {pass: everyone}
"""
    assert ("{G}", "") == (seen(text, "full").players["alice"].pool, player(text, "alice").pool)


def test_mana_that_becomes_another_kind_instead_of_emptying() -> None:
    text = """
setup:
  - {id: forest, card: Forest, controller: alice}
  - {id: kruphix, card: "Kruphix, God of Horizons", controller: alice}
script:
  - {activate: forest, ability: mana, by: alice}
  - {pass: everyone}
"""
    assert "{C}" == player(text, "alice").pool


@pytest.mark.parametrize("step", ["untap", "declare blockers", "first-strike damage"])
def test_advance_needs_somewhere_to_stop(step: str) -> None:
    why = ("no stop", f"nobody got priority in the {step} step")
    assert why == stopped(f"start: {{turn: alice, step: upkeep}}\nscript: [{{advance: {{to: {step}}}}}]")


def test_advance_to_a_later_turn() -> None:
    text = "players: [alice, bob, carol]\nscript: [{advance: {to: upkeep, turn: carol}}]"
    assert ("carol", "upkeep") == (the_table(text).turn, the_table(text).step)


def test_a_turn_of_who_left_is_skipped() -> None:
    text = """
players: {alice: {hand: [{shock: Shock}]}, bob: {life: 2}, carol: {}}
setup:
  - {id: bear, card: Runeclaw Bear, controller: bob}
script:
  - {cast: shock, by: alice, targets: [bob]}
  - settle
  - {advance: {to: upkeep}}
"""
    table = seen(text)
    assert ("carol", True) == (table.table.turn, table.players["bob"].lost)
    assert "bear" not in table.objects


# ----------------------------------------------------------------------- state-based actions


def test_zero_toughness_is_put_into_the_graveyard_whatever_else_is_true() -> None:
    text = """
cards: [{name: Test Rock, types: [Creature], pt: 1/1, abilities: indestructible}]
players: {alice: {hand: [{laughter: Hideous Laughter}]}, bob: {}}
setup: [{id: rock, card: Test Rock, controller: bob}]
script: [{cast: laughter, by: alice}, settle]
"""
    assert "graveyard" == of(text, "rock").zone


def test_indestructible_survives_lethal_damage_and_deathtouch() -> None:
    text = """
cards: [{name: Test Rock, types: [Creature], pt: 1/1, abilities: indestructible}]
players: {alice: {hand: [{shock: Shock}]}, bob: {}}
setup: [{id: rock, card: Test Rock, controller: bob}]
script: [{cast: shock, by: alice, targets: [rock]}, settle]
"""
    assert ("battlefield", 2) == (of(text, "rock").zone, of(text, "rock").damage)


def test_ten_poison_counters() -> None:
    text = """
cards:
  - name: Test Venom
    types: [Sorcery]
    abilities: {spell: {effect: {put_counters: {poison: 3}, on: opponents}}}
players: {alice: {hand: [{venom: Test Venom}]}, bob: {counters: {poison: 7}}}
script: [{cast: venom, by: alice}, settle]
"""
    table = seen(text)
    assert (True, True) == (table.players["bob"].lost, table.table.over)


def test_all_losing_together_is_a_draw() -> None:
    text = """
cards:
  - {name: Test Doom, types: [Sorcery], abilities: {spell: {effect: {lose_life: 20, who: everyone}}}}
players: {alice: {hand: [{doom: Test Doom}]}, bob: {}}
script: [{cast: doom, by: alice}, settle]
"""
    table = seen(text)
    assert (True, True, True) == (table.players["alice"].lost, table.players["bob"].lost, table.table.over)


def test_counters_of_both_kinds_annihilate() -> None:
    text = """
cards:
  - name: Test Blight
    types: [Sorcery]
    abilities: {spell: {effect: {put_counters: {-1/-1: 1}, on: creatures}}}
players: {alice: {hand: [{blight: Test Blight}]}, bob: {}}
setup: [{id: bear, card: Runeclaw Bear, controller: bob, counters: {+1/+1: 2}}]
script: [{cast: blight, by: alice}, settle]
"""
    assert [("+1/+1", 1)] == [(pile.kind, pile.n) for pile in of(text, "bear").counters or ()]


LEGENDS = """
cards: [{name: Test Hero, supertypes: [Legendary], types: [Creature], pt: 2/2}]
players: {alice: {hand: [{second: Test Hero}]}, bob: {}}
setup: [{id: hero, card: Test Hero, controller: alice}, {id: theirs, card: Test Hero, controller: bob}]
script:
  - {choose: keep, by: alice, for: state, answer: second}
  - {cast: second, by: alice}
  - settle
"""


def test_legend_rule_keeps_one_for_each_player() -> None:
    table = seen(LEGENDS)
    assert ("graveyard", "battlefield", "battlefield") == tuple(
        table.objects[id].zone for id in ("hero", "second", "theirs")
    )
    without = LEGENDS.replace("  - {choose: keep, by: alice, for: state, answer: second}\n", "")
    assert "question" == stopped(without)[0]


def test_aura_whose_host_is_gone_and_equipment_whose_bearer_is() -> None:
    text = """
players: {alice: {hand: [{shock: Shock}]}, bob: {}}
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: axe, card: Bonesplitter, controller: alice, attached_to: bear}
  - {id: strength, card: Holy Strength, controller: alice, attached_to: ogre}
  - {id: ogre, card: Gray Ogre, controller: alice}
script:
  - {cast: shock, by: alice, targets: [bear]}
  - settle
""".replace(
        """  - {id: strength, card: Holy Strength, controller: alice, attached_to: ogre}
  - {id: ogre, card: Gray Ogre, controller: alice}""",
        """  - {id: ogre, card: Gray Ogre, controller: alice}
  - {id: weakness, card: Weakness, controller: bob, attached_to: bear}""",
    )
    table = seen(text)
    assert (None, "battlefield", "graveyard") == (
        table.objects["axe"].attached_to,
        table.objects["axe"].zone,
        table.objects["weakness"].zone,
    )


def test_tokens_cease_to_exist_elsewhere() -> None:
    text = """
players: {alice: {hand: [{alarm: Raise the Alarm}, {shock: Shock}]}, bob: {}}
script:
  - {cast: alarm, by: alice}
  - settle
  - {call: {Soldier: [one1, two1]}}
  - {cast: shock, by: alice, targets: [one1]}
  - settle
"""
    table = seen(text)
    assert ("one1" in table.objects, "two1" in table.objects) == (False, True)


def test_world_rule() -> None:
    text = """
cards: [{name: Test World, supertypes: [World], types: [Enchantment]}]
players: {alice: {hand: [{newer: Test World}]}, bob: {}}
setup: [{id: world1, card: Test World, controller: bob}]
script: [{cast: newer, by: alice}, settle]
"""
    assert ("graveyard", "battlefield") == (of(text, "world1").zone, of(text, "newer").zone)


def test_planeswalkers_of_one_type_until_2017() -> None:
    text = """
cards:
  - {name: Test Jace, types: [Planeswalker], subtypes: [Jace], loyalty: 3}
players: {alice: {hand: [{other1: Test Jace}]}, bob: {}}
setup: [{id: jace, card: "Jace, the Mind Sculptor", controller: alice}]
script:
  - {choose: keep, by: alice, for: state, answer: other1}
  - {cast: other1, by: alice}
  - settle
"""
    assert "graveyard" == of(text, "jace", GameRules.on("2017-09-01")).zone
    assert (
        "battlefield"
        == of(text.replace("  - {choose: keep, by: alice, for: state, answer: other1}\n", ""), "jace").zone
    )


# ------------------------------------------------------------------------------------ priority


def test_passing() -> None:
    text = """
players: [alice, bob, carol]
script:
  - {try: bob1, action: {pass: bob}}
  - {pass: alice}
  - {pass: bob}
  - {look: carols}
  - {pass: carol}
"""
    assert {"bob1": "rejected"} == tried(text)
    assert ("carol", "precombat main") == (
        seen(text, "carols").table.priority,
        seen(text, "carols").table.step,
    )
    assert ("alice", "beginning of combat") == (the_table(text).priority, the_table(text).step)


def test_passing_starts_again_when_somebody_acts() -> None:
    text = """
players: {alice: {hand: [{bear: Runeclaw Bear}]}, bob: {hand: [{shock: Shock}]}, carol: {}}
script:
  - {cast: bear, by: alice}
  - {pass: alice}
  - {cast: shock, by: bob, targets: [carol]}
  - {pass: bob}
  - {pass: carol}
  - {look: open1}
  - {pass: alice}
"""
    assert ("alice", ("bear", "shock")) == (
        seen(text, "open1").table.priority,
        seen(text, "open1").table.stack,
    )
    assert ("alice", ("bear",)) == (the_table(text).priority, the_table(text).stack)


def test_resolving_what_is_not_there() -> None:
    assert (
        "rejected"
        == stopped("script: [{resolve: bear}]\nsetup: [{id: bear, card: Runeclaw Bear, controller: alice}]")[
            0
        ]
    )


def test_resolving_all_above_and_the_thing_itself() -> None:
    text = """
players: {alice: {hand: [{shock: Shock}, {bolt: Lightning Bolt}, {growth: Giant Growth}]}, bob: {}}
setup: [{id: bear, card: Runeclaw Bear, controller: alice}]
script:
  - {cast: shock, by: alice, targets: [bob]}
  - {cast: bolt, by: alice, targets: [bob]}
  - {cast: growth, by: alice, targets: [bear]}
  - {resolve: bolt}
"""
    assert (("shock",), 17) == (the_table(text).stack, player(text, "bob").life)


@pytest.mark.parametrize(
    ("when", "outcome"),
    [
        ("start: {turn: alice, step: upkeep}", "rejected"),
        ("start: {turn: alice, step: beginning of combat}", "rejected"),
        ("start: {turn: bob, step: precombat main}", "rejected"),
        ("start: {turn: alice, step: postcombat main}", "done"),
    ],
)
def test_lands_are_played_in_ones_own_main_phase(when: str, outcome: str) -> None:
    text = f"""
players: {{alice: {{hand: [{{forest: Forest}}]}}, bob: {{}}}}
{when}
script:
  - {{try: it, action: {{play: forest, by: alice}}}}
"""
    assert {"it": outcome} == tried(text)


def test_one_land_each_turn_and_more_with_effects() -> None:
    text = """
players: {alice: {hand: [{forest: Forest}, {island: Island}, {swamp: Swamp}]}, bob: {}}
setup: [{id: azusa, card: Exploration, controller: alice}]
script:
  - {play: forest, by: alice}
  - {play: island, by: alice}
  - {try: third, action: {play: swamp, by: alice}}
"""
    assert {"third": "rejected"} == tried(text)
    theirs = text.replace("card: Exploration, controller: alice", "card: Exploration, controller: bob")
    assert ("rejected", "alice has played a land this turn (CR 305.2b)") == stopped(theirs)
    assert 0 == player(text, "alice").land_plays


@pytest.mark.parametrize("which", ["theirs", "gone", "there"])
def test_lands_are_played_from_ones_own_hand(which: str) -> None:
    """CR 305.1: a land card is played from the hand."""
    text = f"""
players: {{alice: {{graveyard: {{gone: Forest}}}}, bob: {{hand: {{theirs: Forest}}}}}}
setup: [{{id: there, card: Forest, controller: alice}}]
script: [{{try: it, action: {{play: {which}, by: alice}}}}]
"""
    assert {"it": "rejected"} == tried(text)


def test_lands_are_played_with_priority() -> None:
    """CR 116.2a: in one's own main phase, though nothing is on the stack."""
    text = """
players: {alice: {hand: [{forest: Forest}]}, bob: {}}
script:
  - {pass: alice}
  - {try: it, action: {play: forest, by: alice}}
"""
    assert {"it": "rejected"} == tried(text)


def test_lands_that_cannot_be_played() -> None:
    text = """
cards:
  - name: Test Drought
    types: [Enchantment]
    abilities: {static: {affects: everyone, does: {cannot: play lands}}}
players: {alice: {hand: [{forest: Forest}]}, bob: {}}
setup: [{id: drought, card: Test Drought, controller: bob}]
script: [{try: it, action: {play: forest, by: alice}}]
"""
    assert {"it": "rejected"} == tried(text)


@pytest.mark.parametrize(
    ("what", "outcome"),
    [
        ("hidden", "done"),
        ("shown", "rejected"),
        ("flier", "rejected"),
        ("stacked", "rejected"),
        ("theirs", "rejected"),
        ("plain", "rejected"),
        ("forest", "rejected"),
    ],
)
def test_turning_up(what: str, outcome: str) -> None:
    text = f"""
players: {{alice: {{hand: [{{stacked: Exalted Angel}}]}}, bob: {{}}}}
setup:
  - {{id: hidden, card: Exalted Angel, controller: alice, face_down: yes}}
  - {{id: flier, card: Serra Angel, controller: alice, face_down: yes}}
  - {{id: shown, card: Exalted Angel, controller: alice}}
  - {{id: theirs, card: Exalted Angel, controller: bob, face_down: yes}}
  - {{id: plain, card: Runeclaw Bear, controller: alice, face_down: yes}}
  - {{id: forest, card: Forest, controller: alice}}
script: [{{cast: stacked, by: alice, face_down: yes}}, {{try: it, action: {{turn_up: {what}, by: alice}}}}]
"""
    assert {"it": outcome} == tried(text)


def test_turning_up_is_paid_and_may_be_forbidden() -> None:
    lands = "\n".join(f"  - {{id: plains{n}, card: Plains, controller: alice}}" for n in range(4))
    pay = ", ".join(f"{{activate: plains{n}, ability: mana}}" for n in range(4))
    text = f"""
setup:
  - {{id: hidden, card: Exalted Angel, controller: alice, face_down: yes}}
{lands}
script: [{{try: it, action: {{turn_up: hidden, by: alice, pay: [{pay}]}}}}]
"""
    assert {"it": "done"} == tried(text)
    assert {"it": "rejected"} == tried(text.replace(", {activate: plains3, ability: mana}", ""))
    veil = """
cards:
  - name: Test Veil
    types: [Enchantment]
    abilities: {static: {affects: creatures, does: {cannot: turn face up}}}
setup:
  - {id: veil, card: Test Veil, controller: bob}"""
    assert {"it": "rejected"} == tried(text.replace("setup:", veil))


def test_turning_up_may_cost_something_else_than_mana() -> None:
    text = """
cards:
  - name: Test Raider
    types: [Creature]
    pt: 5/5
    abilities: {morph: {discard: 1}}
players: {alice: {hand: [{forest: Forest}]}, bob: {}}
setup: [{id: hidden, card: Test Raider, controller: alice, face_down: yes}]
script: [{turn_up: hidden, by: alice, costs: {discard: forest}, pay: []}]
"""
    assert ("graveyard", 5) == (of(text, "forest").zone, of(text, "hidden").power)
    asked = stopped(
        text.replace(" costs: {discard: forest},", "").replace("Forest}", "Forest}, {swamp: Swamp}")
    )
    assert ("question", True) == (asked[0], " for hidden out of forest, swamp" in asked[1])


def test_turning_up_may_cost_another_creature() -> None:
    text = """
cards:
  - name: Test Tyrant
    types: [Creature]
    pt: 5/5
    abilities: {morph: {sacrifice: {all: creatures, other_than: this}}}
setup:
  - {id: hidden, card: Test Tyrant, controller: alice, face_down: yes}
  - {id: bear, card: Runeclaw Bear, controller: alice}
script: [{try: it, action: {turn_up: hidden, by: alice, costs: {sacrifice: WHAT}}}]
"""
    assert {"it": "done"} == tried(text.replace("WHAT", "bear"))
    assert {"it": "rejected"} == tried(text.replace("WHAT", "hidden"))


def test_an_x_in_the_cost_of_turning_up_is_unsupported() -> None:
    """CR 107.3: the player would choose it, but scripts have no way to for a special action."""
    text = """
cards:
  - {name: Test Bane, types: [Creature], pt: 4/3, abilities: {morph: "{X}{W}"}}
setup:
  - {id: hidden, card: Test Bane, controller: alice, face_down: yes}
  - {id: plains, card: Plains, controller: alice}
script: [{turn_up: hidden, by: alice, pay: [{activate: plains, ability: mana}]}]
"""
    stopped = game_of(text).observations.stopped
    assert stopped is not None and stopped.why == "unsupported"


@pytest.mark.parametrize(("active", "power"), [("sun", 3), ("moon", 2)])
def test_your_turn_is_your_teams_turn(active: str, power: int) -> None:
    """CR 805.4a: the team's turn is that of each of its players."""
    text = f"""
cards:
  - name: Test Sunrise
    types: [Enchantment]
    abilities: {{static: {{affects: creatures, does: {{modify: +1/+0}}}}, cond: {{turn: you}}}}
players:
  alice: {{team: sun}}
  adam: {{team: sun}}
  bob: {{team: moon}}
  ben: {{team: moon}}
start: {{turn: {active}}}
setup:
  - {{id: bear, card: Runeclaw Bear, controller: alice}}
  - {{id: sunrise, card: Test Sunrise, controller: adam}}
"""
    assert power == of(text, "bear").power

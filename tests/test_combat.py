"""Combat: who may attack and block what, and how damage is divided (CR 508, 509, 510)."""

from __future__ import annotations

import pytest

from reference_engine.game.game_rules import GameRules
from tests.playing import left, of, player, seen, stopped, the_table, tried

TO_BLOCKS = """
  - {pass: everyone}
  - {attack: {runner: bob}, by: alice}
  - {pass: everyone}
"""


def block_by(guard: str, runner: str, more: str = "") -> str:
    """The outcome of a block, given the abilities and types of the guard and the runner."""
    return tried(f"""
cards:
  - {{name: Test Runner, types: [Creature], pt: 2/2, {runner}}}
  - {{name: Test Guard, pt: 2/2, {guard}}}
start: {{turn: alice, step: beginning of combat}}
setup:
  - {{id: runner, card: Test Runner, controller: alice}}
  - {{id: guard, card: Test Guard, controller: bob}}
  - {{id: bear, card: Runeclaw Bear, controller: bob}}
  - {{id: flyer, card: Serra Angel, controller: bob}}
  - {{id: shadow, card: Test Guard, controller: bob}}
{more}
script:
  {TO_BLOCKS}
  - {{try: block, action: {{block: {{guard: [runner]}}, by: bob}}}}
""")["block"]


@pytest.mark.parametrize(
    ("runner", "guard", "outcome"),
    [
        ("abilities: flying", "types: [Creature]", "rejected"),
        ("abilities: flying", "types: [Creature], abilities: flying", "done"),
        ("abilities: flying", "types: [Creature], abilities: reach", "done"),
        ("abilities: fear", "types: [Creature]", "rejected"),
        ("abilities: fear", "types: [Artifact, Creature]", "done"),
        ("abilities: fear", "types: [Creature], colors: [black]", "done"),
        ("colors: [red], abilities: intimidate", "types: [Creature], colors: [green]", "rejected"),
        ("colors: [red], abilities: intimidate", "types: [Creature], colors: [red, green]", "done"),
        ("colors: [red], abilities: intimidate", "types: [Artifact, Creature]", "done"),
        ("abilities: shadow", "types: [Creature]", "rejected"),
        ("abilities: shadow", "types: [Creature], abilities: shadow", "done"),
        ("colors: [red]", "types: [Creature], abilities: shadow", "rejected"),
        ("abilities: {protection: green}", "types: [Creature], colors: [green]", "rejected"),
        ("abilities: {protection: green}", "types: [Creature], colors: [red]", "done"),
        ("abilities: menace", "types: [Creature]", "rejected"),
        (
            "colors: [red]",
            "types: [Creature], abilities: {static: {affects: this, does: {cannot: block}}}",
            "rejected",
        ),
        (
            "abilities: {static: {affects: this, does: {cannot: be blocked, what: {color: red}}}}",
            "types: [Creature], colors: [red]",
            "rejected",
        ),
        (
            "abilities: {static: {affects: this, does: {cannot: be blocked, what: {color: red}}}}",
            "types: [Creature]",
            "done",
        ),
        (
            "abilities: {static: {affects: this, does: {cannot: be blocked, unless: {exists: creatures}}}}",
            "types: [Creature]",
            "done",
        ),
    ],
)
def test_evasion_keeps_some_from_blocking(runner: str, guard: str, outcome: str) -> None:
    assert outcome == block_by(guard, runner)


@pytest.mark.parametrize(("land", "outcome"), [("Island", "rejected"), ("Forest", "done")])
def test_landwalk_asks_for_the_defenders_lands(land: str, outcome: str) -> None:
    more = f"""  - {{id: theirs, card: {land}, controller: bob}}
  - {{id: mine, card: Island, controller: alice}}"""
    walks = "abilities: {keyword: landwalk, what: {subtype: Island}}"
    assert outcome == block_by("types: [Creature]", walks, more)


@pytest.mark.parametrize(("attacked", "outcome"), [("bob", "rejected"), ("ben", "done")])
def test_landwalk_of_a_team_asks_for_the_lands_of_the_one_attacked(attacked: str, outcome: str) -> None:
    """CR 805.10e: the defending player is the one attacked, not the teammate whose creature would block."""
    assert {"block": outcome} == tried(f"""
cards:
  - name: Test Runner
    types: [Creature]
    pt: 2/2
    abilities: {{keyword: landwalk, what: {{subtype: Island}}}}
players:
  alice: {{team: sun}}
  adam: {{team: sun}}
  bob: {{team: moon}}
  ben: {{team: moon}}
start: {{turn: sun, step: beginning of combat}}
setup:
  - {{id: runner, card: Test Runner, controller: adam}}
  - {{id: island, card: Island, controller: bob}}
  - {{id: guard, card: Runeclaw Bear, controller: ben}}
script:
  - {{pass: everyone}}
  - {{attack: {{runner: {attacked}}}, by: adam}}
  - {{pass: everyone}}
  - {{try: block, action: {{block: {{guard: [runner]}}, by: ben}}}}
""")


GONE = """
cards:
  - name: Test Return
    types: [Instant]
    abilities: [{spell: {targets: permanents, effect: {put: target, to: hand}}}]
players: {alice: {}, bob: {hand: [{gone: Test Return}]}, carol: {}}
start: {turn: alice, step: beginning of combat}
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: jace, card: "Jace, the Mind Sculptor", controller: bob}
  - {id: guard, card: Gray Ogre, controller: bob}
  - {id: hers, card: Gray Ogre, controller: carol}
script:
  - {pass: everyone}
  - {attack: {bear: jace}, by: alice}
  - {pass: alice}
  - {cast: gone, by: bob, targets: [jace]}
  - settle
  - {pass: everyone}
"""


def test_attacker_of_a_planeswalker_that_is_gone_may_be_blocked() -> None:
    """CR 506.4c: it attacks nothing any more, and may be blocked by the player who was attacked."""
    trying = """
  - {try: carol, action: {block: {hers: [bear]}, by: carol}}
  - {try: bob, action: {block: {guard: [bear]}, by: bob}}
"""
    assert {"carol": "rejected", "bob": "done"} == tried(GONE + trying)


def test_attacker_of_a_planeswalker_that_is_gone_deals_no_damage_unblocked() -> None:
    """CR 506.4c: unblocked, it deals no combat damage."""
    table = seen(GONE + "  - {advance: {to: end of combat}}")
    assert {"alice": 20, "bob": 20, "carol": 20} == {id: who.life for id, who in table.players.items()}


def test_menace_wants_two_blockers() -> None:
    assert {"both": "done"} == tried("""
cards: [{name: Test Runner, types: [Creature], pt: 2/2, abilities: menace}]
start: {turn: alice, step: beginning of combat}
setup:
  - {id: runner, card: Test Runner, controller: alice}
  - {id: first, card: Runeclaw Bear, controller: bob}
  - {id: second, card: Gray Ogre, controller: bob}
script:
  - {pass: everyone}
  - {attack: {runner: bob}, by: alice}
  - {pass: everyone}
  - {try: both, action: {block: {first: [runner], second: [runner]}, by: bob}}
""")


ATTACK = """
start: {turn: alice, step: beginning of combat}
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: wall, card: Test Wall, controller: alice}
  - {id: fresh, card: Runeclaw Bear, controller: alice, new: yes}
  - {id: hasty, card: Goblin Guide, controller: alice, new: yes}
  - {id: tired, card: Runeclaw Bear, controller: alice, tapped: yes}
  - {id: plains, card: Plains, controller: alice}
  - {id: theirs, card: Gray Ogre, controller: bob}
cards: [{name: Test Wall, types: [Creature], pt: 0/4, abilities: defender}]
script:
  - {pass: everyone}
  - {try: attack, action: {attack: {WHO: WHAT}, by: PLAYER}}
"""


@pytest.mark.parametrize(
    ("who", "what", "by", "outcome"),
    [
        ("bear", "bob", "alice", "done"),
        ("hasty", "bob", "alice", "done"),
        ("wall", "bob", "alice", "rejected"),
        ("fresh", "bob", "alice", "rejected"),
        ("tired", "bob", "alice", "rejected"),
        ("plains", "bob", "alice", "rejected"),
        ("theirs", "alice", "bob", "rejected"),
        ("theirs", "bob", "alice", "rejected"),
        ("bear", "alice", "alice", "rejected"),
        ("bear", "theirs", "alice", "rejected"),
    ],
)
def test_who_may_attack(who: str, what: str, by: str, outcome: str) -> None:
    text = ATTACK.replace("WHO", who).replace("WHAT", what).replace("PLAYER", by)
    assert {"attack": outcome} == tried(text)


def test_attacking_taps_unless_with_vigilance() -> None:
    table = seen("""
start: {turn: alice, step: beginning of combat}
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: angel, card: Serra Angel, controller: alice}
script:
  - {pass: everyone}
  - {attack: {bear: bob, angel: bob}, by: alice}
""")
    assert (True, "bob") == (table.objects["bear"].tapped, table.objects["bear"].attacking)
    assert (False, "bob") == (table.objects["angel"].tapped, table.objects["angel"].attacking)


LIMITED = """
cards:
  - name: Test Zealot
    types: [Creature]
    pt: 2/2
    abilities: {static: {affects: this, does: {must: attack}}}
  - name: Test Limit
    types: [Artifact]
    abilities: {static: {affects: creatures, does: {cannot: attack, WHOM}}}
players: [alice, bob, carol]
start: {turn: alice, step: beginning of combat}
setup:
  - {id: limit, card: Test Limit, controller: bob}
ZEALOTS
script:
  - {pass: everyone}
  - {ACTION}
"""


def with_zealots(number: int, limit: str, action: str) -> str:
    """A game in which so many creatures have to attack, and there is a limit on how many do."""
    zealots = "\n".join(f"  - {{id: zealot{n}, card: Test Zealot, controller: alice}}" for n in range(number))
    return LIMITED.replace("WHOM", limit).replace("ZEALOTS", zealots).replace("ACTION", action)


def test_which_of_two_attacks_under_a_limit_is_asked() -> None:
    text = with_zealots(2, 'number: {">": 1}', "advance: {to: postcombat main}")
    assert "question" == stopped(text)[0]


def test_whom_to_attack_is_asked_if_a_limit_leaves_several() -> None:
    text = with_zealots(1, 'number: {">": 1}', "advance: {to: postcombat main}")
    assert "question" == stopped(text)[0]


def test_the_least_attack_respects_a_limit() -> None:
    either = "whom: opponents, number: {'<': 2}"  # Carol is Bob's opponent, and nobody attacks her alone
    text = with_zealots(1, either, "advance: {to: postcombat main}")
    assert 18 == player(text, "bob").life


def test_many_that_have_to_attack_are_too_many_to_choose_from_under_a_limit() -> None:
    attack = ", ".join(f"zealot{n}: bob" for n in range(20))
    text = with_zealots(20, 'whom: you, number: {">": 20}', f"attack: {{{attack}}}, by: alice")
    assert "unsupported" == stopped(text)[0]
    assert "too many possible attacks with requirements" in stopped(text)[1]


FORCED = """
cards:
  - name: Test Zealot
    types: [Creature]
    pt: 2/2
    abilities: {static: {affects: this, does: {must: attack}}}
players: {alice: {}, bob: {}MORE}
start: {turn: alice, step: beginning of combat}
setup:
  - {id: zealot, card: Test Zealot, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: alice}
"""


def test_what_must_attack_does() -> None:
    script = """
script:
  - {pass: everyone}
  - {try: nobody, action: {attack: {bear: bob}, by: alice}}
  - {try: somebody, action: {attack: {zealot: bob}, by: alice}}
"""
    assert {"nobody": "rejected", "somebody": "done"} == tried(FORCED.replace("MORE", "") + script)


def test_what_must_attack_does_so_when_the_script_only_advances() -> None:
    script = "script: [{advance: {to: declare attackers}}]"
    assert "bob" == of(FORCED.replace("MORE", "") + script, "zealot").attacking


def test_whom_it_attacks_is_asked_where_there_are_several() -> None:
    script = "script: [{advance: {to: end}}]"
    why, says = stopped(FORCED.replace("MORE", ", carol: {}") + script)
    assert ("question", True) == (why, "zealot" in says)


def test_requirement_that_would_cost_something_need_not_be_obeyed() -> None:
    script = "script: [{advance: {to: end}}]"
    tax = "  - {id: tax, card: Propaganda, controller: bob}\n"
    assert None is of(FORCED.replace("MORE", "") + tax + script, "zealot").attacking


def test_cost_to_attack_is_asked_only_for_whom_it_protects() -> None:
    text = """
players: {alice: {}, bob: {}, carol: {}}
start: {turn: alice, step: beginning of combat}
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: ogre, card: Gray Ogre, controller: alice}
  - {id: tax, card: Test Toll, controller: bob}
cards:
  - name: Test Toll
    types: [Enchantment]
    abilities: {static: {affects: creatures, does: {cannot: attack, whom: you, unless_pays: {life: 2}}}}
script:
  - {pass: everyone}
  - {attack: {ogre: carol, bear: WHOM}, by: alice}
"""
    assert "carol" == of(text.replace("WHOM", "carol"), "bear").attacking
    assert ("unsupported", "a cost to attack that is not mana") == stopped(text.replace("WHOM", "bob"))


LURE = """
cards:
  - name: Test Lure
    types: [Creature]
    pt: 3/3
    abilities: {static: {affects: this, does: {must: be blocked}}}
  - {name: Test Keen, types: [Creature], pt: 2/2, abilities: {static: {affects: this, does: {must: block}}}}
start: {turn: alice, step: beginning of combat}
setup:
  - {id: lure, card: Test Lure, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: keen, card: Test Keen, controller: bob}
  - {id: ogre, card: Gray Ogre, controller: bob}
script:
  - {pass: everyone}
  - {attack: {lure: bob, bear: bob}, by: alice}
  - {pass: everyone}
"""


@pytest.mark.parametrize(
    ("block", "outcome"),
    [
        ("{ogre: [lure]}", "rejected"),
        ("{keen: [bear]}", "rejected"),
        ("{keen: [lure]}", "done"),
        ("{keen: [bear], ogre: [lure]}", "done"),
        ("{keen: [lure, bear]}", "rejected"),
        ("{bear: [lure]}", "rejected"),
    ],
)
def test_as_many_requirements_as_possible_are_obeyed(block: str, outcome: str) -> None:
    assert {"block": outcome} == tried(LURE + f"  - {{try: block, action: {{block: {block}, by: bob}}}}\n")


def test_least_block_that_obeys_is_made_when_the_script_only_advances() -> None:
    assert ("lure",) == of(LURE + "  - {advance: {to: declare blockers}}\n", "keen").blocking


def test_block_that_can_be_made_in_two_ways_is_asked_for() -> None:
    text = LURE.replace("{static: {affects: this, does: {must: block}}}", "defender").replace(
        "Test Keen, controller", "Gray Ogre, controller"
    )
    assert "question" == stopped(text + "  - {advance: {to: end}}\n")[0]


def test_blocks_are_refused_when_nobody_is_to_block() -> None:
    assert {"it": "rejected"} == tried("""
setup: [{id: bear, card: Runeclaw Bear, controller: bob}]
script: [{try: it, action: {block: {bear: [bear]}, by: bob}}]
""")


DAMAGE = """
cards:
  - {name: Test Giant, types: [Creature], pt: 5/5, abilities: ABILITIES}
start: {turn: alice, step: beginning of combat}
setup:
  - {id: giant, card: Test Giant, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: bob, damage: 1}
  - {id: ogre, card: Gray Ogre, controller: bob}
script:
  - {pass: everyone}
  - {attack: {giant: bob}, by: alice}
  - {pass: everyone}
  - {block: {bear: [giant], ogre: [giant]}, by: bob}
  - {pass: everyone}
"""


@pytest.mark.parametrize(
    ("ability", "shares", "outcome"),
    [
        ("vigilance", "{bear: 5}", "done"),
        ("vigilance", "{bear: 1, ogre: 4}", "done"),
        ("vigilance", "{bear: 1, ogre: 3}", "rejected"),
        ("vigilance", "{bear: 1, ogre: 3, bob: 1}", "rejected"),
        ("trample", "{bear: 1, ogre: 2, bob: 2}", "done"),
        ("trample", "{bear: 1, ogre: 1, bob: 3}", "rejected"),
        ("trample", "{bear: 5}", "done"),
        ("[trample, deathtouch]", "{bear: 1, ogre: 1, bob: 3}", "done"),
    ],
)
def test_division_of_combat_damage(ability: str, shares: str, outcome: str) -> None:
    text = DAMAGE.replace("ABILITIES", ability)
    assert {"it": outcome} == tried(
        text + f"  - {{try: it, action: {{assign: {{giant: {shares}}}, by: alice}}}}\n"
    )


def test_others_may_not_divide_it() -> None:
    text = DAMAGE.replace("ABILITIES", "vigilance")
    assert {"it": "rejected", "other": "rejected"} == tried(
        text
        + "  - {try: it, action: {assign: {giant: {bear: 5}}, by: bob}}\n"
        + "  - {try: other, action: {assign: {bear: {giant: 2}}, by: alice}}\n"
    )


def test_damage_in_the_announced_order_of_older_editions() -> None:
    text = DAMAGE.replace("ABILITIES", "vigilance").replace(
        "  - {block", "  - {choose: damage_order, by: alice, for: giant, answer: [ogre, bear]}\n  - {block"
    )
    old = GameRules.on("2020-01-01")
    attempts = (
        text
        + "  - {try: first, action: {assign: {giant: {ogre: 1, bear: 4}}, by: alice}}\n"
        + "  - {try: second, action: {assign: {giant: {ogre: 2, bear: 3}}, by: alice}}\n"
    )
    assert {"first": "rejected", "second": "done"} == tried(attempts, old)


def test_advance_past_undivided_damage_is_a_question() -> None:
    text = DAMAGE.replace("ABILITIES", "vigilance") + "  - {advance: {to: end}}\n"
    assert ("question", "alice must choose division for combat") == stopped(text)


def test_first_strike_deals_its_damage_before() -> None:
    table = seen("""
cards: [{name: Test Fencer, types: [Creature], pt: 2/1, abilities: first strike}]
start: {turn: alice, step: beginning of combat}
setup:
  - {id: fencer, card: Test Fencer, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: bob}
script:
  - {pass: everyone}
  - {attack: {fencer: bob}, by: alice}
  - {pass: everyone}
  - {block: {bear: [fencer]}, by: bob}
  - {pass: everyone}
  - {look: first}
  - {pass: everyone}
""")
    assert ("battlefield", "graveyard") == (table.objects["fencer"].zone, table.objects["bear"].zone)
    assert "combat damage" == table.table.step


def test_double_strike_deals_damage_in_both_steps() -> None:
    text = """
cards: [{name: Test Twin, types: [Creature], pt: 2/1, abilities: double strike}]
start: {turn: alice, step: beginning of combat}
setup: [{id: twin, card: Test Twin, controller: alice}]
script:
  - {pass: everyone}
  - {attack: {twin: bob}, by: alice}
  - {advance: {to: end of combat}}
"""
    assert 16 == player(text, "bob").life


def test_attacker_whose_planeswalker_is_gone_deals_no_damage() -> None:
    text = """
players: {alice: {hand: [{bolt: Lightning Bolt}]}, bob: {}}
start: {turn: alice, step: beginning of combat}
setup:
  - {id: jace, card: "Jace, the Mind Sculptor", controller: bob}
  - {id: bear, card: Runeclaw Bear, controller: alice}
script:
  - {pass: everyone}
  - {attack: {bear: jace}, by: alice}
  - {cast: bolt, by: alice, targets: [jace]}
  - settle
  - {look: shot}
  - {advance: {to: end of combat}}
"""
    assert "nothing" == seen(text, "shot").objects["bear"].attacking
    assert 20 == player(text, "bob").life


def test_combat_damage_to_a_planeswalker_removes_loyalty() -> None:
    text = """
start: {turn: alice, step: beginning of combat}
setup:
  - {id: jace, card: "Jace, the Mind Sculptor", controller: bob}
  - {id: bear, card: Runeclaw Bear, controller: alice}
script:
  - {pass: everyone}
  - {attack: {bear: jace}, by: alice}
  - {advance: {to: end of combat}}
"""
    assert 1 == of(text, "jace").loyalty


def test_what_is_stolen_or_no_creature_leaves_combat() -> None:
    text = """
cards:
  - name: Test Petrify
    types: [Instant]
    abilities:
      spell:
        targets: creatures
        effect: {affects: target, does: {set_types: Artifact}, until: end of turn}
  - name: Test Theft
    types: [Instant]
    abilities: {spell: {targets: creatures, effect: {affects: target, does: control, until: end of turn}}}
players: {alice: {}, bob: {hand: [{petrify: Test Petrify}, {theft: Test Theft}]}}
start: {turn: alice, step: beginning of combat}
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: ogre, card: Gray Ogre, controller: alice}
script:
  - {pass: everyone}
  - {attack: {bear: bob, ogre: bob}, by: alice}
  - {pass: alice}
  - {cast: petrify, by: bob, targets: [bear]}
  - {cast: theft, by: bob, targets: [ogre]}
  - settle
"""
    table = seen(text)
    assert (None, None) == (table.objects["bear"].attacking, table.objects["ogre"].attacking)


def test_several_defenders_block_one_after_the_other() -> None:
    text = """
players: {alice: {}, bob: {}, carol: {}}
start: {turn: alice, step: beginning of combat}
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: ogre, card: Gray Ogre, controller: alice}
  - {id: guard, card: Gray Ogre, controller: bob}
  - {id: ward, card: Gray Ogre, controller: carol}
script:
  - {pass: everyone}
  - {attack: {bear: carol, ogre: bob}, by: alice}
  - {pass: everyone}
  - {look: first}
  - {block: {guard: [ogre]}, by: bob}
  - {look: second}
  - {try: other, action: {block: {ward: [ogre]}, by: carol}}
  - {block: {ward: [bear]}, by: carol}
"""
    assert "bob" == seen(text, "first").table.deciding
    assert "carol" == seen(text, "second").table.deciding
    assert {"other": "rejected"} == tried(text)
    assert "alice" == the_table(text).priority


def test_teams_block_together() -> None:
    text = """
players: {alice: {team: sun}, adam: {team: sun}, bob: {team: moon}, ben: {team: moon}}
start: {turn: sun, step: beginning of combat}
setup:
  - {id: bear, card: Runeclaw Bear, controller: adam}
  - {id: ogre, card: Gray Ogre, controller: bob}
script:
  - {pass: everyone}
  - {attack: {bear: ben}, by: alice}
  - {pass: everyone}
  - {block: {ogre: [bear]}, by: ben}
"""
    assert ("bear",) == of(text, "ogre").blocking
    assert "sun" == the_table(text).priority


def test_creature_that_enters_attacking_attacks_whom_its_controller_chooses() -> None:
    text = """
players: {alice: {}, bob: {}, carol: {}}
start: {turn: alice, step: beginning of combat}
setup: [{id: geist, card: Geist of Saint Traft, controller: alice}]
script:
  - {pass: everyone}
  - {attack: {geist: bob}, by: alice}
  - {choose: object, by: alice, for: attacks of geist, answer: carol}
  - settle
  - {call: {Angel: [angel]}}
"""
    with_combat = text.replace("for: attacks of geist", "for: combat")
    angel = of(with_combat, "angel")
    assert ("carol", True) == (angel.attacking, angel.tapped)


def test_regenerated_attacker_leaves_combat() -> None:
    text = """
players: {alice: {hand: [{shock: Shock}]}, bob: {}}
start: {turn: alice, step: beginning of combat}
setup: [{id: skeleton, card: Skeletal Changeling, controller: alice}]
script:
  - {pass: everyone}
  - {attack: {skeleton: bob}, by: alice}
  - {activate: skeleton, ability: regenerate, by: alice}
  - settle
  - {cast: shock, by: alice, targets: [skeleton]}
  - settle
"""
    skeleton = of(text, "skeleton")
    assert ("battlefield", None, True, 0) == (
        skeleton.zone,
        skeleton.attacking,
        skeleton.tapped,
        skeleton.damage,
    )


def test_damage_from_walls_is_prevented_where_a_card_says_so() -> None:
    text = """
cards: [{name: Test Wall, types: [Creature], subtypes: [Wall], pt: 9/9}]
start: {turn: alice, step: beginning of combat}
setup:
  - {id: priest, card: Marble Priest, controller: alice}
  - {id: wall, card: Test Wall, controller: bob}
script:
  - {pass: everyone}
  - {attack: {priest: bob}, by: alice}
  - {advance: {to: end of combat}}
"""
    assert "battlefield" == of(text, "priest").zone
    assert 3 == of(text, "wall").damage


@pytest.mark.parametrize(("whose", "marked"), [("alice", 2), ("bob", 0)])
def test_prevention_asks_for_opponents_of_who_controls_the_effect(whose: str, marked: int) -> None:
    calm = "{affects: creatures, does: {prevent_damage: {controller: opponents}}}"
    giant = of(
        f"""
cards: [{{name: Test Calm, types: [Enchantment], abilities: {{static: {calm}}}}}]
players: {{alice: {{hand: [{{bolt: Shock}}]}}, bob: {{}}}}
setup:
  - {{id: calm, card: Test Calm, controller: {whose}}}
  - {{id: giant, card: Hill Giant, controller: alice}}
script: [{{cast: bolt, by: alice, targets: [giant]}}, settle]
""",
        "giant",
    )
    assert marked == giant.damage


def test_nobody_attacks_when_nobody_can() -> None:
    assert ("declare attackers", "alice") == (
        (
            game := left("start: {turn: alice, step: beginning of combat}\nscript: [{pass: everyone}]")
        ).board.step,
        game.holder,
    )


@pytest.mark.parametrize(("whose", "outcome"), [("bob", "rejected"), ("ben", "done")])
def test_landwalk_asks_for_the_lands_of_the_player_attacked(whose: str, outcome: str) -> None:
    text = f"""
cards: [{{name: Test Walker, types: [Creature], pt: 2/2, abilities: {{landwalk: Swamp}}}}]
players: {{alice: {{team: sun}}, adam: {{team: sun}}, bob: {{team: moon}}, ben: {{team: moon}}}}
start: {{turn: sun, step: beginning of combat}}
setup:
  - {{id: walker, card: Test Walker, controller: adam}}
  - {{id: ogre, card: Gray Ogre, controller: ben}}
  - {{id: swamp, card: Swamp, controller: {whose}}}
script:
  - {{pass: everyone}}
  - {{attack: {{walker: bob}}, by: alice}}
  - {{pass: everyone}}
  - {{try: block, action: {{block: {{ogre: [walker]}}, by: ben}}}}
"""
    assert {"block": outcome} == tried(text)


def test_who_has_left_the_game_declares_nothing_for_the_team() -> None:
    assert {"gone": "rejected", "there": "done"} == tried("""
players:
  alice: {team: sun, hand: [{shock: Shock}]}
  ann: {team: sun, life: 2}
  bob: {team: moon}
  ben: {team: moon}
start: {turn: sun, step: beginning of combat}
setup: [{id: bear, card: Runeclaw Bear, controller: alice}]
script:
  - {cast: shock, by: alice, targets: [ann]}
  - settle
  - {pass: everyone}
  - {try: gone, action: {attack: {bear: bob}, by: ann}}
  - {try: there, action: {attack: {bear: bob}, by: alice}}
""")

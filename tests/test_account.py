"""The account of a game, as a judge would give it."""

from __future__ import annotations

import re

import pytest

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition
from conformance.play.runner import has_expectations
from conformance.tell.explanation_text import explain
from conformance_adapters.in_process import play_through
from reference_engine.game.game_rules import CR
from tests.playing import told
from tests.sweeping import a_share, by_day
from tools.golden_account import EXAMPLES, FOLDER
from tools.golden_account import golden_text as told_of_fixture

ODD = re.compile(r"\b(None|True|False)\b|#\d|ability \d|\(\)|[ :,]$|\ba [AEIOU]|: \(CR")
"""Fragments that no person would write in a line."""
ODD_IN_EXPLANATIONS = re.compile(
    r"\b(None|False|UNSET)\b|\w#\d|ability \d|\(\)|[ ,:]$|: \(CR|<|frozenset|; ;|: :"
)


@pytest.mark.sweep
@pytest.mark.parametrize("id", EXAMPLES)
def test_account_is_the_one_we_read(id: str) -> None:
    assert (FOLDER / f"{id}.txt").read_text(encoding="utf-8") == told_of_fixture(id)


@pytest.mark.parametrize("one_in", by_day(16))
def test_fixtures_are_told_and_explained_in_our_own_words(one_in: int) -> None:
    odd: list[str] = []
    for id, fixture in a_share(all_fixtures(), one_in):
        explanation = play_through(fixture.play, CR).explanation()
        odd += [f"{id}: {line}" for line in map(str, explanation.account) if ODD.search(line)]
        explained = explain(explanation).splitlines()
        odd += [f"{id}: {line}" for line in explained if ODD_IN_EXPLANATIONS.search(line)]
    assert [] == odd


@pytest.mark.sweep
@pytest.mark.parametrize("one_in", by_day(8))
def test_no_fixture_makes_a_choice_for_nothing(one_in: int) -> None:
    some = (one for _, one in a_share(all_fixtures(), one_in) if has_expectations(one, newest_edition()))
    assert [] == [one.id for one in some for _ in play_through(one.play, CR).last.answers]


def lines_of(text: str) -> set[str]:
    """The lines of an account without their rule numbers."""
    return {line.strip().partition(" (CR")[0] for line in told(text)}


def test_tokens_and_emblems_without_a_name_are_spoken_of_as_a_judge_would() -> None:
    said = lines_of("""
players: {alice: {hand: [{alarm: Raise the Alarm}, {wrath: Day of Judgment}, {army: Test Army}]}, bob: {}}
cards:
  - name: Test Army
    types: [Sorcery]
    cost: "{0}"
    abilities:
      - spell:
          effect:
            - {amass: 1, kind: Orc}
            - emblem:
                - triggered:
                    when: {beginning: upkeep, of: you}
                    effect: {gain_life: 1}
                    name: mornings
script:
  - {cast: alarm, by: alice}
  - settle
  - {cast: wrath, by: alice}
  - settle
  - {cast: army, by: alice}
  - settle
  - {advance: {to: upkeep, turn: alice}}
""")
    assert {
        "a Soldier token (1) enters under alice's control",
        "the Soldier token (2) is destroyed",
        "the Orc Army token gets a +1/+1 counter",
        "alice's emblem is put into the command zone",
        "alice puts mornings of alice's emblem on the stack",
    } <= said


def test_mana_is_added_spent_and_lost() -> None:
    assert [
        "== turn 2, alice's precombat main ==",
        "alice gets priority (the scenario begins here)",
        "alice activates the mana ability mana of forest (CR 605.3b: without the stack)",
        "  forest is tapped",
        "  alice adds {G} (forest)",
        "alice gets priority (CR 117.3c: who acted has priority again)",
        "alice passes (alice has {G} floating; CR 117.3d: it is announced)",
        "bob gets priority (CR 117.3d: the next in turn order)",
        "bob passes",
        "all have passed in succession: the step ends (CR 117.4: the stack is empty)",
        "  alice loses {G} (CR 500.5: unspent mana empties)",
        "== turn 2, alice's beginning of combat step ==",
        "alice gets priority (CR 117.3a: the active player, as it begins)",
    ] == told("""
setup: [{id: forest, card: Forest, controller: alice}]
script:
  - {activate: forest, ability: mana, by: alice}
  - {pass: everyone}
""")


def test_what_was_done_to_cast_stands_under_it() -> None:
    assert [
        "== turn 2, alice's precombat main ==",
        "alice gets priority (the scenario begins here)",
        "alice casts elves (Llanowar Elves) for {G} (CR 601.2i: it is cast)",
        "  alice activates the mana ability mana of forest (CR 605.3b: without the stack)",
        "    forest is tapped",
        "  alice adds {G} (forest)",
        "  alice spends {G}",
        "alice gets priority (CR 117.3c: who acted has priority again)",
    ] == told("""
players: {alice: {hand: [{elves: Llanowar Elves}]}, bob: {}}
setup: [{id: forest, card: Forest, controller: alice}]
script: [{cast: elves, by: alice, pay: [{activate: forest, ability: mana}]}]
""")


def test_land_is_played_and_triggers() -> None:
    said = told("""
cards:
  - name: Test Hermit
    types: [Creature]
    pt: 1/1
    abilities: {triggered: {when: {enters: lands}, effect: {put_counters: {+1/+1: 2}, on: this}}}
players: {alice: {hand: [{forest: Forest}]}, bob: {}}
setup: [{id: hermit, card: Test Hermit, controller: alice}]
script: [{play: forest, by: alice}, settle]
""")
    assert [
        "alice plays forest (CR 116.2a: a special action, without the stack)",
        "  forest enters under alice's control",
        "  enters of hermit (Test Hermit) triggers for alice, and waits (CR 603.2: nothing happens yet)",
        "alice puts enters of hermit on the stack (CR 603.3: before anybody gets priority)",
    ] == said[2:6]
    assert "  hermit gets 2 +1/+1 counters" in said


def test_turning_face_up() -> None:
    assert {"alice turns angel (Exalted Angel) face up", "angel is turned face up"} <= lines_of("""
setup: [{id: angel, card: Exalted Angel, controller: alice, face_down: yes}]
script: [{turn_up: angel, by: alice}]
""")


def test_targets_that_are_gone_and_spells_that_do_nothing() -> None:
    said = lines_of("""
players:
  alice: {hand: [{first: Shock}, {second: Shock}, {zap: Electrolyze}]}
  bob: {}
setup: [{id: bear, card: Runeclaw Bear, controller: bob}]
script:
  - {cast: zap, by: alice, targets: [[bear, bob]], divide: {bear: 1, bob: 1}}
  - {cast: second, by: alice, targets: [bear]}
  - {cast: first, by: alice, targets: [bear]}
  - settle
""")
    assert {
        "second (Shock) does not resolve: bear is no longer the object that was chosen",
        "zap resolves; bear is no longer the object that was chosen",
        "second goes to its owner's graveyard",
    } <= {line.replace("second does", "second (Shock) does") for line in said}


def test_counterspells_copies_and_modes() -> None:
    said = lines_of(
        """
players: {alice: {hand: [{charm: Emerald Charm}, {twin: Twincast}]}, bob: {hand: [{no: Cancel}]}}
setup: [{id: anthem, card: Glorious Anthem, controller: bob}]
script:
  - {cast: charm, by: alice, modes: [2], targets: [anthem]}
  - {cast: twin, by: alice, targets: [charm]}
  - {choose: may, by: alice, for: twin, answer: no}
  - {resolve: twin}
  - {pass: alice}
  - {cast: no, by: bob, targets: [charm]}
  - settle
""".replace("{no: Cancel}", "{nope: Cancel}").replace("cast: no,", "cast: nope,")
    )
    assert {
        "alice casts charm (Emerald Charm) targeting anthem (Glorious Anthem) with mode 2 for {G}",
        "copy of charm is put on the stack for alice",
        "charm is countered",
    } <= said


def test_the_end_of_a_game() -> None:
    said = told("""
players: {alice: {life: 2, hand: [{shock: Shock}]}, bob: {}}
script: [{cast: shock, by: alice, targets: [alice]}, settle]
""")
    assert [
        "a state-based action is performed (CR 704.3: all of them at once, before anybody gets priority)",
        "  alice loses the game (CR 704.5a: 0 or less life)",
        "the game is over: bob wins (CR 104.2a: the last one left)",
    ] == said[-3:]


def test_combat_is_reported() -> None:
    said = lines_of("""
cards:
  - {name: Test Hydra, types: [Creature], pt: 4/4}
start: {turn: alice, step: beginning of combat}
setup:
  - {id: hydra, card: Test Hydra, controller: alice}
  - {id: skeleton, card: Skeletal Changeling, controller: bob}
  - {id: bear, card: Runeclaw Bear, controller: bob}
script:
  - {pass: everyone}
  - {attack: {hydra: bob}, by: alice}
  - {pass: alice}
  - {activate: skeleton, ability: regenerate, by: bob}
  - settle
  - {pass: everyone}
  - {block: {skeleton: [hydra], bear: [hydra]}, by: bob}
  - {pass: everyone}
  - {assign: {hydra: {skeleton: 2, bear: 2}}, by: alice}
""")
    assert {
        "alice is to declare attackers",
        "hydra attacks bob",
        "skeleton will regenerate the next time",
        "bob is to declare blockers",
        "skeleton blocks hydra",
        "hydra is blocked",
        "alice is to divide combat damage",
        "hydra deals 2 combat damage to bear",
        "skeleton regenerates",
        "skeleton leaves combat: it regenerated",
    } <= {line.replace("bear (Runeclaw Bear)", "bear") for line in said}


def test_illegal_action_is_reported_with_what_remains_of_it() -> None:
    said = told("""
players: {alice: {hand: [{elves: Llanowar Elves}, {bolt: Lightning Bolt}]}, bob: {}}
setup:
  - {id: forest, card: Forest, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: bob}
script:
  - {try: one, action: {cast: bolt, by: alice, targets: [bear], pay: [{activate: forest, ability: mana}]}}
  - try: other
    action: {cast: bolt, by: alice, targets: [bear], pay: {steps: [{activate: forest}], undo_mana: no}}
""")
    why = "{R} can't be paid with {G} (CR 601.2h: no partial payment)"
    tries = "alice tries to cast bolt (Lightning Bolt) targeting bear (Runeclaw Bear), paying with forest"
    assert [
        f"{tries}, which is illegal: {why}",
        "  nothing of it stays (CR 733.1: an illegal action is reversed)",
        "alice tries to cast bolt targeting bear, paying with forest, which is illegal: " + why,
        "  only the mana abilities stay (CR 733.1: those may be kept)",
    ] == said[2:6]
    assert "  alice adds {G} (forest)" in said[6:]


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("{activate: elves, ability: mana, by: bob}", "bob tries to activate mana of elves (Llanowar Elves)"),
        ("{play: elves, by: alice}", "alice tries to play elves (Llanowar Elves)"),
        ("{turn_up: elves, by: alice}", "alice tries to turn elves (Llanowar Elves) face up"),
        ("{pass: bob}", "bob tries to pass"),
        (
            "{attack: {elves: bob}, by: alice}",
            "alice tries to declare elves (Llanowar Elves) attacking bob",
        ),
        ("{attack: [], by: alice}", "alice tries to declare no attackers"),
        (
            "{block: {elves: [bear]}, by: bob}",
            "bob tries to declare elves (Llanowar Elves) blocking bear (Runeclaw Bear)",
        ),
        (
            "{assign: {elves: {bear: 1}}, by: alice}",
            "alice tries to divide combat damage, elves (Llanowar Elves)'s as 1 to bear (Runeclaw Bear)",
        ),
        ("{special: suspend, by: bob}", "bob tries to take a special action, suspend"),
    ],
)
def test_every_attempt_is_reported(action: str, words: str) -> None:
    said = told(f"""
setup:
  - {{id: elves, card: Llanowar Elves, controller: alice}}
  - {{id: bear, card: Runeclaw Bear, controller: bob}}
script: [{{try: one, action: {action}}}]
""")
    assert words == said[2].partition(", which is illegal")[0]


def test_how_a_spell_is_cast_is_reported() -> None:
    said = lines_of("""
players:
  alice: {hand: [{angel: Exalted Angel}, {arc: Arc Lightning}], graveyard: [{think: Think Twice}]}
  bob: {}
setup: [{id: bear, card: Runeclaw Bear, controller: bob}]
script:
  - {cast: angel, by: alice, face_down: yes}
  - settle
  - {cast: think, by: alice, costs: {method: flashback}, as: again}
  - {resolve: again}
  - {cast: arc, by: alice, targets: [[bear, bob]], divide: {bear: 1, bob: 2}}
""")
    assert {
        "alice casts angel (Exalted Angel) face down for {3}",
        "alice casts think (Think Twice) with flashback for {2}{U}, called again from here on",
        "alice casts arc (Arc Lightning) targeting bear (Runeclaw Bear) and bob"
        " divided as 1 to bear and 2 to bob for {2}{R}",
    } <= said


# ---------------------------------------------------------------- why something is so or does not happen

WARDENS = """
setup:
  - {id: first, card: Soul Warden, controller: THEIRS}
  - {id: second, card: Soul Warden, controller: alice}
  - {id: third, card: Essence Warden, controller: alice}
script:
  - {cast: bear, by: alice}
  - {choose: order, by: WHO, answer: [enters of third, enters of second]}
  - settle
"""
IDLE = "state-based actions are checked, and none applies (CR 704.3: before any priority)"


def test_the_order_of_triggers_is_reported_with_its_rule() -> None:
    players = "players: {alice: {hand: [{bear: Runeclaw Bear}]}, bob: {}}"
    said = told(players + WARDENS.replace("THEIRS", "bob").replace("WHO", "alice"))
    why = "CR 603.3b: the active player's first, then in turn order; the last one put there resolves first"
    at = said.index(f"3 triggered abilities are put on the stack, alice's, then bob's ({why})")
    assert [
        "  alice orders them: enters of third, then enters of second",
        "alice puts enters of third on the stack (CR 603.3: before anybody gets priority)",
        "alice puts enters of second on the stack (CR 603.3: before anybody gets priority)",
        "bob puts enters of first on the stack (CR 603.3: before anybody gets priority)",
    ] == said[at + 1 : at + 5]


def test_the_triggers_of_a_team_are_reported_with_the_rule_for_teams() -> None:
    said = told(
        """
players:
  alice: {team: north, hand: [{bear: Runeclaw Bear}]}
  carol: {team: north}
  bob: {team: south}
  dave: {team: south}
start: {turn: north, step: precombat main}
"""
        + WARDENS.replace("THEIRS", "dave").replace("WHO", "north")
    )
    [line] = [line for line in said if "triggered abilities are put on the stack" in line]
    assert line.startswith("3 triggered abilities are put on the stack, north's, then south's (CR 805.7: ")


def test_targets_stand_under_the_ability_that_they_are_chosen_for() -> None:
    said = told("""
players: {alice: {hand: [{wrath: Wrath of God}]}, bob: {}}
setup:
  - {id: artist, card: Blood Artist, controller: bob}
  - {id: bear, card: Runeclaw Bear, controller: alice}
script:
  - {cast: wrath, by: alice}
  - {choose: targets, by: bob, for: dies of artist, answer: alice}
  - {choose: targets, by: bob, for: dies of artist (2), answer: bob}
  - settle
""")
    at = next(number for number, line in enumerate(said) if line.startswith("bob puts dies of artist on"))
    assert [
        "  bob chooses alice as the target of dies of artist",
        "bob puts dies of artist (2) on the stack targeting bob (CR 603.3: before anybody gets priority)",
        "  bob chooses bob as the target of dies of artist (2)",
    ] == said[at + 1 : at + 4]
    assert 2 == len([line for line in said if line.endswith("(CR 603.10: it looks back at how things were)")])


def test_only_the_half_of_an_ability_that_looks_back_is_reported_to() -> None:
    said = told("""
players: {alice: {hand: [{murder: Day of Judgment}]}, bob: {}}
cards:
  - name: Test Gate
    types: [Creature]
    pt: 2/2
    abilities: {triggered: {name: passage, when: {any_of: [{enters: this}, {leaves: this}]},
      effect: {gain_life: 1}}}
  - {name: Test Call, types: [Sorcery], cost: "{2}", abilities: {spell: {effect: {draw: 1}}}}
setup: [{id: gate, card: Test Gate, controller: alice}]
script: [{cast: murder, by: alice}, settle]
""")
    [line] = [line for line in said if "passage of gate" in line and "triggers" in line]
    assert line.endswith("(CR 603.10: it looks back at how things were)")
    said = told("""
players: {alice: {hand: [{gate: Test Gate}]}, bob: {}}
cards:
  - name: Test Gate
    types: [Creature]
    cost: "{1}"
    pt: 2/2
    abilities: {triggered: {name: passage, when: {any_of: [{enters: this}, {leaves: this}]},
      effect: {gain_life: 1}}}
script: [{cast: gate, by: alice}, settle]
""")
    [line] = [line for line in said if "passage of gate" in line and "triggers" in line]
    assert line.endswith("(CR 603.2: nothing happens yet)")


def test_an_ability_whose_source_is_gone_resolves_with_what_it_last_was() -> None:
    said = told("""
players: {alice: {hand: [{fling: Fling}]}, bob: {}}
setup: [{id: redcap, card: Murderous Redcap, controller: alice, counters: {+1/+1: 3}}]
script:
  - {cast: fling, by: alice, targets: [bob], costs: {sacrifice: redcap}}
  - {choose: targets, by: alice, answer: bob}
  - settle
""")
    assert "  redcap (Murderous Redcap) is sacrificed (CR 601.2h: to pay the cost)" in said
    persist = said.index("persist of redcap resolves")
    assert "  its source redcap is not there any more, but it resolves (CR 113.7a)" == said[persist + 1]
    fling = said.index("fling resolves")
    assert [
        "  redcap counts as it last was (CR 608.2h: it is gone)",
        "  fling deals 5 damage to bob",
    ] == said[fling + 1 : fling + 3]
    enters = said.index("enters of redcap resolves")
    assert "  redcap deals 1 damage to bob" == said[enters + 1]


def test_who_deals_no_damage_in_which_of_two_steps_is_reported() -> None:
    said = told("""
start: {turn: alice, step: beginning of combat}
setup:
  - {id: knight, card: White Knight, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: alice}
script:
  - {pass: everyone}
  - {attack: {knight: bob, bear: bob}, by: alice}
  - {advance: {to: end of combat}}
""")
    first = said.index("== turn 2, alice's first-strike damage step ==")
    why = "only first and double strike deal damage in the first of two steps"
    assert f"bear deals no damage now (CR 510.4: {why})" == said[first + 1]
    second = said.index("== turn 2, alice's combat damage step ==")
    why = "it dealt its damage in the first step and has no double strike"
    assert f"knight deals no damage now (CR 510.4: {why})" == said[second + 1]


def test_a_check_that_finds_nothing_is_reported_where_something_might_have_died() -> None:
    said = told("""
players: {alice: {hand: [{shock: Shock}, {think: Think Twice}]}, bob: {}}
setup: [{id: giant, card: Hill Giant, controller: bob}]
script: [{cast: shock, by: alice, targets: [giant]}, settle, {cast: think, by: alice}, settle]
""")
    assert 1 == said.count(IDLE)
    assert said.index("shock resolves") < said.index(IDLE) < said.index("think resolves")


def test_a_trigger_whose_condition_is_not_true_is_reported_not_to_trigger() -> None:
    said = told("""
players: {alice: {hand: [{shock: Shock}]}, bob: {}}
setup: [{id: finks, card: Kitchen Finks, controller: bob, counters: {-1/-1: 1}}]
script: [{cast: shock, by: alice, targets: [finks]}, settle]
""")
    assert '  persist of finks does not trigger (CR 603.4: its "if" is not true)' in said


def test_new_timestamps_are_reported_where_they_are_given() -> None:
    said = told("""
setup: [{id: angel, card: Exalted Angel, controller: alice, face_down: yes}]
script: [{turn_up: angel, by: alice}]
""")
    assert "  angel is turned face up (CR 613.7f: with a new timestamp)" in said


def test_what_ends_is_reported_with_whose_it_was() -> None:
    said = told("""
players: {alice: {hand: [{act: Threaten}]}, bob: {}}
setup: [{id: bear, card: Runeclaw Bear, controller: bob}]
script: [{cast: act, by: alice, targets: [bear]}, settle, {advance: {to: upkeep, turn: bob}}]
""")
    assert "  what act began ends: the turn ends (CR 514.2)" in said
    assert any(line.endswith("bear: alice controls it") for line in said)


COLOSSUS = """
players: {alice: {hand: [{wrath: Wrath of God}, {bolt: Lightning Bolt}]}, bob: {}}
cards: [{name: Test Colossus, types: [Creature], pt: 1/1, abilities: [indestructible]}]
setup:
  - {id: colossus, card: Test Colossus, controller: bob}
  - {id: changeling, card: Skeletal Changeling, controller: bob}
"""


def test_what_lethal_damage_does_not_destroy_is_reported() -> None:
    said = told(COLOSSUS + "script: [{cast: bolt, by: alice, targets: [colossus]}, settle]\n")
    spared = "; colossus has lethal damage, but is indestructible (CR 702.12b)"
    assert IDLE + spared in said


def test_what_is_not_destroyed_and_what_is_not_regenerated_is_reported() -> None:
    said = told(
        COLOSSUS
        + """
script:
  - {cast: wrath, by: alice}
  - {pass: alice}
  - {activate: changeling, ability: regenerate, by: bob}
  - settle
"""
    )
    at = said.index("wrath resolves")
    assert [
        "  colossus (Test Colossus) is not destroyed (CR 702.12b: indestructible)",
        "  changeling can't be regenerated, so a shield is of no use (CR 101.2: can't wins)",
        "  changeling is destroyed",
    ] == said[at + 1 : at + 4]


def test_damage_that_is_prevented_is_reported() -> None:
    said = told("""
start: {turn: bob, step: beginning of combat}
setup:
  - {id: knight, card: White Knight, controller: alice}
  - {id: ghouls, card: Mass of Ghouls, controller: bob}
script:
  - {pass: everyone}
  - {attack: {ghouls: alice}, by: bob}
  - {pass: everyone}
  - {block: {knight: [ghouls]}, by: alice}
  - {advance: {to: end of combat}}
""")
    assert "  5 damage from ghouls to knight is prevented (CR 615.6: it never happens)" in said


def test_abilities_that_were_lost_are_reported_not_to_trigger() -> None:
    said = told("""
players: {alice: {hand: [{finks: Kitchen Finks}, {wrath: Wrath of God}]}, bob: {}}
setup: [{id: humility, card: Humility, controller: bob}]
script: [{cast: finks, by: alice}, settle, {cast: wrath, by: alice}, settle]
""")
    enters = "enters of finks does not trigger (CR 603.6a: on the battlefield it does not have that ability)"
    leaves = "persist of finks does not trigger (CR 603.10a: just before, it did not have that ability)"
    assert [enters, leaves] == [line.strip() for line in said if "does not trigger" in line]
    assert [] == [
        line
        for line in told("""
players: {alice: {hand: [{finks: Kitchen Finks}]}, bob: {}}
script: [{cast: finks, by: alice}, settle]
""")
        if "does not trigger" in line
    ]


def test_a_refused_target_names_the_rule_that_forbids_it() -> None:
    said = told("""
players: {alice: {hand: [{bolt: Lightning Bolt}, {terror: Weakness}]}, bob: {}}
setup:
  - {id: bear, card: Runeclaw Bear, controller: bob}
  - {id: greaves, card: Lightning Greaves, controller: bob, attached_to: bear}
  - {id: knight, card: White Knight, controller: bob}
  - {id: ogre, card: Gray Ogre, controller: bob}
  - {id: forest, card: Forest, controller: bob}
script:
  - {try: veiled, action: {cast: bolt, by: alice, targets: [bear]}}
  - {try: shielded, action: {cast: terror, by: alice, targets: [knight]}}
  - {try: lifeless, action: {cast: bolt, by: alice, targets: [forest]}}
""")
    assert ["CR 702.18a: shroud", "CR 702.16b: protection", "CR 601.2c"] == [
        line.rpartition("(")[2].rstrip(")") for line in said if "no legal target" in line
    ]


def test_a_blocked_attacker_whose_blocker_is_gone_is_reported_to_deal_no_damage() -> None:
    said = told("""
start: {turn: alice, step: beginning of combat}
setup:
  - {id: giant, card: Hill Giant, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: fanatic, card: Mogg Fanatic, controller: bob}
  - {id: other, card: Mogg Fanatic, controller: alice}
  - {id: wall, card: Gray Ogre, controller: bob}
script:
  - {pass: everyone}
  - {attack: {giant: bob, other: bob}, by: alice}
  - {pass: everyone}
  - {block: {fanatic: [giant], wall: [other]}, by: bob}
  - {activate: other, ability: ping, by: alice, targets: [bob]}
  - {resolve: ping of other}
  - {pass: alice}
  - {activate: fanatic, ability: ping, by: bob, targets: [alice]}
  - settle
  - {advance: {to: end of combat}}
""")
    at = said.index("== turn 2, alice's combat damage step ==")
    assert [
        "giant deals no damage now (CR 510.1b, 510.1c: nothing is left that it attacks or that blocks it)",
        "wall deals no damage now (CR 510.1d: nothing is left that it blocks)",
    ] == said[at + 1 : at + 3]


DOUBLE = """
players: {alice: {hand: [{double: Spark Double}]}, bob: {}}
cards: [{name: Test Captain, types: [Creature], supertypes: [Legendary], pt: 2/2}]
setup: [{id: captain, card: Test Captain, controller: alice}]
script:
  - {cast: double, by: alice}
  - {choose: may, by: alice, for: double, answer: yes}
  - {choose: copy, by: alice, for: double, answer: captain}
  - settle
"""


def test_legend_rule_that_does_not_apply_to_what_is_not_legendary_is_reported() -> None:
    assert IDLE + "; the legend rule does not apply: double is not legendary (CR 704.5j)" in told(DOUBLE)


def test_legend_rule_that_nobody_expects_is_not_mentioned() -> None:
    captains = DOUBLE.replace("supertypes: [Legendary], ", "")
    assert not any("704.5j" in line for line in told(captains))


def test_what_is_found_for_the_top_of_a_library_is_told_to_be_there_after_shuffling() -> None:
    said = lines_of("""
players:
  alice: {hand: [{tutor: Enlightened Tutor}], library: [{first: Plains}, {key: Galvanic Key}, {last: Plains}]}
  bob: {}
script:
  - {choose: cards, by: alice, for: tutor, answer: [key]}
  - {cast: tutor, by: alice}
  - settle
""")
    assert "alice shuffles, and key is on top" in said

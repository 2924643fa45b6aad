"""Priority and passing, where no fixture covers them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reference_engine.game.events import Announced, FaceUpPlayed, LandPlayed, Moved
from reference_engine.game.game import Game, Rejected, advance
from reference_engine.game.game_rules import CR
from reference_engine.language.actions import Advance, PlayAction, TurnUp
from tests.playing import left, of, player, seen, stopped, the_table, tried

BURN = """
cards:
  - name: Test Burn
    types: [Instant]
    cost: "{0}"
    abilities: {spell: {targets: players, effect: {damage: 2, to: target}}}
"""


def test_without_an_active_player_the_next_in_turn_order_gets_priority() -> None:
    """CR 800.4j: the turn goes on, and the player after the one who left acts first."""
    text = f"""{BURN}
players: {{alice: {{life: 2}}, bob: {{hand: [{{burn: Test Burn}}]}}, carol: {{}}}}
script:
  - {{pass: alice}}
  - {{cast: burn, by: bob, targets: [alice]}}
  - {{pass: everyone}}
  - {{look: gone}}
  - {{try: theirs, action: {{pass: carol}}}}
  - {{pass: bob}}
  - {{pass: carol}}
"""
    assert (True, "bob") == (player(text, "alice").lost, seen(text, "gone").table.priority)
    assert {"theirs": "rejected"} == tried(text)
    assert ("beginning of combat", "bob") == (the_table(text).step, the_table(text).priority)


@pytest.mark.parametrize(
    ("lives", "over"),
    [((2, 20, 20), False), ((20, 2, 2), True), ((2, 2, 20), True), ((2, 2, 2), True)],
)
def test_the_game_is_over_when_one_is_left_or_nobody(lives: tuple[int, int, int], over: bool) -> None:
    """CR 104.2a, 104.4a: and not a moment sooner."""
    alice, bob, carol = lives
    text = f"""
cards:
  - name: Test Quake
    types: [Sorcery]
    cost: "{{0}}"
    abilities: {{spell: {{effect: {{damage: 2, to: everyone}}}}}}
players:
  alice: {{life: {alice}, hand: [{{quake: Test Quake}}]}}
  bob: {{life: {bob}}}
  carol: {{life: {carol}}}
script:
  - {{cast: quake, by: alice}}
  - settle
"""
    assert over == the_table(text).over
    assert {name: life == 2 for name, life in zip(("alice", "bob", "carol"), lives, strict=True)} == {
        name: player(text, name).lost for name in ("alice", "bob", "carol")
    }


@pytest.mark.parametrize(
    ("what", "rule"),
    [
        ("end an effect", "116.2c"),
        ("ignore an effect", "116.2d"),
        ("Circling Vultures", "116.2e"),
        ("companion", "116.2g"),
        ("roll the planar die", "116.2i"),
        ("turn a conspiracy up", "116.2j"),
    ],
)
def test_special_actions_that_are_not_played_are_refused_by_name_and_rule(what: str, rule: str) -> None:
    assert ("unsupported", f"the special action {what!r} (CR {rule})") == stopped(
        f"script: [{{special: {what}, by: alice}}]"
    )
    assert "rejected" == stopped(f"script: [{{special: {what}, by: bob}}]")[0]


def test_only_a_card_with_suspend_could_be_suspended() -> None:
    """CR 116.2f: a player may exile a card with suspend from hand; the engine does not play that."""
    text = """
players: {{alice: {{hand: [{{bloom: Lotus Bloom}}, {{bear: Runeclaw Bear}}]}}, bob: {{}}}}
script: [{{special: suspend, by: alice, source: {}}}]
"""
    assert ("unsupported", "the special action 'suspend' (CR 116.2f)") == stopped(text.format("bloom"))
    assert ("rejected", "alice has no bear with suspend in hand (CR 116.2f)") == stopped(text.format("bear"))


@pytest.mark.parametrize("until", ["settle", "{resolve: shock}"])
def test_passing_ends_with_the_game(until: str) -> None:
    """CR 104.1: what is left on the stack never resolves."""
    text = f"""{BURN}
players: {{alice: {{hand: [{{shock: Shock}}, {{burn: Test Burn}}]}}, bob: {{life: 2}}}}
script:
  - {{cast: shock, by: alice, targets: [bob]}}
  - {{cast: burn, by: alice, targets: [bob]}}
  - {until}
"""
    assert (True, ("shock",)) == (the_table(text).over, the_table(text).stack)


def test_an_advance_finds_no_stop_in_a_game_that_is_over() -> None:
    text = "players: {alice: {}, bob: {library: []}}\nscript: [{advance: {to: upkeep, turn: alice}}]"
    assert ("no stop", "the game is over") == stopped(text)


def test_what_triggers_as_the_game_ends_asks_nothing() -> None:
    """CR 104.1: the game ends at once, before the ability would be put on the stack (CR 603.3)."""
    text = """
cards:
  - name: Test Doom
    types: [Sorcery]
    cost: "{0}"
    abilities: {spell: {effect: [{gain_life: 1}, {lose_life: 2, who: opponents}]}}
  - name: Test Mourner
    types: [Enchantment]
    abilities:
      triggered: {when: gains_life, targets: creatures, effect: {destroy: target}}
players: {alice: {hand: [{doom: Test Doom}]}, bob: {life: 2}}
setup:
  - {id: mourner, card: Test Mourner, controller: alice}
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: ogre, card: Gray Ogre, controller: alice}
script: [{cast: doom, by: alice}, settle]
"""
    assert (True, ()) == (the_table(text).over, the_table(text).stack)
    assert "question" == stopped(text.replace("life: 2}", "life: 3}"))[0]


def test_a_table_of_one_side_has_nobody_to_win_against() -> None:
    """CR 104.2a: a player wins when all opponents have left, and here there are none."""
    text = """
players: {alice: {team: us, hand: [{shock: Shock}]}, ann: {team: us}}
setup: [{id: bear, card: Runeclaw Bear, controller: alice}]
script: [{cast: shock, by: alice, targets: [bear]}, settle]
"""
    assert not the_table(text).over
    assert "graveyard" == of(text, "bear").zone


@pytest.mark.sweep
@pytest.mark.parametrize("action", ["settle", "{resolve: spark}", "{advance: {to: end}}"])
def test_what_goes_on_for_ever_is_a_loop(action: str) -> None:
    text = f"""
cards:
  - name: Test Echo
    types: [Enchantment]
    abilities: {{triggered: {{when: gains_life, effect: {{gain_life: 1}}}}}}
  - {{name: Test Spark, types: [Instant], abilities: {{spell: {{effect: {{gain_life: 1}}}}}}}}
players: {{alice: {{hand: [{{spark: Test Spark}}, {{spark2: Test Spark}}]}}, bob: {{}}}}
setup: [{{id: cave, card: Test Echo, controller: alice}}]
script: [{{cast: spark, by: alice}}, {{cast: spark2, by: alice}}, {action}]
"""
    assert "loop" == stopped(text)[0]


@pytest.mark.parametrize("who", ["alice", "everyone"])
def test_nobody_passes_before_what_must_be_declared(who: str) -> None:
    """CR 508.1: the active player declares attackers first, even if none."""
    text = f"""
setup: [{{id: bear, card: Runeclaw Bear, controller: alice}}]
start: {{turn: alice, step: beginning of combat}}
script: [{{pass: everyone}}, {{pass: {who}}}]
"""
    assert ("question", "alice must choose object for attackers") == stopped(text)


def test_an_advance_leads_to_a_later_step_though_something_resolves_in_this_one() -> None:
    text = """
players: {alice: {hand: [{shock: Shock}]}, bob: {}}
script: [{cast: shock, by: alice, targets: [bob]}, {advance: {to: precombat main}}]
"""
    assert ("bob", "precombat main") == (the_table(text).turn, the_table(text).step)


def test_who_acts_after_a_resolution_may_depend_on_what_has_resolved() -> None:
    """CR 117.3b: the active player does, whoever controlled it; other rules could name its controller."""
    text = """
players: {alice: {}, bob: {hand: [{shock: Shock}]}}
script: [{pass: alice}, {cast: shock, by: bob, targets: [alice]}, settle]
"""
    controllers = replace(CR, holder_after_resolution=lambda game, item: item.controller)
    assert ("alice", "bob") == (the_table(text).priority, the_table(text, controllers).priority)


def test_special_actions_are_reported_with_who_takes_them() -> None:
    game = left("""
players: {alice: {hand: [{forest: Forest}]}, bob: {}}
setup: [{id: hidden, card: Exalted Angel, controller: alice, face_down: yes}]
script: []
""")
    played = advance(game, PlayAction("forest", by="alice"))
    assert isinstance(played, Game)
    assert Announced("forest", "alice") == played.events[0]
    assert LandPlayed("forest", "alice") in played.events
    assert ["played"] == [event.how for event in played.events if isinstance(event, Moved)]
    turned = advance(game, TurnUp("hidden", by="alice"))
    assert isinstance(turned, Game)
    assert Announced("hidden", "alice") == turned.events[0]
    assert FaceUpPlayed("hidden", "alice") in turned.events


def test_a_turn_is_a_sides_and_not_a_team_mates() -> None:
    """CR 805.4: the team takes turns, and its players have none of their own."""
    teams = "{alice: {team: us}, ann: {team: us}, bob: {team: them}, ben: {team: them}}"
    game = left(f"players: {teams}\nscript: []")
    theirs = advance(game, Advance("upkeep", "them"))
    assert isinstance(theirs, Game)
    assert ("them", "upkeep") == (theirs.board.active, theirs.board.step)
    assert isinstance(advance(game, Advance("upkeep", "bob")), Rejected)

"""Who may act and what passing does, where no fixture says it."""

from __future__ import annotations

import pytest

from tests.playing import player, seen, stopped, the_table, tried

BURN = """
cards:
  - name: Test Burn
    types: [Instant]
    cost: "{0}"
    abilities: {spell: {targets: players, effect: {damage: 2, to: target}}}
"""


def test_without_an_active_player_the_next_in_turn_order_gets_priority() -> None:
    """CR 800.4j: the turn goes on, and whoever would be after who left acts first."""
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
        ("suspend", "116.2f"),
        ("companion", "116.2g"),
        ("foretell", "116.2h"),
        ("roll the planar die", "116.2i"),
        ("turn a conspiracy up", "116.2j"),
        ("plot", "116.2k"),
        ("unlock", "116.2m"),
    ],
)
def test_special_actions_that_are_not_played_are_refused_by_name_and_rule(what: str, rule: str) -> None:
    assert ("unsupported", f"the special action {what!r} (CR {rule})") == stopped(
        f"script: [{{special: {what}, by: alice}}]"
    )
    assert "rejected" == stopped(f"script: [{{special: {what}, by: bob}}]")[0]

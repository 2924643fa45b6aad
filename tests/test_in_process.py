"""The reference engine plays scenarios: setup, script, looks, and the reason if it stops."""

from __future__ import annotations

from dataclasses import replace

import pytest

from conformance.data.library import pool
from conformance.model.engine import CannotPlay
from conformance.model.problems import ScenarioError
from conformance_adapters.in_process import Reference, play_through
from reference_engine.game.events import Moved
from reference_engine.game.game import Game
from reference_engine.game.game_rules import CR
from tests.playing import game_of, of, player, seen, stopped, table, the_table, tried


def wrong(text: str) -> str:
    """The error message for an impossible setup."""
    with pytest.raises(ScenarioError) as refused:
        play_through(table(text), CR)
    return str(refused.value)


# --------------------------------------------------------------------------------------- setup


def test_table_that_only_broken_rules_forbid_is_unsupported_by_who_breaks_them() -> None:
    play = table("setup: [{id: bear, card: Runeclaw Bear, controller: alice}]")
    dead = (Moved("bear", "battlefield", "graveyard", "died"),)
    broken = replace(CR, state_based_checks=(lambda game: dead if "bear" in game.board.things else (),))

    Reference().play(play)
    with pytest.raises(CannotPlay, match=r"no such table: setup\[1\]: a state-based action waits"):
        Reference(rules=broken).play(play)


def test_permanent_that_is_not_played_is_unsupported_in_a_setup() -> None:
    siege = "cards: [{name: Test Siege, types: [Battle], subtypes: [Siege]}]\n"
    play = table(siege + "setup: [{id: siege, card: Test Siege, controller: alice}]")

    with pytest.raises(CannotPlay, match=r"setup\[1\]: a permanent such as siege"):
        Reference().play(play)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "cards: [{name: Test Husk, types: [Creature], pt: 0/0}]\n"
            "setup: [{id: wall, card: Test Husk, controller: alice}]",
            "state-based",
        ),
        ("setup: [{id: bear, card: Runeclaw Bear, controller: alice, damage: 2}]", "state-based"),
        (
            "setup: [{id: bear, card: Runeclaw Bear, controller: alice}, {id: flight, "
            "card: Flight, controller: alice}]",
            "state-based",
        ),
        (
            "setup: [{id: clone, card: Clone, controller: alice}, "
            "{id: bear, card: Runeclaw Bear, controller: alice}]",
            "state-based",
        ),
        ('setup: [{id: painter, card: "Painter\'s Servant", controller: alice}]', "has no answer"),
        ("setup: [{id: bear, card: Runeclaw Bear, controller: alice, choices: {color: red}}]", "never asks"),
        ("players: {alice: {life: 0}, bob: {}}", "state-based"),
    ],
)
def test_tables_that_cannot_be(text: str, says: str) -> None:
    assert says in wrong(text)


def test_choices_made_as_things_entered() -> None:
    text = """
setup:
  - {id: painter, card: "Painter's Servant", controller: alice, choices: {color: blue}}
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: clone, card: Clone, controller: bob, choices: {copy: bear}}
"""
    assert (frozenset({"green", "blue"}), "Runeclaw Bear") == (
        of(text, "bear").colors,
        of(text, "clone").name,
    )


def test_things_that_came_together_have_timestamps_as_ordered() -> None:
    text = """
setup:
  - together:
      - {id: theirs, card: Gray Ogre, controller: bob}
      - {id: bear, card: Runeclaw Bear, controller: alice}
      - {id: angel, card: Serra Angel, controller: alice}
    timestamps: {alice: [angel, bear]}
  - {id: ring, card: Sol Ring, controller: bob}
"""
    things = game_of(text).start.board.things
    order = sorted(("theirs", "bear", "angel", "ring"), key=lambda id: things[id].timestamp)
    assert ["angel", "bear", "theirs", "ring"] == order


def test_everything_about_an_entry() -> None:
    text = """
players: {alice: {counters: {poison: 1}, graveyard: [{g1: Shock}], exile: [{e1: Shock}]}, bob: {life: 7}}
setup:
  - {id: bear, card: Runeclaw Bear, controller: bob, tapped: yes, damage: 1, counters: {+1/+1: 1}, new: yes}
  - {id: hidden, card: Exalted Angel, controller: alice, face_down: yes}
  - {id: stolen, card: Gray Ogre, controller: alice, owner: bob}
  - {id: sapling, token: {name: Saproling, types: [Creature], colors: [green], pt: 1/1}, controller: alice}
"""
    table = seen(text)
    bear, hidden, stolen = (table.objects[id] for id in ("bear", "hidden", "stolen"))
    assert (True, 1, 3) == (bear.tapped, bear.damage, bear.power)
    assert (True, 2, None) == (hidden.face_down, hidden.power, hidden.name)
    assert ("alice", "bob") == (stolen.controller, stolen.owner)
    assert [("Saproling", "alice")] == [(one.name, one.controller) for one in table.table.tokens or ()]
    assert 7 == table.players["bob"].life
    assert ("graveyard", "exile") == (table.objects["g1"].zone, table.objects["e1"].zone)


def test_new_creatures_are_sick_and_old_ones_are_not() -> None:
    text = """
setup:
  - {id: elves, card: Llanowar Elves, controller: alice}
  - {id: fresh, card: Llanowar Elves, controller: alice, new: yes}
script:
  - {try: tap_old, action: {activate: elves, ability: mana, by: alice}}
  - {try: tap_new, action: {activate: fresh, ability: mana, by: alice}}
"""
    assert {"tap_old": "done", "tap_new": "rejected"} == tried(text)


# -------------------------------------------------------------------------------------- looks


def test_everything_is_seen_if_nothing_is_asked_for() -> None:
    table = seen(
        """
players: {alice: {hand: [{shock: Shock}]}, bob: {}}
setup: [{id: pyro, card: Prodigal Pyromancer, controller: alice}]
script:
  - {activate: pyro, ability: ping, by: alice, targets: [bob], as: ping1}
  - {cast: shock, by: alice, targets: [pyro]}
""".replace("ability: ping,", "ability: PING,").replace("PING", ability_of("Prodigal Pyromancer"))
    )
    assert ("ping1", "shock") == table.table.stack
    assert ("pyro", ("bob",)) == (table.objects["ping1"].source, table.objects["ping1"].targets)
    assert (("pyro",), "{R}") == (table.objects["shock"].targets, table.objects["shock"].paid)
    assert {"alice", "bob"} == set(table.players)


def ability_of(name: str) -> str:
    """The name of a card's first activated ability."""
    return next(
        one.name
        for one in pool()[name].abilities
        if getattr(one, "cost", None) is not None and hasattr(one, "name")
    )


def test_only_what_is_wanted_is_looked_at() -> None:
    play = table("""
setup: [{id: bear, card: Runeclaw Bear, controller: alice}]
script: [{look: early}]
expect:
  early: [{of: bear, power: 2}]
  end: [{of: bob, life: 20}, {of: table, step: precombat main}]
""")
    looks = Reference().play(play).looks
    assert ({"bear"}, set()) == (set(looks["early"].objects), set(looks["early"].players))
    assert (set(), {"bob"}) == (set(looks["end"].objects), set(looks["end"].players))
    assert "precombat main" == looks["end"].table.step


def test_keywords_with_what_was_chosen() -> None:
    text = """
cards:
  - name: Test Knight
    types: [Creature]
    pt: 2/2
    abilities:
      - as_enters: {choose: {choose: color}}
      - {protection: {color: chosen color}}
      - {landwalk: Island}
setup: [{id: knight, card: Test Knight, controller: alice, choices: {color: red}}]
"""
    assert frozenset({"protection from red", "islandwalk"}) == of(text, "knight").keywords


def test_answers_that_nobody_asked_for_are_reported() -> None:
    text = "script: [{choose: may, by: alice, answer: yes}]"
    assert (0,) == game_of(text).observations.unused


# ----------------------------------------------------------------------------- why it stopped


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("{cast: bear, by: alice}", "rejected"),
        ("{pass: bob}", "rejected"),
        ("{attack: {bear: bob}, by: alice}", "rejected"),
        ("{block: {bear: [bear]}, by: bob}", "rejected"),
        ("{assign: {bear: {bob: 2}}, by: alice}", "rejected"),
        ("{resolve: bear}", "rejected"),
        ("{advance: {to: first-strike damage}}", "no stop"),
        ("{special: companion, by: alice}", "unsupported"),
    ],
)
def test_what_is_rejected_outside_a_try_stops_the_play(script: str, why: str) -> None:
    text = f"setup: [{{id: bear, card: Runeclaw Bear, controller: alice}}]\nscript: [{script}]"
    assert why == stopped(text)[0]


def test_nothing_can_be_done_once_the_game_is_over() -> None:
    text = """
players: {alice: {hand: [{shock: Shock}, {bolt: Shock}]}, bob: {life: 2}}
script:
  - {cast: shock, by: alice, targets: [bob]}
  - settle
  - {try: more, action: {cast: bolt, by: alice, targets: [alice]}}
  - {try: passing, action: {pass: everyone}}
"""
    assert {"more": "rejected", "passing": "rejected"} == tried(text)
    assert "rejected" == stopped(text + "  - {advance: {to: end}}\n")[0]


def test_declarations_have_to_be_made_where_they_are_open() -> None:
    text = """
start: {turn: alice, step: beginning of combat}
setup: [{id: bear, card: Runeclaw Bear, controller: alice}]
script:
  - {pass: everyone}
  - PASS
"""
    for action in ("{pass: everyone}", "{pass: alice}"):
        assert "question" == stopped(text.replace("PASS", action))[0]
    assert "declare attackers" == the_table(text.replace("  - PASS\n", "")).step


def test_who_describes_itself() -> None:
    info = Reference("2018-01-01").describe()
    assert ("reference", "2017-09-29") == (info.name, info.edition)  # the one in force on that day
    assert CR.edition == Reference().describe().edition


# ------------------------------------------------------------------------------ what is not played


def test_battle_is_not_played() -> None:
    text = """
cards: [{name: Test Siege, types: [Battle], subtypes: [Siege]}]
players: {alice: {hand: [{siege: Test Siege}]}, bob: {}}
script: [{cast: siege, by: alice}, settle]
"""
    assert "unsupported" == stopped(text)[0]


def test_words_and_names_chosen_while_something_resolves() -> None:
    text = """
cards: [{name: Test Riddle, types: [Sorcery], abilities: {spell: {effect: {choose: name}}}}]
players: {alice: {hand: [{riddle: Test Riddle}]}, bob: {}}
script:
  - {choose: name, by: alice, for: riddle, answer: Shock}
  - {cast: riddle, by: alice}
  - settle
"""
    assert ("unsupported", "choosing a name while something resolves") == stopped(text)


# ---------------------------------------------------------------------------------- restrictions


@pytest.mark.parametrize(
    ("does", "action", "outcome"),
    [
        ("{cannot: cast}", "{cast: shock, by: alice, targets: [bob]}", "rejected"),
        ("{cannot: cast, what: {type: Creature}}", "{cast: shock, by: alice, targets: [bob]}", "done"),
        ("{cannot: cast, what: {type: Instant}}", "{cast: shock, by: alice, targets: [bob]}", "rejected"),
        ("{cannot: cast, after: 1}", "{cast: shock, by: alice, targets: [bob]}", "done"),
        ("{cannot: cast, unless: {turn: you}}", "{cast: shock, by: alice, targets: [bob]}", "rejected"),
        ("{cannot: cast, unless: {turn: opponents}}", "{cast: shock, by: alice, targets: [bob]}", "done"),
        ("only_as_sorcery", "{cast: shock, by: alice, targets: [bob]}", "done"),
        ("{cannot: activate abilities}", "{activate: elves, ability: mana, by: alice}", "rejected"),
        (
            "{cannot: activate abilities, but: mana abilities}",
            "{activate: elves, ability: mana, by: alice}",
            "done",
        ),
        (
            "{cannot: activate abilities, what: {type: Artifact}}",
            "{activate: elves, ability: mana, by: alice}",
            "done",
        ),
        (
            "{cannot: activate abilities, unless: {turn: opponents}}",
            "{activate: elves, ability: mana, by: alice}",
            "done",
        ),
        (
            "{cannot: activate abilities, but: loyalty abilities}",
            "{activate: jace, ability: LOYALTY, by: alice, targets: [bob]}",
            "done",
        ),
    ],
)
def test_what_effects_forbid(does: str, action: str, outcome: str) -> None:
    text = f"""
cards: [{{name: Test Ban, types: [Enchantment], abilities: {{static: {{affects: everyone, does: {does}}}}}}}]
players: {{alice: {{hand: [{{shock: Shock}}]}}, bob: {{}}}}
setup:
  - {{id: ban, card: Test Ban, controller: bob}}
  - {{id: elves, card: Llanowar Elves, controller: alice}}
  - {{id: jace, card: "Jace, the Mind Sculptor", controller: alice}}
script: [{{try: it, action: {action}}}]
""".replace("LOYALTY", "brainstorm")
    if "brainstorm" in text:
        text = text.replace("brainstorm", ability_of("Jace, the Mind Sculptor"))
    assert {"it": outcome} == tried(text)


def test_second_spell_of_a_turn() -> None:
    text = """
players: {alice: {hand: [{shock: Shock}, {bolt: Lightning Bolt}]}, bob: {}}
setup: [{id: law, card: Rule of Law, controller: bob}]
script:
  - {try: first, action: {cast: shock, by: alice, targets: [bob]}}
  - {try: second, action: {cast: bolt, by: alice, targets: [bob]}}
"""
    assert {"first": "done", "second": "rejected"} == tried(text)


def test_once_each_turn_and_only_as_a_sorcery() -> None:
    text = """
cards:
  - name: Test Shrine
    types: [Artifact]
    abilities:
      - {activated: {cost: {life: 1}, effect: {gain_life: 2}, once: yes}, name: pray}
      - {activated: {cost: {life: 1}, effect: {gain_life: 2}, sorcery: yes}, name: chant}
      - {activated: {cost: {life: 1}, effect: {gain_life: 2}, by: opponents}, name: borrow}
      - {activated: {cost: {life: 1}, effect: {gain_life: 2}, cond: {exists: creatures}}, name: share}
setup: [{id: shrine, card: Test Shrine, controller: alice}]
script:
  - {try: pray1, action: {activate: shrine, ability: pray, by: alice}}
  - {try: pray2, action: {activate: shrine, ability: pray, by: alice}}
  - {try: chant1, action: {activate: shrine, ability: chant, by: alice}}
  - {try: mine, action: {activate: shrine, ability: borrow, by: alice}}
  - {try: share1, action: {activate: shrine, ability: share, by: alice}}
  - settle
  - {try: chant2, action: {activate: shrine, ability: chant, by: alice}}
  - {pass: alice}
  - {try: theirs, action: {activate: shrine, ability: borrow, by: bob}}
"""
    assert {
        "pray1": "done",
        "pray2": "rejected",
        "chant1": "rejected",
        "mine": "rejected",
        "share1": "rejected",
        "chant2": "done",
        "theirs": "done",
    } == tried(text)


def test_split_second_and_flash() -> None:
    text = """
players: {alice: {hand: [{frog: Krosan Grip}, {shock: Shock}]}, bob: {hand: [{bolt: Shock}]}}
setup:
  - {id: ring, card: Sol Ring, controller: bob}
  - {id: bombs, card: Goblin Bombardment, controller: bob}
  - {id: bear, card: Runeclaw Bear, controller: bob}
script:
  - {cast: frog, by: alice, targets: [ring]}
  - {try: spell1, action: {cast: shock, by: alice, targets: [bob]}}
  - {pass: alice}
  - {try: ability1, action: {activate: bombs, ability: ABILITY, by: bob, targets: [alice]}}
  - {try: mana1, action: {activate: ring, ability: mana, by: bob}}
""".replace("ABILITY", ability_of("Goblin Bombardment"))
    assert {"spell1": "rejected", "ability1": "rejected", "mana1": "done"} == tried(text)
    assert "{C}{C}" == player(text, "bob").pool


def test_as_though_they_had_flash() -> None:
    text = """
players: {alice: {}, bob: {hand: [{bear: Runeclaw Bear}]}}
SETUP
script: [{pass: alice}, {try: it, action: {cast: bear, by: bob}}]
"""
    teferi = 'setup: [{id: teferi, card: "Teferi, Mage of Zhalfir", controller: CONTROLLER}]'
    assert {"it": "rejected"} == tried(text.replace("SETUP", ""))
    assert {"it": "done"} == tried(text.replace("SETUP", teferi.replace("CONTROLLER", "bob")))
    assert {"it": "rejected"} == tried(text.replace("SETUP", teferi.replace("CONTROLLER", "alice")))


def test_earlier_games_do_not_change_as_the_play_goes_on() -> None:
    """Whoever shows a play step by step looks at all games after the last one."""
    done = game_of("""
players: {alice: {hand: [{act: Threaten}]}, bob: {}}
setup: [{id: bear, card: Runeclaw Bear, controller: bob}]
script: [{cast: act, by: alice, targets: [bear]}, settle]
""")
    games = [done.start, *(game for _, game in done.course if isinstance(game, Game))]
    assert ["bob", "bob", "alice"] == [game.seen.look("bear").controller for game in games]

"""The explanation of a board, as a judge would read it."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from conformance.cli import main
from conformance.data.library import all_fixtures
from conformance.data.loading import load_play
from conformance.tell.explanation import size_of
from conformance.tell.explanation_text import explain, in_edition
from conformance_adapters.in_process import play_through
from reference_engine.game.game_rules import CR
from reference_engine.language.characteristics import Characteristics
from reference_engine.layers import at_work
from reference_engine.layers.dependency import Waits, dependencies
from reference_engine.layers.evaluation import evaluate_with_trace
from tests.playing import game_of, told
from tools.golden_explain import BOARDS, FOLDER, golden_explanation


@pytest.mark.parametrize("id", BOARDS)
def test_the_explanation_is_the_one_we_read(id: str) -> None:
    assert (FOLDER / f"{id}.txt").read_text(encoding="utf-8") == golden_explanation(id)


def test_one_object_alone_can_be_explained() -> None:
    said = CliRunner().invoke(main, ["explain", "L-0114", "--of", "urborg"]).output
    assert "would decide whether it exists" in said
    assert "In the end\n  urborg:" in said


def test_of_a_script_what_concerns_one_object_is_reported_with_what_it_belongs_to() -> None:
    said = CliRunner().invoke(main, ["explain", "G-0136", "--of", "redcap"]).output.splitlines()
    assert [
        "What was done",
        "  == turn 2, alice's precombat main ==",
        "  alice casts grenade (Goblin Grenade) targeting bob for {R} (CR 601.2i: it is cast)",
        "    redcap (Murderous Redcap) is sacrificed (CR 601.2h: to pay the cost)",
        "    persist of redcap triggers for alice, and waits (CR 603.10: it looks back at how things were)",
        "  alice puts persist of redcap on the stack (CR 603.3: before anybody gets priority)",
        "  persist of redcap resolves",
        "    its source redcap is not there any more, but it resolves (CR 113.7a)",
        "    redcap enters with a -1/-1 counter under alice's control",
    ] == said[:9]
    assert [
        "  enters of redcap resolves",
        "    redcap deals 1 damage to bob",
        "    bob loses 1 life",
        "",
        "The board, oldest first",
    ] == said[12:17]


def test_what_has_left_the_battlefield_is_reported_to_be_elsewhere() -> None:
    said = CliRunner().invoke(main, ["explain", "G-0141", "--of", "thrasher"]).output
    where = "in adam's graveyard, blue, Creature — Merfolk Soldier, 1/1"
    assert said.endswith(f"\n\nIn the end\n  thrasher: Wake Thrasher, {where}\n")


def test_a_play_that_stops_is_reported_as_far_as_it_goes(tmp_path: Path) -> None:
    board = tmp_path / "board.yaml"
    board.write_text("script: [{pass: alice}, {pass: alice}]\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["explain", str(board)])
    assert 2 == result.exit_code
    assert "  alice passes\n  bob gets priority (CR 117.3d: the next in turn order)\n" in result.stdout
    assert (
        "  alice tries to pass, which is illegal: alice does not have priority (CR 117.1)\n" in result.stdout
    )
    assert "the play stops at action 2 (Alice passes): alice does not have priority" in result.stderr


def test_an_object_that_does_not_exist() -> None:
    result = CliRunner().invoke(main, ["explain", "L-0114", "--of", "urbrog"])
    assert (2, True) == (result.exit_code, "did you mean 'urborg'?" in result.output)


def test_counters_copies_and_face_down_things_are_reported() -> None:
    said = CliRunner().invoke(main, ["explain", "L-0143"]).output
    assert "becomes a copy of Sengir Vampire" in said


def explanation_of(text: str, folder: Path, *options: str) -> str:
    """The command's output for a file with these lines, whether or not play stops."""
    board = folder / "board.yaml"
    board.write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, ["explain", str(board), *options], catch_exceptions=False).stdout


def block(said: str, heading: str) -> list[str]:
    """The lines of one block of an explanation below its heading."""
    return next(
        part.splitlines()[1:] for part in said.split("\n\n") if part.splitlines()[0].startswith(heading)
    )


# ------------------------------------------------------------------------------------------- costs

TAXED = """
players: {alice: {hand: [{strike: Lightning Strike}]}, bob: {}}
setup:
  - {id: trini, card: Trinisphere, controller: bob}
  - {id: ruby, card: Ruby Medallion, controller: alice}
  - {id: second, card: Ruby Medallion, controller: alice}
  - {id: thalia, card: "Thalia, Guardian of Thraben", controller: bob}
script: [{cast: strike, by: alice, targets: [bob]}]
"""


def test_a_total_cost_is_reported_step_by_step() -> None:
    said = told(TAXED)
    at = next(number for number, line in enumerate(said) if "total cost" in line)
    assert [
        "  the total cost is {2}{R} (CR 601.2f: worked out in this order, then locked in)",
        "    mana cost {1}{R}",
        "    thalia (Thalia, Guardian of Thraben) adds {1}: {2}{R}",
        "    ruby (Ruby Medallion) takes off {1}: {1}{R} (CR 118.7a: only generic mana)",
        "    second (Ruby Medallion) takes off {1}: {R} (CR 118.7a: only generic mana)",
        "    trini (Trinisphere) makes it at least {3}: {2}{R} (CR 601.2f: after increases and reductions)",
    ] == said[at : at + 6]


def test_what_takes_nothing_off_is_reported_too_and_so_is_the_order_that_was_chosen() -> None:
    chosen = "targets: [bob], costs: {reduce_in_order: [second, ruby]}"
    said = told(TAXED.replace("Lightning Strike", "Shock").replace("targets: [bob]", chosen))
    assert [
        "    thalia (Thalia, Guardian of Thraben) adds {1}: {1}{R}",
        "    second (Ruby Medallion) takes off {1}: {R} (CR 118.7a: only generic mana)",
        "    ruby (Ruby Medallion) takes off {1}: still {R} (CR 118.7a: only generic mana)",
    ] == [line for line in said if "adds" in line or "takes off" in line]


def test_a_cost_in_place_of_the_mana_cost_is_reported() -> None:
    said = told("""
players: {alice: {graveyard: [{think: Think Twice}]}, bob: {}}
script: [{cast: think, by: alice, costs: {method: flashback}}]
""")
    why = "CR 118.9, 118.9d: in place of the mana cost, and changed as that would be"
    assert f"    flashback cost {{2}}{{U}} ({why})" in said


def test_a_plain_cost_needs_no_steps() -> None:
    start, _, script = TAXED.partition("setup:")
    said = told(start + "script:" + script.partition("script:")[2])
    assert [] == [line for line in said if "total cost" in line]


def test_effects_on_costs_are_not_said_to_go_by_timestamp(tmp_path: Path) -> None:
    said = explanation_of(TAXED.partition("script:")[0], tmp_path)
    costs = block(said, "Costs, not by timestamp but as each is worked out (CR 613.11, 601.2f)")
    assert ["thalia", "ruby", "second", "trini"] == [
        line.split(":")[0].split()[-1] for line in costs if line[:4].strip()[:1].isdigit()
    ]
    assert "rules of the game, by timestamp" not in said


def test_one_rule_is_cited_where_one_applies(tmp_path: Path) -> None:
    said = explanation_of(
        """
setup:
  - {id: changeling, card: Skeletal Changeling, controller: alice}
  - {id: adaptation, card: Arcane Adaptation, controller: alice, choices: {type: Bear}}
  - {id: avatar, card: Serra Avatar, controller: alice}
""",
        tmp_path,
    )
    assert "changeling: defines characteristics, so it comes first (CR 613.3)\n" in said
    assert "Layer 7a: defined power and toughness (CR 613.4a)\n  1. avatar\n" in said
    assert "613.3, 613.4a" not in said


# ------------------------------------------------------------------------ what waits, what does not happen


def test_what_waited_and_is_never_applied_is_reported_to_its_end() -> None:
    said = golden_explanation("L-0114")
    assert (
        "  urborg is not applied: moon has taken its ability in layer 4 (CR 305.7);"
        " so after the wait nothing of it is left to apply (CR 613.8b)\n" in said
    )


def test_what_waited_and_is_applied_says_after_what() -> None:
    assert "crusade (1): just after conspiracy, for which it waited (CR 613.8b)" in golden_explanation(
        "L-0120",
    )


def test_an_ability_lost_before_its_layer_is_reported_where_it_would_have_worked(tmp_path: Path) -> None:
    said = explanation_of(
        """
setup:
  - {id: anthem, card: Glorious Anthem, controller: alice}
  - {id: opalescence, card: Opalescence, controller: alice}
  - {id: humility, card: Humility, controller: bob}
""",
        tmp_path,
    )
    assert [
        "  anthem is not applied: humility has taken its ability in layer 6 (CR 613.1f);"
        " only what has begun goes on without its ability (CR 613.6)",
        "     “Creatures you control get +1/+1.”",
    ] == block(said, "Layer 7c")


def test_an_ability_lost_after_its_layer_is_reported_to_be_lost_too_late(tmp_path: Path) -> None:
    said = explanation_of(
        """
setup:
  - {id: magus, card: Magus of the Moon, controller: bob}
  - {id: factory, card: Mishra's Factory, controller: alice}
  - {id: humility, card: Humility, controller: bob}
""",
        tmp_path,
    )
    assert "; too late to stop what magus did in layer 4 (CR 613.1)\n" in said


def test_setting_land_types_says_what_stays_and_what_goes(tmp_path: Path) -> None:
    said = explanation_of(
        """
setup:
  - {id: arbor, card: Dryad Arbor, controller: alice}
  - {id: moon, card: Blood Moon, controller: bob}
""",
        tmp_path,
    )
    assert (
        "loses “{T}: Add {G}.” (CR 305.7); gains “{T}: Add {R}.” (CR 305.6);"
        " stays Creature, as only land types are set (CR 305.7)" in said
    )
    added = explanation_of(
        """
setup:
  - {id: factory, card: Mishra's Factory, controller: alice}
  - {id: urborg, card: "Urborg, Tomb of Yawgmoth", controller: alice}
""",
        tmp_path,
    )
    assert "factory, urborg" not in added
    assert "keeps its land types and abilities, as the type is an addition (CR 305.7)" in added


def test_what_copying_leaves_behind_and_what_is_face_down_are_reported(tmp_path: Path) -> None:
    said = explanation_of(
        """
players: {alice: {hand: [{clone: Clone}]}, bob: {}}
setup:
  - {id: angel, card: Exalted Angel, controller: bob, face_down: yes, counters: {+1/+1: 1}}
script:
  - {cast: clone, by: alice}
  - {choose: may, by: alice, for: clone, answer: yes}
  - {choose: copy, by: alice, for: clone, answer: angel}
  - settle
""",
        tmp_path,
    )
    assert "1. clone: takes copiable values alone: no counters, no other effects" in said
    assert "(CR 707.2)" in block(said, "Layer 1a: copies (CR 613.2a)")[0]
    face_down = block(said, "Layer 1b: face down (CR 613.2b)")
    assert "(CR 708.2)" in face_down[0]
    assert face_down[1].endswith("4/5 → 2/2")


# -------------------------------------------------------------------------------------------- the end


def test_the_end_shows_all_that_a_look_shows(tmp_path: Path) -> None:
    said = explanation_of(
        """
players:
  alice: {life: 12, hand: [{bolt: Lightning Bolt}, {bear: Runeclaw Bear}], counters: {poison: 3}}
  bob: {graveyard: [{ogre: Gray Ogre}]}
setup:
  - {id: forest, card: Forest, controller: alice}
  - {id: giant, card: Hill Giant, controller: bob, damage: 2, tapped: yes, counters: {+1/+1: 1}}
script:
  - {activate: forest, ability: mana, by: alice}
  - {cast: bolt, by: alice, targets: [giant]}
""",
        tmp_path,
    )
    assert [
        "  turn of alice, precombat main: alice has priority",
        "  alice: 12 life; hand: 1 card (bear); library: 2 cards; 3 poison counters; {G} floating",
        "  bob: 20 life; hand: no cards; graveyard, top first: 1 card (ogre); library: 2 cards",
        "  bolt: Lightning Bolt, on the stack, alice's, targeting giant",
        "  forest: Forest, colourless, Basic Land — Forest, tapped, “{T}: Add {G}.”",
        "  giant: Hill Giant, red, Creature — Giant, 4/4, 2 damage, 1 +1/+1 counter, tapped, no abilities",
    ] == block(said, "In the end")
    assert not any("bolt" in line for line in block(said, "The board"))


def test_passes_are_folded_unless_somebody_acts(tmp_path: Path) -> None:
    said = explanation_of(
        """
players: {alice: {hand: [{bear: Runeclaw Bear}]}, bob: {hand: [{shock: Shock}]}}
script:
  - {cast: bear, by: alice}
  - {pass: alice}
  - {cast: shock, by: bob, targets: [alice]}
  - settle
  - {advance: {to: end of combat}}
""",
        tmp_path,
    )
    done = [line.strip().partition(" (CR")[0] for line in block(said, "What was done")]
    assert ["alice passes", "bob gets priority"] == done[3:5]
    assert ["alice passes"] == [line for line in done if line.endswith(" passes")]
    # Two spells resolve; the main phase ends, and the step in which no attackers were declared.
    assert 4 == len([line for line in done if line.startswith("everyone passes")])
    assert "== turn 2, alice's beginning of combat step: everyone passes ==" in done
    assert "alice gets priority" == done[-1]


def test_a_pass_with_mana_floating_is_not_folded(tmp_path: Path) -> None:
    said = explanation_of(
        """
setup: [{id: forest, card: Forest, controller: alice}]
script: [{activate: forest, ability: mana, by: alice}, {pass: everyone}]
""",
        tmp_path,
    )
    assert "alice passes (alice has {G} floating; CR 117.3d: it is announced)" in said


# ------------------------------------------------------------------------------ editions, stops, values


def test_rules_have_the_numbers_of_the_edition(tmp_path: Path) -> None:
    text = """
players: {alice: {hand: [{bolt: Lightning Bolt}]}, bob: {hand: [{cancel: Cancel}]}}
script:
  - {cast: bolt, by: alice, targets: [bob]}
  - {try: early, action: {cast: cancel, by: bob, targets: [bolt]}}
  - {pass: alice}
  - {cast: cancel, by: bob, targets: [bolt]}
  - settle
"""
    now = explanation_of(text, tmp_path)
    assert "(CR 701.6a: it doesn't resolve)" in now
    assert "(CR 733.1: an illegal action is reversed)" in now
    then = explanation_of(text, tmp_path, "--edition", "2025-02-07")
    countering, reversing = "701.5a", "730.1"
    assert f"(CR {countering}: it doesn't resolve)" in then
    assert f"(CR {reversing}: an illegal action is reversed)" in then


def test_every_rule_of_a_list_gets_its_number_and_a_newer_rule_says_so(tmp_path: Path) -> None:
    assert (
        "CR 613.7a, 613.7b)"
        in CliRunner().invoke(main, ["explain", "L-0114", "--edition", "2019-10-04"]).stdout
    )
    assert "CR 613.2a of 2026-09-25 and 305.7" == in_edition("CR 613.2a and 305.7", "2013-07-13")


def test_what_has_no_power_any_more_has_no_size() -> None:
    creature = Characteristics(None, None, frozenset(), frozenset(), frozenset({"Creature"}), frozenset())
    assert "0/0" == size_of(creature)
    assert "no power or toughness" == size_of(replace(creature, types=frozenset({"Enchantment"})))


def test_a_stopped_play_says_how_far_its_last_action_got(tmp_path: Path) -> None:
    said = explanation_of(
        """
players: {alice: {hand: [{finks: Kitchen Finks}]}, bob: {}}
setup: [{id: warden, card: Soul Warden, controller: alice}]
script: [{cast: finks, by: alice}, settle]
""",
        tmp_path,
    )
    done = block(said, "What was done")
    assert "  the next action comes this far; below, everything is as it was before" in done
    assert "    enters of warden (Soul Warden) triggers for alice, and waits" in "\n".join(done)
    assert done[-1].startswith("  the play stops here: action 2 (Everyone passes until the stack is empty): ")
    assert "  finks: Kitchen Finks, on the stack, alice's" in block(said, "In the end")


@pytest.mark.parametrize(
    ("script", "cure"),
    [
        (
            "[{cast: finks, by: alice}, settle]",
            "write `{choose: order, by: alice, answer: [enters of finks, enters of warden]}` above it,"
            " for example",
        ),
        (
            "[{advance: {to: beginning of combat}}, {pass: everyone}, {pass: everyone}]",
            "write `{attack: {…}, by: alice}` above it, or `advance` past it",
        ),
    ],
)
def test_a_play_that_stops_at_a_question_says_what_to_write(script: str, cure: str, tmp_path: Path) -> None:
    board = tmp_path / "board.yaml"
    board.write_text(
        f"""
players: {{alice: {{hand: [{{finks: Kitchen Finks}}]}}, bob: {{}}}}
setup: [{{id: warden, card: Soul Warden, controller: alice}}]
script: {script}
""",
        encoding="utf-8",
    )
    assert f"\n    {cure}\n" in CliRunner().invoke(main, ["explain", str(board)]).stderr


def test_a_setup_that_cannot_stay_names_the_object_and_the_state_based_action(tmp_path: Path) -> None:
    board = tmp_path / "board.yaml"
    board.write_text(
        """
setup:
  - {id: forest, card: Forest, controller: alice}
  - {id: moon, card: Blood Moon, controller: bob}
  - {id: ashaya, card: "Ashaya, Soul of the Wild", controller: alice}
""",
        encoding="utf-8",
    )
    said = CliRunner().invoke(main, ["explain", str(board)]).stderr
    assert "board.yaml: setup, ashaya: a state-based action waits after this entry\n" in said
    assert "goes to its owner's graveyard (CR 704.5f: toughness 0 or less)" in said


def test_an_explanation_is_a_value_that_can_be_written_as_json() -> None:
    left = game_of(TAXED)
    value = left.explanation()
    written = msgspec.json.decode(msgspec.json.encode(value))
    assert ["thalia", "ruby", "second", "trini"] == [one["source"] for one in written["on_rules"]]
    assert {"strike", "trini"} <= written["end"]["objects"].keys()


def test_an_emblem_is_listed_beside_the_board_with_what_it_says() -> None:
    lines = explain(play_through(all_fixtures()["G-2203"].play, CR).explanation()).splitlines()
    [emblem] = (line for line in lines if line.startswith("  alice's emblem, timestamp "))
    assert emblem.endswith(": “Creatures you control get +2/+2.”")


def test_what_an_effect_leaves_as_it_is_is_named(tmp_path: Path) -> None:
    said = explanation_of(
        """
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: first, card: Flight, controller: alice, attached_to: bear}
  - {id: second, card: Flight, controller: alice, attached_to: bear}
  - {id: crusade, card: Honor of the Pure, controller: alice}
""",
        tmp_path,
    )
    assert "     changes nothing about bear" == block(said, "Layer 6")[-1]
    assert "     changes nothing: there is nothing that it applies to" == block(said, "Layer 7c")[-1]


def test_a_second_ability_of_the_same_words_is_another(tmp_path: Path) -> None:
    said = explanation_of(
        """
cards:
  - name: Test Shoal
    types: [Enchantment]
    abilities:
      - static:
          affects: creatures
          does: {gain: {activated: {cost: {mana: "{1}"}, effect: {gain_life: 1}}}}
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: first, card: Test Shoal, controller: alice}
  - {id: second, card: Test Shoal, controller: alice}
""",
        tmp_path,
    )
    gained = [line.strip() for line in block(said, "Layer 6") if line.strip().startswith("bear: ")]
    assert ["bear: gains “{1}: You gain 1 life.”", "bear: gains another “{1}: You gain 1 life.”"] == gained


def test_a_creature_without_a_value_is_reported_to_be_0_0(tmp_path: Path) -> None:
    said = explanation_of(
        """
setup:
  - {id: opalescence, card: Opalescence, controller: alice}
  - {id: anthem, card: Glorious Anthem, controller: alice}
""",
        tmp_path,
    )
    assert "no power or toughness → 0/0 (CR 208.5)" in "".join(block(said, "Layer 4"))


def test_tokens_that_nobody_named_are_called_by_their_names(tmp_path: Path) -> None:
    said = explanation_of(
        """
players: {alice: {hand: [{alarm: Raise the Alarm}]}, bob: {}}
script: [{cast: alarm, by: alice}, settle]
""",
        tmp_path,
    )
    assert ["  the Soldier token (1): Soldier", "  the Soldier token (2): Soldier"] == [
        line.partition(",")[0] for line in block(said, "In the end") if "Soldier" in line
    ]


# -------------------------------------------------------------------------------------------- show


def test_show_takes_what_explain_takes(tmp_path: Path) -> None:
    board = tmp_path / "board.yaml"
    board.write_text("setup: [{id: bear, card: Runeclaw Bear, controller: alice}]\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["show", str(board)])
    assert (0, "board") == (result.exit_code, result.stdout.splitlines()[0])
    assert "- Runeclaw Bear (bear) of Alice.\n" in result.stdout


# ------------------------------------------------------------------------------------------ the README


def test_readme_shows_both_ways_in_on_its_first_screen_and_what_the_command_prints(tmp_path: Path) -> None:
    readme = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    first_screen = "\n".join(readme.splitlines()[:50])
    assert "**You write an engine.**" in first_screen
    assert "**You ask why.**" in first_screen
    board = first_screen.partition("```yaml\n")[2].partition("```")[0]
    [answer] = [part for part in first_screen.split("```\n") if part.startswith("Layer 7b")]
    assert answer in explanation_of(board, tmp_path)


def board_of_opalescences(number: int, folder: Path) -> str:
    file = folder / "board.yaml"
    entries = (f"  - {{id: o{n}, card: Opalescence, controller: alice}}\n" for n in range(number))
    file.write_text("setup:\n" + "".join(entries), encoding="utf-8")
    return str(file)


@pytest.mark.sweep
def test_order_of_effects_is_found_again_only_after_one_that_changes_something(
    tmp_path: Path,
) -> None:
    asked = 0

    def counted(*arguments: Any) -> Waits:
        nonlocal asked
        asked += 1
        return dependencies(*arguments)

    play = load_play(Path(board_of_opalescences(40, tmp_path)))
    board = play_through(play, CR).last.board
    steps = evaluate_with_trace(board, dataclasses.replace(CR, dependencies=counted)).steps

    assert 80 == len(steps)
    changing = sum(bool(step.changes) for step in steps)
    # Once for the choice of each step, and once more for the record after each that changes something.
    assert asked <= 80 + changing + 2
    for number, step in enumerate(steps):
        assert step.waiting == tuple(step.waits_for), number


def test_explanation_that_would_take_too_long_is_refused_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_work, "MOST_WORK", 20_000)
    file = board_of_opalescences(40, tmp_path)

    ended = CliRunner().invoke(main, ["explain", file])

    assert 2 == ended.exit_code
    assert (
        "the explanation would take too long: a board of 44 objects with so many effects on one another\n"
        "    use fewer\n"
    ) == ended.output

"""Problems with readable fixtures that `fixtures/refused` does not already cover."""

from collections.abc import Mapping

import pytest

from conformance.checks.cards import findings_of_card
from conformance.checks.fixtures import findings_of, findings_of_play
from conformance.checks.names import KnownNames
from conformance.data.library import pool
from conformance.data.loading import checked_fixtures
from conformance.files.canonical import decode, encode
from conformance.files.fixture_file import read_fixture
from conformance.files.short_forms import card_grammar, read_card
from conformance.files.typed_walk import TypedWalk
from conformance.files.yaml_tree import tree_of
from conformance.model.observation import Observations, Stopped
from conformance.model.problems import Finding
from conformance.model.scenario import Fixture
from reference_engine.language.cards import Card

HEADING = 'id: L-9001\ntitle: A board\nrules: ["613.4c"]\n'
BOARD = (
    "players: {alice: {hand: [{shock: Shock}, {growth: Giant Growth}]}, bob: {}}\n"
    "setup:\n"
    "  - {id: bear, card: Runeclaw Bear, controller: alice}\n"
    "  - {id: ogre, card: Gray Ogre, controller: bob}\n"
)
SEEN = "expect: [{of: bear, power: 3}]\n"
KNOWN = KnownNames(pool())


def findings(text: str, known: KnownNames = KNOWN) -> list[Finding]:
    """The problems of a readable fixture."""
    loaded, problems = read_fixture(tree_of(text, "a.yaml"), "a.yaml", known.cards)
    assert loaded and not problems, problems
    return list(findings_of(loaded.fixture, known))


def told(text: str, known: KnownNames = KNOWN) -> list[str]:
    return [finding.what for finding in findings(HEADING + text, known)]


@pytest.mark.parametrize(
    "script",
    [
        "{cast: shock, by: alice, targets: [bob], as: bolt}, {resolve: bolt}",
        "{activate: bear, ability: grow, by: alice, targets: [[bear, ogre]], divide: {bear: 1, ogre: 2}}",
        "{cast: shock, by: alice, costs: {sacrifice: bear}, pay: [{activate: bear}, {pool: '{R}'}]}",
        "{play: shock, by: alice}, {turn_up: bear, by: alice}, {special: suspend, by: alice, source: shock}",
        "{special: companion, by: alice}, {pass: everyone}, {pass: bob}, settle",
        "{advance: {to: upkeep, turn: bob}}, {advance: upkeep}",
        "{attack: {bear: bob, ogre: bear}, by: alice}, {block: {ogre: [bear]}, by: bob}",
        "{assign: {bear: {ogre: 1, bob: 1}}, by: alice}",
        "{call: {Saproling: [sap]}}, {pass: bob}, {activate: sap, ability: grow, by: alice}",
        "{cast: shock, by: alice, targets: [enters of bear (2)]}, {resolve: copy of shock}",
        "{try: early, action: {cast: shock, by: alice, as: bolt}}, {resolve: bolt}",
        "{choose: targets, by: alice, for: bear, answer: [ogre, bob]}",
        "{choose: order, by: alice, for: upkeep, answer: [enters of bear, enters of ogre]}",
        "{choose: word, by: alice, answer: [Island, Swamp]}, {choose: name, by: alice, answer: Shock}",
        "{choose: modes, by: alice, answer: [1, 3]}, {choose: number, by: alice, answer: 0}",
        "{choose: may, by: alice, for: cleanup, answer: no}",
        "{choose: division, by: alice, for: combat, answer: {bear: 1}}",
        "{choose: pile, by: alice, for: state, answer: [bear]}, {choose: color, by: bob, answer: red}",
    ],
)
def test_script_that_says_what_it_means_is_taken(script: str) -> None:
    tried = ", {tried: early, is: done}" if "try:" in script else ""
    assert [] == told(BOARD + f"script: [{script}]\nexpect: [{{of: bear, power: 3}}{tried}]\n")


@pytest.mark.parametrize(
    ("script", "what"),
    [
        ("{cast: shok, by: alice}", "nothing here is called 'shok'"),
        ("{cast: shock, by: alise}", "nothing here is called 'alise'"),
        ("{cast: shock, by: alice, divide: {baer: 1}}", "nothing here is called 'baer'"),
        ("{cast: shock, by: alice, costs: {tap: baer}}", "nothing here is called 'baer'"),
        ("{cast: shock, by: alice, pay: {activate: baer}}", "nothing here is called 'baer'"),
        (
            "{cast: shock, by: alice, pay: {ability: mana}}",
            "a step of a payment is one mana ability or mana from the pool",
        ),
        ("{cast: shock, by: alice, as: Shock}", "'Shock' is not a valid id"),
        ("{cast: shock, by: alice, as: bear}", "the id 'bear' is given twice"),
        ("{turn_up: baer, by: alice}", "nothing here is called 'baer'"),
        ("{turn_up: bear, by: alice, costs: {discard: shok}}", "nothing here is called 'shok'"),
        ("{special: suspend, by: alice, source: shok}", "nothing here is called 'shok'"),
        ("{advance: {to: upkeep, turn: carol}}", "nothing here is called 'carol'"),
        ("{attack: {baer: bob}, by: alice}", "nothing here is called 'baer'"),
        ("{attack: {bear: rob}, by: alice}", "nothing here is called 'rob'"),
        ("{block: {ogre: [baer]}, by: bob}", "nothing here is called 'baer'"),
        ("{assign: {bear: {orge: 1}}, by: alice}", "nothing here is called 'orge'"),
        ("{choose: targets, by: alice, answer: [2]}", "no answer to a choice of kind targets"),
        ("{choose: number, by: alice, answer: two}", "no answer to a choice of kind number"),
        ("{choose: division, by: alice, answer: [bear]}", "no answer to a choice of kind division"),
        ("{choose: pile, by: alice, answer: yes}", "no answer to a choice of kind pile"),
        ("{choose: division, by: alice, answer: {baer: 1}}", "nothing here is called 'baer'"),
        ("{choose: may, by: alice, for: baer, answer: yes}", "nothing here is called 'baer'"),
        ("{look: First}", "'First' is not a name for a look"),
        ("{try: early, action: {try: late, action: settle}}", "try cannot be tried"),
        ("{try: early, action: {cast: shok, by: alice}}", "nothing here is called 'shok'"),
    ],
)
def test_script_that_names_nothing_is_refused(script: str, what: str) -> None:
    assert what in told(BOARD + f"script: [{script}]\n{SEEN}")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (BOARD.replace("alice}", "alice, damage: -1}") + SEEN, "negative damage"),
        (BOARD.replace("alice}", "alice, choices: {type: 3}}") + SEEN, "no answer to a choice of kind type"),
        (BOARD + "expect: [{of: bear, attached_to: orge}]\n", "nothing here is called 'orge'"),
        (BOARD + "expect: [{of: bear, controller: {one_of: [bob, rob]}}]\n", "nothing here is called 'rob'"),
        (BOARD + "expect: [{of: bear, power: 3, holds: {until: tomorrow}}]\n", "'tomorrow' is not a date"),
        (BOARD.replace("alice: {", "alice: {team: Sun, ") + SEEN, "'Sun' is not a valid id"),
        (BOARD.replace("alice: {", "alice: {team: bear, ") + SEEN, "the id 'bear' is a team's"),
        (
            "setup: [{id: bear, card: Runeclaw Bear, controller: alice, owner: carol}]\n" + SEEN,
            "nothing here is called 'carol'",
        ),
        (
            "cards: [{name: Test A, types: Creature}]\nsetup: [{id: bear, card: Test A, controller: bob}]\n"
            + SEEN,
            "a creature without power and toughness",
        ),
    ],
)
def test_board_that_cannot_be_is_refused(text: str, what: str) -> None:
    assert what in told(text)


def test_heading_without_a_title_is_refused() -> None:
    assert "no title" in [one.what for one in findings(HEADING.replace("A board", '" "') + BOARD + SEEN)]


def test_rules_and_sources_are_asked_only_if_they_are_known() -> None:
    text = "source: [X-1]\n" + BOARD + SEEN
    assert [] == told(text)
    assert ["no rule '613.4c'", "no source id 'X-1'"] == told(
        text, KnownNames(KNOWN.cards, {"613.4b"}, {"X-2"})
    )


def test_each_edition_may_have_its_own_answer() -> None:
    old, new = (
        '{of: bear, power: 2, holds: {until: "2020-04-17"}}',
        '{of: bear, power: 3, holds: {since: "2020-04-17"}}',
    )
    assert [] == told(BOARD + f"expect: [{old}, {new}]\n")
    assert ["power of bear is expected twice at end"] == told(
        BOARD + f"expect: [{old}, {{of: bear, power: 3}}]\n"
    )


def test_real_card_of_a_canonical_fixture_has_to_be_the_real_one() -> None:
    whole = checked_fixtures(tree_of(HEADING + BOARD + SEEN, "a.yaml"), "a.yaml")[0].fixture
    assert [] == list(findings_of(whole, KNOWN))
    other = decode(encode(whole).replace(b'"power":2,', b'"power":7,'), Fixture)
    found = [one.what for one in findings_of(other, KNOWN)]
    assert "Runeclaw Bear is not the real card of that name" in found


# --- expectations that repeat the input ----------------------------------------------------------


@pytest.mark.parametrize(
    "seen",
    [
        "{of: bear, tapped: yes}",
        "{of: bear, controller: alice}",
        "{of: bear, owner: alice}",
        "{of: bear, zone: battlefield}",
        "{of: bear, face_down: no}",
        "{of: bear, damage: 1}",
        "{of: bear, attached_to: none}",
        "{of: bear, counters: {+1/+1: 1}}",
        "{of: shock, zone: hand}",
        "{of: alice, life: 20}",
        "{of: alice, hand: [shock]}",
        "{of: alice, library_size: 2}",
        "{of: alice, library_top: alice_plains_1}",
        "{of: bob, library_top: none}",
        "{of: bob, counters: []}",
        "{turn: alice}",
        "{step: precombat main}",
        "{stack: []}",
        "{priority: alice}",
    ],
)
@pytest.mark.parametrize("script", ["", "script: [{choose: color, by: alice, answer: red}]\n"])
def test_expectation_that_repeats_its_input_is_refused(seen: str, script: str) -> None:
    board = (
        "players: {alice: {hand: {shock: Shock}}, bob: {library: []}}\n"
        "setup:\n"
        "  - {id: bear, card: Runeclaw Bear, controller: alice, tapped: yes, damage: 1,"
        " counters: {+1/+1: 1}}\n"
    )
    assert any(
        "only repeats the scenario's own input" in what for what in told(f"{board}{script}expect: [{seen}]\n")
    )


@pytest.mark.parametrize(
    "text",
    [
        BOARD + "expect: [{of: bear, tapped: yes}]\n",
        BOARD + "expect: [{of: bear, power: 2}]\n",
        BOARD + "expect: [{of: bear, damage: {one_of: [0]}}]\n",
        BOARD + "script: [settle]\nexpect: [{of: bear, tapped: no}, {of: alice, life: 20}, {turn: alice}]\n",
        BOARD + "script: [{look: first}, settle]\nexpect: [{of: bear, tapped: no}]\n",
        BOARD
        + "  - {id: magic, card: Control Magic, controller: bob, attached_to: bear}\n"
        + "expect: [{of: bear, controller: alice}]\n",
        BOARD + "  - {id: ixidron, card: Ixidron, controller: bob}\nexpect: [{of: bear, face_down: no}]\n",
    ],
)
def test_expectation_that_says_something_is_taken(text: str) -> None:
    assert not any("repeats" in what for what in told(text))


def test_keyword_with_what_it_costs_may_be_expected() -> None:
    assert not told(BOARD + "expect: [{of: bear, keywords: [flying, ward—Discard a card, 'ward {2}']}]\n")
    assert told(BOARD + "expect: [{of: bear, keywords: [warding—Discard a card]}]\n")


# --- cards ---------------------------------------------------------------------------------------


def told_of_card(abilities: str, types: str = "Creature", pt: str = "1/1") -> list[str]:
    """The problems of a card with these abilities."""
    walk = TypedWalk(card_grammar())
    text = f"{{name: Test Card, types: [{types}], pt: {pt}, abilities: {abilities}}}"
    card = read_card(tree_of(text, "a.yaml"), walk)
    assert not walk.faults
    return [finding.what for finding in findings_of_card(card)]


@pytest.mark.parametrize(
    ("abilities", "what"),
    [
        ("{static: {affects: this, does: {cannot: attack}}}", "defender spelled out"),
        ("{static: {affects: this, does: {cannot: be targeted}}}", "shroud spelled out"),
        (
            "{static: {affects: this, does: {set_colors: [red]}}}",
            "an effect on the object's own colours, subtypes, power or toughness is not static",
        ),
        (
            "{static: {affects: this, does: {add_types: {subtypes: Goblin}}}}",
            "an effect on the object's own colours, subtypes, power or toughness is not static",
        ),
        (
            "{activated: {cost: [{mana: '{2}'}, {discard: {what: this}}], zones: hand, effect: {draw: 1}}}",
            "cycling spelled out",
        ),
        (
            "{triggered: {when: {any_of: [cycles, discards]}, effect: {draw: 1}}}",
            "cycled or discarded, twice for one card",
        ),
        (
            "{static: {affects: this, does: switch, "
            "cond: {happened: {dies: {all: creatures, damaged_by: this}}}}}",
            "this is not recorded of objects in past events",
        ),
        (
            "{triggered: {when: {nth: 2, event: {dies: {all: creatures, without: {host_of: this}}}}, "
            "effect: {draw: 1}}}",
            "this is not recorded of objects in past events",
        ),
        (
            "{triggered: {when: dies, cond: {happened: {cast: {}, aimed_at: creatures}}, effect: {draw: 1}}}",
            "what a past spell was aimed at is not recorded",
        ),
        (
            "{triggered: {when: dies, effect: {draw: {how_often: {cast: {}, aimed_at: creatures}}}}}",
            "what a past spell was aimed at is not recorded",
        ),
        (
            "{triggered: {when: {nth: 2, event: {cast: {}, aimed_at: creatures}}, effect: {draw: 1}}}",
            "what a past spell was aimed at is not recorded",
        ),
        (
            "{triggered: {when: cycles, effect: {draw: X}}}",
            "the X of a cycling cost is not known here",
        ),
        (
            "{triggered: {when: enters, effect: {may: {draw: 1}, cost: {mana: '{X}'}}}}",
            "an X that is chosen as it is paid",
        ),
        (
            "{static: {affects: this, does: switch, cond: {compare: {count: lands}, how: '>=', right: 1}}}",
            "at least one of them, written as a count",
        ),
        ("{static: {affects: creatures, does: switch, cond: {not: {not: {exists: lands}}}}}", "not not"),
        ("{static: {affects: creatures, does: {set_creature_types: [Forest]}}}", "Forest is a land type"),
        ("enchant", "enchant what?"),
        ("[landwalk]", "landwalk of what?"),
        ("[{triggered: {when: {chapter: 1}, effect: {draw: 1}}}]", "a chapter on a card that is not a Saga"),
        ("[equip, {activated: {cost: tap, effect: {draw: 1}}, name: equip}]", "two abilities called 'equip'"),
        ('[{equip: "{1}"}, {equip: "{2}"}]', "two abilities called 'equip'"),
        (
            "{activated: {cost: tap, targets: [creatures, lands], effect: {destroy: target}}}",
            "two targets called 'target'",
        ),
        ("{activated: {cost: tap, effect: {destroy: {the: chosen}}}}", "nothing here is called 'chosen'"),
        (
            "{activated: {cost: tap, effect: {create: {name: Rat, types: Creature}}}}",
            "a creature without power and toughness",
        ),
        (
            "{activated: {cost: tap, effect: {create: {name: Rat, types: Artifact, subtypes: rat}}}}",
            "'rat' without a capital letter",
        ),
        (
            "{as_enters: {effect: {put_counters: +1/+1, on: it}}}",
            "as it enters, the object is not there yet",
        ),
        ("{triggered: {dies: it}, effect: {draw: 1}}", "before the event there is no `it`"),
        (
            "{triggered: {one_or_more: {enters: it}}, effect: {draw: 1}}",
            "before the event there is no `it`",
        ),
        (
            "{triggered: {leaves_graveyard: attached}, effect: {draw: 1}}",
            "what this is attached to is a permanent, not a card in a graveyard",
        ),
        (
            "{static: {affects: creatures, does: {gain: flying}}, cond: {matches: it, what: {tapped: true}}}",
            "one condition holds for all that the effect affects, and nothing is `it` here",
        ),
        (
            "{activated: {cost: tap, effect: {mill: {property: life, of: it}, who: everyone}}}",
            "this number is the same for all who do it, and nothing is `it` here",
        ),
        (
            "{triggered: {when: {beginning: upkeep, of: you}, effect: "
            "{draw: {property: life, of: it}, who: everyone}}}",
            "this number is the same for all who do it, and nothing is `it` here",
        ),
    ],
)
def test_card_that_says_it_otherwise_is_refused(abilities: str, what: str) -> None:
    assert what in told_of_card(abilities)


@pytest.mark.parametrize(
    "abilities",
    [
        "{static: {affects: this, does: {base: 2/2}, cond: {exists: lands}}}",
        "{static: {affects: this, does: {modify: +1/+1}}}",
        "{static: {affects: this, does: {add_types: Artifact}}}",
        "{static: {affects: creatures, does: {gain: flying}}}",
        "{static: {affects: this, does: {gain: {activated: {cost: tap, effect: {draw: 1}}}}}}",
        "{static: {affects: this, does: {cannot: block}}}",
        "{static: {affects: creatures, does: switch, cond: {compare: {count: lands}, how: '>=', right: 2}}}",
        "{static: {affects: creatures, does: switch}, "
        "cond: {any_player: opponents, cond: {exists: {all: lands, controller: it}}}}",
        "{static: {affects: this, does: switch, cond: "
        "{compare: {property: life, of: you}, how: '=', right: 0}}}",
        "{activated: {cost: tap, targets: [creatures, {what: lands, name: it2}], effect: {tap: target}}}",
        "[{equip: '{1}'}, {equip: '{1}'}]",
        "{activated: {cost: tap, effect: {draw: 1}, zones: hand}}",
        "{triggered: dies, effect: {choose: object, what: creatures}}",
        "{static: {affects: creatures, does: {set_creature_types: [chosen type]}}}",
        "{activated: {cost: tap, effect: {gain_life: {property: hand_size, of: it}, who: everyone}}}",
        "{triggered: {when: dies, effect: {draw: {property: power, of: it}, who: everyone}}}",
        "{as_enters: {effect: {create: {name: Clue, types: Artifact, "
        "abilities: {activated: {cost: {mana: '{2}'}, effect: {tap: this}}}}}}}",
    ],
)
def test_card_that_says_it_the_one_way_is_taken(abilities: str) -> None:
    assert [] == told_of_card(abilities)


def test_other_face_of_a_card_is_checked_too() -> None:
    walk = TypedWalk(card_grammar())
    text = "{name: Test A, types: Creature, pt: 1/1, back: {name: Test B, types: Creature}}"
    card = read_card(tree_of(text, "a.yaml"), walk)
    assert not walk.faults
    assert ["a creature without power and toughness"] == [one.what for one in findings_of_card(card)]


def test_vehicles_have_power_and_toughness() -> None:
    card = Card("Test Ship", frozenset({"Artifact"}), subtypes=frozenset({"Vehicle"}), power=3, toughness=3)
    assert [] == list(findings_of_card(card))


def test_planeswalkers_may_have_subtypes_that_we_do_not_know() -> None:
    card = Card("Test Walker", frozenset({"Planeswalker"}), subtypes=frozenset({"Teferi"}), loyalty=3)
    assert [] == list(findings_of_card(card))


# --- what playing shows --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seen", "at", "what"),
    [
        (Observations(unused=(0,)), ("play", "script", 0), "the game never asks for this choice"),
        (
            Observations(stopped=Stopped(1, "question", question="which target?")),
            ("play", "script", 1),
            "a question asked here has no answer: which target?",
        ),
        (
            Observations(stopped=Stopped(0, "rejected", says="not now")),
            ("play", "script", 0),
            "the rules do not allow this: not now",
        ),
        (Observations(stopped=Stopped(7, "loop")), ("play",), "this never ends"),
        (
            Observations(stopped=Stopped(0, "unsupported", says="teams")),
            ("play", "script", 0),
            "the reference engine cannot play this: teams",
        ),
    ],
)
def test_play_shows_what_is_wrong_with_a_script(
    seen: Observations, at: tuple[str | int, ...], what: str
) -> None:
    text = HEADING + BOARD + "script: [{choose: color, by: alice, answer: red}, settle]\n" + SEEN
    fixture = checked_fixtures(tree_of(text, "a.yaml"), "a.yaml")[0].fixture
    assert [(at, what)] == [(one.at, one.what) for one in findings_of_play(fixture, seen)]
    assert [] == list(findings_of_play(fixture, Observations()))


def test_known_cards_are_a_map_by_name() -> None:
    assert isinstance(KNOWN.cards, Mapping)
    assert all(name == card.name for name, card in KNOWN.cards.items())

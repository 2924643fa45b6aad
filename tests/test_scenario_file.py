"""Fixture files as values: what each key means in canonical form, and the location of its parts."""

from typing import Any

import msgspec
import pytest

from conformance.data.library import pool
from conformance.data.loading import checked_fixtures
from conformance.files import fixture_file as scenario_file
from conformance.files.fixture_file import LoadedFixture, read_fixture, read_fixtures
from conformance.files.yaml_tree import tree_of
from conformance.model import observation, scenario
from conformance.model.problems import Finding, Problem, ScenarioError
from conformance.model.scenario import (
    Equals,
    Fixture,
    Has,
    Holds,
    InAnyOrder,
    Lacks,
    Number,
    OneOfTest,
    SeenCounters,
    SourceSays,
    Want,
)
from conformance.model.struct_types import types_of
from reference_engine.language import actions, cards
from reference_engine.language.actions import (
    Attack,
    Attacker,
    CastAction,
    ChooseAction,
    Look,
    Pass,
    Settle,
    Try,
)
from reference_engine.language.cards import Counters
from reference_engine.language.setup import Arrival, Entry, Object, Player, Start, TimestampOrder

HEADING = 'id: L-9001\ntitle: A board\nrules: ["613.4c"]\n'
BEAR = "setup: [{id: bear, card: Runeclaw Bear, controller: alice}]\n"
SEEN = "expect: [{of: bear, power: 3}]\n"


def read(text: str) -> tuple[LoadedFixture | None, list[Problem]]:
    return read_fixture(tree_of(text, "a.yaml"), "a.yaml", pool())


def fixture(text: str) -> Fixture:
    """The fixture of a file with the usual heading and no problems."""
    loaded, problems = read(HEADING + text)
    assert not problems
    assert loaded
    return loaded.fixture


def told(text: str) -> list[tuple[str, str, str]]:
    """The problems of a file: where, what, and the cure."""
    return [(problem.where, problem.what, problem.cure) for problem in read(HEADING + text)[1]]


def test_heading_with_everything() -> None:
    said = "source: [002-I5]\nholds: {since: '2020-04-17'}\nnote: it is old\ndisputed: two readings\n"
    said += "caught: [magefree/mage#6147]\n"
    read = fixture(said)
    assert ("L-9001", "A board", ("613.4c",)) == (read.id, read.title, read.rules)
    assert (("002-I5",), Holds(since="2020-04-17")) == (read.source, read.holds)
    assert ("it is old", "two readings") == (read.note, read.disputed)
    assert ("magefree/mage#6147",) == read.caught


# --- players -------------------------------------------------------------------------------------


def test_players_left_out_are_alice_and_bob() -> None:
    play = fixture(BEAR + SEEN).play
    assert ["alice", "bob"] == [player.id for player in play.players]
    assert ("alice", "precombat main") == (play.start.turn, play.start.step)


@pytest.mark.parametrize(
    "players",
    [
        "[carol, dave]",
        "{carol: {}, dave: {}}",
        "[{id: carol}, dave]",
        "[{carol: {life: 20}}, {dave: {}}]",
    ],
)
def test_players_in_turn_order(players: str) -> None:
    play = fixture(f"players: {players}\n").play
    assert ["carol", "dave"] == [player.id for player in play.players]
    assert "carol" == play.start.turn


def test_a_player_who_is_an_id_stands_where_it_is() -> None:
    loaded, _ = read(HEADING + "players: [carol, dave]\n")
    assert loaded
    dave = loaded.place(("play", "players", 1))
    assert (4, 18) == (dave.line, dave.column)


def test_a_player_with_everything() -> None:
    said = (
        "players:\n"
        "  alice:\n"
        "    life: 3\n"
        "    team: sun\n"
        "    counters: {poison: 2}\n"
        "    hand: [{bolt: Lightning Bolt}, shock]\n"
        "    library: []\n"
        "    graveyard: {first: Gray Ogre, second: Hill Giant}\n"
        "    exile: {id: away, card: Forest, owner: bob}\n"
        "  bob: {team: moon}\n"
        "objects: {shock: Shock}\n"
    )
    play = fixture(said).play
    assert (
        Player(
            "alice", 3, "sun", (Counters("poison", 2),), ("bolt", "shock"), (), ("first", "second"), ("away",)
        )
        == play.players[0]
    )
    assert "sun" == play.start.turn
    assert Object("away", "Forest", "bob") in play.objects
    assert Object("shock", "Shock", "alice") in play.objects


def test_library_left_out_is_two_plains_created_last() -> None:
    play = fixture(BEAR).play
    assert ("alice_plains_1", "alice_plains_2") == play.players[0].library
    assert (
        Object("bear", "Runeclaw Bear", "alice"),
        Object("alice_plains_1", "Plains", "alice"),
        Object("alice_plains_2", "Plains", "alice"),
        Object("bob_plains_1", "Plains", "bob"),
        Object("bob_plains_2", "Plains", "bob"),
    ) == play.objects


# --- objects and setup ---------------------------------------------------------------------------

NO_LIBRARIES = "players: {alice: {library: []}, bob: {library: []}}\n"


def test_objects_are_in_the_order_of_the_file() -> None:
    first = NO_LIBRARIES + "objects: {ogre: Gray Ogre, bear: Runeclaw Bear}\n"
    rest = "setup:\n  - {id: bear, controller: alice}\n  - {id: ogre, controller: bob}\n"
    expected = (Object("ogre", "Gray Ogre", "bob"), Object("bear", "Runeclaw Bear", "alice"))
    assert expected == fixture(first + rest).play.objects


def test_object_is_its_entrys_owners() -> None:
    said = "objects: {bear: Runeclaw Bear}\nsetup: [{id: bear, controller: alice, owner: bob}]\n"
    assert Object("bear", "Runeclaw Bear", "bob") == fixture(said).play.objects[0]


def test_object_that_is_not_a_card_is_refused() -> None:
    said = "objects: {bear: {owner: bob}}\nsetup: [{id: bear, controller: alice}]\n"
    with pytest.raises(ScenarioError, match="no card named ''"):
        checked_fixtures(tree_of(HEADING + said + SEEN, "a.yaml"), "a.yaml")


def test_object_written_in_full() -> None:
    said = (
        NO_LIBRARIES
        + "objects: {bear: {card: Runeclaw Bear, owner: bob}, tok: {card: Gray Ogre, token: yes}}\n"
    )
    rest = "setup: [{id: bear, controller: alice}, {id: tok, controller: bob}]\n"
    expected = (Object("bear", "Runeclaw Bear", "bob"), Object("tok", "Gray Ogre", "bob", token=True))
    assert expected == fixture(said + rest).play.objects


def test_entry_with_everything() -> None:
    said = (
        "setup:\n"
        "  - {id: bear, card: Runeclaw Bear, controller: alice, owner: bob}\n"
        "  - id: strength\n"
        "    card: Giant Strength\n"
        "    controller: bob\n"
        "    attached_to: bear\n"
        "    counters: {charge: 1}\n"
        "    choices: [{choose: type, answer: Goblin}, {choose: color, by: alice, answer: red}]\n"
        "    face_down: yes\n"
        "    tapped: yes\n"
        "    damage: 1\n"
        "    new: yes\n"
    )
    entry = Entry(
        "strength",
        "bob",
        "bear",
        (Counters("charge", 1),),
        (ChooseAction("type", "bob", ("Goblin",)), ChooseAction("color", "alice", ("red",))),
        face_down=True,
        tapped=True,
        damage=1,
        new=True,
    )
    play = fixture(said).play
    assert Arrival((entry,)) == play.setup[1]
    assert "bob" == play.objects[0].owner


@pytest.mark.parametrize(
    "choices",
    [
        "{type: Goblin, color: red}",
        "[{choose: type, answer: Goblin}, {choose: color, answer: red}]",
        "[{do: choose, kind: type, answer: Goblin}, {kind: color, answer: red}]",
        "[{do: choose, kind: type, by: alice, answer: [Goblin]}, {choose: color, by: alice, answer: red}]",
    ],
)
def test_choices_as_it_enters_are_its_controllers(choices: str) -> None:
    said = f"setup: [{{id: bear, card: Runeclaw Bear, controller: alice, choices: {choices}}}]\n"
    expected = (ChooseAction("type", "alice", ("Goblin",)), ChooseAction("color", "alice", ("red",)))
    assert expected == fixture(said).play.setup[0].entries[0].choices


@pytest.mark.parametrize("together", ["together", "entries"])
def test_entries_together(together: str) -> None:
    said = (
        "setup:\n"
        f"  - {together}:\n"
        "      - {id: bear, card: Runeclaw Bear, controller: alice}\n"
        "      - {id: ogre, card: Gray Ogre, controller: alice}\n"
        "    timestamps: {alice: [ogre, bear]}\n"
    )
    [arrival] = fixture(said).play.setup
    assert (
        Arrival(
            (Entry("bear", "alice"), Entry("ogre", "alice")), (TimestampOrder("alice", ("ogre", "bear")),)
        )
        == arrival
    )


def test_token_is_defined_where_it_is_named() -> None:
    token = "{name: Spirit, types: Creature, subtypes: Spirit, pt: 1/1}"
    spirit = f"{{id: spirit, token: {token}, controller: alice}}"
    said = f"setup: [{spirit}, {{id: rat, token: Rat, controller: bob}}]\n"
    cards = "cards: [{name: Rat, types: Creature, pt: 1/1}]\n"
    play = fixture(said + cards).play
    assert [Object("spirit", "Spirit", "alice", token=True), Object("rat", "Rat", "bob", token=True)] == list(
        play.objects[:2]
    )
    assert [("Plains", True), ("Rat", False), ("Spirit", False)] == [
        (card.definition.name, card.real) for card in play.cards
    ]
    assert {None} == {card.definition.cost for card in play.cards}


# --- cards ---------------------------------------------------------------------------------------


def test_invented_card_costs_nothing_unless_it_says_so() -> None:
    cards = (
        "cards:\n"
        "  - {name: Test Bear, types: Creature, pt: 2/2}\n"
        '  - {name: Test Ogre, types: Creature, pt: 3/3, cost: "{3}"}\n'
        "  - {name: Test Land, types: Land}\n"
    )
    found = {card.definition.name: card.definition.cost for card in fixture(cards).play.cards}
    assert {"Test Bear": "{0}", "Test Ogre": "{3}", "Test Land": None, "Plains": None} == found


def test_every_card_used_is_sent_with_its_text() -> None:
    token = "{name: Saproling, types: Creature, pt: 1/1}"
    cards = (
        "cards:\n"
        "  - name: Test Maker\n"
        "    types: Artifact\n"
        "    abilities:\n"
        f"      - activated: {{cost: tap, effect: {{create: {token}}}}}\n"
        "      - {activated: {cost: untap, effect: {search: {name: Gray Ogre}, to: hand}}, name: find}\n"
        "      - static: {affects: this, does: {set_name: Giant Growth}}\n"
    )
    rest = (
        "setup:\n"
        "  - {id: maker, card: Test Maker, controller: alice, choices: {name: Hill Giant, type: Forest}}\n"
        "script: [{choose: name, by: alice, answer: Shock}]\n"
    )
    found = fixture(cards + rest).play.cards
    assert ["Giant Growth", "Gray Ogre", "Hill Giant", "Plains", "Saproling", "Shock", "Test Maker"] == [
        card.definition.name for card in found
    ]
    assert "Shock deals 2 damage to any target." == found[5].text


def test_card_of_the_scenario_is_what_else_has_its_name() -> None:
    maker = "{activated: {cost: tap, effect: {create: {name: Rat, types: Creature, pt: 2/2}}}}"
    cards = (
        "cards:\n"
        "  - {name: Rat, types: Creature, pt: 1/1}\n"
        f"  - {{name: Test Maker, types: Artifact, abilities: {maker}}}\n"
    )
    rest = (
        "setup:\n"
        "  - {id: rat, card: Rat, controller: alice}\n"
        "  - {id: copy, token: Rat, controller: alice}\n"
        "  - {id: maker, card: Test Maker, controller: alice}\n"
    )
    rat = fixture(cards + rest).play.cards[1].definition
    assert ("Rat", 1, "{0}") == (rat.name, rat.power, rat.cost)


# --- expectations --------------------------------------------------------------------------------


def facts_in(text: str) -> list[Any]:
    """The expectations, each as what it is about, key and test."""
    return [(row.about, row.key, row.test) for row in fixture(BEAR + text).expect]


def test_each_key_of_each_thing_is_a_row() -> None:
    rows = fixture(
        BEAR + "expect: {first: [{of: [bear, alice], counters: {+1/+1: 1}, keywords: flying}]}\n"
    ).expect
    assert [
        ("first", "bear", "counters"),
        ("first", "alice", "counters"),
        ("first", "bear", "keywords"),
        ("first", "alice", "keywords"),
    ] == [(row.look, row.about, row.key) for row in rows]
    assert Equals((SeenCounters("+1/+1", 1),)) == rows[0].test


def test_tests_below_their_key() -> None:
    expected = [
        ("bear", "keywords", Has(("flying",))),
        ("bear", "keywords", Lacks(("haste", "trample"))),
        ("bear", "power", OneOfTest((Equals(2), Equals(None)))),
        ("bear", "toughness", Equals(2)),
        ("alice", "graveyard", InAnyOrder(("bear", "ogre"))),
        ("table", "tokens", Number("Saproling", 2, "alice")),
        ("table", "stack", Equals(("a", "b of c"))),
        ("early", "tried", Equals("rejected")),
    ]
    said = (
        "expect:\n"
        "  - of: bear\n"
        "    keywords: {has: flying, lacks: [trample, haste]}\n"
        "    power: {one_of: [2, none]}\n"
        "    toughness: {equals: 2}\n"
        "  - {of: alice, graveyard: {any_order: [bear, ogre]}}\n"
        "  - {tokens: {name: Saproling, controller: alice, count: 2}}\n"
        "  - {stack: [a, b of c]}\n"
        "  - {tried: early, is: rejected}\n"
    )
    assert expected == facts_in(said)


def test_sets_and_counters_are_in_order() -> None:
    said = "expect: {of: bear, subtypes: [Goblin, Bear], counters: {charge: 1, +1/+1: 2}, colors: []}\n"
    assert [
        ("bear", "subtypes", Equals(("Bear", "Goblin"))),
        ("bear", "counters", Equals((SeenCounters("+1/+1", 2), SeenCounters("charge", 1)))),
        ("bear", "colors", Equals(())),
    ] == facts_in(said)


def test_what_stands_beside_an_expectation_goes_with_each_of_its_rows() -> None:
    said = (
        "expect:\n"
        "  - of: bear\n"
        "    power: 3\n"
        "    toughness: 3\n"
        '    because: "CR 613.4c: a bonus"\n'
        '    holds: {since: "2020-04-17"}\n'
        "    source_says: {power: 2, reason: it is older}\n"
        "  - {tried: early, is: done, source_says: {value: rejected, reason: it is older}}\n"
    )
    power, toughness, tried = fixture(BEAR + said).expect
    assert {"CR 613.4c: a bonus"} == {power.because, toughness.because}
    assert {Holds(since="2020-04-17")} == {power.holds, toughness.holds}
    assert (SourceSays(2, "it is older"), None) == (power.source_says, toughness.source_says)
    assert SourceSays("rejected", "it is older") == tried.source_says


def test_wants_are_what_is_expected() -> None:
    said = (
        "expect:\n"
        "  first: [{of: bear, power: 2}, {stack: []}]\n"
        "  end: [{of: bear, toughness: 2}, {of: bear, power: {one_of: [1, 2]}}, {tried: early, is: done}]\n"
    )
    assert (
        Want("first", "bear", frozenset({"power"})),
        Want("first", "table", frozenset({"stack"})),
        Want("end", "bear", frozenset({"power", "toughness"})),
    ) == fixture(BEAR + said).play.wants


def test_expectation_may_be_canonical() -> None:
    said = "expect: [{look: end, about: bear, key: power, test: {test: equals, value: 3}}]\n"
    assert [("bear", "power", Equals(3))] == facts_in(said)


def test_whole_fixture_may_be_canonical() -> None:
    said = "play: {players: [{id: alice}, {id: bob}], start: {turn: bob}, script: [settle]}\n"
    play = fixture(said).play
    assert ((Settle(),), "bob", ()) == (play.script, play.start.turn, play.objects)


# --- what cannot be read -------------------------------------------------------------------------


TO_BE_TEXT, TO_BE_A_NUMBER = "write one word or a text in quotes", "write digits, such as 2"
A_NUMBER, TO_BE_QUOTED = "2 without quotes is a number to YAML", 'write it in quotes: "2"'
NO_NUMBER = "'two' where a whole number is expected"
KEYS_OF_A_ROW = "row, title, rules, start, holds, before, script, try, is, because, expect"
KEYS_SEEN = (
    "zone, controller, owner, name, cost, mana_value, colors, types, subtypes, supertypes, power, toughness, "
    "loyalty, keywords, abilities, counters, tapped, face_down, attached_to, attacking, blocking, damage, "
    "paid, kind, source, targets, life, hand, library_size, library_top, graveyard, exile, pool, hand_size, "
    "land_plays, lost, designations, decided_by, turn, step, active, priority, deciding, stack, over, legal, "
    "daytime"
)


@pytest.mark.parametrize(
    ("text", "where", "what", "cure"),
    [
        (
            "players: []\n",
            "players",
            "no players",
            "write players: [alice, bob], or leave it out to have these two",
        ),
        (
            "players: {alice: 3, bob: {}}\n",
            "players.alice",
            "'3' where a map is expected",
            "write alice: {life: 20}",
        ),
        (
            "players: {alice: {lif: 3}, bob: {}}\n",
            "players.alice",
            "unknown key 'lif'",
            "did you mean 'life'?",
        ),
        (
            "players: [[alice], bob]\n",
            "players[1]",
            "a list where text is expected",
            TO_BE_TEXT,
        ),
        (
            "players: {alice: {hand: [[bolt]]}, bob: {}}\n",
            "players.alice.hand[1]",
            "a list where text is expected",
            TO_BE_TEXT,
        ),
        (
            "players: {alice: {hand: {bolt: [a]}}, bob: {}}\n",
            "players.alice.hand.bolt",
            "a list where text is expected",
            TO_BE_TEXT,
        ),
        (
            "players: {alice: {hand: {id: bolt, crd: Shock}}, bob: {}}\n",
            "players.alice.hand",
            "unknown key 'crd'",
            "did you mean 'card'?",
        ),
        (
            "objects: [bear]\n",
            "objects[1]",
            "'bear' where a map is expected (object)",
            "write {id, card, token, …} with some of: id, card, token, owner",
        ),
        (
            f"objects: [{'bear' * 50}]\n",
            "objects[1]",
            f"'{'bear' * 20} …' where a map is expected (object)",
            "write {id, card, token, …} with some of: id, card, token, owner",
        ),
        ("objects: {bear: {crd: A}}\n", "objects.bear", "unknown key 'crd'", "did you mean 'card'?"),
        (
            "objects: {bear: [a]}\n",
            "objects.bear",
            "a list where text is expected",
            TO_BE_TEXT,
        ),
        (
            "setup: [{together: bear}]\n",
            "setup[1].together",
            "'bear' where a map is expected (entry)",
            "write {id, controller, card, …} with some of: id, controller, card, token, owner, attached_to, "
            "counters, choices, face_down, tapped, damage, new, face",
        ),
        (
            "setup: [{id: a, controller: b, choices: {colour: red}}]\n",
            "setup[1].choices",
            "'colour' is not one of the words allowed here",
            "did you mean 'color'?",
        ),
        (
            "setup: [{id: a, controller: b, choices: [type]}]\n",
            "setup[1].choices[1]",
            "'type' is not an action",
            "choose one of: choose",
        ),
        ("script: [{cast: a}]\n", "script[1]", "cast without by", "add by: …"),
        ("cards: [{name: A}]\n", "cards[1]", "card without types", "add types: …"),
        ("expect: [3]\n", "expect[1]", "'3' in place of an expectation", "write {of: bear, power: 2}"),
        (
            "expect: {first: 3}\n",
            "expect.first",
            "'3' in place of an expectation",
            "write {of: bear, power: 2}",
        ),
        (
            "expect: [{of: [[a]], power: 3}]\n",
            "expect[1].of[1]",
            "a list where text is expected",
            TO_BE_TEXT,
        ),
        (
            "expect: [{look: end, about: a, key: power, test: {test: equls}}]\n",
            "expect[1].test.test",
            "'equls' is not a test",
            "did you mean 'equals'?",
        ),
        (
            "expect: [{of: a, power: 3, because: [b]}]\n",
            "expect[1].because",
            "a list where text is expected",
            TO_BE_TEXT,
        ),
        (
            "expect: [{of: a, power: 3, holds: newest}]\n",
            "expect[1].holds",
            "'newest' where a map is expected (holds)",
            "write {since, until, …} with some of: since, until",
        ),
        (
            "expect: [{of: a, power: 3, source_says: 2}]\n",
            "expect[1].source_says",
            "'2' where a map is expected",
            "write {power: 3, reason: …}",
        ),
        (
            "expect: [{of: a, power: 3, source_says: {power: two, reason: b}}]\n",
            "expect[1].source_says.power",
            "'two' where a whole number is expected",
            TO_BE_A_NUMBER,
        ),
        (
            "expect: [{tried: a, is: refused}]\n",
            "expect[1].is",
            "'refused' is not one of the words allowed here",
            "the words are: done, rejected",
        ),
        (
            "expect: [{of: a, power: {equals: two}}]\n",
            "expect[1].power.equals",
            "'two' where a whole number is expected",
            TO_BE_A_NUMBER,
        ),
        (
            "expect: [{of: a, power: {one_of: two}}]\n",
            "expect[1].power.one_of",
            "'two' where a whole number is expected",
            TO_BE_A_NUMBER,
        ),
        (
            "expect: [{of: a, keywords: {has: [[b]]}}]\n",
            "expect[1].keywords.has[1]",
            "a list where text is expected",
            TO_BE_TEXT,
        ),
        (
            "expect: [{of: a, power: {count: 2}}]\n",
            "expect[1].power",
            "only tokens are counted",
            "write tokens: {name: Saproling, count: 2}",
        ),
        (
            "expect: [{tokens: {name: A, count: B}}]\n",
            "expect[1].tokens.count",
            "'B' where a whole number is expected",
            TO_BE_A_NUMBER,
        ),
        (
            "expect: [{about: a, test: {test: equals, value: 3}}]\n",
            "expect[1]",
            "expectation without look and key",
            "add look: … and key: …",
        ),
        ("players: [{id: alice, lif: 3}, bob]\n", "players[1]", "unknown key 'lif'", "did you mean 'life'?"),
        (
            "players: [{alice: {lif: 3}}, bob]\n",
            "players[1].alice",
            "unknown key 'lif'",
            "did you mean 'life'?",
        ),
        (
            "players: {alice: , bob: {}}\n",
            "players.alice",
            "nothing where a map is expected",
            "write alice: {life: 20}",
        ),
        ("players: {2: {}, bob: {}}\n", "players", A_NUMBER, TO_BE_QUOTED),
        (
            "players: {alice: {hand: [{id: bolt, crd: Shock}]}, bob: {}}\n",
            "players.alice.hand[1]",
            "unknown key 'crd'",
            "did you mean 'card'?",
        ),
        (
            "players: {alice: {hand: [{bolt: [a]}]}, bob: {}}\n",
            "players.alice.hand[1].bolt",
            "a list where text is expected",
            TO_BE_TEXT,
        ),
        ("players: {alice: {hand: {2: Shock}}, bob: {}}\n", "players.alice.hand", A_NUMBER, TO_BE_QUOTED),
        ("players: {alice: {hand: 2}, bob: {}}\n", "players.alice.hand", A_NUMBER, TO_BE_QUOTED),
        (
            "objects: bear\n",
            "objects",
            "'bear' where a map is expected (object)",
            "write {id, card, token, …} with some of: id, card, token, owner",
        ),
        ("objects: {id: bear, crd: A}\n", "objects", "unknown key 'crd'", "did you mean 'card'?"),
        ("objects: {2: A}\n", "objects", A_NUMBER, TO_BE_QUOTED),
        ("objects: {2: {card: A}}\n", "objects", A_NUMBER, TO_BE_QUOTED),
        ("objects: {bear: 2}\n", "objects.bear", A_NUMBER, TO_BE_QUOTED),
        ("objects: {bear: {token: 2}}\n", "objects.bear.token", A_NUMBER, TO_BE_QUOTED),
        ("objects: {bear: {token: {name: A}}}\n", "objects.bear.token", "card without types", "add types: …"),
        (
            "setup: [{id: a, controller: b, token: {name: A}}]\n",
            "setup[1].token",
            "card without types",
            "add types: …",
        ),
        ("setup: [{id: a, controller: b, token: 2}]\n", "setup[1].token", A_NUMBER, TO_BE_QUOTED),
        (
            "setup: [{id: a, controller: b, choices: {type: 2.5}}]\n",
            "setup[1].choices.type",
            "2.5 without quotes is a number to YAML",
            'write it in quotes: "2.5"',
        ),
        (
            "setup: [{id: a, controller: b, choices: {choose: colour, answer: red}}]\n",
            "setup[1].choices.choose",
            "'colour' is not one of the words allowed here",
            "did you mean 'color'?",
        ),
        (
            "setup: [{id: a, controller: b, choices: [{kind: colour, answer: red}]}]\n",
            "setup[1].choices[1].kind",
            "'colour' is not one of the words allowed here",
            "did you mean 'color'?",
        ),
        (
            "setup: [{id: a, controller: b, choices: [{choose: color, kind: type, answer: red}]}]\n",
            "setup[1].choices[1]",
            "'kind' is given twice",
            "keep one of the two",
        ),
        (
            "setup: [{id: a, controller: b, choices: [{do: chose, kind: color, answer: red}]}]\n",
            "setup[1].choices[1].do",
            "'chose' is not an action",
            "did you mean 'choose'?",
        ),
        (
            "setup: [{id: a, controller: b, choices: [{do: choose, choose: color, answer: red}]}]\n",
            "setup[1].choices[1]",
            "unknown key 'choose'",
            "the keys here are: kind, by, answer, for, decided_by",
        ),
        (
            "setup: [{id: a, controller: b, choices: {do: choose, kind: color, by: alice, anser: red}}]\n",
            "setup[1].choices",
            "unknown key 'anser'",
            "did you mean 'answer'?",
        ),
        ("setup: {id: a}\n", "setup", "entry without controller", "add controller: …"),
        ("script: [cast]\n", "script[1]", "cast without what and by", "add what: … and by: …"),
        (
            "setup: [{id: a, controller: b, choices: [{kind: color}]}]\n",
            "setup[1].choices[1]",
            "choose without answer",
            "add answer: …",
        ),
        (
            "setup: [{entries: [{id: a}]}]\n",
            "setup[1].entries[1]",
            "entry without controller",
            "add controller: …",
        ),
        (
            "setup: [{together: [], entries: []}]\n",
            "setup[1]",
            "'together' is given twice",
            "keep one of the two",
        ),
        ("script: [{do: cast, what: a}]\n", "script[1]", "cast without by", "add by: …"),
        ("script: [{cast: {what: a}}]\n", "script[1]", "cast without by", "add by: …"),
        (
            "script: [{do: [cast]}]\n",
            "script[1].do",
            "a list where a word is expected",
            "write do: and a tag",
        ),
        ("script: [{csat}]\n", "script[1]", "{csat} has no effect here", "did you mean 'cast'?"),
        ("script: 2\n", "script", A_NUMBER, TO_BE_QUOTED),
        (
            "cards: 2\n",
            "cards",
            "'2' where a map is expected (card)",
            "write {name, types, cost, …} with some of: name, types, cost, supertypes, subtypes, colors, "
            "power, toughness, loyalty, abilities, back, modal, adventure, halves",
        ),
        (
            "rows: 2\n",
            "rows",
            "'2' where a map is expected (table row)",
            f"write {{row, title, rules, …}} with some of: {KEYS_OF_A_ROW}",
        ),
        ("rows: {row: 1, title: a, try: {cast: a}, is: done}\n", "rows.try", "cast without by", "add by: …"),
        (
            "rows: {row: 1, title: a, try: settle, is: donne}\n",
            "rows.is",
            "'donne' is not one of the words allowed here",
            "did you mean 'done'?",
        ),
        ("rows: {row: 1, title: a, before: [{cast: a}]}\n", "rows.before[1]", "cast without by", "add by: …"),
        ("rows: {row: 1, title: a, script: {cast: a}}\n", "rows.script", "cast without by", "add by: …"),
        (
            "rows: {row: 1, title: a, expect: 2}\n",
            "rows.expect",
            "'2' in place of an expectation",
            "write {of: bear, power: 2}",
        ),
        (
            "start: {step: upkep}\n",
            "start.step",
            "'upkep' is not one of the words allowed here",
            "did you mean 'upkeep'?",
        ),
        ("expect: {2: [{of: a, power: 3}]}\n", "expect", A_NUMBER, TO_BE_QUOTED),
        ("expect: 2\n", "expect", "'2' in place of an expectation", "write {of: bear, power: 2}"),
        ("expect: {first: {of: a, power: two}}\n", "expect.first.power", NO_NUMBER, TO_BE_A_NUMBER),
        (
            "expect: {about: a}\n",
            "expect",
            "expectation without look and key and test",
            "add look: … and key: … and test: …",
        ),
        (
            "expect: {tried: a, is: refused}\n",
            "expect.is",
            "'refused' is not one of the words allowed here",
            "the words are: done, rejected",
        ),
        ("expect: {stack: 2}\n", "expect.stack", A_NUMBER, TO_BE_QUOTED),
        ("expect: {of: 2, power: 3}\n", "expect.of", A_NUMBER, TO_BE_QUOTED),
        (
            "expect: [{test: {test: equals, value: 3}}]\n",
            "expect[1]",
            "expectation without look and about and key",
            "add look: … and about: … and key: …",
        ),
        ("expect: [{of: a, power: 3, holds: {since: 2}}]\n", "expect[1].holds.since", A_NUMBER, TO_BE_QUOTED),
        ("expect: [{tried: 2, is: done}]\n", "expect[1].tried", A_NUMBER, TO_BE_QUOTED),
        ("expect: [{tried: a}]\n", "expect[1].tried", "what was it: done or rejected?", "add is: rejected"),
        (
            "expect: [{of: a, because: b}]\n",
            "expect[1]",
            "nothing is expected here",
            "add a key and its value: power: 2",
        ),
        (
            "expect: [{has: a}]\n",
            "expect[1]",
            "'has' without a key",
            "write it below one: keywords: {has: …}",
        ),
        (
            "expect: [{of: a, powr: 3}]\n",
            "expect[1]",
            "nothing called 'powr' can be seen",
            "did you mean 'power'?",
        ),
        (
            "expect: [{of: a, power: 3, becuase: so}]\n",
            "expect[1]",
            "nothing called 'becuase' can be seen",
            "did you mean 'because'?",
        ),
        (
            "expect: [{of: a, tokns: 3}]\n",
            "expect[1]",
            "nothing called 'tokns' can be seen",
            "did you mean 'tokens'?",
        ),
        (
            "expect: [{of: a, xyzzy: 3}]\n",
            "expect[1]",
            "nothing called 'xyzzy' can be seen",
            f"choose one of: {KEYS_SEEN}",
        ),
        (
            "expect: [{tokens: 2}]\n",
            "expect[1].tokens",
            "'2' where a map is expected (tokens)",
            "write {name, count, controller, …} with some of: name, count, controller",
        ),
        (
            "expect: [{of: a, power: {lacks: 3}}]\n",
            "expect[1].power",
            "'lacks' applies to a list, and this is not one",
            "write the value alone",
        ),
        (
            "expect: [{of: a, keywords: {any_order: [flying]}}]\n",
            "expect[1].keywords",
            "'any_order' applies to a list, and this is not one",
            "write the value alone",
        ),
        (
            "expect: [{of: a, keywords: {}}]\n",
            "expect[1].keywords",
            "a map where text is expected",
            TO_BE_TEXT,
        ),
        (
            "expect: [{of: a, keywords: {has: flying, equal: b}}]\n",
            "expect[1].keywords",
            "a map where text is expected",
            TO_BE_TEXT,
        ),
        (
            "expect: [{of: a, counters: {charge: two}}]\n",
            "expect[1].counters.charge",
            NO_NUMBER,
            TO_BE_A_NUMBER,
        ),
        (
            "expect: [{of: a, power: 3, source_says: {power: 2}}]\n",
            "expect[1].source_says",
            "why does the source differ?",
            "add reason: …",
        ),
        (
            "expect: [{of: a, power: 3, source_says: {power: 2, reason: [a]}}]\n",
            "expect[1].source_says.reason",
            "a list where text is expected",
            TO_BE_TEXT,
        ),
        (
            "expect: [{of: a, power: 3, source_says: {powr: 2, reason: a}}]\n",
            "expect[1].source_says",
            "'powr' is not expected here",
            "did you mean 'power'?",
        ),
        (
            "expect: [{of: a, toughness: 2, power: 3, source_says: {value: 2, reason: a}}]\n",
            "expect[1].source_says",
            "'value' is not expected here",
            "expected are: power, toughness",
        ),
        (
            "expect: [{tried: a, is: done, source_says: {value: {a: b}, reason: a}}]\n",
            "expect[1].source_says.value",
            "a map where a value is expected",
            "write a word, a number or a list",
        ),
        (
            "expect: [{of: a, power: {one_of: [3, two]}}]\n",
            "expect[1].power.one_of[2]",
            NO_NUMBER,
            TO_BE_A_NUMBER,
        ),
        (
            "expect: [{of: a, power: {equals: two, one_of: [2]}}]\n",
            "expect[1].power.equals",
            NO_NUMBER,
            TO_BE_A_NUMBER,
        ),
        (
            "expect: [{of: a, graveyard: {any_order: [[a]]}}]\n",
            "expect[1].graveyard.any_order[1]",
            "a list where text is expected",
            TO_BE_TEXT,
        ),
        ("play: {players: []}\n", "play", "play without start", "add start: …"),
    ],
)
def test_wrong_file_says_where_and_what(text: str, where: str, what: str, cure: str) -> None:
    assert [(where, what, cure)] == told(text)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("players: {alice: {hand: {2: Shock}}, bob: {}}\n", "players.alice.hand"),
        ("players: {alice: {hand: {bolt: [Shock]}}, bob: {}}\n", "players.alice.hand.bolt"),
        ("players: {alice: {hand: [2]}, bob: {}}\n", "players.alice.hand[1]"),
        ("players: [alice, 2, bob]\n", "players[2]"),
        ("objects: {2: Shock}\n", "objects"),
        ("objects: {bolt: [Shock]}\n", "objects.bolt"),
        ("objects: [{id: 2}]\n", "objects[1].id"),
        ("setup: [{id: a, card: Forest, controller: alice, choices: {kolor: red}}]\n", "setup[1].choices"),
        ("setup: [{id: a, controller: alice, token: {name: A}}]\n", "setup[1].token"),
        ("script: [{frob: a, by: zed}]\n", "script[1]"),
        ("cards: [{name: Test A}]\n", "cards[1]"),
        ("expect: [{of: boc, life: 3, because: [a]}]\n", "expect[1].because"),
        ("expect: [{of: boc, life: 3, holds: {since: 2}}]\n", "expect[1].holds.since"),
        ("expect: [{tried: 2, is: done}]\n", "expect[1].tried"),
        ("expect: [{of: [2], life: 3}]\n", "expect[1].of[1]"),
    ],
)
def test_what_cannot_be_read_is_not_checked_further(text: str, where: str) -> None:
    seen = "" if "expect" in text else "expect: [{of: alice, life: 3}]\n"
    with pytest.raises(ScenarioError) as caught:
        checked_fixtures(tree_of(HEADING + text + seen, "a.yaml"), "a.yaml")
    assert [where] == [problem.where for problem in caught.value.problems]


@pytest.mark.parametrize(
    "wrong",
    [
        "{tried: a, is: refused}",
        "{of: a, power: two}",
        "{of: a, power: {equals: two}}",
        "{of: a, power: {one_of: [2, two]}}",
        "{of: a, keywords: {has: [[b]]}}",
    ],
)
def test_what_can_be_read_is_there_though_a_line_before_it_cannot_be(wrong: str) -> None:
    loaded, problems = read(
        f"{HEADING}script: [{{frob: a}}, settle]\nexpect: [{wrong}, {{of: b, power: 2}}]\n"
    )
    assert loaded and len(problems) == 2
    assert (Settle(),) == loaded.fixture.play.script
    assert [("b", "power", Equals(2), "")] == [
        (fact.about, fact.key, fact.test, fact.because) for fact in loaded.fixture.expect
    ]


@pytest.mark.parametrize(
    ("says", "wrong"),
    [
        ("{power: two, reason: b}", ["expect.source_says.power"]),
        ("{power: 2, reason: [b]}", ["expect.source_says.reason"]),
        ("{powr: 2, toughness: 2, reason: b}", ["expect.source_says", "expect.source_says"]),
    ],
)
def test_what_a_source_says_is_left_out_where_it_cannot_be_read(says: str, wrong: list[str]) -> None:
    loaded, problems = read(f"{HEADING}expect: {{of: a, power: 3, source_says: {says}}}\n")
    assert loaded and [None] == [fact.source_says for fact in loaded.fixture.expect]
    assert wrong == [problem.where for problem in problems]


def test_action_of_which_a_part_cannot_be_read_is_there_without_it() -> None:
    loaded, problems = read(
        HEADING + "script: [{cast: a, targets: [[b], [3]], x: two}, {attack: {c: [d], e: f}}]\n"
    )
    assert [
        *("script[1].targets[2][1]", "script[1].x", "script[1]"),
        *("script[2].attack.c", "script[2]"),
    ] == [problem.where for problem in problems]
    assert loaded and (
        CastAction("a", "", (("b",), ("",))),
        Attack((Attacker("c", ""), Attacker("e", "f")), ""),
    ) == (loaded.fixture.play.script)


def test_list_of_which_a_part_cannot_be_read_is_left_out() -> None:
    loaded, problems = read(HEADING + "players: {alice: {hand: [2, bolt]}, bob: {}}\n")
    assert loaded and ["players.alice.hand[1]"] == [problem.where for problem in problems]
    assert () == loaded.fixture.play.players[0].hand


@pytest.mark.parametrize("choices", ["{kolor: red}", "{color: [[red]]}", "[red]"])
def test_choices_that_cannot_be_read_are_left_out(choices: str) -> None:
    entry = f"{{id: bear, card: Runeclaw Bear, controller: alice, choices: {choices}}}"
    loaded, problems = read(f"{HEADING}setup: [{entry}]\n")
    assert loaded and len(problems) == 1
    assert () == loaded.fixture.play.setup[0].entries[0].choices


def test_all_unknown_keys_are_reported_and_the_first_of_two_meanings_is_kept() -> None:
    entry = "{id: bear, xyzzy: 2, card: Runeclaw Bear, crd: Forest, controller: alice}"
    loaded, problems = read(f"{HEADING}setup: [{entry}]\n")
    assert ["unknown key 'xyzzy'", "unknown key 'crd'"] == [problem.what for problem in problems]
    assert loaded and "Runeclaw Bear" == loaded.fixture.play.objects[0].card


@pytest.mark.parametrize(
    ("flag", "token"), [("yes", True), ("no", False), ("true", True), ("false", False), ("Rat", True)]
)
def test_object_may_say_that_it_is_a_token(flag: str, token: bool) -> None:
    cards = "cards: [{name: Rat, types: Creature, pt: 1/1}]\n"
    card = "" if flag == "Rat" else "card: Rat, "
    said = f"objects: {{rat: {{{card}token: {flag}}}}}\nsetup: [{{id: rat, controller: alice}}]\n"
    assert Object("rat", "Rat", "alice", token) == fixture(cards + said).play.objects[0]


def test_file_of_which_too_little_can_be_read_is_not_a_fixture() -> None:
    assert read("play: {players: []}\n")[0] is None


def test_parts_that_can_be_read_are_checked_though_others_cannot() -> None:
    text = (
        HEADING + "players: [alice, bob]\nsetup: [{id: bear, crd: Runclaw Bear, controller: alice}]\n" + SEEN
    )
    with pytest.raises(ScenarioError) as caught:
        checked_fixtures(tree_of(text, "a.yaml"), "a.yaml")
    assert ["no card named 'Runclaw Bear'", "unknown key 'crd'"] == [
        problem.what for problem in caught.value.problems
    ]


def test_part_of_a_fixture_stands_where_its_file_says_it() -> None:
    text = HEADING + BEAR + "script:\n  - {cast: bolt, by: alice, targets: [bear]}\n" + SEEN
    loaded, _ = read(text)
    assert loaded

    def place(*at: str | int) -> tuple[int, int]:
        node = loaded.place(at)
        return node.line, node.column

    assert (4, 9) == place("play", "setup", 0, "entries", 0)
    assert (4, 26) == place("play", "objects", 0, "card")
    assert (6, 39) == place("play", "script", 0, "targets", 0)
    assert (7, 28) == place("expect", 0)
    assert (7, 15) == place("expect", 0, "about")
    assert (1, 1) == place("play", "wants", 3)
    assert (1, 1) == place("play", "players", 0)
    assert (1, 1) == place("play", "objects", 1)


def test_part_of_the_canonical_form_is_at_the_reported_place() -> None:
    players = "players: [{id: alice}, {id: bob}]"
    loaded, _ = read(f"{HEADING}play: {{{players}, start: {{turn: bob}}, script: [settle]}}\n")
    assert loaded
    node = loaded.place(("play", "script", 0))
    assert (4, 72) == (node.line, node.column)
    [problem] = loaded.problems([Finding(("play", "start", "turn"), "late", "be early")])
    assert Problem("a.yaml", 4, 57, "play.start.turn", "late", "be early") == problem


def test_canonical_expectation_is_at_the_reported_place() -> None:
    loaded, _ = read(
        HEADING + "expect: [{look: end, about: a, key: power, test: {test: equals, value: 3}}]\n"
    )
    assert loaded
    nodes = [loaded.place(("expect", 0, *part)) for part in ((), ("look",), ("about",))]
    assert [(4, 10)] * 3 == [(node.line, node.column) for node in nodes]


def test_part_stands_where_its_file_says_it_though_one_before_it_cannot_be_read() -> None:
    said = (
        "setup:\n"
        "  - {id: lost}\n"
        "  - together:\n"
        "      - {id: bear, card: Runeclaw Bear, controller: alice}\n"
        "      - {id: ogre, card: Gray Ogre, controller: alice}\n"
        "    timestamps: {alice: [ogre, bear]}\n"
    )
    loaded, problems = read(HEADING + said)
    assert loaded and [("a.yaml", "setup[1]")] == [(problem.path, problem.where) for problem in problems]
    arrival, ogre = loaded.place(("play", "setup", 0)), loaded.place(("play", "setup", 0, "entries", 1))
    assert [(6, 5), (8, 9)] == [(node.line, node.column) for node in (arrival, ogre)]


def test_token_may_be_a_flag_only_where_objects_are_listed() -> None:
    said = 'objects: {bear: {card: Gray Ogre, token: "no"}}\nsetup: [{id: bear, controller: alice}]\n'
    assert "no" == fixture(said).play.objects[0].card


def test_token_of_the_same_name_as_a_card_is_that_card() -> None:
    maker = (
        "{name: Test Maker, types: Artifact, abilities: {activated: {cost: tap, effect: {create: TOKEN}}}}"
    )
    ogre = "{name: Gray Ogre, types: Creature, pt: 2/2}"
    cards = (
        f"cards: [{maker.replace('TOKEN', ogre)}]\nsetup: [{{id: a, card: Test Maker, controller: alice}}]\n"
    )
    found = {card.definition.name: card.real for card in fixture(cards).play.cards}
    assert {"Gray Ogre": True, "Plains": True, "Test Maker": False} == found


# --- tables --------------------------------------------------------------------------------------

TABLE = """
title: Ogres
rules: ["613.4c"]
players: {alice: {hand: {ogre: Gray Ogre}}, bob: {}}
start: {turn: bob, step: upkeep}
setup: [{id: bear, card: Runeclaw Bear, controller: alice}]
script: [{pass: bob}]
expect: [{of: bear, power: 3}]
rows:
  - {row: 1, title: a try, try: {cast: ogre, by: alice}, is: rejected, because: not her turn}
  - row: 7
    title: a script
    rules: ["613.4c", "117.1a"]
    start: {turn: alice, step: draw}
    holds: {since: "2020-04-17"}
    before: [settle]
    script: [{look: later}]
    expect: {later: [{of: bear, toughness: 3}]}
"""


def rows(text: str) -> tuple[Fixture, ...]:
    """The fixtures of a table without problems."""
    loaded, problems = read_fixtures(tree_of(text, "a.yaml"), "a.yaml", pool())
    assert not problems
    return tuple(one.fixture for one in loaded)


def test_each_row_of_a_table_is_a_fixture_with_an_id_of_its_own() -> None:
    one, seven = rows("id: G-9001" + TABLE)
    assert ("G-9001.01", "G-9001.07") == (one.id, seven.id)
    assert ("Ogres: a try", "Ogres: a script") == (one.title, seven.title)
    assert (("613.4c",), ("613.4c", "117.1a")) == (one.rules, seven.rules)
    assert (Holds(), Holds(since="2020-04-17")) == (one.holds, seven.holds)
    assert (Start("bob", "upkeep"), Start("alice", "draw")) == (one.play.start, seven.play.start)
    assert one.play.objects == seven.play.objects


def test_reason_of_a_row_and_of_the_file_are_for_expectations_without_one() -> None:
    reasons = """
title: Ogres
rules: ["613.4c"]
because: of the file
setup: [{id: bear, card: Runeclaw Bear, controller: alice}]
expect: [{of: bear, power: 3}, {of: bear, toughness: 3, because: its own}]
rows:
  - row: 1
    title: a
    script: [settle]
    because: of the row
    expect: [{stack: []}, {step: upkeep, because: its own too}]
  - {row: 2, title: b, script: [settle], expect: {stack: []}}
"""
    one, two = rows("id: G-9001" + reasons)
    (alone,) = rows("id: G-9002" + reasons.partition("rows:")[0])

    assert ["of the file", "its own", "of the row", "its own too"] == [fact.because for fact in one.expect]
    assert ["of the file", "its own", "of the file"] == [fact.because for fact in two.expect]
    assert ["of the file", "its own"] == [fact.because for fact in alone.expect]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("because: a\nexpect: [{stack: [], because: b}]\n", "because"),
        (
            "because: a\nrows:\n- {row: 1, title: a, script: [settle], because: b, expect: {stack: []}}\n",
            "because",
        ),
        ("rows:\n- {row: 1, title: a, because: b, expect: {stack: [], because: c}}\n", "rows[1].because"),
    ],
)
def test_reason_that_no_expectation_uses_is_reported(text: str, place: str) -> None:
    _, problems = read_fixtures(
        tree_of('id: L-9001\ntitle: a\nrules: ["613.4c"]\n' + text, "a.yaml"), "a.yaml", {}
    )

    assert [(place, "a reason that no expectation uses")] == [(one.where, one.what) for one in problems]


def test_row_is_done_before_and_after_what_all_rows_share() -> None:
    one, seven = rows("id: G-9001" + TABLE)
    assert (Pass("bob"), Try("attempt", CastAction("ogre", "alice"))) == one.play.script
    assert (Settle(), Pass("bob"), Look("later")) == seven.play.script
    assert [("bear", "power"), ("attempt", "tried")] == [(fact.about, fact.key) for fact in one.expect]
    assert (Equals("rejected"), "not her turn") == (one.expect[1].test, one.expect[1].because)
    assert [("end", "power"), ("later", "toughness")] == [(fact.look, fact.key) for fact in seven.expect]
    powers = Want("end", "bear", frozenset({"power"}))
    assert (powers,) == one.play.wants
    assert (powers, Want("later", "bear", frozenset({"toughness"}))) == seven.play.wants


def test_outcome_of_a_try_stands_at_its_row() -> None:
    one, _ = read_fixtures(tree_of("id: G-9001" + TABLE, "a.yaml"), "a.yaml", pool())[0]
    nodes = [one.place(("expect", 1, *part)) for part in ((), ("look",), ("about",))]
    assert [(10, 5)] * 3 == [(node.line, node.column) for node in nodes]


def test_row_in_which_a_card_is_named_has_that_card_alone() -> None:
    named = "  - {row: 2, title: b, script: [{choose: name, by: alice, answer: [Shock]}]}\n"
    one, two, _ = rows("id: G-9001" + TABLE.replace("  - row: 7", named + "  - row: 7"))
    assert {"Shock"} == {card.definition.name for card in two.play.cards} - {
        card.definition.name for card in one.play.cards
    }


def test_what_is_wrong_with_a_row_is_reported_where_it_stands_and_what_all_share_once() -> None:
    text = "id: G-9001" + TABLE.replace("of: bear, power", "of: baer, power").replace(
        "cast: ogre", "cast: oger"
    )
    with pytest.raises(ScenarioError) as caught:
        checked_fixtures(tree_of(text, "a.yaml"), "a.yaml")
    assert [
        ("expect[1].of", "nothing here is called 'baer'"),
        ("rows[1].try.cast", "nothing here is called 'oger'"),
    ] == [(problem.where, problem.what) for problem in caught.value.problems]


NO_OUTCOME = "a try without its outcome, or an outcome without its try"


@pytest.mark.parametrize(
    ("row", "what", "cure"),
    [
        (
            "{row: 1, title: a, script: [settle]}",
            "a second row 1",
            "row numbers are permanent: use a new one",
        ),
        ("{row: 0, title: a}", "a row 0", "rows are numbered from 1 to 99"),
        ("{row: 100, title: a}", "a row 100", "rows are numbered from 1 to 99"),
        ("{row: 2, title: a, try: settle}", NO_OUTCOME, "write both: try: {…}, is: rejected"),
        ("{row: 2, title: a, is: done}", NO_OUTCOME, "write both: try: {…}, is: rejected"),
        ("{title: a}", "table row without row", "add row: …"),
        (
            "{row: 2, title: a, setup: []}",
            "unknown key 'setup'",
            f"the keys here are: {KEYS_OF_A_ROW}",
        ),
    ],
)
def test_wrong_row_is_refused(row: str, what: str, cure: str) -> None:
    text = "id: G-9001" + TABLE.replace("  - row: 7", f"  - {row}\n  - row: 7")
    problems = read_fixtures(tree_of(text, "a.yaml"), "a.yaml", pool())[1]
    assert [("rows[2]", what, cure)] == [(one.where, one.what, one.cure) for one in problems]


def test_rows_that_can_be_read_are_there_though_others_cannot() -> None:
    wrong = "  - {row: 2}\n  - {row: 3, title: a, try: {frob: a}, is: done}\n  - {row: 99, title: b}\n"
    text = "id: G-9001" + TABLE.replace("  - row: 7", f"{wrong}  - row: 7")
    loaded, problems = read_fixtures(tree_of(text, "a.yaml"), "a.yaml", pool())
    assert [("rows[2]", "table row without title"), ("rows[3].try", "no action has the keys frob")] == [
        (problem.where, problem.what) for problem in problems
    ]
    assert ["G-9001.01", "G-9001.99", "G-9001.07"] == [one.fixture.id for one in loaded]


def test_table_without_rows_is_refused() -> None:
    cure = "write rows: [{row: 1, title: …, try: {…}, is: done}], or leave it out"
    assert [("rows", "no rows", cure)] == told(BEAR + SEEN + "rows: []\n")


def test_types_of_fields_are_those_that_the_canonical_form_is_read_by() -> None:
    kinds = [
        kind
        for module in (scenario, scenario_file, observation, actions, cards)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    ]
    assert len(kinds) > 200
    for kind in kinds:
        assert {field.name: field.type for field in msgspec.structs.fields(kind)} == types_of(kind), kind

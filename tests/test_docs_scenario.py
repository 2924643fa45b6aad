"""The page about the scenario language: every example loads, and has the stated outcome."""

import re
from pathlib import Path

import pytest

from conformance.data.loading import checked_fixtures
from conformance.data.rulebook import newest_edition
from conformance.files.own_words import reserved_words
from conformance.files.yaml_tree import tree_of
from conformance.model.observation import SeenObject, SeenPlayer, SeenTable
from conformance.model.scenario import Fixture
from conformance.model.verdict import PassVerdict, judge
from conformance.play.runner import answer_to
from conformance_adapters.in_process import Reference

PAGE = Path(__file__).parent.parent / "docs" / "scenario.md"
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
HEADING = 'id: L-9999\ntitle: An example\nrules: ["613.1"]\n'


def example(number: int) -> list[Fixture]:
    """The fixtures that an example on the page stands for."""
    text = EXAMPLES[number]
    whole = text if text.startswith("id:") else HEADING + text
    name = f"example {number + 1}"
    return [one.fixture for one in checked_fixtures(tree_of(whole, name), name)]


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example_on_the_page_gives_the_result_it_claims(number: int) -> None:
    for fixture in example(number):
        assert fixture.expect
        assert isinstance(judge(fixture, answer_to(Reference(), fixture.play), newest_edition()), PassVerdict)


def test_page_has_a_sentence_for_every_key_that_can_be_seen() -> None:
    seen = PAGE.read_text(encoding="utf-8").partition("## What is to be seen")[2]
    told = {key for row in re.findall(r"^\| ([^|]+) \| ", seen, re.MULTILINE) for key in KEYS.findall(row)}
    keys = {key for kind in (SeenObject, SeenPlayer, SeenTable) for key in kind.__struct_encode_fields__}
    assert keys <= told


def test_page_names_the_words_that_are_no_ids() -> None:
    page = PAGE.read_text(encoding="utf-8")
    said = page.partition("what YAML takes for yes, no or nothing:")[2].partition("\n\n")[0]
    assert {word for word in reserved_words() if " " not in word and "-" not in word} == {*KEYS.findall(said)}


KEYS = re.compile(r"`(\w+)`")
EVERYDAY = ["other", "more", "face", "back", "old", "new", "card", "land", "creature", "stack", "target"]
TAGS = ["cast", "copy", "name", "hand", "white", "affects", "it", "this", "token", "attack", "block", "move"]
OBJECT = """
players: {alice: {hand: {lightning: Arc Lightning}}, bob: {}}
setup:
  - {id: WORD, card: Runeclaw Bear, controller: alice}
  - {id: strength, card: Giant Strength, controller: alice, attached_to: WORD}
  - {id: wall, card: Gray Ogre, controller: bob}
script:
  - {cast: lightning, by: alice, targets: [[WORD, bob]], divide: {WORD: 1, bob: 2}}
  - settle
  - {advance: {to: beginning of combat}}
  - {pass: everyone}
  - {attack: {WORD: bob}, by: alice}
  - {pass: everyone}
  - {block: {wall: [WORD]}, by: bob}
  - {look: blocked}
  - {pass: everyone}
expect:
  blocked: [{of: WORD, power: 4, damage: 1}, {of: wall, blocking: [WORD]}]
  end: [{of: WORD, damage: 3}, {of: wall, zone: graveyard}, {of: strength, zone: battlefield}]
"""
PLAYER = """
players: {alice: {}, WORD: {hand: {shock: Shock}}}
setup:
  - {id: bear, card: Runeclaw Bear, controller: alice}
  - {id: ogre, card: Gray Ogre, controller: WORD}
  - {id: confiscate, card: Confiscate, controller: WORD, attached_to: ogre}
script:
  - {pass: alice}
  - {cast: shock, by: WORD, targets: [alice]}
  - settle
  - {advance: {to: beginning of combat}}
  - {pass: everyone}
  - {attack: {bear: WORD}, by: alice}
  - {pass: everyone}
  - {block: {}, by: WORD}
  - {look: unblocked}
  - {pass: everyone}
expect:
  unblocked: [{of: bear, attacking: WORD}]
  end: [{of: WORD, life: 18}, {of: alice, life: 18}, {of: ogre, controller: WORD}]
"""


@pytest.mark.sweep
@pytest.mark.parametrize("word", [*EVERYDAY, *TAGS])
@pytest.mark.parametrize("text", [OBJECT, PLAYER], ids=["object", "player"])
def test_word_of_the_language_may_be_an_id(text: str, word: str) -> None:
    [one] = checked_fixtures(tree_of(HEADING + text.replace("WORD", word), "example"), "example")
    judged = judge(one.fixture, answer_to(Reference(), one.fixture.play), newest_edition())
    assert isinstance(judged, PassVerdict), judged

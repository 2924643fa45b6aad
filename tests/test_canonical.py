"""Canonical values as JSON: equal values give equal bytes, and only strict JSON is accepted."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from conformance.data.library import all_fixtures, pool
from conformance.data.loading import checked_fixtures
from conformance.files import strict_json
from conformance.files.canonical import decode, digest, encode, scenario_schema, without_defaults
from conformance.files.yaml_tree import tree_of
from conformance.model.observation import Observations, SeenObject, Snapshot
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play
from conformance.reading.outcome import definition
from reference_engine.language.cards import AddTypes, Base, Card, Effect, Gain, Keyword, This
from reference_engine.language.setup import Player, Start
from tests.sweeping import a_share, by_day

FIXTURE = checked_fixtures(
    tree_of(
        'id: L-9001\ntitle: A board\nrules: ["613.4c"]\n'
        "setup:\n"
        "  - {id: bear, card: Runeclaw Bear, controller: alice, counters: {+1/+1: 1, charge: 2}}\n"
        "  - {id: humility, card: Humility, controller: bob}\n"
        "expect: [{of: bear, power: 2, subtypes: [Bear]}]\n",
        "a.yaml",
    ),
    "a.yaml",
)[0].fixture


def message_of(content: bytes, kind: type[Any] = Fixture) -> str:
    """The error message for some content."""
    with pytest.raises(ScenarioError) as caught:
        decode(content, kind, "a.json")
    return str(caught.value)


def test_value_comes_back_as_it_was() -> None:
    content = encode(FIXTURE)
    assert FIXTURE == decode(content, Fixture)
    assert content == encode(decode(content, Fixture))


@pytest.mark.parametrize("card", pool().values(), ids=lambda card: card.name)
def test_card_comes_back_as_it_was(card: Card) -> None:
    assert card == decode(encode(card), Card)


def test_keys_and_sets_are_sorted_and_defaults_written_out() -> None:
    content = encode(AddTypes(subtypes=frozenset({"Zombie", "Goblin", "Ape"})))
    assert b'{"op":"add_types","subtypes":["Ape","Goblin","Zombie"],"supertypes":[],"types":[]}' == content


def test_text_is_utf_8_and_not_escaped() -> None:
    assert '"Jötun"'.encode() == encode("Jötun")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a.json:1:1: not JSON: Expecting value\n    send one JSON value"),
        (b'{"id": "a"} {}', "a.json:1:13: not JSON: Extra data"),
        (b'{"id": }', "a.json:1:8: not JSON: Expecting value"),
        (b'{"id": "\xff"}', "a.json: byte 8 is not UTF-8\n    send UTF-8"),
        (b'{"id": "a", "id": "b"}', "a.json: 'id' is given twice\n    give every key once"),
        (b'{"play": {"start": {"turn": "a", "turn": "a"}}}', "a.json: play.start: 'turn' is given twice"),
        (b'{"rules": [["a"], {"b": 1, "b": 2}]}', "a.json: rules[2]: 'b' is given twice"),
        (b'{"id": 1.5}', "a.json: id: 1.5 is not a whole number\n    write a whole number"),
        (b'{"id": 1e5}', "a.json: id: 1e5 is not a whole number"),
        (b'{"id": NaN}', "a.json: id: NaN is not a number"),
        (b'{"id": -Infinity}', "a.json: id: -Infinity is not a number"),
        (b'{"id": ' + b"9" * 5000 + b"}", "a.json: id: a number of more than 15 digits"),
        (b'{"id": "\\ud800"}', "a.json: id: text with half of a surrogate pair, or with a null character"),
        (b'{"\\u0000": 1}', "a.json: text with half of a surrogate pair, or with a null character"),
        (b"[" * 201 + b"]" * 201, "a.json: more than 200 levels deep\n    no scenario needs that"),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, "a.json: more than 200 levels deep"),
        (
            b'{"id": 1}',
            "a.json: id: Expected `str`, got `int`\n"
            "    scenario.schema.json of `conformance export` describes what belongs here",
        ),
        (b"[]", "a.json: Expected `object`, got `array`"),
        (b'{"titel": 1}', "a.json: Object contains unknown field `titel`\n    did you mean 'title'?"),
        (b'{"xyzzyx": 1}', "a.json: Object contains unknown field `xyzzyx`\n    remove it"),
    ],
)
def test_what_is_not_strict_json_is_refused(content: bytes, message: str) -> None:
    assert message in message_of(content)


def test_what_is_in_no_file_has_no_place_of_one() -> None:
    with pytest.raises(ScenarioError) as caught:
        decode(b"nonsense", Fixture)
    assert "1:1: not JSON: Expecting value\n    send one JSON value" == str(caught.value)
    with pytest.raises(ScenarioError) as caught:
        decode(b"[]", Fixture)
    assert str(caught.value).startswith("Expected `object`, got `array`")


def test_brackets_in_text_are_no_nesting() -> None:
    deep = "[" * 300 + '"' + "{" * 300
    assert deep == decode(json.dumps(deep).encode(), str)


def test_pairs_of_surrogates_are_one_character() -> None:
    assert "\U0001f409" == decode(b'"\\ud83d\\udc09"', str)


@pytest.mark.sweep
@given(st.recursive(st.none() | st.booleans() | st.integers(-9, 9) | st.text('ab[]{}"\\\n'), st.lists))
def test_strict_json_is_taken(value: Any) -> None:
    assert value == decode(json.dumps(value).encode(), Any)


def test_not_reported_is_not_none() -> None:
    seen = Observations(looks={"end": Snapshot(objects={"bear": SeenObject(power=None)})})
    assert seen == decode(encode(seen), Observations)
    assert b'"bear":{"power":null}' in encode(seen)


# --- digests -------------------------------------------------------------------------------------


class Before(Struct, frozen=True, tag_field="op", tag="thing"):
    """A value as it was."""

    name: str
    parts: tuple[Player, ...] = ()


class After(Struct, frozen=True, tag_field="op", tag="thing"):
    """The same with new optional fields."""

    name: str
    parts: tuple[Player, ...] = ()
    added: tuple[str, ...] = ()
    start: Start = Start("alice")
    more: list[str] = msgspec.field(default_factory=list)


def test_new_optional_field_changes_no_digest() -> None:
    parts = (Player("alice", library=("top",)),)
    assert digest(Before("a", parts)) == digest(After("a", parts))
    assert digest(Before("a", parts)) != digest(After("a", parts, added=("b",)))


def test_value_equal_to_its_default_is_left_out_whoever_made_it() -> None:
    assert {"name": "a", "op": "thing"} == without_defaults(After("a", start=Start("alice"), more=[]))


def test_digest_is_of_what_is_not_default() -> None:
    effect = Effect(This(), (Base(power=1), Gain((Keyword("flying"),))))
    assert {
        "then": "effect",
        "affects": {"who": "this"},
        "does": [
            {"op": "base", "power": 1},
            {"op": "gain", "abilities": [{"is": "keyword", "keyword": "flying"}]},
        ],
    } == without_defaults(effect)
    assert {"types": ["Creature", "Land"], "op": "add_types"} == without_defaults(
        AddTypes(types=frozenset({"Land", "Creature"}))
    )
    assert {"objects": {"bear": {"power": None}}} == without_defaults(
        Snapshot(objects={"bear": SeenObject(power=None)})
    )


def test_digest_is_the_same_for_ever() -> None:
    play = Play(players=(Player("alice"), Player("bob")), start=Start("alice"))
    assert "ac8bf5de408c8f3a7eb8adc831d7722b42783be291cb9fb9979d42ecb4e4dd4c" == digest(play)
    assert digest(play) == digest(decode(encode(play), Play))


# --- the schema ----------------------------------------------------------------------------------


def references_in(schema: Any) -> set[str]:
    """Every definition that a schema refers to."""
    if isinstance(schema, dict):
        return {name for value in schema.values() for name in references_in(value)}
    if isinstance(schema, list):
        return {name for value in schema for name in references_in(value)}
    return (
        {schema.removeprefix("#/$defs/")}
        if isinstance(schema, str) and schema.startswith("#/$defs/")
        else set()
    )


SCHEMA = scenario_schema()


def test_schema_defines_all_that_it_refers_to_and_nothing_else() -> None:
    assert set(SCHEMA["$defs"]) == references_in(SCHEMA) | {"Observations"}


@pytest.mark.parametrize(
    "name", ["Selector", "Quantity", "Condition", "Operation", "Instruction", "Event", "Ability"]
)
def test_each_family_has_one_definition(name: str) -> None:
    family = SCHEMA["$defs"][name]
    assert all(one.keys() in ({"$ref"}, {"type"}) for one in family["anyOf"])
    assert "discriminator" in family
    text = json.dumps(SCHEMA["$defs"])
    assert 1 == text.count(json.dumps(family["anyOf"])[1:-1])


def test_schema_names_what_two_types_are_called() -> None:
    assert {"CastEvent", "CastAction", "ChooseInstruction", "ChooseAction", "Play", "PlayAction"} <= set(
        SCHEMA["$defs"]
    )
    assert not any("." in name for name in SCHEMA["$defs"])


def test_schema_is_of_reasonable_size() -> None:
    assert len(json.dumps(SCHEMA)) < 150_000


def fits(value: Any, schema: Any) -> bool:
    """Whether plain data matches a schema, for the part of JSON Schema that ours uses."""
    if "$ref" in schema and not fits(value, SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")]):
        return False
    if "anyOf" in schema and not any(fits(value, one) for one in schema["anyOf"]):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    kinds = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "boolean": bool,
        "null": type(None),
    }
    kind = schema.get("type")
    if kind and (not isinstance(value, kinds[kind]) or (kind == "integer" and isinstance(value, bool))):
        return False
    if isinstance(value, list) and not all(fits(one, schema.get("items", {})) for one in value):
        return False
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        more = schema.get("additionalProperties", True)
        return set(schema.get("required", ())) <= value.keys() and all(
            fits(one, properties[key]) if key in properties else more is True or (more and fits(one, more))
            for key, one in value.items()
        )
    return True


@pytest.mark.sweep
@pytest.mark.parametrize("one_in", by_day(10))
def test_every_fixture_fits_the_schema(one_in: int) -> None:
    fitting: set[str] = set()  # each card is looked at once, however many fixtures use it
    for name, fixture in a_share(all_fixtures(), one_in):
        written = json.loads(encode(fixture))
        cards = {json.dumps(card): card for card in written["play"]["cards"]}
        written["play"]["cards"] = [card for text, card in cards.items() if text not in fitting]
        assert fits(written, SCHEMA), name
        fitting |= cards.keys()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (b'"is":"static"', b'"is":"statc"'),
        (b'"who":"all"', b'"who":"al"'),
        (b'"life":20', b'"life":"20"'),
        (b'"kind":"charge"', b'"kind":"charg"'),
        (b'"title":', b'"titel":'),
        (b'"test":"equals",', b""),
    ],
)
def test_schema_refuses_what_is_wrong(right: bytes, wrong: bytes) -> None:
    content = encode(FIXTURE)
    assert right in content
    assert fits(json.loads(content), SCHEMA)
    assert not fits(json.loads(content.replace(right, wrong)), SCHEMA)


def test_plain_form_of_a_card_is_kept_and_stays_as_it_was() -> None:
    bear = pool()["Runeclaw Bear"]
    assert without_defaults(bear) is without_defaults(bear)
    assert definition(bear) == definition(bear)


def test_short_content_is_not_searched_for_long_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_json, "TEXT", None)
    assert decode(b'{"a": ["b"]}', dict[str, list[str]]) == {"a": ["b"]}
    with pytest.raises(AttributeError):
        decode(b'["' + b"b" * strict_json.MOST_IN_A_TEXT + b'"]', list[str])

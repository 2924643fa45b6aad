"""Text to a tree of nodes with their places; YAML beyond maps, lists and scalars is refused."""

from typing import Any

import pytest
import yaml

from conformance import yaml_tree
from conformance.problems import Problem, ScenarioError, near
from conformance.yaml_tree import MOST_BYTES, Mapping, Node, Scalar, Sequence, node_at, place_of, tree_of


def plain(node: Node) -> Any:
    """A tree as plain data."""
    match node:
        case Scalar(text=text):
            return text
        case Sequence(items=items):
            return [plain(item) for item in items]
        case Mapping(entries=entries):
            return {key: plain(value) for key, (_, value) in entries.items()}


def message_of(content: bytes | str) -> str:
    """The message that a content is refused with."""
    with pytest.raises(ScenarioError) as caught:
        tree_of(content, "a.yaml")
    return str(caught.value)


PARSERS = list(dict.fromkeys([yaml.BaseLoader, yaml_tree.EVENTS]))


@pytest.mark.parametrize("parser", PARSERS)
def test_tree_has_the_text_and_place_of_everything(parser: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_tree, "EVENTS", parser)
    tree = tree_of('a: [1, "no"] # why\nb:\n  c: {d: no}\n', "a.yaml")
    assert {"a": ["1", "no"], "b": {"c": {"d": "no"}}} == plain(tree)
    quoted, bare = node_at(tree, ("a", 1)), node_at(tree, ("b", "c", "d"))
    assert isinstance(quoted, Scalar) and isinstance(bare, Scalar)
    assert (1, 8, False) == (quoted.line, quoted.column, quoted.plain)
    assert (3, 10, True) == (bare.line, bare.column, bare.plain)
    assert "b.c.d" == place_of(tree, bare)
    assert "a[1]" == place_of(tree, quoted)
    assert "" == place_of(tree, Scalar("x", True, 1, 1))


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("a: {b", "not YAML"),
        ("a: 'b", "not YAML"),
        ("a: &x b", "an anchor (&x)"),
        ("a: *x", "an alias (*x)"),
        ("a: !!str b", "a YAML tag (tag:yaml.org,2002:str)"),
        ("a: !b c", "a YAML tag (!b)"),
        ("<<: {a: b}", "a merge key (<<)"),
        ("a: b\n---\nc: d", "a second document"),
        ("%TAG ! tag:x,2000:\n---\na: b", "a YAML directive"),
        ("? [a]\n: b", "a key that is no word"),
        ("a: b\na: c", "'a' is given twice"),
        ("a: b\na: c\nd: {e", "'a' is given twice"),
        ("\ta: b", "a tab"),
        ("a: b\x00", "an invisible character (U+0000)"),
        ('a: "\\x07"', "an invisible character in text"),
        (b"a: \xff", "not UTF-8 here"),
        ("a: \ud800", "not UTF-8 here"),
        ("", "nothing in this file"),
        ("# only a remark\n", "nothing in this file"),
        ("a: " + "[" * 40 + "]" * 40, "more than 40 levels deep"),
        (b"a" * (MOST_BYTES + 1), "the file is longer than 1,000,000 bytes"),
    ],
)
def test_what_is_not_plain_yaml_is_refused(
    parser: Any, content: bytes | str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_tree, "EVENTS", parser)
    assert what in message_of(content)


def test_every_key_given_twice_is_told_and_what_breaks_the_file_too() -> None:
    with pytest.raises(ScenarioError) as caught:
        tree_of("a: b\na: c\nd: &x e\n", "a.yaml")
    assert [2, 3] == [problem.line for problem in caught.value.problems]


def test_file_may_be_as_long_as_it_is_said() -> None:
    assert "a" * MOST_BYTES == plain(tree_of("a" * MOST_BYTES, "a.yaml"))


def test_what_the_text_itself_shows_is_told_with_its_place() -> None:
    with pytest.raises(ScenarioError) as caught:
        tree_of("a: b\nc:\td", "a.yaml")
    assert (Problem("a.yaml", 2, 3, "", "a tab", "indent with spaces"),) == caught.value.problems


def test_forty_levels_are_taken() -> None:
    tree_of("[" * 40 + "]" * 40, "a.yaml")


def test_line_ends_of_windows_are_taken() -> None:
    assert {"a": "b", "c": "d"} == plain(tree_of(b"a: b\r\nc: d\r\n", "a.yaml"))


def test_emoji_and_text_over_several_lines_are_taken() -> None:
    assert {"a": "one\ntwo\n", "b": "\U0001f409"} == plain(
        tree_of("a: |\n  one\n  two\nb: \U0001f409\n", "a.yaml")
    )


@pytest.mark.parametrize(
    ("content", "cure"),
    [
        ("cost: {2}{W}", 'mana symbols are written in quotes: "{2}{W}"'),
        ("why: CR 613.8: it waits", "text with a colon in it is written in quotes"),
        ("pt: *", "text that begins with one of @ ` * & ! % is written in quotes"),
        ("a: [b, {c: d]", "a bracket is not closed, or closed twice"),
        ("a: 'b", "look at this line and the one before: indentation, brackets, quotes"),
        ("a: ']'\nb: \"c", "look at this line and the one before: indentation, brackets, quotes"),
        ('a: "b": c', "look at this line and the one before: indentation, brackets, quotes"),
        ('a: b # or {W}\nc: "d', "look at this line and the one before: indentation, brackets, quotes"),
    ],
)
def test_cure_guesses_what_went_wrong(content: str, cure: str) -> None:
    assert cure in message_of(content)


def test_parser_that_cannot_say_where_is_reported_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str) -> Any:
        raise yaml.YAMLError("broken" if text == "a" else "")

    monkeypatch.setattr(yaml_tree, "EVENTS", broken)
    assert "a.yaml:1:1: not YAML: broken" in message_of("a")


def test_parser_that_marks_nothing_is_reported_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str) -> Any:
        raise yaml.MarkedYAMLError(problem=f"broken {text}")

    monkeypatch.setattr(yaml_tree, "EVENTS", broken)
    assert "a.yaml:1:1: not YAML: broken a" in message_of("a")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("yes", "yes or no"),
        ("Off", "yes or no"),
        ("n", "yes or no"),
        ("~", "nothing at all"),
        ("null", "nothing at all"),
        ("", "nothing at all"),
        ("010", "a number"),
        ("1:30", "a number"),
        ("613.10", "a number"),
        ("1e3", "a number"),
        ("0o17", "a number"),
        (".inf", "a number"),
        ("2020-04-17", "a date"),
        ("=", "a default value"),
        ("<<", "a merge key"),
        ("none", None),
        ("+1/+1", None),
        ("1/1", None),
        ("002-I5", None),
        ("613.8a", None),
        ("yesterday", None),
    ],
)
def test_what_plain_text_is_to_yaml(text: str, kind: str | None) -> None:
    assert kind == yaml_tree.other_kind(text)


def test_node_is_found_through_what_a_short_form_leaves_out() -> None:
    tree = tree_of("static: {affects: creatures, does: {modify: +1/+1}}\nzones: hand", "a.yaml")
    assert "static.affects" == place_of(tree, node_at(tree, ("parts", 0, "affects")))
    assert "static.does.modify" == place_of(tree, node_at(tree, ("parts", 0, "does", 0, "power")))
    assert "zones" == place_of(tree, node_at(tree, ("zones", 0)))
    assert "" == place_of(tree, node_at(tree, ("nowhere",)))


def test_message_has_place_fault_and_cure() -> None:
    problem = Problem("a.yaml", 6, 18, "setup[0].card", "no card named 'Urborg'", "did you mean 'Urborg, T'?")
    assert "a.yaml:6:18: setup[0].card: no card named 'Urborg'\n    did you mean 'Urborg, T'?" == str(problem)
    assert "a.json: $.id: no id\n    add one" == str(Problem("a.json", 0, 0, "$.id", "no id", "add one"))
    assert "a.yaml:1:1: a tab\n    indent" == str(Problem("a.yaml", 1, 1, "", "a tab", "indent"))


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("powr", "power"),
        ("POWER", "power"),
        ("Urborg", "Urborg, Tomb of Yawgmoth"),
        ("xyz", None),
        ("po", None),
    ],
)
def test_near_word_is_what_was_meant(word: str, meant: str | None) -> None:
    assert meant == near(word, ["power", "toughness", "Urborg, Tomb of Yawgmoth"])

"""Text to a tree of nodes with their places; YAML beyond maps, lists and scalars is refused."""

import string
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from yaml.resolver import Resolver

from conformance.files.yaml_nodes import ScalarNode, as_data, node_at, place_of
from conformance.files.yaml_text import MOST_YAML_BYTES, other_kind
from conformance.files.yaml_tree import tree_of
from conformance.model.problems import Problem, ScenarioError, near


def message_of(content: bytes | str) -> str:
    """The error message for some content."""
    with pytest.raises(ScenarioError) as caught:
        tree_of(content, "a.yaml")
    return str(caught.value)


def test_tree_has_the_text_and_place_of_everything() -> None:
    tree = tree_of('a: [1, "no"] # why\nb:\n  c: {d: no}\n', "a.yaml")
    assert {"a": ["1", "no"], "b": {"c": {"d": "no"}}} == as_data(tree)
    quoted, bare = node_at(tree, ("a", 1)), node_at(tree, ("b", "c", "d"))
    assert isinstance(quoted, ScalarNode) and isinstance(bare, ScalarNode)
    assert (1, 8, False) == (quoted.line, quoted.column, quoted.plain)
    assert (3, 10, True) == (bare.line, bare.column, bare.plain)
    assert "b.c.d" == place_of(tree, bare)
    assert "a[2]" == place_of(tree, quoted)
    assert "" == place_of(tree, ScalarNode(0, "x", "x", True))


@pytest.mark.parametrize(
    ("content", "data"),
    [
        ("a", "a"),
        ("{}", {}),
        ("[]", []),
        ("# why\n---\na: b", {"a": "b"}),
        (
            "a:\n- b\n-\n- - c\n  - d\n- e: f\n  g: h\ni:",
            {"a": ["b", "", ["c", "d"], {"e": "f", "g": "h"}], "i": ""},
        ),
        ("-\n  a: b\n-\n  - c", [{"a": "b"}, ["c"]]),
        ("  a: b\n  c: d", {"a": "b", "c": "d"}),
        ("\na: b\nc: d", {"a": "b", "c": "d"}),
        ("a:\nb: c", {"a": "", "b": "c"}),
        ("[a, b,]", ["a", "b"]),
        ("{a\nb, c}", {"a b": "", "c": ""}),
        ("'<<': a", {"<<": "a"}),
        ("[a\nb]", ["a b"]),
        ("a:\n  b\n  c", {"a": "b c"}),
        (f"{'a' * 1024}: b\n'c': d", {"a" * 1024: "b", "c": "d"}),
        (f"'a':{' ' * 1100}b", {"a": "b"}),
        ("a: b c\n  d\n\n  - e:f # g\nh: [i\n  j, k]", {"a": "b c d\n- e:f", "h": ["i j", "k"]}),
        ("a: -1\nb: -x #\nc: x#y\n'it''s' : ?d", {"a": "-1", "b": "-x", "c": "x#y", "it's": "?d"}),
        ('{"a":b, \'c\': d, e, "f": , g: h:i,}', {"a": "b", "c": "d", "e": "", "f": "", "g": "h:i"}),
        ("[a # b\n, {c: # d\n [e]}, -f, 'g\n  h']", ["a", {"c": ["e"]}, "-f", "g h"]),
        ('a: "b  \n   c\n\n d\\\n   e \\x41\\u0042\\U00000043\\"\\\\\\/\\ \\n"', {"a": 'b c\nde ABC"\\/ \n'}),
        ("a: 'b\n\n\n  c'", {"a": "b\n\nc"}),
        ("a: |\n  b\n   c\n\n  d\n\ne: |-\n  f\n", {"a": "b\n c\n\nd\n", "e": "f"}),
        ("a: >\n  b\n  c\n\n  d\n# e\nf: >-\n g", {"a": "b c\nd\n", "f": "g"}),
        ("a: |\n  b  \n", {"a": "b  \n"}),
        ("- |\n b\n- c: >\n    d\n    e", ["b\n", {"c": "d e"}]),
    ],
)
def test_every_way_to_write_a_value_is_read(content: str, data: Any) -> None:
    assert data == as_data(tree_of(content, "a.yaml"))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('a: "\\ue000"', "1:4: an invisible character in text"),
        ('a: "\\U0010ffff"', "1:4: an invisible character in text"),
        ("[a]: b", "1:1: a key that is not a word"),
        ("{{a}: b}", "1:2: a key that is not a word"),
        ("{[a]: b}", "1:2: a key that is not a word"),
        ("? [a]\n: b", "1:3: a key that is not a word"),
        ("a: &x b", "1:4: an anchor (&x)"),
        ("a: *x", "1:4: an alias (*x)"),
        ("a: !!str b", "1:4: a YAML tag (!!str)"),
        ("a: !b c", "1:4: a YAML tag (!b)"),
        ("<<: {a: b}", "1:1: a merge key (<<)"),
        ("a: b\n---\nc: d", "2:1: a second document"),
        ("a: b\n...", "2:1: a second document"),
        ("%TAG ! tag:x,2000:\n---\na: b", "1:1: a YAML directive"),
        ("a: b\na: c", "2:1: 'a' is given twice"),
        ("{a: b, a: c}", "1:8: 'a' is given twice"),
        ("a: b\na: c\nd: {e", "2:1: 'a' is given twice"),
        ("\ta: b", "1:1: a tab"),
        ("a: b\x00", "1:5: an invisible character (U+0000)"),
        ('a: "\\x07"', "1:4: an invisible character in text"),
        ('a: "\\t"', "1:4: an invisible character in text"),
        (b"a: \xff", "1:4: not UTF-8 here"),
        ("a: \ud800", "1:4: not UTF-8 here"),
        ("", "1:1: the file has no content"),
        ("# only a remark\n", "1:1: the file has no content"),
        ("a: " + "[" * 40 + "]" * 40, "1:43: more than 40 levels deep"),
        ("- " * 41 + "a", "1:81: more than 40 levels deep"),
        ("- " * 40 + "a: b", "1:81: more than 40 levels deep"),
        ("{a: " * 41, "1:161: more than 40 levels deep"),
        ("{'a': " * 41, "1:241: more than 40 levels deep"),
        ("[ # b\n" * 41, "41:1: more than 40 levels deep"),
        ("".join(f"{'  ' * level}a:\n" for level in range(41)), "41:81: more than 40 levels deep"),
        ("".join(f"{'  ' * level}'a':\n" for level in range(41)), "41:81: more than 40 levels deep"),
        (b"a" * (MOST_YAML_BYTES + 1), "1:1: the file is longer than 1,000,000 bytes"),
    ],
)
def test_what_is_not_plain_yaml_is_refused(content: bytes | str, what: str) -> None:
    assert message_of(content).startswith(f"a.yaml:{what}\n")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("a: {b", 1),
        ("a: {b: [c, d}", 1),
        ("{a: [b]", 1),
        ("a: {b: c]", 1),
        ("a: [b,, c]", 1),
        ("a: [b, c", 1),
        ("a: [[b]", 1),
        ("a: [b,", 1),
        ("a: 'b", 1),
        ('a: "\\y"', 1),
        ('a: "\\U00110000"', 1),
        ('a: "\\ud800"', 1),
        ("a: @b", 1),
        ("a: 'b' c", 1),
        ("a: {b: c} d", 1),
        ("a: b: c", 1),
        ("a: b\n  c: d", 2),
        ("a: [b]\n  c: d", 2),
        ("- 'a'\n  - b", 2),
        ("  a: b\n c: d", 2),
        ("a: b\nc", 2),
        (f"{'a' * 1025}: b\nc: d", 1),
        ("{a:,b: c}", 1),
        ("{a\n: b}", 2),
        ("{a\nb: c}", 2),
        (": a", 1),
        ("[| a]", 1),
        ("[> a]", 1),
        ("a: & b", 1),
        ("a:\n  b: |\n  c", 3),
    ],
)
def test_invalid_yaml_is_refused_with_its_line(content: str, line: int) -> None:
    assert message_of(content).startswith(f"a.yaml:{line}:")
    assert ": not YAML: " in message_of(content)


def test_every_key_given_twice_is_reported_and_what_breaks_the_file_too() -> None:
    with pytest.raises(ScenarioError) as caught:
        tree_of("a: b\na: c\nd: &x e\n", "a.yaml")
    assert (
        Problem("a.yaml", 2, 1, "", "'a' is given twice", "it is on line 1 already: keep one"),
        Problem("a.yaml", 3, 4, "", "an anchor (&x)", "remove it; text with a & needs quotes"),
    ) == caught.value.problems


@pytest.mark.parametrize(
    "content",
    [
        "a: {b: c, b: d}",
        "'a': {b: c, b: d}",
        "a:\n  b: c\n  b: d",
        "a:\n- b: c\n  b: d",
        "- b: c\n  b: d",
        "-\n  b: c\n  b: d",
        "- {b: c, b: d}",
        "{'a a': {b: c, b: d}}",
        "{a: {b: c, b: d}}",
        "{a: [{b: c, b: d}]}",
        "[{b: c, 'b': d}]",
        "[[{b: c, b: d}]]",
        "[ # a\n{b: c, b: d}]",
    ],
)
def test_key_given_twice_is_reported_wherever_it_is(content: str) -> None:
    assert "'b' is given twice" in message_of(content)


@pytest.mark.parametrize("content", ["a:\n  b\na: c", "{a:\n  b, a: c}", "{'a':\n  b, a: c}"])
def test_key_given_twice_is_reported_with_the_line_of_the_first(content: str) -> None:
    assert "it is on line 1 already" in message_of(content)


def test_file_may_have_the_greatest_length_allowed() -> None:
    assert "a" * MOST_YAML_BYTES == as_data(tree_of("a" * MOST_YAML_BYTES, "a.yaml"))


def test_what_the_text_itself_shows_is_reported_with_its_place() -> None:
    with pytest.raises(ScenarioError) as caught:
        tree_of("a: b\nc:\td", "a.yaml")
    assert (Problem("a.yaml", 2, 3, "", "a tab", "indent with spaces"),) == caught.value.problems


@pytest.mark.parametrize(
    "content",
    [
        "[" * 40 + "]" * 40,
        "{a: " * 40 + "}" * 40,
        "[ # b\n" * 40 + "]" * 40,
        "{'a': " * 40 + "}" * 40,
        "- " * 40 + "a",
        "".join(f"{'  ' * level}a:\n" for level in range(40)),
        "".join(f"{'  ' * level}'a':\n" for level in range(40)),
    ],
)
def test_forty_levels_are_taken(content: str) -> None:
    tree_of(content, "a.yaml")


def test_line_ends_of_windows_are_taken() -> None:
    assert {"a": "b", "c": "d"} == as_data(tree_of(b"a: b\r\nc: d\r\n", "a.yaml"))


def test_emoji_and_text_over_several_lines_are_taken() -> None:
    assert {"a": "one\ntwo\n", "b": "\U0001f409"} == as_data(
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
        ('# a\n# {W}\nb: {W}\nc: "d', "look at this line and the one before: indentation, brackets, quotes"),
        ("# a\n# b\nc: {2}{W}", 'mana symbols are written in quotes: "{2}{W}"'),
        ('a: b # or {W}\nc: "d', "look at this line and the one before: indentation, brackets, quotes"),
    ],
)
def test_cure_guesses_what_went_wrong(content: str, cure: str) -> None:
    assert cure in message_of(content)


def test_node_is_found_through_what_a_short_form_leaves_out() -> None:
    tree = tree_of("static: {affects: creatures, does: {modify: +1/+1}}\nzones: hand", "a.yaml")
    assert "static.affects" == place_of(tree, node_at(tree, ("parts", 0, "affects")))
    assert "static.does.modify" == place_of(tree, node_at(tree, ("parts", 0, "does", 0, "power")))
    assert "zones" == place_of(tree, node_at(tree, ("zones", 0)))
    assert "" == place_of(tree, node_at(tree, ("nowhere",)))
    paid = tree_of("pay: [{activate: forest}]", "a.yaml")
    assert "pay[1].activate" == place_of(paid, node_at(paid, ("pay", "steps", 0, "activate")))
    assert "pay" == place_of(paid, node_at(paid, ("pay", "steps", 1, "activate")))


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


# ------------------------------------------------------------------------- what plain text is to YAML


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
    assert kind == other_kind(text)


def test_words_that_are_not_text_to_yaml() -> None:
    words = [
        written
        for word in ("yes", "no", "true", "false", "on", "off")
        for written in (word, word.capitalize(), word.upper())
    ]
    assert {"yes or no"} == {other_kind(word) for word in (*words, *"yYnN")}
    assert {"nothing at all"} == {other_kind(word) for word in ("", "~", "null", "Null", "NULL")}
    signs = {sign for sign in string.printable if other_kind(sign)}
    assert {*string.digits, *"yYnN~="} == signs


def test_signs_behind_a_backslash_in_quotes() -> None:
    seen: dict[str, str] = {}
    for sign in string.ascii_letters + string.punctuation + string.digits + " ":
        try:
            seen[sign] = str(as_data(tree_of(f'["\\{sign}"]', "a.yaml"))[0])
        except ScenarioError as error:
            seen[sign] = error.problems[0].what
    meant = {"n": "\n", " ": " ", '"': '"', "/": "/", "\\": "\\"}
    invisible = dict.fromkeys("0abtvfreN_LP", "an invisible character in text")
    nothing = dict.fromkeys(seen, "not YAML: found unknown escape character")
    nothing |= dict.fromkeys("xuU", "not YAML: did not find expected hexdecimal number")
    assert nothing | invisible | meant == seen


def other_kind_by_pyyaml(text: str) -> bool:
    """Whether plain text is something else to PyYAML."""
    return any(pattern.match(text) for _, pattern in Resolver.yaml_implicit_resolvers.get(text[:1], ()))


@pytest.mark.sweep
@given(
    st.text("0123456789+-.:_eExXoObB tTzZ~", max_size=12)
    | st.sampled_from([*"~=yN", "<<", "yes", "OFF", "null", "Null", "none", "-.INF", ".nan", "+.nan"])
    | st.from_regex(
        r"[0-9]{4}(-[0-9]{1,2}){2}([tT ][0-9]{1,2}(:[0-9]{2}){2}(Z|[-+][0-9]:30)?)?", fullmatch=True
    )
)
@example("")
@example("1:30")
@example("0:30")
@example("0:30.")
def test_what_is_not_text_to_pyyaml_is_not_to_us(text: str) -> None:
    if other_kind_by_pyyaml(text):
        assert other_kind(text) is not None

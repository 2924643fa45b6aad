"""Good files, mangled in every way: the loader accepts them or says what is wrong, and never crashes."""

import functools
import json
import os
import re
from copy import deepcopy
from pathlib import Path
from time import process_time
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from conformance.data.card_file import read_cards
from conformance.data.compiled import fixtures_folder
from conformance.data.loading import checked_fixtures
from conformance.files.canonical import decode, encode
from conformance.files.yaml_nodes import SequenceNode
from conformance.files.yaml_tree import TEXT_PARSER, tree_of
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture
from tests.sweeping import is_in_share

pytestmark = pytest.mark.sweep

DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
PAGES = [Path(__file__).parent.parent / "docs" / name for name in ("scenario.md", "cards.md")]
HEADING = 'id: L-9999\ntitle: An example\nrules: ["613.1"]\n'
EXAMPLES = [
    block if block.startswith(("id:", "- ")) else HEADING + block
    for page in PAGES
    for block in re.findall(
        r"^```yaml\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
]
FILES = [
    path.read_text(encoding="utf-8")
    for path in sorted(fixtures_folder().rglob("*.yaml"))
    if "refused" not in path.parts
    and path.parent != fixtures_folder()
    and path.stat().st_size < 20_000
    and (DEEP or is_in_share(path.name, 6))
]
"""A share of the files; in the deep profile all."""
GOOD = EXAMPLES + FILES
WORDS = sorted({word for text in GOOD for word in re.findall(r"[^\s,\[\]{}]+", text)})
NASTY = [
    *(
        "no",
        "~",
        "null",
        "0x1F",
        "010",
        "1:30",
        "2020-04-17",
        ".inf",
        "1e9",
        "99999999999999999999",
        "-",
        "=",
        "<<",
    ),
    *(
        "&a",
        "*a",
        "!!str",
        "!x",
        "{",
        "}",
        "[",
        "]",
        "{}",
        "[]",
        "{0}",
        "{2}{W}",
        ": ",
        "- ",
        "? ",
        "#",
        "|",
        ">",
    ),
    *(
        '"',
        "'",
        '"\\0"',
        '"\\ud800"',
        '"\\x85"',
        "\t",
        "\r",
        "\x00",
        "\ufeff",
        "\u2028",
        "\U0001f409",
        "%YAML 1.1",
    ),
    *("---", "...", "\n", "\n\n", "  ", "🂡", "a" * 300, "[" * 60, "{a: " * 60),
]


def loads_or_says_why(content: bytes | str) -> None:
    """Load what may be a file; the only error allowed is `ScenarioError`, with at least one problem."""
    try:
        root = tree_of(content, "mangled.yaml")
        if isinstance(root, SequenceNode):
            read_cards(root, "mangled.yaml")
        else:
            for loaded in checked_fixtures(root, "mangled.yaml"):
                assert decode(encode(loaded.fixture), Fixture) == loaded.fixture
    except ScenarioError as error:
        assert error.problems
        assert all(problem.what and problem.cure and problem.line >= 1 for problem in error.problems)


@st.composite
def mangled_bytes(draw: st.DrawFn) -> bytes:
    """A good file with some bytes changed, taken out or put in."""
    content = bytearray(draw(st.sampled_from(GOOD)).encode())
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, max(0, len(content) - 1)))
        end = min(len(content), start + draw(st.integers(0, 8)))
        content[start:end] = draw(st.binary(max_size=4))
    return bytes(content)


@st.composite
def mangled_tokens(draw: st.DrawFn) -> str:
    """A good file with some words exchanged, doubled or taken out, or with lines moved in or out."""
    pieces = re.split(r"(\s+|[,\[\]{}])", draw(st.sampled_from(GOOD)))
    for _ in range(draw(st.integers(1, 4))):
        where = draw(st.integers(0, len(pieces) - 1))
        match draw(st.sampled_from(["word", "nasty", "out", "twice", "swap"])):
            case "word":
                pieces[where] = draw(st.sampled_from(WORDS))
            case "nasty":
                pieces[where] = draw(st.sampled_from(NASTY))
            case "out":
                pieces[where] = ""
            case "twice":
                pieces[where] += pieces[where]
            case _:
                other = draw(st.integers(0, len(pieces) - 1))
                pieces[where], pieces[other] = pieces[other], pieces[where]
    return "".join(pieces)


def data_of(text: str) -> Any:
    """A good file as plain lists, maps and texts."""
    return yaml.load(text, Loader=TEXT_PARSER)


@functools.cache
def good_data() -> list[Any]:
    """All good files as data."""
    return [data_of(text) for text in GOOD]


def places_in(data: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of everything inside plain data."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [here, *(place for key, value in inner for place in places_in(value, (*here, key)))]


def part_at(data: Any, place: tuple[Any, ...]) -> Any:
    """The part of plain data at a place."""
    for step in place:
        data = data[step]
    return data


@functools.cache
def keys() -> list[str]:
    """All keys in good files."""
    places = (place for data in good_data() for place in places_in(data))
    return sorted({place[-1] for place in places if place and isinstance(place[-1], str)})


ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10**12),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(WORDS),
    st.sampled_from(["", "\x07", "x" * 200]),
    st.builds(list),
    st.builds(dict),
    st.integers(1, 60).map(lambda depth: json.loads("[" * depth + "]" * depth)),
)


@st.composite
def mangled_data(draw: st.DrawFn) -> str:
    """A good file, some parts of which are of another type, elsewhere, or under another key."""
    data = deepcopy(draw(st.sampled_from(good_data())))
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.sampled_from(places_in(data)[1:] or [()]))
        if not place:
            break
        around, last = part_at(data, place[:-1]), place[-1]
        match draw(st.sampled_from(["odd", "other", "key", "wrap", "out", "text"])):
            case "odd":
                around[last] = draw(ODD)
            case "other":
                other = draw(st.sampled_from(good_data()))
                around[last] = deepcopy(part_at(other, draw(st.sampled_from(places_in(other)))))
            case "key" if isinstance(around, dict):
                around[draw(st.sampled_from(keys()))] = around.pop(last)
            case "wrap":
                around[last] = draw(
                    st.sampled_from([[around[last]], {"all": around[last]}, {"of": around[last]}])
                )
            case "text":
                around[last] = json.dumps(around[last])
            case _:
                del around[last]
    return json.dumps(data, ensure_ascii=False)


@given(mangled_bytes())
@example(b"")
@example(b"- \xff")
def test_changed_bytes_never_break_the_loader(content: bytes) -> None:
    loads_or_says_why(content)


@given(mangled_tokens())
@example("")
def test_changed_words_never_break_the_loader(text: str) -> None:
    loads_or_says_why(text)


@given(mangled_data())
@example("{}")
@example('{"play": {}}')
def test_changed_data_never_breaks_the_loader(text: str) -> None:
    loads_or_says_why(text)


@given(st.binary(max_size=200) | mangled_data().map(str.encode) | mangled_bytes())
def test_changed_json_never_breaks_the_wire(content: bytes) -> None:
    try:
        decode(content, Fixture, "mangled.json")
    except ScenarioError as error:
        assert error.problems


def test_good_files_are_good() -> None:
    for text in GOOD:
        root = tree_of(text, "good.yaml")
        if isinstance(root, SequenceNode):
            assert read_cards(root, "good.yaml")
        else:
            assert all(one.fixture.expect for one in checked_fixtures(root, "good.yaml"))


def test_long_list_of_words_is_read_in_time_in_proportion_to_its_length() -> None:
    """Forty thousand words, the last of them twice: comparing each with every other would take minutes."""
    words = ",".join(f"T{number}" for number in range(40_000))
    content = f"- {{name: Test Ape, types: Creature, pt: 1/1, subtypes: [{words},T39999]}}\n"
    began = process_time()

    with pytest.raises(ScenarioError, match="'T39999' is in this list twice"):
        read_cards(tree_of(content, "a.yaml"), "a.yaml")

    assert process_time() - began < 20

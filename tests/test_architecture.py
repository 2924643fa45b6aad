"""The architecture page is true: its picture shows the allowed imports, its table the rooms' docstrings."""

import ast
import re
from collections.abc import Mapping
from itertools import pairwise

import pytest

from tests.test_project import MAY_IMPORT, PACKAGES, REFERENCE, ROOT, files_below

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
ROOMS = {
    path.name: path
    for package in ("conformance", "reference_engine")
    for path in (ROOT / package).iterdir()
    if (path / "__init__.py").exists()
}


def arrows(page: str, arrow: str) -> set[tuple[str, str]]:
    """The arrows of one kind in the picture, each from a room to another."""
    picture = page.partition("```mermaid")[2].partition("```")[0]
    found = set()
    for line in picture.splitlines():
        rooms = [word.strip() for word in re.split(r"-->|-\.->", line)]
        kinds = re.findall(r"-->|-\.->", line)
        found |= {pair for pair, kind in zip(pairwise(rooms), kinds, strict=True) if kind == arrow}
    return found


def below(room: str, solid: set[tuple[str, str]]) -> set[str]:
    """The rooms from which solid arrows lead to this one."""
    direct = {start for start, end in solid if end == room}
    return direct.union(*(below(one, solid) for one in direct))


def allowed(room: str) -> set[str]:
    """The rooms that this one may import, according to the test of imports."""
    name = f"{ROOMS[room].parent.name}.{room}"
    rule = MAY_IMPORT.get(name, MAY_IMPORT[name.partition(".")[0]])
    inside = {one.rpartition(".")[2] for one in rule if one not in {REFERENCE, "conformance_adapters"}}
    if REFERENCE in rule and name.startswith(REFERENCE):
        inside |= {other for other, path in ROOMS.items() if path.parent.name == REFERENCE}
    return inside - {room}


def test_every_room_is_in_the_picture() -> None:
    assert set(ROOMS) == {room for pair in arrows(PAGE, "-->") for room in pair}


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_room_may_import_what_the_picture_says(room: str) -> None:
    solid = arrows(PAGE, "-->")
    # Whatever may import the language may do so through the model: the two arrows are one.
    engine = {"layers", "game"} if ROOMS[room].parent.name == "conformance" else set()
    assert below(room, solid) - engine == allowed(room)


def test_dotted_arrows_are_the_rooms_that_see_into_the_engine() -> None:
    seeing = {
        room
        for room, path in ROOMS.items()
        if path.parent.name == "conformance" and REFERENCE in MAY_IMPORT.get(f"conformance.{room}", ())
    }
    assert {("game", room) for room in seeing} == arrows(PAGE, "-.->")


def sentences() -> Mapping[str, str]:
    """The table's sentence for each room."""
    return dict(re.findall(r"^\| `((?:conformance|reference_engine)/\w+)` \| (.+) \|$", PAGE, re.MULTILINE))


def test_table_has_every_room_with_what_it_says_of_itself() -> None:
    said = sentences()
    assert {f"{path.parent.name}/{room}" for room, path in ROOMS.items()} == set(said)
    for name, sentence in said.items():
        docstring = ast.get_docstring(ast.parse((ROOT / name / "__init__.py").read_text(encoding="utf-8")))
        assert docstring is not None and " ".join(docstring.split()).startswith(sentence), name
        says_what_it_imports = (
            re.search(r"\bImports? ", docstring.partition("\n\n")[0]) or "imports" in docstring
        )
        assert says_what_it_imports, name


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_every_file_that_is_named_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:conformance|reference_engine|fixtures|tests|tools|adapters)/[\w/.]+)`", text)
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    assert named
    assert [] == [name for name in named if not (ROOT / name).exists()]
    assert [] == [link for link in links if not (ROOT / page).parent.joinpath(link).exists()]


MOST_LINES = 1000
LONGER = {"reference_engine/language/cards.py": "one list of types, read from top to bottom"}


def test_no_module_is_longer_than_a_person_reads() -> None:
    lengths = {
        name: text.count("\n") for name, text in files_below(ROOT, "*.py", *PACKAGES.values(), "tools")
    }
    assert set() == {name for name, lines in lengths.items() if lines > MOST_LINES} - LONGER.keys()
    assert all(lengths[name] > MOST_LINES for name in LONGER), "no exception is needed any more"


def test_picture_that_lies_is_noticed() -> None:
    assert ("report", "model") in arrows("```mermaid\nreport --> model\n```", "-->")
    assert {"b", "a"} == below("c", {("a", "b"), ("b", "c")})


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_every_gate_command_on_the_page_names_an_engine(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    commands = re.findall(r"conformance run --profile gate[^`\n#]*", text)
    assert commands
    assert [] == [command for command in commands if "--engine" not in command]


def test_only_one_module_imports_what_some_systems_lack() -> None:
    """Windows has no `fcntl`: a module that needs it breaks every command that imports this module."""
    lacking = {"fcntl", "msvcrt"}
    importing = {
        name
        for name, text in files_below(ROOT, "*.py", *PACKAGES.values())
        if any(module in text for module in lacking)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import) and lacking & {one.name for one in node.names}
    }

    assert {"conformance/files/locking.py"} == importing

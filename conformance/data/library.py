"""Finding and loading the data that comes with the suite: real cards, fixtures, the names they may cite."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Sequence as ListOf
from functools import cache, wraps
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from conformance.checks.fixtures import findings_of, wrong_play
from conformance.checks.names import Known
from conformance.data.card_file import cards_in, read_cards
from conformance.files import yaml_nodes
from conformance.files.canonical import decode, encode, scenario_schema
from conformance.files.fixture_file import Loaded, read_fixtures
from conformance.files.strict_json import json_path
from conformance.files.yaml_nodes import Node, Scalar, Sequence
from conformance.files.yaml_tree import tree_of
from conformance.model.problems import Finding, Problem, ScenarioError
from conformance.model.scenario import Fixture, Play
from reference_engine.language.cards import Card

NO_FIXTURES = ("cards", "refused")
"""Folders beside the fixtures whose files are none."""


@cache
def fixtures_folder() -> Path:
    """The folder of fixtures: the checkout's own, or the one inside an installed wheel."""
    package = Path(__file__).resolve().parent.parent
    inside, beside = package / "fixtures", package.parent / "fixtures"
    return inside if inside.is_dir() else beside


# --------------------------------------------------------------------------------------------------- cards


Found = TypeVar("Found")


def in_one_go(load: Callable[[], Found]) -> Callable[[], Found]:
    """Load something big without Python's looking for garbage meanwhile: values and trees make no cycles."""

    @wraps(load)
    def loaded_in_one_go() -> Found:
        was_on = gc.isenabled()
        gc.disable()
        try:
            return load()
        finally:
            if was_on:
                gc.enable()

    return loaded_in_one_go


@cache
def pool() -> Mapping[str, Card]:
    """Every real card we have, by its name. Raises `ScenarioError` if a card file is wrong."""
    cards, problems = cards_that_load()
    if problems:
        raise ScenarioError(problems)
    return cards


@cache
@in_one_go
def cards_that_load() -> tuple[Mapping[str, Card], tuple[Problem, ...]]:
    """The cards of all files that can be read, and the problems of the others."""
    cards: dict[str, Card] = {}
    problems: list[Problem] = []
    for path in sorted((fixtures_folder() / "cards").glob("*.yaml")):
        try:
            for card in cards_in(path):
                if card.name in cards:
                    problems.append(
                        Problem(
                            shown(path), 0, 0, card.name, "another file has this card too", "keep one of them"
                        )
                    )
                cards[card.name] = card
        except ScenarioError as error:
            problems.extend(error.problems)
    return cards, tuple(problems)


def shown(path: Path) -> str:
    """A path as a person would write it from here."""
    return str(path).removeprefix(os.getcwd() + os.sep)  # noqa: PTH109  # `Path.cwd` takes ten times as long


# ------------------------------------------------------------------------------------------------ fixtures


@cache
def known() -> Known:
    """What fixtures may refer to: cards, rule numbers, ids of what the sources contain."""
    return Known(
        cards_that_load()[0],
        numbers_in("rulebook.yaml", r'\brule: "([^"]+)"'),
        numbers_in("inventory.yaml", r'\bid: "([^"]+)"'),
    )


def numbers_in(name: str, pattern: str) -> frozenset[str] | None:
    """What a data file lists; found by pattern, because reading it all as YAML takes a while."""
    path = fixtures_folder() / name
    return frozenset(re.findall(pattern, path.read_text(encoding="utf-8"))) if path.exists() else None


def load_all(path: Path) -> tuple[Fixture, ...]:
    """The fixtures in a file, YAML or canonical JSON: one, or all rows of a table.

    Raises `ScenarioError` with all that is wrong.
    """
    name = shown(path)
    if path.suffix == ".json":
        return (checked_json(path.read_bytes(), name),)
    return tuple(one.fixture for one in checked(tree_of(path.read_bytes(), name), name))


def load(path: Path) -> Fixture:
    """The only fixture in a file. Raises `ScenarioError` with all that is wrong."""
    return only(load_all(path), shown(path))


def only(fixtures: ListOf[Fixture], path: str) -> Fixture:
    """The fixture of a file that may be no table."""
    if len(fixtures) > 1:
        cure = f"name one of them: {fixtures[0].id}"
        raise ScenarioError([Problem(path, 1, 1, "rows", f"a table of {len(fixtures)} rows", cure)])
    return fixtures[0]


def checked_json(content: bytes, path: str) -> Fixture:
    """The fixture that canonical JSON stands for, if nothing is wrong with it."""
    fixture = decode(content, Fixture, path)
    problems = [
        Problem(path, 0, 0, json_path(finding.at), finding.what, finding.cure)
        for finding in findings_of(fixture, known())
    ]
    if problems:
        raise ScenarioError(problems)
    return fixture


def checked(root: Node, path: str) -> tuple[Loaded, ...]:
    """The fixtures that a tree means, with the places of their parts, if nothing is wrong with any."""
    found, problems = read_fixtures(root, path, known().cards)
    first = found[0].fixture if found else None
    return without_problems(found, problems, lambda fixture: findings_of(fixture, known(), first))


def without_problems(
    found: tuple[Loaded, ...], problems: list[Problem], findings: Callable[[Fixture], Iterable[Finding]]
) -> tuple[Loaded, ...]:
    """What was loaded, if it could be read and nothing else is found to be wrong with it.

    What is wrong with all rows of a table alike is said once.
    """
    whole = not problems
    more = [
        one.problem(finding) for one in found for finding in findings(one.fixture) if whole or finding.certain
    ]
    problems = [*problems, *dict.fromkeys(more)]
    if any(problem.what.startswith("no card named") for problem in problems):
        # The card may be in a file that is wrong itself.
        problems = [*problems, *cards_that_load()[1]]
    if problems or not found:
        raise ScenarioError(problems)
    return found


def load_play(path: Path) -> Play:
    """What lies on the table and is done, in the file of a fixture or in one with nothing but that."""
    return only(load_boards(path), shown(path)).play


def load_boards(path: Path) -> tuple[Fixture, ...]:
    """The fixtures in a file, which may have no heading: then it is called after its file.

    A board that somebody wants to have shown or explained needs no heading and nothing to be expected of it.
    """
    name = shown(path)
    if path.suffix == ".json":
        return (checked_json(path.read_bytes(), name),)
    found, problems = read_fixtures(with_heading(tree_of(path.read_bytes(), name)), name, known().cards)
    loaded = without_problems(
        found,
        problems,
        lambda fixture: (finding.within("play") for finding in wrong_play(fixture.play, known())),
    )
    return tuple(
        replace(one.fixture, id=path.stem) if one.fixture.id == NO_ID else one.fixture for one in loaded
    )


NO_ID = "L-0000"
"""The id of a board without a heading while it is read."""


def with_heading(root: Node) -> Node:
    """A tree with an id, a title and rules, whatever they are."""
    if not isinstance(root, yaml_nodes.Mapping):
        return root
    at, source = root.at, root.source
    heading: dict[str, Node] = {
        "id": Scalar(at, source, NO_ID, False),
        "title": Scalar(at, source, "A board", False),
        "rules": Sequence(at, source, ()),
    }
    entries = {key: (Scalar(at, source, key, True), value) for key, value in heading.items()}
    return yaml_nodes.Mapping(at, source, entries | root.entries)


def files_to_check(folder: Path) -> Iterator[Path]:
    """The files of cards and of fixtures below a folder; not those that are wrong on purpose."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts[:-1]
        is_data = path.resolve().parent == fixtures_folder() or path.name.endswith(".schema.json")
        if path.suffix in (".yaml", ".json") and "refused" not in inside and not is_data:
            yield path


def fixture_files(folder: Path | None = None) -> Iterator[Path]:
    """The files of all fixtures below a folder (all there are, if none is named), in order of path."""
    if folder:
        yield from yaml_files(folder)
        return
    for inside in sorted(path for path in fixtures_folder().iterdir() if path.is_dir()):
        if inside.name not in NO_FIXTURES:
            yield from yaml_files(inside)


def yaml_files(folder: Path) -> Iterator[Path]:
    """The YAML files in a folder and below it that may be fixtures, in order of path."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.is_dir():
            if entry.name not in NO_FIXTURES:
                yield from yaml_files(folder / entry.name)
        elif entry.name.endswith(".yaml"):
            yield Path(entry.path)


def corpus_files() -> Iterator[Path]:
    """The files of generated scenarios that the suite stores, if it has any, in order of ids."""
    yield from sorted((fixtures_folder() / "corpus").glob("C-*.json"))


@cache
@in_one_go
def all_fixtures() -> Mapping[str, Fixture]:
    """Every fixture by its id, in order of ids. Raises `ScenarioError` if anything is wrong with any.

    All trees are read before any of them is gone through: the same work done at one go takes a tenth less.
    """
    pool()
    trees: list[tuple[str, Node]] = []
    fixtures: dict[str, Fixture] = {}
    problems: list[Problem] = []
    for path in fixture_files():
        name = shown(path)
        try:
            trees.append((name, tree_of(path.read_bytes(), name)))
        except ScenarioError as error:
            problems.extend(error.problems)
    trees.reverse()
    while trees:
        name, root = trees.pop()
        try:
            loaded = checked(root, name)
        except ScenarioError as error:
            problems.extend(error.problems)
            continue
        for one in loaded:
            id = one.fixture.id
            if id in fixtures:
                what = f"{id} is another fixture's id too"
                problems.append(Problem(name, 1, 1, "id", what, "take the next free one"))
            fixtures[id] = one.fixture
    if problems:
        raise ScenarioError(problems)
    return dict(sorted(fixtures.items()))


# ------------------------------------------------------------------------------------------------- checking


def problems_in(
    path: Path, when_played: Callable[[Fixture], Iterable[Finding]] | None = None
) -> tuple[Problem, ...]:
    """What is wrong with a file of cards or with a fixture; nothing if it is fine.

    `when_played` finds what shows only in a play; it is asked when nothing else is wrong.
    """
    name = shown(path)
    try:
        if path.suffix == ".json":
            checked_json(path.read_bytes(), name)
            return ()
        root = tree_of(path.read_bytes(), name)
        if isinstance(root, Sequence):
            read_cards(root, name)
        else:
            loaded = checked(root, name)
            if when_played is not None:
                found = [one.problem(finding) for one in loaded for finding in when_played(one.fixture)]
                return tuple(dict.fromkeys(found))
    except ScenarioError as error:
        return error.problems
    return ()


# --------------------------------------------------------------------------------------------------- export


def exported() -> Mapping[str, bytes]:
    """Every fixture as a file of canonical JSON, named by its id, and the schema of them all."""
    files = {f"{name}.json": encode(fixture) + b"\n" for name, fixture in all_fixtures().items()}
    return {**files, "scenario.schema.json": schema_file(scenario_schema())}


def schema_file(schema: Mapping[str, object]) -> bytes:
    """A schema as people read it."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"

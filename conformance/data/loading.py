"""Reads and checks files of fixtures and cards: the result is their values, or all their problems."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import msgspec
from msgspec import Struct

from conformance.checks.fixtures import findings_of, wrong_play
from conformance.checks.names import KnownNames
from conformance.data.card_file import cards_in, is_list, problems_of_cards, read_cards
from conformance.data.catalogue import catalogue
from conformance.data.compiled import fixtures_folder, stored_bytes
from conformance.data.garbage import garbage_collection_off
from conformance.data.library import (
    all_fixtures,
    compiled_library,
    corpus_files,
    fixture_files,
    path_for_display,
    path_in_fixtures,
    single_fixture,
)
from conformance.files import yaml_nodes
from conformance.files.canonical import decode, encode, scenario_schema
from conformance.files.content import content_of
from conformance.files.fixture_file import LoadedFixture, problem_at, read_fixtures
from conformance.files.json_tree import json_tree_of
from conformance.files.strict_json import place_in_json
from conformance.files.yaml_nodes import FaultyTree, Node, ScalarNode, SequenceNode, as_data
from conformance.files.yaml_tree import tree_of
from conformance.model.problems import MOST_KEPT, Finding, Problem, ScenarioError
from conformance.model.scenario import CardInPlay, Fixture, Play
from conformance.wording import rules_text
from reference_engine.language.cards import Card


@cache
@garbage_collection_off()
def valid_cards() -> tuple[Mapping[str, Card], tuple[Problem, ...]]:
    """The cards in all valid files, and the problems of the others."""
    cards: dict[str, Card] = {}
    problems: list[Problem] = []
    for path in sorted((fixtures_folder() / "cards").glob("*.yaml")):
        try:
            for card in cards_in(path):
                if card.name in cards:
                    problems.append(
                        Problem(
                            path_for_display(path),
                            0,
                            0,
                            card.name,
                            "another file has this card too",
                            "keep one of them",
                        )
                    )
                cards[card.name] = card
        except ScenarioError as error:
            problems.extend(error.problems)
    return cards, tuple(problems)


@cache
def known_names() -> KnownNames:
    """What fixtures may refer to: cards, rule numbers, ids of the sources' contents."""
    ready = compiled_library()
    return known_names_with_cards(valid_cards()[0] if ready is None else ready.pool)


def known_names_with_cards(cards: Mapping[str, Card]) -> KnownNames:
    """What fixtures may refer to: these cards, those of the catalogue, and the rest."""
    return KnownNames(
        ChainMap(cards, catalogue()),  # type: ignore[arg-type]  # nobody writes to it
        numbers_in("rulebook.yaml", r'\brule: "([^"]+)"'),
        numbers_in("inventory.yaml", r'\bid: "([^"]+)"'),
    )


def numbers_in(name: str, pattern: str) -> frozenset[str] | None:
    """The numbers that a data file lists; found by a regular expression, because parsing YAML is slow."""
    path = fixtures_folder() / name
    return frozenset(re.findall(pattern, path.read_text(encoding="utf-8"))) if path.exists() else None


class TreeInFile(Struct, frozen=True):
    """The tree of a file, the problems of its text, and the parts that it lacks because of them."""

    root: Node
    problems: tuple[Problem, ...] = ()
    unread: tuple[Node, ...] = ()

    def without_repeats(self, found: Sequence[Problem]) -> list[Problem]:
        """The problems found in the tree, and those of the text at other places."""
        places = {(one.line, one.column) for one in found}
        return [*found, *(one for one in self.problems if (one.line, one.column) not in places)]


def tree_in(path: Path, name: str) -> TreeInFile:
    """The tree of a YAML or JSON file."""
    content = content_of(path, name)
    try:
        return TreeInFile(json_tree_of(content, name) if path.suffix == ".json" else tree_of(content, name))
    except FaultyTree as error:
        return TreeInFile(error.root, error.problems, error.unread)


def canonical_in(path: Path, name: str) -> Fixture | None:
    """The fixture in canonical JSON; None if the file is anything else, and has to be read as a tree."""
    if path.suffix != ".json":
        return None
    try:
        return decode(content_of(path, name), Fixture, name)
    except ScenarioError:
        return None


def read_file(path: Path, beside: KnownNames | None = None) -> tuple[Fixture, ...]:
    """The fixtures in a YAML or JSON file: one, or all rows of a table.

    Other people's files need no heading. `beside`: what they may refer to, by default `known_names()`. Raises
    `ScenarioError` with all its problems.
    """
    name = path_for_display(path)
    fixture = canonical_in(path, name)
    if fixture is not None and next(findings_of(fixture, beside or known_names()), None) is None:
        return (fixture,)
    loaded = checked_tree(tree_in(path, name), name, beside, theirs=not path_in_fixtures(path))
    return tuple(one.fixture for one in loaded)


def checked_json(content: bytes, path: str, beside: KnownNames | None = None) -> Fixture:
    """A fixture of the suite in canonical JSON, after checking it."""
    fixture = decode(content, Fixture, path)
    problems = [
        Problem(path, 0, 0, place_in_json(one.at), one.what, one.cure)
        for one in islice(findings_of(fixture, beside or known_names()), MOST_KEPT)
    ]
    if problems:
        raise ScenarioError(problems)
    return fixture


HEADING_KEYS = ("id", "title", "rules")


def checked_fixtures(
    root: Node, path: str, beside: KnownNames | None = None, *, theirs: bool = False, judged: bool = True
) -> tuple[LoadedFixture, ...]:
    """The fixtures in a tree, as `checked_tree` has them."""
    return checked_tree(TreeInFile(root), path, beside, theirs=theirs, judged=judged)


def checked_tree(
    tree: TreeInFile, path: str, beside: KnownNames | None, *, theirs: bool, judged: bool = True
) -> tuple[LoadedFixture, ...]:
    """The fixtures in a file with the places of their parts, after checking them.

    `theirs`: not one of the suite's own files; it needs no heading and may use any id. Expectations are
    required only if it is to be `judged`.
    """
    words, root = beside or known_names(), tree.root
    missing = missing_heading(root)
    found, faults = read_fixtures(with_heading(root, Path(path).stem), path, words.cards, tree.unread)
    problems = tree.without_repeats(faults)
    first = found[0].fixture if found else None
    if missing and not theirs:
        keys = (" and ".join(missing), " and ".join(f"{key}: …" for key in missing))
        problems.append(problem_at(root, root, path, f"fixture without {keys[0]}", f"add {keys[1]}"))
    left_open = {*missing, *(HEADING_KEYS if theirs else ()), *(() if judged else ("expect",))}

    def findings(fixture: Fixture) -> Iterator[Finding]:
        for finding in findings_of(fixture, words, first):
            if len(finding.at) != 1 or finding.at[0] not in left_open:
                yield finding

    return without_problems(found, problems, findings)


def missing_heading(root: Node) -> tuple[str, ...]:
    """The keys of a fixture's heading that a tree lacks."""
    if not isinstance(root, yaml_nodes.MappingNode):
        return ()
    return tuple(key for key in HEADING_KEYS if key not in root.entries)


def without_problems(
    found: tuple[LoadedFixture, ...],
    problems: list[Problem],
    findings: Callable[[Fixture], Iterable[Finding]],
) -> tuple[LoadedFixture, ...]:
    """The loaded fixtures; raises an error if there are problems or findings.

    A problem shared by all rows of a table is reported once.
    """
    more = dict.fromkeys(problem for one in found for problem in one.problems(findings(one.fixture)))
    problems = [*problems, *islice(more, MOST_KEPT)]
    if any(problem.what.startswith("no card named") for problem in problems):
        # The missing card may be in a card file that is itself wrong.
        problems = [*problems, *valid_cards()[1]]
    if problems or not found:
        raise ScenarioError(problems)
    return found


def load_play(path: Path, beside: KnownNames | None = None) -> Play:
    """The setup and script in the file of a fixture, or in a file with nothing else."""
    return single_fixture(load_boards(path, beside), path_for_display(path)).play


def load_boards(path: Path, beside: KnownNames | None = None) -> tuple[Fixture, ...]:
    """The fixtures in a file that may lack a heading; the file's name replaces it.

    A board to be shown or explained needs neither a heading nor expectations.
    """
    name, words = path_for_display(path), beside or known_names()
    fixture = canonical_in(path, name)
    if fixture is not None and next(wrong_play(fixture.play, words), None) is None:
        return (fixture,)
    tree = tree_in(path, name)
    found, problems = read_fixtures(with_heading(tree.root, path.stem), name, words.cards, tree.unread)
    loaded = without_problems(
        found,
        tree.without_repeats(problems),
        lambda fixture: (finding.within("play") for finding in wrong_play(fixture.play, words)),
    )
    return tuple(one.fixture for one in loaded)


def with_heading(root: Node, name: str) -> Node:
    """A tree with the file's name as id and title where they are missing, and with rules, even if empty."""
    if not isinstance(root, yaml_nodes.MappingNode):
        return root
    at, source = root.at, root.source
    heading: dict[str, Node] = {
        "id": ScalarNode(at, source, name, False),
        "title": ScalarNode(at, source, name, False),
        "rules": SequenceNode(at, source, ()),
    }
    entries = {key: (ScalarNode(at, source, key, True), value) for key, value in heading.items()}
    return yaml_nodes.MappingNode(at, source, entries | root.entries)


def fixtures_in(files: Iterable[Path], beside: KnownNames) -> Mapping[str, tuple[str, Fixture]]:
    """The fixtures in these files, sorted by id, each with the name of its file.

    All trees are parsed before the first is walked, which takes a tenth less time than alternating.
    """
    trees: list[tuple[str, Node]] = []
    fixtures: dict[str, tuple[str, Fixture]] = {}
    problems: list[Problem] = []
    for path in files:
        name = path_for_display(path)
        try:
            trees.append((name, tree_of(content_of(path, name), name)))
        except ScenarioError as error:
            problems.extend(error.problems)
    trees.reverse()
    while trees:
        name, root = trees.pop()
        try:
            loaded = checked_fixtures(root, name, beside)
        except ScenarioError as error:
            problems.extend(error.problems)
            continue
        for one in loaded:
            id = one.fixture.id
            if id in fixtures:
                what = f"{id} is another fixture's id too"
                problems.append(Problem(name, 1, 1, "id", what, "take the next free one"))
            fixtures[id] = (name, one.fixture)
    if problems:
        raise ScenarioError(problems)
    return dict(sorted(fixtures.items()))


@garbage_collection_off()
def compiled_suite() -> bytes:
    """The compiled data of the suite, made from its YAML. Raises `ScenarioError` if any of it is wrong."""
    cards, problems = valid_cards()
    if problems:
        raise ScenarioError(problems)
    beside = known_names_with_cards(cards)
    generated = {
        path.stem: (path_for_display(path), checked_json(content_of(path), path_for_display(path), beside))
        for path in corpus_files()
    }
    return stored_bytes(
        pool=(CardInPlay(card, rules_text(card), True) for card in cards.values()),
        fixtures={
            id: (path_in_fixtures(Path(name)), fixture)
            for id, (name, fixture) in (*fixtures_in(fixture_files(), beside).items(), *generated.items())
        },
        lists={
            path.name: as_data(tree_of(content_of(path), path.name))
            for path in sorted(fixtures_folder().glob("*.yaml"))
        },
    )


def problems_in(
    path: Path,
    when_played: Callable[[Fixture], Iterable[Finding]] | None = None,
    beside: KnownNames | None = None,
) -> tuple[Problem, ...]:
    """The problems of a card file or a fixture; empty if there are none.

    `when_played` finds problems that show only in play; it is called if there are no others.
    """
    name = path_for_display(path)
    try:
        if path.suffix == ".jsonl" or (path.suffix == ".json" and is_list(path)):
            return problems_of_cards(path)
        tree = tree_in(path, name)
        if isinstance(tree.root, SequenceNode):
            return tuple(tree.without_repeats(problems_of_list(tree.root, name)))
        theirs = not path_in_fixtures(path)
        loaded = checked_tree(tree, name, beside, theirs=theirs, judged=not theirs)
        if when_played is not None:
            found = [problem for one in loaded for problem in one.problems(when_played(one.fixture))]
            return tuple(dict.fromkeys(found))
    except ScenarioError as error:
        return error.problems
    return ()


def problems_of_list(root: Node, path: str) -> tuple[Problem, ...]:
    """The problems of a list of cards."""
    try:
        read_cards(root, path)
    except ScenarioError as error:
        return error.problems
    return ()


def export_files() -> Mapping[str, bytes]:
    """Every fixture as a canonical JSON file named by its id, and their schema."""
    files = {f"{name}.json": encode(fixture) + b"\n" for name, fixture in all_fixtures().items()}
    return {**files, "scenario.schema.json": schema_file(scenario_schema())}


def schema_file(schema: Mapping[str, object]) -> bytes:
    """A schema, formatted for people."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2) + b"\n"

"""Which fixtures and properties a command's arguments select: by id, file, folder, rule, source or word.

Without ids and files, all fixtures of the suite are selected. A file may be anywhere: a fixture as people
write it, or an exported one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from conformance.data.compiled import fixtures_folder
from conformance.data.library import (
    NO_FIXTURES,
    corpus_files,
    fixture_files,
    load_all,
    path_for_display,
    resolved_path,
)
from conformance.data.rulebook import RULE, is_within, rule_once_called, rules_by_number, tree_of
from conformance.files.content import content_of
from conformance.model.problems import Problem, ScenarioError, did_you_mean, list_of_options
from conformance.model.scenario import Fixture, Play
from reference_engine.language.actions import Look

if TYPE_CHECKING:
    from conformance.checks.names import KnownNames
    from conformance.properties import Property

SUFFIXES = (".yaml", ".yml", ".json")


class SelectedCheck(Struct, frozen=True):
    """A selected check, its display name, and the argument that selects it again."""

    fixture: Fixture
    name: str
    again: str
    options: tuple[str, ...] = ()
    """Options needed to play it again."""


class NoMatch(Exception):
    """An argument that matches nothing; the message suggests what does."""


def selected_fixtures(
    arguments: Sequence[str] = (),
    rules: Sequence[str] = (),
    word: str = "",
    source: str = "",
    beside: KnownNames | None = None,
) -> Iterator[SelectedCheck]:
    """The fixtures selected by ids, files and folders, filtered by rule, word and source.

    `beside`: what files that are not ours may refer to, by default our cards and rules.

    Our own fixtures are yielded as they are read, so that the first can be played before the rest are loaded;
    other people's files are all read first. Raises `NoMatch` for an argument that matches nothing, and
    `ScenarioError` with every problem once all files have been read.
    """
    for rule in rules:
        check_rule(rule)
    if arguments:
        every: dict[Path, SelectedFile] = {}
        for meant in (meant for argument in arguments for meant in selected_files(argument)):
            where = resolved_path(meant.path)
            every[where] = meant.with_rows_of(every.get(where))
        found: Iterable[SelectedCheck] = list(read_selected(every.values(), beside))
    else:
        found = read_selected(SelectedFile(path, None) for path in fixture_files())
    return (one for one in found if is_selected(one, rules, word, source))


def is_selected(one: SelectedCheck, rules: Sequence[str], word: str, source: str) -> bool:
    """Whether a fixture cites one of the rules, contains the word, and has the source."""
    fixture = one.fixture
    return (
        (not rules or any(is_within(cited, rule) for cited in fixture.rules for rule in rules))
        and (
            not word
            or word.casefold() in " ".join([fixture.id, one.name, fixture.title, *fixture.caught]).casefold()
        )
        and (not source or any(id.startswith(source) for id in fixture.source))
    )


ALL = "all"


def every_property() -> tuple[Property[Any], ...]:
    """All properties, imported late because their strategies take a moment to load."""
    from conformance.properties import PROPERTIES

    return PROPERTIES


def selected_properties(
    names: Sequence[str], rules: Sequence[str], word: str, source: str
) -> tuple[Property[Any], ...]:
    """The properties with these names (no name or `all`: every one), filtered by rule, word and source.

    Raises `NoMatch` for an unknown name.
    """
    every = every_property()
    known = [law.name for law in every]
    for name in names:
        if name not in (*known, ALL):
            raise no_match("property", name, known)
    return tuple(
        law
        for law in every
        if (not names or ALL in names or law.name in names)
        and (not rules or any(is_within(cited, rule) for cited in law.rules for rule in rules))
        and word.casefold() in f"{law.name} {law.says}".casefold()
        and (not source or any(id.startswith(source) for id in law.source))
    )


def no_match(kind: str, word: str, known: Iterable[str]) -> NoMatch:
    """The error for an unknown word, with suggestions."""
    names = sorted(known)
    return NoMatch(
        f"no {kind} {word!r}\n    "
        + did_you_mean(word, names, otherwise=f"choose one of: {list_of_options(names)}"),
    )


def selected_play(argument: str, beside: KnownNames | None = None) -> Play:
    """The starting position and script of an id or a file; a file needs no other parts."""
    [meant, *others] = selected_files(argument)
    if others:
        raise NoMatch(f"{argument}: {len(others) + 1} files\n    name one of them")
    if meant.rows is None:
        from conformance.data.loading import load_play

        return load_play(meant.path, beside)
    [row] = read_selected([meant], beside)
    return row.fixture.play


def title_of(argument: str, beside: KnownNames | None = None) -> str:
    """Display name for the scenario of an id or a file: a fixture's id, or a file's name, and its title."""
    [meant, *_] = selected_files(argument)
    if meant.again is not None:
        from conformance.data.loading import load_boards

        [only, *_] = load_boards(meant.path, beside)
        untitled = only.title == meant.path.stem
        return meant.path.name if untitled else f"{meant.path.name}: {only.title}"
    [row] = read_selected([meant])
    return f"{row.fixture.id}: {row.fixture.title}"


def cut_at_look(play: Play, look: str) -> Play:
    """The play, cut off at one of its looks."""
    at = {action.name: number for number, action in enumerate(play.script) if isinstance(action, Look)}
    at["end"] = len(play.script)
    if look not in at:
        raise no_match("look", look, at)
    return replace(play, script=play.script[: at[look]])


class SelectedFile(Struct, frozen=True):
    """A selected file or some of its rows, and the argument that selects it again (None if its id does)."""

    path: Path
    again: str | None
    rows: frozenset[str] | None = None
    """Ids of the selected rows; None selects the whole file."""

    def with_rows_of(self, other: SelectedFile | None) -> SelectedFile:
        """The same file, with the rows of both selections."""
        if other is None:
            return self
        rows = None if self.rows is None or other.rows is None else self.rows | other.rows
        return replace(self, rows=rows)


@cache
def files_by_id() -> Mapping[str, Path]:
    """Path of each of our fixtures by id, found without parsing the files."""
    found = {}
    for path in fixture_files():
        said = ID_IN_FILE.search(path.read_text(encoding="utf-8"))
        if said:
            found[said[1]] = path
    return found | {path.stem: path for path in corpus_files()}


ID_IN_FILE = re.compile(r"^id: *[\"']?([\w.-]+)", re.MULTILINE)


OF_A_SCENARIO = re.compile(r"^(?:players|start|setup|script|expect|rows|play):", re.MULTILINE)


def taken_ids(paths: Iterable[Path]) -> Iterator[Problem]:
    """Problems for scenarios whose id is taken by another of these files or by the suite."""
    holders: dict[str, Path] = {}
    for path in (path for path in paths if path.suffix in (".yaml", ".yml")):
        try:
            text = content_of(path).decode(errors="replace")
        except ScenarioError:
            continue  # reported by the command that reads it
        if not OF_A_SCENARIO.search(text):
            continue
        said = ID_IN_FILE.search(text)
        id = said[1] if said else path.stem
        holder = holders.setdefault(id, files_by_id().get(id, path))
        if resolved_path(holder) != resolved_path(path):
            line = text.count("\n", 0, said.start()) + 1 if said else 1
            what = f"{path_for_display(holder)} has the id {id} already"
            yield Problem(path_for_display(path), line, 1, "id", what, "give this file another id")


def is_stored(id: str) -> bool:
    """Whether the suite has a check with this id; the checks of a table are its rows."""
    path = files_by_id().get(id) or files_by_id().get(id.partition(".")[0])
    return path is not None and any(fixture.id == id for fixture in load_all(path))


def generated_scenarios() -> Iterator[SelectedCheck]:
    """The generated scenarios stored with the suite, in addition to its fixtures."""
    return read_selected(SelectedFile(path, None) for path in corpus_files())


def every_fixture() -> Iterator[Fixture]:
    """Everything that comes with the suite, including the stored generated scenarios."""
    return (one.fixture for one in chain(selected_fixtures(), generated_scenarios()))


def number_of_checks() -> int:
    """Number of checks in the suite, counted without parsing the files."""
    texts = (path.read_text(encoding="utf-8") for path in fixture_files())
    fixtures = sum(max(1, len(re.findall(r"^ *- \{?row: ", text, re.MULTILINE))) for text in texts)
    return fixtures + len([*corpus_files()])


@cache
def newer_ids() -> Mapping[str, str]:
    """For each retired id, the id that replaces it."""
    aliases = tree_of("ids.yaml")["aliases"] if (fixtures_folder() / "ids.yaml").exists() else []
    return {alias["was"]: alias["now"] for alias in aliases}


def selected_files(argument: str) -> list[SelectedFile]:
    """The files that one argument selects: an id, a file, or a folder of them."""
    path = Path(argument)
    if argument not in files_by_id() and not path.exists():
        argument = newer_ids().get(argument, argument)
    if argument in files_by_id():
        return [SelectedFile(files_by_id()[argument], None)]
    table, _, row = argument.partition(".")
    if table in files_by_id() and row.isdigit():
        return [SelectedFile(files_by_id()[table], None, frozenset({argument}))]
    if path.is_dir():
        files = [file for file in sorted(path.rglob("*")) if is_fixture_file(file, path)]
        if not files:
            raise NoMatch(f"{argument}: no fixture in this folder\n    they end in .yaml or .json")
        return [SelectedFile(file, str(file)) for file in files]
    if os.path.lexists(path):
        # Reading it says what is wrong with a pipe, a device or a broken link.
        return [SelectedFile(path, argument)]
    if path.suffix in SUFFIXES or any(mark and mark in argument for mark in ("/", os.sep, os.altsep)):
        raise NoMatch(f"{argument}: no such file or folder")
    cure = did_you_mean(argument, files_by_id(), otherwise="`conformance list` shows every id")
    raise NoMatch(f"no fixture {argument!r}\n    {cure}")


def is_fixture_file(path: Path, folder: Path) -> bool:
    """Whether a file in a folder counts as a fixture; cards, schemas and our lists of data do not."""
    return (
        path.suffix in SUFFIXES
        and not path.name.endswith(".schema.json")
        and not set(path.relative_to(folder).parts) & set(NO_FIXTURES)
        and resolved_path(path).parent != fixtures_folder()
    )


def selected_boards(arguments: Iterable[str], beside: KnownNames | None = None) -> list[Fixture]:
    """The fixtures selected by these arguments; other people's files need no heading."""
    from conformance.data.loading import load_boards

    meant = [one for argument in arguments for one in selected_files(argument)]
    return [one.fixture for one in read_selected(meant, beside, load_boards)]


def read_selected(
    meant: Iterable[SelectedFile],
    beside: KnownNames | None = None,
    load: Callable[[Path, KnownNames | None], tuple[Fixture, ...]] = load_all,
) -> Iterator[SelectedCheck]:
    """The fixtures in the files, one by one; at the end, raise all problems of all files together."""
    problems: list[Problem] = []
    for one in meant:
        try:
            fixtures = load(one.path, beside)
        except ScenarioError as error:
            problems.extend(error.problems)
            continue
        for row in sorted((one.rows or frozenset()) - {fixture.id for fixture in fixtures}):
            raise no_match("row", row, (fixture.id for fixture in fixtures))
        for fixture in fixtures:
            if one.rows is None or fixture.id in one.rows:
                name = fixture.title if one.path.stem == fixture.id else one.path.stem
                yield SelectedCheck(fixture, name, one.again or fixture.id)
    if problems:
        raise ScenarioError(problems)


def check_rule(rule: str) -> None:
    """Raise `NoMatch` unless the rulebook has this rule, section or chapter."""
    if RULE.fullmatch(rule) and any(is_within(known, rule) for known in rules_by_number()):
        return
    then = rule_once_called(rule)
    cure = (
        f"{then} was once called so: --rule {then}"
        if then
        else did_you_mean(rule, rules_by_number(), otherwise="rules are written 613, 613.8 or 613.8b")
    )
    raise NoMatch(f"no rule {rule!r} in the newest edition\n    {cure}")

"""The data of the suite as values: fixtures, real cards, and the files they are in.

Everything comes from the compiled file (`compiled_library`) if there is one. Otherwise `reading` reads the
YAML and JSON files; it takes longer to import, and is imported only then.
"""

from __future__ import annotations

import gc
import os
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from conformance.data.catalogue import catalogue
from conformance.data.compiled import (
    CompiledLibrary,
    cache_path,
    fixtures_folder,
    keep,
    library_in_wheel,
)
from conformance.data.garbage import garbage_collection_off
from conformance.model.problems import Problem, ScenarioError
from conformance.model.scenario import Fixture
from reference_engine.language.cards import Card

if TYPE_CHECKING:
    from conformance.checks.names import KnownNames

NO_FIXTURES = ("cards", "refused")
"""Folders beside the fixtures that contain other files."""


@cache
def pool() -> Mapping[str, Card]:
    """All real cards by name. Raises `ScenarioError` if a card file is wrong."""
    ready = compiled_library()
    if ready is not None:
        return ready.pool
    from conformance.data.loading import valid_cards

    cards, problems = valid_cards()
    if problems:
        raise ScenarioError(problems)
    return cards


def real_cards() -> Mapping[str, Card]:
    """The real cards that scenarios can use by name: those of the pool, and those of the catalogue."""
    return ChainMap(pool(), catalogue())  # type: ignore[arg-type]  # nobody writes to it


@cache
@garbage_collection_off()
def all_fixtures() -> Mapping[str, Fixture]:
    """All fixtures by id, sorted. Raises `ScenarioError` if any of them is wrong."""
    ready = compiled_library()
    if ready is not None:
        kept = ready.stored.fixtures
        loaded = {id: ready.fixture(id) for id in kept if is_written(kept[id].file)}
        gc.freeze()  # later collections skip objects that live until the end
        return loaded
    from conformance.data.loading import fixtures_in, known_names

    return {id: fixture for id, (_, fixture) in fixtures_in(fixture_files(), known_names()).items()}


def is_written(file: str) -> bool:
    """Whether a fixture was written by hand: those are YAML, generated ones JSON."""
    return file.endswith(".yaml")


def load_all(path: Path, beside: KnownNames | None = None) -> tuple[Fixture, ...]:
    """The fixtures in a YAML or canonical JSON file: one, or all rows of a table.

    `beside`: what a file that is not ours may refer to, by default our cards and rules. Raises
    `ScenarioError` with all its problems.
    """
    ready = compiled_library()
    if ready is not None and (ids := ready.ids_in.get(path_in_fixtures(path))):
        return tuple(map(ready.fixture, ids))
    from conformance.data.loading import read_file

    return read_file(path, beside)


def path_in_fixtures(path: Path) -> str:
    """The path of a file relative to the folder of fixtures; empty if it is elsewhere."""
    folder = str(fixtures_folder()) + os.sep
    whole = os.path.abspath(path)  # noqa: PTH100  # the same in a fifth of the time
    return whole.removeprefix(folder).replace(os.sep, "/") if whole.startswith(folder) else ""


def load(path: Path) -> Fixture:
    """The only fixture in a file. Raises `ScenarioError` with all its problems."""
    return single_fixture(load_all(path), path_for_display(path))


def single_fixture(fixtures: Sequence[Fixture], path: str) -> Fixture:
    """The fixture of a file that must not be a table."""
    if len(fixtures) > 1:
        cure = f"name one of them: {fixtures[0].id}"
        raise ScenarioError([Problem(path, 1, 1, "rows", f"a table of {len(fixtures)} rows", cure)])
    return fixtures[0]


@cache
@garbage_collection_off()
def compiled_library() -> CompiledLibrary | None:
    """The compiled data: from the wheel, or for this checkout, compiled now if necessary.

    None while any file in a checkout is wrong; then files are read one by one.
    """
    ready = library_in_wheel()
    if ready is not None:
        return ready
    path = cache_path()
    with suppress(OSError, msgspec.MsgspecError):
        return CompiledLibrary(path.read_bytes())
    from conformance.data.loading import compiled_suite

    try:
        content = compiled_suite()
    except ScenarioError:
        return None
    keep(path, content)
    return CompiledLibrary(content)


def path_for_display(path: Path) -> str:
    """A path, relative to the working directory if it is below it."""
    return str(path).removeprefix(os.getcwd() + os.sep)  # noqa: PTH109  # `Path.cwd` takes ten times as long


def fixture_files(folder: Path | None = None) -> Iterator[Path]:
    """All fixture files below a folder (by default, all of the suite's), sorted by path."""
    if folder:
        yield from yaml_files(folder)
        return
    for inside in sorted(path for path in fixtures_folder().iterdir() if path.is_dir()):
        if inside.name not in NO_FIXTURES:
            yield from yaml_files(inside)


def yaml_files(folder: Path) -> Iterator[Path]:
    """The YAML files below a folder that may be fixtures, sorted by path."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name.endswith(".yaml"):
            yield Path(entry.path)
        elif entry.is_dir() and entry.name not in NO_FIXTURES and not links_to_parent(Path(entry.path)):
            yield from yaml_files(folder / entry.name)


def resolved_path(path: Path) -> Path:
    """A path with symbolic links resolved as far as possible."""
    return Path(os.path.realpath(path))  # `resolve` raises an error for circular links


def links_to_parent(folder: Path) -> bool:
    """Whether a folder is a link to one of its parents, which a walk would follow forever."""
    return folder.is_symlink() and resolved_path(folder) in folder.absolute().parents


def corpus_files() -> Iterator[Path]:
    """The files of stored generated scenarios, sorted by id."""
    yield from sorted((fixtures_folder() / "corpus").glob("C-*.json"))


def files_to_check(folder: Path) -> Iterator[Path]:
    """The files of cards and fixtures below a folder, without the deliberately wrong ones."""
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts[:-1]
        is_data = resolved_path(path).parent == fixtures_folder() or path.name.endswith(".schema.json")
        if path.suffix in (".yaml", ".json", ".jsonl") and "refused" not in inside and not is_data:
            yield path

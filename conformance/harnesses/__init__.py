"""The suite inside an engine's own tests: the harness of each ecosystem, and the JSON
release. Imports `data`.

A harness is one source file that plays and judges fixtures. `conformance export --as rust DIR` writes it with
the fixtures, the schemas, and what judging needs (`suite.json`), and renews them later. Two files belong to
the author and are never overwritten: the one that calls the engine, and the list of expected failures. Each
harness judges as `conformance.model.verdict` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

from msgspec import Struct

from conformance.data.library import all_fixtures
from conformance.data.loading import schema_file
from conformance.data.rulebook import newest_edition
from conformance.model.comparison import FULL_LIST, LISTS
from conformance.model.features import features_of
from conformance.model.observation import SeenObject, SeenPlayer
from conformance.model.scenario import Fixture
from conformance.model.verdict import COUNTED_BY, RULES_OF_CHOICE
from conformance.model.version import VERSION
from reference_engine.language.subtypes import SUBTYPES
from reference_engine.language.words import ALL_CREATURE_TYPES

HERE = Path(__file__).parent
FIRST_OF_A_CHAPTER = 3
"""Number of fixtures of each chapter in the first set."""
EXPECTED_FAILURES = """\
# Failures that are known: an id and the reason on each line. A listed fixture that passes is a failure.
"""


class Harness(Struct, frozen=True):
    """Where an ecosystem wants its files, relative to the folder of its tests."""

    source: str
    """The harness, beside this file and in the export."""
    engine: str
    """The author's file, with its path in the export."""
    data: str
    """Folder of the fixtures."""


HARNESSES: Mapping[str, Harness] = {
    "rust": Harness("rust/conformance.rs", "conformance/engine.rs", "conformance"),
    "java": Harness("java/ConformanceTest.java", "java/ConformanceEngine.java", "resources/conformance"),
    "kotlin": Harness("java/ConformanceTest.java", "kotlin/ConformanceEngine.kt", "resources/conformance"),
}


def harness_files(ecosystem: str, exported: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Every file of an ecosystem's harness by its path, which an export renews.

    `exported` are the fixtures and schemas.
    """
    harness = HARNESSES[ecosystem]
    data = {**in_folders(exported), "suite.json": schema_file(facts())}
    source = harness.source.rpartition("/")[2] if ecosystem == "rust" else harness.source
    return {
        source: (HERE / harness.source).read_bytes(),
        f"{harness.data}/README.md": readme(ecosystem).encode(),
        **{f"{harness.data}/{name}": content for name, content in data.items()},
    }


def in_folders(exported: Mapping[str, bytes]) -> dict[str, bytes]:
    """Exported files by their paths: fixtures in a folder of their own, schemas beside it."""
    return {
        name if name.endswith(".schema.json") else f"fixtures/{name}": content
        for name, content in exported.items()
    }


def author_files(ecosystem: str) -> Mapping[str, bytes]:
    """The files that belong to the author: an export writes them only if they are missing."""
    harness = HARNESSES[ecosystem]
    template = HERE / ecosystem / harness.engine.rpartition("/")[2]
    return {
        harness.engine: template.read_bytes(),
        f"{harness.data}/expected-failures.txt": EXPECTED_FAILURES.encode(),
    }


def readme(ecosystem: str) -> str:
    """The README of an ecosystem's harness."""
    harness = HARNESSES[ecosystem]
    return Template((HERE / "README.md").read_text(encoding="utf-8")).substitute(
        ecosystem=ecosystem,
        engine=harness.engine,
        data=harness.data,
        run=(HERE / ecosystem / "running.md").read_text(encoding="utf-8").strip(),
    )


def facts() -> dict[str, Any]:
    """What a harness needs for its verdicts besides fixtures and schemas."""
    return {
        "version": VERSION,
        "edition": newest_edition(),
        "first": first_set(all_fixtures()),
        "lists": sorted(LISTS),
        "sets": sorted(keys_of_sets()),
        "all_creature_types": ALL_CREATURE_TYPES,
        "full_list": FULL_LIST,
        "other_subtypes": sorted(word for kind in SUBTYPES if kind != "creature" for word in SUBTYPES[kind]),
        "rules_of_choice": {kind: sorted(rules) for kind, rules in RULES_OF_CHOICE.items()},
        "steps_tested_by": COUNTED_BY,
    }


def keys_of_sets() -> frozenset[str]:
    """The keys whose observed values are sets: an engine may report a member twice."""
    return frozenset(
        field
        for seen in (SeenObject(), SeenPlayer())
        for field in seen.__struct_fields__
        if "frozenset" in str(type(seen).__annotations__[field])
    )


def first_set(fixtures: Mapping[str, Fixture]) -> list[str]:
    """The ids to begin with: of each chapter the fixtures that need the least from an engine."""
    chapters: dict[str, list[tuple[int, int, int, str]]] = {}
    for id, fixture in fixtures.items():
        if fixture.disputed:
            continue
        play = fixture.play
        effort = (len(features_of(play)), len(play.script), len(play.objects), id)
        for chapter in {rule.partition(".")[0] for rule in fixture.rules}:
            chapters.setdefault(chapter, []).append(effort)
    return sorted({id for efforts in chapters.values() for *_, id in sorted(efforts)[:FIRST_OF_A_CHAPTER]})

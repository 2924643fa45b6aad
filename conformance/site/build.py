"""Builds the site: writes its pages, and checks every link."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from conformance.data.rulebook import newest_edition
from conformance.files.writing import write_file
from conformance.model.engine import suite_version
from conformance.model.scenario import Fixture
from conformance.pages.addresses import check_address, rule_address
from conformance.pages.page import asset
from conformance.pages.site import SiteLink, SitePages
from conformance.play.selection import generated_scenarios, selected_fixtures
from conformance.site.contents import (
    ENGINES_PAGE,
    Contents,
    SearchEntry,
    documents_of,
    report_place,
    reports_in,
)
from conformance.site.dead_links import dead_links
from conformance.site.fixture import write_fixture_pages
from conformance.site.recordings import RecordedRun, recorded_run
from conformance.site.sources import EngineSource, Sources

ASSETS = ("style.css", "stepping.js", "listing.js", "searching.js")
EXAMPLE = "L-0114"
"""The fixture that the first page shows as an example."""
FRONT_PAGE, FRONT_PICTURE = "README.md", "docs/humility.svg"
"""The first page shows the picture with which this file of the repository begins."""
PORTION = 40
"""Number of fixtures that a process draws at a time."""
MOST_COMPLAINTS = 20
_In = TypeVar("_In")
_Out = TypeVar("_Out")


class SiteError(Exception):
    """The site cannot be built, or has dead links; the message says why."""


class BuiltSite(Struct, frozen=True):
    """What was built."""

    pages: int
    fixtures: int
    size: int
    """In bytes."""


def build_site(folder: Path, files: Sources, jobs: int = 1, only: Sequence[str] = ()) -> BuiltSite:
    """Build the site in a new or empty folder.

    `jobs` processes share the work; `only` limits it to these fixtures. Raises `SiteError` if the folder has
    other files, or if a link leads nowhere.
    """
    if folder.exists() and any(folder.iterdir()):
        raise SiteError(f"{folder}: there are files in it\n    name a new folder, or delete this one first")
    with map_among_processes(jobs) as share:
        contents = contents_of(files, share, only)
        for name in ("engines", "fixtures", "rules", "docs", "files"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        checks = [*contents.fixtures_on_site()]
        portions = [checks[at : at + PORTION] for at in range(0, len(checks), PORTION)]
        written = share(partial(write_fixture_pages, folder, contents.links, suite_version()), portions)
        index = [*contents.search_index()]
        for name, text in (*pages_of(contents), *assets(index)):
            write_file(folder / name, text)
        for place in contents.copied:
            (folder / "files" / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(files.root / place, folder / "files" / place)
        for _ in written:
            pass
    refuse_dead_links(folder, index)
    every = [path for path in folder.rglob("*") if path.is_file()]
    pages = sum(path.suffix == ".html" for path in every)
    return BuiltSite(pages, len(checks), sum(path.stat().st_size for path in every))


@contextmanager
def map_among_processes(
    jobs: int,
) -> Iterator[Callable[[Callable[[_In], _Out], Iterable[_In]], Iterable[_Out]]]:
    """A `map` that shares its work among processes, in order; with one job there is no other process."""
    if jobs == 1:
        yield map
        return
    with ProcessPoolExecutor(jobs) as executor:
        yield executor.map


def contents_of(
    files: Sources, share: Callable[..., Iterable[RecordedRun]], only: Sequence[str] = ()
) -> Contents:
    """Everything that the site shows."""
    documents = documents_of(files)
    titles = {key: page.title for key, page in reports_in(documents).items()}
    named = [(source, titles.get(source.key, "")) for source in files.engines]
    runs = tuple(share(partial(run_of, only), named))
    return Contents(files, fixtures_by_id(only), generated_by_id(only), documents, runs)


def run_of(only: Sequence[str], named: tuple[EngineSource, str]) -> RecordedRun:
    """The results of a recorded engine: one unit of parallel work."""
    source, title = named
    return recorded_run(source, title, fixtures_by_id(only).values(), generated_by_id(only).values())


def fixtures_by_id(only: Sequence[str] = ()) -> dict[str, Fixture]:
    """The handwritten fixtures, by id."""
    every = sorted((one.fixture for one in selected_fixtures()), key=lambda fixture: fixture.id)
    return {one.id: one for one in every if not only or one.id in only}


def generated_by_id(only: Sequence[str] = ()) -> dict[str, Fixture]:
    """The generated scenarios, by id."""
    every = (one.fixture for one in generated_scenarios())
    return {one.id: one for one in every if not only or one.id in only}


def assets(index: Sequence[SearchEntry]) -> Iterator[tuple[str, str]]:
    """The stylesheet, the scripts and the search index, with their names."""
    yield from ((name, asset(name)) for name in ASSETS)
    # ASCII only, so that no reader can mistake the encoding of the script.
    content = json.dumps(msgspec.to_builtins(index), separators=(",", ":"))
    yield "search-index.js", f"window.SEARCH_INDEX = {content};\n"


def refuse_dead_links(folder: Path, index: Iterable[SearchEntry]) -> None:
    """Raise `SiteError` if a link leads nowhere, or a page would send a request to another site."""
    found = [*dead_links(folder, {one.address: "search-index.js" for one in index})]
    if found:
        more = len(found) - MOST_COMPLAINTS
        lines = [*found[:MOST_COMPLAINTS], *([f"and {more} more"] if more > 0 else [])]
        raise SiteError("a site must have no dead links:\n    " + "\n    ".join(lines))


def pages_of(contents: Contents) -> Iterator[tuple[str, str]]:
    """The name and text of every page except those of fixtures."""
    made = SitePages(contents.links.pieces, suite_version())
    engines = contents.engines
    subjects, broken, cards = [*contents.subjects()], [*contents.broken()], [*contents.cards()]
    counts = {
        "fixtures": len(contents.fixtures),
        "rules": sum(len(chapter.rules) for chapter in contents.chapters),
        "laws": sum(len(subject.laws) for subject in subjects),
        "mutants": len(broken),
        "cards": len(cards),
    }
    example = contents.checks.get(EXAMPLE) or next(iter(contents.checks.values()))
    shown = SiteLink(f"{example.id}: {example.title}", check_address(example.id))
    yield (
        "index.html",
        made.page(
            "index.html",
            "mtg-conformance",
            "",
            engines=engines,
            counts=counts,
            example=shown,
            picture=contents.links.from_file(FRONT_PICTURE, FRONT_PAGE, ""),
        ),
    )
    intro = contents.doc_shown(ENGINES_PAGE)
    yield (
        "engines/index.html",
        made.page(
            "engines.html",
            intro.title,
            "../",
            intro=intro,
            engines=engines,
            chapters=contents.chapters_of_engines(),
        ),
    )
    for run, engine in zip(contents.runs, engines, strict=True):
        yield (
            engine.engine.to,
            made.page(
                "engine.html",
                run.title,
                "../",
                shown=engine,
                engines=engines,
                report=contents.doc_shown(report_place(run.key)) if run.key in contents.reports else None,
                findings=contents.findings_of(run),
            ),
        )
    yield from lists_of_checks(contents, made)
    edition = newest_edition()
    yield (
        "rules/index.html",
        made.page("rules.html", "The rules", "../", chapters=contents.chapters, edition=edition),
    )
    for chapter in contents.chapters:
        title = f"{chapter.chapter.name}. {chapter.title}"
        yield (
            rule_address(chapter.chapter.name),
            made.page("chapter.html", title, "../", shown=chapter, engines=engines),
        )
    yield "laws.html", made.page("laws.html", f"{counts['laws']} laws", "", subjects=subjects)
    yield "mutants.html", made.page("mutants.html", f"{counts['mutants']} broken engines", "", broken=broken)
    yield "cards.html", made.page("cards.html", f"{counts['cards']} cards", "", cards=cards)
    yield "docs/index.html", made.page("docs.html", "Documentation", "../", docs=contents.docs)
    for place, address in contents.links.documents.items():
        doc = contents.doc_shown(place)
        yield address, made.page("doc.html", doc.title, "../", shown=doc)
    yield "search.html", made.page("search.html", "Search", "", ("search-index.js", "searching.js"))


def lists_of_checks(contents: Contents, made: SitePages) -> Iterator[tuple[str, str]]:
    """The lists of fixtures and of generated scenarios, and for each table a list of its rows."""
    lists = (
        (
            "index.html",
            f"{len(contents.fixtures)} fixtures",
            "Scenarios written by hand, one idea each, with the result that the rules give and the reason.",
            contents.fixtures,
            SiteLink("Generated scenarios", "fixtures/generated.html"),
        ),
        (
            "generated.html",
            f"{len(contents.generated)} generated scenarios",
            "Scenarios that a search found and that notice a broken engine; the gate plays them too.",
            contents.generated,
            SiteLink("Fixtures written by hand", "fixtures/index.html"),
        ),
    )
    for name, title, says, checks, other in lists:
        yield (
            f"fixtures/{name}",
            made.page(
                "fixtures.html",
                title,
                "../",
                says=says,
                lines=contents.check_lines(checks.values()),
                engines=contents.engines,
                other=other,
            ),
        )
    for table, ids in contents.tables.items():
        yield (
            check_address(table),
            made.page(
                "fixtures.html",
                f"{table}: {contents.fixtures[ids[0]].title}",
                "../",
                says="A table of fixtures, which differ in one thing.",
                lines=contents.check_lines(contents.fixtures[id] for id in ids),
                engines=contents.engines,
                other=SiteLink(""),
            ),
        )

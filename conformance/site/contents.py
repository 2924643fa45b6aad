"""What the pages of the site show, gathered from the data of the suite."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import groupby, pairwise

from msgspec import Struct

from conformance.data.library import pool
from conformance.data.rulebook import (
    chapters,
    citing,
    in_order_of_rules,
    not_applicable,
    rules_by_number,
)
from conformance.model.printable import harmless, shortened
from conformance.model.scenario import Fixture
from conformance.mutants import MUTANTS
from conformance.pages.addresses import (
    anchor,
    card_address,
    check_address,
    doc_address,
    engine_address,
    law_address,
    mutant_address,
    rule_address,
)
from conformance.pages.documentation import MarkdownPage, document
from conformance.pages.run import CountsShown
from conformance.pages.site import (
    BrokenShown,
    CardShown,
    ChapterOfEngines,
    CheckLine,
    DocLine,
    DocShown,
    EngineShown,
    FindingShown,
    LawShown,
    RuleOnSite,
    RulesChapter,
    SiteLink,
    SubjectShown,
)
from conformance.play.selection import files_by_id
from conformance.properties import PROPERTIES
from conformance.results.summary import SCORES, Counts, by_chapter, by_rule, counts_of
from conformance.site.fixture import FixtureOnSite, recorded_results, rule_shown
from conformance.site.links import SiteLinks
from conformance.site.recordings import RecordedResult, RecordedRun
from conformance.site.sources import Sources
from conformance.wording import card_text

ENGINES_PAGE = "docs/engines.md"
"""The page about all engines."""
BROKEN_ENGINES_PAGE = "docs/broken-engines.md"
"""The page with a table of what notices each broken engine."""
LONGEST_IN_INDEX = 500
"""Maximum number of characters of one text in the search index."""


class Detection(Struct, frozen=True):
    """What notices a broken engine first: a fixture, and a law with the number of cases it takes."""

    fixture: str
    law: str
    cases: str


class SearchEntry(Struct, frozen=True, array_like=True):
    """Something that can be searched for."""

    title: str
    address: str
    kind: str
    words: str


class Contents(Struct, frozen=True, dict=True):
    """Everything that the site shows."""

    files: Sources
    fixtures: Mapping[str, Fixture]
    """The handwritten fixtures, by id."""
    generated: Mapping[str, Fixture]
    """The generated scenarios, by id."""
    documents: Mapping[str, MarkdownPage]
    """The pages of the documentation, by path."""
    runs: tuple[RecordedRun, ...]

    @cached_property
    def checks(self) -> Mapping[str, Fixture]:
        return {**self.fixtures, **self.generated}

    # ------------------------------------------------------------------------------ documentation

    @cached_property
    def reports(self) -> Mapping[str, MarkdownPage]:
        """The pages about one engine each, by the engine's key."""
        return reports_in(self.documents)

    @cached_property
    def links(self) -> SiteLinks:
        """Everything that a text can link to."""
        findings = {
            finding: run.key
            for run in self.runs
            for finding in self.reports.get(run.key, MarkdownPage(())).findings()
        }
        pages = {ENGINES_PAGE: "engines/index.html"}
        pages |= {report_place(run.key): engine_address(run.key) for run in self.runs}
        sections = {}
        for place, page in pages.items():
            sections[place] = page
            for one in self.documents[place].sections() if place in self.documents else ():
                for name in (anchor(one.heading), one.anchor):
                    sections[f"{place}#{name}"] = f"{page}#{one.anchor}"
        return SiteLinks(
            checks=frozenset(self.checks) | frozenset(self.tables),
            rules=frozenset(rules_by_number()),
            laws=frozenset(law.name for law in PROPERTIES),
            findings=findings,
            documents={place: doc_address(name_of(place)) for place in self.documents if place not in pages},
            sections=sections,
        )

    @cached_property
    def copied(self) -> frozenset[str]:
        """The files that the documentation links to and that are not pages."""
        named = {
            posixpath.normpath(posixpath.join(posixpath.dirname(place), target.partition("#")[0]))
            for place, page in self.documents.items()
            for target in page.targets()
            if ":" not in target and not target.startswith("#")
        }
        known = {path for path in named if not path.startswith(("..", "/")) and path not in self.documents}
        return frozenset(path for path in known if (self.files.root / path).is_file())

    def doc_shown(self, place: str) -> DocShown:
        """A page of the documentation."""
        page = self.documents[place]
        root = "../"  # every page of the documentation is in a folder
        return DocShown(
            title=page.title,
            html=page.below_heading().html(
                lambda link: self.links.from_file(link, place, root),
                lambda text: self.links.pieces(text, root),
            ),
            sections=tuple(
                SiteLink(one.heading, f"#{one.anchor}") for one in page.sections() if one.level == 2
            ),
        )

    @property
    def docs(self) -> tuple[DocLine, ...]:
        """The pages of the documentation by title."""
        named = (
            DocLine(SiteLink(page.title, to), page.first_sentence())
            for page, to in ((self.documents[place], to) for place, to in self.links.documents.items())
        )
        return tuple(sorted(named, key=lambda one: one.page.name.casefold()))

    # ------------------------------------------------------------------------------------ fixtures

    @cached_property
    def tables(self) -> Mapping[str, tuple[str, ...]]:
        """For each table of fixtures, the ids of its rows."""
        rows = (id for id in self.fixtures if "." in id)
        return {table: tuple(ids) for table, ids in groupby(rows, lambda id: id.partition(".")[0])}

    def fixtures_on_site(self) -> Iterator[FixtureOnSite]:
        """Each check, with its neighbours in its list."""
        for checks in (self.fixtures, self.generated):
            ids = [None, *checks, None]
            for (before, id), (_, after) in zip(pairwise(ids), pairwise(ids[1:]), strict=False):
                if id is not None:
                    file = files_by_id().get(id) or files_by_id().get(id.partition(".")[0])
                    yield FixtureOnSite(
                        checks[id],
                        self.files.place_of(file) if file else "",
                        tuple(recorded_results(id, self.runs)),
                        tuple(
                            mutant_link(name)
                            for name, one in self.first_detections.items()
                            if one.fixture == id
                        ),
                        self.check_link(before),
                        self.check_link(after),
                    )

    def check_link(self, id: str | None) -> SiteLink | None:
        return None if id is None else SiteLink(id, check_address(id) if id in self.links.checks else "")

    def check_links(self, ids: Iterable[str]) -> tuple[SiteLink, ...]:
        return tuple(SiteLink(id, check_address(id)) for id in ids if id in self.links.checks)

    def check_lines(self, checks: Iterable[Fixture]) -> tuple[CheckLine, ...]:
        """Checks as lines of a list."""
        return tuple(
            CheckLine(
                SiteLink(one.id, check_address(one.id)),
                one.title,
                one.rules,
                tuple(run.answer_to(one.id) for run in self.runs),
            )
            for one in checks
        )

    # ------------------------------------------------------------------------------------- engines

    @cached_property
    def engines(self) -> tuple[EngineShown, ...]:
        """The recorded engines."""
        return tuple(
            EngineShown(
                engine=SiteLink(run.title, engine_address(run.key)),
                version=run.version,
                edition=run.edition,
                at=run.at,
                counts=counts_shown(counts_of(run.played_results)),
                unrecorded=len(run.results) - len(run.played_results),
                replay=f"conformance run --profile gate --engine recorded:{run.file}",
            )
            for run in self.runs
        )

    def chapters_of_engines(self) -> tuple[ChapterOfEngines, ...]:
        """The chapters of the rules, with the counts of each engine."""
        tables = [by_chapter(run.played_results) for run in self.runs]
        found = sorted({chapter for table in tables for chapter in table}, key=in_order_of_rules)
        return tuple(
            ChapterOfEngines(
                SiteLink(chapter, rule_address(chapter)),
                chapters().get(chapter, ""),
                tuple(counts_shown(table.get(chapter, Counts())) for table in tables),
            )
            for chapter in found
        )

    def findings_of(self, run: RecordedRun) -> tuple[FindingShown, ...]:
        """The failures of an engine by finding, in the order of their numbers; the unexplained ones last."""
        failed = [one for one in run.played_results if one.answer == "failed"]
        groups: dict[str, list[RecordedResult]] = {}
        for one in sorted(failed, key=lambda one: (one.finding or "~", one.id)):
            groups.setdefault(one.finding, []).append(one)
        return tuple(
            FindingShown(
                SiteLink(
                    finding or "Without a finding",
                    f"{engine_address(run.key)}#{finding}" if finding in self.links.findings else "",
                ),
                next((one.listed.reason.partition(": ")[2] for one in ones if finding and one.listed), ""),
                self.check_lines(self.checks[one.id] for one in ones),
            )
            for finding, ones in groups.items()
        )

    # ----------------------------------------------------------------- rules, laws, broken engines

    @cached_property
    def first_detections(self) -> Mapping[str, Detection]:
        """What notices each broken engine first, as measured."""
        page = self.documents[BROKEN_ENGINES_PAGE]
        rows = next(
            (
                table
                for table in page.tables()
                if table and {"mutant", "fixture", "property"} <= table[0].keys()
            ),
            [],
        )
        return {
            row["mutant"]: Detection(row["fixture"], row["property"], row.get("cases", "")) for row in rows
        }

    @cached_property
    def chapters(self) -> tuple[RulesChapter, ...]:
        """The rules by chapter, each with its fixtures, laws and broken engines."""
        fixtures = citing((one.id, one.rules) for one in self.checks.values())
        laws = citing((law.name, law.rules) for law in PROPERTIES)
        broken = citing((mutant.name, (mutant.breaks,)) for mutant in MUTANTS)
        tables = [by_rule(run.played_results) for run in self.runs]
        known = sorted(rules_by_number().values(), key=lambda rule: in_order_of_rules(rule.rule))
        return tuple(
            RulesChapter(
                SiteLink(chapter, rule_address(chapter)),
                chapters().get(chapter, ""),
                tuple(
                    RuleOnSite(
                        rule=one.rule,
                        gist=one.gist,
                        formerly=tuple(f"until {name.until}: {name.number}" for name in one.formerly),
                        why_not=not_applicable().get(one.rule, ""),
                        fixtures=self.check_links(fixtures.get(one.rule, ())),
                        laws=tuple(law_link(name) for name in laws.get(one.rule, ())),
                        broken=tuple(mutant_link(name) for name in broken.get(one.rule, ())),
                        engines=tuple(counts_shown(table.get(one.rule, Counts())) for table in tables),
                    )
                    for one in rules
                ),
            )
            for chapter, rules in groupby(known, lambda rule: rule.rule.partition(".")[0])
        )

    def subjects(self) -> Iterator[SubjectShown]:
        """The laws by subject."""
        first: dict[str, list[str]] = {}
        for mutant, one in self.first_detections.items():
            first.setdefault(one.law, []).append(mutant)
        for subject, laws in groupby(PROPERTIES, lambda law: law.subject):
            name = subject.partition(": ")[0].rstrip(".")
            yield SubjectShown(
                name[:1].upper() + name[1:],
                f"about-{anchor(name)}",
                tuple(
                    LawShown(
                        name=law.name,
                        says=law.says,
                        remarks=law.remarks,
                        rules=tuple(map(rule_shown, law.rules)),
                        needs=tuple(sorted(law.needs)),
                        oracle=law.oracle,
                        broken=tuple(mutant_link(one.name) for one in MUTANTS if one.breaks in law.rules),
                        first=tuple(map(mutant_link, first.get(law.name, ()))),
                    )
                    for law in laws
                ),
            )

    def broken(self) -> Iterator[BrokenShown]:
        """The broken engines."""
        laws = self.links.laws
        for mutant in MUTANTS:
            one = self.first_detections.get(mutant.name)
            yield BrokenShown(
                name=mutant.name,
                rule=rule_shown(mutant.breaks),
                story=mutant.story,
                fixture=self.check_link(one.fixture) if one else None,
                law=(law_link(one.law) if one.law in laws else SiteLink(one.law)) if one else None,
                cases=one.cases if one else "",
            )

    def cards(self) -> Iterator[CardShown]:
        """The cards of the pool, with the fixtures that use them."""
        using = citing(
            (one.id, sorted({card.definition.name for card in one.play.cards}))
            for one in self.fixtures.values()
        )
        for name, card in sorted(pool().items()):
            address = card_address(name)
            yield CardShown(
                SiteLink(name, address),
                card_text(card),
                address.partition("#")[2],
                self.check_links(using.get(name, ())),
            )

    # -------------------------------------------------------------------------------------- search

    def search_index(self) -> Iterator[SearchEntry]:
        """Everything that can be searched for."""
        for one in self.checks.values():
            cards = (card.definition.name for card in one.play.cards)
            reasons = dict.fromkeys(expected.because for expected in one.expect if expected.because)
            words = f"{', '.join(cards)}. {'; '.join(reasons)}"
            yield entry(f"{one.id}: {one.title}", check_address(one.id), "fixture", words)
        for chapter in self.chapters:
            for rule in chapter.rules:
                yield entry(f"CR {rule.rule}", rule_address(rule.rule), "rule", rule.gist)
        for law in PROPERTIES:
            yield entry(law.name, law_address(law.name), "law", law.says)
        for mutant in MUTANTS:
            yield entry(mutant.name, mutant_address(mutant.name), "broken engine", mutant.story)
        for card in pool().values():
            yield entry(card.name, card_address(card.name), "card", card_text(card).partition("\n")[2])
        for run in self.runs:
            yield entry(run.title, engine_address(run.key), "engine", f"{run.key} {run.version}")
        for place, page in self.documents.items():
            title_of_page = page.title
            for section in page.sections():
                # The first heading is the title of the page.
                link = f"#{section.anchor}" if section.level > 1 else ""
                address = self.links.from_file(link, place, "")
                within = "" if section.heading == title_of_page else f" ({title_of_page})"
                yield entry(section.heading + within, address, "docs", " ".join(section.texts))


def entry(title: str, address: str, kind: str, words: str) -> SearchEntry:
    """An entry of the index, in texts that are safe to show."""
    return SearchEntry(
        harmless(title), address, kind, harmless(shortened(" ".join(words.split()), LONGEST_IN_INDEX))
    )


def counts_shown(counts: Counts) -> CountsShown:
    return CountsShown("", "", tuple(map(counts.of, SCORES)), counts.total)


def mutant_link(name: str) -> SiteLink:
    return SiteLink(name, mutant_address(name))


def law_link(name: str) -> SiteLink:
    return SiteLink(name, law_address(name))


def name_of(place: str) -> str:
    """The name of a page of the documentation."""
    return posixpath.basename(place).removesuffix(".md")


def documents_of(files: Sources) -> dict[str, MarkdownPage]:
    """The pages of the documentation, by path."""
    return {files.place_of(path): document(path.read_text(encoding="utf-8")) for path in files.documents}


def report_place(key: str) -> str:
    """The path of the page about an engine."""
    return f"docs/engines/{key}.md"


def reports_in(documents: Mapping[str, MarkdownPage]) -> dict[str, MarkdownPage]:
    """The pages about one engine each, by the engine's key."""
    return {name_of(place): page for place, page in documents.items() if place.startswith("docs/engines/")}

"""The site: its pages, its links, and the check that no link is dead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cli import main
from conformance.data.library import all_fixtures
from conformance.pages.addresses import check_address, rule_address, site_root
from conformance.pages.documentation import document
from conformance.site import sources as site_sources
from conformance.site.build import SiteError, build_site
from conformance.site.dead_links import dead_links
from conformance.site.fixture import FixtureOnSite, fixture_shown
from conformance.site.links import SiteLinks
from conformance.site.sources import sources

CHECKS = ("L-0114", "L-0219", "L-0051", "G-0012.01", "C-00296870")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "built"
    built = build_site(folder, sources(), only=CHECKS)
    assert len(CHECKS) == built.fixtures
    return folder


def text_of(site: Path, name: str) -> str:
    """The words of a page, without its markup."""
    return " ".join(re.sub(r"<[^>]*>", " ", (site / name).read_text(encoding="utf-8")).split())


def test_no_link_of_the_site_is_dead(site: Path) -> None:
    assert [] == [*dead_links(site)]


@pytest.mark.parametrize(
    ("page", "says"),
    [
        ('<a href="two.html">', []),
        ('<a href="two.html#here">', []),
        ('<a href="folder/">', ["one.html: nothing at folder/"]),
        ('<a href="three.html">', ["one.html: nothing at three.html"]),
        ('<a href="two.html#there">', ["one.html: nothing at two.html#there"]),
        ('<a href="../two.html">', ["one.html: nothing at ../two.html"]),
        ('<a href="#me">', ["one.html: nothing at #me"]),
        ('<p id="me"></p><i class="x" id="me"></i>', ["one.html: two elements are #me"]),
        ('<a href="https://example.org/">', []),
        (
            '<script src="https://example.org/x.js"></script>',
            ["one.html: <script> would load https://example.org/x.js"],
        ),
        ('<img alt="" src="//example.org/x.png">', ["one.html: <img> would load //example.org/x.png"]),
        ('<link rel="icon" href="data:,">', []),
    ],
)
def test_dead_link_is_noticed(tmp_path: Path, page: str, says: list[str]) -> None:
    (tmp_path / "one.html").write_text(page, encoding="utf-8")
    (tmp_path / "two.html").write_text('<p id="here">', encoding="utf-8")

    assert says == [*dead_links(tmp_path)]


def test_dead_address_of_the_search_index_is_noticed(tmp_path: Path) -> None:
    assert ["index: nothing at x.html"] == [*dead_links(tmp_path, {"x.html": "index"})]


@pytest.mark.sweep
def test_site_with_a_dead_link_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.site.contents.rule_address", lambda rule: f"rules/{rule}.html")
    with pytest.raises(SiteError, match=r"no dead links:\n    search-index.js: nothing at rules/"):
        build_site(tmp_path / "site", sources(), only=CHECKS[:1])


def test_fixture_page_says_what_is_expected_why_and_who_passes(site: Path) -> None:
    text = text_of(site, check_address("L-0114"))

    assert "plains1 : subtypes are Plains CR 613.8a : Urborg depends on Blood Moon" in text
    assert "reference rules of 2026-09-25 ✓ passed" in text
    assert re.search(
        r"phase-rs 0\.1\.26 b86598b ✗ failed .* expected Plains observed Plains, Swamp F02 :", text
    )
    assert re.search(r"XMage 1\.4\.61 bb9895f ✓ passed", text)
    assert "conformance run --engine YOUR_ENGINE L-0114" in text
    assert "Layer 4" in text or "4 types" in text


def test_fixture_page_links_the_bugs_that_it_would_have_caught(site: Path) -> None:
    page = (site / check_address("L-0051")).read_text(encoding="utf-8")

    assert (
        '<a href="https://github.com/magarena/magarena/issues/758"><bdi>magarena/magarena#758</bdi></a>'
        in page
    )


def test_what_differs_only_in_the_value_is_reported_together() -> None:
    shown = fixture_shown(FixtureOnSite(all_fixtures()["G-0136"], "", ()))
    [together] = [one for one in shown.expected if "power is 1" in one.facts]

    assert ("counters are 1 -1/-1", "power is 1", "toughness is 1") == together.facts[-3:]
    assert "CR 702.79a: back with a -1/-1 counter" == together.because
    assert len(shown.expected) < len(all_fixtures()["G-0136"].expect)


def test_list_of_failures_names_each_column(site: Path) -> None:
    engine = (site / "engines/phase-rs.html").read_text(encoding="utf-8")
    failures = engine[engine.index('id="failures"') :]
    [heading, row] = [failures[failures.index(tag) :].partition("</tr>")[0] for tag in ("<thead>", "<tbody>")]

    assert 6 == len(re.findall("<th ", heading)) == len(re.findall("<t[hd][ >]", row))


def test_pages_link_rules_findings_and_checks(site: Path) -> None:
    fixture = (site / "fixtures/L-0114.html").read_text(encoding="utf-8")
    engine = (site / "engines/phase-rs.html").read_text(encoding="utf-8")
    chapter = (site / "rules/613.html").read_text(encoding="utf-8")

    assert '<a href="../rules/613.html#613.8a">CR 613.8a</a>' in fixture
    assert '<a href="../engines/phase-rs.html#F02">F02</a>' in fixture
    assert '<h3 id="F02">' in engine
    assert '<a href="../fixtures/L-0114.html">L-0114</a>' in engine
    assert 'id="613.8b"' in chapter and "fixtures/L-0114.html" in chapter


def test_every_broken_engine_law_and_card_has_its_place(site: Path) -> None:
    mutants = (site / "mutants.html").read_text(encoding="utf-8")
    at = mutants.index('id="timestamps-only"')
    assert "a_dependency_outranks_age" in mutants[at : at + 1500]
    assert 'id="a_dependency_outranks_age"' in (site / "laws.html").read_text(encoding="utf-8")
    assert 'id="urborg-tomb-of-yawgmoth"' in (site / "cards.html").read_text(encoding="utf-8")


def test_table_of_fixtures_has_a_page_with_its_rows(site: Path) -> None:
    assert 'href="../fixtures/G-0012.01.html"' in (site / "fixtures/G-0012.html").read_text(encoding="utf-8")


@pytest.mark.sweep
@pytest.mark.nightly
def test_two_builds_are_the_same(site: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    build_site(again, sources(), only=CHECKS)

    def contents(folder: Path) -> dict[str, bytes]:
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*")}

    assert contents(site) == contents(again)


def test_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")

    ended = CliRunner().invoke(main, ["site", str(tmp_path)])

    assert 2 == ended.exit_code
    assert "there are files in it" in ended.output
    assert ["mine.txt"] == [path.name for path in tmp_path.iterdir()]


def test_without_a_checkout_the_command_says_which_files_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_sources, "fixtures_folder", lambda: tmp_path / "fixtures")

    ended = CliRunner().invoke(main, ["site", str(tmp_path / "site")])

    assert 2 == ended.exit_code
    assert "only a checkout has: adapters/recordings" in ended.output
    assert "clone the repository" in ended.output
    assert not (tmp_path / "site").exists()


# --------------------------------------------------------------------------------- Markdown, links


def rendered(text: str) -> str:
    return str(document(text).html(lambda link: link, lambda words: iter([(words, "")])))


def test_markdown_shows_html_as_text() -> None:
    html = rendered("a <script>alert(1)</script> b\n\n<div onclick='x'>\n\n| <b> |\n|---|\n| \"'& |\n")

    assert "<script" not in html and "<div onclick" not in html and "<b>" not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_markdown_makes_no_link_that_runs_something(link: str) -> None:
    assert "href" not in rendered(f"[here]({link})")


def test_markdown_has_no_style_attribute() -> None:
    html = rendered("| a | b |\n|--:|:-:|\n| 1 | 2 |\n")

    assert "style" not in html
    assert '<td class="right brief">1</td>' in html


def test_headings_and_findings_have_anchors_as_on_github() -> None:
    page = document(
        "# One\n\n## The `same`, twice!\n\n## The `same`, twice!\n\n### X01. What happens\n\n**Bold**\n"
    )

    assert ("one", "the-same-twice", "the-same-twice-1", "X01") == page.anchors()
    assert ("X01",) == page.findings()


LINKS = SiteLinks(
    checks=frozenset({"L-0001", "G-0012.01", "C-00296870"}),
    rules=frozenset({"613.8", "613.8b", "704.5aa"}),
    laws=frozenset({"two_switches_cancel"}),
    findings={"X01": "xmage"},
    documents={"docs/cards.md": "docs/cards.html"},
    sections={
        "docs/engines/xmage.md": "engines/xmage.html",
        "docs/engines/xmage.md#x01-odd": "engines/xmage.html#X01",
    },
)


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("see L-0001.", {"L-0001": "fixtures/L-0001.html"}),
        ("G-0012.01 and L-0002", {"G-0012.01": "fixtures/G-0012.01.html"}),
        ("XL-0001 L-00011 L-0001a", {}),
        ("CR 613.8b: waits", {"CR 613.8b": "rules/613.html#613.8b"}),
        ("(613.8, 704.5aa)", {"613.8": "rules/613.html#613.8", "704.5aa": "rules/704.html#704.5aa"}),
        ("version 1.613.8 and 613.80 and 613.8.1", {}),
        ("CR 613 as a whole", {"CR 613": "rules/613.html"}),
        ("X01: why; X010", {"X01": "engines/xmage.html#X01"}),
        ("`two_switches_cancel`", {"two_switches_cancel": "laws.html#two_switches_cancel"}),
        ("no_such_law", {}),
        ("", {}),
    ],
)
def test_names_in_texts_become_links(text: str, linked: dict[str, str]) -> None:
    pieces = [*LINKS.pieces(text)]

    assert text == "".join(piece for piece, _ in pieces)
    assert linked == {piece: to for piece, to in pieces if to}


@pytest.mark.parametrize(
    "text", ["a_" * 50_000, "1" * 100_000, "CR " * 50_000, "613." * 30_000, "L-" + "0" * 100_000]
)
def test_long_texts_take_linear_time(text: str) -> None:
    assert text == "".join(piece for piece, _ in LINKS.pieces(text))


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("cards.md#x", "../docs/cards.html#x"),
        ("engines/xmage.md", "../engines/xmage.html"),
        ("engines/xmage.md#x01-odd", "../engines/xmage.html#X01"),
        ("examples/gate.sh", "../files/docs/examples/gate.sh"),
        ("https://example.org/a", "https://example.org/a"),
    ],
)
def test_links_between_files_lead_to_pages_and_copies(link: str, address: str) -> None:
    assert address == LINKS.from_file(link, "docs/protocol.md", "../")


def test_addresses_stay() -> None:
    assert "fixtures/L-0114.html" == check_address("L-0114")
    assert "laws.html#two_switches_cancel" == check_address("two_switches_cancel")
    assert "rules/613.html#613.8b" == rule_address("613.8b")
    assert "rules/613.html" == rule_address("613")


def links_on(page: Path) -> set[str]:
    return set(re.findall(r'href="(https?:[^"]*)"', page.read_text(encoding="utf-8")))


def test_pages_of_runs_link_checks_to_a_site(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(
        "setup: [{id: bear, card: Grizzly Bears, controller: alice}]\nexpect: [{of: bear, power: 3}]\n",
        encoding="utf-8",
    )
    page, events, both = tmp_path / "run.html", tmp_path / "run.json", tmp_path / "both.html"
    site = ("--site", "https://example.org/suite")
    asked = ("run", "--engine", "mutant:timestamps-only", "L-0114", "L-0031", str(own))
    CliRunner().invoke(main, [*asked, "--html", str(page), *site, "--json", str(events)])
    root = "https://example.org/suite/fixtures/"
    assert {f"{root}L-0114.html", f"{root}L-0031.html"} == links_on(page)

    right = tmp_path / "right.json"
    CliRunner().invoke(main, ["run", "--engine", "reference", "L-0114", "L-0031", "--json", str(right)])
    ended = CliRunner().invoke(main, ["compare", str(events), str(right), "--html", str(both), *site])
    assert 0 == ended.exit_code, ended.output
    assert {f"{root}L-0114.html"} == links_on(both)

    CliRunner().invoke(main, [*asked, "--html", str(page)])
    assert set() == links_on(page)


def test_run_refuses_a_site_that_is_none_before_it_begins(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    ended = CliRunner().invoke(main, ["run", "L-0031", "--html", str(page), "--site", "javascript:alert(1)"])

    assert 2 == ended.exit_code
    assert "--site 'javascript:alert(1)' is no address of a site\n    write one like" in ended.output
    assert not page.exists()


@pytest.mark.parametrize("url", ["https://example.org/suite", "http://localhost:8000/"])
def test_address_of_a_site_ends_in_a_slash(url: str) -> None:
    assert url.rstrip("/") + "/" == site_root(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "javascript:alert(1)",
        "https://",
        "https://x/?q",
        "https://x/ y",
        'https://x/"',
        "https://[",
        "file:///x",
    ],
)
def test_wrong_address_of_a_site_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="write one like"):
        site_root(url)

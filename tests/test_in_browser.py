"""Pages in a real browser, Debian's Chromium: `tox -e browser`.

Nothing is downloaded: Playwright drives the browser that is installed. Without one these tests are skipped,
unless CONFORMANCE_BROWSER is `required`, as it is in `.ci/run`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from conformance.commands import explain_and_play
from conformance.data.library import all_fixtures
from conformance.model.engine import EngineInfo
from conformance.model.features import features_of
from conformance.model.peer_report import PeerReport, PeerStart, PeerTiming
from conformance.model.scenario import Fixture
from conformance.model.verdict import (
    Crash,
    Fail,
    PartOfVerdict,
    PassVerdict,
    Unsupported,
    Verdict,
    moment,
)
from conformance.pages.campaign import (
    AgreementShown,
    CampaignShown,
    FoundShown,
    PlayedShown,
    campaign_page,
)
from conformance.pages.explanation_page import ExplanationPage, explained_page, problems_page
from conformance.pages.peers import peers_page
from conformance.pages.run import DifferenceShown
from conformance.pages.site import ResultShown, SiteLink, SitePages
from conformance.report.html import html
from conformance.report.side_by_side_page import comparison_html
from conformance.results.events import Diagnosis, FinishedCheck, Run, RunBegan, RunEnded, RunSelection
from conformance.results.silence import Silence, Suspicious
from conformance.results.summary import counts_of
from conformance.site.build import build_site
from conformance.site.fixture import FixtureOnSite, fixture_shown
from conformance.site.sources import sources
from conformance.wording.scripts import action_text
from tests.shared import made_once, shared_folder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

sync_playwright = pytest.importorskip(
    "playwright.sync_api", reason="tox -e browser has Playwright"
).sync_playwright
Axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="tox -e browser has axe-core").Axe

REQUIRED = os.environ.get("CONFORMANCE_BROWSER") == "required"
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        assert not REQUIRED, "no Chromium: apt-get install chromium"
        pytest.skip("no Chromium is installed")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def contexts(browser: Browser) -> Iterator[Mapping[bool, BrowserContext]]:
    """A context with scripts and one without, which all pages share."""
    made = {script: browser.new_context(java_script_enabled=script) for script in (True, False)}
    yield made
    for context in made.values():
        context.close()


Visit = Callable[..., "Page"]


@pytest.fixture
def visit(contexts: Mapping[bool, BrowserContext]) -> Iterator[Visit]:
    """A function that opens an address; at the end, fails if anything went wrong on a page.

    A page may request what is `inside` an address, by default only itself.
    """
    wrong: list[str] = []
    pages = []

    def open_address(address: str, inside: str = "", script: bool = True) -> Page:
        page = contexts[script].new_page()
        pages.append(page)
        page.set_viewport_size({"width": 1200, "height": 900})

        def note(what: str) -> None:
            wrong.append(f"{address[-80:]}: {what[:200]}")

        def note_request(url: str) -> None:
            if url not in (address, "data:,") and not (inside and url.startswith(inside)):
                note(url)

        page.on("console", lambda message: note(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: note(str(error)))
        page.on("dialog", lambda dialog: note(f"dialog: {dialog.message}"))
        page.on("request", lambda asked: note_request(asked.url))
        page.goto(address)
        return page

    yield open_address
    for page in pages:
        page.close()
    assert [] == wrong


@pytest.fixture
def opened(visit: Visit, tmp_path: Path) -> Visit:
    """A function that opens a page from its text."""
    files = count()

    def open_text(text: str, script: bool = True) -> Page:
        file = tmp_path / f"{next(files)}.html"
        file.write_text(text, encoding="utf-8")
        return visit(file.as_uri(), script=script)

    return open_text


@cache
def shown(id: str) -> ExplanationPage:
    """What the page of a fixture shows."""
    made = explain_and_play.explain_scenario(id)
    return ExplanationPage(
        title=made.title,
        edition=made.explanation.edition,
        again=made.again,
        text=made.text,
        timeline=made.played.timeline(action_text),
    )


def page_of(id: str) -> str:
    return explained_page(shown(id))


WIDTHS = (360, 1600)


def overflows(page: Page) -> Mapping[int, int]:
    """By how many pixels the page is wider than the window, for each width at which it is."""
    found = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        found[width] = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
    return {width: pixels for width, pixels in found.items() if pixels}


def checked(
    verdict: Verdict,
    id: str,
    scenario: Fixture | None = None,
    rules: tuple[str, ...] = ("613.4b",),
    **more: Any,
) -> FinishedCheck:
    features = tuple(sorted(features_of(scenario.play))) if scenario else ("counters",)
    title = scenario.title if scenario else "A title"
    again = f"conformance run --engine mine {id}"
    return FinishedCheck(
        id, "a_name", title, rules, verdict, 0.1, again, 3, features, scenario=scenario, **more
    )


def wrong_answer(fixture: Fixture, observed: str = "9") -> Verdict:
    """A wrong answer to each expectation of a fixture."""
    return Fail(
        tuple(
            PartOfVerdict(
                "fail",
                one.about,
                moment(fixture, one.look),
                one.key,
                "2",
                observed,
                f"CR {fixture.rules[0]}: so",
            )
            for one in fixture.expect
        )
    )


def run_of(*results: FinishedCheck, name: str = "mine", version: str = "1") -> Run:
    info = EngineInfo(name, version)
    began = RunBegan(1, "2026-11-21T10:00:00+00:00", "1", name, info, "2026-09-25", RunSelection(), 7)
    silence = Silence((), (Suspicious("613.4b", 2, 9, ("U-1", "U-2")),))
    ended = RunEnded(counts_of(results), 0, 1, 1.0, silence=silence)
    where = ("by the rules: layer 7b: humility", "and here:     layer 7c: bear")
    return Run(began, results, ended, tuple(Diagnosis(one.id, where, ()) for one in results[:1]))


RIGHT = PassVerdict((PartOfVerdict("pass", "bear", "at the end", "power", "2", "2"),))


@cache
def large_run(name: str = "mine", failures: int = 300, every: int = 5000) -> Run:
    """A run of 5,000 checks and 300 failures of all kinds."""
    fixtures = [one for one in all_fixtures().values() if one.play.players]
    found = []
    for at in range(failures):
        fixture = fixtures[at * 7 % len(fixtures)]
        found.append(checked(wrong_answer(fixture), f"F-{at:04}", fixture, fixture.rules))
    found += [
        checked(Crash("gone", "Exception at Game.java:7"), "X-1"),
        checked(wrong_answer(fixtures[0]), "K-1", standing="listed", note="no layers; expires 2027-01-01"),
        *(checked(Unsupported(f"no {at % 7} things"), f"U-{at}", rules=("601.2f",)) for at in range(900)),
    ]
    found += [checked(RIGHT, f"P-{at:04}", rules=("117.3a",)) for at in range(every - len(found))]
    return run_of(*found, name=name)


def run_page_text() -> str:
    return made_once("large run", lambda: html(large_run()))


def comparison_page_text() -> str:
    return made_once("large comparison", compared)


def compared() -> str:
    others = [
        run_of(
            *(replace(one, verdict=RIGHT) if at % 3 else one for at, one in enumerate(large_run().checked))
        )
    ]
    older = run_of(*large_run().checked[:4000:2], name="theirs", version="1")
    newer = run_of(*large_run().checked[:4000:3], name="theirs", version="2")
    return comparison_html([large_run(), *others, older, newer])


def campaign(causes: int) -> CampaignShown:
    """A campaign of two engines, each with this number of causes."""
    board = shown("L-0219").timeline.boards[-1]
    found = tuple(
        FoundShown(
            kind="wrong answer",
            rule="613.8b",
            gist="A dependent effect waits",
            says="cabin, at the end: subtypes are Forest instead of Mountain",
            looks="Applies effects oldest first and never waits." if at % 2 else "",
            times=at + 1,
            laws=tuple(f"a_law_of_number_{law}" for law in range(at % 7 + 1)),
            again=f"conformance run --engine mine report/{at}.json",
            board=board if at % 3 else None,
        )
        for at in range(causes)
    )
    engines = tuple(
        PlayedShown(name, 1234, 5, 67890, found, (("did not start", 3),), (("a_law, block 3", "no"),))
        for name in ("mine", "theirs")
    )
    agreements = (AgreementShown(("mine", "theirs"), 9, 5, 1, 1, 1, 1),)
    return CampaignShown("Campaign of a night", (("played for", "8 h"),), engines, agreements)


PAGES_OF_RUNS: Mapping[str, Callable[[], str]] = {
    "run": run_page_text,
    "compare": comparison_page_text,
    "campaign": lambda: campaign_page(campaign(60)),
}


def small_page(which: str) -> str:
    """A page of a few checks or causes."""
    few = large_run("few", 12, 40)
    mixed = run_of(*(replace(one, verdict=RIGHT) if at % 2 else one for at, one in enumerate(few.checked)))
    small: Mapping[str, Callable[[], str]] = {
        "run": lambda: html(few),
        "compare": lambda: comparison_html([few, mixed, few]),
        "campaign": lambda: campaign_page(campaign(8)),
    }
    return small[which]()


def open_all(page: Page) -> None:
    """Show what is folded away."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")


def serious(page: Page) -> list[tuple[str, str, list[str]]]:
    """The serious problems that axe finds, in either theme: the theme, the rule, and where.

    Changes the page: of elements that are built alike, inside others that are alike, only the first is left.
    """
    page.evaluate(THIN_OUT)
    found = []
    # A theme changes colours and nothing else. Preloading would request the stylesheet again.
    for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast", "link-in-text-block"]})):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type, unused-ignore]  # with and without playwright
        options = {"preload": False, "resultTypes": ["violations"], **rules}
        found += [
            (scheme, one["id"], [node["html"][:200] for node in one["nodes"][:3]])
            for one in Axe().run(page, options=options).response["violations"]
            if one["impact"] in ("serious", "critical")
        ]
    return found


THIN_OUT = """() => {
  const told = ({ name, value }) =>
    name === 'class' || name === 'role' || name.startsWith('aria-hidden') ? `${name}=${value}` : name;
  const own = (one) => [one.tagName, ...Array.from(one.attributes, told)].join(' ');
  const shape = (one) => {
    const inside = new Set(Array.from(one.children, shape));
    return `${own(one)} ${one.textContent.trim() ? 'says' : ''}(${[...inside].join()})`;
  };
  const place = (one) => (one ? `${place(one.parentElement)} > ${own(one)}` : '');
  const kinds = 'main, section, article, div, ul, ol, dl, tbody, tr, pre, p';
  const seen = new Set();
  for (const around of document.querySelectorAll(kinds)) {
    if (!around.isConnected) continue;
    for (const one of Array.from(around.children)) {
      const known = `${place(around)} > ${shape(one)}`;
      if (seen.has(known)) one.remove();
      seen.add(known);
    }
  }
}"""


def reached_by_tab(page: Page) -> tuple[list[int], set[int]]:
    """The numbers of what should be reachable, and of what the Tab key reaches."""
    reachable: list[int] = page.evaluate(
        """() => [...document.querySelectorAll('a[href], button, summary, input, select, [tabindex="0"]')]
        .filter((one) => !one.disabled && one.checkVisibility())
        .map((one, number) => (one.dataset.n = number))"""
    )
    seen = set()
    for _ in range(len(reachable) + 5):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("Number(document.activeElement.dataset.n ?? -1)"))
    return reachable, seen - {-1}


SEVERAL = (
    *("L-0114", "L-0219", "L-0192", "G-0097", "G-0136", "G-0145", "L-0142", "L-0011"),
    *("G-0942", "G-0263"),
)
"""A dependency, a loop, layers that go on, teams, triggers, a long script, copies face down, many objects;
combat with damage, and a cost in steps.
"""


def test_serious_problems_are_found_at_the_end_of_a_list_and_in_either_theme(opened: Visit) -> None:
    style = (
        "body { background: #fff } .faint { color: #ddd }"
        "@media (prefers-color-scheme: dark) { body { background: #000; color: #fff } .dark { color: #222 } }"
    )
    entries = ["<li>one</li>"] * 99 + [
        "<li class=dark>two</li>",
        "<li class=faint>three</li>",
        "<li><button></button></li>",
    ]
    page = opened(
        f"<!doctype html><html lang=en><title>t</title><style>{style}</style>"
        f"<main><h1>h</h1><ul>{''.join(entries)}</ul></main>"
    )
    assert {("light", "color-contrast"), ("light", "button-name"), ("dark", "color-contrast")} == {
        (scheme, rule) for scheme, rule, _ in serious(page)
    }
    assert 4 == page.locator("li").count()


@pytest.mark.parametrize("id", SEVERAL)
def test_page_opens_without_a_request_or_an_error_fits_and_is_accessible(opened: Visit, id: str) -> None:
    page = opened(page_of(id))
    assert {} == overflows(page)
    assert page.evaluate("document.documentElement.classList.contains('scripted')")
    assert [] == serious(page)


def test_page_of_speeds_fits_is_accessible_and_runs_nothing(opened: Visit) -> None:
    name = "./" + "a-long-command/" * 8 + "<script>alert(1)</script>"
    timings = tuple(PeerTiming(one, "a game", 9, 0.01, 0.008, 0.02, 0.009, 0.001) for one in (name, "other"))
    starts = tuple(PeerStart(one, "Engine 2", 1.5, 0.02) for one in (name, "other"))
    report = PeerReport(3, 1.0, starts, timings, ((name, "a board"),), (("a game", 1), ("a board", 2)))

    page = opened(peers_page(report))

    assert {} == overflows(page)
    assert [] == serious(page)


def test_page_says_everything_without_its_script(opened: Visit) -> None:
    page = opened(page_of("G-0136"), script=False)
    assert [] == page.locator(".needs-script:visible").all()
    assert page.get_by_text("enters of redcap resolves").first.is_visible()
    summaries = page.locator("details.view > summary")
    assert summaries.count() > 3 and all(one.is_visible() for one in summaries.all())


def test_keyboard_reaches_everything(opened: Visit) -> None:
    page = opened(page_of("G-0136"))
    reachable, seen = reached_by_tab(page)
    assert len(reachable) > 10
    assert set(reachable) == seen


def test_arrow_keys_go_through_moments_and_layers(opened: Visit) -> None:
    page = opened(page_of("L-0120"))
    at = page.locator(".layers .at").last
    assert "after all layers" == at.text_content()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert re.fullmatch(r"step \d of \d: .+ in layer \w+", at.text_content() or "")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert "after all layers" == at.text_content()
    page.locator(".moment-button").first.focus()
    page.keyboard.press("ArrowDown")
    assert "moment-3" == page.locator(".scene.shown-now").get_attribute("id")
    page.keyboard.press("ArrowUp")
    assert "moment-2" == page.locator(".scene.shown-now").get_attribute("id")
    assert page.url.endswith("#moment-2")
    page.set_viewport_size({"width": WIDTHS[1], "height": 900})
    page.locator(".moment-button").first.click()
    assert 0 == page.evaluate("scrollY")
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    page.locator(".moment-button").first.click()
    assert abs(page.locator(".scenery").evaluate("(one) => one.getBoundingClientRect().y")) < 40
    assert page.locator(".scenery .moment").first.is_visible()


def test_chosen_object_shows_what_touches_it(opened: Visit) -> None:
    page = opened(page_of("L-0114"))
    page.get_by_role("button", name="plains1", exact=True).first.click()
    faint = (
        "(id) => getComputedStyle(document.querySelector(`.tile:has([aria-pressed=${id}])`)).opacity < 0.5"
    )
    page.wait_for_function(faint, arg="false")
    assert not page.evaluate(faint, "true")
    page.keyboard.press("Escape")
    assert not page.evaluate("document.documentElement.classList.contains('picking')")
    page.mouse.move(0, 0)
    page.get_by_role("button", name="moon", exact=True).first.focus()
    page.wait_for_function(faint, arg="false")
    page.locator(".in-words summary").focus()
    assert not page.evaluate("document.documentElement.classList.contains('picking')")


def test_page_made_for_one_object_opens_with_it_in_focus(opened: Visit) -> None:
    page = opened(explained_page(replace(shown("G-0136"), of="redcap")))
    assert "redcap" == page.locator("[aria-pressed=true]").first.text_content()
    lines = page.locator(".line.touched").all_text_contents()
    assert any("redcap deals 1 damage" in line for line in lines)
    assert not any("grenade deals 5 damage" in line for line in lines)


def test_page_that_follows_a_file_loads_again_when_it_is_saved_and_runs_nothing(
    contexts: Mapping[bool, BrowserContext], tmp_path: Path
) -> None:
    def board(id: str, title: str, more: str = "") -> str:
        card = {"name": f"Test {HOSTILE[0]}", "types": ["Creature"], "power": 1, "toughness": 1}
        setup = [{"id": id, "card": card["name"], "controller": "alice"}]
        return json.dumps({"title": title, "cards": [card], "setup": setup}) + more

    def save(text: str) -> None:
        beside = tmp_path / "beside"
        beside.write_text(text, encoding="utf-8")
        beside.replace(file)

    file = tmp_path / "board.yaml"
    save(board("bear", HOSTILE[1]))
    command = [sys.executable, "-m", "conformance", "play", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process, ExitStack() as ends:
        ends.callback(process.terminate)
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        wrong: list[str] = []
        page = contexts[True].new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "request",
            lambda asked: None if asked.url.startswith((address, "data:,")) else wrong.append(asked.url),
        )
        page.goto(address)
        assert page.get_by_role("button", name="bear", exact=True).count()
        assert HOSTILE[1] in page.title()
        save(board(id="ogre", title="W" * 5000))
        page.get_by_role("button", name="ogre", exact=True).first.wait_for()
        assert HOSTILE[0] in page.locator(".tile").inner_text()
        assert {} == overflows(page)
        reachable, seen = reached_by_tab(page)
        assert set(reachable) == seen
        assert [] == serious(page)
        save(board("ogre", "t", f"\n# {HOSTILE[0]}\n{HOSTILE[2]}"))
        page.locator(".problems").wait_for()
        assert page.get_by_role("button", name="ogre", exact=True).count()
        assert {} == overflows(page)
        assert [] == serious(page)
        assert [] == wrong
        process.terminate()
        page.locator(".ended-note").wait_for()
        page.close()


# ----------------------------------------------------------------- the same numbers as the text

SIZES = re.compile(r"(-?\d+/-?\d+) → (-?\d+/-?\d+)")


def sizes_in_text(text: str) -> list[tuple[str, int, str, str]]:
    """Layer, number of the step, object and change of size, as listed in the text of an explanation."""
    layer, number = "", 0
    found = []
    for line in text.splitlines():
        if heading := re.match(r"Layer ([^:]+):", line):
            layer = heading[1]
        elif not line.startswith(" "):
            layer = ""
        elif step := re.match(r"  (\d+)\. ", line):
            number = int(step[1])
        elif (
            layer
            and (change := re.match(r"     ([^:“]+): (.*)", line))
            and (sizes := SIZES.search(change[2]))
        ):
            found += [(layer, number, id, sizes[0]) for id in re.split(r", | and ", change[1])]
    return found


STEP_THROUGH = """() => {
  const layers = document.querySelector('.view.shown .layers') ?? document.querySelector('.layers');
  const go = (how) => layers.querySelector(`[data-go="${how}"]`)?.click();
  const found = [];
  const steps = Number(layers.dataset.steps);
  go('first');
  for (let step = 1; step <= steps; step++) {
    go('on');
    for (const row of layers.querySelectorAll('.objects tr')) {
      const change = row.querySelector(`.change[data-step="${step}"]`);
      const sizes = change?.querySelector('.sizes');
      if (!sizes) continue;
      found.push([
        change.closest('td').querySelector('.in-layer .label').textContent,
        Number(change.querySelector('.badge').textContent),
        row.querySelector('.pick').textContent,
        sizes.textContent.trim(),
        row.querySelector('.looks .shown .size')?.textContent ?? '',
        change.classList.contains('now') || steps === step,
      ]);
    }
  }
  return found;
}"""


def stepped() -> Mapping[str, list[tuple[str, int, str, str]]]:
    """Twenty fixtures in which layers change sizes, with the changes as the text lists them."""
    found: dict[str, list[tuple[str, int, str, str]]] = {}
    for id, fixture in all_fixtures().items():
        if id.startswith("L-") and len(fixture.play.setup) > 2 and len(found) < 20:
            changes = sizes_in_text(shown(id).text)
            if len(changes) > 1 and all("more" not in change[2] for change in changes):
                found[id] = changes
    return found


def test_stepping_shows_the_same_numbers_as_the_text(opened: Visit) -> None:
    fixtures = stepped()
    assert 20 == len(fixtures)
    page = opened(page_of("L-0114"))
    for id, wanted in fixtures.items():
        page.set_content(page_of(id))
        seen = page.evaluate(STEP_THROUGH)
        rows = [
            (layer, number, one, sizes) for layer, number, ids, sizes, _, _ in seen for one in ids.split(", ")
        ]
        assert sorted(wanted) == sorted(rows), id
        for _, _, ids, sizes, look, now in seen:
            assert (sizes.split(" → ")[1], True) == (look, now), (id, ids)


# ------------------------------------------------------------------------------------- the site

ON_THE_SITE = ("L-0114", "L-0219", "G-0097", "G-0136", "L-0142", "G-0012.01", "C-00296870")
PAGES = (
    "index.html",
    "engines/index.html",
    "engines/xmage.html",
    "fixtures/index.html",
    "fixtures/L-0114.html",
    "fixtures/G-0136.html",
    "fixtures/L-0142.html",
    "rules/index.html",
    "rules/613.html",
    "laws.html",
    "mutants.html",
    "cards.html",
    "docs/index.html",
    "docs/README.html",
    "docs/scenario.html",
    "search.html?q=urborg",
)


@pytest.fixture(scope="session")
def site() -> Path:
    def build() -> Path:
        folder = Path(mkdtemp(dir=shared_folder()))
        build_site(folder, sources(), only=ON_THE_SITE)
        return folder

    return made_once("site", build)


@pytest.fixture
def visited(visit: Visit, site: Path) -> Visit:
    """A function that opens a page of the site."""
    inside = f"{site.as_uri()}/"
    return lambda name, script=True: visit(inside + name, inside, script)


OUT_OF_REACH = """() => [...document.querySelectorAll('a[href], button, input, summary')]
.filter((one) => one.checkVisibility() && one.tabIndex < 0).map((one) => one.outerHTML)"""


@pytest.mark.parametrize("name", PAGES)
def test_page_of_the_site_opens_fits_is_accessible_and_reached_by_the_keyboard(
    visited: Visit, name: str
) -> None:
    page = visited(name)
    assert {} == overflows(page)
    assert page.evaluate("document.documentElement.classList.contains('scripted')")
    assert "rgb" in page.evaluate("getComputedStyle(document.querySelector('.site-bar')).borderBottomColor")
    assert [] == page.evaluate(OUT_OF_REACH)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    assert "skip" == page.evaluate("document.activeElement.className") or name.startswith("search.html")
    assert [] == serious(page)


def test_search_finds_by_id_rule_and_words_and_follows_the_keyboard(visited: Visit) -> None:
    page = visited("docs/index.html")
    page.locator(".site-bar input").fill("l-0114")
    page.keyboard.press("Enter")
    page.locator(".found a").first.wait_for()
    assert (page.locator(".found a").first.text_content() or "").startswith("L-0114: ")
    field = page.locator(".search-form input")
    field.fill("613.8b")
    assert "CR 613.8b" == page.locator(".found a").first.text_content()
    assert page.url.endswith("?q=613.8b")
    field.fill("loop timestamps")
    assert any("613.8b" in text for text in page.locator(".found a").all_text_contents())
    field.fill("no such words at all")
    assert "0 found" == page.locator(".search-form output").text_content()
    field.fill("G-0136")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator(".timeline").wait_for()
    assert page.url.endswith("fixtures/G-0136.html")


def test_list_of_the_site_can_be_narrowed(visited: Visit) -> None:
    page = visited("fixtures/index.html")
    page.locator(".filter [name=rule]").fill("613.8")
    assert ["L-0114", "L-0219"] == page.locator("[data-listed]:visible th").all_text_contents()
    page.locator(".filter [name=text]").fill("urborg")
    assert "1 of 6" == page.locator(".filter output").text_content()


@pytest.mark.parametrize("name", ["index.html", "fixtures/G-0136.html", "fixtures/index.html", "search.html"])
def test_site_can_be_read_without_scripts(visited: Visit, name: str) -> None:
    page = visited(name, script=False)
    assert [] == page.locator(".needs-script:visible").all()
    assert page.locator("main").inner_text().strip()
    if name == "search.html":
        assert page.get_by_text("Searching needs JavaScript").is_visible()


# ------------------------------------------------------------------------------ hostile strings

HOSTILE = (
    "<script>document.title = 'owned'; alert(1)</script>",
    "</style></script><img src=x onerror=alert(1)>",
    "]]><svg onload=alert(1)>",
    '"><a href="javascript:alert(1)">here</a>',
    "&lt;b&gt; &#0; {{ 7 * 7 }} {% raw %}",
    "\u202egnp.exe\u2066\u200b\u0000\u0007",
    "W" * 5000,
    "e" + "\u0301" * 300,
)
AS_THEY_ARE = {"kind", "colors", "marks", "layer", "again", "edition", "to", "result"}
"""Fields with words of our own, which nobody else can choose."""


def made_hostile(value: Any, counter: Iterator[int]) -> Any:
    """The value with every text from outside made hostile."""
    if isinstance(value, str):
        return f"{value[:40]}{HOSTILE[next(counter) % len(HOSTILE)]}" if value else value
    if isinstance(value, tuple):
        return tuple(made_hostile(one, counter) for one in value)
    if isinstance(value, Struct):
        fields = (name for name in value.__struct_fields__ if name not in AS_THEY_ARE)
        return replace(value, **{name: made_hostile(getattr(value, name), counter) for name in fields})
    return value


STICKING_OUT = """() => [...document.querySelectorAll('.tile, .effect, .line, .object, .side')].filter(
(one) => one.checkVisibility() && !one.closest('.scroll')
&& one.getBoundingClientRect().right > innerWidth + 1).length"""


@pytest.mark.parametrize("id", ["L-0219", "G-0136", "L-0142", "G-0942", "G-0263"])
def test_hostile_strings_run_nothing_and_break_no_layout(opened: Visit, id: str) -> None:
    hostile = made_hostile(shown(id), count())
    page = opened(explained_page(replace(hostile, title="x" * 1_000_000 + "</title>")))
    assert page.title().startswith("xxxx")
    assert 0 == page.locator("img, iframe, a:not(.skip)").count()
    assert HOSTILE[0] in page.locator("main").inner_text()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert 0 == page.evaluate(STICKING_OUT)
    assert {} == overflows(page)


def test_file_that_cannot_be_played_has_a_page_that_runs_nothing(opened: Visit) -> None:
    page = opened(problems_page(HOSTILE[1], (*HOSTILE, "x" * 1_000_000)))
    assert 0 == page.locator("img, iframe, a:not(.skip)").count()
    assert HOSTILE[0] in page.locator("main").inner_text()
    assert {} == overflows(page)
    assert [] == serious(page)


def test_page_with_problems_of_a_file_runs_nothing(opened: Visit) -> None:
    page = opened(explained_page(replace(shown("L-0114"), problems=HOSTILE, stale=True)))
    assert HOSTILE[0] in page.locator(".problems").inner_text()
    assert {} == overflows(page)
    assert [] == serious(page)


# ------------------------------------------------------------------------- runs, and runs compared


@pytest.mark.parametrize("which", PAGES_OF_RUNS)
def test_page_of_runs_opens_without_a_request_or_an_error_and_fits(opened: Visit, which: str) -> None:
    page = opened(PAGES_OF_RUNS[which]())
    assert {} == overflows(page)
    open_all(page)
    assert {} == overflows(page)


@pytest.mark.parametrize("which", PAGES_OF_RUNS)
def test_page_of_runs_is_accessible_and_reached_by_the_keyboard(opened: Visit, which: str) -> None:
    page = opened(small_page(which))
    open_all(page)
    reachable, seen = reached_by_tab(page)
    assert len(reachable) > 10
    assert set(reachable) == seen
    assert [] == serious(page)


def test_large_run_is_small_and_quick(opened: Visit) -> None:
    text = run_page_text()
    assert len(text.encode()) < 3_000_000
    page = opened("<!doctype html><title>empty</title>")
    spent = spent_by(page)
    page.set_content(text)
    assert spent() < 1.0
    assert (
        302 == page.locator("[data-check]:not(li)").count() + page.locator("[data-check=listed]").count() - 1
    )
    citing = sum("601.2f" in one.rules for one in large_run().checked)
    for field, value, found in (("result", "failed", 301), ("rule", "601.2f", citing), ("text", "u-77", 11)):
        page.locator("[type=reset]").click()
        before = spent()
        page.evaluate(FILTER, [field, value])
        assert spent() - before < 1.0, field
        assert f"{found} checks" == page.locator(".filter output").text_content(), field
    assert 11 == page.locator("[data-every] li:visible").count()


def spent_by(page: Page) -> Callable[[], float]:
    """A function that says how many seconds of work a page has cost; other processes do not count."""
    client = page.context.new_cdp_session(page)
    client.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = client.send("Performance.getMetrics")["metrics"]
        return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))

    return spent


FILTER = """([name, value]) => {
  const form = document.querySelector('.filter');
  form.elements[name].value = value;
  form.dispatchEvent(new Event('input', { bubbles: true }));
  document.body.getBoundingClientRect();
}"""


def test_filter_selects_by_feature_and_reason_and_is_in_the_address(opened: Visit) -> None:
    page = opened(html(large_run("few", 12, 1000)))
    page.get_by_label("Unsupported because").select_option(label="no … things (900)")
    assert "900 checks" == page.locator(".filter output").text_content()
    assert page.url.endswith("#reason=0")
    page.locator("[type=reset]").click()
    page.get_by_label("Feature").select_option(index=1)
    shown = page.locator("[data-every] li:visible")
    place = page.get_by_label("Feature").input_value()
    assert 0 < shown.count() < 1000
    assert all(place in (one.get_attribute("data-features") or "").split() for one in shown.all()[:50])
    page.reload()
    assert place == page.get_by_label("Feature").input_value()


def test_rule_of_a_chapter_leads_to_its_checks(opened: Visit) -> None:
    page = opened(html(large_run("few", 12, 40)))
    page.locator("details.chapter").last.locator("summary").click()
    button = page.locator("details.chapter").last.locator("[data-filter-rule]").first
    rule = button.text_content()
    button.click()
    assert rule == page.get_by_label("Rule").input_value()
    assert all(
        rule in (one.get_attribute("data-rules") or "")
        for one in page.locator("[data-every] li:visible").all()
    )


def test_command_is_copied(opened: Visit) -> None:
    page = opened(html(large_run("few", 2, 20)))
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("[data-copy]").first.click()
    page.get_by_text("Copied").wait_for()
    assert (
        page.evaluate("navigator.clipboard.readText()") == page.locator(".command pre").first.text_content()
    )


def test_comparison_leads_to_the_checks_that_split_the_engines(opened: Visit) -> None:
    few = large_run("few", 12, 40)
    mixed = run_of(*(replace(one, verdict=RIGHT) if at % 2 else one for at, one in enumerate(few.checked)))
    page = opened(comparison_html([few, mixed]))
    page.get_by_label("Show").select_option("split")
    count = page.locator("article.split:visible").count()
    assert f"{count} checks" == page.locator(".filter output").text_content()
    assert 0 < count < len(few.checked)
    page.locator("details.compared-rule:visible").first.locator("summary").click()
    link = page.locator("details.compared-rule[open] li:visible a").first
    link.click()
    heading = page.locator("article.split:target h3").text_content() or ""
    assert heading.startswith(link.text_content() or "?")


EVIL = " ".join(HOSTILE)
BROKEN: tuple[Verdict, ...] = (Crash(EVIL, EVIL * 9), Unsupported(EVIL))


@pytest.mark.parametrize("which", PAGES_OF_RUNS)
def test_hostile_strings_of_an_engine_run_nothing_and_break_no_layout(opened: Visit, which: str) -> None:
    fixture = all_fixtures()["L-0114"]
    results = [
        checked(
            Fail(
                tuple(
                    PartOfVerdict("fail", "swamp", "after setup", text, text, text, text) for text in HOSTILE
                )
            ),
            text,
            replace(fixture, title=text),
            rules=("613.1", "613.8b"),
        )
        for text in HOSTILE
    ]
    results += [checked(verdict, f"{at}{EVIL}") for at, verdict in enumerate(BROKEN)]
    results.append(checked(Unsupported("x" * 1_000_000), "U-9"))
    hostile = run_of(*results, name="x" * 1_000_000, version=EVIL)
    other = run_of(*(replace(one, verdict=RIGHT) for one in results[::2]), name=EVIL)
    pages: Mapping[str, Callable[[], str]] = {
        "run": lambda: html(hostile),
        "compare": lambda: comparison_html([hostile, other, hostile]),
        "campaign": lambda: campaign_page(made_hostile(campaign(9), count())),
    }
    page = opened(pages[which]())
    open_all(page)
    assert 0 == page.locator("img, iframe, a:not(.skip, [href^='#check-'])").count()
    assert HOSTILE[0] in page.locator("main").inner_text()
    assert {} == overflows(page)


def page_with_hostile_strings(site: Path, name: str) -> str:
    """The name of a page beside the site's own: that of a fixture, or its search."""
    if name == "search":
        entries = [[f"{text}{text}", "index.html", text, text * 3] for text in HOSTILE]
        (site / "hostile-index.js").write_text(
            f"window.SEARCH_INDEX = {json.dumps(entries)};", encoding="utf-8"
        )
        text = (site / "search.html").read_text(encoding="utf-8")
        (site / "hostile.html").write_text(
            text.replace("search-index.js", "hostile-index.js"), encoding="utf-8"
        )
        return "hostile.html?q=%3Cscript%3E"
    one = FixtureOnSite(all_fixtures()["L-0219"], "fixtures/x.yaml", RESULTS)
    shown = made_hostile(fixture_shown(one), count())
    page = SitePages(lambda text, root: iter([(text, "")]), HOSTILE[0]).fixture(shown)
    (site / "fixtures" / "hostile.html").write_text(page, encoding="utf-8")
    return "fixtures/hostile.html"


RESULTS = (
    ResultShown(
        SiteLink("an engine", "engines/xmage.html"),
        "1",
        "failed",
        "what it says",
        (DifferenceShown("bear", "at the end", "power", "1", "2", "because"),),
        "the reason",
    ),
)


@pytest.mark.parametrize("name", ["fixture", "search"])
def test_hostile_strings_on_the_site_run_nothing_and_break_no_layout(
    visited: Visit, site: Path, name: str
) -> None:
    page = visited(page_with_hostile_strings(site, name))
    assert page.title() != "owned"
    assert 0 == page.locator("main img, main iframe, main script, main svg[onload]").count()
    assert HOSTILE[0] in page.locator("body").inner_text()
    assert [] == [
        one for one in page.locator("a").all() if "javascript:" in (one.get_attribute("href") or "")
    ]
    assert {} == overflows(page)

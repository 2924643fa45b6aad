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
from functools import cache
from itertools import count
from pathlib import Path
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

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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


class Opened(Struct):
    """An open page, and whatever went wrong on it."""

    page: Any
    wrong: list[str]


Open = Callable[..., Opened]


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """A function that opens a page from its text; at the end, fails if anything went wrong on a page."""
    wrong: list[str] = []
    contexts = []

    def note(what: str) -> None:
        wrong.append(what[:200])

    def open_page(text: str, width: int = 1200, scheme: Any = "light", script: bool = True) -> Opened:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script
        )
        contexts.append(context)
        page = context.new_page()
        file = tmp_path / f"{len(contexts)}.html"
        file.write_text(text, encoding="utf-8")
        page.on("console", lambda message: note(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: note(str(error)))
        page.on("dialog", lambda dialog: note(f"dialog: {dialog.message}"))
        page.on("request", lambda asked: None if asked.url in (file.as_uri(), "data:,") else note(asked.url))
        page.goto(file.as_uri())
        return Opened(page, wrong)

    yield open_page
    for context in contexts:
        context.close()
    assert [] == wrong


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


def overflow(page: Page) -> int:
    """Number of pixels by which the page is wider than the window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


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


@cache
def run_page_text() -> str:
    return html(large_run())


@cache
def comparison_page_text() -> str:
    others = [
        run_of(
            *(replace(one, verdict=RIGHT) if at % 3 else one for at, one in enumerate(large_run().checked))
        )
    ]
    older = run_of(*large_run().checked[:4000:2], name="theirs", version="1")
    newer = run_of(*large_run().checked[:4000:3], name="theirs", version="2")
    return comparison_html([large_run(), *others, older, newer])


PAGES_OF_RUNS = {"run": run_page_text, "compare": comparison_page_text}


def serious(page: Page) -> list[tuple[str, list[str]]]:
    """The serious problems that axe finds: the rule, and where."""
    found = Axe().run(page).response["violations"]
    return [
        (one["id"], [node["html"][:200] for node in one["nodes"][:3]])
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


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


@pytest.mark.parametrize("width", [360, 1600])
@pytest.mark.parametrize("id", SEVERAL)
def test_page_opens_without_a_request_or_an_error_and_fits(opened: Open, id: str, width: int) -> None:
    page = opened(page_of(id), width).page
    assert 0 == overflow(page)
    assert page.evaluate("document.documentElement.classList.contains('scripted')")


@pytest.mark.parametrize("width", [360, 1600])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_of_speeds_fits_is_accessible_and_runs_nothing(opened: Open, width: int, scheme: str) -> None:
    name = "./" + "a-long-command/" * 8 + "<script>alert(1)</script>"
    timings = tuple(PeerTiming(one, "a game", 9, 0.01, 0.008, 0.02, 0.009, 0.001) for one in (name, "other"))
    starts = tuple(PeerStart(one, "Engine 2", 1.5, 0.02) for one in (name, "other"))
    report = PeerReport(3, 1.0, starts, timings, ((name, "a board"),), (("a game", 1), ("a board", 2)))

    page = opened(peers_page(report), width, scheme).page

    assert 0 == overflow(page)
    assert [] == serious(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("id", ["L-0219", "G-0136", "L-0142", "G-0942", "G-0263"])
def test_page_is_accessible(opened: Open, id: str, scheme: str) -> None:
    page = opened(page_of(id), scheme=scheme).page
    assert [] == serious(page)


def test_page_says_everything_without_its_script(opened: Open) -> None:
    page = opened(page_of("G-0136"), script=False).page
    assert [] == page.locator(".needs-script:visible").all()
    assert page.get_by_text("enters of redcap resolves").first.is_visible()
    summaries = page.locator("details.view > summary")
    assert summaries.count() > 3 and all(one.is_visible() for one in summaries.all())


def test_keyboard_reaches_everything(opened: Open) -> None:
    page = opened(page_of("G-0136")).page
    reachable, seen = reached_by_tab(page)
    assert len(reachable) > 10
    assert set(reachable) == seen


def test_arrow_keys_go_through_moments_and_layers(opened: Open) -> None:
    page = opened(page_of("L-0120")).page
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
    assert "3" == page.locator(".scene.shown-now").get_attribute("id").removeprefix("moment-")
    page.keyboard.press("ArrowUp")
    assert "2" == page.locator(".scene.shown-now").get_attribute("id").removeprefix("moment-")
    assert page.url.endswith("#moment-2")


def test_chosen_object_shows_what_touches_it(opened: Open) -> None:
    page = opened(page_of("L-0114")).page
    page.get_by_role("button", name="plains1", exact=True).first.click()
    faint = (
        "(id) => getComputedStyle(document.querySelector(`.tile:has([aria-pressed=${id}])`)).opacity < 0.5"
    )
    page.wait_for_function(faint, arg="false")
    assert not page.evaluate(faint, "true")
    page.keyboard.press("Escape")
    assert not page.evaluate("document.documentElement.classList.contains('picking')")


def test_page_made_for_one_object_opens_with_it_in_focus(opened: Open) -> None:
    page = opened(explained_page(replace(shown("G-0136"), of="redcap"))).page
    assert "redcap" == page.locator("[aria-pressed=true]").first.text_content()
    lines = page.locator(".line.touched").all_text_contents()
    assert any("redcap deals 1 damage" in line for line in lines)
    assert not any("grenade deals 5 damage" in line for line in lines)


def test_page_that_follows_a_file_loads_again_when_it_is_saved(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "board.yaml"
    file.write_text("setup: [{id: bear, card: Grizzly Bears, controller: alice}]\n", encoding="utf-8")
    command = [sys.executable, "-m", "conformance", "play", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        wrong: list[str] = []
        page = browser.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address)
        assert page.get_by_role("button", name="bear", exact=True).count()
        file.write_text("setup: [{id: ogre, card: Gray Ogre, controller: alice}]\n", encoding="utf-8")
        page.get_by_role("button", name="ogre", exact=True).first.wait_for()
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
    """Fifty fixtures in which layers change sizes, with the changes as the text lists them."""
    found: dict[str, list[tuple[str, int, str, str]]] = {}
    for id, fixture in all_fixtures().items():
        if id.startswith("L-") and len(fixture.play.setup) > 2 and len(found) < 50:
            changes = sizes_in_text(shown(id).text)
            if len(changes) > 1 and all("more" not in change[2] for change in changes):
                found[id] = changes
    return found


def test_stepping_shows_the_same_numbers_as_the_text(opened: Open, tmp_path: Path, browser: Browser) -> None:
    fixtures = stepped()
    assert 50 == len(fixtures)
    page = browser.new_page()
    for id, wanted in fixtures.items():
        file = tmp_path / f"{id}.html"
        file.write_text(page_of(id), encoding="utf-8")
        page.goto(file.as_uri())
        seen = page.evaluate(STEP_THROUGH)
        rows = [
            (layer, number, one, sizes) for layer, number, ids, sizes, _, _ in seen for one in ids.split(", ")
        ]
        assert sorted(wanted) == sorted(rows), id
        for _, _, ids, sizes, look, now in seen:
            assert (sizes.split(" → ")[1], True) == (look, now), (id, ids)
    page.close()


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
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    build_site(folder, sources(), only=ON_THE_SITE)
    return folder


@pytest.fixture
def visited(browser: Browser, site: Path) -> Iterator[Callable[..., Any]]:
    """A function that opens a page of the site; at the end, fails if anything went wrong on a page."""
    wrong: list[str] = []
    contexts = []

    def visit(name: str, width: int = 1200, scheme: Any = "light", script: bool = True) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=script
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(f"{name}: {message.text}"))
        page.on("pageerror", lambda error: wrong.append(f"{name}: {error}"))
        inside = (site.as_uri() + "/", "data:,")
        page.on("request", lambda one: None if one.url.startswith(inside) else wrong.append(one.url))
        page.goto(f"{site.as_uri()}/{name}")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert [] == wrong


@pytest.mark.parametrize("width", [360, 1600])
@pytest.mark.parametrize("name", PAGES)
def test_page_of_the_site_opens_without_a_request_or_an_error_and_fits(
    visited: Callable[..., Any], name: str, width: int
) -> None:
    page = visited(name, width)
    assert 0 == overflow(page)
    assert page.evaluate("document.documentElement.classList.contains('scripted')")
    assert "rgb" in page.evaluate("getComputedStyle(document.querySelector('.site-bar')).borderBottomColor")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_page_of_the_site_is_accessible(visited: Callable[..., Any], name: str, scheme: str) -> None:
    # Otherwise axe requests the stylesheet itself, which the page's policy refuses.
    page = visited(name, scheme=scheme)
    found = Axe().run(page, options={"preload": False}).response["violations"]
    serious = [one for one in found if one["impact"] in ("serious", "critical")]
    assert [] == [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in serious]


def test_search_finds_by_id_rule_and_words_and_follows_the_keyboard(visited: Callable[..., Any]) -> None:
    page = visited("docs/index.html")
    page.locator(".site-bar input").fill("l-0114")
    page.keyboard.press("Enter")
    page.locator(".found a").first.wait_for()
    assert page.locator(".found a").first.text_content().startswith("L-0114: ")
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


def test_list_of_the_site_can_be_narrowed(visited: Callable[..., Any]) -> None:
    page = visited("fixtures/index.html")
    page.locator(".filter [name=rule]").fill("613.8")
    assert ["L-0114", "L-0219"] == page.locator("[data-listed]:visible th").all_text_contents()
    page.locator(".filter [name=text]").fill("urborg")
    assert "1 of 6" == page.locator(".filter output").text_content()


@pytest.mark.parametrize("name", ["index.html", "fixtures/G-0136.html", "search.html", "laws.html"])
def test_keyboard_reaches_every_link_of_the_site(visited: Callable[..., Any], name: str) -> None:
    page = visited(name)
    unreachable = page.evaluate(
        """() => [...document.querySelectorAll('a[href], button, input, summary')]
        .filter((one) => one.checkVisibility() && one.tabIndex < 0).map((one) => one.outerHTML)"""
    )
    assert [] == unreachable
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    assert "skip" == page.evaluate("document.activeElement.className") or name == "search.html"


@pytest.mark.parametrize("name", ["index.html", "fixtures/G-0136.html", "fixtures/index.html", "search.html"])
def test_site_can_be_read_without_scripts(visited: Callable[..., Any], name: str) -> None:
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


@pytest.mark.parametrize("width", [360, 1600])
@pytest.mark.parametrize("id", ["L-0219", "G-0136", "L-0142", "G-0942", "G-0263"])
def test_hostile_strings_run_nothing_and_break_no_layout(opened: Open, id: str, width: int) -> None:
    hostile = made_hostile(shown(id), count())
    page = opened(explained_page(replace(hostile, title="x" * 1_000_000 + "</title>")), width).page
    assert page.title().startswith("xxxx")
    assert 0 == page.locator("img, iframe, a:not(.skip)").count()
    assert "<script>document.title = 'owned'; alert(1)</script>" in page.locator("main").inner_text()
    assert 0 == overflow(page)
    assert 0 == page.evaluate(
        """() => [...document.querySelectorAll('.tile, .effect, .line, .object, .side')].filter(
        (one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1
        && !one.closest('.scroll')).length"""
    )


@pytest.mark.parametrize("width", [360, 1600])
def test_file_that_cannot_be_played_has_a_page_that_runs_nothing(opened: Open, width: int) -> None:
    page = opened(problems_page(HOSTILE[1], (*HOSTILE, "x" * 1_000_000)), width).page
    assert 0 == page.locator("img, iframe, a:not(.skip)").count()
    assert HOSTILE[0] in page.locator("main").inner_text()
    assert 0 == overflow(page)
    assert [] == serious(page)


def test_page_with_problems_of_a_file_runs_nothing(opened: Open) -> None:
    page = opened(explained_page(replace(shown("L-0114"), problems=HOSTILE, stale=True))).page
    assert HOSTILE[0] in page.locator(".problems").inner_text()
    assert 0 == overflow(page)
    assert [] == serious(page)


# ------------------------------------------------------------------------- runs, and runs compared


@pytest.mark.parametrize("width", [360, 1600])
@pytest.mark.parametrize("which", PAGES_OF_RUNS)
def test_page_of_runs_opens_without_a_request_or_an_error_and_fits(
    opened: Open, which: str, width: int
) -> None:
    page = opened(PAGES_OF_RUNS[which](), width).page
    assert 0 == overflow(page)
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert 0 == overflow(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("which", ["run", "compare"])
def test_page_of_runs_is_accessible(opened: Open, which: str, scheme: str) -> None:
    few = large_run("few", 12, 40)
    mixed = run_of(*(replace(one, verdict=RIGHT) if at % 2 else one for at, one in enumerate(few.checked)))
    page = opened(html(few) if which == "run" else comparison_html([few, mixed, few]), scheme=scheme).page
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert [] == serious(page)


@pytest.mark.parametrize("which", ["run", "compare"])
def test_keyboard_reaches_everything_on_pages_of_runs(opened: Open, which: str) -> None:
    few = large_run("few", 6, 20)
    mixed = run_of(*(replace(one, verdict=RIGHT) if at % 2 else one for at, one in enumerate(few.checked)))
    page = opened(html(few) if which == "run" else comparison_html([few, mixed])).page
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    reachable, seen = reached_by_tab(page)
    assert len(reachable) > 10
    assert set(reachable) == seen


def test_large_run_is_small_and_quick(opened: Open) -> None:
    text = run_page_text()
    assert len(text.encode()) < 3_000_000
    page = opened("<!doctype html><title>empty</title>").page
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


def test_filter_selects_by_feature_and_reason_and_is_in_the_address(opened: Open) -> None:
    page = opened(html(large_run("few", 12, 1000))).page
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


def test_rule_of_a_chapter_leads_to_its_checks(opened: Open) -> None:
    page = opened(html(large_run("few", 12, 40))).page
    page.locator("details.chapter").last.locator("summary").click()
    button = page.locator("details.chapter").last.locator("[data-filter-rule]").first
    rule = button.text_content()
    button.click()
    assert rule == page.get_by_label("Rule").input_value()
    assert all(
        rule in (one.get_attribute("data-rules") or "")
        for one in page.locator("[data-every] li:visible").all()
    )


def test_command_is_copied(opened: Open) -> None:
    page = opened(html(large_run("few", 2, 20))).page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("[data-copy]").first.click()
    page.get_by_text("Copied").wait_for()
    assert (
        page.evaluate("navigator.clipboard.readText()") == page.locator(".command pre").first.text_content()
    )


def test_comparison_leads_to_the_checks_that_split_the_engines(opened: Open) -> None:
    few = large_run("few", 12, 40)
    mixed = run_of(*(replace(one, verdict=RIGHT) if at % 2 else one for at, one in enumerate(few.checked)))
    page = opened(comparison_html([few, mixed])).page
    page.get_by_label("Show").select_option("split")
    count = page.locator("article.split:visible").count()
    assert f"{count} checks" == page.locator(".filter output").text_content()
    assert 0 < count < len(few.checked)
    page.locator("details.compared-rule:visible").first.locator("summary").click()
    link = page.locator("details.compared-rule[open] li:visible a").first
    link.click()
    assert (
        page.locator("article.split:target")
        .locator("h3")
        .text_content()
        .startswith(link.text_content() or "?")
    )


EVIL = " ".join(HOSTILE)
BROKEN: tuple[Verdict, ...] = (Crash(EVIL, EVIL * 9), Unsupported(EVIL))


@pytest.mark.parametrize("width", [360, 1600])
@pytest.mark.parametrize("which", ["run", "compare"])
def test_hostile_strings_of_an_engine_run_nothing(opened: Open, which: str, width: int) -> None:
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
    page = opened(html(hostile) if which == "run" else comparison_html([hostile, other, hostile]), width).page
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    assert 0 == page.locator("img, iframe, a:not(.skip, [href^='#check-'])").count()
    assert "<script>document.title = 'owned'; alert(1)</script>" in page.locator("main").inner_text()


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


@pytest.mark.parametrize("width", [360, 1600])
@pytest.mark.parametrize("name", ["fixture", "search"])
def test_hostile_strings_on_the_site_run_nothing_and_break_no_layout(
    visited: Callable[..., Any], site: Path, name: str, width: int
) -> None:
    page = visited(page_with_hostile_strings(site, name), width)
    assert page.title() != "owned"
    assert 0 == page.locator("main img, main iframe, main script, main svg[onload]").count()
    assert "<script>document.title = 'owned'; alert(1)</script>" in page.locator("body").inner_text()
    assert [] == [
        one for one in page.locator("a").all() if "javascript:" in (one.get_attribute("href") or "")
    ]
    assert 0 == overflow(page)

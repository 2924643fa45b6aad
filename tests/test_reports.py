"""The report files of a run: JUnit, Markdown and badges are well-formed, harmless, and agree with each
other.
"""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from conformance.cli import main
from conformance.data.library import all_fixtures
from conformance.model.engine import EngineInfo
from conformance.model.verdict import Crash, Fail, NotRun, PassVerdict, Unsupported
from conformance.report.badge import badge_json, badge_svg, badge_text
from conformance.report.html import html, ids_on, run_shown, sides_of
from conformance.report.junit import junit
from conformance.report.markdown import code, fenced_lines, markdown, plain
from conformance.results.causes import first_difference
from conformance.results.events import Run, RunBegan, RunEnded, RunSelection, read_run, whole
from conformance.results.next_feature import GainOfFeature
from conformance.results.summary import Counts
from conformance.run.options import OUTPUTS
from tests.test_events import EVIL, RIGHT, VERDICTS, WRONG, checked, events_of

SVG = "{http://www.w3.org/2000/svg}"
BEGAN = RunBegan(
    1,
    "2026-11-21T10:00:00+00:00",
    "1",
    "mine",
    EngineInfo("mine", "2"),
    "2026-09-25",
    RunSelection(),
)


def run_of(*results: Any, exit_code: int = 1, **more: Any) -> Run:
    ended = RunEnded(Counts(), 0, exit_code, 1.0, **more)
    return Run(BEGAN, results, ended)


def evil_run() -> Run:
    run = whole(events_of(*VERDICTS))
    assert run
    return run


# ------------------------------------------------------------------------------------- JUnit

ATTRIBUTES: dict[str, tuple[set[str], set[str]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}),
    "testsuite": (
        {"name", "tests"},
        {"failures", "errors", "skipped", "time", "timestamp", "hostname", "id", "package"},
    ),
    "properties": (set(), set()),
    "property": ({"name", "value"}, set()),
    "testcase": ({"name", "classname"}, {"time"}),
    "failure": (set(), {"message", "type"}),
    "error": (set(), {"message", "type"}),
    "skipped": (set(), {"message"}),
    "system-err": (set(), set()),
}
"""The attributes of each element that Jenkins' schema (jenkinsci/xunit-plugin) requires and allows."""
INSIDE = {
    "testsuites": ["testsuite"],
    "testsuite": ["properties", "testcase"],
    "properties": ["property"],
    "testcase": ["skipped", "error", "failure", "system-err"],
}
"""The children that each element may have, in this order."""


def offences(element: ET.Element) -> list[str]:
    """What readers of a JUnit file would object to."""
    required, allowed = ATTRIBUTES[element.tag]
    found = [f"{element.tag}: {name} is missing" for name in required - set(element.attrib)]
    found += [f"{element.tag}: {name}" for name in set(element.attrib) - required - allowed]
    order = [INSIDE.get(element.tag, []).index(child.tag) for child in element]
    found += [f"{element.tag}: order"] * (order != sorted(order))
    for name in ("tests", "failures", "errors", "skipped"):
        counted = {"tests": "testcase", "failures": "failure", "errors": "error"}.get(name, name)
        number = element.get(name)
        if number is not None and int(number) != len(list(element.iter(counted))):
            found.append(f"{element.tag}: {number} {name}")
    for name in ("time",):
        if not re.fullmatch(r"\d+\.\d+", element.get(name, "0.0")):
            found.append(f"{element.tag}: time")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", element.get("timestamp", "2000-01-01T00:00:00")):
        found.append(f"{element.tag}: timestamp")
    return found + [offence for child in element for offence in offences(child)]


@pytest.mark.parametrize(
    "run", [evil_run(), run_of(), run_of(says=r"\x1b gone"), run_of(checked(PassVerdict(()), rules=()))]
)
def test_junit_file_has_the_shape_that_its_readers_want(run: Run) -> None:
    assert [] == offences(ET.fromstring(junit(run)))
    assert junit(run).startswith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ')


def kinds(run: Run) -> list[list[tuple[str, str | None]]]:
    cases = ET.fromstring(junit(run)).iter("testcase")
    return [[(found.tag, found.get("message")) for found in case] for case in cases]


def test_each_verdict_has_its_place_in_junit() -> None:
    run = run_of(
        checked(PassVerdict((RIGHT,))),
        checked(Fail((replace(WRONG, observed="3"),))),
        checked(Unsupported("no moons")),
        checked(Crash("gone", "last words")),
        checked(NotRun("it broke")),
        checked(Fail((WRONG,)), standing="listed", note="issue 7"),
        checked(Fail((WRONG,)), standing="listed"),
        checked(PassVerdict((RIGHT,)), standing="stale", note="listed as failing, and passes now"),
        checked(Unsupported("no"), standing="lost", note="passed when the list was written"),
    )

    assert [
        [],
        [("failure", "CR 613.4b: bear, at the end: power: expected 2, observed 3")],
        [("skipped", "unsupported: no moons")],
        [("error", "crash: gone"), ("system-err", None)],
        [("error", "it broke")],
        [("skipped", "a listed divergence: issue 7")],
        [("skipped", "a listed divergence")],
        [("failure", "stale: listed as failing, and passes now")],
        [("failure", "lost: passed when the list was written")],
    ] == kinds(run)


WHOSE = {"engine": "at fault: the engine", "shim": "at fault: the shim", "suite": "we doubt this check"}


def test_all_reports_say_who_is_at_fault() -> None:
    for one in evil_run().checked:
        run = run_of(one)
        said = " ".join(
            text for case in ET.fromstring(junit(run)).iter("testcase") for text in case.itertext()
        )
        skipped = one.blame == "suite"  # a disputed check is not scored, and never shown as a failure
        for party, words in WHOSE.items():
            assert (party == one.blame and not skipped) == (words in said)
            assert (party == one.blame and not skipped) == (words in markdown(run))
    assert [None, "engine", None, "suite", "shim", "engine", "engine", "engine", None] == [
        one.blame for one in evil_run().checked
    ]


def test_suites_of_junit_are_the_chapters_in_order() -> None:
    run = run_of(
        checked(PassVerdict(()), rules=("704.5f",)), checked(PassVerdict(()), rules=("613.1", "101.4"))
    )
    suites = ET.fromstring(junit(run)).findall("testsuite")

    assert ["CR 613", "CR 704"] == [suite.get("name") for suite in suites]
    assert ["CR 613.1", "CR 704.5f"] == [
        case.get("classname") for suite in suites for case in suite.iter("testcase")
    ]


# ---------------------------------------------------------------------------------- Markdown


def outside_blocks(page: str) -> str:
    """A page without its fenced blocks."""
    kept, fence = [], ""
    for text in page.splitlines():
        ticks = re.match(r"`{3,}", text)
        if fence:
            fence = "" if text == fence else fence
        elif ticks:
            fence = ticks[0]
        else:
            kept.append(text)
    assert not fence
    return "\n".join(kept)


def test_engine_text_does_nothing_in_markdown() -> None:
    page = outside_blocks(markdown(evil_run()))

    assert "<b>" not in page
    assert "@everyone" not in page
    assert "::error::" not in page
    assert page.replace("\n", "").isprintable()


def test_text_and_code_stand_as_they_are() -> None:
    assert "a&#42;b&#95;c &#60;i&#62; &#64;me &#35;1 www&#46;x.y" == plain("a*b_c <i> @me #1 www.x.y")
    assert "été" == plain("été")
    assert "`ls`" == code("ls")
    assert "`` a`b ``" == code("a`b")
    assert ["````text", "``` x", "````", ""] == list(fenced_lines(["``` x"], "text"))


def test_summary_has_counts_and_each_failure_in_full() -> None:
    fixture = all_fixtures()["L-0031"]
    run = run_of(
        checked(PassVerdict((RIGHT,))),
        checked(Fail((replace(WRONG, observed="3"),)), scenario=fixture),
        checked(Fail((replace(WRONG, observed="4"),)), id="L-0032", size=9),
        checked(Fail((WRONG,)), standing="listed", note="issue 7"),
        next_feature=GainOfFeature("combat", 3, 2),
    )

    page = markdown(run)

    assert page.startswith("## ❌ Magic rules: mine 2\n")
    assert "| passed | failed | unsupported |\n| ---: | ---: | ---: |\n| 1 | 3 | 0 |\n" in page
    assert "### 2 failed: one cause" in page
    assert "+     expected  2\n-     observed  3\n" in page
    assert "Again: `again L-0031`" in page
    assert "The same in 1 more: L-0032" in page
    assert f"L-0031: {fixture.title}" in page
    assert "<summary>1 listed divergences</summary>\n\n- L-0031 A title: issue 7" in page
    assert "Next: combat, which alone would add 2 checks, and 1 more need it and something else." in page
    assert "| 613.1 | 1 | 3 | 0 |" in page


def test_summary_names_entries_of_the_list_that_are_not_true_any_more() -> None:
    gone = [
        checked(PassVerdict((RIGHT,)), id=f"L-000{number}", standing="stale", note="listed, and passes now")
        for number in range(3)
    ]
    other = checked(Fail((WRONG,)), standing="stale", note="in another way")
    page = markdown(run_of(*gone, other, exit_code=4))

    assert page.startswith("## ⚠️ ")
    assert "### 4 stale: 2 causes" in page
    assert "**stale: listed, and passes now** — A title" in page
    assert "    stale: in another way" in page
    assert "The same in 2 more: L-0001, L-0002" in page


def test_summary_of_a_run_without_failures_is_short() -> None:
    page = markdown(run_of(checked(PassVerdict((RIGHT,))), exit_code=0))

    assert page.startswith("## ✅ ")
    assert len(page.splitlines()) < 10


def test_summary_of_very_many_failures_stays_within_bounds() -> None:
    many = [
        checked(Crash(f"{number} " + "x" * 1900), id=f"L-{number:04}", size=number) for number in range(900)
    ]
    same = [checked(Crash("gone"), id=f"L-1{number:03}") for number in range(100)]
    fixture = all_fixtures()["L-0031"]
    long = [replace(one, scenario=replace(fixture, note="y" * 40_000)) for one in many[:30]]

    assert len(markdown(run_of(*many))) < 1_000_000
    assert "… and 870 more causes." in markdown(run_of(*many))
    assert "The same in 99 more: " in markdown(run_of(*same))
    assert " and 59 more" in markdown(run_of(*same))
    assert "… cut off: the full summary has" in markdown(run_of(*long))


def test_summary_says_what_was_left_out_and_what_was_cut_off() -> None:
    chosen = RunSelection(("L-0031",), ("613.8",), "wo`rd", "002")
    run = Run(replace(BEGAN, chosen=chosen), (), None)

    page = markdown(run)

    assert page.startswith("## ⚠️ ")
    assert "only `` L-0031 --rule 613.8 -k wo`rd --source 002 ``." in page
    assert "**The run was cut off before its end.**" in page


# ------------------------------------------------------------------------------------- badges


@pytest.mark.parametrize(
    ("results", "code", "said"),
    [
        ([PassVerdict(())], 0, ("Magic rules", "1 of 1", "brightgreen")),
        ([PassVerdict(()), Unsupported("no")], 0, ("Magic rules", "1 of 2", "yellow")),
        ([PassVerdict(()), Fail((WRONG,))], 0, ("Magic rules", "1 of 2", "yellow")),
        ([PassVerdict(()), Fail((WRONG,))], 1, ("Magic rules", "1 of 2", "red")),
        ([PassVerdict(()), NotRun("no")], 3, ("Magic rules", "1 of 2", "red")),
        ([Unsupported("no")], 5, ("Magic rules", "0 of 1", "lightgrey")),
        ([], 5, ("Magic rules", "unknown", "lightgrey")),
    ],
)
def test_badge_is_green_only_if_everything_was_played_and_is_right(
    results: Any, code: int, said: Any
) -> None:
    run = run_of(*(checked(verdict) for verdict in results), exit_code=code)

    assert said == badge_text(run)
    label, message, colour = said
    assert {
        "schemaVersion": 1,
        "label": label,
        "message": message,
        "color": colour,
        "isError": colour == "red",
    } == (json.loads(badge_json(run)))
    picture = ET.fromstring(badge_svg(run))
    assert [label, message] == [text.text for text in picture.iter(f"{SVG}text")]
    assert f"{label}: {message}" == picture.get("aria-label") == picture.findtext(f"{SVG}title")


def test_badge_of_a_part_says_so() -> None:
    def label(**chosen: Any) -> str:
        return badge_text(replace(run_of(), began=replace(BEGAN, chosen=RunSelection(**chosen))))[0]

    assert "Magic rules 613.8 704" == label(rules=("613.8", "704"))
    assert "Magic rules (some)" == label(word="humility")
    assert "Magic rules (some)" == label(rules=("613.8",), what=("x",))
    assert "unknown" == badge_text(Run(BEGAN, (), None))[1]


# ---------------------------------------------------------------------------- on the command line


def called(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["run", *arguments], catch_exceptions=False, prog_name="conformance")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.sweep
def test_all_reports_of_one_run_say_the_same(here: Path) -> None:
    result = called(
        *("L-0031", "L-0059", "--engine", "mutant:timestamps-only"),
        *("--json", "r.json", "--junit", "r.xml", "--markdown", "r.md", "--badge", "r.svg"),
    )

    assert 1 == result.exit_code
    run = read_run(here / "r.json")
    assert run.ended and 1 == run.ended.exit_code
    assert [("L-0031", "pass"), ("L-0059", "fail")] == [
        (one.id, str(one.verdict.__struct_config__.tag)) for one in run.checked
    ]
    assert junit(run) == (here / "r.xml").read_text(encoding="utf-8")
    assert markdown(run) == (here / "r.md").read_text(encoding="utf-8")
    assert badge_svg(run) == (here / "r.svg").read_text(encoding="utf-8")
    again = "conformance run --engine mutant:timestamps-only L-0059"
    assert f"    again: {again}\n" in result.stdout
    assert again == run.checked[1].again
    assert all(one.seconds > 0 for one in run.checked)
    assert called("L-0031", "--badge", "r.json").exit_code == 0
    assert "brightgreen" == json.loads((here / "r.json").read_text(encoding="utf-8"))["color"]


def test_summary_of_a_job_is_added_to(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "summary.md").write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")

    called("L-0031", "--markdown", "summary.md")
    called("L-0031", "--markdown", "summary.md")

    page = (here / "summary.md").read_text(encoding="utf-8")
    assert page.startswith("before\n## ✅ ")
    assert 2 == page.count("## ✅ ")


def test_every_output_has_an_option_and_writes_a_file_of_its_kind(here: Path) -> None:
    begins = {
        "json": '{"event":"began"',
        "junit": "<?xml",
        "markdown": "## ",
        "badge": "<svg",
        "html": "<!doctype html>",
    }
    files = {output: here / f"out.{'svg' if output == 'badge' else output}" for output in OUTPUTS}

    result = called(
        "L-0031", *(word for output, file in files.items() for word in (f"--{output}", str(file)))
    )

    assert 0 == result.exit_code, result.output
    assert begins.keys() == files.keys()
    assert [] == [
        output for output, file in files.items() if not file.read_text("utf-8").startswith(begins[output])
    ]


def test_badge_is_a_picture_or_json_and_nothing_else(here: Path) -> None:
    result = called("L-0031", "--badge", "badge.png")

    assert (2, "") == (result.exit_code, result.stdout)
    assert "badge.png: a badge is a file whose name ends in .svg or .json" in result.stderr
    assert not (here / "badge.png").exists()


def test_report_says_that_the_engine_did_not_start(here: Path) -> None:
    result = called(
        *("--engine", "./no_such_program", "--json", "r.json", "--junit", "r.xml"),
        *("--markdown", "r.md", "--badge", "r.svg"),
    )

    assert 3 == result.exit_code
    [case] = ET.parse(here / "r.xml").getroot().iter("testcase")
    error = case.find("error")
    assert error is not None and "no_such_program" in str(error.get("message"))
    assert "**The engine did not start.**" in (here / "r.md").read_text(encoding="utf-8")
    assert "unknown" in (here / "r.svg").read_text(encoding="utf-8")
    run = read_run(here / "r.json")
    assert run.ended and 3 == run.ended.exit_code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--json", "no/such/folder.json"], "No such file"),
        (["--junit", "same", "--markdown", "same"], "two reports cannot go into one file"),
        (["--junit", "."], "is a directory"),
    ],
)
def test_report_that_cannot_be_written_is_reported_before_anything_is_played(
    here: Path, arguments: list[str], message: str
) -> None:
    result = called("L-0031", *arguments)

    assert 2 == result.exit_code
    assert message in result.stderr
    assert "" == result.stdout


@pytest.fixture(scope="module")
def without_dependencies(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Run]:
    """What a run of an engine that fails often for one reason prints, and what it is."""
    folder = tmp_path_factory.mktemp("without_dependencies")
    asked = ("-q", "--profile", "gate", "--rule", "613.8", "--engine", "mutant:timestamps-only")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        printed = called(*asked, "--json", "r.json").stdout
        return printed, read_run(folder / "r.json")


@pytest.mark.sweep
def test_failures_with_one_cause_are_reported_once_on_the_terminal(
    without_dependencies: tuple[str, Run],
) -> None:
    printed, _ = without_dependencies

    assert re.search(r"\n    also: L-\d{4}, .* \(same rule, same difference\)\n", printed)
    told = re.findall(r"^FAIL  (\S+)", printed, re.MULTILINE)
    others = "".join(re.findall(r"^    (?:also|looks the same): .*\n", printed, re.MULTILINE))
    named = re.findall(r"[A-Z]-(?:\d{4}(?:\.\d+)?\b|[0-9a-f]{8})", others)
    not_named = sum(map(int, re.findall(r" and (\d+) more(?: \(same|$)", others, re.MULTILINE)))
    not_passed = sum(map(int, re.findall(r"(\d+) (?:failed|disputed)", printed.splitlines()[-1])))
    assert len({*told, *named}) == len(told) + len(named)
    assert 20 < not_passed == len(told) + len(named) + not_named


class Picky:
    """An engine that does not support simultaneous entry."""

    def describe(self) -> EngineInfo:
        return EngineInfo("picky", "1", lacks=frozenset({"simultaneous entry"}))

    def play(self, play: Any) -> Any:
        from conformance.model.engine import CannotPlay
        from conformance_adapters.in_process import Reference

        if any(len(arrival.entries) > 1 for arrival in play.setup):
            raise CannotPlay("together")
        return Reference().play(play)


@pytest.mark.sweep
def test_run_ends_with_what_would_add_most(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance_adapters.connect", lambda name, edition=None, home=None: Picky())

    result = called("--profile", "gate", "--rule", "613.7m", "--engine", "picky")

    assert re.search(r"\nnext: simultaneous entry, which alone would add \d+ checks", result.stdout)


def test_full_disk_is_reported_plainly(here: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    result = called("L-0031", "--junit", "/dev/full")

    assert 2 == result.exit_code
    assert "No space left" in result.stderr


def test_engine_text_does_nothing_in_junit() -> None:
    assert EVIL not in junit(evil_run())


def test_text_of_a_scenario_does_nothing_in_any_report(here: Path) -> None:
    """XML allows no control characters at all, so a JUnit reader would refuse the whole file."""
    evil = "Test \x1b[2J\n::error::\u202e"
    scenario = {
        "id": "L-9999",
        "title": evil,
        "rules": ["613.4c"],
        "play": {
            "players": [{"id": "alice"}, {"id": "bob"}],
            "start": {"turn": "alice", "step": "precombat main"},
            "cards": [{"definition": {"name": evil, "types": ["Creature"], "power": 2, "toughness": 2}}],
            "objects": [{"id": "bear", "card": evil, "owner": "alice"}],
            "setup": [{"entries": [{"id": "bear", "controller": "alice"}]}],
            "script": [{"do": "look", "name": "first"}],
        },
        "expect": [
            {
                "look": "first",
                "about": "bear",
                "key": "power",
                "test": {"test": "equals", "value": 3},
                "because": f"CR 613.4c: {evil}",
            }
        ],
    }
    (here / "evil.json").write_text(json.dumps(scenario), encoding="utf-8")
    files = {option: here / option for option in ("junit", "markdown", "html", "json")}

    result = called("evil.json", *(part for name, path in files.items() for part in (f"--{name}", str(path))))

    assert 1 == result.exit_code
    assert 1 == len(list(ET.parse(files["junit"]).iter("failure")))
    for text in (result.stdout, *(path.read_text(encoding="utf-8") for path in files.values())):
        assert "\x1b" not in text
        assert not re.search("^ *::", text, re.MULTILINE)


# ------------------------------------------------------------------------------------- the page


def test_engine_text_does_nothing_on_the_page() -> None:
    page = html(evil_run())
    assert "<b>" not in page and "\u202e" not in page and "\x1b" not in page
    assert "&lt;b&gt;" in page


def test_page_has_each_failure_with_its_values_and_its_board(here: Path) -> None:
    called("L-0059", "L-0031", "--engine", "mutant:timestamps-only", "--json", "r.json", "--html", "r.html")
    page = (here / "r.html").read_text(encoding="utf-8")
    [failed] = [one for one in read_run(here / "r.json").checked if isinstance(one.verdict, Fail)]
    wrong = first_difference(failed)
    assert wrong is not None
    assert f"<pre>{failed.again}</pre>" in page
    assert "1 failed" in page and "1 passed" in page
    for value in (wrong.expected, wrong.observed):
        assert f"<bdi>{value}</bdi>" in page
    assert 'class="tile is-wrong"' in page and 'class="versus"' in page


def test_page_sets_the_first_difference_beside_the_rules() -> None:
    both = ("by the rules:   bear gets +1/+1", "  bear: 2/2 → 3/3", "and here:       == the end ==", "  more")
    assert (("bear gets +1/+1", "  bear: 2/2 → 3/3"), ("the end", "  more")) == sides_of(both, WRONG)
    step = ("layer 7b (set power and toughness): godhead",)
    assert (step, ("bear: power 3",)) == sides_of(step, replace(WRONG, observed="3"))
    assert ((), ()) == sides_of((), WRONG)


@pytest.mark.sweep
def test_every_failure_of_a_cause_has_the_tiles_that_differ(without_dependencies: tuple[str, Run]) -> None:
    _, run = without_dependencies
    shown = run_shown(run)
    causes = [cause for cause in shown.causes if cause.others]
    assert causes
    for cause in causes:
        for one in cause.others:
            assert one.board is not None
            tiles = [tile for side in one.board.picture.sides for tile in side.tiles]
            assert all(any(id in one.board.wrong for id in ids_on(tile)) for tile in tiles)
        assert cause.first.board is not None and not cause.first.board.more
    assert any(one.board and one.board.more for cause in causes for one in cause.others)


def test_filter_finds_checks_by_feature_and_by_reason() -> None:
    run = run_of(
        checked(Unsupported("no counters"), id="U-1"),
        replace(checked(PassVerdict((RIGHT,)), id="P-1"), features=("counters", "script")),
    )
    shown = run_shown(run)
    assert (("counters", 1), ("script", 1)) == shown.features
    assert ["no counters"] == [one.says for one in shown.reasons]
    assert [((), 0), ((0, 1), None)] == [(one.features, one.reason) for one in shown.checks]
    page = html(run)
    assert 'data-reason="0"' in page and 'data-features="0 1"' in page


def test_page_has_what_a_crashed_engine_wrote_last() -> None:
    page = html(run_of(checked(Crash("gone", "Exception in thread main\nat Game.java:7"))))
    assert "at Game.java:7" in page


def test_page_says_why_a_divergence_is_known_and_until_when() -> None:
    run = run_of(checked(Fail((WRONG,)), standing="listed", note="no layers yet; expires 2027-01-01"))
    page = html(run)
    assert "no layers yet; expires 2027-01-01" in page
    assert "Failures by cause" not in page


@pytest.mark.sweep
def test_page_of_very_many_checks_and_failures_stays_small() -> None:
    fixtures = [one for one in all_fixtures().values() if one.play.players]
    wrong = replace(WRONG, observed="3")
    failures = [
        checked(
            Fail((replace(wrong, key=f"power {at % 60}"),)),
            id=f"F-{at:04}",
            scenario=fixtures[at * 3 % len(fixtures)],
        )
        for at in range(300)
    ]
    passed = [checked(PassVerdict((RIGHT,)), id=f"P-{at:04}") for at in range(4700)]
    page = html(run_of(*failures, *passed))
    assert len(page.encode()) < 3_000_000
    assert all(f"<bdi>{one.id}</bdi></strong>" in page for one in failures)

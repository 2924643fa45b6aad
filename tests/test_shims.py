"""A shim reports what its engine says: each key of a look has a source, and each key that is played is read.

The tests compare three things that are kept in the repository: the table of keys in a shim's README, the
source of the shim, and the recording of the engine's answers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import fields, replace

from conformance.data.rulebook import newest_edition
from conformance.files.canonical import decode, digest
from conformance.gate.divergences import divergences_in
from conformance.gate.standing import Divergence
from conformance.model.observation import Observations, SeenObject, SeenPlayer, SeenTable
from conformance.model.scenario import Play
from conformance.model.verdict import Fail, PassVerdict, Unsupported
from conformance.play.runner import run
from conformance.play.selection import selected_fixtures
from conformance.site.recordings import RecordedResult, RecordedRun
from conformance_adapters import connect
from conformance_adapters.recorded import CouldPlay, RecordedEngine, RecordedScenario, recording_in
from conformance_adapters.wire import plain
from tools.engines_page import RESULTS, engine_page, failing, mend_first, overview, with_reports
from tools.findings import (
    ANSWERS,
    Finding,
    findings_folder,
    findings_in,
    issue,
    not_shown,
    verdicts_of,
)

ADAPTERS = Path(__file__).parent.parent / "adapters"
SHIMS = {"phase-rs": "shim.rs", "argentum": "Shim.kt", "xmage": "XmageShim.java"}
SEEN = {"object": SeenObject, "player": SeenPlayer, "table": SeenTable}
ROW = re.compile(r"^\| (object|player|table) \| `(\w+)` \| (.+) \|$", re.MULTILINE)
NOT_REPORTED = "not reported"


def folder(engine: str) -> Path:
    return ADAPTERS / "shims" / engine.replace("-", "_")


def source(engine: str) -> str:
    return (folder(engine) / SHIMS[engine]).read_text(encoding="utf-8")


def table(engine: str) -> dict[tuple[str, str], str]:
    """What the shim's README says about the source of each key."""
    rows = ROW.findall((folder(engine) / "README.md").read_text(encoding="utf-8"))
    return {(of, key): says for of, key, says in rows}


@cache
def plays_by_digest() -> dict[str, Play]:
    """What the suite plays, by what a recording calls it."""
    return {digest(one.fixture.play): one.fixture.play for one in selected_fixtures()}


@cache
def played(engine: str) -> tuple[tuple[Play, Observations], ...]:
    """What the recorded engine played, as far as the suite still has it."""
    answers = recording_in(ADAPTERS / "recordings" / f"{engine}.jsonl.gz").lines
    outcomes = (
        (play, decode(answers[at], RecordedScenario).outcome)
        for at, play in plays_by_digest().items()
        if at in answers
    )
    return tuple((play, outcome.observations) for play, outcome in outcomes if isinstance(outcome, CouldPlay))


def reported(engine: str) -> dict[tuple[str, str], int]:
    """How often each key was reported."""
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for _, seen in played(engine):
        for look in seen.looks.values():
            things = [("table", look.table), *(("object", one) for one in look.objects.values())]
            for of, thing in things + [("player", one) for one in look.players.values()]:
                for field in fields(thing):
                    counts[of, field.name] += getattr(thing, field.name) is not UNSET
    return counts


@pytest.mark.sweep
@pytest.mark.parametrize("engine", SHIMS)
def test_each_key_of_a_look_has_a_source_in_the_engine_or_is_not_reported(engine: str) -> None:
    rows, text, counts = table(engine), " ".join(source(engine).split()), reported(engine)

    assert {(of, key) for of, kind in SEEN.items() for key in kind.__struct_fields__} == set(rows)
    for row, says in rows.items():
        named = re.findall(r"`([^`]+)`", says)
        assert named or says == NOT_REPORTED, f"{row} has no source"
        assert [] == [word for word in named if word not in text], f"the source of {row} is not in the shim"
        if says == NOT_REPORTED:
            assert not counts[row], f"{row} is reported after all"
    assert all(
        counts["object", key] for key in ("zone", "name", "mana_value", "subtypes", "power", "keywords")
    )


def keys_in(value: Any) -> Iterator[str]:
    """Every key of a plain value, at any depth."""
    if isinstance(value, dict):
        yield from value
        for inner in value.values():
            yield from keys_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_in(inner)


@pytest.mark.sweep
@pytest.mark.parametrize("engine", SHIMS)
def test_each_key_of_a_card_that_was_played_is_one_that_the_shim_reads(engine: str) -> None:
    """Otherwise the engine is blamed for what it was never told."""
    text = source(engine)
    unread: dict[str, int] = defaultdict(int)
    for play, seen in played(engine):
        if seen.stopped and seen.stopped.why in ("unsupported", "no stop"):
            continue
        message = plain(play)
        built = [card["definition"] for card in message.get("cards", [])]
        own = [card for card in built if seen.cards.get(card["name"]) != "named"]
        parts = (
            [card.get("abilities", []) for card in own],
            message.get("script", []),
            message.get("setup", []),
        )
        for key in {key for part in parts for key in keys_in(part)}:
            if f'"{key}"' not in text:
                unread[key] += 1

    assert {} == unread


# --------------------------------------------------------------------------------------------- the findings


@pytest.mark.sweep
@pytest.mark.parametrize("engine", SHIMS)
def test_each_finding_is_what_the_engine_answered_and_not_what_the_rules_say(engine: str) -> None:
    found, verdicts = findings_in(findings_folder(engine)), verdicts_of(findings_folder(engine))
    info = RecordedEngine(findings_folder(engine) / ANSWERS).describe()
    fixtures = [one.fixture for one in found.values()]

    assert found
    assert [] == not_shown(findings_folder(engine)), "the engine's answers do not show these"
    for one in run(connect("reference"), fixtures, newest_edition()):
        assert isinstance(one.verdict, PassVerdict), one.id
    issues = {path.stem: path.read_text(encoding="utf-8") for path in (folder(engine) / "issues").iterdir()}
    assert issues == {
        id: issue(one, verdicts[id], f"{info.name} {info.version}") for id, one in found.items()
    }


@pytest.mark.sweep
def test_what_enters_with_x_counters_has_the_x_of_its_spell() -> None:
    """The shim for phase-rs used the X of a resolving ability, which such a permanent does not have."""
    verdict = verdicts_of(findings_folder("phase-rs"))["F57"]
    assert isinstance(verdict, Fail)
    assert {one.about for one in verdict.parts if one.outcome == "fail"} == {"blast"}


@pytest.mark.sweep
@pytest.mark.parametrize(("id", "wrong"), [("F76", {"without", "his"}), ("F77", {"artifact"})])
def test_creatures_pay_for_convoke(id: str, wrong: set[str]) -> None:
    """The shim for phase-rs never tapped them, so that even what the engine does rightly was wrong."""
    verdict = verdicts_of(findings_folder("phase-rs"))[id]
    assert isinstance(verdict, Fail)
    assert {one.about for one in verdict.parts if one.outcome == "fail"} == wrong


@pytest.mark.sweep
@pytest.mark.parametrize(("id", "kind"), [("F71", "finality"), ("F83", "shield"), ("F84", "+1/+0")])
def test_counters_that_the_engine_takes_and_ignores_are_findings(id: str, kind: str) -> None:
    """The engine's parser takes all kinds of counters alike, so the shim does too."""
    verdict = verdicts_of(findings_folder("phase-rs"))[id]
    assert isinstance(verdict, Fail)
    assert any(
        one.key == "counters" and one.outcome == "pass" and kind in one.observed for one in verdict.parts
    )


@pytest.mark.sweep
@pytest.mark.parametrize("engine", SHIMS)
def test_each_finding_has_a_control_and_a_source_and_stands_on_the_page(engine: str) -> None:
    found = findings_in(findings_folder(engine))
    told = (ADAPTERS.parent / "docs" / "engines" / f"{engine}.md").read_text(encoding="utf-8")
    listed = divergences_in(folder(engine) / "divergences.yaml").known.values()
    named = {RecordedResult(one.check, (), Unsupported(""), one).finding for one in listed} - {""}

    assert named <= set(found), "the list of divergences names findings that do not exist"
    assert {path.stem for path in findings_folder(engine).glob("*.md")} == set(found)
    for id, one in found.items():
        assert all(one.point(label) for label in ("Scenario", "Control", "Source")), id
        assert all(text in told for text in (f"### {id}. {one.title}", one.text, *dict(one.points).values()))


def some_finding(id: str, folder: Path) -> Finding:
    (folder / f"{id}.yaml").write_text(
        f"id: {id}\ntitle: A bear is a 2/2\nrules: ['208.1']\nplayers: [alice, bob]\n"
        "setup: [{id: bear, card: Grizzly Bears, controller: alice}]\nexpect: [{of: bear, power: 2}]\n",
        encoding="utf-8",
    )
    note = (
        f"# {id}. A bear is a {id}\n\nFound by chance.\n\n- Scenario: a\n  bear.\n- Control: an ox.\n- Odd.\n"
    )
    (folder / f"{id}.md").write_text(note, encoding="utf-8")
    return findings_in(folder)[id]


def test_a_note_has_points_with_labels(tmp_path: Path) -> None:
    one = some_finding("F01", tmp_path)

    assert ("A bear is a F01", "Found by chance.") == (one.title, one.text)
    assert (("Scenario", "a bear."), ("Control", "an ox."), ("", "Odd.")) == one.points
    (tmp_path / "F01.md").write_text("# F02. Wrong number\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"begins with '# F01\. '"):
        findings_in(tmp_path)


def test_what_to_mend_first_is_what_most_checks_fail_for(tmp_path: Path) -> None:
    found = {id: some_finding(id, tmp_path) for id in ("F01", "F02", "F03")}
    reasons = {"a": "F02: because", "b": "F02: because", "c": "F03: because", "d": "no evidence: because"}
    listed = {id: Divergence(id, "", "", "", date(2026, 11, 23), reason) for id, reason in reasons.items()}
    results = {id: RecordedResult(id, ("613.7",), Fail(()), one) for id, one in listed.items()}
    recorded = RecordedRun("some", "", "", "1", "2026-09-25", "2026-11-23", results)

    assert ["F02", "F03", "F01"] == mend_first(found, failing(recorded))
    text = engine_page("# Some\n\n{contents}\n\n{findings}\n", recorded, found)
    assert "explain 3 of the 4 checks that disagree, and 1 has no finding" in text
    assert "| [F02. A bear is a F02](#f02-a-bear-is-a-f02) | 208.1 | 2 |" in text
    assert text.index("### F02. ") < text.index("### F03. ") < text.index("### F01. ")
    assert "- Failing checks: a, b.\n" in text


def test_tables_of_the_page_count_what_was_recorded() -> None:
    results = {id: RecordedResult(id, ("613.7",), Unsupported("not yet")) for id in ("a", "b")}
    recorded = RecordedRun("some", "", "", "1", "2026-09-25", "2026-11-23", results)
    text = f"# Head\n\n{RESULTS}\n|---|\n| [some](x) | 1 | – | 0 |\n\nMore.\n"

    made = overview(text, {"some": recorded}, {"some": 1})
    assert "| [some](x) | 1 | 2026-11-23 | 2 | 0 | 0 | 2 | [1](engines/some.md) |" in made
    assert made == overview(made, {"some": recorded}, {"some": 1})


def test_reports_in_trackers_lead_to_the_checks_that_would_have_caught_them(tmp_path: Path) -> None:
    one = some_finding("F01", tmp_path).fixture
    checks = [replace(one, caught=("a/b#1", "a/b#2")), replace(one, id="F02", caught=("a/b#1",))]
    text = with_reports("# Head\n\n| report | checks |\n|---|---|\n| old | F09 |\n\nMore.\n", checks)

    assert "| [a/b#1](https://github.com/a/b/issues/1) | F01, F02 |\n" in text
    assert "| [a/b#2](https://github.com/a/b/issues/2) | F01 |\n\nMore.\n" in text
    assert "F09" not in text

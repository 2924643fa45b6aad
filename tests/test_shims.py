"""A shim reports what its engine says: each key of a look has a source, and each key that is played is read.

The tests compare three things that are kept in the repository: the table of keys in a shim's README, the
source of the shim, and the recording of the engine's answers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import fields

from conformance.data.rulebook import newest_edition
from conformance.files.canonical import decode, digest
from conformance.model.observation import Observations, SeenObject, SeenPlayer, SeenTable
from conformance.model.scenario import Play
from conformance.model.verdict import Fail, PassVerdict, Unsupported
from conformance.play.runner import run
from conformance.play.selection import selected_fixtures
from conformance.site.recordings import RecordedResult, RecordedRun
from conformance_adapters import connect
from conformance_adapters.recorded import CouldPlay, RecordedEngine, RecordedScenario, recording_in
from conformance_adapters.wire import plain
from tools.engines_page import CHAPTERS, RESULTS, page
from tools.findings import ANSWERS, findings_folder, findings_in, issue, verdicts_of

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
def played(engine: str) -> tuple[tuple[Play, Observations], ...]:
    """What the recorded engine played, as far as the suite still has it."""
    plays = {digest(one.fixture.play): one.fixture.play for one in selected_fixtures()}
    answers = recording_in(ADAPTERS / "recordings" / f"{engine}.jsonl.gz").lines
    outcomes = (
        (play, decode(answers[at], RecordedScenario).outcome) for at, play in plays.items() if at in answers
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

FOLDERS = {engine: findings_folder(engine) for engine in SHIMS}


@pytest.mark.parametrize("engine", [engine for engine, folder in FOLDERS.items() if folder.exists()])
def test_each_finding_is_what_the_engine_answered_and_not_what_the_rules_say(
    engine: str,
) -> None:
    folder = FOLDERS[engine]
    found, verdicts = findings_in(folder), verdicts_of(folder)
    info = RecordedEngine(folder / ANSWERS).describe()
    told = (ADAPTERS.parent / "docs" / "engines.md").read_text(encoding="utf-8")

    assert found
    assert {path.stem for path in folder.glob("*.yaml")} == set(found) == set(verdicts)
    for one in run(connect("reference"), found.values(), newest_edition()):
        assert isinstance(one.verdict, PassVerdict), one.id
        assert isinstance(verdicts[one.id], Fail), f"{one.id} is not what the engine answered"
        assert f"**{one.id}. " in told
        scenario = (folder / f"{one.id}.yaml").read_text(encoding="utf-8")
        written = issue(found[one.id], verdicts[one.id], scenario, f"{info.name} {info.version}")
        assert written == (folder / f"{one.id}.md").read_text(encoding="utf-8")


def test_tables_of_the_page_count_what_was_recorded() -> None:
    results = {id: RecordedResult(id, ("613.7",), Unsupported("not yet")) for id in ("a", "b")}
    recorded = RecordedRun("some", "", "", "1", "2026-09-25", "2026-11-23", results)
    rows = "|---|\n| [some](x) | 1 | – | 0 |"
    text = f"# Head\n\n{RESULTS}\n{rows}\n\n## some\n\n{CHAPTERS}\n|---|\n| 1 |\n\n**F01. Odd** (1)\n"

    made = page(text, {"some": recorded})
    assert "| [some](x) | 1 | 2026-11-23 | 2 | 0 | 0 | 2 | 1 |" in made
    assert made == page(made, {"some": recorded})

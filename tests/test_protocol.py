"""The page about the wire and the golden transcripts say what the code does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from conformance.model.engine import EngineInfo
from conformance.model.features import FEATURES
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance_adapters import wire
from conformance_adapters.serve import serve
from conformance_adapters.stdio import USUAL
from conformance_adapters.wire import wire_schema
from reference_engine.language.words import Step
from tests.golden_transcripts import FOLDER, talks, transcript

PAGE = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SCHEMA = wire_schema()


def message(line: dict[str, Any]) -> object:
    """A line as the message it is; raises if it is none."""
    content = json.dumps(line).encode()
    if "say" in line:
        return wire.request(content)
    return wire.answer(content) if "id" in line else wire.welcome(content)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_example_on_the_page_is_a_message(number: int) -> None:
    message(json.loads(EXAMPLES[number]))


def test_page_has_every_message_and_every_word() -> None:
    assert {"Hello", "Welcome", "PlayThis", "Answer", "Bye"} == {
        type(message(json.loads(example))).__name__ for example in EXAMPLES
    }
    for name in ("Welcome", "Answer"):
        assert [] == [key for key in SCHEMA["$defs"][name]["properties"] if f"`{key}`" not in PAGE]
    for word in SCHEMA["$defs"]["Stopped"]["properties"]["why"]["enum"]:
        assert f"| `{word}` |" in PAGE
    listed = " ".join(PAGE.partition("Features: ")[2].partition(".\n")[0].split())
    assert [f"`{feature}`" for feature in FEATURES] == listed.split(", ")
    assert f"one number, now {wire.PROTOCOL}" in PAGE
    assert f"within {USUAL.start:g} seconds of its start" in PAGE
    assert f"within {USUAL.request:g} seconds:" in PAGE


@pytest.mark.parametrize("name", talks())
def test_transcript_is_what_the_reference_engine_says(name: str) -> None:
    kept = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")

    assert kept == transcript(talks()[name])


def test_no_transcript_is_left_over() -> None:
    assert sorted(talks()) == sorted(path.stem for path in FOLDER.iterdir())


def lines_of(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Who says what in a transcript."""
    for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        ((who, said),) = json.loads(line).items()
        yield who, said


def test_transcripts_show_each_way_to_end() -> None:
    answers = [said for name in talks() for who, said in lines_of(name) if who == "engine" and "id" in said]

    assert {None, "rejected", "question"} <= {(said["stopped"] or {}).get("why") for said in answers}
    assert {"done", "rejected"} == {outcome for said in answers for outcome in said["tried"].values()}
    assert any(said["unused"] for said in answers)


class Says:
    """An engine that says everything of itself that can be said."""

    def describe(self) -> EngineInfo:
        stops: frozenset[Step] = frozenset({"precombat main", "end"})
        return EngineInfo(
            "some", "7", "2024-11-08", frozenset({"named", "text"}), frozenset({"teams"}), True, stops
        )

    def play(self, play: Play) -> Observations:
        raise AssertionError("nobody asks")


def test_all_that_an_engine_says_of_itself_goes_over_the_wire() -> None:
    said = BytesIO()
    serve(Says(), BytesIO(wire.line(wire.Hello(wire.PROTOCOL, "1"))), said)

    assert Says().describe() == wire.welcome(said.getvalue()).info()


def test_schema_lists_the_messages_and_the_features() -> None:
    assert ["Hello", "PlayThis", "Bye", "Welcome", "Answer"] == [
        one["$ref"].removeprefix("#/$defs/") for one in SCHEMA["anyOf"]
    ]
    assert list(FEATURES) == SCHEMA["$defs"]["Welcome"]["properties"]["lacks"]["items"]["enum"]
    assert SCHEMA["$defs"]["Answer"]["additionalProperties"] is False
    assert "additionalProperties" not in SCHEMA["$defs"]["Hello"]

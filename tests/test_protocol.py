"""The protocol page and the golden transcripts agree with the code."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from msgspec import NODEFAULT

from conformance.data.library import all_fixtures
from conformance.files.canonical import fields_of
from conformance.files.own_words import is_struct, parts_of_types
from conformance.model.engine import EngineInfo
from conformance.model.features import FEATURES
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.run.doctor import ladder
from conformance_adapters import wire
from conformance_adapters.python import PythonEngine
from conformance_adapters.serve import serve
from conformance_adapters.stdio import USUAL_LIMITS, Command, ProcessLimits, StdioEngine
from conformance_adapters.wire import wire_schema
from reference_engine.language.words import Step
from tests.sweeping import a_share
from tools.golden_transcripts import FOLDER, talks, transcript
from tools.protocol_defaults import name_of, table

PAGE = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
SCHEMA = wire_schema()
RECORDS = [part for part in parts_of_types(wire.PlayThis) if is_struct(part)]


def message(line: dict[str, Any]) -> object:
    """The message on a line; raises if it is not a message."""
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
    assert f"version number, currently {wire.PROTOCOL}" in PAGE
    assert f"within {USUAL_LIMITS.start:g} seconds of its start" in PAGE
    assert f"within {USUAL_LIMITS.request:g} seconds:" in PAGE


def test_page_lists_every_default_that_says_something() -> None:
    assert table() in PAGE


@pytest.mark.parametrize("struct", RECORDS, ids=name_of)
def test_schema_names_every_default(struct: Any) -> None:
    defaults = {key for _, key, default in fields_of(struct) if default is not NODEFAULT}
    keys = set(struct.__struct_encode_fields__)
    named = {
        name: definition
        for name, definition in SCHEMA["$defs"].items()
        if name.startswith(struct.__name__)
        and keys == definition.get("properties", {}).keys() - {struct.__struct_config__.tag_field}
    }
    definition = named[min(named, key=len)]

    assert defaults == {key for key in keys if "default" in definition["properties"][key]}


@pytest.mark.sweep
@pytest.mark.parametrize("with_defaults", [False, True])
def test_play_comes_through_with_its_defaults_and_without_them(with_defaults: bool) -> None:
    for number, (_, fixture) in enumerate(a_share(all_fixtures(), 6)):
        message = wire.PlayThis(number, fixture.play)
        assert message == wire.request(wire.line(message, with_defaults=with_defaults))


def test_line_without_defaults_is_half_as_long() -> None:
    """The shortest script of the ladder takes 637 bytes instead of 1041."""
    messages = [wire.PlayThis(1, step.play) for step in ladder()]
    short, long = (
        [len(wire.line(message, with_defaults=wanted)) for message in messages] for wanted in (False, True)
    )

    assert sum(short) < sum(long) * 0.55
    assert (637, 1041) == min(
        (
            pair
            for pair, message in zip(zip(short, long, strict=True), messages, strict=True)
            if message.scenario.script
        ),
        key=lambda pair: pair[1],
    )


@pytest.mark.sweep
@pytest.mark.parametrize("wanted", [False, True])
def test_engine_gets_the_defaults_if_it_wants_them(wanted: bool, tmp_path: Path) -> None:
    says = {"protocol": 1, "name": "n", "version": "1", **({"wants_defaults": True} if wanted else {})}
    (tmp_path / "asked.py").write_text(
        "import sys\n"
        f"print({json.dumps(json.dumps(says))}, flush=True)\n"
        "sys.stdin.readline()\n"
        "open('asked', 'w').write(sys.stdin.readline())\n"
        'print(\'{"id": 1, "looks": {"end": {}}}\', flush=True)\n'
    )
    engine = StdioEngine(Command((sys.executable, "asked.py"), tmp_path), "1", ProcessLimits(60, 60))
    play = ladder()[0].play
    engine.play(play)
    engine.close()

    assert wire.line(wire.PlayThis(1, play), with_defaults=wanted) == (tmp_path / "asked").read_bytes()


@pytest.mark.parametrize("wanted", [False, True])
def test_engine_in_python_gets_the_defaults_if_it_wants_them(wanted: bool) -> None:
    asked: list[Any] = []

    class Wants:
        def describe(self) -> dict[str, Any]:
            return {"protocol": 1, "name": "n", "version": "1", "wants_defaults": wanted}

        def play(self, scenario: dict[str, Any]) -> dict[str, Any]:
            asked.append(scenario)
            return {"looks": {"end": {}}}

    play = ladder()[0].play
    PythonEngine(Wants).play(play)

    line = wire.line(wire.PlayThis(1, play), with_defaults=wanted)
    assert [json.loads(line)["scenario"]] == asked


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

    assert {None, "rejected", "question"} <= {said.get("stopped", {}).get("why") for said in answers}
    assert {"done", "rejected"} == {outcome for said in answers for outcome in said.get("tried", {}).values()}
    assert any(said.get("unused") for said in answers)


class Says:
    """An engine that reports everything about itself that can be reported."""

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

"""Conversations between the suite and the reference engine, line by line, kept in
`tests/golden/transcripts/`.

Authors of shims can replay them: send each `suite` line, and compare the answer with the `engine` line that
follows. `test_protocol` does so with `conformance_adapters.serve`. After a change to the wire format,
regenerate them and describe the change in CHANGELOG.md:

    python -m tools golden transcripts
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path

from conformance.files.fixture_file import read_fixture
from conformance.files.yaml_tree import tree_of
from conformance.model.scenario import Play
from conformance.run.doctor import PLAINS, ladder
from conformance_adapters import wire
from conformance_adapters.in_process import Reference
from conformance_adapters.serve import serve

FOLDER = Path(__file__).parent.parent / "tests" / "golden" / "transcripts"
HELLO = wire.Hello(wire.PROTOCOL, "0.1.0")

STEPS: Mapping[str, tuple[str, ...]] = {
    "a_greeting": (),
    "looks": ("D-0101", "D-0103", "D-0105", "D-0106", "D-0107"),
    "passes_and_steps": ("D-0201", "D-0202", "D-0204"),
    "spells": ("D-0301", "D-0302", "D-0303"),
    "rejected_tries": ("D-0203", "D-0304", "D-0305", "D-0902"),
    "layers": ("D-0401", "D-0502", "D-0603", "D-0701"),
    "triggers_and_choices": ("D-0801", "D-0802"),
    "teams": ("D-1004",),
}
"""The ladder's scenarios that each transcript plays."""

STOPPED = {
    "stopped_by_a_rejection": """
players: {alice: {}, bob: {}}
script: [{look: before}, {pass: bob}, {look: after}]
expect: {before: [{priority: alice}], after: [{priority: bob}]}
""",
    "stopped_by_a_question": """
cards:
  - {name: Test Bear, types: Creature, cost: "{1}{G}", pt: 2/2}
  - name: Test Choir
    types: Enchantment
    abilities: [{triggered: {when: {enters: {all: creatures}}, effect: {gain_life: 1}}}]
  - name: Test Fire
    types: Enchantment
    abilities: [{triggered: {when: {enters: {all: creatures}}, effect: {lose_life: 5}}}]
players: {alice: {hand: [{bear: Test Bear}]}, bob: {}}
setup: [{id: choir, card: Test Choir, controller: alice}, {id: fire, card: Test Fire, controller: alice}]
script: [{cast: bear, by: alice}, {resolve: bear}]
expect: [{stack: []}]
""",
    "an_unused_choice": """
script: [{choose: may, by: alice, answer: yes}, {pass: alice}]
expect: [{priority: bob}]
""",
}
"""Plays that end before their script does, or leave an answer unused."""


def play_of(text: str) -> Play:
    """The play of a scenario given as file content without its heading."""
    heading = 'id: D-0001\ntitle: A talk\nrules: ["117.1"]\n'
    loaded, problems = read_fixture(tree_of(heading + text, "a talk"), "a talk", {"Plains": PLAINS})
    assert loaded is not None and not problems, problems
    return loaded.fixture.play


def talks() -> Mapping[str, tuple[bytes, ...]]:
    """The suite's lines in each transcript."""
    by_id = {step.id: step.play for step in ladder()}
    plays = {name: [by_id[id] for id in ids] for name, ids in STEPS.items()}
    plays |= {name: [play_of(text)] for name, text in STOPPED.items()}
    return {name: tuple(map(wire.line, talk(every))) for name, every in plays.items()}


def talk(plays: Sequence[Play]) -> Iterator[wire.Request]:
    """All requests to an engine that plays these, one after another."""
    yield HELLO
    for number, play in enumerate(plays, 1):
        yield wire.PlayThis(number, play)
    yield wire.Bye()


def transcript(said: tuple[bytes, ...]) -> str:
    """Each line of the suite, followed by the engine's answer; `bye` has none."""
    outgoing = BytesIO()
    serve(Reference(), BytesIO(b"".join(said)), outgoing)
    answers = outgoing.getvalue().splitlines()
    lines = []
    for number, line in enumerate(said):
        lines.append({"suite": json.loads(line)})
        if number < len(answers):
            lines.append({"engine": json.loads(answers[number])})
    return "".join(json.dumps(line, sort_keys=True, ensure_ascii=False) + "\n" for line in lines)


def write() -> Path:
    """Regenerate the files and return their folder."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, said in talks().items():
        (FOLDER / f"{name}.jsonl").write_text(transcript(said), encoding="utf-8")
    return FOLDER

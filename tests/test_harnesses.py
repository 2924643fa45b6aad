"""The harnesses for other ecosystems: they judge as the suite does, and say what an author needs to know.

Each is built with its language's compiler and asked about the same answers as `judge`: those of the recorded
engines, and the reference engine's with random changes, most of them wrong in some way. The tests of a
language are skipped where its compiler is missing. JUnit is replaced by the classes that the harness uses.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec import Struct

from conformance.cli import main
from conformance.data import loading
from conformance.data.library import all_fixtures, real_cards
from conformance.data.rulebook import is_within, newest_edition
from conformance.files.canonical import encode
from conformance.harnesses import FIRST_OF_A_CHAPTER, HARNESSES, facts, release
from conformance.model.engine import CannotPlay, Engine, EngineFailure, EngineInfo
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture
from conformance.model.verdict import (
    COUNTED_BY,
    Crash,
    Disputed,
    Fail,
    PassVerdict,
    ProtocolBreach,
    Unsupported,
    Verdict,
    judge,
)
from conformance.model.version import VERSION
from conformance.play.runner import answer_to, has_expectations
from conformance_adapters import connect, wire
from conformance_adapters.in_process import Reference
from reference_engine.language.subtypes import SUBTYPES
from reference_engine.language.words import ALL_CREATURE_TYPES, Step
from tests.sweeping import NIGHTLY, a_share, parts

RECORDINGS = sorted((Path(__file__).parent.parent / "adapters/recordings").glob("*.jsonl.gz"))
OF_EACH_ENGINE = [RECORDINGS[0], *(pytest.param(one, marks=pytest.mark.nightly) for one in RECORDINGS[1:])]
KINDS: Mapping[type[Verdict], str] = {
    PassVerdict: "pass",
    Fail: "fail",
    Unsupported: "unsupported",
    Disputed: "disputed",
    ProtocolBreach: "protocol",
    Crash: "crash",
}
"""Our verdicts, in the words in which the tests read those of a harness."""


def called(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, catch_exceptions=False, prog_name="conformance")


ALWAYS = ("G-0041", "G-0042", "G-0044", "G-0045", "L-0001")


def some_fixtures() -> Mapping[str, Fixture]:
    """A part of the fixtures, so that a JVM is not busy for a minute; all have been compared by hand."""
    every = all_fixtures()
    wanted = {
        *ALWAYS,
        *(id for id, _ in a_share(every, 24)),
        *one_of_each_kind(every),
        *COUNTED_BY.values(),
        *(id for id, one in every.items() if one.disputed),
    }
    wanted |= {id for id, one in every.items() if any("count" in tag_of(each.test) for each in one.expect)}
    return {id: every[id] for id in sorted(wanted)}


def one_of_each_kind(fixtures: Mapping[str, Fixture]) -> Iterable[str]:
    """For each test of each key, the first fixture that expects something in this way."""
    first: dict[tuple[str, str], str] = {}
    for id, fixture in fixtures.items():
        for one in fixture.expect:
            first.setdefault((one.key, tag_of(one.test)), id)
    return first.values()


def tag_of(test: Struct) -> str:
    return str(test.__struct_config__.tag)


SOME = some_fixtures()


# --------------------------------------------------------------------------------- answers and verdicts


class Answered(Struct, frozen=True):
    """An engine's introduction, and its answer to each fixture."""

    hello: bytes
    answers: Mapping[str, bytes]


def answers_of(engine: Engine) -> Answered:
    """What an engine says to each fixture, as lines of the protocol."""
    info = engine.describe()
    hello = wire.line(
        wire.Welcome(
            wire.PROTOCOL,
            info.name,
            info.version,
            info.edition,
            info.takes,
            info.lacks,
            info.checks_understanding,
            info.steps_with_priority,
        )
    )
    said = {}
    for number, (id, fixture) in enumerate(SOME.items(), 1):
        match answer_to(engine, fixture.play):
            case CannotPlay() as why:
                stop = {"at": 0, "why": "unsupported", "says": str(why)}
                said[id] = json.dumps({"id": number, "looks": {}, "stopped": stop}).encode() + b"\n"
            case EngineFailure() as why:
                said[id] = json.dumps({"id": number, "error": why.says}).encode() + b"\n"
            case seen:
                said[id] = wire.line(wire.answer_with(number, seen))
    return Answered(hello, said)


def kind_of_verdict(fixture: Fixture, number: int, said: bytes, info: EngineInfo) -> str:
    """Our verdict on a line, in one word."""
    edition = info.edition or newest_edition()
    if not has_expectations(fixture, edition):
        return "unsupported"
    verdict: Verdict
    try:
        answer = wire.answer(said)
        if answer.id != number:
            return "protocol"
        seen: Any = answer.observations(fixture.play)
    except ScenarioError:
        return "protocol"
    except (CannotPlay, EngineFailure) as error:
        seen = error
    verdict = judge(
        fixture,
        seen,
        edition,
        checks_understanding=info.checks_understanding,
        steps_with_priority=info.steps_with_priority,
    )
    return KINDS[type(verdict)]


def our_verdicts(said: Answered) -> dict[str, str]:
    """Our verdict on each answer."""
    info = wire.welcome(said.hello).info()
    return {
        id: kind_of_verdict(fixture, number, said.answers[id], info)
        for number, (id, fixture) in enumerate(SOME.items(), 1)
    }


# ------------------------------------------------------------------------------------ changed answers

QUESTIONS = (
    *("alice must choose targets for bolt", "order of enters of a", "bob must choose timestamps", "", "may"),
    *(
        "alice must choose modes\nmust choose keep",
        "he must choose x must choose option (1)",
        "xmust choose keep",
    ),
    *("must choose cards", "keep", "alice must choose replacement for redcap", "must choose  order"),
)
STOPS = ("rejected", "question", "no stop", "unsupported", "loop", "tired")
STEPS: tuple[Step, ...] = (
    "precombat main",
    "declare attackers",
    "declare blockers",
    "postcombat main",
    "end",
)


def changed(said: bytes, rng: random.Random) -> bytes:
    """An answer with a few random changes, in its values or in the line."""
    value = json.loads(said)
    for _ in range(rng.randint(0, 3)):
        change_somewhere(value, rng)
    line = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    match rng.randrange(60):
        case 0:
            line = line[: rng.randrange(len(line))]
        case 1:
            line = line.replace(": 1", ": 1.0", 1)
        case 2:
            line = line.replace('"looks": {', '"looks": {}, "looks": {', 1)
        case 3:
            line += "x"
        case 4:
            line = line.replace(": 2", ": 2000000000000000", 1)
        case 5:
            line = line.replace(", ", ",, ", 1)
        case 6:
            line = line.replace("}", ",}", 1)
        case _:
            pass
    return line.encode()


def change_somewhere(value: dict[str, Any], rng: random.Random) -> None:
    """Change one thing in an answer."""
    of = rng.choice([one for one in containers(value) if one] or [value])
    match rng.randrange(16):
        case 0:
            stop = {"at": rng.randint(-1, 6), "why": rng.choice(STOPS), "question": rng.choice(QUESTIONS)}
            value["stopped"] = {**stop, "says": "so"} if rng.random() < 0.9 else None
        case 1:
            value["cards"] = {rng.choice(CARDS): rng.choice(("text", "named", "defined"))}
        case 2:
            value[rng.choice(("error", "error", "unused", "sees"))] = rng.choice(("broken", "", [1], None))
        case 3 if "subtypes" in of:
            of["subtypes"] = [*rng.sample(CREATURE_TYPES, rng.choice((149, 150, 200))), "Island", "Newtype"]
        case 4 if "subtypes" in of:
            of["subtypes"] = [*of["subtypes"], ALL_CREATURE_TYPES]
        case 5 if isinstance(of, dict):
            of["nothing"] = 1
        case _ if isinstance(of, dict):
            change_member(of, rng.choice(list(of)), rng)
        case _:
            of.append(of[0]) if rng.random() < 0.5 else change_member(of, rng.randrange(len(of)), rng)


def change_member(of: Any, key: Any, rng: random.Random) -> None:
    """Change or remove one member of a map or list."""
    match of[key]:
        case bool() | None:
            of[key] = rng.choice((True, False, None, 1))
        case int() as number:
            of[key] = rng.choice((number + 1, -number, str(number), None, True))
        case str():
            of[key] = rng.choice(
                ("bob", "Wall", "", "red", "graveyard", 3, None, "done", "rejected", "é\u2028\t")
            )
        case list() as several:
            of[key] = rng.choice((several[::-1], several[1:], [*several, *several], [], None, "none"))
        case _:
            del of[key]


def containers(value: Any) -> Iterator[Any]:
    """All maps and lists in a value."""
    if isinstance(value, dict | list):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from containers(inner)


CARDS = sorted({card.definition.name for one in SOME.values() for card in one.play.cards})
CREATURE_TYPES = sorted(SUBTYPES["creature"])


# --------------------------------------------------------------------------------------------- building

REPLAYED = "CONFORMANCE_REPLAYED"
"""Names the file with an engine's answers, the one to `hello` first, each on its line."""
ENGINES = {
    "rust": """\
thread_local!(static SAID: Vec<String> = {
    let said = std::fs::read_to_string(std::env::var("CONFORMANCE_REPLAYED").unwrap()).unwrap();
    said.split('\\n').map(str::to_string).collect()
});

pub fn answer(line: &str) -> String {
    let number = line.split(r#""id":"#).nth(1).and_then(|rest| rest.split(',').next()?.parse().ok());
    let at = if line.contains(r#""say":"hello""#) { 0 } else { number.unwrap_or(0) };
    let said = SAID.with(|said| said[at].clone());
    if said == "break" { panic!("out of mana") } else { said }
}
""",
    "java": """\
import java.nio.file.*;
import java.util.List;

final class ConformanceEngine {
    private static List<String> said;

    static String answer(String line) throws java.io.IOException {
        if (said == null) {
            said = List.of(Files.readString(Path.of(System.getenv("CONFORMANCE_REPLAYED"))).split("\\n"));
        }
        boolean first = line.contains("\\"say\\":\\"hello\\"");
        String found = said.get(first ? 0 : Integer.parseInt(line.split("\\"id\\":")[1].split(",")[0]));
        if (found.equals("break")) throw new IllegalStateException("out of mana");
        if (!Thread.currentThread().getName().equals("main")) throw new IllegalStateException("what thread?");
        return found;
    }
}
""",
}
API = "org/junit/jupiter/api"
JUNIT = {
    f"{API}/TestFactory.java": "package org.junit.jupiter.api; public @interface TestFactory {}",
    f"{API}/Assertions.java": """\
package org.junit.jupiter.api;
public class Assertions {
    public static <T> T fail(String why) { throw new AssertionError(why); }
}""",
    f"{API}/function/Executable.java": """\
package org.junit.jupiter.api.function;
public interface Executable { void execute() throws Throwable; }""",
    f"{API}/DynamicNode.java": """\
package org.junit.jupiter.api;
public class DynamicNode { public String name; }""",
    f"{API}/DynamicTest.java": """\
package org.junit.jupiter.api;
import org.junit.jupiter.api.function.Executable;
public class DynamicTest extends DynamicNode {
    public Executable body;
    public static DynamicTest dynamicTest(String name, Executable body) {
        DynamicTest test = new DynamicTest();
        test.name = name;
        test.body = body;
        return test;
    }
}""",
    f"{API}/DynamicContainer.java": """\
package org.junit.jupiter.api;
public class DynamicContainer extends DynamicNode {
    public Iterable<? extends DynamicNode> inner;
    public static DynamicContainer dynamicContainer(String name, Iterable<? extends DynamicNode> inner) {
        DynamicContainer container = new DynamicContainer();
        container.name = name;
        container.inner = inner;
        return container;
    }
}""",
    "org/opentest4j/TestAbortedException.java": """\
package org.opentest4j;
public class TestAbortedException extends RuntimeException {
    public TestAbortedException(String why) { super(why); }
}""",
    "Run.java": """\
import org.junit.jupiter.api.*;

class Run {
    static int failed = 0;
    static final StringBuilder FAILURES = new StringBuilder();

    public static void main(String[] arguments) throws Throwable {
        System.setOut(new java.io.PrintStream(System.out, true, "UTF-8"));
        new ConformanceTest().fixtures().forEach(Run::run);
        System.out.print("\\nfailures:\\n\\n" + FAILURES);
        System.exit(failed);
    }

    static void run(DynamicNode node) {
        if (node instanceof DynamicContainer container) {
            container.inner.forEach(Run::run);
            return;
        }
        String line = "test " + node.name + " ... ";
        try {
            ((DynamicTest) node).body.execute();
            System.out.println(line + "ok");
        } catch (org.opentest4j.TestAbortedException skipped) {
            System.out.println(line + "ignored, " + skipped.getMessage().replace("\\n", " "));
        } catch (Throwable error) {
            failed = 101;
            System.out.println(line + "FAILED");
            FAILURES.append("---- " + node.name + " ----\\n" + error.getMessage() + "\\n\\n");
        }
    }
}
""",
}
"""The classes of JUnit that the harness uses, and what runs its tests."""


@pytest.fixture(scope="module", params=list(ENGINES))
def harness(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> HarnessProgram:
    """Each ecosystem's harness, exported and built with an engine that repeats answers from a file."""
    folder = tmp_path_factory.mktemp(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loading, "all_fixtures", lambda: SOME)
        made = called("export", "--as", request.param, str(folder))
    assert made.exit_code == 0, made.output
    (folder / HARNESSES[request.param].engine).write_text(ENGINES[request.param], encoding="utf-8")
    data = folder / HARNESSES[request.param].data
    match request.param:
        case "rust":
            build(folder, "rustc", "--edition", "2021", "conformance.rs", "-o", "harness")
            return HarnessProgram((str(folder / "harness"),), data)
        case _:
            for name, source in JUNIT.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_text(source, encoding="utf-8")
            sources = (HARNESSES[request.param].source, HARNESSES[request.param].engine)
            build(folder, "javac", *(f"-J{option}" for option in QUICKLY), "-d", "built", *sources, *JUNIT)
            return HarnessProgram(("java", *QUICKLY, "-cp", str(folder / "built"), "Run"), data)


QUICKLY = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Options of a Java program that ends before optimising it would pay."""


def build(folder: Path, tool: str, *arguments: str) -> None:
    found = shutil.which(tool)
    if found is None:
        pytest.skip(f"{tool} is not there")
    subprocess.run([found, *arguments], cwd=folder, check=True, timeout=300)


class HarnessProgram(Struct, frozen=True):
    """A built harness: the command that runs it, and the folder of its data."""

    command: tuple[str, ...]
    data: Path

    def run(self, said: Answered, tmp_path: Path, *arguments: str, **environment: str) -> HarnessRun:
        """Play these answers; each line of the list of expected failures is an argument of its own."""
        replayed = tmp_path / "replayed.jsonl"
        replayed.write_bytes(b"\n".join(line.rstrip(b"\n") for line in (said.hello, *said.answers.values())))
        new = {"CONFORMANCE_DIR": str(self.data), REPLAYED: str(replayed), **environment}
        done = subprocess.run(
            [*self.command, *arguments],
            env={**os.environ, **new},
            capture_output=True,
            timeout=300,
            check=False,
        )
        return HarnessRun(done.returncode, done.stdout.decode())


class HarnessRun(Struct, frozen=True):
    """What a harness printed, and its exit code."""

    code: int
    output: str

    def verdicts(self) -> dict[str, str]:
        """The verdict on each fixture, in one word."""
        found = {}
        for id, word, why in re.findall(
            r"^test (\S+): .* \.\.\. (ok|FAILED|ignored, (\w+).*)$", self.output, re.MULTILINE
        ):
            found[id] = {"ok": "pass", "FAILED": "fail"}.get(word, why)
        for id, broken in re.findall(r"^---- (\S+): .* ----\n(protocol|crash): ", self.output, re.MULTILINE):
            found[id] = broken
        return found


@cache
def reference_answers() -> Answered:
    return answers_of(Reference())


@cache
def recorded_answers(recording: Path) -> Answered:
    return answers_of(connect(f"recorded:{recording}"))


# ---------------------------------------------------------------------------------------------- the tests


@pytest.mark.sweep
@pytest.mark.parametrize("recording", OF_EACH_ENGINE, ids=lambda path: path.name.partition(".")[0])
def test_harness_judges_recorded_engines_as_we_do(
    harness: HarnessProgram, recording: Path, tmp_path: Path
) -> None:
    said = recorded_answers(recording)

    ours = our_verdicts(said)

    assert ours == harness.run(said, tmp_path).verdicts()
    assert {"pass", "fail", "unsupported", "disputed"} <= set(ours.values())


SEEDS = range(3)
"""Seeds of the changes in answers."""


@pytest.mark.sweep
@pytest.mark.parametrize("seed", parts(len(SEEDS), by_day=1))
def test_harness_judges_changed_answers_as_we_do(harness: HarnessProgram, seed: int, tmp_path: Path) -> None:
    said = changed_answers(seed)

    assert our_verdicts(said) == harness.run(said, tmp_path).verdicts()


@pytest.mark.sweep
def test_changed_answers_get_verdicts_of_every_kind() -> None:
    kinds = {verdict for seed in SEEDS for verdict in our_verdicts(changed_answers(seed)).values()}

    assert {"pass", "fail", "unsupported", "protocol", "crash"} <= kinds


def changed_answers(seed: int) -> Answered:
    """The reference engine's answers with random changes."""
    rng = random.Random(seed)
    answers = {id: changed(line, rng) for id, line in reference_answers().answers.items()}
    edition = "2019-10-04" if seed == 1 else None
    steps = frozenset(STEPS) if seed else None
    hello = wire.Welcome(1, "some", "1", edition, frozenset({"text"}), frozenset(), seed == 2, steps)
    return Answered(wire.line(hello), answers)


def with_answer(id: str, said: str) -> Answered:
    """The reference engine's answers, but another one to this fixture."""
    answers = reference_answers()
    return Answered(answers.hello, {**answers.answers, id: said.encode()})


def wrong_players() -> Answered:
    """The reference engine's answers, with another player for each in that to G-0041."""
    line = reference_answers().answers["G-0041"].decode()
    return with_answer("G-0041", line.replace('"alice"', '"carol"').replace('"bob"', '"dave"'))


@pytest.mark.sweep
def test_harness_reports_a_failure_with_the_reason_and_the_rules(
    harness: HarnessProgram, tmp_path: Path
) -> None:
    fixture = SOME["G-0041"]

    ran = harness.run(wrong_players(), tmp_path)

    assert ran.code == 101
    told = ran.output.partition(f"---- G-0041: {fixture.title} ----\n")[2].partition("\n\n")[0]
    assert told.startswith(f"G-0041: {fixture.title} (CR {', '.join(fixture.rules)})\n")
    assert "    observed  " in told
    assert any(f"    because   {one.because}" in told for one in fixture.expect)
    assert str(harness.data / "fixtures" / "G-0041.json") in told


@pytest.mark.sweep
def test_harness_goes_on_after_an_engine_that_breaks(harness: HarnessProgram, tmp_path: Path) -> None:
    ran = harness.run(with_answer("G-0041", "break"), tmp_path, CONFORMANCE="G-0041 G-0063")

    assert {"G-0041": "crash", "G-0063": "pass"} == ran.verdicts()
    assert "out of mana" in ran.output


@pytest.mark.sweep
@pytest.mark.parametrize(
    "words",
    [
        "L-0001",
        "613",
        "first 613.8 117",
        "first",
    ],
)
def test_harness_plays_what_the_environment_names(
    harness: HarnessProgram, words: str, tmp_path: Path
) -> None:
    named = [word for word in words.split() if word != "first"]
    first = set(facts()["first"]) if "first" in words else set(SOME)

    ran = harness.run(reference_answers(), tmp_path, CONFORMANCE=words)

    wanted = {
        id
        for id, one in SOME.items()
        if id in first
        and (not named or id in named or any(is_within(rule, word) for rule in one.rules for word in named))
    }
    assert wanted
    assert wanted == ran.verdicts().keys()


@pytest.mark.sweep
def test_harness_refuses_to_play_nothing(harness: HarnessProgram, tmp_path: Path) -> None:
    assert harness.run(reference_answers(), tmp_path, CONFORMANCE="613.99").code != 0


@pytest.mark.sweep
def test_expected_failures_pass_and_unexpected_passes_fail(harness: HarnessProgram, tmp_path: Path) -> None:
    listed = harness.data / "expected-failures.txt"
    before = listed.read_text(encoding="utf-8")
    try:
        listed.write_text(f"{before}G-0041 we know\nG-0063\n", encoding="utf-8")
        ran = harness.run(wrong_players(), tmp_path, CONFORMANCE="G-0041 G-0063")
        assert {"G-0041": "expected", "G-0063": "fail"} == ran.verdicts()
        assert "ignored, expected failure: we know" in ran.output
        assert "passes now: remove it from expected-failures.txt" in ran.output
        assert ran.code == 101

        listed.write_text("G-9999 mistyped\n", encoding="utf-8")
        ran = harness.run(reference_answers(), tmp_path, CONFORMANCE="G-0063")
        assert ran.code == 101
        assert re.search("remove them: .*G-9999", ran.output)
    finally:
        listed.write_text(before, encoding="utf-8")


@pytest.mark.sweep
def test_list_of_expected_failures_is_written_on_request(harness: HarnessProgram, tmp_path: Path) -> None:
    listed = harness.data / "expected-failures.txt"
    before = listed.read_text(encoding="utf-8")
    try:
        listed.write_text(f"{before}G-0063 mended since\nL-0001 not played\n", encoding="utf-8")
        ran = harness.run(wrong_players(), tmp_path, CONFORMANCE="G-0041 G-0063", CONFORMANCE_UPDATE="1")
        assert ran.code == 0
        assert f"{before}G-0041 not explained yet\nL-0001 not played\n" == listed.read_text(encoding="utf-8")
    finally:
        listed.write_text(before, encoding="utf-8")


@pytest.mark.sweep
def test_harness_in_rust_takes_the_arguments_of_cargo_test(tmp_path: Path, harness: HarnessProgram) -> None:
    if harness.command[0] == "java":
        pytest.skip("JUnit has its own")
    names = {f"{id}: {one.title}": id for id, one in SOME.items()}

    listed = harness.run(reference_answers(), tmp_path, "--list", "--format", "terse").output
    chosen = harness.run(reference_answers(), tmp_path, "G-004", "--skip", "G-0042").verdicts()
    exact = harness.run(reference_answers(), tmp_path, "--exact", next(iter(names)), "--nocapture").verdicts()

    assert [f"{name}: test" for name in names] == listed.splitlines()
    assert {id for id in SOME if id.startswith("G-004") and id != "G-0042"} == chosen.keys()
    assert {next(iter(names.values()))} == exact.keys()


# ---------------------------------------------------------------------------------------------- exporting

ONE, *OTHERS = HARNESSES
OF_EACH_ECOSYSTEM = [
    pytest.param(ONE, marks=pytest.mark.sweep),
    *(pytest.param(one, marks=NIGHTLY) for one in OTHERS),
]


@pytest.fixture
def exporting_some(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is exported are only some of the fixtures; that all are is tested with the command itself."""
    monkeypatch.setattr(loading, "all_fixtures", lambda: SOME)


@pytest.mark.parametrize("ecosystem", OF_EACH_ECOSYSTEM)
def test_exporting_again_keeps_the_files_of_the_author(
    ecosystem: str, tmp_path: Path, exporting_some: None
) -> None:
    where = HARNESSES[ecosystem]
    assert called("export", "--as", ecosystem, str(tmp_path)).exit_code == 0
    engine, listed = tmp_path / where.engine, tmp_path / where.data / "expected-failures.txt"
    engine.write_text("mine", encoding="utf-8")
    listed.write_text("G-0041 mine\n", encoding="utf-8")
    suite = tmp_path / where.data / "suite.json"
    suite.write_text("old", encoding="utf-8")

    assert called("export", "--as", ecosystem, str(tmp_path)).exit_code == 0

    assert ("mine", "G-0041 mine\n") == (engine.read_text(), listed.read_text())
    assert facts() == json.loads(suite.read_text(encoding="utf-8"))
    assert SOME.keys() == {file.stem for file in (tmp_path / where.data / "fixtures").iterdir()}
    assert "$" not in (tmp_path / where.data / "README.md").read_text(encoding="utf-8")


def test_first_set_has_every_chapter_and_stays_small() -> None:
    first = facts()["first"]
    chapters = {rule.partition(".")[0] for id in first for rule in all_fixtures()[id].rules}

    assert chapters == {rule.partition(".")[0] for one in all_fixtures().values() for rule in one.rules}
    assert len(first) <= FIRST_OF_A_CHAPTER * len(chapters)
    assert len(first) < len(all_fixtures()) / 5


def test_release_is_reproducible_and_can_be_verified(
    tmp_path: Path,
    without_coverage: Callable[[], AbstractContextManager[None]],
    exporting_some: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    some_cards = dict(a_share(real_cards(), 16))
    monkeypatch.setattr(release, "real_cards", lambda: some_cards)
    assert called("export", "--as", "release", str(tmp_path / "one")).exit_code == 0
    with without_coverage():
        assert called("export", "--as", "release", str(tmp_path / "two")).exit_code == 0
    name = f"mtg-conformance-{VERSION}"
    archive = tmp_path / "one" / f"{name}.tar.gz"

    assert archive.read_bytes() == (tmp_path / "two" / archive.name).read_bytes()
    listed = (tmp_path / "one" / f"{archive.name}.sha256").read_text(encoding="utf-8")
    assert f"{sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n" == listed
    with tarfile.open(archive) as opened:
        found = {member.name.removeprefix(f"{name}/"): opened.extractfile(member) for member in opened}
        files = {path: file.read() for path, file in found.items() if file}
    sums = files.pop("SHA256SUMS").decode().splitlines()
    assert sums == [f"{sha256(files[path]).hexdigest()}  {path}" for path in sorted(files)]
    about = json.loads(files["release.json"])
    assert (VERSION, newest_edition()) == (about["version"], about["edition"])
    cards = [json.loads(line) for line in files["cards.jsonl"].splitlines()]
    assert sorted(some_cards) == [card["definition"]["name"] for card in cards]
    assert len(cards) == about["cards"]
    assert {f"fixtures/{id}.json" for id in SOME} == {path for path in files if path.startswith("fixtures/")}
    assert files["fixtures/L-0001.json"] == encode(all_fixtures()["L-0001"]) + b"\n"

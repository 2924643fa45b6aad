"""Engines in child processes: none can hang, fool or stop the suite."""

from __future__ import annotations

import contextlib
import itertools
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import psutil
import pytest
from msgspec.structs import replace

from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.problems import ScenarioError
from conformance.model.scenario import CardInPlay, Play, Want
from conformance.model.verdict import blame, verdict_on_failure
from conformance_adapters import torture, wire
from conformance_adapters.pipes import PolledPipes, ThreadedPipes
from conformance_adapters.stdio import Child, Command, ProcessLimits, StdioEngine, parse_answer
from reference_engine.language.cards import Card
from reference_engine.language.setup import Player, Start
from tests.children import unmeasured

PLAIN = Play(
    players=(Player("alice"), Player("bob")),
    start=Start("alice"),
    wants=(Want("end", "alice", frozenset({"life"})),),
)
PATIENT = ProcessLimits(start=60.0, request=60.0)
"""For engines that answer, or end: on a busy machine that may take its time."""
HANGING = ProcessLimits(start=60.0, request=1.0)
"""For engines that never answer."""


@pytest.fixture(params=[PolledPipes, ThreadedPipes], ids=["polled", "threaded"])
def torturer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """Makes torture engines, and ends them; their pipes are read in each of the two ways."""
    monkeypatch.setattr("conformance_adapters.stdio.pipes_of", request.param)
    made: list[StdioEngine] = []

    def make(mode: str, limits: ProcessLimits = PATIENT, **more: object) -> StdioEngine:
        argv = (sys.executable, "-S", "-E", torture.__file__, mode)
        made.append(StdioEngine(Command(argv, **more), "test", limits))  # type: ignore[arg-type]  # a command's fields
        return made[-1]

    yield make
    for engine in made:
        engine.close()


def failure_of(engine: StdioEngine) -> EngineFailure:
    """The failure of an engine that is asked one scenario."""
    with pytest.raises(EngineFailure) as caught:
        engine.play(PLAIN)
    return caught.value


FAULTS = [
    ("exits-at-once", "crash", "ended with 3"),
    ("wrong-version", "protocol", "speaks protocol 99; this suite speaks 1"),
    ("hello-garbage", "protocol", "no answer to `hello`"),
    ("hello-unnamed", "protocol", "name"),
    ("flood-before-hello", "protocol", "no answer to `hello`"),
    ("garbage", "protocol", "no answer to `play`"),
    ("list", "protocol", "no answer to `play`"),
    ("half-line", "crash", "in the middle of a line"),
    ("no-newline", "hang", "did not answer within 1 s"),
    ("other-id", "protocol", "answered number 77 when asked number 1"),
    ("late", "hang", "did not answer within 1 s"),
    ("never", "hang", "did not answer within 1 s"),
    ("huge-line", "protocol", "wrote a line of more than"),
    ("deep", "protocol", "levels deep"),
    ("nan", "protocol", "NaN is not a number"),
    ("huge-number", "protocol", "more than 15 digits"),
    ("fraction", "protocol", "not a whole number"),
    ("twice", "protocol", "given twice"),
    ("not-utf8", "protocol", "not UTF-8"),
    ("half-character", "protocol", "half"),
    ("null-byte", "protocol", "no answer to `play`"),
    ("unknown-key", "protocol", "score"),
    ("wrong-type", "protocol", "Expected `int"),
    ("stdout-flood", "protocol", "no answer to `play`"),
    ("closes-stdout", "crash", "closed its output but keeps running"),
    ("stops-reading", "hang", "did not answer within 1 s"),
    ("dies-always", "crash", "ended with 9"),
    ("says-error", "crash", "a null pointer, of all things"),
]


WHOSE = {"protocol": "shim", "crash": "engine", "hang": "engine"}


def running() -> set[psutil.Process]:
    """The running processes that this one started, directly or indirectly."""
    return {
        process
        for process in psutil.Process().children(recursive=True)
        if process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    }


@pytest.mark.sweep
@pytest.mark.parametrize(("mode", "kind", "says"), FAULTS, ids=[mode for mode, _, _ in FAULTS])
def test_each_fault_has_its_name_and_its_end(torturer, mode: str, kind: str, says: str) -> None:  # type: ignore[no-untyped-def]
    others = running()
    engine = torturer(mode, HANGING if kind == "hang" else PATIENT)
    failed = failure_of(engine)
    assert (kind, True) == (failed.kind, says in failed.says), failed.says
    assert WHOSE[kind] == blame(verdict_on_failure(failed))
    engine.close()
    assert set() == running() - others


def test_engine_that_never_greets_is_not_waited_for_longer_than_it_may_take(torturer) -> None:  # type: ignore[no-untyped-def]
    failed = failure_of(torturer("hello-nothing", ProcessLimits(start=0.5, request=60.0)))

    assert ("hang", "did not answer within 0.5 s") == (failed.kind, failed.says)


def test_engine_that_does_not_read_is_distinguished_from_one_that_does_not_answer(torturer) -> None:  # type: ignore[no-untyped-def]
    """A request larger than a pipe's buffer cannot even be written."""
    big = CardInPlay(Card("Test Long Card", frozenset({"Artifact"})), text="so long " * 100_000)
    engine = torturer("stops-reading", ProcessLimits(start=60.0, request=0.5))
    engine.describe()

    with pytest.raises(EngineFailure, match=r"hang: did not read its input within 0\.5 s"):
        engine.play(Play(PLAIN.players, PLAIN.start, cards=(big,)))


@pytest.mark.sweep
def test_long_questions_and_long_answers_come_through(torturer) -> None:  # type: ignore[no-untyped-def]
    many = tuple(Want(f"look{number}", "alice", frozenset({"life"})) for number in range(4_000))

    looks = torturer("good").play(Play(PLAIN.players, PLAIN.start, wants=many))

    assert 4_001 == len(looks.looks)


@pytest.mark.sweep
@pytest.mark.parametrize("mode", ["good", "stderr-flood", "unasked-looks"])
def test_an_engine_that_answers_is_heard(torturer, mode: str) -> None:  # type: ignore[no-untyped-def]
    engine = torturer(mode)
    assert [engine.play(PLAIN).looks["end"].players["alice"].life for _ in range(3)] == [20, 20, 20]


def test_a_second_answer_is_noticed_with_the_next_question(torturer) -> None:  # type: ignore[no-untyped-def]
    engine = torturer("two-answers")
    engine.play(PLAIN)
    failed = failure_of(engine)
    # On a busy machine it may come so late that it is taken for the next answer.
    assert failed.kind == "protocol"
    assert any(
        noticed in failed.says
        for noticed in ("sent an unexpected line", "answered number 1 when asked number 2")
    )


def test_after_a_death_the_next_scenario_has_a_new_engine(torturer) -> None:  # type: ignore[no-untyped-def]
    engine = torturer("dies-on-third")
    for _ in range(2):
        engine.play(PLAIN)
    assert failure_of(engine).kind == "crash"
    assert engine.play(PLAIN).looks["end"].players["alice"].life == 20


def test_one_card_kills_and_the_others_do_not(torturer) -> None:  # type: ignore[no-untyped-def]
    engine = torturer("dies-on-a-card")
    deadly = CardInPlay(Card("Test Deadly Card", frozenset({"Artifact"})))
    with pytest.raises(EngineFailure):
        engine.play(Play(PLAIN.players, PLAIN.start, cards=(deadly,)))
    assert engine.play(PLAIN).looks


@pytest.mark.sweep
@pytest.mark.parametrize("mode", ["grandchild", "ignores-the-end", "closes-stdout", "stdout-flood", "good"])
def test_nothing_of_an_engine_is_left(torturer, mode: str) -> None:  # type: ignore[no-untyped-def]
    others = running()
    engine = torturer(mode)
    with contextlib.suppress(EngineFailure):
        engine.play(PLAIN)
    engine.close()
    assert set() == running() - others


@pytest.mark.sweep
def test_engine_that_grows_beyond_what_it_may_have_is_ended(torturer) -> None:  # type: ignore[no-untyped-def]
    engine = torturer("grows", replace(PATIENT, memory=100_000_000))
    engine.play(PLAIN)

    with pytest.raises(EngineFailure, match=r"crash: uses 1\d\d MB of memory; the limit is 100 MB"):
        engine.play(PLAIN)
    assert engine.play(PLAIN).looks


@pytest.mark.sweep
def test_memory_of_what_an_engine_started_counts_too(torturer) -> None:  # type: ignore[no-untyped-def]
    others = running()
    torturer("good").play(PLAIN)
    alone = max(running() - others, key=psutil.Process.create_time)  # behind its keeper
    half_as_much_again = replace(PATIENT, memory=alone.memory_info().rss * 3 // 2)

    def plays_for_a_while(mode: str, times: int) -> None:
        engine = torturer(mode, half_as_much_again)
        for _ in range(times):
            engine.play(PLAIN)
            time.sleep(0.05)

    plays_for_a_while("good", 10)
    with pytest.raises(EngineFailure, match=r"MB of memory; the limit is"):
        plays_for_a_while("grandchild", 1000)  # long enough for the grandchild to start


@pytest.mark.sweep
def test_engine_may_grow_if_no_limit_is_set(torturer) -> None:  # type: ignore[no-untyped-def]
    engine = torturer("grows")

    assert [20] * 3 == [engine.play(PLAIN).looks["end"].players["alice"].life for _ in range(3)]


def test_who_waits_for_an_engine_that_is_ended_meanwhile_waits_no_longer(  # type: ignore[no-untyped-def]
    torturer, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = torturer("never", ProcessLimits(start=600.0, request=600.0))
    engine.describe()
    child, asked = engine._child, Event()
    assert child is not None
    receive: Callable[[float], bytes] = child.receive

    def receiving(seconds: float) -> bytes:
        asked.set()
        return receive(seconds)

    monkeypatch.setattr(child, "receive", receiving)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(engine.play, PLAIN)
        assert asked.wait(300)
        engine.close()
        failed = waiting.exception(timeout=300)

    assert isinstance(failed, EngineFailure)
    assert "crash" == failed.kind


def test_what_cannot_be_played_is_nobody_s_fault(torturer) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(CannotPlay, match="no such card"):
        torturer("claims-all").play(PLAIN)


def test_folder_and_environment_are_the_engine_s_own(torturer, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    info = torturer("environment", folder=tmp_path, environment={"TORTURE": "yes"}).describe()
    assert (str(tmp_path), "yes") == (info.name, info.version)


def test_a_command_that_does_not_exist(tmp_path: Path) -> None:
    engine = StdioEngine(Command((str(tmp_path / "nothing"),)), "test", PATIENT)
    with pytest.raises(EngineFailure, match="cannot be started"):
        engine.describe()


def test_what_an_engine_tells_people_is_kept_and_bounded(torturer) -> None:  # type: ignore[no-untyped-def]
    engine = torturer("stderr-flood")
    engine.play(PLAIN)
    assert engine._child is not None
    kept = engine._child.stderr()
    assert "says too much" in kept
    assert len(kept) <= 16 * 1024


@pytest.mark.sweep
def test_line_that_is_not_an_answer_is_shown_with_what_is_wrong_and_where_it_says_so(torturer) -> None:  # type: ignore[no-untyped-def]
    def says(mode: str) -> str:
        return failure_of(torturer(mode)).says

    assert (
        "no answer to `hello`: character 1: not JSON: Expecting value (send one JSON value); "
        "the line: Welcome to my engine!"
    ) == says("hello-garbage")
    assert (
        "no answer to `play`: Object contains unknown field `score` "
        "(remove it: wire.schema.json has every key); the line: "
        '{"id": 1, "looks": {"end": {"players": {"alice": {"life": 20}}}}, "score": 7}'
    ) == says("unknown-key")
    assert "(wire.schema.json of `conformance export` describes what belongs here); the line: " in says(
        "wrong-type"
    )
    assert says("deep").endswith(f'; the line: {{"id": 1, "looks": {"[" * 81} …')


def test_key_that_is_misspelled_is_likened_to_those_of_an_answer() -> None:
    """`titel` is close to a key of scenarios, which is of no use in an answer."""
    with pytest.raises(ScenarioError, match="did you mean 'looks'"):
        wire.answer(b'{"id": 1, "look": {}}')
    with pytest.raises(ScenarioError, match="did you mean 'priority'"):
        wire.answer(b'{"id": 1, "looks": {"end": {"table": {"prority": null}}}}')
    with pytest.raises(ScenarioError, match="remove it"):
        wire.answer(b'{"id": 1, "titel": {}}')


def test_time_that_an_answer_takes_to_be_read_counts(
    torturer: Callable[..., StdioEngine], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = torturer("good", ProcessLimits(start=60.0, request=30.0))
    engine.describe()
    ticks = itertools.count(0, 40)
    monkeypatch.setattr("conformance_adapters.stdio.time.thread_time", lambda: next(ticks))

    with pytest.raises(
        EngineFailure, match=r"hang: took \S+ s to answer and 40.0 s to be read; the limit is 30 s"
    ):
        engine.play(PLAIN)


def test_greeting_is_short() -> None:
    with pytest.raises(EngineFailure, match="an answer to `hello` of more than 65,536 bytes"):
        parse_answer(Silent(b" " * 65_537), "hello", wire.welcome, 1.0, wire.LONGEST_GREETING)


class Silent(Child):
    """A child that has said one thing."""

    def __init__(self, said: bytes) -> None:
        self._said = said

    def receive(self, seconds: float) -> bytes:
        return self._said

    def stderr(self) -> str:
        return ""


# ------------------------------------------------------------------------------ nobody is left behind

DAEMON = [sys.executable, "-S", "-E", torture.__file__, "daemon"]
LONG_ENOUGH = 120
"""Seconds within which a killed process is gone, on any machine."""


def the_two(file: Path) -> list[psutil.Process]:
    """The engine and its daemon, once they have said who they are."""
    until = time.monotonic() + LONG_ENOUGH
    while not file.exists() or not file.read_text().endswith("\n"):
        assert time.monotonic() < until
        time.sleep(0.02)
    return [psutil.Process(int(word)) for word in file.read_text().split()]


def all_gone(processes: list[psutil.Process]) -> bool:
    """Whether all of them end in time."""
    return not psutil.wait_procs(processes, timeout=LONG_ENOUGH)[1]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody inherits orphans")
@pytest.mark.parametrize("dies", [False, True], ids=["ended", "dead"])
def test_process_that_left_its_family_ends_with_its_engine(dies: bool, tmp_path: Path) -> None:
    file = tmp_path / "two"
    engine = StdioEngine(Command(tuple(DAEMON), environment={"TORTURE": str(file)}), "test", PATIENT)
    engine.describe()
    two = the_two(file)

    if dies:
        two[0].kill()
    else:
        engine.close()

    assert all_gone(two)
    engine.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody inherits orphans")
@pytest.mark.parametrize(
    "signals",
    [[signal.SIGINT], [signal.SIGINT, signal.SIGINT], [signal.SIGTERM], [signal.SIGKILL]],
    ids=["Ctrl-C", "Ctrl-C twice", "SIGTERM", "SIGKILL"],
)
def test_nobody_is_left_when_the_suite_ends(signals: list[signal.Signals], tmp_path: Path) -> None:
    file = tmp_path / "two"
    command = ["run", "L-0001", "--engine", shlex.join(DAEMON)]
    suite = subprocess.Popen(
        [sys.executable, "-m", "conformance", *command],
        cwd=tmp_path,
        env={**unmeasured(), "TORTURE": str(file)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    two = the_two(file)

    for number in signals:
        suite.send_signal(number)
        time.sleep(0.05)

    assert suite.wait(LONG_ENOUGH)
    assert all_gone(two)


def test_end_of_an_engine_is_reported_as_it_was(torturer) -> None:  # type: ignore[no-untyped-def]
    before = running()
    engine = torturer("never")
    engine.describe()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(engine.play, PLAIN)
        max(running() - before, key=psutil.Process.create_time).kill()  # behind its keeper
        failed = waiting.exception(timeout=LONG_ENOUGH)

    assert isinstance(failed, EngineFailure)
    assert "ended with -9" == failed.says


SAYS = """
read line
for pipe in /proc/self/fd/*; do pipes="$pipes ${pipe##*/}"; done
ignored=$(grep SigIgn /proc/$$/status | cut -f2)
echo "{\\"protocol\\": 1, \\"name\\": \\"$pipes\\", \\"version\\": \\"$ignored\\"}"
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads what Linux says of a process")
def test_engine_is_started_as_if_nobody_kept_it() -> None:
    """It has no other pipes and ignores no other signals."""
    alone = subprocess.run(["sh", "-c", SAYS], input=b"hello\n", capture_output=True, check=True)
    engine = StdioEngine(Command(("sh", "-c", SAYS)), "test", PATIENT)

    assert wire.welcome(alone.stdout).info() == engine.describe()
    engine.close()

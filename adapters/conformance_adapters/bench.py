"""Measures the overhead of the suite: how much slower an engine is through an adapter than on its own.

Every pair is measured on the same scenarios, alternately, and the best of several rounds counts, since other
load on the machine can only slow a round down.

- *Pipes*: a child that immediately answers each line with a stored one. Our adapter is compared with a plain
  client that writes and reads the same bytes as JSON lines, and with the raw bytes alone.
- *In process*: the reference engine in a run that judges each answer, compared with bare calls; and the same
  run with a journal, compared with the run without.
- *Start*: a whole run as a command, until the first result.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
from msgspec import Struct

from conformance.data.library import all_fixtures
from conformance.data.rulebook import newest_edition
from conformance.model.engine import EngineInfo, suite_version
from conformance.model.scenario import Fixture
from conformance.play.journal import JOURNAL_FORMAT, Journal, JournalHeading
from conformance.play.runner import run
from conformance_adapters import wire
from conformance_adapters.in_process import Reference
from conformance_adapters.stdio import Command, StdioEngine

ROUNDS = 7
STORED = """
import sys
for number, (_, answer) in enumerate(zip(sys.stdin.buffer, open(sys.argv[1], "rb"))):
    sys.stdout.buffer.write(answer)
    sys.stdout.buffer.flush()
"""
"""A child that answers each line with the next line of a file."""


class WayRate(Struct, frozen=True):
    """Scenarios per second for one method, and the baseline it is compared with, if any."""

    way: str
    a_second: float
    beside: WayRate | None = None

    def __str__(self) -> str:
        share = f"  {self.a_second / self.beside.a_second:.0%} of {self.beside.way}" if self.beside else ""
        return f"{self.a_second:>8,.0f} a second  {self.way}{share}"


def best(ways: Sequence[Callable[[], float]], scenarios: int, rounds: int) -> list[float]:
    """Scenarios per second of each method in its best round; the methods take turns."""
    seconds = [[way() for way in ways] for _ in range(rounds)]
    return [scenarios / min(times) for times in zip(*seconds, strict=True)]


def duration_of(work: Callable[[], object]) -> float:
    """Duration of some work in seconds."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


# --------------------------------------------------------------------------------------- pipes


def pipe_rates(fixtures: Sequence[Fixture], rounds: int) -> list[WayRate]:
    """Rates through pipes: raw bytes alone, plain JSON lines, and our adapter."""
    reference = Reference()
    plays = [fixture.play for fixture in fixtures]
    asked = [wire.line(wire.PlayThis(number, play)) for number, play in enumerate(plays, 1)]
    answers = [
        wire.line(wire.answer_with(number, reference.play(play)))
        for number, play in enumerate(
            plays,
            1,
        )
    ]
    values = [json.loads(line) for line in asked]
    welcome = wire.line(wire.Welcome(wire.PROTOCOL, "stored", "1"))
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder) / "answers.jsonl"
        stored.write_bytes(welcome + b"".join(answers))
        command = (sys.executable, "-S", "-E", "-c", STORED, str(stored))

        def bytes_alone() -> float:
            with greeting_child(command) as child:
                return duration_of(lambda: [reply_to(child, line) for line in asked])

        def json_lines() -> float:
            def answer(value: object) -> object:
                return json.loads(reply_to(child, json.dumps(value).encode() + b"\n"))

            with greeting_child(command) as child:
                return duration_of(lambda: [answer(value) for value in values])

        def ours() -> float:
            engine = StdioEngine(Command(command), suite_version())
            try:
                engine.describe()
                return duration_of(lambda: [engine.play(play) for play in plays])
            finally:
                engine.close()

        alone, plain, through_us = best((bytes_alone, json_lines, ours), len(plays), rounds)
    bare = WayRate("the bytes alone, through pipes", alone)
    lines = WayRate("JSON lines through pipes", plain, bare)
    return [bare, lines, WayRate("our adapter", through_us, lines)]


@contextmanager
def greeting_child(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A child that has written its first line."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        reply_to(child, b"\n")
        yield child
        child.kill()


def reply_to(child: subprocess.Popen[bytes], line: bytes) -> bytes:
    """A child's answer to a line."""
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(line)
    child.stdin.flush()
    return child.stdout.readline()


# ------------------------------------------------------------------------------------ in process


def run_rates(fixtures: Sequence[Fixture], rounds: int) -> list[WayRate]:
    """Rates in this process: bare calls of the reference engine, a run of it, and a run with a journal."""
    engine, edition = Reference(), newest_edition()
    with tempfile.TemporaryDirectory() as folder:
        heading = JournalHeading(JOURNAL_FORMAT, suite_version(), "bench", EngineInfo("bench", "1"), edition)
        journal = Journal(Path(folder) / "bench.jsonl", heading, resume=False)
        called, judged, kept = best(
            (
                lambda: duration_of(lambda: [engine.play(fixture.play) for fixture in fixtures]),
                lambda: duration_of(lambda: list(run(engine, fixtures, edition))),
                lambda: duration_of(lambda: list(run(engine, fixtures, edition, journal=journal))),
            ),
            len(fixtures),
            rounds,
        )
        journal.close()
    bare = WayRate("bare calls of the reference engine", called)
    checked = WayRate("a run, each answer judged", judged, bare)
    return [bare, checked, WayRate("a run with a journal", kept, checked)]


# ----------------------------------------------------------------------------------------- start


class StartTime(Struct, frozen=True, order=True):
    """Seconds until a command's first result, and its processor time until then."""

    passed: float
    at_work: float

    def __str__(self) -> str:
        what = "from the command to the first result of a run"
        return f"{self.passed:>8.2f} s  {what}, {self.at_work:.2f} s at work"


def first_result() -> StartTime:
    """How long `conformance run` takes to show its first result on the reference engine."""
    begin = time.perf_counter()
    command = (sys.executable, "-m", "conformance", "run", "-v", "--profile", "gate", "--engine", "reference")
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as child,
    ):
        assert child.stdout is not None
        told = any(line.startswith("PASS") for line in child.stdout)
        passed = time.perf_counter() - begin
        worked = psutil.Process(child.pid).cpu_times()
        child.kill()
    if not told:
        raise RuntimeError("the run reported no result")
    return StartTime(passed, worked.user + worked.system)


# ----------------------------------------------------------------------------------- all of it

EVERY = 8
"""The sampling interval: every eighth fixture is played."""


def lines_of_seam() -> Iterator[str]:
    """All measurements, line by line as they finish."""
    fixtures = list(all_fixtures().values())[::EVERY]
    for rates in (pipe_rates, run_rates):
        yield from map(str, rates(fixtures, ROUNDS))
    yield str(min(first_result() for _ in range(ROUNDS)))

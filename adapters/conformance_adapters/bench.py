"""What the seam costs: how much slower an engine is through us than it would be by itself.

Every pair is measured on the same scenarios, in turns, and the best of several rounds counts: what else
the machine does only ever takes time away.

- *Pipes*: a child that answers each line with a stored one at once. Through our adapter, beside a plain
  client that writes and reads JSON lines with the same bytes, and beside the bytes alone.
- *In process*: the reference engine in a run that judges each answer, beside its bare calls; the same
  run with a journal, beside the run without.
- *Start*: a whole run as a command, until the first result is there.
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
from conformance.play.journal import FORMAT, Heading, Journal
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
"""A child that answers each line with the next one of a file."""


class Rate(Struct, frozen=True):
    """How many scenarios a second in one way, and the way it is held against, if there is one."""

    way: str
    a_second: float
    beside: Rate | None = None

    def __str__(self) -> str:
        """On one line."""
        share = f"  {self.a_second / self.beside.a_second:.0%} of {self.beside.way}" if self.beside else ""
        return f"{self.a_second:>8,.0f} a second  {self.way}{share}"


def best(ways: Sequence[Callable[[], float]], scenarios: int, rounds: int) -> list[float]:
    """How many scenarios a second each way manages in its best round; they take turns."""
    seconds = [[way() for way in ways] for _ in range(rounds)]
    return [scenarios / min(times) for times in zip(*seconds, strict=True)]


def timed(work: Callable[[], object]) -> float:
    """How long some work takes."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


# --------------------------------------------------------------------------------------- pipes


def pipe_rates(fixtures: Sequence[Fixture], rounds: int) -> list[Rate]:
    """Through pipes: the bytes alone, JSON lines as one would write them, and our adapter."""
    reference = Reference()
    plays = [fixture.play for fixture in fixtures]
    asked = [wire.line(wire.PlayThis(number, play)) for number, play in enumerate(plays, 1)]
    answers = [wire.line(wire.answered(number, reference.play(play))) for number, play in enumerate(plays, 1)]
    values = [json.loads(line) for line in asked]
    welcome = wire.line(wire.Welcome(wire.PROTOCOL, "stored", "1"))
    with tempfile.TemporaryDirectory() as folder:
        stored = Path(folder) / "answers.jsonl"
        stored.write_bytes(welcome + b"".join(answers))
        command = (sys.executable, "-S", "-E", "-c", STORED, str(stored))

        def bytes_alone() -> float:
            with greeted(command) as child:
                return timed(lambda: [said(child, line) for line in asked])

        def json_lines() -> float:
            def answer(value: object) -> object:
                return json.loads(said(child, json.dumps(value).encode() + b"\n"))

            with greeted(command) as child:
                return timed(lambda: [answer(value) for value in values])

        def ours() -> float:
            engine = StdioEngine(Command(command), suite_version())
            try:
                engine.describe()
                return timed(lambda: [engine.play(play) for play in plays])
            finally:
                engine.close()

        alone, plain, through_us = best((bytes_alone, json_lines, ours), len(plays), rounds)
    bare = Rate("the bytes alone, through pipes", alone)
    lines = Rate("JSON lines through pipes", plain, bare)
    return [bare, lines, Rate("our adapter", through_us, lines)]


@contextmanager
def greeted(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A child that has said its first line."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        said(child, b"\n")
        yield child
        child.kill()


def said(child: subprocess.Popen[bytes], line: bytes) -> bytes:
    """What a child says to a line."""
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(line)
    child.stdin.flush()
    return child.stdout.readline()


# ------------------------------------------------------------------------------------ in process


def run_rates(fixtures: Sequence[Fixture], rounds: int) -> list[Rate]:
    """In this process: bare calls of the reference engine, a run of it, and a run with a journal."""
    engine, edition = Reference(), newest_edition()
    with tempfile.TemporaryDirectory() as folder:
        heading = Heading(FORMAT, suite_version(), "bench", EngineInfo("bench", "1"), edition)
        journal = Journal(Path(folder) / "bench.jsonl", heading, resume=False)
        called, judged, kept = best(
            (
                lambda: timed(lambda: [engine.play(fixture.play) for fixture in fixtures]),
                lambda: timed(lambda: list(run(engine, fixtures, edition))),
                lambda: timed(lambda: list(run(engine, fixtures, edition, journal=journal))),
            ),
            len(fixtures),
            rounds,
        )
        journal.close()
    bare = Rate("bare calls of the reference engine", called)
    checked = Rate("a run, each answer judged", judged, bare)
    return [bare, checked, Rate("a run with a journal", kept, checked)]


# ----------------------------------------------------------------------------------------- start


class Start(Struct, frozen=True, order=True):
    """How long a command took to its first result, and how much of that it was at work, in seconds."""

    passed: float
    at_work: float

    def __str__(self) -> str:
        """On one line."""
        what = "from the command to the first result of a run"
        return f"{self.passed:>8.2f} s  {what}, {self.at_work:.2f} s at work"


def first_result() -> Start:
    """How long `conformance run` on the reference takes until it tells its first result."""
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
        raise RuntimeError("the run told no result")
    return Start(passed, worked.user + worked.system)


# ----------------------------------------------------------------------------------- all of it

EVERY = 8
"""One fixture in so many stands for all."""


def lines_of_seam() -> Iterator[str]:
    """All that there is to measure, line by line as it is known."""
    fixtures = list(all_fixtures().values())[::EVERY]
    for rates in (pipe_rates, run_rates):
        yield from map(str, rates(fixtures, ROUNDS))
    yield str(min(first_result() for _ in range(ROUNDS)))

"""Any engine as a child process: one JSON object a line, in and out, with a deadline on every wait.

No child can hang or fool the suite: it may flood or close any of its pipes, answer late, twice or with
nonsense, ignore being told to end, or leave children of its own behind. Each of these ends the child, with
everything it started, and becomes an `EngineFailure` that says whose fault it is; the next scenario gets a
new child.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, TypeVar

import psutil
from msgspec import Struct
from msgspec.structs import replace

from conformance.model.engine import EngineFailure, EngineInfo, FailureKind
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Play
from conformance_adapters import keeper, wire
from conformance_adapters.keeper import LONGEST_END
from conformance_adapters.pipes import NoMore, pipes_of

GRACE = 0.5
"""Seconds that a child gets to end by itself once told to."""
LAST_MOMENTS = 3.0
"""Seconds to wait for a child that has closed its output, to learn whether it ended."""
LONGEST_PAUSE = 2.0
READ_AT_ONCE = 0.1
"""Reading that takes no longer than this many seconds never counts as late."""
LOOK_AGAIN = 0.2
"""Seconds between checks of a child's memory, and of whether it should be ended."""
MEGABYTE = 1_000_000


class ProcessLimits(Struct, frozen=True):
    """Time limits for each kind of wait, in seconds, and a memory limit."""

    start: float = 20.0
    request: float = 10.0
    memory: int | None = None
    """In bytes, for the child and everything it started; `None` disables the check."""


USUAL_LIMITS = ProcessLimits()


class Command(Struct, frozen=True):
    """How a child is started."""

    argv: tuple[str, ...]
    folder: Path | None = None
    environment: Mapping[str, str] = {}


def command_of(text: str) -> tuple[str, ...]:
    """The parts of a one-line command, split as a shell would."""
    return tuple(shlex.split(text, posix=os.name == "posix"))


class StdioEngine:
    """An engine connected through a child's stdin and stdout."""

    def __init__(self, command: Command, suite: str, limits: ProcessLimits = USUAL_LIMITS) -> None:
        self._command = command
        self._suite = suite
        self._limits = limits
        self._child: Child | None = None
        self._info: EngineInfo | None = None
        self._wants_defaults = False
        self._asked = 0
        self._deaths = 0

    def describe(self) -> EngineInfo:
        """The engine's description of itself."""
        if self._info is None:
            self._ready()
        assert self._info is not None
        return self._info

    def play(self, play: Play) -> Observations:
        """Send a scenario and wait for its answer; any failure ends the child."""
        child = self._ready()
        self._asked += 1
        try:
            child.require_silence()
            question = wire.line(wire.PlayThis(self._asked, play), with_defaults=self._wants_defaults)
            child.send(question)
            answer = self._answer(child, wire.longest_answer(question))
        except EngineFailure:
            self._deaths += 1
            self.close()
            raise
        self._deaths = 0
        return answer.observations(play, "" if answer.error is None else child.stderr())

    def with_memory_limit(self, memory: int) -> StdioEngine:
        """The same engine with a memory limit in bytes; exceeding it ends the child."""
        return StdioEngine(self._command, self._suite, replace(self._limits, memory=memory))

    def close(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def _answer(self, child: Child, longest: int) -> wire.Answer:
        answer = parse_answer(child, "play", wire.answer, self._limits.request, longest)
        if answer.id != self._asked:
            raise child.failure("protocol", f"answered number {answer.id} when asked number {self._asked}")
        return answer

    def _ready(self) -> Child:
        """A child that has said hello: the present one, or a new one after a pause that grows with each
        death.
        """
        if self._child is not None and self._child.running():
            return self._child
        self.close()
        if self._deaths:
            time.sleep(min(LONGEST_PAUSE, 0.05 * 2**self._deaths))
        self._child = Child(self._command, self._limits.memory)
        try:
            self._info = self._introduction(self._child)
        except EngineFailure:
            self._deaths += 1
            self.close()
            raise
        return self._child

    def _introduction(self, child: Child) -> EngineInfo:
        child.send(wire.line(wire.Hello(wire.PROTOCOL, self._suite)))
        welcome = parse_answer(child, "hello", wire.welcome, self._limits.start, wire.LONGEST_GREETING)
        if welcome.protocol != wire.PROTOCOL:
            raise child.failure(
                "protocol", f"speaks protocol {welcome.protocol}; this suite speaks {wire.PROTOCOL}"
            )
        self._wants_defaults = welcome.wants_defaults
        return welcome.info()


_Message = TypeVar("_Message")


def parse_answer(
    child: Child, question: str, read: Callable[[bytes], _Message], seconds: float, longest: int
) -> _Message:
    """A child's answer to a question, parsed as the expected message, within the time limit.

    The time we spend parsing counts as the child's, but only as processor time, so that a busy machine costs
    the child nothing.
    """
    began = time.monotonic()
    said = child.receive(seconds)
    waited = time.monotonic() - began
    if len(said) > longest:
        raise child.failure("protocol", f"an answer to `{question}` of more than {longest:,} bytes")
    began = time.thread_time()
    try:
        message = read(said)
    except ScenarioError as error:
        raise child.failure("protocol", f"no answer to `{question}`: {wire.in_short(error, said)}") from None
    took = time.thread_time() - began
    if took > max(READ_AT_ONCE, seconds - waited):
        says = f"took {waited:.1f} s to answer and {took:.1f} s to be read; the limit is {seconds:g} s"
        raise child.failure("hang", says)
    return message


def start_child(command: Command) -> tuple[subprocess.Popen[bytes], IO[bytes] | None]:
    """The process of a child, and a pipe that must stay open for as long as the child may live.

    On systems with a keeper, this is the keeper's process: see `keeper`. Raises `OSError` or `ValueError`.
    """
    if os.name != "posix":
        return process_of(command, command.argv), None
    watched, lifeline = os.pipe()
    says, failed = os.pipe()
    try:
        argv = [sys.executable, "-I", "-S", keeper.__file__, str(watched), str(failed), *command.argv]
        process = process_of(command, argv, start_new_session=True, pass_fds=(watched, failed))
    except BaseException:
        os.close(says)
        os.close(lifeline)
        raise
    finally:
        os.close(watched)
        os.close(failed)
    kept = os.fdopen(lifeline, "wb", buffering=0)
    with os.fdopen(says, "rb") as report:
        why = report.read().decode(errors="replace")
    if why:
        kept.close()
        process.communicate()
        raise OSError(why)
    return process, kept


def process_of(command: Command, argv: Sequence[str], **more: Any) -> subprocess.Popen[bytes]:
    """A process with a pipe for each of its streams."""
    return subprocess.Popen(
        argv,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=command.folder,
        env={**os.environ, **command.environment},
        bufsize=0,
        **more,
    )


class Child:
    """A running process. Every wait for it is bounded, and ending it ends everything it started."""

    def __init__(self, command: Command, memory: int | None = None) -> None:
        try:
            self._process, self._lifeline = start_child(command)
        except (OSError, ValueError) as error:
            raise EngineFailure("crash", f"cannot be started: {error}") from None
        self._pipes = pipes_of(self._process, wire.LONGEST_LINE)
        self._memory = memory
        self._looked = float("-inf")  # so that the first answer is followed by a check
        self._ending = False

    # ------------------------------------------------------------------------------- the talk

    def send(self, line: bytes) -> None:
        """Write a line without waiting until it is read."""
        self._pipes.send(line)

    def receive(self, seconds: float) -> bytes:
        """The next line of the child's output."""
        until = time.monotonic() + seconds
        while (said := self._pipes.next_line(max(0.0, min(LOOK_AGAIN, until - time.monotonic())))) is None:
            if self._ending:  # by another thread: the answer is no longer wanted
                raise self.failure("crash", "was ended")
            self._within_memory()
            if time.monotonic() >= until:
                how = "answer" if self._pipes.all_sent() else "read its input"
                raise self.failure("hang", f"did not {how} within {seconds:g} s")
        self._within_memory()
        return self._line(said)

    def require_silence(self) -> None:
        """Raise if the child wrote something unasked."""
        said = self._pipes.next_line(0)
        if said is not None:
            raise self.failure("protocol", f"sent an unexpected line: {self._line(said)[:200]!r}")

    def failure(self, kind: FailureKind, says: str) -> EngineFailure:
        """A failure of this child, with the end of its stderr."""
        return EngineFailure(kind, says, self.stderr())

    def stderr(self) -> str:
        return self._pipes.stderr().decode(errors="replace")

    def running(self) -> bool:
        """Whether the process is still running."""
        return self._process.poll() is None

    def _line(self, said: bytes | NoMore) -> bytes:
        """The line that was read; raises if there was none."""
        if isinstance(said, bytes):
            return said
        if said.too_long:
            raise self.failure("protocol", f"wrote a line of more than {wire.LONGEST_LINE} bytes")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(LAST_MOMENTS)
        code = self._process.returncode
        how = "closed its output but keeps running" if code is None else f"ended with {code}"
        raise self.failure("crash", f"{how} in the middle of a line" if said.in_a_line else how)

    def _within_memory(self) -> None:
        """Raise if a limit is set, a check is due, and the child uses more memory than that."""
        now = time.monotonic()
        if self._memory is None or now < self._looked + LOOK_AGAIN:
            return
        self._looked = now
        taken = 0
        for process in self._family():
            if self._lifeline and process.pid == self._process.pid:
                continue  # the keeper is ours
            with contextlib.suppress(psutil.Error):
                taken += process.memory_info().rss
        if taken > self._memory:
            says = f"uses {taken // MEGABYTE} MB of memory; the limit is {self._memory // MEGABYTE} MB"
            raise self.failure("crash", says)

    # --------------------------------------------------------------------------------- its end

    def end(self) -> None:
        """Say bye, then end the process and everything it started."""
        self._ending = True
        family = self._family()
        if self.running() and (self._lifeline or not family[1:]):
            self._pipes.send(wire.line(wire.Bye()))
        self._pipes.hang_up()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        if self._lifeline:
            self._lifeline.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(LONGEST_END)
        for process in family:
            with contextlib.suppress(psutil.Error):
                process.kill()
        if os.name == "posix":
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self._pipes.close()

    def _family(self) -> Sequence[psutil.Process]:
        """The process and all its descendants."""
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self._process.pid)
            return [process, *process.children(recursive=True)]
        return []

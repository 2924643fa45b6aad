"""Any engine as a child process: one JSON object a line, in and out, with a deadline on every wait.

Nothing a child does can hang or fool the suite: it may flood or close any of its pipes, answer late,
twice or with nonsense, ignore its end, leave children of its own behind. Each of these ends it,
with all that it started, and becomes an `EngineFailure` that says whose fault it is; the next
scenario gets a new child.
"""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

import psutil
from msgspec import Struct

from adapters import wire
from conformance.engine import CannotPlay, EngineFailure, EngineInfo
from conformance.observation import Observations
from conformance.problems import ScenarioError
from conformance.scenario import Play

KEPT_OF_STDERR = 16 * 1024
GRACE = 0.5
"""How long a child may take to end by itself once it is told to."""
LONGEST_PAUSE = 2.0


MOST_UNREAD = 4
"""So many lines of a child are kept until they are asked for; one that says more has to wait."""
LOOK_AGAIN = 0.2
"""So often, in seconds, it is looked at how much memory a child has, if that is limited."""
MEGABYTE = 1_000_000


class Limits(Struct, frozen=True):
    """How long each kind of wait may last, in seconds, and how much memory a child may have."""

    start: float = 20.0
    request: float = 10.0
    memory: int | None = None
    """In bytes, of the child and all that it started; without it, nobody looks."""


USUAL = Limits()


class Command(Struct, frozen=True):
    """How a child is started."""

    argv: tuple[str, ...]
    folder: Path | None = None
    environment: Mapping[str, str] = {}


def command_of(text: str) -> tuple[str, ...]:
    """A command as written on one line, split as a shell would."""
    return tuple(shlex.split(text, posix=os.name == "posix"))


class StdioEngine:
    """An engine at the other end of a child's stdin and stdout."""

    def __init__(self, command: Command, suite: str, limits: Limits = USUAL) -> None:
        self._command = command
        self._suite = suite
        self._limits = limits
        self._child: Child | None = None
        self._info: EngineInfo | None = None
        self._asked = 0
        self._deaths = 0

    def describe(self) -> EngineInfo:
        """Who the engine says it is."""
        if self._info is None:
            self._ready()
        assert self._info is not None
        return self._info

    def play(self, play: Play) -> Observations:
        """Send a scenario and wait for its answer; whatever goes wrong ends the child."""
        child = self._ready()
        self._asked += 1
        try:
            child.nothing_waits()
            child.send(wire.line(wire.PlayThis(self._asked, play)))
            answer = self._answer(child)
        except EngineFailure:
            self._deaths += 1
            self.close()
            raise
        self._deaths = 0
        if answer.error is not None:
            raise EngineFailure("crash", f"the engine says: {answer.error}", child.stderr(), lives=True)
        if answer.stopped is not None and answer.stopped.why == "unsupported" and not answer.looks:
            raise CannotPlay(answer.stopped.says or "unsupported")
        return answer.observations()

    def close(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            self._child.end()
            self._child = None

    def _answer(self, child: Child) -> wire.Answer:
        said = child.receive(self._limits.request)
        try:
            answer = wire.answer(said)
        except ScenarioError as error:
            raise child.failure("protocol", f"no answer to `play`: {one_line(error)}") from None
        if answer.id != self._asked:
            raise child.failure("protocol", f"answered number {answer.id} when asked number {self._asked}")
        return answer

    def _ready(self) -> Child:
        """A child that has said hello: the one there is, or a new one after a pause that grows with its
        deaths.
        """
        if self._child is not None and self._child.running():
            return self._child
        self.close()
        if self._deaths:
            time.sleep(min(LONGEST_PAUSE, 0.05 * 2**self._deaths))
        self._child = Child(self._command, self._limits.memory)
        try:
            self._info = self._greeted(self._child)
        except EngineFailure:
            self._deaths += 1
            self.close()
            raise
        return self._child

    def _greeted(self, child: Child) -> EngineInfo:
        child.send(wire.line(wire.Hello(wire.PROTOCOL, self._suite)))
        said = child.receive(self._limits.start)
        try:
            welcome = wire.welcome(said)
        except ScenarioError as error:
            raise child.failure("protocol", f"no answer to `hello`: {one_line(error)}") from None
        if welcome.protocol != wire.PROTOCOL:
            raise child.failure(
                "protocol", f"speaks protocol {welcome.protocol}; this suite speaks {wire.PROTOCOL}"
            )
        return welcome.info()


def one_line(error: ScenarioError) -> str:
    """What is wrong with a message, in one line."""
    return " ".join(str(error).split())


class Child:
    """A running process whose pipes are read and written by threads of their own, so that nobody waits for
    ever.
    """

    def __init__(self, command: Command, memory: int | None = None) -> None:
        environment = {**os.environ, **command.environment}
        own_group = {"start_new_session": True} if os.name == "posix" else {}
        try:
            self._process = subprocess.Popen(
                command.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=command.folder,
                env=environment,
                bufsize=0,
                **own_group,  # type: ignore[call-overload]  # a flag of POSIX systems
            )
        except (OSError, ValueError) as error:
            raise EngineFailure("crash", f"cannot be started: {error}") from None
        self._lines: queue.SimpleQueue[bytes | EngineFailure] = queue.SimpleQueue()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._sent = self._written = 0
        self._memory = memory
        self._looked = time.monotonic()
        self._ending = threading.Event()
        self._stderr: deque[bytes] = deque()
        self._stderr_size = 0
        works = (self._read_lines, self._read_stderr, self._write_lines)
        self._threads = [threading.Thread(target=work, daemon=True) for work in works]
        for thread in self._threads:
            thread.start()

    # ------------------------------------------------------------------------------- the talk

    def send(self, line: bytes) -> None:
        """Write a line, without waiting for anybody to read it: that shows when its answer does not come."""
        self._sent += 1
        self._outgoing.put(line)

    def receive(self, seconds: float) -> bytes:
        """The next line of its output."""
        until = time.monotonic() + seconds
        said: bytes | EngineFailure | None = None
        while said is None:
            left = until - time.monotonic()
            if left <= 0:
                how = "answer" if self._written == self._sent else "read its input"
                raise self.failure("hang", f"did not {how} within {seconds:g} s")
            with contextlib.suppress(queue.Empty):
                said = self._lines.get(timeout=min(left, LOOK_AGAIN) if self._memory else left)
            self._within_memory()
        return self._line(said)

    def nothing_waits(self) -> None:
        """Raises if the child said something that it was not asked."""
        if not self._lines.empty():
            said = self._line(self._lines.get())
            raise self.failure("protocol", f"said something unasked: {said[:200]!r}")

    def _line(self, said: bytes | EngineFailure) -> bytes:
        """What was read, if it is a line."""
        if isinstance(said, EngineFailure):
            raise self.failure(said.kind, said.says)
        return said

    def _within_memory(self) -> None:
        """Raises if there is a limit, it is time to look, and the child has more memory than that."""
        now = time.monotonic()
        if self._memory is None or now < self._looked + LOOK_AGAIN:
            return
        self._looked = now
        taken = 0
        for process in self._family():
            with contextlib.suppress(psutil.Error):
                taken += process.memory_info().rss
        if taken > self._memory:
            says = f"has {taken // MEGABYTE} MB of memory, and may have {self._memory // MEGABYTE} MB"
            raise self.failure("crash", says)

    def failure(self, kind: str, says: str) -> EngineFailure:
        """A failure of this child, with the end of what it wrote for people."""
        return EngineFailure(kind, says, self.stderr())  # type: ignore[arg-type]  # one of its words

    def stderr(self) -> str:
        """The end of what it wrote on stderr."""
        return b"".join(tuple(self._stderr))[-KEPT_OF_STDERR:].decode(errors="replace")

    def running(self) -> bool:
        """Whether the process is still there."""
        return self._process.poll() is None

    # ----------------------------------------------------------------------------- the threads

    def _read_lines(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        begun = bytearray()
        while True:
            piece = _read(stream)
            if not piece:
                self._ended(bool(begun))
                return
            begun += piece
            if b"\n" in piece:
                *lines, rest = begun.split(b"\n")
                for line in lines:
                    if not self._put(bytes(line)):
                        return
                begun = bytearray(rest)
            if len(begun) > wire.LONGEST_LINE:
                too_long = f"wrote a line of more than {wire.LONGEST_LINE} bytes"
                self._put(EngineFailure("protocol", too_long))
                return

    def _ended(self, in_a_line: bool) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        code = self._process.returncode
        how = "closed its output but goes on running" if code is None else f"ended with {code}"
        if in_a_line:
            how += " in the middle of a line"
        self._put(EngineFailure("crash", how))

    def _put(self, said: bytes | EngineFailure) -> bool:
        """Hand something on as soon as there is room; not any more once the child is to end."""
        while self._lines.qsize() >= MOST_UNREAD:
            if self._ending.wait(0.02):
                return False
        self._lines.put(said)
        return True

    def _read_stderr(self) -> None:
        stream = self._process.stderr
        assert stream is not None
        while piece := _read(stream):
            self._stderr.append(piece)
            self._stderr_size += len(piece)
            while self._stderr_size - len(self._stderr[0]) > KEPT_OF_STDERR:
                self._stderr_size -= len(self._stderr.popleft())

    def _write_lines(self) -> None:
        stream = self._process.stdin
        assert stream is not None
        while (line := self._outgoing.get()) is not None:
            with contextlib.suppress(OSError, ValueError):
                rest = memoryview(line)
                while rest:
                    rest = rest[stream.write(rest) :]
            self._written += 1  # what a dead child did not read shows when its answer is waited for

    # --------------------------------------------------------------------------------- its end

    def end(self) -> None:
        """Say bye, then end the process and all that it started."""
        self._ending.set()
        # Whoever waits for an answer, in another thread, need not go on.
        self._lines.put(EngineFailure("crash", "was ended"))
        family = self._family()
        if self.running() and not family[1:]:
            self._outgoing.put(wire.line(wire.Bye()))
        self._outgoing.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        for process in family:
            with contextlib.suppress(psutil.Error):
                process.kill()
        if os.name == "posix":
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self._close_pipes()

    def _close_pipes(self) -> None:
        """Close our ends, once the threads have done with them."""
        for thread, stream in zip(
            self._threads, (self._process.stdout, self._process.stderr, self._process.stdin), strict=True
        ):
            thread.join(GRACE)
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _family(self) -> Sequence[psutil.Process]:
        """The process and its children, however far down."""
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(self._process.pid)
            return [process, *process.children(recursive=True)]
        return []


def _read(stream: IO[bytes]) -> bytes:
    try:
        return os.read(stream.fileno(), 65536)
    except (OSError, ValueError):
        return b""

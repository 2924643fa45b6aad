"""The three pipes of a child process, read and written without ever blocking forever.

There are two implementations. `PolledPipes` asks the system which pipe is ready, so an answer costs one
wakeup. Where that is unavailable, as on Windows, `ThreadedPipes` gives each pipe a thread. Both read only a
little ahead of what was asked for, and keep only the end of stderr.
"""

from __future__ import annotations

import contextlib
import os
import queue
import select
import subprocess
import threading
import time
from collections import deque
from typing import IO, Protocol

from msgspec import Struct

PIECE = 65536
KEPT_OF_STDERR = 16 * 1024
MOST_UNREAD = 4
"""Maximum number of lines a thread reads ahead; a child that writes more has to wait."""
MOST_PIECES = 64
"""Maximum number of pieces of stderr to read at the end of a child that never stops writing."""
GRACE = 0.5
"""Seconds to wait for other users of a pipe before closing it."""


class NoMore(Struct, frozen=True):
    """No more can be read from a child."""

    in_a_line: bool = False
    """Whether its output ended in the middle of a line."""
    too_long: bool = False
    """Whether there is more output, but its line is too long."""


class Pipes(Protocol):
    """A child's stdin, stdout and stderr."""

    def send(self, line: bytes) -> None:
        """Start writing a line. If the child does not read it, waiting for the answer will show that."""

    def all_sent(self) -> bool:
        """Whether everything has been written."""

    def next_line(self, seconds: float) -> bytes | NoMore | None:
        """The child's next line, without its line ending; `None` if none arrives in time."""

    def stderr(self) -> bytes:
        """The end of the child's stderr."""

    def hang_up(self) -> None:
        """Stop sending; anything not yet written is lost."""

    def close(self) -> None:
        """Close all pipes, after the child has ended."""


def pipes_of(process: subprocess.Popen[bytes], longest: int) -> Pipes:
    """The pipes of a child; longer lines are refused."""
    return PolledPipes(process, longest) if hasattr(select, "poll") else ThreadedPipes(process, longest)


class Lines:
    """Assembles lines from pieces of output."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._begun = bytearray()

    def of(self, piece: bytes) -> list[bytes | NoMore]:
        """The lines completed by a piece; an empty piece marks the end of the output."""
        if not piece:
            return [NoMore(in_a_line=bool(self._begun))]
        self._begun += piece
        found: list[bytes | NoMore] = []
        if b"\n" in piece:
            *lines, rest = self._begun.split(b"\n")
            found += map(bytes, lines)
            self._begun = rest
        if len(self._begun) > self._longest:
            found.append(NoMore(too_long=True))
        return found


class Tail:
    """The end of a stream of pieces."""

    def __init__(self) -> None:
        self._pieces: deque[bytes] = deque()
        self._size = 0

    def add(self, piece: bytes) -> None:
        """Add a piece, and drop what has become too old."""
        self._pieces.append(piece)
        self._size += len(piece)
        while self._size - len(self._pieces[0]) > KEPT_OF_STDERR:
            self._size -= len(self._pieces.popleft())

    def content(self) -> bytes:
        return b"".join(tuple(self._pieces))[-KEPT_OF_STDERR:]


# --------------------------------------------------------------------------------------- asking


class PolledPipes:
    """Pipes that the waiting thread itself reads and writes, when the system reports them ready."""

    def __init__(self, process: subprocess.Popen[bytes], longest: int) -> None:
        self._stdin, self._stdout, self._stderr = streams_of(process)
        for stream in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(stream.fileno(), False)
        self._serving = {self._stdout.fileno(): self._read_lines, self._stderr.fileno(): self._read_stderr}
        self._ready = select.poll()
        for pipe in self._serving:
            self._ready.register(pipe, select.POLLIN)
        self._serving[self._stdin.fileno()] = self._write
        self._unwritten = b""
        self._pieces = Lines(longest)
        self._lines: deque[bytes | NoMore] = deque()
        self._tail = Tail()
        self._in_use = threading.Lock()  # an aborted run may end a child while a thread is waiting for it

    def send(self, line: bytes) -> None:
        """See `Pipes`."""
        with self._in_use:
            self._unwritten += line
            self._write()

    def all_sent(self) -> bool:
        """See `Pipes`."""
        return not self._unwritten

    def next_line(self, seconds: float) -> bytes | NoMore | None:
        """See `Pipes`."""
        until = time.monotonic() + seconds
        with self._in_use:
            while not self._lines:
                left = max(0.0, until - time.monotonic())
                for pipe, _ in self._ready.poll(left * 1000):
                    self._serving[pipe]()
                if not left:
                    break
            if not self._lines:
                return None
            # Keep the end marker for later calls.
            return self._lines[0] if isinstance(self._lines[0], NoMore) else self._lines.popleft()

    def stderr(self) -> bytes:
        """See `Pipes`."""
        with self._in_use:
            for _ in range(MOST_PIECES):
                if not self._read_stderr():
                    break
        return self._tail.content()

    def hang_up(self) -> None:
        """See `Pipes`."""
        with self._in_use:
            self._forget_unwritten()
            self._stdin.close()

    def close(self) -> None:
        """See `Pipes`."""
        self._lines.append(NoMore())  # whoever waits for a line need not wait any longer
        until = time.monotonic() + GRACE
        while self._in_use.locked():
            if time.monotonic() > until:
                return
            time.sleep(0.005)
        with self._in_use:  # without a timeout: an interruption after `acquire` would leave it locked
            for stream in (self._stdin, self._stdout, self._stderr):
                stream.close()

    def _write(self) -> bool:
        try:
            written = os.write(self._stdin.fileno(), self._unwritten)
        except BlockingIOError:
            written = 0
        except (OSError, ValueError):  # nobody reads any more; waiting for the answer will show that
            written = len(self._unwritten)
        self._unwritten = self._unwritten[written:]
        if self._unwritten:
            self._ready.register(self._stdin, select.POLLOUT)
        else:
            self._forget_unwritten()
        return written > 0

    def _read_lines(self) -> bool:
        piece = read_available(self._stdout)
        if piece is not None:
            self._lines += self._pieces.of(piece)
        return bool(piece)

    def _forget_unwritten(self) -> None:
        self._unwritten = b""
        with contextlib.suppress(KeyError, ValueError):
            self._ready.unregister(self._stdin)

    def _read_stderr(self) -> bool:
        piece = read_available(self._stderr)
        if piece:
            self._tail.add(piece)
        elif piece is not None:
            with contextlib.suppress(KeyError, ValueError):
                self._ready.unregister(self._stderr)
        return bool(piece)


# -------------------------------------------------------------------------------------- threads


class ThreadedPipes:
    """Pipes with one waiting thread each."""

    def __init__(self, process: subprocess.Popen[bytes], longest: int) -> None:
        self._stdin, self._stdout, self._stderr = streams_of(process)
        self._pieces = Lines(longest)
        self._lines: queue.SimpleQueue[bytes | NoMore] = queue.SimpleQueue()
        self._outgoing: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._sent = self._written = 0
        self._tail = Tail()
        self._closing = threading.Event()
        self._end: NoMore | None = None
        works = (self._write_lines, self._read_lines, self._read_stderr)
        self._threads = [threading.Thread(target=work, daemon=True) for work in works]
        for thread in self._threads:
            thread.start()

    def send(self, line: bytes) -> None:
        """See `Pipes`."""
        self._sent += 1
        self._outgoing.put(line)

    def all_sent(self) -> bool:
        """See `Pipes`."""
        return self._written == self._sent

    def next_line(self, seconds: float) -> bytes | NoMore | None:
        """See `Pipes`."""
        if self._end:
            return self._end
        try:
            said = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if isinstance(said, NoMore):
            self._end = said
        return said

    def stderr(self) -> bytes:
        """See `Pipes`."""
        return self._tail.content()

    def hang_up(self) -> None:
        """See `Pipes`."""
        self._outgoing.put(None)

    def close(self) -> None:
        """See `Pipes`."""
        self._closing.set()
        self._lines.put(NoMore())
        self._outgoing.put(None)
        streams = (self._stdin, self._stdout, self._stderr)
        for thread, stream in zip(self._threads, streams, strict=True):
            thread.join(GRACE)
            if not thread.is_alive():
                stream.close()

    def _write_lines(self) -> None:
        while (line := self._outgoing.get()) is not None:
            with contextlib.suppress(OSError, ValueError):
                rest = memoryview(line)
                while rest:
                    rest = rest[self._stdin.write(rest) :]
            self._written += 1
        self._stdin.close()

    def _read_lines(self) -> None:
        said: bytes | NoMore = b""
        while not isinstance(said, NoMore):
            for said in self._pieces.of(read_available(self._stdout) or b""):
                while self._lines.qsize() >= MOST_UNREAD:
                    if self._closing.wait(0.02):
                        return
                self._lines.put(said)

    def _read_stderr(self) -> None:
        while piece := read_available(self._stderr):
            self._tail.add(piece)


def streams_of(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
    """Stdin, stdout and stderr of a child with a pipe for each."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdin, process.stdout, process.stderr


def read_available(stream: IO[bytes]) -> bytes | None:
    """The next piece of a stream: empty at its end, `None` if nothing is there yet."""
    try:
        return os.read(stream.fileno(), PIECE)
    except BlockingIOError:
        return None
    except (OSError, ValueError):
        return b""

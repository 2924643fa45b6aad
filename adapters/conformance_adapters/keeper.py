"""The keeper of an engine: nothing that the engine starts outlives it, or the suite.

The suite runs `keeper.py LIFELINE STARTED COMMAND...` instead of the command. The keeper starts the engine,
hands its own stdin, stdout and stderr to it, and ends as the engine ends. `LIFELINE` is a pipe that only the
suite can write to. When the suite closes it, or is gone for whatever reason, the keeper kills the engine and
everything that the engine started. On Linux the keeper inherits orphans, so that no process gets away by
becoming one; elsewhere it only knows the engine's process group.

It is a program of its own and needs nothing of ours, so that it starts at once.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import signal
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
LONGEST_END = 5.0
"""Seconds in which whatever can be killed is gone."""


def main() -> None:
    """Start the engine, wait for its end or the suite's, and leave nothing behind."""
    lifeline, started, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    inherit_orphans()
    engine = start(command, lifeline, started)
    os.close(started)
    let_go_of_its_pipes()
    signal.signal(signal.SIGINT, lambda number, frame: None)  # the engine's own affair
    signal.signal(signal.SIGTERM, lambda number, frame: leave(engine))
    _thread.start_new_thread(watch, (lifeline, engine))
    while (ended := os.wait())[0] != engine:
        pass
    kill_all(engine)
    end_like(ended[1])


def inherit_orphans() -> None:
    """Become the parent of whatever is started below and loses its own, where the system knows that."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def start(command: list[str], lifeline: int, started: int) -> int:
    """The engine's process; if it cannot be started, `started` says why, and that was all."""
    os.set_inheritable(started, False)
    engine = os.fork()
    if engine:
        with contextlib.suppress(OSError):  # the engine does so too: whoever is first
            os.setpgid(engine, engine)
        return engine
    try:
        os.close(lifeline)
        os.setpgid(0, 0)
        for ignored in (
            signal.SIGPIPE,
            signal.SIGXFSZ,
        ):  # by Python, and whoever it starts would inherit that
            signal.signal(ignored, signal.SIG_DFL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(started, f"{error.strerror}: {command[0]!r}".encode(errors="replace"))
    finally:
        os._exit(127)


def let_go_of_its_pipes() -> None:
    """Only the engine holds them, so that their end is seen when it closes them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.close(nothing)


def watch(lifeline: int, engine: int) -> None:
    """Wait until the suite lets go or is gone, then end everything."""
    while os.read(lifeline, 1):
        pass
    leave(engine)


def leave(engine: int) -> None:
    """End everything, and then this process."""
    kill_all(engine)
    os._exit(0)


def kill_all(engine: int) -> None:
    """Kill the engine and whatever it started, until nothing of it is left."""
    until = time.monotonic() + LONGEST_END
    while time.monotonic() < until:
        with contextlib.suppress(OSError):
            os.killpg(engine, signal.SIGKILL)
        left = descendants()
        for process in left:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        if not left:
            return
        time.sleep(0.005)


def descendants() -> list[int]:
    """The processes below this one that have not ended, where the system lists them."""
    children: dict[int, list[int]] = {}
    ended = set()
    with contextlib.suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208  # see above: it starts at once
            with (
                contextlib.suppress(OSError, ValueError),
                open(f"/proc/{name}/stat", "rb") as file,  # noqa: PTH123  # the same
            ):
                state, parent = file.read().rpartition(b")")[2].split()[:2]
                children.setdefault(int(parent), []).append(int(name))
                if state == b"Z":
                    ended.add(int(name))
    found, waiting = [], [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return [process for process in found if process not in ended]


def end_like(status: int) -> None:
    """End as the engine ended: with its code, or by its signal."""
    if not os.WIFSIGNALED(status):
        os._exit(os.waitstatus_to_exitcode(status))
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the engine has left one already, if anybody wants it
    number = os.WTERMSIG(status)
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


if __name__ == "__main__":
    main()

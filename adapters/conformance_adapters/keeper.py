"""Supervises an engine's process, so that nothing the engine starts outlives the engine or the suite.

The suite runs `keeper.py LIFELINE STARTED COMMAND...` instead of the command. The keeper starts the engine,
gives it its own stdin, stdout and stderr, and ends when the engine ends. `LIFELINE` is a pipe that only the
suite can write to. When the suite closes it, or dies for any reason, the keeper kills the engine and
everything it started. On Linux the keeper adopts orphans, so no process can escape by becoming one; elsewhere
it only knows the engine's process group.

This is a standalone program without our imports, so that it starts fast.
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
"""Seconds within which every killable process must be gone."""


def main() -> None:
    """Start the engine, wait until it or the suite ends, and leave nothing running."""
    lifeline, started, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    inherit_orphans()
    engine = start(command, lifeline, started)
    os.close(started)
    let_go_of_its_pipes()
    signal.signal(signal.SIGINT, lambda number, frame: None)  # left to the engine
    signal.signal(signal.SIGTERM, lambda number, frame: leave(engine))
    _thread.start_new_thread(watch, (lifeline, engine))
    while (ended := os.wait())[0] != engine:
        pass
    kill_all(engine)
    end_like(ended[1])


def inherit_orphans() -> None:
    """Become the parent of orphaned descendants, where the system supports it."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def start(command: list[str], lifeline: int, started: int) -> int:
    """Start the engine's process; if that fails, report why through `started` and exit."""
    os.set_inheritable(started, False)
    engine = os.fork()
    if engine:
        with contextlib.suppress(OSError):  # the engine does the same: whichever comes first
            os.setpgid(engine, engine)
        return engine
    try:
        os.close(lifeline)
        os.setpgid(0, 0)
        for ignored in (
            signal.SIGPIPE,
            signal.SIGXFSZ,
        ):  # by Python, and inherited by the engine's children
            signal.signal(ignored, signal.SIG_DFL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(started, f"{error.strerror}: {command[0]!r}".encode(errors="replace"))
    finally:
        os._exit(127)


def let_go_of_its_pipes() -> None:
    """Close the keeper's copies of the pipes, so that the other side notices when the engine closes its
    own.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.close(nothing)


def watch(lifeline: int, engine: int) -> None:
    """Wait until the suite closes the lifeline or dies, then end everything."""
    while os.read(lifeline, 1):
        pass
    leave(engine)


def leave(engine: int) -> None:
    """End everything, and then this process."""
    kill_all(engine)
    os._exit(0)


def kill_all(engine: int) -> None:
    """Kill the engine and everything it started, until no process is left."""
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
    """The live descendants of this process, where the system lists them."""
    children: dict[int, list[int]] = {}
    ended = set()
    with contextlib.suppress(OSError):
        for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208  # importing pathlib is slow
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
    """End the way the engine ended: with its exit code, or by its signal."""
    if not os.WIFSIGNALED(status):
        os._exit(os.waitstatus_to_exitcode(status))
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the engine has already dumped core, if wanted
    number = os.WTERMSIG(status)
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


if __name__ == "__main__":
    main()

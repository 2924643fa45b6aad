"""Kills and resumes a run repeatedly, and prints how often and how it ended.

`python -m tests.killed JOURNAL TIMES SEED`. It forks, so it must run in its own process.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

from conformance.model.engine import EngineInfo
from conformance.model.observation import Observations
from conformance.model.scenario import Play
from conformance.play.journal import Journal, JournalHeading
from conformance.play.runner import run
from tests.test_runner import NOW, Fake, check, shows

HEADING = JournalHeading(1, "test", "fake", EngineInfo("fake", "1.0"), NOW)
CHECKS = [check(number) for number in range(40)]


def slow(play: Play) -> Observations:
    """An answer that takes a moment, so that the run can be killed during it."""
    time.sleep(0.0005)
    return shows(2)(play)


def outcome(path: Path, *, resume: bool) -> list[str]:
    """The results of a run that writes this journal."""
    journal = Journal(path, HEADING, resume=resume)
    try:
        engine = Fake(slow, checks_understanding=True)
        return [f"{one.id} {one.verdict}" for one in run(engine, CHECKS, NOW, journal=journal)]
    finally:
        journal.close()


def main() -> None:
    """Kill the run TIMES times, then let it end."""
    path, times, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    moments = random.Random(seed)
    expected = outcome(path.with_suffix(".whole"), resume=False)
    cut_off = torn = different = 0
    for _ in range(times):
        path.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            outcome(path, resume=False)
            os._exit(0)
        time.sleep(moments.uniform(0, 0.04))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        cut_off += os.WIFSIGNALED(status)
        if (
            path.exists() and moments.random() < 0.5
        ):  # a crash of the system may also cut off a line in the middle
            size = path.stat().st_size
            os.truncate(path, max(0, size - moments.randrange(200)))
            torn += 1
        different += outcome(path, resume=True) != expected
    print(f"{cut_off=} {torn=} {different=}")


if __name__ == "__main__":
    main()

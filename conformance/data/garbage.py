"""How often Python looks for garbage while values are made that stay.

Python goes through everything that is alive again and again while more is kept. What the suite makes has
hardly any cycles, so most of that is in vain: in a run of the stored checks it took a sixth of the time.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 10_000
"""New objects after which Python looks for garbage. More often costs time in Hypothesis, which notes each
time; less often, more memory is in use than the processor keeps at hand.
"""
RARER = 2
"""How many times more rarely it looks through everything, which takes 0.3 s at the end of such a run."""


@contextmanager
def garbage_kept_longer() -> Iterator[None]:
    """Make Python look for garbage less often."""
    before = young, middle, old = gc.get_threshold()
    if not 0 < young < YOUNG:
        yield
        return
    gc.set_threshold(YOUNG, middle, RARER * old)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextmanager
def garbage_collection_off() -> Iterator[None]:
    """Turn off garbage collection while making many values at once: they have no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()

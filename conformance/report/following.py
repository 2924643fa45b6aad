"""Hands the events of a run to its consumers, also when Ctrl-C or a termination signal arrives.

Either raises an exception wherever the main thread is. Python drops exceptions that are raised during cleanup
(`__del__`, callbacks of the garbage collector), so we raise it again until it arrives.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from conformance.report.outputs import Consumer
from conformance.results.events import CutShort, RunEnded, RunEvent
from conformance.results.summary import INTERRUPTED, TERMINATED
from conformance.run.session import Session

EXIT_CODES: dict[CutShort, int] = {"interrupted": INTERRUPTED, "terminated": TERMINATED}
"""For a run whose last event was on its way to the consumers already."""
AGAIN = 0.3
"""Seconds until an interruption that did not arrive is raised again."""


class Interrupted(KeyboardInterrupt):
    """The run has to end now."""

    def __init__(self, why: CutShort = "interrupted") -> None:
        super().__init__(why)
        self.why: CutShort = why


REASONS: dict[int, CutShort] = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


def followed(session: Session, consumers: Sequence[Consumer]) -> int:
    """Hand every event of a run to its consumers; returns the exit code."""
    try:
        with interruptible():
            return handed_on(session.run(), consumers)
    except KeyboardInterrupt as stop:
        why = stop.why if isinstance(stop, Interrupted) else "interrupted"
        return handed_on(session.cut_short(why), consumers) or EXIT_CODES[why]


def handed_on(events: Iterable[RunEvent], consumers: Sequence[Consumer]) -> int:
    """Hand the events on; returns the exit code of the last one."""
    code = 0
    for event in events:
        for consumer in consumers:
            consumer.take(event)
        if isinstance(event, RunEnded):
            code = event.exit_code
    return code


@contextmanager
def interruptible() -> Iterator[None]:
    """Within this context, Ctrl-C and termination signals raise `Interrupted`."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread can handle signals
        yield
        return
    main = threading.get_ident()
    over = threading.Event()
    sending = threading.Lock()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if over.is_set():
            return
        again = threading.Timer(AGAIN, insist, [number])
        again.daemon = True
        again.start()
        raise Interrupted(REASONS[number])

    def insist(number: int) -> None:
        with sending:  # whoever leaves the context waits: by then the signal would mean something else
            if over.is_set():
                return
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(main, number)
            else:
                _thread.interrupt_main(signal.Signals(number))

    def dropped(unraisable: sys.UnraisableHookArgs) -> None:
        if not isinstance(unraisable.exc_value, Interrupted):  # an interruption is raised again anyway
            hook(unraisable)

    before = {number: signal.signal(number, interrupt) for number in REASONS}
    hook, sys.unraisablehook = sys.unraisablehook, dropped
    try:
        try:
            yield
        finally:
            over.set()
    finally:
        over.set()  # once more: an interruption may have arrived just before
        with sending:
            pass
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)

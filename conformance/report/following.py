"""Hands the events of a run to its consumers, even when Ctrl-C or a termination signal arrives.

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
"""Exit codes for a run that is interrupted while its last event is on its way to the consumers."""
AGAIN = 2.0
"""Seconds until an interruption that did not arrive is raised again. On a busy machine, closing what a run
has opened takes a while, and must not be interrupted."""


class Interrupted(KeyboardInterrupt):
    """The run has to end now."""

    def __init__(self, why: CutShort = "interrupted") -> None:
        super().__init__(why)
        self.why: CutShort = why


SIGNAL_REASONS: dict[int, CutShort] = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


def follow(session: Session, consumers: Sequence[Consumer]) -> int:
    """Hand every event of a run to its consumers; returns the exit code."""
    asked: Sequence[int] = ()
    try:
        with interruptible() as asked:
            return pass_to_consumers(events_until_interrupt(session.run(), asked), consumers)
    except (KeyboardInterrupt, Exception) as stop:
        # An interruption in the wrong moment can leave a library as another exception.
        if not asked and not isinstance(stop, KeyboardInterrupt):
            raise
        why = SIGNAL_REASONS[asked[0]] if asked else "interrupted"
        return pass_to_consumers(session.events_of_interruption(why), consumers) or EXIT_CODES[why]


def events_until_interrupt(events: Iterable[RunEvent], asked: Sequence[int]) -> Iterator[RunEvent]:
    """The events until an interruption arrives, even if something else swallowed its exception."""
    for event in events:
        if asked:
            raise Interrupted(SIGNAL_REASONS[asked[0]])
        yield event


def pass_to_consumers(events: Iterable[RunEvent], consumers: Sequence[Consumer]) -> int:
    """Hand the events on; returns the exit code of the last one."""
    code = 0
    for event in events:
        for consumer in consumers:
            consumer.take(event)
        if isinstance(event, RunEnded):
            code = event.exit_code
    return code


@contextmanager
def interruptible() -> Iterator[Sequence[int]]:
    """Within this context, Ctrl-C and termination signals raise `Interrupted`; yields those received."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread can handle signals
        yield ()
        return
    asked: list[int] = []
    main = threading.get_ident()
    over = threading.Event()
    sending = threading.Lock()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if over.is_set():
            return
        asked.append(number)
        again = threading.Timer(AGAIN, insist, [number])
        again.daemon = True
        again.start()
        raise Interrupted(SIGNAL_REASONS[number])

    def insist(number: int) -> None:
        with sending:  # the context waits for this as it ends: later the signal would mean something else
            if over.is_set():
                return
            if hasattr(signal, "pthread_kill"):
                signal.pthread_kill(main, number)
            else:
                _thread.interrupt_main(signal.Signals(number))

    def dropped(unraisable: sys.UnraisableHookArgs) -> None:
        if not isinstance(unraisable.exc_value, Interrupted):  # an interruption is raised again anyway
            hook(unraisable)

    before = {number: signal.signal(number, interrupt) for number in SIGNAL_REASONS}
    hook, sys.unraisablehook = sys.unraisablehook, dropped
    try:
        try:
            yield asked
        finally:
            over.set()
    finally:
        over.set()  # once more: an interruption may have arrived just before
        with sending:
            pass
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)

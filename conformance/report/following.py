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
AGAIN = 2.0
"""Seconds until an interruption that did not arrive is raised again. On a busy machine, closing what a run
has opened takes a while, and is not to be interrupted itself."""


class Interrupted(KeyboardInterrupt):
    """The run has to end now."""

    def __init__(self, why: CutShort = "interrupted") -> None:
        super().__init__(why)
        self.why: CutShort = why


REASONS: dict[int, CutShort] = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


def followed(session: Session, consumers: Sequence[Consumer]) -> int:
    """Hand every event of a run to its consumers; returns the exit code."""
    try:
        with interruptible() as asked:
            return handed_on(until_asked(session.run(), asked), consumers)
    except KeyboardInterrupt as stop:
        why = stop.why if isinstance(stop, Interrupted) else "interrupted"
        return handed_on(session.cut_short(why), consumers) or EXIT_CODES[why]


def until_asked(events: Iterable[RunEvent], asked: Sequence[int]) -> Iterator[RunEvent]:
    """The events until somebody asks for the end, also where something else swallowed the interruption."""
    for event in events:
        if asked:
            raise Interrupted(REASONS[asked[0]])
        yield event


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
def interruptible() -> Iterator[Sequence[int]]:
    """Within this context, Ctrl-C and termination signals raise `Interrupted`; gives those that came."""
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

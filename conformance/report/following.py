"""Hands the events of a run to its consumers, even when Ctrl-C or a termination signal arrives.

Either raises an exception wherever the main thread is. Python drops exceptions that are raised during cleanup
(`__del__`, callbacks of the garbage collector), so we raise it again until it arrives.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from types import FrameType

from conformance.report.outputs import Consumer
from conformance.results.events import CutShort, RunEnded, RunEvent
from conformance.run.session import EXIT_CODES, Session, events_before_any_check

AGAIN = 2.0
"""Seconds after which an interruption that did not arrive is raised again. Until then a second signal changes
nothing: closing what a run has opened takes a while, and must not be interrupted."""


class Interrupted(KeyboardInterrupt):
    """The run has to end now."""

    def __init__(self, why: CutShort = "interrupted") -> None:
        super().__init__(why)
        self.exit_code = EXIT_CODES[why]


SIGNAL_REASONS: dict[int, CutShort] = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated"}


class Signals:
    """The signals that a run has received."""

    def __init__(self) -> None:
        self.received: list[int] = []
        self.ending = False
        """Whether the last events of the run are on their way. The first signal is no longer raised then."""

    def why(self) -> CutShort:
        """What the first of them asked for."""
        return SIGNAL_REASONS[self.received[0]] if self.received else "interrupted"


def follow(session: Session, consumers: Sequence[Consumer], signals: Signals) -> int:
    """Hand every event of a run to its consumers; returns the exit code."""
    try:
        code = pass_to_consumers(events_until_interrupt(session.run(), signals), consumers, signals)
    except (KeyboardInterrupt, Exception) as stop:
        # An interruption in the wrong moment can leave a library as another exception.
        if signals.ending or (not signals.received and not isinstance(stop, KeyboardInterrupt)):
            raise
        signals.ending = True
        code = pass_to_consumers(session.events_of_interruption(signals.why()), consumers, signals)
    return code or (EXIT_CODES[signals.why()] if signals.received else 0)


@contextmanager
def reporting_interruption(asked: str, consumers: Sequence[Consumer], signals: Signals) -> Iterator[None]:
    """Within this context, a run of this engine gets ready; an interruption is reported like any other."""
    try:
        yield
    except (KeyboardInterrupt, Exception) as stop:
        # As in `follow`.
        if not signals.received and not isinstance(stop, KeyboardInterrupt):
            raise
        signals.ending = True
        why, now = signals.why(), datetime.now().astimezone()
        pass_to_consumers(events_before_any_check(asked, why, now), consumers, signals)
        raise SystemExit(EXIT_CODES[why]) from None


def events_until_interrupt(events: Iterable[RunEvent], signals: Signals) -> Iterator[RunEvent]:
    """The events until an interruption arrives, even if something else swallowed its exception."""
    for event in events:
        if signals.received:
            raise Interrupted(signals.why())
        yield event


def pass_to_consumers(events: Iterable[RunEvent], consumers: Sequence[Consumer], signals: Signals) -> int:
    """Hand the events on; returns the exit code of the last one."""
    code = 0
    for event in events:
        signals.ending = signals.ending or isinstance(event, RunEnded)
        for consumer in consumers:
            consumer.take(event)
        if isinstance(event, RunEnded):
            code = event.exit_code
    return code


@contextmanager
def interruptible() -> Iterator[Signals]:
    """Within this context, Ctrl-C and termination signals raise `Interrupted`; yields those received."""
    signals = Signals()
    if threading.current_thread() is not threading.main_thread():  # only the main thread can handle signals
        yield signals
        return
    main = threading.get_ident()
    over = threading.Event()
    sending = threading.Lock()
    raised = -AGAIN
    sent_again = False

    # The handler takes no lock and starts no thread: it may interrupt itself, or whoever holds that lock.
    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal raised, sent_again
        again, sent_again = sent_again, False
        if over.is_set() or (again and signals.ending):
            return
        signals.received.append(number)
        now = time.monotonic()
        if signals.ending and len(signals.received) == 1:
            raised = now  # the reports are being written: whoever does not want them has to say so twice
        elif now >= raised + AGAIN:
            raised = now
            raise Interrupted(SIGNAL_REASONS[number])

    def insist() -> None:
        nonlocal sent_again
        while not over.wait(AGAIN):
            with sending:  # the context waits for this as it ends: later the signal would mean something else
                if over.is_set() or signals.ending or not signals.received:
                    continue
                sent_again = True
                if hasattr(signal, "pthread_kill"):
                    signal.pthread_kill(main, signals.received[0])
                else:
                    _thread.interrupt_main(signal.Signals(signals.received[0]))

    def dropped(unraisable: sys.UnraisableHookArgs) -> None:
        if not isinstance(unraisable.exc_value, Interrupted):  # an interruption is raised again anyway
            hook(unraisable)

    threading.Thread(target=insist, daemon=True).start()
    before = {number: signal.signal(number, interrupt) for number in SIGNAL_REASONS}
    hook, sys.unraisablehook = sys.unraisablehook, dropped
    try:
        try:
            yield signals
        finally:
            over.set()
    finally:
        over.set()  # once more: an interruption may have arrived just before
        with sending:
            pass
        sys.unraisablehook = hook
        for number, handler in before.items():
            signal.signal(number, handler)

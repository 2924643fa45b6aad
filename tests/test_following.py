"""Interruptions of a run: they arrive wherever they are raised, and only while there is a run."""

from __future__ import annotations

import signal
import sys
import threading
import time

import pytest

from conformance.report.following import Interrupted, interruptible

pytestmark = pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="only the main thread handles signals"
)


@pytest.mark.parametrize(
    ("number", "why"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")], ids=str
)
def test_signal_ends_what_is_under_way(number: signal.Signals, why: str) -> None:
    with pytest.raises(Interrupted) as stop, interruptible():
        signal.raise_signal(number)

    assert why == stop.value.why


def test_interruption_that_python_drops_is_raised_again() -> None:
    class Tidying:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGTERM)

    went_on = False
    with pytest.raises(Interrupted), interruptible():
        Tidying()
        went_on = True
        time.sleep(20)

    assert went_on


def test_signals_mean_afterwards_what_they_meant_before() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), sys.unraisablehook

    with interruptible():
        assert before[0] != signal.getsignal(signal.SIGINT)

    assert before == (
        signal.getsignal(signal.SIGINT),
        signal.getsignal(signal.SIGTERM),
        sys.unraisablehook,
    )


def test_other_threads_have_no_say_in_signals() -> None:
    entered = []

    def run() -> None:
        with interruptible():
            entered.append(signal.getsignal(signal.SIGTERM))

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()

    assert [before] == entered

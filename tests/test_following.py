"""Interruptions of a run: they arrive wherever they are raised, and only while there is a run."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import cast

import pytest

from conformance.report import following
from conformance.report.following import Interrupted, follow, interruptible
from conformance.report.outputs import Consumer
from conformance.results.events import RunEnded, RunEvent
from conformance.results.summary import Counts
from conformance.run.session import Session

pytestmark = pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="only the main thread handles signals"
)


def followed(session: Session, consumers: list[Consumer]) -> int:
    """The exit code of a run."""
    with interruptible() as signals:
        return follow(session, consumers, signals)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=str)
def test_signal_ends_what_is_under_way(number: signal.Signals, code: int) -> None:
    with pytest.raises(Interrupted) as stop, interruptible():
        signal.raise_signal(number)

    assert code == stop.value.exit_code


def test_impatient_second_signal_does_not_interrupt_the_closing() -> None:
    closed = False
    with pytest.raises(Interrupted), interruptible():
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGINT)
            closed = True

    assert closed


def test_signal_that_arrives_while_another_is_answered_needs_no_lock() -> None:
    """It may interrupt the start of a thread, which holds a lock that starting another would need."""
    starting = threading._active_limbo_lock  # type: ignore[attr-defined]
    with interruptible() as signals, pytest.raises(Interrupted), starting:
        signal.raise_signal(signal.SIGINT)

    assert [signal.SIGINT] == signals.received


def test_run_that_ends_because_of_a_signal_is_not_interrupted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "AGAIN", 0.01)

    class Long:
        """A run whose end takes its time."""

        def run(self) -> Iterator[RunEvent]:
            signal.raise_signal(signal.SIGINT)
            yield RunEnded(Counts(), 0, 0, 0.0)

        def events_of_interruption(self, why: str) -> Iterator[RunEvent]:
            time.sleep(0.2)
            yield RunEnded(Counts(), 130, 0, 0.0)

    assert 130 == followed(cast("Session", Long()), [])


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


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs signals to threads")
def test_interruption_raised_again_as_the_run_ends_arrives_while_there_is_a_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sending, left, sent = threading.Event(), threading.Event(), threading.Event()
    send = signal.pthread_kill

    def slowly(thread: int, number: int) -> None:
        sending.set()
        left.wait(0.5)  # enough time to leave, if the context does not wait
        send(thread, number)
        sent.set()

    monkeypatch.setattr(following, "AGAIN", 0)
    monkeypatch.setattr(signal, "pthread_kill", slowly)
    with interruptible():
        with pytest.raises(Interrupted):
            signal.raise_signal(signal.SIGINT)
        sending.wait()
    try:
        left.set()
        sent.wait()
    except KeyboardInterrupt:
        pytest.fail("the interruption arrived when there was no run any more")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=str)
def test_run_interrupted_while_its_last_event_is_written_does_not_pass(
    number: signal.Signals, code: int
) -> None:
    class Over:
        """A run of which only the last event is left."""

        def run(self) -> Iterator[RunEvent]:
            yield RunEnded(Counts(), 0, 0, 0.0)

        def events_of_interruption(self, why: str) -> Iterator[RunEvent]:
            return iter(())

    class Writing:
        """A report that is interrupted as it is written."""

        def take(self, event: RunEvent) -> None:
            signal.raise_signal(number)

    assert code == followed(cast("Session", Over()), [cast("Consumer", Writing())])


def test_reports_are_finished_though_a_signal_arrives_as_they_are_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(following, "AGAIN", 0)
    written = []

    class Over:
        """A run of which only the last event is left."""

        def run(self) -> Iterator[RunEvent]:
            yield RunEnded(Counts(), 0, 0, 0.0)

    class Writing:
        """A report that is interrupted as it is written."""

        def take(self, event: RunEvent) -> None:
            signal.raise_signal(signal.SIGTERM)
            written.append(event)

    both = [cast("Consumer", Writing()), cast("Consumer", Writing())]
    with pytest.raises(Interrupted), interruptible() as signals:
        assert 143 == follow(cast("Session", Over()), both[:1], signals)
        assert 1 == len(written)
        follow(cast("Session", Over()), both[1:], signals)  # the second signal is meant

    assert 1 == len(written)


def test_run_interrupted_before_its_last_event_is_told_ends_with_that_event() -> None:
    class Over:
        """A run that a signal reaches between the making and the telling of its last event."""

        def run(self) -> Iterator[RunEvent]:
            signal.raise_signal(signal.SIGTERM)
            yield RunEnded(Counts(), 0, 0, 0.0)

        def events_of_interruption(self, why: str) -> Iterator[RunEvent]:
            yield RunEnded(Counts(), 0, 0, 0.0)

    class Noting:
        def __init__(self) -> None:
            self.seen: list[RunEvent] = []

        def take(self, event: RunEvent, /) -> None:
            self.seen.append(event)

    noting = Noting()
    assert 143 == followed(cast("Session", Over()), [cast("Consumer", noting)])
    assert 1 == len(noting.seen)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=str)
def test_interruption_that_a_library_turns_into_another_error_is_one_all_the_same(
    number: signal.Signals, code: int
) -> None:
    class Searching:
        """A run whose search breaks because it was interrupted."""

        def run(self) -> Iterator[RunEvent]:
            try:
                signal.raise_signal(number)
            finally:
                raise AssertionError
            yield

        def events_of_interruption(self, why: str) -> Iterator[RunEvent]:
            yield RunEnded(Counts(), code, 0, 0.0)

    assert code == followed(cast("Session", Searching()), [])


def test_error_without_an_interruption_is_an_error() -> None:
    class Broken:
        def run(self) -> Iterator[RunEvent]:
            raise AssertionError
            yield

    with pytest.raises(AssertionError):
        followed(cast("Session", Broken()), [])


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


def test_run_that_swallows_an_interruption_ends_all_the_same() -> None:
    class Swallowing:
        """A run in which something mistakes the interruption for its own, and goes on."""

        def run(self) -> Iterator[str]:
            with suppress(KeyboardInterrupt):
                signal.raise_signal(signal.SIGTERM)
            yield "passed"

        def events_of_interruption(self, why: str) -> Iterator[str]:
            yield why

    class Noting:
        def __init__(self) -> None:
            self.seen: list[object] = []

        def take(self, event: RunEvent, /) -> None:
            self.seen.append(event)

        def close(self) -> None: ...

    noting = Noting()

    assert 143 == followed(cast(Session, Swallowing()), [cast(Consumer, noting)])
    assert ["terminated"] == noting.seen

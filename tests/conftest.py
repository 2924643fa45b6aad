"""Hypothesis profiles, and where coverage is not measured.

`HYPOTHESIS_PROFILE` is `quick` (the default), `ci` or `deep`. No profile has a deadline or minds slow draws:
a busy machine is not a bug.

A test marked `sweep` plays everything, or asks for a long time. It runs the same lines again and again, and
measuring them would more than double its time, so coverage comes from the other tests alone.
"""

import os
import sys
import warnings
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick",
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "ci",
    settings.get_profile("quick"),
    max_examples=100,
    derandomize=True,
    print_blob=True,
)
settings.register_profile(
    "deep",
    settings.get_profile("quick"),
    max_examples=10_000,
    print_blob=True,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

IN_CHILDREN = "COVERAGE_PROCESS_CONFIG"
"""Environment variable of processes that measure their own coverage."""


def pytest_configure(config: pytest.Config) -> None:
    """Register our marker."""
    config.addinivalue_line("markers", "sweep: plays everything there is; coverage is not measured in it")


def pytest_sessionstart() -> None:
    """Compile the library before a test puts other files in its place, and what it compiles is kept."""
    from conformance.data.library import compiled_library

    compiled_library()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Save what a worker of xdist measured while xdist still waits for it.

    Once the tests have ended, xdist waits ten seconds for a worker's process and then kills it. On a busy
    machine, coverage's own saving at the end of the process takes longer.
    """
    coverage = sys.modules.get("coverage")
    measuring = coverage.Coverage.current() if coverage and hasattr(session.config, "workerinput") else None
    if measuring is not None:
        measuring.stop()
        measuring.save()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Do not measure coverage of a sweep, or of processes it starts."""
    coverage = sys.modules.get("coverage")
    measuring = coverage.Coverage.current() if coverage and item.get_closest_marker("sweep") else None
    if measuring is None:
        return (yield)
    measuring.stop()
    in_children = os.environ.pop(IN_CHILDREN, None)
    try:
        return (yield)
    finally:
        if in_children is not None:
            os.environ[IN_CHILDREN] = in_children
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # our modules are already imported, as intended
            measuring.start()

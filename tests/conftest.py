"""Hypothesis profiles, and where coverage is not measured.

`HYPOTHESIS_PROFILE` is `quick` (the default), `ci` or `deep`. No profile has a deadline or minds slow draws:
a busy machine is not a bug.

A test marked `sweep` plays everything, or asks for a long time. It runs the same lines again and again, and
measuring them would more than double its time, so coverage comes from the other tests alone.
"""

import importlib
import os
import pkgutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from conformance.data.garbage import garbage_kept_longer
from tests.shared import FOLDER

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
    """Register our markers, make the folder that the workers share, and look for garbage as commands do."""
    seldom = ExitStack()
    seldom.enter_context(garbage_kept_longer())
    config.add_cleanup(seldom.close)
    config.addinivalue_line("markers", "sweep: plays everything there is; coverage is not measured in it")
    config.addinivalue_line("markers", "nightly: takes long for the little that no quicker test would notice")
    if FOLDER not in os.environ:  # a worker of xdist has it from its controller
        folder = tempfile.TemporaryDirectory(prefix="conformance-tests-")
        os.environ[FOLDER] = folder.name
        config.add_cleanup(folder.cleanup)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the library before a test puts other files in its place, and what it compiles is kept."""
    measured = measuring()
    if measured is not None and session.config.pluginmanager.hasplugin("dsession"):
        measured.stop()  # xdist's controller compiles, and runs no test itself

    from conformance.data.library import compiled_library

    compiled_library()


def measuring() -> Any:
    """What measures coverage in this process, if anything does."""
    coverage = sys.modules.get("coverage")
    return coverage.Coverage.current() if coverage else None


@contextmanager
def unmeasured(measured: Any) -> Iterator[None]:
    """Measure nothing in this process for a while."""
    measured.stop()
    try:
        yield
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # our modules are already imported, as intended
            measured.start()


@pytest.fixture
def without_coverage() -> Callable[[], AbstractContextManager[None]]:
    """Measures nothing within a part of a test that plays much to find something."""
    measured = measuring()
    return nullcontext if measured is None else lambda: unmeasured(measured)


def import_all(sources: list[str]) -> None:
    """Import what is measured, so that the lines that run when a module is imported are measured too.

    Coverage names a package by its name, and in a worker by its folder.
    """
    for name in (Path(source).name for source in sources):
        package = importlib.import_module(name)
        for module in pkgutil.walk_packages(getattr(package, "__path__", ()), f"{name}."):
            if not module.name.endswith(".__main__"):
                importlib.import_module(module.name)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Do not measure how pytest finds and compiles the tests, most of the time until the first runs."""
    measured = measuring()
    if measured is None or session.config.pluginmanager.hasplugin("dsession"):  # xdist's controller
        import_tests(session.config)
        return (yield)
    import_all(measured.get_option("run:source"))
    with unmeasured(measured):
        import_tests(session.config)
        return (yield)


def import_tests(config: pytest.Config) -> None:
    """Import all test modules, each worker of xdist beginning with others: who comes first compiles for all.

    In the same order all would come to each module at the same time, and each would rewrite its assertions.
    """
    worker: dict[str, Any] = getattr(config, "workerinput", {})
    folder = Path(__file__).parent
    if not worker or folder not in [Path(one).resolve() for one in config.args]:
        return  # one process, or only some of the tests
    names = sorted(file.stem for file in folder.glob("test_*.py"))
    begin = len(names) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    for name in names[begin:] + names[:begin]:
        with suppress(Exception, pytest.skip.Exception):  # pytest imports it again, and says what is wrong
            importlib.import_module(f"{__package__}.{name}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Save what a worker of xdist measured while xdist still waits for it.

    Once the tests have ended, xdist waits ten seconds for a worker's process and then kills it. On a busy
    machine, coverage's own saving at the end of the process takes longer.
    """
    measured = measuring()
    if measured is not None and hasattr(session.config, "workerinput"):
        measured.stop()
        measured.save()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Do not measure coverage of a sweep, or of processes it starts."""
    measured = measuring()
    if measured is None or item.get_closest_marker("sweep") is None:
        return (yield)
    in_children = os.environ.pop(IN_CHILDREN, None)
    try:
        with unmeasured(measured):
            return (yield)
    finally:
        if in_children is not None:
            os.environ[IN_CHILDREN] = in_children


@pytest.hookimpl(optionalhook=True)  # the wheel is tested without xdist
def pytest_xdist_auto_num_workers() -> int:
    """A worker more than there are processors: many tests wait for a process."""
    return (os.cpu_count() or 1) + 1

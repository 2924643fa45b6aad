"""Our checks as pytest tests: `pytest --conformance-engine SPEC`, for engines that are tested with pytest.

Each check is a pytest item: `conformance::L-0031-lost_ability` is a fixture,
`conformance::two_switches_cancel` a property. The rules that a check is about are keywords (`-k 613.8b`) and
markers (`-m 'conformance_rule(number="613.8b")'`, from pytest 8.3 on). Our items come after the author's own
tests, unless files were named. The author's own tests get the engine from the pytest fixture
`conformance_engine`.

Without the option, the plugin does nothing and imports nothing else of ours; the work is done in
`pytest_items`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conformance.model.engine import Engine

OPTION = "--conformance-engine"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add our options; without the first one, the plugin does nothing."""
    group = parser.getgroup("conformance", "conformance of a Magic rules engine")
    group.addoption(OPTION, metavar="SPEC", help="Check this engine: each fixture of the suite is a test.")
    group.addoption("--conformance-edition", metavar="DATE", help="Use the rules of this date.")
    group.addoption(
        "--conformance-divergences", metavar="FILE", help="Expect the failures listed in this file."
    )
    group.addoption("--conformance-seed", metavar="N", type=int, help="Seed of the search.")
    group.addoption("--conformance-examples", metavar="N", type=int, help="Number of cases of each property.")


def pytest_configure(config: pytest.Config) -> None:
    """Register our markers and, if an engine was named, everything else."""
    config.addinivalue_line("markers", "conformance: a check of the conformance suite.")
    config.addinivalue_line("markers", "conformance_rule(number): a check that is about this rule.")
    if config.getoption(OPTION):
        from conformance.pytest_items import Suite

        config.pluginmanager.register(Suite(config), "conformance suite")


@pytest.fixture(scope="session")
def conformance_engine(pytestconfig: pytest.Config) -> Engine:
    """The engine that `--conformance-engine` names, connected; without it the test is skipped."""
    suite = pytestconfig.pluginmanager.get_plugin("conformance suite")
    if suite is None:
        pytest.skip(f"needs {OPTION}")
    engine: Engine = suite.engine
    return engine

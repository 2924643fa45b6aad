"""Our checks as tests of pytest's: `pytest --conformance-engine SPEC`, for engines that are tested with it.

Every check is an item of its own, `conformance::L-0031-lost_ability` a fixture and
`conformance::two_switches_cancel` a property, with the rules it is about as
keywords (`-k 613.8b`) and as markers (`-m 'conformance_rule(number="613.8b")'`, from pytest 8.3 on). They
come behind the author's own tests, unless files were named. An author's own tests get the engine from the
fixture `conformance_engine`.

Unless it is asked for, the plugin does nothing and nothing else of ours is imported; all that it does is in
`pytest_items`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conformance.model.engine import Engine

OPTION = "--conformance-engine"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options, the first of which asks for all this."""
    group = parser.getgroup("conformance", "conformance of a Magic rules engine")
    group.addoption(OPTION, metavar="SPEC", help="Check this engine: each fixture of the suite is a test.")
    group.addoption("--conformance-edition", metavar="DATE", help="Use the rules of this date.")
    group.addoption(
        "--conformance-divergences", metavar="FILE", help="Expect the failures listed in this file."
    )
    group.addoption("--conformance-seed", metavar="N", type=int, help="Seed of the search.")
    group.addoption("--conformance-examples", metavar="N", type=int, help="Number of cases of each property.")


def pytest_configure(config: pytest.Config) -> None:
    """Make the markers known; if an engine was named, see to the rest."""
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

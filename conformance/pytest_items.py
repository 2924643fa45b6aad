"""The checks of the suite as pytest items, for `pytest_plugin`.

An item plays its fixture with the same runner as `conformance run`, or searches for a counterexample to its
property. Wrong answers fail, unsupported and disputed checks are skipped, and failures that the divergences
file lists are expected failures.
"""

from __future__ import annotations

import re
import shlex
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import Any, assert_never

import pytest

from conformance.commands.engines import connect_engine
from conformance.data.compiled import fixtures_folder
from conformance.data.rulebook import newest_edition
from conformance.gate.config import Config, Settings, command_to_announce, found_config
from conformance.gate.divergences import divergences_in
from conformance.gate.standing import Divergences, NotedStanding, standing_of
from conformance.model.engine import Engine, EngineFailure, EngineInfo
from conformance.model.printable import printable
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture
from conformance.play.introduction import introduction_of
from conformance.play.runner import Result, has_expectations, run
from conformance.play.selection import (
    NoMatch,
    SelectedCheck,
    every_property,
    files_by_id,
    selected_fixtures,
)
from conformance.properties import Property
from conformance.report.run_text import engine_name, lines_of_checked
from conformance.results.causes import difference_line
from conformance.results.events import FinishedCheck, result_event, text_of_verdict
from conformance.results.summary import score_of
from conformance.run.diagnosis import MOST, diagnoses
from conformance.run.reasons import reasons_by
from conformance.run.session import stored_counterexamples
from conformance.search.effort import EFFORTS, Effort, SearchOptions
from conformance.search.found import StoredCounterexample, folder_of
from conformance.search.law_checks import fixture_without_counterexample, judged_engine, results_of
from conformance_adapters import UnknownEngine
from conformance_adapters.in_process import Reference

PREFIX = "conformance::"
"""Prefix of item ids, also on the command line."""


@contextmanager
def usage_errors() -> Iterator[None]:
    """End pytest with the reason if a request cannot be met."""
    try:
        yield
    except (NoMatch, UnknownEngine, ScenarioError) as error:
        raise pytest.UsageError(str(error)) from None


class Suite:
    """One engine, connected once for each pytest process, and the checks to run on it."""

    def __init__(self, config: pytest.Config) -> None:
        self.spec: str = config.getoption("--conformance-engine")
        self.asked_edition: str | None = config.getoption("--conformance-edition")
        self.list_file: str | None = config.getoption("--conformance-divergences")
        self.asked_seed: int | None = config.getoption("--conformance-seed")
        self.asked_examples: int | None = config.getoption("--conformance-examples")
        self.named = [argument for argument in config.args if argument.startswith(PREFIX)]
        # Pytest would look for files with these names.
        config.args = [argument for argument in config.args if argument not in self.named]
        self.files_were_named = config.args_source is pytest.Config.ArgsSource.ARGS
        self.looked_into = 0
        """Number of failures that have been diagnosed."""
        self._next: Fixture | None = None

    # ------------------------------------------------------------------------------- the engine

    @cached_property
    def engine(self) -> Engine:
        """The engine, started as `conformance.toml` or its name says."""
        with usage_errors():
            return connect_engine(self.spec, self.settings.edition, self.config)

    @cached_property
    def config(self) -> Config:
        """The configuration from `conformance.toml`, if there is one."""
        with usage_errors():
            return found_config(Path.cwd())

    @cached_property
    def settings(self) -> Settings:
        """Settings for grading: pytest's options, with defaults from `conformance.toml`."""
        listed_in = Path(self.list_file) if self.list_file else None
        asked = Settings(edition=self.asked_edition, divergences=listed_in)
        return asked.with_defaults(self.config.settings_for(self.spec))

    @cached_property
    def info(self) -> EngineInfo:
        """The engine's description of itself."""
        try:
            return introduction_of(self.engine)
        except Exception as error:  # any failure of the engine becomes a message at the end
            says = error.says if isinstance(error, EngineFailure) else f"{type(error).__name__}: {error}"
            raise pytest.UsageError(f"the engine {self.spec} did not start: {printable(says)}") from None

    @property
    def edition(self) -> str:
        """The edition to grade by."""
        return self.settings.edition or self.info.edition or newest_edition()

    @cached_property
    def divergences(self) -> Divergences | None:
        """The list of known disagreements, if there is one."""
        listed_in = self.settings.divergences
        with usage_errors():
            return divergences_in(listed_in) if listed_in else None

    @cached_property
    def stored_counterexamples(self) -> tuple[StoredCounterexample, ...]:
        """Counterexamples of earlier searches."""
        listed_in = self.settings.divergences
        with usage_errors():
            return stored_counterexamples(
                listed_in,
                self.divergences or Divergences(),
                self.counterexamples_folder,
                warnings.warn,
            )

    @property
    def counterexamples_folder(self) -> Path:
        """The folder for counterexamples."""
        return folder_of(self.config.path.parent if self.config.path else Path.cwd(), self.spec)

    @cached_property
    def effort(self) -> Effort | None:
        """How hard to search; None to play only stored checks."""
        usual = EFFORTS.get(self.settings.profile or "quick")
        asked = SearchOptions(self.asked_seed, self.asked_examples)
        return asked.with_defaults(usual) if usual else None

    # -------------------------------------------------------------------------------- playing

    def result_of(self, fixture: Fixture) -> Result:
        """The result of a check; after too many failures in a row, the engine is not asked again."""
        self._next = fixture
        try:
            return next(self._results)
        except ScenarioError:  # the fixture is wrong, which ends the runner; the next check gets a new one
            del self._results
            raise

    @cached_property
    def _results(self) -> Iterator[Result]:
        return run(self.engine, self._asked(), self.edition)

    def _asked(self) -> Iterator[Fixture]:
        while True:
            assert self._next is not None  # the runner takes a check only after one has been set
            yield self._next

    def results_of(self, law: Property[Any]) -> list[Result]:
        assert self.effort is not None  # otherwise there are no such items
        fresh = partial(connect_engine, self.spec, self.settings.edition, self.config)
        asked = judged_engine(
            self.engine,
            fresh,
            self.info,
            Reference(self.edition).play,
            self.edition,
            reasons_by(self.edition),
        )
        known = [one for one in self.stored_counterexamples if one.law == law.name]
        return results_of(law, asked, self.effort, known, self.counterexamples_folder, is_mended)

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Report at once, and only once, if a request cannot be met; xdist's workers would garble it."""
        self.info, self.divergences  # noqa: B018  # they raise
        if self.named:
            self.selected_checks()
        if session.config.getoption("numprocesses", None):
            self.pytest_unconfigure()  # this process does not ask the engine anything

    def pytest_unconfigure(self) -> None:
        """Close the engine."""
        close = getattr(self.__dict__.get("engine"), "close", None)
        if close:
            close()

    # ------------------------------------------------------------------------------ collecting

    def selected_checks(self) -> Sequence[SelectedCheck]:
        """The selected checks, by default all. Raises pytest's own error for a wrong name."""
        names = {law.name for law in every_property()}
        ids = [re.sub(r"(?<=\d)-.*", "", name.removeprefix(PREFIX)) for name in self.named]
        fixtures = [id for id in ids if id not in names]
        with usage_errors():
            return list(selected_fixtures(fixtures)) if fixtures or not ids else []

    def laws(self) -> Sequence[Property[Any]]:
        """The selected properties, by default all; empty if there is no search."""
        if self.effort is None:
            return ()
        ids = [name.removeprefix(PREFIX) for name in self.named]
        return [law for law in every_property() if not ids or law.name in ids]

    def pytest_report_header(self) -> list[str]:
        """The engine, and the command that the configuration runs if it may come as a surprise."""
        said = command_to_announce(self.config, self.spec, Path.cwd())
        return [f"conformance: {self.spec}", *([said] if said else [])]

    @pytest.hookimpl(tryfirst=True)  # before items are deselected
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Append our items after all others, unless only other tests were named."""
        if self.files_were_named and not self.named:
            return
        checks: CheckCollector = CheckCollector.from_parent(
            session, name="conformance", path=fixtures_folder(), nodeid="conformance"
        )
        checks.suite = self
        ours: list[pytest.Item | pytest.Collector] = list(checks.collect())
        # Otherwise pytest would not count them as collected.
        session.ihook.pytest_collectreport(report=pytest.CollectReport("conformance", "passed", None, ours))
        items.extend(item for item in ours if isinstance(item, pytest.Item))


def is_mended(kept: StoredCounterexample) -> None:
    """Delete the file of a counterexample that now passes, unless the list stores it."""
    if not kept.listed:
        kept.path.unlink(missing_ok=True)


class CheckCollector(pytest.Collector):
    """The selected checks that count in the engine's edition."""

    suite: Suite

    def collect(self) -> Iterator[CheckItem]:
        """One item for each fixture, sorted by id, then one for each property."""
        edition = self.suite.edition
        for one in sorted(self.suite.selected_checks(), key=lambda one: one.fixture.id):
            if has_expectations(one.fixture, edition):
                path = files_by_id().get(one.fixture.id.partition(".")[0], self.path)
                name = f"{one.fixture.id}-{one.name}"
                item: CheckItem = CheckItem.from_parent(self, name=name, path=path)
                item.tie(self.suite, one)
                yield item
        for law in self.suite.laws():
            property_item: PropertyItem = PropertyItem.from_parent(self, name=law.name, path=self.path)
            property_item.tie_law(self.suite, law)
            yield property_item


class CheckFailed(Exception):
    """A check failed; the lines explain it."""


class CheckItem(pytest.Item):
    """A check as a pytest item."""

    suite: Suite
    fixture: Fixture
    called: str

    def tie(self, suite: Suite, one: SelectedCheck) -> None:
        """Connect the item to its check, and add the markers that select it."""
        self.suite, self.fixture, self.called = suite, one.fixture, one.name
        fixture = one.fixture
        self.add_marker(pytest.mark.conformance)
        for rule in fixture.rules:
            self.add_marker(pytest.mark.conformance_rule(number=rule))
        self.extra_keyword_matches.update(fixture.rules)
        self.user_properties.append(("rules", " ".join(fixture.rules)))

    def runtest(self) -> None:
        """Play the check; pass, fail or skip according to its result."""
        self.report_result(self.suite.result_of(self.fixture))

    def report_result(self, result: Result) -> None:
        """Pass, fail or skip according to a result."""
        stand = self.stand(result)
        checked = result_event(result, self.called, self.replay_command(), stand.standing, stand.note)
        self.user_properties.append(("verdict", str(checked.verdict.__struct_config__.tag)))
        if stand.standing in ("stale", "lost"):
            raise CheckFailed(
                "\n".join([*self.failure_lines(checked), f"    {stand.standing}: {stand.note}"])
            )
        match score_of(checked.verdict):
            case "passed":
                return
            case "unsupported" | "disputed" as score:
                pytest.skip(f"{score}: {text_of_verdict(checked.verdict)}")
            case "failed" | "not run":
                if stand.standing == "listed":
                    pytest.xfail(f"listed: {stand.note}" if stand.note else "listed")
                raise CheckFailed("\n".join(self.failure_lines(checked)))
            case other:
                assert_never(other)

    def stand(self, result: Result) -> NotedStanding:
        """How the result compares with the divergences file."""
        listed = self.suite.divergences or Divergences()
        return standing_of(listed, self.fixture, result.verdict, date.today())

    def failure_lines(self, checked: FinishedCheck) -> list[str]:
        """The failure: one summary line, because pytest shows only the first, then in full."""
        self.suite.looked_into += 1
        few = [checked] if self.suite.looked_into <= MOST else []
        looks_like = next(iter(diagnoses(few, self.suite.edition)), None)
        return [
            difference_line(checked),
            "",
            *lines_of_checked(checked, engine_name(self.suite.info), looks_like),
        ]

    def replay_command(self) -> str:
        """The command that plays this check again."""
        options = ["--conformance-engine", self.suite.spec]
        options += ["--conformance-edition", self.suite.asked_edition] if self.suite.asked_edition else []
        options += ["--conformance-divergences", self.suite.list_file] if self.suite.list_file else []
        for option in ("seed", "examples"):
            said = getattr(self.suite, f"asked_{option}")
            options += [f"--conformance-{option}", str(said)] if said is not None else []
        return shlex.join(["pytest", *options, self.nodeid])

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The failure without a traceback, because the fault is not in Python code."""
        if isinstance(excinfo.value, CheckFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The fixture's file, and the name of the check."""
        return self.path, None, f"{self.fixture.id} {self.fixture.title}"


class PropertyItem(CheckItem):
    """A property as a pytest item; the first unknown bug decides its result."""

    law: Property[Any]

    def tie_law(self, suite: Suite, law: Property[Any]) -> None:
        """Connect the item to its property."""
        self.law = law
        check = fixture_without_counterexample(law)
        self.tie(suite, SelectedCheck(check, check.title, law.name))

    def runtest(self) -> None:
        """Search; pass, fail or skip according to the results."""
        worst = min(self.suite.results_of(self.law), key=self.is_listed)
        self.fixture = worst.fixture
        self.report_result(worst)

    def is_listed(self, result: Result) -> bool:
        """Whether the list contains this bug."""
        listed = self.suite.divergences or Divergences()
        return standing_of(listed, result.fixture, result.verdict, date.today()).standing == "listed"

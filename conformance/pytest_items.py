"""The checks of the suite as pytest's items, when `pytest_plugin` was asked for them.

An item plays its fixture with the same runner as `conformance run`, or searches for a case in which its
property is broken: what is wrong fails, what is unsupported or disputed is skipped, a failure that the
divergences file lists is an expected one.
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

from conformance.cli import connected
from conformance.data.compiled import fixtures_folder
from conformance.data.rulebook import newest_edition
from conformance.gate.config import Config, Settings, found_config, what_to_name_aloud
from conformance.gate.divergences import divergences_in
from conformance.gate.standing import Divergences, Stand, standing_of
from conformance.model.engine import Engine, EngineFailure, EngineInfo
from conformance.model.printable import printable
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture
from conformance.play.introduction import introduced
from conformance.play.runner import Result, counts, run
from conformance.play.selection import NothingSuch, Selected, every_property, files_by_id, selected
from conformance.properties import Property
from conformance.report.run_text import engine_name, lines_of_checked
from conformance.results.causes import in_a_word
from conformance.results.events import Checked, result_event, said_of
from conformance.results.summary import score_of
from conformance.run.diagnosis import MOST, diagnosed
from conformance.run.session import kept_for
from conformance.search.effort import EFFORTS, Effort, SearchOptions
from conformance.search.found import StoredCounterexample, folder_of
from conformance.search.law_checks import asked_of, bare, results_of
from conformance_adapters import UnknownEngine
from conformance_adapters.in_process import Reference

PREFIX = "conformance::"
"""How an item's id begins, also on the command line."""


@contextmanager
def refused() -> Iterator[None]:
    """Ends pytest with the reason when something that was asked for cannot be."""
    try:
        yield
    except (NothingSuch, UnknownEngine, ScenarioError) as error:
        raise pytest.UsageError(str(error)) from None


class Suite:
    """One engine, connected once for each process of pytest's, and the checks it is asked."""

    def __init__(self, config: pytest.Config) -> None:
        self.spec: str = config.getoption("--conformance-engine")
        self.asked_edition: str | None = config.getoption("--conformance-edition")
        self.list_file: str | None = config.getoption("--conformance-divergences")
        self.asked_seed: int | None = config.getoption("--conformance-seed")
        self.asked_examples: int | None = config.getoption("--conformance-examples")
        self.named = [argument for argument in config.args if argument.startswith(PREFIX)]
        # Pytest would look for files of these names.
        config.args = [argument for argument in config.args if argument not in self.named]
        self.files_were_named = config.args_source is pytest.Config.ArgsSource.ARGS
        self.looked_into = 0
        """So many failures there were."""
        self._next: Fixture | None = None

    # ------------------------------------------------------------------------------- the engine

    @cached_property
    def engine(self) -> Engine:
        """The engine itself, as `conformance.toml` or its name says it is started."""
        with refused():
            return connected(self.spec, self.settings.edition, self.config)

    @cached_property
    def config(self) -> Config:
        """What `conformance.toml` says, if there is one."""
        with refused():
            return found_config(Path.cwd())

    @cached_property
    def settings(self) -> Settings:
        """How the engine is graded: as the options say, or else as `conformance.toml` does."""
        listed_in = Path(self.list_file) if self.list_file else None
        asked = Settings(edition=self.asked_edition, divergences=listed_in)
        return asked.over(self.config.settings_for(self.spec))

    @cached_property
    def info(self) -> EngineInfo:
        """Who the engine is."""
        try:
            return introduced(self.engine)
        except Exception as error:  # whatever an engine does, pytest ends with a message
            says = error.says if isinstance(error, EngineFailure) else f"{type(error).__name__}: {error}"
            raise pytest.UsageError(f"the engine {self.spec} did not start: {printable(says)}") from None

    @property
    def edition(self) -> str:
        """The rules to grade by."""
        return self.settings.edition or self.info.edition or newest_edition()

    @cached_property
    def divergences(self) -> Divergences | None:
        """The known disagreements, if there is a list of them."""
        listed_in = self.settings.divergences
        with refused():
            return divergences_in(listed_in) if listed_in else None

    @cached_property
    def kept(self) -> tuple[StoredCounterexample, ...]:
        """What earlier searches found."""
        listed_in = self.settings.divergences
        with refused():
            return kept_for(listed_in, self.divergences or Divergences(), self.found, warnings.warn)

    @property
    def found(self) -> Path:
        """Where what is found is kept."""
        return folder_of(self.config.path.parent if self.config.path else Path.cwd(), self.spec)

    @cached_property
    def effort(self) -> Effort | None:
        """How hard it is searched; none if only what is stored is played."""
        usual = EFFORTS.get(self.settings.profile or "quick")
        asked = SearchOptions(self.asked_seed, self.asked_examples)
        return asked.over(usual) if usual else None

    # -------------------------------------------------------------------------------- playing

    def result_of(self, fixture: Fixture) -> Result:
        """What comes of a check; after too many breakdowns in a row the engine is left alone, as ever."""
        self._next = fixture
        try:
            return next(self._results)
        except ScenarioError:  # the fixture's own fault, which ends the runner; the next check gets a new one
            del self._results
            raise

    @cached_property
    def _results(self) -> Iterator[Result]:
        return run(self.engine, self._asked(), self.edition)

    def _asked(self) -> Iterator[Fixture]:
        while True:
            assert self._next is not None  # nothing is asked before there is something to ask
            yield self._next

    def results_of(self, law: Property[Any]) -> list[Result]:
        """The results of a property."""
        assert self.effort is not None  # else there is no such item
        fresh = partial(connected, self.spec, self.settings.edition, self.config)
        asked = asked_of(self.engine, fresh, self.info, Reference(self.edition).play, self.edition)
        known = [one for one in self.kept if one.law == law.name]
        return results_of(law, asked, self.effort, known, self.found, is_mended)

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Say at once, and once, if something is asked that cannot be; xdist's workers would say it badly."""
        self.info, self.divergences  # noqa: B018  # they raise
        if self.named:
            self.meant()
        if session.config.getoption("numprocesses", None):
            self.pytest_unconfigure()  # this process itself will not ask anything

    def pytest_unconfigure(self) -> None:
        """The engine's process ends with pytest."""
        close = getattr(self.__dict__.get("engine"), "close", None)
        if close:
            close()

    # ------------------------------------------------------------------------------ collecting

    def meant(self) -> Sequence[Selected]:
        """The checks that were named, or all of them. Raises pytest's own error for a wrong name."""
        names = {law.name for law in every_property()}
        ids = [re.sub(r"(?<=\d)-.*", "", name.removeprefix(PREFIX)) for name in self.named]
        fixtures = [id for id in ids if id not in names]
        with refused():
            return list(selected(fixtures)) if fixtures or not ids else []

    def laws(self) -> Sequence[Property[Any]]:
        """The properties that were named, or all of them, if there is a search."""
        if self.effort is None:
            return ()
        ids = [name.removeprefix(PREFIX) for name in self.named]
        return [law for law in every_property() if not ids or law.name in ids]

    def pytest_report_header(self) -> list[str]:
        """Who is asked, at the top of the report, and what the configuration has run if that may surprise."""
        said = what_to_name_aloud(self.config, self.spec, Path.cwd())
        return [f"conformance: {self.spec}", *([said] if said else [])]

    @pytest.hookimpl(tryfirst=True)  # before items are deselected
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Our items go behind all others, if there is no telling that only some are meant."""
        if self.files_were_named and not self.named:
            return
        checks: CheckCollector = CheckCollector.from_parent(
            session, name="conformance", path=fixtures_folder(), nodeid="conformance"
        )
        checks.suite = self
        ours: list[pytest.Item | pytest.Collector] = list(checks.collect())
        # Else pytest would not count them among what it collected.
        session.ihook.pytest_collectreport(report=pytest.CollectReport("conformance", "passed", None, ours))
        items.extend(item for item in ours if isinstance(item, pytest.Item))


def is_mended(kept: StoredCounterexample) -> None:
    """What was found once passes now: its file has done its work, unless the list stores it."""
    if not kept.listed:
        kept.path.unlink(missing_ok=True)


class CheckCollector(pytest.Collector):
    """The checks that are meant and say anything of the engine's edition."""

    suite: Suite

    def collect(self) -> Iterator[CheckItem]:
        """An item a fixture, in the order of ids, and behind them an item a property."""
        edition = self.suite.edition
        for one in sorted(self.suite.meant(), key=lambda one: one.fixture.id):
            if counts(one.fixture, edition):
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
    """A check failed; the lines say all there is to say of it."""


class CheckItem(pytest.Item):
    """One check."""

    suite: Suite
    fixture: Fixture
    called: str

    def tie(self, suite: Suite, one: Selected) -> None:
        """Tie the item to its check, and give it the marks it is chosen by."""
        self.suite, self.fixture, self.called = suite, one.fixture, one.name
        fixture = one.fixture
        self.add_marker(pytest.mark.conformance)
        for rule in fixture.rules:
            self.add_marker(pytest.mark.conformance_rule(number=rule))
        self.extra_keyword_matches.update(fixture.rules)
        self.user_properties.append(("rules", " ".join(fixture.rules)))

    def runtest(self) -> None:
        """Play the check, and pass, fail or be skipped as it comes out."""
        self.comes_out(self.suite.result_of(self.fixture))

    def comes_out(self, result: Result) -> None:
        """Pass, fail or be skipped, as a check came out."""
        stand = self.stand(result)
        checked = result_event(result, self.called, self.again(), stand.standing, stand.note)
        self.user_properties.append(("verdict", str(checked.verdict.__struct_config__.tag)))
        if stand.standing in ("stale", "lost"):
            raise CheckFailed("\n".join([*self.told(checked), f"    {stand.standing}: {stand.note}"]))
        match score_of(checked.verdict):
            case "passed":
                return
            case "unsupported" | "disputed" as score:
                pytest.skip(f"{score}: {said_of(checked.verdict)}")
            case "failed" | "not run":
                if stand.standing == "listed":
                    pytest.xfail(f"listed: {stand.note}" if stand.note else "listed")
                raise CheckFailed("\n".join(self.told(checked)))
            case other:
                assert_never(other)

    def stand(self, result: Result) -> Stand:
        """How the result stands to the divergences file, and what that says of it."""
        listed = self.suite.divergences or Divergences()
        return standing_of(listed, self.fixture, result.verdict, date.today())

    def told(self, checked: Checked) -> list[str]:
        """What went wrong: in a word, because pytest's summary shows only the first line, and in full."""
        self.suite.looked_into += 1
        few = [checked] if self.suite.looked_into <= MOST else []
        looks_like = next(iter(diagnosed(few, self.suite.edition)), None)
        return [in_a_word(checked), "", *lines_of_checked(checked, engine_name(self.suite.info), looks_like)]

    def again(self) -> str:
        """The command that plays this check again."""
        options = ["--conformance-engine", self.suite.spec]
        options += ["--conformance-edition", self.suite.asked_edition] if self.suite.asked_edition else []
        options += ["--conformance-divergences", self.suite.list_file] if self.suite.list_file else []
        for option in ("seed", "examples"):
            said = getattr(self.suite, f"asked_{option}")
            options += [f"--conformance-{option}", str(said)] if said is not None else []
        return shlex.join(["pytest", *options, self.nodeid])

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What went wrong, and no traceback: the fault is not in Python."""
        if isinstance(excinfo.value, CheckFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """The fixture's file, and what to call the check."""
        return self.path, None, f"{self.fixture.id} {self.fixture.title}"


class PropertyItem(CheckItem):
    """One property: the first bug that is not known decides."""

    law: Property[Any]

    def tie_law(self, suite: Suite, law: Property[Any]) -> None:
        """Tie the item to its property."""
        self.law = law
        check = bare(law)
        self.tie(suite, Selected(check, check.title, law.name))

    def runtest(self) -> None:
        """Search, and pass, fail or be skipped as it comes out."""
        worst = min(self.suite.results_of(self.law), key=self.is_listed)
        self.fixture = worst.fixture
        self.comes_out(worst)

    def is_listed(self, result: Result) -> bool:
        """Whether the list knows this bug."""
        listed = self.suite.divergences or Divergences()
        return standing_of(listed, result.fixture, result.verdict, date.today()).standing == "listed"

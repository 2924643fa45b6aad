"""Imports files: reads boards, makes scenarios, fills in expectations, plays them, writes files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from conformance.checks.names import KnownNames
from conformance.data.library import path_for_display
from conformance.data.rulebook import newest_edition
from conformance.files.content import content_of
from conformance.files.writing import write_file
from conformance.importing import BOARD_SUFFIXES, boards_in
from conformance.importing.board import ForeignBoard, Obstacle
from conformance.importing.filled import filled, with_wants
from conformance.importing.report import BoardOutcome
from conformance.importing.scenario import ImportedScenario, NotImported, imported_scenario
from conformance.importing.scripted import with_script
from conformance.model.engine import Engine
from conformance.model.observation import Observations
from conformance.model.problems import Finding, ScenarioError
from conformance.model.scenario import Fixture, Play
from conformance.model.verdict import Verdict, judge
from conformance.play.runner import answer_to


class BoardImport(Struct, frozen=True):
    """How boards are imported."""

    folder: Path
    """Where scenarios are written."""
    known: KnownNames
    reference: Callable[[Play], Observations]
    """Plays by the rules."""
    when_played: Callable[[Fixture], Iterable[Finding]]
    """What is wrong with a scenario when it is played by the rules."""
    leave_out: bool
    scripted: bool
    fill: bool
    engine: Engine | None = None
    """An engine to compare with the rules."""


def files_of_boards(paths: Iterable[Path]) -> Iterator[Path]:
    """The files, and those in folders that may be boards, sorted."""
    for path in paths:
        if path.is_dir():
            yield from sorted(
                file for file in path.rglob("*") if file.suffix in BOARD_SUFFIXES and file.is_file()
            )
        else:
            yield path


def import_file(path: Path, how: BoardImport) -> Iterator[BoardOutcome]:
    """Import every board in a file."""
    shown = path_for_display(path)
    try:
        boards: Sequence[ForeignBoard] = boards_in(content_of(path, shown), shown)
    except ScenarioError as error:
        obstacles = tuple(
            Obstacle(f"line {one.line}" if one.line else one.where, one.what) for one in error.problems
        )
        yield BoardOutcome(shown, obstacles=obstacles)
        return
    for board in boards:
        source = f"{shown} [{board.name}]" if board.name else shown
        try:
            one = imported_scenario(board, how.known, leave_out=how.leave_out)
        except NotImported as error:
            yield BoardOutcome(source, obstacles=error.obstacles)
            continue
        yield outcome_of(one, source, how)


def outcome_of(one: ImportedScenario, source: str, how: BoardImport) -> BoardOutcome:
    """Play a scenario as far as that is asked for, and write it."""
    unplayable = "; ".join(finding.what for finding in how.when_played(one.fixture))
    if not unplayable and (how.fill or how.scripted):
        one = replace(one, fixture=played(one.fixture, how))
    verdict = None
    if how.engine is not None and not unplayable:
        verdict = comparison(one.fixture, how.engine)
    return BoardOutcome(source, write_scenario(one, how.folder), one.left_out, unplayable, verdict)


def played(fixture: Fixture, how: BoardImport) -> Fixture:
    """The fixture with a script and expectations, as far as they are asked for."""
    if how.scripted:
        fixture = replace(fixture, play=with_script(fixture.play, how.reference))
    if not how.fill:
        return fixture
    play = with_wants(fixture.play)
    full = filled(fixture, how.reference(play), how.known)
    return replace(full, play=replace(play, wants=play.wants))


def comparison(fixture: Fixture, engine: Engine) -> Verdict:
    """What an engine does with a scenario, compared with what was filled in."""
    info = engine.describe()
    return judge(
        replace(fixture, disputed=""),
        answer_to(engine, fixture.play),
        newest_edition(),
        checks_understanding=info.checks_understanding,
        steps_with_priority=info.steps_with_priority,
    )


def write_scenario(one: ImportedScenario, folder: Path) -> Path:
    """Write a scenario under a free name; returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    endings = chain([""], (f"_{number}" for number in count(2)))
    names = (folder / f"{one.fixture.id}{ending}.yaml" for ending in endings)
    path = next(path for path in names if not path.exists())
    write_file(path, one.text)
    return path

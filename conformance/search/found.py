"""Counterexamples as scenario files, kept so that the next run plays them first.

A law plays several scenarios and compares them. The file holds only one: the smallest in which the engine
differs from the reference engine, with the correct answer. It is canonical JSON, so `conformance run FILE`
plays it on any engine. The files are in `.conformance/found/`, in one folder per engine; a file that passes
again is deleted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import UNSET, Struct
from msgspec.structs import replace

from conformance.data.library import load
from conformance.files.canonical import encode
from conformance.files.writing import write_file
from conformance.gate.standing import with_own_id
from conformance.model.comparison import agrees
from conformance.model.engine import EngineFailure
from conformance.model.observation import Observations, SeenToken, Snapshot, names_nameless
from conformance.model.problems import ScenarioError
from conformance.model.scenario import (
    FOUND_IDS,
    Equals,
    Expectation,
    Fixture,
    Number,
    Origin,
    Play,
    Test,
    Want,
)
from conformance.play.journal import JOURNAL_FOLDER, create_ignored_folder
from conformance.results.events import size_of
from reference_engine.language.actions import Look, Try

FOUND = "found"


class ComparedAnswer(Struct, frozen=True):
    """A scenario with an engine's answer and the correct one."""

    play: Play
    answer: Observations | EngineFailure
    expected: Observations


def counterexample(
    compared: Iterable[ComparedAnswer],
    title: str,
    rules: tuple[str, ...],
    because: str,
    origin: Origin | None,
) -> Fixture | None:
    """The smallest scenario that an engine gets wrong, as a fixture; None if it gets all of them right."""
    wrong = [(one, differences(one, because)) for one in compared]
    some = [(one, expect) for one, expect in wrong if expect]
    if not some:
        return None
    smallest, expect = min(some, key=lambda pair: (size_of(pair[0].play), len(encode(pair[0].play))))
    note = f"Found by the property {origin.law} with seed {origin.seed}." if origin else ""
    play = play_for_expectations(smallest.play, expect)
    return with_own_id(Fixture("", title, rules, play, expect, note=note, found=origin))


def counterexample_name(name: str, number: int) -> str:
    """Name of the first, second, … bug that a property found."""
    return name if number == 1 else f"{name}.{number}"


def differences(one: ComparedAnswer, because: str) -> tuple[Expectation, ...]:
    """The expectations that the engine fails; all of them, if it crashed.

    A scenario whose script the rules do not allow to finish is not a valid fixture, and yields nothing.
    """
    if one.expected.stopped:
        return ()
    if isinstance(one.answer, EngineFailure):
        return tuple(facts(one.play, one.expected, because))
    return tuple(
        expected
        for expected in facts(one.play, one.expected, because)
        if is_wrong(one.play, expected, one.answer)
    )


def facts(play: Play, seen: Observations, because: str) -> Iterator[Expectation]:
    """An expectation for everything that the scenario asks about and can name, with the observed value."""
    for action in (*play.script, Look("end")):
        if isinstance(action, Try) and action.name in seen.tried:
            yield Expectation("end", action.name, "tried", Equals(seen.tried[action.name]), because)
        if isinstance(action, Look) and action.name in seen.looks:
            for want in play.wants:
                if want.look == action.name:
                    for key in sorted(want.keys):
                        value = value_at(seen.looks[want.look], want.of, key)
                        if not names_nameless(value):
                            for test in tests_of(key, value):
                                yield Expectation(want.look, want.of, key, test, because)


def value_at(look: Snapshot, of: str, key: str) -> object:
    """The value of a key that a look reports for an object, a player or the table."""
    thing = look.table if of == "table" else look.players.get(of) or look.objects.get(of)
    return getattr(thing, key, UNSET)


def tests_of(key: str, value: object) -> Iterator[Test]:
    """The tests of an expectation that this value passes."""
    if key == "tokens" and isinstance(value, tuple):
        for token in dict.fromkeys(value):
            if isinstance(token, SeenToken) and token.name is not None:
                yield Number(token.name, value.count(token), token.controller)
    elif isinstance(value, frozenset):
        yield Equals(tuple(sorted(value)))
    elif value is not UNSET:
        yield Equals(value)  # type: ignore[arg-type]  # all else that can be seen is a value


def is_wrong(play: Play, expected: Expectation, answer: Observations) -> bool:
    """Whether the engine's answer differs, or stops before it gets there."""
    if expected.key == "tried":
        name = expected.about
        if name not in answer.tried:
            return stops_wrongly(answer)
        return Equals(answer.tried[name]) != expected.test
    look = answer.looks.get(expected.look)
    if look is None:
        return stops_wrongly(answer)
    value = value_at(look, expected.about, expected.key)
    return value is not UNSET and not agrees(expected.test, expected.key, value)  # type: ignore[arg-type]  # seen


def stops_wrongly(answer: Observations) -> bool:
    """Whether the engine stopped by itself. Where it cannot be asked, what comes later shows nothing."""
    return answer.stopped is not None and answer.stopped.why not in ("no stop", "unsupported")


def play_for_expectations(play: Play, expect: Sequence[Expectation]) -> Play:
    """The play, reduced to the looks and wanted keys that are needed for these expectations."""
    looks = {one.look for one in expect}
    wants: dict[tuple[str, str], frozenset[str]] = {}
    for one in expect:
        if one.key != "tried":
            wants[one.look, one.about] = wants.get((one.look, one.about), frozenset()) | {one.key}
    script = tuple(one for one in play.script if not isinstance(one, Look) or one.name in looks)
    return replace(play, script=script, wants=tuple(Want(*at, keys) for at, keys in wants.items()))


# ----------------------------------------------------------------------------------------- on disk


class StoredCounterexample(Struct, frozen=True):
    """A counterexample of an earlier run, and its file."""

    fixture: Fixture
    path: Path
    law: str = ""
    """Name of the property that found it; empty if the file does not say."""
    listed: bool = False
    """Whether the list of known disagreements stores it."""

    @property
    def looks(self) -> str:
        """What the bug looks like; empty if the file does not say."""
        return self.fixture.found.looks if self.fixture.found else ""


def folder_of(home: Path, engine: str) -> Path:
    """The folder for counterexamples of an engine, by the name used to run it."""
    plain = re.sub(r"[^A-Za-z0-9_.-]+", "-", engine).strip("-.")[:40]
    told_apart = "" if plain == engine else f"-{hashlib.sha256(engine.encode()).hexdigest()[:6]}"
    return home / JOURNAL_FOLDER / FOUND / f"{plain}{told_apart}"


def counterexamples_in(folder: Path) -> Iterator[StoredCounterexample | ScenarioError]:
    """Counterexamples of earlier runs, sorted by file; yields the error of a file that cannot be read."""
    for path in sorted(folder.glob(f"{FOUND_IDS}*.json")):
        try:
            fixture = load(path)
            yield StoredCounterexample(fixture, path, law=fixture.found.law if fixture.found else "")
        except ScenarioError as error:
            yield error


def keep(folder: Path, fixture: Fixture) -> Path:
    """Write a counterexample; returns the path."""
    create_ignored_folder(folder)
    path = folder / f"{fixture.id}.json"
    write_file(path, encode(fixture) + b"\n")
    return path

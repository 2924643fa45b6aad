"""Measures how well the suite finds mistakes that nobody thought of, with broken engines made by machine.

Every small change of the reference engine's own code (`own_mutants` makes them) is an engine. Only the
suite's own checks judge it, not our unit tests, and each kind of check separately: fixtures, the corpus, the
laws. A change counts as noticed twice if two checks fail.

`python -m tools machine-made --sample 300 --seed 7 --journal FILE` tries a sample. Without `--sample` it
tries all of them, which takes hours. `--shard 2/8` takes every eighth change from the second on. Each result
is written to the journal as soon as it is known. Changes in the journal are not tried again, so an
interrupted run continues where it stopped.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import importlib
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
import yaml
from msgspec import Struct

from conformance.data.rulebook import newest_edition
from conformance.model.scenario import Fixture
from conformance.play.selection import generated_scenarios
from tools.own_mutants import (
    ROOT,
    CodeChange,
    Detector,
    changes,
    first_detector,
    fixtures,
    is_passed,
    laws,
    lines_run,
    module_name,
    modules_with,
    seconds_of,
    unobservable_changes,
)

TELLS_ONLY = ROOT / "tests" / "data" / "tells_only.yaml"
KINDS = ("fixtures", "corpus", "laws")
TWICE = 2
"""Number of checks of each kind to look for."""
MODULES = tuple(
    path.relative_to(ROOT).as_posix()
    for room in ("layers", "game")
    for path in sorted((ROOT / "reference_engine" / room).glob("*.py"))
    if path.name not in ("__init__.py", "account.py")
)
"""The modules that make decisions: the language of cards makes none, and accounts only describe what
happened.
"""


class Identity(Struct, frozen=True):
    """Identifies a change; `again` numbers equal changes in equal lines of a function."""

    module: str
    function: str
    line: str
    change: str
    again: int = 0

    @property
    def id(self) -> str:
        """A short name that stays the same as long as the code does."""
        return hashlib.sha256("\0".join(map(str, msgspec.structs.astuple(self))).encode()).hexdigest()[:12]


class Result(Struct, frozen=True):
    """Which checks notice a change, up to two of each kind."""

    id: str
    what: Identity
    at: int
    """The line in the module."""
    by: dict[str, tuple[str, ...]]
    explained: bool = False
    """Whether the change is known to be unobservable."""


class NoDecision(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes that decide nothing: patterns for the change, for its function and for its line."""

    change: str
    why: str
    function: str = ""
    line: str = ""
    module: str = ""
    """The end of the module's path, if limited to one module."""
    unplayed: bool = False
    """Whether no play of a scenario calls these functions."""

    def covers(self, one: Identity) -> bool:
        """Whether a change is of this kind."""
        return (
            one.module.endswith(self.module)
            and re.search(self.function, one.function) is not None
            and re.search(self.line, one.line) is not None
            and re.search(self.change, one.change) is not None
        )


@functools.cache
def changes_without_decision() -> tuple[NoDecision, ...]:
    """All kinds of changes that decide nothing."""
    return msgspec.convert(yaml.safe_load(TELLS_ONLY.read_text(encoding="utf-8")), tuple[NoDecision, ...])


@functools.cache
def known_to_be_unobservable() -> frozenset[tuple[str, str, str, str]]:
    """The changes that somebody has shown to be unobservable."""
    return frozenset((one.module, one.function, one.line, one.change) for one in unobservable_changes())


def decides_nothing(one: Identity) -> bool:
    """Whether a change is known to be unobservable, or of a kind that decides nothing."""
    return (one.module, one.function, one.line, one.change) in known_to_be_unobservable() or any(
        kind.covers(one) for kind in changes_without_decision()
    )


def identified_changes(module: str) -> Iterator[tuple[Identity, CodeChange]]:
    """Every change of a module; each is valid until the next one is requested."""
    met: Counter[tuple[str, str, str]] = Counter()
    for change in changes((ROOT / module).read_text(encoding="utf-8")):
        key = (change.function, change.text, change.told)
        yield Identity(module, *key, met[key]), change
        met[key] += 1


def corpus() -> Iterator[Detector]:
    """The stored generated scenarios."""
    for one in generated_scenarios():
        fixture: Fixture = one.fixture
        yield Detector("corpus", fixture.id, functools.partial(is_passed, fixture, newest_edition()))


def ids_to_try(
    every: Sequence[Identity], sample: int | None, seed: int, shard: tuple[int, int]
) -> frozenset[str]:
    """The ids of the changes to try: this shard of all changes, or of a sample drawn by the seed."""
    ids = [one.id for one in every]
    if sample is not None:
        ids = random.Random(seed).sample(ids, min(sample, len(ids)))
    number, of = shard
    return frozenset(ids[number - 1 :: of])


def results_of_changes(
    sample: int | None,
    seed: int,
    shard: tuple[int, int] = (1, 1),
    modules: Sequence[str] = MODULES,
    done: frozenset[str] = frozenset(),
    say: Callable[[str], None] = print,
) -> Iterator[Result]:
    """The results for all chosen changes that are not done yet."""
    for module in modules:
        importlib.import_module(module_name(module))
    every = {module: [identity for identity, _ in identified_changes(module)] for module in modules}
    wanted = ids_to_try([one for ones in every.values() for one in ones], sample, seed, shard) - done
    say(f"{sum(map(len, every.values())):,} changes, {len(wanted):,} of them to try")
    if not wanted:
        return
    names = [module_name(module) for module in modules]
    checks = {"fixtures": [*fixtures()], "corpus": [*corpus()], "laws": [*laws()]}
    say("noting which lines each check runs …")
    run = {(kind, one.name): lines_run(one, names) for kind in KINDS for one in checks[kind]}
    for kind in KINDS:
        checks[kind].sort(key=seconds_of)
    gc.freeze()
    for module in modules:
        for identity, change in identified_changes(module):
            if identity.id not in wanted:
                continue
            in_vain = decides_nothing(identity)
            by = {} if in_vain else noticing(change, module, checks, run)
            yield Result(identity.id, identity, change.line, by, in_vain)


def noticing(
    change: CodeChange,
    module: str,
    checks: Mapping[str, list[Detector]],
    run: Mapping[tuple[str, str], Mapping[str, frozenset[int]]],
) -> dict[str, tuple[str, ...]]:
    """The first checks of each kind that notice a change; checks that noticed earlier changes run first."""
    name = module_name(module)
    imported = any(
        len(modules_with(key, vars(sys.modules[name])[key], name.split(".", maxsplit=1)[0])) > 1
        for key in change.names
    )
    found: dict[str, tuple[str, ...]] = {}
    for kind in KINDS:
        concerned = [one for one in checks[kind] if imported or run[kind, one.name][name] & change.lines]
        noticed: list[Detector] = []
        while concerned and len(noticed) < TWICE:
            check = first_detector(change, module, concerned)
            if check is None:
                break
            noticed.append(check)
            concerned = concerned[concerned.index(check) + 1 :]
        for check in reversed(noticed):
            checks[kind].remove(check)
            checks[kind].insert(0, check)
        found[kind] = tuple(check.name for check in noticed)
    return found


# ----------------------------------------------------------------------------------------- the journal


def results_in_journal(path: Path) -> list[Result]:
    """The results in a journal; a truncated last line is ignored."""
    if not path.exists():
        return []
    found = []
    for line in path.read_bytes().splitlines():
        try:
            found.append(msgspec.json.decode(line, type=Result))
        except msgspec.MsgspecError:
            continue
    return found


def measure(
    journal: Path, sample: int | None, seed: int, shard: tuple[int, int], modules: Sequence[str] = MODULES
) -> str:
    """Try the requested changes, write the journal, and return the table of all its results."""
    before = results_in_journal(journal)
    with journal.open("ab") as file:
        if journal.stat().st_size and not journal.read_bytes().endswith(b"\n"):
            file.write(b"\n")
        done = frozenset(one.id for one in before)
        for number, result in enumerate(results_of_changes(sample, seed, shard, modules, done), 1):
            file.write(msgspec.json.encode(result) + b"\n")
            file.flush()
            if sys.stderr.isatty():
                print(f"\r{number} tried", end="", file=sys.stderr)
    return table(results_in_journal(journal))


# ------------------------------------------------------------------------------------------- the table


def table(results: Sequence[Result]) -> str:
    """By module, the number of changes tried, and what noticed them; then the surviving changes."""
    lines = [
        "| module | changes | fixtures | corpus | laws | any | two or more | explained | alive |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for module in sorted({one.what.module for one in results}):
        lines.append(row(module, [one for one in results if one.what.module == module]))
    lines.append(row("**all**", results))
    alive = [one for one in results if not one.explained and not any(one.by.values())]
    lines += ["", f"{len(alive)} alive:", ""] if alive else []
    lines += [f"- {one.what.module}:{one.at}: {one.what.function}: {one.what.change}" for one in alive]
    return "\n".join(lines)


def row(name: str, results: Sequence[Result]) -> str:
    """One line of the table; the shares leave out explained changes."""
    counted = [one for one in results if not one.explained]

    def share(of: Callable[[Result], bool]) -> str:
        number = sum(map(of, counted))
        return f"{number} ({100 * number / len(counted):.1f} %)" if counted else "–"

    cells = [
        name,
        str(len(results)),
        *(share(lambda one, kind=kind: bool(one.by[kind])) for kind in KINDS),  # type: ignore[misc]  # bound early
        share(lambda one: any(one.by.values())),
        share(lambda one: sum(map(len, one.by.values())) >= TWICE),
        str(len(results) - len(counted)),
        str(sum(not any(one.by.values()) for one in counted)),
    ]
    return f"| {' | '.join(cells)} |"

"""How strong the suite is against mistakes that nobody thought of: broken engines made by machine.

Every small change of the reference engine's own code (`own_mutants` makes them) is an engine. The suite's
own checks judge it, not our unit tests, and each kind of check by itself: fixtures, the corpus, the laws. A
change counts as noticed twice if two checks fail.

`python -m tools machine-made --sample 300 --seed 7 --journal FILE` tries a sample. Without `--sample` it
tries all of them, which takes hours. `--shard 2/8` takes every eighth change from the second on. Each result
is a line in the journal as soon as it is known. What is in the journal is not tried again, so a run that was
cut off goes on where it stopped.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import importlib
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from conformance.data.rulebook import newest_edition
from conformance.model.scenario import Fixture
from conformance.play.selection import generated
from conformance_adapters.in_process import Reference
from tools.own_mutants import (
    ROOT,
    CodeChange,
    Detector,
    changes,
    explained,
    fixtures,
    is_passed,
    laws,
    lines_run,
    module_name,
    noticed_by,
    seconds_of,
)

KINDS = ("fixtures", "corpus", "laws")
TWICE = 2
"""Checks of a kind to look for."""
MODULES = tuple(
    path.relative_to(ROOT).as_posix()
    for room in ("layers", "game")
    for path in sorted((ROOT / "reference_engine" / room).glob("*.py"))
    if path.name not in ("__init__.py", "account.py")
)
"""The modules that decide. The language of cards decides nothing, and accounts only tell what happened."""


class Identity(Struct, frozen=True):
    """A change, told apart from every other one; two alike in one line are counted."""

    module: str
    function: str
    line: str
    change: str
    again: int = 0

    @property
    def id(self) -> str:
        """A short name, the same as long as the code is the same."""
        return hashlib.sha256("\0".join(map(str, msgspec.structs.astuple(self))).encode()).hexdigest()[:12]


class Result(Struct, frozen=True):
    """Which checks notice a change, up to two of each kind."""

    id: str
    what: Identity
    at: int
    """The line in the module."""
    by: dict[str, tuple[str, ...]]
    explained: bool = False
    """Whether somebody has found that nothing can notice it."""


def identified(module: str) -> Iterator[tuple[Identity, CodeChange]]:
    """Every change of a module; each is good as long as the next is not asked for."""
    met: Counter[tuple[str, str, str]] = Counter()
    for change in changes((ROOT / module).read_text(encoding="utf-8")):
        key = (change.function, change.text, change.told)
        yield Identity(module, *key, met[key]), change
        met[key] += 1


def corpus() -> Iterator[Detector]:
    """The generated scenarios that are stored."""
    engine, edition = Reference(), newest_edition()
    for one in generated():
        fixture: Fixture = one.fixture
        yield Detector("corpus", fixture.id, functools.partial(is_passed, fixture, engine, edition))


def chosen(
    every: Sequence[Identity], sample: int | None, seed: int, shard: tuple[int, int]
) -> frozenset[str]:
    """The ids of the changes to try: of a sample by seed, or of all, those of this shard."""
    ids = [one.id for one in every]
    if sample is not None:
        ids = random.Random(seed).sample(ids, min(sample, len(ids)))
    number, of = shard
    return frozenset(ids[number - 1 :: of])


def tried(
    sample: int | None,
    seed: int,
    shard: tuple[int, int] = (1, 1),
    modules: Sequence[str] = MODULES,
    done: frozenset[str] = frozenset(),
    say: Callable[[str], None] = print,
) -> Iterator[Result]:
    """Each change that is chosen and not done yet, with what notices it."""
    for module in modules:
        importlib.import_module(module_name(module))
    every = {module: [identity for identity, _ in identified(module)] for module in modules}
    wanted = chosen([one for ones in every.values() for one in ones], sample, seed, shard) - done
    say(f"{sum(map(len, every.values())):,} changes, {len(wanted):,} of them to try")
    if not wanted:
        return
    names = [module_name(module) for module in modules]
    checks = {"fixtures": [*fixtures()], "corpus": [*corpus()], "laws": [*laws()]}
    say("noting which lines each check runs …")
    run = {(kind, one.name): lines_run(one, names) for kind in KINDS for one in checks[kind]}
    for kind in KINDS:
        checks[kind].sort(key=seconds_of)
    known = {(one.module, one.function, one.line, one.change) for one in explained()}
    gc.freeze()
    for module in modules:
        for identity, change in identified(module):
            if identity.id not in wanted:
                continue
            in_vain = (identity.module, identity.function, identity.line, identity.change) in known
            by = {} if in_vain else noticing(change, module, checks, run)
            yield Result(identity.id, identity, change.line, by, in_vain)


def noticing(
    change: CodeChange,
    module: str,
    checks: Mapping[str, list[Detector]],
    run: Mapping[tuple[str, str], Mapping[str, frozenset[int]]],
) -> dict[str, tuple[str, ...]]:
    """The first checks of each kind that notice a change, those first that noticed others before."""
    name = module_name(module)
    found: dict[str, tuple[str, ...]] = {}
    for kind in KINDS:
        concerned = [one for one in checks[kind] if run[kind, one.name][name] & change.lines]
        noticed: list[Detector] = []
        while concerned and len(noticed) < TWICE:
            check = noticed_by(change, module, concerned)
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


def journaled(path: Path) -> list[Result]:
    """The results in a journal; a last line that was cut off is left out."""
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
    """Try what is asked for, write the journal, and return the table of all that is in it."""
    before = journaled(journal)
    with journal.open("ab") as file:
        if journal.stat().st_size and not journal.read_bytes().endswith(b"\n"):
            file.write(b"\n")
        done = frozenset(one.id for one in before)
        for number, result in enumerate(tried(sample, seed, shard, modules, done), 1):
            file.write(msgspec.json.encode(result) + b"\n")
            file.flush()
            if sys.stderr.isatty():
                print(f"\r{number} tried", end="", file=sys.stderr)
    return table(journaled(journal))


# ------------------------------------------------------------------------------------------- the table


def table(results: Sequence[Result]) -> str:
    """By module: how many changes were tried, and what noticed them; then those that are alive."""
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
    """One line of the table; shares are of those that are not explained."""
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

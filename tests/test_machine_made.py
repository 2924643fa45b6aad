"""Machine-made engines: which changes are tried, what notices them, and how a run continues."""

from __future__ import annotations

import importlib
import os
import random
import subprocess
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import FunctionType

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from conformance.model.engine import suite_version
from conformance.properties import boards, games_agreement
from conformance.shards.lists import ListPlan, play_list
from conformance.shards.players import processes
from reference_engine.game import legal, questions
from tools import machine_made
from tools.__main__ import main
from tools.code_changes import (
    MODULES,
    ROOT,
    CodeChange,
    Identity,
    changes,
    identified_changes,
    module_name,
    modules_with,
    unwrapped,
)
from tools.infection import differences
from tools.machine_made import (
    BLOCK,
    KINDS,
    Checks,
    Result,
    changes_to_try,
    changes_without_decision,
    corpus,
    decides_nothing,
    lines_since,
    measure,
    noticing,
    quickest_with_limits,
    results_of_changes,
    table,
)
from tools.own_mutants import (
    Detector,
    cases_of,
    compare_with_unchanged_code,
    detectors,
    first_detector,
    fixtures,
    is_kept,
)

TURN = "reference_engine/game/turn.py"


def a_result(change: str, by: dict[str, tuple[str, ...]], explained: bool = False) -> Result:
    identity = Identity(TURN, "f", "return a", change)
    return Result(identity.id, identity, 3, {kind: by.get(kind, ()) for kind in KINDS}, explained)


def test_every_change_has_an_id_of_its_own() -> None:
    ids = [identity.id for identity, _ in identified_changes(TURN)]

    assert len(ids) > 100
    assert len(set(ids)) == len(ids)
    assert ids == [identity.id for identity, _ in identified_changes(TURN)]


def test_sample_is_decided_by_its_seed_alone() -> None:
    every = changes_to_try(None, 0, (TURN,))
    one = changes_to_try(10, 1, (TURN,))

    assert 10 == len(set(one))
    assert set(one) < set(every)
    assert one == changes_to_try(10, 1, (TURN,)) != changes_to_try(10, 2, (TURN,))


def test_changes_since_a_commit_are_those_of_its_newer_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> str:
        command = ("git", "-c", "user.name=a", "-c", "user.email=a@b", *words)
        told = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
        return told.stdout.decode().strip()

    lines = ["def f(x):", "    return x < 1", "", "def g(x):", "    return x < 2"]
    (tmp_path / "one.py").write_text("\n".join(lines))
    git("init", "-q")
    git("add", "one.py")
    git("commit", "-q", "-m", "one")
    (tmp_path / "one.py").write_text("\n".join(["# new", *lines[:-1], "    return x < 3", "# new"]))
    monkeypatch.setattr(machine_made, "ROOT", tmp_path)

    assert lines_since("HEAD", "one.py") == {1, 6, 7}
    assert lines_since("HEAD", "another.py") == frozenset()
    with pytest.raises(LookupError, match=r"git can't compare one\.py with nowhere"):
        lines_since("nowhere", "one.py")


def test_table_counts_what_is_noticed_once_twice_and_not_at_all() -> None:
    results = [
        a_result("1", {"fixtures": ("G-1", "G-2")}),
        a_result("2", {"laws": ("a_law",)}),
        a_result("3", {}),
        a_result("4", {}, explained=True),
    ]

    shown = table(results)

    shares = "1 (33.3 %) | 0 (0.0 %) | 1 (33.3 %) | 1 (33.3 %) | 2 (66.7 %) | 1 (33.3 %)"
    assert f"| **all** | 4 | {shares} | 1 | 1 |" in shown
    assert shown.endswith(f"1 alive:\n\n- {TURN} {results[2].id} line 3: f: 3")


def test_share_of_laws_is_that_of_the_changes_drawn_for_them() -> None:
    """Those that laws are asked about because nothing else notices them would make laws look weak."""
    results = [
        a_result("1", {"fixtures": ("G-1",), "laws": ("a_law",)}),
        replace(a_result("2", {}), laws_drawn=False),
        replace(a_result("3", {"laws": ("a_law",)}), laws_drawn=False),
    ]

    assert "| 1 (100.0 %) | 2 (66.7 %) |" in table(results)


def checks_that_run(
    lines: frozenset[int], counts: Mapping[str, int], monkeypatch: pytest.MonkeyPatch
) -> Checks:
    """So many checks of each kind, all of which run these lines of a module and notice every change."""
    kinds = {
        kind: [Detector(kind, f"{kind} {number}", lambda: False) for number in range(counts.get(kind, 0))]
        for kind in KINDS
    }
    with monkeypatch.context() as patched:
        patched.setattr("tools.machine_made.lines_run", lambda check, modules: dict.fromkeys(modules, lines))
        return Checks(kinds, [module_name(TURN)])


def test_laws_are_asked_about_what_is_drawn_and_what_others_do_not_notice_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    items = changes_to_try(3, 5, (TURN,))
    change = next(one for identity, one in identified_changes(TURN) if identity.id in items[0])

    for drawn, corpus_notices, expected in ((False, 2, False), (False, 1, True), (True, 2, True)):
        counts = {"corpus": 1, "fixtures": corpus_notices - 1, "laws": 1}
        checks = checks_that_run(change.lines, counts, monkeypatch)

        found = noticing(change, TURN, checks, laws_drawn=drawn)

        assert expected == ("laws" in found)


def test_checks_that_noticed_a_change_are_asked_first_about_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """First those of the same function, then the latest; and only checks that run the changed lines."""
    name = module_name(TURN)
    every = [change for _, change in identified_changes(TURN)][:200]
    change = every[0]
    other = next(one for one in every if one.function != change.function)
    checks = checks_that_run(change.lines, {"fixtures": 5}, monkeypatch)

    def asked(changed: CodeChange, *, everywhere: bool = False) -> list[int]:
        return checks.concerned("fixtures", name, changed, everywhere=everywhere)

    assert [0, 1, 2, 3, 4] == asked(change)
    checks.note("fixtures", name, change.function, [3])
    checks.note("fixtures", name, other.function, [1])
    checks.note("fixtures", name, other.function, [4])
    assert [3, 4, 1, 0, 2] == asked(change)
    assert [4, 1, 3, 0, 2] == asked(other, everywhere=True)
    assert [] == asked(other)


def test_check_that_is_slow_without_any_change_has_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {"slow": 6.0, "quick": 0.1}
    monkeypatch.setattr("tools.machine_made.seconds_of", lambda check: seconds[check.name])

    checks = quickest_with_limits([Detector("laws", name, lambda: True) for name in seconds])

    assert [("quick", 1), ("slow", 30)] == [(one.name, one.seconds) for one in checks]


def test_run_that_was_cut_off_continues_where_it_stopped(tmp_path: Path) -> None:
    """Here one part of two is played already, so nothing is tried again for its changes."""
    items = changes_to_try(BLOCK + 2, 7, (TURN,))
    settings = f"sample {BLOCK + 2}, seed 7, cases 2"
    plan = ListPlan(suite_version(), "python -m tools machine-made", settings, items, BLOCK)
    asked: list[tuple[str, ...]] = []

    def pretended(some: tuple[str, ...]) -> bytes:
        asked.append(some)
        made = [a_result(item, {"fixtures": ("X",)}) for item in some]
        return msgspec.json.encode(made)

    play_list(plan, pretended, partial(processes, 1), tmp_path, lambda _, __: None)
    ending, shown = measure(BLOCK + 2, 7, where=partial(processes, 1), folder=tmp_path, modules=(TURN,))

    assert [items[:BLOCK], items[BLOCK:]] == asked
    assert "done" == ending
    assert f"| **all** | {BLOCK + 2} | {BLOCK + 2} (100.0 %) |" in shown


def test_explained_changes_are_tried_by_nothing() -> None:
    """So they cost nothing: neither the checks nor the lines that they run are needed."""
    item = next(f"{TURN} {one.id}" for one, _ in identified_changes(TURN) if decides_nothing(one))

    [result] = results_of_changes((TURN,), [item])

    assert result.explained
    assert {} == result.by


@pytest.mark.sweep
def test_explanations_can_be_doubted(tmp_path: Path) -> None:
    """A change that is said to be unobservable, and is noticed, is listed with what notices it."""
    every = changes_to_try(None, 0, (TURN,), explained=True)
    identities = {f"{TURN} {one.id}": one for one, _ in identified_changes(TURN)}
    assert every
    assert all(decides_nothing(identities[item]) for item in every)

    def pretended(some: tuple[str, ...]) -> bytes:
        made = [a_result("1", {"fixtures": ("G-1", "G-2")}), a_result("2", {})]
        return msgspec.json.encode(made[: len(some)])

    settings = "sample 2, seed 7, cases 0, explained"
    items = changes_to_try(2, 7, (TURN,), explained=True)
    plan = ListPlan(suite_version(), "python -m tools machine-made", settings, items, BLOCK)
    play_list(plan, pretended, partial(processes, 1), tmp_path, lambda _, __: None)
    where = partial(processes, 1)
    _, shown = measure(2, 7, where=where, folder=tmp_path, modules=(TURN,), cases=0, explained=True)

    head, noticed = shown.splitlines()
    assert "1 of 2 changes that are said to be unobservable are noticed." == head
    assert noticed.endswith(": f: 1: G-1, G-2")


def test_modules_that_decide_are_all_there() -> None:
    assert TURN in MODULES
    assert len(MODULES) > 30
    assert all((ROOT / module).exists() for module in MODULES)


def test_words_that_only_people_read_decide_nothing() -> None:
    cites = "'CR 704.5k: the world rule'  →  'CR 704.5k: the world rule or other'"

    assert decides_nothing(Identity(TURN, "f", "rule = …", cites))
    assert not decides_nothing(Identity(TURN, "f", "rule = …", "'graveyard'  →  'graveyard or other'"))
    assert not decides_nothing(Identity(TURN, "f", "rule = …", "'CR 704.5k: the world rule'  →  None"))
    assert decides_nothing(Identity(TURN, "Question.__str__", "return a", "a  →  None"))
    assert all(kind.why.endswith(".") for kind in changes_without_decision())


def test_invalid_part_is_refused(tmp_path: Path) -> None:
    ended = CliRunner().invoke(main, ["machine-made", "--folder", str(tmp_path / "f"), "--part", "3/2"])

    assert 2 == ended.exit_code
    assert "'3/2' is not a part" in ended.stderr


def test_constants_are_named_without_the_names_inside_their_values() -> None:
    source = "SHORT = {'short': lambda words: all(len(word) < 5 and (seen := word) for word in words)}\n"
    found = list(changes(source))

    assert found
    assert {name for change in found for name in change.names} == {"SHORT"}


def test_values_kept_after_the_first_time_can_be_changed() -> None:
    board = importlib.import_module("reference_engine.layers.board")

    assert isinstance(unwrapped(vars(board.Things)["battlefield"]), FunctionType)


@pytest.mark.sweep
def test_constant_about_functions_names_those_that_took_over() -> None:
    path = "reference_engine/game/state_based.py"
    change = next(
        change for identity, change in identified_changes(path) if identity.change == "{'token'}  →  nothing"
    )

    assert first_detector(change, path, [passed("G-0545")]) is not None


def test_constant_that_other_modules_import_changes_there_too() -> None:
    found = modules_with("GREATEST_X", questions.GREATEST_X, "reference_engine")

    assert {questions, legal} <= set(found)


@pytest.mark.sweep
def test_change_is_noticed_though_an_answer_was_kept_before() -> None:
    changed = next(
        change
        for identity, change in identified_changes("reference_engine/layers/asking.py")
        if identity.line.startswith('"color": lambda') and identity.change == "word  →  nothing"
    )
    check = passed("G-0098")
    assert check.holds()

    assert first_detector(changed, "reference_engine/layers/asking.py", [check]) is not None


@pytest.mark.sweep
def test_change_of_what_an_edition_decides_is_noticed() -> None:
    changed = next(
        change
        for identity, change in identified_changes("reference_engine/game/game_rules.py")
        if identity.line == 'if date < "2020-04-17":' and identity.change.endswith("False")
    )
    checks = [one for one in fixtures() if one.name.rpartition(" in ")[2] < "2020-04-17"]

    assert first_detector(changed, "reference_engine/game/game_rules.py", checks) is not None


def test_change_with_which_a_module_cannot_be_imported_is_noticed() -> None:
    attaching = "reference_engine/game/attaching.py"
    changed = next(
        change
        for identity, change in identified_changes(attaching)
        if identity.line.startswith("Gain((Keyword(") and identity.change.endswith(",)  →  nothing")
    )
    check = passed("G-0098")

    assert check is first_detector(changed, attaching, [check])


def test_each_fixture_or_law_notices_a_change_once_even_if_it_breaks_the_process() -> None:
    """Neither a check that ends the process nor one whose time is up keeps the next from being asked."""

    def endless() -> bool:
        while True:
            pass

    def broken() -> bool:
        raise MemoryError

    checks = [
        Detector("fixtures", "G-1 in 2024-01-01", lambda: True),
        Detector("fixtures", "G-2 in 2024-01-01", endless, seconds=0.05),
        Detector("fixtures", "G-2 in 2025-01-01", lambda: False),
        Detector("fixtures", "G-3 in 2024-01-01", lambda: os._exit(3)),
        Detector("fixtures", "G-4 in 2024-01-01", broken),
        Detector("fixtures", "G-5 in 2024-01-01", lambda: False),
    ]
    change = next(change for _, change in identified_changes(TURN))

    def names(most: int) -> list[str]:
        [found] = detectors(change, TURN, [checks], most)
        return [one.check for one in found]

    assert ["G-2"] == names(1)
    assert ["G-2", "G-3", "G-4"] == names(3)
    assert ["G-2", "G-3", "G-4", "G-5"] == names(9)


@pytest.mark.nightly
@pytest.mark.sweep
def test_checks_in_which_a_change_makes_no_difference_do_not_notice_it() -> None:
    modules = random.Random(7).sample(MODULES, 8)
    for module in modules:
        importlib.import_module(module_name(module))
    checks = [*fixtures(), *corpus()][::150]
    every = {identity.id for module in modules for identity, _ in identified_changes(module)}
    drawn = frozenset(random.Random(7).sample(sorted(every), 60))

    noted = differences({"fixtures": checks}, modules, drawn)["fixtures"]

    assert len(noted) > 20
    for module in modules:
        for identity, change in identified_changes(module):
            differing = noted.get((module_name(module), identity.id))
            if differing is not None:
                others = [check for number, check in enumerate(checks) if number not in differing]
                assert [[]] == detectors(change, module, [others], 1), identity


def passed(id: str) -> Detector:
    """The detector that plays the fixture with this id."""
    return next(one for one in fixtures() if one.name.startswith(id))


def test_law_that_compares_with_the_reference_engine_compares_with_unchanged_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (boards, games_agreement):
        monkeypatch.setattr(module, "play_through", module.play_through)  # put back after the test
    law = boards.where_effects_meet_all_looks_as_the_rules_say
    path = "reference_engine/layers/operations.py"
    more = "(seen.power or 0) + _int(power)"
    changed = next(
        change
        for _, change in identified_changes(path)
        if change.told == f"{more}  →  {more.replace('+', '-')}"
    )

    compare_with_unchanged_code()
    checks = [Detector("laws", law.name, partial(is_kept, law, case)) for case in cases_of(law, 10)]

    assert all(check.holds() for check in checks)
    assert first_detector(changed, path, checks) is not None

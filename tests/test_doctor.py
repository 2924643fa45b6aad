"""The doctor finds the first problem, whose fault it is, and the highest rung of the ladder an engine
reaches.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from itertools import count

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from conformance.checks.fixtures import findings_of
from conformance.cli import main
from conformance.data.library import pool
from conformance.data.loading import known_names
from conformance.model.engine import CannotPlay, Engine, EngineFailure, EngineInfo, close
from conformance.model.features import FEATURES, RUNGS, features_of
from conformance.model.observation import Observations, SeenObject, SeenTable, Snapshot
from conformance.model.scenario import CardInPlay, Equals, Fixture, Play
from conformance.run.doctor import (
    PLAINS,
    StepFinding,
    examination,
    health,
    ladder,
    lines_of_found,
    lines_of_health,
    rung_of,
    step_called,
)
from conformance_adapters import connect, torture
from conformance_adapters.in_process import Reference
from conformance_adapters.stdio import Command, ProcessLimits, StdioEngine
from conformance_adapters.wire import request
from reference_engine.language.cards import Card
from reference_engine.language.setup import Arrival, Entry, Object

TORTURE = f"{sys.executable} {torture.__file__} "
PATIENT = ProcessLimits(start=60.0, request=60.0)
HANGING = {
    "hello-nothing": ProcessLimits(start=0.5),
    **dict.fromkeys(("never", "late"), ProcessLimits(60.0, 1.0)),
}
"""Time limits for engines that never answer; all others may take their time."""
RIGHT = Reference()
Change = Callable[[Play, Observations], Observations]


class Fake:
    """The reference engine with changed answers and another description."""

    def __init__(self, change: Change = lambda play, seen: seen, **said: object) -> None:
        self.change = change
        self.said = said

    def describe(self) -> EngineInfo:
        return replace(RIGHT.describe(), **self.said)

    def play(self, play: Play) -> Observations:
        return self.change(play, RIGHT.play(play))


def examined(make: Callable[[], Engine], steps: tuple[Fixture, ...] = ()) -> list[StepFinding]:
    """All findings about an engine."""
    engine = make()
    try:
        return list(examination(engine, make, lambda: RIGHT, steps))
    finally:
        close(engine)


def first_wrong(make: Callable[[], Engine], steps: tuple[Fixture, ...] = ()) -> StepFinding:
    """The only problem, which is the last finding."""
    *before, last = examined(make, steps)
    assert "wrong" == last.outcome
    assert all(found.outcome != "wrong" for found in before)
    assert last.whose and last.cure
    return last


def tortured(mode: str) -> Callable[[], Engine]:
    argv = (sys.executable, "-S", "-E", torture.__file__, mode)
    return lambda: StdioEngine(Command(argv), "test", HANGING.get(mode, PATIENT))


# ------------------------------------------------------------------------------------- the ladder


@pytest.mark.parametrize("step", ladder(), ids=[step.id for step in ladder()])
def test_step_is_a_sound_scenario(step: Fixture) -> None:
    found = [one for one in findings_of(step, known_names()) if "only repeats" not in one.what]

    assert [] == found
    assert step.note.startswith(("shim: ", "engine: "))


def test_ladder_has_ten_rungs_with_steps_on_each() -> None:
    ids = [step.id for step in ladder()]

    assert ids == sorted(set(ids))
    assert list(range(1, 11)) == sorted({rung_of(step) for step in ladder()})
    assert 10 == len(RUNGS)
    assert PLAINS == pool()["Plains"]


def test_features_of_a_step_are_named() -> None:
    needed = {feature for step in ladder() for feature in features_of(step.play)}

    assert needed <= set(FEATURES)
    assert set() == {feature for step in ladder()[:7] for feature in features_of(step.play)}
    for feature in ("anthems", "teams", "text change", "payments", "choices", "targets", "counters"):
        assert feature in needed


def test_features_of_the_table_are_named() -> None:
    entries = (Entry("walker", "bob"), Entry("bear", "alice"))
    play = replace(
        ladder()[0].play,
        cards=(CardInPlay(Card("Test Walker", frozenset({"Planeswalker"}))),),
        objects=(Object("walker", "Test Walker", "alice"), Object("bear", "Test Bear", "alice")),
        setup=(Arrival(entries),),
    )

    assert {"simultaneous entry", "owner differs", "planeswalkers"} == features_of(play)


def test_reference_engine_is_well() -> None:
    found = examined(Reference)

    assert {"right"} == {one.outcome for one in found}
    assert (10, None, (), None, ()) == tuple(
        getattr(health(found), key) for key in health(found).__struct_fields__
    )


# -------------------------------------------------------------------------------- before the ladder

BEFORE = [
    ("exits-at-once", "engine", "stderr says why"),
    ("hello-nothing", "shim", "flush stdout"),
    ("wrong-version", "shim", "which version is spoken"),
    ("hello-garbage", "shim", "stdout is only for answers"),
    ("flood-before-hello", "shim", "stdout is only for answers"),
    ("hello-unnamed", "shim", "the keys of `conformance docs protocol`"),
]


@pytest.mark.parametrize(("mode", "whose", "cure"), BEFORE, ids=[mode for mode, _, _ in BEFORE])
def test_engine_that_does_not_get_as_far_as_its_name(mode: str, whose: str, cure: str) -> None:
    found = first_wrong(tortured(mode))

    assert ("it starts and introduces itself", whose) == (found.what, found.whose)
    assert cure in found.cure


def test_command_that_cannot_be_started() -> None:
    found = first_wrong(lambda: connect("./there is nothing"))

    assert "command" == found.whose
    assert "cannot be started" in found.says[0]


def test_python_engine_that_cannot_describe_itself() -> None:
    class Dumb(Fake):
        def describe(self) -> EngineInfo:
            raise RuntimeError("who am I?")

    assert ("RuntimeError: who am I?",) == first_wrong(Dumb).says


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"name": " "}, "it has no name"),
        ({"edition": "current"}, "edition 'current' is not a date of the rules"),
        ({"edition": "2031-01-01"}, "is not a date of the rules"),
        ({"steps_with_priority": frozenset()}, "it gives priority in no step"),
        ({"takes": frozenset()}, "`takes` needs `named`, `defined` or `text`"),
        ({"lacks": frozenset({"team"})}, "did you mean 'teams'?"),
        ({"lacks": frozenset({"quux"})}, "choose one of: steps, "),
    ],
)
def test_introduction_that_cannot_be_used(said: dict[str, object], says: str) -> None:
    found = first_wrong(lambda: Fake(**said))  # type: ignore[arg-type]  # what it says

    assert ("its description of itself is valid", "shim") == (found.what, found.whose)
    assert says in found.says[0]


# -------------------------------------------------------------------------------------- on the ladder


def objects(change: Callable[[SeenObject], SeenObject]) -> Change:
    """Changes what is reported of each object."""

    def changed(play: Play, seen: Observations) -> Observations:
        looks = {
            name: replace(look, objects={id: change(one) for id, one in look.objects.items()})
            for name, look in seen.looks.items()
        }
        return replace(seen, looks=looks)

    return changed


def table(change: Callable[[Play, SeenTable], SeenTable]) -> Change:
    """Changes what is reported of the table."""

    def changed(play: Play, seen: Observations) -> Observations:
        looks = {name: replace(look, table=change(play, look.table)) for name, look in seen.looks.items()}
        return replace(seen, looks=looks)

    return changed


def no_power_is_zero(seen: SeenObject) -> SeenObject:
    return replace(seen, power=0) if seen.power is None else seen


def first_player_is_active(play: Play, seen: SeenTable) -> SeenTable:
    return replace(seen, active=play.players[0].id)


def tries_succeed(play: Play, seen: Observations) -> Observations:
    targeted = {name: "done" if name == "at_the_altar" else outcome for name, outcome in seen.tried.items()}
    return replace(seen, tried=targeted)


def misses_the_end(play: Play, seen: Observations) -> Observations:
    return replace(seen, looks={})


def breaks_down(play: Play, seen: Observations) -> Observations:
    raise ZeroDivisionError("division by zero")


def sits_still(play: Play, seen: Observations) -> Observations:
    raise EngineFailure("hang", "did not answer within 1 s", "thinking\n")


WAYS = [
    (objects(no_power_is_zero), "D-0103", "shim", "report `null`"),
    (table(first_player_is_active), "D-0105", "shim", "`start.turn` is whose turn it is"),
    (tries_succeed, "D-0305", "shim", "the only legal target"),
    (misses_the_end, "D-0101", "shim", "describes a valid answer"),
    (breaks_down, "D-0101", "engine", "catch what your engine throws"),
    (sits_still, "D-0101", "engine", "where you would loop"),
]


@pytest.mark.parametrize(("change", "step", "whose", "cure"), WAYS)
def test_first_wrong_step_has_its_fault_and_its_cure(
    change: Change, step: str, whose: str, cure: str
) -> None:
    found = first_wrong(lambda: Fake(change))

    assert found.step and (step, whose) == (found.step.id, found.whose)
    assert cure in found.cure


@pytest.mark.parametrize(
    ("mutant", "step"),
    [("by-id", "D-0502"), ("switch-before-modify", "D-0503"), ("colours-after-abilities", None)],
)
def test_broken_layers_show_where_they_matter(mutant: str, step: str | None) -> None:
    wrong = health(examined(lambda: connect(f"mutant:{mutant}"))).ill

    assert step == (wrong.step.id if wrong and wrong.step else None)


@pytest.mark.parametrize(
    ("mode", "step", "whose"),
    [
        ("dies-always", "D-0101", "engine"),
        ("garbage", "D-0101", "shim"),
        ("says-error", "D-0101", "engine"),
        ("misses-looks", "D-0101", "shim"),
    ],
)
def test_torture_is_found_out_through_stdio(mode: str, step: str, whose: str) -> None:
    found = first_wrong(tortured(mode))

    assert found.step and (step, whose) == (found.step.id, found.whose)


def test_what_earlier_scenarios_left_is_recognised() -> None:
    class Forgetful(Fake):
        """Right for three scenarios, then everything is tapped."""

        def __init__(self) -> None:
            played = count(1)

            def tap(seen: SeenObject) -> SeenObject:
                return replace(seen, power=99) if next(played) > 3 else seen

            super().__init__(objects(tap))

    found = first_wrong(Forgetful)
    assert "engine" == found.whose
    assert "earlier scenarios leave state behind" in found.cure


def test_chance_is_recognised() -> None:
    dice = random.Random(7)

    def change(play: Play, seen: Observations) -> Observations:
        return objects(lambda one: replace(one, power=dice.randrange(1000)))(play, seen)

    assert "use a clock or randomness?" in first_wrong(lambda: Fake(change)).cure


def test_our_own_mistake_is_ours() -> None:
    step = ladder()[0]
    wrong = replace(step, expect=(*step.expect, replace(step.expect[0], key="power", test=Equals(99))))

    found = first_wrong(Reference, (wrong,))
    assert "suite" == found.whose
    assert "please report it" in found.cure


# ---------------------------------------------------------------------------------- after the ladder


def with_more(what: Callable[[], int]) -> Change:
    """Adds an unrequested look to each answer, so that it is correct but differs."""

    def change(play: Play, seen: Observations) -> Observations:
        return replace(seen, looks={**seen.looks, f"more {what()}": Snapshot()})

    return change


def test_answer_that_depends_on_those_before_is_noticed() -> None:
    class Counting(Fake):
        def __init__(self) -> None:
            numbers = count()
            super().__init__(with_more(lambda: next(numbers)))

    found = first_wrong(Counting)
    assert "it gives the same answers again, in the opposite order" == found.what
    assert "leaves state behind" in found.cure


def test_answer_by_chance_is_noticed_though_it_is_right() -> None:
    numbers = count()

    found = first_wrong(lambda: Fake(with_more(lambda: next(numbers))))
    assert "use a clock or randomness?" in found.cure


def test_answer_that_a_fresh_process_changes_is_noticed() -> None:
    made = count()

    class Numbered(Fake):
        def __init__(self) -> None:
            number = next(made)
            super().__init__(with_more(lambda: number))

    assert "it gives the same answers in a fresh process" == first_wrong(Numbered).what


def test_what_it_says_it_lacks_and_plays_is_noticed() -> None:
    found = first_wrong(lambda: Fake(lacks=frozenset({"teams", "anthems"})))

    assert ("it plays this anyway: anthems, teams",) == found.says
    assert "shim" == found.whose


def test_torture_that_denies_what_it_has_is_found_out_through_stdio() -> None:
    found = first_wrong(tortured("denies-features"))

    assert ("it plays this anyway: steps",) == found.says
    assert ("the features it lacks are missing", "shim") == (found.what, found.whose)


def test_step_that_an_engine_says_it_passes_by_is_passed_by() -> None:
    [step] = (step for step in ladder() if step.id == "D-0202")
    goes_on = table(lambda play, seen: replace(seen, step="declare attackers", priority="alice"))

    assert "D-0202" in [one.step.id for one in [first_wrong(lambda: Fake(goes_on), (step,))] if one.step]
    says = frozenset({"precombat main", "declare attackers"})
    found = examined(lambda: Fake(goes_on, steps_with_priority=says), (step,))

    assert "gives priority only in: precombat main, declare attackers" in found[1].says[0]
    assert ["unsupported"] == [one.outcome for one in found if one.step]


# ------------------------------------------------------------------------------------- the outcome


def only_up_to(rung: int) -> Callable[[], Engine]:
    """An engine that says it cannot play what is above a rung."""
    above = [step.play for step in ladder() if rung_of(step) > rung]

    def change(play: Play, seen: Observations) -> Observations:
        if play in above:
            raise CannotPlay("not yet")
        return seen

    return lambda: Fake(change)


@pytest.mark.sweep
@pytest.mark.parametrize("rung", range(11))
def test_rung_reached_is_the_last_on_which_nothing_is_missing(rung: int) -> None:
    came_to = health(examined(only_up_to(rung)))

    assert rung == came_to.reached
    assert (rung + 1 if rung < 10 else None) == came_to.next_rung
    assert {rung + 1} == {missing.rung for missing in came_to.missing} or rung == 10
    assert f"reached rung {rung} of 10" in next(iter(lines_of_health(came_to)))


def test_reasons_for_what_is_unsupported_stand_in_the_end_the_most_frequent_first() -> None:
    def change(play: Play, seen: Observations) -> Observations:
        needed = features_of(play)
        if needed & {"anthems", "counters"}:
            raise CannotPlay(f"static abilities ({play.objects[0].card})")
        if "teams" in needed:
            raise CannotPlay("teams")
        return seen

    came_to = health(examined(lambda: Fake(change)))
    lines = list(lines_of_health(came_to))

    static = sum(bool(features_of(step.play) & {"anthems", "counters"}) for step in ladder())
    assert static > 1
    at = lines.index("unsupported, by reason:")
    assert [f"  {static} × static abilities", "  1 × teams"] == lines[at + 1 :]


def test_wrong_step_is_reported_with_its_scenario() -> None:
    found = examined(lambda: Fake(objects(no_power_is_zero)))

    told = list(lines_of_found(found[-1], 1))
    assert "  WRONG        D-0103  A permanent that is no creature has no power" == told[0]
    assert ["      altar, after setup: power", "        expected  none", "        observed  0"] == told[1:4]
    assert "    This is most likely the fault of your shim, the part between engine and suite." in told
    assert any("Test Altar" in line for line in told)
    assert "    To see what the suite sends: conformance doctor --lines D-0103" == told[-1]


def test_what_an_engine_says_is_harmless() -> None:
    told = "\n".join(lines_of_found(examined(tortured("escapes"))[-1], 0))

    assert "\x1b" not in told and "\\x1b" in told


# ------------------------------------------------------------------------------------- the command


def called(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, catch_exceptions=False, prog_name="conformance")


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("engine", "code", "says"),
    [
        ("reference", 0, "reached rung 10 of 10"),
        (TORTURE + "good", 1, "WRONG        D-0203"),  # it tries nothing
        (TORTURE + "exits-at-once", 3, "reached rung 0 of 10"),
        (TORTURE + "claims-all", 5, "next is rung 1, vanilla creatures and looks:"),
        ("nothing", 2, "no engine 'nothing'"),
    ],
)
def test_command_ends_with_its_code(engine: str, code: int, says: str) -> None:
    result = called("doctor", "--engine", engine)

    assert code == result.exit_code
    assert says in result.output


def test_lines_of_a_step_are_those_that_are_sent() -> None:
    hello, play, bye = called("doctor", "--lines", "D-0301").stdout.splitlines()

    step = step_called("D-0301")
    assert step and step.play == request(play.encode()).scenario  # type: ignore[union-attr]  # it is a play
    assert '"say":"hello"' in hello and '{"say":"bye"}' == bye


def test_step_that_does_not_exist() -> None:
    result = called("doctor", "--lines", "D-031")

    assert 2 == result.exit_code
    assert "did you mean 'D-0301'?" in result.stderr

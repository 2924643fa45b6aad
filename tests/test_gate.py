"""The gate: known disagreements pass it, anything else that has changed does not; the list stays true."""

from __future__ import annotations

import itertools
from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from conformance.files.canonical import digest
from conformance.gate.config import Limit, UnsupportedLimits
from conformance.gate.standing import (
    Divergence,
    Divergences,
    GateResult,
    GradedResult,
    PlayedBefore,
    compare_with_list,
    excesses_in,
    exit_code_of,
    lines_of_gate,
    reason_not_to_renew,
    renewed_list,
    rule_at_fault,
    signature,
    standing_of,
)
from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.scenario import Fixture
from conformance.model.verdict import (
    Crash,
    Disputed,
    Fail,
    Hang,
    Nondeterministic,
    NotRun,
    PartOfVerdict,
    PassVerdict,
    Unsupported,
    Verdict,
)
from conformance.play.runner import Result, run
from conformance.results.summary import Counts
from tests.test_runner import NOW, Fake, check, in_turn, raises, shows

TODAY = date(2026, 9, 25)
BEAR = check(1)
SHORT = digest(BEAR)[:12]
WRONG = PartOfVerdict("fail", "bear", "after setup", "power", "2", "3", "CR 613.4b: set")
FAILS, PASSES = Fail((WRONG,)), PassVerdict(())
SIGNATURE = "bear, after setup: power 3"
ENTRY = Divergence("L-0001", "613.4b", SIGNATURE, SHORT, date(2026, 1, 1), "by age alone", "example.org/7")
LISTED = Divergences({"L-0001": ENTRY}, {"L-0001": PlayedBefore("failed", SHORT)})
PASSED = Divergences({}, {"L-0001": PlayedBefore("passed", SHORT)})


def moved(listed: Divergences) -> Divergences:
    """The same list for an older state of the suite."""
    return Divergences(
        {id: replace(entry, digest="0" * 12) for id, entry in listed.known.items()},
        {id: replace(played, digest="0" * 12) for id, played in listed.plays.items()},
    )


EXPIRED = Divergences({"L-0001": replace(ENTRY, expires=date(2026, 9, 24))})
LAST_DAY = Divergences({"L-0001": replace(ENTRY, expires=TODAY)})
SUITE = "the suite has changed this check since, not your engine"


@pytest.mark.parametrize(
    ("listed", "verdict", "standing", "note"),
    [
        (Divergences(), FAILS, "", ""),
        (Divergences(), PASSES, "", ""),
        (LISTED, FAILS, "listed", "by age alone; example.org/7"),
        (LAST_DAY, FAILS, "listed", "by age alone"),
        (moved(LISTED), FAILS, "listed", SUITE),
        (EXPIRED, FAILS, "stale", "listed until 2026-09-24, which has passed"),
        (LISTED, Fail((replace(WRONG, observed="4"),)), "stale", "fails in another way than listed: 'bear"),
        (LISTED, Crash("gone"), "stale", "'crash: gone' now"),
        (moved(LISTED), Crash("gone"), "stale", SUITE),
        (LISTED, PASSES, "stale", "listed as failing, and passes now"),
        (moved(LISTED), PASSES, "stale", SUITE),
        (LISTED, Disputed("perhaps", "pass", ()), "stale", "is no longer scored"),
        (LISTED, Unsupported("no"), "lost", "failed when the list was written, and is unsupported now"),
        (Divergences(LISTED.known), Unsupported("no"), "lost", "failed when the list was written"),
        (moved(LISTED), Unsupported("no"), "stale", SUITE),
        (PASSED, PASSES, "", ""),
        (PASSED, FAILS, "", "it passed when the list was written"),
        (moved(PASSED), FAILS, "", f"it passed when the list was written; {SUITE}"),
        (PASSED, Unsupported("no"), "lost", "passed when the list was written, and is unsupported now"),
        (PASSED, NotRun("broke"), "lost", "is not run now"),
        (moved(PASSED), Unsupported("no"), "", SUITE),
        (
            Divergences({}, {"L-0001": PlayedBefore("unsupported", SHORT)}),
            FAILS,
            "",
            "it was unsupported when",
        ),
        (Divergences({}, {"L-0001": PlayedBefore("unsupported", SHORT)}), Unsupported("no"), "", ""),
        (Divergences({}, {"L-0001": PlayedBefore("unsupported", SHORT)}), PASSES, "", ""),
        (Divergences({}, {"L-0001": PlayedBefore("failed", SHORT)}), FAILS, "", ""),
        (Divergences({}, {"L-0001": PlayedBefore("failed", SHORT)}), PASSES, "", ""),
    ],
)
def test_how_a_result_stands_to_the_list(
    listed: Divergences, verdict: Verdict, standing: str, note: str
) -> None:
    stand = standing_of(listed, BEAR, verdict, TODAY)

    assert standing == stand.standing
    assert note in stand.note
    assert bool(note) == bool(stand.note)


# ---------------------------------------------------------------------------------- signatures


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (FAILS, Fail((WRONG, WRONG)), True),
        (FAILS, Fail((replace(WRONG, because="CR 613.1: other words"),)), True),
        (FAILS, Fail((replace(WRONG, observed="4"),)), False),
        (FAILS, Fail((WRONG, replace(WRONG, key="toughness"))), False),
        (FAILS, Fail((WRONG, replace(WRONG, key="toughness", outcome="pass"))), True),
        (Crash("at 0x7f00aa in process 12345"), Crash("at 0x1c in process 99999\nmore"), True),
        (Crash("ended with 3"), Crash("ended with -11"), False),
        (Crash("did not end within 5 s"), Crash("did not end within 10 s"), True),
        (Hang("5 s"), Hang("10 s"), True),
        (Nondeterministic("a"), Nondeterministic("b"), True),
        (Hang("5 s"), Crash("5 s"), False),
        (
            Fail((replace(WRONG, observed="a" * 999 + "b"),)),
            Fail((replace(WRONG, observed="a" * 999 + "c"),)),
            False,
        ),
    ],
)
def test_same_failure_has_the_same_signature(one: Verdict, other: Verdict, same: bool) -> None:
    assert same == (signature(one) == signature(other))
    assert len(signature(one)) < 300


def test_signature_is_harmless() -> None:
    assert r"bear, after setup: power \x1b[2J\u202e" == signature(
        Fail((replace(WRONG, observed="\x1b[2J\u202e"),))
    )


def test_signature_that_is_cut_at_a_space_is_read_back_as_it_was_written() -> None:
    """Wherever a long one is cut, no two spaces are adjacent, because the list would not keep them."""
    for length in range(225, 245):
        long = replace(WRONG, observed="y" * length + " z" * 20)
        assert "  " not in signature(Fail((long,)))


def test_signature_of_nothing_seen_is_read_back_as_it_was_written() -> None:
    pool = replace(WRONG, about="alice", key="pool", observed="")

    assert "alice, after setup: pool | bear, after setup: power 3" == signature(Fail((pool, WRONG)))


def test_rule_at_fault_is_the_one_that_the_wrong_part_cites() -> None:
    right = replace(WRONG, outcome="pass", because="CR 613.1: right")

    assert "613.4b" == rule_at_fault(check(1, "613.9"), Fail((right, WRONG)))
    assert "613.9" == rule_at_fault(check(1, "613.9"), Fail((replace(WRONG, because=""),)))
    assert "613.9" == rule_at_fault(check(1, "613.9"), Crash("gone"))


# --------------------------------------------------------------------------------- a whole run


def checked(*results: tuple[Fixture, Verdict], listed: Divergences = LISTED) -> list[GradedResult]:
    return [
        GradedResult(
            fixture,
            Result(fixture, verdict),
            standing_of(listed, fixture, verdict, TODAY),
        )
        for fixture, verdict in results
    ]


def test_a_run_is_counted_by_how_it_stands() -> None:
    listed = Divergences(
        {**LISTED.known, "L-0002": replace(ENTRY, check="L-0002", digest=digest(check(2))[:12], reason="")},
        {"L-0004": PlayedBefore("passed", digest(check(4))[:12])},
    )
    every = checked(
        (check(1), FAILS),
        (check(2), FAILS),
        (check(3), FAILS),
        (check(4), Unsupported("no")),
        (check(5), PASSES),
        listed=listed,
    )

    gate = compare_with_list(listed, every)

    assert (2, 1, 1, 1, 0) == (gate.known, gate.unexplained, gate.unexpected, gate.lost, gate.stale)
    assert ("lost: L-0004: passed when the list was written, and is unsupported now",) == gate.says
    assert 1 == compare_with_list(listed, every[1:], every={"L-0002", "L-0003"}).stale
    assert [
        "lost: L-0004: passed when the list was written, and is unsupported now",
        "2 failed as listed, 1 of them without a reason",
        "1 failed and not listed, 1 lost: if that is intended: conformance run --update-divergences",
        "1 of 5 unsupported; at most 10% is allowed",
    ] == list(
        lines_of_gate(
            gate,
            excesses_in([one.result for one in every], UnsupportedLimits(Limit(10, percent=True))),
            "conformance run --update-divergences",
        )
    )


def test_limits_are_of_all_checks_or_of_those_about_a_rule() -> None:
    def about(rule: str, verdict: Verdict) -> Result:
        return Result(check(1, rule, "117.1"), verdict)

    results = [about("613.8b", PASSES), about("613.8b", Unsupported("no")), about("704.5f", PASSES)]
    half, none = Limit(50, percent=True), Limit(0)

    assert () == excesses_in(results, None)
    assert () == excesses_in(
        results, UnsupportedLimits(half, {"613": half, "613.8": half, "704": none, "601": none})
    )
    assert (
        "1 of 3 unsupported; at most 0 is allowed",
        "613: 1 of 2 unsupported; at most 0 is allowed",
        "117.1: 1 of 3 unsupported; at most 0% is allowed",
    ) == excesses_in(
        results, UnsupportedLimits(none, {"613": none, "704": none, "117.1": Limit(0, percent=True)})
    )


def test_without_a_list_there_is_nothing_to_say_of_it() -> None:
    gate = compare_with_list(Divergences(), checked((check(1), FAILS), listed=Divergences()))

    assert [] == list(lines_of_gate(gate, (), ""))


# Every code alone, then every two that can clash: the first in the order 3, 1, 5, 4, 0 wins. That 2 comes
# before all of them is tested in test_session.
CAUSES: dict[int, tuple[Counts, GateResult]] = {
    3: (Counts(not_run=1), GateResult()),
    1: (Counts(failed=1), GateResult(unexpected=1)),
    5: (Counts(unsupported=9), GateResult()),
    4: (Counts(), GateResult(stale=1)),
    0: (Counts(passed=1), GateResult()),
}
ORDER = (3, 1, 5, 4, 0)
EXCESS = ("9 of 10 unsupported",)


def together(*codes: int) -> tuple[Counts, GateResult, tuple[str, ...]]:
    """A run with a cause for each of these codes."""
    counts, gates = zip(*(CAUSES[code] for code in codes), strict=True)
    one = Counts(passed=1)
    summed = {key: sum(getattr(count, key) for count in (*counts, one)) for key in one.__struct_fields__}
    gate = GateResult(
        unexpected=sum(gate.unexpected for gate in gates),
        stale=sum(gate.stale for gate in gates),
    )
    return Counts(**summed), gate, EXCESS * (5 in codes)


@pytest.mark.parametrize("code", ORDER)
def test_each_code_has_its_cause(code: int) -> None:
    assert code == exit_code_of(*together(code))


@pytest.mark.parametrize(("first", "second"), [*itertools.combinations(ORDER, 2)])
def test_the_graver_of_two_exit_codes_is_returned(first: int, second: int) -> None:
    assert first == exit_code_of(*together(first, second)) == exit_code_of(*together(second, first))


def test_other_causes_of_the_same_codes() -> None:
    assert 1 == exit_code_of(Counts(passed=1, unsupported=1), GateResult(lost=1))
    assert 5 == exit_code_of(Counts(failed=1), GateResult(known=1))
    assert 5 == exit_code_of(Counts(), GateResult())
    assert 0 == exit_code_of(Counts(passed=1, failed=3), GateResult(known=3))
    assert 0 == exit_code_of(Counts(passed=1, unsupported=9), GateResult())


# --------------------------------------------------------------------------------- a new list


def test_new_list_keeps_what_people_wrote() -> None:
    listed = Divergences(
        {
            "L-0001": replace(ENTRY, expires=TODAY, scenario="mine.json"),
            "L-0009": replace(ENTRY, check="L-0009"),
        }
    )
    other = Fail((replace(WRONG, observed="4"),))

    now = renewed_list(
        listed, checked((check(3), PASSES), (check(1), other), (check(2), FAILS), listed=listed), TODAY
    )

    assert {
        "L-0001": replace(ENTRY, signature="bear, after setup: power 4", expires=TODAY, scenario="mine.json"),
        "L-0002": Divergence("L-0002", "613.4b", SIGNATURE, digest(check(2))[:12], TODAY),
    } == now.known
    assert ["L-0001", "L-0002", "L-0003"] == list(now.plays)
    assert PlayedBefore("passed", digest(check(3))[:12]) == now.plays["L-0003"]


def test_run_held_against_the_list_it_made_agrees() -> None:
    answers: list[Any] = [
        shows(2),
        shows(3),
        raises(CannotPlay("no")),
        raises(EngineFailure("crash", "gone")),
    ]
    fixtures = [check(number) for number in range(4)]
    results = run(Fake(in_turn(*answers), checks_understanding=True), fixtures, NOW)
    verdicts = [(fixture, result.verdict) for fixture, result in zip(fixtures, results, strict=True)]

    now = renewed_list(Divergences(), checked(*verdicts, listed=Divergences()), TODAY)
    gate = compare_with_list(now, checked(*verdicts, listed=now), every={one.id for one in fixtures})

    assert GateResult(known=2, unexplained=2) == gate


@pytest.mark.parametrize(
    ("counts", "filtered", "why"),
    [
        (Counts(passed=1, failed=1), False, ""),
        (Counts(passed=1), True, "only part of it was played"),
        (Counts(passed=1, not_run=1), False, "kept crashing"),
        (Counts(failed=1), False, "nothing passed"),
        (Counts(passed=1, unsupported=9), False, "too much is unsupported"),
    ],
)
def test_runs_that_cannot_make_a_new_list(counts: Counts, filtered: bool, why: str) -> None:
    excesses = EXCESS if counts.unsupported else ()
    assert why in reason_not_to_renew(counts, filtered, excesses)
    assert bool(why) == bool(reason_not_to_renew(counts, filtered, excesses))

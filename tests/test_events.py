"""The events of a run: safe texts, failures grouped by cause, and the feature to build next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from msgspec.structs import replace

from conformance.data.library import all_fixtures
from conformance.data.loading import schema_file
from conformance.model.engine import EngineInfo
from conformance.model.printable import printable
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Origin
from conformance.model.verdict import (
    NOT_REACHED,
    Crash,
    Disputed,
    Fail,
    Hang,
    Nondeterministic,
    NotRun,
    PartOfVerdict,
    PassVerdict,
    ProtocolBreach,
    Unsupported,
    Verdict,
)
from conformance.play.runner import Result
from conformance.report.outputs import consumers_of
from conformance.report.run_text import likeliest_rules
from conformance.results.causes import cause_of, difference_line, failures_by_cause, first_difference
from conformance.results.events import (
    Diagnosis,
    FinishedCheck,
    Likeness,
    Notice,
    PhaseBegan,
    RunEnded,
    RunEvent,
    RunSelection,
    SearchEnded,
    begin_event,
    events_in,
    events_schema,
    harmless,
    line,
    read_run,
    result_event,
    text_of_verdict,
    whole,
)
from conformance.results.next_feature import GainOfFeature, most_gained
from conformance.results.summary import Counts, Score
from reference_engine.language.actions import Look

EVIL = '\x1b[2J\x00<b>&"`|\u202e\ud800\n::error::@everyone ]]>' + "!" * 5000
RIGHT = PartOfVerdict("pass", "bear", "at the end", "power", "2", "2")
WRONG = PartOfVerdict("fail", "bear", "at the end", "power", "2", EVIL, "CR 613.4b: it is set")
VERDICTS: list[Verdict] = [
    PassVerdict((RIGHT,)),
    Fail((WRONG, RIGHT)),
    Unsupported(EVIL, (RIGHT, WRONG)),
    Disputed("judges differ", "fail", (WRONG,)),
    ProtocolBreach(EVIL, EVIL),
    Crash(EVIL, EVIL * 3),
    Hang(EVIL, ""),
    Nondeterministic(EVIL),
    NotRun(EVIL),
]


def checked(
    verdict: Verdict, id: str = "L-0031", size: int = 3, rules: tuple[str, ...] = ("613.1",), **more: Any
) -> FinishedCheck:
    return FinishedCheck(id, "a_name", "A title", rules, verdict, 0.25, f"again {id}", size, (), **more)


FOUND = Origin("a_law", 7, "Broken 613.1 power")


def events_of(*verdicts: Verdict) -> list[RunEvent]:
    """The events of a run with these verdicts."""
    evil = EngineInfo(EVIL, "1", lacks=frozenset({EVIL}))
    results = [
        Result(replace(all_fixtures()["L-0031"], id=f"L-{number:04}", found=FOUND), verdict, 0.5)
        for number, verdict in enumerate(verdicts, 1)
    ]
    return [
        begin_event("2026-11-21T10:00:00+00:00", "1.2.3", "mine", evil, "2026-09-25", RunSelection(), 7),
        PhaseBegan("checks", 9),
        Notice("a journal goes on"),
        *(result_event(one, "a_name", f"conformance run {one.id}") for one in results),
        PhaseBegan("search", 3, 25.0),
        Diagnosis("L-0002", ("layer 7b",), (Likeness("some-mutant", "613.1", "Forgets it."),)),
        RunEnded(
            *(Counts(passed=1), 0, 1, 0.5, GainOfFeature("teams", 1, 1)),
            search=SearchEnded(3, 60, 7, 25.0, 1),
            gate=("1 failed as listed",),
        ),
    ]


# ----------------------------------------------------------------------------------- the stream


def test_events_are_written_as_they_come_and_read_as_they_were(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    events = events_of(*VERDICTS)

    with consumers_of({"json": file}) as [consumer]:
        for number, event in enumerate(events, 1):
            consumer.take(event)
            assert number == len(file.read_bytes().splitlines())

    assert events == events_in(file.read_bytes(), "run.json")
    run = read_run(file)
    assert whole(events) == run
    assert run.counts == Counts(1, 5, 1, 1, 1)


def test_lines_of_a_file_are_plain_json_with_the_keys_that_are_documented() -> None:
    page = (Path(__file__).parent.parent / "docs" / "reports.md").read_text(encoding="utf-8")
    keys: set[str] = set()
    for event in events_of(*VERDICTS):
        parsed = json.loads(line(event))
        keys |= parsed.keys()
        if parsed["event"] == "result":
            keys |= parsed["verdict"].keys()
            keys |= {key for part in parsed["verdict"].get("parts", ()) for key in part}

    assert set() == {key for key in keys if f"`{key}`" not in page}


@pytest.mark.sweep
def test_each_line_is_as_the_schema_says() -> None:
    schema = json.loads(schema_file(events_schema()))
    jsonschema.Draft202012Validator.check_schema(schema)
    right = jsonschema.Draft202012Validator(schema)
    lines = [json.loads(line(event)) for event in events_of(*VERDICTS)]

    assert [] == [error.message for one in lines for error in right.iter_errors(one)]
    for wrong in (
        {"event": "ended"},
        {**lines[0], "event": "begin"},
        {**lines[3], "verdict": {"verdict": "passed", "parts": []}},
        {**lines[3], "seconds": "0.5"},
        {**lines[3], "standing": "known"},
        {**lines[3], "blame": "nobody"},
        {key: value for key, value in lines[3].items() if key != "again"},
    ):
        assert not right.is_valid(wrong), wrong


def test_nothing_an_engine_says_is_dangerous_or_long_in_any_event() -> None:
    for event in events_of(*VERDICTS):
        text = line(event).decode()
        assert text.replace(" ", "").rstrip("\n").isprintable()
        assert len(text) < 30_000


def test_what_is_harmless_already_stays_as_it_is() -> None:
    verdict = Crash(EVIL[:50], EVIL[:50])
    assert harmless(verdict) == harmless(harmless(verdict))
    assert "… (9 characters)" in printable(printable("x" * 9, 5), 4)


def test_only_what_is_amiss_carries_its_scenario() -> None:
    checked = [one for one in events_of(*VERDICTS) if isinstance(one, FinishedCheck)]
    carried = {type(one.verdict).__name__ for one in checked if one.scenario is not None}

    assert {"Fail", "Disputed", "ProtocolBreach", "Crash", "Hang", "Nondeterministic"} == carried


def test_cut_off_run_is_read_as_far_as_it_went(tmp_path: Path) -> None:
    lines = [line(event) for event in events_of(*VERDICTS)]
    file = tmp_path / "run.json"
    file.write_bytes(b"".join(lines[:6]) + lines[6][:50])

    run = read_run(file)

    assert 3 == len(run.checked)
    assert run.ended is None


def test_file_of_an_earlier_suite_is_read_as_it_was_meant() -> None:
    new = {"found", "search", "gate", "cut_short", "stderr"}
    lines = [json.loads(line(event)) for event in events_of(*VERDICTS)]
    earlier = [
        {key: value for key, value in one.items() if key not in new}
        for one in lines
        if one["event"] not in ("phase", "notice")
    ]

    run = whole(events_in(b"".join(json.dumps(one).encode() + b"\n" for one in earlier), "run.json"))

    assert run is not None and run.is_whole
    assert [one["id"] for one in earlier if one["event"] == "result"] == [one.id for one in run.checked]


def test_events_of_a_later_suite_are_passed_over_and_new_keys_too() -> None:
    began, *_ = (line(event) for event in events_of())
    more = json.loads(began) | {"weather": "fine"}
    content = json.dumps(more).encode() + b'\n{"event": "weather", "is": "fine"}\n'

    assert 1 == len(events_in(content, "run.json"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "run.json: no events in it"),
        (b'{"event": "result"', "run.json: not even one whole line"),
        (b"garbage\n", "run.json:1:1: "),
        (b"\xff\n", "run.json:1:1: "),
        (b'{"event": "result", "id": 3}\n', "run.json:1:1: "),
        (b'{"event": "began", "format": 99}\n', "format 99 is newer than this suite"),
        (b'{"event": "weather"}\n', "no events in it"),
        (b"[" * 100_000 + b"\n", "run.json:1:1: "),
    ],
)
def test_file_of_another_program_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        events_in(content, "run.json")

    assert message in str(refused.value)


def test_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="name a file that"):
        read_run(tmp_path / "none.json")
    with pytest.raises(ScenarioError):
        read_run(tmp_path)


def test_no_events_are_no_run() -> None:
    assert whole([]) is None
    events: list[RunEvent] = [RunEnded(Counts(), 0, 0, 0.0)]
    assert whole(events) is None


def test_events_decode_whatever_the_order_of_their_keys() -> None:
    for event in events_of(*VERDICTS):
        backwards = dict(reversed(json.loads(line(event)).items()))
        assert event == msgspec.json.decode(json.dumps(backwards), type=RunEvent)


# ----------------------------------------------------------------------------------- causes


def part(key: str, because: str = "", when: str = "at the end", about: str = "bear") -> PartOfVerdict:
    return PartOfVerdict("fail", about, when, key, "1", "2", because)


def test_failures_with_one_rule_and_one_difference_are_one_cause_smallest_first() -> None:
    types = Fail((part("types", "CR 613.8b: waits"),))
    power = Fail((part("power", "CR 613.8b: waits"),))
    failures = [
        checked(types, "L-0001", 9),
        checked(power, "L-0002", 5),
        checked(replace(types, parts=(part("types", "CR 613.8b: it waits"),)), "L-0003", 4),
        checked(Crash("gone"), "L-0004", 7, ("101.1",)),
        checked(Crash("gone"), "L-0005", 6, ("102.1",)),
        checked(Hang("gone"), "L-0006", 8),
    ]
    groups = failures_by_cause(failures, failures)

    assert [
        ("613.8b", "types", ["L-0003", "L-0001"]),
        ("613.8b", "power", ["L-0002"]),
        ("", "crash: gone", ["L-0005", "L-0004"]),
        ("", "hang: gone", ["L-0006"]),
    ] == [(group.rule, group.difference, [one.id for one in group.failures]) for group in groups]
    assert "L-0003" == groups[0].smallest.id


def test_cause_whose_rule_accounts_best_for_the_failures_comes_first() -> None:
    """The smallest scenario is about 117.1a, which most checks about it do not break."""
    priority = Fail((part("priority", "CR 117.1a: may act"),))
    resolved = Fail((part("priority", "CR 117.3b: acts first"),))
    failures = [
        checked(priority, "G-0001", 1, ("117.1a",)),
        checked(priority, "G-0002", 2, ("117.1a", "117.3b")),
        checked(resolved, "G-0003", 8, ("117.3b",)),
        checked(resolved, "G-0004", 9, ("500.2", "117.3b")),
    ]
    passed = [checked(PassVerdict((RIGHT,)), f"G-010{n}", rules=("117.1a",)) for n in range(3)]

    assert ["117.3b", "117.1a"] == [group.rule for group in failures_by_cause(failures, failures + passed)]
    unplayed = [replace(one, verdict=Unsupported("no")) for one in passed]
    assert failures_by_cause(failures, failures) == failures_by_cause(failures, failures + unplayed)


def test_rows_of_a_table_weigh_as_much_as_one_check_together() -> None:
    """All rows fail, but two other checks say more than one table."""
    attempt, types = Fail((part("tried", "CR 117.1a: may"),)), Fail((part("types", "CR 305.7: so"),))
    failures = [checked(attempt, f"G-0010.0{row}", 1, ("117.1a",)) for row in range(1, 6)]
    failures += [checked(types, f"G-002{number}", 9, ("305.7",)) for number in range(2)]

    assert ["305.7", "117.1a"] == [group.rule for group in failures_by_cause(failures, failures)]


def test_rule_that_a_failing_check_is_merely_about_is_no_cause_of_it() -> None:
    """Three failing checks are also about 305.7, but what went wrong in them is about something else."""
    types = Fail((part("types", "CR 305.7: so"),))
    failures = [
        checked(types, "G-0001", 1, ("305.7",)),
        *(checked(Fail((part("power", "CR 613.4c: so"),)), f"G-001{n}", 9, ("613.4c",)) for n in range(2)),
        *(checked(Fail((part("name", f"CR 20{n}.1: so"),)), f"G-002{n}", 9, ("305.7",)) for n in range(3)),
    ]

    assert "613.4c" == failures_by_cause(failures, failures)[0].rule


def test_failure_that_goes_wrong_in_several_ways_belongs_to_the_likeliest_rule() -> None:
    """The smallest failure cites 305.7 in its second difference, and all others are about that."""
    both = Fail((part("types", "CR 613.1: so"), part("power", "CR 305.7: so")))
    failures = [checked(both, "L-0001", 1)]
    failures += [
        checked(Fail((part("power", "CR 305.7: so"),)), f"L-001{n}", 9, ("305.7",)) for n in range(3)
    ]
    [group] = failures_by_cause(failures, failures)

    assert ("305.7", "power", 4) == (group.rule, group.difference, len(group.failures))
    assert "L-0010" == group.smallest.id  # its first difference is about the rule
    assert difference_line(failures[0], group.rule).startswith("CR 305.7: bear, at the end: power: ")
    assert difference_line(failures[0]).startswith("CR 613.1: bear, at the end: types: ")


def test_wrong_value_tells_more_than_a_rejected_action() -> None:
    stop = Fail((part("stopped", "CR 601.2: casts"),))
    failures = [
        checked(stop, "G-0001", 1, ("601.2",)),
        checked(Fail((part("types", "CR 305.7: so"),)), "G-0002", 9, ("305.7",)),
    ]

    assert ["305.7", "601.2"] == [group.rule for group in failures_by_cause(failures, failures)]


def test_play_that_should_go_on_names_the_rule_of_the_first_value_that_was_not_reached() -> None:
    """What comes first in the script counts, not what comes first in the file."""
    fixture = all_fixtures()["G-2100"]
    stop = part("stopped", about="script[11], attack", when="script[11], attack")
    attacks, back = (
        replace(part("power", f"CR {rule}: so", look), outcome="unsupported", observed=NOT_REACHED)
        for rule, look in (("702.26d", "at attacks"), ("702.26a", "at back"))
    )
    failure = replace(checked(Fail((stop, attacks, back)), "G-2100", 9, fixture.rules), scenario=fixture)

    assert "702.26a" == cause_of(failure)[0]
    assert "702.26d" == cause_of(replace(failure, verdict=Fail((stop, attacks))))[0]
    assert fixture.rules[0] == cause_of(replace(failure, verdict=Fail((stop,))))[0]


def test_equally_likely_causes_come_with_the_smallest_scenario_first() -> None:
    failures = [
        checked(Fail((part("types", f"CR {rule}: so"),)), id, size, (rule,))
        for rule, id, size in (("613.1", "L-0001", 9), ("613.2", "L-0002", 3), ("613.3", "L-0003", 5))
    ]
    found = failures_by_cause(failures, failures)

    assert ["L-0002", "L-0003", "L-0001"] == [group.smallest.id for group in found]


def test_rules_of_the_likeliest_causes_are_named_together() -> None:
    failures = [
        checked(Fail((part("types", f"CR {rule}: so"),)), f"L-000{size}", size, (rule,))
        for size, rule in enumerate(("613.1", "613.2", "613.1", "613.3", "613.4"), 1)
    ]
    groups = failures_by_cause(failures, failures)

    assert ["4 causes, the likeliest first: CR 613.1, CR 613.2, CR 613.3"] == [*likeliest_rules(groups)]
    assert [] == [*likeliest_rules(groups[:1])]


def test_disputed_check_comes_after_all_failures() -> None:
    failures = [
        checked(Disputed("unclear", "pass", (RIGHT,)), "L-0001", 1),
        checked(Fail((part("types", "CR 305.7: so"),)), "L-0002", 9, ("305.7",)),
    ]
    passed = [checked(PassVerdict((RIGHT,)), f"L-010{n}", rules=("305.7",)) for n in range(9)]

    assert ["L-0002", "L-0001"] == [one.smallest.id for one in failures_by_cause(failures, failures + passed)]


def test_rule_of_a_failure_is_the_one_its_reason_cites_or_else_the_first_of_the_check() -> None:
    assert "305.7" == cause_of(checked(Fail((part("types", "CR 305.7: and so on"),))))[0]
    assert "613.1" == cause_of(checked(Fail((part("types"),))))[0]
    assert "" == cause_of(checked(Fail((part("types"),)), rules=()))[0]
    assert "bear, at the end: types: expected 1, observed 2" == difference_line(
        checked(Fail((part("types"),)), rules=())
    )


def test_engine_that_stops_in_one_way_has_one_cause() -> None:
    stop = PartOfVerdict("fail", "script[2]", "cast bolt", "stopped", "goes on", "rejected: too early")

    assert ("613.1", "rejected: too early") == cause_of(checked(Fail((stop,))))


def test_first_difference_is_the_earliest_in_the_play() -> None:
    fixture = next(
        one
        for one in all_fixtures().values()
        if len({expected.look for expected in one.expect if expected.key != "tried"}) > 2
    )
    looks = [action.name for action in fixture.play.script if isinstance(action, Look)]
    parts = (part("zone"), part("power", when=f"at {looks[-1]}"), part("types", when=f"at {looks[0]}"))
    found = checked(Fail(parts), scenario=fixture)

    assert parts[2] == first_difference(found)
    assert parts[0] == first_difference(replace(found, scenario=None))
    assert None is first_difference(checked(PassVerdict((RIGHT,))))


# ---------------------------------------------------------------------------- what to build next


def needing(score: Score, *features: str, says: str = "") -> tuple[Score, frozenset[str], str]:
    return score, frozenset(features), says


def test_next_is_the_feature_that_alone_adds_most() -> None:
    gain = most_gained(
        [
            needing("passed", "casting"),
            needing("failed", "counters"),
            needing("unsupported", "casting", "combat"),
            needing("unsupported", "counters", "combat"),
            needing("unsupported", "tokens", "combat"),
            needing("unsupported", "tokens"),
        ]
    )

    assert GainOfFeature("combat", 3, 2) == gain
    assert "next: combat, which alone would add 2 checks, and 1 more need it and something else" == str(gain)


def test_next_is_what_the_engine_says_it_lacks_even_if_it_was_shown() -> None:
    gain = most_gained([needing("passed", "teams"), needing("unsupported", "teams")], {"teams"})

    assert "next: teams, which alone would add 1 check" == str(gain)


def test_of_equals_the_easier_is_next_and_what_helps_only_with_others_comes_after() -> None:
    assert "casting" == getattr(
        most_gained([needing("unsupported", "copies"), needing("unsupported", "casting")]), "feature", None
    )
    gain = most_gained([needing("unsupported", "copies", "casting")])
    assert GainOfFeature("casting", 1, 0) == gain
    assert "next: casting; 1 check need it and something else" == str(gain)


def test_without_a_feature_that_explains_it_the_engine_has_the_word() -> None:
    gain = most_gained(
        [needing("unsupported", says="no moons"), needing("unsupported", says="no moons"), needing("passed")]
    )

    assert "most often (2 unsupported checks) it says: no moons" == str(gain)
    assert None is most_gained([needing("passed"), needing("failed")])


def test_a_part_of_which_nothing_was_played_does_not_show_what_is_missing() -> None:
    one = [needing("unsupported", "casting", "switch", says="no spells")]

    assert "it says: no spells" == str(most_gained(one, part=True))
    assert "casting" == getattr(most_gained(one), "feature", None)
    assert "switch" == getattr(most_gained([*one, needing("failed", "casting")], part=True), "feature", None)


def test_every_text_of_a_verdict_can_be_found() -> None:
    assert ["", "", *[EVIL] * 1, "judges differ", *[EVIL] * 5] == [
        text_of_verdict(
            verdict,
        )
        for verdict in VERDICTS
    ]


def test_file_of_a_run_with_something_else_than_a_rule_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    began = begin_event(
        "2026-11-21T10:00:00+00:00", "1", "mine", EngineInfo("mine", "1"), "2026-09-25", RunSelection()
    )
    file.write_bytes(line(began) + line(checked(VERDICTS[0], rules=("613.1", "<b>"))))
    with pytest.raises(ScenarioError, match="'<b>' is not a rule number"):
        read_run(file)

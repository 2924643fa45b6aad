"""The verdict on each kind of answer, as the language of scenarios defines it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from conformance.data.library import all_fixtures
from conformance.model.comparison import alike
from conformance.model.engine import CannotPlay, EngineFailure, FailureKind
from conformance.model.observation import (
    Observations,
    SeenObject,
    SeenPlayer,
    SeenTable,
    SeenToken,
    Snapshot,
    Stopped,
)
from conformance.model.scenario import (
    CardInPlay,
    Equals,
    Expectation,
    Fixture,
    Has,
    Holds,
    InAnyOrder,
    Lacks,
    Number,
    OneOfTest,
    Play,
    SeenCounters,
    Test,
    Value,
)
from conformance.model.verdict import (
    COUNTED_BY,
    Crash,
    Disputed,
    Fail,
    Hang,
    Nondeterministic,
    PassVerdict,
    ProtocolBreach,
    Unsupported,
    judge,
)
from conformance.play.runner import has_expectations
from conformance_adapters.in_process import Reference
from reference_engine.game.game import Game
from reference_engine.game.game_rules import CR
from reference_engine.language.actions import Action, Advance, CastAction, Look, Settle, Try
from reference_engine.language.cards import Card
from reference_engine.language.setup import Player, Start
from reference_engine.language.words import Step
from tests.sweeping import by_day, is_in_share

NOW = "2026-09-25"
ALWAYS = Holds()
BEAR = Card(name="Test Bear", types=frozenset({"Creature"}), power=2, toughness=2)


def expect(
    key: str,
    test: Test | Value,
    *,
    about: str = "bear",
    look: str = "end",
    because: str = "it is so",
    holds: Holds = ALWAYS,
) -> Expectation:
    whole = test if isinstance(test, Equals | Has | Lacks | InAnyOrder | OneOfTest | Number) else Equals(test)
    return Expectation(look=look, about=about, key=key, test=whole, because=because, holds=holds)


def fixture(*expected: Expectation, script: tuple[Action, ...] = (), rules: tuple[str, ...] = ()) -> Fixture:
    return Fixture(
        id="L-0001",
        title="A bear is a bear",
        rules=rules,
        play=Play(
            players=(Player("alice"), Player("bob", team="blue")),
            start=Start("alice"),
            cards=(CardInPlay(BEAR),),
            script=script,
        ),
        expect=expected,
    )


def seen(look: str = "end", bear: Mapping[str, Any] | None = None, **more: Any) -> Observations:
    snapshot = Snapshot(objects={"bear": SeenObject(**(bear or {}))})
    return Observations(looks={look: snapshot}, **more)


def outcomes(verdict: object) -> list[tuple[str, str]]:
    assert isinstance(verdict, PassVerdict | Fail | Unsupported | Disputed)
    return [(part.key, part.outcome) for part in verdict.parts]


# ----------------------------------------------------------------------------- parts and the whole


def test_check_of_which_everything_was_seen_passes() -> None:
    both = fixture(expect("power", 2), expect("toughness", 2))

    verdict = judge(both, seen(bear={"power": 2, "toughness": 2}), NOW)

    assert isinstance(verdict, PassVerdict)
    assert [("power", "pass"), ("toughness", "pass")] == outcomes(verdict)


def test_one_wrong_value_fails_the_check_and_stands_first_with_its_reason() -> None:
    three = fixture(
        expect("power", 2), expect("name", "Bear"), expect("toughness", 2, because="CR 613.4b: set")
    )

    verdict = judge(three, seen(bear={"power": 2, "toughness": 3}), NOW)

    assert isinstance(verdict, Fail)
    assert [("toughness", "fail"), ("name", "unsupported"), ("power", "pass")] == outcomes(verdict)
    first = verdict.parts[0]
    assert ("bear", "after setup", "2", "3", "CR 613.4b: set") == (
        first.about,
        first.when,
        first.expected,
        first.observed,
        first.because,
    )


def test_absent_field_is_unsupported_and_never_a_pass() -> None:
    verdict = judge(fixture(expect("power", 2), expect("toughness", 2)), seen(bear={"power": 2}), NOW)

    assert isinstance(verdict, Unsupported)
    assert "bear, after setup: toughness not reported" == verdict.says


def test_absent_is_not_none() -> None:
    no_power = fixture(expect("power", None))

    assert isinstance(judge(no_power, seen(bear={"power": None}), NOW), PassVerdict)
    assert isinstance(judge(no_power, seen(bear={}), NOW), Unsupported)
    assert isinstance(judge(no_power, Observations(looks={"end": Snapshot()}), NOW), Unsupported)


def test_promised_look_that_is_missing_breaks_the_protocol_whatever_else_is_wrong() -> None:
    two_looks = fixture(
        expect("power", 2, look="early"), expect("power", 2), script=(Look("early"), Settle())
    )

    verdict = judge(two_looks, seen("early", {"power": 7}), NOW)

    assert ProtocolBreach("the look end is missing") == verdict


def test_try_without_an_outcome_breaks_the_protocol() -> None:
    trying = fixture(
        expect("tried", "rejected", about="too_early"),
        script=(Try("too_early", CastAction("bear", by="bob")),),
    )

    assert ProtocolBreach("no outcome of the try too_early") == judge(trying, seen(), NOW)


@pytest.mark.parametrize(("outcome", "verdict"), [("rejected", PassVerdict), ("done", Fail)])
def test_outcome_of_a_try_is_compared(outcome: Any, verdict: type) -> None:
    trying = fixture(
        expect("tried", "rejected", about="too_early"),
        script=(Try("too_early", CastAction("bear", by="bob")),),
    )

    assert isinstance(judge(trying, seen(tried={"too_early": outcome}), NOW), verdict)


# ------------------------------------------------------------------------------------------ stops

SCRIPT: tuple[Action, ...] = (Look("early"), Try("cast", CastAction("bear", by="bob")), Settle())


def stopped(why: Any, bear: Mapping[str, Any] | None = None, at: int = 1, question: str = "") -> Observations:
    return seen("early", bear or {"power": 2}, stopped=Stopped(at, why, says="no more", question=question))


@pytest.mark.parametrize("why", ["rejected", "loop"])
def test_stop_where_the_reference_goes_on_is_a_failure(why: str) -> None:
    verdict = judge(fixture(expect("power", 2, look="early"), script=SCRIPT), stopped(why), NOW)

    assert isinstance(verdict, Fail)
    assert [("stopped", "fail"), ("power", "pass")] == outcomes(verdict)
    assert ("script[1]", "try cast bear") == (verdict.parts[0].about, verdict.parts[0].when)
    assert verdict.parts[0].observed.endswith(": no more")


@pytest.mark.parametrize("why", ["no stop", "unsupported"])
def test_stop_for_want_of_a_feature_is_unsupported(why: str) -> None:
    late = fixture(expect("power", 2, look="early"), expect("power", 3), script=SCRIPT)

    verdict = judge(late, stopped(why), NOW)

    assert isinstance(verdict, Unsupported)
    assert [("stopped", "unsupported"), ("power", "unsupported"), ("power", "pass")] == outcomes(verdict)
    assert f"script[1], try cast bear: stopped {why}: no more" == verdict.says
    assert "not reached" == verdict.parts[1].observed


@pytest.mark.parametrize("why", ["no stop", "unsupported", "question"])
def test_stop_does_not_excuse_an_earlier_look(why: str) -> None:
    late = fixture(expect("power", 2, look="early"), expect("power", 3), script=SCRIPT)

    assert isinstance(judge(late, stopped(why, {"power": 9}, question="may by bob"), NOW), Fail)


@pytest.mark.parametrize(
    ("rules", "verdict"), [(("613.7m",), Fail), (("613.7", "613.8b"), Unsupported), ((), Unsupported)]
)
def test_question_fails_only_a_check_about_that_choice(rules: tuple[str, ...], verdict: type) -> None:
    check = fixture(expect("power", 2, look="early"), script=SCRIPT, rules=rules)

    for question in ("timestamps by alice", "alice must choose timestamps for anthem out of a, b"):
        found = judge(check, stopped("question", question=question), NOW)

        assert isinstance(found, verdict)
        assert isinstance(found, Fail | Unsupported)
        assert f"asked {question}: no more" == found.parts[0].observed


def test_question_of_an_unknown_kind_is_unsupported() -> None:
    check = fixture(expect("power", 2, look="early"), script=SCRIPT, rules=("613.7m",))

    assert isinstance(judge(check, stopped("question", question="why by alice"), NOW), Unsupported)
    assert isinstance(judge(check, stopped("question"), NOW), Unsupported)


def test_looks_after_the_stop_are_not_believed() -> None:
    late = fixture(expect("power", 3), script=SCRIPT)
    both = replace(stopped("unsupported"), looks={"early": Snapshot(), **seen(bear={"power": 3}).looks})

    assert [("stopped", "unsupported"), ("power", "unsupported")] == outcomes(judge(late, both, NOW))


def test_look_before_the_stop_is_promised() -> None:
    late = fixture(expect("power", 2, look="early"), script=SCRIPT)

    assert ProtocolBreach("the look early is missing") == judge(
        late, Observations(stopped=Stopped(2, "rejected")), NOW
    )


def test_try_before_the_stop_is_promised_and_the_one_stopped_at_is_not() -> None:
    late = fixture(expect("tried", "done", about="cast"), script=SCRIPT)

    assert ProtocolBreach("no outcome of the try cast") == judge(late, stopped("unsupported", at=2), NOW)
    assert isinstance(judge(late, stopped("unsupported", at=1), NOW), Unsupported)


@pytest.mark.parametrize("at", [-1, 3, 99])
def test_stop_outside_the_script_breaks_the_protocol(at: int) -> None:
    late = fixture(expect("power", 2, look="early"), script=SCRIPT)

    assert ProtocolBreach(f"stopped at action {at}, but the script has 3") == judge(
        late, stopped("unsupported", at=at), NOW
    )


def test_stop_in_the_setup_of_a_scenario_without_a_script() -> None:
    verdict = judge(
        fixture(expect("power", 2)), Observations(stopped=Stopped(0, "question", question="may")), NOW
    )

    assert isinstance(verdict, Unsupported)
    assert "setup, as things entered: stopped asked may" == verdict.says


def test_action_without_words_of_its_own_is_named_by_its_tag() -> None:
    late = fixture(expect("power", 2, look="early"), script=SCRIPT)

    verdict = judge(
        late, seen("early", {"power": 2}, tried={"cast": "done"}, stopped=Stopped(2, "loop")), NOW
    )

    assert isinstance(verdict, Fail)
    assert "settle" == verdict.parts[0].when


# ------------------------------------------------------------------------- steps without priority

TURN: tuple[Action, ...] = (Look("early"), Settle(), Look("there"), Advance("draw"))
MAINS: frozenset[Step] = frozenset({"precombat main", "postcombat main"})
IN_UPKEEP = expect("step", "upkeep", about="table", look="there", because="CR 503.1: priority in the upkeep")


def mains_and(*steps: Step) -> frozenset[Step]:
    return MAINS | frozenset(steps)


def at_each(step: Step | None, early: int = 2, late: int = 9, **more: Any) -> Observations:
    """A bear with this power before and after the step, and the step that is seen, if any is."""
    table = SeenTable() if step is None else SeenTable(step=step)
    bear = {power: {"bear": SeenObject(power=power)} for power in (early, late)}
    looks = {
        "early": Snapshot(bear[early]),
        "there": Snapshot(bear[late], table=table),
        "end": Snapshot(bear[late]),
    }
    return Observations(looks=looks, **more)


def in_upkeep(*more: Expectation) -> Fixture:
    return fixture(expect("power", 2, look="early"), IN_UPKEEP, expect("power", 2), *more, script=TURN)


def test_step_in_which_an_engine_says_it_gives_no_priority_excuses_what_comes_after() -> None:
    verdict = judge(in_upkeep(), at_each("precombat main"), NOW, steps_with_priority=MAINS)

    assert isinstance(verdict, Unsupported)
    assert [("step", "unsupported"), ("power", "unsupported"), ("power", "pass")] == outcomes(verdict)
    assert "table, at there: step precombat main; it gives no priority in upkeep" == verdict.says
    assert isinstance(judge(in_upkeep(), at_each(None), NOW, steps_with_priority=MAINS), Unsupported)


def test_without_saying_so_nothing_is_excused() -> None:
    for steps in (None, mains_and("upkeep")):
        assert isinstance(judge(in_upkeep(), at_each("draw"), NOW, steps_with_priority=steps), Fail)


def test_nothing_is_excused_before_such_a_step_or_where_the_engine_is_seen_in_it() -> None:
    before = judge(in_upkeep(), at_each("precombat main", early=1), NOW, steps_with_priority=MAINS)
    in_it = judge(in_upkeep(), at_each("upkeep"), NOW, steps_with_priority=MAINS)

    assert isinstance(before, Fail) and isinstance(in_it, Fail)
    assert [("power", "early")] == [
        (part.key, part.when.removeprefix("at ")) for part in before.parts if part.outcome == "fail"
    ]
    assert ("step", "pass") in outcomes(in_it)


def test_step_of_another_edition_excuses_nothing() -> None:
    until = replace(IN_UPKEEP, holds=Holds(until="2020-04-17"))
    check = fixture(until, expect("power", 2), script=TURN)

    assert isinstance(judge(check, at_each("precombat main"), NOW, steps_with_priority=MAINS), Fail)


def test_fixture_about_such_a_step_counts_it_however_it_shows() -> None:
    about = replace(in_upkeep(), id=COUNTED_BY["upkeep"])
    another = replace(about, id=COUNTED_BY["cleanup"])
    no_stop = at_each("upkeep", late=2, stopped=Stopped(3, "no stop"))

    for answer in (at_each("precombat main", late=2), no_stop):
        assert isinstance(judge(about, answer, NOW, steps_with_priority=MAINS), Fail)
    assert isinstance(judge(about, no_stop, NOW), Unsupported)
    assert isinstance(
        judge(another, at_each("precombat main"), NOW, steps_with_priority=mains_and("cleanup")), Unsupported
    )


def test_what_an_engine_meets_on_its_way_past_such_a_step_is_excused() -> None:
    check = fixture(expect("power", 2, look="early"), script=TURN, rules=("514.1",))
    asked = at_each(None, stopped=Stopped(3, "question", question="cards for cleanup"))

    assert isinstance(judge(check, asked, NOW), Fail)
    assert isinstance(judge(check, asked, NOW, steps_with_priority=mains_and("draw")), Fail)
    assert isinstance(judge(check, asked, NOW, steps_with_priority=MAINS), Unsupported)


def passing_by(game: Game, step: Step) -> Game:
    """A step begins, and is over at once if players have priority only in some and nothing waits."""
    game = CR.begin_step(game, step)
    quiet = game.board.step == step and game.holder and not (game.stack or game.deciding or game.over)
    return game.rules.end_step(game) if quiet and step not in STOPS else game


PASSING = {"pass", "advance"}
STOPS: frozenset[Step] = MAINS | {"declare attackers", "declare blockers", "end"}


@pytest.mark.sweep
@pytest.mark.parametrize("one_in", by_day(4))
def test_engine_that_passes_by_steps_and_says_so_fails_only_what_is_about_that(one_in: int) -> None:
    engine = Reference(rules=dataclasses.replace(CR, begin_step=passing_by))
    failed: dict[bool, set[str]] = {True: set(), False: set()}
    for one in all_fixtures().values():
        passes = PASSING & {action.__struct_config__.tag for action in one.play.script}
        is_played = one.id in COUNTED_BY.values() or is_in_share(one.id, one_in)
        if is_played and passes and has_expectations(one, NOW):
            answer = engine.play(one.play)
            for says in (True, False):
                verdict = judge(one, answer, NOW, steps_with_priority=STOPS if says else None)
                if isinstance(verdict, Fail):
                    failed[says].add(one.id)

    assert set(COUNTED_BY.values()) == failed[True]
    assert len(failed[False]) > 20


def test_each_step_with_priority_has_the_fixture_that_shows_it() -> None:
    for step, id in COUNTED_BY.items():
        about = all_fixtures()[id]
        assert ("step", Equals(step)) in [(one.key, one.test) for one in about.expect]


# --------------------------------------------------------------------------------- unused choices


def test_unused_choices_decide_nothing() -> None:
    assert isinstance(
        judge(fixture(expect("power", 2)), seen(bear={"power": 2}, unused=(0, 4)), NOW), PassVerdict
    )
    assert isinstance(judge(fixture(expect("power", 2)), seen(bear={"power": 3}, unused=(0,)), NOW), Fail)


# ----------------------------------------------------------------------- failures, cards, doubts


@pytest.mark.parametrize(
    ("kind", "verdict"), [("protocol", ProtocolBreach), ("crash", Crash), ("hang", Hang)]
)
def test_engine_that_breaks_earns_the_verdict_of_its_failure(kind: FailureKind, verdict: Any) -> None:
    answer = EngineFailure(kind, "what it said", "its last words")

    assert verdict("what it said", "its last words") == judge(fixture(expect("power", 2)), answer, NOW)


def test_engine_that_cannot_be_asked_is_unsupported() -> None:
    check = fixture(expect("power", 2))

    assert Unsupported("no teams") == judge(check, CannotPlay("no teams"), NOW)
    assert Unsupported("no reason given") == judge(check, CannotPlay(), NOW)


def test_failure_that_rests_on_a_card_read_as_text_is_unsupported() -> None:
    check = fixture(expect("power", 2))
    read = seen(bear={"power": 3}, cards={"Test Bear": "text"})

    verdict = judge(check, read, NOW)

    assert isinstance(verdict, Unsupported)
    assert "not known whether the card was understood: Test Bear" == verdict.says
    assert isinstance(judge(check, read, NOW, checks_understanding=True), Fail)
    assert isinstance(judge(check, replace(read, cards={"Test Bear": "named"}), NOW), Fail)
    assert isinstance(judge(check, replace(read, cards={"Another": "text"}), NOW), Fail)
    assert isinstance(judge(check, replace(read, looks=seen(bear={"power": 2}).looks), NOW), PassVerdict)


@pytest.mark.parametrize(
    ("answer", "otherwise"),
    [
        (seen(bear={"power": 2}), "pass"),
        (seen(bear={"power": 3}), "fail"),
        (seen(), "unsupported"),
        (CannotPlay(), "unsupported"),
    ],
)
def test_check_that_we_doubt_is_disputed_and_says_what_it_would_have_been(
    answer: Observations | CannotPlay, otherwise: str
) -> None:
    verdict = judge(replace(fixture(expect("power", 2)), disputed="judges differ"), answer, NOW)

    assert isinstance(verdict, Disputed)
    assert ("judges differ", otherwise) == (verdict.why, verdict.otherwise)


def test_doubt_excuses_no_broken_answer() -> None:
    doubted = replace(fixture(expect("power", 2)), disputed="judges differ")

    assert isinstance(judge(doubted, Observations(), NOW), ProtocolBreach)
    assert isinstance(judge(doubted, EngineFailure("crash", "gone"), NOW), Crash)


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (EngineFailure("protocol", "?"), ProtocolBreach),
        (EngineFailure("crash", "gone"), Crash),
        (EngineFailure("hang", "…"), Hang),
        (Observations(), ProtocolBreach),
        (seen(bear={"power": 3}), Nondeterministic),
        (seen(), Nondeterministic),
        (CannotPlay("no teams"), Nondeterministic),
        (seen(bear={"power": 2}), Nondeterministic),
    ],
)
def test_answer_that_changes_is_worse_than_a_wrong_one_and_better_than_none(
    answer: Observations | CannotPlay | EngineFailure, verdict: type
) -> None:
    for check in (
        fixture(expect("power", 2)),
        replace(fixture(expect("power", 2)), disputed="judges differ"),
    ):
        assert isinstance(judge(check, answer, NOW, changes="once 2, once 3"), verdict)


# ---------------------------------------------------------------------------------------- editions


@pytest.mark.parametrize(
    ("edition", "power", "verdict"),
    [
        ("2020-04-16", 1, PassVerdict),
        ("2020-04-17", 1, Fail),
        ("2020-04-17", 2, PassVerdict),
        ("2026-09-25", 2, PassVerdict),
        ("2020-04-16", 2, Fail),
    ],
)
def test_expectation_counts_from_its_first_date_and_before_its_last(
    edition: str, power: int, verdict: type
) -> None:
    changed = fixture(
        expect("power", 1, holds=Holds(until="2020-04-17")),
        expect("power", 2, holds=Holds(since="2020-04-17")),
    )

    found = judge(changed, seen(bear={"power": power}), edition)

    assert isinstance(found, verdict)
    assert 1 == len(outcomes(found))


def test_check_of_which_nothing_holds_is_not_a_pass() -> None:
    old = fixture(expect("power", 1, holds=Holds(until="2018-04")))

    assert Unsupported("nothing is expected in this edition") == judge(old, seen(), NOW)


# -------------------------------------------------------------------------------------- comparison

EVERY_TYPE = frozenset(f"Type {n}" for n in range(200))


@pytest.mark.parametrize(
    ("key", "test", "right", "wrong"),
    [
        ("power", 2, [2], [3, None]),
        ("power", None, [None], [0]),
        ("tapped", True, [True], [False]),
        ("damage", 1, [1], [0]),
        ("name", "Bear", ["Bear"], ["bear", None]),
        ("colors", (), [frozenset()], [frozenset({"red"})]),
        ("colors", ("red", "blue"), [frozenset({"blue", "red"})], [frozenset({"red"})]),
        ("subtypes", ("Elf",), [frozenset({"Elf"})], [EVERY_TYPE, frozenset({"all creature types"})]),
        (
            "subtypes",
            ("Forest", "all creature types"),
            [EVERY_TYPE | {"Forest"}, frozenset({"Forest", "all creature types", "Elf"})],
            [EVERY_TYPE, frozenset({"Forest", "Elf"})],
        ),
        (
            "counters",
            (SeenCounters("+1/+1", 2),),
            [(SeenCounters("+1/+1", 2),)],
            [(SeenCounters("+1/+1", 1),), ()],
        ),
        (
            "counters",
            (SeenCounters("time", 1), SeenCounters("flying", 1)),
            [(SeenCounters("flying", 1), SeenCounters("time", 1))],
            [(SeenCounters("time", 1),)],
        ),
        ("abilities", ("mana", "mana"), [("mana", "mana")], [("mana",)]),
        ("targets", ("a", "b"), [("a", "b")], [("b", "a"), ("a",)]),
        ("targets", InAnyOrder(("a", "b")), [("a", "b"), ("b", "a")], [("a",), ("a", "b", "b")]),
        ("keywords", Has(("haste",)), [frozenset({"haste", "fear"})], [frozenset(), frozenset({"fear"})]),
        ("keywords", Lacks(("haste", "fear")), [frozenset({"reach"})], [frozenset({"haste"})]),
        ("subtypes", Has(("Elf", "Forest")), [EVERY_TYPE | {"Forest"}], [EVERY_TYPE, frozenset({"Elf"})]),
        ("subtypes", Lacks(("Elf",)), [frozenset({"Goat"})], [EVERY_TYPE, frozenset({"all creature types"})]),
        ("subtypes", Has(("all creature types",)), [EVERY_TYPE], [frozenset({"Elf", "Goat"})]),
        ("power", OneOfTest((Equals(1), Equals(None))), [1, None], [2]),
        (
            "colors",
            OneOfTest((Equals(("red",)), Equals(()))),
            [frozenset(), frozenset({"red"})],
            [frozenset({"blue"})],
        ),
    ],
)
def test_what_agrees_and_what_does_not(
    key: str, test: Test | Value, right: list[Any], wrong: list[Any]
) -> None:
    check = fixture(expect(key, test))

    for value in right:
        assert isinstance(judge(check, seen(bear={key: value}), NOW), PassVerdict), value
    for value in wrong:
        assert isinstance(judge(check, seen(bear={key: value}), NOW), Fail), value


@pytest.mark.parametrize("test", [Has(("a",)), Lacks(("a",)), InAnyOrder(("a",)), InAnyOrder(()), ("a",)])
@pytest.mark.parametrize("value", ["a", "b", None, 1])
def test_question_about_several_things_is_not_answered_by_one(test: Test | Value, value: Any) -> None:
    assert isinstance(judge(fixture(expect("name", test)), seen(bear={"name": value}), NOW), Fail)


def test_one_is_not_yes() -> None:
    assert isinstance(judge(fixture(expect("tapped", True)), seen(bear={"tapped": 1}), NOW), Fail)


def test_stack_and_graveyard_are_lists_and_a_hand_is_a_set() -> None:
    check = fixture(
        expect("stack", ("grenade", "persist of redcap"), about="table"),
        expect("graveyard", ("bolt", "bear"), about="alice"),
        expect("hand", ("bolt", "bear"), about="bob"),
    )

    def with_order(*graveyard: str) -> Observations:
        return Observations(
            looks={
                "end": Snapshot(
                    players={
                        "alice": SeenPlayer(graveyard=graveyard),
                        "bob": SeenPlayer(hand=frozenset({"bear", "bolt"})),
                    },
                    table=SeenTable(stack=("grenade", "persist of redcap")),
                )
            }
        )

    assert isinstance(judge(check, with_order("bolt", "bear"), NOW), PassVerdict)
    verdict = judge(check, with_order("bear", "bolt"), NOW)
    assert [("graveyard", "fail"), ("stack", "pass"), ("hand", "pass")] == outcomes(verdict)


def test_team_is_looked_for_among_the_players() -> None:
    check = fixture(expect("life", 30, about="blue"))

    assert isinstance(
        judge(check, Observations(looks={"end": Snapshot(players={"blue": SeenPlayer(life=30)})}), NOW),
        PassVerdict,
    )


@pytest.mark.parametrize(
    ("number", "verdict", "observed"),
    [
        (Number("Rogue", 2), PassVerdict, "2"),
        (Number("Rogue", 1, "alice"), PassVerdict, "1"),
        (Number("Rogue", 1), Fail, "2"),
        (Number("Elf", 1), Fail, "0"),
        (Number("Soldier", 1), PassVerdict, "1"),
    ],
)
def test_tokens_are_counted_by_name_and_controller(number: Number, verdict: type, observed: str) -> None:
    tokens = (
        SeenToken("Rogue", "alice"),
        SeenToken("Rogue", "bob"),
        SeenToken(None, "bob"),
        SeenToken("Soldier Token", "bob"),
    )
    table = Observations(looks={"end": Snapshot(table=SeenTable(tokens=tokens))})

    found = judge(fixture(expect("tokens", number, about="table")), table, NOW)

    assert isinstance(found, verdict)
    assert isinstance(found, PassVerdict | Fail)
    assert observed == found.parts[0].observed


def test_tokens_have_no_order() -> None:
    tokens = (SeenToken("Clue", "alice"), SeenToken("Wizard", "bob"), SeenToken("Clue", "alice"))

    assert alike(tokens, tokens[::-1], "tokens")
    assert not alike(tokens, tokens[:2], "tokens")
    assert not alike(("clue", "wizard"), ("wizard", "clue"), "stack")


def test_tokens_that_were_not_reported_are_not_none() -> None:
    nothing = Observations(looks={"end": Snapshot()})

    assert isinstance(
        judge(fixture(expect("tokens", Number("Elf", 0), about="table")), nothing, NOW), Unsupported
    )


@pytest.mark.parametrize(
    ("key", "test", "value", "expected", "observed"),
    [
        ("subtypes", ("Plains",), frozenset({"Swamp", "Plains"}), "Plains", "Plains, Swamp"),
        ("subtypes", (), EVERY_TYPE, "[]", "all creature types"),
        ("power", None, 0, "none", "0"),
        ("tapped", True, False, "yes", "no"),
        ("power", 2, UNSET, "2", "not reported"),
        ("targets", ("b", "a"), ("a", "b"), "b, a", "a, b"),
        ("counters", (), (SeenCounters("+1/+1", 2),), "[]", "2 +1/+1"),
        ("keywords", Has(("a", "b")), frozenset(), "a, b among others", "[]"),
        ("keywords", Lacks(("a",)), frozenset({"a"}), "no a", "a"),
        ("keywords", Lacks(("a", "b")), frozenset({"a"}), "none of a, b", "a"),
        ("targets", InAnyOrder(("b", "a")), (), "b, a in any order", "[]"),
        ("power", OneOfTest((Equals(2), Equals(None))), 3, "2 or none", "3"),
        ("tokens", Number("Elf", 2), UNSET, "2 tokens named Elf", "not reported"),
        ("tokens", Number("Elf", 2, "bob"), (), "2 tokens named Elf, controlled by bob", "0"),
        ("tokens", (), (SeenToken("Elf", "bob"),), "[]", "Elf of bob"),
    ],
)
def test_expected_and_observed_in_words(
    key: str, test: Test | Value, value: Any, expected: str, observed: str
) -> None:
    about = "table" if key == "tokens" else "bear"
    snapshot = (
        Snapshot(table=SeenTable(tokens=value))
        if key == "tokens"
        else Snapshot(objects={"bear": SeenObject(**{key: value})})
    )

    verdict = judge(fixture(expect(key, test, about=about)), Observations(looks={"end": snapshot}), NOW)

    assert isinstance(verdict, Fail | Unsupported)
    assert (expected, observed) == (verdict.parts[0].expected, verdict.parts[0].observed)


@pytest.mark.parametrize(
    ("look", "script", "when"),
    [("end", (), "after setup"), ("end", (Settle(),), "at the end"), ("early", (Look("early"),), "at early")],
)
def test_moment_of_a_look_in_words(look: str, script: tuple[Action, ...], when: str) -> None:
    wrong = Snapshot(objects={"bear": SeenObject(power=1)})

    verdict = judge(
        fixture(expect("power", 2, look=look), script=script),
        Observations(looks={"end": wrong, "early": wrong}),
        NOW,
    )

    assert isinstance(verdict, Fail)
    assert when == verdict.parts[0].when

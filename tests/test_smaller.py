"""A scenario is reduced to what it needs to show a failure."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from conformance.data.library import all_fixtures, pool
from conformance.data.rulebook import newest_edition
from conformance.model.observation import Observations, Stopped
from conformance.model.scenario import Fixture, Play
from conformance.model.verdict import Fail, PassVerdict, judge
from conformance.mutants import MUTANTS
from conformance.run.reasons import reasons_by
from conformance.search.found import ComparedAnswer, counterexample
from conformance.search.law_checks import JudgedEngine, smaller_counterexample
from conformance.search.smaller import smallest, without_object
from conformance.strategies.means import EVERYTHING
from conformance.strategies.scripts import HeldCard, Permanent, SeatedPlayer, table
from conformance_adapters.in_process import Reference, with_rules_of
from reference_engine.language.actions import CastAction, Look, Pay, PayStep


def asked(mutant: str) -> JudgedEngine:
    """A mutant, beside the reference engine."""
    engine = Reference(rules=with_rules_of(next(one for one in MUTANTS if one.name == mutant)))
    return JudgedEngine(
        engine,
        lambda: engine,
        EVERYTHING,
        Reference().play,
        newest_edition(),
        engine.describe(),
        reasons_by(newest_edition()),
    )


def made(fixture: Fixture, mutant: str, moments: int = 1_000_000) -> Fixture:
    """The fixture after this many steps of shrinking."""
    ticks = iter(range(moments))
    there = asked(mutant)
    smaller, _ = smaller_counterexample(
        fixture, there.engine.play(fixture.play), there, lambda: next(ticks, None) is not None
    )
    return smaller


def failed(fixture: Fixture, mutant: str) -> tuple[type, type]:
    """The kinds of verdict on a fixture, for the reference engine and for a mutant."""
    engines = Reference(), asked(mutant).engine
    reference, broken = (
        judge(fixture, engine.play(fixture.play), newest_edition(), checks_understanding=True)
        for engine in engines
    )
    return type(reference), type(broken)


def doing(play: Play) -> int:
    return sum(not isinstance(action, Look) for action in play.script)


def test_what_is_not_needed_goes_and_the_rest_still_shows_it() -> None:
    before = all_fixtures()["L-0114"]

    after = made(before, "timestamps-only")

    assert (PassVerdict, Fail) == failed(after, "timestamps-only")
    assert len(after.play.objects) < len(before.play.objects)
    assert {"urborg", "moon"} <= {one.id for one in after.play.objects}
    assert {one.card for one in after.play.objects} == {card.definition.name for card in after.play.cards}


def test_actions_go_too() -> None:
    before = all_fixtures()["G-0077"]

    after = made(before, "passes-not-reset")

    assert (PassVerdict, Fail) == failed(after, "passes-not-reset")
    assert 0 < doing(after.play) <= doing(before.play)


def test_without_time_it_stays_as_it_is() -> None:
    before = all_fixtures()["L-0114"]

    assert before == made(before, "timestamps-only", moments=0)


class Refusing(Reference):
    """Gets a scenario wrong like a mutant, and refuses whatever is smaller."""

    def __init__(self, mutant: str, whole: Play) -> None:
        super().__init__(rules=with_rules_of(next(one for one in MUTANTS if one.name == mutant)))
        self.whole = whole

    def play(self, scenario: Play) -> Observations:
        if len(scenario.objects) < len(self.whole.objects):
            return Observations(stopped=Stopped(0, "rejected"))
        return super().play(scenario)


def test_a_wrong_value_does_not_become_a_refusal() -> None:
    before = all_fixtures()["L-0114"]
    engine = Refusing("timestamps-only", before.play)
    there = replace(asked("timestamps-only"), engine=engine)

    after, answer = smaller_counterexample(before, engine.play(before.play), there, lambda: True)

    assert len(before.play.objects) == len(after.play.objects)
    assert isinstance(answer, Observations)
    assert answer.stopped is None


def test_the_answer_is_the_one_to_the_smaller_scenario() -> None:
    before = all_fixtures()["G-0077"]
    there = asked("passes-not-reset")
    looking = replace(before, play=replace(before.play, script=(Look("early"), *before.play.script)))

    after, answer = smaller_counterexample(looking, there.engine.play(looking.play), there, lambda: True)

    assert Look("early") not in after.play.script
    assert there.engine.play(after.play) == answer


def test_a_step_in_which_an_engine_cannot_be_asked_shows_nothing() -> None:
    play = all_fixtures()["G-0077"].play
    expected = Reference().play(play)

    def shown(why: Literal["rejected", "no stop"]) -> Fixture | None:
        answer = Observations(stopped=Stopped(0, why))
        return counterexample([ComparedAnswer(play, answer, expected)], "it", ("117.4",), "CR 117.4", None)

    assert shown("rejected") is not None
    assert shown("no stop") is None


def test_nothing_is_taken_out_of_what_needs_everything() -> None:
    play = all_fixtures()["L-0114"].play

    assert play == smallest(play, lambda smaller: False, lambda: True)


def test_everything_goes_if_nothing_is_needed() -> None:
    play = all_fixtures()["G-0077"].play
    least = smallest(play, lambda smaller: True, lambda: True)

    assert 0 == doing(least)
    assert ((), ()) == (least.objects, least.setup)
    assert replace(play, script=(), objects=(), setup=(), cards=(), wants=()).start == least.start


def test_a_payment_without_its_land_is_illegal_and_no_crash() -> None:
    forest, bears = pool()["Forest"], pool()["Grizzly Bears"]
    seated = [SeatedPlayer("alice", hand=[HeldCard("bears", bears)]), SeatedPlayer("bob")]
    lands = [Permanent("one", forest, "alice"), Permanent("other", forest, "alice")]
    cast = CastAction("bears", "alice", pay=Pay((PayStep(activate="one"), PayStep(activate="other"))))
    play = table(seated, lands, script=[cast])

    assert Reference().play(play).stopped is None
    stopped = Reference().play(without_object(play, "other")).stopped
    assert stopped is not None
    assert "rejected" == stopped.why


def test_large_parts_go_first() -> None:
    forest = pool()["Forest"]
    lands = [Permanent(f"land{number}", forest, "alice") for number in range(64)]
    play = table(
        [SeatedPlayer("alice"), SeatedPlayer("bob")], lands, script=[Look(f"at_{n}") for n in range(3)]
    )
    tried: list[Play] = []

    def shows(candidate: Play) -> bool:
        tried.append(candidate)
        return any(one.id == "land40" for one in candidate.objects)

    small = smallest(play, shows, lambda: True)
    assert ["land40"] == [one.id for one in small.objects]
    assert len(tried) < 40

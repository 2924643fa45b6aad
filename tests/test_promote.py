"""A counterexample becomes a fixture as a person would have written it, and `check` accepts it."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from conformance.cli import main
from conformance.data.library import all_fixtures, load
from conformance.data.loading import checked_fixtures
from conformance.data.rulebook import newest_edition
from conformance.files.shortening import short_file
from conformance.files.yaml_tree import tree_of
from conformance.model.renaming import renamed, renamed_play
from conformance.model.scenario import Equals, Expectation, Fixture, Origin
from conformance.model.verdict import Fail, PassVerdict, judge
from conformance.mutants import MUTANTS
from conformance.properties import PROPERTIES
from conformance.run.diagnosis import reason_for
from conformance.search.found import ComparedAnswer, counterexample, keep
from conformance.search.promote import with_reason
from conformance.strategies.means import EVERYTHING
from conformance_adapters.in_process import Reference, with_rules_of
from tests.searching import first_counterexample
from tests.sweeping import parts

NEWEST = newest_edition()


def found(mutant: str, law: str) -> Fixture:
    """What a property finds in a mutant, as a search keeps it."""
    rules = with_rules_of(next(one for one in MUTANTS if one.name == mutant))
    prop = next(one for one in PROPERTIES if one.name == law)
    find = first_counterexample(Reference(rules=rules).play, prop, EVERYTHING, seed=0, examples=200)
    assert find is not None
    compared = [ComparedAnswer(one.play, one.answer, Reference().play(one.play)) for one in find.asked]
    fixture = counterexample(
        compared, prop.says, prop.rules, "CR 613.8: gist", Origin(law, 0, find.signature)
    )
    assert fixture is not None
    return fixture


def called(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False, prog_name="conformance")


def verdict(fixture: Fixture, engine: Reference) -> object:
    return judge(fixture, engine.play(fixture.play), NEWEST, checks_understanding=True)


@pytest.mark.parametrize(
    ("mutant", "law"),
    [
        ("timestamps-only", "a_dependency_outranks_age"),
        ("by-id", "the_later_timestamp_wins"),
        ("priority-to-opponent", "the_active_player_acts_after_a_resolution"),
        ("anybody-passes", "nobody_acts_without_priority"),
    ],
)
def test_promoted_counterexample_is_a_fixture_that_shows_the_bug(
    tmp_path: Path, mutant: str, law: str
) -> None:
    file = keep(tmp_path / "found", found(mutant, law))

    result = called("promote", str(file), "--to", str(tmp_path / "new"))

    assert 0 == result.exit_code, result.output
    [written] = (tmp_path / "new").iterdir()
    assert str(written.name) in result.stdout
    assert 0 == called("check", str(written)).exit_code
    fixture = load(written)
    broken = Reference(rules=with_rules_of(next(one for one in MUTANTS if one.name == mutant)))
    assert isinstance(verdict(fixture, Reference()), PassVerdict)
    assert isinstance(verdict(fixture, broken), Fail)
    assert re.fullmatch(r"[LG]-\d{4}", fixture.id)
    assert fixture.id not in all_fixtures()
    assert all(re.match(r"CR \d{3}\.\d+[a-z]*: ", one.because) for one in fixture.expect)
    assert '"op"' not in written.read_text(encoding="utf-8")


ANSWERED = Fixture(
    "",
    "What must be told of a try",
    ("117.1",),
    all_fixtures()["G-0069"].play,
    tuple(replace(one, because="") for one in all_fixtures()["G-0069"].expect),
)


def reasons(fixture: Fixture) -> dict[tuple[str, str, str], str]:
    """The reason for each expectation of a fixture, as promote writes it."""
    reason = partial(reason_for, edition=NEWEST)
    return {
        (one.look, one.about, one.key): with_reason(one, fixture, reason).because for one in fixture.expect
    }


def test_a_reason_tells_what_decided_and_the_rule_that_the_trace_gives() -> None:
    told = reasons(ANSWERED)

    gets = "CR 117.3b: alice gets priority: the active player, after a resolution"
    assert gets == told["resolved", "table", "priority"]
    assert "alice loses 2 life" in told["resolved", "alice", "life"]


def test_a_try_has_the_reason_why_it_was_refused_or_what_it_did() -> None:
    told = reasons(ANSWERED)

    refused = told["end", "caster_first", "tried"]
    assert refused.startswith("CR 117.1: bob tries to cast bolt")
    assert "bob does not have priority" in refused
    assert told["end", "land", "tried"].startswith("CR 116.2a: alice plays forest")


def test_what_nothing_decided_keeps_the_reason_it_was_found_by() -> None:
    kept = "CR 400.1: every card is in one zone"
    untouched = Expectation("end", "bolt", "zone", Equals("hand"), kept)
    quiet = replace(ANSWERED, play=replace(ANSWERED.play, script=()), expect=(untouched,))

    assert [kept] == list(reasons(quiet).values())


def test_each_gets_an_id_and_a_name_of_its_own(tmp_path: Path) -> None:
    file = keep(tmp_path / "found", found("timestamps-only", "a_dependency_outranks_age"))

    for _ in range(2):
        called("promote", str(file), "--to", str(tmp_path / "new"))

    one, other = (load(path) for path in sorted((tmp_path / "new").iterdir()))
    assert {1} == {abs(int(one.id[2:]) - int(other.id[2:]))}
    assert one.play == other.play


def test_words_that_could_be_misread_are_no_ids_of_a_file(tmp_path: Path) -> None:
    fixture = found("timestamps-only", "a_dependency_outranks_age")
    names = {"land": "everyone"}
    taken = replace(
        fixture,
        play=renamed_play(fixture.play, names),
        expect=tuple(renamed(one, names) for one in fixture.expect),
    )
    assert "everyone" in [one.id for one in taken.play.objects]

    called("promote", str(keep(tmp_path / "found", taken)), "--to", str(tmp_path / "new"))

    [written] = (tmp_path / "new").iterdir()
    assert "everyone1" in [one.about for one in load(written).expect]


@pytest.mark.parametrize("part", parts(4, by_day=1))
def test_short_file_reads_as_what_it_was_written_from(part: int) -> None:
    for fixture in list(all_fixtures().values())[part::48]:
        cards = [card.definition for card in fixture.play.cards if not card.real]
        text = short_file(fixture, cards)
        [again] = checked_fixtures(tree_of(text, fixture.id), fixture.id)

        same = replace(again.fixture, source=fixture.source, holds=fixture.holds, disputed=fixture.disputed)
        for name in ("players", "start", "objects", "setup", "script"):
            assert getattr(fixture.play, name) == getattr(same.play, name), text
        assert {str(one.test) for one in fixture.expect} == {str(one.test) for one in same.expect}

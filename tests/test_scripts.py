"""Drawn scripts could have been written by a person: valid, playable, within an engine's features, and
small when they fail.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from msgspec import convert, to_builtins

from conformance.checks.fixtures import wrong_play
from conformance.data.library import pool
from conformance.data.loading import known_names
from conformance.measure.reach import examples_of
from conformance.model.engine import CannotPlay, EngineFailure
from conformance.model.features import FEATURES, features_of
from conformance.model.observation import Observations, Snapshot
from conformance.model.scenario import Play
from conformance.mutants import MUTANTS
from conformance.properties import PROPERTIES, Broken, Property
from conformance.properties.games import all_must_pass_in_succession
from conformance.properties.seeing import moments, require_end
from conformance.strategies.means import EVERYTHING, Means
from conformance.strategies.scripts import can_say, games, with_looks
from conformance_adapters.in_process import Reference, with_rules_of
from reference_engine.language.actions import Call, ChooseAction, Look, Pass, Try
from tests.drawn import drawn

few = settings(
    max_examples=25,
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),  # these tests inspect what is drawn, however long it takes
)
REFERENCE = Reference()


@pytest.mark.sweep
@few
@given(games())
def test_a_drawn_game_is_valid_and_is_played_to_its_end(play: Play) -> None:
    looked = with_looks(play)

    assert [] == [str(finding) for finding in wrong_play(looked, known_names())]
    for one in (play, looked):
        observed = REFERENCE.play(one)
        assert (None, ()) == (observed.stopped, observed.unused)


def test_an_answer_names_nothing_that_has_no_name() -> None:
    assert can_say(ChooseAction("targets", "alice", ("bear",)))
    assert not can_say(ChooseAction("targets", "alice", ("Elemental#11",)))


@few
@given(games())
def test_a_drawn_game_is_the_same_after_it_was_written_down(play: Play) -> None:
    assert play == convert(to_builtins(play), Play)


@few
@given(games().map(with_looks))
def test_there_is_a_look_after_each_action_and_none_before_what_was_chosen_for(play: Play) -> None:
    script = play.script
    for one, following in pairwise(script):
        assert not (isinstance(one, ChooseAction) and isinstance(following, Look))
    # An action that creates tokens and the naming of them share one look, after both.
    done = [
        one
        for one, following in pairwise((*script, Look("end")))
        if not isinstance(one, Call | ChooseAction | Look) and not isinstance(following, Call)
    ]
    assert len(done) <= len(list(moments(play, REFERENCE.play(play))))


LACKS = (
    {"choices", "triggers", "combat"},
    {"three players", "teams", "targets", "tokens"},
    {"activated abilities", "attachments", "anthems", "copies", "control", "counters"},
    {"casting", "lands"},
    {"steps", "special actions"},
    {"payments", "costs"},
)


@pytest.mark.parametrize("lacks", LACKS, ids=min)
def test_nothing_is_drawn_that_an_engine_lacks(lacks: set[str]) -> None:
    @settings(few, max_examples=15)
    @given(games(Means(lacks=frozenset(lacks)), pays=True))
    def draw(play: Play) -> None:
        assert frozenset() == features_of(play) & lacks

    draw()


def test_an_engine_that_knows_cards_by_name_gets_those_it_knows() -> None:
    names = ("Grizzly Bears", "Lightning Bolt", "Giant Growth", "Forest", "Llanowar Elves")
    means = Means(takes=frozenset({"named"}), real=tuple(pool()[name] for name in names))
    done = 0

    @few
    @given(games(means))
    def draw(play: Play) -> None:
        nonlocal done
        assert {card.definition.name for card in play.cards} <= set(names)
        assert all(card.real for card in play.cards)
        done += bool(play.script)

    draw()
    assert done > 10


@pytest.mark.sweep
def test_illegal_things_are_tried_at_a_rate() -> None:
    tried = actions = 0

    @settings(few, max_examples=100)
    @given(games())
    def draw(play: Play) -> None:
        nonlocal tried, actions
        tried += sum(isinstance(one, Try) for one in play.script)
        actions += len(play.script)

    draw()
    assert 0.03 < tried / actions < 0.3


def test_what_breaks_a_law_becomes_small() -> None:
    careless = next(mutant for mutant in MUTANTS if mutant.name == "one-pass")
    engine = Reference(rules=with_rules_of(careless))

    def breaks(play: Play) -> bool:
        try:
            all_must_pass_in_succession(engine.play, play)
        except Broken:
            return True
        return False

    smallest = find(
        all_must_pass_in_succession.cases(EVERYTHING), breaks, settings=settings(few, phases=tuple(Phase))
    )

    [action] = [one for one in smallest.script if not isinstance(one, Look)]
    assert isinstance(action, Pass)
    assert 2 == len(smallest.players)


GAME_LAWS = [law for law in PROPERTIES if law.check.__module__.startswith("conformance.properties.games")]


@pytest.mark.sweep
@pytest.mark.parametrize("law", GAME_LAWS, ids=[law.name for law in GAME_LAWS])
def test_a_law_of_games_plays_nothing_but_what_it_says_it_needs(law: Property[Any]) -> None:
    lacks = frozenset(FEATURES) - law.needs
    plays = examples_of(law, REFERENCE.play, 2, means=Means(lacks=lacks))

    assert frozenset() == frozenset().union(*(features_of(play) for one in plays for play in one)) & lacks


def shows_nothing(play: Play) -> Observations:
    """Every look, with nothing in it."""
    names = [one.name for one in play.script if isinstance(one, Look)]
    tried: dict[str, Any] = {one.name: "rejected" for one in play.script if isinstance(one, Try)}
    return Observations(looks={name: Snapshot() for name in (*names, "end")}, tried=tried)


@pytest.mark.sweep
@pytest.mark.parametrize("law", GAME_LAWS, ids=[law.name for law in GAME_LAWS])
def test_no_law_of_games_is_kept_by_showing_nothing(law: Property[Any]) -> None:
    for one in drawn(law)[:3]:
        with pytest.raises((Broken, CannotPlay)):
            law(shows_nothing, one.case)
        with pytest.raises(EngineFailure):
            law(lambda play: Observations(), one.case)


def test_an_engine_on_which_nothing_changes_is_noticed() -> None:
    play = find(
        games().map(with_looks), lambda play: any(isinstance(a, Pass) for a in play.script), settings=few
    )
    first = REFERENCE.play(play).looks["at_0"]
    constant = Observations(looks=dict.fromkeys((*REFERENCE.play(play).looks,), first))

    with pytest.raises(Broken):
        require_end(constant, play, "CR 117.3d: who passes no longer has priority")

"""Whole games of real cards: drawn by a number, played as far as an engine can, and compared as they go."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from conformance.data.library import pool, real_cards
from conformance.model.engine import CannotPlay
from conformance.model.observation import Observations, Snapshot, Stopped
from conformance.model.scenario import Play
from conformance.properties.games_agreement import (
    FirstDifference,
    agree,
    up_to,
    whole_games_go_as_the_rules_say,
)
from conformance.properties.law import Broken
from conformance.strategies.means import EVERYTHING
from conformance.strategies.scripts import (
    HeldCard,
    Permanent,
    SeatedPlayer,
    cards_come_by_chance,
    table,
    with_looks,
)
from conformance.strategies.whole_games import (
    BASICS,
    SPELLS_IN_DECK,
    DeckSchedule,
    WholeGame,
    cards_for_decks,
    colors_of,
    played_game,
)
from conformance_adapters.in_process import Reference, play_through
from reference_engine.game.game import Game
from reference_engine.game.game_rules import CR
from reference_engine.language.actions import Action, CastAction, Look, Pass, Resolve
from reference_engine.language.words import COLORS
from tests.playing import left
from tools.met import met_cards

pytestmark = pytest.mark.sweep

REFERENCE = Reference().play


def games(many: int, seed: int = 0) -> list[WholeGame]:
    dice = random.Random(seed)
    schedule = DeckSchedule(cards_for_decks(EVERYTHING))
    return [schedule.of(dice.randbytes(6), EVERYTHING) for _ in range(many)]


def looks_before(at: int, scenario: Play, observed: Observations) -> dict[str, Snapshot]:
    """The looks of a play up to an index in its script."""
    names = [one.name for one in scenario.script[:at] if isinstance(one, Look)]
    return {name: observed.looks[name] for name in names}


def test_a_number_is_always_the_same_game() -> None:
    one, other = games(3), games(3)
    assert one == other
    assert [played_game(game) for game in one] == [played_game(game) for game in other]


def test_decks_keep_to_their_colors_and_come_in_turn() -> None:
    drawn = games(40)
    assert len({card.name for game in drawn for deck in game.decks for card in deck.spells}) > 700
    for game in drawn:
        for deck in game.decks:
            assert len(deck.spells) == SPELLS_IN_DECK
            colors = frozenset().union(*map(colors_of, deck.spells))
            assert colors <= {color for color in COLORS if real_cards()[BASICS[color]] in deck.lands}
    pairs = {tuple(tuple(land.name for land in deck.lands) for deck in game.decks) for game in drawn}
    assert len(pairs) > 30


def test_games_last_several_turns_and_cast_spells() -> None:
    turns, cast, paid = [], 0, 0
    for game in games(8):
        play = played_game(game)
        through = play_through(play, CR)
        assert through.observations.stopped is None
        turns.append(max(after.turn for _, after in through.course if isinstance(after, Game)))
        cast += sum(isinstance(action, CastAction) for action in play.script)
        paid += sum(isinstance(action, CastAction) and action.pay is not None for action in play.script)
    assert sorted(turns)[4] >= 6
    assert cast >= 40
    assert paid >= 7


def test_a_card_that_an_engine_does_not_take_is_in_no_deck() -> None:
    [game] = games(1)
    refused = game.cards[3].name
    seen: list[Play] = []

    def play(scenario: Play) -> Observations:
        if refused in {one.card for one in scenario.objects}:
            return Observations(stopped=Stopped(0, "unsupported", says="never heard of it"))
        seen.append(scenario)
        return REFERENCE(scenario)

    whole_games_go_as_the_rules_say(play, game)
    assert any(len(scenario.script) > 50 for scenario in seen)


def test_a_game_that_cannot_go_on_is_played_again_without_the_card() -> None:
    [game] = games(1)
    played = played_game(game)
    first = next(at for at, action in enumerate(played.script) if isinstance(action, CastAction))
    unable = played.script[first].what  # type: ignore[union-attr]  # a cast
    named = {one.id: one.card for one in played.objects}[unable]
    asked: list[Play] = []

    def play(scenario: Play) -> Observations:
        asked.append(scenario)
        ids = {one.id for one in scenario.objects if one.card == named}
        observed = REFERENCE(scenario)
        for at, action in enumerate(scenario.script):
            if isinstance(action, CastAction) and action.what in ids:
                looks = {
                    one.name: observed.looks[one.name]
                    for one in scenario.script[:at]
                    if isinstance(one, Look)
                }
                return Observations(
                    looks=looks,
                    stopped=Stopped(at, "unsupported", says="casting it"),
                )
        return observed

    whole_games_go_as_the_rules_say(play, game)
    long = [scenario for scenario in asked if len(scenario.script) > 50]
    assert [True, False] == [named in {one.card for one in scenario.objects} for scenario in long]


def test_an_engine_that_can_play_no_card_plays_no_game() -> None:
    [game] = games(1)

    def play(scenario: Play) -> Observations:
        return Observations(stopped=Stopped(0, "unsupported", says="everything"))

    with pytest.raises(CannotPlay):
        whole_games_go_as_the_rules_say(play, game)


def test_what_is_kept_of_a_difference_ends_where_it_shows() -> None:
    [game] = games(1)
    asked: list[Play] = []

    def play(scenario: Play) -> Observations:
        """An engine in which passing is illegal from the tenth time on."""
        asked.append(scenario)
        passes = [at for at, action in enumerate(scenario.script) if isinstance(action, Pass)]
        observed = REFERENCE(scenario)
        if len(passes) < 10:
            return observed
        at = passes[9]
        return Observations(
            looks=looks_before(at, scenario, observed), stopped=Stopped(at, "rejected", says="no more")
        )

    with pytest.raises(Broken, match="no more"):
        whole_games_go_as_the_rules_say(play, game)
    longest, shortest = max(asked, key=size), asked[-1]
    assert not [action for action in shortest.script if isinstance(action, Look)]
    assert isinstance(shortest.script[-1], Pass)
    assert size(shortest) < size(longest) / 2


def size(play: Play) -> int:
    return len(play.script)


def test_a_shortened_play_differs_in_the_same_place() -> None:
    [game] = games(1)
    play = played_game(game)

    def wrong(scenario: Play) -> Observations:
        observed = REFERENCE(scenario)
        names = [one.name for one in scenario.script if isinstance(one, Look)]
        if len(names) < 4:
            return observed
        del observed.looks[names[3]].players["alice"]
        return observed

    agree(wrong, play, to_the_end=False)  # what is not shown is not wrong
    at = [index for index, action in enumerate(play.script) if isinstance(action, Look)][3]
    short = up_to(play, at)
    assert {"end"} == {want.look for want in short.wants}
    assert REFERENCE(short).looks["end"] == REFERENCE(play).looks[play.script[at].name]  # type: ignore[union-attr]  # a look


def test_a_game_that_is_over_is_compared_no_further() -> None:
    bolt = pool()["Lightning Bolt"]
    seated = [SeatedPlayer("alice", hand=[HeldCard("bolt", bolt)]), SeatedPlayer("bob", life=3)]
    script: list[Action] = [CastAction("bolt", "alice", targets=(("bob",),)), Resolve("bolt")]
    play = with_looks(table(seated, script=script))

    def leaves(stack: str, over: bool) -> Callable[[Play], Observations]:
        """An engine that shows something on the stack at the end, and whether the game is over."""

        def played(scenario: Play) -> Observations:
            observed = REFERENCE(scenario)
            end = observed.looks["end"]
            table = replace(end.table, stack=(stack,), over=over)
            return replace(observed, looks={**observed.looks, "end": replace(end, table=table)})

        return played

    agree(leaves("bolt", True), play, to_the_end=False)
    with pytest.raises(FirstDifference, match="over"):
        agree(leaves("bolt", False), play, to_the_end=False)


def test_what_left_with_a_player_need_not_be_shown() -> None:
    """CR 104.1, 800.4a: an engine that plays the end of a game right is not one that shows too little."""
    bolt = pool()["Lightning Bolt"]
    seated = [SeatedPlayer("alice", hand=[HeldCard("bolt", bolt)]), SeatedPlayer("bob", life=3)]
    script: list[Action] = [CastAction("bolt", "alice", targets=(("bob",),)), Resolve("bolt")]
    ogre = Permanent("ogre", pool()["Gray Ogre"], "bob")
    assert agree(REFERENCE, with_looks(table(seated, [ogre], script=script))).looks["end"].table.over


def test_cards_that_met_are_counted() -> None:
    *_, (games, differences, met) = met_cards(REFERENCE, EVERYTHING, 4)

    assert (4, 0) == (games, differences)
    assert len(met) > 20
    assert all(one in met[other] for one, others in met.items() for other in others)


BY_CHANCE = {
    "a card is found": ("[{search: {type: Creature}, to: hand}]", "", False),
    "one is drawn before": ("[{draw: 1}, {search: {type: Creature}, to: hand}]", "", False),
    "one is drawn then": ("[{search: {type: Creature}, to: hand}, {draw: 1}]", "", True),
    "one is milled then": ("[{search: {type: Creature}, to: hand}, {mill: 1}]", "", True),
    "one is drawn later": ("[{search: {type: Creature}, to: hand}]", "{cast: insight, by: alice}", True),
    "nothing is drawn later": ("[{search: {type: Creature}, to: hand}]", "{cast: calm, by: alice}", False),
}


@pytest.mark.parametrize(("effect", "later", "by_chance"), BY_CHANCE.values(), ids=BY_CHANCE)
def test_nobody_says_which_card_comes_from_a_shuffled_library(
    effect: str, later: str, by_chance: bool
) -> None:
    """Nobody knows its order, so a walk takes no step that depends on it."""
    scenario = f"""
cards:
  - {{name: Test Quest, types: [Sorcery], abilities: [{{spell: {{effect: {effect}}}}}]}}
  - {{name: Test Insight, types: [Instant], abilities: [{{spell: {{effect: {{draw: 1}}}}}}]}}
  - {{name: Test Calm, types: [Instant], abilities: [{{spell: {{effect: {{gain_life: 1}}}}}}]}}
players:
  alice:
    hand: [{{quest: Test Quest}}, {{insight: Test Insight}}, {{calm: Test Calm}}]
    library: [{{forest: Forest}}, {{bear: Runeclaw Bear}}, {{island: Island}}, {{swamp: Swamp}}]
  bob: {{}}
script:
  - {{cast: quest, by: alice}}
"""
    found = "  - {choose: cards, by: alice, for: quest, answer: [bear]}\n  - {pass: everyone}\n"
    if later:
        before = left(scenario + found + f"  - {later}\n")
        after = left(scenario + found + f"  - {later}\n  - {{pass: everyone}}\n")
    else:
        before, after = left(scenario), left(scenario + found)

    assert by_chance == cards_come_by_chance(before, after)

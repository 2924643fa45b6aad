"""Agreement with the reference engine on whole games: at every look the same is to be seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis.strategies import SearchStrategy
from msgspec.structs import replace

from conformance.model.engine import CannotPlay
from conformance.model.observation import Observations, Snapshot, Stopped, names_nameless
from conformance.model.scenario import Play, Want
from conformance.model.verdict import in_short
from conformance.properties.games import of_any_cards, watched_games
from conformance.properties.law import Broken, PlayFunction, Property, holds_for
from conformance.properties.seeing import (
    ALWAYS,
    EVERY_KEY,
    ShowsNothing,
    about,
    expect_alike,
    expect_equal,
    facts_at,
    not_given_up,
    not_unable,
    observations_so_far,
    require_end,
    wanted_at,
)
from conformance.strategies.crowds import CardCrowd, crowds, played_crowd
from conformance.strategies.decks import (
    ALTAR,
    BANNER,
    BEAR,
    BOLT,
    CALM,
    CUB,
    DAWN,
    DUELIST,
    DUSK,
    ELF,
    FIELD,
    FLOOR,
    FORK,
    GROWTH,
    HAWK,
    HERALD,
    LEECH,
    LEVY,
    MARTYR,
    MOURNER,
    MURDER,
    MUSTER,
    NOPE,
    PINGER,
    PLAGUE,
    RAIDER,
    RITE,
    RUNNER,
    SCHOLAR,
    SPRAY,
    STRIKER,
    TAX,
    THRIFT,
    TRAMPLER,
    VIPER,
    WATCHER,
)
from conformance.strategies.means import Means
from conformance.strategies.meetings import meetings
from conformance.strategies.scripts import HeldCard, SeatedPlayer, table, with_looks
from conformance.strategies.whole_games import WholeGame, played_game, whole_games
from conformance_adapters.in_process import Playthrough, play_through
from reference_engine.game.game import Game
from reference_engine.game.game_rules import CR
from reference_engine.language.actions import Activate, Call, CastAction, Look, PlayAction, Try
from reference_engine.language.cards import Card

_Cards = TypeVar("_Cards", WholeGame, CardCrowd)

WHEN_OVER = frozenset({"over", "lost"})
"""What is compared once a game is over."""
DAMAGE_STEPS = ("first-strike damage", "combat damage")
DEALT = frozenset({"counters", "damage", "life", "lost", "loyalty"})
"""What damage changes."""


class FirstDifference(Broken):
    """An engine differs from the reference engine; `at`: the index in the script where that shows."""

    def __init__(self, says: str, at: int) -> None:
        super().__init__(says)
        self.at = at


def agree(play: PlayFunction, scenario: Play, *, to_the_end: bool = True) -> Observations:
    """Raises `FirstDifference` from the reference engine, with the account of the action before it. Returns
    what was observed.

    `to_the_end`: whether the engine has to play the whole script and report everything. A script that the
    reference engine does not play to its end then shows nothing.
    """
    reference = play_through(scenario, CR)
    observed = observations_so_far(play, scenario)
    both = (reference.observations, observed)
    until = min(len(scenario.script) + 1 if seen.stopped is None else seen.stopped.at for seen in both)
    done = at = 0
    try:
        for index, action in enumerate((*scenario.script, Look("end"))[:until]):
            at = index
            if isinstance(action, Look):
                one, other = (seen.looks[action.name] for seen in both)
                keys = compared_keys(one)
                wants = (
                    replace(want, keys=keys(nameable_keys(one, want)))
                    for want in wanted_at(scenario, action.name)
                )
                expect_alike(one, other, tuple(wants), action.name, "")
                continue
            done += 1
            if isinstance(action, Try):
                one_way, other_way = (seen.tried[action.name] for seen in both)
                expect_equal(one_way, other_way, in_short(action), "tried", "as it was tried", "")
        at = min(until, len(scenario.script))
        done += observed.stopped is not None
        if to_the_end:
            require_end(observed, replace(scenario, wants=shown_by(reference.observations, scenario)), "")
        else:
            not_given_up(observed, scenario, "")
    except Broken as broken:
        raise FirstDifference(f"{broken}".rstrip() + account_of_last(reference, done), at) from None
    if to_the_end and reference.observations.stopped:
        raise ShowsNothing("the reference engine does not play it to its end")
    return observed


def shown_by(seen: Observations, scenario: Play) -> tuple[Want, ...]:
    """What a scenario wants, without the objects that are not there any more, such as those of a player who
    has left the game.
    """
    looks = seen.looks
    return tuple(
        want
        for want in scenario.wants
        if want.look not in looks or about(looks[want.look], want.of) is not None
    )


def nameable_keys(seen: Snapshot, want: Want) -> frozenset[str]:
    """The wanted keys whose values name nothing that the script gave no name."""
    return want.keys - {key for key, value in facts_at(seen, want).items() if names_nameless(value)}


def compared_keys(seen: Snapshot) -> Callable[[frozenset[str]], frozenset[str]]:
    """Which of some keys are compared at a look."""
    if seen.table.over is True:
        # CR 104.1: the game ends immediately, so nothing that is left on the table matters.
        return lambda keys: keys & WHEN_OVER
    if seen.table.deciding and seen.table.step in DAMAGE_STEPS:
        # CR 510.2: all of it is dealt at once; an engine may mark some of it while the rest is divided.
        return lambda keys: keys - DEALT
    return lambda keys: keys


def account_of_last(reference: Playthrough, done: int) -> str:
    """The account of the last of the first `done` actions (not counting looks), as a judge would give it."""
    if not done:
        return "\n  before anything is done"
    course = reference.course[:done]
    first = max(n for n, (action, _) in enumerate(course) if not isinstance(action, Call) or n == 0)
    games = [reference.start, *(game for _, game in course[:first] if isinstance(game, Game))]
    # An account begins with two lines on where it begins, which a look has shown.
    lines = Playthrough(reference.observations, games[-1], course[first:]).account()[2:]
    return "".join(f"\n  {line}" for line in (f"{in_short(course[first][0])}, by the rules:", *lines))


@holds_for(of_any_cards, rules=("117.1",), oracle=True)
def any_game_goes_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Every look at a game shows the same as in the reference engine, whatever is done.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    watched_games((CALM, NOPE, BOLT, GROWTH, FORK, BEAR, SPRAY, MURDER)),
    rules=("117.3", "117.4", "608.2"),
    oracle=True,
)
def responses_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Spells in response to spells resolve, miss their targets and are countered as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    watched_games(
        (BEAR, WATCHER, MARTYR, MOURNER, HERALD, MUSTER, SCHOLAR, DAWN, DUSK, MURDER, ALTAR, PLAGUE),
    ),
    rules=("603.3b", "704.3"),
    oracle=True,
    needs=("triggers",),
)
def triggers_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Abilities that trigger when something enters, dies or is cast wait and are put on the stack as in the
    reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    watched_games((BEAR, STRIKER, VIPER, TRAMPLER, HAWK, RUNNER, DUELIST, LEECH, RAIDER, BOLT, BANNER)),
    rules=("508.1", "509.1", "510.2"),
    oracle=True,
    needs=("combat",),
)
def combat_goes_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Creatures attack, block and deal damage as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(watched_games((BEAR, CALM, FIELD, PINGER)), rules=("117.3", "117.4"), oracle=True)
def priority_goes_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """With plain cards only, players get priority as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    watched_games((FIELD, LEVY, CUB, RITE, ELF, TAX, THRIFT, FLOOR), pays=True),
    rules=("601.2f", "601.2g", "601.2h", "733.1"),
    oracle=True,
    needs=("casting", "payments", "activated abilities"),
)
def paying_goes_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """If lands are tapped for each spell, costs are the same as in the reference engine, and an unpaid spell
    is taken back.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


@holds_for(
    watched_games((BEAR, CALM, WATCHER, MARTYR, BOLT, DAWN, RUNNER, MURDER), sizes=(4,)),
    rules=("117.6", "805.4", "805.5", "805.7"),
    oracle=True,
    needs=("three players", "teams"),
)
def tables_of_four_go_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Games of four players, each alone or in two teams with shared turns, go as in the reference engine.

    It does not check the reference engine: where both are wrong in the same way, it passes.
    """
    agree(play, case)


def real_meetings(means: Means) -> SearchStrategy[Play]:
    """Games of real cards that meet, in which all that the layers decide is looked at too."""
    return meetings(means).map(with_looks).map(with_characteristics)


def with_characteristics(play: Play) -> Play:
    """The play, asking of each object how it looks, and not in which order graveyards lie: the owner of cards
    that get there at the same time may arrange them (CR 404.3).
    """
    objects = {thing.id for thing in play.objects}
    wants = tuple(
        replace(want, keys=(want.keys | EVERY_KEY) if want.of in objects else want.keys - {"graveyard"})
        for want in play.wants
    )
    return replace(play, wants=wants)


@holds_for(real_meetings, rules=("117.1", "603.2", "613.1"), oracle=True, needs=("steps", "triggers"))
def real_cards_meet_as_the_rules_say(play: PlayFunction, case: Play) -> None:
    """Where one real card does what another asks about, a game goes as in the reference engine.

    Each kind of meeting is played before any is repeated. An engine that knows real cards by name and lacks
    one of them cannot play the case.
    """
    agree(play, case)


def up_to(scenario: Play, at: int) -> Play:
    """The play up to an index in its script, with no other look than the one there."""
    last = (*scenario.script, Look("end"))[at]
    name = last.name if isinstance(last, Look) else "end"
    script = tuple(one for one in scenario.script[:at] if not isinstance(one, Look))
    wants = tuple(replace(want, look="end") for want in scenario.wants if want.look == name)
    return replace(scenario, script=script if isinstance(last, Look) else (*script, last), wants=wants)


def require_basics(observed: Observations, scenario: Play) -> None:
    """Raises `CannotPlay` if a look shows too little: what every engine has to report."""
    for want in scenario.wants:
        facts = facts_at(observed.looks[want.look], want)
        missing = sorted((want.keys & ALWAYS) - facts.keys())
        if missing:
            raise CannotPlay(f"{want.of}: {missing[0]} is not shown at {want.look}")


def takes(play: PlayFunction, card: Card) -> bool:
    """Whether an engine can take a card, as far as a game in which it is only in a library shows."""
    there = table([SeatedPlayer("alice", library=[HeldCard("it", card)]), SeatedPlayer("bob")])
    wants = (Want("end", "alice", frozenset({"library_size"})),)
    try:
        return play(replace(there, wants=wants)).stopped is None
    except CannotPlay:
        return False


def cards_at(scenario: Play, stopped: Stopped) -> frozenset[str]:
    """The cards that were last used when an engine stopped: those that it may be unable to play."""
    named = {one.id: one.card for one in scenario.objects}
    for action in reversed(scenario.script[: stopped.at + 1]):
        if isinstance(action, CastAction | PlayAction | Activate):
            return frozenset({named[action.what]}) if action.what in named else frozenset()
    return frozenset()


def as_far_as_it_goes(play: PlayFunction, case: _Cards, played: Callable[[_Cards], Play]) -> None:
    """Compare a game of real cards with the reference engine's, with those cards only that the engine takes;
    where it cannot go on, once more without the card that was used last.
    """
    game = case.without(frozenset(card.name for card in case.cards if not takes(play, card)))
    for _ in range(MOST_GAMES):
        scenario = with_characteristics(played(game))
        try:
            observed = agree(play, scenario, to_the_end=False)
        except FirstDifference as difference:
            # Once more, and no further: the shortest scenario that shows it is the one that is kept.
            agree(play, up_to(scenario, difference.at), to_the_end=False)
            raise
        if observed.stopped is None:
            require_basics(observed, scenario)
            return
        unplayed = cards_at(scenario, observed.stopped)
        if not unplayed:
            break
        game = game.without(unplayed)
    not_unable(observed, scenario)


@holds_for(
    whole_games,
    rules=("117.1", "601.2", "603.2", "613.1"),
    oracle=True,
    needs=("steps", "casting", "lands", "choices"),
)
def whole_games_go_as_the_rules_say(play: PlayFunction, case: WholeGame) -> None:
    """Two decks of real cards play several turns against each other as in the reference engine.

    The decks contain only cards that the engine takes. Where it cannot go on, everything up to there is
    compared, and the game is played again without the card that was used last.
    """
    as_far_as_it_goes(play, case, played_game)


@holds_for(
    crowds,
    rules=("117.1", "601.2", "603.2", "613.1"),
    oracle=True,
    needs=("steps", "casting", "lands", "choices"),
)
def crowds_of_real_cards_go_as_the_rules_say(play: PlayFunction, case: CardCrowd) -> None:
    """With ten real cards on one table, of which each does what most others ask about, a game goes as in the
    reference engine.

    The table has only cards that the engine takes. Where it cannot go on, everything up to there is compared,
    and the game is played again without the card that was used last.
    """
    as_far_as_it_goes(play, case, played_crowd)


MOST_GAMES = 5
"""Number of times that a game is played, each time with fewer cards."""

AGREEMENT: tuple[Property[Any], ...] = (
    any_game_goes_as_the_rules_say,
    responses_go_as_the_rules_say,
    triggers_go_as_the_rules_say,
    combat_goes_as_the_rules_say,
    priority_goes_as_the_rules_say,
    paying_goes_as_the_rules_say,
    tables_of_four_go_as_the_rules_say,
    real_cards_meet_as_the_rules_say,
    whole_games_go_as_the_rules_say,
    crowds_of_real_cards_go_as_the_rules_say,
)

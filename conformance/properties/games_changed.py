"""Laws of what must not matter in a game (CR 102, 400): names, seats, hidden cards, how often one looks.

Each plays one game twice, the second time with something changed that is none of the game's business,
and every look must show the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn
from msgspec.structs import replace

from conformance.model.renaming import renamed_play
from conformance.model.scenario import Play, Want
from conformance.model.verdict import in_short
from conformance.properties.games import QUICK, sides_of, watched_games
from conformance.properties.law import Cases, PlayFunction, Property, holds_for
from conformance.properties.seeing import (
    ShowsNothing,
    expect_alike,
    expect_equal,
    fact,
    observations_so_far,
    require_end,
    wanted_at,
)
from conformance.strategies.cards import in_any_order, in_play
from conformance.strategies.decks import permanent
from conformance.strategies.draws import composite
from conformance.strategies.means import Means
from reference_engine.language.actions import (
    Action,
    Activate,
    CastAction,
    ChooseAction,
    Look,
    Pass,
    PlayAction,
    Try,
)
from reference_engine.language.setup import Object


class GamePair(NamedTuple):
    """A game, the same game changed, and what things of the first are called in the second."""

    one: Play
    other: Play
    names: Mapping[str, str] = {}


def games_with_change(change: Callable[[DrawFn, Play], GamePair]) -> Cases[GamePair]:
    """Games looked at after each action, with a change to each."""

    def cases(means: Means) -> st.SearchStrategy[GamePair]:
        @composite
        def twice(draw: DrawFn) -> GamePair:
            return change(draw, draw(watched_games()(means)))

        return twice()

    return cases


def expect_no_difference(play: PlayFunction, case: GamePair, because: str) -> None:
    """Raises `Broken` at the first look of both games that shows something else in each."""
    one, other = observations_so_far(play, case.one), observations_so_far(play, case.other)
    for name, look in one.looks.items():
        if name in other.looks:
            wants = wanted_at(case.one, name)
            expect_alike(look, other.looks[name], wants, name, because, case.names)
    require_end(one, case.one, because)
    require_end(other, case.other, because)


# ------------------------------------------------------------------------------------------- the changes


def objects_renamed(draw: DrawFn, play: Play) -> GamePair:
    """The objects have each other's names, and are created in the order of those."""
    ids = [thing.id for thing in play.objects]
    names = dict(zip(ids, draw(st.permutations([f"object{n}" for n in range(len(ids))])), strict=True))
    return GamePair(play, renamed_play(play, names), names)


@holds_for(games_with_change(objects_renamed), rules=("109.1", "613.7"))
def names_of_cards_do_not_matter_in_a_game(play: PlayFunction, case: GamePair) -> None:
    """Renaming the ids of objects changes nothing in a whole game.

    It does not check that either is right, only that they agree.
    """
    expect_no_difference(play, case, "CR 109.1: an object is what it is, whatever it is called")


def players_renamed(draw: DrawFn, play: Play) -> GamePair:
    """The players and teams have other names, in another order of the alphabet."""
    sides = list(dict.fromkeys(n for p in play.players for n in (p.id, p.team) if n))
    names = dict(zip(sides, draw(in_any_order([f"player{n}" for n in range(len(sides))])), strict=True))
    return GamePair(play, renamed_play(play, names), names)


@holds_for(games_with_change(players_renamed), rules=("102.1",))
def names_of_players_do_not_matter(play: PlayFunction, case: GamePair) -> None:
    """Renaming the players changes nothing in a whole game.

    It does not check that either is right, only that they agree.
    """
    expect_no_difference(play, case, "CR 102.1: a player is one of the people in the game, whatever the name")


def seats_turned(draw: DrawFn, play: Play) -> GamePair:
    """Everybody sits some places further round the table, so that another one is listed first."""
    size = 2 if play.players[0].team else 1
    by = draw(st.integers(1, max(len(play.players) // size - 1, 1))) * size
    return GamePair(play, replace(play, players=play.players[by:] + play.players[:by]))


@holds_for(games_with_change(seats_turned), rules=("101.4", "102.1"))
def who_is_listed_first_does_not_matter(play: PlayFunction, case: GamePair) -> None:
    """Rotating the seats of the players does not change the game: turn order begins with the active player.

    It does not check that either is right, only that they agree.
    """
    because = "CR 101.4: the active player first, then the others in turn order, wherever that player sits"
    expect_no_difference(play, case, because)


def hands_shuffled(draw: DrawFn, play: Play) -> GamePair:
    """The cards in the hands lie in another order, and so do the objects as they are created."""
    players = tuple(replace(one, hand=draw(in_any_order(one.hand))) for one in play.players)
    objects = tuple(draw(st.permutations(play.objects)))
    return GamePair(play, replace(play, players=players, objects=objects))


@holds_for(games_with_change(hands_shuffled), rules=("400.5", "613.7d"))
def the_order_of_a_hand_does_not_matter(play: PlayFunction, case: GamePair) -> None:
    """The order of the cards in a hand, or in which they were created, changes nothing.

    It does not check that either is right, only that they agree.
    """
    because = "CR 400.5: the order of a library, a graveyard and the stack counts, and that of no other zone"
    expect_no_difference(play, case, because)


IDLE = permanent("Idler")


def something_added(draw: DrawFn, play: Play) -> GamePair:
    """There is one more card without any text at the bottom of a library, or in exile."""
    play = replace(play, wants=tuple(replace(one, keys=one.keys - {"library_size"}) for one in play.wants))
    where = draw(st.sampled_from(("library", "exile")))
    owner = draw(st.sampled_from(play.players))
    more = replace(owner, **{where: (*getattr(owner, where), "idler")})
    other = replace(
        play,
        players=tuple(more if one.id == owner.id else one for one in play.players),
        cards=(*play.cards, in_play(IDLE)),
        objects=(Object("idler", IDLE.name, owner.id), *play.objects),
    )
    return GamePair(play, other)


@holds_for(games_with_change(something_added), rules=("400.1", "611.3a"))
def a_card_nobody_uses_does_not_matter(play: PlayFunction, case: GamePair) -> None:
    """One more card in exile or at the bottom of a library changes nothing else, however long the game.

    It does not check that either is right, only that they agree.
    """
    because = "CR 611.3a: an effect applies to what its text says, and to nothing else"
    expect_no_difference(play, case, because)


def looked_at_less(draw: DrawFn, play: Play) -> GamePair:
    """Looks are taken only now and then."""
    kept = draw(st.sets(st.sampled_from([one.name for one in play.script if isinstance(one, Look)])))
    script = tuple(one for one in play.script if not isinstance(one, Look) or one.name in kept)
    wants = tuple(want for want in play.wants if want.look in kept or want.look == "end")
    return GamePair(play, replace(play, script=script, wants=wants))


@holds_for(games_with_change(looked_at_less), rules=("117.1",))
def looking_more_often_changes_nothing(play: PlayFunction, case: GamePair) -> None:
    """Looking is not an action of the game: more or fewer looks do not change it.

    It does not check that either is right, only that they agree.
    """
    expect_no_difference(play, case, "CR 117.1: only what players do counts, and nobody acts by looking")


def game_played_again(draw: DrawFn, play: Play) -> GamePair:
    """Nothing is changed."""
    return GamePair(play, play)


@holds_for(games_with_change(game_played_again), rules=("117.1",))
def the_same_script_is_the_same_game(play: PlayFunction, case: GamePair) -> None:
    """The same table and script, played twice, show the same at every look.

    It does not check that either is right, only that they agree.
    """
    expect_no_difference(play, case, "CR 117.1: what players do decides a game in which nothing is random")


@holds_for(watched_games(), rules=("400.2", "121.1"))
def cards_never_drawn_do_not_matter(play: PlayFunction, case: Play) -> None:
    """The order of the cards that are still in the libraries at the end changes nothing.

    It does not check that either is right, only that they agree.
    """
    because = "CR 400.2: nobody sees the cards in a library, and what is not drawn changes nothing"
    first = observations_so_far(play, case)
    require_end(first, case, because)
    players = tuple(
        replace(one, library=turned_below(one.library, fact(first.looks["end"], one.id, "library_size")))
        for one in case.players
    )
    other = replace(case, players=players)
    second = observations_so_far(play, other)
    for name, look in first.looks.items():
        if name in second.looks:
            expect_alike(look, second.looks[name], wanted_at(case, name), name, because)
    require_end(second, other, because)


def turned_below(library: tuple[str, ...], left: object) -> tuple[str, ...]:
    """A library with its last `n` cards in reverse order."""
    assert isinstance(left, int)
    drawn = len(library) - left
    return library[:drawn] + library[drawn:][::-1]


# ------------------------------------------------------------------------------------ what is offered


class OfferedMoment(NamedTuple):
    """A game that is looked at with what may be done, and a look at which something is done or tried."""

    play: Play
    look: str
    pick: int


@composite
def offers(draw: DrawFn, means: Means) -> OfferedMoment:
    """A game, and a moment in it."""
    play = draw(watched_games(QUICK)(means))
    looks = [one.name for one in play.script if isinstance(one, Look)]
    look = draw(st.sampled_from(looks))
    wants = (*play.wants, Want(look, "table", frozenset({"legal"})))
    return OfferedMoment(replace(play, wants=wants), look, draw(st.integers(0, 30)))


@holds_for(offers, rules=("117.1", "601.3"), needs=("casting", "steps"))
def what_is_offered_is_accepted(play: PlayFunction, case: OfferedMoment) -> None:
    """An engine accepts the actions that it lists as legal, and rejects those that it does not list.

    A broken rule is broken in both games alike, so this shows only whether an engine agrees with itself.
    """
    because = "CR 117.1: a player with priority may do what the rules allow now, and nothing else"
    observed = observations_so_far(play, case.play)
    require_end(observed, case.play, because)
    legal = fact(observed.looks[case.look], "table", "legal")
    assert isinstance(legal, tuple)
    before = script_until(case.play, case.look)
    expect_equal(
        True, next_in_words(case.play, case.look) in (None, *legal), "table", "legal", case.look, because
    )
    if fact(observed.looks[case.look], "table", "deciding") is not None:
        raise ShowsNothing("a question is open, and has to be answered before anything else is done")
    possible = tuple(some_actions(case.play))
    action = possible[case.pick % len(possible)]
    tried = replace(case.play, script=(*before, Try("offered", action)), wants=())
    outcome = observations_so_far(play, tried)
    require_end(outcome, tried, because)
    expected = "done" if offered_text(action) in legal else "rejected"
    expect_equal(expected, outcome.tried["offered"], in_short(action), "tried", case.look, because)


def script_until(play: Play, look: str) -> tuple[Action, ...]:
    """The script up to a look, without looks."""
    at = next(n for n, one in enumerate(play.script) if isinstance(one, Look) and one.name == look)
    return tuple(one for one in play.script[:at] if not isinstance(one, Look))


def next_in_words(play: Play, look: str) -> str | None:
    """What is done after a look, as an engine offers it; nothing if it is many things, or only tried."""
    at = next(n for n, one in enumerate(play.script) if isinstance(one, Look) and one.name == look)
    following = [one for one in play.script[at:] if not isinstance(one, Look | ChooseAction)]
    return offered_text(following[0]) if following and isinstance(following[0], SIMPLE) else None


SIMPLE = (CastAction, Activate, Pass, PlayAction)


def offered_text(action: Action) -> str | None:
    """An action as an engine offers it, if that is one of the plain ones."""
    match action:
        case Pass(who):
            return f"pass {who}" if who != "everyone" else None
        case PlayAction(what):
            return f"play {what}"
        case CastAction(what):
            return f"cast {what}"
        case Activate(what, ability):
            return f"activate {what} {ability}"
        case _:
            return None


def some_actions(play: Play) -> Iterator[Action]:
    """Everything that needs no target and could perhaps be done: passes, lands, spells."""
    yield from (Pass(side) for side in sides_of(play))
    cards = {card.definition.name: card.definition for card in play.cards}
    held = {id: player.id for player in play.players for id in (*player.hand, *player.library)}
    for thing in play.objects:
        if thing.id in held and not any(
            getattr(ability, "targets", ()) for ability in cards[thing.card].abilities
        ):
            land = "Land" in cards[thing.card].types
            yield PlayAction(thing.id, held[thing.id]) if land else CastAction(thing.id, held[thing.id])


CHANGED: tuple[Property[Any], ...] = (
    names_of_cards_do_not_matter_in_a_game,
    names_of_players_do_not_matter,
    who_is_listed_first_does_not_matter,
    the_order_of_a_hand_does_not_matter,
    a_card_nobody_uses_does_not_matter,
    looking_more_often_changes_nothing,
    the_same_script_is_the_same_game,
    cards_never_drawn_do_not_matter,
    what_is_offered_is_accepted,
)

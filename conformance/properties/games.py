"""Laws of whole games that need no oracle: what holds at every moment of every script.

Each looks at a game after every single action. What must not matter (names, seats, hidden cards, how
often one looks) is in `games_changed`; what single rules come to is in the modules beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from conformance.model.observation import SeenPlayer, Snapshot
from conformance.model.scenario import Play
from conformance.properties.law import Broken, Cases, PlayFunction, Property, holds_for
from conformance.properties.seeing import (
    Interval,
    done_in_words,
    expect_alike,
    expect_equal,
    fact,
    moments,
    observations_so_far,
    require_end,
    wanted_at,
)
from conformance.strategies.decks import (
    BEAR,
    BOLT,
    CALM,
    CUB,
    DAWN,
    ELF,
    FIELD,
    GROWTH,
    HUSH,
    INSIGHT,
    LEVY,
    MARTYR,
    PINGER,
    SPRAY,
    WATCHER,
    deck,
    decks,
)
from conformance.strategies.means import Means
from conformance.strategies.scripts import TABLE_SIZES, games, with_looks
from reference_engine.language.actions import Activate, Advance, CastAction, Pass, PlayAction, Try
from reference_engine.language.cards import Card, CopySpell, CounterSpell

NOBODY_ACTS_IN = ("untap",)


def watched_games(
    cards: Sequence[Card] = (),
    *,
    sizes: Sequence[int] = TABLE_SIZES,
    pays: bool = False,
) -> Cases[Play]:
    """Games looked at after each action; with these cards only, if the engine can be given them."""

    def cases(means: Means) -> st.SearchStrategy[Play]:
        can = deck(means)
        drawn = tuple(card for card in cards if card in can) or without_tricks(can)
        return games(means, drawn, sizes=sizes, pays=pays).map(with_looks)

    return cases


def of_any_cards(means: Means) -> st.SearchStrategy[Play]:
    """Games with invented cards, real ones or both, looked at after each action."""
    return decks(means).flatmap(lambda cards: games(means, cards)).map(with_looks)


def without_tricks(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards that do nothing to what is on the stack."""
    return tuple(card for card in cards if not does_something_to_spells(card))


def does_something_to_spells(card: Card) -> bool:
    """Whether a card counters or copies spells."""
    return any(
        isinstance(instruction, CounterSpell | CopySpell)
        for ability in card.abilities
        for instruction in getattr(ability, "effect", ())
    )


QUICK = (CALM, BEAR, INSIGHT, GROWTH, BOLT, PINGER, SPRAY, HUSH)
"""Things to do at any time, and something to do them to."""
SLOW = (BEAR, FIELD, CALM, WATCHER, MARTYR, DAWN, PINGER, BOLT)
"""Things that trigger, enter and die."""


def sides_of(play: Play) -> tuple[str, ...]:
    """Who has priority in a game: players, or teams, in turn order."""
    return tuple(dict.fromkeys(player.team or player.id for player in play.players))


def side_of(play: Play, player: str) -> str:
    """The side of a player."""
    return next((one.team or one.id for one in play.players if one.id == player), player)


def stack_at(moment: Interval) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The stack before and after an action, bottom to top."""
    before, after = fact(moment.one, "table", "stack"), fact(moment.other, "table", "stack")
    assert isinstance(before, tuple) and isinstance(after, tuple)
    return before, after


def is_over(moment: Interval, play: Play) -> bool:
    """Whether the game ended, or somebody left it, by then."""
    return moment.other.table.over is True or somebody_lost(moment.other, play)


def somebody_lost(look: Snapshot, play: Play) -> bool:
    """Whether a player has lost, as far as is shown."""
    return any(look.players.get(player.id, SeenPlayer()).lost is True for player in play.players)


# ----------------------------------------------------------------------------------------- at any time


@holds_for(watched_games(), rules=("117.1", "117.3a"))
def one_player_acts_or_somebody_decides(play: PlayFunction, case: Play) -> None:
    """At any moment exactly one side has priority or somebody has a decision to make; nobody has priority in
    the untap step.

    It does not check which player that is.
    """
    because = "CR 117.3a: in most steps one player has priority, and in the untap step nobody"
    observed = observations_so_far(play, case)
    for name, look in observed.looks.items():
        if look.table.over is True:
            continue
        holder, decider = fact(look, "table", "priority"), look.table.deciding or None
        who = [one for one in (holder, decider) if one is not None]
        expect_equal(1, len(who), "table", "priority or a decision", name, because)
        known = (*sides_of(case), *(player.id for player in case.players))
        expect_equal(True, who[0] in known, "table", "priority of a player", name, because)
        expect_equal(
            False, look.table.step in NOBODY_ACTS_IN, "table", "priority in the untap step", name, because
        )
    require_end(observed, case, because)


@holds_for(watched_games((BEAR, CALM, FIELD, LEVY, CUB, BOLT, ELF), pays=True), rules=("733.1", "117.1"))
def what_is_rejected_changes_nothing(play: PlayFunction, case: Play) -> None:
    """A rejected action changes nothing.

    It does not check what has to be rejected.
    """
    because = "CR 733.1: an illegal action is reversed, and everything is as it was before"
    observed = observations_so_far(play, case)
    for moment in moments(case, observed):
        if isinstance(moment.done, Try) and observed.tried[moment.done.name] == "rejected":
            wants = wanted_at(case, moment.before)
            expect_alike(moment.one, moment.other, wants, done_in_words(moment), because)
    require_end(observed, case, because)


@holds_for(watched_games(QUICK), rules=("117.4", "405.5"))
def all_must_pass_in_succession(play: PlayFunction, case: Play) -> None:
    """The stack and the step stay as they are until every side has passed in succession; then the top of the
    stack resolves, or with an empty stack the step ends.

    It does not check who has priority in the meantime or what the resolving object does.
    """
    because = "CR 117.4: all have to pass in succession; then the top of the stack resolves, or the step ends"
    observed = observations_so_far(play, case)
    sides, passed = len(sides_of(case)), 0
    for moment in moments(case, observed):
        if is_over(moment, case):
            break
        if not isinstance(moment.done, Pass):
            passed = passed if isinstance(moment.done, Try) and is_rejected(moment, observed.tried) else 0
            continue
        stack, now = stack_at(moment)
        steps = [fact(look, "table", "step") for look in (moment.one, moment.other)]
        when = done_in_words(moment)
        passed = sides if moment.done.who == "everyone" else passed + 1
        if passed < sides:
            expect_equal(stack, now, "table", "stack", when, because)
            expect_equal(steps[0], steps[1], "table", "step", when, because)
            continue
        passed = 0
        if not stack:
            expect_equal(False, steps[0] == steps[1] != "cleanup", "table", "the same step", when, because)
            continue
        expect_equal(stack[:-1], now[: len(stack) - 1], "table", "stack", when, because)
        expect_equal(steps[0], steps[1], "table", "step", when, because)
        if stack == now[: len(stack)]:
            raise Broken(f"table, {when}: stack\n  nothing has left it: {now}\n  {because}")
    require_end(observed, case, because)


def is_rejected(moment: Interval, tried: Any) -> bool:
    """Whether what was tried was rejected."""
    return isinstance(moment.done, Try) and tried[moment.done.name] == "rejected"


@holds_for(watched_games(QUICK), rules=("117.3c", "601.2i", "602.2b"))
def whoever_acts_keeps_priority(play: PlayFunction, case: Play) -> None:
    """A player who casts a spell, activates an ability or plays a land has priority afterwards, and what was
    put on the stack is on top.

    It does not check whether the action was legal or what it costs.
    """
    because = "CR 117.3c: a player who had priority and acted has it again afterwards"
    observed = observations_so_far(play, case)
    for moment in moments(case, observed):
        done = moment.done
        if isinstance(done, CastAction | Activate | PlayAction) and not is_over(moment, case):
            when = done_in_words(moment)
            holder = fact(moment.other, "table", "priority")
            expect_equal(side_of(case, done.by), holder, "table", "priority", when, because)
            stack, now = stack_at(moment)
            on_top = "CR 405.2: each object is put on top of what is on the stack already"
            expect_equal(stack, now[: len(stack)], "table", "stack", when, on_top)
    require_end(observed, case, because)


@holds_for(watched_games(QUICK), rules=("117.3d",))
def priority_goes_round_in_turn_order(play: PlayFunction, case: Play) -> None:
    """A player who passes gives priority to the next in turn order, unless everyone has passed.

    It does not check who has priority once all have passed.
    """
    because = "CR 117.3d: whoever passes, the next player in turn order gets priority"
    observed = observations_so_far(play, case)
    sides, passed = sides_of(case), 0
    for moment in moments(case, observed):
        if is_over(moment, case):
            break
        if not isinstance(moment.done, Pass):
            passed = passed if is_rejected(moment, observed.tried) else 0
            continue
        passed = len(sides) if moment.done.who == "everyone" else passed + 1
        if passed < len(sides):
            following = sides[(sides.index(moment.done.who) + 1) % len(sides)]
            holder = fact(moment.other, "table", "priority")
            expect_equal(following, holder, "table", "priority", done_in_words(moment), because)
        else:
            passed = 0
    require_end(observed, case, because)


@holds_for(watched_games(SLOW), rules=("117.3a", "500.2"))
def the_active_player_acts_first_in_each_step(play: PlayFunction, case: Play) -> None:
    """In a step that has just begun, and in which nobody has to declare anything, the player whose turn it is
    has priority.

    It does not check steps in which nobody gets priority or which step comes next.
    """
    because = "CR 117.3a: the active player gets priority at the beginning of most steps"
    observed = observations_so_far(play, case)
    for moment in moments(case, observed):
        steps = [(look.table.active, fact(look, "table", "step")) for look in (moment.one, moment.other)]
        quiet = moment.other.table.deciding in (None, UNSET) and not is_over(moment, case)
        if steps[0] != steps[1] and quiet and isinstance(moment.done, Pass | Advance):
            holder, active = (fact(moment.other, "table", key) for key in ("priority", "active"))
            expect_equal(active, holder, "table", "priority", done_in_words(moment), because)
    require_end(observed, case, because)


QUIET = ("beginning of combat", "postcombat main", "end")
"""Steps in which nothing happens by itself as they begin."""


@holds_for(watched_games(QUICK), rules=("117.4", "500.2"))
def all_passing_on_nothing_only_ends_the_step(play: PlayFunction, case: Play) -> None:
    """When everyone passes with an empty stack, the next step begins and nothing else happens: cards, life
    and permanents stay the same.

    It does not check steps in which something happens by itself as they begin.
    """
    because = "CR 500.2: a step ends when the stack is empty and all pass in succession"
    observed = observations_so_far(play, case)
    for moment in moments(case, observed):
        done, stack = moment.done, fact(moment.one, "table", "stack")
        if done != Pass("everyone") or stack or fact(moment.other, "table", "step") not in QUIET:
            continue
        wants = tuple(
            replace(want, keys=want.keys - {"pool", "attacking", "blocking"})
            for want in wanted_at(case, moment.before)
            if want.of != "table"
        )
        expect_alike(moment.one, moment.other, wants, done_in_words(moment), because)
    require_end(observed, case, because)


@holds_for(watched_games(SLOW), rules=("400.1", "108.3"))
def no_card_is_lost_or_made(play: PlayFunction, case: Play) -> None:
    """At any moment every card is in exactly one zone.

    It does not check tokens and copies, which zone a card should be in, or the order of a library.
    """
    because = "CR 400.1: every card is in one zone, and in its owner's where each player has their own"
    observed = observations_so_far(play, case)
    for name, look in observed.looks.items():
        if somebody_lost(look, case):
            continue
        for player in case.players:
            own = [thing.id for thing in case.objects if thing.owner == player.id]
            zones = {id: fact(look, id, "zone") for id in own}
            for zone in ("hand", "graveyard"):
                listed = fact(look, player.id, zone)
                assert isinstance(listed, frozenset | tuple)
                there = sorted(id for id in own if zones[id] == zone)
                expect_equal(there, sorted(map(str, listed)), player.id, zone, name, because)
            in_library = sum(zone == "library" for zone in zones.values())
            expect_equal(
                in_library, fact(look, player.id, "library_size"), player.id, "library_size", name, because
            )
    require_end(observed, case, because)


GAMES: tuple[Property[Any], ...] = (
    one_player_acts_or_somebody_decides,
    what_is_rejected_changes_nothing,
    all_must_pass_in_succession,
    whoever_acts_keeps_priority,
    priority_goes_round_in_turn_order,
    the_active_player_acts_first_in_each_step,
    all_passing_on_nothing_only_ends_the_step,
    no_card_is_lost_or_made,
)

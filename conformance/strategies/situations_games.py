"""The awkward situations of games, with the minimum frequency of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from conformance.model.problems import ScenarioError
from conformance.model.scenario import Play
from conformance.strategies.situation import Situation
from conformance_adapters.in_process import Playthrough, play_through
from reference_engine.game.events import (
    AllPassed,
    ControlChanged,
    Copied,
    Countered,
    DoesNotResolve,
    GameEvent,
    GotPriority,
    Moved,
    PutOnStack,
    Regenerated,
    Resolves,
    StateActionsChecked,
    StepBegan,
)
from reference_engine.game.game import Game, side_of
from reference_engine.game.game_rules import CR
from reference_engine.language.actions import (
    Action,
    Activate,
    Assign,
    Call,
    CastAction,
    ChoiceKind,
    ChooseAction,
    Look,
    Pass,
    Try,
)


class TakenAction(Struct, frozen=True):
    """An action, the game before it, and the result."""

    action: Action
    before: Game
    after: Game | None
    """None if it was rejected."""

    @property
    def what(self) -> Action:
        """The action itself, even if it was only attempted."""
        return self.action.action if isinstance(self.action, Try) else self.action

    @property
    def events(self) -> tuple[GameEvent, ...]:
        """What happened."""
        return () if self.after is None else self.after.events


@lru_cache(maxsize=4)
def playthrough_of(play: Play) -> Playthrough | None:
    """A scenario as the reference engine plays it, without looks; None if it can't be played."""
    script = tuple(one for one in play.script if not isinstance(one, Look))
    try:
        return play_through(replace(play, script=script), CR)
    except ScenarioError:
        return None


@lru_cache(maxsize=4)
def course_of(play: Play) -> tuple[TakenAction, ...]:
    """A game as the reference engine plays it, action by action; empty if there are no actions."""
    told = playthrough_of(play) if play.script else None
    if told is None:
        return ()
    game, course = told.start, []
    for action, outcome in told.course:
        after = outcome if isinstance(outcome, Game) else None
        course.append(TakenAction(action, game, after))
        game = after or game
    return tuple(course)


def events_of(play: Play) -> Iterator[GameEvent]:
    """All events of a game, in order."""
    return (event for done in course_of(play) for event in done.events)


def somewhere(kind: Any, so: Callable[[GameEvent], bool] = lambda event: True) -> Callable[[Play], bool]:
    """Whether an event of this kind occurs in a game."""
    return lambda play: any(isinstance(event, kind) and so(event) for event in events_of(play))


def at_some_action(so: Callable[[TakenAction], bool]) -> Callable[[Play], bool]:
    """Whether some action of a game meets a condition."""
    return lambda play: any(so(done) for done in course_of(play))


def acts(done: TakenAction) -> bool:
    """Whether a spell was cast or an ability activated."""
    return done.after is not None and isinstance(done.what, CastAction | Activate)


def batches(play: Play) -> Iterator[list[GameEvent]]:
    """The events of a game, split whenever somebody gets priority."""
    batch: list[GameEvent] = []
    for event in events_of(play):
        batch.append(event)
        if isinstance(event, GotPriority):
            yield batch
            batch = []
    yield batch


def triggers_together(play: Play, players: int, each: int) -> bool:
    """Whether at least `players` players have `each` or more abilities put on the stack at once."""
    return any(
        sum(n >= each for n in Counter(e.controller for e in batch if isinstance(e, PutOnStack)).values())
        >= players
        for batch in batches(play)
    )


def checked_again(play: Play) -> bool:
    """Whether state-based actions are performed twice before anybody gets priority."""
    return any(sum(isinstance(event, StateActionsChecked) for event in batch) > 1 for batch in batches(play))


def acts_between_passes(play: Play) -> bool:
    """Whether somebody acts after another has passed, and both pass again before anything resolves."""
    passed = acted = False
    for done in course_of(play):
        if any(isinstance(event, AllPassed) for event in done.events):
            if passed and acted:
                return True
            passed = acted = False
        elif isinstance(done.what, Pass) and done.after is not None:
            passed = True
        elif acts(done) and passed:
            acted = True
    return False


def cleanup_repeats(play: Play) -> bool:
    """Whether a cleanup step follows a cleanup step."""
    steps = [event.step for event in events_of(play) if isinstance(event, StepBegan)]
    return any(one == other == "cleanup" for one, other in pairwise(steps))


def rewinds_payment(done: TakenAction) -> bool:
    """Whether an action was rejected after mana abilities had been activated for it."""
    pay = getattr(done.what, "pay", None)
    return done.after is None and pay is not None and bool(pay.steps)


def has_illegal_attempt(done: TakenAction) -> bool:
    """Whether an attempted action is illegal."""
    return done.after is None


def another_acts(done: TakenAction) -> bool:
    """Whether a player acts in another player's turn."""
    by = getattr(done.what, "by", None)
    return acts(done) and by is not None and side_of(done.before, by) != done.before.board.active


def chooses(kind: ChoiceKind) -> Callable[[Play], bool]:
    """Whether the script makes a decision of this kind."""
    return lambda play: any(isinstance(one, ChooseAction) and one.kind == kind for one in play.script)


def first_is_not_active(play: Play) -> bool:
    """Whether something happens in the turn of a player who is not listed first."""
    return bool(play.script) and play.start.turn not in (play.players[0].id, play.players[0].team)


def resolves_without(event: GameEvent) -> bool:
    """Whether a target of a resolving object has become illegal."""
    return isinstance(event, DoesNotResolve) or (isinstance(event, Resolves) and bool(event.illegal))


def is_back(event: Moved) -> bool:
    """Whether a permanent comes back from exile."""
    return (event.origin, event.to) == ("exile", "battlefield")


GAME_SITUATIONS: tuple[Situation, ...] = (
    Situation(
        "three or more players",
        "A script at a table of three or four players.",
        100,
        lambda play: bool(play.script) and len(play.players) > 2,
    ),
    Situation(
        "teams",
        "A script at a table of two teams that share turns.",
        20,
        lambda play: bool(play.script) and any(player.team for player in play.players),
    ),
    Situation(
        "the first listed is not active",
        "The turn is that of a player who is not listed first.",
        100,
        first_is_not_active,
    ),
    Situation(
        "a response",
        "Something is put on the stack above something else.",
        50,
        at_some_action(lambda done: acts(done) and bool(done.before.stack)),
    ),
    Situation(
        "a response to a response",
        "Something is put on the stack above two other things.",
        10,
        at_some_action(lambda done: acts(done) and len(done.before.stack) > 1),
    ),
    Situation("another's turn", "A player acts in another one's turn.", 50, at_some_action(another_acts)),
    Situation(
        "an action between the passes",
        "Somebody acts after another has passed, and then all pass.",
        30,
        acts_between_passes,
    ),
    Situation(
        "triggers of several players",
        "Abilities of two players are put on the stack before anybody gets priority.",
        10,
        lambda play: triggers_together(play, 2, 1),
    ),
    Situation(
        "two triggers of each of three players",
        "Two abilities of each of three players are put on the stack before anybody gets priority.",
        1,
        lambda play: triggers_together(play, 3, 2),
    ),
    Situation(
        "an order of triggers is chosen",
        "A player says in which order abilities are put on the stack.",
        10,
        chooses("order"),
    ),
    Situation(
        "something illegal is tried",
        "Something is tried that may not be done.",
        50,
        at_some_action(has_illegal_attempt),
    ),
    Situation(
        "a rewind after payment",
        "A casting is taken back though lands were tapped for it.",
        5,
        at_some_action(rewinds_payment),
    ),
    Situation(
        "a target is gone",
        "A target is illegal as its spell resolves.",
        10,
        somewhere(Resolves | DoesNotResolve, resolves_without),
    ),
    Situation("a spell is countered", "A spell is countered.", 4, somewhere(Countered)),
    Situation("a copy of a spell", "A copy of a spell is put on the stack.", 5, somewhere(Copied)),
    Situation(
        "state-based actions again",
        "State-based actions are performed twice before anybody gets priority.",
        1,
        checked_again,
    ),
    Situation(
        "several state-based actions at once",
        "More than one state-based action is performed at the same time.",
        5,
        somewhere(StateActionsChecked, lambda event: isinstance(event, StateActionsChecked) and event.n > 1),
    ),
    Situation("cleanup is repeated", "A second cleanup step follows the first.", 2, cleanup_repeats),
    Situation("a discard in cleanup", "A player chooses cards to discard.", 3, chooses("cards")),
    Situation(
        "the next turn",
        "Another player's turn begins.",
        30,
        somewhere(StepBegan, lambda event: isinstance(event, StepBegan) and event.step == "untap"),
    ),
    Situation(
        "first-strike damage",
        "There are two combat damage steps.",
        5,
        somewhere(
            StepBegan, lambda event: isinstance(event, StepBegan) and event.step == "first-strike damage"
        ),
    ),
    Situation(
        "damage is divided",
        "Combat damage is divided among several.",
        3,
        at_some_action(lambda done: isinstance(done.what, Assign)),
    ),
    Situation(
        "control changes", "A permanent comes under another player's control.", 3, somewhere(ControlChanged)
    ),
    Situation("a legend is kept", "A player keeps one of two legends.", 2, chooses("keep")),
    Situation(
        "something comes back",
        "A permanent that was exiled is on the battlefield again.",
        5,
        somewhere(Moved, lambda event: isinstance(event, Moved) and is_back(event)),
    ),
    Situation(
        "a regeneration", "A permanent is regenerated instead of being destroyed.", 1, somewhere(Regenerated)
    ),
    Situation(
        "targets without casting",
        "A player says what a triggered ability, or a copy, targets.",
        2,
        chooses("targets"),
    ),
    Situation(
        "tokens are named",
        "Tokens are made and spoken of afterwards.",
        2,
        at_some_action(lambda done: isinstance(done.what, Call)),
    ),
)
"""The floors are well below the usual frequencies, so that only a real loss is noticed."""

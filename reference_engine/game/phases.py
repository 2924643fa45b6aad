"""Steps, phases and turns that effects add to a turn, or that players skip, and turns that effects end.

`turn` goes from step to step and asks here what comes next.
"""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.events import Skipped
from reference_engine.game.game import Ahead, Game, is_active
from reference_engine.game.happening import with_event
from reference_engine.language.cards import ExtraPhase, SkipStep
from reference_engine.language.words import STEPS, Step
from reference_engine.layers.board import NotModelled

STEPS_OF: dict[ExtraPhase, tuple[Step, Step]] = {
    "beginning": ("untap", "draw"),
    "upkeep": ("upkeep", "upkeep"),
    "combat": ("beginning of combat", "end of combat"),
    "main": ("postcombat main", "postcombat main"),
    "end": ("end", "end"),
}
"""The first and last step of an added phase.

CR 505.1a: an added main phase is a postcombat main phase. CR 500.10: an upkeep or end step that is added
after a phase is one of a phase without other steps.
"""
LAST_STEPS = frozenset({"draw", "precombat main", "end of combat", "postcombat main", "cleanup"})
"""The last step of each phase."""


def in_combat(step: Step) -> bool:
    """Whether a step is one of a combat phase (CR 506.1)."""
    first, last = STEPS_OF["combat"]
    return STEPS.index(first) <= STEPS.index(step) <= STEPS.index(last)


def step_ahead(game: Game, step: Step) -> tuple[Game, Step | None]:
    """The step that follows this one, and the game in which the turn has got that far; `None` if the turn is
    over.

    CR 500.9: an added step comes directly after the step named. CR 500.8: an added phase comes directly after
    the phase named; of several, the one created most recently is the first.
    """
    ahead = game.ahead
    if ahead.steps:
        if step == "cleanup":
            raise NotModelled("a step added after a cleanup step")
        first, *more = ahead.steps
        back = ahead.after_steps or game.rules.step_after(game, step)
        return replace(game, ahead=replace(ahead, steps=tuple(more), after_steps=back)), first
    if ahead.after_steps is not None:
        return replace(game, ahead=replace(ahead, after_steps=None)), ahead.after_steps
    ends = step in LAST_STEPS if ahead.last is None else step == ahead.last
    if not ends:
        return game, game.rules.step_after(game, step)
    back = game.rules.step_after(game, step) if ahead.last is None else ahead.after_phases
    if ahead.phases:
        added, *others = ahead.phases
        first, last = STEPS_OF[added]
        return replace(game, ahead=Ahead(phases=tuple(others), after_phases=back, last=last)), first
    return replace(game, ahead=Ahead()), back


def phases_added(game: Game, phases: tuple[ExtraPhase, ...]) -> Game:
    """The game with phases added directly after this one, in this order (CR 500.8: before those added
    earlier).
    """
    return replace(game, ahead=replace(game.ahead, phases=(*phases, *game.ahead.phases)))


def gets_extra_phases(game: Game, player: str) -> bool:
    """Whether a player who "gets" a phase or step gets it (CR 500.10a: only in that player's turn)."""
    return is_active(game, player)


def step_added(game: Game, step: Step) -> Game:
    """The game with a step added directly after this one (CR 500.9: before those added earlier)."""
    return replace(game, ahead=replace(game.ahead, steps=(step, *game.ahead.steps)))


def skipped_from(game: Game, step: Step) -> tuple[Game, Step | None]:
    """The last step that the active side skips, beginning with this one; `None` if it does not skip it.

    CR 500.11: a skipped step or phase is treated as though it didn't exist.
    """
    side = game.board.active
    if SkipStep in game.mentions and game.rules.is_skipped(game, step):
        return with_event(game, Skipped(f"the {step} step", "an effect")), step
    if step == "beginning of combat":
        game, skips = game.rules.next_one_skipped(game, side, "combat")
        if skips:
            return with_event(game, Skipped("the combat phase", "an effect")), "end of combat"
    game, skips = game.rules.next_one_skipped(game, side, step)
    return (with_event(game, Skipped(f"the {step} step", "an effect")), step) if skips else (game, None)


def next_one_skipped(game: Game, side: str, what: str) -> tuple[Game, bool]:
    """Whether a side skips this step, phase or turn because it was told to skip its next one.

    CR 614.10a: told twice, it skips the next two.
    """
    told = (side, what)
    if told not in game.to_skip:
        return game, False
    at = game.to_skip.index(told)
    return replace(game, to_skip=game.to_skip[:at] + game.to_skip[at + 1 :]), True


def turn_ended(game: Game) -> Game:
    """The game in which an effect is ending the turn; the step ends, and the cleanup step follows.

    CR 724.1: nothing else of the turn happens. CR 724.1a: abilities that have triggered and are not on the
    stack cease to exist. CR 724.1b: everything on the stack is exiled, what is resolving too. CR 724.1c:
    state-based actions are checked once. CR 724.1f: what triggers meanwhile waits for the cleanup step.
    """
    game = replace(game, waiting=())
    game, _ = game.rules.check_state(game.rules.stack_exiled(game))
    return replace(game, ahead=Ahead(), turn_ends=True)

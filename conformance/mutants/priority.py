"""Ways to get priority and special actions wrong: who may act, what a pass does, lands, turning face up."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from conformance.mutants.mutant import Mutant, mutant
from reference_engine.game import priority
from reference_engine.game.game import Game, Rejected, StackItem, next_side, side_of, sides
from reference_engine.game.happening import happen
from reference_engine.language.actions import Pass, PlayAction, TurnUp

# --------------------------------------------------------------------------------------- priority


def to_the_caster(game: Game, item: StackItem) -> str:
    """After a resolution, the controller of the resolved object has priority."""
    return item.controller if item.controller in sides(game) else game.board.active


def to_the_next(game: Game, item: StackItem) -> str:
    """After a resolution the nonactive player has priority."""
    return next_side(game, game.board.active)


def opponent_after_action(game: Game, player: str) -> Game:
    """Acting gives priority to the next player."""
    side = next_side(game, side_of(game, player))
    return game.rules.give_priority(game, side, "broken")


def passes_add_up(game: Game, player: str) -> Game:
    """Passes from before an action still count after it."""
    after = priority.after_action(game, player)
    return msgspec.structs.replace(after, passed=game.passed)


def one_pass_is_enough(game: Game) -> bool:
    """The stack resolves as soon as one side has passed."""
    return bool(game.passed)


def passes_go_backwards(game: Game, side: str) -> str:
    """Priority passes against the turn order."""
    order = sides(game)
    return order[order.index(side) - 1] if side in order else order[0]


def triggers_first(game: Game) -> Game:
    """Triggered abilities are put on the stack before state-based actions are performed."""
    while not game.over:
        if game.waiting:
            game = game.rules.put_triggers_on_stack(game)
        game, acted = game.rules.check_state(game)
        if not acted and not game.waiting:
            break
    return game


def checked_once(game: Game) -> Game:
    """State-based actions are performed only once, then triggers go on the stack."""
    game, _ = game.rules.check_state(game)
    return game.rules.put_triggers_on_stack(game) if game.waiting and not game.over else game


def never_checked(game: Game) -> Game:
    """State-based actions wait for the end of the step; only triggers go on the stack."""
    return game.rules.put_triggers_on_stack(game) if game.waiting else game


def nothing_to_do(game: Game) -> tuple[Game, bool]:
    """No state-based action applies."""
    return game, False


def lands_unchecked(game: Game, action: PlayAction) -> Game:
    """After a land is played its player has priority at once."""
    quiet = msgspec.structs.replace(game, rules=replace(game.rules, check_state=nothing_to_do))
    return msgspec.structs.replace(priority.play_land(quiet, action), rules=game.rules)


def to_whose_ability_triggered(game: Game, side: str, why: str) -> Game:
    """If something triggered, the controller of the last ability put on the stack has priority."""
    after = priority.give_priority(game, side, why)
    if after.holder is None or len(after.stack) <= len(game.stack):
        return after
    return msgspec.structs.replace(after, holder=side_of(after, after.stack[-1].controller))


def all_resolve(game: Game) -> Game:
    """When all players pass, the whole stack resolves."""
    height = len(game.stack)
    for _ in range(max(height - 1, 0)):
        if len(game.stack) > 1:
            game = game.rules.resolve_top(game)
    return priority.after_all_passed(game)


def passes_survive(game: Game, side: str, why: str) -> Game:
    """Passes from before a resolution still count after it."""
    return msgspec.structs.replace(priority.give_priority(game, side, why), passed=game.passed)


def anybody_passes(game: Game, action: Pass) -> Game:
    """Anybody may pass for the player with priority."""
    ours = action.who == "everyone" or game.deciding is not None or game.holder is None
    return priority.pass_priority(game, action) if ours else game.rules.passes(game)


def two_passes_are_enough(game: Game, side: str) -> tuple[str, ...]:
    """A second pass counts for all remaining players."""
    return tuple(sides(game)) if game.passed else (side,)


def nobody_wins(game: Game) -> tuple[Game, bool]:
    """The game continues with one player left."""
    after, acted = priority.check_state(game)
    return msgspec.structs.replace(after, over=False), acted


def anybody_acts(game: Game, player: str) -> None:
    """Players act without having priority."""


# ---------------------------------------------------------------------------- special actions


def sorceries_any_time(game: Game, player: str) -> bool:
    """A sorcery may be cast whenever its player has priority."""
    return side_of(game, player) == game.holder


def lands_any_time(game: Game, action: PlayAction) -> Game:
    """A land may be played whenever its player has priority."""
    lax = replace(game.rules, could_cast_a_sorcery=sorceries_any_time)
    after = priority.play_land(msgspec.structs.replace(game, rules=lax), action)
    return msgspec.structs.replace(after, rules=game.rules)


def lands_without_number(game: Game, player: str) -> int:
    """Any number of lands may be played in a turn."""
    return len(game.board.things)


def turns_up_for_nothing(game: Game, action: TurnUp) -> Game:
    """A permanent without a morph cost can be turned face up for free."""
    try:
        return priority.turn_face_up(game, action)
    except Rejected as refusal:
        if "702.37e" not in refusal.why:
            raise
    game, event = game.rules.face_turned(game, action.what, True)
    return game.rules.after_action(happen(game, event), action.by)


def age_kept(game: Game, action: TurnUp) -> Game:
    """Turning a permanent face up does not give it a new timestamp."""
    after = priority.turn_face_up(game, action)
    old = game.board.things[action.what].timestamp
    thing = msgspec.structs.replace(after.board.things[action.what], timestamp=old)
    return msgspec.structs.replace(after, board=after.board.with_things(thing))


PRIORITY: tuple[Mutant, ...] = (
    mutant(
        "priority-to-caster",
        "117.3b",
        "Gives priority to whoever's spell has just resolved.",
        holder_after_resolution=to_the_caster,
    ),
    mutant(
        "priority-to-opponent",
        "117.3b",
        "Gives priority to the nonactive player after a resolution.",
        holder_after_resolution=to_the_next,
    ),
    mutant(
        "acting-gives-it-away",
        "117.3c",
        "Takes priority from whoever acts.",
        after_action=opponent_after_action,
    ),
    mutant("passes-not-reset", "117.4", "Counts passes from before an action.", after_action=passes_add_up),
    mutant(
        "one-pass", "117.4", "Resolves the stack when one player has passed.", all_passed=one_pass_is_enough
    ),
    mutant(
        "backwards",
        "117.3d",
        "Passes priority against the turn order.",
        next_to_get_priority=passes_go_backwards,
    ),
    mutant(
        "triggers-before-checks",
        "117.5",
        "Stacks triggers before it performs state-based actions.",
        before_priority=triggers_first,
    ),
    mutant(
        "checked-once",
        "704.3",
        "Checks state-based actions once and not again.",
        before_priority=checked_once,
    ),
    mutant(
        "lands-unchecked",
        "704.3",
        "Checks no state-based actions after a land is played.",
        play_land=lands_unchecked,
    ),
    mutant("never-checked", "704.3", "Performs no state-based actions.", before_priority=never_checked),
    mutant("all-resolve", "117.4", "Resolves the whole stack when all pass.", after_all_passed=all_resolve),
    mutant(
        "passes-survive", "117.4", "Counts passes from before a resolution.", give_priority=passes_survive
    ),
    mutant("anybody-passes", "117.3d", "Lets a player pass for another.", pass_priority=anybody_passes),
    mutant(
        "two-passes",
        "117.4",
        "Resolves the stack after two passes, however many play.",
        passed_after=two_passes_are_enough,
    ),
    mutant(
        "triggers-give-priority",
        "117.3a",
        "Gives priority to whoever's ability has just triggered.",
        give_priority=to_whose_ability_triggered,
    ),
    mutant("nobody-wins", "104.2a", "Plays on with one player left.", check_state=nobody_wins),
    mutant("anybody-acts", "117.1", "Lets players act without priority.", require_priority=anybody_acts),
    mutant("lands-any-time", "305.3", "Lets lands be played at any time.", play_land=lands_any_time),
    mutant(
        "lands-without-number",
        "305.2",
        "Lets any number of lands be played.",
        land_plays=lands_without_number,
    ),
    mutant(
        "turns-up-for-nothing",
        "702.37e",
        "Turns face up what has no morph cost.",
        turn_face_up=turns_up_for_nothing,
    ),
    mutant("age-kept", "613.7f", "Gives no new timestamp to what is turned face up.", turn_face_up=age_kept),
)

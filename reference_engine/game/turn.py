"""The turn: steps, phases, and their turn-based actions (CR 500–514, 703)."""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.events import (
    DamageRemoved,
    Declared,
    Ended,
    GameEvent,
    LeftCombat,
    ManaAdded,
    ManaGone,
    Moved,
    Skipped,
    StepBegan,
    StepEnded,
    Unsaddled,
    Untapped,
)
from reference_engine.game.game import (
    Combat,
    Deciding,
    Game,
    Question,
    battlefield,
    controller_of,
    is_active,
    members,
    next_side,
    seat_of,
    side_of,
    sides,
)
from reference_engine.game.happening import happen, with_event
from reference_engine.game.mana import letters_in_order, letters_of
from reference_engine.game.phases import skipped_from
from reference_engine.game.pools import marks_of
from reference_engine.game.questions import take_answer
from reference_engine.game.rule_effects import all_forbidden, on_rules
from reference_engine.language.cards import LandsTapFor, SkipStep
from reference_engine.language.words import STEPS, Step
from reference_engine.layers.board import Lasting, PhasedOut
from reference_engine.layers.past import PastEvent

# -------------------------------------------------------------------------- from step to step


def end_step(game: Game) -> Game:
    """End the step and proceed to the next point where a player may act.

    CR 500.2: it ends when all have passed with an empty stack. CR 500.5, 500.5a: effects that last until then
    expire, and unspent mana empties. CR 511.3: as the end of combat step ends, everything leaves combat.
    CR 514.3a: a cleanup step in which players got priority is followed by another. CR 724.1d: if an effect
    ends the turn, everything leaves combat and a cleanup step follows.
    """
    step = game.board.step
    game = with_event(game, StepEnded(step), holder=None, passed=())
    game = game.rules.empty_mana(game)
    if step == "end of combat" or (game.turn_ends and game.combat is not None):
        game = game.rules.combat_over(game.rules.durations_until_end_of_combat(game))
    if game.turn_ends or (step == "cleanup" and game.cleanup_again):
        return game.rules.begin_step(replace(game, turn_ends=False, cleanup_again=False), "cleanup")
    return go_on_after(game, step)


def go_on_after(game: Game, step: Step) -> Game:
    """Proceed from a step that is over, or skipped, to the one that follows, or to the next turn."""
    game, following = game.rules.step_ahead(game, step)
    return game.rules.begin_turn(game) if following is None else game.rules.begin_step(game, following)


def empty_mana(game: Game) -> Game:
    """CR 500.5, 106.4: unspent mana leaves the pools as each step and phase ends, unless an effect turns it
    into another kind.
    """
    events: list[GameEvent] = []
    for player, mana in game.pools.items():
        kept = mana_kept_as(game, player) if mana else None
        if mana and kept != letters_in_order(mana):
            marks = marks_of(game, player)
            events.append(ManaGone(player, mana, "emptied", marks))
            if kept is not None:
                # CR 106.6: what it may be spent on doesn't depend on its type.
                same = tuple(replace(mark, letter=kept) for mark in marks)
                events.append(ManaAdded(player, kept * len(mana), "an effect", same))
    return happen(game, *events) if events else game


def mana_kept_as(game: Game, player: str) -> str | None:
    """The kind that a player's unspent mana becomes instead of being lost, if an effect says so."""
    for operation, affected, _ in on_rules(game, LandsTapFor):
        if player in affected:
            return letters_of(operation.mana)
    return None


def step_after(game: Game, step: Step) -> Step | None:
    """The step that follows; `None` if it was the last one of a turn.

    CR 500.1, 506.1: phases and steps come in a fixed order. CR 508.8: the declare blockers and combat damage
    steps are skipped if no creature was declared as an attacker or put onto the battlefield attacking, even
    if none is left. CR 510.4: there is a first combat damage step only if a creature in combat has first
    strike or double strike as it would begin.
    """
    if step == "declare attackers" and not (game.combat and game.combat.attacked):
        return "end of combat"
    if step == "declare blockers":
        return "first-strike damage" if game.rules.two_damage_steps(game) else "combat damage"
    return None if step == "cleanup" else STEPS[STEPS.index(step) + 1]


def attackers(game: Game) -> tuple[str, ...]:
    """The attacking creatures, in creation order."""
    return tuple(thing.id for thing in battlefield(game) if thing.attacking is not None)


def blockers(game: Game) -> tuple[str, ...]:
    return tuple(thing.id for thing in battlefield(game) if thing.blocking)


def two_damage_steps(game: Game) -> bool:
    """CR 506.1, 510.4, 702.7b: whether a creature in combat has first strike or double strike."""
    seen = game.seen
    return any(
        seen.look(id).has_keyword("first strike") or seen.look(id).has_keyword("double strike")
        for id in attackers(game) + blockers(game)
    )


def begin_turn(game: Game) -> Game:
    """Begin the next turn and proceed to where a player may act.

    CR 500.1: it consists of its phases and steps, from the untap step on. CR 500.11: a turn that is to be
    skipped is passed over.
    """
    game, side = game.rules.next_turn(game)
    game, skips = game.rules.next_one_skipped(game, side, "turn")
    while skips:
        game = with_event(game, Skipped(f"{side}'s turn", "an effect"))
        game, side = game.rules.next_turn(game)
        game, skips = game.rules.next_one_skipped(game, side, "turn")
    turn = game.turn + 1
    game = replace(
        game,
        board=replace(
            game.board,
            active=side,
            damaged={},
            past=game.rules.kept_of_the_past(game),
            past_before=game.board.past,
        ),
        turn=turn,
        last_upkeep={**game.last_upkeep, side: game.recent[side]},
        recent={**game.recent, side: turn},
        lands_played={},
        turn_before=(game.board.active, game.spells_cast),
        spells_cast=(),
        drawn={},
    )
    game = game.rules.control_begun(game, side)
    return game.rules.begin_step(game.rules.durations_until_next_turn(game), "untap")


def next_turn(game: Game) -> tuple[Game, str]:
    """The side whose turn comes next.

    CR 500.7: extra turns come first, the most recently created one before the others; after them the turns go
    on in order, from where they were. CR 800.4k: a player who has left the game takes no turn.
    """
    extra, there, passed = list(game.extra_turns), sides(game), list[str]()
    while extra and extra[-1] not in there:
        passed.append(extra.pop())
    if extra:
        so_far = last_in_turn_order(game)
        game = game.rules.durations_of_players_gone(game, tuple(passed))
        return replace(game, extra_turns=tuple(extra[:-1]), in_turn_order=so_far), extra[-1]
    side = next_side(game, last_in_turn_order(game))
    game = game.rules.durations_of_players_gone(game, (*passed, *passed_over(game, side)))
    return replace(game, extra_turns=(), in_turn_order=side), side


def passed_over(game: Game, next_one: str) -> tuple[str, ...]:
    """The sides between the last one in turn order and the next, whose players have left the game."""
    order = game.sides
    first, last = order.index(last_in_turn_order(game)) + 1, order.index(next_one)
    return order[first:last] if first <= last else order[first:] + order[:last]


def last_in_turn_order(game: Game) -> str:
    """The side whose turn it is, or was before the extra turns."""
    return game.in_turn_order or game.board.active


def begin_step(game: Game, step: Step) -> Game:
    """Begin a step and proceed to where a player may act.

    CR 500.11: a skipped step is treated as though it didn't exist. CR 603.2b: "at the beginning" abilities
    trigger as it begins. CR 703.3, 703.4d, 703.4f: turn-based actions come immediately after that, and before
    those abilities are put on the stack.
    """
    game = replace(game, board=replace(game.board, step=step))
    if SkipStep in game.mentions or game.to_skip:
        game, skipped = skipped_from(game, step)
        if skipped is not None:
            return go_on_after(game, skipped)
    game = happen(game, StepBegan(step, game.board.active, game.turn))
    match step:
        case "untap":
            # CR 502.4: no player gets priority; abilities that triggered wait for the upkeep.
            game = game.rules.untap(game.rules.daytime_checked(game.rules.phased(game)))
            return game.rules.end_step(game.rules.durations_of_untap_step(game))
        case "draw":
            game = game.rules.draw_for_turn(game)
        case "precombat main":
            game = game.rules.lore_counters_added(game)
        case "beginning of combat":
            game = combat_begun(game)
        case "declare attackers":
            return game.rules.await_attackers(game)
        case "declare blockers":
            return game.rules.await_blockers(game)
        case "first-strike damage":
            return game.rules.begin_damage(game.rules.first_strikers_noted(game))
        case "combat damage":
            return game.rules.begin_damage(game)
        case "cleanup":
            return game.rules.clean_up(game)
    return game.rules.give_priority(game, game.board.active, "CR 117.3a: the active player, as it begins")


def is_skipped(game: Game, step: Step) -> bool:
    """Whether an effect makes the active side skip this step (CR 614.1b, 614.10: a replacement effect)."""
    return any(
        operation.step == step and any(is_active(game, player) for player in affected)
        for operation, affected, _ in on_rules(game, SkipStep)
    )


# ------------------------------------------------------------------------------ turn-based actions


def durations_of_players_gone(game: Game, passed: tuple[str, ...]) -> Game:
    """End the effects that last until the next turn of a player who has left, or until a point in it, if such
    a turn of theirs, an extra turn or not, would begin now.

    CR 800.4m: they last until that turn would have begun.
    """
    over = frozenset(
        effect.id
        for effect in game.board.effects
        if effect.until in ("your next turn", "end of your next turn") and side_of(game, effect.you) in passed
    )
    return happen(game, Ended(over, "that turn would have begun (CR 800.4m)")) if over else game


def durations_until_next_turn(game: Game) -> Game:
    """End the effects that last until the beginning of this turn (CR 500.4: they expire as it begins)."""
    over = frozenset(
        effect.id
        for effect in game.board.effects
        if effect.until == "your next turn" and side_of(game, effect.you) == game.board.active
    )
    return happen(game, Ended(over, "your next turn has come (CR 611.2a)")) if over else game


def durations_until_end_of_combat(game: Game) -> Game:
    """End the effects that last until end of combat (CR 500.5a, 511.2: as the combat phase ends)."""
    over = frozenset(effect.id for effect in game.board.effects if effect.until == "end of combat")
    return happen(game, Ended(over, "combat is over (CR 500.5a)")) if over else game


def durations_of_untap_step(game: Game) -> Game:
    """End the effects on permanents of the active side that lasted for this untap step.

    CR 500.5: as a step ends, effects that last until then expire.
    """
    over = frozenset(
        effect.id
        for effect in game.board.effects
        if effect.until == "next untap step"
        for part in effect.parts
        if isinstance(part.affects, frozenset)
        for id in part.affects
        # CR 702.26b: what is phased out has no controller whose untap step could come.
        if id in game.board.things and is_active(game, controller_of(game, id))
    )
    return happen(game, Ended(over, "that untap step is over (CR 611.2a)")) if over else game


def lasts_beyond_this_turn(game: Game, effect: Lasting) -> bool:
    """Whether an effect goes on after the cleanup step.

    CR 514.2: "until end of turn" and "this turn" effects end, and so do those that last until the end of a
    player's next turn, if this is such a turn and they did not begin in it.
    """
    if effect.until == "end of your next turn":
        return effect.turn == game.turn or side_of(game, effect.you) != game.board.active
    return effect.until not in ("end of turn", "this turn")


def untap(game: Game) -> Game:
    """CR 502.3: the active side's permanents untap simultaneously, except those that effects keep tapped."""
    tapped = [
        thing.id
        for thing in battlefield(game)
        if thing.tapped and is_active(game, controller_of(game, thing.id))
    ]
    kept = all_forbidden(game, "untap", tapped)
    ids = tuple(id for id in tapped if id not in kept)
    return happen(game, *(Untapped(id) for id in ids)) if ids else game


def draw_for_turn(game: Game) -> Game:
    """CR 504.1, 805.4b: the active player draws a card; with shared turns, so does each player of the active
    team.
    """
    for player in members(game, game.board.active):
        game = game.rules.draw(game, player, 1)
    return game


def combat_begun(game: Game) -> Game:
    """The combat phase begins, and what attacked in an earlier one has no defending player any more.

    CR 508.5: until then it has, also when it has left combat.
    """
    past = (replace(thing, against=None) for thing in game.board.things.values() if thing.against is not None)
    return replace(game, combat=Combat(), board=game.board.with_things(*past))


def combat_over(game: Game) -> Game:
    """CR 511.3: as the end of combat step ends, everything is removed from combat."""
    there = dict.fromkeys(attackers(game) + blockers(game))
    game = happen(game, *(LeftCombat(id, "combat is over") for id in there)) if there else game
    return replace(game, combat=None)


def clean_up(game: Game) -> Game:
    """The cleanup step.

    CR 514.1: the active player discards down to the maximum hand size. CR 514.2: then damage is removed and
    "until end of turn" and "this turn" effects end, simultaneously. CR 514.3: players normally get no
    priority.
    """
    game = game.rules.discard_to_hand_size(game)
    game = game.rules.end_of_turn(game)
    if game.rules.cleanup_gives_priority(game):
        why = "CR 514.3a: something happened in the cleanup step"
        return game.rules.give_priority(replace(game, cleanup_again=True), game.board.active, why)
    return game if game.over else game.rules.end_step(game)


def discard_to_hand_size(game: Game) -> Game:
    """CR 402.2, 514.1: the active player (or each player of the active team) discards down to the maximum
    hand size.
    """
    events: list[GameEvent] = []
    for player in members(game, game.board.active):
        most = game.rules.maximum_hand_size(game.seen, player)
        hand = seat_of(game, player).hand
        if most is None or len(hand) <= most:
            continue
        n = len(hand) - max(most, 0)
        game, answer = take_answer(game, Question("cards", player, ("cleanup",), hand, n, n))
        rule = "CR 514.1: down to the maximum hand size"
        events += [Moved(str(id), "hand", "graveyard", "discarded", rule=rule) for id in answer]
    return happen(game, *events) if events else game


def end_of_turn(game: Game) -> Game:
    """CR 514.2: damage is removed and "until end of turn" and "this turn" effects end, simultaneously."""
    hurt = tuple(thing.id for thing in battlefield(game) if thing.damage)
    if game.board.phased_out:
        game = replace(game, board=replace(game.board, phased_out=unharmed(game.board.phased_out)))
    over = frozenset(e.id for e in game.board.effects if not game.rules.lasts_beyond_this_turn(game, e))
    events: tuple[GameEvent, ...] = (DamageRemoved(hurt),) if hurt else ()
    saddled = game.rules.unsaddled(game)
    if saddled:
        events = (*events, Unsaddled(saddled))
    if over:
        events = (*events, Ended(over, "the turn ends (CR 514.2)"))
    memory = {id: replace(known, shields=0) if known.shields else known for id, known in game.memory.items()}
    delayed = tuple(delayed for delayed in game.delayed if not delayed.this_turn)
    game = replace(game, memory=memory, delayed=delayed)
    return happen(game, *events) if events else game


def unsaddled(game: Game) -> tuple[str, ...]:
    """The permanents that stop being saddled as the turn ends, or that something saddled this turn
    (CR 702.171b).
    """
    return tuple(thing.id for thing in battlefield(game) if thing.saddled or thing.saddled_by)


def unharmed(phased_out: tuple[PhasedOut, ...]) -> tuple[PhasedOut, ...]:
    """Phased-out permanents without damage (CR 514.2: it is removed from them, too), and not saddled
    (CR 702.171b).
    """
    as_new = {"damage": 0, "saddled": False, "saddled_by": frozenset()}
    return tuple(replace(one, thing=replace(one.thing, **as_new)) for one in phased_out)


def cleanup_gives_priority(game: Game) -> bool:
    """CR 514.3a: players get priority in the cleanup step if a state-based action would be performed or an
    ability has triggered.
    """
    if game.waiting:
        return True
    noticed = game.rules.noticed(game)
    _, events = game.rules.state_based_actions(noticed)
    return bool(events)


# ------------------------------------------------------------------------------ waiting to declare


def await_attackers(game: Game) -> Game:
    """Wait for the active side to declare attackers (CR 508.1: before a player gets priority)."""
    if not game.rules.possible_attackers(game):
        return game.rules.no_attackers(game)
    game = with_event(game, Declared("attackers", game.board.active))
    return replace(game, deciding=Deciding("attackers", game.board.active), holder=None)


def kept_of_the_past(game: Game) -> tuple[PastEvent, ...]:
    """The records kept as a new turn begins: none, because they are about "this turn" (CR 500.1: turns)."""
    return ()

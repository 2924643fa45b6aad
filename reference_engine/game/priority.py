"""Timing and priority (CR 117): who gets priority, what a pass does, and what happens before a player gets
priority.

Also contains special actions (CR 116: special actions), and the script's shortcuts for passing many times.
"""

from __future__ import annotations

from msgspec.structs import replace

from reference_engine.game.announcing import keywords_chosen, price_announced, symbols_announced
from reference_engine.game.beginning import permission_effects
from reference_engine.game.casting import mana_abilities_activated
from reference_engine.game.costs import Proposal, nothing_left_over, pay_life, pay_mana
from reference_engine.game.events import (
    AllPassed,
    Announced,
    DoorTurned,
    Entering,
    FaceUpPlayed,
    GameEvent,
    GotPriority,
    LandPlayed,
    Moved,
    Passed,
    Resolved,
    StateActionsChecked,
    StepBegan,
    StepEnded,
)
from reference_engine.game.game import (
    Game,
    Loop,
    NoStop,
    Question,
    Rejected,
    StackItem,
    Undecided,
    is_active,
    members,
    next_side,
    side_of,
    sides,
    thing_of,
)
from reference_engine.game.happening import happen, happen_if_any, with_event
from reference_engine.game.mana import symbols_of
from reference_engine.game.manifesting import look_face_up
from reference_engine.game.moving import turn_faces
from reference_engine.game.rooms import unlock
from reference_engine.game.rule_effects import is_forbidden, on_rules
from reference_engine.game.stack import item_named, item_of
from reference_engine.game.state_based import (
    indestructible_with_lethal_damage,
    not_legendary_beside_legends,
    over_if_decided,
)
from reference_engine.game.timing import permission_chosen
from reference_engine.language.actions import (
    Advance,
    Pass,
    PlayAction,
    Resolve,
    Special,
    TurnUp,
    UnlockAction,
)
from reference_engine.language.cards import Cost, LandDrops
from reference_engine.language.words import KeywordName
from reference_engine.layers.board import NotModelled

MANY = 1000
"""Number of rounds of passing after which the game counts as a loop."""

# ------------------------------------------------------------------------------- getting priority


def give_priority(game: Game, side: str, why: str) -> Game:
    """Give a side priority, after everything that happens first.

    CR 117.3: a player receives it by a rule that the caller names. CR 117.5: state-based actions and
    triggered abilities come first. CR 104.2a: if only one side is left, the game is over.
    """
    game = game.rules.before_priority(game)
    if game.over:
        return game
    if side not in sides(game):
        # CR 800.4j: without an active player the next player in turn order gets priority.
        side = next_side(game, side)
    return with_event(game, GotPriority(side, why), holder=side, passed=())


def before_priority(game: Game) -> Game:
    """Alternate state-based actions and triggered abilities until neither happens.

    CR 117.5, 603.3, 704.3: perform state-based actions until there are none, put waiting triggered abilities
    on the stack, and repeat.
    """
    in_vain = False
    for _ in range(MANY):
        if game.over:
            return game  # CR 104.1: nobody loses any more
        game, acted = game.rules.check_state(game)
        if acted:
            continue
        # CR 603.3d: a state trigger removed for lack of a legal target must not trigger again at once, or
        # this would never end.
        game = game if in_vain else game.rules.states_noticed(game)
        if not game.waiting:
            return game
        height = len(game.stack)
        game = game.rules.put_triggers_on_stack(game)
        in_vain = len(game.stack) == height
    raise Loop


def check_state(game: Game) -> tuple[Game, bool]:
    """One check of state-based actions: the game after it, and whether any were performed.

    CR 704.3: it covers everything that applies now.
    """
    game = game.rules.noticed(game)
    game, events = game.rules.state_based_actions(game)
    # CR 704.5b, 704.5h: each check counts only what happened since the previous one.
    if game.deathtouched or game.drew_from_empty:
        game = replace(game, deathtouched=frozenset(), drew_from_empty=frozenset())
    hurt, nameless = indestructible_with_lethal_damage(game), not_legendary_beside_legends(game)
    game = with_event(game, StateActionsChecked(len(events), hurt, nameless))
    if not events:
        return game, False
    game = game.rules.auras_found(game, happen(game, *events))
    return over_if_decided(game), True


def after_action(game: Game, player: str) -> Game:
    """CR 117.3c: a player with priority who acted receives it again. CR 117.4: earlier passes no longer
    count.
    """
    return game.rules.give_priority(game, side_of(game, player), "CR 117.3c: who acted has priority again")


# ---------------------------------------------------------------------------------------- passing


def pass_priority(game: Game, action: Pass) -> Game:
    """The game after the current holder passes, or after everyone passes, starting with the holder.

    CR 117.3d: the next player in turn order gets priority. CR 117.4: if all pass, something happens.
    """
    if action.who == "everyone":
        return everyone_passes(game)
    if game.deciding is not None:
        raise Undecided(declaration_wanted(game))
    if action.who != game.holder:
        raise Rejected(f"{action.who} does not have priority (CR 117.1)")
    return game.rules.passes(game)


def everyone_passes(game: Game) -> Game:
    """Pass for everyone until an object has resolved or a step has ended."""
    if game.deciding is not None:
        raise Undecided(declaration_wanted(game))
    while True:
        start = len(game.events)
        game = game.rules.passes(game)
        if not PASSED_THROUGH.isdisjoint(map(type, game.events[start:])):
            return game


PASSED_THROUGH = frozenset({Resolved, StepEnded})
"""The events at which everyone stops passing."""


def passes(game: Game) -> Game:
    """The current holder passes.

    CR 117.3d: the player announces unspent mana; then the next in turn order gets priority. CR 117.4: if all
    have passed in succession, the top of the stack resolves, or the step ends.
    """
    assert game.holder is not None
    side = game.holder
    floating: tuple[tuple[str, str], ...] = ()
    if game.pools:
        there = members(game, side)
        holding = [(player, game.pools[player]) for player in there if game.pools.get(player)]
        floating = tuple((player, symbols_of(pool)) for player, pool in holding)
    game = with_event(game, Passed(side, floating), passed=game.rules.passed_after(game, side))
    if not game.rules.all_passed(game):
        following = game.rules.next_to_get_priority(game, side)
        why = "CR 117.3d: the next in turn order"
        return with_event(game, GotPriority(following, why), holder=following)
    return game.rules.after_all_passed(with_event(game, AllPassed(not game.stack), holder=None, passed=()))


def passed_after(game: Game, side: str) -> tuple[str, ...]:
    """The sides that have passed in succession, once this side has too.

    CR 117.4: only passes in succession count.
    """
    return (*game.passed, side)


def all_passed(game: Game) -> bool:
    """CR 117.4: whether all sides have passed in succession."""
    return set(sides(game)).issubset(game.passed)


def next_to_get_priority(game: Game, side: str) -> str:
    """CR 117.3d: the next side in turn order."""
    return next_side(game, side)


def after_all_passed(game: Game) -> Game:
    """CR 117.4, 405.5, 500.2, 608.1: the top of the stack resolves, or if it is empty, the step or phase
    ends.
    """
    if not game.stack:
        return game.rules.end_step(game)
    item = game.stack[-1]
    game = game.rules.resolve_top(game)
    if game.turn_ends:
        return game.rules.end_step(game)
    why = "CR 117.3b: the active player, after a resolution"
    return game.rules.give_priority(game, game.rules.holder_after_resolution(game, item), why)


def holder_after_resolution(game: Game, item: StackItem) -> str:
    """CR 117.3b: after a resolution the active side gets priority, whoever controlled the object."""
    return game.board.active


def declaration_wanted(game: Game) -> Question:
    """The declaration that the game is waiting for, as a question."""
    assert game.deciding is not None
    return Question("object", game.deciding.by, (game.deciding.what,))


# ------------------------------------------------------------------------------- passing many times


def until_resolved(game: Game, action: Resolve) -> Game:
    """Pass for everyone until an object has left the stack, or the game is over."""
    item = item_named(game, action.what)
    if item is None:
        raise Rejected(f"{action.what} is not on the stack")
    for _ in range(MANY):
        game = everyone_passes(game)
        if game.over or item_of(game, item.id) is None:
            return game
    raise Loop


def until_settled(game: Game) -> Game:
    """Pass for everyone until the stack is empty, or the game is over."""
    for _ in range(MANY):
        if not game.stack:
            return game
        game = everyone_passes(game)
        if game.over:
            return game
    raise Loop


def until_step(game: Game, action: Advance) -> Game:
    """Pass for everyone until someone first gets priority in the named step, strictly after now.

    Nobody attacks or blocks on the way unless required to.
    """
    if action.turn is not None and action.turn not in game.sides:
        raise Rejected(f"{action.turn} has no turns of their own")
    turns = game.turn
    began = game.deciding is not None
    told = 0
    for _ in range(MANY):
        if game.over:
            raise NoStop("the game is over")
        game = game.rules.declare_least(game) if game.deciding is not None else everyone_passes(game)
        began = began or has_begun(game.events[told:], action.to)
        told = len(game.events)
        if is_at_step(game, action, began):
            return game
        if game.turn - turns > len(game.sides) + 1:
            raise NoStop(f"nobody got priority in the {action.to} step")
    raise Loop


def has_begun(events: tuple[GameEvent, ...], step: str) -> bool:
    return any(type(event) is StepBegan and event.step == step for event in events)


def is_at_step(game: Game, action: Advance, began: bool) -> bool:
    """Whether somebody has priority in the wanted step, and that step began during this action."""
    if game.board.step != action.to or game.holder is None or not began:
        return False
    return action.turn is None or game.board.active == action.turn


# --------------------------------------------------------------------------------- special actions


def play_land(game: Game, action: PlayAction) -> Game:
    """Play a land, which does not use the stack.

    CR 116.2a, 305.2: in a main phase of the player's own turn, with priority and an empty stack, and only as
    often as allowed. CR 305.3: never during another player's turn.
    """
    player = action.by
    game.rules.require_priority(game, player)
    thing = thing_of(game, action.what)
    game = game.rules.shown_in_exile(game, player, thing.id)
    game = game.rules.with_face_chosen(game, thing.id, action.face)
    thing = game.board.things[thing.id]
    offered = tuple([one for one in game.rules.permissions(game, player, thing.id) if not one[0].only_cast])
    on_adventure = thing.zone == "exile" and thing.playable_by == player
    if not offered and not on_adventure and (thing.zone != "hand" or thing.owner != player):
        raise Rejected(f"{action.what} is not in {player}'s hand (CR 116.2a)")
    if not game.look(thing.id).is_a("Land"):
        raise Rejected(f"{action.what} is no land")
    if not game.rules.could_cast_a_sorcery(game, player):
        raise Rejected(f"{player} can't play a land now (CR 305.3, 116.2a)")
    if game.lands_played.get(player, 0) >= game.rules.land_plays(game, player):
        raise Rejected(f"{player} has played a land this turn (CR 305.2b)")
    if is_forbidden(game, "play lands", player):
        raise Rejected(f"an effect says that {player} can't play lands (CR 101.2)")
    game = with_event(game, Announced(thing.id, player))
    game, permission = permission_chosen(game, player, thing.id, offered)
    # CR 400.7i: the rest of the effect that allowed playing the land can find it.
    begins = () if permission is None else permission_effects(game, thing.id, permission)
    entering = Entering(under=player, begins=begins, face_up=thing.face_up)
    game = happen(game, Moved(thing.id, thing.zone, "battlefield", "played", entering))
    game = happen(game, LandPlayed(thing.id, player))
    return game.rules.after_action(game, player)


def land_plays(game: Game, player: str) -> int:
    """CR 305.2: one land each turn, plus the additional ones that effects allow."""
    return 1 + sum(
        operation.plus for operation, affected, _ in on_rules(game, LandDrops) if player in affected
    )


def turn_face_up(game: Game, action: TurnUp) -> Game:
    """A player turns a face-down permanent they control face up.

    CR 116.2b: any time with priority, for one of the costs that allow it.
    """
    player = action.by
    game.rules.require_priority(game, player)
    thing = thing_of(game, action.what)
    if thing.zone != "battlefield" or not thing.face_down:
        raise Rejected(f"{action.what} is not a face-down permanent")
    if game.look(thing.id).controller != player:
        raise Rejected(f"{player} does not control {action.what}")
    if game.rules.cannot_turn_up(game, thing.id):
        raise Rejected(f"{action.what} can't be turned face up")
    ways = game.rules.ways_to_turn_up(game, thing.id)
    if not ways:
        raise Rejected(f"{action.what} has no cost to be turned face up (CR 702.37e, 701.40b)")
    if action.as_ is None and len(ways) > 1:
        raise Rejected(f"{action.what}: say which: as: {' or '.join(ways)}")
    way = next(iter(ways)) if action.as_ is None else action.as_
    if way not in ways:
        raise Rejected(f"{action.what} can't be turned face up for its {way}")
    mana, costs = ways[way]
    look = look_face_up(game, thing.id)
    named = next((keyword.keyword for keyword in look.keywords if keyword.keyword == way), None)
    if named is not None:
        # CR 702.37e, 702.168d: with several morph or disguise abilities, for the cost of one of them.
        game, [keyword] = keywords_chosen(game, player, thing.id, named, look)
        mana, costs = keyword.mana or "", keyword.costs
    game = with_event(game, Announced(thing.id, player))
    game = pay_special_cost(game, action, mana, costs)
    game, turns = turn_faces(game, (game.ref(thing.id),), up=True)
    game = happen_if_any(game, turns)
    game = with_event(game, FaceUpPlayed(thing.id, player))
    return game.rules.after_action(game, player)


def unlock_door(game: Game, action: UnlockAction) -> Game:
    """A player unlocks a half of a Room that they control (CR 116.2m, 709.5e: for the mana cost of that half,
    without the stack).
    """
    player = action.by
    game.rules.require_priority(game, player)
    half, cost = unlock(game, action, player)
    game = with_event(game, Announced(action.what, player))
    game = pay_special_cost(game, action, cost, ())
    if game.board.things[action.what].zone == "battlefield":
        game = happen(game, DoorTurned(action.what, half, player))
    return game.rules.after_action(game, player)


def pay_special_cost(game: Game, action: TurnUp | UnlockAction, mana: str, costs: tuple[Cost, ...]) -> Game:
    """Pay the cost of a special action (CR 118.2: mana abilities may be activated for it).

    CR 118.13c: the player chooses how to pay hybrid and Phyrexian symbols immediately before.
    """
    if "{X}" in mana:
        raise NotModelled("X in the cost of a special action")
    item = StackItem("special", "activated", action.by, game.ref(action.what), 0)
    hybrid, with_life = symbols_announced(action.costs)
    price = price_announced(mana, 0, hybrid, with_life)
    proposal = Proposal(item=item, action=action, before=game, origin="battlefield", price=price)
    game, proposal = mana_abilities_activated(game, proposal)
    answers = list(action.costs)
    for cost in costs:
        game, _, _ = game.rules.pay_cost(game, cost, action.by, item.source, answers, (action.what,))
    game = pay_mana(game, proposal, price, answers)
    nothing_left_over(answers)
    return pay_life(game, action.by, price.life)


NOT_PLAYED = {
    "end an effect": "CR 116.2c",
    "ignore an effect": "CR 116.2d",
    "Circling Vultures": "CR 116.2e",
    "suspend": "CR 116.2f",
    "companion": "CR 116.2g",
    "roll the planar die": "CR 116.2i",
    "turn a conspiracy up": "CR 116.2j",
}


def take_special_action(game: Game, action: Special) -> Game:
    """Take a special action; the engine only recognises most of them.

    CR 116.2: the special actions. CR 702.143a, 702.170a: foretelling and plotting are two of them.
    """
    game.rules.require_priority(game, action.by)
    if action.what == "plot":
        return plot(game, action)
    if action.what == "foretell":
        return game.rules.foretold(game, action)
    if action.what == "suspend":
        require_in_hand(game, action, "suspend", NOT_PLAYED["suspend"])
    raise NotModelled(f"the special action {action.what!r} ({NOT_PLAYED[action.what]})")


def require_in_hand(game: Game, action: Special, keyword: KeywordName, rule: str) -> None:
    """Refuse the action unless the player has that card in hand, with a keyword that allows it."""
    player, id = action.by, action.source or ""
    thing = thing_of(game, id)
    if thing.zone != "hand" or thing.owner != player or not game.look(id).has_keyword(keyword):
        raise Rejected(f"{player} has no {id} with {keyword} in hand ({rule})")


def plot(game: Game, action: Special) -> Game:
    """The game after a player has plotted a card from hand.

    CR 702.170a: in a main phase of the player's turn with an empty stack, for its plot cost; the card is
    exiled and becomes plotted. CR 702.170b: this does not use the stack.
    """
    player, id = action.by, action.source or ""
    require_in_hand(game, action, "plot", "CR 702.170a")
    if not game.rules.could_cast_a_sorcery(game, player):
        raise Rejected(f"{player} can't plot now (CR 702.170a)")
    game, [offered] = keywords_chosen(game, player, id, "plot", game.look(id))
    game = happen(game, Moved(id, "hand", "exile", "exiled", becomes="plotted"))
    for cost in offered.costs:
        game, _, _ = game.rules.pay_cost(game, cost, player, game.ref(id), [], (id,))
    return game.rules.after_action(game, player)


def foretold(game: Game, action: Special) -> Game:
    """The game after a player has foretold a card from hand.

    CR 702.143a, 116.2h: any time with priority during the player's own turn, for {2}; the card is exiled face
    down. CR 702.143b: this does not use the stack.
    """
    player, id = action.by, action.source or ""
    require_in_hand(game, action, "foretell", "CR 702.143a")
    if not is_active(game, player):
        raise Rejected(f"{player} can foretell only during their own turn (CR 702.143a)")
    game = happen(game, Moved(id, "hand", "exile", "exiled", becomes="foretold"))
    shown = game.rules.shown_in_exile(game, player, id)
    if not shown.seen.look(id).has_keyword("foretell"):
        raise NotModelled("a foretell cost that an effect gives to a card in hand")
    return game.rules.after_action(game, player)

"""The game as a value, and `advance`, which applies one action to it.

Read this second, after `layers`. A `Game` is a frozen value and every action returns a new one, so reversing
an illegal action means keeping the old value. Each rule decision is a function in `game.rules`; read on in
`priority` (who may act), `casting` (putting spells and abilities on the stack), `resolving`, `triggers`,
`state_based`, `turn`, `combat`.

A `ChooseAction` given in advance answers a decision that a player has to make. Without one the whole action
does not happen: `advance` returns the `Undecided` question, and the same action may be tried again with an
answer.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.language.actions import (
    Action,
    Activate,
    Advance,
    AnswerValue,
    Assign,
    Attack,
    Block,
    Call,
    CastAction,
    ChoiceKind,
    ChooseAction,
    Look,
    Pass,
    PlayAction,
    Resolve,
    Settle,
    Share,
    Special,
    Try,
    TurnUp,
    UnlockAction,
)
from reference_engine.language.cards import (
    Activated,
    Condition,
    ExchangeControl,
    ExtraPhase,
    GainControl,
    Instruction,
    ManaRider,
    Spending,
    TargetSpec,
    Triggered,
    TriggerEvent,
    Would,
)
from reference_engine.language.characteristics import Characteristics
from reference_engine.language.words import Step
from reference_engine.layers.board import Board, NotModelled, Seat, Thing
from reference_engine.layers.evaluation import Evaluation, evaluate
from reference_engine.layers.past import PastEvent

if TYPE_CHECKING:
    from reference_engine.game.events import GameEvent
    from reference_engine.game.game_rules import GameRules

# --------------------------------------------------------------------- the outcomes of an action


class Rejected(Exception):
    """The action is illegal; the game is unchanged, or keeps the mana abilities activated on the way."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why
        self.while_paying = False
        """Whether the illegality appeared only when mana abilities could be activated (CR 601.2g: before
        paying).
        """
        self.kept: Game | None = None


class Undecided(Exception):
    """The action needs a decision that has not been given; the game is unchanged.

    `so_far` is how far the action got, for the account only.
    """

    def __init__(self, question: Question, so_far: Game | None = None) -> None:
        super().__init__(str(question))
        self.question = question
        self.so_far = so_far


class Loop(Exception):
    """Everyone passed a thousand times without reaching the end."""


class NoStop(Exception):
    """No player got priority in the requested step."""


# ------------------------------------------------------------------------------- parts of a game


class Ref(Struct, frozen=True):
    """A reference to one particular object of a card (CR 400.7: each zone change makes a new object).

    `then` is the object it became through the very event or cost that the reference is about, which may still
    be found (CR 400.7e, 400.7j: in a public zone). A reference to a player has `born` 0.
    """

    id: str
    born: int = 0
    then: int | None = None
    revealed: bool = False
    """Whether it refers to the card as it was revealed, without any effects (CR 708.12: revealed while
    face down).
    """


class Memory(Struct, frozen=True):
    """What the game remembers about an object until it becomes a new one (CR 400.7: no longer).

    `since` is the turn in which `under` began to control it. `used` has the turn and slot of each use of a
    restricted ability. `history`: who cast it, kicked, unearthed, …
    """

    moment: int = 0
    """When it entered its zone; objects that entered together share it."""
    under: str | None = None
    since: int = 0
    used: tuple[tuple[int, tuple[str | int, ...]], ...] = ()
    history: frozenset[str] = frozenset()
    leaves_for_exile: bool = False
    shields: int = 0
    """Number of regeneration shields."""
    turned_over: int = 0
    """When it last transformed."""


NOTHING_REMEMBERED = Memory()


class StackItem(Struct, frozen=True):
    """A spell or ability on the stack, with all choices made as it was put there (CR 601.2b–d, 405.4: its
    text).

    A spell's id is its card's; an ability's id is internal and never shown: scripts use `stack.names`.
    """

    id: str
    kind: Literal["spell", "activated", "triggered"]
    controller: str
    source: Ref
    born: int
    name: str = ""
    ability: Activated | Triggered | None = None
    slot: tuple[str | int, ...] = ()
    copy: bool = False
    alias: str | None = None
    modes: tuple[int, ...] = ()
    x: int | None = None
    kicked: int = 0
    method: str | None = None
    extras: tuple[str, ...] = ()
    """The announced optional additional costs, as worded."""
    specs: tuple[TargetSpec, ...] = ()
    targets: tuple[tuple[Ref, ...], ...] = ()
    divide: tuple[Share, ...] = ()
    it: Ref | None = None
    names: tuple[tuple[str, tuple[Ref, ...]], ...] = ()
    paid: str | None = None
    was: frozenset[str] = frozenset()
    that_much: int = 0
    goes_to: Literal["graveyard", "hand"] = "graveyard"
    """Where the spell goes in the last step of its resolution."""
    created: int | None = None
    """When a delayed triggered ability was created, which is before it was put on the stack."""
    you: str | None = None
    """The player who is "you" in it, if not its controller: one of those for each of whom it was created."""


class WaitingTrigger(Struct, frozen=True):
    """A triggered ability waiting to be put on the stack (CR 603.3: not there yet)."""

    ability: Triggered
    name: str
    controller: str
    source: Ref
    slot: tuple[str | int, ...] = ()
    it: Ref | None = None
    names: tuple[tuple[str, tuple[Ref, ...]], ...] = ()
    x: int | None = None
    that_much: int = 0
    """The amount of the triggering event: damage dealt, life gained."""
    second_round: bool = False
    """CR 603.3b: it triggered on another ability triggering, and is put on the stack after all others."""
    looks_back: bool = False
    """CR 603.10: it looked back to the game before the event."""
    created: int | None = None
    you: str | None = None


class DelayedTrigger(Struct, frozen=True):
    """A delayed triggered ability: its trigger condition and its effect (CR 603.7: created by an effect)."""

    when: TriggerEvent
    effect: tuple[Instruction, ...]
    name: str
    controller: str
    source: Ref
    created: int
    cond: Condition | None = None
    it: Ref | None = None
    names: tuple[tuple[str, tuple[Ref, ...]], ...] = ()
    x: int | None = None
    that_much: int = 0
    """The amount of the event that what created it was about."""
    each: bool = False
    this_turn: bool = False
    you: str | None = None


class NewTimestamp(Struct, frozen=True):
    """An object that gets a new timestamp at the same time as others, and the player who controls it."""

    id: str
    player: str
    kind: object
    """What tells it from others; the order of those that are alike does not matter."""
    matters: bool = True
    """Whether it may make a difference which of the player's objects is older."""


class ExiledUntil(Struct, frozen=True):
    """Cards that come back as soon as an object has left the battlefield (CR 610.3: a second effect)."""

    leaving: Ref
    cards: tuple[Ref, ...]
    you: str


class Afterwards(Struct, frozen=True):
    """What a replacement or prevention effect does once the event has happened, or in place of it.

    `exempt` are the effects that have applied already (CR 614.5: each once). `named` is how the instructions
    call `it` once the event has exiled it. `counts_for` is the effect, if what it does to other damage of the
    same event is part of the same.
    """

    effect: tuple[Instruction, ...]
    source: Ref
    you: str
    it: Ref
    that_much: int
    names: tuple[tuple[str, tuple[Ref, ...]], ...] = ()
    x: int | None = None
    slot: tuple[str | int, ...] = ()
    exempt: frozenset[tuple[str | int, ...]] = frozenset()
    named: str | None = None
    counts_for: tuple[str | int, ...] | None = None


class Combat(Struct, frozen=True):
    """The current combat phase. The objects themselves store who attacks and blocks what.

    `struck_first` are the creatures that had first strike or double strike as the first of two combat damage
    steps began. `order` is the damage assignment order, in the editions that had one.
    """

    attacked: bool = False
    """Whether a creature was declared as an attacker or put onto the battlefield attacking (CR 508.8)."""
    blocked: frozenset[str] = frozenset()
    to_block: tuple[str, ...] = ()
    """Defending players (or teams) that have yet to declare blockers."""
    struck_first: frozenset[str] = frozenset()
    assigned: tuple[tuple[str, tuple[Share, ...]], ...] = ()
    order: tuple[tuple[str, tuple[str, ...]], ...] = ()


class Ahead(Struct, frozen=True):
    """What is added to the turn after the present step and phase, in order, and how it then goes on."""

    steps: tuple[Step, ...] = ()
    phases: tuple[ExtraPhase, ...] = ()
    after_steps: Step | None = None
    """The step that follows the added steps."""
    after_phases: Step | None = None
    """The step that follows the added phases, if the turn is not over then."""
    last: Step | None = None
    """The last step of the present phase, if it is an added one."""


class Deciding(Struct, frozen=True):
    """A declaration that the game waits for; it is a separate action, made without priority."""

    what: Literal["attackers", "blockers", "damage"]
    by: str


class PreparedAnswer(Struct, frozen=True):
    """An answer given in advance, with the number of the `ChooseAction` that gave it."""

    choose: ChooseAction
    number: int


class Question(Struct, frozen=True):
    """A decision to make: its kind, the deciding player, the asker (known by any of these words), and the
    possible answers.

    `options` are the legal single answers, of which `least` to `most` are required; empty if they cannot be
    listed.
    """

    kind: ChoiceKind
    by: str
    askers: tuple[str, ...]
    options: tuple[AnswerValue, ...] = ()
    least: int = 1
    most: int = 1
    total: int = 0
    """The total to divide among the options, if any."""
    such_as: tuple[AnswerValue, ...] = ()
    """Examples of legal answers, if there are infinitely many."""

    def __str__(self) -> str:
        wanted = f" out of {', '.join(map(str, self.options))}" if self.options else ""
        return f"{self.by} must choose {self.kind} for {self.askers[0]}{wanted}"


# --------------------------------------------------------------------------------------- the game


class MarkedMana(Struct, frozen=True):
    """A mana that may be spent only on some things, or does something to the spell that it is spent on."""

    letter: str
    source: Ref
    you: str
    """The controller of the ability that made it."""
    only: Spending | None = None
    rider: ManaRider | None = None


class Game(Struct, frozen=True):
    """A game at a moment when a player has priority or must make a declaration."""

    board: Board
    rules: GameRules
    sides: tuple[str, ...]
    """All sides that started the game, players or teams, in turn order."""
    mentions: frozenset[type] = frozenset()
    """The kinds of abilities, operations and events that the cards of this game mention."""
    stack: tuple[StackItem, ...] = ()
    """From bottom to top."""
    holder: str | None = None
    """The player with priority, or the team if turns are shared."""
    passed: tuple[str, ...] = ()
    """The sides that have passed since someone last acted."""
    deciding: Deciding | None = None
    turn: int = 1
    recent: Mapping[str, int] = {}
    """For each side, the number of its latest turn."""
    lands_played: Mapping[str, int] = {}
    spells_cast: tuple[PastEvent, ...] = ()
    """The spells cast this turn, with their casters."""
    turn_before: tuple[str, tuple[PastEvent, ...]] = ("", ())
    """The active side of the turn before this one, and the spells cast in it, with their casters."""
    drawn: Mapping[str, int] = {}
    pools: Mapping[str, str] = {}
    """Each player's mana, one letter per mana."""
    marked: Mapping[str, tuple[MarkedMana, ...]] = {}
    """The mana among it that is not like other mana (CR 106.6)."""
    memory: Mapping[str, Memory] = {}
    no_worlds: Mapping[str, int] = {}
    """When each permanent was last seen not to be a world permanent."""
    past: Mapping[Ref, Board] = {}
    """For each object that left a public zone, the board just before: its last known information
    (CR 608.2h: how it last was).
    """
    waiting: tuple[WaitingTrigger, ...] = ()
    afterwards: tuple[Afterwards, ...] = ()
    """What replacement effects do in addition, as soon as the event has happened."""
    exempt: frozenset[tuple[str | int, ...]] = frozenset()
    """The replacement effects that can't apply while the instructions of one of them are followed."""
    spent: tuple[tuple[tuple[str | int, ...], str, Would], ...] = ()
    """The effects on the next damage of a source that are used up once everything that it deals at this time
    is determined, each with the source.
    """
    entering: frozenset[str] = frozenset()
    """The cards that are entering the battlefield, while it is being determined how they enter."""
    delayed: tuple[DelayedTrigger, ...] = ()
    exiled_until: tuple[ExiledUntil, ...] = ()
    combat: Combat | None = None
    answers: tuple[PreparedAnswer, ...] = ()
    asked: int = 0
    clock: int = 1
    drew_from_empty: frozenset[str] = frozenset()
    """Players who tried to draw from an empty library since the last check of state-based actions."""
    deathtouched: frozenset[Ref] = frozenset()
    """Permanents dealt damage by a source with deathtouch since the last check of state-based actions."""
    tied: Mapping[str, Ref] = {}
    """For effects that last as long as a condition holds, the object the condition refers to."""
    lost: frozenset[str] = frozenset()
    over: bool = False
    extra_turns: tuple[str, ...] = ()
    in_turn_order: str = ""
    """The side whose turn in turn order came last, if an extra turn has come since."""
    ahead: Ahead = Ahead()
    control_to_come: tuple[tuple[str, str], ...] = ()
    """Sides, and the player who controls each of them during its next turn."""
    controlled: tuple[tuple[str, str], ...] = ()
    """The side that another player controls during this turn, with that player."""
    to_skip: tuple[tuple[str, str], ...] = ()
    """Sides, and the next turn, phase or step that each of them skips."""
    turn_ends: bool = False
    """Whether an effect is ending the turn."""
    cleanup_again: bool = False
    shuffled: frozenset[str] = frozenset()
    """Players whose library is in an unknown order."""
    unnamed: frozenset[str] = frozenset()
    """Objects that no look and no later action distinguishes from others like them."""
    left_stack: Mapping[Ref, StackItem] = {}
    """Spells and abilities as they were when they left the stack."""
    sources: Mapping[str, str] = {}
    """For abilities that left the stack without resolving, their source objects."""
    last_upkeep: Mapping[str, int] = {}
    """For each side, the turn of the upkeep before its latest one."""
    made: tuple[str, ...] = ()
    """Tokens created by the last action."""
    events: tuple[GameEvent, ...] = ()
    """Events since the last action began, in order."""

    @property
    def seen(self) -> Evaluation:
        """How everything looks now; computed once per board."""
        seen = self.board.seen
        if seen is None or seen.rules is not self.rules:
            return evaluate(self.board, self.rules)
        return seen

    def look(self, id: str) -> Characteristics:
        """How an object looks now."""
        seen = self.board.seen
        if seen is None or seen.rules is not self.rules:
            seen = evaluate(self.board, self.rules)
        return seen.index[id][0]

    def remembers(self, id: str) -> Memory:
        return self.memory.get(id, NOTHING_REMEMBERED)

    def born(self, id: str) -> int:
        """Distinguishes an object from earlier objects of its card; 0 for a player."""
        thing = self.board.things.get(id)
        return 0 if thing is None else thing.born

    def ref(self, id: str) -> Ref:
        """A reference to an object (or player) as it is now."""
        thing = self.board.things.get(id)
        return Ref(id) if thing is None else Ref(id, thing.born)

    def is_there(self, ref: Ref) -> bool:
        """Whether a reference still finds its object, or the one that the object became (`Ref.then`)."""
        if ref.id not in self.board.things:
            return is_in_game(self, ref.id) or any(item.id == ref.id for item in self.stack)
        return self.born(ref.id) in (ref.born, ref.then)


def advance(game: Game, action: Action) -> Game | Rejected | Undecided | NotModelled | Loop | NoStop:
    """The game after an action, or why there is none: it is illegal, undecided, or unsupported.

    The old value is unchanged, so reversing an action is exact (CR 733.1: an illegal action is reversed as a
    whole).
    """
    fresh = replace(game, events=(), made=game.made if isinstance(action, Call) else ())
    try:
        return perform(fresh, action)
    except (Rejected, Undecided, NotModelled, Loop, NoStop) as outcome:
        return outcome.with_traceback(None)


def perform(game: Game, action: Action) -> Game:
    """The game after an action; raises the errors that `advance` returns."""
    rules = game.rules
    if game.over and not isinstance(action, (Look, ChooseAction)):
        raise Rejected("the game is over (CR 104.1: it ends at once)")
    if not isinstance(action, ChooseAction):
        rules.require_decider(game, action)
    match action:
        case CastAction():
            return rules.cast_spell(game, action)
        case Resolve():
            return rules.until_resolved(game, action)
        case Pass():
            return rules.pass_priority(game, action)
        case Advance():
            return rules.until_step(game, action)
        case Activate():
            return rules.activate_ability(game, action)
        case PlayAction():
            return rules.play_land(game, action)
        case TurnUp():
            return rules.turn_face_up(game, action)
        case UnlockAction():
            return rules.unlock_door(game, action)
        case Special():
            return rules.take_special_action(game, action)
        case Settle():
            return rules.until_settled(game)
        case Attack():
            return rules.declare_attackers(game, action)
        case Block():
            return rules.declare_blockers(game, action)
        case Assign():
            return rules.assign_damage(game, action)
        case ChooseAction():
            return replace(
                game, answers=(*game.answers, PreparedAnswer(action, game.asked)), asked=game.asked + 1
            )
        case Call():
            return rules.tokens_named(game, action)
        case Look() | Try():
            return game
        case _:
            assert_never(action)


# ----------------------------------------------------------------------------------- the players


def seat_of(game: Game, player: str) -> Seat:
    for seat in game.board.seats:
        if seat.id == player:
            return seat
    raise Rejected(f"there is no player {player}")


def with_seat(board: Board, seat: Seat) -> Board:
    """The board with this seat replacing the same player's."""
    return replace(board, seats=tuple(seat if old.id == seat.id else old for old in board.seats))


def is_in_game(game: Game, player: str) -> bool:
    """Whether this is a player who has not lost."""
    return player not in game.lost and player in [seat.id for seat in game.board.seats]


def players(game: Game) -> tuple[str, ...]:
    """The players still in the game, in turn order."""
    return tuple(seat.id for seat in game.board.seats if seat.id not in game.lost)


def side_of(game: Game, player: str) -> str:
    """The side that has turns and priority for a player: the player, or the team.

    CR 805.4, 805.5: with shared team turns, teams have turns and priority.
    """
    for seat in game.board.seats:
        if seat.id == player:
            return seat.team or seat.id
    return player


def members(game: Game, side: str) -> tuple[str, ...]:
    """The players of a side who are still in the game."""
    return tuple([s.id for s in game.board.seats if (s.team or s.id) == side and s.id not in game.lost])


def sides(game: Game) -> tuple[str, ...]:
    """The sides still in the game, in turn order."""
    if not game.lost:
        return game.sides
    return tuple(dict.fromkeys(s.team or s.id for s in game.board.seats if s.id not in game.lost))


def next_side(game: Game, side: str) -> str:
    """The next side in turn order that is still in the game."""
    order = game.sides
    start = order.index(side) + 1
    if not game.lost:
        return order[start % len(order)]
    there = sides(game)
    return next(other for other in order[start:] + order[:start] if other in there)


def sides_in_order(game: Game) -> tuple[str, ...]:
    """The sides in turn order, starting with the active one (CR 101.4, 805.6: APNAP order)."""
    order = game.sides
    first = order.index(game.board.active)
    if not game.lost:
        return order[first:] + order[:first]
    return tuple(side for side in order[first:] + order[:first] if side in sides(game))


def players_in_order(game: Game) -> tuple[str, ...]:
    """The players in APNAP order (CR 101.4: the active player first, then in turn order)."""
    return tuple(player for side in sides_in_order(game) for player in members(game, side))


def opponents_of(game: Game, player: str) -> tuple[str, ...]:
    """CR 102.3: the players who are not on this player's side."""
    return tuple(other for other in players_in_order(game) if side_of(game, other) != side_of(game, player))


def is_active(game: Game, player: str) -> bool:
    """Whether it is this player's turn (CR 805.4a: or the player's team's)."""
    return side_of(game, player) == game.board.active


# ------------------------------------------------------------------------------------- the objects


def thing_of(game: Game, id: str) -> Thing:
    """The object with this id."""
    thing = game.board.things.get(id)
    if thing is None:
        raise Rejected(f"there is no object {id}")
    return thing


def battlefield(game: Game) -> tuple[Thing, ...]:
    """All permanents."""
    return game.board.things.battlefield


def controller_of(game: Game, id: str) -> str:
    """The controller of an object, or its owner if it has no controller (CR 108.4a: the owner, if
    anything needs one).
    """
    thing = game.board.things[id]
    if thing.zone in ("battlefield", "stack"):
        return game.look(id).controller or thing.owner
    return thing.owner


def defender_of(game: Game, what: str) -> str:
    """The player who defends an attacked object (CR 508.5: a planeswalker's controller)."""
    return controller_of(game, what) if what in game.board.things else what


def look_of(game: Game, ref: Ref) -> Characteristics:
    """An object's present look, or its last known one (CR 608.2h: last known information)."""
    board = last_board(game, ref)
    return evaluate(board, game.rules).look(ref.id)


def last_board(game: Game, ref: Ref) -> Board:
    """The board where an object was last seen: the present one, or the one just before it left."""
    thing = game.board.things.get(ref.id)
    if thing is not None and thing.born == ref.born:
        return game.board
    return game.past.get(Ref(ref.id, ref.born), game.board)


def is_main_phase(game: Game) -> bool:
    """CR 505.1: the precombat and the postcombat main phase are the main phase."""
    return game.board.step in ("precombat main", "postcombat main")


def with_memory(game: Game, id: str, memory: Memory) -> Game:
    """The game with this memory for an object."""
    return replace(game, memory={**game.memory, id: memory})


CONTROL_CHANGES = frozenset({GainControl, ExchangeControl})
"""What can change control of an object."""

EVER = 0
"""Stands for every turn in the record of abilities that were used."""


def slot_in_use(game: Game, id: str, slot: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The key under which the game remembers that an activated ability of an object was used.

    CR 602.5c: an ability that came from another object, also by copying it, is a different one if it comes
    from a third object, or from that object again after that has become a new object (CR 400.7).
    """
    things = game.board.things
    granters = [
        granter for word, granter in itertools.pairwise(slot) if word == "gained" and granter in things
    ]
    copied = () if granters or id not in things else game.look(id).text_by[:2]
    return (*slot, *(things[str(granter)].born for granter in granters), *copied)


def with_use(game: Game, source: Ref, *slots: tuple[str | int, ...], turn: int | None = None) -> Game:
    """The game after recording that abilities of an object were used this turn, if it is still there."""
    if not slots or not game.is_there(source):
        return game
    memory = game.remembers(source.id)
    kept = tuple(use for use in memory.used if use[0] in (game.turn, EVER))
    used = kept + tuple((game.turn if turn is None else turn, slot) for slot in slots)
    return with_memory(game, source.id, replace(memory, used=used))


def ticked(game: Game) -> tuple[Game, int]:
    """The game with time advanced, and a timestamp newer than all before."""
    return replace(game, clock=game.clock + 1), game.clock + 1

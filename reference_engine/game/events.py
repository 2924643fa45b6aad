"""The events of a game, and `happen`, which carries them out.

Everything that changes a game goes through `happen`. Events given together are simultaneous: replacement
effects apply first, then the events take place, then abilities trigger on them (`triggers`). `game.events`
keeps them in order, and `account` puts them into words. Events that change nothing exist only for the
account.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, assert_never

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.changes import (
    change_counters,
    mark_damage,
    out_of_combat,
    set_attachment,
    turn_permanent,
    with_spell_cast,
    with_thing,
    without_card,
)
from reference_engine.game.game import (
    CONTROL_CHANGES,
    Game,
    MarkedMana,
    Memory,
    Ref,
    defender_of,
    seat_of,
    ticked,
    with_memory,
    with_seat,
)
from reference_engine.game.pools import with_mana, without_mana
from reference_engine.language.cards import Operation
from reference_engine.language.words import CounterKind, Daytime, FaceUp, Half, Step, Zone
from reference_engine.layers.board import ChoicesMade, Lasting, Link, Thing

if TYPE_CHECKING:
    from reference_engine.language.actions import AnswerValue, Share

# --------------------------------------------------------------------------- objects change zones


class Entering(Struct, frozen=True):
    """How a permanent enters the battlefield, or a spell the stack."""

    under: str
    tapped: bool = False
    face_down: bool = False
    hidden_as: tuple[Operation, ...] = ()
    """Additional characteristics while face down (CR 708.2a: other characteristics)."""
    manifested: bool = False
    unlocked: frozenset[Half] = frozenset()
    """The halves of a Room that are unlocked as it enters."""
    face_up: FaceUp = "front"
    counters: tuple[tuple[CounterKind, int], ...] = ()
    with_copy: tuple[tuple[CounterKind, int], ...] = ()
    """Counters from the last copy effect."""
    attached_to: str | None = None
    attacking: str | None = None
    chosen: ChoicesMade = ChoicesMade()
    begins: tuple[Lasting, ...] = ()
    """Effects that apply from the moment it enters: copy effects, choices, and what put it there."""
    timestamp: int | None = None
    memory: Memory = Memory()
    applied: frozenset[tuple[str | int, ...]] = frozenset()
    """The effects of other objects that have changed it (CR 614.5: each does so once)."""
    settled: bool = False
    """Whether everything about how it enters has been determined."""


ExiledAs = Literal["plotted", "foretold"]
"""What a special action makes of a card in exile; a foretold card is face down there (CR 702.143a)."""


class Moved(Struct, frozen=True):
    """An object moved between zones; a created token comes from no zone.

    `how`: put, drawn, cast, resolved, countered, destroyed, sacrificed, discarded, exiled, milled, played,
    created, …
    """

    id: str
    origin: Zone | None
    to: Zone
    how: str
    entering: Entering | None = None
    bottom: bool = False
    token: Thing | None = None
    rule: str = ""
    put_by: Link | None = None
    becomes: ExiledAs | None = None
    for_good: bool = False
    """Whether it is destroyed and can't be regenerated."""


class Ceased(Struct, frozen=True):
    """A token or copy ceased to exist because it can't be in its zone."""

    id: str


class TriedToDraw(Struct, frozen=True):
    """A player tried to draw from an empty library."""

    player: str


class LibraryArranged(Struct, frozen=True):
    """Cards from the top of a library were put back on top of it, and on the bottom, in this order."""

    player: str
    above: tuple[str, ...]
    below: tuple[str, ...]


class Shuffled(Struct, frozen=True):
    """A library was shuffled."""

    player: str


class Revealed(Struct, frozen=True):
    """Cards were shown to everyone, or looked at by one player."""

    ids: tuple[str, ...]
    by: str
    to_all: bool = True


# ------------------------------------------------------------------------------ permanents change


class Tapped(Struct, frozen=True):
    """A permanent became tapped."""

    id: str


class Untapped(Struct, frozen=True):
    """A permanent became untapped."""

    id: str


class BecameSaddled(Struct, frozen=True):
    """A permanent became saddled (CR 702.171b: a designation, until the turn ends)."""

    id: str


class Saddling(Struct, frozen=True):
    """Creatures were tapped to pay for a permanent's saddle ability (CR 702.171c: they saddle it)."""

    id: str
    by: tuple[Ref, ...]


class Unsaddled(Struct, frozen=True):
    """Permanents stopped being saddled, and what saddled them this turn is forgotten."""

    ids: tuple[str, ...]


class CountersChanged(Struct, frozen=True):
    """Counters were put on an object or player, or (a negative number) removed."""

    id: str
    kind: CounterKind
    by: int
    rule: str = ""


class TurnedFace(Struct, frozen=True):
    """A permanent was turned face up or face down."""

    id: str
    up: bool
    chosen: ChoicesMade | None = None
    begins: tuple[Lasting, ...] = ()
    hidden_as: tuple[Operation, ...] = ()


class LevelChanged(Struct, frozen=True):
    """A permanent's level became a number."""

    id: str
    n: int


class PhasesOut(Struct, frozen=True):
    """A permanent phased out, by itself or along with what it is attached to."""

    id: str
    under: str
    along: bool = False


class PhasesIn(Struct, frozen=True):
    """A permanent phased in."""

    id: str


class DoorTurned(Struct, frozen=True):
    """A player unlocked or locked a half of a Room."""

    id: str
    half: Half
    by: str
    unlocks: bool = True


class Transformed(Struct, frozen=True):
    """A double-faced permanent was turned over."""

    id: str


class AttachmentChanged(Struct, frozen=True):
    """An Aura or Equipment was attached to something, or became unattached."""

    id: str
    to: str | None
    rule: str = ""


class ControlChanged(Struct, frozen=True):
    """A permanent came under another player's control."""

    id: str
    old: str | None
    new: str | None


class Regenerated(Struct, frozen=True):
    """A permanent would have been destroyed and was regenerated instead."""

    id: str


class NotDestroyed(Struct, frozen=True):
    """Permanents that would have been destroyed are indestructible."""

    ids: tuple[str, ...]


class NotRegenerated(Struct, frozen=True):
    """Permanents have regeneration shields, but the effect that destroys them forbids regeneration."""

    ids: tuple[str, ...]


class Shielded(Struct, frozen=True):
    """A permanent got a regeneration shield."""

    id: str


class EffectBegan(Struct, frozen=True):
    """A continuous effect began."""

    effect: Lasting


class Ended(Struct, frozen=True):
    """Continuous effects ended."""

    ids: frozenset[str]
    why: str


# ---------------------------------------------------------------------------------- damage, life


class Damaged(Struct, frozen=True):
    """A source dealt damage to a player or permanent."""

    source: Ref
    to: str
    n: int
    combat: bool = False
    marks: bool = False
    """Whether it is marked on the permanent (CR 120.3e: on a creature, unless it results in counters)."""
    deathtouch: bool = False


class Prevented(Struct, frozen=True):
    """Damage was prevented."""

    source: str
    to: str
    n: int


class WouldDraw(Struct, frozen=True):
    """A player would draw a card; the move of the card says which."""

    player: str


class WouldCreate(Struct, frozen=True):
    """A player would create this many tokens; each is created by a move of its own."""

    player: str
    n: int


class EventReplaced(Struct, frozen=True):
    """A replacement effect changed what happens to an object or player."""

    source: str
    about: str


class LifeChanged(Struct, frozen=True):
    """A player's life total went up or down."""

    player: str
    by: int
    how: Literal["gained", "lost", "paid", "damage"]


class DamageRemoved(Struct, frozen=True):
    """Marked damage was removed from permanents."""

    ids: tuple[str, ...]


class PlayerLost(Struct, frozen=True):
    """A player lost the game."""

    player: str
    why: str


class GotBlessing(Struct, frozen=True):
    """A player got the city's blessing."""

    player: str


class BecameMonarch(Struct, frozen=True):
    """A player became the monarch, in place of whoever was it."""

    player: str


class PlayerControlled(Struct, frozen=True):
    """A turn began in which a player (or team) is controlled by another player."""

    side: str
    by: str


class DaytimeChanged(Struct, frozen=True):
    """It became day or night; before, it was the other, or neither."""

    to: Daytime
    was: Daytime | None


# ---------------------------------------------------------------------------------------- combat


class AttackDeclared(Struct, frozen=True):
    """A creature was declared as an attacker."""

    id: str
    what: str


class BlockDeclared(Struct, frozen=True):
    """A creature was declared as a blocker of an attacker (`also`: beside another one)."""

    id: str
    what: str
    also: bool = False


class NotStriking(Struct, frozen=True):
    """Creatures in combat that deal no damage in this step, and why: they deal damage in the other step,
    or nothing is left for them to deal it to.
    """

    ids: tuple[str, ...]
    why: Literal["step", "attacks nothing", "blocks nothing"] = "step"


class BecameBlocked(Struct, frozen=True):
    """An attacker became blocked."""

    id: str


class BecameUnblocked(Struct, frozen=True):
    """No creature was declared as a blocker for an attacker."""

    id: str


class LeftCombat(Struct, frozen=True):
    """A permanent was removed from combat."""

    id: str
    why: str
    stays: Literal["blocking", "attacked"] | None = None
    """The role that it keeps, if any (CR 506.4d: a blocking creature that is an attacked planeswalker)."""


# ------------------------------------------------------------------------------------- mana


class ManaAdded(Struct, frozen=True):
    """Mana was added to a player's pool, and its source."""

    player: str
    mana: str
    by: str
    marks: tuple[MarkedMana, ...] = ()


class ManaTapped(Struct, frozen=True):
    """A mana ability with {T} in its cost has made mana; its source may be gone."""

    source: Ref
    by: str


class Cycled(Struct, frozen=True):
    """A player discarded a card to pay for its cycling ability."""

    id: str
    by: str


class ManaGone(Struct, frozen=True):
    """Mana left a pool: spent, or emptied as a step ended."""

    player: str
    mana: str
    how: Literal["spent", "emptied"]
    marks: tuple[MarkedMana, ...] = ()


# ------------------------------------------------------------------------------ what players did


class Announced(Struct, frozen=True):
    """A player has begun to cast a spell, activate an ability or take a special action."""

    id: str
    by: str


class FaceUpPlayed(Struct, frozen=True):
    """A player has turned a permanent face up as a special action."""

    id: str
    by: str


class SpellCast(Struct, frozen=True):
    """A spell became cast."""

    id: str
    by: str
    paid: str
    how: tuple[str, ...] = ()
    """Announced ways of casting, in words: face down, with flashback, kicked."""
    targets: tuple[str, ...] = ()
    modes: tuple[int, ...] = ()
    x: int | None = None
    divide: tuple[Share, ...] = ()
    alias: str | None = None
    copy: bool = False


class CostStep(Struct, frozen=True):
    """One step in determining a total cost: what is added or subtracted, whose effect does it, and the
    resulting cost, if already known.
    """

    how: Literal["base", "additional", "more", "less", "at least"]
    by: str
    source: str = ""
    price: str = ""


class CostDetermined(Struct, frozen=True):
    """The total cost of a spell or ability was determined."""

    steps: tuple[CostStep, ...]
    method: str | None = None
    """What is paid instead of the mana cost, if anything."""
    x: int | None = None
    kind: Literal["spell", "ability"] = "spell"


class AbilityActivated(Struct, frozen=True):
    """An ability was activated."""

    id: str
    name: str
    by: str
    paid: str
    mana: bool = False
    targets: tuple[str, ...] = ()
    modes: tuple[int, ...] = ()
    x: int | None = None
    divide: tuple[Share, ...] = ()
    alias: str | None = None


class LandPlayed(Struct, frozen=True):
    """A land was played."""

    id: str
    by: str


class BecameTarget(Struct, frozen=True):
    """An object or player became a target of a spell or ability."""

    id: str
    item: str
    by: str


class StepBegan(Struct, frozen=True):
    """A step (or phase without steps) began."""

    step: Step
    active: str
    turn: int


# ------------------------------------------------------------------- events for the account only


class StepEnded(Struct, frozen=True):
    """A step or phase ended."""

    step: Step


class Skipped(Struct, frozen=True):
    """A step, phase or turn was skipped."""

    what: str
    why: str


class GotPriority(Struct, frozen=True):
    """A side has priority."""

    side: str
    why: str


class Passed(Struct, frozen=True):
    """A side passed, with this unspent mana."""

    side: str
    floating: tuple[tuple[str, str], ...] = ()


class AllPassed(Struct, frozen=True):
    """Everyone passed in succession."""

    empty_stack: bool


class AbilityTriggered(Struct, frozen=True):
    """An ability triggered and is waiting."""

    name: str
    source: str
    controller: str
    looks_back: bool = False
    """Whether it looked back to before the event."""


class DidNotTrigger(Struct, frozen=True):
    """An ability would have triggered, but its intervening "if" was not true, or its object had lost it."""

    name: str
    source: str
    why: Literal["condition", "lost as it entered", "lost before it left"] = "condition"


class PutOnStack(Struct, frozen=True):
    """A triggered ability was put on the stack."""

    name: str
    controller: str
    targets: tuple[str, ...] = ()


class ManaTriggerResolves(Struct, frozen=True):
    """A triggered mana ability resolved as soon as it had triggered."""

    name: str


class NotPutOnStack(Struct, frozen=True):
    """A triggered ability was removed instead of being put on the stack."""

    name: str
    why: str


class Copied(Struct, frozen=True):
    """A copy of a spell or ability was put on the stack."""

    name: str
    controller: str
    id: str = ""


class IllegalTarget(Struct, frozen=True):
    """A target that has become illegal; `gone` if it is no longer the same object."""

    id: str
    gone: bool
    why: str | None = None
    """The rule that now forbids targeting it, if any."""


class Resolves(Struct, frozen=True):
    """The top object of the stack began to resolve."""

    name: str
    illegal: tuple[IllegalTarget, ...] = ()
    gone: str | None = None
    """The source of the ability, if it is no longer the same object."""
    recalls: tuple[str, ...] = ()
    """Departed objects whose last known information is used."""


class Resolved(Struct, frozen=True):
    """An object left the stack because everyone passed."""

    name: str


class DoesNotResolve(Struct, frozen=True):
    """The top object of the stack was removed without effect."""

    name: str
    why: str
    illegal: tuple[IllegalTarget, ...] = ()


class Countered(Struct, frozen=True):
    """A spell or ability was countered."""

    name: str


class Chose(Struct, frozen=True):
    """A player made a choice."""

    kind: str
    by: str
    asker: str
    answer: tuple[AnswerValue, ...]


class StateActionsChecked(Struct, frozen=True):
    """State-based actions were performed, with their number; 0 if the check found none."""

    n: int
    indestructible: tuple[str, ...] = ()
    """Permanents with lethal damage that are not destroyed."""
    not_legendary: tuple[str, ...] = ()
    """Permanents that share the name of a legendary one but stay, because they are not legendary."""


class GameOver(Struct, frozen=True):
    """The game ended; `why` if it did not because only the winners were left."""

    winners: tuple[str, ...]
    why: str = ""


class Declared(Struct, frozen=True):
    """The game waits for a declaration, or an empty one was made."""

    what: str
    by: str
    none: bool = False


GameEvent = (
    Moved
    | WouldDraw
    | WouldCreate
    | EventReplaced
    | Ceased
    | TriedToDraw
    | Shuffled
    | LibraryArranged
    | Revealed
    | Tapped
    | Untapped
    | BecameSaddled
    | Saddling
    | Unsaddled
    | CountersChanged
    | TurnedFace
    | DoorTurned
    | Transformed
    | LevelChanged
    | PhasesOut
    | PhasesIn
    | AttachmentChanged
    | ControlChanged
    | Regenerated
    | Shielded
    | EffectBegan
    | Ended
    | Damaged
    | LifeChanged
    | DamageRemoved
    | PlayerLost
    | GotBlessing
    | BecameMonarch
    | DaytimeChanged
    | PlayerControlled
    | AttackDeclared
    | BlockDeclared
    | BecameBlocked
    | BecameUnblocked
    | NotStriking
    | LeftCombat
    | ManaAdded
    | ManaTapped
    | Cycled
    | ManaGone
    | Announced
    | CostDetermined
    | Prevented
    | NotDestroyed
    | NotRegenerated
    | FaceUpPlayed
    | SpellCast
    | AbilityActivated
    | LandPlayed
    | BecameTarget
    | StepBegan
    | StepEnded
    | Skipped
    | GotPriority
    | Passed
    | AllPassed
    | AbilityTriggered
    | DidNotTrigger
    | PutOnStack
    | ManaTriggerResolves
    | NotPutOnStack
    | Copied
    | Resolves
    | Resolved
    | DoesNotResolve
    | Countered
    | Chose
    | StateActionsChecked
    | GameOver
    | Declared
)
ForTheAccount = (
    Announced
    | GotBlessing
    | PlayerControlled
    | EventReplaced
    | CostDetermined
    | Prevented
    | NotDestroyed
    | NotRegenerated
    | NotStriking
    | FaceUpPlayed
    | StepBegan
    | StepEnded
    | Skipped
    | GotPriority
    | Passed
    | AllPassed
    | AbilityTriggered
    | DidNotTrigger
    | PutOnStack
    | ManaTriggerResolves
    | NotPutOnStack
    | Copied
    | Resolves
    | Resolved
    | DoesNotResolve
    | Countered
    | Chose
    | StateActionsChecked
    | Declared
    | Revealed
)


def with_event(game: Game, event: ForTheAccount, **changed: Any) -> Game:
    """The game after an event for the account only, which changes and triggers nothing; `changed` replaces
    other fields of the game.
    """
    changed["events"] = (*game.events, event)
    return replace(game, **changed)


def did_anything(before: Game, after: Game) -> bool:
    """Whether anything has happened since, apart from choices and records that nothing happened."""
    return any(not isinstance(event, NOTHING_DONE) for event in after.events[len(before.events) :])


NOTHING_DONE = (Chose, NotDestroyed, NotRegenerated, Prevented, EventReplaced)
"""Choices, and events that record that nothing happened."""


def happen(game: Game, *events: GameEvent) -> Game:
    """The game after these simultaneous events.

    CR 614.6: a replaced event never happens; its replacement does. CR 603.2: abilities trigger on what
    happened; those that look back see the game before all of these events (CR 603.10a: leaving).
    """
    game, events = game.rules.replaced(game, events)
    if game.board.monarch is not None:
        events = game.rules.with_successor(game, events)
    before = game
    for event in events:
        game = apply_event(game, event, before)
    game = game.rules.blessings_noticed(game)
    game = game.rules.recorded(before, replace(game, events=game.events + events), events)
    game = game.rules.triggered(before, game, events)
    if game.exiled_until:
        game = game.rules.returning_from_exile(game)
    if game.afterwards:
        game = game.rules.followed_afterwards(game)
    if not CONTROL_CHANGES.isdisjoint(game.mentions):
        game = game.rules.control_noticed(game)
    return game.rules.daytime_noticed(game)


def apply_event(game: Game, event: GameEvent, before: Game) -> Game:
    """The game after one event; `before` is the game before all the simultaneous events.

    The most frequent events come first.
    """
    match event:
        case Moved():
            return game.rules.moved(game, event, before)
        case SpellCast(id, by):
            return with_spell_cast(game, id, by)
        case EffectBegan(effect):
            return replace(game, board=replace(game.board, effects=(*game.board.effects, effect)))
        case StepBegan() | BecameTarget() | AbilityActivated():
            return game
        case Tapped(id):
            return with_thing(game, replace(game.board.things[id], tapped=True))
        case Untapped(id):
            return with_thing(game, replace(game.board.things[id], tapped=False))
        case BecameSaddled(id):
            return with_thing(game, replace(game.board.things[id], saddled=True))
        case Saddling(id, by):
            thing = game.board.things[id]
            riders = thing.saddled_by.union((ref.id, ref.born or 0) for ref in by)
            return with_thing(game, replace(thing, saddled_by=riders))
        case Unsaddled(ids):
            left = [replace(game.board.things[id], saddled=False, saddled_by=frozenset()) for id in ids]
            return replace(game, board=game.board.with_things(*left))
        case Damaged():
            return mark_damage(game, event)
        case LifeChanged(player, by):
            seat = seat_of(game, player)
            return replace(game, board=with_seat(game.board, replace(seat, life=seat.life + by)))
        case Ceased(id):
            memory = {other: known for other, known in game.memory.items() if other != id}
            return replace(game, board=without_card(game, id), memory=memory)
        case TriedToDraw(player):
            return replace(game, drew_from_empty=game.drew_from_empty | {player})
        case LibraryArranged(player, above, below):
            seat = seat_of(game, player)
            between = tuple(id for id in seat.library if id not in above and id not in below)
            arranged = replace(seat, library=(*above, *between, *below))
            return replace(game, board=with_seat(game.board, arranged))
        case Shuffled(player):
            return replace(game, shuffled=game.shuffled | {player})
        case CountersChanged(id, kind, by):
            return change_counters(game, id, kind, by)
        case TurnedFace():
            return turn_permanent(game, event)
        case DoorTurned(id, half, _, unlocks):
            thing = game.board.things[id]
            unlocked = thing.unlocked | {half} if unlocks else thing.unlocked - {half}
            return with_thing(game, replace(thing, unlocked=unlocked))
        case LevelChanged(id, n):
            return with_thing(game, replace(game.board.things[id], level=n))
        case PhasesOut():
            return game.rules.phased_out(game, event, before)
        case PhasesIn(id):
            return game.rules.phased_in(game, id)
        case Transformed(id):
            # CR 613.7g: each time it transforms, it gets a new timestamp.
            game, now = ticked(game)
            thing = game.board.things[id]
            face_up: FaceUp = "front" if thing.transformed else "back"
            game = with_memory(game, id, replace(game.remembers(id), turned_over=now))
            return with_thing(game, replace(thing, face_up=face_up, timestamp=now))
        case AttachmentChanged(id, to):
            return set_attachment(game, id, to)
        case Regenerated(id):
            memory_of = game.remembers(id)
            game = with_memory(game, id, replace(memory_of, shields=memory_of.shields - 1))
            return with_thing(game, replace(game.board.things[id], damage=0))
        case Shielded(id):
            memory_of = game.remembers(id)
            return with_memory(game, id, replace(memory_of, shields=memory_of.shields + 1))
        case Ended(ids):
            kept = tuple(effect for effect in game.board.effects if effect.id not in ids)
            return replace(game, board=replace(game.board, effects=kept))
        case DamageRemoved(ids):
            whole = (replace(game.board.things[id], damage=0) for id in ids)
            return replace(game, board=game.board.with_things(*whole))
        case PlayerLost(player):
            return game.rules.left_game(replace(game, lost=game.lost | {player}), player)
        case DaytimeChanged(to):
            return replace(game, board=replace(game.board, daytime=to))
        case BecameMonarch(player):
            return replace(game, board=replace(game.board, monarch=player))
        case AttackDeclared(id, what):
            against = defender_of(game, what)
            return with_thing(game, replace(game.board.things[id], attacking=what, against=against))
        case BlockDeclared(id, what):
            there = game.board.things[id]
            return with_thing(game, replace(there, blocking=(*there.blocking, what)))
        case BecameBlocked(id):
            combat = game.combat
            return (
                game
                if combat is None
                else replace(game, combat=replace(combat, blocked=combat.blocked | {id}))
            )
        case LeftCombat(id, _, stays):
            return out_of_combat(game, id, stays)
        case ManaAdded(player, mana, _, marks):
            return with_mana(game, player, mana, marks)
        case ManaGone(player, mana, _, marks):
            return without_mana(game, player, mana, marks)
        case LandPlayed(_, by):
            return replace(game, lands_played={**game.lands_played, by: game.lands_played.get(by, 0) + 1})
        case GameOver():
            return replace(game, over=True, holder=None, deciding=None)
        case ControlChanged(id, _, new):
            return with_memory(game, id, replace(game.remembers(id), under=new, since=game.turn))
        case ManaTapped() | Cycled() | BecameUnblocked():
            return game
        case (
            Announced()
            | GotBlessing()
            | PlayerControlled()
            | EventReplaced()
            | WouldDraw()
            | WouldCreate()
            | CostDetermined()
            | Prevented()
            | NotDestroyed()
            | NotRegenerated()
            | NotStriking()
            | FaceUpPlayed()
            | StepEnded()
            | Skipped()
            | GotPriority()
            | Passed()
            | AllPassed()
            | AbilityTriggered()
            | DidNotTrigger()
            | PutOnStack()
            | ManaTriggerResolves()
            | NotPutOnStack()
            | Copied()
            | Resolves()
            | Resolved()
            | DoesNotResolve()
            | Countered()
            | Chose()
            | StateActionsChecked()
            | Declared()
            | Revealed()
        ):
            return game
        case _:
            assert_never(event)

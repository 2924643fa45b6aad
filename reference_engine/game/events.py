"""The events of a game: what can happen in it.

`happen` (`happening`) carries them out, and `account` puts them into words. Events that change nothing exist
only for the account.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from reference_engine.game.game import (
    MarkedMana,
    Memory,
    Ref,
)
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
    model: str | None = None
    """What the last copy effect made it a copy of."""
    attached_to: str | None = None
    attacking: str | None = None
    chosen: ChoicesMade = ChoicesMade()
    begins: tuple[Lasting, ...] = ()
    """Effects that apply from the moment it enters: copy effects, choices, and what put it there."""
    timestamp: int | None = None
    memory: Memory = Memory()
    applied: frozenset[tuple[str | int, ...]] = frozenset()
    """The effects of other objects that have changed it (CR 614.5: each does so once)."""


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
    madness: str = ""
    """Which of its madness abilities exiles a discarded card."""


BY_MADNESS = "CR 702.35a: by its madness"
"""Why a discarded card is exiled, if its madness ability does it."""


class Ceased(Struct, frozen=True):
    """A token or copy ceased to exist because it can't be in its zone."""

    id: str


class AbilitiesCeased(Struct, frozen=True):
    """Abilities on the stack ceased to exist, because an effect ended the turn (CR 724.1b)."""

    names: tuple[str, ...]


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
    under: tuple[str, ...] = ()
    """Cards that are on top of it after that."""


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
    item: Ref
    """The ability on the stack."""
    source: Ref
    """The object whose ability it is; it may be gone."""
    mana: bool = False
    loyalty: bool = False
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
    | AbilitiesCeased
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
    AbilitiesCeased
    | Announced
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

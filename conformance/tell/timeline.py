"""The drawing model of a script: its moments one below the other, a lane for each side, and the stack.

Made from the same lines and events as the account in words (`reference_engine.game.account`). A moment is
what one action of the script led to; its lines keep the account's order and indentation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from conformance.model.renaming import ids_in
from conformance.tell.explanation import Explanation
from conformance.tell.explanation_text import fold_passes
from conformance.tell.picture import BoardPicture, Grid, Words, picture
from reference_engine.game.account import AccountLine, Happening, RefusedAction, UnfinishedAction
from reference_engine.game.events import (
    AbilitiesCeased,
    AbilityActivated,
    AbilityTriggered,
    AllPassed,
    AttachmentChanged,
    AttackDeclared,
    BlockDeclared,
    Chose,
    ControlChanged,
    Copied,
    CostDetermined,
    CostStep,
    Countered,
    CountersChanged,
    Damaged,
    DamageRemoved,
    Declared,
    DidNotTrigger,
    DoesNotResolve,
    EffectBegan,
    Ended,
    FaceUpPlayed,
    GameOver,
    GotPriority,
    LandPlayed,
    LevelChanged,
    ManaTriggerResolves,
    Moved,
    NotPutOnStack,
    Passed,
    PhasesIn,
    PhasesOut,
    PlayerLost,
    PutOnStack,
    Resolved,
    Resolves,
    SpellCast,
    StateActionsChecked,
    StepBegan,
    Tapped,
    Transformed,
    TurnedFace,
    Untapped,
)
from reference_engine.language.characteristics import SYMBOL

BeatKind = Literal[
    "step",
    "priority",
    "pass",
    "action",
    "cost",
    "trigger",
    "state",
    "resolves",
    "rejected",
    "choice",
    "change",
]
LaneMark = Literal["", "has", "passes", "acts", "tries"]


class AfterAction(Struct, frozen=True):
    """The result of one action of a script: events, and the game afterwards, explained."""

    says: str
    """The action in words; empty for the moment at which the script begins."""
    events: tuple[Happening, ...]
    stack: tuple[str, ...]
    """The names of what is on the stack afterwards, bottom first."""
    told: Explanation


class Square(Struct, frozen=True):
    """A mana symbol of a cost, or one generic mana, at one step toward the total cost."""

    symbol: str
    change: Literal["", "more", "less"] = ""
    """Whether this step adds or removes it."""


class Harm(Struct, frozen=True):
    """Damage to a creature against its toughness."""

    dealt: int
    marked: int
    """The damage marked on it from then on."""
    toughness: int
    deathtouch: bool


class Beat(Struct, frozen=True):
    """One line of the account, with what the lanes and the stack show beside it."""

    depth: int
    text: str
    kind: BeatKind
    marks: tuple[LaneMark, ...]
    """For each lane, what its side does here."""
    holds: tuple[bool, ...]
    """For each lane, whether its side has priority from here on."""
    stack: tuple[str, ...]
    """Bottom first."""
    came: tuple[str, ...]
    """Objects that were put on the stack here."""
    touches: tuple[str, ...]
    """The objects that the event is about."""
    stair: tuple[Square, ...] = ()
    """For a step toward a total cost: the cost after it, and what it removes."""
    harm: Harm | None = None
    goes_on: bool = False
    """Whether it says more about the event of the line above."""


class Act(Struct, frozen=True):
    """An action of the script: its lines, and the indices of the board and of the layers after it."""

    number: int
    says: str
    beats: tuple[Beat, ...]
    board: int
    layers: int
    holds: tuple[bool, ...]
    """For each lane, whether its side had priority as the action began."""
    stack: tuple[str, ...]
    """What was on the stack then, bottom first."""


class Timeline(Struct, frozen=True):
    """A script, with every board and every state of the layers that it goes through, each once."""

    lanes: tuple[str, ...]
    acts: tuple[Act, ...]
    boards: tuple[BoardPicture, ...]
    layers: tuple[Grid, ...]


def timeline(
    account: Sequence[AccountLine], moments: Sequence[AfterAction], sides: Mapping[str, str]
) -> Timeline:
    """The drawing model of a script; `sides` maps players to the sides that get priority, in turn order."""
    boards: dict[BoardPicture, int] = {}
    grids: dict[Grid, int] = {}
    acts: list[Act] = []
    lanes = tuple(dict.fromkeys(sides.values()))
    watched = StackTracker(lanes, sides)
    lines = lines_by_moment(fold_passes(account), moments)
    for number, moment in enumerate(moments):
        words = Words.of(moment.told)
        harms = harms_in(moment, moments[number - 1].told) if number else {}
        holds, stack = watched.holds, words.each(watched.stack)
        beats = watched.beats(moment, lines[number], words, harms)
        drawn = picture(moment.told)
        board = boards.setdefault(drawn.board, len(boards))
        layers = grids.setdefault(drawn.layers, len(grids))
        acts.append(Act(number, words(moment.says), beats, board, layers, holds, stack))
    return Timeline(lanes, tuple(acts), tuple(boards), tuple(grids))


def lines_by_moment(
    lines: Sequence[AccountLine], moments: Sequence[AfterAction]
) -> Sequence[Sequence[AccountLine]]:
    """The lines of each moment: those of its events, and those that follow without an event."""
    moment_of = {id(event): number for number, moment in enumerate(moments) for event in moment.events}
    found: list[list[AccountLine]] = [[] for _ in moments]
    now = 0
    for line in lines:
        now = max(now, moment_of.get(id(line.event), now))
        found[now].append(line)
    return found


class StackTracker:
    """Tracks who has priority and what is on the stack, line by line."""

    def __init__(self, lanes: tuple[str, ...], sides: Mapping[str, str]) -> None:
        self.lanes = lanes
        self.sides = sides
        self.holder: str | None = None
        self.stack: tuple[str, ...] = ()

    @property
    def holds(self) -> tuple[bool, ...]:
        return tuple(lane == self.holder for lane in self.lanes)

    def beats(
        self,
        moment: AfterAction,
        lines: Sequence[AccountLine],
        words: Words,
        harms: Mapping[int, Harm],
    ) -> tuple[Beat, ...]:
        """The lines of a moment with their marks, and the stack as it is at each."""
        stairs = stairs_of(lines)
        stacks = stacks_after(self.stack, moment)
        found: list[Beat] = []
        before, heading = self.stack, -1
        for place, line in enumerate(lines):
            stack = stacks.get(id(line.event), before) if line.depth <= heading or heading < 0 else before
            if line.depth <= heading or heading < 0:
                heading = line.depth if isinstance(line.event, PUT) else -1
            goes_on = place > 0 and line.event is not None and line.event is lines[place - 1].event
            marks = self.marks(None if goes_on else line.event)
            found.append(
                Beat(
                    depth=line.depth,
                    text=words(line.text.removeprefix("== ").removesuffix(" ==")),
                    kind=beat_kind(line.event),
                    marks=marks,
                    holds=self.holds,
                    stack=words.each(stack),
                    came=words.each(name for name in stack if name not in before),
                    touches=words.each(ids_in(line.event, moment.told.owners)),
                    stair=stairs.get(place, ()),
                    harm=harms.get(id(line.event)),
                    goes_on=goes_on,
                )
            )
            before = stack
        self.stack = moment.stack
        return tuple(found)

    def marks(self, event: Happening | None) -> tuple[LaneMark, ...]:
        """What each side does at an event; notes who has priority from here on."""
        who, mark = self.doer_and_mark(event)
        match event:
            case GotPriority(side):
                self.holder = side
            case Passed() | AllPassed() | StepBegan() | GameOver():
                self.holder = None
        if isinstance(event, AllPassed):
            passed: list[LaneMark] = ["passes" for _ in self.lanes]
            return tuple(passed)
        lane = self.sides.get(who, who)
        found: list[LaneMark] = [mark if one == lane else "" for one in self.lanes]
        return tuple(found)

    def doer_and_mark(self, event: Happening | None) -> tuple[str, LaneMark]:
        """Who does something at an event, and what."""
        match event:
            case GotPriority(side):
                return side, "has"
            case Passed(side):
                return side, "passes"
            case RefusedAction(action):
                return str(getattr(action, "by", "") or getattr(action, "who", "")), "tries"
            case SpellCast() | AbilityActivated() | FaceUpPlayed() | LandPlayed() | Chose() | Declared():
                return event.by, "acts"
            case PutOnStack():
                return event.controller, "acts"
            case _:
                return "", ""


PUT = (SpellCast, AbilityActivated, PutOnStack, Copied)
"""Events that put something on the stack only after the details on the lines below them."""


def stacks_after(stack: tuple[str, ...], moment: AfterAction) -> Mapping[int, tuple[str, ...]]:
    """The names on the stack after each event of a moment, by the event's identity."""
    found: dict[int, tuple[str, ...]] = {}
    for event in moment.events:
        match event:
            case SpellCast(id=name):
                stack = (*stack, event.alias or name)
            case AbilityActivated(mana=False):
                stack = (*stack, event.alias or f"{event.name} of {event.id}")
            case PutOnStack(name) | Copied(name):
                stack = (*stack, name)
            case Resolved(name) | Countered(name):
                stack = stack_without(stack, name)
            case AbilitiesCeased(names):
                for name in names:
                    stack = stack_without(stack, name)
            case Moved(id=name, origin="stack", how=how) if how not in ("resolved", "countered"):
                stack = stack_without(stack, name)
            case _:
                pass
        found[id(event)] = stack
    return found


def stack_without(stack: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The stack without the topmost object of that name, whatever number the name had by then."""
    for at in range(len(stack) - 1, -1, -1):
        if stack[at] == name:
            return stack[:at] + stack[at + 1 :]
    return stack


def beat_kind(event: Happening | None) -> BeatKind:
    """The kind of event in a line."""
    match event:
        case StepBegan():
            return "step"
        case GotPriority():
            return "priority"
        case Passed() | AllPassed():
            return "pass"
        case RefusedAction() | UnfinishedAction():
            return "rejected"
        case (
            SpellCast()
            | AbilityActivated()
            | FaceUpPlayed()
            | LandPlayed()
            | AttackDeclared()
            | BlockDeclared()
        ):
            return "action"
        case CostDetermined():
            return "cost"
        case AbilityTriggered() | DidNotTrigger() | PutOnStack() | NotPutOnStack() | ManaTriggerResolves():
            return "trigger"
        case StateActionsChecked() | PlayerLost() | GameOver():
            return "state"
        case Resolves() | DoesNotResolve() | Countered() | Copied():
            return "resolves"
        case Chose() | Declared():
            return "choice"
        case _:
            return "change"


# --------------------------------------------------------------------------- costs, and damage


def stairs_of(lines: Sequence[AccountLine]) -> Mapping[int, tuple[Square, ...]]:
    """The steps toward each total cost, by the position of their lines, below the line with the total."""
    found: dict[int, tuple[Square, ...]] = {}
    steps: list[CostStep] = []
    before = ""
    for place, line in enumerate(lines):
        if not isinstance(line.event, CostDetermined):
            steps = []
        elif place == 0 or lines[place - 1].event is not line.event:
            steps, before = list(line.event.steps), ""
        elif steps:
            step = steps.pop(0)
            if step.price:
                found[place] = stair(before, step.price)
                before = step.price
    return found


def stair(before: str, after: str) -> tuple[Square, ...]:
    """A cost as squares: what remains, what was added, what was removed."""
    was, now = Counter(squares_of(before)), Counter(squares_of(after))
    kept = now & was if before else now
    added, removed = now - kept, was - now
    return (
        *(Square(symbol) for symbol in kept.elements()),
        *(Square(symbol, "more") for symbol in added.elements()),
        *(Square(symbol, "less") for symbol in removed.elements()),
    )


MOST_SQUARES = 20
"""Maximum number of squares of generic mana; a larger number stands in one."""


def squares_of(cost: str) -> Iterator[str]:
    """The symbols of a cost, coloured ones first, and each generic mana as a square of its own."""
    symbols = [symbol for symbol in SYMBOL.findall(cost) if symbol]
    yield from (symbol for symbol in symbols if not symbol.isdecimal())
    for symbol in symbols:
        if symbol.isdecimal():
            number = int(symbol) if len(symbol) < 4 else MOST_SQUARES + 1
            yield from ("1" for _ in range(number)) if number <= MOST_SQUARES else (symbol,)


def harms_in(moment: AfterAction, before: Explanation) -> Mapping[int, Harm]:
    """The damage to creatures in a moment, by the identity of its event.

    Only for the first damage of a moment: once something has happened that may change a toughness, the
    toughness from before the moment is no longer reliable.
    """
    found: dict[int, Harm] = {}
    marked = {thing.id: thing.damage for thing in before.board}
    for event in moment.events:
        if isinstance(event, MAY_CHANGE_A_TOUGHNESS):
            break
        if isinstance(event, Damaged) and event.marks and event.to in marked:
            toughness = before.looks[event.to].toughness
            marked[event.to] += event.n
            if toughness is not None:
                found[id(event)] = Harm(event.n, marked[event.to], toughness, event.deathtouch)
    return found


MAY_CHANGE_A_TOUGHNESS = (
    AttachmentChanged,
    AttackDeclared,
    BlockDeclared,
    ControlChanged,
    CountersChanged,
    DamageRemoved,
    EffectBegan,
    Ended,
    LevelChanged,
    Moved,
    PhasesIn,
    PhasesOut,
    Tapped,
    Transformed,
    TurnedFace,
    Untapped,
)

"""The account of a game as a judge would give it: what happened, in order, with the rules that caused it.

A pure function of the events recorded by `happen`. Objects go by their names in the script, with the card's
name at first mention.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.events import (
    AbilitiesCeased,
    AbilityActivated,
    AbilityTriggered,
    AllPassed,
    Announced,
    AttachmentChanged,
    AttackDeclared,
    BecameBlocked,
    BecameMonarch,
    BecameSaddled,
    BecameTarget,
    BecameUnblocked,
    BlockDeclared,
    Ceased,
    Chose,
    ControlChanged,
    Copied,
    CostDetermined,
    CostStep,
    Countered,
    CountersChanged,
    Cycled,
    Damaged,
    DamageRemoved,
    DaytimeChanged,
    Declared,
    DidNotTrigger,
    DoesNotResolve,
    DoorTurned,
    EffectBegan,
    Ended,
    EventReplaced,
    FaceUpPlayed,
    GameEvent,
    GameOver,
    GotBlessing,
    GotPriority,
    IllegalTarget,
    LandPlayed,
    LeftCombat,
    LevelChanged,
    LibraryArranged,
    LifeChanged,
    ManaAdded,
    ManaGone,
    ManaTapped,
    ManaTriggerResolves,
    Moved,
    NotDestroyed,
    NotPutOnStack,
    NotRegenerated,
    NotStriking,
    Passed,
    PhasesIn,
    PhasesOut,
    PlayerControlled,
    PlayerLost,
    Prevented,
    PutOnStack,
    Regenerated,
    Resolved,
    Resolves,
    Revealed,
    Saddling,
    Shielded,
    Shuffled,
    Skipped,
    SpellCast,
    StateActionsChecked,
    StepBegan,
    StepEnded,
    Tapped,
    Transformed,
    TriedToDraw,
    TurnedFace,
    Unsaddled,
    Untapped,
)
from reference_engine.game.mana import symbols_of
from reference_engine.language.actions import (
    Action,
    Activate,
    Assign,
    Attack,
    Block,
    CastAction,
    Pass,
    PlayAction,
    Share,
    Special,
    TurnUp,
    UnlockAction,
)
from reference_engine.language.characteristics import PROTOTYPED
from reference_engine.layers.board import Board, Lasting, SettledPart, Thing


class RefusedAction(Struct, frozen=True):
    """An action that a player tried and the rules do not allow."""

    action: Action
    why: str
    keeps_mana: bool = False


class UnfinishedAction(Struct, frozen=True):
    """An action that needs a missing decision; what follows shows how far it got."""


class AccountLine(Struct, frozen=True):
    """One line of an account: indentation, text, and the event it describes."""

    depth: int
    text: str
    event: Happening | None = None

    def __str__(self) -> str:
        return "  " * self.depth + self.text


Happening = GameEvent | RefusedAction | UnfinishedAction


def reach(part: SettledPart) -> str:
    """Words for the objects or players that a part of an active effect affects."""
    return ", ".join(sorted(part.affects)) if isinstance(part.affects, frozenset) else "as its text says"


def whom_it_affects(effect: Lasting) -> str:
    """Words for the objects or players that an active effect affects."""
    return "; ".join(map(reach, effect.parts))


def names_of_created(board: Board, happened: Iterable[Happening]) -> Mapping[str, str]:
    """Names for tokens and emblems that a script does not name, numbered if several share one."""
    created = [event.token for event in happened if isinstance(event, Moved) and event.token is not None]
    alike: dict[str, dict[str, None]] = {}
    for thing in (*board.things.values(), *created):
        if "#" in thing.id:
            alike.setdefault(name_of_created(thing), {})[thing.id] = None
    return {
        id: name if len(ids) == 1 else f"{name} ({number})"
        for name, ids in alike.items()
        for number, id in enumerate(ids, 1)
    }


def name_of_created(thing: Thing) -> str:
    """How a judge speaks of a token or an emblem."""
    return f"the {thing.card.name} token" if thing.token else f"{thing.owner}'s emblem"


def namer(names: Mapping[str, str]) -> Callable[[str], str]:
    """A function that puts names into texts in place of ids."""
    if not names:
        return str
    longest_first = sorted(names, key=len, reverse=True)
    any_id = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\d)")
    return lambda text: any_id.sub(lambda found: names[found[0]], text)


def account(
    happened: Iterable[Happening], board: Board, effect_words: Callable[[Lasting], str] = whom_it_affects
) -> tuple[AccountLine, ...]:
    """One line for each thing that happened; details are indented below the line they belong to.

    The steps of casting a spell appear below the line saying it was cast. `effect_words` describes an
    effect that begins; the engine itself only says whom it affects.
    """
    events = list(happened)
    together = triggers_by_group(events)
    created = names_of_created(board, events)
    told = Telling(board, created, effect_words)
    lines: list[AccountLine] = []
    begun: list[int] = []
    checked = settled = 0
    for number, event in enumerate(events):
        told.note(event)
        if isinstance(event, RefusedAction):
            lines.extend(told.refusal(event))
            continue
        if isinstance(event, UnfinishedAction):
            begins = "the next action comes this far; below, everything is as it was before"
            lines.append(AccountLine(0, begins, event))
            continue
        if isinstance(event, Announced):
            begun.append(len(lines))
            told.begin(event.id)
            continue
        if isinstance(event, PutOnStack | NotPutOnStack):
            if number in together:
                in_turn = AccountLine(len(begun), told.in_turn(together[number]), event)
                lines.insert(first_choice_before(lines, ("order", *MADE_FOR_ONE), settled), in_turn)
            place = first_choice_before(lines, MADE_FOR_ONE, settled)
            lines[place:place] = [AccountLine(len(begun), line, event) for _, line in told.lines(event)]
            settled = len(lines)
            continue
        if isinstance(event, Resolved) and lines and isinstance(lines[-1].event, Resolves):
            lines.append(AccountLine(1, "nothing happens"))
        done = isinstance(event, DONE) and bool(begun)
        place = begun.pop() if done else len(lines)
        inside = isinstance(event, INSIDE) and not begun
        depth = len(begun) + (1 if checked > 0 or inside else 0)
        checked = event.n if isinstance(event, StateActionsChecked) else checked - 1
        paying = bool(begun) and isinstance(event, Moved) and event.how in PAID_BY
        lines[place:place] = [
            AccountLine(depth + further, f"{line} (CR 601.2h: to pay the cost)" if paying else line, event)
            for further, line in told.lines(event)
        ]
    named = namer(created)
    return tuple(replace(line, text=named(line.text)) for line in lines)


def first_choice_before(lines: Sequence[AccountLine], kinds: Sequence[str], since: int) -> int:
    """The position after `since` where the last run of choices of these kinds begins."""
    place = len(lines)
    while place > since and isinstance(chose := lines[place - 1].event, Chose) and chose.kind in kinds:
        place -= 1
    return place


MADE_FOR_ONE = ("modes", "targets", "division")
"""CR 603.3c, 603.3d: choices made as a triggered ability is put on the stack."""


def triggers_by_group(events: Sequence[Happening]) -> Mapping[int, tuple[PutOnStack, ...]]:
    """Groups of triggered abilities put on the stack together, keyed by the number of the first one's
    event.
    """
    found: dict[int, tuple[PutOnStack, ...]] = {}
    first: int | None = None
    for number, event in enumerate(events):
        if isinstance(event, PutOnStack):
            first = number if first is None else first
            found[first] = (*found.get(first, ()), event)
        elif not isinstance(event, NotPutOnStack | Chose | BecameTarget | AbilityTriggered):
            first = None
    return {number: put for number, put in found.items() if len(put) > 1}


def beginning(step: str, active: str, turn: int) -> str:
    return f"== turn {turn}, {active}'s {step}{'' if step.endswith('main') else ' step'} =="


DONE = (SpellCast, AbilityActivated, LandPlayed, FaceUpPlayed)
"""Events that complete an announced action."""

PAID_BY = ("sacrificed", "discarded", "exiled", "returned")
"""The ways objects move when paid as costs."""

INSIDE = (
    Moved,
    Ceased,
    AbilitiesCeased,
    TriedToDraw,
    Shuffled,
    Revealed,
    Tapped,
    Untapped,
    BecameSaddled,
    Unsaddled,
    CountersChanged,
    TurnedFace,
    DoorTurned,
    Transformed,
    AttachmentChanged,
    ControlChanged,
    Regenerated,
    NotDestroyed,
    NotRegenerated,
    Prevented,
    Shielded,
    EffectBegan,
    Ended,
    Damaged,
    LifeChanged,
    DamageRemoved,
    ManaAdded,
    ManaGone,
    ManaTriggerResolves,
    AbilityTriggered,
    DidNotTrigger,
    Chose,
    LeftCombat,
    BecameBlocked,
    Countered,
    Copied,
)
"""Events described as parts of another event."""


class Telling:
    """Turns events into words; remembers which objects were mentioned, so that each card's name appears
    only once.
    """

    __slots__ = (
        "_begun",
        "_copies",
        "_created",
        "_effect_words",
        "_known",
        "_names",
        "_not_legendary",
        "_owners",
        "_sources",
        "_step",
        "_teams",
        "_worth_checking",
    )

    def __init__(
        self, board: Board, created: Mapping[str, str], effect_words: Callable[[Lasting], str]
    ) -> None:
        self._created = created
        self._effect_words = effect_words
        self._copies: set[str] = set()
        self._names = {thing.id: thing.card.name for thing in board.things.values()}
        self._owners = {thing.id: thing.owner for thing in board.things.values()}
        self._known = {id for id, name in self._names.items() if name.casefold() == id.replace("_", " ")}
        self._begun: dict[str, str] = {}
        self._sources = {effect.id: effect.source for effect in board.effects}
        self._teams = {seat.id: seat.team for seat in board.seats if seat.team is not None}
        self._not_legendary: frozenset[str] = frozenset()
        self._step = ""
        self._worth_checking = False

    def note(self, event: Happening) -> None:
        """Track the turn, the step, and whether anything happened that might have required state-based
        actions.
        """
        match event:
            case StepBegan(step):
                self._step = step
            case EffectBegan(effect):
                self._sources[effect.id] = effect.source
                self._worth_checking = True
            case Moved():
                begun = () if event.entering is None else event.entering.begins
                self._sources.update({effect.id: effect.source for effect in begun})
                self._worth_checking |= event.origin == "battlefield"
            case Damaged() | LifeChanged() | CountersChanged() | Ended():
                self._worth_checking = True
            case StateActionsChecked(n) if n:
                self._worth_checking = False

    def begin(self, id: str) -> None:
        """Fix the words for an object that the heading above the next lines will mention."""
        self._begun[id] = self.of(id)

    def headline(self, id: str) -> str:
        """The words for an object in the heading above."""
        return self._begun.pop(id, None) or self.of(id)

    def of(self, id: str) -> str:
        """The words for an object or player at this point."""
        name = self._names.get(id)
        if name is not None and name.startswith("copy of "):
            return name
        if name is None or id in self._known or id in self._created:
            return id
        self._known.add(id)
        return f"{id} ({name})"

    def each(self, ids: Iterable[str]) -> str:
        """The words for several objects, as a list."""
        return joined_words([self.of(id) for id in ids])

    def refusal(self, refused: RefusedAction) -> Iterator[AccountLine]:
        """A rejected attempt: what was tried, why it was illegal, and what remains of it."""
        yield AccountLine(0, f"{self.attempt(refused.action)}, which is illegal: {refused.why}", refused)
        if refused.keeps_mana:
            yield AccountLine(1, "only the mana abilities stay (CR 733.1: those may be kept)", refused)
        else:
            yield AccountLine(1, "nothing of it stays (CR 733.1: an illegal action is reversed)", refused)

    def in_turn(self, put: tuple[PutOnStack, ...]) -> str:
        """The order in which several triggered abilities are put on the stack, and why."""
        sides = list(dict.fromkeys(self._teams.get(one.controller, one.controller) for one in put))
        if self._teams:
            why = "CR 805.7: the active team's first, then the next team's, each in the order it chooses"
        elif len(sides) > 1:
            why = "CR 603.3b: the active player's first, then in turn order"
        else:
            why = f"CR 603.3b: in the order that {sides[0]} chooses"
        whose = ", then ".join(f"{side}'s" for side in sides)
        together = f"{len(put)} triggered abilities are put on the stack, {whose}"
        return f"{together} ({why}; the last one put there resolves first)"

    def attempt(self, action: Action) -> str:
        """The description of an attempted action."""
        of = self.of
        match action:
            case CastAction(what, by):
                how = f" as {action.face}" if action.face is not None else ""
                how = " prototyped" if action.face == PROTOTYPED else how
                how += " face down" if action.face_down else ""
                return f"{by} tries to cast {of(what)}{how}{self.announced_choices(action)}"
            case Activate(what, ability, by):
                return f"{by} tries to activate {ability} of {of(what)}{self.announced_choices(action)}"
            case PlayAction(what, by, face):
                return f"{by} tries to play {of(what)}" + (f" as {face}" if face is not None else "")
            case TurnUp(what, by):
                cost = f" for its {action.as_}" if action.as_ is not None else ""
                return f"{by} tries to turn {of(what)} face up{cost}"
            case UnlockAction(what, by, door):
                half = door if door is not None else "a half"
                return f"{by} tries to unlock {half} of {of(what)}"
            case Special(what, by):
                return f"{by} tries to take a special action, {what}"
            case Pass(who):
                return f"{who} tries to pass"
            case Attack(attackers, by):
                pairs = [f"{of(one.attacker)} attacking {of(one.attacks)}" for one in attackers]
                return f"{by} tries to declare {joined_words(pairs) or 'no attackers'}"
            case Block(blockers, by):
                pairs = [f"{of(one.blocker)} blocking {self.each(one.blocks)}" for one in blockers]
                return f"{by} tries to declare {joined_words(pairs) or 'no blockers'}"
            case Assign(assignments, by):
                each = [
                    f"{of(one.by)}'s as {joined_words(map(self.answer, one.shares))}" for one in assignments
                ]
                return f"{by} tries to divide combat damage, {joined_words(each)}"
            case _:
                return f"somebody tries to {action.__struct_config__.tag}"

    def announced_choices(self, action: CastAction | Activate) -> str:
        """The choices announced in a rejected attempt."""
        targets = tuple(id for group in action.targets for id in group)
        costs = [f"{paid.kind} {joined_words(paid.ids) or paid.n or ''}".rstrip() for paid in action.costs]
        mana = [step.activate or step.pool or "" for step in action.pay.steps] if action.pay else []
        paying = f", paying with {joined_words(map(self.of, mana)) or 'nothing'}" if action.pay else ""
        paying += f" ({joined_words(costs)})" if costs else ""
        return self.details(targets, action.modes, action.x, action.divide) + paying

    def lines(self, event: GameEvent) -> Iterator[tuple[int, str]]:
        """The lines of an event with their indentation; none if the lines of another event describe it."""
        if isinstance(event, Moved) and event.token is not None:
            self._names[event.id] = event.token.card.name
        if isinstance(event, CostDetermined):
            yield from self.staircase(event)
        line = self.line(event)
        if line is not None:
            yield 0, line
        if isinstance(event, Resolves) and event.gone is not None:
            yield 1, f"its source {self.of(event.gone)} is not there any more, but it resolves (CR 113.7a)"
        if isinstance(event, Resolves) and event.recalls:
            yield 1, f"{self.each(event.recalls)} counts as it last was (CR 608.2h: it is gone)"

    def staircase(self, cost: CostDetermined) -> Iterator[tuple[int, str]]:
        """The steps in determining a total cost, if it differs from the printed one."""
        if len(cost.steps) < 2 and cost.method is None and cost.x is None:
            return
        total = next((step.price for step in reversed(cost.steps) if step.price), "{0}")
        yield 0, f"the total cost is {total} (CR 601.2f: worked out in this order, then locked in)"
        before = ""
        for step in cost.steps:
            yield 1, self.stair(step, before, cost)
            before = step.price

    def stair(self, step: CostStep, before: str, cost: CostDetermined) -> str:
        """One step in determining a total cost, in words."""
        comes_to = f"{'still ' if step.price == before else ''}{step.price}"
        source = self.of(step.source) if step.source else ""
        match step.how:
            case "base":
                x = f", with X = {cost.x} (CR 601.2b: announced)" if cost.x is not None else ""
                if cost.method is not None:
                    why = "CR 118.9, 118.9d: in place of the mana cost, and changed as that would be"
                    return f"{cost.method} cost {step.by}{x} ({why})"
                return f"{'mana' if cost.kind == 'spell' else 'activation'} cost {step.by}{x}"
            case "additional":
                return f"additional cost {step.by} (CR 118.8: paid with the rest)"
            case "more":
                return f"{source} adds {step.by}: {comes_to}"
            case "less":
                generic = step.by.strip("{}").isdigit()
                why = "118.7a: only generic mana" if generic else "118.7b, 118.7c: that colour first"
                return f"{source} takes off {step.by}: {comes_to} (CR {why})"
            case "at least":
                why = "CR 601.2f: after increases and reductions"
                return f"{source} makes it at least {step.by}: {comes_to} ({why})"

    def line(self, event: GameEvent) -> str | None:
        """An event in one line, or `None` if it has no line of its own."""
        of = self.of
        match event:
            case StepBegan(step, active, turn):
                return beginning(step, active, turn)
            case Skipped(what, why):
                return f"{what} is skipped: {why} (CR 500.11: as though it didn't exist)"
            case GotPriority(side, why):
                return f"{side} gets priority ({why})"
            case Passed(side, floating):
                pools = "; ".join(f"{player} has {mana} floating" for player, mana in floating)
                return f"{side} passes" + (f" ({pools}; CR 117.3d: it is announced)" if pools else "")
            case AllPassed(empty_stack):
                if empty_stack:
                    return "all have passed in succession: the step ends (CR 117.4: the stack is empty)"
                return "all have passed in succession: the top of the stack resolves (CR 117.4: all passed)"
            case StateActionsChecked(0, indestructible, not_legendary):
                newly = not self._not_legendary.issuperset(not_legendary)
                self._not_legendary = frozenset(not_legendary)
                if not self._worth_checking and not newly:
                    return None
                self._worth_checking = False
                spared = (
                    f"; {self.each(indestructible)} has lethal damage, but is indestructible (CR 702.12b)"
                )
                none = "state-based actions are checked, and none applies (CR 704.3: before any priority)"
                verb = "is" if len(not_legendary) == 1 else "are"
                uncounted = (
                    f"; the legend rule does not apply: {self.each(not_legendary)} {verb} not legendary "
                    "(CR 704.5j)"
                )
                return none + (spared if indestructible else "") + (uncounted if newly else "")
            case StateActionsChecked(n):
                many = "a state-based action is" if n == 1 else "state-based actions are"
                return f"{many} performed (CR 704.3: all of them at once, before anybody gets priority)"
            case SpellCast(id, by, paid):
                how = "".join(f" {word}" for word in event.how)
                how += self.details(event.targets, event.modes, event.x, event.divide)
                return (
                    f"{by} casts {self.headline(id)}{how} for {paid}{script_name(event.alias)} "
                    "(CR 601.2i: it is cast)"
                )
            case AbilityActivated(id, name, by, paid):
                whose = f"{name} of {self.headline(id)}"
                if event.mana:
                    return f"{by} activates the mana ability {whose} (CR 605.3b: without the stack)"
                how = self.details(event.targets, event.modes, event.x, event.divide)
                how += f" for {paid}" if paid != "{0}" else ""
                return (
                    f"{by} activates {whose}{how}{script_name(event.alias)} (CR 602.2: it goes on the stack)"
                )
            case FaceUpPlayed(id, by):
                return (
                    f"{by} turns {self.headline(id)} face up (CR 116.2b: a special action, without the stack)"
                )
            case LandPlayed(id, by):
                return f"{by} plays {self.headline(id)} (CR 116.2a: a special action, without the stack)"
            case AbilityTriggered(name, source, controller, looks_back):
                back = "CR 603.10: it looks back at how things were"
                why = back if looks_back else "CR 603.2: nothing happens yet"
                return f"{name} of {of(source)} triggers for {controller}, and waits ({why})"
            case DidNotTrigger(name, source, why):
                return f"{name} of {of(source)} does not trigger ({UNTRIGGERED[why]})"
            case PutOnStack(name, controller, targets):
                return (
                    f"{controller} puts {of(name)} on the stack{self.details(targets)} "
                    "(CR 603.3: before anybody gets priority)"
                )
            case ManaTriggerResolves(name):
                return f"{of(name)} resolves at once (CR 605.4a: a triggered mana ability)"
            case NotPutOnStack(name, why):
                return f"{of(name)} is removed: {why} (CR 603.3d: without legal choices)"
            case Copied(name, controller, id):
                self._names[id] = name
                self._copies.add(id)
                return f"{name} is put on the stack for {controller} (CR 707.10: a copy is not cast)"
            case Resolves(name, illegal):
                why = f"; {self.illegal(illegal)} (CR 608.2b: checked again; nothing is done to it)"
                return f"{name} resolves" + (why if illegal else "")
            case DoesNotResolve(name, why, illegal):
                return (
                    f"{name} does not resolve"
                    + (f": {self.illegal(illegal)}" if illegal else "")
                    + f" ({why})"
                )
            case NotStriking(ids, cause):
                first = cause == "step" and self._step == "first-strike damage"
                why = NO_DAMAGE["first step" if first else cause]
                return f"{self.each(ids)} {'deals' if len(ids) == 1 else 'deal'} no damage now ({why})"
            case Countered(name):
                return f"{name} is countered (CR 701.6a: it doesn't resolve)"
            case Chose(kind, by, asker, answer):
                return self.choice(kind, by, asker, [self.answer(value) for value in answer])
            case Declared(what, by, none):
                if none:
                    return f"no {what} are declared"
                return (
                    f"{by} is to declare {what}" if what != "damage" else f"{by} is to divide combat damage"
                )
            case GameOver(winners, why):
                if not winners:
                    return "the game is over: a draw (CR 104.4a: nobody is left)"
                win = "wins" if len(winners) == 1 else "win"
                because = why or "CR 104.2a: the last one left"
                return f"the game is over: {joined_words(winners)} {win} ({because})"
            case PlayerLost(player, why):
                return f"{player} loses the game ({why})"
            case PlayerControlled(side, by):
                return f"{by} controls {side} during this turn (CR 723.5: and decides for {side})"
            case DaytimeChanged(to, was):
                before = f"{was} becomes" if was is not None else "it becomes"
                return f"{before} {to} (CR 731.1: a designation of the game)"
            case GotBlessing(player):
                return f"{player} gets the city's blessing (CR 702.131b: ascend, and ten permanents)"
            case BecameMonarch(player):
                return f"{player} becomes the monarch (CR 725.3: the only one)"
            case AttackDeclared(id, what):
                return f"{of(id)} attacks {of(what)} (CR 508.1: declared)"
            case BlockDeclared(id, what, also):
                return f"{of(id)} blocks {of(what)}{' as well' if also else ''} (CR 509.1: declared)"
            case StepEnded() | Resolved() | BecameTarget() | ManaTapped() | Cycled() | BecameUnblocked():
                return None
            case Saddling():
                return None
            case _:
                return self.inside(event)

    def illegal(self, targets: Iterable[IllegalTarget]) -> str:
        """The illegal targets, and why they are illegal."""
        return joined_words(
            f"{self.of(one.id)} is no longer the object that was chosen (CR 400.7)"
            if one.gone
            else f"{self.of(one.id)} could not be chosen any more" + (f" ({one.why})" if one.why else "")
            for one in targets
        )

    def inside(self, event: GameEvent) -> str | None:
        """An event that is part of another, in one line."""
        of = self.of
        match event:
            case Moved():
                return self.move(event)
            case Ceased(id):
                if id in self._copies:
                    return f"{of(id)} ceases to exist (CR 704.5e: a copy of a spell is only on the stack)"
                return f"{of(id)} ceases to exist (CR 704.5d: a token is only on the battlefield)"
            case AbilitiesCeased(names):
                cease = "ceases" if len(names) == 1 else "cease"
                return f"{joined_words(list(names))} {cease} to exist (CR 724.1b: the turn ends)"
            case TriedToDraw(player):
                return f"{player} draws from an empty library (CR 704.5b: and will lose)"
            case LibraryArranged(player, above, below):
                told = [f"{self.each(above)} on top"] if above else []
                told += [f"{self.each(below)} on the bottom"] if below else []
                return f"{player} puts {' and '.join(told)} of the library" if told else None
            case Shuffled(player, under):
                return f"{player} shuffles" + (f", and {self.each(under)} is on top" if under else "")
            case Revealed(ids, by, to_all):
                return f"{by} {'reveals' if to_all else 'looks at'} {self.each(ids) or 'nothing'}"
            case Tapped(id):
                return f"{of(id)} is tapped"
            case Untapped(id):
                return f"{of(id)} untaps"
            case BecameSaddled(id):
                return f"{of(id)} becomes saddled until end of turn (CR 702.171b: a designation)"
            case Unsaddled(ids):
                return f"{self.each(ids)} is saddled no longer (CR 702.171b: until the turn ends)"
            case CountersChanged(id, kind, by, rule):
                verb = "gets" if by > 0 else "loses"
                return f"{of(id)} {verb} {counters(abs(by), kind)}" + (f" ({rule})" if rule else "")
            case TurnedFace(id, up):
                return f"{of(id)} is turned face {'up' if up else 'down'} (CR 613.7f: with a new timestamp)"
            case LevelChanged(id, n):
                return f"the level of {of(id)} becomes {n} (CR 716.2a: what its level bar does)"
            case PhasesOut(id, _, along):
                return f"{of(id)} phases out" + (
                    " (CR 702.26g: with what it is attached to)" if along else ""
                )
            case PhasesIn(id):
                return f"{of(id)} phases in (CR 702.26d: as the same object)"
            case DoorTurned(id, half, by, unlocks):
                return f"{by} {'unlocks' if unlocks else 'locks'} the {half} half of {of(id)} (CR 709.5c)"
            case Transformed(id):
                return f"{of(id)} transforms (CR 613.7g: with a new timestamp)"
            case AttachmentChanged(id, to, rule):
                if to is None:
                    return f"{of(id)} becomes unattached" + (f" ({rule})" if rule else "")
                return f"{of(id)} is attached to {of(to)} (CR 701.3c: with a new timestamp)"
            case ControlChanged(id, old, new):
                return f"{new} controls {of(id)} now, no longer {old}"
            case Regenerated(id):
                return f"{of(id)} regenerates (CR 701.19a: instead of being destroyed)"
            case NotDestroyed(ids):
                return f"{self.each(ids)} is not destroyed (CR 702.12b: indestructible)"
            case NotRegenerated(ids):
                return (
                    f"{self.each(ids)} can't be regenerated, so a shield is of no use (CR 101.2: can't wins)"
                )
            case Prevented(source, to, n):
                return f"{n} damage from {of(source)} to {of(to)} is prevented (CR 615.6: it never happens)"
            case EventReplaced(source, about):
                what = f"what would happen to {of(about)} (CR 614.6: it never happens)"
                return f"an effect of {of(source)} replaces {what}"
            case Shielded(id):
                return f"{of(id)} will regenerate the next time (CR 701.19a: a shield)"
            case EffectBegan(effect):
                lasts = {"ever": "", "this turn": " for this turn", "your next turn": " until your next turn"}
                until = lasts.get(effect.until, f" until {effect.until}")
                whose, words = f"an effect of {of(effect.source)}", self._effect_words(effect)
                return f"{whose} begins{until} (CR 611.2a: as long as stated): {words}"
            case Ended(ids, why):
                sources = dict.fromkeys(self._sources.get(id, id) for id in sorted(ids))
                return f"what {self.each(sources)} began ends: {why}"
            case Damaged(source, to, n, combat):
                return f"{of(source.id)} deals {n} {'combat ' if combat else ''}damage to {of(to)}"
            case LifeChanged(player, by, how):
                if how == "paid":
                    return f"{player} pays {-by} life"
                return f"{player} {'gains' if by > 0 else 'loses'} {abs(by)} life"
            case DamageRemoved(ids):
                return f"damage is removed from {self.each(ids)} (CR 514.2: in the cleanup step)"
            case LeftCombat(id, why):
                return f"{of(id)} leaves combat: {why} (CR 506.4: removed from combat)"
            case BecameBlocked(id):
                return f"{of(id)} is blocked"
            case ManaAdded(player, mana, by):
                return f"{player} adds {symbols_of(mana)} ({of(by)})"
            case ManaGone(player, mana, how):
                if how == "spent":
                    return f"{player} spends {symbols_of(mana)}"
                return f"{player} loses {symbols_of(mana)} (CR 500.5: unspent mana empties)"
            case _:
                return None

    def move(self, event: Moved) -> str:
        """A zone change in words."""
        name, created = self.of(event.id), self._created.get(event.id)
        rule = f" ({event.rule})" if event.rule else ""
        if event.to == "command" and created is not None:
            return f"{created} is put into the command zone (CR 114.1: an emblem is a marker there)"
        if event.to == "battlefield" and event.entering is not None:
            self._copies.discard(event.id)
            tapped = " face down" if event.entering.face_down else ""
            tapped += " tapped" if event.entering.tapped else ""
            if event.how == "created":
                name = one(created.removeprefix("the ")) if created is not None else f"{name}, a token,"
            counted = [counters(n, kind) for kind, n in event.entering.counters]
            bearing = f" with {joined_words(counted)}" if counted else ""
            return f"{name} enters{tapped}{bearing} under {event.entering.under}'s control{rule}"
        goes = f"{name} goes to {ZONE_PHRASES.get(event.to, event.to)}"
        match event.how:
            case "drawn":
                return f"{self._owners.get(event.id)} draws {name}"
            case "resolved":
                return f"{goes} (CR 608.2n: as the last part of its resolution)"
            case "removed" | "countered" | "put" | "returned":
                return f"{goes}{rule}"
            case "exiled" if event.becomes == "foretold":
                return f"{name} is exiled face down (CR 702.143a: foretold)"
            case "exiled instead":
                return f"{name} is exiled instead of going to another zone"
            case "moved instead" | "not destroyed":
                return f"{goes} instead"
            case how:
                return f"{name} is {how}{rule}"

    def details(
        self,
        targets: tuple[str, ...],
        modes: tuple[int, ...] = (),
        x: int | None = None,
        divide: tuple[Share, ...] = (),
    ) -> str:
        """Targets, modes, X and a division, if there are any."""
        parts = [f" targeting {self.each(targets)}"] if targets else []
        parts += [f" with mode{'s'[: len(modes) - 1]} {joined_words(map(str, modes))}"] if modes else []
        parts += [f" with X = {x}"] if x is not None else []
        parts += [f" divided as {joined_words(map(self.answer, divide))}"] if len(divide) > 1 else []
        return "".join(parts)

    def choice(self, kind: str, by: str, asker: str, answer: list[str]) -> str:
        match kind:
            case "targets":
                return f"{by} chooses {joined_words(answer)} as the target{'s'[: len(answer) - 1]} of {asker}"
            case "order" | "timestamps" | "damage_order":
                return f"{by} orders them: {', then '.join(answer)}"
            case "division":
                return f"{by} divides it: {joined_words(answer)}"
            case "random":
                return f"chance chooses {joined_words(answer)} for {asker} (the script says what it is)"
            case "keep":
                return f"{by} keeps {joined_words(answer)}"
            case "may":
                return f"{by} says {joined_words(answer)} to {asker}"
            case _:
                return f"{by} chooses {joined_words(answer) or 'nothing'} for {asker}"

    def answer(self, value: object) -> str:
        """One chosen thing in words."""
        if isinstance(value, Share):
            return f"{value.n} to {self.of(value.to)}"
        words: Mapping[object, str] = {True: "yes", False: "no"}
        return words[value] if isinstance(value, bool) else self.of(str(value))


def script_name(alias: str | None) -> str:
    """The script's name for something on the stack."""
    return "" if alias is None else f", called {alias} from here on"


UNTRIGGERED = {
    "condition": 'CR 603.4: its "if" is not true',
    "lost as it entered": "CR 603.6a: on the battlefield it does not have that ability",
    "lost before it left": "CR 603.10a: just before, it did not have that ability",
}
"""Reasons why an ability does not trigger."""

NO_DAMAGE = {
    "first step": "CR 510.4: only first and double strike deal damage in the first of two steps",
    "step": "CR 510.4: it dealt its damage in the first step and has no double strike",
    "attacks nothing": "CR 510.1b, 510.1c: nothing is left that it attacks or that blocks it",
    "blocks nothing": "CR 510.1d: nothing is left that it blocks",
}
"""Reasons why creatures in combat deal no damage."""

ZONE_PHRASES = {
    "hand": "its owner's hand",
    "library": "its owner's library",
    "graveyard": "its owner's graveyard",
}


def counters(n: int, kind: str) -> str:
    """A number of counters of a kind, in words."""
    return one(f"{kind} counter") if n == 1 else f"{n} {kind} counters"


def one(noun: str) -> str:
    """A noun with its article."""
    return f"{'an' if noun[:1] in 'AEIOUaeiou' else 'a'} {noun}"


def joined_words(words: Iterable[str]) -> str:
    """Words with commas and "and"."""
    every = list(words)
    return every[0] if len(every) == 1 else ", ".join(every[:-1]) + f" and {every[-1]}" if every else ""

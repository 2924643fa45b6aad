"""Engines that make one mistake where a play meets one kind of thing, and nowhere else.

A family wraps a decision of the rules. When a play passes one, the family says by what name a mistake could
be made here, made of what is met: an event that triggers nothing, a part of an effect that stays when the
rest ends, a state-based action that misses tokens. So the mistakes are made by the plays. `python -m tools
mistakes-met` plays the fixtures and stored scenarios once to collect the names, then makes each mistake in
some of those that meet it, and counts which notice, up to two. `misreadings` makes others in reading cards,
`wrong_looks` in asking how an object looks.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import random
import signal
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from conformance.data.rulebook import newest_edition
from conformance.model.observation import Observations
from conformance.model.problems import ScenarioError
from conformance.model.scenario import Fixture, Play
from conformance.model.verdict import PassVerdict, judge
from conformance_adapters.in_process import Reference, play_through
from reference_engine.game import state_based
from reference_engine.game.costs import CostChange
from reference_engine.game.events import GameEvent
from reference_engine.game.game import Game, Ref, Rejected, StackItem, WaitingTrigger
from reference_engine.game.game_rules import CR
from reference_engine.game.replacing import affected_by
from reference_engine.game.triggers import awaited_kinds
from reference_engine.language.cards import Activated, Operation, Triggered
from reference_engine.language.characteristics import Characteristics, HeldAbility
from reference_engine.layers.board import CopyValues, Lasting, SettledPart
from reference_engine.layers.evaluation import RuleEffect
from tools.code_changes import output_of_fork
from tools.harvest import answer_of, too_long
from tools.ignored_words import scored_checks
from tools.met_in_play import (
    due_to,
    kind_of_ability,
    kind_of_event,
    kind_of_trigger,
    kinds_of,
    kinds_of_item,
    kinds_of_object,
    origin_of_ability,
)
from tools.misreadings import misread, names_of_misreadings, optional_keys
from tools.wrong_looks import looks_taken_wrongly

ENOUGH = 2
"""Number of checks to look for per mistake."""
MOST_PLAYED = 150
"""Number of checks in which one mistake is made, at most."""

Decision = Any
"""A decision of the rules: a function, or a tuple of functions."""
Makes = Callable[[str], bool]
"""Whether the engine makes the mistake of this name, which can be made here."""


class Family(NamedTuple):
    """Mistakes of one sort: the decision in which they are made, and that decision with them."""

    name: str
    decision: str
    wrong: Callable[[Decision, Makes], Decision]


class Mistake(NamedTuple):
    """One mistake that some play can meet."""

    family: str
    decision: str
    name: str

    def __str__(self) -> str:
        return f"{self.family}: {self.name}" + (f" ({self.decision})" if self.decision in ENDING else "")


class MistakeNoticed(Struct, frozen=True):
    """Up to two checks that notice a mistake, and how many meet it."""

    mistake: Mistake
    noticing: tuple[str, ...]
    of: int


# -------------------------------------------------------------------------- triggered abilities


def silent_events(triggered: Decision, makes: Makes) -> Decision:
    """An event that triggers nothing (CR 603.2), by what it is due to."""

    def decided(before: Game, after: Game, events: tuple[GameEvent, ...]) -> Game:
        right: Game = triggered(before, after, events)
        if right is after:
            return right
        concerns = awaited_kinds(after.mentions)
        why = due_to()
        heard = tuple(
            event
            for event in events
            if type(event) not in concerns
            or triggered(before, after, (event,)) is after
            or not makes(f"{kind_of_event(event)} in {why}")
        )
        if heard == events:
            return right
        game: Game = triggered(before, after, heard)
        return game

    return decided


def silent_triggers(triggering: Decision, makes: Makes) -> Decision:
    """An ability that does not trigger (CR 603.2): one of several events is missing, or its source is of a
    kind that is forgotten.
    """

    def decided(
        before: Game, after: Game, game: Game, event: Any, id: str, held: HeldAbility, when: Any
    ) -> WaitingTrigger | None:
        waiting: WaitingTrigger | None = triggering(before, after, game, event, id, held, when)
        if waiting is None or not isinstance(held.ability, Triggered):
            return waiting
        ability = held.ability
        words = kind_of_trigger(when)
        if when != ability.when and makes(f"{kind_of_trigger(ability.when)} without {words}"):
            return None
        for kind in (
            f"that is {origin_of_ability(held)}",
            *(f"of {one}" for one in kinds_of_object(game, id)),
        ):
            if makes(f"{words} {kind}"):
                return None
        for kind in kinds_of(event, None):
            if makes(f"{words} by {kind}"):
                return None
        if ability.triggers_once and makes(f"{words}: the limit of once each turn ignored"):
            return replace(waiting, ability=replace(ability, triggers_once=False))
        return waiting

    return decided


def ignored_conditions(condition_holds: Decision, makes: Makes) -> Decision:
    """An intervening "if" that is not asked as the ability would trigger (CR 603.4)."""

    def decided(game: Game, waiting: WaitingTrigger) -> bool:
        words = f"if {type(waiting.ability.cond).__name__} of {kind_of_trigger(waiting.ability.when)}"
        return condition_holds(game, waiting) or makes(words)

    return decided


# ------------------------------------------------------------------------------ lasting effects

ENDING = (
    "durations_of_players_gone",
    "durations_until_next_turn",
    "durations_until_end_of_combat",
    "durations_of_untap_step",
    "durations_noticed",
    "end_of_turn",
)
"""The decisions that end lasting effects."""


def kind_of_operation(operation: Any) -> str:
    """An operation in a few words."""
    inner = sorted({type(one).__name__ for one in getattr(operation, "abilities", ())})
    deeds = getattr(operation, "do", ())
    words = sorted(deeds) if isinstance(deeds, frozenset) else [deeds] if deeds else []
    return ", ".join([type(operation).__name__, *inner, *words])


def lasting_parts(ending: Decision, makes: Makes) -> Decision:
    """A part of an effect that stays as the rest of it ends (CR 611.2a: all of it lasts as long)."""

    def decided(game: Game, *others: Any) -> Game:
        after: Game = ending(game, *others)
        there = {effect.id for effect in after.board.effects}
        kept = [
            part
            for effect in game.board.effects
            if effect.id not in there
            for part in parts_kept(effect, makes)
        ]
        if not kept:
            return after
        return replace(after, board=replace(after.board, effects=(*after.board.effects, *kept)))

    return decided


def ended_early(decision: str) -> Callable[[Decision, Makes], Decision]:
    """An effect that ends with others that do not last as long, or in another player's turn (CR 611.2a)."""

    def wrong(ending: Decision, makes: Makes) -> Decision:
        def decided(game: Game, *others: Any) -> Game:
            after: Game = ending(game, *others)
            kept = tuple(
                effect
                for effect in after.board.effects
                if effect.until == "ever"
                or not any(makes(f"{kind} in {decision}") for kind in kinds_of(effect, game))
            )
            if len(kept) == len(after.board.effects):
                return after
            return replace(after, board=replace(after.board, effects=kept))

        return decided

    return wrong


def parts_kept(effect: Lasting, makes: Makes) -> Iterator[Lasting]:
    """What stays of an effect that ends."""
    kinds = sorted({kind_of_operation(one) for part in effect.parts for one in part.does})
    sets = [part.affects for part in effect.parts if isinstance(part.affects, frozenset)]
    many = any(len(affected) > 1 for affected in sets)
    until = "while a condition holds" if effect.as_long_as is not None else effect.until
    for kind in kinds:
        part_of = "one part, " if len(kinds) > 1 else ""
        if makes(f"{part_of}{kind}, of an effect {until} {'on several' if many else 'on one'}"):
            parts = (
                replace(part, does=tuple(one for one in part.does if kind_of_operation(one) == kind))
                for part in effect.parts
            )
            yield ever(effect, tuple(part for part in parts if part.does))
    if many and makes(f"all but the first affected by {'+'.join(kinds)} {until}"):
        rest = tuple(
            replace(part, affects=frozenset(sorted(part.affects)[1:]))
            if isinstance(part.affects, frozenset)
            else part
            for part in effect.parts
        )
        yield ever(effect, rest)


def ever(effect: Lasting, parts: tuple[SettledPart, ...]) -> Lasting:
    """These parts of an effect, without an end."""
    return replace(effect, parts=parts, until="ever", as_long_as=None)


# ------------------------------------------------------------------------- effects on the rules


def ignored_keys(effects_on_rules: Decision, makes: Makes) -> Decision:
    """A key of an effect on the rules, or one of several things that it forbids, that is ignored
    (CR 613.11).
    """

    def decided(*moment: Any) -> tuple[RuleEffect, ...]:
        return tuple(
            replace(effect, operation=with_keys_ignored(effect, makes))
            for effect in effects_on_rules(*moment)
        )

    return decided


def with_keys_ignored(effect: RuleEffect, makes: Makes) -> Operation:
    """The operation of an effect without what is ignored."""
    operation: Any = effect.operation
    words = kind_of_operation(operation)
    by = "from a resolution" if effect.effect.key[:1] == ("lasting",) else "from an ability"
    for key, default in optional_keys(operation):
        if makes(f"{words}: {key} ignored in an effect {by}"):
            operation = replace(operation, **{key: default})
    do = getattr(operation, "do", None)
    if isinstance(do, frozenset) and len(do) > 1:
        for one in sorted(do):
            if makes(f"{words} without {one}"):
                operation = replace(operation, do=do - {one})
    result: Operation = operation
    return result


# ------------------------------------------------------------------------------ activated abilities

INSTRUCTIONS = ("once", "times", "exhaust", "sorcery", "cond", "by")


def ignored_instructions(may_activate: Decision, makes: Makes) -> Decision:
    """An instruction about when and by whom an ability is activated that is ignored (CR 602.5)."""

    def decided(game: Game, player: str, id: str, held: HeldAbility) -> None:
        ability = held.ability
        if isinstance(ability, Activated):
            where = f"of {kind_of_ability(held)} from {game.board.things[id].zone}"
            ignored = {
                key: default
                for key, default in optional_keys(ability)
                if key in INSTRUCTIONS and makes(f"{key} ignored {where}")
            }
            if ignored:
                held = replace(held, ability=replace(ability, **ignored))
        may_activate(game, player, id, held)

    return decided


# ------------------------------------------------------------------------------ state-based actions


def missed_objects(checks: Decision, makes: Makes) -> Decision:
    """A state-based action that misses objects of one kind (CR 704.3: all are performed)."""

    def missing(check: Callable[[Game], Any]) -> Callable[[Game], Any]:
        @functools.wraps(check)
        def decided(game: Game) -> Any:
            found = check(game)
            events = found if check in state_based.STATE_BASED_CHECKS else found[1]
            if not events:
                return found
            kept = tuple(event for event in events if not is_missed(game, event))
            if len(kept) > 1 and makes(f"{check.__name__} misses all but the first"):
                kept = kept[:1]
            return kept if events is found else (found[0], kept)

        def is_missed(game: Game, event: Any) -> bool:
            of = getattr(event, "id", getattr(event, "player", None))
            return any(makes(f"{check.__name__} misses {kind}") for kind in kinds_of(of, game))

        return decided

    return tuple(map(missing, checks))


# ------------------------------------------------------------------------- replacement and prevention


def missed_causes(applies: Decision, makes: Makes) -> Decision:
    """A replacement or prevention effect that does not apply to its event if that has one kind of cause, or
    happens to one kind of object or player (CR 614.1).
    """

    def decided(
        game: Game, operation: Any, affected: tuple[str, ...], effect: RuleEffect, event: Any
    ) -> bool:
        if not applies(game, operation, affected, effect, event):
            return False
        words = getattr(operation, "event", "prevented damage")
        kinds = [f"in {due_to()}", f"as {kind_of_event(event)}"]
        kinds += [f"of {kind}" for kind in kinds_of(affected_by(event), game)]
        if isinstance(getattr(event, "source", None), Ref):
            kinds += [f"by {kind}" for kind in kinds_of(event.source, game)]
        kinds.append("from a resolution" if effect.effect.key[:1] == ("lasting",) else "from an ability")
        if effect.effect.source == affected_by(event):
            kinds.append("of its own source")
        return not any(makes(f"{words} {kind}") for kind in kinds)

    return decided


# ------------------------------------------------------------------------- last known information


def looking_now(last_known: Decision, makes: Makes) -> Decision:
    """An object that is gone, of which is asked what its card is now (CR 608.2h)."""

    def decided(game: Game, this: Ref, it: Ref | None, names: Mapping[str, tuple[Ref, ...]]) -> Any:
        known = last_known(game, this, it, names)
        gone = {ref for ref, board in known.items() if board is not game.board}
        if not gone:
            return known
        words = {
            ref: "target" if word.startswith("target") else "named" for word in names for ref in names[word]
        }
        words |= {this: "this", **({} if it is None else {it: "it"})}
        now = {}
        for ref in gone:
            there = ref.id in game.board.things
            zone = game.board.things[ref.id].zone if there else "nowhere"
            if there and makes(f"{words[ref]} from {zone} in {due_to()}"):
                now[ref] = game.board
        return {**known, **now}

    return decided


# ------------------------------------------------------------------------------------ costs, copies


def missed_cost_changes(cost_changes: Decision, makes: Makes) -> Decision:
    """A change of costs that is ignored for one kind of spell or ability (CR 601.2f)."""

    def decided(game: Game, item: StackItem) -> list[CostChange]:
        changes: list[CostChange] = cost_changes(game, item)
        kinds = [*kinds_of_item(game, item)] if changes else []
        whose = {change: "own" if change[0] == item.id else "another's" for change in changes}
        return [
            change
            for change in changes
            if not any(makes(f"{change[1]} {whose[change]} for {kind}") for kind in kinds)
        ]

    return decided


def missed_copiable_values(apply_operation: Decision, makes: Makes) -> Decision:
    """A copy without one of the copiable values (CR 707.2)."""

    def decided(operation: Any, seen: Characteristics) -> Characteristics:
        after: Characteristics = apply_operation(operation, seen)
        if isinstance(operation, CopyValues):
            types = "+".join(sorted(operation.values.types))
            for key in after.__struct_fields__:
                old = getattr(seen, key)
                if old != getattr(after, key) and makes(f"{key} of a copied {types}"):
                    after = replace(after, **{key: old})
        return after

    return decided


def missed_choices(copied: Decision, makes: Makes) -> Decision:
    """A copy of a spell or ability without one of the choices made for it (CR 707.10)."""

    def decided(game: Game, item: StackItem, *others: Any) -> tuple[Game, StackItem]:
        after, copy = copied(game, item, *others)
        missing = {
            key: default
            for key, default in optional_keys(copy)
            if key not in ("copy", "ability", "slot", "name")
            and makes(f"{key} of a copied {item.kind} {item.method or ''}")
        }
        if missing:
            copy = replace(copy, **missing)
            after = replace(after, stack=(*after.stack[:-1], copy))
        return after, copy

    return decided


# ------------------------------------------------------------------- any decision, in one situation


def in_situations(decision: str) -> Callable[[Decision, Makes], Decision]:
    """A decision with another answer wherever one of its arguments is of one kind."""
    parameters = tuple(inspect.signature(getattr(CR, decision)).parameters)

    def wrong(decide: Decision, makes: Makes) -> Decision:
        def decided(*arguments: Any, **named: Any) -> Any:
            try:
                right = decide(*arguments, **named)
            except Rejected:
                if any(
                    makes(f"{decision} allows {kind}") for kind in situations(parameters, arguments, named)
                ):
                    return None
                raise
            instead = other_answers(right, arguments)
            if not instead:
                return right
            answer = right
            kinds = situations(parameters, arguments, named)
            for words, other in instead.items():
                for kind in kinds:
                    if makes(f"{decision} {words} {kind}"):
                        answer = other
            return answer

        return decided

    return wrong


def situations(
    parameters: Sequence[str], arguments: Sequence[Any], named: Mapping[str, Any]
) -> tuple[str, ...]:
    """What is met in the arguments of a decision."""
    game = next((one for one in arguments if isinstance(one, Game)), None)
    given = {**dict(zip(parameters, arguments, strict=False)), **named}
    return tuple(f"[{name}: {kind}]" for name, value in given.items() for kind in kinds_of(value, game))


def other_answers(right: Any, arguments: Sequence[Any]) -> Mapping[str, Any]:
    """Wrong answers of a decision, by what is wrong with them."""
    match right:
        case bool():
            return {f"says {'no' if right else 'yes'}": not right}
        case int():
            return {"is one less": right - 1} if right > 0 else {}
        case tuple() | frozenset() if right and not any(isinstance(one, Game) for one in right):
            several = {"finds the first only": type(right)([*right][:1])} if len(right) > 1 else {}
            return {"finds nothing": type(right)(), **several}
        case Game() if arguments and isinstance(arguments[0], Game) and right is not arguments[0]:
            return {"does nothing": arguments[0]}
        case _:
            return {}


def taken_together(decision: str) -> Callable[[Decision, Makes], Decision]:
    """A decision about several things of one type that takes from the first what each has of its own."""

    def wrong(decide: Decision, makes: Makes) -> Decision:
        def decided(*arguments: Any, **named: Any) -> Any:
            asked = tuple(as_the_first(one, f"{decision} asked about", makes) for one in arguments)
            return as_the_first(decide(*asked, **named), f"{decision} says", makes)

        return decided

    return wrong


def as_the_first(several: Any, words: str, makes: Makes) -> Any:
    """Several things, in which mistakes have taken from the first what the others have of their own."""
    if type(several) is not tuple or len(several) < 2:
        return several
    first: dict[type, Any] = {}
    return tuple(like(first.setdefault(type(one), one), one, words, makes) for one in several)


def like(first: Any, other: Any, words: str, makes: Makes) -> Any:
    """One of several things, in which mistakes have taken something from the first of them."""
    if other is first or not isinstance(other, Struct):
        return other
    wrong = {
        key: getattr(first, key)
        for key in other.__struct_fields__
        if getattr(other, key) != getattr(first, key)
        and makes(f"{words} several, {key} of {kind_of_event(other)} as of the first")
    }
    return replace(other, **wrong) if wrong else other


def general_families() -> Iterator[Family]:
    """Two families for each decision of the rules that is a function."""
    for field in dataclasses.fields(CR):
        if callable(getattr(CR, field.name)) and field.name not in NOT_ALONE:
            yield Family("situations", field.name, in_situations(field.name))
        if callable(getattr(CR, field.name)):
            yield Family("taken together", field.name, taken_together(field.name))


NOT_ALONE = ("decider", "shown_number", "replaced", "triggered")
"""Decisions that are asked to say what is met, or in which everything is decided."""

SPECIAL = (
    Family("silent events", "triggered", silent_events),
    Family("silent triggers", "triggering", silent_triggers),
    Family("ignored conditions", "condition_holds", ignored_conditions),
    *(Family("effects that stay", ending, lasting_parts) for ending in ENDING),
    *(Family("effects that end early", ending, ended_early(ending)) for ending in ENDING),
    Family("ignored keys", "effects_on_rules", ignored_keys),
    Family("ignored instructions", "may_activate", ignored_instructions),
    Family("missed by state-based actions", "state_based_checks", missed_objects),
    Family("missed by state-based actions", "uniqueness_rules", missed_objects),
    Family("missed causes", "watches", missed_causes),
    Family("missed causes", "shields", missed_causes),
    Family("present looks", "last_known", looking_now),
    Family("missed changes of costs", "cost_changes", missed_cost_changes),
    Family("incomplete copies", "apply_operation", missed_copiable_values),
    Family("incomplete copies", "copied", missed_choices),
)
MISREADINGS, WRONG_LOOKS = "misreadings", "wrong looks"
"""The families that are not made in decisions of the rules."""


@functools.cache
def families() -> tuple[Family, ...]:
    """All families that are made in decisions."""
    return (*SPECIAL, *general_families())


def family_names() -> tuple[str, ...]:
    """The names of the families, in order."""
    return (*dict.fromkeys(family.name for family in families()), MISREADINGS, WRONG_LOOKS)


# ------------------------------------------------------------------------------------ playing


def names_met(play: Play, some: Sequence[Family]) -> frozenset[Mistake]:
    """The mistakes of these families that a scenario can meet."""
    met: set[Mistake] = set()

    def noting(family: Family) -> Makes:
        def makes(name: str) -> bool:
            met.add(Mistake(family.name, family.decision, name))
            return False

        return makes

    wrong: dict[str, Decision] = {}
    for family in some:
        decide = wrong.get(family.decision, getattr(CR, family.decision))
        wrong[family.decision] = family.wrong(decide, noting(family))
    play_through(play, dataclasses.replace(CR, **wrong))
    return frozenset(met)


def mistakes_of(play: Play, only: Sequence[str] = ()) -> frozenset[Mistake]:
    """The mistakes of these families (all, if none is named) that a scenario can meet."""
    some = [family for family in families() if not only or family.name in only]
    met = set(names_met(play, some)) if some else set()
    if not only or MISREADINGS in only:
        met |= {Mistake(MISREADINGS, "", name) for name in names_of_misreadings(play)}
    if not only or WRONG_LOOKS in only:

        def noting(name: str) -> bool:
            met.add(Mistake(WRONG_LOOKS, "", name))
            return False

        with looks_taken_wrongly(noting):
            play_through(play, CR)
    return frozenset(met)


class Misreading(Reference):
    """The reference engine with one mistake in reading cards."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def play(self, play: Play, /) -> Observations:
        """The answer to the scenario as it is misread."""
        return super().play(misread(play, self._name))


class LookingWrongly(Reference):
    """The reference engine with one mistake in asking how an object looks."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def play(self, play: Play, /) -> Observations:
        """The answer to the scenario with this mistake."""
        with looks_taken_wrongly(self._name.__eq__):
            return super().play(play)


def engine_with(mistake: Mistake) -> Reference:
    """The engine that makes a mistake."""
    if mistake.family == MISREADINGS:
        return Misreading(mistake.name)
    if mistake.family == WRONG_LOOKS:
        return LookingWrongly(mistake.name)
    family = next(one for one in families() if one[:2] == mistake[:2])

    def makes(name: str) -> bool:
        return name == mistake.name

    wrong = family.wrong(getattr(CR, family.decision), makes)
    return Reference(rules=dataclasses.replace(CR, **{family.decision: wrong}))


def notices(fixture: Fixture, mistake: Mistake) -> bool:
    """Whether a check fails on an engine that makes the mistake; a scenario that becomes invalid does not
    count.
    """
    answer = answer_of(engine_with(mistake), fixture.play)
    return not isinstance(judge(fixture, answer, newest_edition()), PassVerdict)


def checks_meeting(only: Sequence[str], seed: int) -> Mapping[Mistake, Sequence[Fixture]]:
    """The checks that meet each mistake of these families (all, if none is named), in an order drawn by the
    seed.
    """
    checks = list(scored_checks())
    random.Random(seed).shuffle(checks)
    meeting: dict[Mistake, list[Fixture]] = defaultdict(list)
    for fixture in checks:
        for mistake in mistakes_of(fixture.play, only):
            meeting[mistake].append(fixture)
    return meeting


def results(only: Sequence[str], sample: int | None, seed: int) -> Iterator[MistakeNoticed]:
    """What notices each mistake, or each of a sample drawn by the seed."""
    meeting = checks_meeting(only, seed)
    every = sorted(meeting)
    drawn = every if sample is None else sorted(random.Random(seed).sample(every, min(sample, len(every))))
    for begin in range(0, len(drawn), AT_A_TIME):
        some = drawn[begin : begin + AT_A_TIME]
        noticed = noticed_by_fork({mistake: meeting[mistake][:MOST_PLAYED] for mistake in some})
        for mistake, noticing in zip(some, noticed, strict=True):
            yield MistakeNoticed(mistake, noticing, len(meeting[mistake]))


AT_A_TIME = 200
"""Number of mistakes that one process makes."""


def noticed_by_fork(checks: Mapping[Mistake, Sequence[Fixture]]) -> tuple[tuple[str, ...], ...]:
    """The first checks that notice each mistake, found by a process of its own."""

    def work(told: BinaryIO) -> None:
        signal.signal(signal.SIGPROF, too_long)
        found = [tuple(first_noticing(mistake, some)) for mistake, some in checks.items()]
        told.write(msgspec.json.encode(found))

    text, status = output_of_fork(work)
    if status != 0:
        raise RuntimeError(f"the process that makes {next(iter(checks))} and others ended with {status}")
    return msgspec.json.decode(text, type=tuple[tuple[str, ...], ...])


def first_noticing(mistake: Mistake, checks: Iterable[Fixture]) -> Iterator[str]:
    """The first checks that notice a mistake, up to two."""
    found = 0
    for fixture in checks:
        try:
            is_noticed = notices(fixture, mistake)
        except ScenarioError:
            continue
        if is_noticed:
            yield fixture.id
            found += 1
            if found == ENOUGH:
                return


def report(found: Iterable[MistakeNoticed]) -> Iterator[str]:
    """The mistakes that no check or only one notices, as they are found; then the figures of each family."""
    made: Counter[str] = Counter()
    noticed: Counter[tuple[str, int]] = Counter()
    for one in found:
        made[one.mistake.family] += 1
        noticed[one.mistake.family, len(one.noticing)] += 1
        if len(one.noticing) < ENOUGH:
            by = ", ".join(one.noticing) or "nothing notices"
            yield f"{one.mistake}: {by} (of {one.of} checks)"
    for family, number in made.items():
        twice, once, never = (noticed[family, n] for n in (2, 1, 0))
        yield f"{family}: {number} mistakes, {twice} noticed twice, {once} once, {never} not at all"

"""Problems of a script: names that are undefined at that point, invalid answers, duplicate looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, get_args

from msgspec import Struct

from conformance.checks.names import (
    ID,
    NAMING_ACTIONS,
    ids_defined_by,
    sides,
    unknown_name,
    unknown_thing,
    unknown_word,
)
from conformance.model.problems import At, Finding, list_of_options
from conformance.model.scenario import Play
from reference_engine.language.actions import (
    Action,
    Activate,
    Advance,
    Assign,
    Attack,
    Block,
    Call,
    CastAction,
    ChooseAction,
    Look,
    Pass,
    PlayAction,
    Resolve,
    Share,
    Special,
    Try,
    TurnUp,
    UnlockAction,
)
from reference_engine.language.subtypes import KIND_OF
from reference_engine.language.words import COLORS, STEPS


def wrong_script(play: Play) -> Iterator[Finding]:
    """Undefined names, answers of the wrong kind, looks called `end`."""
    known = dict.fromkeys([*(player.id for player in play.players), *(one.id for one in play.objects)])
    actors = actors_in(play)
    names: set[tuple[str, str]] = set()
    for number, action in enumerate(play.script):
        for finding in wrong_action(action, known, actors):
            yield finding.within("script", number)
        if type(action) is Look or type(action) is Try:
            name, kind = action.name, "look" if type(action) is Look else "try"
            at: At = ("script", number, kind)
            if (kind, name) in names:
                yield Finding(at, f"a second {kind} called {name!r}", "choose another name")
            if not ID.fullmatch(name):
                yield Finding(at, f"{name!r} is not a name for a {kind}", "small letters, digits and _")
            if name == "end":
                cure = "remove it, or choose another name"
                yield Finding(at, "every scenario ends with the look end", cure)
            names.add((kind, name))
        if type(action) in NAMING_ACTIONS:
            known.update((name, None) for name, _ in ids_defined_by(action))


class Actors(Struct, frozen=True):
    """The players and teams that may act, take turns, pass, declare and choose."""

    players: list[str]
    sides: list[str]
    passing: list[str]
    both: list[str]


def actors_in(play: Play) -> Actors:
    """The players and teams of a scenario, by what they may do."""
    players, by_turns = [player.id for player in play.players], sides(play)
    return Actors(players, by_turns, [*by_turns, "everyone"], list(dict.fromkeys([*players, *by_turns])))


NEVER_TRIED = {Look, Try, ChooseAction, Call}


TAGS = {cls: str(cls.__struct_config__.tag) for cls in get_args(Action)}


DECISIONS = {ChooseAction, Attack, Block, Assign}
"""The actions that a team may take, too."""


def wrong_action(action: Action, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """Problems of one action; `known` are the ids defined before it."""
    who = getattr(action, "by", None)
    may = actors.both if type(action) in DECISIONS else actors.players
    if isinstance(who, str) and who not in may:
        yield from unknown_name(who, may, ("by",), "whose action?")
    decided_by = getattr(action, "decided_by", None)
    if decided_by is not None:
        yield from unknown_name(decided_by, actors.players, ("decided_by",), "whose decision?")
        if type(action) is Pass and action.who == "everyone":
            yield Finding(("decided_by",), "everyone passes by themselves", "name the player who passes")
    wrong_in_it = WRONG_IN.get(type(action))
    if wrong_in_it is not None:
        yield from wrong_in_it(action, known, actors)


def wrong_pass(action: Pass, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """A pass by somebody who cannot pass."""
    yield from unknown_name(action.who, actors.passing, (TAGS[Pass],), "who passes?")


def wrong_cast(action: CastAction | Activate, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """Problems of a spell or ability: targets, division, costs."""
    yield from unknown_thing(action.what, known, (TAGS[type(action)],))
    for number, group in enumerate(action.targets):
        for name in group:
            yield from unknown_thing(name, known, ("targets", number))
    for share in action.divide:
        yield from unknown_thing(share.to, known, ("divide", share.to))
    yield from wrong_costs(action, known)


def wrong_try(action: Try, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """An attempt at something that is not a player's action, or that has problems itself."""
    inner = action.action
    if type(inner) in NEVER_TRIED:
        yield Finding(("action",), f"{TAGS[type(inner)]} cannot be tried", "try what a player may do")
    for finding in wrong_action(inner, known, actors):
        yield finding.within("action")


def wrong_thing(action: Resolve | PlayAction, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """An unknown object to resolve or play."""
    yield from unknown_thing(action.what, known, (TAGS[type(action)],))


def wrong_choice(action: ChooseAction, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """An invalid answer."""
    yield from wrong_answer(action, known)


def wrong_advance(action: Advance, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """A turn of an unknown player."""
    if action.turn is not None:
        yield from unknown_name(action.turn, actors.sides, (TAGS[Advance], "turn"), "whose turn?")


def wrong_attack(action: Attack, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """Problems of attackers, and of what they attack."""
    for one in action.attackers:
        yield from unknown_thing(one.attacker, known, (TAGS[Attack], one.attacker))
        yield from unknown_thing(one.attacks, known, (TAGS[Attack], one.attacker))


def wrong_block(action: Block, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """Problems of blockers, and of what they block."""
    for one in action.blockers:
        for name in (one.blocker, *one.blocks):
            yield from unknown_thing(name, known, (TAGS[Block], one.blocker))


def wrong_assignment(action: Assign, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """Problems of assigning combat damage."""
    for one in action.assignments:
        for name in (one.by, *(share.to for share in one.shares)):
            yield from unknown_thing(name, known, (TAGS[Assign], one.by))


def wrong_turning_up(action: TurnUp, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """Problems of turning something face up, and of its cost."""
    yield from unknown_thing(action.what, known, (TAGS[TurnUp],))
    yield from wrong_costs(action, known)


def wrong_unlocking(action: UnlockAction, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """Problems of unlocking a half of something, and of its cost."""
    yield from unknown_thing(action.what, known, (TAGS[UnlockAction],))
    yield from wrong_costs(action, known)


def wrong_special(action: Special, known: Collection[str], actors: Actors) -> Iterator[Finding]:
    """Problems of a special action."""
    if action.source is not None:
        yield from unknown_thing(action.source, known, ("source",))


WRONG_IN: dict[type, Callable[[Any, Collection[str], Actors], Iterator[Finding]]] = {
    Activate: wrong_cast,
    Advance: wrong_advance,
    Assign: wrong_assignment,
    Attack: wrong_attack,
    Block: wrong_block,
    CastAction: wrong_cast,
    ChooseAction: wrong_choice,
    Pass: wrong_pass,
    PlayAction: wrong_thing,
    Resolve: wrong_thing,
    Special: wrong_special,
    Try: wrong_try,
    TurnUp: wrong_turning_up,
    UnlockAction: wrong_unlocking,
}
"""The checks for each kind of action."""


def wrong_costs(
    action: CastAction | Activate | TurnUp | UnlockAction, known: Collection[str]
) -> Iterator[Finding]:
    """Costs paid with objects that do not exist."""
    for paid in action.costs:
        if paid.kind in ("sacrifice", "discard", "tap", "exile", "return", "reduce_in_order"):
            for name in paid.ids:
                yield from unknown_thing(name, known, ("costs", paid.kind))
    for number, step in enumerate(action.pay.steps if action.pay else ()):
        if (step.activate is None) == (step.pool is None):
            yield Finding(
                ("pay", number),
                "a step of a payment is one mana ability or mana from the pool",
                "write one of the two",
            )
        if step.activate is not None:
            yield from unknown_thing(step.activate, known, ("pay", number, "activate"))


# -------------------------------------------------------------------------------------------------- answers


NAMES = frozenset(
    {
        "targets",
        "order",
        "timestamps",
        "cards",
        "random",
        "keep",
        "object",
        "player",
        "replacement",
        "copy",
        "damage_order",
    }
)


WORDS = frozenset({"color", "type", "name", "word", "costs"})


NUMBER_KINDS = frozenset({"number", "x", "modes", "option"})


TYPES_OF: dict[str, frozenset[str]] = {
    "type": frozenset({*KIND_OF, *COLORS}),
    "word": frozenset({*KIND_OF, *COLORS}),
}
"""The words that can answer each kind of choice."""


SINGLE = frozenset(
    {
        "player",
        "copy",
        "type",
        "name",
        "number",
        "x",
        "may",
        "option",
        "keep",
        "replacement",
    }
)


PREVENTION = "prevention"
"""What prevents all the damage, as one of several replacements."""


def source_of_effect(answer: str) -> str:
    """The source of a replacement effect or of a permission: `id (2)` is a second effect of it."""
    return re.sub(r" \([0-9]+\)$", "", answer)


def wrong_answer(choice: ChooseAction, known: Collection[str]) -> Iterator[Finding]:
    """An answer of the wrong kind, or with an unknown name."""
    shape, example = shape_of(choice.kind)
    at: At = ("answer",)
    if not all(is_of_shape(value, shape) for value in choice.answer):
        yield Finding(at, f"no answer to a choice of kind {choice.kind}", f"write {shape}: {example}")
        return
    if choice.kind in SINGLE and len(choice.answer) != 1:
        yield Finding(
            at, f"{len(choice.answer)} answers to a choice of kind {choice.kind}", f"write one: {example}"
        )
    for position, value in enumerate(choice.answer):
        if choice.kind == "replacement":
            yield from unknown_thing(source_of_effect(str(value)), {*known, PREVENTION}, (*at, position))
        elif choice.kind == "object":
            yield from unknown_thing(source_of_effect(str(value)), known, (*at, position))
        elif choice.kind in NAMES:
            yield from unknown_thing(str(value), known, (*at, position))
        elif choice.kind == "color":
            yield from unknown_word(
                str(value), COLORS, (*at, position), "colour", f"choose one of: {list_of_options(COLORS)}"
            )
        elif choice.kind in TYPES_OF:
            yield from unknown_word(
                str(value),
                TYPES_OF[choice.kind],
                (*at, position),
                choice.kind,
                "write a type that exists (CR 205.3)",
            )
        elif isinstance(value, Share):
            yield from unknown_thing(value.to, known, (*at, value.to))
        elif choice.kind in ("modes", "option") and isinstance(value, int) and value < 1:
            yield Finding((*at, position), "modes and options are counted from 1", "write 1 for the first")
    asker = choice.for_
    if asker is not None and asker not in (*STEPS, "cleanup", "state", "combat"):
        yield from unknown_thing(asker, known, ("for",))


def shape_of(kind: str) -> tuple[str, str]:
    """The shape of answers to a kind of choice, in words, and an example."""
    if kind in NAMES:
        return "ids", "answer: [bear]"
    if kind in WORDS:
        return "words", "answer: blue" if kind == "color" else "answer: Goblin"
    if kind in NUMBER_KINDS:
        return "numbers", "answer: 2"
    if kind == "may":
        return "yes or no", "answer: yes"
    return ("shares", "answer: {bear: 2}") if kind == "division" else ("ids or numbers", "answer: [bear]")


def is_of_shape(value: object, shape: str) -> bool:
    """Whether one answer has the right shape."""
    match shape:
        case "ids" | "words":
            return isinstance(value, str)
        case "numbers":
            return isinstance(value, int) and not isinstance(value, bool)
        case "yes or no":
            return isinstance(value, bool)
        case "shares":
            return isinstance(value, Share)
        case _:
            return isinstance(value, str | int) and not isinstance(value, bool)

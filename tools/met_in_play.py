"""What a play meets, in words: the kinds of objects, players, events and abilities that a decision is about.

`mistakes_met` makes mistakes only where something of such a kind is met. Equal things have equal words in any
two plays of a scenario.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import get_args

from msgspec import Struct

from reference_engine.game.events import CountersChanged, Damaged, LifeChanged, Moved, StepBegan
from reference_engine.game.game import Game, Ref, StackItem, WaitingTrigger
from reference_engine.language.cards import Activated, AnyEvent, Nth, OneOrMore
from reference_engine.language.characteristics import HeldAbility, is_mana_ability
from reference_engine.language.words import KeywordName, Step, Zone
from reference_engine.layers.board import Lasting
from reference_engine.layers.effects import ActiveEffect
from reference_engine.layers.evaluation import RuleEffect

PASSED_OVER = frozenset({"asking_about", "asking_for", "asking_in", "candidates", "event_after_replacements"})
PASSED_OVER |= {"follow_instruction", "follow_together", "happen", "happen_if_any", "replaced"}
"""Functions that say nothing about what an event or a question is due to."""


def due_to(many: int = 2) -> str:
    """The functions of the engine that are at work, the innermost first; of the costs, also which is paid."""
    names: list[str] = []
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and len(names) < many:
        code = frame.f_code
        if is_of_the_engine(code) and code.co_name not in PASSED_OVER and code.co_name.isidentifier():
            cost = frame.f_locals.get("cost") if code.co_name == "pay_cost" else None
            names.append(code.co_name if cost is None else f"{code.co_name} {type(cost).__name__}")
        frame = frame.f_back
    return " in ".join(names)


def is_of_the_engine(code: CodeType) -> bool:
    """Whether code is the engine's own."""
    return "reference_engine" in code.co_filename


def kind_of_event(event: object) -> str:
    """An event in a few words."""
    name = type(event).__name__
    match event:
        case Moved(_, origin, to, how):
            return f"{name} {origin} to {to} {how}"
        case LifeChanged(_, by, how=how):
            return f"{name} {'up' if by > 0 else 'down'} {how}"
        case StepBegan(step):
            return f"{name} {step}"
        case Damaged(combat=combat):
            return f"{name} {'in combat' if combat else 'outside combat'}"
        case CountersChanged(_, kind, by):
            return f"{name} {kind} {'more' if by > 0 else 'fewer'}"
        case _:
            return name


def kind_of_trigger(when: object) -> str:
    """A trigger condition in a few words."""
    if isinstance(when, AnyEvent):
        return " or ".join(map(kind_of_trigger, when.events))
    if isinstance(when, OneOrMore | Nth):
        return f"{type(when).__name__} {kind_of_trigger(when.event)}"
    return type(when).__name__


def origin_of_ability(held: HeldAbility) -> str:
    """Where an ability of an object comes from: its own text, a keyword, or another effect."""
    if held.slot[:1] == ("keyword",):
        return str(held.slot[1])
    return "gained" if held.since or held.slot[:1] == ("gained",) else "own"


def kind_of_ability(held: HeldAbility) -> str:
    """An ability in a few words."""
    ability = held.ability
    mana = "mana " if isinstance(ability, Activated) and is_mana_ability(ability) else ""
    return f"{origin_of_ability(held)} {mana}{type(ability).__name__}"


def kinds_of_object(game: Game, id: str) -> Iterator[str]:
    """What distinguishes an object from the usual one."""
    thing, look = game.board.things[id], game.seen.look(id)
    types = look.types
    yield f"{thing.zone} {'+'.join(sorted(types))}"
    if types != thing.face.types and not thing.face_down:
        yield "with other types than printed"
    for kind, is_so in (
        ("token", thing.token),
        ("face down", thing.face_down),
        ("tapped", thing.tapped),
        ("attached", thing.attached_to is not None),
        ("attacking", thing.attacking is not None),
        ("attacking a permanent", thing.attacking in game.board.things),
        ("blocking", bool(thing.blocking)),
        ("damaged", thing.damage > 0),
        ("not front", thing.face_up != "front"),
        ("controlled by another than its owner", look.controller not in (None, thing.owner)),
        ("a copy", look.name != thing.face.name and look.name is not None),
        ("saddled", thing.saddled),
    ):
        if is_so:
            yield kind
    for pile in thing.counters:
        yield f"with {pile.kind} counters"
    past = (word for word in thing.was if word.isalpha())
    for word in sorted({*look.supertypes, *(held.keyword for held in look.keywords), *past}):
        yield f"with {word}"


def kinds_of_player(game: Game, player: str) -> Iterator[str]:
    """What distinguishes a player from the usual one."""
    seats = [seat.id for seat in game.board.seats]
    yield "active player" if game.board.active == player else "another player than the active one"
    if player in seats[2:]:
        yield "third or later player"
    if player in game.lost:
        yield "player who has lost"
    if game.rules.decider(game, player) != player:
        yield "controlled player"


def kinds_of_game(game: Game) -> Iterator[str]:
    """What distinguishes a game from the usual one."""
    yield f"step {game.board.step}"
    yield "something on the stack" if game.stack else "nothing on the stack"
    for kind, is_so in (
        ("more than two players", len(game.board.seats) > 2),
        ("teams", any(seat.team for seat in game.board.seats)),
        ("a player gone", bool(game.lost)),
        ("an extra turn", bool(game.in_turn_order)),
        ("something phased out", bool(game.board.phased_out)),
        ("no longer the first turn", game.turn > 1),
    ):
        if is_so:
            yield kind


def kinds_of_item(game: Game, item: StackItem) -> Iterator[str]:
    """What distinguishes a spell or ability from the usual one."""
    yield item.kind
    for kind, is_so in (
        ("copy", item.copy),
        ("with modes", bool(item.modes)),
        ("with X", item.x is not None),
        ("kicked", item.kicked > 0),
        (f"cast by {item.method}", item.method is not None),
        ("with optional costs", bool(item.extras)),
        ("with targets", bool(item.targets)),
        ("of another than the active player", item.controller != game.board.active),
        ("delayed", item.created is not None),
        ("whose source is gone", item.kind != "spell" and not game.is_there(item.source)),
        (f"of {item.slot[1:2]}", item.slot[:1] == ("keyword",)),
    ):
        if is_so:
            yield kind
    if item.kind == "spell" and item.id in game.board.things:
        yield from kinds_of_object(game, item.id)


def kinds_of_lasting(game: Game, effect: Lasting) -> Iterator[str]:
    """What distinguishes a lasting effect from the usual one."""
    words = sorted({type(operation).__name__ for part in effect.parts for operation in part.does})
    yield f"{effect.until} effect {'+'.join(words)}"
    if any(part.players for part in effect.parts):
        yield f"{effect.until} effect on players"
    if len(effect.parts) > 1:
        yield f"{effect.until} effect of several parts"
    yield f"{effect.until} effect of {'the active' if effect.you == game.board.active else 'another'} player"
    yield f"{effect.until} effect of {'this turn' if effect.turn == game.turn else 'an earlier turn'}"


WORDS = frozenset({*get_args(Zone), *get_args(Step), *get_args(KeywordName)})
"""Words in arguments that are no names."""


def kinds_of(value: object, game: Game | None) -> Iterator[str]:
    """What a play can meet in one argument of a decision."""
    match value:
        case None:
            yield "none"
        case bool():
            yield str(value)
        case int():
            yield "0" if value == 0 else "1" if value == 1 else "more"
        case str() if game is not None and value in game.board.things:
            yield from kinds_of_object(game, value)
        case str() if game is not None and any(seat.id == value for seat in game.board.seats):
            yield from kinds_of_player(game, value)
        case str() if value in WORDS:
            yield value
        case Ref(id) if game is not None:
            if not game.is_there(value):
                yield "gone"
            elif id in game.board.things:
                yield from kinds_of_object(game, id)
        case StackItem() if game is not None:
            yield from kinds_of_item(game, value)
        case WaitingTrigger(ability):
            yield kind_of_trigger(ability.when)
        case HeldAbility():
            yield kind_of_ability(value)
        case Lasting() if game is not None:
            yield from kinds_of_lasting(game, value)
        case RuleEffect(operation):
            yield type(operation).__name__
        case ActiveEffect():
            yield "effect of " + ("an ability" if value.key[:1] != ("lasting",) else "a resolution")
        case tuple() | list():
            yield "none" if not value else "one" if len(value) == 1 else "several"
            if len(value) == 1:
                yield from kinds_of(value[0], game)
        case Game():
            if value is game:
                yield from kinds_of_game(value)
        case Struct():
            yield kind_of_event(value)

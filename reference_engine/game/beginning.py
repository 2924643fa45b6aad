"""Continuous effects that begin on resolution (CR 611.2); their affected sets and variables are fixed
here.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.events import EffectBegan
from reference_engine.game.game import (
    Game,
    Question,
    Ref,
    Rejected,
    StackItem,
    controller_of,
    last_board,
    ticked,
)
from reference_engine.game.happening import happen
from reference_engine.game.questions import take_answer
from reference_engine.game.recall import asking_about, linked, still_there
from reference_engine.game.rule_effects import Permission
from reference_engine.game.scene import (
    SEVERAL,
    Scene,
    affected_refs,
    askers,
    asking_in,
    on_battlefield,
    refs_meant,
    speaking_of,
    with_comparisons_settled,
)
from reference_engine.language import cards
from reference_engine.language.cards import (
    Ability,
    Activated,
    All,
    Attached,
    BecomeCopy,
    Cannot,
    ChosenPlayer,
    ControllerOf,
    DefendingPlayer,
    Double,
    Effect,
    EntersWith,
    ExchangeControl,
    Gain,
    GainControl,
    It,
    Keyword,
    Modify,
    Operation,
    OwnerOf,
    Plus,
    PreventDamage,
    Quantity,
    ReplaceWord,
    Selector,
    SourceOf,
    Static,
    The,
    This,
    Triggered,
    Would,
    You,
)
from reference_engine.language.characteristics import first_instance
from reference_engine.language.words import (
    BASIC_LAND_TYPES,
    COLORS,
    KeywordName,
    kind_of_subtype,
)
from reference_engine.layers.asking import Asking, amount, bonus, holds, is_undefined, selection
from reference_engine.layers.board import (
    AFFECTED,
    CopyValues,
    Lasting,
    SetCopiable,
    SettledOperation,
    SettledPart,
)
from reference_engine.layers.effects import ActiveEffect, mentions_it
from reference_engine.layers.evaluation import LookChange, copiable_values, evaluate_with_trace
from reference_engine.layers.operations import with_chosen_words

_T = TypeVar("_T")


def begin(game: Game, scene: Scene, effect: Effect) -> Game:
    """The game in which a continuous effect of a resolving spell or ability has begun.

    CR 611.2b: an effect whose duration is already over never begins. CR 611.2c: an effect on characteristics
    or control has its set fixed now; one that only changes rules does not. CR 611.2d: its variables are fixed
    now. CR 608.2h: so are the words chosen for its source, which may be gone by now or later, and what
    information about other objects tells, such as the controller of something or what it is attached to.
    """
    asking = asking_in(game, scene)
    effect = with_chosen_words(effect, asking)
    if mentions_it(effect.as_long_as) and (scene.it is None or isinstance(effect.affects, SEVERAL)):
        return begun_for_each(game, scene, effect)
    if effect.as_long_as is not None and not game.rules.lasts(game, scene.this, effect.as_long_as, asking):
        return game
    game, now = ticked(game)
    does, told_by_does = with_recipients_fixed(effect.does, asking)
    stays_open = not is_fixed(effect.affects)
    on_rules = tuple([op for op in does if op.layer == "rules" and stays_open and not is_for_each(op)])
    on_others = tuple([op for op in does if op not in on_rules]) if on_rules else does
    game, parts, names = game.rules.fixed_parts(game, scene, effect.affects, on_others)
    if on_rules:
        operations = tuple(with_numbers(op, asking) for op in on_rules)
        affects, told = with_references_fixed(with_comparisons_settled(effect.affects, asking), asking)
        parts = (*parts, SettledPart(affects, operations))
        names |= told
    if effect.as_long_as is not None or "rules" in [op.layer for op in does]:
        names = {n: tuple(ref.id for ref in refs) for n, refs in scene.names} | names | told_by_does
        if scene.it is not None:
            names[JUST_IT] = tuple(ref.id for ref in still_there(game, (scene.it,)))
    if not parts:
        return game
    lasting = Lasting(
        id=f"effect {now}",
        turn=game.turn,
        source=scene.this.id,
        you=scene.you,
        timestamp=now,
        parts=parts,
        until=effect.until,
        as_long_as=effect.as_long_as,
        names=tuple(names.items()),
        x=scene.item.x,
        that_much=scene.item.that_much,
        link=linked(game, scene.this, scene.item.slot),
        born=(scene.this.born, scene.this.then),
        origins=origins_of(game, names, parts),
    )
    if effect.as_long_as is not None:
        game = replace(game, tied={**game.tied, lasting.id: scene.this})
    if effect.until == "next untap step":
        # Each controller has a different untap step, so each permanent gets an effect of its own.
        ones = [
            (id, part.does)
            for part in parts
            if isinstance(part.affects, frozenset)
            for id in sorted(part.affects)
        ]
        each = [
            replace(lasting, id=f"{lasting.id} on {id}", parts=(SettledPart(frozenset({id}), does),))
            for id, does in ones
        ]
        return happen(game, *map(EffectBegan, each)) if each else game
    return happen(game, EffectBegan(lasting))


def begun_for_each(game: Game, scene: Scene, effect: Effect) -> Game:
    """The game in which an effect has begun for each thing that it affects, for as long as something is true
    of that one (CR 611.2b).
    """
    for one in affected_refs(game, scene, effect.affects):
        game = begin(game, replace(scene, it=one), replace(effect, affects=It()))
    return game


def with_numbers_settled(game: Game, scene: Scene, effect: Effect) -> Effect:
    """A continuous effect with its numbers as they are before it begins for the first thing or player, except
    what is asked of each thing that it affects (CR 608.2e, 608.2h, 611.2d).
    """
    if not any(map(has_open_numbers, effect.does)):
        return effect
    asking = asking_in(game, scene)
    return replace(
        effect, does=tuple(one if mentions_it(one) else with_numbers(one, asking) for one in effect.does)
    )


def origins_of(
    game: Game, names: Mapping[str, tuple[str, ...]], parts: tuple[SettledPart, ...]
) -> tuple[tuple[str, str, int], ...]:
    """The objects and players that names refer to, and those whose damage is replaced or can't be prevented,
    each as it is now.
    """
    named = [(name, id) for name, ids in names.items() for id in ids]
    for part in parts:
        if any(map(is_about_its_damage, part.does)) and isinstance(part.affects, frozenset):
            named += [(AFFECTED, id) for id in sorted(part.affects)]
    return tuple((name, id, game.born(id)) for name, id in named)


def is_about_its_damage(operation: SettledOperation) -> bool:
    """Whether an operation is about the damage that what it affects would deal."""
    if isinstance(operation, Cannot):
        return "have damage prevented" in operation.do
    return isinstance(operation, Would) and operation.event == "deal damage"


JUST_IT = "just it"
"""What "it" is called in an effect whose duration may speak of it; no name on a card can be the same."""

INSTEAD = (Would, PreventDamage)
"""The operations of replacement and prevention effects, which may also do other things."""


def is_for_each(operation: Operation) -> bool:
    """Whether an operation on the rules begins for each thing that it affects by itself.

    CR 615.11: an effect that is used up when it applies makes a shield for each. CR 611.2d: a number that is
    different for each is determined now for each.
    """
    shield = isinstance(operation, INSTEAD) and operation.next
    return shield or any(mentions_it(getattr(operation, name, None)) for name in QUANTITIES)


def is_fixed(affects: Selector) -> bool:
    """Whether a selector means particular objects or players rather than all of a kind (CR 608.2h: which,
    is determined only once).
    """
    return isinstance(affects, PARTICULAR) or (isinstance(affects, All) and affects.same_as is not None)


PARTICULAR = (This, It, The, Attached, ChosenPlayer, DefendingPlayer, ControllerOf, OwnerOf)
"""Selectors that mean certain objects or players, as information about other objects tells."""


def fixed_parts(
    game: Game, scene: Scene, affects: Selector, does: tuple[Operation, ...]
) -> tuple[Game, tuple[SettledPart, ...], dict[str, tuple[str, ...]]]:
    """The parts of an effect with the objects or players that it affects fixed from now on.

    CR 611.2c: the set is fixed as the effect begins. CR 113.11: an object that can't have an ability doesn't
    gain it, even if it could have it later.
    """
    parts: list[SettledPart] = []
    names: dict[str, tuple[str, ...]] = {}
    # CR 602.2a, 603.3: an ability on the stack has no characteristics that could change.
    things, players = game.board.things, game.seen.players
    refs = affected_refs(game, scene, affects) if does else ()
    ids = tuple([ref.id for ref in refs if ref.id in things or ref.id in players])
    # CR 701.10b: how much a power is doubled by is computed for each creature, as is what speaks of "it".
    one_by_one = any(map(mentions_it, does)) or Double in map(type, does)
    written = does
    for group in [(id,) for id in ids] if one_by_one else [ids]:
        of_players = not things.keys() >= set(group)
        if one_by_one:
            # CR 701.10a: only of creatures; a player has no power that could be doubled.
            fitting = [one for one in written if not (of_players and isinstance(one, Double))]
            does = tuple(
                game.rules.doubling(game, group[0], one) if isinstance(one, Double) else one
                for one in fitting
            )
        operations: tuple[SettledOperation, ...] = does
        if not all(map(is_settled, does)):
            question = (
                speaking_of(game, scene, affects, group[0]) if len(group) == 1 else asking_in(game, scene)
            )
            game, operations, named = settled_operations(game, scene, does, question)
            names |= dict(named)
        for some, wanted in grouped_by_gainable(game, group, operations):
            if some and wanted:
                parts.append(SettledPart(frozenset(some), wanted, of_players))
    return game, tuple(parts), names


def doubling(game: Game, id: str, operation: Double) -> Modify:
    """The bonus that doubles power or toughness.

    CR 701.10b: as much as the creature has. CR 701.10c: if that is negative, the bonus is, too (CR 107.1b:
    an exception).
    """
    power = game.seen.power(id) or 0 if "power" in operation.what else 0
    toughness = game.seen.toughness(id) or 0 if "toughness" in operation.what else 0
    return Modify(power, toughness)


def grouped_by_gainable(
    game: Game, ids: tuple[str, ...], operations: tuple[SettledOperation, ...]
) -> list[tuple[tuple[str, ...], tuple[SettledOperation, ...]]]:
    """The objects in groups, each with the operations minus the keywords that it can't have."""
    gained = {
        a.keyword for op in operations if isinstance(op, Gain) for a in op.abilities if isinstance(a, Keyword)
    }
    if not gained:
        return [(ids, operations)]
    barred: dict[frozenset[str], list[str]] = {}
    for id in ids:
        look = game.look(id) if id in game.board.things else game.seen.players[id]
        barred.setdefault(frozenset(look.cannot_have) & gained, []).append(id)
    return [
        (
            tuple(some),
            tuple(op for op in (operation_without(op, words) for op in operations) if op is not None),
        )
        for words, some in barred.items()
    ]


def operation_without(operation: SettledOperation, words: frozenset[str]) -> SettledOperation | None:
    """An operation without these granted keywords; `None` if nothing is left of it."""
    if not isinstance(operation, Gain) or not words:
        return operation
    kept = tuple(a for a in operation.abilities if not (isinstance(a, Keyword) and a.keyword in words))
    return Gain(kept) if kept else None


def permission_effects(game: Game, id: str, permission: Permission) -> tuple[Lasting, ...]:
    """The effects that a permission to play a card adds to that card.

    CR 611.3d: they continue after the permission ends, for the stated duration; without one, indefinitely.
    """
    operation, effect = permission
    if not operation.does:
        return ()
    asking = game.seen.asking_of(effect).about(id)
    does = tuple(with_numbers(one, asking) for one in with_chosen_words(operation.does, asking))
    parts = (SettledPart(frozenset({id}), does),)
    return (Lasting(f"{id} played {game.clock}", effect.effect.source, effect.you, game.clock, parts),)


def effects_kept(game: Game, spell: StackItem) -> tuple[Lasting, ...]:
    """The abilities that static abilities have given a permanent spell, as effects on what it becomes.

    CR 400.7b: those that function on the battlefield continue to apply to the permanent. CR 611.3d: without a
    stated duration for the rest of the game. CR 613.7a: they are as old as they were.
    """
    if Gain not in game.mentions:
        return ()
    id = spell.id
    found: list[Lasting] = []
    for step in evaluate_with_trace(game.board, game.rules).steps:
        if not is_for_spells_alone(step.effect):
            continue
        for change in step.changes:
            gained = abilities_gained(change) if id in change.ids else ()
            if gained:
                parts = (SettledPart(frozenset({id}), (Gain(gained),)),)
                name, since = f"{id} {game.clock} {len(found)}", step.effect.timestamp[0]
                found.append(Lasting(name, step.effect.source, spell.controller, since, parts, goes_on=True))
    return tuple(found)


def gained_at(game: Game, id: str, keyword: Keyword) -> int | None:
    """The timestamp of the effect that gives an object a keyword; `None` if none does."""
    for step in reversed(evaluate_with_trace(game.board, game.rules).steps):
        for change in step.changes:
            if id in change.ids and keyword in change.after.keywords - change.before.keywords:
                return step.effect.timestamp[0]
    return None


def is_for_spells_alone(effect: ActiveEffect) -> bool:
    """Whether an effect comes from a static ability that gives abilities to spells, and not to permanents."""
    static = None if effect.held is None else effect.held.ability
    granting = (
        [part for part in static.parts if any(isinstance(one, Gain) for one in part.does)]
        if isinstance(static, Static)
        else []
    )
    return bool(granting) and all(
        isinstance(part.affects, All) and "battlefield" not in part.affects.zones for part in granting
    )


def abilities_gained(change: LookChange) -> tuple[Ability, ...]:
    """The abilities gained in a change of looks, of those that function on the battlefield."""
    keywords = (first_instance(one) for one in change.after.keywords - change.before.keywords)
    others = (held.ability for held in change.after.abilities if held not in change.before.abilities)
    gained: tuple[Ability, ...] = (*sorted(keywords, key=str), *others)
    return tuple(filter(functions_on_battlefield, gained))


def functions_on_battlefield(ability: Ability) -> bool:
    """Whether an ability, or one that a keyword stands for, does something for a permanent."""
    match ability:
        case Keyword(keyword=word):
            return word not in OF_OTHER_ZONES
        case Static(zones=zones) | Activated(zones=zones) | Triggered(zones=zones):
            return "battlefield" in zones
        case _:
            return True


OF_OTHER_ZONES: frozenset[KeywordName] = frozenset(
    {
        *("affinity", "bestow", "buyback", "cascade", "convoke", "cycling", "delve", "entwine", "escape"),
        *("flash", "flashback", "foretell", "kicker", "madness", "ninjutsu", "overload", "plot"),
        *("prototype", "retrace", "splice", "split second", "storm", "suspend", "unearth", "warp"),
    }
)
"""Keywords that do nothing for a permanent."""


def lasts(game: Game, this: Ref, condition: cards.Condition, asking: Asking) -> bool:
    """Whether a "for as long as" condition holds; false once the object it concerns is gone.

    CR 611.2b: the effect lasts only as long.
    """
    if speaks_of_this(condition) and not game.is_there(this):
        return False
    return holds(condition, asking)


def still_asking(game: Game, effect: Lasting) -> Asking:
    """A context for questions of the duration of an effect that has begun."""
    named = {name: tuple(game.ref(id) for id in ids) for name, ids in effect.names}
    it = next(iter(named.get(JUST_IT, ())), None)
    this = game.tied[effect.id]
    return asking_about(
        game, this, effect.you, it, named, effect.x, that_much=effect.that_much, link=effect.link
    )


def speaks_of_this(value: object) -> bool:
    """Whether a condition refers to its own source."""
    if isinstance(value, This):
        return True
    if isinstance(value, Struct):
        return any(speaks_of_this(getattr(value, name)) for name in value.__struct_fields__)
    return isinstance(value, tuple) and any(speaks_of_this(member) for member in value)


# ----------------------------------------------------------------------------- what is fixed


@functools.lru_cache(maxsize=4096)
def is_settled(operation: Operation) -> bool:
    """Whether nothing of an operation is fixed only as it begins."""
    return not (isinstance(operation, (BecomeCopy, GainControl, ReplaceWord)) or has_open_numbers(operation))


def settled_operations(
    game: Game, scene: Scene, does: tuple[Operation, ...], asking: Asking
) -> tuple[Game, tuple[SettledOperation, ...], tuple[tuple[str, tuple[str, ...]], ...]]:
    """The operations of an effect, with the values computed that are fixed as it begins (CR 611.2d:
    variables).
    """
    settled: list[SettledOperation] = []
    names: dict[str, tuple[str, ...]] = {}
    for operation in does:
        match operation:
            case BecomeCopy(of, but):
                models = game.rules.referred_to(game, scene, of, asking)
                if models:
                    # CR 707.2b: copy the present values. CR 608.2h: if the object is gone, its last known
                    # ones.
                    board = last_board(game, models[0])
                    values = copiable_values(board, models[0].id, game.rules)
                    acquired = (models[0].id, models[0].born, f"{scene.this.id} {game.clock}")
                    settled.append(CopyValues(replace(values, text_by=acquired)))
                    if but:
                        settled.append(SetCopiable(but))
            case GainControl(player):
                who = selection(player, asking)
                if isinstance(player, You):
                    settled.append(operation)
                elif who:
                    settled.append(GainControl(The(hidden_player_name(who[0]))))
                    names[hidden_player_name(who[0])] = (who[0],)
            case ReplaceWord(_, old, new):
                complete = operation
                # CR 612.2: words that the text leaves open are chosen now.
                if old is None or new is None:
                    game, complete = words_replaced(game, scene, operation)
                settled.append(complete)
            case _:
                settled.append(with_numbers(operation, asking))
    return game, tuple(settled), tuple(names.items())


def referred_to(game: Game, scene: Scene, of: Selector, asking: Asking) -> tuple[Ref, ...]:
    """The objects that an operation refers to (CR 608.2h: including those that are gone; CR 109.1: a player
    is none).
    """
    if isinstance(of, It) and (scene.it is None or asking.it != scene.it.id):
        known = tuple(game.ref(id) for id in selection(of, asking))
    else:
        known = refs_meant(game, scene, of)
    return tuple(ref for ref in known if ref.id in last_board(game, ref).things)


def hidden_player_name(player: str) -> str:
    """A name for a player inside an effect that no name on a card can collide with."""
    return hidden_name((player,))


def hidden_name(ids: tuple[str, ...]) -> str:
    """A name for players or objects inside an effect that no name on a card can collide with."""
    return f"just {' '.join(ids)}"


def with_references_fixed(value: _T, asking: Asking) -> tuple[_T, dict[str, tuple[str, ...]]]:
    """A selector, or a part of one, in which hidden names stand for the players and objects that information
    about other objects tells, and what is called so.
    """
    names: dict[str, tuple[str, ...]] = {}

    def fixed(part: Any) -> Any:
        if isinstance(part, TOLD_BY_OBJECTS):
            who = selection(part, asking)
            names[hidden_name(who)] = who
            return The(hidden_name(who))
        if isinstance(part, tuple):
            return tuple(map(fixed, part))
        if isinstance(part, Struct):
            return replace(part, **{name: fixed(getattr(part, name)) for name in part.__struct_fields__})
        return part

    return fixed(value), names


def with_recipients_fixed(
    does: tuple[Operation, ...], asking: Asking
) -> tuple[tuple[Operation, ...], dict[str, tuple[str, ...]]]:
    """The operations of an effect, in which it is known whom, what or whose things they are about, and what
    is called so; except where that differs for each thing affected.
    """
    names: dict[str, tuple[str, ...]] = {}
    settled: list[Operation] = []
    for operation in does:
        fixed: dict[str, object] = {}
        for field in recipients(operation):
            fixed[field], told = with_references_fixed(getattr(operation, field), asking)
            names |= told
        settled.append(replace(operation, **fixed) if fixed else operation)
    return tuple(settled), names


@functools.lru_cache(maxsize=4096)
def recipients(operation: Operation) -> tuple[str, ...]:
    """The fields that say whom, what or whose things an operation is about, alike for all that it affects."""
    parts = {name: getattr(operation, name, None) for name in ("whom", "what", "by")}
    return tuple(name for name, part in parts.items() if part is not None and not mentions_it(part))


TOLD_BY_OBJECTS = (ControllerOf, OwnerOf, SourceOf, ChosenPlayer, DefendingPlayer, Attached)
"""Selectors that mean players or objects, as information about other objects tells."""


QUANTITIES = ("power", "toughness", "n", "times")


@functools.lru_cache(maxsize=4096)
def has_open_numbers(operation: Operation) -> bool:
    """Whether a quantity of an operation is something else than a number."""
    quantities = [getattr(operation, name, None) for name in QUANTITIES]
    match operation:
        case Would(instead=Plus(n)):
            quantities.append(n)
        case EntersWith(counters):
            quantities += [one.n for one in counters]
    return any(not isinstance(quantity, int) for quantity in quantities if quantity is not None)


def with_numbers(operation: Operation, asking: Asking) -> Operation:
    """An operation with its quantities as numbers, except inside abilities it quotes and where a number was
    never chosen (CR 607.5a: that does nothing).
    """
    if not has_open_numbers(operation):
        return operation
    number = bonus if isinstance(operation, Modify) else amount
    fields: dict[str, object] = {}
    for name in QUANTITIES:
        value: Quantity | None = getattr(operation, name, None)
        if value is not None and not is_undefined(value, asking):
            fields[name] = number(value, asking)
    match operation:
        case Would(instead=Plus(n)) if not mentions_it(n):
            fields["instead"] = Plus(amount(n, asking))
        case EntersWith(counters):
            fields["counters"] = tuple(
                one if mentions_it(one.n) else replace(one, n=amount(one.n, asking)) for one in counters
            )
    return replace(operation, **fields) if fields else operation


def words_replaced(game: Game, scene: Scene, operation: ReplaceWord) -> tuple[Game, ReplaceWord]:
    """The word to replace and its replacement, chosen as the effect begins where not given (CR 612.2:
    both of one kind).
    """
    wanted = [operation.old, operation.new].count(None)
    closed = {"color": COLORS, "basic land type": BASIC_LAND_TYPES}
    words = tuple(word for kind in sorted(operation.kinds & closed.keys()) for word in closed[kind])
    options = words if operation.kinds <= closed.keys() else ()
    question = Question("word", scene.you, askers(game, scene), options, wanted, wanted)
    game, answer = take_answer(game, question)
    old = operation.old or str(answer[0])
    new = operation.new or str(answer[-1])
    kinds = {kind_of_word(word) for word in (old, new) if word != "any"}
    if len(kinds) != 1 or not kinds <= operation.kinds or new in operation.never:
        raise Rejected(
            f"{old} can't be replaced by {new}: one of {', '.join(sorted(operation.kinds))} by another"
        )
    return game, replace(operation, old=old, new=new)


def kind_of_word(word: str) -> str:
    """The kind of word that a text-changing effect treats this word as."""
    if word in COLORS:
        return "color"
    if word in BASIC_LAND_TYPES:
        return "basic land type"
    return "creature type" if kind_of_subtype(word) == "creature" else "other"


def exchange(game: Game, scene: Scene, instruction: ExchangeControl) -> Game:
    """Exchange control of two permanents, unless that is impossible (CR 701.12b: all or nothing)."""
    ones = on_battlefield(game, affected_refs(game, scene, instruction.one))
    if instruction.other is None:
        ones, others = ones[:1], ones[1:]
    else:
        others = on_battlefield(game, affected_refs(game, scene, instruction.other))
    if len(ones) != 1 or len(others) != 1:
        return game
    one, other = ones[0], others[0]
    first, second = controller_of(game, one), controller_of(game, other)
    if first == second:
        return game
    game, now = ticked(game)
    effect = Lasting(
        id=f"exchange {now}",
        source=scene.this.id,
        you=scene.you,
        timestamp=now,
        parts=(
            SettledPart(frozenset({one}), (GainControl(The(hidden_player_name(second))),)),
            SettledPart(frozenset({other}), (GainControl(The(hidden_player_name(first))),)),
        ),
        until=instruction.until,
        names=((hidden_player_name(first), (first,)), (hidden_player_name(second), (second,))),
    )
    return happen(game, EffectBegan(effect))

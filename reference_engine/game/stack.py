"""The stack: the names of its objects, and the targets a spell or ability requires.

`casting` and `triggers` put objects on the stack; `resolving` removes them.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.game.game import (
    Game,
    Ref,
    StackItem,
)
from reference_engine.game.recall import NamedObjects, asking_about, source_still_there
from reference_engine.language.cards import (
    Activated,
    All,
    Damage,
    Filter,
    Instruction,
    Mode,
    PutCounters,
    Spell,
    TargetSpec,
    The,
    Triggered,
)
from reference_engine.language.characteristics import Characteristics
from reference_engine.layers.asking import Asking, selection
from reference_engine.layers.board import NotModelled


def stack_by_name(game: Game) -> tuple[tuple[str, StackItem], ...]:
    """The objects on the stack from bottom to top, each with its name in scripts."""
    if len(game.stack) == 1:
        return ((base_name(game.stack[0]), game.stack[0]),)
    bases = [base_name(item) for item in game.stack]
    if len(set(bases)) < len(bases):
        times = [bases[:number].count(base) for number, base in enumerate(bases, 1)]
        bases = [base if n == 1 else f"{base} ({n})" for base, n in zip(bases, times, strict=True)]
    return tuple(zip(bases, game.stack, strict=True))


def names(game: Game) -> tuple[str, ...]:
    """The script's names of the objects on the stack, from bottom to top."""
    return tuple(name for name, _ in stack_by_name(game))


def base_name(item: StackItem) -> str:
    """An object's name on the stack, if no other object there shares it."""
    if item.alias is not None:
        return item.alias
    name = (item.name or item.source.id) if item.kind == "spell" else f"{item.name} of {item.source.id}"
    return f"copy of {name}" if item.copy else name


def name_of(game: Game, item: StackItem) -> str:
    """The script's present name for this object."""
    for name, other in stack_by_name(game):
        if other.id == item.id:
            return name
    return base_name(item)


def item_named(game: Game, name: str) -> StackItem | None:
    """The object on the stack with this name."""
    for called_so, item in stack_by_name(game) if game.stack else ():
        if name in (called_so, item.id):
            return item
    return None


def item_of(game: Game, id: str) -> StackItem | None:
    """The object on the stack with this id."""
    for item in game.stack:
        if item.id == id:
            return item
    return None


def is_aimed_at(game: Game, id: str, what: All, asking: Asking) -> bool:
    """Whether a spell has such a target (CR 115.9b: by the targets as they are now,
    whether or not they are still legal)."""
    item = item_of(game, id)
    if item is None:
        return False
    such = selection(what, asking)
    return any(ref.id in such for refs in item.targets for ref in refs)


def with_item(game: Game, item: StackItem) -> Game:
    """The game with this object replacing the one with the same id on the stack."""
    for other in game.stack:
        if other is item:
            return game
    return replace(game, stack=stack_with(game, item))


def stack_with(game: Game, item: StackItem) -> tuple[StackItem, ...]:
    """The stack with this object replacing the one with the same id."""
    if game.stack and game.stack[-1].id == item.id:
        return (*game.stack[:-1], item)
    return tuple([item if other.id == item.id else other for other in game.stack])


def without_item(game: Game, id: str) -> Game:
    """The game with an object off the stack, which is remembered as it last was there (CR 608.2h)."""
    item = item_of(game, id)
    if item is None:
        return game
    left = {**game.left_stack, Ref(id, item.born): item}
    return replace(game, stack=tuple([other for other in game.stack if other is not item]), left_stack=left)


def without_ability(game: Game, item: StackItem) -> Game:
    """The game with an ability off the stack; what its source is can still be asked."""
    sources = {**game.sources, item.id: source_still_there(game, item)}
    return replace(without_item(game, item.id), sources=sources)


def shown_ref(game: Game, ref: Ref) -> str:
    """The script's name for a target (an object or player)."""
    item = item_of(game, ref.id)
    return ref.id if item is None else name_of(game, item)


def asking_for(game: Game, item: StackItem, named: NamedObjects | None = None) -> Asking:
    """A context for questions on behalf of a spell or ability on the stack."""
    return asking_about(
        game,
        item.source,
        item.controller,
        item.it,
        {**dict(item.names), **(named or {})},
        item.x,
        item.was,
        item.that_much,
        item.slot,
    )


@functools.lru_cache(maxsize=4096)
def spell_of(look: Characteristics) -> Spell | None:
    """The spell ability of an instant or sorcery (CR 113.3a: only these have one)."""
    if not look.types & {"Instant", "Sorcery"}:
        return None
    return next((held.ability for held in look.abilities if isinstance(held.ability, Spell)), None)


NO_SPELL = Spell()
"""The text of a permanent spell, which has no instructions to follow as it resolves."""


def text_of(game: Game, item: StackItem) -> Spell | Activated | Triggered:
    """The text that a spell or ability follows."""
    if item.kind == "spell":
        return spell_of(game.look(item.id)) or NO_SPELL
    assert item.ability is not None
    return item.ability


def modes_of(game: Game, item: StackItem) -> tuple[tuple[Mode, ...], int, int]:
    """The printed modes of a spell or ability, and how many must be chosen (CR 700.2a: modes)."""
    text = text_of(game, item)
    most = text.modes_most if isinstance(text, Spell) else None
    return text.modes, text.modes_chosen, most or text.modes_chosen


def chosen_modes(text: Spell | Activated | Triggered, modes: tuple[int, ...]) -> tuple[Mode, ...]:
    """The chosen modes, in order.

    CR 601.2c: each instance of the word "target" has targets of its own, also those of different modes.
    """
    return with_own_targets(tuple(text.modes[number - 1] for number in modes))


@functools.lru_cache(maxsize=1024)
def with_own_targets(modes: tuple[Mode, ...]) -> tuple[Mode, ...]:
    """Modes in which no target has the name of a target in an earlier mode."""
    used: set[str] = set()
    found = []
    for number, mode in enumerate(modes, 1):
        names = {spec.name for spec in mode.targets}
        told_apart = mode
        for name in sorted(names & used):
            told_apart = with_new_name(told_apart, name, f"{name} of mode {number}")
        used |= names
        found.append(told_apart)
    return tuple(found)


def with_new_name(mode: Mode, name: str, new: str) -> Mode:
    """A mode with another name for a target, in its targets and in its effect. An ability in the effect whose
    own target has this name gets another, too, which it uses throughout.
    """

    def renamed(part: Any) -> Any:
        if isinstance(part, The) and part.name == name:
            return The(new)
        if isinstance(part, tuple):
            return tuple(map(renamed, part))
        if not isinstance(part, Struct):
            return part
        parts = {key: renamed(getattr(part, key)) for key in part.__struct_fields__}
        if isinstance(part, TargetSpec) and part.name == name:
            parts["name"] = new
        return replace(part, **parts)

    changed = renamed(mode)
    assert isinstance(changed, Mode)
    return changed


def specs_of(game: Game, item: StackItem) -> tuple[TargetSpec, ...]:
    """The targets that a spell or ability requires, given its modes and whether it was kicked.

    CR 601.2c: some targets are required only if a cost or mode was chosen. CR 702.96b: none if its overload
    cost is paid. CR 303.4a, 702.5a: an Aura spell targets what it could enchant.
    """
    if item.method == "overload":
        return ()
    if item.kind == "spell":
        return specs_of_spell(game.look(item.id), item.modes, item.kicked > 0)
    assert item.ability is not None
    return specs_of_text(item.ability, item.modes)


@functools.lru_cache(maxsize=4096)
def specs_of_spell(look: Characteristics, modes: tuple[int, ...], kicked: bool) -> tuple[TargetSpec, ...]:
    """The targets of a spell that looks like this."""
    text = spell_of(look) or NO_SPELL
    specs = specs_of_text(text, modes)
    specs += text.kicked_targets if kicked else ()
    return specs + (enchant_target(look) if look.has_subtype("Aura") else ())


def specs_of_text(text: Spell | Activated | Triggered, modes: tuple[int, ...]) -> tuple[TargetSpec, ...]:
    """The targets that a text requires with these modes."""
    specs = text.targets
    for mode in chosen_modes(text, modes):
        specs += mode.targets
    return specs


def enchant_specs(look: Characteristics) -> tuple[TargetSpec, ...]:
    """What each enchant ability allows, as a target (CR 702.5a: enchant)."""
    return tuple(
        TargetSpec(what=everything_like(keyword.what))
        if keyword.what is not None
        else TargetSpec(players=keyword.player)
        for keyword in look.keywords
        if keyword.keyword == "enchant"
    )


def enchant_target(look: Characteristics) -> tuple[TargetSpec, ...]:
    """The target of an Aura spell (CR 702.5c: one that follows all its enchant abilities)."""
    specs = enchant_specs(look)
    if len(specs) < 2:
        return specs
    if all(spec.what is None for spec in specs):
        raise NotModelled("several abilities to enchant players")
    # CR 702.5d: nothing is both a player and a permanent.
    first, *others = (spec.what or All(without=(Filter(),)) for spec in specs)
    both = replace(first, without=(*first.without, *(Filter(without=(other,)) for other in others)))
    return (TargetSpec(what=both),)


@functools.lru_cache(maxsize=1024)
def everything_like(wanted: Filter) -> All:
    """Everything on the battlefield that matches a filter."""
    return All(**{name: getattr(wanted, name) for name in Filter.__struct_fields__})


def instructions_of(game: Game, item: StackItem) -> tuple[Instruction, ...]:
    """The instructions of a spell or ability, given its modes and whether it was kicked."""
    return instructions_of_text(text_of(game, item), item.modes, item.kicked > 0, item.method == "overload")


@functools.lru_cache(maxsize=4096)
def instructions_of_text(
    text: Spell | Activated | Triggered, modes: tuple[int, ...], kicked: bool, overloaded: bool
) -> tuple[Instruction, ...]:
    """The instructions of a text with these modes."""
    does = text.effect
    for mode in chosen_modes(text, modes):
        does += mode.effect
    if overloaded:
        does = with_each_for_target(does, {spec.name: spec for spec in text.targets})
    return does + text.kicked if isinstance(text, Spell) and kicked else does


def with_each_for_target(text: Any, specs: Mapping[str, TargetSpec]) -> Any:
    """A text in which "each" stands for "target".

    CR 702.96a: everything that could be described as the target is meant instead. CR 702.96c: this changes
    the text of the spell.
    """
    if isinstance(text, The) and text.name in specs:
        spec = specs[text.name]
        if spec.any_target or (spec.what is not None and spec.players is not None):
            raise NotModelled("overload for what may target a permanent or a player")
        return spec.players if spec.what is None else spec.what
    if isinstance(text, Damage | PutCounters) and text.divided:
        raise NotModelled("overload for what is divided among targets")
    if isinstance(text, tuple):
        return tuple(with_each_for_target(part, specs) for part in text)
    if isinstance(text, Struct):
        parts = {name: with_each_for_target(getattr(text, name), specs) for name in text.__struct_fields__}
        return replace(text, **parts)
    return text

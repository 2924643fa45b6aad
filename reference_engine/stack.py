"""The stack: what its objects are called, and what may be a target of a spell or ability.

How things come onto it is in `casting` and `triggers`, how they leave it in `resolving`.
"""

from __future__ import annotations

import functools

from msgspec.structs import replace

from reference_engine.asking import Asking
from reference_engine.cards import (
    All,
    Filter,
    Instruction,
    Mode,
    Spell,
    TargetSpec,
)
from reference_engine.characteristics import Characteristics
from reference_engine.game import (
    Game,
    Ref,
    StackItem,
)
from reference_engine.recall import Named, asking_about


def names(game: Game) -> tuple[str, ...]:
    """What the script calls the objects on the stack, from bottom to top."""
    found: list[str] = []
    for item in game.stack:
        name = base_name(item)
        times = sum(other == name or other.startswith(f"{name} (") for other in found)
        found.append(f"{name} ({times + 1})" if times else name)
    return tuple(found)


def base_name(item: StackItem) -> str:
    """An object's name on the stack, if there were no other of that name."""
    if item.alias is not None:
        return item.alias
    name = (item.name or item.source.id) if item.kind == "spell" else f"{item.name} of {item.source.id}"
    return f"copy of {name}" if item.copy else name


def name_of(game: Game, item: StackItem) -> str:
    """What the script calls this object now."""
    return next(
        (name for name, other in zip(names(game), game.stack, strict=True) if other.id == item.id),
        base_name(item),
    )


def item_named(game: Game, name: str) -> StackItem | None:
    """The object on the stack that a script means."""
    for called, item in zip(names(game), game.stack, strict=True):
        if name in (called, item.id):
            return item
    return None


def item_of(game: Game, id: str) -> StackItem | None:
    """The object of this id on the stack."""
    return next((item for item in game.stack if item.id == id), None)


def with_item(game: Game, item: StackItem) -> Game:
    """The game with this object in place of the one of the same id on the stack."""
    return replace(game, stack=tuple(item if other.id == item.id else other for other in game.stack))


def without_item(game: Game, id: str) -> Game:
    """The game with an object taken off the stack."""
    return replace(game, stack=tuple(other for other in game.stack if other.id != id))


def shown_ref(game: Game, ref: Ref) -> str:
    """What the script calls an object or player that is a target."""
    item = item_of(game, ref.id)
    return ref.id if item is None else name_of(game, item)


def asking_for(game: Game, item: StackItem, named: Named | None = None) -> Asking:
    """Questions on behalf of a spell or ability on the stack."""
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


def spell_of(look: Characteristics) -> Spell | None:
    """What an instant or sorcery says it does."""
    return next((held.ability for held in look.abilities if isinstance(held.ability, Spell)), None)


def modes_of(game: Game, item: StackItem) -> tuple[tuple[Mode, ...], int, int]:
    """The printed modes of a spell or ability, and how many of them are chosen (CR 700.2a: modes)."""
    if item.kind == "spell":
        spell = spell_of(game.seen.look(item.id))
        if spell is None:
            return (), 0, 0
        return spell.modes, spell.modes_chosen, spell.modes_most or spell.modes_chosen
    assert item.ability is not None
    return item.ability.modes, item.ability.modes_chosen, item.ability.modes_chosen


def specs_of(game: Game, item: StackItem) -> tuple[TargetSpec, ...]:
    """The targets that a spell or ability asks for, given its modes and whether it was kicked.

    CR 601.2c: some targets are required only if a cost or mode was chosen. CR 303.4a, 702.5a: an Aura spell's
    target is what it may enchant.
    """
    modes, _, _ = modes_of(game, item)
    chosen = tuple(spec for number in item.modes for spec in modes[number - 1].targets)
    if item.kind != "spell":
        assert item.ability is not None
        return item.ability.targets + chosen
    look = game.seen.look(item.id)
    enchants = enchant_specs(look) if look.has_subtype("Aura") else ()
    spell = spell_of(look)
    if spell is None or not ({"Instant", "Sorcery"} & look.types):
        return enchants
    kicked = spell.kicked_targets if item.kicked else ()
    return spell.targets + chosen + kicked + enchants


def enchant_specs(look: Characteristics) -> tuple[TargetSpec, ...]:
    """What an Aura may enchant, as a target (CR 702.5a: enchant)."""
    return tuple(
        TargetSpec(what=everything_like(keyword.what), name="enchanted")
        if keyword.what is not None
        else TargetSpec(players=keyword.player, name="enchanted")
        for keyword in look.keywords
        if keyword.keyword == "enchant"
    )


@functools.lru_cache(maxsize=1024)
def everything_like(wanted: Filter) -> All:
    """Everything on the battlefield that is as a filter says."""
    if isinstance(wanted, All):
        return wanted
    return All(**{name: getattr(wanted, name) for name in Filter.__struct_fields__})


def instructions_of(game: Game, item: StackItem) -> tuple[Instruction, ...]:
    """What a spell or ability will do, given its modes and whether it was kicked."""
    if item.kind == "spell":
        spell = spell_of(game.seen.look(item.id))
        if spell is None:
            return ()
        modes = tuple(i for number in item.modes for i in spell.modes[number - 1].effect)
        return spell.effect + modes + (spell.kicked if item.kicked else ())
    assert item.ability is not None
    modes = tuple(i for number in item.modes for i in item.ability.modes[number - 1].effect)
    return item.ability.effect + modes

"""The stack: what its objects are called, and what may be a target of a spell or ability.

How things come onto it is in `casting` and `triggers`, how they leave it in `resolving`.
"""

from __future__ import annotations

import functools

from msgspec.structs import replace

from reference_engine.asking import Asking, amount, matches, selected
from reference_engine.cards import All, Filter, Keyword, Mode, Spell, TargetSpec
from reference_engine.characteristics import Characteristics
from reference_engine.game import Game, Ref, Rejected, StackItem, is_in_game, players, side_of
from reference_engine.recall import Named, asking_about
from reference_engine.rule_effects import forbidding

# ------------------------------------------------------------------------------------------ names


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


# ------------------------------------------------------------------------------ what it asks for


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


# ---------------------------------------------------------------------------------------- targets


def legal_targets(
    game: Game, item: StackItem, spec: TargetSpec, named: Named | None = None
) -> tuple[str, ...]:
    """Everything that one instance of the word "target" may be now.

    CR 115.2: permanents, unless it says another zone, a player, or an object on the stack. CR 115.4: "any
    target" is a creature, planeswalker, battle or player. CR 115.5: never the spell or ability itself.
    """
    asking = asking_for(game, item, named)
    found: list[str] = []
    if spec.any_target:
        kinds = frozenset({"Creature", "Planeswalker", "Battle"})
        seen = game.seen
        found += [
            t.id
            for t in game.board.things.values()
            if t.zone == "battlefield" and seen.look(t.id).types & kinds
        ]
        found += players(game)
    if spec.what is not None:
        found += selected(spec.what, asking)
    if spec.players is not None:
        found += [player for player in selected(spec.players, asking) if is_in_game(game, player)]
    if spec.stack:
        found += [other.id for other in game.stack if other.kind in spec.stack]
    if spec.targeting_one:
        single = {other.id for other in game.stack if sum(len(refs) for refs in other.targets) == 1}
        found = [id for id in found if id in single]
    return tuple(id for id in dict.fromkeys(found) if game.rules.can_be_targeted(game, item, id))


def can_be_targeted(game: Game, item: StackItem, id: str) -> bool:
    """Whether nothing forbids a spell or ability to target this.

    CR 115.5: not itself. CR 702.18a: shroud. CR 702.11b, 702.11c: hexproof, for opponents. CR 702.16b:
    protection.
    """
    if id == item.id:
        return False
    seen = game.seen
    thing = game.board.things.get(id)
    if thing is None:
        keywords = seen.players[id].keywords if id in seen.players else frozenset()
        guardian = id
    elif thing.zone == "battlefield":
        look = seen.look(id)
        keywords, guardian = look.keywords, look.controller or thing.owner
    else:
        return True
    for keyword in keywords:
        match keyword.keyword:
            case "shroud":
                return False
            case "hexproof":
                if side_of(game, guardian) != side_of(game, item.controller) and (
                    keyword.what is None or is_like(game, item.source, keyword.what, id)
                ):
                    return False
            case "protection":
                if protects(game, keyword, item.source, item.controller, id):
                    return False
    return not any(
        id in affected and (operation.what is None or is_like(game, item.source, operation.what, id))
        for operation, affected, _ in forbidding(game, "be targeted")
    )


def protects(game: Game, keyword: Keyword, source: Ref, controller: str, protected: str) -> bool:
    """Whether a protection ability is from this source (CR 702.16a: of the stated quality; 702.16k: from a
    player).
    """
    if keyword.player is not None:
        asking = asking_about(game, game.ref(protected), keyword_owner(game, protected))
        return controller in selected(keyword.player, asking)
    return is_like(game, source, keyword.what or Filter(), protected)


def keyword_owner(game: Game, protected: str) -> str:
    """Who "you" is in an ability of an object or player."""
    thing = game.board.things.get(protected)
    return protected if thing is None else (game.seen.look(protected).controller or thing.owner)


def is_like(game: Game, source: Ref, wanted: Filter, asker: str) -> bool:
    """Whether a source, as it is or last was, is as a filter says."""
    this = game.ref(asker) if asker in game.board.things else source
    asking = asking_about(game, this, keyword_owner(game, asker), names={"source": (source,)})
    return source.id in asking.board.things and matches(wanted, source.id, asking)


def resolve_target(game: Game, name: str) -> Ref:
    """The object or player that a script's target means."""
    item = item_named(game, name)
    if item is not None:
        return Ref(item.id, item.born)
    if name in game.board.things:
        return game.ref(name)
    if is_in_game(game, name):
        return Ref(name)
    raise Rejected(f"there is no {name} to be a target")


def how_many(game: Game, item: StackItem, spec: TargetSpec, named: Named) -> tuple[int, int]:
    """The least and the greatest number of targets for one instance of the word."""
    if isinstance(spec.least, int) and isinstance(spec.most, int):
        return spec.least, spec.most
    asking = asking_for(game, item, named)
    return amount(spec.least, asking), amount(spec.most, asking)


def named_targets(
    specs: tuple[TargetSpec, ...], targets: tuple[tuple[Ref, ...], ...]
) -> dict[str, tuple[Ref, ...]]:
    """The targets under the names by which the text speaks of them."""
    named: dict[str, tuple[Ref, ...]] = {}
    for spec, chosen in zip(specs, targets, strict=False):
        named[spec.name] = named.get(spec.name, ()) + chosen
    return named

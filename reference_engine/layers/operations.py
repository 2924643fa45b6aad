"""What an operation does: what its numbers, players and words are now, and how an object looks after it."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import TypeVar, assert_never

import msgspec
from msgspec import Struct

from reference_engine.language.cards import (
    Activated,
    AddColors,
    AddEveryType,
    AddTypes,
    AlternativeCost,
    AnyColorMana,
    AsThoughFlash,
    AsThoughNoDefender,
    Base,
    BecomeCopy,
    BlockedBy,
    BlocksMore,
    Cannot,
    CannotHave,
    Card,
    Costs,
    CrewPower,
    DamageByToughness,
    Defines,
    Double,
    EntersTapped,
    EntersUnder,
    EntersWith,
    Gain,
    GainControl,
    HandSize,
    Keyword,
    LandDrops,
    LandsTapFor,
    Lose,
    LoseAllAbilities,
    LoseTypes,
    MayPlay,
    Modify,
    Must,
    OnlyAsSorcery,
    PreventDamage,
    ReplaceWord,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetName,
    SetTypes,
    SkipStep,
    Switch,
    TextOf,
    Triggered,
    TriggersAgain,
    Would,
)
from reference_engine.language.characteristics import (
    Characteristics,
    HeldAbility,
    fitting,
    is_intrinsic,
    is_mana_ability,
    is_mana_ability_until_2026,
    is_triggered_mana_ability,
    subtypes_of,
    with_keywords,
    with_land_mana,
    with_unlocked,
    without_subtypes,
)
from reference_engine.language.keywords import abilities_of_keyword
from reference_engine.language.words import (
    ALL_CREATURE_TYPES,
    BASIC_LAND_TYPES,
    CHOSEN_COLOR,
    CHOSEN_NAME,
    CHOSEN_TYPE,
    COLORS,
    CardType,
    Supertype,
    kind_of_subtype,
)
from reference_engine.layers.asking import (
    CHOSEN_WORDS,
    PLACEHOLDERS,
    Asking,
    amount,
    bonus,
    choices,
    choices_mentioned,
    choices_offered,
    is_undefined,
    seat,
    selection,
)
from reference_engine.layers.board import CopyValues, FaceDown, SetCopiable, SettledOperation
from reference_engine.layers.effects import ActiveEffect, DefiniteOperation, Grants, SetsController, TakesText

_T = TypeVar("_T")

# --------------------------------------------------------------------------- working things out


NO_OPERATION = AddColors(frozenset())
NUMBER_OR_NONE = (int, NoneType)


def with_current_values(
    operation: SettledOperation, effect: ActiveEffect, asking: Asking, granted_before: int
) -> DefiniteOperation:
    """An operation with its current quantities, players and chosen words filled in.

    `granted_before` is how many abilities the operations before it grant: each ability that an effect grants
    has a slot of its own. The most frequent operations come first.
    """
    match operation:
        case Modify(power, toughness):
            if isinstance(power, int) and isinstance(toughness, int):
                return operation
            if is_undefined(operation, asking):
                return NO_OPERATION
            return Modify(bonus(power, asking), bonus(toughness, asking))
        case Gain(abilities):
            # What a granted ability says of a player or a number, it says of a choice for its own object.
            defined = (ability for ability in abilities if not is_undefined(ability, asking, CHOSEN_WORDS))
            chosen = tuple(with_chosen_words(ability, asking) for ability in defined)
            return Grants(
                keywords=tuple(ability for ability in chosen if isinstance(ability, Keyword)),
                abilities=tuple(
                    HeldAbility(ability, ("gained", *effect.key, n), effect.timestamp[0])
                    for n, ability in enumerate(chosen, granted_before)
                    if not isinstance(ability, Keyword)
                ),
            )
        case Base(power, toughness):
            if isinstance(power, NUMBER_OR_NONE) and isinstance(toughness, NUMBER_OR_NONE):
                return operation
            if is_undefined(operation, asking):
                return NO_OPERATION
            return Base(
                None if power is None else amount(power, asking),
                None if toughness is None else amount(toughness, asking),
            )
        case GainControl(player):
            # CR 800.4b: an object does not change to the control of a player who has left the game.
            players = tuple(id for id in selection(player, asking) if not seat(asking.board, id).left)
            return SetsController(players[0] if players else None)
        case TextOf(of, and_):
            taken: Characteristics | None = None
            for model in selection(of, asking)[:1]:
                acquired = (model, asking.board.things[model].born, "text")
                taken = msgspec.structs.replace(asking.view.look(model), text_by=acquired)
            return TakesText(
                taken,
                tuple(
                    HeldAbility(ability, ("text", *effect.key, n))
                    for n, ability in enumerate(and_)
                    if not isinstance(ability, Keyword)
                ),
                tuple(ability for ability in and_ if isinstance(ability, Keyword)),
            )
        case (
            AddColors()
            | SetColors()
            | AddTypes()
            | SetTypes()
            | SetCreatureTypes()
            | SetBasicLandTypes()
            | ReplaceWord()
        ):
            undefined = is_undefined(operation, asking)
            return NO_OPERATION if undefined else with_chosen_words(operation, asking)
        case _:
            return operation


def with_chosen_words(value: _T, asking: Asking) -> _T:
    """A value with "chosen color" and the like replaced by the words chosen for its source, as far as they
    were chosen.
    """
    if not choices_mentioned(value):
        return value
    chosen = choices(asking)
    words = ((CHOSEN_COLOR, chosen.color), (CHOSEN_TYPE, chosen.type), (CHOSEN_NAME, chosen.name))
    for placeholder, word in words:
        if word is not None:
            value = reword(value, placeholder, word)
    return value


# ------------------------------------------------------------------------ what an operation does


def apply_operation(operation: DefiniteOperation, seen: Characteristics) -> Characteristics:
    """How an object looks after one operation. The most frequent operations come first."""
    match operation:
        case Modify(power, toughness):
            # CR 613.4c: modifies what is there by then.
            return msgspec.structs.replace(
                seen, power=(seen.power or 0) + _int(power), toughness=(seen.toughness or 0) + _int(toughness)
            )
        case Grants(keywords, abilities):
            # CR 113.11: an object that can't have an ability does not gain it.
            wanted = (k for k in keywords if k.keyword not in seen.cannot_have)
            return msgspec.structs.replace(
                seen, keywords=with_keywords(seen.keywords, wanted), abilities=seen.abilities + abilities
            )
        case Base(power, toughness):
            # CR 613.4b: instead of what defined them.
            return msgspec.structs.replace(
                seen,
                power=seen.power if power is None else power,
                toughness=seen.toughness if toughness is None else toughness,
            )
        case AddTypes(types, subtypes, supertypes):
            # CR 205.1b: in addition to those it has.
            more = types | seen.types
            return with_types(
                seen, more, seen.subtypes | fitting(subtypes, more), seen.supertypes | supertypes
            )
        case CopyValues(values):
            return with_copiable_values(seen, values)
        case SetCopiable(does):
            # CR 707.9b: exceptions are copiable, too.
            for number, part in enumerate(does, numbers_of_exceptions(seen)):
                seen = apply_operation(_as_own(part, number), without_what_defines(part, seen))
            return seen
        case FaceDown():
            return face_down(seen)
        case SetsController(player):
            # CR 613.1b: layer 2.
            return seen if player is None else msgspec.structs.replace(seen, controller=player)
        case ReplaceWord(kinds, old, new):
            # CR 612.1: layer 3 changes the text.
            return seen if old is None or new is None else with_word_replaced(seen, kinds, old, new)
        case TakesText(values, and_, keywords):
            if values is None:
                return seen
            taken = with_copiable_values(seen, values)
            theirs = tuple(
                held if is_intrinsic(held) else HeldAbility(held.ability, ("text of", *held.slot))
                for held in taken.abilities
            )
            return msgspec.structs.replace(
                taken, keywords=with_keywords(taken.keywords, keywords), abilities=theirs + and_
            )
        case SetName(name):
            return msgspec.structs.replace(seen, name=name)
        case SetTypes(types, subtypes):
            # CR 205.1a: instead of those it has.
            return with_types_set(seen, types, subtypes)
        case LoseTypes(types, subtypes, supertypes, kinds):
            kept = without_subtypes(seen.subtypes, subtypes | subtypes_of(kinds))
            return with_types(seen, seen.types - types, kept, seen.supertypes - supertypes)
        case SetCreatureTypes(subtypes):
            others = seen.subtypes - subtypes_of(frozenset({"creature"}))
            return with_types(seen, seen.types, others | fitting(subtypes, seen.types), seen.supertypes)
        case SetBasicLandTypes(subtypes):
            # CR 305.7: instead of its land types and abilities.
            return with_basic_land_types_set(seen, subtypes)
        case AddEveryType(of):
            every = frozenset({ALL_CREATURE_TYPES}) if of == "creature" else frozenset(BASIC_LAND_TYPES)
            return with_types(seen, seen.types, seen.subtypes | fitting(every, seen.types), seen.supertypes)
        case AddColors(colors):
            # CR 105.3: in addition to those it has.
            return msgspec.structs.replace(seen, colors=seen.colors | colors)
        case SetColors(colors):
            # CR 105.3: instead of those it has.
            return msgspec.structs.replace(seen, colors=colors)
        case Lose(keywords):
            return without_keywords(seen, keywords)
        case CannotHave(keywords):
            without = without_keywords(seen, keywords)
            return msgspec.structs.replace(without, cannot_have=seen.cannot_have | keywords)
        case LoseAllAbilities(but):
            return without_abilities(seen, but is not None, is_mana_ability)
        case Switch():
            # CR 613.4d: after everything else.
            return msgspec.structs.replace(seen, power=seen.toughness, toughness=seen.power)
        case (
            HandSize()
            | LandDrops()
            | Costs()
            | AlternativeCost()
            | Cannot()
            | Must()
            | MayPlay()
            | AsThoughFlash()
            | CrewPower()
            | AsThoughNoDefender()
            | BlockedBy()
            | BlocksMore()
            | DamageByToughness()
            | OnlyAsSorcery()
            | EntersTapped()
            | SkipStep()
            | AnyColorMana()
            | LandsTapFor()
            | PreventDamage()
            | Would()
            | EntersWith()
            | EntersUnder()
            | TriggersAgain()
        ):
            return seen
        case BecomeCopy() | GainControl() | TextOf() | Gain() | Double():
            raise ValueError(f"{type(operation).__name__} was not worked out before it was applied")
        case _:
            assert_never(operation)


def apply_operation_until_2026(operation: DefiniteOperation, seen: Characteristics) -> Characteristics:
    """How an object looks after one operation (CR 605.1a: until 2026-08-07, libraries did not matter to what
    a mana ability is).
    """
    if isinstance(operation, LoseAllAbilities):
        return without_abilities(seen, operation.but is not None, is_mana_ability_until_2026)
    return apply_operation(operation, seen)


def _int(quantity: object) -> int:
    if not isinstance(quantity, int):
        raise ValueError(f"{quantity} was not worked out before it was applied")
    return quantity


def _as_own(operation: SettledOperation, number: int) -> DefiniteOperation:
    """An operation as part of copiable values: abilities it grants become the object's own text (CR 707.9a:
    exceptions).
    """
    if isinstance(operation, Gain):
        return Grants(
            tuple(a for a in operation.abilities if isinstance(a, Keyword)),
            tuple(
                HeldAbility(a, ("also", number, n))
                for n, a in enumerate(operation.abilities)
                if not isinstance(a, Keyword)
            ),
        )
    return operation


def numbers_of_exceptions(seen: Characteristics) -> int:
    """The first number that no ability of an exception has yet (CR 602.5b: each has its own limit)."""
    return 1 + max((int(held.slot[1]) for held in seen.abilities if held.slot[0] == "also"), default=-1)


def without_what_defines(operation: SettledOperation, seen: Characteristics) -> Characteristics:
    """CR 707.9d: drop characteristic-defining abilities for values that a copy's exception sets."""
    kinds = DEFINED_WITH.get(type(operation))
    if kinds is None:
        return seen
    return msgspec.structs.replace(
        seen,
        abilities=tuple(held for held in seen.abilities if not _defines(held, kinds)),
        keywords=frozenset(
            keyword
            for keyword in seen.keywords
            if not any(_defines(held, kinds) for held in abilities_of_keyword(keyword))
        ),
    )


DEFINED_WITH: dict[type, tuple[type, ...]] = {
    Base: (Base,),
    SetColors: (SetColors, AddColors),
    SetCreatureTypes: (SetCreatureTypes, AddEveryType),
}
"""For each operation that sets a characteristic, the operations that define it."""


def _defines(held: HeldAbility, kinds: tuple[type, ...]) -> bool:
    ability = held.ability
    return isinstance(ability, Defines) and any(isinstance(operation, kinds) for operation in ability.does)


def with_copiable_values(seen: Characteristics, values: Characteristics) -> Characteristics:
    """CR 707.2: name, cost, colours, types, rules text, power, toughness, loyalty; never who controls it.

    CR 709.5b: both halves of a Room are copied, but not which of them are unlocked. CR 202.3b: a copy of a
    back face has mana value 0, even if what has become the copy is double-faced itself.
    """
    copied = with_unlocked(values, seen.unlocked)
    return msgspec.structs.replace(
        copied, controller=seen.controller, unlocked=seen.unlocked, front_cost=None
    )


def face_down(seen: Characteristics) -> Characteristics:
    """CR 708.2a: a face-down permanent is a 2/2 creature with no text, name, subtypes, or mana cost."""
    return Characteristics(
        name=None,
        cost=None,
        colors=frozenset(),
        supertypes=frozenset(),
        types=frozenset({"Creature"}),
        subtypes=frozenset(),
        power=2,
        toughness=2,
        controller=seen.controller,
    )


def with_types(
    seen: Characteristics,
    types: frozenset[CardType],
    subtypes: frozenset[str],
    supertypes: frozenset[Supertype],
) -> Characteristics:
    """The object with this type line. CR 305.6: basic land types add and remove their mana abilities."""
    return msgspec.structs.replace(
        seen,
        types=types,
        subtypes=subtypes,
        supertypes=supertypes,
        abilities=with_land_mana(seen.abilities, types, subtypes),
    )


def with_types_set(
    seen: Characteristics, types: frozenset[CardType], subtypes: frozenset[str]
) -> Characteristics:
    """CR 205.1a: new card types replace the old ones; given subtypes replace those of the same kind."""
    given = fitting(subtypes, types)
    kept = seen.subtypes - subtypes_of(frozenset(map(kind_of_subtype, given)))
    if given & set(BASIC_LAND_TYPES):
        # CR 305.7: setting a basic land type removes the abilities of the land's own text.
        seen = without_own_abilities(seen)
    return with_types(seen, types, kept | given, seen.supertypes)


def with_basic_land_types_set(seen: Characteristics, subtypes: frozenset[str]) -> Characteristics:
    """CR 305.7: the new basic land types replace all land types, and remove the abilities of the land's own
    text.
    """
    if "Land" not in seen.types:
        return seen
    others = seen.subtypes - subtypes_of(frozenset({"land"}))
    return with_types(without_own_abilities(seen), seen.types, others | subtypes, seen.supertypes)


def without_own_abilities(seen: Characteristics) -> Characteristics:
    """The object without the abilities of its own text; those granted by effects stay (CR 305.7: granted
    abilities), and so does what a Saga or planeswalker has because of its type, which is no land type.

    Effects grant keywords only in a later layer than they set types, so all keywords present are its own.
    """
    kept = tuple(held for held in seen.abilities if held.since or is_intrinsic(held))
    return msgspec.structs.replace(seen, keywords=frozenset(), abilities=kept)


def without_keywords(seen: Characteristics, keywords: frozenset[str]) -> Characteristics:
    """The object without any instance of these keyword abilities."""
    kept = frozenset(held for held in seen.keywords if held.keyword not in keywords)
    return seen if len(kept) == len(seen.keywords) else msgspec.structs.replace(seen, keywords=kept)


def without_abilities(
    seen: Characteristics, but_mana: bool, is_mana_ability: Callable[[Activated], bool]
) -> Characteristics:
    """The object without any abilities, or without any but mana abilities."""
    kept = tuple(
        held
        for held in seen.abilities
        if but_mana
        and (
            (isinstance(held.ability, Activated) and is_mana_ability(held.ability))
            or (isinstance(held.ability, Triggered) and is_triggered_mana_ability(held.ability))
        )
    )
    return msgspec.structs.replace(seen, keywords=frozenset(), abilities=kept)


# ------------------------------------------------------------------------------------- wording


def with_word_replaced(seen: Characteristics, kinds: frozenset[str], old: str, new: str) -> Characteristics:
    """CR 612.2: replace a word in type line and rules text, wherever it is used as that kind of word.

    CR 612.3: abilities granted by effects are not text.
    """
    for word in words_of(kinds) if old == "any" else (old,):
        seen = _one_word_replaced(seen, word, new)
    return seen


def words_of(kinds: frozenset[str]) -> tuple[str, ...]:
    """The words that "every word of this kind" covers."""
    return (COLORS if "color" in kinds else ()) + (BASIC_LAND_TYPES if "basic land type" in kinds else ())


def _one_word_replaced(seen: Characteristics, old: str, new: str) -> Characteristics:
    subtypes = reword(seen.subtypes, old, new)
    abilities = tuple(
        held if held.since or is_intrinsic(held) else _reworded_held(held, old, new)
        for held in seen.abilities
    )
    changed = msgspec.structs.replace(seen, keywords=reword(seen.keywords, old, new), abilities=abilities)
    return with_types(changed, seen.types, subtypes, seen.supertypes)


def _reworded_held(held: HeldAbility, old: str, new: str) -> HeldAbility:
    return HeldAbility(reword(held.ability, old, new), held.slot, held.since)


def reword(value: _T, old: str, new: str) -> _T:
    """A piece of a card with one word replaced. CR 612.2: names stay unchanged. CR 612.2a: except the names
    of tokens.
    """
    if isinstance(value, str):
        return new if value == old else value  # type: ignore[return-value]  # a string for a string
    if isinstance(value, tuple):
        return tuple(reword(member, old, new) for member in value)  # type: ignore[return-value]  # same shape
    if isinstance(value, frozenset):
        return frozenset(reword(member, old, new) for member in value)  # type: ignore[return-value]  # same shape
    if old in PLACEHOLDERS and PLACEHOLDERS[old] in choices_offered(value):
        return value
    if isinstance(value, Card) and old in value.subtypes:
        name = " ".join(new if word == old else word for word in value.name.split())
        value = msgspec.structs.replace(value, name=name)
    if isinstance(value, Struct):
        fields = {
            name: reword(getattr(value, name), old, new)
            for name in value.__struct_fields__
            if name != "name" or old == CHOSEN_NAME
        }
        return msgspec.structs.replace(value, **fields)
    return value

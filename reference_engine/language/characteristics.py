"""The characteristics of an object: the value that the layers start from, change, and produce."""

from __future__ import annotations

import functools
import re

from msgspec import Struct

from reference_engine.language.cards import (
    Ability,
    Activated,
    AddMana,
    Card,
    If,
    Instruction,
    Keyword,
    May,
    OneOfInstruction,
    TapThis,
)
from reference_engine.language.subtypes import SubtypeKind
from reference_engine.language.words import (
    ALL_CREATURE_TYPES,
    BASIC_LAND_TYPES,
    LAND_MANA,
    MANA_COLOR,
    SUBTYPES_OF,
    CardType,
    Color,
    KeywordName,
    Supertype,
    kind_of_subtype,
)


class Held(Struct, frozen=True):
    """An ability of an object: its text, its slot, and its timestamp if an effect granted it.

    The slot identifies the ability on its object, so an ability with changed words is still the same one.
    """

    ability: Ability
    slot: tuple[str | int, ...]
    since: int = 0
    """Timestamp of the granting effect; 0 for an ability of the object's own text."""

    def __hash__(self) -> int:
        return hash((self.slot, self.since))


class Characteristics(Struct, frozen=True):
    """An object's characteristics and controller.

    The layers compute power and toughness; `Rules.shown_number` decides whether the object *has*
    them (CR 208.3: only creatures, on the battlefield).
    """

    name: str | None
    cost: str | None
    colors: frozenset[Color]
    supertypes: frozenset[Supertype]
    types: frozenset[CardType]
    subtypes: frozenset[str]
    power: int | None = None
    toughness: int | None = None
    loyalty: int | None = None
    keywords: frozenset[Keyword] = frozenset()
    abilities: tuple[Held, ...] = ()
    cannot_have: frozenset[KeywordName] = frozenset()
    controller: str | None = None
    text: str | None = None
    """The name of the card whose text it has, regardless of its own name (CR 612.8: names can be set)."""

    def is_a(self, card_type: CardType) -> bool:
        return card_type in self.types

    def has_subtype(self, subtype: str) -> bool:
        """Whether it has this subtype; an object with all creature types has each one.

        CR 205.1b: a subtype is lost with its card type, and is there again when the card type is.
        """
        kind = kind_of_subtype(subtype)
        if kind not in kinds_of_subtypes(self.types):
            return False
        return subtype in self.subtypes or (kind == "creature" and ALL_CREATURE_TYPES in self.subtypes)

    @property
    def shown_subtypes(self) -> frozenset[str]:
        """The subtypes that belong to one of its card types (CR 205.1b, 205.3d)."""
        kinds = kinds_of_subtypes(self.types)
        shown = frozenset(subtype for subtype in self.subtypes if kind_of_subtype(subtype) in kinds)
        if ALL_CREATURE_TYPES in shown:
            return frozenset(s for s in shown if s == ALL_CREATURE_TYPES or kind_of_subtype(s) != "creature")
        return shown

    def has_keyword(self, keyword: KeywordName) -> bool:
        return any(held.keyword == keyword for held in self.keywords)


@functools.cache
def kinds_of_subtypes(types: frozenset[CardType]) -> frozenset[SubtypeKind]:
    """The kinds of subtypes that these card types can have (CR 205.3d: no others)."""
    return frozenset(SUBTYPES_OF[card_type] for card_type in types)


SYMBOL = re.compile(r"\{([^{}]*)\}")


@functools.cache
def mana_value(cost: str | None, x: int = 0) -> int:
    """The mana value of a cost.

    CR 202.3: a number counts as its value, every other symbol as 1. CR 202.3e: X is the announced number
    while the object is on the stack, otherwise 0. CR 202.3f: {2/W} counts as 2.
    """
    total = 0
    for symbol in SYMBOL.findall(cost or ""):
        if symbol.isdigit():
            total += int(symbol)
        elif symbol.startswith("2/"):
            total += 2
        else:
            total += x if symbol == "X" else 1
    return total


@functools.cache
def colors_of_symbols(cost: str | None) -> tuple[frozenset[Color], ...]:
    """The colours of each coloured symbol of a mana cost."""
    symbols = (symbol.split("/") for symbol in SYMBOL.findall(cost or ""))
    found = (frozenset(MANA_COLOR[letter] for letter in symbol if letter in MANA_COLOR) for symbol in symbols)
    return tuple(colors for colors in found if colors)


def colors_of_cost(cost: str | None) -> frozenset[Color]:
    """CR 105.2: an object is the colours of the mana symbols in its mana cost."""
    return frozenset(color for colors in colors_of_symbols(cost) for color in colors)


@functools.cache
def land_mana_ability(subtype: str) -> Held:
    """CR 305.6: a land with a basic land type has the mana ability of that type, regardless of its text."""
    mana = "{" + LAND_MANA[subtype] + "}"
    return Held(Activated(cost=(TapThis(),), effect=(AddMana(mana),), name="mana"), ("land", subtype))


def with_land_mana(
    abilities: tuple[Held, ...], types: frozenset[CardType], subtypes: frozenset[str]
) -> tuple[Held, ...]:
    """The abilities, with exactly the mana abilities that these basic land types give (CR 305.6)."""
    wanted = [t for t in BASIC_LAND_TYPES if t in subtypes] if "Land" in types else []
    had = [held.slot[1] for held in abilities if held.slot[0] == "land"]
    if wanted == had:
        return abilities
    kept = tuple(held for held in abilities if held.slot[0] != "land")
    return kept + tuple(land_mana_ability(subtype) for subtype in wanted)


def printed_number(printed: int | str | None) -> int | None:
    """The starting value of a power or toughness.

    CR 208.2a: a star counts as 0 until an ability defines it.
    """
    if isinstance(printed, str):
        return sum(int(part) for part in re.findall(r"-?\d+", printed))
    return printed


@functools.lru_cache(maxsize=4096)
def printed(card: Card, controller: str | None = None) -> Characteristics:
    """The printed characteristics, before any effect (CR 613.1: start from the actual object)."""
    keywords = frozenset(ability for ability in card.abilities if isinstance(ability, Keyword))
    others = tuple(
        Held(ability, ("own", index))
        for index, ability in enumerate(card.abilities)
        if not isinstance(ability, Keyword)
    )
    return Characteristics(
        name=card.name,
        cost=card.cost,
        colors=card.colors if card.colors is not None else colors_of_cost(card.cost),
        supertypes=card.supertypes,
        types=card.types,
        subtypes=card.subtypes,
        power=printed_number(card.power),
        toughness=printed_number(card.toughness),
        loyalty=card.loyalty,
        keywords=keywords,
        abilities=with_land_mana(others, card.types, card.subtypes),
        controller=controller,
        text=card.name,
    )


def adds_mana(instruction: Instruction) -> bool:
    """Whether an instruction could add mana."""
    match instruction:
        case AddMana():
            return True
        case If(_, effect, otherwise):
            return any(adds_mana(part) for part in effect + otherwise)
        case May():
            return any(adds_mana(part) for part in instruction.effect + instruction.otherwise)
        case OneOfInstruction(options):
            return any(adds_mana(part) for option in options for part in option.effect)
        case _:
            return False

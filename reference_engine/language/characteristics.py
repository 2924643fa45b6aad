"""The characteristics of an object: the value that the layers start from, change, and produce."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, structs

from reference_engine.language.cards import (
    Ability,
    Activated,
    AddMana,
    All,
    AnyEvent,
    AsEnters,
    Card,
    Cast,
    Chapter,
    ChooseInstruction,
    Cloak,
    Compare,
    Connive,
    Counters,
    Discover,
    Draw,
    Exile,
    ExileCost,
    ExileUntilFound,
    Explore,
    ForEachPlayer,
    Gain,
    If,
    Instruction,
    It,
    Keyword,
    LevelBar,
    LookThrough,
    LoyaltyCost,
    Manifest,
    ManifestDread,
    May,
    Mill,
    MillCost,
    OneOfInstruction,
    Part,
    PropertyOf,
    Put,
    Reveal,
    Search,
    Selector,
    SetLevel,
    Static,
    Surveil,
    TappedForMana,
    TapThis,
    ThatMuch,
    The,
    This,
    Triggered,
    parts_of,
)
from reference_engine.language.subtypes import CREATURE_TYPES, KIND_OF, SubtypeKind
from reference_engine.language.words import (
    ALL_CREATURE_TYPES,
    BASIC_LAND_TYPES,
    LAND_MANA,
    MANA_COLOR,
    SUBTYPES_OF,
    CardType,
    Color,
    FaceUp,
    Half,
    KeywordName,
    Supertype,
    kind_of_subtype,
)

BOTH: frozenset[Half] = frozenset({"left", "right"})
LEFT_AND_RIGHT: tuple[Half, ...] = ("left", "right")


class HeldAbility(Struct, frozen=True):
    """An ability of an object: its text, its slot, and its timestamp if an effect granted it.

    The slot identifies the ability on its object, so an ability with changed words is still the same one.
    """

    ability: Ability
    slot: tuple[str | int, ...]
    since: int = 0
    """Timestamp of the granting effect; 0 for an ability of the object's own text."""

    def __hash__(self) -> int:
        return hash((self.slot, self.since))


class Characteristics(Struct, frozen=True, cache_hash=True):
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
    front_cost: str | None = None
    """The mana cost of its front face, while its back face is up (CR 202.3b: it gives the mana value); never
    copied.
    """
    keywords: frozenset[Keyword] = frozenset()
    abilities: tuple[HeldAbility, ...] = ()
    cannot_have: frozenset[KeywordName] = frozenset()
    controller: str | None = None
    text: str | None = None
    """The name of the card whose text it has, regardless of its own name (CR 612.8: names can be set)."""
    text_by: tuple[str | int, ...] = ()
    """If it has copied that text: the object that it copied, which a number tells from others of its card,
    and the copy effect (CR 602.5c, 607.5: abilities acquired in different ways are different ones).
    """
    doors: tuple[Characteristics, ...] = ()
    """The two halves of a Room, which a copy has, too (CR 709.5b: whether they are unlocked or not)."""
    unlocked: frozenset[Half] = frozenset()
    """The halves whose name, mana cost and rules text it has (CR 709.5c: by designations, never copied)."""

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
        shown = fitting(self.subtypes, self.types)
        return shown - CREATURE_TYPES if ALL_CREATURE_TYPES in shown else shown

    def has_keyword(self, keyword: KeywordName) -> bool:
        return bool(self.keywords) and keyword in [held.keyword for held in self.keywords]


@functools.cache
def kinds_of_subtypes(types: frozenset[CardType]) -> frozenset[SubtypeKind]:
    """The kinds of subtypes that these card types can have (CR 205.3d: no others)."""
    return frozenset(SUBTYPES_OF[card_type] for card_type in types)


@functools.cache
def subtypes_of(kinds: frozenset[SubtypeKind]) -> frozenset[str]:
    """All subtypes of these kinds."""
    every = frozenset({ALL_CREATURE_TYPES}) if "creature" in kinds else frozenset()
    return every.union(subtype for subtype, kind in KIND_OF.items() if kind in kinds)


def fitting(subtypes: frozenset[str], types: frozenset[CardType]) -> frozenset[str]:
    """CR 205.3d: an object can't gain a subtype that belongs to none of its card types."""
    return subtypes & subtypes_of(kinds_of_subtypes(types))


def without_subtypes(subtypes: frozenset[str], lost: frozenset[str]) -> frozenset[str]:
    """These subtypes but for some, also if they are every creature type (CR 205.3m)."""
    if ALL_CREATURE_TYPES in subtypes - lost and not lost.isdisjoint(CREATURE_TYPES):
        subtypes = subtypes - {ALL_CREATURE_TYPES} | CREATURE_TYPES
    return subtypes - lost


EACH_COUNTS: frozenset[KeywordName] = frozenset(
    {
        "absorb",
        "affinity",
        "afflict",
        "afterlife",
        "annihilator",
        "battle cry",
        "bushido",
        "cascade",
        "cumulative upkeep",
        "echo",
        "exalted",
        "fabricate",
        "fading",
        "flanking",
        "ingest",
        "job select",
        "living weapon",
        "mentor",
        "mobilize",
        "modular",
        "offspring",
        "persist",
        "poisonous",
        "provoke",
        "prowess",
        "riot",
        "storm",
        "toxic",
        "undying",
        "unleash",
        "ward",
    }
)
"""Keywords of which each instance works separately; further instances of the others change nothing."""


class FurtherInstance(Keyword, frozen=True):
    """The second, third, … equal instance of a keyword on an object."""

    nth: int = 2


def with_keywords(held: frozenset[Keyword], more: Iterable[Keyword]) -> frozenset[Keyword]:
    """These keywords with more added.

    CR 113.2c: each of several equal instances works by itself.
    """
    found = set(held)
    for one in more:
        keyword = first_instance(one)
        instance, nth = keyword, 1
        while keyword.keyword in EACH_COUNTS and instance in found:
            nth += 1
            instance = FurtherInstance(**structs.asdict(keyword), nth=nth)
        found.add(instance)
    return frozenset(found)


def first_instance(keyword: Keyword) -> Keyword:
    """The keyword as its own first instance on an object."""
    if not isinstance(keyword, FurtherInstance):
        return keyword
    return Keyword(**{name: getattr(keyword, name) for name in Keyword.__struct_fields__})


SYMBOL = re.compile(r"\{([^{}]*)\}")
WHEEL = "WUBRG"


@functools.lru_cache(4096)
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


@functools.lru_cache(1024)
def combined_cost(costs: tuple[str | None, ...]) -> str | None:
    """Several mana costs as one (CR 709.4b: that of a split card): X, generic mana, other symbols, colours.

    One cost stays as it is printed. The colours go round the circle from white to green, beginning after the
    widest gap, as cards print them.
    """
    there = [cost for cost in costs if cost]
    if len(there) < 2:
        return there[0] if there else None
    symbols = [symbol for cost in there for symbol in SYMBOL.findall(cost)]
    generic = sum(int(symbol) for symbol in symbols if symbol.isdigit())
    used = [n for n, letter in enumerate(WHEEL) if letter in symbols]
    first = max(used, key=lambda n: min((n - other) % 5 or 5 for other in used), default=0)
    in_order = [letter for letter in WHEEL[first:] + WHEEL[:first] for _ in range(symbols.count(letter))]
    others = [symbol for symbol in symbols if not (symbol.isdigit() or symbol in WHEEL or symbol == "X")]
    xs = ["X"] * symbols.count("X")
    numbers = [str(generic)] if generic or not (xs or others or in_order) else []
    return "".join(f"{{{symbol}}}" for symbol in (*xs, *numbers, *others, *in_order))


@functools.lru_cache(4096)
def colors_of_symbols(cost: str | None) -> tuple[frozenset[Color], ...]:
    """The colours of each coloured symbol of a mana cost."""
    symbols = (symbol.split("/") for symbol in SYMBOL.findall(cost or ""))
    found = (frozenset(MANA_COLOR[letter] for letter in symbol if letter in MANA_COLOR) for symbol in symbols)
    return tuple(colors for colors in found if colors)


def colors_of_cost(cost: str | None) -> frozenset[Color]:
    """CR 105.2: an object is the colours of the mana symbols in its mana cost."""
    return frozenset(color for colors in colors_of_symbols(cost) for color in colors)


@functools.cache
def land_mana_ability(subtype: str) -> HeldAbility:
    """CR 305.6: a land with a basic land type has the mana ability of that type, regardless of its text."""
    mana = "{" + LAND_MANA[subtype] + "}"
    return HeldAbility(Activated(cost=(TapThis(),), effect=(AddMana(mana),), name="mana"), ("land", subtype))


def with_land_mana(
    abilities: tuple[HeldAbility, ...], types: frozenset[CardType], subtypes: frozenset[str]
) -> tuple[HeldAbility, ...]:
    """The abilities, with exactly the mana abilities that these basic land types give (CR 305.6)."""
    wanted = [t for t in BASIC_LAND_TYPES if t in subtypes] if "Land" in types else []
    had = [held.slot[1] for held in abilities if held.slot[0] == "land"]
    if wanted == had:
        return abilities
    kept = tuple(held for held in abilities if held.slot[0] != "land")
    return kept + tuple(land_mana_ability(subtype) for subtype in wanted)


ENTERS_WITH_LORE = HeldAbility(AsEnters(counters=(Counters("lore"),)), ("saga", "lore"))
"""CR 714.3a: every Saga has the ability to enter with a lore counter, regardless of its text."""


def entering_with_loyalty(n: int) -> HeldAbility:
    """CR 306.5b: every planeswalker has the ability to enter with loyalty, regardless of its text."""
    return HeldAbility(AsEnters(counters=(Counters("loyalty", n),)), ("planeswalker", "loyalty"))


def is_intrinsic(held: HeldAbility) -> bool:
    """Whether an object has this ability because of its types, not because of its text."""
    return held.slot[0] in ("land", "saga", "planeswalker")


def final_chapter(look: Characteristics) -> int:
    """The greatest number among an object's chapter abilities (CR 714.2d: 0 if it has none)."""
    return max(chapters(look), default=0)


def chapters(look: Characteristics) -> tuple[int, ...]:
    """The numbers of an object's chapter abilities (CR 714.2: a chapter symbol is a triggered ability)."""
    return tuple(
        held.ability.when.n
        for held in look.abilities
        if isinstance(held.ability, Triggered) and isinstance(held.ability.when, Chapter)
    )


def printed_number(printed: int | str | None) -> int | None:
    """The starting value of a power or toughness.

    CR 208.2a: a star counts as 0 until an ability defines it.
    """
    if isinstance(printed, str):
        return sum(int(part) for part in re.findall(r"-?\d+", printed))
    return printed


def faces_of(card: Card) -> dict[FaceUp, Card]:
    """A card's sets of characteristics, by their place on it."""
    found: dict[FaceUp, Card] = {"front": card}
    if card.back is not None:
        found["back"] = card.back
    if card.adventure is not None:
        found["adventure"] = card.adventure
    if card.halves:
        found["left"], found["right"] = card.halves
    for inset in card.abilities:
        if isinstance(inset, Keyword) and inset.keyword == "prototype":
            found["prototyped"] = prototyped(card, inset)
    return found


def prototyped(card: Card, inset: Keyword) -> Card:
    """A prototype card with its alternative characteristics.

    CR 718.3b: mana cost, power and toughness, and so its colours. CR 718.5: the rest remains the same.
    """
    return structs.replace(card, cost=inset.mana, power=inset.power, toughness=inset.toughness)


@functools.lru_cache(maxsize=4096)
def playable_faces(card: Card) -> Mapping[str, FaceUp]:
    """The faces from which a player chooses one to play the card, by name.

    CR 712.11: of a nonmodal double-faced card only the front face. CR 709.3: a half of a split card.
    CR 715.3: an adventurer card, normally or as an Adventure. CR 718.3: a prototype card, normally or
    prototyped.
    """
    left_out = {"front"} if card.halves else set() if card.modal else {"back"}
    return {
        PROTOTYPED if place == PROTOTYPED else face.name: place
        for place, face in faces_of(card).items()
        if place not in left_out
    }


PROTOTYPED: FaceUp = "prototyped"
"""What a player says instead of a name to cast a prototype card prototyped."""


def names_in(name: str | None) -> tuple[str, ...]:
    """The names of an object (CR 709.4a: a split card has two)."""
    return () if name is None else tuple(name.split(" // "))


def characteristics_of_both_halves(card: Card, controller: str | None) -> Characteristics:
    """The characteristics of a split card that is not a spell: both halves together.

    CR 709.4b: the mana cost is both costs, which determine colours and mana value. CR 709.4c: it has the card
    types of both, and each ability of both, so equal abilities of the halves count as two.
    """
    left, right = (printed_characteristics(half, controller) for half in card.halves)
    others = tuple(HeldAbility(held.ability, ("right", *held.slot)) for held in right.abilities)
    right = structs.replace(right, abilities=others)
    return Characteristics(
        name=card.name,
        cost=combined_cost((left.cost, right.cost)),
        colors=left.colors | right.colors,
        supertypes=left.supertypes | right.supertypes,
        types=left.types | right.types,
        subtypes=left.subtypes | right.subtypes,
        keywords=with_keywords(left.keywords, right.keywords),
        abilities=left.abilities + others,
        controller=controller,
        text=card.name,
        doors=(left, right) if is_room(card) else (),
        unlocked=BOTH if is_room(card) else frozenset(),
    )


def is_room(card: Card) -> bool:
    """Whether a card has halves that share a type line (CR 709.5: a split card that is a permanent card)."""
    return bool(card.halves) and card.types.isdisjoint({"Instant", "Sorcery"})


def with_unlocked(look: Characteristics, unlocked: frozenset[Half]) -> Characteristics:
    """A Room with the name, mana cost and rules text of these halves, and with its shared type line.

    CR 709.5: without its designation, a half gives it none of the three. The rule names no layer. If this
    were an effect that changes text (613.1c), the effects of a locked half in layers 1 and 2 would apply;
    here, a locked half does nothing in any layer.
    """
    if not look.doors or look.unlocked == unlocked:
        return look
    had, has = (shown_halves(look, halves) for halves in (look.unlocked, unlocked))
    own = tuple(held for held in look.abilities if held not in had.abilities)
    return structs.replace(
        look,
        name=has.name if look.name == had.name else look.name,
        cost=has.cost if look.cost == had.cost else look.cost,
        colors=has.colors if look.colors == had.colors else look.colors,
        keywords=with_keywords(look.keywords - had.keywords, has.keywords),
        abilities=has.abilities + own,
        unlocked=unlocked,
    )


def shown_halves(look: Characteristics, unlocked: frozenset[Half]) -> Characteristics:
    """What these halves of a Room give it together: name, mana cost with colours, and rules text."""
    shown = [door for half, door in zip(LEFT_AND_RIGHT, look.doors, strict=True) if half in unlocked]
    no_keywords: frozenset[Keyword] = frozenset()
    no_colors: frozenset[Color] = frozenset()
    return Characteristics(
        name=" // ".join(door.name or "" for door in shown) or None,
        cost=combined_cost(tuple(door.cost for door in shown)),
        colors=no_colors.union(*(door.colors for door in shown)),
        supertypes=look.supertypes,
        types=look.types,
        subtypes=look.subtypes,
        keywords=functools.reduce(with_keywords, (door.keywords for door in shown), no_keywords),
        abilities=tuple(held for door in shown for held in door.abilities),
    )


def abilities_meant(ability: Ability) -> tuple[tuple[Ability, tuple[int, ...]], ...]:
    """The abilities that a printed one stands for, each with its place in it; usually itself.

    CR 716.2a: a level bar is an activated ability, and a static one that gives the Class its other abilities.
    """
    if not isinstance(ability, LevelBar):
        return ((ability, ()),)
    level, name = PropertyOf("level"), f"level {ability.n}"
    one_below = Compare(level, "=", ability.n - 1)
    rise = Activated(ability.cost, (SetLevel(ability.n),), sorcery=True, cond=one_below, name=name)
    parts = (Part(This(), (Gain(ability.abilities),)),) if ability.abilities else ()
    return ((rise, (0,)), (Static(parts, Compare(level, ">=", ability.n)), (1,)))


@functools.lru_cache(maxsize=4096)
def printed_characteristics(card: Card, controller: str | None = None) -> Characteristics:
    """The printed characteristics, before any effect (CR 613.1: start from the actual object)."""
    if card.halves:
        return characteristics_of_both_halves(card, controller)
    printed = (ability for ability in card.abilities if isinstance(ability, Keyword))
    others = tuple(
        HeldAbility(part, ("own", index, *place))
        for index, ability in enumerate(card.abilities)
        if not isinstance(ability, Keyword)
        for part, place in abilities_meant(ability)
    )
    intrinsic: tuple[HeldAbility, ...] = (ENTERS_WITH_LORE,) if "Saga" in card.subtypes else ()
    if card.loyalty is not None:
        intrinsic += (entering_with_loyalty(card.loyalty),)
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
        keywords=with_keywords(frozenset(), printed),
        abilities=with_land_mana(others, card.types, card.subtypes) + intrinsic,
        controller=controller,
        text=card.name,
    )


def instructions_in(effect: Iterable[Instruction]) -> Iterator[Instruction]:
    """These instructions, and those inside them that may be followed as well."""
    for instruction in effect:
        yield instruction
        match instruction:
            case If(_, then, otherwise):
                yield from instructions_in((*then, *otherwise))
            case May():
                yield from instructions_in((*instruction.effect, *instruction.otherwise))
            case OneOfInstruction(options):
                yield from instructions_in(part for option in options for part in option.effect)
            case ForEachPlayer(_, for_each):
                yield from instructions_in(for_each)


@functools.lru_cache(maxsize=1024)
def references_in(value: object) -> frozenset[str]:
    """The words in an ability, or in a part of it, that refer to an event, to targets, or to its object."""
    match value:
        case This():
            return frozenset({"this"})
        case It():
            return frozenset({"it"})
        case ThatMuch():
            return frozenset({"that much"})
        case The(name):
            return frozenset({name})
        case _:
            return frozenset().union(*map(references_in, parts_of(value)))


def adds_mana(effect: Iterable[Instruction]) -> bool:
    """Whether these instructions could add mana."""
    return any(isinstance(instruction, AddMana) for instruction in instructions_in(effect))


def all_that_it_does(ability: Activated | Triggered) -> tuple[Instruction, ...]:
    """The instructions of an ability, in whichever mode."""
    return (*ability.effect, *(one for mode in ability.modes for one in mode.effect))


def moves_library_cards(ability: Activated) -> bool:
    """Whether the cost or the effect of an ability moves cards to or from a library (CR 605.1a), whatever is
    there to be moved.
    """
    does = tuple(instructions_in(all_that_it_does(ability)))
    costs = (*ability.cost, *(cost for one in does if isinstance(one, May) for cost in one.cost))
    named = {one.name for one in does if isinstance(one, NAMING) and is_from_library(one.what)}
    return any(
        isinstance(cost, MillCost) or (isinstance(cost, ExileCost) and cost.zone == "library")
        for cost in costs
    ) or any(
        isinstance(one, OF_LIBRARIES)
        or (isinstance(one, Put) and one.to == "library")
        or (isinstance(one, Manifest | Cloak) and one.what is None)
        or (
            isinstance(one, MOVING)
            and (is_from_library(one.what) or (isinstance(one.what, The) and one.what.name in named))
        )
        for one in does
    )


def is_from_library(what: Selector | None) -> bool:
    """Whether an instruction means cards in a library."""
    return isinstance(what, All) and "library" in what.zones


OF_LIBRARIES = (
    Draw,
    Search,
    Mill,
    Surveil,
    LookThrough,
    ExileUntilFound,
    Discover,
    Explore,
    Connive,
    ManifestDread,
)
"""Instructions that always move cards of a library."""

MOVING = (Put, Exile, Cast, Manifest, Cloak)
"""Instructions that move what they are told to, wherever it is."""

NAMING = (ChooseInstruction, Reveal)
"""Instructions that give a name to what others may move."""


def is_mana_ability(ability: Activated) -> bool:
    """CR 605.1a: it has no target, could add mana, is not a loyalty ability, and moves no card to or from
    a library.
    """
    return is_mana_ability_until_2026(ability) and not moves_library_cards(ability)


def is_mana_ability_until_2026(ability: Activated) -> bool:
    """CR 605.1a: (until 2026-08-07) it has no target, could add mana, and is not a loyalty ability."""
    return (
        not ability.targets
        and not any(mode.targets for mode in ability.modes)
        and adds_mana(all_that_it_does(ability))
        and not is_loyalty_ability(ability)
    )


def is_loyalty_ability(ability: Activated) -> bool:
    """CR 606.2: it has a loyalty symbol in its cost."""
    return any(isinstance(cost, LoyaltyCost) for cost in ability.cost)


def is_triggered_mana_ability(ability: Triggered) -> bool:
    """CR 605.1b: it has no target, triggers only from mana abilities, and could add mana."""
    when = ability.when
    return (
        not ability.targets
        and not any(mode.targets for mode in ability.modes)
        and adds_mana(all_that_it_does(ability))
        and all(
            isinstance(event, TappedForMana)
            for event in (when.events if isinstance(when, AnyEvent) else (when,))
        )
    )

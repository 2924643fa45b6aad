"""Problems of a card that can be read; found without any engine.

There is one way to say each thing: a card that says it in another way is refused, so that two cards that do
the same look the same. Each check takes a card and yields findings with their places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from conformance.checks.idle import idle_keys
from conformance.checks.sorts import wrong_sorts
from conformance.model.card_parts import PlacedParts, parts_of_card, parts_with_places
from conformance.model.problems import At, Finding, did_you_mean, listed
from reference_engine.language.cards import (
    Ability,
    Activated,
    AddColors,
    AddEveryType,
    AddTypes,
    All,
    AsEnters,
    Attach,
    Base,
    BecomeCopy,
    Beginning,
    Cannot,
    Card,
    Compare,
    CopyAsEnters,
    CopySpell,
    Count,
    Create,
    DealsDamage,
    DiscardCost,
    Draw,
    Effect,
    Everyone,
    Filter,
    Gain,
    GainControl,
    It,
    Keyword,
    Later,
    Lose,
    LoseAllAbilities,
    LoseTypes,
    LoyaltyCost,
    Mode,
    Modify,
    Not,
    Operation,
    Opponents,
    Option,
    Others,
    Put,
    RemoveCountersCost,
    Reveal,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetName,
    SetTypes,
    Spell,
    State,
    Static,
    TapThis,
    TargetSpec,
    The,
    This,
    Triggered,
    TurnFace,
    UnattachCost,
    UntapThis,
)
from reference_engine.language.subtypes import KIND_OF
from reference_engine.language.words import (
    ALL_CREATURE_TYPES,
    BASIC_LAND_TYPES,
    CHOSEN_TYPE,
    SUBTYPES_OF,
    kind_of_subtype,
)


def findings_of_card(card: Card) -> Iterator[Finding]:
    """All problems of a card, including its other face, and the tokens and abilities that it defines."""
    parts = parts_of_card(card)
    yield from wrong_numbers(card)
    yield from wrong_subtypes(card)
    yield from unknown_subtypes(parts)
    yield from same_names(card.abilities)
    yield from unnamed_things(parts)
    yield from empty_mana(card, parts)
    yield from wrong_sorts(parts)
    yield from uncopiable_exceptions(parts)
    yield from idle_keys(card, parts)
    for at, part in parts:
        wrong_in_it = WRONG_IN.get(type(part))
        if wrong_in_it is not None:
            yield from wrong_in_it(part, at)


# ------------------------------------------------------------------------------------------ printed values


def wrong_numbers(card: Card) -> Iterator[Finding]:
    """CR 208.1: creatures have power and toughness; a star is filled in by an ability (CR 604.3)."""
    numbers = (card.power, card.toughness)
    if "Creature" in card.types and None in numbers:
        yield Finding((), "a creature without power and toughness", "add pt: 2/2")
    if "Creature" not in card.types and "Vehicle" not in card.subtypes and numbers != (None, None):
        yield Finding(("pt",), "power and toughness on a card that is not a creature", "take them out")
    has_star = any(isinstance(number, str) for number in numbers)
    if has_star and not any(
        isinstance(part, Base | AsEnters) for _, part in parts_with_places(card.abilities)
    ):
        yield Finding(
            ("pt",), "no ability defines the star", "add {defines: {base: {power: …, toughness: …}}}"
        )


def wrong_face(card: Card, at: At) -> Iterator[Finding]:
    """Problems of a card within a card: a token, a face."""
    for finding in (*wrong_numbers(card), *wrong_subtypes(card), *same_names(card.abilities)):
        yield finding.within(*at)


def wrong_subtypes(card: Card) -> Iterator[Finding]:
    """CR 205.3d: an object has only subtypes that go with one of its card types."""
    kinds = {SUBTYPES_OF[word] for word in card.types}
    for word in sorted(card.subtypes):
        if not re.match("[A-Z]", word):
            yield Finding(("subtypes",), f"{word!r} without a capital letter", f"write {word.capitalize()}")
        elif kind_of_subtype(word) is None:
            yield unknown_subtype(word, ("subtypes",))
        elif kind_of_subtype(word) not in kinds:
            yield Finding(
                ("subtypes",),
                f"{word} is a {kind_of_subtype(word)} type, and this card is none",
                "add the card type, or take the subtype out",
            )


SPECIAL_SUBTYPES = {ALL_CREATURE_TYPES, CHOSEN_TYPE}


def unknown_subtypes(parts: PlacedParts) -> Iterator[Finding]:
    """CR 205.3: words used as subtypes in a filter or an operation that are in none of the lists."""
    for at, part in parts:
        for field in ("subtype", "subtypes"):
            if type(part) is not Card:
                for word in sorted(getattr(part, field, frozenset()) - SPECIAL_SUBTYPES):
                    if kind_of_subtype(word) is None:
                        yield unknown_subtype(word, (*at, field))


def unknown_subtype(word: str, at: At) -> Finding:
    """The finding for a word that is not a subtype."""
    cure = did_you_mean(word, KIND_OF, otherwise="write a subtype that exists (CR 205.3)")
    return Finding(at, f"no subtype {word!r}", cure)


def empty_mana(card: Card, parts: PlacedParts) -> Iterator[Finding]:
    """CR 118.5, 118.6: a cost of no mana is {0}; what has no mana cost can't be paid for."""
    for at, part in ((), card), *parts:
        key = "cost" if type(part) is Card else "mana"
        if getattr(part, key, None) == "":
            otherwise = ", or none for a cost that can't be paid" if type(part) is Card else ""
            yield Finding((*at, key), "the cost is empty", f'write "{{0}}"{otherwise}')


WITH_EXCEPTIONS = {
    BecomeCopy: "but",
    CopyAsEnters: "but",
    CopySpell: "but",
    Create: "but",
    Option: "does",
    TurnFace: "does",
}
COPIABLE = {
    AddColors,
    AddEveryType,
    AddTypes,
    Base,
    Gain,
    Lose,
    LoseAllAbilities,
    LoseTypes,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetName,
    SetTypes,
}
"""The operations that set copiable values (CR 707.2: name, colours, types, abilities, size)."""


def uncopiable_exceptions(parts: PlacedParts) -> Iterator[Finding]:
    """Exceptions of a copy, or values that an object enters with, that are not copiable values."""
    for at, part in parts:
        field = WITH_EXCEPTIONS.get(type(part), "")
        for number, operation in enumerate(getattr(part, field, ())):
            place = (*at, field, number)
            if type(operation) not in COPIABLE:
                tag = operation.__struct_config__.tag
                what = f"{tag} is not a copiable value"
                yield Finding(place, what, "give it an ability with this effect: {gain: {static: …}}")
            elif type(operation) is Base and not all(
                isinstance(number, int | None) for number in (operation.power, operation.toughness)
            ):
                what = "only numbers can be copied as power and toughness"
                yield Finding(place, what, "write numbers, or give it {gain: {defines: …}}")


def same_names(abilities: tuple[Ability, ...]) -> Iterator[Finding]:
    """Pairs of abilities that a script could not tell apart."""
    seen: set[str] = set()
    for position, ability in enumerate(abilities):
        name = ability.keyword if isinstance(ability, Keyword) else getattr(ability, "name", None)
        if name in seen and not isinstance(ability, Keyword):
            yield Finding(
                ("abilities", position), f"two abilities called {name!r}", "give each a name: name: …"
            )
        if name:
            seen.add(name)


NAMED_ITSELF = {The, Filter, Card, SetName, Activated, Triggered}
"""Parts whose name is not a name given to an object for later use by the card."""


TARGETING = {Activated, Triggered, Spell, Mode}


def unnamed_things(parts: PlacedParts) -> Iterator[Finding]:
    """`{the: NAME}` where no target, chosen, revealed, moved or created object has that name."""
    named = set()
    for _, part in parts:
        name = getattr(part, "name", None)
        if isinstance(name, str) and type(part) not in NAMED_ITSELF:
            named.add(name)
        if type(part) is DealsDamage:
            named.add("damaged")
    for at, part in parts:
        if type(part) is The and part.name not in named:
            yield Finding(
                at,
                f"nothing here is called {part.name!r}",
                did_you_mean(
                    part.name,
                    named,
                    otherwise=f"choose one of: {listed(sorted(named))}"
                    if named
                    else "add targets: …, or give a name to what it refers to",
                ),
            )
    for at, part in parts:
        if type(part) in TARGETING:
            twice = [spec.name for spec in part.targets]  # type: ignore[attr-defined]  # all of them have some
            for name in sorted({name for name in twice if twice.count(name) > 1}):
                yield Finding(
                    (*at, "targets"), f"two targets called {name!r}", "name them: {what: …, name: …}"
                )


def keyword_without_its_word(ability: Keyword, at: At) -> Iterator[Finding]:
    """Keywords that are missing their subject."""
    if ability.keyword in ("protection", "landwalk", "affinity") and ability.what is None:
        yield Finding(at, f"{ability.keyword} of what?", f"write {{{ability.keyword}: …}}")
    if ability.keyword == "enchant" and ability.what is None and ability.player is None:
        yield Finding(at, "enchant what?", "write {enchant: creatures}")


def no_creature_types(operation: SetCreatureTypes, at: At) -> Iterator[Finding]:
    """Subtypes that are not creature types."""
    for word in sorted(operation.subtypes - SPECIAL_SUBTYPES):
        kind = kind_of_subtype(word)
        if kind not in ("creature", None):
            yield Finding((*at, "subtypes"), f"{word} is a {kind} type", "write creature types here")


def no_basic_land_types(operation: SetBasicLandTypes, at: At) -> Iterator[Finding]:
    """Words that are not basic land types."""
    for word in sorted(operation.subtypes - {*BASIC_LAND_TYPES, CHOSEN_TYPE}):
        cure = did_you_mean(word, BASIC_LAND_TYPES, otherwise=f"write one of {listed(BASIC_LAND_TYPES)}")
        yield Finding((*at, "subtypes"), f"{word!r} is not a basic land type", cure)


# ------------------------------------------------------------------------------------- one way to say a thing


def said_otherwise(ability: Static, at: At) -> Iterator[Finding]:
    """A static ability about the object itself for which there is a shorter form."""
    if ability.cond or ability.lingers or not all(part.affects == This() for part in ability.parts):
        return
    operations = [operation for part in ability.parts for operation in part.does]
    if operations and all(map(is_defining, operations)):
        yield Finding(
            at,
            "an effect on the object's own colours, subtypes, power or toughness is not static",
            "write it as {defines: […]}",
        )
    for operation in operations:
        match operation:
            case Gain(abilities) if any(isinstance(one, Keyword) for one in abilities):
                words = listed(one.keyword for one in abilities if isinstance(one, Keyword))
                yield Finding(at, "keywords of its own, spelled out", f"write them as abilities: {words}")
            case Cannot(do, what=None, after=None, unless=None, unless_pays=()) if do == {"attack"}:
                yield Finding(at, "defender spelled out", "write defender")
            case Cannot(do, what=None, after=None, unless=None, unless_pays=()) if do == {"be targeted"}:
                yield Finding(at, "shroud spelled out", "write shroud")
            case _:
                pass


def is_defining(operation: Operation) -> bool:
    """Whether an operation defines an object's colours, subtypes, power or toughness."""
    match operation:
        case Base() | SetColors() | AddColors() | SetCreatureTypes() | AddEveryType():
            return True
        case AddTypes(types, subtypes, supertypes):
            return bool(subtypes) and not types and not supertypes
        case _:
            return False


def spelled_out(ability: Activated | Triggered, at: At) -> Iterator[Finding]:
    """An activated or triggered ability that a keyword stands for."""
    match ability:
        case Activated(
            effect=(Attach(what=This(), to=The("target")),), sorcery=True, targets=(TargetSpec(),)
        ):
            yield Finding(at, "equip spelled out", 'write {equip: "{2}"}')
        case Activated(effect=(Draw(1),), cost=costs, zones=zones) if zones == {"hand"} and any(
            isinstance(cost, DiscardCost) and cost.what == This() for cost in costs
        ):
            yield Finding(at, "cycling spelled out", 'write {cycling: "{2}"}')
        case _:
            pass


def compared_with_nothing(condition: Compare, at: At) -> Iterator[Finding]:
    """A count compared with 0 or 1, for which there is `exists`."""
    if not isinstance(condition.left, Count) or condition.left.distinct != "objects":
        return
    match condition.how, condition.right:
        case ("=", 0) | ("<=", 0):
            yield Finding(at, "none of them, written as a count", "write {not: {exists: …}}")
        case (">=", 1):
            yield Finding(at, "at least one of them, written as a count", "write {exists: …}")
        case _:
            pass


def not_not(condition: Not, at: At) -> Iterator[Finding]:
    """A double negation."""
    if isinstance(condition.part, Not):
        yield Finding(at, "not not", "write the condition itself")


COSTS_OF_WHAT_IS_THERE = (TapThis, UntapThis, LoyaltyCost, RemoveCountersCost, UnattachCost)


def before_it_is_there(ability: AsEnters, at: At) -> Iterator[Finding]:
    """Effects of an object's entering on other objects: the object is not there yet (CR 614.13a)."""
    if ability == AsEnters(may=ability.may, also_turned_up=ability.also_turned_up):
        yield Finding(at, "nothing happens as it enters", "add choose, copy, counters, tapped: yes or effect")
    for inner, part in parts_with_places(ability.effect, (*at, "effect")):
        for field in ("affects", "what", "on", "by"):
            if getattr(part, field, None) == This():
                yield Finding(
                    (*inner, field),
                    "as it enters, the object is not there yet",
                    "write counters, tapped or one_of; or a triggered ability: when: enters",
                )
        if isinstance(part, Reveal):
            yield Finding(
                inner, "nothing is revealed as it enters", "write a triggered ability: when: enters"
            )
    for number, cost in enumerate(ability.unless_pays):
        inside = [part for _, part in parts_with_places(cost)]
        if isinstance(cost, COSTS_OF_WHAT_IS_THERE) or any(isinstance(one, This | It) for one in inside):
            yield Finding(
                (*at, "unless_pays", number),
                "as it enters, the object is not there yet",
                "write a cost that something else pays",
            )


def moved_out_of_sight(instruction: Put, at: At) -> Iterator[Finding]:
    """CR 400.7j: what an effect puts into a hidden zone is not found there by the rest of it."""
    if instruction.name is not None and instruction.to in ("hand", "library"):
        yield Finding(
            (*at, "name"), f"what goes to a {instruction.to} can't be found there", "leave the name out"
        )


def twice_for_this_turn(instruction: Later, at: At) -> Iterator[Finding]:
    """`each` where it is implied, because the duration is this turn."""
    if instruction.each and instruction.this_turn:
        yield Finding((*at, "this_turn"), "each is every time this turn", "leave this_turn out")


WORKED_OUT = (Base, Modify, BecomeCopy, GainControl)
"""Operations whose quantities, models and players are determined when their effect begins."""
ONE_BY_ONE = (It, All, Everyone, Opponents, Others)
"""Selectors of several objects for which "it" means each of them."""


def it_asked_too_late(ability: Triggered, at: At) -> Iterator[Finding]:
    """An operation on another object that keeps referring to the object that the trigger saw."""
    if isinstance(ability.when, Beginning | State):
        return
    for place, part in parts_with_places(ability.effect, (*at, "effect")):
        if type(part) is not Effect or isinstance(part.affects, ONE_BY_ONE):
            continue
        for number, operation in enumerate(part.does):
            if not isinstance(operation, (*WORKED_OUT, Gain)) and any(
                type(inner) is It for _, inner in parts_with_places(operation)
            ):
                yield Finding(
                    (*place, "does", number),
                    "this is checked again later, when what the trigger saw is no longer known",
                    "refer to this, or to what is affected",
                )


def wrong_triggered(ability: Triggered, at: At) -> Iterator[Finding]:
    """All problems of a triggered ability."""
    yield from spelled_out(ability, at)
    yield from it_asked_too_late(ability, at)


WRONG_IN: dict[type, Callable[[Any, At], Iterator[Finding]]] = {
    Activated: spelled_out,
    AsEnters: before_it_is_there,
    Card: wrong_face,
    Compare: compared_with_nothing,
    Keyword: keyword_without_its_word,
    Later: twice_for_this_turn,
    Not: not_not,
    Put: moved_out_of_sight,
    SetBasicLandTypes: no_basic_land_types,
    SetCreatureTypes: no_creature_types,
    Static: said_otherwise,
    Triggered: wrong_triggered,
}
"""The checks for each kind of part. (Most parts have none, and `match` would be slow.)"""

"""Problems of a card that can be read; found without any engine.

There is one way to say each thing: a card that says it in another way is refused, so that two cards that do
the same look the same. Each check takes a card and yields findings with their places.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from conformance.checks.idle import idle_keys
from conformance.checks.limits import wrong_limits
from conformance.checks.sorts import wrong_sorts, wrong_targets
from conformance.model.card_parts import PlacedParts, parts_of_card, parts_with_places
from conformance.model.problems import At, Finding, did_you_mean, list_of_options
from reference_engine.language.cards import (
    Ability,
    AbilityTriggers,
    Activated,
    Activates,
    AddColors,
    AddEveryType,
    AddMana,
    AddTypes,
    All,
    Amass,
    AnyEvent,
    AnyPlayer,
    AsEnters,
    Attach,
    Attached,
    Attacks,
    Base,
    BecomeCopy,
    BecomesBlocked,
    BecomesTarget,
    Beginning,
    Blocks,
    Cannot,
    CannotHave,
    Card,
    CastEvent,
    Chapter,
    ChooseInstruction,
    Compare,
    CopyAsEnters,
    CopySpell,
    Count,
    Create,
    Cycles,
    DealsDamage,
    DealTo,
    Defines,
    Discard,
    DiscardCost,
    Discards,
    DoInstead,
    Draw,
    Effect,
    EventKind,
    Everyone,
    ExileUntilFound,
    Filter,
    Gain,
    GainControl,
    GetsCounters,
    GoTo,
    Happened,
    HowOften,
    It,
    Keyword,
    Later,
    LeavesGraveyard,
    LevelBar,
    Lose,
    LoseAllAbilities,
    LoseTypes,
    LoyaltyCost,
    ManaCost,
    May,
    MayPlay,
    Mill,
    Mode,
    Modify,
    Not,
    Nothing,
    Nth,
    OneOrMore,
    Operation,
    Opponents,
    Option,
    Others,
    Plays,
    Plus,
    PreventDamage,
    PropertyOf,
    Put,
    RemoveCountersCost,
    Reveal,
    Sacrifice,
    Sacrifices,
    Scry,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetLevel,
    SetName,
    SetTypes,
    Spell,
    State,
    Static,
    Surveil,
    Switch,
    TappedForMana,
    TapThis,
    TargetSpec,
    TextOf,
    The,
    This,
    TimesAsMany,
    Transform,
    Triggered,
    TriggerEvent,
    TriggersAgain,
    TurnFace,
    UnattachCost,
    UntapThis,
    WhenYouDo,
    Would,
    X,
)
from reference_engine.language.characteristics import adds_mana, all_that_it_does, faces_of, is_room
from reference_engine.language.keywords import MAY_BE_PRICED, NUMBERED, PRICED, abilities_of_keyword
from reference_engine.language.past_events import RECORDED_AS, can_be_past
from reference_engine.language.subtypes import KIND_OF
from reference_engine.language.words import (
    BASIC_LAND_TYPES,
    CHOSEN_TYPE,
    SPECIAL_SUBTYPES,
    SUBTYPES_OF,
    kind_of_subtype,
)


def findings_of_card(card: Card) -> Iterator[Finding]:
    """All problems of a card, including its other face, and the tokens and abilities that it defines."""
    parts = parts_of_card(card)
    yield from wrong_numbers(card)
    yield from wrong_subtypes(card)
    yield from wrong_chapters(card)
    yield from wrong_levels(card)
    yield from wrong_faces(card)
    yield from unknown_subtypes(parts)
    yield from same_names(card.abilities)
    yield from unnamed_things(parts)
    yield from empty_mana(card, parts)
    yield from wrong_sorts(parts)
    yield from wrong_targets(parts)
    yield from uncopiable_exceptions(parts)
    yield from idle_keys(card, parts)
    yield from wrong_limits(parts)
    for at, part in parts:
        wrong_in_it = WRONG_IN.get(type(part))
        if wrong_in_it is not None:
            yield from wrong_in_it(part, at)


# ------------------------------------------------------------------------------------------ printed values


def wrong_numbers(card: Card) -> Iterator[Finding]:
    """CR 208.1: creatures have power and toughness; an ability determines a star (CR 604.3)."""
    numbers = (card.power, card.toughness)
    if "Creature" in card.types and None in numbers:
        yield Finding((), "a creature without power and toughness", "add pt: 2/2")
    if "Creature" not in card.types and "Vehicle" not in card.subtypes and numbers != (None, None):
        yield Finding(("pt",), "power and toughness on a card that is not a creature", "remove them")
    for key in ("power", "toughness"):
        if isinstance(getattr(card, key), str) and not any(
            isinstance(part, AsEnters) or (isinstance(part, Base) and getattr(part, key) is not None)
            for _, part in parts_with_places(card.abilities)
        ):
            cure = f"write its number, or add {{defines: {{base: {{{key}: …}}}}}}"
            yield Finding(("pt",), f"no ability defines the star of its {key}", cure)


def wrong_face(card: Card, at: At) -> Iterator[Finding]:
    """Problems of a card within a card: a token, a face."""
    for finding in (
        *faces_of_a_face(card),
        *wrong_numbers(card),
        *wrong_subtypes(card),
        *wrong_chapters(card),
        *same_names(card.abilities),
    ):
        yield finding.within(*at)


def faces_of_a_face(card: Card) -> Iterator[Finding]:
    """A token or a face with more faces: no such card exists, and no rule says what it would be."""
    for key in ("back", "adventure", "halves"):
        if getattr(card, key):
            yield Finding((key,), f"{card.name} is within a card and has more faces", "leave them out")


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
                f"{word} is a {kind_of_subtype(word)} type, but the card lacks that card type",
                "add the card type, or remove the subtype",
            )


def wrong_faces(card: Card) -> Iterator[Finding]:
    """CR 709, 712, 715: what the faces of a card must and must not have."""
    if card.modal and card.back is None:
        yield Finding(("modal",), "a modal card with one face", "add the other: back: …")
    if card.back is None and any(
        isinstance(part, Transform) and part.what == This() for _, part in parts_with_places(card.abilities)
    ):
        yield Finding((), "it transforms, but has one face", "add the other: back: …")
    if card.back is not None and not card.modal and card.back.cost is not None:
        yield Finding(
            ("back", "cost"), "the back face has a mana cost", "remove it, or add modal: yes (CR 712.3)"
        )
    played = {"adventure": card.adventure, "back": card.back if card.modal else None}
    for key, face in played.items():
        if face is not None and face.cost is None and "Land" not in face.types:
            yield Finding((key,), f"{face.name} has no mana cost", 'add one: cost: "{0}"')
    adventure = card.adventure
    if adventure is not None and not (
        adventure.types & {"Instant", "Sorcery"} and "Adventure" in adventure.subtypes
    ):
        yield Finding(
            ("adventure",), f"{adventure.name} is not an Adventure", "add types: Instant, subtypes: Adventure"
        )
    if card.halves:
        yield from wrong_halves(card)
    insets = [n for n, one in enumerate(card.abilities) if is_prototype(one)]
    for number in insets[1:]:
        yield Finding(("abilities", number), "a second prototype", "leave one out (CR 718.1: one inset)")
    if insets and (card.power is None or card.toughness is None or len(faces_of(card)) > 2):
        yield Finding(
            ("abilities", insets[0]),
            "a prototype of a card without size or with more faces",
            "leave it out",
        )


def is_prototype(ability: Ability) -> bool:
    """Whether an ability is a card's second set of mana cost, power and toughness."""
    return isinstance(ability, Keyword) and ability.keyword == "prototype"


def wrong_halves(card: Card) -> Iterator[Finding]:
    """CR 709.4, 709.5: a split card or Room has what its two halves have, and nothing of its own."""
    halves = card.halves
    if len(halves) != 2:
        yield Finding(("halves",), f"{len(halves)} halves", "write two")
        return
    for number, half in enumerate(halves):
        if half.cost is None:
            yield Finding(("halves", number), f"{half.name} has no mana cost", 'add one: cost: "{0}"')
    name = " // ".join(half.name for half in halves)
    if card.name != name:
        yield Finding(("name",), f"{card.name!r} is not the name of both halves", f"write {name!r}")
    if card.types != halves[0].types | halves[1].types:
        yield Finding(("types",), "card types that differ from those of the halves", "write those of both")
    if is_room(card) and len({(half.types, half.subtypes, half.supertypes) for half in halves}) > 1:
        yield Finding(("halves",), "halves with two type lines", "write the same types for both (CR 709.5a)")
    plain = Card(card.name, card.types, halves=halves)
    if card != plain:
        yield Finding((), "a split card has nothing but its halves", "move it into the half that it is on")


def wrong_levels(card: Card) -> Iterator[Finding]:
    """CR 716.2: level bars belong to a Class; its levels are counted from 1, and each bar adds one."""
    bars = [(position, one) for position, one in enumerate(card.abilities) if isinstance(one, LevelBar)]
    for expected, (position, bar) in enumerate(bars, 2):
        at = ("abilities", position)
        if "Class" not in card.subtypes:
            yield Finding(at, "a level bar on a card that is not a Class", "add subtypes: [Class]")
        if bar.n != expected:
            yield Finding((*at, "n"), f"level {bar.n} where level {expected} comes next", f"write {expected}")
        if any(isinstance(one, LevelBar | Spell) for one in bar.abilities):
            yield Finding(
                (*at, "abilities"), "an ability for a Class on a card that is not one", "write it on the card"
            )
        for number, one in enumerate(bar.abilities):
            if isinstance(one, AsEnters):
                what, cure = "no Class enters at this level", "write it on the card itself"
                yield Finding((*at, "abilities", number), what, cure)
            elif isinstance(one, Defines):
                what = "what a level gives depends on the level, so it defines nothing (CR 604.3a)"
                yield Finding((*at, "abilities", number), what, "write {static: {affects: this, does: …}}")


def wrong_chapters(card: Card) -> Iterator[Finding]:
    """CR 714.2: a chapter belongs to a Saga; chapters are counted from 1."""
    for position, ability in enumerate(card.abilities):
        if isinstance(ability, Triggered) and isinstance(ability.when, Chapter):
            at = ("abilities", position)
            if "Saga" not in card.subtypes:
                yield Finding(at, "a chapter on a card that is not a Saga", "add subtypes: [Saga]")
            if ability.when.n < 1:
                yield Finding((*at, "when", "n"), f"no chapter {ability.when.n}", "count chapters from 1")


def unknown_subtypes(parts: PlacedParts) -> Iterator[Finding]:
    """CR 205.3: words used as subtypes in a filter or an operation that are in none of the lists."""
    for at, part in parts:
        if isinstance(part, Amass) and kind_of_subtype(part.kind) != "creature":
            yield unknown_subtype(part.kind, (*at, "kind"))
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
        elif isinstance(ability, Keyword) and is_activated_otherwise(ability, abilities[:position]):
            cure = "write all but one of them as what they stand for, with a name: activated: …"
            yield Finding(("abilities", position), f"two abilities called {name!r}", cure)
        if name:
            seen.add(name)


def is_activated_otherwise(keyword: Keyword, before: tuple[Ability, ...]) -> bool:
    """Whether a keyword stands for an activated ability, and an earlier keyword of that name for another."""
    activated = any(isinstance(held.ability, Activated) for held in abilities_of_keyword(keyword))
    others = (one for one in before if isinstance(one, Keyword) and one.keyword == keyword.keyword)
    return activated and any(one != keyword for one in others)


NAMED_ITSELF = {The, Filter, Card, SetName, Activated, Triggered}
"""Parts whose name is not a name given to an object for later use by the card."""


NAMES_BY_ITSELF: dict[type, str] = {Amass: "amassed", ExileUntilFound: "exiled", OneOrMore: "those"}
"""Parts that give objects a name of their own, besides one that the card may choose."""


TARGETING = {Activated, Triggered, Spell, Mode}


def unnamed_things(parts: PlacedParts) -> Iterator[Finding]:
    """`{the: NAME}` where no target, chosen, revealed, moved or created object has that name."""
    named = set()
    for _, part in parts:
        name = getattr(part, "name", None)
        if isinstance(name, str) and type(part) not in NAMED_ITSELF:
            named.add(name)
        if isinstance(part, DealsDamage) and part.to is not None:
            named.add("damaged")
        if type(part) in NAMES_BY_ITSELF:
            named.add(NAMES_BY_ITSELF[type(part)])
        if type(part) is PreventDamage and part.then:
            named.add("source")
    for at, part in parts:
        if type(part) is The and part.name not in named:
            yield Finding(
                at,
                f"nothing here is called {part.name!r}",
                did_you_mean(
                    part.name,
                    named,
                    otherwise=f"choose one of: {list_of_options(sorted(named))}"
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
    from_player = ability.keyword == "protection" and ability.player is not None
    if ability.keyword in ("protection", "landwalk", "affinity") and ability.what is None and not from_player:
        yield Finding(at, f"{ability.keyword} of what?", f"write {{{ability.keyword}: …}}")
    if ability.keyword == "enchant" and ability.what is None and ability.player is None:
        yield Finding(at, "enchant what?", "write {enchant: creatures}")
    if ability.keyword in NUMBERED and not (ability.n or 0) > 0:
        yield Finding(at, f"{ability.keyword} how much?", f"write {{{ability.keyword}: 1}}")
    if ability.keyword in PRICED and ability.mana is None and not ability.costs:
        yield Finding(at, f"{ability.keyword} for what?", f'write {{{ability.keyword}: "{{2}}"}}')
    if ability.keyword == "suspend" and not (ability.n or 0) > 0:
        yield Finding(at, "suspend for how long?", 'write {keyword: suspend, n: 3, mana: "{2}"}')
    if ability.n is not None and ability.keyword not in {*NUMBERED, "suspend"}:
        yield Finding((*at, "n"), f"{ability.keyword} has no number", "leave it out")
    sized = ability.power is not None and ability.toughness is not None
    if ability.keyword == "prototype" and (not sized or ability.mana is None):
        advice = 'write {prototype: "{2}", power: 1, toughness: 1}'
        yield Finding(at, "a prototype without mana cost, power or toughness (CR 718.2)", advice)
    if ability.keyword != "prototype":
        for key in (key for key in ("power", "toughness") if getattr(ability, key) is not None):
            yield Finding((*at, key), f"{ability.keyword} has no {key}", "leave it out")
    if ability.keyword not in PRICED | MAY_BE_PRICED:
        for key in (key for key in ("mana", "costs") if getattr(ability, key) not in (None, ())):
            yield Finding((*at, key), f"{ability.keyword} has no cost", "leave it out")


def no_creature_types(operation: SetCreatureTypes, at: At) -> Iterator[Finding]:
    """Subtypes that are not creature types."""
    for word in sorted(operation.subtypes - SPECIAL_SUBTYPES):
        kind = kind_of_subtype(word)
        if kind not in ("creature", None):
            yield Finding((*at, "subtypes"), f"{word} is a {kind} type", "write creature types here")


def no_basic_land_types(operation: SetBasicLandTypes, at: At) -> Iterator[Finding]:
    """Words that are not basic land types."""
    for word in sorted(operation.subtypes - {*BASIC_LAND_TYPES, CHOSEN_TYPE}):
        cure = did_you_mean(
            word,
            BASIC_LAND_TYPES,
            otherwise=f"write one of {list_of_options(BASIC_LAND_TYPES)}",
        )
        yield Finding((*at, "subtypes"), f"{word!r} is not a basic land type", cure)


# ------------------------------------------------------------------------------------- one way to say a thing


def longer_form(ability: Static, at: At) -> Iterator[Finding]:
    """A static ability about the object itself that has a shorter form."""
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
                words = list_of_options(one.keyword for one in abilities if isinstance(one, Keyword))
                yield Finding(at, "keywords of its own, spelled out", f"write them as abilities: {words}")
            case Cannot(do, what=None, whom=None, after=None, number=None, unless=None, unless_pays=()) if (
                do == {"attack"}
            ):
                yield Finding(at, "defender spelled out", "write defender")
            case Cannot(do, what=None, after=None, unless=None, unless_pays=()) if do == {"be targeted"}:
                yield Finding(at, "shroud spelled out", "write shroud")
            case _:
                pass


def wrong_static_ability(ability: Static, at: At) -> Iterator[Finding]:
    """All problems of a static ability."""
    yield from longer_form(ability, at)
    inside = [place for place, part in parts_with_places(ability.cond) if type(part) is AnyPlayer]
    for place, part in parts_with_places(ability.cond):
        if type(part) is It and not any(place[: len(one)] == one for one in inside):
            yield Finding(
                (*at, "cond", *place),
                "one condition holds for all that the effect affects, and nothing is `it` here",
                "say in affects which of them are meant: tapped creatures",
            )


def is_defining(operation: Operation) -> bool:
    """Whether an operation defines an object's colours, subtypes, power or toughness."""
    match operation:
        case Base() | SetColors() | AddColors() | SetCreatureTypes() | AddEveryType():
            return True
        case AddTypes(types, subtypes, supertypes):
            return bool(subtypes) and not types and not supertypes
        case _:
            return False


def keyword_spelled_out(ability: Activated | Triggered, at: At) -> Iterator[Finding]:
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


def comparison_with_nothing(condition: Compare, at: At) -> Iterator[Finding]:
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


def double_negation(condition: Not, at: At) -> Iterator[Finding]:
    """A double negation."""
    if isinstance(condition.part, Not):
        yield Finding(at, "not not", "write the condition itself")


def parts_of_its_own(value: Any, at: At) -> Iterator[tuple[At, Any]]:
    """The parts of an ability or an effect, without those of abilities that it gives to something."""
    parts = parts_with_places(value, at)
    given = [place for place, part in parts if isinstance(part, Ability) and place != at]
    for place, part in parts:
        if not any(place[: len(other)] == other for other in given):
            yield place, part


COSTS_OF_WHAT_IS_THERE = (TapThis, UntapThis, LoyaltyCost, RemoveCountersCost, UnattachCost)


def effects_before_entering(ability: AsEnters, at: At) -> Iterator[Finding]:
    """Effects on other objects as an object enters: the object is not there yet (CR 614.13a)."""
    if ability == AsEnters(may=ability.may, also_turned_up=ability.also_turned_up):
        yield Finding(at, "nothing happens as it enters", "add choose, copy, counters, tapped: yes or effect")
    for inner, part in parts_of_its_own(ability.effect, (*at, "effect")):
        for field in ("affects", "what", "on", "by", *(("of",) if type(part) is PropertyOf else ())):
            if getattr(part, field, None) in (This(), It()):
                yield Finding(
                    (*inner, field),
                    "as it enters, the object is not there yet",
                    "write counters, tapped or one_of; or a triggered ability: when: enters",
                )
        if isinstance(part, SetLevel):
            yield Finding(inner, "as it enters, it has no level to set", "write a triggered ability")
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


def wrong_spell_ability(ability: Spell, at: At) -> Iterator[Finding]:
    """All problems of a spell ability."""
    yield from it_of_nobody(ability, at)
    yield from level_of_a_spell(ability, at)


def level_of_a_spell(ability: Spell, at: At) -> Iterator[Finding]:
    """CR 716.2b: levels are those of permanents; a spell that sets its own does nothing."""
    for place, part in parts_of_its_own(ability, at):
        if isinstance(part, SetLevel):
            yield Finding(place, "a spell has no level", "leave it out")


def leaver_elsewhere(event: LeavesGraveyard, at: At) -> Iterator[Finding]:
    """What an Aura enchants leaves no graveyard, since `enchant` takes permanents alone."""
    if event.who == Attached():
        what = "what this is attached to is a permanent, not a card in a graveyard"
        yield Finding((*at, "who"), what, "write {leaves: attached}, or say which cards")


def incomplete_choice(choice: ChooseInstruction, at: At) -> Iterator[Finding]:
    """A choice that does not say what to choose, or allows an answer that cannot be used."""
    if choice.kind == "object" and choice.what is None:
        yield Finding(at, "choose which object?", "write what: creatures, for example")
    if choice.kind == "type" and choice.of in (None, "color"):
        yield Finding(at, "choose a type of which kind?", "write of: creature type, for example")
    if choice.kind == "word" and choice.of not in ("color", "basic land type"):
        yield Finding(at, "choose a word of which kind?", "write of: color, or of: basic land type")
    if choice.kind not in ("object", "player", "color") and choice.most != 1:
        yield Finding((*at, "most"), f"one {choice.kind} is chosen", "leave it out")
    if choice.kind not in ("object", "player") and choice.least < 1:
        yield Finding((*at, "least"), f"at least one {choice.kind} is chosen", "leave it out")
    if choice.least > choice.most:
        yield Finding((*at, "least"), f"at least {choice.least} and at most {choice.most}", "write most, too")


def lost_references(instruction: Put, at: At) -> Iterator[Finding]:
    """CR 400.7j: the rest of an effect does not find what the effect has put into a hidden zone."""
    if instruction.name is not None and instruction.to in ("hand", "library"):
        yield Finding(
            (*at, "name"), f"what goes to a {instruction.to} can't be found there", "leave the name out"
        )


def wrong_delayed_ability(instruction: Later, at: At) -> Iterator[Finding]:
    """`each` where it is implied, because the duration is this turn, or no event to wait for."""
    yield from no_event(instruction.when, (*at, "when"))
    if instruction.each and instruction.this_turn:
        yield Finding((*at, "this_turn"), "each is every time this turn", "leave this_turn out")


WORKED_OUT = (Base, Modify, BecomeCopy, GainControl)
"""Operations whose quantities, models and players are determined when their effect begins."""
ONE_BY_ONE = (It, All, Everyone, Opponents, Others)
"""Selectors of several objects for which "it" means each of them."""


def lost_it(ability: Triggered, at: At) -> Iterator[Finding]:
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


def wrong_activated_ability(ability: Activated, at: At) -> Iterator[Finding]:
    """All problems of an activated ability."""
    yield from keyword_spelled_out(ability, at)
    yield from it_of_nobody(ability, at)


def wrong_triggered_ability(ability: Triggered, at: At) -> Iterator[Finding]:
    """All problems of a triggered ability."""
    yield from keyword_spelled_out(ability, at)
    if isinstance(ability.when, Beginning | State):
        yield from it_of_nobody(ability, at)
    yield from it_before_the_event(ability, at)
    yield from lost_it(ability, at)
    yield from unknown_x(ability, at)
    yield from mana_for_activating(ability, at)


def mana_for_activating(ability: Triggered, at: At) -> Iterator[Finding]:
    """An ability that adds mana and is triggered by mana abilities as well as by others.

    CR 605.1b, 605.5a: it would be a mana ability each time that a mana ability triggers it.
    """
    events = [part for _, part in parts_with_places(ability.when) if isinstance(part, Activates)]
    any_ability = any(one.only is None and "mana abilities" not in one.but for one in events)
    if any_ability and adds_mana(all_that_it_does(ability)):
        what = "this would be a mana ability or not, depending on what triggers it"
        yield Finding((*at, "when"), what, "add but: mana abilities")


NUMBERS_FOR_ALL = (AddMana, Create, Discard, Draw, Mill, Sacrifice, Scry, Surveil)
"""Instructions whose number is the same for all who follow them."""
GIVE_IT = (Later, WhenYouDo)
"""Instructions in whose effects something else may be "it"."""


def it_of_nobody(ability: Spell | Activated | Triggered, at: At) -> Iterator[Finding]:
    """A number that is about "it", for several players, where nothing is "it"."""
    parts = tuple(parts_of_its_own(ability, at))
    inside = [place for place, part in parts if isinstance(part, GIVE_IT)]
    for place, part in parts:
        if not isinstance(part, NUMBERS_FOR_ALL) or any(place[: len(one)] == one for one in inside):
            continue
        if any(type(one) is It for _, one in parts_with_places(part.n)):
            what = "this number is the same for all who do it, and nothing is `it` here"
            yield Finding((*place, "n"), what, "write a for_each, in which each player is `you`")


def it_before_the_event(ability: Triggered, at: At) -> Iterator[Finding]:
    """An event of `it`, which only the event itself makes known."""
    for place, event in parts_with_places(ability.when, (*at, "when")):
        for field in event.__struct_fields__ if isinstance(event, EventKind) else ():
            if getattr(event, field) == It():
                yield Finding(
                    (*place, field),
                    "before the event there is no `it`",
                    "write this, attached, or objects such as creatures",
                )


def unknown_x(ability: Triggered, at: At) -> Iterator[Finding]:
    """An X that is chosen only as it is paid, or for the cost of a cycling ability: it has no value here."""
    for place, part in parts_with_places(ability.effect, (*at, "effect")):
        if type(part) is May and any(type(cost) is ManaCost and "{X}" in cost.mana for cost in part.cost):
            yield Finding((*place, "cost"), "an X that is chosen as it is paid", "write a number")
    if type(ability.when) is Cycles:
        for place, part in parts_with_places(ability, at):
            if type(part) is X:
                yield Finding(place, "the X of a cycling cost is not known here", "write a number")


def wrong_events(event: AnyEvent, at: At) -> Iterator[Finding]:
    """Events of which one is enough, where there is none, or where two are one and the same.

    CR 702.29d: an ability about cycling or discarding triggers once, because cycling is discarding.
    """
    if not event.events:
        yield Finding((*at, "events"), "a choice among no events", "write one event or more")
    kinds = set(map(type, event.events))
    if kinds >= {Cycles, Discards}:
        yield Finding((*at, "events"), "cycled or discarded, twice for one card", "write discards alone")


CHANGES: dict[str, tuple[type, ...]] = {
    "draw": (),
    "untap": (),
    **dict.fromkeys(("gain life", "lose life", "get counters", "create tokens"), (TimesAsMany, Plus)),
    **dict.fromkeys(("be dealt damage", "deal damage"), (TimesAsMany, Plus, DealTo)),
    **dict.fromkeys(("die", "leave", "be put into a graveyard", "be destroyed", "discard"), (GoTo,)),
}
"""How an event can be modified, besides becoming something else or nothing (CR 614.6: a modified event)."""


def impossible_replacement(would: Would, at: At) -> Iterator[Finding]:
    """What happens instead of an event must be possible in its place."""
    if not isinstance(would.instead, (DoInstead, Nothing, *CHANGES[would.event])):
        tag = would.instead.__struct_config__.tag
        yield Finding(
            (*at, "instead"),
            f"{tag} can't replace {would.event!r}",
            "write {do: […]}, or nothing",
        )
    # CR 110.2a: only who discards a card can put it onto the battlefield.
    nowhere = ("stack",) if would.event == "discard" else ("stack", "battlefield")
    if isinstance(would.instead, GoTo) and would.instead.zone in nowhere:
        what = f"go_to: {would.instead.zone} can't replace {would.event!r}"
        yield Finding((*at, "instead", "zone"), what, "write {do: […]}, or another zone")
    if would.by != Filter() and would.event != "be dealt damage":
        yield Finding((*at, "by"), f"no source of {would.event!r}", "remove it")
    if would.combat and would.event not in ("be dealt damage", "deal damage"):
        yield Finding((*at, "combat"), f"{would.event!r} is not damage", "remove it")
    if would.counter is not None and would.event != "get counters":
        yield Finding((*at, "counter"), f"{would.event!r} is not about counters", "remove it")


def wrong_permission(permission: MayPlay, at: At) -> Iterator[Finding]:
    """CR 400.7h, 400.7i: a permission gives a spell or land only characteristics and abilities."""
    for number, operation in enumerate(permission.does):
        if type(operation) not in COPIABLE and not isinstance(operation, CannotHave | Modify | Switch):
            tag = operation.__struct_config__.tag
            what = f"{tag} does not change the characteristics of a card that is played"
            cure = "give it an ability with this effect: {gain: {static: …}}"
            yield Finding((*at, "does", number), what, cure)


def unrecorded_event(part: Happened | HowOften | Nth, at: At) -> Iterator[Finding]:
    """A question about past events of a kind that is not recorded, or about fewer than one event."""
    events = part.event.events if isinstance(part.event, AnyEvent) else (part.event,)
    if any(isinstance(event, CastEvent) and event.aimed_at is not None for event in events):
        yield Finding((*at, "event"), "what a past spell was aimed at is not recorded", "remove aimed_at")
    elif not can_be_past(part.event):
        yield Finding((*at, "event"), "past events of this kind are not recorded", f"ask about {PAST_EVENTS}")
    for place, inner in parts_with_places(part.event, (*at, "event")):
        for key in OF_THE_PRESENT if isinstance(inner, Filter) else ():
            if getattr(inner, key) is not None:
                yield Finding(
                    (*place, key), "this is not recorded of objects in past events", f"remove {key}"
                )
    if isinstance(part, Happened | Nth) and part.n < 1:
        yield Finding((*at, "n"), "less than once", "write 1 or more")


OF_THE_PRESENT = ("attached_to", "host_of", "in_combat_with", "unblocked", "damaged_by", "saddler_of")
"""Keys of a filter about what an object has to do with others, which is known of the present alone."""


PAST_EVENTS = list_of_options(str(kind.__struct_config__.tag) for kind in RECORDED_AS)


ONE_AT_A_TIME = (
    AbilityTriggers,
    Activates,
    Blocks,
    BecomesBlocked,
    BecomesTarget,
    TappedForMana,
    CastEvent,
    Plays,
)
"""Events that each object has for itself."""


def single_events_only(part: OneOrMore, at: At) -> Iterator[Finding]:
    """An event that never happens to several objects at the same time."""
    who = getattr(part.event, part.event.__struct_fields__[0])
    if not isinstance(part.event, Discards | Sacrifices) and not isinstance(who, All):
        yield Finding((*at, "event"), "this happens to one object only", "remove one_or_more")
    elif isinstance(part.event, ONE_AT_A_TIME) or (isinstance(part.event, GetsCounters) and part.event.each):
        yield Finding((*at, "event"), "this is an event for each of them", "remove one_or_more")


def no_event_again(part: TriggersAgain, at: At) -> Iterator[Finding]:
    """What abilities trigger on, but an effect can't refer to as such an event."""
    yield from no_event(part.on, (*at, "on"))


def no_event(event: TriggerEvent, at: At) -> Iterator[Finding]:
    """A state, or the triggering of an ability, where only an event can be meant."""
    for place, part in parts_with_places(event, at):
        if type(part) is State or type(part) is AbilityTriggers:
            tag = part.__struct_config__.tag
            yield Finding(
                place, f"{tag} is only for the triggered abilities of objects", "write another event"
            )


def wrong_untap_duration(part: Effect, at: At) -> Iterator[Finding]:
    """The duration "next untap step", where it does not keep particular permanents tapped."""
    if part.until != "next untap step":
        return
    if part.does != (Cannot(frozenset({"untap"})),):
        yield Finding((*at, "does"), "this lasts for an untap step", "write does: {cannot: untap}")
    if not isinstance(part.affects, This | It | The | Attached):
        yield Finding((*at, "affects"), "all of a kind, for one untap step", "write target, it or this")


def wrong_effect(part: Effect, at: At) -> Iterator[Finding]:
    """An effect of a spell or ability that would last or apply as no such effect does."""
    yield from wrong_untap_duration(part, at)
    for number, operation in enumerate(part.does):
        if isinstance(operation, TextOf) and isinstance(operation.of, It | The):
            yield Finding(
                (*at, "does", number, "of"),
                "an effect of a spell or ability does not keep the object whose text it takes",
                "write it as a static ability, or with become_copy",
            )


def attack_without_player(part: Attacks, at: At) -> Iterator[Finding]:
    """An attack on planeswalkers that does not name their controller."""
    if part.or_theirs and part.whom is None:
        yield Finding((*at, "or_theirs"), "nobody is attacked here", "add whom: you")


def idle_text_of_a_permanent(part: TextOf, at: At) -> Iterator[Finding]:
    """CR 113.3a, 716.2: spell abilities are for instants and sorceries, level bars for Classes."""
    for number, ability in enumerate(part.and_):
        if isinstance(ability, Spell | LevelBar):
            kind = "spell ability" if isinstance(ability, Spell) else "level bar"
            what = f"a permanent does nothing with a {kind}"
            yield Finding((*at, "and", number), what, "write a static, activated or triggered ability")


WRONG_IN: dict[type, Callable[[Any, At], Iterator[Finding]]] = {
    Activated: wrong_activated_ability,
    AnyEvent: wrong_events,
    AsEnters: effects_before_entering,
    Attacks: attack_without_player,
    Card: wrong_face,
    ChooseInstruction: incomplete_choice,
    Compare: comparison_with_nothing,
    Keyword: keyword_without_its_word,
    Effect: wrong_effect,
    Happened: unrecorded_event,
    HowOften: unrecorded_event,
    Later: wrong_delayed_ability,
    LeavesGraveyard: leaver_elsewhere,
    MayPlay: wrong_permission,
    Not: double_negation,
    Nth: unrecorded_event,
    OneOrMore: single_events_only,
    Put: lost_references,
    SetBasicLandTypes: no_basic_land_types,
    SetCreatureTypes: no_creature_types,
    Spell: wrong_spell_ability,
    Static: wrong_static_ability,
    TextOf: idle_text_of_a_permanent,
    TriggersAgain: no_event_again,
    Triggered: wrong_triggered_ability,
    Would: impossible_replacement,
}
"""The checks for each kind of part. (Most parts have none, and `match` would be slow.)"""

"""Reads cards: what is printed in the corners, and the rules text line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import groupby, islice
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import replace

from conformance.files.short_forms import named_activated, named_triggered
from conformance.reading.abilities import AbilityText, abilities_of, lines_of
from conformance.reading.manners import manner_of
from conformance.reading.normal import (
    in_one_order,
    is_keywords,
    is_spell,
    merge_lines,
    normal_lines,
    normal_text,
)
from conformance.reading.references import ChoiceReference, PronounReference, TargetReference, marks_in
from conformance.wording import rules_text
from conformance.wording.manner import PLAIN_MANNER, Manner
from reference_engine.language.cards import (
    Ability,
    Activated,
    AsEnters,
    Card,
    Keyword,
    LevelBar,
    Spell,
    Triggered,
)
from reference_engine.language.words import BASIC_LAND_TYPES, COLORS, MANA_COLOR, CardType, Supertype


class PrintedCard(Struct, frozen=True):
    """A card as a bulk file contains it."""

    name: str
    type_line: str
    text: str = ""
    cost: str = ""
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    colors: tuple[str, ...] | None = None


class PrintedFaces(Struct, frozen=True):
    """A card with two faces or halves as a bulk file contains it, and the name of its layout there."""

    name: str
    layout: str
    faces: tuple[PrintedCard, PrintedCard]


class Unread(Struct, frozen=True):
    """Why a card was not read: its lines in normal form, or another obstacle."""

    lines: tuple[str, ...]


class ReadCard(Struct, frozen=True):
    """A card's definition, and the manner in which each of its abilities is printed."""

    card: Card
    manners: tuple[Manner, ...]
    """Empty if all are plain."""


MOST_READINGS = 40


def card_read(printed: PrintedCard | PrintedFaces) -> Card | Unread:
    """A card's definition, if it words to the same text as the card."""
    if isinstance(printed, PrintedFaces):
        return faces_read(printed)
    found = reading_of(printed)
    return found if isinstance(found, Unread) else found.card


def are_doors(first: Card, second: Card) -> bool:
    """Whether two cards are the halves of a Room (CR 709.5a: they share a type line)."""
    return "Room" in first.subtypes and (first.types, first.subtypes) == (second.types, second.subtypes)


def faces_read(printed: PrintedFaces) -> Card | Unread:
    """The definition of a card with two faces, each read by itself."""
    first, second = map(card_read, printed.faces)
    if isinstance(first, Unread) or isinstance(second, Unread):
        unread = (one for one in (first, second) if isinstance(one, Unread))
        return Unread(tuple(line for one in unread for line in one.lines))
    match printed.layout:
        case "adventure" if "Adventure" in second.subtypes:
            return replace(first, adventure=second)
        case "modal_dfc":
            return replace(first, back=second, modal=True)
        case "transform":
            return replace(first, back=second)
        case "split" if (first.types | second.types) <= SPELLS or are_doors(first, second):
            name = f"{first.name} // {second.name}"
            return Card(name, first.types | second.types, halves=(first, second))
        case layout:
            return Unread((f"several faces: {layout}",))


SPELLS = frozenset[CardType]({"Instant", "Sorcery"})


def reading_of(printed: PrintedCard) -> ReadCard | Unread:
    """A card's definition with its manners, if it words to the same text as the card."""
    frame = frame_of(printed)
    if frame is None:
        return Unread((f"type line: {printed.type_line}",))
    if not printed.text.strip() and not has_no_text(frame):
        return Unread(("no text",))
    legendary = "Legendary" in frame.supertypes
    lines = normal_lines(printed.text, printed.name, legendary)
    said: list[AbilityInManner] = []
    unread: list[str] = []
    for line in paragraphs(lines, frame):
        found = line_read(line, frame, tuple(one.ability for one in said))
        if found is None:
            unread.append("\n• ".join([line.text, *line.modes]))
        else:
            said += found
    if unread:
        return Unread(tuple(unread))
    said = with_levels(with_one_spell(said))
    card = with_names(replace(frame, abilities=tuple(one.ability for one in said)))
    wanted = in_one_order("\n".join(merge_lines(lines, is_spell(frame))))
    manners = tuple(one.manner for one in said)
    ours = normal_text(card, manners)
    if ours == wanted:
        return ReadCard(card, manners if any(one != PLAIN_MANNER for one in manners) else ())
    return Unread((f"as a whole: {ours!r} is not {wanted!r}",))


def has_no_text(frame: Card) -> bool:
    """Whether such a card may lack rules text: a creature, or a land that makes mana by its type."""
    return "Creature" in frame.types or bool(frame.subtypes & set(BASIC_LAND_TYPES))


def paragraphs(lines: list[str], frame: Card) -> Iterator[AbilityText]:
    """The lines to read one by one; modes belong to the line above, and the sentences of a spell together."""
    found = lines_of(lines)
    if not is_spell(frame):
        yield from found
        return
    for is_body, some in groupby(found, lambda line: not line.modes and not is_apart(line.text)):
        if is_body:
            yield AbilityText(" ".join(line.text for line in some))
        else:
            yield from some


def is_apart(line: str) -> bool:
    """Whether a line of an instant or sorcery is not part of its effect."""
    return is_keywords(line) or line.startswith(
        ("As an additional cost", "~ costs ", "You may cast ~ ", "~ can't")
    )


class AbilityInManner(Struct, frozen=True):
    """An ability, and the manner in which it is printed."""

    ability: Ability
    manner: Manner = PLAIN_MANNER


def line_read(
    line: AbilityText, frame: Card, before: tuple[Ability, ...]
) -> (
    tuple[
        AbilityInManner,
        ...,
    ]
    | None
):
    """The first reading of a line that words to the same text, in some manner."""
    wanted = in_one_order("\n• ".join([line.text, *line.modes]))
    legendary = "Legendary" in frame.supertypes
    # Keywords stand alone; other abilities refer to what was chosen or enchanted.
    known = () if is_keywords(line.text) else tuple(one for one in before if is_spoken_of(one))

    def words(abilities: tuple[Ability, ...], manner: Manner) -> str:
        text = rules_text(
            replace(frame, abilities=(*known, *abilities)), [*(PLAIN_MANNER for _ in known), manner]
        )
        return in_one_order("\n".join(normal_lines(text, frame.name, legendary)[len(known) :]))

    searched = 0
    for found in islice(abilities_of(line, frame), MOST_READINGS):
        if marks_in(found, (PronounReference, TargetReference, ChoiceReference)):
            continue
        if words(found, PLAIN_MANNER) == wanted:
            return tuple(map(AbilityInManner, found))
        # A likelier reading in another manner precedes a less likely one in the default manner.
        if len(found) == 1 and searched < MOST_SEARCHED:
            searched += 1
            manner = manner_of(wanted, partial(words, found))
            if manner is not None:
                return (AbilityInManner(found[0], manner),)
    return None


MOST_SEARCHED = 4
"""Maximum number of readings for which other manners are tried."""


def is_spoken_of(ability: Ability) -> bool:
    """Whether other abilities of a card refer to what this one introduces."""
    return isinstance(ability, AsEnters) or (isinstance(ability, Keyword) and ability.keyword == "enchant")


def with_levels(said: list[AbilityInManner]) -> list[AbilityInManner]:
    """The abilities of a Class, those below a level bar in it (CR 716.2: printed in its section)."""
    above: list[AbilityInManner] = []
    for one in said:
        last = above[-1].ability if above else None
        if isinstance(last, LevelBar) and not isinstance(one.ability, LevelBar):
            above[-1] = AbilityInManner(replace(last, abilities=(*last.abilities, one.ability)))
        else:
            above.append(one)
    return above


def with_one_spell(said: list[AbilityInManner]) -> list[AbilityInManner]:
    """A spell's additional cost and its effect, merged into one ability."""
    spells = [one.ability for one in said if isinstance(one.ability, Spell)]
    if len(spells) != 2 or not spells[0].additional or spells[0].effect or spells[1].additional:
        return said
    whole = replace(spells[1], additional=spells[0].additional)
    return [
        replace(one, ability=whole) if one.ability is spells[1] else one
        for one in said
        if one.ability is not spells[0]
    ]


def with_names(card: Card) -> Card:
    """A card whose abilities have unique names, so that scripts can refer to them."""
    return replace(card, abilities=named_apart(card.abilities, set()))


def named_apart(abilities: tuple[Ability, ...], taken: set[str]) -> tuple[Ability, ...]:
    """These abilities, with names that are not taken yet; adds the names to `taken`."""
    named: list[Ability] = []
    for ability in abilities:
        if isinstance(ability, LevelBar):
            named.append(replace(ability, abilities=named_apart(ability.abilities, taken)))
            continue
        if not isinstance(ability, Activated | Triggered):
            named.append(ability)
            continue
        given = named_activated(ability) if isinstance(ability, Activated) else named_triggered(ability)
        name, number = given.name, 2
        while name in taken:
            name, number = f"{given.name} {number}", number + 1
        taken.add(name)
        named.append(replace(given, name=name))
    return tuple(named)


TYPES = frozenset(get_args(CardType))
SUPERTYPES = frozenset(get_args(Supertype))
SIZE_PATTERN = re.compile(r"[+-]?\d+|\*|\d+\+\*|\*\+\d+|\d+-\*")


def frame_of(printed: PrintedCard) -> Card | None:
    """Everything on a card except its abilities."""
    before, _, behind = printed.type_line.replace(" - ", " — ").partition(" — ")
    words = before.split()
    types: list[Any] = [word for word in words if word in TYPES]
    supertypes: list[Any] = [word for word in words if word in SUPERTYPES]
    if not types or len(types) + len(supertypes) != len(words) or "//" in printed.type_line:
        return None
    more: dict[str, Any] = {}
    for key, text in (("power", printed.power), ("toughness", printed.toughness)):
        if text is not None:
            if not SIZE_PATTERN.fullmatch(text):
                return None
            more[key] = int(text) if re.fullmatch(r"[+-]?\d+", text) else text
    if printed.loyalty is not None:
        if not printed.loyalty.isdecimal():
            return None
        more["loyalty"] = int(printed.loyalty)
    if printed.colors is not None:
        more["colors"] = frozenset(MANA_COLOR.get(color, color) for color in printed.colors)
        if not more["colors"] <= set(COLORS):
            return None
    return Card(
        name=printed.name,
        types=frozenset(types),
        cost=printed.cost or None,
        supertypes=frozenset(supertypes),
        subtypes=frozenset(behind.split()),
        **more,
    )

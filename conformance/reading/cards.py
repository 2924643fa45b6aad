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
from conformance.reading.normal import is_keywords, is_spell, merged, normal_lines, normal_text
from conformance.reading.references import Aimed, Picked, PronounReference, marks_in
from conformance.wording import rules_text
from conformance.wording.manner import PLAIN, Manner
from reference_engine.language.cards import Ability, Activated, AsEnters, Card, Keyword, Spell, Triggered
from reference_engine.language.words import BASIC_LAND_TYPES, CardType, Supertype


class Printed(Struct, frozen=True):
    """A card as a bulk file contains it."""

    name: str
    type_line: str
    text: str = ""
    cost: str = ""
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    colors: tuple[str, ...] | None = None


class Unread(Struct, frozen=True):
    """Why a card was not read: its lines in normal form, or another obstacle."""

    lines: tuple[str, ...]


MOST_READINGS = 40


def card_read(printed: Printed) -> Card | Unread:
    """A card's definition, if it words to the same text as the card."""
    frame = frame_of(printed)
    if frame is None:
        return Unread((f"type line: {printed.type_line}",))
    if not printed.text.strip() and not has_no_text(frame):
        return Unread(("no text",))
    legendary = "Legendary" in frame.supertypes
    lines = normal_lines(printed.text, printed.name, legendary)
    said: list[Said] = []
    unread: list[str] = []
    for line in paragraphs(lines, frame):
        found = line_read(line, frame, tuple(one.ability for one in said))
        if found is None:
            unread.append("\n• ".join([line.text, *line.modes]))
        else:
            said += found
    if unread:
        return Unread(tuple(unread))
    said = with_one_spell(said)
    card = with_names(replace(frame, abilities=tuple(one.ability for one in said)))
    wanted = "\n".join(merged(lines, is_spell(frame)))
    ours = normal_text(card, [one.manner for one in said])
    return card if ours == wanted else Unread((f"as a whole: {ours!r} is not {wanted!r}",))


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


class Said(Struct, frozen=True):
    """An ability, and the manner in which it is printed."""

    ability: Ability
    manner: Manner = PLAIN


def line_read(line: AbilityText, frame: Card, before: tuple[Ability, ...]) -> tuple[Said, ...] | None:
    """The first reading of a line that words to the same text, in some manner."""
    wanted = "\n• ".join([line.text, *line.modes])
    legendary = "Legendary" in frame.supertypes
    # Keywords stand alone; other abilities refer to what was chosen or enchanted.
    known = () if is_keywords(line.text) else tuple(one for one in before if is_spoken_of(one))

    def words(abilities: tuple[Ability, ...], manner: Manner) -> str:
        text = rules_text(replace(frame, abilities=(*known, *abilities)), [*(PLAIN for _ in known), manner])
        return "\n".join(normal_lines(text, frame.name, legendary)[len(known) :])

    searched = 0
    for found in islice(abilities_of(line, frame), MOST_READINGS):
        if marks_in(found, (PronounReference, Aimed, Picked)):
            continue
        if words(found, PLAIN) == wanted:
            return tuple(map(Said, found))
        # A likelier reading in another manner precedes a less likely one in the default manner.
        if len(found) == 1 and searched < MOST_SEARCHED:
            searched += 1
            manner = manner_of(wanted, partial(words, found))
            if manner is not None:
                return (Said(found[0], manner),)
    return None


MOST_SEARCHED = 4
"""Maximum number of readings for which other manners are tried."""


def is_spoken_of(ability: Ability) -> bool:
    """Whether other abilities of a card refer to what this one introduces."""
    return isinstance(ability, AsEnters) or (isinstance(ability, Keyword) and ability.keyword == "enchant")


def with_one_spell(said: list[Said]) -> list[Said]:
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
    taken: set[str] = set()
    named: list[Ability] = []
    for ability in card.abilities:
        if not isinstance(ability, Activated | Triggered):
            named.append(ability)
            continue
        given = named_activated(ability) if isinstance(ability, Activated) else named_triggered(ability)
        name, number = given.name, 2
        while name in taken:
            name, number = f"{given.name} {number}", number + 1
        taken.add(name)
        named.append(replace(given, name=name))
    return replace(card, abilities=tuple(named))


TYPES = frozenset(get_args(CardType))
SUPERTYPES = frozenset(get_args(Supertype))
SIZE = re.compile(r"[+-]?\d+|\*|\d+\+\*|\*\+\d+|\d+-\*")


def frame_of(printed: Printed) -> Card | None:
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
            if not SIZE.fullmatch(text):
                return None
            more[key] = int(text) if re.fullmatch(r"[+-]?\d+", text) else text
    if printed.loyalty is not None:
        if not printed.loyalty.isdecimal():
            return None
        more["loyalty"] = int(printed.loyalty)
    return Card(
        name=printed.name,
        types=frozenset(types),
        cost=printed.cost or None,
        supertypes=frozenset(supertypes),
        subtypes=frozenset(behind.split()),
        **more,
    )

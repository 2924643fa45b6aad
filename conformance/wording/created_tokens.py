"""Tokens that are created, in words: "create two 1/1 red Goblin creature tokens with haste"."""

from __future__ import annotations

from conformance.wording.english import (
    IT,
    SUPERTYPES_IN_ORDER,
    THEY,
    TYPES_IN_ORDER,
    Clause,
    Noun,
    Setting,
    Verb,
    color_words,
    series,
    subtypes_in_order,
    words_in_order,
)
from conformance.wording.operations import exceptions, given_abilities
from conformance.wording.phrases import letter_and_meaning, noun, object_of, quantity_of_noun
from conformance.wording.tokens import is_predefined
from reference_engine.language.cards import Card, Create, Quantity, X
from reference_engine.language.words import MANA_COLOR


def create(instruction: Create, setting: Setting) -> Clause:
    """A clause that creates tokens."""
    who = noun(instruction.who, setting, "each")
    token = instruction.token
    predefined = token is not None and is_predefined(token)
    letter, meaning = "", ""
    if instruction.size is not None:
        letter, meaning = size_in_words(instruction.size, setting)
    core = "token" if token is None else f"{token.name} token" if predefined else token_core(token, letter)
    core = f"tapped {core}" if instruction.tapped and not instruction.attacking else core
    made = quantity_of_noun(instruction.n, core, setting)
    behind = "" if token is None or predefined else token_rest(token, setting)
    tail = made.tail + meaning
    states = ("tapped", "attacking") if instruction.tapped else ("attacking",)
    entering = states if instruction.attacking else ()
    if instruction.copy_of is not None:
        model = object_of(instruction.copy_of, setting, "some")
        behind += f" that's a copy of {model}" if instruction.n == 1 else f" that are copies of {model}"
        tail = exceptions(instruction.but, IT if instruction.n == 1 else THEY, setting) + tail
    if entering:
        that_is = "that's" if instruction.n == 1 else "that are"
        behind += f" {that_is} {series(entering)}"
    return Clause(who, (Verb(f"create {made.text}{behind}", tail),), order=not setting.manner.creating)


def size_in_words(size: Quantity, setting: Setting) -> tuple[str, str]:
    """The power and toughness of a token as a letter, and its explanation."""
    return ("X", "") if isinstance(size, X) else letter_and_meaning(size, setting)


def token_core(token: Card, letter: str = "") -> str:
    """The description of a token, ending with that word: "1/1 black Faerie Rogue creature token"."""
    size = (
        [f"{token.power}/{token.toughness}"] if token.power is not None or token.toughness is not None else []
    )
    size = [f"{letter}/{letter}"] if letter else size
    words = [
        *map(str.lower, words_in_order(token.supertypes, SUPERTYPES_IN_ORDER)),
        *(text.replace("None", "0") for text in size),
        color_words(colors_of(token)),
        *subtypes_in_order(token.subtypes),
        *map(str.lower, words_in_order(token.types, TYPES_IN_ORDER)),
    ]
    return " ".join([*words, "token"])


def token_rest(token: Card, setting: Setting) -> str:
    """A token's name and abilities: " named Kaldra with flying"."""
    has = []
    if token.cost is not None:
        has.append(f"mana cost {token.cost or '{0}'}")
    if token.loyalty is not None:
        has.append(f"loyalty {token.loyalty}")
    if token.abilities:
        has.append(given_abilities(token.abilities, Noun("token", head="token"), setting))
    named = "" if sorted(token.name.split()) == sorted(token.subtypes) else f" named {token.name}"
    return named + (f" with {series(has)}" if has else "")


def colors_of(card: Card) -> frozenset[str]:
    """A card's colours: its colour indicator, or those of its mana cost."""
    if card.colors is not None:
        return frozenset(card.colors)
    return frozenset(color for symbol, color in MANA_COLOR.items() if symbol in (card.cost or ""))

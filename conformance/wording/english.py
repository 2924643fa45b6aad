"""Words, nouns, verbs and clauses of rules text, and how a text refers to things it has mentioned.

"Target creature" at first, "that creature" later, "it" within one sentence: a `Setting` keeps track.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal, NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import astuple, replace

from conformance.wording.manner import PLAIN_MANNER, Manner
from reference_engine.language.cards import (
    Activated,
    All,
    AsEnters,
    Card,
    Defines,
    It,
    Keyword,
    Selector,
    Spell,
    Static,
    The,
    This,
    Triggered,
    You,
)
from reference_engine.language.words import (
    CHOSEN_COLOR,
    COLORS,
    CardType,
    Supertype,
    Zone,
)

# ------------------------------------------------------------------------------------- words

_Word = TypeVar("_Word", bound=str)
NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    "twenty",
)
IRREGULAR_PLURALS = {
    "Dwarf": "Dwarves",
    "Elf": "Elves",
    "Fungus": "Fungi",
    "Hero": "Heroes",
    "Mouse": "Mice",
    "Ox": "Oxen",
    "Werewolf": "Werewolves",
    "Wolf": "Wolves",
}
SAME_IN_PLURAL = ("Eldrazi", "Equipment", "Fish", "Plains", "Samurai", "Sheep", "Urza's", "folk")
AS_MANY_AS_YOU_LIKE = 99
"""From this upper limit on, a card says "any number of"."""


def number(n: int) -> str:
    """A number as rules text writes it: small numbers in words."""
    return NUMBERS[n] if 0 <= n < len(NUMBERS) else str(n)


ORDINALS = ("zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


def ordinal(n: int) -> str:
    """A place in a series: "second"."""
    return ORDINALS[n] if 0 <= n < len(ORDINALS) else f"{n}th"


def plural(phrase: str) -> str:
    """The plural of the last word of a phrase."""
    head, space, last = phrase.rpartition(" ")
    if last.endswith(SAME_IN_PLURAL):
        return phrase
    if last in IRREGULAR_PLURALS:
        return head + space + IRREGULAR_PLURALS[last]
    if last.endswith("y") and last[-2:-1] not in ("a", "e", "o", "u"):
        return phrase[:-1] + "ies"
    return phrase + ("es" if last.endswith(("s", "x", "z", "ch", "sh")) else "s")


def with_article(phrase: str) -> str:
    """A phrase with "a" or "an", depending on its sound."""
    if phrase.startswith("other "):
        return f"an{phrase}"
    vowel = re.match(r"[aeio]|u(?!ni[^m])|8|1[18]\b|x\b", phrase, re.IGNORECASE)
    return f"{'an' if vowel else 'a'} {phrase}"


def series(items: Iterable[str], word: str = "and") -> str:
    """A list within a sentence: "a", "a and b", "a, b, and c"."""
    several = list(items)
    if len(several) < 3:
        return f" {word} ".join(several)
    return f"{', '.join(several[:-1])}, {word} {several[-1]}"


def capital(text: str) -> str:
    """The text, capitalized if it begins with a letter."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A complete sentence; a quotation keeps its own period only at the end."""
    text = re.sub(r"""\.(["']+)(?=[ ,:;])""", r"\1", text)
    return capital(text) + ("" if re.search(r"""[.]["']*$""", text) else ".")


def paragraph(said: Iterable[str]) -> str:
    """Sentences joined to a paragraph."""
    return " ".join(map(sentence, said))


def run_on(said: Sequence[str]) -> str:
    """Several sentences as the rest of a single one."""
    return ", then ".join(said) or "nothing happens"


def words_in_order(words: Iterable[_Word], order: Sequence[str] = ()) -> list[_Word]:
    """Words in the order in which cards list them; others follow alphabetically."""
    every = list(words)
    if len(every) < 2:
        return every
    return sorted(every, key=lambda word: (order.index(word) if word in order else len(order), word))


TYPES_IN_ORDER: tuple[CardType, ...] = (
    "Kindred",
    "Enchantment",
    "Artifact",
    "Land",
    "Creature",
    "Planeswalker",
    "Battle",
    "Instant",
    "Sorcery",
)
SUPERTYPES_IN_ORDER: tuple[Supertype, ...] = ("Basic", "Legendary", "Snow", "World")
COLORS_IN_ORDER = (*COLORS, CHOSEN_COLOR)
CLASSES = frozenset(
    {
        *("Advisor", "Archer", "Artificer", "Assassin", "Avatar", "Barbarian", "Bard", "Berserker"),
        *("Cleric", "Druid", "Flagbearer", "Knight", "Mercenary", "Minion", "Monk", "Ninja", "Peasant"),
        *("Pilot", "Pirate", "Ranger", "Rebel", "Rogue", "Samurai", "Scout", "Shaman", "Soldier", "Sorcerer"),
        *("Spellshaper", "Warlock", "Warrior", "Wizard"),
    }
)
"""Creature types that say what a creature does; cards print them after those that say what it is."""


def subtypes_in_order(subtypes: Iterable[str]) -> list[str]:
    """Subtypes in the order of a type line: what a creature is, then what it does."""
    return sorted(subtypes, key=lambda subtype: (subtype == "Ally", subtype in CLASSES, subtype))


def around(colors: Sequence[str]) -> Sequence[str]:
    """Two colours in the order in which cards name them: the shorter way around the colour wheel."""
    if len(colors) != 2 or not set(colors) <= set(COLORS):
        return colors
    one, other = (COLORS_IN_ORDER.index(color) for color in colors)
    return colors if other - one <= 2 else (colors[1], colors[0])


def color_words(colors: Iterable[str]) -> str:
    """A list of colours: "white and blue"; a chosen one is "the chosen color"; none is "colorless"."""
    order = around(words_in_order(colors, COLORS_IN_ORDER))
    words = [f"the {CHOSEN_COLOR}" if color == CHOSEN_COLOR else color for color in order]
    return series(words) or "colorless"


# --------------------------------------------------------------------------- nouns and verbs

Person = Literal["thing", "player", "you"]
Form = Literal["some", "each", "all", "subject", "one", "many"]
"""How to refer to a group: a creature, each creature, all creatures, creatures; two without article."""


class Noun(Struct, frozen=True):
    """A noun phrase, with what verbs, pronouns and later sentences need to know about it."""

    text: str
    many: bool = False
    person: Person = "thing"
    head: str = "permanent"
    """Its short name on the battlefield: creature, land, Aura."""
    long: bool = False
    """Whether words follow the head, so that one says "the power of …"."""
    zone: Zone = "battlefield"
    yours: bool = False
    """Whether it is one of your cards."""


YOU = Noun("you", person="you")
IT = Noun("it")
THEY = Noun("they", many=True)
PRONOUNS = {"it": ("it", "its"), "they": ("them", "their"), "you": ("you", "your")}


def pronoun(noun: Noun) -> Noun:
    """The pronoun for a noun in the rest of its sentence."""
    if noun.person == "you":
        return noun
    they = noun.many or noun.person == "player"
    return replace(noun, text="they" if they else "it", many=they, long=False)


def short_head(noun: Noun) -> str:
    """The short name of an object in its zone: card, spell, creature."""
    if noun.person != "thing":
        return "player"
    return {"battlefield": noun.head, "stack": "spell"}.get(noun.zone, "card")


def later_reference(noun: Noun, word: str = "") -> Noun:
    """How later sentences refer to a noun: "that creature", "the chosen card"."""
    if noun.person == "you":
        return noun
    head = short_head(noun)
    if noun.many:
        head = " or ".join(map(plural, head.split(" or ")))
    return replace(noun, text=f"{word or ('those' if noun.many else 'that')} {head}", long=False)


def objective(noun: Noun) -> str:
    """A noun as the object of a verb."""
    return PRONOUNS[noun.text][0] if noun.text in PRONOUNS else noun.text


def possessive(noun: Noun) -> str:
    """A noun as the owner of what follows."""
    if noun.text in PRONOUNS:
        return PRONOUNS[noun.text][1]
    return noun.text + ("'" if noun.many and noun.text.endswith("s") else "'s")


def belonging_to(owner: Noun, thing: str) -> str:
    """Something that belongs to a noun: "its power", "the power of target creature you control"."""
    return f"the {thing} of {owner.text}" if owner.long else f"{possessive(owner)} {thing}"


THIRD_PERSON = {
    "are": "is",
    "copy": "copies",
    "scry": "scries",
    "aren't": "isn't",
    "don't": "doesn't",
    "have": "has",
    "haven't": "hasn't",
    "were": "was",
    "weren't": "wasn't",
}
MODALS = frozenset({"can", "can't", "may", "must", "would"})
INFINITIVES = {
    "are": "be",
    "aren't": "not be",
    "can": "be able to",
    "can't": "be unable to",
    "don't": "not",
    "may": "be allowed to",
    "must": "have to",
}


class Verb(NamedTuple):
    """A verb in the plural with its objects; `tail` follows the duration."""

    text: str
    tail: str = ""


def conjugated(text: str, subject: Noun) -> str:
    """A verb phrase, conjugated for its subject."""
    verb, space, rest = text.partition(" ")
    if subject.many or subject.person == "you" or verb in MODALS:
        return text
    ending = "es" if verb.endswith(("s", "x", "ch", "sh")) else "s"
    return THIRD_PERSON.get(verb, verb + ending) + space + rest


def infinitive(text: str) -> str:
    """A verb phrase in the form that follows "may"."""
    verb, space, rest = text.partition(" ")
    return INFINITIVES.get(verb, verb) + space + rest


class Clause(Struct, frozen=True):
    """A subject, its verbs, and the duration; `order` marks an instruction, which omits the subject "you"."""

    subject: Noun
    verbs: tuple[Verb, ...]
    during: str = ""
    order: bool = False


def statement(who: Noun, text: str, during: str = "") -> Clause:
    """A clause with one verb."""
    return Clause(who, (Verb(text),), during)


def command(who: Noun, text: str, tail: str = "", during: str = "") -> Clause:
    """A clause that gives you an instruction ("do this"), or says that others do it."""
    return Clause(who, (Verb(text, tail),), during, order=True)


def with_duration(said: str, clause: Clause, subject: str = "") -> str:
    """The words of a clause with its duration: at the end, but before anything that follows a quotation."""
    tails = "".join(verb.tail for verb in clause.verbs)
    if clause.during and '"' in said:
        return f"{clause.during.strip()}, {subject}{said}{tails}"
    return f"{subject}{said}{clause.during}{tails}"


def finite(clause: Clause) -> str:
    """A clause as a sentence or part of one."""
    subject = clause.subject
    *earlier, last = clause.verbs
    if any(verb.tail.startswith(" for each ") for verb in earlier):
        # "gets +1/+1 for each Forest and has reach": such words belong to their verb alone.
        inside = [Verb(verb.text + verb.tail) if "for each" in verb.tail else verb for verb in earlier]
        clause = replace(clause, verbs=(*inside, last))
    said = series(conjugated(verb.text, subject) for verb in clause.verbs)
    if clause.order and subject.person == "you":
        return with_duration(said, clause)
    if subject.text == "it" and said.startswith("is "):
        return with_duration(said.removeprefix("is"), clause, "it's")
    return with_duration(said, clause, f"{subject.text} ")


def permission_to(clause: Clause, who: Noun) -> str:
    """A clause as something that a player may do or have happen."""
    said = series(infinitive(verb.text) for verb in clause.verbs)
    if clause.subject.text in (who.text, pronoun(who).text):
        return with_duration(said, clause, f"{who.text} may ")
    return with_duration(said, clause, f"{who.text} may have {objective(clause.subject)} ")


SELECTORS = {This, It, The, You}
"""Selectors that can be referred to differently once they have been mentioned."""


class Setting(Struct, frozen=True):
    """How a text refers to each thing at a given point."""

    said: Mapping[Selector, Noun]
    full: Mapping[Selector, Noun]
    """How to refer to things that have been mentioned, where a pronoun is not possible."""
    itself: str
    """The name of the object whose ability this is: this creature, this spell."""
    quotes: int = 0
    """Depth of nested quotations."""
    letters: str = "XYZ"
    """Letters that are still free for numbers that are explained later."""
    manner: Manner = PLAIN_MANNER
    several: bool = False
    """Whether the next event is about one or more objects."""
    it_stays: bool = False
    """Whether "it" is still clear after a player has been mentioned."""
    latest: frozenset[Selector] = frozenset()
    """What was mentioned last, if anything was since the text began: only that can be "it" later."""

    def with_words(
        self, said: Mapping[Selector, Noun], full: Mapping[Selector, Noun] | None = None
    ) -> Setting:
        """The same setting, with other words for some things, and others for later."""
        return replace(self, said={**self.said, **said}, full={**self.full, **(full or {})})

    def about(self, who: Selector, spoken: Noun) -> Setting:
        """The setting for the rest of a sentence about something: only that thing is "it"."""
        named = {one: noun for one, noun in self.full.items() if self.said[one].text in PRONOUNS}
        if self.it_stays and spoken.person != "thing":
            named = {}
        mine: dict[Selector, Noun] = {} if isinstance(who, All) else {who: spoken}
        return self.with_words({**named, **mine})

    def spoken(self, how: Literal["it", "again"] | None) -> Setting:
        """The same setting, referring to things mentioned earlier in this way."""
        if how is None:
            return self
        named = {who: noun for who, noun in self.full.items() if who in self.said and self.is_named(who)}
        if how == "it":
            named = {who: pronoun(noun) for who, noun in named.items() if self.is_latest(who)}
        return replace(self.with_words(named), it_stays=how == "it")

    def is_named(self, who: Selector) -> bool:
        """Whether something was mentioned before, so that a short form will do."""
        return self.said[who] == self.full[who] or self.said[who].text in PRONOUNS

    def is_latest(self, who: Selector) -> bool:
        """Whether a pronoun would mean this, and nothing that was mentioned later."""
        word = pronoun(self.full[who]).text
        return who in self.latest or all(pronoun(self.full[one]).text != word for one in self.latest)

    def after(self, told: object, new: Mapping[Selector, Noun] | None = None) -> Setting:
        """The setting after `told`, which may introduce new things: those mentioned in it are known.

        "It" works if only one was mentioned, and for nothing that was mentioned before.
        """
        things = things_in(told)
        mentioned = {thing for thing in things if type(thing) in SELECTORS}
        named = [who for who in self.full if who in mentioned]
        others = any(type(who) is The or type(who) is All for who in things)
        known = {who: self.full[who] for who in named if others or self.said[who].text not in PRONOUNS}
        return self.with_words({**known, **(new or {})}, new).mentioning((*named, *(new or ())))

    def mentioning(self, things: Iterable[Selector]) -> Setting:
        """The setting after these things were mentioned: anything older needs a noun again."""
        new = frozenset(who for who in things if who in self.full and self.full[who].person == "thing")
        words = {pronoun(self.full[who]).text for who in new}
        if not new:
            return self
        older = {who for who in self.full if pronoun(self.full[who]).text in words} - new
        stale = {who: self.full[who] for who in older if self.said[who].text in words}
        return replace(self.with_words(stale), latest=(self.latest - older) | new)


CLOSED = frozenset({Static, Defines, Activated, Triggered, Spell, AsEnters, Keyword, Card})


def things_in(value: object) -> list[object]:
    """Every text and part in a value, except in abilities and cards that it gives or makes."""
    found: list[object] = []
    add_things(value, found)
    return found


def add_things(value: object, found: list[object]) -> None:
    """Append a value and every text and part in it to `found`."""
    found.append(value)
    kind: type = type(value)
    if kind is tuple or kind is frozenset:
        inside: Iterable[object] = value  # type: ignore[assignment]  # its type says so
    else:
        inside = astuple(value) if is_looked_into(kind) else ()  # type: ignore[arg-type]  # a struct, then
    for one in filter(None, inside):
        if type(one) is str:
            found.append(one)
        elif type(one) not in NUMBERS_AND_FLAGS:
            add_things(one, found)


NUMBERS_AND_FLAGS = {int, bool}


@cache
def is_looked_into(kind: type) -> bool:
    """Whether to look into values of this type."""
    return issubclass(kind, Struct) and kind not in CLOSED

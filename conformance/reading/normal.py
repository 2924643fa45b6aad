"""The normal form in which printed text and ours are compared.

Texts with the same normal form differ only in ways that have no meaning in the rules:

- reminder text (CR 207.2a: text in parentheses) is left out, and so are ability words (CR 207.2c);
- an object that refers to itself is `~`, whether by its name, the short name of a legend, or "this creature"
  (CR 201.5: a name in text stands for the object); inside quotation marks "this creature" is another object
  and stays;
- "enters the battlefield" is "enters";
- "each player's upkeep" and "the end step" are "each upkeep" and "each end step", and a card that was
  searched for is "it", and not "that card", in the same sentence;
- flavor words (CR 207.2d: without meaning) in front of an ability are left out;
- keywords are on one line, however many lines they are printed on, and so are the paragraphs of an instant's
    or sorcery's effect (CR 608.2c: in the order written);
- to investigate is to create a Clue token (CR 701.16a), and to be put into a graveyard from the battlefield
    is to die (CR 700.4);
- players sacrifice permanents of their choice, whether the card says so or not (CR 701.21a, 608.2d);
- a first main phase is a precombat main phase (CR 505.1a), and "in addition to its other creature types" is
    "in addition to its other types";
- "artifacts and/or creatures" is "artifacts and creatures", and "for each artifact and creature card" (or
    "and/or") is "for each artifact or creature card": both are about every object of one kind or the other;
- "as long as it's your turn" is "during your turn";
- "there's" is "there is", "their owner's hand" is "their owners' hands", and creature types that describe one
    object may be in any order;
- "he" and "she" are the legend itself;
- there is one kind each of quotation marks, apostrophes, minus signs, dashes and spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from conformance.wording import rules_text
from conformance.wording.english import NUMBERS
from conformance.wording.manner import Manner
from reference_engine.language.cards import Card
from reference_engine.language.subtypes import KIND_OF

TYPOGRAPHY = str.maketrans({"’": "'", "\u2018": "'", "“": '"', "”": '"', "−": "-", "–": "-", "\u00a0": " "})
REMINDER = re.compile(r" ?\([^()]*\)")
ABILITY_WORDS = (
    *("Adamant", "Addendum", "Alliance", "Battalion", "Bloodrush", "Celebration", "Channel", "Chroma"),
    *("Cohort", "Constellation", "Converge", "Corrupted", "Council's dilemma", "Coven", "Delirium"),
    *("Disappear", "Infusion"),
    *("Descend 4", "Descend 8", "Domain", "Eerie", "Eminence", "Enrage", "Fateful hour"),
    *("Fathomless descent", "Ferocious", "Flurry", "Formidable", "Grandeur", "Hellbent", "Heroic"),
    *("Imprint", "Inspired", "Join forces", "Kinship", "Landfall", "Lieutenant", "Magecraft", "Opus"),
    *(
        "Metalcraft",
        "Morbid",
        "Pack tactics",
        "Paradox",
        "Parley",
        "Radiance",
        "Raid",
        "Rally",
        "Renew",
        "Repartee",
    ),
    *("Revolt", "Secret council", "Spell mastery", "Strive", "Survival", "Sweep", "Tempting offer"),
    *("Threshold", "Undergrowth", "Valiant", "Vivid", "Void", "Will of the council"),
)
"""Italic words that group cards and have no meaning in the rules (CR 207.2c: ability words)."""
ABILITY_WORD = re.compile(rf"^(• )?(?:{'|'.join(ABILITY_WORDS)}) — ", re.MULTILINE)
FLAVOR_WORDS = re.compile(
    r"^((?:[IVX]+(?:, [IVX]+)* — )?)(?!Max speed|To solve|Choose|(?:[IVX]+(?:, [IVX]+)*) —)"
    r"(?:[A-Z~][\w'!.~-]*)(?: (?:[A-Z~][\w'!.~-]*|a|an|and|in|of|the|to|with|your|on|by|from|for))+"
    r" — (?=[A-Z~{])",
    re.MULTILINE,
)
"""Two or more words in front of an ability that only set a mood; keywords printed like this are excluded."""
ENTERS = re.compile(r"\b(enter(?:s|ed)?) the battlefield\b(?! under)")
STEP_PATTERN = re.compile(r"the beginning of (?:each player's (?=upkeep|end step)|the (?=end step\b))()")
INVESTIGATE = re.compile(r"\b[Ii]nvestigate(s?)\b(?= *[.,]| and)")
SEARCHED = re.compile(r"\b[Ss]earch(?:es)? [^.]* library for [^.]*")
HE_OR_SHE = re.compile(
    r"\b(?:[Hh]e|[Ss]he|him|(?P<his>[Hh]is|[Hh]er)(?! (?:to|on|under|until|with)\b))\b|\bher\b"
)
"""How a legend may be spoken of; players are always "they"."""
DIES = re.compile(r"\b(?:(is)|are|(was|were)) put into a graveyard from the battlefield\b")
OF_THEIR_CHOICE = re.compile(r"(\b[Ss]acrifices? [^.,]*?) of (?:their|his or her) choice\b")
EACH_OF_TWO_KINDS = re.compile(
    r"\b(for each (?:other )?[\w-]+) and(?:/or)? (?=[\w-]+ (?:card |attached |you ))"
    r"|\b(black|blue|green|red|white) and/or (?=black|blue|green|red|white)"
)
AND_OR = re.compile(
    r"\band/or(?= (?:other |(?:non)?basic )?"
    r"(?:[A-Z]|(?:artifact|battle|creature|enchantment|instant|land|planeswalker|sorcery|token)s?\b))"
)
"""Between kinds of objects; "with flying and/or haste" is something else than "with flying and haste"."""
DOUBLED = re.compile(r"\b(deals? (?:double|triple) that damage) to that [\w ]+ instead\b")
SPENT = re.compile(r"\b[Ss]pend this mana only to [^.]*")
SPENT_ON = re.compile(r"( or) to(?= )| or (?=[\w-]+ spells)| (?:or|and) (?=activate abilities)")
"""Words that mean the same where a text says what mana may be spent on."""
NUMBER_IN_SUM = re.compile(rf"\b({'|'.join(NUMBERS[:11])})(?= (?:plus|minus) )")
THEIR_OWNER = re.compile(r"\b(their) owner(?:'s|s') (hand|graveyard|control)s?\b")
CREATURE_WORDS = frozenset(word for word, kind in KIND_OF.items() if kind == "creature")
TYPE_WORDS = re.compile(r"\b[A-Z][\w'-]*(?: [A-Z][\w'-]*)+")
PRONOUN_FOR = {"that card": "it", "those cards": "them"}
FOUND = re.compile("|".join(PRONOUN_FOR))
ITSELF = re.compile(
    r"\b[Tt]his (?:creature|planeswalker|battle|land|artifact|enchantment|card|spell|permanent|token|Aura"
    r"|Equipment|Vehicle|Saga|Class|Case|Room|Fortification)\b"
)
QUOTED = re.compile(r'("[^"]*")')


def normal_form(text: str, name: str, legendary: bool, spell: bool = False) -> str:
    """A card's rules text without anything that has no meaning."""
    return in_one_order("\n".join(merge_lines(normal_lines(text, name, legendary), spell)))


def normal_lines(text: str, name: str, legendary: bool) -> list[str]:
    """The normal form, line by line as printed."""
    text = REMINDER.sub("", text.translate(TYPOGRAPHY)).replace("\r", "")
    text = own_names(name.translate(TYPOGRAPHY), legendary).sub("~", text)
    if legendary:
        text = HE_OR_SHE.sub(lambda he: "~'s" if he["his"] else "~", text.replace("his or her", "their"))
    text = ABILITY_WORD.sub(lambda match: match[1] or "", text)
    text = FLAVOR_WORDS.sub(r"\1", text)
    text = ENTERS.sub(r"\1", text)
    text = INVESTIGATE.sub(
        lambda found: f"{'C' if found[0][0] == 'I' else 'c'}reate{found[1]} a Clue token", text
    )
    text = STEP_PATTERN.sub(r"the beginning of each \1", text)
    text = DIES.sub(lambda found: "dies" if found[1] else "died" if found[2] else "die", text)
    text = OF_THEIR_CHOICE.sub(r"\1", text)
    text = re.sub(
        r"\bin addition to (its|their) other creature types\b", r"in addition to \1 other types", text
    )
    text = re.sub(r"\bfirst main phase\b", "precombat main phase", text)
    text = re.sub(r"\b((?:[Pp]ut|reveal) \w+) of those cards\b", r"\1 of them", text)
    text = NUMBER_IN_SUM.sub(lambda found: str(NUMBERS.index(found[1])), text)
    text = THEIR_OWNER.sub(
        lambda found: f"{found[1]} owners' {found[2]}{'' if found[2] == 'control' else 's'}", text
    )
    text = re.sub(r"\b([Aa]s long as) it's your turn(?=[,.]|$)", on_your_turn, text)
    text = EACH_OF_TWO_KINDS.sub(lambda found: f"{found[1] or found[2]} or ", text)
    text = AND_OR.sub("and", text)
    text = DOUBLED.sub(r"\1 instead", text)
    text = SPENT.sub(lambda found: SPENT_ON.sub(lambda two: two[1] or " and ", found[0]), text)
    text = re.sub(r", if it isn't a mana ability(?=,)", " that isn't a mana ability", text)
    text = re.sub(r"\ban ability of ([^,.]*) is activated\b", r"a player activates an ability of \1", text)
    text = re.sub(r"\b([Tt]here)'s\b", r"\1 is", text)
    text = SEARCHED.sub(lambda found: FOUND.sub(lambda card: PRONOUN_FOR[card[0]], found[0]), text)
    parts = QUOTED.split(text)
    text = "".join(part if part.startswith('"') else ITSELF.sub("~", part) for part in parts)
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return [line.replace("; ", ", ") if is_keywords(line) else line for line in lines if line]


def on_your_turn(found: re.Match[str]) -> str:
    """ "As long as it's your turn" in the words of newer cards."""
    return "During your turn" if found[1][0] == "A" else "during your turn"


def in_one_order(text: str) -> str:
    """A text in which creature types that follow one another are in alphabetical order."""

    def ordered(found: re.Match[str]) -> str:
        words = found[0].split(" ")
        return " ".join(sorted(words)) if CREATURE_WORDS.issuperset(words) else found[0]

    return TYPE_WORDS.sub(ordered, text)


def merge_lines(lines: Iterable[str], spell: bool) -> list[str]:
    """The lines, joined where the division means nothing: keywords, and sentences of a spell."""
    whole: list[str] = []
    for line in lines:
        before = whole[-1] if whole else ""
        if before and is_keywords(before) and is_keywords(line):
            whole[-1] = f"{before}, {line[:1].lower()}{line[1:]}"
        elif spell and before.endswith(ENDS) and line.endswith(ENDS) and "•" not in before + line:
            whole[-1] = f"{before} {line}"
        else:
            whole.append(line)
    return whole


ENDS = (".", '."', ".'")


def is_keywords(line: str) -> bool:
    """Whether a line is not a sentence, but a list of keywords."""
    return not line.endswith((*ENDS, '"', "—")) and "•" not in line and ": " not in line


@lru_cache(maxsize=4096)
def own_names(name: str, legendary: bool) -> re.Pattern[str]:
    """What a card may call itself: its name, or for a legend also the first part of it."""
    names = [name]
    if legendary:
        names += re.findall(r"^(.+?)(?:,| of | the )", name)
    return re.compile("|".join(rf"(?<![\w-]){re.escape(one)}(?![\w-])" for one in names if one) or r"\Z\A")


def normal_text(card: Card, manners: Sequence[Manner] = ()) -> str:
    """The normal form of the text made from a definition, with its abilities in these manners."""
    return normal_form(rules_text(card, manners), card.name, "Legendary" in card.supertypes, is_spell(card))


def is_spell(card: Card) -> bool:
    """Whether a card is an instant or sorcery."""
    return bool(card.types & {"Instant", "Sorcery"})

"""A card's definition, a player's action and a whole scenario, in the words players use.

The fronts are `rules_text`, `type_line`, `card_text`, `ability_text`, `action_text` and
`scenario_text`; all stand at the end. The text is generated from the definition, never pasted, and
follows the game's usual templates, so that a person can check a card by reading it and an engine that
reads rules text can be handed it.

The rest is a small grammar in the order of `reference_engine.cards`: words, noun phrases (who),
quantities, conditions, operations (what a continuous effect does, in two voices: what *is* so while it
lasts, and what *becomes* so as something resolves), costs, instructions, events, abilities. A phrase
that depends on what was said before is made in a `Setting`, which knows how each thing is spoken of at
that point: "target creature" at first, "that creature" later, "it" within one sentence.

Every member of every union has its words here, whether a card uses it or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal, NamedTuple, assert_never, get_args

from msgspec import Struct
from msgspec.structs import replace

from conformance import scenario
from reference_engine import actions
from reference_engine.actions import Action
from reference_engine.cards import (
    Ability,
    AbilityTriggers,
    Activated,
    ActivePlayer,
    AddColors,
    AddEveryType,
    AddMana,
    AddTypes,
    All,
    AllOf,
    AlternativeCost,
    AnyColorMana,
    AnyOf,
    AsEnters,
    AsThoughFlash,
    AtLeast,
    Attach,
    Attached,
    Attacks,
    Base,
    BecomeCopy,
    BecomesBlocked,
    BecomesTapped,
    BecomesTarget,
    BecomesUntapped,
    Beginning,
    Blocks,
    Cannot,
    CannotHave,
    Card,
    Cast,
    ChangeTarget,
    Choose,
    ChosenNumber,
    ChosenPlayer,
    Compare,
    Comparison,
    Condition,
    ControllerOf,
    CopyAsEnters,
    CopySpell,
    Cost,
    Costs,
    Count,
    Counters,
    CounterSpell,
    Create,
    Damage,
    DealsDamage,
    DefendingPlayer,
    Defines,
    Destroy,
    Dies,
    Discard,
    DiscardCost,
    Discards,
    Draw,
    Draws,
    Duration,
    Effect,
    Enters,
    EntersTapped,
    Event,
    Everyone,
    ExchangeControl,
    Exile,
    ExileCost,
    Exists,
    ExtraTurn,
    FaceDown,
    Filter,
    ForEachPlayer,
    Gain,
    GainControl,
    GainLife,
    GainsLife,
    HandSize,
    If,
    Instruction,
    It,
    Keyword,
    LandDrops,
    LandsTapFor,
    Later,
    Leaves,
    LifeCost,
    LookAt,
    Lose,
    LoseAllAbilities,
    LoseLife,
    LoseTypes,
    LoyaltyCost,
    ManaCost,
    Matches,
    May,
    MillCost,
    Mode,
    Modify,
    Must,
    Not,
    OnlyAsSorcery,
    Operation,
    Opponents,
    Option,
    OwnerOf,
    Part,
    Plays,
    PropertyOf,
    Put,
    PutCounters,
    Quantity,
    Regenerate,
    RemoveCounters,
    RemoveCountersCost,
    ReplaceWord,
    ReturnCost,
    Reveal,
    Sacrifice,
    SacrificeCost,
    Search,
    Selector,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetName,
    SetTypes,
    SkipStep,
    Spell,
    State,
    Static,
    Sum,
    Switch,
    Tap,
    TapOthers,
    TapThis,
    TargetSpec,
    TextOf,
    The,
    This,
    Times,
    Triggered,
    Turn,
    TurnedFaceUp,
    TurnFace,
    Untap,
    UntapThis,
    Was,
    X,
    You,
)
from reference_engine.words import (
    ALL_CREATURE_TYPES,
    CHOSEN_COLOR,
    CHOSEN_TYPE,
    COLORS,
    CardType,
    Step,
    Supertype,
    Zone,
    kind_of_subtype,
)

# ------------------------------------------------------------------------------------- words

NUMBERS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
)
IRREGULAR_PLURALS = {
    "Dwarf": "Dwarves",
    "Elf": "Elves",
    "Werewolf": "Werewolves",
    "Wolf": "Wolves",
    "Mouse": "Mice",
    "Ox": "Oxen",
    "Fungus": "Fungi",
    "Octopus": "Octopuses",
}
SAME_IN_PLURAL = ("folk", "Equipment", "Plains", "Sphinx's", "Urza's", "Eldrazi", "Samurai", "Fish", "Sheep")
FAR_MANY = 99
"""So many or more of something, where a card sets an upper limit, means "any number of"."""


def number(n: int) -> str:
    """A number as rules text counts things: in words as far as cards do."""
    return NUMBERS[n] if 0 <= n < len(NUMBERS) else str(n)


def plural(word: str) -> str:
    """Several of what a word names."""
    head, space, last = word.rpartition(" ")
    if last.endswith(SAME_IN_PLURAL):
        return word
    if last in IRREGULAR_PLURALS:
        return head + space + IRREGULAR_PLURALS[last]
    if last.endswith("y") and last[-2:-1] not in ("a", "e", "o", "u"):
        return word[:-1] + "ies"
    return word + ("es" if last.endswith(("s", "x", "z", "ch", "sh")) else "s")


def with_article(phrase: str) -> str:
    """A noun phrase with "a" or "an" before it, by how it sounds."""
    sounds_like_vowel = re.match(r"(?i)(?:[aeiou]|8|11\b|18\b|X\b)(?!ni[cqtv]|rza)", phrase)
    return f"{'an' if sounds_like_vowel or phrase.startswith('Urza') else 'a'} {phrase}"


def series(items: Iterable[str], word: str = "and") -> str:
    """Items as a list in a sentence: "a", "a and b", "a, b, and c"."""
    *first, last = items or ("",)
    if not first:
        return last
    return f"{first[0]} {word} {last}" if len(first) == 1 else f"{', '.join(first)}, {word} {last}"


def capital(text: str) -> str:
    """The text with a capital letter in front, if it begins with a letter."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A finished sentence; only a quotation at its very end keeps its own period."""
    text = re.sub(r"""\.(["']+)(?=[ ,:;])""", r"\1", text)
    return capital(text) + ("" if re.search(r"""[.]["']*$""", text) else ".")


def paragraph(said: Iterable[str]) -> str:
    """Sentences one after the other."""
    return " ".join(map(sentence, said))


def run_on(said: Sequence[str]) -> str:
    """What would be several sentences as the rest of one."""
    return ", then ".join(said) or "nothing happens"


def signed(n: int, like: int = 0) -> str:
    """A change of power or toughness; zero takes the sign of the other number."""
    return f"{n:+d}" if n or like >= 0 else "-0"


def sorted_by[Word: str](words: Iterable[Word], order: Sequence[str]) -> list[Word]:
    return sorted(words, key=lambda word: (order.index(word) if word in order else len(order), word))

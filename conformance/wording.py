"""A card's definition, a player's action and a whole scenario, in the words players use.

The fronts are `rules_text`, `type_line`, `card_text`, `ability_text`, `action_text` and
`scenario_text`; they stand at the end. The text is generated from the definition, never pasted, and
follows the game's usual templates, so that a person can check a card by reading it and an engine that
reads rules text can be handed it.

The rest is a small grammar in the order of `reference_engine.cards`: words, nouns and verbs, noun
phrases (who), quantities, conditions, operations (what a continuous effect does, in two voices: what
*is* so while it lasts, and what *becomes* so as something resolves), costs, instructions, events,
abilities. What depends on the words before it is made in a `Setting`, which knows how each thing is
spoken of at that point: "target creature" at first, "that creature" later, "it" within one sentence.

Every member of every union has its words here, whether a card uses it or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, assert_never

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
    Condition,
    ControllerOf,
    CopyAsEnters,
    CopySpell,
    Cost,
    Costs,
    Count,
    CounterSpell,
    Counters,
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
    TurnFace,
    TurnedFaceUp,
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
    MANA_COLOR,
    CardType,
    Step,
    Supertype,
    Zone,
    kind_of_subtype,
)

# ------------------------------------------------------------------------------------- words

NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
    "twenty",
)
IRREGULAR_PLURALS = {
    "Dwarf": "Dwarves",
    "Elf": "Elves",
    "Fungus": "Fungi",
    "Mouse": "Mice",
    "Ox": "Oxen",
    "Werewolf": "Werewolves",
    "Wolf": "Wolves",
}
SAME_IN_PLURAL = ("Eldrazi", "Equipment", "Fish", "Plains", "Samurai", "Sheep", "Urza's", "folk")
AS_MANY_AS_YOU_LIKE = 99
"""An upper limit from which on a card says "any number of"."""


def number(n: int) -> str:
    """A number as rules text counts things: in words as far as cards do."""
    return NUMBERS[n] if 0 <= n < len(NUMBERS) else str(n)


def plural(phrase: str) -> str:
    """Several of what a phrase's last word names."""
    head, space, last = phrase.rpartition(" ")
    if last.endswith(SAME_IN_PLURAL):
        return phrase
    if last in IRREGULAR_PLURALS:
        return head + space + IRREGULAR_PLURALS[last]
    if last.endswith("y") and last[-2:-1] not in ("a", "e", "o", "u"):
        return phrase[:-1] + "ies"
    return phrase + ("es" if last.endswith(("s", "x", "z", "ch", "sh")) else "s")


def with_article(phrase: str) -> str:
    """A phrase with "a" or "an" before it, by its sound."""
    vowel = re.match(r"[aeio]|u(?!ni[^m])|8|1[18]\b|x\b", phrase, re.IGNORECASE)
    return f"{'an' if vowel else 'a'} {phrase}"


def series(items: Iterable[str], word: str = "and") -> str:
    """Items as a list in a sentence: "a", "a and b", "a, b, and c"."""
    several = list(items)
    if len(several) < 3:
        return f" {word} ".join(several)
    return f"{', '.join(several[:-1])}, {word} {several[-1]}"


def capital(text: str) -> str:
    """The text with a capital letter in front, if it begins with a letter."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """A finished sentence; a quotation keeps its own period only at the very end."""
    text = re.sub(r"""\.(["']+)(?=[ ,:;])""", r"\1", text)
    return capital(text) + ("" if re.search(r"""[.]["']*$""", text) else ".")


def paragraph(said: Iterable[str]) -> str:
    """Sentences one after the other."""
    return " ".join(map(sentence, said))


def run_on(said: Sequence[str]) -> str:
    """What would be several sentences as the rest of one."""
    return ", then ".join(said) or "nothing happens"


def in_order(words: Iterable[str], order: Sequence[str] = ()) -> list[str]:
    """Words in the order in which cards list them, others by the alphabet behind."""
    return sorted(words, key=lambda word: (order.index(word) if word in order else len(order), word))


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
    "Advisor Archer Artificer Assassin Bard Barbarian Berserker Cleric Druid Knight Mercenary Minion Monk Ninja "
    "Peasant Pilot Pirate Ranger Rebel Rogue Samurai Scout Shaman Soldier Spellshaper Warlock Warrior Wizard".split()
)
"""Creature types that say what somebody does; cards print them after what somebody is."""


def subtypes_in_order(subtypes: Iterable[str]) -> list[str]:
    """Subtypes as a type line has them: what a creature is before what it does."""
    return sorted(subtypes, key=lambda subtype: (subtype in CLASSES, subtype))


def color_words(colors: Iterable[str]) -> str:
    """Colours as a list: "white and blue"; the chosen one as "the chosen color"; none is "colorless"."""
    words = [f"the {CHOSEN_COLOR}" if c == CHOSEN_COLOR else c for c in in_order(colors, COLORS_IN_ORDER)]
    return series(words) or "colorless"


# --------------------------------------------------------------------------- nouns and verbs

Person = Literal["thing", "player", "you"]
Form = Literal["some", "each", "all", "subject", "one", "many"]
"""How a group is spoken of: a creature, each creature, all creatures, (all) creatures, creature, creatures."""


class Noun(Struct, frozen=True):
    """A noun phrase, and what verbs, pronouns and later sentences need to know of it."""

    text: str
    many: bool = False
    person: Person = "thing"
    head: str = "permanent"
    """What it is called for short while it is on the battlefield: creature, land, Aura."""
    long: bool = False
    """Words follow the head, so that one says "the power of …"."""
    zone: Zone = "battlefield"


YOU = Noun("you", person="you")
IT = Noun("it")
THEY = Noun("they", many=True)
PRONOUNS = {"it": ("it", "its"), "they": ("them", "their"), "you": ("you", "your")}


def pronoun(noun: Noun) -> Noun:
    """What stands for a noun in the rest of its sentence."""
    if noun.person == "you":
        return noun
    they = noun.many or noun.person == "player"
    return replace(noun, text="they" if they else "it", many=they, long=False)


def short_head(noun: Noun) -> str:
    """What a thing is called where it is: card, spell, creature."""
    if noun.person != "thing":
        return "player"
    return {"battlefield": noun.head, "stack": "spell"}.get(noun.zone, "card")


def again(noun: Noun, word: str = "") -> Noun:
    """What stands for a noun in later sentences: "that creature", "the chosen card"."""
    if noun.person == "you":
        return noun
    head = short_head(noun)
    word = word or ("those" if noun.many else "that")
    return replace(noun, text=f"{word} {plural(head) if noun.many else head}", long=False)


def objective(noun: Noun) -> str:
    """A noun as the object of a verb."""
    return PRONOUNS[noun.text][0] if noun.text in PRONOUNS else noun.text


def possessive(noun: Noun) -> str:
    """A noun as the owner of what follows."""
    if noun.text in PRONOUNS:
        return PRONOUNS[noun.text][1]
    return noun.text + ("'" if noun.many and noun.text.endswith("s") else "'s")


def owned(owner: Noun, thing: str) -> str:
    """Something that a noun has: "its power", "the power of target creature you control"."""
    return f"the {thing} of {owner.text}" if owner.long else f"{possessive(owner)} {thing}"


THIRD_PERSON = {
    "are": "is",
    "copy": "copies",
    "aren't": "isn't",
    "don't": "doesn't",
    "have": "has",
    "were": "was",
    "weren't": "wasn't",
}
MODALS = frozenset({"can", "can't", "may", "must"})
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
    """A verb in the plural and all that goes with it; `tail` comes after the duration."""

    text: str
    tail: str = ""


def conjugated(text: str, subject: Noun) -> str:
    """A verb phrase as it stands after its subject."""
    verb, space, rest = text.partition(" ")
    if subject.many or subject.person == "you" or verb in MODALS:
        return text
    ending = "es" if verb.endswith(("s", "x", "ch", "sh")) else "s"
    return THIRD_PERSON.get(verb, verb + ending) + space + rest


def infinitive(text: str) -> str:
    """A verb phrase as it stands after "may"."""
    verb, space, rest = text.partition(" ")
    return INFINITIVES.get(verb, verb) + space + rest


class Clause(Struct, frozen=True):
    """Who does or is what, and for how long; `order` drops a "you" that is told what to do."""

    subject: Noun
    verbs: tuple[Verb, ...]
    during: str = ""
    order: bool = False


def with_duration(said: str, clause: Clause, subject: str = "") -> str:
    """A clause's words with how long it lasts: behind, but before what follows a quotation."""
    tails = "".join(verb.tail for verb in clause.verbs)
    if clause.during and '"' in said:
        return f"{clause.during.strip()}, {subject}{said}{tails}"
    return f"{subject}{said}{clause.during}{tails}"


def finite(clause: Clause) -> str:
    """A clause as a sentence or part of one."""
    subject = clause.subject
    said = series(conjugated(verb.text, subject) for verb in clause.verbs)
    if clause.order and subject.person == "you":
        return with_duration(said, clause)
    if subject.text == "it" and said.startswith("is "):
        return with_duration(said.removeprefix("is"), clause, "it's")
    return with_duration(said, clause, f"{subject.text} ")


def allowed(clause: Clause, who: Noun) -> str:
    """A clause as something that somebody may do or have happen."""
    said = series(infinitive(verb.text) for verb in clause.verbs)
    if clause.subject.text in (who.text, pronoun(who).text):
        return with_duration(said, clause, f"{who.text} may ")
    return with_duration(said, clause, f"{who.text} may have {objective(clause.subject)} ")


class Setting(Struct, frozen=True):
    """How each thing is spoken of at some point of a text."""

    said: Mapping[Selector, Noun]
    full: Mapping[Selector, Noun]
    """How each thing is spoken of once it has been named, where no pronoun will do."""
    itself: str
    """What the object is called whose ability it is: this creature, this spell."""
    quotes: int = 0
    """How many quotations we are in."""
    letters: str = "XYZ"
    """What is free to stand for numbers that are explained behind."""

    def saying(self, said: Mapping[Selector, Noun], full: Mapping[Selector, Noun] | None = None) -> Setting:
        """The same, with other words for some things, and others for later."""
        return replace(self, said={**self.said, **said}, full={**self.full, **(full or {})})

    def about(self, who: Selector, spoken: Noun) -> Setting:
        """Inside a sentence about something, a pronoun means it and nothing else."""
        named = {one: noun for one, noun in self.full.items() if self.said[one].text in PRONOUNS}
        mine = {} if isinstance(who, All) else {who: spoken}
        return self.saying({**named, It(): spoken, **mine})

    def after(self, told: object) -> Setting:
        """What was named in something told is known from then on; a pronoun will do while nothing else was."""
        named = {who for who in things_in(told) if isinstance(who, SELECTORS) and who in self.full}
        others = any(isinstance(who, The | All) for who in things_in(told))
        return self.saying(
            {who: self.full[who] for who in named if others or self.said[who].text not in PRONOUNS}
        )


def things_in(value: object) -> Iterator[object]:
    """Every value inside a value, but nothing inside abilities and cards that it gives or makes."""
    yield value
    match value:
        case Static() | Defines() | Activated() | Triggered() | Spell() | AsEnters() | Keyword() | Card():
            return
        case Struct():
            for name in value.__struct_fields__:
                yield from things_in(getattr(value, name))
        case tuple() | frozenset():
            for item in value:
                yield from things_in(item)
        case _:
            return


# --------------------------------------------------------------------------------------- who

Place = Literal["permanent", "spell", "card", "object"]
PLACES: dict[Zone, Place] = {"battlefield": "permanent", "stack": "spell"}
OUTSIDE: tuple[Zone, ...] = ("hand", "library", "graveyard", "exile", "command")


def noun(who: Selector, setting: Setting, form: Form = "all") -> Noun:
    """What a selector means, as it is spoken of here."""
    spoken = setting.said.get(who)
    if spoken is not None:
        return spoken
    match who:
        case All():
            return group(who, setting, form)
        case This():
            return Noun("this permanent")
        case Attached():
            return Noun("attached permanent")
        case It():
            return Noun("it")
        case The(name):
            return Noun(f"the {name.replace('_', ' ')}")
        case You():
            return YOU
        case Opponents():
            owner = possessive(noun(You(), setting))
            return players("opponent", f"{owner} opponents", form)
        case Everyone():
            return players("player", "all players", form)
        case ActivePlayer():
            return player("the active player")
        case DefendingPlayer():
            return player("defending player")
        case ChosenPlayer():
            return player("the chosen player")
        case ControllerOf(of):
            return holder(noun(of, setting), "controller")
        case OwnerOf(of):
            return holder(noun(of, setting), "owner")
        case _:
            assert_never(who)


def player(text: str) -> Noun:
    """One player."""
    return Noun(text, person="player", head="player")


def players(one: str, all_of_them: str, form: Form) -> Noun:
    """Several players in one of the forms."""
    texts: dict[Form, str] = {
        "some": with_article(one),
        "each": f"each {one}",
        "all": all_of_them,
        "subject": all_of_them.removeprefix("all "),
        "one": one,
        "many": all_of_them.removeprefix("all "),
    }
    return replace(player(texts[form]), many=form in ("all", "subject", "many"))


def holder(thing: Noun, role: str) -> Noun:
    """Who controls or owns a thing."""
    if thing.person != "thing":
        return thing
    return Noun(
        owned(thing, plural(role) if thing.many else role), thing.many, "player", "player", thing.long
    )


def group(who: All, setting: Setting, form: Form) -> Noun:
    """Everything of a description, in one of the forms: "each other non-Aura enchantment", "all creatures"."""
    several = form in ("all", "subject", "many")
    found = list(places(who, setting, several))
    head = head_of(who, found[0][0])
    zone = in_order(who.zones, ("graveyard",))[0] if who.zones else "battlefield"
    if who.top:
        return replace(top_card(who, setting), head=head, zone=zone)
    described = [(describe(who, setting, place), where) for place, where in found]
    text = series((what.phrase(several) + where for what, where in described), "and" if several else "or")
    bare = all(where == "" and what.is_bare for what, where in described)
    if who.other_than is not None and is_other(who.other_than):
        text = {"some": "another", "each": "each other", "all": "all other"}.get(form, "other") + f" {text}"
    elif form == "some":
        text = with_article(text)
    elif form in ("each", "all"):
        text = f"{form} {text}"
    elif form == "subject" and (bare or len(found) > 1):
        text = f"all {text}"
    return Noun(text, several, head=head, long=not bare, zone=zone)


def places(who: All, setting: Setting, several: bool) -> Iterator[tuple[Place, str]]:
    """Where a group is found: what its things are called there, and the words for the place."""
    outside = [zone for zone in OUTSIDE if zone in who.zones]
    if outside:
        yield "card", " " + whereabouts(outside, who.of, setting, several)
    if "stack" in who.zones:
        yield "spell", ""
    if "battlefield" in who.zones or not who.zones:
        yield "permanent", ""


def whereabouts(zones: Sequence[Zone], of: Selector | None, setting: Setting, several: bool) -> str:
    """Where cards are: "in your graveyard", "in exile", "that aren't on the battlefield"."""
    whose = None if of is None else noun(of, setting, "all" if several else "some")
    if whose is None and len(zones) == len(OUTSIDE):
        return f"that {'are' if several else 'is'}n't on the battlefield"
    hidden = [zone for zone in zones if zone in ("hand", "library", "graveyard")]
    said = []
    if hidden and whose is None:
        some = with_article(series(hidden, "or"))
        said.append(f"in all {series(map(plural, hidden))}" if several else f"in {some}")
    elif hidden and whose is not None:
        word = "and" if several else "or"
        said.append(f"in {owned(whose, series(map(plural, hidden) if whose.many else hidden, word))}")
    if "exile" in zones:
        said.append(
            "in exile" if whose is None or hidden else f"{whose.text} {conjugated('own', whose)} in exile"
        )
    if "command" in zones:
        said.append("in the command zone")
    return series(said, "and" if several else "or")


def top_card(who: All, setting: Setting) -> Noun:
    """The top card of a library or graveyard, if it is as described."""
    zones = series(in_order(who.zones, OUTSIDE))
    whose = f"each player's {zones}" if who.of is None else owned(noun(who.of, setting, "each"), zones)
    wanted = plain_filter(who)
    said = f"the top card of {whose}"
    if wanted != Filter():
        it = Noun("it", zone="graveyard")
        said += f" if {clause_about(it, predicates(wanted, it, setting, 'card'))}"
    return Noun(said, long=True)


def plain_filter(who: Filter) -> Filter:
    """What a group has to be like, wherever it is."""
    return Filter(**{key: getattr(who, key) for key in Filter.__struct_fields__})


class Description(NamedTuple):
    """The parts of a noun phrase, for one thing and for several."""

    before: str
    one: str
    many: str
    after_one: str
    after_many: str

    @property
    def is_bare(self) -> bool:
        """Whether there is nothing but the noun."""
        return not (self.before or self.after_one)

    def phrase(self, several: bool) -> str:
        """The phrase without article: "tapped Goblin you control with flying"."""
        core = (self.many, self.after_many) if several else (self.one, self.after_one)
        return " ".join(filter(None, (self.before, *core)))


def only_keys(wanted: Filter, *keys: str) -> bool:
    """Whether a filter says something, and says it with these keys alone."""
    plain = Filter()
    said = {key for key in plain.__struct_fields__ if getattr(wanted, key) != getattr(plain, key)}
    return bool(said) and said <= set(keys)


def names_a_kind(wanted: Filter) -> bool:
    """Whether a filter is a noun by itself: "basic land", "Goblin"."""
    return bool(kind_words(wanted)) and only_keys(wanted, "type", "subtype", "supertype")


def is_other(who: Selector) -> bool:
    """Whether "other" is enough to say what something differs from."""
    return isinstance(who, This | The | It)


def describe(wanted: Filter, setting: Setting, place: Place = "permanent") -> Description:
    """A filter as a noun phrase."""
    kinds = [other for other in wanted.any_of if names_a_kind(other)]
    states = [other for other in wanted.any_of if is_adjective(other)]
    of_kinds = bool(kinds) and len(kinds) == len(wanted.any_of)
    of_states = bool(states) and len(states) == len(wanted.any_of)
    words = kind_words(wanted)
    suffix = "token" if wanted.token and place == "permanent" else place
    if suffix != "permanent" or not (words or of_kinds):
        words = [*words, suffix]
    one, many = " ".join(words), plural(" ".join(words))
    if of_kinds:
        named = [" ".join([*super_words(other), *kind_words(other)]) for other in wanted.any_of]
        one = f"{series(named, 'or')} {one}" if words else series(named, "or")
        many = f"{series(named)} {many}" if words else series(map(plural, named))
    before = adjectives(wanted, place)
    if of_states:
        before = f"{before} {series((adjectives(other, place) for other in wanted.any_of), 'or')}".strip()
    after_one, after_many = (
        " ".join(qualities(wanted, setting, place, several, with_any_of=not (of_kinds or of_states)))
        for several in (False, True)
    )
    return Description(before, one, many, after_one, after_many)


def kind_words(wanted: Filter) -> list[str]:
    """Subtypes and card types as words of a noun phrase; a chosen one is told behind."""
    subtypes = [word for word in subtypes_in_order(wanted.subtype) if word not in SPECIAL_SUBTYPES]
    return [*subtypes, *map(str.lower, in_order(wanted.type, TYPES_IN_ORDER))]


SPECIAL_SUBTYPES = {CHOSEN_TYPE, ALL_CREATURE_TYPES}


def super_words(wanted: Filter) -> list[str]:
    """Supertypes as adjectives."""
    return [word.lower() for word in in_order(wanted.supertype, SUPERTYPES_IN_ORDER)]


def head_of(wanted: Filter, place: Place = "permanent") -> str:
    """What a thing of a description is called when it is spoken of again."""
    if place != "permanent":
        return place
    if wanted.type:
        return in_order(wanted.type, TYPES_IN_ORDER)[-1].lower()
    own = [word for word in wanted.subtype if word not in SPECIAL_SUBTYPES]
    heads = {subtype_head(word) for word in own} or {head_of(other) for other in wanted.any_of}
    return heads.pop() if len(heads) == 1 else "permanent"


def subtype_head(subtype: str) -> str:
    """What a thing of that subtype is called for short."""
    return subtype if subtype in NAMED_BY_SUBTYPE else kind_of_subtype(subtype)


NAMED_BY_SUBTYPE = ("Aura", "Equipment", "Vehicle", "Saga", "Class", "Case", "Room", "Fortification")


def states_of(wanted: Filter) -> tuple[str, ...]:
    """What a thing may be or not be, in words."""
    said = (
        ("tapped", "untapped", wanted.tapped),
        ("attacking", "nonattacking", wanted.attacking),
        ("blocking", "nonblocking", wanted.blocking),
        ("face-down", "face-up", wanted.face_down),
        ("token", "nontoken", wanted.token),
        ("colorless", "colored", wanted.colorless),
        ("multicolored", "nonmulticolored", wanted.multicolored),
    )
    return tuple(yes if flag else no for yes, no, flag in said if flag is not None)


def adjectives(wanted: Filter, place: Place) -> str:
    """What comes before the noun: "untapped nonbasic white"."""
    states = [word for word in states_of(wanted) if word != "token" or place != "permanent"]
    nons = ", ".join(non for non in map(non_word, wanted.without) if non)
    colors = wanted.color - {CHOSEN_COLOR}
    return " ".join(
        filter(None, [*states, nons, *super_words(wanted), color_words(colors) if colors else ""])
    )


STATE_KEYS = (
    "tapped",
    "attacking",
    "blocking",
    "face_down",
    "colorless",
    "multicolored",
    "supertype",
    "color",
)


def is_adjective(wanted: Filter) -> bool:
    """Whether a filter can be said wholly before the noun."""
    return only_keys(wanted, *STATE_KEYS) and CHOSEN_COLOR not in wanted.color


def non_word(wanted: Filter) -> str:
    """What is not wanted as one word: "noncreature", "non-Aura"; empty, if it takes more than that."""
    if only_keys(wanted, "token") and wanted.token:
        return "nontoken"
    for key in ("type", "subtype", "supertype", "color"):
        words: frozenset[str] = getattr(wanted, key)
        if only_keys(wanted, key) and len(words) == 1 and not words & {*SPECIAL_SUBTYPES, CHOSEN_COLOR}:
            (word,) = words
            return f"non-{word}" if key == "subtype" else f"non{word.lower()}"
    return ""


def qualities(
    wanted: Filter, setting: Setting, place: Place, several: bool, with_any_of: bool = True
) -> Iterator[str]:
    """What comes behind the noun: "you control", "with flying", "that aren't red"."""
    it = replace(THEY, zone=PLACE_ZONES[place]) if several else replace(IT, zone=PLACE_ZONES[place])
    form: Form = "all" if several else "some"
    roles = ((wanted.controller, "control"), (wanted.owner, "own"))
    if wanted.controller is not None and wanted.controller == wanted.owner:
        who = noun(wanted.controller, setting, form)
        yield f"{who.text} both {conjugated('own', who)} and {conjugated('control', who)}"
    else:
        for holding, verb in roles:
            if holding is not None:
                who = noun(holding, setting, form)
                yield f"{who.text} {conjugated(verb, who)}"
    if CHOSEN_COLOR in wanted.color:
        yield f"of the {CHOSEN_COLOR}"
    if CHOSEN_TYPE in wanted.subtype:
        yield f"of the {CHOSEN_TYPE}"
    has = list(features(wanted, setting, it))
    if has:
        yield f"with {series(has)}"
    for other in wanted.without:
        if only_keys(other, "keyword"):
            yield f"without {series(in_order(other.keyword))}"
    if wanted.name is not None:
        yield f"named {wanted.name}"
    if wanted.other_than is not None and not is_other(wanted.other_than):
        yield f"other than {objective(noun(wanted.other_than, setting))}"
    for other in wanted.without:
        if not non_word(other) and not only_keys(other, "keyword"):
            yield relative(predicates(other, it, setting, place, negated=True), "or")
    if with_any_of and wanted.any_of:
        ways = [series(predicates(other, it, setting, place)) for other in wanted.any_of]
        yield relative(ways, "or")


PLACE_ZONES: dict[Place, Zone] = {
    "permanent": "battlefield",
    "spell": "stack",
    "card": "graveyard",
    "object": "exile",
}


def relative(said: Iterable[str], word: str) -> str:
    """Verb phrases as a relative clause: "that's red or has flying"."""
    text = series(said, word)
    return f"that's {text.removeprefix('is ')}" if text.startswith("is ") else f"that {text}"


def features(wanted: Filter, setting: Setting, it: Noun) -> Iterator[str]:
    """What a thing has: keywords, numbers, counters."""
    if ALL_CREATURE_TYPES in wanted.subtype:
        yield "every creature type"
    yield from in_order(wanted.keyword)
    numbers = (("power", wanted.power), ("toughness", wanted.toughness), ("mana value", wanted.mana_value))
    for what, asked in numbers:
        if asked is not None:
            yield f"{what} {compared(asked.how, asked.n, setting)}"
    if wanted.counter is not None:
        yield f"{with_article(wanted.counter)} counter on {objective(it)}"
    if wanted.no_abilities is not None:
        yield "no abilities" if wanted.no_abilities else "one or more abilities"


def predicates(wanted: Filter, it: Noun, setting: Setting, place: Place, negated: bool = False) -> list[str]:
    """What a filter says of a thing, as verb phrases; negated, any one of them is enough."""
    are = conjugated("aren't" if negated else "are", it)
    have = conjugated("don't" if negated else "have", it) + (" have" if negated else "")
    if kind_words(wanted) or any(map(names_a_kind, wanted.any_of)):
        phrase = describe(wanted, setting, place).phrase(it.many)
        return [f"{are} {phrase if it.many else with_article(phrase)}"]
    nouns = {"token": "tokens" if it.many else "a token"}
    said = [f"{are} {nouns.get(word, word)}" for word in (*states_of(wanted), *super_words(wanted))]
    if wanted.color:
        said.append(f"{are} {color_words(wanted.color)}")
    if CHOSEN_TYPE in wanted.subtype:
        said.append(f"{are} of the {CHOSEN_TYPE}")
    for holding, verb in ((wanted.controller, "controlled"), (wanted.owner, "owned")):
        if holding is not None:
            said.append(f"{are} {verb} by {objective(noun(holding, setting, 'some'))}")
    said += [f"{have} {feature}" for feature in features(wanted, setting, it)]
    if wanted.name is not None:
        said.append(f"{are} named {wanted.name}")
    if wanted.other_than is not None:
        said.append(f"{are} other than {objective(noun(wanted.other_than, setting))}")
    all_of, one_of = ("or", "and") if negated else ("and", "or")
    if wanted.any_of:
        ways = [series(predicates(other, it, setting, place, negated), all_of) for other in wanted.any_of]
        said.append(series(ways, one_of))
    said += [series(predicates(other, it, setting, place, not negated), one_of) for other in wanted.without]
    return said or [f"{are} {plural(place) if it.many else with_article(place)}"]


def clause_about(it: Noun, said: Iterable[str], word: str = "and") -> str:
    """Verb phrases as a clause about a thing."""
    text = series(said, word)
    return (
        f"it's {text.removeprefix('is ')}"
        if it.text == "it" and text.startswith("is ")
        else f"{it.text} {text}"
    )


# ---------------------------------------------------------------------------------- how much

MULTIPLES = {-1: "minus", 1: "one times", 2: "twice"}
SPOKEN_PROPERTIES = {"mana_value": "mana value", "life": "life total"}


def value(quantity: Quantity, setting: Setting) -> str:
    """A quantity as a noun phrase: "the number of creatures you control", "its power plus 1"."""
    match quantity:
        case int():
            return str(quantity)
        case X():
            return "X"
        case ChosenNumber():
            return "the chosen number"
        case Count(of, distinct):
            return count_of(of, distinct, setting)
        case PropertyOf():
            return property_of(quantity, setting)
        case Sum(parts):
            return sum_of(parts, setting)
        case Times(n, by):
            what = value(by, setting)
            if isinstance(by, Sum) and len(by.parts) > 1:
                what = f"the sum of {series(value(part, setting) for part in by.parts)}"
            return f"{MULTIPLES.get(n, f'{number(n)} times')} {what}"
        case AtLeast(parts):
            values = [value(part, setting) for part in parts] or ["0"]
            most = "the greater of" if len(values) == 2 else "the greatest of"
            return values[0] if len(values) == 1 else f"{most} {series(values)}"
        case _:
            assert_never(quantity)


def count_of(of: Selector, distinct: str, setting: Setting) -> str:
    """How many there are of something, or how many different somethings among them."""
    among = group(of, setting, "many") if isinstance(of, All) else noun(of, setting)
    if distinct == "objects":
        return f"the number of {objective(among)}"
    kinds = {"names": "different names"}.get(distinct, distinct)
    return f"the number of {kinds} among {objective(among)}"


def property_of(quantity: PropertyOf, setting: Setting) -> str:
    """A number read off a thing, or off several."""
    of = quantity.of
    whose = group(of, setting, "many") if isinstance(of, All) else noun(of, setting)
    several = whose.many and not (whose.person == "player" and whose.text == "they")
    greatest = several and quantity.over == "greatest"
    match quantity.what:
        case "counters":
            kind = f"{quantity.counter} counters" if quantity.counter else "counters"
            return f"the {'greatest ' if greatest else ''}number of {kind} on {objective(whose)}"
        case "damage":
            return f"the {'greatest ' if greatest else ''}damage marked on {objective(whose)}"
        case "hand_size":
            hand = owned(whose, "hands" if several else "hand")
            return f"the {'greatest ' if greatest else ''}number of cards in {hand}"
        case what:
            named = SPOKEN_PROPERTIES.get(what, what)
            if several:
                return f"the {'greatest' if greatest else 'total'} {named} {'among' if greatest else 'of'} {objective(whose)}"
            return owned(whose, named)


def sum_of(parts: tuple[Quantity, ...], setting: Setting) -> str:
    """Quantities added, then those subtracted: "its power plus 1 minus the number of …"."""
    minus = [part for part in parts if isinstance(part, Times) and part.n < 0]
    plus = [value(part, setting) for part in parts if part not in minus] or ["0"]
    taken = [value(part.by if part.n == -1 else Times(-part.n, part.by), setting) for part in minus]
    return " minus ".join([" plus ".join(plus), *taken])


def compared(how: str, n: Quantity, setting: Setting) -> str:
    """What a number has to be: "2 or less", "equal to its toughness"."""
    if isinstance(n, int | X):
        return value(n, setting) + {"=": "", ">=": " or greater", "<=": " or less"}[how]
    words = {"=": "equal to", ">=": "greater than or equal to", "<=": "less than or equal to"}
    return f"{words[how]} {value(n, setting)}"


def for_each(quantity: Quantity, setting: Setting) -> tuple[int, str] | None:
    """A quantity as so much "for each" of something, if it is of that kind."""
    match quantity:
        case Count(All() as of, "objects"):
            return 1, f" for each {group(of, setting, 'one').text}"
        case PropertyOf("counters", of, kind, "sum") if kind is not None and not isinstance(of, All):
            return 1, f" for each {kind} counter on {objective(noun(of, setting))}"
        case Times(n, Count() | PropertyOf() as by) if n > 0:
            unit = for_each(by, setting)
            return unit and (n, unit[1])
        case _:
            return None


def explained(quantity: Quantity, setting: Setting, letter: int = 0) -> tuple[str, str]:
    """A letter for a quantity, and what it stands for."""
    name = setting.letters[letter % len(setting.letters)]
    return name, f", where {name} is {value(quantity, setting)}"


def so_many(quantity: Quantity, some: str, many: str, setting: Setting, letter: int = 0) -> Verb:
    """So many things, and what explains it behind: "two cards"; "a card" "for each Forest you control"."""
    if isinstance(quantity, int | X):
        words = "X" if isinstance(quantity, X) else number(quantity)
        return Verb(some if quantity == 1 else f"{words} {many}")
    each = for_each(quantity, setting)
    if each is not None:
        return Verb(so_many(each[0], some, many, setting).text, each[1])
    name, tail = explained(quantity, setting, letter)
    return Verb(f"{name} {many}", tail)


def counted(quantity: Quantity, one: str, setting: Setting, letter: int = 0) -> Verb:
    """So many of what a word names."""
    return so_many(quantity, with_article(one), plural(one), setting, letter)


def measured(quantity: Quantity, what: str, setting: Setting) -> Verb:
    """So much of something, and what explains it behind: "3 damage", "life equal to its toughness"."""
    match quantity:
        case int() | X():
            return Verb(f"{value(quantity, setting)} {what}")
        case PropertyOf():
            return Verb(f"{what} equal to {value(quantity, setting)}")
        case _:
            each = for_each(quantity, setting)
            if each is not None and what == "life":
                return Verb(f"{each[0]} {what}", each[1])
            name, tail = explained(quantity, setting)
            return Verb(f"{name} {what}", tail)


# ------------------------------------------------------------------------------- if it holds

STEP_NAMES: dict[Step, str] = {
    "untap": "untap step",
    "upkeep": "upkeep",
    "draw": "draw step",
    "precombat main": "precombat main phase",
    "beginning of combat": "beginning of combat step",
    "declare attackers": "declare attackers step",
    "declare blockers": "declare blockers step",
    "first-strike damage": "first-strike combat damage step",
    "combat damage": "combat damage step",
    "end of combat": "end of combat step",
    "postcombat main": "postcombat main phase",
    "end": "end step",
    "cleanup": "cleanup step",
}


def condition(asked: Condition, setting: Setting, negated: bool = False) -> str:
    """A condition as a clause: "you control three or more artifacts", "it isn't your turn"."""
    match asked:
        case Compare():
            return comparison(asked, setting, negated)
        case Matches(who, what):
            return match_clause(who, what, setting, negated)
        case Exists(who):
            return existence(who, setting, negated)
        case Turn(of, step):
            whose = owned(noun(of, setting, "some"), STEP_NAMES[step] if step else "turn")
            return f"it isn't {whose}" if negated else f"it's {whose}"
        case Was(what):
            done = "cast from its owner's hand" if what == "cast from hand" else what
            it = noun(This(), setting)
            spoken = it.text if it.text in PRONOUNS else setting.itself
            return f"{spoken} {conjugated(negative('were', negated), it)} {done}"
        case Not(part):
            return condition(part, setting, not negated)
        case AllOf(parts):
            return conditions(parts, "or" if negated else "and", setting, negated)
        case AnyOf(parts):
            return conditions(parts, "and" if negated else "or", setting, negated)
        case _:
            assert_never(asked)


def negative(verb: str, negated: bool) -> str:
    """An auxiliary verb, or its negation."""
    return f"{verb}n't" if negated else verb


def conditions(parts: Sequence[Condition], word: str, setting: Setting, negated: bool) -> str:
    """Several conditions; a list inside the other kind of list says "both" or "either"."""
    if not parts:
        return "there is a player" if word == "and" else "there are no players"
    clauses = []
    for part in parts:
        inner = list_word(part, negated)
        opening = {"and": "both ", "or": "either "}[inner] if inner not in (None, word) else ""
        clauses.append(opening + condition(part, setting, negated))
    return series(clauses, word)


def list_word(part: Condition, negated: bool) -> Literal["and", "or"] | None:
    """How the parts of a condition are joined, if it has several."""
    match part:
        case Not(inner):
            return list_word(inner, not negated)
        case AllOf((_, _, *_)):
            return "or" if negated else "and"
        case AnyOf((_, _, *_)):
            return "and" if negated else "or"
        case _:
            return None


def comparison(asked: Compare, setting: Setting, negated: bool) -> str:
    """Two quantities compared, as a player says it."""
    left, how, right = asked.left, asked.how, asked.right
    if negated and isinstance(right, int) and how != "=":
        how, right, negated = ("<=", right - 1, False) if how == ">=" else (">=", right + 1, False)
    match left, right:
        case Count(All() as who, "objects"), int(n) if not who.top:
            return there_are(who, how, n, setting, negated)
        case PropertyOf("hand_size" | "life" as what, of), int(n) if not noun(of, setting).many:
            it = noun(of, setting)
            things = (
                f"{amount_words(how, n, 'card')} in hand"
                if what == "hand_size"
                else f"{compared(how, n, setting)} life"
            )
            verb = conjugated("don't", it) + " have" if negated else conjugated("have", it)
            return f"{it.text} {verb} {things}"
        case _:
            is_ = "isn't" if negated else "is"
            return f"{value(left, setting)} {is_} {compared(how, right, setting)}"


def amount_words(how: str, n: int, one: str) -> str:
    """So many, or more, or fewer: "three or more cards", "no cards", "exactly two cards"."""
    if n == 0 and how != ">=":
        return f"no {plural(one)}"
    more = {"=": "", ">=": " or more", "<=": " or fewer"}[how]
    exactly = "exactly " if how == "=" else ""
    return f"{exactly}{number(n)}{more} {one if n == 1 and how == '=' else plural(one)}"


def there_are(who: All, how: str, n: int, setting: Setting, negated: bool) -> str:
    """There are so many things of a description, or a player controls so many."""
    if n == 0 and how != ">=" and negated:
        how, n, negated = ">=", 1, False
    owner = noun(who.controller, setting, "some") if who.controller is not None else None
    free = replace(who, controller=None)
    if (how, n) == (">=", 1):
        things = group(free, setting, "some").text
    else:
        one, many = (group(free, setting, form).text for form in ("one", "many"))
        things = amount_words(how, n, "\0").replace(plural("\0"), many).replace("\0", one)
    if owner is not None:
        verb = conjugated("don't", owner) + " control" if negated else conjugated("control", owner)
        return f"{owner.text} {verb} {things}"
    there = negative("is" if things.startswith(("a ", "an ", "another ")) else "are", negated)
    return f"there {there} {things}" + (" on the battlefield" if who.zones <= {"battlefield"} else "")


def existence(who: Selector, setting: Setting, negated: bool) -> str:
    """There is at least one such thing."""
    match who:
        case All(top=True) if plain_filter(who) != Filter():
            return match_clause(
                All(zones=who.zones, of=who.of, top=True), plain_filter(who), setting, negated
            )
        case All():
            return there_are(
                replace(who, top=False), "=" if negated else ">=", 0 if negated else 1, setting, False
            )
        case Attached():
            it = noun(This(), setting)
            return clause_about(it, ["isn't attached to anything" if negated else "is attached to something"])
        case _:
            it = noun(who, setting, "subject")
            return clause_about(it, [conjugated("don't exist" if negated else "exist", it)])


def match_clause(who: Selector, what: Filter, setting: Setting, negated: bool) -> str:
    """A thing is as a filter says."""
    it = noun(who, setting, "subject")
    if what.controller is not None and only_keys(what, "controller"):
        owner = noun(what.controller, setting, "some")
        verb = conjugated("don't", owner) + " control" if negated else conjugated("control", owner)
        return f"{owner.text} {verb} {objective(it)}"
    said = predicates(what, it, setting, PLACES.get(it.zone, "card"), negated)
    return clause_about(it, said, "or" if negated else "and")


# -------------------------------------------------------------------------------- operations

DURATIONS: dict[Duration, str] = {
    "ever": "",
    "end of turn": " until end of turn",
    "this turn": " this turn",
    "your next turn": " until your next turn",
}


class Subject(NamedTuple):
    """What a continuous effect affects, and how a sentence about it is being made."""

    affects: Selector
    noun: Noun
    whole: Noun
    """The same as the object of a verb."""
    setting: Setting
    """Inside the sentence: "it" is the subject."""
    static: bool
    during: str

    @property
    def its(self) -> str:
        return possessive(pronoun(self.noun))


def part_clauses(
    affects: Selector, does: Sequence[Operation], setting: Setting, static: bool, during: str = ""
) -> list[Clause]:
    """What a continuous effect does to whom, in as few clauses as will do.

    A group is spoken of one by one ("each creature") where the sentence needs an "it".
    """
    one_by_one = any(isinstance(thing, It) for thing in things_in(tuple(does)))
    spoken = noun(affects, setting, "each" if one_by_one else "subject")
    whole = noun(affects, setting, "each" if one_by_one else "all")
    inside = setting.about(affects, pronoun(spoken))
    clauses: list[Clause] = []
    verbs: list[Verb] = []
    for said in one_after_the_other(does, Subject(affects, spoken, whole, inside, static, during)):
        if isinstance(said, Verb):
            verbs.append(said)
            continue
        clauses += [Clause(spoken, tuple(verbs), during)] if verbs else []
        clauses.append(said)
        spoken, verbs = pronoun(spoken), []
    return [*clauses, Clause(spoken, tuple(verbs), during)] if verbs or not clauses else clauses


def one_after_the_other(does: Sequence[Operation], subject: Subject) -> Iterator[Verb | Clause]:
    """Operations in words; colour and size go with the kind of thing: "becomes a 3/3 green Ape creature"."""
    kind = next((op for op in does if isinstance(op, AddTypes | SetTypes | SetCreatureTypes)), None)
    colors = next((op for op in does if isinstance(op, SetColors)), None) if kind else None
    size = next((op for op in does if isinstance(op, Base) and takes_size(kind, op)), None)
    for place, operation in enumerate(op for op in does if op is not colors and op is not size):
        if place:
            subject = subject._replace(whole=pronoun(subject.whole))
        if operation is kind and kind is not None:
            yield Verb(identity(kind, colors, size, subject))
        else:
            yield spoken_operation(operation, subject)
    if not does:
        yield Verb("stay as they are")


def takes_size(kind: AddTypes | SetTypes | SetCreatureTypes | None, base: Base) -> bool:
    """Whether power and toughness can be told together with the kind of thing."""
    sized = isinstance(base.power, int | X) and isinstance(base.toughness, int | X)
    return sized and (isinstance(kind, SetCreatureTypes) or (kind is not None and "Creature" in kind.types))


def spoken_operation(operation: Operation, subject: Subject) -> Verb | Clause:
    """One operation: a verb of what is affected, or a clause of its own."""
    setting, it, its = subject.setting, subject.noun, subject.its
    are, have = ("are", "have") if subject.static else ("become", "gain")
    match operation:
        case BecomeCopy(of, but):
            model = objective(noun(of, setting, "some"))
            return Verb(f"{are} {'copies' if it.many else 'a copy'} of {model}", exceptions(but, it, setting))
        case FaceDown(power, toughness):
            phrase = f"face-down {power}/{toughness} creature"
            return Verb(f"{are} {plural(phrase) if it.many else with_article(phrase)}")
        case GainControl(holding):
            who = noun(holding, setting, "some")
            if subject.static:
                return Clause(who, (Verb(f"control {objective(subject.whole)}"),), subject.during)
            return Clause(
                who, (Verb(f"gain control of {objective(subject.whole)}"),), subject.during, order=True
            )
        case ReplaceWord():
            return replaced_word(operation, subject)
        case TextOf(of, and_):
            besides = f" and have the text {given_abilities(and_, it, setting)}" if and_ else ""
            return Verb(
                f"have the full text of {objective(noun(of, setting, 'some'))}{conjugated(besides, it)}"
            )
        case SetName(name):
            return Verb(f"have the name {name}")
        case AddTypes() | SetTypes() | SetCreatureTypes() | SetBasicLandTypes():
            return Verb(identity(operation, None, None, subject))
        case LoseTypes(types, subtypes, supertypes):
            kinds = [*subtypes_in_order(subtypes), *map(str.lower, in_order(types, TYPES_IN_ORDER))]
            lost = [plural(kind) if it.many else with_article(kind) for kind in kinds]
            states = map(str.lower, in_order(supertypes, SUPERTYPES_IN_ORDER))
            what = series([*states, *lost], "or") or "anything else"
            return Verb(f"aren't {what}" if subject.static else f"stop being {what}")
        case AddEveryType("creature"):
            if subject.static:
                return Verb(f"are every creature type in addition to {its} other types")
            return Verb("gain all creature types")
        case AddEveryType():
            return Verb(f"{are} every basic land type in addition to {its} other types")
        case AddColors(colors):
            return Verb(f"{are} {color_words(colors)} in addition to {its} other colors")
        case SetColors(colors):
            return Verb(f"{are} {color_words(colors)}")
        case Gain(abilities):
            return Verb(f"{have} {given_abilities(abilities, it, setting)}")
        case Lose(keywords):
            return Verb(f"lose {series(in_order(keywords)) or 'nothing'}")
        case LoseAllAbilities(but):
            return Verb(f"lose all abilities except {but}" if but else "lose all abilities")
        case CannotHave(keywords):
            named = series(in_order(keywords), "or") or "any further keywords"
            return Verb(f"lose {series(in_order(keywords)) or 'nothing'} and can't have or gain {named}")
        case Base(power, toughness):
            return Verb(f"have {base_words(power, toughness, setting)}")
        case Modify(power, toughness):
            return modification(power, toughness, setting)
        case Switch():
            if subject.static:
                return Verb(f"have {its} power and toughness switched")
            both = Verb(f"switch {owned(subject.whole, 'power and toughness')}")
            return Clause(noun(You(), setting), (both,), subject.during, order=True)
        case HandSize(how, n):
            return hand_size(how, n, subject)
        case LandDrops(plus):
            lands = "an additional land" if plus == 1 else f"{number(plus)} additional lands"
            return Verb(f"may play {lands} on each of {its} turns")
        case Costs():
            return changed_costs(operation, subject)
        case AlternativeCost(costs):
            who, spells, their_cost = caster(subject)
            if not costs:
                return Clause(who, (Verb(f"may cast {spells} without paying {their_cost}"),), subject.during)
            pays = series(cost_verbs(costs, setting))
            rather = (
                "the mana cost of " + spells if their_cost != "its mana cost" else "this spell's mana cost"
            )
            return Clause(who, (Verb(f"may {pays} rather than pay {rather}"),), subject.during)
        case Cannot():
            return prohibition(operation, subject)
        case Must("be targeted"):
            chooser = Noun("while choosing targets, your opponents", many=True)
            return Clause(chooser, (Verb(f"must choose {objective(subject.whole)} if able"),), subject.during)
        case Must("be blocked"):
            return Verb("must be blocked if able")
        case Must(do):
            return Verb(f"{do} each combat if able")
        case AsThoughFlash():
            who, spells, _ = caster(subject)
            had = "it" if spells.startswith(("this", "that", "each")) else "they"
            return Clause(who, (Verb(f"may cast {spells} as though {had} had flash"),), subject.during)
        case OnlyAsSorcery():
            return Verb("can cast spells only any time they could cast a sorcery")
        case EntersTapped():
            return Verb("enter tapped")
        case SkipStep(step):
            return Clause(
                it,
                (Verb(f"skip {its} {STEP_NAMES[step]}{'s' if it.many else ''}"),),
                subject.during,
                order=True,
            )
        case AnyColorMana():
            return Verb("may spend mana as though it were mana of any color")
        case LandsTapFor(mana):
            if it.person == "thing":
                return Clause(
                    Noun(f"mana produced by {objective(subject.whole)}"),
                    (Verb(f"are {mana} instead"),),
                    subject.during,
                )
            losing = conjugated("would lose unspent mana", it)
            return Clause(
                Noun(f"if {it.text} {losing}, that mana"), (Verb(f"become {mana} instead"),), subject.during
            )
        case _:
            assert_never(operation)


def exceptions(but: Sequence[Operation], copy: Noun, setting: Setting) -> str:
    """What is different about a copy: ", except it's an artifact in addition to its other types"."""
    if not but:
        return ""
    clauses = part_clauses(It(), but, setting.saying({It(): pronoun(copy)}), static=True)
    return f", except {series(map(finite, clauses))}"


def given_abilities(abilities: Sequence[Ability], whose: Noun, setting: Setting) -> str:
    """Abilities that something has: keywords by name, others quoted."""
    this = replace(whose, text=f"this {whose.head}", many=False, long=False)
    named = [keyword_words(a, setting) for a in abilities if isinstance(a, Keyword) and not has_dash(a)]
    quoted = [quotation(a, this, setting) for a in abilities if not isinstance(a, Keyword) or has_dash(a)]
    return series([*named, *quoted]) or "no further abilities"


def quotation(ability: Ability, this: Noun, setting: Setting) -> str:
    """An ability in quotation marks, as something else's."""
    chosen = {who: spoken for who, spoken in setting.full.items() if isinstance(who, The)}
    inner = Setting({**chosen, This(): this}, {**chosen, This(): this}, this.text, setting.quotes + 1)
    mark = "'" if setting.quotes % 2 else '"'
    return f"{mark}{ability_words(ability, inner)}{mark}"


def identity(
    kind: AddTypes | SetTypes | SetCreatureTypes | SetBasicLandTypes,
    colors: SetColors | None,
    size: Base | None,
    subject: Subject,
) -> str:
    """Being something: "is a 1/1 green Saproling creature in addition to its other types"."""
    are = "are" if subject.static else "become"
    hue = [color_words(colors.colors)] if colors else []
    pt = f"{size_words(size)}" if size else ""
    behind = f" with base power and toughness {pt}" if size else ""
    match kind:
        case AddTypes(types, subtypes, supertypes):
            what = kinds_said(
                [pt, *map(str.lower, in_order(supertypes, SUPERTYPES_IN_ORDER)), *hue],
                subtypes,
                types,
                subject.noun,
            )
            same = {kind_of_subtype(word) for word in subtypes}
            other = (
                f"other {same.pop()} types"
                if not types and same in ({"creature"}, {"land"})
                else "other types"
            )
            return f"{are} {what}" + (f" in addition to {subject.its} {other}" if types or subtypes else "")
        case SetTypes(types, subtypes):
            front = [pt] if "Creature" in types else []
            what = (
                kinds_said([*front, *hue], subtypes, types, subject.noun)
                if types or subtypes
                else "no card type"
            )
            return f"{are} {what}" + ("" if front or not size else behind)
        case SetCreatureTypes(subtypes):
            what = (
                kinds_said(hue, subtypes, (), subject.noun)
                if subtypes
                else series([*hue, "no creature type"])
            )
            return f"{are} {what}{behind}"
        case SetBasicLandTypes(subtypes):
            return f"{are} {kinds_said([], subtypes, (), subject.noun) if subtypes else 'no land type'}"
        case _:
            assert_never(kind)


def kinds_said(before: Sequence[str], subtypes: Iterable[str], types: Iterable[CardType], whose: Noun) -> str:
    """Kinds of thing as what something is: "1/1 green Saproling creatures and Forest lands"."""
    plain = [word for word in subtypes_in_order(subtypes) if word not in SPECIAL_SUBTYPES]
    named = in_order(types, TYPES_IN_ORDER)
    sorts = {SUBTYPES_OF[card_type]: card_type for card_type in reversed(named)}
    groups = [[*plain, *map(str.lower, named)]] if plain or named else []
    if len({kind_of_subtype(word) for word in plain} & set(sorts)) > 1:
        groups = [
            [*(word for word in plain if sorts.get(kind_of_subtype(word)) == card_type), card_type.lower()]
            for card_type in in_order(types, ("Creature",))
        ]
    words = [" ".join(filter(None, [*(before if i == 0 else ()), *some])) for i, some in enumerate(groups)]
    said = [plural(text) if whose.many else with_article(text) for text in words]
    special = {CHOSEN_TYPE: f"the {CHOSEN_TYPE}", ALL_CREATURE_TYPES: "every creature type"}
    adjectives_only = [] if groups else list(filter(None, before))
    return (
        series([*adjectives_only, *said, *(special[word] for word in sorted(set(subtypes) & set(special)))])
        or "nothing more"
    )


def size_words(base: Base) -> str:
    """Power and toughness as printed in a corner: "1/1"."""
    return "/".join("X" if isinstance(n, X) else str(n) for n in (base.power, base.toughness))


def base_words(power: Quantity | None, toughness: Quantity | None, setting: Setting) -> str:
    """Base power and toughness, or one of them."""
    if isinstance(power, int | X) and isinstance(toughness, int | X):
        return f"base power and toughness {size_words(Base(power, toughness))}"
    if power is not None and power == toughness:
        return f"base power and toughness each equal to {value(power, setting)}"
    said = [
        f"base {name} {compared('=', n, setting)}"
        for name, n in (("power", power), ("toughness", toughness))
        if n is not None
    ]
    return series(said) or "unchanged base power and toughness"


def modification(power: Quantity, toughness: Quantity, setting: Setting) -> Verb:
    """Getting bigger or smaller: "get +1/+1 for each …", "get +X/+0, where X is …"."""
    units = [(0, "") if n == 0 else for_each(n, setting) for n in (power, toughness)]
    tails = {unit[1] for unit in units if unit is not None and unit[0]}
    if None not in units and len(tails) == 1:
        up, out = (unit[0] if unit else 0 for unit in units)
        return Verb(f"get {signed(up)}/{signed(out)}", tails.pop())
    letters: dict[str, str] = {}
    said = []
    for n in (power, toughness):
        negative_of = n.by if isinstance(n, Times) and n.n == -1 else None
        amount: Quantity = n if negative_of is None else negative_of
        if isinstance(n, int):
            said.append(signed(n))
            continue
        name = "X"
        if not isinstance(amount, X):
            spoken = value(amount, setting)
            name = letters.setdefault(spoken, setting.letters[len(letters)])
        said.append(f"{'+' if negative_of is None else '-'}{name}")
    if any(text.startswith("-") for text in said):
        said = ["-0" if text == "+0" else text for text in said]
    where = series(f"{name} is {spoken}" for spoken, name in letters.items())
    return Verb(f"get {'/'.join(said)}", f", where {where}" if where else "")


def signed(n: int) -> str:
    """A number with its sign."""
    return f"{n:+d}"


def hand_size(how: str, n: Quantity, subject: Subject) -> Verb | Clause:
    """A maximum hand size set, changed, or done away with."""
    if how == "none":
        return Verb("have no maximum hand size")
    words = number(n) if isinstance(n, int) else value(n, subject.setting)
    if how == "set":
        text = f"are {words}" if isinstance(n, int | X) else f"are equal to {words}"
    elif isinstance(n, int) and n < 0:
        text = f"are reduced by {number(-n)}"
    else:
        text = f"are increased by {words}"
    size = owned(subject.noun, "maximum hand sizes" if subject.noun.many else "maximum hand size")
    return Clause(Noun(size, subject.noun.many), (Verb(text),), subject.during)


def replaced_word(operation: ReplaceWord, subject: Subject) -> Clause:
    """The text of something changed."""
    kinds = [
        f"{kind} word" if kind == "color" else kind for kind in in_order(operation.kinds, ("color",))
    ] or ["word"]
    pairs = [
        (
            operation.old or f"one {kind}",
            operation.new or ("another" if operation.old is None else f"another {kind}"),
        )
        for kind in kinds
    ]
    text = (
        owned(subject.whole, "text")
        if subject.whole.text in PRONOUNS
        else f"the text of {subject.whole.text}"
    )
    if subject.static:
        said = series(
            (
                f"all instances of {old} in {text} are replaced with {new}"
                for old, new in dict.fromkeys(pairs)
            ),
            "or",
        )
        first, _, rest = said.partition(" are ")
        return Clause(Noun(first, many=True), (Verb(f"are {rest}"),), subject.during)
    words = series((f"{old} with {new}" for old, new in dict.fromkeys(pairs)), "or")
    verb = Verb(f"change {text} by replacing all instances of {words}")
    return Clause(noun(You(), subject.setting), (verb,), subject.during, order=True)


def caster(subject: Subject) -> tuple[Noun, str, str]:
    """Who casts the spells that an effect is about, what they are called, and their mana cost."""
    if isinstance(subject.affects, All):
        whose = Everyone() if subject.affects.controller is None else subject.affects.controller
        spells = group(replace(subject.affects, controller=None), subject.setting, "many").text
        return noun(whose, subject.setting, "subject"), spells, "their mana costs"
    spell = "this spell" if isinstance(subject.affects, This) else objective(subject.noun)
    return noun(You(), subject.setting), spell, "its mana cost"


def changed_costs(operation: Costs, subject: Subject) -> Clause:
    """Spells, or abilities of permanents, that cost more, less, or at least so much."""
    how, mana, times = operation.how, operation.mana, operation.times
    affects, setting = subject.affects, subject.setting
    whose = subject.noun
    if isinstance(affects, This):
        whose, act = replace(whose, text="this spell"), "cast"
    elif isinstance(affects, All) and affects.zones <= {"battlefield"} or whose.zone == "battlefield":
        whose, act = Noun(f"activated abilities of {objective(subject.whole)}", many=True), "activate"
    else:
        whose, act = replace(whose, text=re.sub(r"\bcontrol(s?)\b", r"cast\1", whose.text)), "cast"
    tail = times_over(times, setting)
    if how == "at least":
        generic = re.fullmatch(r"\{(\d+)\}", mana)
        least = f"{number(int(generic[1]))} mana" if generic else mana
        if isinstance(affects, All) and act == "cast":
            one = group(affects, setting, "each").text
            whose = Noun(re.sub(r"\bcontrol(s?)\b", r"cast\1", one))
        would = f"that would cost less than {least} to {act}"
        return Clause(
            replace(whose, text=f"{whose.text} {would}"),
            (Verb(f"cost {least} to {act}", tail),),
            subject.during,
        )
    return Clause(whose, (Verb(f"cost {mana} {how} to {act}", tail),), subject.during)


def times_over(times: Quantity, setting: Setting) -> str:
    """How often a cost change counts, where not once."""
    if times == 1:
        return ""
    each = for_each(times, setting)
    if each is not None and each[0] == 1:
        return each[1]
    return (
        f", {number(times)} times"
        if isinstance(times, int)
        else f", a number of times equal to {value(times, setting)}"
    )


Forbidden = Literal[
    "attack",
    "block",
    "be blocked",
    "untap",
    "activate abilities",
    "cast",
    "play lands",
    "gain life",
    "draw",
    "be countered",
    "be targeted",
    "turn face up",
]
FORBIDDEN: dict[str, tuple[str, str, Place, str]] = {
    "attack": ("attack", "attack alongside {}", "permanent", ""),
    "block": ("block", "block {}", "permanent", ""),
    "be blocked": ("be blocked", "be blocked by {}", "permanent", ""),
    "untap": ("become untapped", "untap {}", "permanent", ""),
    "activate abilities": ("activate abilities", "activate abilities of {}", "permanent", "ability"),
    "cast": ("cast spells", "cast {}", "spell", "spell"),
    "play lands": ("play lands", "play {}", "card", "land"),
    "gain life": ("gain life", "gain life from {}", "object", ""),
    "draw": ("draw cards", "draw {}", "card", "card"),
    "be countered": ("be countered", "be countered by {}", "spell", ""),
    "be targeted": (
        "be the target of spells or abilities",
        "be the target of {} or their abilities",
        "object",
        "",
    ),
    "turn face up": ("be turned face up", "turn {} face up", "permanent", ""),
}
"""What can't be done: alone, with the things concerned, what those are, and what is counted."""


def prohibition(operation: Cannot, subject: Subject) -> Verb | Clause:
    """Something that can't be done, or be done so often, or not unless."""
    setting, it = subject.setting, subject.noun
    said = []
    for do in in_order(operation.do, tuple(FORBIDDEN)):
        plain, with_what, place, unit = FORBIDDEN[do]
        what = None if operation.what is None else describe(operation.what, setting, place).phrase(True)
        if it.person == "thing" and do == "activate abilities":
            plain = (
                "have its activated abilities activated"
                if not it.many
                else "have their activated abilities activated"
            )
        if it.person == "thing" and do == "cast":
            plain = "be cast"
        if operation.after is None:
            said.append(plain if what is None else with_what.format(what))
        elif unit and it.person != "thing":
            one = (
                unit
                if operation.what is None
                else describe(operation.what, setting, place).phrase(operation.after != 1)
            )
            one = one if operation.after == 1 or operation.what is not None else plural(one)
            said.append(f"{with_what.split()[0]} more than {number(operation.after)} {one} each turn")
        else:
            often = "once" if operation.after == 1 else f"{number(operation.after)} times"
            said.append(f"{plain if what is None else with_what.format(what)} more than {often} each turn")
    unless = f" unless {condition(operation.unless, setting)}" if operation.unless is not None else ""
    if operation.unless_pays:
        payer = pronoun(it) if it.person != "thing" else holder(pronoun(it), "controller")
        pays = series(conjugated(verb, payer) for verb in cost_verbs(operation.unless_pays, setting))
        unless += f"{' and' if unless else ''} unless {payer.text} {pays}"
    return Verb(f"can't {series(said, 'or') or 'do anything new'}{unless}")


# ------------------------------------------------------------------------------------- costs


def cost_verbs(costs: Iterable[Cost], setting: Setting) -> list[str]:
    """Costs as things to do: "pay {2}", "sacrifice a creature"."""
    return [cost_verb(cost, setting) for cost in costs]


def cost_verb(cost: Cost, setting: Setting) -> str:
    """One cost as something to do."""
    this = objective(noun(This(), setting))
    match cost:
        case ManaCost(mana):
            return f"pay {mana}"
        case TapThis():
            return f"tap {this}"
        case UntapThis():
            return f"untap {this}"
        case TapOthers(what, n):
            return f"tap {things_paid(replace(what, tapped=False, controller=what.controller or You()), n, setting)}"
        case SacrificeCost(what, n):
            return f"sacrifice {this if isinstance(what, This) else things_paid(what, n, setting)}"
        case DiscardCost(n, None):
            return f"discard {counted(n, 'card', setting).text}"
        case DiscardCost(n, what):
            return f"discard {this if isinstance(what, This) else things_paid(what, n, setting, 'card')}"
        case ExileCost(what, n, zone):
            return f"exile {paid_from(what, n, zone, setting)}"
        case ReturnCost(what, n):
            things = things_paid(replace(what, controller=what.controller or You()), n, setting)
            hands = "its owner's hand" if n == 1 else "their owners' hands"
            return f"return {things} to {hands}"
        case LifeCost(n):
            return f"pay {n} life"
        case LoyaltyCost(n):
            counters = counted(abs(n), "loyalty counter", setting).text
            return f"{'put' if n >= 0 else 'remove'} {counters} {'on' if n >= 0 else 'from'} {this}"
        case RemoveCountersCost(kind, n):
            return f"remove {counted(n, f'{kind} counter', setting).text} from {this}"
        case MillCost(n):
            return f"mill {counted(n, 'card', setting).text}"
        case _:
            assert_never(cost)


def things_paid(what: Filter, n: int, setting: Setting, place: Place = "permanent") -> str:
    """So many things of a description."""
    phrase = describe(what, setting, place)
    other = what.other_than is not None and is_other(what.other_than)
    if n == 1:
        return f"another {phrase.phrase(False)}" if other else with_article(phrase.phrase(False))
    return f"{number(n)} {'other ' if other else ''}{phrase.phrase(True)}"


def paid_from(what: This | All, n: int, zone: Zone, setting: Setting) -> str:
    """What is exiled as a cost, and from where."""
    place = PLACES.get(zone, "card")
    things = (
        objective(noun(This(), setting)) if isinstance(what, This) else things_paid(what, n, setting, place)
    )
    where = {
        "battlefield": "",
        "stack": " from the stack",
        "exile": " from exile",
        "command": " from the command zone",
    }
    return things + where.get(zone, f" from {possessive(noun(You(), setting))} {zone}")


def cost_line(costs: Sequence[Cost], setting: Setting) -> str:
    """Costs before a colon: "{2}, {T}, Discard a card"."""
    return ", ".join(cost_symbol(cost, setting) for cost in costs) or "{0}"


def cost_symbol(cost: Cost, setting: Setting) -> str:
    """One cost before a colon: a symbol, or an order with a capital letter."""
    match cost:
        case ManaCost(mana):
            return mana or "{0}"
        case TapThis():
            return "{T}"
        case UntapThis():
            return "{Q}"
        case LoyaltyCost(n):
            return f"{n:+d}".replace("-", "−") if n else "0"
        case _:
            return capital(cost_verb(cost, setting))


# ------------------------------------------------------------------------------ instructions


def told(effect: Sequence[Instruction], setting: Setting) -> list[str]:
    """What a spell or ability does, as bare sentences in order."""
    said: list[str] = []
    several_colors = False
    for place, instruction in enumerate(effect):
        choice = picked(instruction, effect[place + 1 : place + 2])
        if choice is not None:
            setting = naming(choice, setting)
            continue
        words = sentences(instruction, setting)
        said += (
            [text.replace(CHOSEN_COLOR, f"{CHOSEN_COLOR}s") for text in words] if several_colors else words
        )
        several_colors |= (
            isinstance(instruction, Choose) and instruction.kind == "color" and instruction.most > 1
        )
        setting = after(instruction, setting)
    return said


def after(instruction: Instruction, setting: Setting) -> Setting:
    """How things are spoken of once an instruction has been told."""
    setting = setting.after(instruction)
    new = introduced(instruction, setting)
    return setting.saying(new, new)


def picked(instruction: Instruction, following: Sequence[Instruction]) -> Choose | None:
    """A choice that the next instruction can make: "put a creature card from your hand onto the battlefield"."""
    match instruction, following:
        case Choose("object", All(), You(), 1, 1, name), [
            Put(what) | Destroy(what) | Exile(what) | Tap(what)
        ]:
            return instruction if what == The(name) else None
        case _:
            return None


def naming(choice: Choose, setting: Setting) -> Setting:
    """What is chosen is named where it is first spoken of."""
    first = noun(choice.what or Everyone(), setting, "some")
    return setting.saying({The(choice.name): first}, {The(choice.name): again(first)})


def introduced(instruction: Instruction, setting: Setting) -> dict[Selector, Noun]:
    """What an instruction gives a name to, and how it is spoken of from then on."""
    match instruction:
        case Exile(what, str(name)):
            return {The(name): again(replace(noun(what, setting), zone="exile"))}
        case Put(what, to, name=str(name)):
            return {The(name): again(replace(noun(what, setting), zone=to))}
        case Create(name=str(name), n=n):
            return {The(name): Noun("that token" if n == 1 else "those tokens", many=n != 1)}
        case Reveal(what, name):
            return {The(name): again(noun(what, setting)), what: again(noun(what, setting))}
        case LookAt(All(top=True) as what):
            return {what: again(noun(what, setting))}
        case Choose():
            return {The(instruction.name): chosen_noun(instruction, setting)}
        case _:
            return {}


def chosen_noun(choice: Choose, setting: Setting) -> Noun:
    """What was chosen, as it is spoken of later."""
    several = choice.most > 1
    match choice.kind:
        case "object" | "player":
            anything: Selector = All() if choice.kind == "object" else Everyone()
            what = noun(choice.what or anything, setting, "many" if several else "one")
            return again(replace(what, many=several), "the chosen")
        case kind:
            return Noun(f"the chosen {plural(kind) if several else kind}", several)


def sentences(instruction: Instruction, setting: Setting) -> list[str]:
    """One instruction as bare sentences."""
    match instruction:
        case May():
            return may(instruction, setting)
        case If(cond, effect, otherwise):
            known = setting.after(cond)
            said = [f"if {condition(cond, setting)}, {run_on(told(effect, known))}"]
            return said + ([f"otherwise, {run_on(told(otherwise, known))}"] if otherwise else [])
        case Later():
            return [delayed(instruction, setting)]
        case ForEachPlayer(who, effect):
            each = noun(who, setting, "each")
            return [run_on(told(effect, setting.saying({You(): each}, {You(): again(each)})))]
        case _:
            return [finite(clause) for clause in clauses(instruction, setting)]


def may(instruction: May, setting: Setting) -> list[str]:
    """What a player may do; the first thing is said directly, if it can be: "you may draw a card"."""
    who = noun(instruction.who, setting, "some")
    known = setting.after(instruction.who)
    do, don_t = ("you do", "you don't") if who.person == "you" else ("they do", "they don't")
    effect = list(instruction.effect)
    results: list[str] = []
    if instruction.cost:
        pays = cost_verbs(instruction.cost, setting)
        if not effect and len(instruction.otherwise) == 1 and clauses(instruction.otherwise[0], setting):
            (threat,) = told(instruction.otherwise, setting)[-1:]
            return [f"{threat} unless {who.text} {series(conjugated(pay, who) for pay in pays)}"]
        said = [f"{who.text} may {series(pays)}"]
    elif effect:
        choice = picked(effect[0], effect[1:2])
        if choice is not None:
            known = naming(choice, known)
            effect.pop(0)
        first = effect.pop(0)
        does = clauses(first, known)
        doing = run_on(sentences(first, known))
        said = [allowed(does[0], who) if does else f"{who.text} may choose to do this: {doing}"]
        results = [finite(clause) for clause in does[1:]]
        known = after(first, known)
    else:
        said = [f"{who.text} may choose to do nothing"]
    results += told(effect, known)
    if results:
        said.append(f"if {do}, {run_on(results)}")
    if instruction.otherwise:
        said.append(f"if {don_t}, {run_on(told(instruction.otherwise, known))}")
    return said


def delayed(instruction: Later, setting: Setting) -> str:
    """What will happen at a later event."""
    opening, inside = event_words(instruction.when, setting, each=instruction.each)
    if instruction.each:
        opening += " this turn"
    if instruction.cond is not None:
        opening += f", if {condition(instruction.cond, inside)}"
    said = told(instruction.effect, inside)
    if isinstance(instruction.when, Beginning) and len(said) == 1 and "," not in opening:
        return f"{said[0]} {opening}"
    return f"{opening}, {run_on(said)}"


def ordered(who: Noun, text: str, tail: str = "", during: str = "") -> Clause:
    """A clause that says "do this" to you, and "target player does this" of others."""
    return Clause(who, (Verb(text, tail),), during, order=True)


def clauses(instruction: Instruction, setting: Setting) -> list[Clause]:
    """A plain instruction as clauses; none, if it takes sentences of another form."""
    you = noun(You(), setting)
    match instruction:
        case Effect(affects, does, until, as_long_as):
            during = DURATIONS[until]
            if as_long_as is not None:
                during += f" for as long as {condition(as_long_as, setting.about(It(), IT).after(affects))}"
            return part_clauses(affects, does, setting, static=False, during=during)
        case Damage():
            return [damage(instruction, setting)]
        case Draw(n, who):
            return [counted_action(who, "draw", n, "card", setting)]
        case Discard(PropertyOf("hand_size", of), who) if of == who:
            each = noun(who, setting, "each")
            return [ordered(each, f"discard {possessive(pronoun(each))} hand")]
        case Discard(n, who):
            return [counted_action(who, "discard", n, "card", setting)]
        case GainLife(n, who) | LoseLife(n, who):
            each = noun(who, setting, "each")
            life = measured(n, "life", setting.about(who, pronoun(each)))
            verb = "gain" if isinstance(instruction, GainLife) else "lose"
            return [Clause(each, (Verb(f"{verb} {life.text}", life.tail),))]
        case Destroy(what):
            return [ordered(you, f"destroy {object_of(what, setting)}")]
        case Exile(what):
            return [ordered(you, f"exile {taken(noun(what, setting))}")]
        case Sacrifice(what, who, n):
            things = so_many_of(n, what, setting) if isinstance(what, All) else Verb(object_of(what, setting))
            return [ordered(noun(who, setting, "each"), f"sacrifice {things.text}", things.tail)]
        case CounterSpell(what):
            return [ordered(you, f"counter {object_of(what, setting)}")]
        case Tap(what):
            return [ordered(you, f"tap {object_of(what, setting)}")]
        case Untap(what):
            return [ordered(you, f"untap {object_of(what, setting)}")]
        case TurnFace(what, face):
            return [ordered(you, f"turn {object_of(what, setting)} face {face}")]
        case Put():
            return put(instruction, setting)
        case PutCounters(counters, on):
            pile = piles(counters, setting)
            return [ordered(you, f"put {pile.text} on {object_of(on, setting, 'each')}", pile.tail)]
        case RemoveCounters(counters, on):
            pile = piles(counters, setting)
            return [ordered(you, f"remove {pile.text} from {object_of(on, setting, 'each')}", pile.tail)]
        case Create():
            return [create(instruction, setting)]
        case AddMana(mana, n, who):
            added = mana_added(mana, n, setting)
            return [ordered(noun(who, setting, "each"), f"add {added.text}", added.tail)]
        case LookAt(what):
            return [ordered(you, f"look at {shown(what, setting)}")]
        case Reveal(what):
            return [ordered(you, f"reveal {shown(what, setting)}")]
        case Search():
            return [search(instruction, setting)]
        case Choose():
            return [
                ordered(
                    noun(instruction.who, setting, "each"), f"choose {choice_words(instruction, setting)}"
                )
            ]
        case CopySpell(what, n, new_targets):
            copied = times_copied(n, setting)
            first = ordered(you, f"copy {object_of(what, setting)}{copied.text}", copied.tail)
            copies = "the copy" if n == 1 else "the copies"
            return (
                [first, Clause(you, (Verb(f"may choose new targets for {copies}"),))]
                if new_targets
                else [first]
            )
        case ChangeTarget(what):
            return [ordered(you, f"choose new targets for {object_of(what, setting)}")]
        case Attach(what, to):
            return [ordered(you, f"attach {object_of(what, setting)} to {object_of(to, setting, 'some')}")]
        case ExchangeControl(one, other, until):
            both = f"{object_of(one, setting, 'some')} and {object_of(other, setting, 'some')}"
            return [ordered(you, f"exchange control of {both}", during=DURATIONS[until])]
        case Regenerate(what):
            return [ordered(you, f"regenerate {object_of(what, setting, 'each')}")]
        case ExtraTurn(who):
            return [ordered(noun(who, setting, "each"), "take an extra turn after this one")]
        case May() | If() | Later() | ForEachPlayer():
            return []
        case _:
            assert_never(instruction)


def object_of(what: Selector, setting: Setting, form: Form = "all") -> str:
    """A thing as the object of a verb."""
    return objective(noun(what, setting, form))


def taken(thing: Noun) -> str:
    """A thing as it is taken from where it is: "a creature card from your hand"."""
    before, found, place = thing.text.rpartition(" in ")
    return f"{before} from {place}" if found and thing.zone in OUTSIDE else objective(thing)


def counted_action(who: Selector, verb: str, n: Quantity, one: str, setting: Setting) -> Clause:
    """A player does something with so many things: "target player draws two cards"."""
    each = noun(who, setting, "each")
    things = counted(n, one, setting.about(who, pronoun(each)))
    return ordered(each, f"{verb} {things.text}", things.tail)


def so_many_of(n: Quantity, what: All, setting: Setting) -> Verb:
    """So many things of a description: "a creature", "two other creatures"."""
    return so_many(n, group(what, setting, "some").text, group(what, setting, "many").text, setting)


def damage(instruction: Damage, setting: Setting) -> Clause:
    """Damage dealt."""
    source = noun(instruction.by, setting, "each")
    inside = setting.about(instruction.by, pronoun(source))
    much = measured(instruction.n, "damage", inside)
    to = "itself" if instruction.to == instruction.by else object_of(instruction.to, inside, "each")
    way = "divided as you choose among" if instruction.divided else "to"
    return Clause(source, (Verb(f"deal {much.text} {way} {to}", much.tail),))


def put(instruction: Put, setting: Setting) -> list[Clause]:
    """Objects moved to a zone."""
    what, to = instruction.what, instruction.to
    thing = noun(what, setting)
    back = thing.zone == "graveyard" or (to == "hand" and thing.zone == "battlefield")
    home = homes(what, thing, to, setting)
    piled = Verb("")
    match to:
        case "battlefield":
            how = [
                word
                for word, is_so in (("tapped", instruction.tapped), ("attacking", instruction.attacking))
                if is_so
            ]
            where = (
                ("return {} to" if back else "put {} onto")
                + " the battlefield"
                + "".join(f" {series(how)}" if how else "")
            )
            if not isinstance(instruction.under, You):
                where += (
                    f" under {owned(noun(instruction.under, setting.about(what, pronoun(thing))), 'control')}"
                )
            if instruction.counters:
                piled = piles(instruction.counters, setting)
                where += f" with {piled.text} on {objective(pronoun(thing))}"
        case "hand":
            where = f"{'return {} to' if back else 'put {} into'} {home}"
        case "library":
            where = f"put {{}} on {'the bottom' if instruction.bottom else 'top'} of {home}"
        case "graveyard":
            where = f"put {{}} into {home}"
        case "exile":
            where = "exile {}"
        case "stack" | "command":
            where = "put {} " + ("onto the stack" if to == "stack" else "into the command zone")
        case _:
            assert_never(to)
    moved = ordered(noun(You(), setting), where.replace("{}", taken(thing)), piled.tail)
    if not instruction.does:
        return [moved]
    there = pronoun(replace(thing, zone=to))
    return [moved, *part_clauses(It(), instruction.does, setting.saying({It(): there}), static=True)]


def homes(what: Selector, thing: Noun, zone: Zone, setting: Setting) -> str:
    """The hand, library or graveyard where a thing goes."""
    if isinstance(what, All) and what.of is not None:
        return owned(noun(what.of, setting, "each"), zone)
    return f"their owners' {plural(zone)}" if thing.many else f"its owner's {zone}"


def piles(counters: Sequence[Counters], setting: Setting) -> Verb:
    """Counters to put or remove: "a +1/+1 counter and two charge counters"."""
    several = [counted(pile.n, f"{pile.kind} counter", setting, i) for i, pile in enumerate(counters)]
    return Verb(
        series(pile.text for pile in several) or "no counters", "".join(pile.tail for pile in several)
    )


def create(instruction: Create, setting: Setting) -> Clause:
    """Tokens made."""
    who = noun(instruction.who, setting, "each")
    token = instruction.token
    core = "token" if token is None else token_core(token)
    made = counted(instruction.n, core, setting)
    behind = "" if token is None else token_rest(token, setting)
    tail = made.tail
    if instruction.copy_of is not None:
        model = object_of(instruction.copy_of, setting, "some")
        behind += f" that's a copy of {model}" if instruction.n == 1 else f" that are copies of {model}"
        tail = exceptions(instruction.but, IT if instruction.n == 1 else THEY, setting) + tail
    return ordered(who, f"create {made.text}{behind}", tail)


def token_core(token: Card) -> str:
    """A token up to the word: "1/1 black Faerie Rogue creature token"."""
    size = (
        [f"{token.power}/{token.toughness}"] if token.power is not None or token.toughness is not None else []
    )
    words = [
        *map(str.lower, in_order(token.supertypes, SUPERTYPES_IN_ORDER)),
        *(text.replace("None", "0") for text in size),
        color_words(colors_of(token)),
        *subtypes_in_order(token.subtypes),
        *map(str.lower, in_order(token.types, TYPES_IN_ORDER)),
    ]
    return " ".join([*words, "token"])


def token_rest(token: Card, setting: Setting) -> str:
    """What a token is called and has: " named Kaldra with flying"."""
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


def mana_added(mana: str, n: Quantity, setting: Setting) -> Verb:
    """Mana to add: "{G}{G}", "one mana of any color"."""
    if mana == "any":
        if n == 1:
            return Verb("one mana of any color")
        amount = measured(n, "mana", setting)
        words = f"{number(n)} mana" if isinstance(n, int) else amount.text
        return Verb(f"{words} of any one color", amount.tail)
    if isinstance(n, int):
        return Verb(mana * n if 0 < n < 6 else f"{mana} {number(n)} times")
    each = for_each(n, setting)
    if each is not None:
        return Verb(mana * each[0], each[1])
    return Verb(f"an amount of {mana} equal to {value(n, setting)}")


def shown(what: Selector, setting: Setting) -> str:
    """Cards that are looked at or revealed; all of a hand is "target player's hand"."""
    match what:
        case All(zones=zones, of=of, top=False) if (
            len(zones) == 1 and of is not None and plain_filter(what) == Filter()
        ):
            (zone,) = zones
            if zone in ("hand", "library", "graveyard"):
                return owned(noun(of, setting, "each"), zone)
        case _:
            pass
    return object_of(what, setting)


def search(instruction: Search, setting: Setting) -> Clause:
    """A library searched, and then shuffled."""
    who = noun(instruction.who, setting, "each")
    their = possessive(pronoun(who))
    wanted = describe(instruction.what, setting, "card")
    one = instruction.n == 1
    what = (
        with_article(wanted.phrase(False)) if one else f"up to {number(instruction.n)} {wanted.phrase(True)}"
    )
    them = "it" if one else "them"
    tapped = " tapped" if instruction.tapped else ""
    places: dict[Zone, str] = {
        "battlefield": f"put {them} onto the battlefield{tapped}",
        "stack": f"put {them} onto the stack{tapped}",
        "hand": f"put {them} into {their} hand",
        "library": f"shuffle, then put {them} on top",
        "graveyard": f"put {them} into {their} graveyard",
        "exile": f"exile {them}",
        "command": f"put {them} into the command zone",
    }
    steps = (
        [places[instruction.to], "shuffle"]
        if instruction.to != "library"
        else places["library"].split(", then ")
    )
    does, last = (conjugated(step, who) for step in steps)
    return ordered(who, f"search {their} library for {what}, {does}, then {last}")


CHOICE_FORMS: tuple[Form, Form, Form] = ("one", "some", "many")


def choice_words(choice: Choose, setting: Setting) -> str:
    """What there is to choose: "a creature you control", "one or more colors", "a creature type"."""
    what = choice.what
    match choice.kind:
        case "object":
            of = what if isinstance(what, All) else None
            if what is not None and of is None:
                return f"{object_of(what, setting)}"
            one, some, many = (group(of or All(), setting, form).text for form in CHOICE_FORMS)
            return limited(choice.least, choice.most, one, some, many)
        case "player":
            who = noun(what or Everyone(), setting, "one")
            return limited(choice.least, choice.most, who.text, with_article(who.text), plural(who.text))
        case "color" if choice.most >= len(COLORS) and choice.least == 1:
            return "one or more colors"
        case "type" | "word" | "color" | "name" | "number":
            kinds = {"type": choice.of or "type", "word": f"{choice.of or 'text'} word", "name": "card name"}
            one = kinds.get(choice.kind, choice.kind)
            said = limited(choice.least, choice.most, one, with_article(one), plural(one))
            return said if what is None else f"{said} among {object_of(what, setting)}"
        case kind:
            assert_never(kind)


def limited(least: int, most: int, one: str, some: str, many: str) -> str:
    """So many things, within limits."""
    if least == most == 1:
        return some
    words = limits(least, most)
    return f"{words} {one if words in JUST_ONE else many}"


JUST_ONE = ("one", "up to one")


def limits(least: int, most: int) -> str:
    """How many at least and at most: "two", "up to two", "one, two, or three", "any number of"."""
    if least >= most:
        return number(most)
    if most >= AS_MANY_AS_YOU_LIKE:
        return f"{number(least)} or more" if least > 0 else "any number of"
    if least <= 0:
        return f"up to {number(most)}"
    if most - least < 4:
        return series(map(number, range(least, most + 1)), "or")
    return f"between {number(least)} and {number(most)}"


def times_copied(n: Quantity, setting: Setting) -> Verb:
    """How often something is done, unless once."""
    if isinstance(n, int):
        return Verb({1: "", 2: " twice"}.get(n, f" {number(n)} times"))
    often = counted(n, "time", setting)
    return Verb(f" {often.text.replace('a time', 'once')}", often.tail)


# ------------------------------------------------------------------------------------ events


def event_words(event: Event, setting: Setting, each: bool = False) -> tuple[str, Setting]:
    """What a trigger waits for, up to the comma, and how things are spoken of behind it."""
    match event:
        case Enters(who):
            return happens(who, "enter", setting, once=not each)
        case Leaves(who):
            return happens(who, "leave the battlefield", setting, once=not each)
        case Dies(who):
            dying = "die" if noun(who, setting, "some").head == "creature" else PUT_INTO_GRAVEYARD
            return happens(who, dying, setting, once=not each, zone="graveyard")
        case Attacks(who):
            return happens(who, "attack", setting)
        case Blocks(who):
            return happens(who, "block", setting)
        case BecomesBlocked(who):
            return happens(who, "become blocked", setting)
        case BecomesTapped(who):
            return happens(who, "become tapped", setting)
        case BecomesUntapped(who):
            return happens(who, "become untapped", setting)
        case BecomesTarget(who, by):
            source = noun(by, setting, "some")
            whose = "" if isinstance(by, Everyone) else f" {source.text} {conjugated('control', source)}"
            return happens(who, f"become the target of a spell or ability{whose}", setting, once=not each)
        case TurnedFaceUp(who):
            return happens(who, "are turned face up", setting, once=not each)
        case DealsDamage(who, to, combat):
            harmed = "" if to is None else f" to {object_of(to, setting, 'some')}"
            return happens(who, f"deal {'combat ' if combat else ''}damage{harmed}", setting)
        case Cast(what, by):
            return plays("cast", by, what, "spell", setting)
        case Plays(what, by):
            return plays("play", by, what, "card", setting)
        case Draws(who):
            return happens(who, "draw a card", setting)
        case Discards(who):
            return happens(who, "discard a card", setting)
        case GainsLife(who):
            return happens(who, "gain life", setting)
        case Beginning():
            return beginning(event, setting)
        case State(cond):
            return f"{'whenever' if each else 'when'} {condition(cond, setting)}", setting.after(cond)
        case AbilityTriggers(of):
            source = object_of(of, setting, "some")
            return f"whenever a triggered ability of {source} triggers", setting
        case _:
            assert_never(event)


PUT_INTO_GRAVEYARD = "are put into a graveyard from the battlefield"


def happens(
    who: Selector, verb: str, setting: Setting, once: bool = False, zone: Zone = "battlefield"
) -> tuple[str, Setting]:
    """Something happens to or is done by somebody; if it can happen but once to one thing, "when"."""
    how = ""
    if isinstance(who, All) and is_this_alone(who):
        how = "".join(f" {word}" for word in states_of(who))
        who = This()
    subject = noun(who, setting, "some")
    alone = isinstance(who, This | Attached | It | The)
    opening = f"{'when' if once and alone else 'whenever'} {subject.text} {conjugated(verb, subject)}{how}"
    seen = replace(subject, zone=zone)
    if not alone:
        return opening, setting.saying({It(): again(seen)}, {It(): again(seen)})
    short = pronoun(seen)
    return opening, setting.saying(
        {who: short, It(): short}, {who: replace(seen, text=subject.text), It(): again(seen)}
    )


def plays(verb: str, by: Selector, what: Filter, place: Place, setting: Setting) -> tuple[str, Setting]:
    """Somebody casts a spell or plays a card."""
    who = noun(by, setting, "some")
    said = things_paid(what, 1, setting, place)
    it = Noun(f"that {place}", zone="stack" if place == "spell" else "graveyard")
    new: dict[Selector, Noun] = {It(): it}
    if who.person != "you":
        new[ControllerOf(It())] = again(who)
    return f"whenever {who.text} {conjugated(verb, who)} {said}", setting.saying(new, new)


def beginning(event: Beginning, setting: Setting) -> tuple[str, Setting]:
    """A step begins: "at the beginning of your upkeep", "at the beginning of the next end step"."""
    who = noun(event.of, setting, "each")
    step = STEP_NAMES[event.step]
    everyone = isinstance(event.of, Everyone)
    if event.step == "beginning of combat":
        when = "each combat" if everyone else f"combat on {owned(who, 'turn')}"
        when = (
            ("the next combat" if everyone else f"the next combat on {owned(who, 'turn')}")
            if event.next
            else when
        )
    elif event.next:
        when = f"the next {step}" if everyone else owned(who, f"next {step}")
    else:
        when = f"each {step}" if everyone and event.step in ("end", "upkeep") else owned(who, step)
    spoken = again(who)
    return f"at the beginning of {when}", setting.saying({ActivePlayer(): spoken}, {ActivePlayer(): spoken})


def is_this_alone(who: Filter) -> bool:
    """Whether a filter takes out everything but the object itself."""
    return any(only_keys(other, "other_than") and other.other_than == This() for other in who.without)


# --------------------------------------------------------------------------------- abilities


def ability_words(ability: Ability, setting: Setting) -> str:
    """An ability's whole text; modes are on lines of their own, unless it is quoted."""
    match ability:
        case Static():
            return static_words(ability, setting)
        case Defines(does):
            return defines_words(does, setting)
        case Activated():
            return activated_words(ability, setting)
        case Triggered():
            return triggered_words(ability, setting)
        case Spell():
            return spell_words(ability, setting)
        case AsEnters():
            return paragraph(as_enters_sentences(ability, setting))
        case Keyword():
            said = capital(keyword_words(ability, setting))
            return sentence(said) if has_dash(ability) else said
        case _:
            assert_never(ability)


def static_words(ability: Static, setting: Setting) -> str:
    """A static ability: one sentence, however many parts it has."""
    conditions_said = []
    if ability.zones != BATTLEFIELD and not speaks_of_itself(ability):
        conditions_said.append(in_zones(ability.zones, setting))
    inside = setting
    if ability.cond is not None:
        conditions_said.append(condition(ability.cond, setting))
        if isinstance(ability.cond, Matches | Not) and ability.parts:
            inside = spoken_again(ability.cond, ability.parts[0].affects, setting)
    clauses_said = [
        finite(clause)
        for part in ability.parts
        for clause in part_clauses(part.affects, part.does, inside, static=True)
    ]
    said = series(clauses_said) or "nothing happens"
    if len(ability.parts) == 1 and len(clauses_said) == 2:
        said = " and ".join(clauses_said)
    opening = f"as long as {series(conditions_said)}, " if conditions_said else ""
    lingers = "if {} leaves the battlefield, this effect continues until {}"
    more = [lingers.format(setting.itself, ability.lingers)] if ability.lingers else []
    return paragraph([opening + said, *more])


BATTLEFIELD: frozenset[Zone] = frozenset({"battlefield"})


def speaks_of_itself(ability: Static) -> bool:
    """Whether a static ability is about the spell it is on, so that its zone goes without saying."""
    return ability.zones == {"stack"} and all(isinstance(part.affects, This) for part in ability.parts)


def spoken_again(cond: Condition, affects: Selector, setting: Setting) -> Setting:
    """After "as long as enchanted creature is white", the sentence goes on with "it"."""
    if isinstance(cond, Not):
        return spoken_again(cond.part, affects, setting)
    if isinstance(cond, Matches) and cond.who == affects and not isinstance(affects, All):
        return setting.saying({affects: pronoun(noun(affects, setting))})
    return setting


def in_zones(zones: frozenset[Zone], setting: Setting) -> str:
    """Where the object is while its ability functions: "this card is in your graveyard"."""
    your = possessive(noun(You(), setting))
    words: dict[Zone, str] = {
        "battlefield": "on the battlefield",
        "stack": "on the stack",
        "hand": f"in {your} hand",
        "library": f"in {your} library",
        "graveyard": f"in {your} graveyard",
        "exile": "in exile",
        "command": "in the command zone",
    }
    where = [words[zone] for zone in words if zone in zones]
    return f"{setting.itself} is {series(where, 'or') or 'nowhere'}"


def defines_words(does: Sequence[Operation], setting: Setting) -> str:
    """What an object says of its own colours, types, power or toughness."""
    this = noun(This(), setting)
    rest: list[Operation] = []
    said = []
    for operation in does:
        match operation:
            case Base(power, toughness) if not isinstance(power, int | X) or not isinstance(
                toughness, int | X
            ):
                said.append(own_size(this, power, toughness, setting))
            case _:
                rest.append(operation)
    clauses_said = (
        [finite(clause) for clause in part_clauses(This(), rest, setting, static=True)] if rest else []
    )
    return paragraph([series([*clauses_said, *said]) or f"{this.text} stays as it is"])


def own_size(this: Noun, power: Quantity | None, toughness: Quantity | None, setting: Setting) -> str:
    """An object's own power and toughness: "this creature's power is equal to the number of …"."""
    if power is not None and power == toughness:
        return f"{owned(this, 'power and toughness')} are each equal to {value(power, setting)}"
    match toughness:
        case Sum((first, int(more))) if first == power and more >= 0:
            after = f"equal to that number plus {more}"
        case None:
            after = ""
        case _:
            after = f"equal to {value(toughness, setting)}"
    out = f"toughness is {after}"
    if power is None:
        return owned(this, out) if after else owned(this, "base power and toughness are unchanged")
    up = f"{owned(this, 'power')} is equal to {value(power, setting)}"
    return f"{up} and its {out}" if after else up


def activated_words(ability: Activated, setting: Setting) -> str:
    """An activated ability: cost, colon, effect, instructions for activating."""
    effect = effect_text(
        ability.effect, ability.targets, ability.modes, limits_of(ability.modes_chosen), setting
    )
    orders = []
    if ability.sorcery:
        orders.append("activate only as a sorcery")
    if ability.once:
        orders.append("activate only once each turn")
    if ability.zones != BATTLEFIELD:
        orders.append(f"activate only if {in_zones(ability.zones, setting)}")
    if ability.cond is not None:
        orders.append(f"activate only if {condition(ability.cond, setting)}")
    if isinstance(ability.by, Everyone):
        orders.append("any player may activate this ability")
    elif not isinstance(ability.by, You):
        orders.append(f"only {noun(ability.by, setting).text} may activate this ability")
    return f"{cost_line(ability.cost, setting)}: " + with_orders(effect, orders)


def with_orders(effect: str, orders: Sequence[str]) -> str:
    """Instructions behind an effect; behind modes they get a line of their own."""
    if not orders:
        return effect
    return f"{effect}{chr(10) if chr(10) in effect else ' '}{paragraph(orders)}"


def triggered_words(ability: Triggered, setting: Setting) -> str:
    """A triggered ability: event, condition, effect."""
    opening, inside = event_words(ability.when, setting)
    asked = [] if ability.zones == BATTLEFIELD else [in_zones(ability.zones, setting)]
    if ability.cond is not None:
        asked.append(condition(ability.cond, inside))
        inside = inside.after(ability.cond)
    if asked:
        opening += f", if {series(asked)}"
    return effect_text(
        ability.effect,
        ability.targets,
        ability.modes,
        limits_of(ability.modes_chosen),
        inside,
        f"{opening}, ",
    )


def limits_of(chosen: int, most: int | None = None, of: int = 0) -> str:
    """How many modes are chosen: "one", "one or both", "two", "one or more"."""
    if most is None or most <= chosen:
        return number(chosen)
    if (chosen, most, of) == (1, 2, 2):
        return "one or both"
    if most == of:
        return f"{number(chosen)} or more" if chosen else "any number"
    return limits(chosen, most)


def effect_text(
    effect: Sequence[Instruction],
    targets: Sequence[TargetSpec],
    modes: Sequence[Mode],
    chosen: str,
    setting: Setting,
    opening: str = "",
) -> str:
    """What a spell or ability does as it resolves, modes and all."""
    said = with_targets(effect, targets, setting)
    if not modes:
        first, *more = said or ["nothing happens"]
        return paragraph([opening + first, *more])
    bodies = [
        paragraph(with_targets(mode.effect, mode.targets, setting)) or "Nothing happens." for mode in modes
    ]
    head = paragraph([opening + said[0], *said[1:]]) + " Choose" if said else capital(f"{opening}choose")
    if setting.quotes:
        return sentence(f"{head} {chosen} — {series(map(uncapitalized, bodies), 'or')}")
    return "\n".join([f"{head} {chosen} —", *(f"• {body}" for body in bodies)])


def uncapitalized(text: str) -> str:
    """A sentence as part of another."""
    return text[:1].lower() + text[1:].removesuffix(".")


def with_targets(effect: Sequence[Instruction], targets: Sequence[TargetSpec], setting: Setting) -> list[str]:
    """Instructions with their targets; a target that no instruction speaks of is chosen all the same."""
    named = {The(spec.name): target_noun(spec, setting) for spec in targets}
    full = {who: again(spoken) for who, spoken in named.items()}
    alike = [noun.text for noun in full.values()]
    ordinals = iter(("first", "second", "third", *(f"{n}th" for n in range(4, 100))))
    for who, spoken in full.items():
        if alike.count(spoken.text) > 1:
            full[who] = again(spoken, f"the {next(ordinals)}")
    spoken_of = set(things_in(tuple(effect)))
    unused = [named[who].text for who in named if who not in spoken_of]
    inside = setting.saying({**named, **{who: full[who] for who in named if who not in spoken_of}}, full)
    return [*(f"choose {text}" for text in unused), *told(effect, inside)]


def target_noun(spec: TargetSpec, setting: Setting) -> Noun:
    """One instance of the word "target": "target creature", "up to two other target creatures"."""
    options: list[tuple[str, str]] = []
    first = Noun("target")
    other = ""
    if spec.what is not None:
        options += target_phrases(spec.what, setting)
        first = group(spec.what, setting, "one")
        other = "other " if spec.what.other_than is not None and is_other(spec.what.other_than) else ""
    if spec.players is not None:
        who = noun(spec.players, setting, "one")
        options.append((who.text, plural(who.text)))
        first = (
            who
            if spec.what is None
            else replace(first, head=f"{short_head(first)} or player", zone="battlefield")
        )
    for kind in in_order(spec.stack):
        options.append((f"{kind} ability", f"{kind} abilities"))
        first = Noun("ability", head="ability" if spec.what is None else "spell or ability")
    if spec.any_target:
        options.append(("permanent or player", "permanents or players"))
        first = Noun("target", head="permanent or player")
    if {"activated", "triggered"} <= spec.stack:
        options = [o for o in options if "ability" not in o[0]]
        both = ("activated or triggered ability", "activated or triggered abilities")
        options.append(("ability", "abilities") if spec.what is not None else both)
    only_any = spec.any_target and len(options) == 1
    one = "any target" if only_any else f"target {series((o[0] for o in options), 'or') or 'object'}"
    many = "targets" if only_any else f"target {series((o[1] for o in options), 'or') or 'objects'}"
    least, most = spec.least, spec.most
    if least == most == 1:
        text = one if only_any or not other else f"another {one}"
        return replace(first, text=text, many=False, long=not only_any and " " in one.removeprefix("target "))
    if isinstance(least, int) and isinstance(most, int):
        words, tail = limits(least, most), ""
    else:
        words, tail = quantity_limits(least, most, setting)
    single = words in JUST_ONE
    text = f"{words} {other}{('target' if only_any else one) if single else many}{tail}"
    return replace(first, text=text, many=not single, long=True)


def quantity_limits(least: Quantity, most: Quantity, setting: Setting) -> tuple[str, str]:
    """Limits that depend on something, and what explains them behind."""
    if isinstance(most, X) and least in (0, X()):
        return ("up to X" if least == 0 else "X"), ""
    name = setting.letters[0]
    if least in (0, most):
        return f"up to {name}" if least == 0 else name, f", where {name} is {value(most, setting)},"
    return f"between {value(least, setting)} and {value(most, setting)}", ""


def target_phrases(what: All, setting: Setting) -> Iterator[tuple[str, str]]:
    """What may be a target, in both numbers: "spell or permanent"."""
    order = list(places(what, setting, several=False))
    for i, (place, where) in enumerate(order):
        described = describe(what, setting, place)
        on_top = " on top" if what.top and place == "card" else ""
        many = list(places(what, setting, several=True))[i][1]
        yield described.phrase(False) + on_top + where, described.phrase(True) + on_top + many


def spell_words(ability: Spell, setting: Setting) -> str:
    """What an instant or sorcery costs besides, and what it does."""
    lines = []
    if ability.additional:
        verbs = series(cost_verbs(ability.additional, setting))
        lines.append(sentence(f"as an additional cost to cast this spell, {verbs}"))
    chosen = limits_of(ability.modes_chosen, ability.modes_most, len(ability.modes))
    if ability.effect or ability.targets or ability.modes or not (lines or ability.kicked):
        lines.append(effect_text(ability.effect, ability.targets, ability.modes, chosen, setting))
    if ability.kicked or ability.kicked_targets:
        said = with_targets(ability.kicked, ability.kicked_targets, setting.after(ability.effect))
        lines.append(sentence(f"if this spell was kicked, {run_on(said)}"))
    return (" " if setting.quotes else "\n").join(lines)


def as_enters_sentences(ability: AsEnters, setting: Setting) -> list[str]:
    """What happens as an object enters or is turned face up."""
    this = noun(This(), setting)
    turned = " or is turned face up" if ability.also_turned_up else ""
    opening = f"as {this.text} enters{turned}, "
    it = setting.about(This(), IT)
    said = []
    if ability.choose:
        chosen = series(
            choice_words(choice, setting)
            if isinstance(choice.who, You)
            else finite(clauses(choice, setting)[0])
            for choice in ability.choose
        )
        said.append(f"{opening}{'you may ' if ability.may else ''}choose {chosen}")
    if ability.copy is not None:
        said.append(copy_as_enters(ability, ability.copy, this, turned, setting))
    if ability.one_of:
        said.append(f"{opening}it becomes your choice of {options(ability.one_of, it)}")
    if ability.effect:
        doing = told((May(ability.effect),) if ability.may else ability.effect, setting)
        said.append(opening + run_on(doing))
    may_have = f"you may have {this.text} enter" if ability.may else f"{this.text} enters"
    if ability.counters:
        pile = piles(ability.counters, it)
        said.append(f"{may_have}{turned} with {pile.text} on it{pile.tail}")
    if ability.unless_pays:
        pays = series(cost_verbs(ability.unless_pays, it))
        said += [f"{opening}you may {pays}", "if you don't, it enters tapped"]
    elif ability.tapped and ability.copy is None:
        said.append(f"{may_have} tapped")
    return said or [f"{opening}nothing happens"]


def copy_as_enters(ability: AsEnters, copy: CopyAsEnters, this: Noun, turned: str, setting: Setting) -> str:
    """Entering as a copy of something."""
    what = group(copy.of, setting, "some")
    where = " on the battlefield" if what.zone == "battlefield" else ""
    model = re.sub(r"^(?:an?|(an)(?=other))\b ?", lambda m: "any " if not m[1] else "any ", what.text)
    tapped = " tapped" if ability.tapped else ""
    how = f"{tapped} as a copy of {model}{where}{exceptions(copy.but, IT, setting)}"
    if turned:
        may = "you may have it" if ability.may else "it"
        return f"as {this.text} enters{turned}, {may} become{'' if ability.may else 's'} a copy of {model}{where}{exceptions(copy.but, IT, setting)}"
    return f"you may have {this.text} enter{how}" if ability.may else f"{this.text} enters{how}"


def options(several: Sequence[Option], setting: Setting) -> str:
    """The printed alternatives of what something becomes: "a 3/3 creature, a 2/2 creature with flying, or …"."""
    return series((option_words(option, setting) for option in several), "or")


def option_words(option: Option, setting: Setting) -> str:
    """One alternative: "5/1", "a 1/6 Wall artifact creature in addition to its other types with defender"."""
    it = setting.saying({It(): IT})
    verbs = [
        verb.text.removeprefix("are ").replace("gain ", "have ") + verb.tail
        for clause in part_clauses(It(), option.does, it, static=True)
        for verb in clause.verbs
    ]
    ...


# ---------------------------------------------------------------------------------- keywords


def has_dash(ability: Keyword) -> bool:
    """Whether a keyword has a cost that isn't mana, so that a dash stands before it."""
    return bool(ability.costs) or (ability.keyword == "suspend" and ability.mana is not None)


def keyword_words(ability: Keyword, setting: Setting) -> str:
    """A keyword as it stands in a list: "flying", "protection from red", "equip {2}"."""
    name = keyword_name(ability, setting)
    if ability.n is not None:
        name += f" {ability.n}"
    if has_dash(ability):
        costs = ", ".join(
            [*([ability.mana] if ability.mana else []), *(cost_symbol(c, setting) for c in ability.costs)]
        )
        return f"{name}—{costs}"
    return f"{name} {ability.mana}" if ability.mana is not None else name

"""Decides whether a table can be set up without checking for state-based actions after each arrival.

Checking after each arrival takes quadratic time. `stays_stable` proves for most tables, in one pass, that if
a state-based action waits at any moment, one still waits after the last arrival.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from msgspec import Struct

from reference_engine.language.cards import (
    Ability,
    Activated,
    AddColors,
    AddEveryType,
    AddTypes,
    All,
    AsEnters,
    AtLeast,
    Attached,
    Base,
    BecomeCopy,
    CannotHave,
    Card,
    Chapter,
    ChosenNumber,
    Count,
    Counters,
    Defines,
    Devotion,
    EntersUnder,
    EntersWith,
    Filter,
    Gain,
    GainControl,
    HowOften,
    It,
    Keyword,
    LevelBar,
    Lose,
    LoseAllAbilities,
    LoseTypes,
    Modify,
    Operation,
    PropertyOf,
    Quantity,
    ReplaceWord,
    Selector,
    SetBasicLandTypes,
    SetColors,
    SetCreatureTypes,
    SetName,
    SetTypes,
    Spell,
    Static,
    Sum,
    Switch,
    TextOf,
    ThatMuch,
    This,
    Times,
    Triggered,
    Would,
    X,
    You,
)
from reference_engine.language.characteristics import faces_of, mana_value
from reference_engine.language.keywords import abilities_of_keyword
from reference_engine.language.setup import Entry, Setup
from reference_engine.language.words import CHOSEN_TYPE, KeywordName
from reference_engine.layers.at_work import COUNTER_CHANGES

INDIFFERENT_KEYWORDS: frozenset[KeywordName] = frozenset(
    {
        *("deathtouch", "defender", "double strike", "echo", "exalted", "fear", "first strike", "flanking"),
        *("flash", "flying", "haste", "hexproof", "horsemanship", "infect", "intimidate", "lifelink"),
        *("menace", "mentor", "persist", "prowess", "reach", "shadow", "shroud", "skulk", "trample"),
        *("undying", "vigilance", "ward", "wither"),
    }
)
"""Keywords that make no difference to any state-based action while the table is set."""
FIXED_QUALITIES = ("type", "subtype", "supertype", "color", "controller", "other_than", "token")
"""Filter keys that only effects on types, colors or control can influence: without such effects, a filter
with no other keys always matches the same objects.
"""
CHANGES_TYPES = (AddTypes, SetTypes, LoseTypes, SetCreatureTypes, SetBasicLandTypes, AddEveryType)
CHANGES_ABILITIES = (Lose, LoseAllAbilities, CannotHave, SetBasicLandTypes, SetTypes, ReplaceWord, Would)
"""Operations that can take away a permanent's abilities, or counters that it would enter with."""
BEYOND = (BecomeCopy, TextOf, Switch, EntersUnder)
"""Operations that this module does not analyse."""
UNKNOWN = -(10**9)
"""The lower bound of a quantity about which nothing is known."""


class Influence(Struct, frozen=True):
    """What one static ability, or one choice as a permanent enters, can do, and to whom."""

    affects: Selector
    does: tuple[Operation, ...]
    defines: bool = False
    always: bool = True
    """Whether it has no condition, and works on the battlefield."""


class Texts(Struct, frozen=True):
    """What the abilities of one card can do while the table is set."""

    shares: tuple[Influence, ...]
    enters: tuple[AsEnters, ...]
    keywords: tuple[Keyword, ...]
    understood: bool
    operations: tuple[Operation, ...]
    """All that its influences do."""
    steady: bool
    """Whether nothing can change types, control or names: neither an influence, nor entering as a copy."""
    weakens: bool
    """Whether it may make something a creature, or any creature's toughness less than printed."""
    toughness: int
    """The least that is printed on any of its faces that is a creature."""


def stays_stable(setup: Setup) -> bool:
    """Whether checking after the last arrival is enough: if a state-based action waits after any arrival, one
    still waits then.

    True only if that is certain. A lower bound of each creature's toughness is computed for all moments at
    once, and nothing that decides the other state-based actions may change after the entry.
    """
    cards = {card.name: card for card in setup.cards}
    texts = {name: texts_of(card) for name, card in cards.items()}
    if not all(text.understood for text in texts.values()):
        return False
    steady = all(text.steady for text in texts.values())
    return (
        (steady or no_lasting_matters(setup, cards, texts.values()))
        and attachments_stay(setup, cards, texts, steady=steady)
        and (creatures_stay(setup, cards, texts, steady=steady) or (steady and nothing_helps(texts.values())))
    )


# -------------------------------------------------------------------------------- what cards can do


@functools.lru_cache(maxsize=4096)
def texts_of(card: Card) -> Texts:
    """What the abilities of a card can do, whichever face is up."""
    shares: list[Influence] = []
    enters: list[AsEnters] = []
    keywords: list[Keyword] = []
    understood = True
    for ability in all_abilities(card):
        match ability:
            case Static(parts, cond):
                always = cond is None and "battlefield" in ability.zones
                shares += [Influence(part.affects, part.does, always=always) for part in parts]
            case Defines(does):
                shares.append(Influence(This(), does, defines=True))
            case AsEnters():
                enters.append(ability)
                shares += [Influence(This(), option.does) for option in ability.one_of]
                shares += [] if ability.copy is None else [Influence(This(), ability.copy.but)]
                understood = understood and not ability.effect
            case Keyword():
                keywords.append(ability)
            case Activated() | Triggered() | Spell():
                pass
            case LevelBar():
                understood = False
            case _:
                assert_never(ability)
    operations = tuple(op for share in shares for op in share.does)
    copies = any(one.copy is not None for one in enters)
    return Texts(
        shares=tuple(shares),
        enters=tuple(enters),
        keywords=tuple(keywords),
        understood=understood and all(map(is_understood, operations)),
        operations=operations,
        steady=not copies
        and not any(isinstance(op, (*CHANGES_TYPES, GainControl, SetName)) for op in operations),
        weakens=any(map(may_weaken, (*operations, *enters))),
        toughness=least_printed_toughness(card),
    )


def may_weaken(one: Operation | AsEnters) -> bool:
    """Whether something may make a permanent a creature, or its toughness less than printed."""
    match one:
        case AsEnters(counters=counters):
            return one.copy is not None or any(COUNTER_CHANGES.get(c.kind, (0, 0))[1] < 0 for c in counters)
        case Modify(toughness=int(n)):
            return n < 0
        case AddTypes(types) | SetTypes(types):
            return "Creature" in types
    return isinstance(one, Base | Modify)


def least_printed_toughness(card: Card) -> int:
    """The least toughness that is printed on any face of a card that is a creature; 0 if it varies."""
    faces = [face for face in faces_of(card).values() if "Creature" in face.types]
    return min((face.toughness if isinstance(face.toughness, int) else 0 for face in faces), default=-UNKNOWN)


def all_abilities(card: Card) -> Iterator[Ability]:
    """The abilities of all faces of a card, and those that its keywords stand for."""
    for face in faces_of(card).values():
        for ability in face.abilities:
            yield ability
            if isinstance(ability, Keyword):
                yield from (held.ability for held in abilities_of_keyword(ability))


def is_understood(operation: Operation) -> bool:
    """Whether the rest of this module analyses everything that an operation can do."""
    match operation:
        case Gain(abilities):
            return all(
                one.keyword in INDIFFERENT_KEYWORDS
                if isinstance(one, Keyword)
                else isinstance(one, Activated)
                or (isinstance(one, Triggered) and not isinstance(one.when, Chapter))
                for one in abilities
            )
        case EntersWith(counters):
            return all(
                one.kind not in COUNTER_CHANGES or COUNTER_CHANGES[one.kind][1] >= 0 for one in counters
            )
        case _:
            return not isinstance(operation, BEYOND)


# ---------------------------------------------------------------------- all but creatures' toughness


def no_lasting_matters(setup: Setup, cards: Mapping[str, Card], texts: Iterable[Texts]) -> bool:
    """Whether the table has nothing (legends, worlds, Sagas, planeswalkers) that effects on types, names or
    control, or copies, could make unstable or stable again.
    """
    faces = [face for card in cards.values() for face in faces_of(card).values()]
    operations = [op for text in texts for op in text.operations]
    copies = any(
        isinstance(one, AsEnters) and one.copy for card in cards.values() for one in all_abilities(card)
    )
    renamed = copies or any(isinstance(op, SetName) for op in operations)
    # CR 704.5j: without two permanents of the same name, it does not matter which are legendary.
    compared = {"World"} if not renamed and are_named_differently(setup, cards) else {"Legendary", "World"}
    changing = renamed or any(isinstance(op, GainControl) or loses_supertypes(op) for op in operations)
    if changing and any(face.supertypes & compared for face in faces):
        return False
    added = [op for op in operations if isinstance(op, AddTypes | SetTypes)]
    return not any(
        "Planeswalker" in one.types or one.subtypes & {"Saga", "Aura", "Equipment"}
        for one in (*faces, *added)
    ) and not any(isinstance(op, AddTypes) and op.supertypes & compared for op in added)


def are_named_differently(setup: Setup, cards: Mapping[str, Card]) -> bool:
    """Whether no two permanents have the same name on any of their faces."""
    card_of = {thing.id: cards[thing.card] for thing in setup.objects}
    there = (card_of[entry.id] for arrival in setup.arrivals for entry in arrival.entries)
    names = [name for card in there for name in {face.name for face in faces_of(card).values()}]
    return len(set(names)) == len(names)


def loses_supertypes(operation: Operation) -> bool:
    """Whether an operation can take supertypes away."""
    return isinstance(operation, LoseTypes) and bool(operation.supertypes or operation.every)


def attachments_stay(
    setup: Setup,
    cards: Mapping[str, Card],
    texts: Mapping[str, Texts],
    *,
    steady: bool,
) -> bool:
    """Whether nothing is attached, or what is attached came after its host and nothing changes whether it may
    be attached (CR 704.5m, 704.5n: colors, types, control, protection).
    """
    there: set[str] = {player.id for player in setup.players}
    attached = any("Aura" in card.subtypes for card in cards.values())
    for arrival in setup.arrivals:
        hosts = [one.attached_to for one in arrival.entries if one.attached_to is not None]
        attached = attached or bool(hosts)
        if not there.issuperset(hosts):
            return False
        there.update(one.id for one in arrival.entries)
    if not attached and not any("Saga" in card.subtypes for card in cards.values()):
        return True
    changing = (*CHANGES_ABILITIES, AddColors, SetColors)
    return (
        steady
        and not any(isinstance(op, changing) for text in texts.values() for op in text.operations)
        and all(one.what is None or is_fixed(one.what) for text in texts.values() for one in text.keywords)
    )


def is_fixed(who: Selector | Filter) -> bool:
    """Whether no object that is already there can start or stop matching, as long as nothing changes types,
    colors or control.
    """
    if not isinstance(who, Filter):
        return isinstance(who, This | Attached)
    used = {name for name in Filter.__struct_fields__ if getattr(who, name) != getattr(Filter(), name)}
    return (
        used <= {*FIXED_QUALITIES, "any_of", "without"}
        and isinstance(who.controller, You | None)
        and isinstance(who.other_than, This | Attached | None)
        and all(map(is_fixed, (*who.any_of, *who.without)))
    )


def nothing_helps(texts: Iterable[Texts]) -> bool:
    """Whether nothing on the table can raise a creature's toughness, or make it destructible, so that a
    creature that is too weak stays too weak.
    """
    for share in (share for text in texts for share in text.shares):
        for operation in share.does:
            if isinstance(operation, (Base, *CHANGES_ABILITIES)):
                return False
            if isinstance(operation, Modify) and not (
                isinstance(operation.toughness, int)
                and operation.toughness <= 0
                and share.always
                and is_fixed(share.affects)
            ):
                return False
    return True


# -------------------------------------------------------------------------------- creatures' toughness


def creatures_stay(
    setup: Setup, cards: Mapping[str, Card], texts: Mapping[str, Texts], *, steady: bool
) -> bool:
    """Whether every creature's toughness is more than its damage at every moment (CR 704.5f, 704.5g)."""
    if not any(text.weakens for text in texts.values()) and are_strong_enough(setup, texts):
        return True
    card_of = {thing.id: cards[thing.card] for thing in setup.objects}
    least = Least(setup, card_of, texts)
    lasting = steady and not least.loses
    bonuses = Bonuses()
    for arrival in setup.arrivals:
        for entry in arrival.entries:
            bonus = bonuses.of(entry, card_of[entry.id]) if lasting else 0
            if least.toughness(entry) + bonus <= entry.damage and least.may_be_creature(entry):
                return False
        for entry in arrival.entries:
            bonuses.count(entry, card_of[entry.id], texts[card_of[entry.id].name])
    return True


def are_strong_enough(setup: Setup, texts: Mapping[str, Texts]) -> bool:
    """Whether every creature's printed toughness, with its own counters, is more than its damage."""
    text_of = {thing.id: texts[thing.card] for thing in setup.objects}
    for arrival in setup.arrivals:
        for entry in arrival.entries:
            least = text_of[entry.id].toughness
            least = min(least, 2) if entry.face_down else least
            if least + (toughness_of(entry.counters) if entry.counters else 0) <= entry.damage:
                return False
    return True


def toughness_of(counters: tuple[Counters, ...]) -> int:
    """What a fixed number of counters adds to a toughness."""
    return sum(
        COUNTER_CHANGES.get(pile.kind, (0, 0))[1] * (pile.n if isinstance(pile.n, int) else 0)
        for pile in counters
    )


class Bonuses:
    """What permanents that are already there certainly add to the toughness of one that enters.

    Only for a table on which nothing changes types, control or names, and nothing takes abilities away.
    """

    def __init__(self) -> None:
        self.given: Counter[tuple[All, str]] = Counter()
        """The sum of the bonuses for what a selector means, by the selector and its source's controller."""

    def count(self, entry: Entry, card: Card, text: Texts) -> None:
        """Add the bonuses that a permanent of this card gives to others."""
        if has_one_face(entry, card):
            for share in text.shares:
                if share.always and isinstance(share.affects, All) and asks_for_types(share.affects):
                    self.given[share.affects, entry.controller] += sum(
                        max(0, operation.toughness)
                        for operation in share.does
                        if isinstance(operation, Modify) and isinstance(operation.toughness, int)
                    )

    def of(self, entry: Entry, card: Card) -> int:
        """The bonuses that a permanent of this card gets as it enters."""
        if not has_one_face(entry, card):
            return 0
        return sum(
            n
            for (affects, you), n in self.given.items()
            if affects.type <= card.types
            and affects.subtype <= card.subtypes
            and (affects.controller is None or entry.controller == you)
        )


def has_one_face(entry: Entry, card: Card) -> bool:
    """Whether a permanent can have no other text than that of its card."""
    return not entry.face_down and len(faces_of(card)) == 1


def asks_for_types(affects: All) -> bool:
    """Whether a selector asks only for types and for the controller, and excludes at most its own source."""
    used = {name for name in All.__struct_fields__ if getattr(affects, name) != getattr(All(), name)}
    return (
        used <= {"type", "subtype", "controller", "other_than"}
        and isinstance(affects.controller, You | None)
        and isinstance(affects.other_than, This | None)
        and CHOSEN_TYPE not in affects.subtype
    )


class Least:
    """The least toughness that a permanent of a table can have at any moment."""

    def __init__(self, setup: Setup, card_of: Mapping[str, Card], texts: Mapping[str, Texts]) -> None:
        self.card_of = card_of
        self.texts = texts
        self.shares = [share for text in texts.values() for share in text.shares]
        operations = [op for share in self.shares for op in share.does]
        self.loses = any(isinstance(op, CHANGES_ABILITIES) for op in operations)
        self.creating = [
            share
            for share in self.shares
            if any(isinstance(op, AddTypes | SetTypes) and "Creature" in op.types for op in share.does)
        ]
        self.based = [
            share for share in self.shares if not share.defines and toughness_set(share) is not None
        ]
        self.copyable = any(ability.copy for text in texts.values() for ability in text.enters)
        self.mana_values = {
            name: min(mana_value(face.cost) for face in faces_of(card).values())
            for name, card in {card.name: card for card in card_of.values()}.items()
        }
        self.added = frozenset[str]().union(
            *(op.types for op in operations if isinstance(op, AddTypes | SetTypes))
        )
        self.own: dict[str, tuple[bool, int]] = {}
        entries = [entry for arrival in setup.arrivals for entry in arrival.entries]
        # CR 707.2: a copy takes the values of what it copies, so its own printed toughness never counts.
        models = {card_of[entry.id].name for entry in entries if not copies(entry)}
        of_cards = [self.of_card(card) for card in {card.name: card for card in card_of.values()}.values()]
        bases = [self.of_card(card)[1] for card in card_of.values() if card.name in models]
        hidden = [2] if any(entry.face_down for entry in entries) else []
        self.of_any = (any(may for may, _ in of_cards), min((*bases, *hidden), default=0))
        self.enters_weaker = any(
            COUNTER_CHANGES.get(pile.kind, (0, 0))[1] < 0
            for text in texts.values()
            for ability in text.enters
            for pile in (
                *ability.counters,
                *(p for extra in (ability.copy.counters if ability.copy else ()) for p in extra.counters),
            )
        )
        self.weaker: Counter[str] = Counter()
        """For each permanent, how much attached objects weaken it."""
        self.plagues: Counter[frozenset[str]] = Counter()
        """How much the table weakens all permanents with these types."""
        for entry in entries:
            for share in self.texts[card_of[entry.id].name].shares:
                self.count_penalties(entry, share)

    def count_penalties(self, entry: Entry, share: Influence) -> None:
        """Record how much one influence of a permanent weakens the permanent itself, its host or many."""
        for operation in share.does:
            if not isinstance(operation, Modify):
                continue
            # What it affects may have any mana value; so "it" counts for nothing here.
            n = min(0, self.quantity(operation.toughness, entry, self.card_of[entry.id], share))
            if n == 0:
                continue
            if self.copyable:
                self.plagues[frozenset()] += UNKNOWN
            elif isinstance(share.affects, This):
                self.weaker[entry.id] += n
            elif isinstance(share.affects, Attached):
                self.weaker[str(entry.attached_to)] += n
            else:
                self.plagues[required_types(share.affects)] += n

    def may_be_creature(self, entry: Entry) -> bool:
        """Whether a permanent may be a creature at some moment."""
        return entry.face_down or self.of_entry(entry)[0]

    def of_entry(self, entry: Entry) -> tuple[bool, int]:
        """Like `of_card`; a permanent that may be a copy may be any card on the table."""
        return self.of_any if self.copyable else self.of_card(self.card_of[entry.id])

    def of_card(self, card: Card) -> tuple[bool, int]:
        """Whether a permanent of a card may be a creature, and the least base toughness it can have then."""
        if card.name not in self.own:
            self.own[card.name] = self.from_text(card)
        return self.own[card.name]

    def from_text(self, card: Card) -> tuple[bool, int]:
        printed = faces_of(card).values()
        creating = [share for share in self.creating if self.can_affect(share, card)]
        bases = [self.base(share, card) for share in self.based if self.can_affect(share, card)]
        for face in printed:
            if "Creature" in face.types or face.toughness is not None:
                bases.append(self.printed(face, card))
            else:
                # CR 613.6: what makes it a creature also sets its toughness, if it says so.
                bases += [0 for share in creating if toughness_set(share) is None]
        may_be = bool(creating) or any("Creature" in face.types for face in printed)
        return may_be, min(bases, default=0)

    def printed(self, face: Card, card: Card) -> int:
        """The printed toughness, or the least that its own text defines."""
        if isinstance(face.toughness, int):
            return face.toughness
        defined = [Influence(This(), one.does) for one in face.abilities if isinstance(one, Defines)]
        bases = [self.base(share, card) for share in defined if toughness_set(share) is not None]
        return 0 if self.loses else min(bases, default=0)

    def base(self, share: Influence, card: Card) -> int:
        """The least toughness that an influence sets for a permanent of a card."""
        return self.quantity(toughness_set(share) or 0, None, card, share)

    def can_affect(self, share: Influence, card: Card) -> bool:
        """Whether an influence may affect a permanent of a card."""
        if isinstance(share.affects, This) and not self.copyable:
            return share in self.texts[card.name].shares
        return self.has_types(card, required_types(share.affects))

    def has_types(self, card: Card, types: frozenset[str]) -> bool:
        """Whether a permanent of a card may have all these card types."""
        if self.copyable:
            return True
        return any(types <= face.types | self.added for face in faces_of(card).values())

    def toughness(self, entry: Entry) -> int:
        """The least toughness of a permanent at any moment."""
        card = self.card_of[entry.id]
        base = self.of_entry(entry)[1]
        base = min(base, 2) if entry.face_down else base
        plagues = sum(n for types, n in self.plagues.items() if self.has_types(card, types))
        return base + self.counters(entry, card) + self.weaker[entry.id] + plagues

    def counters(self, entry: Entry, card: Card) -> int:
        """What counters add to its toughness; they stay as they are from the entry on."""
        found = toughness_of(entry.counters)
        if self.copyable and self.enters_weaker:
            return UNKNOWN
        for ability in self.texts[card.name].enters:
            for pile in ability.counters:
                change = COUNTER_CHANGES.get(pile.kind, (0, 0))[1]
                certain = not (self.loses or self.copyable or ability.may or entry.face_down)
                if change > 0 and certain:
                    found += change * max(0, self.quantity(pile.n, entry, card, None))
                elif change < 0:
                    found += change * pile.n if isinstance(pile.n, int) else UNKNOWN
        return found

    def quantity(self, quantity: Quantity, entry: Entry | None, card: Card, share: Influence | None) -> int:
        """The least value of a quantity, for a permanent of this card that is a creature."""
        match quantity:
            case int():
                return quantity
            case Count(of, distinct):
                # CR 704.5f: only a creature's toughness matters, so here the creature counts itself.
                itself = share is not None and isinstance(share.affects, This) and of in COUNTING_THEMSELVES
                return int(itself and distinct == "objects")
            case PropertyOf("mana_value", It() | This() as who) if not self.copyable:
                itself = isinstance(who, It) or share is None or isinstance(share.affects, This)
                return self.mana_values[card.name] if itself else 0
            case PropertyOf(what):
                return UNKNOWN if what in ("power", "toughness", "life") else 0
            case Sum(parts):
                return sum(self.quantity(part, entry, card, share) for part in parts)
            case Times(n, by):
                return n * self.quantity(by, entry, card, share) if n >= 0 else UNKNOWN
            case AtLeast(parts):
                return max(self.quantity(part, entry, card, share) for part in parts)
            case X() | ChosenNumber() | ThatMuch() | Devotion() | HowOften():
                return 0
            case _:
                assert_never(quantity)


COUNTING_THEMSELVES = (
    All(type=frozenset({"Creature"})),
    All(type=frozenset({"Creature"}), controller=You()),
)
"""Selectors with which every creature counts itself, too."""


def copies(entry: Entry) -> bool:
    """Whether a permanent enters as a copy of something: its choices say of what."""
    return any(choice.kind == "copy" and choice.answer for choice in entry.choices)


def toughness_set(share: Influence) -> Quantity | None:
    """The toughness that an influence sets for what it affects; `None` if it sets none."""
    found = [op.toughness for op in share.does if isinstance(op, Base) and op.toughness is not None]
    return found[-1] if found else None


def required_types(who: Selector) -> frozenset[str]:
    """Card types that an object must have to be selected."""
    return frozenset(who.type) if isinstance(who, Filter) else frozenset()

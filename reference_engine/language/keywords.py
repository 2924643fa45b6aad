"""The abilities that keywords stand for (CR 702: keyword abilities), written in the language of cards.

Only keywords that existing abilities can express are here. Keywords that change a rule (flying, hexproof,
kicker, …) are checked where that rule is applied.
"""

from __future__ import annotations

import functools

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.language.cards import (
    Ability,
    Activated,
    AddEveryType,
    AddTypes,
    All,
    AnyEvent,
    AsEnters,
    Attach,
    Attacks,
    Base,
    BecomeCopy,
    BecomeMonarch,
    BecomesBlocked,
    BecomesTarget,
    Beginning,
    Blocks,
    Cannot,
    CannotHave,
    Card,
    Cast,
    CastEvent,
    Cloak,
    Comparison,
    ControllerOf,
    CopySpell,
    Cost,
    Counters,
    CounterSpell,
    Create,
    DealsDamage,
    DefendingPlayer,
    Defines,
    Dies,
    DiscardCost,
    Discards,
    Draw,
    Effect,
    Enters,
    Everyone,
    Exile,
    ExileUntilFound,
    Exists,
    Filter,
    Gain,
    If,
    It,
    Keyword,
    Later,
    Lose,
    LoseAllAbilities,
    LoseLife,
    LoseTypes,
    ManaCost,
    Matches,
    May,
    MayPlay,
    Modify,
    Must,
    Not,
    Operation,
    Opponents,
    OwnerOf,
    Part,
    PropertyOf,
    Put,
    PutCounters,
    RemoveCounters,
    ReplaceWord,
    ReturnCost,
    Sacrifice,
    Saddle,
    Search,
    Selector,
    SetBasicLandTypes,
    SetColors,
    SetTypes,
    Static,
    Sum,
    TapOthers,
    TapThis,
    TargetSpec,
    TextOf,
    The,
    This,
    Triggered,
    Unattach,
    Untap,
    Was,
    X,
    You,
    parts_of,
)
from reference_engine.language.characteristics import ENTERS_WITH_LORE, Characteristics, HeldAbility
from reference_engine.language.designations import OF_THE_MONARCH
from reference_engine.language.words import CardType, KeywordName

NUMBERED: frozenset[KeywordName] = frozenset(
    {
        "absorb",
        "afflict",
        "afterlife",
        "annihilator",
        "bushido",
        "crew",
        "fabricate",
        "fading",
        "mobilize",
        "modular",
        "poisonous",
        "saddle",
        "toxic",
    }
)
"""Keywords that are written with a number."""
PRICED: frozenset[KeywordName] = frozenset(
    {
        "bestow",
        "buyback",
        "cumulative upkeep",
        "cycling",
        "dash",
        "disguise",
        "echo",
        "entwine",
        "equip",
        "escape",
        "evoke",
        "foretell",
        "kicker",
        "madness",
        "morph",
        "ninjutsu",
        "offspring",
        "outlast",
        "overload",
        "plot",
        "prototype",
        "reconfigure",
        "splice",
        "suspend",
        "unearth",
        "ward",
        "warp",
    }
)
"""Keywords that are written with a cost."""
MAY_BE_PRICED: frozenset[KeywordName] = frozenset({"flashback"})
"""Keywords that may be written with a cost, and have one of their own without it."""


class Lingering(Struct, frozen=True):
    """Added to the types that a card mentions if a static ability's effect outlasts its object."""


class ChangesEntering(Struct, frozen=True):
    """Added to the types that a card mentions if it can make a permanent enter otherwise than as printed."""


class Ascending(Struct, frozen=True):
    """Added to the types that a card mentions if it has ascend."""


class Worlds(Struct, frozen=True):
    """Added to the types that a card mentions if it is a world permanent, or makes others such."""


class DayAndNight(Struct, frozen=True):
    """Added to the types that a card mentions if it has daybound or nightbound."""


class LinkedAbilities(Struct, frozen=True):
    """Added to the types that a card mentions if it has linked abilities that refer to what they exiled or
    put somewhere.
    """


def abilities_of(look: Characteristics) -> tuple[HeldAbility, ...]:
    """An object's abilities, including those that its keywords stand for."""
    if not look.keywords:
        return look.abilities
    return look.abilities + abilities_of_keywords(look.keywords)


@functools.lru_cache(maxsize=1024)
def abilities_of_keywords(keywords: frozenset[Keyword]) -> tuple[HeldAbility, ...]:
    """The abilities that these keywords stand for, in a deterministic order."""
    return tuple(held for keyword in sorted(keywords, key=str) for held in abilities_of_keyword(keyword))


@functools.lru_cache(4096)
def abilities_of_keyword(keyword: Keyword) -> tuple[HeldAbility, ...]:
    """The abilities that a keyword stands for; none if it changes a rule."""
    return tuple(
        HeldAbility(ability, ("keyword", keyword.keyword, str(keyword), number))
        for number, ability in enumerate(meaning(keyword))
    )


def stands_for_statics(keyword: Keyword) -> bool:
    """Whether a static ability is among those that a keyword stands for."""
    return any(isinstance(held.ability, (Static, Defines)) for held in abilities_of_keyword(keyword))


def meaning(keyword: Keyword) -> tuple[Ability, ...]:
    """What a keyword stands for, written as abilities."""
    mana = (ManaCost(keyword.mana),) if keyword.mana is not None else ()
    costs, n = (*mana, *keyword.costs), keyword.n or 0
    statement = of_statements(keyword)
    if statement:
        return statement
    for family in (of_permanents, of_combat, of_cards):
        found = family(keyword, costs, n)
        if found:
            return found
    return ()


def of_statements(keyword: Keyword) -> tuple[Ability, ...]:
    """The abilities of keywords that define characteristics."""
    match keyword.keyword:
        case "changeling":
            # CR 702.73a: it is every creature type.
            return (Defines((AddEveryType("creature"),)),)
        case "devoid":
            # CR 702.114a: it is colourless.
            return (Defines((SetColors(frozenset()),)),)
        case _:
            return ()


def of_permanents(keyword: Keyword, costs: tuple[Cost, ...], n: int) -> tuple[Ability, ...]:
    """The abilities of keywords about permanents as they are on the battlefield, enter it or leave it."""
    match keyword.keyword:
        case "persist":
            # CR 702.79a: when it dies, if it had no -1/-1 counters, it returns under its owner's control
            # with one.
            return (returning(Counters("-1/-1"), "persist"),)
        case "undying":
            # CR 702.93a: when it dies, if it had no +1/+1 counters, it returns under its owner's control
            # with one.
            return (returning(Counters("+1/+1"), "undying"),)
        case "ward":
            # CR 702.21a: when an opponent's spell or ability targets it, counter that unless the player pays.
            return (
                Triggered(
                    when=BecomesTarget(This(), Opponents()),
                    effect=(May((), The("player"), costs, (CounterSpell(It()),)),),
                    name="ward",
                ),
            )
        case "equip":
            # CR 702.6a: attach this to target creature you control; only as a sorcery.
            return (
                Activated(
                    cost=costs,
                    effect=(Attach(This(), The("target")),),
                    targets=(TargetSpec(what=All(type=CREATURE_TYPE, controller=You())),),
                    sorcery=True,
                    name="equip",
                ),
            )
        case "reconfigure":
            # CR 702.151a: attach this to another target creature you control, or unattach it from a creature;
            # only as a sorcery. `attaching` makes it stop being a creature.
            others = All(type=CREATURE_TYPE, controller=You(), other_than=This())
            return (
                Activated(
                    cost=costs,
                    effect=(Attach(This(), The("target")),),
                    targets=(TargetSpec(what=others),),
                    sorcery=True,
                    name="reconfigure",
                ),
                Activated(
                    cost=costs,
                    effect=(Unattach(This()),),
                    sorcery=True,
                    cond=Exists(All(type=CREATURE_TYPE, host_of=This())),
                    name="unattach",
                ),
            )
        case "evoke":
            # CR 702.74a: when it enters, if its evoke cost was paid, its controller sacrifices it.
            gone = Sacrifice(This(), ControllerOf(This()))
            return (Triggered(when=Enters(), cond=Was("evoked"), effect=(gone,), name="evoke"),)
        case "dash":
            # CR 702.109a: it has haste as long as its dash cost was paid. `resolving` returns it.
            return (Static((Part(This(), (Gain((Keyword("haste"),)),)),), cond=Was("dashed")),)
        case "crew":
            # CR 702.122a: tap creatures with at least this total power, and it becomes an artifact creature.
            return (
                Activated(
                    cost=(TapOthers(Filter(type=CREATURE_TYPE, other_than=This()), power=n),),
                    effect=(Effect(This(), (AddTypes(frozenset({"Artifact", "Creature"})),), "end of turn"),),
                    name="crew",
                ),
            )
        case "saddle":
            # CR 702.171a: tap creatures with at least this total power, and it becomes saddled; only as a
            # sorcery.
            return (
                Activated(
                    cost=(TapOthers(Filter(type=CREATURE_TYPE, other_than=This()), power=n),),
                    effect=(Saddle(This()),),
                    sorcery=True,
                    name="saddle",
                ),
            )
        case "living weapon":
            # CR 702.92a: when it enters, create a Germ, then attach it to that.
            return (
                Triggered(
                    when=Enters(),
                    effect=(Create(GERM, name="germ"), Attach(This(), The("germ"))),
                    name="living weapon",
                ),
            )
        case "job select":
            # CR 702.182a: when it enters, create a Hero, then attach it to that.
            return (
                Triggered(
                    when=Enters(),
                    effect=(Create(HERO, name="hero"), Attach(This(), The("hero"))),
                    name="job select",
                ),
            )
        case "outlast":
            # CR 702.107a: {T} and its cost: a +1/+1 counter; only as a sorcery.
            return (
                Activated(
                    cost=(*costs, TapThis()),
                    effect=(PutCounters((Counters("+1/+1"),), This()),),
                    sorcery=True,
                    name="outlast",
                ),
            )
        case "offspring":
            # CR 702.175a: when it enters, if its offspring cost was paid, create a 1/1 copy of it.
            copy = Create(copy_of=This(), but=(Base(1, 1),))
            return (Triggered(when=Enters(), cond=Was("offspring"), effect=(copy,), name="offspring"),)
        case "echo":
            # CR 702.30a: at the beginning of your upkeep, if you gained control of it since your last upkeep,
            # sacrifice it or pay.
            return (
                Triggered(
                    when=Beginning("upkeep", You()),
                    effect=(May((), cost=costs, otherwise=(Sacrifice(This()),)),),
                    name="echo",
                ),
            )
        case "cumulative upkeep":
            # CR 702.24a: an age counter each upkeep, and then the cost for each of them, or sacrifice it.
            ages = PropertyOf("counters", This(), "age")
            return (
                Triggered(
                    when=Beginning("upkeep", You()),
                    cond=Exists(All(same_as=This())),
                    effect=(
                        PutCounters((Counters("age"),), This()),
                        May((), cost=costs, otherwise=(Sacrifice(This()),), times=ages),
                    ),
                    name="cumulative upkeep",
                ),
            )
        case "modular":
            # CR 702.43a: it enters with counters, and as it dies an artifact creature may get as many.
            there = Counters("+1/+1", PropertyOf("counters", It(), "+1/+1"))
            return (
                AsEnters(counters=(Counters("+1/+1", n),)),
                Triggered(
                    when=Dies(This()),
                    effect=(May((PutCounters((there,), The("target")),)),),
                    targets=(TargetSpec(what=All(type=frozenset({"Artifact", "Creature"}))),),
                    name="modular",
                ),
            )
        case "afterlife":
            # CR 702.135a: as it dies, that many Spirits come.
            return (Triggered(when=Dies(This()), effect=(Create(SPIRIT, n),), name="afterlife"),)
        case "fabricate":
            # CR 702.123a: when it enters, that many counters on it if you choose so, and otherwise Servos.
            counters = PutCounters((Counters("+1/+1", n),), This())
            servos = (Create(SERVO, n),)
            return (Triggered(when=Enters(), effect=(May((counters,), otherwise=servos),), name="fabricate"),)
        case "fading":
            # CR 702.32a: it enters with counters, of which one goes each upkeep, or else it is sacrificed.
            fewer = RemoveCounters((Counters("fade"),), This())
            faded = If(Matches(This(), Filter(counter="fade")), (fewer,), (Sacrifice(This()),))
            return (
                AsEnters(counters=(Counters("fade", n),)),
                Triggered(when=Beginning("upkeep", You()), effect=(faded,), name="fading"),
            )
        case "unleash":
            # CR 702.98a: it may enter with a counter, and can't block as long as it has such a counter.
            idle = Static(
                (Part(This(), (Cannot(frozenset({"block"})),)),),
                cond=Matches(This(), Filter(counter="+1/+1")),
            )
            return (AsEnters(counters=(Counters("+1/+1"),), may=True), idle)
        case "riot":
            # CR 702.136a: it enters with a counter if you choose so, and otherwise gains haste.
            return (AsEnters(counters=(Counters("+1/+1"),), may=True, otherwise=(Keyword("haste"),)),)
        case _:
            return ()


def of_combat(keyword: Keyword, costs: tuple[Cost, ...], n: int) -> tuple[Ability, ...]:
    """The abilities of keywords about attacking, blocking and combat damage."""
    match keyword.keyword:
        case "bushido":
            # CR 702.45a: it gets +N/+N until end of turn as it blocks or becomes blocked.
            return (
                Triggered(
                    when=AnyEvent((Blocks(), BecomesBlocked())), effect=(grown(This(), n),), name="bushido"
                ),
            )
        case "flanking":
            # CR 702.25a: a creature without flanking that blocks it gets -1/-1 until end of turn.
            others = Filter(type=CREATURE_TYPE, without=(Filter(keyword=frozenset({"flanking"})),))
            return (Triggered(when=BecomesBlocked(by=others), effect=(grown(It(), -1),), name="flanking"),)
        case "exalted":
            # CR 702.83a: a creature of yours that attacks alone gets +1/+1 until end of turn.
            yours = All(type=CREATURE_TYPE, controller=You())
            return (Triggered(when=Attacks(yours, alone=True), effect=(grown(It(), 1),), name="exalted"),)
        case "battle cry":
            # CR 702.91a: as it attacks, each other attacking creature gets +1/+0 until end of turn.
            others = All(attacking=True, type=CREATURE_TYPE, other_than=This())
            return (
                Triggered(
                    when=Attacks(),
                    effect=(Effect(others, (Modify(1, 0),), "end of turn"),),
                    name="battle cry",
                ),
            )
        case "annihilator":
            # CR 702.86a: as it attacks, the defending player sacrifices that number of permanents.
            return (
                Triggered(
                    when=Attacks(), effect=(Sacrifice(All(), DefendingPlayer(), n),), name="annihilator"
                ),
            )
        case "afflict":
            # CR 702.130a: as it becomes blocked, the defending player loses that much life.
            return (
                Triggered(when=BecomesBlocked(), effect=(LoseLife(n, DefendingPlayer()),), name="afflict"),
            )
        case "ingest":
            # CR 702.115a: a player to whom it deals combat damage exiles the top card of their library.
            top = All(zones=frozenset({"library"}), of=The("damaged"), top=True)
            return (
                Triggered(when=DealsDamage(to=Everyone(), combat=True), effect=(Exile(top),), name="ingest"),
            )
        case "mentor":
            # CR 702.134a: as it attacks, a counter on an attacking creature with less power.
            less = Comparison("<=", Sum((PropertyOf("power", This()), -1)))
            return (
                Triggered(
                    when=Attacks(),
                    effect=(PutCounters((Counters("+1/+1"),), The("target")),),
                    targets=(TargetSpec(what=All(type=CREATURE_TYPE, attacking=True, power=less)),),
                    name="mentor",
                ),
            )
        case "provoke":
            # CR 702.39a: as it attacks, a creature of the defending player may have to block it, and untaps.
            blocked = Must("be blocked", by=Filter(same_as=The("target")))
            provoked = (Effect(This(), (blocked,), "end of combat"), Untap(The("target")))
            theirs = All(type=CREATURE_TYPE, controller=DefendingPlayer())
            return (
                Triggered(
                    when=Attacks(),
                    effect=(May(provoked),),
                    targets=(TargetSpec(what=theirs),),
                    name="provoke",
                ),
            )
        case "mobilize":
            # CR 702.181a: as it attacks, that many Warriors attack, too, until the next end step.
            evening = Beginning("end", Everyone(), next=True)
            gone = Later(evening, (Sacrifice(The("warriors")),), name="mobilize")
            warriors = Create(WARRIOR, n, tapped=True, attacking=True, name="warriors")
            return (Triggered(when=Attacks(), effect=(warriors, gone), name="mobilize"),)
        case "poisonous":
            # CR 702.70a: a player to whom it deals combat damage gets that number of poison counters.
            return (
                Triggered(
                    when=DealsDamage(to=Everyone(), combat=True),
                    effect=(PutCounters((Counters("poison", n),), The("damaged")),),
                    name="poisonous",
                ),
            )
        case _:
            return ()


def of_cards(keyword: Keyword, costs: tuple[Cost, ...], n: int) -> tuple[Ability, ...]:
    """The abilities of keywords about spells, and about cards in hands and graveyards."""
    match keyword.keyword:
        case "prowess":
            # CR 702.108a: whenever you cast a noncreature spell, it gets +1/+1 until end of turn.
            return (
                Triggered(
                    when=CastEvent(Filter(without=(Filter(type=CREATURE_TYPE),)), You()),
                    effect=(grown(This(), 1),),
                    name="prowess",
                ),
            )
        case "storm":
            # CR 702.40a: when you cast it, copy it for each spell cast before it this turn; you may choose
            # new targets.
            return (
                Triggered(
                    when=CastEvent(Filter(without=(Filter(other_than=This()),)), You()),
                    effect=(CopySpell(It(), X()),),
                    zones=frozenset({"stack"}),
                    name="storm",
                ),
            )
        case "cascade":
            # CR 702.85a: when you cast it, exile cards until a nonland card of lesser mana value, which you
            # may cast without paying its mana cost; the rest goes to the bottom in a random order.
            lesser = Filter(mana_value=Comparison("<=", Sum((PropertyOf("mana_value", This()), -1))))
            return (
                Triggered(
                    when=CastEvent(Filter(same_as=This()), You()),
                    effect=(
                        ExileUntilFound(replace(lesser, without=(Filter(type=frozenset({"Land"})),))),
                        May((Cast(The("found"), cost=(), such=lesser),)),
                        TO_THE_BOTTOM,
                    ),
                    zones=frozenset({"stack"}),
                    name="cascade",
                ),
            )
        case "madness":
            # CR 702.35a: `damage` exiles it as it is discarded; then its owner may cast it for this cost.
            return (
                Triggered(
                    when=Discards(what=Filter(same_as=This())),
                    effect=(May((Cast(This(), cost=costs),), otherwise=(Put(This(), "graveyard"),)),),
                    zones=frozenset({"exile"}),
                    name="madness",
                ),
            )
        case "ninjutsu":
            # CR 702.49a: return an unblocked attacker to hand, and it enters tapped and attacking.
            unblocked = Filter(type=CREATURE_TYPE, attacking=True, unblocked=True)
            return (
                Activated(
                    cost=(*costs, ReturnCost(unblocked)),
                    effect=(Put(This(), "battlefield", tapped=True, attacking=True),),
                    zones=frozenset({"hand"}),
                    name="ninjutsu",
                ),
            )
        case "cycling":
            # CR 702.29a: from hand, discard this card: draw a card. CR 702.29e: or search for such a card.
            return (
                Activated(
                    cost=(*costs, DiscardCost(what=This())),
                    effect=(Draw(1),) if keyword.what is None else (Search(keyword.what, "hand"),),
                    zones=frozenset({"hand"}),
                    name="cycling",
                ),
            )
        case "unearth":
            # CR 702.84a: return from the graveyard to the battlefield with haste, exiled at the next end
            # step; only as a sorcery. `zones` handles its other effect: it is exiled if it would leave the
            # battlefield.
            return (
                Activated(
                    cost=costs,
                    effect=(
                        Put(This(), "battlefield"),
                        Effect(This(), (Gain((Keyword("haste"),)),)),
                        Later(Beginning("end", Everyone(), next=True), (Exile(This()),), name="unearth"),
                    ),
                    sorcery=True,
                    zones=frozenset({"graveyard"}),
                    name="unearth",
                ),
            )
        case _:
            return ()


TO_THE_BOTTOM = Put(
    All(zones=frozenset({"exile"}), same_as=The("exiled")), "library", bottom=True, at_random=True
)
"""What was exiled in search of a card, and not cast, goes to the bottom of the library in a random order."""
CREATURE_TYPE: frozenset[CardType] = frozenset({"Creature"})
HERO = Card("Hero", CREATURE_TYPE, subtypes=frozenset({"Hero"}), colors=frozenset(), power=1, toughness=1)
WARRIOR = Card(
    "Warrior", CREATURE_TYPE, subtypes=frozenset({"Warrior"}), colors=frozenset({"red"}), power=1, toughness=1
)
SPIRIT = Card(
    "Spirit",
    CREATURE_TYPE,
    subtypes=frozenset({"Spirit"}),
    colors=frozenset({"white", "black"}),
    power=1,
    toughness=1,
    abilities=(Keyword("flying"),),
)
SERVO = Card(
    "Servo",
    frozenset({"Artifact", "Creature"}),
    subtypes=frozenset({"Servo"}),
    colors=frozenset(),
    power=1,
    toughness=1,
)
GERM = Card(
    "Phyrexian Germ",
    CREATURE_TYPE,
    subtypes=frozenset({"Phyrexian", "Germ"}),
    colors=frozenset({"black"}),
    power=0,
    toughness=0,
)


DISGUISED: tuple[Operation, ...] = (Gain((Keyword("ward", "{2}"),)),)
"""What a card cast with disguise has while face down (CR 702.168a: ward {2})."""
WARPED = All(zones=frozenset({"exile"}), same_as=The("warped"))
DELAYED: dict[KeywordName, Later] = {
    "dash": Later(Beginning("end", Everyone(), next=True), (Put(This(), "hand"),), name="dash"),
    "warp": Later(
        Beginning("end", Everyone(), next=True),
        (
            Exile(This(), name="warped"),
            Effect(OwnerOf(The("warped")), (MayPlay(WARPED, only_cast=True, later=True),)),
        ),
        name="warp",
    ),
}
"""What happens later to the permanent that a spell becomes, by the keyword whose cost was paid (CR 702.109a,
702.185a: created by a static ability of the spell).
"""


def grown(what: Selector, n: int) -> Effect:
    """It gets +N/+N until end of turn."""
    return Effect(what, (Modify(n, n),), "end of turn")


def returning(counter: Counters, name: str) -> Triggered:
    """When this dies without such a counter, it returns to the battlefield with one."""
    return Triggered(
        when=Dies(This()),
        cond=Not(Matches(It(), Filter(counter=counter.kind))),
        effect=(Put(It(), "battlefield", under=OwnerOf(It()), counters=(counter,)),),
        name=name,
    )


@functools.lru_cache(maxsize=4096)
def mentions(card: Card) -> frozenset[type]:
    """The types of the values that make up a card's abilities, including tokens and quoted abilities."""
    found: set[type] = set()
    collect((card.abilities, card.back, card.adventure, card.halves), found)
    collect_from_types(card, found)
    return frozenset(found)


def collect_from_types(card: Card, found: set[type]) -> None:
    """Add the types of what a card does because of its own types (CR 714.3a, 306.5b, 704.5k)."""
    if "Saga" in card.subtypes or card.loyalty is not None:
        collect(ENTERS_WITH_LORE.ability, found)
    if "World" in card.supertypes:
        found.add(Worlds)


def changes_entering(value: Struct) -> bool:
    """Whether an operation can change what an entering permanent's own text says about how it enters, or make
    it a planeswalker or an Aura.
    """
    match value:
        case AddTypes(types, subtypes):
            return "Planeswalker" in types or "Aura" in subtypes
        case Gain(abilities):
            held = (one for ability in abilities for one in granted(ability))
            return any(isinstance(one, AsEnters) for one in held)
        case _:
            return isinstance(value, CHANGES_TEXT)


CHANGES_TEXT = (
    *(BecomeCopy, CannotHave, Lose, LoseAllAbilities, LoseTypes),
    *(ReplaceWord, SetBasicLandTypes, SetTypes, TextOf),
)
"""What can remove or replace what is printed on other permanents."""
CHANGING_ENTERING = frozenset({AddTypes, Gain, *CHANGES_TEXT})
"""The types of operations that may change how others enter."""


def granted(ability: Ability) -> tuple[Ability, ...]:
    """An ability, and those that it stands for if it is a keyword."""
    own = (
        tuple(held.ability for held in abilities_of_keyword(ability)) if isinstance(ability, Keyword) else ()
    )
    return (ability, *own)


def collect(value: object, found: set[type]) -> None:
    """Add the types of a value and of everything in it."""
    if isinstance(value, Struct):
        kind = type(value)
        found.add(kind)
        if kind in STANDING_FOR_MORE:
            collect_more(value, found)
        if kind in CHANGING_ENTERING and changes_entering(value):
            found.add(ChangesEntering)
    for part in parts_of(value):
        collect(part, found)


def collect_more(value: Struct, found: set[type]) -> None:
    """Add what a value stands for besides its parts."""
    match value:
        case BecomeMonarch():
            found.update(KINDS_OF_THE_MONARCH)
        case Static(lingers=lingers) if lingers is not None:
            found.add(Lingering)
        case Card():
            collect_from_types(value, found)
        case AddTypes(supertypes=supertypes) if "World" in supertypes:
            found.add(Worlds)
        case Filter(put_by=put_by) if put_by is not None:
            found.add(LinkedAbilities)
        case Cloak():
            collect(DISGUISED, found)
        case Keyword(keyword=word):
            if word == "ascend":
                found.add(Ascending)
            if word in ("daybound", "nightbound"):
                found.add(DayAndNight)
            collect(DELAYED.get(word), found)
            collect(DISGUISED if word == "disguise" else (), found)
            for held in abilities_of_keyword(value):
                collect(held.ability, found)


STANDING_FOR_MORE = frozenset({BecomeMonarch, Static, Card, AddTypes, Filter, All, Cloak, Keyword})
"""The types of which some values stand for more than their parts."""
KINDS_OF_THE_MONARCH = frozenset(type(ability.when) for ability in OF_THE_MONARCH)
"""The events that the monarch's abilities wait for."""

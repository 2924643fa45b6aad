"""The cards for games: small invented ones, each about one aspect of a game.

They cost {0} unless they are about costs. `deck` selects those, and the real cards, that an engine supports.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from conformance.data.library import pool
from conformance.model.features import features_of_card
from conformance.strategies.cards import CREATURES, TARGET, plainness
from conformance.strategies.draws import composite, sampled_from
from conformance.strategies.means import Means
from reference_engine.language.cards import (
    Ability,
    Activated,
    ActivePlayer,
    AddMana,
    All,
    Attached,
    Attacks,
    Beginning,
    Card,
    Cast,
    CastEvent,
    ChooseInstruction,
    ControllerOf,
    CopySpell,
    Costs,
    Counters,
    CounterSpell,
    Create,
    Damage,
    Destroy,
    Dies,
    Draw,
    Effect,
    Enters,
    Everyone,
    Filter,
    Gain,
    GainControl,
    GainLife,
    GoTo,
    Instruction,
    It,
    Keyword,
    LoseLife,
    May,
    Mode,
    Modify,
    Opponents,
    Part,
    PreventDamage,
    Put,
    PutCounters,
    SacrificeCost,
    Spell,
    Static,
    TapThis,
    TargetSpec,
    The,
    This,
    TimesAsMany,
    Triggered,
    Untap,
    Would,
    You,
)
from reference_engine.language.characteristics import faces_of
from reference_engine.language.words import CardType, KeywordName, Supertype

OTHER_CREATURES = All(type=frozenset({"Creature"}), other_than=This())
YOUR_CREATURES = All(type=frozenset({"Creature"}), controller=You())
SPELLS = All(zones=frozenset({"stack"}))
CREATURE = TargetSpec(what=CREATURES)
ANY_TARGET = TargetSpec(any_target=True)
PLAYER = TargetSpec(players=Everyone())
SPELL = TargetSpec(what=SPELLS)
NONLAND_IN_HAND = All(zones=frozenset({"hand"}), of=You(), without=(Filter(type=frozenset({"Land"})),))


def creature(
    name: str,
    power: int,
    toughness: int,
    *abilities: Ability,
    cost: str = "{0}",
    supertypes: frozenset[Supertype] = frozenset(),
    types: Iterable[CardType] = ("Creature",),
) -> Card:
    """A creature card; its name begins with Test."""
    return Card(
        f"Test {name}",
        frozenset(types),
        cost=cost,
        supertypes=supertypes,
        subtypes=frozenset({"Bear"}),
        power=power,
        toughness=toughness,
        abilities=abilities,
    )


def creature_with_keywords(name: str, power: int, toughness: int, *keywords: KeywordName) -> Card:
    """A creature with keyword abilities."""
    return creature(name, power, toughness, *map(Keyword, keywords))


def permanent(
    name: str, *abilities: Ability, type: CardType = "Enchantment", subtypes: Iterable[str] = ()
) -> Card:
    """An artifact, enchantment or land card; lands have no cost."""
    cost = None if type == "Land" else "{0}"
    return Card(f"Test {name}", frozenset({type}), cost, subtypes=frozenset(subtypes), abilities=abilities)


def spell(
    name: str,
    *effect: Instruction,
    targets: tuple[TargetSpec, ...] = (),
    type: CardType = "Instant",
    cost: str = "{0}",
    keywords: tuple[Ability, ...] = (),
) -> Card:
    """An instant or sorcery card; its name begins with Test."""
    return Card(
        f"Test {name}", frozenset({type}), cost, abilities=(*keywords, Spell(effect, targets=targets))
    )


def anthem(name: str, power: int, toughness: int, affects: All = YOUR_CREATURES) -> Card:
    """An enchantment that gives creatures a bonus."""
    return permanent(name, Static((Part(affects, (Modify(power, toughness),)),)))


def grows(power: int, toughness: int) -> Effect:
    """An effect that gives the target a bonus until end of turn."""
    return Effect(TARGET, (Modify(power, toughness),), until="end of turn")


BEAR = creature("Bear", 2, 2)
FIELD = permanent("Field", type="Land", subtypes=("Forest",))
BOLT = spell("Bolt", Damage(2, TARGET), targets=(ANY_TARGET,))
GROWTH = spell("Growth", grows(2, 2), targets=(CREATURE,))
INSIGHT = spell("Insight", Draw(1))
CALM = spell("Calm", GainLife(2))
NOPE = spell("Nope", CounterSpell(TARGET), targets=(SPELL,))
MURDER = spell("Murder", Destroy(TARGET), targets=(CREATURE,))
RECALL = spell("Recall", Put(TARGET, "hand"), targets=(CREATURE,))
FORK = spell(
    "Fork",
    CopySpell(TARGET),
    targets=(
        TargetSpec(
            what=All(
                zones=frozenset({"stack"}),
                any_of=(Filter(type=frozenset({"Instant"})), Filter(type=frozenset({"Sorcery"}))),
            )
        ),
    ),
)
MUSTER = spell(
    "Muster",
    Create(
        Card("Soldier", frozenset({"Creature"}), subtypes=frozenset({"Soldier"}), power=1, toughness=1), 2
    ),
    type="Sorcery",
)
THEFT = spell(
    "Theft",
    Effect(TARGET, (GainControl(),), until="end of turn"),
    Untap(TARGET),
    targets=(CREATURE,),
    type="Sorcery",
)
SPRAY = spell(
    "Spray",
    Damage(1, The("one")),
    Damage(1, The("other")),
    targets=(TargetSpec(what=CREATURES, name="one"), TargetSpec(any_target=True, name="other")),
)
CHARM = Card(
    "Test Charm",
    frozenset({"Instant"}),
    "{0}",
    abilities=(Spell(modes=(Mode((GainLife(1),)), Mode((Untap(TARGET),), (CREATURE,)), Mode((Draw(1),)))),),
)
HUSH = spell("Hush", LoseLife(1, Opponents()), keywords=(Keyword("split second"),))

WATCHER = creature("Watcher", 1, 1, Triggered(Enters(OTHER_CREATURES), (GainLife(1),), name="watch"))
MOURNER = creature(
    "Mourner", 1, 1, Triggered(Dies(OTHER_CREATURES), (LoseLife(1, Everyone()),), name="mourn")
)
HERALD = creature("Herald", 1, 1, Triggered(Enters(), (Damage(1, TARGET),), (ANY_TARGET,), name="arrive"))
MARTYR = creature("Martyr", 1, 1, Triggered(Dies(), (Draw(1),), name="legacy"))
SCHOLAR = creature(
    "Scholar", 1, 2, Triggered(CastEvent(), (PutCounters((Counters("+1/+1"),), This()),), name="study")
)
DAWN = permanent(
    "Dawn", Triggered(Beginning("upkeep", Everyone()), (GainLife(1, ActivePlayer()),), name="morning")
)
DUSK = permanent("Dusk", Triggered(Beginning("end", Everyone()), (LoseLife(1, Everyone()),), name="evening"))
RAIDER = creature("Raider", 2, 1, Triggered(Attacks(), (LoseLife(1, Opponents()),), name="raid"))
PINGER = creature("Pinger", 0, 2, Activated((TapThis(),), (Damage(1, TARGET),), (ANY_TARGET,), name="ping"))
ELF = creature("Elf", 1, 1, Activated((TapThis(),), (AddMana("{G}"),), name="mana"))
ALTAR = permanent(
    "Altar", Activated((SacrificeCost(YOUR_CREATURES),), (GainLife(1),), name="offer"), type="Artifact"
)
STRIKER = creature_with_keywords("Striker", 2, 1, "first strike")
VIPER = creature_with_keywords("Viper", 1, 1, "deathtouch")
TRAMPLER = creature_with_keywords("Trampler", 4, 4, "trample")
HAWK = creature_with_keywords("Hawk", 1, 2, "flying")
RUNNER = creature_with_keywords("Runner", 3, 1, "haste")
DUELIST = creature_with_keywords("Duelist", 1, 2, "double strike")
LEECH = creature_with_keywords("Leech", 2, 2, "lifelink")
AMBUSHER = creature_with_keywords("Ambusher", 2, 2, "flash")
VEILED = creature_with_keywords("Veiled", 2, 2, "hexproof")
KING = creature("King", 2, 2, supertypes=frozenset({"Legendary"}))
BANNER = anthem("Banner", 1, 1)
PLAGUE = anthem("Plague", -1, -1, CREATURES)
MANTLE = permanent(
    "Mantle",
    Keyword("enchant", what=Filter(type=frozenset({"Creature"}))),
    Static((Part(Attached(), (Modify(1, 2),)),)),
    subtypes=("Aura",),
)
LEASH = permanent(
    "Leash",
    Keyword("enchant", what=Filter(type=frozenset({"Creature"}))),
    Static((Part(Attached(), (GainControl(),)),)),
    subtypes=("Aura",),
)
BLADE = permanent(
    "Blade",
    Keyword("equip", mana="{0}"),
    Static((Part(Attached(), (Modify(1, 0), Gain((Keyword("first strike"),)))),)),
    type="Artifact",
    subtypes=("Equipment",),
)
THORNS = permanent(
    "Thorns",
    Triggered(CastEvent(Filter(), by=Everyone()), (Damage(1, ControllerOf(It())),), name="prick"),
)

FURNACE = permanent(
    "Furnace", Static((Part(Everyone(), (Would("be dealt damage", TimesAsMany(2)),)),)), type="Artifact"
)
VOID = permanent("Void", Static((Part(CREATURES, (Would("die", GoTo("exile")),)),)))
SALVE = spell(
    "Salve",
    Effect(TARGET, (PreventDamage(n=2, next=True),), until="this turn"),
    targets=(TargetSpec(any_target=True),),
)
CONJURE = spell(
    "Conjure",
    May((ChooseInstruction("object", NONLAND_IN_HAND), Cast(The("chosen"), cost=()))),
    type="Sorcery",
)

LEVY = spell("Levy", GainLife(1), cost="{1}{G}")
CUB = creature("Cub", 1, 1, cost="{G}")
RITE = spell("Rite", Draw(1), type="Sorcery", cost="{2}")
TAX = permanent("Tax", Static((Part(SPELLS, (Costs("more", "{1}"),)),)), type="Artifact")
THRIFT = permanent("Thrift", Static((Part(SPELLS, (Costs("less", "{1}"),)),)), type="Artifact")
FLOOR = permanent("Floor", Static((Part(SPELLS, (Costs("at least", "{2}"),)),)), type="Artifact")

INVENTED: tuple[Card, ...] = (
    *(BEAR, BOLT, GROWTH, FIELD, INSIGHT, CALM, MURDER, WATCHER, MARTYR, PINGER, ELF, NOPE, RECALL),
    *(HERALD, MOURNER, BANNER, RUNNER, STRIKER, VIPER, TRAMPLER, HAWK, DUELIST, LEECH, AMBUSHER, VEILED),
    *(KING, DAWN, DUSK, SCHOLAR, RAIDER, ALTAR, MUSTER, THEFT, SPRAY, CHARM, FORK, HUSH, MANTLE, BLADE),
    *(PLAGUE, THORNS, LEVY, CUB, RITE, TAX, THRIFT, FLOOR, CONJURE, FURNACE, VOID, SALVE),
)
"""Plain cards first."""


@cache
def deck(means: Means) -> tuple[Card, ...]:
    """The cards for a game that an engine supports: invented ones, or else real ones; plain cards first."""
    return usable(INVENTED, means) if means.invented else real_deck(means)


@cache
def real_deck(means: Means) -> tuple[Card, ...]:
    """The real cards that an engine supports: those it knows, or any if it accepts definitions."""
    known = means.real or (tuple(pool().values()) if means.invented else ())
    return usable(sorted(known, key=plainness), means)


def usable(cards: Iterable[Card], means: Means) -> tuple[Card, ...]:
    """The cards that can be drawn into games and that an engine supports."""
    return tuple(card for card in cards if is_playable(card) and means.allow(*features_of_card(card)))


@composite
def decks(draw: DrawFn, means: Means) -> tuple[Card, ...]:
    """A few cards for a game: invented ones, real ones, or both; creatures first."""
    invented, real = usable(INVENTED, means) if means.invented else (), real_deck(means)
    sources = [source for source in (invented, real) if source]
    some = [draw(a_few(source)) for source in sources]
    kept = draw(sampled_from([some[:1], some[1:], some])) if len(some) > 1 else some
    return tuple(sorted((card for cards in kept for card in cards), key=plainness))


def a_few(cards: tuple[Card, ...]) -> st.SearchStrategy[list[Card]]:
    """A few different cards of these."""
    return st.lists(sampled_from(cards), min_size=2, max_size=6, unique_by=lambda card: card.name)


def is_playable(card: Card) -> bool:
    """Whether a card can be drawn into a game: it has an ordinary face, and is not just a token."""
    return len(faces_of(card)) == 1 and bool(card.types & PLAYABLE)


PLAYABLE: frozenset[CardType] = frozenset(
    {"Creature", "Instant", "Sorcery", "Enchantment", "Artifact", "Land", "Planeswalker"}
)
